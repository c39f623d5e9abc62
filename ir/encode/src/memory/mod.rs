//! Memory: arrays or functions, with and without quantifiers (Wendler, *Towards Practical Predicate
//! Analysis*, PhD thesis, University of Passau, 2017, §4.4.2, §4.4.3).
//!
//! In a source formula memory is a term: an array symbol, `store`, `ite` where paths meet, or the
//! constant array of memory at program start. The four columns of Table 4.2 of the thesis differ in
//! its translation, independent of the representation of numbers.
//!
//! | | quantifier-free | quantified |
//! |---|---|---|
//! | arrays | `select` and `store` | the same, and exact equalities of arrays of integers |
//! | functions | reads are moved through writes (`frame`) | each write makes a new function (`versions`) |
//!
//! *Arrays.* The thesis needs the rows with quantifiers and arrays for interpolants; the formulas
//! of programs contain no quantifiers. DIVERGENCE: SMT-LIB's theory of arrays has no constant
//! arrays, but all of our solvers support them. We tried the axiom `∀i. a[i] = v` instead: on
//! random programs, Z3 gave up on a quarter of the formulas that it decides with constant arrays.
//!
//! *Numbers.* In the linear encodings an array from bit vectors to bit vectors becomes an array
//! from integers to integers. Indices are unsigned. Elements are normalized into the unsigned range
//! if they are bytes and into the signed range otherwise; a value read from memory that may be a
//! symbol gets this range as a constraint.
//!
//! *Equalities* of memories (in block formulas, but not in unrollings). The bit-precise encodings
//! with arrays express them directly. In other encodings `a = b` becomes `a(k) = b(k)` for a fresh
//! witness `k`, with the constraint `a(k) = b(k) ⇒ ∀i. a(i) = b(i)`, which is exact. Without
//! quantifiers, integer arrays are compared as such, which is marked as an approximation, and
//! functions cannot be compared.

mod arrays;
mod frame;
mod versions;

pub(super) use versions::Version;

use super::number::{MOST_BITS, Number, base};
use super::{ApproximationKind, EncodeError, Encoded, Encoder, Heap, Overflow, Quantifiers};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use terms::{FunctionSymbol, Op, Representation, Sort, Symbol, Term, TermPool};

/// The reads and symbols of memory that the encoder has translated.
#[derive(Debug, Default)]
pub(super) struct Accesses {
    /// Reads that were moved through writes, by source array and translated index.
    done: FxHashMap<(Term, Term), Term>,
    /// By array symbol: the translated indices of its reads, with the terms read.
    initial: FxHashMap<Symbol, Vec<(Term, Term)>>,
    /// With quantifiers: the translated indices of all reads.
    indices: IndexSet<Term, FxBuildHasher>,
    /// With quantifiers: array symbols, with the number of indices that their initial reads cover.
    symbols: Vec<(Symbol, usize)>,
    /// The definitions of array symbols, through which reads move.
    definitions: FxHashMap<Symbol, Term>,
    /// The functions that represent array symbols.
    pub(super) functions: FxHashMap<Symbol, FunctionSymbol>,
    /// All functions that represent memory.
    taken: FxHashSet<FunctionSymbol>,
}

/// The representation of an index or an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    /// An integer that represents this number of bits.
    Number(u32),
    /// A term of the same sort.
    Same(Sort),
}

impl Kept {
    fn sort(self) -> Sort {
        match self {
            Kept::Number(_) => Sort::Int,
            Kept::Same(sort) => sort,
        }
    }
}

/// The representation of arrays of a sort.
#[derive(Clone, Copy, Debug)]
struct Parts {
    index: Kept,
    element: Kept,
}

/// The range of array elements: unsigned for bytes, signed otherwise.
fn element_representation(width: u32) -> Representation {
    if width <= 8 { Representation::Unsigned } else { Representation::Signed }
}

