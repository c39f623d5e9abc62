//! The state shared by all functions: the program under construction, globals and functions;
//! creates the entry function `__start`.

use super::escapes::Escapes;
use super::externals::{self, Model};
use super::function::Lowering;
use super::instances::Jumps;
use super::order::FunctionEffects;
use super::safety::{Objects, Slots};
use super::source::SourceTypes;
use super::ssa::edge;
use super::start::AutomaticFunctions;
use super::tracked::Tracker;
use super::unknown::Exposed;
use super::{
    Allocation, Assumption, AssumptionKind, FunctionSelection, Lowered, Options, Tracking, library, start,
};
use crate::c::hir::{self, ExprKind, FunctionId, GlobalId, GlobalKind, PlaceId, PlaceKind};
use crate::c::link::{LinkedProgram, Opaque, Resolved, UnitId};
use crate::c::types::{DataModel, Prototype, QualType, Type as CType, TypeId};
use crate::spec::{Checks, Specification};
use grammars::source::{Diagnostic, Span};
use program::ssa::{
    Block, FunctionData, Machine, Object, ObjectData, Program, PropertyData, PropertyKind, Region,
    RegionData, RegionKind, Shadow, StopReason, Terminator, Type, UnsupportedData,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;
use terms::TermPool;
use terms::entity::PrimaryMap;

/// The region of all objects.
pub(super) const MEMORY: Region = Region(0);

/// A scalar part of a type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    /// The offset from the start in bytes.
    pub(super) offset: u64,
    /// An integer, enumeration, pointer or real floating type.
    pub(super) ty: TypeId,
}

/// The storage of a global.
#[derive(Clone, Copy, Debug)]
pub(super) enum GlobalStorage {
    Scalar(Region),
    Object(Object),
    /// A weak object without a definition.
    Null,
    /// Declared with an incomplete type.
    Unknown,
}

/// A checked translation unit and its lowered entities.
pub(super) struct Unit<'h> {
    pub(super) hir: &'h hir::Program,
    functions: FxHashMap<FunctionId, program::ssa::Function>,
    /// Declarations of library functions without their bodies, for calls whose effects are not
    /// modeled.
    unseen: FxHashMap<FunctionId, program::ssa::Function>,
    /// For variadic functions without a body: the function called through pointers, which takes an
    /// argument area.
    by_address: FxHashMap<FunctionId, program::ssa::Function>,
    globals: FxHashMap<GlobalId, GlobalStorage>,
    leaves: FxHashMap<TypeId, Option<Rc<[Leaf]>>>,
    /// Computed on first use.
    jumps: Option<Rc<Jumps>>,
}

/// A function whose body is not yet lowered.
enum Work {
    /// The body is lowered from its statements.
    Body(UnitId, FunctionId, program::ssa::Function),
    /// The body is the model of the function.
    Model(UnitId, FunctionId, program::ssa::Function),
}

/// The passing of the variable arguments of a variadic function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Convention {
    /// As further arguments of the call instruction.
    Open,
    /// In an argument area.
    Area,
}

