//! `__start`: the initial contents of globals, constructors, the entry function with its arguments,
//! destructors.
//!
//! # The arguments of `main`
//!
//! `argc` is at least 1, because program loaders pass a name. If `argv` is used, it is a new array
//! of `argc + 1` pointers. The last one is null; the others point to new objects of 1 to
//! [`LONGEST_STRING`]` + 1` bytes with any contents but a zero in the last byte. An earlier zero
//! makes the string shorter than its object, so all strings are covered. `envp` is also such an
//! array, of any length.
//!
//! Executions with more than [`EXACT_STRINGS`] strings or with longer strings are
//! over-approximated: the other pointers have any value, and longer strings need not be terminated.
//! Accesses beyond [`MOST_SLOTS`] pointers or beyond that many characters are outside of the
//! modeled objects, which prevents TRUE.
//!
//! # Other entry functions
//!
//! A harness (`contract`) calls a function with parameters. Lowered without one, all of its
//! arguments are over-approximated.

use super::AssumptionKind;
use super::function::Lowering;
use super::library;
use super::literals;
use super::module::{GlobalStorage, MEMORY, Module};
use crate::c::hir::{Automatic, Definition, FunctionId, GlobalId, Place, PlaceKind};
use crate::c::link::{LinkedProgram, UnitId};
use grammars::c::ast::Qualifier;
use grammars::source::Span;
use program::ssa::{Callee, Contents, HavocSource, InstructionKind, Part, RegionKind, Signedness, Type};
use std::rc::Rc;
use terms::Term;
use terms::entity::Entity;

/// The number of strings of `argv` and of `envp` that are modeled exactly.
const EXACT_STRINGS: u64 = 4;
/// The number of pointers of an array of strings that is not modeled exactly.
const MOST_SLOTS: u64 = 64;
/// The length of the longest string that is modeled exactly.
const LONGEST_STRING: u64 = 4095;

/// The constructors and destructors in order of execution.
#[derive(Debug, Default)]
pub(super) struct AutomaticFunctions {
    constructors: Vec<(UnitId, FunctionId)>,
    destructors: Vec<(UnitId, FunctionId)>,
}

impl AutomaticFunctions {
    pub(super) fn of(linked: &LinkedProgram<'_>) -> Self {
        let (mut constructors, mut destructors) = (Vec::new(), Vec::new());
        for (unit, hir) in linked.units.iter() {
            for (id, function) in hir.functions.iter().filter(|(_, function)| function.body.is_some()) {
                match function.automatic {
                    Automatic::Never => {}
                    Automatic::Constructor(priority) => constructors.push((priority, (unit, id))),
                    Automatic::Destructor(priority) => destructors.push((priority, (unit, id))),
                }
            }
        }
        // The sorts are stable: constructors of equal priority run in program order, destructors in
        // the reverse order.
        constructors.sort_by_key(|&(priority, _)| priority);
        destructors.sort_by_key(|&(priority, _)| priority);
        Self {
            constructors: constructors.into_iter().map(|(_, function)| function).collect(),
            destructors: destructors.into_iter().rev().map(|(_, function)| function).collect(),
        }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (UnitId, FunctionId)> {
        self.constructors.iter().chain(&self.destructors).copied()
    }
}

/// Lowers the body of `__start` and all bodies that it requests.
pub(super) fn lower_start(module: &mut Module<'_, '_>, main: Option<(UnitId, FunctionId)>) {
    let start = module.program.entry;
    let automatic = Rc::clone(&module.automatic);
    let mut lowering = Lowering::new(module, main.map_or(UnitId::new(0), |(unit, _)| unit), start);
    lowering.enter();
    // An initializer may refer to further globals and functions, which may refer to further
    // globals.
    let mut done = 0;
    loop {
        match lowering.m.used_global(done) {
            Some((unit, global)) => {
                done += 1;
                lowering.set_unit(unit);
                lowering.static_initializer(global);
            }
            None if lowering.m.is_done() => break,
            None => lowering.m.run(),
        }
    }
    for &(unit, function) in &automatic.constructors {
        lowering.call_automatic(unit, function, Span::NONE);
    }
    let mut span = Span::NONE;
    if let Some((unit, main)) = main {
        lowering.set_unit(unit);
        lowering.call_main(main);
        span = lowering.hir[main].span;
    }
    lowering.run_at_exit(library::EXIT_HANDLERS, Span::NONE);
    lowering.exit(span);
    let finished = lowering.finish();
    let debug = finished.install(&mut module.program.functions[start]);
    module.source.of_function(start, debug);
}

impl<'m, 'h> Lowering<'_, 'm, 'h> {
    /// Stores the nonzero initial contents of a global.
    fn static_initializer(&mut self, id: GlobalId) {
        let global = &self.hir[id];
        let storage = self.m.global(self.unit, id);
        if global.definition == Definition::Declared {
            self.assume_of_data(id);
        }
        if let GlobalStorage::Object(object) = storage
            && (self.m.is_address_taken(self.unit, id)
                || self.m.marks_literals && literals::is_literal(self.hir, id))
        {
            let name = self.m.program.objects[object].name.clone();
            let size = self.m.object_size(object);
            let size = self.m.pool.bv(self.m.program.machine.pointer_width, size);
            let address = self.object_address(object);
            self.begins(address, size, &name, global.span);
            self.mark_literal(id, address);
        }
        match (global.definition, storage) {
            (Definition::Declared, GlobalStorage::Scalar(region)) => {
                let RegionKind::Scalar(ty) = self.m.program.regions[region].kind else { return };
                let name = self.m.program.regions[region].name.clone();
                let source = HavocSource::External(name.clone());
                self.note_place(&name, global.ty);
                let Some(value) = self.any_value(source, global.ty, global.span) else { return };
                self.b.effect(
                    InstructionKind::Store { region, address: None, value, ty, place: Some(name) },
                    global.span,
                );
            }
            (Definition::Declared, GlobalStorage::Object(object)) => {
                self.b.effect(InstructionKind::Forget { region: MEMORY, object }, global.span);
            }
            (_, GlobalStorage::Unknown | GlobalStorage::Null) => {}
            (Definition::Defined, _) => {
                if let Some(init) = global.initializer {
                    self.initialize_static(id, storage, init);
                }
            }
        }
    }

