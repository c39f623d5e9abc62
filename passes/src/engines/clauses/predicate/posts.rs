//! The abstract post of a clause.

use super::Predicate;
use backends::{Limits, Model, Outcome, Prover, ProverFactory, Reason, Status};
use horn::{Clause, Relation, System};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use terms::entity::PrimaryMap;
use terms::{Term, TermPool, Value};

/// Computes posts, and remembers them.
pub(super) struct Posts<'a> {
    system: &'a System,
    factory: &'a dyn ProverFactory,
    limits: &'a Limits,
    /// The prover of each clause: its guard is asserted.
    provers: PrimaryMap<Clause, Option<Box<dyn Prover>>>,
    known: FxHashMap<(Clause, Vec<Vec<usize>>), Known>,
    pub(super) queries: usize,
}

/// What is known of a clause over sets of predicates.
#[derive(Clone, Debug, Default)]
struct Known {
    /// Whether it has an instance.
    has_instance: Option<bool>,
    /// Whether predicates of the head's relation follow.
    follow: BTreeMap<usize, bool>,
}

impl<'a> Posts<'a> {
    pub(super) fn new(system: &'a System, factory: &'a dyn ProverFactory, limits: &'a Limits) -> Self {
        let provers = system.clauses.keys().map(|_| None).collect();
        Posts { system, factory, limits, provers, known: FxHashMap::default(), queries: 0 }
    }

    /// The predicates of the head's relation that follow from a clause whose body atoms satisfy
    /// `premises`; `None` if the clause has no such instance.
    pub(super) fn post(
        &mut self,
        pool: &mut TermPool,
        predicates: &PrimaryMap<Relation, Predicate>,
        clause: Clause,
        premises: Vec<Vec<usize>>,
    ) -> Result<Option<Vec<usize>>, Reason> {
        let data = &self.system.clauses[clause];
        let mut assumptions = Vec::new();
        for (index, (atom, premise)) in data.body.iter().zip(&premises).enumerate() {
            for &predicate in premise {
                let predicate = predicates[atom.relation][predicate];
                assumptions.push(data.at_body(pool, self.system, index, predicate));
            }
        }
        let heads: Vec<Term> = match data.to() {
            None => Vec::new(),
            Some(head) => predicates[head].iter().map(|&predicate| data.at_head(pool, predicate)).collect(),
        };
        let prover = match &mut self.provers[clause] {
            Some(prover) => prover,
            empty => {
                let mut prover = self.factory.new_prover("ALL", self.limits)?;
                prover.assert(pool, data.guard)?;
                empty.insert(prover)
            }
        };
        let known = self.known.entry((clause, premises)).or_default();
        loop {
            let open: Vec<usize> =
                (0..heads.len()).filter(|index| !known.follow.contains_key(index)).collect();
            if known.has_instance == Some(false) {
                return Ok(None);
            }
            if known.has_instance == Some(true) && open.is_empty() {
                let follow = known.follow.iter().filter(|(_, follows)| **follows);
                return Ok(Some(follow.map(|(&index, _)| index).collect()));
            }
            self.queries += 1;
            let mut question = assumptions.clone();
            if known.has_instance == Some(true) {
                let violations: Vec<Term> = open.iter().map(|&index| pool.not(heads[index])).collect();
                question.push(pool.or(&violations));
            }
            if open.is_empty() {
                known.has_instance = match prover.status(pool, &question) {
                    Status::Sat => Some(true),
                    Status::Unsat => Some(false),
                    Status::Unknown(reason) => return Err(reason),
                };
                continue;
            }
            match prover.check(pool, &question) {
                Outcome::Sat(mut model) => {
                    let is_first = known.has_instance.replace(true).is_none();
                    let refuted = refuted(pool, &mut *model, &heads, &open)?;
                    if refuted.is_empty() && !is_first {
                        return Err(Reason::Fault("a model that violates no predicate".to_owned()));
                    }
                    known.follow.extend(refuted.into_iter().map(|index| (index, false)));
                }
                Outcome::Unsat(_) if known.has_instance.is_none() => known.has_instance = Some(false),
                Outcome::Unsat(_) => known.follow.extend(open.into_iter().map(|index| (index, true))),
                Outcome::Unknown(reason) => return Err(reason),
            }
        }
    }
}

/// The predicates that are false in a model.
fn refuted(
    pool: &TermPool,
    model: &mut dyn Model,
    heads: &[Term],
    open: &[usize],
) -> Result<Vec<usize>, Reason> {
    let terms: Vec<Term> = open.iter().map(|&index| heads[index]).collect();
    let values = model.eval_all(pool, &terms)?;
    let refuted = open.iter().zip(values).filter(|(_, value)| *value == Value::Bool(false));
    Ok(refuted.map(|(&index, _)| index).collect())
}
