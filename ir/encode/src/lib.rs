//! Encodings: the SMT theories in which the semantics of C is expressed (seed 000, §4.4, Table 4.2).
//!
//! Views of the IR are formulas over bit vectors and arrays. An [`Encoder`] translates such formulas into the theories
//! that an [`Encoding`] names, so the choice is made once, at run time, and no algorithm knows about it. Two choices are independent of
//! each other: what stands for numbers (`linear` explains integers for bit vectors), and what stands for memory (`memory`).
//! The bit-precise encodings with arrays are the identity.
//!
//! A translation consists of the formula and of *constraints* ([`Encoder::take_constraints`]): ranges of symbols, axioms of
//! uninterpreted functions, definitions of versions of memory. For every value that the source symbols can have there are values of the new
//! symbols and functions with which they hold, so a caller conjoins them to whatever it asserts,
//! under no negation. What is not exact is listed in [`Encoder::approximations`]: models may be
//! spurious then, unsatisfiability is not (with [`Overflow::Wrap`]). [`Encoder::decode`] is the way back from a model.
//!
//! # Size
//! Formula and constraints together are linear in the number of distinct subterms of what is translated, in all encodings but those without
//! quantifiers and arrays (`QF_UFBVFP`, `QF_UFLIRA`): there each read is compared with each write before it whose
//! address may be the same, so `n` accesses through unknown addresses to one region cost up to `n²/4` comparisons.
//! `cargo bench -p hornwork-ir --bench encodings` shows it.

mod bitwise;
mod decode;
mod division;
mod encoding;
mod floats;
mod linear;
mod memory;
mod number;
mod product;
mod shift;
mod theories;
mod translate;

pub use decode::Values;
pub use encoding::{Encoding, Heap, Overflow, Quantifiers, UnknownEncoding};
pub use floats::FloatEncoding;
pub use theories::Theories;

use floats::{FloatTranslation, Means, Reals, Untranslatable};
use memory::{Accesses, Version};
use num_bigint::{BigInt, BigUint};
use num_traits::One;
use number::Number;
use rustc_hash::{FxHashMap, FxHashSet};
use terms::{Op, Representation, Sort, Symbol, Term, TermPool};

/// Why a formula cannot be translated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
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
    /// Two arrays are compared where there are neither arrays nor quantifiers.
    #[error(
        "an equality of memories has no translation in {0}, which has neither arrays nor quantifiers; choose an encoding with arrays"
    )]
    ArrayEquality(Encoding),
    /// Memory is a function, and functions cannot be where terms are.
    #[error("in {encoding} memory is a function, which cannot be {place}; choose an encoding with arrays")]
    FunctionAsTerm {
        /// The chosen encoding.
        encoding: Encoding,
        /// What it would be, for people.
        place: &'static str,
    },
    /// Formulas of this form cannot have quantifiers.
    #[error("{encoding} needs a quantifier, which cannot be in {place}; choose an encoding without (QF_…)")]
    Quantifier {
        /// The chosen encoding.
        encoding: Encoding,
        /// Where it would be, for people.
        place: &'static str,
    },
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
    /// An equality of arrays of integers, which also compares what no index of the source sort reaches.
    ArrayEquality,
    /// A remainder of floats whose exponents may differ by much.
    FloatRemainder,
    /// Arithmetic of floats in a linear encoding.
    Float,
}

impl ApproximationKind {
    /// What is approximated, for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ApproximationKind::Multiplication => "products",
            ApproximationKind::Division => "quotients and remainders",
            ApproximationKind::Bitwise => "bitwise operations",
            ApproximationKind::Shift => "shifts",
            ApproximationKind::ArrayEquality => "equalities of arrays",
            ApproximationKind::FloatRemainder => "remainders of floats",
            ApproximationKind::Float => "arithmetic of floats",
        }
    }
}

