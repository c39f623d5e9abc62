//! The prover: a log of assertions, and a solver that follows it.

use crate::ffi::{self, Answer, Engine, Kind, Manager, Node};
use crate::model::Cvc5Model;
use crate::read::Reader;
use crate::slices::in_slices;
use crate::translate::{Features, Translated, Translator};
use backends::{Limits, Outcome, Prover, Reason, Refutation};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use terms::{Sort, Symbol, Term, TermPool};

/// A prover; see the crate documentation.
pub(crate) struct Cvc5Prover {
    pub(crate) live: Option<Live>,
    pub(crate) translator: Translator,
    pub(crate) manager: Rc<Manager>,
    limits: Limits,
    /// The log of assertions, by scope. The base scope always exists.
    scopes: Vec<Vec<Node>>,
    /// The largest depth of an asserted term.
    depth: u32,
    cores: Cores,
}

/// Whether solvers keep the data that cores need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cores {
    Kept,
    NotKept,
}

/// A solver with the part of the log that it has received. It may lag behind.
pub(crate) struct Live {
    pub(crate) engine: Engine,
    pub(crate) features: Features,
    cores: Cores,
    /// For each open scope, the number of formulas passed to the solver.
    synced: Vec<usize>,
    /// The current limit in milliseconds; 0 for none.
    limit: u64,
}

impl Cvc5Prover {
    pub(crate) fn new(limits: &Limits) -> Result<Self, Reason> {
        Ok(Cvc5Prover {
            live: None,
            translator: Translator::default(),
            manager: Rc::new(Manager::new()?),
            limits: limits.clone(),
            scopes: vec![Vec::new()],
            depth: 0,
            cores: Cores::NotKept,
        })
    }

    pub(crate) fn translate(&mut self, pool: &TermPool, term: Term) -> Result<Translated, Reason> {
        self.translator.translate(&self.manager, pool, term)
    }

    /// The largest depth of an assertion.
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// Passes the rest of the log to the solver and checks. After an error the solver is unusable.
    fn solve(&mut self, assumptions: &[Node], milliseconds: u64) -> Result<Answer, Reason> {
        let features = self.translator.features();
        if self.live.as_ref().is_some_and(|live| live.features != features || live.cores != self.cores) {
            self.live = None;
        }
        let live = match &mut self.live {
            Some(live) => live,
            none => none.insert(Live::new(&self.manager, features, self.cores)?),
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
        live.limit(milliseconds)?;
        let _polynomials = features.nonlinear.then(ffi::lock_polynomials);
        live.engine.check(assumptions)
    }

    /// Checks, and drops the solver unless it can be trusted with another check.
    fn check_nodes(&mut self, assumptions: &[Node], depth: u32) -> Result<Answer, Reason> {
        let limits = self.limits.clone();
        let depth = depth.max(self.depth);
        in_slices(&limits, |milliseconds| {
            let answer =
                ffi::on_stack(depth, || self.solve(assumptions, milliseconds)).unwrap_or(Err(Reason::Memory));
            if !matches!(answer, Ok(_) | Err(Reason::Incomplete(_))) {
                self.live = None;
            }
            answer
        })
    }

    /// The core of a check that was just unsatisfiable.
    fn core(&mut self, assumptions: &[Node], depth: u32) -> Result<Vec<Node>, Reason> {
        if assumptions.is_empty() {
            return Ok(Vec::new());
        }
        if self.cores == Cores::NotKept {
            self.cores = Cores::Kept;
            match self.check_nodes(assumptions, depth) {
                Ok(Answer::Unsat) => {}
                Err(reason) => {
                    self.cores = Cores::NotKept;
                    return Err(reason);
                }
                Ok(Answer::Sat) => {
                    return Err(Reason::Fault("two checks of the same formulas disagree".to_owned()));
                }
            }
        }
        let live = self.live.as_ref().ok_or_else(|| Reason::Fault("the solver was discarded".to_owned()))?;
        ffi::on_stack(self.depth.max(depth), || live.engine.unsat_assumptions())
            .unwrap_or(Err(Reason::Memory))
    }
}

impl Live {
    fn new(manager: &Rc<Manager>, features: Features, cores: Cores) -> Result<Self, Reason> {
        let engine = Engine::new(manager)?;
        engine.set_option("incremental", "true")?;
        engine.set_option("produce-models", "true")?;
        if cores == Cores::Kept {
            engine.set_option("produce-unsat-assumptions", "true")?;
        }
        set_logic(&engine, features)?;
        Ok(Live { engine, features, cores, synced: vec![0], limit: 0 })
    }

