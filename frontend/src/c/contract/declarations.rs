//! The declarations of a harness: the types of the arguments and the function, spelled in C.
//!
//! A record is defined if the harness needs its size or its members, otherwise only its tag is
//! declared. Records without a tag are defined under their typedef name. Definitions follow the
//! order of containment, so each is complete where it is used. The text is C for the compiler that
//! laid out the program: alignments that differ from those of the types become attributes, and gaps
//! before bit-fields become unnamed bit-fields. [`check`] compares the result with the program.

use crate::c::hir::{FunctionId, Program};
use crate::c::sema::{declaration, keyword};
use crate::c::types::{Field, FunctionType, Prototype, QualType, RecordId, Type, TypeId};
use grammars::c::ast::RecordKind;
use std::collections::BTreeSet;
use terms::entity::Entity;

/// The declarations of one harness.
pub(super) struct Declarations<'h> {
    program: &'h Program,
    /// The records to define.
    complete: BTreeSet<usize>,
    /// The records and enumerations that a declaration mentions.
    mentioned: BTreeSet<usize>,
    enums: BTreeSet<usize>,
}

impl<'h> Declarations<'h> {
    pub(super) fn new(program: &'h Program) -> Self {
        Self { program, complete: BTreeSet::new(), mentioned: BTreeSet::new(), enums: BTreeSet::new() }
    }

    /// Adds a type, with what its pointers refer to up to `depth`.
    pub(super) fn add(&mut self, ty: TypeId, depth: u32) {
        let mut work = vec![(ty, depth, Use::Complete)];
        let mut seen = BTreeSet::new();
        while let Some((ty, depth, used)) = work.pop() {
            if !seen.insert((ty.index(), depth, used)) {
                continue;
            }
            match &self.program.types[ty] {
                Type::Pointer(to) => match depth.checked_sub(1) {
                    Some(depth) => work.push((to.ty, depth, Use::Complete)),
                    None => work.push((to.ty, 0, Use::Mentioned)),
                },
                Type::Array(element, _) => work.push((element.ty, depth, used)),
                Type::Vector(element, _) | Type::Complex(element) => work.push((*element, 0, used)),
                Type::Function(function) => {
                    work.push((function.result, 0, Use::Mentioned));
                    work.extend(function.parameters.iter().map(|&ty| (ty, 0, Use::Mentioned)));
                }
                Type::Enum(id) => {
                    self.enums.insert(id.index());
                }
                Type::Record(id) => {
                    let record = &self.program.types.records[*id];
                    self.mentioned.insert(id.index());
                    let Some(definition) = &record.definition else { continue };
                    // Only a tag can be declared without a definition.
                    if used == Use::Complete || record.tag.is_none() {
                        self.complete.insert(id.index());
                        let depth = if used == Use::Complete { depth } else { 0 };
                        work.extend(definition.fields.iter().map(|field| (field.ty, depth, Use::Complete)));
                    }
                }
                _ => {}
            }
        }
    }

    /// The declarations of the types, then that of the function.
    pub(super) fn text(&self, function: FunctionId) -> String {
        let types = &self.program.types;
        let mut text = String::new();
        for &index in &self.enums {
            let data = &types.enums[Entity::new(index)];
            let (Some(constants), Some(_)) = (&data.constants, data.tag.or(data.alias)) else { continue };
            let constants: Vec<String> = constants
                .iter()
                .map(|&(name, value)| format!("{} = {value}", self.program.name(name)))
                .collect();
            let constants = constants.join(", ");
            text.push_str(&match (data.tag, data.alias) {
                (Some(tag), _) => format!("enum {} {{ {constants} }};\n", self.program.name(tag)),
                (None, Some(alias)) => {
                    format!("typedef enum {{ {constants} }} {};\n", self.program.name(alias))
                }
                (None, None) => continue,
            });
        }
        for &index in &self.mentioned {
            let record = &types.records[RecordId::new(index)];
            if let Some(tag) = record.tag {
                text.push_str(&format!("{} {};\n", keyword(record.kind), self.program.name(tag)));
            }
        }
        let mut defined = BTreeSet::new();
        for &index in &self.complete {
            self.define(RecordId::new(index), &mut defined, &mut text);
        }
        text.push_str(&self.prototype(function));
        text
    }

