//! Uniform: one formula for all nodes at the same place.
//!
//! # Idea
//! The parts of a path through a loop repeat, and the proof of one more iteration is a formula that
//! does not mention the iteration number. The path is therefore folded. Nodes form one *place* if
//! their parts, or their parents' parts, are equal up to the versions of variables, and if they
//! share the same variables. The facts at a place are computed as for a program with these places:
//! from below, by models, in a domain of affine equations and literals over variables common to all
//! nodes of the place, until all parts preserve them. This is the analysis of *path programs*
//! (Beyer, Henzinger, Majumdar, Rybalchenko, *Path Invariants*, PLDI 2007) on formulas alone: there
//! is no program here, and the places are guessed from names and shapes.
//!
//! The result holds at each node of the path and serves as an ordinary frame. If it contradicts the
//! root, it yields interpolants that are invariants of the loops. Otherwise it is the starting
//! point of the other phases.
//!
//! # Cost
//! Parts of one shape between the same places are checked once per state of the places. The number
//! of checks thus depends on the number of shapes and the height of the domain. One more check per
//! part verifies the result.

use super::candidates::Interest;
use super::local::{Frames, Local};
use super::tree::{Node, is_over, stem};
use backends::interpolation::vocabulary::Name;
use backends::symbolic::affine::{Hull, has_hull};
use backends::symbolic::{integer, is_numeric, less_equal, numeral};
use backends::{Limits, Model, Reason};
use indexmap::{IndexMap, IndexSet};
use num_bigint::BigInt;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use terms::entity::Entity;
use terms::{Op, Representation, Sort, Term, TermPool};

/// Maximum number of columns per sort.
const MAX_COLUMNS: usize = 16;
/// Maximum number of variables that are compared with each other and with constants.
const MAX_COMPARED: usize = 8;
/// Maximum number of constants that variables are compared with.
const MAX_CONSTANTS: usize = 8;
/// Maximum size of such a constant in bits; larger ones are usually bounds of types.
const LARGEST_BITS: u64 = 24;

type Terms = IndexSet<Term, FxBuildHasher>;

/// The nodes at one place, and the facts that hold there.
struct Place {
    /// The numeric variables that all nodes have, by sort, as representatives of their classes.
    columns: Vec<(Sort, Vec<Term>)>,
    /// The literals that no model has falsified yet.
    literals: Vec<Term>,
    /// One hull per sort; `None` before the first model.
    hulls: Option<Vec<Hull>>,
    /// The number of changes of this place.
    version: u32,
}

/// The partition of the nodes' variables into versions of the same variable.
struct Classes {
    representative: FxHashMap<Term, Term>,
    /// For each node, the symbol of each class.
    symbols: Vec<FxHashMap<Term, Term>>,
}

/// The result of the uniform phase.
pub(super) struct Uniform {
    /// The facts at each node but the root.
    pub(super) frames: Frames,
    /// Whether these facts contradict the root.
    pub(super) is_refuted: bool,
}

