//! Unspecified orders of evaluation.
//!
//! C leaves the order of evaluation unspecified for the arguments of a call and for the operands of
//! an arithmetic operator, a comparison or a pointer addition (C11 6.5p3, 6.5.2.2p10); gcc often
//! starts on the right. If two operands *conflict*, the order may matter. Lowering then emits both
//! orders, from left to right and from right to left, and an input named `evaluation_order` selects
//! one. Hence a verdict holds for both, and a trace shows which one leads to the error.
//!
//! # Conflicts
//!
//! The effects of an operand are computed from the typed tree, including those of called functions,
//! as a fixed point ([`Effects`]). Two operands conflict if one writes a variable that the other
//! reads or writes, or if one may terminate the program and the other may reach an error. All
//! memory that pointers may point to, and all undefined objects, count as one variable. Inputs and
//! allocations do not conflict.
//!
//! # Assignments
//!
//! For `place = value` and `place op= value`, C also leaves unspecified whether the place is
//! evaluated first (C11 6.5.16p3), and when its old value is read; compilers evaluate a value with
//! a function call first. Two conflicting accesses without a call between them are undefined
//! behavior (C11 6.5p2), so only calls matter. If evaluating the place has no side effects, it is
//! evaluated before and after the value, and the input selects one result; otherwise the whole
//! assignment is lowered in both orders.
//!
//! # Limits
//!
//! * Of more than two operands, only two orders are considered.
//! * A statement expression or a compound literal is not lowered twice, and at most
//!   [`MAX_REVERSED`] operand lists per function are. Otherwise the second order is
//!   [`Terminator::Unsupported`](program::ssa::Terminator), which prevents a proof.
//! * The order of array and index, and of the entries of an initializer, is fixed. Non-termination
//!   of an operand is not an effect.

use super::externals::{self, Model};
use super::function::Lowering;
use super::module::Module;
use super::ssa::Variable as SsaVariable;
use crate::c::hir::{
    self, Builtin, Callee, Definition, ExprId, ExprKind, FunctionId, GlobalId, InitId, InitValue, LocalId,
    PlaceId, PlaceKind, Scale, StmtId, StmtKind,
};
use crate::c::link::{Resolved, UnitId};
use grammars::source::Span;
use program::ssa::{HavocSource, InstructionKind, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use terms::Term;

/// The largest number of operand lists per function that are lowered in both orders.
const MAX_REVERSED: u32 = 32;

/// The name of the input that selects the order.
const ORDER: &str = "evaluation_order";

/// A variable whose address is not taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Variable {
    Local(LocalId),
    Global(UnitId, GlobalId),
}

/// The possible effects of an evaluation.
#[derive(Clone, Default, Debug)]
struct Effects {
    reads: FxHashSet<Variable>,
    writes: FxHashSet<Variable>,
    /// Memory that pointers may point to, and undefined objects.
    reads_memory: bool,
    writes_memory: bool,
    /// An unknown function may change memory to any value.
    makes_unknown: bool,
    /// It may terminate the program.
    stops: bool,
    /// It may reach an error.
    fails: bool,
    /// It may have any effect.
    is_unknown: bool,
    /// It has a part that cannot be lowered twice.
    is_single: bool,
    /// It calls a function.
    calls: bool,
}

/// The constraints on the order of a place and the value assigned to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sequencing {
    /// The order is irrelevant.
    Free,
    /// The order matters, and the place can be evaluated twice.
    Repeatable,
    /// The order matters, and evaluating the place has side effects.
    Exclusive,
}

impl Effects {
    /// Adds effects; returns whether there was a new one.
    fn extend(&mut self, other: &Effects) -> bool {
        let flags = |effects: &Effects| {
            [
                effects.reads_memory,
                effects.writes_memory,
                effects.makes_unknown,
                effects.stops,
                effects.fails,
                effects.is_unknown,
            ]
        };
        let before = (self.reads.len(), self.writes.len(), flags(self));
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.reads_memory |= other.reads_memory;
        self.writes_memory |= other.writes_memory;
        self.makes_unknown |= other.makes_unknown;
        self.stops |= other.stops;
        self.fails |= other.fails;
        self.is_unknown |= other.is_unknown;
        before != (self.reads.len(), self.writes.len(), flags(self))
    }

    /// Whether the order of the two evaluations may matter.
    fn conflicts(&self, other: &Effects) -> bool {
        self.disturbs(other) || other.disturbs(self)
    }

