//! Debug information: the source types of places, and the conditions of branches.
//!
//! The front end records it, the interpreter evaluates the operands of conditions while it records
//! a trace, and traces show values by it. It has no meaning: no engine reads it, the text form does
//! not show it, and a program without it runs in the same way. It describes the program as lowered;
//! preparation for an engine drops it.
//!
//! Places have the names that values and stores carry. A name that has several types in one
//! function (shadowed variables) has none here.

use super::{Block, Function, Object, Property, Span, Type};
use rustc_hash::FxHashMap;
use terms::entity::PrimaryMap;
use terms::{Signedness, Term};

terms::entity! {
    /// A type of the source.
    SourceType, "t"
}

/// Debug information of a program.
#[derive(Clone, Debug, Default)]
pub struct SourceInfo {
    /// The types that places have.
    pub types: PrimaryMap<SourceType, SourceTypeData>,
    /// What each branch or switch of the source decides, by the block that it ends.
    pub decisions: FxHashMap<(Function, Block), Decision>,
    /// The operation that fails at an error site, where it has operands.
    pub operations: FxHashMap<Property, Operation>,
    /// The types of the operands that an error site shows, by how the source writes them.
    pub operands: FxHashMap<(Property, String), SourceType>,
    /// The declared types of objects.
    pub objects: FxHashMap<Object, SourceType>,
    /// The result types of functions, by name.
    results: FxHashMap<String, SourceType>,
    /// The types of values and stores, by the name that they carry; `None` if it is ambiguous.
    places: FxHashMap<Function, FxHashMap<String, Option<SourceType>>>,
    /// The bits that a store to a bit-field changes, by the name that it carries.
    bit_fields: FxHashMap<Function, FxHashMap<String, BitField>>,
}

/// A type of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceTypeData {
    /// As the source writes it.
    pub name: String,
    /// Bytes; 0 if unknown.
    pub size: u64,
    /// Which values it has.
    pub kind: SourceKind,
}

/// Which values a type has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SourceKind {
    /// Nothing is known of the values.
    Opaque,
    /// 0 and 1.
    Bool,
    /// Characters of one byte.
    Character(Signedness),
    /// Other integers.
    Integer(Signedness),
    /// Integers of some bits of a word.
    BitField(Signedness),
    /// Floating-point numbers.
    Float {
        /// Bits of the exponent.
        exponent: u32,
        /// Bits of the significand, the leading one included.
        significand: u32,
    },
    /// Integers of which some have names.
    Enum(Signedness, Vec<(i128, String)>),
    /// Addresses.
    Pointer(SourceType),
    /// Functions.
    Function,
    /// Elements in a row.
    Array(SourceType),
    /// Members.
    Record(Vec<SourceField>),
}

/// A member of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceField {
    /// Its name; `None` for an anonymous record.
    pub name: Option<String>,
    /// Bytes from the start of the record.
    pub offset: u64,
    /// Its type.
    pub ty: SourceType,
}

/// The bits of a stored word that belong to a bit-field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitField {
    /// The lowest bit.
    pub first: u32,
    /// How many.
    pub width: u32,
}

/// The condition of a branch, or the scrutinee of a switch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The expression.
    pub span: Span,
    /// The expression is true on this edge of a branch.
    pub true_edge: TrueEdge,
    /// The places that it reads and the calls that it makes, as terms at the end of the block.
    pub operands: Vec<DecisionOperand>,
}

/// The edge of a branch on which the condition of the source is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TrueEdge {
    /// The first.
    First,
    /// The second: the program branches on the negation.
    Second,
}

impl TrueEdge {
    /// The edge for the negated condition.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            TrueEdge::First => TrueEdge::Second,
            TrueEdge::Second => TrueEdge::First,
        }
    }
}

/// An operand of a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecisionOperand {
    /// As the source writes it; parts may be left out (`…`).
    pub text: String,
    /// Where.
    pub span: Span,
    /// Its value.
    pub term: Term,
    /// The IR type of the term.
    pub ty: Type,
    /// Its type in the source.
    pub source: SourceType,
}

impl Decision {
    /// Whether all operands are over values of a function with so many values.
    pub fn fits(&self, pool: &terms::TermPool, values: usize) -> bool {
        let is_there = |value: u32| (value as usize) < values;
        self.operands.iter().all(|operand| pool.free_values(operand.term).into_iter().all(is_there))
    }
}

/// An operation that may fail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// As the source writes it.
    pub text: String,
    /// The name of the type in which it is computed.
    pub ty: String,
}

impl SourceInfo {
    /// Records the type of a place.
    pub fn set_place(&mut self, function: Function, name: &str, ty: SourceType) {
        let places = self.places.entry(function).or_default();
        match places.get_mut(name) {
            Some(known) if *known == Some(ty) => {}
            Some(known) => *known = None,
            None => {
                places.insert(name.to_owned(), Some(ty));
            }
        }
    }

    /// The type of the place that values or stores of the function name.
    pub fn place(&self, function: Function, name: &str) -> Option<SourceType> {
        *self.places.get(&function)?.get(name)?
    }

    /// The type of the places of all functions that values or stores with this name are about;
    /// `None` if they differ.
    pub fn place_of_any(&self, name: &str) -> Option<SourceType> {
        let mut types = self.places.values().filter_map(|places| places.get(name));
        let first = (*types.next()?)?;
        types.all(|&other| other == Some(first)).then_some(first)
    }

