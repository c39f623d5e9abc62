//! A run of the analysis: preparation, CEGAR (*A Unifying View on SMT-Based Software Verification*, Algorithm 4), evidence.
//!
//! *Confirmation.* The model of a feasible counterexample has the inputs on the way, with which the interpreter runs the program as it was
//! lowered. If that run is no error (the model passes an over-approximation, or inputs that passes dropped matter), the counterexample still says how
//! often each loop is entered: bounded model checking up to that bound finds an error, replays it, and gives the trace.
//! DIVERGENCE: then the trace may be another than the counterexample, a shorter one as a rule.

use super::algorithm::{Analysis, Stopped};
use super::arg::Node;
use super::config::Config;
use super::dump;
use super::formulas::Formulas;
use super::refinement::{Reached, Refined};
use super::solving::{Failure, Solver, Statistics};
use crate::engines::bmc;
use crate::engines::replay::replay;
use crate::evidence::{BoundedProof, Certificate, Obligation, ObligationKind, Site, UnknownReason, Verdict};
use crate::trace::Trace;
use crate::transform::inline::{InlineError, InlineLimits};
use crate::transform::{Locations, Pipeline, PrepareError, PreparedForViews, ViewLimits, prepare_for_views};
use backends::{ProverFactory, Reason};
use grammars::source::Span;
use program::ssa::Program;
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::Instant;
use terms::{Term, TermPool};
use views::BlockOperator;
use views::paths::{Location, Target, UnsupportedEnds};

/// What a run found out, and what it cost.
#[derive(Clone, Debug)]
pub struct Report {
    /// The answer.
    pub verdict: Verdict,
    /// The cost.
    pub statistics: Statistics,
}

/// Told how the run goes on.
pub trait Observer {
    /// CPA++ stopped.
    fn explored(&mut self, statistics: &Statistics, waiting: usize) {
        let _ = (statistics, waiting);
    }

    /// A counterexample was refuted.
    fn refined(&mut self, statistics: &Statistics, refinement: &Refinement) {
        let _ = (statistics, refinement);
    }

    /// A counterexample has a model that does not replay; now an error is looked for with loops unrolled up to `bound`.
    fn confirms(&mut self, bound: u32) {
        let _ = bound;
    }

    /// Whether the facts of a refinement are wanted as text.
    fn wants_facts(&self) -> bool {
        false
    }

    /// Whether the graph after so many refinements, or the last one, is wanted.
    fn wants_graph(&self, refinements: Option<u64>) -> bool {
        let _ = refinements;
        false
    }

    /// The name of a location in the source, empty if it has none.
    fn locate(&self, span: Span) -> String {
        let _ = span;
        String::new()
    }

    /// The graph for Graphviz: the last one, or after so many refinements.
    fn graph(&mut self, refinements: Option<u64>, dot: &str) {
        let _ = (refinements, dot);
    }
}

/// How a counterexample was refuted.
#[derive(Clone, Debug)]
pub struct Refinement {
    /// Blocks of the counterexample.
    pub blocks: usize,
    /// The source of the facts.
    pub source: &'static str,
    /// The facts that were used, by state, as far as they are not trivial; empty unless they are wanted.
    pub facts: Vec<String>,
}

/// Nobody is told.
impl Observer for () {}

/// Parameters of a run that are no choices of the analysis.
pub type Settings = bmc::Config;

/// Checks `program`, as it was lowered, with a prover of `factory`, which has to have interpolants where the configuration uses them.
pub fn run(
    pool: &mut TermPool,
    program: &Program,
    factory: &dyn ProverFactory,
    config: &Config,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Report {
    let mut run =
        Run { pool, program, factory, config, settings, observer, statistics: Statistics::default() };
    let verdict = run.verdict().unwrap_or_else(Verdict::Unknown);
    Report { verdict, statistics: run.statistics }
}

struct Run<'a> {
    pool: &'a mut TermPool,
    program: &'a Program,
    factory: &'a dyn ProverFactory,
    config: &'a Config,
    settings: &'a Settings,
    observer: &'a mut dyn Observer,
    statistics: Statistics,
}

/// How CEGAR ended.
enum End {
    /// No target can be reached.
    Safe(Certificate),
    /// A target is reached, with loops entered so often.
    Reached(Reached, u32),
    /// The Loop-Bound CPA left something out.
    Bounded(u32),
    /// No source excludes a counterexample; what they say.
    NoProgress(Vec<String>),
}

/// A program to analyse.
pub(super) struct Prepared {
    program: Program,
    back: PreparedForViews,
    pub(super) pipeline: Pipeline,
    pub(super) limits: ViewLimits,
}

