//! JSON, one object on a line for each game or position. `docs/analysis.md` describes every key.

use chuhe_movegen::{Board, Color, Move};
use chuhe_records::{ChineseStyle, Notation};
use chuhe_report::Language;
use chuhe_report::ruling::Explanation;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{Setup, side};
use crate::{
    Chances, Decision, GameAnalysis, Judgement, MateNote, MoveAnalysis, Name, Opening, PlayerSummary, PositionAnalysis,
    Score, accuracy,
};

/// A game or, when it has no moves, a position: one line without its end.
#[must_use]
pub fn analysis(id: &Value, setup: &Setup, analysis: &GameAnalysis) -> String {
    match analysis.moves.is_empty() {
        true => line(&PositionLine::new(id, setup, analysis)),
        false => line(&GameLine::new(id, setup, analysis)),
    }
}

/// Something that could not be analyzed: one line without its end.
#[must_use]
pub fn error(id: &Value, error: &str) -> String {
    line(&ErrorLine { id, error })
}

fn line(value: &impl Serialize) -> String {
    // Strings, numbers and lists of them: there is nothing here that could fail to be written.
    serde_json::to_string(value).unwrap_or_else(|error| error.to_string())
}

#[derive(Serialize)]
struct ErrorLine<'a> {
    id: &'a Value,
    error: &'a str,
}

/// How positions were searched. Limits that were not set are null.
#[derive(Serialize)]
struct SetupKeys<'a> {
    engine: &'a str,
    depth_limit: Option<u32>,
    node_limit: Option<u64>,
    movetime_ms: Option<u64>,
    multipv: usize,
}

impl<'a> SetupKeys<'a> {
    fn new(setup: &'a Setup) -> SetupKeys<'a> {
        let millis = |time: std::time::Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        SetupKeys {
            engine: &setup.engine,
            depth_limit: setup.limits.depth,
            node_limit: setup.limits.nodes,
            movetime_ms: setup.limits.move_time.map(millis),
            multipv: setup.multi_pv,
        }
    }
}

#[derive(Serialize)]
struct GameLine<'a> {
    id: &'a Value,
    red: Option<&'a str>,
    black: Option<&'a str>,
    event: Option<&'a str>,
    date: Option<&'a str>,
    result: &'static str,
    start_fen: String,
    #[serde(flatten)]
    setup: SetupKeys<'a>,
    opening: Option<OpeningKeys>,
    kills: Vec<Name>,
    ruling: RulingKeys,
    players: Players<'a>,
    moves: Vec<MoveKeys>,
    last_position: Option<PositionKeys>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

impl<'a> GameLine<'a> {
    fn new(id: &'a Value, setup: &'a Setup, analysis: &'a GameAnalysis) -> GameLine<'a> {
        let game = analysis.game();
        let boards = game.plies().iter().map(|ply| &ply.board);
        let tags = &analysis.tags;
        GameLine {
            id,
            red: tags.red(),
            black: tags.black(),
            event: tags.event(),
            date: tags.date(),
            result: analysis.result.as_str(),
            start_fen: analysis.start.to_fen(),
            setup: SetupKeys::new(setup),
            opening: analysis.opening.map(OpeningKeys::from),
            kills: analysis.kills.iter().map(|kill| kill.name()).collect(),
            ruling: RulingKeys::new(analysis),
            players: Players {
                red: PlayerKeys::new(tags.red(), analysis.player(Color::Red)),
                black: PlayerKeys::new(tags.black(), analysis.player(Color::Black)),
            },
            moves: analysis
                .moves
                .iter()
                .zip(boards)
                .enumerate()
                .map(|(index, (played, board))| MoveKeys::new(index + 1, played, board))
                .collect(),
            last_position: analysis.last_position.as_ref().map(PositionKeys::new),
            error: analysis.damage.as_deref(),
        }
    }
}

#[derive(Serialize)]
struct OpeningKeys {
    code: &'static str,
    #[serde(flatten)]
    name: Name,
    variation: Option<Name>,
}

impl From<&Opening> for OpeningKeys {
    fn from(&Opening { code, name, variation }: &Opening) -> OpeningKeys {
        OpeningKeys { code, name, variation }
    }
}

/// What `chuhe judge` says, shortened.
#[derive(Serialize)]
struct RulingKeys {
    ruleset: &'static str,
    verdict: String,
    loser: Option<&'static str>,
    must_deviate: Option<&'static str>,
    ended_by: Option<&'static str>,
    played_through: Option<usize>,
    article: Option<&'static str>,
    why: String,
}

impl RulingKeys {
    fn new(analysis: &GameAnalysis) -> RulingKeys {
        let ruling = &analysis.ruling;
        RulingKeys {
            ruleset: ruling.rules.name(),
            verdict: ruling.verdict.to_string(),
            loser: analysis.ended_by.and_then(|ending| ending.loser()).map(side),
            must_deviate: ruling.must_deviate().map(side),
            ended_by: analysis.ended_by.map(|ending| ending.name()),
            played_through: analysis.played_through(),
            article: ruling.article(),
            why: Explanation::new(&analysis.game(), ruling, Language::English).sentence,
        }
    }
}

#[derive(Serialize)]
struct Players<'a> {
    red: PlayerKeys<'a>,
    black: PlayerKeys<'a>,
}

#[derive(Serialize)]
struct PlayerKeys<'a> {
    name: Option<&'a str>,
    moves: u32,
    choices: u32,
    accuracy: Option<f64>,
    average_loss: Option<f64>,
    average_cp_loss: Option<f64>,
    best: u32,
    good: u32,
    inaccuracies: u32,
    mistakes: u32,
    blunders: u32,
    book_moves: u32,
    missed_mates: u32,
}

