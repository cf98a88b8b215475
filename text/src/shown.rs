//! Characters that show themselves, and those that do something else.

use std::borrow::Cow;

/// Whether a character shows itself and leaves the text around it alone.
///
/// Those that do not are the control characters (C0, DEL and C1: escape sequences begin with them), the separators of
/// lines and paragraphs, marks that turn the direction of writing (the "Trojan Source" attack, CVE-2021-42574), and
/// characters that take no room, which make two different names look the same: zero-width blanks and joiners, the soft
/// hyphen, fillers, tags. Marks that combine with the letter before them and variation selectors are left, since they
/// change what that letter looks like.
#[must_use]
pub const fn is_printable(c: char) -> bool {
    !matches!(
        c,
        '\0'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// The text in one line: a blank in place of each character that is not [printable](is_printable). What it is
/// applied to again stays as it is.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    replaced(text, is_printable)
}

/// Whole lines for a terminal: as [`printable`], but line feeds and tabs remain.
#[must_use]
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    replaced(text, |c| is_printable(c) || matches!(c, '\n' | '\t'))
}

/// Bytes of a file for a terminal. Text in UTF-8 is treated as [`printable_lines`] does. In anything else, GBK and Big5
/// among it, each control character of ASCII becomes a blank; in those encodings no part of a longer character looks like
/// one.
#[must_use]
pub fn printable_bytes(bytes: &[u8]) -> Cow<'_, [u8]> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return match printable_lines(text) {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        };
    }
    let shown = |&byte: &u8| if byte.is_ascii_control() && !matches!(byte, b'\n' | b'\t') { b' ' } else { byte };
    Cow::Owned(bytes.iter().map(shown).collect())
}

fn replaced(text: &str, is_kept: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.chars().all(&is_kept) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| if is_kept(c) { c } else { ' ' }).collect())
}

/// The beginning of a word for a message that says what is wrong with it: the first 20 characters, as [`excerpt`] gives
/// them.
#[must_use]
pub fn quoted(word: &str) -> String {
    excerpt(word, 20)
}

/// The beginning of a text for a message that quotes it: [printable], and at most `max` characters, with `…` behind it if
/// there were more.
#[must_use]
pub fn excerpt(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => printable(text).into_owned(),
        Some((end, _)) => format!("{}…", printable(&text[..end])),
    }
}

/// Begin and end of a long line of bytes for people to read, such as what an engine said: about `max` bytes in all. What
/// is no UTF-8 becomes U+FFFD; blanks around it are left out.
#[must_use]
pub fn excerpt_of_bytes(bytes: &[u8], max: usize) -> String {
    let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let text = if bytes.len() <= max {
        shown(bytes)
    } else {
        let half = max / 2;
        format!("{} … {}", shown(&bytes[..half]), shown(&bytes[bytes.len() - half..]))
    };
    printable(text.trim()).into_owned()
}

/// The beginning of a word of a protocol of ASCII: at most `max` bytes, `?` for each that is no visible ASCII character.
#[must_use]
pub fn ascii_word(word: &[u8], max: usize) -> String {
    word.iter().take(max).map(|&byte| if byte.is_ascii_graphic() { char::from(byte) } else { '?' }).collect()
}

/// The text, [printable], between the marks that isolate it (U+2068 and U+2069): letters that are written from right to
/// left do not change the order of what stands beside it. For places where no markup can do that: titles and hints of
/// pages.
#[must_use]
pub fn isolated(text: &str) -> String {
    format!("\u{2068}{}\u{2069}", printable(text))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// From the Unicode character database: what has the property `Bidi_Control`, what is of the categories `Cc`, `Zl` and
    /// `Zp`, and the usual characters without width.
    #[test]
    fn what_does_not_show_itself_becomes_a_blank() {
        let bidi = [0x61c, 0x200e, 0x200f].into_iter().chain(0x202a..=0x202e).chain(0x2066..=0x2069);
        let control = (0..=0x1f).chain(0x7f..=0x9f).chain([0x2028, 0x2029]);
        let without_width = [0xad, 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff, 0x3164, 0xe0041];
        for code in bidi.chain(control).chain(without_width) {
            let c = char::from_u32(code).expect("a character");
            assert!(!is_printable(c), "{code:x}");
            assert_eq!(printable(&format!("a{c}b")), "a b", "{code:x}");
        }
    }

    #[test]
    fn names_of_all_writings_stay() {
        for name in
            ["胡荣华", "Nguyễn Thành Bảo", "Ле\u{301}ший", "דוד", "محمد", "한국", "🐎", "e\u{301}", "㐀\u{e0100}"]
        {
            assert!(matches!(printable(name), Cow::Borrowed(same) if same == name), "{name}");
        }
    }

    #[test]
    fn lines_keep_their_ends() {
        assert_eq!(printable_lines("[Red \"\u{1b}[31mA\u{9b}\"]\r\n\n1.\th2e2\n"), "[Red \" [31mA \"] \n\n1.\th2e2\n");
    }

    #[test]
    fn bytes_that_are_no_utf8_lose_their_control_characters() {
        // 象棋 in GBK.
        assert_eq!(printable_bytes(b"\xcf\xf3\xc6\xe5\x1b[2J\r\n"), &b"\xcf\xf3\xc6\xe5 [2J \n"[..]);
        assert_eq!(printable_bytes("象\u{202e}棋\n".as_bytes()), "象 棋\n".as_bytes());
    }

    #[test]
    fn a_long_quotation_is_cut_and_says_so() {
        assert_eq!(excerpt("马八进七", 4), "马八进七");
        assert_eq!(excerpt("马八进七炮", 4), "马八进七…");
        assert_eq!(excerpt("a\nb\u{202e}c", 4), "a b …");
        assert_eq!(excerpt("", 4), "");
        assert_eq!(excerpt_of_bytes(b" id name \x1b[31mX\xff\n", 40), "id name  [31mX\u{fffd}");
        assert_eq!(excerpt_of_bytes(b"0123456789", 4), "01 … 89");
        assert_eq!(ascii_word("h2e2\u{202e}棋x".as_bytes(), 9), "h2e2?????");
    }

    #[test]
    fn an_isolated_text_cannot_leave_its_isolation() {
        assert_eq!(isolated("a\u{2069}\u{202e}b"), "\u{2068}a  b\u{2069}");
    }

    proptest! {
        #[test]
        fn what_is_shown_is_one_printable_line_of_the_same_length(text in any::<String>()) {
            let shown = printable(&text);
            prop_assert!(shown.chars().all(is_printable));
            prop_assert!(!shown.contains(char::is_control));
            prop_assert_eq!(shown.chars().count(), text.chars().count());
            prop_assert_eq!(printable(&shown), shown.as_ref());
        }

        #[test]
        fn an_excerpt_is_as_long_as_it_may_be(text in any::<String>(), max in 0..50usize) {
            let shown = excerpt(&text, max);
            prop_assert!(shown.chars().count() <= max + 1);
            prop_assert!(shown.chars().all(is_printable));
            prop_assert_eq!(shown.ends_with('…') && shown.chars().count() == max + 1, text.chars().count() > max
                || text.chars().count() == max + 1 && text.ends_with('…'));
        }
    }
}
