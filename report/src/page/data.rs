//! Games as the JSON that the page's program reads.

use std::fmt::Write as _;
use std::time::Duration;

use chuhe_movegen::{Board, Color, Move};
use chuhe_records::notation::{ChineseStyle, Notation};
use chuhe_text::is_printable;
use serde::{Serialize, Serializer};

use super::game::{GameView, MoveView, ShownScore};
use super::study::{LineView, PlayerStudy, Study};
use crate::table::Heading;

/// What the page's program reads of the games.
pub(super) fn games(games: &[GameView]) -> Vec<GameData<'_>> {
    games.iter().map(GameData::from).collect()
}

/// JSON that can stand within a `script` element: `<`, `>` and `&` are written as escapes, so that no text can end the
/// element or begin a comment. Characters that do not show themselves become blanks, or are escapes of JSON already.
pub(super) fn json(data: &impl Serialize) -> String {
    // Strings, numbers and lists of them: there is nothing here that could fail to be written.
    let text = serde_json::to_string(data).unwrap_or_else(|_| String::from("null"));
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            // All of these can only occur within strings.
            '<' | '>' | '&' => {
                let _ = write!(safe, "\\u{:04x}", u32::from(character));
            }
            _ => safe.push(if is_printable(character) { character } else { ' ' }),
        }
    }
    safe
}

/// A game. What is known of its moves stands in columns, which are left out when nothing is known.
#[derive(Serialize)]
pub(super) struct GameData<'a> {
    red: &'a str,
    black: &'a str,
    result: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    termination: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    reason: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    opening: &'a str,
    #[serde(skip_serializing_if = "is_zero")]
    given: usize,
    /// Left out when it is the start position.
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    /// Four characters a move.
    moves: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    scores: Vec<Option<RedScore>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    depths: Vec<Option<u32>>,
    /// Milliseconds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    times: Vec<Option<u64>>,
    /// Milliseconds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    clocks: Vec<Option<u64>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    names: Vec<Option<&'a str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<Option<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    study: Option<StudyData<'a>>,
}

impl<'a> From<&'a GameView> for GameData<'a> {
    fn from(game: &'a GameView) -> GameData<'a> {
        let red_first = game.start.side_to_move() == Color::Red;
        let scores = game.moves.iter().enumerate().map(|(ply, mv)| {
            let by_red = (ply % 2 == 0) == red_first;
            mv.score.map(|score| RedScore::new(score, by_red))
        });
        GameData {
            red: &game.red,
            black: &game.black,
            result: game.result.as_str(),
            termination: &game.termination,
            reason: &game.reason,
            opening: &game.opening,
            given: game.opening_plies,
            fen: (game.start != Board::startpos()).then(|| game.start.to_fen()),
            moves: game.moves.iter().fold(String::with_capacity(4 * game.moves.len()), |mut moves, mv| {
                let _ = write!(moves, "{}", mv.mv);
                moves
            }),
            scores: column(scores),
            depths: column(game.moves.iter().map(|mv| mv.depth)),
            times: column(game.moves.iter().map(|mv| mv.time.map(milliseconds))),
            clocks: column(game.moves.iter().map(|mv| mv.clock.map(milliseconds))),
            names: column(game.moves.iter().map(|mv| mv.name.as_deref())),
            comments: column(game.moves.iter().map(|mv: &MoveView| mv.comment.as_deref())),
            study: game.study.as_ref().map(|study| StudyData::new(game, study)),
        }
    }
}

/// What an analysis adds.
#[derive(Serialize)]
struct StudyData<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    source: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    event: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    damage: &'a str,
    /// In Chinese and in English, as the kills.
    opening: [&'a str; 2],
    /// The moves' names in Chinese and in WXF.
    names: [Vec<String>; 2],
    /// Red's win probability after each move in per mille.
    chances: Vec<Option<u32>>,
    /// The win probability that each move lost in per mille.
    losses: Vec<Option<u32>>,
    marks: Vec<Option<&'static str>>,
    /// The best lines in each position, the last one included.
    lines: Vec<Vec<LineData>>,
    players: [PlayerData; Color::NUM],
    kills: Vec<[&'a str; 2]>,
}

impl<'a> StudyData<'a> {
    fn new(game: &'a GameView, study: &'a Study) -> StudyData<'a> {
        // Positions as far as the moves are legal.
        let mut boards = vec![game.start.clone()];
        for mv in &game.moves {
            let Ok(next) = boards[boards.len() - 1].play(mv.mv) else { break };
            boards.push(next);
        }
        let moves: Vec<Move> = game.moves.iter().map(|mv| mv.mv).collect();
        let study_of = |mv: &'a MoveView| mv.study.as_ref();
        let of_moves = game.moves.iter().map(|mv| study_of(mv).map_or(&[][..], |study| &study.lines[..]));
        StudyData {
            source: &study.source,
            event: &study.event,
            damage: &study.damage,
            opening: both(&study.opening),
            names: names(&game.start, &moves),
            chances: column(game.moves.iter().map(|mv| study_of(mv).map(|study| per_mille(study.red_chance)))),
            losses: column(game.moves.iter().map(|mv| study_of(mv).map(|study| per_mille(study.loss)))),
            marks: column(game.moves.iter().map(|mv| study_of(mv)?.mark.map(super::Mark::key))),
            lines: of_moves
                .chain([&study.last_lines[..]])
                .zip(&boards)
                .map(|(lines, board)| lines.iter().map(|line| LineData::new(line, board)).collect())
                .collect(),
            players: study.players.each_ref().map(PlayerData::from),
            kills: study.kills.iter().map(both).collect(),
        }
    }
}

