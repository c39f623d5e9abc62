//! Conjunctions over arrays as conjunctions over functions.
//!
//! Formulas that several queries share, such as the clauses of a program, cannot have memory as a
//! function: each instance would need functions of its own. So they have memory as arrays, as in
//! the encodings with arrays, and each query is translated as a whole, when all writes between its
//! memories are known.
//!
//! A conjunct `m = t` for an array symbol `m` is a *definition*: a read of `m` is a read of `t`.
//! Reads move through definitions and writes down to the arrays without a definition, which become
//! functions (`memory::frame`, Wendler, *Towards Practical Predicate Analysis*, PhD thesis,
//! University of Passau, 2017, §4.4.2). The result is equisatisfiable: a model determines the
//! arrays without definition as far as they are read, and the definitions determine the others.
//!
//! *Limits.* An equality of arrays below a negation or a disjunction has no translation, nor a
//! definition that follows reads of its symbol.
//!
//! Cost: that of moving the reads, quadratic in the number of accesses at unknown addresses.

mod parts;

pub use parts::FunctionParts;

use crate::{EncodeError, Encoder, Encoding, Overflow, Theories, Values};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::{FunctionSymbol, Op, Sort, Symbol, Term, TermPool, Value};

/// A growing conjunction.
#[derive(Debug)]
pub struct Functions {
    theories: Theories,
    encoder: Encoder,
    /// Arrays with their definitions, in an order in which each mentions older ones only.
    definitions: Vec<(Term, Term)>,
    /// The array symbols in each definition.
    mentioned: FxHashMap<Symbol, Vec<Symbol>>,
}

impl Functions {
    /// The empty conjunction. Its formulas are in `theories` but for memory, which is an array.
    #[must_use]
    pub fn new(theories: Theories) -> Self {
        // Numbers are in these theories already, and this encoding keeps all sorts but arrays.
        let encoder = Encoder::new(Encoding::QfUfbvfp, Overflow::Wrap).with_floats(theories.floats);
        Functions { theories, encoder, definitions: Vec::new(), mentioned: FxHashMap::default() }
    }

    /// The empty conjunction, where arrays have the same functions as here.
    fn with_same_functions(&self) -> Self {
        let mut new = Functions::new(self.theories);
        new.encoder.share_functions(&self.encoder);
        new
    }

    /// Adds `formula` to the conjunction and returns its translation. The formulas before keep
    /// theirs.
    ///
    /// # Errors
    /// See [`EncodeError`]; [`EncodeError::ArrayEquality`] for an equality that is no definition.
    pub fn conjoin(&mut self, pool: &mut TermPool, formula: Term) -> Result<Term, EncodeError> {
        let conjuncts = pool.conjuncts(&[formula]);
        let (equalities, mut rest): (Vec<Term>, Vec<Term>) =
            conjuncts.into_iter().partition(|&conjunct| is_array_equality(pool, conjunct));
        // Definitions may mention each other, so all are chosen before any is translated.
        let mut chosen: Vec<(Symbol, Term)> = Vec::new();
        for equality in equalities {
            match self.definition(pool, equality) {
                Some((symbol, term)) => {
                    self.mentioned.insert(symbol, array_symbols(pool, term));
                    chosen.push((symbol, term));
                }
                None => rest.push(equality),
            }
        }
        for (symbol, term) in self.ordered(chosen) {
            self.encoder.define(pool, symbol, term)?;
            self.definitions.push((pool.symbol_term(symbol), term));
        }
        let mut translated = Vec::with_capacity(rest.len());
        for conjunct in rest {
            let formula = self.encoder.formula(pool, conjunct).map_err(|error| match error {
                EncodeError::ArrayEquality(_) => EncodeError::ArrayEquality(self.theories.encoding),
                error => error,
            });
            translated.push(formula?);
        }
        translated.extend(self.encoder.take_constraints());
        Ok(pool.and(&translated))
    }

    /// The defined arrays with their definitions, in an order in which each mentions older ones
    /// only.
    #[must_use]
    pub fn definitions(&self) -> &[(Term, Term)] {
        &self.definitions
    }

    /// The value of an array symbol without definition in a model of the translation.
    pub fn decode(&self, pool: &TermPool, array: Term, eval: &mut Values<'_>) -> Option<Value> {
        self.encoder.decode(pool, array, eval)
    }

    /// The functions of array symbols.
    fn functions(&self) -> impl Iterator<Item = (Symbol, FunctionSymbol)> {
        self.encoder.memory_functions()
    }

    /// The arrays without definition that are read, with the addresses.
    fn read_addresses(&self) -> Vec<(Symbol, Term)> {
        self.encoder.all_initial_reads()
    }

    /// The frame condition of a defined array at an address of the translation: the value of its
    /// function there is the one of its definition.
    fn frame(&mut self, pool: &mut TermPool, array: Term, address: Term) -> Result<Term, EncodeError> {
        let (function, value) = self.encoder.read_at(pool, array, address)?;
        let read = pool.apply(function, &[address]);
        Ok(pool.eq(read, value))
    }

    /// The definition that the equality of two arrays is, if it is one.
    fn definition(&self, pool: &TermPool, equality: Term) -> Option<(Symbol, Term)> {
        let (left, right) = (pool.children(equality)[0], pool.children(equality)[1]);
        [(left, right), (right, left)].into_iter().find_map(|(defined, term)| {
            let Op::Symbol(symbol) = pool.op(defined) else { return None };
            let is_free = !self.mentioned.contains_key(&symbol)
                && !self.encoder.is_read(symbol)
                && !self.reaches(array_symbols(pool, term), symbol);
            is_free.then_some((symbol, term))
        })
    }

    /// Whether one of `from` is `symbol` or mentions it, directly or by definitions.
    fn reaches(&self, from: Vec<Symbol>, symbol: Symbol) -> bool {
        let mut seen = FxHashSet::default();
        let mut work = from;
        while let Some(next) = work.pop() {
            if next == symbol {
                return true;
            }
            if seen.insert(next) {
                work.extend(self.mentioned.get(&next).into_iter().flatten());
            }
        }
        false
    }

    /// New definitions, each after those that it mentions.
    fn ordered(&self, new: Vec<(Symbol, Term)>) -> Vec<(Symbol, Term)> {
        let mut open: FxHashMap<Symbol, Term> = new.iter().copied().collect();
        let mut order = Vec::with_capacity(new.len());
        for (symbol, _) in new {
            let mut work = vec![symbol];
            while let Some(&top) = work.last() {
                let Some(&term) = open.get(&top) else {
                    work.pop();
                    continue;
                };
                let before = work.len();
                work.extend(self.mentioned[&top].iter().filter(|symbol| open.contains_key(symbol)));
                if work.len() == before {
                    open.remove(&top);
                    order.push((top, term));
                    work.pop();
                }
            }
        }
        order
    }
}

/// Whether the formula compares arrays, at any place.
#[must_use]
pub fn compares_arrays(pool: &TermPool, formula: Term) -> bool {
    let mut found = false;
    pool.visit(&[formula], |_| true, |term| found |= is_array_equality(pool, term));
    found
}

fn is_array_equality(pool: &TermPool, term: Term) -> bool {
    pool.op(term) == Op::Eq && matches!(pool.sort(pool.children(term)[0]), Sort::Array(_))
}

/// The array symbols in `term`.
fn array_symbols(pool: &TermPool, term: Term) -> Vec<Symbol> {
    let mut symbols = pool.free_symbols(term);
    symbols.retain(|&symbol| matches!(pool.symbol_data(symbol).sort, Sort::Array(_)));
    symbols
}
