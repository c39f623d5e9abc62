//! Yices 2 as a [`Prover`].
//!
//! * **Architecture by need.** A Yices context is built for a fixed combination of theory solvers, and the small ones are
//!   much faster: the bit-blasting solver alone, the simplex solver alone. This prover logs what is asserted and makes the
//!   context at the first check, for exactly the theories that occur; when a later assertion needs more, the context is
//!   rebuilt from the log. The same rebuilding replaces a context that was interrupted, and one that was made without
//!   scopes when the first scope is opened.
//! * **Threads.** The library is built without thread safety; a process-wide lock (see `ffi`) lets one thread in at a
//!   time. Checks of different provers of one process therefore do not run in parallel.
//! * **Stack.** Yices recurses over the depth of terms, so work on deep terms runs on a thread with a large stack.
//! * **Limits of time** are kept by a watchdog, except while Yices internalises (bit-blasts) assertions.
//! * **Hard bit-vector queries** go to the SAT solver `y2sat` after a moment, which cannot be stopped: a deadline of the whole
//!   run has to be kept from outside then. Checks with a limit of their own are never given to it.
//! * **Memory.** Yices terms are never collected; when memory runs out the library ends the process.
//!
//! What cannot be expressed is listed in `translate`.

mod arrays;
mod ffi;
mod translate;
mod value;
mod watchdog;

use backends::{
    AssertionId, Capabilities, Limits, Model, Outcome, Prover, ProverFactory, Reason, Refutation, Support,
};
use ffi::{Api, CheckStatus, Context, RawModel, RawValue, YTerm};
use ir::term::{
    Assignment, Completion, FunctionSymbol, FunctionValue, Sort, Symbol, Term, TermPool, Value,
};
use std::time::{Duration, Instant};
use translate::{Features, Translator};

/// The factory of this backend.
pub fn factory() -> YicesFactory {
    YicesFactory
}

/// Makes Yices provers.
#[derive(Clone, Copy, Debug, Default)]
pub struct YicesFactory;

impl ProverFactory for YicesFactory {
    fn name(&self) -> &'static str {
        "yices"
    }

    fn version(&self) -> String {
        ffi::version()
    }

    fn license(&self) -> &'static str {
        "GPL-3.0-or-later"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            theories: vec!["Core", "FixedSizeBitVectors", "Ints", "Reals", "ArraysEx", "UF"],
            unsat_cores: Support::Full,
            models: Support::Full,
            ..Capabilities::default()
        }
    }

    /// `logic` is not looked at: what a formula really needs decides (see the crate documentation), and what is out of
    /// reach is refused when it is asserted.
    fn new_prover(&self, _logic: &str, limits: &Limits) -> Result<Box<dyn Prover>, Reason> {
        Ok(Box::new(YicesProver {
            limits: limits.clone(),
            translator: Translator::default(),
            scopes: vec![Scope::default()],
            assertions: 0,
            depth: 0,
            live: None,
        }))
    }
}

/// A prover; see the crate documentation.
struct YicesProver {
    limits: Limits,
    translator: Translator,
    /// The log: what is asserted, by scope. The first one is always there.
    scopes: Vec<Scope>,
    assertions: u32,
    /// The largest depth of an asserted term.
    depth: u32,
    live: Option<Live>,
}

#[derive(Default)]
struct Scope {
    formulas: Vec<YTerm>,
}

/// The Yices context with what it has of the log. It may lag behind.
struct Live {
    context: Context,
    architecture: Option<&'static str>,
    has_scopes: bool,
    /// For each open scope: how many formulas of it and how many instances (at all) are asserted.
    synced: Vec<Synced>,
}

#[derive(Clone, Copy, Default)]
struct Synced {
    formulas: usize,
    instances: usize,
}

impl Prover for YicesProver {
    fn push(&mut self) -> Result<(), Reason> {
        self.scopes.push(Scope::default());
        Ok(())
    }

    fn pop(&mut self) -> Result<(), Reason> {
        if self.scopes.len() == 1 {
            return Err(Reason::Fault("pop without push".to_owned()));
        }
        self.scopes.pop();
        let api = ffi::api();
        if let Some(live) = &mut self.live
            && live.synced.len() > self.scopes.len()
        {
            live.synced.pop();
            if api.pop(live.context).is_err() {
                self.discard(&api);
            }
        }
        Ok(())
    }

    fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<AssertionId, Reason> {
        let api = ffi::api();
        let term = self.translator.translate(&api, pool, formula)?;
        self.depth = self.depth.max(self.translator.depth(formula));
        self.scopes.last_mut().expect("the base scope is never closed").formulas.push(term);
        self.assertions += 1;
        Ok(AssertionId(self.assertions - 1))
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Outcome<'_> {
        if let Some(reason) = self.limits.exceeded() {
            return Outcome::Unknown(reason);
        }
        let api = ffi::api();
        let mut depth = self.depth;
        let mut translated = Vec::with_capacity(assumptions.len());
        for &assumption in assumptions {
            match self.translator.translate(&api, pool, assumption) {
                Ok(term) => translated.push(term),
                Err(reason) => return Outcome::Unknown(reason),
            }
            depth = depth.max(self.translator.depth(assumption));
        }
        depth = depth.max(self.translator.arrays.instance_depth());
        let status = ffi::on_stack(depth, || self.solve(&api, &translated));
        match status.unwrap_or(Err(Reason::Memory)) {
            Ok(Solved::Sat(model)) => Outcome::Sat(Box::new(YicesModel { prover: self, model })),
            Ok(Solved::Unsat) => Outcome::Unsat(Box::new(YicesRefutation {
                prover: self,
                assumptions: translated,
                has_core: true,
            })),
            Ok(Solved::Contradictory) => Outcome::Unsat(Box::new(YicesRefutation {
                prover: self,
                assumptions: Vec::new(),
                has_core: true,
            })),
            Ok(Solved::Once) => Outcome::Unsat(Box::new(YicesRefutation {
                prover: self,
                assumptions: translated,
                has_core: false,
            })),
            Err(reason) => Outcome::Unknown(reason),
        }
    }

    fn set_limits(&mut self, limits: &Limits) {
        self.limits = limits.clone();
    }
}

/// After this time a check of bit vectors alone starts again with another SAT solver, see [`ffi::Api::check_once`].
const BEFORE_DELEGATION: Duration = Duration::from_millis(300);

/// The time before the deadline that has to be left for a check that cannot be stopped.
const LEFT_FOR_DELEGATION: Duration = Duration::from_secs(1);

enum Solved {
    Sat(RawModel),
    Unsat,
    /// Unsatisfiable whatever the assumptions.
    Contradictory,
    /// Unsatisfiable, without a core.
    Once,
}

impl YicesProver {
    fn solve(&mut self, api: &Api, assumptions: &[YTerm]) -> Result<Solved, Reason> {
        let context = match self.synchronise(api) {
            Ok(Some(context)) => context,
            Ok(None) => return Ok(Solved::Contradictory),
            Err(reason) => {
                // A formula may be half asserted.
                self.discard(api);
                return Err(reason);
            }
        };
        // Internalisation may have taken what was left of the time.
        if let Some(reason) = self.limits.exceeded() {
            return Err(reason);
        }
        let first =
            self.may_delegate().then(|| Limits { time: Some(BEFORE_DELEGATION), ..self.limits.clone() });
        let status = {
            let _watch = watchdog::watch(context, first.as_ref().unwrap_or(&self.limits));
            api.check(context, assumptions)
        };
        if first.is_some() && status == CheckStatus::Interrupted && self.limits.exceeded().is_none() {
            self.discard(api);
            return self.solve_once(api, assumptions);
        }
        match status {
            CheckStatus::Sat if !self.translator.arrays.is_exact() => {
                Err(Reason::Incomplete("equations between arrays together with constant arrays".to_owned()))
            }
            CheckStatus::Sat => api.model(context).map(Solved::Sat).map_err(Reason::Fault),
            CheckStatus::Unsat => Ok(Solved::Unsat),
            CheckStatus::Unknown => Err(Reason::Incomplete("unknown".to_owned())),
            CheckStatus::Interrupted => {
                self.discard(api);
                Err(self.limits.exceeded().unwrap_or(Reason::Timeout))
            }
            CheckStatus::Error => {
                let error = api.error();
                self.discard(api);
                Err(Reason::Fault(error))
            }
        }
    }

    /// Whether a check that takes long may be given to a solver that cannot be stopped: for bit vectors alone, if only the
    /// deadline of the whole run limits it, and that is not near.
    fn may_delegate(&self) -> bool {
        architecture(self.translator.features()) == Some("QF_BV")
            && self.limits.time.is_none()
            && self.limits.interrupt.is_none()
            && self.limits.deadline.is_none_or(|deadline| {
                deadline.saturating_duration_since(Instant::now()) > LEFT_FOR_DELEGATION
            })
    }

