//! Positions for the tests, and the rules of the game once more, written as slowly and plainly as possible.

#![allow(dead_code, reason = "every test file uses a part")]

use chuhe_movegen::{Board, Color, Move, PieceType, Square};
use proptest::prelude::*;

/// The initial array, the test positions of the perft and mate files that a game could lead to, and some sparse ones.
pub(crate) fn roots() -> Vec<Board> {
    #[derive(serde::Deserialize)]
    struct Case {
        fen: String,
    }
    let sparse = [
        "4k4/9/9/9/9/9/9/9/9/R4K3 w - - 0 1",
        "3k5/9/9/9/4c4/4C4/4c4/9/4C4/4K4 w - - 0 1",
        "4k4/4a4/4b4/9/9/9/9/4B4/4A4/4K1C2 w - - 0 1",
        "3k4c/9/4C4/9/9/9/9/4c4/9/4K3C w - - 0 1",
        "3k5/4P4/2P6/9/2n3N2/9/9/6p2/4p4/5K3 b - - 0 1",
        "2nk1n3/9/9/9/9/9/9/9/9/2N1KN3 w - - 0 1",
    ];
    let files = [include_str!("../../../tests/data/perft.jsonl"), include_str!("../../../tests/data/mates.jsonl")]
        .map(|text| text.lines().map(|line| serde_json::from_str::<Case>(line).expect("a line with a position").fen));
    let mut roots = vec![Board::startpos(); 60];
    roots.extend(sparse.map(|fen| Board::from_fen(fen).expect(fen)));
    // The composed positions of the perft file are no positions of the game.
    roots.extend(files.into_iter().flatten().filter_map(|fen| Board::from_fen(&fen).ok()));
    assert!(roots.len() > 300, "most positions of the files are usable");
    roots
}

/// A root and the legal moves to play from it, each as a number that selects from the list.
pub(crate) fn line(longest: usize) -> impl Strategy<Value = (Board, Vec<u16>)> {
    (prop::sample::select(roots()), prop::collection::vec(any::<u16>(), 0..longest))
}

/// The positions of a line, the root first. It ends early where the game does.
pub(crate) fn positions(root: &Board, choices: &[u16]) -> Vec<Board> {
    let mut boards = vec![root.clone()];
    for &choice in choices {
        let board = boards.last().expect("never empty");
        let moves = board.legal_moves();
        if moves.is_empty() {
            break;
        }
        boards.push(board.make(moves[usize::from(choice) % moves.len()]));
    }
    boards
}

/// All pairs of different squares.
pub(crate) fn all_moves() -> impl Iterator<Item = Move> {
    Square::all().flat_map(|from| Square::all().filter_map(move |to| Move::new(from, to)))
}

/// File and rank.
type Point = (i32, i32);

