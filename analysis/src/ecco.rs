//! What an opening is called: its code in ECCO and its name.
//!
//! ECCO (中国象棋开局编号, *Encyclopedia of Chinese Chess Openings*, 2004, xqbase.com) divides the openings into classes A to E
//! and codes such as `C42`. The table (`data/ecco.txt`) says for each code from which others it is reached and what moves of
//! either side lead there. Their order hardly matters, so that transpositions end at the same code, and games are mirrored
//! so that the first move is on Red's right wing, as ECCO does. The further a game goes down the tree the more is said of
//! it; moves later than the tenth of each side say nothing.

use std::sync::LazyLock;

use chuhe_movegen::Board;
use chuhe_records::notation::Notation;
use chuhe_report::Language;
use chuhe_rules::Game;

use crate::Name;

/// Half-moves of a game that can count.
const MOST_PLIES: usize = 20;

/// Files from Red's left up to the middle one.
const LEFT_WING: std::ops::Range<u8> = 0..4;

/// An opening, or a variation of one, that has a code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Opening {
    /// The code: a letter A to E and two digits, such as `C42`.
    pub code: &'static str,
    /// What the opening is called.
    pub name: Name,
    /// What the variation is called; `None` where the opening is not divided further.
    pub variation: Option<Name>,
}

impl Opening {
    /// All codes that can be told, in the order of the table; a code that is reached in several ways stands there as often.
    pub fn all() -> impl ExactSizeIterator<Item = &'static Opening> {
        TABLE.iter().map(|row| &row.opening)
    }

    /// What a game's opening is; `None` when it did not begin from the initial array, or has no moves.
    #[must_use]
    pub fn of_game(game: &Game) -> Option<&'static Opening> {
        let words = words(game)?;
        let mut row: Option<&Row> = None;
        for played in 1..=words.len() {
            let code = |row: Option<&Row>| row.map_or(Row::ROOT, |row| row.opening.code);
            while let Some(next) = TABLE.iter().find(|next| next.follows(code(row), &words[..played])) {
                row = Some(next);
            }
        }
        row.or(TABLE.first()).map(|row| &row.opening)
    }

    /// The names of opening and variation together: 中炮过河车互进七兵对屏风马平炮兑车——红左马盘河.
    #[must_use]
    pub fn full_name(&self, language: Language) -> String {
        let name = self.name.in_language(language);
        match self.variation {
            None => name.to_owned(),
            Some(variation) => [name, variation.in_language(language)].join(language.choose("——", ": ")),
        }
    }
}

/// A line of the table.
struct Row {
    opening: Opening,
    /// The codes that it is reached from.
    parents: Vec<&'static str>,
    /// The moves that lead there: Red's, then Black's.
    moves: [Vec<Requirement>; 2],
}

/// A move that must have been made.
struct Requirement {
    /// In WXF notation.
    word: &'static str,
    /// Within so many moves of the side.
    within: usize,
    /// So many times.
    times: usize,
}

impl Row {
    /// Where games begin.
    const ROOT: &'static str = "-";

    /// Whether a game that is at `code` after these moves goes on to this line.
    fn follows(&self, code: &str, words: &[String]) -> bool {
        let made = |side: usize| {
            let words = words.iter().skip(side).step_by(2);
            move |requirement: &Requirement| {
                let times = words.clone().take(requirement.within).filter(|word| *word == requirement.word).count();
                times >= requirement.times
            }
        };
        // The first line of the table, for games that are nowhere else, asks for nothing.
        self.moves.iter().any(|moves| !moves.is_empty())
            && self.parents.contains(&code)
            && self.moves[0].iter().all(made(0))
            && self.moves[1].iter().all(made(1))
    }
}

static TABLE: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let table = include_str!("../data/ecco.txt");
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| row(line).expect("the embedded table is well-formed: a test reads it")).collect()
});

fn row(line: &'static str) -> Option<Row> {
    let mut columns = line.split('\t');
    let mut column = || columns.next();
    let (code, parents, moves) = (column()?, column()?, column()?);
    let [chinese, chinese_variation, english, english_variation] = [column()?, column()?, column()?, column()?];
    let (red, black) = moves.split_once('/')?;
    let requirements = |text: &'static str| text.split_whitespace().map(requirement).collect::<Option<Vec<_>>>();
    Some(Row {
        opening: Opening {
            code,
            name: Name { chinese, english },
            variation: Some(Name { chinese: chinese_variation, english: english_variation })
                .filter(|variation| !variation.chinese.is_empty()),
        },
        parents: parents.split(',').collect(),
        moves: [requirements(red)?, requirements(black)?],
    })
}

fn requirement(text: &'static str) -> Option<Requirement> {
    let number = |digits: &str| digits.parse().ok();
    let (text, times) = text.split_once('*').map_or(Some((text, 1)), |(text, times)| Some((text, number(times)?)))?;
    let (word, within) =
        text.split_once('@').map_or(Some((text, usize::MAX)), |(word, within)| Some((word, number(within)?)))?;
    Some(Requirement { word, within, times })
}

/// The first moves of a game in WXF notation, the first one on Red's right wing.
fn words(game: &Game) -> Option<Vec<String>> {
    let mut board = game.start().clone();
    if board.key() != Board::startpos().key() {
        return None;
    }
    let is_mirrored = LEFT_WING.contains(&game.moves().next()?.from().file());
    let words = game.moves().take(MOST_PLIES).map(|mv| {
        let mv = if is_mirrored { mv.mirror_file() } else { mv };
        let word = Notation::Wxf.write(mv, &board);
        board = board.make(mv);
        word
    });
    Some(words.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_a_tree_of_codes() {
        assert!(TABLE.len() > 250);
        for row in TABLE.iter() {
            let Opening { code, name, variation } = row.opening;
            let is_code = matches!(code.as_bytes(), [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9']);
            assert!(is_code, "{code}");
            for Name { chinese, english } in [Some(name), variation].into_iter().flatten() {
                assert!(!chinese.is_empty() && !chinese.contains(char::is_control), "{code}: {chinese}");
                assert!(!english.is_empty() && english.is_ascii() && !english.contains('\t'), "{code}: {english}");
            }
            for &parent in &row.parents {
                let is_known = parent == Row::ROOT || TABLE.iter().any(|row| row.opening.code == parent);
                assert!(is_known && parent != code, "{code} is reached from {parent}");
            }
            // One code has one name.
            for other in TABLE.iter().filter(|other| other.opening.code == code) {
                assert_eq!(other.opening, row.opening);
            }
        }
    }

    /// What moves a line asks for, played by themselves, must not be of a kind that nobody can make.
    #[test]
    fn required_moves_are_words_of_the_notation() {
        for requirement in TABLE.iter().flat_map(|row| row.moves.iter().flatten()) {
            let [piece, file, sign, number] = requirement.word.as_bytes() else { panic!("{}", requirement.word) };
            assert!(b"KAEHRCP".contains(piece) && b"+-=".contains(sign), "{}", requirement.word);
            assert!([file, number].into_iter().all(|digit| (b'1'..=b'9').contains(digit)), "{}", requirement.word);
            assert!(requirement.within >= requirement.times && requirement.times > 0, "{}", requirement.word);
        }
    }
}
