//! Compact, deterministic text of tokens and trees, for golden tests.
//!
//! A tree is one s-expression per item, with one line per declaration or statement, indented by
//! nesting. Trees omit spans, because they would change every golden after an edit; tokens have
//! them.

use super::ast::*;
use super::context::Context;
use super::lexer::Lexer;
use super::token::Token;
use crate::source::{FileId, SourceMap};
use std::fmt::Write;

mod expressions;

/// One line per token: presumed line and column, kind, text. Identifiers are not classified here,
/// because the classification needs a parser.
#[must_use]
pub fn tokens(map: &SourceMap, file: FileId) -> String {
    let cx = Context::new(map.bytes(file), map.file_span(file).lo);
    let mut lexer = Lexer::new(&cx);
    let mut out = String::new();
    while let Some((lo, token, hi)) = lexer.next_plain() {
        let span = crate::source::Span::new(lo, hi);
        if let Some(place) = map.presumed(span) {
            let _ = write!(out, "{}:{} ", place.line, place.column);
        }
        let kind = match token {
            Token::Name(_) | Token::Number | Token::Char | Token::String => token.text(),
            _ if map.slice(span).first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_') => {
                "keyword"
            }
            _ => "sign",
        };
        let _ = writeln!(out, "{kind} {}", map.text(span));
    }
    drop(lexer);
    let (_, diagnostics) = cx.finish();
    for diagnostic in diagnostics {
        let _ = writeln!(out, "error {}", diagnostic.message);
    }
    out
}

/// The tree of a unit.
#[must_use]
pub fn unit(unit: &TranslationUnit) -> String {
    let mut printer = Printer { unit, ast: &unit.ast, out: String::new(), indent: 0 };
    for item in &unit.items {
        match *item {
            Item::Declaration(id) => printer.declaration(id),
            Item::Function(id) => printer.function(id),
            Item::StaticAssert(id) => printer.static_assert(id),
            Item::Asm(id) => {
                printer.asm(id);
                printer.line();
            }
        }
    }
    printer.out
}

/// Writes to `out`. Every method leaves the cursor where the next text belongs, and methods that
/// print whole lines terminate them.
struct Printer<'u> {
    unit: &'u TranslationUnit,
    ast: &'u Ast,
    out: String,
    indent: usize,
}

