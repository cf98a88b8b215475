//! The packed game file: whole games with the score of every move, about four bytes a ply.
//!
//! Games are kept rather than positions, so that what to learn from stays a decision of training (as Viridithas and
//! Stormphrax do). Everything is little endian.
//!
//! ```text
//! file     header, game…
//! header   "CHUHEGAM", format version u32, length u32, that many bytes of TOML ([`Header`]), XXH3-64 of the TOML
//! game     start (32 bytes), ply (4 bytes)…, end (4 bytes), number u32, low half of the XXH3-64 of all before it
//! start    0–27 placement and side to move ([`crate::data::packed`], result bits zero); 28–29 plies played before, u16;
//!          30 half-moves since the last capture; 31 kind of opening ([`Opening`])
//! ply      u16: bits 0–13 the move, from × 128 + to; bit 14 the mover was in check; bit 15 the move captures;
//!          i16: score of the search in internal units, *for Red*
//! end      u16: zero, which is no move; result for Red ([`GameOutcome::code`]); how it ended ([`Verdict`])
//! ```
//!
//! A game is written by one call, so that a killed program leaves at most the last game torn; [`Reader`] tells that from
//! damage, and [`Writer::resume`] cuts it off.

mod error;
mod header;
mod reader;
mod writer;

pub use error::{GameFault, GameFileError, HeaderFault};
pub use header::{Adjudication, Header, Rescoring, SearchSettings};
pub use reader::Reader;
pub use writer::{Resumed, Writer};

use chuhe_movegen::{Board, Color, Move};
use chuhe_rules::{Ending, Game, Judgement, RuleSet};
use twox_hash::XxHash3_64;

use crate::data::packed;
use crate::data::{GameOutcome, Record};

/// First bytes of a game file.
pub const MAGIC: [u8; 8] = *b"CHUHEGAM";
/// The format described here.
pub const VERSION: u32 = 1;
/// No game is longer: 30 captures with 120 half-moves before each, and some more.
pub const MAX_PLIES: usize = 4096;

const START_SIZE: usize = 32;
const PLY_SIZE: usize = 4;
/// End mark, number and checksum.
const TAIL_SIZE: usize = 12;
const IN_CHECK: u16 = 1 << 14;
const CAPTURE: u16 = 1 << 15;
const MOVE: u16 = IN_CHECK - 1;

/// Where a game began.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Opening {
    /// Random moves from the initial position.
    Initial = 0,
    /// Random moves from a random placement with most of the pieces.
    Middlegame = 1,
    /// Random moves from a random placement with few pieces.
    Endgame = 2,
}

impl Opening {
    /// All kinds, by their codes.
    pub const ALL: [Opening; 3] = [Opening::Initial, Opening::Middlegame, Opening::Endgame];
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Verdict {
    /// 将死.
    Checkmate = 0,
    /// 困毙: no legal move, without check.
    Stalemate = 1,
    /// A repetition that one side had to avoid: perpetual check or chase.
    RepetitionLoss = 2,
    /// A repetition that nobody had to avoid.
    RepetitionDraw = 3,
    /// Too many moves without a capture.
    NaturalLimit = 4,
    /// Nothing left that could win.
    DeadMaterial = 5,
    /// Broken off: one side was winning by the scores of both, or by a table of endgames.
    AdjudicatedWin = 6,
    /// Broken off: the scores stayed at zero, or small for long without a capture; or a draw by a table of endgames.
    AdjudicatedDraw = 7,
}

impl Verdict {
    /// All verdicts, by their codes.
    pub const ALL: [Verdict; 8] = [
        Verdict::Checkmate,
        Verdict::Stalemate,
        Verdict::RepetitionLoss,
        Verdict::RepetitionDraw,
        Verdict::NaturalLimit,
        Verdict::DeadMaterial,
        Verdict::AdjudicatedWin,
        Verdict::AdjudicatedDraw,
    ];

    /// The verdict of the rules.
    pub fn of(ending: &Ending) -> Verdict {
        match ending {
            Ending::Checkmate(_) => Verdict::Checkmate,
            Ending::Stalemate(_) => Verdict::Stalemate,
            Ending::Repetition(Judgement::Loses(_)) => Verdict::RepetitionLoss,
            Ending::Repetition(Judgement::Draw) => Verdict::RepetitionDraw,
            Ending::NaturalLimit => Verdict::NaturalLimit,
            Ending::DeadMaterial => Verdict::DeadMaterial,
        }
    }

    /// Whether the game was broken off rather than ended by the rules.
    pub fn is_adjudicated(self) -> bool {
        matches!(self, Verdict::AdjudicatedWin | Verdict::AdjudicatedDraw)
    }
}

/// A move and its score, as stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PackedPly {
    /// Move bits and flags.
    code: u16,
    /// For Red.
    score: i16,
}

impl PackedPly {
    /// The move `mv` on `board`, with the score of its search for the side to move.
    pub fn new(board: &Board, mv: Move, score: i16) -> PackedPly {
        let check = if board.in_check() { IN_CHECK } else { 0 };
        let capture = if board.is_capture(mv) { CAPTURE } else { 0 };
        // Saturating: −32768 has no opposite.
        let score = if board.side_to_move() == Color::Red { score } else { score.saturating_neg() };
        PackedPly { code: mv.bits() | check | capture, score }
    }

    /// The move; nothing where the bits are no move.
    pub fn mv(self) -> Option<Move> {
        Move::from_bits(self.code & MOVE)
    }

