//! Literals of all sorts and the tables of their values.

use super::bits::BitVector;
use super::ieee::Format;
use super::pool::{FALSE, TRUE};
use super::{Op, RoundingMode, Sort, Term, TermPool};
use indexmap::{Equivalent, IndexSet};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, ToPrimitive};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::{Hash, Hasher};

/// A natural number, with its value as a machine word if it fits.
struct Natural {
    big: BigUint,
    small: Option<u64>,
}

/// A fraction in lowest terms, compared and hashed by numerator and denominator. [`BigRational`]
/// does both by a recursive Euclid's algorithm, which overflows the stack at some ten thousand
/// bits.
struct Fraction(BigRational);

/// A borrowed key for lookups of a [`Fraction`].
struct Sought<'a>(&'a BigRational);

impl Hash for Fraction {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Sought(&self.0).hash(state);
    }
}

impl Hash for Sought<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.numer().hash(state);
        self.0.denom().hash(state);
    }
}

impl PartialEq for Fraction {
    fn eq(&self, other: &Self) -> bool {
        Sought(&self.0).equivalent(other)
    }
}

impl Eq for Fraction {}

impl Equivalent<Fraction> for Sought<'_> {
    fn equivalent(&self, known: &Fraction) -> bool {
        self.0.numer() == known.0.numer() && self.0.denom() == known.0.denom()
    }
}

/// The terms of integer constants that fit a machine word.
///
/// Programs that write clauses number locations, variables or constants, so most integers are small
/// and close to the previous one, or, where it changed its side of a comparison, to its negation.
/// These are in an array, which is at most four times as long as there are constants.
#[derive(Default)]
struct SmallIntegers {
    /// By value: 0, -1, 1, -2, 2, and so on.
    dense: Vec<Option<Term>>,
    sparse: FxHashMap<i64, Term>,
    count: usize,
}

impl SmallIntegers {
    /// The place of a value in the array.
    #[inline]
    fn index(value: i64) -> usize {
        usize::try_from(((value << 1) ^ (value >> 63)) as u64).unwrap_or(usize::MAX)
    }

    /// The value at a place.
    fn value(index: usize) -> i64 {
        (index >> 1) as i64 ^ -((index & 1) as i64)
    }

    #[inline]
    fn get(&self, value: i64) -> Option<Term> {
        match self.dense.get(Self::index(value)) {
            Some(&term) => term,
            None => self.sparse.get(&value).copied(),
        }
    }

    fn insert(&mut self, value: i64, term: Term) {
        self.count += 1;
        let index = Self::index(value);
        if index < self.count * 4 {
            if index >= self.dense.len() {
                self.lengthen(index);
            }
            self.dense[index] = Some(term);
        } else {
            self.sparse.insert(value, term);
        }
    }

    /// Lengthens the array, so that it contains `index`: to twice its length, within its limit.
    #[cold]
    fn lengthen(&mut self, index: usize) {
        let from = self.dense.len();
        self.dense.resize((index + 1).max(from * 2).min(self.count * 4), None);
        for index in from..self.dense.len() {
            self.dense[index] = self.sparse.remove(&Self::value(index));
        }
    }
}

/// The values of constants by the id in their node.
#[derive(Default)]
pub(super) struct Constants {
    naturals: Vec<Natural>,
    small_naturals: FxHashMap<u64, u32>,
    big_naturals: FxHashMap<BigUint, u32>,
    integers: Vec<BigInt>,
    /// The constants of integers that fit a machine word.
    small_integers: SmallIntegers,
    /// The ids of other integers.
    big_integers: FxHashMap<BigInt, u32>,
    rationals: IndexSet<Fraction, FxBuildHasher>,
}

impl Constants {
    #[inline]
    fn natural(&mut self, value: u64) -> u32 {
        if let Some(&id) = self.small_naturals.get(&value) {
            return id;
        }
        let id = self.naturals.len() as u32;
        self.naturals.push(Natural { big: BigUint::from(value), small: Some(value) });
        self.small_naturals.insert(value, id);
        id
    }

