//! The pattern of each kill: what must be true of the mate, the winner playing up the board as Red.
//!
//! «Document» is the reference on the rules and terms of xiangqi that this project follows; its sections «kills» (杀王法),
//! «killing tactics» (杀招) and «terms of pieces» (棋子) name them. It describes most in half a sentence; where it leaves a
//! choice the comment says what was chosen.

use chuhe_movegen::{Bitboard, Color, PieceType, Square};

use super::mate::Mate;

/// The loser's back rank (底线), 底二路 before it, the rank of the palace's corners (宫顶线), and the loser's rank of pawns (卒林线).
const BACK: u8 = 9;
const SECOND: u8 = 8;
const PALACE_TOP: u8 = 7;
const PAWNS: u8 = 6;

/// The middle file (中线).
const CENTRE: u8 = 4;

/// The files on both sides of it (肋道).
const RIBS: [u8; 2] = [3, 5];

/// The middle of the palace (宫心, 花心).
fn is_heart(square: Square) -> bool {
    square.file() == CENTRE && square.rank() == SECOND
}

fn any(squares: Bitboard, predicate: impl Fn(Square) -> bool) -> bool {
    squares.into_iter().any(predicate)
}

/// The squares on a rank and two files that mirror each other.
fn pair(file: u8, rank: u8) -> Bitboard {
    (Bitboard::file(file) | Bitboard::file(8 - file)) & Bitboard::rank(rank)
}

/// 双车错, kills: «two rooks check in turn, side by side». One checks along a line; the other stands on the next line and
/// holds the king's way there.
pub(super) fn alternating_rooks(mate: &Mate) -> bool {
    let king = mate.king();
    mate.only_checked_by(PieceType::Rook)
        && any(mate.checkers(PieceType::Rook), |checker| {
            any(mate.winners(PieceType::Rook).without(checker), |other| {
                let along_rank = checker.rank() == king.rank();
                let apart =
                    if along_rank { other.rank().abs_diff(king.rank()) } else { other.file().abs_diff(king.file()) };
                apart == 1 && mate.held_by(other).any()
            })
        })
}

/// 白脸将 (对面笑), kills: «wins by the rule that the kings may not face each other». The winner's king is needed: by itself
/// it closes a flight, or keeps a piece of the loser's on the file between the kings.
pub(super) fn facing_kings(mate: &Mate) -> bool {
    let fighters = [PieceType::Rook, PieceType::Cannon, PieceType::Horse, PieceType::Pawn];
    let others = fighters
        .into_iter()
        .flat_map(|kind| mate.winners(kind))
        .fold(Bitboard::EMPTY, |held, square| held | mate.held_by(square));
    any(mate.winners(PieceType::King), |king| (mate.held_by(king) & !others).any()) || mate.needs_facing_kings()
}

/// 马后炮, kills: «the horse fixes the king, the cannon checks from behind it». The horse stands two points from the king,
/// where it holds the points at the king's sides, and is the cannon's screen.
pub(super) fn cannon_behind_horse(mate: &Mate) -> bool {
    any(mate.checkers(PieceType::Cannon), |cannon| {
        mate.screen(cannon).is_some_and(|(piece, square)| {
            let king = mate.king();
            let distance = square.file().abs_diff(king.file()) + square.rank().abs_diff(king.rank());
            piece.color == Color::Red && piece.kind == PieceType::Horse && distance == 2
        })
    })
}

/// 肋马车, kills: «the rook on a rib file, the horse helps to kill the king». The rook checks along the rib, the horse has a
/// part in it.
pub(super) fn rib_rook_and_horse(mate: &Mate) -> bool {
    let file = mate.king().file();
    RIBS.contains(&file)
        && any(mate.checkers(PieceType::Rook), |rook| rook.file() == file)
        && mate.parties(PieceType::Horse).any()
}

/// 天地炮, kills and tactics: «one cannon ties down the centre, another the back rank; another piece, mostly a rook, checks».
pub(super) fn heaven_and_earth_cannons(mate: &Mate) -> bool {
    let cannons = mate.needed(PieceType::Cannon);
    (cannons & Bitboard::file(CENTRE)).any()
        && (cannons & Bitboard::rank(BACK) & !Bitboard::file(CENTRE)).any()
        && mate.checkers(PieceType::Cannon).is_empty()
}

/// 铁门栓, kills: «a central cannon ties down the centre, a rook checks from the back rank»; tactics: «a rook or a pawn at the
/// king's door». The king is on its back rank, and so is what checks it along that rank.
pub(super) fn iron_bolt(mate: &Mate) -> bool {
    let bolt = mate.checkers(PieceType::Rook) | mate.checkers(PieceType::Pawn);
    mate.king().rank() == BACK
        && (bolt & Bitboard::rank(BACK)).any()
        && mate.checkers(PieceType::Cannon).is_empty()
        && (mate.needed(PieceType::Cannon) & Bitboard::file(CENTRE)).any()
}

