//! The source of interpolants `mcsat`: model interpolation.
//!
//! # Idea
//! The source takes a model of `B`. MCSAT then decides `A` with the shared symbols fixed to their
//! values in the model; the conflict that refutes them, resolved down to the fixed values, is a
//! clause over shared symbols that `A` implies and the model falsifies. The clause is added to `B`,
//! and the loop repeats until `B` is unsatisfiable: then the conjunction of the clauses is the
//! interpolant. (Jovanović, Dutertre, *Interpolation and Model Checking for Nonlinear Arithmetic*,
//! CAV 2021.)
//!
//! Strong on problems with few models to refute, straight-line arithmetic, nonlinear arithmetic,
//! bit vectors. Weak on relations between symbols, since every clause refutes one point: `i = 2j`
//! against `i = 2k + 1` refutes one value of `i` after another forever.
//!
//! # DIVERGENCE
//! The library offers this loop as one call, `yices_check_context_with_interpolation`. It crashes
//! on shared functions, rejects shared arrays, and cannot be interrupted between rounds. So the
//! loop is implemented here: limits are respected, only shared constants are fixed, and any
//! combination of solvers may decide `B`. Bit vectors are bit-blasted in `B`, which is much faster
//! than MCSAT on both sides; for linear arithmetic, MCSAT finds models that fewer clauses refute.
//! [`Guard::None`] calls the library's loop, to test that a worker process survives it.
//!
//! # Limits
//! Two parts. No functions, uninterpreted sorts and arrays in `A` (`B` may contain any of them). A
//! root of a polynomial in a clause is [`Reason::Unsupported`]. A step of MCSAT's algebra cannot be
//! interrupted.

use crate::features::{Architecture, Features};
use crate::ffi::{self, Api, CheckStatus, Context, RawModel, YTerm};
use crate::read::Reader;
use crate::translate::{Constants, Translator};
use backends::interpolation::{Interpolants, Interpolator, InterpolatorFactory, Preference, Problem, Shape};
use backends::support::{on_stack, watchdog};
use backends::{Limits, ProverFactory, Reason};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use terms::{Symbol, Term, TermPool};

/// The sources of this backend: `mcsat`.
pub fn interpolators() -> Vec<Rc<dyn InterpolatorFactory>> {
    vec![Rc::new(McsatFactory { config: McsatConfig { guard: Guard::Refuse } })]
}

/// The source `mcsat-unguarded`, which ignores limits and may crash or hang. Only for tests of the
/// process around it.
pub fn unguarded_interpolator() -> Rc<dyn InterpolatorFactory> {
    Rc::new(McsatFactory { config: McsatConfig { guard: Guard::None } })
}

/// The configuration of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct McsatConfig {
    /// The treatment of problems that crash the library.
    pub guard: Guard,
}

/// The treatment of problems that crash the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// Rejects such problems and respects limits.
    Refuse,
    /// Passes them to the library's own loop, without limits.
    None,
}

struct McsatFactory {
    config: McsatConfig,
}

impl InterpolatorFactory for McsatFactory {
    fn name(&self) -> &'static str {
        name(self.config)
    }

    fn solver(&self) -> Option<&'static str> {
        Some("yices")
    }

    fn shape(&self) -> Shape {
        Shape::Binary
    }

    fn theories(&self) -> Vec<&'static str> {
        vec!["Core", "Ints", "Reals", "NonlinearInts", "NonlinearReals", "FixedSizeBitVectors"]
    }

    fn new_interpolator(
        &self,
        _solver: &Rc<dyn ProverFactory>,
        _preference: Preference,
    ) -> Box<dyn Interpolator> {
        Box::new(Mcsat { config: self.config, constants: Constants::default() })
    }
}

fn name(config: McsatConfig) -> &'static str {
    match config.guard {
        Guard::Refuse => "mcsat",
        Guard::None => "mcsat-unguarded",
    }
}

struct Mcsat {
    config: McsatConfig,
    constants: Constants,
}

/// The maximal number of clauses; beyond it the loop most likely diverges.
const MOST_ROUNDS: usize = 20_000;

impl Interpolator for Mcsat {
    fn name(&self) -> &str {
        name(self.config)
    }

    fn solver(&self) -> Option<&str> {
        Some("yices")
    }

