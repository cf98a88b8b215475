//! Many games at once, with analysts that answer at once: nothing twice, nothing missing, files of others untouched.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use chuhe_analysis::batch::{
    AnalysisJob, Earlier, Form, Incoming, Pool, Printer, ResultFolder, RunSettings, Summary, Task, Telling, write_all,
};
use chuhe_analysis::write::Setup;
use chuhe_analysis::{Analyst, AnalystError, Limits, Line, PositionAnalysis, Score};
use chuhe_records::games::{Format, Games};
use chuhe_rules::{Game, RuleSet};
use serde_json::Value;

/// Takes the first legal move for the best, after a while that depends on the position.
struct Quick {
    positions: Arc<AtomicU64>,
    pause: Duration,
}

impl Analyst for Quick {
    fn name(&self) -> &str {
        "quick"
    }

    fn new_game(&mut self, _: &RuleSet) -> Result<(), AnalystError> {
        Ok(())
    }

    fn analyze(&mut self, game: &Game) -> Result<PositionAnalysis, AnalystError> {
        self.positions.fetch_add(1, Ordering::Relaxed);
        let moves = game.board().legal_moves();
        std::thread::sleep(self.pause * moves.len() as u32);
        let best = *moves.iter().next().expect("the game is not over");
        let score = Score::Cp(moves.len() as i32);
        let lines = vec![Line { score, chances: score.chances(), depth: 1, moves: vec![best] }];
        Ok(PositionAnalysis { lines, depth: 1, nodes: 1 })
    }
}

/// Lines of games, some of which are none.
const LINES: &str = "h2e2 h9g7 h0g2\nb2e2\nno move\nh2e2 b9c7 b0c2 a9b9\nc3c4 c6c5\n";

/// What a run of these lines does.
struct Run {
    analysts: usize,
    pause: Duration,
    /// Stops after so many games.
    stop_after: u64,
    forms: Vec<Form>,
}

/// What came of a run.
struct Came {
    summary: Summary,
    /// Positions searched.
    positions: u64,
    faults: Vec<String>,
    kept: Vec<PathBuf>,
    notes: Vec<u8>,
}

impl Run {
    fn new(forms: &[Form]) -> Run {
        Run { analysts: 2, pause: Duration::ZERO, stop_after: u64::MAX, forms: forms.to_vec() }
    }

    fn task(&self, share_page: bool) -> Arc<Task> {
        let setup = Setup { engine: "quick".into(), limits: Limits::default(), multi_pv: 1 };
        Arc::new(Task { forms: self.forms.clone(), share_page, ..Task::new(setup) })
    }

    /// Runs the games of these lines, with a note behind them.
    fn go(&self, lines: &str, task: Arc<Task>, to: To<'_, '_>) -> Came {
        let games = Games::with_format(lines.as_bytes().to_vec().as_slice(), Format::Lines)
            .unwrap()
            .map(|game| {
                let game = game.unwrap();
                Incoming::Job(Box::new(AnalysisJob::new(0, format!("in:{}", game.number()), game)))
            })
            .collect::<Vec<_>>();
        let games = games.into_iter().chain([Incoming::Note(7)]);
        let positions = Arc::new(AtomicU64::new(0));
        let analyst = || Quick { positions: Arc::clone(&positions), pause: self.pause };
        let analysts = (0..self.analysts).map(|_| Box::new(analyst()) as Box<dyn Analyst>).collect();
        let done = if let To::Folder(folder) = &to { folder.done() } else { Default::default() };
        let pool = Pool::start(games, analysts, Arc::clone(&task), done).unwrap();
        let stop = pool.stopper();
        let (mut faults, mut kept, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        let mut tell = |telling| match telling {
            Telling::Note(note) => notes.push(note),
            Telling::Fault(fault) => faults.push(fault),
            Telling::Kept(file) => kept.push(file),
            Telling::Progress(progress) if progress.games >= self.stop_after => stop(),
            Telling::Progress(_) => {}
        };
        let summary = match to {
            To::Text(text) => write_all(pool, &mut Printer::new(text, task), &mut tell),
            To::Folder(folder) => write_all(pool, folder, &mut tell),
        };
        Came { summary: summary.unwrap(), positions: positions.load(Ordering::Relaxed), faults, kept, notes }
    }

    fn print(&self, lines: &str) -> (String, Came) {
        let mut text = Vec::new();
        let came = self.go(lines, self.task(true), To::Text(&mut text));
        (String::from_utf8(text).unwrap(), came)
    }

    fn fill(&self, path: &Path, lines: &str, earlier: Earlier) -> Came {
        let task = self.task(false);
        let settings = RunSettings::new("quick".into(), &task, Vec::new());
        let mut folder = ResultFolder::open(path, &["in".to_owned()], &settings, &self.forms, earlier).unwrap();
        self.go(lines, task, To::Folder(&mut folder))
    }
}

/// Where results go.
enum To<'a, 'b> {
    Text(&'a mut Vec<u8>),
    Folder(&'b mut ResultFolder),
}

/// All files but the journal.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    let files = entries.map(|path| (name(&path), fs::read_to_string(&path).unwrap_or_default()));
    files.filter(|(name, _)| name != "journal.jsonl").collect()
}

#[test]
fn results_stand_in_the_order_of_the_games_whatever_the_number_of_analysts() {
    let lines = LINES.repeat(40);
    let mut run = Run { pause: Duration::from_micros(3), ..Run::new(&[Form::Json]) };
    let mut texts = Vec::new();
    for analysts in [1, 4] {
        run.analysts = analysts;
        let (text, came) = run.print(&lines);
        let summary = Summary { analyzed: 160, faults: 40, ..Summary::default() };
        assert_eq!((came.summary, came.faults.len(), came.notes), (summary, 0, vec![7]));
        texts.push(text);
    }
    let ids = texts[0].lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].clone());
    assert_eq!(ids.collect::<Vec<_>>(), (1..=200).map(|number| format!("in:{number}").into()).collect::<Vec<Value>>());
    assert_eq!(texts[0], texts[1]);
}

