//! Induction variable substitution: a pointer that a loop moves in constant steps becomes its first
//! value plus a multiple of a counter.
//!
//! ```text
//! head(p = a):                          head(i = 0):
//!   branch p < end                        p = a + 4 * i
//!   …                          becomes    branch p < a + 4 * n
//!   head(p + 4)                           …
//!                                         head(i + 1)
//! ```
//!
//! *Idea.* Programs that walk over arrays by pointers get the shape of programs with an index:
//! bounds of a counter are small numbers that start at zero, all pointers that move together are
//! functions of one counter, and the alignment of an address is visible in its term. This is the
//! inverse of strength reduction.
//!
//! *Source.* Gerlek, Stoltz and Wolfe, *Beyond Induction Variables: Detecting and Classifying
//! Sequences Using a Demand-Driven SSA Form*, TOPLAS 1995, for "basic linear" variables and
//! variables that branches of the loop move by different constants.
//!
//! *Families.* The parameter of a loop head is in a family with all parameters of blocks in the
//! loop that flow back to it. Each argument on an edge between them must be a member plus a
//! constant; the greatest common divisor of the constants is the unit of the counter. With
//! addresses of w bits and a unit of 2^k times an odd number, the counter has w - k bits: the
//! product does not depend on others. So no bound is needed: the equation holds whatever wraps, and
//! the product with 2^k does not wrap.
//!
//! *First values.* Summands of the first value that are multiples of the unit are left to the
//! counter: a pointer that walks from `a + n` down to `a` is `a + 4 * i`, too, with `i` from `n`
//! to 0. So the counters of several loops over one array are indices of its cells.
//!
//! *Counters together.* Families of the same loop with the same steps in their units share the
//! widest counter, if the first values of their counters differ by a constant.
//!
//! *Ends.* In a term of the loop over a member and a value from before the loop, such as `p < end`,
//! the value is replaced by its definition if both are sums with a common operand: `a` in the
//! example. The end of the loop is then known without an invariant.
//!
//! *Limits.* Loops with several entries, and pointers that start at different values on different
//! edges, are left alone. Cost: linear in the function for each loop of its nests.

use super::back::{BackTranslator, FunctionOrigin, Step};
use super::rewrite::{self, as_value, leaf};
use super::simplify::{Events, simplify};
use indexmap::IndexMap;
use num_integer::Integer;
use program::ssa::cfg::{ControlFlow, EdgeRef};
use program::ssa::liveness::{self, Definition};
use program::ssa::loops::{Loop, LoopForest};
use program::ssa::{
    Block, FunctionData, Instruction, InstructionKind, Program, Span, Type, Value, ValueData,
};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use terms::entity::{Entity, PrimaryMap};
use terms::{Term, TermPool};

/// The largest number of definitions that are followed to a parameter or to the operand of a sum.
const DEPTH: usize = 16;
/// The largest number of bytes by which a pointer moves.
const LARGEST_STEP: u64 = 1 << 30;
/// The largest number of subterms of a value that is replaced by its definition.
const LARGEST_END: usize = 16;

/// Replaces pointers that move in constant steps by counters.
pub fn induction(pool: &mut TermPool, program: &mut Program) -> BackTranslator {
    let mut step = Step::default();
    for (function, data) in program.functions.iter_mut().filter(|(_, data)| data.is_defined()) {
        let (blocks, values) = (data.blocks.len(), data.values.len());
        if substitute(pool, data) {
            let mut origin = FunctionOrigin::identity(function, blocks, values);
            origin.values.resize(data.values.len(), None);
            step.functions[function] = Some(origin);
        }
    }
    BackTranslator::from_step(step).then(simplify(pool, program, Events::Keep))
}

/// Parameters of blocks of a loop that differ from each other by multiples of a unit.
struct Family {
    of: Loop,
    /// The first value without multiples of the unit, over values that are defined before the loop.
    base: Term,
    /// The first value of the counter, as wide as addresses.
    start: Term,
    /// The members, that of the loop head first.
    members: IndexMap<Value, Place>,
    /// The edges between members: the edge, the member at its end, the member at its start, and
    /// the distance in bytes.
    steps: Vec<(EdgeRef, Value, Value, i64)>,
}

