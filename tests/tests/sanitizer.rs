//! Random integer arithmetic against gcc's undefined-behavior sanitizer: the interpreter stops at
//! the first error that the compiled program reports, with the same line and kind; without an error
//! both compute the same values.
//!
//! Kinds: the sanitizer's "cannot be represented" is a signed overflow, and its other messages
//! about shifts are shift errors. If both operands of an operator fail, C leaves the order
//! unspecified: then the first error of the sanitizer must be found when only its kind is checked.
//! gcc computes values that are later truncated to a narrow type in unsigned types, so narrow
//! variables are not updated by `+=`, `-=`, `*=`.
//!
//! `HORNWORK_SANITIZER=COUNT` is the number of seeds; each is 60 functions.

use frontend::c::lower::{Options, lower};
use frontend::c::{hir, sema, types::DataModel};
use frontend::spec::{Property, Specification};
use grammars::source::SourceMap;
use hornwork_tests::run;
use program::interp::{
    Answer, Config, ExternalCall, Interpreter, ObjectRequest, Oracle, Outcome, TraceMode, ValueRequest,
};
use program::ssa::PropertyKind;
use std::fmt::Write;
use std::process::Command;
use std::time::Duration;
use terms::{TermPool, Value};

const KINDS: [PropertyKind; 3] =
    [PropertyKind::SignedOverflow, PropertyKind::DivisionByZero, PropertyKind::Shift];

const BEGINNING: &str = "int printf(const char *, ...);
int as_int(int x) { return x; }
unsigned as_unsigned(unsigned x) { return x; }
long as_long(long x) { return x; }
";

/// Variables of each function: name and type.
const VARIABLES: [(&str, &str); 10] = [
    ("a", "int"),
    ("b", "int"),
    ("c", "signed char"),
    ("d", "short"),
    ("e", "unsigned char"),
    ("f", "unsigned"),
    ("g", "long"),
    ("h", "unsigned long"),
    ("s.i", "int"),
    ("s.j", "unsigned"),
];

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).expect("a small number")
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    fn variable(&mut self) -> &'static str {
        VARIABLES[self.below(VARIABLES.len())].0
    }

    fn constant(&mut self) -> &'static str {
        self.of(&[
            "0",
            "1",
            "2",
            "(-1)",
            "3",
            "7",
            "31",
            "32",
            "100",
            "65536",
            "2147483647",
            "(-2147483647-1)",
            "40u",
        ])
    }

    fn operand(&mut self, depth: u32) -> String {
        match self.below(5) {
            0 => self.constant().to_owned(),
            _ => self.unknown(depth),
        }
    }

    /// A variable, or a deeper expression that gcc does not fold. gcc drops operations on constants
    /// and operations with unused results, and computes values that are later truncated in unsigned
    /// types.
    fn unknown(&mut self, depth: u32) -> String {
        if depth == 0 || self.below(2) == 0 {
            return self.variable().to_owned();
        }
        let identity = self.of(&["as_int", "as_int", "as_unsigned", "as_long"]);
        format!("{identity}(as_long({}))", self.expression(depth))
    }

    fn expression(&mut self, depth: u32) -> String {
        let depth = depth.saturating_sub(1);
        match self.below(14) {
            0 => format!("-{}", self.unknown(depth)),
            1 => format!("~{}", self.unknown(depth)),
            2 => {
                let ty = self.of(&["int", "long", "short", "unsigned", "signed char", "_Bool"]);
                format!("({ty}){}", self.operand(depth))
            }
            3 => {
                let condition = self.condition(depth);
                format!("({condition} ? {} : {})", self.operand(depth), self.operand(depth))
            }
            4 => self.condition(depth),
            5 => format!("{} << {}", self.unknown(depth), self.amount()),
            13 => format!("{} << {}", self.constant(), self.variable()),
            6 => format!("{} >> {}", self.unknown(depth), self.amount()),
            _ => {
                let op = self.of(&["+", "-", "*", "/", "%", "+", "-", "*", "&", "|", "^"]);
                match self.below(2) {
                    0 => format!("{} {op} {}", self.operand(depth), self.unknown(depth)),
                    _ => format!("{} {op} {}", self.unknown(depth), self.operand(depth)),
                }
            }
        }
    }

    fn amount(&mut self) -> String {
        match self.below(4) {
            0 => self.variable().to_owned(),
            1 => format!("({} & 31)", self.variable()),
            2 => format!("({} & 63)", self.variable()),
            _ => self.of(&["1", "5", "30", "31", "15"]).to_owned(),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        let op = self.of(&["<", "<=", "==", "!=", "&&", "||", "&&", "||"]);
        format!("({} {op} {})", self.unknown(depth), self.operand(depth))
    }

    fn statement(&mut self) -> String {
        let target = self.variable();
        match self.below(10) {
            0 => format!("{target}++;"),
            1 => format!("--{target};"),
            2 | 3 => {
                let is_wide = matches!(target, "a" | "b" | "f" | "g" | "h");
                let op = match is_wide {
                    true => self.of(&["+=", "-=", "*=", "/=", "%=", "<<=", ">>="]),
                    false => self.of(&["/=", "%=", "<<=", ">>="]),
                };
                format!("{target} {op} {};", self.operand(2))
            }
            4 => format!("if ({}) {target} = {};", self.condition(2), self.operand(1)),
            _ => format!("{target} = as_long({});", self.expression(3)),
        }
    }

    fn function(&mut self, name: &str, text: &mut String) {
        let _ = writeln!(text, "void {name}(void) {{");
        let _ = writeln!(text, "  struct {{ int i : 7; unsigned j : 5; }} s = {{ 5, 3 }};");
        for (variable, ty) in VARIABLES.iter().filter(|(name, _)| !name.contains('.')) {
            let value = match self.below(4) {
                0 => self.constant().to_owned(),
                1 => self.below(100).to_string(),
                _ => format!("(int){}u", self.next() as u32),
            };
            let _ = writeln!(text, "  {ty} {variable} = {value};");
        }
        for _ in 0..6 {
            let statement = self.statement();
            let _ = writeln!(text, "  {statement}");
        }
        for (variable, _) in VARIABLES {
            let _ = writeln!(text, "  printf(\"%ld\\n\", (long){variable});");
        }
        text.push_str("}\n");
    }
}

