//! The command line as data: names, types, defaults, ranges and help of every option. The parser,
//! `--help`, the man pages, the completions and `docs/options.md` are generated from these
//! declarations.
//!
//! The short help (`-h`) shows the first paragraph of each option's help. It fits on one screen, so
//! rarely used options are hidden there. The long help (`--help`) lists all options.

use crate::analysis::AnalysisOptions;
pub use crate::arguments::ArgumentOptions;
use crate::arguments::{self, MAIN};
use crate::choice::{Given, Target, block_operator, choice, seconds, target};
use crate::clauses::{self, HornOptions};
use crate::comparison::{CompareOptions, ElementOptions, SuperviseOptions};
use crate::compiler::{PreprocessorOptions, with_two_dashes};
use crate::external::{ContainOptions, ExternalOptions};
use crate::help;
use crate::inference::InferenceOptions;
pub use crate::limits::LimitOptions;
use crate::named_bound::NamedBound;
use crate::portfolio::PortfolioOptions;
use backends::interpolation::{Score, SequenceStrategy, Strength, TreeStrategy};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use encode::{Encoding, FloatEncoding, Overflow, Reads, Theories};
use frontend::c::types::DataModel;
use frontend::spec::{CHECKS, NAMED};
use passes::transform::pipeline::{PASSES, Standing};
use passes::transform::{MemoryModel, Procedures};
use std::ffi::OsString;
use std::fmt::Write;
use std::path::PathBuf;
use views::BlockOperator;

/// Verifies C programs, emits SMT-LIB and Horn clauses, runs SMT-LIB scripts.
#[derive(Parser, Debug)]
#[command(
    name = "hornwork",
    version,
    about,
    long_about = help::LONG_ABOUT,
    after_help = help::EXAMPLES,
    propagate_version = true,
    max_term_width = 110
)]
pub struct Options {
    /// The subcommand.
    #[command(subcommand)]
    pub command: Command,

    /// Log to stderr; -vv logs more.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,

    /// Print no progress, no log and no warnings.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Colors in the output.
    #[arg(
        long,
        global = true,
        value_parser = choice::<Color>(),
        default_value_t = Color::Auto,
        value_name = "WHEN",
        hide_short_help = true
    )]
    pub color: Color,

    /// The options of the subcommand: those on the command line, and all values in effect.
    #[arg(skip)]
    pub given: Given,
}

impl Options {
    /// Parses arguments. The first one is the name of the program.
    ///
    /// # Errors
    /// Usage errors, and requests for help.
    pub fn parse_from(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let mut command = Self::command();
        let matches = command.try_get_matches_from_mut(with_two_dashes(arguments))?;
        let mut options = Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
        options.given = Given::of(&command, &matches);
        Ok(options)
    }
}

/// The subcommands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Decide whether a C program can reach an error.
    #[command(after_help = help::VERIFY_EXAMPLES, after_long_help = help::verify_help())]
    Verify(Box<VerifyOptions>),
    /// Translate a C program to SMT-LIB, Horn clauses, IR text or a graph.
    #[command(after_help = help::EMIT_EXAMPLES)]
    Emit(Box<EmitOptions>),
    /// Write a C program that calls a function with all arguments that its precondition permits.
    #[command(after_help = arguments::EXAMPLES, after_long_help = arguments::help())]
    Harness(Box<HarnessOptions>),
    /// Print invariants of the loops of a C program.
    #[command(after_help = help::INFER_EXAMPLES, after_long_help = help::infer_help())]
    Infer(Box<InferOptions>),
    /// Read and write systems of constrained Horn clauses.
    #[command(after_help = clauses::EXAMPLES, after_long_help = help::horn_help())]
    Horn(HornOptions),
    /// Run algorithms, solvers and encodings on sets of tasks, and report the differences.
    #[command(after_help = help::COMPARE_EXAMPLES, after_long_help = help::compare_help())]
    Compare(Box<CompareOptions>),
    /// Run an SMT-LIB script on a built-in solver.
    #[command(after_help = help::SMT_EXAMPLES, after_long_help = help::smt_help())]
    Smt(SmtOptions),
    /// List the built-in solvers and their features; replay recorded queries.
    #[command(after_help = help::SOLVERS_EXAMPLES)]
    Solvers(SolversOptions),
    /// Print a completion script for a shell.
    #[command(after_help = help::COMPLETIONS_EXAMPLES)]
    Completions(CompletionsOptions),
    /// Print the man page, or write the man pages of all commands to a folder.
    #[command(after_help = help::MAN_EXAMPLES)]
    Man(ManOptions),
    /// Serve solver queries of a parent process over standard input and output.
    #[command(hide = true)]
    Worker(WorkerOptions),
    /// Become a command that ends with the parent process.
    #[command(hide = true)]
    Contain(ContainOptions),
    /// Run a command under limits, measure it, and end all of its processes.
    #[command(hide = true)]
    Supervise(SuperviseOptions),
    /// Make the runs of one element of a job array.
    #[command(hide = true)]
    ArrayElement(ElementOptions),
}

