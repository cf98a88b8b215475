//! Options under all their names.

mod gui;

use std::fs;
use std::path::Path;

use chuhe_eval::network::{Architecture, Network, Parts};
use chuhe_eval::{Evaluation, Evaluator, shown};
use chuhe_movegen::Board;
use chuhe_protocol::{Dialect, OptionDecl, OptionKind, Reply};
use chuhe_uci::SessionConfig;
use gui::Gui;

fn announced(dialect: Dialect) -> Vec<(String, OptionDecl)> {
    let lines = Gui::new().script(dialect.name());
    let option = |line: String| match Reply::parse(line.as_bytes()) {
        Reply::Option(option) => Some((line, option)),
        _ => None,
    };
    lines.into_iter().filter_map(option).collect()
}

fn names(dialect: Dialect) -> Vec<String> {
    announced(dialect).into_iter().map(|(_, option)| option.name).collect()
}

#[test]
fn what_is_announced_in_ucci() {
    let expected = "usemillisec batch debug hashsize threads ponder multipv usebook bookfiles useegtb egtbpaths evalfile \
                    repetitionrule skilllevel limitstrength elo idle promotion pruning knowledge randomness style \
                    allowoffer allowgiveup newgame";
    assert_eq!(names(Dialect::Ucci).join(" "), expected);
}

/// What club players look for in the dialog of a UCCI GUI works under the names that it shows.
#[test]
fn levels_lines_and_rules_are_set_by_their_names_in_ucci() {
    let mut gui = Gui::ucci();
    gui.send("setoption usebook false\nsetoption multipv 2\nposition startpos\ngo depth 3");
    assert!(gui.read_until("bestmove").iter().any(|line| line.contains(" multipv 2 ")));
    gui.send("setoption multipv 1\nsetoption skilllevel 0\nposition startpos\ngo depth 30");
    assert!(gui.answer().starts_with("bestmove "), "a level ends long before depth 30");
    gui.send("setoption skilllevel 20\nsetoption limitstrength true\nsetoption elo 1000\ngo depth 30");
    assert!(gui.answer().starts_with("bestmove "), "a rating too");
    gui.send("setoption repetitionrule none such");
    assert!(gui.read().contains("none such"));
    gui.send("setoption repetitionrule cxa\nsetoption repetitionrule alwaysdraw");
    gui.expect_idle();
}

#[test]
fn what_is_announced_in_uci() {
    for name in [
        "Hash",
        "Threads",
        "Ponder",
        "MultiPV",
        "Clear Hash",
        "Move Overhead",
        "UCI_ShowWDL",
        "UCI_Variant",
        "Repetition Rule",
        "Sixty Move Rule",
        "Skill Level",
        "UCI_LimitStrength",
        "UCI_Elo",
        "EvalFile",
        "BookFile",
        "Debug Log File",
    ] {
        assert!(names(Dialect::Uci).iter().any(|own| own == name), "{name}");
    }
}

#[test]
fn announcements_survive_the_parsers_in_the_field() {
    for dialect in Dialect::ALL {
        for (line, option) in announced(dialect) {
            // TCHESS splits at these words wherever they stand, and takes one word after `default`.
            for word in ["name", "type", "default"] {
                assert!(line.matches(word).count() <= 1, "{line}");
            }
            assert!(!line.ends_with("default"), "{line}");
            match &option.kind {
                OptionKind::Combo { default, vars } => {
                    assert!(default.as_ref().is_some_and(|default| vars.contains(default)), "{line}");
                }
                OptionKind::Spin { min, max, default } => assert!(min <= default && default <= max, "{line}"),
                _ => {}
            }
            if dialect == Dialect::Ucci {
                // One word that GUIs can translate; gmchess ends the game at others.
                assert!(option.name.bytes().all(|byte| byte.is_ascii_lowercase()), "{line}");
                assert!(!line.contains("draw") && !line.contains("resign"), "{line}");
            }
        }
    }
}

#[test]
fn every_name_in_every_form_and_dialect() {
    for mut gui in [Gui::ucci(), Gui::uci()] {
        gui.send("position startpos");
        for (three, one) in [
            ("setoption name MultiPV value 3", "setoption multipv 1"),
            ("setoption MultiPV 3", "setoption name multipv value 1"),
            ("setoption name multi_pv value 3", "setoption Multi_PV -7"),
        ] {
            let mut has_third_line = |setting: &str| {
                gui.send(&format!("{setting}\ngo depth 4"));
                gui.read_answer().iter().any(|line| line.contains(" multipv 3 "))
            };
            assert!(has_third_line(three) && !has_third_line(one), "{three}");
        }
    }
}

