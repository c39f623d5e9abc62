//! The largest inductive subset of a set of candidates.
//!
//! Houdini (Flanagan, Leino, *Houdini, an Annotation Assistant for ESC/Java*, FME 2001), over the
//! transitions of a [transition system](crate::transitions): as long as some transition leads from
//! a state that satisfies all candidates at its start to a state that violates a candidate at its
//! end, the candidates that are false in that model are dropped. The result is the largest subset
//! that is inductive relative to the known facts. It is unique, so the order of queries does not
//! matter. Entries have no candidates at their start, so the result also holds initially.
//!
//! Candidates come from [templates and simulated runs](super::candidates). If a query times out,
//! the candidates at the end of the transition are checked one by one, and those that are not
//! proved are dropped.
//!
//! Cost: one prover for each case of a transition; each query but the last of each transition drops
//! a candidate.

use super::candidates::{Effort, candidates};
use super::cases::{Case, cases};
use super::{Fact, Found, InvariantSource, Rest};
use crate::transitions::TransitionSystem;
use backends::{Limits, Outcome, Prover, ProverFactory, Reason, Status};
use horn::{Clause, Relation};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::time::Duration;
use terms::{Term, TermPool, Value};

/// The smallest time limit of a query.
const SHORTEST: Duration = Duration::from_millis(20);
/// The largest number of cases of a system; a larger system is skipped.
const MOST_PROVERS: usize = 300;

/// Finds the inductive subset of candidates, with increasing numbers of candidates in later calls.
pub struct Houdini<'f> {
    factory: &'f dyn ProverFactory,
    prepared: Option<Prepared>,
    /// The remaining efforts, the next one last.
    efforts: Vec<Effort>,
}

impl<'f> Houdini<'f> {
    /// A source with provers of `factory`.
    #[must_use]
    pub fn new(factory: &'f dyn ProverFactory) -> Self {
        Houdini { factory, prepared: None, efforts: vec![Effort::Large, Effort::Small, Effort::Equalities] }
    }
}

impl InvariantSource for Houdini<'_> {
    fn name(&self) -> &'static str {
        "houdini"
    }

    fn find(
        &mut self,
        pool: &mut TermPool,
        system: &mut TransitionSystem,
        known: &[Fact],
        limits: &Limits,
    ) -> Found {
        let nothing = Found { facts: Vec::new(), rest: Rest::Exhausted };
        let Some(&effort) = self.efforts.last() else { return nothing };
        if self.prepared.is_none() {
            self.prepared = Prepared::new(pool, system, self.factory, limits);
        }
        let Some(prepared) = &mut self.prepared else { return nothing };
        let candidates = candidates(pool, system, known, effort);
        let found = inductive(pool, system, prepared, known, candidates, limits);
        if found.is_none() {
            // The provers may contain facts that were not proved.
            self.prepared = None;
        }
        // After a timeout the same effort is tried again.
        if found.is_some() || limits.exceeded().is_none() {
            self.efforts.pop();
        }
        let rest = if self.efforts.is_empty() { Rest::Exhausted } else { Rest::More };
        Found { facts: found.unwrap_or_default(), rest }
    }
}

/// A prover for each [case](super::cases) of a transition between loop heads or from the entry,
/// with the guard of the case and the known facts at its start.
pub(super) struct Prepared {
    provers: Vec<(Case, Box<dyn Prover>)>,
    /// The number of known facts asserted in the provers.
    known: usize,
}

impl Prepared {
    /// `None` if there are too many transitions or a solver fails.
    pub(super) fn new(
        pool: &mut TermPool,
        system: &TransitionSystem,
        factory: &dyn ProverFactory,
        limits: &Limits,
    ) -> Option<Self> {
        let theories = system.theories;
        let steps: Vec<Clause> = system.system.rules().map(|(clause, _)| clause).collect();
        let mut provers = Vec::new();
        for clause in steps {
            for case in cases(pool, &system.system, clause) {
                let mut prover = factory.new_prover(theories.logic(), limits).ok()?;
                for &conjunct in &case.conjuncts {
                    prover.assert(pool, conjunct).ok()?;
                }
                provers.push((case, prover));
            }
            if provers.len() > MOST_PROVERS {
                return None;
            }
        }
        Some(Prepared { provers, known: 0 })
    }

    fn learn(&mut self, pool: &TermPool, system: &TransitionSystem, known: &[Fact]) -> Option<()> {
        for fact in &known[self.known..] {
            for (case, prover) in &mut self.provers {
                if system.system.clauses[case.clause].from() == Some(fact.at) {
                    prover.assert(pool, fact.formula).ok()?;
                }
            }
        }
        self.known = known.len();
        Some(())
    }
}

