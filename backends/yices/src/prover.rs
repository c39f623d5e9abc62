//! The prover: a log of assertions, and a context that follows it.

use crate::features::{Architecture, Features};
use crate::ffi::{self, Api, CheckStatus, Context, RawModel, YTerm, copy};
use crate::model::{Found, YicesModel};
use crate::read::Reader;
use crate::translate::{Translated, Translator};
use backends::support::{on_stack, watchdog};
use backends::{Limits, Outcome, Prover, Reason, Refutation};
use std::time::Duration;
use terms::{Term, TermPool};

/// A prover; see the crate documentation.
pub(crate) struct YicesProver {
    limits: Limits,
    pub(crate) translator: Translator,
    pub(crate) reader: Reader,
    /// The log of assertions, scope by scope.
    log: Vec<YTerm>,
    /// The open scopes, after the base scope, which always exists.
    scopes: Vec<Scope>,
    live: Option<Live>,
    /// The effort of a check of pure bit-vector formulas before it restarts with another SAT
    /// solver, see [`ffi::Api::check_once`]. `None` if that solver cannot run.
    pub(crate) before_delegation: Option<Duration>,
}

#[derive(Clone, Copy, Default)]
struct Scope {
    /// The start of the scope in the log.
    start: usize,
    /// The features of this scope and the outer ones.
    features: Features,
    /// The largest depth of a formula in this scope and the outer ones.
    depth: u32,
}

/// The Yices context with the part of the log that it has received. It may lag behind.
struct Live {
    context: Context,
    architecture: Architecture,
    /// The features that the context supports.
    features: Features,
    has_scopes: bool,
    /// One entry for each scope that is open in the context.
    synced: Vec<Synced>,
    /// Whether the answer "satisfiable" must be verified, see [`YicesProver::is_lost`].
    is_suspect: bool,
    /// The context is known to be unsatisfiable with this many scopes, and therefore with more.
    refuted: Option<usize>,
    /// The length of the prefix of the log that is known to be satisfiable.
    satisfiable: usize,
}

/// The number of asserted formulas of the log, and of asserted instances in total.
#[derive(Clone, Copy, Default)]
struct Synced {
    formulas: usize,
    instances: usize,
}

/// The result of a check.
enum Solved {
    Sat(Found),
    Unsat(Core),
}

/// The source of the unsat core.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Core {
    /// The context provides it.
    Context,
    /// No assumption is needed.
    Empty,
    /// Only the set of all assumptions is known.
    All,
}

impl Live {
    /// Whether a refutation may follow from the first `kept` formulas of the log alone, which stay
    /// asserted. Yices forgets only contradictions among such formulas, and they contain no
    /// contradiction if they are known to be satisfiable.
    fn may_lose(&self, kept: usize) -> bool {
        self.features.contains(Features::BIT_VECTORS) && self.satisfiable < kept
    }
}

impl Prover for YicesProver {
    fn push(&mut self) -> Result<(), Reason> {
        self.scopes.push(Scope { start: self.log.len(), ..self.innermost() });
        Ok(())
    }

    fn pop(&mut self) -> Result<(), Reason> {
        if self.scopes.len() == 1 {
            return Err(Reason::Misuse("pop without push".to_owned()));
        }
        let scope = self.scopes.pop().expect("the base scope is never closed");
        self.log.truncate(scope.start);
        if let Some(live) = &mut self.live {
            live.satisfiable = live.satisfiable.min(self.log.len());
        }
        if let Some(live) = &mut self.live
            && live.synced.len() > self.scopes.len()
        {
            live.synced.pop();
            live.is_suspect |= live.may_lose(self.log.len());
            live.refuted = live.refuted.filter(|&scopes| scopes <= self.scopes.len());
            let api = ffi::api();
            if api.pop(live.context).is_err() {
                self.discard(&api);
            }
        }
        Ok(())
    }

    fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<(), Reason> {
        let translated = self.translator.translate(&ffi::api(), pool, formula)?;
        let scope = self.scopes.last_mut().expect("the base scope is never closed");
        scope.features = scope.features.union(translated.features);
        scope.depth = scope.depth.max(translated.depth);
        self.log.push(translated.term);
        Ok(())
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Outcome<'_> {
        if let Some(reason) = self.limits.exceeded() {
            return Outcome::Unknown(reason);
        }
        let api = ffi::api();
        let Scope { mut depth, mut features, .. } = self.innermost();
        let mut translated = Vec::with_capacity(assumptions.len());
        for &assumption in assumptions {
            match self.translator.translate(&api, pool, assumption) {
                Ok(Translated { term, depth: below, features: needed }) => {
                    translated.push(term);
                    depth = depth.max(below);
                    features = features.union(needed);
                }
                Err(reason) => return Outcome::Unknown(reason),
            }
        }
        depth = depth.max(self.translator.arrays.instance_depth());
        features = features.union(self.translator.arrays.features());
        let solved = on_stack(depth, || self.solve(&api, &translated, features));
        match solved.unwrap_or(Err(Reason::Memory)) {
            Ok(Solved::Sat(found)) => Outcome::Sat(Box::new(YicesModel::new(self, found, depth, features))),
            Ok(Solved::Unsat(core)) => {
                Outcome::Unsat(Box::new(YicesRefutation { prover: self, assumptions: translated, core }))
            }
            Err(reason) => Outcome::Unknown(reason),
        }
    }

    fn set_limits(&mut self, limits: &Limits) {
        self.limits = limits.clone();
    }
}

/// The usual [effort before delegation](YicesProver::before_delegation).
const BEFORE_DELEGATION: Duration = Duration::from_millis(300);

/// Answers of the copy of the process in which [`ffi::Api::check_once`] runs; values follow `SAT`.
const SAT: u8 = 1;
const UNSAT: u8 = 2;

/// Whether a long check may be delegated after the effort `before`: one of pure bit-vector
/// formulas, with time for both solvers.
fn may_delegate(architecture: Architecture, before: Duration, limits: &Limits) -> bool {
    architecture == Architecture::Logic("QF_BV") && limits.left().is_none_or(|left| left > 2 * before)
}

impl YicesProver {
    /// A prover without assertions.
    pub(crate) fn new(limits: &Limits) -> Self {
        YicesProver {
            limits: limits.clone(),
            translator: Translator::default(),
            reader: Reader::default(),
            log: Vec::new(),
            scopes: vec![Scope::default()],
            live: None,
            before_delegation: Some(BEFORE_DELEGATION),
        }
    }

    fn innermost(&self) -> Scope {
        *self.scopes.last().expect("the base scope is never closed")
    }

