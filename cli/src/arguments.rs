//! The options about the arguments of an entry function, and the help of `hornwork harness`.

use clap::Args;
use frontend::c::contract::{Argument, Choices};

/// The entry function that starts without a harness.
pub(crate) const MAIN: &str = "main";

/// The arguments of an entry function other than `main`.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Input")]
pub struct ArgumentOptions {
    /// The target of a pointer parameter of --function: null, nonnull, valid, array:COUNT or
    /// string:N.
    ///
    /// NAME is a parameter or its number. With valid, it points to one element; with array:COUNT,
    /// to the first of N or LEAST..MOST elements, or of as many as the value of an integer
    /// parameter; with string:N, to a string of at most N elements with the terminating zero.
    #[arg(long = "argument", hide_short_help = true, value_name = "NAME=CONTENTS")]
    pub arguments: Vec<Argument>,

    /// Exclude null pointers as arguments of --function, and inside of them with --pointer-depth.
    #[arg(long, hide_short_help = true)]
    pub nonnull: bool,

    /// Let pointers inside of the arguments of --function refer to objects up to depth N.
    ///
    /// Deeper pointers, and pointers to functions and to incomplete types, are null; a pointer to
    /// elements with pointers refers to one element unless something else is stated; a union holds
    /// its first member with a pointer. By default, pointers inside of arguments have any value, so
    /// no counterexample is reported.
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=8))]
    pub pointer_depth: Option<u32>,

    /// Assume a condition before the call of --function, such as `0 <= i && i < a_count`.
    ///
    /// It is a C expression over the parameters and the other variables of the harness, which
    /// `hornwork harness` prints: a_count is the number of elements behind the parameter a.
    #[arg(long, hide_short_help = true, value_name = "CONDITION")]
    pub requires: Vec<String>,
}

impl ArgumentOptions {
    /// Returns the choices about arguments.
    pub(crate) fn choices(&self) -> Choices {
        Choices {
            arguments: self.arguments.clone(),
            nonnull: self.nonnull,
            depth: self.pointer_depth,
            requires: self.requires.clone(),
        }
    }
}

pub(crate) const EXAMPLES: &str = "\
Examples:
  hornwork harness --function push stack.c -o harness.c
  hornwork verify harness.c stack.c
  hornwork harness --function parse --argument text=string:16 parser.c";

pub(crate) fn help() -> String {
    format!("{DETAILS}\n\n{EXAMPLES}")
}

const DETAILS: &str = "\
FILE is as for `hornwork verify`. Verifying the harness with FILE means the same as `hornwork verify
--function NAME FILE` with the same options about arguments; the harness can be edited before. The
harness of a static function includes its file and is verified alone. If the program has a main, the
first line of the harness names the entry function to choose with --function.

Exit codes: 0; 2 if the input or the options are invalid.";
