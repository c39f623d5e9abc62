//! Parts of an interpolation problem over functions.
//!
//! In a sequence of blocks, the array `m_k` of memory after block `k` is defined in part `k`, and
//! later parts read it. Here each array symbol is a function. Reads within a part move through its
//! own writes ([`Functions`]), and part `k` gets the frame condition of `m_k`, instantiated for a
//! finite set of addresses (Wendler, *Towards Practical Predicate Analysis*, PhD thesis, University
//! of Passau, 2017, §4.4.2): `m_k(p) = e` where `e` is what the definition has at `p`. So
//! interpolants are about applications `m_k(p)`, which are reads of the array `m_k`.
//!
//! *Addresses.* Part `k` gets the addresses that later parts read. An address may only mention what
//! occurs both up to the part and from it on, because interpolants between parts may mention only
//! common symbols: definitions `x = t` of later parts are substituted first, so that an address
//! `a + 4 * i` of the next iteration becomes `a + 4 * (i' + 1)`, and addresses that still mention
//! another symbol are left out. Constant addresses are carried on through all later parts.
//!
//! *Soundness.* With `m(p)` as the read of the array `m` at `p`, each part follows from its source,
//! so interpolants of the result are interpolants of the source. *Incompleteness.* The result may
//! be satisfiable where the source is not, if a later part reads an address that the part of the
//! write cannot name.

use super::Functions;
use crate::{EncodeError, Theories};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::{FunctionSymbol, Op, Sort, Symbol, Term, TermPool};

/// The largest number of addresses of one array in a part.
const MOST_ADDRESSES: usize = 64;
/// The largest number of substitutions into one address.
const MOST_SUBSTITUTIONS: usize = 32;
/// The largest size of an address.
const LARGEST_ADDRESS: usize = 200;

/// A sequence of parts over functions.
#[derive(Debug)]
pub struct FunctionParts {
    /// For each part of the source, its translation.
    pub parts: Vec<Vec<Term>>,
    /// The array symbol of each function.
    arrays: FxHashMap<FunctionSymbol, Symbol>,
}

impl FunctionParts {
    /// Translates a sequence of parts over arrays.
    ///
    /// # Errors
    /// See [`EncodeError`].
    pub fn of(pool: &mut TermPool, theories: Theories, source: &[Vec<Term>]) -> Result<Self, EncodeError> {
        let occurrences = Occurrences::of(pool, source);
        let constants = constant_addresses(pool, source);
        let mut wanted: FxHashMap<Symbol, Vec<Term>> = FxHashMap::default();
        let mut definitions: FxHashMap<Symbol, Term> = FxHashMap::default();
        let mut parts = vec![Vec::new(); source.len()];
        let mut shared = Functions::new(theories);
        for (number, part) in source.iter().enumerate().rev() {
            let mut functions = shared.with_same_functions();
            let whole = pool.and(part);
            let translated = functions.conjoin(pool, whole)?;
            for conjunct in pool.conjuncts(&[translated]) {
                if let Some((symbol, value)) = scalar_definition(pool, conjunct) {
                    definitions.entry(symbol).or_insert(value);
                }
            }
            let mut conjuncts = vec![translated];
            let arrays = arrays_of(&functions);
            let is_legal = |symbol| occurrences.spans(symbol, number);
            let defined: Vec<Term> = functions.definitions().iter().map(|entry| entry.0).collect();
            for array in defined {
                let Op::Symbol(symbol) = pool.op(array) else { continue };
                if occurrences.last(symbol).is_none_or(|last| last <= number) {
                    continue;
                }
                let mut addresses: Vec<Term> = Vec::new();
                for &address in wanted.get(&symbol).into_iter().flatten().chain(&constants) {
                    if !is_index_of(pool, array, address) || addresses.len() >= MOST_ADDRESSES {
                        continue;
                    }
                    if let Some(named) = named(pool, address, &definitions, &arrays, &is_legal)
                        && !addresses.contains(&named)
                    {
                        addresses.push(named);
                    }
                }
                for address in addresses {
                    conjuncts.push(functions.frame(pool, array, address)?);
                }
            }
            for (symbol, address) in functions.read_addresses() {
                let addresses = wanted.entry(symbol).or_default();
                if !addresses.contains(&address) {
                    addresses.push(address);
                }
            }
            parts[number] = vec![pool.and(&conjuncts)];
            shared = functions;
        }
        Ok(FunctionParts { parts, arrays: arrays_of(&shared) })
    }

