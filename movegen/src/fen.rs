//! FEN, read and written.
//!
//! The reader accepts what real programs send: `H` for `N`, `E` for `B`, `G` for `K` and `S` for `P`, `r` for Red,
//! missing fields, dashes glued together, digits in a row (`11` for `2`), a trailing slash. It refuses what is no
//! position of the game and says what is wrong, where, and what was expected.

use std::str::FromStr;

use chuhe_text::quoted;

use crate::attacks::{ADVISOR_POINTS, ELEPHANT_POINTS, PALACES, pawn_points};
use crate::{Bitboard, Board, Color, FILES, MAX_MOVES, Piece, PieceType, RANKS, SQUARES, Square};

/// Why a text is not the FEN of a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenError {
    /// Nothing but blanks.
    #[error("empty FEN: expected ten ranks separated by `/`")]
    Empty,
    /// Not ten ranks.
    #[error("board field: found {found} ranks, expected 10")]
    RankCount {
        /// Ranks found.
        found: usize,
    },
    /// A rank does not describe nine points.
    #[error("board field, rank {rank}: describes {found} points, expected 9")]
    RankWidth {
        /// Rank 0–9 as in coordinates.
        rank: u8,
        /// Points found; counting stops a little above nine.
        found: usize,
    },
    /// A character that is neither a piece nor a digit 1–9.
    #[error("board field, rank {rank}, file {file}: found {found:?}, expected one of KABNRCP (HEGS accepted) or 1-9")]
    UnknownPiece {
        /// Rank 0–9.
        rank: u8,
        /// File a–i.
        file: char,
        /// The character.
        found: char,
    },
    /// A side does not have exactly one king.
    #[error("board field: {color} has {found} kings, expected 1")]
    KingCount {
        /// The side.
        color: Color,
        /// Kings found.
        found: u32,
    },
    /// More pieces of a kind than a side starts with.
    #[error("board field: {found} of `{piece}`, expected at most {max}")]
    TooMany {
        /// The piece.
        piece: Piece,
        /// How many.
        found: u32,
        /// How many there may be.
        max: u32,
    },
    /// A piece on a point it can never reach.
    #[error("board field: `{piece}` on {square}, where it can never stand")]
    Misplaced {
        /// The piece.
        piece: Piece,
        /// The point.
        square: Square,
    },
    /// A counter is not a number.
    #[error("{field} field: found {found:?}, expected a number")]
    Counter {
        /// `half-move` or `full-move`.
        field: &'static str,
        /// The text.
        found: String,
    },
    /// Something behind the last field.
    #[error("after the full-move field: found {found:?}, expected the end")]
    Trailing {
        /// The text.
        found: String,
    },
    /// The side that has just moved is in check, or the kings face each other with nothing between.
    #[error("side field: {mover} to move could take the king of {}, expected that king out of check", !*.mover)]
    KingCapturable {
        /// The side to move.
        mover: Color,
    },
    /// Composed placements only: so many pieces that a side could have more moves than a list holds.
    #[error("board field: {color} has so many pieces that it might have {bound} moves, expected at most {MAX_MOVES}")]
    TooManyMoves {
        /// The side.
        color: Color,
        /// The upper bound of its number of moves.
        bound: u32,
    },
}

/// Which letters stand for king and pawn: `G` and `S` do when the usual letter is absent from the whole board.
struct Alphabet {
    general: bool,
    soldier: bool,
}

impl Alphabet {
    fn of(board: &str) -> Alphabet {
        let has = |letter: char| board.chars().any(|c| c.eq_ignore_ascii_case(&letter));
        Alphabet { general: !has('k'), soldier: !has('p') }
    }

    fn piece(&self, letter: char) -> Option<Piece> {
        let kind = match letter.to_ascii_uppercase() {
            'K' => PieceType::King,
            'G' if self.general => PieceType::King,
            'A' => PieceType::Advisor,
            'B' | 'E' => PieceType::Elephant,
            'N' | 'H' => PieceType::Horse,
            'R' => PieceType::Rook,
            'C' => PieceType::Cannon,
            'P' => PieceType::Pawn,
            'S' if self.soldier => PieceType::Pawn,
            _ => return None,
        };
        Some(Piece::new(if letter.is_ascii_uppercase() { Color::Red } else { Color::Black }, kind))
    }
}

