//! Random programs with linked records: their results are the same before and after region
//! splitting, in each memory model.
//!
//! Every object is an array of one or two records of 32 bytes: two integers, a pointer to a record,
//! four integers. All pointer fields are initialized first, so every access is inside of an object.

use super::super::testing::{BYTE, Build, INT, LONG, POINTER};
use super::*;
use program::interp::{Config, Interpreter, Outcome};
use program::ssa::{Contents, Part, Terminator};
use terms::Random;
use terms::Term;

const RECORD: u64 = 32;
const NEXT: u64 = 8;
const ARRAY: u64 = 16;

struct Generator {
    build: Build,
    random: Random,
    /// The kinds of steps that this program may use, one bit for each.
    kinds: u64,
    /// Pointers to records.
    records: Vec<Term>,
    numbers: Vec<Term>,
}

impl Generator {
    fn below(&mut self, bound: usize) -> usize {
        (self.random.number() % bound as u64) as usize
    }

    fn record(&mut self) -> Term {
        let index = self.below(self.records.len());
        self.records[index]
    }

    fn number(&mut self) -> Term {
        let index = self.below(self.numbers.len());
        self.numbers[index]
    }

    /// A number in `0..=mask`.
    fn index(&mut self, mask: u64) -> Term {
        let number = self.number();
        let mask = self.build.number(mask);
        let index = self.build.pool.bv_and(number, mask);
        self.build.pure(INT, index)
    }

    fn integer_place(&mut self) -> Term {
        let record = self.record();
        match self.below(3) {
            0 => record,
            1 => self.build.plus(record, 4),
            _ => {
                let array = self.build.plus(record, ARRAY);
                let index = self.index(3);
                self.build.indexed(array, index, 4)
            }
        }
    }

    fn next_place(&mut self) -> Term {
        let record = self.record();
        self.build.plus(record, NEXT)
    }

    fn objects(&mut self) {
        let function = self.build.function;
        let mut places = Vec::new();
        for index in 0..3 + self.below(4) {
            let records = 1 + self.below(2) as u64;
            let address = match self.below(4) {
                0 if self.kinds & 1 != 0 => {
                    let size = self.build.pool.bv(64, RECORD * records);
                    let kind = InstructionKind::Allocate {
                        parts: vec![Part::whole(Region(0))],
                        size,
                        align: 16,
                        contents: Contents::Unknown,
                    };
                    self.build.push(Some(POINTER), kind).expect("a result")
                }
                1 if self.kinds & 2 != 0 => {
                    let object =
                        self.build.object(&format!("local{index}"), RECORD * records, Some(function));
                    self.build.push(None, InstructionKind::Forget { region: Region(0), object });
                    self.build.address_of(object)
                }
                _ => {
                    let object = self.build.object(&format!("global{index}"), RECORD * records, None);
                    self.build.address_of(object)
                }
            };
            self.records.push(address);
            for record in 0..records {
                places.push(self.build.plus(address, RECORD * record));
            }
            if records == 2 {
                let index = self.index(1);
                let element = self.build.indexed(address, index, RECORD);
                let element = self.build.pure(POINTER, element);
                self.records.push(element);
            }
        }
        for (index, place) in places.into_iter().enumerate() {
            let target = match self.below(2) {
                0 => self.record(),
                _ => self.records[index % self.records.len()],
            };
            let place = self.build.plus(place, NEXT);
            self.build.store(POINTER, place, target);
        }
    }

    fn step(&mut self) {
        match self.below(12) {
            0..=2 => {
                let place = self.integer_place();
                let loaded = self.build.load(INT, place);
                self.numbers.push(loaded);
            }
            3..=5 => {
                let (place, number) = (self.integer_place(), self.number());
                self.build.store(INT, place, number);
            }
            6 => {
                let place = self.next_place();
                let loaded = self.build.load(POINTER, place);
                self.records.push(loaded);
            }
            7 if self.kinds & 4 != 0 => {
                let (place, target) = (self.next_place(), self.record());
                self.build.store(POINTER, place, target);
            }
            8 if self.kinds & 8 != 0 => {
                let (first, second, number) = (self.record(), self.record(), self.index(1));
                let zero = self.build.number(0);
                let condition = self.build.pool.eq(number, zero);
                let either = self.build.pool.ite(condition, first, second);
                let either = self.build.pure(POINTER, either);
                self.records.push(either);
            }
            9 if self.kinds & 16 != 0 => {
                let place = self.integer_place();
                let byte = self.build.load(BYTE, place);
                let number = self.build.pool.zero_extend(24, byte);
                let number = self.build.pure(INT, number);
                self.numbers.push(number);
            }
            10 if self.kinds & 32 != 0 => {
                let (from, to) = (self.next_place(), self.next_place());
                let bits = self.build.load(LONG, from);
                self.build.store(LONG, to, bits);
            }
            11 if self.kinds & 64 != 0 => {
                let record = self.record();
                let mask = self.build.pool.bv_i64(64, 0x55);
                let hidden = self.build.pool.bv_xor(record, mask);
                let hidden = self.build.pure(LONG, hidden);
                let shown = self.build.pool.bv_xor(hidden, mask);
                let shown = self.build.pure(POINTER, shown);
                self.records.push(shown);
            }
            _ => {
                let (a, b) = (self.number(), self.number());
                let sum = self.build.pool.bv_add(a, b);
                let sum = self.build.pure(INT, sum);
                self.numbers.push(sum);
            }
        }
    }
}

fn program(seed: u64) -> Build {
    let mut random = Random::new(seed);
    let kinds = random.number() & random.number();
    let mut generator =
        Generator { build: Build::new(), random, kinds, records: Vec::new(), numbers: Vec::new() };
    for _ in 0..3 {
        let input = generator.build.input(INT);
        generator.numbers.push(input);
    }
    generator.objects();
    for _ in 0..40 {
        generator.step();
    }
    let Generator { mut build, numbers, .. } = generator;
    let mut total = build.number(0);
    let factor = build.number(31);
    for number in numbers {
        let scaled = build.pool.bv_mul(total, factor);
        total = build.pool.bv_add(scaled, number);
    }
    build.program.functions[Function(0)].result = Some(INT);
    build.end(Terminator::Return(Some(total)));
    build
}

fn outcomes(build: &Build) -> Vec<Outcome> {
    let mut interpreter =
        Interpreter::new(&build.pool, &build.program, Config::SMALL).expect("the programs are small");
    (0..4).map(|seed| interpreter.run(&mut Random::new(seed)).outcome).collect()
}

#[test]
fn chasing_pointers_computes_the_same() {
    // The least number of programs that have several regions.
    for (model, least) in [(MemoryModel::Regions, 500), (MemoryModel::Typed, 400), (MemoryModel::Bytes, 0)] {
        let mut split = 0;
        for seed in 0..1500 {
            let mut build = program(seed);
            build.assert_well_formed();
            let before = outcomes(&build);
            assert!(before.iter().all(|outcome| matches!(outcome, Outcome::Returned(_))), "{before:?}");
            let outcome = regions(&build.pool, &mut build.program, model).outcome;
            build.assert_well_formed();
            split += usize::from(matches!(outcome, SplitOutcome::Split(2..)));
            assert_eq!(outcomes(&build), before, "{model}: program {seed}");
        }
        assert!(split >= least, "{model}: memory was split in {split} programs only");
    }
}
