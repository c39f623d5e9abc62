//! Distinguished cells: a Horn system over arrays in which each relation has one more argument, an
//! arbitrary index.
//!
//! *Idea.* An invariant such as `∀k. 0 ≤ k < i ⇒ a[k] = 7` needs a quantifier, which template rows
//! do not have. [`cells`] makes a system S' of S: a relation `R(x)` becomes `R'(x, k)` with the
//! meaning "for all k, `R'(x, k)`". The index is *rigid*: entries choose it, and no clause changes
//! it. A clause `R(x) ∧ guard ⇒ H(x')` becomes
//!
//! ```text
//! R'(x, k) ∧ R'(x, t₁) ∧ … ∧ R'(x, tₙ) ∧ guard ⇒ H'(x', k)
//! ```
//!
//! for index terms `tᵢ` that the clause reads. Rows over `R'` mention single cells,
//! `a[k]`, so any domain infers properties of all cells.
//!
//! *Source.* Monniaux, Gonnord, *Cell Morphing: From Array Programs to Array-Free Horn Clauses*,
//! SAS 2016; Bjørner, McMillan, Rybalchenko, *On Solving Universally Quantified Horn Clauses*, SAS
//! 2013, whose instantiation is by hand or by triggers.
//!
//! *Soundness.* Let I'(x, k) be a model of S'. Then `I(x) = ∀k. I'(x, k)` is a model of S: for a
//! state in I and any k, all body atoms hold, whatever the terms `tᵢ` are, so I' holds after the
//! transition for this k. The choice of index sort and of terms affects precision only.
//!
//! DIVERGENCE from cell morphing: arrays stay arguments, so nothing is lost where the program uses
//! a whole array, and rows about a cell at a fixed place remain possible. The index is a variable
//! of the program's index sort, such as `int`, not an address: the address of the cell is that of
//! an access of the program with `k` in place of its index. So `k` compares with loop counters
//! without scaling, and a word of several bytes is read as a whole.
//!
//! *Cells.* In the address of a load, an extension and its operand, the operand of a product with a
//! constant, and each variable that a transition changes, is a candidate for the index: from
//! `a[2*i+1]` come the cells `a[k]` and `a[2*k+1]`. Extensions unite loops whose indices have
//! different types.
//!
//! *Guards.* Rows about cells hold of segments. [`Suggestions::guards`] has the segments up to a
//! loop counter, from it, and between the bounds with which loop counters are compared. A bound may
//! be hidden in a comparison of addresses, `a + 4*i < a + 4*n`. Blocks on the heap are a segment,
//! too, see the module `shapes`.
//!
//! *Limits.* The system must be linear. There is one index for all arrays, of the most frequent
//! sort of indices, so no relation between cells at different places is found, such as sortedness,
//! and reads at constant places are not instantiated. At most [`MAX_INSTANCES`] terms of a clause
//! are instantiated; fewer instances are weaker, never wrong. Cost: each clause has up to
//! [`MAX_INSTANCES`] more premises.

use crate::candidates::Formulas;
use crate::shapes::Shapes;
use crate::vocabulary::{Suggestions, Terms, atoms_with_parts, symbols_of};
use backends::symbolic::{atoms, integer};
use horn::{Argument, Atom, ClauseData, Relation, RelationData, System};
use num_bigint::{BigInt, Sign};
use num_traits::{One, Zero};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use terms::{Op, Representation, Sort, Substitution, Term, TermPool};

/// The largest number of index terms of a clause at which its premise is instantiated.
pub const MAX_INSTANCES: usize = 6;
/// The largest number of cells of a relation.
const MAX_CELLS: usize = 8;
/// The largest number of segments of a relation.
const MAX_GUARDS: usize = 14;
/// The largest number of literals about cells of a relation.
const MAX_LITERALS: usize = 16;
/// The largest number of bounds on each side of a segment.
const MAX_BOUNDS: usize = 3;
/// The largest number of subterms of a bound of segments.
const LARGEST_BOUND: usize = 6;
/// The largest size of a cell.
const LARGEST_FACTOR: u64 = 1 << 16;
/// The largest number of bytes of a word.
const MAX_BYTES: usize = 16;

