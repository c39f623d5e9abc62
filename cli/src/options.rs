//! The command line as data: names, types, defaults, ranges and help of every option, once. Parser and `--help` follow
//! from these declarations.

use crate::analysis::AnalysisOptions;
use crate::choice::{Given, Target, block_operator, choice, target};
use backends::interpolation::{Score, SequenceStrategy, Strength, TreeStrategy};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use encode::{Encoding, FloatEncoding, Overflow, Theories};
use frontend::c::types::DataModel;
use frontend::spec::{CHECKS, NAMED};
use passes::transform::pipeline::{PASSES, Standing};
use std::ffi::OsString;
use std::fmt::Write;
use std::path::PathBuf;
use views::BlockOperator;

/// C programs into logic, and logic into answers.
#[derive(Parser, Debug)]
#[command(name = "hornwork", version, about, long_about = LONG_ABOUT, propagate_version = true, max_term_width = 110)]
pub struct Options {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// Log what happens to stderr; twice for more.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,

    /// No progress line, no log and no warnings of names without a definition.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Colors in the output.
    #[arg(long, global = true, value_parser = choice::<Color>(), default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,

    /// The options of the subcommand that the user wrote.
    #[arg(skip)]
    pub given: Given,
}

impl Options {
    /// Parses arguments, the program's name first.
    ///
    /// # Errors
    /// Help that was asked for, and usage errors.
    pub fn parse_from(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let mut command = Self::command();
        let matches = command.try_get_matches_from_mut(arguments)?;
        let mut options = Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
        options.given = Given::of(&command, &matches);
        Ok(options)
    }
}

const LONG_ABOUT: &str = "\
C programs into logic, and logic into answers.

hornwork verify decides whether a C program can reach an error; every FALSE comes with a run that was replayed, every
TRUE with the reason. hornwork emit writes the same formulas for other solvers: SMT-LIB, constrained Horn clauses, the
intermediate representation, or a graph.";

/// The subcommands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Decide whether an error can be reached.
    #[command(after_long_help = VERIFY_HELP)]
    Verify(Box<VerifyOptions>),
    /// Write the program as formulas, clauses, text or a graph.
    #[command(after_long_help = EMIT_HELP)]
    Emit(EmitOptions),
    /// Run an SMT-LIB script on any solver.
    #[command(after_long_help = SMT_HELP)]
    Smt(SmtOptions),
    /// List the built-in solvers and what they can do; replay recorded queries.
    Solvers(SolversOptions),
    /// Solve for another process over standard input and output.
    #[command(hide = true)]
    Worker(WorkerOptions),
}

const VERIFY_HELP: &str = "\
FILE is a C file (preprocessed with `cc -E` where it needs it), a preprocessed .i file, or a task
definition (.yml, SV-COMP format 1.0 or 2.0), which also names the property and the data model.

Without --property these are errors: a call of reach_error or __VERIFIER_error, a label ERROR, and
a failing assert. With --property exactly what it names is an error, and a failing assert only
stops the program. --check adds errors of single operations to either. A run ends at its first
error.

The last line on stdout is the verdict:
  TRUE                  no error can be reached; the reason is printed    exit code 0
  FALSE(unreach-call)   an error is reached; the run is printed           exit code 10
  UNKNOWN(reason)       neither was shown, or an internal error           exit code 20
Input that cannot be read or is not C, and wrong options: exit code 2.

Examples:
  hornwork verify examples/clamp.c
  hornwork verify main.c list.c
  hornwork verify --unwind 20 --encoding QF_UFLIRA program.c
  hornwork verify --algorithm impact --stats --dump graph.dot program.c
  hornwork verify --algorithm predicate --blk lf --abstraction cartesian program.c
  hornwork verify --certificate proof.smt2 program.c && z3 proof.smt2
  hornwork verify --json task.yml";

const EMIT_HELP: &str = "\
Examples:
  hornwork emit program.c --to chc --encoding QF_AUFLIRA -o program.smt2
  hornwork emit program.c --to smt2 --unwind 10 | z3 -in
  hornwork emit program.c --to dot | dot -Tsvg > program.svg";

