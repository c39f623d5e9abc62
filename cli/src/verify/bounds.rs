//! The bounds of the unrolling: `--unwind`, `--max-unwind` and `--unwindset`.

use super::sharing::Folder;
use crate::analysis::AnalysisOptions;
use crate::error::CliError;
use crate::input::Compiled;
use crate::named_bound::NamedBound;
use crate::options::VerifyOptions;
use grammars::source::Span;
use passes::engines::bmc::{Schedule, place_name};
use std::collections::BTreeMap;
use views::unroll::Place;

/// The default of `--max-unwind`.
const MAX_UNWIND: u32 = 10_000_000;
/// The largest first bound that another stage suggests.
const LARGEST_START: u32 = 1 << 10;

/// Returns the sequence of bounds of loops that `--unwindset` does not name.
pub(super) fn schedule(options: &VerifyOptions) -> Schedule {
    match options.unwind {
        Some(bound) => Schedule::exactly(bound),
        None => {
            let schedule = Schedule::deepening(Some(options.max_unwind.unwrap_or(MAX_UNWIND)));
            let AnalysisOptions { k_step, k_first, .. } = options.analysis;
            Schedule {
                first: k_first.unwrap_or(schedule.first).max(1),
                growth: k_step.unwrap_or(schedule.growth),
                ..schedule
            }
        }
    }
}

/// Returns the bounds of `--unwindset` by place of the program.
///
/// # Errors
/// If the program has no loop or function with a name of the list; the error has the names.
pub(super) fn fixed(bounds: &[NamedBound], compiled: &Compiled) -> Result<BTreeMap<Place, u32>, CliError> {
    let mut fixed = BTreeMap::new();
    if bounds.is_empty() {
        return Ok(fixed);
    }
    let named = named_places(compiled);
    for NamedBound { name, bound } in bounds {
        let Some(places) = named.get(name) else {
            let loops: Vec<&str> = (named.iter())
                .filter(|(_, places)| matches!(places[0], Place::Loop(..)))
                .map(|(name, _)| name.as_str())
                .collect();
            let known = match loops.as_slice() {
                [] => "the program has no loops".to_owned(),
                loops => format!("the loops are {}", loops.join(", ")),
            };
            return Err(CliError::Usage(format!("--unwindset: no loop or function `{name}`; {known}")));
        };
        fixed.extend(places.iter().map(|&place| (place, *bound)));
    }
    Ok(fixed)
}

/// Returns first bounds by place of the program: half of those that other stages have reached,
/// because the last step of the deepening is the most expensive one. Names that the program does
/// not have are left out.
pub(super) fn start(exchange: &mut Folder, compiled: &Compiled) -> BTreeMap<Place, u32> {
    let reached = exchange.bounds();
    if reached.is_empty() {
        return BTreeMap::new();
    }
    let named = named_places(compiled);
    let half = |bound: u32| Some((bound / 2).min(LARGEST_START)).filter(|&bound| bound > 1);
    let known = reached.iter().filter_map(|(name, &bound)| Some((named.get(name)?, half(bound)?)));
    let start: BTreeMap<Place, u32> =
        known.flat_map(|(places, bound)| places.iter().map(move |&place| (place, bound))).collect();
    exchange.note_started(start.len());
    start
}

/// The loops and defined functions of a program by name.
fn named_places(compiled: &Compiled) -> BTreeMap<String, Vec<Place>> {
    let line = |span: Span| compiled.sources.presumed(span).map(|position| position.line);
    let mut named: BTreeMap<String, Vec<Place>> = BTreeMap::new();
    let program = &compiled.program;
    let mut places: Vec<Place> =
        program.source.loops.keys().map(|&(function, head)| Place::Loop(function, head)).collect();
    places.sort_unstable();
    let functions = program.functions.iter().filter(|(_, data)| data.is_defined());
    places.extend(functions.map(|(function, _)| Place::Recursion(function)));
    for place in places {
        named.entry(place_name(program, place, &line)).or_default().push(place);
    }
    named
}
