//! Formulas that hold of all paths of a power, and exclude a source and a target.
//!
//! First, as in property-directed reachability, few literals of source and target are chosen that
//! contradict all paths: a core, of which each literal is dropped if the rest suffices. Then an
//! inequality of the source and one of the target are replaced by their sum, if that suffices: with
//! `x ≤ 0` and `x' > 8`, no path leads from one to the other, and neither does one with `x' - x >
//! 8`, from anywhere. The negation of the literals holds of all paths. It still does if the
//! constant of each inequality is as weak as possible, such as `x' - x > 4` after four steps: this
//! formula excludes more, but the first one may hold of longer paths as well, so both are used.
//!
//! An interpolant between the paths and the literals is stronger than the negation, but it costs a
//! refutation in a solver of proofs.
//!
//! DIVERGENCE from the publications, which rely on interpolants alone: cores, sums and constants
//! are ours.
//!
//! # Cost
//! A check for each dropped literal and each sum, and some in vain; about 2 log d checks for a
//! constant that changes by d. Once interpolation has taken more than a quarter of the effort of
//! the search, it is left out.

use super::super::literals::{MAX_FAILURES, fewer};
use super::system::{FIRST, LAST, Steps};
use super::{Found, Paths};
use backends::effort::Moment;
use backends::interpolation::Problem;
use backends::interpolation::elimination::Inequality;
use backends::{Limits, Outcome, Reason, Status};
use num_rational::BigRational;
use num_traits::One;
use rustc_hash::FxHashSet;
use std::time::Duration;
use terms::{Term, TermPool};

/// The largest change of a constant.
const MAX_DISTANCE: u64 = 1 << 40;
/// The part of the effort of a search that interpolation may take.
const SHARE: u32 = 4;
/// The effort before the share matters.
const FREE: Duration = Duration::from_millis(300);

/// The cost of interpolation.
pub(super) struct Exclusion {
    start: Moment,
    spent: Duration,
}

impl Exclusion {
    pub(super) fn new() -> Self {
        Exclusion { start: Moment::now(), spent: Duration::ZERO }
    }

    /// Generalizes literals of a source and a target that contradict all paths.
    pub(super) fn formula(
        &mut self,
        pool: &mut TermPool,
        steps: &Steps,
        paths: &mut Paths,
        core: Vec<Term>,
        limits: &Limits,
    ) -> Result<Found, Reason> {
        let core = fewer(core, |rest| core_of(pool, paths, rest))?;
        let core = sums(pool, steps, paths, core)?;
        let weakest = weakest(pool, paths, core.clone())?;
        let negations = [&core, &weakest].map(|literals| {
            let all = pool.and(literals);
            pool.not(all)
        });
        let negation = pool.and(&negations);
        // The negation of a formula with other symbols, which are existentially quantified, would
        // not hold of all paths.
        let is_formula = steps.is_about_states(pool, negation);
        let is_spent = self.spent > FREE && self.spent * SHARE > self.start.elapsed();
        if core.is_empty() || (is_formula && is_spent) {
            return Ok(Found::Nothing(negation));
        }
        let before = Moment::now();
        let interpolant = interpolant(pool, paths, &core);
        self.spent += before.elapsed();
        match (interpolant, limits.exceeded()) {
            (Ok(interpolant), _) if is_formula => Ok(Found::Nothing(pool.and2(interpolant, negation))),
            (Ok(interpolant), _) => Ok(Found::Nothing(interpolant)),
            (Err(_), Some(reason)) => Err(reason),
            (Err(_), None) if is_formula => Ok(Found::Nothing(negation)),
            (Err(reason), None) => Err(reason),
        }
    }
}

/// The literals that suffice to contradict all paths, if these do.
fn core_of(pool: &TermPool, paths: &mut Paths, literals: &[Term]) -> Result<Option<Vec<Term>>, Reason> {
    match paths.prover.check(pool, literals) {
        Outcome::Unsat(mut refutation) => {
            let core = refutation.unsat_core()?;
            Ok(Some(core.into_iter().map(|place| literals[place]).collect()))
        }
        Outcome::Sat(_) => Ok(None),
        Outcome::Unknown(reason) => Err(reason),
    }
}

