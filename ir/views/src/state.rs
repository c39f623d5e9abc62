//! States at locations, and their variables.
//!
//! A state consists of the live values and the live regions, without the regions that have their
//! contents from program start on every path to the location, if these are a constant: there, the
//! constant takes the place of a variable. An SSA value has the same variable at all locations.
//! Each variable has two symbols: `x`, its value at the start of a path, and `x+`, its value at the
//! end.
//!
//! In a [procedure](crate::procedures), a state also has the regions at the procedure's entry
//! ([`Moment::Entry`]), and the state at its return has the [`RESULT`].

use super::interface::Interface;
use super::machine::{CallSite, Machine};
pub use super::origin::{FRAME, Moment, Origin, RESULT};
use super::origin::{cell, region_origin};
use crate::execute::guards::State;
use grammars::source::Span;
use program::ssa::cfg::ControlFlow;
use program::ssa::liveness::{RegionEffects, RegionLiveness, RegionSet, RegionWrites};
use program::ssa::{Block, RegionKind, Type, Value};
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
    /// The state from which the variable has its value.
    pub moment: Moment,
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

/// All state variables of one function.
pub(super) struct Vocabulary {
    /// The variables in order of first use.
    pub(super) variables: PrimaryMap<Variable, VariableData>,
    by_origin: FxHashMap<(Origin, Moment), Variable>,
    names: FxHashSet<String>,
    symbols: FxHashSet<Term>,
    /// All regions and the heap pointer at program start.
    initial: Vec<Term>,
    liveness: Liveness,
}

/// The live regions.
enum Liveness {
    /// Those of a function without calls; the heap pointer is always live.
    Whole(RegionLiveness),
    /// Those of a procedure, and the variables at its entry.
    Procedure(Rc<Interface>),
}

impl Vocabulary {
    /// The vocabulary of a function without calls.
    pub(super) fn new(pool: &mut TermPool, machine: &Machine<'_>, graph: &ControlFlow) -> Self {
        let effects = RegionEffects::new(machine.program);
        let mut live =
            RegionLiveness::new(machine.program, &effects, machine.function, graph, &RegionSet::default());
        live.restrict(&RegionWrites::new(&effects, machine.function, graph, &machine.unknown_at_start()));
        Self::with(pool, machine, Liveness::Whole(live))
    }

    /// The vocabulary of the current function of `machine`, with this interface.
    pub(super) fn of_procedure(
        pool: &mut TermPool,
        machine: &Machine<'_>,
        interface: &Rc<Interface>,
    ) -> Self {
        Self::with(pool, machine, Liveness::Procedure(interface.clone()))
    }

    fn with(pool: &mut TermPool, machine: &Machine<'_>, liveness: Liveness) -> Self {
        Vocabulary {
            variables: PrimaryMap::new(),
            by_origin: FxHashMap::default(),
            names: FxHashSet::default(),
            symbols: FxHashSet::default(),
            initial: machine.initial_regions(pool),
            liveness,
        }
    }

    /// Whether the symbol belongs to a variable.
    pub(super) fn is_symbol(&self, symbol: Term) -> bool {
        self.symbols.contains(&symbol)
    }

    /// The symbol of the value of `origin` after a call. The result of the call is an SSA value; a
    /// region, or a result that is not used, gets a fresh symbol.
    pub(super) fn returned(
        &mut self,
        pool: &mut TermPool,
        machine: &Machine<'_>,
        site: CallSite,
        origin: Origin,
    ) -> Term {
        let (sort, representation, name) = match origin {
            Origin::Value(_) => {
                if let (Some(result), _) = machine.after_call(site) {
                    let variable = self.variable(pool, machine, Origin::Value(result));
                    return self.variables[variable].before;
                }
                let callee = &machine.program.functions[machine.call(site).0];
                let ty = callee.result.expect("a function that returns a value has its type");
                (ty.sort(), ty.representation(), format!("{}.result", callee.name))
            }
            origin => {
                let variable = self.variable(pool, machine, origin);
                let VariableData { sort, representation, name, .. } = &self.variables[variable];
                (*sort, *representation, format!("{name}.returned"))
            }
        };
        let symbol = pool.fresh_symbol(&name, sort, representation);
        pool.mark_computed(symbol);
        self.symbols.insert(symbol);
        symbol
    }

    /// The variable of the current value of `origin`.
    pub(super) fn variable(
        &mut self,
        pool: &mut TermPool,
        machine: &Machine<'_>,
        origin: Origin,
    ) -> Variable {
        self.variable_at(pool, machine, (origin, Moment::Now))
    }

    fn variable_at(
        &mut self,
        pool: &mut TermPool,
        machine: &Machine<'_>,
        (origin, moment): (Origin, Moment),
    ) -> Variable {
        if let Some(&known) = self.by_origin.get(&(origin, moment)) {
            return known;
        }
        let pointer = Type::Pointer { width: machine.executor.memory.pointer_width };
        let (mut name, sort, representation, span) = match origin {
            Origin::Value(RESULT) => {
                let ty = machine.function.result.expect("a function that returns a value has its type");
                ("result".to_owned(), ty.sort(), ty.representation(), machine.function.span)
            }
            Origin::Value(FRAME) => {
                ("frame".to_owned(), pointer.sort(), pointer.representation(), Span::NONE)
            }
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
            Origin::HeapPointer(zone) => {
                (Origin::heap_pointer(zone), pointer.sort(), pointer.representation(), Span::NONE)
            }
        };
        if moment == Moment::Entry {
            name.push_str("@entry");
        }
        if machine.of() != machine.program.entry {
            name = format!("{}.{name}", machine.function.name);
        }
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
        let data = VariableData { origin, moment, name: unique, sort, representation, before, after, span };
        let variable = self.variables.push(data);
        self.by_origin.insert((origin, moment), variable);
        self.symbols.extend([before, after]);
        variable
    }

