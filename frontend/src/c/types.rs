//! The types of C, interned.
//!
//! A [`TypeId`] names a type without top-level qualifiers. Equal types have equal ids; two records
//! or enumerations are equal only if they have the same declaration. Qualifiers are stored where
//! they apply: in [`QualType`] (pointee, array element, field) and on places.
//!
//! Sizes and alignments are those of gcc for the System V ABIs of i386 ([`DataModel::Ilp32`]) and
//! x86-64 ([`DataModel::Lp64`]). On i386, 8-byte scalars are aligned to 4 bytes within records.

use super::hir::LocalId;
use grammars::c::ast::{Name, Qualifier, Qualifiers, RecordKind};
use grammars::source::Span;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use terms::entity::{Entity, PrimaryMap};

terms::entity! {
    /// A type of a [`TypeTable`].
    TypeId, "type"
}
terms::entity! {
    /// A `struct` or `union`.
    RecordId, "record"
}
terms::entity! {
    /// An `enum`.
    EnumId, "enum"
}

terms::choice! {
    /// The sizes of the basic types.
    #[derive(Serialize, Deserialize)]
    DataModel {
        Ilp32 = "ILP32", "`int`, `long` and pointers have 32 bits";
        Lp64 = "LP64", "`int` has 32 bits, `long` and pointers have 64";
    }
}

impl DataModel {
    /// The width of an address in bits.
    #[must_use]
    pub fn pointer_width(self) -> u32 {
        match self {
            Self::Ilp32 => 32,
            Self::Lp64 => 64,
        }
    }
}

/// The standard integer types, including `_Bool` but no enumerations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum IntegerKind {
    /// `_Bool`: 8 bits in memory, value 0 or 1.
    Bool,
    /// `char`, which is signed on x86.
    Char,
    /// `signed char`
    SignedChar,
    /// `unsigned char`
    UnsignedChar,
    /// `short`
    Short,
    /// `unsigned short`
    UnsignedShort,
    /// `int`
    Int,
    /// `unsigned int`
    UnsignedInt,
    /// `long`
    Long,
    /// `unsigned long`
    UnsignedLong,
    /// `long long`
    LongLong,
    /// `unsigned long long`
    UnsignedLongLong,
    /// `__int128`
    Int128,
    /// `unsigned __int128`
    UnsignedInt128,
}

impl IntegerKind {
    /// All kinds, in the order of declaration.
    pub const ALL: [Self; 14] = [
        Self::Bool,
        Self::Char,
        Self::SignedChar,
        Self::UnsignedChar,
        Self::Short,
        Self::UnsignedShort,
        Self::Int,
        Self::UnsignedInt,
        Self::Long,
        Self::UnsignedLong,
        Self::LongLong,
        Self::UnsignedLongLong,
        Self::Int128,
        Self::UnsignedInt128,
    ];

    /// The width in memory, in bits (8 for `_Bool`).
    #[must_use]
    pub fn width(self, model: DataModel) -> u32 {
        match self {
            Self::Bool | Self::Char | Self::SignedChar | Self::UnsignedChar => 8,
            Self::Short | Self::UnsignedShort => 16,
            Self::Int | Self::UnsignedInt => 32,
            Self::Long | Self::UnsignedLong => model.pointer_width(),
            Self::LongLong | Self::UnsignedLongLong => 64,
            Self::Int128 | Self::UnsignedInt128 => 128,
        }
    }

    /// Whether the type is signed.
    #[must_use]
    pub fn is_signed(self) -> bool {
        matches!(
            self,
            Self::Char
                | Self::SignedChar
                | Self::Short
                | Self::Int
                | Self::Long
                | Self::LongLong
                | Self::Int128
        )
    }

    /// The integer conversion rank (C11 6.3.1.1).
    #[must_use]
    pub fn rank(self) -> u32 {
        match self {
            Self::Bool => 0,
            Self::Char | Self::SignedChar | Self::UnsignedChar => 1,
            Self::Short | Self::UnsignedShort => 2,
            Self::Int | Self::UnsignedInt => 3,
            Self::Long | Self::UnsignedLong => 4,
            Self::LongLong | Self::UnsignedLongLong => 5,
            Self::Int128 | Self::UnsignedInt128 => 6,
        }
    }

