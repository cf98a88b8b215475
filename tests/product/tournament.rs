//! `chuhe match` with engines that answer at once, or misbehave: nothing is lost, whatever ends a run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::{among_others, program};
use stub::stub;

/// The engine that does what it is told.
#[path = "../../client/tests/stub/build.rs"]
mod stub;

/// An engine that plays at random, differently for each name.
fn engine(name: &str, habits: &str) -> String {
    let seed: u32 = name.bytes().map(u32::from).sum();
    format!("name={name} cmd='{} --seed={seed} {habits}'", stub())
}

/// A folder for files, and the arguments of a match in it.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new() -> Bench {
        Bench { folder: tempfile::tempdir().expect("a scratch folder") }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// `chuhe match` with arguments, files relative to the folder.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(program());
        command.arg("match").args(args).current_dir(self.folder.path()).env_remove("RUST_LOG");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// A match of two engines that is written down.
    fn play(&self, games: &str, habits: &str, more: &[&str]) -> Command {
        let mut command = self.command(&["--games", games, "--tc", "depth=1", "--concurrency", "2"]);
        command.args(["--engine", &engine("A", habits), "--engine", &engine("B", habits)]);
        command.args(["--pgn", "m.pgn", "--journal", "m.jsonl"]).args(more);
        command
    }

    /// Games of the journal by their place, and of the PGN file by the same; each place must come once.
    fn games(&self) -> BTreeSet<String> {
        let mut journal = BTreeSet::new();
        let mut end = 0;
        let pgn = self.read("m.pgn");
        for line in self.read("m.jsonl").lines() {
            let line: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
            if line["event"] != "game" {
                continue;
            }
            assert!(journal.insert(place(&line)), "twice in the journal: {line}");
            let (offset, length) = (line["pgn"]["offset"].as_u64(), line["pgn"]["length"].as_u64());
            assert_eq!(offset, Some(end), "games follow each other");
            end += length.expect("a length");
            let text = &pgn[offset.unwrap_or(0) as usize..end as usize];
            assert!(text.contains(&format!("[Round \"{}\"]", place(&line))), "{text}");
            assert!(text.contains(&format!("[Red \"{}\"]", line["red"].as_str().expect("a name"))), "{text}");
        }
        assert_eq!(pgn.len() as u64, end, "the games and nothing else");
        let rounds: Vec<&str> = pgn.lines().filter(|line| line.starts_with("[Round ")).collect();
        assert_eq!(rounds.len(), journal.len());
        journal
    }
}

/// A game's place: stage, round, table, board, game.
fn place(game: &Value) -> String {
    let slot = &game["slot"];
    let encounter = &slot["encounter"];
    [&encounter["stage"], &encounter["round"], &encounter["table"], &slot["board"], &slot["game"]]
        .map(Value::to_string)
        .join(".")
}

fn run(command: &mut Command) -> Output {
    command.output().expect("chuhe starts")
}

/// The output of a run that must succeed in silence.
fn good(command: &mut Command) -> String {
    let output = run(command);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{command:?}: {}: {errors}", output.status);
    String::from_utf8(output.stdout).expect("results are UTF-8")
}

