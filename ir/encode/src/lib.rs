//! Encodings: the SMT theories that express the semantics of C (Wendler, *Towards Practical
//! Predicate Analysis*, PhD thesis, University of Passau, 2017, §4.4, Table 4.2).
//!
//! Views of the IR are formulas over bit vectors and arrays. An [`Encoder`] translates these
//! formulas into the theories of an [`Encoding`], so the choice is made once, at run time, and
//! independently of the algorithms. It consists of two independent choices: the representation of
//! numbers (`linear` explains integers for bit vectors) and of memory (`memory`). The bit-precise
//! encodings with arrays are the identity, but for reads with few cases (`cases`).
//!
//! A translation consists of the formula and of *constraints* ([`Encoder::take_constraints`]):
//! ranges of symbols, axioms of uninterpreted functions, definitions of versions of memory. For
//! every assignment to the source symbols, there is an assignment to the new symbols and functions
//! that satisfies the constraints. The caller therefore conjoins the constraints to the assertion,
//! never below a negation. [`Encoder::approximations`] lists all inexact translations: with any of
//! them, models may be spurious, but unsatisfiability is sound (with [`Overflow::Wrap`]).
//! [`Encoder::decode`] maps a model back to the source symbols.
//!
//! # Size
//! Formula and constraints are linear in the number of distinct subterms of the source in all
//! encodings except those without quantifiers and arrays (`QF_UFBVFP`, `QF_UFLIRA`). In these, each
//! read is compared with each preceding write whose address may be equal, so `n` accesses to one
//! region through unknown addresses cost up to `n²/4` comparisons. Measure with
//! `cargo bench -p hornwork-ir --bench encodings`.

pub mod bits;
mod bitwise;
mod cases;
pub mod datatypes;
mod decode;
mod division;
mod encoding;
mod floats;
pub mod functions;
mod linear;
mod memory;
mod native;
mod number;
mod product;
mod shift;
mod theories;
mod translate;

pub use cases::Reads;
pub use decode::Values;
pub use encoding::{Encoding, Heap, Overflow, Quantifiers, UnknownEncoding};
pub use floats::FloatEncoding;
pub use native::{Native, applied_operations, applies_only_operations};
pub use theories::Theories;

use cases::Cases;
use floats::{FloatTranslation, Means, Reals, Untranslatable};
use memory::{Accesses, Version};
use num_bigint::{BigInt, BigUint};
use num_traits::One;
use number::Number;
use rustc_hash::{FxHashMap, FxHashSet};
use terms::{Op, Representation, Sort, Symbol, Term, TermPool};

/// The reason why a formula cannot be translated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// The operator is not supported.
    #[error("the encoding {encoding} does not support {operator}")]
    Operator {
        /// The chosen encoding.
        encoding: Encoding,
        /// The unsupported operator.
        operator: String,
    },
    /// A bit vector too wide for the linear encodings.
    #[error("a bit vector of {0} bits is too wide for a linear encoding (at most {max})", max = number::MOST_BITS)]
    TooWide(u32),
    /// A comparison of arrays in an encoding with neither arrays nor quantifiers.
    #[error(
        "{0} cannot express an equality of memories, because it has neither arrays nor quantifiers; choose an encoding with arrays"
    )]
    ArrayEquality(Encoding),
    /// Memory is a function in this encoding, but a term is required.
    #[error("in {encoding} memory is a function, which cannot be {place}; choose an encoding with arrays")]
    FunctionAsTerm {
        /// The chosen encoding.
        encoding: Encoding,
        /// The unsupported use, for the message.
        place: &'static str,
    },
    /// A quantifier in a formula that does not allow any.
    #[error(
        "{encoding} needs a quantifier, which is not allowed in {place}; choose a quantifier-free encoding (QF_…)"
    )]
    Quantifier {
        /// The chosen encoding.
        encoding: Encoding,
        /// The formula, for the message.
        place: &'static str,
    },
    /// The elimination of arrays makes the formula too large.
    #[error("the elimination of arrays makes the formula too large; choose an encoding with arrays")]
    TooLarge,
}

/// An inexact translation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approximation {
    /// The term of the source formula.
    pub source: Term,
    /// The kind of approximation.
    pub kind: ApproximationKind,
}

/// Kinds of approximations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub enum ApproximationKind {
    /// A product of two variables.
    Multiplication,
    /// A division or remainder by a variable.
    Division,
    /// A bitwise operation of two variables, or with a constant of many runs of ones.
    Bitwise,
    /// A shift by a variable.
    Shift,
    /// An equality of integer arrays, which also compares elements at indices outside of the source
    /// sort.
    ArrayEquality,
    /// A remainder of floats whose exponents may differ widely.
    FloatRemainder,
    /// Float arithmetic in a linear encoding.
    Float,
}

