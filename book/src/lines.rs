//! Opening lines in text, and the book made from them.

use std::collections::{BTreeMap, HashMap};

use chuhe_movegen::{Board, IllegalMove, Move, ParseMoveError};

use crate::native;
use crate::records::Record;

/// A line of play from the initial array, legal from the first move to the last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningLine {
    ecco: String,
    opening: String,
    variation: String,
    games: u32,
    moves: Vec<Move>,
    played: usize,
}

impl OpeningLine {
    /// Its code in ECCO, the classification of openings by xqbase.com.
    pub fn ecco(&self) -> &str {
        &self.ecco
    }

    /// Name of the opening.
    pub fn opening(&self) -> &str {
        &self.opening
    }

    /// Name of the variation; often empty.
    pub fn variation(&self) -> &str {
        &self.variation
    }

    /// How many master games followed [`OpeningLine::played`].
    pub fn games(&self) -> u32 {
        self.games
    }

    /// All moves of the line.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The moves that were counted in games; behind them the line goes on by theory.
    pub fn played(&self) -> &[Move] {
        &self.moves[..self.played]
    }
}

/// Columns of a line.
const COLUMNS: usize = 5;

/// Why a text is not a list of opening lines.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct LinesError {
    /// Number of the line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub fault: LineFault,
}

/// What is wrong with an opening line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineFault {
    /// Not five columns.
    #[error("found {found} columns, expected 5 between tabs: ECCO code, opening, variation, games, moves")]
    Columns {
        /// Columns found.
        found: usize,
    },
    /// The number of games is none.
    #[error("number of games is `{found}`, expected 1 to {max}", max = u32::MAX)]
    Games {
        /// The text.
        found: String,
    },
    /// No moves at all.
    #[error("no moves, expected at least one before any `|`")]
    NoMoves,
    /// A second bar.
    #[error("a second `|` before ply {ply}, expected one at most")]
    Bar {
        /// The ply that would follow, from 1.
        ply: usize,
    },
    /// Not a move.
    #[error("ply {ply}: {source}")]
    Parse {
        /// Which ply, from 1.
        ply: usize,
        /// What was found and expected.
        source: ParseMoveError,
    },
    /// Not a legal move.
    #[error("ply {ply}: {source}")]
    Illegal {
        /// Which ply, from 1.
        ply: usize,
        /// The move.
        source: IllegalMove,
    },
}

/// Reads opening lines, one a line of text, with blank lines and those that begin with `#` left out.
///
/// Five columns stand between tabs: ECCO code, opening, variation, number of master games, and moves in ICCS such as
/// `h2e2` between blanks. A `|` among the moves ends what the games followed; the moves behind it are a continuation
/// by theory, of weight 1.
///
/// # Errors
/// [`LinesError`] for the first line that is malformed or holds an illegal move.
pub fn parse_lines(text: &str) -> Result<Vec<OpeningLine>, LinesError> {
    let numbered = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim_end_matches('\r')));
    numbered
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|(number, line)| parse_line(line).map_err(|fault| LinesError { line: number, fault }))
        .collect()
}

/// Whether a text looks like the beginning of opening lines: the first line that counts has their columns.
#[must_use]
pub fn is_lines(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| line.matches('\t').count() == COLUMNS - 1)
}

fn parse_line(line: &str) -> Result<OpeningLine, LineFault> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [ecco, opening, variation, games, text] = columns[..] else {
        return Err(LineFault::Columns { found: columns.len() });
    };
    let games = match games.trim().parse() {
        Ok(games) if games > 0 => games,
        _ => return Err(LineFault::Games { found: chuhe_text::quoted(games) }),
    };
    let mut board = Board::startpos();
    let mut moves = Vec::new();
    let mut played = None;
    for token in text.split_whitespace() {
        let ply = moves.len() + 1;
        if token == "|" {
            if played.replace(moves.len()).is_some() {
                return Err(LineFault::Bar { ply });
            }
            continue;
        }
        let mv: Move = token.parse().map_err(|source| LineFault::Parse { ply, source })?;
        board = board.play(mv).map_err(|source| LineFault::Illegal { ply, source })?;
        moves.push(mv);
    }
    let played = played.unwrap_or(moves.len());
    if played == 0 {
        return Err(LineFault::NoMoves);
    }
    let (ecco, opening, variation) = (ecco.to_owned(), opening.to_owned(), variation.to_owned());
    Ok(OpeningLine { ecco, opening, variation, games, moves, played })
}

/// Builds a book in our own format (see [`crate::native`]). The order of the lines makes no difference.
///
/// A move weighs as many games as went through it. A line that is the beginning of others counts the games of those
/// already, so each move of the tree of lines takes the larger of what is stated for it and what its branches sum up
/// to. Where different orders of moves lead to one position, or to its mirror image, the weights add up.
pub fn build(lines: &[OpeningLine]) -> Vec<u8> {
    // The tree of lines: nodes in order of creation, so that a parent always stands before its children.
    struct Node {
        parent: usize,
        games: u32,
        branches: u32,
        emitted: bool,
    }
    const ROOT: usize = 0;
    let mut nodes = vec![Node { parent: ROOT, games: 0, branches: 0, emitted: true }];
    let mut children: HashMap<(usize, Move), usize> = HashMap::new();
    for line in lines {
        let mut at = ROOT;
        for (ply, &mv) in line.moves.iter().enumerate() {
            let parent = at;
            at = *children.entry((parent, mv)).or_insert_with(|| {
                nodes.push(Node { parent, games: 0, branches: 0, emitted: false });
                nodes.len() - 1
            });
            let games = if ply < line.played { line.games } else { 1 };
            nodes[at].games = nodes[at].games.max(games);
        }
    }
    for index in (1..nodes.len()).rev() {
        nodes[index].games = nodes[index].games.max(nodes[index].branches);
        let (parent, games) = (nodes[index].parent, nodes[index].games);
        nodes[parent].branches = nodes[parent].branches.saturating_add(games);
    }

    let mut weights: BTreeMap<(u64, Move), u32> = BTreeMap::new();
    for line in lines {
        let (mut at, mut board) = (ROOT, Board::startpos());
        for &mv in &line.moves {
            at = children[&(at, mv)];
            if !std::mem::replace(&mut nodes[at].emitted, true) {
                let weight = weights.entry(native::canonical(&board, mv)).or_default();
                *weight = weight.saturating_add(nodes[at].games);
            }
            board = board.make(mv);
        }
    }
    native::write(weights.into_iter().map(|((key, mv), weight)| Record { key, weight, mv }).collect())
}
