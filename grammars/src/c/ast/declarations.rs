//! Declarations, specifiers, declarators, initializers and attributes.

use super::{
    AttributeId, DeclId, DeclaratorId, EnumId, ExprId, Ident, InitId, Interner, Name, ParamsId, RecordId,
    SpecsId, StaticAssertId, StmtId, StringId, TypeNameId,
};
use crate::source::Span;
use serde::{Deserialize, Serialize};

/// `specifiers declarator = initializer, …;`
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The specifiers, shared by all declarators.
    pub specifiers: SpecsId,
    /// The declared entities; empty for a bare `struct s;` or `enum { A };`.
    pub declarators: Box<[InitDeclarator]>,
    /// From the first specifier to the semicolon.
    pub span: Span,
}

/// A declarator with its initializer.
#[derive(Clone, Copy, Debug)]
pub struct InitDeclarator {
    /// The declarator; always named.
    pub declarator: DeclaratorId,
    /// The initializer after `=`.
    pub init: Option<InitId>,
}

/// A function definition, new style or old.
#[derive(Clone, Debug)]
pub struct FunctionDefinition {
    /// Storage and return type; empty for an implicit `int`.
    pub specifiers: SpecsId,
    /// Name and parameters. Its first part is [`DeclaratorPart::Function`] unless the function's
    /// type comes from a typedef, which is an error of a later stage.
    pub declarator: DeclaratorId,
    /// Old style: the declarations between the parameter names and the body.
    pub old_style: Box<[DeclId]>,
    /// Always a [`StmtKind::Compound`](super::StmtKind::Compound).
    pub body: StmtId,
    /// The whole definition.
    pub span: Span,
}

/// `_Static_assert(condition, "message");`
#[derive(Clone, Debug)]
pub struct StaticAssert {
    /// A constant expression.
    pub condition: ExprId,
    /// The message, if present.
    pub message: Option<StringId>,
    /// The whole declaration.
    pub span: Span,
}

/// Declaration specifiers (or a specifier-qualifier list) as written: any order, repetitions kept
/// (`long int long` is three entries).
#[derive(Clone, Default, Debug)]
pub struct Specifiers {
    /// In source order.
    pub list: Box<[Specifier]>,
    /// From first to last, or an empty span where the list is empty.
    pub span: Span,
}

/// One specifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Specifier {
    /// The kind.
    pub kind: SpecifierKind,
    /// Its location.
    pub span: Span,
}

/// The kinds of specifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpecifierKind {
    /// Storage class, including `typedef`.
    Storage(StorageClass),
    /// Type qualifier.
    Qualifier(Qualifier),
    /// `inline` or `_Noreturn`.
    Function(FunctionSpecifier),
    /// `_Alignas(type-name)`
    AlignasType(TypeNameId),
    /// `_Alignas(expression)`
    AlignasExpr(ExprId),
    /// `__attribute__((…))`, one entry per attribute.
    Attribute(AttributeId),
    /// A keyword of a basic type; several combine.
    Basic(BasicType),
    /// `struct …` or `union …`
    Record(RecordId),
    /// `enum …`
    Enum(EnumId),
    /// A typedef name.
    TypedefName(Name),
    /// `typeof(expression)`
    TypeofExpr(ExprId),
    /// `typeof(type-name)`
    TypeofType(TypeNameId),
    /// `_Atomic(type-name)`
    AtomicType(TypeNameId),
    /// `__auto_type`: the type of the initializer.
    AutoType,
}

impl SpecifierKind {
    /// Whether the specifier determines the type beyond a qualifier. A list without such a
    /// specifier means an implicit `int`.
    #[must_use]
    pub fn is_type(self) -> bool {
        match self {
            Self::Basic(_)
            | Self::Record(_)
            | Self::Enum(_)
            | Self::TypedefName(_)
            | Self::TypeofExpr(_)
            | Self::TypeofType(_)
            | Self::AtomicType(_)
            | Self::AutoType => true,
            Self::Storage(_)
            | Self::Qualifier(_)
            | Self::Function(_)
            | Self::AlignasType(_)
            | Self::AlignasExpr(_)
            | Self::Attribute(_) => false,
        }
    }
}

/// Storage-class specifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum StorageClass {
    /// `typedef`
    Typedef,
    /// `extern`
    Extern,
    /// `static`
    Static,
    /// `auto`
    Auto,
    /// `register`
    Register,
    /// `_Thread_local`, `__thread`
    ThreadLocal,
}

