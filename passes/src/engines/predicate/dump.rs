//! The graph in Graphviz format and as text.
//!
//! The layout follows Figures 5–8 of Beyer, Dangl, Wendler, *A Unifying View on SMT-Based Software
//! Verification*, JAR 2018: a node shows the location, and `ψ` for an abstraction state (filled) or
//! `φ` for an intermediate state. An arrival at the end of a block and its abstraction state are
//! drawn as one node.

use super::algorithm::Analysis;
use super::arg::{Kind, Node, NodeData};
use grammars::source::Span;
use horn::{escaped, shortened};
use std::fmt::Write;
use terms::{Term, TermPool, print};
use views::paths::Location;

/// The length in characters to which formulas are truncated.
const LONGEST: usize = 240;

/// A drawn node.
pub(crate) struct Drawn {
    node: Node,
    parents: Vec<Node>,
    kind: Kind,
    location: String,
    formula: String,
    covered_by: Option<Node>,
    /// Whether the node is covered, and therefore neither waits nor has successors.
    is_covered: bool,
}

impl Analysis<'_, '_> {
    /// Returns the nodes to draw; `locate` names a location in the source.
    pub(crate) fn drawn(&mut self, locate: &dyn Fn(Span) -> String) -> Vec<Drawn> {
        let nodes: Vec<Node> = self.arg.nodes().map(|(node, _)| node).collect();
        let mut drawn = Vec::new();
        for node in nodes {
            let data = &self.arg[node];
            let is_arrival = data.kind == Kind::Intermediate && self.ends_block(node);
            if is_arrival && data.children.is_empty() && data.location == Location::Target {
                // No path of the block reaches the target.
                continue;
            }
            if is_arrival && !data.children.is_empty() {
                continue;
            }
            let parents = match (data.kind, data.parents.first()) {
                (Kind::Abstraction, Some(&arrival)) => self.arg[arrival].parents.clone(),
                _ => data.parents.clone(),
            };
            let (kind, covered_by) = (data.kind, data.covered_by);
            let location = self.name(data, locate);
            let formula = match kind {
                Kind::Abstraction => self.abstractions.term(data.formula),
                Kind::Intermediate => {
                    let path = data.path;
                    self.formulas.paths.formula(self.pool, path).formula
                }
            };
            let formula = text(self.pool, formula);
            let is_covered = self.arg.is_covered(node);
            drawn.push(Drawn { node, parents, kind, location, formula, covered_by, is_covered });
        }
        drawn
    }

    fn name(&self, data: &NodeData, locate: &dyn Fn(Span) -> String) -> String {
        let mut name = match data.location {
            Location::Target => "target".to_owned(),
            Location::Block(block) => {
                let program = self.formulas.paths.program();
                let span = program.functions[program.entry].blocks[block].span;
                let location = locate(span);
                if location.is_empty() { block.to_string() } else { format!("{block} ({location})") }
            }
        };
        let counters: Vec<String> =
            data.counters.iter().flat_map(|counts| counts.iter()).map(u32::to_string).collect();
        if !counters.is_empty() {
            let _ = write!(name, " [{}]", counters.join(","));
        }
        name
    }
}

fn text(pool: &TermPool, formula: Term) -> String {
    print::term(pool, formula)
}

/// The graph in Graphviz format.
pub(crate) fn dot(nodes: &[Drawn]) -> String {
    let mut text = String::from("digraph ARG {\n  node [shape=box, fontname=\"monospace\"];\n");
    for drawn in nodes {
        let formula = shortened(&drawn.formula, LONGEST);
        let (name, style) = match drawn.kind {
            Kind::Abstraction => (
                "ψ",
                if drawn.is_covered {
                    "style=filled, fillcolor=gray90"
                } else {
                    "style=filled, fillcolor=lightblue"
                },
            ),
            Kind::Intermediate => ("φ", "style=solid"),
        };
        let label = format!("{} {}\n{name} = {formula}", drawn.node, drawn.location);
        let _ = writeln!(text, "  {} [label=\"{}\", {style}];", drawn.node, escaped(&label));
        for parent in &drawn.parents {
            let _ = writeln!(text, "  {parent} -> {};", drawn.node);
        }
        if let Some(by) = drawn.covered_by {
            let _ = writeln!(
                text,
                "  {} -> {by} [style=dashed, constraint=false, label=\"covered by\"];",
                drawn.node
            );
        }
    }
    text.push_str("}\n");
    text
}