/// Returns the largest subset of `candidates` that is inductive relative to `known`; `None` if the
/// time does not suffice. The `known` of earlier calls must be a prefix of `known`.
pub(super) fn inductive(
    pool: &mut TermPool,
    system: &TransitionSystem,
    prepared: &mut Prepared,
    known: &[Fact],
    candidates: Vec<Fact>,
    limits: &Limits,
) -> Option<Vec<Fact>> {
    prepared.learn(pool, system, known)?;
    let whole = limits.left();
    let mut by_head: FxHashMap<Relation, Vec<Term>> = FxHashMap::default();
    for fact in candidates {
        by_head.entry(fact.at).or_default().push(fact.formula);
    }
    let mut open: BTreeSet<usize> = (0..prepared.provers.len()).collect();
    while let Some(index) = open.pop_first() {
        let (case, prover) = &mut prepared.provers[index];
        let data = &system.system.clauses[case.clause];
        let Some(to) = data.to() else { continue };
        let goals: Vec<(Term, Term)> = by_head
            .get(&to)
            .into_iter()
            .flatten()
            .map(|&candidate| (candidate, case.at_end(pool, candidate)))
            .collect();
        if goals.is_empty() {
            continue;
        }
        let premises = data.from().and_then(|from| by_head.get(&from)).cloned().unwrap_or_default();
        let mut query = Query { prover: &mut **prover, premises: &premises, limits, whole };
        let kept = query.implied(pool, goals)?;
        let list = by_head.entry(to).or_default();
        if kept.len() < list.len() {
            *list = kept;
            let weaker = prepared.provers.iter().enumerate();
            let from_here =
                weaker.filter(|(_, (other, _))| system.system.clauses[other.clause].from() == Some(to));
            open.extend(from_here.map(|(index, _)| index));
            open.insert(index);
        }
    }
    let mut facts = Vec::new();
    for head in system.states.keys() {
        let formulas = by_head.remove(&head).unwrap_or_default();
        facts.extend(formulas.into_iter().map(|formula| Fact { at: head, formula }));
    }
    Some(facts)
}

/// Whether all of `facts` are proved inductive relative to `known` in time.
pub(crate) fn is_inductive(
    pool: &mut TermPool,
    system: &TransitionSystem,
    factory: &dyn ProverFactory,
    known: &[Fact],
    facts: &[Fact],
    limits: &Limits,
) -> bool {
    let Some(mut prepared) = Prepared::new(pool, system, factory, limits) else { return false };
    let kept = inductive(pool, system, &mut prepared, known, facts.to_vec(), limits);
    kept.is_some_and(|kept| facts.iter().all(|fact| kept.contains(fact)))
}

/// Determines the goals that a transition implies.
struct Query<'q> {
    prover: &'q mut dyn Prover,
    premises: &'q [Term],
    limits: &'q Limits,
    /// The remaining time at the start.
    whole: Option<Duration>,
}

impl Query<'_> {
    /// The candidates that are proved at the end of the transition, assuming all of them at its
    /// start. The goals are pairs of a candidate and its formula at the end.
    fn implied(&mut self, pool: &mut TermPool, goals: Vec<(Term, Term)>) -> Option<Vec<Term>> {
        self.prover.push().ok()?;
        for &premise in self.premises {
            self.prover.assert(pool, premise).ok()?;
        }
        let kept = self.shrink(pool, goals);
        self.prover.pop().ok()?;
        kept
    }

    fn shrink(&mut self, pool: &mut TermPool, mut goals: Vec<(Term, Term)>) -> Option<Vec<Term>> {
        while !goals.is_empty() {
            let ends: Vec<Term> = goals.iter().map(|&(_, end)| end).collect();
            let all = pool.and(&ends);
            let negated = pool.not(all);
            self.set_time(4)?;
            let holds = match self.prover.check(pool, &[negated]) {
                Outcome::Unsat(_) => break,
                Outcome::Sat(mut model) => model.eval_all(pool, &ends).ok(),
                Outcome::Unknown(Reason::Interrupted) => return None,
                Outcome::Unknown(_) => None,
            };
            let before = goals.len();
            match holds {
                Some(values) => {
                    let mut holds = values.into_iter().map(|value| value == Value::Bool(true));
                    goals.retain(|_| holds.next().unwrap_or(false));
                }
                None => return self.one_by_one(pool, goals),
            }
            // A model that refutes no goal is a fault of the solver.
            if goals.len() == before {
                return None;
            }
        }
        Some(goals.into_iter().map(|(candidate, _)| candidate).collect())
    }

    /// The goals that are proved individually.
    fn one_by_one(&mut self, pool: &mut TermPool, goals: Vec<(Term, Term)>) -> Option<Vec<Term>> {
        let mut kept = Vec::new();
        for (candidate, end) in goals {
            let negated = pool.not(end);
            self.set_time(16)?;
            if self.prover.status(pool, &[negated]) == Status::Unsat {
                kept.push(candidate);
            }
        }
        Some(kept)
    }

    /// Limits the next query to a fraction of the time that was available at the start.
    fn set_time(&mut self, share: u32) -> Option<()> {
        if self.limits.exceeded().is_some() {
            return None;
        }
        match self.whole {
            Some(whole) => self.prover.set_limits(&self.limits.per_check((whole / share).max(SHORTEST))),
            None => self.prover.set_limits(self.limits),
        }
        Some(())
    }
}
