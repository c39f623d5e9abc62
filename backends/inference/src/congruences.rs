//! Congruences `x ≡ r (mod m)` of single numbers.
//!
//! Granger, *Static analysis of arithmetical congruences*, International Journal of Computer
//! Mathematics 1989. The modulus is the greatest common divisor of the differences of the states.
//! For a bit vector there are two rows, because solvers decide powers of two on the low bits alone:
//! one for the largest power of two in the modulus, one for the rest of it up to [`MODULUS`].

use crate::table::{Base, Table, Template};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use terms::{BitVector, Sort, Term, TermPool, Value};

/// The largest modulus of a bit vector that is not a power of two.
const MODULUS: u32 = 64;

/// The domain of congruences.
pub(crate) fn congruences(base: &Base<'_>) -> Table<Congruence> {
    Table::new("congruences", base, |pool, first| {
        let mut rows = Vec::new();
        for &number in &first.material.numbers {
            let parts: &[Part] = match pool.sort(number) {
                Sort::Int => &[Part::All],
                Sort::BitVec(2..=64) => &[Part::PowerOfTwo, Part::Odd],
                _ => &[],
            };
            rows.extend(parts.iter().map(|&part| Congruence { number, part, known: None }));
        }
        rows
    })
}

/// A row.
pub(crate) struct Congruence {
    number: Term,
    part: Part,
    /// The residue and the modulus; 0 for a single state.
    known: Option<(BigInt, BigInt)>,
}

/// The factor of the modulus that a row keeps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    All,
    PowerOfTwo,
    Odd,
}

impl Congruence {
    /// The part of a modulus that is kept.
    fn kept(&self, pool_width: u32, modulus: &BigInt) -> BigInt {
        let twos = modulus.trailing_zeros().unwrap_or(0);
        match self.part {
            Part::All => modulus.clone(),
            Part::PowerOfTwo => BigInt::one() << twos.min(u64::from(pool_width) - 1),
            Part::Odd => {
                let rest = modulus >> twos;
                if rest > BigInt::from(MODULUS) { BigInt::one() } else { rest }
            }
        }
    }
}

impl Template for Congruence {
    fn required(&self) -> Vec<Term> {
        vec![self.number]
    }

    fn formula(&self, pool: &mut TermPool) -> Option<Term> {
        let Some((residue, modulus)) = &self.known else { return Some(pool.fls()) };
        let sort = pool.sort(self.number);
        let Sort::BitVec(width) = sort else {
            if modulus.is_zero() {
                let value = pool.int_big(residue);
                return Some(pool.eq(self.number, value));
            }
            if modulus.is_one() {
                return None;
            }
            let divisor = pool.int_big(modulus);
            let remainder = pool.int_mod(self.number, divisor);
            let expected = pool.int_big(&residue.mod_floor(modulus));
            return Some(pool.eq(remainder, expected));
        };
        if modulus.is_zero() {
            let value = pool.bv_big(width, residue);
            return Some(pool.eq(self.number, value));
        }
        let modulus = self.kept(width, modulus);
        if modulus.is_one() {
            return None;
        }
        Some(if self.part == Part::PowerOfTwo {
            let bits = u32::try_from(modulus.bits() - 1).ok()?;
            let low = pool.extract(bits - 1, 0, self.number);
            let expected = pool.bit_vector(&BitVector::from_integer(bits, residue));
            pool.eq(low, expected)
        } else {
            let divisor = pool.bv_big(width, &modulus);
            let remainder = pool.bv_urem(self.number, divisor);
            let expected = pool.bv_big(width, &residue.mod_floor(&modulus));
            pool.eq(remainder, expected)
        })
    }

    fn edit(&mut self, values: &[Value]) -> bool {
        let value = match values.first() {
            Some(Value::Int(value)) => value.clone(),
            Some(Value::BitVec(bits)) => bits.to_natural().into(),
            _ => return false,
        };
        match &mut self.known {
            None => self.known = Some((value, BigInt::zero())),
            Some((residue, modulus)) => {
                let next = modulus.gcd(&(&*residue - value)).abs();
                if next == *modulus {
                    return false;
                }
                *modulus = next;
            }
        }
        true
    }
}