/// The program, the properties and the execution environment.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Input")]
pub struct InputOptions {
    /// The C files (.c, .i) of one program, or one task definition (.yml); - for standard input.
    ///
    /// A folder stands for the compilation database (compile_commands.json) in it, or for its C
    /// files. All C files of a compilation database are one program.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Properties to check: files or names, e.g. unreach-call,no-overflow.
    #[arg(long, value_name = "FILE|NAME,…", long_help = property_help())]
    pub property: Option<String>,

    /// Operations to check in addition to --property.
    #[arg(
        long,
        value_name = "CHECK,…",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(check_values())
    )]
    pub check: Vec<String>,

    /// Let malloc, calloc and realloc fail nondeterministically.
    ///
    /// By default, they succeed.
    #[arg(long, hide_short_help = true)]
    pub malloc_may_fail: bool,

    /// The addresses of objects.
    ///
    /// They matter if a program orders addresses, compares them with the address of a dead object,
    /// or uses them as numbers.
    #[arg(long, hide_short_help = true, value_parser = choice::<Addresses>(), default_value_t = Addresses::Unknown)]
    pub addresses: Addresses,

    /// The sizes of the C types [default: from the task definition, else LP64].
    #[arg(long, value_parser = choice::<DataModel>(), ignore_case = true, value_name = "NAME")]
    pub data_model: Option<DataModel>,

    /// The function where execution starts.
    ///
    /// A harness calls a function other than main with all arguments that its precondition permits.
    /// By default, a pointer is null or points to a new array of up to 65,536 bytes with any
    /// contents; attributes of the function (nonnull, access), array parameters, an ACSL comment
    /// before it (requires) and --argument, --nonnull and --pointer-depth state more. Globals have
    /// their initial values. `hornwork harness` writes the harness.
    #[arg(long, value_name = "NAME", default_value = MAIN)]
    pub function: String,

    /// The arguments of the function.
    #[command(flatten)]
    pub arguments: ArgumentOptions,

    /// The preprocessor.
    #[command(flatten)]
    pub preprocessor: PreprocessorOptions,
}

/// The value of `--check` that enables all checks.
pub(crate) const ALL_CHECKS: &str = "all";
/// The value of `--check` that enables no check.
pub(crate) const NO_CHECKS: &str = "none";

fn check_values() -> Vec<PossibleValue> {
    let named = CHECKS
        .iter()
        .map(|check| PossibleValue::new(check.name).alias(check.kind.verdict_name()).help(check.help));
    let groups = [
        PossibleValue::new(ALL_CHECKS).help("all of the above"),
        PossibleValue::new(NO_CHECKS).help("no check (the default); other checks in the list still apply"),
    ];
    named.chain(groups).collect()
}