/// The sacrifice in the heart of the palace that leads to the mate check by check.
fn cuts_out_the_heart(mate: &Mate, blade: PieceType) -> bool {
    mate.checking_steps(5).any(|step| step.piece == blade && is_heart(step.mv.to()) && step.sacrificed)
}

/// 大刀剜心 (大胆穿心), kills: «a rook is given for the central advisor»; terms: «a rook breaks into the heart of the palace, a
/// sacrifice that decides». It is taken there, and the winner checks from then on, at most four more times.
pub(super) fn great_blade(mate: &Mate) -> bool {
    cuts_out_the_heart(mate, PieceType::Rook)
}

/// 小刀剜心: the same with a pawn.
pub(super) fn small_blade(mate: &Mate) -> bool {
    cuts_out_the_heart(mate, PieceType::Pawn)
}

/// 重炮, kills and terms: «two cannons, one behind the other, on a line with the king»: one is the other's screen.
pub(super) fn doubled_cannons(mate: &Mate) -> bool {
    any(mate.checkers(PieceType::Cannon), |cannon| {
        mate.screen(cannon).is_some_and(|(piece, _)| piece.color == Color::Red && piece.kind == PieceType::Cannon)
    })
}

/// 夹车炮, kills: «a rook and two cannons attack the king, the cannons doing the work of a second rook»; tactics: «rook and
/// cannon, or rook and two cannons, work together one before and one behind the other». So: a rook and two cannons have a
/// part in it and one of them checks, in neither of the ways that have names of their own; or rook and cannon check at
/// once along one line.
pub(super) fn cannons_and_rook(mate: &Mate) -> bool {
    let in_line = any(mate.checkers(PieceType::Cannon), |cannon| {
        mate.screen(cannon).is_some_and(|(piece, _)| piece.color == Color::Red && piece.kind == PieceType::Rook)
    });
    let three = (mate.checkers(PieceType::Rook) | mate.checkers(PieceType::Cannon)).any()
        && mate.parties(PieceType::Rook).any()
        && mate.parties(PieceType::Cannon).count() == 2
        && !doubled_cannons(mate)
        && !heaven_and_earth_cannons(mate);
    in_line || three
}

/// 三进兵, kills: «a pawn, guarded by a cannon, checks step by step». One pawn has made the last three moves, each forward
/// and each a check, and the cannon keeps the king from taking it.
pub(super) fn three_pawn_steps(mate: &Mate) -> bool {
    let steps: Vec<_> = mate.checking_steps(3).collect();
    steps.len() == 3
        && steps.iter().all(|step| step.piece == PieceType::Pawn && step.mv.to().rank() > step.mv.from().rank())
        && steps.windows(2).all(|pair| pair[0].mv.from() == pair[1].mv.to())
        && any(mate.winners(PieceType::Cannon), |cannon| mate.held_by(cannon).contains(steps[0].mv.to()))
}

/// What the two kills from beneath have in common: a rook mates the king, which has been driven from the middle file, and
/// either the helper on the back rank is needed against a king that has left it, or nothing else is left on the board than
/// in the endgame that the document means.
fn from_beneath(mate: &Mate, helper: PieceType) -> bool {
    let king = mate.king();
    let needed = king.rank() < BACK && (mate.needed(helper) & Bitboard::rank(BACK)).any();
    king.file() != CENTRE && mate.checkers(PieceType::Rook).any() && (needed || is_endgame_of_rook_and(mate, helper))
}

/// Rook and helper against at most a rook.
fn is_endgame_of_rook_and(mate: &Mate, helper: PieceType) -> bool {
    let fighters = [PieceType::Rook, PieceType::Horse, PieceType::Cannon, PieceType::Pawn];
    let winners = fighters.into_iter().map(|kind| mate.winners(kind).count()).sum::<u32>();
    let others = PieceType::ALL.into_iter().filter(|kind| ![PieceType::King, PieceType::Rook].contains(kind));
    winners == 2
        && mate.winners(PieceType::Rook).count() == 1
        && mate.winners(helper).count() == 1
        && mate.losers(PieceType::Rook).count() <= 1
        && others.into_iter().all(|kind| mate.losers(kind).is_empty())
}

/// 海底捞月, kills: «rook and cannon beat a lone rook by winning the middle file»; tactics: «from the back rank they force the
/// king off the middle file».
pub(super) fn moon_from_the_sea_floor(mate: &Mate) -> bool {
    from_beneath(mate, PieceType::Cannon)
}

/// 老兵搜林, kills: «rook and old pawn (a pawn on the back rank) beat a lone rook by winning the middle file». The same mate
/// with the pawn in the cannon's place, against a king that has no advisors and elephants left.
pub(super) fn old_pawn_in_the_wood(mate: &Mate) -> bool {
    (mate.winners(PieceType::Pawn) & Bitboard::rank(BACK)).any()
        && from_beneath(mate, PieceType::Pawn)
        && (mate.losers(PieceType::Advisor) | mate.losers(PieceType::Elephant)).is_empty()
}

