//! Invariants of cut points: the evidence of inductive proofs.

use super::Basis;
use crate::transform::{Pipeline, ViewLimits};
use encode::Theories;
use program::ssa::Block;
use std::collections::BTreeMap;
use terms::Term;
use views::blocks::Origin;

/// Formulas that hold whenever an execution reaches the start of a block.
///
/// The blocks are those of the program that
/// [`prepare_for_views`](crate::transform::prepare_for_views) makes of the lowered one with
/// [`pipeline`](Self::pipeline) and [`limits`](Self::limits); preparation is deterministic. The
/// states are those of [`views`](views). *Cut points* are the start of the program, every loop
/// head, and every block that has an invariant. The formula is `true` at the start of the program
/// and at a cut point without an invariant.
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
