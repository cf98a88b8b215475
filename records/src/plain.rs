//! Plain text: moves in any notation with or without numbers, with headings such as `红方：许银川` before them, one game
//! after another. The exports of PlayOK and the files of the World Xiangqi Federation (`START{ … }END`) are such texts.
//!
//! Each line is rewritten as a line of PGN, so that lines of errors are those of the file, and the PGN reader does the
//! rest.

use chuhe_movegen::Board;

use crate::lines::line_len;
use crate::notation::{self, MoveError};
use crate::pgn::{GameText, LONGEST_WORD, beginning};
use crate::{GameResult, fen};

/// Words in front of a colon, or in capitals in front of a blank, and the tags that they stand for.
const HEADINGS: [(&str, &[&str]); 23] = [
    ("Title", &["标题", "標題", "棋局", "局名", "对局", "對局", "title", "game"]),
    ("EventType", &["分类", "分類", "赛事类型"]),
    ("Event", &["赛事", "賽事", "比赛", "比賽", "比赛名称", "赛事名称", "棋赛", "event"]),
    ("Site", &["地点", "地點", "比赛地点", "site", "place"]),
    ("Date", &["日期", "时间", "時間", "比赛日期", "比赛时间", "对局时间", "date"]),
    ("Round", &["轮次", "輪次", "第几轮", "round"]),
    ("Red", &["红方", "紅方", "红", "紅", "先手", "红方棋手", "红方选手", "red", "white"]),
    ("RedTeam", &["红方团体", "红方单位", "红方队伍", "redteam"]),
    ("RedName", &["红方姓名"]),
    ("Black", &["黑方", "黑", "后手", "後手", "黑方棋手", "黑方选手", "black"]),
    ("BlackTeam", &["黑方团体", "黑方单位", "黑方队伍", "blackteam"]),
    ("BlackName", &["黑方姓名"]),
    ("Result", &["结果", "結果", "比赛结果", "对局结果", "result"]),
    ("Termination", &["结束方式", "結束方式"]),
    ("TimeControl", &["记时规则", "計時規則", "用时规则", "时限"]),
    ("Type", &["棋局类型", "棋局類型"]),
    ("Opening", &["开局", "開局", "布局", "佈局", "opening", "open"]),
    ("Variation", &["变例", "variation"]),
    ("ECCO", &["ecco"]),
    ("Annotator", &["评注", "評註", "讲评", "评论员", "评论", "annotator"]),
    ("Author", &["作者", "记谱", "author"]),
    ("Source", &["来源网站", "來源網站", "来源"]),
    ("FEN", &["fen", "局面"]),
];

/// Headings of the World Xiangqi Federation's files, which have no colon.
const CAPITALS: [&str; 12] =
    ["FORMAT", "GAME", "RED", "BLACK", "EVENT", "SITE", "DATE", "ROUND", "RESULT", "OPEN", "AUTHOR", "FEN"];

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
    pub(crate) fn new(text: String) -> Games {
        let at = text.len() - text.trim_start_matches('\u{feff}').len();
        Games { text, at, lines: 0, games: 0 }
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
            let mut piece = Piece::default();
            let (start, first_line) = (self.at, self.lines + 1);
            let mut rest = &self.text[start..];
            while !rest.is_empty() {
                let (line, behind) = rest.split_at(line_len(rest));
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
                return Some(GameText::new(self.games, first_line, piece.pgn));
            }
        }
    }
}

/// A game while its lines are being gathered.
#[derive(Default)]
struct Piece {
    pgn: String,
    /// Bytes and lines of the text that belong to it.
    len: usize,
    lines: u64,
    /// Prose behind its moves, which may be the heading of the next game: bytes and lines of the text, bytes of PGN.
    before_prose: Option<(usize, u64, usize)>,
    last_number: u32,
    has_title: bool,
    has_moves: bool,
    has_position: bool,
    is_finished: bool,
}

impl Piece {
    /// Adds a line; `false` if it or the prose before it begins another game.
    fn add(&mut self, raw: &str) -> bool {
        let line = Line::of(raw);
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
        self.pgn.push('\n');
        self.len += raw.len();
        self.lines += 1;
        true
    }

