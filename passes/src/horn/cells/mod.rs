//! Array elimination by distinguished cells: an array argument becomes the index and the element of
//! one of its cells.
//!
//! A relation `P(x, a)` becomes `P'(x, i, v)`, which is to hold for each index `i` and `v = a[i]`
//! if `P(x, a)` holds. So a model of the new system gives one of the old system:
//!
//! ```text
//! P(x, a) = ∀ i. P'(x, i, a[i])
//! ```
//!
//! An invariant of all cells, such as `i < n ⇒ v = 0`, has no quantifier in the new system, and
//! engines without arrays find it.
//!
//! *Clauses.* In `P(x, a) ∧ φ ⇒ Q(y, b)`, the head becomes `Q'(y, j, b[j])` for a new variable `j`.
//! The quantifier of the body is instantiated: a body atom is `P'(x, t, a[t])` for each index `t`
//! at which the clause reads `a`, in φ or for the head. Then arrays only occur in reads, and
//! [`reads`] replaces these by variables: it looks through stores, `ite` and constant arrays, and
//! two reads of an array are equal if their indices are. An equation between arrays that does not
//! define a variable holds at the indices that are read; where the clause uses that two arrays
//! differ, a further index is a cell at which they do. All these steps weaken the premise of the
//! clause, so each model remains a model; the system is an over-approximation.
//!
//! *Sharing.* Arrays of a relation with the same sort of indices share the index of their cells, so
//! the cells of two arrays are compared at the same index, as for copies; see [`Config`].
//!
//! Source: Monniaux and Gonnord, *Cell Morphing: From Array Programs to Array-Free Horn Clauses*,
//! SAS 2016.
//!
//! DIVERGENCE: the paper distinguishes the cells of each array independently of those of other
//! arrays, and splits clauses by the equality of indices. Here the cases are disjunctions, and
//! `split-clauses` splits them.
//!
//! *Derivations.* A derivation of the new system need not be one of the old system.
//! [`merged`](super::back::merged) looks for one: the steps that derive the cells of one atom
//! become one step.
//!
//! Cost: an atom for each index that is read, at most [`MAX_INSTANCES`]; quadratic in the reads of
//! an array. So linear clauses with reads become nonlinear.
//!
//! # Limits
//! Arrays remain whose elements or indices are arrays, and those of a sort that occurs in
//! quantifiers or as an argument of an uninterpreted function. A system with a clause of too many
//! reads remains as it is. Properties that relate cells at different indices, such as that an array
//! is sorted, need more than one cell.

mod reads;
#[cfg(test)]
mod tests;

use super::Transformed;
use super::back::merged::{Cells, Open};
use super::back::{Back, Definition, History, Instance, Made, Order, Universal, symbols};
use super::equations::solve;
use super::reverse::unchanged;
use horn::{Argument, Atom, ClauseData, Normalizer, OpenAtom, OpenClause, Relation, RelationData, System};
use indexmap::IndexSet;
use reads::{Fresh, Reads};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use terms::entity::PrimaryMap;
use terms::{Op, Sort, Symbol, Term, TermPool};

/// The most atoms that one atom of a body becomes.
const MAX_INSTANCES: usize = 12;
/// The most elements of arrays at indices that the translation of one clause may consider.
const MAX_ELEMENTS: usize = 20_000;
/// The most indices at which one clause may read an array symbol.
const MAX_READS: usize = 200;

/// The cells of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Config {
    /// The number of distinguished cells of each array.
    pub(super) count: usize,
    /// The arrays whose cells have the same index.
    pub(super) sharing: Sharing,
}

/// The arrays whose cells have the same index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sharing {
    /// Those of a relation with the same sort of indices.
    BySort,
    /// None.
    #[cfg_attr(not(test), expect(dead_code, reason = "no pass has it"))]
    Never,
}

/// The cells of the pass `cells`.
const ONE: Config = Config { count: 1, sharing: Sharing::BySort };

pub(super) fn eliminate(pool: &mut TermPool, old: &System) -> Transformed {
    transform(pool, old, ONE)
}

