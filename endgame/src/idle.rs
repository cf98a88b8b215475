//! Moves that offend against no rule of repetition.
//!
//! Which moves check, threaten mate or chase differs between rule sets and is the business of the judge. A table needs
//! one direction only: a move that is *idle* here is idle under every rule set, for it neither checks, nor can it be a
//! mate threat, nor attack anything anew that could be worth taking. The converse does not hold. Where it is not certain
//! that a move is idle it counts as an attack.

use chuhe_movegen::{Bitboard, Board, CheckInfo, Move, MoveList, PieceType};

/// After how many checks a piece counts as won "through checks", in the Chinese rules.
const CHECKS_BEFORE_CAPTURE: u8 = 2;

/// Whether a piece may chase at all: kings never, pawns never to their side's disadvantage.
const fn may_chase(kind: PieceType) -> bool {
    !matches!(kind, PieceType::King | PieceType::Pawn)
}

/// The pieces of the side not to move that count as such when they are attacked: not the king, nor a pawn on its own
/// side of the river.
fn countable(board: &Board) -> Bitboard {
    let them = !board.side_to_move();
    let home_pawns = board.kind(PieceType::Pawn) & Bitboard::home(them);
    board.color(them) & !board.kind(PieceType::King) & !home_pawns
}

/// The legal captures of countable pieces by pieces that may chase.
fn captures(board: &Board) -> MoveList {
    let targets = countable(board);
    let mut list = MoveList::new();
    board.generate_captures(&mut list);
    list.retain(|mv| {
        targets.contains(mv.to())
            && board.piece_at(mv.from()).is_some_and(|piece| may_chase(piece.kind))
            && board.is_legal(*mv)
    });
    list
}

/// Worth of a piece in exchanges, as the Chinese rules count it.
const fn worth(kind: PieceType) -> u8 {
    match kind {
        PieceType::King => u8::MAX,
        PieceType::Rook => 8,
        PieceType::Horse | PieceType::Cannon => 4,
        PieceType::Advisor | PieceType::Elephant => 2,
        PieceType::Pawn => 1,
    }
}

/// Whether the victim is worth more than the capturer whatever happens next.
const fn is_better(attacker: PieceType, victim: PieceType) -> bool {
    use PieceType::{Advisor, Cannon, Elephant, Horse, Rook};
    match attacker {
        Horse | Cannon => matches!(victim, Rook),
        Advisor | Elephant => matches!(victim, Rook | Horse | Cannon),
        _ => false,
    }
}

/// The kinds of the piece that captures and of the one that is captured.
fn kinds(board: &Board, capture: Move) -> Option<(PieceType, PieceType)> {
    Some((board.piece_at(capture.from())?.kind, board.piece_at(capture.to())?.kind))
}

/// Whether two pieces of one kind can take each other. `opponent` is the same placement with the other side to move.
fn is_exchange_offer(opponent: &Board, capture: Move, (attacker, victim): (PieceType, PieceType)) -> bool {
    attacker == victim
        && matches!(victim, PieceType::Rook | PieceType::Horse | PieceType::Cannon)
        && Move::new(capture.to(), capture.from()).is_some_and(|mv| opponent.play(mv).is_ok())
}

/// Whether the side to move can mate at once.
fn mates_at_once(board: &Board) -> bool {
    let info = CheckInfo::new(board);
    board.legal_moves().into_iter().any(|mv| board.gives_check(mv, &info) && !board.make(mv).has_legal_move())
}

/// Whether a legal capture wins something, by every rule set that does not excuse it because it is answered by mate.
fn surely_wins(board: &Board, capture: Move) -> bool {
    let Some(kinds) = kinds(board, capture) else { return false };
    let is_free = || !board.make(capture).legal_moves().into_iter().any(|mv| mv.to() == capture.to());
    (is_better(kinds.0, kinds.1) || is_free()) && !is_exchange_offer(&board.turned(), capture, kinds)
}

/// Whether a legal capture is answered by mate at once: by some rule sets it is no attack then.
fn is_suicide(board: &Board, capture: Move) -> bool {
    mates_at_once(&board.make(capture))
}

/// Whether a legal capture wins nothing under any rule set: it is an offer to exchange, or it is answered by a recapture
/// after which nobody else takes, and what is given is worth what is taken. `opponent` as above.
fn surely_wins_nothing(board: &Board, opponent: &Board, capture: Move) -> bool {
    let Some(kinds) = kinds(board, capture) else { return false };
    if is_exchange_offer(opponent, capture, kinds) {
        return true;
    }
    if is_better(kinds.0, kinds.1) || worth(kinds.1) > worth(kinds.0) {
        return false;
    }
    let after = board.make(capture);
    let mut retakes = after.legal_moves();
    retakes.retain(|mv| mv.to() == capture.to());
    !retakes.is_empty()
        && retakes.into_iter().all(|retake| {
            let last = after.make(retake);
            !last.legal_moves().into_iter().any(|mv| mv.to() == capture.to())
        })
}

/// Whether a move without capture may be a chase under some rule set.
pub(crate) fn may_be_chase(before: &Board, mv: Move, after: &Board) -> bool {
    let own = after.turned();
    captures(&own).into_iter().any(|capture| {
        let origin = if capture.from() == mv.to() { mv.from() } else { capture.from() };
        let old = Move::new(origin, capture.to()).filter(|&old| before.is_pseudo_legal(old) && before.is_legal(old));
        // An attack that stood is new only where it was excused and no longer is.
        let stood =
            old.is_some_and(|old| surely_wins(before, old) && (!is_suicide(before, old) || is_suicide(&own, capture)));
        !stood && !surely_wins_nothing(&own, after, capture)
    })
}

