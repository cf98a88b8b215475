//! Moves with variations and comments.

use std::num::NonZeroU32;

use chuhe_movegen::Move;

/// A place in a [`GameTree`]: after a move, or before the first. It has a meaning only in the tree it came from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(
    /// Its place in the array, from 1.
    NonZeroU32,
);

impl NodeId {
    /// The place before the first move.
    pub const ROOT: NodeId = NodeId(NonZeroU32::MIN);

    const fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// Kept small: game files hold a move in as few as four bytes, and memory shall stay within a small multiple of them.
#[derive(Clone, Debug, Default)]
struct Node {
    /// `None` for the root only, as is `parent`.
    mv: Option<Move>,
    parent: Option<NodeId>,
    first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    next_sibling: Option<NodeId>,
    /// `None` where nothing is said, which is the rule.
    remarks: Option<Box<Remarks>>,
}

const _: () = assert!(size_of::<Node>() <= 32);

/// What is said about a move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Remarks {
    comment: String,
    nags: Vec<u8>,
}

impl Node {
    fn comment(&self) -> &str {
        self.remarks.as_ref().map_or("", |remarks| &remarks.comment)
    }

    fn nags(&self) -> &[u8] {
        self.remarks.as_ref().map_or(&[], |remarks| &remarks.nags)
    }

    fn remarks_mut(&mut self) -> &mut Remarks {
        self.remarks.get_or_insert_default()
    }
}

/// A main line or a variation with nothing that leaves it, for formats that know lines rather than trees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Which of the lines it leaves; `None` for the main line.
    pub parent: Option<usize>,
    /// Which move its first one is, counted from the start of the game and from 1. In a variation it stands in place of
    /// the parent's move of this number.
    pub first_ply: usize,
    /// Its moves; empty only in a main line without moves.
    pub nodes: Vec<NodeId>,
}

/// How deep variations of variations may be when games are read.
pub const MAX_DEPTH: usize = 1000;

/// A main line and variations to any depth. The first child of a node goes on with its line; the others are variations
/// in place of that child.
///
/// The nodes stand in one array and know each other by number, so that neither walking nor dropping a deep tree needs a
/// deep stack. Moves are not checked here: files hold illegal ones, and whole variations that are meant as notes.
///
/// # Panics
/// Methods that take a [`NodeId`] may panic when it comes from another tree.
#[derive(Clone, Debug)]
pub struct GameTree {
    nodes: Vec<Node>,
    end: NodeId,
}

impl Default for GameTree {
    fn default() -> GameTree {
        GameTree { nodes: vec![Node::default()], end: NodeId::ROOT }
    }
}

impl GameTree {
    /// A tree without moves.
    #[must_use]
    pub fn new() -> GameTree {
        GameTree::default()
    }

    /// Number of moves, those of variations included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Whether there are no moves.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a move behind the main line.
    pub fn push(&mut self, mv: Move) -> NodeId {
        self.add(self.end, mv)
    }

    /// Adds a move after a node: the continuation of its line if it has none yet, else one more variation.
    ///
    /// # Panics
    /// When the tree has 2³² nodes.
    pub fn add(&mut self, parent: NodeId, mv: Move) -> NodeId {
        let place = u32::try_from(self.nodes.len() + 1).ok().and_then(NonZeroU32::new);
        let id = NodeId(place.expect("a tree holds fewer than 2^32 nodes"));
        match self.nodes[parent.index()].last_child.replace(id) {
            Some(elder) => self.nodes[elder.index()].next_sibling = Some(id),
            None => self.nodes[parent.index()].first_child = Some(id),
        }
        if parent == self.end {
            self.end = id;
        }
        self.nodes.push(Node { mv: Some(mv), parent: Some(parent), ..Node::default() });
        id
    }

    /// The move that leads to a node; `None` for the root.
    #[must_use]
    pub fn mv(&self, id: NodeId) -> Option<Move> {
        self.nodes[id.index()].mv
    }