/// Half-moves of a line that a page holds; what an engine sees further on it hardly knows itself.
const MAX_LINE: usize = 12;

/// A line of play: score, depth, moves of four characters each, and their names in Chinese and in WXF.
#[derive(Serialize)]
struct LineData(RedScore, u32, String, [Vec<String>; 2]);

impl LineData {
    fn new(line: &LineView, board: &Board) -> LineData {
        let names = names(board, &line.moves[..line.moves.len().min(MAX_LINE)]);
        let moves = line.moves[..names[0].len()].iter().map(Move::to_string).collect();
        LineData(RedScore::new(line.score, board.side_to_move() == Color::Red), line.depth, moves, names)
    }
}

/// How a side played, with rates as they are shown.
#[derive(Serialize)]
struct PlayerData {
    moves: u32,
    accuracy: Option<String>,
    loss: Option<String>,
    cp: Option<String>,
    best: u32,
    good: u32,
    inaccuracies: u32,
    mistakes: u32,
    blunders: u32,
    missed: u32,
    book: u32,
}

impl From<&PlayerStudy> for PlayerData {
    fn from(player: &PlayerStudy) -> PlayerData {
        PlayerData {
            moves: player.moves,
            accuracy: player.accuracy.map(|percent| format!("{percent:.1} %")),
            loss: player.average_loss.map(|loss| format!("{:.1} %", 100.0 * loss)),
            cp: player.average_cp_loss.map(|loss| format!("{loss:.0}")),
            best: player.best,
            good: player.good,
            inaccuracies: player.inaccuracies,
            mistakes: player.mistakes,
            blunders: player.blunders,
            missed: player.missed_mates,
            book: player.book,
        }
    }
}

/// The names of moves in Chinese and in WXF, as far as the moves are legal.
fn names(start: &Board, moves: &[Move]) -> [Vec<String>; 2] {
    let mut names = [Vec::with_capacity(moves.len()), Vec::with_capacity(moves.len())];
    let mut board = start.clone();
    for &mv in moves {
        let Ok(next) = board.play(mv) else { break };
        names[0].push(Notation::Chinese(ChineseStyle::CUSTOMARY).write(mv, &board));
        names[1].push(Notation::Wxf.write(mv, &board));
        board = next;
    }
    names
}

fn both(heading: &Heading) -> [&str; 2] {
    [&heading.zh, &heading.en]
}

fn per_mille(probability: f64) -> u32 {
    (1000.0 * probability.clamp(0.0, 1.0)).round() as u32
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A column without what is missing at its end: empty when nothing is known.
fn column<T>(values: impl Iterator<Item = Option<T>>) -> Vec<Option<T>> {
    let mut values: Vec<Option<T>> = values.collect();
    while values.last().is_some_and(Option::is_none) {
        values.pop();
    }
    values
}

/// A score from Red's view: a number of hundredths, or a text such as `#5` or `#-5` for a mate and `=5` or `=-5` for a win
/// by the rules.
struct RedScore(ShownScore);

impl RedScore {
    fn new(score: ShownScore, by_red: bool) -> RedScore {
        RedScore(match score {
            _ if by_red => score,
            ShownScore::Cp(value) => ShownScore::Cp(value.saturating_neg()),
            ShownScore::Mate(moves) => ShownScore::Mate(moves.saturating_neg()),
            ShownScore::Rule(moves) => ShownScore::Rule(moves.saturating_neg()),
        })
    }
}

impl Serialize for RedScore {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            ShownScore::Cp(value) => serializer.serialize_i32(value),
            ShownScore::Mate(moves) => serializer.collect_str(&format_args!("#{moves}")),
            ShownScore::Rule(moves) => serializer.collect_str(&format_args!("={moves}")),
        }
    }
}