#[test]
fn strange_values_and_names_are_passed_over() {
    let mut gui = Gui::uci();
    gui.send("setoption name Hash value many\nsetoption name Ponder value perhaps\nsetoption name Threads");
    gui.send("setoption name MultiPV value 99999999999999999999\nsetoption name MultiPV value 1");
    gui.send("setoption name Nonsense value 5\nsetoption drawmoves 120\nsetoption useegtb true\nsetoption usehash off");
    gui.send("setoption name UCI_Variant value chess\nsetoption name Strict Three Fold value true");
    gui.send("setoption idle large\nsetoption style risky\nsetoption pruning none\nsetoption promotion false");
    gui.expect_idle();
    assert!(gui.ask("go depth 2").starts_with("bestmove "));
}

#[test]
fn a_hash_table_of_zero_or_too_much() {
    let mut gui = Gui::uci();
    gui.send("setoption name Hash value 0\nisready");
    assert_eq!(gui.read(), "readyok");
    gui.send("setoption name Hash value 99999999\nisready");
    assert!(gui.read().starts_with("info string "));
    assert_eq!(gui.read(), "readyok");
    assert!(gui.ask("go depth 3").starts_with("bestmove "));
}

#[test]
fn rule_sets_of_other_programs() {
    let mut gui = Gui::ucci();
    for name in ["SkyRule", "cxa2011"] {
        gui.send(&format!("setoption repetition {name}"));
        assert!(gui.read().starts_with("info message rule set"), "{name}");
    }
    for name in ["computer", "axf", "cxa", "cxa1999", "AsianRule", "chineserule"] {
        gui.send(&format!("setoption repetition {name}"));
    }
    gui.send("setoption name Repetition Rule value checkonly\nsetoption repetition alwaysdraw\nsetoption repetition checkban");
    gui.expect_idle();
    gui.send("setoption name Repetition Rule value none such");
    assert!(gui.read().starts_with("info message unknown rule set"));
    gui.expect_idle();
}

#[test]
fn promotion_is_declined() {
    let mut gui = Gui::ucci();
    gui.send("setoption promotion true");
    assert!(gui.read().contains("promotion"));
    gui.expect_idle();
}

#[test]
fn weaker_play_still_plays() {
    let mut gui = Gui::uci();
    gui.send("setoption name Skill Level value 0\nposition startpos");
    assert!(gui.ask("go movetime 50").starts_with("bestmove "));
    gui.send("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 1500");
    assert!(gui.ask("go movetime 50").starts_with("bestmove "));
    gui.send("setoption randomness huge\nsetoption selectivity none");
    assert!(gui.ask("go movetime 50").starts_with("bestmove "));
}

#[test]
fn chances_on_request() {
    let mut gui = Gui::uci();
    gui.send("setoption name UCI_ShowWDL value true\ngo depth 3");
    let lines = gui.read_answer();
    let line = lines.iter().find(|line| line.starts_with("info depth 3 ")).unwrap();
    let words: Vec<_> = line.split(' ').skip_while(|word| *word != "wdl").skip(1).take(3).collect();
    assert_eq!(words.iter().map(|word| word.parse::<u32>().unwrap()).sum::<u32>(), 1000, "{line}");
}

#[test]
fn files_that_are_not_there() {
    let mut gui = Gui::ucci();
    for option in ["evalfile nowhere.nnue", "bookfiles nowhere.obk", "bookfiles a.obk;;"] {
        gui.send(&format!("setoption {option}"));
        assert!(gui.read().contains("cannot find file"), "{option}");
        gui.expect_idle();
    }
    gui.send("setoption bookfiles\nsetoption evalfile\nsetoption name EvalFile value <empty>\nsetoption name BookFile");
    gui.expect_idle();
}