/// The place of a block parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    block: Block,
    position: usize,
}

impl Family {
    /// The greatest common divisor of the steps.
    fn unit(&self) -> i64 {
        self.steps.iter().fold(0, |unit: i64, &(.., distance)| unit.gcd(&distance))
    }

    /// The number of bits of a counter.
    fn width(&self, pool: &TermPool) -> u32 {
        pool.width(self.base) - self.unit().trailing_zeros()
    }

    /// The steps by places and in units; equal for families that move together.
    fn shape(&self) -> Vec<(EdgeRef, Block, i64)> {
        let unit = self.unit();
        let step = |&(edge, _, from, distance): &_| (edge, self.members[&from].block, distance / unit);
        let mut shape: Vec<_> = self.steps.iter().map(step).collect();
        shape.sort_unstable();
        shape
    }

    /// Whether no block has two members.
    fn has_one_member_per_block(&self) -> bool {
        let blocks: FxHashSet<Block> = self.members.values().map(|place| place.block).collect();
        blocks.len() == self.members.len()
    }
}

/// The counters of a family.
struct Counters {
    of: Loop,
    shape: Vec<(EdgeRef, Block, i64)>,
    /// The first value, as wide as addresses.
    start: Term,
    width: u32,
    by_block: IndexMap<Block, Value>,
}

/// Whether a family was found.
fn substitute(pool: &mut TermPool, data: &mut FunctionData) -> bool {
    let graph = ControlFlow::new(data);
    let forest = LoopForest::new(&graph);
    if forest.loops().is_empty() || !forest.is_reducible() {
        return false;
    }
    let definitions = Definitions::of(data);
    let mut search = Search { pool, data, graph: &graph, forest: &forest, definitions: &definitions };
    let mut families = search.run();
    families.sort_by_key(|family| (family.of, Reverse(family.width(pool))));
    for family in &families {
        expose_ends(pool, data, &forest, &definitions, family);
    }
    let mut all: Vec<Counters> = Vec::new();
    for family in &families {
        let shape = family.shape();
        let shared = all.iter().find_map(|other| {
            let difference = pool.bv_sub(family.start, other.start);
            let is_same = other.of == family.of && other.shape == shape && pool.is_constant(difference);
            is_same.then_some((other, difference))
        });
        let is_shared = shared.is_some();
        let by_block = replace(pool, data, &forest, family, shared);
        if !is_shared && family.has_one_member_per_block() {
            let width = family.width(pool);
            all.push(Counters { of: family.of, shape, start: family.start, width, by_block });
        }
    }
    !families.is_empty()
}

/// The definitions of values.
struct Definitions {
    places: Vec<Option<Definition>>,
    /// The terms of pure instructions.
    terms: Vec<Option<Term>>,
}

impl Definitions {
    fn of(data: &FunctionData) -> Self {
        let term = |instruction: &Instruction| match instruction.kind {
            InstructionKind::Pure(term) => Some(term),
            _ => None,
        };
        let terms = rewrite::definitions(data).into_iter().map(|own| own.and_then(term)).collect();
        Definitions { places: liveness::definitions(data), terms }
    }

    /// The block whose parameter a value is.
    fn parameter_of(&self, value: Value) -> Option<Block> {
        match self.places[value.index()]? {
            Definition::Parameter(block) => Some(block),
            Definition::Instruction(_) => None,
        }
    }
}

struct Search<'a> {
    pool: &'a mut TermPool,
    data: &'a FunctionData,
    graph: &'a ControlFlow,
    forest: &'a LoopForest,
    definitions: &'a Definitions,
}

