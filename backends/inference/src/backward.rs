//! Facts from above: the complements of the states from which a query may be derived.
//!
//! The greatest set of states from which no query can be derived is the complement of a least one:
//! of the set that contains the states of the query and, with a state, its predecessors. So a
//! domain is solved over the reversed system, where it describes the states from which the query
//! may be derived. The negation is a disjunction of negated rows: a fact that no conjunction of
//! rows expresses. It is inductive, since a successor from which the query may be derived has only
//! predecessors of this kind. If no entry leads to a described state, it is a fact, and it excludes
//! the query. Otherwise the formula at a relation is what a precondition has to exclude there.
//!
//! Only states that satisfy the facts so far count, so a search forward makes one backward more
//! precise. A clause with several body atoms is followed back to the first one only, and the facts
//! so far are assumed of the others. That suffices: a clause whose first atom is not described
//! derives no described state, so the complement is inductive. In the clauses of procedures, the
//! first atom is the state of the caller and the others are summaries.
//!
//! Source: the greatest fixpoint as complement of a least one is that of Bourdoncle, *Abstract
//! Debugging of Higher-Order Imperative Languages*, PLDI 1993; sufficient preconditions as
//! complements of abstractions of the states that may fail are found in Cousot, Cousot, Fähndrich,
//! Logozzo, *Automatic Inference of Necessary Preconditions*, VMCAI 2013, §1, and in 2LS (Chen,
//! David, Kroening, Schrammel, Wachter, *Bit-Precise Procedure-Modular Termination Analysis*,
//! TOPLAS 2017, §4.4).
//!
//! DIVERGENCE from these: each disjunct of each query has a search of its own, because one element
//! for all would join states that have nothing in common.
//!
//! Limits: of summaries, only what the search forward has found is known. At most 64 disjuncts of
//! all queries are searched.
//!
//! Cost: that of a stage for each disjunct of a query that the facts so far do not exclude.

use crate::instance::Instance;
use crate::simulation::simulate;
use crate::{DomainSpec, Inference, Invariants, Known, Search, Statistics, split};
use backends::{Limits, Reason, Status};
use horn::{Clause, Normalizer, Relation, System};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use terms::entity::PrimaryMap;
use terms::{Op, Term, TermPool};

/// The largest number of disjuncts of queries that are searched.
const MOST_CASES: usize = 64;
/// The largest number of disjuncts of one query.
const MOST_OF_ONE: usize = 8;

/// A search for facts from above, which can be interrupted.
pub(crate) struct Backward<'c> {
    domain: DomainSpec,
    search: Search,
    /// The disjuncts of queries that remain, the next one last.
    open: Vec<Goal>,
    /// The search from a query that exceeded its limits.
    current: Option<Box<Inference<'c>>>,
    found: PrimaryMap<Relation, Vec<Term>>,
}

impl<'c> Backward<'c> {
    /// A search with a domain over a system.
    pub(crate) fn new(pool: &mut TermPool, system: &System, domain: &DomainSpec, search: Search) -> Self {
        let mut open: Vec<Goal> = Vec::new();
        for (clause, query) in system.queries().filter(|(_, query)| !query.body.is_empty()) {
            open.extend(cases(pool, query.constraint).into_iter().map(|case| Goal { clause, case }));
        }
        open.truncate(MOST_CASES);
        open.reverse();
        let found = system.relations.keys().map(|_| Vec::new()).collect();
        Backward { domain: domain.clone(), search, open, current: None, found }
    }

