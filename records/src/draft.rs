//! Games as the files of other programs hold them: pieces on points and moves from point to point, of which nobody knows
//! yet whether they can be played. Each such format has a reader that makes a [`Draft`]; what becomes of illegal moves is
//! decided here for all of them.

use std::collections::HashMap;

use chuhe_movegen::{Board, Color, FenError, Move, PieceType};

use crate::damage::{Damage, Flaw, Omitted};
use crate::placement::{Placement, with_side};
use crate::{GameResult, GameTree, MAX_DEPTH, NodeId, Record, Tags};

/// A game that has been read but not played.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) tags: Tags,
    pub(crate) start: Start,
    pub(crate) tree: GameTree,
    pub(crate) result: GameResult,
    /// Moves that were not even moves.
    pub(crate) omitted: Option<Omitted>,
    /// Why reading stopped before the end.
    pub(crate) damage: Option<Damage>,
}

/// Where a draft begins.
#[derive(Debug)]
pub(crate) enum Start {
    /// From these pieces.
    Pieces {
        placement: Placement,
        /// Who is said to move, which is often wrong.
        side: Color,
        fullmove_number: u16,
    },
    /// From a position of which everything is known but perhaps the right side to move.
    Board(Board),
}

/// A draft whose moves have been played.
#[derive(Debug)]
pub(crate) struct Verified {
    /// The moves that can be played.
    pub(crate) record: Record,
    /// Moves that are no part of it without being damage.
    pub(crate) omitted: Option<Omitted>,
    /// Why the main line does not go on, or why variations are missing.
    pub(crate) damage: Option<Damage>,
}

impl Default for Draft {
    fn default() -> Draft {
        Draft {
            tags: Tags::new(),
            start: Start::Board(Board::startpos()),
            tree: GameTree::new(),
            result: GameResult::Unknown,
            omitted: None,
            damage: None,
        }
    }
}

impl Draft {
    /// Plays all moves. What cannot be played is left out with all that follows it: in variations that is noted, in the
    /// main line it is damage, unless it ends with the capture of a king, which some programs allow.
    ///
    /// # Errors
    /// A start position that is none.
    pub(crate) fn verify(mut self) -> Result<Verified, Damage> {
        let start = self.start_board()?;
        let (cuts, damage) = self.find_cuts(&start);
        let damage = damage.or(self.damage);
        // A second tree is made only where it must be: there may be millions of moves.
        let tree = if cuts.is_empty() { self.tree } else { without(&self.tree, &cuts, &mut self.omitted) };
        let record = Record { tags: self.tags, start, tree, result: self.result };
        Ok(Verified { record, omitted: self.omitted, damage })
    }

    /// Moves that are to be left out with all that follows them, and which move each would be; and what is wrong with the
    /// main line.
    fn find_cuts(&self, start: &Board) -> (HashMap<NodeId, usize>, Option<Damage>) {
        let tree = &self.tree;
        let mut cuts = HashMap::new();
        let mut damage = None;
        let first = tree.next(NodeId::ROOT);
        let mut pending = Vec::new();
        pending.extend(first.map(|id| Pending { id, board: start.clone(), ply: 1, is_main: true }));
        while let Some(Pending { id, board, ply, is_main }) = pending.pop() {
            let Some(mv) = tree.mv(id) else { continue };
            let after = board.play(mv).ok();
            if after.is_none() {
                cuts.insert(id, ply);
                if is_main && !ends_with_captured_king(tree, id, &board) {
                    damage = Some(Damage::at(ply, Flaw::Illegal { mv, side: board.side_to_move() }));
                }
            }
            if let Some(sibling) = tree.next_sibling(id) {
                // In place of a move of the main line that is left out there is no variation: it would become the main line.
                let is_orphan = after.is_none() && is_main;
                // The boards that wait are all that a deep tree could fill the memory with.
                let is_too_deep = pending.len() == MAX_DEPTH;
                if is_too_deep {
                    damage.get_or_insert(Damage::at(ply, Flaw::TooDeep));
                }
                if is_orphan || is_too_deep {
                    let siblings = std::iter::successors(Some(sibling), |&id| tree.next_sibling(id));
                    cuts.extend(siblings.map(|id| (id, ply)));
                } else {
                    pending.push(Pending { id: sibling, board, ply, is_main: false });
                }
            }
            if let Some(board) = after {
                pending.extend(tree.next(id).map(|id| Pending { id, board, ply: ply + 1, is_main }));
            }
        }
        (cuts, damage)
    }

