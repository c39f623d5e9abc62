//! Heap shape: which addresses are those of allocated blocks, and which pointers lead to blocks.
//!
//! *Idea.* A list is a set of blocks whose pointers are null or lead to blocks. Its shape is the
//! formula
//!
//! ```text
//! (p = 0 ∨ block(p)) ∧ ∀k. block(k) ⇒ (next[k] = 0 ∨ block(next[k]))
//! ```
//!
//! for the pointers `p` of the program and the pointers `next` in blocks. Whatever else holds of
//! all blocks, such as `data[k] = 7`, then holds of each block that a loop over the list reaches.
//! Such formulas are suggested as literals and as guards of segments over a [distinguished
//! cell](crate::cells); the strategy solver keeps those that are inductive.
//!
//! *Source.* Malík, Hruška, Schrammel, Vojnar, *Template-Based Verification of Heap-Manipulating
//! Programs*, FMCAD 2018: a template row for each pointer and each pointer field of an abstract
//! dynamic object, whose value is the set of objects that it may lead to. DIVERGENCE: they
//! introduce one abstract object for each allocation site and materialize single ones; here the
//! object is the cell at an arbitrary index, so a row about it is quantified, and it is
//! instantiated where the program follows a pointer. The objects of a row are those of a *zone*.
//!
//! *Zones.* A heap pointer is a variable that starts at an address and that transitions only
//! increase, by multiples of a distance of at least [`LEAST_DISTANCE`]. The blocks of its zone
//! start at the addresses below it, at that distance from each other. The clauses of a program have
//! such zones (`views::zones`); other systems may have them.
//!
//! *Which pointers.* A unification of what loads, stores and updates relate (Steensgaard, POPL
//! 1996) tells which zones a pointer may lead into. It only chooses what is suggested, so it need
//! not be right.
//!
//! *Order.* Newer blocks have larger addresses. So "pointers in blocks lead to smaller addresses"
//! is a reason why a list has no cycle, and the blocks up to `p` are those that a loop has not left
//! behind: a loop that frees the blocks of a list frees each only once.
//!
//! *Limits.* Sets of blocks are whole zones, or their parts before or after a pointer. No formula
//! tells lists apart that share a zone, and other reasons for reachability or for the absence of
//! cycles are unknown. Cost: linear in the clauses.

use crate::cells::array_symbol;
use crate::vocabulary::Terms;
use horn::{ClauseData, System};
use indexmap::IndexMap;
use num_integer::Integer;
use petgraph::unionfind::UnionFind;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use terms::{Op, Sort, Term, TermPool};

/// The smallest distance of blocks in a zone.
const LEAST_DISTANCE: u64 = 16;
/// The smallest address of a block.
const LEAST_ADDRESS: u64 = 1 << 12;
/// The largest number of pointers of a relation.
const MAX_POINTERS: usize = 8;
/// The largest number of blocks that are left out, each in one guard, for each zone.
const MAX_WRITTEN: usize = 2;
/// The largest number of pointers up to and from which there are guards, for each zone.
const MAX_BORDERS: usize = 2;
/// The largest number of constant addresses to which a pointer leads beside blocks.
const MAX_CONSTANTS: usize = 2;
/// The largest number of leaves of a value.
const MAX_LEAVES: usize = 16;

/// A range of blocks.
#[derive(Clone, Copy, Debug)]
struct Zone {
    pointer: Term,
    start: u64,
    distance: u64,
}

/// What may hold a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Holder {
    /// A variable; an array stands for the addresses at which it is accessed.
    Variable(Term),
    /// The elements of an array.
    Elements(Term),
}

/// The zones of a system over addresses of one width, and the pointers into them.
pub(crate) struct Shapes {
    width: u32,
    zones: Vec<Zone>,
    holders: IndexMap<Holder, usize, FxBuildHasher>,
    classes: UnionFind<usize>,
    /// By holder: constants that it may hold, except null.
    constants: Vec<BTreeSet<u64>>,
    /// The variables through which the system writes.
    written: Terms,
}

impl Shapes {
    /// The shapes of a system.
    pub(crate) fn of(pool: &mut TermPool, system: &System, width: u32) -> Self {
        let zones = zones(pool, system, width);
        let mut shapes = Shapes {
            width,
            zones,
            holders: IndexMap::default(),
            classes: UnionFind::new_empty(),
            constants: Vec::new(),
            written: Terms::default(),
        };
        if !shapes.zones.is_empty() {
            for clause in system.clauses.values() {
                shapes.read(pool, clause);
            }
            shapes.find_starts();
        }
        shapes
    }