    /// The unsigned type of the same rank.
    #[must_use]
    pub fn to_unsigned(self) -> Self {
        match self {
            Self::Bool => Self::Bool,
            Self::Char | Self::SignedChar | Self::UnsignedChar => Self::UnsignedChar,
            Self::Short | Self::UnsignedShort => Self::UnsignedShort,
            Self::Int | Self::UnsignedInt => Self::UnsignedInt,
            Self::Long | Self::UnsignedLong => Self::UnsignedLong,
            Self::LongLong | Self::UnsignedLongLong => Self::UnsignedLongLong,
            Self::Int128 | Self::UnsignedInt128 => Self::UnsignedInt128,
        }
    }

    /// The C spelling of the type.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Bool => "_Bool",
            Self::Char => "char",
            Self::SignedChar => "signed char",
            Self::UnsignedChar => "unsigned char",
            Self::Short => "short",
            Self::UnsignedShort => "unsigned short",
            Self::Int => "int",
            Self::UnsignedInt => "unsigned int",
            Self::Long => "long",
            Self::UnsignedLong => "unsigned long",
            Self::LongLong => "long long",
            Self::UnsignedLongLong => "unsigned long long",
            Self::Int128 => "__int128",
            Self::UnsignedInt128 => "unsigned __int128",
        }
    }
}

/// The real floating types.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum FloatKind {
    /// `_Float16`: binary16.
    Float16,
    /// `float`: binary32.
    Float,
    /// `_Float32`: binary32.
    Float32,
    /// `double`: binary64.
    Double,
    /// `_Float64`: binary64.
    Float64,
    /// `_Float32x`: binary64.
    Float32x,
    /// `long double`: x87 extended precision, 64 bits of significand.
    LongDouble,
    /// `_Float64x`: x87 extended precision.
    Float64x,
    /// `_Float128`, `__float128`: binary128.
    Float128,
}

impl FloatKind {
    /// All kinds, in the order of declaration, which is also the order of conversion ranks.
    pub const ALL: [Self; 9] = [
        Self::Float16,
        Self::Float,
        Self::Float32,
        Self::Double,
        Self::Float64,
        Self::Float32x,
        Self::LongDouble,
        Self::Float64x,
        Self::Float128,
    ];

    /// The number of exponent bits and of significand bits, including the hidden or explicit
    /// leading bit.
    #[must_use]
    pub fn format(self) -> (u32, u32) {
        match self {
            Self::Float16 => (5, 11),
            Self::Float | Self::Float32 => (8, 24),
            Self::Double | Self::Float64 | Self::Float32x => (11, 53),
            Self::LongDouble | Self::Float64x => (15, 64),
            Self::Float128 => (15, 113),
        }
    }

    /// Size and alignment within records, in bytes.
    #[must_use]
    pub fn layout(self, model: DataModel) -> Layout {
        let (size, align) = match (self, model) {
            (Self::Float16, _) => (2, 2),
            (Self::Float | Self::Float32, _) => (4, 4),
            (Self::Double | Self::Float64 | Self::Float32x, DataModel::Ilp32) => (8, 4),
            (Self::Double | Self::Float64 | Self::Float32x, DataModel::Lp64) => (8, 8),
            (Self::LongDouble | Self::Float64x, DataModel::Ilp32) => (12, 4),
            (Self::LongDouble | Self::Float64x, DataModel::Lp64) | (Self::Float128, _) => (16, 16),
        };
        Layout { size, align }
    }

    /// The C spelling of the type.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Float16 => "_Float16",
            Self::Float => "float",
            Self::Float32 => "_Float32",
            Self::Double => "double",
            Self::Float64 => "_Float64",
            Self::Float32x => "_Float32x",
            Self::LongDouble => "long double",
            Self::Float64x => "_Float64x",
            Self::Float128 => "_Float128",
        }
    }
}

/// Size and alignment, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Layout {
    /// The result of `sizeof`.
    pub size: u64,
    /// The alignment as a member of a record; a power of two.
    pub align: u64,
}

/// A type with qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct QualType {
    /// The type.
    pub ty: TypeId,
    /// The qualifiers; empty for arrays, whose elements carry them.
    pub qualifiers: Qualifiers,
}

impl From<TypeId> for QualType {
    fn from(ty: TypeId) -> Self {
        Self { ty, qualifiers: Qualifiers::NONE }
    }
}