/// The end of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
enum End {
    Error { line: u32, kind: PropertyKind },
    Values(Vec<i64>),
}

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
        if call.name == "printf" {
            let value = call.arguments.last().and_then(Value::as_bv).expect("a number is printed");
            self.0.push(value.to_i64().expect("a long"));
        }
    }
}

fn interpret(map: &SourceMap, program: &hir::Program, function: &str, kinds: &[PropertyKind]) -> End {
    let specification = Specification::new(kinds.iter().copied().map(Property::Check).collect());
    assert_eq!(specification.refusal(), None);
    let mut pool = TermPool::new();
    let (program, _) = lower(&mut pool, program, &specification, &Options::new(function));
    let violations = program::ssa::check::check(&pool, &program);
    assert!(violations.is_empty(), "{violations:?}");
    let config = Config { max_steps: 1 << 20, max_memory: 1 << 24, trace: TraceMode::Off };
    let mut printed = Printed::default();
    let run = Interpreter::new(&pool, &program, config).expect("there are few objects").run(&mut printed);
    match run.outcome {
        Outcome::Error(property) => {
            let data = &program.properties[property];
            let position = map.presumed(data.span).expect("an error site has a position");
            End::Error { line: position.line, kind: data.kind }
        }
        Outcome::Stopped(_) | Outcome::Returned(_) => End::Values(printed.0),
        other => panic!("{function}: {other:?}"),
    }
}

/// The report of the sanitizer, or the output.
fn sanitized(out: &str, err: &str) -> End {
    let Some((place, message)) = err.split_once(": runtime error: ") else {
        return End::Values(out.lines().map(|line| line.parse().expect("a number")).collect());
    };
    let line = place.split(':').nth(1).and_then(|line| line.parse().ok()).expect("a line");
    let kind = match message {
        _ if message.starts_with("division by zero") => PropertyKind::DivisionByZero,
        _ if message.contains("cannot be represented") => PropertyKind::SignedOverflow,
        _ if message.contains("shift") => PropertyKind::Shift,
        _ => panic!("another error: {err}"),
    };
    End::Error { line, kind }
}

fn compare(seed: u64, functions: usize) {
    let mut random = Random(seed);
    let mut text = BEGINNING.to_owned();
    for index in 0..functions {
        random.function(&format!("f{index}"), &mut text);
    }
    let mut main = "int main(int argc, char **argv) {\n  switch (argc - 1) {\n".to_owned();
    for index in 0..functions {
        let _ = writeln!(main, "  case {index}: f{index}(); break;");
    }
    main.push_str("  }\n  return 0;\n}\n");

    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let (source, binary) = (folder.path().join("random.c"), folder.path().join("random.exe"));
    std::fs::write(&source, format!("{text}{main}")).expect("a file can be written");
    let limit = Duration::from_secs(120);
    let compiled = run(
        Command::new("cc")
            .args(["-w", "-O0", "-std=gnu11", "-fsanitize=undefined", "-fno-sanitize-recover=all"])
            .arg(&source)
            .arg("-o")
            .arg(&binary),
        limit,
    );
    assert_eq!(compiled.code, Some(0), "{}", compiled.err);

    let mut map = SourceMap::new();
    let file = map.add("random.c", text.clone().into_bytes()).expect("the program is small");
    let parsed = grammars::c::parse(&map, file);
    assert!(parsed.diagnostics.iter().all(|found| !found.is_error()), "{:?}", parsed.diagnostics);
    let checked = sema::check(&parsed.unit, sema::Options { model: DataModel::Lp64 });
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);

    let mut errors = 0;
    for index in 0..functions {
        let executed = run(Command::new(&binary).args(std::iter::repeat_n("x", index)), limit);
        let expected = sanitized(&executed.out, &executed.err);
        let name = format!("f{index}");
        let mut found = interpret(&map, &checked.program, &name, &KINDS);
        if let (End::Error { line, kind }, End::Error { line: here, kind: other }) = (&expected, &found)
            && line == here
            && kind != other
        {
            found = interpret(&map, &checked.program, &name, &[*kind]);
        }
        errors += usize::from(matches!(expected, End::Error { .. }));
        let listing: String = text.lines().enumerate().fold(String::new(), |mut listing, (number, line)| {
            let _ = writeln!(listing, "{:4} {line}", number + 1);
            listing
        });
        assert_eq!(found, expected, "seed {seed}, {name}: {}\n{listing}", executed.err);
    }
    assert!(errors > functions / 4 && errors < functions, "{errors} of {functions} functions have errors");
}

#[test]
fn arithmetic_fails_where_the_sanitizer_says_so() {
    let seeds = std::env::var("HORNWORK_SANITIZER").ok().and_then(|seeds| seeds.parse().ok());
    for seed in 0..seeds.unwrap_or(4) {
        compare(seed, 60);
    }
}
