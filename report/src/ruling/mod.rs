//! Rulings in words: why a repetition is lost or drawn, move by move, in English or Chinese.
//!
//! [`Explanation::new`] turns what the judge says into sentences an arbiter can read out; [`Explanation::text`] and
//! [`Explanation::sheet`] lay them out, for a terminal and as a page to print and sign. [`Answer`] does all of it for a game of
//! a file, and writes JSON too.
//!
//! ```
//! use chuhe_movegen::Board;
//! use chuhe_report::Language;
//! use chuhe_report::ruling::Explanation;
//! use chuhe_rules::{Game, RuleSet};
//!
//! let mut game = Game::new(Board::from_fen("c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1")?);
//! for mv in ["h8h9", "f9f8", "h9h8", "f8f9", "h8h9", "f9f8", "h9h8", "f8f9"] {
//!     game.play(mv.parse()?)?;
//! }
//! let explanation = Explanation::new(&game, &game.ruling(&RuleSet::ASIAN), Language::English);
//! assert!(explanation.sentence.starts_with("Red loses"));
//! assert!(explanation.sentence.contains("Red gives check with every move"));
//! assert_eq!(explanation.moves.len(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod chinese;
mod english;
mod play;
mod sheet;
mod text;
mod tongue;

use chuhe_movegen::{Board, Color, Move};
use chuhe_records::GameResult;
use chuhe_rules::{ClaimOutcome, Game, JudgedMove, LimitClaim, Procedure, Repetition, Ruling, Verdict};

use crate::Language;
pub use answer::{Answer, Question};
use play::{Statement, plays};
use tongue::{Told, Tongue, procedure};

impl Language {
    fn tongue(self) -> &'static dyn Tongue {
        match self {
            Language::English => &english::English,
            Language::Chinese => &chinese::Chinese,
        }
    }
}

/// A ruling in words.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The language of all texts here.
    pub language: Language,
    /// What is ruled on: a repetition, or a claim of the natural limit.
    pub subject: &'static str,
    /// The rules it was judged by.
    pub rules: String,
    /// The verdict in two or three words: `Red loses`, 和棋; 红方须变着 where the rules leave the side a last chance.
    pub verdict: String,
    /// The verdict with its reason and its article, in one sentence.
    pub sentence: String,
    /// The answer to a claim of the natural limit, in one sentence.
    pub claim: Option<String>,
    /// That the record of the game states another result than the ruling, in one sentence.
    pub contradiction: Option<String>,
    /// The position to look at: where the cycle starts, or the last one when nothing recurred.
    pub position: Option<Board>,
    /// Which position that is, and when it came again.
    pub caption: String,
    /// The moves of the cycle: one loop when both loops are the same, else all of them.
    pub moves: Vec<ExplainedMove>,
    /// What each side does, in a sentence, Red's first; nothing when nothing recurred.
    pub patterns: Vec<String>,
}

/// A move of a cycle in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExplainedMove {
    /// Its number in the game: `12.` for Red's, `12…` for Black's.
    pub number: String,
    /// Whose move.
    pub mover: Color,
    /// The move.
    pub mv: Move,
    /// What it is called: in coordinates (ICCS) in English, in Chinese notation in Chinese.
    pub name: String,
    /// Its class.
    pub class: String,
    /// What it does to what: the chased pieces and their chasers, the length of the mate that is threatened. May be empty.
    pub details: String,
}

impl Explanation {
    /// Puts a ruling of this game into words.
    #[must_use]
    pub fn new(game: &Game, ruling: &Ruling, language: Language) -> Explanation {
        Explanation::with_claim(game, ruling, None, language)
    }