/// Computes facts for each node but the root; returns `None` if no parts repeat.
pub(super) fn uniform(
    pool: &mut TermPool,
    local: &mut Local,
    nodes: &[Node],
    interests: &[Interest],
    limits: &Limits,
) -> Result<Option<Uniform>, Reason> {
    let root = nodes.len() - 1;
    let classes = classes(nodes);
    let shapes = shapes(pool, nodes, &classes);
    let place_of = places_of(nodes, &shapes, &classes);
    let mut places = places(pool, nodes, interests, &classes, &place_of);
    if places.len() == root {
        return Ok(None);
    }
    // The checks that found nothing new: a shape between places, with the versions of these.
    let mut stable: FxHashSet<(u64, Vec<(usize, u32)>)> = FxHashSet::default();
    loop {
        let mut is_changed = false;
        for index in 0..root {
            if let Some(reason) = limits.exceeded() {
                return Err(reason);
            }
            let at = place_of[index];
            loop {
                let around = nodes[index].children.iter().map(|&child| place_of[child]).chain([at]);
                let state = around.map(|place| (place, places[place].version)).collect();
                if !stable.insert((shapes[index], state)) {
                    break;
                }
                let mut asserted = nodes[index].formulas.clone();
                for &child in &nodes[index].children {
                    asserted.extend(places[place_of[child]].at(pool, &classes, child));
                }
                let goal = places[at].at(pool, &classes, index);
                let goal = pool.and(&goal);
                asserted.push(pool.not(goal));
                let place = &mut places[at];
                let seen = local
                    .model_of(pool, &asserted, |pool, model| place.join(pool, model, &classes, index))?;
                if seen.is_none() {
                    break;
                }
                is_changed = true;
            }
        }
        if !is_changed {
            break;
        }
    }
    let mut frames: Frames = vec![Vec::new(); nodes.len()];
    for (index, frame) in frames.iter_mut().enumerate().take(root) {
        *frame = places[place_of[index]].at(pool, &classes, index);
        frame.retain(|&term| term != pool.tru());
    }
    // Shapes are hashes and places are guesses; soundness rests on these checks alone.
    let mut is_refuted = false;
    for index in 0..=root {
        let mut asserted = nodes[index].formulas.clone();
        asserted.extend(nodes[index].children.iter().flat_map(|&child| &frames[child]));
        let goal = if index == root { pool.fls() } else { pool.and(&frames[index]) };
        if goal == pool.tru() {
            continue;
        }
        asserted.push(pool.not(goal));
        let is_shown = local.is_unsatisfiable(pool, &asserted)?;
        if index == root {
            is_refuted = is_shown;
        } else if !is_shown {
            return Ok(None);
        }
    }
    Ok(Some(Uniform { frames, is_refuted }))
}

impl Place {
    /// The facts of the place, over the variables of `node`.
    fn at(&self, pool: &mut TermPool, classes: &Classes, node: usize) -> Vec<Term> {
        let Some(hulls) = &self.hulls else { return vec![pool.fls()] };
        let mut all: Vec<Term> = Vec::new();
        for hull in hulls {
            all.extend(hull.equations(pool));
            all.extend(hull.congruences(pool));
        }
        all.extend(&self.literals);
        all.into_iter().map(|term| classes.instance(pool, term, node)).collect()
    }

    /// Joins the state of `node` in a model.
    fn join(
        &mut self,
        pool: &mut TermPool,
        model: &mut dyn Model,
        classes: &Classes,
        node: usize,
    ) -> Result<(), Reason> {
        self.version += 1;
        let mut points = Vec::with_capacity(self.columns.len());
        for (_, columns) in &self.columns {
            let own: Vec<Term> = columns.iter().map(|&term| classes.instance(pool, term, node)).collect();
            points.push(model.eval_all(pool, &own)?);
        }
        match &mut self.hulls {
            Some(hulls) => {
                for (hull, point) in hulls.iter_mut().zip(&points) {
                    hull.add(point);
                }
            }
            None => {
                let made = self.columns.iter().zip(&points);
                let hulls: Option<Vec<Hull>> =
                    made.map(|((sort, columns), point)| Hull::new(*sort, columns.clone(), point)).collect();
                self.hulls = Some(hulls.ok_or_else(|| Reason::Fault("a number has no value".to_owned()))?);
            }
        }
        let own: Vec<Term> =
            self.literals.iter().map(|&literal| classes.instance(pool, literal, node)).collect();
        let values = model.eval_all(pool, &own)?;
        let mut holds = values.iter().map(|value| value.as_bool() == Some(true));
        self.literals.retain(|_| holds.next() == Some(true));
        Ok(())
    }
}

impl Classes {
    /// Renames the representatives in `term` to the symbols of `node`.
    fn instance(&self, pool: &mut TermPool, term: Term, node: usize) -> Term {
        pool.map_leaves(term, &mut |_, leaf| self.symbols[node].get(&leaf).copied())
    }

    /// Renames the symbols of a node in `term` to their representatives.
    fn generic(&self, pool: &mut TermPool, term: Term) -> Term {
        pool.map_leaves(term, &mut |_, leaf| self.representative.get(&leaf).copied())
    }
}

