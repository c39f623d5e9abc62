//! Output formats: programs as SMT-LIB scripts, Horn clauses, transition systems, IR text and
//! graphs.
//!
//! An [`Emitter`] transforms a program into the form that its format requires and writes the text.
//! [`EMITTERS`] is the registry of formats; `hornwork emit --to`, its help and the manual are
//! generated from it. A new format is one implementation and one row of the registry. This module
//! neither opens files nor calls solvers.
//!
//! The texts are written for people as well as for solvers: symbols, relations and definitions are
//! named after the source ([`views::print::Titles`]); comments and `set-info` commands state the
//! origin of the text.

mod unrolling;

use crate::transform::pipeline::PassStatistics;
use crate::transform::{
    Locations, Pipeline, PreparedForViews, Procedures, ViewLimits, prepare_for_bmc, prepare_for_views,
};
use encode::{EncodeError, Encoding, FloatEncoding, Overflow, Reads, Theories};
use grammars::source::SourceMap;
use horn::{LocationSort, Notes, System, Translation};
use program::ssa::{Program, RegionKind};
use program::text;
use rustc_hash::FxHashMap;
use std::path::PathBuf;
use terms::TermPool;
use views::blocks::block_formulas;
use views::clauses::procedures::{ProcedureNaming, of_procedures};
use views::clauses::{self, Naming};
use views::print::{self, Places, Titles};
use views::procedures::procedure_formulas;
use views::{BlockOperator, Config, ViewError};

/// The program to emit, with its sources. Emission transforms the program in place.
#[derive(Debug)]
pub struct Input<'a> {
    /// The pool that owns the terms of the program.
    pub pool: &'a mut TermPool,
    /// The program as lowered.
    pub program: &'a mut Program,
    /// The source files, for positions in comments.
    pub sources: &'a SourceMap,
    /// Base folders in order of preference: comments show absolute paths relative to the first
    /// folder that contains the file.
    pub folders: &'a [PathBuf],
}

/// The report of an emission, besides the text.
#[derive(Clone, Debug, Default)]
pub struct Emitted {
    /// The statistics of the passes.
    pub passes: Vec<PassStatistics>,
    /// Warnings about a vacuous or otherwise unexpected text, one sentence each.
    pub warnings: Vec<String>,
}

/// The settings of all formats. [`Emitter::settings`] lists those that affect a format.
#[derive(Clone, Debug)]
pub struct Options {
    /// The bound of the unrolling: iterations of each loop and depth of each recursion, at least 1.
    pub unwind: u32,
    /// The block operator, which chooses the cut points; `None` selects the default of the format.
    pub blk: Option<BlockOperator>,
    /// The functions with summaries; `None` selects the default of the format.
    pub procedures: Option<Procedures>,
    /// The theories of formulas.
    pub encoding: Encoding,
    /// The semantics of machine integers in linear encodings.
    pub overflow: Overflow,
    /// The encoding of floats; `None` selects the default of the format.
    pub floats: Option<FloatEncoding>,
    /// The reads of memory; `None` selects the theory of arrays.
    pub reads: Option<Reads>,
    /// The memory model and the passes. With `None`, formats that can express it emit the program
    /// as lowered.
    pub passes: Option<Pipeline>,
}

impl Options {
    /// The theories that the options select; `floats` is the default encoding of floats.
    fn with_floats(&self, floats: FloatEncoding) -> Theories {
        let Options { encoding, overflow, floats: chosen, reads, .. } = *self;
        Theories { encoding, overflow, floats: chosen.unwrap_or(floats), reads: reads.unwrap_or_default() }
    }
}

terms::choice! {
    /// A setting of [`Options`], named after its command-line option.
    Setting {
        Unwind = "unwind", "the bound of an unrolling";
        Blk = "blk", "the cut points of formulas";
        Procedures = "procedures", "the functions with summaries";
        Encoding = "encoding", "the theories of formulas";
        Overflow = "overflow", "machine integers in linear encodings";
        Floats = "floats", "floats in formulas";
        Reads = "reads", "reads of memory in formulas";
        Memory = "memory", "the regions of memory";
        Passes = "passes", "transformations of the program";
    }
}

/// An error: the format cannot express the program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot emit as {format}: {reason}")]
pub struct Refusal {
    /// The name of the format.
    pub format: &'static str,
    /// The unsupported construct or the exceeded limit.
    pub reason: String,
}

/// An output format.
pub trait Emitter: std::fmt::Debug + Sync {
    /// The value of `--to`.
    fn name(&self) -> &'static str;

    /// Describes the text and the meaning of a solver's answer to it, in one sentence without a
    /// full stop.
    fn about(&self) -> &'static str;

