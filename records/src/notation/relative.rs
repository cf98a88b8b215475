//! Moves as the mover sees them: which piece, which way, and how far or to which file. Chinese notation and WXF are two
//! alphabets for this; here is what they have in common, with files and places as numbers.

use chuhe_movegen::{Bitboard, Board, Color, FILES, Move, PieceType, Square};

use super::MoveError;

/// Which way a piece goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    /// 进, towards the other side.
    Forward,
    /// 退.
    Back,
    /// 平, along its rank.
    Sideways,
}

/// A place among the pieces of one kind on one file, counted from the front.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    /// 前.
    Front,
    /// 中, neither the first nor the last.
    Middle,
    /// 后.
    Rear,
    /// A number from 1.
    Nth(u8),
}

/// Which piece of its kind is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Which {
    /// The one on this file.
    File(u8),
    /// The one at this place, on a file if it is named.
    Order(Order, Option<u8>),
}

/// A move as it was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Word {
    pub(super) kind: PieceType,
    pub(super) which: Which,
    /// Short records leave it out.
    pub(super) direction: Option<Direction>,
    /// The file of the target for pieces that go diagonally and for all that go sideways, else the number of steps.
    pub(super) number: u8,
}

/// A place on a file that holds several pieces of the kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Tandem {
    /// Place on the file from the front, from 0.
    pub(super) index: u8,
    /// Pieces on the file.
    pub(super) count: u8,
    /// Place among the pieces of all such files, from 1: files from the right of the mover, each from the front.
    pub(super) number: u8,
    /// Whether no other file holds several.
    pub(super) is_only: bool,
}

impl Tandem {
    /// The name of the place as the rules of competitions have it: 前后, 前中后, 前二三四, 前二三四五.
    pub(super) fn order(self) -> Order {
        match (self.index, self.count) {
            (0, _) => Order::Front,
            (index, 2 | 3) if index + 1 == self.count => Order::Rear,
            (_, 3) => Order::Middle,
            (index, _) => Order::Nth(index + 1),
        }
    }
}

/// What there is to say about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Name {
    pub(super) kind: PieceType,
    pub(super) color: Color,
    pub(super) file: u8,
    /// What tells the piece from others on its file; `None` if that takes nothing.
    pub(super) tandem: Option<Tandem>,
    pub(super) direction: Direction,
    pub(super) number: u8,
}

impl Name {
    /// Names a legal move; `None` if no piece stands there, and in composed positions where customs have no name for it.
    pub(super) fn of(mv: Move, board: &Board) -> Option<Name> {
        let (from, to) = (mv.from(), mv.to());
        let piece = board.piece_at(from)?;
        let direction = match (from.rank() == to.rank(), (from.rank() < to.rank()) == (piece.color == Color::Red)) {
            (true, _) => Direction::Sideways,
            (false, true) => Direction::Forward,
            (false, false) => Direction::Back,
        };
        let number =
            if from.file() == to.file() { from.rank().abs_diff(to.rank()) } else { file_number(to, piece.color) };
        let formation = Formation::of(board, piece.color, piece.kind);
        if formation.pieces.count() > piece.kind.max_count() {
            return None;
        }
        let file = file_number(from, piece.color);
        let tandem = formation.tandem(from);
        let tandem = match piece.kind {
            PieceType::Advisor | PieceType::Elephant => {
                // Of two on a file only one can go forward and only one back, where games bring them.
                let word = Word { kind: piece.kind, which: Which::File(file), direction: Some(direction), number };
                if tandem.is_some() && word.find(board) != Ok(mv) {
                    return None;
                }
                None
            }
            _ => tandem,
        };
        Some(Name { kind: piece.kind, color: piece.color, file, tandem, direction, number })
    }
}

impl Word {
    /// The legal move that is meant.
    ///
    /// First the word is taken as the notation has it. Only if no move answers to that, the name of a place is taken
    /// loosely: 前 and 后 without a like piece on the file, or numbers of pawns counted on their own file. Either way one
    /// legal move must be left.
    pub(super) fn find(&self, board: &Board) -> Result<Move, MoveError> {
        let color = board.side_to_move();
        let formation = Formation::of(board, color, self.kind);
        let readings: [fn(&Formation, Square, Which) -> bool; 2] = [Formation::answers, Formation::may_answer];
        for is_meant in readings {
            for &directions in self.directions() {
                let mut moves = formation
                    .pieces
                    .into_iter()
                    .filter(|&from| is_meant(&formation, from, self.which))
                    .flat_map(|from| {
                        directions.iter().filter_map(move |&direction| self.move_from(from, direction, color))
                    })
                    .filter(|&mv| board.is_pseudo_legal(mv) && board.is_legal(mv));
                if let Some(mv) = moves.next() {
                    return match moves.count() {
                        0 => Ok(mv),
                        others => Err(MoveError::Ambiguous(1 + others)),
                    };
                }
            }
        }
        Err(MoveError::Illegal(color))
    }

