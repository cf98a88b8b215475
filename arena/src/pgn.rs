//! A played game as a record that can be written as PGN.
//!
//! Comments have the form that cutechess and fastchess write and most tools read: `+0.35/12 0.123s, tl=1.877s, n=51200`
//! is the mover's score in hundredths over depth, the time used, the clock after the move and the positions searched;
//! what is not known is left out. Mates are counted in half-moves: `+M5` is a mate in three moves. An overstep within
//! the margin is `late=0.012s`, a draw offer `draw`. Moves of the opening say `book`. The reason of the result ends the
//! last comment.

use std::fmt::Write as _;
use std::time::Duration;

use chuhe_client::time_control::TimeControl;
use chuhe_movegen::Color;
use chuhe_protocol::Score;
use chuhe_records::games::RULE_SET_TAG;
use chuhe_records::{GameResult, Record};
use chuhe_rules::RuleSet;
use time::OffsetDateTime;

use crate::outcome::Outcome;
use crate::played::{PlayedGame, PlayedMove};

/// What a record says about a game that the game itself does not know.
#[derive(Clone, Copy, Debug)]
pub struct Headers<'a> {
    /// The tournament.
    pub event: &'a str,
    /// Where it is played.
    pub site: &'a str,
    /// The round, and within it the game if there are more.
    pub round: &'a str,
    /// Who plays Red, Black.
    pub players: [&'a str; Color::NUM],
    /// Their ratings, if known.
    pub ratings: [Option<i32>; Color::NUM],
    /// Their time controls.
    pub times: [&'a TimeControl; Color::NUM],
    /// The rules by which repetitions are judged.
    pub repetition: &'a RuleSet,
}

/// The record of a game.
#[must_use]
pub fn record(played: &PlayedGame, headers: &Headers<'_>) -> Record {
    let mut record = Record::new(played.game.start().clone());
    record.result = result(played.ending.outcome);
    set_tags(&mut record, played, headers);
    for (index, mv) in played.game.moves().enumerate() {
        let id = record.tree.push(mv);
        let comment = match index.checked_sub(played.opening_plies) {
            Some(own) => played.moves.get(own).map(comment).unwrap_or_default(),
            None => "book".to_owned(),
        };
        record.tree.set_comment(id, comment);
    }
    let end = record.tree.end();
    let last = match record.tree.comment(end) {
        "" => played.ending.reason.clone(),
        comment => format!("{comment}, {}", played.ending.reason),
    };
    record.tree.set_comment(end, last);
    record
}

/// The result in a record. Neither side's win is no result that PGN knows.
#[must_use]
pub const fn result(outcome: Outcome) -> GameResult {
    match outcome {
        Outcome::RedWins | Outcome::BlackForfeits => GameResult::RedWins,
        Outcome::BlackWins | Outcome::RedForfeits => GameResult::BlackWins,
        Outcome::Draw => GameResult::Draw,
        Outcome::BothForfeit => GameResult::Unknown,
    }
}

fn set_tags(record: &mut Record, played: &PlayedGame, headers: &Headers<'_>) {
    let known = |text: &str| if text.is_empty() { "?".to_owned() } else { text.to_owned() };
    let started = OffsetDateTime::from(played.started);
    let (hour, minute, second) = started.to_hms();
    let tags = &mut record.tags;
    tags.set("Event", known(headers.event));
    tags.set("Site", known(headers.site));
    tags.set("Date", format!("{:04}.{:02}.{:02}", started.year(), u8::from(started.month()), started.day()));
    tags.set("Round", known(headers.round));
    let [red, black] = headers.players;
    tags.set("Red", known(red));
    tags.set("Black", known(black));
    for (name, rating) in ["RedElo", "BlackElo"].into_iter().zip(headers.ratings) {
        if let Some(rating) = rating {
            tags.set(name, rating.to_string());
        }
    }
    if !played.opening.is_empty() {
        tags.set("Opening", &played.opening);
    }
    match headers.times {
        [red, black] if red == black => tags.set("TimeControl", red.to_string()),
        [red, black] => {
            tags.set("RedTimeControl", red.to_string());
            tags.set("BlackTimeControl", black.to_string());
        }
    }
    tags.set(RULE_SET_TAG, headers.repetition.name());
    tags.set("UTCTime", format!("{hour:02}:{minute:02}:{second:02}"));
    tags.set("PlyCount", played.game.moves().count().to_string());
    tags.set("Termination", played.ending.termination.name());
}

fn comment(played: &PlayedMove) -> String {
    let mut text = String::new();
    let search = &played.search;
    if let Some(score) = search.score {
        write_score(&mut text, score);
        let _ = write!(text, "/{} ", search.depth.unwrap_or(0));
    }
    write_seconds(&mut text, played.elapsed);
    if let Some(left) = played.left_after {
        text.push_str(", tl=");
        write_seconds(&mut text, left);
    }
    if let Some(nodes) = search.nodes {
        let _ = write!(text, ", n={nodes}");
    }
    if !played.overstep.is_zero() {
        text.push_str(", late=");
        write_seconds(&mut text, played.overstep);
    }
    if played.draw_offer {
        text.push_str(", draw");
    }
    text
}

fn write_score(text: &mut String, score: Score) {
    let _ = match score {
        Score::Cp(score) => {
            let sign = if score < 0 { '-' } else { '+' };
            let score = score.unsigned_abs();
            write!(text, "{sign}{}.{:02}", score / 100, score % 100)
        }
        Score::Mate(plies @ 1..) => write!(text, "+M{plies}"),
        Score::Mate(plies) => write!(text, "-M{}", plies.unsigned_abs()),
    };
}

fn write_seconds(text: &mut String, time: Duration) {
    let _ = write!(text, "{:.3}s", time.as_secs_f64());
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use chuhe_movegen::Board;
    use chuhe_records::{NodeId, pgn};
    use chuhe_rules::Game;

    use super::*;
    use crate::played::{GameEnding, Termination};
    use chuhe_client::player::SearchReport;

    fn played(fen: &str, opening: usize, moves: &[(&str, Option<Score>)]) -> PlayedGame {
        let mut game = Game::new(Board::from_fen(fen).unwrap());
        for (mv, _) in moves {
            game.play(mv.parse().unwrap()).unwrap();
        }
        let moves = moves[opening..]
            .iter()
            .map(|(mv, score)| PlayedMove {
                mv: mv.parse().unwrap(),
                elapsed: Duration::from_micros(123_400),
                left_before: Some(Duration::from_secs(2)),
                left_after: Some(Duration::from_millis(1877)),
                overstep: Duration::ZERO,
                search: SearchReport { score: *score, depth: Some(12), nodes: Some(51_200), line: Vec::new() },
                draw_offer: false,
            })
            .collect();
        PlayedGame {
            game,
            opening: "center cannon".to_owned(),
            opening_plies: opening,
            moves,
            ending: GameEnding {
                outcome: Outcome::RedWins,
                termination: Termination::Resignation,
                reason: "Black resigned instead of ply 6".to_owned(),
                fault: None,
            },
            minor_faults: Vec::new(),
            started: SystemTime::UNIX_EPOCH + Duration::from_secs(1_709_164_799),
            duration: Duration::from_secs(1),
        }
    }

    #[test]
    fn a_game_is_written_and_read_back() {
        let cp = |score| Some(Score::Cp(score));
        let moves = [("h2e2", None), ("h9g7", None), ("h0g2", cp(35)), ("i9h9", cp(-5)), ("i0h0", None)];
        let mut game = played(Board::START_FEN, 2, &moves);
        game.moves[1].overstep = Duration::from_millis(12);
        game.moves[1].draw_offer = true;
        game.moves[2].left_after = None;
        game.moves[2].search = SearchReport::default();
        let time: TimeControl = "2+0.02".parse().unwrap();
        let headers = Headers {
            event: "Cup",
            site: "",
            round: "3.1",
            players: ["A \"one\"", "B"],
            ratings: [Some(2500), None],
            times: [&time, &time],
            repetition: &RuleSet::CHECK_ONLY,
        };
        let record = record(&game, &headers);
        let text = pgn::to_string(&record);
        let expected = r#"[Game "Chinese Chess"]
[Event "Cup"]
[Site "?"]
[Date "2024.02.28"]
[Round "3.1"]
[Red "A \"one\""]
[Black "B"]
[RedElo "2500"]
[Opening "center cannon"]
[TimeControl "2+0.02"]
[Ruleset "checkonly"]
[UTCTime "23:59:59"]
[PlyCount "5"]
[Termination "resignation"]
[Result "1-0"]
[Format "ICCS"]
"#;
        let (tags, body) = text.split_once("\n\n").unwrap();
        assert_eq!(format!("{tags}\n"), expected);
        assert!(body.contains("{+0.35/12 0.123s, tl=1.877s, n=51200}"), "{body}");
        assert!(body.contains("{-0.05/12 0.123s, tl=1.877s, n=51200, late=0.012s, draw}"), "{body}");
        assert!(body.contains("{0.123s, Black resigned instead of ply 6}"), "{body}");
        assert_eq!(body.matches("{book}").count(), 2);

        let back = pgn::Reader::new(text.as_bytes()).next().unwrap().unwrap();
        assert_eq!(back, record);
        assert_eq!(back.to_game().unwrap().board(), game.game.board());
        assert_eq!(back.result, GameResult::RedWins);
    }

    #[test]
    fn scores_are_written_as_other_tools_write_them() {
        let table = [
            (Score::Cp(0), "+0.00"),
            (Score::Cp(-1234), "-12.34"),
            (Score::Cp(i32::MIN), "-21474836.48"),
            (Score::Mate(1), "+M1"),
            (Score::Mate(5), "+M5"),
            (Score::Mate(-4), "-M4"),
            (Score::Mate(0), "-M0"),
            (Score::Mate(i32::MIN), "-M2147483648"),
        ];
        for (score, expected) in table {
            let mut text = String::new();
            write_score(&mut text, score);
            assert_eq!(text, expected, "{score:?}");
        }
    }

    #[test]
    fn a_game_without_moves_gives_its_reason_and_both_time_controls() {
        let fen = "3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1";
        let (red, black) = ("2+0.02".parse().unwrap(), "movetime=100ms".parse().unwrap());
        let headers = Headers {
            event: "",
            site: "",
            round: "",
            players: ["", ""],
            ratings: [None; 2],
            times: [&red, &black],
            repetition: &RuleSet::COMPUTER,
        };
        let mut game = played(fen, 0, &[]);
        game.opening = String::new();
        game.ending.outcome = Outcome::BothForfeit;
        let record = record(&game, &headers);
        assert_eq!(record.comment(), "Black resigned instead of ply 6");
        assert_eq!(record.tags.get("RedTimeControl"), Some("2+0.02"));
        assert_eq!(record.tags.get("BlackTimeControl"), Some("movetime=100ms"));
        assert_eq!((record.tags.get("TimeControl"), record.tags.opening(), record.tags.red()), (None, None, Some("?")));
        let back = pgn::Reader::new(pgn::to_string(&record).as_bytes()).next().unwrap().unwrap();
        assert_eq!(back, record);
        assert_eq!((back.result, back.start.to_fen().as_str()), (GameResult::Unknown, fen));
        assert_eq!(record.tree.end(), NodeId::ROOT);
    }
}
