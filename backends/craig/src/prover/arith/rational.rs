//! Exact rational numbers that occupy two machine words as long as they fit.
//!
//! Nearly all coefficients in practice are small. A number is therefore a numerator and a
//! denominator of 63 bits, with intermediate products of 127 bits, and becomes a boxed
//! [`BigRational`] only when it does not fit. Sums and products divide by common factors *before*
//! they multiply (Knuth, *The Art of Computer Programming* 2, section 4.5.1), so the greatest
//! common divisors are those of machine words. Each number has a unique representation: in lowest
//! terms, and small if it fits. Equality and hashes are therefore structural.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::num::NonZeroU64;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

/// An exact rational number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(Representation);

/// In lowest terms; `Big` only if it does not fit `Small`.
#[derive(Clone, Eq)]
enum Representation {
    /// The numerator is not `i64::MIN`, the denominator at most `i64::MAX`.
    Small { numerator: i64, denominator: NonZeroU64 },
    /// The denominator is positive.
    Big(Box<BigRational>),
}

use Representation::{Big, Small};

// [`BigRational`] compares and hashes by a recursive Euclidean algorithm, which overflows the stack
// for long numbers.

impl PartialEq for Representation {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Small { numerator, denominator },
                Small { numerator: other_numerator, denominator: other_denominator },
            ) => numerator == other_numerator && denominator == other_denominator,
            (Big(one), Big(other)) => one.numer() == other.numer() && one.denom() == other.denom(),
            _ => false,
        }
    }
}

impl Hash for Representation {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Small { numerator, denominator } => (numerator, denominator).hash(state),
            Big(big) => (big.numer(), big.denom()).hash(state),
        }
    }
}

const LARGEST: u128 = i64::MAX as u128;

impl Rational {
    /// 0.
    pub const ZERO: Rational = Rational(Small { numerator: 0, denominator: NonZeroU64::MIN });
    /// 1.
    pub const ONE: Rational = Rational(Small { numerator: 1, denominator: NonZeroU64::MIN });
    /// -1.
    pub const MINUS_ONE: Rational = Rational(Small { numerator: -1, denominator: NonZeroU64::MIN });

    /// `numerator / denominator`, with a nonzero denominator.
    pub fn new(numerator: i64, denominator: i64) -> Self {
        assert!(denominator != 0, "a denominator is nonzero");
        let sign = i128::from(denominator.signum());
        let (numerator, denominator) = (i128::from(numerator) * sign, u128::from(denominator.unsigned_abs()));
        let common = gcd(numerator.unsigned_abs(), denominator).max(1);
        Self::from_lowest_terms(numerator / common as i128, denominator / common)
    }

