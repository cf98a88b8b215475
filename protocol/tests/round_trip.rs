//! What is printed reads back as what was meant, in both dialects.

use chuhe_movegen::{Move, Square};
use chuhe_protocol::{
    BestMove, Bound, Choice, Command, Dialect, GoCommand, IdField, Info, MAX_NUMBER, OptionDecl, OptionKind,
    OptionValue, PopHash, PopHashBound, Position, PositionForm, Ranks, Reply, Score, SetOption, Start, Wdl, WireMove,
};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

fn square() -> impl Strategy<Value = Square> {
    (0..Square::NUM).prop_map(Square::at)
}

fn plain_move() -> impl Strategy<Value = Move> {
    (square(), square()).prop_filter_map("a move leads elsewhere", |(from, to)| Move::new(from, to))
}

fn ranks() -> impl Strategy<Value = Ranks> {
    prop_oneof![Just(Ranks::FromZero), Just(Ranks::FromOne)]
}

fn wire_move() -> impl Strategy<Value = WireMove> {
    (plain_move(), ranks()).prop_map(|(mv, ranks)| WireMove::new(mv, ranks))
}

fn number() -> impl Strategy<Value = u64> {
    prop_oneof![0..100_000_u64, 0..=MAX_NUMBER]
}

fn position() -> impl Strategy<Value = Position> {
    let start = prop_oneof![
        Just(Start::Startpos),
        "[1-9a-zA-Z]{1,9}(/[1-9a-zA-Z]{1,9}){1,9}( [wbr]( - -( [0-9]{1,3}( [0-9]{1,3})?)?)?)?".prop_map(Start::Fen),
    ];
    let form = prop_oneof![Just(PositionForm::Full), Just(PositionForm::Short), Just(PositionForm::Bare)];
    (start, form, vec(plain_move(), 0..40), of("[j-z(]{1,8}"), ranks()).prop_map(
        |(start, form, mut moves, unreadable, ranks)| {
            // The counting from 1 shows only where there is a rank 10.
            if ranks == Ranks::FromOne {
                moves.extend(Move::new(Square::at(89), Square::at(0)));
            }
            let form = if start == Start::Startpos && form == PositionForm::Bare { PositionForm::Full } else { form };
            Position { start, moves, unreadable, ranks, form }
        },
    )
}

fn go() -> impl Strategy<Value = GoCommand> {
    (any::<[bool; 3]>(), vec(of(number()), 15), vec(wire_move(), 0..5)).prop_map(
        |([ponder, draw, infinite], numbers, searchmoves)| {
            let at_least_one = |number: Option<u64>| number.map(|n| n.max(1));
            GoCommand {
                ponder,
                draw,
                infinite,
                depth: numbers[0],
                nodes: numbers[1],
                mate: numbers[2],
                perft: numbers[3],
                time: numbers[4],
                movestogo: at_least_one(numbers[5]),
                increment: numbers[6],
                opptime: numbers[7],
                oppmovestogo: at_least_one(numbers[8]),
                oppincrement: numbers[9],
                movetime: numbers[10],
                wtime: numbers[11],
                btime: numbers[12],
                winc: numbers[13],
                binc: numbers[14],
                searchmoves,
            }
        },
    )
}

/// One word of a name: such a name is the same in both dialects.
fn name() -> impl Strategy<Value = String> {
    "[A-Z][a-z_0-9]{0,20}".prop_filter("keywords of the commands themselves", |name| {
        !["name", "value", "type"].contains(&name.to_lowercase().as_str())
    })
}

fn value() -> impl Strategy<Value = OptionValue> {
    vec(any::<u8>().prop_filter("ends the line", |byte| !b"\r\n\0".contains(byte)), 0..60)
        .prop_map(|bytes| OptionValue::new(&bytes))
}

fn command() -> impl Strategy<Value = Command> {
    prop_oneof![
        prop_oneof![Just(Dialect::Ucci), Just(Dialect::Uci)].prop_map(Command::Handshake),
        Just(Command::IsReady),
        (name(), value()).prop_map(|(name, value)| Command::SetOption(SetOption { name, value })),
        Just(Command::NewGame),
        position().prop_map(Command::Position),
        vec(wire_move(), 0..9).prop_map(Command::BanMoves),
        go().prop_map(|go| Command::Go(Box::new(go))),
        any::<bool>().prop_map(|draw| Command::PonderHit { draw }),
        Just(Command::Stop),
        of(position().prop_filter("no short form", |position| position.form != PositionForm::Short))
            .prop_map(Command::Probe),
        Just(Command::Quit),
        Just(Command::Display),
        Just(Command::Eval),
        of(number()).prop_map(|depth| Command::Bench { depth }),
        Just(Command::Empty),
        "[x-z]{4,9}( [a-z0-9]{1,9}){0,9}".prop_map(Command::Unknown),
    ]
}

/// Text that may be shown anywhere, without the words that GUIs react to.
fn text() -> impl Strategy<Value = String> {
    "[a-c0-9,.:;()!-]{0,9}( {1,2}[a-c0-9]{1,9}){0,5}".prop_map(|text| text.trim().to_owned())
}

/// One or two words that are no keyword of an option line.
fn choice() -> impl Strategy<Value = String> {
    "[A-Z][a-c]{1,9}( [A-Z][a-c]{1,9})?"
}

