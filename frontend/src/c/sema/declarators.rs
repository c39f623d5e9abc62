//! Types from specifiers and declarators.

use super::Checker;
use super::attributes::Attributes;
use super::operand::Operand;
use super::scope::{Declared, Meaning};
use crate::c::hir::{ExprId, ExprKind, Local, LocalId, LocalKind};
use crate::c::types::{ArrayLength, FloatKind, FunctionType, IntegerKind, Prototype, QualType, Type, TypeId};
use grammars::c::ast::{
    ArraySize, BasicType, DeclaratorId, DeclaratorPart, FunctionSpecifier, Name, ParametersKind, ParamsId,
    Qualifier, Qualifiers, SpecifierKind, SpecsId, StorageClass, TypeNameId,
};
use grammars::source::Span;
use terms::entity::Entity;

/// The meaning of declaration specifiers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Specified {
    pub(super) ty: QualType,
    pub(super) storage: Option<StorageClass>,
    pub(super) is_thread_local: bool,
    pub(super) is_inline: bool,
    /// Whether the specifier is `__auto_type`: the type comes from the initializer.
    pub(super) is_auto: bool,
    /// The alignment requested by the typedef.
    pub(super) typedef_align: Option<u64>,
    pub(super) attributes: Attributes,
}

/// A parameter of a declarator.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParameterInfo {
    pub(super) name: Option<Name>,
    pub(super) ty: QualType,
    pub(super) span: Span,
    /// The local variable; only in a definition.
    pub(super) local: Option<LocalId>,
}

/// The parameters of a declarator.
#[derive(Debug, Default)]
pub(super) struct ParameterList {
    pub(super) parameters: Vec<ParameterInfo>,
    /// The declarations of the list; the scope of a function body continues them.
    pub(super) declared: Declared,
}

/// The position of a declarator, which determines the meaning of a non-constant array length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Site {
    File,
    Block,
    Prototype,
    /// The parameters of a function definition.
    Definition,
    Member,
}

/// Whether a declarator consists of array parts only; the alignment is then that of the elements.
pub(super) fn is_of_elements(parts: &[DeclaratorPart]) -> bool {
    parts.iter().all(|part| matches!(part, DeclaratorPart::Array { .. }))
}

/// The operands that an unevaluated operator evaluates nevertheless.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Evaluated {
    /// Operands of variable length (`sizeof`).
    VariableLength,
    /// Operands of variably modified type (`typeof`).
    VariablyModified,
}

/// The largest number of derivations in a declarator.
const MAX_DERIVATIONS: usize = 10_000;

impl Specified {
    /// `int`, also the default for missing specifiers.
    pub(super) const INT: Self = Self {
        ty: QualType { ty: TypeId::INT, qualifiers: Qualifiers::NONE },
        storage: None,
        is_thread_local: false,
        is_inline: false,
        is_auto: false,
        typedef_align: None,
        attributes: Attributes::NONE,
    };
}

