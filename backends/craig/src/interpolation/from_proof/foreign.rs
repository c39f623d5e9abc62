//! Names out of place, eliminated.
//!
//! # Idea
//! Of a proof in which names were widened (`span`) the partial interpolant I at a cut may have names that are not shared: names x of the
//! inside and names y of the outside. What is shared by right is said by
//!
//! ```text
//! ∃x ∀y I
//! ```
//!
//! For two parts: A has an x for which I holds whatever y is, because A does not speak of y; and for the y of B no x makes I hold.
//!
//! **Trees.** At a node, each child gives values to its x, which is of its subtree alone, so that no two children give the same name
//! one. What else is the inside's here is the node's, and has some value. With these values, and any values of what is of the
//! outside here, and so of the outside of each child that has not given it a value, the interpolants of the children hold
//! with what the node says. So does the one of the node: it holds for some x and all y.
//!
//! This is the view of Christ, Hoenicke, Nutz, *Proof Tree Preserving Interpolation*, TACAS 2013, that a mixed literal is about a value
//! that is not shared.
//!
//! DIVERGENCE: they have a fresh name for each mixed literal and substitute it away, which takes a form of the lemmas that
//! allows it. Here it is the name itself that is quantified, and [`Eliminator`] has to know how to do without, which
//! it does for numbers (by divisibility, if they are integers), truth values, words, and functions, but not for arguments of
//! functions.
//!
//! # Limits
//! What elimination makes weaker is an interpolant only if it is inductive all the same: that is checked, and else it is refused.

use super::span::Spans;
use crate::factory;
use backends::interpolation::elimination::{Eliminator, Precision};
use backends::interpolation::vocabulary::{Name, names};
use backends::interpolation::{Certifier, Problem, Quantifiers};
use backends::{Limits, ProverFactory, Reason};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use terms::{Term, TermPool};

/// Eliminates the names that are not shared at their cuts.
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

/// Names of one side only.
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
        // Not shared, it is on one side altogether.
        let is_inside = spans.first(narrow).is_some_and(|node| spans.tree.subtree(cut)[node]);
        let side = if is_inside { &mut foreign.inside } else { &mut foreign.outside };
        side.insert(name);
    }
    foreign
}