/// The complaint of a run that must refuse: one line.
fn refused(command: &mut Command) -> String {
    let output = run(command);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{command:?}: {errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    errors
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

/// The last line of a run with `--format json`.
fn summary(text: &str) -> Value {
    let last = json_lines(text).pop().expect("a summary");
    assert_eq!(last["type"], "summary");
    last
}

/// Waits until so many games are in the journal.
fn wait_for_games(bench: &Bench, count: usize) {
    let start = Instant::now();
    while bench.read("m.jsonl").matches("\"event\":\"game\"").count() < count {
        assert!(start.elapsed() < Duration::from_secs(60), "no {count} games within a minute");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn finish(mut child: Child) -> (Output, Duration) {
    let start = Instant::now();
    while child.try_wait().expect("it can be waited for").is_none() {
        assert!(start.elapsed() < Duration::from_secs(30), "it does not end");
        std::thread::sleep(Duration::from_millis(2));
    }
    let took = start.elapsed();
    (child.wait_with_output().expect("it has ended"), took)
}

#[test]
fn games_and_summary_as_json() {
    let _machine = among_others();
    let bench = Bench::new();
    let text = good(&mut bench.play("6", "", &["--format", "json"]));
    let lines = json_lines(&text);
    let (summary, games) = lines.split_last().expect("lines");
    assert_eq!((games.len(), bench.games().len()), (6, 6));
    let mut openings: BTreeMap<u64, Vec<(String, String)>> = BTreeMap::new();
    for (number, game) in (1..).zip(games) {
        assert_eq!((game["type"].as_str(), game["number"].as_u64()), (Some("game"), Some(number)));
        for key in ["outcome", "termination", "reason"] {
            assert!(game[key].is_string(), "{key}: {game}");
        }
        assert!(game["plies"].as_u64() > Some(8) && game["usage"][0]["moves"].as_u64() > Some(0), "{game}");
        let name = |key: &str| game[key].as_str().expect("a name").to_owned();
        let index = game["opening"]["index"].as_u64().expect("an opening");
        openings.entry(index).or_default().push((name("red"), name("black")));
    }
    for pair in openings.values() {
        assert_eq!(pair.len(), 2, "{openings:?}");
        assert_eq!(pair[0], (pair[1].1.clone(), pair[1].0.clone()), "colours reversed");
    }
    assert_eq!((summary["games"].as_u64(), summary["finished"].as_bool()), (Some(6), Some(true)));
    assert_eq!(summary["standings"]["rows"].as_array().map(Vec::len), Some(2));
    let pairing = &summary["pairings"][0];
    let counts = |value: &Value| value.as_array().expect("counts").iter().filter_map(Value::as_u64).sum::<u64>();
    assert_eq!((counts(&pairing["won_drawn_lost"]), counts(&pairing["pairs"])), (6, 3));
    assert!(pairing["estimate"]["score"].is_number() && summary["engines"][1]["moves"].as_u64() > Some(0));
    // A game gives one point, whoever gets it.
    let points = |row: &Value| row["points"].as_f64();
    let rows = summary["standings"]["rows"].as_array().expect("rows");
    assert_eq!(rows.iter().map(points).sum::<Option<f64>>(), Some(6.0));
    for line in &lines {
        let unknown = keys(line).into_iter().find(|key| !DOCUMENTATION.contains(&format!("`{key}`")));
        assert_eq!(unknown, None, "docs/tournaments.md does not tell of a key");
    }
}

const DOCUMENTATION: &str = include_str!("../../docs/tournaments.md");

/// All keys of an object and of what is in it.
fn keys(value: &Value) -> Vec<String> {
    match value {
        Value::Object(object) => {
            object.iter().flat_map(|(key, value)| [vec![key.clone()], keys(value)].concat()).collect()
        }
        Value::Array(values) => values.iter().flat_map(keys).collect(),
        _ => Vec::new(),
    }
}

/// Killed at odd moments and taken up again, over and over: each game once, in both files.
#[cfg(unix)]
#[test]
fn kill_9_at_any_moment_loses_nothing() {
    let _machine = among_others();
    let bench = Bench::new();
    let mut runs = 0;
    let start = Instant::now();
    loop {
        let mut child = bench.play("500", "", &["--resume"]).spawn().expect("chuhe starts");
        // The first kills fall into the start, before there is any file; later ones into games and writing.
        std::thread::sleep(Duration::from_millis(5 + 37 * runs % 300));
        let over = child.try_wait().expect("it can be waited for");
        if let Some(status) = over {
            assert!(status.success(), "{:?}", child.wait_with_output());
            break;
        }
        child.kill().expect("it runs");
        child.wait().expect("it has ended");
        runs += 1;
        if start.elapsed() > Duration::from_secs(40) {
            // A slow machine gets no further within these pieces.
            good(&mut bench.play("500", "", &["--resume", "--format", "json"]));
            break;
        }
    }
    assert!(runs >= 3, "killed {runs} times only");
    assert_eq!(bench.games().len(), 500);
    let standings = good(&mut bench.command(&["standings", "--journal", "m.jsonl", "--format", "json"]));
    assert_eq!(summary(&standings)["games"], 500);
}

/// The first interrupt ends a run in good order and leaves no process behind.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_cleanly() {
    let _machine = among_others();
    let bench = Bench::new();
    let mark = format!("--late=10 --slow-start={}", std::process::id() % 50);
    let child = bench.play("400", &mark, &[]).spawn().expect("chuhe starts");
    wait_for_games(&bench, 3);
    let signal = Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status();
    assert!(signal.is_ok_and(|status| status.success()));
    let (output, took) = finish(child);
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert_eq!(output.status.code(), Some(0));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("--resume continues"), "{errors}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("not finished"));
    let games = bench.games().len();
    assert!((3..400).contains(&games), "{games}");
    let words = mark.replace(' ', "\0") + "\0";
    let is_left = |line: &[u8]| {
        let line = String::from_utf8_lossy(line);
        line.starts_with(stub()) && line.contains(&words)
    };
    let processes = std::fs::read_dir("/proc").expect("a list of processes").flatten();
    let left =
        processes.filter(|process| std::fs::read(process.path().join("cmdline")).is_ok_and(|line| is_left(&line)));
    assert_eq!(left.count(), 0, "engines are left");
    // Another number of games is another match.
    let error = refused(&mut bench.play("401", &mark, &["--resume"]));
    assert!(error.contains("m.jsonl belongs to another tournament: games is 401 now and was 400"), "{error}");
}

/// Other ways to ask for the end: a service manager, a terminal that is closed.
#[cfg(target_os = "linux")]
#[test]
fn other_signals_end_cleanly_too() {
    let _machine = among_others();
    let signal = |name: &str, child: &Child| {
        let sent = Command::new("kill").args(["-s", name, &child.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()));
    };
    let bench = Bench::new();
    let child = bench.play("400", "--late=10", &[]).spawn().expect("chuhe starts");
    wait_for_games(&bench, 2);
    signal("TERM", &child);
    let (output, _) = finish(child);
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--resume continues"));
    assert!(bench.games().len() < 400);
    // What `nohup` does: the signal is ignored, and the match goes on.
    let bench = Bench::new();
    let play = bench.play("8", "--late=10", &[]);
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' HUP; exec \"$0\" \"$@\""]).arg(program()).args(play.get_args());
    shell.current_dir(bench.folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = shell.spawn().expect("a shell");
    wait_for_games(&bench, 2);
    signal("HUP", &child);
    let (output, _) = finish(child);
    assert_eq!((output.status.code(), bench.games().len()), (Some(0), 8));
}

/// A match with files is played to its end though nobody sees it; one without is of no use to anybody.
#[test]
fn a_lost_output_loses_no_game() {
    use std::io::{BufRead as _, BufReader};

    let _machine = among_others();
    let one_line = |command: &mut Command| {
        let mut child = command.spawn().expect("chuhe starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a game");
        finish(child).0
    };
    for format in ["json", "text"] {
        let bench = Bench::new();
        let output = one_line(&mut bench.play("30", "", &["--html", "m.html", "--format", format]));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), errors.lines().count()), (Some(0), 1), "{errors}");
        assert!(
            errors.contains("standard output is lost (") && errors.contains("continues and writes its files"),
            "{errors}"
        );
        assert_eq!(bench.games().len(), 30);
        assert!(bench.read("m.html").contains("id=\"games\""));
    }
    let bench = Bench::new();
    let (a, b) = (engine("A", ""), engine("B", ""));
    let output = one_line(&mut bench.command(&["--games", "400", "--tc", "depth=1", "--engine", &a, "--engine", &b]));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), errors.lines().count()), (Some(2), 1), "{errors}");
    assert!(errors.contains("the reader of the output is gone: stopped after "), "{errors}");
}

