//! The syntax tree of a command.

pub use super::node::Node;

use super::Name;
use super::token::Word;
use crate::source::Span;

/// Some nodes in order, kept in the [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct List {
    start: u32,
    length: u32,
}

impl List {
    /// The number of nodes.
    #[must_use]
    pub fn len(self) -> usize {
        self.length as usize
    }

    /// Whether the list is empty.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.length == 0
    }
}

/// The kind of a node: a term, a sort, a part of one of them, or an S-expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// Decimal digits.
    Numeral(Name),
    /// A numeral of few digits that is a term, by its value.
    Number(u32),
    /// Digits with a point.
    Decimal(Name),
    /// `#x` and digits.
    Hexadecimal(Name),
    /// `#b` and digits.
    Binary(Name),
    /// A string, without its quotes.
    String(Name),
    /// A symbol without its bars: an identifier, a sort, or an atom of an S-expression.
    Symbol(Name),
    /// `(_ name index …)`; an index is a numeral or a symbol.
    Indexed {
        /// The name.
        name: Name,
        /// At least one.
        indices: List,
    },
    /// `(as identifier sort)`
    As {
        /// A symbol or an indexed identifier.
        identifier: Node,
        /// Its sort.
        sort: Node,
    },
    /// `(head argument …)`, of terms or of sorts.
    Apply {
        /// An identifier, with a sort or without.
        head: Node,
        /// At least one.
        arguments: List,
    },
    /// `(let (binding …) body)`
    Let {
        /// [`Binding`](NodeKind::Binding)s, at least one.
        bindings: List,
        /// The body.
        body: Node,
    },
    /// `(name value)`
    Binding {
        /// The variable.
        name: Name,
        /// Its value.
        value: Node,
    },
    /// `(forall (variable …) body)`
    Forall {
        /// [`Variable`](NodeKind::Variable)s, at least one.
        variables: List,
        /// The body.
        body: Node,
    },
    /// `(exists (variable …) body)`
    Exists {
        /// [`Variable`](NodeKind::Variable)s, at least one.
        variables: List,
        /// The body.
        body: Node,
    },
    /// `(name sort)`
    Variable {
        /// The variable.
        name: Name,
        /// Its sort.
        sort: Node,
    },
    /// `(match subject (case …))`
    Match {
        /// The term that is matched.
        subject: Node,
        /// [`Case`](NodeKind::Case)s, at least one.
        cases: List,
    },
    /// `(pattern body)`
    Case {
        /// A symbol, `_`, or an [`Apply`](NodeKind::Apply) of a constructor to symbols.
        pattern: Node,
        /// The body.
        body: Node,
    },
    /// `(name arity)`, of a data type.
    SortName {
        /// A symbol.
        name: Node,
        /// A numeral.
        arity: Node,
    },
    /// The constructors of a data type.
    Datatype {
        /// The sort parameters, symbols.
        parameters: List,
        /// [`Constructor`](NodeKind::Constructor)s, at least one.
        constructors: List,
    },
    /// `(name constructor …)`, Z3's older form of a data type.
    NamedDatatype {
        /// A symbol.
        name: Node,
        /// [`Constructor`](NodeKind::Constructor)s, at least one.
        constructors: List,
    },
    /// `(name field …)`
    Constructor {
        /// A symbol.
        name: Node,
        /// [`Variable`](NodeKind::Variable)s: selectors with their sorts.
        fields: List,
    },
    /// `(! term attribute …)`
    Annotated {
        /// The term.
        term: Node,
        /// [`Attribute`](NodeKind::Attribute)s, at least one.
        attributes: List,
    },
    /// `:keyword value`
    Attribute {
        /// The keyword with its colon.
        keyword: Name,
        /// An S-expression that is not a keyword.
        value: Option<Node>,
    },
    /// A keyword with its colon, in an S-expression.
    Keyword(Name),
    /// `(…)`, an S-expression.
    Sequence(List),
}

/// The nodes of a command.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<(Span, NodeKind)>,
    lists: Vec<Node>,
}

impl Tree {
    /// The kind of a node.
    #[inline]
    #[must_use]
    pub fn kind(&self, node: Node) -> NodeKind {
        self.nodes[node.0 as usize].1
    }

    /// The location of a node.
    #[inline]
    #[must_use]
    pub fn span(&self, node: Node) -> Span {
        self.nodes[node.0 as usize].0
    }

    /// The nodes of a list.
    #[inline]
    #[must_use]
    pub fn list(&self, list: List) -> &[Node] {
        &self.lists[list.start as usize..][..list.len()]
    }

    /// The tree without its nodes. Keeps moderate storage.
    pub(super) fn emptied(mut self) -> Tree {
        const KEPT: usize = 1 << 12;
        self.nodes.clear();
        self.nodes.shrink_to(KEPT);
        self.lists.clear();
        self.lists.shrink_to(KEPT);
        self
    }

