//! `craig`: an interpolating SMT solver in Rust, without foreign code.
//!
//! The crate has two halves:
//!
//! * [`prover`]: a proof-producing CDCL(T) solver for propositional logic, bit vectors,
//!   uninterpreted functions, linear arithmetic and arrays. A proof consists of resolution chains;
//!   its leaves are input clauses and theory lemmas with certificates.
//! * [`interpolation`]: two sources of interpolants. `craig` interpolates sequences and trees one
//!   part at a time: it poses only small local queries, which any prover can serve, and translates
//!   bit vectors to integers first. `craig-proof` interpolates a proof of the whole problem.
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

/// The name of the backend on the command line.
const NAME: &str = "craig";

/// Returns the factory of this backend.
pub fn factory() -> CraigFactory {
    CraigFactory
}

/// Creates [`CraigProver`]s.
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
            theories: vec![
                "Core",
                "Ints",
                "Reals",
                "FixedSizeBitVectors",
                "ArraysEx",
                "UF",
                "UninterpretedSorts",
            ],
            unsat_cores: Support::Full,
            models: Support::Full,
            ..Capabilities::default()
        }
    }

    /// Ignores `logic`: unsupported constructs are rejected when they are asserted.
    fn new_prover(&self, _logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
        Ok(Box::new(CraigProver::new(prover::sat::Config::ANSWERING, limits)))
    }
}

/// Returns the source `craig`, which interpolates one part at a time.
pub fn interpolator() -> Rc<dyn InterpolatorFactory> {
    Rc::new(CraigInterpolator)
}

/// Returns the source `craig-proof`, which interpolates proofs of [`CraigProver`].
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

/// One interpolation method.
enum Stage {
    /// Interpolates part by part. Each prover serves the local queries in turn; the provers after
    /// it help with quantifier elimination.
    Parts,
    /// Translates bit vectors to integers and runs these stages on the result.
    Integers(&'static [Stage]),
}

/// The stages of the source `craig`, in the order in which they run.
const CRAIG: &[Stage] = &[Stage::Integers(&[Stage::Parts]), Stage::Parts];

/// The sources of `stages`, each with its name in reasons. Our own prover is the first of
/// `provers`.
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
                sources.push(("via integers".to_owned(), Box::new(words)));
            }
        }
    }
    sources
}
