//! Random pointer programs, each with concrete inputs.
//!
//! A program is well defined up to the first error that a sanitizer reports: everything is
//! initialized unless uninitialized reads are the [risk](Risk), operands with side effects have no
//! siblings that observe them, addresses are observed only through equality with null and round
//! trips, and an access that leaves its object stays within the red zones of AddressSanitizer. The
//! compiled program is therefore the ground truth.
//!
//! There are two kinds of inputs. `input_int(v)` is the number `v`, hidden from constant
//! propagation: for the tool it is nondeterministic and assumed to be `v`.
//! `input_range(slot, first, last)` is any of a few numbers: the ground truth is the union of the
//! runs of the compiled program for all of them.
//!
//! Names of file scope have a prefix, so that many programs fit into one file and are compiled at
//! once.

mod expressions;
mod frames;
mod functions;
mod heap;
mod library;
mod scope;
mod statements;
mod types;

use crate::random::Random;
use program::ssa::PropertyKind;
use scope::{Kind, Scope, State, Variable};
use std::fmt::Write;
use types::Record;

/// The placeholder for the prefix of a program in its text.
const PREFIX: char = '@';

/// The first line of each unit, for the tool: declarations of the called functions.
const TOOL_PREAMBLE: &str = concat!(
    "int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int); void reach_error(void); ",
    "static int input_int(int v) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x == v); return x; } ",
    "static int input_range(int slot, int first, int last) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x >= first && x <= last); return x; } ",
);

/// The first line of each unit, for the compiler: inputs come from `main`.
const COMPILER_PREAMBLE: &str = concat!(
    "extern int chosen_inputs[4]; ",
    "static int input_int(int v) { volatile int x = v; return x; } ",
    "static int input_range(int slot, int first, int last) { return chosen_inputs[slot]; } ",
);

/// The first line of each unit, for the interpreter: only ranges are inputs.
const INTERPRETER_PREAMBLE: &str = concat!(
    "int __VERIFIER_nondet_int(void); void reach_error(void); static int input_int(int v) { return v; } ",
    "static int input_range(int slot, int first, int last) { return __VERIFIER_nondet_int(); } ",
);

/// The rest of the first line.
const LIBRARY: &str = concat!(
    "typedef unsigned long size_t; typedef __builtin_va_list va_list; ",
    "void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void free(void *); ",
    "void *memcpy(void *, const void *, size_t); void *memmove(void *, const void *, size_t); void *memset(void *, int, size_t); ",
    "int memcmp(const void *, const void *, size_t); size_t strlen(const char *); char *strcpy(char *, const char *); ",
    "char *strncpy(char *, const char *, size_t); char *strcat(char *, const char *); int strcmp(const char *, const char *); ",
    "int strncmp(const char *, const char *, size_t); char *strchr(const char *, int); int abs(int);\n",
);

/// The kinds of errors that are compared: all, but the first only if it is the risk.
const KINDS: [PropertyKind; 8] = [
    PropertyKind::Uninitialized,
    PropertyKind::ValidDeref,
    PropertyKind::ValidFree,
    PropertyKind::ValidMemtrack,
    PropertyKind::SignedOverflow,
    PropertyKind::DivisionByZero,
    PropertyKind::Shift,
    PropertyKind::Bounds,
];

/// A generated program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The seed that reproduces it.
    pub seed: u64,
    /// The text of each translation unit without its first line, with the placeholder for the
    /// prefix.
    pub units: Vec<String>,
    /// First and last value of each input that is a range.
    pub ranges: Vec<(i32, i32)>,
    /// Which errors it may have.
    pub risk: Risk,
}

/// Which errors a program may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Risk {
    /// Errors of operations; everything is initialized.
    Operations,
    /// Reads of uninitialized variables.
    Initialization,
}

/// The reader of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reader {
    /// The verifier: inputs are nondeterministic.
    Tool,
    /// A C compiler.
    Compiler,
    /// The front end with the interpreter.
    Interpreter,
}

/// The assertion of `main` about the result of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Assertion {
    /// No assertion.
    None,
    /// The result is this number.
    Is(i32),
    /// The result is another number.
    IsNot(i32),
}

impl Program {
    /// The complete text of a unit, with a `main` at the end of the first one.
    #[must_use]
    pub fn text(&self, unit: usize, reader: Reader, assertion: Assertion) -> String {
        let mut text = first_line(reader);
        text.push_str(&self.body(unit, ""));
        if unit == 0 {
            let condition = match assertion {
                Assertion::None => String::new(),
                Assertion::Is(value) => format!(" if (r != {value}) reach_error();"),
                Assertion::IsNot(value) => format!(" if (r == {value}) reach_error();"),
            };
            let _ = writeln!(text, "int main(void) {{ int r = entry();{condition} return 0; }}");
        }
        text
    }

