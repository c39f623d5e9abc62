//! Interpolation of bit vectors via integers.
//!
//! # Idea
//! Most bit-vector operations in programs are linear, and linear arithmetic has two advantages over
//! bit vectors: it admits projections, and its interpolants are inequalities between variables. The
//! parts are therefore translated to integers ([`translate()`]), an inner source interpolates them,
//! and its answer is translated back to bit vectors ([`back()`]). This is *int-blasting* (Zohar,
//! Irfan, Mann, Niemetz, Nötzli, Preiner, Reynolds, Barrett, Tinelli, *Bit-Precise Reasoning via
//! Int-Blasting*, VMCAI 2022), for interpolation as in Okudono and King (*Mind the Gap: Bit-vector
//! Interpolation recast over Linear Integer Arithmetic*, TACAS 2020).
//!
//! | module | content |
//! |---|---|
//! | `signedness` | the range of the integer of each symbol, by voting |
//! | `translate` | translation to integers, part by part |
//! | `dictionary` | the correspondence of names; intervals |
//! | `back` | translation to bit vectors, exact or narrow |
//! | `ranges`, `operations`, `sums` | analyses of integer terms for `back` |
//! | `choice` | the choice between exact and narrow form |
//! | [`refutes`] | refutation via integers, for `choice` |
//!
//! # Precision
//! The translation is exact for sums, differences, multiples, quotients and remainders by
//! constants, extensions, extractions, concatenations, shifts by constants, masks of few runs,
//! comparisons, `ite`s and uninterpreted functions. Products, quotients and shifts by variables,
//! and bitwise operations on variables, become functions with axioms (see [`encode`]); equalities
//! of arrays compare more elements than the arrays of bit vectors have. This weakens a part, which
//! is sound for interpolants. A satisfiable translation is inconclusive, however: the answer is
//! [`Interpolants::Satisfiable`] only if the translation is exact, and [`Reason::Unsupported`]
//! otherwise. The functions denote operations on bit vectors, so interpolants may mention them.
//!
//! DIVERGENCE: Zohar et al. translate each operation to one modulo `2^w`; the encoder here
//! normalizes a value to its range only where necessary, with `ite` where possible, and keeps
//! signed bit vectors signed. Okudono and King translate back by quantifier elimination and
//! weakening; here every atom is translated back exactly, over as many bits as necessary, and the
//! narrow form replaces it where the replacement is proved correct.
//!
//! # Cost
//! The translations are linear, except for ranges, which are stated in each part over which a bit
//! vector is shared; the choice takes one or two refutations per part. Where bounds, differences or
//! multiples occur, the inner source and the checks of [`refutes`] cost far less than over bits:
//! proving that a step of a loop preserves `a + b = 3i` takes a bit-level solver seconds and an
//! integer solver a millisecond.
//!
//! # Limits
//! Bit vectors of more than 100 bits, floats, and arrays of arrays are unsupported.

mod back;
mod choice;
mod dictionary;
mod operations;
mod ranges;
mod refuter;
mod signedness;
mod sums;
mod translate;

#[cfg(test)]
mod tests;

pub use back::{Form, back};
pub use dictionary::Dictionary;
pub use refuter::refutes;
pub use translate::{Translation, translate};

use backends::interpolation::{Interpolants, Interpolator, Problem, Shape};
use backends::{Limits, ProverFactory, Reason};
use std::rc::Rc;
use terms::TermPool;

/// A source for bit vectors that wraps a source for integers.
pub struct Integral {
    inner: Box<dyn Interpolator>,
    /// Checks the narrow forms.
    integers: Rc<dyn ProverFactory>,
}

impl Integral {
    /// Creates a source over `inner`, a source for integers. Provers of `integers` compare forms of
    /// interpolants.
    pub fn new(inner: Box<dyn Interpolator>, integers: Rc<dyn ProverFactory>) -> Self {
        Integral { inner, integers }
    }

    fn solve(
        &mut self,
        pool: &mut TermPool,
        problem: &Problem,
        limits: &Limits,
    ) -> Result<Interpolants, Reason> {
        let limits = limits.of_check();
        let Translation { problem: integers, dictionary, abstracted } = translate(pool, problem, &limits)?;
        if dictionary.words.is_empty() {
            return Err(Reason::Unsupported("int-blasting: the problem has no bit vectors".to_owned()));
        }
        let interpolants = match self.inner.interpolate(pool, &integers, &limits) {
            Interpolants::Found(interpolants) => interpolants,
            Interpolants::Satisfiable(_) if !abstracted.is_empty() => {
                let kinds = abstracted.join(", ");
                let what = format!("int-blasting: satisfiable over integers, with abstracted {kinds}");
                return Err(Reason::Unsupported(what));
            }
            // The witness is over integers, so it is dropped.
            Interpolants::Satisfiable(_) => return Ok(Interpolants::Satisfiable(None)),
            unknown => return Ok(unknown),
        };
        let mut exact = Vec::with_capacity(interpolants.len());
        let mut narrow = Vec::with_capacity(interpolants.len());
        for &interpolant in &interpolants {
            if let Some(reason) = limits.exceeded() {
                return Err(reason);
            }
            exact.push(back(pool, &dictionary, Form::Exact, interpolant)?);
            narrow.push(back(pool, &dictionary, Form::Narrow, interpolant)?);
        }
        let chosen = choice::choose(pool, problem, &*self.integers, exact, &narrow, &limits);
        Ok(Interpolants::Found(chosen))
    }
}

impl Interpolator for Integral {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn solver(&self) -> Option<&str> {
        self.inner.solver()
    }

    fn shape(&self) -> Shape {
        self.inner.shape()
    }

    fn decides(&self) -> bool {
        self.inner.decides()
    }

    fn interpolate(&mut self, pool: &mut TermPool, problem: &Problem, limits: &Limits) -> Interpolants {
        self.solve(pool, problem, limits).into()
    }
}
