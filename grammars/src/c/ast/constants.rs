//! Constants and string literals, decoded.

use crate::source::Span;
use serde::{Deserialize, Serialize};

/// An integer constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntegerLiteral {
    /// The value; the parser rejects constants of 2^128 or more.
    pub value: u128,
    /// The notation, which determines the candidate types.
    pub radix: Radix,
    /// `u`
    pub is_unsigned: bool,
    /// The number of `l`: 0, 1 or 2.
    pub longs: u8,
    /// `i` or `j` (GNU): an imaginary constant.
    pub is_imaginary: bool,
}

impl IntegerLiteral {
    /// `0`
    pub const ZERO: Self =
        Self { value: 0, radix: Radix::Decimal, is_unsigned: false, longs: 0, is_imaginary: false };
}

/// The base of an integer constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Radix {
    /// `0b101` (GNU)
    Binary,
    /// `017`
    Octal,
    /// `17`
    Decimal,
    /// `0x17`
    Hexadecimal,
}

/// A floating constant, exactly as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FloatLiteral {
    /// Digits, point and exponent without the suffix: `1.5e3`, or `0x1.8p1` with its prefix.
    pub text: Box<str>,
    /// Whether it is hexadecimal.
    pub is_hexadecimal: bool,
    /// The suffix, which determines the type.
    pub suffix: FloatSuffix,
    /// `i` or `j` (GNU): an imaginary constant.
    pub is_imaginary: bool,
}

/// The suffix of a floating constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum FloatSuffix {
    /// No suffix: `double`.
    None,
    /// `f`: `float`
    F,
    /// `l`: `long double`
    L,
    /// `f16`
    F16,
    /// `f32`
    F32,
    /// `f64`
    F64,
    /// `f128` or `q`
    F128,
    /// `f32x`
    F32x,
    /// `f64x`
    F64x,
}

/// The prefix of a character constant or string literal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Encoding {
    /// No prefix: `char` units, UTF-8.
    Char,
    /// `u8`: `char` units, UTF-8.
    Utf8,
    /// `L`: `wchar_t` units, UTF-32.
    Wide,
    /// `u`: `char16_t` units, UTF-16.
    Utf16,
    /// `U`: `char32_t` units, UTF-32.
    Utf32,
}

/// A character constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CharLiteral {
    /// The prefix, which determines the type.
    pub encoding: Encoding,
    /// The code units, escapes decoded; at least one. More than one is a multi-character constant.
    pub units: Box<[u32]>,
}

impl CharLiteral {
    /// The value as gcc computes it: a narrow constant of one byte is that `char` (signed), more
    /// bytes are packed big-endian into an `int`; of a wide constant the last unit counts.
    #[must_use]
    pub fn value(&self) -> i64 {
        let last = self.units.last().copied().unwrap_or(0);
        match (self.encoding, &*self.units) {
            (Encoding::Char, [unit]) => i64::from(*unit as u8 as i8),
            (Encoding::Char, units) => {
                i64::from(units.iter().fold(0_u32, |packed, unit| packed << 8 | unit & 0xff) as i32)
            }
            (Encoding::Wide, _) => i64::from(last as i32),
            (Encoding::Utf8 | Encoding::Utf16 | Encoding::Utf32, _) => i64::from(last),
        }
    }
}

/// A string literal, with adjacent literals joined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StringLiteral {
    /// The widest prefix among the parts.
    pub encoding: Encoding,
    /// The code units, escapes decoded, without the terminating zero.
    pub units: StringUnits,
    /// From the first part to the last.
    pub span: Span,
}

/// The code units of a string literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StringUnits {
    /// Arbitrary bytes, of [`Encoding::Char`] and [`Encoding::Utf8`].
    Narrow(Box<[u8]>),
    /// Units of 16 or 32 bits, of the wide encodings.
    Wide(Box<[u32]>),
}

impl StringUnits {
    /// The number of code units, without the terminator.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Narrow(units) => units.len(),
            Self::Wide(units) => units.len(),
        }
    }

    /// Whether there are no code units.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The unit at `index`, if it exists.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<u32> {
        match self {
            Self::Narrow(units) => units.get(index).map(|&unit| u32::from(unit)),
            Self::Wide(units) => units.get(index).copied(),
        }
    }
}
