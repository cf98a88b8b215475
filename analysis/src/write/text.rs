//! For people: a line for each move, and a table of the players. Scores and chances are Red's.

use std::fmt::Write as _;

use chuhe_movegen::{Board, Color, Move};
use chuhe_records::Notation;
use chuhe_report::Language;
use chuhe_report::page::Mark;
use chuhe_text::{Align, aligned, padded, printable, width};
use serde_json::Value;

use super::{Setup, id_text, words};
use crate::{GameAnalysis, Judgement, Kill, Line, MoveAnalysis, PlayerSummary, PositionAnalysis};

/// How much of a line is shown, in half-moves.
const MAX_LINE: usize = 8;

/// In which words a text is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// The language of all but names and errors.
    pub language: Language,
    /// What moves are called.
    pub notation: Notation,
}

/// A game or, when it has no moves, a position; an empty line ends it.
#[must_use]
pub fn analysis(id: &Value, setup: &Setup, analysis: &GameAnalysis, style: Style) -> String {
    let mut text = String::new();
    // Strings take in whatever is written.
    let _ = match analysis.moves.is_empty() {
        true => style.write_position(&mut text, id, setup, analysis),
        false => style.write_game(&mut text, id, setup, analysis),
    };
    text
}

/// Something that could not be analyzed.
#[must_use]
pub fn error(id: &Value, error: &str) -> String {
    format!("{}: {}\n\n", printable(&id_text(id)), printable(error))
}

