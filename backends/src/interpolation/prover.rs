//! Provers whose refutations have interpolants.

use super::Interpolation;
use crate::{Capabilities, Limits, Prover, ProverFactory, Reason};
use std::rc::Rc;

/// A factory of provers that log their assertions and hand the parts of an unsatisfiable set to an [`Interpolation`].
pub struct Interpolating {
    /// Decides.
    pub factory: Rc<dyn ProverFactory>,
    /// Makes the sources of a new prover.
    pub interpolation: Rc<dyn Fn() -> Interpolation>,
}

impl ProverFactory for Interpolating {
    fn name(&self) -> &'static str {
        self.factory.name()
    }

    fn version(&self) -> String {
        self.factory.version()
    }

    fn license(&self) -> &'static str {
        self.factory.license()
    }

    fn capabilities(&self) -> Capabilities {
        self.factory.capabilities()
    }

    fn new_prover(&self, logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
        self.factory.new_prover(logic, limits)
    }
}
