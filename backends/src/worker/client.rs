//! Provers that run in workers.

use super::connection::Connection;
use super::pool::Workers;
use super::protocol::{Command, Response};
use crate::child::Patience;
use crate::log::Event;
use crate::{Limits, Model, Outcome, Prover, ProverFactory, Reason, Refutation, SharedLog, Wrapper};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use terms::{FunctionSymbol, FunctionValue, Sort, Symbol, Term, TermPool, Value};

/// A factory whose provers each run in a worker. It has the name of the wrapped factory, which the
/// worker's registry must contain as well.
///
/// Differences to a prover in this process: an assertion that the solver does not support is
/// accepted, and while it is in scope every check is `Unknown` with that reason; the limit of a
/// check includes the translation of the assertions since the previous check; a check may be
/// `Unknown` because the solver crashed.
pub struct Isolated {
    factory: Rc<dyn ProverFactory>,
    workers: Rc<Workers>,
}

impl Isolated {
    /// Runs the provers of `factory` in `workers`.
    pub fn new(factory: Rc<dyn ProverFactory>, workers: Rc<Workers>) -> Self {
        Isolated { factory, workers }
    }
}

impl Wrapper for Isolated {
    fn inner(&self) -> &dyn ProverFactory {
        &*self.factory
    }

    fn wrap(&self, logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
        let mut prover = IsolatedProver {
            workers: Rc::clone(&self.workers),
            solver: self.factory.name(),
            logic: logic.to_owned(),
            limits: limits.clone(),
            connection: None,
            lost: None,
            log: SharedLog::default(),
        };
        // This request reports immediately whether the solver supports the logic.
        let patience = prover.patience_of_setup();
        match prover.request(&TermPool::new(), &patience, |_, _| Command::Ready)? {
            Response::Done => Ok(Box::new(prover)),
            Response::Failed(reason) => Err(reason),
            other => Err(prover.unexpected(&other)),
        }
    }
}

struct IsolatedProver {
    workers: Rc<Workers>,
    solver: &'static str,
    logic: String,
    limits: Limits,
    /// `None` before the first request and after the worker was lost.
    connection: Option<Connection>,
    /// The reason why the last worker ended.
    lost: Option<Reason>,
    log: SharedLog,
}

impl IsolatedProver {
    /// The limits for replaying assertions: those of the run, without the time limit of a check.
    fn patience_of_setup(&self) -> Patience {
        let limits = Limits { time: None, ..self.limits.clone() };
        Patience::new(&limits, self.workers.limits().grace)
    }

    fn patience(&self) -> Patience {
        Patience::new(&self.limits, self.workers.limits().grace)
    }

    /// Adds a command to the next request. Without a worker nothing is sent; the log has the
    /// assertions.
    fn later(&mut self, command: impl FnOnce(&mut Connection) -> Command) {
        if let Some(connection) = &mut self.connection {
            let command = command(connection);
            connection.command(&command);
        }
    }

    /// Ensures that a worker exists and has all assertions.
    fn connect(&mut self, pool: &TermPool) -> Result<(), Reason> {
        if self.connection.is_some() {
            return Ok(());
        }
        let mut connection = self.workers.take()?;
        connection.command(&Command::Create { solver: self.solver.to_owned(), logic: self.logic.clone() });
        let events = self.log.replay();
        for &event in &events {
            let command = match event {
                Event::Push => Command::Push,
                Event::Assert(formula) => Command::Assert(connection.encoder.term(pool, formula)),
            };
            connection.command(&command);
        }
        if !events.is_empty() {
            connection.command(&Command::Ready);
            let patience = self.patience_of_setup();
            // The check reports failures of these commands again.
            connection.request(pool, &patience)?;
        }
        self.connection = Some(connection);
        Ok(())
    }

    /// Sends a query, to a new worker if necessary.
    fn request(
        &mut self,
        pool: &TermPool,
        patience: &Patience,
        question: impl FnOnce(&mut Connection, &TermPool) -> Command,
    ) -> Result<Response, Reason> {
        if let Err(reason) = self.connect(pool) {
            self.lost = Some(reason.clone());
            return Err(reason);
        }
        self.request_of_living(pool, patience, question)
    }