pub(super) fn transform(pool: &mut TermPool, old: &System, config: Config) -> Transformed {
    let sorts = supported(pool, old);
    let arguments = old.relations.values().flat_map(RelationData::symbols);
    if !arguments.into_iter().any(|symbol| sorts.contains(&pool.sort(symbol))) {
        return unchanged(pool, old);
    }
    let mut normalizer = Normalizer::of(old);
    let (mut system, shapes) = relations(pool, old, (&sorts, config), &mut normalizer);
    let (mut history, mut sources) = (History::default(), PrimaryMap::new());
    let mut fresh = Fresh::default();
    for (clause, data) in old.clauses.iter() {
        fresh.reset();
        let reads = Reads::new(&sorts, &mut fresh);
        let Some(translated) = translate(pool, data, (&shapes, config), reads) else {
            return unchanged(pool, old);
        };
        system.clauses.push(normalizer.clause(pool, &system, &translated.open, data.origin.clone()));
        let mut arrays = translated.arrays;
        for (index, element) in arrays.iter_mut().flat_map(|open| &mut open.elements) {
            *index = normalizer.image(pool, *index);
            *element = normalizer.image(pool, *element);
        }
        let scalars = symbols(pool, data).into_iter().filter_map(|symbol| {
            let term = pool.symbol_term(symbol);
            let is_array = sorts.contains(&pool.sort(term));
            (!is_array).then(|| (symbol, normalizer.image(pool, term)))
        });
        let cells = Cells {
            clause,
            scalars: scalars.collect(),
            instances: translated.instances,
            arrays,
            definitions: translated.definitions,
        };
        sources.push(history.add(Made::Cells(cells)));
    }
    let definitions =
        shapes.iter().map(|(relation, shape)| (relation, shape.definition(pool, old, relation)));
    let definitions = definitions.collect();
    let back = Back { order: Order::Merged, old: old.clone(), definitions, history, sources };
    Transformed { system, back }
}

/// The sorts of arrays that have a translation: all terms of the sort are symbols, constant arrays,
/// stores or `ite`, and are only read, stored to, compared, and chosen by `ite`.
fn supported(pool: &TermPool, system: &System) -> FxHashSet<Sort> {
    let mut roots: Vec<Term> = system.relations.values().flat_map(RelationData::symbols).collect();
    roots.extend(system.clauses.values().map(|clause| clause.constraint));
    let is_array = |term: Term| matches!(pool.sort(term), Sort::Array(_));
    let (mut all, mut others) = (FxHashSet::default(), FxHashSet::default());
    let mut quantifiers = Vec::new();
    pool.visit(
        &roots,
        |_| true,
        |term| {
            let (op, sort) = (pool.op(term), pool.sort(term));
            if let Sort::Array(parts) = sort {
                all.insert(sort);
                let (index, element) = pool.array_sort_parts(parts);
                let is_plain = matches!(op, Op::Symbol(_) | Op::ConstArray(_) | Op::Store | Op::Ite);
                if !is_plain || [index, element].iter().any(|part| matches!(part, Sort::Array(_))) {
                    others.insert(sort);
                }
            }
            if matches!(op, Op::Forall | Op::Exists) {
                quantifiers.push(term);
            }
            for (place, &child) in pool.children(term).iter().enumerate() {
                let is_plain =
                    matches!((op, place), (Op::Select | Op::Store, 0) | (Op::Ite, 1 | 2) | (Op::Eq, _));
                if is_array(child) && !is_plain {
                    others.insert(pool.sort(child));
                }
            }
        },
    );
    pool.visit(
        &quantifiers,
        |_| true,
        |term| {
            if is_array(term) {
                others.insert(pool.sort(term));
            }
        },
    );
    all.retain(|sort| !others.contains(sort));
    all
}

/// How a relation is applied to cells.
struct Shape {
    /// The arguments of the new relation, in order.
    places: Vec<Place>,
    cells: Vec<Cell>,
    /// The symbols of the new relation.
    symbols: Vec<Term>,
}

/// An argument of a relation that is applied to cells.
#[derive(Clone, Copy)]
enum Place {
    /// The argument of the old relation with this number.
    Kept(usize),
    /// The index of a cell.
    Index(usize),
    /// The element that a cell has in the array that is this argument of the old relation.
    Element(usize, usize),
}

