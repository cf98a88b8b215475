//! What the judge says, as data: the class of each move, the pattern of each side, the verdict and its ground.

use std::fmt;

use chuhe_movegen::{Bitboard, Color, Move, Piece, Square};

use crate::chase::{Attack, ChaseWay};
use crate::exchange::Protection;
use crate::idle::IdleKind;
use crate::mate::MateThreat;
use crate::threat::ThreatOrigin;
use crate::{Ending, RuleSet};

/// The heaviest of what a move does (从重定性, article 27.4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveClass {
    /// 将: the enemy king could be taken.
    Check,
    /// 杀: a series of checks would mate.
    Kill,
    /// 捉: an enemy piece can be won that could not be won so before.
    Chase,
    /// 闲, with what the move looks like.
    Idle(IdleKind),
}

/// One piece chased by one other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Chase {
    /// Who chases whom, by the squares after the move.
    pub attack: Attack,
    /// The chasing piece.
    pub attacker: Piece,
    /// The chased piece.
    pub victim: Piece,
    /// How the move made the chase.
    pub way: ChaseWay,
    /// How the chased piece is protected; nothing to say when it is won through checks.
    pub protection: Option<Protection>,
}

/// A move of a repetition and what it does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JudgedMove {
    /// Number of the move in the line, from 1.
    pub ply: usize,
    /// Whose move.
    pub mover: Color,
    /// The move.
    pub mv: Move,
    /// Its class.
    pub class: MoveClass,
    /// The mate threat that stands after a move that gives no check.
    pub threat: MateThreat,
    /// What the move has to do with it. `None` when nothing is threatened, or this could not be settled.
    pub origin: Option<ThreatOrigin>,
    /// What it chases, the most valuable victim first; a kill keeps its victims, a check has none.
    pub chases: Vec<Chase>,
    /// The attacks that an idle move makes or keeps and that do not count, for the reason that its
    /// [kind](IdleKind) tells.
    pub permitted: Vec<Chase>,
}

impl JudgedMove {
    /// Whether the class may be too low, a search for a mate threat having given up.
    pub fn is_undetermined(&self) -> bool {
        self.threat == MateThreat::Unknown || self.threat != MateThreat::None && self.origin.is_none()
    }
}

impl fmt::Display for JudgedMove {
    /// `check`, `kill`, `chase:rf5` (the first victim, where it stands after the move), `idle`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.class, self.chases.first()) {
            (MoveClass::Check, _) => f.write_str("check"),
            (MoveClass::Kill, _) => f.write_str("kill"),
            (MoveClass::Chase, Some(chase)) => write!(f, "chase:{}{}", chase.victim, chase.attack.victim),
            (MoveClass::Chase, None) => f.write_str("chase"),
            (MoveClass::Idle(_), _) => f.write_str("idle"),
        }
    }
}

/// The moves of one side between the occurrences, taken together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pattern {
    /// Some moves give check.
    pub checks: bool,
    /// Some moves that give no check threaten mate.
    pub kills: bool,
    /// Some moves neither check nor threaten mate, but chase.
    pub chases: bool,
    /// Some moves do nothing of these.
    pub idles: bool,
    /// The pieces that every move chases, by their squares at the end.
    pub common_victims: Bitboard,
    /// Those of them that are rooks pinned by a horse's leg all the time.
    pub leg_pinned_victims: Bitboard,
}

impl Pattern {
    /// Every move checks (长将).
    pub fn is_perpetual_check(&self) -> bool {
        self.checks && !self.kills && !self.chases && !self.idles
    }

    /// Every move chases one and the same piece (长捉).
    pub fn is_perpetual_chase(&self) -> bool {
        self.common_victims.any()
    }

    /// Every move is an attack of some kind.
    pub fn only_attacks(&self) -> bool {
        !self.idles && (self.checks || self.kills || self.chases)
    }

    /// How bad this is in the decision table of the rules.
    pub(crate) fn level(&self, rules: &RuleSet, may_chase: bool) -> u8 {
        let levels = &rules.levels;
        if self.is_perpetual_check() {
            levels.perpetual_check
        } else if may_chase && self.leg_pinned_victims.any() {
            levels.chase_of_leg_pinned_rook
        } else if may_chase && self.is_perpetual_chase() {
            levels.chase_of_one_piece
        } else if self.only_attacks() {
            levels.other_attacks
        } else {
            0
        }
    }
}

impl fmt::Display for Pattern {
    /// `CC`, `KK`, `XX=` (one victim), `XX!` (several), mixtures such as `CX`, and `C-`, `X-`, `--` with idle moves.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_perpetual_chase() {
            return f.write_str("XX=");
        }
        let attacks: String = [(self.checks, 'C'), (self.kills, 'K'), (self.chases, 'X')]
            .into_iter()
            .filter_map(|(some, letter)| some.then_some(letter))
            .collect();
        match (attacks.as_str(), self.idles) {
            ("", _) => f.write_str("--"),
            (attacks, true) => write!(f, "{attacks}-"),
            ("X", false) => f.write_str("XX!"),
            (attacks, false) if attacks.len() == 1 => write!(f, "{attacks}{attacks}"),
            (attacks, false) => f.write_str(attacks),
        }
    }
}

