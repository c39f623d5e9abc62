//! Compatibility of types across units (C11 6.2.7p1): structural, whereas within one unit it is
//! type identity.
//!
//! All conditions are conjunctive, so the comparison uses a worklist instead of recursion. Pairs of
//! records already compared or under comparison are assumed compatible (a greatest fixed point).

use crate::c::hir::Program;
use crate::c::types::{ArrayLength, FunctionType, Prototype, QualType, RecordId, Type, TypeId};
use grammars::c::ast::Name;
use rustc_hash::FxHashSet;

/// The degree of agreement between two declarations of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Agreement {
    /// Compatible types.
    Compatible,
    /// Incompatible types whose values are nevertheless passed and stored correctly.
    Usable,
    /// Incompatible.
    None,
}

/// A comparison of types of two units.
struct Comparison<'h> {
    a: &'h Program,
    b: &'h Program,
    left: Vec<(QualType, QualType)>,
    assumed: FxHashSet<(RecordId, RecordId)>,
}

/// Compares the types of an object; `x` is that of the definition.
pub(super) fn objects_agree(a: &Program, x: TypeId, b: &Program, y: TypeId) -> Agreement {
    if are_compatible(a, x, b, y) {
        return Agreement::Compatible;
    }
    match (a.types.layout(x), b.types.layout(y)) {
        (Some(p), Some(q)) if p.size == q.size && p.align >= q.align => Agreement::Usable,
        _ => Agreement::None,
    }
}

/// Compares the types of a function; `x` is that of the definition.
pub(super) fn functions_agree(a: &Program, x: TypeId, b: &Program, y: TypeId) -> Agreement {
    if are_compatible(a, x, b, y) {
        return Agreement::Compatible;
    }
    let (Some(f), Some(g)) = (a.types.function(x), b.types.function(y)) else { return Agreement::None };
    let results = (passing(a, f.result), passing(b, g.result));
    let is_result_usable = match results {
        (Passing::Nothing, other) | (other, Passing::Nothing) => !matches!(other, Passing::Memory(_)),
        (x, y) => x == y,
    };
    let are_parameters_usable = match (f.prototype, g.prototype) {
        // The arguments arrive promoted.
        (_, Prototype::Missing) => f
            .parameters
            .iter()
            .all(|&ty| !matches!(passing(a, ty), Passing::Float(..=32) | Passing::Memory(_))),
        (Prototype::Missing, _) => g
            .parameters
            .iter()
            .all(|&ty| !matches!(passing(b, ty), Passing::Float(..=32) | Passing::Memory(_))),
        _ => {
            f.parameters.len() == g.parameters.len()
                && f.parameters.iter().zip(&g.parameters).all(|(&x, &y)| passing(a, x) == passing(b, y))
        }
    };
    if is_result_usable && are_parameters_usable { Agreement::Usable } else { Agreement::None }
}

/// How the ABI passes a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Passing {
    Nothing,
    /// An integer or a pointer of this many bits.
    Integer(u32),
    /// A floating value of this many bits.
    Float(u32),
    /// An aggregate of this many bytes.
    Memory(u64),
}

fn passing(program: &Program, ty: TypeId) -> Passing {
    let types = &program.types;
    let bits = |ty| types.size(ty).and_then(|size| u32::try_from(size * 8).ok()).unwrap_or(0);
    match types[ty] {
        Type::Void | Type::Error => Passing::Nothing,
        Type::Integer(_) | Type::Enum(_) | Type::BitField(..) | Type::Pointer(_) => {
            Passing::Integer(bits(ty))
        }
        Type::Float(_) => Passing::Float(bits(ty)),
        _ => Passing::Memory(types.size(ty).unwrap_or(0)),
    }
}

fn are_compatible(a: &Program, x: TypeId, b: &Program, y: TypeId) -> bool {
    let mut comparison = Comparison { a, b, left: vec![(x.into(), y.into())], assumed: FxHashSet::default() };
    while let Some((x, y)) = comparison.left.pop() {
        if x.qualifiers != y.qualifiers || !comparison.step(x.ty, y.ty) {
            return false;
        }
    }
    true
}

impl Comparison<'_> {
    /// Whether the outermost type constructors agree; pushes their components to the worklist.
    fn step(&mut self, x: TypeId, y: TypeId) -> bool {
        let (s, t) = (&self.a.types, &self.b.types);
        match (&s[x], &t[y]) {
            (Type::Error, _) | (_, Type::Error) => true,
            (Type::Pointer(p), Type::Pointer(q)) => {
                self.left.push((*p, *q));
                true
            }
            (Type::Array(p, m), Type::Array(q, n)) => {
                self.left.push((*p, *q));
                !matches!((m, n), (ArrayLength::Known(m), ArrayLength::Known(n)) if m != n)
            }
            (Type::Enum(_) | Type::Integer(_), Type::Enum(_) | Type::Integer(_)) => {
                s.integer_kind(x) == t.integer_kind(y)
            }
            (Type::Complex(p), Type::Complex(q)) => {
                self.left.push(((*p).into(), (*q).into()));
                true
            }
            (Type::Vector(p, m), Type::Vector(q, n)) => {
                self.left.push(((*p).into(), (*q).into()));
                m == n
            }
            (Type::Function(f), Type::Function(g)) => self.functions(f, g),
            (&Type::Record(p), &Type::Record(q)) => self.records(p, q),
            (p, q) => p == q,
        }
    }

    fn functions(&mut self, f: &FunctionType, g: &FunctionType) -> bool {
        self.left.push((f.result.into(), g.result.into()));
        let survives = |program: &Program, ty: TypeId| {
            let int = program.types.integer(TypeId::INT).map_or(32, |(width, _)| width);
            program.types.integer(ty).is_none_or(|(width, _)| width >= int) && ty != TypeId::FLOAT
        };
        match (f.prototype, g.prototype) {
            (Prototype::Missing, Prototype::Missing) => true,
            (Prototype::Missing, other) => {
                other == Prototype::Fixed && g.parameters.iter().all(|&ty| survives(self.b, ty))
            }
            (other, Prototype::Missing) => {
                other == Prototype::Fixed && f.parameters.iter().all(|&ty| survives(self.a, ty))
            }
            (p, q) => {
                let pairs = f.parameters.iter().zip(&g.parameters);
                self.left.extend(pairs.map(|(&x, &y)| (x.into(), y.into())));
                p == q && f.parameters.len() == g.parameters.len()
            }
        }
    }

    fn records(&mut self, p: RecordId, q: RecordId) -> bool {
        let (x, y) = (&self.a.types.records[p], &self.b.types.records[q]);
        if x.kind != y.kind || !self.same_name(x.tag, y.tag) {
            return false;
        }
        let (Some(m), Some(n)) = (&x.definition, &y.definition) else { return true };
        if !self.assumed.insert((p, q)) {
            return true;
        }
        if m.layout != n.layout || m.fields.len() != n.fields.len() {
            return false;
        }
        for (f, g) in m.fields.iter().zip(&n.fields) {
            if !self.same_name(f.name, g.name) || f.offset != g.offset || f.bits != g.bits {
                return false;
            }
            let pair =
                |field: &crate::c::types::Field| QualType { ty: field.ty, qualifiers: field.qualifiers };
            self.left.push((pair(f), pair(g)));
        }
        true
    }

    fn same_name(&self, x: Option<Name>, y: Option<Name>) -> bool {
        match (x, y) {
            (Some(x), Some(y)) => self.a.name(x) == self.b.name(y),
            (x, y) => x.is_none() && y.is_none(),
        }
    }
}