    /// The variables of the state at the start of `block`: values first, each kind by index.
    pub(super) fn state(
        &mut self,
        pool: &mut TermPool,
        machine: &Machine<'_>,
        block: Block,
    ) -> Vec<Variable> {
        let values = machine.entry_values(block);
        let mut regions = match &self.liveness {
            Liveness::Whole(live) => live.live_in(block).clone(),
            Liveness::Procedure(interface) => interface.live_in(block).clone(),
        };
        if matches!(self.liveness, Liveness::Whole(_)) {
            machine.heap_pointers().for_each(|pointer| _ = regions.insert(pointer));
        }
        self.state_with(pool, machine, (values, &regions), block)
    }

    /// The variables of the state before a call.
    pub(super) fn state_at_call(
        &mut self,
        pool: &mut TermPool,
        machine: &Machine<'_>,
        site: CallSite,
    ) -> Vec<Variable> {
        let regions = self.interface().live_before(site).clone();
        self.state_with(pool, machine, (machine.call(site).1, &regions), site.block)
    }

    fn interface(&self) -> Rc<Interface> {
        match &self.liveness {
            Liveness::Procedure(interface) => interface.clone(),
            Liveness::Whole(_) => unreachable!("a function without calls is not a procedure"),
        }
    }

    /// The variables of a state in `block` with these live values and regions, and those at the
    /// entry if the procedure may return from there.
    fn state_with(
        &mut self,
        pool: &mut TermPool,
        machine: &Machine<'_>,
        (values, regions): (&[u32], &RegionSet),
        block: Block,
    ) -> Vec<Variable> {
        let now = |origin| (origin, Moment::Now);
        let mut origins: Vec<_> = values.iter().map(|&value| now(Origin::Value(Value(value)))).collect();
        if machine.needs_frame(machine.of()) {
            origins.push(now(Origin::Value(FRAME)));
        }
        let live = regions.iter().map(|region| now(region_origin(machine, region)));
        if let Liveness::Procedure(interface) = &self.liveness
            && interface.may_return_from(block)
        {
            let interface = interface.clone();
            let at_entry = interface.at_entry();
            let is_value = |origin: &(Origin, Moment)| matches!(origin.0, Origin::Value(_));
            origins.extend(at_entry.iter().filter(|origin| is_value(origin)));
            origins.sort_unstable();
            origins.dedup();
            origins.extend(at_entry.iter().filter(|origin| !is_value(origin)));
            let rest: Vec<_> = live.filter(|origin| !at_entry.contains(origin)).collect();
            origins.extend(rest);
        } else {
            origins.extend(live);
        }
        origins.into_iter().map(|origin| self.variable_at(pool, machine, origin)).collect()
    }

    /// The variables at the entry of the procedure; none for the entry function of the program.
    pub(super) fn state_at_entry(&mut self, pool: &mut TermPool, machine: &Machine<'_>) -> Vec<Variable> {
        let interface = self.interface();
        interface.at_entry().iter().map(|&origin| self.variable_at(pool, machine, origin)).collect()
    }

    /// The variables at the return of the procedure: those at its entry, its result if a caller
    /// uses it, and the regions that it may change.
    pub(super) fn state_at_return(&mut self, pool: &mut TermPool, machine: &Machine<'_>) -> Vec<Variable> {
        let interface = self.interface();
        let mut state = self.state_at_entry(pool, machine);
        let changes = interface.changes().iter();
        state.extend(changes.map(|&origin| self.variable(pool, machine, origin)));
        state
    }

    /// The state with the live `values` in which every variable of `state` is its symbol `x`.
    /// Everything else is as at program start: it is so in the program, or is not read before it is
    /// written.
    pub(super) fn symbolic(&self, machine: &Machine<'_>, values: &[u32], state: &[Variable]) -> State {
        let symbol =
            |&value: &u32| self.variables[self.by_origin[&(Origin::Value(Value(value)), Moment::Now)]].before;
        let mut regions = self.initial.clone();
        let of_state = |moment| {
            state.iter().map(|&variable| &self.variables[variable]).filter(move |data| data.moment == moment)
        };
        // At the entry of a procedure, the regions are those at the entry.
        for data in of_state(Moment::Entry).chain(of_state(Moment::Now)) {
            if let Some(cell) = cell(machine, data.origin) {
                regions[cell] = data.before;
            }
        }
        State { values: values.iter().map(symbol).collect(), result: None, regions: Rc::new(regions) }
    }

    /// The value in `end` of each variable of `variables`, the state at a location with the live
    /// `values`.
    pub(super) fn updates(
        &self,
        machine: &Machine<'_>,
        variables: &[Variable],
        values: &[u32],
        end: &State,
    ) -> Vec<Term> {
        let update = |&variable: &Variable| {
            let data = &self.variables[variable];
            match (data.moment, data.origin) {
                (Moment::Entry, _) => data.before,
                (Moment::Now, Origin::Value(RESULT)) => end.result.expect("the function returns a value"),
                // Values that are not live are arguments of the procedure, and do not change.
                (Moment::Now, Origin::Value(value)) => match values.binary_search(&value.0) {
                    Ok(position) => end.values[position],
                    Err(_) => data.before,
                },
                (Moment::Now, Origin::Region(region)) => end.regions[region.index()],
                (Moment::Now, Origin::HeapPointer(zone)) => end.regions[machine.heap_index(zone as usize)],
            }
        };
        variables.iter().map(update).collect()
    }
}
