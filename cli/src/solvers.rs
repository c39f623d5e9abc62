//! The registry of built-in solvers, one line for each, and the command `hornwork solvers`.

use crate::error::CliError;
use crate::external::ExternalOptions;
use crate::guard::default_memory_limit;
use crate::options::{SolversOptions, WorkerOptions};
use crate::solving::isolated;
use crate::{Streams, exit, interruption};
use backends::conformance::interpolants::examine_interpolator;
use backends::conformance::{Row, examine, markdown};
use backends::interpolation::certify::Certifier;
use backends::{ProverFactory, Registry, Support};
use encode::{Encoding, Quantifiers};
use std::rc::Rc;

/// Returns all built-in solvers and sources of interpolants, in order of preference. The first
/// solver is the default.
pub fn registry() -> Registry {
    let provers: Vec<Rc<dyn ProverFactory>> = vec![
        #[cfg(feature = "yices")]
        Rc::new(backend_yices::factory()),
        #[cfg(feature = "z3")]
        Rc::new(backend_z3::factory()),
        #[cfg(feature = "cvc5")]
        Rc::new(backend_cvc5::factory()),
        Rc::new(backend_craig::factory()),
        #[cfg(feature = "bitwuzla")]
        Rc::new(backend_bitwuzla::factory()),
    ];
    let interpolators = [
        vec![backend_craig::interpolator(), backend_craig::proof_interpolator()],
        #[cfg(feature = "z3")]
        backend_z3::interpolators(),
        vec![backends::newton()],
        #[cfg(feature = "yices")]
        backend_yices::interpolators(),
        #[cfg(feature = "cvc5")]
        backend_cvc5::interpolators(),
        #[cfg(feature = "bitwuzla")]
        backend_bitwuzla::interpolators(),
    ];
    let horn_solvers = [
        vec![],
        #[cfg(feature = "z3")]
        backend_z3::horn_solvers(),
    ];
    Registry { provers, interpolators: interpolators.concat(), horn_solvers: horn_solvers.concat() }
}

/// Returns the [registry], followed by the solvers that are programs of the user. `memory` limits
/// each of their processes, in bytes.
///
/// # Errors
/// A malformed description of a solver.
pub(crate) fn registry_with(external: &ExternalOptions, memory: Option<u64>) -> Result<Registry, CliError> {
    let mut registry = registry();
    external.extend(&mut registry, memory)?;
    Ok(registry)
}

/// Returns the solver `name`, or the default solver.
pub(crate) fn choose(registry: &Registry, name: Option<&str>) -> Result<Rc<dyn ProverFactory>, CliError> {
    let found = match name {
        None => registry.provers.first(),
        Some(name) => registry.prover(name),
    };
    let missing = || {
        let known: Vec<&str> = registry.provers.iter().map(|solver| solver.name()).collect();
        CliError::Usage(match name {
            Some(name) => format!("no built-in solver is named `{name}`; available: {}", known.join(", ")),
            None => {
                "no solver is built in; build with one of the features yices, z3, cvc5, bitwuzla".to_string()
            }
        })
    };
    found.cloned().ok_or_else(missing)
}

/// What formulas of `encoding` contain that `solver` does not support. Without an encoding, the
/// formulas are those of a user, which each solver judges itself.
fn unsupported(solver: &Rc<dyn ProverFactory>, encoding: Option<Encoding>) -> Option<&'static str> {
    let encoding = encoding?;
    let can = solver.capabilities();
    if encoding.quantifiers() == Quantifiers::Used && can.quantifiers == Support::None {
        return Some("quantifiers");
    }
    (encoding.is_linear() && !can.theories.contains(&"Ints")).then_some("integers")
}

/// Whether a solver supports the formulas of `encoding`.
pub(crate) fn is_suitable(solver: &Rc<dyn ProverFactory>, encoding: Option<Encoding>) -> bool {
    unsupported(solver, encoding).is_none()
}

/// Returns the solver `name` if it supports the formulas of `encoding`; without a name, the first
/// solver that does.
pub(crate) fn suitable(
    registry: &Registry,
    name: Option<&str>,
    encoding: Option<Encoding>,
) -> Result<Rc<dyn ProverFactory>, CliError> {
    let default = choose(registry, name)?;
    let (Some(encoding), Some(what)) = (encoding, unsupported(&default, encoding)) else {
        return Ok(default);
    };
    let others = registry.provers.iter().filter(|solver| is_suitable(solver, Some(encoding)));
    let names: Vec<&str> = others.clone().map(|solver| solver.name()).collect();
    let encoding = encoding.name();
    match (name, others.into_iter().next()) {
        (None, Some(solver)) => {
            tracing::info!("{} does not support {what}, using {}", default.name(), solver.name());
            Ok(Rc::clone(solver))
        }
        (_, None) => Err(CliError::Usage(format!(
            "the encoding {encoding} has {what}, and no built-in solver supports them; choose another encoding"
        ))),
        (Some(name), _) => Err(CliError::Unsuitable(format!(
            "{name} does not support {what}, which the encoding {encoding} requires; choose one of {}, or another encoding",
            names.join(", ")
        ))),
    }
}

/// Serves the queries of the parent process until it closes the connection.
pub(crate) fn serve(options: &WorkerOptions) -> Result<u8, CliError> {
    interruption::ignore();
    let memory = (options.memory > 0).then(|| options.memory.saturating_mul(1 << 20));
    match backends::worker::main(&registry(), memory) {
        Ok(()) => Ok(exit::TRUE),
        Err(error) => Err(CliError::Usage(format!("worker: {error}"))),
    }
}

