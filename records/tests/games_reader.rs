//! Files of every format that the field and the hostile write: damaged ones, odd ones, and versions of which no real file
//! is at hand, made from their layouts.

use std::fs;
use std::path::Path;

use chuhe_movegen::Board;
use chuhe_records::games::{DamagedRecord, Entry, Format, Games, OpenError};
use chuhe_records::{GameResult, NodeId, Record, dhtmlxq, xqf};
use encoding_rs::{BIG5, GB18030};

fn file(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)).unwrap()
}

fn entries(bytes: &[u8]) -> (Format, Vec<Entry>) {
    let games = Games::new(bytes, None).unwrap();
    (games.format(), games.map(|game| game.unwrap().read()).collect())
}

fn one(bytes: &[u8], format: Format) -> Entry {
    let (found, mut entries) = entries(bytes);
    assert_eq!(found, format);
    assert_eq!(entries.len(), 1, "{entries:?}");
    entries.remove(0)
}

fn sound(bytes: &[u8], format: Format) -> Record {
    one(bytes, format).record.unwrap_or_else(|damaged| panic!("{damaged}"))
}

fn damaged(bytes: &[u8], format: Format) -> DamagedRecord {
    one(bytes, format).record.expect_err("a damaged game")
}

fn moves(record: &Record) -> String {
    record.main_line().map(|(mv, _)| mv.to_string()).collect::<Vec<_>>().join(" ")
}

mod xqf_files {
    use super::*;

    #[test]
    fn a_file_cut_short_keeps_the_moves_before() {
        let whole = file("xqf10_written.xqf");
        let all = moves(&sound(&whole, Format::Xqf));
        let mut plies = Vec::new();
        for len in (0x400..whole.len()).step_by(3) {
            let damaged = damaged(&whole[..len], Format::Xqf);
            let message = damaged.to_string();
            assert!(message.contains(&format!("after {len} bytes")) || message.contains("a comment of"), "{message}");
            let rest = moves(&damaged.salvaged.expect("the start position is whole"));
            assert!(all.starts_with(&rest), "{rest}");
            plies.push(rest.split_whitespace().count());
        }
        assert!(plies.is_sorted() && plies.last() == Some(&40), "{plies:?}");
        let message = damaged(&whole[..0x3ff], Format::Xqf).to_string();
        assert_eq!(message, "the data end after 1023 bytes, expected a header of 1,024 bytes");
    }

    /// Programs cut texts that are too long in the middle of a character.
    #[test]
    fn half_a_character_is_none() {
        let mut bytes = xqf::to_bytes(&Record::default()).unwrap();
        let (name, ..) = GB18030.encode("北京市象棋队选手");
        bytes[0x130] = 15;
        bytes[0x131..0x140].copy_from_slice(&name[..15]);
        assert_eq!(sound(&bytes, Format::Xqf).tags.red(), Some("北京市象棋队选"));
    }

    #[test]
    fn a_wrong_key_is_an_error_and_not_another_game() {
        let whole = file("xqf18_written_keys.xqf");
        for at in [3, 8, 9, 10, 11, 12, 13, 14, 15] {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x35;
            let entry = one(&bytes, Format::Xqf);
            assert!(entry.record.is_err(), "byte {at}: {:?}", entry.record);
        }
    }

    /// No real file of version 1.1 is known, and programs disagree on the order of its pieces.
    #[test]
    fn version_11_is_read_in_either_order_of_pieces() {
        let mut plain = xqf::to_bytes(&Record::default()).unwrap()[..0x400].to_vec();
        plain[2] = 11;
        let [from_h2, to_e2] = [72 + 24, 42 + 32];
        let mut bytes = plain.clone();
        bytes.extend([24, 32, 0x80, 0, from_h2, to_e2, 0, 0]);
        assert_eq!(moves(&sound(&bytes, Format::Xqf)), "h2e2");
        // Without a key the first piece stands in the second place.
        bytes[16..48].rotate_left(1);
        assert_eq!(moves(&sound(&bytes, Format::Xqf)), "h2e2");
        let record = sound(&bytes, Format::Xqf);
        assert_eq!(record.start, Board::startpos());
        let mut written = file("xqf18_written_keys.xqf");
        let record = sound(&written, Format::Xqf);
        written[2] = 11;
        assert_eq!(sound(&written, Format::Xqf), record);
    }

    #[test]
    fn absurd_lengths_and_endless_variations_are_errors() {
        let mut header = xqf::to_bytes(&Record::default()).unwrap()[..0x400].to_vec();
        let long = [&header[..], &[24, 32, 0, 0], &u32::MAX.to_le_bytes(), b"x"].concat();
        let message = damaged(&long, Format::Xqf).to_string();
        assert_eq!(
            message,
            "byte 1028: found a comment of 4294967295 bytes, of which 1 are present, expected one that ends within the file"
        );
        header[2] = 18;
        header[16..48].rotate_left(1);
        // Each move has another in its place.
        let mut endless = [&header[..], &[24, 32, 0x80, 0]].concat();
        (0..100_000).for_each(|_| endless.extend([72 + 24, 42 + 32, 0x40, 0]));
        let damaged = damaged(&endless, Format::Xqf);
        assert_eq!(damaged.to_string(), "ply 1: the data end after 401028 bytes, expected a move of four bytes");
        assert_eq!(damaged.salvaged.map(|record| record.tree.len()), Some(100_000));
    }

    #[test]
    fn two_pieces_on_a_point_are_no_position() {
        let mut bytes = xqf::to_bytes(&Record::default()).unwrap();
        bytes[17] = bytes[16];
        assert_eq!(damaged(&bytes, Format::Xqf).to_string(), "start position: two pieces on a0, expected one");
        bytes[20] = 0xff;
        bytes[17] = 10;
        assert_eq!(
            damaged(&bytes, Format::Xqf).to_string(),
            "start position: board field: Red has 0 kings, expected 1"
        );
    }
}

mod ccbridge_files {
    use super::*;

