//! Function definitions.

use super::attributes::Attributes;
use super::cleanup::Cleanups;
use super::declarators::{ParameterInfo, Site, Specified};
use super::scope::Meaning;
use super::{Checker, Linked};
use crate::c::hir::{
    Automatic, Body, Contract, DeclaredCount, DeclaredLength, Function, FunctionId, Inlining, LabelId,
    Linkage, StmtId, StmtKind, Symbol,
};
use crate::c::types::{Prototype, Type, TypeId};
use grammars::c::ast::{self, DeclId, Ident, Name, StorageClass};
use grammars::source::{Diagnostic, Span};
use rustc_hash::FxHashMap;

/// The state of the function whose body is being checked.
pub(super) struct FunctionContext {
    pub(super) id: FunctionId,
    pub(super) result: TypeId,
    pub(super) labels: FxHashMap<Name, LabelState>,
    /// The names of `__label__` declarations, per block, with the labels that they hide.
    pub(super) local_labels: Vec<Vec<(Name, Option<LabelState>)>>,
    pub(super) switches: Vec<super::statements::SwitchContext>,
    /// The number of enclosing loops, and of enclosing loops or switches.
    pub(super) loops: u32,
    pub(super) breakable: u32,
    pub(super) cleanups: Cleanups,
    /// Whether the code is attributed to the line of the caller (`artificial`).
    pub(super) is_artificial: bool,
    /// Whether the definition is only a form for inlining (`extern inline` with `gnu_inline`).
    pub(super) is_gnu_inline: bool,
    /// Whether the body passes the variable arguments on (`__builtin_va_arg_pack`).
    pub(super) passes_arguments: bool,
}

/// A label, used or defined.
#[derive(Clone, Copy, Debug)]
pub(super) struct LabelState {
    pub(super) id: LabelId,
    pub(super) is_defined: bool,
    pub(super) first_use: Span,
}

