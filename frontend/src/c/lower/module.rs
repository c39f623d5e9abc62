//! What all functions share: the program under construction, globals, functions; and the entry function `__start`.

use super::externals::{self, Model};
use super::function::Lowering;
use super::ssa::edge;
use super::{FunctionSelection, Options, library};
use crate::c::hir::{self, Definition, ExprKind, FunctionId, GlobalId, GlobalKind, PlaceId, PlaceKind};
use crate::c::types::{Prototype, QualType, Type as CType, TypeId};
use crate::spec::{Checks, Specification};
use grammars::source::{Diagnostic, Span};
use ir::entity::PrimaryMap;
use ir::ssa::{
    Block, FunctionData, HavocSource, InstructionKind, Machine, Object, ObjectData, Program, PropertyData,
    PropertyKind, Region, RegionData, RegionKind, StopReason, Terminator, Type, UnsupportedData,
};
use ir::term::TermPool;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::rc::Rc;

/// The region that holds all objects.
pub(super) const MEMORY: Region = Region(0);

/// The program being verified, or the library.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum UnitId {
    Program,
    Library,
}

/// A scalar part of a type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    /// Bytes from the start.
    pub(super) offset: u64,
    /// An integer, enumeration, pointer or real floating type.
    pub(super) ty: TypeId,
}

/// Where a global is.
#[derive(Clone, Copy, Debug)]
pub(super) enum GlobalStorage {
    Scalar(Region),
    Object(Object),
    /// Declared with an incomplete type.
    Unknown,
}

/// A checked translation unit and what it became.
pub(super) struct Unit<'h> {
    pub(super) hir: &'h hir::Program,
    functions: FxHashMap<FunctionId, ir::ssa::Function>,
    globals: FxHashMap<GlobalId, GlobalStorage>,
    /// Globals in order of first use, for `__start`.
    used_globals: Vec<GlobalId>,
    address_taken: FxHashSet<GlobalId>,
    leaves: FxHashMap<TypeId, Option<Rc<[Leaf]>>>,
}

/// A function whose body is still to be made.
enum Work {
    /// From its statements.
    Body(UnitId, FunctionId),
    /// From what is known about the function without a body.
    Model(UnitId, FunctionId),
}

/// Shared state.
pub(super) struct Module<'m, 'h> {
    pub(super) pool: &'m mut TermPool,
    pub(super) program: Program,
    pub(super) specification: &'m Specification,
    /// Which operations are checked.
    pub(super) checks: Checks,
    program_unit: Unit<'h>,
    library_unit: Option<Unit<'h>>,
    work: VecDeque<Work>,
    /// Functions of which a body was asked for.
    requested: FxHashSet<ir::ssa::Function>,
    names: FxHashSet<String>,
    /// Whether the program registers functions that run at its end.
    has_exit_handlers: bool,
}

/// The greatest number of scalars that a type is taken apart into.
const MAX_LEAVES: usize = 1024;

impl<'h> Unit<'h> {
    fn new(hir: &'h hir::Program) -> Self {
        Self {
            hir,
            functions: FxHashMap::default(),
            globals: FxHashMap::default(),
            used_globals: Vec::new(),
            address_taken: address_taken_globals(hir),
            leaves: FxHashMap::default(),
        }
    }
}

fn root_global(hir: &hir::Program, mut place: PlaceId) -> Option<GlobalId> {
    loop {
        match hir[place].kind {
            PlaceKind::Global(global) => return Some(global),
            PlaceKind::Field { base, .. } => place = base,
            PlaceKind::Index { array, .. } => place = array,
            _ => return None,
        }
    }
}

fn address_taken_globals(hir: &hir::Program) -> FxHashSet<GlobalId> {
    let mut taken = FxHashSet::default();
    for expr in hir.exprs.values() {
        if let ExprKind::AddressOf(place) | ExprKind::Decay(place) = expr.kind {
            taken.extend(root_global(hir, place));
        }
    }
    for stmt in hir.stmts.values() {
        if let hir::StmtKind::Asm(asm) = &stmt.kind {
            taken.extend(asm.outputs.iter().filter_map(|&place| root_global(hir, place)));
        }
    }
    taken
}

