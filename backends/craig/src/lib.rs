//! `craig`: our own interpolating prover.
//!
//! Two halves that use each other. The **prover** is CDCL(T) with a proof: resolution chains whose leaves are the clauses of
//! the problem and theory lemmas with certificates. The **structure** half interpolates sequences and trees part by part, with
//! small local queries only, which any prover can serve.
//!
//! As a source of interpolants `craig` is the structure half; `craig-proof` interpolates a proof of the whole. The prover knows propositional
//! logic, bit vectors, uninterpreted functions and linear arithmetic, but no arrays so far. So local queries go to another
//! solver.
//!
//! | module | what |
//! |---|---|
//! | [`sat`] | conflict-driven clause learning with a logged proof; the trait of theories |
//! | [`proof`] | refutations: steps, trimming, an independent checker |
//! | [`arith`] | linear arithmetic over reals and integers, with certificates |
//! | [`euf`] | congruence closure with explanations |
//! | [`front`] | from terms to clauses and atoms |
//! | [`CraigProver`] | the prover: bit vectors, linear arithmetic and uninterpreted functions |
//! | [`interpolate`] | interpolants from a proof of the prover |
//! | [`structure`] | interpolation along a sequence or tree |
#![forbid(unsafe_code)]

pub mod arith;
pub mod euf;
pub mod front;
pub mod interpolate;
mod model;
pub mod proof;
mod prover;
pub mod sat;
pub mod structure;
#[cfg(test)]
mod tests;

pub use prover::CraigProver;

use backends::interpolation::{Interpolator, InterpolatorFactory, Shape};
use backends::{Capabilities, Limits, Prover, ProverFactory, Reason, Support, THEORIES};
use std::rc::Rc;

/// The name on the command line.
const NAME: &str = "craig";

/// The factory of this backend.
pub fn factory() -> CraigFactory {
    CraigFactory
}

/// Makes provers.
#[derive(Clone, Copy, Debug, Default)]
pub struct CraigFactory;

impl ProverFactory for CraigFactory {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    fn license(&self) -> &'static str {
        "MIT OR Apache-2.0"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            theories: vec!["Core", "Ints", "Reals", "FixedSizeBitVectors", "UF"],
            unsat_cores: Support::Full,
            models: Support::Full,
            ..Capabilities::default()
        }
    }

    /// `logic` is not looked at: what is out of reach is refused when it is asserted.
    fn new_prover(&self, _logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
        Ok(Box::new(CraigProver::new(sat::Config::ANSWERING, limits)))
    }
}

/// The source of interpolants part by part.
pub fn interpolator() -> Rc<dyn InterpolatorFactory> {
    Rc::new(CraigInterpolator)
}

/// The sources that interpolate from proofs of [`CraigProver`], the one of the strongest interpolants first.
pub fn proof_interpolators() -> Vec<Rc<dyn InterpolatorFactory>> {
    let of = |labelling| Rc::new(interpolate::ProofsFactory { labelling }) as Rc<dyn InterpolatorFactory>;
    interpolate::Labelling::ALL.map(of).into()
}

struct CraigInterpolator;

impl InterpolatorFactory for CraigInterpolator {
    fn name(&self) -> &'static str {
        NAME
    }

    fn solver(&self) -> Option<&'static str> {
        None
    }

    fn shape(&self) -> Shape {
        Shape::Tree
    }

    fn decides(&self) -> bool {
        true
    }

    fn theories(&self) -> Vec<&'static str> {
        THEORIES.to_vec()
    }

    fn new_interpolator(&self, solver: &Rc<dyn ProverFactory>) -> Box<dyn Interpolator> {
        Box::new(structure::Structure::new(Rc::clone(solver), structure::Score::default()))
    }
}
