//! Sources of interpolants that run in workers.
//!
//! Each problem is a conversation of its own: a source may receive problems from several pools, and
//! no state in the worker survives a problem.

use super::client::read_terms;
use super::pool::Workers;
use super::protocol::{Command, Response};
use crate::child::Patience;
use crate::interpolation::{
    Interpolants, Interpolator, InterpolatorFactory, Preference, Problem, Shape, Witness,
};
use crate::{Limits, Placement, ProverFactory, Reason};
use std::rc::Rc;
use terms::{Op, Sort, TermPool};

/// A factory whose sources each run in a worker, whose registry must contain the factory as well.
pub struct IsolatedInterpolation {
    factory: Rc<dyn InterpolatorFactory>,
    workers: Rc<Workers>,
}

impl IsolatedInterpolation {
    /// Runs the sources of `factory` in `workers`.
    pub fn new(factory: Rc<dyn InterpolatorFactory>, workers: Rc<Workers>) -> Self {
        IsolatedInterpolation { factory, workers }
    }
}

impl InterpolatorFactory for IsolatedInterpolation {
    fn name(&self) -> &'static str {
        self.factory.name()
    }

    fn solver(&self) -> Option<&'static str> {
        self.factory.solver()
    }

    fn shape(&self) -> Shape {
        self.factory.shape()
    }

    fn decides(&self) -> bool {
        self.factory.decides()
    }

    fn prefers_elimination(&self) -> bool {
        self.factory.prefers_elimination()
    }

    fn theories(&self) -> Vec<&'static str> {
        self.factory.theories()
    }

    fn new_interpolator(
        &self,
        solver: &Rc<dyn ProverFactory>,
        preference: Preference,
    ) -> Box<dyn Interpolator> {
        let own_solver = self.factory.solver();
        if own_solver.is_none() && solver.placement() == Placement::OwnProcess {
            // No worker knows this solver; its work is in a process of its own anyway.
            return self.factory.new_interpolator(solver, preference);
        }
        Box::new(IsolatedInterpolator {
            workers: Rc::clone(&self.workers),
            source: self.factory.name(),
            own_solver,
            solver: own_solver.unwrap_or(solver.name()),
            preference,
            shape: self.factory.shape(),
            decides: self.factory.decides(),
        })
    }
}

struct IsolatedInterpolator {
    workers: Rc<Workers>,
    source: &'static str,
    /// The solver of a source that belongs to one.
    own_solver: Option<&'static str>,
    /// The solver for a source that works with any solver.
    solver: &'static str,
    preference: Preference,
    shape: Shape,
    decides: bool,
}

impl IsolatedInterpolator {
    fn ask(&self, pool: &mut TermPool, problem: &Problem, limits: &Limits) -> Result<Interpolants, Reason> {
        if let Some(reason) = limits.exceeded() {
            return Err(reason);
        }
        let mut connection = self.workers.take()?;
        let patience = Patience::new(limits, self.workers.limits().grace);
        let parts = problem.parts.iter().map(|part| {
            part.iter().map(|&formula| connection.encoder.term(pool, formula)).collect::<Vec<u32>>()
        });
        let question = Command::Interpolate {
            source: self.source.to_owned(),
            solver: self.solver.to_owned(),
            preference: self.preference,
            parts: parts.collect(),
            parents: problem.tree.parents().to_vec(),
        };
        connection.command(&patience.command());
        connection.command(&question);
        let answer = match connection.request(pool, &patience)? {
            Response::Terms { records, ids } => {
                let terms = read_terms(&mut connection, pool, &records, &ids)?;
                let fits = terms.len() + 1 == problem.parts.len()
                    && terms.iter().all(|&term| pool.sort(term) == Sort::Bool);
                if !fits {
                    return Err(Reason::Fault("the worker sent unexpected terms".to_owned()));
                }
                Interpolants::Found(terms)
            }
            Response::Sat => Interpolants::Satisfiable(None),
            Response::Witness { records, ids, values } => {
                let terms = read_terms(&mut connection, pool, &records, &ids)?;
                let pairs = terms.into_iter().zip(values).map(|(term, value)| match pool.op(term) {
                    Op::Symbol(symbol) => Ok((symbol, value)),
                    _ => Err(Reason::Fault("the worker sent unexpected terms".to_owned())),
                });
                Interpolants::Satisfiable(Some(Witness { values: pairs.collect::<Result<_, _>>()? }))
            }
            Response::Failed(reason) => Interpolants::Unknown(reason),
            _ => return Err(Reason::Fault("the worker sent an answer of the wrong kind".to_owned())),
        };
        self.workers.give_back(connection);
        Ok(answer)
    }
}

impl Interpolator for IsolatedInterpolator {
    fn name(&self) -> &str {
        self.source
    }

    fn solver(&self) -> Option<&str> {
        self.own_solver.or(Some(self.solver))
    }

    fn shape(&self) -> Shape {
        self.shape
    }

    fn decides(&self) -> bool {
        self.decides
    }

    fn interpolate(&mut self, pool: &mut TermPool, problem: &Problem, limits: &Limits) -> Interpolants {
        self.ask(pool, problem, limits).into()
    }
}