    /// A formula over functions as a formula over arrays: applications become reads.
    pub fn to_arrays(&self, pool: &mut TermPool, formula: Term) -> Term {
        let mut images: FxHashMap<Term, Term> = FxHashMap::default();
        let mut order = Vec::new();
        pool.visit(&[formula], |_| true, |term| order.push(term));
        for term in order {
            let children: Vec<Term> = pool.children(term).iter().map(|child| images[child]).collect();
            let image = match pool.op(term) {
                Op::Apply(function) if self.arrays.contains_key(&function) => {
                    let array = pool.symbol_term(self.arrays[&function]);
                    pool.select(array, children[0])
                }
                _ if pool.children(term) == children => term,
                _ => pool.rebuild(term, &children),
            };
            images.insert(term, image);
        }
        images[&formula]
    }
}

/// The array symbol of each function.
fn arrays_of(functions: &Functions) -> FxHashMap<FunctionSymbol, Symbol> {
    functions.functions().map(|(symbol, function)| (function, symbol)).collect()
}

/// The first and the last part in which each symbol occurs.
struct Occurrences(FxHashMap<Symbol, (usize, usize)>);

impl Occurrences {
    fn of(pool: &TermPool, source: &[Vec<Term>]) -> Self {
        let mut found: FxHashMap<Symbol, (usize, usize)> = FxHashMap::default();
        for (number, part) in source.iter().enumerate() {
            for symbol in pool.free_symbols_of(part) {
                found.entry(symbol).or_insert((number, number)).1 = number;
            }
        }
        Occurrences(found)
    }

    fn last(&self, symbol: Symbol) -> Option<usize> {
        self.0.get(&symbol).map(|span| span.1)
    }

    /// Whether the symbol occurs in this part, or before and after it.
    fn spans(&self, symbol: Symbol, part: usize) -> bool {
        self.0.get(&symbol).is_some_and(|&(first, last)| first <= part && part <= last)
    }
}

/// `address` over legal symbols; `None` if it has no such form.
fn named(
    pool: &mut TermPool,
    address: Term,
    definitions: &FxHashMap<Symbol, Term>,
    arrays: &FxHashMap<FunctionSymbol, Symbol>,
    is_legal: &dyn Fn(Symbol) -> bool,
) -> Option<Term> {
    let mut address = address;
    for _ in 0..MOST_SUBSTITUTIONS {
        if pool.dag_size(address) > LARGEST_ADDRESS {
            return None;
        }
        let mut illegal = pool.free_symbols(address);
        illegal.retain(|&symbol| !is_legal(symbol));
        if illegal.is_empty() {
            let functions = pool.free_functions_of(&[address]);
            let is_known =
                functions.iter().all(|function| arrays.get(function).is_none_or(|&array| is_legal(array)));
            return is_known.then_some(address);
        }
        let mut images: FxHashMap<Term, Term> = FxHashMap::default();
        for symbol in illegal {
            let value = *definitions.get(&symbol)?;
            images.insert(pool.symbol_term(symbol), value);
        }
        address = pool.map_leaves(address, &mut |_, leaf| images.get(&leaf).copied());
    }
    None
}

/// The constant indices of arrays.
fn constant_addresses(pool: &TermPool, source: &[Vec<Term>]) -> Vec<Term> {
    let roots: Vec<Term> = source.iter().flatten().copied().collect();
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    pool.visit(
        &roots,
        |_| true,
        |term| {
            if matches!(pool.op(term), Op::Select | Op::Store) {
                let index = pool.children(term)[1];
                if pool.is_constant(index) && seen.insert(index) {
                    found.push(index);
                }
            }
        },
    );
    found
}

fn is_index_of(pool: &TermPool, array: Term, index: Term) -> bool {
    match pool.sort(array) {
        Sort::Array(sort) => pool.array_sort_parts(sort).0 == pool.sort(index),
        _ => false,
    }
}

/// The symbol and the value if the conjunct defines a symbol.
fn scalar_definition(pool: &TermPool, conjunct: Term) -> Option<(Symbol, Term)> {
    if pool.op(conjunct) != Op::Eq {
        return None;
    }
    let (left, right) = (pool.children(conjunct)[0], pool.children(conjunct)[1]);
    [(left, right), (right, left)].into_iter().find_map(|(defined, value)| match pool.op(defined) {
        Op::Symbol(symbol) if !pool.free_symbols(value).contains(&symbol) => Some((symbol, value)),
        _ => None,
    })
}
