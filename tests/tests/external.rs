//! Solvers that are programs: `--solver-command` and `--solver-file`, with a fake solver that
//! misbehaves, with the executables of z3 and cvc5 if they are installed, and the comparison of
//! queries with `hornwork compare --queries`.

use backend_process::{Scopes, Specification};
use backends::child::{ChildCommand, Group};
use backends::conformance::fuzz::fuzz;
use backends::{Capabilities, Limits, ProverFactory, Reason, Status, Support, THEORIES};
use hornwork_tests::fake::{Behavior, FAKE_SOLVER};
use hornwork_tests::{Run, run};
use std::path::Path;
use std::process::Command;
use std::rc::Rc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use terms::{Sort, TermPool};

const PROGRAM: &str = env!("CARGO_BIN_EXE_hornwork-under-test");

fn command(program: &str, arguments: &[&str]) -> ChildCommand {
    ChildCommand {
        program: program.into(),
        arguments: arguments.iter().map(Into::into).collect(),
        role: "solver",
        stop: &[],
        memory: None,
        group: Group::Own,
    }
}

fn specification(name: &'static str, command: ChildCommand) -> Specification {
    let capabilities = Capabilities {
        theories: THEORIES.to_vec(),
        unsat_cores: Support::Full,
        models: Support::Full,
        quantifiers: Support::Full,
        ..Capabilities::default()
    };
    let preamble = Vec::new();
    Specification {
        name,
        command,
        logic: None,
        preamble,
        capabilities,
        scopes: Scopes::Native,
        interpolants: None,
    }
}

fn fake(behavior: Behavior) -> Rc<dyn ProverFactory> {
    let command = command(PROGRAM, &[FAKE_SOLVER, &behavior.name()]);
    Rc::new(backend_process::factory(Rc::new(specification("fake", command))))
}

/// A table of `--solver-file` for the fake solver.
fn table(name: &str, behavior: Behavior, more: &str) -> String {
    format!(
        "[[solver]]\nname = '{name}'\ncommand = \"'{PROGRAM}' {FAKE_SOLVER} {}\"\n{more}\n",
        behavior.name()
    )
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a temporary file can be written");
    }
    folder
}

fn hornwork(folder: &TempDir, arguments: &[&str]) -> Run {
    let mut command = Command::new(PROGRAM);
    command.args(arguments).current_dir(folder.path());
    run(&mut command, Duration::from_secs(300))
}

/// The answer of the fake solver to a satisfiable formula.
fn answer(behavior: Behavior, limits: &Limits) -> Status {
    let mut pool = TermPool::new();
    let x = pool.symbol("x", Sort::BitVec(8));
    let three = pool.bv(8, 3);
    let formula = pool.bv_ult(x, three);
    let mut prover = fake(behavior).new_prover("ALL", &Limits::default()).expect("the process starts");
    prover.set_limits(limits);
    prover.assert(&pool, formula).expect("bit vectors are supported");
    prover.status(&pool, &[])
}

#[test]
fn misbehavior_of_a_solver_is_a_reason_and_never_an_answer() {
    let unlimited = Limits::default();
    assert_eq!(answer(Behavior::Right, &unlimited), Status::Sat);
    let fault = |behavior: Behavior| match answer(behavior, &unlimited) {
        Status::Unknown(Reason::Fault(what)) => what,
        other => panic!("{behavior:?}: {other:?}"),
    };
    assert_eq!(fault(Behavior::Garbage), "the solver sent a malformed answer: unexpected reply `maybe`");
    assert_eq!(fault(Behavior::Close), "the solver ended its process with code 0");
    assert!(fault(Behavior::Crash).contains("SIGABRT"));
    let refused = Status::Unknown(Reason::Unsupported("no memory for \"this\"".to_owned()));
    assert_eq!(answer(Behavior::Error, &unlimited), refused);
    let limits = Limits { time: Some(Duration::from_millis(500)), ..Limits::default() };
    let start = Instant::now();
    assert_eq!(answer(Behavior::Hang, &limits), Status::Unknown(Reason::Timeout));
    assert!(start.elapsed() < Duration::from_secs(60), "a process that hangs is killed");
}

