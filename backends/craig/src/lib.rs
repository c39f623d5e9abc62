//! `craig`: our own interpolating prover.
//!
//! Two halves. The [`prover`] is CDCL(T) with a proof: resolution chains whose leaves are the clauses of the problem and theory lemmas with
//! certificates. It knows propositional logic, bit vectors, uninterpreted functions, linear arithmetic and arrays. The [`interpolation`] half has the
//! sources: `craig` interpolates sequences and trees part by part, with small local queries only, which any prover can serve, of bit vectors by way
//! of integers first; `craig-proof` interpolates a proof of the whole.
#![forbid(unsafe_code)]

pub mod interpolation;
pub mod prover;
#[cfg(test)]
mod tests;

pub use interpolation::Alternatives;
pub use prover::CraigProver;

use backends::interpolation::{Interpolator, InterpolatorFactory, Preference, Shape};
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
        let own: Rc<dyn ProverFactory> = Rc::new(CraigFactory);
        let mut provers = vec![Rc::clone(&own)];
        if solver.name() != NAME {
            provers.push(Rc::clone(solver));
        }
        // Our own prover serves the local queries, then the given one.
        let by_parts = || {
            let of = |at: usize| -> (String, Box<dyn Interpolator>) {
                let structure =
                    interpolation::by_parts::Structure::new(provers[at..].to_vec(), preference.score);
                (format!("with {}", provers[at].name()), Box::new(structure))
            };
            (0..provers.len()).map(of).collect::<Vec<_>>()
        };
        let numbers = Alternatives { name: NAME, sources: by_parts() };
        let refuters = interpolation::int_blasting::Refuters::new(Rc::clone(&own));
        let words = interpolation::int_blasting::Integral::new(Box::new(numbers), Rc::new(refuters));
        let mut sources: Vec<(String, Box<dyn Interpolator>)> =
            vec![("by way of integers".to_owned(), Box::new(words))];
        sources.extend(by_parts());
        let proofs = interpolation::from_proof::ProofsFactory.new_interpolator(&own, preference);
        sources.push(("by a proof".to_owned(), proofs));
        Box::new(Alternatives { name: NAME, sources })
    }
}