/// Whether the side to move, having passed its turn, may win a piece by one check or two, whatever the answers.
pub(crate) fn may_win_through_checks(board: &Board) -> bool {
    wins_after_check(board, CHECKS_BEFORE_CAPTURE)
}

fn wins_after_check(board: &Board, checks: u8) -> bool {
    if countable(board).is_empty() {
        return false;
    }
    let info = CheckInfo::new(board);
    board.legal_moves().into_iter().filter(|&mv| board.gives_check(mv, &info)).any(|mv| {
        let checked = board.make(mv);
        let replies = checked.legal_moves();
        // Mate at once is a mate threat, not a chase.
        if replies.is_empty() {
            return checks < CHECKS_BEFORE_CAPTURE;
        }
        replies.into_iter().all(|reply| {
            let next = checked.make(reply);
            can_take(&next) || checks > 1 && wins_after_check(&next, checks - 1)
        })
    })
}

/// Whether a piece that may chase can take anything.
fn can_take(board: &Board) -> bool {
    let mut list = MoveList::new();
    board.generate_captures(&mut list);
    list.into_iter()
        .any(|mv| board.piece_at(mv.from()).is_some_and(|piece| may_chase(piece.kind)) && board.is_legal(mv))
}

#[cfg(test)]
mod tests {
    use chuhe_movegen::{Color, MoveList};
    use chuhe_rules::{Game, JudgedMove, MoveClass, RuleSet};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::build::build_in_memory;
    use crate::layout::Layout;
    use crate::tables::Tables;
    use crate::value::Value;

    /// A move and its answer, after which both sides can go back to where they were.
    fn cycle(board: &Board, rng: &mut ChaCha8Rng) -> Option<[Move; 4]> {
        let quiet = |board: &Board, rng: &mut ChaCha8Rng| {
            let moves: MoveList = board.legal_moves().into_iter().filter(|&mv| !board.is_capture(mv)).collect();
            (!moves.is_empty()).then(|| moves[rng.random_range(0..moves.len())])
        };
        let back = |mv: Move| Move::new(mv.to(), mv.from());
        let there = quiet(board, rng)?;
        let answer = quiet(&board.make(there), rng)?;
        let moves = [there, answer, back(there)?, back(answer)?];
        let mut at = board.clone();
        for mv in moves {
            at = at.play(mv).ok()?;
        }
        (at.key() == board.key()).then_some(moves)
    }

    /// Whether a move is idle under every rule set, as [`crate::repetition`] finds it.
    fn is_idle(before: &Board, mv: Move, tables: &Tables) -> bool {
        let after = before.make(mv);
        let passed = after.turned();
        !after.in_check()
            && tables.value(&passed) != Some(Value::Win)
            && !may_be_chase(before, mv, &after)
            && !may_win_through_checks(&passed)
    }

    #[test]
    fn no_idle_move_is_an_attack_under_any_rule_set() {
        let classes = ["RvN", "NvP", "RvC", "CvAN", "NvBP"].map(|class| class.parse().unwrap());
        let tables = Tables::from_files(build_in_memory(&classes[..2], &()).unwrap()).unwrap();
        let rule_sets = ["axf", "cxa", "cxa1999", "cxa_old", "computer"].map(|name| name.parse::<RuleSet>().unwrap());
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let (mut idle, mut checks, mut chases) = (0, 0, 0);
        for class in classes {
            let layout = Layout::new(class).unwrap();
            let mut cycles = 0;
            while cycles < 1500 {
                let placement = layout.placement(rng.random_range(0..layout.size()));
                let side = Color::ALL[rng.random_range(0..2)];
                let Some(start) = layout.board(&placement, side) else { continue };
                let Some(moves) = cycle(&start, &mut rng) else { continue };
                cycles += 1;
                let mut game = Game::new(start.clone());
                for mv in moves.into_iter().cycle().take(8) {
                    game.play(mv).unwrap();
                }
                for rules in &rule_sets {
                    let Some(repetition) = game.ruling(rules).repetition else { continue };
                    let mut board = start.clone();
                    for JudgedMove { mv, class, .. } in repetition.cycle() {
                        let is_attack = !matches!(class, MoveClass::Idle(_));
                        let is_idle = is_idle(&board, *mv, &tables);
                        // Where there is no table a mate threat is not seen.
                        let is_threat_unseen =
                            tables.info(crate::Class::of(&board).0).is_none() && *class == MoveClass::Kill;
                        assert!(
                            !(is_idle && is_attack) || is_threat_unseen,
                            "{} {mv} {class:?} {rules:?}",
                            board.to_fen()
                        );
                        idle += usize::from(is_idle);
                        checks += usize::from(*class == MoveClass::Check);
                        chases += usize::from(*class == MoveClass::Chase);
                        board = board.make(*mv);
                    }
                }
            }
        }
        // All kinds must be there in number for this to mean anything.
        assert!(idle > 20_000 && checks > 2_000 && chases > 2_000, "{idle} {checks} {chases}");
    }
}
