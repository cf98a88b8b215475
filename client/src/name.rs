//! Text that may be shown on a terminal, in tables and in files: names of engines, teams and tournaments.

/// The longest name of an engine or team, in characters.
pub const MAX_NAME: usize = 80;

/// What a name should be, in words.
pub(crate) const A_NAME: &str = "1 to 80 printable characters";

/// A name that cannot be shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {A_NAME}")]
pub struct NameError;

/// Whether a character shows itself and leaves the text around it alone. Control characters do not, nor do marks that
/// turn the direction of writing, separate lines, or take no room.
#[must_use]
pub const fn is_printable(c: char) -> bool {
    !matches!(
        c,
        '\0'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{61c}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// Whether a text can serve as a name.
///
/// # Errors
/// When it is empty, too long, or has characters that are not [printable](is_printable).
pub fn check_name(text: &str) -> Result<(), NameError> {
    let fits = (1..=MAX_NAME).contains(&text.chars().count());
    if fits && text.chars().all(is_printable) { Ok(()) } else { Err(NameError) }
}

/// The text with a blank for each character that is not [printable](is_printable).
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if is_printable(c) { c } else { ' ' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_printable_and_short() {
        for name in ["A", "象棋引擎 3.0", "Fairy-Stockfish 11.1 (évaluation)", &"x".repeat(MAX_NAME)] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
        for name in ["", "a\tb", "a\nb", "\u{1b}[31mred", "a\u{202e}b", "a\u{2066}b", "\u{9b}31m", "a\u{200b}"] {
            assert_eq!(check_name(name), Err(NameError), "{name:?}");
        }
        assert_eq!(check_name(&"象".repeat(MAX_NAME + 1)), Err(NameError));
        assert!(A_NAME.contains(&MAX_NAME.to_string()));
        assert_eq!(printable("\u{1b}[2J\u{202e}象"), " [2J 象");
    }
}
