//! k-induction with auxiliary invariants: bounded model checking with a step case.
//!
//! Algorithm 3 of *A Unifying View on SMT-Based Software Verification* (seed 004, §4.2; Algorithm 5.2 of the thesis, seed 000). The base
//! case and the forward condition are those of [bounded model checking](crate::engines::bmc), which has a turn for each bound; the step case is a
//! [`Continuation`] of it. Counterexamples come from the replayed base case and from nowhere else.
//!
//! *The step case* is about the [transition system](crate::transitions) of the program that was
//! [prepared for views](crate::transform::prepare_for_views): states at loop heads, transitions from a loop head to the next, ends (errors, and what
//! is not supported). For k it asks for states `s_0 → s_1 → … → s_k → end` with `s_0` at any loop head, where every `s_i` satisfies the auxiliary
//! invariants (`step_case`). If there are none, k is tried for the *initial case*: no `entry → s_1 → … → s_m → end` for m = 0, …, k, where m = 0 is
//! `entry → end` (`initial_case`).
//!
//! *Why that is a proof.* Suppose a run reaches an error or something that is not supported. It makes m transitions, m ≥ 0, from the entry to
//! loop heads `s_1, …, s_m`, and then an end. If m ≤ k, it is a model of the initial case for m. If m > k, its last part is
//! `s_{m-k} → … → s_m → end`, of k transitions; since m - k ≥ 1, its first state is at a loop head, and all its states satisfy the invariants,
//! as they are in a run. So it is a model of the step case for k. Hence both unsatisfiable means that there is no such run. The entry
//! is never a state of the step case, which is why the initial case goes to k transitions and not to k - 1.
//!
//! The hypothesis of the induction, that no error follows `s_0, …, s_{k-1}`, is there without being said: of the block formulas out of a state
//! one at most is true for given inputs, so a path that goes on has not ended.
//!
//! DIVERGENCE from the paper:
//!
//! * The initial case is asked for in the transition system, although bounded model checking has shown no error within its bound.
//!   The bound of the unroller counts the iterations of each loop of a program that is prepared otherwise; where passes drop a loop only after
//!   inlining, or a loop is copied, k transitions may be more than k iterations. The extra queries come once, after the step case succeeded,
//!   with the invariants at hand, and are what the [certificate](crate::evidence::Certificate::KInductive) says. If they have a model, k-induction is given
//!   up, and bounded model checking goes on; it finds the error if there is one.
//! * k is not the bound: it grows by one from 0, as far as the bound and the time allow. Invariants that were improved come first: after each failure of the
//!   step case a source is asked for more, and if there is more, the same k is tried again.
//! * The step case asserts no distinctness of states, so that what it shows can be checked by anyone.
//!
//! *Time*, by [effort](backends::effort). The step case gets at most half of what was spent, and a second to begin with, so a hopeless one slows down the search by a
//! factor of two. In turn the solver is interrupted in the base case, first after a second, then after twice as long each time, and asked again after the turn.
//!
//! Cost: a step adds one copy of all block formulas between loop heads to one incremental prover; each is encoded once, and nothing is ever
//! taken back: error and invariants are asserted, a larger k adds transitions in front.
//!
//! Limits: there is no step case for recursion and where the views refuse a program ([`Statistics::no_step_case`] says why), and it goes on as bounded model checking.
//! What is inductive only for the values of memory cells needs quantified invariants, which no source here finds.

mod config;
mod initial_case;
mod proof;
mod statistics;
mod step_case;

pub use config::{Config, InvariantGeneration};
pub use statistics::{Phase, Statistics};

use crate::engines::bmc::{self, Continuation, Observer, Turn};
use crate::evidence::{Certificate, Verdict};
use crate::invariants::{AuxiliaryInvariants, Houdini, Improvement, InOrder, Intervals, InvariantSource};
use crate::transform::{ViewLimits, prepare_for_views};
use crate::transitions::TransitionSystem;
use backends::effort::Moment;
use backends::{Limits, ProverFactory, Reason, Status};
use initial_case::InitialCase;
use program::ssa::Program;
use std::time::{Duration, Instant};
use step_case::StepCase;
use terms::TermPool;

/// What a run found out, and what it cost.
#[derive(Clone, Debug)]
pub struct Report {
    /// The answer.
    pub verdict: Verdict,
    /// The cost.
    pub statistics: Statistics,
}

/// What the step case may use before anything else took time.
const HEAD_START: Duration = Duration::from_secs(1);
/// The shortest turn.
const SHORTEST: Duration = Duration::from_millis(20);

