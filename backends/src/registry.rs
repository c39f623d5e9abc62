//! The table of solvers and sources of interpolants, built once, in `cli`, and identical in worker
//! processes.

use crate::interpolation::{Interpolator, InterpolatorFactory, Newton, Preference, Shape};
use crate::{HornSolver, ProverFactory, THEORIES};
use std::rc::Rc;

/// The built-in solvers and sources of interpolants, in the order of preference.
#[derive(Clone, Default)]
pub struct Registry {
    /// The solvers; the first is the default.
    pub provers: Vec<Rc<dyn ProverFactory>>,
    /// The sources of interpolants.
    pub interpolators: Vec<Rc<dyn InterpolatorFactory>>,
    /// The solvers of Horn clauses.
    pub horn_solvers: Vec<Rc<dyn HornSolver>>,
}

impl Registry {
    /// The solver called `name`.
    pub fn prover(&self, name: &str) -> Option<&Rc<dyn ProverFactory>> {
        self.provers.iter().find(|factory| factory.name() == name)
    }

    /// The source called `name`.
    pub fn interpolator(&self, name: &str) -> Option<&Rc<dyn InterpolatorFactory>> {
        self.interpolators.iter().find(|factory| factory.name() == name)
    }
}

/// The source `newton`. It is independent of any solver, so every registry may contain it.
pub fn newton() -> Rc<dyn InterpolatorFactory> {
    Rc::new(NewtonFactory)
}

struct NewtonFactory;

impl InterpolatorFactory for NewtonFactory {
    fn name(&self) -> &'static str {
        "newton"
    }

    fn solver(&self) -> Option<&'static str> {
        None
    }

    fn shape(&self) -> Shape {
        Shape::Tree
    }

    fn prefers_elimination(&self) -> bool {
        true
    }

    fn theories(&self) -> Vec<&'static str> {
        THEORIES.to_vec()
    }

    fn new_interpolator(
        &self,
        solver: &Rc<dyn ProverFactory>,
        _preference: Preference,
    ) -> Box<dyn Interpolator> {
        Box::new(Newton::new(Rc::clone(solver)))
    }
}
