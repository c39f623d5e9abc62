//! The names that functions and objects have outside of C: assembler names and pragmas.
//!
//! Everything that is only declared is known by its symbol alone, so it gets its assembler name as
//! its name. Then an undefined `int foo(void) asm("abs");` is the library function `abs`, and the
//! linker finds the definition of `real` for `int foo(void) asm("real");`. System headers redirect
//! functions to variants of the same meaning (`sscanf` to `__isoc99_sscanf`); those keep the name
//! in C where the library knows only this name.

use super::{Checker, Linked};
use crate::c::hir::{
    Alias, Automatic, Contract, Definition, Function, Global, GlobalKind, Inlining, Linkage, Strength, Symbol,
};
use crate::c::lower::is_library_name;
use grammars::c::ast::{AsmId, Name, StringId, SymbolPragma, SymbolPragmaKind};

/// The sections of code and of pointers to functions that run before `main` or after `exit`.
const AUTOMATIC_SECTIONS: [&str; 5] = [".preinit_array", ".init_array", ".fini_array", ".ctors", ".dtors"];

impl Checker<'_> {
    /// The assembler name of a declared name, if it differs.
    pub(super) fn assembler_name(&mut self, name: Name, label: StringId) -> Option<Name> {
        let label = self.string_text(label);
        (label != self.text(name)).then(|| self.program.names.intern(&label))
    }

    fn string_text(&self, string: StringId) -> String {
        let bytes = self.string_bytes(string);
        String::from_utf8_lossy(bytes.strip_suffix(&[0]).unwrap_or(&bytes)).into_owned()
    }

    /// `asm("…");`
    pub(super) fn assembly(&mut self, id: AsmId) {
        let asm = &self.ast[id];
        let text = self.string_text(asm.template);
        let runs_code = words(&text).any(|word| {
            matches!(word, ".init" | ".fini")
                || AUTOMATIC_SECTIONS.iter().any(|section| word.starts_with(section))
        });
        if runs_code {
            self.error(
                asm.span,
                "file-scope `asm` with code that runs before or after `main` is not supported",
            );
        } else {
            self.warning(asm.span, "file-scope `asm` is ignored, and what it may define is unsupported");
        }
        self.program.assembly.push(text.into_boxed_str());
    }

    /// Applies the pragmas about symbols, then renames what is only declared.
    pub(super) fn finish_symbols(&mut self) {
        for &pragma in &self.unit.symbol_pragmas {
            self.symbol_pragma(pragma);
        }
        let functions: Vec<_> = self.program.functions.keys().collect();
        for id in functions {
            let function = &self.program.functions[id];
            let Some(label) = function.symbol.assembler_name else { continue };
            let (name, label_text) = (self.text(function.name), self.text(label));
            let is_kept = function.body.is_some()
                || function.symbol.alias.is_some()
                || function.symbol.has_resolver
                || is_of_verifier(name)
                || is_library_name(name) && is_redirection(name, label_text);
            if !is_kept {
                let function = &mut self.program.functions[id];
                function.name = label;
                function.symbol.assembler_name = None;
                function.symbol.is_renamed = true;
            }
        }
        for global in self.program.globals.values_mut() {
            if global.definition == Definition::Declared
                && global.symbol.alias.is_none()
                && let Some(label) = global.symbol.assembler_name.take()
            {
                global.name = Some(label);
                global.symbol.is_renamed = true;
            }
        }
    }

    fn symbol_pragma(&mut self, pragma: SymbolPragma) {
        let SymbolPragma { name, kind, span } = pragma;
        if !self.linked.contains_key(&name)
            && let SymbolPragmaKind::WeakAlias(target) = kind
        {
            self.declare_like(name, target, pragma);
        }
        let (symbol, linkage) = match self.linked.get(&name) {
            Some(&Linked::Function(id)) => {
                let function = &mut self.program.functions[id];
                (&mut function.symbol, function.linkage)
            }
            Some(&Linked::Global(id)) => {
                let global = &mut self.program.globals[id];
                (&mut global.symbol, global.linkage)
            }
            None => return,
        };
        if linkage != Linkage::External {
            return;
        }
        match kind {
            SymbolPragmaKind::Weak => symbol.strength = Strength::Weak,
            SymbolPragmaKind::WeakAlias(target) => {
                symbol.strength = Strength::Weak;
                symbol.alias = symbol.alias.or(Some(Alias { target, span }));
            }
            SymbolPragmaKind::Rename(label) => {
                if label != name {
                    symbol.assembler_name = symbol.assembler_name.or(Some(label));
                }
            }
        }
    }

    /// Declares a name with the type of another one, for other units.
    fn declare_like(&mut self, name: Name, target: Name, pragma: SymbolPragma) {
        match self.linked.get(&target) {
            Some(&Linked::Function(like)) => {
                let like = &self.program.functions[like];
                let function = Function {
                    name,
                    ty: like.ty,
                    linkage: Linkage::External,
                    is_noreturn: like.is_noreturn,
                    is_implicit: false,
                    symbol: Symbol::default(),
                    inlining: Inlining::default(),
                    automatic: Automatic::default(),
                    contract: Contract::default(),
                    body: None,
                    span: pragma.span,
                };
                let id = self.program.functions.push(function);
                self.linked.insert(name, Linked::Function(id));
            }
            Some(&Linked::Global(like)) => {
                let like = &self.program.globals[like];
                let global = Global {
                    name: Some(name),
                    kind: GlobalKind::Variable,
                    ty: like.ty,
                    qualifiers: like.qualifiers,
                    linkage: Linkage::External,
                    symbol: Symbol::default(),
                    definition: Definition::Declared,
                    initializer: None,
                    align: None,
                    is_thread_local: like.is_thread_local,
                    extra_size: 0,
                    span: pragma.span,
                };
                let id = self.program.globals.push(global);
                self.linked.insert(name, Linked::Global(id));
            }
            None => {}
        }
    }
}

/// Whether a specification may refer to the name in C.
fn is_of_verifier(name: &str) -> bool {
    name == "reach_error" || name.starts_with("__VERIFIER_")
}

/// Whether a system header redirects a function to a variant of the same meaning.
fn is_redirection(name: &str, label: &str) -> bool {
    let stem = label.trim_start_matches('_');
    let stem = ["isoc99_", "isoc23_", "xpg_", "sysv_", "nldbl_"]
        .iter()
        .find_map(|prefix| stem.strip_prefix(prefix))
        .unwrap_or(stem);
    let stem = stem.strip_suffix("_chk").unwrap_or(stem);
    let stem = ["_time64", "64", "_r64"].iter().find_map(|suffix| stem.strip_suffix(suffix)).unwrap_or(stem);
    let is_own = label.starts_with("__") || label.ends_with("64");
    is_own && stem == name.trim_start_matches('_')
}

/// The names, directives and numbers in assembly.
pub(in crate::c) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$')))
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::is_redirection;

    #[test]
    fn redirections_of_headers_keep_the_meaning() {
        for (name, label) in [
            ("sscanf", "__isoc99_sscanf"),
            ("strtol", "__isoc23_strtol"),
            ("lseek", "lseek64"),
            ("signal", "__sysv_signal"),
            ("_longjmp", "__longjmp_chk"),
            ("time", "__time64"),
        ] {
            assert!(is_redirection(name, label), "{name} {label}");
        }
        for (name, label) in [("abs", "labs"), ("strlen", "my_strlen"), ("abs", "_abs"), ("read", "write64")]
        {
            assert!(!is_redirection(name, label), "{name} {label}");
        }
    }
}
