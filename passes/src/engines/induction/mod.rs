//! k-induction with auxiliary invariants: bounded model checking with a step case.
//!
//! Algorithm 3 of Beyer, Dangl, Wendler, *A Unifying View on SMT-Based Software Verification*, JAR
//! 2018, §4.2 (Algorithm 5.2 of Wendler, *Towards Practical Predicate Analysis*, PhD thesis,
//! University of Passau, 2017). [Bounded model checking](crate::engines::bmc) provides the base
//! case and the forward condition at each bound; the step case is a [`Continuation`] of it. Only
//! the replayed base case yields counterexamples.
//!
//! *The step case* works on the [transition system](crate::transitions) of the program [prepared
//! for views](crate::transform::prepare_for_views): its states are at loop heads, its transitions
//! lead from one loop head to the next, and its ends are errors and unsupported constructs. For k
//! it checks the satisfiability of `s_0 → s_1 → … → s_k → end`, where `s_0` is at any loop head and
//! every `s_i` satisfies the auxiliary invariants (`step_case`). If this is unsatisfiable, the
//! *initial case* for k checks `entry → s_1 → … → s_m → end` for m = 0, …, k, where m = 0 is
//! `entry → end` (`initial_case`).
//!
//! *Soundness.* Suppose a run reaches an end. It makes m ≥ 0 transitions from the entry to loop
//! heads `s_1, …, s_m`, and then reaches the end. If m ≤ k, the run is a model of the initial case
//! for m. If m > k, its last part is `s_{m-k} → … → s_m → end` with k transitions. Since m - k ≥ 1,
//! its first state is at a loop head, and all its states satisfy the invariants because they occur
//! in a run. So it is a model of the step case for k. If both cases are unsatisfiable, there is no
//! such run. The entry is never a state of the step case; therefore the initial case goes up to k
//! transitions, not k - 1.
//!
//! The induction hypothesis, that no error follows `s_0, …, s_{k-1}`, is implicit: for given inputs
//! at most one block formula out of a state is true, so a path that continues has not ended.
//!
//! DIVERGENCE from the paper:
//!
//! * The initial case is checked in the transition system, although bounded model checking has
//!   shown that there is no error within its bound. The bound of the unroller counts the iterations
//!   of each loop, in a program with a different preparation: if passes drop a loop only after
//!   inlining, or a loop is copied, k transitions may be more than k iterations. The additional
//!   queries come once, after the step case has succeeded, with the invariants available; the
//!   [certificate](crate::evidence::Certificate::KInductive) states their result. If they are
//!   satisfiable, k-induction gives up and bounded model checking continues, which finds the error
//!   if there is one.
//! * k is not the bound. It grows from 0 by one, as far as the bound and the time allow. Stronger
//!   invariants come first: after each failure of the step case the source is queried for more, and
//!   if it finds some, the same k is tried again.
//! * The step case does not require the states to be distinct, so that an independent validator can
//!   check it.
//!
//! *kIkI* ([`Order::StepFirst`]; Brain, Joshi, Kroening, Schrammel, *Safety Verification and
//! Refutation by k-Invariants and k-Induction*, SAS 2015) is the same with other shares of the
//! effort: invariants from templates, k-induction and bounded model checking take turns with
//! growing k, but the invariants come first. DIVERGENCE: 2LS infers k-invariants, which hold after
//! k iterations; here the invariants hold in all states, so the [certificate](Certificate) stays
//! simple.
//!
//! *Time* is measured as [effort](backends::effort). The base case goes first until it has
//! spent 50 ms, within which it ends for many programs. Then the step case gets at most half of the
//! effort spent so far, and initially one second, so a hopeless step case slows down the search at
//! most by a factor of two. Conversely, base-case queries are interrupted to give the step case a
//! turn, first after a second, then after twice the previous time, and are repeated after the turn.
//!
//! Cost: a step adds one copy of all block formulas between loop heads to one incremental prover.
//! Each formula is encoded once, and nothing is ever retracted: errors and invariants are asserted,
//! and a larger k adds transitions in front.
//!
//! *Recursion.* A recursive program, or one that is too large when its calls are inlined, has no
//! step case. In its place, calling contexts and summaries of its procedures are inferred until
//! they exclude all errors (`summaries`), in the same turns.
//!
//! *Property-directed reachability* ([`Method::Reachability`]) takes the place of the step case, in
//! the same turns (`reachability`).
//!
//! *Engines for Horn clauses* ([`Method::Clauses`]) solve the clauses of all procedures in place of
//! the step case, in the same turns (`clauses`).
//!
//! *Other runs* on the same program may contribute candidates of auxiliary invariants, and receive
//! the facts of this one (`sharing`).
//!
//! Limits: there is no step case for programs that the views reject ([`Statistics::no_step_case`]
//! has the reason); the run continues as bounded model checking.
//! Properties of all cells of arrays are proved by quantified invariants alone
//! ([`inference::cells`]); the step case does not use them.