    /// The text of a unit without its first line.
    #[must_use]
    pub fn body(&self, unit: usize, prefix: &str) -> String {
        self.units[unit].replace(PREFIX, prefix)
    }

    /// The kinds of errors that are compared.
    #[must_use]
    pub fn kinds(&self) -> &'static [PropertyKind] {
        match self.risk {
            Risk::Operations => &KINDS[1..],
            Risk::Initialization => &KINDS,
        }
    }

    /// All combinations of the values of the ranges.
    #[must_use]
    pub fn inputs(&self) -> Vec<Vec<i32>> {
        self.ranges.iter().fold(vec![Vec::new()], |all, &(first, last)| {
            all.iter()
                .flat_map(|inputs| {
                    (first..=last).map(|value| inputs.iter().copied().chain([value]).collect::<Vec<i32>>())
                })
                .collect()
        })
    }
}

/// The line that comes before the text of each unit.
#[must_use]
pub fn first_line(reader: Reader) -> String {
    let inputs = match reader {
        Reader::Tool => TOOL_PREAMBLE,
        Reader::Compiler => COMPILER_PREAMBLE,
        Reader::Interpreter => INTERPRETER_PREAMBLE,
    };
    format!("{inputs}{LIBRARY}")
}

/// The program of a seed.
#[must_use]
pub fn generate(seed: u64) -> Program {
    let mut maker = Maker::new(seed);
    maker.program()
}

/// A function that statements may call.
#[derive(Clone, Debug)]
struct Callee {
    name: String,
    shape: Shape,
}

