//! A page on the screen, and what should be seen there.
//!
//! `scripts/peers.sh` installs the browser. Where it is missing the tests say so and pass, except under CI, which must
//! have it.

use std::path::PathBuf;

use chuhe_movegen::{Board, Color, FILES, RANKS, Square};
use chuhe_report::page::GameView;
use serde_json::json;
use tempfile::TempDir;

use crate::devtools::{self, Browser};

/// A page in the browser.
pub(crate) struct Page {
    pub(crate) browser: Browser,
    _folder: TempDir,
}

impl Page {
    /// Opens a document, if there is a browser to open it.
    pub(crate) fn open(document: &str, width: u32, height: u32) -> Option<Page> {
        let program = browser_is_here()?;
        let folder = tempfile::tempdir().expect("a scratch folder");
        let file = folder.path().join("page.html");
        std::fs::write(&file, document).expect("the page is written");
        let mut browser = Browser::start(&program, width, height);
        browser.open(&file);
        Some(Page { browser, _folder: folder })
    }

    /// The pieces on the screen as the first part of a FEN: read off from where their drawings are.
    pub(crate) fn placement(&mut self) -> String {
        let drawn = self.browser.eval(
            "(() => {
                const fromScreen = document.querySelector('.board').getScreenCTM().inverse();
                return [...document.querySelectorAll('.board .pieces use')].map((use) => {
                    const place = fromScreen.multiply(use.getScreenCTM());
                    return [use.getAttribute('href'), Math.round(place.e), Math.round(place.f)];
                });
            })()",
        );
        let mut cells = vec![' '; FILES * RANKS];
        for drawing in drawn.as_array().expect("a list") {
            let Some(letter) = drawing[0].as_str().and_then(|id| id.strip_prefix("#piece-")) else { continue };
            let [x, y] = [1, 2].map(|at| drawing[at].as_u64().expect("a place on the board") as usize);
            assert_eq!([x % 100, y % 100], [0, 0], "{letter} stands beside a point: {x} {y}");
            let cell = &mut cells[y / 100 * FILES + x / 100];
            assert_eq!(*cell, ' ', "two pieces at {x} {y}");
            *cell = letter.chars().next().expect("a letter");
        }
        placement(&cells)
    }

    /// The text of what a selector finds.
    pub(crate) fn text(&mut self, selector: &str) -> String {
        let text = self.browser.eval(&format!("document.querySelector({}).textContent", json!(selector)));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// How much a selector finds.
    pub(crate) fn count(&mut self, selector: &str) -> u64 {
        self.browser
            .eval(&format!("document.querySelectorAll({}).length", json!(selector)))
            .as_u64()
            .unwrap_or_default()
    }

    /// Ends the test: the page must have done nothing wrong.
    pub(crate) fn close(self) {
        assert_eq!(self.browser.complaints, Vec::<String>::new());
    }
}

fn browser_is_here() -> Option<PathBuf> {
    let program = devtools::program();
    if program.is_none() {
        assert!(std::env::var_os("CI").is_none(), "there is no chromium");
        eprintln!("skipped, since there is no chromium: scripts/peers.sh installs it");
    }
    program
}

/// 90 cells, from the top of the picture, as the first part of a FEN.
fn placement(cells: &[char]) -> String {
    let rows = cells.chunks(FILES).map(|row| {
        let mut text = String::new();
        let mut empty = 0;
        for &cell in row {
            if cell == ' ' {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text.push_str(&empty.to_string());
                empty = 0;
            }
            text.push(cell);
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        text
    });
    rows.collect::<Vec<_>>().join("/")
}

/// What the page should show.
pub(crate) fn expected(board: &Board, bottom: Color) -> String {
    let letter = |square: Square| board.piece_at(square).map_or(' ', |piece| piece.letter());
    let cell = |index: usize| match bottom {
        Color::Red => Square::at((RANKS - 1 - index / FILES) * FILES + index % FILES),
        Color::Black => Square::at(index / FILES * FILES + (FILES - 1 - index % FILES)),
    };
    placement(&(0..FILES * RANKS).map(|index| letter(cell(index))).collect::<Vec<_>>())
}

/// The positions of a game, by the move generator.
pub(crate) fn positions(game: &GameView) -> Vec<Board> {
    let mut boards = vec![game.start.clone()];
    for mv in &game.moves {
        boards.push(boards[boards.len() - 1].play(mv.mv).expect("legal"));
    }
    boards
}