impl<'a> PlayerKeys<'a> {
    fn new(name: Option<&'a str>, summary: &PlayerSummary) -> PlayerKeys<'a> {
        PlayerKeys {
            name,
            moves: summary.moves,
            choices: summary.choices,
            accuracy: summary.accuracy.map(|percent| rounded(percent, 2)),
            average_loss: summary.average_loss.map(|loss| rounded(loss, 4)),
            average_cp_loss: summary.average_cp_loss.map(|loss| rounded(loss, 2)),
            best: summary.count(Judgement::Best),
            good: summary.count(Judgement::Good),
            inaccuracies: summary.count(Judgement::Inaccuracy),
            mistakes: summary.count(Judgement::Mistake),
            blunders: summary.count(Judgement::Blunder),
            book_moves: summary.book_moves,
            missed_mates: summary.missed_mates,
        }
    }
}

#[derive(Serialize)]
struct MoveKeys {
    ply: usize,
    side: &'static str,
    #[serde(rename = "move")]
    mv: String,
    chinese: String,
    wxf: String,
    #[serde(flatten)]
    value: ValueKeys,
    /// The same for Red, whoever moved, for a graph.
    red_win_probability: f64,
    loss: f64,
    cp_loss: i32,
    accuracy: f64,
    judgement: &'static str,
    mate: Option<MateKeys>,
    book: bool,
    forced: bool,
    #[serde(flatten)]
    before: PositionKeys,
}

impl MoveKeys {
    fn new(ply: usize, played: &MoveAnalysis, board: &Board) -> MoveKeys {
        MoveKeys {
            ply,
            side: side(played.mover),
            mv: played.mv.to_string(),
            chinese: Notation::Chinese(ChineseStyle::CUSTOMARY).write(played.mv, board),
            wxf: Notation::Wxf.write(played.mv, board),
            value: ValueKeys::new(played.score, played.chances),
            red_win_probability: rounded(played.red_chances().win_probability(), 4),
            loss: rounded(played.loss, 4),
            cp_loss: played.cp_loss(),
            accuracy: rounded(accuracy(played.loss), 2),
            judgement: played.judgement.as_str(),
            mate: played.mate.map(MateKeys::from),
            book: played.is_book,
            forced: played.is_forced,
            before: PositionKeys::new(&played.before),
        }
    }
}

/// `{"found": 3}` and the like.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum MateKeys {
    Found(u32),
    Missed(u32),
    Allowed(u32),
}