    fn disturbs(&self, other: &Effects) -> bool {
        let uses = |variable: &Variable| other.reads.contains(variable) || other.writes.contains(variable);
        self.writes.iter().any(uses)
            || self.writes_memory && (other.reads_memory || other.writes_memory || other.makes_unknown)
            || self.makes_unknown && (other.reads_memory || other.writes_memory)
            || self.stops && other.fails
            || self.is_unknown && other.does_something()
    }

    /// The constraints on the order of this evaluation, which comes first by default, and another
    /// one.
    fn sequencing(&self, other: &Effects) -> Sequencing {
        // Two conflicting accesses without a call between them are undefined behavior.
        if !(self.calls || other.calls) || !self.conflicts(other) {
            return Sequencing::Free;
        }
        let changes = !self.writes.is_empty()
            || self.writes_memory
            || self.makes_unknown
            || self.stops
            || self.is_unknown
            || self.is_single
            || self.calls;
        if changes { Sequencing::Exclusive } else { Sequencing::Repeatable }
    }

    fn does_something(&self) -> bool {
        let touches = !self.reads.is_empty() || !self.writes.is_empty();
        touches
            || self.reads_memory
            || self.writes_memory
            || self.makes_unknown
            || self.stops
            || self.fails
            || self.is_unknown
    }
}

/// The effects of calling each function of the program.
#[derive(Debug, Default)]
pub(super) struct FunctionEffects {
    of: FxHashMap<(UnitId, FunctionId), Effects>,
}

impl FunctionEffects {
    fn of(module: &Module<'_, '_>) -> Self {
        let mut of = FxHashMap::default();
        let mut callers: FxHashMap<_, Vec<_>> = FxHashMap::default();
        let mut work = Vec::new();
        for (unit, hir) in module.hirs() {
            for (id, function) in hir.functions.iter() {
                let Some(body) = &function.body else { continue };
                let mut walk = Walk::new(module, unit, hir);
                walk.work.extend(body.stmts.iter().map(|&stmt| Item::Stmt(stmt)));
                walk.run();
                let mut effects = walk.effects;
                // Each activation has its own locals.
                effects.reads.retain(|variable| matches!(variable, Variable::Global(..)));
                effects.writes.retain(|variable| matches!(variable, Variable::Global(..)));
                for callee in walk.callees {
                    callers.entry(callee).or_default().push((unit, id));
                }
                of.insert((unit, id), effects);
                work.push((unit, id));
            }
        }
        let mut this = FunctionEffects { of };
        while let Some(callee) = work.pop() {
            let Some(effects) = this.of.get(&callee).cloned() else { continue };
            for &caller in callers.get(&callee).map_or(&[][..], Vec::as_slice) {
                if this.of.get_mut(&caller).is_some_and(|mine| mine.extend(&effects)) {
                    work.push(caller);
                }
            }
        }
        this
    }
}

/// A part of the typed tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Item {
    Expr(ExprId),
    Place(PlaceId, Use),
    Init(InitId),
    Stmt(StmtId),
}

/// An order of evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    FromLeft,
    FromRight,
}

/// The use of a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Use {
    /// Its address is computed.
    Address,
    Read,
    Write,
    Update,
}

/// Collects the effects of parts of the typed tree, and the functions with statements that they
/// call.
struct Walk<'a, 'm, 'h> {
    module: &'a Module<'m, 'h>,
    unit: UnitId,
    hir: &'h hir::Program,
    /// Whether operations may fail by themselves.
    has_checks: bool,
    work: Vec<Item>,
    effects: Effects,
    callees: Vec<(UnitId, FunctionId)>,
}

impl<'a, 'm, 'h> Walk<'a, 'm, 'h> {
    fn new(module: &'a Module<'m, 'h>, unit: UnitId, hir: &'h hir::Program) -> Self {
        let has_checks = !module.checks.is_empty();
        let (effects, callees) = (Effects::default(), Vec::new());
        Walk { module, unit, hir, has_checks, work: Vec::new(), effects, callees }
    }

    fn run(&mut self) {
        while let Some(item) = self.work.pop() {
            match item {
                Item::Expr(id) => self.expr(id),
                Item::Place(id, usage) => self.place(id, usage),
                Item::Init(id) => {
                    let values = self.hir[id].entries.iter().filter_map(|entry| match entry.value {
                        InitValue::Expr(expr) => Some(Item::Expr(expr)),
                        InitValue::Bytes(_) => None,
                    });
                    self.work.extend(values);
                }
                Item::Stmt(id) => self.stmt(id),
            }
        }
    }

