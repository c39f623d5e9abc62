//! The choices of the analysis, and the presets.

use super::abstraction::{Abstraction, Region};
use super::precision::Scope;

/// Where blocks end, besides at errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Blk {
    /// At every place.
    Sbe,
    /// At loop heads.
    L,
    /// At loop heads, calls and returns.
    Lf,
    /// Nowhere.
    Never,
}

/// The operator `merge`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Merge {
    /// States of one block are merged.
    Predicate,
    /// No states are merged.
    Sep,
}

/// In which order states are expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Order {
    /// In weak topological order.
    ReversePostorder,
    /// States in earlier iterations of a loop first.
    LoopIteration,
    /// Older states first.
    Bfs,
    /// Younger states first.
    Dfs,
}

/// The operator `fcover`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ForcedCovering {
    /// Nothing.
    Id,
    /// By interpolation from the nearest common ancestor.
    Impact,
}

/// What a refinement does with facts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Refinement {
    /// There is none.
    None,
    /// They become predicates.
    Predicate,
    /// They strengthen the states on the counterexample.
    Impact,
    /// Both.
    Ufo,
}

/// Which part of the graph is explored again after a refinement of the precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Restart {
    /// What is below the pivot state.
    Lazy,
    /// All.
    Full,
}

/// Which predicates are made of a fact.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Granularity {
    /// Its atoms.
    Atoms,
    /// The fact.
    Whole,
}

/// The configuration of an analysis.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where blocks end.
    pub blk: Blk,
    /// How abstraction formulas are kept.
    pub region: Region,
    /// What is computed at the end of a block.
    pub abstraction: Abstraction,
    /// Whether states are merged.
    pub merge: Merge,
    /// In which order states are expanded.
    pub order: Order,
    /// Whether coverage is forced.
    pub forced_covering: ForcedCovering,
    /// What a refinement does.
    pub refinement: Refinement,
    /// What is explored again.
    pub restart: Restart,
    /// What becomes a predicate.
    pub granularity: Granularity,
    /// Where a predicate is tracked.
    pub scope: Scope,
    /// The bound of the Loop-Bound CPA.
    pub loop_bound: Option<u32>,
}
