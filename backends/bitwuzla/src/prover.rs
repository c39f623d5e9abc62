//! The prover: a log of assertions, and a solver that follows it.

use crate::ffi::{Answer, Engine, Node, Session};
use crate::model::BitwuzlaModel;
use crate::translate::Translator;
use backends::support::watchdog;
use backends::{Limits, Outcome, Prover, Reason, Refutation};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use terms::{Term, TermPool};

/// The options of a solver that decides formulas.
const OPTIONS: &[(&str, &str)] = &[("produce-models", "true"), ("produce-unsat-assumptions", "true")];

/// A prover; see the crate documentation.
pub(crate) struct BitwuzlaProver {
    /// Dropped before the terms of its session.
    live: Option<Live>,
    translator: Translator,
    session: Rc<Session>,
    limits: Limits,
    /// The log of assertions, by scope. The base scope always exists.
    scopes: Vec<Vec<Node>>,
}

/// A solver with the part of the log that it has received. It may lag behind.
struct Live {
    engine: Engine,
    /// For each open scope, the number of formulas passed to the solver.
    synced: Vec<usize>,
}

impl BitwuzlaProver {
    pub(crate) fn new(limits: &Limits) -> Result<Self, Reason> {
        let session = Rc::new(Session::new()?);
        Ok(BitwuzlaProver {
            live: None,
            translator: Translator::new(&session)?,
            session,
            limits: limits.clone(),
            scopes: vec![Vec::new()],
        })
    }

    /// Passes the rest of the log to the solver and checks. After an error the solver is unusable.
    fn solve(&mut self, assumptions: &[Node]) -> Result<Answer, Reason> {
        let live = match &mut self.live {
            Some(live) => live,
            none => none.insert(Live { engine: Engine::new(&self.session, OPTIONS)?, synced: vec![0] }),
        };
        for (depth, scope) in self.scopes.iter().enumerate() {
            if depth == live.synced.len() {
                live.engine.push()?;
                live.synced.push(0);
            }
            let synced = &mut live.synced[depth];
            for &formula in &scope[*synced..] {
                live.engine.assert(formula)?;
            }
            *synced = scope.len();
        }
        within(&live.engine, &self.limits, assumptions)
    }

    /// Checks, and drops the solver unless it can be trusted with another check.
    fn check_nodes(&mut self, assumptions: &[Node]) -> Result<Answer, Reason> {
        let answer = self.solve(assumptions);
        if answer.is_err() {
            self.live = None;
        }
        answer
    }
}

/// Checks within limits. Not [`Answer::Unknown`], but the reason.
///
/// # Errors The limit that ended the check; otherwise [`Reason::Unsupported`], because Bitwuzla
/// gives up only where it lacks a procedure, or [`Reason::Incomplete`].
pub(crate) fn within(engine: &Engine, limits: &Limits, assumptions: &[Node]) -> Result<Answer, Reason> {
    let flag = engine.flag();
    flag.store(false, Ordering::Relaxed);
    let of_check = limits.of_check();
    let watch = watchdog::watch(move || flag.store(true, Ordering::Relaxed), limits);
    let answer = engine.check(assumptions);
    drop(watch);
    match answer? {
        Answer::Unknown if engine.flag().load(Ordering::Relaxed) => {
            Err(of_check.exceeded().unwrap_or(Reason::Timeout))
        }
        Answer::Unknown => Err(Reason::Incomplete("the solver gave up".to_owned())),
        answer => Ok(answer),
    }
}

impl Prover for BitwuzlaProver {
    fn push(&mut self) -> Result<(), Reason> {
        self.scopes.push(Vec::new());
        Ok(())
    }

    fn pop(&mut self) -> Result<(), Reason> {
        if self.scopes.len() == 1 {
            return Err(Reason::Misuse("pop without push".to_owned()));
        }
        self.scopes.pop();
        if let Some(live) = &mut self.live
            && live.synced.len() > self.scopes.len()
        {
            live.synced.pop();
            if live.engine.pop().is_err() {
                self.live = None;
            }
        }
        Ok(())
    }

    fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<(), Reason> {
        let node = self.translator.translate(pool, formula)?;
        self.scopes.last_mut().expect("the base scope is never closed").push(node);
        Ok(())
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Outcome<'_> {
        if let Some(reason) = self.limits.exceeded() {
            return Outcome::Unknown(reason);
        }
        let nodes: Result<Vec<Node>, Reason> =
            assumptions.iter().map(|&assumption| self.translator.translate(pool, assumption)).collect();
        let nodes = match nodes {
            Ok(nodes) => nodes,
            Err(reason) => return Outcome::Unknown(reason),
        };
        let answer = self.check_nodes(&nodes);
        let Some(live) = &self.live else {
            return Outcome::Unknown(
                answer
                    .err()
                    .unwrap_or_else(|| Reason::Fault("the solver was discarded after an answer".to_owned())),
            );
        };
        match answer {
            Ok(Answer::Sat) => Outcome::Sat(Box::new(BitwuzlaModel {
                engine: &live.engine,
                translator: &mut self.translator,
            })),
            Ok(Answer::Unsat) => Outcome::Unsat(Box::new(BitwuzlaRefutation {
                engine: &live.engine,
                session: &self.session,
                assumptions: nodes,
            })),
            Ok(Answer::Unknown) => Outcome::Unknown(Reason::Incomplete("the solver gave up".to_owned())),
            Err(reason) => Outcome::Unknown(reason),
        }
    }

    fn set_limits(&mut self, limits: &Limits) {
        self.limits = limits.clone();
    }
}

struct BitwuzlaRefutation<'p> {
    engine: &'p Engine,
    session: &'p Session,
    assumptions: Vec<Node>,
}

impl Refutation for BitwuzlaRefutation<'_> {
    fn unsat_core(&mut self) -> Result<Vec<usize>, Reason> {
        if self.assumptions.is_empty() {
            return Ok(Vec::new());
        }
        let core = self.engine.core(self.assumptions.len())?;
        let places: FxHashMap<u64, usize> = self
            .assumptions
            .iter()
            .enumerate()
            .rev()
            .map(|(index, &node)| (self.session.id(node), index))
            .collect();
        let mut indices = Vec::with_capacity(core.len());
        for id in core {
            indices.push(*places.get(&id).ok_or_else(|| {
                Reason::Fault("the unsat core contains a term that is not an assumption".to_owned())
            })?);
        }
        indices.sort_unstable();
        indices.dedup();
        Ok(indices)
    }
}