/// How deep recursions are inlined, one attempt after the other.
const RECURSION: [u32; 7] = [0, 3, 6, 12, 25, 50, 100];
/// Blocks and instructions of a program with a recursion, at most.
const RECURSIVE_SIZE: usize = 300_000;

impl Run<'_> {
    fn verdict(&mut self) -> Result<Verdict, UnknownReason> {
        let pipeline = &self.settings.pipeline;
        match self.with_passes(pipeline) {
            // What the passes took may have mattered: a loop before the error that does not end.
            Err(reason @ (UnknownReason::Unconfirmed { .. } | UnknownReason::Approximation(_)))
                if !pipeline.is_empty() =>
            {
                self.statistics.without_passes = Some(reason.to_string());
                self.with_passes(&Pipeline::none())
            }
            result => result,
        }
    }

    fn with_passes(&mut self, pipeline: &Pipeline) -> Result<Verdict, UnknownReason> {
        let mut last = UnknownReason::Interrupted;
        for recursion in RECURSION {
            let standard = InlineLimits::default();
            let size = if recursion == 0 { standard.size } else { RECURSIVE_SIZE };
            let limits = ViewLimits {
                inline: InlineLimits { recursion, size },
                // DIVERGENCE: `sbe` ends a block at each basic block. With a location for each operation
                // there are several times as many states, and searches that end now do not.
                locations: match self.config.blk {
                    BlockOperator::Lf => Locations::Calls,
                    _ => Locations::Basic,
                },
                ..ViewLimits::default()
            };
            let prepared = match self.prepare(pipeline, limits) {
                Ok(prepared) => prepared,
                Err(PrepareError::Inline(InlineError::Recursion { .. })) => continue,
                Err(error @ PrepareError::Inline(InlineError::TooLarge { .. })) if recursion > 0 => {
                    return Err(match last {
                        UnknownReason::Interrupted => unsupported(error.to_string()),
                        last => last,
                    });
                }
                Err(error) => return Err(unsupported(error.to_string())),
            };
            match self.explore(&prepared) {
                Err(reason @ UnknownReason::Unsupported(_)) if prepared.back.cuts > 0 => last = reason,
                result => return result,
            }
        }
        Err(last)
    }

    fn prepare(&mut self, pipeline: &Pipeline, limits: ViewLimits) -> Result<Prepared, PrepareError> {
        let start = Instant::now();
        let mut program = self.program.clone();
        let back = prepare_for_views(self.pool, &mut program, limits, pipeline);
        self.statistics.preparation.add(start);
        Ok(Prepared { program, back: back?, pipeline: pipeline.clone(), limits })
    }

    /// What is not supported is a target first. If an execution gets there, the answer cannot be TRUE, but there may be an error.
    fn explore(&mut self, prepared: &Prepared) -> Result<Verdict, UnknownReason> {
        let site = match self.attempt(prepared, UnsupportedEnds::Targets)? {
            Ok(verdict) => return Ok(verdict),
            Err(site) => site,
        };
        if prepared.back.cuts > 0 {
            return Err(UnknownReason::Unsupported(site));
        }
        match self.attempt(prepared, UnsupportedEnds::Ignored) {
            Ok(Ok(Verdict::Unsafe(trace))) => Ok(Verdict::Unsafe(trace)),
            _ => Err(UnknownReason::Unsupported(site)),
        }
    }

    /// CEGAR on the prepared program. The inner error is what is not supported and reached.
    fn attempt(
        &mut self,
        prepared: &Prepared,
        ends: UnsupportedEnds,
    ) -> Result<Result<Verdict, Site>, UnknownReason> {
        let settings = self.settings;
        let Prepared { program, back, .. } = prepared;
        let formulas = Formulas::new(self.pool, program, settings, ends)
            .map_err(|error| unsupported(error.to_string()))?;
        let limits = settings.limits();
        let prover =
            self.factory.new_prover(settings.theories.logic(), &limits).map_err(|reason| unknown(&reason))?;
        let solver = Solver { prover, limits, statistics: std::mem::take(&mut self.statistics) };
        let entry = program.entry;
        let blocks = program.functions[entry].blocks.keys();
        let origin = |block| back.back.block(entry, block).map(|(function, _)| function);
        let origins = blocks.map(origin).collect();
        // Without ends of blocks, iterations tell the states of a loop apart.
        let config = match (self.config.blk, self.config.loop_bound) {
            (BlockOperator::Never, None) => &Config { loop_bound: Some(u32::MAX), ..self.config.clone() },
            _ => self.config,
        };
        let mut analysis = Analysis::new(self.pool, formulas, solver, config, origins, settings.largest_pool);
        let end = cegar(&mut analysis, prepared, self.observer);
        let site = match &end {
            Ok(End::Reached(Reached { target: Target::Unsupported(construct), .. }, _)) => {
                let data = analysis.formulas.paths.unsupported(*construct);
                Some(Site { what: data.what.clone(), span: data.span })
            }
            _ => None,
        };
        self.statistics = analysis.finish();
        if let Some(site) = site {
            return Ok(Err(site));
        }
        match end.map_err(|failure| failed(&failure))? {
            End::Safe(certificate) => Ok(Ok(Verdict::Safe(certificate))),
            End::Reached(reached, bound) => match self.replay(prepared, reached) {
                Ok(trace) => Ok(Ok(Verdict::Unsafe(Box::new(trace)))),
                Err(reason) => {
                    self.statistics.failed_replay = Some(reason);
                    self.confirm(bound.max(prepared.limits.inline.recursion + 2)).map(Ok)
                }
            },
            End::Bounded(bound) => Err(UnknownReason::Bound { bound }),
            End::NoProgress(reasons) => {
                let reasons =
                    if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join("; ")) };
                let explanation = format!("no source has facts that exclude a counterexample{reasons}");
                Err(UnknownReason::Solver { explanation })
            }
        }
    }

    /// Runs the program on the inputs of a feasible counterexample. An error says why they lead to no violation.
    fn replay(&mut self, prepared: &Prepared, reached: Reached) -> Result<Trace, String> {
        let Target::Error(property) = reached.target else { return Err("no error is reached".to_owned()) };
        let start = Instant::now();
        let at = self.program.properties[property].span;
        let inputs = reached.inputs?;
        let replayed = replay(self.pool, self.program, Some(&prepared.back.back), inputs, (property, at));
        self.statistics.replay.add(start);
        replayed.map_err(|reason| reason.to_string())
    }

    /// Looks for an error with loops unrolled up to `bound`.
    fn confirm(&mut self, bound: u32) -> Result<Verdict, UnknownReason> {
        self.observer.confirms(bound);
        let start = Instant::now();
        let config = bmc::Config { schedule: bmc::Schedule::deepening(Some(bound)), ..self.settings.clone() };
        let report = bmc::run(self.pool, self.program, self.factory, &config, &mut ());
        self.statistics.confirmation.add(start);
        match report.verdict {
            Verdict::Unknown(UnknownReason::Bound { bound }) => Err(UnknownReason::Unconfirmed {
                explanation: format!("there is no error within {bound} iterations of each loop"),
            }),
            Verdict::Unknown(reason) => Err(reason),
            verdict => Ok(verdict),
        }
    }
}

