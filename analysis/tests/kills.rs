//! What mates are called: every name on positions of both colours and both wings, and what comes near and is not it.

use chuhe_analysis::Kill;
use chuhe_movegen::{Board, Move};
use chuhe_rules::Game;

/// The names of a game from `fen` by `moves`.
fn names(board: &Board, moves: &[Move]) -> String {
    let mut game = Game::new(board.clone());
    for &mv in moves {
        game.play(mv).unwrap_or_else(|error| panic!("{}: {error}", board.to_fen()));
    }
    Kill::of_game(&game).into_iter().map(|kill| kill.name().chinese).collect::<Vec<_>>().join(" ")
}

/// Checks a position, its mirror image, and both with the colours exchanged.
fn check(fen: &str, moves: &str, expected: &str) {
    let board = Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let moves: Vec<Move> = moves.split_whitespace().map(|mv| mv.parse().expect("a move")).collect();
    let mirrored: Vec<Move> = moves.iter().map(|mv| mv.mirror_file()).collect();
    let rotated: Vec<Move> = moves.iter().map(|mv| mv.rotate()).collect();
    let both: Vec<Move> = mirrored.iter().map(|mv| mv.rotate()).collect();
    assert_eq!(names(&board, &moves), expected, "{fen}");
    assert_eq!(names(&board.mirror_files(), &mirrored), expected, "mirrored {fen}");
    assert_eq!(names(&board.swap_colors(), &rotated), expected, "colours exchanged {fen}");
    assert_eq!(names(&board.mirror_files().swap_colors(), &both), expected, "mirrored, colours exchanged {fen}");
}

/// All names that fit each mate, the most telling first.
#[test]
fn every_kill_has_its_name() {
    let mut seen = Vec::new();
    for (fen, moves, expected) in [
        // The rook on the seventh rank holds the next one.
        ("4k4/5R3/9/9/9/9/9/9/4A4/R3K4 w", "a0a9", "双车错"),
        // The flight e7 faces the king.
        ("9/9/3k5/9/9/9/9/9/2R6/4K4 w", "c1d1", "白脸将"),
        ("4k4/9/4N4/9/2C6/9/9/9/9/4K4 w", "c5e5", "马后炮"),
        ("3N1k3/9/9/9/C8/9/9/9/9/4K4 w", "a5a9", "马后炮"),
        ("3k5/2N6/9/9/7R1/9/9/9/4A4/4K4 w", "h5d5", "卧槽马 肋马车"),
        // Both advisors are tied: one to each cannon.
        ("C1bakr3/4a3R/4b4/9/9/4C4/9/9/9/4K4 w", "i8e8", "天地炮"),
        ("4ka3/4a4/4b4/9/3R5/9/9/4C4/9/3K5 w", "d5d9", "铁门栓 白脸将"),
        ("2P1ka3/4a4/4b4/9/9/9/9/4C4/9/3K5 w", "c9d9", "铁门栓 白脸将"),
        ("4ka3/R3a4/4b4/9/3R5/9/9/4C4/9/3K5 w", "a8e8 f9e8 d5d9", "大刀剜心 铁门栓 白脸将"),
        ("4ka3/3Pa4/4b4/9/3R5/9/9/4C4/9/3K5 w", "d8e8 f9e8 d5d9", "小刀剜心 铁门栓 白脸将"),
        ("3aka3/9/9/9/9/9/2C6/4C4/9/4K4 w", "c3e3", "重炮"),
        // The cannons hold the rank that a second rook would hold.
        ("9/CC7/3k5/9/9/R8/9/9/4A4/4K4 w", "a4a7", "夹车炮"),
        ("9/9/4k4/9/4P4/9/9/4B4/3R5/4CK3 w", "e5e6 e7e8 e6e7 e8e9 e7e8", "三进兵 白脸将"),
        ("C1b6/5k3/5r3/9/9/9/9/9/R8/4K4 w", "a1a8", "海底捞月"),
        ("3r5/3k5/9/C8/9/R8/9/9/9/4K4 w", "a4d4", "海底捞月 白脸将"),
        ("4P4/5k3/5r3/9/9/9/9/9/R8/4K4 w", "a1a8", "老兵搜林"),
        ("4ka3/4a4/9/3N5/9/9/9/9/9/3K5 w", "d6c8", "卧槽马 白脸将"),
        // The advisor may not take the horse: the kings would face each other.
        ("3ak4/4a4/9/9/4N4/9/9/9/9/4KC3 w", "e5f7", "挂角马 白脸将"),
        ("4k4/9/2N6/9/5R3/9/9/9/9/5K3 w", "f5f9", "钓鱼马 白脸将"),
        ("3k5/9/9/2N6/9/9/9/9/9/R3K4 w", "a0a9", "高钓马"),
        ("4k4/1N7/9/9/9/9/9/R8/9/5K3 w", "a2e2", "金钩马 白脸将"),
        ("3k5/9/5N3/9/9/9/9/9/R8/4K4 w", "a1d1", "八角马 挂角马 肋马车"),
        ("3k5/9/9/N1N6/9/9/9/9/9/4K4 w", "a6b8", "高钓马 金钩马 双马饮泉 白脸将"),
        ("4k4/3P1P3/9/9/9/9/9/9/9/5K3 w", "f8e8", "二鬼拍门 白脸将"),
        ("4kab1C/3P5/9/9/9/9/9/5R3/4A4/4K4 w", "f2f9", "炮碾丹沙"),
        ("4k4/5P3/9/9/4C1p1r/9/9/9/4R4/3K5 w", "e5i5", "车炮抽杀 白脸将"),
        ("4k4/5P3/9/9/4N4/9/9/9/4R4/3K5 w", "e5g6", "拔簧马 白脸将"),
        ("3ak4/4a4/2C6/9/9/9/9/9/4A4/4K4 w", "c7c9", "闷宫"),
    ] {
        check(fen, moves, expected);
        seen.extend(expected.split(' '));
    }
    for kill in Kill::ALL {
        assert!(seen.contains(&kill.name().chinese), "no example of {}", kill.name().chinese);
    }
}

