//! `#pragma pack` (from Microsoft's compiler, also in gcc): the maximal alignment of record
//! members.

/// The state after the directives so far.
#[derive(Debug, Default)]
pub(super) struct Packing {
    /// An offset, and the maximal alignment from there on; `None` for no limit.
    pub(super) changes: Vec<(u32, Option<u64>)>,
    /// The stack of `push`.
    kept: Vec<Option<u64>>,
}

impl Packing {
    /// Interprets the text after `pragma` of a directive at `offset`. Other pragmas, and forms that
    /// gcc does not recognize, have no effect.
    pub(super) fn directive(&mut self, offset: u32, text: &[u8]) {
        let text = String::from_utf8_lossy(text);
        let Some(rest) = text.trim().strip_prefix("pack") else { return };
        let Some(inner) = rest.trim_start().strip_prefix('(') else { return };
        let Some((inner, _)) = inner.split_once(')') else { return };
        let now = self.changes.last().and_then(|&(_, greatest)| greatest);
        let number = |text: &str| match text.trim().parse() {
            Ok(0) => Some(None),
            Ok(bytes @ (1 | 2 | 4 | 8 | 16)) => Some(Some(bytes)),
            _ => None,
        };
        let parts: Vec<&str> = inner.split(',').map(str::trim).collect();
        let new = match parts.as_slice() {
            [""] => Some(None),
            ["pop", ..] => self.kept.pop(),
            ["push"] => {
                self.kept.push(now);
                None
            }
            ["push", .., bytes] => {
                self.kept.push(now);
                number(bytes)
            }
            [bytes] => number(bytes),
            _ => None,
        };
        if let Some(new) = new {
            self.changes.push((offset, new));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Packing;

    fn after(directives: &[&str]) -> Option<u64> {
        let mut packing = Packing::default();
        for (offset, text) in directives.iter().enumerate() {
            packing.directive(offset as u32, text.as_bytes());
        }
        packing.changes.last().and_then(|&(_, greatest)| greatest)
    }

    #[test]
    fn directives_push_set_and_pop() {
        assert_eq!(after(&[" pack(2)"]), Some(2));
        assert_eq!(after(&[" pack(2)", " pack()"]), None);
        assert_eq!(after(&[" pack(4)", " pack(push, 1)"]), Some(1));
        assert_eq!(after(&[" pack(4)", " pack(push, 1)", " pack(pop)"]), Some(4));
        assert_eq!(after(&[" pack ( push )", " pack(1)", " pack(pop)"]), None);
        assert_eq!(after(&[" pack(push, name, 8)"]), Some(8));
        assert_eq!(after(&[" pack(3)", " pack", " once", " pack(pop)"]), None);
    }
}
