//! Facts of other runs as candidates of auxiliary invariants, and the own facts for the others.
//!
//! See [`exchange`](crate::exchange). What arrives is proved inductive in the transition system of
//! this run before it is a fact ([`CandidateFacts`]). Of a formula that holds on some paths only,
//! the negation is a candidate as well.
//!
//! *Effort.* The checks get at most a quarter of the effort of the run.

use crate::exchange::{Fate, Link, Received, Sender, Status};
use crate::invariants::{CandidateFacts, Fact};
use crate::names::NamedSystem;
use crate::transitions::TransitionSystem;
use backends::effort::Moment;
use backends::{Limits, ProverFactory};
use rustc_hash::FxHashSet;
use std::time::Duration;
use terms::TermPool;

/// The effort that the checks get at least.
const HEAD_START: Duration = Duration::from_millis(250);
/// The least effort of a check.
const SHORTEST: Duration = Duration::from_millis(10);
/// The part of the effort that the checks get.
const SHARE: u32 = 4;
/// The largest number of facts that are sent at a time, and of those that wait for a proof.
const MOST: usize = 500;

/// The exchange of a run over a transition system.
pub(super) struct Sharing<'a> {
    link: Link,
    names: NamedSystem,
    candidates: CandidateFacts<'a>,
    /// The candidates that are not proved, with their senders.
    senders: Vec<(Sender, Fact)>,
    /// The facts of others, and those that were sent.
    common: FxHashSet<Fact>,
    /// The number of own facts that were considered for sending.
    considered: usize,
    start: Moment,
    spent: Duration,
}

impl<'a> Sharing<'a> {
    pub(super) fn new(link: Link, names: NamedSystem, factory: &'a dyn ProverFactory) -> Self {
        Sharing {
            link,
            names,
            candidates: CandidateFacts::new(factory),
            senders: Vec::new(),
            common: FxHashSet::default(),
            considered: 0,
            start: Moment::now(),
            spent: Duration::ZERO,
        }
    }

    /// Sends what is new in `facts`, which are inductive.
    pub(super) fn send(&mut self, pool: &mut TermPool, facts: &[Fact]) {
        let new = facts.get(self.considered..).unwrap_or_default().to_vec();
        self.considered = facts.len();
        self.publish(pool, Status::Inductive, new);
    }

    /// Sends formulas that may be inductive.
    pub(super) fn suggest(&mut self, pool: &mut TermPool, candidates: Vec<Fact>) {
        self.publish(pool, Status::Candidate, candidates);
    }

    fn publish(&mut self, pool: &mut TermPool, status: Status, mut facts: Vec<Fact>) {
        facts.retain(|&fact| self.common.insert(fact));
        let facts = facts.into_iter().take(MOST);
        let reader = self.link.reader();
        let named: Vec<_> = facts.filter_map(|fact| self.names.print(pool, fact, reader)).collect();
        if !named.is_empty() {
            self.link.send(status, named);
        }
    }

    /// The facts that the formulas of others add to `known`, which extends the facts of the
    /// previous call. The result is inductive together with `known`.
    pub(super) fn receive(
        &mut self,
        pool: &mut TermPool,
        system: &TransitionSystem,
        known: &[Fact],
        limits: &Limits,
    ) -> Vec<Fact> {
        for received in self.link.receive() {
            self.propose(pool, &received);
        }
        let allowed = HEAD_START.max(self.start.elapsed() / SHARE).saturating_sub(self.spent);
        if !self.candidates.is_due(known) || allowed < SHORTEST {
            return Vec::new();
        }
        let start = Moment::now();
        let proved = self.candidates.prove(pool, system, known, &limits.within(allowed));
        self.spent += start.elapsed();
        self.common.extend(&proved);
        let link = &self.link;
        self.senders.retain(|(sender, candidate)| {
            let conjuncts = pool.conjuncts(&[candidate.formula]);
            let is_proved =
                conjuncts.into_iter().any(|formula| proved.contains(&Fact { at: candidate.at, formula }));
            if is_proved {
                link.note(*sender, Fate::Proved);
            }
            !is_proved
        });
        proved
    }

    fn propose(&mut self, pool: &mut TermPool, received: &Received) {
        let mut facts = self.names.read(pool, &received.fact, self.link.reader());
        facts.retain(|fact| pool.as_bool(fact.formula).is_none());
        if facts.is_empty() {
            self.link.note(received.from, Fate::Skipped);
            return;
        }
        if received.status == Status::PathLocal {
            let negations: Vec<Fact> =
                facts.iter().map(|fact| Fact { at: fact.at, formula: pool.not(fact.formula) }).collect();
            facts.extend(negations);
        }
        facts.retain(|&fact| self.common.insert(fact));
        if self.senders.len() < MOST {
            self.senders.extend(facts.iter().map(|&fact| (received.from, fact)));
            self.candidates.propose(facts);
        }
    }
}
