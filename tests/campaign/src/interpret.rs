//! The front end with the interpreter of the IR: no solver, so thousands of programs a minute.

use crate::pointers::{Assertion, Program, Reader};
use crate::random::Random;
use crate::truth::{End, ErrorAt};
use frontend::c::lower::{Options, lower_linked};
use frontend::c::{hir, link, sema, types::DataModel};
use frontend::spec::{Property, Specification};
use grammars::source::{Diagnostic, SourceMap};
use program::interp::{
    Answer, Config, ExternalCall, Interpreter, ObjectRequest, Oracle, Outcome, TraceMode, ValueRequest,
};
use program::ssa::PropertyKind;
use terms::{TermPool, Value};

/// Provides the inputs of a program in order, and collects its output.
struct Inputs<'a> {
    values: std::slice::Iter<'a, i32>,
    /// Chooses orders of evaluation.
    orders: Option<Random>,
    printed: Option<i32>,
}

impl Oracle for Inputs<'_> {
    fn value(&mut self, request: &ValueRequest<'_>) -> Answer<Value> {
        let is_input =
            matches!(request.source, program::ssa::HavocSource::Input(name) if name.contains("nondet"));
        let is_order =
            matches!(request.source, program::ssa::HavocSource::Input(name) if name == "evaluation_order");
        if let (true, Some(random)) = (is_order, &mut self.orders) {
            return Answer::Is(Value::bv(request.ty.width(), u64::from(random.percent(50))));
        }
        match (is_input, request.ty.width()) {
            (true, 32) => match self.values.next() {
                Some(&value) => Answer::Is(Value::bv(32, u64::from(value as u32))),
                None => Answer::Exhausted,
            },
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
            let value = call.arguments.last().and_then(Value::as_bv).and_then(|value| value.to_u64());
            self.printed = value.map(|value| value as i32);
        }
    }
}

/// A program after the front end.
struct Lowered {
    sources: SourceMap,
    pool: TermPool,
    program: program::ssa::Program,
}

/// Lowers the texts of translation units, named `0.c`, `1.c`, ….
///
/// # Errors
/// If the front end rejects the program, or lowers it to an ill-formed one.
fn lower(texts: Vec<String>, kinds: &[PropertyKind]) -> Result<Lowered, String> {
    let mut sources = SourceMap::new();
    let mut diagnostics = Vec::new();
    let mut units: Vec<hir::Program> = Vec::new();
    for (unit, text) in texts.into_iter().enumerate() {
        let file = sources.add(&format!("{unit}.c"), text.into_bytes()).map_err(|error| error.to_string())?;
        let parsed = grammars::c::parse(&sources, file);
        let checked = sema::check(&parsed.unit, sema::Options { model: DataModel::Lp64 });
        diagnostics.extend(parsed.diagnostics);
        diagnostics.extend(checked.diagnostics);
        units.push(checked.program);
    }
    let refused = |diagnostics: &[Diagnostic]| {
        let error = diagnostics.iter().find(|diagnostic| diagnostic.is_error())?;
        Some(format!("refused: {}", error.render(&sources)))
    };
    if let Some(refused) = refused(&diagnostics) {
        return Err(refused);
    }
    let (linked, found) = link::link(&units.iter().collect::<Vec<_>>());
    if let Some(refused) = refused(&found) {
        return Err(refused);
    }
    let specification = Specification::new(kinds.iter().copied().map(Property::Check).collect());
    let mut pool = TermPool::new();
    let lowered = lower_linked(&mut pool, &linked, &specification, &Options::new("main"));
    if let Some(refused) = refused(&lowered.diagnostics) {
        return Err(refused);
    }
    let program = lowered.program;
    let violations = program::ssa::check::check(&pool, &program);
    match violations.is_empty() {
        true => Ok(Lowered { sources, pool, program }),
        false => Err(format!("ill-formed program: {violations:?}")),
    }
}

/// The result of `run`; a panic becomes an error.
///
/// # Errors
/// Those of `run`, and panics.
pub fn caught<T>(run: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(format!("panic: {}", message.unwrap_or("without a message")))
    })
}

/// The end of each run, in the order of [`Program::inputs`].
///
/// # Errors
/// If the front end rejects the program, or lowers it to an ill-formed one.
pub fn interpret(program: &Program, kinds: &[PropertyKind]) -> Result<Vec<End>, String> {
    let text = |unit| {
        let mut text = program.text(unit, Reader::Interpreter, Assertion::None);
        if unit == 0 {
            text = text.replace("int r = entry();", "int r = entry(); printf(\"%d\", r);");
            text.insert_str(0, "int printf(const char *, ...); ");
        }
        text
    };
    let Lowered { sources, pool, program: lowered } =
        lower((0..program.units.len()).map(text).collect(), kinds)?;
    let config = Config { max_steps: 1 << 22, max_memory: 1 << 27, trace: TraceMode::Off };
    let mut interpreter = Interpreter::new(&pool, &lowered, config).map_err(|error| error.to_string())?;
    let ends = program.inputs().into_iter().map(|inputs| {
        let mut oracle = Inputs { values: inputs.iter(), orders: None, printed: None };
        let run = interpreter.run(&mut oracle);
        match (&run.outcome, oracle.printed) {
            (Outcome::Error(property), printed) => {
                let data = &lowered.properties[*property];
                if !run.is_confirmed() {
                    return printed.map_or_else(|| End::Unclear("unconfirmed".to_owned()), End::Value);
                }
                if data.kind == PropertyKind::ValidMemtrack {
                    return End::Error(ErrorAt { unit: 0, line: 0, kind: data.kind });
                }
                let span = run.fault.as_ref().map_or(data.span, |fault| fault.span);
                let Some(position) = sources.presumed(span) else {
                    return End::Unclear("an error without a position".to_owned());
                };
                let unit = position.file.trim_end_matches(".c").parse().unwrap_or(0);
                End::Error(ErrorAt { unit, line: position.line, kind: data.kind })
            }
            (Outcome::Stopped(_) | Outcome::Returned(_), Some(value)) => End::Value(value),
            (Outcome::Unsupported(unsupported), _) => {
                End::Unclear(format!("unsupported: {}", lowered.unsupported[*unsupported].construct))
            }
            (other, _) => End::Unclear(format!("{other:?}")),
        }
    });
    Ok(ends.collect())
}

/// The output of a program without inputs, for each seed of an order of evaluation; without a seed,
/// operands are evaluated from left to right.
///
/// # Errors
/// If the front end rejects the program, or lowers it to an ill-formed one. A run that does not
/// terminate is an error of its own.
pub fn printed(text: String, orders: &[Option<u64>]) -> Result<Vec<Result<i32, String>>, String> {
    let Lowered { pool, program, .. } = lower(vec![text], &[PropertyKind::ReachCall])?;
    let config = Config { max_steps: 1 << 25, max_memory: 1 << 28, trace: TraceMode::Off };
    let mut interpreter = Interpreter::new(&pool, &program, config).map_err(|error| error.to_string())?;
    let runs = orders.iter().map(|seed| {
        let mut oracle = Inputs { values: [].iter(), orders: seed.map(Random::new), printed: None };
        let run = interpreter.run(&mut oracle);
        match (run.outcome, oracle.printed) {
            (Outcome::Stopped(_) | Outcome::Returned(_), Some(value)) => Ok(value),
            (Outcome::Unsupported(unsupported), _) => {
                Err(format!("unsupported: {}", program.unsupported[unsupported].construct))
            }
            (other, _) => Err(format!("{other:?}")),
        }
    });
    Ok(runs.collect())
}