    /// The node before; `None` for the root.
    #[must_use]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.nodes[id.index()].parent
    }

    /// The next node of the same line.
    #[must_use]
    pub fn next(&self, id: NodeId) -> Option<NodeId> {
        self.nodes[id.index()].first_child
    }

    /// The next variation in place of this node.
    #[must_use]
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        self.nodes[id.index()].next_sibling
    }

    /// The nodes that follow: first the one that goes on with the line, then the variations.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.next(id), |&child| self.next_sibling(child))
    }

    /// The last node of the main line.
    #[must_use]
    pub fn end(&self) -> NodeId {
        self.end
    }

    /// What is said about a move, or at the root about the whole game; empty if nothing.
    #[must_use]
    pub fn comment(&self, id: NodeId) -> &str {
        self.nodes[id.index()].comment()
    }

    /// Sets the comment of a move, or at the root that of the game.
    pub fn set_comment(&mut self, id: NodeId, comment: impl Into<String>) {
        let comment = comment.into();
        if !comment.is_empty() || !self.comment(id).is_empty() {
            self.nodes[id.index()].remarks_mut().comment = comment;
        }
    }

    /// Adds to a comment, on a new line if something is said already.
    pub fn append_comment(&mut self, id: NodeId, text: &str) {
        if text.is_empty() {
            return;
        }
        let comment = &mut self.nodes[id.index()].remarks_mut().comment;
        if !comment.is_empty() {
            comment.push('\n');
        }
        comment.push_str(text);
    }

    /// Numeric annotation glyphs of a move: 1 is `!`, 2 is `?`, 3 is `!!` and so on.
    #[must_use]
    pub fn nags(&self, id: NodeId) -> &[u8] {
        self.nodes[id.index()].nags()
    }

    /// Adds an annotation glyph.
    pub fn add_nag(&mut self, id: NodeId, nag: u8) {
        self.nodes[id.index()].remarks_mut().nags.push(nag);
    }

    /// Sets the annotation glyphs.
    pub fn set_nags(&mut self, id: NodeId, nags: Vec<u8>) {
        if !nags.is_empty() || !self.nags(id).is_empty() {
            self.nodes[id.index()].remarks_mut().nags = nags;
        }
    }

    /// The moves of the main line with their comments.
    pub fn main_line(&self) -> impl Iterator<Item = (Move, &str)> {
        std::iter::successors(self.next(NodeId::ROOT), |&id| self.next(id))
            .filter_map(|id| Some((self.mv(id)?, self.comment(id))))
    }

    /// The moves from the start to a node.
    #[must_use]
    pub fn path_to(&self, id: NodeId) -> Vec<Move> {
        let ids = std::iter::successors(Some(id), |&id| self.parent(id));
        let mut moves: Vec<Move> = ids.filter_map(|id| self.mv(id)).collect();
        moves.reverse();
        moves
    }

    /// A node and all that follow it, each before what follows from it.
    pub fn walk_from(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        self.walk_at(id).map(|(_, id)| id)
    }

    /// All nodes, the root first, each before what follows from it, with the number of moves that lead there.
    pub fn walk(&self) -> impl Iterator<Item = (usize, NodeId)> {
        self.walk_at(NodeId::ROOT)
    }

    /// A node and all that follow it, with the number of moves between.
    fn walk_at(&self, id: NodeId) -> impl Iterator<Item = (usize, NodeId)> {
        std::iter::successors(Some((0, id)), |&(depth, id)| {
            if let Some(child) = self.next(id) {
                return Some((depth + 1, child));
            }
            // Back along the line to the last node that has a variation still to come.
            let back = std::iter::successors(Some((depth, id)), |&(depth, id)| Some((depth - 1, self.parent(id)?)));
            back.take(depth).find_map(|(depth, id)| Some((depth, self.next_sibling(id)?)))
        })
    }

    /// All lines, the main line first, each variation behind the line that it leaves.
    #[must_use]
    pub fn lines(&self) -> Vec<Line> {
        let mut starts = vec![(None, 1, self.next(NodeId::ROOT))];
        let mut lines: Vec<Line> = Vec::new();
        while let Some(&(parent, first_ply, first)) = starts.get(lines.len()) {
            let nodes: Vec<NodeId> = std::iter::successors(first, |&id| self.next(id)).collect();
            for (ply, &id) in (first_ply..).zip(&nodes) {
                // Other variations in place of a variation's first move leave the same line as it does.
                if ply > first_ply || parent.is_none() {
                    let siblings = std::iter::successors(self.next_sibling(id), |&id| self.next_sibling(id));
                    starts.extend(siblings.map(|sibling| (Some(lines.len()), ply, Some(sibling))));
                }
            }
            lines.push(Line { parent, first_ply, nodes });
        }
        lines
    }
}