    /// Sends a query that only the worker of the previous answer can answer.
    fn request_of_living(
        &mut self,
        pool: &TermPool,
        patience: &Patience,
        question: impl FnOnce(&mut Connection, &TermPool) -> Command,
    ) -> Result<Response, Reason> {
        let Some(connection) = &mut self.connection else {
            let reason = self.lost.clone();
            return Err(reason.unwrap_or_else(|| Reason::Misuse("no worker is running".to_owned())));
        };
        let question = question(connection, pool);
        // A query for evidence must directly follow the answer, and solvers apply no limits to it.
        if matches!(question, Command::Check(_) | Command::Eliminate { .. }) {
            connection.command(&patience.command());
        }
        connection.command(&question);
        let response = connection.request(pool, patience);
        if let Err(reason) = &response {
            self.connection = None;
            self.lost = Some(reason.clone());
        }
        response
    }

    /// Sends a query for evidence.
    fn evidence(
        &mut self,
        pool: &TermPool,
        question: impl FnOnce(&mut Connection, &TermPool) -> Command,
    ) -> Result<Response, Reason> {
        let patience = self.patience();
        self.request_of_living(pool, &patience, question)
    }

    /// Abandons the worker after a violation of the protocol.
    fn unexpected(&mut self, response: &Response) -> Reason {
        let reason = match response {
            Response::Failed(reason) => return reason.clone(),
            _ => Reason::Fault("the worker sent an answer of the wrong kind".to_owned()),
        };
        self.connection = None;
        self.lost = Some(reason.clone());
        reason
    }

    /// The Boolean term in `response`, which may contain only symbols of `formula` that are not in
    /// `variables`.
    fn quantifier_free_part(
        &mut self,
        pool: &mut TermPool,
        response: &Response,
        formula: Term,
        variables: &[Symbol],
    ) -> Result<Term, Reason> {
        let Response::Terms { records, ids } = response else { return Err(self.unexpected(response)) };
        let Some(connection) = &mut self.connection else {
            unreachable!("a worker that answered is connected")
        };
        let term = match read_terms(connection, pool, records, ids) {
            Ok(terms) if terms.len() == 1 && pool.sort(terms[0]) == Sort::Bool => terms[0],
            Ok(_) => return Err(self.unexpected(response)),
            Err(reason) => {
                self.connection = None;
                self.lost = Some(reason.clone());
                return Err(reason);
            }
        };
        let allowed: FxHashSet<Symbol> = pool.free_symbols(formula).into_iter().collect();
        let stranger = pool
            .free_symbols(term)
            .into_iter()
            .find(|symbol| !allowed.contains(symbol) || variables.contains(symbol));
        match stranger {
            None => Ok(term),
            Some(symbol) => Err(Reason::Fault(format!(
                "the result of elimination contains the unexpected symbol {}",
                pool.symbol_data(symbol).name
            ))),
        }
    }
}

/// Decodes the terms of an answer. After an error the connection is unusable.
pub(super) fn read_terms(
    connection: &mut Connection,
    pool: &mut TermPool,
    records: &[u8],
    ids: &[u32],
) -> Result<Vec<Term>, Reason> {
    let decoder = &mut connection.decoder;
    let terms = match decoder.read(pool, records) {
        Ok(()) => ids.iter().map(|&id| decoder.term(id)).collect::<Result<Vec<Term>, _>>(),
        Err(error) => Err(error),
    };
    terms.map_err(|error| Reason::Fault(format!("the worker sent a malformed answer: {error}")))
}

impl Drop for IsolatedProver {
    fn drop(&mut self) {
        // A connection that still exists has answered its last query.
        if let Some(connection) = self.connection.take() {
            self.workers.give_back(connection);
        }
    }
}

impl Prover for IsolatedProver {
    fn push(&mut self) -> Result<(), Reason> {
        self.log.push();
        self.later(|_| Command::Push);
        Ok(())
    }

    fn pop(&mut self) -> Result<(), Reason> {
        if !self.log.pop() {
            return Err(Reason::Misuse("pop without push".to_owned()));
        }
        self.later(|_| Command::Pop);
        Ok(())
    }

    fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<(), Reason> {
        if pool.sort(formula) != Sort::Bool {
            return Err(Reason::Misuse(format!("an assertion of sort {:?}", pool.sort(formula))));
        }
        self.log.assert(formula);
        self.later(|connection| Command::Assert(connection.encoder.term(pool, formula)));
        Ok(())
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Outcome<'_> {
        if let Some(reason) = self.limits.exceeded() {
            return Outcome::Unknown(reason);
        }
        let response = self.connect(pool).and_then(|()| {
            let patience = self.patience();
            self.request_of_living(pool, &patience, |connection, pool| {
                let ids = assumptions.iter().map(|&term| connection.encoder.term(pool, term)).collect();
                Command::Check(ids)
            })
        });
        match response {
            Ok(Response::Sat) => Outcome::Sat(Box::new(RemoteModel { prover: self })),
            Ok(Response::Unsat) => {
                Outcome::Unsat(Box::new(RemoteRefutation { prover: self, assumptions: assumptions.len() }))
            }
            Ok(Response::Failed(reason)) | Err(reason) => Outcome::Unknown(reason),
            Ok(other) => Outcome::Unknown(self.unexpected(&other)),
        }
    }

