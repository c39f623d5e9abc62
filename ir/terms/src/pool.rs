//! The pool of hash-consed terms: storage, tables and leaves.
//!
//! # Idea
//! A term is a row of [`NodeArena`]. A hash table over (operator, sort of leaves, children) finds
//! existing rows, so syntactic equality is equality of handles. Children exist before their parent,
//! so **ids ascend from leaves to roots**: a loop over ascending ids is a bottom-up traversal
//! without recursion.
//!
//! Constants, symbols and functions live in side tables; a node holds their id. The simplifying
//! constructors are in the sibling modules `boolean`, `bv`, `arith`, …; all of them end in
//! `TermPool::intern`.
//!
//! # Determinism
//! Hash tables are only looked up, never iterated. Ids, and every order derived from them, depend
//! only on the sequence of calls.

use super::arena::NodeArena;
use super::constants::Constants;
use super::table::NodeTable;
use super::{ArraySort, FunctionSymbol, Op, Sort, Symbol};
use crate::entity::PrimaryMap;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

crate::entity! {
    /// A term of a [`TermPool`].
    Term, "t"
}

/// How an integer encoding represents a bit-vector symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, serde::Serialize, serde::Deserialize)]
pub enum Representation {
    /// As an integer in `[-2^(w-1), 2^(w-1))`.
    #[default]
    Signed,
    /// As an integer in `[0, 2^w)`.
    Unsigned,
}

/// A free constant.
#[derive(Clone, Debug)]
pub struct SymbolData {
    /// The name, unquoted.
    pub name: String,
    /// The sort.
    pub sort: Sort,
    /// The representation in integer encodings; set by the first declaration of the symbol.
    pub representation: Representation,
}

struct FunctionData {
    name: String,
    arguments: Box<[Sort]>,
    result: Sort,
}

fn hash_str(name: &str) -> u64 {
    let mut hasher = FxHasher::default();
    name.hash(&mut hasher);
    hasher.finish()
}

/// A pool of hash-consed terms.
///
/// Terms live as long as the pool; single terms are never freed. All constructors panic on
/// ill-sorted arguments, which are a bug of the caller: user input is sort-checked where it is read
/// (see [`signature`](super::signature)).
pub struct TermPool {
    pub(super) nodes: NodeArena,
    table: NodeTable,
    pub(super) constants: Constants,
    symbols: PrimaryMap<Symbol, SymbolData>,
    /// Symbols by the hash of their name alone, so that `fresh_symbol` detects a name clash of any
    /// sort.
    symbol_table: HashTable<Symbol>,
    functions: PrimaryMap<FunctionSymbol, FunctionData>,
    function_table: HashTable<FunctionSymbol>,
    array_sorts: IndexSet<(Sort, Sort), FxBuildHasher>,
    uninterpreted_sorts: IndexSet<String, FxBuildHasher>,
    bound_names: IndexSet<String, FxBuildHasher>,
    /// The next suffix to try for each prefix of `fresh_symbol`.
    fresh: FxHashMap<String, u64>,
    /// Symbols marked by `mark_computed`.
    computed: FxHashSet<Symbol>,
    /// The nesting depth of simplifications in progress, see `nested`.
    depth: u32,
}

/// The nesting depth at which simplifications that call constructors stop. It bounds both the stack
/// and the work of one call.
const MAX_DEPTH: u32 = 12;

impl Default for TermPool {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for TermPool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TermPool").field("terms", &self.len()).finish_non_exhaustive()
    }
}

pub(super) const TRUE: Term = Term(0);
pub(super) const FALSE: Term = Term(1);

impl TermPool {
    /// Creates a pool that contains only `true` and `false`.
    pub fn new() -> Self {
        let mut pool = TermPool {
            nodes: NodeArena::new(),
            table: NodeTable::default(),
            constants: Constants::default(),
            symbols: PrimaryMap::new(),
            symbol_table: HashTable::new(),
            functions: PrimaryMap::new(),
            function_table: HashTable::new(),
            array_sorts: IndexSet::default(),
            uninterpreted_sorts: IndexSet::default(),
            bound_names: IndexSet::default(),
            fresh: FxHashMap::default(),
            computed: FxHashSet::default(),
            depth: 0,
        };
        let tru = pool.intern(Op::True, Sort::Bool, &[]);
        let fls = pool.intern(Op::False, Sort::Bool, &[]);
        assert!(tru == TRUE && fls == FALSE);
        pool
    }

