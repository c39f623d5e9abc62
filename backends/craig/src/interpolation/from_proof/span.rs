//! Spans: the parts that share the names of a term.
//!
//! # Idea
//! The *hull* of a name is the smallest subtree of the tree of parts that contains all parts with
//! the name. The *span* of a term is the intersection of the hulls of its names. The names of a
//! term occur both in the subtree of a node and outside of it if and only if the span contains the
//! node and its parent: then the term is *shared* at this cut. A term with an empty span is mixed
//! at some cut; a set of terms whose spans have a common node is mixed at no cut.
//!
//! Subtrees of a tree have the Helly property: if they intersect pairwise, they have a common node.
//! And intersection graphs of subtrees are chordal (Gavril, *The intersection graphs of subtrees in
//! trees are exactly the chordal graphs*, 1974). Mixed chains of equations can therefore be
//! decomposed into triangles that are not mixed (`equality`).
//!
//! **Widening.** Where a mixed term is unavoidable, its names are *widened*: their hulls gain a
//! node at which all of them are known, and the tree path to it. At cuts where a name is shared
//! only by widening, it must be eliminated from the interpolant (`foreign`).
//!
//! # Cost
//! A hull takes time and bits linear in the number of parts. Spans are interned.

use backends::interpolation::vocabulary::{Name, names};
use backends::interpolation::{Problem, Tree};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};
use terms::{Term, TermPool};

/// A connected set of nodes of the tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Span(u32);

/// The spans of terms.
pub(super) struct Spans<'a> {
    pub(super) tree: &'a Tree,
    sets: IndexSet<Box<[u64]>, FxBuildHasher>,
    hulls: FxHashMap<Name, Span>,
    /// The original hulls of widened names.
    narrow: IndexMap<Name, Span, FxBuildHasher>,
    terms: FxHashMap<Term, Span>,
    meets: FxHashMap<(Span, Span), Span>,
}

impl<'a> Spans<'a> {
    pub(super) fn new(pool: &TermPool, problem: &'a Problem) -> Self {
        let tree = &problem.tree;
        let mut spans = Spans {
            tree,
            sets: IndexSet::default(),
            hulls: FxHashMap::default(),
            narrow: IndexMap::default(),
            terms: FxHashMap::default(),
            meets: FxHashMap::default(),
        };
        let words = tree.len().div_ceil(64);
        let mut everywhere = vec![0u64; words];
        (0..tree.len()).for_each(|node| everywhere[node / 64] |= 1 << (node % 64));
        spans.intern(everywhere);
        spans.intern(vec![0; words]);
        let mut places: IndexMap<Name, Vec<usize>, FxBuildHasher> = IndexMap::default();
        for (node, part) in problem.parts.iter().enumerate() {
            for name in names(pool, part) {
                places.entry(name).or_default().push(node);
            }
        }
        for (name, nodes) in places {
            let hull = spans.hull(&nodes);
            spans.hulls.insert(name, hull);
        }
        spans
    }

    /// All nodes: the span of a term without names.
    pub(super) fn everywhere(&self) -> Span {
        Span(0)
    }

    /// The empty span.
    pub(super) fn nowhere(&self) -> Span {
        Span(1)
    }

    /// Whether the span contains no node.
    pub(super) fn is_empty(&self, span: Span) -> bool {
        span == self.nowhere()
    }

    pub(super) fn contains(&self, span: Span, node: usize) -> bool {
        self.set(span)[node / 64] >> (node % 64) & 1 == 1
    }

    /// The intersection.
    pub(super) fn meet(&mut self, a: Span, b: Span) -> Span {
        if a == b || b == self.everywhere() {
            return a;
        }
        let pair = (Span(a.0.min(b.0)), Span(a.0.max(b.0)));
        if let Some(&known) = self.meets.get(&pair) {
            return known;
        }
        let set = self.set(a).iter().zip(self.set(b)).map(|(a, b)| a & b).collect();
        let meet = self.intern(set);
        self.meets.insert(pair, meet);
        meet
    }

    /// Widens the names of these terms by as few nodes as possible, so that some node knows all of
    /// them. `false` if there already is such a node, or if a name occurs in no part.
    pub(super) fn widen(&mut self, pool: &TermPool, terms: &[Term]) -> bool {
        let names = names(pool, terms);
        let Some(hulls) =
            names.iter().map(|name| self.hulls.get(name).copied()).collect::<Option<Vec<Span>>>()
        else {
            return false;
        };
        let mut placed: Vec<(Name, Span)> = names.into_iter().zip(hulls).collect();
        placed.retain(|&(_, hull)| hull != self.everywhere());
        let cost =
            |node: usize| -> usize { placed.iter().map(|&(_, hull)| self.way(hull, node).len()).sum() };
        let Some(node) = (0..self.tree.len()).min_by_key(|&node| cost(node)) else { return false };
        let mut is_widened = false;
        for (name, hull) in placed {
            let way = self.way(hull, node);
            if way.is_empty() {
                continue;
            }
            let mut set = self.set(hull).to_vec();
            way.into_iter().for_each(|node| set[node / 64] |= 1 << (node % 64));
            let wide = self.intern(set);
            self.hulls.insert(name, wide);
            self.narrow.entry(name).or_insert(hull);
            is_widened = true;
        }
        if is_widened {
            self.terms.clear();
        }
        is_widened
    }

