//! Sources in order, each under a budget, and nothing uncertified.
//!
//! # Idea
//! For a problem the sources are asked in order. Each gets at most the budget, of which certification is no part, and leaves half of
//! the time for those after it; where
//! the shape is too large for it, the [strategy](super::strategy) makes smaller problems. What it answers is
//! [certified](super::certify) and used only then. An answer that is refuted is a bug of the source: it is kept with scripts
//! that show it, and the next source is asked.
//!
//! Problems that are decided without a source come first: where a part is `false`, or where no part shares a name with
//! another, so that one part is unsatisfiable alone, every interpolant is `true` or `false`. These are certified as well.

use super::certify::{Certifier, Fault, Proof, Provers, obligation};
use super::{Interpolants, Interpolator, Problem, Strategy, reasons, replay, strategy, vocabulary};
use crate::{Limits, Reason};
use std::time::{Duration, Instant};
use terms::{Term, TermPool};

/// The interpolation of a run: the sources that are tried in order.
pub struct Interpolation {
    /// The sources.
    pub sources: Vec<Box<dyn Interpolator>>,
    /// How shapes are made of smaller ones.
    pub strategy: Strategy,
    /// The longest time that one source gets for one problem.
    pub budget: Option<Duration>,
    /// What proves the answers; nothing is proved without it.
    pub certifier: Option<Certifier>,
    /// What became of every attempt, for statistics: source, outcome, time.
    pub attempts: Vec<Attempt>,
    /// The answers that were refuted.
    pub faults: Vec<SolverFault>,
    /// Told of each attempt when it is over.
    pub on_attempt: Option<AttemptSink>,
    /// Told of each fault when it is found, for instance to write it to a file.
    pub on_fault: Option<FaultSink>,
}

/// Told of an attempt.
pub type AttemptSink = Box<dyn FnMut(&Attempt)>;

/// Told of a fault.
pub type FaultSink = Box<dyn FnMut(&SolverFault)>;

/// One source's attempt at one problem.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Attempt {
    /// The name of the source.
    pub source: String,
    /// Why there was no (certified) answer; none if there was one.
    pub failure: Option<Reason>,
    /// How long it took, with certification.
    pub time: Duration,
    /// The part of the time that certification took.
    pub certification: Duration,
}

/// An answer that was refuted.
#[derive(Clone, Debug)]
pub struct SolverFault {
    /// The name of the source.
    pub source: String,
    /// What is wrong.
    pub fault: Fault,
    /// A script that shows it. For an answer that is not inductive the implication that does not hold: it states `unsat`, a
    /// solver that is right says `sat`. For other faults the same as [`problem`](Self::problem).
    pub script: String,
    /// The problem as a script: the parts as named assertions, `get-interpolants`, and the wrong answer as a comment.
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

    /// The first certified interpolants of a problem that is unsatisfiable.
    ///
    /// # Errors
    /// If no source had some, a reason that names what each said; [`Reason::Timeout`] and [`Reason::Interrupted`] if the
    /// deadline or the interrupt of `limits` ended it.
    pub fn solve(
        &mut self,
        pool: &mut TermPool,
        problem: &Problem,
        limits: &Limits,
    ) -> Result<Vec<Term>, Reason> {
        if problem.parts.len() != problem.tree.len() {
            return Err(Reason::Misuse("as many parts as nodes of the tree are expected".to_owned()));
        }
        // The time limit of one check is that of one interpolation, whatever it is made of.
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

    /// Certified interpolants of a problem that need not be unsatisfiable, from sources that [decide](Interpolator::decides).
    /// A [`Witness`](super::Witness) of satisfiable parts satisfies them; without one [`Interpolants::Satisfiable`] is what a source says.
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

    /// Asks one source, and certifies what it says.
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

    /// A source that ran out of time may have used up its budget only, which should not be taken for the end of the run.
    fn of_budget(&self, reason: Reason, limits: &Limits) -> Reason {
        match (reason, self.budget) {
            (Reason::Timeout, Some(budget)) if limits.exceeded().is_none() => {
                Reason::Incomplete(format!("the interpolation budget of {budget:?} is used up"))
            }
            (Reason::Timeout, None) if limits.exceeded().is_none() => {
                Reason::Incomplete("the source's share of the time is used up".to_owned())
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
            // What cannot be handed on even without a proof.
            return if interpolants.len() == problem.tree.root() {
                Ok(())
            } else {
                Err(Reason::Fault("a wrong number of interpolants".to_owned()))
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

    /// The answer where one part is unsatisfiable by itself, and this is plain or nothing else is possible.
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
