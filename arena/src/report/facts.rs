//! How the games of a tournament are played, in a few lines for its report.

use chuhe_report::Fact;

use crate::config::{Config, Setup};
use crate::tournament::{Hall, Participant};

/// The facts that the journal knows; the engines as they are to be described, in the order of the list.
#[must_use]
pub fn facts(setup: &Setup, engines: &[String]) -> Vec<Fact> {
    let times = match &setup.engines[..] {
        [first, rest @ ..] if rest.iter().all(|engine| engine.tc == first.tc) => first.tc.to_string(),
        engines => {
            let named = engines.iter().map(|engine| format!("{} {}", engine.name, engine.tc));
            named.collect::<Vec<_>>().join("; ")
        }
    };
    vec![
        Fact::new("引擎", "Engines", engines.join("; ")),
        Fact::new("用时", "Time control", times),
        Fact::new("棋例", "Repetition rules", setup.rules.repetition.name()),
        Fact::new("开局", "Openings", setup.openings.source.as_deref().unwrap_or("book")),
    ]
}

/// How the games are played, and more than the journal knows of it.
#[must_use]
pub fn facts_of_run(config: &Config, hall: &Hall) -> Vec<Fact> {
    let describe = |Participant { spec, detected, .. }: &Participant| {
        let calls_itself = detected.id.as_deref().map(|id| format!(", {id}")).unwrap_or_default();
        format!("{} ({}{calls_itself})", spec.name, detected.protocol)
    };
    let mut facts = facts(&config.setup(), &hall.engines.iter().map(describe).collect::<Vec<_>>());
    facts.push(Fact::new("同时对局", "Games at once", config.concurrency.to_string()));
    if !config.site.is_empty() {
        facts.push(Fact::new("地点", "Site", &config.site));
    }
    facts
}
