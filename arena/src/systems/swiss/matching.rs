//! Matchings of the greatest weight in a general graph, for weights that are lists of numbers.
//!
//! The rules of a Swiss round are a list of criteria, each of which only decides between pairings that all earlier
//! ones find equally good. Written as the components of one weight and compared lexicographically, they make the best
//! pairing a matching of the greatest weight, which Edmonds' primal–dual algorithm finds in O(n³) steps (Z. Galil,
//! *Efficient algorithms for finding maximum matching in graphs*, 1986). The algorithm only adds, subtracts, doubles,
//! halves and compares weights, and what it halves is even in every component, so lists serve as well as numbers.

use std::collections::VecDeque;
use std::ops::{Add, Sub};

/// A weight: criteria in order of importance, more is better.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Weight<const K: usize>(pub(super) [i64; K]);

impl<const K: usize> Weight<K> {
    const ZERO: Self = Weight([0; K]);

    fn doubled(self) -> Self {
        self + self
    }

    fn halved(self) -> Self {
        Weight(self.0.map(|x| x / 2))
    }
}

impl<const K: usize> Add for Weight<K> {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a += b;
        }
        self
    }
}

impl<const K: usize> Sub for Weight<K> {
    type Output = Self;

    fn sub(mut self, other: Self) -> Self {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a -= b;
        }
        self
    }
}

/// The partner of each of `n` vertices in a matching of the greatest weight. `weight` is asked for each pair `a < b`;
/// `None` means no edge. An edge that does not weigh more than zero is never used.
pub(super) fn greatest_matching<const K: usize>(
    n: usize,
    mut weight: impl FnMut(usize, usize) -> Option<Weight<K>>,
) -> Vec<Option<usize>> {
    let mut blossoms = Blossoms::new(n);
    for a in 0..n {
        for b in a + 1..n {
            if let Some(w) = weight(a, b).filter(|w| *w > Weight::ZERO) {
                blossoms.insert(a + 1, b + 1, w);
            }
        }
    }
    blossoms.run();
    (1..=n).map(|v| blossoms.mate[v].checked_sub(1)).collect()
}

/// What a top-level vertex is in the forest of alternating trees.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Label {
    /// In no tree.
    Free,
    /// At even distance from a root.
    Outer,
    /// At odd distance from a root.
    Inner,
}

/// An edge between two of the original vertices.
#[derive(Copy, Clone)]
struct Edge {
    from: usize,
    to: usize,
}

/// The state of the algorithm. Vertices are 1..=n, blossoms have numbers above n, 0 means none.
struct Blossoms<const K: usize> {
    n: usize,
    /// One past the largest number a blossom can have.
    size: usize,
    /// The largest number in use.
    top: usize,
    weights: Vec<Weight<K>>,
    /// For two top-level vertices, the tightest original edge between them.
    edges: Vec<Option<Edge>>,
    dual: Vec<Weight<K>>,
    mate: Vec<usize>,
    slack: Vec<usize>,
    /// The top-level blossom a vertex is in; 0 for unused blossoms.
    base: Vec<usize>,
    parent: Vec<usize>,
    label: Vec<Label>,
    visited: Vec<usize>,
    visit: usize,
    /// The child of a blossom that holds an original vertex.
    child: Vec<usize>,
    cycle: Vec<Vec<usize>>,
    queue: VecDeque<usize>,
}

impl<const K: usize> Blossoms<K> {
    fn new(n: usize) -> Self {
        // A blossom has at least three parts, so there are never more than n / 2 of them.
        let size = n + n / 2 + 2;
        let mut child = vec![0; size * (n + 1)];
        for v in 1..=n {
            child[v * (n + 1) + v] = v;
        }
        Blossoms {
            n,
            size,
            top: n,
            weights: vec![Weight::ZERO; (n + 1) * (n + 1)],
            edges: vec![None; size * size],
            dual: vec![Weight::ZERO; size],
            mate: vec![0; size],
            slack: vec![0; size],
            base: (0..size).map(|v| if v <= n { v } else { 0 }).collect(),
            parent: vec![0; size],
            label: vec![Label::Free; size],
            visited: vec![0; size],
            visit: 0,
            child,
            cycle: vec![Vec::new(); size],
            queue: VecDeque::new(),
        }
    }

