//! Substitution of leaves.
//!
//! A [`Substitution`] caches the image of every term, so that instantiating many terms with one map
//! processes each distinct term once. The default table [`Dense`] is indexed by the id of the
//! *source* terms, grows to the youngest one seen, and is cleared in O(1) by a generation counter:
//! an unroller keeps one object and calls [`clear`](Substitution::clear) for each frame. [`Sparse`]
//! is for few terms of a large pool.

use super::scopes::Quantifier;
use super::table::TermMap;
use super::{Op, Term, TermPool};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A table of images of terms.
pub trait Images: Default {
    /// The image of a term, if there is one.
    fn get(&self, term: Term) -> Option<Term>;
    /// Adds or replaces an image. Cheap for terms up to the youngest one passed to
    /// [`make_room`](Self::make_room) or set before.
    fn set(&mut self, term: Term, image: Term);
    /// Reserves space for images of terms up to `youngest`.
    fn make_room(&mut self, youngest: Term);
    /// Removes all images.
    fn clear(&mut self);
}

/// A table of all terms up to the youngest one with an image. Lookup is fast, clearing is O(1).
#[derive(Debug)]
pub struct Dense {
    /// For each source term its image, and the generation in which it was computed.
    images: Vec<(u32, Term)>,
    generation: u32,
}

impl Default for Dense {
    fn default() -> Self {
        Dense { images: Vec::new(), generation: 1 }
    }
}

impl Images for Dense {
    #[inline]
    fn get(&self, term: Term) -> Option<Term> {
        match self.images.get(term.0 as usize) {
            Some(&(generation, image)) if generation == self.generation => Some(image),
            _ => None,
        }
    }

    #[inline]
    fn set(&mut self, term: Term, image: Term) {
        self.make_room(term);
        self.images[term.0 as usize] = (self.generation, image);
    }

    #[inline]
    fn make_room(&mut self, youngest: Term) {
        let index = youngest.0 as usize;
        if index >= self.images.len() {
            self.images.resize(index + 1, (0, youngest));
        }
    }

    fn clear(&mut self) {
        if self.generation == u32::MAX {
            self.images.clear();
            self.generation = 0;
        }
        self.generation += 1;
    }
}

/// A hash table of the terms with images. For few small terms in a large pool, where a dense table
/// would cover all older terms.
#[derive(Debug, Default)]
pub struct Sparse {
    images: TermMap,
}

impl Images for Sparse {
    fn get(&self, term: Term) -> Option<Term> {
        self.images.get(term).map(Term)
    }

    fn set(&mut self, term: Term, image: Term) {
        self.images.insert(term, image.0);
    }

    fn make_room(&mut self, _: Term) {}

    fn clear(&mut self) {
        self.images.clear();
    }
}

/// A map from leaves to terms of the same sort, applied to many terms.
///
/// The substitution is capture-avoiding: only free occurrences of bound variables are replaced, and
/// a quantifier whose variable is free in an image below it gets a fresh variable. A mapped term
/// that is not a leaf is not replaced inside a quantifier that binds one of its variables.
#[derive(Debug, Default)]
pub struct Substitution<I = Dense> {
    images: I,
    stack: Vec<(Term, u32)>,
}

impl Substitution {
    /// Creates the identity.
    pub fn new() -> Self {
        Substitution::default()
    }
}

impl Substitution<Sparse> {
    /// Creates the identity, for few terms of a large pool.
    pub fn sparse() -> Self {
        Substitution::default()
    }
}

impl<I: Images> Substitution<I> {
    /// Removes all images.
    pub fn clear(&mut self) {
        self.images.clear();
    }

    /// Maps the term `from`, a leaf or not, to `to` of the same sort. Terms instantiated before are
    /// not revised.
    pub fn insert(&mut self, from: Term, to: Term) {
        self.images.set(from, to);
    }

    /// The image of a term that was inserted or visited before.
    #[inline]
    pub fn get(&self, term: Term) -> Option<Term> {
        self.images.get(term)
    }

    /// Replaces every inserted term in `term`; other leaves stay.
    pub fn apply(&mut self, pool: &mut TermPool, term: Term) -> Term {
        self.apply_with(pool, term, &mut |_, _| None)
    }

    /// Replaces every leaf of `term`. `leaf` is called once for each `Symbol`, `Value` and `Bound`
    /// leaf without an image; if it returns `None`, the leaf stays. The result is built through the
    /// simplifying constructors.
    pub fn apply_with(
        &mut self,
        pool: &mut TermPool,
        term: Term,
        leaf: &mut dyn FnMut(&mut TermPool, Term) -> Option<Term>,
    ) -> Term {
        if let Some(image) = self.get(term) {
            return image;
        }
        let images = &mut self.images;
        // All subterms are older than the root, so the table grows once.
        images.make_room(term);
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
                images.set(current, image);
                continue;
            }
            let is_pending = |below: &Term| images.get(*below).is_none();
            let known = |below: Term| images.get(below).expect("a subterm is processed before its parent");
            if matches!(pool.op(current), Op::Forall | Op::Exists) {
                let quantifier = match quantifiers.remove(&current) {
                    Some(quantifier) => quantifier,
                    None => Quantifier::new(pool, current),
                };
                if let Some(offset) = quantifier.outer[next as usize..].iter().position(is_pending) {
                    let at = next + offset as u32;
                    stack.push((current, at + 1));
                    stack.push((quantifier.outer[at as usize], 0));
                    quantifiers.insert(current, quantifier);
                    continue;
                }
                let image = quantifier.replace(pool, known);
                images.set(current, image);
                continue;
            }
            if let Some(offset) = children[next as usize..].iter().position(is_pending) {
                let at = next + offset as u32;
                let child = children[at as usize];
                stack.push((current, at + 1));
                stack.push((child, 0));
                continue;
            }
            rebuilt.clear();
            rebuilt.extend(children.iter().map(|&child| known(child)));
            let image = if rebuilt[..] == *children { current } else { pool.rebuild(current, &rebuilt) };
            images.set(current, image);
        }
        self.stack = stack;
        self.images.get(term).expect("the root is processed last")
    }
}

impl TermPool {
    /// Replaces leaves: `leaf` is called once for every `Symbol`, `Value` and `Bound` leaf below
    /// `term`; if it returns `None`, the leaf stays. The result is rebuilt through the simplifying
    /// constructors; bound variables are handled as by [`Substitution`], which also keeps its
    /// images for many terms with one map.
    pub fn map_leaves(
        &mut self,
        term: Term,
        leaf: &mut dyn FnMut(&mut TermPool, Term) -> Option<Term>,
    ) -> Term {
        Substitution::sparse().apply_with(self, term, leaf)
    }
}
