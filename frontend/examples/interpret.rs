//! Lowers a preprocessed C file, checks the IR and executes it in the interpreter; all inputs are
//! zero.
//!
//! `interpret FILE.i [--ilp32] [--all | --run]` prints the calls of `printf` with their integer
//! arguments and the outcome of the execution. With `--all` it lowers all functions and prints the
//! unsupported constructs instead. The differential test with csmith (`csmith.sh`) compares the
//! checksums.

#![allow(clippy::print_stdout, reason = "a tool")]

use frontend::c::lower::{FunctionSelection, Options, lower};
use frontend::c::{sema, types::DataModel};
use frontend::spec::Specification;
use grammars::source::SourceMap;
use program::interp::{
    Answer, Config, ExternalCall, Interpreter, ObjectRequest, Oracle, TraceMode, ValueRequest,
};
use program::ssa::HavocSource;
use terms::{TermPool, Value};

/// Prints the arguments of `printf`; all nondeterministic values are zero.
struct Printer;

impl Oracle for Printer {
    fn value(&mut self, request: &ValueRequest<'_>) -> Answer<Value> {
        match request.source {
            // The only program argument is its name.
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
            let arguments: Vec<String> =
                call.arguments[1..].iter().map(|value| format!("{value:?}")).collect();
            println!("printf {}", arguments.join(" "));
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let model = if has("--ilp32") { DataModel::Ilp32 } else { DataModel::Lp64 };
    for path in arguments.iter().filter(|argument| !argument.starts_with("--")) {
        let mut map = SourceMap::new();
        let file = map.add(path, std::fs::read(path)?)?;
        let parsed = grammars::c::parse(&map, file);
        let checked = sema::check(&parsed.unit, sema::Options { model });
        let mut errors =
            parsed.diagnostics.iter().chain(&checked.diagnostics).filter(|found| found.is_error());
        if let Some(error) = errors.next() {
            println!("{path}: refused: {}", error.message);
            continue;
        }
        let mut pool = TermPool::new();
        let mut options = Options::new("main");
        if has("--all") {
            options.functions = FunctionSelection::All;
        }
        let (program, diagnostics) =
            lower(&mut pool, &checked.program, &Specification::default_for_tool(), &options);
        for diagnostic in diagnostics {
            println!("{path}: {}", diagnostic.message);
        }
        for violation in program::ssa::check::check(&pool, &program) {
            println!("{path}: ill-formed: {violation}");
        }
        if has("--text") {
            println!("{}", program::text::print(&pool, &program, None));
        }
        if has("--all") {
            for unsupported in program.unsupported.values() {
                println!("{path}: unsupported: {}", unsupported.construct);
            }
            continue;
        }
        let config = Config { max_steps: 2_000_000_000, max_memory: 1 << 32, trace: TraceMode::Off };
        let run = Interpreter::new(&pool, &program, config)?.run(&mut Printer);
        println!("{path}: {:?}", run.outcome);
        if let program::interp::Outcome::Unsupported(unsupported) = run.outcome {
            println!("{path}: {}", program.unsupported[unsupported].construct);
        }
    }
    Ok(())
}