    /// Version 1 of a record: the same without the field for the script, other fields gone, and points as hexadecimal digits.
    fn version_1(record: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0; 1856];
        bytes[..52].copy_from_slice(&record[..52]);
        bytes[19] = 1;
        for (at, from, len) in [(52, 180, 128), (564, 692, 64), (948, 1076, 64), (1172, 1300, 64), (1820, 2076, 1)] {
            bytes[at..at + len].copy_from_slice(&record[from..from + len]);
        }
        bytes.extend(&record[2112..2214]);
        let mut rest = &record[2214..];
        let packed = |point: u8| point % 9 * 16 + point / 9;
        while let &[flags, other, from, to, ref tail @ ..] = rest {
            bytes.extend([flags, other, packed(from), packed(to)]);
            let comment =
                if flags & 4 == 0 { 0 } else { 4 + u32::from_le_bytes(tail[..4].try_into().unwrap()) as usize };
            bytes.extend(&tail[..comment]);
            rest = &tail[comment..];
        }
        bytes
    }

    #[test]
    fn version_1_is_version_2_packed() {
        let bytes = file("cbr2_written_variations.cbr");
        let record = sound(&bytes, Format::Cbr);
        assert!(record.tree.len() > record.main_line().count(), "there are variations");
        assert_eq!(sound(&version_1(&bytes), Format::Cbr), record);
        let mut unknown = bytes.clone();
        unknown[19] = 3;
        assert_eq!(damaged(&unknown, Format::Cbr).to_string(), "byte 19: found version 3, expected 1 or 2");
    }

    /// A library with room for so many games.
    fn library(slots: usize, records: &[&[u8]]) -> Vec<u8> {
        let mut bytes = b"CCBridgeLibrary\0".to_vec();
        bytes.resize(0x3c, 0);
        bytes.extend((slots as u32).to_le_bytes());
        bytes.resize(66_624 + 276 * slots, 0);
        for record in records {
            bytes.extend_from_slice(record);
            bytes.resize(bytes.len().next_multiple_of(4096), 0);
        }
        bytes
    }

    #[test]
    fn libraries_of_every_size_give_all_their_games() {
        let record = file("cbr2_written_variations.cbr");
        let expected = sound(&record, Format::Cbr);
        for slots in [4, 128, 256, 384, 512, 1024] {
            let (format, entries) = entries(&library(slots, &[&record, &version_1(&record), &record]));
            assert_eq!(format, Format::Cbl);
            assert_eq!(entries.len(), 3);
            assert!(entries.iter().all(|entry| entry.record.as_ref() == Ok(&expected)));
        }
    }

    #[test]
    fn a_damaged_game_keeps_no_other_from_being_read() {
        let record = file("cbr2_written_variations.cbr");
        let mut unknown = record.clone();
        unknown[19] = 9;
        let mut illegal = record.clone();
        illegal[2214 + 4 + 8 + 2] = 0;
        let (_, entries) = entries(&library(128, &[&record, &unknown, &illegal, &record[..2300], &record]));
        let results: Vec<Result<(), String>> = entries
            .iter()
            .map(|entry| entry.record.as_ref().map(|_| ()).map_err(|damaged| damaged.to_string()))
            .collect();
        assert_eq!(results.len(), 5);
        assert_eq!((&results[0], &results[4]), (&Ok(()), &Ok(())));
        assert_eq!(results[1].as_ref().unwrap_err(), "byte 19: found version 9, expected 1 or 2");
        assert!(results[2].as_ref().unwrap_err().starts_with("ply "), "{:?}", results[2]);
        assert!(results[3].is_ok(), "zeros after the moves are the end: {:?}", results[3]);
    }

    #[test]
    fn a_record_of_zeros_has_no_moves() {
        let mut record = file("cbr2_written_variations.cbr");
        record[2214..].fill(0);
        assert_eq!(sound(&record, Format::Cbr).tree.len(), 0);
    }

    const XML: &str = "<?xml version=\"1.0\"?><ChineseChessRecord><Head><Red>A &amp; B&#x7532;</Red><Black/>\
        <RecordResult>2</RecordResult><FEN>FEN</FEN></Head><MoveList><Move value=\"00-00\">game</Move>\
        <Move value=\"77-47\"><![CDATA[<first>]]></Move><Move value=\"70-62\" end=\"1\"/></MoveList></ChineseChessRecord>";

    #[test]
    fn xml_is_read_as_it_is_written_by_hand_too() {
        let record = sound(XML.replace("FEN<", &format!("{}<", Board::START_FEN)).as_bytes(), Format::Cbf);
        assert_eq!(
            (record.tags.red(), record.tags.black(), record.result),
            (Some("A & B甲"), None, GameResult::BlackWins)
        );
        assert_eq!(moves(&record), "h2e2 h9g7");
        assert_eq!((record.comment(), record.main_line().next().unwrap().1), ("game", "<first>"));
        let empty = XML.replace("<FEN>FEN</FEN>", "<FEN/>");
        assert_eq!(sound(empty.as_bytes(), Format::Cbf).start, Board::startpos());
    }

    #[test]
    fn damaged_xml_gives_what_stands_before() {
        let xml = XML.replace("<FEN>FEN</FEN>", "");
        let cut = damaged(xml.split_at(xml.find("<Move value=\"70").unwrap() + 14).0.as_bytes(), Format::Cbf);
        assert!(cut.to_string().starts_with("ply 2: "), "{cut}");
        assert_eq!(cut.salvaged.as_deref().map(moves).as_deref(), Some("h2e2"));
        let odd = damaged(xml.replace("70-62", "7062x1").as_bytes(), Format::Cbf).to_string();
        assert!(odd.contains("found the move \"7062x1\", expected one such as `77-47`"), "{odd}");
        let off = damaged(xml.replace("70-62", "99-62").as_bytes(), Format::Cbf).to_string();
        assert_eq!(off, "ply 2: found a move off the board, expected one from a point to another");
        let position = damaged(XML.as_bytes(), Format::Cbf).to_string();
        assert_eq!(position, "start position: board field: found 1 ranks, expected 10");
        // What others would expand without end stays as it is.
        let bomb = xml.replace(
            "<ChineseChessRecord>",
            "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><ChineseChessRecord>",
        );
        assert_eq!(moves(&sound(bomb.replace("game", "&b;").as_bytes(), Format::Cbf)), "h2e2 h9g7");
    }
}

mod dhtmlxq_texts {
    use super::*;

    #[test]
    fn tags_are_read_however_they_are_closed_or_not() {
        let text =
            "noise [b] [DhtmlXQ_red]甲[/DhtmlXQ_black]\n[DhtmlXQ_black]乙[/DhtmlXQ_red][DhtmlXQ_result]先负[/DhtmlXQ]";
        let record = sound(text.as_bytes(), Format::DhtmlXq);
        assert_eq!(
            (record.tags.red(), record.tags.black(), record.result),
            (Some("甲"), Some("乙"), GameResult::BlackWins)
        );
        let open = sound("[DhtmlXQ]\n[DhtmlXQ_movelist]77477062".as_bytes(), Format::DhtmlXq);
        assert_eq!(moves(&open), "h2e2 h9g7");
    }

    #[test]
    fn a_page_may_hold_many_games() {
        let page = "<html><body>[DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][/DhtmlXQ]<p>[DhtmlXQ]\
            [DhtmlXQ_movelist]7747\n 70 62[/DhtmlXQ_movelist][DhtmlXQ][DhtmlXQ_movelist]xx[/DhtmlXQ_movelist][/DhtmlXQ]";
        let (format, entries) = entries(page.as_bytes());
        assert_eq!((format, entries.len()), (Format::DhtmlXq, 3));
        assert_eq!(entries[0].record.as_ref().map(moves).as_deref(), Ok("h2e2"));
        assert_eq!(entries[1].record.as_ref().map(moves).as_deref(), Ok("h2e2 h9g7"));
        let message = entries[2].record.as_ref().unwrap_err().to_string();
        assert_eq!(message, "ply 1: byte 0: found \"xx\", expected a move of four digits in `movelist`");
        assert_eq!(self::entries(b"<html>nothing</html>").1.len(), 0);
    }