    fn big_natural(&mut self, value: &BigUint) -> u32 {
        if let Some(small) = value.to_u64() {
            return self.natural(small);
        }
        if let Some(&id) = self.big_naturals.get(value) {
            return id;
        }
        let id = self.naturals.len() as u32;
        self.naturals.push(Natural { big: value.clone(), small: None });
        self.big_naturals.insert(value.clone(), id);
        id
    }
}

impl TermPool {
    /// Width and value of a bit-vector constant; `None` for any other term.
    pub fn as_bv(&self, term: Term) -> Option<(u32, &BigUint)> {
        match self.op(term) {
            Op::BvConst(id) => Some((self.width(term), &self.constants.naturals[id as usize].big)),
            _ => None,
        }
    }

    /// The value of a bit-vector constant below 2^64.
    #[inline]
    pub fn as_bv_u64(&self, term: Term) -> Option<u64> {
        match self.op(term) {
            Op::BvConst(id) => self.constants.naturals[id as usize].small,
            _ => None,
        }
    }

    /// The bit-vector constant `term` as a value.
    #[inline]
    pub fn as_bit_vector(&self, term: Term) -> Option<BitVector> {
        match self.op(term) {
            Op::BvConst(id) => {
                let natural = &self.constants.naturals[id as usize];
                let width = self.width(term);
                Some(match natural.small {
                    Some(small) => BitVector::new(width, small),
                    None => BitVector::from_natural(width, natural.big.clone()),
                })
            }
            _ => None,
        }
    }

    /// The value of an integer constant.
    pub fn as_int(&self, term: Term) -> Option<&BigInt> {
        match self.op(term) {
            Op::IntConst(id) => Some(&self.constants.integers[id as usize]),
            _ => None,
        }
    }

    /// The value of a real constant.
    pub fn as_real(&self, term: Term) -> Option<&BigRational> {
        match self.op(term) {
            Op::RealConst(id) => Some(&self.constants.rationals[id as usize].0),
            _ => None,
        }
    }

    /// The bit pattern of a float constant.
    pub fn as_float_bits(&self, term: Term) -> Option<&BigUint> {
        match self.op(term) {
            Op::FloatConst(id) => Some(&self.constants.naturals[id as usize].big),
            _ => None,
        }
    }

    /// The value of `true` or `false`.
    #[inline]
    pub fn as_bool(&self, term: Term) -> Option<bool> {
        match term {
            TRUE => Some(true),
            FALSE => Some(false),
            _ => None,
        }
    }

    /// Whether `term` is a literal of its sort. Literals of one sort with different handles have
    /// different values.
    #[inline]
    pub fn is_constant(&self, term: Term) -> bool {
        self.op(term).is_constant()
    }

    /// `true` or `false`.
    #[inline]
    pub fn bool(&mut self, value: bool) -> Term {
        if value { TRUE } else { FALSE }
    }

    /// `true`.
    #[inline]
    pub fn tru(&self) -> Term {
        TRUE
    }

    /// `false`.
    #[inline]
    pub fn fls(&self) -> Term {
        FALSE
    }

    /// The bit-vector constant `value` modulo `2^width`; the width is at least 1.
    #[inline]
    pub fn bv(&mut self, width: u32, value: u64) -> Term {
        assert!(width > 0, "a bit vector should have at least one bit");
        let value = if width < 64 { value & ((1 << width) - 1) } else { value };
        let id = self.constants.natural(value);
        self.intern(Op::BvConst(id), Sort::BitVec(width), &[])
    }

    /// The bit-vector constant `value` modulo `2^width`, in two's complement.
    pub fn bv_i64(&mut self, width: u32, value: i64) -> Term {
        if width <= 64 { self.bv(width, value as u64) } else { self.bv_big(width, &BigInt::from(value)) }
    }

