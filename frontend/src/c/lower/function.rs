//! A single function: its parameters, locals and result, and the basic operations of lowering.

use super::definedness::{Definedness, Definitions};
use super::lifetimes::Lifetimes;
use super::module::{MEMORY, Module};
use super::places::Value;
use super::source::Reads;
use super::ssa::{Builder, Finished, Variable, VariableData, edge};
use crate::c::hir::{self, ExprId, FunctionId, GlobalKind, LabelId, LocalId, LocalKind, PlaceId};
use crate::c::link::{Resolved, UnitId};
use crate::c::types::{QualType, Type as CType, TypeId};
use grammars::source::Span;
use program::ssa::{
    Block, HavocSource, InstructionKind, Object, ObjectData, PropertyKind, StopReason, Terminator, Type,
    ValueData,
};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use terms::{Op, Term};

/// The largest number of SSA values into which a local struct is split.
const MAX_SPLIT: usize = 32;

impl Module<'_, '_> {
    /// Whether a struct whose address is not taken becomes one variable for each member.
    pub(super) fn is_split(&mut self, unit: UnitId, hir: &hir::Program, ty: TypeId) -> bool {
        !has_array(hir, ty) && self.leaves(unit, ty).is_some_and(|leaves| leaves.len() <= MAX_SPLIT)
    }
}

fn has_array(hir: &hir::Program, ty: TypeId) -> bool {
    match hir.types[ty] {
        CType::Array(..) => true,
        CType::Record(_) => hir.types.fields(ty).unwrap_or(&[]).iter().any(|field| has_array(hir, field.ty)),
        _ => false,
    }
}

/// The largest nesting depth of expressions and statements. The parser accepts far deeper nesting
/// than programs contain; this limit keeps the stack small.
const MAX_DEPTH: u32 = 8_000;

/// A scalar part of a local, held in an SSA variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) offset: u64,
    pub(super) ty: TypeId,
    pub(super) variable: Variable,
}

/// The storage of a local.
#[derive(Clone, Debug)]
pub(super) enum Storage {
    /// In SSA variables, one per scalar.
    Split(Rc<[Part]>),
    /// In an object of the activation.
    Object(Object),
    /// At the address held by the variable; allocated where execution reaches the declaration.
    Allocated(Variable),
    /// At an address passed as an argument.
    Address(Term),
}

/// The targets of `break` and `continue`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jump {
    pub(super) break_to: Block,
    /// `None` for `switch`.
    pub(super) continue_to: Option<Block>,
    /// The number of scopes around the statement.
    pub(super) depth: usize,
}

impl Jump {
    /// The target of `continue` and the number of scopes around the loop.
    pub(super) fn continuation(&self) -> Option<(Block, usize)> {
        Some((self.continue_to?, self.depth))
    }
}

/// The treatment of the value of `return`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Returning {
    Nothing,
    Scalar(Type),
    /// The value is stored at an address.
    Memory(Term, TypeId),
}

/// Whether the result of a call is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ResultUse {
    Used,
    Ignored,
}

/// The dispatcher of computed gotos.
pub(super) struct Dispatch {
    pub(super) block: Block,
    pub(super) target: Variable,
}

/// The state of lowering one function.
pub(super) struct Lowering<'a, 'm, 'h> {
    pub(super) m: &'a mut Module<'m, 'h>,
    pub(super) hir: &'h hir::Program,
    pub(super) unit: UnitId,
    pub(super) function: program::ssa::Function,
    pub(super) b: Builder,
    pub(super) jumps: Vec<Jump>,
    /// The old values of the places of the enclosing [`hir::ExprKind::Modify`]s, with the places.
    pub(super) old: Vec<(Term, PlaceId)>,
    /// An operand evaluated before its enclosing operator (`assignments`).
    pub(super) evaluated: Option<(ExprId, Term)>,
    pub(super) returning: Returning,
    pub(super) dispatch: Option<Dispatch>,
    /// The labels of this function whose address is taken.
    pub(super) address_taken_labels: Vec<LabelId>,
    pub(super) depth: u32,
    pub(super) definitions: Definitions,
    pub(super) is_main: bool,
    /// The function being lowered; `None` for generated functions.
    pub(super) source: Option<FunctionId>,
    pub(super) lifetimes: Lifetimes,
    /// A cache of whether expressions have side effects (`order`).
    pub(super) with_effects: FxHashMap<ExprId, bool>,
    /// The number of enclosing operand lists that are also evaluated from right to left.
    pub(super) reversed: u32,
    /// Whether the result of the next call is used.
    pub(super) result_use: ResultUse,
    /// The address of the variable arguments, in a variadic function.
    pub(super) area: Option<Term>,
    /// The reads of the condition under evaluation.
    pub(super) reads: Option<Reads>,
    /// The reads of the arguments of the next assumption or assertion.
    pub(super) argument_reads: Option<Reads>,
    pub(super) locals: FxHashMap<LocalId, Storage>,
    labels: FxHashMap<LabelId, Block>,
    object_addresses: FxHashMap<Object, Term>,
    function_addresses: FxHashMap<program::ssa::Function, Term>,
}