/// Checks `program`, as it was lowered, with provers of `factory`.
pub fn run(
    pool: &mut TermPool,
    program: &Program,
    factory: &dyn ProverFactory,
    config: &Config,
    observer: &mut dyn Observer,
) -> Report {
    let mut induction = Induction::new(program, factory, config);
    let bmc::Report { verdict, statistics } =
        bmc::run_with(pool, program, factory, &config.search, observer, &mut induction);
    Report { verdict, statistics: Statistics { search: statistics, ..induction.statistics } }
}

/// The step case as a continuation of bounded model checking.
struct Induction<'a> {
    program: &'a Program,
    factory: &'a dyn ProverFactory,
    config: &'a Config,
    limits: Limits,
    start: Moment,
    /// What the step case took so far.
    spent: Duration,
    statistics: Statistics,
    state: State<'a>,
}

enum State<'a> {
    /// There was no turn yet.
    New,
    /// There is a step case.
    Ready(Box<Ready<'a>>),
    /// There is none, or it is of no use.
    Over,
}

/// Everything of a step case.
struct Ready<'a> {
    system: TransitionSystem,
    invariants: Box<dyn AuxiliaryInvariants + 'a>,
    /// Whether they may become better.
    is_exhausted: bool,
    /// Whether they were looked for since the last time that k grew.
    is_improved: bool,
    step: StepCase,
    initial: Option<InitialCase>,
    k: u32,
}

/// What came of one attempt.
enum Attempt {
    Proved(Certificate),
    /// No more is possible in this turn.
    OutOfTime,
    /// Something is to be tried at once.
    GoOn,
    /// Nothing will ever come of it.
    Hopeless(String),
}

impl Continuation for Induction<'_> {
    fn prove(&mut self, pool: &mut TermPool, turn: Turn) -> Option<Certificate> {
        if matches!(self.state, State::Over) {
            return None;
        }
        let limits = self.turn_limits(turn)?;
        let (start, effort) = (Instant::now(), Moment::now());
        let certificate = self.turn(pool, turn, &limits);
        self.statistics.turns += 1;
        self.statistics.time += start.elapsed();
        self.spent += effort.elapsed();
        certificate
    }

    fn patience(&self) -> Option<Duration> {
        match self.state {
            State::Over => None,
            State::New | State::Ready(_) => Some(HEAD_START),
        }
    }
}

impl<'a> Induction<'a> {
    fn new(program: &'a Program, factory: &'a dyn ProverFactory, config: &'a Config) -> Self {
        Induction {
            program,
            factory,
            config,
            limits: config.search.limits(),
            start: Moment::now(),
            spent: Duration::ZERO,
            statistics: Statistics::default(),
            state: State::New,
        }
    }

    /// The limits of a turn, if there is time for one.
    fn turn_limits(&self, turn: Turn) -> Option<Limits> {
        if matches!(turn, Turn::Last(_)) {
            return Some(self.limits.clone());
        }
        let allowed = (self.start.elapsed() / 2).max(HEAD_START);
        let left = allowed.saturating_sub(self.spent);
        (left >= SHORTEST).then(|| self.limits.within(left))
    }

    fn turn(&mut self, pool: &mut TermPool, turn: Turn, limits: &Limits) -> Option<Certificate> {
        if let State::New = self.state {
            self.state = match self.prepare(pool, limits) {
                Ok(ready) => State::Ready(Box::new(ready)),
                Err(reason) => {
                    self.statistics.no_step_case = Some(reason);
                    State::Over
                }
            };
        }
        let largest = self.config.largest_k.map_or(turn.bound(), |largest| largest.min(turn.bound()));
        while limits.exceeded().is_none() {
            let State::Ready(ready) = &mut self.state else { return None };
            match ready.attempt(pool, self.config, self.factory, &mut self.statistics, largest, limits) {
                Attempt::Proved(certificate) => return Some(certificate),
                Attempt::OutOfTime => return None,
                Attempt::GoOn => {}
                Attempt::Hopeless(reason) => {
                    self.statistics.no_step_case = Some(reason);
                    self.state = State::Over;
                }
            }
        }
        None
    }