    /// Sets the limit of the next check.
    fn limit(&mut self, milliseconds: u64) -> Result<(), Reason> {
        if milliseconds != self.limit {
            self.engine.set_option("tlimit-per", &milliseconds.to_string())?;
            self.limit = milliseconds;
        }
        Ok(())
    }
}

/// Declares to a new solver the theories that occur.
pub(crate) fn set_logic(engine: &Engine, features: Features) -> Result<(), Reason> {
    if features.other_floats {
        engine.set_option("fp-exp", "true")?;
    }
    if features.constant_arrays {
        engine.set_option("arrays-exp", "true")?;
    }
    engine.set_logic(&features.logic())
}

impl Prover for Cvc5Prover {
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
        let translated = self.translate(pool, formula)?;
        self.depth = self.depth.max(translated.depth);
        self.scopes.last_mut().expect("the base scope is never closed").push(translated.node);
        Ok(())
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Outcome<'_> {
        if let Some(reason) = self.limits.exceeded() {
            return Outcome::Unknown(reason);
        }
        let mut nodes = Vec::with_capacity(assumptions.len());
        let mut depth = 0;
        for &assumption in assumptions {
            match self.translate(pool, assumption) {
                Ok(translated) => {
                    nodes.push(translated.node);
                    depth = depth.max(translated.depth);
                }
                Err(reason) => return Outcome::Unknown(reason),
            }
        }
        match self.check_nodes(&nodes, depth) {
            Ok(Answer::Sat) => Outcome::Sat(Box::new(Cvc5Model::new(self, depth))),
            Ok(Answer::Unsat) => {
                Outcome::Unsat(Box::new(Cvc5Refutation { prover: self, assumptions: nodes, depth }))
            }
            Err(reason) => Outcome::Unknown(reason),
        }
    }

    fn set_limits(&mut self, limits: &Limits) {
        self.limits = limits.clone();
    }

    /// For linear integers and reals; over integers the answer may contain divisibilities, as
    /// remainders.
    fn eliminate(
        &mut self,
        pool: &mut TermPool,
        formula: Term,
        variables: &[Symbol],
    ) -> Result<Term, Reason> {
        if let Some(reason) = self.limits.exceeded() {
            return Err(reason);
        }
        // The logic depends only on this formula, not on the assertions.
        let mut translator = Translator::default();
        let manager = Rc::new(Manager::new()?);
        let translated = translator.translate(&manager, pool, formula)?;
        let features = translator.features();
        let linear = Features { integers: features.integers, reals: features.reals, ..Features::default() };
        if features != linear {
            return Err(Reason::Unsupported(
                "quantifier elimination beyond linear arithmetic without quantifiers".to_owned(),
            ));
        }
        let (mut constants, mut bound) = (Vec::new(), Vec::new());
        for &variable in variables {
            let Some(seen) = translator.symbol(variable) else { continue };
            let data = pool.symbol_data(variable);
            if !matches!(data.sort, Sort::Int | Sort::Real | Sort::Bool) {
                return Err(Reason::Unsupported("quantifier elimination of this sort".to_owned()));
            }
            let sort = translator.sort(&manager, pool, data.sort)?;
            constants.push(seen.node);
            bound.push(manager.variable(sort, &data.name)?);
        }
        if bound.is_empty() {
            return Ok(formula);
        }
        let eliminated = in_slices(&self.limits, |milliseconds| {
            ffi::on_stack(translated.depth, || {
                let engine = Engine::new(&manager)?;
                set_logic(&engine, Features { quantifiers: true, ..features })?;
                engine.set_option("tlimit-per", &milliseconds.to_string())?;
                let body = manager.substitute(translated.node, &constants, &bound)?;
                let list = manager.apply(Kind::VariableList, &bound)?;
                engine.eliminate(manager.apply(Kind::Exists, &[list, body])?)
            })
            .unwrap_or(Err(Reason::Memory))
        })?;
        let read = Reader::default().read(&manager, &translator, pool, eliminated)?;
        let free = pool.free_symbols(read);
        if pool.sort(read) != Sort::Bool || variables.iter().any(|variable| free.contains(variable)) {
            return Err(Reason::Fault(
                "the result of quantifier elimination contains the variables".to_owned(),
            ));
        }
        Ok(read)
    }
}

struct Cvc5Refutation<'p> {
    prover: &'p mut Cvc5Prover,
    assumptions: Vec<Node>,
    depth: u32,
}

impl Refutation for Cvc5Refutation<'_> {
    fn unsat_core(&mut self) -> Result<Vec<usize>, Reason> {
        let core = self.prover.core(&self.assumptions, self.depth)?;
        let places: FxHashMap<Node, usize> =
            self.assumptions.iter().enumerate().rev().map(|(index, &node)| (node, index)).collect();
        let mut indices = Vec::with_capacity(core.len());
        for node in core {
            indices.push(*places.get(&node).ok_or_else(|| {
                Reason::Fault(format!(
                    "{} in the unsat core is not an assumption",
                    self.prover.manager.show(node)
                ))
            })?);
        }
        indices.sort_unstable();
        indices.dedup();
        Ok(indices)
    }
}