/// The state shared by all functions.
pub(super) struct Module<'m, 'h> {
    pub(super) pool: &'m mut TermPool,
    pub(super) program: Program,
    pub(super) specification: &'m Specification,
    /// The operations to check.
    pub(super) checks: Checks,
    /// Whether allocations may fail.
    pub(super) allocation: Allocation,
    /// The objects to track.
    pub(super) tracking: Tracking,
    /// The size of address slots.
    pub(super) slots: Slots,
    /// The regions with the metadata of objects.
    pub(super) objects: Option<Objects>,
    /// Whether the shadow marks string literals.
    pub(super) marks_literals: bool,
    /// Whether the program calls `alloca`.
    pub(super) has_stack_blocks: bool,
    pub(super) linked: &'m LinkedProgram<'h>,
    /// The units of the program, then the library.
    units: PrimaryMap<UnitId, Unit<'h>>,
    pub(super) library: Option<UnitId>,
    /// Globals in order of first use, for `__start`.
    used_globals: Vec<(UnitId, GlobalId)>,
    /// Globals that pointers may point to, or that units declare with different types.
    address_taken: FxHashSet<(UnitId, GlobalId)>,
    /// The functions that run without being called (constructors and destructors).
    pub(super) automatic: Rc<AutomaticFunctions>,
    work: VecDeque<Work>,
    /// The functions whose body was requested.
    requested: FxHashSet<program::ssa::Function>,
    /// The functions whose last parameter is the address of an argument area.
    variadic: FxHashSet<program::ssa::Function>,
    names: FxHashSet<String>,
    /// The static objects of size 0.
    empty_objects: FxHashSet<Object>,
    /// Whether the program registers exit handlers.
    has_exit_handlers: bool,
    /// Computed on first use.
    pub(super) exposed: Option<Rc<Exposed>>,
    /// The automatic variables that escape to unknown functions.
    pub(super) escapes: Escapes,
    /// The assumptions about undefined names.
    assumptions: Vec<Assumption>,
    /// What traces show of the source.
    pub(super) source: SourceTypes,
    /// The functions that follow pointers at the end of the program.
    pub(super) tracker: Tracker,
    /// Computed on first use.
    pub(super) function_effects: Option<Rc<FunctionEffects>>,
}

/// The largest number of scalars into which a type is decomposed.
const MAX_LEAVES: usize = 1024;

impl<'h> Unit<'h> {
    fn new(hir: &'h hir::Program) -> Self {
        Self {
            hir,
            functions: FxHashMap::default(),
            unseen: FxHashMap::default(),
            by_address: FxHashMap::default(),
            globals: FxHashMap::default(),
            leaves: FxHashMap::default(),
            jumps: None,
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

/// Returns the globals of a unit that pointers may point to.
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
        &mut self.units[unit]
    }

    /// Whether the unit is the library instead of a part of the program.
    pub(super) fn is_library(&self, unit: UnitId) -> bool {
        self.library == Some(unit)
    }

    /// The typed trees of all units, including the library.
    pub(super) fn hirs(&self) -> impl Iterator<Item = (UnitId, &'h hir::Program)> {
        self.units.iter().map(|(unit, data)| (unit, data.hir))
    }

    /// Returns the object that a declaration resolves to.
    pub(super) fn linked_object(&self, unit: UnitId, id: GlobalId) -> Resolved<GlobalId> {
        match self.is_library(unit) {
            true => Resolved::At(unit, id),
            false => self.linked.object(unit, id),
        }
    }

    /// Returns the function that a declaration resolves to.
    pub(super) fn resolve(&self, unit: UnitId, id: FunctionId) -> Resolved<FunctionId> {
        match self.is_library(unit) {
            true => Resolved::At(unit, id),
            false => self.linked.function(unit, id),
        }
    }

    /// Whether a call of the function executes statements, of the program or of the library.
    pub(super) fn has_statements(&self, unit: UnitId, id: FunctionId) -> bool {
        match self.resolve(unit, id) {
            _ if self.opaque(unit, id).is_some() => false,
            Resolved::At(at, found) if self.units[at].hir[found].body.is_some() => true,
            _ => self.library_function(unit, id).is_some(),
        }
    }

    /// Why the code of a function of the program is not known; see [`LinkedProgram::opaque`].
    pub(super) fn opaque(&self, unit: UnitId, id: FunctionId) -> Option<Opaque> {
        if self.is_library(unit) { None } else { self.linked.opaque(unit, id) }
    }

    /// The typed tree of the library, if the program needs it.
    pub(super) fn library_hir(&self) -> Option<&'h hir::Program> {
        Some(self.units[self.library?].hir)
    }

    /// The library function of this name that runs exit handlers; `None` if the program registers
    /// none.
    pub(super) fn exit_handlers(&mut self, name: &str) -> Option<program::ssa::Function> {
        if !self.has_exit_handlers {
            return None;
        }
        let function = self.library_hir()?.function_named(name)?;
        Some(self.function(self.library?, function))
    }

