//! The syntax tree of C11 with the GNU extensions: the source text with spans, without semantics.
//!
//! # Shape
//!
//! Every node that can nest lives in an arena of [`Ast`] and is named by a typed index ([`ExprId`],
//! [`StmtId`], …): `ast[id]` is the node. No node owns another one through a pointer, so dropping a
//! tree of any depth is a loop over vectors, and a node needs no allocation of its own.
//!
//! The parser maintains two invariants on which readers may rely:
//!
//! * The index of an expression, statement or initializer is greater than those of its descendants
//!   in the same arena (the parser works bottom-up). A pass in index order therefore sees operands
//!   before operations and needs no recursion.
//! * Brackets nest at most [`MAX_NESTING`] deep, and so do expressions and statements apart from
//!   the *spines*. A recursive reader is therefore safe if it walks the spines in a loop: the left
//!   operands of [`ExprKind::Binary`] and [`ExprKind::Comma`], the `otherwise` of [`StmtKind::If`],
//!   and the bodies of [`StmtKind::Labeled`], [`StmtKind::Case`] and [`StmtKind::Default`].
//!
//! Parentheses have no node; declarators are flattened ([`Declarator::parts`]); adjacent string
//! literals are joined; escapes are decoded. Spans cover the written text, including the
//! parentheses that belong to a parent.

use serde::{Deserialize, Serialize};
use std::ops::{Index, IndexMut};

mod constants;
mod declarations;
mod expressions;
mod statements;

pub use self::constants::*;
pub use self::declarations::*;
pub use self::expressions::*;
pub use self::statements::*;
pub use crate::names::{Interner, Name};
use crate::source::Span;

/// The maximal depth of a tree, not counting spines; the parser reports a located error beyond it.
pub const MAX_NESTING: u32 = 2_000;

macro_rules! arenas {
    ($($(#[$doc:meta])* $id:ident => $field:ident : $node:ident, $what:literal;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
            pub struct $id(pub u32);

            impl $id {
                /// The position in the arena, for side tables.
                #[must_use]
                pub fn index(self) -> usize {
                    self.0 as usize
                }
            }

            impl Index<$id> for Ast {
                type Output = $node;
                fn index(&self, id: $id) -> &$node {
                    &self.$field[id.index()]
                }
            }

            impl IndexMut<$id> for Ast {
                fn index_mut(&mut self, id: $id) -> &mut $node {
                    &mut self.$field[id.index()]
                }
            }

            impl Push<$node> for Ast {
                type Id = $id;
                fn push(&mut self, node: $node) -> $id {
                    let id = u32::try_from(self.$field.len()).expect("fewer than 2^32 nodes fit in 4 GiB of source");
                    self.$field.push(node);
                    $id(id)
                }
            }
        )*

        /// The arenas of one translation unit.
        #[derive(Clone, Default, Debug)]
        pub struct Ast {
            $(#[doc = $what] pub $field: Vec<$node>,)*
        }
    };
}

/// Adds a node of type `T` to the arenas.
pub trait Push<T> {
    /// The index type of `T`.
    type Id;
    /// Stores `node` and returns its index.
    fn push(&mut self, node: T) -> Self::Id;
}

arenas! {
    /// Index of an [`Expr`].
    ExprId => exprs: Expr, "Expressions.";
    /// Index of a [`Stmt`].
    StmtId => stmts: Stmt, "Statements.";
    /// Index of a [`Declaration`].
    DeclId => declarations: Declaration, "Declarations, of every scope.";
    /// Index of a [`FunctionDefinition`].
    FunctionId => functions: FunctionDefinition, "Function definitions.";
    /// Index of [`Specifiers`].
    SpecsId => specifiers: Specifiers, "Specifier lists.";
    /// Index of a [`Declarator`].
    DeclaratorId => declarators: Declarator, "Declarators, named and abstract.";
    /// Index of [`Parameters`].
    ParamsId => parameters: Parameters, "Parameter lists.";
    /// Index of a [`TypeName`].
    TypeNameId => type_names: TypeName, "Type names, as in casts.";
    /// Index of a [`Record`].
    RecordId => records: Record, "`struct` and `union` specifiers.";
    /// Index of an [`Enumeration`].
    EnumId => enums: Enumeration, "`enum` specifiers.";
    /// Index of an [`Initializer`].
    InitId => initializers: Initializer, "Initializers.";
    /// Index of an [`Attribute`].
    AttributeId => attributes: Attribute, "GNU attributes.";
    /// Index of an [`Asm`].
    AsmId => asms: Asm, "`asm` declarations and statements.";
    /// Index of a [`StaticAssert`].
    StaticAssertId => static_asserts: StaticAssert, "Static assertions.";
    /// Index of an [`IntegerLiteral`].
    IntegerId => integers: IntegerLiteral, "Integer constants.";
    /// Index of a [`FloatLiteral`].
    FloatId => floats: FloatLiteral, "Floating constants.";
    /// Index of a [`CharLiteral`].
    CharId => chars: CharLiteral, "Character constants.";
    /// Index of a [`StringLiteral`].
    StringId => strings: StringLiteral, "String literals, already joined.";
}

/// A parsed file: the arenas, the names and the top-level items in source order.
#[derive(Clone, Default, Debug)]
pub struct TranslationUnit {
    /// The nodes.
    pub ast: Ast,
    /// The text of every [`Name`] in `ast`.
    pub names: Interner,
    /// The external declarations, in order, without items that did not parse.
    pub items: Vec<Item>,
    /// The effect of `#pragma pack`, in source order: an offset, and the maximal alignment of
    /// members from there on (`None` for no limit).
    pub packing: Vec<(u32, Option<u64>)>,
    /// The pragmas about symbols, in source order.
    pub symbol_pragmas: Vec<SymbolPragma>,
    /// The comments that start with `/*@` or `//@`, in source order.
    pub annotations: Vec<Span>,
    /// The whole file.
    pub span: Span,
}

impl TranslationUnit {
    /// The maximal alignment that `#pragma pack` allows the members of a record that ends at an
    /// offset.
    #[must_use]
    pub fn packing_at(&self, offset: u32) -> Option<u64> {
        let index = self.packing.partition_point(|&(from, _)| from <= offset);
        self.packing[..index].last().and_then(|&(_, greatest)| greatest)
    }

    /// The text of a name.
    #[must_use]
    pub fn name(&self, name: Name) -> &str {
        self.names.text(name)
    }
}

/// A pragma about the symbol of a function or an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SymbolPragma {
    /// The name in C.
    pub name: Name,
    /// The effect.
    pub kind: SymbolPragmaKind,
    /// The directive.
    pub span: Span,
}

/// The kinds of pragmas about symbols.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymbolPragmaKind {
    /// `#pragma weak name`
    Weak,
    /// `#pragma weak name = target`
    WeakAlias(Name),
    /// `#pragma redefine_extname name label`
    Rename(Name),
}

/// An external declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item {
    /// A declaration, possibly without declarators (`struct s { int a; };`).
    Declaration(DeclId),
    /// A function definition.
    Function(FunctionId),
    /// `_Static_assert(…);`
    StaticAssert(StaticAssertId),
    /// `asm("…");`
    Asm(AsmId),
}

/// An identifier with its location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ident {
    /// Its interned text.
    pub name: Name,
    /// Its location.
    pub span: Span,
}
