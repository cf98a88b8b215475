//! Names of moves in positions from play and in composed ones, where many pieces stand on few files.

use std::collections::BTreeMap;

use chuhe_movegen::{Board, Color, Move, Piece, PieceType, Square};
use chuhe_records::notation::{self, ChineseStyle, Digits, Length, PawnNames, Script};
use chuhe_records::{MoveError, Notation};
use proptest::prelude::*;
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Every style of every notation.
fn notations() -> Vec<Notation> {
    let mut notations = vec![Notation::Iccs, Notation::WinBoard, Notation::Wxf];
    for script in [Script::Simplified, Script::Traditional] {
        for digits in [Digits::Customary, Digits::FullWidth, Digits::Chinese, Digits::Arabic] {
            for pawns in [PawnNames::ByFile, PawnNames::Numbered] {
                for length in [Length::Full, Length::Short] {
                    notations.push(Notation::Chinese(ChineseStyle { script, digits, pawns, length }));
                }
            }
        }
    }
    notations
}

/// The squares a piece can stand on, Red's; Black's are the same turned round.
fn can_stand(kind: PieceType, square: Square) -> bool {
    let (file, rank) = (square.file(), square.rank());
    match kind {
        PieceType::King => (3..=5).contains(&file) && rank <= 2,
        PieceType::Advisor => matches!((file, rank), (3 | 5, 0 | 2) | (4, 1)),
        PieceType::Elephant => matches!((file, rank), (2 | 6, 0 | 4) | (0 | 4 | 8, 2)),
        PieceType::Pawn => rank > 4 || rank > 2 && file % 2 == 0,
        PieceType::Horse | PieceType::Rook | PieceType::Cannon => true,
    }
}

/// A position made up, with the pieces of each kind on few files; not all are legal.
fn try_compose(rng: &mut impl Rng) -> Option<Board> {
    let mut placement: [Option<Piece>; Square::NUM] = [None; Square::NUM];
    for color in Color::ALL {
        for kind in PieceType::ALL {
            let count = if kind == PieceType::King { 1 } else { rng.random_range(0..=kind.max_count()) };
            let files: Vec<u8> = match rng.random_range(0..4) {
                0 => (0..9).collect(),
                width => (0..width).map(|_| rng.random_range(0..9)).collect(),
            };
            for _ in 0..count {
                let free = Square::all().filter(|&square| {
                    let seen = if color == Color::Red { square } else { square.rotate() };
                    let on_files = kind == PieceType::King || files.contains(&square.file());
                    on_files && can_stand(kind, seen) && placement[square.index()].is_none()
                });
                if let Some(&square) = free.collect::<Vec<_>>().choose(rng) {
                    placement[square.index()] = Some(Piece::new(color, kind));
                }
            }
        }
    }
    let ranks: Vec<String> = (0..10)
        .rev()
        .map(|rank| {
            let points = (0..9).map(|file| placement[Square::from_coords(file, rank).unwrap().index()]);
            points.map(|piece| piece.map_or('1', Piece::letter)).collect()
        })
        .collect();
    let side = if rng.random() { 'w' } else { 'b' };
    Board::from_fen(&format!("{} {side} - - 0 1", ranks.join("/"))).ok()
}

fn compose(seed: u64) -> Board {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    std::iter::repeat_with(|| try_compose(&mut rng)).flatten().next().unwrap()
}

fn play_at_random(seed: u64, plies: usize) -> Board {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut board = Board::startpos();
    for _ in 0..plies {
        let moves = board.legal_moves();
        let Some(&mv) = moves.choose(&mut rng) else { break };
        board = board.make(mv);
    }
    board
}

/// One of the positions that move names differ in most.
fn position() -> impl Strategy<Value = Board> {
    prop_oneof![
        3 => any::<u64>().prop_map(compose),
        1 => (any::<u64>(), 0..200usize).prop_map(|(seed, plies)| play_at_random(seed, plies)),
    ]
}

