//! The encodings of Wendler, *Towards Practical Predicate Analysis*, PhD thesis, University of
//! Passau, 2017, Table 4.2, and related choices.

use super::FloatEncoding;
use terms::choice::Choice;

terms::choice! {
    /// A combination of theories, named as in Table 4.2 of Wendler's thesis (see the crate
    /// documentation).
    #[derive(PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
    Encoding {
        #[serde(rename = "QF_ABVFP")]
        QfAbvfp = "QF_ABVFP", "bit vectors, memory as arrays, quantifier-free";
        #[serde(rename = "QF_UFBVFP")]
        QfUfbvfp = "QF_UFBVFP", "bit vectors, memory as uninterpreted functions, quantifier-free";
        #[serde(rename = "ABVFP")]
        Abvfp = "ABVFP", "bit vectors, memory as arrays, with quantifiers";
        #[serde(rename = "UFBVFP")]
        Ufbvfp = "UFBVFP", "bit vectors, memory as uninterpreted functions, with quantifiers";
        #[serde(rename = "QF_AUFLIRA")]
        QfAuflira = "QF_AUFLIRA", "integers and reals, memory as arrays, quantifier-free";
        #[serde(rename = "QF_UFLIRA")]
        QfUflira = "QF_UFLIRA", "integers and reals, memory as uninterpreted functions, quantifier-free";
        #[serde(rename = "AUFLIRA")]
        Auflira = "AUFLIRA", "integers and reals, memory as arrays, with quantifiers";
        #[serde(rename = "UFLIRA")]
        Uflira = "UFLIRA", "integers and reals, memory as uninterpreted functions, with quantifiers";
    }
}

/// The representation of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Heap {
    /// SMT arrays.
    Arrays,
    /// Uninterpreted functions of the address.
    Functions,
}

/// Whether formulas contain quantifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifiers {
    /// No quantifiers.
    Free,
    /// Formulas may contain quantifiers, so the solver must support them.
    Used,
}

impl Encoding {
    /// All encodings.
    pub const ALL: [Encoding; 8] = [
        Encoding::QfAbvfp,
        Encoding::QfUfbvfp,
        Encoding::Abvfp,
        Encoding::Ufbvfp,
        Encoding::QfAuflira,
        Encoding::QfUflira,
        Encoding::Auflira,
        Encoding::Uflira,
    ];

    /// The name of the encoding.
    #[must_use]
    pub fn name(self) -> &'static str {
        Choice::name(self)
    }

    /// Whether integers represent bit vectors.
    #[must_use]
    pub fn is_linear(self) -> bool {
        matches!(self, Encoding::QfAuflira | Encoding::QfUflira | Encoding::Auflira | Encoding::Uflira)
    }

    /// Whether formulas of the IR need no translation for this encoding.
    pub(super) fn is_identity(self) -> bool {
        matches!(self, Encoding::QfAbvfp | Encoding::Abvfp)
    }

    /// The representation of memory.
    #[must_use]
    pub fn heap(self) -> Heap {
        match self {
            Encoding::QfAbvfp | Encoding::Abvfp | Encoding::QfAuflira | Encoding::Auflira => Heap::Arrays,
            Encoding::QfUfbvfp | Encoding::Ufbvfp | Encoding::QfUflira | Encoding::Uflira => Heap::Functions,
        }
    }

    /// Whether formulas contain quantifiers.
    #[must_use]
    pub fn quantifiers(self) -> Quantifiers {
        match self {
            Encoding::QfAbvfp | Encoding::QfUfbvfp | Encoding::QfAuflira | Encoding::QfUflira => {
                Quantifiers::Free
            }
            Encoding::Abvfp | Encoding::Ufbvfp | Encoding::Auflira | Encoding::Uflira => Quantifiers::Used,
        }
    }

    /// The smallest SMT-LIB logic that contains the formulas of this encoding.
    #[must_use]
    pub fn logic(self, floats: FloatEncoding) -> &'static str {
        match (self, floats) {
            (Encoding::QfAbvfp, FloatEncoding::Bits) => "QF_ABV",
            (Encoding::QfUfbvfp, FloatEncoding::Bits) => "QF_UFBV",
            (Encoding::Abvfp, FloatEncoding::Bits) => "ABV",
            (Encoding::Ufbvfp, FloatEncoding::Bits) => "UFBV",
            (Encoding::QfAuflira, FloatEncoding::Bits) => "QF_AUFLIA",
            (Encoding::QfUflira, FloatEncoding::Bits) => "QF_UFLIA",
            (Encoding::Auflira, FloatEncoding::Bits) => "AUFLIA",
            (Encoding::Uflira, FloatEncoding::Bits) => "UFLIA",
            (encoding, FloatEncoding::Theory) => encoding.name(),
        }
    }
}

/// The error for an unknown encoding name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown encoding `{0}`; available encodings: {names}", names = Encoding::ALL.map(Encoding::name).join(", "))]
pub struct UnknownEncoding(pub String);

impl std::str::FromStr for Encoding {
    type Err = UnknownEncoding;

    fn from_str(name: &str) -> Result<Self, UnknownEncoding> {
        Encoding::ALL
            .into_iter()
            .find(|encoding| encoding.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownEncoding(name.to_owned()))
    }
}

terms::choice! {
    /// The semantics of a linear encoding if the result of an operation is outside of the range of
    /// its type.
    #[derive(Default, serde::Serialize, serde::Deserialize)]
    Overflow {
        #[default]
        Wrap = "wrap", "wrap around as C does: sound";
        Ignore = "ignore", "unbounded integers: unsound where a program overflows, but the formulas are simpler";
    }
}
