//! Tournaments while they are played, with tables that answer at once: nothing twice, nothing missing.

mod common;

use std::collections::BTreeMap;
use std::path::Path;

use chuhe_arena::Outcome;
use chuhe_arena::journal::{
    self, Act, Event, FinishedGame, GameReport, Journal, OpeningName, OrganiserAct, Resumed, Usage,
};
use chuhe_arena::played::Termination;
use chuhe_arena::stats::{EloModel, Sprt, Verdict};
use chuhe_arena::summary::Summary;
use chuhe_arena::systems::{
    Cycles, FinalStage, Format, Gauntlet, Groups, KnockOut, KnockOutKind, RoundRobin, Standings, Swiss, System,
};
use chuhe_arena::tournament::{
    ActsFile, Course, Files, GameJob, Observer, PlayedOut, Roster, RunEnd, RunError, Step, Stop, Table, Tournament, run,
};
use chuhe_files::{Durability, Log};
use chuhe_movegen::Color;
use common::id;

/// The engine that stands first in the list wins, or whatever the function says.
#[derive(Clone)]
struct Fake {
    outcome: fn(&GameJob) -> Outcome,
    stop: Stop,
    /// Asks to stop when so many games have been played at this table.
    stop_after: Option<u32>,
    played: u32,
}

fn favourite(job: &GameJob) -> Outcome {
    if job.red < job.black { Outcome::RedWins } else { Outcome::BlackWins }
}

impl Table for Fake {
    fn play(&mut self, job: &GameJob) -> Option<PlayedOut> {
        if self.stop_after == Some(self.played) {
            self.stop.ask();
        }
        if self.stop.is_asked() {
            return None;
        }
        self.played += 1;
        let report = GameReport {
            outcome: (self.outcome)(job),
            termination: Termination::Checkmate,
            reason: "mate".to_owned(),
            opening: OpeningName { index: job.opening, name: String::new() },
            plies: 40,
            started: 0,
            duration_ms: 1,
            fouls: [0, 0],
            usage: [Usage { moves: 20, time_ms: 10.0, depths: [20, 100], ..Usage::default() }; 2],
            fault: None,
            minor_faults: Vec::new(),
        };
        Some(PlayedOut { report, pgn: format!("{:?}\n\n", job.slot) })
    }
}

#[derive(Default)]
struct Watcher {
    games: u32,
    acts: Vec<Result<(), String>>,
    notes: Vec<String>,
}

impl Observer for Watcher {
    fn game_over(&mut self, _: &Tournament, _: &FinishedGame, _: &str) -> std::io::Result<()> {
        self.games += 1;
        Ok(())
    }

    fn act(&mut self, _: &Tournament, _: &OrganiserAct, result: Result<(), String>) {
        self.acts.push(result);
    }

    fn note(&mut self, text: &str) {
        self.notes.push(text.to_owned());
    }
}

fn names(count: usize) -> Vec<String> {
    (1..=count).map(|i| format!("E{i}")).collect()
}

fn system(system: impl System + 'static, format: Format, extra_games: u16, cycle: u16) -> Course {
    Course::System { system: Box::new(system), format, extra_games, cycle }
}

fn tournament(entrants: usize, course: Course) -> Tournament {
    Tournament::new(Roster::of_engines(names(entrants)).unwrap(), course, None).unwrap()
}

/// Plays with so many tables, the first of which to have played so many games asks to stop.
fn play(
    tournament: &mut Tournament,
    files: &mut Files,
    tables: usize,
    stop_after: Option<u32>,
    outcome: fn(&GameJob) -> Outcome,
) -> (Result<RunEnd, RunError>, Watcher) {
    let stop = Stop::new();
    let fake = Fake { outcome, stop: stop.clone(), stop_after, played: 0 };
    let all = vec![fake; tables];
    let mut watcher = Watcher::default();
    let end = run(tournament, files, all, &stop, &mut watcher);
    (end, watcher)
}

fn files(folder: &Path) -> (Files, Vec<journal::Entry>) {
    let Resumed { journal, pgn, contents } =
        journal::resume(&folder.join("t.jsonl"), Some(&folder.join("t.pgn")), &serde_json::json!({})).unwrap();
    (Files { journal: Some(journal), pgn }, contents.entries)
}