const ORTHOGONAL: [Point; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [Point; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// Nine files and ten ranks of points, and rules that walk step by step.
#[derive(Clone)]
pub(crate) struct Mailbox {
    points: [[Option<(Color, PieceType)>; 9]; 10],
}

impl Mailbox {
    pub(crate) fn new(board: &Board) -> Mailbox {
        let mut points = [[None; 9]; 10];
        for square in Square::all() {
            points[usize::from(square.rank())][usize::from(square.file())] =
                board.piece_at(square).map(|piece| (piece.color, piece.kind));
        }
        Mailbox { points }
    }

    fn on_board((file, rank): Point) -> bool {
        (0..9).contains(&file) && (0..10).contains(&rank)
    }

    fn at(&self, (file, rank): Point) -> Option<(Color, PieceType)> {
        self.points[rank as usize][file as usize]
    }

    fn in_palace((file, rank): Point, color: Color) -> bool {
        let ranks = if color == Color::Red { 0..=2 } else { 7..=9 };
        (3..=5).contains(&file) && ranks.contains(&rank)
    }

    fn at_home((_, rank): Point, color: Color) -> bool {
        (rank <= 4) == (color == Color::Red)
    }

    /// Points on which the piece on `from` could capture, whatever stands there.
    fn attacked_from(&self, from: Point) -> Vec<Point> {
        let Some((color, kind)) = self.at(from) else { return Vec::new() };
        let add = |(f, r): Point, (df, dr): Point, n: i32| (f + n * df, r + n * dr);
        let mut points = Vec::new();
        match kind {
            PieceType::King => {
                points.extend(ORTHOGONAL.map(|d| add(from, d, 1)).into_iter().filter(|&p| Self::in_palace(p, color)));
            }
            PieceType::Advisor => {
                points.extend(DIAGONAL.map(|d| add(from, d, 1)).into_iter().filter(|&p| Self::in_palace(p, color)));
            }
            PieceType::Elephant => {
                for d in DIAGONAL {
                    let (eye, to) = (add(from, d, 1), add(from, d, 2));
                    if Self::on_board(to) && Self::at_home(to, color) && self.at(eye).is_none() {
                        points.push(to);
                    }
                }
            }
            PieceType::Horse => {
                for d in ORTHOGONAL {
                    let leg = add(from, d, 1);
                    if Self::on_board(leg) && self.at(leg).is_none() {
                        points
                            .extend(DIAGONAL.into_iter().filter(|x| x.0 == d.0 || x.1 == d.1).map(|x| add(leg, x, 1)));
                    }
                }
            }
            PieceType::Rook | PieceType::Cannon => {
                let screens_wanted = i32::from(kind == PieceType::Cannon);
                for d in ORTHOGONAL {
                    let mut screens = 0;
                    for p in (1..).map(|n| add(from, d, n)).take_while(|&p| Self::on_board(p)) {
                        if screens == screens_wanted {
                            points.push(p);
                        }
                        screens += i32::from(self.at(p).is_some());
                    }
                }
            }
            PieceType::Pawn => {
                let forward = if color == Color::Red { 1 } else { -1 };
                points.push(add(from, (0, forward), 1));
                if !Self::at_home(from, color) {
                    points.extend([add(from, (1, 0), 1), add(from, (-1, 0), 1)]);
                }
            }
        }
        points.retain(|&p| Self::on_board(p));
        points
    }

    fn everywhere() -> impl Iterator<Item = Point> {
        (0..10).flat_map(|rank| (0..9).map(move |file| (file, rank)))
    }

    fn king(&self, color: Color) -> Point {
        Self::everywhere().find(|&p| self.at(p) == Some((color, PieceType::King))).expect("both kings stand")
    }

    /// Whether some enemy piece attacks the king, or the kings face each other.
    pub(crate) fn in_check(&self, color: Color) -> bool {
        let (king, other) = (self.king(color), self.king(!color));
        let attacked = Self::everywhere()
            .filter(|&p| self.at(p).is_some_and(|(owner, _)| owner != color))
            .any(|p| self.attacked_from(p).contains(&king));
        let between = king.1.min(other.1) + 1..king.1.max(other.1);
        attacked || king.0 == other.0 && between.into_iter().all(|rank| self.at((king.0, rank)).is_none())
    }

    /// Pieces of either side that attack a point.
    pub(crate) fn attackers_to(&self, square: Square) -> Vec<Square> {
        let target = point(square);
        Square::all().filter(|&from| self.attacked_from(point(from)).contains(&target)).collect()
    }

    fn after(&self, from: Point, to: Point) -> Mailbox {
        let mut next = self.clone();
        next.points[to.1 as usize][to.0 as usize] = next.points[from.1 as usize][from.0 as usize].take();
        next
    }

    /// Moves by the way each piece moves, the own king's safety aside.
    pub(crate) fn pseudo_legal_moves(&self, color: Color) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in Self::everywhere() {
            let Some((owner, kind)) = self.at(from) else { continue };
            if owner != color {
                continue;
            }
            let mut targets = self.attacked_from(from);
            if kind == PieceType::Cannon {
                // A cannon captures over a screen and otherwise walks as a rook.
                targets.retain(|&to| self.at(to).is_some());
                let mut rook = self.clone();
                rook.points[from.1 as usize][from.0 as usize] = Some((color, PieceType::Rook));
                targets.extend(rook.attacked_from(from).into_iter().filter(|&to| self.at(to).is_none()));
            }
            targets.retain(|&to| self.at(to).is_none_or(|(other, _)| other != color));
            moves.extend(targets.into_iter().filter_map(|to| Move::new(square(from), square(to))));
        }
        moves.sort();
        moves
    }

    pub(crate) fn is_legal(&self, mv: Move, color: Color) -> bool {
        !self.after(point(mv.from()), point(mv.to())).in_check(color)
    }
}

fn point(square: Square) -> Point {
    (i32::from(square.file()), i32::from(square.rank()))
}

fn square((file, rank): Point) -> Square {
    Square::from_coords(file as u8, rank as u8).expect("on the board")
}
