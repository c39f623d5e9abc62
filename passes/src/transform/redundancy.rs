//! Redundant loads and checks: removes loads and branches whose results are already known.
//!
//! # Idea
//!
//! Lowering emits every check of memory safety explicitly: each access reads the size of its object
//! from the shadow and branches to an error site if the access does not fit. Most of these checks
//! repeat earlier ones. Two walks over the dominator tree find them:
//!
//! 1. *Available loads.* A load is replaced by the value of an earlier load from, or store to, the
//!    same address of the same region if the earlier instruction dominates it and no instruction on
//!    a path between the two may write the region.
//! 2. *Implied conditions.* The decisions of the branches that dominate a block hold in it. Atoms
//!    of its own branch that they imply are replaced by their truth value; a decided branch becomes
//!    a `goto`. An atom is implied if it was decided itself, or by the bounds of sizes: `n ≤ s`
//!    follows from `m ≤ s`, and `o ≤ s - n` from `o ≤ s - m` together with `m ≤ s`, for constants
//!    `n ≤ m`. So a check is implied by that of an access of at least as many bytes at the same
//!    address.
//!
//! The first is common subexpression elimination for memory, over the dominator tree as in Briggs,
//! Cooper, Simpson, *Value Numbering*, SP&E 1997, with a version for each region in place of memory
//! SSA: a store makes a new version, and so does a join if a block between it and its immediate
//! dominator may write the region. The second is the elimination of conditional branches of
//! Mueller, Whalley, *Avoiding Conditional Branches by Code Replication*, PLDI 1995, without
//! replication, restricted to dominating branches. For bounds checks see Gupta, *Optimizing Array
//! Bound Checks Using Flow Analysis*, LOPLAS 1993.
//!
//! *Soundness.* A fact is about SSA values that dominate the location where it was established, and
//! is used only in blocks that this location dominates. On a path to such a block consider the last
//! visit of the location: afterwards no value of the fact is redefined without another visit of the
//! location, so the fact is about the same values.
//!
//! # Effects
//!
//! A call may write the regions that its callee or any function called by it stores to, forgets,
//! allocates in, or has objects in; a call through a pointer may write all regions. An instruction
//! that writes a region invalidates all facts about it: the pass never distinguishes addresses.
//!
//! Cost: linear in the function, except for the blocks between a join and its dominator, which are
//! visited for each join until a budget for the function is exhausted (`BUDGET`); after that a join
//! invalidates all facts.
//!
//! Limits: facts that hold on all paths but were established on each of them separately are not
//! found; there are no facts across calls.

use super::back::BackTranslator;
use super::simplify::{Events, simplify};
use program::ssa::cfg::ControlFlow;
use program::ssa::dominators::Dominators;
use program::ssa::{
    Block, Callee, Edge, Function, FunctionData, InstructionKind, Program, Region, Terminator,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;
use terms::entity::Entity;
use terms::{Op, Sort, Term, TermPool};

/// The number of visits of blocks between joins and their dominators, for each block of the
/// function.
const BUDGET: usize = 64;

/// Removes redundant loads and branches from all functions.
pub fn redundancy(pool: &mut TermPool, program: &mut Program) -> BackTranslator {
    let effects = Effects::of(program);
    let defined: Vec<Function> = program
        .functions
        .iter()
        .filter(|(_, data)| data.is_defined())
        .map(|(function, _)| function)
        .collect();
    for &function in &defined {
        available_loads(pool, program, function, &effects);
    }
    // Equal loads are now the same value, and so are conditions over them.
    let before = simplify(pool, program, Events::Keep);
    for &function in &defined {
        implied_conditions(pool, &mut program.functions[function]);
    }
    before.then(simplify(pool, program, Events::Keep))
}

/// A set of regions.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Regions {
    words: Vec<u64>,
}

impl Regions {
    fn none(program: &Program) -> Self {
        Regions { words: vec![0; program.regions.len().div_ceil(64)] }
    }