impl From<MateNote> for MateKeys {
    fn from(note: MateNote) -> MateKeys {
        match note {
            MateNote::Found(moves) => MateKeys::Found(moves),
            MateNote::Missed(moves) => MateKeys::Missed(moves),
            MateNote::Allowed(moves) => MateKeys::Allowed(moves),
        }
    }
}

/// A score and what it stands for.
#[derive(Serialize)]
struct ValueKeys {
    score: ScoreKeys,
    wdl: [u16; 3],
    win_probability: f64,
}

impl ValueKeys {
    fn new(score: Score, chances: Chances) -> ValueKeys {
        let Chances { win, draw, loss } = chances;
        let win_probability = rounded(chances.win_probability(), 4);
        ValueKeys { score: ScoreKeys::from(score), wdl: [win, draw, loss], win_probability }
    }
}

/// `{"cp": 35}`, `{"mate": -2}` or `{"rule": 1}`.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum ScoreKeys {
    Cp(i32),
    Mate(i32),
    Rule(i32),
}

impl From<Score> for ScoreKeys {
    fn from(score: Score) -> ScoreKeys {
        match (score, score.decided_in()) {
            (_, Some((Decision::Mate, moves))) => ScoreKeys::Mate(moves),
            (_, Some((Decision::Rule, moves))) => ScoreKeys::Rule(moves),
            (score, None) => ScoreKeys::Cp(score.capped_cp(i32::MAX)),
        }
    }
}

#[derive(Serialize)]
struct PositionKeys {
    depth: u32,
    nodes: u64,
    lines: Vec<LineKeys>,
}

impl PositionKeys {
    fn new(position: &PositionAnalysis) -> PositionKeys {
        PositionKeys {
            depth: position.depth,
            nodes: position.nodes,
            lines: position
                .lines
                .iter()
                .map(|line| LineKeys {
                    value: ValueKeys::new(line.score, line.chances),
                    depth: line.depth,
                    pv: Moves(line.moves.clone()),
                })
                .collect(),
        }
    }
}

#[derive(Serialize)]
struct LineKeys {
    #[serde(flatten)]
    value: ValueKeys,
    depth: u32,
    pv: Moves,
}

/// Moves as a list of coordinates.
struct Moves(Vec<Move>);

impl Serialize for Moves {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(Move::to_string))
    }
}

#[derive(Serialize)]
struct PositionLine<'a> {
    id: &'a Value,
    fen: String,
    side: &'static str,
    #[serde(flatten)]
    setup: SetupKeys<'a>,
    /// Why there is nothing to search.
    ended_by: Option<&'static str>,
    best: Option<String>,
    /// Of the best line; null when there is none.
    score: Option<ScoreKeys>,
    wdl: Option<[u16; 3]>,
    win_probability: Option<f64>,
    depth: u32,
    nodes: u64,
    lines: Vec<LineKeys>,
}

impl<'a> PositionLine<'a> {
    fn new(id: &'a Value, setup: &'a Setup, analysis: &GameAnalysis) -> PositionLine<'a> {
        let nothing = PositionAnalysis::default();
        let position = analysis.last_position.as_ref().unwrap_or(&nothing);
        let best = position.best();
        let value = best.map(|line| ValueKeys::new(line.score, line.chances));
        let PositionKeys { depth, nodes, lines } = PositionKeys::new(position);
        PositionLine {
            id,
            fen: analysis.start.to_fen(),
            side: side(analysis.start.side_to_move()),
            setup: SetupKeys::new(setup),
            ended_by: analysis.ended_by.map(|ending| ending.name()),
            best: best.and_then(|line| line.moves.first()).map(Move::to_string),
            wdl: value.as_ref().map(|value| value.wdl),
            win_probability: value.as_ref().map(|value| value.win_probability),
            score: value.map(|value| value.score),
            depth,
            nodes,
            lines,
        }
    }
}

/// Without the digits that nobody reads.
fn rounded(value: f64, decimals: i32) -> f64 {
    let unit = 10f64.powi(decimals);
    (value * unit).round() / unit
}
