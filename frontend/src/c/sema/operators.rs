//! Operators: arithmetic, comparison, logic, assignment, `?:`, `,`.

use super::Checker;
use super::operand::Operand;
use crate::c::hir::BinaryOp as Arithmetic;
use crate::c::hir::{
    Bits, CompareOp, Direction, ExprId, ExprKind, LogicalOp, ModifyResult, PlaceId, PlaceKind, Scale, UnaryOp,
};
use crate::c::types::{QualType, Type, TypeId};
use grammars::c::ast::{self, BinaryOp, Qualifier};
use grammars::source::Span;

/// The operation of an operator of the syntax tree.
enum Operation {
    Arithmetic(Arithmetic),
    Compare(CompareOp),
    Logical(LogicalOp),
}

fn operation(op: BinaryOp) -> Operation {
    match op {
        BinaryOp::Mul => Operation::Arithmetic(Arithmetic::Mul),
        BinaryOp::Div => Operation::Arithmetic(Arithmetic::Div),
        BinaryOp::Rem => Operation::Arithmetic(Arithmetic::Rem),
        BinaryOp::Add => Operation::Arithmetic(Arithmetic::Add),
        BinaryOp::Sub => Operation::Arithmetic(Arithmetic::Sub),
        BinaryOp::Shl => Operation::Arithmetic(Arithmetic::Shl),
        BinaryOp::Shr => Operation::Arithmetic(Arithmetic::Shr),
        BinaryOp::BitAnd => Operation::Arithmetic(Arithmetic::And),
        BinaryOp::BitXor => Operation::Arithmetic(Arithmetic::Xor),
        BinaryOp::BitOr => Operation::Arithmetic(Arithmetic::Or),
        BinaryOp::Lt => Operation::Compare(CompareOp::Lt),
        BinaryOp::Gt => Operation::Compare(CompareOp::Gt),
        BinaryOp::Le => Operation::Compare(CompareOp::Le),
        BinaryOp::Ge => Operation::Compare(CompareOp::Ge),
        BinaryOp::Eq => Operation::Compare(CompareOp::Eq),
        BinaryOp::Ne => Operation::Compare(CompareOp::Ne),
        BinaryOp::And => Operation::Logical(LogicalOp::And),
        BinaryOp::Or => Operation::Logical(LogicalOp::Or),
    }
}