    fn prepare(&mut self, pool: &mut TermPool, limits: &Limits) -> Result<Ready<'a>, String> {
        let start = Instant::now();
        let search = &self.config.search;
        let mut prepared = self.program.clone();
        prepare_for_views(pool, &mut prepared, ViewLimits::default(), &search.pipeline)
            .map_err(|error| error.to_string())?;
        let theories = search.theories;
        let system = TransitionSystem::new(pool, &prepared, theories).map_err(|error| error.to_string())?;
        let prover =
            self.factory.new_prover(theories.logic(), limits).map_err(|reason| reason.to_string())?;
        let sources: Vec<Box<dyn InvariantSource + 'a>> = match self.config.invariants {
            InvariantGeneration::None => Vec::new(),
            InvariantGeneration::Intervals => vec![Box::new(Intervals::new(prepared, self.factory))],
            InvariantGeneration::All => {
                vec![Box::new(Intervals::new(prepared, self.factory)), Box::new(Houdini::new(self.factory))]
            }
        };
        let mut ready = Ready {
            system,
            invariants: Box::new(InOrder::new(sources)),
            is_exhausted: false,
            is_improved: false,
            step: StepCase::new(prover),
            initial: None,
            k: 0,
        };
        self.statistics.preparation += start.elapsed();
        ready.improve(pool, &mut self.statistics, limits);
        Ok(ready)
    }
}

impl Ready<'_> {
    /// The step case for the current k, and what follows from it.
    fn attempt(
        &mut self,
        pool: &mut TermPool,
        config: &Config,
        factory: &dyn ProverFactory,
        statistics: &mut Statistics,
        largest: u32,
        limits: &Limits,
    ) -> Attempt {
        let start = Instant::now();
        let facts = self.invariants.current();
        let status = self.step.check(pool, &mut self.system, self.k, facts, &limits.share(2));
        statistics.step_case.add(start);
        statistics.k = self.k;
        match status {
            Status::Unsat => return self.conclude(pool, config, factory, statistics, limits),
            Status::Unknown(
                reason @ (Reason::Unsupported(_) | Reason::Misuse(_) | Reason::Fault(_) | Reason::Memory),
            ) => return Attempt::Hopeless(reason.to_string()),
            Status::Unknown(Reason::Interrupted) => return Attempt::OutOfTime,
            Status::Sat | Status::Unknown(Reason::Timeout | Reason::Incomplete(_)) => {}
        }
        let is_last = self.k >= largest;
        let is_easy = status == Status::Sat;
        if !self.is_exhausted && (is_last || !is_easy || !self.is_improved) {
            self.is_improved = true;
            let limits = if is_last { limits.clone() } else { limits.share(2) };
            match self.improve(pool, statistics, &limits) {
                Improvement::Stronger => return Attempt::GoOn,
                Improvement::Unchanged | Improvement::Exhausted => {}
            }
        }
        if is_last || !is_easy {
            return Attempt::OutOfTime;
        }
        self.k += 1;
        self.is_improved = false;
        Attempt::GoOn
    }

    fn improve(&mut self, pool: &mut TermPool, statistics: &mut Statistics, limits: &Limits) -> Improvement {
        let start = Instant::now();
        let improvement = self.invariants.improve(pool, &mut self.system, limits);
        self.is_exhausted = improvement == Improvement::Exhausted;
        statistics.invariants.add(start);
        statistics.facts = self.invariants.current().len();
        improvement
    }

    /// The step case holds; the initial case decides.
    fn conclude(
        &mut self,
        pool: &mut TermPool,
        config: &Config,
        factory: &dyn ProverFactory,
        statistics: &mut Statistics,
        limits: &Limits,
    ) -> Attempt {
        let start = Instant::now();
        let initial = match &mut self.initial {
            Some(initial) => initial,
            None => match factory.new_prover(self.system.theories.logic(), limits) {
                Ok(prover) => self.initial.insert(InitialCase::new(prover)),
                Err(reason) => return Attempt::Hopeless(reason.to_string()),
            },
        };
        let facts = self.invariants.current();
        let status = initial.check(pool, &mut self.system, self.k, facts, limits);
        statistics.initial_case.add(start);
        match status {
            Ok(Status::Unsat) => {}
            Ok(Status::Sat) => {
                let reason = "the search is left alone with an end that the transition system reaches";
                return Attempt::Hopeless(reason.to_owned());
            }
            Ok(Status::Unknown(_)) => return Attempt::OutOfTime,
            Err(_) => {
                self.initial = None;
                return Attempt::OutOfTime;
            }
        }
        let start = Instant::now();
        let limits = limits.share(2);
        let certificate =
            proof::certificate(pool, &self.system, self.k, facts, factory, &config.search.pipeline, &limits);
        statistics.proof.add(start);
        Attempt::Proved(certificate)
    }
}

#[cfg(test)]
mod tests;