/// Every system comes to the same end whether it is played in one go or in pieces, by one table or by three; each game
/// stands once in the journal and once in the PGN file.
#[test]
fn every_system_runs_in_pieces_as_in_one_go() {
    let two = Format::TWO_GAMES;
    let one = Format::SINGLE_GAME;
    let knock_out = |entrants, kind| KnockOut::new(entrants, kind, two, 2, 5).unwrap();
    let finals = FinalStage::KnockOut { kind: KnockOutKind::Single { third_place: true }, extra_games: 2, seed: 1 };
    type Make<'a> = Box<dyn Fn() -> Course + 'a>;
    // Name, entrants, games in all.
    let systems: Vec<(&str, usize, usize, Make<'_>)> = vec![
        ("match", 2, 50, Box::new(|| Course::Match { games: 50 })),
        ("round robin", 5, 20, Box::new(|| system(RoundRobin::new(5, Cycles::Single, two).unwrap(), two, 0, 0))),
        ("double", 4, 12, Box::new(|| system(RoundRobin::new(4, Cycles::Double, one).unwrap(), one, 0, 3))),
        ("gauntlet", 4, 6, Box::new(|| system(Gauntlet::new(4, 1, two).unwrap(), two, 0, 0))),
        ("knock-out", 6, 12, Box::new(|| system(knock_out(6, KnockOutKind::Single { third_place: true }), two, 2, 0))),
        ("double knock-out", 5, 16, Box::new(|| system(knock_out(5, KnockOutKind::Double), two, 2, 0))),
        ("groups", 8, 32, Box::new(|| system(Groups::new(8, 2, 2, Cycles::Single, finals, two).unwrap(), two, 2, 0))),
        ("swiss", 7, 12, Box::new(|| system(Swiss::new(7, 4, one, 3).unwrap(), one, 0, 0))),
    ];
    for (name, entrants, games, make) in systems {
        let mut whole = tournament(entrants, make());
        let (end, watcher) = play(&mut whole, &mut Files::default(), 1, None, favourite);
        assert_eq!((end.unwrap(), watcher.games as usize), (RunEnd::Finished, games), "{name}");
        let standings = whole.course().standings(whole.history()).unwrap();
        assert_eq!(standings.rows[0].entrant, id(1), "{name}");

        let folder = tempfile::tempdir().unwrap();
        let mut runs = 0;
        let pieces = loop {
            runs += 1;
            let (mut files, entries) = files(folder.path());
            let mut part = tournament(entrants, make());
            for entry in &entries {
                part.apply(&entry.event).unwrap();
            }
            match play(&mut part, &mut files, 3, Some(1), favourite).0.unwrap() {
                RunEnd::Finished => break part,
                RunEnd::Stopped => assert!(runs < 100, "{name}"),
            }
        };
        assert!(runs > 1, "{name} was never interrupted");
        assert_eq!(pieces.course().standings(pieces.history()).unwrap(), standings, "{name}");

        let contents = journal::read(&folder.path().join("t.jsonl")).unwrap();
        let pgn = std::fs::read_to_string(folder.path().join("t.pgn")).unwrap();
        let mut slots = BTreeMap::new();
        for entry in &contents.entries {
            if let Event::Game(game) = &entry.event {
                *slots.entry(game.slot).or_insert(0) += 1;
                let span = game.pgn.unwrap();
                let text = &pgn[span.offset as usize..span.end() as usize];
                assert_eq!(text, format!("{:?}\n\n", game.slot), "{name}");
            }
        }
        assert!(slots.values().all(|&count| count == 1), "{name}");
        assert_eq!((slots.len(), pgn.split_terminator("\n\n").count()), (games, games), "{name}");
    }
}