    #[test]
    fn variations_may_leave_lines_that_come_later_and_lines_before_their_own() {
        let text = "[DhtmlXQ][DhtmlXQ_move_2_3_3]7967[/DhtmlXQ_move_2_3_3][DhtmlXQ_move_1_2_2]1022[/DhtmlXQ_move_1_2_2]\
            [DhtmlXQ_move_0_3_1]1927[/DhtmlXQ_move_0_3_1][DhtmlXQ_movelist]774770627967[/DhtmlXQ_movelist]\
            [DhtmlXQ_comment2_1]early[/DhtmlXQ_comment2_1][DhtmlXQ_comment3_3]\\u597d||x[/DhtmlXQ_comment3_3]\
            [DhtmlXQ_comment1_99]late[/DhtmlXQ_comment1_99][/DhtmlXQ]";
        let record = sound(text.as_bytes(), Format::DhtmlXq);
        let tree = &record.tree;
        let ends: Vec<String> = tree
            .walk()
            .filter(|&(_, id)| tree.next(id).is_none())
            .map(|(_, id)| tree.path_to(id).iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(ends, ["h2e2 h9g7 h0g2", "h2e2 h9g7 b0c2", "h2e2 b9c7 h0g2"]);
        let comments: Vec<&str> = tree.walk().map(|(_, id)| tree.comment(id)).filter(|text| !text.is_empty()).collect();
        assert_eq!(comments, ["early", "late", "好\nx"]);
    }

    #[test]
    fn lost_variations_are_counted() {
        let text = "[DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][DhtmlXQ_move_7_1_8]77477062[/DhtmlXQ_move_7_1_8]\
            [DhtmlXQ_move_0_5_1]7747[/DhtmlXQ_move_0_5_1][DhtmlXQ_move_2_1_2]7747[/DhtmlXQ_move_2_1_2]\
            [DhtmlXQ_move_0_1_3]1747ab[/DhtmlXQ_move_0_1_3]";
        let entry = one(text.as_bytes(), Format::DhtmlXq);
        assert_eq!(entry.omitted.map(|omitted| omitted.moves), Some(5));
        assert_eq!(entry.record.unwrap().tree.len(), 2);
    }

    #[test]
    fn positions_are_checked() {
        let start = "0919293949596979891777062646668600102030405060708012720323436383";
        let game = |binit: &str| format!("[DhtmlXQ][DhtmlXQ_binit]{binit}[/DhtmlXQ_binit][/DhtmlXQ]");
        assert_eq!(sound(game(start).as_bytes(), Format::DhtmlXq).start, Board::startpos());
        for (binit, expected) in [
            (&start[..60], "byte 0: found 60 characters, expected 64 digits in `binit`"),
            (&start.replace("0919", "0909"), "start position: two pieces on a0, expected one"),
            (&start.replace("0919", "x919"), "byte 0: found \"x9\", expected a column, a row or 99 in `binit`"),
            (&start.replace("4959", "9959"), "start position: board field: Red has 0 kings, expected 1"),
        ] {
            assert_eq!(damaged(game(binit).as_bytes(), Format::DhtmlXq).to_string(), expected);
        }
        let fen =
            "[DhtmlXQ][DhtmlXQ_binit]x[/DhtmlXQ_binit][DhtmlXQ_fen]3k5/9/9/9/9/9/9/9/9/R3K4 b - - 0 1[/DhtmlXQ_fen]";
        assert_eq!(sound(fen.as_bytes(), Format::DhtmlXq).start.to_fen(), "3k5/9/9/9/9/9/9/9/9/R3K4 b - - 0 1");
    }

    /// 打虎将: other names, a board drawn letter by letter, rows of moves from Red's side.
    #[test]
    fn dhjhtmlxq_is_the_same_by_other_names() {
        let board = "***k*****".to_owned() + &"*".repeat(72) + "R***K****";
        let text = format!(
            "[DHJHtmlXQ][DHJHtmlXQ_31]{board}[/DHJHtmlXQ_31][DHJHtmlXQ_32]0[/DHJHtmlXQ_32][DHJHtmlXQ_33]4[/DHJHtmlXQ_33]\
             [DHJHtmlXQ_34]00013938[/DHJHtmlXQ_34][DHJHtmlXQ_comment_0_1]好[/DHJHtmlXQ_comment_0_1][/DHJHtmlXQ]"
        );
        let record = sound(text.as_bytes(), Format::DhtmlXq);
        assert_eq!(
            (record.start.to_fen().as_str(), moves(&record).as_str()),
            ("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 3", "a0a1 d9d8")
        );
        assert_eq!(record.main_line().next().unwrap().1, "好");
        let short = text.replace("***k", "**k");
        assert!(damaged(short.as_bytes(), Format::DhtmlXq).to_string().contains("89 characters, expected 90 points"));
    }

    /// Pages and programs give the outer tag other endings, the main line another name, and players one more.
    #[test]
    fn marks_have_variants() {
        let game = |outer: &str, name: &str| {
            format!(
                "[{outer}][DhtmlXQ_redname]{name}[/DhtmlXQ_redname][DhtmlXQ_move_0_1_0]77477062[/DhtmlXQ_move_0_1_0][/{outer}]"
            )
        };
        let page = format!("<p>{}</p><p>{}</p>", game("DhtmlXQHTML", "甲"), game("DhtmlXQiFrame", "乙"));
        let (format, entries) = entries(page.as_bytes());
        assert_eq!((format, entries.len()), (Format::DhtmlXq, 2));
        for (entry, name) in entries.iter().zip(["甲", "乙"]) {
            let record = entry.record.as_ref().unwrap();
            assert_eq!((record.tags.red(), moves(record).as_str()), (Some(name), "h2e2 h9g7"));
        }
        let named = game("DhtmlXQ", "x").replace("[DhtmlXQ_redname]", "[DhtmlXQ_red]甲[/DhtmlXQ_red][DhtmlXQ_redname]");
        assert_eq!(sound(named.as_bytes(), Format::DhtmlXq).tags.red(), Some("甲"));
        let comment = "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][DhtmlXQ_comment1]好||着|||[/DhtmlXQ_comment1]";
        assert_eq!(sound(comment.as_bytes(), Format::DhtmlXq).main_line().next().unwrap().1, "好\n着");
    }

    /// Far behind the head of a page, with a script in it that looks like a tag of PGN.
    #[test]
    fn pages_are_looked_at_as_a_whole() {
        let head =
            format!("<!DOCTYPE html>\n<head><script>\n[Foo \"bar\"]\n{}</script></head>", "x = 1;\n".repeat(20_000));
        let page = format!("{head}<body>[DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][/DhtmlXQ]</body>");
        assert_eq!(moves(&sound(page.as_bytes(), Format::DhtmlXq)), "h2e2");
    }

    #[test]
    fn text_in_gbk_and_big5() {
        let mut record = Record::default();
        record.tags.set("Red", "许银川");
        let text = dhtmlxq::to_string(&record);
        assert_eq!(sound(&GB18030.encode(&text).0, Format::DhtmlXq), record);
    }
}

mod small_programs {
    use super::*;

