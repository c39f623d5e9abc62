//! Which form interpolants get.
//!
//! # Idea
//! The exact form of an interpolant may need a few bits more than the words have; the narrow one is what a person would write, and cheaper for solvers,
//! but another formula: `y = 2x` over words is weaker than over integers, `x - y ≤ 5` is neither. It is used where it is inductive too:
//! if all narrow forms together are, these; otherwise from the leaves up each one that follows from its part and what was chosen below, and from
//! which, with its siblings, what is said above follows in its exact form. So at each moment the whole is inductive.
//!
//! Cost: at most one check for each part, and two more for each narrow form where not all will do.

use super::refuter::refutes;
use backends::interpolation::Problem;
use backends::{Limits, ProverFactory};
use std::time::Duration;
use terms::{Term, TermPool};

/// The longest time for one check.
const LONGEST: Duration = Duration::from_millis(200);

/// One of `exact` and `narrow` for each part but the root, given that `exact` are interpolants: checked by provers of `integers`. Where
/// `limits` end it, the other parts stay exact.
pub(super) fn choose(
    pool: &mut TermPool,
    problem: &Problem,
    integers: &dyn ProverFactory,
    exact: Vec<Term>,
    narrow: &[Term],
    limits: &Limits,
) -> Vec<Term> {
    if exact == narrow {
        return exact;
    }
    let children = problem.tree.children();
    let check = limits.per_check(LONGEST);
    // Whether a part and what `below` says of its children imply what `said` says of it; not, if this is not found out in time.
    let is_inductive = |pool: &mut TermPool, below: &[Term], part: usize, said: &[Term]| {
        let mut conjuncts = problem.parts[part].clone();
        conjuncts.extend(children[part].iter().map(|&child| below[child]));
        if let Some(&said) = said.get(part) {
            if conjuncts.contains(&said) {
                return true;
            }
            conjuncts.push(pool.not(said));
        }
        refutes(integers, pool, conjuncts, &check)
    };
    let is_concerned = |part: usize| exact.get(part) != narrow.get(part);
    // The first that fails says that they do not do together.
    let are_inductive = children.iter().enumerate().all(|(part, below)| {
        !(is_concerned(part) || below.iter().any(|&child| is_concerned(child)))
            || is_inductive(pool, narrow, part, narrow)
    });
    if are_inductive {
        return narrow.to_vec();
    }
    let mut chosen = exact.clone();
    for part in (0..exact.len()).filter(|&part| is_concerned(part)) {
        if limits.exceeded().is_some() {
            break;
        }
        let above = problem.tree.parent(part).expect("only the root has no parent");
        chosen[part] = narrow[part];
        let is_good =
            is_inductive(pool, &chosen, part, &chosen) && is_inductive(pool, &chosen, above, &exact);
        if !is_good {
            chosen[part] = exact[part];
        }
    }
    chosen
}
