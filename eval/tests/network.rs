//! What must hold of networks whatever their weights: the file, the checks, exact values, symmetry, and that following
//! moves gives what looking afresh gives.

mod games;

use std::sync::{Arc, LazyLock};

use chuhe_eval::network::features::{INPUTS, Perspective};
use chuhe_eval::network::{Architecture, FORMAT_VERSION, MAGIC, Network, NetworkBreakdown, NetworkError, Parts};
use chuhe_eval::{EVAL_LIMIT, Evaluation, Evaluator};
use chuhe_movegen::{Board, Color, Piece, PieceType, Square};
use games::{STARTS, composed, random_game};
use proptest::prelude::*;

fn random_parts(seed: u64, input_buckets: usize, hidden: usize, output_buckets: usize) -> Parts {
    Parts::random(architecture(input_buckets, hidden, output_buckets), seed)
}

fn architecture(input_buckets: usize, hidden: usize, output_buckets: usize) -> Architecture {
    Architecture::new(input_buckets, hidden, output_buckets).expect("a supported architecture")
}

fn boards() -> Vec<Board> {
    STARTS.into_iter().map(|fen| Board::from_fen(fen).expect("a position")).collect()
}

/// One hidden unit counts the own pieces, another the enemy's.
fn material_network() -> (Network, impl Fn(&Board) -> i32) {
    let value = |kind: PieceType| [0, 5, 5, 20, 45, 25, 10][kind.index()];
    let hidden = 64;
    let architecture = architecture(1, hidden, 1);
    let mut feature_weights = vec![0; architecture.feature_weights()];
    let view = Perspective::of(Color::Red, Square::at(3), Square::at(85));
    for color in Color::ALL {
        for kind in PieceType::ALL {
            for square in Square::all() {
                if let Some(index) = view.index(Piece::new(color, kind), square) {
                    feature_weights[usize::from(index) * hidden + color.index()] = value(kind);
                }
            }
        }
    }
    let mut output_weights = vec![0; architecture.output_weights()];
    (output_weights[0], output_weights[1]) = (51, -51);
    let parts = Parts {
        architecture,
        scale: 3200,
        description: "material".to_owned(),
        feature_weights,
        feature_biases: vec![0; hidden],
        output_weights,
        output_biases: vec![0],
    };
    // The sum is 51 (own² − enemy²), 51 / 255 = 1 / 5, and 3,200 units of evaluation are 64 · 255 of output.
    let expected = move |board: &Board| {
        let count = |color| -> i32 {
            PieceType::ALL.iter().map(|&kind| i32::from(value(kind)) * board.pieces(color, kind).count() as i32).sum()
        };
        let (own, enemy) = (count(board.side_to_move()), count(!board.side_to_move()));
        (own * own - enemy * enemy) / 5 * 50 / 255
    };
    (Network::from_parts(&parts).expect("a network"), expected)
}

#[test]
fn a_network_made_by_hand_counts_material() {
    let (network, expected) = material_network();
    let mut values: Vec<_> = boards().iter().map(|board| (network.evaluate(board), expected(board))).collect();
    let up = Board::from_fen("4k4/9/9/9/9/9/2R6/9/R8/3K5 w").expect("a position");
    values.push((network.evaluate(&up), expected(&up)));
    assert!(values.iter().any(|(_, expected)| *expected > 100), "{values:?}");
    for (value, expected) in values {
        assert_eq!(value, expected);
    }
}

#[test]
fn the_file_reads_back_as_the_network() {
    for (input_buckets, hidden, output_buckets) in [(1, 64, 1), (6, 64, 8), (1, 320, 8)] {
        let parts = random_parts(1, input_buckets, hidden, output_buckets);
        let network = Network::from_parts(&parts).expect("a network");
        assert_eq!(network.to_parts(), parts);
        let bytes = network.to_bytes();
        let again = Network::read(&mut bytes.as_slice()).expect("the same network");
        assert_eq!(again, network);
        assert_eq!(again.hash(), network.hash());
        let mut other = parts;
        other.feature_weights[0] ^= 1;
        assert_ne!(Network::from_parts(&other).expect("a network").hash(), network.hash());
    }
}

/// One network of each kind.
static NETWORKS: LazyLock<[Arc<Network>; 3]> = LazyLock::new(|| {
    [(1, 64, 1), (6, 128, 8), (1, 192, 8)].map(|(input_buckets, hidden, output_buckets)| {
        Arc::new(Network::from_parts(&random_parts(2, input_buckets, hidden, output_buckets)).expect("a network"))
    })
});

fn evaluator(network: &Arc<Network>, board: &Board) -> Evaluator {
    Evaluator::new(&Evaluation::Network(Arc::clone(network)), board)
}

