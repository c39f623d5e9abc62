//! The choice of the engine for a configuration.
//!
//! Every algorithm is a configuration of one analysis, CPA++. Without block ends (`blk = never`),
//! CPA++ abstracts and covers no state, and it would unroll the program again for each bound. In
//! this case, if `--loop-bound` is not given, [`passes::engines::bmc`] runs instead. It extends its
//! unrolling incrementally from bound to bound, and also unrolls recursion.

use super::clauses::engines;
use super::progress::Progress;
use super::statistics::Statistics;
use crate::analysis::AnalysisOptions;
use crate::choice::Given;
use crate::error::CliError;
use crate::input::Compiled;
use backends::{ProverFactory, Registry};
use passes::engines::induction::{Method, Order};
use passes::engines::predicate::config::{Facts, Induction, Refinement};
use passes::engines::predicate::options::OPERATORS;
use passes::engines::predicate::restrictions::Restrictions;
use passes::engines::predicate::reuse::Reuse;
use passes::engines::predicate::{self, Config};
use passes::engines::{bmc, induction};
use passes::evidence::Verdict;
use passes::names::SavedPrecision;
use std::rc::Rc;

/// An engine of the library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Engine {
    /// Bounded model checking.
    Bounded,
    /// Bounded model checking with a step case.
    Induction,
    /// CPA++.
    Analysis,
}

/// Returns the engine for a configuration.
pub(super) fn engine(config: &Config, given: &Given) -> Result<Engine, CliError> {
    let engine = match (config.is_unrolling(), config.restrictions == Restrictions::NONE, config.induction) {
        (true, true, Induction::None) => Engine::Bounded,
        (true, true, _) => Engine::Induction,
        (true, false, induction) if induction != Induction::None => {
            return Err(CliError::Usage(format!(
                "incompatible options: --induction {induction} and --loop-bound, --path-bound or --call-bound; use \
                 --k-max to bound k"
            )));
        }
        _ => Engine::Analysis,
    };
    if given.has("dump") {
        let refused = match (engine, config.induction) {
            (Engine::Analysis, _) | (Engine::Induction, Induction::KInduction | Induction::Kiki) => None,
            (Engine::Induction, _) => Some("--dump has no effect with this algorithm: it draws no graph"),
            (Engine::Bounded, _) => {
                Some("--dump needs --loop-bound: without block ends, the graph would be the unrolling")
            }
        };
        if let Some(text) = refused {
            return Err(CliError::Usage(text.to_owned()));
        }
    }
    match ineffective(config, engine, given).find(|(option, _)| given.has(option)) {
        Some((option, needs)) => {
            Err(CliError::Usage(format!("--{option} has no effect with this algorithm: {needs}")))
        }
        None => Ok(engine),
    }
}

/// Returns the options that have no effect with this configuration, each with the reason: first the
/// operators of [`OPERATORS`], then the other options.
fn ineffective(
    config: &Config,
    engine: Engine,
    given: &Given,
) -> impl Iterator<Item = (&'static str, &'static str)> {
    let refines = config.refinement != Refinement::None;
    let interpolates = refines && config.facts.contains(&Facts::Interpolants);
    let unrolls = engine != Engine::Analysis;
    let of_unrolling = "only bmc, k-induction, kiki, pdr and horn unroll the program";
    let of_growth = "only bmc, k-induction, kiki, pdr and horn without --unwind increase the bound";
    let uses_invariants = match engine {
        Engine::Induction => config.induction != Induction::Horn,
        Engine::Bounded | Engine::Analysis => !config.injection.is_empty(),
    };
    let of_invariants = "only k-induction, kiki, pdr and --inject use auxiliary invariants";
    let of_step_case = "only k-induction and kiki have a step case";
    let has_step_case = matches!(config.induction, Induction::KInduction | Induction::Kiki);
    let has_predicates = matches!(config.refinement, Refinement::Predicate | Refinement::Ufo);
    let of_predicates = "it requires predicates from --refinement predicate or ufo";
    let of_precision = "only an analysis with a --refinement has a precision";
    let of_interpolation = "only --refinement with --facts interpolants computes interpolants";
    let rules = [
        ("unwind", unrolls, of_unrolling),
        ("max-unwind", unrolls, of_unrolling),
        ("unwindset", unrolls, of_unrolling),
        ("k-step", unrolls && !given.has("unwind"), of_growth),
        ("k-first", unrolls && !given.has("unwind"), of_growth),
        ("k-max", has_step_case, of_step_case),
        ("counterexample-check", unrolls, of_unrolling),
        ("engine", config.induction == Induction::Horn, "only horn chooses among engines for Horn clauses"),
        ("invariants", uses_invariants, of_invariants),
        ("domains", uses_invariants, of_invariants),
        ("template", uses_invariants, of_invariants),
        ("bound-search", uses_invariants, of_invariants),
        ("dump-refinements", refines, "the algorithm has no refinements"),
        ("interpolation", interpolates, of_interpolation),
        ("precision-in", has_predicates, of_predicates),
        ("precision-out", refines, of_precision),
    ];
    let rules = rules.into_iter().filter(|(_, has_effect, _)| !has_effect);
    let operators = OPERATORS.iter().filter_map(|operator| Some((operator.name, operator.lacks(config)?)));
    operators.chain(rules.map(|(option, _, needs)| (option, needs)))
}