    /// The position before the first move. Who moves there shows the first move: what files say of it is often wrong.
    fn start_board(&self) -> Result<Board, Damage> {
        let first = self.tree.next(NodeId::ROOT).and_then(|id| self.tree.mv(id));
        let (piece, stated) = match &self.start {
            Start::Pieces { placement, side, .. } => (first.and_then(|mv| placement.at(mv.from())), *side),
            Start::Board(board) => (first.and_then(|mv| board.piece_at(mv.from())), board.side_to_move()),
        };
        let side = piece.map_or(stated, |piece| piece.color);
        match self.board_with(side) {
            Err(error @ FenError::KingCapturable { .. }) => Ok(self.board_with(!side).map_err(|_| error)?),
            board => Ok(board?),
        }
    }

    fn board_with(&self, side: Color) -> Result<Board, FenError> {
        match &self.start {
            Start::Pieces { placement, fullmove_number, .. } => placement.board(side, *fullmove_number),
            Start::Board(board) => with_side(board, side),
        }
    }
}

/// A move of a draft that waits to be played.
struct Pending {
    id: NodeId,
    /// The position before it.
    board: Board,
    ply: usize,
    is_main: bool,
}

/// The tree without some moves and what follows them. What is said about these is kept with the move before.
fn without(tree: &GameTree, cuts: &HashMap<NodeId, usize>, omitted: &mut Option<Omitted>) -> GameTree {
    let mut rest = GameTree::new();
    rest.set_comment(NodeId::ROOT, tree.comment(NodeId::ROOT));
    let mut pending: Vec<(NodeId, NodeId)> = Vec::new();
    pending.extend(tree.next(NodeId::ROOT).map(|id| (id, NodeId::ROOT)));
    while let Some((id, parent)) = pending.pop() {
        pending.extend(tree.next_sibling(id).map(|sibling| (sibling, parent)));
        match (tree.mv(id), cuts.get(&id)) {
            (Some(mv), None) => {
                let copy = rest.add(parent, mv);
                rest.set_comment(copy, tree.comment(id));
                tree.nags(id).iter().for_each(|&nag| rest.add_nag(copy, nag));
                pending.extend(tree.next(id).map(|id| (id, copy)));
            }
            (_, ply) => {
                for id in tree.walk_from(id) {
                    rest.append_comment(parent, tree.comment(id));
                    Omitted::add(omitted, 1, ply.copied().unwrap_or_default());
                }
            }
        }
    }
    rest
}

/// Whether the main line ends here with the capture of a king, or with a move that allows it and the capture.
fn ends_with_captured_king(tree: &GameTree, id: NodeId, board: &Board) -> bool {
    let rest: Vec<Move> =
        std::iter::successors(Some(id), |&id| tree.next(id)).take(3).filter_map(|id| tree.mv(id)).collect();
    let captured = match rest[..] {
        [last] => board.piece_at(last.to()),
        [before, last] if before.to() == last.to() => board.piece_at(before.from()),
        [before, last] if before.from() == last.to() => None,
        [_, last] => board.piece_at(last.to()),
        _ => None,
    };
    captured.is_some_and(|piece| piece.kind == PieceType::King)
}

/// Grows the tree of a draft from moves that come depth first: each with all that follows it before the variations in its
/// place. XQF and CBR have this form.
#[derive(Debug, Default)]
pub(crate) struct Grower {
    tree: GameTree,
    /// Where the next move goes; `None` when the tree is complete.
    at: Place,
    /// Moves in whose place a variation is still to come: the place before each.
    forks: Vec<Place>,
    omitted: Option<Omitted>,
    damage: Option<Damage>,
    is_over: bool,
}

/// A place in the tree.
#[derive(Clone, Copy, Debug)]
struct Place {
    node: NodeId,
    /// Moves up to here.
    ply: u32,
    is_main: bool,
    /// Whether what follows is left out.
    is_dead: bool,
}

impl Default for Place {
    fn default() -> Place {
        Place { node: NodeId::ROOT, ply: 0, is_main: true, is_dead: false }
    }
}