impl ApproximationKind {
    /// The approximated operations, for messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ApproximationKind::Multiplication => "products",
            ApproximationKind::Division => "quotients and remainders",
            ApproximationKind::Bitwise => "bitwise operations",
            ApproximationKind::Shift => "shifts",
            ApproximationKind::ArrayEquality => "array equalities",
            ApproximationKind::FloatRemainder => "float remainders",
            ApproximationKind::Float => "float arithmetic",
        }
    }
}

/// Translates formulas into an encoding. Caches translations across calls.
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
    /// Absent if reads are by the theory of arrays.
    cases: Option<Cases>,
    reals: Reals,
    target_of: FxHashMap<Symbol, Term>,
    /// The target symbols in `target_of`.
    targets: FxHashSet<Term>,
}

/// The translation of a source term.
#[derive(Clone, Copy, Debug)]
enum Encoded {
    /// A term of the same sort (in the bit-precise encodings all sorts but arrays; in the linear
    /// encodings Booleans, integers, reals).
    Same(Term),
    /// A bit vector as an integer.
    Number(Number),
    /// An array as an array.
    Array(Term),
    /// An array that is only read: reads are moved to its origin.
    Eliminated,
    /// An array as a function.
    Version(Version),
}

impl Encoder {
    /// Creates an encoder.
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
            cases: None,
            reals: Reals::default(),
            target_of: FxHashMap::default(),
            targets: FxHashSet::default(),
        }
    }

    /// Sets the translation of floats in the bit-precise encodings.
    #[must_use]
    pub fn with_floats(mut self, floats: FloatEncoding) -> Self {
        self.floats = FloatTranslation::new(floats);
        self
    }

    /// Sets the translation of reads in the bit-precise encodings with arrays.
    #[must_use]
    pub fn with_reads(mut self, reads: Reads) -> Self {
        let is_used = reads == Reads::Cases && self.encoding.is_identity();
        self.cases = is_used.then(Cases::default);
        self
    }

    /// The encoding.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The overflow semantics.
    #[must_use]
    pub fn overflow(&self) -> Overflow {
        self.overflow
    }

    /// Translates a formula (of sort Bool). See the module documentation for the size of the
    /// result.
    ///
    /// # Errors
    /// See [`EncodeError`]; the encoder remains usable.
    pub fn formula(&mut self, pool: &mut TermPool, formula: Term) -> Result<Term, EncodeError> {
        debug_assert_eq!(pool.sort(formula), Sort::Bool, "a formula is of sort Bool");
        self.term(pool, formula)
    }

    /// Translates a term. A bit vector becomes an integer in the unsigned range of its width (with
    /// [`Overflow::Ignore`]: any integer).
    ///
    /// # Errors
    /// See [`EncodeError`].
    pub fn term(&mut self, pool: &mut TermPool, term: Term) -> Result<Term, EncodeError> {
        self.term_as(pool, term, Representation::Unsigned)
    }

    /// Translates a term. A bit vector becomes an integer in the range of `representation`.
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
            return Ok(match &mut self.cases {
                Some(cases) => cases.translate(pool, term),
                None => term,
            });
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

    /// Takes the constraints created since the last call, in order.
    pub fn take_constraints(&mut self) -> Vec<Term> {
        std::mem::take(&mut self.constraints)
    }

    /// The inexact translations so far, in order of translation.
    #[must_use]
    pub fn approximations(&self) -> &[Approximation] {
        &self.approximations
    }

    /// The kinds of inexactly translated operations, for messages, without repetition.
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

    /// The translation of a source symbol, if it has been translated.
    #[must_use]
    pub fn translation_of(&self, symbol: Symbol) -> Option<Term> {
        self.target_of.get(&symbol).copied()
    }

    /// The translation of a source term, if the translations so far contain it as one term.
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

    /// Whether every model of the translations and constraints so far corresponds to a model of the
    /// source formulas.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.approximations.is_empty() && (self.overflow == Overflow::Wrap || !self.encoding.is_linear())
    }

    /// The bits of width `width` represented by the value `value` of a translated bit vector.
    #[must_use]
    pub fn decode_bits(width: u32, value: &BigInt) -> BigUint {
        let modulus = BigInt::one() << width;
        let reduced = ((value % &modulus) + &modulus) % &modulus;
        reduced.to_biguint().expect("reduced modulo a positive number")
    }

    /// Eliminates floats from the term, or only the float operators outside SMT-LIB.
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

    /// Creates the symbol that represents `source`. It has the same name unless another source
    /// symbol already uses it.
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
