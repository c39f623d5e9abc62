//! The programs of `programs/`, compiled by gcc with the C library of the host, against the front
//! end, its models of the library and the interpreter of the IR: both print the same numbers,
//! before and after the initial passes of bounded model checking.
//!
//! A program prints with `printf("%ld\n", (long)…)`.

use frontend::c::lower::{Options, lower};
use frontend::c::{sema, types::DataModel};
use frontend::spec::Specification;
use grammars::source::SourceMap;
use hornwork_tests::{package, run};
use program::interp::{
    Answer, Config, ExternalCall, Interpreter, ObjectRequest, Oracle, Outcome, TraceMode, ValueRequest,
};
use program::ssa::Program;
use std::process::Command;
use std::time::Duration;
use terms::{TermPool, Value};

/// Records the numbers passed to `printf`; all nondeterministic values are zero.
#[derive(Default)]
struct Printed(Vec<i64>);

impl Oracle for Printed {
    fn value(&mut self, _: &ValueRequest<'_>) -> Answer<Value> {
        Answer::Any
    }
    fn contents(&mut self, _: &ObjectRequest) -> Answer<Vec<(u64, u8)>> {
        Answer::Any
    }
    fn address(&mut self, _: &ObjectRequest) -> Answer<u64> {
        Answer::Any
    }
    fn external_call(&mut self, call: &ExternalCall<'_>) {
        if let ("printf", Some(Value::BitVec(number))) = (call.name, call.arguments.get(1)) {
            self.0.push(number.to_u64().expect("a long has 64 bits") as i64);
        }
    }
}

fn interpret(pool: &TermPool, program: &Program) -> Vec<i64> {
    let config = Config { max_steps: 500_000_000, max_memory: 1 << 31, trace: TraceMode::Off };
    let mut printed = Printed::default();
    let run = Interpreter::new(pool, program, config).expect("the objects fit into memory").run(&mut printed);
    match run.outcome {
        Outcome::Stopped(_) => {}
        Outcome::Unsupported(unsupported) => panic!("{}", program.unsupported[unsupported].construct),
        outcome => panic!("{outcome:?}"),
    }
    printed.0
}

fn compare(name: &str) {
    let source = package().join("programs").join(name);
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let binary = folder.path().join("program");
    let limit = Duration::from_secs(60);
    let compiled = run(
        Command::new("cc").args(["-w", "-O0", "-fno-builtin"]).arg(&source).arg("-o").arg(&binary),
        limit,
    );
    assert_eq!(compiled.code, Some(0), "{}", compiled.err);
    let executed = run(&mut Command::new(&binary), limit);
    assert_eq!(executed.code, Some(0), "{}", executed.err);
    let expected: Vec<i64> =
        executed.out.lines().map(|line| line.parse().expect("the program prints numbers")).collect();
    assert!(!expected.is_empty());

    let preprocessed = run(Command::new("cc").args(["-w", "-E"]).arg(&source), limit);
    let mut map = SourceMap::new();
    let file = map.add(name, preprocessed.out.into_bytes()).expect("the program is small");
    let parsed = grammars::c::parse(&map, file);
    assert!(parsed.diagnostics.iter().all(|found| !found.is_error()), "{:?}", parsed.diagnostics);
    let checked = sema::check(&parsed.unit, sema::Options { model: DataModel::Lp64 });
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
    let mut pool = TermPool::new();
    let (mut program, _) =
        lower(&mut pool, &checked.program, &Specification::default_for_tool(), &Options::new("main"));
    let violations = program::ssa::check::check(&pool, &program);
    assert!(violations.is_empty(), "{violations:?}");
    is_same(&expected, &interpret(&pool, &program), "as lowered");
    passes::transform::prepare_for_bmc(&mut pool, &mut program, &passes::transform::Pipeline::none());
    is_same(&expected, &interpret(&pool, &program), "after region splitting");
}

fn is_same(expected: &[i64], found: &[i64], when: &str) {
    let first = expected.iter().zip(found).position(|(a, b)| a != b);
    if let Some(line) = first {
        panic!("{when}, line {}: gcc has {}, the interpreter {}", line + 1, expected[line], found[line]);
    }
    assert_eq!(expected.len(), found.len(), "{when}");
}

#[test]
fn ctype() {
    compare("ctype.c");
}

#[test]
fn string() {
    compare("string.c");
}

#[test]
fn stdlib() {
    compare("stdlib.c");
}

#[test]
fn variadic() {
    compare("variadic.c");
}

#[test]
fn stdio() {
    compare("stdio.c");
}

#[test]
fn blocks() {
    compare("blocks.c");
}

/// The programs of `programs/language`: the semantics of C11 and GNU C, feature by feature.
mod language {
    macro_rules! programs {
        ($($name:ident)*) => {
            const NAMES: &[&str] = &[$(stringify!($name)),*];
            $(
                #[test]
                fn $name() {
                    super::compare(concat!("language/", stringify!($name), ".c"));
                }
            )*
        };
    }

    programs! {
        attributes bit_field_values bit_fields_everywhere builtins cleanup computed_goto elided_braces expressions
        generic_and_typeof
        initializers inline_and_attributes integers old_style pointers recursion_and_loops
        scopes_and_storage scopes_of_tags statement_expressions structs_by_value switches unions variable_arrays
        variable_length_operands volatile_and_const zero_length
    }

    #[test]
    fn every_program_has_its_test() {
        let folder = super::package().join("programs/language");
        let mut found: Vec<String> = std::fs::read_dir(folder)
            .expect("the folder is readable")
            .map(|entry| entry.expect("the folder is readable").path())
            .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
            .collect();
        found.sort();
        assert_eq!(found, NAMES);
    }
}
