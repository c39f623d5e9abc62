//! The abstract post of a clause.

use super::Predicate;
use backends::{Limits, Model, Outcome, Prover, ProverFactory, Reason};
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

/// The known posts of a clause over sets of predicates.
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

    /// The predicates of the head's relation that are known to follow from a clause whose body
    /// atoms satisfy `premises`; `None` if the clause has no such instance.
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
        // The number of predicates in one query: one after a query without an answer.
        let mut most = heads.len();
        loop {
            let open = (0..heads.len()).filter(|index| !known.follow.contains_key(index));
            let open: Vec<usize> = open.take(most).collect();
            match known.has_instance {
                Some(false) => return Ok(None),
                Some(true) if open.is_empty() => {
                    let follow = known.follow.iter().filter(|(_, follows)| **follows);
                    return Ok(Some(follow.map(|(&index, _)| index).collect()));
                }
                _ => {}
            }
            self.queries += 1;
            let mut question = assumptions.clone();
            if known.has_instance.is_some() {
                let violations: Vec<Term> = open.iter().map(|&index| pool.not(heads[index])).collect();
                question.push(pool.or(&violations));
            }
            match (prover.check(pool, &question), known.has_instance) {
                (Outcome::Sat(mut model), before) => {
                    known.has_instance = Some(true);
                    let refuted = refuted(pool, &mut *model, &heads, &open)?;
                    if refuted.is_empty() && before.is_some() {
                        return Err(Reason::Fault("a model that violates no predicate".to_owned()));
                    }
                    known.follow.extend(refuted.into_iter().map(|index| (index, false)));
                }
                (Outcome::Unsat(_), None) => known.has_instance = Some(false),
                (Outcome::Unsat(_), Some(_)) => {
                    known.follow.extend(open.into_iter().map(|index| (index, true)));
                }
                (Outcome::Unknown(reason), _) if self.limits.exceeded().is_some() => return Err(reason),
                // A larger post: perhaps there is no instance, or a predicate follows.
                (Outcome::Unknown(_), None) => known.has_instance = Some(true),
                (Outcome::Unknown(_), Some(_)) if open.len() > 1 => most = 1,
                (Outcome::Unknown(_), Some(_)) => {
                    known.follow.extend(open.into_iter().map(|index| (index, false)));
                }
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