fn parse_placement(text: &str) -> Result<[Option<Piece>; SQUARES], FenError> {
    let text = text.strip_suffix('/').unwrap_or(text);
    let found = text.split('/').count();
    if found != RANKS {
        return Err(FenError::RankCount { found });
    }
    let alphabet = Alphabet::of(text);
    let mut placement = [None; SQUARES];
    for (row, points) in text.split('/').enumerate() {
        let rank = (RANKS - 1 - row) as u8;
        let mut file = 0;
        for c in points.chars() {
            if let Some(digit @ 1..=9) = c.to_digit(10) {
                file += digit as usize;
            } else if let Some(piece) = alphabet.piece(c) {
                if let Some(square) = Square::from_coords(file as u8, rank) {
                    placement[square.index()] = Some(piece);
                }
                file += 1;
            } else {
                let file = (b'a' + file.min(FILES - 1) as u8) as char;
                return Err(FenError::UnknownPiece { rank, file, found: c });
            }
            if file > FILES {
                return Err(FenError::RankWidth { rank, found: file });
            }
        }
        if file != FILES {
            return Err(FenError::RankWidth { rank, found: file });
        }
    }
    Ok(placement)
}

/// Where a piece can stand.
fn points_of(piece: Piece) -> Bitboard {
    let zone = match piece.kind {
        PieceType::King => PALACES,
        PieceType::Advisor => ADVISOR_POINTS,
        PieceType::Elephant => ELEPHANT_POINTS,
        PieceType::Pawn => return pawn_points(piece.color),
        PieceType::Horse | PieceType::Rook | PieceType::Cannon => return Bitboard::ALL,
    };
    zone & Bitboard::home(piece.color)
}

/// How far a placement may depart from what a game can lead to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strictness {
    /// Only positions of the game: piece counts, zones, and the opponent out of check.
    Game,
    /// Any placement with one king a side in its palace, and advisors and elephants on their own side of the river; the
    /// kings may even face each other.
    Composed,
}

/// Where a piece may stand in a placement.
fn points_allowed(piece: Piece, strictness: Strictness) -> Bitboard {
    match (strictness, piece.kind) {
        (Strictness::Game, _) | (Strictness::Composed, PieceType::King) => points_of(piece),
        // Beyond the river they could take the king, which checks know nothing of.
        (Strictness::Composed, PieceType::Advisor | PieceType::Elephant) => Bitboard::home(piece.color),
        (Strictness::Composed, _) => Bitboard::ALL,
    }
}

fn validate_placement(placement: &[Option<Piece>; SQUARES], strictness: Strictness) -> Result<(), FenError> {
    let mut counts = [0; Piece::NUM];
    for piece in placement.iter().flatten() {
        counts[piece.index()] += 1;
    }
    for color in Color::ALL {
        let mut bound = 0;
        for kind in PieceType::ALL {
            let piece = Piece::new(color, kind);
            let found = counts[piece.index()];
            bound += found * kind.max_destinations();
            if kind == PieceType::King && found != 1 {
                return Err(FenError::KingCount { color, found });
            }
            if strictness == Strictness::Game && found > kind.max_count() {
                return Err(FenError::TooMany { piece, found, max: kind.max_count() });
            }
        }
        if bound > MAX_MOVES as u32 {
            return Err(FenError::TooManyMoves { color, bound });
        }
    }
    for square in Square::all() {
        if let Some(piece) = placement[square.index()]
            && !points_allowed(piece, strictness).contains(square)
        {
            return Err(FenError::Misplaced { piece, square });
        }
    }
    Ok(())
}

/// Reads a counter; absent means `default`, a number too large saturates.
fn parse_counter(field: &'static str, text: Option<&str>, default: u16) -> Result<u16, FenError> {
    match text {
        None => Ok(default),
        Some(text) if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) => {
            Ok(text.parse().unwrap_or(u16::MAX))
        }
        Some(text) => Err(FenError::Counter { field, found: quoted(text) }),
    }
}

impl Board {
    /// Reads the FEN of a position of the game.
    ///
    /// # Errors
    /// [`FenError`] names the field, the place and what was expected.
    pub fn from_fen(fen: &str) -> Result<Board, FenError> {
        Board::parse_fen(fen, Strictness::Game)
    }

