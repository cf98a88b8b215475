//! Files that commands write: what exists is kept unless `--overwrite` is given, links are not followed, and a file is there
//! whole or not at all.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use super::{among_others, program};

/// A folder with a game, lines of a book and a journal, and an empty folder `out`.
fn bench() -> TempDir {
    let bench = tempfile::tempdir().expect("a scratch folder");
    let write = |name: &str, text: &str| fs::write(bench.path().join(name), text).expect("written");
    write("game.pgn", "[Red \"A\"]\n\n1. h2e2 h9g7 *\n");
    write("lines", "C00\tCannon\tfirst\t3\th2e2 h9g7\n");
    fs::create_dir(bench.path().join("out")).expect("made");
    bench
}

/// Runs chuhe with these words in a folder.
fn chuhe(folder: &Path, words: &str) -> Output {
    let mut command = Command::new(program());
    command.args(words.split(' ')).current_dir(folder).env_remove("RUST_LOG").stdin(Stdio::null());
    command.output().expect("chuhe starts")
}

fn message(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A file in a folder.
fn read(path: &Path) -> String {
    String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned()
}

/// The names of all that is in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    names
}

/// Engines that need no process but this program.
fn players() -> String {
    let chuhe = program().into_string().expect("a simple name");
    format!("--engine name=A|cmd={chuhe} --engine name=B|cmd={chuhe} --games 2 --tc depth=1")
}

/// Runs a match with these further words.
fn play(folder: &Path, words: &str) -> Output {
    let mut command = Command::new(program());
    let words = format!("match {} {words}", players());
    command.args(words.split(' ').map(|word| word.replace('|', " ")));
    command.current_dir(folder).env_remove("RUST_LOG").stdin(Stdio::null()).output().expect("chuhe starts")
}

/// Commands that write one file below `out`, and its name.
const WRITERS: [(&str, &str); 4] = [
    ("convert game.pgn --to pgn -o out", "game.pgn"),
    ("judge game.pgn -o out", "0001-game_pgn_1.html"),
    ("judge game.pgn --format json -o out", "0001-game_pgn_1.json"),
    ("book build lines -o out/book", "book"),
];

#[test]
fn what_exists_is_replaced_only_when_that_is_asked_for() {
    let _machine = among_others();
    for (words, name) in WRITERS {
        let bench = bench();
        let file = bench.path().join("out").join(name);
        fs::write(&file, "MINE").expect("written");
        fs::write(file.with_file_name(format!("{name}.part")), "MINE").expect("written");
        let refused = chuhe(bench.path(), words);
        assert_eq!(refused.status.code(), Some(2), "{words}");
        assert!(message(&refused).ends_with(&format!("{name} already exists (--overwrite replaces it)\n")));
        assert_eq!(read(&file), "MINE", "{words}");
        let replaced = chuhe(bench.path(), &format!("{words} --overwrite"));
        assert!(replaced.status.success(), "{words}: {}", message(&replaced));
        assert!(!read(&file).contains("MINE") && read(&file).len() > 10, "{words}");
        assert_eq!(names(&bench.path().join("out")), [name.to_owned(), format!("{name}.part")]);
        assert_eq!(read(&file.with_file_name(format!("{name}.part"))), "MINE", "{words}");
    }
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;

    let _machine = among_others();
    for (words, name) in WRITERS {
        let bench = bench();
        let out = bench.path().join("out");
        let victim = bench.path().join("victim");
        fs::write(&victim, "MINE").expect("written");
        for link in [name.to_owned(), format!("{name}.part"), ".part".to_owned()] {
            symlink("../victim", out.join(link)).expect("linked");
        }
        assert_eq!(chuhe(bench.path(), words).status.code(), Some(2), "{words}");
        assert!(chuhe(bench.path(), &format!("{words} --overwrite")).status.success(), "{words}");
        assert_eq!(read(&victim), "MINE", "{words}");
        let is_file = |path: PathBuf| fs::symlink_metadata(path).expect("it is there").is_file();
        assert!(is_file(out.join(name)), "{words}");
        // A link that leads nowhere is in the way too, and nothing is made where it leads.
        fs::remove_file(out.join(name)).expect("removed");
        symlink("../nowhere", out.join(name)).expect("linked");
        assert_eq!(chuhe(bench.path(), words).status.code(), Some(2), "{words}");
        assert!(!bench.path().join("nowhere").exists(), "{words}");
    }
}

