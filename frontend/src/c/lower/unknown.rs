//! Functions of which nothing is known: no body, no model, no C text.
//!
//! # The rule
//!
//! A call of such a function
//! 1. returns any value; a pointer or a floating value counts as over-approximated;
//! 2. changes every object that the program declares but does not define (`extern int n;`): to any value, as at the start;
//! 3. changes every object that an argument lets it change: the argument points into a variable that is named in it (`&x`, `a`,
//!    `&s.m[i]`, `p->q` of none), and neither the pointer's target nor the variable is `const`. The whole variable gets any
//!    value, and the call counts as over-approximated: TRUE stands, a counterexample through it does not;
//! 4. changes what such a function was ever given in this way, wherever in the program, as long as it lives: variables of static storage,
//!    those of the calling function, and those of the functions that have called it (`escapes`);
//! 5. changes nothing else (SV-COMP's convention): not through integers, nor through pointers to `const` without pointers behind them.
//!
//! It is unsupported where the rule cannot say what changes: a pointer that names no variable (`p`, `f()`), a variable that
//! holds pointers, through which the function could reach further, and a pointer to a function, which could be called back. That no pointers
//! appear in variables of types without them is C's rule of effective types (C11 6.5p7).

use super::AssumptionKind;
use super::calls::Argument;
use super::externals::{self, Model, Site};
use super::function::{Lowering, Storage};
use super::module::{GlobalStorage, MEMORY, Module};
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

/// A variable of greater type than this is forgotten as a whole instead of scalar by scalar.
pub(super) const MAX_SCALARS: usize = 64;

/// A variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Variable {
    Local(LocalId),
    Global(GlobalId),
}

/// What unknown functions of a program may change at every call.
#[derive(Clone, Debug, Default)]
pub(super) struct Exposed {
    /// Objects that are only declared, in order.
    declared: Vec<(UnitId, GlobalId)>,
    /// Variables whose address such a function gets somewhere.
    given: FxHashSet<(UnitId, Variable)>,
    /// Those of static storage in order.
    globals: Vec<(UnitId, GlobalId)>,
    /// Whether there are automatic ones.
    gives_locals: bool,
}

impl Exposed {
    /// Looks at the whole program.
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
                    // It may be called through a pointer.
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

/// What a function can do with an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    Nothing,
    Changes(Variable),
    /// The reason for people.
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
        CType::VaList => Effect::Anything("a list of arguments"),
        CType::Record(_) if has_pointer(hir, ty, 8) => Effect::Anything("a structure with pointers"),
        _ => Effect::Nothing,
    }
}

/// What can be changed through the value of an expression.
fn effect_of_pointer(hir: &hir::Program, expr: ExprId) -> Effect {
    let Some(variable) = variable_of(hir, expr) else {
        return match constant(hir, expr) {
            Some(()) => Effect::Nothing,
            None => Effect::Anything("a pointer that names no variable"),
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
        Effect::Anything("a variable that holds pointers")
    } else if qualifiers.contains(Qualifier::Const) {
        Effect::Nothing
    } else {
        Effect::Changes(variable)
    }
}

/// Whether the expression is a constant, as null pointers are.
fn constant(hir: &hir::Program, mut expr: ExprId) -> Option<()> {
    while let ExprKind::Cast { operand, .. } = hir[expr].kind {
        expr = operand;
    }
    matches!(hir[expr].kind, ExprKind::Integer(_)).then_some(())
}

/// The variable that a pointer points into, if it is named in the expression.
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

pub(super) fn has_pointer(hir: &hir::Program, ty: TypeId, depth: u32) -> bool {
    match hir.types[ty] {
        CType::Pointer(_) | CType::VaList => true,
        CType::Array(element, _) => depth == 0 || has_pointer(hir, element.ty, depth - 1),
        CType::Record(_) => match hir.types.fields(ty) {
            Some(fields) => depth == 0 || fields.iter().any(|field| has_pointer(hir, field.ty, depth - 1)),
            // Nobody here knows what an incomplete type has.
            None => true,
        },
        _ => false,
    }
}

impl Lowering<'_, '_, '_> {
    /// Whether the pointer points into a variable that is named in the expression.
    pub(super) fn names_variable(&self, pointer: ExprId) -> bool {
        variable_of(self.hir, pointer).is_some()
    }

    /// A call by the rule.
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
            // The chosen ones are those of this function.
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
            let what = format!("what the external function {name} writes");
            // Also where no scalar is stored.
            self.approximation(Type::unsigned(8), &what, span);
            for (unit, variable) in changed {
                self.change(unit, variable, &what, span);
            }
        }
        self.any_result(id, name, arguments, ty, span, site)
    }

    /// Notes what the rule says of a function.
    fn assume_of_function(&mut self, id: FunctionId, name: &str, ty: TypeId, span: Span) {
        if self.m.is_library(self.unit) {
            return;
        }
        let result = match (self.hir[id].is_noreturn, &self.hir.types[ty]) {
            (true, _) => "does not return",
            (false, CType::Void) => "returns",
            (false, _) => "returns any value",
        };
        let assumed = format!(
            "{result}; writes only to objects whose addresses such functions get, and to data without a definition"
        );
        self.m.assumes(AssumptionKind::Function, name, &assumed, span);
    }

    /// An object that is only declared gets any value.
    fn change_declared(&mut self, unit: UnitId, global: GlobalId, name: &str, span: Span) {
        match self.m.global(unit, global) {
            GlobalStorage::Scalar(region) => {
                let RegionKind::Scalar(ty) = self.m.program.regions[region].kind else { return };
                let place = Some(self.m.program.regions[region].name.clone());
                let declared = self.m.unit(unit).hir[global].ty;
                let source = HavocSource::External(name.to_owned());
                // Other types of another unit have other ids.
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

    /// A variable without pointers gets any value.
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
                // Its address would be taken.
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
            }
            (_, Some(object), _) => self.b.effect(InstructionKind::Forget { region: MEMORY, object }, span),
            _ => self.unsupported(format!("{what} in an object of variable size"), span),
        }
    }
}

impl Module<'_, '_> {
    /// What unknown functions change.
    pub(super) fn exposed(&mut self) -> Rc<Exposed> {
        if let Some(exposed) = &self.exposed {
            return Rc::clone(exposed);
        }
        let exposed = Rc::new(Exposed::of(self));
        self.exposed = Some(Rc::clone(&exposed));
        exposed
    }
}