/// A system with a distinguished index, see the [module](self).
#[derive(Debug)]
pub struct Cells {
    /// The system, whose relations and clauses have the indices of the given system. The last
    /// argument of each relation is [`index`](Self::index).
    pub system: System,
    /// The symbol `k`.
    pub index: Term,
    /// Cells, segments and literals about cells for each relation.
    pub suggested: Suggestions,
}

/// Distinguishes a cell of the arrays of a linear system over bit vectors and arrays. `None` if no
/// relation has an array that is read at an index that varies.
pub fn cells(pool: &mut TermPool, system: &System) -> Option<Cells> {
    let has_arrays = system.relations.values().any(|data| data.symbols().any(|x| is_array(pool, x)));
    if !has_arrays || !system.is_linear() {
        return None;
    }
    let changed: FxHashSet<Term> =
        transitions(system).flat_map(|clause| clause.updates.keys().copied()).collect();
    let accesses: Vec<Accesses> =
        system.clauses.values().map(|clause| Accesses::of(pool, clause, &changed)).collect();
    let width = index_width(pool, &accesses)?;
    let variables = index_symbols(pool, &accesses, width);
    let representation = representation(pool, system, &accesses, &variables, width);
    let index = pool.fresh_symbol("k", Sort::BitVec(width), representation);
    let search = Search { system, changed, accesses, variables, width, representation, index };
    let numbers = search.cells(pool);
    if system.relations.keys().all(|relation| numbers[relation].is_empty()) {
        return None;
    }
    let (mut guards, mut literals) = (search.guards(pool), search.literals(pool));
    let shapes = Shapes::of(pool, system, width);
    for relation in system.relations.keys() {
        let own = search.own(relation);
        guards[relation].extend(shapes.guards(pool, &own, index));
        literals[relation].extend(shapes.literals(pool, &own, index, &numbers[relation]));
    }
    let system = search.instantiate(pool);
    Some(Cells { system, index, suggested: Suggestions { literals, numbers, guards } })
}

fn is_array(pool: &TermPool, term: Term) -> bool {
    matches!(pool.sort(term), Sort::Array(_))
}

fn transitions(system: &System) -> impl Iterator<Item = &ClauseData> {
    system.clauses.values().filter(|clause| !clause.body.is_empty())
}

/// The accesses of a clause to arrays.
#[derive(Default)]
struct Accesses {
    /// The loads from array symbols, as words.
    loads: Vec<Access>,
    /// The writes: the load that gives the written value back.
    writes: Vec<Access>,
}

struct Access {
    /// The load, from the symbol of the array before the writes of the clause.
    load: Term,
    /// The value of a write.
    value: Option<Term>,
    candidates: Candidates,
}

/// The candidates for the index in an address, outer ones first.
type Candidates = Vec<Candidate>;

#[derive(Clone, Copy)]
struct Candidate {
    term: Term,
    /// How the index is read.
    representation: Representation,
    /// The constant with which the address multiplies the index.
    factor: u64,
}

impl Accesses {
    fn of(pool: &mut TermPool, clause: &ClauseData, changed: &FxHashSet<Term>) -> Self {
        let (mut loads, mut writes) = (Terms::default(), Terms::default());
        pool.visit(
            &[clause.constraint],
            |_| true,
            |term| match pool.op(term) {
                Op::Select | Op::Concat => drop(loads.insert(term)),
                Op::Store => drop(writes.insert(term)),
                _ => {}
            },
        );
        // A byte of a word is no load by itself.
        let words = loads.iter().copied().filter(|&term| pool.op(term) == Op::Concat);
        let parts: FxHashSet<Term> = words.flat_map(|term| pool.children(term).to_vec()).collect();
        loads.retain(|term| !parts.contains(term));
        let inner: FxHashSet<Term> = clause.inner.iter().copied().collect();
        let varies = |symbol: Term| changed.contains(&symbol) || inner.contains(&symbol);
        let mut found = Accesses::default();
        for load in loads {
            if let Some((load, address)) = from_symbol(pool, clause, load) {
                found.loads.push(Access {
                    load,
                    value: None,
                    candidates: candidates(pool, address, &varies),
                });
            }
        }
        for write in writes {
            let &[array, address, value] = pool.children(write) else { continue };
            let Some(array) = array_symbol(pool, clause, array) else { continue };
            let address = indexed(pool, address);
            let candidates = candidates(pool, address, &varies);
            found.writes.push(Access { load: pool.select(array, address), value: Some(value), candidates });
        }
        found
    }

