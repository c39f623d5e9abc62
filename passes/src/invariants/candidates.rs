//! Candidates of invariants from elsewhere, as far as they are inductive.
//!
//! A candidate is a formula about a loop head that may hold there. Candidates become facts if they
//! are inductive together with the known facts. They are checked [together](Inference::inductive),
//! so that candidates that depend on each other succeed. Those that fail stay candidates: they are
//! checked again with others, or when more facts are known.
//!
//! Cost: one more inference over the system, from the first candidate on.

use super::{Fact, facts_of, formulas_of};
use crate::transitions::TransitionSystem;
use backends::{Limits, ProverFactory};
use inference::{Contexts, Inference, Suggestions};
use terms::TermPool;

/// The largest number of candidates that fail and are kept.
const MOST: usize = 200;

/// The candidates and their check.
pub(crate) struct CandidateFacts<'f> {
    factory: &'f dyn ProverFactory,
    inference: Option<Inference<'f>>,
    /// The number of known facts that the inference has.
    learned: usize,
    open: Vec<Fact>,
    /// Whether a check may succeed.
    is_due: bool,
}

impl<'f> CandidateFacts<'f> {
    /// No candidates. `factory` decides the queries.
    pub(crate) fn new(factory: &'f dyn ProverFactory) -> Self {
        CandidateFacts { factory, inference: None, learned: 0, open: Vec::new(), is_due: false }
    }

    /// Adds candidates.
    pub(crate) fn propose(&mut self, candidates: impl IntoIterator<Item = Fact>) {
        for candidate in candidates {
            if !self.open.contains(&candidate) {
                self.open.push(candidate);
                self.is_due = true;
            }
        }
        let excess = self.open.len().saturating_sub(MOST);
        self.open.drain(..excess);
    }

    /// Whether a check may succeed, if `known` are the known facts: there are candidates that were
    /// not checked together with them.
    pub(crate) fn is_due(&self, known: &[Fact]) -> bool {
        self.is_due || (!self.open.is_empty() && known.len() > self.learned)
    }

    /// The facts that candidates add to `known`, which is inductive and extends the facts of the
    /// previous call: the result is inductive together with `known`. A check that exceeds the
    /// limits continues with the next call.
    pub(crate) fn prove(
        &mut self,
        pool: &mut TermPool,
        system: &TransitionSystem,
        known: &[Fact],
        limits: &Limits,
    ) -> Vec<Fact> {
        let factory = self.factory;
        let inference = self.inference.get_or_insert_with(|| {
            let contexts = Contexts::new(factory, system.theories.logic());
            Inference::new(pool, &system.system, &Suggestions::default(), contexts)
        });
        let found = match inference.is_interrupted() {
            true => inference.resume(pool, limits),
            false => {
                for fact in &known[self.learned..] {
                    inference.learn(fact.at, fact.formula);
                }
                self.learned = known.len();
                self.is_due = false;
                inference.inductive_of("received", pool, formulas_of(&self.open), limits)
            }
        };
        self.is_due |= inference.is_interrupted();
        let Ok(found) = found else { return Vec::new() };
        let inference_knows = inference.known();
        self.open.retain(|candidate| {
            let conjuncts = pool.conjuncts(&[candidate.formula]);
            !conjuncts.iter().all(|conjunct| inference_knows.at[candidate.at].contains(conjunct))
        });
        facts_of(&found)
    }
}