    fn insert(&mut self, region: Region) {
        self.words[region.index() / 64] |= 1 << (region.index() % 64);
    }

    fn insert_all(&mut self) {
        self.words.fill(u64::MAX);
    }

    fn contains(&self, region: Region) -> bool {
        self.words[region.index() / 64] >> (region.index() % 64) & 1 == 1
    }

    /// Adds the regions of `other`. Returns whether any is new.
    fn extend(&mut self, other: &Regions) -> bool {
        let mut is_new = false;
        for (mine, &others) in self.words.iter_mut().zip(&other.words) {
            is_new |= others & !*mine != 0;
            *mine |= others;
        }
        is_new
    }
}

/// The regions that a call of each function may write.
struct Effects {
    of: Vec<Regions>,
}

impl Effects {
    fn of(program: &Program) -> Self {
        let mut of = Vec::with_capacity(program.functions.len());
        let mut callers: Vec<Vec<Function>> = vec![Vec::new(); program.functions.len()];
        for (function, data) in program.functions.iter() {
            let mut regions = Regions::none(program);
            for instruction in data.blocks.values().flat_map(|block| &block.instructions) {
                match &instruction.kind {
                    InstructionKind::Call { callee: Callee::Direct(callee), .. } => {
                        callers[callee.index()].push(function);
                    }
                    kind => own_effect(program, kind, &mut regions),
                }
            }
            of.push(regions);
        }
        let mut work: Vec<Function> = program.functions.keys().collect();
        while let Some(callee) = work.pop() {
            for &caller in &callers[callee.index()] {
                let regions = of[callee.index()].clone();
                if of[caller.index()].extend(&regions) {
                    work.push(caller);
                }
            }
        }
        Effects { of }
    }

    /// Adds the regions that an instruction may write.
    fn add(&self, program: &Program, kind: &InstructionKind, regions: &mut Regions) {
        match kind {
            InstructionKind::Call { callee: Callee::Direct(callee), .. } => {
                regions.extend(&self.of[callee.index()]);
            }
            kind => own_effect(program, kind, regions),
        }
    }
}

/// Adds the regions that an instruction may write, except by direct calls.
fn own_effect(program: &Program, kind: &InstructionKind, regions: &mut Regions) {
    match kind {
        InstructionKind::Store { .. } | InstructionKind::Forget { .. } | InstructionKind::Allocate { .. } => {
            kind.regions().for_each(|region| regions.insert(region));
        }
        // A new activation creates the object.
        InstructionKind::AddressOf(object) => {
            let data = &program.objects[*object];
            if data.owner.is_some() {
                data.regions.iter().for_each(|&region| regions.insert(region));
            }
        }
        InstructionKind::Call { callee: Callee::Indirect { .. }, .. } => regions.insert_all(),
        InstructionKind::Call { callee: Callee::Direct(_), .. }
        | InstructionKind::Pure(_)
        | InstructionKind::Havoc(_)
        | InstructionKind::FunctionAddress(_)
        | InstructionKind::Load { .. } => {}
    }
}

/// The key of a load: the region and its version, the address, the sort.
type MemoryLocation = (Region, u32, Option<Term>, Sort);

/// The walk that finds available loads.
struct Loads<'a> {
    program: &'a Program,
    effects: &'a Effects,
    data: &'a FunctionData,
    graph: &'a ControlFlow,
    /// The regions that each block may write.
    writes: Vec<Regions>,
    /// The current version of each region.
    versions: Vec<u32>,
    last_version: u32,
    /// The remaining visits of blocks.
    budget: usize,
    known: FxHashMap<MemoryLocation, Term>,
    /// The changes to undo when a block is left, the last one first.
    undo: Vec<Forgotten>,
    /// Available loads by block and position, with their values.
    found: Vec<(Block, usize, Term)>,
}

enum Forgotten {
    Known(MemoryLocation),
    Version(Region, u32),
}

enum Step {
    Enter(Block),
    /// The length of the undo log to which to return.
    Leave(usize),
}

