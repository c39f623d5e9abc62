//! Floats.
//!
//! # Normal forms
//! - Operators over constants fold (see [`ieee`]), except where SMT-LIB leaves the result
//!   unspecified.
//! - NaN is one constant, so `=` of constants is equality of handles. An operation with a NaN
//!   operand folds to NaN.
//! - Operands of commutative operators are sorted by id, as in the other theories.
//! - Tests of the magnitude ignore signs, so negations and absolute values below them are dropped.
//!
//! Few other laws hold for floats: sums do not associate, `x + 0` is not `x` (since `-0 + +0` is
//! `+0`), `x - x` may be NaN.

use super::ieee::{self, FloatSign, Format, Outcome};
use super::{Op, Sort, Term, TermPool, Value};
use num_bigint::BigUint;
use smallvec::SmallVec;

impl TermPool {
    fn format_of(&self, term: Term) -> (u16, u16) {
        match self.sort(term) {
            Sort::Float(exponent, significand) => (exponent, significand),
            sort => panic!("{term} should be a float but is of sort {sort:?}"),
        }
    }

    fn assert_mode(&self, mode: Term) {
        let sort = self.sort(mode);
        assert!(sort == Sort::RoundingMode, "{mode} should be a rounding mode but is of sort {sort:?}");
    }

    /// NaN of the format with these widths of exponent and significand (including the hidden bit).
    pub fn fp_nan(&mut self, exponent: u16, significand: u16) -> Term {
        self.float_from_bits(exponent, significand, &Format::new(exponent, significand).nan())
    }

    /// The infinity of this sign.
    pub fn fp_infinity(&mut self, exponent: u16, significand: u16, sign: FloatSign) -> Term {
        self.float_from_bits(exponent, significand, &Format::new(exponent, significand).infinity(sign))
    }

    /// The zero of this sign.
    pub fn fp_zero(&mut self, exponent: u16, significand: u16, sign: FloatSign) -> Term {
        self.float_from_bits(exponent, significand, &Format::new(exponent, significand).zero(sign))
    }

    /// Whether `term` is the constant NaN.
    fn is_fp_nan_constant(&self, term: Term) -> bool {
        let (Sort::Float(exponent, significand), Some(bits)) = (self.sort(term), self.as_float_bits(term))
        else {
            return false;
        };
        *bits == Format::new(exponent, significand).nan()
    }

    /// Interns the operator over these children; folds it if all of them are constants.
    fn fp_intern(&mut self, op: Op, sort: Sort, children: &[Term]) -> Term {
        if children.iter().all(|&child| self.is_constant(child)) {
            let values: SmallVec<[Value; 4]> =
                children.iter().filter_map(|&child| Value::of_constant(self, child)).collect();
            let arguments: SmallVec<[&Value; 4]> = values.iter().collect();
            if let Outcome::Value(value) = ieee::apply(op, &arguments) {
                return value.to_term(self, sort).expect("numbers and truth values are terms");
            }
        }
        self.intern(op, sort, children)
    }

    fn fp_test(&mut self, op: Op, a: Term) -> Term {
        self.format_of(a);
        self.fp_intern(op, Sort::Bool, &[a])
    }

    /// A classification whose result does not depend on the sign.
    fn fp_magnitude_test(&mut self, op: Op, mut a: Term) -> Term {
        while matches!(self.op(a), Op::FpNeg | Op::FpAbs) {
            a = self.children(a)[0];
        }
        self.fp_test(op, a)
    }

    fn fp_compare(&mut self, op: Op, a: Term, b: Term) -> Term {
        self.format_of(a);
        self.assert_same_sort(a, b);
        if self.is_fp_nan_constant(a) || self.is_fp_nan_constant(b) {
            return self.fls();
        }
        if a == b {
            if op == Op::FpLt {
                return self.fls();
            }
            let is_nan = self.fp_is_nan(a);
            return self.not(is_nan);
        }
        let (a, b) = if op == Op::FpEq && b < a { (b, a) } else { (a, b) };
        self.fp_intern(op, Sort::Bool, &[a, b])
    }

    /// An operation over floats of one format with a result of that format, which is NaN if an
    /// operand is NaN.
    fn fp_operation(&mut self, op: Op, mode: Option<Term>, floats: &[Term]) -> Term {
        let first = floats[0];
        self.format_of(first);
        for &float in floats {
            self.assert_same_sort(first, float);
        }
        let mut children: SmallVec<[Term; 4]> = SmallVec::new();
        if let Some(mode) = mode {
            self.assert_mode(mode);
            children.push(mode);
        }
        if let Some(&nan) = floats.iter().find(|&&float| self.is_fp_nan_constant(float)) {
            return nan;
        }
        children.extend_from_slice(floats);
        if matches!(op, Op::FpAdd | Op::FpMul | Op::FpFma) {
            children[1..3].sort_unstable();
        }
        let sort = self.sort(first);
        self.fp_intern(op, sort, &children)
    }

