//! The engines of `--algorithm horn`.

use crate::clauses::Engine;
use crate::error::CliError;
use crate::horn::engine_over;
use backends::{ProverFactory, Registry};
use passes::engines::induction::Engines;
use std::rc::Rc;
use terms::choice::Choice;

/// Returns the engines of these names, or all of this build, over provers of `factory`, which also
/// checks their answers before the other solvers of `registry` do.
///
/// # Errors
/// An engine that finds no models, or that this build does not have.
pub(super) fn engines(
    names: &[Engine],
    factory: &Rc<dyn ProverFactory>,
    registry: &Registry,
) -> Result<Engines, CliError> {
    if names.contains(&Engine::Bmc) {
        let text = "--engine bmc finds no proofs; bounded model checking is the base case of the algorithm";
        return Err(CliError::Usage(text.to_owned()));
    }
    let over = |engine| engine_over(engine, Rc::clone(factory), registry);
    let solvers = match names.is_empty() || names.contains(&Engine::Auto) {
        true => available().into_iter().filter_map(|engine| over(engine).ok()).collect(),
        false => names.iter().map(|&engine| over(engine)).collect::<Result<Vec<_>, _>>()?,
    };
    let others = registry.provers.iter().filter(|other| other.name() != factory.name());
    let checkers = std::iter::once(factory).chain(others).cloned().collect();
    Ok(Engines { solvers, checkers })
}

/// All engines that find models. The one that runs in this process is the last, because its crash
/// ends the run.
fn available() -> Vec<Engine> {
    let engines = Engine::TABLE.iter().map(|named| named.value);
    let engines = engines.filter(|engine| !matches!(engine, Engine::Auto | Engine::Bmc));
    let (last, mut first): (Vec<_>, Vec<_>) = engines.partition(|&engine| engine == Engine::Spacer);
    first.extend(last);
    first
}