impl<'m, 'h> Module<'m, 'h> {
    pub(super) fn unit(&mut self, unit: UnitId) -> &mut Unit<'h> {
        match unit {
            UnitId::Program => &mut self.program_unit,
            UnitId::Library => {
                self.library_unit.as_mut().expect("only library functions belong to the library")
            }
        }
    }

    /// The typed tree of the library, if it is needed.
    pub(super) fn library_hir(&self) -> Option<&'h hir::Program> {
        self.library_unit.as_ref().map(|unit| unit.hir)
    }

    /// The library's function of this name that runs registered functions; `None` if the program registers none.
    pub(super) fn exit_handlers(&mut self, name: &str) -> Option<ir::ssa::Function> {
        if !self.has_exit_handlers {
            return None;
        }
        let function = self.library_hir()?.function_named(name)?;
        Some(self.function(UnitId::Library, function))
    }

    /// The IR type of a scalar type.
    pub(super) fn scalar_type(&self, hir: &hir::Program, ty: TypeId) -> Option<Type> {
        match hir.types[ty] {
            CType::Integer(_) | CType::Enum(_) => {
                let (width, signedness) = hir.types.integer(ty)?;
                Some(Type::Int { width, signedness })
            }
            CType::Float(kind) => {
                Some(Type::unsigned(u32::try_from(kind.layout(hir.types.model).size).ok()? * 8))
            }
            CType::Pointer(_) => Some(Type::Pointer { width: self.program.machine.pointer_width }),
            _ => None,
        }
    }

    /// The IR type in which a value of type `ty` is passed: itself, or the address of an aggregate.
    pub(super) fn passed_type(&self, hir: &hir::Program, ty: TypeId) -> Type {
        self.scalar_type(hir, ty).unwrap_or(Type::Pointer { width: self.program.machine.pointer_width })
    }

    /// The scalars of a type in order of offset; none if they cannot be told (unions, bit-fields, …) or are too many.
    pub(super) fn leaves(&mut self, unit: UnitId, ty: TypeId) -> Option<Rc<[Leaf]>> {
        if let Some(known) = self.unit(unit).leaves.get(&ty) {
            return known.clone();
        }
        let hir = self.unit(unit).hir;
        let mut leaves = Vec::new();
        let found = collect_leaves(hir, ty, 0, &mut leaves).map(|()| Rc::from(leaves));
        self.unit(unit).leaves.insert(ty, found.clone());
        found
    }

    /// The storage of a global, made on first use.
    pub(super) fn global(&mut self, unit: UnitId, id: GlobalId) -> GlobalStorage {
        if let Some(&storage) = self.unit(unit).globals.get(&id) {
            return storage;
        }
        let hir = self.unit(unit).hir;
        let global = &hir[id];
        let name = match (&global.kind, global.name) {
            (GlobalKind::StaticLocal(function), Some(name)) => {
                format!("{}::{}", hir.name(hir[*function].name), hir.name(name))
            }
            (GlobalKind::StringLiteral, _) => "string".to_owned(),
            (_, Some(name)) => hir.name(name).to_owned(),
            (_, None) => "literal".to_owned(),
        };
        let name = self.unique_name(name);
        let is_taken = self.unit(unit).address_taken.contains(&id);
        let storage = match (
            self.scalar_type(hir, global.ty),
            hir.types.qualified_layout(QualType { ty: global.ty, qualifiers: global.qualifiers }),
        ) {
            (Some(ty), _) if !is_taken => {
                let region = RegionData { name, kind: RegionKind::Scalar(ty) };
                GlobalStorage::Scalar(self.program.regions.push(region))
            }
            (_, Some(layout)) => GlobalStorage::Object(self.program.objects.push(ObjectData {
                name,
                size: layout.size.saturating_add(global.extra_size).max(1),
                align: layout.align.max(global.align.unwrap_or(1)).max(1),
                owner: None,
                regions: vec![MEMORY],
                span: global.span,
            })),
            (_, None) => GlobalStorage::Unknown,
        };
        let unit = self.unit(unit);
        unit.globals.insert(id, storage);
        unit.used_globals.push(id);
        storage
    }

    fn unique_name(&mut self, name: String) -> String {
        if self.names.insert(name.clone()) {
            return name;
        }
        for number in 1_u32.. {
            let candidate = format!("{name}.{number}");
            if self.names.insert(candidate.clone()) {
                return candidate;
            }
        }
        unreachable!("some number is free")
    }

    /// The IR function for a C function, declared on first use; its body is put on the work list if it has one.
    pub(super) fn function(&mut self, unit: UnitId, id: FunctionId) -> ir::ssa::Function {
        if let Some(&function) = self.unit(unit).functions.get(&id) {
            return function;
        }
        let hir = self.unit(unit).hir;
        let source = &hir[id];
        let name = hir.name(source.name);
        if unit == UnitId::Program
            && let Some(library) = self.library_function(hir, id)
        {
            let function = self.function(UnitId::Library, library);
            self.unit(unit).functions.insert(id, function);
            return function;
        }
        let ty = hir.types.function(source.ty);
        let result_type = ty.map_or(TypeId::VOID, |ty| ty.result);
        let prototype = ty.map_or(Prototype::Missing, |ty| ty.prototype);
        let declared: &[TypeId] = match &source.body {
            Some(body) => &body.passed,
            None => ty.map_or(&[], |ty| &ty.parameters),
        };
        let mut parameters: Vec<Type> = Vec::new();
        let result = self.scalar_type(hir, result_type);
        if result.is_none() && !matches!(hir.types[result_type], CType::Void | CType::Error) {
            parameters.push(self.address_type());
        }
        parameters.extend(declared.iter().map(|&ty| self.passed_type(hir, ty)));
        let name = self.unique_name(name.to_owned());
        let function = self.program.functions.push(FunctionData {
            name,
            result,
            parameters,
            is_variadic: prototype == Prototype::Variadic
                || prototype == Prototype::Missing && source.body.is_none(),
            blocks: PrimaryMap::new(),
            values: PrimaryMap::new(),
            entry: Block(0),
            span: source.span,
        });
        self.unit(unit).functions.insert(id, function);
        if self.is_error_function(unit, id) {
            self.request(function, Work::Model(unit, id));
        } else if source.body.is_some() {
            self.request(function, Work::Body(unit, id));
        }
        function
    }

    /// As [`function`](Self::function), for a function whose address is taken: calls through pointers know no names,
    /// so what the name means must be in the body.
    pub(super) fn function_for_address(&mut self, unit: UnitId, id: FunctionId) -> ir::ssa::Function {
        let function = self.function(unit, id);
        let hir = self.unit(unit).hir;
        if hir[id].body.is_none() && (unit == UnitId::Library || self.library_function(hir, id).is_none()) {
            self.request(function, Work::Model(unit, id));
        }
        function
    }

    fn request(&mut self, function: ir::ssa::Function, work: Work) {
        if self.requested.insert(function) {
            self.work.push_back(work);
        }
    }

    /// Whether a call of the function is an error by the specification.
    pub(super) fn is_error_function(&mut self, unit: UnitId, id: FunctionId) -> bool {
        let hir = self.unit(unit).hir;
        unit == UnitId::Program && self.specification.is_error_call(hir.name(hir[id].name))
    }

    /// The type of addresses.
    pub(super) fn address_type(&self) -> Type {
        Type::Pointer { width: self.program.machine.pointer_width }
    }

    /// A new error site.
    pub(super) fn property(
        &mut self,
        kind: PropertyKind,
        description: String,
        span: Span,
    ) -> ir::ssa::Property {
        self.program.properties.push(PropertyData { kind, description, span })
    }

    /// A new unsupported construct.
    pub(super) fn unsupported(&mut self, construct: String, span: Span) -> ir::ssa::Unsupported {
        self.program.unsupported.push(UnsupportedData { construct, span })
    }
}

