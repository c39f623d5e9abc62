//! Arrays.
//!
//! The lazy array solver of Yices is slow on the long chains of writes that unrolled programs make. So a read is resolved here:
//!
//! ```text
//! select(store(a, i, v), j)  =  ite(i = j, v, select(a, j))
//! select(ite(c, a, b), j)    =  ite(c, select(a, j), select(b, j))
//! select((const v), j)       =  v
//! ```
//!
//! and each read of a free array `a` is a fresh constant, functional by Ackermann's constraints `j = k ⇒ a_j = a_k`, which
//! fold to true for distinct constants. What is left is free of arrays and functions, so the bit-blasting solver alone can
//! do it. Each pair of array node and index is resolved once. Cost: pairs of reads and writes, in the worst case quadratic; what
//! indices fold to constants costs nothing. Only one array symbol with many reads at unknown indices, and all arrays once
//! [`PAIRS`] pairs are resolved, are given to the array solver instead, which is exact too.
//!
//! *Equations* between arrays do go to the array solver: there arrays are functions of one argument, and a read of an array symbol is an
//! application. Yices has no constant arrays: `(const v)` in an equation becomes a fresh function `f` with the instance
//! `f(j) = v` for every index `j` of that sort that is read anywhere in this prover, before or later. That is complete if nothing depends
//! on other indices. An equation `a = t` that *defines* the symbol `a` is harmless, since some `a` always satisfies it; any
//! other equation together with constant arrays makes [`Arrays::is_exact`] false, and then "satisfiable" is not an answer
//! (unsatisfiable stays one).

