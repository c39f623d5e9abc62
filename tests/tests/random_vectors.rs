//! Random programs over vectors and x86 instructions: they assert the results of gcc, and the tool
//! must agree, by running the program, and by solving it with operands that are inputs assumed to
//! have their values. The headers that declare the intrinsics must type-check.
//!
//! The operations are in `programs/vectors.txt`. `HORNWORK_VECTORS=FIRST..END` selects other seeds.

#![expect(clippy::print_stdout, reason = "the output of the test reports skipped parts")]

use hornwork_tests::{package, run};
use std::fmt::Write;
use std::ops::Range;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(120);

/// The options with which gcc compiles the operations; the processor must support them.
const TARGET: [&str; 5] = ["-mavx2", "-mbmi", "-mbmi2", "-mlzcnt", "-mpopcnt"];
const FEATURES: [&str; 5] = ["avx2", "bmi1", "bmi2", "abm", "popcnt"];

const START: &str = "
#include <immintrin.h>
#include <stdarg.h>
#include <string.h>
extern void reach_error(void);
extern void abort(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
typedef signed char v16qi __attribute__((vector_size(16)));
typedef unsigned char v16qu __attribute__((vector_size(16)));
typedef short v8hi __attribute__((vector_size(16)));
typedef unsigned short v8hu __attribute__((vector_size(16)));
typedef int v4si __attribute__((vector_size(16)));
typedef unsigned v4su __attribute__((vector_size(16)));
typedef long long v2di __attribute__((vector_size(16)));
typedef float v4sf __attribute__((vector_size(16)));
typedef double v2df __attribute__((vector_size(16)));
typedef short v4hi __attribute__((vector_size(8)));
typedef unsigned short v4hu __attribute__((vector_size(8)));
typedef signed char v8qi __attribute__((vector_size(8)));
static __m128i choose(int n, ...) {
  va_list list;
  va_start(list, n);
  __m128i a = va_arg(list, __m128i), b = va_arg(list, __m128i);
  va_end(list);
  return n & 1 ? a : b;
}
static unsigned char bytes[64] = {1, 2, 3, 250, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 200};
";

struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 24
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// A number of 64 bits, often with boundary values in some of its elements.
    fn number(&mut self) -> u64 {
        const ENDS: [u64; 10] = [0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000];
        match self.below(4) {
            0 => ENDS[self.below(10)],
            1 => u64::MAX << self.below(64),
            2 => (0..4).fold(0, |number, _| number << 16 | ENDS[self.below(8)]),
            _ => self.next() << 32 ^ self.next(),
        }
    }
}

/// A type of the variables: its letter, its name in C, and its size in numbers of 64 bits.
const TYPES: [(char, &str, usize); 5] = [
    ('i', "__m128i", 2),
    ('v', "__m256i", 4),
    ('x', "unsigned long long", 1),
    ('f', "__m128", 2),
    ('d', "__m128d", 2),
];

/// The operations of the list: the letter of the result, the expression.
fn operations() -> Vec<(char, String)> {
    let list = std::fs::read_to_string(package().join("programs/vectors.txt")).expect("the list is readable");
    let lines = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (letter, expression) = line.split_once(' ').expect("a line has two parts");
            (letter.chars().next().expect("a letter"), expression.to_owned())
        })
        .collect()
}

/// The source of operand values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operands {
    Constants,
    /// Inputs with the same values.
    Inputs,
}

/// The statements of a program, determined by the seed.
struct Program {
    inputs: String,
    constants: String,
    body: String,
    /// Names and letters of the variables that the body computes.
    results: Vec<(String, char)>,
}

