//! Values of terms.

use super::bits::BitVector;
use super::ieee::Format;
use super::{Op, RoundingMode, Sort, Term, TermPool};
use imbl::OrdMap;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use std::cmp::Ordering;
use std::fmt;

/// A value of some sort. Equality is SMT-LIB's equality of values of one sort.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit vector.
    BitVec(BitVector),
    /// An integer.
    Int(BigInt),
    /// A rational real.
    Real(BigRational),
    /// A float of the sort `Float(exponent, significand)`, given by its IEEE bit pattern with a
    /// single pattern for NaN; construct it with [`Value::float`].
    Float {
        /// The width of the exponent.
        exponent: u16,
        /// The width of the significand, including the hidden bit.
        significand: u16,
        /// The pattern.
        bits: BigUint,
    },
    /// A rounding mode.
    RoundingMode(RoundingMode),
    /// An array.
    Array(ArrayValue),
    /// An element of the uninterpreted sort `Sort::Uninterpreted(sort)`; elements with different
    /// numbers are distinct.
    Element {
        /// The sort.
        sort: u32,
        /// The number of the element.
        number: u64,
    },
}

/// An array: finitely many entries, and a default for all other indices.
///
/// Copies share their entries: a copy is O(1), a write O(log n).
#[derive(Clone, Debug)]
pub struct ArrayValue {
    /// No entry equals the default.
    entries: OrdMap<Value, Value>,
    default: Box<Value>,
}

impl ArrayValue {
    /// Creates the constant array with the element `default`.
    pub fn constant(default: Value) -> Self {
        ArrayValue { entries: OrdMap::new(), default: Box::new(default) }
    }

    /// The element at `index`.
    pub fn select(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// Replaces the element at `index`.
    pub fn store(&mut self, index: Value, value: Value) {
        if value == *self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, value);
        }
    }

    /// The entries that differ from the default, by ascending index.
    pub fn entries(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.entries.iter()
    }

    /// The element at all other indices.
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// Whether the indices with an entry in either array are all indices of the sort.
    fn covers(&self, other: &Self) -> bool {
        let Some((index, _)) = self.entries.iter().next().or_else(|| other.entries.iter().next()) else {
            return false;
        };
        let size = match index {
            Value::Bool(_) => 2,
            Value::BitVec(bits) if bits.width() < 32 => 1usize << bits.width(),
            _ => return false,
        };
        if self.entries.len() + other.entries.len() < size {
            return false;
        }
        let more = other.entries.keys().filter(|&index| !self.entries.contains_key(index)).count();
        self.entries.len() + more == size
    }
}

/// Arrays are equal if all their elements are equal, even if their defaults differ. The order
/// compares the entries first, then the default; it serves as a key order of tables and has no
/// other meaning.
impl Ord for ArrayValue {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.default == other.default {
            return self.entries.cmp(&other.entries);
        }
        if self.covers(other) {
            let indices = self.entries.keys().chain(other.entries.keys());
            let mut sorted: Vec<&Value> = indices.collect();
            sorted.sort_unstable();
            let difference = sorted.into_iter().map(|index| self.select(index).cmp(other.select(index)));
            return difference.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal);
        }
        self.default.cmp(&other.default)
    }
}

impl PartialOrd for ArrayValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for ArrayValue {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for ArrayValue {}

impl Value {
    /// Creates a bit vector: `value` modulo `2^width`.
    pub fn bv(width: u32, value: u64) -> Self {
        Value::BitVec(BitVector::new(width, value))
    }

    /// Creates a float of the sort `Float(exponent, significand)` from any of its IEEE bit
    /// patterns.
    ///
    /// # Panics
    /// If the pattern has more than `exponent + significand` bits.
    pub fn float(exponent: u16, significand: u16, bits: &BigUint) -> Self {
        let format = Format::new(exponent, significand);
        let width = format.width();
        assert!(bits.bits() <= u64::from(width), "the pattern of a float should have at most {width} bits");
        Value::Float { exponent, significand, bits: format.canonical(bits) }
    }

    /// The value of a constant; `None` for any other term.
    pub fn of_constant(pool: &TermPool, term: Term) -> Option<Self> {
        Some(match pool.op(term) {
            Op::True => Value::Bool(true),
            Op::False => Value::Bool(false),
            Op::BvConst(_) => Value::BitVec(pool.as_bit_vector(term)?),
            Op::IntConst(_) => Value::Int(pool.as_int(term)?.clone()),
            Op::RealConst(_) => Value::Real(pool.as_real(term)?.clone()),
            Op::FloatConst(_) => match pool.sort(term) {
                Sort::Float(exponent, significand) => {
                    Value::Float { exponent, significand, bits: pool.as_float_bits(term)?.clone() }
                }
                _ => return None,
            },
            Op::RoundingMode(mode) => Value::RoundingMode(mode),
            _ => return None,
        })
    }

