//! The semantic actions of the grammar: they build nodes, maintain the scopes and bound the depth.
//!
//! The parser and the lexer share a [`Context`], each using its own part, hence the cells. Values
//! on the parser's stack are small: indices, offsets, and lists where the grammar has lists.

mod expressions;
mod tree;

use self::tree::Tree;
use super::ast::*;
use super::packing::Packing;
use super::pragmas::{self, Effect};
use super::scope::{Class, Mark, Scopes};
use super::token::{KEYWORDS, Token};
use crate::names::Interner;
use crate::source::{Diagnostic, Span};
use std::cell::{Cell, RefCell};

/// The maximal number of reported errors per file.
pub(super) const MAX_ERRORS: usize = 20;

/// The state that parser and lexer share.
pub(super) struct Context<'c> {
    pub(super) bytes: &'c [u8],
    /// The global offset of the first byte.
    pub(super) base: u32,
    pub(super) names: RefCell<Interner>,
    /// The keywords, indexed by the number of their name.
    pub(super) keywords: Vec<Token>,
    pub(super) scopes: RefCell<Scopes>,
    /// In the body of a function: the scope to return to.
    pub(super) function: Cell<Option<Mark>>,
    /// Whether a reported error left the automaton in an inconsistent state, so that its next error
    /// is a consequence and not reported.
    pub(super) is_confused: Cell<bool>,
    aborted: Cell<bool>,
    tree: RefCell<Tree>,
    diagnostics: RefCell<Vec<Diagnostic>>,
    pub(super) packing: RefCell<Packing>,
    symbol_pragmas: RefCell<Vec<SymbolPragma>>,
    /// The comments that are annotations; see [`TranslationUnit::annotations`].
    pub(super) annotations: RefCell<Vec<Span>>,
}

/// A flat run of operands and binary operators, whose finished part is a tree: classical operator
/// precedence, with one stack for all nested chains.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chain {
    /// Where the entries of this chain start in `Tree::pending`.
    base: u32,
    /// The last operand and its extent.
    top: ExprId,
    lo: u32,
    hi: u32,
}

/// Specifiers at the top of `Tree::specifiers`, from `start` on.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpecifierRun {
    start: u32,
    lo: u32,
    hi: u32,
}

/// String literals at the top of `Tree::strings`, from `start` on.
#[derive(Clone, Copy, Debug)]
pub(super) struct StringRun {
    start: u32,
}

/// An unfinished declaration.
#[derive(Debug)]
pub(super) struct DeclarationList {
    pub(super) specifiers: SpecsId,
    list: Vec<InitDeclarator>,
}

impl DeclarationList {
    pub(super) fn new(specifiers: SpecsId) -> Self {
        Self { specifiers, list: Vec::new() }
    }
}

/// A `*` with its qualifiers and attributes.
#[derive(Default, Debug)]
pub(super) struct Pointer {
    pub(super) qualifiers: Qualifiers,
    pub(super) attributes: Vec<AttributeId>,
}

/// `if (condition)`
#[derive(Clone, Copy, Debug)]
pub(super) struct IfHead {
    pub(super) lo: u32,
    /// The scope around the statement.
    pub(super) mark: Mark,
    pub(super) condition: ExprId,
    /// The scope around the first branch.
    pub(super) then: Mark,
}

/// The part of a statement before its body.
#[derive(Clone, Copy, Debug)]
pub(super) enum Head {
    While(u32, Mark, ExprId),
    Switch(u32, Mark, ExprId),
    For { lo: u32, mark: Mark, init: ForInit, condition: Option<ExprId>, step: Option<ExprId> },
    Label(Ident),
    Case(u32, ExprId, Option<ExprId>),
    Default(u32),
}

impl<'c> Context<'c> {
    pub(super) fn new(bytes: &'c [u8], base: u32) -> Self {
        let mut names = Interner::default();
        let mut scopes = Scopes::default();
        let keywords = KEYWORDS
            .iter()
            .map(|&(text, token)| {
                names.intern(text);
                token
            })
            .collect();
        for text in super::PREDECLARED_TYPES {
            scopes.declare(names.intern(text), Class::Type);
        }
        Self {
            bytes,
            base,
            names: RefCell::new(names),
            keywords,
            scopes: RefCell::new(scopes),
            function: Cell::new(None),
            is_confused: Cell::new(false),
            aborted: Cell::new(false),
            tree: RefCell::default(),
            diagnostics: RefCell::default(),
            packing: RefCell::default(),
            symbol_pragmas: RefCell::default(),
            annotations: RefCell::default(),
        }
    }

