//! Floats as bit vectors, or as the theory of floats in pure SMT-LIB.
//!
//! # Bits
//! A term of a float sort becomes its IEEE pattern, and an operation becomes the circuit that
//! computes it: unpack the patterns, operate on sufficiently wide significands with one sticky bit
//! for all bits that are cut off, round once, pack. The structure follows M. Brain, F. Schanda, Y.
//! Sun, *Building Better Bit-Blasting for Floating-Point Problems*, TACAS 2019 (`symfpu`). Every
//! solver with bit vectors thus decides floats, and all solvers share one definition, which tests
//! compare with the exact arithmetic of `terms::ieee` on all operands of tiny formats and on random
//! operands of the usual formats.
//!
//! DIVERGENCE: symfpu keeps intermediate results unpacked and normalized. Here the result of every
//! operation is a pattern: rounding produces a pattern anyway (a carry out of the digits is the
//! next exponent), memory and merged states hold patterns, and since terms are shared, a pattern is
//! unpacked only once, however often it is used. The price is a normalization of subnormal operands
//! of products, quotients and roots; sums need none. Quotients and roots are computed digit by
//! digit on significands, with a fourth of the circuit of a division at twice the width.
//!
//! Results that SMT-LIB leaves unspecified are those of `Completion::Default`: the second of two
//! zeros, and 0.
//!
//! # Theory
//! [`FloatEncoding::Theory`] keeps all operators except [`Op::FpToBits`], which SMT-LIB lacks: the
//! pattern of `f` becomes a symbol `b` with the constraints `to_fp(b) = f` and, if `f` is NaN, that
//! `b` is the canonical NaN pattern.
//!
//! # Linear encodings
//! In linear encodings, the results of operations that round or convert are unknown patterns,
//! marked as approximations; `reals` adds facts about their numeric values. Comparisons,
//! classification and signs remain circuits, which are exact.
//!
//! # Cost and limits
//! For significands of width `s`, formulas have size `s·log s` for sums and conversions, and `s²`
//! for products, quotients and roots. A remainder takes `s` for each step of a long division, with
//! as many steps as the difference of the exponents; if there are too many, the result is unknown,
//! marked as an approximation. Rounding modes must be constants. Not supported are reals, variables
//! of float sorts (programs have none: their floats are patterns), arrays and functions of floats,
//! and exponents of more than 30 bits.

mod arithmetic;
mod circuit;
mod convert;
mod reals;
mod round;
#[cfg(test)]
mod tests;

use super::ApproximationKind;
use arithmetic::Sum;
use num_bigint::BigInt;
pub(super) use reals::Reals;
use round::Format;
use rustc_hash::{FxHashMap, FxHashSet};
use terms::Signedness;
use terms::{Op, Representation, RoundingMode, Sort, Term, TermPool, float_nan_pattern};

terms::choice! {
    /// The translation of floats in the bit-precise encodings.
    #[derive(Default, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "lowercase")]
    FloatEncoding {
        Theory = "theory", "SMT-LIB's theory of floats, for solvers that have it";
        #[default]
        Bits = "bits", "circuits over bit vectors";
    }
}

impl FloatEncoding {
    /// The choice that determines the logic of the formulas: the theory only if they contain
    /// floats, or reals that linear encodings introduce for floats.
    #[must_use]
    pub fn in_terms(pool: &TermPool, terms: &[Term]) -> Self {
        let mut found = FloatEncoding::Bits;
        pool.visit(
            terms,
            |_| true,
            |term| {
                if matches!(pool.sort(term), Sort::Float(..) | Sort::RoundingMode | Sort::Real) {
                    found = FloatEncoding::Theory;
                }
            },
        );
        found
    }
}

/// The greatest exponent width for which circuits are built.
const MOST_EXPONENT_BITS: u16 = 30;

/// The reason why a term over floats cannot be translated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Untranslatable(pub(super) String);

/// The translation of float arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Means {
    /// As chosen by [`FloatEncoding`].
    Chosen,
    /// Unknown patterns, for the linear encodings.
    Unknowns,
}

/// The translation of floats; results are cached across calls.
#[derive(Debug)]
pub(super) struct FloatTranslation {
    encoding: FloatEncoding,
    /// The translations of terms that contain floats.
    done: FxHashMap<Term, Term>,
    /// Floats whose pattern is canonical if it is NaN.
    canonical: FxHashSet<Term>,
    constraints: Vec<Term>,
    approximations: Vec<(Term, ApproximationKind)>,
    facts: Facts,
}

