//! Random programs over floats: they assert the results of gcc, and the tool must agree, by running
//! the program, and by solving it with operands that are inputs assumed to have their values.
//!
//! `HORNWORK_FLOATS=FIRST..END` selects other seeds.

use hornwork_tests::{cases, run};
use std::fmt::Write;
use std::ops::Range;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 24
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

/// The source of operand values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operands {
    Constants,
    /// Inputs with the same values.
    Inputs,
}

/// Types, each with the first letter of the names of its variables.
const TYPES: [(&str, char); 5] =
    [("float", 'f'), ("double", 'd'), ("long double", 'l'), ("int", 'i'), ("unsigned long", 'u')];

const VALUES: [&str; 16] = [
    "0.0",
    "-0.0",
    "1.0",
    "-1.5",
    "0.1",
    "3.0",
    "1e10",
    "-1e-5",
    "16777217.0",
    "0x1p-149",
    "1e-310",
    "3e38",
    "1e300",
    "2.5",
    "-7.75",
    "4294967296.5",
];

/// The statements of a program, determined by the seed.
struct Program {
    inputs: String,
    constants: String,
    body: String,
}

fn program(seed: u64, statements: usize) -> Program {
    let mut noise = Noise(seed);
    let (mut inputs, mut constants, mut body) = (String::new(), String::new(), String::new());
    for (ty, letter) in TYPES {
        for index in 0..3 {
            let value = match letter {
                'i' => format!("{}", noise.next() as i32 >> (noise.next() % 31)),
                'u' => format!("{}UL", (noise.next() << 24 | noise.next()) >> (noise.next() % 60)),
                _ => noise.pick(&VALUES).to_string(),
            };
            let _ = writeln!(constants, "  {ty} {letter}{index} = {value};");
            let nondet = ty.replace("unsigned long", "ulong").replace("long double", "double");
            let _ = match letter {
                // Tasks have no inputs of this type.
                'l' => writeln!(inputs, "  {ty} {letter}{index} = {value};"),
                'f' | 'd' => writeln!(
                    inputs,
                    "  {ty} {letter}{index} = __VERIFIER_nondet_{nondet}(); {{ {ty} c = {value}; \
                     assume({letter}{index} == c && !__builtin_signbit({letter}{index}) == !__builtin_signbit(c)); }}"
                ),
                _ => writeln!(
                    inputs,
                    "  {ty} {letter}{index} = __VERIFIER_nondet_{nondet}(); assume({letter}{index} == {value});"
                ),
            };
        }
    }
    for _ in 0..statements {
        let to = TYPES[noise.below(5)].1;
        let expression = expression(&mut noise, 2);
        let index = noise.below(3);
        let _ = writeln!(body, "  {to}{index} = {expression};");
        let _ = match to {
            'f' | 'd' => writeln!(body, "  put({to}{index});"),
            'l' => writeln!(body, "  put({to}{index}); put({to}{index} - (double){to}{index});"),
            _ => writeln!(body, "  hash = (hash ^ {to}{index}) * 1099511628211UL;"),
        };
    }
    Program { inputs, constants, body }
}

/// An expression over floats; integers occur as operands of conversions.
fn expression(noise: &mut Noise, depth: usize) -> String {
    if depth == 0 {
        let letter = noise.pick(&["f", "f", "d", "d", "l", "i", "u"]);
        return format!("{letter}{}", noise.below(3));
    }
    let a = expression(noise, depth - 1);
    let b = expression(noise, depth - 1);
    match noise.below(16) {
        0 | 1 => format!("({a} + {b})"),
        2 | 3 => format!("({a} - {b})"),
        4 | 5 => format!("({a} * 1.0f * {b})"),
        6 => format!("({a} / (1.0f * {b}))"),
        7 => format!("(float)({a} + 0.5f)"),
        8 => format!("(double)({a})"),
        9 => format!("-({a})"),
        10 => format!("({a} {} {b} ? {a} : {b})", noise.pick(&["<", "<=", "==", "!=", ">", ">="])),
        11 => format!("(int)({a} * 1.0)"),
        12 => format!("sqrt({a})"),
        13 => {
            let function = noise.pick(&["floor", "ceil", "trunc", "round", "rint", "fabs"]);
            format!("{function}{}({a})", noise.pick(&["", "f"]))
        }
        14 => format!("{}({a}, {b})", noise.pick(&["fmin", "fmax", "fdim", "fmaxf", "fminf"])),
        _ => format!("(({a}) {} {b})", noise.pick(&["<", "<=", "==", "!=", ">", ">="])),
    }
}