/// A distinguished cell of one or several arrays.
struct Cell {
    /// The number of the array's cells before this one.
    number: usize,
    /// The arguments of the old relation that are the arrays.
    arrays: Vec<usize>,
    /// The symbol of the index.
    index: Term,
}

impl Shape {
    /// The arguments of the new relation for an atom of the old one at these indices of its cells.
    /// `element` returns the element of an argument of the old relation at an index.
    fn arguments(
        &self,
        kept: &[Term],
        indices: &[Term],
        mut element: impl FnMut(usize, Term) -> Option<Term>,
    ) -> Option<Vec<Term>> {
        let argument = |&place: &Place| match place {
            Place::Kept(argument) => Some(kept[argument]),
            Place::Index(cell) => Some(indices[cell]),
            Place::Element(cell, argument) => element(argument, indices[cell]),
        };
        self.places.iter().map(argument).collect()
    }

    fn indices(&self) -> Vec<Term> {
        self.cells.iter().map(|cell| cell.index).collect()
    }

    fn definition(&self, pool: &mut TermPool, old: &System, relation: Relation) -> Definition {
        let own: Vec<Term> = old.relations[relation].symbols().collect();
        let bound: Vec<Term> = self
            .cells
            .iter()
            .map(|cell| {
                let name = format!("{}?", super::name(pool, cell.index));
                pool.bound(&name, pool.sort(cell.index))
            })
            .collect();
        let images = self.arguments(&own, &bound, |argument, index| Some(pool.select(own[argument], index)));
        let images = images.expect("all elements have terms");
        let symbols = self.symbols.iter().copied().zip(images).filter(|(symbol, image)| symbol != image);
        let conclusion = Instance { relation, symbols: symbols.collect() };
        Definition::ForAll(vec![Universal { bound, premise: None, conclusion }])
    }
}

/// The symbols of the arguments of relations over cells. Relations share them where the old ones
/// share symbols.
struct Symbols<'n> {
    normalizer: &'n mut Normalizer,
    known: FxHashMap<(&'static str, Option<Term>, Sort, usize), Term>,
}

impl Symbols<'_> {
    /// The argument of this `kind` for a cell of an array, with the number of the cell. Its symbol
    /// is that of `owner`, or one for all arrays.
    fn argument(
        &mut self,
        pool: &mut TermPool,
        (array, kind): (&Argument, &'static str),
        (owner, sort, number): (Option<Term>, Sort, usize),
    ) -> Argument {
        let suffix = if number == 0 { String::new() } else { (number + 1).to_string() };
        let name = format!("{}.{kind}{suffix}", array.name);
        let key = (kind, owner, sort, number);
        let symbol = *self.known.entry(key).or_insert_with(|| self.normalizer.argument(pool, &name, sort));
        Argument { name, symbol }
    }
}

/// The relations over cells.
fn relations(
    pool: &mut TermPool,
    old: &System,
    (sorts, config): (&FxHashSet<Sort>, Config),
    normalizer: &mut Normalizer,
) -> (System, PrimaryMap<Relation, Shape>) {
    let mut system = System::default();
    let mut shapes = PrimaryMap::new();
    let mut symbols = Symbols { normalizer, known: FxHashMap::default() };
    for data in old.relations.values() {
        let (mut places, mut cells) = (Vec::new(), Vec::<Cell>::new());
        let mut arguments = Vec::new();
        // The cells that later arrays share.
        let mut shared: FxHashMap<(Sort, usize), usize> = FxHashMap::default();
        for (place, argument) in data.arguments.iter().enumerate() {
            let sort = pool.sort(argument.symbol);
            let parts = match sort {
                Sort::Array(parts) if sorts.contains(&sort) => pool.array_sort_parts(parts),
                _ => {
                    places.push(Place::Kept(place));
                    arguments.push(argument.clone());
                    continue;
                }
            };
            let (index_sort, element_sort) = parts;
            for number in 0..config.count {
                let known = shared.get(&(index_sort, number)).copied();
                let cell = known.unwrap_or_else(|| {
                    let owner = match config.sharing {
                        Sharing::BySort => {
                            shared.insert((index_sort, number), cells.len());
                            None
                        }
                        Sharing::Never => Some(argument.symbol),
                    };
                    let index = symbols.argument(pool, (argument, "index"), (owner, index_sort, number));
                    places.push(Place::Index(cells.len()));
                    cells.push(Cell { number, arrays: Vec::new(), index: index.symbol });
                    arguments.push(index);
                    cells.len() - 1
                });
                cells[cell].arrays.push(place);
                places.push(Place::Element(cell, place));
                let owner = (Some(argument.symbol), element_sort, number);
                arguments.push(symbols.argument(pool, (argument, "element"), owner));
            }
        }
        let symbols = arguments.iter().map(|argument| argument.symbol).collect();
        shapes.push(Shape { places, cells, symbols });
        system.relations.push(RelationData { arguments, ..data.clone() });
    }
    (system, shapes)
}