#[test]
fn what_a_form_has_no_place_for_is_told() {
    let (text, came) = Run::new(&[Form::Pgn]).print(LINES);
    assert_eq!((text.matches("[Annotator").count(), came.summary.faults), (4, 1));
    assert!(matches!(&came.faults[..], [fault] if fault.starts_with("in:3: ")), "{:?}", came.faults);
    let (page, came) = Run::new(&[Form::Html]).print(LINES);
    assert_eq!((page.matches("<html").count(), came.faults.len()), (1, 1));
    let (rows, _) = Run::new(&[Form::Csv]).print(LINES);
    assert_eq!(rows.matches("game,ply,").count(), 1);
}

#[test]
fn a_run_that_was_stopped_is_finished_by_the_next() {
    let forms = [Form::Json, Form::Pgn];
    let (whole, torn) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let lines = LINES.repeat(10);
    let all = Run::new(&forms).fill(whole.path(), &lines, Earlier::Keep);
    assert_eq!((all.summary.analyzed, all.summary.was_stopped, files(whole.path()).len()), (40, false, 80));

    let slow = Run { pause: Duration::from_micros(200), stop_after: 5, ..Run::new(&forms) };
    let first = slow.fill(torn.path(), &lines, Earlier::Keep).summary;
    assert!(first.was_stopped && first.analyzed >= 3 && first.analyzed < 40, "{first:?}");
    // Whatever was written is whole.
    let (ours, theirs) = (files(torn.path()), files(whole.path()));
    assert!(ours.iter().all(|(name, text)| theirs.get(name) == Some(text)));
    let second = Run::new(&forms).fill(torn.path(), &lines, Earlier::GoOn).summary;
    assert_eq!((second.skipped, second.analyzed + second.skipped), (first.analyzed, 40));
    assert_eq!(files(torn.path()), theirs);
    // Nothing is left to be done.
    let third = Run::new(&forms).fill(torn.path(), &lines, Earlier::GoOn);
    assert_eq!((third.summary.skipped, third.positions), (40, 0));
}

#[test]
fn games_that_have_changed_or_whose_files_are_gone_are_done_again() {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::new(&[Form::Json]);
    run.fill(folder.path(), LINES, Earlier::Keep);
    let before = files(folder.path());
    fs::remove_file(folder.path().join("in-0002.json")).unwrap();
    let changed = LINES.replace("c3c4", "g3g4");
    let came = run.fill(folder.path(), &changed, Earlier::GoOn);
    assert_eq!((came.summary.analyzed, came.summary.skipped), (2, 2));
    let after = files(folder.path());
    assert!(before.keys().eq(after.keys()), "under the same names");
    let differ: Vec<&String> = before.keys().filter(|name| before[*name] != after[*name]).collect();
    assert_eq!(differ, ["in-0005.json"]);
}

#[test]
fn files_of_others_stay_unless_they_are_to_be_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("in-0001.pgn"), "theirs").unwrap();
    fs::write(path("IN-0002.json"), "theirs").unwrap();
    let run = Run::new(&[Form::Json, Form::Pgn]);
    let came = run.fill(folder.path(), "h2e2\nb2e2\n", Earlier::Keep);
    assert_eq!(came.kept, [path("in-0001.pgn")]);
    let after = files(folder.path());
    assert_eq!((&*after["in-0001.pgn"], &*after["IN-0002.json"]), ("theirs", "theirs"));
    assert!(after.contains_key("in-0001_2.json") && after.contains_key("in-0001_2.pgn"));

    let came = run.fill(folder.path(), "h2e2\nb2e2\n", Earlier::Replace);
    assert!(came.kept.is_empty() && came.summary.skipped == 0);
    assert!(files(folder.path())["in-0001.pgn"].contains("H2-E2"));
}

#[cfg(unix)]
#[test]
fn links_in_a_folder_are_not_followed() {
    use std::os::unix::fs::symlink;

    let folder = tempfile::tempdir().unwrap();
    let (out, victim) = (folder.path().join("out"), folder.path().join("victim"));
    fs::create_dir(&out).unwrap();
    fs::write(&victim, "theirs").unwrap();
    for name in ["in-0001.json", ".part", "in-0001_2.json.part"] {
        symlink("../victim", out.join(name)).unwrap();
    }
    symlink("../nowhere", out.join("in-0002.json")).unwrap();
    let run = Run::new(&[Form::Json]);
    let came = run.fill(&out, "h2e2\nb2e2\n", Earlier::Keep);
    assert_eq!((came.summary.analyzed, came.kept.len()), (2, 2));
    run.fill(&out, "h2e2\nb2e2\n", Earlier::Replace);
    assert!(fs::symlink_metadata(out.join("in-0001.json")).unwrap().is_file());
    assert_eq!(fs::read_to_string(&victim).unwrap(), "theirs");
    assert!(!folder.path().join("nowhere").exists());
}