    fn candidates(&self) -> impl Iterator<Item = &Candidate> {
        self.loads.iter().chain(&self.writes).flat_map(|access| &access.candidates)
    }
}

/// A load from the symbol of its array instead of an array with writes, and the address of its
/// first byte. `None` if the term is not a load.
fn from_symbol(pool: &mut TermPool, clause: &ClauseData, load: Term) -> Option<(Term, Term)> {
    let (mut parts, mut open) = (Vec::new(), vec![load]);
    while let Some(term) = open.pop() {
        match (pool.op(term), pool.children(term)) {
            (Op::Concat, &[high, low]) => open.extend([high, low]),
            (Op::Select, &[array, address]) => parts.push((array, address)),
            _ => return None,
        }
        if parts.len() > MAX_BYTES {
            return None;
        }
    }
    if let &[(array, address)] = &parts[..] {
        let (array, address) = (array_symbol(pool, clause, array)?, indexed(pool, address));
        return Some((pool.select(array, address), address));
    }
    let &(_, address) = parts.first()?;
    let mut word: Option<Term> = None;
    for (array, address) in parts {
        let array = array_symbol(pool, clause, array)?;
        let part = pool.select(array, address);
        word = Some(match word {
            Some(low) => pool.concat(part, low),
            None => part,
        });
    }
    Some((word?, address))
}

/// An address with its constant in the index, if it is a multiple of the size of cells:
/// `a + 4 * (i - 1)` for `a + 4 * i - 4`.
fn indexed(pool: &mut TermPool, address: Term) -> Term {
    let Some(mut sum) = pool.bv_sum(address) else { return address };
    let is_scaled = |&(_, factor): &(Term, i64)| factor > 1;
    let products: Vec<(Term, i64)> = sum.summands.iter().copied().filter(is_scaled).collect();
    let &[(operand, factor)] = &products[..] else { return address };
    if sum.constant == 0 || sum.constant % factor != 0 {
        return address;
    }
    let constant = pool.bv_i64(sum.width, sum.constant / factor);
    let index = pool.bv_add(operand, constant);
    let factor = pool.bv_i64(sum.width, factor);
    let scaled = pool.bv_mul(factor, index);
    sum.summands.retain(|part| !is_scaled(part));
    sum.constant = 0;
    let base = pool.bv_sum_term(&sum);
    pool.bv_add(base, scaled)
}

/// The symbol of an array before the writes of the clause.
pub(crate) fn array_symbol(pool: &mut TermPool, clause: &ClauseData, mut array: Term) -> Option<Term> {
    loop {
        match (pool.op(array), pool.children(array)) {
            (Op::Store, &[before, ..]) | (Op::Ite, &[_, before, _]) => array = before,
            (Op::Symbol(_), _) => return Some(clause.unprimed(pool, array)),
            _ => return None,
        }
    }
}