/// A type without qualifiers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// The type of an erroneous expression or declaration; the error was reported.
    Error,
    /// `void`
    Void,
    /// An integer type.
    Integer(IntegerKind),
    /// An enumeration; its values are those of [`EnumData::underlying`].
    Enum(EnumId),
    /// The type of a bit-field value whose width differs from that of the declared type: an integer
    /// of this many bits, with the signedness of the declared kind (C11 6.7.2.1p10).
    BitField(IntegerKind, u32),
    /// A real floating type.
    Float(FloatKind),
    /// `_Complex` of a floating or (GNU) integer type.
    Complex(TypeId),
    /// `__builtin_va_list`, an opaque type (see [`TypeTable::layout`] for its size).
    ///
    /// DIVERGENCE: on x86-64, gcc defines it as an array of one record, which is passed by
    /// reference.
    VaList,
    /// A GNU vector (`vector_size`) with this many elements.
    Vector(TypeId, u64),
    /// A pointer.
    Pointer(QualType),
    /// An array.
    Array(QualType, ArrayLength),
    /// A function.
    Function(FunctionType),
    /// A `struct` or `union`.
    Record(RecordId),
}

/// The length of an array type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayLength {
    /// This many elements; 0 is a GNU zero-length array.
    Known(u64),
    /// Incomplete, or a flexible array member.
    Incomplete,
    /// A variable length: the value of a hidden local of type `size_t`, which is assigned where
    /// execution reaches the type.
    Variable(LocalId),
    /// `[*]`, or a length in a prototype, which is not evaluated.
    Unevaluated,
}

/// The type of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    /// The result type, without qualifiers.
    pub result: TypeId,
    /// The parameter types without qualifiers, arrays and functions adjusted to pointers. Empty if
    /// the function is [unprototyped](Prototype::Missing).
    pub parameters: Box<[TypeId]>,
    /// The form of the parameter list.
    pub prototype: Prototype,
}

/// The form of a parameter list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Prototype {
    /// `(int, int)`
    Fixed,
    /// `(int, ...)`
    Variadic,
    /// `()` or an old-style identifier list: arguments undergo the default argument promotions,
    /// their number is not checked.
    Missing,
}

/// A `struct` or `union`.
#[derive(Clone, Debug)]
pub struct RecordData {
    /// `struct` or `union`.
    pub kind: RecordKind,
    /// The tag, if any.
    pub tag: Option<Name>,
    /// The first typedef name of the type at file scope, if any.
    pub alias: Option<Name>,
    /// The definition; `None` while the type is incomplete.
    pub definition: Option<RecordDefinition>,
    /// The definition if there is one, else the declaration.
    pub span: Span,
}

/// The members of a record and their positions.
#[derive(Clone, Debug)]
pub struct RecordDefinition {
    /// The fields in source order, without unnamed bit-fields. An anonymous record is one unnamed
    /// field.
    pub fields: Box<[Field]>,
    /// Size and alignment of the record.
    pub layout: Layout,
    /// Whether the last member is a flexible array member.
    pub has_flexible_array: bool,
    /// Whether the record has the attribute `transparent_union`.
    pub is_transparent_union: bool,
    /// Whether a member has variable length (GNU). The layout is then invalid; an execution that
    /// reaches a declaration with the type reaches an unsupported construct.
    pub has_variable_member: bool,
}

/// A member of a record.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The name; `None` for an anonymous record.
    pub name: Option<Name>,
    /// The declared type.
    pub ty: TypeId,
    /// The qualifiers of the type.
    pub qualifiers: Qualifiers,
    /// The offset from the start of the record in bytes; for a bit-field, the offset of the byte
    /// that holds its lowest bit.
    pub offset: u64,
    /// The bit range of a bit-field.
    pub bits: Option<BitRange>,
    /// The alignment within the record in bytes; 1 for a bit-field.
    pub align: u64,
    /// The position of the declarator.
    pub span: Span,
}

