//! Network files.

use std::sync::{Arc, LazyLock};

use chuhe_eval::network::{Architecture, Network, NetworkError, Parts};
use chuhe_eval::{EVAL_LIMIT, Evaluation, Evaluator};
use chuhe_movegen::Board;

/// No message needs more characters to say what is wrong.
const MAX_MESSAGE_LEN: usize = 200;

/// Positions in which nothing may overflow.
static BOARDS: LazyLock<Vec<Board>> = LazyLock::new(|| {
    [Board::START_FEN, "3k5/4P4/9/4p4/9/2C6/9/3A5/4N4/4K4 b - - 0 1", "5k3/9/9/9/9/9/9/9/4p4/3K5 w - - 0 1"]
        .into_iter()
        .map(|fen| Board::from_fen(fen).expect("a position"))
        .collect()
});

/// Reads the bytes as a file, and uses them as numbers of which a network is made: chance does not find checksums, nor
/// does a fuzzer like files of the length of a network.
pub fn check(bytes: &[u8]) {
    match Network::read(&mut &*bytes) {
        Ok(network) => assert_eq!(network.to_bytes(), bytes),
        Err(error) => check_message(&error),
    }
    if let Some((parts, rest)) = make_parts(bytes) {
        match Network::from_parts(&parts) {
            Ok(network) => check_network(&network, rest),
            Err(error) => check_message(&error),
        }
    }
}

fn check_message(error: &NetworkError) {
    let message = error.to_string();
    let is_plain = !message.contains(char::is_control);
    assert!(!message.is_empty() && message.chars().count() <= MAX_MESSAGE_LEN && is_plain, "{message:?}");
}

/// A network from the first bytes as sizes, biases and scale, and the rest, again and again, as weights.
fn make_parts(bytes: &[u8]) -> Option<(Parts, &[u8])> {
    let (&[buckets, scale, bias, wild, ref description @ ..], rest) = bytes.split_first_chunk::<8>()?;
    let pick = |bit: u8, one: usize, other: usize| if buckets >> bit & 1 == 0 { one } else { other };
    let architecture = Architecture::new(pick(0, 1, 6), pick(1, 64, 128), pick(2, 1, 8)).expect("supported");
    // Small numbers, of which networks are made, with a large one among them now and then.
    let mut weights = rest.iter().cycle().enumerate().map(|(index, &byte)| {
        let large = wild != 0 && index % (1 << (wild % 16)) == 1;
        i16::from(byte as i8) * if large { 255 } else { 1 }
    });
    if rest.is_empty() {
        return None;
    }
    let mut take = |count: usize| weights.by_ref().take(count).collect();
    let parts = Parts {
        architecture,
        scale: u16::from(scale) * 17,
        description: String::from_utf8_lossy(description).into_owned(),
        feature_weights: take(architecture.feature_weights()),
        feature_biases: take(architecture.feature_biases()),
        output_weights: take(architecture.output_weights()),
        output_biases: vec![i32::from(bias as i8) << (wild % 25); architecture.output_biases()],
    };
    Some((parts, rest))
}

/// A network that was accepted evaluates all positions, and its file is the only one that reads as it.
fn check_network(network: &Network, damage: &[u8]) {
    for board in BOARDS.iter() {
        let value = network.evaluate(board);
        assert!(value.abs() < EVAL_LIMIT, "{value}");
        assert_eq!(network.evaluate(&board.swap_colors()), value);
        let evaluation = Evaluation::Network(Arc::new(network.clone()));
        let mut evaluator = Evaluator::new(&evaluation, board);
        for mv in board.legal_moves().into_iter().take(4) {
            let after = board.make(mv);
            evaluator.push(board, mv);
            assert_eq!(evaluator.evaluate(&after), network.evaluate(&after), "{mv}");
            evaluator.pop();
        }
    }
    let mut file = network.to_bytes();
    assert_eq!(&Network::read(&mut &*file).expect("a file just written"), network);
    let at = damage.iter().fold(0usize, |at, &byte| at.wrapping_mul(251).wrapping_add(byte.into())) % file.len();
    check_message(&Network::read(&mut &file[..at]).expect_err("a file cut short"));
    file[at] ^= damage[0] | 1;
    check_message(&Network::read(&mut &*file).expect_err("a damaged file"));
}