/// What comes behind a move in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Links {
    /// Whether a move follows it.
    pub(crate) has_next: bool,
    /// Whether, behind all that follows, there is another move in its place.
    pub(crate) has_sibling: bool,
}

impl Grower {
    /// Which move comes next, from 1.
    pub(crate) fn next_ply(&self) -> usize {
        self.at.ply as usize + 1
    }

    /// Whether no more moves are to come.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Says whether there is a first move, and what is said before it.
    pub(crate) fn begin(&mut self, has_moves: bool, comment: &str) {
        self.tree.set_comment(NodeId::ROOT, comment);
        self.is_over = !has_moves;
    }

    /// Adds the next move; `None` is one off the board.
    pub(crate) fn add(&mut self, mv: Option<Move>, links: Links, comment: &str) {
        let before = self.at;
        let ply = before.ply + 1;
        let (node, is_dead) = match mv {
            Some(mv) if !before.is_dead => {
                let node = self.tree.add(before.node, mv);
                self.tree.set_comment(node, comment);
                (node, false)
            }
            _ => {
                self.tree.append_comment(before.node, comment);
                Omitted::add(&mut self.omitted, 1, ply as usize);
                if before.is_main && !before.is_dead {
                    self.damage.get_or_insert(Damage::at(ply as usize, Flaw::OffBoard));
                }
                (before.node, true)
            }
        };
        if links.has_sibling {
            // In place of a move of the main line that is left out there is no variation: it would become the main line.
            let is_dead = before.is_dead || before.is_main && is_dead;
            self.forks.push(Place { is_main: false, is_dead, ..before });
        }
        if links.has_next {
            self.at = Place { node, ply, is_main: before.is_main, is_dead };
        } else {
            match self.forks.pop() {
                Some(place) => self.at = place,
                None => self.is_over = true,
            }
        }
    }

    /// Puts what has grown into a draft, and why it grows no further if it is not complete.
    pub(crate) fn finish(self, draft: &mut Draft, damage: Option<Damage>) {
        draft.tree = self.tree;
        draft.omitted = self.omitted;
        draft.damage = self.damage.or(damage);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str) -> Move {
        text.parse().unwrap()
    }

    /// A draft from moves, each with the links that follow it.
    fn draft(moves: &[(&str, bool, bool)]) -> Draft {
        let mut grower = Grower::default();
        grower.begin(!moves.is_empty(), "game");
        for &(word, has_next, has_sibling) in moves {
            assert!(!grower.is_over());
            grower.add(word.parse().ok(), Links { has_next, has_sibling }, word);
        }
        assert!(grower.is_over());
        let mut draft = Draft::default();
        grower.finish(&mut draft, None);
        draft
    }