fn failed(failure: &Failure) -> UnknownReason {
    match failure {
        Failure::Solver(reason) => unknown(reason),
        Failure::Formula(error) => unsupported(error.to_string()),
        Failure::Terms => UnknownReason::MemoryLimit { bound: None },
        Failure::Diagrams => UnknownReason::Solver { explanation: failure.to_string() },
    }
}

fn unsupported(what: String) -> UnknownReason {
    UnknownReason::Unsupported(Site { what, span: Span::NONE })
}

fn unknown(reason: &Reason) -> UnknownReason {
    match reason {
        Reason::Timeout => UnknownReason::TimeLimit { bound: None },
        Reason::Memory => UnknownReason::MemoryLimit { bound: None },
        Reason::Interrupted => UnknownReason::Interrupted,
        other => UnknownReason::Solver { explanation: other.to_string() },
    }
}

/// Algorithm 4.
fn cegar(
    analysis: &mut Analysis<'_, '_>,
    prepared: &Prepared,
    observer: &mut dyn Observer,
) -> Result<End, Failure> {
    loop {
        let stopped = analysis.run()?;
        observer.explored(&analysis.solver.statistics, analysis.waitlist.len());
        let target = match stopped {
            Stopped::Exhausted => {
                show(analysis, observer, None);
                return analysis.exhausted(prepared);
            }
            Stopped::Aborted(target) => target,
        };
        let blocks = analysis.arg.branch(target).len() - 1;
        match analysis.refine(target)? {
            Refined::Feasible(reached) => {
                show(analysis, observer, None);
                return Ok(End::Reached(reached, analysis.iterations(target)));
            }
            Refined::Infeasible { source, facts } => {
                let facts = match observer.wants_facts() {
                    true => analysis.describe(&facts),
                    false => Vec::new(),
                };
                observer.refined(&analysis.solver.statistics, &Refinement { blocks, source, facts });
                show(analysis, observer, Some(analysis.solver.statistics.refinements));
            }
            Refined::NoProgress(reasons) => {
                show(analysis, observer, None);
                return Ok(End::NoProgress(reasons));
            }
        }
    }
}

fn show(analysis: &mut Analysis<'_, '_>, observer: &mut dyn Observer, refinements: Option<u64>) {
    if !observer.wants_graph(refinements) {
        return;
    }
    let dot = dump::dot(&analysis.drawn(&|span| observer.locate(span)));
    observer.graph(refinements, &dot);
}