    fn shape(&self) -> Shape {
        Shape::Binary
    }

    fn interpolate(&mut self, pool: &mut TermPool, problem: &Problem, limits: &Limits) -> Interpolants {
        let (a, b) = match &problem.parts[..] {
            [_] => return Interpolants::Found(Vec::new()),
            [a, b] => (a, b),
            _ => return Interpolants::Unknown(Reason::Unsupported("more than two parts".to_owned())),
        };
        if let Some(reason) = limits.exceeded() {
            return Interpolants::Unknown(reason);
        }
        let limits = limits.of_check();
        // Each call has its own translator, since it may have its own pool.
        let mut translator = Translator::with_constants(std::mem::take(&mut self.constants));
        let answer = interpolate(self.config.guard, &mut translator, pool, [a, b], &limits);
        self.constants = translator.into_constants();
        answer.into()
    }
}

/// A translated part.
#[derive(Default)]
struct Part {
    formulas: Vec<YTerm>,
    features: Features,
    depth: u32,
}

fn interpolate(
    guard: Guard,
    translator: &mut Translator,
    pool: &mut TermPool,
    parts: [&Vec<Term>; 2],
    limits: &Limits,
) -> Result<Interpolants, Reason> {
    let api = ffi::api();
    let a = translate(&api, translator, pool, parts[0])?;
    let unsafe_features = Features::FUNCTIONS.union(Features::ARRAYS).union(Features::ARRAY_TERMS);
    if guard == Guard::Refuse && a.features.intersects(unsafe_features) {
        return Err(Reason::Unsupported("functions and arrays in the first part".to_owned()));
    }
    let mut b = translate(&api, translator, pool, parts[1])?;
    b.formulas.extend(translator.arrays.instances());
    b.features = b.features.union(translator.arrays.features());
    let symbols: FxHashSet<Symbol> = pool.free_symbols_of(parts[0]).into_iter().collect();
    let shared: Vec<Symbol> =
        pool.free_symbols_of(parts[1]).into_iter().filter(|symbol| symbols.contains(symbol)).collect();
    let constants: Vec<YTerm> = shared.iter().filter_map(|&symbol| translator.known_symbol(symbol)).collect();
    let depth = a.depth.max(b.depth).max(translator.arrays.instance_depth());
    let is_exact = translator.arrays.is_exact();
    if guard == Guard::None {
        // The library fixes only named constants.
        for (number, constant) in translator.known_constants().enumerate() {
            api.set_name(constant, &format!("constant {number}"));
        }
    }
    let clauses = on_stack(depth, || match guard {
        Guard::Refuse => Loop { api: &api, shared: &constants, limits, is_exact }.run(&a, &b),
        Guard::None => library_loop(&api, &a, &b),
    });
    let Some(clauses) = clauses.unwrap_or(Err(Reason::Memory))? else {
        return Ok(Interpolants::Satisfiable(None));
    };
    let mut reader = Reader::default();
    let mut conjuncts = Vec::new();
    for clause in clauses {
        conjuncts.push(reader.read(&api, pool, translator, clause)?);
    }
    let interpolant = pool.and(&conjuncts);
    match pool.free_symbols(interpolant).into_iter().find(|symbol| !shared.contains(symbol)) {
        None => Ok(Interpolants::Found(vec![interpolant])),
        Some(symbol) => {
            let name = &pool.symbol_data(symbol).name;
            Err(Reason::Fault(format!("the interpolant contains {name}, which is not shared")))
        }
    }
}

fn translate(
    api: &Api,
    translator: &mut Translator,
    pool: &TermPool,
    formulas: &[Term],
) -> Result<Part, Reason> {
    let mut part = Part::default();
    for &formula in formulas {
        let translated = translator.translate(api, pool, formula)?;
        part.formulas.push(translated.term);
        part.features = part.features.union(translated.features);
        part.depth = part.depth.max(translated.depth);
    }
    Ok(part)
}

/// A context that is freed when dropped.
struct Owned<'a> {
    api: &'a Api,
    context: Context,
}

