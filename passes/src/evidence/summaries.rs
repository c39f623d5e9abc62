//! Calling contexts and summaries: the evidence of proofs about programs with procedures.

use super::Basis;
pub use crate::procedures::Place;
use crate::procedures::ProcedureSystem;
use crate::transform::{Pipeline, ViewLimits};
use encode::Theories;
use horn::Relation;
use program::ssa::Function;
use std::collections::BTreeMap;
use terms::entity::PrimaryMap;
use terms::{Op, Term, TermPool};
use views::blocks::{BlockFormulas, CutPointData, Moment, Origin};

/// Predicates at the places of procedures: the calling context of each procedure at its entry, its
/// summary at its return, and invariants of its loop heads and calls.
///
/// The functions and blocks belong to the prepared program, as those of
/// [`Invariants`](super::Invariants) do. The states are those of
/// [`views::procedures`](mod@views::procedures). At a place without a predicate, the predicate is
/// `true`.
#[derive(Clone, Debug)]
pub struct Summaries {
    /// The theories of the formulas.
    pub theories: Theories,
    /// The passes that prepared the program.
    pub pipeline: Pipeline,
    /// The limits of the preparation, with the choice of procedures.
    pub limits: ViewLimits,
    /// The predicates.
    pub at: BTreeMap<(Function, Place), Predicate>,
}

/// A formula about the states of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// The symbols of the variables of the state, in its order. Their sorts are encoded.
    pub arguments: Vec<Term>,
    /// A formula over the arguments.
    pub formula: Term,
}

impl Summaries {
    /// Makes predicates of conjuncts about the states of `system`, which was made of the program
    /// that `pipeline` prepared with `limits`. The conjuncts of a relation are formulas over its
    /// symbols in the translated system.
    pub fn of_conjuncts(
        pool: &mut TermPool,
        system: &ProcedureSystem,
        conjuncts: &PrimaryMap<Relation, Vec<Term>>,
        pipeline: &Pipeline,
        limits: ViewLimits,
    ) -> Self {
        let mut at = BTreeMap::new();
        for (relation, state) in system.states.iter() {
            let formula = pool.and(&conjuncts[relation]);
            if pool.op(formula) != Op::True {
                let arguments = system.system.relations[relation].symbols().collect();
                at.insert((state.function, state.place), Predicate { arguments, formula });
            }
        }
        Summaries { theories: system.theories, pipeline: pipeline.clone(), limits, at }
    }

    /// The variable of a symbol of the predicate at a cut point.
    pub(super) fn variable(
        &self,
        blocks: &BlockFormulas,
        cut: &CutPointData,
        symbol: Term,
    ) -> Option<(Origin, Moment)> {
        let predicate = self.at.get(&(blocks.function, Place::of(&cut.kind)?))?;
        let position = predicate.arguments.iter().position(|&argument| argument == symbol)?;
        let variable = &blocks.variables[*cut.state.get(position)?];
        Some((variable.origin, variable.moment))
    }

    /// Returns the encoding of the program.
    pub fn basis(&self) -> Basis {
        Basis { theories: self.theories, pipeline: self.pipeline.clone() }
    }
}