    /// Records the assumption about an undefined object.
    fn assume_of_data(&mut self, id: GlobalId) {
        let global = &self.hir[id];
        let Some(name) = global.name.map(|name| self.hir.name(name)) else { return };
        let uses = self
            .hir
            .places
            .values()
            .filter(|place| matches!(place.kind, PlaceKind::Global(global) if global == id));
        let span = uses.map(|place| place.span).next().unwrap_or(global.span);
        let assumed = match global.qualifiers.contains(Qualifier::Const) {
            true => "holds any value",
            false => "holds any value at the start and after each call of an undefined function",
        };
        self.m.assumes(AssumptionKind::Data, name, assumed, span);
    }

    /// Emits the calls at normal program termination: exit handlers, then destructors.
    pub(super) fn run_at_exit(&mut self, handlers: &str, span: Span) {
        if let Some(function) = self.m.exit_handlers(handlers) {
            let kind = InstructionKind::Call { callee: Callee::Direct(function), arguments: Vec::new() };
            self.b.effect(kind, span);
        }
        if handlers == library::EXIT_HANDLERS {
            let automatic = Rc::clone(&self.m.automatic);
            for &(unit, function) in &automatic.destructors {
                self.call_automatic(unit, function, span);
            }
        }
    }

    /// Calls a constructor or destructor.
    fn call_automatic(&mut self, unit: UnitId, id: FunctionId, span: Span) {
        let function = self.m.function(unit, id);
        let data = &self.m.program.functions[function];
        if !data.parameters.is_empty() {
            self.unsupported("a constructor or destructor with parameters", data.span);
            return;
        }
        let data = &self.m.program.functions[function];
        let kind = InstructionKind::Call { callee: Callee::Direct(function), arguments: Vec::new() };
        match data.result {
            Some(ty) => {
                self.emit(kind, ty, span);
            }
            None => self.b.effect(kind, span),
        }
    }

    fn call_main(&mut self, main: FunctionId) {
        let function = self.m.function(self.unit, main);
        let data = &self.m.program.functions[function];
        let (parameters, result, span) = (data.parameters.clone(), data.result, data.span);
        let arguments = match self.hir.name(self.hir[main].name) {
            "main" => self.program_arguments(main, &parameters, span),
            _ => {
                let what = "the arguments of the entry function";
                parameters.iter().map(|&ty| self.approximation(ty, what, span)).collect()
            }
        };
        let kind = InstructionKind::Call { callee: Callee::Direct(function), arguments };
        match result {
            Some(ty) => {
                self.emit(kind, ty, span);
            }
            None => self.b.effect(kind, span),
        }
    }

    /// The arguments of `main`.
    fn program_arguments(&mut self, main: FunctionId, parameters: &[Type], span: Span) -> Vec<Term> {
        let mut arguments = Vec::new();
        for (index, &ty) in parameters.iter().enumerate() {
            let is_used = self.is_parameter_used(main, index);
            let term = match (index, arguments.first()) {
                (0, _) => {
                    // The first argument is the name of the program, so there is at least one.
                    let count = self.entry_input("argc", ty, span);
                    let one = self.m.pool.bv(ty.width(), 1);
                    let condition = self.m.pool.bv_sle(one, count);
                    self.assume(condition, span);
                    count
                }
                // Objects of unused parameters would only cost time.
                _ if !is_used => self.m.pool.bv(ty.width(), 0),
                (1, Some(&count)) => self.strings("argv", count, span),
                (2, Some(_)) => {
                    let count = self.entry_input("number of environment variables", Type::unsigned(32), span);
                    self.strings("envp", count, span)
                }
                _ => self.approximation(ty, "the arguments of the program", span),
            };
            arguments.push(term);
        }
        arguments
    }

