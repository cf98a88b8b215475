//! Boards as pictures and text.

use chuhe_movegen::{Board, Color, Square};
use chuhe_report::board::{BoardStyle, Coordinates, Marks, Script, TextStyle, svg, text};
use roxmltree::{Document, Node};

/// Where the groups of pieces are, in units of the board's lines, with the number of shapes in each.
fn groups(document: &Document<'_>) -> Vec<(usize, usize)> {
    document
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "g")))
        .filter_map(|node| node.attribute("transform"))
        .map(|transform| {
            let numbers =
                transform.strip_prefix("translate(").and_then(|rest| rest.strip_suffix(')')).expect(transform);
            let (x, y) = numbers.split_once(' ').expect(transform);
            (x.parse::<usize>().expect(transform) / 100, y.parse::<usize>().expect(transform) / 100)
        })
        .collect()
}

fn boards() -> [Board; 3] {
    [
        Board::startpos(),
        Board::from_fen("3k5/4a4/4b4/9/9/9/9/4B4/4A4/4K4 w - - 0 1").expect("a legal position"),
        Board::from_fen("r1bakab1r/9/1cn4c1/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 1")
            .expect("a legal position"),
    ]
}

#[test]
fn pictures_are_whole_and_show_every_piece_at_its_place() {
    for board in boards() {
        for bottom in Color::ALL {
            for script in [Script::Simplified, Script::Traditional, Script::Letters] {
                for coordinates in [Coordinates::None, Coordinates::Files, Coordinates::Iccs, Coordinates::Both] {
                    let picture = svg(&board, &Marks::default(), &BoardStyle { script, bottom, coordinates });
                    let document = Document::parse(&picture).expect("well-formed");
                    let mut shown = groups(&document);
                    let place = |square: Square| match bottom {
                        Color::Red => (usize::from(square.file()), 9 - usize::from(square.rank())),
                        Color::Black => (8 - usize::from(square.file()), usize::from(square.rank())),
                    };
                    let mut wanted: Vec<_> =
                        Square::all().filter(|&square| board.piece_at(square).is_some()).map(place).collect();
                    shown.sort_unstable();
                    wanted.sort_unstable();
                    assert_eq!(shown, wanted);
                }
            }
        }
    }
}

/// Text in a picture depends on the reader's fonts: Latin letters and digits alone are safe.
#[test]
fn pictures_need_no_chinese_font() {
    for script in [Script::Simplified, Script::Traditional, Script::Letters] {
        let picture = svg(&Board::startpos(), &Marks::default(), &BoardStyle { script, ..BoardStyle::default() });
        assert!(picture.is_ascii());
    }
}

fn labels(picture: &str) -> Vec<(i32, i32, String)> {
    let document = Document::parse(picture).expect("well-formed");
    let number =
        |node: &Node<'_, '_>, name| node.attribute(name).and_then(|value| value.parse().ok()).unwrap_or_default();
    document
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")))
        .map(|node| (number(&node, "x"), number(&node, "y"), node.text().unwrap_or_default().to_owned()))
        .collect()
}

#[test]
fn coordinates_turn_with_the_board() {
    let style = |bottom| BoardStyle { bottom, coordinates: Coordinates::Both, ..BoardStyle::default() };
    let find = |labels: &[(i32, i32, String)], wanted: &str, above: bool| {
        labels.iter().find(|(x, y, text)| text == wanted && *x >= 0 && (*y < 0) == above).map(|label| label.0)
    };
    let red = labels(&svg(&Board::startpos(), &Marks::default(), &style(Color::Red)));
    assert_eq!(find(&red, "a", false), Some(0));
    assert_eq!(find(&red, "i", false), Some(800));
    // Black's files are counted from Black's right, which is Red's left.
    assert_eq!(find(&red, "1", true), Some(0));
    let black = labels(&svg(&Board::startpos(), &Marks::default(), &style(Color::Black)));
    assert_eq!(find(&black, "a", false), Some(800));
    assert_eq!(find(&black, "1", false), Some(800));
    assert_eq!(find(&black, "9", false), Some(0));
}

#[test]
fn marks_add_to_the_picture() {
    let board = Board::startpos();
    let style = BoardStyle::default();
    let shapes = |marks: &Marks| {
        let picture = svg(&board, marks, &style);
        Document::parse(&picture).expect("well-formed").descendants().filter(Node::is_element).count()
    };
    let mv = "h2e2".parse().expect("a move");
    let plain = shapes(&Marks::default());
    assert_eq!(shapes(&Marks { last_move: Some(mv), arrows: vec![] }), plain + 2);
    assert_eq!(shapes(&Marks { last_move: None, arrows: vec![mv, mv] }), plain + 2);
}

#[test]
fn text_for_terminals() {
    let ascii = text(&Board::startpos(), TextStyle::Ascii, Color::Red);
    assert_eq!(
        ascii,
        "\
9  r---n---b---a---k---a---b---n---r
   |   |   |   | \\ | / |   |   |   |
8  +---+---+---+---+---+---+---+---+
   |   |   |   | / | \\ |   |   |   |
7  +---c---+---+---+---+---+---c---+
   |   |   |   |   |   |   |   |   |
6  p---+---p---+---p---+---p---+---p
   |   |   |   |   |   |   |   |   |
5  +---+---+---+---+---+---+---+---+
   |                               |
4  +---+---+---+---+---+---+---+---+
   |   |   |   |   |   |   |   |   |
3  P---+---P---+---P---+---P---+---P
   |   |   |   |   |   |   |   |   |
2  +---C---+---+---+---+---+---C---+
   |   |   |   | \\ | / |   |   |   |
1  +---+---+---+---+---+---+---+---+
   |   |   |   | / | \\ |   |   |   |
0  R---N---B---A---K---A---B---N---R
   a   b   c   d   e   f   g   h   i
"
    );
    let turned = text(&Board::startpos(), TextStyle::Ascii, Color::Black);
    assert!(turned.starts_with("0  R---N---B---A---K---A---B---N---R\n"));
    assert!(turned.ends_with("   i   h   g   f   e   d   c   b   a\n"));
}

#[test]
fn text_with_characters_keeps_its_columns() {
    let picture = text(&Board::startpos(), TextStyle::Characters, Color::Red);
    // Characters of Chinese are two columns wide in a terminal.
    let width =
        |line: &str| line.chars().map(|letter| if ('\u{4e00}'..='\u{9fff}').contains(&letter) { 2 } else { 1 }).sum();
    for line in picture.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit())) {
        let width: usize = width(line);
        assert!(width == 36 || width == 38, "{width}: {line}");
    }
    assert!(
        picture.contains("[车]") && picture.contains("(车)") && picture.contains("楚  河         汉  界"),
        "{picture}"
    );
}
