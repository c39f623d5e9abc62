//! The graph of relations: an edge leads from each relation of a body to the relation of the head.

use crate::{Relation, System};
use petgraph::algo::kosaraju_scc;
use petgraph::graphmap::DiGraphMap;
use rustc_hash::FxBuildHasher;
use std::fmt::{self, Write};
use terms::entity::PrimaryMap;

/// The most characters of the arguments of a relation.
const LONGEST: usize = 60;

/// The strongly connected components of the relations of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// The components, each sorted, in topological order: a relation is derived from relations of
    /// its own component and of earlier ones.
    pub components: Vec<Vec<Relation>>,
    /// The index of the component of each relation.
    pub of: PrimaryMap<Relation, usize>,
    /// For each component, whether a relation of it is derived from one of it.
    pub is_recursive: Vec<bool>,
}

impl System {
    /// The strongly connected components of the relations. Linear time.
    pub fn components(&self) -> Components {
        let mut graph = DiGraphMap::<Relation, (), FxBuildHasher>::default();
        for relation in self.relations.keys() {
            graph.add_node(relation);
        }
        for (_, clause) in self.rules() {
            let head = clause.to().expect("a rule has a head");
            for atom in &clause.body {
                graph.add_edge(atom.relation, head, ());
            }
        }
        // In reverse topological order.
        let mut components = kosaraju_scc(&graph);
        components.reverse();
        let mut of: PrimaryMap<Relation, usize> = self.relations.keys().map(|_| 0).collect();
        for (index, component) in components.iter_mut().enumerate() {
            component.sort_unstable();
            for &relation in component.iter() {
                of[relation] = index;
            }
        }
        let is_recursive = components.iter().map(|component| match component[..] {
            [only] => graph.contains_edge(only, only),
            _ => true,
        });
        let is_recursive = is_recursive.collect();
        Components { components, of, is_recursive }
    }

    /// Writes the graph in the language of Graphviz: a node for each relation, with a frame around
    /// the relations of a recursive component; a point for each clause with several body atoms, and
    /// for each fact.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn write_graph(&self, out: &mut dyn Write) -> fmt::Result {
        let components = self.components();
        out.write_str("digraph clauses {\n  node [shape=box, fontname=\"monospace\", fontsize=10];\n")?;
        for (index, component) in components.components.iter().enumerate() {
            if components.is_recursive[index] {
                writeln!(out, "  subgraph cluster_{index} {{\n    style=dashed;")?;
            }
            for &relation in component {
                let data = &self.relations[relation];
                let names: Vec<&str> = data.arguments.iter().map(|argument| &*argument.name).collect();
                let label = format!("{}({})", data.name, shortened(&names.join(", "), LONGEST));
                writeln!(out, "    {relation} [label=\"{}\"];", escaped(&label))?;
            }
            if components.is_recursive[index] {
                out.write_str("  }\n")?;
            }
        }
        if self.queries().next().is_some() {
            out.write_str("  false [style=filled, fillcolor=\"#ffcccc\"];\n")?;
        }
        for (clause, data) in self.clauses.iter() {
            let head = data.to().map_or("false".to_owned(), |relation| relation.to_string());
            let title = escaped(&format!("{clause} {}", data.origin));
            match &data.body[..] {
                [only] => writeln!(out, "  {} -> {head} [tooltip=\"{title}\"];", only.relation)?,
                body => {
                    writeln!(out, "  {clause} [shape=point, tooltip=\"{title}\"];\n  {clause} -> {head};")?;
                    for atom in body {
                        writeln!(out, "  {} -> {clause} [arrowhead=none];", atom.relation)?;
                    }
                }
            }
        }
        out.write_str("}\n")
    }
}

impl Components {
    /// Whether no relation depends on itself.
    pub fn are_acyclic(&self) -> bool {
        !self.is_recursive.contains(&true)
    }

    /// Whether the relation depends on itself.
    pub fn is_recursive(&self, relation: Relation) -> bool {
        self.is_recursive[self.of[relation]]
    }
}

/// The start of a text that has more than `most` characters.
#[must_use]
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// The contents of a string in the language of Graphviz.
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
