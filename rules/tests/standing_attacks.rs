//! An attack that stands all the time excuses nobody (article 29.2 and, on attacks that go on, the paragraph after 29.4):
//! to cycles that one side loses are added a horse of the other and an elephant that it attacks throughout.

mod common;

use chuhe_movegen::attacks::{horse_attacks, horse_leg};
use chuhe_movegen::{Bitboard, Board, Color, Piece, PieceType, Square};
use chuhe_rules::{Attack, Game, JudgedMove, MoveClass, RuleSet, Ruling, Verdict};

use crate::common::cases;

/// The game with two more pieces that take no part in it, if its moves stay legal.
fn with_pieces(game: &Game, pieces: [(Piece, Square); 2]) -> Option<Game> {
    let start = game.start();
    let old = Square::all().filter_map(|square| Some((start.piece_at(square)?, square)));
    let mut crowded = Game::new(Board::from_pieces(old.chain(pieces), start.side_to_move(), 0, 1).ok()?);
    for mv in game.moves() {
        crowded.play(mv).ok()?;
    }
    Some(crowded)
}

fn moves(ruling: &Ruling, color: Color) -> impl Iterator<Item = &JudgedMove> {
    let moves = ruling.repetition.iter().flat_map(|repetition| &repetition.moves);
    moves.filter(move |judged| judged.mover == color)
}

/// Squares that nothing stands on or passes during the game.
fn free_squares(game: &Game) -> Bitboard {
    let touched = game.plies().iter().fold(Bitboard::EMPTY, |set, ply| set | ply.board.occupied());
    Square::all().filter(|&square| !touched.contains(square)).collect()
}

/// Where elephants of this side may stand.
fn elephant_points(color: Color) -> impl Iterator<Item = Square> {
    [(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)].into_iter().filter_map(move |(file, rank)| {
        let square = Square::from_coords(file, rank)?;
        Some(if color == Color::Red { square } else { square.rotate() })
    })
}

#[test]
fn a_standing_attack_excuses_nobody() {
    let mut tried = 0;
    for case in cases().iter().filter(|case| case.is_certain()) {
        let game = case.game();
        let free = free_squares(&game);
        for rules in [RuleSet::ASIAN, RuleSet::CHINESE] {
            let plain = game.ruling(&rules);
            let Verdict::Loses(loser) = plain.verdict else { continue };
            for elephant in elephant_points(loser).filter(|&square| free.contains(square)) {
                let horses = free & horse_attacks(elephant, Bitboard::EMPTY);
                for horse in horses.into_iter().filter(|&horse| free.contains(horse_leg(horse, elephant))) {
                    let pieces = [
                        (Piece::new(loser, PieceType::Elephant), elephant),
                        (Piece::new(!loser, PieceType::Horse), horse),
                    ];
                    let Some(crowded) = with_pieces(&game, pieces) else { continue };
                    let ruling = crowded.ruling(&rules);
                    // The pieces must not change what the side at fault does.
                    let classes = |ruling: &Ruling| moves(ruling, loser).map(|judged| judged.class).collect::<Vec<_>>();
                    if classes(&ruling) != classes(&plain) {
                        continue;
                    }
                    tried += 1;
                    let attack = Attack { attacker: horse, victim: elephant };
                    let is_excuse = moves(&ruling, !loser).any(|judged| {
                        judged.class == MoveClass::Chase && judged.chases.iter().any(|chase| chase.attack == attack)
                    });
                    // The capture may gain or lose its sense by a move, but the parries of the other side do not make it.
                    assert!(
                        !is_excuse || ruling.verdict == plain.verdict,
                        "{} under {rules}: {}",
                        case.id,
                        crowded.start()
                    );
                }
            }
        }
    }
    assert!(tried > 4_000, "{tried}");
}
