//! The rows and columns of Table 4.2, and what else is chosen with them.

use super::FloatEncoding;
use terms::choice::Choice;

terms::choice! {
    /// A combination of theories, by the names of Table 4.2.
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

/// What stands for memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Heap {
    /// SMT arrays.
    Arrays,
    /// Uninterpreted functions of the address.
    Functions,
}

/// Whether formulas have quantifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifiers {
    /// They have none.
    Free,
    /// They may have some, so the solver must know them.
    Used,
}

impl Encoding {
    /// All of Table 4.2.
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

    /// The name in Table 4.2.
    #[must_use]
    pub fn name(self) -> &'static str {
        Choice::name(self)
    }

    /// Whether integers stand for bit vectors.
    #[must_use]
    pub fn is_linear(self) -> bool {
        matches!(self, Encoding::QfAuflira | Encoding::QfUflira | Encoding::Auflira | Encoding::Uflira)
    }

    /// Whether formulas of the IR are formulas of this encoding as they are.
    pub(super) fn is_identity(self) -> bool {
        matches!(self, Encoding::QfAbvfp | Encoding::Abvfp)
    }

    /// What stands for memory.
    #[must_use]
    pub fn heap(self) -> Heap {
        match self {
            Encoding::QfAbvfp | Encoding::Abvfp | Encoding::QfAuflira | Encoding::Auflira => Heap::Arrays,
            Encoding::QfUfbvfp | Encoding::Ufbvfp | Encoding::QfUflira | Encoding::Uflira => Heap::Functions,
        }
    }

    /// Whether formulas have quantifiers.
    #[must_use]
    pub fn quantifiers(self) -> Quantifiers {
        match self {
            Encoding::QfAbvfp | Encoding::QfUfbvfp | Encoding::QfAuflira | Encoding::QfUflira => {
                Quantifiers::Free
            }
            Encoding::Abvfp | Encoding::Ufbvfp | Encoding::Auflira | Encoding::Uflira => Quantifiers::Used,
        }
    }

    /// The smallest SMT-LIB logic in which formulas of this encoding are.
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

/// A name that is not in Table 4.2.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an encoding; there are: {names}", names = Encoding::ALL.map(Encoding::name).join(", "))]
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
    /// The semantics of a linear encoding where the result of an operation is outside of the range of its type.
    #[derive(Default, serde::Serialize, serde::Deserialize)]
    Overflow {
        #[default]
        Wrap = "wrap", "wrap around as C does: sound";
        Ignore = "ignore", "unbounded integers: unsound where a program overflows, but the formulas are simpler";
    }
}