fn property_help() -> String {
    let mut help = "The properties to check: files (.prp) or names, separated by commas. By default: calls of \
                    reach_error, labels ERROR, and failing asserts. With a task definition, the default is its \
                    unreach-call property, or else its first supported property.\n"
        .to_owned();
    for named in NAMED {
        let _ = write!(help, "\n  {:18}{}", named.name, named.help);
    }
    help
}

terms::choice! {
    /// The use of colors in the output.
    Color {
        Auto = "auto", "on a terminal, unless NO_COLOR is set";
        Always = "always", "always";
        Never = "never", "never";
    }
}

terms::choice! {
    /// The addresses of objects.
    Addresses {
        Unknown = "unknown", "arbitrary: aligned, not null, disjoint for live objects; the address of a dead object may be reused";
        Fixed = "fixed", "one fixed layout; verdicts may depend on it (for comparisons)";
    }
}

/// The encoding of programs as formulas.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Encoding")]
pub struct EncodingOptions {
    /// The theories of the formulas.
    ///
    /// Numbers: bit vectors (…BVFP, exact) or integers (…LIRA, exact except for products,
    /// quotients, shifts and bitwise operations of variables, which become uninterpreted functions
    /// with axioms). Memory: an array (A…), or functions (UF…). Without quantifiers (QF_UF…), the
    /// functions are eliminated, which is exact; the size grows with reads times writes through
    /// unknown addresses. With quantifiers, each write defines a new function by a frame axiom, and
    /// equalities of memories are exact; this needs a solver that supports quantifiers (z3, cvc5).
    #[arg(
        long,
        value_parser = choice::<Encoding>(),
        ignore_case = true,
        default_value_t = Encoding::QfAbvfp,
        value_name = "NAME"
    )]
    pub encoding: Encoding,

    /// The regions into which memory is divided, each an array (A…) or functions (UF…).
    ///
    /// Verdicts are the same; regions makes the simplest formulas, the others are for comparisons.
    /// Variables that are accessed only by name are values in each model.
    #[arg(long, hide_short_help = true, value_parser = choice::<MemoryModel>(), default_value_t = MemoryModel::Regions, value_name = "MODEL")]
    pub memory: MemoryModel,

    /// Machine integers in the linear encodings (…LIRA): wrap around as in C, or unbounded.
    #[arg(long, hide_short_help = true, value_parser = choice::<Overflow>(), default_value_t = Overflow::Wrap)]
    pub overflow: Overflow,

    /// Floats in the bit-precise encodings (…BVFP) [default: theory for emit --to smt2, else bits].
    #[arg(long, hide_short_help = true, value_parser = choice::<FloatEncoding>())]
    pub floats: Option<FloatEncoding>,

    /// Reads of memory in the bit-precise encodings with arrays (…ABVFP): by the theory of arrays,
    /// or by distinction of cases where an address has few values, as in a table [default: select
    /// for emit, else cases].
    #[arg(long, hide_short_help = true, value_parser = choice::<Reads>())]
    pub reads: Option<Reads>,
}

impl EncodingOptions {
    /// Returns the theories that the options select. `floats` is the default encoding of floats.
    pub(crate) fn with_floats(&self, floats: FloatEncoding) -> Theories {
        let EncodingOptions { encoding, overflow, floats: chosen, reads, .. } = *self;
        Theories {
            encoding,
            overflow,
            floats: chosen.unwrap_or(floats),
            reads: reads.unwrap_or(Reads::Cases),
        }
    }
}

/// Returns the help of `--passes`, generated from the registry of passes.
fn passes_help(default: &str) -> String {
    let mut help = format!(
        "Transformations of the program, in this order, after the resolution of function pointers and the splitting of memory, \
         which always run. `default` stands for the passes marked with *, `none` for no pass, and `-NAME` removes a pass from \
         the list before it, as in default,-dce. [default: {default}]\n"
    );
    for pass in PASSES {
        let mark = if pass.standing == Standing::Default { "*" } else { " " };
        let words: Vec<&str> = pass.about.split_whitespace().collect();
        help.push_str(&format!("\n{mark} {}: {} [{}]", pass.name, words.join(" "), pass.source));
    }
    help
}

