//! The strategy solver: the least fixpoint of a domain over a system.
//!
//! Marušák, *Generic Template-Based Synthesis of Program Abstractions*, Master's thesis, Brno
//! University of Technology, 2019, §5.2, Algorithm 1: assert the templates before a transition and
//! the negation of the templates after it; as long as a model exists, let the domain edit the rows
//! that the model violates. The fixpoint is an invariant: no clause leads out of it.
//!
//! * *Order.* Relations are visited in a weak topological order (module `order`). A clause waits
//!   until its head is visited, and waits again whenever a relation of its body has weaker rows.
//! * *Queries.* The guard of a clause is asserted once, in a prover of its own. One query
//!   covers up to [`PART`] rows: the disjunction of their negations. A model is joined until it
//!   violates no row any more, so a query changes many rows.
//! * *Start.* The states of simulated runs are joined first.
//! * *Trials.* When the templates are inductive, rows that jumped beyond the states seen are
//!   strengthened on trial, all at once, and the iteration goes on: a violated row becomes what it
//!   was, and one that is not violated keeps the stronger parameter, which is inductive as well.
//!   Halving the gap between the states seen and the inductive parameter takes at most 34 rounds
//!   for a row of 32 bits.
//! * *Suspension.* Rows whose query is not decided within its limit are tried one by one, and those
//!   that are still undecided become `true`. They are [counted](crate::Statistics::suspended), so a
//!   caller can try again with more effort. A row on trial becomes what it was before the trial.
//!
//! DIVERGENCE from the thesis: §4.1.1 starts with one query for the whole procedure; a system has
//! clauses. 2LS's search by halving finds the largest value after *one* transition for each model,
//! so it takes a round for each iteration of a loop. Trials halve between parameters that are
//! inductive and those that are not. They need not find the least inductive parameter, because not
//! every parameter above it is inductive; but unlike narrowing they find bounds of variables that a
//! transition leaves unchanged.

use crate::domain::{Domain, Edge, Row};
use crate::instance::Instance;
use crate::order::{Step, order};
use crate::simulation::Reached;
use crate::state::{InModel, Sample, State};
use crate::{Contexts, Known, Statistics};
use backends::{Limits, Outcome, Prover, Reason, Status};
use horn::{Clause, Relation, System};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use terms::entity::SecondaryMap;
use terms::{Term, TermPool, Value};

/// The largest number of rows in one query: a disjunction of many negated comparisons is harder
/// than each of them.
pub const PART: usize = 40;

/// The progress of a domain. A run that exceeds its limits continues where it stopped.
pub(crate) struct Progress {
    pub(crate) domain: Box<dyn Domain>,
    waiting: BTreeSet<Clause>,
    is_simulated: bool,
    heads: FxHashMap<Clause, Instance>,
}

impl Progress {
    /// The start of a search.
    pub(crate) fn new(system: &System, domain: Box<dyn Domain>) -> Self {
        let waiting = system.rules().map(|(clause, _)| clause).collect();
        Progress { domain, waiting, is_simulated: false, heads: FxHashMap::default() }
    }
}

/// A run of the solver on one domain.
pub(crate) struct Solver<'r, 'c> {
    pub(crate) pool: &'r mut TermPool,
    pub(crate) system: &'r System,
    pub(crate) contexts: &'r mut Contexts<'c>,
    pub(crate) known: &'r Known,
    pub(crate) limits: &'r Limits,
    pub(crate) statistics: &'r mut Statistics,
    /// States of simulated runs.
    pub(crate) states: &'r [Reached],
    pub(crate) progress: &'r mut Progress,
}

impl Solver<'_, '_> {
    /// Computes the fixpoint.
    ///
    /// # Errors
    /// The limit that is exceeded, or a failure of the prover. Then the templates mean nothing.
    pub(crate) fn run(&mut self) -> Result<(), Reason> {
        if !self.progress.is_simulated {
            self.start()?;
        }
        loop {
            self.ascend()?;
            if !self.progress.domain.not_satisfiable() {
                return Ok(());
            }
            self.progress.waiting = self.system.rules().map(|(clause, _)| clause).collect();
        }
    }

