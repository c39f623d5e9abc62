//! Tests of the output: verdicts, JSON, diagnostics and exit codes.

use hornwork_tests::{Run, run};
use std::process::Command;
use std::time::Duration;

fn hornwork(arguments: &[&str], program: &str) -> Run {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("program.c");
    std::fs::write(&path, program).expect("a temporary file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_hornwork-under-test"));
    run(command.args(arguments).arg(&path), Duration::from_secs(60))
}

const SAFE: &str =
    "void reach_error(void); int main(void) { for (int i = 0; i < 3; i++) if (i > 2) reach_error(); }";
const UNSAFE: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);\n\
                      int main(void) { int x = __VERIFIER_nondet_int(); if (x == 77) reach_error(); }\n";
const ENDLESS: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);\n\
                       int main(void) { int x = 0; while (__VERIFIER_nondet_int()) x += 2; if (x == 7) reach_error(); }";

#[test]
fn the_last_line_is_the_verdict_and_the_exit_code_agrees() {
    for (program, verdict, code) in
        [(SAFE, "TRUE", 0), (UNSAFE, "FALSE(unreach-call)", 10), (ENDLESS, "UNKNOWN(bound 6 reached)", 20)]
    {
        let bound: &[&str] =
            if program == ENDLESS { &["verify", "--algorithm", "bmc", "--unwind", "6"] } else { &["verify"] };
        let run = hornwork(bound, program);
        assert_eq!((run.last_line(), run.code), (verdict, Some(code)), "{run:?}");
    }
}

#[test]
fn invariants_about_bytes_of_memory_are_shown_in_every_encoding() {
    let program = "int __VERIFIER_nondet_int(void); void reach_error(void);\n\
        union { unsigned i; unsigned char c[4]; } v;\n\
        int main(void) { v.i = 0; v.c[1] = 1; char *p = (char *)&v;\n\
          while (__VERIFIER_nondet_int()) { v.c[0] = 7; if (p[1] != 1) reach_error(); } return 0; }";
    for (encoding, fact) in [("QF_ABVFP", "*(unsigned char *) (&v + 1)"), ("QF_AUFLIRA", "] == 1")] {
        for algorithm in ["k-induction", "predicate"] {
            let run = hornwork(&["verify", "--encoding", encoding, "--algorithm", algorithm], program);
            assert_eq!((run.last_line(), run.err.as_str()), ("TRUE", ""), "{encoding} {algorithm}: {run:?}");
            assert!(run.out.contains("Loop invariants:") && run.out.contains(fact), "{run:?}");
        }
    }
}

#[test]
fn a_trace_shows_the_input_with_its_line() {
    let run = hornwork(&["verify"], UNSAFE);
    assert!(run.out.contains("__VERIFIER_nondet_int() at ") && run.out.contains(" = 77"), "{}", run.out);
    assert!(run.out.contains("2 int main(void)"), "{}", run.out);
}

#[test]
fn json_is_one_object_with_verdict_evidence_and_statistics() {
    for (program, verdict, evidence) in [(SAFE, "TRUE", "certificate"), (UNSAFE, "FALSE", "trace")] {
        let run = hornwork(&["verify", "--json", "--algorithm", "k-induction"], program);
        let object: serde_json::Value = serde_json::from_str(&run.out).expect("the output is JSON");
        assert_eq!(object["verdict"], verdict);
        assert!(object[evidence].is_object(), "{object}");
        assert!(object["statistics"]["search"]["steps"].is_array(), "{object}");
    }
    let trace = hornwork(&["verify", "--json"], UNSAFE);
    let object: serde_json::Value = serde_json::from_str(&trace.out).expect("the output is JSON");
    let steps = object["trace"]["steps"].as_array().expect("a trace has steps");
    assert!(
        steps.iter().any(|step| step["event"] == "input" && step["value"] == "77" && step["line"] == 2),
        "{object}"
    );
}