#[test]
fn a_match_keeps_games_journal_and_report_that_are_there() {
    let _machine = among_others();
    let bench = bench();
    let files = [("--html", "m.html"), ("--pgn", "m.pgn"), ("--journal", "m.jsonl")];
    let all = files.map(|(flag, file)| format!("{flag} {file}")).join(" ");
    for (flag, file) in files {
        fs::write(bench.path().join(file), "MINE").expect("written");
        let refused = play(bench.path(), &format!("{flag} {file}"));
        assert_eq!((refused.status.code(), &*read(&bench.path().join(file))), (Some(2), "MINE"), "{flag}");
        assert!(message(&refused).contains(file) && refused.stdout.is_empty(), "{}", message(&refused));
    }
    let played = play(bench.path(), &format!("{all} --overwrite"));
    assert!(played.status.success(), "{}", message(&played));
    let [page, games, journal] = files.map(|(_, file)| read(&bench.path().join(file)));
    assert!(page.starts_with("<!DOCTYPE html>") && games.starts_with('[') && journal.starts_with("{\"at\":"));
    assert!(![&page, &games, &journal].iter().any(|text| text.contains("MINE")));
    // A tournament that goes on has its report written anew; another does not.
    assert!(play(bench.path(), &format!("{all} --resume")).status.success());
    let standings = "match standings --journal m.jsonl --html m.html";
    let refused = chuhe(bench.path(), standings);
    assert_eq!(refused.status.code(), Some(2));
    assert!(message(&refused).contains("m.html already exists"), "{}", message(&refused));
    assert!(chuhe(bench.path(), &format!("{standings} --overwrite")).status.success());
    // What another run is using is not replaced.
    let lock = fs::File::open(bench.path().join("m.jsonl")).expect("the journal");
    lock.lock().expect("a lock");
    let refused = play(bench.path(), &format!("{all} --overwrite"));
    assert!(message(&refused).contains("m.jsonl is in use by another run"), "{}", message(&refused));
    assert_eq!(read(&bench.path().join("m.pgn")), games);
}

#[test]
fn an_analysis_is_begun_anew_when_that_is_asked_for() {
    let _machine = among_others();
    let bench = bench();
    let out = bench.path().join("out");
    fs::write(out.join("game-0001.json"), "MINE").expect("written");
    let words = "analyze game.pgn --nodes 100 --format json -o out";
    let kept = chuhe(bench.path(), words);
    assert!(kept.status.success() && message(&kept).contains("game-0001.json already exists and is kept"));
    assert_eq!(names(&out), ["game-0001.json", "game-0001_2.json", "journal.jsonl"]);
    assert_eq!(chuhe(bench.path(), words).status.code(), Some(2), "there are results of another run");
    let anew = chuhe(bench.path(), &format!("{words} --overwrite"));
    assert!(anew.status.success(), "{}", message(&anew));
    assert!(read(&out.join("game-0001.json")).starts_with("{\"id\":"));
    assert_eq!(read(&out.join("journal.jsonl")).lines().count(), 3);
    assert_eq!(chuhe(bench.path(), &format!("{words} --overwrite --resume")).status.code(), Some(2));
    // Somebody else's file of that name is no journal, and is not cut.
    fs::write(out.join("journal.jsonl"), "MINE").expect("written");
    for more in ["", " --resume"] {
        let refused = chuhe(bench.path(), &format!("{words}{more}"));
        assert!(message(&refused).contains("journal.jsonl:1: not an entry of this journal"), "{}", message(&refused));
        assert_eq!(read(&out.join("journal.jsonl")), "MINE");
    }
}