    /// The same with the answer to a claim of the natural limit, if there is one. It is what the verdict is about, unless
    /// a repetition has decided the game before.
    #[must_use]
    pub fn with_claim(game: &Game, ruling: &Ruling, claim: Option<&LimitClaim>, language: Language) -> Explanation {
        let tongue = language.tongue();
        let labels = tongue.labels();
        let has_recurred = matches!(ruling.verdict, Verdict::Loses(_) | Verdict::Draw);
        let deciding = claim.map(LimitClaim::outcome).filter(|_| !has_recurred);
        let is_on_claim = deciding.is_some();
        let verdict = match (deciding, ruling.loser()) {
            (None, Some(loser)) if procedure(ruling) == Some(Procedure::OneMoreRound) => tongue.must_deviate(loser),
            (None, _) => tongue.verdict(ruling.verdict),
            (Some(ClaimOutcome::Void(_)), Some(loser)) => tongue.verdict(Verdict::Loses(loser)),
            (Some(ClaimOutcome::Void(_) | ClaimOutcome::Granted), _) => tongue.verdict(Verdict::Draw),
            (Some(ClaimOutcome::Refused), _) => tongue.claim_refused().to_owned(),
        };
        let mut explanation = Explanation {
            language,
            subject: if is_on_claim { labels.claim_title } else { labels.title },
            rules: tongue.rules(&ruling.rules),
            verdict,
            sentence: tongue.sentence(ruling, Statement::of(game, ruling).as_ref(), claim.is_some()),
            claim: claim.map(|claim| tongue.claim(claim)),
            contradiction: None,
            position: Some(game.board().clone()),
            caption: tongue.final_position(game.plies().len() - 1),
            moves: Vec::new(),
            patterns: Vec::new(),
        };
        if let Some(repetition) = &ruling.repetition {
            let start = &game.plies()[repetition.window.first].board;
            explanation.position = Some(start.clone());
            explanation.caption = tongue.cycle_start(repetition.window, start.side_to_move());
            explanation.moves =
                shown_moves(repetition).iter().map(|judged| explain_move(tongue, game, ruling, judged)).collect();
            explanation.patterns = plays(game, repetition).iter().map(|play| tongue.pattern(play)).collect();
        }
        explanation
    }

    /// Notes it if the record of the game states another result than the one `ruled`. What is not known contradicts
    /// nothing.
    #[must_use]
    pub fn compared_with_record(mut self, stated: GameResult, ruled: GameResult) -> Explanation {
        let differ = stated.is_known() && ruled.is_known() && stated != ruled;
        self.contradiction = differ.then(|| self.language.tongue().contradiction(stated));
        self
    }

    /// Says why a game could not be judged.
    #[must_use]
    pub fn unjudged(fault: &str, language: Language) -> Explanation {
        Explanation {
            language,
            subject: language.tongue().labels().title,
            rules: String::new(),
            verdict: language.tongue().unjudged().to_owned(),
            sentence: fault.to_owned(),
            claim: None,
            contradiction: None,
            position: None,
            caption: String::new(),
            moves: Vec::new(),
            patterns: Vec::new(),
        }
    }
}

/// One loop of the cycle if the second is like it.
fn shown_moves(repetition: &Repetition) -> &[JudgedMove] {
    let cycle = repetition.cycle();
    let again = &repetition.moves[cycle.len()..];
    let is_same = again.iter().zip(cycle).all(|(again, first)| again.mv == first.mv);
    if is_same && again.len() <= cycle.len() { cycle } else { &repetition.moves }
}

fn explain_move(tongue: &dyn Tongue, game: &Game, ruling: &Ruling, judged: &JudgedMove) -> ExplainedMove {
    let [before, after] = [judged.ply - 1, judged.ply].map(|ply| &game.plies()[ply].board);
    let told = Told { judged, before, after, ruling };
    ExplainedMove {
        number: number(game.start(), judged.ply),
        mover: judged.mover,
        mv: judged.mv,
        name: tongue.move_name(judged.mv, before),
        class: tongue.class(told),
        details: tongue.details(told),
    }
}

/// The number of a move in rounds, counted from the start position's.
fn number(start: &Board, ply: usize) -> String {
    let index = ply - 1 + start.side_to_move().index();
    let round = usize::from(start.fullmove_number().max(1)) + index / 2;
    if index.is_multiple_of(2) { format!("{round}.") } else { format!("{round}…") }
}
