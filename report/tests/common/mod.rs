//! Invented tournaments: random legal games with invented scores and times.

use std::time::Duration;

use chuhe_movegen::Board;
use chuhe_report::page::{GameResult, GameView, LineView, Mark, MoveStudy, MoveView, PlayerStudy, ShownScore, Study};
use chuhe_report::tournament::{
    Act, CrossCell, CrossRow, CrossTable, Difference, EloBar, Pairing, SprtPanel, SprtVerdict, Standings,
    TournamentReport,
};
use chuhe_report::{Column, ColumnKind, Fact, Heading, Table};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// A game of at most `plies` random moves.
pub(crate) fn game(red: &str, black: &str, start: Board, plies: usize, seed: u64) -> GameView {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut board = start.clone();
    let mut moves = Vec::new();
    let mut course = 0.0_f64;
    let mut clocks = [120.0_f64; 2];
    for ply in 0..plies {
        let legal = board.legal_moves();
        if legal.is_empty() {
            break;
        }
        // Captures are likelier, so that something happens.
        let captures: Vec<_> = legal.iter().copied().filter(|&mv| board.is_capture(mv)).collect();
        let from = if !captures.is_empty() && random.random_bool(0.3) { &captures[..] } else { &legal[..] };
        let mv = from[random.random_range(0..from.len())];
        board = board.play(mv).expect("legal");
        course += random.random_range(-25.0..27.0);
        let by_red = ply % 2 == 0;
        let score = if by_red { course } else { -course };
        let time = random.random_range(0.05..2.5);
        let clock = &mut clocks[ply % 2];
        *clock = (*clock - time).max(0.5);
        let mut view = MoveView::from(mv);
        if ply >= 4 {
            view.score = Some(if score.abs() > 900.0 {
                ShownScore::Mate(score.signum() as i32 * 7)
            } else {
                ShownScore::Cp(score as i32)
            });
            view.depth = Some(random.random_range(9..24));
            view.time = Some(Duration::from_secs_f64(time));
            view.clock = Some(Duration::from_secs_f64(*clock));
        }
        moves.push(view);
    }
    let results = [GameResult::RedWins, GameResult::Draw, GameResult::BlackWins];
    let result = results[random.random_range(0..3)];
    GameView {
        red: red.to_owned(),
        black: black.to_owned(),
        result,
        termination: if result == GameResult::Draw { "natural limit" } else { "checkmate" }.to_owned(),
        reason: "as the rules say (article 24)".to_owned(),
        opening: "Central cannon, 中炮对屏风马".to_owned(),
        opening_plies: 4,
        start,
        moves,
        study: None,
    }
}

/// The game with an invented analysis: in each position two lines of two moves, but for the last, which has none.
pub(crate) fn studied(mut game: GameView) -> GameView {
    const MARKS: [Option<Mark>; 6] = [
        Some(Mark::Book),
        None,
        Some(Mark::Inaccuracy),
        Some(Mark::Mistake),
        Some(Mark::Blunder),
        Some(Mark::MissedMate),
    ];
    let mut board = game.start.clone();
    for (index, mv) in game.moves.iter_mut().enumerate() {
        let line = |number: usize, first: &chuhe_movegen::Move| {
            let answer = board.play(*first).expect("legal").legal_moves().first().copied();
            let score = if number == 0 { ShownScore::Cp(30 + index as i32) } else { ShownScore::Mate(-2) };
            LineView { score, depth: 12, moves: [Some(*first), answer].into_iter().flatten().collect() }
        };
        mv.study = Some(MoveStudy {
            red_chance: 0.5 + 0.4 * (index as f64 * 0.3).sin(),
            loss: 0.02 * (index % 10) as f64,
            mark: MARKS[index % MARKS.len()],
            lines: board.legal_moves().iter().take(2).enumerate().map(|(number, first)| line(number, first)).collect(),
        });
        board = board.play(mv.mv).expect("legal");
    }
    let player = |accuracy| PlayerStudy {
        moves: 10,
        accuracy: Some(accuracy),
        average_loss: Some(0.0312),
        average_cp_loss: None,
        blunders: 3,
        ..PlayerStudy::default()
    };
    game.study = Some(Study {
        source: "cup.pgn:1".to_owned(),
        damage: String::new(),
        event: "Cup, 2026-03-01".to_owned(),
        opening: Heading::new("B00 中炮局", "Central cannon"),
        players: [player(91.24), player(78.0)],
        kills: vec![Heading::new("马后炮", "cannon behind the horse")],
        last_lines: Vec::new(),
    });
    game
}