impl Search<'_> {
    /// The families, without common members; those of outer loops first.
    fn run(&mut self) -> Vec<Family> {
        let mut found: Vec<Family> = Vec::new();
        let mut taken = FxHashSet::default();
        for (of, data) in self.forest.loops().iter() {
            let &[entry] = &data.entries[..] else { continue };
            for (position, &parameter) in self.data.blocks[data.head].parameters.iter().enumerate() {
                if !is_pointer(&self.data.values, parameter) || taken.contains(&parameter) {
                    continue;
                }
                let base = entry.edge(self.data).arguments[position];
                let place = Place { block: data.head, position };
                let Some(mut family) = self.family(of, parameter, place, base) else { continue };
                if family.unit() != 0 && family.members.keys().all(|member| !taken.contains(member)) {
                    taken.extend(family.members.keys().copied());
                    self.split_base(&mut family);
                    found.push(family);
                }
            }
        }
        found
    }

    /// The family of a parameter of a loop head. `None` if it moves in other ways.
    fn family(&mut self, of: Loop, parameter: Value, place: Place, base: Term) -> Option<Family> {
        let head = place.block;
        let start = self.pool.bv(self.pool.width(base), 0);
        let mut family = Family { of, base, start, members: IndexMap::new(), steps: Vec::new() };
        family.members.insert(parameter, place);
        let mut next = 0;
        while let Some((&member, &Place { block, position })) = family.members.get_index(next) {
            next += 1;
            for &edge in self.graph.predecessors(block) {
                if !self.forest.contains(of, edge.from) {
                    if block == head {
                        continue;
                    }
                    return None;
                }
                let (from, distance) = self.step(edge.edge(self.data).arguments[position])?;
                if !family.members.contains_key(&from) {
                    let block = self.definitions.parameter_of(from)?;
                    if block == head || !self.forest.contains(of, block) {
                        return None;
                    }
                    let mut parameters = self.data.blocks[block].parameters.iter();
                    let position = parameters.position(|&parameter| parameter == from)?;
                    family.members.insert(from, Place { block, position });
                }
                family.steps.push((edge, member, from, distance));
            }
        }
        Some(family)
    }

    /// Moves multiples of the unit from the first value of a family to that of its counter.
    fn split_base(&mut self, family: &mut Family) {
        let (pool, values) = (&mut *self.pool, &self.data.values);
        let base = expanded(pool, values, self.definitions, family.base);
        if pool.dag_size(base) > LARGEST_END {
            return;
        }
        let Some(sum) = pool.bv_sum(base) else { return };
        let unit = family.unit();
        let (mut rest, mut start) = (sum.clone(), sum);
        rest.summands.retain(|(_, factor)| factor % unit != 0);
        start.summands.retain(|(_, factor)| factor % unit == 0);
        start.summands.iter_mut().for_each(|(_, factor)| *factor /= unit);
        match rest.constant % unit {
            0 => (rest.constant, start.constant) = (0, start.constant / unit),
            _ => start.constant = 0,
        }
        (family.base, family.start) = (pool.bv_sum_term(&rest), pool.bv_sum_term(&start));
    }

    /// The block parameter of which a term is the sum with a constant, and the constant.
    fn step(&self, term: Term) -> Option<(Value, i64)> {
        let (mut term, mut distance) = (term, 0i64);
        for _ in 0..DEPTH {
            if let Some(value) = as_value(self.pool, term) {
                match self.definitions.terms[value.index()] {
                    Some(definition) => term = definition,
                    None => return Some((value, distance)),
                }
                continue;
            }
            let sum = self.pool.bv_sum(term)?;
            let &[(rest, 1)] = &sum.summands[..] else { return None };
            distance = distance.checked_add(sum.constant)?;
            if distance.unsigned_abs() > LARGEST_STEP {
                return None;
            }
            term = rest;
        }
        None
    }
}

