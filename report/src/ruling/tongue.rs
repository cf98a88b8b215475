//! What a language must be able to say.

use chuhe_movegen::{Board, Color, Move, Piece};
use chuhe_records::GameResult;
use chuhe_rules::{Game, Ground, JudgedMove, LimitClaim, MoveClass, Pattern, RuleSet, Ruling, Verdict, Window};

use super::common_victims;

/// What the sentence about a repetition speaks of, beside its ground.
pub(super) struct Statement {
    /// The side that loses or would lose; Red when there is none.
    pub(super) offender: Color,
    /// The pieces that every move of that side chases.
    pub(super) victims: Vec<Piece>,
    /// What that side does.
    pub(super) pattern: Pattern,
    /// What the other side does.
    pub(super) others_pattern: Pattern,
}

impl Statement {
    pub(super) fn of(game: &Game, ruling: &Ruling) -> Statement {
        let repetition = ruling.repetition.as_ref();
        let offender = repetition.and_then(|repetition| repetition.loser).unwrap_or(Color::Red);
        let pattern =
            |color: Color| repetition.map_or_else(Pattern::default, |repetition| repetition.patterns[color.index()]);
        Statement {
            offender,
            victims: repetition.map_or_else(Vec::new, |repetition| common_victims(game, repetition, offender)),
            pattern: pattern(offender),
            others_pattern: pattern(!offender),
        }
    }
}

/// Whether the article that the older Chinese text has on this forbids, but for this case: "except checks that answer
/// checks, perpetual check is never permitted".
pub(super) const fn is_exception(ground: Ground) -> bool {
    matches!(ground, Ground::MutualPerpetualCheck | Ground::ChecksAnswered)
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
    /// The first line of a text. There may be no rules to name.
    fn headline(&self, title: &str, verdict: &str, rules: &str) -> String;
    /// In place of a verdict on a game that cannot be judged.
    fn unjudged(&self) -> &'static str;
    /// The whole ruling in a sentence. Whether a draw might be claimed is told unless it has been.
    fn sentence(&self, ruling: &Ruling, statement: &Statement, is_claimed: bool) -> String;
    /// The position before the first move of a cycle, `side` to move.
    fn cycle_start(&self, window: Window, side: Color) -> String;
    /// The last position of a game without repetition.
    fn final_position(&self, plies: usize) -> String;
    /// A legal move.
    fn move_name(&self, mv: Move, before: &Board) -> String;
    /// A class of moves.
    fn class(&self, class: MoveClass) -> String;
    /// What a move does to what.
    fn details(&self, judged: &JudgedMove) -> String;
    /// All moves of a side together.
    fn pattern(&self, color: Color, pattern: &Pattern, victims: &[Piece]) -> String;
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
