//! Bit-vector values and the semantics of SMT-LIB's bit-vector operators.
//!
//! Constant folding and evaluation share this definition. Values below 2^64 are stored in a machine
//! word, whatever their width, larger ones as big naturals; every operator has a fast path for
//! widths up to 64.

use super::Op;
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;

/// A bit vector of a fixed width, at least 1.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct BitVector {
    width: u32,
    bits: Bits,
}

/// `Big` only for values of at least 2^64, so that equality is structural.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Bits {
    Small(u64),
    Big(Box<BigUint>),
}

#[inline]
fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// Interprets `value`, a pattern of `width` ≤ 64 bits, in two's complement.
#[inline]
fn signed(width: u32, value: u64) -> i64 {
    let unused = 64 - width;
    ((value << unused) as i64) >> unused
}

impl BitVector {
    /// Creates `value` modulo `2^width`.
    #[inline]
    pub fn new(width: u32, value: u64) -> Self {
        debug_assert!(width > 0, "a bit vector should have at least one bit");
        BitVector { width, bits: Bits::Small(value & mask(width)) }
    }

    /// Creates `value` modulo `2^width`.
    pub fn from_natural(width: u32, mut value: BigUint) -> Self {
        if value.bits() > u64::from(width) {
            value &= (BigUint::one() << width) - 1u32;
        }
        let bits = match value.to_u64() {
            Some(small) => Bits::Small(small),
            None => Bits::Big(Box::new(value)),
        };
        BitVector { width, bits }
    }

    /// Creates `value` modulo `2^width`, in two's complement.
    pub fn from_integer(width: u32, value: &BigInt) -> Self {
        match value.to_i64() {
            Some(small) if width <= 64 => BitVector::new(width, small as u64),
            _ => {
                let modulus = BigInt::one() << width;
                BitVector::from_natural(width, value.mod_floor(&modulus).magnitude().clone())
            }
        }
    }

    /// The pattern of `width` ones.
    pub fn ones(width: u32) -> Self {
        if width <= 64 {
            BitVector::new(width, u64::MAX)
        } else {
            BitVector::from_natural(width, (BigUint::one() << width) - 1u32)
        }
    }

    /// The width in bits.
    #[inline]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The unsigned value if it is less than 2^64.
    #[inline]
    pub fn to_u64(&self) -> Option<u64> {
        match self.bits {
            Bits::Small(small) => Some(small),
            Bits::Big(_) => None,
        }
    }

    /// The signed value if the width is at most 64.
    pub fn to_i64(&self) -> Option<i64> {
        match self.bits {
            Bits::Small(small) if self.width <= 64 => Some(signed(self.width, small)),
            _ => self.to_signed().to_i64(),
        }
    }

    /// The unsigned value.
    pub fn to_natural(&self) -> BigUint {
        match &self.bits {
            Bits::Small(small) => BigUint::from(*small),
            Bits::Big(big) => (**big).clone(),
        }
    }

    /// The value in two's complement.
    pub fn to_signed(&self) -> BigInt {
        let value = BigInt::from(self.to_natural());
        if self.bit(self.width - 1) { value - (BigInt::one() << self.width) } else { value }
    }

    /// Bit number `index`, counted from the least significant bit.
    pub fn bit(&self, index: u32) -> bool {
        match &self.bits {
            Bits::Small(small) => index < 64 && (small >> index) & 1 == 1,
            Bits::Big(big) => big.bit(u64::from(index)),
        }
    }