fn program(seed: u64, operations: &[(char, String)], statements: usize) -> Program {
    let mut noise = Noise(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ seed);
    let (mut inputs, mut constants) = (String::new(), String::new());
    let mut known: Vec<(String, char)> = Vec::new();
    for index in 0..10 {
        let name = format!("n{index}");
        let number = noise.number();
        let _ = writeln!(constants, "  unsigned long long {name} = {number:#x}ULL;");
        let _ = writeln!(
            inputs,
            "  unsigned long long {name} = __VERIFIER_nondet_ulonglong(); if ({name} != {number:#x}ULL) abort();"
        );
    }
    let mut body = String::new();
    for (index, value) in
        ["_mm_set_epi64x(n0, n1)", "_mm_set_epi64x(n2, n3)", "_mm_set_epi64x(n4, n1)"].iter().enumerate()
    {
        let _ = writeln!(body, "  __m128i i{index} = {value};");
        known.push((format!("i{index}"), 'i'));
    }
    for (index, value) in
        ["_mm256_set_epi64x(n0, n5, n6, n7)", "_mm256_set_epi64x(n8, n9, n2, n1)"].iter().enumerate()
    {
        let _ = writeln!(body, "  __m256i v{index} = {value};");
        known.push((format!("v{index}"), 'v'));
    }
    body.push_str(
        "  __m128 f0 = _mm_set_ps(1.5f, (signed char)n0, -0.0f, (short)n1), f1 = _mm_set_ps(-2.25f, 0, 7, (short)n2);\n  \
         __m128d d0 = _mm_set_pd((int)n3, 0.1), d1 = _mm_set_pd(-0.0, (short)n4);\n",
    );
    for name in ["f0", "f1", "d0", "d1", "n0", "n5", "n8"] {
        let letter = name.chars().next().expect("a letter");
        known.push((name.to_owned(), if letter == 'n' { 'x' } else { letter }));
    }
    let mut results = Vec::new();
    for index in 0..statements {
        let (letter, expression) = &operations[noise.below(operations.len())];
        let ty = TYPES.iter().find(|ty| ty.0 == *letter).expect("the list has known letters").1;
        let name = format!("r{index}");
        let _ = writeln!(body, "  {ty} {name} = {};", filled(expression, &known, &mut noise));
        known.push((name.clone(), *letter));
        results.push((name, *letter));
    }
    Program { inputs, constants, body, results }
}

/// The expression with its letters replaced by variables and numbers.
fn filled(expression: &str, known: &[(String, char)], noise: &mut Noise) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in expression.chars().chain(std::iter::once(' ')) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        let letter = match word.as_str() {
            "A" | "B" | "C" => Some('i'),
            "V" | "W" | "X" => Some('v'),
            "x" | "y" => Some('x'),
            "F" | "G" => Some('f'),
            "D" | "E" => Some('d'),
            _ => None,
        };
        match (letter, word.as_str()) {
            (Some(letter), _) => {
                let choices: Vec<&String> =
                    known.iter().filter(|(_, ty)| *ty == letter).map(|(name, _)| name).collect();
                out.push_str(choices[noise.below(choices.len())]);
            }
            (None, "n") => {
                let _ = write!(out, "{}", noise.below(71));
            }
            (None, "k") => {
                let _ = write!(out, "{}", noise.below(256));
            }
            (None, other) => out.push_str(other),
        }
        word.clear();
        out.push(c);
    }
    out.trim_end().to_owned()
}

fn text(program: &Program, operands: Operands, end: &str) -> String {
    let start = match operands {
        Operands::Constants => &program.constants,
        Operands::Inputs => &program.inputs,
    };
    let mut hashed = String::new();
    for (name, letter) in &program.results {
        let size = TYPES.iter().find(|ty| ty.0 == *letter).expect("a type").2;
        let float = match letter {
            'f' => format!(" for (int i = 0; i < 4; i++) if ({name}[i] != {name}[i]) {name}[i] = 1;"),
            'd' => format!(" for (int i = 0; i < 2; i++) if ({name}[i] != {name}[i]) {name}[i] = 1;"),
            _ => String::new(),
        };
        let _ = writeln!(
            hashed,
            "  {{{float} unsigned long long w[{size}]; memcpy(w, &{name}, sizeof w); \
             for (int i = 0; i < {size}; i++) hash = (hash << 7 ^ hash >> 57 ^ w[i]) + 0x9e3779b97f4a7c15ULL; }}"
        );
    }
    format!(
        "{START}int printf(const char *, ...);\nint main(void) {{\n{start}{}  \
         unsigned long long hash = 0;\n{hashed}  for (int i = 0; i < 64; i++) hash = (hash << 7 ^ hash >> 57) + bytes[i];\n  \
         {end}\n  return 0;\n}}\n",
        program.body
    )
}

/// Whether this machine can execute the compiled operations.
fn runs_here() -> bool {
    let about = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let flags = about.lines().find(|line| line.starts_with("flags")).unwrap_or_default();
    let has_all = FEATURES.iter().all(|feature| flags.split_whitespace().any(|flag| flag == *feature));
    if !has_all {
        println!("skipped: the processor does not have {}", FEATURES.join(", "));
    }
    has_all
}

fn verify(source: &Path, options: &[&str]) -> hornwork_tests::Run {
    run(
        Command::new(env!("CARGO_BIN_EXE_hornwork-under-test"))
            .args(["verify", "--algorithm", "bmc", "--timelimit", "60"])
            .args(options)
            .arg(source),
        LIMIT,
    )
}

