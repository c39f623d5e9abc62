//! Compatible and composite types; the spelling of types.

use super::Checker;
use crate::c::types::{ArrayLength, FunctionType, Prototype, QualType, Type, TypeId};
use grammars::c::ast::{Name, Qualifier, Qualifiers, RecordKind};

impl Checker<'_> {
    /// Whether two types are compatible (C11 6.2.7), including the qualifiers of nested types.
    pub(super) fn compatible(&self, mut a: TypeId, mut b: TypeId) -> bool {
        loop {
            if a == b || a == TypeId::ERROR || b == TypeId::ERROR {
                return true;
            }
            match (&self.types()[a], &self.types()[b]) {
                (Type::Pointer(x), Type::Pointer(y)) if x.qualifiers == y.qualifiers => (a, b) = (x.ty, y.ty),
                (Type::Array(x, m), Type::Array(y, n)) if x.qualifiers == y.qualifiers => {
                    if let (ArrayLength::Known(m), ArrayLength::Known(n)) = (m, n)
                        && m != n
                    {
                        return false;
                    }
                    (a, b) = (x.ty, y.ty);
                }
                (Type::Enum(id), Type::Integer(kind)) | (Type::Integer(kind), Type::Enum(id)) => {
                    return self.types().enums[*id].underlying == *kind;
                }
                (Type::Function(f), Type::Function(g)) => return self.compatible_functions(f, g),
                _ => return false,
            }
        }
    }

    fn compatible_functions(&self, f: &FunctionType, g: &FunctionType) -> bool {
        if !self.compatible(f.result, g.result) {
            return false;
        }
        match (f.prototype, g.prototype) {
            (Prototype::Missing, Prototype::Missing) => true,
            (Prototype::Missing, other) | (other, Prototype::Missing) => {
                // The parameter types must be unchanged by the default argument promotions.
                let parameters =
                    if f.prototype == Prototype::Missing { &g.parameters } else { &f.parameters };
                other == Prototype::Fixed && parameters.iter().all(|&ty| self.promoted_type(ty) == ty)
            }
            (x, y) => {
                x == y
                    && f.parameters.len() == g.parameters.len()
                    && f.parameters.iter().zip(&g.parameters).all(|(&x, &y)| self.compatible(x, y))
            }
        }
    }

    /// The composite type of two compatible types (C11 6.2.7p3).
    pub(super) fn composite(&mut self, a: TypeId, b: TypeId) -> TypeId {
        if a == b {
            return a;
        }
        match (self.types()[a].clone(), self.types()[b].clone()) {
            (Type::Error, _) => b,
            (Type::Pointer(x), Type::Pointer(y)) => {
                let ty = self.composite(x.ty, y.ty);
                self.program.types.pointer(QualType { ty, ..x })
            }
            (Type::Array(x, m), Type::Array(y, n)) => {
                let ty = self.composite(x.ty, y.ty);
                let length = match (m, n) {
                    (ArrayLength::Known(_), _) => m,
                    (_, ArrayLength::Known(_)) => n,
                    (ArrayLength::Variable(_), _) => m,
                    _ => n,
                };
                self.program.types.array(QualType { ty, ..x }, length)
            }
            (Type::Function(f), Type::Function(g)) => {
                let result = self.composite(f.result, g.result);
                let function = match (f.prototype, g.prototype) {
                    (Prototype::Missing, _) => FunctionType { result, ..g },
                    (_, Prototype::Missing) => FunctionType { result, ..f },
                    _ => {
                        let pairs = f.parameters.iter().zip(&g.parameters);
                        let parameters = pairs.map(|(&x, &y)| self.composite(x, y)).collect();
                        FunctionType { result, parameters, prototype: f.prototype }
                    }
                };
                self.program.types.intern(Type::Function(function))
            }
            _ => a,
        }
    }

    /// The C spelling of a type, for messages and dumps.
    pub(super) fn type_name(&self, ty: TypeId) -> String {
        type_name(&self.program, ty)
    }
}

/// The C spelling of a type; deep nesting is cut off.
pub(in crate::c) fn type_name(program: &crate::c::hir::Program, ty: TypeId) -> String {
    declaration(program, ty.into(), "", &|ty| specifier(program, ty))
}

const MAX_SHOWN: usize = 32;