/// The two games of a pair have one opening and reversed colours, in every system with an even number of games; no
/// opening serves two encounters.
#[test]
fn openings_come_in_pairs_with_colours_reversed() {
    let four = Format { boards: 1, games: 4 };
    let teams = Format { boards: 3, games: 2 };
    let team_list = (0..4).map(|t| (format!("T{t}"), (1..=3).map(|b| format!("E{}", t * 3 + b)).collect())).collect();
    let courses = [
        tournament(2, Course::Match { games: 40_002 }),
        tournament(5, system(RoundRobin::new(5, Cycles::Single, four).unwrap(), four, 0, 0)),
        tournament(4, system(RoundRobin::new(4, Cycles::Double, Format::SINGLE_GAME).unwrap(), four, 0, 3)),
        tournament(5, system(KnockOut::new(5, KnockOutKind::Double, four, 4, 1).unwrap(), four, 4, 0)),
        tournament(6, system(Swiss::new(6, 4, four, 1).unwrap(), four, 0, 0)),
        Tournament::new(
            Roster::of_teams(names(12), team_list).unwrap(),
            system(RoundRobin::new(4, Cycles::Single, teams).unwrap(), teams, 0, 0),
            None,
        )
        .unwrap(),
    ];
    for mut tournament in courses {
        let name = format!("{:?}", tournament.course());
        struct Collect(BTreeMap<u64, Vec<(String, String)>>);
        impl Observer for Collect {
            fn game_over(&mut self, _: &Tournament, game: &FinishedGame, _: &str) -> std::io::Result<()> {
                let players = (game.red.clone(), game.black.clone());
                self.0.entry(game.report.opening.index).or_default().push(players);
                Ok(())
            }
            fn act(&mut self, _: &Tournament, _: &OrganiserAct, _: Result<(), String>) {}
            fn note(&mut self, _: &str) {}
        }
        let mut pairs = Collect(BTreeMap::new());
        let stop = Stop::new();
        // Draws, so that knock-outs go on to their limit.
        let fake = Fake { outcome: |_| Outcome::Draw, stop: stop.clone(), stop_after: None, played: 0 };
        run(&mut tournament, &mut Files::default(), vec![fake], &stop, &mut pairs).unwrap();
        for (opening, games) in pairs.0 {
            assert_eq!(games.len(), 2, "{name}: opening {opening}: {games:?}");
            let (red, black) = games[0].clone();
            assert_eq!(games[1], (black, red), "{name}: opening {opening}");
        }
        for tally in tournament.meetings().tallies().values() {
            assert_eq!(tally.pairs().games(), tally.games().samples(), "{name}");
        }
    }
}