const SMT_HELP: &str = "\
Commands: all of SMT-LIB 2.6 but recursive functions, datatypes and proofs, and (get-interpolants …) as SMTInterpol has
it: names of assertions in a row are a sequence, parentheses around a group make it a subtree.

Exit codes: 0, or 20 if a check-sat was answered with unknown, or 2 if the script has an error, or 1 if an answer
contradicts the (set-info :status …) before it.

Examples:
  hornwork smt query.smt2 --solver cvc5
  hornwork smt itp.smt2 --interpolation spacer,newton
  hornwork smt query.smt2 --print | z3 -in";

/// What is read and how.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Input")]
pub struct InputOptions {
    /// C files (.c, .i) of one program, or one task definition (.yml).
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// What is an error: property files (.prp), or names as --help lists them, separated by commas. With a task
    /// definition: which of its properties; by default its first that can be checked, unreach-call before others.
    #[arg(long, value_name = "FILE|NAME,…", long_help = property_help())]
    pub property: Option<String>,

    /// Operations that are errors too, whatever --property says.
    #[arg(
        long,
        value_name = "CHECK,…",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(check_values())
    )]
    pub check: Vec<String>,

    /// malloc, calloc and realloc may return a null pointer: each time an input of the program. Without this they succeed.
    #[arg(long)]
    pub malloc_may_fail: bool,

    /// What a program may observe of addresses: order, equality with addresses of objects that ended, and the numbers that
    /// they are.
    #[arg(long, value_parser = choice::<Addresses>(), default_value_t = Addresses::Unknown)]
    pub addresses: Addresses,

    /// Sizes of the C types: ILP32 (int, long and pointers of 32 bits) or LP64 (long and pointers of 64 bits).
    /// A task definition decides where this is absent; otherwise LP64.
    #[arg(long, value_parser = choice::<DataModel>(), ignore_case = true, value_name = "NAME")]
    pub data_model: Option<DataModel>,

    /// Where execution starts. Of another function than main every parameter is any value, and a pointer is null or points to a new
    /// array of 1 to 65,536 elements of any contents; globals have their initial values.
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub function: String,

    /// More options for the preprocessor, e.g. --cpp-option=-DNDEBUG (repeatable).
    #[arg(long = "cpp-option", value_name = "OPTION", allow_hyphen_values = true)]
    pub cpp_options: Vec<String>,
}

/// All checks that can be made.
pub(crate) const ALL_CHECKS: &str = "all";
/// No check.
pub(crate) const NO_CHECKS: &str = "none";

fn check_values() -> Vec<PossibleValue> {
    let named = CHECKS
        .iter()
        .map(|check| PossibleValue::new(check.name).alias(check.kind.verdict_name()).help(check.help));
    let groups = [
        PossibleValue::new(ALL_CHECKS).help("all of these"),
        PossibleValue::new(NO_CHECKS).help("none (the default); checks named beside it still count"),
    ];
    named.chain(groups).collect()
}

fn property_help() -> String {
    let mut help = "What is an error: property files (.prp), or names, separated by commas. With a task definition: \
                    which of its properties; by default its first that can be checked, unreach-call before others.\n"
        .to_owned();
    for named in NAMED {
        let _ = write!(help, "\n  {:18}{}", named.name, named.help);
    }
    help
}

terms::choice! {
    /// When output has colors.
    Color {
        Auto = "auto", "on a terminal, unless NO_COLOR is set";
        Always = "always", "always";
        Never = "never", "never";
    }
}

terms::choice! {
    /// The addresses of objects.
    Addresses {
        Unknown = "unknown", "anywhere: aligned, disjoint while they live, not null; the address of an object that ended may come again";
        Fixed = "fixed", "in one fixed layout, for comparison: a verdict may rest on it";
    }
}