/// A file system with room for little, in a namespace of its own where the system grants one.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_what_was_there_and_nothing_else() {
    let _machine = among_others();
    let bench = bench();
    let long: String = (0..3000).map(|number| format!("[Event \"{number}\"]\n\n1. h2e2 h9g7 *\n\n")).collect();
    fs::write(bench.path().join("game.pgn"), long).expect("written");
    let lines: String = ('a'..='i')
        .flat_map(|from| ('a'..='i').map(move |to| (from, to)))
        .fold(String::new(), |lines, (from, to)| lines + &format!("C00\tCannon\t{from}{to}\t3\th2e2 {from}6{from}5\n"));
    fs::write(bench.path().join("lines"), lines).expect("written");
    let played = play(bench.path(), "--journal m.jsonl --pgn m.pgn --html m.html");
    assert!(played.status.success(), "{}", message(&played));
    let script = "mount -t tmpfs -o size=64k none out && echo MINE > out/$1 || exit 99
        shift 1; \"$@\" >/dev/null; echo $?; ls -A out; cat out/*";
    for (words, name) in [
        ("convert game.pgn --to pgn -o out --overwrite", "game.pgn"),
        ("match standings --journal m.jsonl --pgn m.pgn --html out/m.html --overwrite", "m.html"),
    ] {
        let mut command = Command::new("unshare");
        command.args(["-rm", "sh", "-c", script, "sh", name]).arg(program()).args(words.split(' '));
        match command.current_dir(bench.path()).output() {
            Ok(output) if output.status.success() => {
                assert_eq!(String::from_utf8_lossy(&output.stdout), format!("2\n{name}\nMINE\n"), "{words}");
                assert!(message(&output).contains("No space left"), "{}", message(&output));
            }
            _ => eprintln!("not tested: no file system can be mounted here"),
        }
    }
}

/// Whatever moment a program is killed at, a file that has its name is whole.
#[cfg(unix)]
#[test]
fn killed_programs_leave_whole_files_only() {
    let _machine = among_others();
    let bench = bench();
    let text: String = (0..120).map(|number| format!("[Event \"{number}\"]\n\n1. h2e2 h9g7 *\n\n")).collect();
    fs::write(bench.path().join("game.pgn"), text).expect("written");
    for (words, folder) in [("judge game.pgn", "pages"), ("convert game.pgn --to xqf", "games")] {
        let whole = format!("{folder}-whole");
        assert!(chuhe(bench.path(), &format!("{words} -o {whole}")).status.success());
        let mut found = 0;
        for round in 0..5 {
            let torn = format!("{folder}-{round}");
            let mut command = Command::new(program());
            command.args(format!("{words} -o {torn}").split(' ')).current_dir(bench.path());
            let mut child = command.stdin(Stdio::null()).stderr(Stdio::null()).spawn().expect("chuhe starts");
            std::thread::sleep(Duration::from_millis(60 + 60 * round));
            child.kill().expect("killed");
            child.wait().expect("it has ended");
            let torn = bench.path().join(torn);
            if !torn.exists() {
                continue;
            }
            for name in names(&torn) {
                // Of one that was being written only a hidden file with a strange name is left.
                if !name.starts_with(".chuhe-") {
                    let same = read(&torn.join(&name)) == read(&bench.path().join(&whole).join(&name));
                    assert!(same, "{name} is torn");
                    found += 1;
                }
            }
            // Nor does that stay when the folder is used again.
            let again = chuhe(bench.path(), &format!("{words} -o {} --overwrite", torn.display()));
            assert!(again.status.success(), "{}", message(&again));
            assert_eq!(names(&torn), names(&bench.path().join(&whole)));
        }
        assert!(found > 0, "{words}: nothing was written in time");
    }
}
