//! Which part of the library serves a configuration.
//!
//! Everything is a configuration of one analysis. Where no state can be covered and none is
//! abstracted (`blk = never`), and the number of iterations has no fixed bound, CPA++ would unroll
//! the program anew for each bound; there [`passes::engines::bmc`] does, which keeps what it has
//! between bounds, and also unrolls recursion.

use super::progress::Progress;
use super::statistics::Statistics;
use crate::choice::Given;
use crate::error::CliError;
use crate::input::Compiled;
use backends::ProverFactory;
use passes::engines::predicate::config::{Facts, Induction, Refinement};
use passes::engines::predicate::options::OPERATORS;
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
pub(super) fn engine(config: &Config, given: &Given) -> Result<Engine, CliError> {
    let engine = match (config.is_unrolling(), config.loop_bound, config.induction) {
        (true, None, Induction::None) => Engine::Bounded,
        (true, None, Induction::KInduction) => Engine::Induction,
        (true, Some(_), Induction::KInduction) => {
            let text = "--induction k-induction and --loop-bound: k grows; see --max-unwind";
            return Err(CliError::Usage(text.to_owned()));
        }
        _ => Engine::Analysis,
    };
    if given.has("dump") && engine != Engine::Analysis {
        let text = "--dump: without ends of blocks the graph is the unrolling; give --loop-bound to say how much of it";
        return Err(CliError::Usage(text.to_owned()));
    }
    match ineffective(config, engine, given).find(|(option, _)| given.has(option)) {
        Some((option, needs)) => {
            Err(CliError::Usage(format!("--{option} has no effect with this algorithm: {needs}")))
        }
        None => Ok(engine),
    }
}

/// The options without effect, and what each of them needs: operators by their table, then the
/// others.
fn ineffective(
    config: &Config,
    engine: Engine,
    given: &Given,
) -> impl Iterator<Item = (&'static str, &'static str)> {
    let refines = config.refinement != Refinement::None;
    let interpolates = refines && config.facts.contains(&Facts::Interpolants);
    let unrolls = engine != Engine::Analysis;
    let of_unrolling = "it is about bmc and k-induction, which unroll the program";
    let of_growth = "it is about bmc and k-induction where --unwind does not fix the bound";
    let of_interpolation = "only --refinement with --facts interpolants asks for interpolants";
    let rules = [
        ("unwind", unrolls, of_unrolling),
        ("max-unwind", unrolls, of_unrolling),
        ("k-step", unrolls && !given.has("unwind"), of_growth),
        ("dump-refinements", refines, "there are no refinements"),
        ("interpolation", interpolates, of_interpolation),
    ];
    let rules = rules.into_iter().filter(|(_, has_effect, _)| !has_effect);
    let operators = OPERATORS.iter().filter_map(|operator| Some((operator.name, operator.lacks(config)?)));
    operators.chain(rules.map(|(option, _, needs)| (option, needs)))
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
