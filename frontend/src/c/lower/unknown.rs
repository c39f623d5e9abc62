//! Calls of unknown functions: without a body, a model or C source text.
//!
//! # The rule
//!
//! A call of an unknown function
//! 1. returns any value; a pointer or a floating value counts as over-approximated;
//! 2. sets every object that the program declares but does not define (`extern int n;`) to any
//!    value, as at program start;
//! 3. changes every object to which an argument gives write access: the argument points into a
//!    variable that it names (`&x`, `a`, `&s.m[i]`, but not `p->q`), and neither the pointer target
//!    nor the variable is `const`. The whole variable, with its padding, gets any value, and the
//!    call counts as over-approximated: TRUE remains sound, but a counterexample through the call
//!    does not count;
//! 4. changes every live object to which an unknown function was ever given such access, anywhere
//!    in the program: variables of static storage duration, those of the calling function, and
//!    those of its callers (`escapes`);
//! 5. changes nothing else (the convention of SV-COMP): nothing through integers, and nothing
//!    through pointers to `const` without further pointers behind them.
//!
//! The call is unsupported where the rule does not determine the changes: for a pointer that names
//! no variable (`p`, `f()`), for a variable with pointers, through which the function could reach
//! further objects, and for a pointer to a function, which could be called back. By C's rule of
//! effective types (C11 6.5p7), a variable of a type without pointers contains none.

use super::AssumptionKind;
use super::calls::Argument;
use super::externals::{self, Model, Site};
use super::function::{Lowering, Storage};
use super::module::{GlobalStorage, MEMORY, Module};
use super::padding::{PaddingContents, gaps};
use super::places::Location;
use crate::c::hir::{
    self, Callee, CastKind, Definition, ExprId, ExprKind, FunctionId, GlobalId, GlobalKind, LocalId, PlaceId,
    PlaceKind,
};
use crate::c::link::{Resolved, UnitId};
use crate::c::types::{Type as CType, TypeId};
use grammars::c::ast::Qualifier;
use grammars::source::Span;
use program::ssa::{HavocSource, InstructionKind, RegionKind, Type};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use terms::Term;

/// The largest number of scalars of a variable that is set scalar by scalar; a larger one is set as
/// a whole.
pub(super) const MAX_SCALARS: usize = 64;

/// A variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Variable {
    Local(LocalId),
    Global(GlobalId),
}

/// The objects that unknown functions of a program may change at every call.
#[derive(Clone, Debug, Default)]
pub(super) struct Exposed {
    /// Undefined objects, in order.
    declared: Vec<(UnitId, GlobalId)>,
    /// The variables whose address is passed to an unknown function.
    given: FxHashSet<(UnitId, Variable)>,
    /// Those of static storage duration, in order.
    globals: Vec<(UnitId, GlobalId)>,
    /// Whether there are automatic variables among them.
    gives_locals: bool,
}

impl Exposed {
    /// Analyzes the whole program.
    pub(super) fn of(module: &Module<'_, '_>) -> Self {
        let mut exposed = Exposed::default();
        let mut has_unknown = false;
        for (unit, hir) in module.linked.units.iter() {
            let is_unknown = |id: FunctionId| {
                !module.has_statements(unit, id) && externals::model(hir.name(hir[id].name)) == Model::Unknown
            };
            for expr in hir.exprs.values() {
                let (id, arguments) = match &expr.kind {
                    ExprKind::Call { callee: Callee::Direct(id), arguments } => (*id, &arguments[..]),
                    // The function may be called through a pointer.
                    ExprKind::FunctionAddress(id) => (*id, &[][..]),
                    _ => continue,
                };
                if !is_unknown(id) {
                    continue;
                }
                has_unknown = true;
                for &argument in arguments {
                    if let Effect::Changes(variable) = effect(hir, hir[argument].ty, Some(argument)) {
                        exposed.give(module, unit, variable);
                    }
                }
            }
        }
        if has_unknown {
            exposed.find_declared(module);
        }
        exposed
    }

