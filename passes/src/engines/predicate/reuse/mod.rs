//! The precision between runs: predicates in names of the source.
//!
//! Beyer, Löwe, Novikov, Stahlbauer, Wendler, *Precision Reuse for Efficient Regression
//! Verification*, FSE 2013; Wendler, *Towards Practical Predicate Analysis*, PhD thesis, University
//! of Passau, 2017. The precision of a predicate analysis is expensive to find and cheap to check:
//! each predicate takes a share of a refinement to find, and one more variable of the abstraction
//! to use. It is also robust: most predicates of one version of a program are useful for the next.
//! So a run can save its final precision, and another run of the same or of a changed program can
//! start with it.
//!
//! *Soundness.* A precision only chooses the abstraction; a run with any initial precision is a run
//! of the same algorithm. So nothing about a saved precision is trusted or checked.
//!
//! *Names.* A predicate and its scope are in [names of the source](crate::names), so predicates
//! survive edits elsewhere.
//!
//! *Saving.* Predicates without names of the source are omitted and counted. Impact has no
//! precision: the atoms of the formulas of its states take its place. The predicates of a location
//! that is no loop head, as with `--blk sbe`, have the scope of their function.
//!
//! *Reading.* A predicate is read at each location in its scope, in the encoding of the run. If its
//! loop, its function or one of its variables exists nowhere, it is skipped and counted. All others
//! are part of the precision of the initial state, which all states inherit.
//!
//! *Conditions.* Without a saved precision, the conditions (`conditions`) of the program itself are
//! a possible start.
//!
//! Cost: a run with n initial predicates at a location computes each Boolean abstraction there over
//! all of them; those of no use cost time.

mod conditions;
mod transfer;

use crate::names::{FormulaReader, SavedPrecision};

/// The use of a saved precision, and what becomes of the precision at the end.
#[derive(Clone, Debug, Default)]
pub struct Reuse {
    /// The initial precision.
    pub initial: SavedPrecision,
    /// Whether the final precision is needed.
    pub is_saved: bool,
    /// Reads predicates in SMT-LIB. Without a reader, they are skipped and omitted.
    pub reader: Option<FormulaReader>,
}

#[cfg(test)]
mod tests;