#[test]
fn endgame_tables_of_a_folder_give_distances_and_bad_ones_are_told() {
    let folder = tempfile::tempdir().unwrap();
    chuhe_endgame::build_in_folder(folder.path(), &["KNvKA".parse().unwrap()], &()).unwrap();
    let path = folder.path().display();
    let mut gui = Gui::ucci();
    gui.send("setoption egtbpaths nowhere");
    let line = gui.read();
    assert!(line.contains("cannot find folder `nowhere`"), "{line}");
    let position = "position fen 3k5/4a4/9/9/9/9/9/4N4/9/4K4 w";
    let mut last_line = |setting: &str| {
        gui.send(&format!("{setting}\n{position}\ngo depth 3"));
        let lines = gui.read_answer();
        lines.iter().rfind(|line| line.contains(" pv ")).unwrap().clone()
    };
    // Without distances the win is known, and the mate is left to the search.
    let without = last_line("setoption egtbpaths");
    assert!(without.contains("score 194") && !without.contains("tbhits"), "{without}");
    let with = last_line(&format!("setoption egtbpaths {path}"));
    assert!(with.contains("score 299"), "{with}");
    assert!(!last_line("setoption useegtb false").contains("score 299"));
    fs::write(folder.path().join("KRvK.cet"), b"no table").unwrap();
    gui.send(&format!("setoption useegtb true\nsetoption egtbpaths {path}"));
    let line = gui.read();
    assert!(line.contains("rejected") && line.contains("KRvK.cet"), "{line}");
    gui.expect_idle();
    let mut gui = Gui::uci();
    gui.send(&format!("setoption name EndgamePath value {path}"));
    assert!(gui.read().contains("rejected"));
    fs::remove_file(folder.path().join("KRvK.cet")).unwrap();
    gui.send(&format!("setoption name EndgamePath value {path}\n{position}\ngo depth 3"));
    let lines = gui.read_answer();
    let line = lines.iter().rfind(|line| line.contains(" pv ")).unwrap();
    assert!(line.contains("score mate ") && !line.contains(" tbhits 0 "), "{line}");
}

#[test]
fn files_beside_the_program() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("\u{68cb}.obk"), b"this is no book").unwrap();
    let mut gui =
        Gui::with_config(SessionConfig { program_folder: Some(folder.path().to_owned()), ..SessionConfig::default() });
    gui.send("ucci");
    gui.read_until("ucciok");
    gui.send_bytes(b"setoption bookfiles \xc6\xe5.obk\n");
    let line = gui.read();
    assert!(line.contains("rejected"), "{line}");
    gui.send_bytes("setoption name EvalFile value \u{68cb}.obk\n".as_bytes());
    let line = gui.read();
    assert!(line.contains("rejected"), "{line}");
    gui.expect_idle();
}

/// A network of random weights in a file.
fn write_network(path: &Path, seed: u64) -> Network {
    let architecture = Architecture::new(1, 64, 1).unwrap();
    let network = Network::from_parts(&Parts::random(architecture, seed)).unwrap();
    fs::write(path, network.to_bytes()).unwrap();
    network
}

/// What is told of a network in use and of the initial position.
fn told(network: &Network) -> (String, String) {
    let name = format!("network {}, {}", network.hash(), network.architecture());
    let value = shown(network.evaluate(&Board::startpos()));
    (format!("evaluation: {name}"), format!("static evaluation {value} ({name})"))
}

#[test]
fn networks_in_both_dialects() {
    let folder = tempfile::tempdir().unwrap();
    let first = told(&write_network(&folder.path().join("a.nnue"), 1));
    let second = told(&write_network(&folder.path().join("my net.nnue"), 2));
    assert_ne!(first.1, second.1);
    fs::write(folder.path().join("short.nnue"), &fs::read(folder.path().join("a.nnue")).unwrap()[..5000]).unwrap();
    let mut by_hand = Evaluator::new(&Evaluation::HandWritten, &Board::startpos());
    let by_hand = shown(by_hand.evaluate(&Board::startpos()));

    for dialect in Dialect::ALL {
        let mut gui = Gui::with_config(SessionConfig {
            program_folder: Some(folder.path().to_owned()),
            ..SessionConfig::default()
        });
        gui.send(dialect.name());
        gui.read_until(&format!("{}ok", dialect.name()));
        gui.send("position startpos");
        let expect = |gui: &mut Gui, text: &str| {
            let line = gui.read();
            assert!(line.ends_with(text), "{dialect:?}: {line}, expected {text}");
        };
        let choose = |gui: &mut Gui, name: &str| {
            gui.send(&match dialect {
                Dialect::Ucci => format!("setoption evalfile {name}"),
                Dialect::Uci => format!("setoption name EvalFile value {name}"),
            });
        };
        choose(&mut gui, "a.nnue");
        expect(&mut gui, &first.0);
        gui.send("eval");
        expect(&mut gui, &first.1);
        // Again the same: nothing to say, nothing forgotten.
        choose(&mut gui, "a.nnue");
        gui.expect_idle();
        choose(&mut gui, folder.path().join("my net.nnue").to_str().unwrap());
        expect(&mut gui, &second.0);
        // What is rejected leaves the network in use.
        choose(&mut gui, "short.nnue");
        expect(&mut gui, "rejected: file ends within its weights: 4948 bytes, expected 88580");
        gui.send("eval");
        expect(&mut gui, &second.1);
        gui.send("go depth 3");
        gui.read_answer();
        choose(&mut gui, "<none>");
        expect(&mut gui, "evaluation: hand-written");
        gui.send("eval");
        expect(&mut gui, &format!("static evaluation {by_hand} (hand-written)"));
        choose(&mut gui, "a.nnue");
        expect(&mut gui, &first.0);
        choose(&mut gui, "<embedded>");
        expect(&mut gui, &format!("evaluation: {}", Evaluation::embedded()));
        choose(&mut gui, "<embedded>");
        gui.expect_idle();
    }
}

