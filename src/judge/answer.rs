//! The answer about one game, and how it is written.

use chuhe_analysis::write::id_text;
use chuhe_movegen::Color;
use chuhe_records::games::Entry;
use chuhe_records::{GameResult, Tags};
use chuhe_report::Language;
use chuhe_report::ruling::Explanation;
use chuhe_rules::{Chase, Ending, Game, JudgedMove, LimitClaim, MateThreat, RuleSet, Ruling};
use serde::Serialize;
use serde_json::Value;

use super::Task;

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
    claim: Option<LimitClaim>,
}

impl Answer {
    pub(super) fn new(id: Value, entry: Entry, task: &Task) -> Answer {
        let Entry { ruleset: rules, record, .. } = entry;
        let mut tags = Tags::new();
        let outcome = record.map_err(|damaged| damaged.to_string()).and_then(|record| {
            let rules: RuleSet = match rules {
                None => task.rules,
                Some(name) => name.parse().map_err(|error| format!("ruleset: {error}"))?,
            };
            let game = record.to_game().map_err(|error| error.to_string())?;
            tags = record.tags;
            Ok(Judged::new(&game, record.result, &rules, task))
        });
        Answer { id, tags, outcome }
    }

    /// What was wrong with which game, if something was.
    pub(super) fn fault(&self) -> Option<String> {
        let error = self.outcome.as_ref().err()?;
        Some(format!("{}: {error}", id_text(&self.id)))
    }

    /// For people; an empty line ends it.
    pub(super) fn text(&self, language: Language) -> String {
        let title = match (self.tags.red(), self.tags.black()) {
            (Some(red), Some(black)) => format!("{} ({red} – {black})", id_text(&self.id)),
            _ => id_text(&self.id),
        };
        format!("{}\n", self.explanation(language).text(&title))
    }

    /// A page to print.
    pub(super) fn html(&self, language: Language) -> String {
        self.explanation(language).sheet(&id_text(&self.id), &self.tags)
    }

    fn explanation(&self, language: Language) -> Explanation {
        match &self.outcome {
            Ok(judged) => judged.explanation.clone(),
            Err(error) => Explanation::unjudged(error, language),
        }
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
    /// Judges a game whose record states this result.
    fn new(game: &Game, stated: GameResult, rules: &RuleSet, task: &Task) -> Judged {
        let ruling = game.ruling(rules);
        let claim = task.claim.map(|(claimant, rounds)| game.claim_natural_limit(&ruling, claimant, rounds));
        let explanation = Explanation::with_claim(game, &ruling, claim.as_ref(), task.language);
        let ruled = ending(&ruling, claim.as_ref()).map_or(GameResult::Unknown, result);
        Judged { explanation: explanation.compared_with_record(stated, ruled), ruling, claim }
    }
}

/// How the game ended, by a claim that is granted too.
fn ending(ruling: &Ruling, claim: Option<&LimitClaim>) -> Option<Ending> {
    ruling.ended_by.or_else(|| claim.filter(|claim| claim.is_granted()).map(|_| Ending::NaturalLimit))
}

fn result(ending: Ending) -> GameResult {
    match ending.loser() {
        Some(Color::Red) => GameResult::BlackWins,
        Some(Color::Black) => GameResult::RedWins,
        None => GameResult::Draw,
    }
}

/// An answer in JSON. All keys are there in every line but the last four.
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
    /// Of the first loop.
    classes: Vec<String>,
    /// The moves between the first occurrence and the last, whether or not the loops are alike.
    window: Vec<MoveLine>,
    article: Option<&'static str>,
    why: Option<&'a str>,
    /// Whether the verdict hangs on no search that gave up; null when nothing recurred.
    is_certain: Option<bool>,
    /// Who would be granted a draw by the natural limit. Left out when nobody, or when a claim has been examined.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    may_claim_draw: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<ClaimLine<'a>>,
    /// That the record of the game states another result.
    #[serde(skip_serializing_if = "Option::is_none")]
    contradiction: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

/// A move of a repetition in JSON.
#[derive(Serialize)]
struct MoveLine {
    ply: usize,
    #[serde(rename = "move")]
    mv: String,
    class: String,
    /// All pieces that it chases, of a kill too, where they stand after the move: `ci0`.
    chases: Vec<String>,
    /// Checks to the mate that it threatens.
    mate_in: Option<u8>,
}

impl From<&JudgedMove> for MoveLine {
    fn from(judged: &JudgedMove) -> MoveLine {
        let victim = |chase: &Chase| format!("{}{}", chase.victim, chase.attack.victim);
        let mut chases: Vec<String> = judged.chases.iter().map(victim).collect();
        chases.sort_unstable();
        chases.dedup();
        let mate_in = match judged.threat {
            MateThreat::In(checks) => Some(checks),
            MateThreat::None | MateThreat::Unknown => None,
        };
        MoveLine { ply: judged.ply, mv: judged.mv.to_string(), class: judged.to_string(), chases, mate_in }
    }
}

/// A claim in JSON.
#[derive(Serialize)]
struct ClaimLine<'a> {
    by: &'static str,
    granted: bool,
    counted: u32,
    required: u32,
    /// Moves after which the game was over, which makes the claim void.
    over_after_ply: Option<usize>,
    why: Option<&'a str>,
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
            window: Vec::new(),
            article: None,
            why: None,
            is_certain: None,
            may_claim_draw: Vec::new(),
            claim: None,
            contradiction: None,
            error: None,
        }
    }

    fn of(id: &'a Value, judged: &'a Judged) -> Line<'a> {
        let Judged { ruling, explanation, claim } = judged;
        let repetition = ruling.repetition.as_ref();
        let may_claim = |color: &Color| claim.is_none() && ruling.may_claim_draw[color.index()];
        Line {
            id,
            ruleset: Some(ruling.rules.name()),
            verdict: Some(ruling.verdict.to_string()),
            loser: ruling.loser().map(side),
            must_deviate: ruling.must_deviate().map(side),
            ended_by: ending(ruling, claim.as_ref()).map(|ending| ending.name()),
            cycle_start_ply: repetition.map(|repetition| repetition.window.first),
            cycle_len: repetition.map(|repetition| repetition.window.cycle_len()),
            classes: repetition
                .map_or_else(Vec::new, |repetition| repetition.cycle().iter().map(ToString::to_string).collect()),
            window: repetition
                .map_or_else(Vec::new, |repetition| repetition.moves.iter().map(MoveLine::from).collect()),
            article: ruling.article(),
            why: Some(&explanation.sentence),
            is_certain: repetition.map(|repetition| repetition.is_certain),
            may_claim_draw: Color::ALL.into_iter().filter(may_claim).map(side).collect(),
            claim: claim.as_ref().map(|claim| ClaimLine {
                by: side(claim.claimant),
                granted: claim.is_granted(),
                counted: claim.counted,
                required: claim.required,
                over_after_ply: claim.over_after,
                why: explanation.claim.as_deref(),
            }),
            contradiction: explanation.contradiction.as_deref(),
            error: None,
        }
    }
}

const fn side(color: Color) -> &'static str {
    match color {
        Color::Red => "red",
        Color::Black => "black",
    }
}