    fn exprs(&mut self, exprs: impl IntoIterator<Item = ExprId>) {
        self.work.extend(exprs.into_iter().map(Item::Expr));
    }

    fn scale(&mut self, scale: Scale) {
        if let Scale::Variable(expr) = scale {
            self.work.push(Item::Expr(expr));
        }
    }

    fn expr(&mut self, id: ExprId) {
        let hir = self.hir;
        match &hir[id].kind {
            ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::FunctionAddress(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::Old
            | ExprKind::Error => {}
            ExprKind::Unsupported(_) => self.effects.is_unknown = true,
            &ExprKind::Load(place) => self.work.push(Item::Place(place, Use::Read)),
            &ExprKind::AddressOf(place) | &ExprKind::Decay(place) => {
                self.work.push(Item::Place(place, Use::Address));
            }
            &ExprKind::Cast { operand, .. } | &ExprKind::Unary { operand, .. } => {
                self.effects.fails |= self.has_checks;
                self.exprs([operand]);
            }
            &ExprKind::Not(operand) => self.exprs([operand]),
            &ExprKind::Binary { lhs, rhs, .. } => {
                self.effects.fails |= self.has_checks;
                self.exprs([lhs, rhs]);
            }
            &ExprKind::Compare { lhs, rhs, .. } => self.exprs([lhs, rhs]),
            &ExprKind::PointerOffset { pointer, index, scale, .. } => {
                self.effects.fails |= self.has_checks;
                self.exprs([pointer, index]);
                self.scale(scale);
            }
            &ExprKind::PointerDifference { lhs, rhs, scale } => {
                self.exprs([lhs, rhs]);
                self.scale(scale);
            }
            ExprKind::Logical { operands, .. } => self.exprs(operands.iter().copied()),
            &ExprKind::Conditional { condition, then, otherwise } => {
                self.exprs([condition, then, otherwise]);
            }
            ExprKind::Comma(list) => self.exprs(list.iter().copied()),
            &ExprKind::Assign { place, value } => {
                self.work.push(Item::Place(place, Use::Write));
                self.exprs([value]);
            }
            &ExprKind::Modify { place, value, .. } => {
                self.work.push(Item::Place(place, Use::Update));
                self.exprs([value]);
            }
            ExprKind::Call { callee, arguments } => {
                self.effects.calls = true;
                self.exprs(arguments.iter().copied());
                match *callee {
                    Callee::Direct(function) => self.call(function),
                    Callee::Indirect(pointer) => match hir[pointer].kind {
                        ExprKind::FunctionAddress(function) => self.call(function),
                        _ => {
                            self.exprs([pointer]);
                            self.effects.is_unknown = true;
                        }
                    },
                }
            }
            ExprKind::Builtin { builtin, arguments } => {
                self.exprs(arguments.iter().copied());
                match builtin {
                    Builtin::Unreachable | Builtin::Trap => self.effects.stops = true,
                    Builtin::Overflow(_)
                    | Builtin::VaStart
                    | Builtin::VaEnd
                    | Builtin::VaCopy
                    | Builtin::Atomic(_) => {
                        self.effects.reads_memory = true;
                        self.effects.writes_memory = true;
                    }
                    _ => {}
                }
            }
            &ExprKind::VaArg(place) => {
                self.work.push(Item::Place(place, Use::Update));
                self.effects.reads_memory = true;
            }
            ExprKind::Statements { stmts, value } => {
                self.effects.is_single = true;
                self.work.extend(stmts.iter().map(|&stmt| Item::Stmt(stmt)));
                self.exprs(*value);
            }
            &ExprKind::Aggregate(init) => self.work.push(Item::Init(init)),
        }
    }

    fn place(&mut self, id: PlaceId, usage: Use) {
        match self.hir[id].kind {
            PlaceKind::Local(local) => {
                self.access(self.hir[local].is_address_taken, Variable::Local(local), usage);
            }
            PlaceKind::Global(global) => match self.module.linked_object(self.unit, global) {
                Resolved::At(unit, found) => {
                    let is_declared = self.hir[global].definition == Definition::Declared;
                    let is_memory = is_declared || self.module.is_address_taken(unit, found);
                    self.access(is_memory, Variable::Global(unit, found), usage);
                }
                Resolved::Null => {}
            },
            PlaceKind::Deref(pointer) => {
                self.exprs([pointer]);
                self.memory(usage);
            }
            PlaceKind::Field { base, .. } => self.work.push(Item::Place(base, usage)),
            PlaceKind::Index { array, index, scale } => {
                self.work.push(Item::Place(array, usage));
                self.exprs([index]);
                self.scale(scale);
            }
            PlaceKind::CompoundLiteral { initializer, .. } => {
                self.effects.is_single = true;
                self.work.push(Item::Init(initializer));
            }
            PlaceKind::Temporary(value) => self.exprs([value]),
            PlaceKind::Error => {}
        }
    }

    fn memory(&mut self, usage: Use) {
        self.effects.fails |= self.has_checks;
        self.effects.reads_memory |= matches!(usage, Use::Read | Use::Update);
        self.effects.writes_memory |= matches!(usage, Use::Write | Use::Update);
    }

    fn access(&mut self, is_memory: bool, variable: Variable, usage: Use) {
        if is_memory {
            return self.memory(usage);
        }
        if matches!(usage, Use::Read | Use::Update) {
            self.effects.reads.insert(variable);
        }
        if matches!(usage, Use::Write | Use::Update) {
            self.effects.writes.insert(variable);
        }
    }

    fn stmt(&mut self, id: StmtId) {
        let hir = self.hir;
        match &hir[id].kind {
            &StmtKind::Expr(expr) | &StmtKind::GotoIndirect(expr) => self.exprs([expr]),
            StmtKind::Declare { initializer, .. } => self.work.extend(initializer.map(Item::Init)),
            StmtKind::Block(stmts) => self.work.extend(stmts.iter().map(|&stmt| Item::Stmt(stmt))),
            StmtKind::If { condition, then, otherwise } => {
                self.exprs([*condition]);
                self.work.push(Item::Stmt(*then));
                self.work.extend(otherwise.map(Item::Stmt));
            }
            &StmtKind::While { condition, body } | &StmtKind::DoWhile { body, condition } => {
                self.exprs([condition]);
                self.work.push(Item::Stmt(body));
            }
            StmtKind::For { init, condition, step, body } => {
                self.exprs(condition.iter().chain(step).copied());
                self.work.extend(init.iter().chain([body]).map(|&stmt| Item::Stmt(stmt)));
            }
            StmtKind::Switch { value, body, .. } => {
                self.exprs([*value]);
                self.work.push(Item::Stmt(*body));
            }
            &StmtKind::Label(label) => {
                let name = hir[label].name.map(|name| hir.name(name));
                self.effects.fails |= name.is_some_and(|name| self.module.specification.is_error_label(name));
            }
            StmtKind::Return(value) => self.exprs(*value),
            StmtKind::Asm(_) | StmtKind::Unsupported(_) => self.effects.is_unknown = true,
            StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Error => {}
        }
    }

    fn call(&mut self, id: FunctionId) {
        let module = self.module;
        let name = self.hir.name(self.hir[id].name);
        if !module.is_library(self.unit) && module.specification.is_error_call(name) {
            self.effects.fails = true;
            return;
        }
        if let Some(library) = module.library_function(self.unit, id) {
            self.callees.push(library);
            return;
        }
        match module.resolve(self.unit, id) {
            Resolved::At(unit, found) if module.has_statements(unit, found) => {
                self.callees.push((unit, found));
                return;
            }
            Resolved::At(..) => {}
            Resolved::Null => {
                self.effects.is_unknown = true;
                return;
            }
        }
        let effects = &mut self.effects;
        match externals::model(name) {
            Model::Nothing
            | Model::Input
            | Model::Absolute
            | Model::Math(_)
            | Model::Allocate
            | Model::AllocateAligned
            | Model::AllocatePages
            | Model::AllocateZero
            | Model::AllocateZeroBlock
            | Model::AllocateOnStack => {}
            Model::Harmless => effects.reads_memory = true,
            Model::Assume | Model::Exit | Model::Abort | Model::Approximated => effects.stops = true,
            Model::Assert | Model::AssertFails => {
                effects.stops = true;
                effects.fails = true;
            }
            Model::Free | Model::Release | Model::Reallocate | Model::AllocateTo => {
                effects.reads_memory = true;
                effects.writes_memory = true;
            }
            Model::Unknown => effects.makes_unknown = true,
            Model::Signal | Model::Refused(_) => effects.is_unknown = true,
        }
    }
}

impl Lowering<'_, '_, '_> {
    /// Whether the order in which the operands are evaluated may matter.
    pub(super) fn conflict(&mut self, operands: &[ExprId]) -> bool {
        // Operands without side effects do not conflict; this is the common case.
        if operands.len() < 2 || !operands.iter().any(|&operand| self.has_effect(operand)) {
            return false;
        }
        let effects: Vec<Effects> = operands.iter().map(|&operand| self.effects(operand)).collect();
        effects
            .iter()
            .enumerate()
            .any(|(index, one)| effects[..index].iter().any(|other| one.conflicts(other)))
    }