/// Translates formulas into an encoding. Translations are cached across calls.
#[derive(Debug)]
pub struct Encoder {
    encoding: Encoding,
    overflow: Overflow,
    cache: FxHashMap<Term, Encoded>,
    normal: FxHashMap<(Term, u32, Representation), Term>,
    accesses: Accesses,
    constraints: Vec<Term>,
    constrained: FxHashSet<Term>,
    approximations: Vec<Approximation>,
    floats: FloatTranslation,
    reals: Reals,
    target_of: FxHashMap<Symbol, Term>,
    /// The terms in `target_of`.
    targets: FxHashSet<Term>,
}

/// What a source term becomes.
#[derive(Clone, Copy, Debug)]
enum Encoded {
    /// A term of the same sort (in the bit-precise encodings everything but arrays; in the linear ones Booleans, integers, reals).
    Same(Term),
    /// A bit vector as an integer.
    Number(Number),
    /// An array as an array.
    Array(Term),
    /// An array that is there to be read only: reads are moved to where it came from.
    Eliminated,
    /// An array as a function.
    Version(Version),
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
            accesses: Accesses::default(),
            constraints: Vec::new(),
            constrained: FxHashSet::default(),
            approximations: Vec::new(),
            floats: FloatTranslation::new(FloatEncoding::default()),
            reals: Reals::default(),
            target_of: FxHashMap::default(),
            targets: FxHashSet::default(),
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

    /// Translates a formula (of sort Bool). For its size see the module documentation.
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
        if self.encoding.is_identity() {
            return Ok(term);
        }
        match self.translate(pool, term)? {
            Encoded::Same(term) | Encoded::Array(term) => Ok(term),
            Encoded::Eliminated | Encoded::Version(_) => {
                Err(EncodeError::FunctionAsTerm { encoding: self.encoding, place: "a term" })
            }
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

    /// The kinds of operations that were not translated exactly, for people, without repetition.
    #[must_use]
    pub fn approximated(&self) -> Vec<&'static str> {
        let mut kinds: Vec<ApproximationKind> = self.approximations.iter().map(|entry| entry.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let mut names: Vec<&'static str> = kinds.into_iter().map(ApproximationKind::name).collect();
        if self.encoding.is_linear() && self.overflow == Overflow::Ignore {
            names.push("overflow");
        }
        names
    }

    /// What the translations so far have in the place of a source symbol.
    #[must_use]
    pub fn translation_of(&self, symbol: Symbol) -> Option<Term> {
        self.target_of.get(&symbol).copied()
    }

    /// What the translations so far have in the place of a source term, if they contain it as one term.
    #[must_use]
    pub fn translated(&self, source: Term) -> Option<Term> {
        if self.encoding.is_identity() {
            return Some(source);
        }
        match self.cache.get(&source)? {
            Encoded::Same(term) | Encoded::Array(term) => Some(*term),
            Encoded::Number(number) => Some(number.term),
            Encoded::Eliminated | Encoded::Version(_) => None,
        }
    }

    /// Whether every model of translations and constraints so far is one of the source formulas.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.approximations.is_empty() && (self.overflow == Overflow::Wrap || !self.encoding.is_linear())
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
            let constraint = match self.encoding.is_identity() {
                true => constraint,
                false => match self.translate(pool, constraint)? {
                    Encoded::Same(constraint) => constraint,
                    _ => unreachable!("a constraint is of sort Bool"),
                },
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

    /// The symbol that stands for `source` from now on: one of the same name where no other source has it.
    fn target_symbol(
        &mut self,
        pool: &mut TermPool,
        source: Symbol,
        sort: Sort,
        representation: Representation,
    ) -> Term {
        let name = pool.symbol_data(source).name.clone();
        let mut target = pool.symbol_with(&name, sort, representation);
        if !self.targets.insert(target) {
            target = pool.fresh_symbol(&name, sort, representation);
            self.targets.insert(target);
        }
        self.target_of.insert(source, target);
        target
    }

    fn approximate(&mut self, source: Term, kind: ApproximationKind) {
        self.approximations.push(Approximation { source, kind });
    }
}

#[cfg(test)]
mod tests;