    /// Appends the definition of a record after those that it needs.
    fn define(&self, id: RecordId, defined: &mut BTreeSet<usize>, text: &mut String) {
        if !self.complete.contains(&id.index()) || !defined.insert(id.index()) {
            return;
        }
        let record = &self.program.types.records[id];
        let Some(definition) = &record.definition else { return };
        for field in &definition.fields {
            self.define_parts(field.ty, defined, text);
        }
        match (record.tag, record.alias) {
            (Some(_), _) => text.push_str(&format!("{};\n", self.body(id, 0))),
            (None, Some(alias)) => {
                text.push_str(&format!("typedef {} {};\n", self.body(id, 0), self.program.name(alias)));
            }
            // Part of the record around it.
            (None, None) => {}
        }
    }

    /// Defines the records that a member of this type contains, and those without a tag to which it
    /// points.
    fn define_parts(&self, ty: TypeId, defined: &mut BTreeSet<usize>, text: &mut String) {
        let (mut ty, mut is_pointer) = (ty, false);
        loop {
            match &self.program.types[ty] {
                Type::Array(element, _) => ty = element.ty,
                Type::Pointer(to) => (ty, is_pointer) = (to.ty, true),
                Type::Function(function) => {
                    for &part in function.parameters.iter() {
                        self.define_parts(part, defined, text);
                    }
                    (ty, is_pointer) = (function.result, true);
                }
                &Type::Record(id) => {
                    if !is_pointer || self.program.types.records[id].tag.is_none() {
                        self.define(id, defined, text);
                    }
                    return;
                }
                _ => return,
            }
        }
    }

    /// `struct tag { … }` with attributes.
    fn body(&self, id: RecordId, depth: usize) -> String {
        let types = &self.program.types;
        let record = &types.records[id];
        let tag = record.tag.map_or(String::new(), |tag| format!(" {}", self.program.name(tag)));
        let mut text = format!("{}{tag} {{\n", keyword(record.kind));
        let indent = "    ".repeat(depth + 1);
        let Some(definition) = &record.definition else { return format!("{}{tag}", keyword(record.kind)) };
        let (mut end, mut greatest) = (0_u64, 1);
        for field in &definition.fields {
            let start = field.offset * 8 + field.bits.map_or(0, |bits| u64::from(bits.first));
            if field.bits.is_some() && record.kind == RecordKind::Struct {
                while end < start {
                    let width = (start - end).min(8 - end % 8);
                    text.push_str(&format!("{indent}unsigned char : {width};\n"));
                    end += width;
                }
            }
            let width = match field.bits {
                Some(bits) => u64::from(bits.width),
                None => types.size(field.ty).unwrap_or(0) * 8,
            };
            end = start + width;
            greatest = greatest.max(field.align);
            text.push_str(&format!("{indent}{};\n", self.field(field, depth)));
        }
        text.push_str(&"    ".repeat(depth));
        text.push('}');
        let natural = definition.fields.iter().filter(|field| field.bits.is_some());
        let natural = natural.filter_map(|field| Some(types.layout(field.ty)?.align)).max().unwrap_or(1);
        if definition.layout.align > greatest.max(natural) {
            text.push_str(&format!(" __attribute__((aligned({})))", definition.layout.align));
        } else if definition.layout.align < greatest.max(natural) {
            text.push_str(" __attribute__((packed))");
        }
        text
    }

    fn field(&self, field: &Field, depth: usize) -> String {
        let name = field.name.map_or("", |name| self.program.name(name));
        let ty = QualType { ty: field.ty, qualifiers: field.qualifiers };
        let mut text = declaration(self.program, ty, name, &|ty| self.specifier(ty, depth + 1));
        if let Some(bits) = field.bits {
            text.push_str(&format!(" : {}", bits.width));
        } else if let Some(layout) = self.program.types.qualified_layout(ty)
            && layout.align != field.align
        {
            text.push_str(&format!(" __attribute__((packed, aligned({})))", field.align));
        }
        text
    }

