//! The options of `hornwork horn`.

use super::solve::SolveOptions;
use crate::choice::choice;
use clap::Args;
use std::path::PathBuf;

/// `hornwork horn`.
#[derive(Args, Debug, Clone)]
pub struct HornOptions {
    /// The Horn clauses, in SMT-LIB or with Z3's rules; - for standard input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Print the class and the size of the system. This is the default.
    #[arg(long, help_heading = "Output", conflicts_with = "to")]
    pub info: bool,

    /// Print JSON.
    #[arg(long, help_heading = "Output", conflicts_with = "to")]
    pub json: bool,

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

terms::choice! {
    /// An output format of `hornwork horn`.
    HornFormat {
        Chc = "chc", "SMT-LIB in the format of CHC-COMP";
        Dot = "dot", "the graph of relations, with its strongly connected components, for Graphviz";
    }
}

pub(crate) const EXAMPLES: &str = "\
Examples:
  hornwork horn system.smt2
  hornwork horn system.smt2 --to chc -o normal.smt2
  hornwork horn system.smt2 --to dot | dot -Tsvg > relations.svg";

pub(crate) const DETAILS: &str = "\
FILE is an SMT-LIB script whose assertions are Horn clauses over relations (functions of sort Bool),
as in CHC-COMP, or a file of rules and queries of Z3. Quantifiers, implications and equivalences may
be nested in any way that is equivalent to a set of Horn clauses.

Exit codes: 0; 2 if the file has an error or is not a set of Horn clauses.";