    fn solve(&mut self, api: &Api, assumptions: &[YTerm], features: Features) -> Result<Solved, Reason> {
        if self.live.as_ref().is_some_and(|live| live.refuted.is_some()) {
            return Ok(Solved::Unsat(Core::Empty));
        }
        let (context, architecture) = match self.synchronise(api, features) {
            Ok(Some(live)) => live,
            Ok(None) => {
                self.note_refuted();
                return Ok(Solved::Unsat(Core::Empty));
            }
            Err(reason) => {
                // A formula may be partly asserted.
                self.discard(api);
                return Err(reason);
            }
        };
        // Internalization may have used up the remaining time.
        if let Some(reason) = self.limits.exceeded() {
            return Err(reason);
        }
        if architecture == Architecture::Mcsat && !assumptions.is_empty() {
            return self.solve_in_scope(api, context, assumptions);
        }
        let limits = self.limits.of_check();
        let before = self.before_delegation.filter(|&before| may_delegate(architecture, before, &limits));
        let first = before.map(|before| limits.within(before));
        let status = if before.is_some_and(|before| before.is_zero()) {
            CheckStatus::Interrupted
        } else {
            let _watch = watchdog::watch(move || context.stop(), first.as_ref().unwrap_or(&limits));
            match architecture {
                Architecture::Mcsat => api.check_mcsat(context),
                _ => api.check(context, assumptions),
            }
        };
        if let Some(live) = &mut self.live
            && status == CheckStatus::Unsat
            && !assumptions.is_empty()
        {
            live.is_suspect |= live.may_lose(self.log.len());
        }
        if first.is_some() && status == CheckStatus::Interrupted && limits.exceeded().is_none() {
            self.discard(api);
            match self.solve_once(api, assumptions, &limits) {
                Err(reason) if !matches!(reason, Reason::Timeout | Reason::Interrupted) => {
                    tracing::debug!(%reason, "y2sat cannot run");
                    self.before_delegation = None;
                    return self.solve(api, assumptions, features);
                }
                solved => return solved,
            }
        }
        self.judge(api, status)?;
        match status {
            CheckStatus::Unsat if assumptions.is_empty() => {
                self.note_refuted();
                Ok(Solved::Unsat(Core::Empty))
            }
            CheckStatus::Unsat => Ok(Solved::Unsat(Core::Context)),
            _ if architecture != Architecture::Mcsat
                && self.live.as_ref().is_some_and(|live| live.is_suspect) =>
            {
                let model = api.model(context).map_err(Reason::Fault)?;
                if self.is_lost(api, model, assumptions) {
                    api.free_model(model);
                    self.discard(api);
                    // The new context is not suspect.
                    return self.solve(api, assumptions, features);
                }
                Ok(Solved::Sat(Found::Model(model)))
            }
            _ => {
                if let Some(live) = &mut self.live {
                    live.satisfiable = self.log.len();
                }
                Ok(Solved::Sat(Found::In(context)))
            }
        }
    }

    /// Records that the context is unsatisfiable without assumptions.
    fn note_refuted(&mut self) {
        if let Some(live) = &mut self.live {
            live.refuted = Some(live.synced.len());
        }
    }

    /// Whether the context has lost assertions, see [`Live::may_lose`]. Yices bit-blasts at a
    /// check; the next check, or closing a scope, forgets a contradiction found during
    /// bit-blasting, and the next answer is "satisfiable", with an arbitrary model.
    fn is_lost(&self, api: &Api, model: RawModel, assumptions: &[YTerm]) -> bool {
        let mut formulas = self.log.iter().chain(assumptions).chain(self.translator.arrays.instances());
        !formulas.all(|&formula| api.bool_value(model, formula) == Ok(true))
    }

