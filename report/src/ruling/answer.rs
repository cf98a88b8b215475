//! The ruling on a game of a file, and how it is written: text, a line of JSON, a page.

use chuhe_movegen::Color;
use chuhe_records::games::{Entry, id_text};
use chuhe_records::{GameResult, Tags};
use chuhe_rules::{Chase, Ending, Game, JudgedMove, LimitClaim, MateThreat, RuleSet, Ruling};
use serde::Serialize;
use serde_json::Value;

use super::Explanation;
use crate::Language;

/// What is asked of every game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// Rules for games that name none.
    pub rules: RuleSet,
    /// Whose claim of how many rounds is to be examined, if one is.
    pub claim: Option<(Color, u16)>,
    /// The language of the explanation.
    pub language: Language,
}

/// What is to be said of a game.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What the game is called.
    pub id: Value,
    language: Language,
    tags: Tags,
    outcome: Result<Judged, String>,
}

/// A game that has been judged.
#[derive(Clone, Debug)]
struct Judged {
    ruling: Ruling,
    explanation: Explanation,
    claim: Option<LimitClaim>,
}

impl Answer {
    /// Judges a game, by the rules that it names itself if it does.
    #[must_use]
    pub fn new(id: Value, entry: Entry, question: &Question) -> Answer {
        let Entry { ruleset: rules, record, .. } = entry;
        let mut tags = Tags::new();
        let outcome = record.map_err(|damaged| damaged.to_string()).and_then(|record| {
            let rules: RuleSet = match rules {
                None => question.rules,
                Some(name) => name.parse().map_err(|error| format!("ruleset: {error}"))?,
            };
            let game = record.to_game().map_err(|error| error.to_string())?;
            tags = record.tags;
            Ok(Judged::new(&game, record.result, &rules, question))
        });
        Answer { id, language: question.language, tags, outcome }
    }

    /// What was wrong with which game, if something was.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        let error = self.outcome.as_ref().err()?;
        Some(format!("{}: {error}", id_text(&self.id)))
    }

    /// For people; an empty line ends it.
    #[must_use]
    pub fn text(&self) -> String {
        let title = match (self.tags.red(), self.tags.black()) {
            (Some(red), Some(black)) => format!("{} ({red} – {black})", id_text(&self.id)),
            _ => id_text(&self.id),
        };
        format!("{}\n", self.explanation().text(&title))
    }

    /// A page to print.
    #[must_use]
    pub fn html(&self) -> String {
        self.explanation().sheet(&id_text(&self.id), &self.tags)
    }

    fn explanation(&self) -> Explanation {
        match &self.outcome {
            Ok(judged) => judged.explanation.clone(),
            Err(error) => Explanation::unjudged(error, self.language),
        }
    }

    /// A line of JSON.
    #[must_use]
    pub fn json(&self) -> String {
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
    fn new(game: &Game, stated: GameResult, rules: &RuleSet, question: &Question) -> Judged {
        let ruling = game.ruling(rules);
        let claim = question.claim.map(|(claimant, rounds)| game.claim_natural_limit(&ruling, claimant, rounds));
        let explanation = Explanation::with_claim(game, &ruling, claim.as_ref(), question.language);
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

#[cfg(test)]
mod tests {
    use chuhe_records::games::{Format, Games};

    use super::*;

    fn answer(line: &str, claim: Option<(Color, u16)>) -> Answer {
        let mut games = Games::with_format(line.as_bytes(), Format::Lines).unwrap();
        let entry = games.next().expect("a line").unwrap().read();
        let question = Question { rules: RuleSet::ASIAN, claim, language: Language::English };
        Answer::new("game:1".into(), entry, &question)
    }

    fn json(answer: &Answer) -> Value {
        let line = answer.json();
        assert!(line.ends_with("}\n") && line.lines().count() == 1);
        serde_json::from_str(&line).unwrap()
    }

    /// Perpetual check: the rook of Red gives check with every move, and Black only steps aside (article 26.1).
    const CHECKS: &str = "4k4/9/9/9/9/3R5/9/9/9/5K3 w - - 0 1 moves d4e4 e9d9 e4d4 d9e9 d4e4 e9d9 e4d4 d9e9";

    #[test]
    fn one_who_checks_for_ever_loses_in_every_form() {
        let answer = answer(CHECKS, None);
        let line = json(&answer);
        assert_eq!(
            (&line["id"], &line["verdict"], &line["loser"]),
            (&"game:1".into(), &"red_loses".into(), &"red".into())
        );
        assert_eq!((&line["cycle_len"], &line["classes"][0]), (&4.into(), &"check".into()));
        assert!(line.get("error").is_none() && answer.fault().is_none());
        assert!(answer.text().starts_with("game:1: Red loses"), "{}", answer.text());
        assert!(answer.html().starts_with("<!DOCTYPE html>"));
    }

    #[test]
    fn a_game_may_name_its_own_rules() {
        let (fen, moves) = CHECKS.split_once(" moves ").unwrap();
        let moves: Vec<&str> = moves.split(' ').collect();
        let text = serde_json::json!({"fen": fen, "moves": moves, "ruleset": "alwaysdraw"}).to_string();
        let line = json(&answer(&text, None));
        assert_eq!((&line["ruleset"], &line["verdict"]), (&"alwaysdraw".into(), &"draw".into()));
        let unknown = answer(&text.replace("alwaysdraw", "chess"), None);
        assert!(unknown.fault().is_some_and(|fault| fault.starts_with("game:1: ruleset: ")));
    }

    #[test]
    fn a_damaged_game_has_an_error_and_no_verdict() {
        let answer = answer("h2e2 h2e2", None);
        let line = json(&answer);
        assert!(line["error"].is_string() && line["verdict"].is_null());
        assert!(answer.fault().is_some() && answer.text().contains("game:1"));
    }

    #[test]
    fn a_claim_is_granted_when_enough_has_been_counted() {
        let fen = "3k5/9/9/9/9/9/9/9/R8/4K4 w - - 99 80 moves a1a2";
        let claim = |rounds| json(&answer(fen, Some((Color::Red, rounds))))["claim"].clone();
        assert_eq!((&claim(50)["granted"], &claim(50)["counted"]), (&true.into(), &100.into()));
        assert_eq!((&claim(51)["granted"], &claim(51)["required"]), (&false.into(), &102.into()));
    }
}
