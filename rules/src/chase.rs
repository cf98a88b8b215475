//! The chase (捉): which enemy pieces a side could win if it were its turn, and which of these attacks a move made.
//!
//! An attack is a pair of an attacker and a victim. The five conditions of a chase and the exceptions stand here, each
//! in a function of its own.

use arrayvec::ArrayVec;
use chuhe_movegen::{Bitboard, Board, CheckInfo, MAX_MOVES, Move, MoveList, Piece, PieceType, Square};

use crate::exchange::{Checks, PawnWorth, can_retake, exchange_gain, has_crossed, is_legal, retakers, wins_exchange};
use crate::round::{Past, Step};

/// A piece that could take another with profit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Attack {
    /// Where the attacker stands.
    pub attacker: Square,
    /// Where the victim stands.
    pub victim: Square,
}

impl Attack {
    /// The same attack before this move, which captured nothing.
    fn before(self, mv: Move) -> Attack {
        let was_at = |square: Square| if square == mv.to() { mv.from() } else { square };
        Attack { attacker: was_at(self.attacker), victim: was_at(self.victim) }
    }
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
    /// Which pieces count as attackers.
    pub(crate) attackers: Attackers,
}

/// The pieces that may chase: kings never, pawns only where a rule set says so (articles 27.1, 27.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Attackers {
    /// All but king and pawns.
    Pieces,
    /// Pawns too (article 27.2 of 1999, mutual fights only).
    PiecesAndPawns,
    /// Those alone that may attack for ever.
    KingAndPawns,
}

impl Attackers {
    fn contain(self, kind: PieceType) -> bool {
        match kind {
            PieceType::King => self == Attackers::KingAndPawns,
            PieceType::Pawn => self != Attackers::Pieces,
            _ => self != Attackers::KingAndPawns,
        }
    }
}

/// How an attack stands in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    /// The capture wins.
    Real,
    /// It would, but for the check that the side is in, or for a mate that would answer it (article 29.4).
    Interrupted,
    /// It does not win, or there is no such capture.
    Absent,
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