    /// Records the result type of a function.
    pub fn set_result(&mut self, function: &str, ty: SourceType) {
        self.results.entry(function.to_owned()).or_insert(ty);
    }

    /// The result type of a function.
    pub fn result(&self, function: &str) -> Option<SourceType> {
        self.results.get(function).copied()
    }

    /// Records that stores to a place change some bits of a word.
    pub fn set_bit_field(&mut self, function: Function, name: &str, bits: BitField) {
        self.bit_fields.entry(function).or_default().insert(name.to_owned(), bits);
    }

    /// The bits that stores to a place change, if it is a bit-field.
    pub fn bit_field(&self, function: Function, name: &str) -> Option<BitField> {
        self.bit_fields.get(&function)?.get(name).copied()
    }

    /// The part of a value of type `ty` that begins `offset` bytes from its start. If none begins
    /// there, the scalar that holds the offset.
    pub fn part(&self, ty: SourceType, offset: u64, wanted: Wanted) -> Part {
        let is_wanted = |ty: SourceType| match wanted {
            Wanted::Largest => true,
            Wanted::Named(wanted) => self.types[wanted].name == self.types[ty].name,
            Wanted::Scalar => !matches!(self.types[ty].kind, SourceKind::Array(_) | SourceKind::Record(_)),
        };
        let mut part = Part { path: String::new(), rest: offset, ty };
        let mut largest = None;
        loop {
            if part.rest == 0 {
                if is_wanted(part.ty) {
                    return part;
                }
                largest.get_or_insert_with(|| part.clone());
            }
            match self.part_within(&part) {
                Some(inner) => part = inner,
                None => return largest.unwrap_or(part),
            }
        }
    }

    /// The element or member of a part in which its rest lies.
    fn part_within(&self, part: &Part) -> Option<Part> {
        match &self.types[part.ty].kind {
            SourceKind::Array(element) if self.types[*element].size > 0 => {
                let size = self.types[*element].size;
                let path = format!("{}[{}]", part.path, part.rest / size);
                Some(Part { path, rest: part.rest % size, ty: *element })
            }
            SourceKind::Record(fields) => {
                let holds = |field: &&SourceField| {
                    field.offset <= part.rest && part.rest - field.offset < self.types[field.ty].size.max(1)
                };
                let field = fields.iter().find(holds)?;
                let path = match &field.name {
                    Some(name) => format!("{}.{name}", part.path),
                    None => part.path.clone(),
                };
                Some(Part { path, rest: part.rest - field.offset, ty: field.ty })
            }
            _ => None,
        }
    }
}

/// Which of several parts that begin at one offset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// The one that contains the others.
    Largest,
    /// The one whose type has the name of this one, if there is one, else the largest.
    Named(SourceType),
    /// The scalar.
    Scalar,
}

/// A part of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// As the source writes it behind the value, `.slots[2]`.
    pub path: String,
    /// Bytes from the start of the part to the requested offset.
    pub rest: u64,
    /// Its type.
    pub ty: SourceType,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(info: &mut SourceInfo, name: &str, size: u64, kind: SourceKind) -> SourceType {
        info.types.push(SourceTypeData { name: name.to_owned(), size, kind })
    }

    #[test]
    fn a_part_of_an_object_is_named_by_members_and_indices() {
        let mut info = SourceInfo::default();
        let byte = push(&mut info, "unsigned char", 1, SourceKind::Character(Signedness::Unsigned));
        let slots = push(&mut info, "unsigned char [4]", 4, SourceKind::Array(byte));
        let count = push(&mut info, "unsigned", 4, SourceKind::Integer(Signedness::Unsigned));
        let field = |name: &str, offset, ty| SourceField { name: Some(name.to_owned()), offset, ty };
        let fields = vec![field("slots", 0, slots), field("count", 4, count)];
        let ring = push(&mut info, "struct ring", 8, SourceKind::Record(fields));
        let part = |offset, wanted| {
            let part = info.part(ring, offset, wanted);
            (part.path, part.rest)
        };
        assert_eq!(part(0, Wanted::Largest), (String::new(), 0));
        assert_eq!(part(0, Wanted::Named(byte)), (".slots[0]".to_owned(), 0));
        assert_eq!(part(2, Wanted::Named(byte)), (".slots[2]".to_owned(), 0));
        assert_eq!(part(4, Wanted::Scalar), (".count".to_owned(), 0));
        assert_eq!(part(6, Wanted::Largest), (".count".to_owned(), 2));
        assert_eq!(part(0, Wanted::Named(count)), (String::new(), 0), "no part of the type is there");
    }

    #[test]
    fn a_name_with_two_types_has_none() {
        let mut info = SourceInfo::default();
        let int = push(&mut info, "int", 4, SourceKind::Integer(Signedness::Signed));
        let float = push(&mut info, "float", 4, SourceKind::Float { exponent: 8, significand: 24 });
        let (one, other) = (Function(0), Function(1));
        info.set_place(one, "x", int);
        info.set_place(one, "x", int);
        assert_eq!(info.place(one, "x"), Some(int));
        info.set_place(one, "x", float);
        assert_eq!((info.place(one, "x"), info.place(other, "x")), (None, None));
    }
}
