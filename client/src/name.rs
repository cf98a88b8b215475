//! Text that may be shown on a terminal, in tables and in files: names of engines, teams and tournaments.

/// The longest name of an engine or team, in characters.
pub const MAX_NAME: usize = 80;

/// What a name should be, in words.
pub(crate) const A_NAME: &str = "1 to 80 printable characters";

/// A name that cannot be shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {A_NAME}")]
pub struct NameError;

/// Whether a text can serve as a name.
///
/// # Errors
/// When it is empty, too long, or has characters that are not [printable](chuhe_text::is_printable).
pub fn check_name(text: &str) -> Result<(), NameError> {
    let fits = (1..=MAX_NAME).contains(&text.chars().count());
    if fits && text.chars().all(chuhe_text::is_printable) { Ok(()) } else { Err(NameError) }
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
    }
}
