//! Pragmas that rename symbols (`weak`, `redefine_extname`) or change the layout of records in ways
//! that are not supported.

use super::ast::{Name, SymbolPragma, SymbolPragmaKind};
use crate::source::Span;

/// The effect of a directive.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Symbol(SymbolPragma),
    /// A layout of records that is not supported, with the name of the pragma.
    Layout(&'static str),
}

/// Interprets the text after `pragma`; `None` for other pragmas and for forms that gcc ignores.
pub(super) fn directive(text: &[u8], span: Span, mut intern: impl FnMut(&str) -> Name) -> Option<Effect> {
    let text = String::from_utf8_lossy(text).replace("\\\n", " ").replace("\\\r\n", " ");
    let spaced = text.replace('=', " = ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let is_name = |word: &str| {
        let is_part = |c: char| c == '_' || c == '$' || c.is_alphanumeric();
        word.chars().all(is_part) && !word.starts_with(|c: char| c.is_ascii_digit())
    };
    let (name, kind) = match *words.as_slice() {
        ["weak", name] if is_name(name) => (name, SymbolPragmaKind::Weak),
        ["weak", name, "=", target] if is_name(name) && is_name(target) => {
            (name, SymbolPragmaKind::WeakAlias(intern(target)))
        }
        ["redefine_extname", name, label] if is_name(name) && is_name(label) => {
            (name, SymbolPragmaKind::Rename(intern(label)))
        }
        ["scalar_storage_order", "big-endian"] => return Some(Effect::Layout("scalar_storage_order")),
        ["ms_struct", "on"] => return Some(Effect::Layout("ms_struct")),
        _ => return None,
    };
    Some(Effect::Symbol(SymbolPragma { name: intern(name), kind, span }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Interner;

    #[test]
    fn symbols_are_renamed_and_layouts_refused() {
        let mut names = Interner::default();
        let mut effect = |text: &str| directive(text.as_bytes(), Span::NONE, |name| names.intern(name));
        assert!(matches!(
            effect(" weak a=b"),
            Some(Effect::Symbol(SymbolPragma { kind: SymbolPragmaKind::WeakAlias(_), .. }))
        ));
        assert!(matches!(
            effect(" redefine_extname a b"),
            Some(Effect::Symbol(SymbolPragma { kind: SymbolPragmaKind::Rename(_), .. }))
        ));
        assert_eq!(effect(" ms_struct on"), Some(Effect::Layout("ms_struct")));
        assert_eq!(effect(" scalar_storage_order default"), None);
        assert_eq!(effect(" weak"), None);
        assert_eq!(effect(" weak a = 1"), None);
    }
}