/// The encoding of programs as formulas.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Encoding")]
pub struct EncodingOptions {
    /// The theories of the formulas.
    ///
    /// Numbers are bit vectors (…BVFP: exact) or integers (…LIRA: exact but for products, quotients, shifts and bitwise operations of
    /// variables, which are uninterpreted functions with axioms). Memory is an array (A…), or functions (UF…). Quantifier-free (QF_…), functions are
    /// eliminated, which is exact but grows with reads times writes through unknown addresses; with quantifiers each write makes a new function with a
    /// frame axiom, and equalities of memories are exact, which needs a solver with quantifiers (z3, cvc5).
    #[arg(
        long,
        value_parser = choice::<Encoding>(),
        ignore_case = true,
        default_value_t = Encoding::QfAbvfp,
        value_name = "NAME"
    )]
    pub encoding: Encoding,

    /// In the linear encodings: wrap machine integers around as C does (sound), or ignore overflow and compute with
    /// unbounded integers (unsound for C, the meaning of many invariant benchmarks).
    #[arg(long, value_parser = choice::<Overflow>(), default_value_t = Overflow::Wrap)]
    pub overflow: Overflow,

    /// Floats in the bit-precise encodings: circuits over bit vectors (bits), which every solver decides, or SMT-LIB's
    /// theory of floats (theory), for z3 and cvc5. Where it is absent emit --to smt2 takes theory, all else bits.
    #[arg(long, value_parser = choice::<FloatEncoding>())]
    pub floats: Option<FloatEncoding>,
}

impl EncodingOptions {
    /// The theories, with floats as `floats` where the options leave it open.
    pub(crate) fn with_floats(&self, floats: FloatEncoding) -> Theories {
        let EncodingOptions { encoding, overflow, floats: chosen } = *self;
        Theories { encoding, overflow, floats: chosen.unwrap_or(floats) }
    }
}

/// The help of `--passes`, from the registry of passes.
fn passes_help(default: &str) -> String {
    let mut help = format!(
        "Transformations of the program before it is made formulas, in this order (after function pointers and the splitting of \
         memory, which always run). `default` stands for those marked with *, `none` for nothing, `-NAME` takes one out of \
         what stands before it, as in default,-dce. Absent: {default}.\n"
    );
    for pass in PASSES {
        let mark = if pass.standing == Standing::Default { "*" } else { " " };
        let words: Vec<&str> = pass.about.split_whitespace().collect();
        help.push_str(&format!("\n{mark} {}: {} [{}]", pass.name, words.join(" "), pass.source));
    }
    help
}

const PASSES_SHORT_HELP: &str =
    "Transformations of the program, in this order; see the long help for their names.";

/// `hornwork verify`.
#[derive(Args, Debug, Clone)]
pub struct VerifyOptions {
    /// What is read.
    #[command(flatten)]
    pub input: InputOptions,

    /// How to verify.
    #[command(flatten)]
    pub analysis: AnalysisOptions,

    /// bmc and k-induction: unroll every loop and recursion exactly this many times, in one step.
    #[arg(long, value_name = "K", help_heading = "Algorithm")]
    pub unwind: Option<u32>,

    /// bmc and k-induction: unroll deeper and deeper, up to this bound. [default: 1000000]
    #[arg(long, value_name = "K", help_heading = "Algorithm", conflicts_with = "unwind")]
    pub max_unwind: Option<u32>,

    /// Transformations of the program.
    #[arg(
        long,
        value_name = "NAME,…",
        value_delimiter = ',',
        allow_hyphen_values = true,
        default_value = "default",
        hide_default_value = true,
        help_heading = "Algorithm",
        help = PASSES_SHORT_HELP,
        long_help = passes_help("default")
    )]
    pub passes: Vec<String>,

    /// How the formulas look.
    #[command(flatten)]
    pub encoding: EncodingOptions,

    /// Who decides the formulas.
    #[command(flatten)]
    pub solving: SolvingOptions,

    /// How long it may take.
    #[command(flatten)]
    pub limits: LimitOptions,

    /// What is done with a proof.
    #[command(flatten)]
    pub evidence: EvidenceOptions,

    /// Print one JSON object instead of text.
    #[arg(long, help_heading = "Output")]
    pub json: bool,

    /// Print statistics before the verdict.
    #[arg(long, help_heading = "Output")]
    pub stats: bool,
}