    /// The IR type of a scalar type.
    pub(super) fn scalar_type(&self, hir: &hir::Program, ty: TypeId) -> Option<Type> {
        match hir.types[ty] {
            CType::Integer(_) | CType::Enum(_) | CType::BitField(..) => {
                let (width, signedness) = hir.types.integer(ty)?;
                Some(Type::Int { width, signedness })
            }
            CType::Float(kind) => {
                Some(Type::unsigned(u32::try_from(kind.layout(hir.types.model).size).ok()? * 8))
            }
            CType::Vector(..) => {
                Some(Type::unsigned(u32::try_from(hir.types.size(ty)?).ok()?.checked_mul(8)?))
            }
            CType::Pointer(_) | CType::VaList => Some(self.address_type()),
            _ => None,
        }
    }

    /// The IR type that passes a value of type `ty`: its own type, or a pointer for an aggregate.
    pub(super) fn passed_type(&self, hir: &hir::Program, ty: TypeId) -> Type {
        self.scalar_type(hir, ty).unwrap_or(Type::Pointer { width: self.program.machine.pointer_width })
    }

    /// The scalars of a type in order of offset; `None` if the type has unions, bit-fields and the
    /// like, or too many scalars.
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

    /// Returns the jumps of a unit.
    pub(super) fn jumps(&mut self, unit: UnitId) -> Rc<Jumps> {
        let unit = self.unit(unit);
        let hir = unit.hir;
        Rc::clone(unit.jumps.get_or_insert_with(|| Rc::new(Jumps::of(hir))))
    }