    fn insert(&mut self, a: usize, b: usize, weight: Weight<K>) {
        let row = self.n + 1;
        self.weights[a * row + b] = weight;
        self.weights[b * row + a] = weight;
        self.edges[a * self.size + b] = Some(Edge { from: a, to: b });
        self.edges[b * self.size + a] = Some(Edge { from: b, to: a });
    }

    fn edge(&self, a: usize, b: usize) -> Option<Edge> {
        self.edges[a * self.size + b]
    }

    /// How far an edge is from being tight.
    fn reduced(&self, edge: Edge) -> Weight<K> {
        self.dual[edge.from] + self.dual[edge.to] - self.weights[edge.from * (self.n + 1) + edge.to].doubled()
    }

    fn reduced_between(&self, a: usize, b: usize) -> Option<Weight<K>> {
        self.edge(a, b).map(|edge| self.reduced(edge))
    }

    fn update_slack(&mut self, u: usize, x: usize) {
        let Some(new) = self.reduced_between(u, x) else { return };
        let old = self.slack[x];
        if old == 0 || self.reduced_between(old, x).is_none_or(|old| new < old) {
            self.slack[x] = u;
        }
    }

    fn set_slack(&mut self, x: usize) {
        self.slack[x] = 0;
        for u in 1..=self.n {
            let base = self.base[u];
            if base != x && self.label[base] == Label::Outer {
                self.update_slack(u, x);
            }
        }
    }

    fn enqueue(&mut self, x: usize) {
        if x <= self.n {
            self.queue.push_back(x);
        } else {
            for part in self.cycle[x].clone() {
                self.enqueue(part);
            }
        }
    }

    fn set_base(&mut self, x: usize, base: usize) {
        self.base[x] = base;
        if x > self.n {
            for part in self.cycle[x].clone() {
                self.set_base(part, base);
            }
        }
    }

    /// The place of a part on its blossom's cycle at an even distance from the base, turning the cycle if need be.
    fn even_place(&mut self, blossom: usize, part: usize) -> usize {
        let cycle = &mut self.cycle[blossom];
        let place = cycle.iter().position(|&x| x == part).unwrap_or(0);
        if place % 2 == 1 {
            cycle[1..].reverse();
            cycle.len() - place
        } else {
            place
        }
    }

    fn set_mate(&mut self, u: usize, v: usize) {
        let Some(edge) = self.edge(u, v) else { return };
        self.mate[u] = edge.to;
        if u > self.n {
            let part = self.child[u * (self.n + 1) + edge.from];
            let place = self.even_place(u, part);
            for i in 0..place {
                let (a, b) = (self.cycle[u][i], self.cycle[u][i ^ 1]);
                self.set_mate(a, b);
            }
            self.set_mate(part, v);
            self.cycle[u].rotate_left(place);
        }
    }

    fn augment(&mut self, mut u: usize, mut v: usize) {
        loop {
            let next = self.base[self.mate[u]];
            self.set_mate(u, v);
            if next == 0 {
                return;
            }
            let up = self.base[self.parent[next]];
            self.set_mate(next, up);
            (u, v) = (up, next);
        }
    }

    /// The nearest common ancestor of two outer vertices; 0 when they are in different trees.
    fn common_ancestor(&mut self, mut u: usize, mut v: usize) -> usize {
        self.visit += 1;
        while u != 0 || v != 0 {
            if u != 0 {
                if self.visited[u] == self.visit {
                    return u;
                }
                self.visited[u] = self.visit;
                u = self.base[self.mate[u]];
                if u != 0 {
                    u = self.base[self.parent[u]];
                }
            }
            (u, v) = (v, u);
        }
        0
    }