/// All words in simplified script and Chinese digits that name a move by the customs, made from the board alone: the board
/// is turned so that the mover sits below, and like pieces are looked for on each file from above.
fn customary_words(board: &Board, mv: Move) -> Vec<String> {
    const DIGITS: [char; 10] = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
    let us = board.side_to_move();
    let seen = |square: Square| if us == Color::Red { square } else { square.rotate() };
    let mover = board.piece_at(mv.from()).unwrap();
    let has_like = |file: u8, rank: u8| {
        let square = Square::from_coords(file, rank).unwrap();
        board.piece_at(seen(square)) == Some(mover)
    };
    // Files from the right, each from the front.
    let files: Vec<Vec<(u8, u8)>> = (0..9)
        .rev()
        .map(|file| (0..10).rev().filter(|&rank| has_like(file, rank)).map(|rank| (file, rank)).collect())
        .collect();
    let (from, to) = (seen(mv.from()), seen(mv.to()));
    let file = DIGITS[9 - usize::from(from.file())];
    let piece = ['帅', '仕', '相', '马', '车', '炮', '兵'][mover.kind.index()];
    let is_pawn = mover.kind == PieceType::Pawn;

    let mut who = vec![format!("{piece}{file}")];
    let here = &files[8 - usize::from(from.file())];
    if here.len() > 1 {
        let index = here.iter().position(|&place| place == (from.file(), from.rank())).unwrap();
        let mut places = vec![];
        if index == 0 {
            places.push('前');
        }
        if index + 1 == here.len() {
            places.push('后');
        }
        if places.is_empty() {
            places.push('中');
        }
        for &place in &places {
            who.extend([format!("{place}{piece}"), format!("{piece}{place}")]);
        }
        if is_pawn {
            places.push(DIGITS[index + 1]);
            who.extend(places.iter().flat_map(|place| [format!("{place}{file}"), format!("{place}兵{file}")]));
            let many = files.iter().filter(|file| file.len() > 1).flatten();
            let number = many.clone().position(|&place| place == (from.file(), from.rank())).unwrap() + 1;
            who.push(format!("{}兵", DIGITS[number]));
        }
    }
    let direction = match to.rank().cmp(&from.rank()) {
        std::cmp::Ordering::Less => '退',
        std::cmp::Ordering::Equal => '平',
        std::cmp::Ordering::Greater => '进',
    };
    let number = if from.file() == to.file() {
        usize::from(to.rank().abs_diff(from.rank()))
    } else {
        9 - usize::from(to.file())
    };
    let number = DIGITS[number];
    let full = who.iter().map(|who| format!("{who}{direction}{number}"));
    let is_digits = |word: &str| word.chars().all(|c| DIGITS.contains(&c));
    let short = who.iter().map(|who| format!("{who}{number}")).filter(|word| !is_digits(word));
    full.chain(short).collect()
}