    /// The directions that may be meant, those that go first in a group of their own. The example of the rules for short
    /// records (车12 for 车一平二, where 车一进二 is legal too) puts 平 before the others.
    fn directions(&self) -> &'static [&'static [Direction]] {
        match self.direction {
            Some(Direction::Forward) => &[&[Direction::Forward]],
            Some(Direction::Back) => &[&[Direction::Back]],
            Some(Direction::Sideways) => &[&[Direction::Sideways]],
            None => &[&[Direction::Sideways], &[Direction::Forward, Direction::Back]],
        }
    }

    /// Where the piece goes if it stands on this square; the rules of its kind are not yet looked at.
    fn move_from(&self, from: Square, direction: Direction, color: Color) -> Option<Move> {
        let (file, steps) = match (self.kind, direction) {
            (_, Direction::Sideways) => (file_index(self.number, color)?, 0),
            (PieceType::Advisor | PieceType::Elephant | PieceType::Horse, _) => {
                let file = file_index(self.number, color)?;
                let steps = match (self.kind, file.abs_diff(from.file())) {
                    (PieceType::Advisor, 1) | (PieceType::Horse, 2) => 1,
                    (PieceType::Elephant, 2) | (PieceType::Horse, 1) => 2,
                    _ => return None,
                };
                (file, steps)
            }
            _ => (from.file(), self.number),
        };
        let is_up = (direction == Direction::Forward) == (color == Color::Red);
        let rank = if is_up { from.rank().checked_add(steps) } else { from.rank().checked_sub(steps) };
        Move::new(from, Square::from_coords(file, rank?)?)
    }
}

/// The pieces of one kind of one side.
struct Formation {
    pieces: Bitboard,
    color: Color,
    /// How many stand on each file, by [`Square::file`].
    on_file: [u8; FILES],
}

impl Formation {
    fn of(board: &Board, color: Color, kind: PieceType) -> Formation {
        let pieces = board.pieces(color, kind);
        let mut on_file = [0; FILES];
        for square in pieces {
            on_file[usize::from(square.file())] += 1;
        }
        Formation { pieces, color, on_file }
    }

    /// Where a piece stands on its file; `None` if it is alone there.
    fn tandem(&self, square: Square) -> Option<Tandem> {
        let count = self.on_file[usize::from(square.file())];
        if count < 2 {
            return None;
        }
        let is_ahead = |other: Square| match self.color {
            Color::Red => other.rank() > square.rank(),
            Color::Black => other.rank() < square.rank(),
        };
        let is_further_right = |other: Square| file_number(other, self.color) < file_number(square, self.color);
        let (mut index, mut number) = (0, 1);
        for other in self.pieces {
            if other.file() == square.file() {
                index += u8::from(is_ahead(other));
            } else if self.on_file[usize::from(other.file())] > 1 {
                number += u8::from(is_further_right(other));
            }
        }
        let is_only = self.on_file.iter().filter(|&&count| count > 1).count() == 1;
        Some(Tandem { index, count, number: number + index, is_only })
    }

    /// Whether the piece on a square is the one that is meant, or one of them.
    fn answers(&self, square: Square, which: Which) -> bool {
        let stands_on = |file| file_number(square, self.color) == file;
        match which {
            Which::File(file) => stands_on(file),
            Which::Order(order, file) => {
                let Some(place) = self.tandem(square).filter(|_| file.is_none_or(stands_on)) else { return false };
                match order {
                    Order::Front => place.index == 0,
                    Order::Middle => place.index > 0 && place.index + 1 < place.count,
                    Order::Rear => place.index + 1 == place.count,
                    Order::Nth(number) if file.is_none() => place.number == number,
                    Order::Nth(number) => place.index + 1 == number,
                }
            }
        }
    }

    /// Whether it may be meant when the words do not fit.
    fn may_answer(&self, square: Square, which: Which) -> bool {
        match which {
            Which::File(_) | Which::Order(Order::Nth(_), Some(_)) => false,
            Which::Order(Order::Nth(number), None) => {
                self.tandem(square).is_some_and(|place| place.index + 1 == number)
            }
            Which::Order(_, file) => {
                file.is_none_or(|file| file_number(square, self.color) == file)
                    && !self.pieces.into_iter().any(|square| self.answers(square, which))
            }
        }
    }
}

/// The number of a square's file, 1 to 9 from the right of a side.
fn file_number(square: Square, color: Color) -> u8 {
    match color {
        Color::Red => FILES as u8 - square.file(),
        Color::Black => square.file() + 1,
    }
}

/// [`Square::file`] of the file with this number.
fn file_index(number: u8, color: Color) -> Option<u8> {
    match color {
        Color::Red => (FILES as u8).checked_sub(number),
        Color::Black => number.checked_sub(1),
    }
}
