//! Trees of clauses that lead to a query.

use super::{Edge, State, StateData};
use backends::interpolation::{Problem, Tree as Shape};
use backends::{Fact, Limits, Outcome, ProverFactory, Reason};
use horn::{Relation, System};
use rustc_hash::FxHashMap;
use std::time::Duration;
use terms::entity::PrimaryMap;
use terms::{Representation, Term, TermPool};

/// The largest number of clauses of a tree.
const LARGEST: usize = 5_000;
/// The effort of the check of all clauses at once, before they are refuted one by one.
const AT_ONCE: Duration = Duration::from_secs(1);

/// The constraints of a tree of clauses.
pub(super) struct Tree {
    problem: Problem,
    /// For each node except the root, the relation of its head, and the symbols of its arguments.
    heads: Vec<(Relation, Vec<Term>)>,
}

/// Decided: the facts of a derivation, or an interpolant for each node except the root.
pub(super) type Decided = Result<Vec<Fact>, Vec<(Relation, Term)>>;

impl Tree {
    /// The tree of the query at `root`.
    ///
    /// # Errors
    /// If it is too large.
    pub(super) fn new(
        pool: &mut TermPool,
        system: &System,
        states: &PrimaryMap<State, StateData>,
        root: &Edge,
    ) -> Result<Self, Reason> {
        // Parents before children; the order is reversed below.
        let mut nodes: Vec<(&Edge, Option<usize>)> = vec![(root, None)];
        let mut next = 0;
        while let Some(&(edge, _)) = nodes.get(next) {
            nodes.extend(edge.premises.iter().map(|&state| (&states[state].from, Some(next))));
            if nodes.len() > LARGEST {
                return Err(Reason::Incomplete(format!("a derivation of more than {LARGEST} steps")));
            }
            next += 1;
        }
        let last = nodes.len() - 1;
        let parents = nodes.iter().rev().map(|(_, parent)| parent.map(|parent| last - parent)).collect();
        let tree = Shape::new(parents).map_err(|error| Reason::Fault(error.to_string()))?;
        // For each node, the children in the order of the body: the last child comes first.
        let children = tree.children();
        let (mut parts, mut heads) = (Vec::new(), Vec::new());
        for (node, (edge, _)) in nodes.iter().rev().enumerate() {
            let premises = children[node].iter().rev().map(|&child| &heads[child]);
            let (part, head) = instance(pool, system, edge, premises.collect());
            parts.push(part);
            heads.extend(head);
        }
        Ok(Tree { problem: Problem { parts, tree }, heads })
    }

    /// Decides whether the constraints are satisfiable together.
    pub(super) fn decide(
        &self,
        pool: &mut TermPool,
        system: &System,
        factory: &dyn ProverFactory,
        limits: &Limits,
    ) -> Result<Decided, Reason> {
        let mut prover = factory.new_prover("ALL", limits)?;
        for &formula in self.problem.parts.iter().flatten() {
            prover.assert(pool, formula)?;
        }
        match prover.check_parts(pool, &self.problem, AT_ONCE) {
            Outcome::Sat(mut model) => {
                let mut facts = Vec::new();
                for (relation, symbols) in &self.heads {
                    facts.push(Fact { relation: *relation, values: model.eval_all(pool, symbols)? });
                }
                Ok(Ok(facts))
            }
            Outcome::Unsat(mut refutation) => {
                let interpolants = refutation.interpolants(pool, &self.problem)?;
                let named = self.heads.iter().zip(interpolants).map(|((relation, symbols), interpolant)| {
                    let own = system.relations[*relation].symbols();
                    let images: FxHashMap<Term, Term> = symbols.iter().copied().zip(own).collect();
                    let interpolant = pool.map_leaves(interpolant, &mut |_, leaf| images.get(&leaf).copied());
                    (*relation, interpolant)
                });
                Ok(Err(named.collect()))
            }
            Outcome::Unknown(reason) => Err(reason),
        }
    }
}

/// The constraint of a clause with symbols of its own, over those of `premises`; and its head, if
/// it has one.
fn instance(
    pool: &mut TermPool,
    system: &System,
    edge: &Edge,
    premises: Vec<&(Relation, Vec<Term>)>,
) -> (Vec<Term>, Option<(Relation, Vec<Term>)>) {
    let data = &system.clauses[edge.clause];
    let mut images: FxHashMap<Term, Term> = FxHashMap::default();
    let mut conjuncts = Vec::new();
    for (atom, (_, symbols)) in data.body.iter().zip(premises) {
        for (&argument, &symbol) in atom.arguments.iter().zip(symbols) {
            match images.get(&argument) {
                None => drop(images.insert(argument, symbol)),
                Some(&first) => conjuncts.push(pool.eq(first, symbol)),
            }
        }
    }
    let mut rename = |pool: &mut TermPool, term: Term| {
        pool.map_leaves(term, &mut |pool, leaf| {
            let terms::Op::Symbol(symbol) = pool.op(leaf) else { return None };
            let data = pool.symbol_data(symbol);
            let (name, sort) = (data.name.clone(), data.sort);
            let fresh = |pool: &mut TermPool| pool.fresh_symbol(&name, sort, Representation::default());
            Some(*images.entry(leaf).or_insert_with(|| fresh(pool)))
        })
    };
    conjuncts.push(rename(pool, data.guard));
    let head = data.to().map(|relation| {
        let symbols: Vec<Term> = system.relations[relation].symbols().collect();
        let symbols = symbols.into_iter().map(|symbol| {
            let value = data.at_head(pool, symbol);
            let value = rename(pool, value);
            let sort = pool.sort(symbol);
            let own = pool.fresh_symbol("fact", sort, Representation::default());
            conjuncts.push(pool.eq(own, value));
            own
        });
        (relation, symbols.collect())
    });
    (conjuncts, head)
}