    /// The settings that affect this format.
    fn settings(&self) -> &'static [Setting];

    /// Appends the text of `input` to `out`.
    ///
    /// # Errors
    /// If the format cannot express the program with these options. `out` is then unchanged.
    fn emit(&self, input: Input<'_>, options: &Options, out: &mut String) -> Result<Emitted, Refusal>;
}

/// All formats, in the order of the help text.
pub const EMITTERS: &[&dyn Emitter] = &[&Smt2, &Chc, &Vmt, &Btor2, &Ir, &Dot];

/// Returns the names of the formats that a setting affects.
#[must_use]
pub fn formats_with(setting: Setting) -> Vec<&'static str> {
    let formats = EMITTERS.iter().filter(|emitter| emitter.settings().contains(&setting));
    formats.map(|emitter| emitter.name()).collect()
}

/// SMT-LIB 2.6 scripts.
#[derive(Debug)]
struct Smt2;

/// Constrained Horn clauses in the format of the CHC competition.
#[derive(Debug)]
struct Chc;

/// Transition systems in VMT-LIB.
#[derive(Debug)]
struct Vmt;

/// Transition systems in BTOR2.
#[derive(Debug)]
struct Btor2;

/// The text form of the IR.
#[derive(Debug)]
struct Ir;

/// The IR as a Graphviz graph.
#[derive(Debug)]
struct Dot;

impl Emitter for Smt2 {
    fn name(&self) -> &'static str {
        "smt2"
    }

    fn about(&self) -> &'static str {
        "an SMT-LIB 2.6 script: the bounded unrolling of the program, satisfiable iff an error is reachable within \
         --unwind iterations of each loop; with --blk the transition system, a define-fun for each block between cut points"
    }

    fn settings(&self) -> &'static [Setting] {
        use Setting::{Blk, Encoding, Floats, Memory, Overflow, Passes, Reads, Unwind};
        &[Unwind, Blk, Encoding, Overflow, Floats, Reads, Memory, Passes]
    }

    fn emit(&self, mut input: Input<'_>, options: &Options, out: &mut String) -> Result<Emitted, Refusal> {
        let Some(operator) = options.blk else { return unrolling::emit(self, input, options, out) };
        let places = input.places();
        let emitted = prepare(self, &mut input, operator, (Procedures::Inline, options))?.emitted();
        let Input { pool, program, .. } = input;
        let blocks = block_formulas(pool, program, operator, Config::TRUSTING)
            .map_err(|error| refusal(self, error))?;
        let titles = Titles::new(pool, program, &blocks, &places);
        let theories = options.with_floats(FloatEncoding::Theory);
        let what = format!("transition system, blocks --blk {operator}");
        let header = format!(
            "{}; One function for each pair of cut points with a path between them: over variables x at the first, \
             x.next at the second.\n",
            source_info(&places, &what, options)
        );
        let text = print::print_blocks(pool, program, &blocks, (&titles, &places), theories, &header)
            .map_err(|error| refusal(self, error))?;
        out.push_str(&text);
        Ok(emitted)
    }
}

impl Emitter for Chc {
    fn name(&self) -> &'static str {
        "chc"
    }

    fn about(&self) -> &'static str {
        "constrained Horn clauses in the format of the CHC competition, with a relation for each loop head, or for each \
         cut point of --blk, and for the entries, calls and exits of --procedures; satisfiable iff the program is safe"
    }

    fn settings(&self) -> &'static [Setting] {
        use Setting::{Blk, Encoding, Floats, Memory, Overflow, Passes, Procedures, Reads};
        &[Blk, Procedures, Encoding, Overflow, Floats, Reads, Memory, Passes]
    }

    fn emit(&self, mut input: Input<'_>, options: &Options, out: &mut String) -> Result<Emitted, Refusal> {
        let clauses = horn_clauses(self, &mut input, "Horn clauses", options)?;
        let header = format!(
            "{}(set-info :status {})\n; sat: the program is safe, unsat: an error is reachable.\n",
            clauses.info,
            if clauses.system.queries().next().is_none() { "sat" } else { "unknown" },
        );
        let notes = Notes { header, inner: clauses.inputs };
        let pool = input.pool;
        out.push_str(&clauses.system.with_one_query(pool).to_text(pool, &notes));
        Ok(clauses.emitted)
    }
}