const PASSES_SHORT_HELP: &str = "Transformations of the program, in this order";

/// `hornwork verify`.
#[derive(Args, Debug, Clone)]
pub struct VerifyOptions {
    /// The input.
    #[command(flatten)]
    pub input: InputOptions,

    /// The algorithm.
    #[command(flatten)]
    pub analysis: AnalysisOptions,

    /// The portfolio.
    #[command(flatten)]
    pub portfolio: PortfolioOptions,

    /// Unroll each loop and recursion K times (bmc, k-induction, kiki, pdr, horn).
    #[arg(long, value_name = "K", help_heading = "Algorithm")]
    pub unwind: Option<u32>,

    /// Bound of iterative deepening (bmc, k-induction, kiki, pdr, horn) [default: 10000000].
    ///
    /// The bound of a loop or recursion grows only where an execution exceeds it. Up to 1024
    /// iterations that constants decide do not count.
    #[arg(
        long,
        value_name = "K",
        help_heading = "Algorithm",
        hide_short_help = true,
        conflicts_with = "unwind"
    )]
    pub max_unwind: Option<u32>,

    /// Fixed bounds of single loops, as in main.12:16 (bmc, k-induction, kiki).
    ///
    /// A loop is named by its function and the line of its statement, a recursion by its function;
    /// --stats lists the names. Loops that are not in the list have the bounds of --unwind or
    /// --max-unwind.
    #[arg(
        long,
        value_name = "LOOP:K,…",
        help_heading = "Algorithm",
        value_delimiter = ',',
        hide_short_help = true
    )]
    pub unwindset: Vec<NamedBound>,

    /// Transformations of the program.
    #[arg(
        long,
        value_name = "NAME,…",
        value_delimiter = ',',
        allow_hyphen_values = true,
        default_value = "default",
        hide_default_value = true,
        hide_short_help = true,
        help_heading = "Algorithm",
        help = PASSES_SHORT_HELP,
        long_help = passes_help("default")
    )]
    pub passes: Vec<String>,

    /// The encoding.
    #[command(flatten)]
    pub encoding: EncodingOptions,

    /// The solver.
    #[command(flatten)]
    pub solving: SolvingOptions,

    /// The limits.
    #[command(flatten)]
    pub limits: LimitOptions,

    /// The output of graphs.
    #[command(flatten)]
    pub dump: DumpOptions,

    /// The precision between runs.
    #[command(flatten)]
    pub precision: PrecisionOptions,

    /// The treatment of certificates.
    #[command(flatten)]
    pub evidence: EvidenceOptions,

    /// Decide each check on its own, and go on after the first error.
    ///
    /// Prints a table of all checks with their verdicts. The verdict of the run is FALSE if one
    /// check fails, TRUE if all hold. Executions go on after an error if C defines what follows, as
    /// for unsigned overflow; otherwise TRUE for a check does not speak of what is behind it.
    #[arg(long, help_heading = "Output", conflicts_with_all = ["certificate", "dump", "precision_out"])]
    pub all_properties: bool,

    /// Also write the verdicts of --all-properties to a file in SARIF 2.1.0.
    #[arg(
        long,
        help_heading = "Output",
        value_name = "FILE",
        requires = "all_properties",
        hide_short_help = true
    )]
    pub sarif: Option<PathBuf>,

    /// The checks of a round of --all-properties.
    #[arg(long, hide = true, value_name = "N,…", value_delimiter = ',')]
    pub only_checks: Option<Vec<u32>>,

    /// Print one JSON object instead of text.
    #[arg(long, help_heading = "Output")]
    pub json: bool,

    /// Print statistics before the verdict.
    #[arg(long, help_heading = "Output")]
    pub stats: bool,
}

/// The output of graphs.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Evidence")]
pub struct DumpOptions {
    /// Write the abstract reachability graph to FILE, for Graphviz; for k-induction and kiki the
    /// graph of the step case, with a counterexample to induction. Without block ends (bmc) this
    /// requires --loop-bound.
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    pub dump: Option<PathBuf>,

