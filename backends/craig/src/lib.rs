//! `craig`: our own interpolating prover.
//!
//! Two halves. The [`prover`] is CDCL(T) with a proof: resolution chains whose leaves are the clauses of the problem and theory lemmas with
//! certificates. It knows propositional logic, bit vectors, uninterpreted functions, linear arithmetic and arrays. The [`interpolation`] half has the
//! sources: `craig` interpolates sequences and trees part by part, with small local queries only, which any prover can serve, of bit vectors by way
//! of integers first; `craig-proof` interpolates a proof of the whole, and is a source of its own.
#![forbid(unsafe_code)]

pub mod interpolation;
pub mod prover;
#[cfg(test)]
mod tests;

pub use interpolation::Alternatives;
pub use prover::CraigProver;

use backends::interpolation::{Interpolator, InterpolatorFactory, Preference, Shape};
use backends::{Capabilities, Limits, Prover, ProverFactory, Reason, Support, THEORIES};
use interpolation::by_parts::Structure;
use interpolation::int_blasting::Integral;
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
            theories: vec!["Core", "Ints", "Reals", "FixedSizeBitVectors", "ArraysEx", "UF"],
            unsat_cores: Support::Full,
            models: Support::Full,
            ..Capabilities::default()
        }
    }

    /// `logic` is not looked at: what is out of reach is refused when it is asserted.
    fn new_prover(&self, _logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
        Ok(Box::new(CraigProver::new(prover::sat::Config::ANSWERING, limits)))
    }
}

/// The source of interpolants part by part.
pub fn interpolator() -> Rc<dyn InterpolatorFactory> {
    Rc::new(CraigInterpolator)
}

/// The source that interpolates from proofs of [`CraigProver`].
pub fn proof_interpolator() -> Rc<dyn InterpolatorFactory> {
    Rc::new(interpolation::from_proof::ProofsFactory)
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

    fn new_interpolator(
        &self,
        solver: &Rc<dyn ProverFactory>,
        preference: Preference,
    ) -> Box<dyn Interpolator> {
        let mut provers: Vec<Rc<dyn ProverFactory>> = vec![Rc::new(CraigFactory)];
        if solver.name() != NAME {
            provers.push(Rc::clone(solver));
        }
        Box::new(Alternatives { name: NAME, sources: sources(CRAIG, &provers, preference) })
    }
}

/// One way to interpolate.
enum Stage {
    /// Part by part: each prover, with those after it as helpers, serves the local queries.
    Parts,
    /// Bit vectors by way of integers, for which there are these stages.
    Integers(&'static [Stage]),
}

/// What the source `craig` tries, in this order.
const CRAIG: &[Stage] = &[Stage::Integers(&[Stage::Parts]), Stage::Parts];

/// The sources of `stages`, with what each is called in reasons. Our own prover is the first of `provers`.
fn sources(
    stages: &[Stage],
    provers: &[Rc<dyn ProverFactory>],
    preference: Preference,
) -> Vec<(String, Box<dyn Interpolator>)> {
    let mut sources: Vec<(String, Box<dyn Interpolator>)> = Vec::new();
    for stage in stages {
        match stage {
            Stage::Parts => {
                for (at, prover) in provers.iter().enumerate() {
                    let structure = Structure::new(provers[at..].to_vec(), preference.score);
                    sources.push((format!("with {}", prover.name()), Box::new(structure)));
                }
            }
            Stage::Integers(stages) => {
                let numbers =
                    Alternatives { name: NAME, sources: self::sources(stages, provers, preference) };
                let words = Integral::new(Box::new(numbers), Rc::clone(&provers[0]));
                sources.push(("by way of integers".to_owned(), Box::new(words)));
            }
        }
    }
    sources
}
