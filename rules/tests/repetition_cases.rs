//! The judge against the case file: worked diagrams of the Asian manual, worked figures of the Chinese rules, public
//! test lists, and hand-made and enumerated cycles.

mod common;

use chuhe_movegen::{Bitboard, Board, Move, Square};
use chuhe_rules::{Game, MoveClass, RuleSet, Ruling, Verdict};

use crate::common::{Case, argued_cases, cases, played_once};

/// What a ruling gets wrong, if anything.
fn difference(case: &Case, ruling: &Ruling) -> Option<String> {
    let verdict = ruling.verdict.to_string();
    let patterns = ruling.repetition.as_ref().map(|r| r.patterns.map(|pattern| pattern.to_string()).join(" : "));
    let classes: Vec<String> =
        ruling.repetition.iter().flat_map(|repetition| repetition.cycle()).map(|judged| judged.to_string()).collect();
    if verdict != case.verdict {
        return Some(format!(
            "{}: {verdict} instead of {} ({}; {classes:?})",
            case.id,
            case.verdict,
            patterns.unwrap_or_default()
        ));
    }
    let expected = case.classes.as_ref()?;
    let repetition = ruling.repetition.as_ref()?;
    let agree = expected.len() == repetition.cycle().len()
        && repetition.cycle().iter().zip(expected).all(|(judged, expected)| match expected.split_once(':') {
            // When a move chases several pieces any of them may be named.
            Some((_, victim)) => {
                judged.class == MoveClass::Chase
                    && judged.chases.iter().any(|chase| format!("{}{}", chase.victim, chase.attack.victim) == victim)
            }
            None => judged.to_string() == *expected,
        });
    (!agree).then(|| format!("{}: classes {classes:?} instead of {expected:?}", case.id))
}