mod clauses;
mod config;
mod derivation;
mod graph;
mod initial_case;
mod procedures;
mod proof;
mod reachability;
mod sharing;
mod statistics;
mod step_case;
mod summaries;

pub use clauses::{ClauseStatistics, EngineStatistics, Engines};
pub use config::{Config, Method, Order};
pub use statistics::{Phase, Statistics};

use crate::engines::bmc::{self, Continuation, Turn};
use crate::evidence::{Certificate, Verdict};
use crate::invariants::{AuxiliaryInvariants, Improvement, InOrder, InvariantSource, Templates};
use crate::names::{NamedSystem, Places};
use crate::trace::Trace;
use crate::transform::inline::InlineError;
use crate::transform::{BackTranslator, Pipeline, PrepareError, ViewLimits, prepare_for_views};
use crate::transitions::TransitionSystem;
use backends::effort::Moment;
use backends::{Limits, ProverFactory, Reason, Status};
use clauses::ClauseSearch;
use encode::Theories;
use grammars::source::Span;
use graph::{Answer, Last};
use initial_case::InitialCase;
use program::ssa::Program;
use proof::{Proof, of_cells};
use reachability::Reachability;
use sharing::Sharing;
use std::time::{Duration, Instant};
use step_case::StepCase;
use summaries::SummaryProof;
use terms::TermPool;

/// The verdict of a run and its cost.
#[derive(Clone, Debug)]
pub struct Report {
    /// The answer.
    pub verdict: Verdict,
    /// The cost.
    pub statistics: Statistics,
}

/// The shortest turn.
const SHORTEST: Duration = Duration::from_millis(20);

/// Receives progress events.
pub trait Observer: bmc::Observer {
    /// Whether [`graph`](Self::graph) should be called at the end.
    fn wants_graph(&self) -> bool {
        false
    }

    /// The name of a source location, empty if it has none.
    fn locate(&self, span: Span) -> String {
        let _ = span;
        String::new()
    }

    /// Receives the graph of the step case, in Graphviz format.
    fn graph(&mut self, dot: &str) {
        let _ = dot;
    }
}

/// Ignores all events.
impl Observer for () {}

/// Checks `program`, as lowered, with provers of `factory`.
pub fn run(
    pool: &mut TermPool,
    program: &Program,
    factory: &dyn ProverFactory,
    config: &Config,
    observer: &mut dyn Observer,
) -> Report {
    let mut induction = Induction::new(program, factory, config);
    induction.counterexamples = match observer.wants_graph() {
        true => Counterexamples::Kept,
        false => Counterexamples::Ignored,
    };
    let bmc::Report { verdict, statistics } =
        bmc::run_with(pool, program, factory, &config.search, observer, &mut induction);
    if observer.wants_graph() {
        let dot = induction.graph(pool, &|span| observer.locate(span));
        observer.graph(&dot);
    }
    Report { verdict, statistics: Statistics { search: statistics, ..induction.statistics } }
}

/// The step case as a continuation of bounded model checking.
struct Induction<'a> {
    program: &'a Program,
    factory: &'a dyn ProverFactory,
    config: &'a Config,
    /// The passes of the current attempt.
    pipeline: Pipeline,
    limits: Limits,
    start: Moment,
    /// The effort of the step case so far.
    spent: Duration,
    statistics: Statistics,
    counterexamples: Counterexamples,
    state: State<'a>,
}

/// Whether counterexamples to induction are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Counterexamples {
    Ignored,
    Kept,
}

