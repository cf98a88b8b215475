//! Plain text: moves in any notation with or without numbers, with headings such as `红方：许银川` before them, one game
//! after another. The exports of PlayOK and the files of the World Xiangqi Federation (`START{ … }END`) are such texts.
//!
//! Nothing that looks like a move is passed over: what cannot be played is the PGN reader's to report, and so are numbers,
//! dots and digits that do not fit the moves. Each line is rewritten as a line of PGN, so that lines of errors are those of the file, and the PGN reader does the
//! rest.

mod heading;
mod number;
mod words;

use std::borrow::Cow;

use chuhe_movegen::Board;

use crate::GameResult;
use crate::lines::line_len;
use crate::notation;
use crate::page::BREAK;
use crate::pgn::GameText;
use heading::{of_headline, result_alone};
use words::{is_move, looks_like_move, split_side};

/// What stands around the moves in PlayOK's exports.
const BEGIN: &str = "START{";
const END: &str = "}END";

/// The games of a text.
#[derive(Debug)]
pub(crate) struct Games {
    text: String,
    at: usize,
    /// Lines before that place.
    lines: u64,
    games: u64,
}

impl Games {
    pub(crate) fn new(mut text: String) -> Games {
        // Characters that nobody sees, which web pages put into words.
        const INVISIBLE: [char; 6] = ['\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{ad}', '\u{feff}'];
        if text.contains(INVISIBLE) {
            text.retain(|c| !INVISIBLE.contains(&c));
        }
        Games { text, at: 0, lines: 0, games: 0 }
    }
}