    /// Returns the number of distinct terms. Their handles are `Term(0)` to `Term(len - 1)`,
    /// children before parents.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns false: every pool contains `true` and `false`.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Estimates the memory of the nodes and their hash table in bytes.
    pub fn memory(&self) -> usize {
        self.nodes.bytes() + self.table.bytes()
    }

    /// Interns the term with this operator and these children, without simplification. The caller
    /// has simplified and computed the sort.
    #[inline]
    pub(super) fn intern(&mut self, op: Op, sort: Sort, children: &[Term]) -> Term {
        let mut hasher = FxHasher::default();
        op.hash(&mut hasher);
        if children.is_empty() {
            // The sort of every other node follows from its operator and children.
            sort.hash(&mut hasher);
        }
        for child in children {
            hasher.write_u32(child.0);
        }
        let hash = (hasher.finish() >> 16) as u32;
        let nodes = &self.nodes;
        match self.table.find(hash, children, |term| nodes.is(term, op, sort, children)) {
            Ok(term) => term,
            Err(place) => {
                let term = self.nodes.push(op, sort, children);
                self.table.insert(place, hash, term);
                term
            }
        }
    }

    /// Runs a simplification that calls constructors again; returns `None` at nesting depth
    /// `MAX_DEPTH`.
    #[inline]
    pub(super) fn nested(&mut self, rule: impl FnOnce(&mut Self) -> Option<Term>) -> Option<Term> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        result
    }

    // ---- accessors ----

    /// The operator at the root of `term`.
    #[inline]
    pub fn op(&self, term: Term) -> Op {
        self.nodes.op(term)
    }

    /// The children of `term`, each older than `term`.
    #[inline]
    pub fn children(&self, term: Term) -> &[Term] {
        self.nodes.children(term)
    }

    /// The sort of `term`.
    #[inline]
    pub fn sort(&self, term: Term) -> Sort {
        self.nodes.sort(term)
    }

    /// The width of a bit-vector term.
    ///
    /// # Panics
    /// If `term` is not a bit vector.
    #[inline]
    pub fn width(&self, term: Term) -> u32 {
        match self.sort(term) {
            Sort::BitVec(width) => width,
            sort => panic!("{term} should be a bit vector but is of sort {sort:?}"),
        }
    }

    /// The name, sort and representation of a free constant.
    pub fn symbol_data(&self, symbol: Symbol) -> &SymbolData {
        &self.symbols[symbol]
    }

    /// The number of symbols declared in this pool; their handles are `Symbol(0)` to
    /// `Symbol(count - 1)`.
    pub fn symbol_count(&self) -> usize {
        self.symbols.len()
    }

    /// The name, argument sorts and result sort of an uninterpreted function.
    pub fn function_data(&self, function: FunctionSymbol) -> (&str, &[Sort], Sort) {
        let data = &self.functions[function];
        (&data.name, &data.arguments, data.result)
    }

    /// The index sort and the element sort of an array sort.
    pub fn array_sort_parts(&self, sort: ArraySort) -> (Sort, Sort) {
        self.array_sorts[sort.0 as usize]
    }

    /// The name of the uninterpreted sort `Sort::Uninterpreted(index)`.
    pub fn uninterpreted_sort_name(&self, index: u32) -> &str {
        &self.uninterpreted_sorts[index as usize]
    }

    /// The index of the uninterpreted sort `name`, if declared.
    pub fn find_uninterpreted_sort(&self, name: &str) -> Option<u32> {
        self.uninterpreted_sorts.get_index_of(name).map(|index| index as u32)
    }

    /// The name of the bound variable `Op::Bound(id)`.
    pub fn bound_name(&self, id: u32) -> &str {
        &self.bound_names[id as usize]
    }

    // ---- sorts and symbols ----

    /// The sort of arrays from `index` to `element`.
    pub fn array_sort(&mut self, index: Sort, element: Sort) -> Sort {
        let (id, _) = self.array_sorts.insert_full((index, element));
        Sort::Array(ArraySort(id as u32))
    }

    /// The uninterpreted sort `name` (interned).
    pub fn uninterpreted_sort(&mut self, name: &str) -> Sort {
        Sort::Uninterpreted(intern_name(&mut self.uninterpreted_sorts, name))
    }

    /// The function `name` with this signature (interned).
    ///
    /// # Panics
    /// If `arguments` is empty; a function of arity 0 is a [`symbol`](Self::symbol).
    pub fn function_symbol(&mut self, name: &str, arguments: &[Sort], result: Sort) -> FunctionSymbol {
        assert!(!arguments.is_empty(), "the function {name} should have an argument");
        let functions = &self.functions;
        let entry = self.function_table.entry(
            hash_str(name),
            |&f| {
                let data = &functions[f];
                data.name == name && *data.arguments == *arguments && data.result == result
            },
            |&f| hash_str(&functions[f].name),
        );
        match entry {
            Entry::Occupied(found) => *found.get(),
            Entry::Vacant(vacant) => {
                vacant.insert(functions.next_key());
                self.functions.push(FunctionData {
                    name: name.to_owned(),
                    arguments: arguments.into(),
                    result,
                })
            }
        }
    }

    /// The free constant `name` of `sort` (interned), with the signed representation if it is new.
    pub fn symbol(&mut self, name: &str, sort: Sort) -> Term {
        self.symbol_with(name, sort, Representation::Signed)
    }

    /// The free constant `name` of `sort` (interned), with the given representation if it is new.
    pub fn symbol_with(&mut self, name: &str, sort: Sort, representation: Representation) -> Term {
        let symbols = &self.symbols;
        let entry = self.symbol_table.entry(
            hash_str(name),
            |&s| symbols[s].sort == sort && symbols[s].name == name,
            |&s| hash_str(&symbols[s].name),
        );
        let symbol = match entry {
            Entry::Occupied(found) => *found.get(),
            Entry::Vacant(vacant) => {
                vacant.insert(symbols.next_key());
                self.symbols.push(SymbolData { name: name.to_owned(), sort, representation })
            }
        };
        self.intern(Op::Symbol(symbol), sort, &[])
    }

    /// The leaf term of a symbol of this pool.
    pub fn symbol_term(&mut self, symbol: Symbol) -> Term {
        let sort = self.symbols[symbol].sort;
        self.intern(Op::Symbol(symbol), sort, &[])
    }

    /// Marks a free constant as a computed value, such as a state variable, as opposed to an input
    /// chosen from its sort. Has no effect on other terms.
    pub fn mark_computed(&mut self, symbol: Term) {
        if let Op::Symbol(symbol) = self.op(symbol) {
            self.computed.insert(symbol);
        }
    }

    /// Whether the symbol is marked as a computed value. An integer encoding that ignores overflow
    /// may then assume no range for it.
    pub fn is_computed(&self, symbol: Symbol) -> bool {
        self.computed.contains(&symbol)
    }

    /// Declares a fresh free constant: its name is `prefix` with a suffix that makes it unused in
    /// this pool.
    pub fn fresh_symbol(&mut self, prefix: &str, sort: Sort, representation: Representation) -> Term {
        let name = self.fresh_name(prefix);
        self.symbol_with(&name, sort, representation)
    }

    /// Declares a fresh function: its name is `prefix` with a suffix that makes it unused in this
    /// pool.
    ///
    /// # Panics
    /// If `arguments` is empty.
    pub fn fresh_function(&mut self, prefix: &str, arguments: &[Sort], result: Sort) -> FunctionSymbol {
        let name = self.fresh_name(prefix);
        self.function_symbol(&name, arguments, result)
    }

    fn fresh_name(&mut self, prefix: &str) -> String {
        let mut suffix = self.fresh.get(prefix).copied().unwrap_or(0);
        let name = loop {
            let name = format!("{prefix}!{suffix}");
            suffix += 1;
            let hash = hash_str(&name);
            if self.symbol_table.find(hash, |&s| self.symbols[s].name == name).is_none()
                && self.function_table.find(hash, |&f| self.functions[f].name == name).is_none()
            {
                break name;
            }
        };
        match self.fresh.get_mut(prefix) {
            Some(next) => *next = suffix,
            None => {
                self.fresh.insert(prefix.to_owned(), suffix);
            }
        }
        name
    }

    /// The leaf of value number `index` of an IR function.
    pub fn value(&mut self, index: u32, sort: Sort) -> Term {
        self.intern(Op::Value(index), sort, &[])
    }

    pub(super) fn has_bound_name(&self, name: &str) -> bool {
        self.bound_names.contains(name)
    }

    /// The bound variable `name` of `sort`, for use under a quantifier that binds it.
    pub fn bound(&mut self, name: &str, sort: Sort) -> Term {
        let id = intern_name(&mut self.bound_names, name);
        self.intern(Op::Bound(id), sort, &[])
    }
}

fn intern_name(names: &mut IndexSet<String, FxBuildHasher>, name: &str) -> u32 {
    let id = match names.get_index_of(name) {
        Some(id) => id,
        None => names.insert_full(name.to_owned()).0,
    };
    id as u32
}