impl Emitter for Vmt {
    fn name(&self) -> &'static str {
        "vmt"
    }

    fn about(&self) -> &'static str {
        "a transition system in VMT-LIB, with a location for each loop head, or for each cut point of --blk; its \
         property holds iff the program is safe"
    }

    fn settings(&self) -> &'static [Setting] {
        use Setting::{Blk, Encoding, Floats, Memory, Overflow, Passes, Reads};
        &[Blk, Encoding, Overflow, Floats, Reads, Memory, Passes]
    }

    fn emit(&self, mut input: Input<'_>, options: &Options, out: &mut String) -> Result<Emitted, Refusal> {
        let clauses = horn_clauses(self, &mut input, "transition system", options)?;
        let transitions = clauses.system.to_transitions(input.pool, LocationSort::Int);
        let transitions = transitions.map_err(|error| refusal(self, error))?;
        transitions.write_vmt(out, input.pool, &clauses.info).expect("writing to a string cannot fail");
        Ok(clauses.emitted)
    }
}

impl Emitter for Btor2 {
    fn name(&self) -> &'static str {
        "btor2"
    }

    fn about(&self) -> &'static str {
        "a transition system in BTOR2, with a location for each loop head, or for each cut point of --blk; a bad state is \
         reachable iff an error is"
    }

    fn settings(&self) -> &'static [Setting] {
        use Setting::{Blk, Memory, Passes};
        &[Blk, Memory, Passes]
    }

    fn emit(&self, mut input: Input<'_>, options: &Options, out: &mut String) -> Result<Emitted, Refusal> {
        let clauses = horn_clauses(self, &mut input, "transition system", options)?;
        let transitions = clauses.system.to_transitions(input.pool, LocationSort::BitVec);
        let transitions = transitions.map_err(|error| refusal(self, error))?;
        let comment = format!("; {}\n", clauses.title);
        out.push_str(&transitions.to_btor2(input.pool, &comment).map_err(|error| refusal(self, error))?);
        Ok(clauses.emitted)
    }
}

/// The Horn clauses of a program, in the theories of the options.
struct HornClauses {
    system: System,
    /// The labels of inner symbols.
    inputs: FxHashMap<String, String>,
    /// The origin of the text, in words and as a command.
    title: String,
    info: String,
    emitted: Emitted,
}

/// Builds the Horn clauses of a program; `what` is the kind of the text.
fn horn_clauses(
    emitter: &dyn Emitter,
    input: &mut Input<'_>,
    what: &str,
    options: &Options,
) -> Result<HornClauses, Refusal> {
    let operator = options.blk.unwrap_or(BlockOperator::L);
    let places = input.places();
    let procedures = options.procedures.unwrap_or(match operator {
        // Blocks end at calls and returns.
        BlockOperator::Lf => Procedures::All,
        _ => Procedures::Recursive,
    });
    let prepared = prepare(emitter, input, operator, (procedures, options))?;
    let summarized = prepared.procedures.len();
    let Input { pool, program, .. } = input;
    let (source, inputs) =
        clauses_of(pool, program, &places, operator, summarized).map_err(|error| refusal(emitter, error))?;
    // No Horn-clause solver supports the theory of floating-point numbers.
    let mut translation = Translation::new(options.with_floats(FloatEncoding::Bits));
    let refused = |error: EncodeError| refusal(emitter, error);
    let mut system = translation.system(pool, &source).map_err(refused)?;
    let warnings = without_functions(pool, &mut system, options.overflow);
    system.check_printable(pool, options.encoding).map_err(refused)?;
    let mut what = format!("{what}, blocks --blk {operator}");
    if summarized > 0 {
        what.push_str(&format!(", --procedures {procedures}"));
    }
    let title = source_title(&places, &what, options);
    let assumed = match has_unchecked_accesses(program) {
        true => "; Assumes that no access is outside of all objects.\n",
        false => "",
    };
    let info = format!("(set-info :source |{title}|)\n{assumed}");
    let emitted = Emitted { warnings, ..prepared.emitted() };
    Ok(HornClauses { system, inputs, title, info, emitted })
}

/// Whether the program reads or writes memory through pointers or indices without checks.
fn has_unchecked_accesses(program: &Program) -> bool {
    let blocks = program.functions.values().flat_map(|function| function.blocks.values());
    let mut regions =
        blocks.flat_map(|block| &block.instructions).flat_map(|instruction| instruction.kind.regions());
    regions.any(|region| {
        let is_scalar = matches!(program.regions[region].kind, RegionKind::Scalar(_));
        !is_scalar && !program.checks_accesses_to(region)
    })
}

/// Replaces the functions of linear encodings, which Horn clauses cannot have, by native
/// arithmetic. Returns a warning if some are approximated.
fn without_functions(pool: &mut TermPool, system: &mut System, overflow: Overflow) -> Vec<String> {
    let approximated = system.replace_functions(pool, overflow);
    match approximated.is_empty() {
        true => Vec::new(),
        false => vec![format!(
            "the clauses over-approximate {}: sat means safe, but unsat may be spurious; bit vectors are exact",
            approximated.join(", ")
        )],
    }
}

