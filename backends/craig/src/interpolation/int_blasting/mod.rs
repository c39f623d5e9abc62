//! Interpolants of bit vectors by way of integers.
//!
//! # Idea
//! What programs do with words is mostly linear, and linear arithmetic has what bit vectors lack: projections and interpolants that are inequalities
//! between variables. So the parts are translated to integers ([`translate()`]), an inner source interpolates these, and its answer is
//! translated back to words ([`back()`]). This is *int-blasting* (Zohar, Irfan, Mann, Niemetz, Nötzli, Preiner, Reynolds, Barrett, Tinelli,
//! *Bit-Precise Reasoning via Int-Blasting*, VMCAI 2022), for interpolation as in Okudono and King (*Mind the Gap: Bit-vector Interpolation
//! recast over Linear Integer Arithmetic*, TACAS 2020).
//!
//! | module | what |
//! |---|---|
//! | `signedness` | in which range the integer of a symbol is kept, by counting |
//! | `translate` | to integers, part by part |
//! | `dictionary` | what stands for what; intervals |
//! | `back` | to words again, exactly, or as narrow as one would write it |
//! | `ranges`, `operations`, `sums` | what `back` has to know of integer terms |
//! | `choice` | which of the two forms an interpolant gets |
//! | [`refutes`] | refutation by way of integers, for `choice` |
//!
//! # What is exact
//! Sums, differences, multiples, quotients and remainders by constants, extensions, extractions, concatenations, shifts by constants, masks of few
//! runs, comparisons, choices and uninterpreted functions. Products, quotients and shifts of variables, and bitwise operations of them are
//! functions with axioms (see [`encode`]), and equalities of arrays compare more than the arrays of words have. That makes
//! a part weaker, which is sound for interpolants, but where the translation is satisfiable nothing is known: that is
//! [`Reason::Unsupported`], and [`Interpolants::Satisfiable`] only where all is exact. As these functions mean operations on words, interpolants may speak of
//! them.
//!
//! DIVERGENCE: Zohar et al. translate each operation to one modulo `2^w`; the encoder here brings back into the range what needs it, by `ite` where it can,
//! and keeps signed words signed. Okudono and King go back by quantifier elimination and weaken; here every atom goes back exactly, over as many bits
//! as it takes, and the narrow form replaces it where it is shown to do.
//!
//! # Cost
//! Linear for the translations, apart from ranges, which are stated in each part over which a word is shared; one or two refutations a part for the choice.
//! What the inner source costs is far less than what it costs over bits where bounds, differences or multiples are concerned, and so are
//! checks by [`refutes`]: that a step of a loop preserves `a + b = 3i` is seconds of work for a solver of bits, and a millisecond's for one of
//! integers.
//!
//! # Limits
//! Words of more than 100 bits, floats, and arrays of arrays are refused.

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

/// A source for bit vectors around one for integers.
pub struct Integral {
    inner: Box<dyn Interpolator>,
    /// Show that narrow forms do.
    integers: Rc<dyn ProverFactory>,
}

impl Integral {
    /// Asks `inner` about integers. Provers of `integers` compare forms of interpolants.
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
            return Err(Reason::Unsupported("int-blasting: no bit vectors".to_owned()));
        }
        let interpolants = match self.inner.interpolate(pool, &integers, &limits) {
            Interpolants::Found(interpolants) => interpolants,
            Interpolants::Satisfiable(_) if !abstracted.is_empty() => {
                let kinds = abstracted.join(", ");
                let what = format!("int-blasting: satisfiable with abstracted {kinds}");
                return Err(Reason::Unsupported(what));
            }
            // The witness is one of integers.
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