/// What is done with the certificate of a TRUE.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Evidence")]
pub struct EvidenceOptions {
    /// Write the abstract reachability graph to this file, for Graphviz. Without ends of blocks (bmc) it needs --loop-bound.
    #[arg(long, value_name = "FILE")]
    pub dump: Option<PathBuf>,

    /// With --dump: also write the graph after each refinement, as FILE with the number before the extension.
    #[arg(long, requires = "dump")]
    pub dump_refinements: bool,

    /// Say TRUE without checking the certificate once more. By default everything that it claims is made formulas again, by code that no
    /// algorithm uses, and another solver decides them: for as long as the proof took, at least ten seconds, within the time limit. A
    /// certificate that is found to be wrong makes the answer UNKNOWN; one that is not decided in time leaves it, and the answer says so.
    #[arg(long)]
    pub no_validate: bool,

    /// The solver that checks certificates; by default others than the solver that answers: craig for a moment, then another
    /// of yices, z3, cvc5.
    #[arg(long, value_name = "NAME", conflicts_with = "no_validate")]
    pub validator: Option<String>,

    /// Write what the certificate of a TRUE claims as an SMT-LIB script: the certificate is right if a solver answers unsat each time.
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
}

/// The solver and what is done with its answers.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Solver")]
pub struct SolvingOptions {
    /// The solver; see `hornwork solvers`. By default the first of them, or the first that knows quantifiers where the encoding has some.
    #[arg(long, value_name = "NAME")]
    pub solver: Option<String>,

    /// Where the solver runs: in a child process, where a crash or a call that never returns costs one query (the default),
    /// or in this process, which spares the way there and back.
    #[arg(long, value_parser = choice::<Isolation>())]
    pub isolation: Option<Isolation>,

    /// Which answers are checked before they are used: none, models (evaluated) and interpolants (proved by another solver),
    /// or also unsatisfiability (by another solver).
    #[arg(long, value_parser = choice::<Checked>(), default_value_t = Checked::Evidence)]
    pub checked: Checked,

    /// The solver that checks; by default another one than the solver that answers.
    #[arg(long, value_name = "NAME")]
    pub checker: Option<String>,

    /// Write every query as a self-contained .smt2 file with its status into this folder.
    #[arg(long, value_name = "FOLDER")]
    pub record: Option<PathBuf>,

    /// Sources of interpolants, tried in this order; by default all that `hornwork solvers` lists.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', help_heading = "Interpolation")]
    pub interpolation: Vec<String>,

    /// Seconds that one source gets for one problem.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, help_heading = "Interpolation", value_parser = seconds)]
    pub interpolation_budget: f64,

    /// Which of several interpolants a source prefers, where it has a choice (craig).
    #[arg(long, value_parser = choice::<Score>(), default_value_t = Score::General, value_name = "SCORE", help_heading = "Interpolation")]
    pub interpolant_score: Score,

    /// How much interpolants say that are read from one proof (craig-proof).
    #[arg(long, value_parser = choice::<Strength>(), default_value_t = Strength::Strongest, value_name = "STRENGTH", help_heading = "Interpolation")]
    pub interpolant_strength: Strength,

    /// Sequences of more than two parts: as one problem where the source can, or cut by cut.
    #[arg(long, value_parser = choice::<SequenceStrategy>(), default_value_t = SequenceStrategy::Native, help_heading = "Interpolation")]
    pub sequences: SequenceStrategy,

    /// Trees: as one problem where the source can, or by one of the ways to make them of pairs.
    #[arg(long, value_parser = choice::<TreeStrategy>(), default_value_t = TreeStrategy::Native, help_heading = "Interpolation")]
    pub trees: TreeStrategy,
}

terms::choice! {
    /// The process in which solvers run.
    Isolation {
        Process = "process", "in a child process";
        None = "none", "in this process";
    }
}

