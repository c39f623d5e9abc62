//! The error condition of a bounded unrolling as an SMT-LIB script.

use super::{Emitter, Input, Options, Refusal, refusal};
use crate::transform::pipeline::PassStatistics;
use crate::transform::{Pipeline, prepare_for_bmc};
use encode::FloatEncoding;
use grammars::source::{SourceMap, Span};
use program::ssa::{HavocSource, InstructionKind, Program};
use std::fmt::Write as _;
use terms::print::Script;
use views::unroll::{self, Unroller};
use views::{Config, UnsupportedCause};

/// The most block instances of an unrolling that is emitted; a larger one is refused.
const MOST_INSTANCES: u64 = 5_000_000;

pub(super) fn emit(
    emitter: &dyn Emitter,
    input: Input<'_>,
    options: &Options,
    out: &mut String,
) -> Result<Vec<PassStatistics>, Refusal> {
    let Input { pool, program, sources } = input;
    let pipeline = options.passes.clone().unwrap_or_else(Pipeline::none);
    let prepared = prepare_for_bmc(pool, program, &pipeline);
    let mut unroller =
        Unroller::new(pool, program, Config::STANDARD).map_err(|error| refusal(emitter, error))?;
    let mut limits = unroll::Limits { instances: MOST_INSTANCES, is_cancelled: &mut || false };
    let step = unroller.step(pool, options.unwind.max(1), &mut limits);
    if step.outcome != unroll::Outcome::Complete {
        let unwind = options.unwind;
        let reason = format!("more than {MOST_INSTANCES} block instances at --unwind {unwind}");
        return Err(refusal(emitter, reason));
    }
    let guards: Vec<_> = step.errors.iter().map(|error| error.guard).collect();
    let formula = pool.or(&guards);
    let mut encoder = options.with_floats(FloatEncoding::Theory).encoder();
    let encoded = encoder.formula(pool, formula).map_err(|error| refusal(emitter, error))?;
    let mut assertions = encoder.take_constraints();
    assertions.push(encoded);

    let mut header = format!(
        "(set-info :smt-lib-version 2.6)\n(set-info :category \"industrial\")\n\
         ; Is an error reached within {} iterations of each loop and recursion? sat: yes, unsat: no.\n\
         ; Encoding {}{}.\n",
        options.unwind,
        options.encoding,
        if encoder.is_exact() { "" } else { ", with approximations: a model may be spurious" },
    );
    for error in &step.errors {
        let property = &program.properties[error.property];
        let _ = writeln!(
            header,
            "; error site: {} at {}",
            one_line(&property.description),
            place(sources, property.span)
        );
    }
    if !step.frontier.is_empty() {
        header.push_str("; Some runs may go on after the bound; they are not part of this formula.\n");
    }
    for instance in &step.unsupported {
        let what = match &instance.cause {
            UnsupportedCause::Construct(construct) => program.unsupported[*construct].construct.clone(),
            other => other.to_string(),
        };
        let _ = writeln!(
            header,
            "; not supported, runs end there: {} at {}",
            one_line(&what),
            place(sources, instance.span)
        );
    }
    for (construct, span) in approximations(program) {
        let _ = writeln!(header, "; over-approximated: {} at {}", one_line(construct), place(sources, span));
    }
    let script = Script {
        logic: Some(options.encoding.logic(FloatEncoding::in_terms(pool, &assertions))),
        header: &header,
        assertions: &assertions,
        footer: "(check-sat)\n(exit)\n",
    };
    script.write(out, pool).map_err(|error| refusal(emitter, error))?;
    Ok(prepared.statistics)
}

/// The over-approximated constructs of a program.
fn approximations(program: &Program) -> impl Iterator<Item = (&str, Span)> {
    let functions = program.functions.values();
    let instructions =
        functions.flat_map(|function| function.blocks.values()).flat_map(|block| &block.instructions);
    instructions.filter_map(|instruction| match &instruction.kind {
        InstructionKind::Havoc(HavocSource::Approximation(construct)) => {
            Some((construct.as_str(), instruction.span))
        }
        _ => None,
    })
}

fn place(sources: &SourceMap, span: Span) -> String {
    sources
        .presumed(span)
        .map_or_else(String::new, |place| format!("{}:{}", one_line(&place.file), place.line))
}

/// A comment ends with its line.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
