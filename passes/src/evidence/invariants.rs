//! Invariants at cut points: the evidence of inductive proofs.

use super::Basis;
use crate::transform::{Pipeline, ViewLimits};
use crate::transitions::TransitionSystem;
use encode::Theories;
use horn::Relation;
use program::ssa::Block;
use std::collections::BTreeMap;
use terms::{Op, Representation, Sort, Term, TermPool};
use views::blocks::{Moment, Origin};

/// Invariants of blocks: each formula holds whenever an execution reaches the start of its block.
///
/// The blocks belong to the prepared program:
/// [`prepare_for_views`](crate::transform::prepare_for_views) computes it from the lowered program
/// with [`pipeline`](Self::pipeline) and [`limits`](Self::limits). Preparation is deterministic.
/// The formulas range over the states that [`views`](views) defines. *Cut points* are the start of
/// the program, every loop head, and every block with an invariant. At the start of the program,
/// and at a cut point without an invariant, the formula is `true`.
#[derive(Clone, Debug)]
pub struct Invariants {
    /// The theories of the formulas.
    pub theories: Theories,
    /// The passes that prepared the program.
    pub pipeline: Pipeline,
    /// The limits for inlining calls.
    pub limits: ViewLimits,
    /// Maps each symbol of the formulas, which has an encoded sort, to its variable.
    pub symbols: BTreeMap<Term, Origin>,
    /// Maps each block to its invariant, a formula over those `symbols` that are live there, and
    /// over [`index`](Self::index).
    pub at: BTreeMap<Block, Term>,
    /// The symbol that is universally quantified: each formula holds for all of its values.
    pub index: Option<Index>,
}

/// A universally quantified symbol of [`Invariants`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Index {
    /// The symbol, of an encoded sort.
    pub symbol: Term,
    /// The sort before encoding, whose values the symbol represents.
    pub sort: Sort,
    /// How the symbol represents a bit vector.
    pub representation: Representation,
}

impl Invariants {
    /// Makes invariants of facts about the states of `system`, which was made of the program that
    /// `pipeline` prepared with the default limits. Each fact is a formula over the symbols of its
    /// relation in the translated system.
    pub fn of_facts(
        pool: &mut TermPool,
        system: &TransitionSystem,
        facts: &[(Relation, Term)],
        pipeline: &Pipeline,
    ) -> Self {
        let mut at = BTreeMap::new();
        let mut symbols = BTreeMap::new();
        for (relation, state) in system.states.iter() {
            let own = facts.iter().filter(|(at, _)| *at == relation);
            let formulas: Vec<Term> = own.map(|&(_, formula)| formula).collect();
            let formula = pool.and(&formulas);
            if pool.op(formula) != Op::True {
                at.insert(state.block, formula);
            }
            symbols.extend(system.variables(relation).map(|(variable, symbol)| (symbol, variable.origin)));
        }
        let (theories, limits) = (system.theories, ViewLimits::default());
        Invariants { theories, limits, pipeline: pipeline.clone(), symbols, at, index: None }
    }

    /// The variable of a symbol of the formulas.
    pub(super) fn variable(&self, symbol: Term) -> Option<(Origin, Moment)> {
        self.symbols.get(&symbol).map(|&origin| (origin, Moment::Now))
    }

    /// Returns the encoding of the program.
    pub fn basis(&self) -> Basis {
        Basis { theories: self.theories, pipeline: self.pipeline.clone() }
    }
}