    fn is_next_game(&self, line: &Line<'_>) -> bool {
        match *line {
            Line::Headings(_) => true,
            Line::Moves { .. } if self.is_finished => true,
            Line::Moves { number: Some(1), has_dots, .. } => self.last_number > 1 || !has_dots,
            Line::Blank | Line::Mark | Line::Moves { .. } | Line::Aside(_) | Line::Result(_) | Line::Prose(_) => false,
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
            Line::Aside(text) if self.has_moves => self.pgn.push_str(&spaced(text)),
            Line::Moves { number, text, .. } => {
                self.has_moves = true;
                self.last_number = number.unwrap_or(self.last_number);
                self.before_prose = None;
                self.pgn.push_str(&spaced(text));
            }
            Line::Result(result) if self.has_moves => {
                self.is_finished = true;
                self.pgn.push_str(result.as_str());
            }
            Line::Result(result) => self.write_tag("Result", result.as_str()),
            Line::Prose(text) | Line::Aside(text) if !self.has_moves && !self.has_title => {
                self.has_title = true;
                self.write_tag("Title", text);
            }
            // Behind the end there are footers.
            Line::Prose(_) if self.is_finished => {}
            Line::Prose(text) | Line::Aside(text) => {
                self.pgn.push('{');
                self.pgn.push_str(&text.replace(['{', '}'], " "));
                self.pgn.push('}');
            }
        }
    }

    fn write_tag(&mut self, tag: &str, value: &str) {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        self.pgn.extend(["[", tag, " \"", &value, "\"]"]);
    }
}

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
        if let Some(line) = moves(without_side(inner)) {
            return line;
        }
        let headings = headings(inner.trim_start_matches(['[', '【']).trim_end_matches([']', '】']));
        if !headings.is_empty() {
            return Line::Headings(headings);
        }
        match GameResult::of_words(inner.trim_matches(['(', ')', '（', '）', '。'])) {
            result if result.is_known() && inner.chars().count() <= LONGEST_RESULT => Line::Result(result),
            _ => Line::Prose(inner),
        }
    }
}

/// Characters of a line that is nothing but a result: `（红方胜）`.
const LONGEST_RESULT: usize = 9;

/// A text without the side before a move, as in `红：炮二平五`.
fn without_side(text: &str) -> &str {
    text.split_once([':', '：']).filter(|(side, _)| is_side(side)).map_or(text, |(_, rest)| rest.trim_start())
}

/// Whether a word stands for a side, as a heading does.
fn is_side(word: &str) -> bool {
    matches!(tag_of(word), Some("Red" | "Black"))
}

/// A line that begins with a move, whatever the notation, or with brackets.
fn moves(text: &str) -> Option<Line<'_>> {
    if text.starts_with(['{', '(', '（', '$']) && !GameResult::of_words(text).is_known() {
        return Some(Line::Aside(text));
    }
    let (digits, dots, rest) = split_number(text);
    let number = digits.chars().map(half_width).collect::<String>().parse().ok();
    let has_dots = dots.contains('…') || dots.matches(['.', '．']).count() > 1;
    if !digits.is_empty() && !dots.is_empty() && is_move(without_side(rest)) {
        let text = if rest == without_side(rest) { text } else { without_side(rest) };
        return Some(Line::Moves { number, has_dots, text });
    }
    is_move(text).then_some(Line::Moves { number: None, has_dots: false, text })
}

/// The digits in front of a move, the dots and blanks behind them, and the rest.
fn split_number(text: &str) -> (&str, &str, &str) {
    let is_digit = |c: char| c.is_ascii_digit() || ('０'..='９').contains(&c);
    let is_dot = |c: char| ".．…。、:：)）".contains(c) || c.is_whitespace();
    let (digits, rest) = text.split_at(text.len() - text.trim_start_matches(is_digit).len());
    let (dots, rest) = rest.split_at(rest.len() - rest.trim_start_matches(is_dot).len());
    (digits, dots, rest)
}

/// Whether a text begins with a move, whatever the notation.
fn is_move(text: &str) -> bool {
    let word = text.split(|c: char| c.is_whitespace() || "，,；;(（{".contains(c)).next().unwrap_or_default();
    notation::chinese_len(word).is_some()
        || notation::parse(word.trim_end_matches(['!', '?', '！', '？']), &Board::startpos())
            != Err(MoveError::Unreadable)
}

fn half_width(c: char) -> char {
    match c {
        '０'..='９' => char::from(b'0' + (u32::from(c) - u32::from('０')) as u8),
        c => c,
    }
}

/// The tag that a heading stands for.
fn tag_of(heading: &str) -> Option<&'static str> {
    let heading = heading.trim().to_ascii_lowercase();
    HEADINGS.iter().find(|(_, words)| words.contains(&heading.as_str())).map(|&(tag, _)| tag)
}

