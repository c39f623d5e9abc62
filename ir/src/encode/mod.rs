//! Encodings: the SMT theories in which the semantics of C is expressed (seed 000, §4.4, Table 4.2).
//!
//! Views of the IR are formulas over bit vectors and arrays. An [`Encoder`] translates such formulas into the theories
//! that an [`Encoding`] names, so the choice is made once, at run time, and no algorithm knows about it. The
//! bit-precise encoding with arrays is the identity; `linear` explains the linear ones.
//!
//! A translation consists of the formula and of *constraints* ([`Encoder::take_constraints`]): ranges of symbols and axioms of
//! uninterpreted functions. They hold for every value that the source symbols can have, so a caller conjoins them to whatever it asserts,
//! under no negation. What is not exact is listed in [`Encoder::approximations`]: models may be
//! spurious then, unsatisfiability is not (with [`Overflow::Wrap`]).

mod bitwise;
mod division;
mod floats;
mod linear;
mod memory;
mod number;

use crate::term::{Op, Representation, Sort, Symbol, Term, TermPool};
pub use floats::FloatEncoding;
use floats::{FloatTranslation, Means, Reals, Untranslatable};
use memory::Reads;
use num_bigint::{BigInt, BigUint};
use num_traits::One;
use number::Number;
use rustc_hash::{FxHashMap, FxHashSet};

/// A combination of theories, by the names of Table 4.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum Encoding {
    /// Bit vectors and floats, memory as arrays, quantifier-free.
    #[serde(rename = "QF_ABVFP")]
    QfAbvfp,
    /// Bit vectors and floats, memory as uninterpreted functions, quantifier-free.
    #[serde(rename = "QF_UFBVFP")]
    QfUfbvfp,
    /// Bit vectors and floats, memory as arrays, with quantifiers.
    #[serde(rename = "ABVFP")]
    Abvfp,
    /// Bit vectors and floats, memory as uninterpreted functions, with quantifiers.
    #[serde(rename = "UFBVFP")]
    Ufbvfp,
    /// Integers and reals, memory as arrays, quantifier-free.
    #[serde(rename = "QF_AUFLIRA")]
    QfAuflira,
    /// Integers and reals, memory as uninterpreted functions, quantifier-free.
    #[serde(rename = "QF_UFLIRA")]
    QfUflira,
    /// Integers and reals, memory as arrays, with quantifiers.
    #[serde(rename = "AUFLIRA")]
    Auflira,
    /// Integers and reals, memory as uninterpreted functions, with quantifiers.
    #[serde(rename = "UFLIRA")]
    Uflira,
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
        match self {
            Encoding::QfAbvfp => "QF_ABVFP",
            Encoding::QfUfbvfp => "QF_UFBVFP",
            Encoding::Abvfp => "ABVFP",
            Encoding::Ufbvfp => "UFBVFP",
            Encoding::QfAuflira => "QF_AUFLIRA",
            Encoding::QfUflira => "QF_UFLIRA",
            Encoding::Auflira => "AUFLIRA",
            Encoding::Uflira => "UFLIRA",
        }
    }

    /// Whether an [`Encoder`] for it can be made.
    #[must_use]
    pub fn is_implemented(self) -> bool {
        matches!(self, Encoding::QfAbvfp | Encoding::QfAuflira | Encoding::QfUflira)
    }

    /// Whether integers stand for bit vectors.
    #[must_use]
    pub fn is_linear(self) -> bool {
        matches!(self, Encoding::QfAuflira | Encoding::QfUflira | Encoding::Auflira | Encoding::Uflira)
    }

    /// The smallest SMT-LIB logic in which formulas of this encoding are: without floats, and without the reals that linear encodings have
    /// for them, unless `floats` is the theory.
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

impl std::fmt::Display for Encoding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is not in Table 4.2.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an encoding")]
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

/// What a linear encoding does where the result of an operation is not in the range of its type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Overflow {
    /// Results wrap around as those of bit vectors: sound.
    #[default]
    Wrap,
    /// Results are mathematical integers, casts between integer types have no effect: unsound where a program
    /// overflows, but the formulas are simpler (seed 000, §16.2, Table 16.3).
    Ignore,
}