enum State<'a> {
    /// Before the first turn.
    New,
    /// The step case is prepared.
    Ready(Box<Ready<'a>>),
    /// Summaries in place of the step case.
    Summaries(Box<SummaryProof<'a>>),
    /// Property-directed reachability in place of the step case.
    Reachability(Box<Reachability<'a>>),
    /// Engines for Horn clauses in place of the step case.
    Clauses(Box<ClauseSearch<'a>>),
    /// The step case is unavailable or was given up.
    Over,
}

/// A prepared step case.
struct Ready<'a> {
    system: TransitionSystem,
    pipeline: Pipeline,
    invariants: Box<dyn AuxiliaryInvariants + 'a>,
    sharing: Option<Sharing<'a>>,
    /// Whether the source of invariants is exhausted.
    is_exhausted: bool,
    /// Whether the invariants were improved since k last grew.
    is_improved: bool,
    step: StepCase,
    initial: Option<InitialCase>,
    k: u32,
    counterexamples: Counterexamples,
    last: Option<Last>,
}

/// The result of one attempt.
enum Attempt {
    Proved(Certificate),
    /// A run to an error, replayed.
    Refuted(Box<Trace>),
    /// The turn ends without a result.
    OutOfTime,
    /// Another attempt follows in the same turn.
    GoOn,
    /// The step case is given up for the reason.
    Hopeless(String),
}

impl Continuation for Induction<'_> {
    fn decide(&mut self, pool: &mut TermPool, turn: Turn) -> Option<Verdict> {
        if matches!(self.state, State::Over) {
            return None;
        }
        let limits = self.turn_limits(turn)?;
        let (start, effort) = (Instant::now(), Moment::now());
        let verdict = self.turn(pool, turn, &limits);
        self.statistics.turns += 1;
        self.statistics.time += start.elapsed();
        self.spent += effort.elapsed();
        verdict
    }

    fn restart(&mut self, pipeline: &Pipeline) {
        self.pipeline = pipeline.clone();
        self.state = State::New;
        self.statistics.no_step_case = None;
        (self.start, self.spent) = (Moment::now(), Duration::ZERO);
    }

    fn patience(&self) -> Option<Duration> {
        match self.state {
            State::Over => None,
            // kIkI's longer head start would let the base case wait too long.
            State::New
            | State::Ready(_)
            | State::Summaries(_)
            | State::Reachability(_)
            | State::Clauses(_) => Some(Order::BaseFirst.head_start()),
        }
    }
}

impl<'a> Induction<'a> {
    fn new(program: &'a Program, factory: &'a dyn ProverFactory, config: &'a Config) -> Self {
        Induction {
            program,
            factory,
            config,
            pipeline: config.search.pipeline.clone(),
            limits: config.search.limits(),
            start: Moment::now(),
            spent: Duration::ZERO,
            statistics: Statistics::default(),
            counterexamples: Counterexamples::Ignored,
            state: State::New,
        }
    }

    /// Returns the limits of a turn if the budget allows one.
    fn turn_limits(&self, turn: Turn) -> Option<Limits> {
        if matches!(turn, Turn::Last(_)) {
            return Some(self.limits.clone());
        }
        let order = self.config.order;
        if matches!(turn, Turn::Finished(_)) && self.start.elapsed() < order.delay() {
            return None;
        }
        let allowed = order.share(self.start.elapsed()).max(order.head_start());
        let left = allowed.saturating_sub(self.spent);
        (left >= SHORTEST).then(|| self.limits.within(left))
    }

    fn turn(&mut self, pool: &mut TermPool, turn: Turn, limits: &Limits) -> Option<Verdict> {
        if let State::New = self.state {
            self.state = self.prepare(pool, limits).unwrap_or_else(|reason| {
                self.statistics.no_step_case = Some(reason);
                State::Over
            });
        }
        while limits.exceeded().is_none() {
            match self.attempt(pool, turn, limits)? {
                Attempt::Proved(certificate) => return Some(Verdict::Safe(certificate)),
                Attempt::Refuted(trace) => return Some(Verdict::Unsafe(trace)),
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

    /// One attempt, unless the step case is over.
    fn attempt(&mut self, pool: &mut TermPool, turn: Turn, limits: &Limits) -> Option<Attempt> {
        let (config, statistics) = (self.config, &mut self.statistics);
        Some(match &mut self.state {
            State::New | State::Over => return None,
            State::Ready(ready) => {
                let largest = config.largest_k.map_or(turn.bound(), |largest| largest.min(turn.bound()));
                ready.attempt(pool, self.factory, statistics, largest, limits)
            }
            State::Reachability(search) => {
                let attempt = search.attempt(pool, &self.pipeline, limits);
                statistics.reachability = Some(search.statistics());
                attempt
            }
            State::Clauses(search) => {
                let turn = match turn {
                    Turn::Last(_) => clauses::Turn::Last(limits),
                    Turn::Finished(_) | Turn::Interrupted(_) => clauses::Turn::Inner(limits),
                };
                let attempt = search.attempt(pool, turn);
                statistics.clauses = Some(search.statistics().clone());
                attempt
            }
            State::Summaries(proof) => {
                let start = Instant::now();
                let attempt = proof.attempt(pool, limits);
                statistics.invariants.add(start);
                statistics.facts = proof.invariants().current().at.values().map(Vec::len).sum();
                statistics.inference = proof.invariants().cost();
                attempt
            }
        })
    }

    fn prepare(&mut self, pool: &mut TermPool, limits: &Limits) -> Result<State<'a>, String> {
        let start = Instant::now();
        let state = match &self.config.method {
            Method::Clauses(engines) => self.clauses(pool, engines, limits),
            Method::StepCase | Method::Reachability => self.views(pool, limits),
        };
        self.statistics.preparation += start.elapsed();
        let mut state = state?;
        match &mut state {
            State::Ready(ready) => {
                ready.improve(pool, &mut self.statistics, limits);
            }
            State::Summaries(proof) => self.statistics.procedures = proof.procedures(),
            State::Clauses(search) => self.statistics.procedures = search.procedures(),
            State::New | State::Reachability(_) | State::Over => {}
        }
        Ok(state)
    }

    /// The graph of the step case.
    fn graph(&self, pool: &TermPool, locate: &dyn Fn(Span) -> String) -> String {
        match &self.state {
            State::Ready(ready) => {
                graph::dot(pool, &ready.system, ready.invariants.current(), ready.last.as_ref(), locate)
            }
            State::New => graph::without_step_case("the base case was enough"),
            State::Summaries(_) => graph::without_step_case("summaries of procedures take its place"),
            State::Reachability(_) | State::Clauses(_) => {
                graph::without_step_case("another method takes its place")
            }
            State::Over => graph::without_step_case(self.statistics.no_step_case.as_deref().unwrap_or("")),
        }
    }

    /// The encoding of programs. Clauses share memory as an array, also if it is a function in the
    /// base case.
    fn encoding(&self) -> (&Pipeline, Theories) {
        (&self.pipeline, self.config.search.theories.with_arrays())
    }

    /// Prepares the search over the clauses of all procedures.
    fn clauses(&self, pool: &mut TermPool, engines: &Engines, limits: &Limits) -> Result<State<'a>, String> {
        let search = ClauseSearch::new(pool, self.program, self.encoding(), engines, self.factory, limits)?;
        Ok(State::Clauses(Box::new(search)))
    }

    /// Prepares the search over a program without calls, or over its procedures if it cannot be
    /// inlined.
    fn views(&self, pool: &mut TermPool, limits: &Limits) -> Result<State<'a>, String> {
        let mut prepared = self.program.clone();
        match prepare_for_views(pool, &mut prepared, ViewLimits::default(), &self.pipeline) {
            Ok(views) => self.transitions(pool, prepared, views.back, limits),
            Err(PrepareError::Inline(InlineError::Recursion { .. } | InlineError::TooLarge { .. })) => {
                self.procedures(pool, limits)
            }
            Err(error) => Err(error.to_string()),
        }
    }

    fn procedures(&self, pool: &mut TermPool, limits: &Limits) -> Result<State<'a>, String> {
        let encoding = self.encoding();
        if let Method::Reachability = self.config.method {
            let search = Reachability::of_procedures(pool, self.program, encoding, self.factory, limits)?;
            return Ok(State::Reachability(Box::new(search)));
        }
        let options = &self.config.invariants;
        let proof = SummaryProof::new(pool, self.program, encoding, options, self.factory, limits)?;
        Ok(State::Summaries(Box::new(proof)))
    }

    fn transitions(
        &self,
        pool: &mut TermPool,
        prepared: Program,
        back: BackTranslator,
        limits: &Limits,
    ) -> Result<State<'a>, String> {
        let (_, theories) = self.encoding();
        let system = TransitionSystem::new(pool, &prepared, theories).map_err(|error| error.to_string())?;
        let link = &self.config.search.exchange;
        let sharing = link.is_open().then(|| {
            let names = NamedSystem::new(&mut Places::new(self.program, &prepared, &back), &system);
            Sharing::new(link.clone(), names, self.factory)
        });
        let stages = self.config.invariants.stages();
        let mut sources: Vec<Box<dyn InvariantSource + 'a>> = Vec::new();
        if !stages.is_empty() {
            let search = self.config.invariants.search;
            sources.push(Box::new(Templates::new(prepared, self.factory, stages, search)));
        }
        let invariants = Box::new(InOrder::new(sources));
        if let Method::Reachability = self.config.method {
            let from = (self.program, back);
            let search =
                Reachability::of_transitions(system, from, invariants, sharing, self.factory, limits);
            return Ok(State::Reachability(Box::new(search.map_err(|reason| reason.to_string())?)));
        }
        let prover =
            self.factory.new_prover(theories.logic(), limits).map_err(|reason| reason.to_string())?;
        Ok(State::Ready(Box::new(Ready {
            system,
            pipeline: self.pipeline.clone(),
            invariants,
            sharing,
            is_exhausted: false,
            is_improved: false,
            step: StepCase::new(prover),
            initial: None,
            k: 0,
            counterexamples: self.counterexamples,
            last: None,
        })))
    }
}