/// Tags and values of headings, of which a line may have several, or a position that stands alone.
fn headings(text: &str) -> Vec<(&'static str, String)> {
    if text.split_whitespace().next().is_some_and(fen::looks_like_board) {
        return vec![("FEN", text.to_owned())];
    }
    let with_colon = |text: &str| {
        let (heading, value) = text.split_once([':', '：'])?;
        Some((tag_of(heading)?, value.trim().to_owned()))
    };
    let Some(first) = with_colon(text) else {
        let capitals = text.split_once([' ', '\t']).filter(|(heading, _)| CAPITALS.contains(heading));
        // The notation, which `FORMAT` names, shows anyway.
        let tag = |heading| tag_of(heading).unwrap_or("Format");
        return capitals.map_or_else(Vec::new, |(heading, value)| with_rating(tag(heading), value));
    };
    let mut headings = vec![first];
    // `红方：甲  黑方：乙`: blanks within the first heading or a value stay what they are.
    let words: Vec<&str> = text.split_whitespace().collect();
    let starts: Vec<usize> = (1..words.len()).filter(|&index| with_colon(words[index]).is_some()).collect();
    if let Some(&second) = starts.first() {
        let of_words = |words: &[&str]| with_colon(&words.join(" "));
        let ends = starts.iter().skip(1).copied().chain([words.len()]);
        headings = of_words(&words[..second]).into_iter().collect();
        headings.extend(starts.iter().zip(ends).filter_map(|(&start, end)| of_words(&words[start..end])));
    }
    headings
}

/// A heading of PlayOK, which puts the rating behind the name: `RED name ; 1137 ;;`.
fn with_rating(tag: &'static str, value: &str) -> Vec<(&'static str, String)> {
    let mut parts = value.split(';').map(str::trim);
    let mut headings = vec![(tag, parts.next().unwrap_or_default().to_owned())];
    let rating = parts.next().filter(|rating| !rating.is_empty() && rating.bytes().all(|byte| byte.is_ascii_digit()));
    match (tag, rating) {
        ("Red", Some(rating)) => headings.push(("RedElo", rating.to_owned())),
        ("Black", Some(rating)) => headings.push(("BlackElo", rating.to_owned())),
        ("Red" | "Black", None) => {}
        _ => headings[0].1 = value.trim().to_owned(),
    }
    headings
}

/// Moves with blanks around each: in Chinese they are often written without. Commas between moves go, and words that are
/// none become comments.
fn spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len() + text.len() / 4);
    let mut rest = text;
    let mut is_comment = false;
    // Brackets that are open: what is no move in them is for the PGN reader to see.
    let mut depth = 0_usize;
    while let Some(c) = rest.chars().next() {
        let len = if is_comment { None } else { notation::chinese_len(rest) };
        if let Some(len) = len {
            spaced.extend([" ", &rest[..len]]);
            rest = &rest[len..];
            if !rest.starts_with(['!', '?', '！', '？']) {
                spaced.push(' ');
            }
            continue;
        }
        let begins_word = spaced.is_empty() || spaced.ends_with(char::is_whitespace);
        if !is_comment && depth == 0 && !c.is_ascii() && begins_word {
            let word = beginning(rest, LONGEST_WORD)
                .split(|c: char| c.is_whitespace() || "{}()（），,；".contains(c))
                .next()
                .unwrap_or_default();
            if is_note(word) {
                spaced.extend(["{", word, "}"]);
                rest = &rest[word.len()..];
                continue;
            }
        }
        is_comment = match c {
            '{' => true,
            '}' => false,
            _ => is_comment,
        };
        match c {
            '(' | '（' if !is_comment => depth += 1,
            ')' | '）' if !is_comment => depth = depth.saturating_sub(1),
            _ => {}
        }
        let behind = &rest[c.len_utf8()..];
        let is_separator =
            "，,；".contains(c) || c == ';' && behind.trim_start().starts_with(|c: char| c.is_ascii_digit());
        spaced.push(if !is_comment && is_separator { ' ' } else { c });
        rest = behind;
    }
    spaced
}

/// Whether a word among moves, of other characters than ASCII, is neither a move nor a result, and too long for a misspelt
/// move: `①`, 如图.
fn is_note(word: &str) -> bool {
    const LONGEST_MOVE: usize = 5;
    let (_, _, rest) = split_number(word);
    let has_sign = || rest.chars().any(notation::is_chinese_sign);
    !rest.is_empty()
        && !is_move(rest)
        && !GameResult::of_words(rest).is_known()
        && (rest.chars().count() > LONGEST_MOVE || !has_sign())
}