/// A horse on one of two mirrored points that fixes the king while another piece checks (马定将，其他子力将军). Where it mates
/// from that point itself, primers call it by the same name.
fn horse_on(mate: &Mate, file: u8, rank: u8) -> bool {
    any(mate.winners(PieceType::Horse) & pair(file, rank), |horse| {
        mate.held_by(horse).any() || mate.checkers(PieceType::Horse).contains(horse)
    })
}

/// 卧槽马, kills: «the horse fixes the king, another piece checks»; terms: «the horse that checks there». The terms print
/// its points as 3.7 and 7.7, which are those of the high angler; all books we know have it before the elephant's home.
pub(super) fn elbow_horse(mate: &Mate) -> bool {
    horse_on(mate, 2, SECOND)
}

/// 挂角马 or 士角马, terms: «the horse on points 4.8 and 6.8»: on a corner of the palace, where it checks the king at home or
/// holds it.
pub(super) fn corner_horse(mate: &Mate) -> bool {
    horse_on(mate, 3, PALACE_TOP)
}

/// 钓鱼马, kills: «the horse fixes the king, another piece checks»; terms: points 3.8 and 7.8.
pub(super) fn angler_horse(mate: &Mate) -> bool {
    horse_on(mate, 2, PALACE_TOP)
}

/// 高钓马 or 侧面虎, kills as the others; terms: «on the third or seventh file, on the opponent's rank of pawns».
pub(super) fn high_angler_horse(mate: &Mate) -> bool {
    horse_on(mate, 2, PAWNS)
}

/// 金钩马, kills as the others; the document does not say where. Books have it on the rank of the elbow horse, one file
/// further out.
pub(super) fn golden_hook_horse(mate: &Mate) -> bool {
    horse_on(mate, 1, SECOND)
}

/// 八角马, kills as the others; terms: «on a corner of the palace, the king on the corner diagonally opposite», where the
/// horse holds both of its ways.
pub(super) fn octagonal_horse(mate: &Mate) -> bool {
    let king = mate.king();
    any(mate.winners(PieceType::Horse), |horse| {
        horse.file().abs_diff(king.file()) == 2
            && horse.rank().abs_diff(king.rank()) == 2
            && RIBS.contains(&king.file())
            && mate.held_by(horse).any()
    })
}

/// 双马饮泉, terms: «two horses close in on the palace». One checks, the other has a part in it, and no rook or cannon checks.
pub(super) fn horses_at_the_spring(mate: &Mate) -> bool {
    mate.only_checked_by(PieceType::Horse) && mate.parties(PieceType::Horse).count() == 2
}

/// 二鬼拍门, terms: «two pawns close in on the palace». Two pawns within the palace's ranks have a part in it.
pub(super) fn ghosts_at_the_gate(mate: &Mate) -> bool {
    mate.parties(PieceType::Pawn).into_iter().filter(|pawn| pawn.rank() >= PALACE_TOP).count() >= 2
}

/// 炮碾丹沙, tactics: «rook and cannon check along the back rank and clear it of advisors and elephants». Both stand there
/// at the end and one checks along it; one of the last three moves, all of them checks, took an advisor or elephant there.
pub(super) fn grinding_cannon(mate: &Mate) -> bool {
    let back = Bitboard::rank(BACK);
    let checkers = mate.checkers(PieceType::Rook) | mate.checkers(PieceType::Cannon);
    mate.king().rank() == BACK
        && (checkers & back).any()
        && (mate.winners(PieceType::Rook) & back).any()
        && (mate.winners(PieceType::Cannon) & back).any()
        && mate.checking_steps(3).any(|step| {
            step.mv.to().rank() == BACK
                && matches!(step.piece, PieceType::Rook | PieceType::Cannon)
                && matches!(step.captured, Some(PieceType::Advisor | PieceType::Elephant))
        })
}

/// 车炮抽杀, tactics: «the cannon before the rook jumps away to take something while the rook behind it checks». It is one of
/// the last three moves, all of them checks.
pub(super) fn discovering_cannon(mate: &Mate) -> bool {
    mate.checking_steps(3)
        .any(|step| step.piece == PieceType::Cannon && step.captured.is_some() && step.uncovers(PieceType::Rook))
}

/// 拔簧马, terms: «the horse before the rook jumps away». The mating move is the horse's, and the rook behind it checks.
pub(super) fn spring_horse(mate: &Mate) -> bool {
    mate.checking_steps(1).any(|step| step.piece == PieceType::Horse && step.uncovers(PieceType::Rook))
}

/// 闷宫, which the document does not list and every primer does: a cannon checks over one of the loser's own pieces, and
/// what the king's own men leave it lies on the cannon's line.
pub(super) fn smothered_palace(mate: &Mate) -> bool {
    mate.only_checked_by(PieceType::Cannon)
        && any(mate.checkers(PieceType::Cannon), |cannon| {
            mate.screen(cannon).is_some_and(|(piece, _)| piece.color == Color::Black)
                && (mate.flights() & !mate.held_by(cannon)).is_empty()
        })
}