/// The bits of a bit-field. Bit `first` of the byte at [`Field::offset`] is the lowest; numbering
/// continues into the following bytes. An access touches `(first + width).div_ceil(8)` bytes.
///
/// The value has the declared type of the field and is sign- or zero-extended according to its
/// signedness.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct BitRange {
    /// The lowest bit, 0 to 7.
    pub first: u32,
    /// The width: at least 1, at most the width of the declared type.
    pub width: u32,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct EnumData {
    /// The tag, if any.
    pub tag: Option<Name>,
    /// The first typedef name of the type at file scope, if any.
    pub alias: Option<Name>,
    /// The underlying type, chosen like gcc: `unsigned int` if no constant is negative, else `int`;
    /// a wider type if needed, a narrower type if packed.
    pub underlying: IntegerKind,
    /// The constants in source order; `None` while the type is incomplete.
    pub constants: Option<Box<[(Name, i128)]>>,
    /// The position of the declaration.
    pub span: Span,
}

/// The interned types of a program.
#[derive(Clone, Debug)]
pub struct TypeTable {
    /// The data model.
    pub model: DataModel,
    types: IndexSet<Type, FxBuildHasher>,
    /// The records.
    pub records: PrimaryMap<RecordId, RecordData>,
    /// The enumerations.
    pub enums: PrimaryMap<EnumId, EnumData>,
}

impl TypeId {
    /// The type of an erroneous expression or declaration; the error was reported.
    pub const ERROR: Self = Self(0);
    /// `void`
    pub const VOID: Self = Self(1);
    /// `__builtin_va_list`
    pub const VA_LIST: Self = Self(2);
    /// `_Bool`
    pub const BOOL: Self = Self::integer(IntegerKind::Bool);
    /// `char`
    pub const CHAR: Self = Self::integer(IntegerKind::Char);
    /// `int`
    pub const INT: Self = Self::integer(IntegerKind::Int);
    /// `unsigned int`
    pub const UNSIGNED: Self = Self::integer(IntegerKind::UnsignedInt);
    /// `long`
    pub const LONG: Self = Self::integer(IntegerKind::Long);
    /// `float`
    pub const FLOAT: Self = Self::float(FloatKind::Float);
    /// `double`
    pub const DOUBLE: Self = Self::float(FloatKind::Double);

    /// Returns the id of an integer type.
    #[must_use]
    pub const fn integer(kind: IntegerKind) -> Self {
        Self(3 + kind as u32)
    }

    /// Returns the id of a real floating type.
    #[must_use]
    pub const fn float(kind: FloatKind) -> Self {
        Self(3 + IntegerKind::ALL.len() as u32 + kind as u32)
    }
}

impl std::ops::Index<TypeId> for TypeTable {
    type Output = Type;
    fn index(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }
}

impl TypeTable {
    /// Makes a table with the basic types.
    #[must_use]
    pub fn new(model: DataModel) -> Self {
        let mut types = IndexSet::default();
        types.extend([Type::Error, Type::Void, Type::VaList]);
        types.extend(IntegerKind::ALL.map(Type::Integer));
        types.extend(FloatKind::ALL.map(Type::Float));
        Self { model, types, records: PrimaryMap::new(), enums: PrimaryMap::new() }
    }

