//! Descriptions of tournaments: what they come to, and what is said about wrong ones.

use std::path::{Path, PathBuf};
use std::time::Duration;

use chuhe_arena::Outcome;
use chuhe_arena::config::{Config, ConfigFile, Setup, SprtConfig, SystemKind};
use chuhe_arena::journal::{self, Contents, Fingerprint};
use chuhe_arena::referee::DrawOffers;
use chuhe_arena::tournament::Course;

const TWO: &str = "[[engine]]\nname = 'A'\ncmd = 'a'\n[[engine]]\nname = 'B'\ncmd = 'b'\n";

fn read(text: &str) -> Result<Config, String> {
    let file = ConfigFile::parse(text, Path::new("cup.toml")).map_err(|error| error.to_string())?;
    Config::new(file, 4).map_err(|error| error.to_string())
}

#[test]
fn everything_can_be_said_in_one_file() {
    let config = read(
        r#"
        event = "Autumn cup"
        site = "Here"
        games = 4
        tc = "10+0.1"
        rules = "alwaysdraw"
        margin = 80
        grace = 2.5
        patience = 30
        draws_from = 60
        max_plies = 400
        natural_limit = 0
        dead_material = false
        concurrency = 3
        affinity = true
        ponder = true
        restart = true
        pgn = "cup.pgn"
        journal = "cup.jsonl"
        html = "cup.html"
        log = "logs"

        [system]
        kind = "groups"
        groups = 2
        qualify = 1
        cycles = "double"
        finals = "knock-out"
        third_place = true
        extra_games = 6
        seed = 7

        [openings]
        source = "openings.txt"
        order = "random"
        seed = 5
        plies = 8

        [adjudication]
        win = { score = 1000, moves = 4 }
        draw = { score = 20, moves = 8, from_ply = 80 }

        [[engine]]
        name = "A"
        cmd = ["a", "--quiet"]
        tc = "nodes=1000"
        [[engine]]
        cmd = "x"
        ponder = false
        [[engine]]
        cmd = "x"
        [[engine]]
        cmd = "x"
        options = { Threads = 1 }
        "#,
    )
    .unwrap();
    assert_eq!((config.event.as_str(), config.games, config.concurrency), ("Autumn cup", 4, 3));
    let names: Vec<&str> = config.engines.iter().map(|engine| engine.name.as_str()).collect();
    assert_eq!(names, ["A", "x", "x #2", "x #3"], "engines of one name get numbers");
    assert_eq!(config.times[0], "nodes=1000".parse().unwrap());
    assert_eq!(config.times[1], "10+0.1".parse().unwrap());
    assert_eq!(config.engines.iter().map(|e| e.ponder).collect::<Vec<_>>(), [true, false, true, true].map(Some));
    assert_eq!(config.rules.repetition.name(), "alwaysdraw");
    assert_eq!((config.rules.natural_limit, config.rules.max_plies), (None, Some(400)));
    assert_eq!(config.rules.draw_offers, DrawOffers::FromPly(60));
    assert_eq!(config.rules.margins, [Duration::from_millis(80); 2]);
    assert_eq!((config.options.grace, config.options.hang), (Duration::from_millis(2500), Duration::from_secs(30)));
    assert_eq!(config.rules.adjudication.draw.unwrap().from_ply, 80);
    assert!(matches!(config.tournament().unwrap().course(), Course::System { extra_games: 6, .. }));
}

#[test]
fn little_is_enough() {
    let config = read(TWO).unwrap();
    assert_eq!((config.system.kind, config.games, config.concurrency), (SystemKind::Match, 100, 4));
    let three = format!("system = 'swiss'\n{TWO}[[engine]]\ncmd = 'c'\noptions = {{ threads = 2 }}\n");
    let config = read(&three).unwrap();
    assert_eq!((config.system.kind, config.games, config.concurrency), (SystemKind::Swiss, 2, 2));
    let round_robin = read(&three.replace("system = 'swiss'\n", "ponder = true\n")).unwrap();
    assert_eq!((round_robin.system.kind, round_robin.concurrency), (SystemKind::RoundRobin, 1));
}