impl<'a> Owned<'a> {
    fn new(
        api: &'a Api,
        architecture: Architecture,
        settings: &[(&str, &str)],
        part: &Part,
    ) -> Result<Self, Reason> {
        let context = api.new_context(architecture, settings).map_err(Reason::Fault)?;
        let owned = Owned { api, context };
        api.assert(context, &part.formulas).map_err(Reason::Fault)?;
        Ok(owned)
    }
}

impl Drop for Owned<'_> {
    fn drop(&mut self) {
        self.api.free_context(self.context);
    }
}

const FOR_INTERPOLATION: [(&str, &str); 2] = [("mode", "push-pop"), ("model-interpolation", "true")];

struct Loop<'a> {
    api: &'a Api,
    /// The constants that are fixed.
    shared: &'a [YTerm],
    limits: &'a Limits,
    /// Whether every model of the translation is a model of the problem.
    is_exact: bool,
}

impl Loop<'_> {
    /// Returns clauses over the shared constants, each implied by `a` and together unsatisfiable
    /// with `b`; `None` if `a` and `b` are satisfiable.
    fn run(&self, a: &Part, b: &Part) -> Result<Option<Vec<YTerm>>, Reason> {
        let api = self.api;
        let architecture = match Architecture::new(b.features)? {
            Architecture::Logic("QF_LIA" | "QF_LRA" | "QF_LIRA") => Architecture::Mcsat,
            other => other,
        };
        let a = Owned::new(api, Architecture::Mcsat, &FOR_INTERPOLATION, a)?;
        let b = Owned::new(api, architecture, &[("mode", "push-pop")], b)?;
        let mut clauses = Vec::new();
        while clauses.len() < MOST_ROUNDS {
            if self.decide(b.context, || match architecture {
                Architecture::Mcsat => api.check_mcsat(b.context),
                _ => api.check(b.context, &[]),
            })? == CheckStatus::Unsat
            {
                return Ok(Some(clauses));
            }
            let model = api.model(b.context).map_err(Reason::Fault)?;
            let clause = self.refute(a.context, model);
            api.free_model(model);
            let Some(clause) = clause? else { return Ok(None) };
            api.assert(b.context, &[clause]).map_err(Reason::Fault)?;
            clauses.push(clause);
        }
        Err(Reason::Incomplete(format!("gave up after refuting {MOST_ROUNDS} models one by one")))
    }

    /// Returns a clause that `a` implies and `model` falsifies; `None` if they have a common model.
    fn refute(&self, a: Context, model: RawModel) -> Result<Option<YTerm>, Reason> {
        match self.decide(a, || self.api.check_with_model(a, model, self.shared))? {
            CheckStatus::Sat if !self.is_exact => {
                Err(Reason::Incomplete("equations between arrays together with constant arrays".to_owned()))
            }
            CheckStatus::Sat => Ok(None),
            _ => self.api.model_interpolant(a).map(Some).map_err(Reason::Fault),
        }
    }

    /// The status of a check of `context`, if it is conclusive.
    fn decide(&self, context: Context, check: impl FnOnce() -> CheckStatus) -> Result<CheckStatus, Reason> {
        if let Some(reason) = self.limits.exceeded() {
            return Err(reason);
        }
        let status = {
            let _watch = watchdog::watch(move || context.stop(), self.limits);
            check()
        };
        match status {
            CheckStatus::Sat | CheckStatus::Unsat => Ok(status),
            CheckStatus::Unknown => Err(Reason::Incomplete("unknown".to_owned())),
            CheckStatus::Interrupted => Err(self.limits.exceeded().unwrap_or(Reason::Timeout)),
            CheckStatus::Error => Err(Reason::Fault(self.api.error())),
        }
    }
}

fn library_loop(api: &Api, a: &Part, b: &Part) -> Result<Option<Vec<YTerm>>, Reason> {
    let a = Owned::new(api, Architecture::Mcsat, &FOR_INTERPOLATION, a)?;
    let b = Owned::new(api, Architecture::Mcsat, &[("mode", "push-pop")], b)?;
    match api.check_with_interpolation(a.context, b.context).map_err(Reason::Fault)? {
        (CheckStatus::Unsat, interpolant) => Ok(Some(vec![interpolant])),
        (CheckStatus::Sat, _) => Ok(None),
        (status, _) => Err(Reason::Fault(format!("the library's interpolation returned {status:?}"))),
    }
}
