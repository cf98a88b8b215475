//! MXQ (弈天): texts with their lengths in front. Site, date, `Red-胜-Black`, two ratings, five that are not used, a
//! comment, one more, and then moves such as `7C-4C` (column from Red's left, row from Red's side) up to `Ends`.

use std::borrow::Cow;

use chuhe_text::quoted;
use encoding_rs::BIG5;

use super::{Points, add_line, mv};
use crate::damage::{Damage, Flaw};
use crate::draft::Draft;
use crate::text::{gb, tidy_comment};
use crate::{GameResult, NodeId};

/// Texts before the moves.
const HEADER: usize = 12;
/// What stands behind the moves.
const END: &[u8] = b"Ends";

/// Whether bytes can be a file: texts with their lengths up to the end.
pub(crate) fn is_likely(bytes: &[u8]) -> bool {
    let mut texts = Texts(bytes).skip(HEADER);
    match texts.next() {
        Some(Some(first)) => first == END || points(first).is_some(),
        _ => false,
    }
}

/// Reads a file.
///
/// # Errors
/// [`Damage`] when the header is not whole.
pub(crate) fn read(bytes: &[u8]) -> Result<Draft, Damage> {
    let mut texts = Texts(bytes);
    let mut header = [&[][..]; HEADER];
    for text in &mut header {
        let cut = Flaw::Cut { len: bytes.len(), expected: "a header of twelve texts" };
        *text = texts.next().flatten().ok_or(cut)?;
    }
    let [site, date, players, red_elo, black_elo, _, _, _, _, _, comment, _] = header;
    let decode = decoder(players);
    let mut draft = Draft::default();
    let (red, black) = players_and_result(&decode(players), &mut draft);
    for (tag, value) in [
        ("Site", decode(site).into_owned()),
        ("Date", decode(date).into_owned()),
        ("Red", red),
        ("Black", black),
        ("RedElo", decode(red_elo).into_owned()),
        ("BlackElo", decode(black_elo).into_owned()),
    ] {
        if !value.is_empty() {
            draft.tags.set(tag, value.replace(char::is_control, " "));
        }
    }
    let mut moves = Vec::new();
    let mut damage = None;
    loop {
        match texts.next() {
            Some(Some(text)) if text == END => break,
            Some(Some(text)) => match points(text) {
                Some(points) => moves.push(mv(points)),
                None => {
                    let found = format!("{:?}", quoted(&String::from_utf8_lossy(text)));
                    let flaw =
                        Flaw::Unexpected { at: texts.at(bytes), found, expected: "a move such as `7C-4C`, or `Ends`" };
                    damage = Some(Damage::at(moves.len() + 1, flaw));
                    break;
                }
            },
            // The last length may be missing, or the end itself.
            None if texts.0.is_empty() => break,
            _ => {
                if texts.0 != END {
                    let cut = Flaw::Cut { len: bytes.len(), expected: "a move, or `Ends`" };
                    damage = Some(Damage::at(moves.len() + 1, cut));
                }
                break;
            }
        }
    }
    add_line(&mut draft, moves);
    draft.tree.set_comment(NodeId::ROOT, tidy_comment(&decode(comment)));
    draft.damage = draft.damage.or(damage);
    Ok(draft)
}

/// The texts of a file; `None` when one does not end within it.
struct Texts<'b>(&'b [u8]);

impl<'b> Texts<'b> {
    /// How far the file has been read.
    fn at(&self, bytes: &[u8]) -> usize {
        bytes.len() - self.0.len()
    }
}

impl<'b> Iterator for Texts<'b> {
    type Item = Option<&'b [u8]>;

    fn next(&mut self) -> Option<Option<&'b [u8]>> {
        let (&len, rest) = self.0.split_first()?;
        let Some((text, rest)) = rest.split_at_checked(usize::from(len)) else { return Some(None) };
        self.0 = rest;
        Some(Some(text))
    }
}

/// How the texts of a file are encoded, which its result shows: simplified in GBK or traditional in Big5.
fn decoder(players: &[u8]) -> fn(&[u8]) -> Cow<'_, str> {
    let big5: fn(&[u8]) -> Cow<'_, str> = |bytes| BIG5.decode_without_bom_handling(bytes).0;
    let has_result = |text: &str| RESULTS.iter().any(|(word, _)| text.contains(word));
    if !has_result(&gb(players)) && has_result(&big5(players)) { big5 } else { gb }
}

/// Words between the names of the players.
const RESULTS: [(&str, GameResult); 5] = [
    ("-胜-", GameResult::RedWins),
    ("-勝-", GameResult::RedWins),
    ("-负-", GameResult::BlackWins),
    ("-負-", GameResult::BlackWins),
    ("-和-", GameResult::Draw),
];

fn players_and_result(text: &str, draft: &mut Draft) -> (String, String) {
    for (word, result) in RESULTS {
        if let Some((red, black)) = text.split_once(word) {
            draft.result = result;
            return (red.to_owned(), black.to_owned());
        }
    }
    if !text.is_empty() {
        draft.tags.set("Event", text.replace(char::is_control, " "));
    }
    (String::new(), String::new())
}

fn points(text: &[u8]) -> Option<Points> {
    let &[from_column @ b'0'..=b'8', from_row, b'-', to_column @ b'0'..=b'8', to_row] = text else { return None };
    let row = |letter: u8| match letter.to_ascii_uppercase() {
        letter @ b'A'..=b'J' => Some(letter - b'A'),
        _ => None,
    };
    Some([from_column - b'0', row(from_row)?, to_column - b'0', row(to_row)?].map(u16::from))
}