    fn holder(&mut self, holder: Holder) -> usize {
        if let Some(&number) = self.holders.get(&holder) {
            return number;
        }
        let number = self.classes.new_set();
        self.holders.insert(holder, number);
        self.constants.push(BTreeSet::new());
        number
    }

    /// Relates the holders in a clause.
    fn read(&mut self, pool: &mut TermPool, clause: &ClauseData) {
        let values: Vec<(Term, Term)> =
            clause.updates.iter().filter_map(|(&before, update)| Some((before, update.value?))).collect();
        for &(variable, value) in &values {
            if pool.sort(variable) == Sort::BitVec(self.width) {
                self.assign(pool, clause, Holder::Variable(variable), value);
            }
        }
        let mut accesses = Terms::default();
        let roots: Vec<Term> =
            [clause.constraint].into_iter().chain(values.iter().map(|&(_, v)| v)).collect();
        pool.visit(
            &roots,
            |_| true,
            |term| {
                if matches!(pool.op(term), Op::Select | Op::Store) {
                    accesses.insert(term);
                }
            },
        );
        for access in accesses {
            let children = pool.children(access).to_vec();
            let Some(array) = array_symbol(pool, clause, children[0]) else { continue };
            if pool.sort(children[1]) != Sort::BitVec(self.width) {
                continue;
            }
            if let Some(base) = self.base(pool, clause, children[1]) {
                if let (Op::Store, Holder::Variable(variable)) = (pool.op(access), base) {
                    self.written.insert(variable);
                }
                let (array, base) = (self.holder(Holder::Variable(array)), self.holder(base));
                self.classes.union(array, base);
            }
            if let Some(&value) =
                children.get(2).filter(|&&value| pool.sort(value) == Sort::BitVec(self.width))
            {
                self.assign(pool, clause, Holder::Elements(array), value);
            }
        }
    }

    fn assign(&mut self, pool: &mut TermPool, clause: &ClauseData, to: Holder, value: Term) {
        let to = self.holder(to);
        let Some(leaves) = leaves(pool, value) else { return };
        for leaf in leaves {
            match pool.as_bv_u64(leaf) {
                Some(0) => {}
                Some(constant) => _ = self.constants[to].insert(constant),
                None => {
                    if let Some(from) = self.base(pool, clause, leaf) {
                        let from = self.holder(from);
                        self.classes.union(to, from);
                    }
                }
            }
        }
    }

    /// The holder of the pointer from which an address is computed by adding a constant.
    fn base(&self, pool: &mut TermPool, clause: &ClauseData, address: Term) -> Option<Holder> {
        let sum = pool.bv_sum(address)?;
        let &[(base, 1)] = &sum.summands[..] else { return None };
        match (pool.op(base), pool.children(base)) {
            (Op::Symbol(_), _) => Some(Holder::Variable(clause.unprimed(pool, base))),
            (Op::Select, &[array, _]) => array_symbol(pool, clause, array).map(Holder::Elements),
            _ => None,
        }
    }

    /// Blocks before the first loop are below the first value of the heap pointer: pointers have
    /// their addresses.
    fn find_starts(&mut self) {
        for place in 0..self.zones.len() {
            let Zone { pointer, start, distance } = self.zones[place];
            let is_block = |&constant: &u64| {
                (LEAST_ADDRESS..start).contains(&constant) && (start - constant).is_multiple_of(distance)
            };
            let first = self.constants_of(Holder::Variable(pointer)).into_iter().find(is_block);
            self.zones[place].start = first.unwrap_or(start);
        }
    }

    /// The zones into which the pointers of a holder lead.
    fn zones_of(&self, holder: Holder) -> impl Iterator<Item = Zone> {
        let class = self.holders.get(&holder).map(|&number| self.classes.find(number));
        self.zones.iter().copied().filter(move |zone| {
            let pointer = self.holders.get(&Holder::Variable(zone.pointer));
            class.is_some() && class == pointer.map(|&number| self.classes.find(number))
        })
    }