impl<'a, 'm, 'h> Lowering<'a, 'm, 'h> {
    pub(super) fn new(m: &'a mut Module<'m, 'h>, unit: UnitId, function: program::ssa::Function) -> Self {
        let hir = m.unit(unit).hir;
        Self {
            m,
            hir,
            unit,
            function,
            b: Builder::new(),
            jumps: Vec::new(),
            old: Vec::new(),
            evaluated: None,
            returning: Returning::Nothing,
            dispatch: None,
            address_taken_labels: Vec::new(),
            depth: 0,
            definitions: Definitions::default(),
            is_main: false,
            source: None,
            lifetimes: Lifetimes::default(),
            with_effects: FxHashMap::default(),
            reversed: 0,
            result_use: ResultUse::Used,
            area: None,
            reads: None,
            argument_reads: None,
            locals: FxHashMap::default(),
            labels: FxHashMap::default(),
            object_addresses: FxHashMap::default(),
            function_addresses: FxHashMap::default(),
        }
    }

    /// Switches to the names of another unit (for `__start`).
    pub(super) fn set_unit(&mut self, unit: UnitId) {
        self.unit = unit;
        self.hir = self.m.unit(unit).hir;
        self.with_effects.clear();
    }

    /// Leaves the entry block, which only contains addresses.
    pub(super) fn enter(&mut self) {
        let first = self.b.create_block();
        self.b.terminate(Terminator::Goto(edge(first)), Span::NONE);
        self.b.seal(first);
        self.b.switch_to(first);
    }

    pub(super) fn finish(mut self) -> Finished {
        self.finish_dispatch();
        self.finish_lifetimes();
        if self.b.has_loops() {
            self.declare_names();
        }
        self.b.finish(self.m.pool)
    }

    /// Records the names that the function declares, including those of static objects.
    fn declare_names(&mut self) {
        let Some(id) = self.source else { return };
        let locals = self.hir[id].body.iter().flat_map(|body| body.locals.clone());
        let locals = locals.map(|local| &self.hir[LocalId(local)]);
        let locals = locals.filter_map(|local| Some((local.name?, local.span)));
        let of_function = |global: &&hir::Global| global.kind == GlobalKind::StaticLocal(id);
        let statics = self.hir.globals.values().filter(of_function);
        let statics = statics.filter_map(|global| Some((global.name?, global.span)));
        for (name, span) in locals.chain(statics) {
            self.b.declare_name(self.hir.name(name), span);
        }
    }

    /// Lowers the body of a function.
    pub(super) fn body(&mut self, id: FunctionId) {
        let source = &self.hir[id];
        let Some(body) = &source.body else { return };
        let function = &self.m.program.functions[self.function];
        let (types, result) = (function.parameters.clone(), function.result);
        let mut types = types.into_iter();
        let result_type = self.hir.types.function(source.ty).map_or(TypeId::VOID, |ty| ty.result);
        self.is_main = self.hir.name(source.name) == "main";
        self.source = Some(id);
        self.open_scope(None);
        self.returning = match result {
            Some(ty) => Returning::Scalar(ty),
            None if matches!(self.hir.types[result_type], CType::Void | CType::Error) => Returning::Nothing,
            None => {
                let ty = types.next().expect("the address of an aggregate result is passed first");
                let value = self.b.add_parameter(ty, Some("<result>".to_owned()), source.span);
                let address = self.m.pool.value(value.0, ty.sort());
                Returning::Memory(address, result_type)
            }
        };
        let mut passed = Vec::new();
        for (&local, ty) in body.parameters.iter().zip(types.by_ref()) {
            let data = &self.hir[local];
            let name = data.name.map(|name| self.hir.name(name).to_owned());
            let value = self.b.add_parameter(ty, name, data.span);
            passed.push((value, ty));
        }
        if self.m.takes_area(self.function)
            && let Some(ty) = types.next()
        {
            self.receive_area(ty, source.span);
        }
        let has_value = |local: LocalId| self.hir[local].name.is_some();
        self.enter();
        for (index, &local) in body.parameters.iter().enumerate() {
            let Some(&(value, ty)) = passed.get(index) else { continue };
            if !has_value(local) {
                continue;
            }
            let term = self.m.pool.value(value.0, ty.sort());
            let data = &self.hir[local];
            let (source_type, target) = (body.passed[index], data.ty);
            if self.m.scalar_type(self.hir, target).is_none() {
                self.receive_aggregate(local, term);
                continue;
            }
            if target == TypeId::VA_LIST && self.passes_lists_by_address() {
                self.locals.insert(local, Storage::Address(term));
                continue;
            }
            let converted = self.convert_passed(term, source_type, target, data.span);
            match self.storage(local) {
                Storage::Split(parts) if converted == term => self.b.write(parts[0].variable, value),
                _ => {
                    let place = self.local_location(local);
                    let name = data.name.map(|name| self.hir.name(name).to_owned());
                    self.store(&place, target, Value::Scalar(converted), data.span, name);
                }
            }
        }
        self.begin_parameters(body);
        self.begin_scope(None, &body.stmts);
        self.statements(&body.stmts);
        self.return_off_the_end(body.end);
    }