/// What a ruling rests on; each rule set has its own article for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ground {
    /// One side checks for ever.
    PerpetualCheck,
    /// One side checks for ever, the other now and then (二将一还将).
    PerpetualCheckAgainstChecks,
    /// Both sides check for ever (解将还将).
    MutualPerpetualCheck,
    /// One side chases for ever a rook that is pinned by a horse's leg.
    ChaseOfLegPinnedRook,
    /// One side chases one piece for ever.
    PerpetualChase,
    /// One side chases one piece for ever; the other attacks with every move, in ways that are permitted or less bad.
    ChaseAgainstAttacks,
    /// Every move of one side is an attack, of changing kinds or on changing pieces.
    PerpetualAttack,
    /// Both sides do what is forbidden to the same degree.
    MutualOffence,
    /// Both sides attack with every move once the pawns' attacks are counted.
    PawnFight,
    /// A perpetual check is excused by the checks it answers (older Chinese text).
    ChecksAnswered,
    /// A perpetual attack is excused because one of its moves parries an attack (older Chinese text).
    AttackParried,
    /// A perpetual attack is excused because it strikes at the hunters of a trapped piece (older Chinese text).
    TrappedPiece,
    /// Nobody checks for ever, and the checks there are make the chases harmless.
    ChecksVoidChases,
    /// Mate threats for ever are permitted.
    PermittedMateThreats,
    /// Checks and mate threats in turn are permitted.
    PermittedChecksAndMateThreats,
    /// Checks and chases in turn are permitted.
    PermittedCheckAndChase,
    /// Chases of different pieces in turn are permitted.
    PermittedChaseOfSeveral,
    /// Neither side does anything forbidden.
    NoOffence,
    /// The rules do not look at the moves.
    EveryRepetitionDraws,
}

/// What the rules say of the repetition in a line of moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// This side must deviate, and loses if it does not.
    Loses(Color),
    /// 不变作和.
    Draw,
    /// A position has come twice, none three times.
    Undecided,
    /// No position is repeated.
    None,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Loses(Color::Red) => "red_loses",
            Verdict::Loses(Color::Black) => "black_loses",
            Verdict::Draw => "draw",
            Verdict::Undecided => "undecided",
            Verdict::None => "none",
        })
    }
}

/// What the rules make of an offence at the third occurrence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Procedure {
    /// The side has lost (立即判负).
    LosesAtOnce,
    /// The side must play something else, and loses if it does not (须变着，不变作负).
    MustDeviate,
    /// The side must play something else, and loses if it completes the round once more (再循环一次即判负).
    OneMoreRound,
    /// It had to, has completed the round once more and has lost.
    HasNotDeviated,
}

/// Where a repetition lies in a line; numbers of moves played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Window {
    /// Moves before the first occurrence of the position.
    pub first: usize,
    /// Moves before the second.
    pub second: usize,
    /// Moves before the third, if it comes to that.
    pub third: Option<usize>,
}

impl Window {
    /// Moves from the first occurrence to the second.
    pub fn cycle_len(&self) -> usize {
        self.second - self.first
    }

    /// Moves before the last occurrence.
    pub fn last(&self) -> usize {
        self.third.unwrap_or(self.second)
    }
}

/// The repetition of a line, judged.
#[derive(Clone, Debug)]
pub struct Repetition {
    /// Where it lies.
    pub window: Window,
    /// The moves between the first and the last occurrence.
    pub moves: Vec<JudgedMove>,
    /// Both sides' patterns, Red's first.
    pub patterns: [Pattern; Color::NUM],
    /// The squares of the pieces that every move of a side chases, where they stand at the end, the most valuable first.
    pub victims: [Vec<Square>; Color::NUM],
    /// Who would lose if the position came for the third time in this way, and did.
    pub loser: Option<Color>,
    /// Why.
    pub ground: Ground,
    /// The article of the rules that this rests on, by its number in their text.
    pub article: Option<&'static str>,
    /// What the rules make of it at the third occurrence, if there is a loser.
    pub procedure: Option<Procedure>,
    /// False when a search for mate threats gave up and the verdict may hang on it.
    pub is_certain: bool,
    /// Positions that the searches for mate threats have looked at, at most 3.2 million: what the ruling has cost, by the
    /// same count on every machine.
    pub mate_search_nodes: u64,
}

impl Repetition {
    /// The moves of the first loop: one cycle.
    pub fn cycle(&self) -> &[JudgedMove] {
        &self.moves[..self.window.cycle_len().min(self.moves.len())]
    }

    /// The first move of the offence: the first by the side that has lost or must deviate.
    pub fn offence_begins(&self) -> Option<&JudgedMove> {
        self.moves.iter().find(|judged| Some(judged.mover) == self.loser)
    }
}

/// The judge's answer about a whole line.
#[derive(Clone, Debug)]
pub struct Ruling {
    /// The rules it was judged by.
    pub rules: RuleSet,
    /// What they say of its repetition.
    pub verdict: Verdict,
    /// The repetition, unless nothing recurred.
    pub repetition: Option<Repetition>,
    /// How the line ended, if it did: by its repetition, else as it stands after its last move. Never by the natural
    /// limit, which a player must claim.
    pub ended_by: Option<Ending>,
    /// Moves after which the game was over, if it was; the line may go on.
    pub over_after: Option<usize>,
    /// Whether Red, and whether Black, would be granted a claim of the natural limit (article 23.3) after the last move.
    /// Nobody is once the game is over.
    pub may_claim_draw: [bool; Color::NUM],
}

impl Ruling {
    /// Who has lost, by repetition or otherwise.
    pub fn loser(&self) -> Option<Color> {
        self.ended_by.and_then(|ending| ending.loser())
    }

    /// Who must play something else to escape the loss by repetition.
    pub fn must_deviate(&self) -> Option<Color> {
        match self.verdict {
            Verdict::Loses(color) => Some(color),
            _ => None,
        }
    }

    /// The article that the verdict rests on.
    pub fn article(&self) -> Option<&'static str> {
        match self.verdict {
            Verdict::Loses(_) | Verdict::Draw => self.repetition.as_ref()?.article,
            Verdict::Undecided | Verdict::None => None,
        }
    }
}
