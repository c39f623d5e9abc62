//! The choice between the exact and the narrow form of interpolants.
//!
//! # Idea
//! The exact form of an interpolant may need a few bits more than the bit vectors have. The narrow
//! form resembles a hand-written formula and is cheaper for solvers, but it is not equivalent:
//! `y = 2x` over bit vectors is weaker than over integers; `x - y ≤ 5` is neither weaker nor
//! stronger. The narrow form is used where it is inductive, too. If all narrow forms together are
//! inductive, all are used. Otherwise, from the leaves up, a narrow form is used if its part and
//! the forms chosen below entail it, and if it entails, with its siblings, the exact form above.
//! The chosen family is inductive at every step.
//!
//! # Cost
//! At most one check per part, and two more per narrow form if the narrow forms together are not
//! inductive.

use super::refuter::refutes;
use backends::interpolation::Problem;
use backends::{Limits, ProverFactory};
use std::time::Duration;
use terms::{Term, TermPool};

/// Time limit of one check.
const LONGEST: Duration = Duration::from_millis(200);

/// Chooses between `exact` and `narrow` for each part but the root, given that `exact` are
/// interpolants. Provers of `integers` check the choice. Once `limits` are exceeded, the remaining
/// parts stay exact.
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
    // Whether a part and the formulas `below` of its children entail its formula in `said`; `false`
    // if the check times out.
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
    // One failure shows that the narrow forms are not inductive together.
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