    fn log(&self) -> Option<SharedLog> {
        Some(self.log.clone())
    }

    fn set_limits(&mut self, limits: &Limits) {
        self.limits = limits.clone();
    }

    fn eliminate(
        &mut self,
        pool: &mut TermPool,
        formula: Term,
        variables: &[Symbol],
    ) -> Result<Term, Reason> {
        let patience = self.patience();
        let response = self.request(pool, &patience, |connection, pool| Command::Eliminate {
            formula: connection.encoder.term(pool, formula),
            variables: variables.iter().map(|&symbol| connection.encoder.symbol(pool, symbol)).collect(),
        })?;
        self.quantifier_free_part(pool, &response, formula, variables)
    }
}

struct RemoteModel<'p> {
    prover: &'p mut IsolatedProver,
}

impl RemoteModel<'_> {
    /// The values in `response`, which must have these sorts.
    fn values(
        &mut self,
        pool: &TermPool,
        response: Response,
        sorts: impl ExactSizeIterator<Item = Sort>,
    ) -> Result<Vec<Value>, Reason> {
        match response {
            Response::Values(values)
                if values.len() == sorts.len()
                    && values.iter().zip(sorts).all(|(value, sort)| value.is_of_sort(pool, sort)) =>
            {
                Ok(values)
            }
            other => Err(self.prover.unexpected(&other)),
        }
    }
}

impl Model for RemoteModel<'_> {
    fn value(&mut self, pool: &TermPool, symbol: Symbol) -> Result<Value, Reason> {
        let response = self
            .prover
            .evidence(pool, |connection, pool| Command::Value(connection.encoder.symbol(pool, symbol)))?;
        let mut values = self.values(pool, response, [pool.symbol_data(symbol).sort].into_iter())?;
        Ok(values.remove(0))
    }

    fn function(&mut self, pool: &TermPool, function: FunctionSymbol) -> Result<FunctionValue, Reason> {
        let response = self.prover.evidence(pool, |connection, pool| {
            Command::Function(connection.encoder.function(pool, function))
        })?;
        let (_, sorts, result) = pool.function_data(function);
        let fits = |arguments: &[Value]| {
            arguments.len() == sorts.len()
                && arguments.iter().zip(sorts).all(|(value, &sort)| value.is_of_sort(pool, sort))
        };
        match response {
            Response::Function(value)
                if value.table.keys().all(|arguments| fits(arguments))
                    && value.table.values().chain(&value.default).all(|v| v.is_of_sort(pool, result)) =>
            {
                Ok(value)
            }
            other => Err(self.prover.unexpected(&other)),
        }
    }

    fn eval(&mut self, pool: &TermPool, term: Term) -> Result<Value, Reason> {
        Ok(self.eval_all(pool, &[term])?.remove(0))
    }

    fn eval_all(&mut self, pool: &TermPool, terms: &[Term]) -> Result<Vec<Value>, Reason> {
        let response = self.prover.evidence(pool, |connection, pool| {
            Command::Eval(terms.iter().map(|&term| connection.encoder.term(pool, term)).collect())
        })?;
        self.values(pool, response, terms.iter().map(|&term| pool.sort(term)))
    }

    fn project(&mut self, pool: &mut TermPool, formula: Term, variables: &[Symbol]) -> Result<Term, Reason> {
        let response = self.prover.evidence(pool, |connection, pool| Command::Project {
            formula: connection.encoder.term(pool, formula),
            variables: variables.iter().map(|&symbol| connection.encoder.symbol(pool, symbol)).collect(),
        })?;
        self.prover.quantifier_free_part(pool, &response, formula, variables)
    }
}

struct RemoteRefutation<'p> {
    prover: &'p mut IsolatedProver,
    /// The number of assumptions of the check.
    assumptions: usize,
}

impl Refutation for RemoteRefutation<'_> {
    fn unsat_core(&mut self) -> Result<Vec<usize>, Reason> {
        // An answer of indices contains no values, so any pool serves to read it.
        let response = self.prover.evidence(&TermPool::new(), |_, _| Command::Core)?;
        match response {
            Response::Indices(core)
                if core.is_sorted_by(|a, b| a < b) && core.iter().all(|&index| index < self.assumptions) =>
            {
                Ok(core)
            }
            other => Err(self.prover.unexpected(&other)),
        }
    }
}
