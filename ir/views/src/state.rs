//! States at the start of blocks, and their variables.
//!
//! A state consists of the live values and the live regions. An SSA value has the same variable at
//! all locations. Each variable has two symbols: `x`, its value at the start of a path, and `x+`,
//! its value at the end.

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
    /// A state variable.
    Variable, "x"
}

/// A state variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableData {
    /// The program entity.
    pub origin: Origin,
    /// A unique name: the source name, if there is one, and the name of the value.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
    /// The representation in integer encodings.
    pub representation: Representation,
    /// The symbol `x`: its value at the source of a block formula.
    pub before: Term,
    /// The symbol `x+`: its value at the target.
    pub after: Term,
    /// The declaration or assignment.
    pub span: Span,
}

/// The program entity of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// An SSA value of the entry function.
    Value(Value),
    /// The contents of a region.
    Region(Region),
    /// The address of the next heap block.
    HeapPointer,
}

/// All state variables of one program.
pub(super) struct Vocabulary {
    /// The variables in order of first use.
    pub(super) variables: PrimaryMap<Variable, VariableData>,
    by_origin: FxHashMap<Origin, Variable>,
    names: FxHashSet<String>,
    symbols: FxHashSet<Term>,
    /// All regions and the heap pointer at program start.
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

    /// Whether the symbol belongs to a variable.
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
        // The names must be fresh in the pool as well; otherwise, two programs could share symbols.
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

    /// The state in which every variable of `state` is its symbol `x`. Everything else is as at
    /// program start, and is not read before it is written.
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

    /// The value in `state` of each variable of `variables`, the state at the start of a block.
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