/// The same word in other characters.
fn disguised(word: &str, rng: &mut impl Rng) -> String {
    const ALIKE: [&str; 22] = [
        "帅帥将將",
        "仕士",
        "相象",
        "马馬傌",
        "车車俥",
        "炮砲包",
        "兵卒",
        "前",
        "中",
        "后後",
        "进進",
        "退",
        "平",
        "一壹1１",
        "二贰貳2２",
        "三叁參3３",
        "四肆4４",
        "五伍5５",
        "六陆陸6６",
        "七柒7７",
        "八捌8８",
        "九玖9９",
    ];
    let disguise = |c: char| {
        let class = ALIKE.iter().find(|class| class.contains(c)).unwrap();
        *class.chars().collect::<Vec<_>>().choose(rng).unwrap()
    };
    word.chars().map(disguise).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn what_is_written_is_read(board in position()) {
        let notations = notations();
        for mv in board.legal_moves() {
            for &notation in &notations {
                let word = notation.write(mv, &board);
                prop_assert_eq!(notation.parse(&word, &board), Ok(mv), "{} in {:?}", word, board);
                prop_assert_eq!(notation::parse(&word, &board), Ok(mv), "{} in {:?}", word, board);
            }
        }
    }

    #[test]
    fn every_customary_word_means_the_moves_that_answer_to_it(board in position(), seed: u64) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut meanings: BTreeMap<String, Vec<Move>> = BTreeMap::new();
        for mv in board.legal_moves() {
            for word in customary_words(&board, mv) {
                meanings.entry(word).or_default().push(mv);
            }
            let full = Notation::Chinese(ChineseStyle { digits: Digits::Chinese, ..ChineseStyle::CUSTOMARY });
            let word = full.write(mv, &board);
            let as_red = word.replace('将', "帅").replace('士', "仕").replace('象', "相").replace('卒', "兵");
            prop_assert!(customary_words(&board, mv).contains(&as_red), "{}", word);
            prop_assert_eq!(word.chars().count(), 4);
        }
        for (word, mut moves) in meanings {
            let is_sideways = |mv: &Move| mv.from().rank() == mv.to().rank();
            if !word.contains(['进', '退', '平']) && moves.iter().any(is_sideways) {
                // Short words mean 平 if they can.
                moves.retain(is_sideways);
            }
            let expected = if let [mv] = moves[..] { Ok(mv) } else { Err(MoveError::Ambiguous(moves.len())) };
            for word in [disguised(&word, &mut rng), word] {
                prop_assert_eq!(notation::parse(&word, &board), expected, "{} in {:?}", word, board);
            }
        }
    }

    #[test]
    fn no_text_is_more_than_unreadable(board in position(), word in "[炮兵车前后中一二三1２进平退+=.CPRabe]{0,7}|\\PC{0,6}") {
        if let Ok(mv) = notation::parse(&word, &board) {
            prop_assert!(board.legal_moves().contains(&mv));
        }
    }
}

/// Customs know no more pieces than a set has, and none on points that no game brings them to: coordinates always do.
#[test]
fn moves_of_composed_positions_have_names_that_are_read() {
    for fen in [
        "4k4/9/9/9/PPPPPPPPP/PPPPPPPPP/P8/P8/9/3K5 w - - 0 1",
        "4k4/9/9/9/9/1R5R1/1R5R1/1R5R1/9/3K5 w - - 0 1",
        "4k4/9/9/9/9/9/2A6/9/2A6/3K5 w - - 0 1",
        "4k4/9/9/9/9/2B6/9/2B6/9/3K5 w - - 0 1",
        "4k4/9/9/9/9/B1B6/9/B1B6/9/3K5 w - - 0 1",
        "4k4/9/9/N8/N8/N8/N8/N8/9/3K5 w - - 0 1",
    ] {
        let board = Board::from_composed_fen(fen).unwrap();
        for board in [board.clone(), board.swap_colors()] {
            for mv in board.legal_moves() {
                for notation in notations() {
                    let word = notation.write(mv, &board);
                    assert_eq!(notation::parse(&word, &board), Ok(mv), "{word} in {fen}");
                }
            }
        }
    }
}

/// The properties above are worth little unless all shapes of pawns occur.
#[test]
fn composed_positions_have_pawns_in_every_shape() {
    let mut shapes = BTreeMap::new();
    for seed in 0..2000 {
        let board = compose(seed);
        let mut on_file = [0u8; 9];
        for square in board.pieces(board.side_to_move(), PieceType::Pawn) {
            on_file[usize::from(square.file())] += 1;
        }
        on_file.sort_unstable_by(|a, b| b.cmp(a));
        *shapes.entry((on_file[0], on_file[1])).or_insert(0) += 1;
    }
    for shape in [(1, 1), (2, 0), (2, 2), (3, 0), (3, 2), (4, 0), (5, 0)] {
        assert!(shapes.get(&shape).is_some_and(|&count| count >= 5), "{shape:?} in {shapes:?}");
    }
}
