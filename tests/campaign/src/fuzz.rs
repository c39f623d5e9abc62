//! Fuzz targets: each reader of the project as a function of bytes, which must not panic, overflow
//! the stack or exceed a time limit; and a runner that mutates a corpus on stable Rust.
//!
//! A coverage-guided fuzzer needs only the function (`tests/fuzz` has the targets for libFuzzer).
//! [`mutate`] and [`run_seed`] need only the standard library. A target runs in a child process,
//! which stores its current input in a file, so aborts of any kind are found as well as panics.

use crate::random::Random;
use frontend::c::lower::{Options, lower};
use frontend::c::{sema, types::DataModel};
use frontend::smtlib::Script;
use frontend::spec::{self, Property, Specification};
use grammars::source::SourceMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use terms::TermPool;

/// A reader of the project.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name on the command line.
    pub name: &'static str,
    /// Reads the bytes. The result is ignored.
    pub run: fn(&[u8]),
    /// The file name extensions of the corpus.
    pub extensions: &'static [&'static str],
    /// The keywords of the reader.
    pub words: &'static [&'static str],
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target { name: "c", run: c, extensions: &["c", "i"], words: C_WORDS },
    Target { name: "smtlib", run: smtlib, extensions: &["smt2"], words: SMTLIB_WORDS },
    Target { name: "ir", run: ir_text, extensions: &["ir"], words: IR_WORDS },
    Target { name: "task", run: task, extensions: &["yml"], words: TASK_WORDS },
    Target { name: "property", run: property, extensions: &["prp"], words: PROPERTY_WORDS },
];

const C_WORDS: &[&str] = &[
    "int",
    "unsigned",
    "char",
    "long",
    "double",
    "float",
    "_Bool",
    "struct",
    "union",
    "enum",
    "typedef",
    "static",
    "extern",
    "inline",
    "const",
    "volatile",
    "void",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "return",
    "goto",
    "sizeof",
    "_Alignof",
    "_Alignas",
    "_Generic",
    "_Static_assert",
    "_Complex",
    "__int128",
    "__attribute__((packed))",
    "__attribute__((aligned(16)))",
    "__attribute__((vector_size(16)))",
    "__attribute__((cleanup(f)))",
    "__builtin_offsetof",
    "__builtin_va_arg",
    "__builtin_types_compatible_p",
    "__typeof__",
    "__extension__",
    "__label__",
    "&&",
    "||",
    "->",
    "...",
    "<<",
    ">>",
    "++",
    "--",
    "==",
    "?",
    ":",
    ",",
    ";",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "*",
    "&",
    "=",
    ".",
    "~",
    "!",
    "%",
    "/",
    "0",
    "1",
    "-1",
    "2147483647",
    "18446744073709551615",
    "0x",
    "1e400",
    "1.0f",
    "'a'",
    "L'\\xff'",
    "\"s\"",
    "u8\"x\"",
    "[0]",
    "[n]",
    "[-1]",
    ":0",
    ":3",
    "({ 1; })",
    "(int){ 0 }",
    "{ 0 }",
    "{ .a = 1 }",
    "{ [2] = 1 }",
    "main",
    "malloc(1)",
    "free(p)",
    "memcpy(p, q, n)",
    "printf(\"%d\", 1)",
    "__VERIFIER_nondet_int()",
    "reach_error()",
    "asm(\"\")",
    "#line 3 \"x.h\"\n",
    "# 7 \"y.c\" 3\n",
    "a",
    "b",
    "f",
    "p",
    "s",
    "x",
];

