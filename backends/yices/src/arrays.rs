//! Arrays.
//!
//! The lazy array solver of Yices is slow on the long chains of writes that unrolled programs
//! produce. So reads are resolved here:
//!
//! ```text
//! select(store(a, i, v), j)  =  ite(i = j, v, select(a, j))
//! select(ite(c, a, b), j)    =  ite(c, select(a, j), select(b, j))
//! select((const v), j)       =  v
//! ```
//!
//! Each read of a free array `a` becomes a fresh constant, functional by Ackermann's constraints
//! `j = k ⇒ a_j = a_k`, which fold to true for distinct constants. The result is free of arrays and
//! functions, so the bit-blasting solver alone can decide it. Each pair of array node and index is
//! resolved once. Cost: one step per pair of a read and a write, in the worst case quadratic;
//! indices that fold to constants cost nothing. Only an array symbol with many reads at unknown
//! indices, and all arrays once [`PAIRS`] pairs are resolved, go to the array solver instead, which
//! is exact too.
//!
//! *Equations* between arrays go to the array solver: there, arrays are functions of one argument,
//! and a read of an array symbol is an application. Yices has no constant arrays. `(const v)` in an
//! equation becomes a fresh function `f` with the instance `f(j) = v` for every *known* index `j`
//! of that sort, that is, every index that occurs in this prover, before or later: in reads, in
//! writes, and as the index where the sides of an equation differ, for which each equation gets a
//! fresh constant. All other indices are indistinguishable. For them, each array has a *default*
//! (de Moura, Bjørner, *Generalized, Efficient Array Decision Procedures*, FMCAD 2009): a fresh
//! constant for a symbol, `v` for `(const v)`, the default of the written array for a write; equal
//! arrays have equal defaults. So a model of the translation is a model of the formulas, if an
//! array symbol has its elements at the known indices and its default elsewhere.
//!
//! The default presumes that there is another index. For a small index sort ([`SMALL`]), all
//! indices become known instead; for a larger bit-vector sort, as many known indices as there are
//! values are [`Reason::Unsupported`]. An uninterpreted index sort may have any number of elements,
//! so its equations, together with constant arrays, get no defaults but make [`Arrays::is_exact`]
//! false; then "satisfiable" is inconclusive ("unsatisfiable" is not).
//!
//! The value of an array symbol in a model consists of its reads, if it is only read; of the
//! function that Yices returns, if it is a function; and of known indices and default, if there are
//! constant arrays of its sort.

use crate::features::Features;
use crate::ffi::{Api, YTerm};
use crate::translate::Translator;
use backends::Reason;
use rustc_hash::{FxHashMap, FxHashSet};
use terms::{Op, Sort, Symbol, Term, TermPool};

/// The maximal number of resolved pairs of an array node and an index.
const PAIRS: usize = 8_000_000;
/// The maximal number of Ackermann constraints for one array symbol.
const CONSTRAINTS: usize = 20_000;
/// The maximal width of index bit vectors that are enumerated.
const SMALL: u32 = 6;

/// The state of the arrays of a prover.
#[derive(Default)]
pub(crate) struct Arrays {
    /// Resolved reads: value and depth.
    reads: FxHashMap<(Term, YTerm), (YTerm, u32)>,
    symbols: FxHashMap<Symbol, SymbolUse>,
    /// Array terms as functions, for those that are needed as functions.
    functions: FxHashMap<Term, Function>,
    sorts: FxHashMap<Sort, SortUse>,
    /// Facts that always hold. Only grows.
    instances: Vec<YTerm>,
    instance_depth: u32,
    /// Whether there are constant arrays and equations for an uninterpreted index sort.
    is_inexact: bool,
    features: Features,
}

/// The reads of an array symbol.
#[derive(Default)]
struct SymbolUse {
    /// Index, element, depth of the index.
    reads: Vec<(YTerm, YTerm, u32)>,
    constraints: usize,
    /// The symbol as a function, if it is one.
    function: Option<Function>,
}

/// An array as a function of Yices.
#[derive(Clone, Copy)]
struct Function {
    term: YTerm,
    /// The element at all unknown indices, if there are constant arrays of its sort.
    default: YTerm,
}

/// The origin of the value of an array symbol.
pub(crate) enum ArraySource {
    /// Indices and elements, alternating.
    Reads(Vec<YTerm>),
    Function(YTerm),
    /// Indices and elements, alternating, and the element everywhere else.
    Known(Vec<YTerm>, YTerm),
}

/// The state of all arrays of one sort that are functions.
#[derive(Default)]
struct SortUse {
    /// Indices and their depths.
    indices: Vec<(YTerm, u32)>,
    seen: FxHashSet<YTerm>,
    /// Function, element, depth of the element.
    constants: Vec<(YTerm, YTerm, u32)>,
    /// Equations without witnesses, while there are no constant arrays.
    equations: Vec<Equation>,
}

