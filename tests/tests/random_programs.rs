//! csmith programs, compiled by gcc and run, against the front end and the interpreter of the IR.
//! Both print the same checksum, before and after the initial passes of bounded model checking.
//!
//! `HORNWORK_CSMITH=FIRST..END` selects other seeds; a program that runs too long with gcc does not
//! count.

use frontend::c::lower::{Options, lower};
use frontend::c::{sema, types::DataModel};
use frontend::spec::Specification;
use grammars::source::SourceMap;
use hornwork_tests::run;
use passes::transform::{MemoryModel, Pipeline, prepare_for_bmc};
use program::interp::{
    Answer, Config, ExternalCall, Interpreter, ObjectRequest, Oracle, Outcome, TraceMode, ValueRequest,
};
use program::ssa::{HavocSource, Program};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use terms::choice::Choice;
use terms::{TermPool, Value};

/// Integers only: programs that do not access memory as bytes.
const FEATURES: &[&str] = &[
    "--no-unions",
    "--no-volatiles",
    "--no-volatile-pointers",
    "--no-bitfields",
    "--no-packed-struct",
    "--no-float",
];

/// csmith's defaults: unions, bit-fields, volatiles, packed structs, pointers.
const ALL_FEATURES: &[&str] = &[];

fn seeds(default: Range<u32>) -> Range<u32> {
    let chosen = std::env::var("HORNWORK_CSMITH").ok().and_then(|text| {
        let (first, end) = text.split_once("..")?;
        Some(first.parse().ok()?..end.parse().ok()?)
    });
    chosen.unwrap_or(default)
}

/// Where csmith's headers are.
fn include() -> PathBuf {
    let named =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("csmith"));
    let entries = std::fs::read_dir("/usr/include").expect("there are system headers");
    let mut found: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(named).collect();
    found.sort();
    found.pop().expect("csmith's headers are missing: run scripts/setup.sh test")
}

/// Records the arguments of `printf`; all nondeterministic values are zero.
#[derive(Default)]
struct Printed(Vec<Value>);

impl Oracle for Printed {
    fn value(&mut self, request: &ValueRequest<'_>) -> Answer<Value> {
        match request.source {
            // A program is run with its name as the only argument.
            HavocSource::Input(name) if name == "argc" => Answer::Is(Value::bv(32, 1)),
            _ => Answer::Any,
        }
    }
    fn contents(&mut self, _: &ObjectRequest) -> Answer<Vec<(u64, u8)>> {
        Answer::Any
    }
    fn address(&mut self, _: &ObjectRequest) -> Answer<u64> {
        Answer::Any
    }
    fn external_call(&mut self, call: &ExternalCall<'_>) {
        if call.name == "printf" {
            self.0.extend(call.arguments.last().cloned());
        }
    }
}

/// The checksum that the interpreter finds.
fn interpret(pool: &TermPool, program: &Program) -> Value {
    let config = Config { max_steps: 2_000_000_000, max_memory: 1 << 32, trace: TraceMode::Off };
    let mut printed = Printed::default();
    let run = Interpreter::new(pool, program, config).expect("the objects fit into memory").run(&mut printed);
    assert!(matches!(run.outcome, Outcome::Stopped(_)), "{:?}", run.outcome);
    printed.0.pop().expect("the checksum is printed")
}

/// Whether the program of `seed` terminated with gcc; if so, asserts that all checksums agree.
fn compare(folder: &Path, seed: u32, features: &[&str]) -> bool {
    let (source, binary) = (folder.join(format!("{seed}.c")), folder.join(format!("{seed}.exe")));
    let limit = Duration::from_secs(60);
    let made = run(
        Command::new("csmith")
            .args(["--seed", &seed.to_string()])
            .args(features)
            .arg("-o")
            .arg(&source)
            .current_dir(folder),
        limit,
    );
    assert_eq!(made.code, Some(0), "{}", made.err);
    let include = include();
    let compiled = run(
        Command::new("cc").args(["-w", "-O0", "-I"]).arg(&include).arg(&source).arg("-o").arg(&binary),
        limit,
    );
    assert_eq!(compiled.code, Some(0), "{}", compiled.err);
    let executed = run(Command::new("timeout").arg("2").arg(&binary), limit);
    if executed.code != Some(0) {
        return false;
    }
    let checksum = executed
        .out
        .trim()
        .strip_prefix("checksum = ")
        .expect("csmith's programs print a checksum")
        .to_string();
    let checksum = u64::from_str_radix(&checksum, 16).expect("a checksum is hexadecimal");

    let preprocessed = run(Command::new("cc").args(["-w", "-E", "-I"]).arg(&include).arg(&source), limit);
    let mut map = SourceMap::new();
    let file = map.add("random.c", preprocessed.out.into_bytes()).expect("the program is small");
    let parsed = grammars::c::parse(&map, file);
    assert!(
        parsed.diagnostics.iter().all(|found| !found.is_error()),
        "seed {seed}: {:?}",
        parsed.diagnostics
    );
    let checked = sema::check(&parsed.unit, sema::Options { model: DataModel::Lp64 });
    assert!(!checked.has_errors(), "seed {seed}: {:?}", checked.diagnostics);
    let mut pool = TermPool::new();
    let (program, _) =
        lower(&mut pool, &checked.program, &Specification::default_for_tool(), &Options::new("main"));
    let violations = program::ssa::check::check(&pool, &program);
    assert!(violations.is_empty(), "seed {seed}: {violations:?}");
    assert_eq!(interpret(&pool, &program), Value::bv(32, checksum), "seed {seed}");
    for model in MemoryModel::TABLE {
        let mut split = program.clone();
        prepare_for_bmc(&mut pool, &mut split, &Pipeline::none().with_memory(model.value));
        let result = interpret(&pool, &split);
        assert_eq!(result, Value::bv(32, checksum), "seed {seed}, memory as {}", model.name);
    }
    true
}

fn compare_all(seeds: Range<u32>, features: &[&str]) {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let (count, half) = (seeds.len(), seeds.len() / 2);
    let done = seeds.filter(|&seed| compare(folder.path(), seed, features)).count();
    assert!(done > half, "only {done} of {count} programs ran to their end");
}

#[test]
fn integer_programs_compute_what_gcc_computes() {
    compare_all(seeds(5000..5012), FEATURES);
}

#[test]
fn programs_with_all_features_compute_what_gcc_computes() {
    compare_all(seeds(6000..6006), ALL_FEATURES);
}
