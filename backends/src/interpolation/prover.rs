//! Provers whose refutations have interpolants.
//!
//! The prover logs what is asserted, by scope, under numbers of its own: those of the prover inside may differ, for
//! instance after a failed assertion. A refutation borrows the log, makes a [`Problem`] of the parts it is asked for, and
//! hands that to an [`Interpolation`].

use super::{Interpolation, Problem, Tree};
use crate::{AssertionId, Limits, Outcome, Prover, ProverFactory, Reason, Refutation, Status, Wrapper};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use std::time::Duration;
use terms::{Symbol, Term, TermPool};

/// Fewer assertions than this are no parts of a path.
const FEWEST_PARTS: usize = 3;

/// Refutes what `prover` has asserted [part by part](Prover::refute_by_parts), where a check of the whole does not end `at_once`: it may need a
/// number of conflicts that is exponential in the number of parts. `limits` are those of the prover, before and after.
pub fn refute_if_hard(
    prover: &mut dyn Prover,
    pool: &mut TermPool,
    limits: &Limits,
    at_once: Duration,
) -> bool {
    prover.set_limits(&limits.per_check(at_once));
    let status = prover.status(pool, &[]);
    prover.set_limits(limits);
    let is_hard = status == Status::Unknown(Reason::Timeout) && limits.exceeded().is_none();
    is_hard && prover.refute_by_parts(pool)
}

/// A factory of provers that log their assertions and hand the parts of an unsatisfiable set to an [`Interpolation`].
pub struct Interpolating {
    /// Decides.
    pub factory: Rc<dyn ProverFactory>,
    /// Makes the sources of a new prover.
    pub interpolation: Rc<dyn Fn() -> Interpolation>,
}

impl Wrapper for Interpolating {
    fn inner(&self) -> &dyn ProverFactory {
        &*self.factory
    }

    fn wrap(&self, logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
        Ok(Box::new(InterpolatingProver {
            inner: self.factory.new_prover(logic, limits)?,
            interpolation: (self.interpolation)(),
            limits: limits.clone(),
            log: Log::default(),
            refuted: None,
        }))
    }
}

struct InterpolatingProver {
    inner: Box<dyn Prover>,
    interpolation: Interpolation,
    limits: Limits,
    log: Log,
    /// What was refuted part by part, since what is asserted has changed.
    refuted: Option<(Problem, Vec<Term>)>,
}

/// What is asserted.
#[derive(Default)]
struct Log {
    /// The assertions of all open scopes, ascending by number.
    live: Vec<(AssertionId, Term)>,
    /// For each open scope, how many assertions are older.
    scopes: Vec<usize>,
    /// How many assertions there ever were.
    count: u32,
}

impl Prover for InterpolatingProver {
    fn push(&mut self) -> Result<(), Reason> {
        self.inner.push()?;
        self.log.scopes.push(self.log.live.len());
        Ok(())
    }

    fn pop(&mut self) -> Result<(), Reason> {
        self.inner.pop()?;
        let Some(older) = self.log.scopes.pop() else {
            return Err(Reason::Misuse("a pop without a push".to_owned()));
        };
        self.log.live.truncate(older);
        self.refuted = None;
        Ok(())
    }

    fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<AssertionId, Reason> {
        self.inner.assert(pool, formula)?;
        let id = AssertionId(self.log.count);
        self.log.count += 1;
        self.log.live.push((id, formula));
        self.refuted = None;
        Ok(id)
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Outcome<'_> {
        let InterpolatingProver { inner, interpolation, limits, log, refuted } = self;
        let inner = if assumptions.is_empty() && refuted.is_some() {
            None
        } else {
            match inner.check(pool, assumptions) {
                Outcome::Unsat(inner) => Some(inner),
                other => return other,
            }
        };
        Outcome::Unsat(Box::new(InterpolatingRefutation {
            inner,
            known: refuted.as_ref(),
            interpolation,
            limits,
            log,
            assumptions: assumptions.to_vec(),
        }))
    }

