//! Floats.

use super::apply::Application;
use super::limits;
use super::theory::{FloatConstant, Operator, Order};
use grammars::source::Diagnostic;
use terms::{FloatSign, Op, Sort, Term, TermPool, print};

type Result<T> = std::result::Result<T, Diagnostic>;

impl Application<'_> {
    pub(super) fn float(&self, pool: &mut TermPool, operator: Operator, terms: &mut [Term]) -> Result<Term> {
        match operator {
            Operator::FloatConstant(constant, exponent, significand) => {
                if !terms.is_empty() {
                    return Err(self.error("takes no arguments"));
                }
                let (e, s) = (exponent, significand);
                Ok(match constant {
                    FloatConstant::PlusInfinity => pool.fp_infinity(e, s, FloatSign::Positive),
                    FloatConstant::MinusInfinity => pool.fp_infinity(e, s, FloatSign::Negative),
                    FloatConstant::PlusZero => pool.fp_zero(e, s, FloatSign::Positive),
                    FloatConstant::MinusZero => pool.fp_zero(e, s, FloatSign::Negative),
                    FloatConstant::NotANumber => pool.fp_nan(e, s),
                })
            }
            Operator::FloatParts => {
                self.arity(3)?;
                self.parts(pool, terms)
            }
            Operator::Float(op) => self.built(pool, op, terms),
            Operator::FloatCompare(op, order) => {
                self.at_least(2)?;
                for (place, &term) in terms.iter().enumerate() {
                    if !matches!(pool.sort(term), Sort::Float(..)) {
                        return Err(self.not_a_float(pool, term, place));
                    }
                    if pool.sort(term) != pool.sort(terms[0]) {
                        let expected = print::sort(pool, pool.sort(terms[0]));
                        return Err(self.mismatch(pool, term, place, &expected));
                    }
                }
                Ok(self.chain(pool, terms, |pool, a, b| {
                    let (a, b) = if order == Order::Kept { (a, b) } else { (b, a) };
                    match op {
                        Op::FpLe => pool.fp_le(a, b),
                        Op::FpLt => pool.fp_lt(a, b),
                        _ => pool.fp_eq(a, b),
                    }
                }))
            }
            Operator::ToFloat(exponent, significand) => self.to_float(pool, exponent, significand, terms),
            Operator::ToFloatUnsigned(exponent, significand) => {
                self.built(pool, Op::FpFromUnsigned { exponent, significand }, terms)
            }
            operator => unreachable!("{operator:?} is not a floating-point operator"),
        }
    }

    fn not_a_float(&self, pool: &TermPool, term: Term, place: usize) -> Diagnostic {
        let found = print::sort(pool, pool.sort(term));
        let message =
            format!("argument {} of `{}` should be a float but is of sort {found}", place + 1, self.name());
        Diagnostic::error(self.place(place), message)
    }

    /// Applies the operator of the pool with the same name and arguments.
    fn built(&self, pool: &mut TermPool, op: Op, terms: &[Term]) -> Result<Term> {
        pool.build(op, terms).map_err(|error| Diagnostic::error(self.span(), error.to_string()))
    }

    /// `(fp sign exponent significand)`, three bit vectors.
    fn parts(&self, pool: &mut TermPool, terms: &[Term]) -> Result<Term> {
        let sign = self.width(pool, terms, 0)?;
        if sign != 1 {
            return Err(self.mismatch(pool, terms[0], 0, "(_ BitVec 1)"));
        }
        let (exponent, fraction) = (self.width(pool, terms, 1)?, self.width(pool, terms, 2)?);
        if exponent < 2 {
            return Err(Diagnostic::error(self.place(1), "the exponent of a float has at least two bits"));
        }
        if exponent > limits::EXPONENT_WIDTH || fraction >= limits::SIGNIFICAND_WIDTH {
            let width = (u64::from(exponent) + u64::from(fraction) + 1).to_string();
            return Err(Diagnostic::error(self.span(), format!("floats of {width} bits are not supported")));
        }
        let low = pool.concat(terms[1], terms[2]);
        let bits = pool.concat(terms[0], low);
        Ok(pool.fp_from_bits(exponent as u16, fraction as u16 + 1, bits))
    }

    /// `to_fp`, which has four signatures.
    fn to_float(
        &self,
        pool: &mut TermPool,
        exponent: u16,
        significand: u16,
        terms: &mut [Term],
    ) -> Result<Term> {
        match *terms {
            [bits] => {
                let width = self.width(pool, terms, 0)?;
                let expected = u32::from(exponent) + u32::from(significand);
                if width != expected {
                    return Err(self.mismatch(pool, bits, 0, &format!("(_ BitVec {expected})")));
                }
                Ok(pool.fp_from_bits(exponent, significand, bits))
            }
            [mode, value] => {
                if pool.sort(mode) != Sort::RoundingMode {
                    return Err(self.mismatch(pool, mode, 0, "RoundingMode"));
                }
                match pool.sort(value) {
                    Sort::Float(..) => Ok(pool.fp_from_float(exponent, significand, mode, value)),
                    Sort::Real => Ok(pool.fp_from_real(exponent, significand, mode, value)),
                    Sort::Int => {
                        let value = pool.to_real(value);
                        Ok(pool.fp_from_real(exponent, significand, mode, value))
                    }
                    Sort::BitVec(_) => Ok(pool.fp_from_signed(exponent, significand, mode, value)),
                    _ => Err(self.mismatch(pool, value, 1, "a float, Real or a bit vector")),
                }
            }
            _ => Err(self.error(format_args!("takes 1 or 2 arguments, not {}", terms.len()))),
        }
    }
}