impl Encoder {
    fn parts(&self, pool: &TermPool, array: Term) -> Result<Parts, EncodeError> {
        let Sort::Array(sort) = pool.sort(array) else { return Err(self.no_translation(pool, array)) };
        let (index, element) = pool.array_sort_parts(sort);
        if !self.encoding.is_linear() {
            if self.encoding.heap() == Heap::Functions && matches!(element, Sort::Array(_)) {
                return Err(self.no_translation(pool, array));
            }
            return Ok(Parts { index: Kept::Same(index), element: Kept::Same(element) });
        }
        let check = |width: u32| {
            if width > MOST_BITS { Err(EncodeError::TooWide(width)) } else { Ok(Kept::Number(width)) }
        };
        let index = match index {
            Sort::BitVec(width) => check(width)?,
            Sort::Int => Kept::Same(Sort::Int),
            _ => return Err(self.no_translation(pool, array)),
        };
        let element = match element {
            Sort::BitVec(width) => check(width)?,
            Sort::Bool | Sort::Int | Sort::Real => Kept::Same(element),
            _ => return Err(self.no_translation(pool, array)),
        };
        Ok(Parts { index, element })
    }

    fn index(&mut self, pool: &mut TermPool, index: Term, kept: Kept) -> Result<Term, EncodeError> {
        match kept {
            Kept::Same(_) => self.same(pool, index),
            Kept::Number(width) => {
                let number = self.number(pool, index)?;
                Ok(self.normalize(pool, number, width, Representation::Unsigned).term)
            }
        }
    }

    fn element(&mut self, pool: &mut TermPool, value: Term, kept: Kept) -> Result<Term, EncodeError> {
        match kept {
            Kept::Same(_) => self.same(pool, value),
            Kept::Number(width) => {
                let number = self.number(pool, value)?;
                Ok(self.normalize(pool, number, width, element_representation(width)).term)
            }
        }
    }

    /// Translates an array term.
    pub(super) fn array(&mut self, pool: &mut TermPool, term: Term) -> Result<Encoded, EncodeError> {
        let parts = self.parts(pool, term)?;
        if !matches!(pool.op(term), Op::Symbol(_) | Op::Store | Op::ConstArray(_) | Op::Ite) {
            return Err(self.no_translation(pool, term));
        }
        if let Op::Symbol(symbol) = pool.op(term)
            && self.encoding.quantifiers() == Quantifiers::Used
        {
            self.accesses.symbols.push((symbol, 0));
        }
        match (self.encoding.heap(), self.encoding.quantifiers()) {
            (Heap::Arrays, _) => self.target_array(pool, term, parts).map(Encoded::Array),
            (Heap::Functions, Quantifiers::Free) => Ok(Encoded::Eliminated),
            (Heap::Functions, Quantifiers::Used) => self.version(pool, term, parts).map(Encoded::Version),
        }
    }

    pub(super) fn select(&mut self, pool: &mut TermPool, term: Term) -> Result<Encoded, EncodeError> {
        let (array, index) = (pool.children(term)[0], pool.children(term)[1]);
        let parts = self.parts(pool, array)?;
        let index = self.index(pool, index, parts.index)?;
        if self.encoding.quantifiers() == Quantifiers::Used {
            self.accesses.indices.insert(index);
        }
        let (read, is_constrained) = match self.cache.get(&array) {
            Some(Encoded::Eliminated) => (self.read(pool, array, index, parts)?, true),
            Some(&Encoded::Array(array)) => (pool.select(array, index), false),
            Some(&Encoded::Version(version)) => (version.at(pool, index), false),
            _ => return Err(self.no_translation(pool, term)),
        };
        let Kept::Number(width) = parts.element else { return Ok(Encoded::Same(read)) };
        if let Some(value) = pool.as_int(read).and_then(|value| i128::try_from(value.clone()).ok()) {
            return Ok(Encoded::Number(self.constant(pool, value)));
        }
        // If overflow is ignored, the stored value may be any integer.
        let number = self.in_range(read, width, element_representation(width));
        if !is_constrained {
            self.constrain_range(pool, &number);
        }
        Ok(Encoded::Number(number))
    }