#[test]
fn a_decided_test_stops_the_match_and_stays_decided() {
    let sprt = Sprt::new(EloModel::Logistic, 0.0, 10.0, 0.05, 0.05).unwrap();
    let outcome = |job: &GameJob| if job.opening.is_multiple_of(3) { Outcome::Draw } else { favourite(job) };
    let new =
        || Tournament::new(Roster::of_engines(names(2)).unwrap(), Course::Match { games: 4000 }, Some(sprt)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (mut files, _) = files(folder.path());
    let mut tournament = new();
    let (end, watcher) = play(&mut tournament, &mut files, 3, None, outcome);
    assert_eq!(end.unwrap(), RunEnd::Finished);
    assert_eq!(tournament.verdict(), Some(Verdict::AcceptH1));
    assert!((40..1000).contains(&watcher.games), "{}", watcher.games);
    drop(files);

    let mut again = new();
    for entry in journal::read(&folder.path().join("t.jsonl")).unwrap().entries {
        again.apply(&entry.event).unwrap();
    }
    assert_eq!(again.verdict(), Some(Verdict::AcceptH1));
    assert_eq!(again.meetings().tallies().len(), 1);
    let (end, watcher) = play(&mut again, &mut Files::default(), 1, None, outcome);
    assert_eq!((end.unwrap(), watcher.games), (RunEnd::Finished, 0));
}

fn act(act: Act) -> Event {
    Event::Act(OrganiserAct { act, reason: "the organiser said so".to_owned(), left_at: None })
}

#[test]
fn the_organiser_corrects_forfeits_and_replays() {
    let mut tournament = tournament(2, Course::Match { games: 4 });
    play(&mut tournament, &mut Files::default(), 1, None, favourite).0.unwrap();
    let points = |tournament: &Tournament| {
        let standings = tournament.course().standings(tournament.history()).unwrap();
        [1, 2].map(|number| standings.row(id(number)).unwrap().points.to_string())
    };
    let pairs = |tournament: &Tournament| {
        tournament.meetings().tallies().values().next().map(|tally| *tally.pairs().counts()).unwrap()
    };
    assert_eq!((points(&tournament), pairs(&tournament)), (["4", "0"].map(str::to_owned), [0, 0, 0, 0, 2]));

    tournament.apply(&act(Act::Correct { game: 2, outcome: Outcome::Draw })).unwrap();
    assert_eq!((points(&tournament), pairs(&tournament)), (["3.5", "0.5"].map(str::to_owned), [0, 0, 0, 1, 1]));

    // A forfeit gives the points and says nothing about strength.
    tournament.apply(&act(Act::ForfeitGame { game: 1, entrant: id(1) })).unwrap();
    assert_eq!((points(&tournament), pairs(&tournament)), (["2.5", "1.5"].map(str::to_owned), [0, 0, 0, 0, 1]));

    tournament.apply(&act(Act::Replay { game: 1 })).unwrap();
    assert_eq!(points(&tournament), ["2.5", "0.5"].map(str::to_owned));
    let (end, watcher) = play(&mut tournament, &mut Files::default(), 2, None, |_| Outcome::Draw);
    assert_eq!((end.unwrap(), watcher.games), (RunEnd::Finished, 1));
    assert_eq!((points(&tournament), pairs(&tournament)), (["3", "1"].map(str::to_owned), [0, 0, 1, 0, 1]));

    // What was replayed is void; game 5 is its second run.
    for (wrong, message) in [
        (Act::Replay { game: 1 }, "game 1 is to be played again"),
        (Act::Correct { game: 6, outcome: Outcome::Draw }, "there is no game 6: expected a number from 1 to 5"),
        (Act::ForfeitGame { game: 5, entrant: id(3) }, "entrant 3 does not play game 5"),
        (Act::Withdraw { entrant: id(0), before_start: false }, "there is no entrant 0"),
    ] {
        let error = tournament.apply(&act(wrong)).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
    tournament.apply(&act(Act::Correct { game: 5, outcome: Outcome::RedWins })).unwrap();
    assert_eq!(points(&tournament), ["3.5", "0.5"].map(str::to_owned));
}

/// Of seven in a Swiss one is free in each round; the rounds say who, and explain the points.
#[test]
fn rounds_explain_the_points_of_a_swiss() {
    let format = Format::SINGLE_GAME;
    let mut tournament = tournament(7, system(Swiss::new(7, 3, format, 0).unwrap(), format, 0, 0));
    play(&mut tournament, &mut Files::default(), 1, None, favourite).0.unwrap();
    let summary = Summary::of(&tournament).unwrap();
    assert_eq!(summary.rounds.iter().map(|round| round.round).collect::<Vec<_>>(), [1, 2, 3]);
    for row in &summary.standings.rows {
        let name = &summary.entrants[usize::from(row.entrant.number()) - 1];
        let met = summary.rounds.iter().flat_map(|round| &round.encounters);
        let own = met.filter_map(|encounter| match name {
            _ if *name == encounter.first => Some(encounter.points[0]),
            _ if *name == encounter.second => Some(encounter.points[1]),
            _ => None,
        });
        let halves: u32 = own.map(|points| points.halves()).sum();
        let byes = summary.rounds.iter().flat_map(|round| &round.byes).filter(|bye| *bye == name).count() as u32;
        assert_eq!((halves + 2 * byes, byes), (row.points.halves(), row.byes), "{name}");
    }
    for round in &summary.rounds {
        assert_eq!((round.encounters.len(), round.byes.len()), (3, 1), "{round:?}");
        assert!(round.encounters.iter().all(|encounter| encounter.complete && encounter.marks.len() == 1), "{round:?}");
    }
}

#[test]
fn groups_show_who_went_through_from_which() {
    let format = Format::SINGLE_GAME;
    let finals = FinalStage::KnockOut { kind: KnockOutKind::Single { third_place: false }, extra_games: 0, seed: 0 };
    let groups = Groups::new(6, 2, 1, Cycles::Single, finals, format).unwrap();
    let mut tournament = tournament(6, system(groups, format, 0, 0));
    play(&mut tournament, &mut Files::default(), 1, None, favourite).0.unwrap();
    let summary = Summary::of(&tournament).unwrap();
    let members = |table: &Standings| table.rows.iter().map(|row| row.entrant.number()).collect::<Vec<_>>();
    // Dealt to and fro, and the favourite always wins.
    assert_eq!(summary.groups.iter().map(members).collect::<Vec<_>>(), [[1, 4, 5], [2, 3, 6]]);
    assert_eq!(summary.qualified, [id(1), id(2)]);
    let last = summary.rounds.last().unwrap();
    assert_eq!((last.stage, last.encounters.len()), (2, 1));
}

/// Two boards: A wins one and draws one against B, loses both against C; B and C draw both.
#[test]
fn teams_have_their_matches_counted() {
    let engines: Vec<String> = ["A1", "A2", "B1", "B2", "C1", "C2"].map(str::to_owned).to_vec();
    let teams = ["A", "B", "C"].map(|team| (team.to_owned(), vec![format!("{team}1"), format!("{team}2")]));
    let roster = Roster::of_teams(engines, teams.to_vec()).unwrap();
    let format = Format { boards: 2, games: 1 };
    let course = system(RoundRobin::new(3, Cycles::Single, format).unwrap(), format, 0, 0);
    let mut tournament = Tournament::new(roster, course, None).unwrap();
    let outcome = |job: &GameJob| {
        let slot = &job.slot;
        let winner = match (slot.red().number().min(slot.black().number()), slot.red().number() + slot.black().number())
        {
            (1, 3) if slot.board == 1 => 1,
            (1, 4) => 3,
            _ => return Outcome::Draw,
        };
        if slot.red().number() == winner { Outcome::RedWins } else { Outcome::BlackWins }
    };
    play(&mut tournament, &mut Files::default(), 1, None, outcome).0.unwrap();
    let standings = Summary::of(&tournament).unwrap().standings;
    let matches = [1, 2, 3].map(|number| standings.row(id(number)).unwrap().matches);
    assert_eq!(matches, [Some([1, 0, 1]), Some([0, 1, 1]), Some([1, 1, 0])]);
}

/// Nobody can play against who has gone; the result can be corrected.
#[test]
fn games_of_who_has_left_are_not_played_again() {
    let format = Format::TWO_GAMES;
    let mut tournament = tournament(3, system(RoundRobin::new(3, Cycles::Single, format).unwrap(), format, 0, 0));
    play(&mut tournament, &mut Files::default(), 1, None, favourite).0.unwrap();
    let of = |tournament: &Tournament, gone| {
        let played = tournament.played().iter().position(|entry| entry.slot.encounter.has(id(gone))).unwrap();
        played as u32 + 1
    };
    let game = of(&tournament, 3);
    tournament.apply(&act(Act::Withdraw { entrant: id(3), before_start: false })).unwrap();
    let error = tournament.apply(&act(Act::Replay { game })).unwrap_err().to_string();
    assert!(error.contains(&format!("game {game} cannot be played again: ")) && error.contains("withdrawn"), "{error}");
    assert!(tournament.is_over().unwrap(), "nothing was changed");
    tournament.apply(&act(Act::Correct { game, outcome: Outcome::Draw })).unwrap();
    assert!(tournament.is_over().unwrap(), "a correction opens nothing");
}

#[test]
fn who_leaves_or_stays_away_loses_what_is_left() {
    let format = Format::TWO_GAMES;
    let new = || tournament(4, system(RoundRobin::new(4, Cycles::Single, format).unwrap(), format, 0, 0));
    let mut late = new();
    assert!(matches!(late.step().unwrap(), Step::Announce(_)));
    let nothing = late.apply(&act(Act::ForfeitRound { stage: 1, round: 1, entrant: id(1) })).unwrap_err();
    assert!(nothing.to_string().starts_with("E1 has no game left to play in round 1"), "{nothing}");

    // All is announced when the first game begins.
    let (end, _) = play(&mut late, &mut Files::default(), 1, Some(2), favourite);
    assert_eq!(end.unwrap(), RunEnd::Stopped);
    late.apply(&act(Act::ForfeitRound { stage: 1, round: 3, entrant: id(1) })).unwrap();
    let (end, watcher) = play(&mut late, &mut Files::default(), 1, None, favourite);
    assert_eq!((end.unwrap(), watcher.games), (RunEnd::Finished, 8));
    let cells = late.course().cross_table(late.history()).unwrap();
    let row = cells.rows.iter().find(|row| row.standing.entrant == id(1)).unwrap();
    assert_eq!(row.standing.won_drawn_lost, [4, 0, 2]);

    let mut left = new();
    play(&mut left, &mut Files::default(), 1, Some(4), favourite).0.unwrap();
    left.apply(&act(Act::Withdraw { entrant: id(4), before_start: false })).unwrap();
    let again = left.apply(&act(Act::Withdraw { entrant: id(4), before_start: false })).unwrap_err();
    assert_eq!(again.to_string(), "E4 has withdrawn already");
    play(&mut left, &mut Files::default(), 1, None, favourite).0.unwrap();
    assert!(left.course().standings(left.history()).unwrap().row(id(4)).unwrap().unranked);
}

/// Who leaves during a game has lost it. What was announced is not drawn anew, even before the first result: games of
/// the draw before would be of no encounter that there is.
#[test]
fn who_leaves_during_the_first_game_has_lost_it() {
    let format = Format::SINGLE_GAME;
    let mut tournament = tournament(5, system(RoundRobin::new(5, Cycles::Single, format).unwrap(), format, 0, 0));
    assert!(!tournament.has_begun());
    let Step::Announce(news) = tournament.step().unwrap() else { panic!("nothing is announced") };
    tournament.apply(&Event::Announce(news)).unwrap();
    assert!(tournament.has_begun());
    let Step::Play(leaves) = tournament.step().unwrap() else { panic!("nothing to play") };
    let Step::Play(stays) = tournament.step().unwrap() else { panic!("nothing to play") };
    let gone = leaves.slot.red();
    tournament.apply(&act(Act::Withdraw { entrant: gone, before_start: true })).unwrap();
    assert!(tournament.is_decided(&leaves.slot) && !tournament.is_decided(&stays.slot));
    tournament.abandon(&leaves.slot);
    tournament.abandon(&stays.slot);
    let (end, watcher) = play(&mut tournament, &mut Files::default(), 2, None, favourite);
    assert_eq!((end.unwrap(), watcher.games), (RunEnd::Finished, 6), "four are left");
    assert!(tournament.course().standings(tournament.history()).unwrap().row(gone).unwrap().unranked);
    assert!(tournament.is_over().unwrap());
    tournament.apply(&act(Act::Replay { game: 1 })).unwrap();
    assert!(!tournament.is_over().unwrap());
}

/// Half a line in the file of decisions spoils no other decision.
#[test]
fn a_decision_is_read_behind_half_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let acts_file = ActsFile::of(&folder.path().join("t.jsonl"));
    let decision = OrganiserAct { act: Act::Replay { game: 1 }, reason: "power cut".to_owned(), left_at: None };
    acts_file.leave(&decision).unwrap();
    let path = folder.path().join("t.jsonl.acts");
    let mut half = std::fs::read(&path).unwrap();
    half.truncate(20);
    half.push(0xff);
    std::fs::write(&path, half).unwrap();
    acts_file.leave(&decision).unwrap();
    for _ in 0..2 {
        // Until they are done they are found again.
        let left = acts_file.look().unwrap().unwrap();
        let acts = left.acts();
        assert!(acts[0].as_ref().is_err_and(|problem| problem.contains("t.jsonl.acts: ")), "{acts:?}");
        assert_eq!(acts[1..], [Ok(decision.clone())]);
    }
    acts_file.look().unwrap().unwrap().done().unwrap();
    assert!(acts_file.look().unwrap().is_none());
}

/// A tournament does not end because nobody can read what the organiser has left.
#[cfg(unix)]
#[test]
fn a_run_goes_on_without_decisions_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let (mut files, _) = files(folder.path());
    // A folder in place of the file; it has a size.
    std::fs::create_dir(folder.path().join("t.jsonl.acts")).unwrap();
    std::fs::write(folder.path().join("t.jsonl.acts/x"), "x").unwrap();
    let mut tournament = tournament(2, Course::Match { games: 6 });
    let (end, watcher) = play(&mut tournament, &mut files, 2, None, favourite);
    assert_eq!((end.unwrap(), watcher.games), (RunEnd::Finished, 6));
    assert_eq!(watcher.notes.len(), 1);
    assert!(watcher.notes[0].contains("no longer watches for decisions"), "{:?}", watcher.notes);
}