    /// Whether an expression contains an assignment or a call. The results are cached, because
    /// spines query all their operands.
    pub(super) fn has_effect(&mut self, id: ExprId) -> bool {
        let mut stack = vec![id];
        while let Some(&at) = stack.last() {
            if self.with_effects.contains_key(&at) {
                stack.pop();
                continue;
            }
            let operands: Option<Vec<ExprId>> = match &self.hir[at].kind {
                ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::Old => Some(Vec::new()),
                &ExprKind::Cast { operand, .. }
                | &ExprKind::Unary { operand, .. }
                | &ExprKind::Not(operand) => Some(vec![operand]),
                &ExprKind::Binary { lhs, rhs, .. } | &ExprKind::Compare { lhs, rhs, .. } => {
                    Some(vec![lhs, rhs])
                }
                &ExprKind::PointerOffset { pointer, index, scale: Scale::Constant(_), .. } => {
                    Some(vec![pointer, index])
                }
                &ExprKind::Load(place) | &ExprKind::AddressOf(place) | &ExprKind::Decay(place) => {
                    self.operands_of_place(place)
                }
                _ => None,
            };
            let Some(operands) = operands else {
                let has_effect = self.assigns_or_calls(at);
                self.with_effects.insert(at, has_effect);
                continue;
            };
            let missing = operands.iter().find(|operand| !self.with_effects.contains_key(operand));
            match missing {
                Some(&operand) => stack.push(operand),
                None => {
                    let has_effect = operands.iter().any(|operand| self.with_effects[operand]);
                    self.with_effects.insert(at, has_effect);
                }
            }
        }
        self.with_effects[&id]
    }