    fn lines(record: &Record) -> Vec<String> {
        let tree = &record.tree;
        let ends = tree.walk().map(|(_, id)| id).filter(|&id| tree.next(id).is_none());
        ends.map(|id| tree.path_to(id).iter().map(Move::to_string).collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn moves_come_depth_first() {
        let draft = draft(&[
            ("h2e2", true, true),
            ("h9g7", true, true),
            ("h0g2", false, false),
            ("b9c7", false, true),
            ("h7e7", false, false),
            ("b2e2", false, false),
        ]);
        let verified = draft.verify().unwrap();
        assert_eq!(lines(&verified.record), ["h2e2 h9g7 h0g2", "h2e2 b9c7", "h2e2 h7e7", "b2e2"]);
        assert_eq!((verified.omitted, verified.damage), (None, None));
        assert_eq!(verified.record.comment(), "game");
    }

    #[test]
    fn what_cannot_be_played_in_a_variation_is_noted_only() {
        let draft = draft(&[
            ("h2e2", true, true),
            ("h9g7", false, true),
            ("h9h8", true, false),
            ("h0g2", false, false),
            ("off", true, true),
            ("h9g7", false, false),
            ("b2e2", false, false),
        ]);
        let verified = draft.verify().unwrap();
        assert_eq!(lines(&verified.record), ["h2e2 h9g7", "b2e2"]);
        assert_eq!(verified.omitted, Some(Omitted { moves: 4, ply: 1 }));
        assert_eq!(verified.damage, None);
        // What was said about it is still there.
        assert_eq!(verified.record.comment(), "game\noff\nh9g7");
        let first = verified.record.tree.next(NodeId::ROOT).unwrap();
        assert_eq!(verified.record.tree.comment(first), "h2e2\nh9h8\nh0g2");
    }

    #[test]
    fn the_main_line_ends_before_its_first_illegal_move() {
        for (word, flaw) in [("h9h8", Flaw::Illegal { mv: mv("h9h8"), side: Color::Black }), ("off", Flaw::OffBoard)] {
            let draft =
                draft(&[("h2e2", true, false), (word, true, true), ("h0g2", false, false), ("b9c7", false, false)]);
            let verified = draft.verify().unwrap();
            assert_eq!(lines(&verified.record), ["h2e2"], "the variation does not become the main line");
            assert_eq!(verified.damage, Some(Damage::at(2, flaw)));
            assert_eq!(verified.omitted.map(|omitted| omitted.moves), Some(3));
        }
    }

    #[test]
    fn a_captured_king_ends_the_game() {
        let start = "3k5/9/9/9/9/9/9/9/9/R3K4 b - - 0 1";
        for (moves, plies, is_sound) in [
            (vec!["d9e9", "e0e9"], 0, true),
            (vec!["d9d8", "a0d0", "d8d7", "d0d7"], 2, true),
            (vec!["d9d8", "a0d0", "d8d7", "d0d6"], 2, false),
            (vec!["d9d8", "a0d0", "d8d7", "d0d7", "d7d8"], 2, false),
            (vec!["d9d8", "a0a9", "d8d9", "a9d9"], 2, true),
        ] {
            let mut draft = Draft { start: Start::Board(Board::from_fen(start).unwrap()), ..Draft::default() };
            moves.iter().for_each(|word| {
                draft.tree.push(mv(word));
            });
            let verified = draft.verify().unwrap();
            assert_eq!(verified.record.tree.len(), plies, "{moves:?}");
            assert_eq!(verified.damage.is_none(), is_sound, "{moves:?}: {:?}", verified.damage);
        }
    }

    #[test]
    fn the_first_move_shows_whose_turn_it_is() {
        let board = Board::from_fen("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1").unwrap();
        for (first, side) in [(Some("d9d8"), Color::Black), (Some("a0a1"), Color::Red), (None, Color::Red)] {
            let start = Start::Pieces { placement: Placement::of(&board), side: Color::Red, fullmove_number: 1 };
            let mut draft = Draft { start, ..Draft::default() };
            draft.tree.add(NodeId::ROOT, mv(first.unwrap_or("a0a1")));
            if first.is_none() {
                draft.tree = GameTree::new();
            }
            let record = draft.verify().unwrap().record;
            assert_eq!((record.start.side_to_move(), record.tree.len()), (side, usize::from(first.is_some())));
        }
        // Red could take the king: it must be Black's turn.
        let check = Board::from_fen("3k5/9/9/9/9/9/9/9/9/3RK4 b - - 0 1").unwrap();
        let start = Start::Pieces { placement: Placement::of(&check), side: Color::Red, fullmove_number: 1 };
        let record = Draft { start, ..Draft::default() }.verify().unwrap().record;
        assert_eq!(record.start, check);
    }

    #[test]
    fn trees_may_be_long_and_wide_but_not_deep() {
        let there_and_back = [mv("a0a1"), mv("a9a8"), mv("a1a0"), mv("a8a9")];
        let mut draft = Draft::default();
        for index in 0..10_000 {
            draft.tree.push(there_and_back[index % 4]);
        }
        (0..10_000).for_each(|_| {
            draft.tree.add(NodeId::ROOT, mv("h2e2"));
        });
        let verified = draft.verify().unwrap();
        assert_eq!((verified.record.tree.len(), verified.damage), (20_000, None));

        let mut draft = Draft::default();
        for index in 0..2 * MAX_DEPTH {
            let parent = draft.tree.end();
            draft.tree.push(there_and_back[index % 4]);
            draft.tree.add(parent, mv(if index % 2 == 0 { "h2e2" } else { "h9g7" }));
        }
        let verified = draft.verify().unwrap();
        assert_eq!(verified.record.main_line().count(), 2 * MAX_DEPTH);
        assert_eq!(verified.damage, Some(Damage::at(MAX_DEPTH + 1, Flaw::TooDeep)));
    }
}