    /// Translates the equality `term` of two memories.
    pub(super) fn array_equality(
        &mut self,
        pool: &mut TermPool,
        term: Term,
        left: Term,
        right: Term,
    ) -> Result<Term, EncodeError> {
        let (a, b) = match (self.cache[&left], self.cache[&right]) {
            (Encoded::Array(a), Encoded::Array(b)) => {
                let is_exact = !self.encoding.is_linear();
                if !is_exact && self.encoding.quantifiers() == Quantifiers::Free {
                    self.approximate(term, ApproximationKind::ArrayEquality);
                } else if !is_exact {
                    return self.equal_everywhere(pool, left, right, |pool, index| {
                        (pool.select(a, index), pool.select(b, index))
                    });
                }
                (a, b)
            }
            (Encoded::Version(a), Encoded::Version(b)) => {
                return self.equal_everywhere(pool, left, right, |pool, index| {
                    (a.at(pool, index), b.at(pool, index))
                });
            }
            _ => return Err(EncodeError::ArrayEquality(self.encoding)),
        };
        Ok(pool.eq(a, b))
    }

    /// Whether two memories are equal; `at` returns their elements at an index.
    fn equal_everywhere(
        &mut self,
        pool: &mut TermPool,
        left: Term,
        right: Term,
        at: impl Fn(&mut TermPool, Term) -> (Term, Term),
    ) -> Result<Term, EncodeError> {
        let parts = self.parts(pool, left)?;
        let sort = parts.index.sort();
        let witness = pool.fresh_symbol("differs", sort, Representation::Unsigned);
        let bound = pool.bound(INDEX, sort);
        self.accesses.indices.insert(witness);
        let mut is_index = pool.tru();
        if let Kept::Number(width) = parts.index {
            let number = Number { term: witness, low: 0, high: (1i128 << width) - 1, hint: None };
            self.constrain_range(pool, &number);
            is_index = in_interval(pool, bound, number.low, number.high);
        }
        for memory in [left, right] {
            for symbol in pool.free_symbols(memory) {
                self.constrain_contents(pool, symbol)?;
            }
        }
        let (a, b) = at(pool, witness);
        let is_equal = pool.eq(a, b);
        let (a, b) = at(pool, bound);
        let is_equal_here = pool.eq(a, b);
        let body = pool.implies(is_index, is_equal_here);
        let everywhere = pool.forall(&[bound], body);
        let extensionality = pool.implies(is_equal, everywhere);
        self.constrain(pool, extensionality);
        Ok(is_equal)
    }

    /// That `read`, a value read from the translation of `array`, is in the range of the array's
    /// elements.
    ///
    /// # Errors
    /// If arrays of this sort have no translation.
    pub fn range_of_element(
        &self,
        pool: &mut TermPool,
        array: Term,
        read: Term,
    ) -> Result<Term, EncodeError> {
        let Kept::Number(width) = self.parts(pool, array)?.element else { return Ok(pool.tru()) };
        if self.overflow == Overflow::Ignore {
            return Ok(pool.tru());
        }
        let low = base(width, element_representation(width));
        Ok(in_interval(pool, read, low, low + (1i128 << width) - 1))
    }

    /// Adds the constraint that all elements of an array symbol are in the range of their type.
    fn constrain_contents(&mut self, pool: &mut TermPool, symbol: Symbol) -> Result<(), EncodeError> {
        let term = pool.symbol_term(symbol);
        if !matches!(pool.sort(term), Sort::Array(_)) || self.overflow == Overflow::Ignore {
            return Ok(());
        }
        let parts = self.parts(pool, term)?;
        if !matches!(parts.element, Kept::Number(_)) {
            return Ok(());
        }
        let bound = pool.bound(INDEX, parts.index.sort());
        let element = match self.cache.get(&term) {
            Some(&Encoded::Array(array)) => pool.select(array, bound),
            Some(&Encoded::Version(version)) => version.at(pool, bound),
            _ => return Ok(()),
        };
        let is_in_range = self.range_of_element(pool, term, element)?;
        let all = pool.forall(&[bound], is_in_range);
        self.constrain(pool, all);
        Ok(())
    }

