//! For people: a line for each move, and a table of the players. Scores and chances are Red's.

use std::fmt::Write as _;

use chuhe_movegen::{Board, Color, Move};
use chuhe_records::Notation;
use chuhe_report::ruling::{Explanation, Language};
use serde_json::Value;
use unicode_width::UnicodeWidthStr as _;

use super::{Setup, ending_name};
use crate::{GameAnalysis, Judgement, Line, MateNote, MoveAnalysis, PlayerSummary, PositionAnalysis};

/// How much of a line is shown, in half-moves.
const MAX_LINE: usize = 8;

/// A game or, when it has no moves, a position, with moves in this notation; an empty line ends it.
#[must_use]
pub fn analysis(id: &Value, setup: &Setup, analysis: &GameAnalysis, notation: Notation) -> String {
    let mut text = String::new();
    // Strings take in whatever is written.
    let _ = match analysis.moves.is_empty() {
        true => write_position(&mut text, id, setup, analysis, notation),
        false => write_game(&mut text, id, setup, analysis, notation),
    };
    text
}

/// Something that could not be analysed.
#[must_use]
pub fn error(id: &Value, error: &str) -> String {
    format!("{}: {}\n\n", title(id), plain(error))
}

fn write_game(
    text: &mut String,
    id: &Value,
    setup: &Setup,
    analysis: &GameAnalysis,
    notation: Notation,
) -> std::fmt::Result {
    let tags = &analysis.tags;
    let players = match (tags.red(), tags.black()) {
        (None, None) => String::new(),
        (red, black) => format!("  {} – {}", plain(red.unwrap_or("?")), plain(black.unwrap_or("?"))),
    };
    writeln!(text, "{}{players}  {}", title(id), analysis.result)?;
    if let Some(opening) = &analysis.opening {
        writeln!(text, "Opening: {} {} ({})", opening.code, opening.name.chinese, opening.name.english)?;
    }
    writeln!(text, "{}, {} a move. Scores and chances are Red's.", setup.engine, setup.limits)?;
    writeln!(text)?;
    let game = analysis.game();
    let names = analysis.moves.iter().zip(game.plies()).map(|(played, ply)| notation.write(played.mv, &ply.board));
    let names: Vec<String> = names.collect();
    let width = names.iter().map(|name| name.width()).max().unwrap_or(0);
    for ((played, name), ply) in analysis.moves.iter().zip(&names).zip(game.plies()) {
        let line = move_line(played, &ply.board, &padded(name, width), notation);
        writeln!(text, "{}", line.trim_end())?;
    }
    writeln!(text)?;
    if let Some(best) = analysis.last_position.as_ref().and_then(PositionAnalysis::best) {
        writeln!(text, "Next best: {}", line_words(best, game.board(), notation))?;
    }
    if let Some(ending) = analysis.ruling.ended_by {
        let kills: Vec<String> =
            analysis.kills.iter().map(|kill| format!("{} ({})", kill.chinese(), kill.english())).collect();
        let kills = if kills.is_empty() { String::new() } else { format!(": {}", kills.join(", ")) };
        writeln!(text, "Ended by {}{kills}.", ending_name(ending).replace('_', " "))?;
    }
    if analysis.ruling.repetition.is_some() {
        writeln!(text, "{}", Explanation::new(&game, &analysis.ruling, Language::English).sentence)?;
    }
    writeln!(text, "        accuracy  average loss   inaccuracies  mistakes  blunders  book moves  missed mates")?;
    for (word, color) in [("Red", Color::Red), ("Black", Color::Black)] {
        writeln!(text, "{}", player_line(word, analysis.player(color)))?;
    }
    writeln!(text)
}

fn write_position(
    text: &mut String,
    id: &Value,
    setup: &Setup,
    analysis: &GameAnalysis,
    notation: Notation,
) -> std::fmt::Result {
    writeln!(text, "{}  {}", title(id), analysis.start.to_fen())?;
    if let Some(ending) = analysis.ruling.ended_by {
        writeln!(text, "Ended by {}.", ending_name(ending).replace('_', " "))?;
    }
    if let Some(PositionAnalysis { lines, nodes, .. }) = &analysis.last_position {
        writeln!(text, "{}, {nodes} nodes. Scores and chances are Red's.", setup.engine)?;
        for (number, line) in lines.iter().enumerate() {
            writeln!(text, "{:>3}. depth {}  {}", number + 1, line.depth, line_words(line, &analysis.start, notation))?;
        }
    }
    writeln!(text)
}

/// `12… 马8进7    -0.85  31 %  mistake, lost 12.3 %; better 炮8平5 …`
fn move_line(played: &MoveAnalysis, board: &Board, name: &str, notation: Notation) -> String {
    let number = board.fullmove_number().max(1);
    let number = if played.mover == Color::Red { format!("{number}.") } else { format!("{number}…") };
    let (score, chances) = match played.mover {
        Color::Red => (played.score, played.chances),
        Color::Black => (played.score.seen_by_other(), played.chances.seen_by_other()),
    };
    let mut remarks = Vec::new();
    if played.is_book {
        remarks.push("book".to_owned());
    }
    if played.judgement >= Judgement::Inaccuracy {
        remarks.push(format!("{}, lost {:.1} %", played.judgement, 100.0 * played.loss));
    }
    match played.mate {
        Some(MateNote::Missed(moves)) => remarks.push(format!("mate in {moves} missed")),
        Some(MateNote::Allowed(moves)) => remarks.push(format!("allows mate in {moves}")),
        Some(MateNote::Found(_)) | None => {}
    }
    if let Some(best) = played.before.best()
        && played.judgement >= Judgement::Inaccuracy
    {
        remarks.push(format!("better {}", line_words(best, board, notation)));
    }
    let percent = 100.0 * chances.win_probability();
    format!("{number:>5} {name}  {:>7} {percent:>4.0} %  {}", score.to_string(), remarks.join("; "))
}

/// Score and moves of a line: `+0.35 64 %  炮八平五 马8进7`.
fn line_words(line: &Line, board: &Board, notation: Notation) -> String {
    let (score, chances) = match board.side_to_move() {
        Color::Red => (line.score, line.chances),
        Color::Black => (line.score.seen_by_other(), line.chances.seen_by_other()),
    };
    let names = names(&line.moves, board, notation).join(" ");
    let dots = if line.moves.len() > MAX_LINE { " …" } else { "" };
    format!("{names}{dots} ({score}, {:.0} %)", 100.0 * chances.win_probability())
}

fn names(moves: &[Move], board: &Board, notation: Notation) -> Vec<String> {
    let mut board = board.clone();
    let mut names = Vec::new();
    for &mv in moves.iter().take(MAX_LINE) {
        let Ok(after) = board.play(mv) else { break };
        names.push(notation.write(mv, &board));
        board = after;
    }
    names
}

fn player_line(word: &str, summary: &PlayerSummary) -> String {
    let percent = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.1} %"));
    format!(
        "{word:<7} {:>8}  {:>12}   {:>12}  {:>8}  {:>8}  {:>10}  {:>12}",
        percent(summary.accuracy),
        percent(summary.average_loss.map(|loss| 100.0 * loss)),
        summary.count(Judgement::Inaccuracy),
        summary.count(Judgement::Mistake),
        summary.count(Judgement::Blunder),
        summary.book_moves,
        summary.missed_mates,
    )
}

/// Filled up with blanks to a width of columns, of which Chinese characters take two.
fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

/// An id without the quotation marks of JSON.
fn title(id: &Value) -> String {
    id.as_str().map_or_else(|| id.to_string(), plain)
}

/// A text for one line of a terminal.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