    /// The expressions in a place; `None` if it has other parts.
    fn operands_of_place(&self, mut id: PlaceId) -> Option<Vec<ExprId>> {
        let mut operands = Vec::new();
        loop {
            match self.hir[id].kind {
                PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::Error => return Some(operands),
                PlaceKind::Deref(pointer) => {
                    operands.push(pointer);
                    return Some(operands);
                }
                PlaceKind::Field { base, .. } => id = base,
                PlaceKind::Index { array, index, scale: Scale::Constant(_) } => {
                    operands.push(index);
                    id = array;
                }
                _ => return None,
            }
        }
    }

    fn assigns_or_calls(&self, id: ExprId) -> bool {
        let mut walk = Walk::new(self.m, self.unit, self.hir);
        walk.work.push(Item::Expr(id));
        walk.run();
        let effects = &walk.effects;
        !walk.callees.is_empty()
            || !effects.writes.is_empty()
            || effects.writes_memory
            || effects.makes_unknown
            || effects.stops
            || effects.fails
            || effects.is_unknown
    }

    /// The constraints on the order of `place`, including a read of its old value if `is_read`, and
    /// `value`.
    pub(super) fn sequencing(&mut self, place: PlaceId, is_read: bool, value: ExprId) -> Sequencing {
        let place_operands = self.operands_of_place(place);
        let is_calm = place_operands.is_some_and(|ids| !ids.iter().any(|&id| self.has_effect(id)));
        if is_calm && !self.has_effect(value) {
            return Sequencing::Free;
        }
        let usage = if is_read { Use::Read } else { Use::Address };
        let of_place = self.effects_of(Item::Place(place, usage));
        of_place.sequencing(&self.effects(value))
    }

    /// The constraints on the order of the called expression and the arguments.
    pub(super) fn sequencing_of_call(&mut self, called: ExprId, arguments: &[ExprId]) -> Sequencing {
        let exprs = || arguments.iter().copied().chain([called]);
        if !exprs().any(|expr| self.has_effect(expr)) {
            return Sequencing::Free;
        }
        let mut of_arguments = Effects::default();
        for &argument in arguments {
            let of_argument = self.effects(argument);
            of_arguments.calls |= of_argument.calls;
            of_arguments.extend(&of_argument);
        }
        self.effects(called).sequencing(&of_arguments)
    }