    /// Creates an integer.
    pub fn int(value: i64) -> Self {
        Value::Int(BigInt::from(value))
    }

    /// The default value of `sort`: 0, false, the first rounding mode or element, or the constant
    /// array of the element sort's default.
    pub fn default_of(pool: &TermPool, sort: Sort) -> Option<Self> {
        Some(match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Int => Value::Int(BigInt::zero()),
            Sort::Real => Value::Real(BigRational::zero()),
            Sort::BitVec(width) => Value::bv(width, 0),
            Sort::Float(exponent, significand) => {
                Value::Float { exponent, significand, bits: BigUint::zero() }
            }
            Sort::RoundingMode => Value::RoundingMode(RoundingMode::default()),
            Sort::Array(parts) => {
                let element = pool.array_sort_parts(parts).1;
                Value::Array(ArrayValue::constant(Value::default_of(pool, element)?))
            }
            Sort::Uninterpreted(sort) => Value::Element { sort, number: 0 },
        })
    }

    /// Whether this is a value of `sort`; of an array, only the default is checked.
    pub fn is_of_sort(&self, pool: &TermPool, of: Sort) -> bool {
        match (self, of) {
            (Value::Bool(_), Sort::Bool) | (Value::Int(_), Sort::Int) | (Value::Real(_), Sort::Real) => true,
            (Value::RoundingMode(_), Sort::RoundingMode) => true,
            (Value::BitVec(bits), Sort::BitVec(width)) => bits.width() == width,
            (Value::Float { exponent, significand, bits }, Sort::Float(e, s)) => {
                (*exponent, *significand) == (e, s) && Format::new(e, s).is_canonical(bits)
            }
            (Value::Array(array), Sort::Array(parts)) => {
                array.default.is_of_sort(pool, pool.array_sort_parts(parts).1)
            }
            (Value::Element { sort, .. }, Sort::Uninterpreted(name)) => *sort == name,
            _ => false,
        }
    }

    /// The truth value, if this is a Boolean.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The bit vector, if this is one.
    pub fn as_bv(&self) -> Option<&BitVector> {
        match self {
            Value::BitVec(bits) => Some(bits),
            _ => None,
        }
    }

    /// The unsigned value, if this is a bit vector below 2^64.
    pub fn as_u64(&self) -> Option<u64> {
        self.as_bv().and_then(BitVector::to_u64)
    }

    /// The integer, if this is one.
    pub fn as_int(&self) -> Option<&BigInt> {
        match self {
            Value::Int(value) => Some(value),
            _ => None,
        }
    }

    /// A term for the value: a constant, or a chain of stores to a constant array. `None` for
    /// elements of uninterpreted sorts.
    pub fn to_term(&self, pool: &mut TermPool, sort: Sort) -> Option<Term> {
        Some(match self {
            Value::Bool(value) => pool.bool(*value),
            Value::BitVec(bits) => pool.bit_vector(bits),
            Value::Int(value) => pool.int_big(value),
            Value::Real(value) => pool.real(value),
            Value::Float { exponent, significand, bits } => {
                pool.float_from_bits(*exponent, *significand, bits)
            }
            Value::RoundingMode(mode) => pool.rounding_mode(*mode),
            Value::Array(array) => {
                let Sort::Array(parts) = sort else { return None };
                let (index_sort, element_sort) = pool.array_sort_parts(parts);
                let default = array.default.to_term(pool, element_sort)?;
                let mut term = pool.const_array(sort, default);
                for (index, value) in array.entries() {
                    let index = index.to_term(pool, index_sort)?;
                    let value = value.to_term(pool, element_sort)?;
                    term = pool.store(term, index, value);
                }
                term
            }
            Value::Element { .. } => return None,
        })
    }
}

/// For human readers: bit vectors as in SMT-LIB, arrays as `{index: element, …, else: element}`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::BitVec(bits) => write!(f, "{bits}"),
            Value::Int(value) if value.is_negative() => write!(f, "(- {})", value.magnitude()),
            Value::Int(value) => write!(f, "{value}"),
            Value::Real(value) => super::print::real(f, value),
            Value::Float { exponent, significand, bits } => {
                super::print::float(f, *exponent, *significand, bits)
            }
            Value::RoundingMode(mode) => f.write_str(mode.name()),
            Value::Array(array) => {
                f.write_str("{")?;
                for (index, value) in array.entries() {
                    write!(f, "{index}: {value}, ")?;
                }
                write!(f, "else: {}}}", array.default)
            }
            Value::Element { sort, number } => write!(f, "@{sort}.{number}"),
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

impl From<BitVector> for Value {
    fn from(value: BitVector) -> Self {
        Value::BitVec(value)
    }
}
