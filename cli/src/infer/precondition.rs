//! `hornwork infer --precondition`: conditions on the arguments of a function under which no run
//! violates a property.
//!
//! The conditions are C expressions over the variables of the harness. Their text is added to the
//! harness, and k-induction proves the program with it: the result does not rest on the inference.

use super::{Begun, SHORTEST_VALIDATION, unsupported};
use crate::answer::Form;
use crate::certificate::Result as Validated;
use crate::error::CliError;
use crate::input::{self, Compiled, Entry, Warnings};
use crate::internal;
use crate::options::InferOptions;
use crate::{Streams, exit};
use backends::Limits;
use frontend::c::contract::{PAUSE, null_of};
use grammars::source::SourceMap;
use passes::engines::induction::{self, Order};
use passes::engines::{bmc, bmc::Schedule};
use passes::evidence::Verdict;
use passes::infer::{DOMAINS, PRECONDITION_DOMAINS, precondition};
use passes::invariants::{InvariantOptions, Spec};
use program::ssa::{Block, Function, Program, Span};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Conditions whose proof is still searched for, with the statistics of the solvers so far: what is
/// printed if a limit ends the run.
type Candidate = Arc<Mutex<Option<(Found, Value)>>>;

/// The result of a search.
#[derive(Clone)]
struct Found {
    /// The place of the function.
    place: String,
    /// The conditions, as C expressions over the variables of the harness.
    requires: Vec<String>,
    /// The checks that may fail under all conditions found: `file:line: what`.
    open: Vec<String>,
    /// Whether the conditions are sufficient.
    proof: Proof,
}

/// The answer to the question whether the conditions are sufficient.
#[derive(Clone)]
enum Proof {
    /// They are; the result of the validation.
    Proved(Validated),
    /// It is not known, for a reason.
    Open(String),
}

pub(super) fn run(
    options: &InferOptions,
    begun: &Begun<'_>,
    streams: &mut Streams<'_>,
) -> Result<u8, CliError> {
    let candidate: Candidate = Arc::default();
    let (shown, form, start) =
        (Arc::clone(&candidate), options.json.then(|| begun.form.clone()), begun.start);
    let guard = begun.start_guard(options, move |exceeded| {
        let (mut found, solving) = shown.lock().ok()?.take()?;
        found.proof = Proof::Open(exceeded.to_string());
        let json = |form: Form| format!("{}\n", form.header(found.json(&solving, start)));
        Some(form.clone().map_or_else(|| found.describe(), json))
    });
    let found = internal::catch(|| search(options, begun, &candidate, streams));
    guard.claim_or_wait();
    let found = found.map_err(CliError::Internal)??;
    if let Proof::Proved(Validated::Rejected(reason) | Validated::Malformed(reason)) = &found.proof {
        return Err(CliError::Unsupported(format!("the proof was not confirmed: {reason}")));
    }
    begun.solving.report_faults(streams.err);
    if options.json {
        let _ = writeln!(
            streams.out,
            "{}",
            begun.form.header(found.json(&begun.solving.statistics_json(), begun.start))
        );
    } else {
        let _ = write!(streams.out, "{}", found.describe());
    }
    Ok(if matches!(found.proof, Proof::Proved(_)) { exit::TRUE } else { exit::UNKNOWN })
}