    /// Interns a type.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        TypeId::new(self.types.insert_full(ty).0)
    }

    /// The number of types; ids are the numbers below it.
    #[must_use]
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Always false: the basic types always exist.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// The type of pointers to `pointee`.
    pub fn pointer(&mut self, pointee: impl Into<QualType>) -> TypeId {
        self.intern(Type::Pointer(pointee.into()))
    }

    /// The type of arrays of `element`.
    pub fn array(&mut self, element: impl Into<QualType>, length: ArrayLength) -> TypeId {
        self.intern(Type::Array(element.into(), length))
    }

    /// `size_t`
    #[must_use]
    pub fn size_type(&self) -> TypeId {
        TypeId::integer(match self.model {
            DataModel::Ilp32 => IntegerKind::UnsignedInt,
            DataModel::Lp64 => IntegerKind::UnsignedLong,
        })
    }

    /// `ptrdiff_t`
    #[must_use]
    pub fn difference_type(&self) -> TypeId {
        TypeId::integer(match self.model {
            DataModel::Ilp32 => IntegerKind::Int,
            DataModel::Lp64 => IntegerKind::Long,
        })
    }

    /// `wchar_t`
    #[must_use]
    pub fn wide_char_type(&self) -> TypeId {
        TypeId::integer(match self.model {
            DataModel::Ilp32 => IntegerKind::Long,
            DataModel::Lp64 => IntegerKind::Int,
        })
    }

    /// The integer kind of an integer or enumeration type; for a bit-field value, the declared
    /// kind.
    #[must_use]
    pub fn integer_kind(&self, id: TypeId) -> Option<IntegerKind> {
        match self[id] {
            Type::Integer(kind) | Type::BitField(kind, _) => Some(kind),
            Type::Enum(id) => Some(self.enums[id].underlying),
            _ => None,
        }
    }

    /// Width and signedness of an integer or enumeration type: the width in memory, or the width of
    /// a bit-field value.
    #[must_use]
    pub fn integer(&self, id: TypeId) -> Option<(u32, program::ssa::Signedness)> {
        let kind = self.integer_kind(id)?;
        let signedness = match kind.is_signed() {
            true => program::ssa::Signedness::Signed,
            false => program::ssa::Signedness::Unsigned,
        };
        let width = match self[id] {
            Type::BitField(_, width) => width,
            _ => kind.width(self.model),
        };
        Some((width, signedness))
    }

    /// The type that a pointer type points to.
    #[must_use]
    pub fn pointee(&self, id: TypeId) -> Option<QualType> {
        match self[id] {
            Type::Pointer(pointee) => Some(pointee),
            _ => None,
        }
    }

    /// The element type of an array type.
    #[must_use]
    pub fn element(&self, id: TypeId) -> Option<QualType> {
        match self[id] {
            Type::Array(element, _) => Some(element),
            _ => None,
        }
    }

    /// The function type, if the type is one.
    #[must_use]
    pub fn function(&self, id: TypeId) -> Option<&FunctionType> {
        match &self[id] {
            Type::Function(function) => Some(function),
            _ => None,
        }
    }

    /// The fields of a complete record type.
    #[must_use]
    pub fn fields(&self, id: TypeId) -> Option<&[Field]> {
        match self[id] {
            Type::Record(record) => Some(&self.records[record].definition.as_ref()?.fields),
            _ => None,
        }
    }

    /// Size and alignment; `None` for an incomplete, function, `void` or variable-length type.
    #[must_use]
    pub fn layout(&self, id: TypeId) -> Option<Layout> {
        self.qualified_layout(QualType { ty: id, qualifiers: Qualifiers::default() })
    }

    /// Size and alignment of a qualified type (an array has the qualifiers of its elements). As in
    /// gcc, an `_Atomic` type with the size of an integer type is aligned to its size, even if the
    /// unqualified type is not.
    #[must_use]
    pub fn qualified_layout(&self, ty: QualType) -> Option<Layout> {
        let QualType { ty: mut id, mut qualifiers } = ty;
        let pointer = u64::from(self.model.pointer_width() / 8);
        let mut count: u64 = 1;
        let layout = loop {
            match self[id] {
                Type::Array(element, ArrayLength::Known(length)) => {
                    count = count.checked_mul(length)?;
                    id = element.ty;
                    qualifiers = qualifiers.union(element.qualifiers);
                }
                Type::Array(..) | Type::Function(_) | Type::Void | Type::Error => return None,
                Type::Integer(_) | Type::Enum(_) | Type::BitField(..) => {
                    if let Type::Enum(enumeration) = self[id] {
                        self.enums[enumeration].constants.as_ref()?;
                    }
                    // gcc gives a bit-field value the size of the smallest integer type that holds
                    // its width.
                    let (width, _) = self.integer(id)?;
                    let size = u64::from(width.div_ceil(8)).next_power_of_two();
                    let align = if size == 8 { pointer } else { size };
                    break Layout { size, align };
                }
                Type::Float(kind) => break kind.layout(self.model),
                Type::Complex(part) => {
                    let part = self.layout(part)?;
                    break Layout { size: part.size * 2, align: part.align };
                }
                Type::VaList => {
                    let size = if self.model == DataModel::Ilp32 { 4 } else { 24 };
                    break Layout { size, align: pointer };
                }
                Type::Vector(element, lanes) => {
                    let size = self.layout(element)?.size.checked_mul(lanes)?;
                    break Layout { size, align: size.checked_next_power_of_two()? };
                }
                Type::Pointer(_) => break Layout { size: pointer, align: pointer },
                Type::Record(record) => break self.records[record].definition.as_ref()?.layout,
            }
        };
        let is_atomic = qualifiers.contains(Qualifier::Atomic) && matches!(layout.size, 1 | 2 | 4 | 8 | 16);
        let align = if is_atomic { layout.align.max(layout.size) } else { layout.align };
        Some(Layout { size: layout.size.checked_mul(count)?, align })
    }

    /// The result of gcc's `__alignof__`: on i386, 8 for 8-byte scalars and arrays of them,
    /// although they are aligned to 4 within records. `None` where [`layout`](Self::layout) is
    /// `None`.
    #[must_use]
    pub fn preferred_alignment(&self, ty: QualType) -> Option<u64> {
        let layout = self.qualified_layout(ty)?;
        let mut element = ty.ty;
        while let Type::Array(inner, _) = self[element] {
            element = inner.ty;
        }
        let number = match self[element] {
            Type::Complex(part) => part,
            _ => element,
        };
        let is_wide = !self.is_pointer(number) && self.is_arithmetic(number) && self.size(number) == Some(8);
        Some(if is_wide { layout.align.max(8) } else { layout.align })
    }

    /// The size in bytes, see [`layout`](Self::layout).
    #[must_use]
    pub fn size(&self, id: TypeId) -> Option<u64> {
        Some(self.layout(id)?.size)
    }

    /// Whether the type is an integer type, including `_Bool` and enumerations.
    #[must_use]
    pub fn is_integer(&self, id: TypeId) -> bool {
        matches!(self[id], Type::Integer(_) | Type::Enum(_) | Type::BitField(..))
    }

    /// Whether the type is a real or complex floating type.
    #[must_use]
    pub fn is_floating(&self, id: TypeId) -> bool {
        matches!(self[id], Type::Float(_) | Type::Complex(_))
    }

    /// Whether the type is an integer, floating or complex type.
    #[must_use]
    pub fn is_arithmetic(&self, id: TypeId) -> bool {
        self.is_integer(id) || self.is_floating(id)
    }

    /// Whether the type is a pointer.
    #[must_use]
    pub fn is_pointer(&self, id: TypeId) -> bool {
        matches!(self[id], Type::Pointer(_))
    }

    /// Whether the type is arithmetic or a pointer.
    #[must_use]
    pub fn is_scalar(&self, id: TypeId) -> bool {
        self.is_arithmetic(id) || self.is_pointer(id)
    }

    /// Whether the type is an array.
    #[must_use]
    pub fn is_array(&self, id: TypeId) -> bool {
        matches!(self[id], Type::Array(..))
    }

    /// Whether the type is a function.
    #[must_use]
    pub fn is_function(&self, id: TypeId) -> bool {
        matches!(self[id], Type::Function(_))
    }

    /// Whether the type is a record.
    #[must_use]
    pub fn is_record(&self, id: TypeId) -> bool {
        matches!(self[id], Type::Record(_))
    }

    /// Whether the type is a record with a member of variable length, or an array of such records.
    #[must_use]
    pub fn has_variable_member(&self, mut id: TypeId) -> bool {
        loop {
            id = match self[id] {
                Type::Array(element, _) => element.ty,
                Type::Pointer(pointee) => pointee.ty,
                Type::Record(record) => {
                    return self.records[record]
                        .definition
                        .as_ref()
                        .is_some_and(|definition| definition.has_variable_member);
                }
                _ => return false,
            };
        }
    }

    /// Whether the type is variably modified (C11 6.7.6p3).
    #[must_use]
    pub fn is_variably_modified(&self, mut id: TypeId) -> bool {
        loop {
            id = match &self[id] {
                Type::Array(_, ArrayLength::Variable(_) | ArrayLength::Unevaluated) => return true,
                Type::Array(element, _) => element.ty,
                Type::Pointer(pointee) => pointee.ty,
                Type::Function(function) => function.result,
                _ => return false,
            }
        }
    }

    /// Whether the size of the type depends on a value.
    #[must_use]
    pub fn is_variable(&self, mut id: TypeId) -> bool {
        while let Type::Array(element, length) = self[id] {
            if matches!(length, ArrayLength::Variable(_) | ArrayLength::Unevaluated) {
                return true;
            }
            id = element.ty;
        }
        false
    }
}
