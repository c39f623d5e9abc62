//! The eight encodings against each other and against the interpreter.
//!
//! * Random formulas with memory: all encodings that are exact for a formula agree, the others are
//!   never unsatisfiable if one has a model, and every model, translated back to the source
//!   symbols, satisfies the source formula.
//! * Random programs without branches: the values that one run reaches are reached in each
//!   encoding, by inputs that the interpreter confirms, unless the encoding reports an
//!   approximation or the solver gives up.

use backends::{Limits, Model, Outcome, ProverFactory, Reason};
use encode::functions::{FunctionParts, Functions};
use encode::{Encoder, Encoding, Quantifiers, Reads, Theories};
use frontend::c::lower::{Options, lower};
use frontend::c::{sema, types::DataModel};
use frontend::spec::Specification;
use grammars::source::SourceMap;
use passes::engines::bmc::{self, Config, Schedule};
use passes::evidence::{UnknownReason, Verdict};
use program::ssa::Program;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::{Duration, Instant};
use terms::Random;
use terms::{Environment, Evaluator, Op, Representation, Sort, Term, TermPool, Value};

/// Grows random terms over a few bit vectors and memories.
struct Formulas<'a> {
    pool: &'a mut TermPool,
    random: Random,
    width: u32,
    numbers: Vec<Term>,
    truths: Vec<Term>,
    memories: Vec<Term>,
}

impl Formulas<'_> {
    fn below(&mut self, bound: usize) -> usize {
        (self.random.number() % bound as u64) as usize
    }

    fn pick(&mut self, terms: fn(&Self) -> &[Term]) -> Term {
        let index = self.below(terms(self).len());
        terms(self)[index]
    }

    fn number(&mut self) -> Term {
        match self.below(5) {
            0 => {
                let value = self.random.number();
                self.pool.bv(self.width, value & ((1 << self.width) - 1))
            }
            _ => self.pick(|formulas| &formulas.numbers),
        }
    }

    fn grow(&mut self) {
        let (a, b) = (self.number(), self.number());
        let memory = self.pick(|formulas| &formulas.memories);
        let choice = self.below(22);
        let pool = &mut *self.pool;
        let number = match choice {
            0 | 1 => pool.bv_add(a, b),
            2 => pool.bv_sub(a, b),
            3 => {
                let five = pool.bv(self.width, 5);
                pool.bv_mul(a, five)
            }
            4 => pool.bv_mul(a, b),
            5 => pool.bv_udiv(a, b),
            6 => pool.bv_and(a, b),
            7 => pool.bv_lshr(a, b),
            8..=11 => pool.select(memory, a),
            12..=14 => {
                let written = pool.store(memory, a, b);
                self.memories.push(written);
                return;
            }
            15 => {
                let (truth, other) =
                    (self.pick(|formulas| &formulas.truths), self.pick(|formulas| &formulas.memories));
                let merged = self.pool.ite(truth, memory, other);
                self.memories.push(merged);
                return;
            }
            16 => {
                let truth = self.pick(|formulas| &formulas.truths);
                self.pool.ite(truth, a, b)
            }
            17 => {
                let other = self.pick(|formulas| &formulas.memories);
                let equal = self.pool.eq(memory, other);
                self.truths.push(equal);
                return;
            }
            _ => {
                let truth = match choice {
                    18 => pool.bv_ult(a, b),
                    19 => pool.bv_sle(a, b),
                    _ => pool.eq(a, b),
                };
                self.truths.push(truth);
                return;
            }
        };
        self.numbers.push(number);
    }
}