    fn effects(&mut self, id: ExprId) -> Effects {
        self.effects_of(Item::Expr(id))
    }

    fn effects_of(&mut self, item: Item) -> Effects {
        let functions = self.m.function_effects();
        let mut walk = Walk::new(self.m, self.unit, self.hir);
        walk.work.push(item);
        walk.run();
        let mut effects = walk.effects;
        for callee in walk.callees {
            match functions.of.get(&callee) {
                Some(of_callee) => {
                    effects.extend(of_callee);
                }
                None => effects.is_unknown = true,
            }
        }
        effects
    }

    /// Evaluates conflicting operands from left to right or from right to left; an input selects
    /// the order. `evaluate` computes the value of the operand with the given index. Operands
    /// without effects are evaluated once.
    pub(super) fn in_both_orders(
        &mut self,
        operands: &[ExprId],
        types: &[Type],
        span: Span,
        evaluate: &mut dyn FnMut(&mut Self, usize) -> Term,
    ) -> Vec<Term> {
        let effects: Vec<Effects> = operands.iter().map(|&operand| self.effects(operand)).collect();
        let can_be_reversed = !effects.iter().any(|effects| effects.is_single);
        let mut terms: Vec<Option<Term>> = Vec::with_capacity(operands.len());
        let mut variables = Vec::new();
        for (index, effects) in effects.iter().enumerate() {
            if effects.does_something() || effects.is_single {
                variables.push((index, self.hidden_variable(types[index], span)));
                terms.push(None);
            } else {
                terms.push(Some(evaluate(self, index)));
            }
        }
        self.both_orders(can_be_reversed, span, &mut |this, order| {
            let mut evaluate = |&(index, variable): &(usize, SsaVariable)| {
                let term = evaluate(this, index);
                this.assign_hidden(variable, term, span);
            };
            match order {
                Order::FromLeft => variables.iter().for_each(&mut evaluate),
                Order::FromRight => variables.iter().rev().for_each(&mut evaluate),
            }
        });
        for (index, variable) in variables {
            terms[index] = Some(self.read(variable));
        }
        terms.into_iter().flatten().collect()
    }

    /// Lowers an assignment with conflicting parts in both orders; an input selects one.
    pub(super) fn assigned_in_both_orders(
        &mut self,
        place: PlaceId,
        value: ExprId,
        span: Span,
        assign: &mut dyn FnMut(&mut Self, Order),
    ) {
        let is_single =
            self.effects_of(Item::Place(place, Use::Address)).is_single || self.effects(value).is_single;
        self.both_orders(!is_single, span, assign);
    }

    /// Lowers a construct once per order, if it can be lowered twice; an input selects one.
    fn both_orders(&mut self, can_be_reversed: bool, span: Span, lower: &mut dyn FnMut(&mut Self, Order)) {
        let condition = self.is_from_left(span);
        let [from_left, from_right, after] =
            [self.b.create_block(), self.b.create_block(), self.b.create_block()];
        self.branch(condition, from_left, from_right, span);
        self.b.seal(from_left);
        self.b.seal(from_right);
        self.b.switch_to(from_left);
        lower(self, Order::FromLeft);
        self.goto(after, span);
        self.b.switch_to(from_right);
        if can_be_reversed && self.reversed < MAX_REVERSED {
            self.reversed += 1;
            lower(self, Order::FromRight);
            self.goto(after, span);
        } else {
            self.unsupported("right-to-left evaluation of operands whose order may matter", span);
        }
        self.b.seal(after);
        self.b.switch_to(after);
    }

    /// Emits the input that selects the order from left to right.
    pub(super) fn is_from_left(&mut self, span: Span) -> Term {
        let source = HavocSource::Input(ORDER.to_owned());
        let order = self.emit(InstructionKind::Havoc(source), Type::unsigned(1), span);
        let zero = self.m.pool.bv(1, 0);
        self.m.pool.eq(order, zero)
    }
}

impl Module<'_, '_> {
    /// Returns the effects of all functions; computed on first use.
    fn function_effects(&mut self) -> Rc<FunctionEffects> {
        if let Some(effects) = &self.function_effects {
            return Rc::clone(effects);
        }
        let effects = Rc::new(FunctionEffects::of(self));
        self.function_effects = Some(Rc::clone(&effects));
        effects
    }
}
