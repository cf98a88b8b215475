//! Text of unknown encoding.

use std::borrow::Cow;

use encoding_rs::{BIG5, EncoderResult, Encoding, GB18030, GBK};

/// Characters that nearly every move in Chinese notation holds, in simplified and traditional script.
const MOVE_CHARACTERS: [char; 4] = ['进', '進', '退', '平'];

/// How text is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum TextEncoding {
    /// Everything can be written.
    #[default]
    Utf8,
    /// What most older programs read.
    Gbk,
    /// For traditional script.
    Big5,
}

impl TextEncoding {
    /// The bytes of a text, and whether it has characters that the encoding lacks, for which `?` stands.
    #[must_use]
    pub fn encode(self, text: &str) -> (Cow<'_, [u8]>, bool) {
        let encoding = match self {
            TextEncoding::Utf8 => return (Cow::Borrowed(text.as_bytes()), false),
            TextEncoding::Gbk => GBK,
            TextEncoding::Big5 => BIG5,
        };
        let mut encoder = encoding.new_encoder();
        let mut bytes = Vec::with_capacity(text.len() + 16);
        let mut rest = text;
        let mut is_lossy = false;
        loop {
            let (result, read) = encoder.encode_from_utf8_to_vec_without_replacement(rest, &mut bytes, true);
            rest = &rest[read..];
            match result {
                EncoderResult::InputEmpty => return (Cow::Owned(bytes), is_lossy),
                EncoderResult::OutputFull => bytes.reserve(rest.len() + 16),
                EncoderResult::Unmappable(_) => {
                    is_lossy = true;
                    bytes.push(b'?');
                }
            }
        }
    }
}

/// Turns bytes into text. Files name no encoding, so what was found in one piece of a file serves as a hint for the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decoder {
    /// What the text was when it was not UTF-8, as far as moves have shown.
    legacy: Option<&'static Encoding>,
}

impl Decoder {
    /// UTF-8 if the bytes are valid as such; else GB18030 (which holds GBK), Big5 or damaged UTF-8, whichever shows most
    /// characters of Chinese moves. What does not fit becomes U+FFFD.
    pub(crate) fn decode<'a>(&mut self, bytes: &'a [u8]) -> Cow<'a, str> {
        if let Ok(text) = std::str::from_utf8(bytes) {
            return Cow::Borrowed(text);
        }
        let (gb, gb_damaged) = GB18030.decode_without_bom_handling(bytes);
        let (big5, big5_damaged) = BIG5.decode_without_bom_handling(bytes);
        let (gb_moves, big5_moves) = (move_characters(&gb), move_characters(&big5));
        let utf8 = String::from_utf8_lossy(bytes);
        if is_damaged_utf8(&utf8, gb_moves.max(big5_moves)) {
            return utf8;
        }
        let encoding = if gb_moves != big5_moves {
            *self.legacy.insert(if gb_moves > big5_moves { GB18030 } else { BIG5 })
        } else {
            let is_big5 = !big5_damaged && (gb_damaged || looks_like_big5(bytes));
            self.legacy.unwrap_or(if is_big5 { BIG5 } else { GB18030 })
        };
        if encoding == BIG5 { big5 } else { gb }
    }
}

/// Text in GB18030 or GBK, whatever else it might be. Short texts of it can be valid UTF-8 by chance.
pub(crate) fn gb(bytes: &[u8]) -> Cow<'_, str> {
    GB18030.decode_without_bom_handling(bytes).0
}