impl Ready<'_> {
    /// Checks the step case for the current k and decides how to proceed.
    fn attempt(
        &mut self,
        pool: &mut TermPool,
        factory: &dyn ProverFactory,
        statistics: &mut Statistics,
        largest: u32,
        limits: &Limits,
    ) -> Attempt {
        if let Some(proof) = self.invariants.proof() {
            return Attempt::Proved(of_cells(pool, &self.system, proof, &self.pipeline));
        }
        self.share(pool, statistics, limits);
        let start = Instant::now();
        let facts = self.invariants.current();
        let status = self.step.check(pool, &mut self.system, self.k, facts, &limits.share(2));
        statistics.step_case.add(start);
        statistics.step_case_formula = self.step.construction;
        statistics.k = self.k;
        self.remember(pool, &status);
        match status {
            Status::Unsat => return self.conclude(pool, factory, statistics, limits),
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

    /// Sends new facts to other runs, and learns from theirs.
    fn share(&mut self, pool: &mut TermPool, statistics: &mut Statistics, limits: &Limits) {
        let Some(sharing) = &mut self.sharing else { return };
        sharing.send(pool, self.invariants.current());
        let facts = sharing.receive(pool, &self.system, self.invariants.current(), limits);
        self.invariants.learn(pool, facts);
        statistics.facts = self.invariants.current().len();
    }

    /// Keeps the answer of the step case for the graph.
    fn remember(&mut self, pool: &mut TermPool, status: &Status) {
        if self.counterexamples == Counterexamples::Ignored {
            return;
        }
        let answer = match status {
            Status::Unsat => Answer::Holds,
            Status::Unknown(_) => Answer::Open,
            Status::Sat => {
                let counterexample = self.step.counterexample(pool, &mut self.system);
                counterexample.map_or(Answer::Open, Answer::Fails)
            }
        };
        self.last = Some(Last { k: self.k, answer });
    }

    fn improve(&mut self, pool: &mut TermPool, statistics: &mut Statistics, limits: &Limits) -> Improvement {
        let start = Instant::now();
        let improvement = self.invariants.improve(pool, &mut self.system, limits);
        self.is_exhausted = improvement == Improvement::Exhausted;
        statistics.invariants.add(start);
        statistics.facts = self.invariants.current().len();
        statistics.inference = self.invariants.cost();
        improvement
    }

    /// Checks the initial case after the step case has succeeded.
    fn conclude(
        &mut self,
        pool: &mut TermPool,
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
                let reason =
                    "the transition system reaches an error or an unsupported construct within k transitions";
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
        let proof = Proof { k: self.k, facts, factory, pipeline: &self.pipeline, limits };
        let certificate = proof.certificate(pool, &mut self.system);
        statistics.proof.add(start);
        Attempt::Proved(certificate)
    }
}

#[cfg(test)]
mod tests;
