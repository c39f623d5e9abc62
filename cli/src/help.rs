//! The texts of `--help` that are not about an option.

use crate::clauses;

pub(crate) const LONG_ABOUT: &str = "\
Verifies C programs, emits SMT-LIB and Horn clauses, runs SMT-LIB scripts.

hornwork verify decides whether a C program can reach an error. FALSE comes with a counterexample \
that an interpreter has replayed, TRUE with a certificate that a second solver has checked. \
hornwork emit writes a program for other tools: as SMT-LIB, constrained Horn clauses, the \
intermediate representation, or a graph.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  hornwork verify program.c
  hornwork emit program.c --to chc -o program.smt2
  hornwork smt query.smt2 --solver cvc5

`hornwork COMMAND -h` prints a summary of a command, `hornwork COMMAND --help` all of its options.";

pub(crate) const VERIFY_EXAMPLES: &str = "\
Examples:
  hornwork verify examples/clamp.c
  hornwork verify main.c list.c --property valid-memsafety --check div-by-zero
  hornwork verify --algorithm impact --timelimit 60 program.c
  hornwork verify --certificate proof.smt2 program.c && z3 proof.smt2
  hornwork verify --json task.yml

`hornwork verify --help` prints all options.";

pub(crate) fn verify_help() -> String {
    format!(
        "{VERIFY_DETAILS}\n\n{}",
        VERIFY_EXAMPLES.replace("\n\n`hornwork verify --help` prints all options.", "")
    )
}

pub(crate) const VERIFY_DETAILS: &str = "\
FILE is a C file (preprocessed with `cc -E` if it has directives), a preprocessed .i file, - for
standard input, a folder or a compilation database (compile_commands.json), or a task definition
(.yml, SV-COMP format 1.0 or 2.0), which also names the property and the data model.

Without --property, these are errors: a call of reach_error or __VERIFIER_error, a label ERROR, and
a failing assert. With --property, only the named properties are checked, and a failing assert
only stops the program. In both cases, --check adds errors of single operations. An execution ends
at its first error.

The last line on stdout is the verdict:
  TRUE                  no error is reachable; the certificate is printed    exit code 0
  FALSE(unreach-call)   an error is reachable; the execution is printed      exit code 10
  UNKNOWN(reason)       neither was proved, or an internal error occurred    exit code 20
Exit code 2: unreadable input, input that is not valid C, or invalid options.";

pub(crate) const EMIT_EXAMPLES: &str = "\
Examples:
  hornwork emit program.c --to chc --encoding QF_AUFLIRA -o program.smt2
  hornwork emit program.c --to smt2 --unwind 10 | z3 -in
  hornwork emit program.c --to dot | dot -Tsvg > program.svg";

pub(crate) const INFER_EXAMPLES: &str = "\
Examples:
  hornwork infer examples/counter.c
  hornwork infer --acsl program.c > annotated.c
  hornwork infer --function sort --json program.c";

pub(crate) fn infer_help() -> String {
    format!("{INFER_DETAILS}\n\n{INFER_EXAMPLES}")
}

pub(crate) const INFER_DETAILS: &str = "\
FILE is as for `hornwork verify`. No property is needed. An invariant of a loop holds whenever an
execution reaches the head of the loop, before its condition is evaluated. Errors end an execution,
so with --property or --check an invariant may rely on the checked operations before it.

Each line is a C expression over variables that are in scope at the loop; signed overflow wraps
around. A function that is called in several places has one list for each of its copies. Facts that
are very long, or have no such expression, are counted; --all prints them in a notation close to C.

Exit codes: 0; 20 if there are no invariants because the program or the encoding is unsupported;
2 if the input or the options are invalid.";

pub(crate) fn horn_help() -> String {
    format!("{}\n\n{}", clauses::DETAILS, clauses::EXAMPLES)
}

pub(crate) const COMPARE_EXAMPLES: &str = "\
Examples:
  hornwork compare examples -o results --algorithms k-induction,predicate --solvers yices,z3
  hornwork compare sv-benchmarks/c/loops --timelimit 60 --jobs 4 --sample 100 -o results
  hornwork compare -o results                                   continue, or write the report again
  hornwork compare queries -o results --solvers yices,z3,cvc5   SMT-LIB scripts
  hornwork compare --queries program.c -o results               the queries of a run, on all solvers";

pub(crate) fn compare_help() -> String {
    format!("{COMPARE_DETAILS}\n\n{COMPARE_EXAMPLES}")
}

pub(crate) const COMPARE_DETAILS: &str = "\
Each task runs in each configuration: the product of --algorithms, --solvers, --encodings,
--interpolation and --vary, without the combinations that `hornwork verify` refuses. Each run is a group of
processes with limits of its own, of which none survives the run or the campaign. --output holds
results.jsonl (one line for each run), report.html, report.md, report.csv, and the logs of the runs.

Exit codes: 0; 1 if a verdict contradicts a label, a run crashed or did not end in time, or a verdict
of --baseline is lost; 2 if the options are invalid.";

pub(crate) const SMT_EXAMPLES: &str = "\
Examples:
  hornwork smt query.smt2 --solver cvc5
  hornwork smt itp.smt2 --interpolation spacer,newton
  hornwork smt query.smt2 --print | z3 -in";

pub(crate) fn smt_help() -> String {
    format!("{SMT_DETAILS}\n\n{SMT_EXAMPLES}")
}

pub(crate) const SMT_DETAILS: &str = "\
Supports the commands of SMT-LIB 2.6 except recursive functions, datatypes and proofs, and the
command (get-interpolants …) of SMTInterpol: a list of assertion names denotes a sequence of
partitions, and parentheses around a group of names denote a subtree.

Exit codes: 0; 1 if an answer contradicts the (set-info :status …) before it; 2 if the script has an
error; 20 if a check-sat answers unknown.";

pub(crate) const SOLVERS_EXAMPLES: &str = "\
Examples:
  hornwork solvers
  hornwork verify --record queries program.c; hornwork solvers --replay queries/*.smt2";

pub(crate) const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  hornwork completions bash > ~/.local/share/bash-completion/completions/hornwork
  hornwork completions zsh > ~/.zfunc/_hornwork";

pub(crate) const MAN_EXAMPLES: &str = "\
Examples:
  hornwork man | man -l -
  hornwork man ~/.local/share/man/man1";
