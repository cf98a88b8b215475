//! Memory stays within a small multiple of the file, whatever the file.

use chuhe_records::games::Games;
use chuhe_records::{Record, xqf};

/// The most bytes held at a time while a file is read, as a multiple of its size.
fn multiple(bytes: &[u8]) -> u64 {
    let counted = allocation_counter::measure(|| {
        for game in Games::new(bytes, None).unwrap() {
            std::hint::black_box(game.unwrap().read());
        }
    });
    counted.bytes_max.div_ceil(bytes.len() as u64)
}

/// An encrypted file without a key, whose moves are these over and over.
fn xqf_of(moves: &[[u8; 4]]) -> Vec<u8> {
    let mut bytes = xqf::to_bytes(&Record::default()).unwrap()[..0x400].to_vec();
    bytes[2] = 18;
    bytes[16..48].rotate_left(1);
    bytes.extend([24, 32, 0x80, 0]);
    (0..100_000).for_each(|_| bytes.extend(moves.concat()));
    bytes
}

/// From a point of a file and rank to another, with these marks.
const fn step(from: u8, to: u8, flags: u8) -> [u8; 4] {
    [from + 24, to + 32, flags, 0]
}

#[test]
fn hostile_files_take_a_small_multiple_of_their_size() {
    let back_and_forth = [step(0, 1, 0x80), step(9, 8, 0x80), step(1, 0, 0x80), step(8, 9, 0x80)];
    let with_variations = back_and_forth.map(|[from, to, flags, other]| [from, to, flags | 0x40, other]);
    for (name, bytes) in [
        ("a long game", xqf_of(&back_and_forth)),
        ("each move with another in its place", xqf_of(&with_variations)),
        ("nothing but first moves", xqf_of(&[step(72, 42, 0x40)])),
        ("nothing but illegal moves", xqf_of(&[step(72, 43, 0xc0)])),
        ("moves off the board", xqf_of(&[step(99, 42, 0xc0)])),
    ] {
        let multiple = multiple(&bytes);
        println!("{name}: {multiple} times {} bytes", bytes.len());
        assert!(multiple <= 32, "{name}: {multiple} times {} bytes", bytes.len());
    }
    let variation = "[DhtmlXQ_move_0_1_1]7747[/DhtmlXQ_move_0_1_1]";
    let dhtmlxq =
        format!("[DhtmlXQ_movelist]{}[/DhtmlXQ_movelist]{}", "0001".repeat(100_000), variation.repeat(50_000));
    let pgn = "h2e2 (b2e2 ".repeat(100_000);
    let [chinese, braces, tags, open_tags] =
        ["炮二平五", "{{{{{", "[DhtmlXQ_a]", "[DhtmlXQ"].map(|text| text.repeat(100_000));
    // Words, notes and tags without blanks or lines between them.
    let [glued, notes, rule, one_line] = ["车九进一车1进1车九退一车1退1", "(注)", "====", "[A \"x\"]"]
        .map(|text| format!("[A \"\"]\n{}", text.repeat(50_000)));
    let spaced = format!("1.{}", "车九进一ｘ".repeat(100_000));
    // Nor does any of them take long: what is quadratic in the length would be felt here.
    for text in [&dhtmlxq, &pgn, &chinese, &braces, &tags, &open_tags, &glued, &notes, &rule, &one_line, &spaced] {
        let multiple = multiple(text.as_bytes());
        println!("{}…: {multiple} times {} bytes", text.chars().take(20).collect::<String>(), text.len());
        assert!(multiple <= 32, "{multiple} times {} bytes", text.len());
    }
}