    /// With --dump: also write the graph after each refinement, as FILE with the number before the
    /// extension.
    #[arg(long, hide_short_help = true, requires = "dump")]
    pub dump_refinements: bool,
}

/// The precision of predicate analyses between runs.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Choices of the algorithm")]
pub struct PrecisionOptions {
    /// Start with the predicates in FILE, which --precision-out wrote (predicate, ufo).
    ///
    /// The program may have changed since: predicates whose loop, function or variables no longer
    /// exist are skipped. Predicates only guide the analysis, so any file is sound.
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    pub precision_in: Option<PathBuf>,

    /// Write the predicates at the end to FILE, for --precision-in (predicate, impact, ufo).
    ///
    /// The file names loops by function and number, and predicates are C expressions over the
    /// variables of the program. It is written after any verdict, also at a limit if the analysis
    /// stops in time.
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    pub precision_out: Option<PathBuf>,
}

/// The treatment of certificates.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Evidence")]
pub struct EvidenceOptions {
    /// Do not validate the certificate.
    ///
    /// By default, the validator rebuilds the proof obligations of the certificate from the
    /// program, with code that no algorithm shares, and other solvers discharge them in turns. The
    /// CPU time of validation is limited to the time of the proof, but at least 2 seconds, within
    /// --timelimit. If a solver refutes an obligation, the verdict is UNKNOWN. If none decides it,
    /// the result stays, marked as not validated.
    #[arg(long)]
    pub no_validate: bool,

    /// The solver that checks certificates [default: the solvers other than --solver in turns,
    /// craig first].
    #[arg(long, hide_short_help = true, value_name = "NAME", conflicts_with = "no_validate")]
    pub validator: Option<String>,

    /// Write the certificate as an SMT-LIB script; every answer must be unsat.
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
}

/// The solver and the checks of its answers.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Solver")]
pub struct SolvingOptions {
    /// The solver, one that `hornwork solvers` lists [default: the first that supports the
    /// encoding].
    #[arg(long, value_name = "NAME")]
    pub solver: Option<String>,

    /// The solvers of queries that are hard for --solver, in turns with it; each hands what is hard
    /// for it to the next; none for no other solver [default: craig,bitwuzla for bit vectors,
    /// unless --solver is given]
    #[arg(long, hide_short_help = true, value_name = "NAME,…", value_delimiter = ',')]
    pub second_solver: Vec<String>,

    /// The CPU time that a query has at a solver before it is hard.
    #[arg(long, hide_short_help = true, value_name = "SECONDS", default_value_t = 1.0, value_parser = seconds)]
    pub second_after: f64,

    /// Solvers that are programs of the user.
    #[command(flatten)]
    pub external: ExternalOptions,

    /// The process in which the solver runs [default: process].
    ///
    /// With a child process, a crash or a hanging call of the solver costs one query. In this
    /// process, queries have no communication overhead.
    #[arg(long, hide_short_help = true, value_parser = choice::<Isolation>())]
    pub isolation: Option<Isolation>,

    /// The solver answers to check before they are used.
    #[arg(long, hide_short_help = true, value_parser = choice::<Checked>(), default_value_t = Checked::Evidence)]
    pub checked: Checked,

    /// The solver that checks answers [default: one other than --solver].
    #[arg(long, hide_short_help = true, value_name = "NAME")]
    pub checker: Option<String>,

    /// Write every query to FOLDER as an .smt2 file with its status.
    #[arg(long, hide_short_help = true, value_name = "FOLDER")]
    pub record: Option<PathBuf>,

