//! `hornwork emit`.

use crate::error::CliError;
use crate::input::{self, Compiled, Warnings};
use crate::internal;
use crate::options::{EmitOptions, Target};
use crate::verify::write_passes;
use crate::{Streams, exit};
use encode::{EncodeError, FloatEncoding};
use grammars::source::Span;
use horn::Translation;
use passes::transform::pipeline::PassStatistics;
use passes::transform::{Pipeline, ViewLimits, prepare_for_bmc, prepare_for_views};
use program::ssa::{HavocSource, InstructionKind, Program};
use std::fmt::Write as _;
use terms::print::Script;
use views::blocks::{BlockFormulas, block_formulas};
use views::unroll::{self, Unroller};
use views::{BlockOperator, Config, UnsupportedCause};

/// A program that cannot be written in the form asked for, and why.
struct Refusal(String);

pub(crate) fn run(options: &EmitOptions, streams: &mut Streams<'_>) -> Result<u8, CliError> {
    // Usage errors first, before any work.
    let encoding = input::encoding(&options.encoding)?;
    let pipeline = options.passes.as_deref().map(input::pipeline).transpose()?;
    internal::on_request("emit");
    let warnings = if options.to == Target::Check { Warnings::Shown } else { Warnings::Hidden };
    let mut compiled = input::compile(&options.input, warnings, streams)?;
    if let Some(reason) = compiled.specification.refusal() {
        let _ = writeln!(streams.err, "error: {reason}");
        return Ok(exit::UNKNOWN);
    }
    if options.to == Target::Check {
        compiled.warn_of_assumptions(streams);
    }
    let chosen = pipeline.clone().unwrap_or_else(Pipeline::none);
    let mut passes = Vec::new();
    let text = match (options.to, options.blk) {
        (Target::Check, _) => return Ok(exit::TRUE),
        (Target::Ir, _) => {
            transform(&mut compiled, pipeline.as_ref(), &mut passes);
            Ok(program::text::print(&compiled.pool, &compiled.program, Some(&compiled.sources)))
        }
        (Target::Dot, _) => {
            transform(&mut compiled, pipeline.as_ref(), &mut passes);
            Ok(program::text::dot_program(&compiled.pool, &compiled.program))
        }
        (Target::Smt2, None) => unrolling(&mut compiled, options, encoding, &chosen, &mut passes),
        (Target::Smt2, Some(blk)) => blocks(&mut compiled, blk, &chosen, &mut passes).and_then(|blocks| {
            let Compiled { pool, program, sources, .. } = &mut compiled;
            views::print::print_blocks(
                pool,
                program,
                &blocks,
                Some(sources),
                encoding.with_floats(FloatEncoding::Theory),
            )
            .map_err(|error| Refusal(error.to_string()))
        }),
        (Target::Chc, blk) => {
            let operator = blk.unwrap_or(BlockOperator::L);
            let blocks = blocks(&mut compiled, operator, &chosen, &mut passes);
            blocks.and_then(|blocks| horn(&mut compiled, &blocks, encoding))
        }
    };
    if options.stats {
        let _ = write_passes(streams.err, &passes);
    }
    let text = match text {
        Ok(text) => text,
        Err(Refusal(reason)) => {
            let _ = writeln!(streams.err, "error: cannot be written in this form: {reason}");
            return Ok(exit::UNKNOWN);
        }
    };
    match &options.output {
        Some(path) => {
            std::fs::write(path, text).map_err(|source| CliError::Io { path: path.clone(), source })?;
        }
        // A reader that went away has what it wanted.
        None => drop(streams.out.write_all(text.as_bytes())),
    }
    Ok(exit::TRUE)
}

