//! The chase (捉): which enemy pieces a side could win if it were its turn, and which of these attacks a move made.
//!
//! An attack is a pair of an attacker and a victim. The five conditions of a chase and the exceptions stand here, each
//! in a function of its own.

use arrayvec::ArrayVec;
use chuhe_movegen::attacks::between;
use chuhe_movegen::{Bitboard, Board, CheckInfo, Color, MAX_MOVES, Move, MoveList, Piece, PieceType, Square};

use crate::exchange::{can_retake, exchange_gain, has_crossed, retakers, value_on};

/// A piece that could take another with profit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Attack {
    /// Where the attacker stands.
    pub attacker: Square,
    /// Where the victim stands.
    pub victim: Square,
}

/// The attacks of one side.
pub(crate) type Attacks = ArrayVec<Attack, MAX_MOVES>;

/// When a capture is profitable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Gain {
    /// When nothing takes back at once, or the victim is worth more than the capturer.
    FirstRetake,
    /// When the whole exchange on the square wins material, rooks counting as two minor pieces.
    Exchange,
}

/// What is compared to tell whether an attack is new.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Newness {
    /// Attacker and victim: a second attacker makes a new chase.
    Pair,
    /// The victim alone.
    Victim,
}

/// What a rule set calls a chase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ChaseDefinition {
    pub(crate) gain: Gain,
    pub(crate) newness: Newness,
    /// Whether a capture that is answered by mate at once is no attack (article 29.4).
    pub(crate) excuses_suicide: bool,
    /// Whether a piece that can be won by way of checks is chased (article 29.1).
    pub(crate) through_checks: bool,
    /// Whether pawns count as attackers (article 27.2 of 1999, mutual fights only).
    pub(crate) pawns_attack: bool,
}

/// How a move made an attack that was not there before.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ChaseWay {
    /// The moved piece attacks.
    Direct,
    /// The move opened a line, a leg or an eye for the attacker, or made or unmade a cannon's screen.
    Discovered,
    /// The attacker was pinned, or its capture was otherwise illegal, and is free now.
    Unpinned,
    /// The way of a protector is closed.
    ProtectorBlocked,
    /// A protector is pinned: its root has become false.
    ProtectorPinned,
    /// The king may no longer take back.
    KingDenied,
    /// One more attacker makes the exchange profitable.
    Reinforced,
    /// The victim could take the attacker, or mate after its own loss, and no longer can.
    AnswerLost,
    /// The piece can be won by way of checks.
    ThroughChecks,
}

/// Whether a piece may chase at all: kings never, pawns only where a rule set says so (articles 27.1, 27.2).
fn may_chase(kind: PieceType, definition: &ChaseDefinition) -> bool {
    match kind {
        PieceType::King => false,
        PieceType::Pawn => definition.pawns_attack,
        _ => true,
    }
}

/// Whether a piece counts as one when it is attacked: not the king, nor a pawn on its own side (article 25.3).
fn counts_as_piece(piece: Piece, square: Square) -> bool {
    match piece.kind {
        PieceType::King => false,
        PieceType::Pawn => has_crossed(piece, square),
        _ => true,
    }
}

/// Whether the victim is worth more than the capturer whatever happens next: a horse or cannon against a rook, an
/// advisor or elephant against a rook, horse or cannon.
fn attacks_more_valuable(attacker: PieceType, victim: PieceType) -> bool {
    use PieceType::{Advisor, Cannon, Elephant, Horse, Rook};
    match attacker {
        Horse | Cannon => victim == Rook,
        Advisor | Elephant => matches!(victim, Rook | Horse | Cannon),
        _ => false,
    }
}

/// Whether two pieces of one kind attack each other: an offer to exchange (兑) in every rule set.
///
/// `opponent` is the same placement with the victim's side to move. A victim that may not take, being pinned or with
/// its own leg blocked, makes no offer.
fn is_exchange_offer(opponent: &Board, attacker: Square, victim: Square) -> bool {
    let kind = |square| opponent.piece_at(square).map(|piece| piece.kind);
    kind(attacker) == kind(victim)
        && matches!(kind(victim), Some(PieceType::Rook | PieceType::Horse | PieceType::Cannon))
        && Move::new(victim, attacker).is_some_and(|mv| opponent.is_pseudo_legal(mv) && opponent.is_legal(mv))
}

/// Whether the side to move can mate at once, so that the capture that led here was suicidal (article 29.4).
fn mates_at_once(board: &Board) -> bool {
    let info = CheckInfo::new(board);
    board.legal_moves().into_iter().any(|mv| board.gives_check(mv, &info) && !board.make(mv).has_legal_move())
}