    /// Sources of interpolants, in order of preference [default: all that `hornwork solvers`
    /// lists].
    #[arg(
        long,
        hide_short_help = true,
        value_name = "NAME,…",
        value_delimiter = ',',
        help_heading = "Interpolation"
    )]
    pub interpolation: Vec<String>,

    /// Time limit of one source for one interpolation problem.
    #[arg(long, hide_short_help = true, value_name = "SECONDS", default_value_t = 10.0, help_heading = "Interpolation", value_parser = seconds)]
    pub interpolation_budget: f64,

    /// The kind of interpolants that craig prefers.
    #[arg(long, hide_short_help = true, value_parser = choice::<Score>(), default_value_t = Score::General, value_name = "SCORE", help_heading = "Interpolation")]
    pub interpolant_score: Score,

    /// The logical strength of the interpolants of craig-proof.
    #[arg(long, hide_short_help = true, value_parser = choice::<Strength>(), default_value_t = Strength::Strongest, value_name = "STRENGTH", help_heading = "Interpolation")]
    pub interpolant_strength: Strength,

    /// How interpolant sequences are reduced to problems that a source solves.
    #[arg(long, hide_short_help = true, value_parser = choice::<SequenceStrategy>(), default_value_t = SequenceStrategy::Native, help_heading = "Interpolation")]
    pub sequences: SequenceStrategy,

    /// How interpolant trees are reduced to problems that a source solves.
    #[arg(long, hide_short_help = true, value_parser = choice::<TreeStrategy>(), default_value_t = TreeStrategy::Native, help_heading = "Interpolation")]
    pub trees: TreeStrategy,
}

terms::choice! {
    /// The process in which solvers run.
    Isolation {
        Process = "process", "a child process";
        None = "none", "this process";
    }
}

terms::choice! {
    /// The answers that are checked.
    Checked {
        None = "none", "no answer";
        Evidence = "evidence", "models (by evaluation) and interpolants (by another solver)";
        All = "all", "also unsatisfiability (by another solver)";
    }
}

/// `hornwork harness`.
#[derive(Args, Debug, Clone)]
pub struct HarnessOptions {
    /// The input.
    #[command(flatten)]
    pub input: InputOptions,

    /// Write to FILE instead of standard output.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `hornwork infer`.
#[derive(Args, Debug, Clone)]
pub struct InferOptions {
    /// The input.
    #[command(flatten)]
    pub input: InputOptions,

    /// The encoding.
    #[command(flatten)]
    pub encoding: EncodingOptions,

    /// The solver.
    #[command(flatten)]
    pub solving: SolvingOptions,

    /// The limits.
    #[command(flatten)]
    pub limits: LimitOptions,

    /// The treatment of certificates.
    #[command(flatten)]
    pub evidence: EvidenceOptions,

    /// The domains.
    #[command(flatten)]
    pub inference: InferenceOptions,

    /// The functions that are not inlined: each gets a precondition, which holds at its calls, and
    /// a postcondition [default: recursive].
    #[arg(
        long,
        value_parser = choice::<Procedures>(),
        value_name = "NAME",
        help_heading = "Inference of invariants"
    )]
    pub procedures: Option<Procedures>,

    /// Print the weakest condition on the arguments of --function, as far as the domains express
    /// it, under which no run violates the property or fails a check.
    ///
    /// The condition is about the variables of the harness, see `hornwork harness`: a_count is the
    /// number of elements behind the parameter a. It is proved to be sufficient.
    #[arg(
        long,
        help_heading = "Inference of invariants",
        conflicts_with_all = ["procedures", "acsl", "all", "stats"]
    )]
    pub precondition: bool,

    /// Print also facts that are long or not expressible in C.
    #[arg(long, help_heading = "Output", conflicts_with_all = ["json", "acsl"])]
    pub all: bool,

    /// Print one JSON object instead of text.
    #[arg(long, help_heading = "Output", conflicts_with = "acsl")]
    pub json: bool,

    /// Print the C file with the invariants as ACSL annotations of its loops and functions.
    ///
    /// An annotation has the facts that are predicates of ACSL over variables in scope, and that
    /// hold in all copies of the loop. Arithmetic that may overflow is cast to its type. Loops made
    /// of jumps have no annotation.
    #[arg(long, help_heading = "Output")]
    pub acsl: bool,

    /// Print statistics after the invariants.
    #[arg(long, help_heading = "Output", conflicts_with = "acsl")]
    pub stats: bool,
}