/// Evaluates all positions of a game, and those after passing and after the next move then, asking now and then only,
/// so that sums are made up over any number of moves.
fn follow(network: &Arc<Network>, seed: u64, plies: usize, asked: u64) {
    let game = random_game(seed, plies);
    let mut evaluator = evaluator(network, &game[0].0);
    let ask = |ply: usize| asked >> (ply % 64) & 1 != 0;
    for (ply, (board, mv)) in game.iter().enumerate() {
        if ask(ply) {
            assert_eq!(evaluator.evaluate(board), network.evaluate(board), "{board:?}");
        }
        let Some(mv) = mv else { break };
        if !board.in_check() && ask(ply / 2) {
            evaluator.push_null();
            let passed = board.make_null();
            if ask(ply / 3) {
                assert_eq!(evaluator.evaluate(&passed), network.evaluate(&passed), "{board:?} passed");
            }
            if let Some(&reply) = passed.legal_moves().first() {
                let after = passed.make(reply);
                evaluator.push(&passed, reply);
                assert_eq!(evaluator.evaluate(&after), network.evaluate(&after), "{board:?} passed, {reply}");
                evaluator.pop();
            }
            evaluator.pop();
        }
        evaluator.push(board, *mv);
    }
    for (ply, (board, mv)) in game.iter().enumerate().rev() {
        if mv.is_some() {
            evaluator.pop();
        }
        if ask(ply + 7) {
            assert_eq!(evaluator.evaluate(board), network.evaluate(board), "{board:?} again");
        }
    }
    let (last, _) = game.last().expect("at least one position");
    evaluator.reset(last);
    assert_eq!(evaluator.evaluate(last), network.evaluate(last));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn following_moves_gives_what_looking_afresh_gives(seed: u64, plies in 0usize..300, asked: u64, which in 0usize..3) {
        follow(&NETWORKS[which], seed, plies, asked);
    }

    #[test]
    fn colours_exchanged_and_files_mirrored(seed: u64, plies in 0usize..100, which in 0usize..3) {
        let network = &NETWORKS[which];
        for (board, _) in random_game(seed, plies) {
            let value = network.evaluate(&board);
            prop_assert!(value.abs() < EVAL_LIMIT);
            prop_assert_eq!(network.evaluate(&board.swap_colors()), value);
            let on_centre = |color| board.king(color).file() == 4;
            if !(on_centre(Color::Red) && on_centre(Color::Black)) {
                prop_assert_eq!(network.evaluate(&board.mirror_files()), value);
            }
        }
    }
}

#[test]
fn random_weights_tell_positions_apart() {
    let values: Vec<_> = boards().iter().map(|board| NETWORKS[1].evaluate(board)).collect();
    assert!(values.windows(2).all(|pair| pair[0] != pair[1]), "{values:?}");
}

/// What a piece is worth is what the value loses with it.
#[test]
fn the_value_taken_apart() {
    let board = Board::from_fen("3k5/4P4/9/4p4/9/2C6/9/3A5/4N4/4K4 b").expect("a position");
    let without_cannon = Board::from_fen("3k5/4P4/9/4p4/9/9/9/3A5/4N4/4K4 b").expect("a position");
    for network in &*NETWORKS {
        let breakdown = NetworkBreakdown::of(network, &board);
        assert_eq!(breakdown.mover_view, network.evaluate(&board));
        assert_eq!(breakdown.red_view, -breakdown.mover_view);
        assert_eq!(breakdown.by_bucket[breakdown.output_bucket], breakdown.red_view);
        assert_eq!(breakdown.by_bucket.len(), network.architecture().output_buckets());
        assert_eq!(breakdown.pieces.len(), 5, "all but the kings");
        let cannon = breakdown.pieces.iter().find(|(square, ..)| square.to_string() == "c4");
        let (_, piece, value) = cannon.expect("a cannon");
        assert_eq!(*piece, Piece::new(Color::Red, PieceType::Cannon));
        assert_eq!(*value, breakdown.red_view + network.evaluate(&without_cannon));
    }
}

/// More pieces than a game has, and on squares that have no input.
#[test]
fn composed_placements() {
    for network in &*NETWORKS {
        for board in composed() {
            let mut evaluator = evaluator(network, &board);
            assert_eq!(evaluator.evaluate(&board), network.evaluate(&board));
            for mv in board.legal_moves() {
                let after = board.make(mv);
                evaluator.push(&board, mv);
                assert_eq!(evaluator.evaluate(&after), network.evaluate(&after), "{board:?} {mv}");
                evaluator.pop();
            }
        }
    }
}

