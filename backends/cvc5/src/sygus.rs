//! Interpolants by syntax-guided synthesis.
//!
//! # Idea
//! cvc5 searches for a formula `I` over the shared symbols with `A ⇒ I` and `I ⇒ ¬B`: it enumerates
//! the terms of a grammar, smallest first, and learns from counterexamples (Reynolds, Barbosa,
//! Larraz, Tinelli, *Scalable Algorithms for Abduction via Enumerative Syntax-Guided Synthesis*,
//! IJCAR 2020, the same engine). `A` is asserted, and `¬B` is the conjecture.
//!
//! # Limits
//! Small interpolants are found quickly, others not at all: only the time limit ends the search.
//! Pairs only; a [strategy](backends::interpolation::Strategy) composes sequences and trees.
//! `tlimit-per` enforces the limit, in [slices](crate::slices); in phases where cvc5 does not check
//! it, the worker process ends the search.

use crate::ffi::{self, Engine, Kind, Manager};
use crate::prover::set_logic;
use crate::read::Reader;
use crate::slices::in_slices;
use crate::translate::Translator;
use backends::interpolation::{Interpolants, Interpolator, InterpolatorFactory, Preference, Problem, Shape};
use backends::{Limits, ProverFactory, Reason};
use std::rc::Rc;
use terms::{Sort, Term, TermPool};

/// The sources of interpolants of this backend.
pub fn interpolators() -> Vec<Rc<dyn InterpolatorFactory>> {
    vec![Rc::new(SygusFactory)]
}

/// Creates [`Sygus`] sources.
#[derive(Clone, Copy, Debug, Default)]
pub struct SygusFactory;

impl InterpolatorFactory for SygusFactory {
    fn name(&self) -> &'static str {
        "sygus"
    }

    fn solver(&self) -> Option<&'static str> {
        Some("cvc5")
    }

    fn shape(&self) -> Shape {
        Shape::Binary
    }

    fn theories(&self) -> Vec<&'static str> {
        vec!["Core", "Ints", "Reals", "FixedSizeBitVectors"]
    }

    fn new_interpolator(
        &self,
        _solver: &Rc<dyn ProverFactory>,
        _preference: Preference,
    ) -> Box<dyn Interpolator> {
        Box::new(Sygus)
    }
}

/// The source; see the module documentation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sygus;

impl Interpolator for Sygus {
    fn name(&self) -> &str {
        "sygus"
    }

    fn solver(&self) -> Option<&str> {
        Some("cvc5")
    }

    fn shape(&self) -> Shape {
        Shape::Binary
    }

    fn interpolate(&mut self, pool: &mut TermPool, problem: &Problem, limits: &Limits) -> Interpolants {
        if let Some(reason) = limits.exceeded() {
            return Interpolants::Unknown(reason);
        }
        let answer = match problem.parts.as_slice() {
            [_] => Ok(Vec::new()),
            [a, b] => interpolant(pool, a, b, limits, MODE).map(|interpolant| vec![interpolant]),
            _ => Err(Reason::Unsupported("more than two parts".to_owned())),
        };
        answer.into()
    }
}

/// The grammar, a value of cvc5's option `interpolants-mode`.
const MODE: &str = "default";

fn interpolant(
    pool: &mut TermPool,
    a: &[Term],
    b: &[Term],
    limits: &Limits,
    mode: &str,
) -> Result<Term, Reason> {
    let manager = Rc::new(Manager::new()?);
    let mut translator = Translator::default();
    let mut depth = 0;
    let mut translate = |formulas: &[Term]| {
        let mut nodes = Vec::with_capacity(formulas.len());
        for &formula in formulas {
            let translated = translator.translate(&manager, pool, formula)?;
            depth = depth.max(translated.depth);
            nodes.push(translated.node);
        }
        Ok::<_, Reason>(nodes)
    };
    let (asserted, refuted) = (translate(a)?, translate(b)?);
    let features = translator.features();
    if features.arrays || features.functions || features.floats || features.quantifiers {
        return Err(Reason::Unsupported("synthesis beyond arithmetic and bit vectors".to_owned()));
    }
    let found = in_slices(limits, |milliseconds| {
        ffi::on_stack(depth, || {
            let engine = Engine::new(&manager)?;
            engine.set_option("produce-interpolants", "true")?;
            engine.set_option("interpolants-mode", mode)?;
            set_logic(&engine, features)?;
            for &formula in &asserted {
                engine.assert(formula)?;
            }
            let conjunction = match refuted.as_slice() {
                [] => manager.truth(true)?,
                &[formula] => formula,
                formulas => manager.apply(Kind::And, formulas)?,
            };
            let conjecture = manager.apply(Kind::Not, &[conjunction])?;
            engine.set_option("tlimit-per", &milliseconds.to_string())?;
            let _polynomials = features.nonlinear.then(ffi::lock_polynomials);
            let found = engine.interpolant(conjecture)?;
            found.ok_or_else(|| Reason::Incomplete("no interpolant found".to_owned()))
        })
        .unwrap_or(Err(Reason::Memory))
    })?;
    let read = Reader::default().read(&manager, &translator, pool, found)?;
    check_vocabulary(pool, a, b, read)?;
    Ok(read)
}

fn check_vocabulary(pool: &TermPool, a: &[Term], b: &[Term], interpolant: Term) -> Result<(), Reason> {
    let (of_a, of_b) = (pool.free_symbols_of(a), pool.free_symbols_of(b));
    let is_shared = |symbol| of_a.contains(symbol) && of_b.contains(symbol);
    if pool.sort(interpolant) != Sort::Bool || !pool.free_symbols(interpolant).iter().all(is_shared) {
        return Err(Reason::Fault("the interpolant contains symbols that are not shared".to_owned()));
    }
    Ok(())
}
