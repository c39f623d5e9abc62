//! The largest inductive part of a set of candidates.
//!
//! Houdini (Flanagan and Leino, *Houdini, an Annotation Assistant for ESC/Java*, FME 2001), over the transitions of a
//! [transition system](crate::transitions): as long as some transition leads from a state that satisfies all candidates at its start to one
//! that does not satisfy all at its end, the candidates that are false in that model are dropped. What is left is the
//! largest subset that is inductive relative to what is known; it is unique, so the order of queries does not matter. The transitions from the start
//! of the program have no candidates at their start, so what is left also holds initially.
//!
//! Candidates come from [templates and simulated runs](super::candidates). A query that takes too long costs the candidates at the end of the
//! transition that are not shown one by one.
//!
//! Cost: one prover for each case of a transition; each query but the last of each transition drops a candidate.

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

/// A query may always take so much.
const SHORTEST: Duration = Duration::from_millis(20);
/// A system whose transitions have more cases is not looked at.
const MOST_PROVERS: usize = 300;

/// Candidates and what is inductive of them, with more effort each time.
pub struct Houdini<'f> {
    factory: &'f dyn ProverFactory,
    prepared: Option<Prepared>,
    /// What is left to do, the next one last.
    efforts: Vec<Effort>,
}

impl<'f> Houdini<'f> {
    /// With provers of `factory`.
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
            // What the provers were told meanwhile may not hold.
            self.prepared = None;
        }
        // For want of time only, the same is tried again.
        if found.is_some() || limits.exceeded().is_none() {
            self.efforts.pop();
        }
        let rest = if self.efforts.is_empty() { Rest::Exhausted } else { Rest::More };
        Found { facts: found.unwrap_or_default(), rest }
    }
}

/// A prover for each [case](super::cases) of a transition between loop heads or from the start, which knows when it is taken and the known
/// facts at its start.
pub(super) struct Prepared {
    provers: Vec<(Case, Box<dyn Prover>)>,
    /// How many of the known facts the provers have.
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

/// The largest subset of `candidates` that is inductive relative to `known`; `None` if it was not found in time. Of `known`, earlier
/// calls had a prefix.
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

/// Whether all of `facts` are inductive relative to `known`, as far as that is shown in time.
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

/// Which goals a transition implies.
struct Query<'q> {
    prover: &'q mut dyn Prover,
    premises: &'q [Term],
    limits: &'q Limits,
    /// What was left at the start.
    whole: Option<Duration>,
}

impl Query<'_> {
    /// The candidates that are not refuted at the end, as far as shown with all of them assumed at the start. The goals are
    /// pairs of a candidate and what it says of the end.
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
            // A model that refutes nothing is a fault of the solver.
            if goals.len() == before {
                return None;
            }
        }
        Some(goals.into_iter().map(|(candidate, _)| candidate).collect())
    }

    /// The goals that are shown when they are asked for alone.
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

    /// The next query may take a share of the time that is left, at least of that which there was at the start.
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
