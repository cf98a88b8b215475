//! How the games of a tournament are played, in a few lines for its report.

use chuhe_arena::config::Setup;
use chuhe_report::Fact;

/// The facts that the journal knows; the engines as they are to be described, in the order of the list.
pub(super) fn facts(setup: &Setup, engines: &[String]) -> Vec<Fact> {
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
