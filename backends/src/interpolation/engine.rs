//! Runs sources of interpolants in order, each within a budget, and certifies their answers.
//!
//! # Idea
//! The sources receive the problem in order. Each gets at most the budget, which does not include
//! certification, and leaves half of the remaining time to the sources after it. If a source does
//! not support the shape of the problem, the [strategy](super::strategy) splits the problem. Only
//! [certified](super::certify) answers are used. A refuted answer is a bug of the source: it is
//! kept with scripts that reproduce it, and the next source gets the problem.
//!
//! Problems that need no source are solved first: if a part is `false`, or if no part shares a name
//! with another, so that a single part is unsatisfiable, every interpolant is `true` or `false`.
//! These are certified as well.

use super::certify::{Certifier, Fault, Proof, Provers, obligation};
use super::{Interpolants, Interpolator, Problem, Strategy, reasons, replay, strategy, vocabulary};
use crate::{Limits, Reason};
use std::time::{Duration, Instant};
use terms::{Term, TermPool};

/// The interpolation engine of a run.
pub struct Interpolation {
    /// The sources, in order.
    pub sources: Vec<Box<dyn Interpolator>>,
    /// The reduction to smaller shapes.
    pub strategy: Strategy,
    /// The maximal effort of one source for one problem.
    pub budget: Option<Duration>,
    /// Certifies the answers; without it, answers are not certified.
    pub certifier: Option<Certifier>,
    /// All attempts, for statistics: source, outcome, time.
    pub attempts: Vec<Attempt>,
    /// The refuted answers.
    pub faults: Vec<SolverFault>,
    /// Receives each attempt when it ends.
    pub on_attempt: Option<AttemptSink>,
    /// Receives each fault when it is found, for instance to write it to a file.
    pub on_fault: Option<FaultSink>,
}

/// A callback that receives an attempt.
pub type AttemptSink = Box<dyn FnMut(&Attempt)>;

/// A callback that receives a fault.
pub type FaultSink = Box<dyn FnMut(&SolverFault)>;

/// One source's attempt at one problem.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Attempt {
    /// The name of the source.
    pub source: String,
    /// The reason why there is no (certified) answer; `None` if there is one.
    pub failure: Option<Reason>,
    /// The time that it took, including certification.
    pub time: Duration,
    /// The time that certification took.
    pub certification: Duration,
}

/// A refuted answer.
#[derive(Clone, Debug)]
pub struct SolverFault {
    /// The name of the source.
    pub source: String,
    /// The fault.
    pub fault: Fault,
    /// A script that reproduces the fault. If the answer is not inductive, the script contains the
    /// implication that does not hold: its status is `unsat`, and a correct solver answers `sat`.
    /// For other faults it equals [`problem`](Self::problem).
    pub script: String,
    /// The problem as a script: the parts as named assertions, `get-interpolants`, and the wrong
    /// answer as a comment.
    pub problem: String,
}

impl Interpolation {
    /// These sources with the default strategy, without a budget and without a certifier.
    pub fn new(sources: Vec<Box<dyn Interpolator>>) -> Self {
        Interpolation {
            sources,
            strategy: Strategy::default(),
            budget: None,
            certifier: None,
            attempts: Vec::new(),
            faults: Vec::new(),
            on_attempt: None,
            on_fault: None,
        }
    }

    /// Returns the first certified interpolants of an unsatisfiable problem.
    ///
    /// # Errors
    /// If no source succeeds, a reason that lists the failure of each; [`Reason::Timeout`] or
    /// [`Reason::Interrupted`] if `limits` ended the search.
    pub fn solve(
        &mut self,
        pool: &mut TermPool,
        problem: &Problem,
        limits: &Limits,
    ) -> Result<Vec<Term>, Reason> {
        if problem.parts.len() != problem.tree.len() {
            return Err(Reason::Misuse(
                "the number of parts differs from the number of nodes of the tree".to_owned(),
            ));
        }
        // The time limit of one check applies to one interpolation as a whole.
        let limits = limits.of_check();
        if let Some(interpolants) = self.trivial(pool, problem, &limits) {
            return Ok(interpolants);
        }
        let mut said: Vec<(String, Reason)> = Vec::new();
        for source in 0..self.sources.len() {
            if let Some(reason) = limits.exceeded() {
                return Err(reason);
            }
            match self.attempt(source, pool, problem, &limits).of_refuted() {
                Ok(interpolants) => return Ok(interpolants),
                Err(reason) => said.push((self.sources[source].name().to_owned(), reason)),
            }
        }
        if said.is_empty() {
            return Err(Reason::Unsupported("interpolation: no source was chosen".to_owned()));
        }
        Err(reasons::join(&said, &limits))
    }

    /// Returns certified interpolants of a problem that may be satisfiable, from sources that
    /// [decide](Interpolator::decides). A [`Witness`](super::Witness) in the answer satisfies the
    /// parts; [`Interpolants::Satisfiable`] without one is an unchecked claim of a source.
    pub fn refute(&mut self, pool: &mut TermPool, problem: &Problem, limits: &Limits) -> Interpolants {
        let mut said: Vec<(String, Reason)> = Vec::new();
        let limits = limits.of_check();
        for source in 0..self.sources.len() {
            if self.certifier.is_none() || !self.sources[source].decides() {
                continue;
            }
            match self.attempt(source, pool, problem, &limits) {
                Interpolants::Unknown(reason) => said.push((self.sources[source].name().to_owned(), reason)),
                answer => return answer,
            }
        }
        Interpolants::Unknown(reasons::join(&said, &limits))
    }