    /// The number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the tree has no nodes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

/// A command with its terms.
#[derive(Clone, Debug)]
pub struct Command {
    /// From its opening to its closing parenthesis.
    pub span: Span,
    /// The kind.
    pub kind: CommandKind,
    /// Its terms, sorts and S-expressions.
    pub tree: Tree,
}

/// The commands. A node called `name` is a [`NodeKind::Symbol`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the commands are those of the standard")]
pub enum CommandKind {
    SetLogic(Node),
    /// The node is an [`NodeKind::Attribute`].
    SetOption(Node),
    /// The node is an [`NodeKind::Attribute`].
    SetInfo(Node),
    DeclareSort {
        name: Node,
        /// A numeral.
        arity: Option<Node>,
    },
    DefineSort {
        name: Node,
        /// Symbols.
        parameters: List,
        sort: Node,
    },
    DeclareDatatype {
        name: Node,
        /// A [`NodeKind::Datatype`].
        body: Node,
    },
    DeclareDatatypes {
        /// [`NodeKind::SortName`]s.
        names: List,
        /// [`NodeKind::Datatype`]s.
        bodies: List,
    },
    /// Z3's `declare-datatypes` before SMT-LIB 2.6.
    DeclareNamedDatatypes {
        /// Symbols: sort parameters.
        parameters: List,
        /// [`NodeKind::NamedDatatype`]s.
        datatypes: List,
    },
    /// Also `declare-const`.
    DeclareFun {
        name: Node,
        arguments: List,
        result: Node,
    },
    /// Also `define-const`.
    DefineFun {
        name: Node,
        /// [`NodeKind::Variable`]s.
        parameters: List,
        result: Node,
        body: Node,
    },
    /// Z3's `declare-rel`.
    DeclareRelation {
        name: Node,
        arguments: List,
    },
    /// Z3's `declare-var`.
    DeclareVariable {
        name: Node,
        sort: Node,
    },
    Assert(Node),
    /// Z3's `rule`.
    Rule {
        formula: Node,
        name: Option<Node>,
    },
    /// Z3's `query`.
    Query {
        formula: Node,
        /// [`Attribute`](NodeKind::Attribute)s.
        attributes: List,
    },
    CheckSat,
    CheckSatAssuming(List),
    /// The node is a numeral.
    Push(Option<Node>),
    /// The node is a numeral.
    Pop(Option<Node>),
    GetModel,
    GetValue(List),
    GetAssertions,
    GetAssignment,
    GetUnsatCore,
    GetUnsatAssumptions,
    /// The nodes are S-expressions.
    GetInterpolants(List),
    GetProof,
    GetInfo(Name),
    GetOption(Name),
    Echo(Name),
    Reset,
    ResetAssertions,
    Exit,
    /// A command of the standard whose arguments are dropped, such as `define-fun-rec`.
    Skipped(Word),
    /// An unknown command name; the node is a symbol.
    Unknown(Node),
}

/// Builds a [`Tree`] during parsing.
#[derive(Debug, Default)]
pub struct Builder {
    tree: Tree,
    /// Elements of lists that are not finished, innermost list last.
    pending: Vec<Node>,
}

impl Builder {
    /// A builder that stores its nodes in `tree`, which is empty.
    pub(super) fn new(tree: Tree) -> Self {
        Builder { tree, pending: Vec::new() }
    }

    /// Removes all nodes.
    pub(super) fn clear(&mut self) {
        self.tree.nodes.clear();
        self.tree.lists.clear();
        self.pending.clear();
    }

    #[inline]
    pub(super) fn node(&mut self, lo: u32, kind: NodeKind, hi: u32) -> Node {
        let node = Node(self.tree.nodes.len() as u32);
        self.tree.nodes.push((Span::new(lo, hi), kind));
        node
    }

    /// Adds an element to the innermost list.
    pub(super) fn element(&mut self, node: Node) {
        self.pending.push(node);
    }

    /// The number of elements of lists that are not finished.
    #[inline]
    pub(super) fn pending(&self) -> u32 {
        self.pending.len() as u32
    }

    /// The elements from number `first` on as a list.
    #[inline]
    pub(super) fn list_from(&mut self, first: u32) -> List {
        self.list(self.pending() - first)
    }

    /// The location of a node.
    pub(super) fn span(&self, node: Node) -> Span {
        self.tree.span(node)
    }

    /// The last `length` elements as a list.
    pub(super) fn list(&mut self, length: u32) -> List {
        let start = self.tree.lists.len() as u32;
        let first = self.pending.len() - length as usize;
        self.tree.lists.extend_from_slice(&self.pending[first..]);
        self.pending.truncate(first);
        List { start, length }
    }

    pub(super) fn finish(self, span: Span, kind: CommandKind) -> Command {
        Command { span, kind, tree: self.tree }
    }
}