/// Why a formula cannot be translated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// The encoding is a row of the table that has no implementation.
    #[error("the encoding {0} is not implemented yet")]
    NotImplemented(Encoding),
    /// The operator has no translation.
    #[error("the encoding {encoding} has no translation of {operator}")]
    Operator {
        /// The chosen encoding.
        encoding: Encoding,
        /// What cannot be translated.
        operator: String,
    },
    /// A bit vector is too wide for the linear encodings.
    #[error("a bit vector of {0} bits is too wide for a linear encoding (at most {max})", max = number::MOST_BITS)]
    TooWide(u32),
    /// Two arrays are compared where arrays are eliminated.
    #[error("an equality of arrays has no translation in {0}, which has no arrays")]
    ArrayEquality(Encoding),
    /// Eliminating arrays makes the formula too large.
    #[error("eliminating memory as arrays makes the formula too large")]
    TooLarge,
}

/// A place where the translation is not exact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approximation {
    /// The term of the source formula.
    pub source: Term,
    /// Which kind.
    pub kind: ApproximationKind,
}

/// Kinds of approximations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub enum ApproximationKind {
    /// A product of two variables.
    Multiplication,
    /// A division or remainder by a variable.
    Division,
    /// A bitwise operation of two variables, or with an irregular constant.
    Bitwise,
    /// A shift by a variable.
    Shift,
    /// An equality of arrays, which also compares what no index of the source sort reaches.
    ArrayEquality,
    /// A remainder of floats whose exponents may differ by much.
    FloatRemainder,
    /// Arithmetic of floats in a linear encoding.
    Float,
}

/// Translates formulas into an encoding. Translations are cached across calls.
#[derive(Debug)]
pub struct Encoder {
    encoding: Encoding,
    overflow: Overflow,
    cache: FxHashMap<Term, Encoded>,
    normal: FxHashMap<(Term, u32, Representation), Term>,
    reads: Reads,
    constraints: Vec<Term>,
    constrained: FxHashSet<Term>,
    approximations: Vec<Approximation>,
    floats: FloatTranslation,
    reals: Reals,
    target_of: FxHashMap<Symbol, Term>,
    source_of: FxHashMap<Symbol, Symbol>,
}

/// What a source term becomes.
#[derive(Clone, Copy, Debug)]
enum Encoded {
    /// A term of the same sort (Booleans; integers and reals stay what they are).
    Same(Term),
    /// A bit vector as an integer.
    Number(Number),
    /// An array as an array of integers; where arrays are eliminated, the source term.
    Array(Term),
}

impl Encoder {
    /// An encoder without anything translated yet.
    #[must_use]
    pub fn new(encoding: Encoding, overflow: Overflow) -> Self {
        Encoder {
            encoding,
            overflow,
            cache: FxHashMap::default(),
            normal: FxHashMap::default(),
            reads: Reads::default(),
            constraints: Vec::new(),
            constrained: FxHashSet::default(),
            approximations: Vec::new(),
            floats: FloatTranslation::new(FloatEncoding::default()),
            reals: Reals::default(),
            target_of: FxHashMap::default(),
            source_of: FxHashMap::default(),
        }
    }

    /// The same, but with floats as `floats` says where the encoding is bit-precise.
    #[must_use]
    pub fn with_floats(mut self, floats: FloatEncoding) -> Self {
        self.floats = FloatTranslation::new(floats);
        self
    }

    /// Which encoding.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// What happens on overflow.
    #[must_use]
    pub fn overflow(&self) -> Overflow {
        self.overflow
    }

    /// Translates a formula (of sort Bool). Linear in its distinct subterms, but for reads where arrays are eliminated.
    ///
    /// # Errors
    /// See [`EncodeError`]; the encoder can be used on.
    pub fn formula(&mut self, pool: &mut TermPool, formula: Term) -> Result<Term, EncodeError> {
        debug_assert_eq!(pool.sort(formula), Sort::Bool, "a formula is of sort Bool");
        self.term(pool, formula)
    }

    /// Translates a term: a bit vector becomes an integer in the unsigned range of its width (with [`Overflow::Ignore`]: any integer).
    ///
    /// # Errors
    /// See [`EncodeError`].
    pub fn term(&mut self, pool: &mut TermPool, term: Term) -> Result<Term, EncodeError> {
        self.term_as(pool, term, Representation::Unsigned)
    }

