//! Invariants of cut points: the evidence of inductive proofs.

use super::Basis;
use crate::transform::{Pipeline, ViewLimits};
use encode::Theories;
use program::ssa::Block;
use std::collections::BTreeMap;
use terms::Term;
use views::blocks::Origin;

/// What holds whenever an execution comes to the start of a block.
///
/// It is said of the program that [`prepare_for_views`](crate::transform::prepare_for_views) makes of the lowered one with
/// [`pipeline`](Self::pipeline) and [`limits`](Self::limits), which does the same each time, and of states as [`views`](views) have them. *Cut points* are the
/// start of the program, every loop head, and every block that has an invariant. At the start of the program, and at a
/// cut point without an invariant, it is `true`.
#[derive(Clone, Debug)]
pub struct Invariants {
    /// The theories of the formulas.
    pub theories: Theories,
    /// How the program was prepared.
    pub pipeline: Pipeline,
    /// How far calls were inlined.
    pub limits: ViewLimits,
    /// The symbols of the formulas, of encoded sorts, and the variable that each stands for.
    pub symbols: BTreeMap<Term, Origin>,
    /// By block: a formula over `symbols` that are live there.
    pub at: BTreeMap<Block, Term>,
}

impl Invariants {
    /// How the program was made formulas.
    pub fn basis(&self) -> Basis {
        Basis { theories: self.theories, pipeline: self.pipeline.clone() }
    }
}