struct Equation {
    term: YTerm,
    sides: [Function; 2],
    depth: u32,
}

impl Arrays {
    /// Facts to assert along with translated formulas; only grows.
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

    /// Whether every model of the translation is a model of the formulas.
    pub(crate) fn is_exact(&self) -> bool {
        !self.is_inexact
    }

    /// The constants and functions that represent array symbols and their reads.
    pub(crate) fn constants(&self) -> impl Iterator<Item = YTerm> {
        self.symbols.values().flat_map(|uses| {
            let reads = uses.reads.iter().map(|&(_, read, _)| read);
            uses.function.map(|function| function.term).into_iter().chain(reads)
        })
    }

    /// The origin of the value of the array symbol `symbol` of the sort `sort`.
    pub(crate) fn source(&self, api: &Api, symbol: Symbol, sort: Sort) -> ArraySource {
        let Some(uses) = self.symbols.get(&symbol) else { return ArraySource::Reads(Vec::new()) };
        match (uses.function, self.sorts.get(&sort)) {
            (None, _) => {
                ArraySource::Reads(uses.reads.iter().flat_map(|&(index, read, _)| [index, read]).collect())
            }
            (Some(function), Some(known)) if !known.constants.is_empty() => {
                let read = |&(index, _): &(YTerm, u32)| [index, api.select(function.term, index)];
                ArraySource::Known(known.indices.iter().flat_map(read).collect(), function.default)
            }
            (Some(function), _) => ArraySource::Function(function.term),
        }
    }

    /// The features that the instances need.
    pub(crate) fn features(&self) -> Features {
        self.features
    }

    /// Adds the features of terms for which instances were created.
    pub(crate) fn need(&mut self, features: Features) {
        self.features = self.features.union(features);
    }

    fn add_instance(&mut self, instance: YTerm, depth: u32) {
        self.instances.push(instance);
        self.instance_depth = self.instance_depth.max(depth);
    }
}