impl Checker<'_> {
    pub(super) fn specifiers(&mut self, id: SpecsId) -> Specified {
        let ast = self.ast;
        let specs = &ast[id];
        let mut result = Specified::INT;
        let mut basic: Vec<BasicType> = Vec::new();
        let mut ty: Option<QualType> = None;
        let mut qualifiers = Qualifiers::NONE;
        for specifier in &specs.list {
            let span = specifier.span;
            let mut found = |this: &mut Self, new: QualType| {
                if ty.is_some() {
                    this.error(span, "two or more data types in declaration specifiers");
                }
                ty = Some(new);
            };
            match specifier.kind {
                SpecifierKind::Storage(StorageClass::ThreadLocal) => result.is_thread_local = true,
                SpecifierKind::Storage(storage) => {
                    if result.storage.is_some_and(|old| old != storage) {
                        self.error(span, "multiple storage classes in declaration specifiers");
                    }
                    result.storage = Some(storage);
                }
                SpecifierKind::Qualifier(qualifier) => qualifiers = qualifiers.with(qualifier),
                SpecifierKind::Function(FunctionSpecifier::Inline) => result.is_inline = true,
                SpecifierKind::Function(FunctionSpecifier::Noreturn) => result.attributes.is_noreturn = true,
                SpecifierKind::AlignasType(name) => {
                    let named = self.type_name_type(name, Site::Block);
                    match self.types().qualified_layout(named) {
                        Some(layout) => result.attributes.demand(layout.align),
                        None => self.error(span, "alignment of an incomplete type"),
                    }
                }
                SpecifierKind::AlignasExpr(expr) => {
                    if let Some(align) = self.alignment(expr) {
                        result.attributes.demand(align);
                    }
                }
                SpecifierKind::Attribute(attribute) => {
                    self.read_attributes(&[attribute], &mut result.attributes);
                }
                SpecifierKind::Basic(BasicType::VaList) => found(self, TypeId::VA_LIST.into()),
                SpecifierKind::Basic(kind) => basic.push(kind),
                SpecifierKind::Record(record) => {
                    let new = self.record_specifier(record);
                    found(self, new.into());
                }
                SpecifierKind::Enum(enumeration) => {
                    let new = self.enum_specifier(enumeration);
                    found(self, new.into());
                }
                SpecifierKind::TypedefName(name) => {
                    match self.scopes.symbol(name).map(|symbol| symbol.meaning) {
                        Some(Meaning::Typedef { ty, align }) => {
                            result.typedef_align = align;
                            found(self, ty);
                        }
                        Some(Meaning::Error) => found(self, TypeId::ERROR.into()),
                        _ => {
                            let text = format!("`{}` does not name a type", self.text(name));
                            self.error(span, text);
                            found(self, TypeId::ERROR.into());
                        }
                    }
                }
                SpecifierKind::TypeofExpr(expr) => {
                    let new = self.typeof_expr(expr, Evaluated::VariablyModified);
                    found(self, new);
                }
                SpecifierKind::TypeofType(name) => {
                    let place = if self.function.is_some() { Site::Block } else { Site::File };
                    let new = self.type_name_type(name, place);
                    found(self, new);
                }
                SpecifierKind::AtomicType(name) => {
                    let new = self.type_name_type(name, Site::Block);
                    qualifiers = qualifiers.with(Qualifier::Atomic);
                    found(self, new);
                }
                SpecifierKind::AutoType => {
                    result.is_auto = true;
                    found(self, TypeId::ERROR.into());
                }
            }
        }
        let mut named = match ty {
            Some(ty) => {
                if !basic.is_empty() {
                    self.error(specs.span, "two or more data types in declaration specifiers");
                }
                ty
            }
            None if basic.is_empty() => TypeId::INT.into(),
            None => self.basic_type(&basic, specs.span).into(),
        };
        named.ty = self.apply_mode(named.ty, &result.attributes, specs.span);
        if self.types().has_variable_member(named.ty) && self.function.is_some() {
            let what = "a structure with a member of variable length";
            let reached = self.unsupported(what, TypeId::VOID, specs.span);
            self.pending.push(reached);
        }
        result.ty = self.qualify(named, qualifiers);
        result
    }

    /// Adds qualifiers; for an array, to its elements.
    pub(super) fn qualify(&mut self, ty: QualType, qualifiers: Qualifiers) -> QualType {
        if qualifiers.is_empty() {
            return ty;
        }
        if let Type::Array(element, length) = self.types()[ty.ty] {
            let element = self.qualify(element, qualifiers);
            return QualType { ty: self.program.types.array(element, length), qualifiers: ty.qualifiers };
        }
        QualType { ty: ty.ty, qualifiers: ty.qualifiers.union(qualifiers) }
    }

    fn basic_type(&mut self, list: &[BasicType], span: Span) -> TypeId {
        let count = |kind: BasicType| list.iter().filter(|&&other| other == kind).count();
        let (signed, unsigned) = (count(BasicType::Signed), count(BasicType::Unsigned));
        let (longs, shorts, ints) = (count(BasicType::Long), count(BasicType::Short), count(BasicType::Int));
        let complex = count(BasicType::Complex);
        let mut rest = list.iter().copied().filter(|kind| {
            !matches!(
                kind,
                BasicType::Signed
                    | BasicType::Unsigned
                    | BasicType::Long
                    | BasicType::Short
                    | BasicType::Int
                    | BasicType::Complex
            )
        });
        let main = rest.next();
        let plain = longs == 0 && shorts == 0 && ints == 0 && signed == 0 && unsigned == 0;
        let is_unsigned = unsigned > 0;
        let integer = |kind: IntegerKind| Some(if is_unsigned { kind.to_unsigned() } else { kind });
        let valid =
            rest.next().is_none() && signed + unsigned <= 1 && ints <= 1 && shorts <= 1 && complex <= 1;
        let ty = match main {
            None => {
                let kind = match (longs, shorts) {
                    (0, 0) => integer(IntegerKind::Int),
                    (1, 0) => integer(IntegerKind::Long),
                    (2, 0) => integer(IntegerKind::LongLong),
                    (0, 1) => integer(IntegerKind::Short),
                    _ => None,
                };
                // `_Complex` without a type is `_Complex double`.
                if complex == 1 && plain { Some(TypeId::DOUBLE) } else { kind.map(TypeId::integer) }
            }
            Some(BasicType::Char) if longs + shorts + ints == 0 => Some(TypeId::integer(if is_unsigned {
                IntegerKind::UnsignedChar
            } else if signed > 0 {
                IntegerKind::SignedChar
            } else {
                IntegerKind::Char
            })),
            Some(BasicType::Int128) if longs + shorts + ints == 0 => {
                integer(IntegerKind::Int128).map(TypeId::integer)
            }
            Some(BasicType::Double) if longs == 1 && shorts + ints + signed + unsigned == 0 => {
                Some(TypeId::float(FloatKind::LongDouble))
            }
            Some(kind) if plain => match kind {
                BasicType::Void => Some(TypeId::VOID),
                BasicType::Bool => Some(TypeId::BOOL),
                BasicType::Float => Some(TypeId::FLOAT),
                BasicType::Double => Some(TypeId::DOUBLE),
                BasicType::Float16 => Some(TypeId::float(FloatKind::Float16)),
                BasicType::Float32 => Some(TypeId::float(FloatKind::Float32)),
                BasicType::Float64 => Some(TypeId::float(FloatKind::Float64)),
                BasicType::Float128 => Some(TypeId::float(FloatKind::Float128)),
                BasicType::Float32x => Some(TypeId::float(FloatKind::Float32x)),
                BasicType::Float64x => Some(TypeId::float(FloatKind::Float64x)),
                BasicType::VaList => Some(TypeId::VA_LIST),
                _ => None,
            },
            Some(_) => None,
        };
        match ty {
            Some(ty) if valid && complex == 0 => ty,
            Some(ty) if valid && self.types().is_arithmetic(ty) && ty != TypeId::BOOL => {
                self.program.types.intern(Type::Complex(ty))
            }
            _ => {
                self.error(span, "invalid combination of type specifiers");
                TypeId::ERROR
            }
        }
    }

    /// Returns the type of a type name.
    pub(super) fn type_name_type(&mut self, id: TypeNameId, place: Site) -> QualType {
        self.aligned_type_name(id, place).0
    }

    /// Returns the type of a type name, and the alignment requested by its typedef.
    pub(super) fn aligned_type_name(&mut self, id: TypeNameId, place: Site) -> (QualType, Option<u64>) {
        let name = self.ast[id];
        let specified = self.specifiers(name.specifiers);
        let (ty, _) = self.declarator(specified.ty, name.declarator, place);
        let parts = &self.ast[name.declarator].parts;
        (ty, specified.typedef_align.filter(|_| is_of_elements(parts)))
    }

    /// The type of an operand that is evaluated only if its type is variable (C11 6.5.3.4p2).
    pub(super) fn typeof_expr(&mut self, expr: grammars::c::ast::ExprId, evaluated: Evaluated) -> QualType {
        let (pending, nodes) = (self.pending.len(), self.program.exprs.len());
        self.unevaluated += 1;
        let operand = self.operand(expr);
        self.unevaluated -= 1;
        let ty = match operand {
            Operand::Place(place) => {
                let place = &self.program.places[place];
                QualType { ty: place.ty, qualifiers: place.qualifiers }
            }
            other => self.operand_type(other).into(),
        };
        let is_evaluated = match evaluated {
            Evaluated::VariableLength => self.types().is_variable(ty.ty),
            Evaluated::VariablyModified => self.types().is_variably_modified(ty.ty),
        };
        if !is_evaluated {
            self.forget_pending(pending);
        } else if self.have_effects(nodes) {
            // A place is computed but not read.
            let span = self.operand_span(operand);
            let value = match operand {
                Operand::Place(_) => self.address_of(operand, span),
                other => self.rvalue(other),
            };
            let effect = self.convert(value, TypeId::VOID);
            self.pending.push(effect);
        }
        ty
    }

    /// Drops the pending evaluations from index `since` on, except for unsupported constructs.
    pub(super) fn forget_pending(&mut self, since: usize) {
        let forgotten = self.pending.split_off(since);
        let stays = |expr: &ExprId| matches!(self.program.exprs[*expr].kind, ExprKind::Unsupported(_));
        self.pending.extend(forgotten.into_iter().filter(stays));
    }

    /// Whether an expression created from index `nodes` on has a side effect.
    fn have_effects(&self, nodes: usize) -> bool {
        (nodes..self.program.exprs.len()).any(|index| {
            matches!(
                self.program.exprs[ExprId::new(index)].kind,
                ExprKind::Assign { .. }
                    | ExprKind::Modify { .. }
                    | ExprKind::Call { .. }
                    | ExprKind::Builtin { .. }
                    | ExprKind::VaArg(_)
                    | ExprKind::Statements { .. }
            )
        })
    }

    /// Applies a declarator to a type. Also returns the parameters if the declarator itself
    /// declares a function.
    pub(super) fn declarator(
        &mut self,
        base: QualType,
        id: DeclaratorId,
        place: Site,
    ) -> (QualType, Option<ParameterList>) {
        let declarator = &self.ast[id];
        let span = declarator.span;
        let mut ty = base;
        let mut parameters = None;
        if declarator.parts.len() > MAX_DERIVATIONS {
            self.error(span, "declarator is nested too deeply");
            return (TypeId::ERROR.into(), None);
        }
        for (index, part) in declarator.parts.iter().enumerate().rev() {
            match part {
                DeclaratorPart::Pointer(qualifiers) => {
                    ty = QualType { ty: self.program.types.pointer(ty), qualifiers: *qualifiers };
                }
                DeclaratorPart::Array { size, qualifiers, span, .. } => {
                    let outermost_parameter =
                        index == 0 && matches!(place, Site::Prototype | Site::Definition);
                    ty = self.array_of(ty, *size, *qualifiers, place, outermost_parameter, *span);
                }
                DeclaratorPart::Function(params) => {
                    let inner = if index == 0 && place == Site::Definition { place } else { Site::Prototype };
                    let (function, list) = self.function_of(ty, *params, inner);
                    ty = function;
                    parameters = (index == 0).then_some(list);
                }
            }
        }
        (ty, parameters)
    }

    /// Returns the array type. The outermost array of a parameter becomes a pointer.
    fn array_of(
        &mut self,
        element: QualType,
        size: ArraySize,
        qualifiers: Qualifiers,
        place: Site,
        becomes_pointer: bool,
        span: Span,
    ) -> QualType {
        if element.ty == TypeId::ERROR {
            return element;
        }
        let types = self.types();
        if types.is_function(element.ty) || element.ty == TypeId::VOID {
            let name = self.type_name(element.ty);
            self.error(span, format!("invalid array element type `{name}`"));
            return TypeId::ERROR.into();
        }
        let complete = types.layout(element.ty).is_some() || types.is_variable(element.ty);
        let may_be_incomplete = becomes_pointer && types.is_record(element.ty);
        if !complete && !may_be_incomplete {
            let name = self.type_name(element.ty);
            self.error(span, format!("array has incomplete element type `{name}`"));
            return TypeId::ERROR.into();
        }
        if becomes_pointer {
            if let ArraySize::Expr(expr) = size {
                let (pending, nodes) = (self.pending.len(), self.program.exprs.len());
                let value = self.value(expr);
                // The length is irrelevant to the type, but a function evaluates it on entry (C11
                // 6.9.1p10).
                if place == Site::Definition && self.have_effects(nodes) {
                    let effect = self.convert(value, TypeId::VOID);
                    self.pending.push(effect);
                } else {
                    self.forget_pending(pending);
                }
            }
            return QualType { ty: self.program.types.pointer(element), qualifiers };
        }
        let length = match size {
            ArraySize::Unspecified => ArrayLength::Incomplete,
            ArraySize::Star => ArrayLength::Unevaluated,
            ArraySize::Expr(expr) => match self.array_length(expr, place) {
                Some(length) => length,
                None => return TypeId::ERROR.into(),
            },
        };
        if let ArrayLength::Known(length) = length
            && let Some(size) = self.types().size(element.ty)
        {
            let limit = self.greatest_size();
            if size.checked_mul(length).is_none_or(|bytes| bytes > limit) {
                self.error(span, "array is too large");
                return TypeId::ERROR.into();
            }
        }
        self.program.types.array(element, length).into()
    }

    fn array_length(&mut self, expr: grammars::c::ast::ExprId, place: Site) -> Option<ArrayLength> {
        let span = self.ast[expr].span;
        let value = self.value(expr);
        let ty = self.ty(value);
        if ty == TypeId::ERROR {
            self.unknown_value(span);
            return matches!(place, Site::Prototype).then_some(ArrayLength::Unevaluated);
        }
        if !self.types().is_integer(ty) {
            self.error(span, "array size must have integer type");
            return None;
        }
        if let Some(bits) = self.evaluate(value) {
            let number = self.number(bits, ty);
            if number < 0 {
                self.error(span, format!("array size is negative: {number}"));
                return None;
            }
            return Some(ArrayLength::Known(u64::try_from(number).unwrap_or(u64::MAX)));
        }
        match place {
            Site::Prototype => Some(ArrayLength::Unevaluated),
            Site::Member if self.function.is_some() => {
                // Declarations with the type become unsupported constructs.
                self.has_variable_member = true;
                Some(ArrayLength::Known(1))
            }
            Site::File | Site::Member => {
                self.error(span, "array size must be a constant expression");
                None
            }
            Site::Block | Site::Definition => {
                let size = self.types().size_type();
                let length = self.convert(value, size);
                let (local, assign) = self.hidden(length);
                self.pending.push(assign);
                Some(ArrayLength::Variable(local))
            }
        }
    }

    /// Makes a hidden local and the assignment that sets it.
    pub(super) fn hidden(&mut self, value: ExprId) -> (LocalId, ExprId) {
        let (ty, span) = (self.ty(value), self.span(value));
        let local = self.program.locals.push(Local {
            name: None,
            kind: LocalKind::Hidden,
            ty,
            qualifiers: Qualifiers::NONE,
            align: None,
            is_address_taken: false,
            span,
        });
        let place = self.local_place(local, span);
        (local, self.expr(ExprKind::Assign { place, value }, ty, span))
    }

    fn function_of(&mut self, result: QualType, params: ParamsId, place: Site) -> (QualType, ParameterList) {
        let ast = self.ast;
        let span = ast[params].span;
        let mut list = Vec::new();
        let mut kept = Declared::default();
        if self.types().is_function(result.ty) || self.types().is_array(result.ty) {
            self.error(span, "function cannot return an array or function type");
            return (TypeId::ERROR.into(), ParameterList::default());
        }
        let prototype = match &ast[params].kind {
            ParametersKind::Unspecified => Prototype::Missing,
            ParametersKind::Identifiers(names) => {
                for ident in names {
                    let ty = TypeId::INT.into();
                    list.push(ParameterInfo { name: Some(ident.name), ty, span: ident.span, local: None });
                }
                Prototype::Missing
            }
            ParametersKind::Prototype { parameters, variadic } => {
                self.scopes.enter();
                for parameter in parameters {
                    let specified = self.specifiers(parameter.specifiers);
                    let (declared, _) = self.declarator(specified.ty, parameter.declarator, place);
                    let declarator = &ast[parameter.declarator];
                    let is_void = declared.ty == TypeId::VOID && declarator.name.is_none();
                    if is_void && parameters.len() == 1 && declarator.parts.is_empty() {
                        break;
                    }
                    if declared.ty == TypeId::VOID {
                        self.error(parameter.span, "parameter has type `void`");
                    }
                    let ty = self.adjust_parameter(declared);
                    let name = declarator.name.map(|ident| ident.name);
                    let span = declarator.name.map_or(parameter.span, |ident| ident.span);
                    let mut local = None;
                    if place == Site::Definition {
                        local = Some(self.parameter_local(name, ty, span));
                    }
                    if let Some(name) = name {
                        if self.scopes.symbol_here(name).is_some() {
                            let text = format!("redefinition of parameter `{}`", self.text(name));
                            self.error(span, text);
                        }
                        let meaning = local.map_or(Meaning::Error, Meaning::Local);
                        self.scopes.declare(name, meaning, span);
                    }
                    list.push(ParameterInfo { name, ty, span, local });
                }
                kept = self.scopes.leave_keeping();
                if *variadic { Prototype::Variadic } else { Prototype::Fixed }
            }
        };
        let parameters = match prototype {
            Prototype::Missing => Box::default(),
            _ => list.iter().map(|parameter| parameter.ty.ty).collect(),
        };
        let function = FunctionType { result: result.ty, parameters, prototype };
        let list = ParameterList { parameters: list, declared: kept };
        (self.program.types.intern(Type::Function(function)).into(), list)
    }

    pub(super) fn parameter_local(&mut self, name: Option<Name>, ty: QualType, span: Span) -> LocalId {
        self.program.locals.push(Local {
            name,
            kind: LocalKind::Parameter,
            ty: ty.ty,
            qualifiers: ty.qualifiers,
            align: None,
            is_address_taken: false,
            span,
        })
    }

    /// Adjusts arrays and functions to pointers.
    pub(super) fn adjust_parameter(&mut self, ty: QualType) -> QualType {
        match self.types()[ty.ty] {
            Type::Array(element, _) => self.program.types.pointer(element).into(),
            Type::Function(_) => self.program.types.pointer(ty.ty).into(),
            _ => ty,
        }
    }
}