    fn give(&mut self, module: &Module<'_, '_>, unit: UnitId, variable: Variable) {
        match variable {
            Variable::Local(_) => {
                self.given.insert((unit, variable));
                self.gives_locals = true;
            }
            Variable::Global(global) => {
                if let Resolved::At(unit, global) = module.linked.object(unit, global)
                    && self.given.insert((unit, Variable::Global(global)))
                {
                    self.globals.push((unit, global));
                }
            }
        }
    }

    fn find_declared(&mut self, module: &Module<'_, '_>) {
        let mut found = FxHashSet::default();
        for (unit, hir) in module.linked.units.iter() {
            for place in hir.places.values() {
                let PlaceKind::Global(global) = place.kind else { continue };
                let Resolved::At(unit, global) = module.linked.object(unit, global) else { continue };
                let hir = module.linked.units[unit];
                let data = &hir[global];
                if data.definition == Definition::Declared
                    && !data.qualifiers.contains(Qualifier::Const)
                    && hir.types.layout(data.ty).is_some()
                    && found.insert((unit, global))
                {
                    self.declared.push((unit, global));
                }
            }
        }
    }
}

/// The effect of passing an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    Nothing,
    Changes(Variable),
    /// Undetermined, with the reason.
    Anything(&'static str),
}

fn effect(hir: &hir::Program, ty: TypeId, expr: Option<ExprId>) -> Effect {
    match hir.types[ty] {
        CType::Pointer(pointee) => {
            if hir.types.is_function(pointee.ty) {
                return match expr.and_then(|expr| constant(hir, expr)) {
                    Some(()) => Effect::Nothing,
                    None => Effect::Anything("a pointer to a function"),
                };
            }
            if pointee.qualifiers.contains(Qualifier::Const) && !has_pointer(hir, pointee.ty, 8) {
                return Effect::Nothing;
            }
            match expr {
                Some(expr) => effect_of_pointer(hir, expr),
                None => Effect::Anything("a pointer"),
            }
        }
        CType::VaList => Effect::Anything("a variable argument list"),
        CType::Record(_) if has_pointer(hir, ty, 8) => Effect::Anything("a structure with pointers"),
        _ => Effect::Nothing,
    }
}

/// The effect of passing the value of a pointer expression.
fn effect_of_pointer(hir: &hir::Program, expr: ExprId) -> Effect {
    let Some(variable) = variable_of(hir, expr) else {
        return match constant(hir, expr) {
            Some(()) => Effect::Nothing,
            None => Effect::Anything("a pointer that does not name a variable"),
        };
    };
    let (ty, qualifiers) = match variable {
        Variable::Local(local) => (hir[local].ty, hir[local].qualifiers),
        Variable::Global(global) => (hir[global].ty, hir[global].qualifiers),
    };
    let is_literal = matches!(
        variable,
        Variable::Global(global) if matches!(hir[global].kind, GlobalKind::StringLiteral | GlobalKind::FunctionName)
    );
    if is_literal {
        Effect::Nothing
    } else if has_pointer(hir, ty, 8) {
        Effect::Anything("a variable that contains pointers")
    } else if qualifiers.contains(Qualifier::Const) {
        Effect::Nothing
    } else {
        Effect::Changes(variable)
    }
}

/// Whether the expression is a constant, such as a null pointer.
fn constant(hir: &hir::Program, mut expr: ExprId) -> Option<()> {
    while let ExprKind::Cast { operand, .. } = hir[expr].kind {
        expr = operand;
    }
    matches!(hir[expr].kind, ExprKind::Integer(_)).then_some(())
}

/// The variable named in the expression that a pointer points into.
fn variable_of(hir: &hir::Program, mut expr: ExprId) -> Option<Variable> {
    loop {
        expr = match hir[expr].kind {
            ExprKind::Cast { kind: CastKind::Pointer | CastKind::Same, operand } => operand,
            ExprKind::PointerOffset { pointer, .. } => pointer,
            ExprKind::AddressOf(place) | ExprKind::Decay(place) => match root(hir, place)? {
                Root::Variable(variable) => return Some(variable),
                Root::Pointer(pointer) => pointer,
            },
            _ => return None,
        };
    }
}