/// The kills that the reference lists (杀王法, then those that 杀招 adds), in its order.
const LISTED: [&str; 20] = [
    "双车错",
    "白脸将",
    "马后炮",
    "肋马车",
    "天地炮",
    "铁门栓",
    "大刀剜心",
    "小刀剜心",
    "重炮",
    "夹车炮",
    "三进兵",
    "海底捞月",
    "老兵搜林",
    "卧槽马",
    "钓鱼马",
    "金钩马",
    "八角马",
    "高钓马",
    "炮碾丹沙",
    "车炮抽杀",
];

#[test]
fn every_kill_of_the_reference_is_known() {
    let known: Vec<&str> = Kill::ALL.iter().map(|kill| kill.name().chinese).collect();
    for name in LISTED {
        assert!(known.contains(&name), "{name}");
    }
}

#[test]
fn the_table_of_kills_in_the_documentation_is_that_of_the_code() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/analysis.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let table = page.lines().skip_while(|line| !line.starts_with("| kill |")).take_while(|line| line.starts_with('|'));
    let documented: Vec<String> = table.skip(2).map(str::to_owned).collect();
    let row = |kill: &Kill| format!("| {} | {} | {} |", kill.name().chinese, kill.name().english, kill.pattern());
    assert_eq!(documented, Kill::ALL.iter().map(row).collect::<Vec<_>>());
}

#[test]
fn kills_have_names_of_their_own() {
    let mut names: Vec<&str> = Kill::ALL.iter().flat_map(|kill| [kill.name().chinese, kill.name().english]).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "two kills of one name");
    assert!(Kill::ALL.is_sorted());
}

