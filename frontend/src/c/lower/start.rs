//! `__start`: the initial contents of globals, constructors, the entry function with its arguments, destructors.

use super::function::Lowering;
use super::library;
use super::module::{GlobalStorage, MEMORY, Module};
use crate::c::hir::{Automatic, Definition, FunctionId, GlobalId, Place, PlaceKind};
use crate::c::link::{LinkedProgram, UnitId};
use grammars::source::Span;
use ir::entity::Entity;
use ir::ssa::{Callee, HavocSource, InstructionKind, RegionKind, Type};
use std::rc::Rc;

/// Functions that run without being called, in the order in which they run.
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
        // The sorts are stable: equal priorities run in the order of the program, destructors in its reverse.
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

/// Makes the body of `__start`, and all bodies that it asks for.
pub(super) fn lower_start(module: &mut Module<'_, '_>, main: Option<(UnitId, FunctionId)>) {
    let start = module.program.entry;
    let automatic = Rc::clone(&module.automatic);
    let mut lowering = Lowering::new(module, main.map_or(UnitId::new(0), |(unit, _)| unit), start);
    lowering.enter();
    // An initializer may name further globals and functions, which may use further globals.
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
    finished.install(&mut module.program.functions[start]);
}

impl<'m, 'h> Lowering<'_, 'm, 'h> {
    /// Stores the initial contents of a global that are not zero.
    fn static_initializer(&mut self, id: GlobalId) {
        let global = &self.hir[id];
        let storage = self.m.global(self.unit, id);
        if let GlobalStorage::Object(object) = storage
            && self.m.is_address_taken(self.unit, id)
        {
            let data = &self.m.program.objects[object];
            let (size, name) = (data.size, data.name.clone());
            let size = self.m.pool.bv(self.m.program.machine.pointer_width, size);
            let address = self.object_address(object);
            self.begins(address, size, &name, global.span);
        }
        match (global.definition, storage) {
            (Definition::Declared, GlobalStorage::Scalar(region)) => {
                let RegionKind::Scalar(ty) = self.m.program.regions[region].kind else { return };
                let name = self.m.program.regions[region].name.clone();
                let value =
                    self.emit(InstructionKind::Havoc(HavocSource::External(name.clone())), ty, global.span);
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

    /// What happens at an orderly end of the program: registered functions are called, then destructors.
    pub(super) fn run_at_exit(&mut self, handlers: &str, span: Span) {
        if let Some(function) = self.m.exit_handlers(handlers) {
            self.forget_checks();
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
        self.forget_checks();
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
        let mut arguments = Vec::new();
        for (index, &ty) in parameters.iter().enumerate() {
            let is_main = self.hir.name(self.hir[main].name) == "main";
            let term = match (is_main, index) {
                (true, 0) => {
                    // The program's name is there, so there is at least one argument.
                    let count =
                        self.emit(InstructionKind::Havoc(HavocSource::Input("argc".to_owned())), ty, span);
                    let one = self.m.pool.bv(ty.width(), 1);
                    let condition = self.m.pool.bv_sle(one, count);
                    self.assume(condition, span);
                    count
                }
                (true, _) if self.is_parameter_used(main, index) => {
                    self.approximation(ty, "the arguments of the program", span)
                }
                // An approximation that nobody looks at would spoil every counterexample.
                (true, _) => self.m.pool.bv(ty.width(), 0),
                (false, _) if matches!(ty, Type::Pointer { .. }) => {
                    self.approximation(ty, "a pointer argument of the entry function", span)
                }
                (false, _) => {
                    let source = HavocSource::Input(format!("argument {}", index + 1));
                    self.emit(InstructionKind::Havoc(source), ty, span)
                }
            };
            arguments.push(term);
        }
        let kind = InstructionKind::Call { callee: Callee::Direct(function), arguments };
        match result {
            Some(ty) => {
                self.emit(kind, ty, span);
            }
            None => self.b.effect(kind, span),
        }
    }

    /// Whether the body of the function mentions its parameter.
    fn is_parameter_used(&self, id: FunctionId, index: usize) -> bool {
        let parameter = self.hir[id].body.as_ref().and_then(|body| body.parameters.get(index).copied());
        let is_it = |place: &Place| matches!(place.kind, PlaceKind::Local(local) if Some(local) == parameter);
        self.hir.places.values().any(is_it)
    }
}
