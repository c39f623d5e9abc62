//! Refinement: from an abstract counterexample to a feasible path or a finer abstraction.
//!
//! Beyer, Dangl, Wendler, *A Unifying View on SMT-Based Software Verification*, JAR 2018, §3.2, in
//! four steps:
//!
//! 1. The *abstract counterexample* is the sequence of abstraction states from the root to the
//!    target.
//! 2. One query decides its *feasibility*: whether the conjunction of its block formulas is
//!    satisfiable.
//! 3. If it is infeasible, the configured sources, in order, compute *abstract facts* about the
//!    states in between ([`facts`]).
//! 4. A *strategy* uses the facts ([`strategies`]): as predicates, or to strengthen the states.
//!
//! The sequence of block formulas identifies a counterexample. If it occurs again, the facts from
//! before are applied first; this suffices if its states were explored again with a coarser
//! precision. If they refine nothing, they did not exclude the counterexample (a Cartesian
//! abstraction need not express all consequences of its predicates), and the next source follows.
//! After the last source the answer is UNKNOWN. So refinement terminates on each counterexample.
//!
//! Forced covering ([`forced_covering`]) uses the same machinery with another goal: the formula of
//! the candidate holds at the end of a path from the nearest common ancestor.

mod candidates;
mod cells;
mod certify;
mod facts;
mod forced_covering;
mod heuristics;
mod path_invariants;
mod strategies;
#[cfg(test)]
mod tests;
mod weakest_preconditions;

use super::abstraction::TRUE;
use super::algorithm::Analysis;
use super::arg::Node;
use super::config::Refinement;
use super::formulas::PathClause;
use super::solving::Failure;
use backends::interpolation::Problem;
use backends::{Outcome, Reason};
use facts::AbstractFacts;
use horn::frames::Sequence;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::time::Instant;
use terms::choice::Choice;
use terms::{Term, Value};
use views::inputs::Trace;
use views::paths::{Path, Target};

/// The result of analyzing an abstract counterexample.
#[derive(Debug)]
pub(crate) enum Refined {
    /// The counterexample is feasible according to the formulas.
    Feasible(Reached),
    /// The counterexample is infeasible, and `reached` has been refined.
    Infeasible {
        /// The source of the facts.
        source: &'static str,
        /// The facts that were used.
        facts: Vec<Term>,
    },
    /// The counterexample is infeasible, but no source has facts that exclude it. The failures of
    /// the sources, as far as they report one.
    NoProgress(Vec<String>),
}

/// The end of a feasible counterexample.
#[derive(Clone, Debug)]
pub(crate) struct Reached {
    /// The target that it reaches.
    pub(crate) target: Target,
    /// The inputs of the prepared program on the path in the model, or the reason why they cannot
    /// be determined.
    pub(crate) inputs: Result<Trace, String>,
}

/// An abstract counterexample.
pub(crate) struct Counterexample {
    /// The abstraction states from the root to the target.
    pub(crate) states: Vec<Node>,
    /// The paths of the blocks between consecutive states.
    pub(crate) paths: Vec<Path>,
    /// The block formulas of `paths`.
    pub(crate) blocks: Vec<Rc<PathClause>>,
}

impl Counterexample {
    /// The states between the root and the target.
    pub(crate) fn inner(&self) -> &[Node] {
        &self.states[1..self.states.len() - 1]
    }
}

/// The earlier refutations of each counterexample, identified by its sequence of block formulas.
#[derive(Default)]
pub(crate) struct Repetitions {
    seen: FxHashMap<Vec<Path>, Refuted>,
}

/// An infeasible counterexample.
#[derive(Clone, Default)]
struct Refuted {
    /// The number of sources tried.
    tried: usize,
    /// All facts that they found.
    facts: Vec<AbstractFacts>,
}

impl Analysis<'_, '_> {
    /// Analyzes the abstract counterexample that ends in `target`.
    pub(crate) fn refine(&mut self, target: Node) -> Result<Refined, Failure> {
        let counterexample = self.counterexample(target)?;
        if let Some(reached) = self.feasible(&counterexample)? {
            return Ok(Refined::Feasible(reached));
        }
        self.solver.statistics.refinements += 1;
        let known = self.repetitions.seen.get(&counterexample.paths).cloned();
        if known.is_some() {
            self.solver.statistics.repeated_counterexamples += 1;
        }
        let mut refuted = known.unwrap_or_default();
        for facts in &refuted.facts {
            if self.apply(&counterexample, facts)? {
                return Ok(Refined::Infeasible { source: "known", facts: facts.terms() });
            }
        }
        let config = self.config;
        let mut reasons = Vec::new();
        while let Some(&source) = config.facts.get(refuted.tried) {
            refuted.tried += 1;
            let start = Instant::now();
            let found = self.facts(source, &counterexample);
            let entry = self.solver.statistics.facts_of(source.name());
            entry.1.add(start);
            entry.2 += u64::from(matches!(found, Ok(Some(_))));
            let facts = match found {
                Ok(Some(facts)) => facts,
                Ok(None) => continue,
                Err(failure) => {
                    reasons.push(format!("{source}: {failure}"));
                    self.survive(failure)?;
                    continue;
                }
            };
            self.collect_candidates(&counterexample, &facts)?;
            self.share(&counterexample, &facts);
            let is_progress = self.apply(&counterexample, &facts)?;
            refuted.facts.push(facts.clone());
            if is_progress {
                self.repetitions.seen.insert(counterexample.paths, refuted);
                return Ok(Refined::Infeasible { source: source.name(), facts: facts.terms() });
            }
        }
        Ok(Refined::NoProgress(reasons))
    }

