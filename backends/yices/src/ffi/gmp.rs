//! The part of GMP's interface for big rationals. `yices2-sys` links GMP, but its bindings omit all
//! functions with GMP types.

use num_bigint::{BigInt, BigUint, Sign};
use num_rational::BigRational;
use yices2_sys as sys;

/// The rational number that `get` writes.
pub(super) fn read<E>(get: impl FnOnce(&mut Rational) -> Result<(), E>) -> Result<BigRational, E> {
    let zero = || Integer { allocated: 0, size: 0, limbs: std::ptr::null_mut() };
    let mut rational = Rational { numerator: zero(), denominator: zero() };
    // SAFETY: initialised here, before use.
    unsafe { __gmpq_init(&raw mut rational) };
    let value = get(&mut rational).map(|()| rational.to_rational());
    // SAFETY: initialised above, not used after.
    unsafe { __gmpq_clear(&raw mut rational) };
    value
}

/// `mpz_t`: the sign of `size` is that of the number, its absolute value counts limbs.
#[repr(C)]
struct Integer {
    allocated: i32,
    size: i32,
    limbs: *mut u64,
}

/// `mpq_t`
#[repr(C)]
pub(super) struct Rational {
    numerator: Integer,
    denominator: Integer,
}

unsafe extern "C" {
    fn __gmpq_init(rational: *mut Rational);
    fn __gmpq_clear(rational: *mut Rational);
    pub(super) fn yices_val_get_mpq(
        model: *mut sys::model_t,
        node: *const sys::yval_t,
        to: *mut Rational,
    ) -> i32;
    pub(super) fn yices_rational_const_value(term: sys::term_t, to: *mut Rational) -> i32;
    pub(super) fn yices_sum_component(
        term: sys::term_t,
        index: i32,
        coefficient: *mut Rational,
        part: *mut sys::term_t,
    ) -> i32;
}

impl Integer {
    fn to_integer(&self) -> BigInt {
        let length = self.size.unsigned_abs() as usize;
        let mut digits = Vec::with_capacity(2 * length);
        for i in 0..length {
            // SAFETY: GMP keeps `|size|` limbs of 64 bits behind the pointer.
            let limb = unsafe { *self.limbs.add(i) };
            digits.push((limb & 0xffff_ffff) as u32);
            digits.push((limb >> 32) as u32);
        }
        let sign = if self.size < 0 { Sign::Minus } else { Sign::Plus };
        BigInt::from_biguint(sign, BigUint::new(digits))
    }
}

impl Rational {
    fn to_rational(&self) -> BigRational {
        let denominator = self.denominator.to_integer();
        if denominator.sign() == Sign::NoSign {
            return BigRational::from_integer(BigInt::ZERO);
        }
        BigRational::new(self.numerator.to_integer(), denominator)
    }
}