/// The score of an iteration is that of the network alone, not of what an earlier evaluation left in the tables.
#[test]
fn a_new_network_forgets_what_the_old_one_knew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.nnue");
    write_network(&path, 1);
    let choice = format!("setoption name EvalFile value {}", path.display());
    let depth_five = |gui: &mut Gui| {
        gui.send(&format!("{choice}\nposition startpos\ngo depth 5"));
        let lines = gui.read_answer();
        let line = lines.iter().rfind(|line| line.starts_with("info depth 5 ")).unwrap();
        line.split(" nodes ").next().unwrap().to_owned()
    };
    let mut gui = Gui::uci();
    gui.send("position startpos\ngo depth 8");
    gui.read_answer();
    assert_eq!(depth_five(&mut gui), depth_five(&mut Gui::uci()));
}

#[test]
fn a_book_move_is_told_like_elephant_eye() {
    let mut gui = Gui::ucci();
    gui.send("position startpos\ngo time 60000 increment 1000");
    let lines = gui.read_answer();
    let [.., last, _, answer] = lines.as_slice() else { panic!("{lines:?}") };
    assert!(last.starts_with("info depth 0 score ") && last.contains(&answer[9..13]), "{lines:#?}");
    gui.send("setoption usebook off\ngo time 300 increment 0");
    assert!(gui.read_answer().iter().all(|line| !line.starts_with("info depth 0 ")));
}

#[test]
fn a_transcript_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.txt");
    let mut gui = Gui::uci();
    gui.send(&format!("setoption name Debug Log File value {}\nisready", path.display()));
    gui.read();
    gui.send("isready\nsetoption name Debug Log File value <empty>\nisready\nisready");
    (0..3).for_each(|_| drop(gui.read()));
    let log = fs::read_to_string(&path).unwrap();
    assert!(log.contains(">> isready\n") && log.contains("<< readyok\n"), "{log}");
    gui.send(&format!("setoption name Debug Log File value {}", folder.path().display()));
    assert!(gui.read().starts_with("info string cannot write log file"));
    gui.expect_idle();
}

#[test]
fn debug_tells_what_was_read() {
    let mut gui = Gui::ucci();
    gui.send("setoption debug on\nposition startpos moves h2e2");
    assert_eq!(gui.read(), "info message idleline [position startpos moves h2e2]");
    gui.send("setoption debug off\nisready");
    gui.read_until("readyok");
}

#[test]
fn names_with_blanks_are_understood_in_ucci_too() {
    let mut gui = Gui::ucci();
    // The longest name that fits is meant: `Repetition Rule`, not the older `repetition` with a strange value.
    gui.send("setoption Repetition Rule skyrule");
    assert!(gui.read().contains("computer"));
    gui.send("setoption Multi PV 3\nsetoption multipv value 2\nposition startpos\ngo depth 2");
    let lines = gui.read_answer();
    assert!(
        lines.iter().any(|line| line.contains("multipv 2")) && !lines.iter().any(|line| line.contains("multipv 3"))
    );
    gui.send("setoption Skill Level 0\nsetoption MULTI PV 1\ngo nodes 100000");
    let lines = gui.read_answer();
    let nodes: Vec<&str> = lines.iter().filter_map(|line| line.split("nodes ").nth(1)).collect();
    let last = nodes.last().and_then(|text| text.split(' ').next()).and_then(|text| text.parse::<u64>().ok());
    assert!(last.is_some_and(|nodes| nodes < 10_000), "level 0 looks at few nodes: {lines:?}");
}