    #[test]
    fn files_cut_short_keep_the_moves_before() {
        for (name, format, cut, expected) in [
            ("qq_game.che", Format::Che, 5, "ply 66: the data end after 1377 bytes, expected a move of ten numbers"),
            (
                "zhongyou_game.ccm",
                Format::Ccm,
                3,
                "ply 66: the data end after 459 bytes, expected a move of seven bytes",
            ),
            (
                "lianzhong_game.chn",
                Format::Chn,
                30,
                "ply 66: the data end after 2270 bytes, expected a move of 32 bytes",
            ),
            ("yitian_game.mxq", Format::Mxq, 8, "ply 66: the data end after 438 bytes, expected a move, or `Ends`"),
        ] {
            let bytes = file(name);
            let games = Games::new(&bytes[..bytes.len() - cut], Some(format)).unwrap();
            assert_eq!(games.format(), format);
            let entries: Vec<Entry> = games.map(|game| game.unwrap().read()).collect();
            let [Entry { record: Err(damaged), .. }] = &entries[..] else { panic!("{name}: {entries:?}") };
            assert_eq!(damaged.to_string(), expected, "{name}");
            assert_eq!(damaged.salvaged.as_ref().map(|record| record.tree.len()), Some(65), "{name}");
        }
    }

    #[test]
    fn an_illegal_move_is_named() {
        let mut bytes = file("zhongyou_game.ccm");
        bytes[7 * 4 + 6] = 5;
        let damaged = damaged(&bytes, Format::Ccm);
        assert_eq!(damaged.to_string(), "ply 5: found i0h4, expected a legal move of Red");
        assert_eq!(damaged.salvaged.map(|record| record.tree.len()), Some(4));
    }

    fn mxq(players: &[u8], moves: &[&str]) -> Vec<u8> {
        let header: [&[u8]; 12] = [b"", b"2006-08-04", players, b"1500", b"", b"", b"", b"", b"", b"", b"", b""];
        let texts = header.into_iter().chain(moves.iter().map(|word| word.as_bytes())).chain([&b"Ends"[..]]);
        texts.flat_map(|text| [&[text.len() as u8], text].concat()).collect()
    }

    #[test]
    fn yitian_names_players_and_result_in_either_script() {
        for (players, encoding, result) in [
            ("甲-胜-乙", GB18030, GameResult::RedWins),
            ("甲-和-乙", GB18030, GameResult::Draw),
            ("許-勝-陳", BIG5, GameResult::RedWins),
            ("許-負-陳", BIG5, GameResult::BlackWins),
        ] {
            let record = sound(&mxq(&encoding.encode(players).0, &["7C-4C"]), Format::Mxq);
            let names = format!("{}-{}", record.tags.red().unwrap(), record.tags.black().unwrap());
            assert_eq!(
                names.split('-').collect::<Vec<_>>(),
                [players.split('-').next().unwrap(), players.split('-').nth(2).unwrap()]
            );
            assert_eq!((record.result, moves(&record).as_str()), (result, "h2e2"), "{players}");
        }
        let odd = damaged(&mxq(b"", &["7C-4C", "7J6H"]), Format::Mxq).to_string();
        assert!(odd.starts_with("ply 2: ") && odd.contains("found \"7J6H\", expected a move such as `7C-4C`"), "{odd}");
    }

    /// Black puts an advisor between, which lets the cannon take the king: the game ends before that.
    #[test]
    fn a_captured_king_is_no_damage() {
        let start = ["7C-4C", "7J-6H", "4C-4G", "3J-4I", "4G-4J"];
        let entry = one(&mxq(b"", &start), Format::Mxq);
        assert_eq!(entry.record.as_ref().map(moves).as_deref(), Ok("h2e2 h9g7 e2e6"));
        assert_eq!(entry.omitted.map(|omitted| (omitted.moves, omitted.ply)), Some((2, 4)));
    }
}

mod texts {
    use super::*;

    #[test]
    fn moves_are_found_however_they_are_written() {
        for text in [
            "1. 炮二平五 马8进7 2. 马二进三 车9平8",
            "1.炮二平五马8进72.马二进三车9平8",
            "1、炮二平五，马８进７；\n2、马二进三，车９平８。\n",
            "炮二平五\n马8进7\n马二进三\n车9平8\n",
            "炮二平五 马8进7\n马二进三 车9平8",
            "１．砲二平五　馬８進７\n２．馬二進三　車９平８\n",
            "红：炮二平五\n黑：马8进7\n红：马二进三\n黑：车9平8\n",
            "Game one\n1. C2=5 H8+7\n2. H2+3 R9=8\n",
            "START{\n1. C2.5 H8+7 2. H2+3 R9.8\n}END\n",
            "START{1. C2.5 H8+7 2. H2+3 R9.8}END",
            "FORMAT\tWXF\nGAME\tx\nRED\tA\nBLACK\tB\n\nSTART{\n1. C2.5 H8+7\n2. H2+3 R9.8\n}END",
            "1. H2-E2 H9-G7\n2. H0-G2 I9-H9\n=====\nwww.example.org\n",
            "1. 炮25 马87 2. 马23 车98",
        ] {
            let record = sound(text.as_bytes(), Format::Text);
            assert_eq!(moves(&record), "h2e2 h9g7 h0g2 i9h9", "{text}");
        }
        // Coordinates, and more than a round on a line, are games of one line each.
        for text in ["h2e2 h9g7 h0g2 i9h9", "炮二平五 马8进7 马二进三 车9平8"] {
            let (format, entries) = entries(&GB18030.encode(&format!("{text}\n{text}\n")).0);
            assert_eq!((format, entries.len()), (Format::Lines, 2));
            assert_eq!(entries[1].record.as_ref().map(moves).as_deref(), Ok("h2e2 h9g7 h0g2 i9h9"));
        }
    }

    #[test]
    fn headings_become_tags() {
        let text = "全国赛决赛\n红方：许银川\n黑方: 吕钦\n日期：1999.12.09\n结果：红先胜\n\n1. 炮二平五 马8进7\n红方好棋\n（红胜）\n";
        let record = sound(text.as_bytes(), Format::Text);
        let tags: Vec<_> = record.tags.iter().collect();
        assert_eq!(tags, [("Title", "全国赛决赛"), ("Red", "许银川"), ("Black", "吕钦"), ("Date", "1999.12.09")]);
        assert_eq!((record.result, record.tree.comment(record.tree.end())), (GameResult::RedWins, "红方好棋"));
        let short = "红方：许 银川　 黑方：吕钦 结果：和棋\n（注：全国赛）\n1. 炮二平五 马8进7\n（此时红优）\n";
        let record = sound(short.as_bytes(), Format::Text);
        let tags: Vec<_> = record.tags.iter().collect();
        assert_eq!(tags, [("Red", "许 银川"), ("Black", "吕钦"), ("Title", "（注：全国赛）")]);
        assert_eq!((record.result, record.tree.comment(record.tree.end())), (GameResult::Draw, "此时红优"));
        let early = sound("许银川 吕钦\n（红先胜）\n1. 炮二平五 马8进7\n".as_bytes(), Format::Text);
        assert_eq!((early.result, moves(&early).as_str()), (GameResult::RedWins, "h2e2 h9g7"));
        let set_up = "残局\nFEN: 3k5/9/9/9/9/9/9/9/9/R3K4 w\n1. 车九进九";
        assert_eq!(moves(&sound(set_up.as_bytes(), Format::Text)), "a0a9");
    }