    /// Runs one source and certifies its answer.
    fn attempt(
        &mut self,
        index: usize,
        pool: &mut TermPool,
        problem: &Problem,
        limits: &Limits,
    ) -> Interpolants {
        let start = Instant::now();
        let parts = if index + 1 < self.sources.len() { 2 } else { 1 };
        let narrowed = limits.share(parts);
        let narrowed = self.budget.map_or_else(|| narrowed.clone(), |budget| narrowed.within(budget));
        let source = &mut *self.sources[index];
        let answer = strategy::lift(source, self.strategy, pool, problem, &narrowed);
        let answered = Instant::now();
        let certified = match answer {
            Interpolants::Found(found) => {
                self.certify(index, pool, problem, &found, limits).map(|()| found).into()
            }
            Interpolants::Satisfiable(Some(witness)) if !witness.satisfies(pool, problem) => {
                Interpolants::Unknown(Reason::Fault("the witness does not satisfy the parts".to_owned()))
            }
            Interpolants::Satisfiable(witness) => Interpolants::Satisfiable(witness),
            Interpolants::Unknown(reason) => Interpolants::Unknown(self.of_budget(reason, limits)),
        };
        let failure = match &certified {
            Interpolants::Unknown(reason) => Some(reason.clone()),
            Interpolants::Found(_) | Interpolants::Satisfiable(_) => None,
        };
        let attempt = Attempt {
            source: self.sources[index].name().to_owned(),
            failure,
            time: start.elapsed(),
            certification: answered.elapsed(),
        };
        if let Some(on_attempt) = &mut self.on_attempt {
            on_attempt(&attempt);
        }
        self.attempts.push(attempt);
        certified
    }

    /// A timeout of a source may only mean that its budget is exhausted, not the time of the run.
    fn of_budget(&self, reason: Reason, limits: &Limits) -> Reason {
        match (reason, self.budget) {
            (Reason::Timeout, Some(budget)) if limits.exceeded().is_none() => {
                Reason::Incomplete(format!("the interpolation budget of {budget:?} is exhausted"))
            }
            (Reason::Timeout, None) if limits.exceeded().is_none() => {
                Reason::Incomplete("the source's share of the time is exhausted".to_owned())
            }
            (reason, _) => reason,
        }
    }

    fn certify(
        &mut self,
        source: usize,
        pool: &mut TermPool,
        problem: &Problem,
        interpolants: &[Term],
        limits: &Limits,
    ) -> Result<(), Reason> {
        let Some(certifier) = &self.certifier else {
            // Even without certification, the number of interpolants must be correct.
            return if interpolants.len() == problem.tree.root() {
                Ok(())
            } else {
                Err(Reason::Fault("wrong number of interpolants".to_owned()))
            };
        };
        let name = self.sources[source].name().to_owned();
        let certifier = certifier.other_than(self.sources[source].solver());
        match certifier.certify(pool, problem, interpolants, limits) {
            Ok(()) => Ok(()),
            Err(Fault::Unproved { reason: reason @ (Reason::Timeout | Reason::Interrupted), .. })
                if limits.exceeded().is_some() =>
            {
                Err(reason)
            }
            Err(fault @ Fault::Unproved { .. }) => {
                Err(Reason::Incomplete(format!("the interpolants were not certified: {fault}")))
            }
            Err(fault) => {
                let problem_script = replay::problem(pool, &name, &fault, problem, interpolants);
                let script = match fault {
                    Fault::NotInductive { part } => {
                        let obligation = obligation(pool, problem, interpolants, part);
                        replay::implication(pool, &name, part, &obligation)
                    }
                    _ => problem_script.clone(),
                };
                let reason = Reason::Fault(format!("the interpolants are wrong: {fault}"));
                let fault = SolverFault { source: name, fault, script, problem: problem_script };
                if let Some(on_fault) = &mut self.on_fault {
                    on_fault(&fault);
                }
                self.faults.push(fault);
                Err(reason)
            }
        }
    }

    /// The interpolants if a single part is unsatisfiable and either it contains `false`, or no
    /// names are shared.
    fn trivial(&self, pool: &mut TermPool, problem: &Problem, limits: &Limits) -> Option<Vec<Term>> {
        let is_false = |part: &Vec<Term>| part.contains(&pool.fls());
        let culprit = match problem.parts.iter().position(is_false) {
            Some(part) => part,
            None => {
                let certifier = self.certifier.as_ref()?;
                if vocabulary::shared(pool, problem).iter().any(|names| !names.is_empty()) {
                    return None;
                }
                let mut provers = Provers::new(&certifier.factories, limits);
                problem.parts.iter().position(|part| matches!(provers.prove(pool, part), Proof::Proved))?
            }
        };
        let mut interpolants = vec![pool.tru(); problem.tree.root()];
        let mut node = culprit;
        while let Some(parent) = problem.tree.parent(node) {
            interpolants[node] = pool.fls();
            node = parent;
        }
        if let Some(certifier) = &self.certifier {
            certifier.certify(pool, problem, &interpolants, limits).ok()?;
        }
        Some(interpolants)
    }
}