/// `hornwork emit`.
#[derive(Args, Debug, Clone)]
pub struct EmitOptions {
    /// The input.
    #[command(flatten)]
    pub input: InputOptions,

    /// The format.
    #[arg(long, value_parser = target(), value_name = "FORMAT", help_heading = "Output")]
    pub to: Target,

    /// The output file [default: stdout].
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// For smt2 without --blk: the bound of the unrolling, for each loop and recursion.
    #[arg(long, value_name = "K", default_value_t = 10, help_heading = "Output", conflicts_with = "blk")]
    pub unwind: u32,

    /// For formulas: the cut points of the transition system [default: an unrolling for smt2, else
    /// l].
    #[arg(long, value_parser = block_operator(), value_name = "NAME|N", help_heading = "Output")]
    pub blk: Option<BlockOperator>,

    /// For chc: the functions with summaries, as relations of their entries and exits; their calls
    /// are nonlinear clauses [default: recursive; all with --blk lf].
    #[arg(long, value_parser = choice::<Procedures>(), value_name = "NAME", help_heading = "Output")]
    pub procedures: Option<Procedures>,

    /// Transformations of the program.
    #[arg(
        long,
        value_name = "NAME,…",
        value_delimiter = ',',
        allow_hyphen_values = true,
        help_heading = "Output",
        help = PASSES_SHORT_HELP,
        long_help = passes_help(
            "none; ir and dot then show the program as lowered, before the splitting of memory. A pass that removes code may \
             remove a nonterminating loop and so make an error reachable"
        )
    )]
    pub passes: Option<Vec<String>>,

    /// Print the size of the program after each pass to stderr.
    #[arg(long, help_heading = "Output")]
    pub stats: bool,

    /// The encoding.
    #[command(flatten)]
    pub encoding: EncodingOptions,
}

/// `hornwork smt`.
#[derive(Args, Debug, Clone)]
pub struct SmtOptions {
    /// The SMT-LIB 2.6 script; - for standard input, where each command is answered as it arrives.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Print the parsed script instead of running it.
    #[arg(long, help_heading = "Output")]
    pub print: bool,

    /// Print statistics to stderr at the end.
    #[arg(long, help_heading = "Output")]
    pub stats: bool,

    /// The solver.
    #[command(flatten)]
    pub solving: SolvingOptions,

    /// The limits.
    #[command(flatten)]
    pub limits: LimitOptions,
}

/// `hornwork solvers`.
#[derive(Args, Debug, Clone)]
pub struct SolversOptions {
    /// Print JSON.
    #[arg(long)]
    pub json: bool,

    /// Run recorded queries (.smt2 files with a status) on every solver, or on --solver, and
    /// compare the answers.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "json")]
    pub replay: Vec<PathBuf>,

    /// Run the conformance suite on every solver, or on --solver, and print the results as
    /// Markdown.
    #[arg(long, conflicts_with_all = ["json", "replay"])]
    pub conformance: bool,

    /// The only solver to use.
    #[arg(long, value_name = "NAME")]
    pub solver: Option<String>,

    /// Time limit of each query of a replay.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    pub query_timelimit: f64,

    /// Solvers that are programs of the user.
    #[command(flatten)]
    pub external: ExternalOptions,
}

/// `hornwork completions`.
#[derive(Args, Debug, Clone)]
pub struct CompletionsOptions {
    /// The shell.
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// `hornwork man`.
#[derive(Args, Debug, Clone)]
pub struct ManOptions {
    /// The folder for the pages: hornwork.1 and one page for each command.
    #[arg(value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
}

/// `hornwork worker`.
#[derive(Args, Debug, Clone)]
pub struct WorkerOptions {
    /// The limit of resident memory in megabytes; 0 for no limit.
    #[arg(long, value_name = "MB", default_value_t = 0)]
    pub memory: u64,
}
