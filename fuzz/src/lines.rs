//! Games on lines: of JSON and of moves.

use std::io::BufReader;

use chuhe_records::Record;
use chuhe_records::games::{Entry, Format, Games};
use chuhe_rules::{Game, RuleSet, Verdict};

/// No message needs more characters to say what is wrong.
const MAX_MESSAGE_LEN: usize = 400;

/// Reads the bytes as lines of either kind. What is read is legal, can be judged, and is read again from what is written of
/// it.
pub fn check(bytes: &[u8]) {
    for format in [Format::Json, Format::Lines] {
        check_stream(bytes, format);
    }
}

fn check_stream(bytes: &[u8], format: Format) {
    let lines = bytes.iter().filter(|byte| b"\n\r".contains(byte)).count() as u64 + 1;
    // Every byte of UTF-16, with a mark or zeros, can be the end of a line.
    let lines = if bytes.contains(&0xfe) || bytes.contains(&0) { bytes.len() as u64 } else { lines };
    let games = Games::with_format(bytes, format).expect("bytes can be read");
    assert_eq!(games.format(), format);
    // The same bytes in the smallest portions.
    let mut slow = Games::with_format(BufReader::with_capacity(1, bytes), format).expect("bytes can be read");
    let mut last = 0;
    for game in games {
        let game = game.expect("bytes can be read");
        assert!((last + 1..=lines).contains(&game.number()), "{} after {last}", game.number());
        last = game.number();
        let again = slow.next().expect("as many games in small portions").expect("bytes can be read");
        assert_eq!(game.number(), again.number());
        check_entry(&game.read(), &again.read());
    }
    assert!(slow.next().is_none());
}

fn check_entry(entry: &Entry, again: &Entry) {
    assert_eq!((&entry.id, &entry.ruleset, &entry.record), (&again.id, &again.ruleset, &again.record));
    assert!(entry.id.as_ref().is_none_or(|id| !id.is_null()));
    if let Some(name) = &entry.ruleset {
        check_rule_set(name);
    }
    match &entry.record {
        Ok(record) => check_record(record),
        Err(error) => check_message(&error.to_string()),
    }
}

fn check_message(message: &str) {
    assert!(!message.is_empty() && message.chars().count() <= MAX_MESSAGE_LEN, "{message}");
    assert!(!message.contains(char::is_control), "{message:?}");
}

fn check_rule_set(name: &str) {
    match name.parse::<RuleSet>() {
        Ok(rules) => assert_eq!(rules.name().parse(), Ok(rules)),
        Err(error) => check_message(&error.to_string()),
    }
}

fn check_record(record: &Record) {
    let game = record.to_game().expect("legal moves");
    assert_eq!(game.plies().len(), record.main_line().count() + 1);
    check_verdicts(&game);
    let moves: Vec<String> = game.moves().map(|mv| mv.to_string()).collect();
    let fen = record.start.to_fen();
    let moves = moves.join(" ");
    let json = format!("{{\"fen\":\"{fen}\",\"moves\":\"{moves}\"}}");
    let line = format!("position fen {fen} moves {moves}");
    for (text, format) in [(json, Format::Json), (line, Format::Lines)] {
        let mut games = Games::new(text.as_bytes(), None).expect("bytes can be read");
        assert_eq!(games.format(), format, "{text}");
        let again = games.next().expect("a game").expect("bytes can be read").read();
        let again = again.record.unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(again.start, record.start, "{text}");
        assert!(again.main_line().map(|(mv, _)| mv).eq(game.moves()), "{text}");
    }
}

/// By the rule sets that look for no mate threats, which are quick whatever the game. The colours do not matter.
fn check_verdicts(game: &Game) {
    let mut turned = Game::new(game.start().swap_colors());
    for mv in game.moves() {
        turned.play(mv.rotate()).expect("legal for the other side too");
    }
    for rules in [RuleSet::COMPUTER, RuleSet::ASIAN, RuleSet::CHECK_ONLY, RuleSet::ALWAYS_DRAW] {
        let verdict = match game.verdict(&rules) {
            Verdict::Loses(color) => Verdict::Loses(!color),
            other => other,
        };
        assert_eq!(turned.verdict(&rules), verdict, "{rules}");
    }
}