fn search(
    options: &InferOptions,
    begun: &Begun<'_>,
    candidate: &Candidate,
    streams: &mut Streams<'_>,
) -> Result<Found, CliError> {
    internal::on_request("front end");
    let mut compiled = input::compile_from(&options.input, Entry::Paused, Warnings::OfEntry, streams)?;
    if let Some(reason) = compiled.specification.refusal() {
        return Err(CliError::Unsupported(reason));
    }
    if compiled.program.properties.is_empty() && !begun.global.quiet {
        let text = "warning: there is nothing to check; choose with --property or --check";
        let _ = writeln!(streams.err, "{text}");
    }
    if !begun.global.quiet {
        compiled.warn_of_assumptions(streams);
    }
    let Some(head) = pause(&compiled.program, &compiled.sources) else {
        let message = "--precondition needs --function with a function other than main that has parameters";
        return Err(CliError::Usage(message.to_owned()));
    };
    internal::on_request("engine");
    let mut config = begun.config(options);
    config.invariants = with_domains(&config.invariants, DOMAINS.parse().expect("a choice of domains"));
    let domains = options.inference.domains.clone();
    let domains = domains.unwrap_or_else(|| PRECONDITION_DOMAINS.parse().expect("a choice of domains"));
    let Compiled { pool, program, sources, .. } = &mut compiled;
    let found = precondition(pool, program, head, begun.solving.factory(), &config, &domains.stages)
        .map_err(|error| unsupported(&error, sources))?;
    let place = |span: Span| {
        let place = sources.presumed(span);
        place.map_or_else(|| "somewhere".to_owned(), |place| format!("{}:{}", place.file, place.line))
    };
    let open: Vec<String> =
        found.open.iter().map(|(what, span)| format!("{}: {what}", place(*span))).collect();
    let function = program.functions.values().find(|data| data.name == options.input.function);
    let place = function.map_or_else(String::new, |data| format!("{} {}", place(data.span), data.name));
    let requires: Vec<String> = found.requires.iter().map(|fact| about_pointers(&fact.formula)).collect();
    let is_contradictory = found.is_contradictory;
    let mut found = Found { place, requires, open, proof: Proof::Open(String::new()) };
    found.proof = if !found.open.is_empty() {
        Proof::Open("checks without a condition".to_owned())
    } else if is_contradictory {
        Proof::Open("no arguments satisfy all of these conditions".to_owned())
    } else {
        if let Ok(mut slot) = candidate.lock() {
            *slot = Some((found.clone(), begun.solving.statistics_json()));
        }
        confirm(options, begun, &found.requires, &domains, streams)?
    };
    // Freeing a large pool takes long, and the process is about to end.
    std::mem::forget(compiled);
    Ok(found)
}

/// The head of the loop before the call of the entry function.
fn pause(program: &Program, sources: &SourceMap) -> Option<(Function, Block)> {
    let is_pause = |span: Span| {
        let file = sources.presumed(span).map(|place| place.file.to_string());
        file.is_some_and(|file| file.starts_with("<harness of ")) && sources.text(span).starts_with(PAUSE)
    };
    let mut loops = program.source.loops.iter().filter(|(_, data)| is_pause(data.span));
    loops.next().map(|(&head, _)| head)
}

fn with_domains(options: &InvariantOptions, domains: Spec) -> InvariantOptions {
    InvariantOptions { domains: Some(domains), ..options.clone() }
}

/// Proves that no run with these arguments violates a property.
fn confirm(
    options: &InferOptions,
    begun: &Begun<'_>,
    requires: &[String],
    domains: &Spec,
    streams: &mut Streams<'_>,
) -> Result<Proof, CliError> {
    let mut input = options.input.clone();
    input.arguments.requires.extend(requires.iter().cloned());
    let mut compiled = match input::compile_from(&input, Entry::Paused, Warnings::Hidden, streams) {
        Ok(compiled) => compiled,
        // A type of the conditions may be missing in the data model.
        Err(error) => return Ok(Proof::Open(format!("the harness is not valid: {error}"))),
    };
    let config = begun.config(options);
    // Where a search from above with these domains found the conditions, it finds a proof.
    let backward = domains.stages.iter().map(|stage| format!(",backward({stage})"));
    let all = format!("{DOMAINS}{}", backward.collect::<String>());
    let invariants = match all.parse() {
        Ok(spec) => with_domains(&config.invariants, spec),
        Err(_) => config.invariants.clone(),
    };
    let search = bmc::Config {
        pipeline: config.pipeline,
        theories: config.theories,
        deadline: config.limits.deadline,
        interrupt: config.limits.interrupt,
        ..bmc::Config::new(Schedule::deepening(Some(LARGEST_BOUND)))
    };
    let config = induction::Config { invariants, order: Order::StepFirst, ..induction::Config::new(search) };
    let Compiled { pool, program, .. } = &mut compiled;
    let verdict = induction::run(pool, program, begun.solving.factory(), &config, &mut ()).verdict;
    let proof = match verdict {
        Verdict::Safe(certificate) => {
            let limits = Limits::until(begun.solving.limits().deadline)
                .within(begun.effort().max(SHORTEST_VALIDATION));
            Proof::Proved(begun.validation.check_certificate(
                pool,
                program,
                &certificate,
                &limits,
                streams.err,
            ))
        }
        Verdict::Unsafe(_) => Proof::Open("a run with these arguments violates a property".to_owned()),
        Verdict::Unknown(reason) => Proof::Open(reason.to_string()),
    };
    std::mem::forget(compiled);
    Ok(proof)
}

