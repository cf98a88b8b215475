//! Moves with variations and comments.

use chuhe_movegen::Move;

/// A place in a [`GameTree`]: after a move, or before the first. It has a meaning only in the tree it came from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// The place before the first move.
    pub const ROOT: NodeId = NodeId(0);

    const fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug, Default)]
struct Node {
    /// `None` for the root only, as is `parent`.
    mv: Option<Move>,
    parent: Option<NodeId>,
    first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    next_sibling: Option<NodeId>,
    comment: String,
    nags: Vec<u8>,
}

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
        let id = NodeId(u32::try_from(self.nodes.len()).expect("a tree holds fewer than 2^32 nodes"));
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
        &self.nodes[id.index()].comment
    }

    /// Sets the comment of a move, or at the root that of the game.
    pub fn set_comment(&mut self, id: NodeId, comment: impl Into<String>) {
        self.nodes[id.index()].comment = comment.into();
    }

    /// Adds to a comment, on a new line if something is said already.
    pub fn append_comment(&mut self, id: NodeId, text: &str) {
        let comment = &mut self.nodes[id.index()].comment;
        if !comment.is_empty() && !text.is_empty() {
            comment.push('\n');
        }
        comment.push_str(text);
    }

    /// Numeric annotation glyphs of a move: 1 is `!`, 2 is `?`, 3 is `!!` and so on.
    #[must_use]
    pub fn nags(&self, id: NodeId) -> &[u8] {
        &self.nodes[id.index()].nags
    }

    /// Adds an annotation glyph.
    pub fn add_nag(&mut self, id: NodeId, nag: u8) {
        self.nodes[id.index()].nags.push(nag);
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

    /// All nodes, the root first, each before what follows from it, with the number of moves that lead there.
    pub fn walk(&self) -> impl Iterator<Item = (usize, NodeId)> {
        std::iter::successors(Some((0, NodeId::ROOT)), |&(depth, id)| {
            if let Some(child) = self.next(id) {
                return Some((depth + 1, child));
            }
            // Back along the line to the last node that has a variation still to come.
            let mut back = std::iter::successors(Some((depth, id)), |&(depth, id)| {
                self.parent(id).map(|parent| (depth - 1, parent))
            });
            back.find_map(|(depth, id)| Some((depth, self.next_sibling(id)?)))
        })
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
                    && node.comment == other_node.comment
                    && node.nags == other_node.nags
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
        assert_eq!((tree.len(), tree.end(), tree.parent(deeper)), (5, third, Some(variation)));
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