    #[test]
    fn games_follow_each_other() {
        let text = "第一局\n1. 炮二平五 马8进7\n2. 马二进三 车9平8\n\n第二局\n1. 兵七进一\n1. ... 炮2平3\n红胜\n第三局\n红方：甲\n\n\
                    1. 相三进五\n1. 炮八平五\n再见\n";
        let (format, entries) = entries(text.as_bytes());
        assert_eq!(format, Format::Text);
        let games: Vec<_> = entries
            .iter()
            .map(|entry| {
                let record = entry.record.as_ref().unwrap();
                (record.tags.get("Title"), moves(record), record.result)
            })
            .collect();
        let expected = [
            (Some("第一局"), "h2e2 h9g7 h0g2 i9h9".to_owned(), GameResult::Unknown),
            (Some("第二局"), "c3c4 b7c7".to_owned(), GameResult::RedWins),
            (Some("第三局"), "g0e2".to_owned(), GameResult::Unknown),
            (None, "b2e2".to_owned(), GameResult::Unknown),
        ];
        assert_eq!(games, expected);
    }

    #[test]
    fn errors_name_the_line_of_the_file() {
        let text = "第一局\n1. 炮二平五 马8进7\n\n第二局\n1. 炮二平五 马8进7\n2. 炮五进九\n\n第三局\n1. 兵七进一\n";
        let (_, entries) = entries(text.as_bytes());
        assert_eq!(entries.len(), 3);
        let damaged = entries[1].record.as_ref().unwrap_err();
        assert_eq!(damaged.to_string(), "game 2, line 6, ply 3: found `炮五进九`, expected a legal move of Red");
        assert_eq!(damaged.salvaged.as_deref().map(moves).as_deref(), Some("h2e2 h9g7"));
        assert!(entries[2].record.is_ok());
    }

    #[test]
    fn prose_holds_no_games() {
        let (format, entries) = entries("今天天气很好。\nNothing to see here.\n".as_bytes());
        assert_eq!((format, entries.len()), (Format::Text, 0));
        assert_eq!(self::entries(b"").1.len(), 0);
        let junk = &b"\x7fELF\0\0\x01\x02"[..];
        assert!(matches!(Games::new(junk, None), Err(OpenError::UnknownFormat)));
        // What a file is called has the last word, and its reader says what is wrong.
        for format in Format::ALL {
            let Ok(games) = Games::new(junk, Some(format)) else { continue };
            assert_eq!(games.format(), format);
            assert!(games.map(|game| game.unwrap().read()).all(|entry| entry.record.is_err()), "{format}");
        }
    }

    #[test]
    fn utf16_is_told_by_its_mark() {
        let pgn = "[Red \"许银川\"]\n\n1. 炮二平五 马8进7 *\n";
        let plain = "红方：许银川\n1. 炮二平五 马8进7\n";
        for (text, format) in [(pgn, Format::Pgn), (plain, Format::Text)] {
            let little: Vec<u8> =
                "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
            let big: Vec<u8> =
                "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect();
            for bytes in [little, big] {
                let record = sound(&bytes, format);
                assert_eq!((record.tags.red(), moves(&record).as_str()), (Some("许银川"), "h2e2 h9g7"));
            }
        }
    }

    /// The same text, first letters in ASCII, without a byte order mark.
    #[test]
    fn utf16_is_told_by_its_zeros() {
        let text = "[Red \"许银川\"]\n\n1. 炮二平五 马8进7 *\n";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in [little, big] {
            let record = sound(&bytes, Format::Pgn);
            assert_eq!((record.tags.red(), moves(&record).as_str()), (Some("许银川"), "h2e2 h9g7"));
        }
    }

    /// Texts as web pages and programs give them, with what stands between and behind the moves.
    #[test]
    fn texts_of_the_field() {
        let site = "标题: 南方 许银川 胜 北方 刘殿中\n分类: 大师赛\n红方: 南方 许银川\n黑方: 北方 刘殿中\n结果: 红方胜\n\
            来源网站: www.dpxq.com\n \n【主变: 红胜】\n1.炮二平五 马８进７ ①\n\n2.马二进三\n\n　　黑方如走卒７进１，另有变化。\n\
            \u{3000}\u{3000}2. …………　　车９平８\n\n棋谱由 http://www.dpxq.com/ 生成\n";
        let record = sound(site.as_bytes(), Format::Text);
        assert_eq!((moves(&record).as_str(), record.result), ("h2e2 h9g7 h0g2 i9h9", GameResult::RedWins));
        assert_eq!((record.tags.red(), record.tags.black()), (Some("南方 许银川"), Some("北方 刘殿中")));
        let comments: Vec<&str> = record.main_line().map(|(_, comment)| comment).collect();
        assert_eq!(comments[..3], ["", "①", "黑方如走卒７进１，另有变化。"]);

        let playok = "FORMAT  WXF\nRED     alpha ; 1137 ;;\nBLACK   beta\nRESULT  1-0\nDATE    2026-09-03 16:20:58\n\
            EVENT   PlayOK Game ; 10m+0s\nSTART{\n 1. C2.5 h8+7   2. H2+3 r9.8\n}END\n";
        let record = sound(playok.as_bytes(), Format::Text);
        assert_eq!((moves(&record).as_str(), record.result), ("h2e2 h9g7 h0g2 i9h9", GameResult::RedWins));
        let tags = ["Red", "RedElo", "Black", "Event"].map(|tag| record.tags.get(tag).unwrap_or_default());
        assert_eq!(tags, ["alpha", "1137", "beta", "PlayOK Game ; 10m+0s"]);

        for text in [
            "１、红方：炮二平五\n１...黑方：马８进７\n２、红方：马二进三\n２...黑方：车９平８\n",
            "[红方选手：甲]\n[ECCO: C00]\n着法列表\n1.炮二平五 馬8进7;2.馬二进三 車9平8\n",
            "1.炮二平五\t　\t马8进7\t　\t2.马二进三\t　\t车9平8\r\r",
            "\u{feff}红方：甲\r1.炮二平五 马8进7\r2.马二进三 车9平8\r",
        ] {
            assert_eq!(moves(&sound(text.as_bytes(), Format::Text)), "h2e2 h9g7 h0g2 i9h9", "{text}");
        }
        assert_eq!(sound("[红方选手：甲]\n1.炮二平五\n".as_bytes(), Format::Text).tags.red(), Some("甲"));
    }

    /// A game of five rounds whose fourth is damaged.
    fn with_line(number: usize, line: &str) -> String {
        let mut lines = [
            "1. 炮二平五 马8进7",
            "2. 马二进三 车9平8",
            "3. 车一平二 马2进3",
            "4. 兵七进一 卒7进1",
            "5. 车二进六 炮8平9",
        ];
        lines[number - 1] = line;
        lines.join("\n") + "\n"
    }