/// Text in UTF-16, low byte first, up to the first zero.
pub(crate) fn utf16le(bytes: &[u8]) -> String {
    let (pairs, _) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|&pair| u16::from_le_bytes(pair)).take_while(|&unit| unit != 0);
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// A comment without blanks at the ends of its lines, without empty lines at its own ends, and without what old programs
/// leave behind: carriage returns and zeros.
pub(crate) fn tidy_comment(text: &str) -> String {
    tidy(&text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', ""))
}

/// A comment without blanks at the ends of its lines, and without empty lines at its own ends.
pub(crate) fn tidy(text: &str) -> String {
    if !text.contains('\n') {
        return text.trim_ascii().to_owned();
    }
    text.trim_ascii().split('\n').map(str::trim_ascii).collect::<Vec<_>>().join("\n")
}

/// Whether a text is more likely to be UTF-8 in which some bytes are wrong than text in another encoding, which shows so
/// many characters of moves: in other encodings hardly three bytes in a row are a character of UTF-8 by chance.
fn is_damaged_utf8(text: &str, other_moves: usize) -> bool {
    let moves = move_characters(text);
    let of_three_bytes = text.chars().filter(|&c| c > '\u{7ff}' && c != char::REPLACEMENT_CHARACTER).count();
    let wrong = text.chars().filter(|&c| c == char::REPLACEMENT_CHARACTER).count();
    of_three_bytes > wrong && moves >= other_moves
}

/// Whether many characters of a text would be rare ones in GBK. Nearly all that is written in it has the characters of
/// GB 2312: punctuation in its first three rows, Chinese from the sixteenth on, and both bytes with the high bit. Many of
/// those of Big5 lie elsewhere.
fn looks_like_big5(bytes: &[u8]) -> bool {
    const RARE: usize = 4;
    let (mut characters, mut rare) = (0, 0);
    let mut rest = bytes.iter();
    while let Some(first) = rest.next() {
        if !first.is_ascii() {
            characters += 1;
            let second = rest.next().copied().unwrap_or(0xff);
            let is_usual = matches!(first, 0xa1..=0xa3 | 0xb0..=0xf7) && second >= 0xa1;
            rare += usize::from(!is_usual);
        }
    }
    RARE * rare > characters
}

fn move_characters(text: &str) -> usize {
    text.chars().filter(|c| MOVE_CHARACTERS.contains(c)).count()
}

/// The bytes of a text in which ASCII characters stand for themselves: all of them in UTF-8, and those that are no
/// second half of a character in GB18030 and Big5, where `{`, `[` and `\` can be one.
pub(crate) fn ascii_bytes(bytes: &[u8]) -> impl Iterator<Item = u8> {
    let double = std::str::from_utf8(bytes).is_err();
    let mut rest = bytes.iter().copied();
    std::iter::from_fn(move || {
        loop {
            match rest.next()? {
                byte if byte.is_ascii() => return Some(byte),
                _ if double => {
                    rest.next();
                }
                _ => {}
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_told_apart_by_their_moves() {
        let moves = "1. 炮二平五 馬８進７ 2. 馬二進三 車９平８";
        let mut decoder = Decoder::default();
        for encoding in [encoding_rs::UTF_8, GB18030, BIG5] {
            let (bytes, _, unmappable) = encoding.encode(moves);
            assert!(!unmappable);
            assert_eq!(decoder.decode(&bytes), moves, "{}", encoding.name());
        }
    }

    #[test]
    fn what_an_encoding_lacks_becomes_a_question_mark() {
        let text = "许😀銀川é";
        for (encoding, expected, is_lossy) in [
            (TextEncoding::Utf8, text, false),
            (TextEncoding::Gbk, "许?銀川é", true),
            (TextEncoding::Big5, "??銀川?", true),
        ] {
            let (bytes, lossy) = encoding.encode(text);
            let decoded = match encoding {
                TextEncoding::Utf8 => String::from_utf8_lossy(&bytes),
                TextEncoding::Gbk => GB18030.decode_without_bom_handling(&bytes).0,
                TextEncoding::Big5 => BIG5.decode_without_bom_handling(&bytes).0,
            };
            assert_eq!((&*decoded, lossy), (expected, is_lossy), "{encoding:?}");
        }
        let long = "炮二平五".repeat(10_000);
        assert_eq!(TextEncoding::Gbk.encode(&long).0.len(), 80_000);
    }

    #[test]
    fn a_wrong_byte_does_not_change_the_encoding() {
        for text in ["1. 炮二平五 马８进７ {好棋}", "[Red \"许银川\"] 1. h2e2 {这里少了一半} h9g7"] {
            let mut bytes = text.as_bytes().to_vec();
            let at = bytes.iter().rposition(|byte| !byte.is_ascii()).unwrap();
            bytes.remove(at);
            let decoded = Decoder::default().decode(&bytes).into_owned();
            assert!(decoded.starts_with(&text[..at - 2]) && decoded.contains('\u{fffd}'), "{decoded}");
        }
    }

    #[test]
    fn names_alone_tell_gbk_from_big5() {
        for (encoding, names) in [
            (GB18030, ["许银川 吕钦", "胡荣华 赵国荣", "全国象棋个人赛", "王天一 赵鑫鑫", "孙勇征 申鹏"]),
            (BIG5, ["許銀川 呂欽", "胡榮華 趙國榮", "全國象棋個人賽", "王天一 趙鑫鑫", "孫勇征 申鵬"]),
        ] {
            for name in names {
                let (bytes, _, unmappable) = encoding.encode(name);
                assert!(!unmappable);
                assert_eq!(Decoder::default().decode(&bytes), name, "{}", encoding.name());
            }
        }
    }

    #[test]
    fn names_without_moves_follow_the_games_before() {
        let (moves, name) = ("車九平八 卒３進１", "許銀川");
        let (name_bytes, ..) = BIG5.encode(name);
        let mut decoder = Decoder::default();
        decoder.decode(&BIG5.encode(moves).0);
        assert_eq!(decoder.decode(&name_bytes), name);
        decoder.decode(&GB18030.encode(moves).0);
        assert_ne!(decoder.decode(&name_bytes), name);
    }

    /// The second byte of 匽 in GBK is `{`, that of 乗 `\`.
    #[test]
    fn halves_of_characters_are_no_brackets() {
        let (bytes, ..) = GB18030.encode("匽a乗}");
        assert!(bytes.contains(&b'{') || bytes.contains(&b'\\'), "{bytes:?}");
        assert_eq!(ascii_bytes(&bytes).collect::<Vec<_>>(), b"a}");
        assert_eq!(ascii_bytes("匽a乗}".as_bytes()).collect::<Vec<_>>(), b"a}");
    }
}