    fn solve_once(&self, api: &Api, assumptions: &[YTerm]) -> Result<Solved, Reason> {
        let mut formulas: Vec<YTerm> =
            self.scopes.iter().flat_map(|scope| &scope.formulas).copied().collect();
        formulas.extend(self.translator.arrays.instances());
        formulas.extend(assumptions);
        match api.check_once(&formulas) {
            Some(Ok(model)) => Ok(Solved::Sat(model)),
            Some(Err(())) => Ok(Solved::Once),
            None => Err(Reason::Incomplete(api.error())),
        }
    }

    /// Brings the context up to the log. `None` if that is found to be unsatisfiable on the way: Yices opens no scope then.
    fn synchronise(&mut self, api: &Api) -> Result<Option<Context>, Reason> {
        let architecture = architecture(self.translator.features());
        let needs_scopes = self.scopes.len() > 1;
        if self
            .live
            .as_ref()
            .is_some_and(|live| live.architecture != architecture || (needs_scopes && !live.has_scopes))
        {
            self.discard(api);
        }
        let live = match &mut self.live {
            Some(live) => live,
            None => {
                let mode = if needs_scopes { "push-pop" } else { "multi-checks" };
                let context = api.new_context(architecture, &[("mode", mode)]).map_err(Reason::Fault)?;
                self.live.insert(Live {
                    context,
                    architecture,
                    has_scopes: needs_scopes,
                    synced: vec![Synced::default()],
                })
            }
        };
        for (level, scope) in self.scopes.iter().enumerate() {
            if level == live.synced.len() {
                if let Err(error) = api.push(live.context) {
                    return if api.is_unsat(live.context) { Ok(None) } else { Err(Reason::Fault(error)) };
                }
                let instances = live.synced[level - 1].instances;
                live.synced.push(Synced { formulas: 0, instances });
            }
            let synced = &mut live.synced[level];
            if synced.formulas < scope.formulas.len() {
                api.assert(live.context, &scope.formulas[synced.formulas..]).map_err(Reason::Fault)?;
                synced.formulas = scope.formulas.len();
            }
        }
        let synced = live.synced.last_mut().expect("the base scope is never closed");
        let instances = self.translator.arrays.instances();
        if synced.instances < instances.len() {
            api.assert(live.context, &instances[synced.instances..]).map_err(Reason::Fault)?;
            synced.instances = instances.len();
        }
        Ok(Some(live.context))
    }

    /// Throws the context away; the next check makes a new one from the log.
    fn discard(&mut self, api: &Api) {
        if let Some(live) = self.live.take() {
            api.free_context(live.context);
        }
    }
}

impl Drop for YicesProver {
    fn drop(&mut self) {
        let api = ffi::api();
        self.discard(&api);
    }
}

/// The Yices logic with the smallest combination of solvers for `features`; `None` for all of them.
fn architecture(features: Features) -> Option<&'static str> {
    let Features { bit_vectors, integers, reals, functions, arrays } = features;
    Some(match (bit_vectors, integers, reals) {
        (true, true, _) | (true, _, true) => return None,
        (_, false, false) => match (functions, arrays) {
            (_, true) => "QF_AUFBV",
            (true, false) => "QF_UFBV",
            (false, false) => "QF_BV",
        },
        (false, true, false) => match (functions, arrays) {
            (_, true) => "QF_AUFLIA",
            (true, false) => "QF_UFLIA",
            (false, false) => "QF_LIA",
        },
        (false, false, true) => match (functions, arrays) {
            (_, true) => "QF_AUFLRA",
            (true, false) => "QF_UFLRA",
            (false, false) => "QF_LRA",
        },
        (false, true, true) => match (functions, arrays) {
            (_, true) => "QF_AUFLIRA",
            (true, false) => "QF_UFLIRA",
            (false, false) => "QF_LIRA",
        },
    })
}

struct YicesModel<'p> {
    prover: &'p mut YicesProver,
    model: RawModel,
}