pub(crate) fn run(options: &SolversOptions, streams: &mut Streams<'_>) -> Result<u8, CliError> {
    if !options.replay.is_empty() {
        return crate::replay::run(options, streams);
    }
    if options.conformance {
        return conformance(options, streams);
    }
    let registry = registry_with(&options.external, default_memory_limit())?;
    // A closed pipe is not an error.
    let _ = match options.json {
        true => write_json(&registry, streams),
        false => write_text(&registry, streams),
    };
    Ok(exit::TRUE)
}

/// The text before the tables.
const CONFORMANCE_HEADER: &str = "\
# Features of the solvers

Made by `hornwork solvers --conformance`, which runs one suite (`backends::conformance`) on every
backend and every source of interpolants, each in a worker process. *yes*: all checks of the cell
passed, with models evaluated and interpolants proved by another solver. *no*: the backend does not
support the feature. Otherwise the notes list what is missing; whether an answer is unknown depends
on the time limits of the suite (10 seconds for an interpolation problem) and on the machine.";

/// Runs the conformance suite on solvers and sources of interpolants in worker processes, and
/// prints the results.
fn conformance(options: &SolversOptions, streams: &mut Streams<'_>) -> Result<u8, CliError> {
    let registry =
        isolated(registry_with(&options.external, default_memory_limit())?, default_memory_limit())?;
    let is_chosen = |name: &str| options.solver.as_deref().is_none_or(|chosen| chosen == name);
    let mut log = |row: &Row| {
        let Row { theory, feature, check, outcome, time, .. } = row;
        tracing::info!("{theory}, {feature}, {check}: {} after {time:.1?}", outcome.text());
    };
    let mut provers = Vec::new();
    for solver in registry.provers.iter().filter(|solver| is_chosen(solver.name())) {
        let _ = writeln!(streams.err, "examining {}", solver.name());
        provers.push(examine(&**solver, &mut log));
    }
    let certifier = Certifier::choose(&registry, None, &[]);
    let helper =
        registry.provers.iter().find(|solver| solver.capabilities().quantifier_elimination == Support::Full);
    let helper = helper.or(registry.provers.first());
    let mut sources = Vec::new();
    for source in &registry.interpolators {
        let Some(helper) = helper else { continue };
        if is_chosen(source.name()) || source.solver().is_some_and(is_chosen) {
            let _ = writeln!(streams.err, "examining {}", source.name());
            sources.push(examine_interpolator(&**source, helper, &certifier, &mut log));
        }
    }
    let _ = writeln!(streams.out, "{CONFORMANCE_HEADER}\n\n## Solvers\n");
    for solver in registry.provers.iter().filter(|solver| is_chosen(solver.name())) {
        let _ = writeln!(streams.out, "* {} {}: {}", solver.name(), solver.version(), solver.license());
    }
    let _ = writeln!(streams.out, "\n{}", markdown(&provers));
    let _ = writeln!(streams.out, "## Sources of interpolants\n\n{}", markdown(&sources));
    let failures: Vec<String> = provers.iter().chain(&sources).flat_map(|report| report.failures()).collect();
    for failure in &failures {
        let _ = writeln!(streams.err, "FAILED {failure}");
    }
    Ok(if failures.is_empty() { exit::TRUE } else { crate::smt::CONTRADICTED })
}

fn write_json(registry: &Registry, streams: &mut Streams<'_>) -> std::io::Result<()> {
    let solvers: Vec<serde_json::Value> = registry
        .provers
        .iter()
        .map(|solver| {
            serde_json::json!({
                "name": solver.name(),
                "version": solver.version(),
                "license": solver.license(),
                "capabilities": solver.capabilities(),
            })
        })
        .collect();
    let sources: Vec<serde_json::Value> = registry
        .interpolators
        .iter()
        .map(|source| {
            serde_json::json!({
                "name": source.name(),
                "solver": source.solver(),
                "shape": source.shape(),
                "theories": source.theories(),
            })
        })
        .collect();
    let all = serde_json::json!({ "solvers": solvers, "interpolation": sources });
    writeln!(streams.out, "{all:#}")
}

fn write_text(registry: &Registry, streams: &mut Streams<'_>) -> std::io::Result<()> {
    for solver in &registry.provers {
        let can = solver.capabilities();
        writeln!(streams.out, "{} {} ({})", solver.name(), solver.version(), solver.license())?;
        writeln!(streams.out, "  theories                {}", can.theories.join(", "))?;
        writeln!(streams.out, "  models                  {}", yes(can.models))?;
        writeln!(streams.out, "  unsat cores             {}", yes(can.unsat_cores))?;
        writeln!(streams.out, "  quantifiers             {}", yes(can.quantifiers))?;
        writeln!(streams.out, "  quantifier elimination  {}", yes(can.quantifier_elimination))?;
        writeln!(streams.out, "  model-based projection  {}", yes(can.projection))?;
    }
    writeln!(streams.out, "\ninterpolation")?;
    for source in &registry.interpolators {
        let solver = source.solver().unwrap_or("any solver");
        let shape = match source.shape() {
            backends::interpolation::Shape::Binary => "pairs",
            backends::interpolation::Shape::Sequence => "pairs and sequences",
            backends::interpolation::Shape::Tree => "pairs, sequences and trees",
        };
        writeln!(
            streams.out,
            "  {:8} with {solver}: {shape}; {}",
            source.name(),
            source.theories().join(", ")
        )?;
    }
    Ok(())
}

fn yes(support: Support) -> &'static str {
    match support {
        Support::None => "no",
        Support::Full => "yes",
    }
}