    fn shrink(&mut self, u: usize, ancestor: usize, v: usize) {
        let mut blossom = self.n + 1;
        while blossom <= self.top && self.base[blossom] != 0 {
            blossom += 1;
        }
        self.top = self.top.max(blossom);
        self.dual[blossom] = Weight::ZERO;
        self.label[blossom] = Label::Outer;
        self.mate[blossom] = self.mate[ancestor];
        let mut cycle = vec![ancestor];
        for (side, start) in [u, v].into_iter().enumerate() {
            let mut x = start;
            while x != ancestor {
                let mate = self.base[self.mate[x]];
                cycle.push(x);
                cycle.push(mate);
                self.enqueue(mate);
                x = self.base[self.parent[mate]];
            }
            if side == 0 {
                cycle[1..].reverse();
            }
        }
        self.cycle[blossom] = cycle.clone();
        self.set_base(blossom, blossom);
        for x in 1..=self.top {
            self.edges[blossom * self.size + x] = None;
            self.edges[x * self.size + blossom] = None;
        }
        let row = self.n + 1;
        self.child[blossom * row..(blossom + 1) * row].fill(0);
        for part in cycle {
            for x in 1..=self.top {
                if let Some(new) = self.reduced_between(part, x)
                    && self.reduced_between(blossom, x).is_none_or(|old| new < old)
                {
                    self.edges[blossom * self.size + x] = self.edge(part, x);
                    self.edges[x * self.size + blossom] = self.edge(x, part);
                }
            }
            for x in 1..=self.n {
                if self.child[part * row + x] != 0 {
                    self.child[blossom * row + x] = part;
                }
            }
        }
        self.set_slack(blossom);
    }

    fn expand(&mut self, blossom: usize) {
        for part in self.cycle[blossom].clone() {
            self.set_base(part, part);
        }
        let entry = self.edge(blossom, self.parent[blossom]).map_or(0, |edge| edge.from);
        let entry = self.child[blossom * (self.n + 1) + entry];
        let place = self.even_place(blossom, entry);
        let cycle = self.cycle[blossom].clone();
        for pair in cycle[..place].chunks_exact(2) {
            let (inner, outer) = (pair[0], pair[1]);
            self.parent[inner] = self.edge(outer, inner).map_or(0, |edge| edge.from);
            self.label[inner] = Label::Inner;
            self.label[outer] = Label::Outer;
            self.slack[inner] = 0;
            self.set_slack(outer);
            self.enqueue(outer);
        }
        self.label[entry] = Label::Inner;
        self.parent[entry] = self.parent[blossom];
        for &part in &cycle[place + 1..] {
            self.label[part] = Label::Free;
            self.set_slack(part);
        }
        self.base[blossom] = 0;
    }

    /// Deals with a tight edge out of an outer vertex; true when the matching grew.
    fn follow(&mut self, edge: Edge) -> bool {
        let (u, v) = (self.base[edge.from], self.base[edge.to]);
        match self.label[v] {
            Label::Free => {
                self.parent[v] = edge.from;
                self.label[v] = Label::Inner;
                let next = self.base[self.mate[v]];
                self.slack[v] = 0;
                self.slack[next] = 0;
                self.label[next] = Label::Outer;
                self.enqueue(next);
            }
            Label::Outer => match self.common_ancestor(u, v) {
                0 => {
                    self.augment(u, v);
                    self.augment(v, u);
                    return true;
                }
                ancestor => self.shrink(u, ancestor, v),
            },
            Label::Inner => {}
        }
        false
    }

    fn is_top_level(&self, x: usize) -> bool {
        self.base[x] == x
    }

    /// One stage: false when no augmentation can add weight.
    fn stage(&mut self) -> bool {
        self.label.fill(Label::Free);
        self.slack.fill(0);
        self.queue.clear();
        for x in 1..=self.top {
            if self.is_top_level(x) && self.mate[x] == 0 {
                self.parent[x] = 0;
                self.label[x] = Label::Outer;
                self.enqueue(x);
            }
        }
        if self.queue.is_empty() {
            return false;
        }
        loop {
            while let Some(u) = self.queue.pop_front() {
                if self.label[self.base[u]] == Label::Inner {
                    continue;
                }
                for v in 1..=self.n {
                    let Some(edge) = self.edge(u, v).filter(|_| self.base[u] != self.base[v]) else { continue };
                    if self.reduced(edge) > Weight::ZERO {
                        self.update_slack(u, self.base[v]);
                    } else if self.follow(edge) {
                        return true;
                    }
                }
            }
            if !self.relax() {
                return false;
            }
            for x in 1..=self.top {
                let slack = self.slack[x];
                if self.is_top_level(x)
                    && slack != 0
                    && self.base[slack] != x
                    && let Some(edge) = self.edge(slack, x)
                    && self.reduced(edge) == Weight::ZERO
                    && self.follow(edge)
                {
                    return true;
                }
            }
            for blossom in self.n + 1..=self.top {
                if self.is_top_level(blossom)
                    && self.label[blossom] == Label::Inner
                    && self.dual[blossom] == Weight::ZERO
                {
                    self.expand(blossom);
                }
            }
        }
    }

