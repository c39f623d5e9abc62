//! Selects few conjuncts of inductive invariants that suffice.
//!
//! *Idea.* The strongest invariants contain many conjuncts that the proof does not need, and each
//! predicate may double the cost of an abstraction. Work backwards from the queries: a minimal
//! unsatisfiable core of `Inv(R) ∧ constraint` contains the conjuncts of `R` that exclude the
//! query. For each of these conjuncts and each clause to `R`, a minimal core of
//! `Inv(body) ∧ constraint ∧ ¬conjunct` contains the conjuncts on which it depends. The selected
//! conjuncts are inductive by themselves.
//!
//! Conjuncts that are already selected are tried alone first. Simple formulas come last in a query,
//! since [`minimal_core`] tries to drop the first ones first. A clause with several body atoms has
//! the invariants of all of them as premises.
//!
//! *Cost.* For each selected conjunct and each clause to its relation, one query for each element
//! of the core; with [`Cores::Any`], one or two queries, and more conjuncts.

use crate::Invariants;
use crate::contexts::query_limits;
use crate::instance::Instance;
use backends::all_sat::minimal_core;
use backends::effort::Moment;
use backends::{Limits, Outcome, Prover, Reason};
use horn::{Clause, ClauseData, Relation, System};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::cmp::Reverse;
use terms::entity::{PrimaryMap, SecondaryMap};
use terms::{Op, Term, TermPool};

type Conjuncts = IndexSet<Term, FxBuildHasher>;

/// Which unsatisfiable cores are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cores {
    /// Minimal ones.
    Minimal,
    /// Those of the solver.
    Any,
}

/// Returns conjuncts of the inductive `invariants` that are inductive and exclude the queries;
/// `None` if `invariants` do not exclude them. Afterwards the prover has the limits `limits`.
///
/// # Errors
/// The reason why the prover has no answer, or the exceeded limit.
pub fn slice(
    pool: &mut TermPool,
    prover: &mut dyn Prover,
    system: &System,
    invariants: &Invariants,
    cores: Cores,
    limits: &Limits,
) -> Result<Option<Invariants>, Reason> {
    Slicing::new(system, invariants, cores).run(pool, prover, system, limits)
}

/// A search for conjuncts, see [`slice()`], that goes on after its limits were exceeded.
#[derive(Debug)]
pub struct Slicing {
    invariants: Invariants,
    cores: Cores,
    needed: SecondaryMap<Relation, Conjuncts>,
    /// The queries that are not excluded yet.
    queries: Vec<Clause>,
    /// Selected conjuncts, each with a clause to its relation whose premises are not selected yet.
    open: Vec<(Clause, Term)>,
}

impl Slicing {
    /// Starts a search in inductive `invariants` of `system`.
    #[must_use]
    pub fn new(system: &System, invariants: &Invariants, cores: Cores) -> Self {
        let mut queries: Vec<Clause> = system.queries().map(|(clause, _)| clause).collect();
        queries.reverse();
        let (needed, open) = (SecondaryMap::new(), Vec::new());
        Slicing { invariants: invariants.clone(), cores, needed, queries, open }
    }

    /// Goes on. Afterwards the prover has the limits `limits`.
    ///
    /// # Errors
    /// As for [`slice()`].
    pub fn run(
        &mut self,
        pool: &mut TermPool,
        prover: &mut dyn Prover,
        system: &System,
        limits: &Limits,
    ) -> Result<Option<Invariants>, Reason> {
        prover.set_limits(&query_limits(limits));
        let start = Moment::now();
        let sliced = self.backwards(pool, prover, system, limits);
        tracing::debug!(
            queries = self.queries.len(),
            open = self.open.len(),
            seconds = start.elapsed().as_secs_f64(),
            failure = sliced.as_ref().err().map(tracing::field::display),
            "slice"
        );
        prover.set_limits(limits);
        sliced
    }

    fn backwards(
        &mut self,
        pool: &mut TermPool,
        prover: &mut dyn Prover,
        system: &System,
        limits: &Limits,
    ) -> Result<Option<Invariants>, Reason> {
        let exceeded = || limits.exceeded().map_or(Ok(()), Err);
        while let Some(&query) = self.queries.last() {
            exceeded()?;
            if !self.support(pool, prover, system, (query, None), limits)? {
                return Ok(None);
            }
            self.queries.pop();
        }
        while let Some((clause, conjunct)) = self.open.pop() {
            let supported = exceeded()
                .and_then(|()| self.support(pool, prover, system, (clause, Some(conjunct)), limits));
            match supported {
                Ok(true) => {}
                Ok(false) => {
                    let fault = "the solver refutes an invariant that it proved inductive";
                    return Err(Reason::Fault(fault.to_owned()));
                }
                Err(reason) => {
                    self.open.push((clause, conjunct));
                    return Err(reason);
                }
            }
        }
        let mut at = PrimaryMap::new();
        for relation in system.relations.keys() {
            at.push(self.needed[relation].iter().copied().collect());
        }
        Ok(Some(Invariants { at }))
    }