fn candidates(pool: &TermPool, address: Term, varies: &dyn Fn(Term) -> bool) -> Candidates {
    let (mut found, mut seen) = (Candidates::new(), FxHashSet::default());
    // With each term, whether it is inside of an index: a factor there is no size of cells.
    let mut open = vec![(address, false)];
    while let Some((term, mut is_inside)) = open.pop() {
        if !seen.insert(term) || pool.is_constant(term) {
            continue;
        }
        let children = pool.children(term);
        let was_inside = is_inside;
        let mut add = |term: Term, representation, factor| {
            let is_new = found.iter().all(|known: &Candidate| known.term != term);
            if is_new && !pool.is_constant(term) && matches!(pool.sort(term), Sort::BitVec(_)) {
                found.push(Candidate { term, representation, factor });
                is_inside = true;
            }
        };
        let factor_of = |factor: Term| pool.as_bv_u64(factor).filter(|&factor| factor <= LARGEST_FACTOR);
        let is_extended = |term: Term| matches!(pool.op(term), Op::SignExtend(_) | Op::ZeroExtend(_));
        match (pool.op(term), children) {
            (Op::SignExtend(_), &[operand]) => {
                add(operand, Representation::Signed, 1);
                add(term, Representation::Signed, 1);
            }
            (Op::ZeroExtend(_), &[operand]) => {
                add(operand, Representation::Unsigned, 1);
                add(term, Representation::Unsigned, 1);
            }
            // A scaled extension is the index of an access; its operand is the better candidate.
            (Op::BvMul, &[a, b]) => {
                for (factor, operand) in [(a, b), (b, a)] {
                    if let Some(factor) = factor_of(factor).filter(|_| !is_extended(operand)) {
                        let factor = if was_inside { 1 } else { factor };
                        add(operand, Representation::Signed, factor);
                    }
                }
            }
            (Op::Symbol(_), _) if varies(term) => {
                add(term, backends::symbolic::representation(pool, term), 1);
            }
            // The index of a load that is an index.
            (Op::Select, _) => continue,
            _ => {}
        }
        open.extend(children.iter().rev().map(|&child| (child, is_inside)));
    }
    found
}

/// The most frequent width of indices; the smallest of those.
fn index_width(pool: &TermPool, accesses: &[Accesses]) -> Option<u32> {
    let mut count: BTreeMap<u32, usize> = BTreeMap::new();
    for candidate in accesses.iter().flat_map(Accesses::candidates) {
        *count.entry(pool.width(candidate.term)).or_default() += 1;
    }
    let most = count.values().copied().max()?;
    count.into_iter().find(|&(_, times)| times == most).map(|(width, _)| width)
}

/// The symbols in indices of a width that have this width themselves, or that of an extended index,
/// and how it is extended.
fn index_symbols(pool: &mut TermPool, accesses: &[Accesses], width: u32) -> FxHashMap<Term, Representation> {
    let mut found = FxHashMap::default();
    for candidate in accesses.iter().flat_map(Accesses::candidates) {
        if pool.width(candidate.term) == width {
            let index = unextended(pool, candidate.term);
            for symbol in symbols_of(pool, index) {
                if pool.sort(symbol) == pool.sort(index) {
                    found.entry(symbol).or_insert(candidate.representation);
                }
            }
        }
    }
    found
}

/// The operand of an extension, or the term itself.
fn unextended(pool: &TermPool, term: Term) -> Term {
    match (pool.op(term), pool.children(term)) {
        (Op::SignExtend(_) | Op::ZeroExtend(_), &[operand]) => operand,
        _ => term,
    }
}

/// How the program compares the variables of indices or, if it compares none, extends indices. An
/// index that is never negative may be extended as a natural number although it counts down to -1.
fn representation(
    pool: &mut TermPool,
    system: &System,
    accesses: &[Accesses],
    variables: &FxHashMap<Term, Representation>,
    width: u32,
) -> Representation {
    let (mut signed, mut unsigned) = (0, 0);
    for clause in system.clauses.values() {
        for atom in atoms(pool, clause.constraint) {
            let is_about_index = pool.children(atom).to_vec().iter().any(|side| variables.contains_key(side));
            match pool.op(atom) {
                Op::BvSlt if is_about_index => signed += 1,
                Op::BvUlt if is_about_index => unsigned += 1,
                _ => {}
            }
        }
    }
    if signed + unsigned == 0 {
        let own = accesses.iter().flat_map(Accesses::candidates).filter(|own| pool.width(own.term) == width);
        (signed, unsigned) = own.fold((0, 0), |(signed, unsigned), own| match own.representation {
            Representation::Signed => (signed + 1, unsigned),
            Representation::Unsigned => (signed, unsigned + 1),
        });
    }
    if signed >= unsigned { Representation::Signed } else { Representation::Unsigned }
}

