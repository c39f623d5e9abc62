//! Terms without arrays: reads of arrays become variables.
//!
//! `a[t]` for a symbol `a` is a variable, and for two indices `s` and `t` the clause has the
//! conjunct `s = t ⇒ a[s] = a[t]` (Ackermann). A read of a store is an `ite`, and one of a constant
//! array its element. An equation `a = b` is the conjunction of `a[t] = b[t]` over the indices `t`
//! at which the clause reads one of them; where it is not a conjunct or disjunct, one of these is a
//! fresh index, at which they differ if they are different.

use super::{MAX_ELEMENTS, MAX_READS};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use terms::{Op, Representation, Sort, Substitution, Symbol, Term, TermPool};

/// Symbols that clauses share by name only.
#[derive(Default)]
pub(super) struct Fresh {
    /// The symbols of a name and sort, and how many of them the clause has.
    symbols: FxHashMap<(&'static str, Sort), (Vec<Term>, usize)>,
}

impl Fresh {
    /// Starts a clause.
    pub(super) fn reset(&mut self) {
        self.symbols.values_mut().for_each(|(_, used)| *used = 0);
    }

    fn next(&mut self, pool: &mut TermPool, name: &'static str, sort: Sort) -> Term {
        let (symbols, used) = self.symbols.entry((name, sort)).or_default();
        if *used == symbols.len() {
            symbols.push(pool.fresh_symbol(name, sort, Representation::default()));
        }
        *used += 1;
        symbols[*used - 1]
    }
}

/// An equation between arrays.
struct Equation {
    /// A Boolean symbol in its place.
    symbol: Term,
    sides: [Term; 2],
    /// That the elements are equal, at some indices.
    instances: IndexMap<Term, Term, FxBuildHasher>,
}

/// The reads of a clause.
pub(super) struct Reads<'a> {
    sorts: &'a FxHashSet<Sort>,
    fresh: &'a mut Fresh,
    /// The array symbols in the body of the clause.
    body: FxHashSet<Term>,
    /// The equations that may have to be false.
    refutable: FxHashSet<Term>,
    /// The elements of array symbols, by index.
    table: IndexMap<Term, IndexMap<Term, Term, FxBuildHasher>, FxBuildHasher>,
    /// The number of elements in the table.
    count: usize,
    /// The elements of arrays at indices.
    known: FxHashMap<(Term, Term), Term>,
    /// The terms without arrays.
    images: FxHashMap<Term, Term>,
    equations: Vec<Equation>,
}

impl<'a> Reads<'a> {
    pub(super) fn new(sorts: &'a FxHashSet<Sort>, fresh: &'a mut Fresh) -> Self {
        Reads {
            sorts,
            fresh,
            body: FxHashSet::default(),
            refutable: FxHashSet::default(),
            table: IndexMap::default(),
            count: 0,
            known: FxHashMap::default(),
            images: FxHashMap::default(),
            equations: Vec::new(),
        }
    }

    pub(super) fn is_array(&self, pool: &TermPool, symbol: Symbol) -> bool {
        self.sorts.contains(&pool.symbol_data(symbol).sort)
    }

    fn has_array_sort(&self, pool: &TermPool, term: Term) -> bool {
        self.sorts.contains(&pool.sort(term))
    }

    /// Prepares the translation of a constraint, and of the arguments of body atoms and of the
    /// head.
    pub(super) fn start(&mut self, pool: &TermPool, constraint: Term, body: &[Term], head: &[Term]) {
        for &term in body {
            if self.has_array_sort(pool, term) {
                self.body.extend(bases(pool, term));
            }
        }
        let mut stack = vec![(constraint, true)];
        let both = |term: Term| [(term, true), (term, false)];
        stack.extend(body.iter().chain(head).flat_map(|&term| both(term)));
        let mut seen: FxHashSet<(Term, bool)> = FxHashSet::default();
        while let Some((term, polarity)) = stack.pop() {
            if !seen.insert((term, polarity)) {
                continue;
            }
            let children = pool.children(term);
            match pool.op(term) {
                Op::And | Op::Or => stack.extend(children.iter().map(|&child| (child, polarity))),
                Op::Not => stack.push((children[0], !polarity)),
                Op::Ite => {
                    stack.extend(both(children[0]));
                    stack.extend(children[1..].iter().map(|&child| (child, polarity)));
                }
                op => {
                    if op == Op::Eq && !polarity && self.has_array_sort(pool, children[0]) {
                        self.refutable.insert(term);
                    }
                    stack.extend(children.iter().flat_map(|&child| both(child)));
                }
            }
        }
    }

    /// The formula without arrays; an equation between arrays is a symbol.
    pub(super) fn formula(&mut self, pool: &mut TermPool, formula: Term) -> Option<Term> {
        self.translate(pool, formula)?;
        Some(self.images[&formula])
    }