fn option_kind() -> impl Strategy<Value = OptionKind> {
    let bound = || of(-100_000..100_000_i64);
    prop_oneof![
        Just(OptionKind::Label),
        Just(OptionKind::Button),
        of(any::<bool>()).prop_map(|default| OptionKind::Check { default }),
        (bound(), bound(), bound()).prop_map(|(min, max, default)| OptionKind::Spin { min, max, default }),
        (of(choice()), vec(choice(), 0..8)).prop_map(|(default, vars)| OptionKind::Combo { default, vars }),
        text().prop_map(|default| OptionKind::String { default }),
    ]
}

/// A score that both dialects can express: mates in an odd, losses in an even number of plies, neither beyond 1000.
fn score() -> impl Strategy<Value = Score> {
    prop_oneof![
        (-28_000..=28_000).prop_map(Score::Cp),
        (0..500).prop_map(|n| Score::Mate(2 * n + 1)),
        (0..=500).prop_map(|n| Score::Mate(-2 * n)),
    ]
}

fn info() -> impl Strategy<Value = Info> {
    let bound = prop_oneof![Just(Bound::Exact), Just(Bound::Lower), Just(Bound::Upper)];
    let wdl = (0..=1000_u32, 0..=1000_u32, 0..=1000_u32).prop_map(|(win, draw, loss)| Wdl { win, draw, loss });
    (
        vec(of(any::<u32>()), 5),
        vec(of(number()), 4),
        (of(score()), bound, of(wdl), of(wire_move()), vec(wire_move(), 0..40), of(text())),
    )
        .prop_map(|(small, large, (score, bound, wdl, currmove, pv, message))| Info {
            depth: small[0],
            seldepth: small[1],
            multipv: small[2],
            score,
            bound: if score.is_some() { bound } else { Bound::Exact },
            wdl,
            nodes: large[0],
            nps: large[1],
            hashfull: small[3],
            tbhits: large[2],
            time: large[3],
            currmove,
            currmovenumber: small[4],
            pv,
            message,
        })
}

fn best_move() -> impl Strategy<Value = BestMove> {
    let choice =
        prop_oneof![wire_move().prop_map(Choice::Move), Just(Choice::None), "[j-q]{1,9}".prop_map(Choice::Unreadable),];
    (choice, of(wire_move()), any::<bool>(), any::<bool>()).prop_map(|(choice, ponder, draw, resign)| BestMove {
        choice,
        ponder,
        draw,
        resign,
    })
}

fn pop_hash() -> impl Strategy<Value = PopHash> {
    let bound = || of((any::<i32>(), any::<u32>()).prop_map(|(value, depth)| PopHashBound { value, depth }));
    (of(wire_move()), bound(), bound()).prop_map(|(best, lower, upper)| PopHash { best, lower, upper })
}

fn reply() -> impl Strategy<Value = Reply> {
    let field = prop_oneof![
        Just(IdField::Name),
        Just(IdField::Version),
        Just(IdField::Copyright),
        Just(IdField::Author),
        Just(IdField::User),
    ];
    prop_oneof![
        (field, text()).prop_map(|(field, text)| Reply::Id(field, text)),
        (name(), option_kind()).prop_map(|(name, kind)| Reply::Option(OptionDecl { name, kind })),
        prop_oneof![Just(Dialect::Ucci), Just(Dialect::Uci)].prop_map(Reply::HandshakeOk),
        Just(Reply::UcciError),
        Just(Reply::ReadyOk),
        info().prop_map(Reply::from),
        best_move().prop_map(Reply::BestMove),
        pop_hash().prop_map(Reply::PopHash),
        Just(Reply::Bye),
        "[x-z]{4,9}( [a-z0-9]{1,9}){0,9}".prop_map(Reply::Text),
    ]
}

/// The part of a reply that a dialect can express.
fn expressible(reply: Reply, dialect: Dialect) -> Reply {
    match (reply, dialect) {
        (Reply::Info(info), Dialect::Ucci) => {
            Reply::from(Info { seldepth: None, bound: Bound::Exact, wdl: None, hashfull: None, tbhits: None, ..*info })
        }
        (reply, _) => reply,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn commands(command in command()) {
        for dialect in Dialect::ALL {
            let line = command.to_line(dialect);
            prop_assert_eq!(&Command::parse(&line), &command, "{}", String::from_utf8_lossy(&line));
        }
    }

    #[test]
    fn long_option_names(words in vec("[A-Z][a-c]{1,9}", 1..4), value in value()) {
        let command = Command::SetOption(SetOption { name: words.join(" "), value: value.clone() });
        prop_assert_eq!(&Command::parse(&command.to_line(Dialect::Uci)), &command);
        // UCCI has one word for it.
        let joined = Command::SetOption(SetOption { name: words.join("_"), value });
        prop_assert_eq!(Command::parse(&command.to_line(Dialect::Ucci)), joined);
    }

    #[test]
    fn replies(reply in reply()) {
        for dialect in Dialect::ALL {
            let line = reply.to_line(dialect);
            let expected = expressible(reply.clone(), dialect);
            prop_assert_eq!(Reply::parse(line.as_bytes()), expected, "{}", line);
        }
    }
}