    /// Notes facts about a counterexample for other runs.
    fn share(&mut self, counterexample: &Counterexample, facts: &AbstractFacts) {
        for (index, &node) in counterexample.inner().iter().enumerate() {
            let location = self.arg[node].location;
            let own = match facts {
                AbstractFacts::Sequence(facts) => facts.get(index).map(std::slice::from_ref),
                AbstractFacts::Predicates(predicates) => predicates.get(index).map(Vec::as_slice),
            };
            own.unwrap_or_default().iter().for_each(|&fact| self.shared.note(self.pool, location, fact));
        }
    }

    /// Ignores a failure of one source or attempt, unless the run is out of time.
    fn survive(&mut self, failure: Failure) -> Result<(), Failure> {
        if let Some(reason) = self.solver.limits.exceeded() {
            return Err(reason.into());
        }
        match failure {
            Failure::Solver(Reason::Interrupted) => Err(failure),
            _ => Ok(()),
        }
    }

    fn counterexample(&mut self, target: Node) -> Result<Counterexample, Failure> {
        let states = self.arg.branch(target);
        let paths: Vec<Path> = states[1..].iter().filter_map(|&node| self.arg.incoming(node)).collect();
        let blocks = self.blocks(&paths)?;
        Ok(Counterexample { states, paths, blocks })
    }

    fn blocks(&mut self, paths: &[Path]) -> Result<Vec<Rc<PathClause>>, Failure> {
        paths.iter().map(|&path| Ok(self.formulas.clause(self.pool, path)?)).collect()
    }

    /// Returns the target that a model of the counterexample reaches, errors first; `None` if it is
    /// infeasible.
    fn feasible(&mut self, counterexample: &Counterexample) -> Result<Option<Reached>, Failure> {
        let mut sequence = Sequence::default();
        let parts = counterexample.blocks.iter().map(|block| vec![sequence.next(self.pool, block)]);
        let mut problem = Problem::sequence(parts.collect());
        let targets = &counterexample.blocks.last().expect("a target is behind a block").targets;
        let guards: Vec<(Target, Term)> =
            targets.iter().map(|&(target, guard)| (target, sequence.in_last(self.pool, guard))).collect();
        let is_error = |target: &Target| matches!(target, Target::Error(_));
        let errors: Vec<Term> =
            guards.iter().filter(|(target, _)| is_error(target)).map(|&(_, guard)| guard).collect();
        let start = Instant::now();
        let paths = &counterexample.paths;
        let mut result = self.reached(paths, &problem, &guards);
        if let Ok(Some(Reached { target: Target::Unsupported(_), .. })) = result
            && !errors.is_empty()
        {
            let last = problem.tree.root();
            problem.parts[last].push(self.pool.or(&errors));
            result = match self.reached(paths, &problem, &guards) {
                Ok(None) => result,
                error => error,
            };
        }
        self.solver.statistics.feasibility.add(start);
        result
    }

    /// The first target whose guard is true in a model of `problem`, the instances of `paths`;
    /// `None` if it is unsatisfiable.
    fn reached(
        &mut self,
        paths: &[Path],
        problem: &Problem,
        guards: &[(Target, Term)],
    ) -> Result<Option<Reached>, Failure> {
        let all: Vec<Term> = guards.iter().map(|&(_, guard)| guard).collect();
        let formulas = &mut self.formulas;
        self.solver.decide(self.pool, problem, |pool, outcome| match outcome {
            Outcome::Sat(mut model) => {
                let values = model.eval_all(pool, &all)?;
                let Some(index) = values.iter().position(|value| *value == Value::Bool(true)) else {
                    return Err(Reason::Fault("the model of a path reaches no target".into()).into());
                };
                let target = guards[index].0;
                let inputs = match target {
                    Target::Error(_) => formulas.inputs(pool, paths, &mut *model),
                    Target::Unsupported(_) => Ok(Trace::default()),
                };
                Ok(Some(Reached { target, inputs: inputs.map_err(|error| error.to_string()) }))
            }
            Outcome::Unsat(_) => Ok(None),
            Outcome::Unknown(reason) => Err(reason.into()),
        })
    }

    /// Applies the strategy to facts about the inner states of a counterexample. Returns whether
    /// the counterexample is excluded.
    fn apply(&mut self, counterexample: &Counterexample, facts: &AbstractFacts) -> Result<bool, Failure> {
        let inner = counterexample.inner();
        let target = *counterexample.states.last().expect("a counterexample has states");
        let is_stronger = match (self.config.refinement, facts) {
            (Refinement::Impact | Refinement::Ufo, AbstractFacts::Sequence(facts)) => {
                self.refine_states(inner, facts)?
            }
            _ => false,
        };
        let mut is_precision_finer = false;
        if matches!(self.config.refinement, Refinement::Predicate | Refinement::Ufo) {
            let found = self.predicates_of(inner, facts)?;
            // Strengthened states exclude the counterexample, so what was explored stays.
            match is_stronger {
                true => self.extend_precisions(&found),
                false => is_precision_finer = self.refine_precision(counterexample, &found)?,
            }
        }
        if is_stronger && !self.arg[target].is_removed {
            // The target is unreachable from its strengthened predecessor.
            self.remove_target(target);
        }
        Ok(is_precision_finer || is_stronger)
    }

    /// Removes a target and expands the state before it again, so that the target is found again if
    /// it is still reachable.
    pub(super) fn remove_target(&mut self, target: Node) {
        for parent in self.remove(target) {
            self.wait(parent);
        }
        debug_assert!(self.arg[target].formula == TRUE, "targets that are not reached are not in the graph");
    }
}