fn random_formula(pool: &mut TermPool, seed: u64) -> Term {
    let mut random = Random::new(seed);
    let width = 3 + (random.number() % 3) as u32;
    let sort = pool.array_sort(Sort::BitVec(width), Sort::BitVec(width));
    let zero = pool.bv(width, 0);
    let numbers = vec![
        pool.symbol_with("x", Sort::BitVec(width), Representation::Signed),
        pool.symbol_with("y", Sort::BitVec(width), Representation::Unsigned),
        pool.symbol_with("z", Sort::BitVec(width), Representation::Signed),
    ];
    let memories = vec![pool.symbol("m", sort), pool.symbol("n", sort), pool.const_array(sort, zero)];
    let truths = vec![pool.symbol("b", Sort::Bool)];
    let mut formulas = Formulas { pool, random, width, numbers, truths, memories };
    for _ in 0..12 + formulas.below(20) {
        formulas.grow();
    }
    let Formulas { truths, numbers, random: mut rest, .. } = formulas;
    // The last truth values depend on most of the formula.
    let mut parts: Vec<Term> = Vec::new();
    for &truth in truths.iter().rev().take(4) {
        parts.push(if rest.number().is_multiple_of(2) { truth } else { pool.not(truth) });
    }
    let value = pool.bv(width, rest.number() & ((1 << width) - 1));
    let last = *numbers.last().expect("there are symbols");
    parts.push(pool.eq(last, value));
    pool.and(&parts)
}

/// The source symbols in a model of a translation.
struct Symbols<'a> {
    encoder: &'a Encoder,
    model: RefCell<&'a mut dyn Model>,
}

impl Environment for Symbols<'_> {
    fn leaf(&self, pool: &TermPool, leaf: Term) -> Option<Value> {
        let mut model = self.model.borrow_mut();
        self.encoder.decode(pool, leaf, &mut |pool, terms| model.eval_all(pool, terms).ok())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Sat,
    Unsat,
    Unknown,
}

/// The answer of `solver` for a formula in an encoding, and whether the translation is exact;
/// `None` if there is no translation.
fn decide(
    solver: &dyn ProverFactory,
    pool: &mut TermPool,
    formula: Term,
    theories: Theories,
    seed: u64,
) -> Option<(Answer, bool)> {
    let encoding = theories.encoding;
    let mut encoder = theories.encoder();
    let translated = encoder.formula(pool, formula).ok()?;
    let limits = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
    let mut prover = solver.new_prover("ALL", &limits).expect("the solver accepts all logics");
    for constraint in encoder.take_constraints() {
        prover.assert(pool, constraint).expect("the solver supports the theories");
    }
    prover.assert(pool, translated).expect("the solver supports the theories");
    encoder.complete_reads(pool);
    let is_exact = encoder.is_exact();
    let answer = match prover.check(pool, &[]) {
        Outcome::Unsat(_) => Answer::Unsat,
        Outcome::Unknown(Reason::Fault(fault)) => panic!("seed {seed}, {encoding}: {fault}"),
        Outcome::Unknown(_) => Answer::Unknown,
        Outcome::Sat(mut model) => {
            let environment = Symbols { encoder: &encoder, model: RefCell::new(&mut *model) };
            let value = Evaluator::new().eval(pool, formula, &environment);
            // The values of unread elements in a model matter only if memories are compared.
            if is_exact && (encoding.quantifiers() == Quantifiers::Free || !compares_memories(pool, formula))
            {
                assert_eq!(
                    value,
                    Ok(Value::Bool(true)),
                    "seed {seed}, {encoding}: {}",
                    pool.display(formula)
                );
            }
            Answer::Sat
        }
    };
    Some((answer, is_exact))
}

fn compares_memories(pool: &TermPool, formula: Term) -> bool {
    let mut found = false;
    let is_comparison =
        |term: Term| pool.op(term) == Op::Eq && matches!(pool.sort(pool.children(term)[0]), Sort::Array(_));
    pool.visit(&[formula], |_| true, |term| found |= is_comparison(term));
    found
}

