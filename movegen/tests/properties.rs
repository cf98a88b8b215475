//! What must hold in every position: derived state, symmetries, agreement of the generators with one another and with
//! the plain rules of `common::Mailbox`.

mod common;

use std::collections::HashSet;

use chuhe_movegen::{Bitboard, Board, CheckInfo, IllegalMove, Move, MoveList, Square};
use common::{Mailbox, all_moves, line, positions};
use proptest::prelude::*;

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
    let mut moves: Vec<Move> = moves.into_iter().collect();
    moves.sort();
    moves
}

fn generated(generate: impl Fn(&mut MoveList)) -> Vec<Move> {
    let mut list = MoveList::new();
    generate(&mut list);
    sorted(list)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn derived_state_survives_moves((root, choices) in line(150)) {
        for board in positions(&root, &choices) {
            prop_assert_eq!(&board.recomputed(), &board);
            prop_assert_eq!(&Board::from_fen(&board.to_fen()).unwrap(), &board);
            if !board.in_check() {
                let null = board.make_null();
                prop_assert_eq!(&null.recomputed(), &null);
                prop_assert_eq!(null.halfmove_clock(), board.halfmove_clock());
                prop_assert_ne!(null.key(), board.key());
            }
        }
    }

    #[test]
    fn counters_count((root, choices) in line(60)) {
        for pair in positions(&root, &choices).windows(2) {
            let captured = pair[0].occupied().count() != pair[1].occupied().count();
            let clock = if captured { 0 } else { pair[0].halfmove_clock() + 1 };
            prop_assert_eq!(pair[1].halfmove_clock(), clock);
            let turned = u16::from(pair[0].side_to_move() == chuhe_movegen::Color::Black);
            prop_assert_eq!(pair[1].fullmove_number(), pair[0].fullmove_number() + turned);
        }
    }

    #[test]
    fn symmetric_positions_have_symmetric_moves((root, choices) in line(100)) {
        for board in positions(&root, &choices) {
            let moves = board.legal_moves();
            let mirrored = board.mirror_files();
            prop_assert_eq!(sorted(mirrored.legal_moves()), sorted(moves.iter().map(|mv| mv.mirror_file())));
            prop_assert_eq!(mirrored.in_check(), board.in_check());
            prop_assert_eq!(&mirrored.mirror_files(), &board);
            let swapped = board.swap_colors();
            prop_assert_eq!(sorted(swapped.legal_moves()), sorted(moves.iter().map(|mv| mv.rotate())));
            prop_assert_eq!(swapped.in_check(), board.in_check());
            prop_assert_eq!(&swapped.swap_colors(), &board);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn generators_agree((root, choices) in line(40)) {
        for board in positions(&root, &choices) {
            let pseudo: Vec<Move> = all_moves().filter(|&mv| board.is_pseudo_legal(mv)).collect();
            let captures = generated(|list| board.generate_captures(list));
            let quiets = generated(|list| board.generate_quiets(list));
            prop_assert!(captures.iter().all(|&mv| board.is_capture(mv)));
            prop_assert!(!quiets.iter().any(|&mv| board.is_capture(mv)));
            prop_assert_eq!(sorted(captures.into_iter().chain(quiets)), &pseudo[..]);

            let legal = sorted(pseudo.iter().copied().filter(|&mv| board.is_legal(mv)));
            let all = generated(|list| board.generate_all(list));
            prop_assert!(all.windows(2).all(|pair| pair[0] < pair[1]), "a move comes twice");
            prop_assert_eq!(sorted(all.into_iter().filter(|&mv| board.is_legal(mv))), &legal[..]);
            prop_assert_eq!(sorted(board.legal_moves()), &legal[..]);
            prop_assert_eq!(board.count_legal_moves(), legal.len() as u64);
            prop_assert_eq!(board.has_legal_move(), !legal.is_empty());
            if board.in_check() {
                let evasions = generated(|list| board.generate_evasions(list));
                prop_assert!(evasions.iter().all(|&mv| board.is_pseudo_legal(mv)));
                prop_assert_eq!(sorted(evasions.into_iter().filter(|&mv| board.is_legal(mv))), &legal[..]);
            }
        }
    }

    #[test]
    fn moves_agree_with_the_plain_rules((root, choices) in line(30)) {
        for board in positions(&root, &choices) {
            let side = board.side_to_move();
            let rules = Mailbox::new(&board);
            prop_assert_eq!(board.in_check(), rules.in_check(side));
            let pseudo = rules.pseudo_legal_moves(side);
            prop_assert_eq!(sorted(all_moves().filter(|&mv| board.is_pseudo_legal(mv))), &pseudo[..]);
            let legal = sorted(pseudo.into_iter().filter(|&mv| rules.is_legal(mv, side)));
            prop_assert_eq!(sorted(board.legal_moves()), &legal[..]);
            let legal: HashSet<Move> = legal.into_iter().collect();
            for mv in all_moves() {
                match board.play(mv) {
                    Ok(next) => {
                        prop_assert!(legal.contains(&mv), "{mv} was played");
                        prop_assert_eq!(next.in_check(), Mailbox::new(&next).in_check(!side));
                    }
                    Err(error) => {
                        prop_assert!(!legal.contains(&mv), "{mv} was refused");
                        prop_assert_eq!(error, IllegalMove(mv));
                    }
                }
            }
        }
    }

    #[test]
    fn checks_are_foreseen((root, choices) in line(100)) {
        for board in positions(&root, &choices) {
            let info = CheckInfo::new(&board);
            for mv in board.legal_moves() {
                prop_assert_eq!(board.gives_check(mv, &info), board.make(mv).in_check(), "{} in {:?}", mv, board);
            }
        }
    }

    #[test]
    fn attackers_are_the_pieces_that_attack((root, choices) in line(20)) {
        for board in positions(&root, &choices) {
            let rules = Mailbox::new(&board);
            for square in Square::all() {
                let expected: Bitboard = rules.attackers_to(square).into_iter().collect();
                prop_assert_eq!(board.attackers_to(square, board.occupied()), expected, "{} in {:?}", square, board);
            }
        }
    }
}

#[test]
fn moves_are_read_as_they_are_written() {
    for mv in all_moves() {
        assert_eq!(mv.to_string().parse(), Ok(mv));
        assert_eq!(Move::from_bits(mv.bits()), Some(mv));
        let (from, to) = (mv.from().to_string().to_uppercase(), mv.to().to_string().to_uppercase());
        assert_eq!(format!("{from}-{to}").parse(), Ok(mv));
    }
    assert_eq!((0..=u16::MAX).filter(|&bits| Move::from_bits(bits).is_some()).count(), 90 * 89);
    for text in ["", "h2", "h2e", "h2e22", "j2e2", "h2e:", "h2h2", "h2-e2-", "h2 e2", "炮二平五", "--", "`0a0"] {
        assert!(text.parse::<Move>().is_err(), "{text}");
    }
}