/// Type qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Qualifier {
    /// `const`
    Const,
    /// `volatile`
    Volatile,
    /// `restrict`
    Restrict,
    /// `_Atomic` without parentheses
    Atomic,
}

/// Function specifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum FunctionSpecifier {
    /// `inline`
    Inline,
    /// `_Noreturn`
    Noreturn,
}

/// Keywords of basic types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum BasicType {
    /// `void`
    Void,
    /// `char`
    Char,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `long`
    Long,
    /// `float`
    Float,
    /// `double`
    Double,
    /// `signed`
    Signed,
    /// `unsigned`
    Unsigned,
    /// `_Bool`
    Bool,
    /// `_Complex`
    Complex,
    /// `_Imaginary` (supported by no compiler; kept so that the error message can name it)
    Imaginary,
    /// `__int128`
    Int128,
    /// `_Float16`
    Float16,
    /// `_Float32`
    Float32,
    /// `_Float64`
    Float64,
    /// `_Float128`, `__float128`
    Float128,
    /// `_Float32x`
    Float32x,
    /// `_Float64x`
    Float64x,
    /// `__builtin_va_list`
    VaList,
}

/// A `struct` or `union` specifier.
#[derive(Clone, Debug)]
pub struct Record {
    /// Which of the two.
    pub kind: RecordKind,
    /// The tag, if any.
    pub tag: Option<Ident>,
    /// The members between braces; `None` for a reference (`struct s`).
    pub members: Option<Box<[Member]>>,
    /// Attributes before the tag and after the closing brace.
    pub attributes: Box<[AttributeId]>,
    /// The whole specifier.
    pub span: Span,
}

/// `struct` or `union`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum RecordKind {
    /// `struct`
    Struct,
    /// `union`
    Union,
}

/// A member declaration of a record.
#[derive(Clone, Debug)]
pub enum Member {
    /// `specifiers declarator : width, …;`
    Field(FieldDeclaration),
    /// `_Static_assert(…);`
    StaticAssert(StaticAssertId),
}

/// A declaration of members.
#[derive(Clone, Debug)]
pub struct FieldDeclaration {
    /// The shared type.
    pub specifiers: SpecsId,
    /// The members; empty for an anonymous `struct { … };` or `union { … };`.
    pub declarators: Box<[FieldDeclarator]>,
    /// From the first specifier to the semicolon.
    pub span: Span,
}

/// One member.
#[derive(Clone, Copy, Debug)]
pub struct FieldDeclarator {
    /// Name, derived type and attributes; unnamed only for an unnamed bit-field.
    pub declarator: DeclaratorId,
    /// The width of a bit-field.
    pub width: Option<ExprId>,
}

/// An `enum` specifier.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// The tag, if any.
    pub tag: Option<Ident>,
    /// The constants between braces; `None` for a reference.
    pub enumerators: Option<Box<[Enumerator]>>,
    /// Attributes before the tag and after the closing brace.
    pub attributes: Box<[AttributeId]>,
    /// The whole specifier.
    pub span: Span,
}

/// An enumeration constant.
#[derive(Clone, Debug)]
pub struct Enumerator {
    /// Its name.
    pub name: Ident,
    /// The expression after `=`.
    pub value: Option<ExprId>,
    /// Its attributes.
    pub attributes: Box<[AttributeId]>,
}

/// A declarator, flattened.
#[derive(Clone, Default, Debug)]
pub struct Declarator {
    /// The declared name; `None` in an abstract declarator.
    pub name: Option<Ident>,
    /// The derivations, read from the name outward: `int *a[3]` is `[Array(3), Pointer]` ("array of
    /// pointer to int"), `int (*f)(void)` is `[Pointer, Function]`.
    pub parts: Vec<DeclaratorPart>,
    /// `asm("label")` after the declarator.
    pub asm_label: Option<StringId>,
    /// Attributes before, inside and after the declarator, including those of its pointers.
    pub attributes: Vec<AttributeId>,
    /// The declarator without label and initializer; for an empty declarator, the position where it
    /// would be.
    pub span: Span,
}

/// One derivation of a declarator.
#[derive(Clone, Debug)]
pub enum DeclaratorPart {
    /// `*` with the qualifiers of the pointer itself.
    Pointer(Qualifiers),
    /// `[…]`
    Array {
        /// The text between the brackets.
        size: ArraySize,
        /// `static` in an array parameter.
        is_static: bool,
        /// Qualifiers in an array parameter; they apply to the pointer to which the parameter
        /// decays.
        qualifiers: Qualifiers,
        /// The brackets.
        span: Span,
    },
    /// `(…)`
    Function(ParamsId),
}