    /// Joins simulated states.
    fn start(&mut self) -> Result<(), Reason> {
        for &(clause, ref values) in self.states {
            let Some(head) = self.system.clauses[clause].to() else { continue };
            let mut sample = Sample::new(self.pool, self.system, head, values);
            self.absorb(Edge { clause, head }, &FxHashSet::default(), &mut sample)?;
        }
        self.progress.is_simulated = true;
        Ok(())
    }

    fn ascend(&mut self) -> Result<(), Reason> {
        let steps = order(self.system);
        let to = |head: Relation| {
            let clauses = self.system.rules().filter(|(_, clause)| clause.to() == Some(head));
            clauses.map(|(clause, _)| clause).collect::<Vec<Clause>>()
        };
        let mut into: SecondaryMap<Relation, Vec<Clause>> = SecondaryMap::new();
        let mut out: SecondaryMap<Relation, Vec<Clause>> = SecondaryMap::new();
        for relation in self.system.relations.keys() {
            into[relation] = to(relation);
        }
        for (clause, data) in self.system.rules() {
            for atom in &data.body {
                out[atom.relation].push(clause);
            }
        }
        while !self.progress.waiting.is_empty() {
            let mut at = 0;
            while let Some(&step) = steps.get(at) {
                at += 1;
                match step {
                    Step::Visit(head) => {
                        for &clause in &into[head] {
                            if !self.progress.waiting.contains(&clause) {
                                continue;
                            }
                            let is_changed = self.iterate(Edge { clause, head }, &out[head])?;
                            // Its own new rows count as premises of a loop.
                            let is_loop = is_changed && out[head].contains(&clause);
                            if !is_loop {
                                self.progress.waiting.remove(&clause);
                            }
                        }
                    }
                    Step::Repeat { head, start } => {
                        if into[head].iter().any(|clause| self.progress.waiting.contains(clause)) {
                            at = start;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Weakens the rows at the head of a clause until no successor violates them. As soon as one
    /// changes, the clauses `next` out of the head wait. Returns whether any changed.
    fn iterate(&mut self, edge: Edge, next: &[Clause]) -> Result<bool, Reason> {
        let Some(premises) = self.premises(edge.clause) else { return Ok(false) };
        let mut prover = self.contexts.open(self.pool, self.system, self.known, edge.clause, self.limits)?;
        prover.push()?;
        let result = self.iterate_within(&mut *prover, edge, &premises, next);
        prover.pop()?;
        self.contexts.close(edge.clause, prover)?;
        result
    }

    fn iterate_within(
        &mut self,
        prover: &mut dyn Prover,
        edge: Edge,
        premises: &[Term],
        next: &[Clause],
    ) -> Result<bool, Reason> {
        for &premise in premises {
            prover.assert(self.pool, premise)?;
        }
        let mut is_changed = false;
        // A row that was proved for all successors also holds of the states joined later.
        let mut proved: FxHashSet<Row> = FxHashSet::default();
        loop {
            if let Some(reason) = self.limits.exceeded() {
                return Err(reason);
            }
            let rows = self.progress.domain.make_not_post_constraints(self.pool, edge);
            let part: Vec<(Row, Term)> =
                rows.into_iter().filter(|(row, _)| !proved.contains(row)).take(PART).collect();
            if part.is_empty() {
                return Ok(is_changed);
            }
            let formulas: Vec<Term> = part.iter().map(|&(_, formula)| formula).collect();
            let mut reached = self
                .progress
                .heads
                .remove(&edge.clause)
                .unwrap_or_else(|| Instance::of_head(self.system, &self.system.clauses[edge.clause]));
            let asked = self.ask(prover, edge, &mut reached, &formulas, &proved, next);
            self.progress.heads.insert(edge.clause, reached);
            match asked? {
                Status::Unsat => proved.extend(part.iter().map(|&(row, _)| row)),
                Status::Sat => is_changed = true,
                Status::Unknown(_) => {
                    is_changed |= self.one_by_one(prover, edge, &part, &mut proved, next)?;
                }
            }
        }
    }

    /// Queries for a successor that violates one of `formulas`, and joins it.
    fn ask(
        &mut self,
        prover: &mut dyn Prover,
        edge: Edge,
        head: &mut Instance,
        formulas: &[Term],
        proved: &FxHashSet<Row>,
        next: &[Clause],
    ) -> Result<Status, Reason> {
        let all = self.pool.and(formulas);
        let all = head.apply(self.pool, all);
        let query = self.pool.not(all);
        self.statistics.queries += 1;
        let start = backends::effort::Moment::now();
        let outcome = prover.check(self.pool, &[query]);
        tracing::trace!(clause = ?edge.clause, rows = formulas.len(), seconds = start.elapsed().as_secs_f64(), "query");
        match outcome {
            Outcome::Unsat(_) => Ok(Status::Unsat),
            Outcome::Sat(mut model) => {
                self.statistics.models += 1;
                self.progress.waiting.extend(next);
                let mut state = InModel { model: &mut *model, head };
                if self.absorb(edge, proved, &mut state)? {
                    Ok(Status::Sat)
                } else {
                    Err(Reason::Fault("a model satisfies a formula and its negation".to_owned()))
                }
            }
            Outcome::Unknown(reason @ (Reason::Timeout | Reason::Incomplete(_)))
                if self.limits.exceeded().is_none() =>
            {
                Ok(Status::Unknown(reason))
            }
            Outcome::Unknown(reason) => Err(reason),
        }
    }

    /// Decides rows alone, and suspends those that are not decided. A row without a state cannot be
    /// suspended. Returns whether any changed.
    fn one_by_one(
        &mut self,
        prover: &mut dyn Prover,
        edge: Edge,
        part: &[(Row, Term)],
        proved: &mut FxHashSet<Row>,
        next: &[Clause],
    ) -> Result<bool, Reason> {
        let mut is_changed = false;
        let mut head = Instance::of_head(self.system, &self.system.clauses[edge.clause]);
        let is_alone = part.len() == 1;
        for &(row, formula) in part {
            let status = if is_alone {
                Status::Unknown(Reason::Timeout)
            } else {
                // The formula may have changed in between.
                let rows = self.progress.domain.make_not_post_constraints(self.pool, edge);
                if !rows.contains(&(row, formula)) {
                    continue;
                }
                self.ask(prover, edge, &mut head, &[formula], proved, next)?
            };
            match status {
                Status::Unsat => {
                    proved.insert(row);
                }
                Status::Sat => is_changed = true,
                Status::Unknown(reason) if formula == self.pool.fls() => return Err(reason),
                Status::Unknown(_) => {
                    is_changed = true;
                    self.progress.waiting.extend(next);
                    self.progress.domain.suspend(row);
                }
            }
        }
        Ok(is_changed)
    }

    /// Edits the rows that a state violates until it violates none. Returns whether any changed.
    fn absorb(&mut self, edge: Edge, proved: &FxHashSet<Row>, state: &mut dyn State) -> Result<bool, Reason> {
        let mut is_changed = false;
        loop {
            let rows = self.progress.domain.make_not_post_constraints(self.pool, edge);
            let rows: Vec<(Row, Term)> = rows.into_iter().filter(|(row, _)| !proved.contains(row)).collect();
            let formulas: Vec<Term> = rows.iter().map(|&(_, formula)| formula).collect();
            let holds = state.values(self.pool, &formulas)?;
            let mut is_violated = false;
            for (&(row, _), holds) in rows.iter().zip(holds) {
                if holds == Value::Bool(true) {
                    continue;
                }
                is_violated = true;
                let required = self.progress.domain.get_required_values(self.pool, edge, row);
                let values = state.values(self.pool, &required)?;
                self.progress.domain.set_values(values);
                if !self.progress.domain.edit_row(self.pool, edge, row) {
                    // The row cannot contain the state: a value of an unexpected sort.
                    self.progress.domain.suspend(row);
                }
                is_changed = true;
            }
            if !is_violated {
                return Ok(is_changed);
            }
        }
    }

    /// The templates of the body; `None` if one of them has no state.
    fn premises(&mut self, clause: Clause) -> Option<Vec<Term>> {
        let data = &self.system.clauses[clause];
        let mut premises = Vec::new();
        for atom in &data.body {
            let mut instance = Instance::of(self.system, atom);
            for conjunct in self.progress.domain.to_pre_constraints(self.pool, atom.relation) {
                premises.push(instance.apply(self.pool, conjunct));
            }
        }
        (!premises.contains(&self.pool.fls())).then_some(premises)
    }
}
