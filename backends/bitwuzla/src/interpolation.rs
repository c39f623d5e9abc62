//! Interpolants from the resolution proofs of Bitwuzla.
//!
//! # Idea
//! Bitwuzla refutes the bit-blasted formulas with a SAT solver that traces its proof, labels the
//! clauses by their parts, and interpolates the proof (its default is the system of McMillan). It
//! lifts the result from bits to terms where it recognizes their structure.
//!
//! # Limits Sequences, and pairs as sequences of two parts; a
//! [strategy](backends::interpolation::Strategy) composes trees. A part of the interpolant that
//! cannot be lifted remains a circuit of single bits, so interpolants can be large. The source
//! claims bit vectors only: for other theories Bitwuzla may have no interpolants.

use crate::ffi::{Answer, Engine, Session};
use crate::prover::within;
use crate::read;
use crate::translate::Translator;
use backends::interpolation::{Interpolants, Interpolator, InterpolatorFactory, Preference, Problem, Shape};
use backends::{Limits, ProverFactory, Reason};
use std::rc::Rc;
use terms::{Sort, Term, TermPool};

/// The sources of interpolants of this backend.
pub fn interpolators() -> Vec<Rc<dyn InterpolatorFactory>> {
    vec![Rc::new(BitwuzlaInterpolatorFactory)]
}

/// Creates [`BitwuzlaInterpolator`]s.
#[derive(Clone, Copy, Debug, Default)]
pub struct BitwuzlaInterpolatorFactory;

impl InterpolatorFactory for BitwuzlaInterpolatorFactory {
    fn name(&self) -> &'static str {
        NAME
    }

    fn solver(&self) -> Option<&'static str> {
        Some("bitwuzla")
    }

    fn shape(&self) -> Shape {
        Shape::Sequence
    }

    fn theories(&self) -> Vec<&'static str> {
        vec!["Core", "FixedSizeBitVectors"]
    }

    fn new_interpolator(
        &self,
        _solver: &Rc<dyn ProverFactory>,
        _preference: Preference,
    ) -> Box<dyn Interpolator> {
        Box::new(BitwuzlaInterpolator)
    }
}

const NAME: &str = "bitwuzla";

/// The source; see the module documentation.
#[derive(Clone, Copy, Debug, Default)]
pub struct BitwuzlaInterpolator;

impl Interpolator for BitwuzlaInterpolator {
    fn name(&self) -> &str {
        NAME
    }

    fn solver(&self) -> Option<&str> {
        Some("bitwuzla")
    }

    fn shape(&self) -> Shape {
        Shape::Sequence
    }

    fn interpolate(&mut self, pool: &mut TermPool, problem: &Problem, limits: &Limits) -> Interpolants {
        if let Some(reason) = limits.exceeded() {
            return Interpolants::Unknown(reason);
        }
        if problem.tree.shape() == Shape::Tree {
            return Interpolants::Unknown(Reason::Unsupported("trees of parts".to_owned()));
        }
        match interpolants(pool, &problem.parts, limits) {
            Ok(Found::Interpolants(found)) => Interpolants::Found(found),
            Ok(Found::Satisfiable) => Interpolants::Satisfiable(None),
            Err(reason) => Interpolants::Unknown(reason),
        }
    }
}

enum Found {
    Interpolants(Vec<Term>),
    Satisfiable,
}

fn interpolants(pool: &mut TermPool, parts: &[Vec<Term>], limits: &Limits) -> Result<Found, Reason> {
    let session = Rc::new(Session::new()?);
    let mut translator = Translator::new(&session)?;
    let mut asserted = Vec::with_capacity(parts.len());
    for part in parts {
        let mut nodes = Vec::with_capacity(part.len());
        for &formula in part {
            nodes.push(translator.translate(pool, formula)?);
        }
        let mut formula = translator.and(&nodes)?;
        // Bitwuzla identifies the parts by their formulas, so they must differ.
        while asserted.iter().any(|&other| session.id(other) == session.id(formula)) {
            formula = translator.and(&[formula, session.truth(true)?])?;
        }
        asserted.push(formula);
    }
    let engine = Engine::new(&session, &[("produce-interpolants", "true")])?;
    for &formula in &asserted {
        engine.assert(formula)?;
    }
    match within(&engine, limits, &[])? {
        Answer::Sat => return Ok(Found::Satisfiable),
        Answer::Unsat => {}
        Answer::Unknown => return Err(Reason::Incomplete("the solver gave up".to_owned())),
    }
    let Some((_, before_last)) = asserted.split_last() else { return Ok(Found::Satisfiable) };
    if before_last.is_empty() {
        return Ok(Found::Interpolants(Vec::new()));
    }
    let found = engine.interpolants(before_last)?;
    let mut interpolants = Vec::with_capacity(found.len());
    for node in found {
        let term = read::read(&translator, pool, node)?;
        if pool.sort(term) != Sort::Bool {
            return Err(Reason::Fault("an interpolant is not a formula".to_owned()));
        }
        interpolants.push(term);
    }
    Ok(Found::Interpolants(interpolants))
}
