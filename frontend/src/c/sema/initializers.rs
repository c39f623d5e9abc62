//! Initializers: flattens braces and designators to a list of stores.
//!
//! A braced list is processed with a stack of *frames*, one for each aggregate entered without its
//! own braces (C11 6.7.9p20). A designator truncates the stack to the outermost frame and rebuilds
//! it. The depth of the stack is bounded by the depth of the type; only explicit braces recurse.

use super::Checker;
use super::operand::Operand;
use super::overrides::{Frame, MAX_COPIES, Target, Walk};
use crate::c::hir::{ExprId, ExprKind, Fill, InitEntry, InitId, InitValue, Initializer, Repeat};
use crate::c::types::{ArrayLength, RecordId, Type, TypeId};
use grammars::c::ast::{self, Designator, InitItem, InitializerKind, RecordKind};
use grammars::source::Span;

/// Whether the values must be constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Storage {
    Static,
    Automatic,
}

/// A checked initializer.
pub(super) struct Initialized {
    pub(super) init: InitId,
    /// The type of the object, with its length completed.
    pub(super) ty: TypeId,
    /// The additional size of a flexible array member, in bytes.
    pub(super) extra_size: u64,
}

impl Checker<'_> {
    /// Checks the initializer of an object. Returns `None` if its type cannot be initialized; an
    /// error was then reported.
    pub(super) fn initializer(
        &mut self,
        id: ast::InitId,
        ty: TypeId,
        storage: Storage,
    ) -> Option<Initialized> {
        let span = self.ast[id].span;
        if ty == TypeId::ERROR {
            self.check_anyway(id);
            return None;
        }
        let mut walk = Walk::new(storage);
        let target = Target { ty, offset: 0, bits: None, depth: 0 };
        let length = self.initialize(target, id, &mut walk);
        let mut ty = ty;
        if let (Type::Array(element, ArrayLength::Incomplete), Some(length)) = (&self.types()[ty], length) {
            let element = *element;
            ty = self.program.types.array(element, ArrayLength::Known(length));
        }
        let covered = match &*walk.entries {
            [entry] => entry.ty == ty && matches!(entry.value, InitValue::Expr(_)) && entry.repeat.is_none(),
            _ => false,
        };
        let fill = if covered { Fill::Covered } else { Fill::Zero };
        let size = self.types().size(ty).unwrap_or(0);
        let extra_size = walk.extra_end.saturating_sub(size);
        if walk.replaces_copies {
            self.find_replaced_ranges(&mut walk);
        }
        let (entries, overridden) = (walk.entries.into_boxed_slice(), walk.overridden.into_boxed_slice());
        let init = Initializer { ty, fill, entries, overridden, span };
        Some(Initialized { init: self.program.inits.push(init), ty, extra_size })
    }

    /// Checks the expressions of an initializer for an object without a valid type.
    fn check_anyway(&mut self, id: ast::InitId) {
        let ast = self.ast;
        match &ast[id].kind {
            InitializerKind::Expr(expr) => {
                self.value(*expr);
            }
            InitializerKind::List(items) => {
                for item in items {
                    self.check_anyway(item.init);
                }
            }
        }
    }

    /// Initializes a part from its own initializer. Returns the length of an array without one.
    fn initialize(&mut self, target: Target, id: ast::InitId, walk: &mut Walk) -> Option<u64> {
        let ast = self.ast;
        let init = &ast[id];
        match &init.kind {
            InitializerKind::Expr(expr) => self.initialize_with(target, *expr, init.span, walk),
            InitializerKind::List(items) => match self.types()[target.ty] {
                Type::Array(..) | Type::Record(_) | Type::Vector(..) => {
                    // `char s[] = {"text"}`: a string literal in braces
                    if let [item] = &**items
                        && item.designators.is_empty()
                        && let InitializerKind::Expr(expr) = ast[item.init].kind
                        && let Some(length) = self.string_initializer(target, expr, init.span, walk)
                    {
                        return Some(length);
                    }
                    self.list(target, items, init.span, walk)
                }
                _ => {
                    match &**items {
                        [] => {
                            let zero = self.integer(0, TypeId::INT, init.span);
                            let zero = self.convert(zero, target.ty);
                            self.push_entry(target, InitValue::Expr(zero), init.span, walk);
                        }
                        [first, rest @ ..] => {
                            if !rest.is_empty() {
                                self.warning(init.span, "excess elements in scalar initializer");
                                rest.iter().for_each(|item| self.check_anyway(item.init));
                            }
                            if !first.designators.is_empty() {
                                self.error(init.span, "designator in initializer for scalar type");
                            }
                            self.initialize(target, first.init, walk);
                        }
                    }
                    None
                }
            },
        }
    }

    /// Initializes a whole part from an expression.
    fn initialize_with(
        &mut self,
        target: Target,
        expr: ast::ExprId,
        span: Span,
        walk: &mut Walk,
    ) -> Option<u64> {
        let ast = self.ast;
        if let Some(length) = self.string_initializer(target, expr, span, walk) {
            return Some(length);
        }
        // A compound literal acts as its braced list if it initializes a static object or (GNU) an
        // array.
        if let ast::ExprKind::CompoundLiteral { type_name, init } = ast[expr].kind
            && (walk.storage == Storage::Static || self.types().is_array(target.ty))
        {
            let ty = self.type_name_type(type_name, super::declarators::Site::File);
            if self.compatible(ty.ty, target.ty) {
                return self.initialize(target, init, walk);
            }
        }
        let value = self.value(expr);
        if self.types().is_array(target.ty) {
            if self.ty(value) != TypeId::ERROR {
                self.error(span, "array initializer must be a braced list or a string literal");
            }
            return None;
        }
        self.store(target, value, span, walk);
        None
    }

    /// Adds an entry for a value, after conversion to the type of the part.
    fn store(&mut self, target: Target, value: ExprId, span: Span, walk: &mut Walk) {
        let mut value = self.assign_convert(value, target.ty, "initialization", span);
        if walk.storage == Storage::Static {
            value = self.static_value(value, span);
        }
        self.push_entry(target, InitValue::Expr(value), span, walk);
    }

    /// Initializes a character array from a string literal; `None` if the target or the expression
    /// is something else.
    fn string_initializer(
        &mut self,
        target: Target,
        expr: ast::ExprId,
        span: Span,
        walk: &mut Walk,
    ) -> Option<u64> {
        let ast = self.ast;
        let ast::ExprKind::String(string) = ast[expr].kind else { return None };
        let Type::Array(element, length) = self.types()[target.ty] else { return None };
        let unit = self.string_unit(ast[string].encoding);
        let kind = self.types().integer_kind(element.ty)?;
        let unit_kind = self.types().integer_kind(unit)?;
        let model = self.types().model;
        if kind.rank() == 0
            || (kind.rank() == 1) != (unit_kind.rank() == 1)
            || kind.width(model) != unit_kind.width(model)
        {
            return None;
        }
        let mut bytes = self.string_bytes(string);
        let width = u64::from(kind.width(model) / 8);
        let units = bytes.len() as u64 / width;
        let length = match length {
            ArrayLength::Known(length) => {
                if units > length + 1 {
                    self.warning(span, "initializer string is longer than the array");
                }
                bytes.truncate(usize::try_from(length.saturating_mul(width)).unwrap_or(usize::MAX));
                length
            }
            _ => units,
        };
        walk.extra_end = walk.extra_end.max(target.offset + length * width);
        // Trailing zeros need no entry: the object is zeroed first.
        self.forget(target, None, span, walk);
        let ty = self.program.types.array(element, ArrayLength::Known(length));
        let part = Target { ty, ..target };
        self.push_entry(part, InitValue::Bytes(bytes.into_boxed_slice()), span, walk);
        Some(length)
    }

    /// Processes a braced list. Returns the length of an array without one.
    fn list(&mut self, target: Target, items: &[InitItem], span: Span, walk: &mut Walk) -> Option<u64> {
        self.forget(target, None, span, walk);
        let Some(root) = self.frame(target) else {
            let name = self.type_name(target.ty);
            self.error(span, format!("incomplete type `{name}`"));
            items.iter().for_each(|item| self.check_anyway(item.init));
            return None;
        };
        let mut stack = vec![root];
        let mut length = 0;
        for item in items {
            let mut repeat = None;
            if !item.designators.is_empty() {
                stack.truncate(1);
                match self.designate(&mut stack, &item.designators, span) {
                    Some(range) => repeat = range,
                    None => {
                        self.check_anyway(item.init);
                        continue;
                    }
                }
            }
            let placed = match repeat {
                None => self.item(&mut stack, item.init, walk),
                Some((_, repeat)) => self.range(&mut stack, item.init, repeat, walk),
            };
            if !placed {
                let span = self.ast[item.init].span;
                self.warning(span, "excess elements in initializer");
                self.check_anyway(item.init);
                continue;
            }
            if let Some((depth, repeat)) = repeat {
                // Initialization continues after the last copy.
                if let Some(frame) = stack.get_mut(depth) {
                    frame.next += repeat.count - 1;
                }
                for inner in stack.iter_mut().skip(depth + 1) {
                    inner.offset = inner.offset.saturating_add(repeat.reach());
                }
            }
            let root = stack[0];
            length = length.max(if stack.len() > 1 { root.next + 1 } else { root.next });
        }
        if let Type::Array(element, ArrayLength::Incomplete) = self.types()[target.ty] {
            let size = self.types().size(element.ty).unwrap_or(0);
            walk.extra_end = walk.extra_end.max(target.offset.saturating_add(size.saturating_mul(length)));
        }
        Some(length)
    }

    /// Makes the frame of an aggregate; `None` for a type without elements.
    fn frame(&self, target: Target) -> Option<Frame> {
        let count = match &self.types()[target.ty] {
            Type::Array(_, ArrayLength::Known(count)) => Some(*count),
            Type::Array(_, ArrayLength::Incomplete) => None,
            Type::Vector(_, lanes) => Some(*lanes),
            Type::Record(record) => {
                let record = &self.types().records[*record];
                let fields = record.definition.as_ref()?.fields.len() as u64;
                Some(fields)
            }
            _ => return None,
        };
        Some(Frame { ty: target.ty, offset: target.offset, depth: target.depth, next: 0, count })
    }

    /// The next part of a frame.
    fn current(&self, frame: &Frame) -> Option<Target> {
        if frame.count.is_some_and(|count| frame.next >= count) {
            return None;
        }
        let depth = frame.depth + 1;
        match &self.types()[frame.ty] {
            Type::Array(element, _) => {
                let offset =
                    self.types().size(element.ty)?.checked_mul(frame.next)?.checked_add(frame.offset)?;
                Some(Target { ty: element.ty, offset, bits: None, depth })
            }
            Type::Vector(element, _) => {
                let offset = frame.offset + self.types().size(*element)? * frame.next;
                Some(Target { ty: *element, offset, bits: None, depth })
            }
            Type::Record(record) => {
                let definition = self.types().records[*record].definition.as_ref()?;
                let field = definition.fields.get(usize::try_from(frame.next).ok()?)?;
                let offset = frame.offset + field.offset;
                Some(Target { ty: field.ty, offset, bits: field.bits, depth })
            }
            _ => None,
        }
    }

    /// Advances a frame past the part just initialized; a union is then full.
    fn advance(&self, frame: &mut Frame) {
        frame.next += 1;
        if let Type::Record(record) = self.types()[frame.ty]
            && self.types().records[record].kind == RecordKind::Union
        {
            frame.next = frame.count.unwrap_or(frame.next).max(frame.next);
        }
    }

    /// Stores one item at the next part. Returns whether there was one.
    fn item(&mut self, stack: &mut Vec<Frame>, init: ast::InitId, walk: &mut Walk) -> bool {
        let ast = self.ast;
        let mut value: Option<ExprId> = None;
        for frame in stack.iter().rev().skip(1).rev() {
            self.select_member(frame, ast[init].span, walk);
        }
        loop {
            let Some(frame) = stack.last() else { return false };
            let Some(target) = self.current(frame) else {
                if stack.len() == 1 {
                    return false;
                }
                stack.pop();
                if let Some(mut outer) = stack.pop() {
                    self.advance(&mut outer);
                    stack.push(outer);
                }
                continue;
            };
            let span = ast[init].span;
            self.select_member(frame, span, walk);
            let InitializerKind::Expr(expr) = ast[init].kind else {
                self.initialize(target, init, walk);
                break;
            };
            let is_aggregate =
                matches!(self.types()[target.ty], Type::Array(..) | Type::Record(_) | Type::Vector(..));
            if !is_aggregate {
                let value = match value {
                    Some(value) => value,
                    None => self.value(expr),
                };
                self.store(target, value, span, walk);
                break;
            }
            if self.string_initializer(target, expr, span, walk).is_some() {
                break;
            }
            if let ast::ExprKind::CompoundLiteral { type_name, .. } = ast[expr].kind
                && walk.storage == Storage::Static
            {
                let ty = self.type_name_type(type_name, super::declarators::Site::File);
                if self.compatible(ty.ty, target.ty) {
                    self.initialize_with(target, expr, span, walk);
                    break;
                }
            }
            let known = match value {
                Some(value) => value,
                None => *value.insert(self.value(expr)),
            };
            let ty = self.ty(known);
            if ty == TypeId::ERROR {
                break;
            }
            if !self.types().is_array(target.ty) && self.compatible(ty, target.ty) {
                self.store(target, known, span, walk);
                break;
            }
            // The braces are elided: enter the aggregate.
            match self.frame(target).filter(|frame| frame.count != Some(0)) {
                Some(inner) => stack.push(inner),
                None => {
                    let Some(frame) = stack.last_mut() else { return false };
                    frame.next += 1;
                }
            }
        }
        if let Some(mut frame) = stack.pop() {
            self.advance(&mut frame);
            stack.push(frame);
        }
        true
    }

    /// Follows designators from the outermost frame. Returns the frame index of the range, if there
    /// is one.
    fn designate(
        &mut self,
        stack: &mut Vec<Frame>,
        designators: &[Designator],
        span: Span,
    ) -> Option<Option<(usize, Repeat)>> {
        let mut range = None;
        for (position, designator) in designators.iter().enumerate() {
            if position > 0 {
                let frame = stack.last()?;
                let target = self.current(frame)?;
                let Some(inner) = self.frame(target) else {
                    self.error(span, "designator in initializer for scalar type");
                    return None;
                };
                stack.push(inner);
            }
            let depth = stack.len() - 1;
            let frame = stack[depth];
            match *designator {
                Designator::Field(ident) => {
                    let Type::Record(record) = self.types()[frame.ty] else {
                        self.error(
                            ident.span,
                            "member designator in initializer for a type that is not a structure or union",
                        );
                        return None;
                    };
                    let Some(path) = self.find_field(record, ident.name) else {
                        let text = format!("no member named `{}`", self.text(ident.name));
                        self.error(ident.span, text);
                        return None;
                    };
                    self.enter_path(stack, &path)?;
                }
                Designator::Index(low) | Designator::Range(low, _) => {
                    let Type::Array(element, _) = self.types()[frame.ty] else {
                        self.error(self.ast[low].span, "array designator in initializer for non-array type");
                        return None;
                    };
                    let (first, _) = self.constant(low)?;
                    let last = match *designator {
                        Designator::Range(_, high) => self.constant(high)?.0,
                        _ => first,
                    };
                    let limit = frame.count.map_or(i128::from(i64::MAX), i128::from);
                    if first < 0 || last < first || last >= limit {
                        self.error(self.ast[low].span, "array designator index exceeds array bounds");
                        return None;
                    }
                    let stride = self.types().size(element.ty)?;
                    stack[depth].next = first as u64;
                    if last > first {
                        if range.is_some() {
                            self.error(span, "more than one range in a designator is not supported");
                            return None;
                        }
                        range = Some((depth, Repeat { count: (last - first + 1) as u64, stride }));
                    }
                }
            }
        }
        Some(range)
    }

    /// Enters the anonymous records on the path to a member.
    fn enter_path(&mut self, stack: &mut Vec<Frame>, path: &[(RecordId, u32)]) -> Option<()> {
        for (step, &(_, field)) in path.iter().enumerate() {
            if step > 0 {
                let target = self.current(stack.last()?)?;
                stack.push(self.frame(target)?);
            }
            stack.last_mut()?.next = u64::from(field);
        }
        Some(())
    }

    /// Stores one item at the next part and at its copies. Returns whether there was a part.
    fn range(&mut self, stack: &mut Vec<Frame>, init: ast::InitId, repeat: Repeat, walk: &mut Walk) -> bool {
        let span = self.ast[init].span;
        let Some(target) = stack.last().and_then(|frame| self.current(frame)) else { return false };
        let is_whole = match (&self.ast[init].kind, &self.types()[target.ty]) {
            (InitializerKind::List(_), Type::Array(..) | Type::Record(_) | Type::Vector(..)) => true,
            (&InitializerKind::Expr(expr), Type::Array(element, _)) => match self.ast[expr].kind {
                ast::ExprKind::String(_) => self.types().is_integer(element.ty),
                ast::ExprKind::CompoundLiteral { .. } => true,
                _ => false,
            },
            (&InitializerKind::Expr(expr), Type::Record(_)) => {
                matches!(self.ast[expr].kind, ast::ExprKind::CompoundLiteral { .. })
            }
            _ => false,
        };
        let size = self.types().size(target.ty).unwrap_or(0);
        let start = target.offset.saturating_mul(8);
        let end = target.offset.saturating_add(size).saturating_add(repeat.reach()).saturating_mul(8);
        let is_covered = walk.is_covered(start, end);
        if is_whole {
            self.forget(target, Some(repeat), span, walk);
        }
        // The entries of the first copy, apart from those of earlier items.
        let mut one = Walk::new(walk.storage);
        let placed = self.item(stack, init, &mut one);
        if !one.members.is_empty() {
            if is_covered {
                self.error(span, "a range of unions that overrides other initializers is not supported");
            }
            walk.has_union_in_range = true;
        }
        walk.overridden.append(&mut one.overridden);
        walk.replaces_copies |= one.replaces_copies;
        if one.extra_end > 0 {
            walk.extra_end = walk.extra_end.max(one.extra_end.saturating_add(repeat.reach()));
        }
        if one.entries.iter().all(|entry| entry.repeat.is_none()) {
            for entry in one.entries {
                self.add_entry(InitEntry { repeat: Some(repeat), ..entry }, walk);
            }
            return placed;
        }
        if repeat.count > MAX_COPIES {
            self.error(span, "ranges within a range of this size are not supported");
            return placed;
        }
        for copy in 0..repeat.count {
            for entry in &one.entries {
                let offset = entry.offset.saturating_add(copy.saturating_mul(repeat.stride));
                self.add_entry(InitEntry { offset, ..entry.clone() }, walk);
            }
        }
        placed
    }

    /// A value for an object of static storage duration: integers are folded; others must be
    /// constant.
    fn static_value(&mut self, value: ExprId, span: Span) -> ExprId {
        let ty = self.ty(value);
        if ty == TypeId::ERROR {
            return value;
        }
        if self.types().is_integer(ty) || self.types().is_pointer(ty) {
            if self.constant_bits(value).is_some() {
                return value;
            }
            self.reads_constants = true;
            let known = self.evaluate(value);
            self.reads_constants = false;
            if let Some(bits) = known {
                return self.expr(ExprKind::Integer(bits), ty, span);
            }
        }
        if !self.is_constant(value) {
            self.error(span, "initializer element is not constant");
        }
        value
    }

    /// Makes a value of union type from a value of one of its members.
    pub(super) fn union_value(
        &mut self,
        record: RecordId,
        member: u32,
        value: ExprId,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let Some(definition) = &self.types().records[record].definition else {
            return self.error_expr(span);
        };
        let field = definition.fields[member as usize];
        let value = self.convert(value, field.ty);
        let entry = InitEntry {
            offset: field.offset,
            bits: field.bits,
            ty: field.ty,
            value: InitValue::Expr(value),
            repeat: None,
            span,
        };
        let init = Initializer {
            ty,
            fill: Fill::Zero,
            entries: Box::new([entry]),
            overridden: Box::default(),
            span,
        };
        let init = self.program.inits.push(init);
        self.expr(ExprKind::Aggregate(init), ty, span)
    }

    /// Returns the value of an expression of the syntax tree.
    pub(super) fn value(&mut self, id: ast::ExprId) -> ExprId {
        let operand: Operand = self.operand(id);
        self.rvalue(operand)
    }
}