/// Whether a piece counts as one when it is attacked: not the king, nor a pawn on its own side (article 25.3).
pub(crate) fn counts_as_piece(piece: Piece, square: Square) -> bool {
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
pub(crate) fn is_exchange_offer(opponent: &Board, attacker: Square, victim: Square) -> bool {
    let kind = |square| opponent.piece_at(square).map(|piece| piece.kind);
    kind(attacker) == kind(victim)
        && matches!(kind(victim), Some(PieceType::Rook | PieceType::Horse | PieceType::Cannon))
        && Move::new(victim, attacker).is_some_and(|mv| opponent.is_pseudo_legal(mv) && opponent.is_legal(mv))
}

/// Whether the side to move can mate at once, so that the capture that led here was suicidal (article 29.4).
pub(crate) fn mates_at_once(board: &Board) -> bool {
    let info = CheckInfo::new(board);
    board.legal_moves().into_iter().any(|mv| board.gives_check(mv, &info) && !board.make(mv).has_legal_move())
}

impl ChaseDefinition {
    /// The legal captures of a piece by a piece that may chase it, profitable or not.
    fn captures(&self, board: &Board) -> impl Iterator<Item = Move> {
        let mut list = MoveList::new();
        board.generate_captures(&mut list);
        list.into_iter().filter(move |mv| self.is_attack(board, *mv) && board.is_legal(*mv))
    }

    /// Whether a capture is by a piece that may chase and of one that may be chased.
    fn is_attack(&self, board: &Board, capture: Move) -> bool {
        let is = |square, test: &dyn Fn(Piece) -> bool| board.piece_at(square).is_some_and(test);
        is(capture.from(), &|piece| self.attackers.contain(piece.kind))
            && is(capture.to(), &|piece| counts_as_piece(piece, capture.to()))
    }

    /// Whether a legal capture wins something, whatever its other consequences; the check that the side is in may be left
    /// out of account.
    fn is_profitable(&self, board: &Board, capture: Move, checks: Checks) -> bool {
        match self.gain {
            Gain::Exchange => wins_exchange(board, capture, checks),
            Gain::FirstRetake => {
                let kind = |square| board.piece_at(square).map(|piece| piece.kind);
                let better = match (kind(capture.from()), kind(capture.to())) {
                    (Some(attacker), Some(victim)) => attacks_more_valuable(attacker, victim),
                    _ => false,
                };
                better || !can_retake(&board.make(capture), capture.to())
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
                self.is_profitable(board, mv, Checks::MustBeAnswered)
                    && !is_exchange_offer(opponent, mv.from(), mv.to())
                    && !self.is_excused(board, mv)
            })
            .map(|mv| Attack { attacker: mv.from(), victim: mv.to() })
            .collect()
    }

    /// How an attack of the side to move stands.
    fn standing(&self, board: &Board, attack: Attack) -> Standing {
        let Some(capture) = Move::new(attack.attacker, attack.victim) else { return Standing::Absent };
        let is_there = board.is_pseudo_legal(capture)
            && board.is_capture(capture)
            && self.is_attack(board, capture)
            && is_legal(board, capture, Checks::LeftOut)
            && self.is_profitable(board, capture, Checks::LeftOut)
            && !is_exchange_offer(&board.turned(), attack.attacker, attack.victim);
        if !is_there {
            Standing::Absent
        } else if !board.is_legal(capture) || self.is_excused(board, capture) {
            Standing::Interrupted
        } else {
            Standing::Real
        }
    }

    /// The attacks that a move has made.
    pub(crate) fn new_attacks(&self, step: &Step<'_>) -> Attacks {
        let Step { mv, after, .. } = *step;
        let mut attacks = self.attacks(&after.turned(), after);
        if attacks.is_empty() {
            return attacks;
        }
        let before = step.before();
        let old = self.attacks(before, &before.turned());
        attacks.retain(|attack| {
            let was = attack.before(mv);
            !old.iter().any(|old| {
                old.victim == was.victim && (self.newness == Newness::Victim || old.attacker == was.attacker)
            }) && !self.is_resumed(step.past, was)
        });
        attacks
    }

    /// Whether an attack that is not real in this position had only been interrupted by the other side: by a check, or
    /// by a threat of mate that would answer the capture.
    ///
    /// The move that parries the check or the threat does not make the attack: it was there before them (articles 29.2
    /// and, on attacks that go on, the paragraph after 29.4). It is another matter if the side's own move had given the
    /// attack up, by leaving the capture open to mate.
    fn is_resumed(&self, past: Past<'_>, mut attack: Attack) -> bool {
        let mut here = past;
        for _ in 0..past.round_len() {
            if self.standing(here.board(), attack) != Standing::Interrupted {
                return false;
            }
            let Some((interruption, earlier)) = here.back() else { return false };
            attack = attack.before(interruption);
            match self.standing(&earlier.board().turned(), attack) {
                Standing::Real => return true,
                // The other side has laid the piece open itself.
                Standing::Absent => return true,
                Standing::Interrupted => {}
            }
            let Some((own, earliest)) = earlier.back() else { return false };
            attack = attack.before(own);
            here = earliest;
        }
        false
    }

    /// The attacks that the moved piece had before the move and still has: from chase to chase (从捉到捉).
    pub(crate) fn kept_attacks(&self, step: &Step<'_>) -> Attacks {
        let Step { mv, after, .. } = *step;
        let mut attacks = self.attacks(&after.turned(), after);
        attacks.retain(|attack| {
            attack.attacker == mv.to() && self.standing(step.before(), attack.before(mv)) != Standing::Absent
        });
        attacks
    }

    /// The pieces that can be won through checks after the move and could be won in no way before it, each with the
    /// piece that gives the first check.
    ///
    /// Only for a move that neither checks nor chases directly.
    pub(crate) fn new_attacks_through_checks(&self, step: &Step<'_>) -> Vec<Attack> {
        if !self.through_checks {
            return Vec::new();
        }
        let threats = self.won_by_first_check(&step.after.turned());
        if threats.iter().all(|(_, won)| won.is_empty()) {
            return Vec::new();
        }
        let before = step.before();
        let mut old = self.won_in_any_way(before);
        // Won before a check, or a threat of mate, that has interrupted it.
        if (before.in_check() || self.excuses_suicide && mates_at_once(&before.turned()))
            && let Some((interruption, earlier)) = step.past.back()
            && !earlier.board().in_check()
        {
            old |= self.won_in_any_way(&earlier.board().turned()).without(interruption.from());
        }
        // What stood on the captured square is another piece.
        old = old.without(step.mv.to());
        let pairs = |(check, won): (Move, Bitboard)| {
            (won & !old).into_iter().map(move |victim| Attack { attacker: check.from(), victim })
        };
        threats.into_iter().flat_map(pairs).collect()
    }

    /// The pieces that the side to move can win, at once or through checks.
    fn won_in_any_way(&self, board: &Board) -> Bitboard {
        let at_once = self.attacks(board, &board.turned()).into_iter().map(|attack| attack.victim);
        at_once.collect::<Bitboard>()
            | self.won_by_first_check(board).into_iter().fold(Bitboard::EMPTY, |all, (_, won)| all | won)
    }

    /// For each check of the side to move, the pieces it wins by force.
    fn won_by_first_check(&self, board: &Board) -> Vec<(Move, Bitboard)> {
        let side = !board.side_to_move();
        let pieces: Bitboard = board
            .color(side)
            .into_iter()
            .filter(|&square| board.piece_at(square).is_some_and(|piece| counts_as_piece(piece, square)))
            .collect();
        board
            .legal_checks()
            .into_iter()
            .map(|check| {
                let won = PawnWorth::ALL.into_iter().fold(pieces, |won, pawns| {
                    if won.is_empty() {
                        won
                    } else {
                        won & self.won_after_check(board, check, 0, CHECKS_BEFORE_CAPTURE - 1, pawns)
                    }
                });
                (check, won)
            })
            .collect()
    }

    /// The pieces won, by their squares on `board`, whatever the answers to this check. `balance` is what has been
    /// gained on the way, `more` how many checks may follow.
    fn won_after_check(&self, board: &Board, check: Move, balance: i32, more: u8, pawns: PawnWorth) -> Bitboard {
        let balance = balance + pawns.value_on(board, check.to());
        let checked = board.make(check);
        let mut won: Option<Bitboard> = None;
        for reply in checked.legal_moves() {
            let next = checked.make(reply);
            let balance = balance - pawns.value_on(&checked, reply.to());
            let mut here = self.won_at_once(&next, balance, pawns);
            if more > 0 {
                for check in next.legal_checks() {
                    here |= self.won_after_check(&next, check, balance, more - 1, pawns);
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
    fn won_at_once(&self, board: &Board, balance: i32, pawns: PawnWorth) -> Bitboard {
        self.captures(board)
            .filter(|&mv| {
                let gain = exchange_gain(board, mv, pawns);
                gain > 0 && gain + balance > 0 && !self.is_excused(board, mv)
            })
            .map(Move::to)
            .collect()
    }

    /// How the move made this new attack.
    pub(crate) fn way(&self, step: &Step<'_>, attack: Attack) -> ChaseWay {
        let (before, after) = (step.before(), step.after);
        if attack.attacker == step.mv.to() {
            return ChaseWay::Direct;
        }
        let Some(capture) = Move::new(attack.attacker, attack.victim) else { return ChaseWay::Direct };
        if !before.is_pseudo_legal(capture) {
            return ChaseWay::Discovered;
        }
        if !is_legal(before, capture, Checks::LeftOut) {
            return ChaseWay::Unpinned;
        }
        // The capture was there and won nothing: a protector is out of action, or the exchange has changed.
        let taken = after.turned().make(capture);
        let reach = taken.attackers_to(attack.victim, taken.occupied());
        let still_protected = can_retake(&taken, attack.victim);
        let protectors: Bitboard = retakers(&before.make(capture), attack.victim).collect();
        if protectors.is_empty() {
            ChaseWay::AnswerLost
        } else if still_protected {
            ChaseWay::Reinforced
        } else if (protectors & !reach).any() {
            ChaseWay::ProtectorBlocked
        } else if protectors.contains(after.king(after.side_to_move())) {
            ChaseWay::KingDenied
        } else {
            ChaseWay::ProtectorPinned
        }
    }
}

/// A piece may be won after this many checks (two are the most that the worked figures of the Chinese rules need).
const CHECKS_BEFORE_CAPTURE: u8 = 2;
