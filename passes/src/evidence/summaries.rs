//! Calling contexts and summaries: the evidence of proofs about programs with procedures.

use super::Basis;
use super::present::{Key, List, Prepared, PresentedInvariant, present_invariant};
pub use crate::procedures::Place;
use crate::procedures::ProcedureSystem;
use crate::transform::{Pipeline, ViewLimits};
use encode::Theories;
use grammars::source::SourceMap;
use horn::Relation;
use program::ssa::{Function, Program};
use serde::Serialize;
use std::collections::BTreeMap;
use terms::entity::PrimaryMap;
use terms::{Op, Term, TermPool};
use views::blocks::{BlockFormulas, CutPointData};

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
    pub(super) fn variable(&self, blocks: &BlockFormulas, cut: &CutPointData, symbol: Term) -> Option<Key> {
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

/// Summaries in terms of the source.
#[derive(Clone, Debug, Serialize)]
pub struct PresentedSummaries {
    /// The encoding of the program.
    #[serde(flatten)]
    pub basis: Basis,
    /// The functions that were not inlined, the entry function first.
    pub procedures: Vec<PresentedProcedure>,
}

/// The contract of a function. `\result` is its result, and `\old(x)` the value of `x` at its
/// entry; a parameter has its value at the entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PresentedProcedure {
    /// The name.
    pub function: String,
    /// The precondition: the calling context. `None` for the entry function.
    pub requires: Option<PresentedInvariant>,
    /// The postcondition: the summary. `None` if the function does not return.
    pub ensures: Option<PresentedInvariant>,
    /// The invariants of loops and calls, in control-flow order.
    pub cut_points: Vec<PresentedInvariant>,
}

/// Presents `summaries` of the lowered program `lowered`.
pub(super) fn present_summaries(
    pool: &mut TermPool,
    lowered: &Program,
    summaries: &Summaries,
    sources: &SourceMap,
) -> PresentedSummaries {
    let mut result = PresentedSummaries { basis: summaries.basis(), procedures: Vec::new() };
    // As for invariants: the validator rejects summaries that do not fit the program.
    let Some(prepared) = Prepared::of_procedures(pool, lowered, summaries) else { return result };
    for blocks in &prepared.functions {
        let function = blocks.function;
        let name = prepared.program.functions[function].name.clone();
        let mut contract =
            PresentedProcedure { function: name, requires: None, ensures: None, cut_points: Vec::new() };
        for cut in blocks.cut_points.values() {
            let Some(place) = Place::of(&cut.kind) else { continue };
            if place == Place::Entry && function == prepared.program.entry {
                continue;
            }
            let predicate = summaries.at.get(&(function, place));
            let formula = predicate.map_or(pool.tru(), |predicate| predicate.formula);
            let variable = |symbol| summaries.variable(blocks, cut, symbol);
            let block = match place {
                Place::Entry => "entry".to_owned(),
                Place::Exit => "return".to_owned(),
                Place::Block(block) => block.to_string(),
                Place::Call(site) => format!("call {} in {}", site.index + 1, site.block),
            };
            let (programs, own) = ((lowered, &prepared.program), (block, formula));
            let presented = present_invariant(pool, programs, blocks, cut, &variable, own, sources);
            match place {
                Place::Entry => contract.requires = Some(presented),
                Place::Exit => contract.ensures = Some(presented),
                Place::Block(_) | Place::Call(_) => contract.cut_points.push(presented),
            }
        }
        result.procedures.push(contract);
    }
    result
}

impl PresentedSummaries {
    /// Lists the contracts, then the invariants of loops.
    pub(super) fn lines(&self, width: Option<usize>) -> String {
        let mut list = List::new("Contracts:\n", width);
        for procedure in &self.procedures {
            let places = [("requires ", &procedure.requires), ("ensures ", &procedure.ensures)];
            let places = places.map(|(prefix, place)| (prefix, place.as_ref()));
            let Some(first) = places.iter().find_map(|(_, place)| *place) else { continue };
            list.place(&format!("{} {}", first.place(), procedure.function));
            for (prefix, place) in places {
                list.conjuncts(prefix, place.map_or(&[][..], |place| &place.conjuncts));
            }
            for cut in procedure.cut_points.iter().filter(|cut| !cut.conjuncts.is_empty()) {
                list.conjuncts(&format!("at {}: ", cut.place()), &cut.conjuncts);
            }
        }
        list.finish()
    }
}