impl Checker<'_> {
    /// Checks a chain of binary operators, whose left operands nest to any depth.
    pub(super) fn binary_spine(&mut self, id: ast::ExprId) -> ExprId {
        let ast = self.ast;
        let mut pending: Vec<(BinaryOp, ast::ExprId, Span)> = Vec::new();
        let mut current = id;
        while let ast::ExprKind::Binary { op, lhs, rhs } = ast[current].kind {
            pending.push((op, rhs, ast[current].span));
            current = lhs;
        }
        let mut value = self.value(current);
        while let Some((op, rhs, span)) = pending.pop() {
            match operation(op) {
                Operation::Arithmetic(op) => {
                    let rhs = self.value(rhs);
                    value = self.arithmetic(op, value, rhs, span);
                }
                Operation::Compare(op) => {
                    let rhs = self.value(rhs);
                    value = self.compare(op, value, rhs, span);
                }
                Operation::Logical(logical) => {
                    let first = self.condition(value);
                    let second = self.value(rhs);
                    let mut operands = vec![first, self.condition(second)];
                    let mut whole = span;
                    while let Some(&(next, rhs, span)) = pending.last()
                        && next == op
                    {
                        pending.pop();
                        let operand = self.value(rhs);
                        operands.push(self.condition(operand));
                        whole = span;
                    }
                    value = self.logical(logical, operands, whole);
                }
            }
        }
        value
    }

    fn logical(&mut self, op: LogicalOp, operands: Vec<ExprId>, span: Span) -> ExprId {
        let decisive = op == LogicalOp::Or;
        // Leading constants either decide the result or are neutral.
        let mut known = Some(!decisive);
        for &operand in &operands {
            match self.constant_bits(operand) {
                Some(bits) if (bits.get() != 0) == decisive => {
                    known = Some(decisive);
                    break;
                }
                Some(_) => {}
                None => {
                    known = None;
                    break;
                }
            }
        }
        match known {
            Some(value) => self.integer(i128::from(value), TypeId::INT, span),
            None => {
                let kind = ExprKind::Logical { op, operands: operands.into_boxed_slice() };
                self.expr(kind, TypeId::INT, span)
            }
        }
    }

    pub(super) fn comma_spine(&mut self, id: ast::ExprId, span: Span) -> ExprId {
        let ast = self.ast;
        let mut list = Vec::new();
        let mut current = id;
        while let ast::ExprKind::Comma { lhs, rhs } = ast[current].kind {
            list.push(rhs);
            current = lhs;
        }
        list.push(current);
        let values: Vec<ExprId> = list.into_iter().rev().map(|id| self.value(id)).collect();
        let ty = values.last().map_or(TypeId::ERROR, |&last| self.ty(last));
        self.expr(ExprKind::Comma(values.into_boxed_slice()), ty, span)
    }

    pub(super) fn operator_error(&mut self, lhs: TypeId, rhs: TypeId, span: Span) -> ExprId {
        if lhs != TypeId::ERROR && rhs != TypeId::ERROR {
            let (x, y) = (self.type_name(lhs), self.type_name(rhs));
            self.error(span, format!("invalid operands to binary operator: `{x}` and `{y}`"));
        }
        self.error_expr(span)
    }

    /// Checks an arithmetic operator on numbers and pointers.
    pub(super) fn arithmetic(&mut self, op: Arithmetic, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let (x, y) = (self.ty(lhs), self.ty(rhs));
        if x == TypeId::INT && y == TypeId::INT {
            return self.binary_node(op, lhs, rhs, span);
        }
        if let Some(value) = self.vector_arithmetic(op, lhs, rhs, span) {
            return value;
        }
        let types = self.types();
        let is_integral = matches!(
            op,
            Arithmetic::Rem
                | Arithmetic::And
                | Arithmetic::Xor
                | Arithmetic::Or
                | Arithmetic::Shl
                | Arithmetic::Shr
        );
        match op {
            Arithmetic::Add if types.is_pointer(x) && types.is_integer(y) => {
                return self.pointer_offset(lhs, rhs, Direction::Forward, span);
            }
            Arithmetic::Add if types.is_integer(x) && types.is_pointer(y) => {
                return self.pointer_offset(rhs, lhs, Direction::Forward, span);
            }
            Arithmetic::Sub if types.is_pointer(x) && types.is_integer(y) => {
                return self.pointer_offset(lhs, rhs, Direction::Backward, span);
            }
            Arithmetic::Sub if types.is_pointer(x) && types.is_pointer(y) => {
                return self.pointer_difference(lhs, rhs, span);
            }
            _ => {}
        }
        let fits = |ty| if is_integral { types.is_integer(ty) } else { types.is_arithmetic(ty) };
        if !fits(x) || !fits(y) {
            return self.operator_error(x, y, span);
        }
        let (lhs, rhs) = (self.promote(lhs), self.promote(rhs));
        if matches!(op, Arithmetic::Shl | Arithmetic::Shr) {
            return self.binary_node(op, lhs, rhs, span);
        }
        let common = self.common_type(self.ty(lhs), self.ty(rhs));
        let (lhs, rhs) = (self.convert(lhs, common), self.convert(rhs, common));
        if op == Arithmetic::Div && self.constant_bits(rhs).is_some_and(|bits| bits.get() == 0) {
            self.warning(span, "division by zero");
        }
        self.binary_node(op, lhs, rhs, span)
    }

    /// `pointer ± index`; an integer constant 0 is treated like any other index.
    pub(super) fn pointer_offset(
        &mut self,
        pointer: ExprId,
        index: ExprId,
        direction: Direction,
        span: Span,
    ) -> ExprId {
        let ty = self.ty(pointer);
        let Some(pointee) = self.types().pointee(ty) else { return self.error_expr(span) };
        let Some(scale) = self.size_of(pointee.ty, span) else { return self.error_expr(span) };
        let difference = self.types().difference_type();
        let index = self.convert(index, difference);
        self.expr(ExprKind::PointerOffset { pointer, direction, index, scale }, ty, span)
    }

    fn pointer_difference(&mut self, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let (x, y) = (self.ty(lhs), self.ty(rhs));
        let (Some(a), Some(b)) = (self.types().pointee(x), self.types().pointee(y)) else {
            return self.error_expr(span);
        };
        if !self.compatible(a.ty, b.ty) {
            let (x, y) = (self.type_name(x), self.type_name(y));
            self.error(span, format!("invalid operands to binary `-`: `{x}` and `{y}`"));
            return self.error_expr(span);
        }
        let Some(scale) = self.size_of(a.ty, span) else { return self.error_expr(span) };
        if scale == Scale::Constant(0) {
            let difference = self.types().difference_type();
            return self.unsupported("a difference of pointers to objects of size 0", difference, span);
        }
        let rhs = self.convert(rhs, x);
        let difference = self.types().difference_type();
        self.expr(ExprKind::PointerDifference { lhs, rhs, scale }, difference, span)
    }

    /// Checks a comparison.
    pub(super) fn compare(&mut self, op: CompareOp, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let (x, y) = (self.ty(lhs), self.ty(rhs));
        if let Some(value) = self.vector_comparison(op, lhs, rhs, span) {
            return value;
        }
        let types = self.types();
        let is_equality = matches!(op, CompareOp::Eq | CompareOp::Ne);
        let (lhs, rhs) = if types.is_arithmetic(x) && types.is_arithmetic(y) {
            let (lhs, rhs) = (self.promote(lhs), self.promote(rhs));
            let common = self.common_type(self.ty(lhs), self.ty(rhs));
            if !is_equality && matches!(self.types()[common], Type::Complex(_)) {
                return self.operator_error(x, y, span);
            }
            (self.convert(lhs, common), self.convert(rhs, common))
        } else if types.is_pointer(x) && types.is_pointer(y) {
            if self.is_null_constant(lhs) {
                (self.convert(lhs, y), rhs)
            } else {
                if !self.is_null_constant(rhs)
                    && let (Some(a), Some(b)) = (self.types().pointee(x), self.types().pointee(y))
                    && a.ty != TypeId::VOID
                    && b.ty != TypeId::VOID
                    && !self.compatible(a.ty, b.ty)
                {
                    self.warning(span, "comparison of distinct pointer types");
                }
                (lhs, self.convert(rhs, x))
            }
        } else if types.is_pointer(x) && types.is_integer(y) {
            if !self.is_null_constant(rhs) {
                self.warning(span, "comparison between pointer and integer");
            }
            (lhs, self.convert(rhs, x))
        } else if types.is_integer(x) && types.is_pointer(y) {
            if !self.is_null_constant(lhs) {
                self.warning(span, "comparison between pointer and integer");
            }
            (self.convert(lhs, y), rhs)
        } else {
            return self.operator_error(x, y, span);
        };
        if let (Some(left), Some(right)) = (self.constant_bits(lhs), self.constant_bits(rhs)) {
            let bits: Bits = self.fold_compare(op, left, right, self.ty(lhs));
            return self.expr(ExprKind::Integer(bits), TypeId::INT, span);
        }
        self.expr(ExprKind::Compare { op, lhs, rhs }, TypeId::INT, span)
    }

    pub(super) fn unary(&mut self, op: ast::UnaryOp, id: ast::ExprId, span: Span) -> Operand {
        let operand = self.operand(id);
        match op {
            ast::UnaryOp::AddressOf => return Operand::Value(self.address_of(operand, span)),
            ast::UnaryOp::Dereference => return self.dereference(operand, span),
            ast::UnaryOp::PreIncrement => {
                return self.step(operand, Arithmetic::Add, ModifyResult::New, span);
            }
            ast::UnaryOp::PreDecrement => {
                return self.step(operand, Arithmetic::Sub, ModifyResult::New, span);
            }
            ast::UnaryOp::PostIncrement => {
                return self.step(operand, Arithmetic::Add, ModifyResult::Old, span);
            }
            ast::UnaryOp::PostDecrement => {
                return self.step(operand, Arithmetic::Sub, ModifyResult::Old, span);
            }
            _ => {}
        }
        let value = self.rvalue(operand);
        let ty = self.ty(value);
        if ty == TypeId::ERROR {
            return Operand::Value(value);
        }
        if let Some(value) = self.vector_unary(op, value, span) {
            return Operand::Value(value);
        }
        let types = self.types();
        let complex = matches!(types[ty], Type::Complex(_));
        let allowed = match op {
            ast::UnaryOp::BitNot => types.is_integer(ty) || complex,
            ast::UnaryOp::Not => types.is_scalar(ty),
            _ => types.is_arithmetic(ty),
        };
        if !allowed {
            let name = self.type_name(ty);
            self.error(span, format!("invalid operand of type `{name}` to unary operator"));
            return self.error_operand(span);
        }
        Operand::Value(match op {
            ast::UnaryOp::Not => match self.constant_bits(value) {
                Some(bits) => self.integer(i128::from(bits.get() == 0), TypeId::INT, span),
                None => self.expr(ExprKind::Not(value), TypeId::INT, span),
            },
            ast::UnaryOp::Plus => self.promote(value),
            ast::UnaryOp::Minus => self.unary_node(UnaryOp::Negate, value, span),
            ast::UnaryOp::BitNot => self.unary_node(UnaryOp::Complement, value, span),
            ast::UnaryOp::Real => self.part(UnaryOp::Real, value, span),
            _ => self.part(UnaryOp::Imaginary, value, span),
        })
    }

    fn unary_node(&mut self, op: UnaryOp, value: ExprId, span: Span) -> ExprId {
        let operand = self.promote(value);
        let ty = self.ty(operand);
        if let Some(bits) = self.constant_bits(operand)
            && let Some(folded) = self.fold_unary(op, bits, ty, super::constant::Overflow::Keep)
        {
            return self.expr(ExprKind::Integer(folded), ty, span);
        }
        self.expr(ExprKind::Unary { op, operand }, ty, span)
    }

    fn part(&mut self, op: UnaryOp, operand: ExprId, span: Span) -> ExprId {
        match self.types()[self.ty(operand)] {
            Type::Complex(part) => self.expr(ExprKind::Unary { op, operand }, part, span),
            _ if op == UnaryOp::Real => operand,
            _ => {
                let zero = self.integer(0, TypeId::INT, span);
                let ty = self.ty(operand);
                let zero = self.convert(zero, ty);
                self.expr(ExprKind::Comma(Box::new([operand, zero])), ty, span)
            }
        }
    }

    pub(super) fn address_of(&mut self, operand: Operand, span: Span) -> ExprId {
        match operand {
            Operand::Function(function, _) => self.function_address(function, span),
            Operand::Place(place) => {
                let data = &self.program.places[place];
                let (ty, qualifiers) = (data.ty, data.qualifiers);
                if ty == TypeId::ERROR {
                    return self.error_expr(span);
                }
                match data.kind {
                    PlaceKind::Deref(pointer) => return pointer,
                    PlaceKind::Temporary(_) => {
                        self.error(span, "cannot take the address of an rvalue");
                        return self.error_expr(span);
                    }
                    _ => {}
                }
                if self.bit_width(place).is_some() {
                    self.error(span, "cannot take the address of a bit-field");
                    return self.error_expr(span);
                }
                self.take_address(place);
                let pointee = self.qualify(ty.into(), qualifiers);
                let pointer = self.program.types.pointer(pointee);
                self.expr(ExprKind::AddressOf(place), pointer, span)
            }
            Operand::Value(value) => {
                if self.ty(value) != TypeId::ERROR {
                    self.error(span, "cannot take the address of an rvalue");
                }
                self.error_expr(span)
            }
        }
    }

    /// Checks an operand as a modifiable lvalue.
    pub(super) fn modifiable(&mut self, operand: Operand, span: Span) -> Option<PlaceId> {
        let Operand::Place(place) = operand else {
            if self.operand_type(operand) != TypeId::ERROR {
                self.error(span, "expression is not assignable: lvalue required");
            }
            return None;
        };
        let data = &self.program.places[place];
        let (ty, qualifiers) = (data.ty, data.qualifiers);
        if ty == TypeId::ERROR {
            return None;
        }
        let mut root = place;
        while let PlaceKind::Field { base, .. } | PlaceKind::Index { array: base, .. } =
            self.program.places[root].kind
        {
            root = base;
        }
        if matches!(self.program.places[root].kind, PlaceKind::Temporary(_)) {
            self.error(span, "expression is not assignable: member of an rvalue");
            return None;
        }
        let problem = match self.types()[ty] {
            Type::Array(..) => "array type is not assignable",
            Type::Function(_) => "function type is not assignable",
            Type::Void => "`void` is not assignable",
            _ if qualifiers.contains(Qualifier::Const) => "assignment to a `const` object",
            _ if self.types().layout(ty).is_none() => "assignment to an object of incomplete type",
            _ => return Some(place),
        };
        self.error(span, problem);
        None
    }

    pub(super) fn assignment(
        &mut self,
        op: Option<BinaryOp>,
        lhs: ast::ExprId,
        rhs: ast::ExprId,
        span: Span,
    ) -> ExprId {
        let target = self.operand(lhs);
        let place = self.modifiable(target, self.ast[lhs].span);
        let value = self.value(rhs);
        let Some(place) = place else { return self.error_expr(span) };
        let ty = self.program.places[place].ty;
        let Some(op) = op else {
            let value = self.assign_convert(value, ty, "assignment", span);
            let ty = self.value_type(place);
            return self.expr(ExprKind::Assign { place, value }, ty, span);
        };
        let Operation::Arithmetic(op) = operation(op) else { return self.error_expr(span) };
        self.modify(place, op, value, ModifyResult::New, span)
    }

    fn step(&mut self, operand: Operand, op: Arithmetic, result: ModifyResult, span: Span) -> Operand {
        let Some(place) = self.modifiable(operand, span) else { return self.error_operand(span) };
        let ty = self.program.places[place].ty;
        if !self.types().is_scalar(ty) && self.vector(ty).is_none() {
            let name = self.type_name(self.program.places[place].ty);
            self.error(span, format!("invalid operand of type `{name}` to unary operator"));
            return self.error_operand(span);
        }
        let one = self.integer(1, TypeId::INT, span);
        Operand::Value(self.modify(place, op, one, result, span))
    }

    fn modify(
        &mut self,
        place: PlaceId,
        op: Arithmetic,
        operand: ExprId,
        result: ModifyResult,
        span: Span,
    ) -> ExprId {
        let ty = self.program.places[place].ty;
        let held = self.value_type(place);
        let old = self.expr(ExprKind::Old, held, span);
        let value = self.arithmetic(op, old, operand, span);
        let value = self.assign_convert(value, ty, "assignment", span);
        self.expr(ExprKind::Modify { place, value, result }, held, span)
    }

    pub(super) fn conditional(
        &mut self,
        condition: ast::ExprId,
        then: Option<ast::ExprId>,
        otherwise: ast::ExprId,
        span: Span,
    ) -> ExprId {
        let first = self.value(condition);
        let mut test = self.condition(first);
        let then = match then {
            Some(then) => self.value(then),
            None if self.function.is_none() || self.constant_bits(first).is_some() => first,
            None => {
                // `a ?: b`: a hidden local keeps the value of `a`.
                let first = self.promote(first);
                let (local, assign) = self.hidden(first);
                test = assign;
                let place = self.local_place(local, span);
                self.load(place)
            }
        };
        let otherwise = self.value(otherwise);
        if let Some(unknown) = self.unknown_operand(&[then, otherwise], span) {
            return unknown;
        }
        let Some(ty) = self.conditional_type(then, otherwise, span) else { return self.error_expr(span) };
        let (then, otherwise) = if self.types().is_arithmetic(ty) {
            let (then, otherwise) = (self.promote(then), self.promote(otherwise));
            (self.convert(then, ty), self.convert(otherwise, ty))
        } else {
            (self.convert(then, ty), self.convert(otherwise, ty))
        };
        if let Some(bits) = self.constant_bits(test) {
            return if bits.get() != 0 { then } else { otherwise };
        }
        self.expr(ExprKind::Conditional { condition: test, then, otherwise }, ty, span)
    }

    fn conditional_type(&mut self, then: ExprId, otherwise: ExprId, span: Span) -> Option<TypeId> {
        let (x, y) = (self.ty(then), self.ty(otherwise));
        if x == TypeId::ERROR || y == TypeId::ERROR {
            return None;
        }
        let types = self.types();
        if types.is_arithmetic(x) && types.is_arithmetic(y) {
            let (x, y) = (self.integer_promoted_type(x), self.integer_promoted_type(y));
            return Some(self.common_type(x, y));
        }
        if x == y {
            return Some(x);
        }
        if x == TypeId::VOID || y == TypeId::VOID {
            return Some(TypeId::VOID);
        }
        match (types.pointee(x), types.pointee(y)) {
            (Some(_), _) if self.is_null_constant(otherwise) => Some(x),
            (_, Some(_)) if self.is_null_constant(then) => Some(y),
            (Some(a), Some(b)) => {
                let qualifiers = a.qualifiers.union(b.qualifiers);
                let ty = if self.compatible(a.ty, b.ty) {
                    self.composite(a.ty, b.ty)
                } else {
                    if a.ty != TypeId::VOID && b.ty != TypeId::VOID {
                        self.warning(span, "pointer type mismatch in conditional expression");
                    }
                    TypeId::VOID
                };
                Some(self.program.types.pointer(QualType { ty, qualifiers }))
            }
            (Some(_), None) if types.is_integer(y) => {
                self.warning(span, "pointer/integer type mismatch in conditional expression");
                Some(x)
            }
            (None, Some(_)) if types.is_integer(x) => {
                self.warning(span, "pointer/integer type mismatch in conditional expression");
                Some(y)
            }
            _ => {
                let (x, y) = (self.type_name(x), self.type_name(y));
                self.error(
                    span,
                    format!("incompatible operand types in conditional expression: `{x}` and `{y}`"),
                );
                None
            }
        }
    }
}
