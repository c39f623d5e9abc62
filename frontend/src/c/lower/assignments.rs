//! Assignments and updates: a place, a value, and a store.
//!
//! The place is evaluated before the value. Where C leaves the order unspecified and it may matter
//! ([`Sequencing`]), both orders are lowered (`order`).

use super::function::Lowering;
use super::order::{Order, Sequencing};
use super::places::{Location, Value};
use crate::c::hir::{ExprId, ExprKind, ModifyResult, PlaceId};
use crate::c::types::TypeId;
use grammars::source::Span;
use terms::Term;

/// An update `place op= operand`.
#[derive(Clone, Copy, Debug)]
struct Update {
    place: PlaceId,
    /// The new value, in terms of the old one.
    value: ExprId,
    result: ModifyResult,
    /// The type of the value in the place.
    held: TypeId,
    span: Span,
}

impl Lowering<'_, '_, '_> {
    /// Lowers an assignment; `held` is the type of its value.
    pub(super) fn assignment(&mut self, place: PlaceId, value: ExprId, held: TypeId, span: Span) -> Value {
        match self.sequencing(place, false, value) {
            Sequencing::Free => {
                // An aggregate may be the result of a call that needs memory of its own.
                let is_scalar = self.m.scalar_type(self.hir, self.hir[place].ty).is_some();
                let order = if is_scalar { Order::FromLeft } else { Order::FromRight };
                self.assignment_in(order, place, value, held, span)
            }
            Sequencing::Repeatable => {
                let before = self.location(place);
                let value = self.value(value);
                let after = self.location(place);
                let location = self.either_location(before, after, span);
                self.assigned(place, &location, value, held, span)
            }
            Sequencing::Exclusive => {
                let scalar = self.m.scalar_type(self.hir, self.hir[place].ty);
                let ty = match scalar {
                    Some(_) => self.m.scalar_type(self.hir, held).unwrap_or_else(|| self.m.address_type()),
                    None => self.m.address_type(),
                };
                let result = self.hidden_variable(ty, span);
                self.assigned_in_both_orders(place, value, span, &mut |this, order| {
                    let term = match this.assignment_in(order, place, value, held, span) {
                        Value::Scalar(term) => term,
                        value => this.value_in_memory(value, held, span),
                    };
                    this.assign_hidden(result, term, span);
                });
                let term = self.read(result);
                if scalar.is_some() { Value::Scalar(term) } else { Value::Memory(term) }
            }
        }
    }

    fn assignment_in(
        &mut self,
        order: Order,
        place: PlaceId,
        value: ExprId,
        held: TypeId,
        span: Span,
    ) -> Value {
        let (location, value) = match order {
            Order::FromLeft => {
                let location = self.location(place);
                (location, self.value(value))
            }
            Order::FromRight => {
                let value = self.value(value);
                (self.location(place), value)
            }
        };
        self.assigned(place, &location, value, held, span)
    }

    /// Stores a value at the location of a place; returns the value of the assignment.
    fn assigned(
        &mut self,
        place: PlaceId,
        location: &Location,
        value: Value,
        held: TypeId,
        span: Span,
    ) -> Value {
        let ty = self.hir[place].ty;
        let name = self.place_name(place);
        if self.m.scalar_type(self.hir, ty).is_none() {
            self.store(location, ty, value, span, name);
            return match location {
                Location::Memory { .. } => Value::Memory(self.plain_address(location, span)),
                _ => self.load(location, ty, span),
            };
        }
        let term = self.scalar_of(&value, ty);
        self.check_bit_field(place, location, term, span);
        self.store(location, ty, Value::Scalar(term), span, name);
        Value::Scalar(self.held(location, ty, held, term))
    }

    /// The value of a place after storing `term`, in the type of the assignment.
    fn held(&mut self, location: &Location, ty: TypeId, held: TypeId, term: Term) -> Term {
        let term = self.cut(location, ty, term);
        let (width, signedness) = (self.width(held), self.signedness(ty));
        self.resize(term, width, signedness)
    }

    pub(super) fn modification(
        &mut self,
        place: PlaceId,
        value: ExprId,
        result: ModifyResult,
        held: TypeId,
        span: Span,
    ) -> Value {
        let update = Update { place, value, result, held, span };
        match self.sequencing(place, true, value) {
            Sequencing::Free => self.updated(update, Order::FromLeft),
            Sequencing::Repeatable => self.updated_either(update),
            Sequencing::Exclusive => {
                let Some(ty) = self.m.scalar_type(self.hir, held) else {
                    return self.unsupported_value("an update of a complex value", held, span);
                };
                let variable = self.hidden_variable(ty, span);
                self.assigned_in_both_orders(place, value, span, &mut |this, order| {
                    if let Value::Scalar(term) = this.updated(update, order) {
                        this.assign_hidden(variable, term, span);
                    }
                });
                Value::Scalar(self.read(variable))
            }
        }
    }

    /// Lowers an update with the given order of its place and its operand.
    fn updated(&mut self, update: Update, order: Order) -> Value {
        let operand = match order {
            Order::FromLeft => None,
            Order::FromRight => match self.evaluated_operand(update.value) {
                Some(operand) => Some(operand),
                None => {
                    return self.unsupported_value("an update of a complex value", update.held, update.span);
                }
            },
        };
        let location = self.location(update.place);
        match self.loaded(update, &location) {
            Some(old) => self.stored(update, &location, old, operand),
            None => self.unsupported_value("an update of a complex value", update.held, update.span),
        }
    }

    /// Lowers an update whose place is evaluated before and after the operand.
    fn updated_either(&mut self, update: Update) -> Value {
        let before = self.location(update.place);
        let old_before = self.loaded(update, &before);
        let operand = self.evaluated_operand(update.value);
        let after = self.location(update.place);
        let old_after = self.loaded(update, &after);
        let (Some(old_before), Some(old_after), Some(_)) = (old_before, old_after, operand) else {
            return self.unsupported_value("an update of a complex value", update.held, update.span);
        };
        let is_from_left = self.is_from_left(update.span);
        let location = self.chosen_location(is_from_left, before, after);
        let old = self.m.pool.ite(is_from_left, old_before, old_after);
        self.stored(update, &location, old, operand)
    }

    /// Loads the old value of the place of an update.
    fn loaded(&mut self, update: Update, location: &Location) -> Option<Term> {
        self.check_assigned(update.place, update.span);
        match self.load(location, update.held, update.span) {
            Value::Scalar(term) => Some(term),
            _ => None,
        }
    }

    /// Stores the new value of an update, computed from the old value and the operand, if that is
    /// already evaluated; returns the value of the update.
    fn stored(
        &mut self,
        update: Update,
        location: &Location,
        old: Term,
        operand: Option<(ExprId, Term)>,
    ) -> Value {
        let Update { place, value, result, held, span } = update;
        let ty = self.hir[place].ty;
        let name = self.place_name(place);
        self.old.push((old, place));
        let around = std::mem::replace(&mut self.evaluated, operand);
        let term = self.scalar(value);
        self.evaluated = around;
        self.old.pop();
        self.check_bit_field(place, location, term, span);
        self.store(location, ty, Value::Scalar(term), span, name);
        Value::Scalar(match result {
            ModifyResult::Old => old,
            ModifyResult::New => self.held(location, ty, held, term),
        })
    }

    /// Evaluates the operand of an update that has the given new value.
    fn evaluated_operand(&mut self, value: ExprId) -> Option<(ExprId, Term)> {
        let mut operand = None;
        let mut at = value;
        loop {
            match self.hir[at].kind {
                ExprKind::Cast { operand: inner, .. } => at = inner,
                ExprKind::Binary { lhs, rhs, .. } if operand.is_none() => {
                    operand = Some(rhs);
                    at = lhs;
                }
                ExprKind::PointerOffset { pointer, index, .. } if operand.is_none() => {
                    operand = Some(index);
                    at = pointer;
                }
                ExprKind::Old => break,
                _ => return None,
            }
        }
        let operand = operand?;
        match self.value(operand) {
            Value::Scalar(term) => Some((operand, term)),
            _ => None,
        }
    }

    /// Lets the environment select one of two locations of the same place.
    fn either_location(&mut self, before: Location, after: Location, span: Span) -> Location {
        match (&before, &after) {
            (Location::Memory { .. }, Location::Memory { .. })
                if self.plain_address(&before, span) != self.plain_address(&after, span) =>
            {
                let is_from_left = self.is_from_left(span);
                self.chosen_location(is_from_left, before, after)
            }
            _ => before,
        }
    }

    /// `before` if the condition holds, else `after`: two locations of the same place.
    fn chosen_location(&mut self, condition: Term, before: Location, after: Location) -> Location {
        match (before, after) {
            (Location::Memory { base: a, offset: x, bits }, Location::Memory { base: b, offset: y, .. }) => {
                let (base, offset) = if x == y {
                    (self.chosen_base(condition, a, b), x)
                } else {
                    let width = self.m.program.machine.pointer_width;
                    let (x, y) = (self.m.pool.bv(width, x), self.m.pool.bv(width, y));
                    let is_near = self.m.pool.fls();
                    let (a, b) = (self.moved_base(a, x, is_near), self.moved_base(b, y, is_near));
                    (self.chosen_base(condition, a, b), 0)
                };
                Location::Memory { base, offset, bits }
            }
            // Only places in memory are computed.
            (before, _) => before,
        }
    }

    /// The name of a place for traces.
    fn place_name(&self, place: PlaceId) -> Option<String> {
        match self.m.is_library(self.unit) {
            false => Some(self.names().place(place)),
            true => None,
        }
    }
}