fn classes(nodes: &[Node]) -> Classes {
    let mut parent: FxHashMap<Term, Term> = FxHashMap::default();
    fn find(parent: &mut FxHashMap<Term, Term>, of: Term) -> Term {
        let mut of = of;
        while let Some(&above) = parent.get(&of).filter(|&&above| above != of) {
            let next = parent.get(&above).copied().unwrap_or(above);
            parent.insert(of, next);
            of = above;
        }
        of
    }
    for node in nodes {
        for (&below, &above) in &node.up {
            let (a, b) = (find(&mut parent, below), find(&mut parent, above));
            parent.insert(a.max(b), a.min(b));
        }
    }
    let mut representative = FxHashMap::default();
    let mut symbols = Vec::with_capacity(nodes.len());
    for node in nodes {
        let mut own: FxHashMap<Term, Term> = FxHashMap::default();
        let mut is_twice = Vec::new();
        for &symbol in &node.symbols {
            let class = find(&mut parent, symbol);
            representative.insert(symbol, class);
            if own.insert(class, symbol).is_some() {
                is_twice.push(class);
            }
        }
        for class in is_twice {
            own.remove(&class);
        }
        symbols.push(own);
    }
    Classes { representative, symbols }
}

/// A hash of each part. A state variable contributes its class and whether it occurs before or
/// after the part; any other symbol contributes its name without numbers.
fn shapes(pool: &TermPool, nodes: &[Node], classes: &Classes) -> Vec<u64> {
    nodes
        .iter()
        .map(|node| {
            let before: FxHashSet<Term> =
                node.children.iter().flat_map(|&child| nodes[child].symbols.iter().copied()).collect();
            let mut hashes: FxHashMap<Term, u64> = FxHashMap::default();
            pool.visit(
                &node.formulas,
                |_| true,
                |term| {
                    let mut hasher = FxHasher::default();
                    match pool.op(term) {
                        Op::Symbol(symbol) => match classes.representative.get(&term) {
                            Some(class) => {
                                let after = node.shared_symbol(term);
                                (class.index(), before.contains(&term), after).hash(&mut hasher);
                            }
                            None => {
                                let stem = stem(&pool.symbol_data(symbol).name);
                                (pool.sort(term), stem).hash(&mut hasher);
                            }
                        },
                        op => {
                            op.hash(&mut hasher);
                            // The children of sums and junctions are ordered by the age of their
                            // terms, so their order must not matter.
                            let children = pool.children(term).iter().map(|child| hashes[child]);
                            match op {
                                Op::And | Op::Or | Op::Add | Op::Mul | Op::Eq | Op::Xor => {
                                    children.fold(0u64, u64::wrapping_add).hash(&mut hasher);
                                }
                                _ => children.for_each(|child| child.hash(&mut hasher)),
                            }
                        }
                    }
                    hashes.insert(term, hasher.finish());
                },
            );
            node.formulas.iter().fold(0u64, |sum, formula| sum.wrapping_add(hashes[formula]))
        })
        .collect()
}

/// The number of the place of each node but the root.
fn places_of(nodes: &[Node], shapes: &[u64], classes: &Classes) -> Vec<usize> {
    let root = nodes.len() - 1;
    let mut place: Vec<usize> = (0..root).collect();
    fn find(place: &mut [usize], mut of: usize) -> usize {
        while place[of] != of {
            place[of] = place[place[of]];
            of = place[of];
        }
        of
    }
    // Merges nodes after equal parts, and nodes before equal parts.
    let mut first: FxHashMap<(u64, usize), usize> = FxHashMap::default();
    for index in 0..root {
        let above = nodes[index].parent.expect("only the root has no parent");
        let position = nodes[above].children.iter().position(|&child| child == index).unwrap_or(0);
        for key in [(shapes[index], 0), (shapes[above], position + 1)] {
            let other = *first.entry(key).or_insert(index);
            let (a, b) = (find(&mut place, index), find(&mut place, other));
            place[a.max(b)] = a.min(b);
        }
    }
    // At the ends of a path some variables are not shared. Such nodes get places of their own, so
    // that the facts of the other places can mention these variables.
    let mut numbers: FxHashMap<(usize, Vec<Term>), usize> = FxHashMap::default();
    (0..root)
        .map(|index| {
            let mut shared: Vec<Term> = classes.symbols[index].keys().copied().collect();
            shared.sort_unstable();
            let next = numbers.len();
            *numbers.entry((find(&mut place, index), shared)).or_insert(next)
        })
        .collect()
}