    /// Whether the number is 0.
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Small { numerator: 0, .. })
    }

    /// Whether the number is 1.
    pub fn is_one(&self) -> bool {
        matches!(self.0, Small { numerator: 1, denominator } if denominator == NonZeroU64::MIN)
    }

    /// Whether the number is greater than 0.
    pub fn is_positive(&self) -> bool {
        match &self.0 {
            Small { numerator, .. } => *numerator > 0,
            Big(big) => big.is_positive(),
        }
    }

    /// Whether the number is less than 0.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Small { numerator, .. } => *numerator < 0,
            Big(big) => big.is_negative(),
        }
    }

    /// Whether the number is an integer.
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Small { denominator, .. } => *denominator == NonZeroU64::MIN,
            Big(big) => big.is_integer(),
        }
    }

    /// The absolute value.
    pub fn abs(&self) -> Self {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// `1 / self`, for nonzero `self`.
    pub fn recip(&self) -> Self {
        match &self.0 {
            Small { numerator, denominator } => {
                let magnitude = NonZeroU64::new(numerator.unsigned_abs()).expect("a divisor is nonzero");
                let numerator = numerator.signum() * denominator.get() as i64;
                Rational(Small { numerator, denominator: magnitude })
            }
            Big(big) => Self::from(big.recip()),
        }
    }

    /// The greatest integer at most `self`.
    pub fn floor(&self) -> Self {
        match &self.0 {
            Small { denominator, .. } if *denominator == NonZeroU64::MIN => self.clone(),
            Small { numerator, denominator } => Self::from(numerator.div_euclid(denominator.get() as i64)),
            Big(big) => Self::from(big.floor()),
        }
    }

    /// The least integer at least `self`.
    pub fn ceil(&self) -> Self {
        -(-self).floor()
    }

    /// The difference to the [`floor`](Self::floor): at least 0, less than 1.
    pub fn fraction(&self) -> Self {
        self - &self.floor()
    }

    /// The nearest integer; ties round up.
    pub fn round(&self) -> Self {
        (self + &Rational::new(1, 2)).floor()
    }

    /// `self += factor * other`.
    pub fn add_product(&mut self, factor: &Rational, other: &Rational) {
        if let (
            Small { numerator, denominator: NonZeroU64::MIN },
            Small { numerator: left, denominator: NonZeroU64::MIN },
            Small { numerator: right, denominator: NonZeroU64::MIN },
        ) = (&mut self.0, &factor.0, &other.0)
            && let Some(sum) = left.checked_mul(*right).and_then(|product| numerator.checked_add(product))
            && sum != i64::MIN
        {
            *numerator = sum;
            return;
        }
        if !factor.is_zero() && !other.is_zero() {
            *self = &*self + &(factor * other);
        }
    }

    /// The greatest rational of which both are integral multiples; nonnegative, and 0 only for two
    /// zeros.
    pub fn gcd(&self, other: &Rational) -> Self {
        if let (
            Small { numerator: left, denominator: below_left },
            Small { numerator: right, denominator: below_right },
        ) = (&self.0, &other.0)
        {
            let numerator = left.unsigned_abs().gcd(&right.unsigned_abs());
            let common = below_left.get().gcd(&below_right.get());
            let denominator = u128::from(below_left.get() / common) * u128::from(below_right.get());
            return Self::from_lowest_terms(i128::from(numerator), denominator);
        }
        if self.is_integer() && other.is_integer() {
            return Self::from(self.numerator().gcd(&other.numerator()));
        }
        Self::from(BigRational::new_raw(
            self.numerator().gcd(&other.numerator()),
            self.denominator().lcm(&other.denominator()),
        ))
    }

    /// The numerator in lowest terms, which carries the sign.
    pub fn numerator(&self) -> BigInt {
        match &self.0 {
            Small { numerator, .. } => BigInt::from(*numerator),
            Big(big) => big.numer().clone(),
        }
    }

    /// The positive denominator in lowest terms.
    pub fn denominator(&self) -> BigInt {
        match &self.0 {
            Small { denominator, .. } => BigInt::from(denominator.get()),
            Big(big) => big.denom().clone(),
        }
    }

    /// The same number as a [`BigRational`].
    pub fn to_big(&self) -> BigRational {
        match &self.0 {
            Small { .. } => BigRational::new_raw(self.numerator(), self.denominator()),
            Big(big) => (**big).clone(),
        }
    }

    /// The number as a machine word, if it is an integer that fits.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Small { numerator, denominator: NonZeroU64::MIN } => Some(*numerator),
            Small { .. } => None,
            Big(big) if big.is_integer() => big.numer().to_i64(),
            Big(_) => None,
        }
    }

    /// The total number of bits of numerator and denominator.
    pub fn bits(&self) -> u64 {
        match &self.0 {
            Small { numerator, denominator } => {
                u64::from(128 - numerator.unsigned_abs().leading_zeros() - denominator.leading_zeros())
            }
            Big(big) => big.numer().bits() + big.denom().bits(),
        }
    }

    fn as_big(&self) -> Cow<'_, BigRational> {
        match &self.0 {
            Small { .. } => Cow::Owned(self.to_big()),
            Big(big) => Cow::Borrowed(big),
        }
    }

    /// A number from coprime terms.
    fn from_lowest_terms(numerator: i128, denominator: u128) -> Self {
        if numerator.unsigned_abs() <= LARGEST && denominator <= LARGEST {
            let denominator = NonZeroU64::new(denominator as u64).expect("a denominator is nonzero");
            Rational(Small { numerator: numerator as i64, denominator })
        } else {
            Rational(Big(Box::new(BigRational::new_raw(BigInt::from(numerator), BigInt::from(denominator)))))
        }
    }

    fn sum(&self, other: &Rational, sign: Sign) -> Rational {
        let (
            Small { numerator: left, denominator: below_left },
            Small { numerator: right, denominator: below_right },
        ) = (&self.0, &other.0)
        else {
            let (left, right) = (self.as_big(), other.as_big());
            if left.is_integer() && right.is_integer() {
                return Self::from(match sign {
                    Sign::Plus => left.numer() + right.numer(),
                    Sign::Minus => left.numer() - right.numer(),
                });
            }
            return Self::from(match sign {
                Sign::Plus => &*left + &*right,
                Sign::Minus => &*left - &*right,
            });
        };
        let right = match sign {
            Sign::Plus => *right,
            Sign::Minus => -right,
        };
        let (left, right) = (i128::from(*left), i128::from(right));
        if *below_left == NonZeroU64::MIN && *below_right == NonZeroU64::MIN {
            return Self::from_lowest_terms(left + right, 1);
        }
        let (below_left, below_right) = (below_left.get(), below_right.get());
        let common = below_left.gcd(&below_right);
        let numerator = left * i128::from(below_right / common) + right * i128::from(below_left / common);
        if numerator == 0 {
            return Rational::ZERO;
        }
        let cancelled = if common == 1 { 1 } else { gcd(numerator.unsigned_abs(), u128::from(common)) };
        let denominator = u128::from(below_left / common) * (u128::from(below_right) / cancelled);
        let numerator = if cancelled == 1 { numerator } else { numerator / cancelled as i128 };
        Self::from_lowest_terms(numerator, denominator)
    }

    fn product(&self, other: &Rational) -> Rational {
        let (
            Small { numerator: left, denominator: below_left },
            Small { numerator: right, denominator: below_right },
        ) = (&self.0, &other.0)
        else {
            let (left, right) = (self.as_big(), other.as_big());
            if left.is_integer() && right.is_integer() {
                return Self::from(left.numer() * right.numer());
            }
            return Self::from(&*left * &*right);
        };
        if *below_left == NonZeroU64::MIN && *below_right == NonZeroU64::MIN {
            return Self::from_lowest_terms(i128::from(*left) * i128::from(*right), 1);
        }
        if *left == 0 || *right == 0 {
            return Rational::ZERO;
        }
        let first = left.unsigned_abs().gcd(&below_right.get());
        let second = right.unsigned_abs().gcd(&below_left.get());
        let numerator = i128::from(left / first as i64) * i128::from(right / second as i64);
        let denominator = u128::from(below_left.get() / second) * u128::from(below_right.get() / first);
        Self::from_lowest_terms(numerator, denominator)
    }
}