fn collect_leaves(hir: &hir::Program, ty: TypeId, offset: u64, leaves: &mut Vec<Leaf>) -> Option<()> {
    match hir.types[ty] {
        CType::Integer(_) | CType::Enum(_) | CType::Float(_) | CType::Pointer(_) => {
            leaves.push(Leaf { offset, ty });
            (leaves.len() <= MAX_LEAVES).then_some(())
        }
        CType::Array(element, crate::c::types::ArrayLength::Known(length)) => {
            let size = hir.types.size(element.ty)?;
            let before = leaves.len();
            for index in 0..length {
                collect_leaves(hir, element.ty, offset.checked_add(index.checked_mul(size)?)?, leaves)?;
                if leaves.len() == before {
                    break;
                }
            }
            Some(())
        }
        CType::Record(record) => {
            let data = &hir.types.records[record];
            let definition = data.definition.as_ref()?;
            if data.kind == grammars::c::ast::RecordKind::Union || definition.has_flexible_array {
                return None;
            }
            for field in &definition.fields {
                if field.bits.is_some() {
                    return None;
                }
                collect_leaves(hir, field.ty, offset.checked_add(field.offset)?, leaves)?;
            }
            Some(())
        }
        _ => None,
    }
}

/// See [`lower`](super::lower).
pub(super) fn lower_program(
    pool: &mut TermPool,
    hir: &hir::Program,
    library: Option<&hir::Program>,
    specification: &Specification,
    options: &Options,
) -> (Program, Vec<Diagnostic>) {
    let mut regions = PrimaryMap::new();
    regions.push(RegionData { name: "memory".to_owned(), kind: RegionKind::Bytes });
    let mut functions = PrimaryMap::new();
    let entry = functions.push(FunctionData {
        name: "__start".to_owned(),
        result: None,
        parameters: Vec::new(),
        is_variadic: false,
        blocks: PrimaryMap::new(),
        values: PrimaryMap::new(),
        entry: Block(0),
        span: Span::NONE,
    });
    let mut module = Module {
        pool,
        program: Program {
            machine: Machine { pointer_width: hir.types.model.pointer_width() },
            regions,
            objects: PrimaryMap::new(),
            functions,
            entry,
            properties: PrimaryMap::new(),
            unsupported: PrimaryMap::new(),
        },
        specification,
        checks: specification.checks(),
        program_unit: Unit::new(hir),
        library_unit: library.map(Unit::new),
        work: VecDeque::new(),
        requested: FxHashSet::default(),
        names: FxHashSet::from_iter(["__start".to_owned(), "memory".to_owned()]),
        has_exit_handlers: library::registers_exit_handlers(hir),
    };
    let mut diagnostics = Vec::new();
    let main = hir.function_named(&options.entry).filter(|&id| hir[id].body.is_some());
    if main.is_none() {
        let span = hir.function_named(&options.entry).map_or(Span::NONE, |id| hir[id].span);
        diagnostics.push(
            Diagnostic::error(span, format!("there is no definition of the function `{}`", options.entry))
                .with_help("execution begins there; another function can be chosen"),
        );
    }
    if let Some(main) = main {
        module.function(UnitId::Program, main);
    }
    if options.functions == FunctionSelection::All {
        for (id, function) in hir.functions.iter() {
            if function.body.is_some() {
                module.function(UnitId::Program, id);
            }
        }
    }
    module.exit_handlers(library::EXIT_HANDLERS);
    module.run();
    lower_start(&mut module, main);
    (module.program, diagnostics)
}