const SMTLIB_WORDS: &[&str] = &[
    "(",
    ")",
    "(assert",
    "(check-sat)",
    "(declare-fun",
    "(declare-const",
    "(define-fun",
    "(declare-sort",
    "(define-sort",
    "(push 1)",
    "(pop 1)",
    "(let",
    "(forall",
    "(exists",
    "(!",
    ":named",
    ":pattern",
    "(_ BitVec 8)",
    "(_ BitVec 4294967296)",
    "(Array Int Bool)",
    "Int",
    "Real",
    "Bool",
    "(_ FloatingPoint 8 24)",
    "RoundingMode",
    "#x0f",
    "#b1",
    "1.5",
    "0",
    "123456789012345678901234567890",
    "true",
    "false",
    "ite",
    "=",
    "distinct",
    "and",
    "or",
    "not",
    "=>",
    "xor",
    "+",
    "-",
    "*",
    "div",
    "mod",
    "abs",
    "/",
    "to_real",
    "to_int",
    "<",
    "bvadd",
    "bvudiv",
    "bvsrem",
    "bvshl",
    "concat",
    "(_ extract 7 0)",
    "(_ extract 0 7)",
    "(_ zero_extend 3)",
    "(_ repeat 0)",
    "(_ rotate_left 1)",
    "select",
    "store",
    "(as const (Array Int Int))",
    "fp.add",
    "fp.roundToIntegral",
    "(_ to_fp 8 24)",
    "RNE",
    "(_ +oo 8 24)",
    "x",
    "|a b|",
    "\"s\"",
    "(set-logic ALL)",
    "(set-option :produce-models true)",
    "(get-value (x))",
    "(get-interpolants a b)",
    "(reset)",
    ";",
];

const IR_WORDS: &[&str] = &[
    "machine 32",
    "machine 64 slots 40",
    "entry f0",
    "region r0 \"memory\" bytes",
    "region r1 \"x\" scalar i32",
    "object o0 \"b\" size 4 align 4 in f0 regions r0",
    "property p0 reach-call \"x\"",
    "function f0 \"main\" () -> i32 {",
    "}",
    "block b0:",
    "block b1(v2: i32):",
    "v0: i32 =",
    "havoc",
    "input",
    "address-of o0",
    "store r0 [v1] i32 v0",
    "load r0 [v1]",
    "goto b1(#x00000000)",
    "branch",
    "then b1",
    "else b2",
    "switch v3 {",
    "case signed",
    "default b4",
    "error p0",
    "return v3",
    "declare f1 \"puts\" (ptr) -> i32",
    "call f1(v1)",
    "i32",
    "u8",
    "bool",
    "ptr",
    "(bvadd v2 #x00000001)",
    "(let ((?0 v1)) ?0)",
    "@1..2",
    "@none",
    "label",
    "unused v7: i32",
    "shadow \"sizes\" r1",
    "allocate",
    "forget",
    "stop",
    "unsupported",
    "true",
    "#b1",
    "(",
    ")",
];

const TASK_WORDS: &[&str] = &[
    "format_version: '2.0'\n",
    "format_version: \"1.0\"\n",
    "input_files: 'a.c'\n",
    "input_files:\n  - a.c\n",
    "properties:\n",
    "  - property_file: x.prp\n",
    "    expected_verdict: true\n",
    "    subproperty: valid-deref\n",
    "options:\n",
    "  language: C\n",
    "  data_model: ILP32\n",
    "  data_model: LP64\n",
    "&a",
    "*a",
    "[",
    "]",
    "{",
    "}",
    "- ",
    "? ",
    ": ",
    "!!str",
    "|",
    ">",
    "~",
    "'",
    "\"",
    "\\x00",
    "\t",
    "#",
];

const PROPERTY_WORDS: &[&str] = &[
    "CHECK( init(main()), LTL(G ! call(reach_error())) )",
    "CHECK(",
    "init(",
    "main()",
    "LTL(",
    "G ",
    "!",
    "call(",
    "label(ERROR)",
    "overflow",
    "valid-deref",
    "valid-free",
    "valid-memtrack",
    "valid-memcleanup",
    "F end",
    "data-race",
    "FQL(COVER EDGES(@DECISIONEDGE))",
    ")",
    "(",
    ",",
    "\n",
    "&&",
];

