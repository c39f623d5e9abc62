//! The solvers that are built in: one line a solver, and `hornwork solvers`.

use crate::error::CliError;
use crate::options::SolversOptions;
use crate::{Streams, exit};
use backends::{ProverFactory, Registry, Support};
use std::rc::Rc;

/// All built-in solvers and sources of interpolants; the first of each is the default.
pub fn registry() -> Registry {
    Registry {
        provers: vec![
            #[cfg(feature = "yices")]
            Rc::new(backend_yices::factory()),
        ],
        interpolators: [vec![backends::newton()]].concat(),
    }
}

/// The solver `name`, or the default.
pub(crate) fn choose(registry: &Registry, name: Option<&str>) -> Result<Rc<dyn ProverFactory>, CliError> {
    let found = match name {
        None => registry.provers.first(),
        Some(name) => registry.prover(name),
    };
    let missing = || match name {
        _ if registry.provers.is_empty() => CliError::Usage(
            "no solver is built in; build with one of the features yices, z3, cvc5".to_string(),
        ),
        Some(name) => {
            let known: Vec<&str> = registry.provers.iter().map(|solver| solver.name()).collect();
            CliError::Usage(format!("no solver `{name}` is built in; there are: {}", known.join(", ")))
        }
        None => unreachable!("the default solver is there"),
    };
    found.cloned().ok_or_else(missing)
}

pub(crate) fn run(options: &SolversOptions, streams: &mut Streams<'_>) -> Result<u8, CliError> {
    let registry = registry();
    // A closed pipe is the reader's wish.
    let _ = match options.json {
        true => write_json(&registry, streams),
        false => write_text(&registry, streams),
    };
    if registry.provers.is_empty() {
        let _ =
            writeln!(streams.err, "no solver is built in; build with one of the features yices, z3, cvc5");
    }
    Ok(exit::TRUE)
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
        writeln!(streams.out, "  projection by a model   {}", yes(can.projection))?;
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
