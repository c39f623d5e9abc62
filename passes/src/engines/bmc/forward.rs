//! The forward condition and pruning of the frontier.

use super::{Search, StepKind, StepStatistics};
use crate::evidence::{Basis, BoundedProof, Certificate, Obligation, ObligationKind, UnknownReason, Verdict};
use backends::{Outcome, Reason};
use std::time::{Duration, Instant};
use terms::{Term, Value};
use views::unroll::{Bound, Bounds, FrontierItem};

/// The largest number of pruning queries in one step.
const PRUNING_QUERIES: u32 = 12;

/// The answer to a query.
enum Answer {
    Unsat,
    /// For each queried term, whether it is true in the model.
    Sat(Vec<bool>),
    Unknown(Reason),
}

impl Search<'_> {
    /// Checks whether all executions stay within the unrolling.
    pub(super) fn forward_condition(
        &mut self,
        bound: u32,
        frontier: &[FrontierItem],
        kind: StepKind,
        statistics: &mut StepStatistics,
    ) -> Result<Option<Verdict>, UnknownReason> {
        let mut guards = Vec::with_capacity(frontier.len());
        for item in frontier {
            guards.push(self.encode(item.guard)?);
        }
        let unsupported: Vec<Term> = self.unsupported.iter().map(|(_, guard)| *guard).collect();
        let is_hopeless = self.unconfirmed.is_some() || self.reached_unsupported.is_some();
        let leaves = if is_hopeless {
            self.pool.or(&guards)
        } else {
            let all: Vec<Term> = guards.iter().chain(&unsupported).copied().collect();
            self.pool.or(&all)
        };
        let asked: Vec<Term> = guards.iter().chain(&unsupported).copied().collect();
        let limit = match kind {
            StepKind::Inner => Some(self.patience()),
            StepKind::Last => None,
        };
        let mut reached = match self.ask(leaves, &asked, limit) {
            Answer::Unsat if is_hopeless => return self.end(bound),
            Answer::Unsat => {
                let kind = ObligationKind::BoundExceeded;
                self.obligations.push(Obligation { kind, bound, instances: asked.len(), formula: leaves });
                let basis = Basis { theories: self.basis, pipeline: self.programs.pipeline.clone() };
                // All executions stay within the visits so far. The bounds of the deepening do not
                // suffice: which iterations constants decide depends on the merged states.
                let visits = self.unroller.visits().into_iter();
                let at = visits.map(|(place, visits)| (place, Bound::Exact(visits))).collect();
                let unrolled = (Bounds { at, ..Bounds::exactly(1) }, self.loops());
                let proof = BoundedProof::new(unrolled, std::mem::take(&mut self.obligations), basis)
                    .expect("each step rules out errors before its forward condition is shown");
                return Ok(Some(Verdict::Safe(Certificate::Bounded(proof))));
            }
            Answer::Sat(reached) => reached,
            Answer::Unknown(reason) if kind == StepKind::Last || self.limits.exceeded().is_some() => {
                return Err(self.failed(&reason));
            }
            // The condition at the next bound may be easier; errors can be found without it.
            Answer::Unknown(_) => return Ok(None),
        };
        let reached_unsupported = reached.split_off(guards.len());
        if self.reached_unsupported.is_none()
            && let Some(index) = reached_unsupported.iter().position(|&is_reached| is_reached)
        {
            self.reached_unsupported = Some(self.site(index));
            let instances = self.unsupported.iter().zip(&reached_unsupported);
            self.is_proof_hopeless = instances
                .filter(|&(_, &is_reached)| is_reached)
                .any(|((instance, _), _)| instance.cause.holds_in_each_view());
            if guards.is_empty() {
                return self.end(bound);
            }
        }
        if kind == StepKind::Inner {
            statistics.pruned += self.prune(frontier, &guards, reached);
        }
        Ok(None)
    }

    /// Drops unreachable frontier items and returns their number. `reached` marks the items that
    /// are known to be reachable.
    fn prune(&mut self, frontier: &[FrontierItem], guards: &[Term], mut reached: Vec<bool>) -> usize {
        let tru = self.pool.tru();
        for (is_reached, &guard) in reached.iter_mut().zip(guards) {
            *is_reached |= guard == tru;
        }
        for _ in 0..PRUNING_QUERIES {
            let open: Vec<usize> = (0..guards.len()).filter(|&index| !reached[index]).collect();
            if open.is_empty() {
                return 0;
            }
            let open_guards: Vec<Term> = open.iter().map(|&index| guards[index]).collect();
            let some = self.pool.or(&open_guards);
            let limit = Some(self.patience());
            match self.ask(some, &open_guards, limit) {
                Answer::Unsat => {
                    for &index in &open {
                        self.unroller.prune(frontier[index].id);
                    }
                    return open.len();
                }
                Answer::Sat(now) => {
                    for (&index, is_reached) in open.iter().zip(now) {
                        reached[index] |= is_reached;
                    }
                }
                Answer::Unknown(_) => return 0,
            }
        }
        0
    }

    /// The time limit of an optional query: a quarter of the solver time so far.
    fn patience(&self) -> Duration {
        (self.statistics.solving / 4).max(Duration::from_millis(200))
    }

    /// Checks `formula` and evaluates `terms` in the model if it is satisfiable.
    fn ask(&mut self, formula: Term, terms: &[Term], limit: Option<Duration>) -> Answer {
        match self.pool.as_bool(formula) {
            Some(false) => return Answer::Unsat,
            Some(true) => {
                let tru = self.pool.tru();
                return Answer::Sat(terms.iter().map(|&term| term == tru).collect());
            }
            None => {}
        }
        self.statistics.queries += 1;
        let start = Instant::now();
        if let Some(limit) = limit {
            self.prover.set_limits(&self.limits.per_check(limit));
        }
        let answer = match self.prover.check(self.pool, &[formula]) {
            Outcome::Unsat(_) => Answer::Unsat,
            Outcome::Unknown(reason) => Answer::Unknown(reason),
            Outcome::Sat(mut model) => match model.eval_all(self.pool, terms) {
                Ok(values) => Answer::Sat(values.iter().map(|value| *value == Value::Bool(true)).collect()),
                Err(reason) => Answer::Unknown(reason),
            },
        };
        if limit.is_some() {
            self.prover.set_limits(&self.limits);
        }
        let time = start.elapsed();
        self.statistics.solving += time;
        self.statistics.forward_condition += time;
        answer
    }
}