    /// An array of `count` strings and a null pointer; see the module documentation.
    fn strings(&mut self, name: &str, count: Term, span: Span) -> Term {
        let address = self.m.address_type();
        let (width, bytes) = (address.width(), u64::from(address.width() / 8));
        let count = self.resize(count, width, Signedness::Unsigned);
        let [zero, one] = [0, 1].map(|number| self.m.pool.bv(width, number));
        let exact = self.m.pool.bv(width, EXACT_STRINGS);
        let are_more = self.m.pool.bv_ult(exact, count);
        let is_long = self.entry_input(&format!("a string of {name} is long"), Type::unsigned(1), span);
        let set = self.m.pool.bv(1, 1);
        let is_long = self.m.pool.eq(is_long, set);
        let slots = self.m.pool.bv_add(count, one);
        let most = self.m.pool.bv(width, MOST_SLOTS);
        let slots = self.m.pool.ite(are_more, most, slots);
        let scale = self.m.pool.bv(width, bytes);
        let size = self.m.pool.bv_mul(slots, scale);
        let table = self.new_object(size, u64::from(width) / 8, span);
        for index in 0..EXACT_STRINGS {
            let number = self.m.pool.bv(width, index);
            let is_there = self.m.pool.bv_ult(number, count);
            self.only_if(is_there, span, |this| {
                let length =
                    this.entry_input(&format!("length of {name}[{index}]"), Type::unsigned(width), span);
                let longest = this.m.pool.bv(width, LONGEST_STRING);
                let fits = this.m.pool.bv_ule(length, longest);
                this.assume(fits, span);
                let size = this.m.pool.bv_add(length, one);
                let string = this.new_object(size, 1, span);
                let byte = Type::unsigned(8);
                let any = this.entry_input(&format!("byte {LONGEST_STRING} of {name}[{index}]"), byte, span);
                let end = this.m.pool.bv(8, 0);
                let last = this.m.pool.ite(is_long, any, end);
                let at = this.m.pool.bv_add(string, length);
                this.store_unchecked(at, last, byte, span, None);
                let entry = this.displaced(table, index * bytes);
                this.store_unchecked(entry, string, address, span, None);
            });
        }
        let is_inexact = self.m.pool.or2(are_more, is_long);
        self.only_if(is_inexact, span, |this| {
            let what = format!(
                "more than {EXACT_STRINGS} strings in {name}, or more than {LONGEST_STRING} characters in one"
            );
            this.approximation(Type::unsigned(8), &what, span);
        });
        let is_within = self.m.pool.bv_ult(count, slots);
        self.only_if(is_within, span, |this| {
            let end = this.m.pool.bv_mul(count, scale);
            let last = this.m.pool.bv_add(table, end);
            this.store_unchecked(last, zero, address, span, None);
        });
        table
    }

    fn only_if(&mut self, condition: Term, span: Span, action: impl FnOnce(&mut Self)) {
        let (yes, after) = (self.b.create_block(), self.b.create_block());
        self.branch(condition, yes, after, span);
        self.b.seal(yes);
        self.b.switch_to(yes);
        action(self);
        self.goto(after, span);
        self.b.seal(after);
        self.b.switch_to(after);
    }

    fn entry_input(&mut self, name: &str, ty: Type, span: Span) -> Term {
        self.emit(InstructionKind::Havoc(HavocSource::Input(name.to_owned())), ty, span)
    }

    /// Makes a new object with any contents; returns its address.
    fn new_object(&mut self, size: Term, align: u64, span: Span) -> Term {
        let kind = InstructionKind::Allocate {
            parts: vec![Part::whole(MEMORY)],
            size,
            align,
            contents: Contents::Unknown,
        };
        let address = self.emit(kind, self.m.address_type(), span);
        self.begins(address, size, "argument", span);
        address
    }

    /// Whether the body of the function uses its parameter.
    fn is_parameter_used(&self, id: FunctionId, index: usize) -> bool {
        let parameter = self.hir[id].body.as_ref().and_then(|body| body.parameters.get(index).copied());
        let is_it = |place: &Place| matches!(place.kind, PlaceKind::Local(local) if Some(local) == parameter);
        self.hir.places.values().any(is_it)
    }
}
