//! The tree of `get-interpolants`.
//!
//! The format is that of SMTInterpol: partitions in postorder, each the child of the next one. A
//! parenthesized group is a separate subtree, whose root becomes another child of the partition
//! that follows the group.

use super::Partitions;
use super::elaborate::Context;
use super::scope::Scopes;
use grammars::smtlib::{Name, Node, NodeKind};
use grammars::source::{Diagnostic, Span};
use rustc_hash::FxHashMap;

struct Builder<'a> {
    cx: &'a Context<'a>,
    scopes: &'a Scopes,
    partitions: Partitions,
    /// The position of the first use of each name.
    used: FxHashMap<Name, Span>,
}

/// A group under construction.
struct Group<'a> {
    span: Span,
    rest: std::slice::Iter<'a, Node>,
    /// The partitions without a parent so far.
    roots: Vec<usize>,
}

pub(super) fn partitions(
    cx: &Context<'_>,
    scopes: &Scopes,
    nodes: &[Node],
    span: Span,
) -> Result<Partitions, Diagnostic> {
    let partitions = Partitions { names: Vec::new(), parents: Vec::new() };
    let mut builder = Builder { cx, scopes, partitions, used: FxHashMap::default() };
    let mut groups = vec![Group { span, rest: nodes.iter(), roots: Vec::new() }];
    while let Some(group) = groups.last_mut() {
        match group.rest.next() {
            Some(&node) => match builder.conjunction(node) {
                Some(names) => {
                    let names = names?;
                    let index = builder.partitions.names.len();
                    builder.partitions.names.push(names);
                    builder.partitions.parents.push(None);
                    for child in group.roots.drain(..) {
                        builder.partitions.parents[child] = Some(index);
                    }
                    group.roots.push(index);
                }
                None => {
                    let NodeKind::Sequence(list) = cx.tree.kind(node) else {
                        return Err(Diagnostic::error(cx.tree.span(node), "expected a partition").with_help(
                            "a partition is the name of an assertion or `(and name …)`; a group stands in parentheses",
                        ));
                    };
                    groups.push(Group {
                        span: cx.tree.span(node),
                        rest: cx.tree.list(list).iter(),
                        roots: Vec::new(),
                    });
                }
            },
            None => {
                let Group { span, roots, .. } = groups.pop().expect("the stack holds the group being closed");
                match (roots.len(), groups.last_mut()) {
                    (1, Some(outer)) => outer.roots.extend(roots),
                    (1, None) => {}
                    (0, _) => return Err(Diagnostic::error(span, "this group has no partition")),
                    _ => {
                        return Err(Diagnostic::error(span, "expected a partition after this group")
                            .with_help("the last partition is the root of the tree"));
                    }
                }
            }
        }
    }
    if builder.partitions.names.len() < 2 {
        return Err(Diagnostic::error(span, "interpolants require at least two partitions"));
    }
    Ok(builder.partitions)
}

impl Builder<'_> {
    /// The names of a partition; `None` for a group.
    fn conjunction(&mut self, node: Node) -> Option<Result<Vec<String>, Diagnostic>> {
        match self.cx.tree.kind(node) {
            NodeKind::Symbol(_) => Some(self.name(node).map(|name| vec![name])),
            NodeKind::Sequence(list) => {
                let (&head, names) = self.cx.tree.list(list).split_first()?;
                match self.cx.tree.kind(head) {
                    NodeKind::Symbol(name) if self.cx.names.text(name) == "and" && !names.is_empty() => {
                        Some(names.iter().map(|&name| self.name(name)).collect())
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn name(&mut self, node: Node) -> Result<String, Diagnostic> {
        let span = self.cx.tree.span(node);
        let NodeKind::Symbol(name) = self.cx.tree.kind(node) else {
            return Err(Diagnostic::error(span, "expected the name of an assertion"));
        };
        let text = self.cx.names.text(name);
        if !self.scopes.is_asserted(name) {
            return Err(Diagnostic::error(span, format!("no assertion is named `{text}`"))
                .with_help("name an assertion with `(assert (! formula :named name))`"));
        }
        if let Some(&before) = self.used.get(&name) {
            return Err(Diagnostic::error(span, format!("`{text}` is in two partitions"))
                .with_secondary(before, "first used here"));
        }
        self.used.insert(name, span);
        Ok(text.to_owned())
    }
}