/// The Horn clauses of a prepared program with this number of procedures, and the labels of its
/// inputs.
fn clauses_of(
    pool: &mut TermPool,
    program: &Program,
    places: &Places<'_>,
    operator: BlockOperator,
    procedures: usize,
) -> Result<(System, FxHashMap<String, String>), ViewError> {
    if procedures == 0 {
        let blocks = block_formulas(pool, program, operator, Config::TRUSTING)?;
        let titles = Titles::new(pool, program, &blocks, places);
        let clauses = clauses::of_blocks(pool, program, &blocks, Naming::Source(&titles, places));
        return Ok((clauses.system, titles.inputs));
    }
    let formulas = procedure_formulas(pool, program, operator, Config::TRUSTING)?;
    let titles = Titles::of_procedures(pool, program, &formulas, places);
    let naming = ProcedureNaming::Source(&titles, places);
    let clauses = of_procedures(pool, program, &formulas, naming);
    Ok((clauses.system, titles.into_iter().flat_map(|titles| titles.inputs).collect()))
}

impl Emitter for Ir {
    fn name(&self) -> &'static str {
        "ir"
    }

    fn about(&self) -> &'static str {
        "the intermediate representation, guarded SSA, as text"
    }

    fn settings(&self) -> &'static [Setting] {
        &[Setting::Memory, Setting::Passes]
    }

    fn emit(&self, mut input: Input<'_>, options: &Options, out: &mut String) -> Result<Emitted, Refusal> {
        let passes = transform(&mut input, options);
        out.push_str(&text::print(input.pool, input.program, Some(input.sources)));
        Ok(Emitted { passes, warnings: Vec::new() })
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
        &[Setting::Memory, Setting::Passes]
    }

    fn emit(&self, mut input: Input<'_>, options: &Options, out: &mut String) -> Result<Emitted, Refusal> {
        let passes = transform(&mut input, options);
        out.push_str(&text::dot_program(input.pool, input.program));
        Ok(Emitted { passes, warnings: Vec::new() })
    }
}

impl<'a> Input<'a> {
    /// Returns the positions for comments. Call this before the transformation: inlining removes
    /// the bodies by which positions are attributed to functions.
    fn places(&self) -> Places<'a> {
        Places::new(self.sources, self.program, self.folders)
    }
}

/// Returns the `set-info` command with the origin of a text: the generator, the file, the kind of
/// text (`what`) and the encoding.
fn source_info(places: &Places<'_>, what: &str, options: &Options) -> String {
    format!("(set-info :source |{}|)\n", source_title(places, what, options))
}

/// Returns the origin of a text in words: the generator, the file, the kind of text and the
/// encoding.
fn source_title(places: &Places<'_>, what: &str, options: &Options) -> String {
    let from = places.file().map(|file| format!(" from {file}")).unwrap_or_default();
    // A quoted symbol contains neither bars nor backslashes, and a comment no line break.
    format!("Hornwork {}{from}: {what}, encoding {}", env!("CARGO_PKG_VERSION"), options.encoding)
        .replace(['|', '\\', '\n', '\r'], "_")
}

fn refusal(emitter: &dyn Emitter, reason: impl std::fmt::Display) -> Refusal {
    Refusal { format: emitter.name(), reason: reason.to_string() }
}

/// Runs the passes of the options, if there are any.
fn transform(input: &mut Input<'_>, options: &Options) -> Vec<PassStatistics> {
    match &options.passes {
        Some(pipeline) => prepare_for_bmc(input.pool, input.program, pipeline).statistics,
        None => Vec::new(),
    }
}

impl PreparedForViews {
    fn emitted(self) -> Emitted {
        Emitted { passes: self.statistics, warnings: Vec::new() }
    }
}

/// Prepares the program for the block formulas of a block operator.
fn prepare(
    emitter: &dyn Emitter,
    input: &mut Input<'_>,
    operator: BlockOperator,
    (procedures, options): (Procedures, &Options),
) -> Result<PreparedForViews, Refusal> {
    let pipeline = options.passes.clone().unwrap_or_else(Pipeline::none);
    let locations = match operator {
        BlockOperator::Sbe => Locations::Operations,
        BlockOperator::Lf => Locations::Calls,
        BlockOperator::L | BlockOperator::Never | BlockOperator::Size(_) => Locations::Basic,
    };
    let limits = ViewLimits { locations, procedures, ..ViewLimits::default() };
    prepare_for_views(input.pool, input.program, limits, &pipeline).map_err(|error| refusal(emitter, error))
}