/// A clause over cells. Its terms are over the symbols of the old clause and further ones.
struct Translated {
    open: OpenClause,
    /// How many atoms of the body each atom of the old one became.
    instances: Vec<usize>,
    /// The arrays that neither the body nor an equation determines.
    arrays: Vec<Open>,
    /// The arrays that equations determine, over the symbols of the old clause.
    definitions: Vec<(Symbol, Term)>,
}

/// An atom of the body of an old clause.
struct Premise<'c> {
    atom: &'c Atom,
    shape: &'c Shape,
    /// Its arguments, over arrays that no equation determines.
    terms: Vec<Term>,
    /// The indices of each cell.
    indices: Vec<IndexSet<Term, FxBuildHasher>>,
}

/// The clause over cells; `None` if it is too large.
fn translate(
    pool: &mut TermPool,
    data: &ClauseData,
    (shapes, config): (&PrimaryMap<Relation, Shape>, Config),
    mut reads: Reads<'_>,
) -> Option<Translated> {
    let arrays: Vec<Symbol> =
        symbols(pool, data).into_iter().filter(|&symbol| reads.is_array(pool, symbol)).collect();
    let variables: Vec<Term> = arrays.iter().map(|&symbol| pool.symbol_term(symbol)).collect();
    let mut values = FxHashMap::default();
    let constraint = solve(pool, data.constraint, &variables, &mut values);
    let terms = |atom: &Atom| -> Vec<Term> {
        atom.arguments.iter().map(|argument| values.get(argument).copied().unwrap_or(*argument)).collect()
    };
    let mut body: Vec<Premise<'_>> = Vec::new();
    for atom in &data.body {
        let (shape, terms) = (&shapes[atom.relation], terms(atom));
        body.push(Premise { atom, shape, indices: vec![IndexSet::default(); shape.cells.len()], terms });
    }
    let of_body: Vec<Term> = body.iter().flat_map(|premise| premise.terms.iter().copied()).collect();
    let of_head: Vec<Term> = data.head.iter().flat_map(&terms).collect();
    reads.start(pool, constraint, &of_body, &of_head);
    // The head is first, so that the first atom of the body has the same cells where it can.
    let head = match &data.head {
        Some(atom) => {
            let shape = &shapes[atom.relation];
            let element = |place: usize, index| reads.element(pool, of_head[place], index);
            Some((atom.relation, shape.arguments(&atom.arguments, &shape.indices(), element)?))
        }
        None => None,
    };
    let constraint = reads.formula(pool, constraint)?;
    for premise in &mut body {
        for (cell, indices) in premise.shape.cells.iter().zip(&mut premise.indices) {
            for &array in &cell.arrays {
                indices.extend(reads.written(pool, premise.terms[array])?);
            }
        }
    }
    let of_head: Vec<Term> = data.head.iter().flat_map(|atom| shapes[atom.relation].indices()).collect();
    find_indices(pool, &mut body, &mut reads, &of_head)?;
    let (mut atoms, mut instances): (Vec<OpenAtom>, Vec<usize>) = (Vec::new(), Vec::new());
    for Premise { atom, shape, terms, indices } in &body {
        let tuples = tuples(&shape.cells, indices, config.count);
        instances.push(tuples.len());
        for tuple in tuples {
            let element = |place: usize, index| reads.element(pool, terms[place], index);
            atoms.push((atom.relation, shape.arguments(&atom.arguments, &tuple, element)?));
        }
    }
    let arguments = atoms.iter().chain(&head).flat_map(|(_, arguments)| arguments.iter().copied());
    let arguments: Vec<Term> = arguments.collect();
    let constraint = reads.finish(pool, constraint, &arguments);
    let given: Vec<(Term, Term)> = body
        .iter()
        .flat_map(|premise| premise.atom.arguments.iter().copied().zip(premise.terms.iter().copied()))
        .filter(|(argument, _)| variables.contains(argument))
        .collect();
    let mut result = Translated {
        open: OpenClause { body: atoms, constraint, head },
        instances,
        arrays: Vec::new(),
        definitions: Vec::new(),
    };
    for (symbol, variable) in arrays.into_iter().zip(variables) {
        match values.get(&variable) {
            Some(&value) => result.definitions.push((symbol, value)),
            None if given.iter().any(|&(argument, _)| argument == variable) => {}
            None => {
                let origin = given.iter().find(|&&(_, term)| reads::bases(pool, term).contains(&variable));
                let origin = origin.and_then(|&(argument, _)| match pool.op(argument) {
                    Op::Symbol(symbol) => Some(symbol),
                    _ => None,
                });
                result.arrays.push(Open { array: symbol, elements: reads.elements(variable), origin });
            }
        }
    }
    Some(result)
}