/// A tournament of `names` with `games` games of `plies` moves on its page.
pub(crate) fn tournament(names: &[&str], games: usize, plies: usize) -> TournamentReport {
    let count = names.len();
    let mut page = TournamentReport { title: "Chuhe Cup 2026 楚河杯".to_owned(), ..TournamentReport::default() };
    page.facts = vec![
        Fact::new("赛制", "System", "double round robin, each opening with both colours"),
        Fact::new("时限", "Time control", "2 s + 0.02 s"),
        Fact::new("棋规", "Rules", "checkonly"),
        Fact::new("开局", "Openings", "openings.epd, 100 lines"),
        Fact::new("日期", "Date", "2026-03-01"),
    ];
    let columns = vec![
        Column::new("名次", "Place", ColumnKind::Places),
        Column::new("棋手", "Name", ColumnKind::Names),
        Column::new("积分", "Points", ColumnKind::Points),
        Column::numbers("局", "Games"),
        Column::numbers("胜", "Won"),
        Column::numbers("和", "Drawn"),
        Column::numbers("负", "Lost"),
        Column::numbers("对手分", "Opponents"),
        Column::numbers("小分", "Sonneborn–Berger"),
    ];
    let row = |(place, name): (usize, &&str)| {
        let won = 2 * (count - place);
        let numbers = [4 * count, won, 3, place].map(|number| number.to_string());
        let cells = [(place + 1).to_string(), (*name).to_owned(), format!("{won}.5")].into_iter().chain(numbers);
        cells.chain(["31", "24.75"].map(str::to_owned)).collect()
    };
    let rows = names.iter().enumerate().map(row).collect();
    page.standings = vec![Standings { stage: String::new(), table: Table { columns, rows, ..Table::default() } }];
    let cell = |row: usize, column: usize| match (row, column) {
        _ if row == column => CrossCell::Own,
        _ if (row + column) % 11 == 10 => CrossCell::Empty,
        _ if row < column => CrossCell::Met { marks: "1½".to_owned(), won_drawn_lost: [1, 1, 0] },
        _ => CrossCell::Met { marks: "0½".to_owned(), won_drawn_lost: [0, 1, 1] },
    };
    page.cross_tables = vec![CrossTable {
        title: String::new(),
        rows: names
            .iter()
            .enumerate()
            .map(|(row, name)| CrossRow {
                place: (row + 1).to_string(),
                name: (*name).to_owned(),
                points: format!("{}.5", 2 * (count - row)),
                cells: (0..count).map(|column| cell(row, column)).collect(),
            })
            .collect(),
    }];
    page.elo = names
        .iter()
        .enumerate()
        .map(|(place, name)| {
            let elo = 180.0 - 60.0 * place as f64;
            EloBar {
                name: (*name).to_owned(),
                elo,
                low: elo - 33.0,
                high: elo + 33.0,
                games: 200,
                los: Some(1.0 / (place + 1) as f64),
            }
        })
        .collect();
    let history: Vec<f64> = (0..200).map(|at| f64::from(at) * 0.0148 + (f64::from(at) * 0.7).sin() * 0.3).collect();
    page.sprt = vec![SprtPanel {
        contest: format!("{} against {}", names[0], names[1]),
        test: "of 5 against 0 Elo (normalised), errors 0.05 and 0.05".to_owned(),
        model: "normalised".to_owned(),
        elo0: 0.0,
        elo1: 5.0,
        llr: 2.95,
        lower: -2.94,
        upper: 2.94,
        verdict: SprtVerdict::AcceptsH1,
        history,
    }];
    page.engines = Some(Table {
        title: Heading::new("引擎", "Engines"),
        columns: vec![
            Column::words("名称", "Name"),
            Column::words("协议", "Protocol"),
            Column::words("程序", "Program"),
            Column::numbers("深度", "Depth"),
            Column::numbers("速度", "Speed"),
            Column::numbers("超时", "Oversteps"),
            Column::numbers("处理器", "CPU"),
            Column::numbers("故障", "Faults"),
        ],
        rows: names
            .iter()
            .map(|name| [name, "ucci", "chuhe", "14.2", "1.21 Mn/s", "0", "99.8 %", "0"].map(str::to_owned).to_vec())
            .collect(),
        note: "CPU is processor time per second of wall time while thinking.".to_owned(),
    });
    page.terminations = vec![("checkmate".to_owned(), 61), ("natural limit".to_owned(), 29)];
    page.pairings = vec![Pairing {
        first: names[0].to_owned(),
        second: names[1].to_owned(),
        won_drawn_lost: [3, 4, 1],
        pairs: [0, 1, 1, 1, 1],
        difference: Some(Difference {
            elo: "+88.7 ± 60.1".to_owned(),
            normalised: "+40.0 ± 30.0".to_owned(),
            los: 0.987,
        }),
    }];
    page.warnings = vec!["A used more processors than B".to_owned()];
    page.acts = vec![Act {
        when: "2026-03-01 14:02".to_owned(),
        what: "game 17 played again".to_owned(),
        reason: "the power failed".to_owned(),
    }];
    page.games = (0..games)
        .map(|index| {
            let (red, black) = (index % count, (index + 1 + index / count % (count - 1)) % count);
            game(names[red], names[black], Board::startpos(), plies, index as u64)
        })
        .collect();
    page
}