/// The same moves in the same order with the same comments and glyphs, however the trees came about.
impl PartialEq for GameTree {
    fn eq(&self, other: &GameTree) -> bool {
        self.len() == other.len()
            && self.walk().zip(other.walk()).all(|((depth, id), (other_depth, other_id))| {
                let (node, other_node) = (&self.nodes[id.index()], &other.nodes[other_id.index()]);
                depth == other_depth
                    && node.mv == other_node.mv
                    && node.comment() == other_node.comment()
                    && node.nags() == other_node.nags()
            })
    }
}

impl Eq for GameTree {}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str) -> Move {
        text.parse().unwrap()
    }

    #[test]
    fn variations_stand_beside_the_main_line() {
        let mut tree = GameTree::new();
        let first = tree.push(mv("h2e2"));
        let second = tree.push(mv("h9g7"));
        let variation = tree.add(first, mv("b9c7"));
        let third = tree.push(mv("h0g2"));
        let deeper = tree.add(variation, mv("b0c2"));
        tree.set_comment(NodeId::ROOT, "game");
        tree.set_comment(third, "end");
        assert_eq!(tree.main_line().collect::<Vec<_>>(), [(mv("h2e2"), ""), (mv("h9g7"), ""), (mv("h0g2"), "end")]);
        assert_eq!(tree.path_to(deeper), [mv("h2e2"), mv("b9c7"), mv("b0c2")]);
        assert_eq!(tree.children(first).collect::<Vec<_>>(), [second, variation]);
        let walk: Vec<_> = tree.walk().collect();
        assert_eq!(walk, [(0, NodeId::ROOT), (1, first), (2, second), (3, third), (2, variation), (3, deeper)]);
        assert_eq!(tree.walk_from(first).collect::<Vec<_>>(), [first, second, third, variation, deeper]);
        assert_eq!(tree.walk_from(second).collect::<Vec<_>>(), [second, third]);
        assert_eq!((tree.len(), tree.end(), tree.parent(deeper)), (5, third, Some(variation)));
    }

    #[test]
    fn lines_name_the_line_that_they_leave() {
        let mut tree = GameTree::new();
        assert_eq!(tree.lines(), [Line { parent: None, first_ply: 1, nodes: vec![] }]);
        let main = ["h2e2", "h9g7", "h0g2"].map(|word| tree.push(mv(word)));
        let other = tree.add(NodeId::ROOT, mv("b2e2"));
        let variation = ["b9c7", "b0c2"].map({
            let mut node = main[0];
            let tree = &mut tree;
            move |word| {
                node = tree.add(node, mv(word));
                node
            }
        });
        let another = tree.add(main[0], mv("h7e7"));
        let deeper = tree.add(variation[0], mv("i0h0"));
        let expected = [
            Line { parent: None, first_ply: 1, nodes: main.to_vec() },
            Line { parent: Some(0), first_ply: 1, nodes: vec![other] },
            Line { parent: Some(0), first_ply: 2, nodes: variation.to_vec() },
            Line { parent: Some(0), first_ply: 2, nodes: vec![another] },
            Line { parent: Some(2), first_ply: 3, nodes: vec![deeper] },
        ];
        assert_eq!(tree.lines(), expected);
    }

    #[test]
    fn trees_are_equal_whatever_the_order_of_building() {
        let (mut one, mut other) = (GameTree::new(), GameTree::new());
        let first = one.push(mv("h2e2"));
        one.push(mv("h9g7"));
        one.add(first, mv("b9c7"));
        one.push(mv("h0g2"));
        let first = other.push(mv("h2e2"));
        other.push(mv("h9g7"));
        other.push(mv("h0g2"));
        assert_ne!(one, other);
        let variation = other.add(first, mv("b9c7"));
        assert_eq!(one, other);
        other.add_nag(variation, 1);
        assert_ne!(one, other);
    }

    #[test]
    fn a_tree_of_any_depth_is_walked_and_dropped() {
        let mut tree = GameTree::new();
        for _ in 0..1_000_000 {
            tree.push(mv("a0a1"));
        }
        assert_eq!(tree.walk().last(), Some((1_000_000, tree.end())));
    }
}