    /// Selects premises of a clause that imply `conjunct` at its head, or exclude the query.
    /// Returns whether there are any.
    fn support(
        &mut self,
        pool: &mut TermPool,
        prover: &mut dyn Prover,
        system: &System,
        (clause, conjunct): (Clause, Option<Term>),
        limits: &Limits,
    ) -> Result<bool, Reason> {
        let data = &system.clauses[clause];
        let mut others = vec![data.constraint];
        if let Some(conjunct) = conjunct {
            let wanted = Instance::of_head(system, data).apply(pool, conjunct);
            others.push(pool.not(wanted));
        }
        let premises = premises(pool, system, data, &self.invariants);
        let Some(core) = core(pool, prover, premises, &self.needed, (self.cores, limits), &others)? else {
            return Ok(false);
        };
        // New conjuncts have to be supported in turn.
        for Premise { relation, conjunct, .. } in core {
            if self.needed[relation].insert(conjunct) {
                let into = system.clauses.iter().filter(|(_, clause)| clause.to() == Some(relation));
                self.open.extend(into.map(|(clause, _)| (clause, conjunct)));
            }
        }
        Ok(true)
    }
}

/// A conjunct of the invariant of a body atom.
#[derive(Clone, Copy)]
struct Premise {
    relation: Relation,
    conjunct: Term,
    /// The conjunct about the arguments of the atom.
    instance: Term,
}

/// The conjuncts of the invariants of the body.
fn premises(
    pool: &mut TermPool,
    system: &System,
    clause: &ClauseData,
    invariants: &Invariants,
) -> Vec<Premise> {
    let mut found: Vec<Premise> = Vec::new();
    let mut seen = FxHashSet::default();
    for atom in &clause.body {
        let mut own = Instance::of(system, atom);
        for &conjunct in &invariants.at[atom.relation] {
            let instance = own.apply(pool, conjunct);
            if seen.insert(instance) {
                found.push(Premise { relation: atom.relation, conjunct, instance });
            }
        }
    }
    found
}

/// A set of `premises` that contradict `others`; `None` if all of them do not.
fn core(
    pool: &TermPool,
    prover: &mut dyn Prover,
    premises: Vec<Premise>,
    needed: &SecondaryMap<Relation, Conjuncts>,
    (cores, limits): (Cores, &Limits),
    others: &[Term],
) -> Result<Option<Vec<Premise>>, Reason> {
    let mut all = premises;
    // The sort is stable: equally complex conjuncts stay in the order of the templates.
    all.sort_by_key(|premise| Reverse(complexity(pool, premise.conjunct)));
    let is_known = |premise: &Premise| needed[premise.relation].contains(&premise.conjunct);
    let known: Vec<Premise> = all.iter().copied().filter(is_known).collect();
    scoped(prover, |prover| {
        for &other in others {
            prover.assert(pool, other)?;
        }
        match contradictory(pool, prover, cores, &known) {
            // Few conjuncts can be harder than all of them.
            Ok(None) | Err(Reason::Timeout) => {}
            found => return found,
        }
        match cores {
            Cores::Minimal => contradictory(pool, prover, cores, &all),
            Cores::Any => {
                // Without an answer to this query, nothing else is of use.
                prover.set_limits(limits);
                let found = contradictory(pool, prover, cores, &all);
                prover.set_limits(&query_limits(limits));
                found
            }
        }
    })
}

fn contradictory(
    pool: &TermPool,
    prover: &mut dyn Prover,
    cores: Cores,
    premises: &[Premise],
) -> Result<Option<Vec<Premise>>, Reason> {
    let assumptions: Vec<Term> = premises.iter().map(|premise| premise.instance).collect();
    let core = match cores {
        Cores::Minimal => minimal_core(prover, pool, &assumptions)?,
        Cores::Any => any_core(prover, pool, &assumptions)?,
    };
    Ok(core.map(|core| core.into_iter().map(|index| premises[index]).collect()))
}

/// The indices of assumptions that contradict the assertions of `prover`.
fn any_core(
    prover: &mut dyn Prover,
    pool: &TermPool,
    assumptions: &[Term],
) -> Result<Option<Vec<usize>>, Reason> {
    match prover.check(pool, assumptions) {
        Outcome::Unsat(mut refutation) => {
            Ok(Some(refutation.unsat_core().unwrap_or_else(|_| (0..assumptions.len()).collect())))
        }
        Outcome::Sat(_) => Ok(None),
        Outcome::Unknown(reason) => Err(reason),
    }
}

/// Runs `work` in its own scope.
fn scoped<T>(
    prover: &mut dyn Prover,
    work: impl FnOnce(&mut dyn Prover) -> Result<T, Reason>,
) -> Result<T, Reason> {
    prover.push()?;
    let result = work(prover);
    prover.pop()?;
    result
}

/// The complexity of a formula; among equivalent choices the core prefers simple formulas.
fn complexity(pool: &TermPool, formula: Term) -> usize {
    let disjuncts = usize::from(pool.op(formula) == Op::Or);
    100 * disjuncts + 10 * pool.free_symbols(formula).len() + pool.dag_size(formula)
}