impl ChaseDefinition {
    /// The legal captures of a piece by a piece that may chase it, profitable or not.
    fn captures(&self, board: &Board) -> impl Iterator<Item = Move> {
        let mut list = MoveList::new();
        board.generate_captures(&mut list);
        list.into_iter().filter(move |mv| {
            board.piece_at(mv.from()).is_some_and(|piece| may_chase(piece.kind, self))
                && board.piece_at(mv.to()).is_some_and(|piece| counts_as_piece(piece, mv.to()))
                && board.is_legal(*mv)
        })
    }

    /// What a legal capture wins beyond doubt: some positive number if it is profitable.
    fn profit(&self, board: &Board, capture: Move) -> i32 {
        match self.gain {
            Gain::Exchange => exchange_gain(board, capture),
            Gain::FirstRetake => {
                let kind = |square| board.piece_at(square).map(|piece| piece.kind);
                let better = match (kind(capture.from()), kind(capture.to())) {
                    (Some(attacker), Some(victim)) => attacks_more_valuable(attacker, victim),
                    _ => false,
                };
                i32::from(better || !can_retake(&board.make(capture), capture.to()))
            }
        }
    }

    /// Whether a profitable capture is ruled out because it loses at once.
    fn is_excused(&self, board: &Board, capture: Move) -> bool {
        self.excuses_suicide && mates_at_once(&board.make(capture))
    }

    /// The attacks of the side to move of `board`; `opponent` is the same placement with the other side to move.
    pub(crate) fn attacks(&self, board: &Board, opponent: &Board) -> Attacks {
        self.captures(board)
            .filter(|&mv| {
                self.profit(board, mv) > 0
                    && !is_exchange_offer(opponent, mv.from(), mv.to())
                    && !self.is_excused(board, mv)
            })
            .map(|mv| Attack { attacker: mv.from(), victim: mv.to() })
            .collect()
    }

    /// The attacks that the move from `before` to `after` has made.
    pub(crate) fn new_attacks(&self, before: &Board, mv: Move, after: &Board) -> Attacks {
        let mut attacks = self.attacks(&after.turned(), after);
        if attacks.is_empty() {
            return attacks;
        }
        let old = self.attacks(before, &before.turned());
        let now_at = |square: Square| if square == mv.from() { mv.to() } else { square };
        attacks.retain(|attack| {
            !old.iter().any(|old| {
                old.victim == attack.victim
                    && (self.newness == Newness::Victim || now_at(old.attacker) == attack.attacker)
            })
        });
        attacks
    }

    /// The pieces that can be won through checks after the move and could be won in no way before it, each with the
    /// piece that gives the first check.
    ///
    /// Only for a move that neither checks nor chases directly.
    pub(crate) fn new_attacks_through_checks(&self, before: &Board, mv: Move, after: &Board) -> Attacks {
        let mut attacks = Attacks::new();
        if !self.through_checks {
            return attacks;
        }
        let threats = self.won_by_first_check(&after.turned());
        if threats.iter().all(|(_, won)| won.is_empty()) {
            return attacks;
        }
        let mut old: Bitboard = self.attacks(before, &before.turned()).iter().map(|attack| attack.victim).collect();
        for (_, won) in self.won_by_first_check(before) {
            old |= won;
        }
        // What stood on the captured square is another piece.
        old = old.without(mv.to());
        for (check, won) in threats {
            for victim in won & !old {
                if !attacks.iter().any(|attack| attack.victim == victim) {
                    attacks.push(Attack { attacker: check.from(), victim });
                }
            }
        }
        attacks
    }

    /// For each check of the side to move, the pieces it wins by force.
    fn won_by_first_check(&self, board: &Board) -> Vec<(Move, Bitboard)> {
        let side = !board.side_to_move();
        let pieces: Bitboard = board
            .color(side)
            .into_iter()
            .filter(|&square| board.piece_at(square).is_some_and(|piece| counts_as_piece(piece, square)))
            .collect();
        checks(board)
            .map(|check| (check, self.won_after_check(board, check, 0, CHECKS_BEFORE_CAPTURE - 1) & pieces))
            .collect()
    }

    /// The pieces won, by their squares on `board`, whatever the answers to this check. `balance` is what has been
    /// gained on the way, `more` how many checks may follow.
    fn won_after_check(&self, board: &Board, check: Move, balance: i32, more: u8) -> Bitboard {
        let balance = balance + value_on(board, check.to());
        let checked = board.make(check);
        let mut won: Option<Bitboard> = None;
        for reply in checked.legal_moves() {
            let next = checked.make(reply);
            let balance = balance - value_on(&checked, reply.to());
            let mut here = self.won_at_once(&next, balance);
            if more > 0 {
                for check in checks(&next) {
                    here |= self.won_after_check(&next, check, balance, more - 1);
                }
            }
            // Back to where the piece that answered came from.
            if here.contains(reply.to()) {
                here = here.without(reply.to()).with(reply.from());
            } else {
                here = here.without(reply.from());
            }
            let all = won.map_or(here, |won| won & here);
            if all.is_empty() {
                return Bitboard::EMPTY;
            }
            won = Some(all);
        }
        // Mate. At once it is a mate threat and wins no piece; further on it only shows that an answer was none.
        let is_first = more == CHECKS_BEFORE_CAPTURE - 1;
        won.unwrap_or(if is_first { Bitboard::EMPTY } else { Bitboard::ALL })
    }