    /// Searches all queries and returns the facts. After an error, the next call continues.
    pub(crate) fn run(
        &mut self,
        pool: &mut TermPool,
        inference: &mut Inference<'c>,
        limits: &Limits,
    ) -> Result<PrimaryMap<Relation, Vec<Term>>, Reason> {
        while let Some(&goal) = self.open.last() {
            if let Some(reason) = limits.exceeded() {
                return Err(reason);
            }
            let result = match self.current.take() {
                Some(mut current) => {
                    let result = current.resume(pool, limits);
                    inference.finish(*current, result, limits)
                }
                None if inference.status(pool, goal.clause, goal.case, limits)? == Status::Unsat => {
                    self.open.pop();
                    continue;
                }
                None => {
                    inference.start((goal, std::slice::from_ref(&self.domain), self.search), pool, limits)
                }
            };
            match result {
                Ok(states) => self.add(pool, inference, &states, limits)?,
                Err((_, Some(interrupted))) => {
                    self.current = Some(interrupted);
                    continue;
                }
                // Another query may be easier.
                Err((_, None)) => {}
            }
            self.open.pop();
        }
        Ok(std::mem::take(&mut self.found))
    }

    /// Adds the complement of `states`, from which a query may be derived, unless an entry leads to
    /// one of them.
    fn add(
        &mut self,
        pool: &mut TermPool,
        inference: &mut Inference<'_>,
        states: &Invariants,
        limits: &Limits,
    ) -> Result<(), Reason> {
        for (clause, head) in inference.entries() {
            let violated = states.term(pool, head);
            if inference.status(pool, clause, violated, limits)? != Status::Unsat {
                return Ok(());
            }
        }
        for relation in states.at.keys() {
            let states = states.term(pool, relation);
            self.found[relation].push(pool.not(states));
        }
        Ok(())
    }
}

/// A disjunct of a query.
#[derive(Clone, Copy)]
struct Goal {
    clause: Clause,
    case: Term,
}

/// The result of a search from one query: states, or the reason and the search that was
/// interrupted.
type Searched<'c> = Result<Invariants, (Reason, Option<Box<Inference<'c>>>)>;

impl<'c> Inference<'c> {
    /// For each disjunct of `query`, a clause of the system of which the inference was made, that
    /// the facts so far do not exclude: a conjunction for each relation that holds of all states
    /// that satisfy the facts, and from which the disjunct may be derived; only `false` where there
    /// is no such state.
    ///
    /// # Errors
    /// The limit that is exceeded, or a failure of a prover.
    pub fn reaching(
        &mut self,
        pool: &mut TermPool,
        query: Clause,
        (stages, search): (&[DomainSpec], Search),
        limits: &Limits,
    ) -> Result<Vec<Invariants>, Reason> {
        let clause = self.queries[&query];
        let mut found = Vec::new();
        for case in cases(pool, self.system.clauses[clause].constraint) {
            if self.status(pool, clause, case, limits)? == Status::Unsat {
                continue;
            }
            match self.start((Goal { clause, case }, stages, search), pool, limits) {
                Ok(states) => found.push(states),
                Err((reason, interrupted)) => {
                    interrupted.into_iter().for_each(|search| self.contexts.take_back(search.contexts));
                    return Err(reason);
                }
            }
        }
        Ok(found)
    }

