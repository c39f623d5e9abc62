//! Weak topological orders of the relations of a system.
//!
//! Bourdoncle, *Efficient chaotic iteration strategies with widenings*, FMPA 1993: a strongly
//! connected component is visited until it is stable before what follows it, and components nest.
//! The head of a component is its relation with the smallest index; without the head, the rest is
//! decomposed again.
//!
//! Cost: for nested components of depth n, n decompositions.

use horn::{Relation, System};
use petgraph::algo::kosaraju_scc;
use petgraph::graphmap::DiGraphMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

type Graph = DiGraphMap<Relation, (), FxBuildHasher>;

/// A step of an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// Visits the clauses to a relation.
    Visit(Relation),
    /// The end of a component: continues with the step of this number if clauses to its head are
    /// waiting.
    Repeat { head: Relation, start: usize },
}

/// The steps of one iteration over all relations.
pub(crate) fn order(system: &System) -> Vec<Step> {
    enum Task {
        Component(Vec<Relation>),
        Split(Vec<Relation>),
        End(Relation),
    }
    let mut edges = Graph::default();
    for relation in system.relations.keys() {
        edges.add_node(relation);
    }
    for (_, clause) in system.rules() {
        for atom in &clause.body {
            if let Some(head) = clause.to() {
                edges.add_edge(atom.relation, head, ());
            }
        }
    }
    let mut steps = Vec::new();
    let mut starts = FxHashMap::default();
    let mut tasks = vec![Task::Split(system.relations.keys().collect())];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Split(relations) => {
                let mut part = Graph::default();
                for &relation in &relations {
                    part.add_node(relation);
                }
                for (from, to, ()) in edges.all_edges() {
                    if part.contains_node(from) && part.contains_node(to) {
                        part.add_edge(from, to, ());
                    }
                }
                // In reverse topological order, so the first component is on top of the stack.
                tasks.extend(kosaraju_scc(&part).into_iter().map(Task::Component));
            }
            Task::Component(mut relations) => {
                relations.sort_unstable();
                let head = relations[0];
                starts.insert(head, steps.len());
                steps.push(Step::Visit(head));
                let is_cycle = relations.len() > 1 || edges.contains_edge(head, head);
                if is_cycle {
                    tasks.push(Task::End(head));
                }
                if relations.len() > 1 {
                    tasks.push(Task::Split(relations.split_off(1)));
                }
            }
            Task::End(head) => steps.push(Step::Repeat { head, start: starts[&head] }),
        }
    }
    steps
}
