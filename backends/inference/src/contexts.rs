//! The provers of the clauses of a system.

use crate::Known;
use crate::instance::Instance;
use backends::{Limits, Prover, ProverFactory, Reason};
use horn::{Clause, System};
use rustc_hash::FxHashMap;
use std::ops::{Deref, DerefMut};
use terms::TermPool;

/// The fraction of the remaining effort that a query may take.
const LONGEST_QUERY: u32 = 8;
/// Limits that leave effort for other queries after one that takes long.
pub(crate) fn query_limits(limits: &Limits) -> Limits {
    limits.left().map_or_else(|| limits.clone(), |left| limits.per_check(left / LONGEST_QUERY))
}

/// The largest number of provers; a system with more clauses is rejected.
const MAX_PROVERS: usize = 300;

/// Where the queries about each clause are decided.
pub struct Contexts<'c> {
    source: Source<'c>,
    own: FxHashMap<Clause, Own>,
    count: usize,
}

enum Source<'c> {
    /// A prover for each clause: its guard is asserted once. Rows about the head contain the values
    /// of the changed arguments, so the definitions are not needed.
    Factory { factory: &'c dyn ProverFactory, logic: &'c str },
    /// One prover, in which the guard of a clause is asserted in a scope. `None` while it is
    /// open.
    Shared(Option<&'c mut dyn Prover>),
}

struct Own {
    prover: Box<dyn Prover>,
    /// The number of known facts that are asserted, for each atom of the body.
    asserted: Vec<usize>,
}

/// A prover with the guard of a clause and the known facts about its body.
pub(crate) enum Open<'c> {
    Own(Box<dyn Prover>, Vec<usize>),
    Shared(&'c mut dyn Prover),
}

impl<'c> Deref for Open<'c> {
    type Target = dyn Prover + 'c;

    fn deref(&self) -> &Self::Target {
        match self {
            Open::Own(prover, _) => &**prover,
            Open::Shared(prover) => &**prover,
        }
    }
}

impl<'c> DerefMut for Open<'c> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Open::Own(prover, _) => &mut **prover,
            Open::Shared(prover) => &mut **prover,
        }
    }
}

impl<'c> Contexts<'c> {
    /// Makes a prover of `factory` for each clause, for formulas of `logic`.
    #[must_use]
    pub fn new(factory: &'c dyn ProverFactory, logic: &'c str) -> Self {
        Contexts { source: Source::Factory { factory, logic }, own: FxHashMap::default(), count: 0 }
    }

    /// Uses one prover for all clauses. Its assertions are the same afterwards.
    #[must_use]
    pub fn shared(prover: &'c mut dyn Prover) -> Self {
        Contexts { source: Source::Shared(Some(prover)), own: FxHashMap::default(), count: 0 }
    }

    /// The same source for another system, until it is [taken back](Self::take_back).
    pub(crate) fn lend(&mut self) -> Self {
        let source = match &mut self.source {
            Source::Factory { factory, logic } => Source::Factory { factory: *factory, logic },
            Source::Shared(prover) => Source::Shared(prover.take()),
        };
        Contexts { source, own: FxHashMap::default(), count: 0 }
    }

    /// Ends the use for another system.
    pub(crate) fn take_back(&mut self, lent: Self) {
        if let Source::Shared(Some(prover)) = lent.source {
            self.source = Source::Shared(Some(prover));
        }
    }

    /// Opens the prover of a clause, see [`close`](Self::close).
    pub(crate) fn open(
        &mut self,
        pool: &mut TermPool,
        system: &System,
        known: &Known,
        clause: Clause,
        limits: &Limits,
    ) -> Result<Open<'c>, Reason> {
        let data = &system.clauses[clause];
        let query_limits = query_limits(limits);
        match &mut self.source {
            Source::Factory { factory, logic } => {
                let Own { mut prover, mut asserted } = match self.own.remove(&clause) {
                    Some(own) => own,
                    None => {
                        if self.count >= MAX_PROVERS {
                            return Err(Reason::Unsupported("systems with so many clauses".to_owned()));
                        }
                        self.count += 1;
                        let mut prover = factory.new_prover(logic, limits)?;
                        prover.assert(pool, data.guard)?;
                        Own { prover, asserted: vec![0; data.body.len()] }
                    }
                };
                prover.set_limits(&query_limits);
                for (atom, asserted) in data.body.iter().zip(&mut asserted) {
                    let facts = &known[atom.relation];
                    let mut instance = Instance::of(system, atom);
                    for &fact in facts.iter().skip(*asserted) {
                        let fact = instance.apply(pool, fact);
                        prover.assert(pool, fact)?;
                    }
                    *asserted = facts.len();
                }
                Ok(Open::Own(prover, asserted))
            }
            Source::Shared(shared) => {
                let Some(prover) = shared.take() else {
                    return Err(Reason::Misuse("the prover is in use".to_owned()));
                };
                let opened = (|| {
                    prover.set_limits(&query_limits);
                    prover.push()?;
                    prover.assert(pool, data.guard)?;
                    for atom in &data.body {
                        let mut instance = Instance::of(system, atom);
                        for &fact in &known[atom.relation] {
                            let fact = instance.apply(pool, fact);
                            prover.assert(pool, fact)?;
                        }
                    }
                    Ok(())
                })();
                match opened {
                    Ok(()) => Ok(Open::Shared(prover)),
                    Err(reason) => {
                        *shared = Some(prover);
                        Err(reason)
                    }
                }
            }
        }
    }

    /// Closes the prover of a clause, without the assertions since it was opened.
    pub(crate) fn close(&mut self, clause: Clause, open: Open<'c>) -> Result<(), Reason> {
        match open {
            Open::Own(prover, asserted) => {
                self.own.insert(clause, Own { prover, asserted });
                Ok(())
            }
            Open::Shared(prover) => {
                let popped = prover.pop();
                self.source = Source::Shared(Some(prover));
                popped
            }
        }
    }

    /// Sets the limits of a shared prover.
    pub(crate) fn restore(&mut self, limits: &Limits) {
        if let Source::Shared(Some(prover)) = &mut self.source {
            prover.set_limits(limits);
        }
    }
}