/// Parses, checks and lowers a program with all checks, and checks the result and its text form.
///
/// # Panics
/// If there is a bug, which is the purpose of the target.
pub fn c(data: &[u8]) {
    let mut sources = SourceMap::new();
    let Ok(file) = sources.add("fuzz.c", data.to_vec()) else { return };
    let parsed = grammars::c::parse(&sources, file);
    for diagnostic in parsed.diagnostics.iter().take(3) {
        let _ = diagnostic.render(&sources);
    }
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let checked = sema::check(&parsed.unit, sema::Options { model });
        for diagnostic in checked.diagnostics.iter().take(3) {
            let _ = diagnostic.render(&sources);
        }
        if parsed.diagnostics.iter().any(grammars::source::Diagnostic::is_error) || checked.has_errors() {
            return;
        }
        let kinds = program::ssa::PropertyKind::all().filter(|kind| kind.is_of_operation());
        let checks = kinds.map(Property::Check).filter(Property::is_supported).collect();
        for specification in [Specification::default_for_tool(), Specification::new(checks)] {
            let mut pool = TermPool::new();
            let (program, _) = lower(&mut pool, &checked.program, &specification, &Options::new("main"));
            let violations = program::ssa::check::check(&pool, &program);
            assert!(violations.is_empty(), "the lowered program is ill-formed: {violations:?}");
        }
    }
}

/// Reads a script command by command.
pub fn smtlib(data: &[u8]) {
    let mut map = SourceMap::new();
    let Ok(file) = map.add("fuzz.smt2", data.to_vec()) else { return };
    let mut pool = TermPool::new();
    let mut script = Script::new(&map, file);
    let mut errors = 0;
    while let Some(step) = script.next(&mut pool) {
        if let Err(error) = step {
            errors += 1;
            if errors <= 3 {
                let _ = error.render(&map);
            }
        }
    }
}

/// Parses the text form of the IR and checks it; prints a well-formed program and parses it again,
/// which must yield the same text.
///
/// # Panics
/// If there is a bug, which is the purpose of the target.
pub fn ir_text(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut pool = TermPool::new();
    let Ok(program) = program::text::parse_text(&mut pool, &text) else { return };
    if !program::ssa::check::check(&pool, &program).is_empty() {
        return;
    }
    let printed = program::text::print(&pool, &program, None);
    let mut pool = TermPool::new();
    let again = program::text::parse_text(&mut pool, &printed);
    let again = again.unwrap_or_else(|error| panic!("the printed program does not parse: {error}"));
    assert_eq!(printed, program::text::print(&pool, &again, None), "printing is not idempotent");
}

/// Reads a task definition.
pub fn task(data: &[u8]) {
    let _ = spec::parse_task(&String::from_utf8_lossy(data));
}

/// Reads a property file, and determines which of its properties are supported.
pub fn property(data: &[u8]) {
    if let Ok(specification) = Specification::parse(&String::from_utf8_lossy(data)) {
        let _ = (specification.refusal(), specification.checks());
    }
}

/// The files below `folders` that are a corpus of the target, in the order of their names.
#[must_use]
pub fn corpus(target: &Target, folders: &[PathBuf]) -> Vec<Vec<u8>> {
    let mut pending = folders.to_vec();
    let mut files = Vec::new();
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_wanted = path
                .extension()
                .and_then(|extension| extension.to_str())
                .is_some_and(|extension| target.extensions.contains(&extension));
            if path.is_dir() {
                pending.push(path);
            } else if is_wanted {
                files.push(path);
            }
        }
    }
    files.sort();
    let read = files.iter().filter_map(|path| std::fs::read(path).ok());
    let mut corpus: Vec<Vec<u8>> = read.filter(|bytes| bytes.len() < 20_000).collect();
    corpus.push(target.words.join(" ").into_bytes());
    corpus
}