enum Root {
    Variable(Variable),
    Pointer(ExprId),
}

fn root(hir: &hir::Program, mut place: PlaceId) -> Option<Root> {
    loop {
        place = match hir[place].kind {
            PlaceKind::Local(local) => return Some(Root::Variable(Variable::Local(local))),
            PlaceKind::Global(global) => return Some(Root::Variable(Variable::Global(global))),
            PlaceKind::CompoundLiteral { local, .. } => return Some(Root::Variable(Variable::Local(local))),
            PlaceKind::Deref(pointer) => return Some(Root::Pointer(pointer)),
            PlaceKind::Field { base, .. } => base,
            PlaceKind::Index { array, .. } => array,
            PlaceKind::Temporary(_) | PlaceKind::Error => return None,
        };
    }
}

/// Whether a type contains a pointer. Types nested deeper than `depth` are assumed to contain one.
pub(in crate::c) fn has_pointer(hir: &hir::Program, ty: TypeId, depth: u32) -> bool {
    match hir.types[ty] {
        CType::Pointer(_) | CType::VaList => true,
        CType::Array(element, _) => depth == 0 || has_pointer(hir, element.ty, depth - 1),
        CType::Record(_) => match hir.types.fields(ty) {
            Some(fields) => depth == 0 || fields.iter().any(|field| has_pointer(hir, field.ty, depth - 1)),
            // The contents of an incomplete type are unknown.
            None => true,
        },
        _ => false,
    }
}

