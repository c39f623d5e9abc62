//! The options of `hornwork horn`.

use crate::choice::choice;
use crate::external::ExternalOptions;
use crate::limits::LimitOptions;
use clap::Args;
use passes::horn::PASSES;
use std::fmt::Write;
use std::path::PathBuf;

/// `hornwork horn`.
#[derive(Args, Debug, Clone)]
pub struct HornOptions {
    /// The Horn clauses, in SMT-LIB, with Z3's rules, in VMT-LIB or in BTOR2; - for standard input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Transformations of the clauses, in order: names, default, none; -NAME removes a pass.
    #[arg(
        long,
        value_name = "NAME,…",
        value_delimiter = ',',
        allow_hyphen_values = true,
        long_help = passes_help()
    )]
    pub passes: Option<Vec<String>>,

    /// Print the size of the system after each pass to stderr.
    #[arg(long, help_heading = "Output", requires = "passes")]
    pub stats: bool,

    /// Print the class and the size of the system. This is the default.
    #[arg(long, help_heading = "Output", conflicts_with = "to")]
    pub info: bool,

    /// Write the clauses in this format.
    #[arg(long, value_parser = choice::<HornFormat>(), value_name = "FORMAT", help_heading = "Output")]
    pub to: Option<HornFormat>,

    /// The output file [default: stdout].
    #[arg(short, long, value_name = "FILE", help_heading = "Output", requires = "to")]
    pub output: Option<PathBuf>,

    /// Solving.
    #[command(flatten)]
    pub solving: SolveOptions,
}

/// `--solve` and its options.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Solving")]
pub struct SolveOptions {
    /// Decide whether the clauses are satisfiable.
    #[arg(long, conflicts_with_all = ["to", "output"])]
    pub solve: bool,

    /// The engine, or several that take turns as in auto: pdr,predicate.
    #[arg(long, value_parser = choice::<Engine>(), value_name = "ENGINE", value_delimiter = ',', requires = "solve")]
    pub engine: Vec<Engine>,

    /// The solver of the queries of bmc, pdr, predicate, templates and tpa.
    #[arg(long, value_name = "NAME", requires = "solve")]
    pub solver: Option<String>,

    /// Print the model or the derivation before the answer.
    #[arg(long, requires = "solve")]
    pub evidence: bool,

    /// Print the answer, or the class and the size of the system, as one JSON object.
    #[arg(long, conflicts_with = "to")]
    pub json: bool,

    /// The number of engines that run at the same time.
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,

    /// The limits.
    #[command(flatten)]
    pub limits: LimitOptions,

    /// Run as a stage of --engine auto.
    #[arg(long, hide = true)]
    pub stage: bool,

    /// Solvers that are programs of the user.
    #[command(flatten)]
    pub external: ExternalOptions,
}

impl SolveOptions {
    /// The chosen engines.
    pub(crate) fn choice(&self) -> Chosen<'_> {
        match &self.engine[..] {
            &[engine] if engine != Engine::Auto => Chosen::One(engine),
            engines if engines.contains(&Engine::Auto) => Chosen::Stages(&[]),
            engines => Chosen::Stages(engines),
        }
    }
}

/// The engines of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chosen<'e> {
    /// One, with the solver and the passes of the command line.
    One(Engine),
    /// The stages of these engines; without any, of all.
    Stages(&'e [Engine]),
}

fn passes_help() -> String {
    let mut help = "Transformations of the clauses, in order. A transformed system is satisfiable iff the original one is (after `cells`: only if; after `linearize`, in case of nonlinear recursion: if); \
                    with --solve, the evidence is translated back and checked on the clauses of the file. -NAME removes a pass \
                    from those before it; default stands for the useful passes, none for no passes. By default: default \
                    with --solve, where --engine auto also runs an engine without passes; otherwise none.\n"
        .to_owned();
    for pass in PASSES {
        let _ = write!(help, "\n  {:14}{}", pass.name, pass.about);
    }
    help
}

terms::choice! {
    /// An output format of `hornwork horn`.
    HornFormat {
        Chc = "chc", "SMT-LIB in the format of CHC-COMP";
        Vmt = "vmt", "VMT-LIB, of linear clauses: an annotated transition system for nuXmv, ic3ia and SMT solvers";
        Btor2 = "btor2", "BTOR2, of linear clauses over bit vectors and arrays of them, for hardware model checkers";
        Dot = "dot", "the graph of relations, with its strongly connected components, for Graphviz";
    }
}

terms::choice! {
    /// An engine for systems of Horn clauses.
    Engine {
        Auto = "auto", "several engines take turns";
        Bmc = "bmc", "bounded model checking of linear clauses; answers unsat";
        Pdr = "pdr", "property-directed reachability; answers sat and unsat";
        Predicate = "predicate", "predicate abstraction with tree interpolants; answers sat and unsat";
        Templates = "templates", "template-based inference; answers sat";
        Tpa = "tpa", "transition power abstraction of linear clauses, for deep counterexamples; answers sat and unsat";
        Spacer = "spacer", "the engine of Z3; answers sat and unsat";
    }
}

pub(crate) const EXAMPLES: &str = "\
Examples:
  hornwork horn system.smt2
  hornwork horn system.smt2 --passes default --to chc -o small.smt2
  hornwork horn system.smt2 --to dot | dot -Tsvg > relations.svg";

pub(crate) const DETAILS: &str = "\
FILE is an SMT-LIB script whose assertions are Horn clauses over relations (functions of sort Bool),
as in CHC-COMP, or a file of rules and queries of Z3, or a transition system in VMT-LIB or BTOR2. Quantifiers, implications and equivalences may
be nested in any way that is equivalent to a set of Horn clauses.

Exit codes: 0; 2 if the file has an error or is not a set of Horn clauses.";