/// The bound of an array declarator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArraySize {
    /// `[]`: incomplete, or a flexible array member.
    Unspecified,
    /// `[*]`: variable length, in a prototype.
    Star,
    /// `[e]`
    Expr(ExprId),
}

/// A set of type qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub struct Qualifiers(u8);

impl Qualifiers {
    /// No qualifier.
    pub const NONE: Self = Self(0);

    /// With `qualifier` added.
    #[must_use]
    pub fn with(self, qualifier: Qualifier) -> Self {
        Self(self.0 | 1 << qualifier as u8)
    }

    /// All of both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether `qualifier` is in the set.
    #[must_use]
    pub fn contains(self, qualifier: Qualifier) -> bool {
        self.0 & 1 << qualifier as u8 != 0
    }

    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The members, in the order of [`Qualifier`].
    pub fn iter(self) -> impl Iterator<Item = Qualifier> {
        [Qualifier::Const, Qualifier::Volatile, Qualifier::Restrict, Qualifier::Atomic]
            .into_iter()
            .filter(move |&qualifier| self.contains(qualifier))
    }
}

/// The parameter list of a function declarator.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// The three forms.
    pub kind: ParametersKind,
    /// The parentheses.
    pub span: Span,
}

/// The three forms of a parameter list.
#[derive(Clone, Debug)]
pub enum ParametersKind {
    /// `()`: no parameters in a definition, unknown ones elsewhere.
    Unspecified,
    /// A prototype. `(void)` is one unnamed parameter with the specifier `void`.
    Prototype {
        /// In order.
        parameters: Box<[Parameter]>,
        /// Whether it ends in `...`.
        variadic: bool,
    },
    /// Old style: names only.
    Identifiers(Box<[Ident]>),
}

/// A parameter of a prototype.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its specifiers.
    pub specifiers: SpecsId,
    /// Its declarator, named or abstract.
    pub declarator: DeclaratorId,
    /// The whole parameter.
    pub span: Span,
}

/// A type name, as in a cast.
#[derive(Clone, Copy, Debug)]
pub struct TypeName {
    /// Specifiers and qualifiers.
    pub specifiers: SpecsId,
    /// An abstract declarator.
    pub declarator: DeclaratorId,
    /// The whole type name.
    pub span: Span,
}

/// An initializer.
#[derive(Clone, Debug)]
pub struct Initializer {
    /// An expression or a braced list.
    pub kind: InitializerKind,
    /// The whole initializer.
    pub span: Span,
}

/// The two forms of an initializer.
#[derive(Clone, Debug)]
pub enum InitializerKind {
    /// An assignment expression.
    Expr(ExprId),
    /// `{ …, … }`, possibly empty (GNU).
    List(Box<[InitItem]>),
}

/// An entry of a braced initializer.
#[derive(Clone, Debug)]
pub struct InitItem {
    /// `[2].x`, `[0 ... 9]`, old `x:`; empty when positional.
    pub designators: Box<[Designator]>,
    /// The initializer.
    pub init: InitId,
}

/// A designator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Designator {
    /// `[index]`
    Index(ExprId),
    /// `[first ... last]` (GNU)
    Range(ExprId, ExprId),
    /// `.field` or `field:` (GNU, old)
    Field(Ident),
}

/// A GNU attribute.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Its name as written: `packed` and `__packed__` are two names, see [`Attribute::plain_name`].
    pub name: Ident,
    /// Its arguments; a bare identifier such as the mode in `mode(DI)` is an
    /// [`ExprKind::Name`](super::ExprKind::Name).
    pub arguments: Box<[AttributeArgument]>,
    /// Name and arguments.
    pub span: Span,
}

impl Attribute {
    /// The name without the surrounding double underscores.
    #[must_use]
    pub fn plain_name<'a>(&self, names: &'a Interner) -> &'a str {
        let text = names.text(self.name.name);
        text.strip_prefix("__").and_then(|rest| rest.strip_suffix("__")).unwrap_or(text)
    }
}

/// An argument of an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttributeArgument {
    /// An expression, a string or an identifier.
    Expr(ExprId),
    /// A type.
    Type(TypeNameId),
}