    #[test]
    fn a_misspelt_move_is_damage_and_no_remark() {
        assert_eq!(moves(&sound(with_line(1, "1. 炮二平五 马8进7").as_bytes(), Format::Text)).split(' ').count(), 10);
        for (line, word) in [
            ("4. 军二进六 卒7进1", "军二进六"),
            ("4. 冰七进一 卒7进1", "冰七进一"),
            ("4. 車二近六 卒7进1", "車二近六"),
            ("4. 軍一平二 卒7进1", "軍一平二"),
            ("4. 兵七进 卒7进1", "兵七进"),
            ("4. ?二进六 卒7进1", "?二进六"),
            ("军二进六 卒7进1", "军二进六"),
            ("4. Q1=2 H2+3", "Q1=2"),
            ("4. i0hO b9c7", "i0hO"),
            ("4. 好棋", "好棋"),
        ] {
            let damaged = damaged(with_line(4, line).as_bytes(), Format::Text);
            let message = damaged.to_string();
            assert!(message.starts_with(&format!("game 1, line 4, ply 7: found `{word}`")), "{line}: {message}");
            assert_eq!(damaged.salvaged.map(|record| record.main_line().count()), Some(6), "{line}");
        }
        let alone = "炮二平五\n马8进7\n马二进三\n车9平3\n军一平二\n卒7进1\n";
        assert!(damaged(alone.as_bytes(), Format::Text).to_string().contains("line 4, ply 4: found `车9平3`"));
        let alone = alone.replace("车9平3", "车9平8");
        assert!(damaged(alone.as_bytes(), Format::Text).to_string().contains("line 5, ply 5: found `军一平二`"));
        let commas = "1.炮二平五,马8进7;2.马二进三,车9平8;";
        assert_eq!(moves(&sound(commas.as_bytes(), Format::Text)), "h2e2 h9g7 h0g2 i9h9");
    }

    #[test]
    fn a_missing_line_shows_in_the_numbers() {
        let damaged = damaged(with_line(4, "").as_bytes(), Format::Text);
        assert_eq!(damaged.to_string(), "game 1, line 5, ply 7: found move number 5, expected Red's move 4");
        assert_eq!(damaged.salvaged.map(|record| record.main_line().count()), Some(6));
    }

    #[test]
    fn a_missing_move_does_not_turn_the_rest_into_others() {
        for (text, place, plies) in [
            ("1. 炮二平五\n2. 马二进三 马8进7\n3. 车一平二 车9平8\n", "line 2, ply 2: found `马二进三`", 1),
            ("1. 炮二平五 马8进7\n2. 车9平8\n3. 车一平二 卒7进1\n", "line 2, ply 3: found `车9平8`", 2),
            ("炮二平五\n马二进三\n马8进7\n车一平二\n车9平8\n", "line 2, ply 2: found `马二进三`", 1),
            ("红：炮二平五\n红：马二进三\n黑：马8进7\n", "line 2, ply 2: found `马二进三`", 1),
            ("马8进7\n2. 马二进三 车9平8\n", "line 1, ply 1: found `马8进7`", 0),
            ("1. C2=5 H8+7\n2. H2+3\n3. R1=2 R9=8\n", "line 3, ply 4: found move number 3", 3),
            ("1. C2=5 H8+7\n2. … H2+3 R9=8\n", "line 2, ply 3: found `H2+3`", 2),
            // A variation behind the game.
            (
                &*(with_line(1, "1. 炮二平五 马8进7") + "变化一：\n3.兵七进一 卒7进1\n"),
                "line 7, ply 11: found move number 3",
                10,
            ),
        ] {
            let damaged = damaged(text.as_bytes(), Format::Text);
            assert!(damaged.to_string().starts_with(&format!("game 1, {place}")), "{text}: {damaged}");
            assert_eq!(damaged.salvaged.map_or(0, |record| record.main_line().count()), plies, "{text}");
        }
        // One half-move a line, each with the number of its round or with its own, and slips of digits.
        for text in [
            "1. 炮二平五\n1. 马8进7\n2. 马二进三\n2. 车9平8\n",
            "1. 炮二平五\n2. 马8进7\n3. 马二进三\n4. 车9平8\n",
            "1. h2e2\n1. h9g7\n2. h0g2\n2. i9h9\n",
            "1. 炮二平五 ……\n   …… 马8进7\n2. 马二进三 车9平8\n",
            "1. 炮2平5 马8进7\n2. 马二进三 车9平8\n",
            "1、炮二平五 马八进七\n2、马二进三 车9平8。\n",
        ] {
            let text = format!("{text}3. 车一平二 卒7进1\n").replace("4. 车9平8\n3.", "4. 车9平8\n5.");
            let text = text.replace("5. 车一平二 卒7进1", "5. 车一平二\n6. 卒7进1");
            assert_eq!(moves(&sound(text.as_bytes(), Format::Text)), "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5", "{text}");
        }
    }

    #[test]
    fn the_heading_of_the_next_game_is_no_result() {
        let first = "第1局 许银川 胜 某人\n1. 炮二平五 马8进7\n2. 马二进三\n\n";
        for heading in ["吕钦 和 李来群", "吕钦和李来群", "吕钦 先和 李来群", "第2局 甲 和 乙", "下一局：和棋"]
        {
            let text = format!("{first}{heading}\n1. 兵七进一 卒7进1\n");
            let (_, entries) = entries(text.as_bytes());
            let games: Vec<&Record> = entries.iter().map(|entry| entry.record.as_ref().unwrap()).collect();
            assert_eq!(games.len(), 2);
            assert_eq!((games[0].result, moves(games[0]).as_str()), (GameResult::Unknown, "h2e2 h9g7 h0g2"));
            assert_eq!((games[1].tags.get("Title"), moves(games[1]).as_str()), (Some(heading), "c3c4 g6g5"));
        }
        let headline = sound("许银川 先胜 吕钦\n1. 炮二平五 马8进7\n".as_bytes(), Format::Text);
        assert_eq!(
            (headline.result, headline.tags.red(), headline.tags.black(), headline.tags.get("Title")),
            (GameResult::RedWins, Some("许银川"), Some("吕钦"), Some("许银川 先胜 吕钦"))
        );
        // What stands behind the moves is about them.
        let late = "1. 炮二平五 马8进7\n结果：黑胜\n\n1. 兵七进一 卒7进1\n";
        let results: Vec<_> =
            entries(late.as_bytes()).1.iter().map(|entry| entry.record.as_ref().unwrap().result).collect();
        assert_eq!(results, [GameResult::BlackWins, GameResult::Unknown]);
    }

    #[test]
    fn games_behind_a_result_are_read() {
        let text = "1. h2e2 h9g7 2. h0g2 i9h9 1-0\n\n1. c3c4 g6g5 2. h0g2 1/2-1/2\n";
        let tagged = "[Red \"a\"]\n\n1. h2e2 1-0\n\n1. c3c4 *\n\n[Red \"b\"]\n\n1. g3g4 0-1\n";
        for (text, suggested, expected) in [
            (text, Format::Pgn, &["h2e2 h9g7 h0g2 i9h9", "c3c4 g6g5 h0g2"][..]),
            (text, Format::Text, &["h2e2 h9g7 h0g2 i9h9", "c3c4 g6g5 h0g2"]),
            (tagged, Format::Pgn, &["h2e2", "c3c4", "g3g4"]),
            ("炮二平五 马8进7 1-0\n兵七进一 卒7进1 0-1", Format::Text, &["h2e2 h9g7", "c3c4 g6g5"]),
            ("炮二平五 马8进7 红胜\n兵七进一 卒7进1 黑胜", Format::Text, &["h2e2 h9g7", "c3c4 g6g5"]),
        ] {
            let games = Games::new(text.as_bytes(), Some(suggested)).unwrap();
            let games: Vec<String> = games.map(|game| moves(&game.unwrap().read().record.unwrap())).collect();
            assert_eq!(games, expected, "{text}");
        }
        // Where it does not show that another game begins, it is said that moves are left over.
        for text in ["[Red \"a\"]\n\n1. h2e2 1-0 1. c3c4 *\n", "[Red \"a\"]\n\n1. h2e2 1-0\n\n兵七进一 卒7进1\n"]
        {
            let message = damaged(text.as_bytes(), Format::Pgn).to_string();
            assert!(message.contains("expected only remarks after the result"), "{message}");
        }
        let remarks = "[Red \"a\"]\n\n1. h2e2 1-0 {x} (1. c3c4)\n=====\nRed played well\n";
        assert_eq!(moves(&sound(remarks.as_bytes(), Format::Pgn)), "h2e2");
    }