    /// The bit-vector constant `value` modulo `2^width`, in two's complement.
    pub fn bv_big(&mut self, width: u32, value: &BigInt) -> Term {
        let value = BitVector::from_integer(width, value);
        self.bit_vector(&value)
    }

    /// The bit-vector constant `value`.
    #[inline]
    pub fn bit_vector(&mut self, value: &BitVector) -> Term {
        let id = match value.to_u64() {
            Some(small) => self.constants.natural(small),
            None => self.constants.big_natural(&value.to_natural()),
        };
        self.intern(Op::BvConst(id), Sort::BitVec(value.width()), &[])
    }

    /// The float constant with exponent width `exponent`, significand width `significand`
    /// (including the hidden bit) and this IEEE bit pattern; all NaN patterns yield one constant.
    pub fn float_from_bits(&mut self, exponent: u16, significand: u16, bits: &BigUint) -> Term {
        let width = u64::from(exponent) + u64::from(significand);
        assert!(bits.bits() <= width, "the pattern of a float should have at most {width} bits");
        let id = self.constants.big_natural(&Format::new(exponent, significand).canonical(bits));
        self.intern(Op::FloatConst(id), Sort::Float(exponent, significand), &[])
    }

    /// The rounding mode `mode`.
    pub fn rounding_mode(&mut self, mode: RoundingMode) -> Term {
        self.intern(Op::RoundingMode(mode), Sort::RoundingMode, &[])
    }

    /// The integer constant `value`.
    #[inline]
    pub fn int(&mut self, value: i64) -> Term {
        match self.constants.small_integers.get(value) {
            Some(term) => term,
            None => self.new_int(value),
        }
    }

    fn new_int(&mut self, value: i64) -> Term {
        let id = self.constants.integers.len() as u32;
        self.constants.integers.push(BigInt::from(value));
        // The table below makes it unique.
        let term = self.nodes.push(Op::IntConst(id), Sort::Int, &[]);
        self.constants.small_integers.insert(value, term);
        term
    }

    /// The integer constant `value`.
    pub fn int_big(&mut self, value: &BigInt) -> Term {
        if let Some(small) = value.to_i64() {
            return self.int(small);
        }
        let Constants { integers, big_integers, .. } = &mut self.constants;
        let id = match big_integers.get(value) {
            Some(&id) => id,
            None => {
                let id = integers.len() as u32;
                integers.push(value.clone());
                big_integers.insert(value.clone(), id);
                id
            }
        };
        self.intern(Op::IntConst(id), Sort::Int, &[])
    }

    /// The real constant `value`.
    pub fn real(&mut self, value: &BigRational) -> Term {
        let rationals = &mut self.constants.rationals;
        let id = match rationals.get_index_of(&Sought(value)) {
            Some(id) => id,
            None => rationals.insert_full(Fraction(value.clone())).0,
        };
        self.intern(Op::RealConst(id as u32), Sort::Real, &[])
    }

    /// The number `value` as a constant of `sort`, which is `Int` or `Real`.
    ///
    /// # Panics
    /// If `sort` is `Int` and `value` is not an integer, or if `sort` is neither `Int` nor `Real`.
    pub fn number(&mut self, sort: Sort, value: &BigRational) -> Term {
        match sort {
            Sort::Int => {
                assert!(value.denom().is_one(), "the integer constant {value} should be whole");
                self.int_big(value.numer())
            }
            Sort::Real => self.real(value),
            _ => panic!("a number should be of sort Int or Real, not {sort:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quotients of consecutive Fibonacci numbers are the worst case of Euclid's algorithm.
    #[test]
    fn long_fractions_are_constants() {
        let (mut low, mut high) = (BigInt::one(), BigInt::one());
        for _ in 0..60_000 {
            let next = &low + &high;
            low = std::mem::replace(&mut high, next);
        }
        let mut pool = TermPool::new();
        let fraction = BigRational::new_raw(high, low);
        let [one, other] = [(); 2].map(|()| pool.real(&fraction));
        assert_eq!(one, other);
    }
}