    /// Copies an aggregate parameter to an object of the activation: all calls share the object
    /// made by the caller.
    fn receive_aggregate(&mut self, local: LocalId, address: Term) {
        let ty = self.hir[local].ty;
        let place = self.local_location(local);
        self.store(&place, ty, Value::Memory(address), self.hir[local].span, None);
    }

    /// Returns the storage of a local; chooses it on first use.
    pub(super) fn storage(&mut self, id: LocalId) -> Storage {
        if let Some(storage) = self.locals.get(&id) {
            return storage.clone();
        }
        let storage = self.choose_storage(id);
        if let Storage::Split(parts) = &storage
            && self.is_tracked(id)
        {
            parts.iter().for_each(|part| self.track(part.variable));
        }
        self.locals.insert(id, storage.clone());
        storage
    }

    /// Chooses allocation at the declaration as the storage of a local.
    pub(super) fn set_allocated(&mut self, id: LocalId) -> Variable {
        if let Some(Storage::Allocated(variable)) = self.locals.get(&id) {
            return *variable;
        }
        let local = &self.hir[id];
        let name = local.name.map(|name| format!("&{}", self.hir.name(name)));
        self.note_named_place(name.as_deref(), local.ty);
        let data = VariableData { ty: self.m.address_type(), name, span: local.span };
        let variable = self.b.create_variable(data);
        self.locals.insert(id, Storage::Allocated(variable));
        variable
    }

    /// Returns the storage of a local, if it is already chosen.
    pub(super) fn chosen_storage(&self, id: LocalId) -> Option<Storage> {
        self.locals.get(&id).cloned()
    }

    /// Sets the storage of a local for the following code.
    pub(super) fn set_storage(&mut self, id: LocalId, storage: Storage) {
        self.locals.insert(id, storage);
    }

    /// The name of a local in traces.
    pub(super) fn local_name(&self, id: LocalId) -> String {
        self.hir[id].name.map_or("literal", |name| self.hir.name(name)).to_owned()
    }

    fn choose_storage(&mut self, id: LocalId) -> Storage {
        let local = &self.hir[id];
        let name = local.name.map(|name| self.hir.name(name).to_owned());
        if !local.is_address_taken {
            if let Some(ty) = self.m.scalar_type(self.hir, local.ty) {
                self.note_named_place(name.as_deref(), local.ty);
                let variable = self.b.create_variable(VariableData { ty, name, span: local.span });
                return Storage::Split(Rc::from([Part { offset: 0, ty: local.ty, variable }]));
            }
            if self.hir.types.is_record(local.ty)
                && self.m.is_split(self.unit, self.hir, local.ty)
                && let Some(leaves) = self.m.leaves(self.unit, local.ty)
            {
                let parts = leaves.iter().map(|leaf| {
                    let ty = self.m.scalar_type(self.hir, leaf.ty).expect("a leaf is a scalar");
                    let base = name.as_deref().unwrap_or("temporary");
                    let name = super::render::leaf_name(self.hir, base, local.ty, leaf.offset);
                    self.note_place(&name, leaf.ty);
                    let data = VariableData { ty, name: Some(name), span: local.span };
                    Part { offset: leaf.offset, ty: leaf.ty, variable: self.b.create_variable(data) }
                });
                return Storage::Split(parts.collect());
            }
        }
        let name = name.unwrap_or_else(|| {
            match local.kind {
                LocalKind::CompoundLiteral => "literal",
                _ => "temporary",
            }
            .to_owned()
        });
        match self.hir.types.qualified_layout(QualType { ty: local.ty, qualifiers: local.qualifiers }) {
            Some(layout) => {
                let align = layout.align.max(local.align.unwrap_or(1));
                self.note_place(&format!("&{name}"), local.ty);
                let object = self.create_object(name, layout.size, align, local.span);
                self.m.note_object(object, self.unit, local.ty);
                if matches!(local.kind, LocalKind::Variable | LocalKind::CompoundLiteral) {
                    self.lifetimes.declare_later(object);
                }
                Storage::Object(object)
            }
            None => Storage::Allocated(self.set_allocated(id)),
        }
    }