/// The literals, with sums in place of pairs of inequalities, which still contradict all paths.
fn sums(
    pool: &mut TermPool,
    steps: &Steps,
    paths: &mut Paths,
    mut core: Vec<Term>,
) -> Result<Vec<Term>, Reason> {
    let mut failures = 0;
    let mut tried = FxHashSet::default();
    while let Some(rest) = next_sum(pool, steps, &core, &mut tried) {
        match core_of(pool, paths, &rest)? {
            Some(found) => {
                core = found;
                failures = 0;
            }
            None => {
                failures += 1;
                if failures == MAX_FAILURES {
                    break;
                }
            }
        }
    }
    Ok(core)
}

/// Weakens the constant of each inequality as far as the literals still contradict all paths.
fn weakest(pool: &mut TermPool, paths: &mut Paths, mut core: Vec<Term>) -> Result<Vec<Term>, Reason> {
    for index in 0..core.len() {
        let Some(inequality) = Inequality::of(pool, core[index]) else { continue };
        let mut is_refuted = |distance: u64| {
            let mut weaker = inequality.clone();
            weaker.linear.constant -= BigRational::from_integer(distance.into());
            core[index] = weaker.term(pool);
            match paths.prover.status(pool, &core) {
                Status::Unsat => Ok(true),
                Status::Sat => Ok(false),
                Status::Unknown(reason) => Err(reason),
            }
        };
        // The largest distance that is refuted, and the smallest that is not.
        let (mut refuted, mut possible) = (0, 1);
        while possible < MAX_DISTANCE && is_refuted(possible)? {
            (refuted, possible) = (possible, 2 * possible);
        }
        while possible - refuted > 1 {
            let middle = refuted + (possible - refuted) / 2;
            match is_refuted(middle)? {
                true => refuted = middle,
                false => possible = middle,
            }
        }
        let mut weakest = inequality;
        weakest.linear.constant -= BigRational::from_integer(refuted.into());
        core[index] = weakest.term(pool);
    }
    Ok(core)
}

/// The literals with a new sum in place of its two summands.
fn next_sum(
    pool: &mut TermPool,
    steps: &Steps,
    core: &[Term],
    tried: &mut FxHashSet<(Term, Term)>,
) -> Option<Vec<Term>> {
    for &first in core.iter().filter(|&&literal| steps.is_about(pool, literal, FIRST)) {
        for &last in core.iter().filter(|&&literal| steps.is_about(pool, literal, LAST)) {
            if first == last || !tried.insert((first, last)) {
                continue;
            }
            let (Some(a), Some(b)) = (Inequality::of(pool, first), Inequality::of(pool, last)) else {
                continue;
            };
            if a.linear.sort != b.linear.sort {
                continue;
            }
            let mut linear = a.linear;
            linear.add_scaled(&b.linear, &BigRational::one());
            let sum = Inequality::new(linear, a.is_strict || b.is_strict).term(pool);
            let others = core.iter().copied().filter(|&literal| literal != first && literal != last);
            return Some(others.chain([sum]).collect());
        }
    }
    None
}

/// An interpolant between all paths and the literals.
fn interpolant(pool: &mut TermPool, paths: &mut Paths, ends: &[Term]) -> Result<Term, Reason> {
    let problem = Problem::binary(paths.asserted.clone(), ends.to_vec());
    match paths.prover.check(pool, ends) {
        Outcome::Unsat(mut refutation) => {
            let found = refutation.interpolants(pool, &problem)?;
            Ok(pool.and(&found))
        }
        Outcome::Sat(_) => Err(Reason::Fault("a refuted formula is satisfiable".to_owned())),
        Outcome::Unknown(reason) => Err(reason),
    }
}
