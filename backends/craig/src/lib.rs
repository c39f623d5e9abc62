//! `craig`: our own interpolating prover.
//!
//! Two halves that use each other. The **prover** is CDCL(T) with a proof: resolution chains whose leaves are the clauses of
//! the problem and theory lemmas with certificates. The **structure** half interpolates sequences and trees part by part, with
//! small local queries only, which any prover can serve.
//!
//! | module | what |
//! |---|---|
//! | [`sat`] | conflict-driven clause learning with a logged proof; the trait of theories |
//! | [`proof`] | refutations: steps, trimming, an independent checker |
//! | [`arith`] | linear arithmetic over reals and integers, with certificates |
//! | [`euf`] | congruence closure with explanations |
//! | [`front`] | from terms to clauses and atoms |
//! | [`structure`] | interpolation along a sequence or tree |
#![forbid(unsafe_code)]

pub mod arith;
pub mod euf;
pub mod front;
pub mod proof;
pub mod sat;
pub mod structure;

use backends::interpolation::{Interpolator, InterpolatorFactory, Shape};
use backends::{ProverFactory, THEORIES};
use std::rc::Rc;

/// The name on the command line.
const NAME: &str = "craig";

/// The source of interpolants.
pub fn interpolator() -> Rc<dyn InterpolatorFactory> {
    Rc::new(CraigInterpolator)
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