impl Module<'_, '_> {
    fn run(&mut self) {
        while let Some(work) = self.work.pop_front() {
            let (unit, id) = match work {
                Work::Body(unit, id) | Work::Model(unit, id) => (unit, id),
            };
            let function = self.unit(unit).functions[&id];
            let mut lowering = Lowering::new(self, unit, function);
            match work {
                Work::Body(..) => lowering.body(id),
                Work::Model(..) => lowering.model(id),
            }
            let finished = lowering.finish();
            finished.install(&mut self.program.functions[function]);
        }
    }
}

/// `__start`: stores the initial contents of the globals that are used and calls the entry function.
fn lower_start(module: &mut Module<'_, '_>, main: Option<FunctionId>) {
    let start = module.program.entry;
    // An initializer may name further globals and functions, which may use further globals.
    let mut program_done = 0;
    let mut library_done = 0;
    let mut lowering = Lowering::new(module, UnitId::Program, start);
    lowering.enter();
    loop {
        let next = if program_done < lowering.m.program_unit.used_globals.len() {
            program_done += 1;
            Some((UnitId::Program, lowering.m.program_unit.used_globals[program_done - 1]))
        } else {
            let library = lowering.m.library_unit.as_ref();
            let next = library.and_then(|unit| unit.used_globals.get(library_done).copied());
            library_done += usize::from(next.is_some());
            next.map(|global| (UnitId::Library, global))
        };
        match next {
            Some((unit, global)) => {
                lowering.set_unit(unit);
                lowering.static_initializer(global);
            }
            None if lowering.m.work.is_empty() => break,
            None => lowering.m.run(),
        }
    }
    lowering.set_unit(UnitId::Program);
    if let Some(main) = main {
        lowering.call_main(main);
        lowering.run_exit_handlers(library::EXIT_HANDLERS, Span::NONE);
    }
    let span = main.map_or(Span::NONE, |main| lowering.hir[main].span);
    lowering.stop(StopReason::Exit, span);
    let finished = lowering.finish();
    finished.install(&mut module.program.functions[start]);
}