fn places(
    pool: &mut TermPool,
    nodes: &[Node],
    interests: &[Interest],
    classes: &Classes,
    place_of: &[usize],
) -> Vec<Place> {
    let count = place_of.iter().max().map_or(0, |last| last + 1);
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (index, &place) in place_of.iter().enumerate() {
        members[place].push(index);
    }
    let constants = constants(pool, nodes);
    members
        .into_iter()
        .map(|members| {
            let mut common: Vec<Term> = nodes[members[0]]
                .symbols
                .iter()
                .map(|symbol| classes.representative[symbol])
                .filter(|class| members.iter().all(|&node| classes.symbols[node].contains_key(class)))
                .collect();
            common.sort_unstable();
            common.dedup();
            let mut by_sort: IndexMap<Sort, Vec<Term>, FxBuildHasher> = IndexMap::default();
            for &class in common.iter().filter(|&&class| has_hull(pool.sort(class))) {
                by_sort.entry(pool.sort(class)).or_default().push(class);
            }
            let mut allowed: FxHashSet<Name> = functions_of(nodes, &members).into_iter().collect();
            for &class in &common {
                allowed.extend(Name::of(pool.op(class)));
            }
            let mut literals = Terms::default();
            for &node in &members {
                for &literal in &interests[node].literals {
                    let generic = classes.generic(pool, literal);
                    if is_over(pool, generic, &allowed) {
                        literals.insert(generic);
                    }
                }
            }
            for &class in &common {
                if pool.sort(class) == Sort::Bool {
                    literals.extend([class, pool.not(class)]);
                }
            }
            for columns in by_sort.values_mut() {
                columns.truncate(MAX_COLUMNS);
                comparisons(pool, columns, &constants, &mut literals);
            }
            Place {
                columns: by_sort.into_iter().collect(),
                literals: literals.into_iter().collect(),
                hulls: None,
                version: 0,
            }
        })
        .collect()
}

/// The functions that all of `members` share.
fn functions_of(nodes: &[Node], members: &[usize]) -> Vec<Name> {
    let first = &nodes[members[0]].shared;
    let is_common = |name: &&Name| {
        matches!(name, Name::Function(_)) && members.iter().all(|&node| nodes[node].shared.contains(name))
    };
    first.iter().filter(is_common).copied().collect()
}

/// The small numerals in the parts.
fn constants(pool: &TermPool, nodes: &[Node]) -> Vec<BigInt> {
    let mut found: IndexSet<BigInt, FxBuildHasher> = IndexSet::default();
    found.insert(BigInt::ZERO);
    for node in nodes.iter().rev() {
        if found.len() >= MAX_CONSTANTS {
            break;
        }
        pool.visit(
            &node.formulas,
            |_| true,
            |term| {
                if let Some(number) = integer(pool, term)
                    && number.bits() <= LARGEST_BITS
                    && found.len() < MAX_CONSTANTS
                {
                    found.insert(number);
                }
            },
        );
    }
    found.into_iter().collect()
}

/// Adds comparisons of variables of one sort with each other and with constants.
fn comparisons(pool: &mut TermPool, variables: &[Term], constants: &[BigInt], found: &mut Terms) {
    let compared = &variables[..variables.len().min(MAX_COMPARED)];
    for (index, &x) in compared.iter().enumerate() {
        debug_assert!(is_numeric(pool.sort(x)), "columns are numeric");
        for constant in constants {
            let constant = numeral(pool, pool.sort(x), constant);
            for (a, b) in [(x, constant), (constant, x)] {
                found.insert(less_equal(pool, Representation::Signed, a, b));
            }
        }
        for &y in &compared[..index] {
            for (a, b) in [(x, y), (y, x)] {
                found.insert(less_equal(pool, Representation::Signed, a, b));
            }
        }
    }
}