/// Mates of manuals and tournaments: what they are called does not depend on colours and wings.
#[test]
fn real_mates_are_called_the_same_from_every_side() {
    let cases = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/mates.jsonl");
    let cases = std::fs::read_to_string(cases).expect("the case file");
    let (mut mates, mut named) = (0, 0);
    for case in cases.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON")) {
        let Some(moves) = case["pv"].as_array() else { continue };
        let moves: Vec<&str> = moves.iter().map(|mv| mv.as_str().expect("a move")).collect();
        let (fen, moves) = (case["fen"].as_str().expect("a position"), moves.join(" "));
        let start = Board::from_fen(fen).expect("a position");
        let parsed: Vec<Move> = moves.split_whitespace().map(|mv| mv.parse().expect("a move")).collect();
        let names = names(&start, &parsed);
        check(fen, &moves, &names);
        mates += 1;
        named += usize::from(!names.is_empty());
    }
    // Mates that the manuals thought worth printing.
    assert!(mates > 150 && named * 100 >= mates * 75, "{named} of {mates} have names");
}

/// One thing is changed against a mate of that name.
#[test]
fn what_comes_near_is_not_called_so() {
    for (fen, moves, expected) in [
        // A check that is answered, and a stalemate: no mate.
        ("4k4/9/5R3/9/9/9/9/9/4A4/R3K4 w", "a0a9", ""),
        ("3k5/4P4/9/9/9/9/9/9/R8/4K4 w", "a1a2", ""),
        // Not 双车错: the second rook is idle.
        ("4k4/9/2N6/9/8R/9/9/9/4A4/R3K4 w", "a0a9", "钓鱼马"),
        // Not 马后炮: a pawn is the screen; or the horse stands beside the king.
        ("4k4/9/2N1P4/9/9/9/9/9/C8/5K3 w", "a1e1", "钓鱼马 白脸将"),
        ("9/4R4/3k5/3N5/2C6/9/9/9/4A4/4K4 w", "c5d5", ""),
        // Not 卧槽马 or 金钩马: the horse stands there and has no part in it.
        ("4k4/5RN2/7P1/9/9/9/9/9/4A4/R3K4 w", "a0a9", "双车错"),
        ("4k4/1NP2R3/9/9/9/9/9/9/4A4/R3K4 w", "a0a9", "双车错"),
        // Not 铁门栓: the cannon in the middle is not needed.
        ("4k4/5R3/9/9/9/9/9/4C4/4A4/R3K4 w", "a0a9", "双车错"),
        // Not 大刀剜心: the rook is not taken; or what follows is not all checks.
        ("4k4/R3a4/2N6/9/9/9/9/9/9/5K3 w", "a8e8", "钓鱼马 白脸将"),
        ("4ka3/R3a4/4b4/8p/9/3R5/9/4C4/9/3K5 w", "a8e8 f9e8 d4d5 i6i5 d5d9", "铁门栓 白脸将"),
        // Not 三进兵: two steps.
        ("9/4k4/4P4/9/9/9/9/4B4/3R5/4CK3 b", "e8e9 e7e8", "白脸将"),
        // Not 天地炮: the cannon on the back rank has no part in it.
        ("C3kr3/4a3R/4b4/9/9/4C4/9/9/9/3K5 w", "i8e8", "白脸将"),
        // Not 海底捞月: the king is on the middle file.
        ("C1b6/4k4/4r4/9/9/9/9/9/R8/3K5 w", "a1a8", ""),
        // Not 老兵搜林: the king has an elephant left.
        ("4P4/5k3/4br3/9/9/9/9/9/R8/4K4 w", "a1a8", ""),
        // Not 八角马: the horse stands on the corner, the king not opposite.
        ("3ak4/4a4/9/9/4N4/9/9/9/9/4KC3 w", "e5f7", "挂角马 白脸将"),
        // Not 车炮抽杀: the cannon takes nothing.
        ("4k4/5P3/9/9/4C4/9/9/9/4R4/3K5 w", "e5i5", "白脸将"),
    ] {
        check(fen, moves, expected);
    }
}