    /// Translates the terms below `root` that are no arrays.
    fn translate(&mut self, pool: &mut TermPool, root: Term) -> Option<()> {
        let mut order = Vec::new();
        pool.visit(
            &[root],
            |term| !self.images.contains_key(&term) && !matches!(pool.op(term), Op::Forall | Op::Exists),
            |term| order.push(term),
        );
        for term in order {
            if self.images.contains_key(&term) || self.has_array_sort(pool, term) {
                continue;
            }
            let (op, children) = (pool.op(term), pool.children(term).to_vec());
            let image = match (op, &children[..]) {
                (Op::Forall | Op::Exists, _) | (_, []) => term,
                (Op::Select, &[array, index]) if self.has_array_sort(pool, array) => {
                    let index = self.images[&index];
                    self.element_of(pool, array, index)?
                }
                (Op::Eq, &[a, b]) if self.has_array_sort(pool, a) => self.equation(pool, term, [a, b])?,
                _ => {
                    let images: Vec<Term> = children.iter().map(|child| self.images[child]).collect();
                    if images == children { term } else { pool.rebuild(term, &images) }
                }
            };
            self.images.insert(term, image);
        }
        Some(())
    }

    /// A symbol for an equation between arrays, whose other terms are translated.
    fn equation(&mut self, pool: &mut TermPool, equation: Term, sides: [Term; 2]) -> Option<Term> {
        let symbol = self.fresh.next(pool, "equal", Sort::Bool);
        let mut indices = Vec::new();
        if self.refutable.contains(&equation) {
            let sort = index_sort(pool, sides[0]);
            indices.push(self.fresh.next(pool, "difference", sort));
        }
        // A variable that an equation determines is read where others read it. Other equations say
        // something about the cells that they write.
        let is_definition = [(0, 1), (1, 0)].into_iter().any(|(own, other)| {
            let own = sides[own];
            matches!(pool.op(own), Op::Symbol(_))
                && !self.body.contains(&own)
                && !bases(pool, sides[other]).contains(&own)
        });
        if !is_definition {
            for side in sides {
                indices.extend(self.written(pool, side)?);
            }
        }
        self.equations.push(Equation { symbol, sides, instances: IndexMap::default() });
        for index in indices {
            self.instance(pool, self.equations.len() - 1, index)?;
        }
        Some(symbol)
    }

    /// Adds that the sides of an equation are equal at an index.
    fn instance(&mut self, pool: &mut TermPool, equation: usize, index: Term) -> Option<()> {
        let Equation { sides: [a, b], instances, .. } = &self.equations[equation];
        if instances.contains_key(&index) {
            return Some(());
        }
        let (a, b) = (*a, *b);
        let (a, b) = (self.element_of(pool, a, index)?, self.element_of(pool, b, index)?);
        let instance = pool.eq(a, b);
        self.equations[equation].instances.insert(index, instance);
        Some(())
    }

    /// The element of an array at a translated index; `None` if there are too many.
    pub(super) fn element(&mut self, pool: &mut TermPool, array: Term, index: Term) -> Option<Term> {
        self.translate(pool, array)?;
        self.element_of(pool, array, index)
    }

    /// The element of an array whose other terms are translated.
    fn element_of(&mut self, pool: &mut TermPool, array: Term, index: Term) -> Option<Term> {
        let mut stack = vec![array];
        while let Some(&top) = stack.last() {
            if self.known.contains_key(&(top, index)) {
                stack.pop();
                continue;
            }
            if self.known.len() >= MAX_ELEMENTS {
                return None;
            }
            let element = match (pool.op(top), pool.children(top)) {
                (Op::Store, &[older, written, value]) => {
                    let (written, value) = (self.images[&written], self.images[&value]);
                    let is_written = pool.eq(written, index);
                    if is_written == pool.tru() {
                        value
                    } else if let Some(&below) = self.known.get(&(older, index)) {
                        pool.ite(is_written, value, below)
                    } else {
                        stack.push(older);
                        continue;
                    }
                }
                (Op::ConstArray(_), &[value]) => self.images[&value],
                (Op::Ite, &[condition, then, otherwise]) => {
                    let below = [then, otherwise].map(|array| self.known.get(&(array, index)).copied());
                    match below {
                        [Some(then), Some(otherwise)] => pool.ite(self.images[&condition], then, otherwise),
                        [None, _] => {
                            stack.push(then);
                            continue;
                        }
                        [_, None] => {
                            stack.push(otherwise);
                            continue;
                        }
                    }
                }
                (Op::Symbol(_), _) => {
                    let sort = element_sort(pool, top);
                    let elements = self.table.entry(top).or_default();
                    if elements.len() >= MAX_READS {
                        return None;
                    }
                    let element = self.fresh.next(pool, "element", sort);
                    elements.insert(index, element);
                    self.count += 1;
                    element
                }
                (op, _) => unreachable!("{op:?} is no array of a supported sort"),
            };
            self.known.insert((top, index), element);
            stack.pop();
        }
        self.known.get(&(array, index)).copied()
    }