#[test]
fn json_has_version_options_and_inputs() {
    let run = hornwork(&["verify", "--json", "--unwind", "3"], UNSAFE);
    let object: serde_json::Value = serde_json::from_str(&run.out).expect("the output is JSON");
    assert_eq!(object["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!((&object["options"]["unwind"], &object["options"]["json"]), (&"3".into(), &true.into()));
    let input = &object["inputs"][0];
    assert_eq!(
        (&input["source"], &input["line"]),
        (&"__VERIFIER_nondet_int()".into(), &2.into()),
        "{object}"
    );
    assert_eq!((&input["value"], &input["type"]), (&"77".into(), &"int".into()), "{object}");
    let proof = hornwork(&["verify", "--json"], SAFE);
    let object: serde_json::Value = serde_json::from_str(&proof.out).expect("the output is JSON");
    assert_eq!(object["inputs"], serde_json::json!([]));
}

#[test]
fn errors_of_the_input_are_json_too() {
    for (options, program, message, line) in [
        (&["verify", "--json"][..], "int main(void) {\n  return x;\n}\n", "`x`", Some(2)),
        (&["verify", "--json", "--no-such-option"], SAFE, "--no-such-option", None),
        (&["verify", "--json", "--property", "nothing"], SAFE, "nothing", None),
    ] {
        let run = hornwork(options, program);
        assert_eq!(run.code, Some(2), "{run:?}");
        let object: serde_json::Value = serde_json::from_str(&run.out).expect("the output is JSON");
        assert_eq!((&object["verdict"], object["line"].as_u64()), (&"ERROR".into(), line), "{object}");
        assert!(object["message"].as_str().is_some_and(|text| text.contains(message)), "{object}");
        assert!(object["version"].is_string() && object["options"].is_object(), "{object}");
        assert!(line.is_none() || object["file"].is_string(), "{object}");
    }
}

#[test]
fn the_time_limit_ends_a_run() {
    let start = std::time::Instant::now();
    let run = hornwork(&["verify", "--algorithm", "bmc", "--timelimit", "1"], ENDLESS);
    assert_eq!(run.code, Some(20), "{run:?}");
    assert!(run.last_line().starts_with("UNKNOWN("), "{run:?}");
    // Not a measurement: without the time limit, the run would not terminate.
    assert!(start.elapsed() < Duration::from_secs(55));
}

#[test]
fn the_memory_limit_ends_a_run() {
    let run = hornwork(&["verify", "--algorithm", "bmc", "--memlimit", "1", "--timelimit", "50"], ENDLESS);
    assert_eq!((run.code, run.last_line()), (Some(20), "UNKNOWN(memory limit reached)"), "{run:?}");
}

#[test]
fn a_property_that_is_not_supported_is_unknown() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let property = folder.path().join("ends.prp");
    std::fs::write(&property, "CHECK( init(main()), LTL(F end) )\n")
        .expect("a temporary file can be written");
    for name in [&*property.to_string_lossy(), "termination", "unreach-call,no-data-race"] {
        let run = hornwork(&["verify", "--property", name], SAFE);
        assert_eq!(run.code, Some(20));
        assert!(run.last_line().contains("unsupported property "), "{run:?}");
        let run = hornwork(&["emit", "--to", "chc", "--property", name], SAFE);
        assert_eq!((run.code, run.out.as_str()), (Some(20), ""), "{run:?}");
    }
}

#[test]
fn the_property_option_chooses_among_those_of_a_task() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("a temporary file can be written");
    };
    write("no-overflow.prp", "CHECK( init(other()), LTL(G ! overflow) )\n");
    write("unreach-call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    write("ends.prp", "CHECK( init(main()), LTL(F end) )\n");
    write("a.c", "int main(void) { return 0; } int other(void) { int x = 2147483647; return x + 1; }\n");
    write(
        "task.yml",
        "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n  - property_file: ends.prp\n  \
         - property_file: no-overflow.prp\n  - property_file: unreach-call.prp\n",
    );
    for (options, verdict) in [
        (&[][..], "TRUE"),
        (&["--property", "no-overflow"], "FALSE(no-overflow)"),
        (&["--property", "unreach-call"], "TRUE"),
        (&["--property", "unreach-label,assertion", "--check=div-by-zero", "--check=shift"], "TRUE"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hornwork-under-test"));
        let run = run(
            command.arg("verify").args(options).arg(folder.path().join("task.yml")),
            Duration::from_secs(60),
        );
        assert_eq!(run.last_line(), verdict, "{options:?} {run:?}");
    }
}

#[test]
fn the_trace_ends_with_the_operands_of_what_failed() {
    const OVERFLOW: &str = "int main(void) { int x = 2147483647, y = 2; x -= y; return x + y * y; }\n";
    let run = hornwork(&["verify", "--property", "no-overflow"], OVERFLOW);
    let last = run.out.lines().rev().nth(1).unwrap_or_default().trim();
    assert_eq!(last, "ERROR: x + (y * y) = 2147483645 + 4 overflows int", "{run:?}");
    assert!(!run.out.contains("condition"), "{run:?}");
    let run = hornwork(&["verify", "--json", "--check=overflow"], OVERFLOW);
    let json: serde_json::Value = serde_json::from_str(run.out.trim()).expect("a line of JSON");
    assert_eq!(
        (&json["property"], &json["trace"]["kind"]),
        (&"no-overflow".into(), &"signed-overflow".into())
    );
    let steps = json["trace"]["steps"].as_array().expect("steps");
    let operands = &steps.last().expect("a step")["operands"];
    assert_eq!(operands[0], serde_json::json!({ "operand": "x", "value": "2147483645" }));
}

#[test]
fn a_task_definition_brings_property_and_data_model() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("a temporary file can be written");
    };
    write("calls.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    write(
        "long.c",
        "void reach_error(void); void assert(int); int main(void) { if (sizeof(long) == 4) reach_error(); assert(0); }\n",
    );
    for (model, format, verdict) in [
        ("ILP32", "2.0", "FALSE(unreach-call)"),
        ("LP64", "2.0", "TRUE"),
        ("ILP32", "1.0", "FALSE(unreach-call)"),
    ] {
        let task = format!(
            "format_version: '{format}'\ninput_files: 'long.c'\nproperties:\n  - property_file: calls.prp\n    expected_verdict: false\n\
             options:\n  language: C\n  data_model: {model}\n"
        );
        write("task.yml", &task);
        let mut command = Command::new(env!("CARGO_BIN_EXE_hornwork-under-test"));
        let run = run(command.arg("verify").arg(folder.path().join("task.yml")), Duration::from_secs(60));
        assert_eq!(run.last_line(), verdict, "{model} {run:?}");
    }
}