/// The report does not depend on the tables, which cannot be printed.
#[cfg(target_os = "linux")]
#[test]
fn the_report_is_written_though_the_output_is_full() {
    let _machine = among_others();
    let bench = Bench::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("it is there");
    let output = run(bench.play("4", "", &["--html", "m.html"]).stdout(full));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("cannot write the results: No space left"), "{errors}");
    assert_eq!(bench.games().len(), 4);
    assert!(bench.read("m.html").contains("id=\"games\""));
}

/// After a decision the report can be made anew.
#[test]
fn the_report_is_made_anew_from_journal_and_games() {
    let _machine = among_others();
    let bench = Bench::new();
    good(&mut bench.play("4", "", &["--html", "m.html"]));
    let act = ["forfeit", "--journal", "m.jsonl", "--game", "2", "--engine", "A", "--reason", "left the hall"];
    good(&mut bench.command(&act));
    assert!(!bench.read("m.html").contains("left the hall"));
    let redraw = ["standings", "--journal", "m.jsonl", "--overwrite", "--html", "m.html", "--pgn", "m.pgn"];
    assert!(good(&mut bench.command(&redraw)).contains("A"));
    let page = bench.read("m.html");
    assert!(page.contains("left the hall") && page.contains("corrected by the organiser") && page.contains("depth=1"));
    let no_games = &redraw[..6];
    good(&mut bench.command(no_games));
    assert!(bench.read("m.html").contains("left the hall") && !bench.read("m.html").contains("corrected by"));
    let changed = bench.read("m.pgn").replacen("[Red \"A\"]", "[Red \"Z\"]", 1);
    std::fs::write(bench.path("m.pgn"), changed).expect("written");
    let error = refused(&mut bench.command(&redraw));
    assert!(error.contains("m.pgn: game ") && error.contains("differs from the journal"), "{error}");
}

/// Names that would steer the terminal are refused, in flags as in files.
#[test]
fn values_are_refused_in_plain_words() {
    let _machine = among_others();
    let bench = Bench::new();
    let (a, b) = (engine("A", ""), engine("B", ""));
    let cases: [(&[&str], &str); 6] = [
        (&["--tc", "-1+2"], "`-1` is not a time"),
        (&["--margin", "-5"], "invalid value '-5' for '--margin"),
        (&["--games", "-5"], "invalid value '-5' for '--games"),
        (&["--sprt", "elo0=5 alpha=0.6"], "alpha is 0.6: expected a probability"),
        (&["--event", "\u{1b}[31mCup"], "event: \"\\u{1b}[31mCup\": expected 1 to 80 printable characters"),
        (&["--engine", "name='a\u{202e}b' cmd=x"], "name=a b: expected 1 to 80 printable characters"),
    ];
    for (args, message) in cases {
        let error = refused(bench.command(args).args(["--engine", &a, "--engine", &b]));
        assert!(error.contains(message), "{args:?} gives {error:?}, expected {message:?}");
    }
    let foo = format!("{a} option.Foo=1");
    let output = run(&mut bench.command(&["--games", "2", "--tc", "depth=1", "--engine", &foo, "--engine", &b]));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.starts_with("chuhe: warning: engine A has no option Foo"), "{errors}");
}

/// The limit on the size of files stands for a full disk: it leaves half of what was written.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing_in_silence() {
    let _machine = among_others();
    let bench = Bench::new();
    // Blocks of 512 bytes.
    let limited = |blocks: usize, full: &str| {
        let play = bench.play("30", "", &["--resume"]);
        let mut shell = Command::new("sh");
        shell.args(["-c", "trap '' XFSZ; ulimit -f \"$0\"; exec \"$@\"", &blocks.to_string()]);
        shell.arg(program()).args(play.get_args());
        let errors = refused(shell.current_dir(bench.folder.path()));
        assert!(errors.contains(&format!("cannot write {full}: File too large")), "{errors}");
        assert!(errors.contains("is not in the files; all games before it are"), "{errors}");
        bench.games().len()
    };
    // Games are larger than lines of the journal.
    for blocks in [20, 33, 64, 97] {
        limited(blocks, "m.pgn");
    }
    // A long reason makes the journal the larger file: now a game is in the PGN file already when its line is cut.
    let reason = "x".repeat(100_000);
    let mut act = bench.command(&["correct", "--journal", "m.jsonl", "--game", "1", "--result", "1-0"]);
    good(act.args(["--reason", &reason]));
    let before = bench.games().len();
    let after = limited(bench.read("m.jsonl").len().div_ceil(512) + 3, "m.jsonl");
    assert!((before..30).contains(&after), "{before} {after}");
    good(&mut bench.play("30", "", &["--resume"]));
    assert_eq!(bench.games().len(), 30);
}