    /// Translates a term; a bit vector becomes an integer in the range that `representation` says.
    ///
    /// # Errors
    /// See [`EncodeError`].
    pub fn term_as(
        &mut self,
        pool: &mut TermPool,
        term: Term,
        representation: Representation,
    ) -> Result<Term, EncodeError> {
        let term = self.without_floats(pool, term)?;
        match self.encoding {
            Encoding::QfAbvfp => return Ok(term),
            Encoding::QfAuflira | Encoding::QfUflira => {}
            other => return Err(EncodeError::NotImplemented(other)),
        }
        match self.translate(pool, term)? {
            Encoded::Same(term) | Encoded::Array(term) => Ok(term),
            Encoded::Number(number) => {
                let width = self.width(pool, term)?;
                Ok(self.normalize(pool, number, width, representation).term)
            }
        }
    }

    /// The constraints that arose since the last call, in order.
    pub fn take_constraints(&mut self) -> Vec<Term> {
        std::mem::take(&mut self.constraints)
    }

    /// Where translations so far are not exact, in order of translation.
    #[must_use]
    pub fn approximations(&self) -> &[Approximation] {
        &self.approximations
    }

    /// Whether every model of translations and constraints so far is one of the source formulas.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.approximations.is_empty() && (self.overflow == Overflow::Wrap || !self.encoding.is_linear())
    }

    /// The symbol that stands for a source symbol in translations so far (for an eliminated array there is none, but a
    /// function of the same name, see [`Encoder::initial_reads`]).
    #[must_use]
    pub fn target_symbol(&self, source: Symbol) -> Option<Term> {
        if self.encoding.is_linear() { self.target_of.get(&source).copied() } else { None }
    }

    /// The source symbol that a symbol of a translation stands for.
    #[must_use]
    pub fn source_symbol(&self, target: Symbol) -> Option<Symbol> {
        if self.encoding.is_linear() { self.source_of.get(&target).copied() } else { Some(target) }
    }

    /// The bits of width `width` that the value `value` of a translated bit vector stands for.
    #[must_use]
    pub fn decode_bits(width: u32, value: &BigInt) -> BigUint {
        let modulus = BigInt::one() << width;
        let reduced = ((value % &modulus) + &modulus) % &modulus;
        reduced.to_biguint().expect("reduced modulo a positive number")
    }

    /// The term without floats, or with those operators only that SMT-LIB has.
    fn without_floats(&mut self, pool: &mut TermPool, term: Term) -> Result<Term, EncodeError> {
        let means = if self.encoding.is_linear() { Means::Unknowns } else { Means::Chosen };
        let translated = self.floats.translate(pool, means, term);
        let (constraints, approximations) = self.floats.take();
        for (source, kind) in approximations {
            self.approximate(source, kind);
        }
        let translated = translated.map_err(|Untranslatable(operator)| EncodeError::Operator {
            encoding: self.encoding,
            operator,
        })?;
        for constraint in constraints {
            let constraint = match self.encoding.is_linear() {
                true => match self.translate(pool, constraint)? {
                    Encoded::Same(constraint) => constraint,
                    _ => unreachable!("a constraint is of sort Bool"),
                },
                false => constraint,
            };
            self.constrain(pool, constraint);
        }
        let facts = self.floats.take_facts();
        self.describe_floats(pool, facts);
        Ok(translated)
    }

    fn width(&self, pool: &TermPool, term: Term) -> Result<u32, EncodeError> {
        match pool.sort(term) {
            Sort::BitVec(width) if width <= number::MOST_BITS => Ok(width),
            Sort::BitVec(width) => Err(EncodeError::TooWide(width)),
            _ => Err(self.no_translation(pool, term)),
        }
    }

    fn no_translation(&self, pool: &TermPool, term: Term) -> EncodeError {
        EncodeError::Operator { encoding: self.encoding, operator: format!("{:?}", pool.op(term)) }
    }

    /// Adds a constraint unless it is trivial.
    fn constrain(&mut self, pool: &TermPool, constraint: Term) {
        if pool.op(constraint) != Op::True && self.constrained.insert(constraint) {
            self.constraints.push(constraint);
        }
    }

    fn approximate(&mut self, source: Term, kind: ApproximationKind) {
        self.approximations.push(Approximation { source, kind });
    }
}

#[cfg(test)]
mod tests;
