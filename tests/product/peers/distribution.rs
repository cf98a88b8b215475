//! Analysis spread over many processes, by the recipes of `docs/analysis.md`. `scripts/peers.sh` installs GNU parallel and
//! Ray. Where one is missing the test says so and passes, except under CI, which must have them.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::among_others;

const CHUHE: &str = env!("CARGO_BIN_EXE_chuhe");

/// Whether a command that only looks succeeds.
fn is_here(what: &str, look: &[&str]) -> bool {
    let found = Command::new(look[0]).args(&look[1..]).output().is_ok_and(|output| output.status.success());
    assert!(found || std::env::var_os("CI").is_none(), "{what} is missing");
    if !found {
        eprintln!("skipped, since {what} is missing");
    }
    found
}

/// The commands of a section of the page, as a shell reads them.
fn recipe(beginning: &str) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/analysis.md");
    let page = fs::read_to_string(page).expect("the page is there");
    let block = page.split("```").find(|block| block.trim_start().starts_with(beginning));
    block.unwrap_or_else(|| panic!("no recipe begins with {beginning:?}")).trim().to_owned()
}

/// Runs a recipe in a folder, with `chuhe` on the path.
#[cfg(unix)]
fn shell(recipe: &str, folder: &Path) -> std::process::Child {
    let path = std::env::var("PATH").expect("a path");
    let folders = format!("{}:{path}", folder.join("bin").display());
    Command::new("sh").args(["-ec", recipe]).current_dir(folder).env("PATH", folders).spawn().expect("sh starts")
}

/// A folder with `chuhe` in `bin`, and positions whose move numbers tell them apart.
#[cfg(unix)]
fn folder_with_positions(count: u32) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("bin")).expect("it can be made");
    std::os::unix::fs::symlink(CHUHE, folder.path().join("bin/chuhe")).expect("it can be made");
    let position = |number| format!("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 {number}\n");
    let positions: String = (1..=count).map(position).collect();
    fs::write(folder.path().join("positions.fen"), positions).expect("it can be written");
    folder
}

#[cfg(unix)]
fn move_numbers(answers: &Path) -> Vec<u32> {
    let text = fs::read_to_string(answers).expect("there are answers");
    let number = |line: &str| {
        let answer: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        answer["fen"].as_str()?.rsplit(' ').next()?.parse().ok()
    };
    text.lines().filter_map(number).collect()
}

/// The processes that run `chuhe` in this folder.
#[cfg(target_os = "linux")]
fn processes_in(folder: &Path) -> Vec<u32> {
    let folder = folder.canonicalize().expect("it is there");
    let program = Path::new(CHUHE).canonicalize().expect("it is there");
    let link = |pid: u32, name: &str| fs::read_link(format!("/proc/{pid}/{name}")).ok();
    let pids = fs::read_dir("/proc").expect("a list of processes").filter_map(|entry| {
        let pid = entry.ok()?.file_name().to_str()?.parse().ok()?;
        (link(pid, "exe").as_deref() == Some(&program) && link(pid, "cwd").as_deref() == Some(&folder)).then_some(pid)
    });
    pids.collect()
}

#[cfg(target_os = "linux")]
#[test]
fn gnu_parallel_does_the_work_of_a_killed_process_again() {
    let _machine = among_others();
    if !is_here("GNU parallel", &["parallel", "--version"]) {
        return;
    }
    let folder = folder_with_positions(200);
    let mut running = shell(&recipe("parallel --pipe"), folder.path());
    let mut killed = Vec::new();
    let status = loop {
        if let Some(status) = running.try_wait().expect("it runs") {
            break status;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
        if killed.len() < 2
            && let Some(&victim) = processes_in(folder.path()).iter().find(|pid| !killed.contains(*pid))
        {
            killed.push(victim);
            assert!(Command::new("kill").args(["-9", &victim.to_string()]).status().expect("kill is there").success());
        }
    };
    assert!(status.success(), "{status}");
    assert_eq!(killed.len(), 2, "nothing was killed in the midst of the work");
    assert_eq!(move_numbers(&folder.path().join("positions.jsonl")), (1..=200).collect::<Vec<_>>());
}

#[cfg(unix)]
#[test]
fn gnu_parallel_takes_files_as_jobs() {
    let _machine = among_others();
    if !is_here("GNU parallel", &["parallel", "--version"]) {
        return;
    }
    let folder = folder_with_positions(0);
    fs::create_dir(folder.path().join("games")).expect("it can be made");
    for (name, game) in [("a", "1. h2e2 *"), ("b", "1. b0c2 b9c7 *"), ("c", "1. h2e2 h2e2 *")] {
        fs::write(folder.path().join(format!("games/{name}.pgn")), game).expect("it can be written");
    }
    let run = || shell(&recipe("find games"), folder.path()).wait().expect("it ends").code();
    let moves = |name: &str| {
        let line = fs::read_to_string(folder.path().join(format!("games/{name}.pgn.jsonl"))).expect("an answer");
        serde_json::from_str::<Value>(&line).expect("JSON")["moves"].as_array().map(Vec::len)
    };
    assert_eq!(run(), Some(1), "one of the games is faulty");
    assert_eq!((moves("a"), moves("b"), moves("c")), (Some(1), Some(2), Some(1)), "as far as they go");
    // Once it is put right, only what failed is done again.
    fs::write(folder.path().join("games/c.pgn"), "1. h2e2 h9g7 *").expect("it can be written");
    fs::remove_file(folder.path().join("games/a.pgn.jsonl")).expect("it is there");
    assert_eq!(run(), Some(0));
    assert_eq!(moves("c"), Some(2));
    assert!(!folder.path().join("games/a.pgn.jsonl").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn ray_does_the_work_of_a_killed_worker_again() {
    let _machine = among_others();
    if !is_here("Ray", &["python3", "-c", "import ray"]) {
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/test_ray_analyze.py");
    let output = Command::new("python3").arg(script).arg(CHUHE).output().expect("python starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