fn available_loads(pool: &mut TermPool, program: &mut Program, function: Function, effects: &Effects) {
    let data = &program.functions[function];
    let graph = ControlFlow::new(data);
    let dominators = Dominators::new(&graph);
    let writes = data
        .blocks
        .values()
        .map(|block| {
            let mut regions = Regions::none(program);
            for instruction in &block.instructions {
                effects.add(program, &instruction.kind, &mut regions);
            }
            regions
        })
        .collect();
    let mut loads = Loads {
        program,
        effects,
        data,
        graph: &graph,
        writes,
        versions: vec![0; program.regions.len()],
        last_version: 0,
        budget: BUDGET * data.blocks.len(),
        known: FxHashMap::default(),
        undo: Vec::new(),
        found: Vec::new(),
    };
    let mut stack = vec![Step::Enter(graph.entry())];
    while let Some(step) = stack.pop() {
        match step {
            Step::Enter(block) => {
                stack.push(Step::Leave(loads.undo.len()));
                if let Some(dominator) = dominators.immediate(block) {
                    loads.meet(dominator, block);
                }
                loads.enter(pool, block);
                stack.extend(dominators.children(block).iter().rev().map(|&child| Step::Enter(child)));
            }
            Step::Leave(mark) => loads.restore(mark),
        }
    }
    let found = loads.found;
    let data = &mut program.functions[function];
    for (block, position, term) in found {
        data.blocks[block].instructions[position].kind = InstructionKind::Pure(term);
    }
}

impl Loads<'_> {
    /// Invalidates, at the start of a block, the facts about regions that a block on a path from
    /// its immediate dominator may write.
    fn meet(&mut self, dominator: Block, block: Block) {
        let predecessors = self.graph.predecessors(block);
        if predecessors.iter().all(|edge| edge.from == dominator) {
            return;
        }
        let mut written = Regions::none(self.program);
        let mut seen = FxHashSet::default();
        let mut work: Vec<Block> = predecessors.iter().map(|edge| edge.from).collect();
        while let Some(between) = work.pop() {
            if between == dominator || !seen.insert(between) {
                continue;
            }
            let Some(left) = self.budget.checked_sub(1) else {
                written.insert_all();
                break;
            };
            self.budget = left;
            written.extend(&self.writes[between.index()]);
            work.extend(self.graph.predecessors(between).iter().map(|edge| edge.from));
        }
        self.renew(&written);
    }

    /// Visits the instructions of a block.
    fn enter(&mut self, pool: &mut TermPool, block: Block) {
        let data = self.data;
        for (position, instruction) in data.blocks[block].instructions.iter().enumerate() {
            match (&instruction.kind, instruction.result) {
                (&InstructionKind::Load { region, address }, Some(result)) => {
                    let sort = data.values[result].ty.sort();
                    let place = (region, self.versions[region.index()], address, sort);
                    match self.known.get(&place) {
                        Some(&term) => self.found.push((block, position, term)),
                        None => {
                            let term = pool.value(result.0, sort);
                            self.know(place, term);
                        }
                    }
                }
                (&InstructionKind::Store { region, address, value, ty, .. }, _) => {
                    self.renew_one(region);
                    let place = (region, self.versions[region.index()], address, ty.sort());
                    self.know(place, value);
                }
                (
                    InstructionKind::Pure(_)
                    | InstructionKind::Havoc(_)
                    | InstructionKind::FunctionAddress(_),
                    _,
                ) => {}
                (kind, _) => {
                    let mut written = Regions::none(self.program);
                    self.effects.add(self.program, kind, &mut written);
                    self.renew(&written);
                }
            }
        }
    }

    fn know(&mut self, place: MemoryLocation, term: Term) {
        self.known.insert(place, term);
        self.undo.push(Forgotten::Known(place));
    }

    fn renew(&mut self, written: &Regions) {
        for region in self.program.regions.keys().filter(|&region| written.contains(region)) {
            self.renew_one(region);
        }
    }

    fn renew_one(&mut self, region: Region) {
        self.last_version += 1;
        let before = std::mem::replace(&mut self.versions[region.index()], self.last_version);
        self.undo.push(Forgotten::Version(region, before));
    }

    fn restore(&mut self, mark: usize) {
        for forgotten in self.undo.drain(mark..).rev() {
            match forgotten {
                Forgotten::Known(place) => {
                    self.known.remove(&place);
                }
                Forgotten::Version(region, before) => self.versions[region.index()] = before,
            }
        }
    }
}

