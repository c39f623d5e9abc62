//! Which part of the library serves a configuration.
//!
//! Everything is a configuration of one analysis. Where no state can be covered and none is abstracted (`blk = never`), and the number of iterations has
//! no fixed bound, CPA++ would unroll the program anew for each bound; there [`passes::bmc`] does, which keeps what it has between bounds, and also
//! unrolls recursion.

use super::progress::Progress;
use super::statistics::Statistics;
use crate::error::CliError;
use crate::input::Compiled;
use crate::options::VerifyOptions;
use backends::ProverFactory;
use passes::evidence::Verdict;
use passes::predicate::config::Induction;
use passes::predicate::{self, Config};
use passes::{bmc, induction};

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
    Ok(engine)
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