/// Replaces the members of a family by counters, or by the counters of another family, which differ
/// by a constant. Returns the counters by blocks.
fn replace(
    pool: &mut TermPool,
    data: &mut FunctionData,
    forest: &LoopForest,
    family: &Family,
    shared: Option<(&Counters, Term)>,
) -> IndexMap<Block, Value> {
    let (unit, own_width) = (family.unit(), family.width(pool));
    let mut own: IndexMap<Value, Value> = IndexMap::new();
    let mut by_block = IndexMap::new();
    for (&member, &Place { block, position }) in &family.members {
        let ValueData { ty, span, .. } = data.values[member];
        let width = ty.width();
        let counter = data.values.push(ValueData { ty: Type::unsigned(own_width), name: None, span });
        data.blocks[block].parameters[position] = counter;
        own.insert(member, counter);
        by_block.insert(block, counter);
        let counter = match shared {
            Some((shared, difference)) => {
                let counter = leaf(pool, data, shared.by_block[&block]);
                let difference = pool.extract(shared.width - 1, 0, difference);
                pool.bv_add(counter, difference)
            }
            None => leaf(pool, data, counter),
        };
        let (unit, counter) =
            (pool.bv(width, unit as u64), pool.zero_extend(width - pool.width(counter), counter));
        let offset = pool.bv_mul(unit, counter);
        let kind = InstructionKind::Pure(pool.bv_add(family.base, offset));
        data.blocks[block]
            .instructions
            .insert(0, Instruction { result: Some(member), kind, span: Span::NONE });
    }
    let head = forest.data(family.of);
    let Place { position, .. } = family.members[0];
    for &entry in &head.entries {
        let start = pool.extract(own_width - 1, 0, family.start);
        argument(data, entry, position, start);
    }
    for &(edge, to, from, distance) in &family.steps {
        let counter = leaf(pool, data, own[&from]);
        let steps = pool.bv_i64(own_width, distance / unit);
        let next = pool.bv_add(counter, steps);
        argument(data, edge, family.members[&to].position, next);
    }
    by_block
}

fn is_pointer(values: &PrimaryMap<Value, ValueData>, value: Value) -> bool {
    matches!(values[value].ty, Type::Pointer { .. })
}

/// Changes an argument of an edge.
fn argument(data: &mut FunctionData, edge: EdgeRef, position: usize, term: Term) {
    let mut edges = data.blocks[edge.from].terminator.edges_mut();
    edges[edge.index as usize].arguments[position] = term;
}

/// Replaces values from before the loop by their definitions in terms over members, see the
/// [module](self).
fn expose_ends(
    pool: &mut TermPool,
    data: &mut FunctionData,
    forest: &LoopForest,
    definitions: &Definitions,
    family: &Family,
) {
    let FunctionData { blocks, values, .. } = data;
    let base = expanded(pool, values, definitions, family.base);
    let operands = |pool: &TermPool, term: Term| pool.bv_sum(term).map_or(Vec::new(), |sum| sum.summands);
    let own = operands(pool, base);
    for &block in forest.blocks(family.of) {
        let block = &mut blocks[block];
        let mut map = |term: Term| {
            let mut leaves = Vec::new();
            pool.visit(&[term], |_| true, |below| leaves.extend(as_value(pool, below)));
            if !leaves.iter().any(|value| family.members.contains_key(value)) {
                return term;
            }
            pool.map_leaves(term, &mut |pool, below| {
                let value = as_value(pool, below)?;
                let is_before = definitions.places[value.index()]
                    .is_some_and(|at| !forest.contains(family.of, at.block()));
                if !is_before || !is_pointer(values, value) {
                    return None;
                }
                let end = expanded(pool, values, definitions, below);
                let is_sum = end != below && operands(pool, end).iter().any(|part| own.contains(part));
                (is_sum && pool.dag_size(end) <= LARGEST_END).then_some(end)
            })
        };
        for instruction in &mut block.instructions {
            instruction.kind.map_terms(&mut map);
        }
        block.terminator.map_terms(&mut map);
    }
}

/// A term in which pointers are replaced by the terms that define them.
fn expanded(
    pool: &mut TermPool,
    values: &PrimaryMap<Value, ValueData>,
    definitions: &Definitions,
    mut term: Term,
) -> Term {
    for _ in 0..DEPTH {
        let new = pool.map_leaves(term, &mut |pool, below| {
            let value = as_value(pool, below)?;
            definitions.terms[value.index()].filter(|_| is_pointer(values, value))
        });
        if new == term {
            break;
        }
        term = new;
    }
    term
}