fn text(program: &Program, operands: Operands, end: &str) -> String {
    let start = match operands {
        Operands::Constants => &program.constants,
        Operands::Inputs => &program.inputs,
    };
    let mut names = String::new();
    for name in ["sqrt", "floor", "ceil", "trunc", "round", "rint", "fabs"] {
        let _ = writeln!(names, "double {name}(double); float {name}f(float);");
    }
    for name in ["fmin", "fmax", "fdim"] {
        let _ = writeln!(names, "double {name}(double, double); float {name}f(float, float);");
    }
    format!(
        "int printf(const char *, ...);\nvoid reach_error(void);\nfloat __VERIFIER_nondet_float(void);\n\
         double __VERIFIER_nondet_double(void);\nint __VERIFIER_nondet_int(void);\nunsigned long __VERIFIER_nondet_ulong(void);\n\
         void exit(int);\nstatic void assume(int c) {{ if (!c) exit(0); }}\n{names}\
         static unsigned long hash = 14695981039346656037UL;\n\
         static void put(double x) {{\n  union {{ double x; unsigned long bits; }} u;\n  u.x = x;\n  \
         // NaN has many patterns.\n  hash = (hash ^ (x == x ? u.bits : 7)) * 1099511628211UL;\n}}\n\
         int main(void) {{\n{start}{}  {end}\n  return 0;\n}}\n",
        program.body
    )
}

fn compare(folder: &Path, seed: u64, statements: usize, operands: Operands) {
    let program = program(seed, statements);
    let (source, binary) = (folder.join(format!("{seed}.c")), folder.join(format!("{seed}.exe")));
    let printing = text(&program, Operands::Constants, "printf(\"%lu\\n\", hash);");
    // gcc leaves a body to `reach_error`, which is not called here, to the linker.
    std::fs::write(&source, printing).expect("the folder is writable");
    let limit = Duration::from_secs(120);
    let compiled = run(
        Command::new("cc")
            .args(["-w", "-O0", "-ffp-contract=off", "-fno-builtin", "-o"])
            .arg(&binary)
            .arg(&source)
            .arg("-lm"),
        limit,
    );
    assert_eq!(compiled.code, Some(0), "{}", compiled.err);
    let hash = run(&mut Command::new(&binary), limit).out;
    let asserting = text(&program, operands, &format!("if (hash != {}UL) reach_error();", hash.trim()));
    std::fs::write(&source, &asserting).expect("the folder is writable");
    let verified = run(
        Command::new(env!("CARGO_BIN_EXE_hornwork-under-test"))
            .args(["verify", "--timelimit", "100"])
            .arg(&source),
        limit,
    );
    assert_eq!(verified.last_line(), "TRUE", "seed {seed}: {}{}\n{asserting}", verified.out, verified.err);
}

fn seeds(default: Range<u64>) -> Range<u64> {
    let chosen = std::env::var("HORNWORK_FLOATS").ok().and_then(|text| {
        let (first, end) = text.split_once("..")?;
        Some(first.parse().ok()?..end.parse().ok()?)
    });
    chosen.unwrap_or(default)
}

#[test]
fn programs_over_floats_compute_what_gcc_computes() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    for seed in seeds(0..40) {
        compare(folder.path(), seed, 60, Operands::Constants);
    }
}

#[test]
fn solvers_compute_what_gcc_computes() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    for seed in seeds(1000..1008) {
        compare(folder.path(), seed, 8, Operands::Inputs);
    }
}

/// The circuits agree with SMT-LIB's theory of floats.
#[test]
fn the_theory_of_floats_gives_the_verdicts_of_the_circuits() {
    let mut decided = 0;
    for case in cases().into_iter().filter(|case| case.name.starts_with("float/")) {
        let verified = run(
            Command::new(env!("CARGO_BIN_EXE_hornwork-under-test"))
                .args(["verify", "--floats", "theory", "--solver", "cvc5", "--timelimit", "10"])
                .args(&case.options)
                .arg(&case.path),
            Duration::from_secs(120),
        );
        let verdict = verified.last_line();
        let is_unknown = verdict.starts_with("UNKNOWN");
        assert!(is_unknown || verdict == case.verdict, "{}: {verdict}", case.name);
        decided += usize::from(!is_unknown);
    }
    assert!(decided > 6, "only {decided} cases were decided");
}