#[test]
fn encodings_agree_on_random_formulas_and_models_come_back() {
    let z3 = backend_z3::factory();
    let mut answers = BTreeMap::new();
    for seed in 0..100 {
        let mut pool = TermPool::new();
        let formula = random_formula(&mut pool, seed);
        let identity = Theories::of(Encoding::QfAbvfp);
        let (truth, _) = decide(&z3, &mut pool, formula, identity, seed).expect("the identity");
        for theories in with_reads() {
            let encoding = theories.encoding;
            let Some((answer, is_exact)) = decide(&z3, &mut pool, formula, theories, seed) else {
                assert!(matches!(encoding, Encoding::QfUfbvfp | Encoding::QfUflira), "{encoding}");
                *answers.entry((encoding, theories.reads, "no translation")).or_insert(0) += 1;
                continue;
            };
            let is_wrong = match (answer, truth) {
                (Answer::Unsat, Answer::Sat) => true,
                (Answer::Sat, Answer::Unsat) => is_exact,
                _ => false,
            };
            assert!(
                !is_wrong,
                "seed {seed}, {encoding}: {answer:?}, not {truth:?}: {}",
                pool.display(formula)
            );
            let what = match (answer, is_exact) {
                (Answer::Unknown, _) => "unknown",
                (_, true) => "exact",
                (_, false) => "approximate",
            };
            *answers.entry((encoding, theories.reads, what)).or_insert(0) += 1;
        }
    }
    for theories in with_reads() {
        let count = |what| answers.get(&(theories.encoding, theories.reads, what)).copied().unwrap_or(0);
        assert!(count("exact") > 30, "{theories:?}: {answers:?}");
    }
}

/// All encodings, and those in which reads may be distinctions of cases in both ways.
fn with_reads() -> impl Iterator<Item = Theories> {
    let cases = [Encoding::QfAbvfp, Encoding::Abvfp].map(Theories::of);
    let cases = cases.map(|theories| Theories { reads: Reads::Cases, ..theories });
    Encoding::ALL.into_iter().map(Theories::of).chain(cases)
}

/// Blocks of a program: each changes a memory and a number, and states something about them.
fn random_blocks(pool: &mut TermPool, seed: u64) -> Vec<Vec<Term>> {
    let mut random = Random::new(seed);
    let width = 3;
    let sort = pool.array_sort(Sort::BitVec(width), Sort::BitVec(width));
    let shared = pool.symbol("y", Sort::BitVec(width));
    let mut parts = Vec::new();
    let mut before = (pool.symbol("m0", sort), pool.symbol("x0", Sort::BitVec(width)));
    for number in 1..=3 {
        let input = pool.symbol(&format!("input{number}"), Sort::BitVec(width));
        let (memories, numbers) = (vec![before.0], vec![before.1, shared, input]);
        let random_part = Random::new(random.number());
        let mut formulas =
            Formulas { pool, random: random_part, width, numbers, truths: Vec::new(), memories };
        formulas.truths.push(formulas.pool.tru());
        for _ in 0..10 {
            formulas.grow();
        }
        let Formulas { numbers, truths, memories, pool, .. } = formulas;
        let after = (
            pool.symbol(&format!("m{number}"), sort),
            pool.symbol(&format!("x{number}"), Sort::BitVec(width)),
        );
        let written = *memories.last().expect("the memory before");
        let value = *numbers.last().expect("the number before");
        let mut part = vec![pool.eq(after.0, written), pool.eq(after.1, value)];
        part.extend(truths.into_iter().rev().filter(|&truth| !compares_memories(pool, truth)).take(2));
        parts.push(part);
        before = after;
    }
    parts
}

fn status(solver: &dyn ProverFactory, pool: &TermPool, formulas: &[Term]) -> Answer {
    let mut prover = solver.new_prover("ALL", &Limits::default()).expect("the solver accepts all logics");
    for &formula in formulas {
        prover.assert(pool, formula).expect("the solver supports the theories");
    }
    match prover.check(pool, &[]) {
        Outcome::Sat(_) => Answer::Sat,
        Outcome::Unsat(_) => Answer::Unsat,
        Outcome::Unknown(_) => Answer::Unknown,
    }
}