impl<'m, 'h> Lowering<'_, 'm, 'h> {
    /// Stores the initial contents of a global that are not zero.
    fn static_initializer(&mut self, id: GlobalId) {
        let global = &self.hir[id];
        let storage = self.m.global(self.unit, id);
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
            (_, GlobalStorage::Unknown) => {}
            (Definition::Defined, _) => {
                if let Some(init) = global.initializer {
                    self.initialize_static(id, storage, init);
                }
            }
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
        let kind = InstructionKind::Call { callee: ir::ssa::Callee::Direct(function), arguments };
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
        let is_it =
            |place: &hir::Place| matches!(place.kind, PlaceKind::Local(local) if Some(local) == parameter);
        self.hir.places.values().any(is_it)
    }

    /// Goes on only where the condition holds.
    pub(super) fn assume(&mut self, condition: ir::term::Term, span: Span) {
        let (holds, fails) = (self.b.create_block(), self.b.create_block());
        self.b.terminate(Terminator::Branch { condition, then: edge(holds), otherwise: edge(fails) }, span);
        self.b.seal(holds);
        self.b.seal(fails);
        self.b.switch_to(fails);
        self.b.terminate(Terminator::Stop(StopReason::Assume), span);
        self.b.switch_to(holds);
    }

    /// The body of a function by what its name means.
    fn model(&mut self, id: FunctionId) {
        self.enter();
        let span = self.hir[id].span;
        let data = &self.m.program.functions[self.function];
        let (types, result) = (data.parameters.clone(), data.result);
        let mut terms: Vec<_> = types
            .iter()
            .map(|&ty| {
                let value = self.b.add_parameter(ty, None, span);
                self.m.pool.value(value.0, ty.sort())
            })
            .collect();
        let ty = self.hir.types.function(self.hir[id].ty);
        let result_type = ty.map_or(TypeId::VOID, |ty| ty.result);
        let parameters: Vec<TypeId> = ty.map_or_else(Vec::new, |ty| ty.parameters.to_vec());
        let has_body = self.hir[id].body.is_some();
        let name = self.hir.name(self.hir[id].name).to_owned();
        if self.m.is_error_function(self.unit, id) {
            self.error(PropertyKind::ReachCall, format!("call of {name}"), span);
            return;
        }
        debug_assert!(!has_body, "only errors have a body and a model");
        let is_memory_result = result.is_none() && result_type != TypeId::VOID;
        let out = is_memory_result.then(|| terms.remove(0));
        if out.is_some()
            || matches!(externals::model(&name), Model::Assert | Model::AssertFails) && terms.is_empty()
        {
            self.unsupported(format!("a call through a pointer of `{name}`, which has no body"), span);
            return;
        }
        let arguments = terms
            .into_iter()
            .zip(parameters)
            .map(|(term, ty)| super::calls::Argument { term, ty, expr: None })
            .collect::<Vec<_>>();
        let value = self.external_call(id, &arguments, result_type, span, externals::Site::Pointer);
        let value = result.map(|ty| match value {
            Some(term) => self.fit(term, ty),
            None => self.m.pool.bv(ty.width(), 0),
        });
        self.b.terminate(Terminator::Return(value), span);
    }
}
