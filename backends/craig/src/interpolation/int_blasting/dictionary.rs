//! The correspondence between names of the source problem and of the translation.

use num_bigint::BigInt;
use num_traits::One;
use rustc_hash::FxHashMap;
use terms::{FunctionSymbol, Representation, Sort, Symbol, Term};

/// The names of the translation and the source names that they represent.
#[derive(Clone, Debug, Default)]
pub struct Dictionary {
    /// Integers that represent bit vectors.
    pub(super) words: FxHashMap<Symbol, Word>,
    /// Arrays that represent arrays.
    pub(super) arrays: FxHashMap<Symbol, Term>,
    /// Functions that represent functions.
    pub(super) functions: FxHashMap<FunctionSymbol, FunctionSymbol>,
}

/// A bit vector that an integer represents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    /// The bit vector.
    pub(super) source: Term,
    pub(super) width: u32,
    pub(super) representation: Representation,
}

/// The representation of arguments and results of uninterpreted functions.
pub(super) const OF_FUNCTIONS: Representation = Representation::Signed;

/// The representation of array elements, the same as in [`Encoder`](encode::Encoder).
pub(super) fn of_elements(width: u32) -> Representation {
    if width <= 8 { Representation::Unsigned } else { Representation::Signed }
}

/// A closed interval of integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) low: BigInt,
    pub(super) high: BigInt,
}

impl Interval {
    /// All numbers of a representation.
    pub(super) fn of(width: u32, representation: Representation) -> Self {
        let low = match representation {
            Representation::Unsigned => BigInt::ZERO,
            Representation::Signed => -(BigInt::one() << (width - 1)),
        };
        let high = &low + (BigInt::one() << width) - 1;
        Interval { low, high }
    }

    pub(super) fn point(value: BigInt) -> Self {
        Interval { low: value.clone(), high: value }
    }

    pub(super) fn contains(&self, other: &Interval) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    pub(super) fn plus(&self, other: &Interval) -> Self {
        Interval { low: &self.low + &other.low, high: &self.high + &other.high }
    }

    pub(super) fn times(&self, factor: &BigInt) -> Self {
        let (a, b) = (&self.low * factor, &self.high * factor);
        if a <= b { Interval { low: a, high: b } } else { Interval { low: b, high: a } }
    }

    pub(super) fn product(&self, other: &Interval) -> Self {
        self.times(&other.low).hull(&self.times(&other.high))
    }

    pub(super) fn hull(&self, other: &Interval) -> Self {
        Interval {
            low: self.low.clone().min(other.low.clone()),
            high: self.high.clone().max(other.high.clone()),
        }
    }

    /// The intersection, if it is nonempty.
    pub(super) fn meet(&self, other: &Interval) -> Option<Self> {
        let low = self.low.clone().max(other.low.clone());
        let high = self.high.clone().min(other.high.clone());
        (low <= high).then_some(Interval { low, high })
    }

    /// The fewest bits that hold the interval, and the representation: unsigned if no number is
    /// negative.
    pub(super) fn fit(&self) -> (u32, Representation) {
        if self.low >= BigInt::ZERO {
            (bits(&self.high).max(1), Representation::Unsigned)
        } else {
            (self.signed_width(), Representation::Signed)
        }
    }

    /// The fewest bits that hold the interval in two's complement.
    pub(super) fn signed_width(&self) -> u32 {
        let below = if self.low < BigInt::ZERO { bits(&(-&self.low - 1)) } else { 0 };
        let above = if self.high > BigInt::ZERO { bits(&self.high) } else { 0 };
        below.max(above) + 1
    }
}

/// The bit length of a nonnegative number.
fn bits(value: &BigInt) -> u32 {
    u32::try_from(value.bits()).unwrap_or(u32::MAX - 1)
}

/// The width of a bit-vector sort.
pub(super) fn width_of(sort: Sort) -> Option<u32> {
    match sort {
        Sort::BitVec(width) => Some(width),
        _ => None,
    }
}