    /// The constants that the holders of a class hold.
    fn constants_of(&self, holder: Holder) -> BTreeSet<u64> {
        let Some(&number) = self.holders.get(&holder) else { return BTreeSet::new() };
        let class = self.classes.find(number);
        let members = self.holders.values().filter(|&&member| self.classes.find(member) == class);
        members.flat_map(|&member| self.constants[member].iter().copied()).collect()
    }

    /// Whether `address` is that of a block.
    fn is_block(&self, pool: &mut TermPool, zone: Zone, address: Term) -> Term {
        let start = pool.bv(self.width, zone.start);
        let (is_above, is_below) = (pool.bv_ule(start, address), pool.bv_ult(address, zone.pointer));
        let is_aligned = aligned(pool, zone, address);
        pool.and(&[is_above, is_below, is_aligned])
    }

    /// Whether a variable may lead into a zone, and is not its heap pointer.
    fn leads_into(&self, variable: Term, zone: Zone) -> bool {
        let mut zones = self.zones_of(Holder::Variable(variable));
        variable != zone.pointer && zones.any(|other| other.pointer == zone.pointer)
    }

    /// For each zone with arrays among `own`: that the index `k` is a block; that it is a block
    /// other than that through which the system writes, which may be incomplete; and that it is a
    /// block up to, or from, a pointer.
    pub(crate) fn guards(&self, pool: &mut TermPool, own: &FxHashSet<Term>, index: Term) -> Vec<Term> {
        let variables = self.in_order(own);
        let arrays = variables.iter().filter(|&&variable| is_array(pool, variable));
        let zones = arrays.flat_map(|&array| self.zones_of(Holder::Variable(array)));
        let zones: IndexMap<Term, Zone, FxBuildHasher> =
            zones.filter(|zone| own.contains(&zone.pointer)).map(|zone| (zone.pointer, zone)).collect();
        let mut found = Vec::new();
        for zone in zones.into_values() {
            let is_block = self.is_block(pool, zone, index);
            found.push(is_block);
            let is_address = |pool: &TermPool, term: Term| pool.sort(term) == Sort::BitVec(self.width);
            let mut pointers = variables.clone();
            pointers.retain(|&pointer| is_address(pool, pointer) && self.leads_into(pointer, zone));
            for &written in
                pointers.iter().filter(|pointer| self.written.contains(*pointer)).take(MAX_WRITTEN)
            {
                let is_other = pool.neq(index, written);
                found.push(pool.and2(is_block, is_other));
            }
            for &pointer in pointers.iter().take(MAX_BORDERS) {
                for (low, high) in [(index, pointer), (pointer, index)] {
                    let is_in_order = pool.bv_ule(low, high);
                    found.push(pool.and2(is_block, is_in_order));
                }
            }
        }
        found
    }

    /// Formulas about heap pointers, about pointers among `own`, and about pointers in `cells`,
    /// which are loads at the index.
    pub(crate) fn literals(
        &self,
        pool: &mut TermPool,
        own: &FxHashSet<Term>,
        index: Term,
        cells: &[Term],
    ) -> Vec<Term> {
        let mut found = Terms::default();
        for zone in self.zones.iter().filter(|zone| own.contains(&zone.pointer)) {
            let start = pool.bv(self.width, zone.start);
            found.extend([pool.bv_ule(start, zone.pointer), aligned(pool, *zone, zone.pointer)]);
        }
        let is_heap_pointer = |variable: Term| self.zones.iter().any(|zone| zone.pointer == variable);
        let mut pointers: Vec<(Term, Holder)> = Vec::new();
        for variable in self.in_order(own) {
            if pool.sort(variable) == Sort::BitVec(self.width) && !is_heap_pointer(variable) {
                pointers.push((variable, Holder::Variable(variable)));
            }
        }
        for &cell in cells {
            if let (Op::Select, &[array, _]) = (pool.op(cell), pool.children(cell))
                && pool.sort(cell) == Sort::BitVec(self.width)
            {
                pointers.push((cell, Holder::Elements(array)));
            }
        }
        pointers.truncate(MAX_POINTERS);
        for (pointer, holder) in pointers {
            let mut targets: Vec<Term> = Vec::new();
            for zone in self.zones_of(holder).filter(|zone| own.contains(&zone.pointer)) {
                targets.push(self.is_block(pool, zone, pointer));
            }
            if targets.is_empty() {
                continue;
            }
            let starts: Vec<u64> = self.zones_of(holder).map(|zone| zone.start).collect();
            let is_other = |constant: &u64| starts.iter().all(|start| constant < start);
            for constant in self.constants_of(holder).into_iter().filter(is_other).take(MAX_CONSTANTS) {
                let constant = pool.bv(self.width, constant);
                targets.push(pool.eq(pointer, constant));
            }
            found.insert(pool.or(&targets));
            let null = pool.bv(self.width, 0);
            let is_null = pool.eq(pointer, null);
            targets.push(is_null);
            found.insert(pool.or(&targets));
            if matches!(holder, Holder::Elements(_)) {
                let (below, above) = (pool.bv_ult(pointer, index), pool.bv_ult(index, pointer));
                found.insert(pool.or2(is_null, below));
                found.insert(pool.or2(is_null, above));
            }
        }
        found.into_iter().collect()
    }

