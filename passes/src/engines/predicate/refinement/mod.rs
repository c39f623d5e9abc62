//! Refinement: from an abstract counterexample to a feasible path, or to a finer abstraction.
//!
//! *A Unifying View on SMT-Based Software Verification*, §3.2, in its four steps:
//!
//! 1. the *abstract counterexample* is the sequence of abstraction states from the root to the target;
//! 2. one query decides its *feasibility*, whether the conjunction of its block formulas has a model;
//! 3. if not, *abstract facts* are found about the states in between ([`facts`]), by the sources of the configuration in their order;
//! 4. a *strategy* uses them ([`strategies`]): as predicates, or to strengthen the states.
//!
//! The sequence of block formulas identifies a counterexample. One that comes again gets the facts that were found for it before: where
//! their states were explored anew with a coarser precision, that is enough. If nothing becomes finer by them, they did not exclude it (a
//! Cartesian abstraction need not express what follows from its predicates), and the next source has its turn; after the last
//! there is no answer. So there is no endless loop.
//!
//! Forced covering ([`forced_covering`]) is the same with another goal: that the formula of the candidate holds at the end of a path
//! that starts at the nearest common ancestor.

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

/// What became of an abstract counterexample.
#[derive(Debug)]
pub(crate) enum Refined {
    /// As far as the formulas tell it is feasible.
    Feasible(Reached),
    /// It is not, and `reached` is finer now.
    Infeasible {
        /// Where the facts come from.
        source: &'static str,
        /// What was used.
        facts: Vec<Term>,
    },
    /// It is not, but no source has facts that exclude it: why, as far as the sources say.
    NoProgress(Vec<String>),
}

/// The end of a feasible counterexample.
#[derive(Clone, Debug)]
pub(crate) struct Reached {
    /// Where it leads.
    pub(crate) target: Target,
    /// What the prepared program takes from outside on the way, as the model has it; or why that is not known.
    pub(crate) inputs: Result<Trace, String>,
}

/// An abstract counterexample.
pub(crate) struct Counterexample {
    /// The abstraction states from the root to the target.
    pub(crate) states: Vec<Node>,
    /// What leads from each state to the next.
    pub(crate) paths: Vec<Path>,
    /// The formulas of `paths`.
    pub(crate) blocks: Vec<Rc<PathClause>>,
}

impl Counterexample {
    /// The states between the root and the target.
    pub(crate) fn inner(&self) -> &[Node] {
        &self.states[1..self.states.len() - 1]
    }
}

/// What was found out about each counterexample, a sequence of block formulas, when it came before.
#[derive(Default)]
pub(crate) struct Repetitions {
    seen: FxHashMap<Vec<Path>, Refuted>,
}

/// A counterexample without a model.
#[derive(Clone, Default)]
struct Refuted {
    /// How many sources had their turn.
    tried: usize,
    /// All facts that they found.
    facts: Vec<AbstractFacts>,
}

impl Analysis<'_, '_> {
    /// Looks at the abstract counterexample that ends in `target`.
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
            let is_progress = self.apply(&counterexample, &facts)?;
            refuted.facts.push(facts.clone());
            if is_progress {
                self.repetitions.seen.insert(counterexample.paths, refuted);
                return Ok(Refined::Infeasible { source: source.name(), facts: facts.terms() });
            }
        }
        Ok(Refined::NoProgress(reasons))
    }

    /// Lets a failure of one source or attempt be no failure of the run, unless the run has no time left.
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

    /// What the counterexample reaches in a model of its formulas, errors before others; none if there is no model.
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

    /// The first target whose guard is true in a model of `problem`, the instances of `paths`; none if there is no model.
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

    /// Lets the strategy use facts for the inner states of a counterexample. Whether the counterexample is gone.
    fn apply(&mut self, counterexample: &Counterexample, facts: &AbstractFacts) -> Result<bool, Failure> {
        let inner = counterexample.inner();
        let target = *counterexample.states.last().expect("a counterexample has states");
        let is_precision_finer = match self.config.refinement {
            Refinement::Predicate | Refinement::Ufo => {
                let found = self.predicates_of(inner, facts);
                self.refine_precision(counterexample, &found)?
            }
            _ => false,
        };
        // What the precision removed needs no strengthening.
        let is_stronger = match (self.config.refinement, facts) {
            (Refinement::Impact | Refinement::Ufo, AbstractFacts::Sequence(facts)) => {
                self.refine_states(inner, facts)?
            }
            _ => false,
        };
        if is_stronger && !self.arg[target].is_removed {
            // The target is unreachable from its strengthened predecessor.
            self.remove_target(target);
        }
        Ok(is_precision_finer || is_stronger)
    }

    /// Removes a target, and has the state before it expanded again, so that it is found again if it can still be reached.
    fn remove_target(&mut self, target: Node) {
        for parent in self.remove(target) {
            self.wait(parent);
        }
        debug_assert!(self.arg[target].formula == TRUE, "targets that are not reached are not in the graph");
    }
}