#[test]
fn sequences_over_arrays_have_the_same_answers_over_functions_and_imply_their_parts() {
    let z3 = backend_z3::factory();
    let theories = Theories::of(Encoding::QfUfbvfp);
    let (mut refuted, mut by_parts) = (0, 0);
    for seed in 0..80 {
        let mut pool = TermPool::new();
        let parts = random_blocks(&mut pool, seed);
        let all: Vec<Term> = parts.iter().flatten().copied().collect();
        let mut functions = Functions::new(theories);
        let mut translated = Vec::new();
        for &formula in &all {
            translated.push(functions.conjoin(&mut pool, formula).expect("all memories are defined"));
        }
        let over_arrays = status(&z3, &pool, &all);
        assert_eq!(status(&z3, &pool, &translated), over_arrays, "seed {seed}");
        let of_parts = FunctionParts::of(&mut pool, theories, &parts).expect("all memories are defined");
        for (number, part) in of_parts.parts.iter().enumerate() {
            let part = pool.and(part);
            let part = of_parts.to_arrays(&mut pool, part);
            let mut query = parts[number].clone();
            query.push(pool.not(part));
            assert_eq!(status(&z3, &pool, &query), Answer::Unsat, "seed {seed}, part {number}");
        }
        refuted += u32::from(over_arrays == Answer::Unsat);
        let formulas: Vec<Term> = of_parts.parts.concat();
        by_parts += u32::from(status(&z3, &pool, &formulas) == Answer::Unsat);
    }
    assert!(refuted > 10 && by_parts <= refuted && 2 * by_parts > refuted, "{by_parts} of {refuted}");
}

/// A program without branches over four numbers, an array of words, one of bytes and a pointer; the
/// test simulates it with random inputs.
struct StraightLine {
    random: Random,
    text: String,
    variables: [u32; 4],
    words: [u32; 4],
    bytes: [u8; 8],
}

impl StraightLine {
    fn below(&mut self, bound: u32) -> u32 {
        (self.random.number() % u64::from(bound)) as u32
    }

    fn line(&mut self, line: &str) {
        writeln!(self.text, "    {line}").expect("writing to a string does not fail");
    }

    fn step(&mut self, is_linear: bool) {
        let (to, a, b) = (self.below(4), self.below(4), self.below(4));
        let constant = self.below(1000);
        let (x, y) = (self.variables[a as usize], self.variables[b as usize]);
        let choice = self.below(if is_linear { 13 } else { 19 });
        let (text, value) = match choice {
            0 => (format!("v{a} + v{b}"), x.wrapping_add(y)),
            1 => (format!("v{a} - v{b}"), x.wrapping_sub(y)),
            2 => (format!("v{a} * {constant}u"), x.wrapping_mul(constant)),
            3 => (format!("v{a} / {}u", constant + 1), x / (constant + 1)),
            4 => (format!("v{a} & 255u"), x & 255),
            5 => (format!("v{a} << {}", constant % 32), x << (constant % 32)),
            6 => (
                format!("(unsigned)((int)v{a} >> {})", constant % 32),
                ((x as i32) >> (constant % 32)) as u32,
            ),
            7 => (format!("(unsigned)(signed char)v{a}"), x as i8 as u32),
            8 => (format!("v{a} < v{b} ? v{b} : {constant}u"), if x < y { y } else { constant }),
            9 => {
                let value = self.random.number() as u32;
                ("input()".to_owned(), value)
            }
            10 => (format!("words[v{a} & 3u]"), self.words[(x & 3) as usize]),
            11 => {
                self.line(&format!("words[v{a} & 3u] = v{b};"));
                self.words[(x & 3) as usize] = y;
                return;
            }
            12 => {
                self.line(&format!("bytes[v{a} % 8u] = (unsigned char)v{b};"));
                self.bytes[(x % 8) as usize] = y as u8;
                return;
            }
            13 => (format!("v{a} ^ v{b}"), x ^ y),
            14 => (format!("(v{a} & 63u) * (v{b} & 63u)"), (x & 63).wrapping_mul(y & 63)),
            15 => (format!("v{a} % ((v{b} & 15u) + 1u)"), x % ((y & 15) + 1)),
            16 => (format!("v{a} >> (v{b} & 31u)"), x >> (y & 31)),
            17 => (format!("*(unsigned *)(bytes + 4 * (v{a} & 1u))"), {
                let start = 4 * (x & 1) as usize;
                u32::from_le_bytes(self.bytes[start..start + 4].try_into().expect("four bytes"))
            }),
            _ => (format!("v{a} | v{b}"), x | y),
        };
        self.line(&format!("v{to} = {text};"));
        self.variables[to as usize] = value;
    }
}