    /// Whether the value in two's complement is negative.
    pub fn is_negative(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// Whether all bits are 0.
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self.bits, Bits::Small(0))
    }

    /// Whether the value is 1.
    #[inline]
    pub fn is_one(&self) -> bool {
        matches!(self.bits, Bits::Small(1))
    }

    /// Whether all bits are 1.
    pub fn is_ones(&self) -> bool {
        match &self.bits {
            Bits::Small(small) => self.width <= 64 && *small == mask(self.width),
            Bits::Big(big) => big.count_ones() == u64::from(self.width),
        }
    }

    /// `k` if the value is `2^k`.
    pub fn log2(&self) -> Option<u32> {
        match &self.bits {
            Bits::Small(small) => small.is_power_of_two().then(|| small.trailing_zeros()),
            Bits::Big(big) => (big.count_ones() == 1).then(|| big.bits() as u32 - 1),
        }
    }

    /// The bitwise complement.
    pub fn not(&self) -> Self {
        match self.bits {
            Bits::Small(small) if self.width <= 64 => BitVector::new(self.width, !small),
            _ => BitVector::binary(Op::BvXor, self, &BitVector::ones(self.width)),
        }
    }

    /// The negation in two's complement.
    pub fn neg(&self) -> Self {
        match self.bits {
            Bits::Small(small) if self.width <= 64 => BitVector::new(self.width, small.wrapping_neg()),
            _ => BitVector::from_integer(self.width, &-BigInt::from(self.to_natural())),
        }
    }

    /// The concatenation with `self` in the upper bits.
    pub fn concat(&self, low: &Self) -> Self {
        let width = self.width + low.width;
        match (&self.bits, &low.bits) {
            (Bits::Small(a), Bits::Small(b)) if width <= 64 => BitVector::new(width, (a << low.width) | b),
            _ => BitVector::from_natural(width, (self.to_natural() << low.width) | low.to_natural()),
        }
    }

    /// Bits `low` to `high`, both included.
    pub fn extract(&self, high: u32, low: u32) -> Self {
        let width = high - low + 1;
        match &self.bits {
            Bits::Small(small) => BitVector::new(width, if low < 64 { small >> low } else { 0 }),
            Bits::Big(big) => BitVector::from_natural(width, &**big >> low),
        }
    }

    /// Extends the value by `bits` zeros.
    pub fn zero_extend(&self, bits: u32) -> Self {
        BitVector { width: self.width + bits, bits: self.bits.clone() }
    }

    /// Extends the value by `bits` copies of the sign bit.
    pub fn sign_extend(&self, bits: u32) -> Self {
        let width = self.width + bits;
        if !self.is_negative() {
            self.zero_extend(bits)
        } else if width <= 64 {
            BitVector::new(width, self.to_i64().expect("at most 64 bits") as u64)
        } else {
            BitVector::from_integer(width, &self.to_signed())
        }
    }

    /// The result of the binary operator `op`, one of `BvAnd` to `BvAshr`, over operands of one
    /// width.
    ///
    /// # Panics
    /// If `op` is another operator.
    #[inline]
    pub fn binary(op: Op, a: &Self, b: &Self) -> Self {
        debug_assert_eq!(a.width, b.width);
        let width = a.width;
        match (&a.bits, &b.bits) {
            (Bits::Small(x), Bits::Small(y)) if width <= 64 => {
                BitVector::new(width, small_binary(op, width, *x, *y))
            }
            _ => big_binary(op, a, b),
        }
    }

    /// The result of the comparison `op`, one of `BvUlt`, `BvUle`, `BvSlt`, `BvSle`.
    ///
    /// # Panics
    /// If `op` is another operator.
    pub fn compare(op: Op, a: &Self, b: &Self) -> bool {
        match op {
            Op::BvUlt => a.unsigned_cmp(b).is_lt(),
            Op::BvUle => a.unsigned_cmp(b).is_le(),
            Op::BvSlt => a.signed_cmp(b).is_lt(),
            Op::BvSle => a.signed_cmp(b).is_le(),
            _ => panic!("{op:?} should be a comparison of bit vectors"),
        }
    }

    /// The order of the values as naturals.
    pub fn unsigned_cmp(&self, other: &Self) -> Ordering {
        match (&self.bits, &other.bits) {
            (Bits::Small(a), Bits::Small(b)) => a.cmp(b),
            (Bits::Small(_), Bits::Big(_)) => Ordering::Less,
            (Bits::Big(_), Bits::Small(_)) => Ordering::Greater,
            (Bits::Big(a), Bits::Big(b)) => a.cmp(b),
        }
    }

    /// The order of the values in two's complement; both have the same width.
    pub fn signed_cmp(&self, other: &Self) -> Ordering {
        other.is_negative().cmp(&self.is_negative()).then_with(|| self.unsigned_cmp(other))
    }
}