/// Adds the indices at which the clause reads the arrays of body atoms, until no more are read. An
/// atom without any gets one, of `preferred` if the sort is right.
fn find_indices(
    pool: &mut TermPool,
    body: &mut [Premise<'_>],
    reads: &mut Reads<'_>,
    preferred: &[Term],
) -> Option<()> {
    loop {
        reads.settle(pool)?;
        let before = reads.count();
        for Premise { shape, terms, indices, .. } in body.iter_mut() {
            for (cell, indices) in shape.cells.iter().zip(indices) {
                for &array in &cell.arrays {
                    indices.extend(reads.indices(pool, terms[array]));
                }
                for &index in &*indices {
                    for &array in &cell.arrays {
                        reads.element(pool, terms[array], index)?;
                    }
                }
            }
        }
        if reads.count() > before {
            continue;
        }
        let mut is_complete = true;
        for Premise { shape, indices, .. } in body.iter_mut() {
            for (cell, indices) in shape.cells.iter().zip(indices) {
                if indices.is_empty() {
                    let sort = pool.sort(cell.index);
                    let known = preferred.iter().copied().chain(reads.all_indices());
                    let known = known.into_iter().find(|&index| pool.sort(index) == sort);
                    indices.insert(known.unwrap_or_else(|| reads.fresh(pool, "index", sort)));
                    is_complete = false;
                }
            }
        }
        if is_complete {
            return Some(());
        }
    }
}

/// The indices of the atoms that one atom becomes. The cells of an array have different indices, if
/// there are as many, in one order: if a relation holds for cells, it holds for them in any order.
fn tuples(cells: &[Cell], indices: &[IndexSet<Term, FxBuildHasher>], count: usize) -> Vec<Vec<Term>> {
    let mut tuples: Vec<Vec<usize>> = vec![Vec::new()];
    for (cell, indices) in cells.iter().zip(indices) {
        let mut longer = Vec::new();
        for tuple in tuples {
            let first = match tuple.last() {
                Some(&last) if cell.number > 0 => last + usize::from(indices.len() >= count),
                _ => 0,
            };
            longer.extend((first..indices.len()).map(|next| [&tuple[..], &[next]].concat()));
        }
        longer.truncate(MAX_INSTANCES);
        tuples = longer;
    }
    let terms = |tuple: Vec<usize>| tuple.into_iter().zip(indices).map(|(place, indices)| indices[place]);
    tuples.into_iter().map(|tuple| terms(tuple).collect()).collect()
}