fn straight_line_program(seed: u64) -> String {
    let random = Random::new(seed);
    let mut program =
        StraightLine { random, text: String::new(), variables: [0; 4], words: [0; 4], bytes: [0; 8] };
    for index in 0..4 {
        program.line(&format!("unsigned v{index} = input();"));
        program.variables[index] = program.random.number() as u32;
    }
    let steps = 4 + program.below(10);
    for _ in 0..steps {
        program.step(seed.is_multiple_of(2));
    }
    let [a, b, c, d] = program.variables;
    let (word, byte) = (program.words[1], program.bytes[3]);
    format!(
        "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n\
         unsigned input(void) {{ return __VERIFIER_nondet_uint(); }}\n\
         unsigned words[4];\nunsigned char bytes[8];\nint main(void) {{\n{}    \
         if (v0 == {a}u && v1 == {b}u && v2 == {c}u && v3 == {d}u && words[1] == {word}u && bytes[3] == {byte})\n        \
         reach_error();\n}}\n",
        program.text
    )
}

fn compiled(pool: &mut TermPool, text: &str) -> Program {
    let mut map = SourceMap::new();
    let file = map.add("straight.c", text.as_bytes().to_vec()).expect("the program is small");
    let parsed = grammars::c::parse(&map, file);
    assert!(parsed.diagnostics.iter().all(|found| !found.is_error()), "{text}{:?}", parsed.diagnostics);
    let checked = sema::check(&parsed.unit, sema::Options { model: DataModel::Lp64 });
    assert!(!checked.has_errors(), "{text}{:?}", checked.diagnostics);
    lower(pool, &checked.program, &Specification::default_for_tool(), &Options::new("main")).0
}

#[test]
fn what_a_run_reaches_is_reached_in_every_encoding_by_inputs_that_replay() {
    let (yices, z3) = (backend_yices::factory(), backend_z3::factory());
    let mut counts = BTreeMap::new();
    for seed in 0..300 {
        let text = straight_line_program(seed);
        for encoding in Encoding::ALL {
            let solver: &dyn ProverFactory = match encoding.quantifiers() {
                Quantifiers::Free => &yices,
                Quantifiers::Used => &z3,
            };
            let mut pool = TermPool::new();
            let program = compiled(&mut pool, &text);
            let deadline = Some(Instant::now() + Duration::from_secs(1));
            let config =
                Config { theories: Theories::of(encoding), deadline, ..Config::new(Schedule::exactly(1)) };
            let report = bmc::run(&mut pool, &program, solver, &config, &mut ());
            let what = match report.verdict {
                Verdict::Unsafe(_) => "reached",
                Verdict::Safe(_) => panic!("seed {seed}, {encoding}: not reached\n{text}"),
                Verdict::Unknown(UnknownReason::Unconfirmed { explanation }) => {
                    let is_marked = encoding.is_linear() && explanation.contains("approximates");
                    assert!(is_marked, "seed {seed}, {encoding}: {explanation}\n{text}");
                    "approximate"
                }
                Verdict::Unknown(UnknownReason::TimeLimit { .. } | UnknownReason::Solver { .. }) => "unknown",
                Verdict::Unknown(reason) => panic!("seed {seed}, {encoding}: {reason}\n{text}"),
            };
            *counts.entry((encoding, what)).or_insert(0) += 1;
        }
    }
    for encoding in Encoding::ALL {
        let count = |what| counts.get(&(encoding, what)).copied().unwrap_or(0);
        assert!(count("reached") > 100, "{encoding}: {counts:?}");
    }
}