impl Style {
    fn say(self, chinese: &'static str, english: &'static str) -> &'static str {
        self.language.choose(chinese, english)
    }

    fn write_game(self, text: &mut String, id: &Value, setup: &Setup, analysis: &GameAnalysis) -> std::fmt::Result {
        let tags = &analysis.tags;
        let players = match (tags.red(), tags.black()) {
            (None, None) => String::new(),
            (red, black) => format!("  {} – {}", printable(red.unwrap_or("?")), printable(black.unwrap_or("?"))),
        };
        writeln!(text, "{}{players}  {}", printable(&id_text(id)), analysis.result)?;
        let event = words::event(tags);
        if !event.is_empty() {
            writeln!(text, "{}", printable(&event.join(self.say("，", ", "))))?;
        }
        if let Some(error) = &analysis.damage {
            writeln!(text, "{}", printable(&words::damage(error, self.language)))?;
        }
        if let Some(opening) = analysis.opening {
            let name = opening.full_name(self.language);
            writeln!(text, "{}{} {name}", self.say("开局：", "Opening: "), opening.code)?;
        }
        let engine = printable(&setup.engine);
        let limits = words::limits(&setup.limits, self.language);
        match self.language {
            Language::English => writeln!(text, "{}, {limits} per move. Scores and chances are Red's.", engine)?,
            Language::Chinese => writeln!(text, "{}，每着 {limits}。分数与胜率均为红方的。", engine)?,
        }
        writeln!(text)?;
        let game = analysis.game();
        let boards = game.plies().iter().map(|ply| &ply.board);
        let moves = analysis.moves.iter().zip(boards);
        let names: Vec<String> = moves.clone().map(|(played, board)| self.notation.write(played.mv, board)).collect();
        let widest = names.iter().map(|name| width(name)).max().unwrap_or(0);
        for ((played, board), name) in moves.zip(&names) {
            let line = self.move_line(played, board, &padded(name, widest, Align::Left));
            writeln!(text, "{}", line.trim_end())?;
        }
        writeln!(text)?;
        if let Some(best) = analysis.last_position.as_ref().and_then(PositionAnalysis::best) {
            writeln!(text, "{}{}", self.say("后续最佳：", "Next best: "), self.line_words(best, game.board()))?;
        }
        self.write_ending(text, analysis)?;
        if let Some(ruling) = words::ruling(analysis, self.language) {
            writeln!(text, "{ruling}")?;
        }
        self.write_players(text, analysis)?;
        writeln!(text)
    }

    fn write_position(self, text: &mut String, id: &Value, setup: &Setup, analysis: &GameAnalysis) -> std::fmt::Result {
        writeln!(text, "{}  {}", printable(&id_text(id)), analysis.start.to_fen())?;
        self.write_ending(text, analysis)?;
        if let Some(PositionAnalysis { lines, nodes, .. }) = &analysis.last_position {
            let engine = printable(&setup.engine);
            match self.language {
                Language::English => {
                    writeln!(text, "{}, {nodes} nodes. Scores and chances are Red's.", engine)?;
                }
                Language::Chinese => writeln!(text, "{}，{nodes} 节点。分数与胜率均为红方的。", engine)?,
            }
            let depth = self.say("深度", "depth");
            for (number, line) in lines.iter().enumerate() {
                let words = self.line_words(line, &analysis.start);
                writeln!(text, "{:>3}. {depth} {}  {words}", number + 1, line.depth)?;
            }
        }
        writeln!(text)
    }

    fn write_ending(self, text: &mut String, analysis: &GameAnalysis) -> std::fmt::Result {
        let Some(ending) = analysis.ended_by else { return Ok(()) };
        let ending = words::ending(ending, self.language);
        let kills: Vec<&str> =
            analysis.kills.iter().map(|kill: &Kill| kill.name().in_language(self.language)).collect();
        match (self.language, kills.is_empty()) {
            (Language::English, true) => writeln!(text, "Ended by {ending}."),
            (Language::English, false) => writeln!(text, "Ended by {ending}: {}.", kills.join(", ")),
            (Language::Chinese, true) => writeln!(text, "终局：{ending}。"),
            (Language::Chinese, false) => writeln!(text, "终局：{ending}（{}）。", kills.join("、")),
        }
    }

    /// `12… 马8进7    -0.85  31 %  mistake, lost 12.3 %; better 炮8平5 …`
    fn move_line(self, played: &MoveAnalysis, board: &Board, name: &str) -> String {
        let number = board.fullmove_number().max(1);
        let number = if played.mover == Color::Red { format!("{number}.") } else { format!("{number}…") };
        let mut remarks = Vec::new();
        if played.is_book {
            remarks.push(Mark::Book.name(self.language).to_owned());
        }
        remarks.extend(words::lost(played, self.language));
        remarks.extend(played.mate.and_then(|note| words::mate(note, self.language)));
        if let Some(best) = played.before.best()
            && played.judgement >= Judgement::Inaccuracy
        {
            remarks.push(format!("{}{}", self.say("应走 ", "better "), self.line_words(best, board)));
        }
        let (score, percent) = (played.red_score(), 100.0 * played.red_chances().win_probability());
        let remarks = remarks.join(self.say("；", "; "));
        format!("{number:>5} {name}  {:>7} {percent:>4.0} %  {remarks}", score.to_string())
    }

    /// Moves, score and chance of a line: `炮八平五 马8进7 (+0.35, 64 %)`.
    fn line_words(self, line: &Line, board: &Board) -> String {
        let (score, chances) = match board.side_to_move() {
            Color::Red => (line.score, line.chances),
            Color::Black => (line.score.seen_by_other(), line.chances.seen_by_other()),
        };
        let names = self.names(&line.moves, board).join(" ");
        let dots = if line.moves.len() > MAX_LINE { " …" } else { "" };
        format!("{names}{dots} ({score}, {:.0} %)", 100.0 * chances.win_probability())
    }

    fn names(self, moves: &[Move], board: &Board) -> Vec<String> {
        let mut board = board.clone();
        let mut names = Vec::new();
        for &mv in moves.iter().take(MAX_LINE) {
            let Ok(after) = board.play(mv) else { break };
            names.push(self.notation.write(mv, &board));
            board = after;
        }
        names
    }

    /// The table of the players.
    fn write_players(self, text: &mut String, analysis: &GameAnalysis) -> std::fmt::Result {
        let percent = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.1} %"));
        let headings = [
            ("准确率", "accuracy"),
            ("平均损失", "average loss"),
            ("缓着", "inaccuracies"),
            ("错着", "mistakes"),
            ("漏着", "blunders"),
            ("谱着", "book moves"),
            ("漏杀", "missed mates"),
        ];
        let cells = |player: &PlayerSummary| {
            [
                percent(player.accuracy),
                percent(player.average_loss.map(|loss| 100.0 * loss)),
                player.count(Judgement::Inaccuracy).to_string(),
                player.count(Judgement::Mistake).to_string(),
                player.count(Judgement::Blunder).to_string(),
                player.book_moves.to_string(),
                player.missed_mates.to_string(),
            ]
        };
        let row = |name: &str, cells: [String; 7]| [name.to_owned()].into_iter().chain(cells).collect::<Vec<String>>();
        let [red, black] = Color::ALL.map(|color| cells(analysis.player(color)));
        let table = [
            row("", headings.map(|(chinese, english)| self.say(chinese, english).to_owned())),
            row(self.say("红方", "Red"), red),
            row(self.say("黑方", "Black"), black),
        ];
        let mut aligns = [Align::Right; 8];
        aligns[0] = Align::Left;
        text.push_str(&aligned(&table, &aligns));
        Ok(())
    }
}