#[test]
fn what_is_there_is_not_overwritten() {
    let _machine = among_others();
    let bench = Bench::new();
    good(&mut bench.play("2", "", &[]));
    let before = (bench.read("m.pgn"), bench.read("m.jsonl"));
    let error = refused(&mut bench.play("2", "", &[]));
    assert!(error.contains("m.pgn already exists (--resume continues it)"), "{error}");
    let other = engine("C", "");
    let error = refused(&mut bench.play("2", "", &["--resume", "--engine", &other, "--system", "round-robin"]));
    assert!(error.contains("to another tournament"), "{error}");
    assert_eq!((bench.read("m.pgn"), bench.read("m.jsonl")), before);
    // Nothing is left to be played.
    let text = good(&mut bench.play("2", "", &["--resume", "--format", "json"]));
    assert_eq!((text.lines().count(), &summary(&text)["games"]), (1, &Value::from(2)));
}

/// What somebody has done to the files meanwhile is refused, not cut off.
#[test]
fn a_changed_file_of_games_is_left_alone() {
    let _machine = among_others();
    let bench = Bench::new();
    good(&mut bench.play("2", "", &[]));
    let (games, journal) = (bench.read("m.pgn"), bench.read("m.jsonl"));
    let annotated = games.replacen("{book", "{a fine move, book", 1);
    assert_ne!(annotated, games);
    for (text, message) in [
        (annotated, "m.pgn: game 1 has changed"),
        (format!("{games}{games}"), "m.pgn has more than one game beyond byte"),
        (String::new(), "m.pgn has 0 bytes: expected at least"),
    ] {
        std::fs::write(bench.path("m.pgn"), &text).expect("written");
        let error = refused(&mut bench.play("2", "", &["--resume"]));
        assert!(error.contains(message), "{error}");
        assert_eq!((bench.read("m.pgn"), bench.read("m.jsonl")), (text, journal.clone()));
    }
    // Somebody's games, and a journal that does not exist.
    std::fs::write(bench.path("m.pgn"), &games).expect("written");
    std::fs::rename(bench.path("m.jsonl"), bench.path("old.jsonl")).expect("renamed");
    let error = refused(&mut bench.play("2", "", &["--resume"]));
    assert!(error.contains("m.pgn is not empty, but m.jsonl is"), "{error}");
    assert!(bench.read("m.pgn") == games && !bench.path("m.jsonl").exists());
    // One file by two names.
    let error = refused(&mut bench.play("2", "", &["--html", "./m.pgn"]));
    assert!(error.contains("m.pgn is used for two files"), "{error}");
}

