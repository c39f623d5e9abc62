//! Programs as files for other tools: formats as rows of a registry.
//!
//! An [`Emitter`] prepares a program as its format needs it and writes its text. [`EMITTERS`] is the
//! table from which `hornwork emit --to`, its help and the manual follow: a new format is one
//! implementation and one row. Nothing here opens files or decides anything.

mod unrolling;

use crate::transform::pipeline::PassStatistics;
use crate::transform::{Locations, Pipeline, ViewLimits, prepare_for_bmc, prepare_for_views};
use encode::{EncodeError, Encoding, FloatEncoding, Overflow, Theories};
use grammars::source::SourceMap;
use horn::Translation;
use program::ssa::Program;
use program::text;
use terms::TermPool;
use views::blocks::{BlockFormulas, block_formulas};
use views::{BlockOperator, Config, clauses, print};

/// A program and what its text needs. The program is transformed in place.
#[derive(Debug)]
pub struct Input<'a> {
    /// The terms of the program.
    pub pool: &'a mut TermPool,
    /// The program as lowered.
    pub program: &'a mut Program,
    /// For comments with places.
    pub sources: &'a SourceMap,
}

/// All settings of all formats. [`Emitter::settings`] says which of them matter.
#[derive(Clone, Debug)]
pub struct Options {
    /// Iterations of each loop and recursion, at least 1.
    pub unwind: u32,
    /// The cut points between which there is one formula; `None` for the choice of the format.
    pub blk: Option<BlockOperator>,
    /// The theories of formulas.
    pub encoding: Encoding,
    /// The semantics of machine integers in linear encodings.
    pub overflow: Overflow,
    /// How formulas express floats; `None` for the choice of the format.
    pub floats: Option<FloatEncoding>,
    /// The passes to run; `None` for none, where the format shows the program as lowered if it can.
    pub passes: Option<Pipeline>,
}

impl Options {
    /// The theories, with floats as `floats` where the options leave it open.
    fn with_floats(&self, floats: FloatEncoding) -> Theories {
        let Options { encoding, overflow, floats: chosen, .. } = *self;
        Theories { encoding, overflow, floats: chosen.unwrap_or(floats) }
    }
}

terms::choice! {
    /// A setting of [`Options`], by the name of its option.
    Setting {
        Unwind = "unwind", "the bound of an unrolling";
        Blk = "blk", "the cut points of formulas";
        Encoding = "encoding", "the theories of formulas";
        Overflow = "overflow", "machine integers in linear encodings";
        Floats = "floats", "floats in formulas";
        Passes = "passes", "transformations of the program";
    }
}

/// A program that a format cannot express, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot emit as {format}: {reason}")]
pub struct Refusal {
    /// The name of the format.
    pub format: &'static str,
    /// The construct or the limit that stands in the way.
    pub reason: String,
}

/// A format.
pub trait Emitter: std::fmt::Debug + Sync {
    /// The name that users write.
    fn name(&self) -> &'static str;

    /// The contents of the text and what an answer to it means, in one sentence without a full stop.
    fn about(&self) -> &'static str;

    /// The settings that matter.
    fn settings(&self) -> &'static [Setting];

    /// Appends the text of `input` to `out`; returns what the passes did.
    ///
    /// # Errors
    /// If the format cannot express the program with these options; `out` is not changed then.
    fn emit(
        &self,
        input: Input<'_>,
        options: &Options,
        out: &mut String,
    ) -> Result<Vec<PassStatistics>, Refusal>;
}

/// All formats, in the order in which help lists them.
pub const EMITTERS: &[&dyn Emitter] = &[&Smt2, &Chc, &Ir, &Dot];

/// The names of the formats in which a setting matters.
#[must_use]
pub fn formats_with(setting: Setting) -> Vec<&'static str> {
    let formats = EMITTERS.iter().filter(|emitter| emitter.settings().contains(&setting));
    formats.map(|emitter| emitter.name()).collect()
}

/// SMT-LIB 2.6.
#[derive(Debug)]
struct Smt2;

/// The format of the CHC competition.
#[derive(Debug)]
struct Chc;

/// The text form of the IR.
#[derive(Debug)]
struct Ir;

/// The IR for Graphviz.
#[derive(Debug)]
struct Dot;