    fn fp_extremum(&mut self, op: Op, a: Term, b: Term) -> Term {
        self.format_of(a);
        self.assert_same_sort(a, b);
        if a == b || self.is_fp_nan_constant(b) {
            return a;
        }
        if self.is_fp_nan_constant(a) {
            return b;
        }
        let sort = self.sort(a);
        self.fp_intern(op, sort, &[a, b])
    }

    /// `|a|`; NaN for NaN.
    pub fn fp_abs(&mut self, a: Term) -> Term {
        match self.op(a) {
            Op::FpAbs => a,
            Op::FpNeg => {
                let inner = self.children(a)[0];
                self.fp_abs(inner)
            }
            _ => self.fp_operation(Op::FpAbs, None, &[a]),
        }
    }

    /// `-a`; NaN for NaN.
    pub fn fp_neg(&mut self, a: Term) -> Term {
        if self.op(a) == Op::FpNeg {
            return self.children(a)[0];
        }
        self.fp_operation(Op::FpNeg, None, &[a])
    }

    /// `a + b`, rounded.
    pub fn fp_add(&mut self, mode: Term, a: Term, b: Term) -> Term {
        self.fp_operation(Op::FpAdd, Some(mode), &[a, b])
    }

    /// `a - b`, rounded.
    pub fn fp_sub(&mut self, mode: Term, a: Term, b: Term) -> Term {
        self.fp_operation(Op::FpSub, Some(mode), &[a, b])
    }

    /// `a · b`, rounded.
    pub fn fp_mul(&mut self, mode: Term, a: Term, b: Term) -> Term {
        self.fp_operation(Op::FpMul, Some(mode), &[a, b])
    }

    /// `a / b`, rounded.
    pub fn fp_div(&mut self, mode: Term, a: Term, b: Term) -> Term {
        self.fp_operation(Op::FpDiv, Some(mode), &[a, b])
    }

    /// `a · b + c`, rounded once.
    pub fn fp_fma(&mut self, mode: Term, a: Term, b: Term, c: Term) -> Term {
        self.fp_operation(Op::FpFma, Some(mode), &[a, b, c])
    }

    /// The square root of `a`, rounded.
    pub fn fp_sqrt(&mut self, mode: Term, a: Term) -> Term {
        self.fp_operation(Op::FpSqrt, Some(mode), &[a])
    }

    /// IEEE's remainder: `a - b·n` where `n` is the integer nearest to `a / b`, ties to even.
    pub fn fp_rem(&mut self, a: Term, b: Term) -> Term {
        self.fp_operation(Op::FpRem, None, &[a, b])
    }

    /// `a` rounded to an integral float.
    pub fn fp_round_to_integral(&mut self, mode: Term, a: Term) -> Term {
        self.fp_operation(Op::FpRoundToIntegral, Some(mode), &[a])
    }

    /// The lesser operand; the other operand if one is NaN; unspecified for two zeros of different
    /// sign.
    pub fn fp_min(&mut self, a: Term, b: Term) -> Term {
        self.fp_extremum(Op::FpMin, a, b)
    }

    /// The greater operand; the other operand if one is NaN; unspecified for two zeros of different
    /// sign.
    pub fn fp_max(&mut self, a: Term, b: Term) -> Term {
        self.fp_extremum(Op::FpMax, a, b)
    }

    /// `a ≤ b`; false if an operand is NaN.
    pub fn fp_le(&mut self, a: Term, b: Term) -> Term {
        self.fp_compare(Op::FpLe, a, b)
    }

    /// `a < b`; false if an operand is NaN.
    pub fn fp_lt(&mut self, a: Term, b: Term) -> Term {
        self.fp_compare(Op::FpLt, a, b)
    }

    /// IEEE's equality: zeros are equal, NaN is not equal to anything. SMT-LIB's `=` is
    /// [`eq`](Self::eq).
    pub fn fp_eq(&mut self, a: Term, b: Term) -> Term {
        self.fp_compare(Op::FpEq, a, b)
    }

    /// Whether `a` is a normal number.
    pub fn fp_is_normal(&mut self, a: Term) -> Term {
        self.fp_magnitude_test(Op::FpIsNormal, a)
    }

