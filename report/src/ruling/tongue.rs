//! What a language must be able to say.

use chuhe_movegen::{Board, Color, Move};
use chuhe_records::GameResult;
use chuhe_rules::{Ground, JudgedMove, LimitClaim, MoveClass, Procedure, RuleSet, Ruling, Verdict, Window};

use super::play::{Play, Statement};

/// A move of a repetition with the positions around it and the ruling that it belongs to.
#[derive(Clone, Copy)]
pub(super) struct Told<'a> {
    pub(super) judged: &'a JudgedMove,
    /// The position before the move.
    pub(super) before: &'a Board,
    /// The position after it.
    pub(super) after: &'a Board,
    pub(super) ruling: &'a Ruling,
}

impl Told<'_> {
    /// Whether the move answers a check and is called something else for what it does besides.
    pub(super) fn answers_check(&self) -> bool {
        self.before.in_check() && !matches!(self.judged.class, MoveClass::Check | MoveClass::Idle(_))
    }

    /// Whether the attacks of the mover's pawns count, which otherwise are idle.
    pub(super) fn pawns_count(&self) -> bool {
        let repetition = self.ruling.repetition.as_ref();
        repetition.is_some_and(|repetition| {
            repetition.ground == Ground::PawnFight && !repetition.patterns[self.judged.mover.index()].only_attacks()
        })
    }
}

/// Whether the article that the older Chinese text has on this forbids, but for this case: "except checks that answer
/// checks, perpetual check is never permitted".
pub(super) const fn is_exception(ground: Ground) -> bool {
    matches!(ground, Ground::MutualPerpetualCheck | Ground::ChecksAnswered)
}

/// The articles that a verdict rests on, by their numbers: on the procedure, where the text has one, and on the ground.
pub(super) fn articles(ruling: &Ruling) -> Vec<&'static str> {
    let Some(repetition) = &ruling.repetition else { return Vec::new() };
    let Some(article) = repetition.article else { return Vec::new() };
    let procedure = match ruling.verdict {
        Verdict::Loses(_) | Verdict::Draw => ruling.rules.article_on_procedure(repetition.procedure),
        Verdict::Undecided | Verdict::None => None,
    };
    procedure.into_iter().chain([article]).collect()
}

/// What follows for the loser, if a position has come for the third time.
pub(super) fn procedure(ruling: &Ruling) -> Option<Procedure> {
    match ruling.verdict {
        Verdict::Loses(_) => ruling.repetition.as_ref()?.procedure,
        Verdict::Draw | Verdict::Undecided | Verdict::None => None,
    }
}

/// A language. Everything that is said anywhere in an explanation is said here.
pub(super) trait Tongue {
    /// Labels of the parts of a sheet.
    fn labels(&self) -> &'static Labels;
    /// A side.
    fn side(&self, color: Color) -> &'static str;
    /// A rule set, with the name by which it is chosen.
    fn rules(&self, rules: &RuleSet) -> String;
    /// A verdict in two or three words.
    fn verdict(&self, verdict: Verdict) -> String;
    /// In place of a loss that only threatens, should the side not deviate now.
    fn must_deviate(&self, color: Color) -> String;
    /// The first line of a text. There may be no rules to name.
    fn headline(&self, title: &str, verdict: &str, rules: &str) -> String;
    /// In place of a verdict on a game that cannot be judged.
    fn unjudged(&self) -> &'static str;
    /// The whole ruling in a sentence. Whether a draw might be claimed is told unless it has been.
    fn sentence(&self, ruling: &Ruling, statement: Option<&Statement>, is_claimed: bool) -> String;
    /// The position before the first move of a cycle, `side` to move.
    fn cycle_start(&self, window: Window, side: Color) -> String;
    /// The last position of a game without repetition.
    fn final_position(&self, plies: usize) -> String;
    /// A legal move.
    fn move_name(&self, mv: Move, before: &Board) -> String;
    /// The class of a move.
    fn class(&self, told: Told<'_>) -> String;
    /// What a move does to what.
    fn details(&self, told: Told<'_>) -> String;
    /// All moves of a side together.
    fn pattern(&self, play: &Play) -> String;
    /// In place of a verdict when a claim of the natural limit is refused.
    fn claim_refused(&self) -> &'static str;
    /// The answer to a claim of the natural limit, in a sentence.
    fn claim(&self, claim: &LimitClaim) -> String;
    /// That the record of a game states this result, which is not that of the ruling.
    fn contradiction(&self, stated: GameResult) -> String;
}

/// Headings and the like.
pub(super) struct Labels {
    pub(super) title: &'static str,
    pub(super) claim_title: &'static str,
    pub(super) red: &'static str,
    pub(super) black: &'static str,
    pub(super) event: &'static str,
    pub(super) date: &'static str,
    pub(super) rules: &'static str,
    pub(super) number: &'static str,
    pub(super) side: &'static str,
    pub(super) mv: &'static str,
    pub(super) class: &'static str,
    pub(super) details: &'static str,
    /// With its colon.
    pub(super) ruling: &'static str,
    pub(super) arbiter: &'static str,
    pub(super) signed_on: &'static str,
}
