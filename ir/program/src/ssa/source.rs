//! Debug information: the source types of places, the source conditions of branches, and the
//! loops.
//!
//! The front end records the debug information. A traced run evaluates the operands of conditions,
//! and traces print values by their source types. It has no effect on the semantics: no engine
//! reads it, the text form omits it, and a program runs the same without it. It describes the
//! program as lowered; the preparation for an engine drops it.
//!
//! A place is identified by the name that its values and stores carry. A name with several types in
//! one function (shadowed variables) has no recorded type.

use super::{Block, Function, Object, Program, Property, Span, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::entity::PrimaryMap;
use terms::{Signedness, Term};

terms::entity! {
    /// A type of the source program.
    SourceType, "t"
}

/// Debug information of a program.
#[derive(Clone, Debug, Default)]
pub struct SourceInfo {
    /// The source types.
    pub types: PrimaryMap<SourceType, SourceTypeData>,
    /// The condition of each branch or switch of the source, by the block that the branch ends.
    pub decisions: FxHashMap<(Function, Block), Decision>,
    /// The loops of the source, by their heads.
    pub loops: FxHashMap<(Function, Block), SourceLoop>,
    /// The number of declarations of each name in the body of a function with loops.
    pub declared: FxHashMap<Function, FxHashMap<String, usize>>,
    /// The descriptions of unsupported constructs that stand for undefined behavior: C imposes no
    /// requirement on a run that reaches one.
    pub undefined: FxHashSet<String>,
    /// The failing operation of each error site whose operation has operands.
    pub operations: FxHashMap<Property, Operation>,
    /// The types of the operands that a trace shows at an error site, by their source text.
    pub operands: FxHashMap<(Property, String), SourceType>,
    /// The declared types of objects.
    pub objects: FxHashMap<Object, SourceType>,
    /// The result types of functions, by name.
    results: FxHashMap<String, SourceType>,
    /// The types of places, by name; `None` if the name is ambiguous.
    places: FxHashMap<Function, FxHashMap<String, Option<SourceType>>>,
    /// The bits that a store to a bit-field changes, by the name of the place.
    bit_fields: FxHashMap<Function, FxHashMap<String, BitField>>,
}

/// A type of the source program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceTypeData {
    /// The name in C syntax.
    pub name: String,
    /// The size in bytes; 0 if unknown.
    pub size: u64,
    /// The values of the type.
    pub kind: SourceKind,
}

/// The kind of a type, which determines how its values are printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SourceKind {
    /// A type whose values are not interpreted.
    Opaque,
    /// `_Bool`: 0 and 1.
    Bool,
    /// A character type of one byte.
    Character(Signedness),
    /// Any other integer type.
    Integer(Signedness),
    /// A bit-field: an integer in some bits of a word.
    BitField(Signedness),
    /// A binary floating-point type.
    Float {
        /// The width of the exponent in bits.
        exponent: u32,
        /// The width of the significand in bits, including the leading bit.
        significand: u32,
    },
    /// An enumeration, with the values and names of its constants.
    Enum(Signedness, Vec<(i128, String)>),
    /// A pointer to the given type.
    Pointer(SourceType),
    /// A function type.
    Function,
    /// An array with the given element type.
    Array(SourceType),
    /// A struct or union with its members.
    Record(Vec<SourceField>),
}

/// A member of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceField {
    /// The name; `None` for an anonymous member.
    pub name: Option<String>,
    /// The offset from the start of the record in bytes.
    pub offset: u64,
    /// The type.
    pub ty: SourceType,
}

/// The bits of a stored word that belong to a bit-field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitField {
    /// The index of the lowest bit.
    pub first: u32,
    /// The number of bits.
    pub width: u32,
}

/// The condition of a branch, or the scrutinee of a switch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The source position of the expression.
    pub span: Span,
    /// The edge of a branch on which the expression is true.
    pub true_edge: TrueEdge,
    /// The values that the expression reads from places or gets from calls, as terms at the end of
    /// the block.
    pub operands: Vec<DecisionOperand>,
}

/// The edge of a branch on which the condition of the source is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TrueEdge {
    /// The first edge.
    First,
    /// The second edge: the program branches on the negation.
    Second,
}