impl Analysis<'_, '_> {
    fn describe(&self, facts: &[Term]) -> Vec<String> {
        let facts = facts.iter().filter(|&&fact| self.pool.as_bool(fact).is_none());
        facts.map(|&fact| terms::print::term(self.pool, fact)).collect()
    }

    fn exhausted(&mut self, prepared: &Prepared) -> Result<End, Failure> {
        if self.config.blk != BlockOperator::Never {
            return Ok(match (self.blocked.is_empty(), self.config.loop_bound) {
                (false, Some(bound)) => End::Bounded(bound),
                _ => End::Safe(Certificate::Inductive(Box::new(self.invariants(prepared)))),
            });
        }
        if let Some(bound) = self.forward_condition()? {
            return Ok(End::Bounded(bound));
        }
        // Then nothing is said of loops, and a bound of those that are left would say nothing of one that is not.
        if !self.is_loop_reached() {
            return Ok(End::Safe(Certificate::Inductive(Box::new(self.invariants(prepared)))));
        }
        let most = self.arg.nodes().flat_map(|(_, data)| data.counters.iter().copied()).max().unwrap_or(0);
        // The unroller counts calls in a recursion as well.
        let bound = most.max(prepared.limits.inline.recursion) + 2;
        let nothing = self.pool.fls();
        let obligation = |kind| Obligation { kind, bound, instances: 1, formula: nothing };
        let obligations = [ObligationKind::ErrorReached, ObligationKind::BoundExceeded].map(obligation);
        let proof = BoundedProof::new(bound, obligations.to_vec(), self.formulas.basis(&prepared.pipeline))
            .expect("errors and the bound are ruled out");
        Ok(End::Safe(Certificate::Bounded(proof)))
    }

    /// Whether a state is at the head of a loop.
    fn is_loop_reached(&self) -> bool {
        let loops = self.formulas.paths.loops();
        self.arg.nodes().any(|(_, data)| match data.location {
            Location::Block(block) => loops.headed_by(block).is_some(),
            Location::Target => false,
        })
    }

    /// The loop bound, if an execution may go on beyond it.
    fn forward_condition(&mut self) -> Result<Option<u32>, Failure> {
        let mut formulas = Vec::with_capacity(self.blocked.len());
        for path in self.blocked.clone() {
            formulas.push(self.formulas.clause(self.pool, path)?.constraint);
        }
        let goes_on = self.pool.or(&formulas);
        let is_exceeded = self.solver.is_satisfiable(self.pool, &[goes_on])?;
        Ok(self.config.loop_bound.filter(|_| is_exceeded))
    }

    /// How often a loop is entered on the way to a target, at most.
    fn iterations(&self, target: Node) -> u32 {
        let mut counts: FxHashMap<Location, u32> = FxHashMap::default();
        let mut most = 0;
        for node in self.arg.branch(target) {
            let data = &self.arg[node];
            let count = counts.entry(data.location).or_insert(0);
            *count += 1;
            most = most.max(*count);
        }
        // Counters end with their loop, and a target is behind all of them.
        let mut seen = FxHashSet::default();
        let mut above = vec![target];
        while let Some(node) = above.pop() {
            if seen.insert(node) {
                let data = &self.arg[node];
                most = most.max(data.counters.iter().copied().max().unwrap_or(0));
                above.extend(&data.parents);
            }
        }
        most + 1
    }

    /// The statistics of the run.
    fn finish(&mut self) -> Statistics {
        let mut statistics = std::mem::take(&mut self.solver.statistics);
        let states = self.arg.nodes().filter(|(_, data)| data.kind == super::arg::Kind::Abstraction);
        let states: Vec<Node> = states.map(|(node, _)| node).collect();
        statistics.abstraction_states = states.len() as u64;
        statistics.covered_states = states.iter().filter(|&&node| self.arg.is_covered(node)).count() as u64;
        statistics.predicates = self.abstractions.predicates() as u64;
        let mut locations: std::collections::BTreeMap<Location, usize> = std::collections::BTreeMap::new();
        for &node in &states {
            let data = &self.arg[node];
            if let Location::Block(_) = data.location {
                let tracked = data.precision.at(data.location, self.function(data.location)).len();
                let most = locations.entry(data.location).or_default();
                *most = tracked.max(*most);
            }
        }
        statistics.predicates_by_place = locations
            .into_iter()
            .filter(|&(_, count)| count > 0)
            .map(|(location, count)| match location {
                Location::Block(block) => (block.to_string(), count as u64),
                Location::Target => ("target".to_owned(), count as u64),
            })
            .collect();
        statistics
    }
}