    /// The pieces that a capture wins now, material given up before included.
    fn won_at_once(&self, board: &Board, balance: i32) -> Bitboard {
        self.captures(board)
            .filter(|&mv| {
                let gain = exchange_gain(board, mv);
                gain > 0 && gain + balance > 0 && !self.is_excused(board, mv)
            })
            .map(Move::to)
            .collect()
    }

    /// How the move made this new attack.
    pub(crate) fn way(&self, before: &Board, mv: Move, after: &Board, attack: Attack) -> ChaseWay {
        if attack.attacker == mv.to() {
            return ChaseWay::Direct;
        }
        let Some(capture) = Move::new(attack.attacker, attack.victim) else { return ChaseWay::Direct };
        if !before.is_pseudo_legal(capture) {
            return ChaseWay::Discovered;
        }
        if !before.is_legal(capture) {
            return ChaseWay::Unpinned;
        }
        // The capture was there and won nothing: a protector is out of action, or the exchange has changed.
        let taken = after.turned().make(capture);
        let reach = taken.attackers_to(attack.victim, taken.occupied());
        let still_protected = can_retake(&taken, attack.victim);
        match retakers(&before.make(capture), attack.victim).next() {
            Some(_) if still_protected => ChaseWay::Reinforced,
            Some(protector) if !reach.contains(protector) => ChaseWay::ProtectorBlocked,
            Some(protector) if protector == after.king(after.side_to_move()) => ChaseWay::KingDenied,
            Some(_) => ChaseWay::ProtectorPinned,
            None => ChaseWay::AnswerLost,
        }
    }
}

/// A piece may be won after this many checks (two are the most that the worked figures of the Chinese rules need).
const CHECKS_BEFORE_CAPTURE: u8 = 2;

/// The legal moves that give check.
pub(crate) fn checks(board: &Board) -> impl Iterator<Item = Move> {
    let info = CheckInfo::new(board);
    board.legal_moves().into_iter().filter(move |&mv| board.gives_check(mv, &info))
}

/// What an idle move does (闲): for display, it never changes a verdict (article 25.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IdleKind {
    /// 兑: the moved piece meets one of its own kind, and each may take the other.
    ExchangeOffer,
    /// 献: the moved piece may be taken for nothing.
    Sacrifice,
    /// 拦: the moved piece closes the line or leg of an enemy piece that attacked another.
    Block,
    /// 跟: the moved piece attacks a protected piece.
    Follow,
    /// Nothing of these.
    Plain,
}

impl IdleKind {
    /// The label of the idle move from `before` to `after`.
    pub(crate) fn of(before: &Board, mv: Move, after: &Board) -> IdleKind {
        let square = mv.to();
        let own = after.turned();
        let mover = own.side_to_move();
        let mut captures = MoveList::new();
        own.generate_captures(&mut captures);
        captures.retain(|capture| capture.from() == square && own.is_legal(*capture));
        if captures.iter().any(|capture| is_exchange_offer(after, square, capture.to())) {
            return IdleKind::ExchangeOffer;
        }
        let mut answers = MoveList::new();
        after.generate_captures(&mut answers);
        if answers
            .iter()
            .any(|answer| answer.to() == square && after.is_legal(*answer) && exchange_gain(after, *answer) > 0)
        {
            return IdleKind::Sacrifice;
        }
        if closes_an_attack(before, mv, after, mover) {
            return IdleKind::Block;
        }
        let follows = captures.iter().any(|capture| {
            own.piece_at(capture.to()).is_some_and(|piece| counts_as_piece(piece, capture.to()))
                && can_retake(&own.make(*capture), capture.to())
        });
        if follows { IdleKind::Follow } else { IdleKind::Plain }
    }
}

/// Whether an enemy attack on another piece of the mover's is closed by the piece that now stands in between.
fn closes_an_attack(before: &Board, mv: Move, after: &Board, mover: Color) -> bool {
    after.color(mover).without(mv.to()).into_iter().any(|target| {
        let attackers = |board: &Board| board.attackers_to(target, board.occupied()) & board.color(!mover);
        let gone = attackers(before) & !attackers(after);
        gone.into_iter().any(|attacker| match after.piece_at(attacker).map(|piece| piece.kind) {
            Some(PieceType::Rook | PieceType::Cannon) => between(attacker, target).contains(mv.to()),
            Some(PieceType::Horse) => chuhe_movegen::attacks::horse_leg(attacker, target) == mv.to(),
            _ => false,
        })
    })
}