/// A result or a decision that somebody has edited is refused by everything that reads the journal, and stays as it is.
#[test]
fn a_changed_journal_is_left_alone() {
    let _machine = among_others();
    let bench = Bench::new();
    good(&mut bench.play("2", "", &[]));
    let act = ["correct", "--journal", "m.jsonl", "--game", "1", "--result", "1/2-1/2", "--reason", "misread"];
    good(&mut bench.command(&act));
    let journal = bench.read("m.jsonl");
    let lines: Vec<&str> = journal.lines().collect();
    let line_of = |word: &str| 1 + lines.iter().position(|line| line.contains(word)).expect("it is there");
    let outcome = lines.iter().find_map(|line| line.split(r#""outcome":""#).nth(1)?.split('"').next()).expect("a game");
    let other = if outcome == "red-wins" { "black-wins" } else { "red-wins" };
    let [old, new] = [outcome, other].map(|outcome| format!(r#""outcome":"{outcome}""#));
    for (text, line) in [
        (journal.replacen(&old, &new, 1), line_of(r#""event":"game""#)),
        (journal.replace("misread", "misheard"), line_of("misread")),
        (journal.replace("\"game\":1,\"outcome\"", "\"game\":2,\"outcome\""), line_of("misread")),
    ] {
        assert_ne!(text, journal);
        std::fs::write(bench.path("m.jsonl"), &text).expect("written");
        for command in [
            &mut bench.play("2", "", &["--resume"]),
            &mut bench.command(&["standings", "--journal", "m.jsonl"]),
            &mut bench.command(&act),
        ] {
            let error = refused(command);
            assert!(error.contains(&format!("m.jsonl:{line}: ")), "{error}");
        }
        assert_eq!(bench.read("m.jsonl"), text);
    }
}

/// Without a file of games the report has those of its own run, and the journal does not speak of any file.
#[test]
fn a_report_needs_no_file_of_games() {
    let _machine = among_others();
    let bench = Bench::new();
    let mut text = String::new();
    for more in [&[][..], &["--resume"]] {
        let mut command =
            bench.command(&["--games", "4", "--tc", "depth=1", "--journal", "m.jsonl", "--html", "m.html"]);
        command.args(["--engine", &engine("A", ""), "--engine", &engine("B", "")]);
        good(command.args(more));
        let page = bench.read("m.html");
        if more.is_empty() {
            assert!(page.contains("id=\"games\"") && !page.contains("more games were played"));
            assert!(!bench.read("m.jsonl").contains("offset"));
            // One game is played again.
            let act = ["replay", "--journal", "m.jsonl", "--game", "2", "--reason", "power cut"];
            good(&mut bench.command(&act));
        } else {
            assert!(page.contains("3 more games were played"));
        }
        text = page;
    }
    assert!(text.contains("power cut"));
}

/// All won is no number of Elo, but a bound of one.
#[test]
fn all_won_is_beyond_measure() {
    let _machine = among_others();
    let bench = Bench::new();
    let engines = [engine("A", ""), engine("B", "--resign-at=3")];
    let command = |more: &[&str]| {
        let mut command = bench.command(&["--games", "20", "--tc", "depth=1", "--html", "m.html"]);
        command.args(["--engine", &engines[0], "--engine", &engines[1]]).args(more);
        command
    };
    let text = good(&mut command(&[]));
    // 0.05^(1/10), see the tests of the statistics.
    assert!(text.contains("+20 =0 -0, 100.0 %\n  Elo all won, at least +182.7 (95 %), likelihood"), "{text}");
    assert!(bench.read("m.html").contains("all won, ≥ +183"));
    let summary = summary(&good(&mut command(&["--format", "json", "--overwrite"])));
    let estimate = &summary["pairings"][0]["estimate"];
    for key in ["elo", "elo_error", "elo_high", "normalized_elo", "normalized_elo_error"] {
        assert_eq!(estimate.get(key), Some(&Value::Null), "{key}");
    }
    assert!(estimate["elo_low"].as_f64().is_some_and(|low| (low - 182.7).abs() < 0.1), "{estimate}");
}

/// One line that names the culprit, exit code 2, no game, no file.
#[test]
fn bad_input_is_refused_before_the_first_game() {
    let _machine = among_others();
    let bench = Bench::new();
    let (a, b) = (engine("A", ""), engine("B", ""));
    let mute = engine("M", "--mute");
    std::fs::write(bench.path("bad.toml"), "games = 4\n\nopenigns = 'book'\n").expect("written");
    std::fs::write(bench.path("bad.txt"), "h2e2 h9g7\nh2e2 h2e2\n").expect("written");
    let cases: [(&[&str], &str); 15] = [
        (&["--engine", &a], "engine: 1 given: expected two or more"),
        (&["--engine", &a, "--engine", "name=X cmd=/no/such/program"], "engine X: does not start: "),
        (&["--engine", &a, "--engine", &mute], "engine M: no handshake: "),
        (&["--engine", &a, "--engine", "name=X"], "engine `X`: `cmd` is missing"),
        (&["--config", "no.toml"], "cannot read no.toml: "),
        (
            &["--config", "bad.toml"],
            "bad.toml:3: `openigns = 'book'`: unknown key `openigns`; did you mean `openings`?",
        ),
        (&["--engine", &a, "--engine", &b, "--openings", "bad.txt"], "bad.txt, line 2: ply 2: found `h2e2`"),
        (&["--engine", &a, "--engine", &b, "--openings", "no.txt"], "cannot read no.txt: "),
        (&["--engine", &a, "--engine", &b, "--pgn", "no/folder.pgn"], "cannot write no/folder.pgn: "),
        (&["--engine", &a, "--engine", &b, "--journal", "no/folder.jsonl"], "cannot write no/folder.jsonl: "),
        (&["--engine", &a, "--engine", &b, "--pgn", "m.pgn", "--journal", "no/j"], "cannot write no/j: "),
        (
            &["--engine", &a, "--engine", "name='X\nY' cmd=x"],
            "engine `X Y`: name=X Y: expected 1 to 80 printable characters",
        ),
        (&["--engine", &a, "--engine", &b, "--html", "no/folder.html"], "cannot write no/folder.html: "),
        (&["--engine", &a, "--engine", &b, "--resume"], "--resume needs --journal"),
        (&["--engine", &a, "--engine", &b, "--system", "groups"], "system: 2 entrants: expected 4 to"),
    ];
    for (args, message) in cases {
        let error = refused(bench.command(args).args(["--games", "2", "--tc", "depth=1"]));
        assert!(error.contains(message), "{args:?} gives {error:?}, expected {message:?}");
    }
    let mut left: Vec<_> = std::fs::read_dir(bench.folder.path()).expect("a folder").flatten().collect();
    left.retain(|entry| !entry.file_name().to_string_lossy().starts_with("bad."));
    assert!(left.is_empty(), "{left:?}");
}

/// Every system from one file, by real processes.
#[test]
fn every_system_comes_to_its_end() {
    let _machine = among_others();
    let cases = [
        ("system = 'round-robin'", 5, Some(20)),
        ("system = 'double-round-robin'\ngames = 1", 4, Some(12)),
        ("system = { kind = 'gauntlet', challengers = 2 }", 5, Some(12)),
        ("system = { kind = 'knock-out', third_place = true, extra_games = 2 }", 6, None),
        ("system = { kind = 'double-knock-out', extra_games = 2 }", 4, None),
        ("system = { kind = 'groups', finals = 'knock-out' }", 6, None),
        ("system = { kind = 'swiss', rounds = 3 }", 5, Some(12)),
    ];
    for (system, engines, games) in cases {
        let bench = Bench::new();
        let mut text = format!("event = 'Cup'\n{system}\ntc = 'depth=1'\nconcurrency = 2\npgn = 'm.pgn'\n");
        text.push_str("journal = 'm.jsonl'\nhtml = 'm.html'\n");
        for number in 0..engines {
            let name = char::from(b'A' + number);
            text.push_str(&format!("[[engine]]\nname = '{name}'\ncmd = ['{}', '--seed={number}']\n", stub()));
        }
        std::fs::write(bench.path("cup.toml"), text).expect("written");
        let output = good(&mut bench.command(&["--config", "cup.toml", "--format", "json"]));
        let summary = summary(&output);
        assert_eq!((&summary["event"], &summary["finished"]), (&Value::from("Cup"), &Value::from(true)), "{system}");
        let played = bench.games().len();
        assert!(games.map_or(played > 4, |games| played == games), "{system}: {played}");
        assert_eq!(summary["standings"]["rows"].as_array().map(Vec::len), Some(engines.into()), "{system}");
        assert_eq!(summary["standings"]["rows"][0]["place"], 1, "{system}");
        let page = bench.read("m.html");
        assert!(page.starts_with("<!DOCTYPE html>") && page.contains("Cup"), "{system}");
    }
}

#[test]
fn teams_play_by_board() {
    let _machine = among_others();
    let bench = Bench::new();
    let mut text = "tc = 'depth=1'\npgn = 'm.pgn'\njournal = 'm.jsonl'\n".to_owned();
    for name in ["A", "B", "C", "D"] {
        text.push_str(&format!("[[engine]]\nname = '{name}'\ncmd = '{}'\n", stub()));
    }
    text.push_str("[[team]]\nname = 'North'\nengines = ['A', 'B']\n[[team]]\nname = 'South'\nengines = ['C', 'D']\n");
    std::fs::write(bench.path("teams.toml"), text).expect("written");
    let output = good(&mut bench.command(&["--config", "teams.toml", "--format", "json"]));
    assert_eq!(bench.games().len(), 4);
    assert_eq!(summary(&output)["entrants"], Value::from(vec!["North", "South"]));
    for game in json_lines(&output).iter().filter(|line| line["type"] == "game") {
        let mut players = [&game["red"], &game["black"]].map(|name| name.as_str().expect("a name"));
        players.sort_unstable();
        let expected = if game["slot"]["board"] == 1 { ["A", "C"] } else { ["B", "D"] };
        assert_eq!(players, expected);
    }
}

/// Who fails loses that game and no other; the match goes on, and that is no fault of the data.
#[test]
fn who_fails_loses_and_the_match_goes_on() {
    let _machine = among_others();
    for (habit, termination) in [
        ("--crash-at=5", "crash"),
        ("--illegal-at=5", "illegal-move"),
        ("--unreadable-at=5", "no-move"),
        ("--no-move-at=5", "no-move"),
    ] {
        let bench = Bench::new();
        let mut command = bench.command(&["--games", "4", "--tc", "depth=1", "--openings", "startpos"]);
        command.args(["--engine", &engine("Bad", habit), "--engine", &engine("Good", ""), "--format", "json"]);
        let output = good(&mut command);
        let lines = json_lines(&output);
        let (summary, games) = lines.split_last().expect("lines");
        assert_eq!(games.len(), 4, "{habit}");
        for game in games {
            let winner = if game["outcome"] == "red-wins" { &game["red"] } else { &game["black"] };
            assert_eq!((winner.as_str(), &game["termination"]), (Some("Good"), &Value::from(termination)), "{game}");
            assert!(!game["reason"].as_str().expect("a reason").is_empty());
        }
        assert_eq!(summary["engines"][0]["failures"][termination], 4, "{summary}");
        assert!(summary["engines"][1]["failures"].as_object().is_some_and(serde_json::Map::is_empty), "{summary}");
    }
}

/// An engine may have something to write down before it leaves.
#[cfg(unix)]
#[test]
fn engines_are_told_to_leave_when_all_is_over() {
    let _machine = among_others();
    let bench = Bench::new();
    let engine = |name| format!("name={name} proto=uci cmd='sh -c \"{}; echo left >>{name}.txt\"'", stub());
    let mut command = bench.command(&["--games", "2", "--tc", "depth=1", "--concurrency", "1"]);
    good(command.args(["--engine", &engine("A"), "--engine", &engine("B")]));
    // Once when it had been found out what it is, once at the end.
    assert_eq!([bench.read("A.txt"), bench.read("B.txt")], ["left\nleft\n"; 2]);
}

/// A program that is gone forfeits what is left; the match comes to its end.
#[cfg(unix)]
#[test]
fn who_cannot_be_started_any_more_forfeits() {
    let _machine = among_others();
    let bench = Bench::new();
    let copy = bench.path("gone");
    std::fs::copy(stub(), &copy).expect("copied");
    let mut command = bench.command(&["--games", "8", "--tc", "depth=1", "--concurrency", "1", "--restart"]);
    command.args(["--engine", &format!("name=Gone cmd='{} --late=5'", copy.display())]);
    command.args(["--engine", &engine("Good", ""), "--pgn", "m.pgn", "--journal", "m.jsonl", "--format", "json"]);
    let child = command.spawn().expect("chuhe starts");
    wait_for_games(&bench, 1);
    std::fs::remove_file(&copy).expect("removed");
    let (output, _) = finish(child);
    assert!(output.status.success(), "{output:?}");
    let lines = json_lines(&String::from_utf8_lossy(&output.stdout));
    let last = &lines[7];
    assert_eq!((lines.len(), &last["termination"]), (9, &Value::from("refusal")), "{last}");
    let outcome = if last["red"] == "Gone" { "red-forfeits" } else { "black-forfeits" };
    assert_eq!(last["outcome"], outcome, "{last}");
    assert_eq!(bench.games().len(), 8);
}

#[test]
fn a_test_stops_when_it_has_decided() {
    let _machine = among_others();
    for (habits, verdict) in [(["", "--resign-at=3"], "accept-h1"), (["--resign-at=3", ""], "accept-h0")] {
        let bench = Bench::new();
        let mut command = bench.command(&["--sprt", "elo0=0 elo1=10", "--tc", "depth=1", "--format", "json"]);
        command.args(["--engine", &engine("A", habits[0]), "--engine", &engine("B", habits[1])]);
        let summary = summary(&good(command.args(["--html", "m.html"])));
        assert_eq!((&summary["sprt"]["verdict"], &summary["finished"]), (&verdict.into(), &true.into()));
        assert!((40..400).contains(&summary["games"].as_u64().expect("games")), "{summary}");
        assert!(bench.read("m.html").contains("SPRT"));
    }
}

/// A file that describes a tournament of so many engines, and what comes of it: text, report, summary from the journal.
fn cup(bench: &Bench, system: &str, engines: u8) -> (String, String, Value) {
    let mut file = format!("event = 'Cup'\n{system}\ntc = 'depth=1'\nconcurrency = 2\n");
    file.push_str("pgn = 'm.pgn'\njournal = 'm.jsonl'\nhtml = 'm.html'\n");
    for number in 1..=engines {
        file.push_str(&format!("[[engine]]\nname = 'E{number}'\ncmd = ['{}', '--seed={number}']\n", stub()));
    }
    std::fs::write(bench.path("cup.toml"), file).expect("written");
    let text = good(&mut bench.command(&["--config", "cup.toml"]));
    let mut standings = bench.command(&["standings", "--journal", "m.jsonl", "--format", "json"]);
    (text, bench.read("m.html"), summary(&good(&mut standings)))
}

/// The lines of a table of text that begins with a head, up to the empty line, as cells.
fn table(text: &str, head: &str) -> Vec<Vec<String>> {
    let lines =
        text.lines().skip_while(|line| !line.trim_start().starts_with(head)).take_while(|line| !line.is_empty());
    let cells =
        |line: &str| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned).collect();
    lines.map(cells).collect()
}

/// Finals by knock-out have no criteria, the groups have: the values stand under their own heads.
#[test]
fn groups_with_other_finals_have_one_table() {
    let _machine = among_others();
    let bench = Bench::new();
    let (text, page, summary) = cup(&bench, "system = { kind = 'groups', qualify = 2, finals = 'knock-out' }", 7);
    let whole = table(&text, "name");
    assert_eq!(whole[0][6..], ["small", "wins", "direct", "fouls"], "{text}");
    assert_eq!(whole.len(), 8, "{text}");
    for (line, row) in whole[1..].iter().zip(summary["standings"]["rows"].as_array().expect("rows")) {
        let criteria = row["criteria"].as_array().expect("criteria");
        let values: Vec<String> = criteria.iter().map(|pair| pair[1].as_f64().expect("a number").to_string()).collect();
        let expected = if criteria.is_empty() { vec!["-".to_owned(); 4] } else { values };
        assert_eq!(line[7..], expected, "{text}");
    }
    assert_eq!(summary["groups"].as_array().map(Vec::len), Some(2));
    assert_eq!(summary["qualified"].as_array().map(Vec::len), Some(4));
    assert!(text.contains("\ngroup 2\n") && text.contains("\nin the finals: "), "{text}");
    assert!(page.contains("Standings: group 2") && page.contains("in the finals: "));
    // As many cells as heads in each line of the standings.
    for section in page.split("class=\"standings\"").skip(1) {
        let section = section.split("</table>").next().expect("a table");
        let cells = |row: &str| row.matches("</th>").count() + row.matches("</td>").count();
        let widths: BTreeSet<usize> = section.split("<tr>").skip(1).map(cells).collect();
        assert_eq!(widths.len(), 1, "{section}");
    }
    let unknown = keys(&summary).into_iter().find(|key| !DOCUMENTATION.contains(&format!("`{key}`")));
    assert!(unknown.is_none_or(|key| summary["terminations"].get(&key).is_some()));
}

#[test]
fn a_swiss_tells_of_its_byes() {
    let _machine = among_others();
    let bench = Bench::new();
    let (text, page, summary) = cup(&bench, "system = { kind = 'swiss', rounds = 2 }\ngames = 1", 3);
    assert!(table(&text, "name")[0].contains(&"byes".to_owned()), "{text}");
    let rounds = table(&text, "round");
    assert_eq!(rounds.len(), 5, "a head, and an encounter and a bye in each of two rounds: {text}");
    let free = summary["rounds"][0]["byes"][0].as_str().expect("a name");
    assert_eq!(rounds[2][..4], ["1", "-", free, "bye"], "{text}");
    assert!(page.contains(">Rounds<") && page.contains(">bye<") && page.contains(">byes<"));
}

/// A result on which a later round rests can be corrected, but nobody is paired anew; the tournament stays finished.
#[test]
fn a_corrected_knock_out_stays_as_it_was_paired() {
    let _machine = among_others();
    let bench = Bench::new();
    let (.., before) = cup(&bench, "system = 'knock-out'", 4);
    let correct = |game: u64, result: &str| {
        let game = game.to_string();
        let args = ["correct", "--journal", "m.jsonl", "--game", &game, "--result", result, "--reason", "misread"];
        good(&mut bench.command(&args))
    };
    let first = json_lines(&bench.read("m.jsonl")).into_iter().find(|line| line["event"] == "game").expect("a game");
    let result = if first["outcome"] == "red-wins" { "0-1" } else { "1-0" };
    let said = correct(1, result);
    assert_eq!(said, format!("game 1 is {result}; later rounds already announced are not changed\n"));
    let last = before["games"].as_u64().expect("a number");
    let said = correct(last, "1-0");
    assert_eq!(said, format!("game {last} is 1-0\n"));
    let now = summary(&good(&mut bench.command(&["standings", "--journal", "m.jsonl", "--format", "json"])));
    let pairs = |summary: &Value| {
        let rounds = summary["rounds"].as_array().expect("rounds").iter();
        let met = rounds.flat_map(|round| round["encounters"].as_array().expect("encounters"));
        met.map(|encounter| [encounter["first"].clone(), encounter["second"].clone()]).collect::<Vec<_>>()
    };
    assert_eq!(pairs(&now), pairs(&before));
}

#[test]
fn the_organiser_decides_with_a_reason() {
    let _machine = among_others();
    let bench = Bench::new();
    let output = good(&mut bench.play("4", "", &["--format", "json"]));
    let first = &json_lines(&output)[0];
    let red_won = first["outcome"] == "red-wins";
    let act = |args: &[&str]| bench.command(args);
    let error = refused(&mut act(&["correct", "--journal", "m.jsonl", "--game", "1", "--result", "1-0"]));
    assert!(error.contains("--reason"), "{error}");
    let new = if red_won { "0-1" } else { "1-0" };
    good(&mut act(&["correct", "--journal", "m.jsonl", "--game", "1", "--result", new, "--reason", "misread"]));
    let standings =
        |bench: &Bench| summary(&good(&mut bench.command(&["standings", "--journal", "m.jsonl", "--format", "json"])));
    assert_eq!(standings(&bench)["finished"], true, "a correction leaves nothing to play");
    good(&mut act(&["forfeit", "--journal", "m.jsonl", "--game", "2", "--engine", "A", "--reason", "absent"]));
    good(&mut act(&["replay", "--journal", "m.jsonl", "--game", "3", "--reason", "power cut"]));
    for (args, message) in [
        (["replay", "--game", "3"], "game 3 is to be played again"),
        (["replay", "--game", "9"], "there is no game 9: expected a number from 1 to 4"),
        (["withdraw", "--engine", "Z"], "no entrant is called \"Z\": expected one of A, B"),
    ] {
        let error = refused(act(&args).args(["--journal", "m.jsonl", "--reason", "x"]));
        assert!(error.contains(message), "{error}");
    }
    let now = standings(&bench);
    assert_eq!((&now["games"], &now["finished"]), (&Value::from(3), &Value::from(false)));
    // The replayed game is played, and the page tells of the decisions.
    let output = good(&mut bench.play("4", "", &["--resume", "--format", "json", "--html", "m.html"]));
    let games: Vec<Value> = json_lines(&output).into_iter().filter(|line| line["type"] == "game").collect();
    assert_eq!((games.len(), &games[0]["number"]), (1, &Value::from(5)));
    assert_eq!(summary(&output)["games"], 4);
    let page = bench.read("m.html");
    for text in ["misread", "absent", "power cut", "corrected by the organiser"] {
        assert!(page.contains(text), "{text}");
    }
    let outcome =
        |row: &Value| row["won_drawn_lost"].as_array().map(|counts| counts.iter().filter_map(Value::as_u64).sum());
    assert_eq!(outcome(&standings(&bench)["standings"]["rows"][0]), Some(4u64));
    let journal = json_lines(&bench.read("m.jsonl"));
    let acts: Vec<&Value> = journal.iter().filter(|line| line["event"] == "act").collect();
    assert_eq!(acts.len(), 3);
    assert!(acts.iter().all(|act| act["reason"].is_string() && act["at"].is_u64()), "{acts:?}");
}

/// A decision reaches a match that is being played; the second run of that match is refused.
#[test]
fn the_organiser_decides_while_games_are_played() {
    let _machine = among_others();
    let bench = Bench::new();
    let child = bench.play("400", "--late=2", &[]).spawn().expect("chuhe starts");
    wait_for_games(&bench, 2);
    let error = refused(&mut bench.play("400", "--late=2", &["--resume"]));
    assert!(error.contains("m.jsonl is in use by another run"), "{error}");
    let said = good(&mut bench.command(&[
        "withdraw",
        "--journal",
        "m.jsonl",
        "--engine",
        "B",
        "--reason",
        "the operator has gone home",
    ]));
    assert_eq!(said, "B withdraws; queued for the running tournament\n");
    let (output, _) = finish(child);
    assert!(output.status.success(), "{output:?}");
    assert!(bench.games().len() < 400);
    assert!(bench.read("m.jsonl").contains("the operator has gone home"));
    assert!(String::from_utf8_lossy(&output.stdout).contains("organiser: B withdraws (the operator has gone home)"));
}