    /// `extern int f(int, char *);`
    fn prototype(&self, function: FunctionId) -> String {
        let data = &self.program[function];
        let spelled = self.declare(data.ty, self.program.name(data.name));
        // Without a prototype, `()` is the declaration of any function.
        format!("extern {spelled};\n")
    }

    /// The declaration of a name with a type.
    pub(super) fn declare(&self, ty: TypeId, name: &str) -> String {
        declaration(self.program, ty.into(), name, &|ty| self.specifier(ty, 0))
    }

    /// The declaration of a pointer to a type.
    pub(super) fn declare_pointer(&self, to: TypeId, name: &str) -> String {
        match self.program.types[to] {
            Type::Array(..) | Type::Function(_) => self.declare(to, &format!("(*{name})")),
            _ => self.declare(to, &format!("*{name}")),
        }
    }

    fn specifier(&self, ty: TypeId, depth: usize) -> String {
        let types = &self.program.types;
        let named = |keyword: &str, name: &str| format!("{keyword} {name}");
        match &types[ty] {
            Type::Void => "void".to_owned(),
            Type::Integer(kind) | Type::BitField(kind, _) => kind.name().to_owned(),
            Type::Float(kind) => kind.name().to_owned(),
            Type::Complex(part) => named("_Complex", &self.specifier(*part, depth)),
            Type::VaList => "__builtin_va_list".to_owned(),
            Type::Vector(part, lanes) => {
                let size = types.size(*part).unwrap_or(1) * lanes;
                format!("{} __attribute__((vector_size({size})))", self.specifier(*part, depth))
            }
            Type::Enum(id) => match (types.enums[*id].tag, types.enums[*id].alias) {
                (Some(tag), _) => named("enum", self.program.name(tag)),
                (None, Some(alias)) => self.program.name(alias).to_owned(),
                (None, None) => types.enums[*id].underlying.name().to_owned(),
            },
            Type::Record(id) => match (types.records[*id].tag, types.records[*id].alias) {
                (Some(tag), _) => named(keyword(types.records[*id].kind), self.program.name(tag)),
                (None, Some(alias)) => self.program.name(alias).to_owned(),
                (None, None) => self.body(*id, depth),
            },
            Type::Error | Type::Pointer(_) | Type::Array(..) | Type::Function(_) => "int".to_owned(),
        }
    }

    /// Compares the records of the checked harness with those of the program. Returns the name of
    /// the first one whose layout differs.
    pub(super) fn check(&self, checked: &Program) -> Result<(), String> {
        for &index in &self.complete {
            let record = &self.program.types.records[RecordId::new(index)];
            let Some(name) = record.tag.or(record.alias).map(|name| self.program.name(name)) else {
                continue;
            };
            let found = checked.types.records.values().find(|found| {
                let of_found = if record.tag.is_some() { found.tag } else { found.alias };
                found.kind == record.kind && of_found.is_some_and(|of| checked.name(of) == name)
            });
            let is_equal = match (&record.definition, found.and_then(|found| found.definition.as_ref())) {
                (Some(ours), Some(theirs)) => {
                    let place = |field: &Field| (field.offset, field.bits);
                    ours.layout == theirs.layout
                        && ours.fields.iter().map(place).eq(theirs.fields.iter().map(place))
                }
                _ => false,
            };
            if !is_equal {
                return Err(name.to_owned());
            }
        }
        Ok(())
    }
}

/// How a type is used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Use {
    /// Its size or its members are needed.
    Complete,
    /// A declaration names it.
    Mentioned,
}

/// Whether arguments after the parameters may follow.
pub(super) fn is_variadic(ty: Option<&FunctionType>) -> bool {
    ty.is_some_and(|ty| ty.prototype == Prototype::Variadic)
}