    /// Accepts a conclusive status; otherwise returns the reason.
    fn judge(&mut self, api: &Api, status: CheckStatus) -> Result<(), Reason> {
        match status {
            CheckStatus::Sat if !self.translator.arrays.is_exact() => {
                Err(Reason::Incomplete("equations between arrays together with constant arrays".to_owned()))
            }
            CheckStatus::Sat | CheckStatus::Unsat => Ok(()),
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

    /// MCSAT ignores assumptions, so they are asserted in a temporary scope.
    fn solve_in_scope(
        &mut self,
        api: &Api,
        context: Context,
        assumptions: &[YTerm],
    ) -> Result<Solved, Reason> {
        if api.push(context).is_err() {
            return if api.is_unsat(context) {
                Ok(Solved::Unsat(Core::Empty))
            } else {
                Err(Reason::Fault(api.error()))
            };
        }
        let status = match api.assert(context, assumptions) {
            Ok(()) => {
                let _watch = watchdog::watch(move || context.stop(), &self.limits);
                api.check_mcsat(context)
            }
            Err(error) => {
                self.discard(api);
                return Err(Reason::Fault(error));
            }
        };
        self.judge(api, status)?;
        let solved = match status {
            CheckStatus::Unsat => Ok(Solved::Unsat(Core::All)),
            _ => api.model(context).map(|model| Solved::Sat(Found::Model(model))).map_err(Reason::Fault),
        };
        if api.pop(context).is_err() {
            self.discard(api);
        }
        solved
    }

    /// Decides the formulas of the log and the assumptions in a copy of the process.
    fn solve_once(&self, api: &Api, assumptions: &[YTerm], limits: &Limits) -> Result<Solved, Reason> {
        let formulas = [&self.log, self.translator.arrays.instances(), assumptions].concat();
        let answer = copy::answer_of_copy(limits, || match api.check_once(&formulas) {
            Some(Ok(model)) => match api.values_of(model, self.translator.known_constants()) {
                Ok(values) => [&[SAT], &*values].concat(),
                Err(_) => Vec::new(),
            },
            Some(Err(())) => vec![UNSAT],
            None => Vec::new(),
        })?;
        match answer.as_deref() {
            Some([SAT, values @ ..]) => {
                Ok(Solved::Sat(Found::Model(api.model_of(values).map_err(Reason::Fault)?)))
            }
            Some([UNSAT]) => Ok(Solved::Unsat(Core::All)),
            _ => Err(Reason::Incomplete("y2sat gave no answer".to_owned())),
        }
    }

    /// Brings a context that supports `features` up to date with the log. `None` if it becomes
    /// unsatisfiable on the way: Yices then opens no scope.
    fn synchronise(
        &mut self,
        api: &Api,
        features: Features,
    ) -> Result<Option<(Context, Architecture)>, Reason> {
        let needs_scopes = self.scopes.len() > 1;
        let is_fit = |live: &Live| {
            // MCSAT is slower, so it is abandoned as soon as it is not needed.
            let is_linear = !features.contains(Features::NONLINEAR);
            live.features.contains(features)
                && !(is_linear && live.architecture == Architecture::Mcsat)
                && (live.has_scopes || !needs_scopes)
        };
        if !self.live.as_ref().is_some_and(is_fit) {
            self.discard(api);
        }
        let live = match &mut self.live {
            Some(live) => live,
            None => {
                let architecture = Architecture::new(features)?;
                let has_scopes = needs_scopes || architecture == Architecture::Mcsat;
                let mode = if has_scopes { "push-pop" } else { "multi-checks" };
                let context = api.new_context(architecture, &[("mode", mode)]).map_err(Reason::Fault)?;
                let synced = vec![Synced::default()];
                self.live.insert(Live {
                    context,
                    architecture,
                    features,
                    has_scopes,
                    synced,
                    is_suspect: false,
                    refuted: None,
                    satisfiable: 0,
                })
            }
        };
        // Only the innermost scope grows, so the scopes around the last synchronized one are
        // complete.
        for level in live.synced.len() - 1..self.scopes.len() {
            if level == live.synced.len() {
                if let Err(error) = api.push(live.context) {
                    return if api.is_unsat(live.context) { Ok(None) } else { Err(Reason::Fault(error)) };
                }
                live.synced.push(live.synced[level - 1]);
            }
            let synced = &mut live.synced[level];
            let end = self.scopes.get(level + 1).map_or(self.log.len(), |next| next.start);
            if synced.formulas < end {
                api.assert(live.context, &self.log[synced.formulas..end]).map_err(Reason::Fault)?;
                synced.formulas = end;
            }
        }
        let synced = live.synced.last_mut().expect("the base scope is never closed");
        let instances = self.translator.arrays.instances();
        if synced.instances < instances.len() {
            api.assert(live.context, &instances[synced.instances..]).map_err(Reason::Fault)?;
            synced.instances = instances.len();
        }
        Ok(Some((live.context, live.architecture)))
    }

    /// Discards the context; the next check rebuilds it from the log.
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

struct YicesRefutation<'p> {
    prover: &'p mut YicesProver,
    assumptions: Vec<YTerm>,
    core: Core,
}

impl Refutation for YicesRefutation<'_> {
    fn unsat_core(&mut self) -> Result<Vec<usize>, Reason> {
        match self.core {
            Core::Empty => return Ok(Vec::new()),
            Core::All => return Ok((0..self.assumptions.len()).collect()),
            Core::Context => {}
        }
        let api = ffi::api();
        let live =
            self.prover.live.as_ref().ok_or_else(|| Reason::Fault("the context was discarded".to_owned()))?;
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