fn compare(folder: &Path, seed: u64, operations: &[(char, String)], statements: usize, operands: Operands) {
    let program = program(seed, operations, statements);
    let (source, binary) = (folder.join(format!("{seed}.c")), folder.join(format!("{seed}.exe")));
    let printing = text(&program, Operands::Constants, "printf(\"%llu\\n\", hash);");
    std::fs::write(&source, &printing).expect("the folder is writable");
    let compiled =
        run(Command::new("cc").args(["-w", "-O0"]).args(TARGET).arg("-o").arg(&binary).arg(&source), LIMIT);
    assert_eq!(compiled.code, Some(0), "{}\n{printing}", compiled.err);
    let hash = run(&mut Command::new(&binary), LIMIT).out;
    for (comparison, verdict) in [("!=", "TRUE"), ("==", "FALSE(unreach-call)")] {
        let end = format!("if (hash {comparison} {}ULL) reach_error();", hash.trim());
        let asserting = text(&program, operands, &end);
        std::fs::write(&source, &asserting).expect("the folder is writable");
        let verified = verify(&source, &[]);
        assert_eq!(
            verified.last_line(),
            verdict,
            "seed {seed}: {}{}\n{asserting}",
            verified.out,
            verified.err
        );
    }
}

fn seeds(default: Range<u64>) -> Range<u64> {
    let chosen = std::env::var("HORNWORK_VECTORS").ok().and_then(|text| {
        let (first, end) = text.split_once("..")?;
        Some(first.parse().ok()?..end.parse().ok()?)
    });
    chosen.unwrap_or(default)
}

#[test]
fn programs_over_vectors_compute_what_gcc_computes() {
    if !runs_here() {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let operations = operations();
    for seed in seeds(0..8) {
        compare(folder.path(), seed, &operations, 60, Operands::Constants);
    }
}

#[test]
fn solvers_compute_on_vectors_what_gcc_computes() {
    if !runs_here() {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let mut operations = operations();
    operations.retain(|(letter, _)| !matches!(letter, 'f' | 'd'));
    for seed in seeds(1000..1004) {
        compare(folder.path(), seed, &operations, 8, Operands::Inputs);
    }
}

/// The headers of intrinsics, each alone, then all at once.
#[test]
fn the_headers_of_intrinsics_are_understood() {
    const HEADERS: [&str; 10] = [
        "mmintrin.h",
        "xmmintrin.h",
        "emmintrin.h",
        "pmmintrin.h",
        "tmmintrin.h",
        "smmintrin.h",
        "nmmintrin.h",
        "wmmintrin.h",
        "immintrin.h",
        "x86intrin.h",
    ];
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let source = folder.path().join("headers.c");
    let all: Vec<&str> = HEADERS.to_vec();
    let lists = HEADERS.iter().map(std::slice::from_ref).chain(std::iter::once(&all[..]));
    for list in lists {
        let mut text = String::new();
        for header in list {
            let _ = writeln!(text, "#include <{header}>");
        }
        std::fs::write(&source, format!("{text}int main(void) {{ return 0; }}\n")).expect("writable");
        for (model, width) in [("LP64", "-m64"), ("ILP32", "-m32")] {
            let preprocessed = run(Command::new("cc").args(["-E", width]).arg(&source), LIMIT);
            if preprocessed.code != Some(0) {
                println!("skipped: {list:?} for {width}: {}", preprocessed.err);
                continue;
            }
            let verified = verify(&source, &["--data-model", model]);
            let (out, err) = (&verified.out, &verified.err);
            assert_eq!(verified.last_line(), "TRUE", "{list:?} for {model}: {out}{err}");
        }
    }
}

/// The unsupported construct is the call in the program, and only where it is reached.
#[test]
fn an_unknown_intrinsic_is_unsupported_at_the_line_that_calls_it() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let source = folder.path().join("unknown.c");
    let text = "#include <wmmintrin.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  \
                __m128i state = _mm_setzero_si128();\n  if (CONDITION)\n    state = _mm_aesenc_si128(state, state);\n  \
                return _mm_cvtsi128_si32(state);\n}\n";
    if run(Command::new("cc").args(["-E", "-include", "wmmintrin.h", "-xc", "/dev/null"]), LIMIT).code
        != Some(0)
    {
        println!("skipped: there is no wmmintrin.h");
        return;
    }
    for (condition, verdict) in [("0", "TRUE"), ("__VERIFIER_nondet_int()", "UNKNOWN")] {
        std::fs::write(&source, text.replace("CONDITION", condition)).expect("the folder is writable");
        let verified = verify(&source, &[]);
        let output = format!("{}{}", verified.out, verified.err);
        assert!(verified.last_line().starts_with(verdict), "{output}");
        if verdict == "UNKNOWN" {
            assert!(output.contains("unknown.c:6"), "{output}");
            assert!(output.contains("_mm_aesenc_si128") && output.contains("aesenc128"), "{output}");
        }
    }
}