/// The specifier that messages show for a type that is not derived.
fn specifier(program: &crate::c::hir::Program, ty: TypeId) -> String {
    let types = &program.types;
    let named = |keyword: &str, tag: Option<Name>, alias: Option<Name>| match (tag, alias) {
        (Some(tag), _) => format!("{keyword} {}", program.name(tag)),
        (None, Some(alias)) => program.name(alias).to_owned(),
        (None, None) => format!("{keyword} <unnamed>"),
    };
    match &types[ty] {
        Type::Void => "void".into(),
        Type::Integer(kind) => kind.name().into(),
        Type::BitField(kind, width) => format!("{}:{width}", kind.name()),
        Type::Float(kind) => kind.name().into(),
        Type::VaList => "__builtin_va_list".into(),
        Type::Complex(part) => format!("_Complex {}", type_name(program, *part)),
        Type::Vector(part, lanes) => format!("vector({lanes}) {}", type_name(program, *part)),
        Type::Enum(id) => named("enum", types.enums[*id].tag, types.enums[*id].alias),
        Type::Record(id) => {
            let record = &types.records[*id];
            named(keyword(record.kind), record.tag, record.alias)
        }
        Type::Error | Type::Pointer(_) | Type::Array(..) | Type::Function(_) => "<error>".into(),
    }
}

/// The keyword of a kind of record.
pub(in crate::c) fn keyword(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Struct => "struct",
        RecordKind::Union => "union",
    }
}

/// The C declaration of `inner`, a name or a declarator, with a type; `specifier` spells types that
/// are not derived. Deep nesting is cut off.
pub(in crate::c) fn declaration(
    program: &crate::c::hir::Program,
    of: QualType,
    inner: &str,
    specifier: &dyn Fn(TypeId) -> String,
) -> String {
    declare(program, of, inner, 0, specifier)
}

/// Wraps the type around `inner`, the declarator so far.
fn declare(
    program: &crate::c::hir::Program,
    of: QualType,
    inner: &str,
    depth: usize,
    specifier: &dyn Fn(TypeId) -> String,
) -> String {
    let types = &program.types;
    if depth > MAX_SHOWN {
        return format!("… {inner}");
    }
    let base = |name: String| {
        let mut text = String::new();
        for qualifier in of.qualifiers.iter() {
            text.push_str(qualifier_name(qualifier));
            text.push(' ');
        }
        text.push_str(&name);
        if !inner.is_empty() {
            if !inner.starts_with('[') {
                text.push(' ');
            }
            text.push_str(inner);
        }
        text
    };
    match &types[of.ty] {
        Type::Pointer(pointee) => {
            let mut text = String::from("*");
            for qualifier in of.qualifiers.iter() {
                text.push_str(qualifier_name(qualifier));
                text.push(' ');
            }
            text.push_str(inner);
            if matches!(types[pointee.ty], Type::Array(..) | Type::Function(_)) {
                text = format!("({text})");
            }
            declare(program, *pointee, &text, depth + 1, specifier)
        }
        Type::Array(element, length) => {
            let length = match length {
                ArrayLength::Known(length) => length.to_string(),
                ArrayLength::Incomplete => String::new(),
                ArrayLength::Variable(_) | ArrayLength::Unevaluated => "*".into(),
            };
            declare(program, *element, &format!("{inner}[{length}]"), depth + 1, specifier)
        }
        Type::Function(function) => {
            let mut parameters: Vec<String> = Vec::new();
            for &parameter in &function.parameters {
                parameters.push(declare(program, parameter.into(), "", depth + 8, specifier));
            }
            match function.prototype {
                Prototype::Variadic => parameters.push("...".into()),
                Prototype::Fixed if parameters.is_empty() => parameters.push("void".into()),
                _ => {}
            }
            let text = format!("{inner}({})", parameters.join(", "));
            declare(program, function.result.into(), &text, depth + 1, specifier)
        }
        _ => base(specifier(of.ty)),
    }
}

fn qualifier_name(qualifier: Qualifier) -> &'static str {
    match qualifier {
        Qualifier::Const => "const",
        Qualifier::Volatile => "volatile",
        Qualifier::Restrict => "restrict",
        Qualifier::Atomic => "_Atomic",
    }
}

/// Whether `a` has every qualifier of `b`.
pub(super) fn covers(a: Qualifiers, b: Qualifiers) -> bool {
    a.union(b) == a
}