/// Changes an input at a few positions: bytes, words, ranges, splices with another input.
#[must_use]
pub fn mutate(random: &mut Random, target: &Target, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut data = random.pick(corpus).cloned().unwrap_or_default();
    for _ in 0..random.between(1, 6) {
        let at = random.below(data.len() + 1);
        let end = (at + random.below(24)).min(data.len());
        match random.below(10) {
            0 if at < data.len() => data[at] ^= 1 << random.below(8),
            1 => data.insert(
                at,
                *random.pick(b"(){}[];,*&=-+0123456789\"'\\\n #<>?:.~!%^|/\0\xff").unwrap_or(&b'0'),
            ),
            2 | 3 => drop(data.drain(at..end)),
            4 => {
                let copy = data[at..end].to_vec();
                let times = [1, 2, 50][random.below(3)];
                data.splice(at..at, copy.repeat(times));
            }
            5 => {
                let other = random.pick(corpus).cloned().unwrap_or_default();
                let from = random.below(other.len() + 1);
                let to = (from + random.below(200)).min(other.len());
                data.splice(at..at, other[from..to].iter().copied());
            }
            6 => {
                let number = [0, 1, 255, 1 << 31, u64::MAX, 1 << 63][random.below(6)];
                data.splice(at..at, number.to_string().into_bytes());
            }
            _ => {
                let (start, stop) = word_around(&data, at);
                let word = format!(" {} ", random.of(target.words));
                let range = if random.percent(50) { at..at } else { start..stop };
                data.splice(range, word.into_bytes());
            }
        }
    }
    data.truncate(1 << 16);
    data
}

/// The word at a position.
fn word_around(data: &[u8], at: usize) -> (usize, usize) {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let start = data[..at].iter().rposition(|byte| !is_word(byte)).map_or(0, |found| found + 1);
    let end = data[at..].iter().position(|byte| !is_word(byte)).map_or(data.len(), |found| at + found);
    (start, end)
}

/// The time limit of an input; exceeding it is a finding.
pub const SLOW: Duration = Duration::from_secs(10);

/// Runs a target on the input of a seed. The file `current` holds the input in the meantime.
///
/// # Panics
/// If the target panics, or `current` cannot be written.
pub fn run_seed(target: &Target, corpus: &[Vec<u8>], seed: u64, current: &Path) {
    let data = mutate(&mut Random::new(seed), target, corpus);
    std::fs::write(current, &data).expect("the current input can be written");
    (target.run)(&data);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_a_large_stack(work: impl FnOnce() + Send + 'static) {
        let thread =
            std::thread::Builder::new().stack_size(1 << 30).spawn(work).expect("a thread can be started");
        assert!(thread.join().is_ok(), "a target panicked");
    }

    #[test]
    fn targets_do_not_panic_on_mutated_corpora() {
        on_a_large_stack(|| {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
            let folders = ["tests", "examples"].map(|folder| root.join(folder));
            for target in TARGETS {
                let corpus = corpus(target, &folders);
                let mut random = Random::new(1);
                for _ in 0..60 {
                    (target.run)(&mutate(&mut random, target, &corpus));
                }
            }
        });
    }

    #[test]
    fn corpora_are_read_without_errors() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let corpus = |name: &str| {
            let target = TARGETS.iter().find(|target| target.name == name).expect("a target");
            corpus(target, &[root.join("corpus")])
        };
        let texts = |name: &str| {
            corpus(name)
                .into_iter()
                .map(|bytes| String::from_utf8(bytes).expect("a text"))
                .collect::<Vec<_>>()
        };
        let (last, tasks) =
            texts("task").split_last().map(|(last, rest)| (last.clone(), rest.to_vec())).expect("words");
        assert!(!tasks.is_empty() && spec::parse_task(&last).is_err());
        assert!(tasks.iter().all(|text| spec::parse_task(text).is_ok()));
        let properties = texts("property");
        assert!(properties.len() > 2);
        assert!(properties[..properties.len() - 1].iter().all(|text| Specification::parse(text).is_ok()));
        let programs = texts("ir");
        assert!(programs.len() > 1);
        for text in &programs[..programs.len() - 1] {
            assert!(program::text::parse_text(&mut TermPool::new(), text).is_ok(), "{text}");
        }
    }
}