    /// Whether any name was widened.
    pub(super) fn is_widened(&self) -> bool {
        !self.narrow.is_empty()
    }

    /// The original hull of a name, if it was widened.
    pub(super) fn narrow(&self, name: Name) -> Option<Span> {
        self.narrow.get(&name).copied()
    }

    /// The nodes on the tree path from a nonempty span to a node, without those of the span.
    fn way(&self, from: Span, node: usize) -> Vec<usize> {
        let Some(top) = self.top(from) else { return Vec::new() };
        let mut way = self.between(top, node);
        way.retain(|&node| !self.contains(from, node));
        way
    }

    /// The unique path in the tree.
    fn between(&self, mut low: usize, mut high: usize) -> Vec<usize> {
        let (mut there, mut back) = (vec![low], vec![high]);
        while low != high {
            let side = if low < high { (&mut low, &mut there) } else { (&mut high, &mut back) };
            *side.0 = self
                .tree
                .parent(*side.0)
                .expect("only the root has no parent, and its number is the largest");
            side.1.push(*side.0);
        }
        back.pop();
        there.extend(back.into_iter().rev());
        there
    }

    /// The node with the smallest number.
    pub(super) fn first(&self, span: Span) -> Option<usize> {
        let set = self.set(span);
        let word = set.iter().position(|&word| word != 0)?;
        Some(64 * word + set[word].trailing_zeros() as usize)
    }

    /// The highest node: the one with the largest number.
    pub(super) fn top(&self, span: Span) -> Option<usize> {
        let set = self.set(span);
        let word = set.iter().rposition(|&word| word != 0)?;
        Some(64 * word + 63 - set[word].leading_zeros() as usize)
    }

    /// Whether a term with this span is shared between the subtree of a node and the rest.
    pub(super) fn is_shared(&self, span: Span, cut: usize) -> bool {
        let above = self.tree.parent(cut);
        self.contains(span, cut) && above.is_some_and(|above| self.contains(span, above))
    }

    /// The span of a term. A name that occurs in no part has an empty span.
    pub(super) fn of(&mut self, pool: &TermPool, term: Term) -> Span {
        if let Some(&known) = self.terms.get(&term) {
            return known;
        }
        let mut missing = Vec::new();
        pool.visit(&[term], |term| !self.terms.contains_key(&term), |term| missing.push(term));
        for term in missing {
            if self.terms.contains_key(&term) {
                continue;
            }
            let mut span = match Name::of(pool.op(term)) {
                Some(name) => self.hulls.get(&name).copied().unwrap_or(self.nowhere()),
                None => self.everywhere(),
            };
            for child in pool.children(term) {
                let below = self.terms[child];
                span = self.meet(span, below);
            }
            self.terms.insert(term, span);
        }
        self.terms[&term]
    }

    /// The unique tree path from a node of `from` to a node of `to` whose inner nodes are in
    /// neither. The spans must be nonempty and disjoint.
    pub(super) fn bridge(&self, from: Span, to: Span) -> Vec<usize> {
        let (Some(low), Some(high)) = (self.top(from), self.top(to)) else { return Vec::new() };
        let there = self.between(low, high);
        let start = there.iter().rposition(|&node| self.contains(from, node)).unwrap_or(0);
        let end = there.iter().position(|&node| self.contains(to, node)).unwrap_or(there.len() - 1);
        there[start..=end].to_vec()
    }

    /// The nodes, as bits.
    pub(super) fn bits(&self, span: Span) -> &[u64] {
        self.set(span)
    }

    fn set(&self, span: Span) -> &[u64] {
        self.sets.get_index(span.0 as usize).expect("spans are interned")
    }

    fn intern(&mut self, set: Vec<u64>) -> Span {
        let (index, _) = self.sets.insert_full(set.into_boxed_slice());
        Span(u32::try_from(index).expect("fewer than 2^32 spans"))
    }