/// Floats, comparisons of floats, and integers converted from floats, as translated for a linear
/// encoding, in order of translation.
#[derive(Debug, Default)]
pub(super) struct Facts {
    terms: Vec<Term>,
}

impl FloatTranslation {
    /// Creates an empty translation.
    pub(super) fn new(encoding: FloatEncoding) -> Self {
        FloatTranslation {
            encoding,
            done: FxHashMap::default(),
            canonical: FxHashSet::default(),
            constraints: Vec::new(),
            approximations: Vec::new(),
            facts: Facts::default(),
        }
    }

    /// Takes the terms, translated since the last call, for which further facts can be stated.
    pub(super) fn take_facts(&mut self) -> Facts {
        std::mem::take(&mut self.facts)
    }

    /// The translation of the term.
    fn pattern(&self, term: Term) -> Option<Term> {
        self.done.get(&term).copied()
    }

    /// Takes the constraints on new symbols and the inexact translations since the last call.
    pub(super) fn take(&mut self) -> (Vec<Term>, Vec<(Term, ApproximationKind)>) {
        (std::mem::take(&mut self.constraints), std::mem::take(&mut self.approximations))
    }

    /// Eliminates floats from the term, or only the operators outside SMT-LIB. A term without
    /// floats is unchanged.
    pub(super) fn translate(
        &mut self,
        pool: &mut TermPool,
        means: Means,
        root: Term,
    ) -> Result<Term, Untranslatable> {
        let mut work = vec![root];
        while let Some(&term) = work.last() {
            if self.done.contains_key(&term) {
                work.pop();
                continue;
            }
            let before = work.len();
            work.extend(pool.children(term).iter().filter(|child| !self.done.contains_key(child)));
            if work.len() == before {
                let result = match (means, self.encoding) {
                    (Means::Chosen, FloatEncoding::Theory) => self.without_patterns(pool, term),
                    _ => self.blast(pool, means, term)?,
                };
                self.done.insert(term, result);
                work.pop();
                if means == Means::Unknowns && is_described(pool, term) {
                    self.facts.terms.push(term);
                }
            }
        }
        Ok(self.done[&root])
    }

    fn rebuilt(&self, pool: &mut TermPool, term: Term) -> Term {
        let children: Vec<Term> = pool.children(term).iter().map(|child| self.done[child]).collect();
        if children == pool.children(term) { term } else { pool.rebuild(term, &children) }
    }

    /// Replaces each pattern of a float by a symbol.
    fn without_patterns(&mut self, pool: &mut TermPool, term: Term) -> Term {
        let term = self.rebuilt(pool, term);
        if pool.op(term) != Op::FpToBits {
            return term;
        }
        let float = pool.children(term)[0];
        let Sort::Float(exponent, significand) = pool.sort(float) else {
            unreachable!("the operand of {term} should be a float")
        };
        let name = format!("float.bits!{}", term.0);
        let pattern = pool.symbol_with(&name, pool.sort(term), Representation::Unsigned);
        let meant = pool.fp_from_bits(exponent, significand, pattern);
        let is_meant = pool.eq(meant, float);
        let nan = BigInt::from(float_nan_pattern(pool.sort(float)));
        let nan = pool.bv_big(pool.width(term), &nan);
        let is_nan = pool.fp_is_nan(float);
        let is_canonical = pool.eq(pattern, nan);
        let is_canonical = pool.implies(is_nan, is_canonical);
        self.constraints.extend([is_meant, is_canonical]);
        pattern
    }