    /// Whether `a` is a subnormal number; zeros are not.
    pub fn fp_is_subnormal(&mut self, a: Term) -> Term {
        self.fp_magnitude_test(Op::FpIsSubnormal, a)
    }

    /// Whether `a` is a zero.
    pub fn fp_is_zero(&mut self, a: Term) -> Term {
        self.fp_magnitude_test(Op::FpIsZero, a)
    }

    /// Whether `a` is an infinity.
    pub fn fp_is_infinite(&mut self, a: Term) -> Term {
        self.fp_magnitude_test(Op::FpIsInfinite, a)
    }

    /// Whether `a` is negative (including `-0`); false for NaN.
    pub fn fp_is_nan(&mut self, a: Term) -> Term {
        self.fp_magnitude_test(Op::FpIsNan, a)
    }

    /// Whether `a` is negative (including `-0`); false for NaN.
    pub fn fp_is_negative(&mut self, a: Term) -> Term {
        match self.op(a) {
            Op::FpNeg => {
                let inner = self.children(a)[0];
                self.fp_is_positive(inner)
            }
            Op::FpAbs => self.fls(),
            _ => self.fp_test(Op::FpIsNegative, a),
        }
    }

    /// Whether `a` is positive (including `+0`); false for NaN.
    pub fn fp_is_positive(&mut self, a: Term) -> Term {
        match self.op(a) {
            Op::FpNeg => {
                let inner = self.children(a)[0];
                self.fp_is_negative(inner)
            }
            Op::FpAbs => {
                let is_nan = self.fp_is_nan(a);
                self.not(is_nan)
            }
            _ => self.fp_test(Op::FpIsPositive, a),
        }
    }

    /// The float whose IEEE pattern is the bit vector `bits` of width `exponent + significand`.
    pub fn fp_from_bits(&mut self, exponent: u16, significand: u16, bits: Term) -> Term {
        let width = u32::from(exponent) + u32::from(significand);
        assert!(self.width(bits) == width, "the pattern {bits} should have {width} bits");
        if self.op(bits) == Op::FpToBits {
            let inner = self.children(bits)[0];
            if self.format_of(inner) == (exponent, significand) {
                return inner;
            }
        }
        // C code changes the sign bit of a pattern; the float gets the operation on its sign
        // instead.
        if let Some((inner, op)) = self.changed_sign(bits) {
            let float = self.fp_from_bits(exponent, significand, inner);
            return if op == Op::FpNeg { self.fp_neg(float) } else { self.fp_abs(float) };
        }
        self.fp_intern(Op::FpFromBits { exponent, significand }, Sort::Float(exponent, significand), &[bits])
    }

    /// The pattern of which `bits` is a copy with the highest bit inverted (`FpNeg`) or cleared
    /// (`FpAbs`).
    fn changed_sign(&self, bits: Term) -> Option<(Term, Op)> {
        let width = self.width(bits);
        let without_sign = |term: Term| match self.op(term) {
            Op::Extract { high, low: 0 }
                if high + 2 == width && self.width(self.children(term)[0]) == width =>
            {
                Some(self.children(term)[0])
            }
            _ => None,
        };
        match (self.op(bits), self.children(bits)) {
            (Op::ZeroExtend(1), &[magnitude]) => Some((without_sign(magnitude)?, Op::FpAbs)),
            (Op::Concat, &[sign, magnitude]) => {
                let inner = without_sign(magnitude)?;
                if self.as_bv_u64(sign) == Some(0) && self.width(sign) == 1 {
                    return Some((inner, Op::FpAbs));
                }
                let (Op::BvNot, &[sign]) = (self.op(sign), self.children(sign)) else { return None };
                let is_sign =
                    matches!(self.op(sign), Op::Extract { high, low } if high == low && high + 1 == width);
                (is_sign && self.children(sign)[0] == inner).then_some((inner, Op::FpNeg))
            }
            _ => None,
        }
    }

    /// `ite(condition, then, otherwise)` over float patterns (one may be a constant) as the pattern
    /// of a float `ite`.
    pub(super) fn ite_of_patterns(&mut self, condition: Term, then: Term, otherwise: Term) -> Option<Term> {
        let of_pattern =
            |pool: &Self, term: Term| (pool.op(term) == Op::FpToBits).then(|| pool.children(term)[0]);
        let format = |pool: &Self, float: Term| pool.format_of(float);
        let (a, b) = match (of_pattern(self, then), of_pattern(self, otherwise)) {
            (Some(a), Some(b)) if self.sort(a) == self.sort(b) => (a, b),
            (Some(a), None) => (a, self.constant_of_pattern(format(self, a), otherwise)?),
            (None, Some(b)) => (self.constant_of_pattern(format(self, b), then)?, b),
            _ => return None,
        };
        let float = self.ite(condition, a, b);
        Some(self.fp_to_bits(float))
    }

