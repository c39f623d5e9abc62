//! Which part of the library serves a configuration.
//!
//! Everything is a configuration of one analysis. Where no state can be covered and none is abstracted (`blk = never`), and the number of iterations has
//! no fixed bound, CPA++ would unroll the program anew for each bound; there [`passes::engines::bmc`] does, which keeps what it has between bounds, and also
//! unrolls recursion.

use super::progress::Progress;
use super::statistics::Statistics;
use crate::error::CliError;
use crate::input::Compiled;
use crate::options::VerifyOptions;
use backends::ProverFactory;
use passes::engines::predicate::config::{Facts, Induction, Refinement};
use passes::engines::predicate::{self, Config};
use passes::engines::{bmc, induction};
use passes::evidence::Verdict;

/// Parts of the library that verify.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Engine {
    /// The unroller.
    Bounded,
    /// The unroller and a step case.
    Induction,
    /// CPA++.
    Analysis,
}

/// The engine for a configuration.
pub(super) fn engine(config: &Config, options: &VerifyOptions) -> Result<Engine, CliError> {
    let engine = match (config.is_unrolling(), config.loop_bound, config.induction) {
        (true, None, Induction::None) => Engine::Bounded,
        (true, None, Induction::KInduction) => Engine::Induction,
        (true, Some(_), Induction::KInduction) => {
            let text = "--induction k-induction and --loop-bound: k grows; see --max-unwind";
            return Err(CliError::Usage(text.to_owned()));
        }
        _ => Engine::Analysis,
    };
    if options.evidence.dump.is_some() && engine != Engine::Analysis {
        let text = "--dump: without ends of blocks the graph is the unrolling; give --loop-bound to say how much of it";
        return Err(CliError::Usage(text.to_owned()));
    }
    match ineffective(config, engine, options).into_iter().find(|rule| rule.is_given && !rule.has_effect) {
        Some(Effect { option, needs, .. }) => {
            Err(CliError::Usage(format!("{option} has no effect with this algorithm: {needs}")))
        }
        None => Ok(engine),
    }
}

/// An option that matters to some algorithms only.
struct Effect {
    option: &'static str,
    is_given: bool,
    has_effect: bool,
    /// What would have to be so.
    needs: &'static str,
}

/// The options that may have no effect. Those of the table of [`presets`](passes::engines::predicate::presets) that stand in each row have their meaning in each.
fn ineffective(config: &Config, engine: Engine, options: &VerifyOptions) -> Vec<Effect> {
    let (analysis, solving) = (&options.analysis, &options.solving);
    let refines = config.refinement != Refinement::None;
    let has_precision = matches!(config.refinement, Refinement::Predicate | Refinement::Ufo);
    let interpolates = refines && config.facts.contains(&Facts::Interpolants);
    let unrolls = engine != Engine::Analysis;
    let rule = |option, is_given, has_effect, needs| Effect { option, is_given, has_effect, needs };
    let of_precision = "it is about predicates, which --refinement predicate and ufo make";
    let of_unrolling = "it is about bmc and k-induction, which unroll the program";
    let of_interpolation = "only --refinement with --facts interpolants asks for interpolants";
    vec![
        rule("--scope", analysis.scope.is_some(), has_precision, of_precision),
        rule("--granularity", analysis.granularity.is_some(), has_precision, of_precision),
        rule("--restart", analysis.restart.is_some(), has_precision, of_precision),
        rule("--facts", !analysis.facts.is_empty(), refines, "facts are for a --refinement"),
        rule("--unwind", options.unwind.is_some(), unrolls, of_unrolling),
        rule("--max-unwind", options.max_unwind.is_some(), unrolls, of_unrolling),
        rule(
            "--k-step",
            analysis.k_step.is_some(),
            unrolls && options.unwind.is_none(),
            "it is about bmc and k-induction where --unwind does not fix the bound",
        ),
        rule("--dump-refinements", options.evidence.dump_refinements, refines, "there are no refinements"),
        rule("--interpolation", !solving.interpolation.is_empty(), interpolates, of_interpolation),
    ]
}

/// Runs it.
pub(super) fn run(
    engine: Engine,
    analysis: &Config,
    config: &bmc::Config,
    compiled: &mut Compiled,
    factory: &dyn ProverFactory,
    progress: &mut Progress,
) -> (Verdict, Statistics) {
    let (pool, program) = (&mut compiled.pool, &compiled.program);
    match engine {
        Engine::Bounded => {
            let report = bmc::run(pool, program, factory, config, progress);
            (report.verdict, Statistics::Bounded(report.statistics))
        }
        Engine::Induction => {
            let config = induction::Config::new(config.clone());
            let report = induction::run(pool, program, factory, &config, progress);
            (report.verdict, Statistics::Induction(report.statistics))
        }
        Engine::Analysis => {
            let report = predicate::run(pool, program, factory, analysis, config, progress);
            (report.verdict, Statistics::Analysis(report.statistics))
        }
    }
}