use crate::features::Features;
use crate::ffi::{Api, YTerm};
use crate::translate::{Translator, UNKNOWN};
use backends::Reason;
use ir::term::{Op, Sort, Symbol, Term, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many pairs of an array node and an index are resolved.
const PAIRS: usize = 8_000_000;
/// How many Ackermann constraints one array symbol gets.
const CONSTRAINTS: usize = 20_000;

/// What is known of the arrays of a prover.
#[derive(Default)]
pub(crate) struct Arrays {
    /// Resolved reads: value and depth.
    reads: FxHashMap<(Term, YTerm), (YTerm, u32)>,
    symbols: FxHashMap<Symbol, SymbolUse>,
    /// Array terms as functions, where they are needed as such.
    functions: FxHashMap<Term, YTerm>,
    sorts: FxHashMap<Sort, SortUse>,
    /// Facts that hold at every moment. Only grows.
    instances: Vec<YTerm>,
    instance_depth: u32,
    has_constant_functions: bool,
    has_undefining_equation: bool,
    defined: FxHashSet<Term>,
    features: Features,
}

/// The reads of an array symbol.
#[derive(Default)]
struct SymbolUse {
    /// Index, element, depth of the index.
    reads: Vec<(YTerm, YTerm, u32)>,
    constraints: usize,
    /// The symbol as a function, once it is one.
    function: Option<YTerm>,
}

/// What concerns all arrays of one sort that are functions.
#[derive(Default)]
struct SortUse {
    /// With depths.
    indices: Vec<(YTerm, u32)>,
    seen: FxHashSet<YTerm>,
    /// Function, element, depth of the element.
    constants: Vec<(YTerm, YTerm, u32)>,
}

impl Arrays {
    /// Facts to assert along with whatever was translated; only ever grows.
    pub(crate) fn instances(&self) -> &[YTerm] {
        &self.instances
    }

    /// The largest depth of an instance.
    pub(crate) fn instance_depth(&self) -> u32 {
        self.instance_depth
    }

    /// Whether there are any arrays.
    pub(crate) fn is_used(&self) -> bool {
        !(self.reads.is_empty() && self.functions.is_empty())
    }

    /// Whether a model of the translation is one of the formulas.
    pub(crate) fn is_exact(&self) -> bool {
        !(self.has_constant_functions && self.has_undefining_equation)
    }

    /// The reads of an array symbol: indices and elements.
    pub(crate) fn reads_of(&self, symbol: Symbol) -> Vec<(YTerm, YTerm)> {
        self.symbols
            .get(&symbol)
            .map(|uses| uses.reads.iter().map(|&(index, element, _)| (index, element)).collect())
            .unwrap_or_default()
    }

    /// What the instances need.
    pub(crate) fn features(&self) -> Features {
        self.features
    }

    /// Notes what something needs that instances were made for.
    pub(crate) fn need(&mut self, features: Features) {
        self.features = self.features.union(features);
    }

    fn add_instance(&mut self, instance: YTerm, depth: u32) {
        self.instances.push(instance);
        self.instance_depth = self.instance_depth.max(depth);
    }
}

impl Translator {
    /// `select(array, index)` and its depth. Everything that `array` and `index` depend on is translated.
    pub(crate) fn read(
        &mut self,
        api: &Api,
        pool: &TermPool,
        array: Term,
        index: Term,
    ) -> Result<(YTerm, u32), Reason> {
        let (at, at_depth) = (self.node(index).term, self.node(index).depth);
        let mut stack = vec![array];
        while let Some(&node) = stack.last() {
            if self.arrays.reads.contains_key(&(node, at)) {
                stack.pop();
                continue;
            }
            let children = pool.children(node);
            let term = |translator: &Self, i: usize| translator.node(children[i]).term;
            let depth = |translator: &Self, i: usize| translator.node(children[i]).depth;
            let known =
                |translator: &Self, i: usize| translator.arrays.reads.get(&(children[i], at)).copied();
            let result = match pool.op(node) {
                _ if self.arrays.reads.len() > PAIRS => {
                    let function = self.function(api, pool, node)?;
                    self.note_index(api, pool.sort(node), at, at_depth);
                    (api.select(function, at), self.node(node).depth.max(at_depth) + 1)
                }
                Op::Store => {
                    let is_here = api.eq(term(self, 1), at);
                    if is_here == api.tru() {
                        (term(self, 2), depth(self, 2))
                    } else if let Some((before, before_depth)) = known(self, 0) {
                        if is_here == api.fls() {
                            (before, before_depth)
                        } else {
                            let condition_depth = depth(self, 1).max(at_depth) + 1;
                            let depth = condition_depth.max(depth(self, 2)).max(before_depth) + 1;
                            (api.ite(is_here, term(self, 2), before), depth)
                        }
                    } else {
                        stack.push(children[0]);
                        continue;
                    }
                }
                Op::Ite => {
                    let condition = term(self, 0);
                    match (known(self, 1), known(self, 2)) {
                        (Some((then, _)), Some((otherwise, otherwise_depth))) if then == otherwise => {
                            (otherwise, otherwise_depth)
                        }
                        (Some((then, then_depth)), Some((otherwise, otherwise_depth))) => {
                            let depth = depth(self, 0).max(then_depth).max(otherwise_depth) + 1;
                            (api.ite(condition, then, otherwise), depth)
                        }
                        (then, otherwise) => {
                            stack.extend(then.is_none().then_some(children[1]));
                            stack.extend(otherwise.is_none().then_some(children[2]));
                            continue;
                        }
                    }
                }
                Op::ConstArray(_) => (term(self, 0), depth(self, 0)),
                Op::Symbol(symbol) => {
                    (self.read_symbol(api, pool, (node, symbol), at, at_depth)?, at_depth + 1)
                }
                Op::Select => return Err(Reason::Unsupported("arrays of arrays".to_owned())),
                other => return Err(Reason::Unsupported(format!("arrays made by {other:?}"))),
            };
            if result.0 < 0 {
                return Err(Reason::Fault(api.error()));
            }
            self.arrays.reads.insert((node, at), result);
            stack.pop();
        }
        Ok(self.arrays.reads[&(array, at)])
    }

    fn read_symbol(
        &mut self,
        api: &Api,
        pool: &TermPool,
        (array, symbol): (Term, Symbol),
        at: YTerm,
        depth: u32,
    ) -> Result<YTerm, Reason> {
        let Sort::Array(sort) = pool.sort(array) else {
            return Err(Reason::Fault("a read of something that is not an array".to_owned()));
        };
        if self.arrays.symbols.get(&symbol).is_some_and(|uses| uses.constraints > CONSTRAINTS) {
            self.function(api, pool, array)?;
        }
        let (_, element) = pool.array_sort_parts(sort);
        if matches!(element, Sort::Array(_)) {
            return Err(Reason::Unsupported("arrays of arrays".to_owned()));
        }
        let ty = self.sort(api, pool, element)?;
        let uses = self.arrays.symbols.entry(symbol).or_default();
        if let Some(function) = uses.function {
            self.features = self.features.union(Features::ARRAYS);
            let read = api.select(function, at);
            uses.reads.push((at, read, depth));
            self.note_index(api, pool.sort(array), at, depth);
            return Ok(read);
        }
        let read = api.new_constant(ty);
        let mut constraints = Vec::new();
        for &(other, other_read, other_depth) in &uses.reads {
            let is_same = api.eq(at, other);
            if is_same != api.fls() {
                let constraint = api.or(&mut [api.not(is_same), api.eq(read, other_read)]);
                constraints.push((constraint, depth.max(other_depth) + 3));
            }
        }
        uses.reads.push((at, read, depth));
        uses.constraints += constraints.len();
        for (constraint, depth) in constraints {
            self.arrays.add_instance(constraint, depth);
        }
        Ok(read)
    }

    /// The equation of two arrays, whose parts are translated.
    pub(crate) fn array_equation(
        &mut self,
        api: &Api,
        pool: &TermPool,
        left: Term,
        right: Term,
    ) -> Result<YTerm, Reason> {
        let is_symbol = |term| matches!(pool.op(term), Op::Symbol(_));
        // A cycle of definitions, `a = store(a, …)`, cannot be told from a definition here; the formulas of this project have none.
        let is_definition = (is_symbol(left) && self.arrays.defined.insert(left))
            || (is_symbol(right) && self.arrays.defined.insert(right));
        self.arrays.has_undefining_equation |= !is_definition;
        let (left, right) = (self.function(api, pool, left)?, self.function(api, pool, right)?);
        Ok(api.eq(left, right))
    }

    /// The array `root` as a function.
    fn function(&mut self, api: &Api, pool: &TermPool, root: Term) -> Result<YTerm, Reason> {
        self.need(Features::ARRAYS);
        let mut stack = vec![root];
        while let Some(&node) = stack.last() {
            if self.arrays.functions.contains_key(&node) {
                stack.pop();
                continue;
            }
            let children = pool.children(node);
            let before = stack.len();
            stack.extend(children.iter().filter(|&&child| {
                matches!(pool.sort(child), Sort::Array(_)) && !self.arrays.functions.contains_key(&child)
            }));
            if stack.len() > before {
                continue;
            }
            let child = |i: usize| match self.arrays.functions.get(&children[i]) {
                Some(&function) => function,
                None => self.node(children[i]).term,
            };
            let sort = pool.sort(node);
            let built = match pool.op(node) {
                Op::Store => api.store(child(0), child(1), child(2)),
                Op::Ite => api.ite(child(0), child(1), child(2)),
                Op::ConstArray(_) => {
                    let (value, depth) = (child(0), self.node(children[0]).depth);
                    let ty = self.sort(api, pool, sort)?;
                    let function = api.new_constant(ty);
                    self.note_constant(api, sort, function, value, depth);
                    function
                }
                Op::Symbol(symbol) => {
                    let ty = self.sort(api, pool, sort)?;
                    let function = api.new_constant(ty);
                    let uses = self.arrays.symbols.entry(symbol).or_default();
                    uses.function = Some(function);
                    for (index, element, depth) in std::mem::take(&mut uses.reads) {
                        let is_read = api.eq(api.select(function, index), element);
                        self.arrays.add_instance(is_read, depth + 2);
                        self.note_index(api, sort, index, depth);
                        let uses = self.arrays.symbols.entry(symbol).or_default();
                        uses.reads.push((index, element, depth));
                    }
                    function
                }
                other => return Err(Reason::Unsupported(format!("arrays made by {other:?}"))),
            };
            if built < 0 {
                return Err(Reason::Fault(api.error()));
            }
            debug_assert_ne!(built, UNKNOWN);
            self.arrays.functions.insert(node, built);
            stack.pop();
        }
        Ok(self.arrays.functions[&root])
    }

    fn note_index(&mut self, api: &Api, sort: Sort, index: YTerm, depth: u32) {
        let uses = self.arrays.sorts.entry(sort).or_default();
        if !uses.seen.insert(index) {
            return;
        }
        uses.indices.push((index, depth));
        let instances: Vec<_> = uses
            .constants
            .iter()
            .map(|&(function, value, value_depth)| {
                (api.eq(api.select(function, index), value), depth.max(value_depth) + 2)
            })
            .collect();
        for (instance, depth) in instances {
            self.arrays.add_instance(instance, depth);
        }
    }

    fn note_constant(&mut self, api: &Api, sort: Sort, function: YTerm, value: YTerm, value_depth: u32) {
        self.arrays.has_constant_functions = true;
        let uses = self.arrays.sorts.entry(sort).or_default();
        uses.constants.push((function, value, value_depth));
        let instances: Vec<_> = uses
            .indices
            .iter()
            .map(|&(index, depth)| (api.eq(api.select(function, index), value), depth.max(value_depth) + 2))
            .collect();
        for (instance, depth) in instances {
            self.arrays.add_instance(instance, depth);
        }
    }
}
