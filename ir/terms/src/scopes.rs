//! Bound variables: free occurrences, and capture-avoiding replacement below quantifiers.
//!
//! # Idea
//! The image of a leaf under a [`Substitution`](super::Substitution) does not depend on its
//! position, except below quantifiers: bound variables stay, and a quantifier whose variable is
//! free in an image below it gets a fresh variable. The terms below a quantifier are therefore
//! split. *Outer* terms contain no variable bound in the quantifier and have the same image
//! everywhere; all other terms are rebuilt, once for each scope, from the images of the outer ones.
//!
//! # Cost
//! Linear in the terms below the quantifier, times the depth of the quantifiers that share them,
//! and in the images.

use super::{Op, Sort, Term, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::rc::Rc;

/// The free bound variables of each term that has any.
pub(super) type OpenTerms = FxHashMap<Term, Rc<[Term]>>;

impl TermPool {
    /// The free bound variables of all terms below `roots`, each set ascending.
    pub(super) fn open_terms(&self, roots: &[Term]) -> OpenTerms {
        let mut open = OpenTerms::default();
        self.visit(
            roots,
            |_| true,
            |term| {
                let children = self.children(term);
                if matches!(self.op(term), Op::Bound(_)) {
                    open.insert(term, Rc::new([term]));
                    return;
                }
                if open.is_empty() {
                    return;
                }
                if matches!(self.op(term), Op::Forall | Op::Exists) {
                    let (body, bound) = children.split_last().expect("a quantifier has a body");
                    if let Some(free) = open.get(body) {
                        let rest: Rc<[Term]> = free.iter().copied().filter(|t| !bound.contains(t)).collect();
                        if !rest.is_empty() {
                            open.insert(term, rest);
                        }
                    }
                    return;
                }
                let mut union: Option<Rc<[Term]>> = None;
                for child in children {
                    let Some(free) = open.get(child) else { continue };
                    union = Some(match union {
                        None => free.clone(),
                        Some(so_far) if free.iter().all(|t| so_far.contains(t)) => so_far,
                        Some(so_far) => {
                            let mut both: Vec<Term> = so_far.iter().chain(free.iter()).copied().collect();
                            both.sort_unstable();
                            both.dedup();
                            both.into()
                        }
                    });
                }
                if let Some(union) = union {
                    open.insert(term, union);
                }
            },
        );
        open
    }

    /// The bound variables with an occurrence in `term` outside of any quantifier that binds them,
    /// ascending.
    pub fn free_bound_variables(&self, term: Term) -> Vec<Term> {
        self.open_terms(&[term]).get(&term).map_or(Vec::new(), |free| free.to_vec())
    }
}

/// A quantifier whose outer terms are to be replaced.
pub(super) struct Quantifier {
    term: Term,
    /// The terms to rebuild.
    inner: FxHashSet<Term>,
    /// The maximal subterms without a variable bound in the quantifier, and the free variables of
    /// the quantifier.
    pub(super) outer: Vec<Term>,
}

/// A scope: the variables of a quantifier with their replacements.
struct Scope {
    parent: Option<usize>,
    variables: SmallVec<[(Term, Term); 4]>,
}

fn is_quantifier(pool: &TermPool, term: Term) -> bool {
    matches!(pool.op(term), Op::Forall | Op::Exists)
}

impl Quantifier {
    pub(super) fn new(pool: &TermPool, term: Term) -> Self {
        let open = pool.open_terms(&[term]);
        let mut bound: FxHashSet<Term> = FxHashSet::default();
        pool.visit(
            &[term],
            |_| true,
            |below| {
                if is_quantifier(pool, below) {
                    bound.extend(pool.children(below).iter().rev().skip(1));
                }
            },
        );
        let is_inner = |below: Term| {
            below == term || open.get(&below).is_some_and(|free| free.iter().any(|free| bound.contains(free)))
        };
        let (mut inner, mut outer) = (FxHashSet::default(), Vec::new());
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut stack = vec![term];
        while let Some(below) = stack.pop() {
            if !seen.insert(below) {
                continue;
            }
            if !is_inner(below) {
                outer.push(below);
                continue;
            }
            inner.insert(below);
            if is_quantifier(pool, below) {
                stack.extend(pool.children(below).last());
            } else {
                stack.extend_from_slice(pool.children(below));
            }
        }
        // A variable may be free in the quantifier and also bound in a part of it.
        if let Some(free) = open.get(&term) {
            outer.extend(free.iter().filter(|free| inner.contains(free)));
        }
        Quantifier { term, inner, outer }
    }

    /// Replaces each outer term by its `image`.
    pub(super) fn replace(&self, pool: &mut TermPool, image: impl Fn(Term) -> Term) -> Term {
        let changed: Vec<Term> = self
            .outer
            .iter()
            .map(|&term| (term, image(term)))
            .filter(|(a, b)| a != b)
            .map(|(_, b)| b)
            .collect();
        if changed.is_empty() {
            return self.term;
        }
        let open = pool.open_terms(&changed);
        let captured: FxHashSet<Term> = changed
            .iter()
            .filter_map(|image| open.get(image))
            .flat_map(|free| free.iter().copied())
            .collect();
        let mut scopes: Vec<Scope> = Vec::new();
        let mut opened: FxHashMap<(Term, Option<usize>), usize> = FxHashMap::default();
        let mut images: FxHashMap<(Term, Option<usize>), Term> = FxHashMap::default();
        let mut stack: Vec<(Term, Option<usize>)> = vec![(self.term, None)];
        let mut rebuilt: SmallVec<[Term; 16]> = SmallVec::new();
        'work: while let Some(&(term, scope)) = stack.last() {
            let look_up = |term: Term, scope: Option<usize>, scopes: &[Scope]| {
                if !self.inner.contains(&term) {
                    return Some(image(term));
                }
                if images.contains_key(&(term, scope)) {
                    return images.get(&(term, scope)).copied();
                }
                if !matches!(pool.op(term), Op::Bound(_)) {
                    return None;
                }
                let mut scope = scope;
                while let Some(index) = scope {
                    let Scope { parent, variables } = &scopes[index];
                    if let Some((_, to)) = variables.iter().find(|(from, _)| *from == term) {
                        return Some(*to);
                    }
                    scope = *parent;
                }
                Some(image(term))
            };
            rebuilt.clear();
            let op = pool.op(term);
            let mut missing = None;
            let mut enter = None;
            if let (Op::Forall | Op::Exists, [bound @ .., body]) = (op, pool.children(term)) {
                match opened.get(&(term, scope)) {
                    Some(&inside) => {
                        rebuilt.extend(scopes[inside].variables.iter().map(|(_, to)| *to));
                        match look_up(*body, Some(inside), &scopes) {
                            Some(body) => rebuilt.push(body),
                            None => missing = Some((*body, Some(inside))),
                        }
                    }
                    None => enter = Some(SmallVec::<[Term; 4]>::from_slice(bound)),
                }
            } else {
                for &child in pool.children(term) {
                    match look_up(child, scope, &scopes) {
                        Some(child) => rebuilt.push(child),
                        None => {
                            missing = Some((child, scope));
                            break;
                        }
                    }
                }
            }
            if let Some(bound) = enter {
                let mut variables = SmallVec::new();
                for variable in bound {
                    let is_captured = captured.contains(&variable);
                    variables
                        .push((variable, if is_captured { pool.fresh_bound(variable) } else { variable }));
                }
                opened.insert((term, scope), scopes.len());
                scopes.push(Scope { parent: scope, variables });
                continue 'work;
            }
            match missing {
                Some(missing) => stack.push(missing),
                None => {
                    let built = pool.construct(op, &rebuilt);
                    images.insert((term, scope), built);
                    stack.pop();
                }
            }
        }
        images[&(self.term, None)]
    }
}

impl TermPool {
    /// A fresh bound variable of the sort of `variable`: its name is that of `variable` with a
    /// suffix that makes it unused in this pool.
    pub fn fresh_bound(&mut self, variable: Term) -> Term {
        let Op::Bound(id) = self.op(variable) else { panic!("{variable} should be a bound variable") };
        let (name, sort): (String, Sort) = (self.bound_name(id).to_owned(), self.sort(variable));
        let fresh = (1u64..)
            .map(|suffix| format!("{name}!{suffix}"))
            .find(|name| !self.has_bound_name(name))
            .expect("only finitely many names are in use");
        self.bound(&fresh, sort)
    }
}
