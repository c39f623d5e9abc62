//! Expressions except operators and calls.

use super::Checker;
use super::declarators::{Evaluated, Site};
use super::initializers::Storage;
use super::operand::Operand;
use super::scope::Meaning;
use crate::c::hir::{
    Definition, ExprId, ExprKind, Global, GlobalKind, Linkage, Local, LocalKind, PlaceId, PlaceKind, Scale,
    Symbol,
};
use crate::c::types::{ArrayLength, QualType, RecordId, Type, TypeId};
use grammars::c::ast::{self, Ident, InitId, MemberAccess, Name, OffsetofStep, Qualifiers, TypeNameId};
use grammars::source::{Diagnostic, Span};

impl Checker<'_> {
    /// Checks an expression.
    pub(super) fn operand(&mut self, id: ast::ExprId) -> Operand {
        let ast = self.ast;
        let ast::Expr { kind, span } = &ast[id];
        let span = *span;
        match kind {
            ast::ExprKind::Name(name) => self.name(*name, span),
            ast::ExprKind::Integer(id) => Operand::Value(self.integer_literal(*id, span)),
            ast::ExprKind::Float(id) => Operand::Value(self.float_literal(*id, span)),
            ast::ExprKind::Char(id) => Operand::Value(self.char_literal(*id, span)),
            ast::ExprKind::String(id) => self.string_literal(*id, span),
            ast::ExprKind::Generic { control, associations } => self.generic(*control, associations, span),
            ast::ExprKind::Statement(stmt) => Operand::Value(self.statement_expression(*stmt, span)),
            ast::ExprKind::Index { base, index } => self.index(*base, *index, span),
            ast::ExprKind::Call { callee, arguments } => Operand::Value(self.call(*callee, arguments, span)),
            ast::ExprKind::Member { base, access, field } => self.member(*base, *access, *field, span),
            ast::ExprKind::CompoundLiteral { type_name, init } => {
                self.compound_literal(*type_name, *init, span)
            }
            ast::ExprKind::Unary { op, operand } => self.unary(*op, *operand, span),
            ast::ExprKind::SizeofExpr(operand) => {
                let ty = self.typeof_expr(*operand, Evaluated::VariableLength).ty;
                Operand::Value(self.sizeof(ty, span))
            }
            ast::ExprKind::SizeofType(name) => {
                let before = self.pending.len();
                let ty = self.type_name_type(*name, self.site()).ty;
                if !self.types().is_variable(ty) {
                    self.forget_pending(before);
                }
                Operand::Value(self.sizeof(ty, span))
            }
            ast::ExprKind::AlignofExpr(operand) => Operand::Value(self.alignof_expr(*operand, span)),
            ast::ExprKind::AlignofType(alignment, name) => {
                let before = self.pending.len();
                let (ty, declared) = self.aligned_type_name(*name, self.site());
                self.forget_pending(before);
                Operand::Value(self.alignof(ty, *alignment, declared, span))
            }
            ast::ExprKind::Cast { type_name, operand } => {
                let ty = self.type_name_type(*type_name, self.site()).ty;
                let value = self.value(*operand);
                let value = self.cast(value, ty, span);
                Operand::Value(self.after_pending(value))
            }
            ast::ExprKind::Binary { .. } => Operand::Value(self.binary_spine(id)),
            ast::ExprKind::Comma { .. } => Operand::Value(self.comma_spine(id, span)),
            ast::ExprKind::Conditional { condition, then, otherwise } => {
                Operand::Value(self.conditional(*condition, *then, *otherwise, span))
            }
            ast::ExprKind::Assign { op, lhs, rhs } => Operand::Value(self.assignment(*op, *lhs, *rhs, span)),
            ast::ExprKind::LabelAddress(label) => Operand::Value(self.label_address(*label, span)),
            ast::ExprKind::VaArg { list, type_name } => {
                let ty = self.type_name_type(*type_name, self.site()).ty;
                Operand::Value(self.va_arg(*list, ty, span))
            }
            ast::ExprKind::ConvertVector { value, type_name } => {
                let ty = self.type_name_type(*type_name, self.site()).ty;
                Operand::Value(self.convert_vector(*value, ty, span))
            }
            ast::ExprKind::Offsetof { type_name, path } => {
                let ty = self.type_name_type(*type_name, self.site()).ty;
                Operand::Value(self.offsetof(ty, path, span))
            }
            ast::ExprKind::TypesCompatible(a, b) => {
                let a = self.type_name_type(*a, self.site()).ty;
                let b = self.type_name_type(*b, self.site()).ty;
                // Enumerations are distinct types here.
                let is_enum = |ty| matches!(self.types()[ty], Type::Enum(_));
                let same = if is_enum(a) || is_enum(b) { a == b } else { self.compatible(a, b) };
                Operand::Value(self.integer(i128::from(same), TypeId::INT, span))
            }
            ast::ExprKind::Choose { condition, then, otherwise } => match self.constant(*condition) {
                Some((0, _)) => self.operand(*otherwise),
                Some(_) => self.operand(*then),
                None => self.error_operand(span),
            },
        }
    }

    /// The position of types named in expressions.
    fn site(&self) -> Site {
        if self.function.is_some() { Site::Block } else { Site::File }
    }

    fn name(&mut self, name: Name, span: Span) -> Operand {
        match self.scopes.symbol(name).map(|symbol| symbol.meaning) {
            Some(Meaning::Local(local)) => Operand::Place(self.local_place(local, span)),
            Some(Meaning::Global(global)) => {
                let data = &self.program.globals[global];
                let (ty, qualifiers) = (data.ty, data.qualifiers);
                Operand::Place(self.place(PlaceKind::Global(global), ty, qualifiers, span))
            }
            Some(Meaning::Function(function)) => Operand::Function(function, span),
            Some(Meaning::EnumConstant { ty, value }) => {
                Operand::Value(self.expr(ExprKind::Integer(value), ty, span))
            }
            Some(Meaning::Typedef { .. }) => {
                let text = format!("unexpected type name `{}`: expected expression", self.text(name));
                self.error(span, text);
                self.error_operand(span)
            }
            Some(Meaning::Error) => self.error_operand(span),
            None => {
                if matches!(self.text(name), "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
                    return self.function_name(span);
                }
                if let Some(function) = self.library_function(name, span) {
                    return Operand::Function(function, span);
                }
                let error =
                    Diagnostic::error(span, format!("use of undeclared identifier `{}`", self.text(name)));
                let error = match grammars::c::declaration_hint(self.text(name)) {
                    Some(hint) => error.with_help(hint),
                    None => error,
                };
                self.report(error);
                // One report per scope.
                self.scopes.declare(name, Meaning::Error, span);
                self.error_operand(span)
            }
        }
    }

    fn generic(&mut self, control: ast::ExprId, list: &[ast::GenericAssociation], span: Span) -> Operand {
        self.unevaluated += 1;
        let control = self.value(control);
        self.unevaluated -= 1;
        let ty = self.ty(control);
        let mut chosen = None;
        let mut default = None;
        for association in list {
            match association.type_name {
                None => default = Some(association.value),
                Some(name) => {
                    let named = self.type_name_type(name, Site::Block);
                    if named.qualifiers.is_empty() && self.compatible(named.ty, ty) && chosen.is_none() {
                        chosen = Some(association.value);
                    }
                }
            }
        }
        match chosen.or(default) {
            Some(value) => self.operand(value),
            None => {
                let name = self.type_name(ty);
                self.error(span, format!("no `_Generic` association matches the type `{name}`"));
                self.error_operand(span)
            }
        }
    }

    fn index(&mut self, base: ast::ExprId, index: ast::ExprId, span: Span) -> Operand {
        let base = self.operand(base);
        let index = self.operand(index);
        if self.vector(self.operand_type(base)).is_some() {
            let index = self.rvalue(index);
            return self.vector_element(base, index, span);
        }
        if let Operand::Place(array) = base
            && self.types().is_array(self.program.places[array].ty)
        {
            let index = self.rvalue(index);
            return self.element(array, index, span);
        }
        if let Operand::Place(array) = index
            && self.types().is_array(self.program.places[array].ty)
            && self.types().is_integer(self.operand_type(base))
        {
            // `i[a]`
            let index = self.rvalue(base);
            return self.element(array, index, span);
        }
        let (mut pointer, mut index) = (self.rvalue(base), self.rvalue(index));
        if self.types().is_integer(self.ty(pointer)) && self.types().is_pointer(self.ty(index)) {
            std::mem::swap(&mut pointer, &mut index);
        }
        if self.ty(pointer) == TypeId::ERROR || self.ty(index) == TypeId::ERROR {
            return self.error_operand(span);
        }
        if !self.types().is_pointer(self.ty(pointer)) || !self.types().is_integer(self.ty(index)) {
            self.error(span, "subscript requires an array or a pointer, and an integer");
            return self.error_operand(span);
        }
        let sum = self.pointer_offset(pointer, index, crate::c::hir::Direction::Forward, span);
        self.deref(sum, span)
    }

    /// An element of an array place.
    fn element(&mut self, array: PlaceId, index: ExprId, span: Span) -> Operand {
        let place = &self.program.places[array];
        let (ty, outer) = (place.ty, place.qualifiers);
        let Some(element) = self.types().element(ty) else { return self.error_operand(span) };
        if self.ty(index) == TypeId::ERROR {
            return self.error_operand(span);
        }
        if !self.types().is_integer(self.ty(index)) {
            self.error(span, "array subscript is not an integer");
            return self.error_operand(span);
        }
        let difference = self.types().difference_type();
        let index = self.convert(index, difference);
        let Some(scale) = self.size_of(element.ty, span) else { return self.error_operand(span) };
        let kind = PlaceKind::Index { array, index, scale };
        Operand::Place(self.place(kind, element.ty, element.qualifiers.union(outer), span))
    }

    /// `*pointer`
    pub(super) fn deref(&mut self, pointer: ExprId, span: Span) -> Operand {
        match self.program.exprs[pointer].kind {
            ExprKind::FunctionAddress(function) => return Operand::Function(function, span),
            ExprKind::AddressOf(place) => return Operand::Place(place),
            _ => {}
        }
        let ty = self.ty(pointer);
        match self.types().pointee(ty) {
            Some(pointee) => {
                Operand::Place(self.place(PlaceKind::Deref(pointer), pointee.ty, pointee.qualifiers, span))
            }
            None => {
                if ty != TypeId::ERROR {
                    let name = self.type_name(ty);
                    self.error(
                        span,
                        format!("indirection requires a pointer operand, but the operand has type `{name}`"),
                    );
                }
                self.error_operand(span)
            }
        }
    }

    /// `*e`; the dereference of an array keeps it as a place.
    pub(super) fn dereference(&mut self, operand: Operand, span: Span) -> Operand {
        if let Operand::Place(array) = operand
            && self.types().is_array(self.program.places[array].ty)
        {
            let zero = self.integer(0, TypeId::INT, span);
            return self.element(array, zero, span);
        }
        let pointer = self.rvalue(operand);
        self.deref(pointer, span)
    }

    fn member(&mut self, base: ast::ExprId, access: MemberAccess, field: Ident, span: Span) -> Operand {
        let base = self.operand(base);
        let base = match access {
            MemberAccess::Arrow => self.dereference(base, span),
            MemberAccess::Dot => base,
        };
        let ty = self.operand_type(base);
        if ty == TypeId::ERROR {
            return self.error_operand(span);
        }
        let Type::Record(record) = self.types()[ty] else {
            let name = self.type_name(ty);
            self.error(span, format!("member access into `{name}`, which is not a structure or union"));
            return self.error_operand(span);
        };
        let Some(path) = self.find_field(record, field.name) else {
            let name = self.type_name(ty);
            let text = if self.types().records[record].definition.is_some() {
                format!("`{name}` has no member named `{}`", self.text(field.name))
            } else {
                format!("incomplete type `{name}`")
            };
            let error = Diagnostic::error(field.span, text);
            let error = match self.member_names(record) {
                Some(names) => error.with_help(format!("it has {names}")),
                None => error.with_help("only the tag is declared; the definition is missing"),
            };
            self.report(error);
            return self.error_operand(span);
        };
        let mut place = match base {
            Operand::Place(place) => place,
            Operand::Value(value) => self.place(PlaceKind::Temporary(value), ty, Qualifiers::NONE, span),
            Operand::Function(..) => return self.error_operand(span),
        };
        for (record, index) in path {
            let Some(definition) = &self.types().records[record].definition else { break };
            let field = definition.fields[index as usize];
            let qualifiers = self.program.places[place].qualifiers.union(field.qualifiers);
            let kind = PlaceKind::Field { base: place, record, field: index };
            place = self.place(kind, field.ty, qualifiers, span);
        }
        Operand::Place(place)
    }

    fn compound_literal(&mut self, name: TypeNameId, init: InitId, span: Span) -> Operand {
        let named = self.type_name_type(name, self.site());
        let storage = if self.function.is_some() { Storage::Automatic } else { Storage::Static };
        if self.types().is_variable(named.ty) || self.types().is_function(named.ty) {
            self.error(span, "invalid type of a compound literal");
            return self.error_operand(span);
        }
        let Some(done) = self.initializer(init, named.ty, storage) else { return self.error_operand(span) };
        if self.types().layout(done.ty).is_none() {
            self.error(span, "compound literal has incomplete type");
            return self.error_operand(span);
        }
        let kind = match storage {
            Storage::Automatic => {
                let local = self.program.locals.push(Local {
                    name: None,
                    kind: LocalKind::CompoundLiteral,
                    ty: done.ty,
                    qualifiers: named.qualifiers,
                    align: None,
                    is_address_taken: false,
                    span,
                });
                PlaceKind::CompoundLiteral { local, initializer: done.init }
            }
            Storage::Static => PlaceKind::Global(self.program.globals.push(Global {
                name: None,
                kind: GlobalKind::CompoundLiteral,
                ty: done.ty,
                qualifiers: named.qualifiers,
                linkage: Linkage::None,
                symbol: Symbol::default(),
                definition: Definition::Defined,
                initializer: Some(done.init),
                align: None,
                is_thread_local: false,
                extra_size: done.extra_size,
                span,
            })),
        };
        Operand::Place(self.place(kind, done.ty, named.qualifiers, span))
    }

    fn sizeof(&mut self, ty: TypeId, span: Span) -> ExprId {
        match self.size_of(ty, span) {
            Some(Scale::Constant(size)) => self.size_constant(size, span),
            Some(Scale::Variable(size)) => self.after_pending(size),
            None => self.error_expr(span),
        }
    }

    /// Lists the members of a complete record for messages.
    fn member_names(&self, record: RecordId) -> Option<String> {
        const MOST: usize = 8;
        let definition = self.types().records[record].definition.as_ref()?;
        let names: Vec<String> = (definition.fields.iter())
            .filter_map(|field| Some(format!("`{}`", self.text(field.name?))))
            .take(MOST + 1)
            .collect();
        Some(match names.as_slice() {
            [] => "no members".to_owned(),
            names if names.len() > MOST => format!("{}, …", names[..MOST].join(", ")),
            names => names.join(", "),
        })
    }

    /// `_Alignof e`: for a member its alignment in the record, for an object at least its declared
    /// alignment.
    fn alignof_expr(&mut self, expr: ast::ExprId, span: Span) -> ExprId {
        let before = self.pending.len();
        self.unevaluated += 1;
        let operand = self.operand(expr);
        self.unevaluated -= 1;
        self.forget_pending(before);
        let mut ty = QualType::from(self.operand_type(operand));
        let mut declared = None;
        if let Operand::Place(place) = operand {
            let place = &self.program.places[place];
            ty.qualifiers = place.qualifiers;
            match place.kind {
                PlaceKind::Local(local) => declared = self.program.locals[local].align,
                PlaceKind::Global(global) => declared = self.program.globals[global].align,
                PlaceKind::Field { record, field, .. } => {
                    if let Some(definition) = &self.types().records[record].definition {
                        let field = definition.fields[field as usize];
                        if field.bits.is_some() {
                            self.error(span, "`_Alignof` applied to a bit-field");
                            return self.error_expr(span);
                        }
                        return self.size_constant(field.align, span);
                    }
                }
                _ if self.realigned.contains(&ty.ty) => {
                    let size = self.types().size_type();
                    return self.unsupported("the alignment of an object behind a pointer", size, span);
                }
                _ => {}
            }
        }
        let preferred = self.types().preferred_alignment(ty);
        self.alignof(ty, ast::Alignment::Preferred, declared.max(preferred), span)
    }

    /// The alignment of a type; `declared` overrides it.
    fn alignof(
        &mut self,
        ty: QualType,
        alignment: ast::Alignment,
        declared: Option<u64>,
        span: Span,
    ) -> ExprId {
        if let Some(declared) = declared {
            return self.size_constant(declared, span);
        }
        let mut element = ty;
        while let Type::Array(inner, _) = self.types()[element.ty] {
            element = QualType { ty: inner.ty, qualifiers: element.qualifiers.union(inner.qualifiers) };
        }
        match self.types().qualified_layout(element) {
            Some(layout) => {
                let align = match alignment {
                    // The largest alignment of gcc without AVX.
                    ast::Alignment::Least if self.vector(element.ty).is_some() => layout.align.min(16),
                    ast::Alignment::Least => layout.align,
                    ast::Alignment::Preferred => {
                        self.types().preferred_alignment(element).unwrap_or(layout.align)
                    }
                };
                self.size_constant(align, span)
            }
            None if matches!(self.types()[element.ty], Type::Void | Type::Function(_)) => {
                self.size_constant(1, span)
            }
            None => {
                if ty.ty != TypeId::ERROR {
                    self.error(span, "`_Alignof` applied to an incomplete type");
                }
                self.error_expr(span)
            }
        }
    }

    fn va_arg(&mut self, list: ast::ExprId, ty: TypeId, span: Span) -> ExprId {
        let Some(place) = self.va_list(list) else { return self.error_expr(span) };
        if ty != TypeId::ERROR && self.types().layout(ty).is_none() {
            self.error(span, "the type argument of `va_arg` is incomplete");
            return self.error_expr(span);
        }
        self.expr(ExprKind::VaArg(place), ty, span)
    }

    /// Checks an expression as a place of type `va_list`.
    pub(super) fn va_list(&mut self, list: ast::ExprId) -> Option<PlaceId> {
        let operand = self.operand(list);
        let span = self.operand_span(operand);
        match (operand, self.operand_type(operand)) {
            (_, TypeId::ERROR) => None,
            (Operand::Place(place), TypeId::VA_LIST) => Some(place),
            (Operand::Value(value), TypeId::VA_LIST) => {
                Some(self.place(PlaceKind::Temporary(value), TypeId::VA_LIST, Qualifiers::NONE, span))
            }
            _ => {
                self.error(span, "the argument must have type `va_list`");
                None
            }
        }
    }

    fn offsetof(&mut self, ty: TypeId, path: &[OffsetofStep], span: Span) -> ExprId {
        let size_type = self.types().size_type();
        let mut current = ty;
        let mut offset: u64 = 0;
        let mut variable: Option<ExprId> = None;
        for step in path {
            match *step {
                OffsetofStep::Field(ident) => {
                    let found = match self.types()[current] {
                        Type::Record(record) => self.find_field(record, ident.name),
                        _ => None,
                    };
                    let Some(found) = found else {
                        if current != TypeId::ERROR {
                            let name = self.type_name(current);
                            let text = format!("`{name}` has no member named `{}`", self.text(ident.name));
                            self.error(ident.span, text);
                        }
                        return self.error_expr(span);
                    };
                    for (record, index) in found {
                        let Some(definition) = &self.types().records[record].definition else { break };
                        let field = definition.fields[index as usize];
                        if field.bits.is_some() {
                            self.error(ident.span, "`offsetof` applied to a bit-field");
                            return self.error_expr(span);
                        }
                        offset = offset.wrapping_add(field.offset);
                        current = field.ty;
                    }
                }
                OffsetofStep::Index(index) => {
                    let element = match self.types()[current] {
                        Type::Array(element, length) if length != ArrayLength::Unevaluated => element.ty,
                        _ => {
                            self.error(span, "subscripted member is not an array");
                            return self.error_expr(span);
                        }
                    };
                    let Some(Scale::Constant(scale)) = self.size_of(element, span) else {
                        return self.error_expr(span);
                    };
                    current = element;
                    let value = self.value(index);
                    if !self.types().is_integer(self.ty(value)) {
                        return self.error_expr(span);
                    }
                    let value = self.convert(value, size_type);
                    match self.evaluate(value) {
                        Some(bits) => offset = offset.wrapping_add((bits.get() as u64).wrapping_mul(scale)),
                        None => {
                            let scale = self.size_constant(scale, span);
                            let mut sum = self.binary_node(crate::c::hir::BinaryOp::Mul, value, scale, span);
                            if let Some(rest) = variable {
                                sum = self.binary_node(crate::c::hir::BinaryOp::Add, rest, sum, span);
                            }
                            variable = Some(sum);
                        }
                    }
                }
            }
        }
        let constant = self.size_constant(offset, span);
        match variable {
            Some(rest) => self.binary_node(crate::c::hir::BinaryOp::Add, rest, constant, span),
            None => constant,
        }
    }

    /// An explicit conversion.
    fn cast(&mut self, value: ExprId, to: TypeId, span: Span) -> ExprId {
        let from = self.ty(value);
        if from == TypeId::ERROR || to == TypeId::ERROR {
            return self.poisoned(value, to, span);
        }
        let types = self.types();
        let allowed = to == TypeId::VOID
            || (types.is_arithmetic(from) && types.is_arithmetic(to))
            || (types.is_pointer(from) && types.is_pointer(to))
            || (types.is_pointer(from) && types.is_integer(to))
            || (types.is_integer(from) && types.is_pointer(to))
            || (types.is_record(from) && from == to)
            || self.may_reinterpret(from, to)
            || (from == TypeId::VA_LIST && to == from);
        if allowed {
            if from == to {
                return match self.constant_bits(value) {
                    Some(bits) => self.expr(ExprKind::Integer(bits), to, span),
                    None => value,
                };
            }
            let id = self.convert(value, to);
            self.program.exprs[id].span = span;
            self.program.casts.insert(id);
            return id;
        }
        if let Type::Record(record) = types[to]
            && let Some(definition) = &types.records[record].definition
            && types.records[record].kind == ast::RecordKind::Union
            && let Some(member) = definition.fields.iter().position(|field| self.compatible(field.ty, from))
        {
            return self.union_value(record, member as u32, value, to, span);
        }
        let (from, to) = (self.type_name(from), self.type_name(to));
        self.error(span, format!("invalid cast from `{from}` to `{to}`"));
        self.error_expr(span)
    }
}