#[test]
fn a_prover_answers_again_after_its_process_ended() {
    let mut pool = TermPool::new();
    let p = pool.symbol("p", Sort::Bool);
    let not_p = pool.not(p);
    let mut prover = fake(Behavior::Right).new_prover("ALL", &Limits::default()).expect("the process starts");
    prover.push().expect("scopes open");
    prover.assert(&pool, p).expect("a formula");
    prover.set_limits(&Limits { time: Some(Duration::ZERO), ..Limits::default() });
    assert_eq!(prover.status(&pool, &[]), Status::Unknown(Reason::Timeout));
    prover.set_limits(&Limits::default());
    assert_eq!(prover.status(&pool, &[not_p]), Status::Unsat);
    prover.pop().expect("a scope is open");
    assert_eq!(prover.status(&pool, &[not_p]), Status::Sat);
}

/// The program of this name, if it is installed; says if it is not.
#[allow(clippy::print_stderr, reason = "a test that is left out says so")]
fn installed(name: &str) -> Option<String> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.setup/venv/bin").join(name);
    let candidates = [own.to_string_lossy().into_owned(), name.to_owned()];
    let found = candidates.into_iter().find(|program| {
        Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
    });
    if found.is_none() {
        eprintln!("LEFT OUT: {name} is not installed");
    }
    found
}

#[test]
fn executables_agree_with_enumeration_on_random_cases() {
    let mut solvers: Vec<Rc<dyn ProverFactory>> = vec![fake(Behavior::Right)];
    if let Some(program) = installed("z3") {
        let native = specification("z3-process", command(&program, &["-in"]));
        let restarted = Specification { name: "z3-restarted", scopes: Scopes::Restart, ..native.clone() };
        solvers = vec![
            Rc::new(backend_process::factory(Rc::new(native))),
            Rc::new(backend_process::factory(Rc::new(restarted))),
        ];
    }
    if let Some(program) = installed("cvc5") {
        let own = specification("cvc5-process", command(&program, &["--incremental", "--quiet"]));
        solvers.push(Rc::new(backend_process::factory(Rc::new(own))));
    }
    // The own command answers as a solver of another program.
    let own = specification("own", command(PROGRAM, &["smt", "-", "--solver", "z3"]));
    solvers.push(Rc::new(backend_process::factory(Rc::new(own))));
    let findings = fuzz(&solvers, 7, 120);
    let text: Vec<String> = findings
        .deviations
        .iter()
        .map(|deviation| format!("{}\n{}", deviation.what, deviation.script))
        .collect();
    assert!(text.is_empty(), "{}", text.join("\n"));
    assert!(findings.known * 2 > findings.checks && findings.satisfiable > 10);
    let open: usize = findings.gave_up.values().sum();
    assert!(open * 4 < findings.checks * solvers.len(), "solvers rarely give up: {:?}", findings.gave_up);
}

const PAIR: &str = "(set-option :produce-interpolants true)\n(set-logic QF_LIA)\n\
    (declare-const x Int)\n(declare-const y Int)\n(declare-const z Int)\n\
    (assert (! (and (= y x) (= x 0)) :named a))\n(assert (! (= z (+ y 1)) :named b))\n(assert (! (< z 1) :named c))\n\
    (check-sat)\n(get-interpolants a b c)\n";

#[test]
fn both_dialects_of_interpolants_are_certified() {
    let file = table("tree", Behavior::Right, "interpolants = 'smtinterpol'")
        + &table("groups", Behavior::Mathsat, "interpolants = 'mathsat'")
        + &table("wrong", Behavior::WrongInterpolants, "interpolants = 'smtinterpol'");
    let folder = folder(&[("solvers.toml", &file), ("pair.smt2", PAIR)]);
    let ask = |source: &str| {
        let options = ["smt", "--solver-file", "solvers.toml", "--interpolation", source, "pair.smt2"];
        hornwork(&folder, &options)
    };
    for source in ["tree", "groups"] {
        let run = ask(source);
        assert_eq!(run.code, Some(0), "{source}: {}{}", run.out, run.err);
        let lines: Vec<&str> = run.out.lines().collect();
        assert_eq!(lines[0], "unsat");
        assert!(
            lines.len() == 3 && lines[1].contains('y') && lines[2].contains('z'),
            "{source}: {}",
            run.out
        );
    }
    let run = ask("wrong");
    assert!(run.err.contains("wrong gave a wrong interpolant"), "{}{}", run.out, run.err);
    assert!(!run.out.contains("(true"), "{}", run.out);
}

