//! FEN as programs write it, and what is said about texts that are none.

use chuhe_movegen::{Board, Color, FenError, Piece, PieceType, Square};
use proptest::prelude::*;

const BOARD: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

fn read(fen: &str) -> Board {
    Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// That the reader refuses the text with this error, whose message has these words.
#[track_caller]
fn refused(fen: &str, expected: FenError, words: &[&str]) {
    let error = Board::from_fen(fen).expect_err(fen);
    assert_eq!(error, expected);
    let message = error.to_string();
    for word in words {
        assert!(message.contains(word), "`{message}` does not say `{word}`");
    }
}

#[test]
fn the_initial_array_is_written_as_it_is_read() {
    assert_eq!(Board::startpos().to_fen(), Board::START_FEN);
    assert_eq!(Board::START_FEN.parse::<Board>().unwrap(), Board::startpos());
}

#[test]
fn fields_may_be_missing_or_glued_together() {
    for tail in [
        "",
        " ",
        " w",
        " w -",
        " w - -",
        " w --",
        " w - - -",
        " w - - 0",
        " w - - 0 1",
        " w -- 0 1",
        " w - - - 0 1",
        " w 0 1",
        " w 0",
        " - - 0 1",
        " 0 1",
        "  w  -\t- 0   1 ",
        " w - - 00 01\r\n",
    ] {
        assert_eq!(read(&format!("{BOARD}{tail}")), Board::startpos(), "{tail:?}");
    }
}

#[test]
fn only_b_means_black() {
    for side in ["w", "W", "r", "R", "red", "x", "?"] {
        assert_eq!(read(&format!("{BOARD} {side} - - 0 1")).side_to_move(), Color::Red, "{side}");
    }
    for side in ["b", "B"] {
        assert_eq!(read(&format!("{BOARD} {side} - - 0 1")).side_to_move(), Color::Black, "{side}");
    }
}

#[test]
fn counters_are_kept_and_saturate() {
    let counters = |tail: &str| {
        let board = read(&format!("{BOARD} w - - {tail}"));
        (board.halfmove_clock(), board.fullmove_number())
    };
    assert_eq!(counters("17 42"), (17, 42));
    assert_eq!(counters("17"), (17, 1));
    assert_eq!(counters("0 0"), (0, 0));
    assert_eq!(counters("65535 65536"), (u16::MAX, u16::MAX));
    assert_eq!(counters("99999999999999999999999 1"), (u16::MAX, 1));
    let late = read(&format!("{BOARD} b - - 65535 65535")).play("h9g7".parse().unwrap()).unwrap();
    assert_eq!((late.halfmove_clock(), late.fullmove_number()), (u16::MAX, u16::MAX));
}

#[test]
fn other_letters_and_spellings_of_the_board() {
    for board in [
        "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR",
        "rhbakaenr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNEAKABHR",
        "rnbagabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAGABNR",
        "rnbakabnr/9/1c5c1/s1s1s1s1s/9/9/S1S1S1S1S/1C5C1/9/RNBAKABNR",
        "rheagaehr/9/1c5c1/s1s1s1s1s/9/9/S1S1S1S1S/1C5C1/9/RHEAGAEHR",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR/",
        "rnbakabnr/111111111/1c41c1/p1p1p1p1p/45/81/P1P1P1P1P/1C113C1/333/RNBAKABNR",
    ] {
        assert_eq!(read(board), Board::startpos(), "{board}");
    }
    // Where king and pawn have their usual letters, the other ones are nothing.
    refused(
        "4k4/9/9/9/9/9/9/9/9/4GK3 w",
        FenError::UnknownPiece { rank: 0, file: 'e', found: 'G' },
        &["board field", "rank 0", "file e", "'G'", "KABNRCP"],
    );
    refused(
        "4k4/9/9/p7s/9/9/9/9/9/5K3 w",
        FenError::UnknownPiece { rank: 6, file: 'i', found: 's' },
        &["board field", "rank 6", "file i", "'s'", "1-9"],
    );
}

#[test]
fn errors_of_form() {
    refused("", FenError::Empty, &["empty FEN", "ten ranks"]);
    refused(" \t\r\n", FenError::Empty, &[]);
    refused("foobar", FenError::RankCount { found: 1 }, &["board field", "1 ranks", "expected 10"]);
    refused("9/9/9/9/9/9/9/9/9", FenError::RankCount { found: 9 }, &[]);
    refused(&format!("{BOARD}/9"), FenError::RankCount { found: 11 }, &[]);
    refused(&format!("{BOARD}//"), FenError::RankCount { found: 11 }, &[]);
    refused("/", FenError::RankCount { found: 1 }, &[]);
    refused(
        "4k4/9/9/9/8/9/9/9/9/5K3 w",
        FenError::RankWidth { rank: 5, found: 8 },
        &["board field", "rank 5", "8 points", "expected 9"],
    );
    refused("4k4/9/9/9/91/9/9/9/9/5K3 w", FenError::RankWidth { rank: 5, found: 10 }, &[]);
    refused("4k4/9/9/9//9/9/9/9/5K3 w", FenError::RankWidth { rank: 5, found: 0 }, &[]);
    refused("4k4/9/9/9/0/9/9/9/9/5K3 w", FenError::UnknownPiece { rank: 5, file: 'a', found: '0' }, &[]);
    refused("4k4/9/9/9/4炮4/9/9/9/9/5K3 w", FenError::UnknownPiece { rank: 5, file: 'e', found: '炮' }, &["炮"]);
    refused(
        &format!("{BOARD} w - - x 1"),
        FenError::Counter { field: "half-move", found: "x".into() },
        &["half-move field", "\"x\"", "expected a number"],
    );
    refused(
        &format!("{BOARD} w - - 0 -1"),
        FenError::Counter { field: "full-move", found: "-1".into() },
        &["full-move field", "\"-1\"", "expected a number"],
    );
    refused(
        &format!("{BOARD} w - - 0 1 moves"),
        FenError::Trailing { found: "moves".into() },
        &["after the full-move field", "\"moves\"", "expected the end"],
    );
}

#[test]
fn errors_of_content() {
    let piece = |color, kind| Piece::new(color, kind);
    let square = |text: &str| {
        let bytes = text.as_bytes();
        Square::from_ascii(bytes[0], bytes[1]).unwrap()
    };
    refused(
        "9/9/9/9/9/9/9/9/9/4K4 w",
        FenError::KingCount { color: Color::Black, found: 0 },
        &["board field", "Black", "0 kings", "expected 1"],
    );
    refused("4k4/9/9/9/9/9/9/9/9/3KK4 w", FenError::KingCount { color: Color::Red, found: 2 }, &["Red"]);
    refused(
        "4k4/9/9/9/9/9/9/9/9/RRRK5 w",
        FenError::TooMany { piece: piece(Color::Red, PieceType::Rook), found: 3, max: 2 },
        &["board field", "3 of `R`", "at most 2"],
    );
    refused(
        "3k5/9/9/pppppp3/9/9/9/9/9/4K4 w",
        FenError::TooMany { piece: piece(Color::Black, PieceType::Pawn), found: 6, max: 5 },
        &["6 of `p`", "at most 5"],
    );
    for (fen, letter, at) in [
        ("k8/9/9/9/9/9/9/9/9/4K4 w", 'k', "a9"),
        ("4K4/9/9/9/9/9/9/9/9/3k5 w", 'k', "d0"),
        ("3k5/9/9/9/9/9/9/9/9/3AAK3 w", 'A', "e0"),
        ("3k5/9/9/9/9/9/9/9/9/B3K4 w", 'B', "a0"),
        ("3k1B3/9/9/9/9/9/9/9/9/4K4 w", 'B', "f9"),
        ("3k5/9/9/1p7/9/9/9/9/9/4K4 w", 'p', "b6"),
        ("3k5/9/9/9/9/9/9/P8/9/4K4 w", 'P', "a2"),
        ("3k4p/9/9/9/9/9/9/9/9/4K4 w", 'p', "i9"),
    ] {
        match Board::from_fen(fen) {
            Err(error @ FenError::Misplaced { piece, square: found }) => {
                assert_eq!((piece.letter(), found), (letter, square(at)), "{fen}");
                let message = error.to_string();
                assert!(
                    message.contains("board field") && message.contains(&format!("`{letter}` on {at}")),
                    "{message}"
                );
            }
            other => panic!("{fen}: {other:?}"),
        }
    }
    refused(
        "3k5/9/9/9/9/9/9/9/9/3RK4 w",
        FenError::KingCapturable { mover: Color::Red },
        &["side field", "Red to move", "king of Black"],
    );
    // The same placement with the checked side to move, and kings that face each other whoever moves.
    assert!(read("3k5/9/9/9/9/9/9/9/9/3RK4 b").in_check());
    refused("4k4/9/9/9/9/9/9/9/9/4K4 w", FenError::KingCapturable { mover: Color::Red }, &[]);
    refused("4k4/9/9/9/9/9/9/9/9/4K4 b", FenError::KingCapturable { mover: Color::Black }, &["king of Red"]);
}

#[test]
fn composed_placements_are_bounded_by_the_length_of_a_list() {
    let crowded = "3k5/RRRRRRR2/9/9/9/9/9/9/9/4K4 w";
    assert!(matches!(Board::from_fen(crowded), Err(FenError::TooMany { found: 7, .. })));
    let error = Board::from_composed_fen(crowded).unwrap_err();
    assert_eq!(error, FenError::TooManyMoves { color: Color::Red, bound: 7 * 17 + 4 });
    assert!(error.to_string().contains("Red") && error.to_string().contains("at most 120"), "{error}");
    assert!(Board::from_composed_fen("3k5/RRR3RRR/9/9/9/9/9/9/9/4K4 w").is_ok());
    let facing = Board::from_composed_fen("4k4/9/9/9/9/9/9/9/9/4K4 w").unwrap();
    assert_eq!(facing.legal_moves().len(), 2);
}

#[test]
fn composed_placements_keep_advisors_and_elephants_from_the_other_king() {
    let refused = |fen: &str| match Board::from_composed_fen(fen) {
        Err(FenError::Misplaced { piece, square }) => format!("{piece}{square}"),
        other => panic!("{fen}: {other:?}"),
    };
    // Each could take the king, at once or when the king comes near.
    assert_eq!(refused("3a1a3/4k4/3A1a3/9/9/9/9/9/4K4/9 w"), "Ad7");
    assert_eq!(refused("3k5/9/9/9/5B3/9/9/9/9/4K4 b"), "Bf5");
    assert_eq!(refused("3k5/9/9/9/9/9/9/b8/9/4K4 b"), "ba2");
    // At home they may stand anywhere.
    let home = Board::from_composed_fen("3k5/9/a1a6/9/b7b/9/AAAABBBB1/9/9/4K4 w").unwrap();
    assert_eq!(Board::from_composed_fen(&home.to_fen()), Ok(home));
}

#[test]
fn long_texts_are_refused_quickly_and_quoted_briefly() {
    const SIZE: usize = 10 << 20;
    for filler in ["9", "/", "9/", "k", "-", " ", "- ", "1 ", "炮", "\0", "p", "0"] {
        let long = filler.repeat(SIZE / filler.len());
        for text in [long.clone(), format!("{BOARD}{long}"), format!("{BOARD} {long}"), format!("{BOARD} w - - {long}")]
        {
            if let Err(error) = Board::from_fen(&text) {
                assert!(error.to_string().len() < 200, "{filler}: {}", error.to_string().len());
            }
        }
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC*") {
        let _ = Board::from_fen(&text);
        let _ = Board::from_composed_fen(&text);
    }

    /// Valid texts with a few bytes changed: what survives decoding is as near to a FEN as it gets.
    #[test]
    fn no_damage_makes_the_reader_panic(changes in prop::collection::vec((0usize..70, any::<u8>()), 0..6)) {
        let mut bytes = Board::START_FEN.as_bytes().to_vec();
        for (place, byte) in changes {
            let place = place % bytes.len();
            bytes[place] = byte;
        }
        let text = String::from_utf8_lossy(&bytes);
        if let Ok(board) = Board::from_fen(&text) {
            prop_assert_eq!(board.recomputed(), board);
        }
        let _ = Board::from_composed_fen(&text);
    }

    /// Whatever is accepted has moves that fit a list.
    #[test]
    fn accepted_placements_can_be_searched(pieces in prop::collection::vec((0usize..90, 0usize..12), 0..30)) {
        let mut points = ['1'; 90];
        for (at, letter) in pieces {
            let letter = char::from(b"ABNRCPabnrcp"[letter]);
            // Black's side comes first. Advisors and elephants beyond the river would have nearly all refused.
            if !(if at < 45 { "AB" } else { "ab" }).contains(letter) {
                points[at] = letter;
            }
        }
        (points[3], points[85]) = ('k', 'K');
        let rows: Vec<String> = points.chunks(9).map(|row| row.iter().collect()).collect();
        for side in ["w", "b"] {
            if let Ok(board) = Board::from_composed_fen(&format!("{} {side}", rows.join("/"))) {
                prop_assert_eq!(board.count_legal_moves(), board.legal_moves().len() as u64);
                prop_assert_eq!(&board.recomputed(), &board);
            }
        }
    }
}

#[test]
fn pieces_make_the_board_of_their_fen() {
    for fen in [Board::START_FEN, "3k5/9/9/9/9/9/9/9/R8/4K4 b - - 7 30"] {
        let board = Board::from_fen(fen).unwrap();
        let pieces = Square::all().filter_map(|square| Some((board.piece_at(square)?, square)));
        let counters = (board.halfmove_clock(), board.fullmove_number());
        assert_eq!(Board::from_pieces(pieces, board.side_to_move(), counters.0, counters.1), Ok(board));
    }
    let kings = [(Piece::new(Color::Red, PieceType::King), "e0"), (Piece::new(Color::Black, PieceType::King), "e9")];
    let facing =
        kings.map(|(king, square)| (king, Square::from_ascii(square.as_bytes()[0], square.as_bytes()[1]).unwrap()));
    assert_eq!(Board::from_pieces(facing, Color::Red, 0, 1), Err(FenError::KingCapturable { mover: Color::Red }));
    assert_eq!(
        Board::from_pieces(facing[..1].iter().copied(), Color::Red, 0, 1),
        Err(FenError::KingCount { color: Color::Black, found: 0 })
    );
}
