//! Objects with linkage: tentative definitions, redeclarations, completion at the end of the unit.

use super::attributes::Attributes;
use super::declarators::Specified;
use super::initializers::Storage;
use super::scope::Meaning;
use super::{Checker, Linked};
use crate::c::hir::{Definition, Global, GlobalId, GlobalKind, Linkage, Symbol};
use crate::c::types::{ArrayLength, QualType, Type, TypeId};
use grammars::c::ast::{Ident, InitId, StorageClass};
use grammars::source::Diagnostic;

impl Checker<'_> {
    /// Checks a declaration at file scope, or `extern` in a block.
    pub(super) fn linked_object(
        &mut self,
        ident: Ident,
        ty: QualType,
        specified: &Specified,
        attributes: &Attributes,
        init: Option<InitId>,
    ) {
        let is_extern = specified.storage == Some(StorageClass::Extern);
        if matches!(specified.storage, Some(StorageClass::Auto | StorageClass::Register))
            && self.function.is_none()
        {
            self.error(ident.span, "invalid storage class at file scope");
        }
        let Some(global) = self.find_or_declare(ident, ty, specified) else {
            if let Some(init) = init {
                self.initializer(init, TypeId::ERROR, Storage::Static);
            }
            return;
        };
        self.scopes.declare(ident.name, Meaning::Global(global), ident.span);
        let data = &mut self.program.globals[global];
        data.align = data.align.max(attributes.align);
        data.is_thread_local |= specified.is_thread_local;
        attributes.apply_to(&mut data.symbol);
        if !is_extern || init.is_some() {
            data.definition = Definition::Defined;
            data.span = ident.span;
        }
        let Some(init) = init else { return };
        if data.initializer.is_some() {
            let text = format!("redefinition of `{}`", self.text(ident.name));
            self.error(ident.span, text);
        }
        if is_extern && self.function.is_some() {
            self.error(ident.span, "an `extern` declaration in a block cannot be initialized");
        }
        let known = self.program.globals[global].ty;
        if let Some(done) = self.initializer(init, known, Storage::Static) {
            let data = &mut self.program.globals[global];
            data.ty = done.ty;
            data.initializer = Some(done.init);
            data.extra_size = done.extra_size;
        }
        let ty = self.program.globals[global].ty;
        if ty != TypeId::ERROR && self.types().layout(ty).is_none() {
            let text = format!("`{}` has incomplete type", self.text(ident.name));
            self.error(ident.span, text);
        }
    }

    fn find_or_declare(&mut self, ident: Ident, ty: QualType, specified: &Specified) -> Option<GlobalId> {
        let is_static = specified.storage == Some(StorageClass::Static);
        let is_extern = specified.storage == Some(StorageClass::Extern);
        let other = |this: &mut Self, span| {
            let text = format!("`{}` redeclared as a different kind of symbol", this.text(ident.name));
            this.report(Diagnostic::error(ident.span, text).with_secondary(span, "declared here"));
            None
        };
        if let Some(old) = self.scopes.symbol_here(ident.name)
            && !matches!(old.meaning, Meaning::Global(_))
        {
            return if matches!(old.meaning, Meaning::Error) { None } else { other(self, old.span) };
        }
        match self.linked.get(&ident.name).copied() {
            Some(Linked::Global(global)) => {
                let old = &self.program.globals[global];
                let (old_ty, old_linkage, span) = (old.ty, old.linkage, old.span);
                if !self.compatible(old_ty, ty.ty) {
                    let (x, y) = (self.type_name(old_ty), self.type_name(ty.ty));
                    let text = format!(
                        "conflicting types for `{}`: `{y}` here, `{x}` in an earlier declaration",
                        self.text(ident.name)
                    );
                    self.report(Diagnostic::error(ident.span, text).with_secondary(span, "declared here"));
                    return Some(global);
                }
                if (is_static && old_linkage == Linkage::External)
                    || (!is_static && !is_extern && old_linkage == Linkage::Internal)
                {
                    let text = format!(
                        "conflicting linkage of `{}`: not all declarations are `static`",
                        self.text(ident.name)
                    );
                    self.report(Diagnostic::error(ident.span, text).with_secondary(span, "declared here"));
                }
                let composite = self.composite(old_ty, ty.ty);
                self.program.globals[global].ty = composite;
                Some(global)
            }
            Some(Linked::Function(function)) => {
                let span = self.program.functions[function].span;
                other(self, span)
            }
            None => {
                let mut element = ty;
                while let Type::Array(inner, _) = self.types()[element.ty] {
                    element = inner;
                }
                let global = self.program.globals.push(Global {
                    name: Some(ident.name),
                    kind: GlobalKind::Variable,
                    ty: ty.ty,
                    qualifiers: ty.qualifiers.union(element.qualifiers),
                    linkage: if is_static { Linkage::Internal } else { Linkage::External },
                    symbol: Symbol::default(),
                    definition: Definition::Declared,
                    initializer: None,
                    align: None,
                    is_thread_local: specified.is_thread_local,
                    extra_size: 0,
                    span: ident.span,
                });
                self.linked.insert(ident.name, Linked::Global(global));
                Some(global)
            }
        }
    }

    /// Completes tentative definitions at the end of the unit: their types must be complete; an
    /// array of unknown size gets one element.
    pub(super) fn finish_tentative(&mut self) {
        let globals: Vec<GlobalId> = self.program.globals.keys().collect();
        for id in globals {
            let global = &self.program.globals[id];
            if global.definition != Definition::Defined || global.kind != GlobalKind::Variable {
                continue;
            }
            let (ty, span) = (global.ty, global.span);
            if let Type::Array(element, ArrayLength::Incomplete) = self.types()[ty] {
                self.warning(span, "tentative array definition assumed to have one element");
                self.program.globals[id].ty = self.program.types.array(element, ArrayLength::Known(1));
            } else if ty != TypeId::ERROR && self.types().layout(ty).is_none() {
                let name = self.type_name(ty);
                self.error(span, format!("tentative definition has type `{name}` that is never completed"));
            }
        }
    }
}