impl Model for YicesModel<'_> {
    fn value(&mut self, pool: &TermPool, symbol: Symbol) -> Result<Value, Reason> {
        let sort = pool.symbol_data(symbol).sort;
        let api = ffi::api();
        let translator = &self.prover.translator;
        if let Sort::Array(array) = sort {
            let (index, element) = pool.array_sort_parts(array);
            let reads = translator.arrays.reads_of(symbol);
            let jobs: Vec<_> =
                reads.iter().flat_map(|&(at, read)| [Some((at, index)), Some((read, element))]).collect();
            let raw = self.raw_values(&api, self.prover.depth, &jobs)?;
            return value::of_reads(pool, sort, raw.into_iter().flatten());
        }
        let Some(term) = translator.known_symbol(symbol) else { return value::default(pool, sort) };
        let raw = self.raw_values(&api, self.prover.depth, &[Some((term, sort))])?.pop().flatten();
        value::of_raw(raw.expect("a value for each term"), sort)
    }

    fn function(&mut self, pool: &TermPool, function: FunctionSymbol) -> Result<FunctionValue, Reason> {
        let (_, arguments, result) = pool.function_data(function);
        let Some(known) = self.prover.translator.known_function(function) else {
            return Ok(FunctionValue { default: Some(value::default(pool, result)?), ..FunctionValue::default() });
        };
        let raw = ffi::api().value(self.model, known).map_err(Reason::Fault)?;
        value::of_function(raw, arguments, result)
    }

    fn eval(&mut self, pool: &TermPool, term: Term) -> Result<Value, Reason> {
        Ok(self.eval_all(pool, &[term])?.pop().expect("as many values as terms"))
    }

    fn eval_all(&mut self, pool: &TermPool, terms: &[Term]) -> Result<Vec<Value>, Reason> {
        let api = ffi::api();
        let translator = &mut self.prover.translator;
        let mut depth = self.prover.depth;
        let mut jobs = Vec::with_capacity(terms.len());
        for &term in terms {
            // New reads of arrays are nothing that the model knows of: see `arrays`.
            let is_exact = !translator.arrays.is_used() || translator.known(term).is_some();
            if is_exact {
                let translated = translator.translate(&api, pool, term)?;
                depth = depth.max(translator.depth(term));
                jobs.push(Some((translated, pool.sort(term))));
            } else {
                jobs.push(None);
            }
        }
        let raw = self.raw_values(&api, depth, &jobs)?;
        drop(api);
        terms
            .iter()
            .zip(raw)
            .map(|(&term, raw)| match raw {
                Some(raw) => value::of_raw(raw, pool.sort(term)),
                None => self.eval_by_leaves(pool, term),
            })
            .collect()
    }
}

impl YicesModel<'_> {
    /// The value of a term that the solver never saw.
    fn eval_by_leaves(&mut self, pool: &TermPool, term: Term) -> Result<Value, Reason> {
        let (symbols, functions) = value::leaves(pool, term);
        let mut assignment = Assignment::new();
        assignment.completion = Completion::Default;
        for symbol in symbols {
            assignment.set(symbol, self.value(pool, symbol)?);
        }
        for function in functions {
            assignment.set_function(function, self.function(pool, function)?);
        }
        ir::term::eval(pool, term, &assignment)
            .map_err(|error| Reason::Unsupported(format!("evaluation: {error}")))
    }

    fn raw_values(
        &self,
        api: &Api,
        depth: u32,
        jobs: &[Option<(YTerm, Sort)>],
    ) -> Result<Vec<Option<RawValue>>, Reason> {
        let model = self.model;
        let value = |&(term, sort): &(YTerm, Sort)| match sort {
            Sort::Bool => api.bool_value(model, term).map(RawValue::Bool),
            Sort::BitVec(width) => api.bv_value(model, term, width).map(RawValue::BitVec),
            _ => api.value(model, term),
        };
        ffi::on_stack(depth, || {
            jobs.iter().map(|job| job.as_ref().map(value).transpose()).collect::<Result<Vec<_>, _>>()
        })
        .ok_or(Reason::Memory)?
        .map_err(Reason::Fault)
    }
}

impl Drop for YicesModel<'_> {
    fn drop(&mut self) {
        ffi::api().free_model(self.model);
    }
}

struct YicesRefutation<'p> {
    prover: &'p mut YicesProver,
    assumptions: Vec<YTerm>,
    /// Otherwise all assumptions are the core.
    has_core: bool,
}

impl Refutation for YicesRefutation<'_> {
    fn unsat_core(&mut self) -> Result<Vec<usize>, Reason> {
        if self.assumptions.is_empty() {
            return Ok(Vec::new());
        }
        if !self.has_core {
            return Ok((0..self.assumptions.len()).collect());
        }
        let api = ffi::api();
        let live =
            self.prover.live.as_ref().ok_or_else(|| Reason::Fault("the context is gone".to_owned()))?;
        let core = api.unsat_core(live.context).map_err(Reason::Fault)?;
        let mut indices = Vec::with_capacity(core.len());
        for term in core {
            match self.assumptions.iter().position(|&assumption| assumption == term) {
                Some(index) => indices.push(index),
                None => return Err(Reason::Fault("the unsat core contains a foreign term".to_owned())),
            }
        }
        indices.sort_unstable();
        indices.dedup();
        Ok(indices)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn yices_conforms() {
        assert_eq!(backends::conformance::run(&super::factory()), Vec::<String>::new());
    }
}
