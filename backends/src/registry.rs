//! Which solvers and sources there are: built once, in `cli`, and the same in a worker process.

use crate::ProverFactory;
use crate::interpolation::InterpolatorFactory;
use std::rc::Rc;

/// The built-in solvers and sources of interpolants, in the order of preference.
#[derive(Default)]
pub struct Registry {
    /// The solvers; the first is the default.
    pub provers: Vec<Rc<dyn ProverFactory>>,
    /// The sources of interpolants.
    pub interpolators: Vec<Rc<dyn InterpolatorFactory>>,
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