terms::choice! {
    /// Answers that are checked.
    Checked {
        None = "none", "no answers";
        Evidence = "evidence", "models and interpolants";
        All = "all", "also unsatisfiability";
    }
}

/// Time and memory.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Limits")]
pub struct LimitOptions {
    /// Seconds of wall time for the whole run; 0 for no limit.
    #[arg(long, value_name = "SECONDS", default_value_t = 900.0, value_parser = seconds)]
    pub timelimit: f64,

    /// Seconds of CPU time for one query; 0 for no limit.
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, value_parser = seconds)]
    pub query_timelimit: f64,

    /// Megabytes of memory for each process; 0 for four fifths of what the machine has.
    #[arg(long, value_name = "MB", default_value_t = 0)]
    pub memlimit: u64,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && (0.0..=1e9).contains(&value) => Ok(value),
        _ => Err("a number of seconds from 0 to 1e9".to_string()),
    }
}

/// `hornwork emit`.
#[derive(Args, Debug, Clone)]
pub struct EmitOptions {
    /// What is read.
    #[command(flatten)]
    pub input: InputOptions,

    /// What is written.
    #[arg(long, value_parser = target(), value_name = "FORMAT", help_heading = "Output")]
    pub to: Target,

    /// Where it is written; stdout when absent.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// For smt2 without --blk: the number of times each loop and recursion is unrolled.
    #[arg(long, value_name = "K", default_value_t = 10, help_heading = "Output", conflicts_with = "blk")]
    pub unwind: u32,

    /// For smt2 and chc: the cut points between which there is one formula. Without it smt2 is the unrolling, and chc
    /// cuts at loop heads.
    #[arg(long, value_parser = block_operator(), value_name = "NAME|N", help_heading = "Output")]
    pub blk: Option<BlockOperator>,

    /// Transformations of the program.
    #[arg(
        long,
        value_name = "NAME,…",
        value_delimiter = ',',
        allow_hyphen_values = true,
        help_heading = "Output",
        help = PASSES_SHORT_HELP,
        long_help = passes_help(
            "none, and `ir` and `dot` show the program as it was lowered, before the splitting of memory. (Passes that \
             drop code may drop a loop that does not end, and with it the reason why an error is not reached.)"
        )
    )]
    pub passes: Option<Vec<String>>,

    /// Print what the passes did to stderr.
    #[arg(long, help_heading = "Output")]
    pub stats: bool,

    /// How the formulas look.
    #[command(flatten)]
    pub encoding: EncodingOptions,
}

/// `hornwork smt`.
#[derive(Args, Debug, Clone)]
pub struct SmtOptions {
    /// An SMT-LIB 2.6 script; - for standard input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Print the script as it was understood instead of running it.
    #[arg(long, help_heading = "Output")]
    pub print: bool,

    /// Print statistics to stderr at the end.
    #[arg(long, help_heading = "Output")]
    pub stats: bool,

    /// Who decides the formulas.
    #[command(flatten)]
    pub solving: SolvingOptions,

    /// How long it may take.
    #[command(flatten)]
    pub limits: LimitOptions,
}

/// `hornwork solvers`.
#[derive(Args, Debug, Clone)]
pub struct SolversOptions {
    /// Print JSON.
    #[arg(long)]
    pub json: bool,

    /// Run recorded queries (.smt2 files with a status) on every solver, or on the one that --solver names, and compare.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "json")]
    pub replay: Vec<PathBuf>,

    /// Try what every solver can do, and print the table as Markdown.
    #[arg(long, conflicts_with_all = ["json", "replay"])]
    pub conformance: bool,

    /// Only this solver.
    #[arg(long, value_name = "NAME")]
    pub solver: Option<String>,

    /// Seconds for each query of a replay.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    pub query_timelimit: f64,
}

/// `hornwork worker`.
#[derive(Args, Debug, Clone)]
pub struct WorkerOptions {
    /// Megabytes of resident memory; 0 for no limit.
    #[arg(long, value_name = "MB", default_value_t = 0)]
    pub memory: u64,
}
