//! Positions as files hold them. The strict reader is [`Board::from_composed_fen`]; here is what else the field writes.

use std::borrow::Cow;

use chuhe_movegen::{Board, Color, FenError, RANKS};

use crate::placement::with_side;

/// Reads a position: an empty rank may be nothing between two slashes, sides may be words, and where the side to move could
/// take the king it is the other one's turn.
pub(crate) fn read(text: &str) -> Result<Board, FenError> {
    let text = text.trim();
    let board_field = text.split_whitespace().next().unwrap_or_default();
    let fields = text[board_field.len()..].trim_start();
    let board_field = with_empty_ranks(board_field);
    let side = side(fields);
    let rest =
        if side.is_some() { fields.split_once(char::is_whitespace).map_or("", |(_, rest)| rest) } else { fields };
    let letter = |side| if side == Color::Black { 'b' } else { 'w' };
    let with = |side| Board::from_composed_fen(&format!("{board_field} {} {rest}", letter(side)));
    let side = side.unwrap_or(Color::Red);
    match with(side) {
        Err(error @ FenError::KingCapturable { .. }) => with(!side).map_err(|_| error),
        board => board,
    }
}

/// Whether a text says who moves.
pub(crate) fn names_side(text: &str) -> bool {
    text.trim().split_once(char::is_whitespace).is_some_and(|(_, fields)| side(fields).is_some())
}

/// The same position with the other side to move.
pub(crate) fn turned(board: &Board) -> Result<Board, FenError> {
    with_side(board, !board.side_to_move())
}

/// The side that the first word names.
fn side(fields: &str) -> Option<Color> {
    let word = fields.split_whitespace().next()?;
    match word.to_ascii_lowercase().as_str() {
        "w" | "r" | "white" | "red" | "红" | "紅" => Some(Color::Red),
        "b" | "black" | "黑" => Some(Color::Black),
        _ => None,
    }
}

/// The board with the digit that is missing in an empty rank.
fn with_empty_ranks(board: &str) -> Cow<'_, str> {
    let ranks = board.strip_suffix('/').filter(|rest| rest.split('/').count() == RANKS).unwrap_or(board);
    if !ranks.split('/').any(str::is_empty) || ranks.split('/').count() != RANKS {
        return Cow::Borrowed(board);
    }
    let ranks: Vec<&str> = ranks.split('/').map(|rank| if rank.is_empty() { "9" } else { rank }).collect();
    Cow::Owned(ranks.join("/"))
}

/// Whether a word looks like the board of a position: ten ranks, perhaps with a slash behind the last.
pub(crate) fn looks_like_board(word: &str) -> bool {
    let slashes = word.bytes().filter(|&byte| byte == b'/').count();
    (slashes + 1 == RANKS || slashes == RANKS && word.ends_with('/'))
        && word.bytes().all(|byte| byte == b'/' || byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_field_writes() {
        let endgame = "3k5/9/9/9/9/9/9/9/9/R3K4";
        for (text, expected) in [
            (endgame.to_owned(), "w - - 0 1"),
            (format!("{endgame} b"), "b - - 0 1"),
            (format!("  {endgame}  R  -  -  3  9 "), "w - - 3 9"),
            (format!("{endgame} BLACK - - 0 2"), "b - - 0 2"),
            (format!("{endgame} - - 5 7"), "w - - 5 7"),
            (endgame.replace("/9", "/"), "w - - 0 1"),
            (format!("{} b - - 0 1", endgame.replace("/9", "/")), "b - - 0 1"),
            (format!("{endgame}/ 黑"), "b - - 0 1"),
        ] {
            assert_eq!(read(&text).map(|board| board.to_fen()), Ok(format!("{endgame} {expected}")), "{text}");
        }
        let bottom = "//3k5/9/9/9/9/4K4/9/";
        assert_eq!(read(bottom).map(|board| board.to_fen()).as_deref(), Ok("9/9/3k5/9/9/9/9/4K4/9/9 w - - 0 1"));
        for text in
            ["", "9/9/9", "3k5/9/9/9/9/9/9/9/R3K4", "3k5/9/9/9/9/9/9/9/9/9/R3K4", "3k5/9/9/9/9/9/9/9/9/R3K4 w x"]
        {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn nobody_leaves_the_king_in_check() {
        let check = "3k5/9/9/9/9/9/9/9/9/3RK4";
        for side in ["", " w", " b"] {
            assert_eq!(read(&format!("{check}{side}")).map(|board| board.side_to_move()), Ok(Color::Black));
        }
        // Both kings could be taken: that is no position.
        assert!(read("3k5/9/4r4/9/9/9/9/9/9/3RK4").is_err());
    }

    #[test]
    fn what_a_board_looks_like() {
        assert!(looks_like_board("3k5/9/9/9/9/9/9/9/9/R3K4") && looks_like_board("//3k5/9/9/9/9/4K4/9/"));
        assert!(!looks_like_board("局面：3k5/9/9/9/9/9/9/9/9/R3K4") && !looks_like_board("a/b/c"));
        assert!(!looks_like_board("https://a/b/c/d/e/f/g/h/i/j"));
        assert!(names_side("9/9 w") && names_side("9/9 B - -") && !names_side("9/9") && !names_side("9/9 - - 0 1"));
    }
}