/// The error condition within the bound.
fn unrolling(
    compiled: &mut Compiled,
    options: &EmitOptions,
    encoding: input::ChosenEncoding,
    pipeline: &Pipeline,
    passes: &mut Vec<PassStatistics>,
) -> Result<String, Refusal> {
    let Compiled { pool, program, sources, .. } = compiled;
    passes.extend(prepare_for_bmc(pool, program, pipeline).statistics);
    let mut unroller =
        Unroller::new(pool, program, Config::STANDARD).map_err(|error| Refusal(error.to_string()))?;
    let mut limits = unroll::Limits { instances: MOST_INSTANCES, is_cancelled: &mut || false };
    let step = unroller.step(pool, options.unwind.max(1), &mut limits);
    if step.outcome != unroll::Outcome::Complete {
        return Err(Refusal(format!(
            "more than {MOST_INSTANCES} block instances at --unwind {}",
            options.unwind
        )));
    }
    let guards: Vec<_> = step.errors.iter().map(|error| error.guard).collect();
    let formula = pool.or(&guards);
    let mut encoder = encoding.with_floats(FloatEncoding::Theory).encoder();
    let encoded = encoder.formula(pool, formula).map_err(|error| Refusal(error.to_string()))?;
    let mut assertions = encoder.take_constraints();
    assertions.push(encoded);

    let mut header = format!(
        "(set-info :smt-lib-version 2.6)\n(set-info :category \"industrial\")\n\
         ; Is an error reached within {} iterations of each loop and recursion? sat: yes, unsat: no.\n\
         ; Encoding {}{}.\n",
        options.unwind,
        encoding.encoding,
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
        logic: Some(encoding.encoding.logic(FloatEncoding::in_terms(pool, &assertions))),
        header: &header,
        assertions: &assertions,
        footer: "(check-sat)\n(exit)\n",
    };
    let mut text = String::new();
    script.write(&mut text, pool).map_err(|error| Refusal(error.to_string()))?;
    Ok(text)
}

/// Block instances after which an unrolling is refused rather than using up memory.
const MOST_INSTANCES: u64 = 5_000_000;

/// Runs the passes that were asked for.
fn transform(compiled: &mut Compiled, pipeline: Option<&Pipeline>, passes: &mut Vec<PassStatistics>) {
    if let Some(pipeline) = pipeline {
        let Compiled { pool, program, .. } = compiled;
        passes.extend(prepare_for_bmc(pool, program, pipeline).statistics);
    }
}

fn blocks(
    compiled: &mut Compiled,
    operator: BlockOperator,
    pipeline: &Pipeline,
    passes: &mut Vec<PassStatistics>,
) -> Result<BlockFormulas, Refusal> {
    let Compiled { pool, program, .. } = compiled;
    let limits = ViewLimits { locations: operator.into(), ..ViewLimits::default() };
    let prepared =
        prepare_for_views(pool, program, limits, pipeline).map_err(|error| Refusal(error.to_string()))?;
    passes.extend(prepared.statistics);
    block_formulas(pool, program, operator, Config::TRUSTING).map_err(|error| Refusal(error.to_string()))
}

fn horn(
    compiled: &mut Compiled,
    blocks: &BlockFormulas,
    encoding: input::ChosenEncoding,
) -> Result<String, Refusal> {
    let Compiled { pool, program, sources, .. } = compiled;
    let clauses = views::clauses::of_blocks(pool, program, blocks, Some(sources));
    // Solvers of Horn clauses know bit vectors at most.
    let mut translation = Translation::new(encoding.with_floats(FloatEncoding::Bits));
    let refused = |error: EncodeError| Refusal(error.to_string());
    let system = translation.system(pool, &clauses.system).map_err(refused)?;
    system.check_printable(pool, encoding.encoding).map_err(refused)?;
    Ok(system.with_one_query(pool).to_text(pool))
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

fn place(sources: &grammars::source::SourceMap, span: Span) -> String {
    sources
        .presumed(span)
        .map_or_else(String::new, |place| format!("{}:{}", one_line(&place.file), place.line))
}

/// A comment ends with its line.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
