//! The solvers that are built in: one line a solver.

use crate::error::CliError;
use crate::options::SolversOptions;
use crate::{Streams, exit};
use backends::ProverFactory;

/// All built-in solvers; the first is the default.
pub(crate) fn registry() -> Vec<Box<dyn ProverFactory>> {
    vec![
        #[cfg(feature = "yices")]
        Box::new(backend_yices::factory()),
    ]
}

/// The solver `name`, or the default.
pub(crate) fn choose(name: Option<&str>) -> Result<Box<dyn ProverFactory>, CliError> {
    let solvers = registry();
    let names: Vec<&str> = solvers.iter().map(|solver| solver.name()).collect();
    let known = names.join(", ");
    match name {
        None => solvers.into_iter().next().ok_or_else(|| {
            CliError::Usage("no solver is built in; build with the feature `yices`".to_string())
        }),
        Some(name) => solvers
            .into_iter()
            .find(|solver| solver.name() == name)
            .ok_or_else(|| CliError::Usage(format!("no solver `{name}` is built in; there are: {known}"))),
    }
}

pub(crate) fn run(options: &SolversOptions, streams: &mut Streams<'_>) -> Result<u8, CliError> {
    let rows: Vec<serde_json::Value> = registry()
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
    let written = if options.json {
        serde_json::to_string_pretty(&rows).map(|text| writeln!(streams.out, "{text}"))
    } else {
        Ok(registry().iter().try_for_each(|solver| {
            let can = solver.capabilities();
            writeln!(streams.out, "{} {} ({})", solver.name(), solver.version(), solver.license())?;
            writeln!(streams.out, "  theories       {}", can.theories.join(", "))?;
            writeln!(streams.out, "  models         {}", yes(can.models))?;
            writeln!(streams.out, "  unsat cores    {}", yes(can.unsat_cores))?;
            writeln!(streams.out, "  quantifiers    {}", yes(can.quantifiers))
        }))
    };
    // A closed pipe is the reader's wish.
    drop(written);
    if registry().is_empty() {
        drop(writeln!(streams.err, "no solver is built in; build with the feature `yices`"));
    }
    Ok(exit::TRUE)
}

fn yes(support: backends::Support) -> &'static str {
    match support {
        backends::Support::None => "no",
        backends::Support::Full => "yes",
    }
}
