//! Bounded model checking of linear Horn systems.
//!
//! A derivation of a linear system is a sequence of clauses. The [frames](horn::frames) of k
//! transitions and an [end](horn::frames::Frames::end) have a model iff a derivation of a query has
//! k + 1 clauses before it. k grows by one; transitions are asserted once, ends in scopes. The
//! states of a model are the facts of a derivation.
//!
//! Source: Biere, Cimatti, Clarke, Zhu, *Symbolic Model Checking without BDDs*, TACAS 1999.
//!
//! # Limits
//! It answers only `unsat`. A system that has no sequence of k transitions is satisfiable, but
//! frames are no model. Clauses with several body atoms are refused: inlining often removes them.

use backends::{Fact, HornAnswer, HornSolver, Limits, Model, Outcome, ProverFactory, Reason, Status};
use horn::System;
use horn::frames::{Frames, Source};
use std::rc::Rc;
use terms::{Term, TermPool, Value};

/// The engine.
pub struct Unrolling {
    /// The solver.
    pub factory: Rc<dyn ProverFactory>,
}

impl HornSolver for Unrolling {
    fn name(&self) -> &'static str {
        "bmc"
    }

    fn solver(&self) -> &'static str {
        self.factory.name()
    }

    fn solve(&self, pool: &mut TermPool, system: &System, limits: &Limits) -> HornAnswer {
        match self.search(pool, system, limits) {
            Ok(facts) => HornAnswer::Unsatisfiable(facts),
            Err(reason) => HornAnswer::Unknown(reason),
        }
    }
}

impl Unrolling {
    /// Returns the facts of a shortest derivation of a query.
    fn search(&self, pool: &mut TermPool, system: &System, limits: &Limits) -> Result<Vec<Fact>, Reason> {
        if !system.is_linear() {
            return Err(Reason::Unsupported("clauses with several body atoms".to_owned()));
        }
        let mut frames = Frames::new(system);
        let mut prover = self.factory.new_prover("ALL", limits)?;
        prover.set_limits(limits);
        for frame in 0.. {
            let source = if frame == 0 { Source::Entry } else { Source::Relations };
            prover.push()?;
            for conjunct in frames.end(pool, system, source, frame) {
                prover.assert(pool, conjunct)?;
            }
            match prover.check(pool, &[]) {
                Outcome::Sat(mut model) => return facts(pool, system, &mut frames, &mut *model, frame),
                Outcome::Unsat(_) => {}
                Outcome::Unknown(reason) => return Err(reason),
            }
            prover.pop()?;
            for conjunct in frames.transition(pool, system, source, (frame, frame + 1)) {
                prover.assert(pool, conjunct)?;
            }
            match prover.status(pool, &[]) {
                Status::Sat => {}
                Status::Unsat => {
                    return Err(Reason::Incomplete(format!(
                        "no derivation has more than {frame} transitions"
                    )));
                }
                Status::Unknown(reason) => return Err(reason),
            }
        }
        unreachable!("the loop has no end")
    }
}

/// The states of a model, one in each frame after the entry.
fn facts(
    pool: &mut TermPool,
    system: &System,
    frames: &mut Frames,
    model: &mut dyn Model,
    last: u32,
) -> Result<Vec<Fact>, Reason> {
    (1..=last).map(|frame| fact(pool, system, frames, model, frame)).collect()
}

/// The state of a frame in a model.
pub(super) fn fact(
    pool: &mut TermPool,
    system: &System,
    frames: &mut Frames,
    model: &mut dyn Model,
    frame: u32,
) -> Result<Fact, Reason> {
    let relations: Vec<_> = system.relations.keys().collect();
    let at: Vec<Term> = relations.iter().map(|&relation| frames.at(pool, system, relation, frame)).collect();
    let is_at = model.eval_all(pool, &at)?;
    let found = relations.into_iter().zip(is_at).find(|(_, is_at)| *is_at == Value::Bool(true));
    let (relation, _) =
        found.ok_or_else(|| Reason::Incomplete("a state of no relation in a model".to_owned()))?;
    let symbols: Vec<Term> = system.relations[relation].symbols().collect();
    let arguments: Vec<Term> =
        symbols.into_iter().map(|symbol| frames.argument(pool, symbol, frame)).collect();
    Ok(Fact { relation, values: model.eval_all(pool, &arguments)? })
}