/// The material of the transformation.
struct Search<'s> {
    system: &'s System,
    /// The symbols that a transition changes.
    changed: FxHashSet<Term>,
    /// The accesses of each clause.
    accesses: Vec<Accesses>,
    /// The variables of indices, and how those that are narrower than indices are extended.
    variables: FxHashMap<Term, Representation>,
    /// The number of bits of indices.
    width: u32,
    representation: Representation,
    index: Term,
}

/// A bound of segments.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Bound {
    term: Term,
    is_inclusive: bool,
}

/// A term that is an index.
#[derive(Clone, Copy)]
struct Counter {
    term: Term,
    /// Whether its sum with a constant is an index, too.
    is_shifted: bool,
}

impl Bound {
    fn inclusive(term: Term) -> Self {
        Bound { term, is_inclusive: true }
    }

    fn strict(term: Term) -> Self {
        Bound { term, is_inclusive: false }
    }
}

impl Search<'_> {
    fn own(&self, relation: Relation) -> FxHashSet<Term> {
        self.system.relations[relation].symbols().collect()
    }

    /// `formula` with `k` in place of a candidate.
    fn at_index(&self, pool: &mut TermPool, candidate: Term, formula: Term) -> Term {
        let mut substitution = Substitution::new();
        substitution.insert(candidate, self.index);
        substitution.apply(pool, formula)
    }

    fn has_width(&self, pool: &TermPool, candidate: &Candidate) -> bool {
        pool.width(candidate.term) == self.width
    }

    /// The cells of each relation: those of whole indices first.
    fn cells(&self, pool: &mut TermPool) -> Formulas {
        let mut all = Terms::default();
        for access in self.accesses.iter().flat_map(|accesses| &accesses.loads) {
            for candidate in &access.candidates {
                if self.has_width(pool, candidate) {
                    let cell = self.at_index(pool, candidate.term, access.load);
                    all.insert(cell);
                }
            }
        }
        let mut found = Formulas::new();
        for relation in self.system.relations.keys() {
            let own = self.own(relation);
            for &cell in &all {
                let symbols = symbols_of(pool, cell);
                let is_steady = |&x: &Term| {
                    x == self.index || own.contains(&x) && (is_array(pool, x) || !self.changed.contains(&x))
                };
                if symbols.iter().all(is_steady) && found[relation].len() < MAX_CELLS {
                    found[relation].push(cell);
                }
            }
        }
        found
    }

    /// Values that the program writes to the cell at `k`, atoms about this cell, and those of
    /// queries about its address: an error may be an access outside of an object.
    fn literals(&self, pool: &mut TermPool) -> Formulas {
        let (mut all, mut about_addresses) = (Terms::default(), FxHashSet::default());
        for (clause, accesses) in self.system.clauses.values().zip(&self.accesses) {
            for Access { load, value, candidates } in &accesses.writes {
                let Some(value) = *value else { continue };
                let written = pool.eq(*load, value);
                for candidate in candidates {
                    if self.has_width(pool, candidate) {
                        let here = self.at_index(pool, candidate.term, written);
                        all.insert(here);
                    }
                }
            }
            for atom in atoms(pool, clause.constraint) {
                for term in self.index_terms(pool, clause, accesses) {
                    let here = self.at_index(pool, term, atom);
                    all.extend((here != atom).then_some(here));
                    about_addresses.extend((here != atom && clause.head.is_none()).then_some(here));
                }
            }
        }
        let mut found = Formulas::new();
        for relation in self.system.relations.keys() {
            let own = self.own(relation);
            for &atom in &all {
                let symbols = symbols_of(pool, atom);
                let is_own = symbols.iter().all(|&symbol| symbol == self.index || own.contains(&symbol));
                let is_about_cell =
                    symbols.iter().any(|&x| is_array(pool, x)) || about_addresses.contains(&atom);
                if is_own && is_about_cell && found[relation].len() < MAX_LITERALS {
                    found[relation].extend([atom, pool.not(atom)]);
                }
            }
        }
        found
    }

    /// The index terms over the symbols of a relation,
    /// and multiples of them where an address skips cells, `a[2 * i]`.
    fn counters(&self, pool: &mut TermPool, relation: Relation) -> Vec<Counter> {
        let own = self.own(relation);
        let (mut found, mut shifted) = (Terms::default(), Terms::default());
        let unit = self.unit(pool);
        for candidate in self.accesses.iter().flat_map(Accesses::candidates) {
            let symbols = symbols_of(pool, candidate.term);
            let is_own = symbols.iter().all(|symbol| own.contains(symbol));
            if self.has_width(pool, candidate) && is_own && symbols.iter().any(|x| self.changed.contains(x)) {
                found.insert(candidate.term);
                shifted.extend(self.shifted(pool, candidate.term));
                if candidate.factor > unit && candidate.factor % unit == 0 {
                    let factor = pool.bv(pool.width(candidate.term), candidate.factor / unit);
                    found.insert(pool.bv_mul(factor, candidate.term));
                }
            }
        }
        let mut found: Vec<Counter> =
            found.into_iter().map(|term| Counter { term, is_shifted: shifted.contains(&term) }).collect();
        found.truncate(MAX_BOUNDS);
        found
    }

    /// The variable of which an index is the sum with a constant: the cells that `a[i - 1]` leaves
    /// behind in a descending loop are bounded by a natural `i`, as `i - 1` may wrap around.
    fn shifted(&self, pool: &mut TermPool, index: Term) -> Option<Term> {
        let operand = unextended(pool, index);
        let variable = match (pool.op(operand), pool.children(operand)) {
            (Op::BvAdd, &[a, b]) if pool.is_constant(a) => b,
            (Op::BvAdd, &[a, b]) if pool.is_constant(b) => a,
            _ => return None,
        };
        let extension = self.variables.get(&unextended(pool, variable)).copied()?;
        Some(self.extended(pool, variable, extension))
    }

    /// The size of a cell: the smallest factor of an index.
    fn unit(&self, pool: &TermPool) -> u64 {
        let own = self.accesses.iter().flat_map(Accesses::candidates);
        let factors = own.filter(|own| self.has_width(pool, own) && own.factor > 1).map(|own| own.factor);
        factors.min().unwrap_or(1)
    }

    /// The upper bounds with which index variables are compared: symbols, constants, and terms over
    /// symbols that no transition changes.
    fn bounds(&self, pool: &mut TermPool) -> Vec<Bound> {
        let mut found: Vec<Bound> = Vec::new();
        for clause in self.system.clauses.values() {
            for atom in atoms_with_parts(pool, clause.constraint) {
                let &[a, b] = pool.children(atom) else { continue };
                // `i < b`, or `a < i`, the negation of `i ≤ a`.
                let sides = match pool.op(atom) {
                    Op::BvSlt | Op::BvUlt => [(a, Bound::strict(b)), (b, Bound::inclusive(a))],
                    Op::Eq => [(a, Bound::strict(b)), (b, Bound::strict(a))],
                    _ => continue,
                };
                for (index, bound) in sides {
                    let is_simple =
                        matches!(pool.op(bound.term), Op::Symbol(_)) || integer(pool, bound.term).is_some();
                    if !is_simple && !self.is_steady_bound(pool, bound.term) {
                        continue;
                    }
                    let Some(extension) = self.extension(pool, index) else { continue };
                    let bound = Bound { term: self.extended(pool, bound.term, extension), ..bound };
                    if !found.contains(&bound) {
                        found.push(bound);
                    }
                }
            }
        }
        found
    }

    /// How a term that varies with an index is extended to the width of indices; `None` for other
    /// terms.
    fn extension(&self, pool: &mut TermPool, term: Term) -> Option<Representation> {
        let symbols = symbols_of(pool, term);
        if symbols.iter().any(|&symbol| is_array(pool, symbol)) {
            return None;
        }
        let variable = symbols
            .iter()
            .find(|&&symbol| self.variables.contains_key(&symbol) && pool.sort(symbol) == pool.sort(term));
        variable.map(|variable| self.variables[variable])
    }

    /// A term of at most the width of indices, extended to it.
    fn extended(&self, pool: &mut TermPool, term: Term, extension: Representation) -> Term {
        let bits = self.width - pool.width(term);
        match extension {
            Representation::Signed => pool.sign_extend(bits, term),
            Representation::Unsigned => pool.zero_extend(bits, term),
        }
    }

    /// Whether a term is a small one over symbols of relations that no transition changes, such as
    /// `2 * n`.
    fn is_steady_bound(&self, pool: &mut TermPool, term: Term) -> bool {
        let symbols = symbols_of(pool, term);
        let all = || self.system.relations.values().flat_map(RelationData::symbols);
        let is_steady = |&x: &Term| !is_array(pool, x) && !self.changed.contains(&x) && all().any(|y| y == x);
        pool.dag_size(term) <= LARGEST_BOUND && !symbols.is_empty() && symbols.iter().all(is_steady)
    }

    /// The constants at which index variables start.
    fn starts(&self, pool: &mut TermPool) -> Vec<Term> {
        let mut found = Terms::default();
        found.insert(pool.bv(self.width, 0));
        for (before, update) in self.system.clauses.values().flat_map(|clause| &clause.updates) {
            let Some(&extension) = self.variables.get(before) else { continue };
            let small = |&value: &Term| integer(pool, value).is_some_and(|value| value <= BigInt::from(16));
            if let Some(start) = update.value.filter(small) {
                found.insert(self.extended(pool, start, extension));
            }
        }
        found.truncate(2);
        found.into_iter().collect()
    }

    /// Whether transitions decrease the variables of an index term, as far as they step by
    /// constants.
    fn is_descending(&self, pool: &mut TermPool, counter: Term) -> Option<bool> {
        let counter = unextended(pool, counter);
        if !matches!(pool.op(counter), Op::Symbol(_)) {
            return None;
        }
        let width = pool.width(counter);
        for clause in transitions(self.system) {
            let Some(value) = clause.updates.get(&counter).and_then(|update| update.value) else { continue };
            let step = pool.bv_sub(value, counter);
            if let Some(step) = pool.as_bv_u64(step) {
                return Some(step >> (width.min(64) - 1) & 1 == 1);
            }
        }
        None
    }

    /// Segments, see the [module](self). The first is everything.
    fn guards(&self, pool: &mut TermPool) -> Formulas {
        let (bounds, starts) = (self.bounds(pool), self.starts(pool));
        let mut found = Formulas::new();
        for relation in self.system.relations.keys() {
            let own = self.own(relation);
            let counters = self.counters(pool, relation);
            let mut ends = bounds.clone();
            ends.retain(|bound| symbols_of(pool, bound.term).iter().all(|symbol| own.contains(symbol)));
            let (mut ends, mut constants): (Vec<Bound>, Vec<Bound>) =
                ends.into_iter().partition(|bound| !pool.is_constant(bound.term));
            ends.truncate(MAX_BOUNDS);
            constants.retain(|&bound| is_positive(pool, bound));
            constants.dedup_by_key(|bound| value(pool, *bound));
            constants.truncate(MAX_BOUNDS);
            ends.extend(constants);
            let mut segments = Terms::default();
            segments.insert(pool.tru());
            for &Counter { term: counter, is_shifted } in &counters {
                let descending = self.is_descending(pool, counter);
                let (before, after) = (Bound::strict(counter), Bound::inclusive(counter));
                for &start in &starts {
                    let start = Bound::inclusive(start);
                    if descending != Some(true) {
                        segments.insert(self.segment(pool, start, before));
                    }
                    if descending != Some(false) {
                        segments.insert(self.segment(pool, start, after));
                    }
                }
                for &end in ends.iter().filter(|end| end.term != counter) {
                    if descending != Some(true) || is_shifted {
                        segments.insert(self.segment(pool, after, end));
                    }
                    if descending != Some(false) {
                        segments.insert(self.segment(pool, before, end));
                    }
                }
            }
            for &start in &starts {
                for &end in &ends {
                    segments.insert(self.segment(pool, Bound::inclusive(start), end));
                }
            }
            segments.retain(|&segment| segment != pool.fls());
            segments.truncate(MAX_GUARDS);
            found[relation] = segments.into_iter().collect();
        }
        found
    }

    /// `low ≤ k ∧ k ≤ high`, where the comparison with a strict bound is strict.
    fn segment(&self, pool: &mut TermPool, low: Bound, high: Bound) -> Term {
        let mut compare = |a: Term, b: Term, bound: Bound| match (self.representation, bound.is_inclusive) {
            (Representation::Signed, true) => pool.bv_sle(a, b),
            (Representation::Signed, false) => pool.bv_slt(a, b),
            (Representation::Unsigned, true) => pool.bv_ule(a, b),
            (Representation::Unsigned, false) => pool.bv_ult(a, b),
        };
        let (from, to) = (compare(low.term, self.index, low), compare(self.index, high.term, high));
        pool.and2(from, to)
    }

    /// The index terms that a clause reads, and those of other clauses that are in a query: it may
    /// be about the address of an access without having it.
    fn index_terms(&self, pool: &TermPool, clause: &ClauseData, accesses: &Accesses) -> Terms {
        let mut found = Terms::default();
        for Access { candidates, .. } in &accesses.loads {
            let own = candidates.iter().filter(|candidate| self.has_width(pool, candidate));
            found.extend(own.map(|candidate| candidate.term));
        }
        if clause.head.is_none() {
            let mut inside = FxHashSet::default();
            pool.visit(&[clause.constraint], |_| true, |term| inside.extend([term]));
            let all = self.accesses.iter().flat_map(Accesses::candidates);
            let own = all.filter(|other| self.has_width(pool, other) && inside.contains(&other.term));
            found.extend(own.map(|candidate| candidate.term));
        }
        found
    }

    fn instantiate(&self, pool: &mut TermPool) -> System {
        let argument = Argument { name: "k".to_owned(), symbol: self.index };
        let mut relations: Vec<RelationData> = self.system.relations.values().cloned().collect();
        relations.iter_mut().for_each(|data| data.arguments.push(argument.clone()));
        let mut places: Vec<Term> = Vec::new();
        let mut clauses = Vec::new();
        for (clause, accesses) in self.system.clauses.values().zip(&self.accesses) {
            let with = |atom: &Atom, index: Term| {
                let arguments = atom.arguments.iter().copied().chain([index]).collect();
                Atom { relation: atom.relation, arguments }
            };
            let mut body: Vec<Atom> = clause.body.iter().map(|atom| with(atom, self.index)).collect();
            let mut conjuncts = vec![clause.guard];
            if let Some(atom) = clause.body.first() {
                let mut terms = self.index_terms(pool, clause, accesses);
                terms.truncate(MAX_INSTANCES);
                for (number, term) in terms.into_iter().enumerate() {
                    if number == places.len() {
                        places.push(pool.fresh_symbol("k.at", Sort::BitVec(self.width), self.representation));
                    }
                    body.push(with(atom, places[number]));
                    conjuncts.push(pool.eq(places[number], term));
                }
            }
            let guard = pool.and(&conjuncts);
            let head = (clause.head.as_ref().map(|head| with(head, self.index)), clause.updates.clone());
            let mut new = ClauseData::new(pool, body, guard, head, clause.origin.clone());
            // An entry chooses the index.
            if clause.body.is_empty() && clause.head.is_some() && !new.inner.contains(&self.index) {
                new.inner.push(self.index);
            }
            clauses.push(new);
        }
        System { relations: relations.into_iter().collect(), clauses: clauses.into_iter().collect() }
    }
}

/// The number below which the indices are.
fn value(pool: &TermPool, bound: Bound) -> Option<BigInt> {
    let value = integer(pool, bound.term)?;
    Some(if bound.is_inclusive { value + BigInt::one() } else { value })
}

fn is_positive(pool: &TermPool, bound: Bound) -> bool {
    let Sort::BitVec(width) = pool.sort(bound.term) else { return false };
    value(pool, bound).is_some_and(|value| {
        value.sign() == Sign::Plus && value > BigInt::one() && (value >> (width - 1)).is_zero()
    })
}