#[test]
fn an_unbounded_loop_is_proved_by_default() {
    let program = "int __VERIFIER_nondet_int(void); void reach_error(void);\n\
                   int main(void) { unsigned x = 0; while (__VERIFIER_nondet_int()) if (x < 9) x++; if (x > 9) reach_error(); }";
    let run = hornwork(&["verify"], program);
    assert_eq!((run.last_line(), run.code), ("TRUE", Some(0)), "{run:?}");
}

/// Runs the tool with an injected panic at `place`.
fn panicking(place: &str, arguments: &[&str], program: &str) -> Run {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = folder.path().join("program.c");
    std::fs::write(&path, program).expect("a temporary file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_hornwork-under-test"));
    command.env("HORNWORK_PANIC", place).args(arguments).arg(&path);
    run(&mut command, Duration::from_secs(60))
}

#[test]
fn a_panic_is_an_internal_error_and_no_verdict() {
    for place in ["front end", "engine", "thread"] {
        let run = panicking(place, &["verify"], SAFE);
        let expected = format!("UNKNOWN(internal error: a panic was requested in the {place} ");
        assert!(run.code == Some(20) && run.last_line().starts_with(&expected), "{run:?}");
        assert!(run.err.contains("please report it"), "{}", run.err);

        let run = panicking(place, &["verify", "--json"], UNSAFE);
        let object: serde_json::Value = serde_json::from_str(&run.out).expect("the output is JSON");
        assert_eq!((run.code, &object["verdict"]), (Some(20), &"UNKNOWN".into()), "{object}");
        let reason = object["reason"].as_str().expect("a reason");
        assert!(reason.starts_with("internal error: a panic was requested"), "{object}");
    }
}

#[test]
fn a_panic_of_the_validator_leaves_the_verdict_without_validation() {
    let run = panicking("validator", &["verify"], SAFE);
    assert_eq!((run.last_line(), run.code), ("TRUE", Some(0)), "{run:?}");
    assert!(run.out.contains("Not validated (internal error: "), "{}", run.out);
    assert!(run.err.contains("please report it"), "{}", run.err);
    let run = panicking("validator", &["verify", "--json"], SAFE);
    let object: serde_json::Value = serde_json::from_str(&run.out).expect("the output is JSON");
    assert_eq!((&object["verdict"], &object["validation"]["result"]), (&"TRUE".into(), &"undecided".into()));
}

#[test]
fn a_panic_of_other_commands_is_an_error() {
    for (place, arguments) in [("emit", &["emit", "--to", "ir"][..]), ("smt", &["smt"])] {
        let run = panicking(place, arguments, SAFE);
        assert_eq!((run.code, run.out.as_str()), (Some(20), ""), "{run:?}");
        assert!(run.err.contains("error: internal error: a panic was requested in the"), "{}", run.err);
        assert!(run.err.contains("please report it"), "{}", run.err);
    }
}

#[test]
fn names_without_a_definition_are_listed() {
    let program = "int mystery(int); void unused(void); extern int limit; void log(const char *);\n\
                   static void never_called(void) { unused(); }\n\
                   int main(void) {\n  log(\"start\");\n  return mystery(limit) + mystery(1);\n}\n";
    let run = hornwork(&["verify"], program);
    let warnings: Vec<&str> = run.err.lines().filter(|line| line.contains("has no definition")).collect();
    let [log, mystery, limit] = warnings[..] else { panic!("expected three warnings: {run:?}") };
    assert!(log.contains("program.c:4: function `log`"), "{log}");
    assert!(mystery.contains("program.c:5: function `mystery`"), "{mystery}");
    assert!(limit.contains("program.c:5: data `limit`"), "{limit}");
    assert_eq!(hornwork(&["verify", "--quiet"], program).err, "");

    let run = hornwork(&["verify", "--json"], program);
    let object: serde_json::Value = serde_json::from_str(&run.out).expect("the output is JSON");
    let assumptions = object["assumptions"].as_array().expect("assumptions");
    let names: Vec<_> =
        assumptions.iter().map(|entry| (&entry["name"], &entry["kind"], &entry["line"])).collect();
    let expected = [("log", "function", 4), ("mystery", "function", 5), ("limit", "data", 5)]
        .map(|(name, kind, line)| (name.into(), kind.into(), line.into()));
    assert_eq!(names, expected.iter().map(|(name, kind, line)| (name, kind, line)).collect::<Vec<_>>());
    assert!(assumptions[1]["assumed"].as_str().expect("a text").starts_with("returns any value"));
}
