//! Scalability: the branches within a block are one formula of linear size, and loops with many
//! states terminate. Nothing is timed.

use frontend::c::lower::{Options, lower};
use frontend::c::{sema, types::DataModel};
use frontend::spec::Specification;
use grammars::source::SourceMap;
use hornwork_tests::{Run, run};
use passes::engines::bmc::{self, Schedule};
use passes::engines::predicate::config::BlockOperator;
use passes::engines::predicate::presets::preset;
use passes::engines::predicate::{self, Config};
use passes::evidence::Verdict;
use std::fmt::Write;
use std::process::Command;
use std::time::Duration;
use terms::TermPool;

/// So many branches between the heads of two loops, and an error behind the second head that some
/// of the paths reach.
fn branches(count: usize) -> String {
    let mut text = String::from(
        "int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\nint main(void) {\n    unsigned x = 0, rounds = 0;\n    \
         while (__VERIFIER_nondet_int()) rounds = 1;\n",
    );
    for number in 0..count {
        let _ = writeln!(text, "    if (__VERIFIER_nondet_int()) x ^= {};", 1 + number % 7);
    }
    text.push_str("    while (__VERIFIER_nondet_int())\n        if (x == 4) reach_error();\n}\n");
    text
}

/// The cost of a run: terms made, and abstract states.
#[derive(Debug)]
struct Cost {
    terms: usize,
    states: u64,
}

/// Finds the error behind the branches.
fn find_error(config: &Config, count: usize) -> Cost {
    let mut sources = SourceMap::new();
    let file = sources.add("branches.c", branches(count).into_bytes()).expect("the program is small");
    let parsed = grammars::c::parse(&sources, file);
    let checked = sema::check(&parsed.unit, sema::Options { model: DataModel::Ilp32 });
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
    let mut pool = TermPool::new();
    let specification = Specification::default_for_tool();
    let (program, _) = lower(&mut pool, &checked.program, &specification, &Options::new("main"));
    let before = pool.len();
    let settings = bmc::Config::new(Schedule::deepening(Some(10)));
    let factory = backend_yices::factory();
    let report =
        predicate::run(&mut pool, &program, &factory, config, &predicate::Settings::new(settings), &mut ());
    assert!(matches!(report.verdict, Verdict::Unsafe(_)), "{count} branches: {:?}", report.verdict);
    assert_eq!(report.statistics.refinements, 0, "the first counterexample has a model");
    Cost { terms: pool.len() - before, states: report.statistics.states }
}

/// Ten times the branches are ten times the terms and states, and not more, where the branches are
/// one block.
fn assert_linear(algorithm: &str) {
    let config = preset(algorithm).expect("the algorithm has a name").config.clone();
    let config = Config { blk: BlockOperator::L, ..config };
    let (small, large) = (find_error(&config, 1_000), find_error(&config, 10_000));
    assert!(small.terms > 1_000, "the formula has the branches: {small:?}");
    assert!(large.terms <= 11 * small.terms, "{small:?} {large:?}");
    assert!(large.states <= 11 * small.states, "{small:?} {large:?}");
}

#[test]
fn branches_in_sequence_are_a_linear_formula_for_predicate_abstraction() {
    assert_linear("predicate");
}

#[test]
fn branches_in_sequence_are_a_linear_formula_for_impact() {
    assert_linear("impact");
}

/// Functions, each with a loop, an object of its own that it fills and reads, one that it only
/// reads, and a list that is empty; `main` calls them one after the other.
fn functions(count: usize) -> String {
    let mut text = String::from(
        "int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\nstruct list { int key; struct list *next; };\n",
    );
    for number in 0..count {
        let _ = writeln!(
            text,
            "static int own{number}[8], zeros{number}[8];\n\
             int f{number}(int a, struct list *list) {{\n    for (int i = 0; i < a; i++) own{number}[i & 7] = i;\n    \
             for (; list != 0; list = list->next) a += list->key;\n    \
             return own{number}[a & 7] + zeros{number}[a & 7];\n}}"
        );
    }
    text.push_str("int main(void) {\n    int sum = 0;\n");
    for number in 0..count {
        let _ = writeln!(text, "    sum ^= f{number}(__VERIFIER_nondet_int(), 0);");
    }
    text.push_str("    if (sum == 12345) reach_error();\n}\n");
    text
}

/// The number of bytes of the Horn clauses of a program.
fn size_of_clauses(program: &str, operator: &str) -> usize {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("program.i");
    std::fs::write(&path, program).expect("a temporary file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_hornwork-under-test"));
    command.args(["emit", "--quiet", "--to", "chc", "--blk", operator]).arg(&path);
    let run = run(&mut command, Duration::from_secs(300));
    assert_eq!(run.code, Some(0), "{run:?}");
    run.out.len()
}

/// The state at a location has only the objects that were written before and are read later.
#[test]
fn the_clauses_of_functions_with_objects_of_their_own_are_linear() {
    for operator in ["l", "lf"] {
        let sizes = [20, 200].map(|count| size_of_clauses(&functions(count), operator));
        assert!(sizes[0] > 20_000, "the clauses are those of 20 functions: {sizes:?}");
        assert!(sizes[1] <= 12 * sizes[0], "{operator}: {sizes:?}");
    }
}

const STATES: usize = 200;

/// A loop with an automaton, whose state 24 is followed by `after` for some input.
fn automaton(after: usize) -> String {
    let mut text = String::from(
        "int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\nint main(void) {\n    unsigned state = 0;\n    \
         for (;;) {\n        switch (state) {\n",
    );
    for state in 0..STATES {
        let next = if state == 24 { after } else { (7 * state + 3) % STATES };
        let _ = writeln!(
            text,
            "        case {state}: state = __VERIFIER_nondet_int() ? {next} : {state}; break;"
        );
    }
    text.push_str("        default: reach_error();\n        }\n    }\n}\n");
    text
}

fn verify(program: &str, algorithm: &str) -> Run {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("program.i");
    std::fs::write(&path, program).expect("a temporary file can be written");
    run(
        Command::new(env!("CARGO_BIN_EXE_hornwork-under-test"))
            .args(["verify", "--algorithm", algorithm])
            .arg(&path),
        Duration::from_secs(300),
    )
}

#[test]
fn the_states_of_an_automaton_are_proved_by_induction() {
    let run = verify(&automaton(0), "k-induction");
    assert_eq!((run.code, run.last_line()), (Some(0), "TRUE"), "{run:?}");
}

#[test]
fn a_wrong_state_of_an_automaton_is_found() {
    for algorithm in ["bmc", "k-induction", "impact"] {
        let run = verify(&automaton(STATES), algorithm);
        assert_eq!((run.code, run.last_line()), (Some(10), "FALSE(unreach-call)"), "{algorithm}: {run:?}");
    }
}