impl Lowering<'_, '_, '_> {
    /// Whether the pointer points into a variable named in the expression.
    pub(super) fn names_variable(&self, pointer: ExprId) -> bool {
        variable_of(self.hir, pointer).is_some()
    }

    /// Lowers a call according to the rule.
    pub(super) fn unknown_call(
        &mut self,
        id: FunctionId,
        name: &str,
        arguments: &[Argument],
        ty: TypeId,
        span: Span,
        site: Site,
    ) -> Option<Term> {
        let (mut changed, mut given) = (Vec::new(), Vec::new());
        for argument in arguments {
            if self.is_zero(argument.term) {
                continue;
            }
            match effect(self.hir, argument.ty, argument.expr) {
                Effect::Nothing => {}
                Effect::Changes(variable) => {
                    changed.push((self.unit, variable));
                    if let Variable::Local(local) = variable {
                        given.push(local);
                    }
                }
                Effect::Anything(what) => {
                    self.unsupported(format!("external function {name} without a body gets {what}"), span);
                    return None;
                }
            }
        }
        self.assume_of_function(id, name, ty, span);
        if !self.m.is_library(self.unit) {
            given.iter().for_each(|&local| self.mark_given(local, span));
            let exposed = self.m.exposed();
            // These are locals of the calling function.
            let mut locals: Vec<LocalId> = exposed
                .given
                .iter()
                .filter_map(|&(unit, variable)| match variable {
                    Variable::Local(local) if unit == self.unit && self.is_in_scope(local) => Some(local),
                    _ => None,
                })
                .collect();
            locals.sort_unstable();
            if exposed.gives_locals {
                self.mark_called(span);
            }
            changed.extend(locals.into_iter().map(|local| (self.unit, Variable::Local(local))));
            changed.extend(exposed.globals.iter().map(|&(unit, global)| (unit, Variable::Global(global))));
            for &(unit, global) in &exposed.declared {
                self.change_declared(unit, global, name, span);
            }
        }
        let mut done = FxHashSet::default();
        changed.retain(|&variable| done.insert(variable));
        if !changed.is_empty() {
            let what = format!("writes of the external function {name}");
            // Even if no scalar is stored.
            self.approximation(Type::unsigned(8), &what, span);
            for (unit, variable) in changed {
                self.change(unit, variable, &what, span);
            }
        }
        self.any_result(id, name, arguments, ty, span, site)
    }

    /// Records the assumption about an unknown function.
    fn assume_of_function(&mut self, id: FunctionId, name: &str, ty: TypeId, span: Span) {
        if self.m.is_library(self.unit) {
            return;
        }
        // It may free what it gets.
        self.m.program.machine.set_frees();
        let result = match (self.hir[id].is_noreturn, &self.hir.types[ty]) {
            (true, _) => "does not return",
            (false, CType::Void) => "returns",
            (false, _) => "returns any value",
        };
        let assumed = format!(
            "{result}; writes only to objects whose addresses are passed to such functions, and to undefined objects"
        );
        self.m.assumes(AssumptionKind::Function, name, &assumed, span);
    }

    /// Sets an undefined object to any value.
    fn change_declared(&mut self, unit: UnitId, global: GlobalId, name: &str, span: Span) {
        match self.m.global(unit, global) {
            GlobalStorage::Scalar(region) => {
                let RegionKind::Scalar(ty) = self.m.program.regions[region].kind else { return };
                let place = Some(self.m.program.regions[region].name.clone());
                let declared = self.m.unit(unit).hir[global].ty;
                let source = HavocSource::External(name.to_owned());
                // The type ids of another unit differ.
                let value = match declared {
                    TypeId::BOOL => self.any_value(source, declared, span),
                    _ => Some(self.emit(InstructionKind::Havoc(source), ty, span)),
                };
                let Some(value) = value else { return };
                self.b.effect(InstructionKind::Store { region, address: None, value, ty, place }, span);
            }
            GlobalStorage::Object(object) => {
                self.b.effect(InstructionKind::Forget { region: MEMORY, object }, span);
            }
            GlobalStorage::Unknown | GlobalStorage::Null => {}
        }
    }

    /// Sets a variable without pointers to any value.
    fn change(&mut self, unit: UnitId, variable: Variable, what: &str, span: Span) {
        let hir = self.m.unit(unit).hir;
        let (ty, object, location) = match variable {
            Variable::Local(local) => {
                let object = match self.storage(local) {
                    Storage::Object(object) => Some(object),
                    _ => None,
                };
                (hir[local].ty, object, self.local_location(local))
            }
            Variable::Global(global) => match self.m.global(unit, global) {
                GlobalStorage::Object(object) => {
                    let base = self.object_address(object);
                    (hir[global].ty, Some(object), Location::at(self.given_base(base)))
                }
                // Not possible: its address is taken.
                GlobalStorage::Scalar(_) | GlobalStorage::Unknown | GlobalStorage::Null => {
                    self.unsupported(what, span);
                    return;
                }
            },
        };
        let has_flexible_size = matches!(variable, Variable::Global(global) if hir[global].extra_size > 0);
        let leaves = self.m.leaves(unit, ty).filter(|leaves| leaves.len() <= MAX_SCALARS);
        match (leaves, object, &location) {
            (Some(leaves), _, &Location::Memory { base, offset, .. }) if !has_flexible_size => {
                for leaf in leaves.iter() {
                    let Some(scalar) = self.m.scalar_type(hir, leaf.ty) else { continue };
                    let address = self.displaced(base.address, offset.wrapping_add(leaf.offset));
                    let value = self.approximation(scalar, what, span);
                    self.store_unchecked(address, value, scalar, span, None);
                }
                let gaps = gaps(hir, ty, &leaves);
                if !gaps.is_empty() {
                    let any = PaddingContents::Any(HavocSource::Approximation(what.to_owned()));
                    let base = self.displaced(base.address, offset);
                    self.fill_gaps(base, &gaps, &any, span);
                }
            }
            (_, Some(object), _) => self.b.effect(InstructionKind::Forget { region: MEMORY, object }, span),
            _ => self.unsupported(format!("{what} in an object of variable size"), span),
        }
    }
}

impl Module<'_, '_> {
    /// Returns the objects that unknown functions may change; computed on first use.
    pub(super) fn exposed(&mut self) -> Rc<Exposed> {
        if let Some(exposed) = &self.exposed {
            return Rc::clone(exposed);
        }
        let exposed = Rc::new(Exposed::of(self));
        self.exposed = Some(Rc::clone(&exposed));
        exposed
    }
}