impl Translator {
    /// `select(array, index)` and its depth. All children of `array` and `index` must be
    /// translated.
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
                    self.note_index(api, pool, pool.sort(node), at, at_depth)?;
                    (api.select(function.term, at), self.node(node).depth.max(at_depth) + 1)
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
            return Err(Reason::Fault("a read of a term that is not an array".to_owned()));
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
            let read = api.select(function.term, at);
            uses.reads.push((at, read, depth));
            self.note_index(api, pool, pool.sort(array), at, depth)?;
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
        let sort = pool.sort(left);
        let depth = self.node(left).depth.max(self.node(right).depth) + 1;
        let sides = [self.function(api, pool, left)?, self.function(api, pool, right)?];
        let mut term = api.eq(sides[0].term, sides[1].term);
        if term != api.tru() && term != api.fls() {
            // Yices cannot always evaluate equations between functions, so a constant represents
            // the equation. As one equivalence, Yices would replace the constant again.
            let is_equal = api.new_constant(api.bool_type());
            self.arrays.add_instance(api.or(&mut [api.not(is_equal), term]), depth + 2);
            self.arrays.add_instance(api.or(&mut [is_equal, api.not(term)]), depth + 2);
            term = is_equal;
            self.arrays.sorts.entry(sort).or_default().equations.push(Equation { term, sides, depth });
            self.witness(api, pool, sort)?;
        }
        Ok(term)
    }

    /// If there are constant arrays of the sort, adds to each equation of the sort without witness
    /// an index at which its sides differ unless they are equal, and the constraint that equal
    /// sides have equal defaults.
    fn witness(&mut self, api: &Api, pool: &TermPool, sort: Sort) -> Result<(), Reason> {
        let uses = self.arrays.sorts.entry(sort).or_default();
        if uses.constants.is_empty() {
            return Ok(());
        }
        let equations = std::mem::take(&mut uses.equations);
        let (index, _) = parts(pool, sort)?;
        if matches!(index, Sort::Uninterpreted(_)) {
            self.arrays.is_inexact |= !equations.is_empty();
            return Ok(());
        }
        let ty = self.sort(api, pool, index)?;
        for Equation { term, sides: [left, right], depth } in equations {
            let index = api.new_constant(ty);
            let is_same = api.eq(api.select(left.term, index), api.select(right.term, index));
            self.arrays.add_instance(api.or(&mut [term, api.not(is_same)]), depth + 3);
            if small_values(api, sort, pool)?.is_none() {
                let has_same = api.eq(left.default, right.default);
                self.arrays.add_instance(api.or(&mut [api.not(term), has_same]), depth + 3);
            }
            self.note_index(api, pool, sort, index, 0)?;
        }
        Ok(())
    }

    /// The array `root` as a function.
    fn function(&mut self, api: &Api, pool: &TermPool, root: Term) -> Result<Function, Reason> {
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
            let term = |translator: &Self, i: usize| translator.node(children[i]).term;
            let function = |translator: &Self, i: usize| translator.arrays.functions[&children[i]];
            let sort = pool.sort(node);
            let (index, element) = parts(pool, sort)?;
            if matches!(index, Sort::Array(_)) || matches!(element, Sort::Array(_)) {
                return Err(Reason::Unsupported("arrays of arrays".to_owned()));
            }
            let built = match pool.op(node) {
                Op::Store => {
                    let written = function(self, 0);
                    let at = term(self, 1);
                    self.note_index(api, pool, sort, at, self.node(children[1]).depth)?;
                    Function { term: api.store(written.term, at, term(self, 2)), ..written }
                }
                Op::Ite => {
                    let (condition, then, otherwise) = (term(self, 0), function(self, 1), function(self, 2));
                    Function {
                        term: api.ite(condition, then.term, otherwise.term),
                        default: api.ite(condition, then.default, otherwise.default),
                    }
                }
                Op::ConstArray(_) => {
                    let (value, depth) = (term(self, 0), self.node(children[0]).depth);
                    let ty = self.sort(api, pool, sort)?;
                    let function = api.new_constant(ty);
                    self.note_constant(api, pool, sort, (function, value, depth))?;
                    Function { term: function, default: value }
                }
                Op::Symbol(symbol) => {
                    let ty = self.sort(api, pool, sort)?;
                    let element = self.sort(api, pool, element)?;
                    let function =
                        Function { term: api.new_constant(ty), default: api.new_constant(element) };
                    let uses = self.arrays.symbols.entry(symbol).or_default();
                    uses.function = Some(function);
                    for (index, element, depth) in uses.reads.clone() {
                        let is_read = api.eq(api.select(function.term, index), element);
                        self.arrays.add_instance(is_read, depth + 2);
                        self.note_index(api, pool, sort, index, depth)?;
                    }
                    function
                }
                other => return Err(Reason::Unsupported(format!("arrays made by {other:?}"))),
            };
            if built.term < 0 || built.default < 0 {
                return Err(Reason::Fault(api.error()));
            }
            self.arrays.functions.insert(node, built);
            stack.pop();
        }
        Ok(self.arrays.functions[&root])
    }

    /// Makes an index of arrays of the sort known.
    fn note_index(
        &mut self,
        api: &Api,
        pool: &TermPool,
        sort: Sort,
        index: YTerm,
        depth: u32,
    ) -> Result<(), Reason> {
        let uses = self.arrays.sorts.entry(sort).or_default();
        if uses.seen.contains(&index) {
            return Ok(());
        }
        if let (Sort::BitVec(width @ SMALL..64), _) = parts(pool, sort)?
            && width > SMALL
            && uses.indices.len() as u64 + 1 >= 1 << width
        {
            return Err(Reason::Unsupported(format!("as many indices as bit vectors of width {width}")));
        }
        uses.seen.insert(index);
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
        Ok(())
    }

    /// Records the function that represents a constant array, with its element and the depth of the
    /// element.
    fn note_constant(
        &mut self,
        api: &Api,
        pool: &TermPool,
        sort: Sort,
        constant: (YTerm, YTerm, u32),
    ) -> Result<(), Reason> {
        let uses = self.arrays.sorts.entry(sort).or_default();
        let is_first = uses.constants.is_empty();
        uses.constants.push(constant);
        let (function, value, value_depth) = constant;
        let instances: Vec<_> = uses
            .indices
            .iter()
            .map(|&(index, depth)| (api.eq(api.select(function, index), value), depth.max(value_depth) + 2))
            .collect();
        for (instance, depth) in instances {
            self.arrays.add_instance(instance, depth);
        }
        if is_first {
            for index in small_values(api, sort, pool)?.into_iter().flatten() {
                self.note_index(api, pool, sort, index, 0)?;
            }
        }
        self.witness(api, pool, sort)
    }
}

/// The sorts of indices and elements.
fn parts(pool: &TermPool, sort: Sort) -> Result<(Sort, Sort), Reason> {
    match sort {
        Sort::Array(array) => Ok(pool.array_sort_parts(array)),
        _ => Err(Reason::Fault("an array of another sort".to_owned())),
    }
}

/// All indices of arrays of the sort, if there are few.
fn small_values(api: &Api, sort: Sort, pool: &TermPool) -> Result<Option<Vec<YTerm>>, Reason> {
    Ok(match parts(pool, sort)?.0 {
        Sort::Bool => Some(vec![api.fls(), api.tru()]),
        Sort::BitVec(width) if width <= SMALL => {
            Some((0..1 << width).map(|value| api.bv_constant(width, value)).collect())
        }
        _ => None,
    })
}