/// Operators on patterns of at most 64 bits; bits above `width` of the result are unspecified.
#[inline]
fn small_binary(op: Op, width: u32, a: u64, b: u64) -> u64 {
    let shifted_out = b >= u64::from(width);
    match op {
        Op::BvAnd => a & b,
        Op::BvOr => a | b,
        Op::BvXor => a ^ b,
        Op::BvAdd => a.wrapping_add(b),
        Op::BvSub => a.wrapping_sub(b),
        Op::BvMul => a.wrapping_mul(b),
        Op::BvUdiv => a.checked_div(b).unwrap_or(u64::MAX),
        Op::BvUrem => a.checked_rem(b).unwrap_or(a),
        Op::BvSdiv => match (signed(width, a), signed(width, b)) {
            (x, 0) => {
                if x >= 0 {
                    u64::MAX
                } else {
                    1
                }
            }
            (x, y) => x.wrapping_div(y) as u64,
        },
        Op::BvSrem => match (signed(width, a), signed(width, b)) {
            (_, 0) => a,
            (x, y) => x.wrapping_rem(y) as u64,
        },
        Op::BvShl if shifted_out => 0,
        Op::BvShl => a << b,
        Op::BvLshr if shifted_out => 0,
        Op::BvLshr => a >> b,
        Op::BvAshr => (signed(width, a) >> b.min(63)) as u64,
        _ => panic!("{op:?} should be a binary operator of bit vectors"),
    }
}

fn big_binary(op: Op, a: &BitVector, b: &BitVector) -> BitVector {
    let width = a.width;
    let (x, y) = (a.to_natural(), b.to_natural());
    let natural = |n| BitVector::from_natural(width, n);
    // A shift by at least the width shifts everything out.
    let distance = || y.to_u32().unwrap_or(width).min(width);
    match op {
        Op::BvAnd => natural(x & y),
        Op::BvOr => natural(x | y),
        Op::BvXor => natural(x ^ y),
        Op::BvAdd => natural(x + y),
        Op::BvSub => BitVector::from_integer(width, &(BigInt::from(x) - BigInt::from(y))),
        Op::BvMul => natural(x * y),
        Op::BvUdiv if y.is_zero() => BitVector::ones(width),
        Op::BvUdiv => natural(x / y),
        Op::BvUrem if y.is_zero() => a.clone(),
        Op::BvUrem => natural(x % y),
        Op::BvSdiv if y.is_zero() => {
            if a.is_negative() {
                BitVector::new(width, 1)
            } else {
                BitVector::ones(width)
            }
        }
        // `BigInt` division truncates, as bvsdiv and bvsrem do.
        Op::BvSdiv => BitVector::from_integer(width, &(a.to_signed() / b.to_signed())),
        Op::BvSrem if y.is_zero() => a.clone(),
        Op::BvSrem => BitVector::from_integer(width, &(a.to_signed() % b.to_signed())),
        Op::BvShl => natural(x << distance()),
        Op::BvLshr => natural(x >> distance()),
        // `BigInt` shifts round towards minus infinity, as bvashr does.
        Op::BvAshr => BitVector::from_integer(width, &(a.to_signed() >> distance())),
        _ => panic!("{op:?} should be a binary operator of bit vectors"),
    }
}

/// Ordered by width, then as naturals.
impl Ord for BitVector {
    fn cmp(&self, other: &Self) -> Ordering {
        self.width.cmp(&other.width).then_with(|| self.unsigned_cmp(other))
    }
}

impl PartialOrd for BitVector {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// As SMT-LIB writes it: `#x…` if the width is a multiple of 4, else `#b…`.
impl fmt::Display for BitVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (prefix, digits) = match self.width.is_multiple_of(4) {
            true => ("#x", self.width as usize / 4),
            false => ("#b", self.width as usize),
        };
        f.write_str(prefix)?;
        match (&self.bits, prefix) {
            (Bits::Small(small), "#x") => write!(f, "{small:0digits$x}"),
            (Bits::Small(small), _) => write!(f, "{small:0digits$b}"),
            (Bits::Big(big), "#x") => write!(f, "{:0>digits$}", big.to_str_radix(16)),
            (Bits::Big(big), _) => write!(f, "{:0>digits$}", big.to_str_radix(2)),
        }
    }
}

impl fmt::Debug for BitVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// SMT-LIB's Euclidean division with its non-negative remainder. `None` if the divisor is 0.
pub(super) fn euclidean(a: &BigInt, b: &BigInt) -> Option<(BigInt, BigInt)> {
    if b.is_zero() {
        return None;
    }
    let remainder = a.mod_floor(&BigInt::from(b.magnitude().clone()));
    debug_assert!(remainder.sign() != Sign::Minus);
    Some(((a - &remainder) / b, remainder))
}