/// A decision reaches a run that has the journal open, and is journalled there.
#[test]
fn decisions_reach_a_tournament_that_is_being_played() {
    let folder = tempfile::tempdir().unwrap();
    let (mut files, _) = files(folder.path());
    let path = folder.path().join("t.jsonl");
    let mut tournament = tournament(2, Course::Match { games: 6 });
    play(&mut tournament, &mut files, 1, Some(3), favourite).0.unwrap();
    let acts_file = ActsFile::of(&path);
    for act in [Act::Correct { game: 2, outcome: Outcome::Draw }, Act::Correct { game: 9, outcome: Outcome::Draw }] {
        let left_at = Some(1_700_000_000_123);
        acts_file.leave(&OrganiserAct { act, reason: "seen wrong".to_owned(), left_at }).unwrap();
    }
    let decisions = std::fs::read(folder.path().join("t.jsonl.acts")).unwrap();
    let (_, watcher) = play(&mut tournament, &mut files, 1, None, favourite);
    assert_eq!(watcher.acts.len(), 2);
    assert!(watcher.acts[0].is_ok() && watcher.acts[1].as_ref().is_err_and(|error| error.contains("no game 9")));
    let carried_out = || {
        let entries = journal::read(&path).unwrap().entries;
        let acts = entries.iter().filter(|entry| matches!(&entry.event, Event::Act(act) if act.reason == "seen wrong"));
        acts.count()
    };
    assert_eq!(carried_out(), 1);
    // Handed over once.
    assert!(play(&mut tournament, &mut files, 1, None, favourite).1.acts.is_empty());
    // A run that was killed before it could empty the file leaves them to the next, which knows what was carried out.
    std::fs::write(folder.path().join("t.jsonl.acts"), decisions).unwrap();
    let (_, watcher) = play(&mut tournament, &mut files, 1, None, favourite);
    assert!(matches!(&watcher.acts[..], [Err(error)] if error.contains("no game 9")), "{:?}", watcher.acts);
    assert_eq!(carried_out(), 1);
}