    /// Whether the mover was in check.
    pub fn in_check(self) -> bool {
        self.code & IN_CHECK != 0
    }

    /// Whether the move captures.
    pub fn is_capture(self) -> bool {
        self.code & CAPTURE != 0
    }

    /// The score for Red, in internal units.
    pub fn red_score(self) -> i16 {
        self.score
    }
}

/// A game as the file holds it. Its moves have not been proved legal: walking [`PackedGame::positions`] does that.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackedGame {
    /// Number of the game in its run: with the seed it determines the game.
    pub number: u32,
    /// The first position whose move was searched.
    pub start: Board,
    /// Half-moves played before the start.
    pub start_ply: u16,
    /// Where the half-moves before the start came from.
    pub opening: Opening,
    /// The moves.
    pub plies: Vec<PackedPly>,
    /// The result for Red.
    pub outcome: GameOutcome,
    /// How it ended.
    pub verdict: Verdict,
}

/// A position of a game, with the move that was played in it.
#[derive(Clone, Debug)]
pub struct Position {
    /// The position.
    pub board: Board,
    /// The best move by the search, which was played.
    pub mv: Move,
    /// The score of the search for the side to move, in internal units.
    pub score: i16,
    /// The result of the game for the side to move.
    pub outcome: GameOutcome,
    /// Half-moves since the start of the game, the opening included.
    pub ply: u16,
    /// Whether the move captures.
    pub is_capture: bool,
    /// Whether the move gives check.
    pub gives_check: bool,
}

impl Position {
    /// The record to learn from.
    pub fn record(&self) -> Record {
        Record::new(&self.board, self.outcome, self.score, self.ply)
    }
}

impl PackedGame {
    /// The bytes of the game in a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(START_SIZE + PLY_SIZE * self.plies.len() + TAIL_SIZE);
        bytes.extend_from_slice(&packed::pack(&self.start, 0));
        bytes.extend_from_slice(&self.start_ply.to_le_bytes());
        bytes.push(u8::try_from(self.start.halfmove_clock()).unwrap_or(u8::MAX));
        bytes.push(self.opening as u8);
        for ply in &self.plies {
            bytes.extend_from_slice(&ply.code.to_le_bytes());
            bytes.extend_from_slice(&ply.score.to_le_bytes());
        }
        bytes.extend_from_slice(&[0, 0, self.outcome.code(), self.verdict as u8]);
        bytes.extend_from_slice(&self.number.to_le_bytes());
        let checksum = checksum(&bytes);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Walks through the positions in which a move was searched; ends with the first fault.
    pub fn positions(&self) -> impl Iterator<Item = Result<Position, GameFault>> + '_ {
        let mut board = self.start.clone();
        let mut broken = false;
        self.plies.iter().enumerate().map_while(move |(index, ply)| {
            if broken {
                return None;
            }
            let position = self.position(index, &board, *ply);
            match &position {
                Ok((_, next)) => board = next.clone(),
                Err(_) => broken = true,
            }
            Some(position.map(|(position, _)| position))
        })
    }

    /// The position before a ply, and the board after it.
    fn position(&self, index: usize, board: &Board, ply: PackedPly) -> Result<(Position, Board), GameFault> {
        let mv = ply.mv().ok_or(GameFault::NoMove { ply: index, bits: ply.code & MOVE })?;
        let next = board.play(mv).map_err(|_| GameFault::IllegalMove { ply: index, mv })?;
        let is_capture = board.is_capture(mv);
        if (ply.in_check(), ply.is_capture()) != (board.in_check(), is_capture) {
            return Err(GameFault::Flags { ply: index, mv });
        }
        let side = board.side_to_move();
        let position = Position {
            board: board.clone(),
            mv,
            score: if side == Color::Red { ply.score } else { ply.score.saturating_neg() },
            outcome: self.outcome.seen_by(side),
            ply: self.start_ply.saturating_add(index as u16),
            is_capture,
            gives_check: next.in_check(),
        };
        Ok((position, next))
    }

    /// Plays the game again by the rules: every move is legal, the game ended when they say so and not before, and its
    /// result is theirs.
    ///
    /// # Errors
    /// The first [`GameFault`].
    pub fn verify(&self, rules: &RuleSet) -> Result<(), GameFault> {
        let mut game = Game::new(self.start.clone());
        for (index, position) in self.positions().enumerate() {
            let mv = position?.mv;
            if let Some(ending) = game.ending(rules) {
                return Err(GameFault::PlayedOn { ply: index, verdict: Verdict::of(&ending) });
            }
            game.play(mv).map_err(|_| GameFault::IllegalMove { ply: index, mv })?;
        }
        let ending = game.ending(rules);
        let expected = ending.as_ref().map(|ending| (Verdict::of(ending), GameOutcome::of_loser(ending.loser())));
        match expected {
            Some(expected) if expected == (self.verdict, self.outcome) => Ok(()),
            None if self.verdict.is_adjudicated()
                && (self.outcome == GameOutcome::Draw) == (self.verdict == Verdict::AdjudicatedDraw) =>
            {
                Ok(())
            }
            _ => Err(GameFault::Ending { found: (self.verdict, self.outcome), expected }),
        }
    }

    /// Number of half-moves played in the game, the opening included.
    pub fn length(&self) -> usize {
        usize::from(self.start_ply) + self.plies.len()
    }
}

/// The checksum of a game.
fn checksum(bytes: &[u8]) -> u32 {
    XxHash3_64::oneshot(bytes) as u32
}

#[cfg(test)]
pub(crate) mod tests;