    /// Makes a new object of this function that lives as long as the activation.
    pub(super) fn create_object(&mut self, name: String, size: u64, align: u64, span: Span) -> Object {
        let object = self.m.program.objects.push(ObjectData {
            name,
            size: size.max(1),
            align: align.max(1),
            owner: Some(self.function),
            regions: vec![MEMORY],
            span,
        });
        self.lifetimes.keep_alive(object);
        object
    }

    /// Returns the block of a label.
    pub(super) fn label_block(&mut self, label: LabelId) -> Block {
        if let Some(&block) = self.labels.get(&label) {
            return block;
        }
        let block = self.b.create_block();
        if let Some(name) = self.hir[label].name {
            self.b.set_label(block, self.hir.name(name));
        }
        self.labels.insert(label, block);
        block
    }

    /// The address of an object, computed once at the function entry.
    pub(super) fn object_address(&mut self, object: Object) -> Term {
        if let Some(&term) = self.object_addresses.get(&object) {
            return term;
        }
        let data = &self.m.program.objects[object];
        let ty = self.m.address_type();
        let value_data = ValueData { ty, name: Some(format!("&{}", data.name)), span: data.span };
        let value = self.b.define_at_entry(InstructionKind::AddressOf(object), value_data);
        let term = self.m.pool.value(value.0, ty.sort());
        self.object_addresses.insert(object, term);
        term
    }

    /// The address of a function, computed once at the function entry.
    pub(super) fn function_address(&mut self, id: FunctionId) -> Term {
        if self.m.resolve(self.unit, id) == Resolved::Null {
            return self.m.pool.bv(self.m.program.machine.pointer_width, 0);
        }
        let function = self.m.function_for_address(self.unit, id);
        if let Some(&term) = self.function_addresses.get(&function) {
            return term;
        }
        let ty = self.m.address_type();
        let name = Some(format!("&{}", self.m.program.functions[function].name));
        let value = self.b.define_at_entry(
            InstructionKind::FunctionAddress(function),
            ValueData { ty, name, span: Span::NONE },
        );
        let term = self.m.pool.value(value.0, ty.sort());
        self.function_addresses.insert(function, term);
        term
    }

    /// Adds an instruction whose result has no name in the source.
    pub(super) fn emit(&mut self, kind: InstructionKind, ty: Type, span: Span) -> Term {
        let value = self.b.define(kind, ValueData { ty, name: None, span });
        self.m.pool.value(value.0, ty.sort())
    }

    /// An arbitrary value of a scalar C type. A `_Bool` is 0 or 1: its other representations are
    /// trap representations.
    pub(super) fn any_value(&mut self, source: HavocSource, ty: TypeId, span: Span) -> Option<Term> {
        let scalar = self.m.scalar_type(self.hir, ty)?;
        if let HavocSource::Input(name) | HavocSource::External(name) = &source {
            self.m.note_result(name, self.unit, ty);
        }
        if ty == TypeId::BOOL {
            let bit = self.emit(InstructionKind::Havoc(source), Type::unsigned(1), span);
            return Some(self.resize(bit, scalar.width(), program::ssa::Signedness::Unsigned));
        }
        Some(self.emit(InstructionKind::Havoc(source), scalar, span))
    }

    /// Makes a scalar of arbitrary representation valid: see [`any_value`](Self::any_value).
    pub(super) fn valid(&mut self, term: Term, ty: TypeId) -> Term {
        if ty != TypeId::BOOL {
            return term;
        }
        let width = self.m.pool_width(term);
        let condition = self.truth(term, ty);
        self.flag(condition, width)
    }

    /// An over-approximated value.
    pub(super) fn approximation(&mut self, ty: Type, what: &str, span: Span) -> Term {
        self.emit(InstructionKind::Havoc(HavocSource::Approximation(what.to_owned())), ty, span)
    }