impl Checker<'_> {
    pub(super) fn function_definition(&mut self, id: ast::FunctionId) {
        let ast = self.ast;
        let definition = &ast[id];
        let declarator = &ast[definition.declarator];
        let Some(ident) = declarator.name else { return };
        let first_local = self.program.locals.len() as u32;
        let mut specified = self.specifiers(definition.specifiers);
        if ast[definition.specifiers].list.is_empty() {
            self.warning(ident.span, "return type defaults to `int`");
        }
        self.read_attributes(&declarator.attributes, &mut specified.attributes);
        let (ty, parameters) = self.declarator(specified.ty, definition.declarator, Site::Definition);
        let Some(list) = parameters.filter(|_| self.types().is_function(ty.ty)) else {
            if ty.ty != TypeId::ERROR {
                self.error(ident.span, "function definition without a parameter list of its own");
            }
            self.scopes.declare(ident.name, Meaning::Error, ident.span);
            self.pending.clear();
            return;
        };
        let linkage = match specified.storage {
            Some(StorageClass::Static) => Linkage::Internal,
            None | Some(StorageClass::Extern) => Linkage::External,
            Some(_) => {
                self.error(definition.span, "invalid storage class for a function");
                Linkage::External
            }
        };
        let attributes = specified.attributes;
        let is_form = specified.is_inline
            && specified.storage == Some(StorageClass::Extern)
            && attributes.is_gnu_inline;
        let function = self.declare_function(ident, ty.ty, linkage, &specified, &attributes);
        let Some(function) = function else {
            self.pending.clear();
            return;
        };
        // The parameters of earlier declarations do not affect this definition.
        let earlier = self.program.functions[function].ty;
        // A form for inlining may precede the definition.
        let replaces_form = self.inline_forms.remove(&function) && !is_form;
        let is_second = self.program.functions[function].body.is_some() && !replaces_form;
        if is_form {
            self.inline_forms.insert(function);
        }
        if is_second {
            let text = format!("redefinition of `{}`", self.text(ident.name));
            let old = self.program.functions[function].span;
            self.report(
                Diagnostic::error(ident.span, text).with_secondary(old, "previous definition is here"),
            );
        }
        self.program.functions[function].span = ident.span;
        let result = self.types().function(ty.ty).map_or(TypeId::ERROR, |function| function.result);
        if result != TypeId::VOID && result != TypeId::ERROR && self.types().layout(result).is_none() {
            self.error(ident.span, "return type is incomplete");
        }
        self.function = Some(FunctionContext {
            id: function,
            result,
            labels: FxHashMap::default(),
            local_labels: Vec::new(),
            switches: Vec::new(),
            loops: 0,
            breakable: 0,
            cleanups: Cleanups::default(),
            is_artificial: attributes.is_artificial,
            is_gnu_inline: is_form,
            passes_arguments: false,
        });
        self.program.functions[function].contract.lengths = self.parameter_lengths(id);
        self.scopes.enter();
        self.scopes.restore(&list.declared);
        let (locals, passed) =
            self.declare_parameters(&list.parameters, &definition.old_style, earlier, ident);
        // `__func__` is declared on first use.
        let mut stmts: Vec<StmtId> = Vec::new();
        self.flush_pending(&mut stmts);
        if let ast::StmtKind::Compound(items) = &ast[definition.body].kind {
            self.block_items(items, &mut stmts);
        }
        self.finish_jumps();
        self.scopes.leave();
        self.report_labels();
        // A call of such a function means the function that it is a form of.
        let is_dropped = self.function.as_ref().is_some_and(|context| context.passes_arguments);
        self.function = None;
        let end = ast[definition.body].span.end();
        let body = Body {
            parameters: locals,
            passed,
            locals: first_local..self.program.locals.len() as u32,
            stmts: stmts.into_boxed_slice(),
            end: Span::new(end.lo.saturating_sub(1), end.hi),
        };
        if !is_second && !is_dropped {
            self.set_body(function, body);
        }
    }

    /// The lengths of array parameters: an integer literal or the name of another parameter.
    fn parameter_lengths(&self, id: ast::FunctionId) -> Vec<(usize, DeclaredLength)> {
        let ast = self.ast;
        let Some(ast::DeclaratorPart::Function(list)) = ast[ast[id].declarator].parts.first() else {
            return Vec::new();
        };
        let ast::ParametersKind::Prototype { parameters, .. } = &ast[*list].kind else { return Vec::new() };
        let named = |name: Name| {
            let is_it = |parameter: &ast::Parameter| {
                ast[parameter.declarator].name.is_some_and(|ident| ident.name == name)
            };
            parameters.iter().position(is_it)
        };
        let length = |parameter: &ast::Parameter| {
            let part = ast[parameter.declarator].parts.first()?;
            let ast::DeclaratorPart::Array { size: ast::ArraySize::Expr(size), is_static, .. } = *part else {
                return None;
            };
            let count = match ast[size].kind {
                ast::ExprKind::Integer(literal) => {
                    DeclaredCount::Constant(u64::try_from(ast[literal].value).ok()?)
                }
                ast::ExprKind::Name(name) => DeclaredCount::Parameter(named(name)?),
                _ => return None,
            };
            Some(DeclaredLength { count, is_static })
        };
        let lengths = parameters.iter().enumerate();
        lengths.filter_map(|(index, parameter)| Some((index, length(parameter)?))).collect()
    }

    /// Appends statements that perform the pending evaluations.
    pub(super) fn flush_pending(&mut self, into: &mut Vec<StmtId>) {
        for expr in std::mem::take(&mut self.pending) {
            let span = self.span(expr);
            let stmt = self.stmt(StmtKind::Expr(expr), span);
            into.push(stmt);
        }
    }

    fn declare_parameters(
        &mut self,
        parameters: &[ParameterInfo],
        old_style: &[DeclId],
        function_ty: TypeId,
        function: Ident,
    ) -> (Box<[crate::c::hir::LocalId]>, Box<[TypeId]>) {
        let ast = self.ast;
        // Old style: an identifier list, followed by declarations of the parameters.
        let mut declared: FxHashMap<Name, crate::c::types::QualType> = FxHashMap::default();
        for &id in old_style {
            let declaration = &ast[id];
            let specified = self.specifiers(declaration.specifiers);
            for init in &declaration.declarators {
                let (ty, _) = self.declarator(specified.ty, init.declarator, Site::Prototype);
                let ty = self.adjust_parameter(ty);
                let Some(ident) = ast[init.declarator].name else { continue };
                if !parameters.iter().any(|parameter| parameter.name == Some(ident.name)) {
                    let text = format!("`{}` is not a parameter", self.text(ident.name));
                    self.error(ident.span, text);
                } else if declared.insert(ident.name, ty).is_some() {
                    let text = format!("redefinition of parameter `{}`", self.text(ident.name));
                    self.error(ident.span, text);
                }
            }
        }
        let mut locals = Vec::new();
        let mut passed = Vec::new();
        let prototype = self.types().function(function_ty).cloned();
        for (index, parameter) in parameters.iter().enumerate() {
            let (local, is_old) = match parameter.local {
                Some(local) => (local, false),
                None => {
                    let ty = parameter.name.and_then(|name| declared.get(&name).copied());
                    let ty = ty.unwrap_or(TypeId::INT.into());
                    (self.parameter_local(parameter.name, ty, parameter.span), true)
                }
            };
            let ty = self.program.locals[local].ty;
            if ty != TypeId::ERROR && self.types().layout(ty).is_none() {
                let name = self.type_name(ty);
                self.error(parameter.span, format!("parameter has incomplete type `{name}`"));
            }
            // With a prototype in scope, callers pass its types; otherwise they promote.
            let prototyped = prototype
                .as_ref()
                .filter(|function| function.prototype != Prototype::Missing)
                .and_then(|function| function.parameters.get(index).copied());
            passed.push(match prototyped {
                Some(ty) if is_old => ty,
                _ if is_old => self.promoted_type(ty),
                _ => ty,
            });
            if let Some(name) = parameter.name {
                self.scopes.declare(name, Meaning::Local(local), parameter.span);
            }
            locals.push(local);
        }
        let _ = function;
        (locals.into_boxed_slice(), passed.into_boxed_slice())
    }

    /// Declares a function at file scope, or finds its earlier declaration. Returns `None` if an
    /// error was reported.
    pub(super) fn declare_function(
        &mut self,
        ident: Ident,
        ty: TypeId,
        linkage: Linkage,
        specified: &Specified,
        attributes: &Attributes,
    ) -> Option<FunctionId> {
        let is_first = !self.linked.contains_key(&ident.name);
        let function = match self.linked.get(&ident.name).copied() {
            Some(Linked::Function(function)) => {
                let old = self.program.functions[function].ty;
                if self.compatible(old, ty) {
                    let composite = self.composite(old, ty);
                    self.program.functions[function].ty = composite;
                } else if self.program.functions[function].is_implicit
                    && self.program.functions[function].body.is_none()
                    && self.may_replace_implicit(old, ty)
                {
                    let text = format!(
                        "conflicting types for `{}`, which was implicitly declared by an earlier call",
                        self.text(ident.name)
                    );
                    self.warning(ident.span, text);
                    self.program.functions[function].ty = ty;
                } else if self.program.functions[function].body.is_some()
                    && self.differs_only_in_old_style(old, ty)
                {
                    let text = format!("conflicting parameter types for `{}`", self.text(ident.name));
                    self.warning(ident.span, text);
                    if self.types().function(old).is_some_and(|f| f.prototype == Prototype::Missing) {
                        self.program.functions[function].ty = ty;
                    }
                } else {
                    let text = format!("conflicting types for `{}`", self.text(ident.name));
                    let span = self.program.functions[function].span;
                    self.report(Diagnostic::error(ident.span, text).with_secondary(span, "declared here"));
                    return None;
                }
                let data = &mut self.program.functions[function];
                if data.linkage == Linkage::External && linkage == Linkage::Internal && !data.is_implicit {
                    let text = format!(
                        "`static` declaration of `{}` follows a non-static declaration",
                        self.text(ident.name)
                    );
                    self.error(ident.span, text);
                } else if linkage == Linkage::Internal {
                    data.linkage = Linkage::Internal;
                }
                self.program.functions[function].is_implicit = false;
                function
            }
            Some(Linked::Global(_)) => {
                let text = format!("`{}` redeclared as a different kind of symbol", self.text(ident.name));
                self.error(ident.span, text);
                return None;
            }
            None => {
                if let Some(old) = self.scopes.symbol(ident.name).filter(|symbol| symbol.depth == 0) {
                    let text =
                        format!("`{}` redeclared as a different kind of symbol", self.text(ident.name));
                    self.report(
                        Diagnostic::error(ident.span, text).with_secondary(old.span, "declared here"),
                    );
                    return None;
                }
                let function = self.program.functions.push(Function {
                    name: ident.name,
                    ty,
                    linkage,
                    is_noreturn: false,
                    is_implicit: false,
                    symbol: Symbol::default(),
                    inlining: Inlining::default(),
                    automatic: Automatic::default(),
                    contract: Contract::default(),
                    body: None,
                    span: ident.span,
                });
                self.linked.insert(ident.name, Linked::Function(function));
                function
            }
        };
        let is_extern = specified.storage == Some(StorageClass::Extern);
        let data = &mut self.program.functions[function];
        data.is_noreturn |= attributes.is_noreturn;
        data.contract.stated.add(&attributes.stated);
        attributes.apply_to(&mut data.symbol);
        if attributes.automatic != Automatic::Never {
            data.automatic = attributes.automatic;
        }
        match (specified.is_inline, is_extern, attributes.is_gnu_inline) {
            (true, true, true) => data.inlining = Inlining::InlineOnly,
            (true, false, false) if is_first => data.inlining = Inlining::InlineOnly,
            (true, false, false) => {}
            _ if self.function.is_none() => data.inlining = Inlining::External,
            _ => {}
        }
        self.scopes.declare(ident.name, Meaning::Function(function), ident.span);
        Some(function)
    }

    /// Whether gcc only warns: a function implicitly declared as `int f()` returns `void`, or a
    /// library function is redeclared.
    fn may_replace_implicit(&self, old: TypeId, new: TypeId) -> bool {
        match (self.types().function(old), self.types().function(new)) {
            (Some(old), Some(new)) => old.prototype != Prototype::Missing || new.result == TypeId::VOID,
            _ => false,
        }
    }

    /// Whether gcc only warns: one type has no prototype and the result types agree.
    fn differs_only_in_old_style(&self, a: TypeId, b: TypeId) -> bool {
        match (&self.types()[a], &self.types()[b]) {
            (Type::Function(f), Type::Function(g)) => {
                (f.prototype == Prototype::Missing) != (g.prototype == Prototype::Missing)
                    && self.compatible(f.result, g.result)
            }
            _ => false,
        }
    }

    fn report_labels(&mut self) {
        let Some(context) = &self.function else { return };
        let mut missing: Vec<(Span, Name)> = context
            .labels
            .iter()
            .filter(|(_, state)| !state.is_defined)
            .map(|(&name, state)| (state.first_use, name))
            .collect();
        missing.sort();
        for (span, name) in missing {
            let text = format!("label `{}` used but not defined", self.text(name));
            self.error(span, text);
        }
    }
}
