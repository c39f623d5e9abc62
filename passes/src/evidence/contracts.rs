//! Summaries in terms of the source: the contracts of functions.

use super::cut_points::{List, Own, Prepared, PresentedInvariant, present_invariant};
use super::{Basis, Place, Summaries};
use grammars::source::SourceMap;
use program::ssa::Program;
use serde::Serialize;
use terms::TermPool;

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
            let (programs, own) = ((lowered, &prepared.program), Own { block, formula, index: None });
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