    fn start(
        &mut self,
        (goal, stages, search): (Goal, &[DomainSpec], Search),
        pool: &mut TermPool,
        limits: &Limits,
    ) -> Searched<'c> {
        let system = reversed(pool, &self.system, goal, &self.known);
        let system = split(pool, &system);
        let mut before = Inference {
            states: simulate(pool, &system),
            system,
            vocabulary: Rc::clone(&self.vocabulary),
            contexts: self.contexts.lend(),
            known: Rc::clone(&self.known),
            progress: None,
            backward: None,
            queries: FxHashMap::default(),
            statistics: Statistics::default(),
        };
        let mut states = Invariants { at: before.system.relations.keys().map(|_| Vec::new()).collect() };
        let mut result = Ok(());
        for stage in stages {
            match before.stage(pool, stage, search, limits) {
                Ok(found) => states.extend(&found),
                Err(reason) => {
                    result = Err(reason);
                    break;
                }
            }
        }
        self.finish(before, result.map(|()| states), limits)
    }

    /// Ends a search backward, unless it was interrupted.
    fn finish(
        &mut self,
        before: Inference<'c>,
        result: Result<Invariants, Reason>,
        limits: &Limits,
    ) -> Searched<'c> {
        match result {
            Err(reason) if before.is_interrupted() => Err((reason, Some(Box::new(before)))),
            result => {
                self.statistics.add(&before.statistics);
                self.contexts.take_back(before.contexts);
                self.contexts.restore(limits);
                result.map_err(|reason| (reason, None))
            }
        }
    }

    /// The clauses without a body, and the relations of their heads.
    fn entries(&self) -> Vec<(Clause, Relation)> {
        let rules = self.system.rules().filter(|(_, data)| data.body.is_empty());
        rules.filter_map(|(clause, data)| Some((clause, data.to()?))).collect()
    }

    /// Whether a clause derives a state that satisfies `formula`, which is over the symbols of the
    /// head's relation, from states that satisfy the facts.
    fn status(
        &mut self,
        pool: &mut TermPool,
        clause: Clause,
        formula: Term,
        limits: &Limits,
    ) -> Result<Status, Reason> {
        let mut prover = self.contexts.open(pool, &self.system, &self.known, clause, limits)?;
        prover.push()?;
        let formula = Instance::of_head(&self.system, &self.system.clauses[clause]).apply(pool, formula);
        let asserted = prover.assert(pool, formula);
        let status = asserted.is_ok().then(|| prover.status(pool, &[]));
        let popped = prover.pop();
        self.contexts.close(clause, prover)?;
        self.contexts.restore(limits);
        asserted.and(popped)?;
        Ok(status.expect("the formula was asserted"))
    }
}

/// The system of the states from which `goal` may be derived, restricted to `known` states.
fn reversed(pool: &mut TermPool, old: &System, goal: Goal, known: &Known) -> System {
    let mut system = System { relations: old.relations.clone(), clauses: PrimaryMap::new() };
    let mut normalizer = Normalizer::of(old);
    for (clause, data) in old.clauses.iter() {
        let is_goal = clause == goal.clause;
        if data.body.is_empty() || (data.head.is_none() && !is_goal) {
            continue;
        }
        let mut facts = Vec::new();
        for (index, atom) in data.body.iter().enumerate() {
            facts.extend(known[atom.relation].iter().map(|&fact| data.at_body(pool, old, index, fact)));
        }
        let mut open = data.reversed();
        if is_goal {
            open.constraint = vec![goal.case];
        }
        open.constraint.extend(&facts);
        system.clauses.push(normalizer.clause(pool, old, &open, data.origin.clone()));
    }
    system
}

/// Formulas whose disjunction is equivalent to `formula`, at most [`MOST_OF_ONE`].
fn cases(pool: &mut TermPool, formula: Term) -> Vec<Term> {
    let (mut cases, mut open) = (Vec::new(), vec![formula]);
    while let Some(formula) = open.pop() {
        let conjuncts = pool.conjuncts(&[formula]);
        let mut split = conjuncts.iter().enumerate().map(|(place, &term)| (place, disjuncts(pool, term)));
        let split = split.find(|(_, parts)| parts.len() > 1);
        let Some((place, parts)) =
            split.filter(|(_, parts)| cases.len() + open.len() + parts.len() <= MOST_OF_ONE)
        else {
            cases.push(formula);
            continue;
        };
        for part in parts.into_iter().rev() {
            let mut conjuncts = conjuncts.clone();
            conjuncts[place] = part;
            open.push(pool.and(&conjuncts));
        }
    }
    cases
}

/// The disjuncts of a formula; empty for other formulas.
fn disjuncts(pool: &mut TermPool, formula: Term) -> Vec<Term> {
    match pool.op(formula) {
        Op::Or => pool.children(formula).to_vec(),
        Op::Not => {
            let negated = pool.children(formula)[0];
            let parts =
                if pool.op(negated) == Op::And { pool.children(negated).to_vec() } else { Vec::new() };
            parts.into_iter().map(|part| pool.not(part)).collect()
        }
        Op::Ite => {
            let [condition, then, otherwise] = *pool.children(formula) else { return Vec::new() };
            let negated = pool.not(condition);
            vec![pool.and2(condition, then), pool.and2(negated, otherwise)]
        }
        _ => Vec::new(),
    }
}
