//! Boards as SVG.

use std::fmt::Write as _;

use chuhe_movegen::{Board, Color, FILES, Piece, PieceType, RANKS, Square};
use maud::{Markup, html};

use super::glyphs;
use super::{BoardStyle, Coordinates, Marks, Script};

/// Distance between neighbouring lines.
const CELL: i32 = 100;
/// From the outer lines to the edge of the picture: half a piece, and the frame.
const MARGIN: i32 = 64;
/// More margin on a side with one row of coordinates.
const LABELS: i32 = 34;

const WOOD: &str = "#edc98b";
const FRAME: &str = "#b98245";
const LINE: &str = "#5d3a1a";
const DISC: &str = "#fbeccb";
const RED: &str = "#b8261c";
const BLACK: &str = "#1d2226";
const MARK: &str = "#1768ac";
const ARROW: &str = "#1f7a4d";

/// The picture of a position, a complete SVG document that needs neither style sheets nor fonts (but for letters).
#[must_use]
pub fn svg(board: &Board, marks: &Marks, style: &BoardStyle) -> String {
    let outline = Outline::new(style.coordinates);
    let at = |square| point(square, style.bottom);
    let pieces = || Square::all().filter_map(|square| Some((square, board.piece_at(square)?)));
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(outline.view_box()) role="img" {
            title { (board.to_fen()) }
            (wood(outline))
            (river(style.script))
            (labels(style.coordinates, style.bottom))
            @if let Some(mv) = marks.last_move { (origin_mark(at(mv.from()))) }
            @for (square, piece) in pieces() {
                g transform=(translate(at(square))) { (disc(piece.color)) (face(piece, style.script)) }
            }
            @if let Some(mv) = marks.last_move { (target_mark(at(mv.to()))) }
            @for &mv in &marks.arrows { (arrow(at(mv.from()), at(mv.to()))) }
        }
    }
    .into_string()
}

/// The empty board of the viewer, for its program to fill: definitions of all pieces in every script, both sets of
/// coordinates, and the layers `marks`, `pieces` and `arrows`. `label` is read out in its place.
pub(crate) fn interactive(label: &str) -> Markup {
    let outline = Outline::new(Coordinates::Both);
    let pieces =
        || Color::ALL.into_iter().flat_map(|color| PieceType::ALL.into_iter().map(move |kind| Piece::new(color, kind)));
    html! {
        svg class="board" xmlns="http://www.w3.org/2000/svg" viewBox=(outline.view_box()) role="img" aria-label=(label) {
            defs {
                @for piece in pieces() {
                    g id=(piece_id(piece)) {
                        (disc(piece.color))
                        @for (script, class) in SCRIPTS { g class=(class) { (face(piece, script)) } }
                    }
                }
                g id="origin-mark" { (origin_mark((0, 0))) }
                g id="target-mark" { (target_mark((0, 0))) }
            }
            (wood(outline))
            @for (script, class) in SCRIPTS { g class=(class) { (river(script)) } }
            g class="red-below" { (labels(Coordinates::Both, Color::Red)) }
            g class="black-below" { (labels(Coordinates::Both, Color::Black)) }
            g class="marks" {}
            g class="pieces" {}
            g class="arrows" {}
        }
    }
}

/// The scripts and the classes by which the viewer's style sheet shows one of them.
const SCRIPTS: [(Script, &str); 3] =
    [(Script::Simplified, "simplified"), (Script::Traditional, "traditional"), (Script::Letters, "letters")];

/// The id of a piece's drawing in the viewer.
fn piece_id(piece: Piece) -> String {
    format!("piece-{}", piece.letter())
}

/// The outlines of the picture; the crossing of Red's or Black's leftmost file and last rank is at (0, 0).
#[derive(Clone, Copy)]
struct Outline {
    left: i32,
    top: i32,
    width: i32,
    height: i32,
}

impl Outline {
    fn new(coordinates: Coordinates) -> Outline {
        // Numbers of files stand above and below, letters below, numbers of ranks on the left; the right margin
        // balances the left.
        let files = if coordinates.has_files() { LABELS } else { 0 };
        let iccs = if coordinates.has_iccs() { LABELS } else { 0 };
        let (left, top) = (-MARGIN - iccs, -MARGIN - files);
        Outline {
            left,
            top,
            width: (FILES as i32 - 1) * CELL - 2 * left,
            height: (RANKS as i32 - 1) * CELL + 2 * MARGIN + 2 * files + iccs,
        }
    }