    /// Without numbers only its heading shows that a game begins.
    #[test]
    fn numbered_headings_begin_games() {
        let text = "第一局\n炮二平五 马8进7 马二进三\n\n第二局\n兵七进一 炮2平3\n";
        let games: Vec<String> =
            entries(text.as_bytes()).1.iter().map(|entry| moves(entry.record.as_ref().unwrap())).collect();
        assert_eq!(games, ["h2e2 h9g7 h0g2", "c3c4 b7c7"]);
    }

    #[test]
    fn layouts_that_people_type() {
        for text in [
            "第1回合 炮二平五 马8进7\n第2回合 马二进三 车9平8\n",
            "①炮二平五 马8进7\n②马二进三 车9平8\n",
            "(1) C2.5 H8+7\n(2) H2+3 R9.8\n",
            "一、炮二平五 马8进7\n二、马二进三 车9平8\n",
            "着法：炮二平五 马8进7 马二进三 车9平8\n",
            "开局：炮二平五 马8进7\n马二进三 车9平8\n",
            "红 炮二平五 黑 马8进7\n红 马二进三 黑 车9平8\n",
            "回合,红方,黑方\n1,炮二平五,马8进7\n2,马二进三,车9平8\n",
            "\"1\",\"炮二平五\",\"马8进7\"\n\"2\",\"马二进三\",\"车9平8\"\n",
            "| 回合 | 红方 | 黑方 |\n|---|---|---|\n| 1 | 炮二平五 | 马8进7 |\n| 2 | 马二进三 | 车9平8 |\n",
            "1) 炮二平五 马8进7\n2) 马二进三 车9平8\n",
            "1: 炮二平五 马8进7\n2: 马二进三 车9平8\n",
            "1. 炮二平五 马8进7 2. 马二进三 车9平8 红胜\n",
            "1. 炮二平五 马8进7 2. 马二进三 车9平8 +-\n",
            "1. 炮二平五【若卒3进1，红优】 马8进7\n2. 马二进三 车9平8\n",
            "1. 炮二\u{200b}平五 马8进7\u{200b}\n2. 马二进三 车9平8\n",
        ] {
            assert_eq!(moves(&sound(text.as_bytes(), Format::Text)), "h2e2 h9g7 h0g2 i9h9", "{text}");
        }
        let opening = sound("开局：中炮对屏风马\n1. 炮二平五 马8进7\n".as_bytes(), Format::Text);
        assert_eq!(opening.tags.get("Opening"), Some("中炮对屏风马"));
        let sign = sound("1. 炮二平五 马8进7 +-\n".as_bytes(), Format::Text);
        assert_eq!(sign.tree.nags(sign.tree.end()), [18]);
    }

    #[test]
    fn pages_of_the_web_are_read() {
        let page = "<html><head><title>许银川 先胜 吕钦</title></head>\n<body><p>1.&nbsp;炮二平五&nbsp;马8进7<br>\n\
            2.&nbsp;马二进三&nbsp;车9平8<br>\n3. 车一平九</p></body></html>";
        for encoding in [encoding_rs::UTF_8, GB18030] {
            let damaged = damaged(&encoding.encode(page).0, Format::Text);
            assert!(damaged.to_string().starts_with("game 1, line 4, ply 5: found `车一平九`"), "{damaged}");
            let record = damaged.salvaged.unwrap();
            assert_eq!((record.tags.red(), moves(&record).as_str()), (Some("许银川"), "h2e2 h9g7 h0g2 i9h9"));
        }
        let table = "<table>\n<tr><th>回合</th><th>红方</th><th>黑方</th></tr>\n<tr>\n<td>1</td>\n<td>炮二平五</td>\n\
            <td>马8进7</td>\n</tr>\n<tr><td>2</td><td>马二进三</td><td>车9平8</td></tr></table>";
        assert_eq!(moves(&sound(&GB18030.encode(table).0, Format::Text)), "h2e2 h9g7 h0g2 i9h9");
        let pgn = "<html><body><h1>棋谱</h1>\n<pre>[Event \"x\"]\n[Red \"许银川\"]\n\n1. 炮二平五 马8进7 *\n</pre>\n<p>版权</p></body></html>";
        let record = sound(pgn.as_bytes(), Format::Pgn);
        assert_eq!((record.tags.red(), moves(&record).as_str()), (Some("许银川"), "h2e2 h9g7"));
    }

    #[test]
    fn a_wrong_byte_leaves_the_rest_as_it_is() {
        let text = "[Red \"许银川\"]\n[Black \"吕钦\"]\n\n1. 炮二平五 {好x棋} 马8进7 2. 马二进三 *\n";
        let at = text.find('x').unwrap();
        let mut bytes = text.as_bytes().to_vec();
        bytes[at] = 0xff;
        let record = sound(&bytes, Format::Pgn);
        assert_eq!((record.tags.red(), moves(&record).as_str()), (Some("许银川"), "h2e2 h9g7 h0g2"));
        // Cut in the middle of a character.
        let cut = &text.as_bytes()[..text.find("马二").unwrap() + 1];
        let cut = one(cut, Format::Pgn);
        let record = cut.record.unwrap_or_else(|damaged| *damaged.salvaged.unwrap());
        assert_eq!((record.tags.red(), moves(&record).as_str()), (Some("许银川"), "h2e2 h9g7"));
        let mut plain = "1. 炮二平五 马8进7\n红方占先x\n2. 马二进三 车9平8\n".as_bytes().to_vec();
        let at = plain.iter().position(|&byte| byte == b'x').unwrap();
        plain[at] = 0xff;
        assert_eq!(moves(&sound(&plain, Format::Text)), "h2e2 h9g7 h0g2 i9h9");
    }

    /// What a file is called counts where one line may be a game or the beginning of one.
    #[test]
    fn a_text_file_may_hold_a_move_a_line() {
        let board = "3k5/9/9/9/9/9/9/9/9/R3K4";
        for (text, games, expected) in [
            ("h2e2\nh9g7\nh0g2\n".to_owned(), 1, "h2e2 h9g7 h0g2"),
            ("H2-E2 H9-G7 H0-G2\r\nI9-H9\r\n".to_owned(), 1, "h2e2 h9g7 h0g2 i9h9"),
            ("h2e2 h9g7\nb2e2 b9c7\n".to_owned(), 2, "h2e2 h9g7"),
            (format!("{board} w - - 0 1\n车九进一\n将4进1\n红胜"), 1, "a0a1 d9d8"),
            (format!("局面：{board} b\n1. … 将4进1\n2. 车九进一\n"), 1, "d9d8 a0a1"),
            (format!("{board} w\n{board} b\n"), 2, ""),
        ] {
            let games_of = Games::new(text.as_bytes(), Some(Format::Text)).unwrap();
            let entries: Vec<Entry> = games_of.map(|game| game.unwrap().read()).collect();
            assert_eq!(entries.len(), games, "{text}");
            assert_eq!(entries[0].record.as_ref().map(moves).as_deref(), Ok(expected), "{text}");
        }
        // A list of positions in PGN is often called `.fen`.
        let list = format!("[EVENT \"第001局\"]\n[FEN \"{board} w\"]\n\n[EVENT \"第002局\"]\n[FEN \"{board} b\"]\n");
        let games = Games::new(list.as_bytes(), Some(Format::Lines)).unwrap();
        assert_eq!((games.format(), games.count()), (Format::Pgn, 2));
    }

