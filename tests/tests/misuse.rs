//! Tests of incompatible options: the tool rejects them before any work with exit code 2, and
//! reports the options and the reason. There is one test for each rule.

use hornwork_tests::run;
use std::process::Command;
use std::time::Duration;

/// Checks that `verify` rejects the options `choices`, separated by spaces, with a message that
/// contains all `parts`.
fn assert_refused(choices: &str, parts: &[&str]) {
    assert_refused_by("verify", choices, parts);
}

fn assert_refused_by(command: &str, choices: &str, parts: &[&str]) {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("fine.i");
    std::fs::write(&path, "int main(void) { return 0; }\n").expect("a temporary file can be written");
    let run = run(
        Command::new(env!("CARGO_BIN_EXE_hornwork-under-test"))
            .arg(command)
            .args(choices.split_whitespace())
            .arg(&path),
        Duration::from_secs(300),
    );
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{choices}: {}", run.err);
    // Messages are wrapped to the width of the terminal.
    let message = run.err.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ");
    for part in parts {
        assert!(message.contains(part), "{choices}: `{part}` is not in `{message}`");
    }
}

#[test]
fn induction_has_bounded_model_checking_as_its_base_case() {
    let reason = "the base case is bounded model checking: --blk never --merge predicate";
    assert_refused("--algorithm k-induction --blk l", &["--induction k-induction, --blk l", reason]);
    assert_refused("--algorithm k-induction --merge sep", &["and --merge sep", reason]);
    assert_refused("--algorithm predicate --induction k-induction", &["--induction k-induction", reason]);
}

#[test]
fn options_without_effect_are_refused() {
    for (choices, option, needs) in [
        ("--algorithm impact --scope global", "--scope", "requires predicates"),
        ("--algorithm impact --restart full", "--restart", "requires predicates"),
        ("--algorithm bmc --granularity whole", "--granularity", "requires predicates"),
        ("--facts interpolants", "--facts", "requires a --refinement"),
        ("--algorithm impact --k-step +1", "--k-step", "bmc, k-induction, kiki, pdr and horn"),
        (
            "--algorithm bmc --unwind 3 --k-step +1",
            "--k-step",
            "only bmc, k-induction, kiki, pdr and horn without --unwind",
        ),
        ("--algorithm predicate --unwind 3", "--unwind", "bmc, k-induction, kiki, pdr and horn"),
        ("--algorithm ufo --max-unwind 3", "--max-unwind", "bmc, k-induction, kiki, pdr and horn"),
        ("--algorithm impact --unwindset main.3:4", "--unwindset", "bmc, k-induction, kiki, pdr and horn"),
        ("--algorithm pdr --engine spacer", "--engine", "only horn"),
        ("--algorithm horn --domains intervals", "--domains", "only k-induction, kiki, pdr and --inject"),
        ("--algorithm horn --k-max 3", "--k-max", "only k-induction and kiki"),
        ("--interpolation newton", "--interpolation", "computes interpolants"),
        (
            "--algorithm predicate --facts heuristics --interpolation newton",
            "--interpolation",
            "computes interpolants",
        ),
        ("--algorithm impact --precision-in p.toml", "--precision-in", "requires predicates"),
        ("--algorithm bmc --precision-out p.toml", "--precision-out", "a --refinement"),
        ("--algorithm impact --initial-precision assumptions", "--initial-precision", "requires predicates"),
        (
            "--algorithm symbolic-execution --dump g.dot --dump-refinements",
            "--dump-refinements",
            "no refinements",
        ),
    ] {
        assert_refused(choices, &[&format!("{option} has no effect with this algorithm"), needs]);
    }
}

#[test]
fn engines_that_find_no_proofs_are_refused() {
    assert_refused("--algorithm horn --engine pdr,bmc", &["--engine bmc finds no proofs", "the base case"]);
}

