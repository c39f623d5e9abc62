//! `struct`, `union` and `enum` specifiers.

use super::Checker;
use super::attributes::Attributes;
use super::declarators::{Site, is_of_elements};
use super::layout::{self, Member as LayoutMember};
use super::scope::Meaning;
use crate::c::types::{
    ArrayLength, EnumData, EnumId, Field, IntegerKind, Layout, RecordData, RecordDefinition, RecordId, Type,
    TypeId,
};
use grammars::c::ast::{self, Member, Name, RecordKind};
use grammars::source::Span;
use rustc_hash::FxHashMap;

impl Checker<'_> {
    /// Returns the type of a `struct` or `union` specifier; defines it if the specifier has
    /// members.
    pub(super) fn record_specifier(&mut self, id: ast::RecordId) -> TypeId {
        let ast = self.ast;
        let record = &ast[id];
        let tag = record.tag.map(|ident| ident.name);
        let known = match (tag, &record.members) {
            (None, _) => None,
            (Some(tag), None) => self.scopes.tag(tag),
            (Some(tag), Some(_)) => self.scopes.tag_here(tag),
        };
        let ty = match known.map(|tag| (tag.ty, &self.types()[tag.ty])) {
            Some((ty, &Type::Record(old))) if self.types().records[old].kind == record.kind => ty,
            Some(_) => {
                self.error(record.span, "tag type does not match previous declaration");
                return TypeId::ERROR;
            }
            None => self.new_record(record.kind, tag, record.span),
        };
        let Some(members) = &record.members else { return ty };
        let Type::Record(new) = self.types()[ty] else { return ty };
        if self.types().records[new].definition.is_some() {
            self.error(record.span, "redefinition of this type");
            return ty;
        }
        self.program.types.records[new].span = record.span;
        let mut attributes = Attributes::NONE;
        for &attribute in &record.attributes {
            // For a record the last `aligned` counts, for a declaration the greatest.
            let earlier = attributes.align.take();
            self.read_attributes(&[attribute], &mut attributes);
            attributes.align = attributes.align.or(earlier);
        }
        let definition = self.members(record.kind, members, &attributes, record.span);
        self.program.types.records[new].definition = Some(definition);
        ty
    }

    /// Makes a new incomplete record and declares its tag.
    pub(super) fn new_record(&mut self, kind: RecordKind, tag: Option<Name>, span: Span) -> TypeId {
        let record: RecordId =
            self.program.types.records.push(RecordData { kind, tag, alias: None, definition: None, span });
        let ty = self.program.types.intern(Type::Record(record));
        if let Some(tag) = tag {
            self.scopes.declare_tag(tag, ty);
        }
        ty
    }

    fn members(
        &mut self,
        kind: RecordKind,
        members: &[Member],
        attributes: &Attributes,
        span: Span,
    ) -> RecordDefinition {
        let ast = self.ast;
        let mut fields: Vec<Field> = Vec::new();
        // The members for the layout, including unnamed bit-fields, which are not fields.
        let mut seen: Vec<LayoutMember> = Vec::new();
        let mut field_of: Vec<Option<usize>> = Vec::new();
        let mut has_flexible_array = false;
        let around = std::mem::replace(&mut self.has_variable_member, false);
        for member in members {
            let declaration = match member {
                Member::StaticAssert(id) => {
                    self.static_assert(*id);
                    continue;
                }
                Member::Field(declaration) => declaration,
            };
            let specified = self.specifiers(declaration.specifiers);
            if declaration.declarators.is_empty() {
                // An anonymous record; any other declaration without declarator declares no member.
                let is_record = match self.types()[specified.ty.ty] {
                    Type::Record(id) => self.types().records[id].tag.is_none(),
                    _ => false,
                };
                if !is_record {
                    self.warning(declaration.span, "declaration does not declare a member");
                    continue;
                }
                let layout = self.types().qualified_layout(specified.ty);
                let Some(layout) = layout else { continue };
                field_of.push(Some(fields.len()));
                seen.push(LayoutMember {
                    layout: typedef_layout(layout, specified.typedef_align),
                    bits: None,
                    is_named: true,
                    is_packed: attributes.is_packed || specified.attributes.is_packed,
                    align: specified.attributes.align,
                });
                fields.push(Field {
                    name: None,
                    ty: specified.ty.ty,
                    qualifiers: specified.ty.qualifiers,
                    offset: 0,
                    bits: None,
                    align: 1,
                    span: declaration.span,
                });
                continue;
            }
            for declared in &declaration.declarators {
                let declarator = &ast[declared.declarator];
                let (mut ty, _) = self.declarator(specified.ty, declared.declarator, Site::Member);
                let mut own = specified.attributes;
                own.mode = None;
                own.vector_size = None;
                self.read_attributes(&declarator.attributes, &mut own);
                ty.ty = self.apply_mode(ty.ty, &own, declarator.span);
                let span =
                    declarator.name.map_or(declared_span(declarator.span, declaration.span), |n| n.span);
                let is_last = std::ptr::eq(member, &members[members.len() - 1]);
                let layout = match self.types()[ty.ty] {
                    Type::Error => Layout { size: 0, align: 1 },
                    Type::Array(element, ArrayLength::Incomplete)
                        if declared.width.is_none() && (is_last || kind == RecordKind::Union) =>
                    {
                        has_flexible_array |= kind == RecordKind::Struct;
                        let align = self.types().qualified_layout(element).map_or(1, |layout| layout.align);
                        Layout { size: 0, align }
                    }
                    _ => match self.types().qualified_layout(ty) {
                        Some(layout) => layout,
                        None => {
                            let name = self.type_name(ty.ty);
                            self.error(span, format!("member has incomplete type `{name}`"));
                            ty.ty = TypeId::ERROR;
                            Layout { size: 0, align: 1 }
                        }
                    },
                };
                let bits = match declared.width {
                    Some(width) => match self.bit_field_width(width, ty.ty, declarator.name.is_some()) {
                        Some(width) => Some(width),
                        None => continue,
                    },
                    None => None,
                };
                let is_field = declarator.name.is_some();
                field_of.push(is_field.then_some(fields.len()));
                seen.push(LayoutMember {
                    layout: typedef_layout(
                        layout,
                        specified.typedef_align.filter(|_| is_of_elements(&declarator.parts)),
                    ),
                    bits,
                    is_named: is_field,
                    is_packed: attributes.is_packed || own.is_packed,
                    align: own.align,
                });
                if is_field {
                    fields.push(Field {
                        name: declarator.name.map(|ident| ident.name),
                        ty: ty.ty,
                        qualifiers: ty.qualifiers,
                        offset: 0,
                        bits: None,
                        align: 1,
                        span,
                    });
                }
            }
        }
        let has_variable_member = std::mem::replace(&mut self.has_variable_member, around)
            || fields.iter().any(|field| {
                !self.types().is_pointer(field.ty) && self.types().has_variable_member(field.ty)
            });
        self.check_duplicates(&fields);
        let greatest = self.unit.packing_at(span.hi);
        let layout = match layout::lay_out(kind, &seen, attributes.align, greatest) {
            Ok((positions, layout)) if layout.size <= self.greatest_size() => {
                for (position, field) in positions.iter().zip(&field_of) {
                    if let Some(index) = *field {
                        fields[index].offset = position.offset;
                        fields[index].bits = position.bits;
                        fields[index].align = position.align;
                    }
                }
                layout
            }
            Ok(_) | Err(layout::TooLarge) => {
                self.error(span, "type is too large");
                Layout { size: 0, align: 1 }
            }
        };
        RecordDefinition {
            fields: fields.into_boxed_slice(),
            layout,
            has_flexible_array,
            is_transparent_union: attributes.is_transparent_union,
            has_variable_member,
        }
    }

    /// The greatest size of an object: the maximum of `ptrdiff_t`.
    pub(super) fn greatest_size(&self) -> u64 {
        if self.types().model.pointer_width() == 32 { i32::MAX as u64 } else { i64::MAX as u64 }
    }

    fn bit_field_width(&mut self, width: ast::ExprId, ty: TypeId, is_named: bool) -> Option<u32> {
        let span = self.ast[width].span;
        let (value, _) = self.constant(width)?;
        if ty == TypeId::ERROR {
            return None;
        }
        if !self.types().is_integer(ty) {
            self.error(span, "bit-field must have an integer type");
            return None;
        }
        let limit = if ty == TypeId::BOOL { 1 } else { i128::from(self.scalar_width(ty)) };
        if value < 0 || value > limit || (value == 0 && is_named) {
            self.error(span, format!("the width of this bit-field must be between 1 and {limit}"));
            return None;
        }
        Some(value as u32)
    }

    fn check_duplicates(&mut self, fields: &[Field]) {
        let mut seen: FxHashMap<Name, Span> = FxHashMap::default();
        for field in fields {
            if let Some(name) = field.name
                && seen.insert(name, field.span).is_some()
            {
                let text = format!("duplicate member `{}`", self.text(name));
                self.error(field.span, text);
            }
        }
    }

    /// Returns the path to a member through anonymous records, as field indices.
    pub(super) fn find_field(&self, record: RecordId, name: Name) -> Option<Vec<(RecordId, u32)>> {
        let definition = self.types().records[record].definition.as_ref()?;
        if let Some(index) = definition.fields.iter().position(|field| field.name == Some(name)) {
            return Some(vec![(record, index as u32)]);
        }
        for (index, field) in definition.fields.iter().enumerate() {
            if field.name.is_none()
                && let Type::Record(inner) = self.types()[field.ty]
                && let Some(rest) = self.find_field(inner, name)
            {
                let mut path = vec![(record, index as u32)];
                path.extend(rest);
                return Some(path);
            }
        }
        None
    }

    /// Returns the type of an `enum` specifier; defines it if the specifier has constants.
    pub(super) fn enum_specifier(&mut self, id: ast::EnumId) -> TypeId {
        let ast = self.ast;
        let enumeration = &ast[id];
        let tag = enumeration.tag.map(|ident| ident.name);
        let known = match (tag, &enumeration.enumerators) {
            (None, _) => None,
            (Some(tag), None) => self.scopes.tag(tag),
            (Some(tag), Some(_)) => self.scopes.tag_here(tag),
        };
        let (ty, new) = match known.map(|tag| (tag.ty, &self.types()[tag.ty])) {
            Some((ty, &Type::Enum(old))) => (ty, old),
            Some(_) => {
                self.error(enumeration.span, "tag type does not match previous declaration");
                return TypeId::ERROR;
            }
            None => {
                let new: EnumId = self.program.types.enums.push(EnumData {
                    tag,
                    alias: None,
                    underlying: IntegerKind::UnsignedInt,
                    constants: None,
                    span: enumeration.span,
                });
                let ty = self.program.types.intern(Type::Enum(new));
                if let Some(tag) = tag {
                    self.scopes.declare_tag(tag, ty);
                }
                (ty, new)
            }
        };
        let Some(enumerators) = &enumeration.enumerators else { return ty };
        if self.types().enums[new].constants.is_some() {
            self.error(enumeration.span, "redefinition of this type");
            return ty;
        }
        let mut attributes = Attributes::NONE;
        self.read_attributes(&enumeration.attributes, &mut attributes);
        let mut constants: Vec<(Name, i128, Span)> = Vec::new();
        let mut next: i128 = 0;
        for enumerator in enumerators {
            if let Some(expr) = enumerator.value {
                next = self.constant(expr).map_or(next, |(value, _)| value);
            }
            let Ok(_) = i64::try_from(next).map(|_| ()).or_else(|_| u64::try_from(next).map(|_| ())) else {
                self.error(
                    enumerator.name.span,
                    "enumeration constant exceeds the range of every integer type",
                );
                next = 0;
                continue;
            };
            // Until the type of the enumeration is determined, the constant has a type that holds
            // its value.
            let provisional = [TypeId::INT, TypeId::UNSIGNED, TypeId::integer(IntegerKind::LongLong)]
                .into_iter()
                .find(|&ty| self.fits(next, ty))
                .unwrap_or(TypeId::integer(IntegerKind::UnsignedLongLong));
            self.declare_constant(enumerator.name, next, provisional);
            constants.push((enumerator.name.name, next, enumerator.name.span));
            next += 1;
        }
        let least = constants.iter().map(|&(_, value, _)| value).min().unwrap_or(0).min(0);
        let greatest = constants.iter().map(|&(_, value, _)| value).max().unwrap_or(0);
        let is_signed = least < 0;
        let bits =
            |value: i128| 128 - if value < 0 { (!value).leading_zeros() } else { value.leading_zeros() };
        let needed = bits(least).max(bits(greatest)) + u32::from(is_signed);
        let underlying = if attributes.is_packed || needed > 32 {
            self.integer_of_width(needed.max(1), is_signed)
        } else {
            self.integer_of_width(32, is_signed)
        };
        let data = &mut self.program.types.enums[new];
        data.underlying = underlying;
        data.constants = Some(constants.iter().map(|&(name, value, _)| (name, value)).collect());
        data.span = enumeration.span;
        if let Some(mode) = attributes.mode {
            let attributes = Attributes { mode: Some(mode), ..Attributes::NONE };
            let plain = self.apply_mode(TypeId::integer(underlying), &attributes, enumeration.span);
            if let Some(kind) = self.types().integer_kind(plain) {
                self.program.types.enums[new].underlying = kind;
            }
        }
        for (name, value, span) in constants {
            // Constants representable in `int` have type `int`, others the type of the enumeration.
            let constant = if self.fits(value, TypeId::INT) { TypeId::INT } else { ty };
            let value = self.cut(value as u128, constant);
            self.scopes.declare(name, Meaning::EnumConstant { ty: constant, value }, span);
        }
        ty
    }

    /// Whether an integer type can represent a number.
    pub(super) fn fits(&self, value: i128, ty: TypeId) -> bool {
        let bits = self.cut(value as u128, ty);
        self.number(bits, ty) == value
    }

    fn declare_constant(&mut self, ident: ast::Ident, value: i128, ty: TypeId) {
        if let Some(old) = self.scopes.symbol_here(ident.name) {
            let text = format!("`{}` redeclared as an enumeration constant", self.text(ident.name));
            self.report(
                grammars::source::Diagnostic::error(ident.span, text)
                    .with_secondary(old.span, "declared here"),
            );
        }
        let value = self.cut(value as u128, ty);
        self.scopes.declare(ident.name, Meaning::EnumConstant { ty, value }, ident.span);
    }
}

fn declared_span(declarator: Span, declaration: Span) -> Span {
    if declarator.is_empty() { declaration } else { declarator }
}

/// The layout of a type named by a typedef with `aligned`.
fn typedef_layout(layout: Layout, align: Option<u64>) -> Layout {
    Layout { size: layout.size, align: align.unwrap_or(layout.align) }
}