#[test]
fn teams_play_by_board() {
    const MORE: &str = "[[engine]]\nname = 'C'\ncmd = 'c'\n[[engine]]\nname = 'D'\ncmd = 'd'\n";
    let teams = "games = 2\n\
        [[team]]\nname = 'T'\nengines = ['A', 'B']\n[[team]]\nname = 'U'\nengines = ['C', 'D']\n";
    let config = read(&format!("{teams}{TWO}{MORE}")).unwrap();
    let tournament = config.tournament().unwrap();
    assert_eq!((tournament.roster().entrants().len(), tournament.roster().boards()), (2, 2));
    for (change, message) in [
        (("'C', 'D'", "'C', 'E'"), r#"team "U": no engine is called "E""#),
        (("'C', 'D'", "'C', 'A'"), r#"engine "A" is in team "T" and in team "U": expected one place for each engine"#),
        (("'C', 'D'", "'C', 'C'"), r#"engine "C" is in team "U" and in team "U": expected one place for each engine"#),
        (("'C', 'D'", "'C'"), r#"team "U" has 1 engines: expected 2, as the first team has"#),
        (("'C', 'D'", ""), r#"team "U" has no engines: expected one for each board"#),
        (("'U'", "'T'"), r#"two entrants are called "T": expected different names"#),
    ] {
        let text = format!("{}{TWO}{MORE}", teams.replace(change.0, change.1));
        assert_eq!(read(&text).unwrap_err(), message);
    }
    let fifth = format!("{teams}{TWO}{MORE}[[engine]]\nname = 'E'\ncmd = 'e'\n");
    assert_eq!(read(&fifth).unwrap_err(), r#"engine "E" is in no team: expected one place for each engine"#);
    // With groups of two at least there is only one number for some entrants.
    let groups = read(&format!("system = {{ kind = 'groups', groups = 3 }}\n{TWO}{MORE}")).unwrap_err();
    assert_eq!(groups, "system: the number of groups, each of two entrants or more, is 3: expected 2");
}

/// Each is one line and says what was wrong, where, and what was expected.
#[test]
fn errors() {
    let cases = [
        ("gamse = 4", "cup.toml:1: `gamse = 4`: unknown key `gamse`; did you mean `games`?"),
        (
            "\n\ngames = 'many'",
            "cup.toml:3: `games = 'many'`: found the text \"many\", expected a whole number from 0 to 4294967295",
        ),
        ("games = -1", "cup.toml:1: `games = -1`: found the number `-1`, expected a whole number from 0 to 4294967295"),
        ("games = 0", "games: 0: expected 1 to"),
        ("games = ", "cup.toml:1: `games =`"),
        ("tc = 'fast'", "cup.toml:1: `tc = 'fast'`: `fast` is not a time"),
        ("rules = 'fide'", "cup.toml:1: `rules = 'fide'`: unknown rule set `fide`: expected"),
        ("system = 'ladder'", "cup.toml:1: `system = 'ladder'`: unknown system `ladder`: expected one of match, "),
        (
            "system = { kind = 'swiss', round = 3 }",
            "cup.toml:1: `system = { kind = 'swiss', round = 3 }`: unknown key `round`; did you mean `rounds`?",
        ),
        ("system = { rounds = 3 }", "cup.toml:1: `system = { rounds = 3 }`: missing field `kind`"),
        ("system = { kind = 'swiss', groups = 3 }", "system.groups: does not apply to swiss"),
        ("system = { kind = 'swiss', rounds = 30 }", "system: the number of rounds is 30: expected 1"),
        ("system = 'groups'", "system: 2 entrants: expected 4 to"),
        ("system = { kind = 'gauntlet', challengers = 2 }", "system: the number of challengers is 2: expected 1"),
        ("system = 'round-robin'\ngames = 20000", "system: 1 boards of 20000 games"),
        ("system = 'round-robin'\ngames = 70000", "games: 70000 games per encounter: expected at most 10000"),
        (
            "margin = 5000000000",
            "cup.toml:1: `margin = 5000000000`: found the number `5000000000`, expected a whole number",
        ),
        ("patience = nan", "patience: NaN: expected seconds from 0.001 to 1000"),
        ("concurrency = 1000000000", "concurrency: 1000000000: expected 1 to 512"),
        (
            "concurrency = -1",
            "cup.toml:1: `concurrency = -1`: found the number `-1`, expected a whole number, 0 or more",
        ),
        ("sprt = { alpha = nan }", "cup.toml:1: `sprt = { alpha = nan }`: alpha is NaN: expected a probability"),
        ("sprt = { elo1 = inf }", "cup.toml:1: `sprt = { elo1 = inf }`: hypothesis elo1 is inf: expected"),
        ("event = \"Cup\\nof two\"", "event: \"Cup\\nof two\": expected 1 to 80 printable characters"),
        ("[[engine]]\nname = \"C\\u0007\"\ncmd = 'c'", "engine `C `: name=C : expected 1 to 80 printable characters"),
        ("sprt = { elo0 = 5, elo1 = 0 }", "cup.toml:1: `sprt = { elo0 = 5, elo1 = 0 }`: elo0 is 5 and elo1 is 0"),
        ("sprt = { elo0 = 5, alpha = 0.6 }", "cup.toml:1: `sprt = { elo0 = 5, alpha = 0.6 }`: alpha is 0.6: expected"),
        ("draws = 1", "cup.toml:1: `draws = 1`: found the number `1`, expected true or false"),
        ("grace = 'long'", "cup.toml:1: `grace = 'long'`: found the text \"long\", expected a number"),
        ("event = \"\\u001b[31mCup\"", "event: \"\\u{1b}[31mCup\": expected 1 to 80 printable characters"),
        ("site = \"\\u202eHere\"", "site: \"\\u{202e}Here\": expected 1 to 80 printable characters"),
        ("[[engine]]\ncmd = 'c'\nname = \"\\u202eC\"", "engine ` C`: name= C: expected 1 to 80 printable characters"),
        ("sprt = { elo2 = 5 }", "cup.toml:1: `sprt = { elo2 = 5 }`: unknown key `elo2`; did you mean `elo"),
        ("sprt = {}\nsystem = 'swiss'", "sprt: a swiss has no test: expected a match of two engines"),
        ("concurrency = 0", "concurrency: 0: expected 1 to 512"),
        ("grace = -1", "grace: -1: expected seconds from 0.001 to 1000"),
        ("draws = false\ndraws_from = 3", "draws_from: does not apply with draws = false"),
        ("openings = { order = 'backwards' }", "cup.toml:1: `openings = { order = 'backwards' }`: unknown variant"),
        (
            "adjudication = { win = { score = 5 } }",
            "cup.toml:1: `adjudication = { win = { score = 5 } }`: missing field",
        ),
        ("[[engine]]\nname = 'C'", "cup.toml:1: `[[engine]]`: engine `C`: `cmd` is missing or empty"),
        ("[[engine]]\ncmd = 'c'\nhsah = 16", "engine `c`: unknown key `hsah`"),
        ("[[team]]\nname = 'T'", "cup.toml:1: `[[team]]`: missing field `engines`"),
    ];
    for (text, message) in cases {
        let error = read(&format!("{text}\n{TWO}")).unwrap_err();
        assert!(error.contains(message), "{text:?} gives {error:?}, expected {message:?}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    let many: String = (0..100).map(|i| format!("[[engine]]\nname = '{i}'\ncmd = 'x'\n")).collect();
    let error = read(&format!("system = 'round-robin'\ngames = 1000\n{many}")).unwrap_err();
    assert_eq!(error, "games: up to 4950000 games in all: expected at most 1000000");
    assert_eq!(read("").unwrap_err(), "engine: 0 given: expected two or more, by [[engine]] or --engine");
    let missing = ConfigFile::read(Path::new("no/such.toml")).unwrap_err().to_string();
    assert!(missing.starts_with("cannot read no/such.toml: "), "{missing}");
}

#[test]
fn a_test_in_words() {
    let text = "elo0=-10,elo1=0 alpha=0.01 model=normalized";
    let SprtConfig(sprt) = text.parse().unwrap();
    let same = read(&format!("sprt = {{ elo0 = -10, elo1 = 0, alpha = 0.01, model = 'normalized' }}\n{TWO}")).unwrap();
    assert_eq!(same.sprt, Some(sprt));
    for (text, message) in [
        ("elo0", "`elo0`: expected words such as elo0=0"),
        ("elo0=x", "`elo0=x`: expected a number after elo0="),
        ("elo=1", "`elo=1`: expected elo0, elo1, alpha, beta or model"),
        ("model=glicko", "`model=glicko`: expected model=logistic or model=normalized"),
        ("alpha=0.7", "alpha is 0.7: expected a probability above 0 and below 0.5"),
    ] {
        let error = text.parse::<SprtConfig>().unwrap_err();
        assert!(error.starts_with(message), "{error}");
    }
}

/// Numbers beyond all sense are not multiplied.
#[test]
fn absurd_threads_leave_one_game_at_once() {
    let text = format!("ponder = true\n{TWO}options = {{ Threads = '{}' }}\n", usize::MAX / 2 + 1);
    assert_eq!(read(&text).unwrap().concurrency, 1);
}

/// Games in pairs need no second cycle on the same openings; single games do.
#[test]
fn openings_come_again_in_the_second_cycle_of_single_games_only() {
    for (games, expected) in [(1, 1), (2, 0)] {
        let text = format!("system = 'double-round-robin'\ngames = {games}\n{TWO}");
        let tournament = read(&text).unwrap().tournament().unwrap();
        assert!(matches!(tournament.course(), Course::System { cycle, .. } if *cycle == expected), "{games}");
    }
}

/// What changes no result changes nothing in the setup; the rest does.
#[test]
fn the_setup_knows_what_matters() {
    let setup = |text: &str| read(&format!("{text}\n{TWO}")).unwrap().setup();
    let plain = setup("");
    for same in ["concurrency = 1", "journal = 'x'", "html = 'x.html'", "affinity = true", "games = 100"] {
        assert_eq!(setup(same), plain, "{same}");
    }
    for other in [
        "games = 10",
        "tc = '1+1'",
        "rules = 'alwaysdraw'",
        "openings = { seed = 3 }",
        "sprt = {}",
        "ponder = true",
        "pgn = 'x.pgn'",
    ] {
        assert_ne!(setup(other), plain, "{other}");
    }
}

/// Files in `tests/data`, written by the revision before setups had a type.
fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn setup_of(contents: &Contents) -> &serde_json::Value {
    &contents.begin.as_ref().expect("it has begun").setup
}

#[test]
fn journals_of_earlier_versions_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let [journal, games] = ["cup.jsonl", "cup.pgn"].map(|name| {
        let copy = folder.path().join(name);
        std::fs::copy(data(name), &copy).unwrap();
        copy
    });
    let config = Config::new(ConfigFile::read(&data("cup.toml")).unwrap(), 4).unwrap();
    let mut setup = config.setup();
    setup.openings.fingerprint = Some(Fingerprint::of(&std::fs::read(data("lines.txt")).unwrap()));
    let resumed = journal::resume(&journal, Some(&games), &setup).unwrap();
    assert_eq!(&serde_json::to_value(&setup).unwrap(), setup_of(&resumed.contents));
    let mut tournament = config.tournament().unwrap();
    for entry in &resumed.contents.entries {
        tournament.apply(&entry.event).unwrap();
    }
    assert_eq!((tournament.history().games.len(), tournament.is_over()), (6, Ok(true)));
    // The organiser's decision is the last line but one.
    let corrected = tournament.result(&tournament.played()[1].slot).unwrap();
    assert_eq!(corrected.outcome, Outcome::RedWins);
    assert_eq!(std::fs::read(&games).unwrap(), std::fs::read(data("cup.pgn")).unwrap());
}

#[test]
fn a_setup_reads_back_as_it_was_written() {
    for name in ["cup.jsonl", "test.jsonl"] {
        let contents = journal::read(&data(name)).unwrap();
        let setup = Setup::read(setup_of(&contents)).unwrap();
        assert_eq!(&serde_json::to_value(&setup).unwrap(), setup_of(&contents), "{name}");
    }
    let refused = Setup::read(&serde_json::json!({"event": "cup"})).unwrap_err().to_string();
    assert!(refused.starts_with("setup: missing field"), "{refused}");
}
