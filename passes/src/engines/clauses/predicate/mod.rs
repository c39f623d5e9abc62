//! Predicate abstraction of Horn systems.
//!
//! # Idea
//! An *abstract state* is a relation with a set of predicates that hold of some of its facts. The
//! *post* of a clause over abstract states of its body atoms is the set of all predicates of the
//! head's relation that the clause implies. Abstract states are computed until none is new; then
//! for each relation the disjunction of its abstract states is a model. If a query is reached, the
//! clauses on the way form a tree. If their constraints are satisfiable together, the tree is a
//! derivation. Otherwise the conjuncts of its tree interpolants become predicates: with them, this
//! tree leads to no query.
//!
//! Sources: Rümmer, Hojjat, Kuncak, *Disjunctive Interpolants for Horn-Clause Verification*, CAV
//! 2013 (the abstract reachability graph of Horn clauses, tree interpolants); McMillan,
//! Rybalchenko, *Solving Constrained Horn Clauses using Interpolation*, MSR-TR-2013-6 (derivation
//! trees); Graf, Saïdi, *Construction of Abstract State Graphs with PVS*, CAV 1997 (predicate
//! abstraction); Ball, Podelski, Rajamani, *Boolean and Cartesian Abstraction for Model Checking C
//! Programs*, TACAS 2001.
//!
//! * **Order.** Breadth first, so that trees are of least height.
//! * **Covering.** A state whose predicates include those of another is not expanded.
//! * **Progressions.** Predicates that differ only in numbers are generalized (`progressions`).
//! * **Refinement.** The graph is built again. Posts are cached, so only those over other
//!   predicates are computed.
//!
//! DIVERGENCE from Rümmer et al.: interpolants come from trees instead of disjunctions of trees,
//! and there is no interpolation abstraction; sources of interpolants have their own
//! [preferences](backends::interpolation::Preference).
//!
//! # Cost
//! A post needs at least one query, and at most one more for each predicate that holds in the
//! models before. The number of abstract states is exponential in the number of predicates in the
//! worst case.
//!
//! # Limits
//! It may diverge: each refinement excludes one tree. A derivation that uses a fact many times is a
//! large tree.

mod counterexample;
mod posts;

use super::progressions::Progressions;
use backends::{Fact, HornAnswer, HornSolver, Limits, ProverFactory, Reason};
use counterexample::Tree;
use horn::{Clause, Interpretation, Relation, System};
use indexmap::IndexSet;
use posts::Posts;
use rustc_hash::FxBuildHasher;
use std::rc::Rc;
use terms::entity::{Entity, PrimaryMap};
use terms::{Term, TermPool};

/// The engine.
pub struct Predicates {
    /// The solver; its refutations have interpolants.
    pub factory: Rc<dyn ProverFactory>,
}

impl HornSolver for Predicates {
    fn name(&self) -> &'static str {
        "predicate"
    }

    fn solver(&self) -> &'static str {
        self.factory.name()
    }

    fn solve(&self, pool: &mut TermPool, system: &System, limits: &Limits) -> HornAnswer {
        let mut search = Search {
            system,
            factory: &*self.factory,
            limits,
            predicates: system.relations.keys().map(|_| IndexSet::default()).collect(),
            posts: Posts::new(system, &*self.factory, limits),
            states: PrimaryMap::new(),
            progressions: Progressions::default(),
        };
        search.run(pool).unwrap_or_else(HornAnswer::Unknown)
    }
}

terms::entity! {
    /// An abstract state.
    State, "s"
}

/// The predicates of a relation, over its symbols. A set of them is a sorted list of indices.
type Predicate = IndexSet<Term, FxBuildHasher>;

/// An abstract state.
#[derive(Clone, Debug)]
struct StateData {
    relation: Relation,
    predicates: Vec<usize>,
    /// How it was first derived.
    from: Edge,
    /// Whether another state of the relation has a subset of its predicates.
    is_covered: bool,
}

/// A clause over states of its body atoms.
#[derive(Clone, Debug)]
struct Edge {
    clause: Clause,
    premises: Vec<State>,
}

struct Search<'a> {
    system: &'a System,
    factory: &'a dyn ProverFactory,
    limits: &'a Limits,
    predicates: PrimaryMap<Relation, Predicate>,
    posts: Posts<'a>,
    states: PrimaryMap<State, StateData>,
    progressions: Progressions,
}

