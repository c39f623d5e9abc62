//! The scenario that all random tests of the prover share.

use super::proving;
use crate::CraigProver;
use crate::prover::cnf::reading::Reader;
use crate::prover::proof::{Origin, Step};
use crate::prover::theory::Lemma;
use backends::conformance::random::Random;
use backends::{Limits, Outcome, Prover, ProverFactory, Reason, Status};
use std::ops::RangeInclusive;
use std::time::Duration;
use terms::{Term, TermPool, Value};

/// The outcomes of checks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) satisfiable: usize,
    pub(super) unsatisfiable: usize,
    pub(super) gave_up: usize,
}

/// Creates a formula of some depth.
pub(super) type Maker<'a> = &'a dyn Fn(&mut Random, &mut TermPool, u32) -> Term;

/// Asserts formulas one by one, in scopes or not, with a check after each.
pub(super) struct Scenario<'a> {
    pub(super) seed: u64,
    /// The number of formulas.
    pub(super) length: usize,
    /// Their depth.
    pub(super) depth: RangeInclusive<u32>,
    /// The time limit of each check.
    pub(super) time: Duration,
    pub(super) formula: Maker<'a>,
}

impl Scenario<'_> {
    /// Evaluates models, checks proofs, and asks z3 to confirm each refutation. Calls `on_lemma`
    /// for each lemma step.
    pub(super) fn run(
        &self,
        random: &mut Random,
        pool: &mut TermPool,
        counts: &mut Counts,
        on_lemma: &mut dyn FnMut(&CraigProver, &mut TermPool, &Step, Lemma),
    ) {
        let Scenario { seed, formula: make, .. } = *self;
        let limits = Limits { time: Some(self.time), ..Limits::default() };
        let mut prover = proving();
        prover.set_limits(&limits);
        let mut other = backend_z3::factory().new_prover("ALL", &limits).expect("z3 is available");
        let mut asserted: Vec<Term> = Vec::new();
        let mut scopes = Vec::new();
        for _ in 0..self.length {
            if random.chance(1, 3) {
                scopes.push(asserted.len());
                prover.push().expect("scopes can be opened");
                other.push().expect("scopes can be opened");
            } else if random.chance(1, 4)
                && let Some(length) = scopes.pop()
            {
                asserted.truncate(length);
                prover.pop().expect("a scope is open");
                other.pop().expect("a scope is open");
            }
            let range = (self.depth.end() - self.depth.start() + 1) as usize;
            let depth = self.depth.start() + random.below(range) as u32;
            let formula = make(random, pool, depth);
            prover.assert(pool, formula).expect("the formula is supported");
            other.assert(pool, formula).expect("the formula is supported");
            asserted.push(formula);
            let assumption = make(random, pool, 2);
            let is_refuted = match prover.check(pool, &[assumption]) {
                Outcome::Sat(mut model) => {
                    counts.satisfiable += 1;
                    for &formula in asserted.iter().chain([&assumption]) {
                        let value = model.eval(pool, formula).expect("a value");
                        assert_eq!(value, Value::Bool(true), "seed {seed}: {}", pool.display(formula));
                    }
                    false
                }
                Outcome::Unsat(_) => true,
                Outcome::Unknown(reason) => {
                    let may_be = matches!(reason, Reason::Timeout | Reason::Incomplete(_));
                    assert!(may_be, "seed {seed}: {reason}");
                    counts.gave_up += 1;
                    false
                }
            };
            if is_refuted {
                counts.unsatisfiable += 1;
                check_proof(&prover, &mut |step, lemma| on_lemma(&prover, pool, step, lemma));
                let shown: Vec<String> =
                    asserted.iter().map(|&formula| pool.display(formula).to_string()).collect();
                let status = other.status(pool, &[assumption]);
                assert_ne!(status, Status::Sat, "seed {seed}: {shown:#?} {}", pool.display(assumption));
            }
        }
    }
}

/// Checks the proof of the last answer and its inputs. Calls `on_lemma` for each lemma step.
pub(super) fn check_proof(prover: &CraigProver, on_lemma: &mut dyn FnMut(&Step, Lemma)) {
    // There is no proof if two assumptions contradict each other.
    let Some(proof) = prover.proof() else { return };
    assert_eq!(prover.check_proof(&proof), Ok(()));
    for step in &proof.steps {
        match step.origin {
            Origin::Input(tag) => super::check_input(prover, tag),
            Origin::Lemma(number) => on_lemma(step, Lemma::from_number(number)),
            Origin::Chain { .. } => {}
        }
    }
}

/// The negated literals of a lemma, as terms.
pub(super) fn denied(prover: &CraigProver, pool: &mut TermPool, lemma: &Step) -> Vec<Term> {
    let mut reader = Reader::default();
    let literals = lemma.literals.iter();
    literals
        .map(|&literal| reader.literal(pool, prover.theory(), !literal).expect("it is no selector"))
        .collect()
}