    /// The variables among `own`, in the order in which clauses mention them.
    fn in_order(&self, own: &FxHashSet<Term>) -> Vec<Term> {
        let mentioned = self.holders.keys().filter_map(|holder| match holder {
            Holder::Variable(variable) => Some(*variable),
            Holder::Elements(_) => None,
        });
        mentioned.filter(|variable| own.contains(variable)).collect()
    }
}

fn is_array(pool: &TermPool, term: Term) -> bool {
    matches!(pool.sort(term), Sort::Array(_))
}

/// Whether the distance of an address from the start of a zone is a multiple of that of blocks.
fn aligned(pool: &mut TermPool, zone: Zone, address: Term) -> Term {
    let width = pool.width(address);
    if zone.distance.is_power_of_two() {
        let high = zone.distance.trailing_zeros() - 1;
        let (low_bits, start) = (pool.extract(high, 0, address), pool.bv(high + 1, zone.start));
        return pool.eq(low_bits, start);
    }
    let [start, distance, zero] = [zone.start, zone.distance, 0].map(|number| pool.bv(width, number));
    let offset = pool.bv_sub(address, start);
    let rest = pool.bv_urem(offset, distance);
    pool.eq(rest, zero)
}

/// The values of which a term is one; `None` if there are too many.
fn leaves(pool: &TermPool, value: Term) -> Option<Vec<Term>> {
    let (mut found, mut open, mut seen) = (Vec::new(), vec![value], FxHashSet::default());
    while let Some(term) = open.pop() {
        match (pool.op(term), pool.children(term)) {
            _ if !seen.insert(term) => {}
            (Op::Ite, &[_, then, otherwise]) => open.extend([otherwise, then]),
            _ => found.push(term),
        }
        if seen.len() > MAX_LEAVES {
            return None;
        }
    }
    Some(found)
}

/// The zones of a system, see the [module](self).
fn zones(pool: &TermPool, system: &System, width: u32) -> Vec<Zone> {
    let mut starts: IndexMap<Term, Option<u64>, FxBuildHasher> = IndexMap::default();
    let mut distances: FxHashMap<Term, Option<u64>> = FxHashMap::default();
    for clause in system.clauses.values() {
        for (&variable, update) in &clause.updates {
            if pool.sort(variable) != Sort::BitVec(width) {
                continue;
            }
            let value = update.value;
            if clause.body.is_empty() {
                let start = value.and_then(|value| pool.as_bv_u64(value));
                let known = starts.entry(variable).or_insert(start);
                *known = known.filter(|_| *known == start);
            } else {
                let known = distances.entry(variable).or_insert(Some(0));
                let own = value.and_then(|value| distance(pool, variable, value));
                *known = known.zip(own).map(|(known, own)| known.gcd(&own));
            }
        }
    }
    let zone = |(pointer, start): (Term, Option<u64>)| {
        let start = start.filter(|&start| start >= LEAST_ADDRESS)?;
        let distance = distances.get(&pointer).copied()??;
        (distance >= LEAST_DISTANCE).then_some(Zone { pointer, start, distance })
    };
    starts.into_iter().filter_map(zone).collect()
}

/// The greatest common divisor of the constants that a value adds to a variable; `None` if it is
/// something else.
fn distance(pool: &TermPool, variable: Term, value: Term) -> Option<u64> {
    let mut all = 0u64;
    for leaf in leaves(pool, value)? {
        let sum = pool.bv_sum(leaf)?;
        let is_step = sum.summands == [(variable, 1)];
        all = all.gcd(&u64::try_from(sum.constant).ok().filter(|_| is_step)?);
    }
    Some(all)
}
