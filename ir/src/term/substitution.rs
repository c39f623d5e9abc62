//! Substitution of leaves.
//!
//! A [`Substitution`] keeps what every term became, so that instantiating many terms with one map handles each
//! distinct term once. Its table is indexed by the id of the *source* terms, grows to the youngest one seen, and is
//! forgotten in O(1) through a generation count: an unroller keeps one object and calls
//! [`clear`](Substitution::clear) for each frame.

use super::scopes::Quantifier;
use super::{Op, Term, TermPool};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A map of leaves to terms of the same sort, applied to many terms.
///
/// Bound variables are replaced where they are free only, and a quantifier whose variable is free in what is put below it gets
/// a fresh one: nothing is captured. A term that is not a leaf is not replaced where it has a variable bound around it.
#[derive(Debug, Default)]
pub struct Substitution {
    /// For each source term, the generation in which its image was found, and the image.
    images: Vec<(u32, Term)>,
    generation: u32,
    stack: Vec<(Term, u32)>,
}

impl Substitution {
    /// The identity.
    pub fn new() -> Self {
        Substitution { images: Vec::new(), generation: 1, stack: Vec::new() }
    }

    /// Forgets all images, in constant time.
    pub fn clear(&mut self) {
        if self.generation == u32::MAX {
            self.images.clear();
            self.generation = 0;
        }
        self.generation += 1;
    }

    /// Maps the term `from`, a leaf or not, to `to`, of the same sort. What was instantiated before is not revised.
    pub fn insert(&mut self, from: Term, to: Term) {
        let index = from.0 as usize;
        if index >= self.images.len() {
            self.images.resize(index + 1, (0, from));
        }
        self.images[index] = (self.generation.max(1), to);
    }

    /// The image of a term that was inserted or met before.
    #[inline]
    pub fn get(&self, term: Term) -> Option<Term> {
        match self.images.get(term.0 as usize) {
            Some(&(generation, image)) if generation == self.generation => Some(image),
            _ => None,
        }
    }

    /// `term` with every inserted term replaced; other leaves stay.
    pub fn apply(&mut self, pool: &mut TermPool, term: Term) -> Term {
        self.apply_with(pool, term, &mut |_, _| None)
    }

    /// `term` with every leaf replaced; `leaf` is asked once for each `Symbol`, `Value` and `Bound` leaf that has no image
    /// yet, `None` keeps it. The result is built through the constructors.
    pub fn apply_with(
        &mut self,
        pool: &mut TermPool,
        term: Term,
        leaf: &mut dyn FnMut(&mut TermPool, Term) -> Option<Term>,
    ) -> Term {
        if let Some(image) = self.get(term) {
            return image;
        }
        // Everything below is older than the root, so the table grows once.
        let index = term.0 as usize;
        if index >= self.images.len() {
            self.images.resize(index + 1, (0, term));
        }
        let generation = self.generation;
        let mut stack = std::mem::take(&mut self.stack);
        let mut rebuilt: SmallVec<[Term; 16]> = SmallVec::new();
        let mut quantifiers: FxHashMap<Term, Quantifier> = FxHashMap::default();
        stack.push((term, 0));
        while let Some((current, next)) = stack.pop() {
            let children = pool.children(current);
            if children.is_empty() {
                let image = match pool.op(current) {
                    Op::Symbol(_) | Op::Value(_) | Op::Bound(_) => leaf(pool, current).unwrap_or(current),
                    _ => current,
                };
                debug_assert_eq!(
                    pool.sort(image),
                    pool.sort(current),
                    "a leaf is replaced by a term of its sort"
                );
                self.images[current.0 as usize] = (generation, image);
                continue;
            }
            if matches!(pool.op(current), Op::Forall | Op::Exists) {
                let quantifier = match quantifiers.remove(&current) {
                    Some(quantifier) => quantifier,
                    None => Quantifier::new(pool, current),
                };
                let images = &self.images;
                let is_pending = |below: &Term| images[below.0 as usize].0 != generation;
                if let Some(offset) = quantifier.outer[next as usize..].iter().position(is_pending) {
                    let at = next + offset as u32;
                    stack.push((current, at + 1));
                    stack.push((quantifier.outer[at as usize], 0));
                    quantifiers.insert(current, quantifier);
                    continue;
                }
                let image = quantifier.replace(pool, |below| images[below.0 as usize].1);
                self.images[current.0 as usize] = (generation, image);
                continue;
            }
            let pending = children[next as usize..]
                .iter()
                .position(|child| self.images[child.0 as usize].0 != generation);
            if let Some(offset) = pending {
                let at = next + offset as u32;
                let child = children[at as usize];
                stack.push((current, at + 1));
                stack.push((child, 0));
                continue;
            }
            rebuilt.clear();
            let mut is_changed = false;
            for child in children {
                let image = self.images[child.0 as usize].1;
                is_changed |= image != *child;
                rebuilt.push(image);
            }
            let image = if is_changed { pool.rebuild(current, &rebuilt) } else { current };
            self.images[current.0 as usize] = (generation, image);
        }
        self.stack = stack;
        self.images[index].1
    }
}

impl TermPool {
    /// Replaces leaves: `leaf` is asked once for every `Symbol`/`Value`/`Bound` leaf below `term`; `None` keeps it.
    /// The result is rebuilt through the constructors. For many terms with one map use [`Substitution`], whose table
    /// this makes anew, and whose words on bound variables hold here.
    pub fn map_leaves(
        &mut self,
        term: Term,
        leaf: &mut dyn FnMut(&mut TermPool, Term) -> Option<Term>,
    ) -> Term {
        // A small term high up in a large pool should not pay for a table over all older ids.
        let mut order = Vec::new();
        let mut has_quantifier = false;
        self.visit(
            &[term],
            |_| true,
            |below| {
                has_quantifier |= matches!(self.op(below), Op::Forall | Op::Exists);
                order.push(below);
            },
        );
        if has_quantifier {
            return Substitution::new().apply_with(self, term, leaf);
        }
        let mut images = FxHashMap::with_capacity_and_hasher(order.len(), Default::default());
        let mut rebuilt: SmallVec<[Term; 16]> = SmallVec::new();
        for current in order {
            let image = match self.op(current) {
                Op::Symbol(_) | Op::Value(_) | Op::Bound(_) => leaf(self, current).unwrap_or(current),
                _ => {
                    rebuilt.clear();
                    rebuilt.extend(self.children(current).iter().map(|child| images[child]));
                    if rebuilt[..] == *self.children(current) {
                        current
                    } else {
                        self.rebuild(current, &rebuilt)
                    }
                }
            };
            images.insert(current, image);
        }
        images[&term]
    }
}