/// Parameters and result of a function.
#[derive(Clone, PartialEq, Debug)]
enum Shape {
    /// `int f(int)`.
    Number,
    /// `int f(T *p, int c)`: `p` points to at least `length` elements.
    Elements { ty: &'static str, length: usize },
    /// `int f(struct S *s)`.
    Record(usize),
    /// `struct S f(struct S s, int c)`.
    Value(usize),
    /// `T *f(T *p, int c)`: a pointer to at least `length` elements, or null.
    Pointer { ty: &'static str, length: usize },
    /// `int f(int n, ...)`: `n` arguments of these types.
    Variadic(Vec<&'static str>),
}

/// Makes the text of a program.
struct Maker {
    random: Random,
    seed: u64,
    risk: Risk,
    /// The probability in percent of an error at a place where an operation may fail.
    chance: u32,
    text: String,
    depth: usize,
    scope: Scope,
    records: Vec<Record>,
    callees: Vec<Callee>,
    names: usize,
    /// The remaining number of statements.
    budget: usize,
    /// The type of the value of a `return` in the current function.
    returns: Returns,
    /// The number of loops around the current statement, in the current function.
    loops: usize,
    ranges: Vec<(i32, i32)>,
}

/// The result of the current function.
#[derive(Clone, PartialEq, Debug)]
enum Returns {
    Number,
    Record(String),
    Pointer,
}

impl Maker {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let risk = if random.percent(12) { Risk::Initialization } else { Risk::Operations };
        let chance = match random.below(10) {
            _ if risk == Risk::Initialization => 0,
            0 | 1 => 0,
            2 | 3 => 3,
            4..=8 => 7,
            _ => 14,
        };
        Maker {
            random,
            seed,
            risk,
            chance,
            text: String::new(),
            depth: 0,
            scope: Scope::default(),
            records: Vec::new(),
            callees: Vec::new(),
            names: 0,
            budget: 0,
            returns: Returns::Number,
            loops: 0,
            ranges: Vec::new(),
        }
    }

    fn line(&mut self, text: impl AsRef<str>) {
        let _ = writeln!(self.text, "{:1$}{2}", "", self.depth * 2, text.as_ref());
    }

    fn open(&mut self, head: impl AsRef<str>) {
        self.line(format!("{} {{", head.as_ref()).trim_start());
        self.depth += 1;
        self.scope.enter();
    }

    fn close(&mut self) {
        self.scope.leave();
        self.depth -= 1;
        self.line("}");
    }

    fn fresh(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn is_risky(&mut self) -> bool {
        let chance = self.chance;
        self.random.percent(chance)
    }

    fn program(&mut self) -> Program {
        let seed = self.seed;
        for _ in 0..self.random.between(1, 2) {
            self.record();
        }
        let types = std::mem::take(&mut self.text);
        let (defined, declared) = self.globals();
        let mut helpers = String::new();
        let mut prototypes = String::new();
        if self.risk == Risk::Initialization {
            prototypes.push_str(&self.setter());
            helpers.push_str(&std::mem::take(&mut self.text));
        }
        for _ in 0..self.random.between(1, 4) {
            prototypes.push_str(&match self.random.below(12) {
                0 => self.variadic(),
                1 => self.recursive(),
                _ => self.helper(),
            });
            helpers.push_str(&std::mem::take(&mut self.text));
        }
        self.entry();
        let entry = std::mem::take(&mut self.text);
        let units = match self.random.percent(12) {
            true => vec![
                format!("{types}{defined}{prototypes}{entry}"),
                format!("{types}{declared}{prototypes}{helpers}"),
            ],
            false => vec![format!("{types}{defined}{prototypes}{helpers}{entry}")],
        };
        Program { seed, units, ranges: std::mem::take(&mut self.ranges), risk: self.risk }
    }

    /// Global variables: their definitions, and declarations for another unit.
    fn globals(&mut self) -> (String, String) {
        let (mut defined, mut declared) = (String::new(), String::new());
        for _ in 0..self.random.between(1, 4) {
            let name = self.fresh("@g");
            let ty = self.integer_type();
            match self.random.below(6) {
                0 | 1 => {
                    let value = self.random.between(0, 20);
                    let _ = writeln!(defined, "{ty} {name} = {value};");
                    let _ = writeln!(declared, "extern {ty} {name};");
                    self.scope.add(name, Kind::Number(ty));
                }
                2 | 3 => {
                    let length = self.random.between(1, 5) as usize;
                    let values: Vec<String> =
                        (0..length).map(|_| self.random.between(0, 9).to_string()).collect();
                    let _ = writeln!(defined, "{ty} {name}[{length}] = {{ {} }};", values.join(", "));
                    let _ = writeln!(declared, "extern {ty} {name}[{length}];");
                    self.scope.add(name, Kind::Array { ty, length });
                }
                4 => {
                    let _ = writeln!(defined, "{ty} *{name};");
                    let _ = writeln!(declared, "extern {ty} *{name};");
                    let state = State::MaybeNull;
                    self.scope.add(name, Kind::Pointer { ty, length: 1, state, is_owner: false });
                }
                _ => {
                    let record = self.random.below(self.records.len());
                    let tag = self.records[record].tag.clone();
                    let _ = writeln!(defined, "{tag} {name};");
                    let _ = writeln!(declared, "extern {tag} {name};");
                    self.scope.add(name, Kind::Record(record));
                }
            }
        }
        (defined, declared)
    }

    fn integer_type(&mut self) -> &'static str {
        self.random.of(&[
            "int",
            "int",
            "int",
            "int",
            "unsigned",
            "long",
            "short",
            "unsigned char",
            "signed char",
            "unsigned short",
            "unsigned long",
            "char",
        ])
    }

    fn entry(&mut self) {
        self.returns = Returns::Number;
        self.open("int @entry(void)");
        for _ in 0..self.random.between(0, 2) {
            let (first, name) = (self.random.between(-1, 2) as i32, self.fresh("r"));
            let last = first + self.random.between(1, 3) as i32;
            let slot = self.ranges.len();
            self.ranges.push((first, last));
            self.line(format!("int {name} = input_range({slot}, {first}, {last});"));
            self.scope.add(name, Kind::Number("int"));
        }
        for _ in 0..self.random.between(1, 3) {
            let (name, value) = (self.fresh("i"), self.random.between(0, 9));
            self.line(format!("int {name} = input_int({value});"));
            self.scope.add(name, Kind::Number("int"));
        }
        self.line("int acc = 0;");
        self.scope.add("acc".to_owned(), Kind::Number("int"));
        for _ in 0..self.random.between(2, 4) {
            self.declaration();
        }
        self.budget = 8 + self.random.below(22);
        while self.budget > 0 {
            self.statement();
        }
        self.finish();
        self.close();
    }

    /// Frees the owned blocks, and returns.
    fn finish(&mut self) {
        let owned: Vec<Variable> = self.scope.owned();
        for variable in owned {
            let is_leaked = self.is_risky();
            if !is_leaked {
                self.line(format!("free({});", variable.name));
            }
        }
        let value = self.number(1);
        self.line(format!("return (acc + ({value})) & 0xffff;"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_makes_one_program() {
        for seed in 0..50 {
            let (one, other) = (generate(seed), generate(seed));
            assert_eq!(one.units, other.units);
            assert!(one.units[0].contains("entry(void)"));
        }
        assert_ne!(generate(1).units, generate(2).units);
    }

    #[test]
    fn readers_see_the_same_lines() {
        let program = generate(7);
        let text = |reader| program.text(0, reader, Assertion::None);
        let tails = [Reader::Tool, Reader::Compiler, Reader::Interpreter]
            .map(|reader| text(reader).split_once('\n').map(|(_, rest)| rest.to_owned()));
        assert!(tails[0].is_some() && tails[0] == tails[1] && tails[1] == tails[2]);
    }

    #[test]
    fn inputs_are_all_combinations() {
        let program =
            Program { seed: 0, units: Vec::new(), ranges: vec![(0, 1), (3, 4)], risk: Risk::Operations };
        assert_eq!(program.inputs(), [[0, 3], [0, 4], [1, 3], [1, 4]]);
    }
}