impl Search<'_> {
    fn run(&mut self, pool: &mut TermPool) -> Result<HornAnswer, Reason> {
        loop {
            let Some(edge) = self.reach(pool)? else {
                return Ok(HornAnswer::Satisfiable(self.model(pool)));
            };
            if let Some(facts) = self.refine(pool, &edge)? {
                return Ok(HornAnswer::Unsatisfiable(facts));
            }
        }
    }

    /// Computes abstract states until none is new. A query that is reached, if any.
    fn reach(&mut self, pool: &mut TermPool) -> Result<Option<Edge>, Reason> {
        self.states = PrimaryMap::new();
        let clauses: Vec<Clause> =
            self.system.queries().chain(self.system.rules()).map(|(clause, _)| clause).collect();
        for &clause in &clauses {
            if self.system.clauses[clause].body.is_empty()
                && let Some(edge) = self.expand(pool, Edge { clause, premises: Vec::new() })?
            {
                return Ok(Some(edge));
            }
        }
        let mut next = 0;
        while next < self.states.len() {
            let state = State::new(next);
            let relation = self.states[state].relation;
            next += 1;
            for &clause in &clauses {
                let body = &self.system.clauses[clause].body;
                for position in (0..body.len()).filter(|&position| body[position].relation == relation) {
                    for premises in self.tuples(clause, state, position) {
                        if let Some(edge) = self.expand(pool, Edge { clause, premises })? {
                            return Ok(Some(edge));
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    /// The premises of a clause among the states up to `latest`, which is at `position` for the
    /// first time.
    fn tuples(&self, clause: Clause, latest: State, position: usize) -> Vec<Vec<State>> {
        if self.states[latest].is_covered {
            return Vec::new();
        }
        let mut tuples = vec![Vec::new()];
        for (index, atom) in self.system.clauses[clause].body.iter().enumerate() {
            let choices: Vec<State> = match index == position {
                true => vec![latest],
                false => {
                    let known = self.states.iter().take_while(|(state, _)| {
                        if index < position { *state < latest } else { *state <= latest }
                    });
                    let open = known.filter(|(_, data)| data.relation == atom.relation && !data.is_covered);
                    open.map(|(state, _)| state).collect()
                }
            };
            tuples = tuples
                .into_iter()
                .flat_map(|tuple: Vec<State>| {
                    choices.iter().map(move |&choice| tuple.iter().copied().chain([choice]).collect())
                })
                .collect();
        }
        tuples
    }

    /// Adds the post of an edge. The edge itself, if it reaches a query.
    fn expand(&mut self, pool: &mut TermPool, edge: Edge) -> Result<Option<Edge>, Reason> {
        if let Some(reason) = self.limits.exceeded() {
            return Err(reason);
        }
        // The states may have been covered after the tuple was made.
        if edge.premises.iter().any(|&state| self.states[state].is_covered) {
            return Ok(None);
        }
        let premises = edge.premises.iter().map(|&state| self.states[state].predicates.clone()).collect();
        let Some(predicates) = self.posts.post(pool, &self.predicates, edge.clause, premises)? else {
            return Ok(None);
        };
        let Some(relation) = self.system.clauses[edge.clause].to() else { return Ok(Some(edge)) };
        let is_subset =
            |few: &[usize], many: &[usize]| few.iter().all(|index| many.binary_search(index).is_ok());
        let is_open = |data: &&StateData| data.relation == relation && !data.is_covered;
        if self.states.values().filter(is_open).any(|data| is_subset(&data.predicates, &predicates)) {
            return Ok(None);
        }
        for data in self.states.values_mut().filter(|data| data.relation == relation) {
            data.is_covered |= is_subset(&predicates, &data.predicates);
        }
        self.states.push(StateData { relation, predicates, from: edge, is_covered: false });
        Ok(None)
    }

    /// Adds predicates that exclude the tree of a query, or returns the facts of its derivation.
    fn refine(&mut self, pool: &mut TermPool, edge: &Edge) -> Result<Option<Vec<Fact>>, Reason> {
        let tree = Tree::new(pool, self.system, &self.states, edge)?;
        let interpolants = match tree.decide(pool, self.system, self.factory, self.limits)? {
            Ok(facts) => return Ok(Some(facts)),
            Err(interpolants) => interpolants,
        };
        let mut is_refined = false;
        for (relation, interpolant) in interpolants {
            for conjunct in pool.conjuncts(&[interpolant]) {
                let is_constant = conjunct == pool.tru() || conjunct == pool.fls();
                if is_constant || !self.predicates[relation].insert(conjunct) {
                    continue;
                }
                is_refined = true;
                let general = self.progressions.add(pool, relation, conjunct, self.limits);
                for formula in general {
                    self.predicates[relation].extend(pool.conjuncts(&[formula]));
                }
            }
        }
        tracing::debug!(
            states = self.states.len(),
            predicates = self.predicates.values().map(IndexSet::len).sum::<usize>(),
            queries = self.posts.queries,
            "refined"
        );
        match is_refined {
            true => Ok(None),
            false => Err(Reason::Incomplete("interpolants without new predicates".to_owned())),
        }
    }

    /// The disjunction of the states of each relation.
    fn model(&self, pool: &mut TermPool) -> Interpretation {
        let formulas = self.predicates.iter().map(|(relation, predicates)| {
            let own = self.states.values().filter(|data| data.relation == relation && !data.is_covered);
            let states: Vec<Term> = own
                .map(|data| {
                    let all: Vec<Term> = data.predicates.iter().map(|&index| predicates[index]).collect();
                    pool.and(&all)
                })
                .collect();
            pool.or(&states)
        });
        Interpretation { formulas: formulas.collect() }
    }
}