fn refusal(bytes: &[u8]) -> String {
    Network::read(&mut &*bytes).expect_err("no network").to_string()
}

#[test]
fn files_that_are_no_networks_are_refused_with_the_reason() {
    let bytes = Network::from_parts(&random_parts(3, 1, 64, 1)).expect("a network").to_bytes();
    let changed = |at: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        refusal(&bytes)
    };
    assert_eq!(refusal(b""), "not a network file: begins with \"\", expected \"CHUHENET\"");
    assert_eq!(refusal(b"BM\x00\x01"), "not a network file: begins with \"BM\\x00\\x01\", expected \"CHUHENET\"");
    assert_eq!(changed(0, b'c'), "not a network file: begins with \"cHUHENET\", expected \"CHUHENET\"");
    assert_eq!(changed(8, 2), format!("format version 2, expected {FORMAT_VERSION}"));
    assert_eq!(changed(12, 0), format!("{} inputs, expected {INPUTS}", INPUTS & !0xff));
    assert_eq!(changed(14, 4), "unsupported architecture: 4 input buckets, expected 1 or 6");
    assert_eq!(changed(16, 65), "unsupported architecture: hidden layer of 65, expected a multiple of 64 up to 1024");
    assert_eq!(changed(18, 0), "unsupported architecture: 0 output buckets, expected 1 or 8");
    assert_eq!(changed(23, 0xff), "description of 65304 bytes, expected at most 4096");
    assert_eq!(changed(16, 128), "88580 bytes of weights, expected 177156 for the architecture 689 -> 128 x 2 -> 1");
    for at in [20, 30, 1000, bytes.len() - 1] {
        assert!(changed(at, bytes[at] ^ 0x20).starts_with("damaged: the file states checksum "), "byte {at}");
    }
    let mut long = bytes.clone();
    long.push(0);
    assert_eq!(refusal(&long), "the file continues after its checksum");
}

#[test]
fn truncated_files_are_refused_with_the_reason() {
    let bytes = Network::from_parts(&random_parts(4, 1, 64, 1)).expect("a network").to_bytes();
    for (len, reason) in [
        (MAGIC.len(), "file ends within its header: 8 bytes, expected 28"),
        (27, "file ends within its header: 27 bytes, expected 28"),
        (28, "file ends within its description: 0 bytes, expected 24"),
        (60, "file ends within its weights: 8 bytes, expected 88580"),
        (bytes.len() - 1, "file ends within its checksum: 7 bytes, expected 8"),
    ] {
        assert_eq!(refusal(&bytes[..len]), reason);
    }
    for len in (0..bytes.len()).step_by(997) {
        assert!(Network::read(&mut &bytes[..len]).is_err(), "{len} bytes");
    }
}

#[test]
fn numbers_out_of_range_are_refused_with_the_reason() {
    let parts = random_parts(5, 1, 64, 1);
    let refused = |change: &dyn Fn(&mut Parts)| {
        let mut parts = parts.clone();
        change(&mut parts);
        Network::from_parts(&parts).expect_err("no network").to_string()
    };
    assert_eq!(refused(&|parts| parts.scale = 0), "scale 0, expected 1 to 4000");
    assert_eq!(
        refused(&|parts| parts.output_weights[7] = i16::MIN),
        "output weight 7 is -32768, expected at most 127 either way"
    );
    assert_eq!(
        refused(&|parts| parts.description = "x".repeat(5000)),
        "description of 5000 bytes, expected at most 4096"
    );
    assert_eq!(refused(&|parts| _ = parts.output_biases.pop()), "0 output biases, expected 1");
    // Five pawns of a side may stand on good squares, two rooks, one king.
    let sum = |feature: usize, weight: i16| {
        refused(&|parts| {
            parts.feature_weights.fill(0);
            parts.feature_biases.fill(0);
            parts.feature_biases[3] = 1;
            parts.feature_weights[feature * 64 + 3] = weight;
        })
    };
    let start = "hidden unit 3 of input bucket 0 could be";
    assert_eq!(sum(288, 6554), format!("{start} 1 to 32771, expected to fit 16 bits"));
    assert_eq!(sum(108, -16385), format!("{start} -32769 to 1, expected to fit 16 bits"));
    assert_eq!(sum(343, i16::MAX), format!("{start} 1 to 32768, expected to fit 16 bits"));
}

#[test]
fn errors_of_the_source_are_passed_on() {
    struct Broken;
    impl std::io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("no disk"))
        }
    }
    let error = Network::read(&mut Broken).expect_err("no source");
    assert!(matches!(error, NetworkError::Io(_)), "{error}");
    assert_eq!(error.to_string(), "cannot be read: no disk");
}