#[derive(Clone, Copy)]
enum Sign {
    Plus,
    Minus,
}

/// The greatest common divisor of two numbers, one of which usually fits a machine word.
fn gcd(left: u128, right: u128) -> u128 {
    if right == 0 {
        return left;
    }
    let left = left % right;
    match (u64::try_from(left), u64::try_from(right)) {
        (Ok(left), Ok(right)) => u128::from(left.gcd(&right)),
        _ => left.gcd(&right),
    }
}

impl From<i64> for Rational {
    fn from(value: i64) -> Self {
        Self::from_lowest_terms(i128::from(value), 1)
    }
}

impl From<BigInt> for Rational {
    fn from(value: BigInt) -> Self {
        Self::from(BigRational::new_raw(value, BigInt::one()))
    }
}

impl From<BigRational> for Rational {
    fn from(value: BigRational) -> Self {
        match (value.numer().to_i64(), value.denom().to_i64()) {
            (Some(numerator), Some(denominator)) if numerator != i64::MIN => {
                Self::from_lowest_terms(i128::from(numerator), denominator as u128)
            }
            _ => Rational(Big(Box::new(value))),
        }
    }
}

impl Default for Rational {
    fn default() -> Self {
        Rational::ZERO
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (
                Small { numerator: left, denominator: below_left },
                Small { numerator: right, denominator: below_right },
            ) => {
                if below_left == below_right {
                    left.cmp(right)
                } else {
                    (i128::from(*left) * i128::from(below_right.get()))
                        .cmp(&(i128::from(*right) * i128::from(below_left.get())))
                }
            }
            _ => {
                let (left, right) = (self.as_big(), other.as_big());
                (left.numer() * right.denom()).cmp(&(right.numer() * left.denom()))
            }
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Neg for &Rational {
    type Output = Rational;

    fn neg(self) -> Rational {
        match &self.0 {
            Small { numerator, denominator } => {
                Rational(Small { numerator: -numerator, denominator: *denominator })
            }
            Big(big) => Rational(Big(Box::new(-(**big).clone()))),
        }
    }
}

impl Neg for Rational {
    type Output = Rational;

    fn neg(self) -> Rational {
        -&self
    }
}

impl Add for &Rational {
    type Output = Rational;

    fn add(self, other: &Rational) -> Rational {
        self.sum(other, Sign::Plus)
    }
}

impl Sub for &Rational {
    type Output = Rational;

    fn sub(self, other: &Rational) -> Rational {
        self.sum(other, Sign::Minus)
    }
}

impl Mul for &Rational {
    type Output = Rational;

    fn mul(self, other: &Rational) -> Rational {
        self.product(other)
    }
}

impl Div for &Rational {
    type Output = Rational;

    fn div(self, other: &Rational) -> Rational {
        self.product(&other.recip())
    }
}

impl AddAssign<&Rational> for Rational {
    fn add_assign(&mut self, other: &Rational) {
        *self = &*self + other;
    }
}

impl SubAssign<&Rational> for Rational {
    fn sub_assign(&mut self, other: &Rational) {
        *self = &*self - other;
    }
}

impl MulAssign<&Rational> for Rational {
    fn mul_assign(&mut self, other: &Rational) {
        *self = &*self * other;
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small { numerator, denominator: NonZeroU64::MIN } => write!(f, "{numerator}"),
            Small { numerator, denominator } => write!(f, "{numerator}/{denominator}"),
            Big(big) if big.is_integer() => write!(f, "{}", big.numer()),
            Big(big) => write!(f, "{}/{}", big.numer(), big.denom()),
        }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::Zero;
    use proptest::prelude::*;

    fn words() -> impl Strategy<Value = i64> {
        prop_oneof![-20i64..20, any::<i64>(), Just(i64::MIN), Just(i64::MAX), (1i64 << 31)..(1 << 33)]
    }

    fn numbers() -> impl Strategy<Value = Rational> {
        let small = (words(), words().prop_filter("a denominator", |below| *below != 0))
            .prop_map(|(above, below)| Rational::new(above, below));
        let large = (words(), words(), 1i64..9).prop_map(|(left, right, below)| {
            &(&Rational::from(left) * &Rational::from(right)) / &below.into()
        });
        prop_oneof![3 => small, 1 => large]
    }

    /// Checks the value and its unique representation.
    fn is_same(left: &Rational, right: BigRational) -> bool {
        left.to_big() == right && *left == Rational::from(right)
    }

    #[test]
    fn a_number_is_two_words() {
        assert_eq!(size_of::<Rational>(), 16);
    }

    #[test]
    fn a_sum_shrinks_back_to_two_words() {
        let large = &Rational::from(i64::MAX) + &Rational::ONE;
        assert!(matches!(large.0, Big(_)));
        assert_eq!(&large - &Rational::ONE, Rational::from(i64::MAX));
        assert_eq!(large.to_string(), "9223372036854775808");
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 5000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn operations_are_those_of_big_rationals(a in numbers(), b in numbers(), c in numbers()) {
            let (x, y, z) = (a.to_big(), b.to_big(), c.to_big());
            prop_assert!(is_same(&(&a + &b), &x + &y));
            prop_assert!(is_same(&(&a - &b), &x - &y));
            prop_assert!(is_same(&(&a * &b), &x * &y));
            if !b.is_zero() {
                prop_assert!(is_same(&(&a / &b), &x / &y));
                prop_assert!(is_same(&b.recip(), y.recip()));
            }
            let mut sum = a.clone();
            sum.add_product(&b, &c);
            prop_assert!(is_same(&sum, &x + &y * &z));
            prop_assert!(is_same(&-&a, -x.clone()));
            prop_assert!(is_same(&a.abs(), x.abs()));
            prop_assert!(is_same(&a.floor(), x.floor()));
            prop_assert!(is_same(&a.ceil(), x.ceil()));
            prop_assert_eq!(a.cmp(&b), x.cmp(&y));
            prop_assert_eq!(a.is_zero(), x.is_zero());
            prop_assert_eq!(a.is_integer(), x.is_integer());
            prop_assert_eq!((a.is_positive(), a.is_negative()), (x.is_positive(), x.is_negative()));
        }

        #[test]
        fn a_common_divisor_divides(a in numbers(), b in numbers()) {
            let divisor = a.gcd(&b);
            if divisor.is_zero() {
                prop_assert!(a.is_zero() && b.is_zero());
            } else {
                let (left, right) = (&a / &divisor, &b / &divisor);
                prop_assert!(left.is_integer() && right.is_integer());
                prop_assert_eq!(left.gcd(&right), Rational::ONE);
            }
        }
    }
}