    /// The reads from the array symbol `source`, as pairs of (unsigned) index and element. They
    /// determine the relevant part of the array if a model has no value for it, that is, in
    /// encodings with functions or quantifiers. With quantifiers, [`Encoder::complete_reads`] must
    /// be called before.
    #[must_use]
    pub fn initial_reads(&self, source: Symbol) -> &[(Term, Term)] {
        self.accesses.initial.get(&source).map_or(&[], Vec::as_slice)
    }

    /// Makes each read of an array symbol without reads so far a read of `definition`, which must
    /// not depend on it.
    pub(crate) fn define(
        &mut self,
        pool: &mut TermPool,
        array: Symbol,
        definition: Term,
    ) -> Result<(), EncodeError> {
        self.translate(pool, definition)?;
        self.accesses.definitions.insert(array, definition);
        Ok(())
    }

    /// Whether the translations so far read an array symbol.
    pub(crate) fn is_read(&self, array: Symbol) -> bool {
        self.accesses.initial.contains_key(&array)
    }

    /// The array symbols that are read, with the translated indices, in order of the symbols.
    pub(crate) fn all_initial_reads(&self) -> Vec<(Symbol, Term)> {
        let mut symbols: Vec<Symbol> = self.accesses.initial.keys().copied().collect();
        symbols.sort_unstable();
        let reads = |&symbol: &Symbol| self.initial_reads(symbol).iter().map(move |read| (symbol, read.0));
        symbols.iter().flat_map(reads).collect()
    }

    /// The function of an array symbol, and what a translated index reads from the array.
    pub(crate) fn read_at(
        &mut self,
        pool: &mut TermPool,
        array: Term,
        index: Term,
    ) -> Result<(FunctionSymbol, Term), EncodeError> {
        let Op::Symbol(symbol) = pool.op(array) else { return Err(self.no_translation(pool, array)) };
        let parts = self.parts(pool, array)?;
        let value = self.read(pool, array, index, parts)?;
        Ok((self.initial_function(pool, symbol, parts), value))
    }

    /// The functions of array symbols.
    pub(crate) fn memory_functions(&self) -> impl Iterator<Item = (Symbol, FunctionSymbol)> {
        self.accesses.functions.iter().map(|(&symbol, &function)| (symbol, function))
    }

    /// Gives array symbols the same functions as in `other`.
    pub(crate) fn share_functions(&mut self, other: &Encoder) {
        self.accesses.functions.clone_from(&other.accesses.functions);
        self.accesses.taken.clone_from(&other.accesses.taken);
    }

    /// Whether the translations so far contain functions that represent memory. Such a formula
    /// cannot be instantiated: its functions would have to be renamed together with its variables.
    #[must_use]
    pub fn has_memory_functions(&self) -> bool {
        !self.accesses.taken.is_empty()
    }

    /// Completes [`Encoder::initial_reads`]: with quantifiers, any read may be a read of any array
    /// symbol.
    pub fn complete_reads(&mut self, pool: &mut TermPool) {
        let count = self.accesses.indices.len();
        for position in 0..self.accesses.symbols.len() {
            let (symbol, first) = self.accesses.symbols[position];
            let term = pool.symbol_term(symbol);
            let Ok(parts) = self.parts(pool, term) else { continue };
            let reads: Vec<(Term, Term)> = (first..count)
                .filter_map(|number| {
                    let index = self.accesses.indices[number];
                    if pool.sort(index) != parts.index.sort() {
                        return None;
                    }
                    let element = match self.cache.get(&term)? {
                        Encoded::Array(array) => pool.select(*array, index),
                        Encoded::Version(version) => version.at(pool, index),
                        _ => return None,
                    };
                    Some((index, element))
                })
                .collect();
            self.accesses.initial.entry(symbol).or_default().extend(reads);
            self.accesses.symbols[position].1 = count;
        }
    }
}

/// The name of quantified indices.
const INDEX: &str = "address";

/// `low ≤ term ≤ high`.
fn in_interval(pool: &mut TermPool, term: Term, low: i128, high: i128) -> Term {
    let (low, high) = (super::number::integer(pool, low), super::number::integer(pool, high));
    let bounds = [pool.le(low, term), pool.le(term, high)];
    pool.and(&bounds)
}