/// The decisions of the branches that dominate a block.
#[derive(Default)]
struct Decided {
    /// Decided atoms.
    atoms: FxHashMap<Term, bool>,
    /// `term ≥ number`.
    least: FxHashMap<Term, u64>,
    /// `offset ≤ size - number`, by `(size, offset)`.
    room: FxHashMap<(Term, Term), u64>,
    /// The changes to undo when a block is left, the last one first.
    undo: Vec<Undo>,
}

enum Undo {
    Atom(Term),
    Least(Term, Option<u64>),
    Room((Term, Term), Option<u64>),
}

fn implied_conditions(pool: &mut TermPool, data: &mut FunctionData) {
    let graph = ControlFlow::new(data);
    let dominators = Dominators::new(&graph);
    let mut decided = Decided::default();
    let mut stack = vec![Step::Enter(graph.entry())];
    while let Some(step) = stack.pop() {
        match step {
            Step::Enter(block) => {
                stack.push(Step::Leave(decided.undo.len()));
                // The edges of `data` match those of `graph` only for branches that were not
                // decided.
                if let &[edge] = graph.predecessors(block)
                    && let Terminator::Branch { condition, .. } = data.blocks[edge.from].terminator
                {
                    decided.assume(pool, condition, edge.index == 0);
                }
                decide(pool, data, block, &decided);
                stack.extend(dominators.children(block).iter().rev().map(|&child| Step::Enter(child)));
            }
            Step::Leave(mark) => decided.restore(mark),
        }
    }
}

/// Simplifies the branch at the end of a block by the decisions of its dominators.
fn decide(pool: &mut TermPool, data: &mut FunctionData, block: Block, decided: &Decided) {
    let Terminator::Branch { condition, then, otherwise } = &data.blocks[block].terminator else { return };
    let new = decided.rewrite(pool, *condition);
    if new == *condition {
        return;
    }
    let goto = |edge: &Edge| Terminator::Goto(edge.clone());
    let terminator = if new == pool.tru() {
        goto(then)
    } else if new == pool.fls() {
        goto(otherwise)
    } else {
        Terminator::Branch { condition: new, then: then.clone(), otherwise: otherwise.clone() }
    };
    data.blocks[block].terminator = terminator;
}

/// The atoms of checks, in the normal forms of `terms`.
enum Atom {
    /// `term < number`.
    Below { term: Term, number: u64 },
    /// `size - number < offset`.
    Exceeds { size: Term, offset: Term, number: u64 },
}

fn atom(pool: &TermPool, term: Term) -> Option<Atom> {
    let &[a, b] = pool.children(term) else { return None };
    match pool.op(term) {
        Op::BvUlt => match pool.as_bv_u64(b) {
            Some(number) => Some(Atom::Below { term: a, number }),
            None => {
                let (size, number) = difference(pool, a);
                Some(Atom::Exceeds { size, offset: b, number })
            }
        },
        Op::Eq if pool.as_bv_u64(a) == Some(0) => Some(Atom::Below { term: b, number: 1 }),
        Op::Eq if pool.as_bv_u64(b) == Some(0) => Some(Atom::Below { term: a, number: 1 }),
        _ => None,
    }
}

/// Splits `term` into a difference with a constant that is less than half of the range.
fn difference(pool: &TermPool, term: Term) -> (Term, u64) {
    if pool.op(term) == Op::BvAdd
        && let &[a, b] = pool.children(term)
    {
        let width = pool.width(term);
        for (size, constant) in [(a, b), (b, a)] {
            if let Some(constant) = pool.as_bv_u64(constant).filter(|_| width <= 64) {
                let number = constant.wrapping_neg() & (u64::MAX >> (64 - width));
                if number >> (width - 1) == 0 {
                    return (size, number);
                }
            }
        }
    }
    (term, 0)
}