    fn view_box(self) -> String {
        format!("{} {} {} {}", self.left, self.top, self.width, self.height)
    }
}

/// Where a square is in the picture.
fn point(square: Square, bottom: Color) -> (i32, i32) {
    let (file, rank) = (i32::from(square.file()), i32::from(square.rank()));
    match bottom {
        Color::Red => (file * CELL, (RANKS as i32 - 1 - rank) * CELL),
        Color::Black => ((FILES as i32 - 1 - file) * CELL, rank * CELL),
    }
}

fn translate((x, y): (i32, i32)) -> String {
    format!("translate({x} {y})")
}

/// The board itself, which looks the same from both sides.
fn wood(outline: Outline) -> Markup {
    let (width, height) = ((FILES as i32 - 1) * CELL, (RANKS as i32 - 1) * CELL);
    html! {
        rect x=(outline.left) y=(outline.top) width=(outline.width) height=(outline.height) rx="14" fill=(FRAME) {}
        rect x=(outline.left + 6) y=(outline.top + 6) width=(outline.width - 12) height=(outline.height - 12) rx="10" fill=(WOOD) {}
        rect x="-10" y="-10" width=(width + 20) height=(height + 20) fill="none" stroke=(LINE) stroke-width="5" {}
        path d=(lines()) fill="none" stroke=(LINE) stroke-width="2.5" {}
    }
}

/// The words in the river: 楚河 and 漢界.
fn river(script: Script) -> Markup {
    html! {
        g fill="none" stroke=(LINE) stroke-width="8" stroke-linecap="round" stroke-linejoin="round" opacity="0.75" {
            @for (character, x) in glyphs::RIVER.into_iter().chain(glyphs::border(script)).zip([100, 200, 600, 700]) {
                path d=(character) transform=(format!("translate({} {}) scale(0.62)", x - 31, 450 - 31)) {}
            }
        }
    }
}

/// Files, ranks, palaces and the marks of the cannons' and pawns' points as one path.
fn lines() -> String {
    let mut path = String::new();
    let (right, bottom) = ((FILES as i32 - 1) * CELL, (RANKS as i32 - 1) * CELL);
    for rank in 0..RANKS as i32 {
        let _ = write!(path, "M0 {}H{right}", rank * CELL);
    }
    // The river interrupts all files but the outer ones.
    for file in 0..FILES as i32 {
        let x = file * CELL;
        if x == 0 || x == right {
            let _ = write!(path, "M{x} 0V{bottom}");
        } else {
            let _ = write!(path, "M{x} 0V{}M{x} {}V{bottom}", 4 * CELL, 5 * CELL);
        }
    }
    for top in [0, 7 * CELL] {
        let (left, right, bottom) = (3 * CELL, 5 * CELL, top + 2 * CELL);
        let _ = write!(path, "M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}");
    }
    let cannons = [1, 7].into_iter().flat_map(|file| [(file, 2), (file, 7)]);
    let pawns = [0, 2, 4, 6, 8].into_iter().flat_map(|file| [(file, 3), (file, 6)]);
    for (file, rank) in cannons.chain(pawns) {
        let (x, y) = (file * CELL, rank * CELL);
        for (dx, dy) in [(-1, -1), (1, -1), (1, 1), (-1, 1)] {
            // Half a mark on the edges.
            if (0..=right).contains(&(x + dx)) {
                let _ = write!(path, "M{} {}h{}v{}", x + 24 * dx, y + 8 * dy, -16 * dx, 16 * dy);
            }
        }
    }
    path
}