/// A line of the text.
enum Line<'t> {
    Blank,
    /// Tags and values.
    Headings(Vec<(&'static str, String)>),
    /// Where the moves begin or end.
    Mark,
    /// Moves, with the number of the first if it has one, and whether dots say that it is Black's.
    Moves {
        number: Option<u32>,
        has_dots: bool,
        text: &'t str,
    },
    /// A number with something behind it that does not look like a move.
    Numbered {
        number: u32,
        text: &'t str,
    },
    /// The same with the next number of the game: something that is no move where one should stand.
    Stray {
        number: u32,
        text: &'t str,
    },
    /// Brackets of PGN, or of prose.
    Aside(&'t str),
    /// A result that stands alone.
    Result(GameResult),
    Prose(&'t str),
}

impl Iterator for Games {
    type Item = GameText;

    fn next(&mut self) -> Option<GameText> {
        loop {
            let mut piece = Stretch::default();
            let (start, first_line) = (self.at, self.lines + 1);
            let mut rest = &self.text[start..];
            while !rest.is_empty() {
                let (line, behind) = rest.split_at(len_of_line(rest));
                if !piece.add(line) {
                    break;
                }
                rest = behind;
            }
            if piece.len == 0 {
                return None;
            }
            self.at += piece.len;
            self.lines += piece.lines;
            if piece.has_moves || piece.has_position {
                self.games += 1;
                return Some(GameText::of_people(self.games, first_line, piece.pgn));
            }
        }
    }
}

/// A game while its lines are being gathered.
#[derive(Default)]
struct Stretch {
    pgn: String,
    /// Bytes and lines of the text that belong to it.
    len: usize,
    lines: u64,
    /// Prose behind its moves, which may be the heading of the next game: bytes and lines of the text, bytes of PGN.
    before_prose: Option<(usize, u64, usize)>,
    last_number: u32,
    /// Half-moves, and the first of them.
    moves: usize,
    has_title: bool,
    has_moves: bool,
    has_position: bool,
    is_finished: bool,
}

impl Stretch {
    /// Adds a line; `false` if it or the prose before it begins another game.
    fn add(&mut self, raw: &str) -> bool {
        let row = row(raw);
        let line = match Line::of(&row) {
            // The next number of the game, whatever follows it.
            Line::Numbered { number, text }
                if self.has_moves && !self.is_finished && number == self.last_number + 1 =>
            {
                Line::Stray { number, text }
            }
            Line::Numbered { .. } => Line::Prose(row.trim()),
            // A misspelt move on a line of its own.
            Line::Prose(text) if self.has_moves && !self.is_finished && looks_like_move(text) && is_word(text) => {
                Line::Moves { number: None, has_dots: false, text }
            }
            // A heading of the game that ends here rather than of the next one.
            Line::Headings(headings) if self.has_moves && !self.is_finished && is_result(&headings) => {
                Line::Result(GameResult::of_words(&headings[0].1))
            }
            line => line,
        };
        if self.has_moves && self.is_next_game(&line) {
            if let Some((len, lines, pgn)) = self.before_prose {
                (self.len, self.lines) = (len, lines);
                self.pgn.truncate(pgn);
            }
            return false;
        }
        if let (Line::Prose(_), true, None) = (&line, self.has_moves, self.before_prose) {
            self.before_prose = Some((self.len, self.lines, self.pgn.len()));
        }
        self.write(line);
        let is_whole = !raw.ends_with(BREAK);
        self.pgn.push(if is_whole { '\n' } else { ' ' });
        self.len += raw.len();
        self.lines += u64::from(is_whole);
        true
    }

    fn is_next_game(&self, line: &Line<'_>) -> bool {
        match *line {
            Line::Headings(_) => true,
            Line::Prose(text) if heading::numbers_game(text) => true,
            Line::Moves { .. } if self.is_finished => true,
            Line::Moves { number: Some(1), has_dots: true, .. } => self.last_number > 1,
            Line::Moves { number: Some(1), text, .. } => self.moves != 1 || self.last_number > 1 || !is_of_black(text),
            Line::Blank
            | Line::Mark
            | Line::Moves { .. }
            | Line::Numbered { .. }
            | Line::Stray { .. }
            | Line::Aside(_)
            | Line::Result(_)
            | Line::Prose(_) => false,
        }
    }

    fn write(&mut self, line: Line<'_>) {
        match line {
            Line::Blank => {}
            Line::Mark => self.is_finished |= self.has_moves,
            Line::Headings(headings) => {
                for (tag, value) in headings {
                    self.has_title |= tag == "Title";
                    self.has_position |= tag == "FEN";
                    match tag {
                        "Result" => self.write_tag(tag, GameResult::of_words(&value).as_str()),
                        _ => self.write_tag(tag, &value),
                    }
                }
            }
            Line::Aside(text) if self.has_moves => self.pgn.push_str(&words::moves(text).pgn),
            Line::Moves { number, has_dots, text } => {
                self.has_moves = true;
                self.before_prose = None;
                let moves = words::moves(text);
                if let Some(number) = number {
                    self.pgn += &number.to_string();
                }
                self.pgn.push_str(match (number, has_dots) {
                    (None, false) => "",
                    (Some(_), false) => ". ",
                    (_, true) => "... ",
                });
                self.pgn += &moves.pgn;
                self.moves += moves.count;
                self.last_number = moves.last_number.or(number).unwrap_or(self.last_number);
                self.is_finished = moves.ends_with_result;
            }
            Line::Result(result) if self.has_moves => {
                self.is_finished = true;
                self.pgn.push_str(result.as_str());
            }
            Line::Result(result) => self.write_tag("Result", result.as_str()),
            Line::Prose(text) | Line::Aside(text) if !self.has_moves && !self.has_title => {
                self.has_title = true;
                self.write_tag("Title", text);
                for (tag, value) in of_headline(text).into_iter().flatten() {
                    self.write_tag(tag, &value);
                }
            }
            // Behind the end there are footers.
            Line::Prose(_) if self.is_finished => {}
            Line::Prose(text) | Line::Aside(text) => {
                self.pgn.push('{');
                self.pgn.push_str(&text.replace(['{', '}'], " "));
                self.pgn.push('}');
            }
            // For the PGN reader to report.
            Line::Stray { number, text } => self.pgn += &format!("{number}. {text}"),
            Line::Numbered { .. } => {}
        }
    }

    fn write_tag(&mut self, tag: &str, value: &str) {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        self.pgn.extend(["[", tag, " \"", &value, "\"]"]);
    }
}

fn is_word(text: &str) -> bool {
    !text.contains(char::is_whitespace)
}

/// Whether headings say nothing but the result.
fn is_result(headings: &[(&str, String)]) -> bool {
    headings.iter().all(|(tag, value)| *tag == "Result" && GameResult::of_words(value).is_known())
}

/// Bytes of the line with which a text begins; pages of the web break lines, too.
fn len_of_line(text: &str) -> usize {
    let len = line_len(text);
    text[..len].find(BREAK).map_or(len, |at| at + BREAK.len_utf8())
}

/// Whether the move with which a text begins is Black's after one of Red: its digits are not Chinese, or Red cannot make it.
fn is_of_black(text: &str) -> bool {
    let word = words::first(text);
    match notation::chinese_len(word) {
        Some(len) => !word[..len].contains(|c| "一二三四五六七八九".contains(c)),
        None => notation::parse(word.trim_end_matches(['!', '?']), &Board::startpos()).is_err(),
    }
}

/// A line of a table without what stands between its columns.
fn row(raw: &str) -> Cow<'_, str> {
    let text = raw.trim();
    if text.starts_with('"') {
        return Cow::Owned(text.replace('"', ""));
    }
    if !text.contains(['|', '│']) {
        return Cow::Borrowed(raw);
    }
    let row = text.replace(['|', '│'], " ");
    if row.contains(|c: char| !c.is_whitespace() && !"-:=─┼+".contains(c)) {
        Cow::Owned(row)
    } else {
        Cow::Borrowed("")
    }
}

/// Words at the head of the columns of a table.
const COLUMNS: [&str; 16] = [
    "回合", "序号", "红方", "黑方", "红", "黑", "紅方", "红棋", "黑棋", "着法", "no", "no.", "#", "red", "black",
    "round",
];

/// What may stand before the first moves: only these are no words of a writer who talks about other moves.
const LABELS: [&str; 17] = [
    "着法", "著法", "招法", "走法", "行棋", "棋谱", "棋譜", "谱着", "对局", "主变", "全局", "开局", "布局", "正解",
    "答案", "解答", "moves",
];

impl<'t> Line<'t> {
    fn of(raw: &'t str) -> Line<'t> {
        let text = raw.trim();
        if text.is_empty() {
            return Line::Blank;
        }
        let inner = text.strip_prefix(BEGIN).unwrap_or(text);
        let inner = inner.strip_suffix(END).unwrap_or(inner).trim();
        if inner.is_empty() {
            return Line::Mark;
        }
        if let Some(line) = moves(without_label(inner)) {
            return line;
        }
        let label = inner.trim_matches(|c: char| "【】[]：:".contains(c)).trim_end_matches("列表");
        if LABELS.contains(&label) {
            return Line::Blank;
        }
        let is_column = |word: &str| COLUMNS.contains(&word.to_ascii_lowercase().as_str());
        if inner.split([' ', '\t', ',', '，']).filter(|word| !word.is_empty()).all(is_column) {
            return Line::Blank;
        }
        let headings = heading::of_line(inner.trim_start_matches(['[', '【']).trim_end_matches([']', '】']));
        if !headings.is_empty() {
            return Line::Headings(headings);
        }
        if let Some(result) = result_alone(inner) {
            return Line::Result(result);
        }
        match number::split(inner).filter(|(number, _)| number.has_mark && !number.is_footnote) {
            Some((number, text)) => Line::Numbered { number: number.value, text },
            None => Line::Prose(inner),
        }
    }
}

/// A text without a word such as `着法：` before moves.
fn without_label(text: &str) -> &str {
    let labelled = text.split_once([':', '：']).filter(|(label, rest)| {
        let label = label.trim().trim_matches(['【', '】', '[', ']']).to_ascii_lowercase();
        LABELS.contains(&label.as_str()) && matches!(moves(rest.trim_start()), Some(Line::Moves { .. }))
    });
    labelled.map_or(text, |(_, rest)| rest.trim_start())
}

/// A line that begins with a move, whatever the notation, or with brackets.
fn moves(text: &str) -> Option<Line<'_>> {
    let split = number::split(text);
    if split.is_none() && text.starts_with(['{', '(', '（', '$']) {
        return result_alone(text).is_none().then_some(Line::Aside(text));
    }
    let (number, behind) = split.map_or((None, text), |(number, rest)| (Some(number), rest));
    let (behind, has_dots) = match number::skip_dots(behind) {
        Some(behind) => (behind, true),
        None => (behind, number.is_some_and(|number| number.has_dots)),
    };
    let (is_black, rest) = split_side(behind).unwrap_or((false, behind));
    let others = || words::all(rest).skip(1);
    let is_line = if is_move(rest) {
        true
    } else if let Some(number) = number.filter(|number| number.has_mark) {
        // Where the first move is misspelt the next one shows what the line is.
        looks_like_move(rest) || rest.is_empty() && !number.is_footnote || others().take(2).any(is_move)
    } else {
        looks_like_move(rest) && others().next().is_some_and(|word| is_move(word) || looks_like_move(word))
    };
    let number = number.map(|number| number.value);
    is_line.then_some(Line::Moves { number, has_dots: has_dots || is_black, text: rest })
}
