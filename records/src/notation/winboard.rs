//! What WinBoard writes: letter of the piece, a file or rank where more than one can go there, `x` for a capture, and
//! the target. Pawns have no letter. Seen in its files: `Che2`, `Cxb0`, `R9d4`, `ed6+`, `ixi5`, `Rxd9#`.

use chuhe_movegen::{Board, Move, PieceType, Square};

use super::MoveError;

/// The letter; WinBoard has `E` for elephants and `H` for horses.
const fn letter(kind: PieceType) -> Option<char> {
    match kind {
        PieceType::King => Some('K'),
        PieceType::Advisor => Some('A'),
        PieceType::Elephant => Some('E'),
        PieceType::Horse => Some('H'),
        PieceType::Rook => Some('R'),
        PieceType::Cannon => Some('C'),
        PieceType::Pawn => None,
    }
}

/// A word taken apart.
struct Word {
    kind: PieceType,
    from_file: Option<u8>,
    from_rank: Option<u8>,
    to: Square,
}

fn take_apart(word: &str) -> Option<Word> {
    let mut rest = word.trim_end_matches(['+', '#']).as_bytes();
    let kind = match rest.first()? {
        b'K' => PieceType::King,
        b'A' => PieceType::Advisor,
        b'E' | b'B' => PieceType::Elephant,
        b'H' | b'N' => PieceType::Horse,
        b'R' => PieceType::Rook,
        b'C' => PieceType::Cannon,
        b'P' => PieceType::Pawn,
        _ => PieceType::Pawn,
    };
    if rest[0].is_ascii_uppercase() {
        rest = &rest[1..];
    }
    let [origin @ .., file, rank] = rest else { return None };
    if !file.is_ascii_lowercase() {
        return None;
    }
    let to = Square::from_ascii(*file, *rank)?;
    let mut origin = origin.strip_suffix(b"x").unwrap_or(origin);
    let mut take = |range: std::ops::RangeInclusive<u8>| {
        let (first, tail) = origin.split_first()?;
        range.contains(first).then(|| {
            origin = tail;
            first - range.start()
        })
    };
    let (from_file, from_rank) = (take(b'a'..=b'i'), take(b'0'..=b'9'));
    origin.is_empty().then_some(Word { kind, from_file, from_rank, to })
}

pub(super) fn parse(word: &str, board: &Board) -> Result<Move, MoveError> {
    let word = take_apart(word).ok_or(MoveError::Unreadable)?;
    let mut found = None;
    let mut count = 0;
    for mv in candidates(board, word.kind, word.to) {
        let fits = word.from_file.is_none_or(|file| file == mv.from().file())
            && word.from_rank.is_none_or(|rank| rank == mv.from().rank());
        if fits {
            found = Some(mv);
            count += 1;
        }
    }
    match (found, count) {
        (Some(mv), 1) => Ok(mv),
        (None, _) => Err(MoveError::Illegal(board.side_to_move())),
        (Some(_), count) => Err(MoveError::Ambiguous(count)),
    }
}

pub(super) fn write(mv: Move, board: &Board) -> String {
    let Some(piece) = board.piece_at(mv.from()) else { return mv.to_string() };
    let mut word = String::with_capacity(6);
    word.extend(letter(piece.kind));
    let others: Vec<Square> =
        candidates(board, piece.kind, mv.to()).map(Move::from).filter(|&from| from != mv.from()).collect();
    let (same_file, same_rank) = (
        others.iter().any(|from| from.file() == mv.from().file()),
        others.iter().any(|from| from.rank() == mv.from().rank()),
    );
    let from = mv.from().to_string();
    let (file, rank) = from.split_at(1);
    if !others.is_empty() && (!same_file || same_rank) {
        word.push_str(file);
    }
    if same_file {
        word.push_str(rank);
    }
    if board.is_capture(mv) {
        word.push('x');
    }
    word.push_str(&mv.to().to_string());
    let after = board.make(mv);
    if after.in_check() {
        word.push(if after.has_legal_move() { '+' } else { '#' });
    }
    word
}

/// Legal moves of one kind of piece to a square.
fn candidates(board: &Board, kind: PieceType, to: Square) -> impl Iterator<Item = Move> {
    let pieces = board.pieces(board.side_to_move(), kind);
    pieces
        .into_iter()
        .filter_map(move |from| Move::new(from, to))
        .filter(|&mv| board.is_pseudo_legal(mv) && board.is_legal(mv))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fen: &str, word: &str) -> Result<String, MoveError> {
        parse(word, &Board::from_fen(fen).unwrap()).map(|mv| mv.to_string())
    }

    #[test]
    fn words_name_piece_and_target() {
        let start = Board::START_FEN;
        for (word, mv) in [("Che2", "h2e2"), ("Cbxb9", "b2b9"), ("e4", "e3e4"), ("Hg2", "h0g2"), ("Ng2", "h0g2")] {
            assert_eq!(read(start, word).as_deref(), Ok(mv), "{word}");
        }
        assert_eq!(read(start, "Ce2"), Err(MoveError::Ambiguous(2)));
        assert_eq!(read(start, "Re5"), Err(MoveError::Illegal(chuhe_movegen::Color::Red)));
        for word in ["", "C", "e", "2", "Cx", "Chxxe2", "CE2", "Ce22", "h2", "C2=5", "H2+3", "炮二平五"] {
            let expected =
                if word == "h2" { MoveError::Illegal(chuhe_movegen::Color::Red) } else { MoveError::Unreadable };
            assert_eq!(read(start, word), Err(expected), "{word}");
        }
    }

    #[test]
    fn like_pieces_are_told_apart_by_file_or_rank() {
        let fen = "4k4/9/9/R8/9/9/R8/1N3N3/9/5K3 w - - 0 1";
        let words =
            [("Ra5", None), ("R6a5", Some("a6a5")), ("R3a5", Some("a3a5")), ("Hd3", None), ("Hbd3", Some("b2d3"))];
        for (word, mv) in words {
            assert_eq!(read(fen, word).ok().as_deref(), mv, "{word}");
        }
        let board = Board::from_fen(fen).unwrap();
        for mv in board.legal_moves() {
            let word = write(mv, &board);
            assert_eq!(parse(&word, &board), Ok(mv), "{word}");
        }
    }
}
