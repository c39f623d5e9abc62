//! Floats: constructors.

use super::{Op, Sort, Term, TermPool};
use num_bigint::BigUint;
use num_traits::{One, Zero};

/// The pattern that stands for all patterns of NaN: the quiet one without sign and payload.
fn nan_pattern(exponent: u16, significand: u16) -> BigUint {
    ((BigUint::one() << (u32::from(exponent) + 1)) - 1u32) << (u32::from(significand) - 2)
}

/// `bits`, or the one pattern for NaN if they are one of its patterns.
pub(super) fn canonical_pattern(exponent: u16, significand: u16, bits: &BigUint) -> BigUint {
    let infinity = infinity_pattern(exponent, significand);
    let sign = u64::from(exponent) + u64::from(significand) - 1;
    let mut magnitude = bits.clone();
    magnitude.set_bit(sign, false);
    if magnitude > infinity { nan_pattern(exponent, significand) } else { bits.clone() }
}

fn infinity_pattern(exponent: u16, significand: u16) -> BigUint {
    ((BigUint::one() << exponent) - 1u32) << (u32::from(significand) - 1)
}

/// The sign of a zero or an infinity.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatSign {
    /// `+`.
    Positive,
    /// `-`.
    Negative,
}

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

    /// NaN of the format with this width of the exponent and of the significand (with the hidden bit).
    pub fn fp_nan(&mut self, exponent: u16, significand: u16) -> Term {
        self.float_from_bits(exponent, significand, &nan_pattern(exponent, significand))
    }

    /// The infinity of that sign.
    pub fn fp_infinity(&mut self, exponent: u16, significand: u16, sign: FloatSign) -> Term {
        self.fp_signed(exponent, significand, sign, infinity_pattern(exponent, significand))
    }

    /// The zero of that sign.
    pub fn fp_zero(&mut self, exponent: u16, significand: u16, sign: FloatSign) -> Term {
        self.fp_signed(exponent, significand, sign, BigUint::zero())
    }

    fn fp_signed(&mut self, exponent: u16, significand: u16, sign: FloatSign, mut bits: BigUint) -> Term {
        let width = u64::from(exponent) + u64::from(significand);
        bits.set_bit(width - 1, sign == FloatSign::Negative);
        self.float_from_bits(exponent, significand, &bits)
    }

    fn fp_test(&mut self, op: Op, a: Term) -> Term {
        self.format_of(a);
        self.intern(op, Sort::Bool, &[a])
    }

    fn fp_compare(&mut self, op: Op, a: Term, b: Term) -> Term {
        self.format_of(a);
        self.assert_same_sort(a, b);
        self.intern(op, Sort::Bool, &[a, b])
    }

    /// An operation over floats of one format whose result is of that format.
    fn fp_operation(&mut self, op: Op, mode: Option<Term>, floats: &[Term]) -> Term {
        let first = floats[0];
        self.format_of(first);
        for &float in floats {
            self.assert_same_sort(first, float);
        }
        let mut children: smallvec::SmallVec<[Term; 4]> = smallvec::SmallVec::new();
        if let Some(mode) = mode {
            self.assert_mode(mode);
            children.push(mode);
        }
        children.extend_from_slice(floats);
        let sort = self.sort(first);
        self.intern(op, sort, &children)
    }

    /// `|a|`; of NaN it is NaN.
    pub fn fp_abs(&mut self, a: Term) -> Term {
        self.fp_operation(Op::FpAbs, None, &[a])
    }

    /// `-a`; of NaN it is NaN.
    pub fn fp_neg(&mut self, a: Term) -> Term {
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

    /// IEEE's remainder: `a - b·n` where `n` is the integer nearest to `a / b`, the even one if there are two.
    pub fn fp_rem(&mut self, a: Term, b: Term) -> Term {
        self.fp_operation(Op::FpRem, None, &[a, b])
    }

    /// `a` rounded to an integer.
    pub fn fp_round_to_integral(&mut self, mode: Term, a: Term) -> Term {
        self.fp_operation(Op::FpRoundToIntegral, Some(mode), &[a])
    }

    /// The lesser one; a number if one of them is NaN; unspecified which for two zeros of different sign.
    pub fn fp_min(&mut self, a: Term, b: Term) -> Term {
        self.fp_operation(Op::FpMin, None, &[a, b])
    }

    /// The greater one; a number if one of them is NaN; unspecified which for two zeros of different sign.
    pub fn fp_max(&mut self, a: Term, b: Term) -> Term {
        self.fp_operation(Op::FpMax, None, &[a, b])
    }

    /// `a ≤ b`; false if one is NaN.
    pub fn fp_le(&mut self, a: Term, b: Term) -> Term {
        self.fp_compare(Op::FpLe, a, b)
    }

    /// `a < b`; false if one is NaN.
    pub fn fp_lt(&mut self, a: Term, b: Term) -> Term {
        self.fp_compare(Op::FpLt, a, b)
    }

    /// IEEE's equality: zeros are equal, NaN is not equal to anything. Identity is [`eq`](Self::eq).
    pub fn fp_eq(&mut self, a: Term, b: Term) -> Term {
        self.fp_compare(Op::FpEq, a, b)
    }

    /// Whether `a` is a normal number.
    pub fn fp_is_normal(&mut self, a: Term) -> Term {
        self.fp_test(Op::FpIsNormal, a)
    }

    /// Whether `a` is a subnormal number; zeros are not.
    pub fn fp_is_subnormal(&mut self, a: Term) -> Term {
        self.fp_test(Op::FpIsSubnormal, a)
    }

    /// Whether `a` is a zero.
    pub fn fp_is_zero(&mut self, a: Term) -> Term {
        self.fp_test(Op::FpIsZero, a)
    }

    /// Whether `a` is an infinity.
    pub fn fp_is_infinite(&mut self, a: Term) -> Term {
        self.fp_test(Op::FpIsInfinite, a)
    }

    /// Whether `a` is NaN.
    pub fn fp_is_nan(&mut self, a: Term) -> Term {
        self.fp_test(Op::FpIsNan, a)
    }

    /// Whether `a` has the sign `-`; false for NaN.
    pub fn fp_is_negative(&mut self, a: Term) -> Term {
        self.fp_test(Op::FpIsNegative, a)
    }

    /// Whether `a` has the sign `+`; false for NaN.
    pub fn fp_is_positive(&mut self, a: Term) -> Term {
        self.fp_test(Op::FpIsPositive, a)
    }

    /// The float whose IEEE pattern is the bit vector `bits` of width `exponent + significand`.
    pub fn fp_from_bits(&mut self, exponent: u16, significand: u16, bits: Term) -> Term {
        let width = u32::from(exponent) + u32::from(significand);
        assert!(self.width(bits) == width, "the pattern {bits} should have {width} bits");
        self.intern(Op::FpFromBits { exponent, significand }, Sort::Float(exponent, significand), &[bits])
    }

    /// The float `a` in another format, rounded.
    pub fn fp_from_float(&mut self, exponent: u16, significand: u16, mode: Term, a: Term) -> Term {
        self.format_of(a);
        self.fp_conversion(
            Op::FpFromFloat { exponent, significand },
            Sort::Float(exponent, significand),
            mode,
            a,
        )
    }

    /// The real `a` as a float, rounded.
    pub fn fp_from_real(&mut self, exponent: u16, significand: u16, mode: Term, a: Term) -> Term {
        assert!(self.sort(a) == Sort::Real, "{a} should be of sort Real but is of {:?}", self.sort(a));
        self.fp_conversion(
            Op::FpFromReal { exponent, significand },
            Sort::Float(exponent, significand),
            mode,
            a,
        )
    }

    /// The bit vector `a`, in two's complement, as a float, rounded.
    pub fn fp_from_signed(&mut self, exponent: u16, significand: u16, mode: Term, a: Term) -> Term {
        self.width(a);
        self.fp_conversion(
            Op::FpFromSigned { exponent, significand },
            Sort::Float(exponent, significand),
            mode,
            a,
        )
    }

    /// The bit vector `a`, without sign, as a float, rounded.
    pub fn fp_from_unsigned(&mut self, exponent: u16, significand: u16, mode: Term, a: Term) -> Term {
        self.width(a);
        let op = Op::FpFromUnsigned { exponent, significand };
        self.fp_conversion(op, Sort::Float(exponent, significand), mode, a)
    }

    /// The float `a`, rounded to an integer, as a bit vector without sign; unspecified where it does not fit.
    pub fn fp_to_unsigned(&mut self, width: u32, mode: Term, a: Term) -> Term {
        self.format_of(a);
        assert!(width > 0, "a bit vector should have at least one bit");
        self.fp_conversion(Op::FpToUnsigned(width), Sort::BitVec(width), mode, a)
    }

    /// The float `a`, rounded to an integer, as a bit vector in two's complement; unspecified where it does not fit.
    pub fn fp_to_signed(&mut self, width: u32, mode: Term, a: Term) -> Term {
        self.format_of(a);
        assert!(width > 0, "a bit vector should have at least one bit");
        self.fp_conversion(Op::FpToSigned(width), Sort::BitVec(width), mode, a)
    }

    /// The float `a` as a real; unspecified for infinities and NaN.
    pub fn fp_to_real(&mut self, a: Term) -> Term {
        self.format_of(a);
        self.intern(Op::FpToReal, Sort::Real, &[a])
    }

    fn fp_conversion(&mut self, op: Op, sort: Sort, mode: Term, a: Term) -> Term {
        self.assert_mode(mode);
        self.intern(op, sort, &[mode, a])
    }
}