    #[test]
    fn positions_stand_on_lines() {
        let text = "# problems\n3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1\n3k5/9/9/9/9/9/9/9/9/R3K4 w - - bm a0a9; id \"one\";\n\
                    3k5/9/9/9 w\nfen 3k5/9/9/9/9/9/9/9/9/R3K4 b moves d9d8\n";
        let (format, entries) = entries(text.as_bytes());
        assert_eq!((format, entries.len()), (Format::Lines, 4));
        assert_eq!(entries[1].id, Some("one".into()));
        assert_eq!(entries[1].record.as_ref().unwrap().tags.get("BestMove"), Some("a0a9"));
        assert!(entries[2].record.is_err());
        assert_eq!(entries[3].record.as_ref().map(moves).as_deref(), Ok("d9d8"));
    }
}

mod pgn_sides {
    use super::*;

    /// 车九进一 is a move of either side here; later moves, dots and digits show whose.
    #[test]
    fn who_began_may_show_late() {
        for (side, text, expected, line) in [
            (" w", "1. 车9进1 帅五进一", 'b', "i9i8 e0e1"),
            (" b", "1. 车九进一 将4进1", 'w', "a0a1 d9d8"),
            (" b", "1. 车九进一 帅五进一", 'b', "i9i8 e0e1"),
            ("", "1. …… 车9进1", 'b', "i9i8"),
            ("", "1. 车9进1 {一} 2. 车九进一", 'b', "i9i8 a0a1"),
            ("", "1. 车九进一 车9进1", 'w', "a0a1 i9i8"),
            ("", "1. 车9进1", 'w', "a0a1"),
            (" w - - 0 1", "1. …… 车9进1", 'w', "a0a1"),
        ] {
            let text = format!("[FEN \"3k4r/9/9/9/9/9/9/9/9/R3K4{side}\"]\n{text}\n");
            let record = sound(text.as_bytes(), Format::Pgn);
            assert!(record.start.to_fen().contains(&format!(" {expected} ")), "{text}");
            assert_eq!(moves(&record), line, "{text}");
        }
        // An illegal move is one, whoever began.
        let text = "[FEN \"3k4r/9/9/9/9/9/9/9/9/R3K4 w\"]\n1. 车九进一 车9进1 2. 帅五平六 *";
        let damaged = damaged(text.as_bytes(), Format::Pgn);
        assert_eq!(damaged.to_string(), "game 1, line 2, ply 3: found `帅五平六`, expected a legal move of Red");
        assert_eq!(damaged.salvaged.as_deref().map(moves).as_deref(), Some("a0a1 i9i8"));
    }

    /// A FEN that leaves out the side, or names the one that could take the king.
    #[test]
    fn nobody_takes_the_king() {
        for side in ["", " w", " b"] {
            let text = format!("[FEN \"3k5/9/9/9/9/9/9/9/9/3R1K3{side}\"]\n\n1. 将4平5 *\n");
            assert_eq!(moves(&sound(text.as_bytes(), Format::Pgn)), "d9e9", "{side:?}");
        }
    }
}

mod pgn_variations {
    use super::*;

    #[test]
    fn what_cannot_be_played_is_quoted() {
        let text = "1. h2e2 (此时 1. b2e2 更好 (x)) 1. ... h9g7 (b9c7 b0c2 {a} a0a9 i9i8) 2. h0g2 *";
        let entry = one(text.as_bytes(), Format::Text);
        let record = entry.record.unwrap();
        assert_eq!((moves(&record).as_str(), record.tree.len()), ("h2e2 h9g7 h0g2", 5));
        let tree = &record.tree;
        let comments: Vec<&str> = tree.walk().map(|(_, id)| tree.comment(id)).filter(|text| !text.is_empty()).collect();
        assert_eq!(comments, ["此时 1. b2e2 更好 (x)", "a\na0a9 i9i8"]);
        assert_eq!(entry.omitted.map(|omitted| (omitted.moves, omitted.ply)), Some((3, 1)));
    }

    #[test]
    fn a_damaged_game_keeps_the_moves_before() {
        let text = "[Red \"A\"]\n\n1. h2e2 h9g7\n2. h2e2 *\n[Red \"B\"]\n\n1. h2e2 *\n";
        let (_, entries) = entries(text.as_bytes());
        let damaged = entries[0].record.as_ref().unwrap_err();
        assert_eq!(damaged.to_string(), "game 1, line 4, ply 3: found `h2e2`, expected a legal move of Red");
        let salvaged = damaged.salvaged.as_deref().unwrap();
        assert_eq!((salvaged.tags.red(), moves(salvaged).as_str()), (Some("A"), "h2e2 h9g7"));
        assert!(entries[1].record.is_ok());
    }
}

#[test]
fn json_holds_variations_as_a_list_of_lines() {
    let text = r#"{"moves": "h2e2 h9g7", "result": "红胜", "tags": {"Red": "A", "Elo": 5},
        "variations": [{"line": 0, "ply": 2, "moves": ["b9c7", "h0g2"]}, {"line": 1, "ply": 3, "moves": ["b0c2", "a0a0"]},
        {"line": 7, "ply": 1, "moves": ["b0c2"]}, {"line": 0, "ply": 1, "moves": ["a9a8"]}],
        "comments": [{"line": 1, "ply": 3, "text": "x", "nags": [2]}, {"line": 0, "ply": 0, "text": "game"}]}"#;
    let entry = one(text.replace('\n', " ").as_bytes(), Format::Json);
    assert_eq!(entry.omitted.map(|omitted| omitted.moves), Some(3));
    let record = entry.record.unwrap();
    assert_eq!((record.result, record.tags.iter().collect::<Vec<_>>()), (GameResult::RedWins, vec![("Red", "A")]));
    assert_eq!((moves(&record).as_str(), record.tree.len(), record.comment()), ("h2e2 h9g7", 5, "game"));
    let second = record.tree.children(record.tree.next(NodeId::ROOT).unwrap()).nth(1).unwrap();
    let third: Vec<NodeId> = record.tree.children(second).collect();
    assert_eq!((third.len(), record.tree.comment(third[0]), record.tree.nags(third[0])), (2, "x", &[2][..]));
    // Keys of other programs that only sound the same.
    let other = r#"{"moves": [], "comments": 3, "variations": "none", "tags": ["a"], "result": {}}"#;
    assert_eq!(one(other.as_bytes(), Format::Json).record, Ok(Record::default()));
}