/// Returns how induction finds proofs.
///
/// # Errors
/// See [`engines`].
pub(super) fn method(
    analysis: &Config,
    options: &AnalysisOptions,
    factory: &Rc<dyn ProverFactory>,
    registry: &Registry,
) -> Result<Method, CliError> {
    Ok(match analysis.induction {
        Induction::Horn => Method::Clauses(engines(&options.engine, factory, registry)?),
        Induction::Pdr => Method::Reachability,
        Induction::None | Induction::KInduction | Induction::Kiki => Method::StepCase,
    })
}

/// The choices of a run.
pub(super) struct Choices<'o> {
    /// The options of the algorithm.
    pub(super) options: &'o AnalysisOptions,
    /// The operators of the analysis.
    pub(super) analysis: &'o Config,
    /// How induction finds proofs.
    pub(super) method: Method,
    /// Limits, theories and passes.
    pub(super) search: &'o bmc::Config,
    /// The initial precision, and whether the final one is saved.
    pub(super) reuse: Reuse,
}

/// The result of an engine.
pub(super) struct Finished {
    /// The verdict.
    pub(super) verdict: Verdict,
    /// The cost.
    pub(super) statistics: Statistics,
    /// The final precision, if it was wanted.
    pub(super) precision: Option<SavedPrecision>,
}

/// Runs `engine`.
pub(super) fn run(
    engine: Engine,
    choices: Choices<'_>,
    compiled: &mut Compiled,
    factory: &dyn ProverFactory,
    progress: &mut Progress,
) -> Finished {
    let Choices { options, analysis, method, search: config, reuse } = choices;
    let (pool, program) = (&mut compiled.pool, &compiled.program);
    let (verdict, statistics) = match engine {
        Engine::Bounded => {
            let report = bmc::run(pool, program, factory, config, progress);
            (report.verdict, Statistics::Bounded(report.statistics))
        }
        Engine::Induction => {
            let order = match analysis.induction {
                Induction::Kiki | Induction::Horn => Order::StepFirst,
                Induction::None | Induction::KInduction | Induction::Pdr => Order::BaseFirst,
            };
            let invariants = options.invariants();
            let largest_k = options.k_max;
            let config = induction::Config { search: config.clone(), largest_k, invariants, order, method };
            let report = induction::run(pool, program, factory, &config, progress);
            (report.verdict, Statistics::Induction(report.statistics))
        }
        Engine::Analysis => {
            let invariants = options.invariants();
            let settings = predicate::Settings { search: config.clone(), invariants, reuse };
            let report = predicate::run(pool, program, factory, analysis, &settings, progress);
            let statistics = Statistics::Analysis(report.statistics);
            return Finished { verdict: report.verdict, statistics, precision: report.precision };
        }
    };
    Finished { verdict, statistics, precision: None }
}
