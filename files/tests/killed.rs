//! Programs that are killed while they write.

#![cfg(unix)]

use std::env;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use chuhe_files::{Durability, Existing, Log, WholeFile, is_unfinished, whole_lines};

/// Names the folder to a child, which is this same program.
const FOLDER: &str = "CHUHE_FILES_TEST_FOLDER";
const LINES: usize = 20_000;
const LINE: &str = "a line of the file\n";

/// Runs the named test of this program as a child, and kills it after a while.
fn kill(child: &str, folder: &Path, after: Duration) {
    let mut child = Command::new(env::current_exe().unwrap())
        .args(["--exact", child, "--ignored"])
        .env(FOLDER, folder)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    sleep(after);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
#[ignore = "is killed by another test"]
fn a_writer_of_files() {
    let Some(folder) = env::var_os(FOLDER) else { return };
    for number in 0.. {
        // Every name twice, so that files are replaced too.
        let path = Path::new(&folder).join(format!("{}.txt", number / 2));
        let mut file = WholeFile::create(&path, Existing::Replace).unwrap();
        for _ in 0..LINES {
            file.write_all(LINE.as_bytes()).unwrap();
        }
        file.finish().unwrap();
    }
}

#[test]
#[ignore = "is killed by another test"]
fn a_writer_of_a_log() {
    let Some(folder) = env::var_os(FOLDER) else { return };
    let mut log = Log::create(&Path::new(&folder).join("log"), Durability::System).unwrap();
    for number in 0.. {
        log.append(format!("{number} {LINE}").as_bytes()).unwrap();
    }
}

#[test]
fn a_killed_program_leaves_whole_files_only() {
    let mut found = 0;
    for round in 0..6 {
        let folder = tempfile::tempdir().unwrap();
        kill("a_writer_of_files", folder.path(), Duration::from_millis(150 + 37 * round));
        let mut unfinished = 0;
        for entry in fs::read_dir(folder.path()).unwrap() {
            let entry = entry.unwrap();
            if is_unfinished(&entry.file_name().to_string_lossy()) {
                unfinished += 1;
            } else {
                assert_eq!(fs::metadata(entry.path()).unwrap().len(), (LINES * LINE.len()) as u64);
                found += 1;
            }
        }
        assert!(unfinished <= 1, "{unfinished}");
    }
    assert!(found > 0, "nothing was written in time");
}

#[test]
fn a_killed_program_leaves_a_log_that_another_goes_on_with() {
    let folder = tempfile::tempdir().unwrap();
    kill("a_writer_of_a_log", folder.path(), Duration::from_millis(200));
    let mut log = Log::open(&folder.path().join("log"), Durability::System).unwrap();
    let bytes = log.contents(u64::MAX).unwrap();
    let whole = whole_lines(&bytes);
    for (number, line) in std::str::from_utf8(whole).unwrap().lines().enumerate() {
        assert_eq!(line, format!("{number} {}", LINE.trim_end()));
    }
    log.cut(whole.len() as u64).unwrap();
    log.append(b"end\n").unwrap();
    assert!(log.contents(u64::MAX).unwrap().ends_with(b"\nend\n"));
}

/// A file system with room for a few pages, in a namespace of its own where the system grants one.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_what_was_there_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let script = "mount -t tmpfs -o size=64k none \"$0\" && echo theirs > \"$0/0.txt\" || exit 99
        CHUHE_FILES_TEST_FOLDER=$0 \"$1\" --exact a_writer_of_files --ignored >/dev/null && exit 98
        ls -A \"$0\"; cat \"$0/0.txt\"";
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", script]).arg(folder.path());
    let output = command.arg(env::current_exe().unwrap()).stderr(Stdio::null()).output();
    match output {
        Ok(output) if output.status.success() => {
            assert_eq!(String::from_utf8_lossy(&output.stdout), "0.txt\ntheirs\n");
        }
        Ok(output) if output.status.code() == Some(98) => panic!("the disk is not full"),
        _ => eprintln!("not tested: no file system can be mounted here"),
    }
}
