//! States at the start of blocks, and the variables that they are made of.
//!
//! A state has the live values and the live regions. An SSA value keeps its variable at all places. Each variable has two symbols:
//! `x`, its value where a path starts, and `x+`, its value where it ends.

use super::machine::Machine;
use crate::execute::guards::State;
use grammars::source::Span;
use program::ssa::cfg::ControlFlow;
use program::ssa::liveness::{RegionEffects, RegionLiveness, RegionSet};
use program::ssa::{Block, Region, RegionKind, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use terms::entity::{Entity, PrimaryMap};
use terms::{Representation, Sort, Term, TermPool};

terms::entity! {
    /// A variable of states.
    Variable, "x"
}

/// A variable of states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableData {
    /// What it stands for.
    pub origin: Origin,
    /// Unique among the variables: the source name where there is one, with the value's name.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
    /// How integers encodings should see it.
    pub representation: Representation,
    /// The symbol `x`: its value at the source of a block formula.
    pub before: Term,
    /// The symbol `x+`: its value at the target.
    pub after: Term,
    /// Where it is declared or assigned.
    pub span: Span,
}

/// What a variable stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// An SSA value of the entry function.
    Value(Value),
    /// The contents of a region.
    Region(Region),
    /// The address at which the next heap block lies.
    HeapPointer,
}

/// All variables of the states of one program.
pub(super) struct Vocabulary {
    /// In order of first use.
    pub(super) variables: PrimaryMap<Variable, VariableData>,
    by_origin: FxHashMap<Origin, Variable>,
    names: FxHashSet<String>,
    symbols: FxHashSet<Term>,
    /// All regions, and the heap pointer, at program start.
    initial: Vec<Term>,
    live_regions: RegionLiveness,
}

impl Vocabulary {
    pub(super) fn new(pool: &mut TermPool, machine: &Machine<'_>, graph: &ControlFlow) -> Self {
        let effects = RegionEffects::new(machine.program);
        let live_regions =
            RegionLiveness::new(machine.program, &effects, machine.function, graph, &RegionSet::default());
        Vocabulary {
            variables: PrimaryMap::new(),
            by_origin: FxHashMap::default(),
            names: FxHashSet::default(),
            symbols: FxHashSet::default(),
            initial: machine.initial_regions(pool),
            live_regions,
        }
    }

    /// Whether the symbol is that of a variable.
    pub(super) fn is_symbol(&self, symbol: Term) -> bool {
        self.symbols.contains(&symbol)
    }

    fn variable(&mut self, pool: &mut TermPool, machine: &Machine<'_>, origin: Origin) -> Variable {
        if let Some(&known) = self.by_origin.get(&origin) {
            return known;
        }
        let pointer = Type::Pointer { width: machine.executor.memory.pointer_width };
        let (name, sort, representation, span) = match origin {
            Origin::Value(value) => {
                let data = &machine.function.values[value];
                let name = match &data.name {
                    Some(name) => format!("{name}.{value}"),
                    None => value.to_string(),
                };
                (name, data.ty.sort(), data.ty.representation(), data.span)
            }
            Origin::Region(region) => {
                let data = &machine.program.regions[region];
                let representation = match data.kind {
                    RegionKind::Scalar(ty) => ty.representation(),
                    _ => Representation::Unsigned,
                };
                (
                    data.name.clone(),
                    machine.executor.memory.regions[region.index()].sort,
                    representation,
                    Span::NONE,
                )
            }
            Origin::HeapPointer => ("heap".to_owned(), pointer.sort(), pointer.representation(), Span::NONE),
        };
        // The names have to be new in the pool as well, or the symbols of two programs would be mixed up.
        let mut unique = name.clone();
        let mut attempt = 1;
        let (before, after) = loop {
            if self.names.insert(unique.clone()) {
                let count = pool.symbol_count();
                let before = pool.symbol_with(&unique, sort, representation);
                let after = pool.symbol_with(&format!("{unique}+"), sort, representation);
                if pool.symbol_count() == count + 2 {
                    break (before, after);
                }
            }
            attempt += 1;
            unique = format!("{name}.{attempt}");
        };
        for symbol in [before, after] {
            pool.mark_computed(symbol);
        }
        let data = VariableData { origin, name: unique, sort, representation, before, after, span };
        let variable = self.variables.push(data);
        self.by_origin.insert(origin, variable);
        self.symbols.extend([before, after]);
        variable
    }

    /// The variables that are live at the start of `block`: values first, each kind by index.
    pub(super) fn state(
        &mut self,
        pool: &mut TermPool,
        machine: &Machine<'_>,
        block: Block,
    ) -> Vec<Variable> {
        let entry: Vec<u32> = machine.plan.block(block).segments[0].entry.to_vec();
        let mut state: Vec<Variable> = entry
            .into_iter()
            .map(|value| self.variable(pool, machine, Origin::Value(Value(value))))
            .collect();
        let regions: Vec<Region> = self.live_regions.live_in(block).iter().collect();
        for region in regions {
            state.push(self.variable(pool, machine, Origin::Region(region)));
        }
        if machine.has_heap() {
            state.push(self.variable(pool, machine, Origin::HeapPointer));
        }
        state
    }

    /// The state in which every variable of `state` is its symbol `x`; what is not live is as at program start, and not read
    /// before it is written.
    pub(super) fn symbolic(&self, machine: &Machine<'_>, state: &[Variable]) -> State {
        let mut values = Vec::new();
        let mut regions = self.initial.clone();
        for &variable in state {
            let data = &self.variables[variable];
            match data.origin {
                Origin::Value(_) => values.push(data.before),
                Origin::Region(region) => regions[region.index()] = data.before,
                Origin::HeapPointer => regions[machine.heap_index()] = data.before,
            }
        }
        State { values: values.into(), result: None, regions: Rc::new(regions) }
    }

    /// What each variable of `variables`, the state at the start of a block, is in `state`.
    pub(super) fn updates(&self, machine: &Machine<'_>, variables: &[Variable], state: &State) -> Vec<Term> {
        let mut values = state.values.iter();
        let update = |&variable: &Variable| match self.variables[variable].origin {
            Origin::Value(_) => *values.next().expect("a state has all live values"),
            Origin::Region(region) => state.regions[region.index()],
            Origin::HeapPointer => state.regions[machine.heap_index()],
        };
        variables.iter().map(update).collect()
    }
}