impl TrueEdge {
    /// Returns the edge on which the negated condition is true.
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
    /// The source text; parts may be abbreviated as `…`.
    pub text: String,
    /// The source position.
    pub span: Span,
    /// The value.
    pub term: Term,
    /// The IR type of the term.
    pub ty: Type,
    /// The source type.
    pub source: SourceType,
}

/// A loop of the source, or a label, which may be the head of a loop of jumps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceLoop {
    /// The construct.
    pub kind: LoopKind,
    /// The statement.
    pub span: Span,
    /// The scalar variables and members of variables that are live at the head and in scope there,
    /// each with its value at the head. Names that another declaration may hide are absent.
    pub variables: Vec<(String, Value)>,
}

/// The construct of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopKind {
    /// `while`, `do` or `for`.
    Statement,
    /// A label.
    Label,
}

impl Program {
    /// Returns the head of the loop of the source at a block of this program, with the loop, if it
    /// is known. The head of a loop without a condition is empty, and its successor may have taken
    /// its place.
    pub fn source_loop(&self, function: Function, block: Block) -> (Block, Option<&SourceLoop>) {
        let loops = &self.source.loops;
        if let Some(found) = loops.get(&(function, block)) {
            return (block, Some(found));
        }
        let blocks = &self.functions[function].blocks;
        let mut before = blocks.iter().filter(|(_, data)| {
            data.instructions.is_empty() && data.terminator.edges().iter().any(|edge| edge.target == block)
        });
        match (before.next(), before.next()) {
            (Some((head, _)), None) if loops.contains_key(&(function, head)) => {
                (head, loops.get(&(function, head)))
            }
            _ => (block, None),
        }
    }
}

impl Decision {
    /// Whether all values in the operands have an index below `values`.
    pub fn fits(&self, pool: &terms::TermPool, values: usize) -> bool {
        let is_there = |value: u32| (value as usize) < values;
        self.operands.iter().all(|operand| pool.free_values(operand.term).into_iter().all(is_there))
    }
}

/// An operation that may fail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// The source text.
    pub text: String,
    /// The name of its type.
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

    /// Returns the type of the place with this name in the function.
    pub fn place(&self, function: Function, name: &str) -> Option<SourceType> {
        *self.places.get(&function)?.get(name)?
    }

    /// Returns the common type of the places with this name in all functions; `None` if the types
    /// differ.
    pub fn place_of_any(&self, name: &str) -> Option<SourceType> {
        let mut types = self.places.values().filter_map(|places| places.get(name));
        let first = (*types.next()?)?;
        types.all(|&other| other == Some(first)).then_some(first)
    }

    /// Records the result type of a function.
    pub fn set_result(&mut self, function: &str, ty: SourceType) {
        self.results.entry(function.to_owned()).or_insert(ty);
    }

    /// Returns the result type of a function.
    pub fn result(&self, function: &str) -> Option<SourceType> {
        self.results.get(function).copied()
    }

    /// Records that a place is a bit-field, whose stores change only `bits` of a word.
    pub fn set_bit_field(&mut self, function: Function, name: &str, bits: BitField) {
        self.bit_fields.entry(function).or_default().insert(name.to_owned(), bits);
    }

    /// Returns the bits that stores to a place change, if it is a bit-field.
    pub fn bit_field(&self, function: Function, name: &str) -> Option<BitField> {
        self.bit_fields.get(&function)?.get(name).copied()
    }

    /// Returns the part of a value of type `ty` that begins at `offset` bytes; `wanted` selects
    /// among several. If no part begins there, returns the innermost part that contains the
    /// offset.
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

    /// The element or member of `part` that contains the offset `part.rest`.
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

/// The selection among several parts that begin at the same offset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// The largest part, which contains the others.
    Largest,
    /// The part whose type has the same name as this type, else the largest part.
    Named(SourceType),
    /// The scalar part.
    Scalar,
}

/// A part of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The C designator relative to the value, for example `.slots[2]`.
    pub path: String,
    /// The requested offset relative to the start of the part, in bytes.
    pub rest: u64,
    /// The type.
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
        assert_eq!(part(0, Wanted::Named(count)), (String::new(), 0), "no part of this type begins there");
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