/// The condition with comparisons of pointers in place of the variables that say which are null.
fn about_pointers(condition: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut text = String::new();
    let mut rest = condition;
    while !rest.is_empty() {
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let Some(name) = null_of(word) else {
            let end = after.find(is_part).unwrap_or(after.len());
            text.push_str(word);
            text.push_str(&after[..end]);
            rest = &after[end..];
            continue;
        };
        let compared = [(" == 0", " != 0"), (" != 0", " == 0"), (" == 1", " == 0"), (" != 1", " != 0")];
        let compared = compared.iter().find_map(|(old, new)| Some((after.strip_prefix(old)?, new)));
        let (after, comparison) = match compared {
            Some((after, comparison)) if !after.starts_with(is_part) => {
                (after, format!("{name}{comparison}"))
            }
            _ => (after, format!("({name} == 0)")),
        };
        text.push_str(&comparison);
        rest = after;
    }
    text
}

/// The largest bound of the search for counterexamples.
const LARGEST_BOUND: u32 = 1 << 16;

impl Found {
    fn describe(&self) -> String {
        let mut text = format!("{}\n", self.place);
        for condition in &self.requires {
            let _ = writeln!(text, "    requires {condition}");
        }
        if self.requires.is_empty() && self.open.is_empty() {
            text.push_str("    (nothing is required)\n");
        }
        for check in &self.open {
            let _ = writeln!(text, "No condition was found for {check}");
        }
        match &self.proof {
            Proof::Proved(validated) => {
                let _ = writeln!(text, "Sufficient: no run with these arguments violates a property.");
                let _ = writeln!(text, "{}", validated.describe());
            }
            Proof::Open(_) if !self.open.is_empty() => {}
            Proof::Open(reason) => {
                let _ = writeln!(text, "Not proved to be sufficient: {reason}");
            }
        }
        text
    }

    fn json(&self, solving: &Value, start: Instant) -> Value {
        let (sufficient, validation, reason) = match &self.proof {
            Proof::Proved(validated) => (true, validated.json(), Value::Null),
            Proof::Open(reason) => (false, Value::Null, json!(reason)),
        };
        json!({
            "function": self.place,
            "requires": self.requires,
            "open": self.open,
            "sufficient": sufficient,
            "validation": validation,
            "reason": reason,
            "solving": solving,
            "seconds": start.elapsed().as_secs_f64(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_about_null_are_about_pointers() {
        let conditions = [
            ("n <= 0 || a_is_null == 0", "n <= 0 || a != 0"),
            ("a_is_null != 0", "a == 0"),
            ("b_is_null == 1 && i < a_count", "b == 0 && i < a_count"),
            ("!(a_is_null)", "!((a == 0))"),
            ("a_is_null == 01", "(a == 0) == 01"),
            ("is_null + x_is_nullable", "is_null + x_is_nullable"),
        ];
        for (condition, expected) in conditions {
            assert_eq!(about_pointers(condition), expected, "{condition}");
        }
    }
}