    fn blast(&mut self, pool: &mut TermPool, means: Means, term: Term) -> Result<Term, Untranslatable> {
        let op = pool.op(term);
        let children = pool.children(term).to_vec();
        // Rounding modes have no translation: their users inspect the constant.
        if let Op::RoundingMode(_) = op {
            return Ok(term);
        }
        let operand = children.last().map(|&last| pool.sort(last));
        let result = pool.sort(term);
        let has_floats = matches!(result, Sort::Float(..))
            || children.iter().any(|&child| matches!(pool.sort(child), Sort::Float(..) | Sort::RoundingMode));
        if !has_floats {
            return match result {
                Sort::RoundingMode => Err(self.untranslatable(pool, term)),
                Sort::Array(parts) if is_array_of_floats(pool, parts) => Err(self.untranslatable(pool, term)),
                _ => Ok(self.rebuilt(pool, term)),
            };
        }
        let bits: Vec<Term> = children.iter().map(|child| self.done[child]).collect();
        let to = self.format(result)?;
        let from = operand.map_or(Ok(None), |sort| self.format(sort))?;
        let mode = match children.first().map(|&first| pool.op(first)) {
            Some(Op::RoundingMode(mode)) => Some(mode),
            _ => None,
        };
        let known = &self.canonical;
        let is_canonical = |bits: Term| known.contains(&bits);
        let circuit = Operator { op, mode, to, from };
        let (blasted, canonical) = match (op, to, from) {
            _ if means == Means::Unknowns && is_arithmetic(op) => (self.unknown(pool, term, to), false),
            (Op::FloatConst(_), Some(_), _) => {
                let bits = BigInt::from(pool.as_float_bits(term).expect("a constant has a pattern").clone());
                let Sort::Float(exponent, significand) = result else { unreachable!("a float constant") };
                (pool.bv_big(u32::from(exponent) + u32::from(significand), &bits), true)
            }
            (Op::FpFromBits { .. }, Some(_), _) => (bits[0], is_canonical(bits[0])),
            (Op::Ite, Some(_), _) => {
                let canonical = is_canonical(bits[1]) && is_canonical(bits[2]);
                (pool.ite(bits[0], bits[1], bits[2]), canonical)
            }
            (Op::FpMin | Op::FpMax, Some(_), _) => {
                let canonical = is_canonical(bits[0]) && is_canonical(bits[1]);
                match circuit.build(pool, &bits) {
                    Some(built) => (built, canonical),
                    None => return Err(self.untranslatable(pool, term)),
                }
            }
            (Op::FpNeg | Op::FpAbs, Some(_), _) => match circuit.build(pool, &bits) {
                Some(built) => (built, false),
                None => return Err(self.untranslatable(pool, term)),
            },
            (Op::Eq, None, Some(format)) => {
                let both = is_canonical(bits[0]) && is_canonical(bits[1]);
                (round::Floats::new(pool).identical(format, bits[0], bits[1], both), false)
            }
            (Op::FpToBits, None, Some(format)) => {
                let is_canonical = is_canonical(bits[0]);
                let pattern = if is_canonical { bits[0] } else { canonical_pattern(pool, format, bits[0]) };
                (pattern, true)
            }
            (Op::FpRem, Some(format), _) => (self.remainder(pool, term, format, &bits), true),
            _ => match circuit.build(pool, &bits) {
                Some(built) => (built, to.is_some()),
                None => return Err(self.untranslatable(pool, term)),
            },
        };
        if canonical {
            self.canonical.insert(blasted);
        }
        Ok(blasted)
    }

    /// An unknown pattern or integer for the result of an operation, shared by all its occurrences.
    fn unknown(&mut self, pool: &mut TermPool, term: Term, to: Option<Format>) -> Term {
        self.approximations.push((term, ApproximationKind::Float));
        let name = format!("float!{}", term.0);
        let sort = match to {
            Some(format) => Sort::BitVec(format.width()),
            None => pool.sort(term),
        };
        pool.symbol_with(&name, sort, Representation::Unsigned)
    }

    /// The remainder; if the exponents differ too much, an unknown with the bounds of a remainder.
    fn remainder(&mut self, pool: &mut TermPool, term: Term, format: Format, bits: &[Term]) -> Term {
        let (a, b) = (bits[0], bits[1]);
        let (result, is_enough) = round::Floats::new(pool).remainder(format, a, b);
        if round::Floats::has_all_remainders(format) || pool.as_bool(is_enough) == Some(true) {
            return result;
        }
        self.approximations.push((term, ApproximationKind::FloatRemainder));
        let name = format!("float.rem!{}", term.0);
        let unknown = pool.symbol_with(&name, Sort::BitVec(format.width()), Representation::Unsigned);
        // It is finite, and its magnitude is at most that of the divisor.
        let mut floats = round::Floats::new(pool);
        let (size, limit) = (floats.magnitude(format, unknown), floats.magnitude(format, b));
        let is_bounded = pool.bv_ule(size, limit);
        let is_far = pool.not(is_enough);
        let constraint = pool.implies(is_far, is_bounded);
        self.constraints.push(constraint);
        pool.ite(is_enough, result, unknown)
    }

    fn format(&self, sort: Sort) -> Result<Option<Format>, Untranslatable> {
        match sort {
            Sort::Float(exponent, _) if exponent > MOST_EXPONENT_BITS => {
                Err(Untranslatable(format!("floats with {exponent} bits of exponent")))
            }
            Sort::Float(exponent, significand) => {
                Ok(Some(Format { e: exponent.into(), s: significand.into() }))
            }
            _ => Ok(None),
        }
    }

    fn untranslatable(&self, pool: &TermPool, term: Term) -> Untranslatable {
        let children: Vec<Sort> = pool.children(term).iter().map(|&child| pool.sort(child)).collect();
        Untranslatable(format!("{:?} of {children:?} as bits", pool.op(term)))
    }
}

