//! Declarations: typedefs, objects and functions of every scope.

use super::Checker;
use super::attributes::Attributes;
use super::declarators::{Site, Specified, is_of_elements};
use super::initializers::Storage;
use super::scope::Meaning;
use crate::c::hir::{
    Definition, ExprKind, Fill, Global, GlobalKind, InitEntry, InitValue, Initializer, Linkage, Local,
    LocalKind, StmtId, StmtKind, Symbol,
};
use crate::c::types::{QualType, Type, TypeId};
use grammars::c::ast::{self, DeclId, Ident, InitId, SpecifierKind, StaticAssertId, StorageClass};
use grammars::source::{Diagnostic, Span};

impl Checker<'_> {
    /// Checks a declaration; appends its run-time statements to `out`.
    pub(super) fn declaration(&mut self, id: DeclId, out: &mut Vec<StmtId>) {
        let ast = self.ast;
        let declaration = &ast[id];
        if declaration.declarators.is_empty() {
            self.bare_declaration(id);
            self.flush_pending(out);
            return;
        }
        let specified = self.specifiers(declaration.specifiers);
        if ast[declaration.specifiers].list.is_empty() {
            self.warning(declaration.span, "type specifier missing, defaults to `int`");
        }
        for declared in &declaration.declarators {
            let declarator = &ast[declared.declarator];
            let Some(ident) = declarator.name else { continue };
            let site = if self.function.is_some() { Site::Block } else { Site::File };
            let (mut ty, _) = self.declarator(specified.ty, declared.declarator, site);
            let mut attributes = Attributes { mode: None, vector_size: None, ..specified.attributes };
            self.read_attributes(&declarator.attributes, &mut attributes);
            attributes.assembler_name =
                declarator.asm_label.and_then(|label| self.assembler_name(ident.name, label));
            ty.ty = self.apply_mode(ty.ty, &attributes, declarator.span);
            self.flush_pending(out);
            let inherited = specified.typedef_align.filter(|_| is_of_elements(&declarator.parts));
            let align = attributes.align.max(inherited);
            if specified.storage == Some(StorageClass::Typedef) {
                if attributes.is_transparent_union {
                    self.make_transparent(ty.ty);
                }
                self.typedef(ident, ty, attributes.align.or(inherited));
                if let Some(init) = declared.init {
                    self.error(ast[init].span, "a typedef cannot be initialized");
                }
            } else if self.types().is_function(ty.ty) {
                if let Some(init) = declared.init {
                    self.error(ast[init].span, "a function cannot be initialized");
                }
                self.function_declaration(ident, ty.ty, &specified, &attributes);
            } else {
                attributes.align = align;
                self.object(ident, ty, &specified, &attributes, declared.init, out);
            }
        }
    }

    /// `typedef union { … } name __attribute__((transparent_union));`
    fn make_transparent(&mut self, ty: TypeId) {
        if let Type::Record(record) = self.types()[ty]
            && let Some(definition) = &mut self.program.types.records[record].definition
        {
            definition.is_transparent_union = true;
        }
    }

    /// `struct s;`, `enum { A };`
    fn bare_declaration(&mut self, id: DeclId) {
        let ast = self.ast;
        let declaration = &ast[id];
        if let [specifier] = &*ast[declaration.specifiers].list
            && let SpecifierKind::Record(record) = specifier.kind
            && ast[record].members.is_none()
            && let Some(tag) = ast[record].tag
        {
            if self.scopes.tag_here(tag.name).is_none() {
                self.new_record(ast[record].kind, Some(tag.name), ast[record].span);
            }
            return;
        }
        let specified = self.specifiers(declaration.specifiers);
        let declares = matches!(self.types()[specified.ty.ty], Type::Record(_) | Type::Enum(_) | Type::Error);
        if !declares {
            self.warning(declaration.span, "declaration does not declare anything");
        }
    }

    fn typedef(&mut self, ident: Ident, ty: QualType, align: Option<u64>) {
        if let Some(old) = self.scopes.symbol_here(ident.name) {
            let same = match old.meaning {
                Meaning::Typedef { ty: old, .. } => {
                    old.qualifiers == ty.qualifiers && self.compatible(old.ty, ty.ty)
                }
                Meaning::Error => true,
                _ => false,
            };
            if !same {
                self.redeclared(ident, old.span);
                return;
            }
        }
        self.scopes.declare(ident.name, Meaning::Typedef { ty, align }, ident.span);
        if align.is_some() && align != self.types().layout(ty.ty).map(|layout| layout.align) {
            self.realigned.insert(ty.ty);
        }
        let alias = match self.types()[ty.ty] {
            Type::Record(id) => &mut self.program.types.records[id].alias,
            Type::Enum(id) => &mut self.program.types.enums[id].alias,
            _ => return,
        };
        if self.function.is_none() {
            alias.get_or_insert(ident.name);
        }
    }

    fn redeclared(&mut self, ident: Ident, old: Span) {
        let text = format!("`{}` redeclared as a different kind of symbol", self.text(ident.name));
        self.report(Diagnostic::error(ident.span, text).with_secondary(old, "declared here"));
    }

    fn function_declaration(
        &mut self,
        ident: Ident,
        ty: TypeId,
        specified: &Specified,
        attributes: &Attributes,
    ) {
        if let Some(old) = self.scopes.symbol_here(ident.name)
            && !matches!(old.meaning, Meaning::Function(_) | Meaning::Error)
        {
            self.redeclared(ident, old.span);
            return;
        }
        let linkage = match specified.storage {
            Some(StorageClass::Static) => Linkage::Internal,
            _ => Linkage::External,
        };
        self.declare_function(ident, ty, linkage, specified, attributes);
    }

    fn object(
        &mut self,
        ident: Ident,
        ty: QualType,
        specified: &Specified,
        attributes: &Attributes,
        init: Option<InitId>,
        out: &mut Vec<StmtId>,
    ) {
        let align = attributes.align;
        let mut ty = ty;
        if ty.ty == TypeId::VOID && specified.storage != Some(StorageClass::Extern) {
            let text = format!("`{}` cannot have type `void`", self.text(ident.name));
            self.error(ident.span, text);
            ty.ty = TypeId::ERROR;
        }
        if specified.is_auto {
            self.auto_object(ident, specified, attributes, init, out);
            return;
        }
        let is_file = self.function.is_none();
        if is_file || specified.storage == Some(StorageClass::Extern) {
            self.linked_object(ident, ty, specified, attributes, init);
            return;
        }
        if let Some(old) = self.scopes.symbol_here(ident.name) {
            self.redeclared(ident, old.span);
        }
        if specified.storage == Some(StorageClass::Static) {
            self.static_local(ident, ty, attributes, specified, init);
            return;
        }
        let local = self.program.locals.push(Local {
            name: Some(ident.name),
            kind: LocalKind::Variable,
            ty: ty.ty,
            qualifiers: self.object_qualifiers(ty),
            align,
            is_address_taken: false,
            span: ident.span,
        });
        self.scopes.declare(ident.name, Meaning::Local(local), ident.span);
        let mut initializer = None;
        if let Some(init) = init {
            if self.types().is_variable(ty.ty) {
                let text =
                    format!("variable-length object `{}` cannot be initialized", self.text(ident.name));
                self.error(ident.span, text);
            } else if let Some(done) = self.initializer(init, ty.ty, Storage::Automatic) {
                ty.ty = done.ty;
                self.program.locals[local].ty = done.ty;
                initializer = Some(done.init);
            }
        }
        self.program.locals[local].ty = self.demand_complete(ident, ty.ty);
        self.flush_pending(out);
        let span = init.map_or(ident.span, |init| ident.span.join(self.ast[init].span));
        let stmt = self.stmt(StmtKind::Declare { local, initializer }, span);
        out.push(stmt);
        if let Some(function) = attributes.cleanup {
            self.declare_cleanup(local, function);
        }
    }

    /// The qualifiers of an object; an array has those of its elements.
    fn object_qualifiers(&self, ty: QualType) -> ast::Qualifiers {
        let mut current = ty;
        while let Type::Array(element, _) = self.types()[current.ty] {
            current = element;
        }
        ty.qualifiers.union(current.qualifiers)
    }

    /// Returns the type; if it is incomplete, reports an error and returns the poison type.
    fn demand_complete(&mut self, ident: Ident, ty: TypeId) -> TypeId {
        let types = self.types();
        if ty != TypeId::ERROR && types.layout(ty).is_none() && !types.is_variable(ty) {
            let name = self.type_name(ty);
            let text = format!("`{}` has incomplete type `{name}`", self.text(ident.name));
            self.error(ident.span, text);
            return TypeId::ERROR;
        }
        ty
    }

    /// `__auto_type x = e;`
    fn auto_object(
        &mut self,
        ident: Ident,
        specified: &Specified,
        attributes: &Attributes,
        init: Option<InitId>,
        out: &mut Vec<StmtId>,
    ) {
        let expr = init.map(|init| (init, &self.ast[init].kind));
        let Some((init, ast::InitializerKind::Expr(expr))) = expr else {
            self.error(ident.span, "`__auto_type` requires an initializer expression");
            self.scopes.declare(ident.name, Meaning::Error, ident.span);
            return;
        };
        let value = self.value(*expr);
        let ty = self.ty(value);
        if ty == TypeId::ERROR && matches!(self.program.exprs[value].kind, ExprKind::Unsupported(_)) {
            self.error(ident.span, "the type of the initializer is not known");
        }
        if self.function.is_none() || specified.storage.is_some() {
            let span = ident.span;
            self.error(span, "`__auto_type` is supported only for local variables");
            self.scopes.declare(ident.name, Meaning::Error, ident.span);
            return;
        }
        let local = self.program.locals.push(Local {
            name: Some(ident.name),
            kind: LocalKind::Variable,
            ty,
            qualifiers: specified.ty.qualifiers,
            align: None,
            is_address_taken: false,
            span: ident.span,
        });
        self.scopes.declare(ident.name, Meaning::Local(local), ident.span);
        let span = self.ast[init].span;
        let entry =
            InitEntry { offset: 0, bits: None, ty, value: InitValue::Expr(value), repeat: None, span };
        let initializer = Initializer {
            ty,
            fill: Fill::Covered,
            entries: Box::new([entry]),
            overridden: Box::default(),
            span,
        };
        let initializer = Some(self.program.inits.push(initializer));
        self.flush_pending(out);
        let stmt = self.stmt(StmtKind::Declare { local, initializer }, ident.span.join(span));
        out.push(stmt);
        if let Some(function) = attributes.cleanup {
            self.declare_cleanup(local, function);
        }
    }

    fn static_local(
        &mut self,
        ident: Ident,
        ty: QualType,
        attributes: &Attributes,
        specified: &Specified,
        init: Option<InitId>,
    ) {
        let mut symbol = Symbol::default();
        attributes.apply_to(&mut symbol);
        let Some(function) = self.function.as_ref().map(|context| context.id) else { return };
        let global = self.program.globals.push(Global {
            name: Some(ident.name),
            kind: GlobalKind::StaticLocal(function),
            ty: ty.ty,
            qualifiers: self.object_qualifiers(ty),
            linkage: Linkage::None,
            symbol,
            definition: Definition::Defined,
            initializer: None,
            align: attributes.align,
            is_thread_local: specified.is_thread_local,
            extra_size: 0,
            span: ident.span,
        });
        self.scopes.declare(ident.name, Meaning::Global(global), ident.span);
        if self.types().is_variable(ty.ty) {
            self.error(ident.span, "an object of static storage duration cannot have variable length");
        }
        let mut complete = ty.ty;
        if let Some(init) = init
            && let Some(done) = self.initializer(init, ty.ty, Storage::Static)
        {
            complete = done.ty;
            let data = &mut self.program.globals[global];
            data.ty = done.ty;
            data.initializer = Some(done.init);
            data.extra_size = done.extra_size;
        }
        self.program.globals[global].ty = self.demand_complete(ident, complete);
    }

    pub(super) fn static_assert(&mut self, id: StaticAssertId) {
        let assert = &self.ast[id];
        let Some((value, _)) = self.constant(assert.condition) else { return };
        if value == 0 {
            let text = match assert.message.map(|message| &self.ast[message].units) {
                Some(ast::StringUnits::Narrow(bytes)) => {
                    format!("static assertion failed: {}", String::from_utf8_lossy(bytes))
                }
                _ => "static assertion failed".to_owned(),
            };
            self.error(assert.span, text);
        }
    }
}
