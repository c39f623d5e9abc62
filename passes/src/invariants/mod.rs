//! Auxiliary invariants: facts about the states at loop heads that strengthen another analysis.
//!
//! See `DESIGN` §6.4 and the continuously refined invariants of Beyer, Dangl and Wendler (*Boosting k-Induction with Continuously-Refined
//! Invariants*, CAV 2015; Algorithm 3 of the thesis, seed 001). A [source](InvariantSource) finds facts, a little more each time it is asked. Sources are put
//! together by [`InOrder`], which keeps what they found. Facts are formulas over the target symbols of a
//! [transition system](crate::transitions), and together they are *inductive* there: they hold in the first state at a loop head of any run, and a
//! transition from a state that satisfies all of them leads to one that does.
//!
//! | source | how | cost |
//! |---|---|---|
//! | [`Intervals`] | data flow over the IR with widening and narrowing, widening later when asked again | one query for each transition, and one for each fact that is not inductive |
//! | [`Houdini`] | candidates from templates and simulated runs, those kept that are inductive together | a few queries for each transition and round |
//!
//! DIVERGENCE from the paper: sources do not run beside the analysis that uses them but in turns with it, each turn with a time limit, so that
//! runs are deterministic as long as no limit is met.

mod candidates;
mod cases;
mod houdini;
mod intervals;
mod linear;
mod simulation;

pub use houdini::Houdini;
pub(crate) use houdini::is_inductive;
pub use intervals::Intervals;

use crate::transitions::TransitionSystem;
use backends::Limits;
use horn::Relation;
use terms::{Term, TermPool};

/// What holds whenever a run is at a loop head.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Fact {
    /// The states of the loop head.
    pub at: Relation,
    /// Over the symbols of its arguments in the translated system, and no other symbols.
    pub formula: Term,
}

/// A source of facts.
pub trait InvariantSource {
    /// For statistics.
    fn name(&self) -> &'static str;

    /// Looks for more, until a limit is met. `known` is inductive, and is so together with what is found.
    fn find(
        &mut self,
        pool: &mut TermPool,
        system: &mut TransitionSystem,
        known: &[Fact],
        limits: &Limits,
    ) -> Found;
}

/// What a source found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The facts.
    pub facts: Vec<Fact>,
    /// Whether it makes sense to ask again.
    pub rest: Rest,
}

/// What a source may find later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rest {
    /// Something.
    More,
    /// Nothing.
    Exhausted,
}

/// Facts that may become more while they are used.
pub trait AuxiliaryInvariants {
    /// What is known now; later answers begin with it.
    fn current(&self) -> &[Fact];

    /// Looks for more, until a limit is met.
    fn improve(&mut self, pool: &mut TermPool, system: &mut TransitionSystem, limits: &Limits)
    -> Improvement;
}

/// What came of looking for more facts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Improvement {
    /// There are more.
    Stronger,
    /// There are none, yet.
    Unchanged,
    /// There will not be more.
    Exhausted,
}

/// Sources, one after the other.
pub struct InOrder<'s> {
    /// Those that are not exhausted, the next one last.
    sources: Vec<Box<dyn InvariantSource + 's>>,
    facts: Vec<Fact>,
}

impl<'s> InOrder<'s> {
    /// Asks the first of `sources` until it is exhausted, then the next.
    #[must_use]
    pub fn new(mut sources: Vec<Box<dyn InvariantSource + 's>>) -> Self {
        sources.reverse();
        InOrder { sources, facts: Vec::new() }
    }
}

impl AuxiliaryInvariants for InOrder<'_> {
    fn current(&self) -> &[Fact] {
        &self.facts
    }

    fn improve(
        &mut self,
        pool: &mut TermPool,
        system: &mut TransitionSystem,
        limits: &Limits,
    ) -> Improvement {
        while let Some(source) = self.sources.last_mut() {
            let Found { mut facts, rest } = source.find(pool, system, &self.facts, limits);
            if rest == Rest::Exhausted {
                self.sources.pop();
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

/// A formula over variables of states, `x` of block formulas, over target symbols; `None` if it has no such translation.
pub(crate) fn encode(pool: &mut TermPool, system: &TransitionSystem, formula: Term) -> Option<Term> {
    let mut encoder = system.theories.encoder();
    let encoded = encoder.formula(pool, formula).ok()?;
    let symbols = pool.free_symbols(encoded);
    let are_variables = symbols.into_iter().all(|symbol| {
        let symbol = pool.symbol_term(symbol);
        system.is_variable(symbol)
    });
    (encoder.approximations().is_empty() && are_variables).then_some(encoded)
}

#[cfg(test)]
mod tests;