impl Decided {
    /// Assumes that a condition holds, or that it does not.
    fn assume(&mut self, pool: &TermPool, condition: Term, holds: bool) {
        let mut work = vec![(condition, holds)];
        while let Some((term, holds)) = work.pop() {
            match pool.op(term) {
                Op::Not => work.extend(pool.children(term).iter().map(|&child| (child, !holds))),
                Op::And if holds => work.extend(pool.children(term).iter().map(|&child| (child, true))),
                Op::Or if !holds => work.extend(pool.children(term).iter().map(|&child| (child, false))),
                Op::True | Op::False => {}
                _ => self.assume_atom(pool, term, holds),
            }
        }
    }

    fn assume_atom(&mut self, pool: &TermPool, term: Term, holds: bool) {
        if let Entry::Vacant(entry) = self.atoms.entry(term) {
            entry.insert(holds);
            self.undo.push(Undo::Atom(term));
        }
        match atom(pool, term) {
            Some(Atom::Below { term, number }) if !holds => {
                let before = self.least.get(&term).copied();
                if before.is_none_or(|before| before < number) {
                    self.least.insert(term, number);
                    self.undo.push(Undo::Least(term, before));
                }
            }
            Some(Atom::Exceeds { size, offset, number }) if !holds => {
                let before = self.room.get(&(size, offset)).copied();
                if before.is_none_or(|before| before < number) {
                    self.room.insert((size, offset), number);
                    self.undo.push(Undo::Room((size, offset), before));
                }
            }
            _ => {}
        }
    }

    fn restore(&mut self, mark: usize) {
        for undo in self.undo.drain(mark..).rev() {
            match undo {
                Undo::Atom(term) => {
                    self.atoms.remove(&term);
                }
                Undo::Least(term, None) => {
                    self.least.remove(&term);
                }
                Undo::Least(term, Some(before)) => {
                    self.least.insert(term, before);
                }
                Undo::Room(pair, None) => {
                    self.room.remove(&pair);
                }
                Undo::Room(pair, Some(before)) => {
                    self.room.insert(pair, before);
                }
            }
        }
    }

    /// The truth value of an atom, if it is implied.
    fn value(&self, pool: &TermPool, term: Term) -> Option<bool> {
        if let Some(&holds) = self.atoms.get(&term) {
            return Some(holds);
        }
        let least = |term: Term| self.least.get(&term).copied().unwrap_or(0);
        match atom(pool, term)? {
            Atom::Below { term, number } => (number <= least(term)).then_some(false),
            Atom::Exceeds { size, offset, number } => {
                let &known = self.room.get(&(size, offset))?;
                // size - known does not wrap, so neither does size - number, which is no less.
                (number <= known && known <= least(size)).then_some(false)
            }
        }
    }

    /// Replaces implied atoms of the condition by their truth values.
    fn rewrite(&self, pool: &mut TermPool, condition: Term) -> Term {
        let is_junction = |pool: &TermPool, term| matches!(pool.op(term), Op::Not | Op::And | Op::Or);
        let mut order = Vec::new();
        pool.visit(&[condition], |term| is_junction(pool, term), |term| order.push(term));
        let mut new: FxHashMap<Term, Term> = FxHashMap::default();
        for term in order {
            let result = match self.value(pool, term) {
                Some(holds) => pool.bool(holds),
                None if is_junction(pool, term) => {
                    let children: Vec<Term> = pool.children(term).iter().map(|child| new[child]).collect();
                    match pool.op(term) {
                        Op::Not => pool.not(children[0]),
                        Op::And => pool.and(&children),
                        _ => pool.or(&children),
                    }
                }
                None => term,
            };
            new.insert(term, result);
        }
        new[&condition]
    }
}
