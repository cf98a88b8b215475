//! Training by the program: what it writes, and what it refuses.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use chuhe_eval::network::Network;
use chuhe_trainer::data::filter::Filter;
use chuhe_trainer::datagen::{Settings, generate};
use chuhe_trainer::training::dataset::Dataset;
use chuhe_trainer::training::run_record::RunRecord;

/// A folder with a file of 120 games, made once.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = Settings { soft_nodes: 20, games: Some(120), seed: 3, ..Settings::default() };
        generate(&settings, &folder.path().join("games"), &AtomicBool::new(false), &mut |_| {}).expect("games");
        folder
    });
    folder.path()
}

fn chuhe_train(words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe-train"));
    command.current_dir(folder()).args(words.split_whitespace()).output().expect("the program starts")
}

fn text(output: &Output) -> String {
    [&output.stdout[..], &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}

const RECIPE: &str = "--hidden 64 --output-buckets 8 --epochs 3 --batch 500 --warm-up 3 --seed 9";

#[test]
fn a_run_leaves_a_network_and_all_that_is_to_be_known_of_it() {
    let output = chuhe_train(&format!("train games -o whole.nnue --revision abc {RECIPE}"));
    assert!(output.status.success(), "{}", text(&output));
    let stdout = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(stdout.lines().filter(|line| line.starts_with("epoch ") && line.ends_with("positions/s")).count(), 3);

    let bytes = fs::read(folder().join("whole.nnue")).expect("the network");
    let network = Network::read(&mut &bytes[..]).expect("a network");
    assert_eq!(network.architecture().to_string(), "689 -> 64 x 2 -> 8");
    assert!(network.description().contains("self-play"));

    let record = fs::read_to_string(folder().join("whole.toml")).expect("the record");
    let record: RunRecord = toml::from_str(&record).expect("a run record");
    assert_eq!((record.revision.as_str(), record.recipe.seed, record.epochs.len()), ("abc", 9, 3));
    assert_eq!(record.network.map(|network| network.hash), Some(network.hash().to_string()));
    let data = Dataset::load(&[folder().join("games")], Filter::default()).expect("games");
    assert_eq!(record.data, data.summary);
    assert_eq!((record.data.games, record.data.files[0].games), (120, 120));
    assert!(record.data.held_out > 0 && record.data.training > 50 * record.data.held_out);
    assert!(record.epochs.iter().all(|epoch| epoch.held_out_loss.is_some_and(|loss| loss > 0.0 && loss < 0.3)));
    assert!(fs::read_to_string(folder().join("whole.svg")).expect("the picture").contains("whole.nnue"));

    let output = chuhe_train("check whole.nnue games --all");
    assert!(text(&output).contains("hand-written evaluation"), "{}", text(&output));
}

#[test]
fn an_interrupted_run_ends_with_the_same_file() {
    // A run that ends where the other is interrupted has the same beginning, but its schedule is another one: it must
    // be refused, and its checkpoint not be overwritten.
    let short = RECIPE.replace("--epochs 3", "--epochs 2");
    assert!(chuhe_train(&format!("train games -o cut.nnue {short}")).status.success());
    let checkpoint = fs::read(folder().join("cut.checkpoint")).expect("the checkpoint");
    let output = chuhe_train(&format!("train games -o cut.nnue --resume {RECIPE}"));
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(text(&output).contains("made with epochs 2, now it is 3"), "{}", text(&output));
    assert_eq!(fs::read(folder().join("cut.checkpoint")).expect("the checkpoint"), checkpoint);
    // Nor is a network replaced that nobody wants replaced.
    let again = format!("train games -o cut.nnue {short}");
    let output = chuhe_train(&again);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(text(&output).contains("cut.nnue: already exists: --overwrite replaces it"), "{}", text(&output));
    assert!(chuhe_train(&format!("{again} --overwrite")).status.success());

    // Killed as soon as the first epoch has been saved.
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe-train"));
    let words = format!("train games -o killed.nnue --resume {}", RECIPE.replace("--epochs 3", "--epochs 200"));
    let mut child = command
        .current_dir(folder())
        .args(words.split_whitespace())
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("the program starts");
    while !folder().join("killed.checkpoint").exists() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let output = chuhe_train(&words);
    assert!(output.status.success() && text(&output).contains("going on after epoch"), "{}", text(&output));
    let whole = chuhe_train(&words.replace("killed.nnue", "unharmed.nnue"));
    assert!(whole.status.success(), "{}", text(&whole));
    let network = |name: &str| fs::read(folder().join(name)).expect("the network");
    assert_eq!(network("killed.nnue"), network("unharmed.nnue"));
}

#[test]
fn what_cannot_be_used_is_refused_with_the_reason() {
    let mut bytes = fs::read(folder().join("games")).expect("the games");
    let middle = bytes.len() / 2;
    fs::write(folder().join("same"), &bytes).expect("written");
    bytes[middle] ^= 0x40;
    fs::write(folder().join("damaged"), &bytes).expect("written");
    fs::write(folder().join("recipe.toml"), "hiden = 64\n").expect("written");
    let cases = [
        ("train games same -o x.nnue", 2, "same: the same games as in games"),
        ("train games nowhere -o x.nnue", 2, "nowhere: "),
        ("train damaged -o x.nnue", 1, "damaged: game "),
        ("train recipe.toml -o x.nnue", 1, "not a game file"),
        ("train games -o x.nnue --hidden 65", 2, "hidden layer of 65"),
        ("train games -o x.nnue --lambda-end 2", 2, "lambda_end is 2, expected 0 to 1"),
        ("train games -o x.nnue --recipe recipe.toml", 2, "unknown field `hiden`"),
        ("train games -o nowhere/x.nnue", 2, "nowhere/x.nnue: "),
        ("train games -o games", 2, "games: already exists and is not a network"),
        ("train games -o recipe.toml", 2, "recipe.toml: already exists and is not a network"),
        ("train games", 2, "--output"),
        ("check games games", 2, "not a network file"),
    ];
    for (words, code, reason) in cases {
        let output = chuhe_train(words);
        assert_eq!(output.status.code(), Some(code), "{words}: {}", text(&output));
        assert!(text(&output).contains(reason), "{words}: {}", text(&output));
    }
    assert!(!folder().join("x.nnue").exists());
}

#[test]
fn speed_is_measured() {
    let output = chuhe_train("train --benchmark 0.1 --hidden 64 --batch 1000");
    let words: Vec<String> = text(&output).split_whitespace().map(str::to_owned).collect();
    assert_eq!(words.get(1).map(String::as_str), Some("positions/s"), "{words:?}");
    assert!(words[0].parse::<f64>().is_ok_and(|speed| speed > 1000.0), "{words:?}");
}

#[test]
fn a_run_pauses_while_somebody_measures_time() {
    let path = folder().join("lock");
    let lock = fs::File::create(&path).expect("a file");
    lock.lock().expect("a lock");
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe-train"));
    command.current_dir(folder()).args(["train", "games", "-o", "paused.nnue", "--yield-to", "lock"]);
    let mut child = command.args(RECIPE.split(' ')).stdout(Stdio::null()).spawn().expect("the program starts");
    // Far longer than the whole run takes.
    std::thread::sleep(Duration::from_secs(4));
    assert!(child.try_wait().expect("a state").is_none(), "it did not wait");
    lock.unlock().expect("the lock");
    assert!(child.wait().expect("a state").success());
    assert!(folder().join("paused.nnue").exists());
}