    /// Reads the FEN of a *composed* placement: pieces may stand where no game brings them (advisors and elephants on
    /// their own side of the river only), in any number that keeps the moves of a side below [`MAX_MOVES`], and the
    /// kings may face each other. For positions that people set up: problems, endgames, studies, tests of generators.
    ///
    /// # Errors
    /// [`FenError`], as in [`Board::from_fen`].
    pub fn from_composed_fen(fen: &str) -> Result<Board, FenError> {
        Board::parse_fen(fen, Strictness::Composed)
    }

    fn parse_fen(fen: &str, strictness: Strictness) -> Result<Board, FenError> {
        let mut fields = fen.split_ascii_whitespace().peekable();
        let placement = parse_placement(fields.next().ok_or(FenError::Empty)?)?;
        validate_placement(&placement, strictness)?;
        // A word that is neither dashes nor a number is the side; any but `b` means Red, as in most programs.
        let side = match fields.next_if(|word| !is_dashes(word) && !word.starts_with(|c: char| c.is_ascii_digit())) {
            Some(word) if word.eq_ignore_ascii_case("b") => Color::Black,
            _ => Color::Red,
        };
        while fields.next_if(|word| is_dashes(word)).is_some() {}
        let halfmove_clock = parse_counter("half-move", fields.next(), 0)?;
        let fullmove_number = parse_counter("full-move", fields.next(), 1)?;
        if let Some(found) = fields.next() {
            return Err(FenError::Trailing { found: quoted(found) });
        }
        Board::from_valid_placement(&placement, side, halfmove_clock, fullmove_number, strictness)
    }

    /// Builds the position of the game in which these pieces stand. Of two pieces on one square the last stays.
    ///
    /// # Errors
    /// [`FenError`], as for the FEN of the position.
    pub fn from_pieces(
        pieces: impl IntoIterator<Item = (Piece, Square)>,
        side: Color,
        halfmove_clock: u16,
        fullmove_number: u16,
    ) -> Result<Board, FenError> {
        let mut placement = [None; SQUARES];
        for (piece, square) in pieces {
            placement[square.index()] = Some(piece);
        }
        validate_placement(&placement, Strictness::Game)?;
        Board::from_valid_placement(&placement, side, halfmove_clock, fullmove_number, Strictness::Game)
    }

    /// Builds the board of a placement that is valid but for checks, which need a board to be seen.
    fn from_valid_placement(
        placement: &[Option<Piece>; SQUARES],
        side: Color,
        halfmove_clock: u16,
        fullmove_number: u16,
        strictness: Strictness,
    ) -> Result<Board, FenError> {
        let board = Board::from_placement(placement, side, halfmove_clock, fullmove_number);
        let mut attackers = board.attackers_of_opposing_king();
        if strictness == Strictness::Composed {
            attackers = attackers.without(board.king(side));
        }
        if attackers.any() { Err(FenError::KingCapturable { mover: side }) } else { Ok(board) }
    }

    /// Pieces that give check to the side that is not to move: impossible in a game.
    fn attackers_of_opposing_king(&self) -> Bitboard {
        self.threats_against(!self.side_to_move()).checkers
    }

    /// Writes the FEN with all six fields.
    pub fn to_fen(&self) -> String {
        let mut fen = String::with_capacity(80);
        for rank in (0..RANKS).rev() {
            let mut empty = 0;
            for file in 0..FILES {
                match self.piece_at(Square::at(rank * FILES + file)) {
                    Some(piece) => {
                        if empty > 0 {
                            fen.push_str(&empty.to_string());
                        }
                        empty = 0;
                        fen.push(piece.letter());
                    }
                    None => empty += 1,
                }
            }
            if empty > 0 {
                fen.push_str(&empty.to_string());
            }
            if rank > 0 {
                fen.push('/');
            }
        }
        let side = if self.side_to_move() == Color::Red { 'w' } else { 'b' };
        fen.push_str(&format!(" {side} - - {} {}", self.halfmove_clock(), self.fullmove_number()));
        fen
    }
}

fn is_dashes(word: &str) -> bool {
    word.bytes().all(|b| b == b'-')
}

impl FromStr for Board {
    type Err = FenError;
    fn from_str(fen: &str) -> Result<Board, FenError> {
        Board::from_fen(fen)
    }
}
