//! The examples in `docs/rules.md`: each is what the page says it is.

mod common;

use chuhe_movegen::{Board, Color, Move};
use chuhe_rules::{ChaseWay, IdleKind, JudgedMove, MoveClass, PinKind, Protection, RuleSet, Verdict, pins};

use crate::common::{doc_table, played};

/// A line of a table: a name, and what stands in code in the second cell.
struct Example {
    name: String,
    fen: String,
    /// The moves of a cycle, a capture, or a point.
    rest: String,
}

fn examples(heading: &str) -> Vec<Example> {
    doc_table(heading)
        .into_iter()
        .map(|cells| {
            let code: Vec<&str> = cells[1].split('`').skip(1).step_by(2).collect();
            let [placement, rest] = code[..] else { panic!("{}: {}", cells[0], cells[1]) };
            Example { name: cells[0].clone(), fen: format!("{placement} - - 0 1"), rest: rest.to_owned() }
        })
        .collect()
}

impl Example {
    fn board(&self) -> Board {
        Board::from_fen(&self.fen).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// The first move of the cycle, played twice, as these rules see it.
    fn first_move(&self, rules: &RuleSet) -> JudgedMove {
        let repetition = played(&self.fen, &self.rest, 2).ruling(rules).repetition;
        let repetition = repetition.unwrap_or_else(|| panic!("{}: nothing recurs", self.name));
        assert_eq!(repetition.cycle().len(), self.rest.split_whitespace().count(), "{}", self.name);
        repetition.moves[0].clone()
    }

    fn verdict(&self, rules: &RuleSet) -> Verdict {
        played(&self.fen, &self.rest, 2).verdict(rules)
    }
}

/// Looks at every example of a table, in order; all of them must be expected.
fn each<T: Copy>(heading: &str, expected: &[(&str, T)], check: impl Fn(&Example, T)) {
    let examples = examples(heading);
    let names: Vec<&str> = examples.iter().map(|example| example.name.as_str()).collect();
    assert_eq!(names, expected.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    for (example, (_, expected)) in examples.iter().zip(expected) {
        check(example, *expected);
    }
}

#[test]
fn classes() {
    use MoveClass::{Chase, Check, Idle, Kill};
    let expected = [
        ("check 将", Check),
        ("kill 杀", Kill),
        ("chase 捉", Chase),
        ("exchange offer 兑", Idle(IdleKind::ExchangeOffer)),
        ("sacrifice 献", Idle(IdleKind::Sacrifice)),
        ("block 拦", Idle(IdleKind::Block)),
        ("follow 跟", Idle(IdleKind::Follow)),
        ("escape 避捉", Idle(IdleKind::Escape)),
        ("answer to a check 应将", Idle(IdleKind::CheckAnswer)),
        ("idle 闲", Idle(IdleKind::Plain)),
    ];
    each("class", &expected, |example, class| {
        for rules in [RuleSet::CHINESE, RuleSet::ASIAN] {
            assert_eq!(example.first_move(&rules).class, class, "{} under {rules}", example.name);
        }
    });
}

#[test]
fn ways_of_chasing() {
    // Whether the Asian rules see a chase, too.
    let expected = [
        ("direct", (ChaseWay::Direct, true)),
        ("discovered", (ChaseWay::Discovered, true)),
        ("unpinned", (ChaseWay::Unpinned, true)),
        ("protector blocked", (ChaseWay::ProtectorBlocked, true)),
        ("protector without screen", (ChaseWay::ProtectorBlocked, true)),
        ("protector pinned", (ChaseWay::ProtectorPinned, true)),
        ("king denied", (ChaseWay::KingDenied, true)),
        ("joint attack", (ChaseWay::Reinforced, false)),
        ("through an exchange", (ChaseWay::Direct, false)),
        ("through checks", (ChaseWay::ThroughChecks, false)),
    ];
    each("way", &expected, |example, (way, is_asian)| {
        let judged = example.first_move(&RuleSet::CHINESE);
        assert_eq!(judged.class, MoveClass::Chase, "{}", example.name);
        assert!(judged.chases.iter().any(|chase| chase.way == way), "{}: {:?}", example.name, judged.chases);
        let asian = example.first_move(&RuleSet::ASIAN).class;
        assert_eq!(asian == MoveClass::Chase, is_asian, "{}: {asian:?}", example.name);
    });
}

#[test]
fn kinds_of_protection() {
    let expected = [
        ("unprotected 无根", Protection::None),
        ("protected 有根", Protection::Real),
        ("falsely 假根", Protection::False),
        ("hidden 暗根", Protection::Hidden),
        ("insufficiently 少根", Protection::Insufficient),
    ];
    each("protection", &expected, |example, protection| {
        let (board, capture): (Board, Move) = (example.board(), example.rest.parse().unwrap());
        assert!(board.is_capture(capture) && board.legal_moves().contains(&capture), "{}", example.name);
        assert_eq!(Protection::against(&board, capture), protection, "{}", example.name);
    });
}

#[test]
fn kinds_of_pins() {
    let expected = [
        ("a rook", PinKind::Rook),
        ("a cannon", PinKind::Cannon),
        ("a horse", PinKind::HorseLeg),
        ("the other king", PinKind::FacingKings),
    ];
    each("pinned by", &expected, |example, kind| {
        let found = pins(&example.board(), Color::Black);
        let pin = found.iter().find(|pin| pin.pinned.to_string() == example.rest);
        assert_eq!(pin.map(|pin| pin.kind), Some(kind), "{}: {found:?}", example.name);
        // Off the line it has no legal move.
        let board = if example.fen.contains(" b ") { example.board() } else { example.board().turned() };
        let by = pin.unwrap().by;
        let leaves = |mv: &&Move| mv.from().to_string() == example.rest && mv.to().file() != by.file();
        assert_eq!(board.legal_moves().iter().find(leaves), None, "{}", example.name);
    });
}

#[test]
fn exceptions() {
    use MoveClass::{Chase, Check, Idle};
    // The class under the Chinese rules and under the Asian ones, and who loses by them.
    let red = Verdict::Loses(Color::Red);
    let black = Verdict::Loses(Color::Black);
    let draw = Verdict::Draw;
    let plain = Idle(IdleKind::Plain);
    let offer = Idle(IdleKind::ExchangeOffer);
    let follow = Idle(IdleKind::Follow);
    let expected = [
        ("king alone", ([Idle(IdleKind::KingAttack); 2], [draw; 2])),
        ("king with another piece", ([Chase; 2], [red; 2])),
        ("pawn alone", ([Idle(IdleKind::PawnAttack); 2], [draw; 2])),
        ("pawn on its own side", ([plain; 2], [draw; 2])),
        ("equals", ([offer; 2], [draw; 2])),
        ("equals, one of them held", ([Chase; 2], [draw; 2])),
        ("attack that stands", ([Idle(IdleKind::KeptAttack); 2], [draw; 2])),
        ("attack that a check interrupts", ([Check; 2], [black, draw])),
        ("mate threat that stands", ([plain; 2], [draw; 2])),
        ("pawn for a piece", ([plain; 2], [draw; 2])),
        ("better piece", ([Chase; 2], [red; 2])),
        ("protected for a time", ([follow; 2], [draw; 2])),
        // The rook goes on attacking the pawn on e1.
        ("suicide", ([Idle(IdleKind::KeptAttack), Chase], [black, red])),
        ("rook held by a horse's leg", ([Chase; 2], [draw, red])),
    ];
    each("case", &expected, |example, (classes, verdicts)| {
        for (index, rules) in [RuleSet::CHINESE, RuleSet::ASIAN].iter().enumerate() {
            assert_eq!(example.first_move(rules).class, classes[index], "{} under {rules}", example.name);
            assert_eq!(example.verdict(rules), verdicts[index], "{} under {rules}", example.name);
        }
    });
}
