//! Auxiliary invariants: facts about the states at loop heads that strengthen another analysis.
//!
//! The design follows the continuously refined invariants of Beyer, Dangl, Wendler, *Boosting
//! k-Induction with Continuously-Refined Invariants*, CAV 2015, and Stieglmaier, *Augmenting
//! Predicate Analysis with Auxiliary Invariants*, Master's thesis, 2016, Algorithm 3. A
//! [source](InvariantSource) finds facts incrementally. [`InOrder`] combines sources and keeps
//! their facts. Facts are formulas over the target symbols of a [transition
//! system](crate::transitions), and together they are *inductive* there: they hold in the first
//! state at a loop head of any run, and a transition from a state that satisfies all of them leads
//! to another such state.
//!
//! | source | method | cost |
//! |---|---|---|
//! | `templates` | interval analysis of the IR or `expressions` over disjunctive intervals, then domains of the [strategy solver](inference), in stages; one of them searches for a proof by facts about [all cells of arrays](inference::cells) | a few queries for each transition, row and stage |
//!
//! Programs with procedures have a system with several body atoms, see
//! [`procedures`](crate::procedures); `ProcedureInvariants` runs the stages of the strategy solver
//! on it.
//!
//! DIVERGENCE from the paper: sources do not run in parallel to the analysis that uses them but in
//! turns with it, each turn with a time limit, so runs are deterministic as long as no limit is
//! reached.

mod candidates;
mod cells;
mod expressions;
mod intervals;
mod needed;
mod options;
mod procedures;
mod templates;

pub(crate) use candidates::CandidateFacts;
pub(crate) use cells::{CellIndex, CellProof};
pub use inference::spec::DOMAINS;
pub use inference::{DomainSpec, Search, Spec, Statistics, Sum};
pub(crate) use needed::{core, is_inductive, needed};
pub use options::{InvariantGeneration, InvariantOptions};
pub(crate) use procedures::{
    ProcedureInvariants, STANDARD as STANDARD_OF_PROCEDURES, inference_of_procedures,
};
#[cfg(test)]
use templates::STANDARD;
pub(crate) use templates::{Stage, Templates};

use crate::transitions::TransitionSystem;
use backends::{Limits, ProverFactory};
use encode::Theories;
use horn::{Relation, System};
use inference::{Contexts, Formulas, Inference, Invariants, Suggestions, literals};
use terms::{Representation, Sort, Term, TermPool};

/// A formula that holds whenever a run is at a loop head.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Fact {
    /// The relation of the loop head.
    pub at: Relation,
    /// A formula over the symbols of the relation's arguments in the translated system, without
    /// other symbols.
    pub formula: Term,
}

/// A source of facts, or of a proof.
pub trait InvariantSource {
    /// The name in statistics.
    fn name(&self) -> &'static str;

    /// The cost so far.
    fn cost(&self) -> Statistics;

    /// Searches for more facts until a limit is reached. `known` is inductive, and the result must
    /// be inductive together with it.
    fn find(
        &mut self,
        pool: &mut TermPool,
        system: &mut TransitionSystem,
        known: &[Fact],
        limits: &Limits,
    ) -> Found;
}

/// The result of a source.
#[derive(Clone, Debug)]
pub struct Found {
    /// The facts.
    pub facts: Vec<Fact>,
    /// A proof by facts about all cells of arrays.
    pub(crate) proof: Option<CellProof>,
    /// Whether further calls may find more facts.
    pub rest: Rest,
}

/// Whether a source may find more facts later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rest {
    /// Further calls may find more.
    More,
    /// The source is exhausted.
    Exhausted,
}

/// A growing set of facts.
pub(crate) trait AuxiliaryInvariants {
    /// The facts so far; later results extend this slice.
    fn current(&self) -> &[Fact];

    /// Adds facts from elsewhere, which are inductive together with those so far.
    fn learn(&mut self, pool: &TermPool, facts: Vec<Fact>);

    /// A proof that no end is reachable, by facts about all cells of arrays.
    fn proof(&self) -> Option<&CellProof>;

    /// The cost so far.
    fn cost(&self) -> Statistics;

    /// Searches for more facts until a limit is reached.
    fn improve(&mut self, pool: &mut TermPool, system: &mut TransitionSystem, limits: &Limits)
    -> Improvement;
}

/// The result of a search for more facts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Improvement {
    /// New facts, or a proof, were found.
    Stronger,
    /// No new facts were found before a limit was reached.
    Unchanged,
    /// No further facts will be found.
    Exhausted,
}

/// Runs sources one after the other.
pub struct InOrder<'s> {
    /// The sources that are not exhausted, the next one last.
    sources: Vec<Box<dyn InvariantSource + 's>>,
    /// The cost of the sources that are exhausted.
    cost: Statistics,
    facts: Vec<Fact>,
    proof: Option<CellProof>,
}

