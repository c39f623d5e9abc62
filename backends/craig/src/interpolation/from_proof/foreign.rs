//! Elimination of foreign names from partial interpolants.
//!
//! # Idea
//! In a proof with widened names (`span`), the partial interpolant I at a cut may contain *foreign*
//! names, which the sides do not share: names x of the inside and names y of the outside. The
//! interpolant over the shared names is
//!
//! ```text
//! ∃x ∀y I
//! ```
//!
//! For two parts: A has an x for which I holds for all y, because y does not occur in A; B has a y
//! for which I holds for no x.
//!
//! **Trees.** At a node, each child determines values of its own x. These names occur in the
//! child's subtree alone, so no two children determine the same name. The other foreign names of
//! the inside belong to the node itself and have some value. Take these values and arbitrary values
//! of the outside names; this fixes the outside names of each child, too. Then the interpolants of
//! the children and the formulas of the node hold, and so does the interpolant of the node: it
//! holds for some x and all y.
//!
//! This matches the view of Christ, Hoenicke, Nutz, *Proof Tree Preserving Interpolation*, TACAS
//! 2013, that a mixed literal is about a value that is not shared.
//!
//! DIVERGENCE: they introduce a fresh name for each mixed literal and substitute it away, which
//! restricts the form of lemmas. Here the foreign name itself is quantified and [`Eliminator`]
//! eliminates it. That works for numbers (with divisibility for integers), Booleans, bit vectors
//! and functions, but not for arguments of functions.
//!
//! # Limits
//! If the elimination is inexact, the result is an interpolant only if it happens to be inductive.
//! This is checked; otherwise the source answers [`Reason::Unsupported`].

use super::span::Spans;
use crate::factory;
use backends::interpolation::elimination::{Eliminator, Precision};
use backends::interpolation::vocabulary::{Name, names};
use backends::interpolation::{Certifier, Problem, Quantifiers};
use backends::{Limits, ProverFactory, Reason};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use terms::{Term, TermPool};

/// Eliminates the foreign names from the interpolant of each cut.
pub(super) fn eliminate(
    pool: &mut TermPool,
    problem: &Problem,
    spans: &Spans,
    interpolants: &mut [Term],
    limits: &Limits,
) -> Result<(), Reason> {
    let factories: Vec<Rc<dyn ProverFactory>> = vec![Rc::new(factory())];
    let mut eliminator = Eliminator::new(&factories, Quantifiers::Refused, limits);
    let mut precision = Precision::Exact;
    for (cut, interpolant) in interpolants.iter_mut().enumerate() {
        let Foreign { inside, outside } = foreign(pool, spans, *interpolant, cut);
        let mut allowed: FxHashSet<Name> = names(pool, &[*interpolant]).into_iter().collect();
        if !outside.is_empty() {
            allowed.retain(|name| !outside.contains(name));
            let negation = pool.not(*interpolant);
            let projection = eliminator.project(pool, &[negation], &allowed)?;
            precision = precision.max(projection.precision);
            let exists = pool.and(&projection.conjuncts);
            *interpolant = pool.not(exists);
        }
        if !inside.is_empty() {
            allowed.retain(|name| !inside.contains(name));
            let projection = eliminator.project(pool, &[*interpolant], &allowed)?;
            precision = precision.max(projection.precision);
            *interpolant = pool.and(&projection.conjuncts);
        }
        *interpolant = super::simplify::simplify(pool, *interpolant, limits)?;
    }
    if precision == Precision::Weaker {
        let certifier = Certifier { factories };
        if certifier.certify(pool, problem, interpolants, limits).is_err() {
            return Err(limits.exceeded().unwrap_or_else(|| super::mixed("argument of a function")));
        }
    }
    Ok(())
}

/// The names that occur on one side only.
#[derive(Default)]
struct Foreign {
    inside: FxHashSet<Name>,
    outside: FxHashSet<Name>,
}

fn foreign(pool: &TermPool, spans: &Spans, interpolant: Term, cut: usize) -> Foreign {
    let mut foreign = Foreign::default();
    for name in names(pool, &[interpolant]) {
        let Some(narrow) = spans.narrow(name) else { continue };
        if spans.is_shared(narrow, cut) {
            continue;
        }
        // A name that is not shared occurs on one side only.
        let is_inside = spans.first(narrow).is_some_and(|node| spans.tree.subtree(cut)[node]);
        let side = if is_inside { &mut foreign.inside } else { &mut foreign.outside };
        side.insert(name);
    }
    foreign
}