    /// The tree and the reported diagnostics.
    pub(super) fn finish(self) -> (TranslationUnit, Vec<Diagnostic>) {
        let tree = self.tree.into_inner();
        let span = Span::new(self.base, self.base + self.bytes.len() as u32);
        let unit = TranslationUnit {
            ast: tree.ast,
            names: self.names.into_inner(),
            items: tree.items,
            packing: self.packing.into_inner().changes,
            symbol_pragmas: self.symbol_pragmas.into_inner(),
            annotations: self.annotations.into_inner(),
            span,
        };
        (unit, self.diagnostics.into_inner())
    }

    /// Interprets the text after `pragma` of a directive.
    pub(super) fn pragma(&self, text: &[u8], span: Span) {
        self.packing.borrow_mut().directive(span.lo, text);
        let effect = pragmas::directive(text, span, |name| self.names.borrow_mut().intern(name));
        match effect {
            Some(Effect::Symbol(pragma)) => self.symbol_pragmas.borrow_mut().push(pragma),
            Some(Effect::Layout(name)) => {
                let text = format!("the record layout of `#pragma {name}` is not supported");
                self.report(Diagnostic::error(span, text));
            }
            None => {}
        }
    }

    /// The bytes between two global offsets.
    pub(super) fn slice(&self, lo: u32, hi: u32) -> &'c [u8] {
        &self.bytes[(lo - self.base) as usize..(hi - self.base) as usize]
    }

    pub(super) fn report(&self, diagnostic: Diagnostic) {
        let mut diagnostics = self.diagnostics.borrow_mut();
        if self.aborted.get() {
            return;
        }
        diagnostics.push(diagnostic);
        if diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count() >= MAX_ERRORS {
            let at = diagnostics.last().map_or(Span::NONE, |last| last.primary.span);
            diagnostics.push(Diagnostic::error(at, "too many errors, the rest of the file is not read"));
            self.aborted.set(true);
        }
    }

    /// Reports that the nesting is too deep and ends the token stream.
    pub(super) fn too_deep(&self, span: Span) {
        let message = format!("nesting is deeper than {MAX_NESTING} levels");
        self.report(Diagnostic::error(span, message).with_label("the limit is reached here"));
        self.aborted.set(true);
    }

    /// Whether the token stream was ended early, after the reason was reported.
    pub(super) fn is_aborted(&self) -> bool {
        self.aborted.get()
    }

    /// Discards the state of an unfinished parse.
    pub(super) fn reset(&self) {
        let mut tree = self.tree.borrow_mut();
        tree.pending.clear();
        tree.specifiers.clear();
        tree.strings.clear();
        tree.loose = None;
    }

    fn push<T>(&self, node: T) -> <Ast as Push<T>>::Id
    where
        Ast: Push<T>,
    {
        self.tree.borrow_mut().ast.push(node)
    }

    // Scopes and items.

    pub(super) fn open(&self) -> Mark {
        self.scopes.borrow().mark()
    }

    pub(super) fn close(&self, mark: Mark) {
        self.scopes.borrow_mut().restore(mark);
    }

    pub(super) fn item(&self, item: Item) {
        self.tree.borrow_mut().items.push(item);
        self.end_item();
    }

    pub(super) fn end_item(&self) {
        self.scopes.borrow_mut().end_of_item();
    }

    pub(super) fn function_head(
        &self,
        specifiers: SpecsId,
        declarator: DeclaratorId,
    ) -> (SpecsId, DeclaratorId, Mark) {
        let mark = self.open();
        let (parameters, span) = {
            let node = &self.tree.borrow().ast[declarator];
            match node.parts.first() {
                Some(DeclaratorPart::Function(parameters)) => (Some(*parameters), node.span),
                _ => (None, node.span),
            }
        };
        match parameters {
            Some(parameters) => self.scopes.borrow_mut().reenter_parameters(parameters),
            None => {
                // `foo x;` and `int x int y;` have parsed as old-style definitions up to here.
                let has_type =
                    self.tree.borrow().ast[specifiers].list.iter().any(|specifier| specifier.kind.is_type());
                self.report(if has_type {
                    let message = "expected `;` after this declaration";
                    Diagnostic::error(span.end(), message).with_label("expected `;`")
                } else {
                    super::parser::unknown_type_error(self, span.lo, span.hi)
                });
                self.is_confused.set(true);
            }
        }
        self.function.set(Some(mark));
        (specifiers, declarator, mark)
    }

    pub(super) fn function(
        &self,
        lo: u32,
        (specifiers, declarator, mark): (SpecsId, DeclaratorId, Mark),
        old_style: Vec<DeclId>,
        body: StmtId,
        hi: u32,
    ) -> FunctionId {
        self.scopes.borrow_mut().restore(mark);
        self.function.set(None);
        self.is_confused.set(false);
        let old_style = old_style.into();
        self.push(FunctionDefinition { specifiers, declarator, old_style, body, span: Span::new(lo, hi) })
    }

    // Declarations.

    pub(super) fn declaration(&self, lo: u32, list: DeclarationList, hi: u32) -> DeclId {
        let DeclarationList { specifiers, list } = list;
        self.push(Declaration { specifiers, declarators: list.into(), span: Span::new(lo, hi) })
    }

    pub(super) fn first(
        &self,
        specifiers: SpecsId,
        declarator: DeclaratorId,
        tail: (Option<StringId>, Vec<AttributeId>),
        init: Option<InitId>,
    ) -> DeclarationList {
        self.next(DeclarationList::new(specifiers), declarator, tail, init)
    }

    pub(super) fn next(
        &self,
        mut list: DeclarationList,
        declarator: DeclaratorId,
        (asm_label, attributes): (Option<StringId>, Vec<AttributeId>),
        init: Option<InitId>,
    ) -> DeclarationList {
        if asm_label.is_some() {
            self.tree.borrow_mut().ast[declarator].asm_label = asm_label;
        }
        self.add_attributes(declarator, attributes);
        list.list.push(InitDeclarator { declarator, init });
        list
    }

    /// Ends a declarator: its name has its new meaning from here on.
    pub(super) fn declare(
        &self,
        specifiers: SpecsId,
        lo: u32,
        declarator: DeclaratorId,
        hi: u32,
    ) -> DeclaratorId {
        let mut tree = self.tree.borrow_mut();
        let is_typedef =
            |specifier: &Specifier| specifier.kind == SpecifierKind::Storage(StorageClass::Typedef);
        let class = match tree.ast[specifiers].list.iter().any(is_typedef) {
            true => Class::Type,
            false => Class::Variable,
        };
        let node = &mut tree.ast[declarator];
        node.span = Span::new(lo, hi);
        if let Some(name) = node.name {
            self.scopes.borrow_mut().declare(name.name, class);
        }
        declarator
    }

    pub(super) fn declare_variable(&self, lo: u32, declarator: DeclaratorId, hi: u32) {
        self.declarator_span(lo, declarator, hi);
        if let Some(name) = self.tree.borrow().ast[declarator].name {
            self.scopes.borrow_mut().declare(name.name, Class::Variable);
        }
    }

    pub(super) fn static_assert(
        &self,
        lo: u32,
        condition: ExprId,
        message: Option<StringId>,
        hi: u32,
    ) -> StaticAssertId {
        self.push(StaticAssert { condition, message, span: Span::new(lo, hi) })
    }

    // Specifiers.

    pub(super) fn no_specifiers(&self, at: u32) -> SpecsId {
        self.push(Specifiers { list: Box::default(), span: Span::new(at, at) })
    }

    pub(super) fn run(&self, kind: SpecifierKind, span: Span) -> SpecifierRun {
        let mut tree = self.tree.borrow_mut();
        let start = tree.specifiers.len() as u32;
        tree.specifiers.push(Specifier { kind, span });
        SpecifierRun { start, lo: span.lo, hi: span.hi }
    }

    pub(super) fn more(&self, run: SpecifierRun, kind: SpecifierKind, span: Span) -> SpecifierRun {
        self.tree.borrow_mut().specifiers.push(Specifier { kind, span });
        SpecifierRun { hi: span.hi, ..run }
    }

    pub(super) fn perhaps_more(
        &self,
        run: SpecifierRun,
        kind: Option<SpecifierKind>,
        span: Span,
    ) -> SpecifierRun {
        match kind {
            Some(kind) => self.more(run, kind, span),
            None => SpecifierRun { hi: span.hi, ..run },
        }
    }

    /// Adds attributes to the current run, or to the record or enumeration whose brace they follow.
    pub(super) fn attribute_specifiers(&self, attributes: Vec<AttributeId>) -> Option<SpecifierKind> {
        let tree = &mut *self.tree.borrow_mut();
        let of_tag = match tree.specifiers.last().map(|specifier| specifier.kind) {
            Some(SpecifierKind::Record(id)) if tree.ast[id].members.is_some() => {
                Some(&mut tree.ast[id].attributes)
            }
            Some(SpecifierKind::Enum(id)) if tree.ast[id].enumerators.is_some() => {
                Some(&mut tree.ast[id].attributes)
            }
            _ => None,
        };
        match of_tag {
            Some(list) => *list = list.iter().copied().chain(attributes).collect(),
            None => {
                for id in attributes {
                    let span = tree.ast[id].span;
                    tree.specifiers.push(Specifier { kind: SpecifierKind::Attribute(id), span });
                }
            }
        }
        None
    }

    pub(super) fn specifiers(&self, run: SpecifierRun) -> SpecsId {
        let tree = &mut *self.tree.borrow_mut();
        let list = tree.specifiers[run.start as usize..].into();
        tree.specifiers.truncate(run.start as usize);
        tree.ast.push(Specifiers { list, span: Span::new(run.lo, run.hi) })
    }

    pub(super) fn specifiers_with(&self, attributes: &[AttributeId], run: SpecifierRun) -> SpecsId {
        let run = self.run_with(attributes, run);
        self.specifiers(run)
    }

    pub(super) fn run_with(&self, attributes: &[AttributeId], run: SpecifierRun) -> SpecifierRun {
        let tree = &mut *self.tree.borrow_mut();
        let ast = &tree.ast;
        let leading =
            attributes.iter().map(|&id| Specifier { kind: SpecifierKind::Attribute(id), span: ast[id].span });
        let lo = attributes.first().map_or(run.lo, |&id| ast[id].span.lo);
        let at = run.start as usize;
        tree.specifiers.splice(at..at, leading);
        SpecifierRun { lo, ..run }
    }

    // Records and enumerations.

    pub(super) fn record(
        &self,
        lo: u32,
        kind: RecordKind,
        attributes: Option<Vec<AttributeId>>,
        tag: Option<Ident>,
        members: Option<Vec<Member>>,
        hi: u32,
    ) -> RecordId {
        let attributes = attributes.unwrap_or_default().into();
        self.push(Record { kind, tag, members: members.map(Into::into), attributes, span: Span::new(lo, hi) })
    }

    pub(super) fn member(
        &self,
        lo: u32,
        specifiers: SpecsId,
        declarators: Vec<FieldDeclarator>,
        hi: u32,
    ) -> Member {
        Member::Field(FieldDeclaration {
            specifiers,
            declarators: declarators.into(),
            span: Span::new(lo, hi),
        })
    }

    pub(super) fn field(
        &self,
        lo: u32,
        declarator: Option<DeclaratorId>,
        hi: u32,
        width: Option<ExprId>,
        attributes: Option<Vec<AttributeId>>,
    ) -> FieldDeclarator {
        let declarator = declarator.unwrap_or_else(|| self.unnamed(lo));
        self.declarator_span(lo, declarator, hi);
        self.add_attributes(declarator, attributes.unwrap_or_default());
        FieldDeclarator { declarator, width }
    }

    pub(super) fn enumeration(
        &self,
        lo: u32,
        attributes: Option<Vec<AttributeId>>,
        tag: Option<Ident>,
        enumerators: Option<Vec<Enumerator>>,
        hi: u32,
    ) -> EnumId {
        let attributes = attributes.unwrap_or_default().into();
        let enumerators = enumerators.map(Into::into);
        self.push(Enumeration { tag, enumerators, attributes, span: Span::new(lo, hi) })
    }

    pub(super) fn enumerator(
        &self,
        name: Ident,
        attributes: Option<Vec<AttributeId>>,
        value: Option<ExprId>,
    ) -> Enumerator {
        self.scopes.borrow_mut().declare(name.name, Class::Variable);
        Enumerator { name, value, attributes: attributes.unwrap_or_default().into() }
    }

    // Declarators.

    pub(super) fn named(&self, name: Ident) -> DeclaratorId {
        self.push(Declarator { name: Some(name), span: name.span, ..Declarator::default() })
    }

    pub(super) fn unnamed(&self, at: u32) -> DeclaratorId {
        self.push(Declarator { span: Span::new(at, at), ..Declarator::default() })
    }

    pub(super) fn derive(&self, declarator: DeclaratorId, part: DeclaratorPart) -> DeclaratorId {
        self.tree.borrow_mut().ast[declarator].parts.push(part);
        declarator
    }

    pub(super) fn pointer(&self, declarator: DeclaratorId, pointer: Pointer) -> DeclaratorId {
        self.add_attributes(declarator, pointer.attributes);
        self.derive(declarator, DeclaratorPart::Pointer(pointer.qualifiers))
    }

    pub(super) fn add_attributes(
        &self,
        declarator: DeclaratorId,
        attributes: Vec<AttributeId>,
    ) -> DeclaratorId {
        if !attributes.is_empty() {
            self.tree.borrow_mut().ast[declarator].attributes.extend(attributes);
        }
        declarator
    }

    pub(super) fn declarator_span(&self, lo: u32, declarator: DeclaratorId, hi: u32) {
        self.tree.borrow_mut().ast[declarator].span = Span::new(lo, hi);
    }

    pub(super) fn array(
        &self,
        lo: u32,
        list: Vec<Option<Qualifier>>,
        size: ArraySize,
        hi: u32,
    ) -> DeclaratorPart {
        let is_static = list.contains(&None);
        let qualifiers = list.into_iter().flatten().fold(Qualifiers::NONE, Qualifiers::with);
        DeclaratorPart::Array { size, is_static, qualifiers, span: Span::new(lo, hi) }
    }

    pub(super) fn parameters(&self, lo: u32, mark: Mark, kind: ParametersKind, hi: u32) -> ParamsId {
        let id = self.push(Parameters { kind, span: Span::new(lo, hi) });
        self.scopes.borrow_mut().restore_parameters(mark, id);
        id
    }

    pub(super) fn parameter(
        &self,
        lo: u32,
        specifiers: SpecsId,
        declarator: DeclaratorId,
        hi: u32,
    ) -> Parameter {
        Parameter { specifiers, declarator, span: Span::new(lo, hi) }
    }

    pub(super) fn type_name(
        &self,
        lo: u32,
        specifiers: SpecsId,
        declarator: DeclaratorId,
        hi: u32,
    ) -> TypeNameId {
        self.push(TypeName { specifiers, declarator, span: Span::new(lo, hi) })
    }

    // Attributes and initializers.

    pub(super) fn attribute(
        &self,
        lo: u32,
        name: Ident,
        arguments: Vec<AttributeArgument>,
        hi: u32,
    ) -> AttributeId {
        self.push(Attribute { name, arguments: arguments.into(), span: Span::new(lo, hi) })
    }

    pub(super) fn keyword_name(&self, lo: u32, hi: u32) -> Ident {
        let text = String::from_utf8_lossy(self.slice(lo, hi));
        Ident { name: self.names.borrow_mut().intern(&text), span: Span::new(lo, hi) }
    }

    pub(super) fn init_expr(&self, expr: ExprId) -> InitId {
        let tree = &mut *self.tree.borrow_mut();
        tree.init_depths.push(tree.expr_depths[expr.index()]);
        let span = tree.ast[expr].span;
        tree.ast.push(Initializer { kind: InitializerKind::Expr(expr), span })
    }

    pub(super) fn init_list(&self, lo: u32, items: Vec<InitItem>, hi: u32) -> InitId {
        let tree = &mut *self.tree.borrow_mut();
        let below = items.iter().map(|item| tree.init_depths[item.init.index()]).max().unwrap_or(0);
        tree.init_depths.push(below + 1);
        tree.ast.push(Initializer { kind: InitializerKind::List(items.into()), span: Span::new(lo, hi) })
    }

    // Statements.

    pub(super) fn stmt(&self, lo: u32, kind: StmtKind, hi: u32) -> StmtId {
        let tree = &mut *self.tree.borrow_mut();
        let depth = tree.depth_of_stmt(&kind);
        tree.stmt_depths.push(depth.min(MAX_NESTING as u16));
        if depth > MAX_NESTING as u16 && !self.is_aborted() {
            self.too_deep(Span::new(lo, lo));
        }
        tree.ast.push(Stmt { kind, span: Span::new(lo, hi) })
    }

    pub(super) fn empty(&self, at: u32) -> StmtId {
        self.stmt(at, StmtKind::Empty, at)
    }

    pub(super) fn compound(
        &self,
        lo: u32,
        mark: Mark,
        mut items: Vec<BlockItem>,
        trailing: Option<StmtId>,
        hi: u32,
    ) -> StmtId {
        self.scopes.borrow_mut().restore(mark);
        items.extend(trailing.map(BlockItem::Statement));
        self.stmt(lo, StmtKind::Compound(items.into()), hi)
    }

    /// Attributes before a statement: a statement of their own before `;`, otherwise attributes of
    /// the label.
    pub(super) fn attributed(&self, lo: u32, attributes: Vec<AttributeId>, stmt: StmtId) -> StmtId {
        let tree = &mut *self.tree.borrow_mut();
        let node = &mut tree.ast[stmt];
        if matches!(node.kind, StmtKind::Empty) {
            node.kind = StmtKind::Attributes(attributes.into());
            node.span.lo = lo;
        } else {
            tree.loose = Some((stmt, attributes));
        }
        stmt
    }

    pub(super) fn labeled(&self, head: Head, body: StmtId) -> StmtId {
        let (hi, mut attributes) = {
            let mut tree = self.tree.borrow_mut();
            let loose = tree.loose.take_if(|(stmt, _)| *stmt == body);
            (tree.ast[body].span.hi, loose.map(|(_, attributes)| attributes).unwrap_or_default())
        };
        let (lo, kind) = match head {
            Head::Label(label) => {
                let node = &mut self.tree.borrow_mut().ast[body];
                if let StmtKind::Attributes(list) = &node.kind {
                    attributes = list.to_vec();
                    node.kind = StmtKind::Empty;
                }
                (label.span.lo, StmtKind::Labeled { label, attributes: attributes.into(), body })
            }
            Head::Case(lo, low, high) => (lo, StmtKind::Case { low, high, body }),
            Head::Default(lo) => (lo, StmtKind::Default { body }),
            Head::While(..) | Head::Switch(..) | Head::For { .. } => return self.headed(head, body, hi),
        };
        self.stmt(lo, kind, hi)
    }

    pub(super) fn headed(&self, head: Head, body: StmtId, hi: u32) -> StmtId {
        let (lo, mark, kind) = match head {
            Head::While(lo, mark, condition) => (lo, mark, StmtKind::While { condition, body }),
            Head::Switch(lo, mark, value) => (lo, mark, StmtKind::Switch { value, body }),
            Head::For { lo, mark, init, condition, step } => {
                (lo, mark, StmtKind::For { init, condition, step, body })
            }
            Head::Label(_) | Head::Case(..) | Head::Default(_) => return self.labeled(head, body),
        };
        self.close(mark);
        self.stmt(lo, kind, hi)
    }

    pub(super) fn if_else(&self, head: IfHead, then: StmtId, otherwise: Option<StmtId>, hi: u32) -> StmtId {
        self.close(head.mark);
        self.stmt(head.lo, StmtKind::If { condition: head.condition, then, otherwise }, hi)
    }

    pub(super) fn asm_parts(
        &self,
        outputs: Vec<AsmOperand>,
        inputs: Vec<AsmOperand>,
        clobbers: Vec<StringId>,
        labels: Vec<Ident>,
    ) -> Box<Asm> {
        Box::new(Asm {
            is_volatile: false,
            is_goto: false,
            template: StringId(0),
            outputs: outputs.into(),
            inputs: inputs.into(),
            clobbers: clobbers.into(),
            labels: labels.into(),
            span: Span::NONE,
        })
    }

    pub(super) fn asm(
        &self,
        lo: u32,
        qualifiers: &[Token],
        template: StringId,
        parts: Option<Box<Asm>>,
        hi: u32,
    ) -> AsmId {
        let is_volatile = parts.is_none() || qualifiers.contains(&Token::Volatile);
        let is_goto = qualifiers.contains(&Token::Goto);
        let parts = parts.unwrap_or_else(|| self.asm_parts(vec![], vec![], vec![], vec![]));
        self.push(Asm { is_volatile, is_goto, template, span: Span::new(lo, hi), ..*parts })
    }

    pub(super) fn asm_stmt(&self, asm: AsmId) -> StmtId {
        let span = self.tree.borrow().ast[asm].span;
        self.stmt(span.lo, StmtKind::Asm(asm), span.hi)
    }
}