impl Emitter for Smt2 {
    fn name(&self) -> &'static str {
        "smt2"
    }

    fn about(&self) -> &'static str {
        "an SMT-LIB 2.6 script: the error condition within --unwind iterations of each loop, sat if an error is \
         reached; with --blk one formula for each pair of cut points (sbe: behind every assignment and branch)"
    }

    fn settings(&self) -> &'static [Setting] {
        use Setting::{Blk, Encoding, Floats, Overflow, Passes, Unwind};
        &[Unwind, Blk, Encoding, Overflow, Floats, Passes]
    }

    fn emit(
        &self,
        mut input: Input<'_>,
        options: &Options,
        out: &mut String,
    ) -> Result<Vec<PassStatistics>, Refusal> {
        let Some(operator) = options.blk else { return unrolling::emit(self, input, options, out) };
        let (blocks, statistics) = blocks(self, &mut input, operator, options)?;
        let Input { pool, program, sources } = input;
        let theories = options.with_floats(FloatEncoding::Theory);
        let text = print::print_blocks(pool, program, &blocks, Some(sources), theories)
            .map_err(|error| refusal(self, error))?;
        out.push_str(&text);
        Ok(statistics)
    }
}

impl Emitter for Chc {
    fn name(&self) -> &'static str {
        "chc"
    }

    fn about(&self) -> &'static str {
        "constrained Horn clauses in the format of the CHC competition, cut at loop heads or as --blk says; sat if the \
         program is safe"
    }

    fn settings(&self) -> &'static [Setting] {
        use Setting::{Blk, Encoding, Floats, Overflow, Passes};
        &[Blk, Encoding, Overflow, Floats, Passes]
    }

    fn emit(
        &self,
        mut input: Input<'_>,
        options: &Options,
        out: &mut String,
    ) -> Result<Vec<PassStatistics>, Refusal> {
        let operator = options.blk.unwrap_or(BlockOperator::L);
        let (blocks, statistics) = blocks(self, &mut input, operator, options)?;
        let Input { pool, program, sources } = input;
        let clauses = clauses::of_blocks(pool, program, &blocks, Some(sources));
        // Solvers of Horn clauses know bit vectors at most.
        let mut translation = Translation::new(options.with_floats(FloatEncoding::Bits));
        let refused = |error: EncodeError| refusal(self, error);
        let system = translation.system(pool, &clauses.system).map_err(refused)?;
        system.check_printable(pool, options.encoding).map_err(refused)?;
        out.push_str(&system.with_one_query(pool).to_text(pool));
        Ok(statistics)
    }
}

impl Emitter for Ir {
    fn name(&self) -> &'static str {
        "ir"
    }

    fn about(&self) -> &'static str {
        "the intermediate representation, guarded SSA, as text"
    }

    fn settings(&self) -> &'static [Setting] {
        &[Setting::Passes]
    }

    fn emit(
        &self,
        mut input: Input<'_>,
        options: &Options,
        out: &mut String,
    ) -> Result<Vec<PassStatistics>, Refusal> {
        let statistics = transform(&mut input, options);
        out.push_str(&text::print(input.pool, input.program, Some(input.sources)));
        Ok(statistics)
    }
}

impl Emitter for Dot {
    fn name(&self) -> &'static str {
        "dot"
    }

    fn about(&self) -> &'static str {
        "the intermediate representation as a graph for Graphviz"
    }

    fn settings(&self) -> &'static [Setting] {
        &[Setting::Passes]
    }

    fn emit(
        &self,
        mut input: Input<'_>,
        options: &Options,
        out: &mut String,
    ) -> Result<Vec<PassStatistics>, Refusal> {
        let statistics = transform(&mut input, options);
        out.push_str(&text::dot_program(input.pool, input.program));
        Ok(statistics)
    }
}

fn refusal(emitter: &dyn Emitter, reason: impl std::fmt::Display) -> Refusal {
    Refusal { format: emitter.name(), reason: reason.to_string() }
}

/// Runs the passes that the options name, if they name any.
fn transform(input: &mut Input<'_>, options: &Options) -> Vec<PassStatistics> {
    match &options.passes {
        Some(pipeline) => prepare_for_bmc(input.pool, input.program, pipeline).statistics,
        None => Vec::new(),
    }
}

fn blocks(
    emitter: &dyn Emitter,
    input: &mut Input<'_>,
    operator: BlockOperator,
    options: &Options,
) -> Result<(BlockFormulas, Vec<PassStatistics>), Refusal> {
    let pipeline = options.passes.clone().unwrap_or_else(Pipeline::none);
    let locations = match operator {
        BlockOperator::Sbe => Locations::Operations,
        BlockOperator::Lf => Locations::Calls,
        BlockOperator::L | BlockOperator::Never | BlockOperator::Size(_) => Locations::Basic,
    };
    let limits = ViewLimits { locations, ..ViewLimits::default() };
    let prepared = prepare_for_views(input.pool, input.program, limits, &pipeline)
        .map_err(|error| refusal(emitter, error))?;
    let blocks = block_formulas(input.pool, input.program, operator, Config::TRUSTING)
        .map_err(|error| refusal(emitter, error))?;
    Ok((blocks, prepared.statistics))
}