/// Whether the operator rounds or converts, so that a linear encoding cannot compute it from
/// patterns.
fn is_arithmetic(op: Op) -> bool {
    matches!(
        op,
        Op::FpAdd
            | Op::FpSub
            | Op::FpMul
            | Op::FpDiv
            | Op::FpFma
            | Op::FpSqrt
            | Op::FpRem
            | Op::FpRoundToIntegral
            | Op::FpFromFloat { .. }
            | Op::FpFromSigned { .. }
            | Op::FpFromUnsigned { .. }
            | Op::FpToSigned(_)
            | Op::FpToUnsigned(_)
    )
}

/// Whether `reals` states facts about the term.
fn is_described(pool: &TermPool, term: Term) -> bool {
    let op = pool.op(term);
    matches!(pool.sort(term), Sort::Float(..))
        || matches!(op, Op::FpLt | Op::FpLe | Op::FpEq | Op::FpToSigned(_) | Op::FpToUnsigned(_))
}

fn is_array_of_floats(pool: &TermPool, parts: terms::ArraySort) -> bool {
    let (index, element) = pool.array_sort_parts(parts);
    [index, element].iter().any(|sort| matches!(sort, Sort::Float(..) | Sort::RoundingMode))
}

fn canonical_pattern(pool: &mut TermPool, format: Format, bits: Term) -> Term {
    let mut floats = round::Floats::new(pool);
    let (is_nan, nan) = (floats.is_nan(format, bits), floats.nan(format));
    pool.ite(is_nan, nan, bits)
}

/// An operator with the formats of its result and its last operand, if these are floats.
struct Operator {
    op: Op,
    mode: Option<RoundingMode>,
    to: Option<Format>,
    from: Option<Format>,
}

impl Operator {
    /// Builds the circuit; `None` if the operator has none.
    fn build(self, pool: &mut TermPool, bits: &[Term]) -> Option<Term> {
        let Operator { op, mode, to, from } = self;
        let mut floats = round::Floats::new(pool);
        Some(match (op, to, from, bits) {
            (Op::FpNeg, Some(format), _, &[a]) => floats.negated(format, a),
            (Op::FpAbs, Some(format), _, &[a]) => floats.absolute(format, a),
            (Op::FpAdd, Some(format), _, &[_, a, b]) => floats.add(format, mode?, Sum::Add, a, b),
            (Op::FpSub, Some(format), _, &[_, a, b]) => floats.add(format, mode?, Sum::Subtract, a, b),
            (Op::FpMul, Some(format), _, &[_, a, b]) => floats.mul(format, mode?, a, b),
            (Op::FpDiv, Some(format), _, &[_, a, b]) => floats.div(format, mode?, a, b),
            (Op::FpFma, Some(format), _, &[_, a, b, c]) => floats.fma(format, mode?, a, b, c),
            (Op::FpSqrt, Some(format), _, &[_, a]) => floats.sqrt(format, mode?, a),
            (Op::FpRoundToIntegral, Some(format), _, &[_, a]) => floats.round_to_integral(format, mode?, a),
            (Op::FpMin | Op::FpMax, Some(format), _, &[a, b]) => floats.extremum(format, op, a, b),
            (Op::FpLe | Op::FpLt | Op::FpEq, _, Some(format), &[a, b]) => floats.compare(format, op, a, b),
            (
                Op::FpIsNormal
                | Op::FpIsSubnormal
                | Op::FpIsZero
                | Op::FpIsInfinite
                | Op::FpIsNan
                | Op::FpIsNegative
                | Op::FpIsPositive,
                _,
                Some(format),
                &[a],
            ) => floats.test(format, op, a),
            (Op::FpFromFloat { .. }, Some(to), Some(from), &[_, a]) => floats.converted(from, to, mode?, a),
            (Op::FpFromSigned { .. }, Some(to), _, &[_, a]) => {
                floats.float_of_integer(to, mode?, Signedness::Signed, a)
            }
            (Op::FpFromUnsigned { .. }, Some(to), _, &[_, a]) => {
                floats.float_of_integer(to, mode?, Signedness::Unsigned, a)
            }
            (Op::FpToSigned(width), _, Some(from), &[_, a]) => {
                floats.integer_of_float(from, mode?, Signedness::Signed, width, a)
            }
            (Op::FpToUnsigned(width), _, Some(from), &[_, a]) => {
                floats.integer_of_float(from, mode?, Signedness::Unsigned, width, a)
            }
            _ => return None,
        })
    }
}