    /// Returns the storage of a global; creates it on first use.
    pub(super) fn global(&mut self, unit: UnitId, id: GlobalId) -> GlobalStorage {
        if let Some(&storage) = self.unit(unit).globals.get(&id) {
            return storage;
        }
        if !self.is_library(unit) {
            if self.linked.is_opaque_object(unit, id) {
                self.unit(unit).globals.insert(id, GlobalStorage::Unknown);
                return GlobalStorage::Unknown;
            }
            let resolved = self.linked.object(unit, id);
            if resolved != Resolved::At(unit, id) {
                let storage = match resolved {
                    Resolved::At(at, found) => self.global(at, found),
                    Resolved::Null => GlobalStorage::Null,
                };
                self.unit(unit).globals.insert(id, storage);
                return storage;
            }
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
        let is_taken = self.address_taken.contains(&(unit, id));
        let storage = match (
            self.scalar_type(hir, global.ty),
            hir.types.qualified_layout(QualType { ty: global.ty, qualifiers: global.qualifiers }),
        ) {
            (Some(ty), _) if !is_taken && !matches!(hir.types[global.ty], CType::Vector(..)) => {
                let region = RegionData { name, kind: RegionKind::Scalar(ty) };
                GlobalStorage::Scalar(self.program.regions.push(region))
            }
            (_, Some(layout)) => {
                let size = layout.size.saturating_add(global.extra_size);
                let object = self.program.objects.push(ObjectData {
                    name,
                    size: size.max(1),
                    align: layout.align.max(global.align.unwrap_or(1)).max(1),
                    owner: None,
                    regions: vec![MEMORY],
                    span: global.span,
                });
                self.note_object(object, unit, global.ty);
                if size == 0 {
                    self.empty_objects.insert(object);
                }
                GlobalStorage::Object(object)
            }
            (_, None) => GlobalStorage::Unknown,
        };
        self.unit(unit).globals.insert(id, storage);
        self.used_globals.push((unit, id));
        storage
    }

    /// The size of a static object in bytes. In the IR each object has at least one byte.
    pub(super) fn object_size(&self, object: Object) -> u64 {
        if self.empty_objects.contains(&object) { 0 } else { self.program.objects[object].size }
    }

    pub(super) fn unique_name(&mut self, name: String) -> String {
        if self.names.insert(name.clone()) {
            return name;
        }
        for number in 1_u32.. {
            let candidate = format!("{name}.{number}");
            if self.names.insert(candidate.clone()) {
                return candidate;
            }
        }
        unreachable!("some number is unused")
    }

    /// Returns the IR function of a C function. Declares it on first use and enqueues its body, if
    /// it has one.
    pub(super) fn function(&mut self, unit: UnitId, id: FunctionId) -> program::ssa::Function {
        if let Some(&function) = self.unit(unit).functions.get(&id) {
            return function;
        }
        if let Resolved::At(at, found) = self.resolve(unit, id)
            && (at, found) != (unit, id)
        {
            let function = self.function(at, found);
            self.unit(unit).functions.insert(id, function);
            return function;
        }
        let hir = self.unit(unit).hir;
        let source = &hir[id];
        if let Some((library, found)) = self.library_function(unit, id) {
            let function = self.function(library, found);
            self.unit(unit).functions.insert(id, function);
            return function;
        }
        let convention = match source.body {
            Some(_) => Convention::Area,
            None => Convention::Open,
        };
        let function = self.declare(unit, id, convention);
        self.unit(unit).functions.insert(id, function);
        if self.is_error_function(unit, id) || self.opaque(unit, id).is_some() {
            self.request(Work::Model(unit, id, function));
        } else if source.body.is_some() {
            self.request(Work::Body(unit, id, function));
        }
        function
    }

    /// Returns an IR function without a body for an undefined C function, even if the library
    /// defines it.
    pub(super) fn external_function(&mut self, unit: UnitId, id: FunctionId) -> program::ssa::Function {
        if self.library_function(unit, id).is_none() {
            return self.function(unit, id);
        }
        let Resolved::At(unit, id) = self.resolve(unit, id) else { return self.function(unit, id) };
        if let Some(&function) = self.unit(unit).unseen.get(&id) {
            return function;
        }
        let function = self.declare(unit, id, Convention::Open);
        self.unit(unit).unseen.insert(id, function);
        function
    }

    /// Declares a new IR function with the signature of a C function.
    fn declare(&mut self, unit: UnitId, id: FunctionId, convention: Convention) -> program::ssa::Function {
        let hir = self.unit(unit).hir;
        let source = &hir[id];
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
        let takes_area = prototype == Prototype::Variadic && convention == Convention::Area;
        if takes_area {
            parameters.push(self.address_type());
        }
        let name = self.unique_name(hir.name(source.name).to_owned());
        self.note_result(&name, unit, result_type);
        let function = self.program.functions.push(FunctionData {
            name,
            result,
            parameters,
            is_variadic: !takes_area
                && (prototype == Prototype::Variadic
                    || prototype == Prototype::Missing && source.body.is_none()),
            blocks: PrimaryMap::new(),
            values: PrimaryMap::new(),
            entry: Block(0),
            span: source.span,
        });
        if takes_area {
            self.variadic.insert(function);
        }
        function
    }

    /// Whether the last parameter is the address of an argument area.
    pub(super) fn takes_area(&self, function: program::ssa::Function) -> bool {
        self.variadic.contains(&function)
    }

    /// Like [`function`](Self::function), for a function whose address is taken. A call through a
    /// pointer does not know the name, so the body must contain the model of the function.
    pub(super) fn function_for_address(&mut self, unit: UnitId, id: FunctionId) -> program::ssa::Function {
        if self.has_statements(unit, id) || self.is_error_function(unit, id) {
            return self.function(unit, id);
        }
        let Resolved::At(unit, id) = self.resolve(unit, id) else { return self.function(unit, id) };
        let hir = self.unit(unit).hir;
        let is_variadic =
            hir.types.function(hir[id].ty).is_some_and(|ty| ty.prototype == Prototype::Variadic);
        let function = match self.unit(unit).by_address.get(&id) {
            Some(&function) => function,
            None if is_variadic => {
                let function = self.declare(unit, id, Convention::Area);
                self.unit(unit).by_address.insert(id, function);
                function
            }
            None => self.function(unit, id),
        };
        self.request(Work::Model(unit, id, function));
        function
    }

    fn request(&mut self, work: Work) {
        let (Work::Body(_, _, function) | Work::Model(_, _, function)) = work;
        if self.requested.insert(function) {
            self.work.push_back(work);
        }
    }

    /// Whether the specification makes a call of the function an error.
    pub(super) fn is_error_function(&mut self, unit: UnitId, id: FunctionId) -> bool {
        let hir = self.unit(unit).hir;
        !self.is_library(unit) && self.specification.is_error_call(hir.name(hir[id].name))
    }

    /// The type of addresses.
    pub(super) fn address_type(&self) -> Type {
        Type::Pointer { width: self.program.machine.pointer_width }
    }

    /// Makes a new error site.
    pub(super) fn property(
        &mut self,
        kind: PropertyKind,
        description: String,
        span: Span,
    ) -> program::ssa::Property {
        self.program.properties.push(PropertyData { kind, description, span })
    }

    /// Makes a new unsupported construct.
    pub(super) fn unsupported(&mut self, construct: String, span: Span) -> program::ssa::Unsupported {
        self.program.unsupported.push(UnsupportedData { construct, span })
    }
}

fn collect_leaves(hir: &hir::Program, ty: TypeId, offset: u64, leaves: &mut Vec<Leaf>) -> Option<()> {
    match hir.types[ty] {
        CType::Integer(_)
        | CType::Enum(_)
        | CType::BitField(..)
        | CType::Float(_)
        | CType::Pointer(_)
        | CType::VaList
        | CType::Vector(..) => {
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

pub(super) fn calls_alloca(hir: &hir::Program) -> bool {
    hir.exprs.values().any(|expr| match &expr.kind {
        ExprKind::Builtin { builtin, .. } => *builtin == hir::Builtin::Alloca,
        ExprKind::Call { callee: hir::Callee::Direct(function), .. }
        | ExprKind::FunctionAddress(function) => {
            externals::model(hir.name(hir[*function].name)) == Model::AllocateOnStack
        }
        _ => false,
    })
}

/// See [`lower_linked`](super::lower_linked).
pub(super) fn lower_program(
    pool: &mut TermPool,
    linked: &LinkedProgram<'_>,
    library: Option<&hir::Program>,
    specification: &Specification,
    options: &Options,
    slots: Slots,
) -> Lowered {
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
    let mut units: PrimaryMap<UnitId, Unit<'_>> = linked.units.values().map(|hir| Unit::new(hir)).collect();
    let library = library.map(|hir| units.push(Unit::new(hir)));
    let model = units.values().next().map_or(DataModel::Lp64, |unit| unit.hir.types.model);
    let mut module = Module {
        pool,
        program: Program {
            machine: Machine::new(model.pointer_width()),
            regions,
            shadow: Shadow::default(),
            objects: PrimaryMap::new(),
            functions,
            entry,
            properties: PrimaryMap::new(),
            unsupported: PrimaryMap::new(),
            source: Default::default(),
        },
        specification,
        checks: specification.checks(),
        allocation: options.allocation,
        tracking: options.tracking,
        slots,
        objects: None,
        marks_literals: false,
        has_stack_blocks: linked.units.values().any(|hir| calls_alloca(hir)),
        linked,
        units,
        library,
        used_globals: Vec::new(),
        address_taken: FxHashSet::default(),
        automatic: Rc::new(AutomaticFunctions::of(linked)),
        work: VecDeque::new(),
        requested: FxHashSet::default(),
        variadic: FxHashSet::default(),
        names: FxHashSet::from_iter(["__start".to_owned(), "memory".to_owned()]),
        empty_objects: FxHashSet::default(),
        has_exit_handlers: library::registers_exit_handlers(linked),
        exposed: None,
        escapes: Escapes::default(),
        assumptions: Vec::new(),
        source: SourceTypes::default(),
        tracker: Tracker::default(),
        function_effects: None,
    };
    module.find_address_taken();
    module.mark_literals();
    module.track_objects();
    module.track_assignments();
    let mut diagnostics = Vec::new();
    let main = options.entry.as_ref().and_then(|entry| linked.defined_function(entry));
    if let (Some(entry), None) = (&options.entry, main) {
        let declared = linked.declared_function(entry);
        let span = declared.map_or(Span::NONE, |(unit, id)| linked.units[unit][id].span);
        diagnostics.push(
            Diagnostic::error(span, format!("the entry function `{entry}` is not defined"))
                .with_help("select another entry function with --function NAME"),
        );
    }
    if let Some((unit, main)) = main {
        module.function(unit, main);
    }
    let automatic = Rc::clone(&module.automatic);
    for (unit, function) in automatic.all() {
        module.function(unit, function);
    }
    if options.functions == FunctionSelection::All {
        for (unit, hir) in linked.units.iter() {
            for (id, function) in hir.functions.iter() {
                if function.body.is_some() {
                    module.function(unit, id);
                }
            }
        }
    }
    module.exit_handlers(library::EXIT_HANDLERS);
    module.run();
    start::lower_start(&mut module, main);
    module.lower_tracking();
    module.resolve_escapes();
    module.program.source = Arc::new(module.source.finish());
    Lowered { program: module.program, diagnostics, assumptions: module.assumptions }
}

impl Module<'_, '_> {
    fn find_address_taken(&mut self) {
        for (unit, &hir) in self.linked.units.iter() {
            for id in address_taken_globals(hir) {
                match self.linked.object(unit, id) {
                    Resolved::At(at, found) => self.address_taken.insert((at, found)),
                    Resolved::Null => false,
                };
            }
            let disputed = hir.globals.keys().filter(|&id| self.linked.is_disputed(unit, id));
            self.address_taken.extend(disputed.map(|id| (unit, id)));
        }
        if let Some(library) = self.library {
            let taken = address_taken_globals(self.units[library].hir);
            self.address_taken.extend(taken.into_iter().map(|id| (library, id)));
        }
    }

    /// Records an assumption about an undefined name at its first use.
    pub(super) fn assumes(&mut self, kind: AssumptionKind, name: &str, assumed: &str, span: Span) {
        if !self.assumptions.iter().any(|known| known.kind == kind && known.name == name) {
            let (name, assumed) = (name.to_owned(), assumed.to_owned());
            self.assumptions.push(Assumption { name, kind, span, assumed });
        }
    }

    /// Whether pointers may point to the global.
    pub(super) fn is_address_taken(&self, unit: UnitId, id: GlobalId) -> bool {
        self.address_taken.contains(&(unit, id))
    }

    /// The next global, in order of first use, whose initial contents are not yet lowered.
    pub(super) fn used_global(&self, index: usize) -> Option<(UnitId, GlobalId)> {
        self.used_globals.get(index).copied()
    }

    /// Whether all requested bodies are lowered.
    pub(super) fn is_done(&self) -> bool {
        self.work.is_empty()
    }

    /// Lowers the requested bodies.
    pub(super) fn run(&mut self) {
        while let Some(work) = self.work.pop_front() {
            let (Work::Body(unit, id, function) | Work::Model(unit, id, function)) = work;
            let mut lowering = Lowering::new(self, unit, function);
            match work {
                Work::Body(..) => lowering.body(id),
                Work::Model(..) => lowering.model(id),
            }
            let finished = lowering.finish();
            let debug = finished.install(&mut self.program.functions[function]);
            self.source.of_function(function, debug);
        }
    }
}

impl Lowering<'_, '_, '_> {
    /// Continues only where the condition holds.
    pub(super) fn assume(&mut self, condition: terms::Term, span: Span) {
        let (holds, fails) = (self.b.create_block(), self.b.create_block());
        self.b.terminate(Terminator::Branch { condition, then: edge(holds), otherwise: edge(fails) }, span);
        self.b.seal(holds);
        self.b.seal(fails);
        self.b.switch_to(fails);
        self.b.terminate(Terminator::Stop(StopReason::Assume), span);
        self.b.switch_to(holds);
    }

    /// Makes the body of a function from the model of its name.
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
        if let Some(reason) = self.m.opaque(self.unit, id) {
            self.unsupported(format!("a call of {name}, {reason}"), span);
            return;
        }
        debug_assert!(!has_body, "only an error function has both a body and a model");
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