    /// Assigns a term to an SSA variable. The assignment is visible in traces.
    pub(super) fn assign(&mut self, variable: Variable, term: Term, span: Span) {
        let VariableData { ty, name, .. } = self.b.variable(variable).clone();
        let value = self.b.define(InstructionKind::Pure(term), ValueData { ty, name, span });
        self.b.write(variable, value);
        self.note(variable, Definedness::Defined);
    }

    /// Assigns a term to a variable that is not in the source; traces do not show it.
    pub(super) fn assign_hidden(&mut self, variable: Variable, term: Term, span: Span) {
        let value = match self.m.pool.op(term) {
            Op::Value(value)
                if self.b.value_type(program::ssa::Value(value)) == self.b.variable(variable).ty =>
            {
                program::ssa::Value(value)
            }
            _ => {
                let ty = self.b.variable(variable).ty;
                self.b.define(InstructionKind::Pure(term), ValueData { ty, name: None, span })
            }
        };
        self.b.write(variable, value);
    }

    /// Makes a variable that is not in the source.
    pub(super) fn hidden_variable(&mut self, ty: Type, span: Span) -> Variable {
        self.b.create_variable(VariableData { ty, name: None, span })
    }

    /// The current value of an SSA variable.
    pub(super) fn read(&mut self, variable: Variable) -> Term {
        let value = self.b.read(variable);
        self.m.pool.value(value.0, self.b.value_type(value).sort())
    }

    pub(super) fn goto(&mut self, block: Block, span: Span) {
        self.b.terminate(Terminator::Goto(edge(block)), span);
    }

    pub(super) fn branch(&mut self, condition: Term, then: Block, otherwise: Block, span: Span) {
        self.b
            .terminate(Terminator::Branch { condition, then: edge(then), otherwise: edge(otherwise) }, span);
    }

    pub(super) fn stop(&mut self, reason: StopReason, span: Span) {
        self.b.terminate(Terminator::Stop(reason), span);
    }

    pub(super) fn error(&mut self, kind: PropertyKind, description: String, span: Span) {
        let property = self.m.property(kind, description, span);
        self.b.terminate(Terminator::Error(property), span);
    }

    /// Ends the block with an unsupported construct.
    pub(super) fn unsupported(&mut self, construct: impl Into<String>, span: Span) {
        let unsupported = self.m.unsupported(construct.into(), span);
        self.b.terminate(Terminator::Unsupported(unsupported), span);
    }

    /// Ends the block with undefined behavior that is not checked.
    pub(super) fn undefined(&mut self, behavior: impl Into<String>, span: Span) {
        let behavior = behavior.into();
        self.m.source.note_undefined(&behavior);
        self.unsupported(behavior, span);
    }

    /// Like [`unsupported`](Self::unsupported), where a value is required; the returned value is
    /// never used.
    pub(super) fn unsupported_value(
        &mut self,
        construct: impl Into<String>,
        ty: TypeId,
        span: Span,
    ) -> Value {
        self.unsupported(construct, span);
        self.dummy(ty)
    }

    /// A placeholder value for unreachable code.
    pub(super) fn dummy(&mut self, ty: TypeId) -> Value {
        match (self.m.scalar_type(self.hir, ty), &self.hir.types[ty]) {
            (Some(ty), _) => Value::Scalar(self.m.pool.bv(ty.width(), 0)),
            (None, CType::Void | CType::Error) => Value::Void,
            (None, _) => Value::Memory(self.m.pool.bv(self.m.program.machine.pointer_width, 0)),
        }
    }

    /// Whether the storage of the local is already chosen.
    pub(super) fn is_chosen(&self, id: LocalId) -> bool {
        self.locals.contains_key(&id)
    }

    /// Enters a level of nesting; beyond the limit the construct is unsupported.
    pub(super) fn descend(&mut self, span: Span) -> bool {
        self.depth += 1;
        if self.depth <= MAX_DEPTH {
            return true;
        }
        self.unsupported("nesting too deep", span);
        self.depth -= 1;
        false
    }

    fn return_off_the_end(&mut self, span: Span) {
        let term = match self.returning {
            Returning::Scalar(ty) if self.is_main => Some(self.m.pool.bv(ty.width(), 0)),
            Returning::Scalar(ty) => {
                Some(self.emit(InstructionKind::Havoc(HavocSource::Uninitialized), ty, span))
            }
            Returning::Nothing | Returning::Memory(..) => None,
        };
        self.leave_function(term, span);
    }
}
