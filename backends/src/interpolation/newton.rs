//! Interpolants from unsat cores, strongest postconditions and weakest preconditions, with any solver.

use super::{Interpolator, Problem, Shape};
use crate::{Limits, ProverFactory, Reason};
use ir::term::{Term, TermPool};
use std::rc::Rc;

/// The source `newton`.
pub struct Newton {
    factory: Rc<dyn ProverFactory>,
}

impl Newton {
    /// The source over the solver of `factory`.
    pub fn new(factory: Rc<dyn ProverFactory>) -> Self {
        Newton { factory }
    }
}

impl Interpolator for Newton {
    fn name(&self) -> &str {
        "newton"
    }

    fn shape(&self) -> Shape {
        Shape::Tree
    }

    fn interpolate(
        &mut self,
        pool: &mut TermPool,
        problem: &Problem,
        limits: &Limits,
    ) -> Result<Vec<Term>, Reason> {
        let _ = (pool, problem, limits, self.factory.name());
        Err(Reason::Unsupported("newton".to_owned()))
    }
}