/// The coordinates around the board.
fn labels(coordinates: Coordinates, bottom: Color) -> Markup {
    let (above, below) = (-MARGIN - 12, (RANKS as i32 - 1) * CELL + MARGIN + 12);
    let letters_at = below + if coordinates.has_files() { LABELS } else { 0 };
    let column = |index: usize| index as i32 * CELL;
    html! {
        g fill=(LINE) font-family="Helvetica, Arial, sans-serif" font-size="26" text-anchor="middle" {
            @if coordinates.has_files() {
                // Everyone counts from the own right hand.
                @for index in 0..FILES {
                    @let (numeral, digit) = match bottom {
                        Color::Red => (FILES - 1 - index, index + 1),
                        Color::Black => (index, FILES - index),
                    };
                    @let (red_at, black_at) = match bottom { Color::Red => (below, above), Color::Black => (above, below) };
                    path d=(glyphs::NUMERALS[numeral]) fill="none" stroke=(LINE) stroke-width="9" stroke-linecap="round"
                        transform=(format!("translate({} {}) scale(0.24)", column(index) - 12, red_at - 12)) {}
                    text x=(column(index)) y=(black_at + 9) { (digit) }
                }
            }
            @if coordinates.has_iccs() {
                @for index in 0..FILES {
                    @let file = match bottom { Color::Red => index, Color::Black => FILES - 1 - index };
                    text x=(column(index)) y=(letters_at + 9) { (char::from(b'a' + file as u8)) }
                }
                @for index in 0..RANKS {
                    @let rank = match bottom { Color::Red => RANKS - 1 - index, Color::Black => index };
                    text x=(-MARGIN - 12) y=(column(index) + 9) { (rank) }
                }
            }
        }
    }
}

const fn ink(color: Color) -> &'static str {
    match color {
        Color::Red => RED,
        Color::Black => BLACK,
    }
}

/// A piece without its face. Black's has a second ring, so that a print without colours tells the sides apart.
fn disc(color: Color) -> Markup {
    html! {
        circle cy="4" r="45" fill="#3b2409" fill-opacity="0.35" {}
        circle r="45" fill=(DISC) stroke="#7b4c1f" stroke-width="2.5" {}
        circle r="39" fill="none" stroke=(ink(color)) stroke-width="2" {}
        @if color == Color::Black { circle r="35.5" fill="none" stroke=(ink(color)) stroke-width="1.5" {} }
    }
}

fn face(piece: Piece, script: Script) -> Markup {
    let ink = ink(piece.color);
    html! {
        @if script == Script::Letters {
            text y="17" fill=(ink) font-family="Helvetica, Arial, sans-serif" font-size="48" font-weight="700"
                text-anchor="middle" { (piece.kind.letter()) }
        } @else {
            path d=(glyphs::of_piece(piece, script)) transform="scale(0.53) translate(-50 -50)" fill="none" stroke=(ink)
                stroke-width="9.5" stroke-linecap="round" stroke-linejoin="round" {}
        }
    }
}

/// Where the last move came from.
fn origin_mark((x, y): (i32, i32)) -> Markup {
    html! {
        circle cx=(x) cy=(y) r="20" fill=(MARK) fill-opacity="0.25" stroke=(MARK) stroke-width="4" {}
    }
}

/// Where it went: four corners around the piece.
fn target_mark((x, y): (i32, i32)) -> Markup {
    let corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
        .map(|(dx, dy)| format!("M{} {}v{}h{}", x + 47 * dx, y + 25 * dy, 22 * dy, -22 * dx))
        .concat();
    html! {
        path d=(corners) fill="none" stroke=(MARK) stroke-width="5" stroke-linecap="round" stroke-linejoin="round" {}
    }
}

/// An arrow between two points, its head inside the target.
fn arrow(from: (i32, i32), to: (i32, i32)) -> Markup {
    let (x, y) = (f64::from(to.0), f64::from(to.1));
    let (dx, dy) = (x - f64::from(from.0), y - f64::from(from.1));
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    // Along and across the arrow, as seen from its point.
    let place = |along: f64, across: f64| {
        format!("{:.1} {:.1}", x - 18.0 * ux + along * ux - across * uy, y - 18.0 * uy + along * uy + across * ux)
    };
    let shaft = 18.0 + 30.0 - length;
    let outline = [
        place(0.0, 0.0),
        place(-40.0, 24.0),
        place(-32.0, 8.0),
        place(shaft, 8.0),
        place(shaft, -8.0),
        place(-32.0, -8.0),
        place(-40.0, -24.0),
    ]
    .join("L");
    html! { path d=(format!("M{outline}Z")) fill=(ARROW) fill-opacity="0.8" {} }
}