    /// Changes the dual solution until an edge becomes tight or a blossom empty; false when it is optimal.
    fn relax(&mut self) -> bool {
        let mut step: Option<Weight<K>> = None;
        let mut bound = |d: Weight<K>| step = Some(step.map_or(d, |step| step.min(d)));
        for blossom in self.n + 1..=self.top {
            if self.is_top_level(blossom) && self.label[blossom] == Label::Inner {
                bound(self.dual[blossom].halved());
            }
        }
        for x in 1..=self.top {
            if self.is_top_level(x)
                && let Some(reduced) = self.reduced_between(self.slack[x], x)
            {
                match self.label[x] {
                    Label::Free => bound(reduced),
                    Label::Outer => bound(reduced.halved()),
                    Label::Inner => {}
                }
            }
        }
        for u in 1..=self.n {
            let is_outer = self.label[self.base[u]] == Label::Outer;
            // An outer vertex whose dual would become negative is better left alone.
            if is_outer && step.is_none_or(|step| self.dual[u] <= step) {
                return false;
            }
        }
        let Some(step) = step else { return false };
        for u in 1..=self.n {
            match self.label[self.base[u]] {
                Label::Outer => self.dual[u] = self.dual[u] - step,
                Label::Inner => self.dual[u] = self.dual[u] + step,
                Label::Free => {}
            }
        }
        for blossom in self.n + 1..=self.top {
            if self.is_top_level(blossom) {
                match self.label[blossom] {
                    Label::Outer => self.dual[blossom] = self.dual[blossom] + step.doubled(),
                    Label::Inner => self.dual[blossom] = self.dual[blossom] - step.doubled(),
                    Label::Free => {}
                }
            }
        }
        self.queue.clear();
        true
    }

    fn run(&mut self) {
        let most = self.weights.iter().copied().max().unwrap_or(Weight::ZERO);
        self.dual[1..=self.n].fill(most);
        while self.stage() {}
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// The greatest weight by trying all matchings.
    fn exhaustive(n: usize, used: u32, weights: &[Vec<Option<Weight<3>>>]) -> Weight<3> {
        let Some(a) = (0..n).find(|a| used >> a & 1 == 0) else { return Weight::ZERO };
        let mut best = exhaustive(n, used | 1 << a, weights);
        for b in a + 1..n {
            if used >> b & 1 == 0
                && let Some(w) = weights[a][b]
            {
                best = best.max(w + exhaustive(n, used | 1 << a | 1 << b, weights));
            }
        }
        best
    }

    #[test]
    fn as_good_as_trying_everything() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for case in 0..3000 {
            let n = rng.random_range(1..=9);
            let density: f64 = rng.random_range(0.2..1.0);
            let mut any = |a: usize, b: usize| {
                (a < b && rng.random_bool(density))
                    .then(|| Weight([1, rng.random_range(-2..=2), rng.random_range(-9..=9)]))
            };
            let weights: Vec<Vec<_>> = (0..n).map(|a| (0..n).map(|b| any(a, b)).collect()).collect();
            let mates = greatest_matching(n, |a, b| weights[a][b]);
            let mut total = Weight::ZERO;
            for (a, mate) in mates.iter().enumerate() {
                if let Some(b) = *mate {
                    assert_eq!(mates[b], Some(a), "case {case}");
                    if a < b {
                        total = total + weights[a][b].unwrap();
                    }
                }
            }
            assert_eq!(total, exhaustive(n, 0, &weights), "case {case}");
        }
    }

    #[test]
    fn many_vertices_are_all_matched() {
        let n = 60;
        let mates = greatest_matching(n, |a, b| Some(Weight([1, -(((a * 7 + b * 13) % 17) as i64)])));
        assert!(mates.iter().all(Option::is_some));
    }
}