/// What cannot be written is told by name; the files end with the game before.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_stops_the_run_and_loses_nothing_in_silence() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::create(&folder.path().join("t.jsonl"), &serde_json::json!({})).unwrap();
    let pgn = Log::create(Path::new("/dev/full"), Durability::Disk).unwrap();
    let mut files = Files { journal: Some(journal), pgn: Some(pgn) };
    let mut tournament = tournament(2, Course::Match { games: 6 });
    let (end, watcher) = play(&mut tournament, &mut files, 1, None, favourite);
    let error = end.unwrap_err().to_string();
    for part in ["cannot write /dev/full: No space left", "game 1 (E1 - E2, 1-0) is not in the files"] {
        assert!(error.contains(part), "{error}");
    }
    assert_eq!((watcher.games, tournament.played().len()), (0, 0));
    let entries = journal::read(&folder.path().join("t.jsonl")).unwrap().entries;
    assert!(entries.is_empty(), "{entries:?}");
}

/// A match costs little beside its games, however many there are.
#[test]
fn ten_thousand_games_cost_little() {
    let mut tournament = tournament(2, Course::Match { games: 10_000 });
    let start = std::time::Instant::now();
    let (_, watcher) = play(&mut tournament, &mut Files::default(), 2, None, |job| {
        [Outcome::RedWins, Outcome::Draw, Outcome::BlackWins][(job.opening % 3) as usize]
    });
    assert_eq!(watcher.games, 10_000);
    // Each game may cost 60 moves at less than a millisecond; 2 ms beside them leave room for any machine.
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    let tally = tournament.meetings().tallies().values().next().unwrap();
    assert_eq!(tally.pairs().counts(), &[0, 0, 5000, 0, 0]);
    assert_eq!(tournament.conduct()[0].usage.mean_depth(), Some(5.0));
    assert_eq!(tournament.conduct()[Color::Black as usize].games, 10_000);
}