const PRODUCT: &str = "(set-logic QF_BV)\n(set-info :status sat)\n(declare-const x (_ BitVec 8))\n\
    (declare-const y (_ BitVec 8))\n(declare-const z (_ BitVec 8))\n(assert (bvult y #x20))\n\
    (assert (and (= (bvadd (bvmul x y) z) #x0c) (bvult z #x05)))\n(assert (distinct x y z))\n(check-sat)\n";
const SUM: &str = "(set-logic QF_BV)\n(set-info :status unsat)\n(declare-const x (_ BitVec 8))\n\
    (assert (bvult x #x05))\n(assert (bvult #x08 x))\n(check-sat)\n";

#[test]
fn a_solver_that_answers_wrongly_is_named_first_with_a_small_query() {
    let file = table("liar", Behavior::WrongUnsat, "") + &table("dreamer", Behavior::WrongModel, "");
    let folder = folder(&[("solvers.toml", &file), ("product.smt2", PRODUCT), ("sum.smt2", SUM)]);
    let options = ["compare", "--queries", "-o", "out", "--solver-file", "solvers.toml"];
    let solvers = ["--solvers", "z3,liar,dreamer", "--quiet", "product.smt2", "sum.smt2"];
    let run = hornwork(&folder, &[options.as_slice(), &solvers].concat());
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert!(run.out.starts_with("liar ("), "{}", run.out);
    let report = std::fs::read_to_string(folder.path().join("out/queries.md")).expect("a report");
    let first = report.lines().find(|line| line.starts_with("1. ")).expect("a finding");
    assert!(first.contains("liar answers unsat, but z3 has a model"), "{report}");
    assert!(report.contains("dreamer has a wrong model"), "{report}");
    assert!(report.find("## Findings") < report.find("## Solvers"));
    // Any formula with a product is enough, and no smaller one.
    let small = std::fs::read_to_string(folder.path().join("out/findings/001-liar.smt2")).expect("a script");
    assert_eq!(small.matches("(assert").count(), 1, "{small}");
    assert!(small.contains("bvmul") && !small.contains("bvult"), "{small}");
    let run = hornwork(&folder, &["smt", "--solver", "yices", "out/findings/001-liar.smt2"]);
    assert_eq!(run.out, "sat\n", "the status of the small script is right");
    let options = ["compare", "--queries", "-o", "right", "--solvers", "z3,craig", "--quiet", "sum.smt2"];
    let run = hornwork(&folder, &options);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    let report = std::fs::read_to_string(folder.path().join("right/queries.md")).expect("a report");
    assert!(report.contains("None: no answer is refuted"), "{report}");
}

#[test]
fn the_queries_of_a_program_are_recorded_once_and_replayed() {
    let program = "void reach_error(void); int __VERIFIER_nondet_int(void);\n\
        int main(void) { int n = __VERIFIER_nondet_int(), x = 0, y = 0;\n\
          for (int i = 0; i < n; i++) { x += 1; y += 2; }\n\
          if (y != 2 * x) reach_error(); }";
    let folder = folder(&[("program.c", program)]);
    let options = ["compare", "--queries", "-o", "out", "--solvers", "z3,yices", "program.c"];
    let more = ["--", "--algorithm", "impact"];
    let run = hornwork(&folder, &[options.as_slice(), &more].concat());
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.err.contains("recording "), "{}", run.err);
    let text = std::fs::read_to_string(folder.path().join("out/queries.json")).expect("data");
    let data: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let queries = data["queries"].as_array().expect("a list");
    assert!(!queries.is_empty() && data["left_out"].as_array().is_some_and(Vec::is_empty), "{text}");
    for query in queries {
        assert_eq!(query["checks"].as_array().map(Vec::len), Some(2), "{query}");
        assert_eq!(query["checks"][0]["status"], query["checks"][1]["status"], "{query}");
    }
    let again = hornwork(&folder, &[options.as_slice(), &more].concat());
    assert_eq!(again.code, Some(0), "{}{}", again.out, again.err);
    assert!(!again.err.contains("recording "), "recorded queries are kept: {}", again.err);
}
