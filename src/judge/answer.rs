//! The answer about one game, and how it is written.

use chuhe_movegen::Color;
use chuhe_records::Tags;
use chuhe_report::ruling::{Explanation, Language, explain_claim};
use chuhe_rules::{Ending, Game, LimitClaim, RuleSet, Ruling};
use serde::Serialize;
use serde_json::Value;

use super::Task;
use crate::games::Entry;

/// What is to be said of a game.
pub(super) struct Answer {
    /// What the game is called.
    pub(super) id: Value,
    tags: Tags,
    outcome: Result<Judged, String>,
}

/// A game that has been judged.
struct Judged {
    ruling: Ruling,
    explanation: Explanation,
    claim: Option<Claim>,
}

/// A claim of the natural limit.
struct Claim {
    claimant: Color,
    examined: LimitClaim,
    sentence: String,
}

impl Answer {
    pub(super) fn new(entry: Entry, task: &Task) -> Answer {
        let Entry { id, rules, record } = entry;
        let mut tags = Tags::new();
        let outcome = record.and_then(|record| {
            let rules: RuleSet = match rules {
                None => task.rules,
                Some(name) => name.parse().map_err(|error| format!("ruleset: {error}"))?,
            };
            let game = record.to_game().map_err(|error| error.to_string())?;
            tags = record.tags;
            Ok(Judged::new(&game, &rules, task))
        });
        Answer { id, tags, outcome }
    }

    /// What was wrong with which game, if something was.
    pub(super) fn fault(&self) -> Option<String> {
        let error = self.outcome.as_ref().err()?;
        Some(format!("{}: {error}", self.title()))
    }

    /// The id without the quotation marks of JSON.
    fn title(&self) -> String {
        match &self.id {
            Value::String(id) => plain(id),
            other => other.to_string(),
        }
    }

    /// For people; an empty line ends it.
    pub(super) fn text(&self, language: Language) -> String {
        let title = match (self.tags.red(), self.tags.black()) {
            (Some(red), Some(black)) => plain(&format!("{} ({red} – {black})", self.title())),
            _ => self.title(),
        };
        let claim = self.claim().map_or_else(String::new, |claim| format!("\n{}\n", claim.sentence));
        format!("{}{claim}\n", self.explanation(language).text(&title))
    }

    /// A page to print.
    pub(super) fn html(&self, language: Language) -> String {
        let mut explanation = self.explanation(language);
        if let Some(claim) = self.claim() {
            explanation.sentence = format!("{} {}", explanation.sentence, claim.sentence);
        }
        explanation.sheet(&self.title(), &self.tags)
    }

    fn explanation(&self, language: Language) -> Explanation {
        match &self.outcome {
            Ok(judged) => judged.explanation.clone(),
            Err(error) => Explanation::unjudged(error, language),
        }
    }

    fn claim(&self) -> Option<&Claim> {
        self.outcome.as_ref().ok()?.claim.as_ref()
    }

    /// A line of JSON.
    pub(super) fn json(&self) -> String {
        let line = match &self.outcome {
            Ok(judged) => Line::of(&self.id, judged),
            Err(error) => Line { error: Some(error), ..Line::empty(&self.id) },
        };
        // Strings, numbers and lists of them: there is nothing here that could fail to be written.
        serde_json::to_string(&line).map_or_else(|error| error.to_string(), |line| line + "\n")
    }
}

impl Judged {
    fn new(game: &Game, rules: &RuleSet, task: &Task) -> Judged {
        let ruling = game.ruling(rules);
        let claim = task.claim.map(|(claimant, rounds)| {
            let examined = game.claim_natural_limit(claimant, rounds);
            Claim { claimant, examined, sentence: explain_claim(&examined, claimant, task.language) }
        });
        Judged { explanation: Explanation::new(game, &ruling, task.language), ruling, claim }
    }
}

/// An answer in JSON. All keys are there in every line but `claim` and `error`.
#[derive(Serialize)]
struct Line<'a> {
    id: &'a Value,
    ruleset: Option<&'static str>,
    verdict: Option<String>,
    loser: Option<&'static str>,
    must_deviate: Option<&'static str>,
    ended_by: Option<&'static str>,
    cycle_start_ply: Option<usize>,
    cycle_len: Option<usize>,
    classes: Vec<String>,
    article: Option<&'static str>,
    why: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<ClaimLine<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

/// A claim in JSON.
#[derive(Serialize)]
struct ClaimLine<'a> {
    by: &'static str,
    granted: bool,
    counted: u32,
    required: u32,
    why: &'a str,
}

impl<'a> Line<'a> {
    fn empty(id: &'a Value) -> Line<'a> {
        Line {
            id,
            ruleset: None,
            verdict: None,
            loser: None,
            must_deviate: None,
            ended_by: None,
            cycle_start_ply: None,
            cycle_len: None,
            classes: Vec::new(),
            article: None,
            why: None,
            claim: None,
            error: None,
        }
    }

    fn of(id: &'a Value, judged: &'a Judged) -> Line<'a> {
        let Judged { ruling, explanation, claim } = judged;
        let repetition = ruling.repetition.as_ref();
        Line {
            id,
            ruleset: Some(ruling.rules.name()),
            verdict: Some(ruling.verdict.to_string()),
            loser: ruling.loser().map(side),
            must_deviate: ruling.must_deviate().map(side),
            ended_by: ruling.ended_by.map(ending),
            cycle_start_ply: repetition.map(|repetition| repetition.window.first),
            cycle_len: repetition.map(|repetition| repetition.window.cycle_len()),
            classes: repetition
                .map_or_else(Vec::new, |repetition| repetition.cycle().iter().map(ToString::to_string).collect()),
            article: ruling.article(),
            why: Some(&explanation.sentence),
            claim: claim.as_ref().map(|claim| ClaimLine {
                by: side(claim.claimant),
                granted: claim.examined.is_granted(),
                counted: claim.examined.counted,
                required: claim.examined.required,
                why: &claim.sentence,
            }),
            error: None,
        }
    }
}

/// A text for one line of a terminal.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

const fn side(color: Color) -> &'static str {
    match color {
        Color::Red => "red",
        Color::Black => "black",
    }
}

const fn ending(ending: Ending) -> &'static str {
    match ending {
        Ending::Checkmate(_) => "checkmate",
        Ending::Stalemate(_) => "stalemate",
        Ending::Repetition(_) => "repetition",
        Ending::NaturalLimit => "natural_limit",
        Ending::DeadMaterial => "dead_material",
    }
}