    /// The float with this pattern, if the pattern is a constant that the float maps back to (not a
    /// non-canonical NaN).
    fn constant_of_pattern(&mut self, (exponent, significand): (u16, u16), bits: Term) -> Option<Term> {
        let (_, natural) = self.as_bv(bits)?;
        let natural = natural.clone();
        let is_canonical = Format::new(exponent, significand).is_canonical(&natural);
        is_canonical.then(|| self.float_from_bits(exponent, significand, &natural))
    }

    /// The IEEE pattern of the float `a`; for NaN the quiet, positive pattern without payload.
    pub fn fp_to_bits(&mut self, a: Term) -> Term {
        let (exponent, significand) = self.format_of(a);
        self.fp_intern(Op::FpToBits, Sort::BitVec(u32::from(exponent) + u32::from(significand)), &[a])
    }

    /// The float `a` converted to another format, rounded.
    pub fn fp_from_float(&mut self, exponent: u16, significand: u16, mode: Term, a: Term) -> Term {
        let source = self.format_of(a);
        let target = Format::new(exponent, significand);
        if source == (exponent, significand) {
            self.assert_mode(mode);
            return a;
        }
        // A round trip through a format that contains all floats of this one.
        if let (Op::FpFromFloat { .. }, &[_, inner]) = (self.op(a), self.children(a))
            && self.format_of(inner) == (exponent, significand)
            && Format::new(source.0, source.1).contains(target)
        {
            self.assert_mode(mode);
            return inner;
        }
        self.fp_conversion(
            Op::FpFromFloat { exponent, significand },
            Sort::Float(exponent, significand),
            mode,
            a,
        )
    }

    /// The real `a` converted to a float, rounded.
    pub fn fp_from_real(&mut self, exponent: u16, significand: u16, mode: Term, a: Term) -> Term {
        assert!(self.sort(a) == Sort::Real, "{a} should be of sort Real but is of {:?}", self.sort(a));
        self.fp_conversion(
            Op::FpFromReal { exponent, significand },
            Sort::Float(exponent, significand),
            mode,
            a,
        )
    }

    /// The two's complement bit vector `a` converted to a float, rounded.
    pub fn fp_from_signed(&mut self, exponent: u16, significand: u16, mode: Term, a: Term) -> Term {
        self.width(a);
        self.fp_conversion(
            Op::FpFromSigned { exponent, significand },
            Sort::Float(exponent, significand),
            mode,
            a,
        )
    }

    /// The unsigned bit vector `a` converted to a float, rounded.
    pub fn fp_from_unsigned(&mut self, exponent: u16, significand: u16, mode: Term, a: Term) -> Term {
        self.width(a);
        let op = Op::FpFromUnsigned { exponent, significand };
        self.fp_conversion(op, Sort::Float(exponent, significand), mode, a)
    }

    /// The float `a`, rounded to an integer, as an unsigned bit vector; unspecified if it is out of
    /// range.
    pub fn fp_to_unsigned(&mut self, width: u32, mode: Term, a: Term) -> Term {
        self.format_of(a);
        assert!(width > 0, "a bit vector should have at least one bit");
        self.fp_conversion(Op::FpToUnsigned(width), Sort::BitVec(width), mode, a)
    }

    /// The float `a`, rounded to an integer, as a two's complement bit vector; unspecified if it is
    /// out of range.
    pub fn fp_to_signed(&mut self, width: u32, mode: Term, a: Term) -> Term {
        self.format_of(a);
        assert!(width > 0, "a bit vector should have at least one bit");
        self.fp_conversion(Op::FpToSigned(width), Sort::BitVec(width), mode, a)
    }

    /// The float `a` as a real; unspecified for infinities and NaN.
    pub fn fp_to_real(&mut self, a: Term) -> Term {
        self.format_of(a);
        self.fp_intern(Op::FpToReal, Sort::Real, &[a])
    }

    fn fp_conversion(&mut self, op: Op, sort: Sort, mode: Term, a: Term) -> Term {
        self.assert_mode(mode);
        self.fp_intern(op, sort, &[mode, a])
    }
}

/// The canonical NaN pattern of a float sort.
///
/// # Panics
/// If `sort` is not a float sort.
pub fn float_nan_pattern(sort: Sort) -> BigUint {
    match sort {
        Sort::Float(exponent, significand) => Format::new(exponent, significand).nan(),
        sort => panic!("{sort:?} should be a sort of floats"),
    }
}