#[test]
fn options_without_effect_on_the_format_are_refused() {
    for (choices, message) in [
        ("--to ir --unwind 3", "--unwind has no effect with --to ir: it affects smt2"),
        ("--to chc --unwind 3", "--unwind has no effect with --to chc: it affects smt2"),
        ("--to dot --blk l", "--blk has no effect with --to dot: it affects smt2, chc"),
        ("--to check --encoding UFLIRA", "--encoding has no effect with --to check: it affects smt2, chc"),
        (
            "--to check --passes dce",
            "--passes has no effect with --to check: it affects smt2, chc, vmt, btor2, ir, dot",
        ),
        ("--to smt2 --blk l --unwind 3", "cannot be used with"),
    ] {
        assert_refused_by("emit", choices, &[message]);
    }
}

#[test]
fn without_ends_of_blocks_nothing_is_refined() {
    let reason = "without block ends there is no abstraction state to refine";
    assert_refused("--algorithm impact --blk never", &["--blk never and --refinement impact", reason]);
}

#[test]
fn without_ends_of_blocks_nothing_is_abstracted() {
    let reason = "an abstraction is computed at the end of a block";
    assert_refused(
        "--algorithm bmc --abstraction boolean",
        &["--blk never and --abstraction boolean", reason],
    );
}

#[test]
fn without_ends_of_blocks_no_coverage_is_forced() {
    let reason = "only states at a block end can be covered";
    assert_refused("--algorithm bmc --fcover impact", &["--blk never and --fcover impact", reason]);
}

#[test]
fn blocks_need_a_refinement_or_a_bound() {
    let reason = "the abstraction at each block end would always be true";
    assert_refused("--algorithm bmc --blk l", &["--blk l and --refinement none", reason]);
}

#[test]
fn predicates_need_an_abstraction() {
    let reason = "only a Cartesian or Boolean abstraction uses predicates";
    assert_refused(
        "--algorithm predicate --abstraction none",
        &["--refinement predicate and --abstraction none", reason],
    );
}

#[test]
fn an_abstraction_needs_predicates() {
    let reason = "only the refinements predicate and ufo provide predicates";
    assert_refused(
        "--algorithm impact --abstraction boolean",
        &["--abstraction boolean and --refinement impact", reason],
    );
}

#[test]
fn diagrams_need_predicates() {
    let reason = "a diagram ranges over predicates, which only an abstraction uses";
    assert_refused("--algorithm impact --region bdd", &["--region bdd and --abstraction none", reason]);
}

#[test]
fn a_diagram_is_not_strengthened() {
    let reason = "a state strengthened by a formula is no diagram";
    assert_refused("--algorithm ufo --region bdd", &["--region bdd and --refinement ufo", reason]);
    assert_refused("--algorithm predicate --fcover impact", &["--region bdd and --fcover impact", reason]);
}

#[test]
fn single_blocks_have_nothing_to_merge() {
    let reason = "single-block encoding has no states to merge";
    assert_refused("--algorithm impact-sbe --merge sep", &["--merge sep and --blk sbe", reason]);
}

#[test]
fn a_refinement_needs_facts() {
    let reason = "a refinement needs facts";
    assert_refused(
        "--algorithm symbolic-execution --blk l --refinement impact",
        &["--refinement impact and --facts none", reason],
    );
}

#[test]
fn k_is_not_bounded_by_the_loop_bound() {
    assert_refused(
        "--algorithm k-induction --loop-bound 3",
        &["incompatible options: --induction k-induction and --loop-bound"],
    );
}

#[test]
fn an_unrolling_has_no_graph_without_a_bound() {
    assert_refused("--algorithm bmc --dump graph.dot", &["--dump", "needs --loop-bound"]);
    assert_refused("--algorithm pdr --dump graph.dot", &["--dump", "draws no graph"]);
    assert_refused("--algorithm predicate --dump-refinements", &["--dump"]);
}

#[test]
fn names_of_choices_are_checked() {
    for (option, name) in [
        ("--algorithm", "impakt"),
        ("--blk", "0"),
        ("--region", "trees"),
        ("--abstraction", "octagons"),
        ("--facts", "guesses"),
        ("--loop-bound", "-1"),
        ("--k-step", "*1"),
    ] {
        assert_refused(&format!("{option}={name}"), &[name]);
    }
}