#[test]
fn every_certain_case_is_judged_as_stated() {
    let mut wrong = Vec::new();
    let mut judged = 0;
    for case in cases().iter().filter(|case| case.is_certain()) {
        let ruling = case.game().ruling(&case.rules());
        judged += 1;
        if let Some(difference) = difference(case, &ruling) {
            wrong.push(difference);
        }
        let window = ruling.repetition.as_ref().map(|repetition| repetition.window);
        let (first, len) = window.map_or((0, 0), |window| (window.first, window.cycle_len()));
        if (first, len) != (case.cycle_start_ply, case.cycle_len) {
            wrong.push(format!("{}: cycle from {first}, {len} plies long", case.id));
        }
        if !ruling.repetition.is_some_and(|repetition| repetition.is_certain) {
            wrong.push(format!("{}: a search for mate threats gave up", case.id));
        }
    }
    assert!(wrong.is_empty(), "{} of {judged}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Likely cases that are decided otherwise, and why.
const DIFFERENCES: [(&str, &str); 2] = [
    (
        "axf-d-053",
        "Asian manual, diagram 61: Black parries by moves that each cut the protection of a cannon which its rook attacks. \
         Read literally, as the manual's own appendix (axf-d-092) demands, these are chases too, and both sides chase.",
    ),
    (
        "cxa-g-031",
        "The horse attacks the rook all the time; a check interrupts the attack, and answering it makes none (29.2). The \
         case itself says that the verdict is a draw if this is so.",
    ),
];

#[test]
fn likely_cases_are_decided() {
    for case in cases().iter().filter(|case| !case.is_certain()) {
        let ruling = case.game().ruling(&case.rules());
        let difference = difference(case, &ruling);
        let is_known = DIFFERENCES.iter().any(|(id, _)| *id == case.id);
        assert_eq!(difference.is_some(), is_known, "{}: {difference:?}", case.id);
        assert!(matches!(ruling.verdict, Verdict::Loses(_) | Verdict::Draw), "{}", case.id);
    }
}

#[test]
fn the_short_way_to_a_verdict_agrees() {
    for case in cases() {
        let game = case.game();
        for rules in RuleSet::ALL {
            assert_eq!(game.verdict(&rules), game.ruling(&rules).verdict, "{} under {rules}", case.id);
        }
    }
}

/// Verdicts of the second file that are not followed, and why.
const DISAGREEMENTS: [(&str, &[&str], &str); 1] = [(
    "f2-interposition",
    &["cxa", "cxa1999"],
    "Every black move attacks: the rook checks from i0, and from i2 it threatens mate by three checks and hits the bare \
     elephant on a2. One check, one mate threat (25.2) against one chase, one idle move loses (26.4).",
)];

/// The second file: cycles with what each rule set says, argued by hand from the articles.
#[test]
fn argued_cases_are_judged_as_argued() {
    let mut wrong = Vec::new();
    let mut judged = 0;
    for case in argued_cases() {
        let game = played_once(&case.fen, &case.moves);
        for (rules, verdict) in &case.verdicts {
            let rules: RuleSet = rules.parse().unwrap();
            let ruling = game.ruling(&rules);
            let classes = ruling.repetition.iter().flat_map(|repetition| repetition.cycle());
            let classes: Vec<String> = classes.map(ToString::to_string).collect();
            judged += 1;
            let is_disputed = DISAGREEMENTS.iter().any(|(id, sets, _)| *id == case.id && sets.contains(&rules.name()));
            let agrees = (ruling.verdict.to_string() == *verdict) != is_disputed;
            if !agrees || game.verdict(&rules) != ruling.verdict {
                wrong.push(format!("{} under {rules}: {} instead of {verdict} {classes:?}", case.id, ruling.verdict));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {judged}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(judged > 300, "{judged}");
}

fn swapped(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Loses(color) => Verdict::Loses(!color),
        same => same,
    }
}

#[test]
fn mirrored_and_swapped_cycles_get_the_mirrored_verdict() {
    for case in cases() {
        let game = case.game();
        let mirrored = case.game_of(|board| board.mirror_files(), Move::mirror_file);
        let turned = case.game_of(|board| board.swap_colors(), Move::rotate);
        for rules in RuleSet::ALL {
            let verdict = game.verdict(&rules);
            assert_eq!(mirrored.verdict(&rules), verdict, "{} under {rules}, mirrored", case.id);
            assert_eq!(turned.verdict(&rules), swapped(verdict), "{} under {rules}, colours swapped", case.id);
        }
    }
}

#[test]
fn moves_before_the_window_do_not_matter() {
    for case in cases().iter().filter(|case| case.cycle_start_ply > 0) {
        let game = case.game();
        let mut later = Game::new(game.plies()[case.cycle_start_ply].board.clone());
        for mv in game.moves().skip(case.cycle_start_ply) {
            later.play(mv).unwrap();
        }
        for rules in RuleSet::ALL {
            assert_eq!(later.verdict(&rules), game.verdict(&rules), "{} under {rules}", case.id);
        }
    }
}

/// Points of this rank set where a pawn that has not crossed touches nothing in any position of the window: no piece
/// on its lines or near it.
fn quiet_points(game: &Game, ranks: [u8; 2]) -> Vec<Square> {
    let touched: Bitboard = game.plies().iter().fold(Bitboard::EMPTY, |set, ply| set | ply.board.occupied());
    let is_quiet = |square: &Square| {
        (touched & (Bitboard::file(square.file()) | Bitboard::rank(square.rank()))).is_empty()
            && touched
                .into_iter()
                .all(|piece| piece.file().abs_diff(square.file()).max(piece.rank().abs_diff(square.rank())) > 2)
    };
    Square::all().filter(|square| ranks.contains(&square.rank()) && square.file() % 2 == 0).filter(is_quiet).collect()
}

/// The board with two more pieces.
fn with_pawns(board: &Board, red: Square, black: Square) -> Option<Board> {
    let fen = board.to_fen();
    let (_, rest) = fen.split_once(' ')?;
    let letter = |rank: u8, file: u8| {
        let square = Square::from_coords(file, rank)?;
        match square {
            _ if square == red => Some('P'),
            _ if square == black => Some('p'),
            _ => board.piece_at(square).map(|piece| piece.letter()),
        }
    };
    let row = |rank: u8| (0..9).map(|file| letter(rank, file).unwrap_or('1')).collect::<String>();
    let mut placement = (0..10).rev().map(row).collect::<Vec<_>>().join("/");
    for empty in (2..=9).rev() {
        placement = placement.replace(&"1".repeat(empty), &empty.to_string());
    }
    Board::from_fen(&format!("{placement} {rest}")).ok()
}

#[test]
fn two_idle_pieces_far_away_change_nothing() {
    let mut tried = 0;
    for case in cases() {
        let game = case.game();
        let black_points = quiet_points(&game, [6, 5]);
        let mut pairs = quiet_points(&game, [3, 4])
            .into_iter()
            .flat_map(|red| black_points.iter().map(move |&black| (red, black)))
            .filter(|(red, black)| red.file() != black.file());
        let Some(board) = pairs.next().and_then(|(red, black)| with_pawns(game.start(), red, black)) else { continue };
        let mut crowded = Game::new(board);
        for mv in game.moves() {
            crowded.play(mv).unwrap();
        }
        for rules in [RuleSet::COMPUTER, RuleSet::ASIAN, RuleSet::CHECK_ONLY, RuleSet::ALWAYS_DRAW] {
            assert_eq!(crowded.verdict(&rules), game.verdict(&rules), "{} under {rules}", case.id);
        }
        tried += 1;
    }
    assert!(tried >= 20, "only {tried} cases have room for two pawns");
}