    /// The indices that the stores of an array write to.
    pub(super) fn written(&mut self, pool: &mut TermPool, array: Term) -> Option<Vec<Term>> {
        self.translate(pool, array)?;
        let mut indices = Vec::new();
        for part in parts(pool, array) {
            if let (Op::Store, &[_, index, _]) = (pool.op(part), pool.children(part)) {
                indices.push(self.images[&index]);
            }
        }
        Some(indices)
    }

    /// The indices at which a symbol of an array is read.
    pub(super) fn indices(&self, pool: &TermPool, array: Term) -> Vec<Term> {
        let read = bases(pool, array).into_iter().filter_map(|base| self.table.get(&base));
        read.flat_map(|elements| elements.keys().copied()).collect()
    }

    /// All indices that are read.
    pub(super) fn all_indices(&self) -> impl Iterator<Item = Term> {
        self.table.values().flat_map(|elements| elements.keys().copied())
    }

    /// The number of elements that are read.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn fresh(&mut self, pool: &mut TermPool, name: &'static str, sort: Sort) -> Term {
        self.fresh.next(pool, name, sort)
    }

    /// The indices and elements of an array symbol.
    pub(super) fn elements(&self, array: Term) -> Vec<(Term, Term)> {
        let elements = self.table.get(&array);
        elements.map_or_else(Vec::new, |elements| elements.iter().map(|(&a, &b)| (a, b)).collect())
    }

    /// Adds instances of equations at all indices at which their arrays are read.
    pub(super) fn settle(&mut self, pool: &mut TermPool) -> Option<()> {
        loop {
            let before = self.count;
            for equation in 0..self.equations.len() {
                for side in self.equations[equation].sides {
                    for index in self.indices(pool, side) {
                        self.instance(pool, equation, index)?;
                    }
                }
            }
            if self.count == before {
                return Some(());
            }
        }
    }

    /// The conjuncts of the clause with this translated constraint, and these terms as arguments of
    /// atoms.
    pub(super) fn finish(&mut self, pool: &mut TermPool, constraint: Term, arguments: &[Term]) -> Vec<Term> {
        let mut conjuncts = Vec::new();
        for elements in self.table.values() {
            for (place, (&s, &at_s)) in elements.iter().enumerate() {
                for (&t, &at_t) in elements.iter().skip(place + 1) {
                    let (is_same, is_equal) = (pool.eq(s, t), pool.eq(at_s, at_t));
                    conjuncts.push(pool.implies(is_same, is_equal));
                }
            }
        }
        let mut definitions = Vec::new();
        for equation in &self.equations {
            let instances: Vec<Term> = equation.instances.values().copied().collect();
            definitions.push((equation.symbol, pool.and(&instances)));
        }
        // Symbols of equations may occur in indices and elements.
        let mut others = [&conjuncts[..], arguments].concat();
        others.extend(definitions.iter().map(|&(_, value)| value));
        let used = pool.free_symbols_of(&others);
        let is_used = |symbol: Term| used.iter().any(|&other| pool.op(symbol) == Op::Symbol(other));
        if definitions.iter().any(|&(symbol, _)| is_used(symbol)) {
            conjuncts.push(constraint);
            for (symbol, value) in definitions {
                conjuncts.push(pool.eq(symbol, value));
            }
            return conjuncts;
        }
        let mut substitution = Substitution::sparse();
        for (symbol, value) in definitions {
            substitution.insert(symbol, value);
        }
        conjuncts.insert(0, substitution.apply(pool, constraint));
        conjuncts
    }
}

fn index_sort(pool: &TermPool, array: Term) -> Sort {
    match pool.sort(array) {
        Sort::Array(parts) => pool.array_sort_parts(parts).0,
        sort => unreachable!("{sort:?} is no array sort"),
    }
}

fn element_sort(pool: &TermPool, array: Term) -> Sort {
    match pool.sort(array) {
        Sort::Array(parts) => pool.array_sort_parts(parts).1,
        sort => unreachable!("{sort:?} is no array sort"),
    }
}

/// The arrays of which an array is made by stores and `ite`, itself included.
fn parts(pool: &TermPool, array: Term) -> IndexSet<Term, FxBuildHasher> {
    let mut parts = IndexSet::default();
    let mut stack = vec![array];
    while let Some(part) = stack.pop() {
        if parts.insert(part) {
            match (pool.op(part), pool.children(part)) {
                (Op::Store, &[older, ..]) => stack.push(older),
                (Op::Ite, &[_, then, otherwise]) => stack.extend([otherwise, then]),
                _ => {}
            }
        }
    }
    parts
}

/// The symbols among the [`parts`] of an array.
pub(super) fn bases(pool: &TermPool, array: Term) -> Vec<Term> {
    let parts = parts(pool, array).into_iter();
    parts.filter(|&part| matches!(pool.op(part), Op::Symbol(_))).collect()
}