impl<'s> InOrder<'s> {
    /// Queries the first of `sources` until it is exhausted, then the next.
    #[must_use]
    pub fn new(mut sources: Vec<Box<dyn InvariantSource + 's>>) -> Self {
        sources.reverse();
        InOrder { sources, cost: Statistics::default(), facts: Vec::new(), proof: None }
    }
}

impl AuxiliaryInvariants for InOrder<'_> {
    fn current(&self) -> &[Fact] {
        &self.facts
    }

    fn learn(&mut self, pool: &TermPool, mut facts: Vec<Fact>) {
        facts.retain(|fact| fact.formula != pool.tru() && !self.facts.contains(fact));
        self.facts.extend(facts);
    }

    fn proof(&self) -> Option<&CellProof> {
        self.proof.as_ref()
    }

    fn cost(&self) -> Statistics {
        let mut cost = self.cost.clone();
        if let Some(source) = self.sources.last() {
            cost.add(&source.cost());
        }
        cost
    }

    fn improve(
        &mut self,
        pool: &mut TermPool,
        system: &mut TransitionSystem,
        limits: &Limits,
    ) -> Improvement {
        while let Some(source) = self.sources.last_mut() {
            let Found { mut facts, proof, rest } = source.find(pool, system, &self.facts, limits);
            if rest == Rest::Exhausted {
                self.cost.add(&source.cost());
                self.sources.pop();
            }
            if proof.is_some() {
                self.proof = proof;
                return Improvement::Stronger;
            }
            facts.retain(|fact| fact.formula != pool.tru() && !self.facts.contains(fact));
            if !facts.is_empty() {
                self.facts.extend(facts);
                return Improvement::Stronger;
            }
            if limits.exceeded().is_some() {
                return Improvement::Unchanged;
            }
        }
        Improvement::Exhausted
    }
}

/// Encodes a formula over state variables (symbols `x` of block formulas) over target symbols;
/// `None` if it has no such encoding.
pub(crate) fn encode(pool: &mut TermPool, system: &TransitionSystem, formula: Term) -> Option<Term> {
    encode_over(pool, system.theories, formula, |symbol| system.is_variable(symbol))
}

/// Encodes a formula or another term exactly, over target symbols that are `variables`.
fn encode_over(
    pool: &mut TermPool,
    theories: Theories,
    term: Term,
    is_variable: impl Fn(Term) -> bool,
) -> Option<Term> {
    let mut encoder = theories.encoder();
    let encoded = match pool.sort(term) {
        Sort::Bool => encoder.formula(pool, term),
        _ => encoder.term_as(pool, term, Representation::Signed),
    };
    let encoded = encoded.ok()?;
    let symbols = pool.free_symbols(encoded);
    let are_variables = symbols.into_iter().all(|symbol| is_variable(pool.symbol_term(symbol)));
    (encoder.approximations().is_empty() && are_variables).then_some(encoded)
}

/// The literals of a system before translation, encoded. Translation to integers normalizes sums,
/// so the terms that a program compares are no longer visible after it.
fn literals_of_source(
    pool: &mut TermPool,
    theories: Theories,
    source: &System,
    is_variable: &dyn Fn(Term) -> bool,
) -> Suggestions {
    let mut suggested = Suggestions::default();
    if theories.encoding.is_linear() {
        let literals = literals(pool, source);
        for relation in source.relations.keys() {
            let encoded = literals[relation]
                .iter()
                .filter_map(|&formula| encode_over(pool, theories, formula, is_variable));
            suggested.literals[relation].extend(encoded);
        }
    }
    suggested
}

/// The strategy solver over a transition system; `factory` decides its queries.
pub(crate) fn inference_of<'f>(
    pool: &mut TermPool,
    system: &TransitionSystem,
    factory: &'f dyn ProverFactory,
) -> Inference<'f> {
    let is_variable = |symbol| system.is_variable(symbol);
    let suggested = literals_of_source(pool, system.theories, &system.source, &is_variable);
    let contexts = Contexts::new(factory, system.theories.logic());
    Inference::new(pool, &system.system, &suggested, contexts)
}

/// The conjuncts of invariants as facts.
pub(crate) fn facts_of(invariants: &Invariants) -> Vec<Fact> {
    let conjuncts = invariants.at.iter();
    let facts =
        conjuncts.flat_map(|(at, conjuncts)| conjuncts.iter().map(move |&formula| Fact { at, formula }));
    facts.collect()
}

/// Facts as formulas to be proved inductive.
pub(crate) fn formulas_of(facts: &[Fact]) -> Formulas {
    let mut formulas = Formulas::new();
    for fact in facts {
        formulas[fact.at].push(fact.formula);
    }
    formulas
}

#[cfg(test)]
mod tests;