    /// The smallest subtree with these nodes.
    fn hull(&mut self, nodes: &[usize]) -> Span {
        let mut set = vec![0u64; self.tree.len().div_ceil(64)];
        let mut below = vec![0usize; self.tree.len()];
        let mut insert = |node: usize| set[node / 64] |= 1 << (node % 64);
        for &node in nodes {
            below[node] += 1;
            insert(node);
        }
        for node in 0..self.tree.len() {
            let count = below[node];
            if let Some(above) = self.tree.parent(node)
                && count > 0
                && count < nodes.len()
            {
                insert(node);
                insert(above);
                below[above] += count;
            }
        }
        self.intern(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use terms::{Op, Sort};

    /// A root with the children 2 and 4; 0 and 1 are below 2, 3 is below 4.
    fn problem(pool: &mut TermPool, places: &[(&str, &[usize])]) -> Problem {
        let tree = Tree::new(vec![Some(2), Some(2), Some(5), Some(4), Some(5), None]).expect("a tree");
        let mut parts = vec![Vec::new(); 6];
        for (name, nodes) in places {
            let symbol = pool.symbol(name, Sort::Bool);
            nodes.iter().for_each(|&node: &usize| parts[node].push(symbol));
        }
        Problem { parts, tree }
    }

    fn nodes(spans: &Spans, span: Span) -> Vec<usize> {
        (0..spans.tree.len()).filter(|&node| spans.contains(span, node)).collect()
    }

    #[test]
    fn hulls_are_subtrees_and_terms_have_what_is_common() {
        let mut pool = TermPool::new();
        let problem = problem(&mut pool, &[("x", &[0, 3]), ("y", &[1, 0]), ("z", &[1])]);
        let mut spans = Spans::new(&pool, &problem);
        let [x, y, z, w] = ["x", "y", "z", "w"].map(|name| pool.symbol(name, Sort::Bool));
        let of = |spans: &mut Spans, pool: &TermPool, term: Term| {
            let span = spans.of(pool, term);
            nodes(spans, span)
        };
        assert_eq!(of(&mut spans, &pool, x), [0, 2, 3, 4, 5]);
        assert_eq!(of(&mut spans, &pool, y), [0, 1, 2]);
        let both = pool.and2(x, y);
        assert_eq!(of(&mut spans, &pool, both), [0, 2]);
        let mixed = pool.or2(x, z);
        assert_eq!(of(&mut spans, &pool, mixed), [0; 0]);
        assert_eq!(of(&mut spans, &pool, w), [0; 0]);
        let span = spans.of(&pool, x);
        assert_eq!((spans.first(span), spans.top(span)), (Some(0), Some(5)));
        assert!((0..6).filter(|&cut| spans.is_shared(span, cut)).eq([0, 2, 3, 4]));
        let span = spans.of(&pool, z);
        assert_eq!((0..6).filter(|&cut| spans.is_shared(span, cut)).count(), 0);
    }

    #[test]
    fn names_are_widened_by_as_few_nodes_as_possible() {
        let mut pool = TermPool::new();
        let problem = problem(&mut pool, &[("x", &[0, 2]), ("y", &[3]), ("z", &[3, 4])]);
        let mut spans = Spans::new(&pool, &problem);
        let [x, y, z, w] = ["x", "y", "z", "w"].map(|name| pool.symbol(name, Sort::Bool));
        assert!(!spans.widen(&pool, &[y, z]) && !spans.is_widened());
        assert!(!spans.widen(&pool, &[x, w]));
        assert!(spans.widen(&pool, &[x, y, z]));
        let of = |spans: &mut Spans, term: Term| {
            let span = spans.of(&pool, term);
            nodes(spans, span)
        };
        let both = [x, y, z].map(|term| of(&mut spans, term));
        let common: Vec<usize> =
            (0..6).filter(|node| both.iter().all(|nodes| nodes.contains(node))).collect();
        assert_eq!(common.len(), 1, "{both:?}");
        let added: usize = both.iter().map(Vec::len).sum::<usize>() - 5;
        assert_eq!(added, 3, "{both:?}");
        let Op::Symbol(symbol) = pool.op(x) else { unreachable!("x is a symbol") };
        let narrow = spans.narrow(Name::Symbol(symbol)).map(|span| nodes(&spans, span));
        assert!(narrow.is_none_or(|narrow| narrow == [0, 2]));
    }

    #[test]
    fn a_bridge_is_the_way_between() {
        let mut pool = TermPool::new();
        let problem = problem(&mut pool, &[("x", &[0, 1]), ("y", &[3]), ("z", &[1])]);
        let mut spans = Spans::new(&pool, &problem);
        let [x, y, z] = ["x", "y", "z"].map(|name| {
            let symbol = pool.symbol(name, Sort::Bool);
            spans.of(&pool, symbol)
        });
        assert_eq!(spans.bridge(x, y), [2, 5, 4, 3]);
        assert_eq!(spans.bridge(y, x), [3, 4, 5, 2]);
        assert_eq!(spans.bridge(z, y), [1, 2, 5, 4, 3]);
    }
}