    fn refute_by_parts(&mut self, pool: &mut TermPool) -> bool {
        if self.log.live.len() < FEWEST_PARTS {
            return false;
        }
        if self.refuted.is_none() {
            let parts = self.log.live.iter().map(|&(_, formula)| vec![formula]).collect();
            let problem = Problem::sequence(parts);
            let interpolants = self.interpolation.refute(pool, &problem, &self.limits);
            self.refuted = interpolants.map(|interpolants| (problem, interpolants));
        }
        self.refuted.is_some()
    }

    fn set_limits(&mut self, limits: &Limits) {
        self.limits = limits.clone();
        self.inner.set_limits(limits);
    }

    fn eliminate(
        &mut self,
        pool: &mut TermPool,
        formula: Term,
        variables: &[Symbol],
    ) -> Result<Term, Reason> {
        self.inner.eliminate(pool, formula, variables)
    }
}

struct InterpolatingRefutation<'p> {
    /// Of the prover inside, unless the refutation is by parts.
    inner: Option<Box<dyn Refutation + 'p>>,
    /// A problem that is solved already.
    known: Option<&'p (Problem, Vec<Term>)>,
    interpolation: &'p mut Interpolation,
    limits: &'p Limits,
    log: &'p Log,
    assumptions: Vec<Term>,
}

impl InterpolatingRefutation<'_> {
    /// The formulas of the parts; the last one gets the assumptions and what is in no part.
    fn parts(&self, parts: &[&[AssertionId]]) -> Result<Vec<Vec<Term>>, Reason> {
        let mut used = FxHashSet::default();
        let mut formulas = Vec::with_capacity(parts.len());
        for part in parts {
            let mut own = Vec::with_capacity(part.len());
            for &id in *part {
                if id.0 >= self.log.count {
                    return Err(Reason::Misuse(format!("there is no assertion {}", id.0)));
                }
                let Ok(at) = self.log.live.binary_search_by_key(&id, |&(id, _)| id) else {
                    return Err(Reason::Misuse(format!("the assertion {} was popped", id.0)));
                };
                if !used.insert(id) {
                    return Err(Reason::Misuse(format!("the assertion {} is listed twice", id.0)));
                }
                own.push(self.log.live[at].1);
            }
            formulas.push(own);
        }
        let Some(last) = formulas.last_mut() else {
            return Err(Reason::Misuse("interpolants of no parts".to_owned()));
        };
        last.extend(self.log.live.iter().filter(|(id, _)| !used.contains(id)).map(|&(_, formula)| formula));
        last.extend(&self.assumptions);
        Ok(formulas)
    }

    fn solve(&mut self, pool: &mut TermPool, problem: &Problem) -> Result<Vec<Term>, Reason> {
        if let Some((known, interpolants)) = self.known
            && known == problem
        {
            return Ok(interpolants.clone());
        }
        self.interpolation.solve(pool, problem, self.limits).map(|answer| answer.interpolants)
    }
}

impl Refutation for InterpolatingRefutation<'_> {
    fn unsat_core(&mut self) -> Result<Vec<usize>, Reason> {
        match &mut self.inner {
            Some(inner) => inner.unsat_core(),
            // Without assumptions.
            None => Ok(Vec::new()),
        }
    }

    fn interpolant(&mut self, pool: &mut TermPool, a: &[AssertionId]) -> Result<Term, Reason> {
        let parts = self.parts(&[a, &[]])?;
        let interpolants = self.solve(pool, &Problem::sequence(parts))?;
        interpolants.first().copied().ok_or_else(|| Reason::Fault("no interpolant".to_owned()))
    }

    fn sequence(&mut self, pool: &mut TermPool, parts: &[Vec<AssertionId>]) -> Result<Vec<Term>, Reason> {
        let parts = self.parts(&parts.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
        self.solve(pool, &Problem::sequence(parts))
    }

    fn tree(
        &mut self,
        pool: &mut TermPool,
        parts: &[Vec<AssertionId>],
        parent: &[Option<usize>],
    ) -> Result<Vec<Term>, Reason> {
        if parts.len() != parent.len() {
            return Err(Reason::Misuse(format!("{} parts but {} parents", parts.len(), parent.len())));
        }
        let tree = Tree::new(parent.to_vec()).map_err(|error| Reason::Misuse(error.to_string()))?;
        let parts = self.parts(&parts.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
        self.solve(pool, &Problem { parts, tree })
    }
}