impl Printer<'_> {
    fn text(&mut self, text: &str) {
        if self.out.is_empty() || self.out.ends_with('\n') {
            for _ in 0..self.indent {
                self.out.push_str("  ");
            }
        }
        self.out.push_str(text);
    }

    fn line(&mut self) {
        self.out.push('\n');
    }

    fn name(&mut self, ident: Ident) {
        let unit = self.unit;
        self.text(unit.name(ident.name));
    }

    // Declarations.

    fn declaration(&mut self, id: DeclId) {
        self.text("(declare ");
        self.declaration_body(id);
        self.text(")");
        self.line();
    }

    fn declaration_body(&mut self, id: DeclId) {
        let node = &self.ast[id];
        self.specifiers(node.specifiers);
        for declarator in &node.declarators {
            self.text(" ");
            self.declarator(declarator.declarator);
            if let Some(init) = declarator.init {
                self.text(" = ");
                self.init(init);
            }
        }
    }

    fn function(&mut self, id: FunctionId) {
        let node = &self.ast[id];
        self.text("(function ");
        self.specifiers(node.specifiers);
        self.text(" ");
        self.declarator(node.declarator);
        self.line();
        self.indent += 1;
        for &old in &node.old_style {
            self.declaration(old);
        }
        self.stmt(node.body);
        self.indent -= 1;
        self.close();
    }

    /// Ends the last line with a parenthesis.
    fn close(&mut self) {
        if self.out.ends_with('\n') {
            self.out.pop();
        }
        self.out.push_str(")\n");
    }

    fn static_assert(&mut self, id: StaticAssertId) {
        let node = &self.ast[id];
        self.text("(static-assert ");
        self.expr(node.condition);
        if let Some(message) = node.message {
            self.text(" ");
            self.string(message);
        }
        self.text(")");
        self.line();
    }

    fn specifiers(&mut self, id: SpecsId) {
        self.text("[");
        for (index, specifier) in self.ast[id].list.iter().enumerate() {
            if index > 0 {
                self.text(" ");
            }
            self.specifier(specifier.kind);
        }
        self.text("]");
    }

    fn specifier(&mut self, kind: SpecifierKind) {
        match kind {
            SpecifierKind::Storage(storage) => self.lower(&format!("{storage:?}")),
            SpecifierKind::Qualifier(qualifier) => self.lower(&format!("{qualifier:?}")),
            SpecifierKind::Function(function) => self.lower(&format!("{function:?}")),
            SpecifierKind::Basic(basic) => self.lower(&format!("{basic:?}")),
            SpecifierKind::AutoType => self.text("auto-type"),
            SpecifierKind::TypedefName(name) => {
                let unit = self.unit;
                self.text(unit.name(name));
            }
            SpecifierKind::AlignasType(id) => self.wrap("alignas", |this| this.type_name(id)),
            SpecifierKind::AlignasExpr(id) => self.wrap("alignas", |this| this.expr(id)),
            SpecifierKind::TypeofExpr(id) => self.wrap("typeof", |this| this.expr(id)),
            SpecifierKind::TypeofType(id) => self.wrap("typeof", |this| this.type_name(id)),
            SpecifierKind::AtomicType(id) => self.wrap("atomic", |this| this.type_name(id)),
            SpecifierKind::Attribute(id) => self.attribute(id),
            SpecifierKind::Record(id) => self.record(id),
            SpecifierKind::Enum(id) => self.enumeration(id),
        }
    }

    fn lower(&mut self, text: &str) {
        self.text(&text.to_ascii_lowercase());
    }

    fn wrap(&mut self, head: &str, inside: impl FnOnce(&mut Self)) {
        self.text("(");
        self.text(head);
        self.text(" ");
        inside(self);
        self.text(")");
    }

    fn record(&mut self, id: RecordId) {
        let node = &self.ast[id];
        self.text(match node.kind {
            RecordKind::Struct => "(struct",
            RecordKind::Union => "(union",
        });
        self.tag(node.tag, &node.attributes);
        for member in node.members.iter().flatten() {
            self.text(" ");
            match member {
                Member::Field(field) => {
                    self.text("(field ");
                    self.specifiers(field.specifiers);
                    for declarator in &field.declarators {
                        self.text(" ");
                        self.declarator(declarator.declarator);
                        if let Some(width) = declarator.width {
                            self.text(" : ");
                            self.expr(width);
                        }
                    }
                    self.text(")");
                }
                Member::StaticAssert(id) => {
                    let condition = self.ast[*id].condition;
                    self.wrap("static-assert", |this| this.expr(condition));
                }
            }
        }
        self.text(if node.members.is_some() { " end)" } else { ")" });
    }

    fn enumeration(&mut self, id: EnumId) {
        let node = &self.ast[id];
        self.text("(enum");
        self.tag(node.tag, &node.attributes);
        for enumerator in node.enumerators.iter().flatten() {
            self.text(" ");
            self.name(enumerator.name);
            self.attributes(&enumerator.attributes);
            if let Some(value) = enumerator.value {
                self.text(" = ");
                self.expr(value);
            }
        }
        self.text(if node.enumerators.is_some() { " end)" } else { ")" });
    }

    fn tag(&mut self, tag: Option<Ident>, attributes: &[AttributeId]) {
        if let Some(tag) = tag {
            self.text(" ");
            self.name(tag);
        }
        self.attributes(attributes);
    }

    fn declarator(&mut self, id: DeclaratorId) {
        let node = &self.ast[id];
        match node.name {
            Some(name) => self.name(name),
            None => self.text("_"),
        }
        for part in &node.parts {
            match part {
                DeclaratorPart::Pointer(qualifiers) => {
                    self.text(" *");
                    self.qualifiers(*qualifiers);
                }
                DeclaratorPart::Array { size, is_static, qualifiers, .. } => {
                    self.text("[");
                    if *is_static {
                        self.text("static ");
                    }
                    self.qualifiers(*qualifiers);
                    match size {
                        ArraySize::Unspecified => {}
                        ArraySize::Star => self.text("*"),
                        ArraySize::Expr(id) => self.expr(*id),
                    }
                    self.text("]");
                }
                DeclaratorPart::Function(id) => self.parameters(*id),
            }
        }
        if let Some(label) = node.asm_label {
            self.text(" asm ");
            self.string(label);
        }
        self.attributes(&node.attributes);
    }

    fn qualifiers(&mut self, qualifiers: Qualifiers) {
        for qualifier in qualifiers.iter() {
            self.lower(&format!("{qualifier:?} "));
        }
    }

    fn parameters(&mut self, id: ParamsId) {
        self.text("(");
        match &self.ast[id].kind {
            ParametersKind::Unspecified => {}
            ParametersKind::Prototype { parameters, variadic } => {
                for (index, parameter) in parameters.iter().enumerate() {
                    if index > 0 {
                        self.text(", ");
                    }
                    self.specifiers(parameter.specifiers);
                    self.text(" ");
                    self.declarator(parameter.declarator);
                }
                if *variadic {
                    self.text(", ...");
                }
            }
            ParametersKind::Identifiers(names) => {
                self.text("old");
                for &name in names {
                    self.text(" ");
                    self.name(name);
                }
            }
        }
        self.text(")");
    }

    fn type_name(&mut self, id: TypeNameId) {
        let node = self.ast[id];
        self.specifiers(node.specifiers);
        if !self.ast[node.declarator].parts.is_empty() {
            self.text(" ");
            self.declarator(node.declarator);
        }
    }

    fn attributes(&mut self, attributes: &[AttributeId]) {
        for &attribute in attributes {
            self.text(" ");
            self.attribute(attribute);
        }
    }

    fn attribute(&mut self, id: AttributeId) {
        let node = &self.ast[id];
        self.text("@");
        let unit = self.unit;
        self.text(node.plain_name(&unit.names));
        for (index, argument) in node.arguments.iter().enumerate() {
            self.text(if index == 0 { "(" } else { ", " });
            match *argument {
                AttributeArgument::Expr(id) => self.expr(id),
                AttributeArgument::Type(id) => self.type_name(id),
            }
        }
        if !node.arguments.is_empty() {
            self.text(")");
        }
    }

    fn init(&mut self, id: InitId) {
        match &self.ast[id].kind {
            InitializerKind::Expr(id) => self.expr(*id),
            InitializerKind::List(items) => {
                self.text("{");
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        self.text(", ");
                    }
                    for designator in &item.designators {
                        match *designator {
                            Designator::Index(id) => {
                                self.text("[");
                                self.expr(id);
                                self.text("]");
                            }
                            Designator::Range(lo, hi) => {
                                self.text("[");
                                self.expr(lo);
                                self.text(" ... ");
                                self.expr(hi);
                                self.text("]");
                            }
                            Designator::Field(name) => {
                                self.text(".");
                                self.name(name);
                            }
                        }
                    }
                    if !item.designators.is_empty() {
                        self.text(" = ");
                    }
                    self.init(item.init);
                }
                self.text("}");
            }
        }
    }

    // Statements: whole lines.

    fn stmt(&mut self, id: StmtId) {
        // Labels and `else if` are spines of any length.
        let mut id = id;
        let mut opened = 0;
        loop {
            match &self.ast[id].kind {
                StmtKind::Labeled { label, attributes, body } => {
                    self.text("(label ");
                    self.name(*label);
                    self.attributes(attributes);
                    id = *body;
                }
                StmtKind::Case { low, high, body } => {
                    self.text("(case ");
                    self.expr(*low);
                    if let Some(high) = *high {
                        self.text(" ... ");
                        self.expr(high);
                    }
                    id = *body;
                }
                StmtKind::Default { body } => {
                    self.text("(default");
                    id = *body;
                }
                StmtKind::If { condition, then, otherwise: Some(otherwise) } => {
                    self.text("(if ");
                    self.expr(*condition);
                    self.block(*then);
                    self.text("else");
                    id = *otherwise;
                }
                _ => break,
            }
            opened += 1;
            self.line();
        }
        self.plain_stmt(id);
        for _ in 0..opened {
            self.close();
        }
    }

    fn plain_stmt(&mut self, id: StmtId) {
        match &self.ast[id].kind {
            StmtKind::Labeled { .. } | StmtKind::Case { .. } | StmtKind::Default { .. } => {}
            StmtKind::Compound(items) => {
                self.text("(block");
                self.line();
                self.indent += 1;
                for item in items {
                    match *item {
                        BlockItem::Declaration(id) => self.declaration(id),
                        BlockItem::Statement(id) => self.stmt(id),
                        BlockItem::StaticAssert(id) => self.static_assert(id),
                        BlockItem::LocalLabel(name) => {
                            self.text("(local-label ");
                            self.name(name);
                            self.text(")");
                            self.line();
                        }
                    }
                }
                self.indent -= 1;
                self.close();
            }
            StmtKind::Expr(id) => self.one_line("(expr ", |this| this.expr(*id)),
            StmtKind::Empty => self.one_line("(empty", |_| {}),
            StmtKind::If { condition, then, .. } => {
                self.text("(if ");
                self.expr(*condition);
                self.block(*then);
                self.close();
            }
            StmtKind::Switch { value, body } => {
                self.text("(switch ");
                self.expr(*value);
                self.block(*body);
                self.close();
            }
            StmtKind::While { condition, body } => {
                self.text("(while ");
                self.expr(*condition);
                self.block(*body);
                self.close();
            }
            StmtKind::DoWhile { body, condition } => {
                self.text("(do");
                self.block(*body);
                self.text("while ");
                self.expr(*condition);
                self.line();
                self.close();
            }
            StmtKind::For { init, condition, step, body } => {
                self.text("(for ");
                match *init {
                    ForInit::Empty => {}
                    ForInit::Expr(id) => self.expr(id),
                    ForInit::Declaration(id) => {
                        self.text("(declare ");
                        self.declaration_body(id);
                        self.text(")");
                    }
                }
                self.text("; ");
                condition.iter().for_each(|&id| self.expr(id));
                self.text("; ");
                step.iter().for_each(|&id| self.expr(id));
                self.block(*body);
                self.close();
            }
            StmtKind::Goto(label) => self.one_line("(goto ", |this| this.name(*label)),
            StmtKind::GotoIndirect(id) => self.one_line("(goto * ", |this| this.expr(*id)),
            StmtKind::Continue => self.one_line("(continue", |_| {}),
            StmtKind::Break => self.one_line("(break", |_| {}),
            StmtKind::Return(None) => self.one_line("(return", |_| {}),
            StmtKind::Return(Some(id)) => self.one_line("(return ", |this| this.expr(*id)),
            StmtKind::Asm(id) => {
                self.asm(*id);
                self.line();
            }
            StmtKind::Attributes(list) => self.one_line("(attributes", |this| this.attributes(list)),
            StmtKind::Error => self.one_line("(error", |_| {}),
        }
    }

    fn one_line(&mut self, head: &str, inside: impl FnOnce(&mut Self)) {
        self.text(head);
        inside(self);
        self.text(")");
        self.line();
    }

    /// A nested statement on separate lines.
    fn block(&mut self, id: StmtId) {
        self.line();
        self.indent += 1;
        self.stmt(id);
        self.indent -= 1;
    }

    fn asm(&mut self, id: AsmId) {
        let node = &self.ast[id];
        self.text("(asm");
        if node.is_volatile {
            self.text(" volatile");
        }
        if node.is_goto {
            self.text(" goto");
        }
        self.text(" ");
        self.string(node.template);
        for (head, operands) in [("out", &node.outputs), ("in", &node.inputs)] {
            for operand in operands {
                self.text(&format!(" ({head} "));
                if let Some(name) = operand.name {
                    self.name(name);
                    self.text(" ");
                }
                self.string(operand.constraint);
                self.text(" ");
                self.expr(operand.value);
                self.text(")");
            }
        }
        for &clobber in &node.clobbers {
            self.text(" clobber ");
            self.string(clobber);
        }
        for &label in &node.labels {
            self.text(" label ");
            self.name(label);
        }
        self.text(")");
    }
}
