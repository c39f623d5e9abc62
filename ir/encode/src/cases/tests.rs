//! Reads by distinction of cases have the value of the source, and no `select` where few cells are
//! possible.

use super::ranges::{Ranges, mask};
use crate::{Encoder, Encoding, Overflow, Reads};
use terms::{ArrayValue, Assignment, Completion, Evaluator, Op, Random, Sort, Term, TermPool, Value};

/// Random terms over few symbols.
struct Builder {
    pool: TermPool,
    random: Random,
    width: u32,
    numbers: Vec<Term>,
    truths: Vec<Term>,
    memories: Vec<Term>,
}

impl Builder {
    /// Symbols, and memories with unknown and with constant contents and a table.
    fn new(seed: u64, width: u32) -> Self {
        let mut pool = TermPool::new();
        let mut random = Random::new(seed);
        let sort = pool.array_sort(Sort::BitVec(width), Sort::BitVec(8));
        let numbers = ["x", "y", "z"].map(|name| pool.symbol(name, Sort::BitVec(width)));
        let bytes = ["i", "j"].map(|name| {
            let byte = pool.symbol(name, Sort::BitVec(3));
            pool.zero_extend(width - 3, byte)
        });
        let truths = ["b", "c"].map(|name| pool.symbol(name, Sort::Bool)).to_vec();
        let zero = pool.bv(8, 0);
        let (unknown, zeros) = (pool.symbol("m", sort), pool.const_array(sort, zero));
        let mut memories = vec![unknown, zeros];
        for base in [unknown, zeros] {
            let start = random.number();
            let table = (0..random.number() % 24).fold(base, |table, index| {
                let place = pool.bv(width, start.wrapping_add(index));
                let value = pool.bv(8, random.number() % 4);
                pool.store(table, place, value)
            });
            memories.push(table);
        }
        let numbers = numbers.into_iter().chain(bytes).collect();
        Builder { pool, random, width, numbers, truths, memories }
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.random.number() % bound as u64) as usize
    }

    fn number(&mut self) -> Term {
        let index = self.below(self.numbers.len());
        self.numbers[index]
    }

    fn constant(&mut self) -> Term {
        let value = match self.below(3) {
            0 => self.random.number(),
            _ => (self.below(13) as u64).wrapping_sub(6),
        };
        self.pool.bv(self.width, value)
    }

    fn narrow(&mut self) -> Term {
        let bits = 1 + self.below(self.width as usize - 1) as u32;
        let low = self.below((self.width - bits) as usize + 1) as u32;
        let term = self.number();
        self.pool.extract(low + bits - 1, low, term)
    }

    fn grow(&mut self) {
        let (a, b) = (self.number(), self.number());
        let constant = self.constant();
        let index = self.below(self.memories.len());
        let memory = self.memories[index];
        let index = self.below(self.truths.len());
        let truth = self.truths[index];
        let width = self.width;
        let new = match self.below(26) {
            0 => self.pool.bv_add(a, b),
            1 | 2 => self.pool.bv_add(a, constant),
            3 => self.pool.bv_sub(a, b),
            4 => self.pool.bv_mul(a, constant),
            5 => self.pool.bv_and(a, constant),
            6 => self.pool.bv_and(a, b),
            7 => self.pool.bv_or(a, b),
            8 => self.pool.bv_xor(a, b),
            9 => self.pool.bv_not(a),
            10 => self.pool.bv_neg(a),
            11 => self.pool.bv_lshr(a, constant),
            12 => self.pool.bv_shl(a, constant),
            13 => self.pool.bv_udiv(a, constant),
            14 => self.pool.bv_urem(a, constant),
            15 => self.pool.ite(truth, a, b),
            16 => {
                let narrow = self.narrow();
                let bits = width - self.pool.width(narrow);
                self.pool.sign_extend(bits, narrow)
            }
            17 => {
                let narrow = self.narrow();
                let bits = width - self.pool.width(narrow);
                self.pool.zero_extend(bits, narrow)
            }
            18 => {
                let split = 1 + self.below(width as usize - 1) as u32;
                let (high, low) =
                    (self.pool.extract(split - 1, 0, a), self.pool.extract(width - 1, split, b));
                self.pool.concat(high, low)
            }
            19..=21 => {
                let read = self.pool.select(memory, a);
                match width {
                    8 => read,
                    ..8 => self.pool.extract(width - 1, 0, read),
                    _ => self.pool.zero_extend(width - 8, read),
                }
            }
            22 => {
                let truth = self.pool.bv_ult(a, b);
                self.truths.push(truth);
                return;
            }
            choice => {
                let place = if choice == 23 { constant } else { a };
                let value = match width {
                    8 => b,
                    ..8 => self.pool.zero_extend(8 - width, b),
                    _ => self.pool.extract(7, 0, b),
                };
                let written = self.pool.store(memory, place, value);
                let merged = if choice == 25 { self.pool.ite(truth, written, memory) } else { written };
                self.memories.push(merged);
                return;
            }
        };
        self.numbers.push(new);
    }

    /// Random values of all symbols.
    fn assignment(&mut self) -> Assignment {
        let mut assignment = Assignment::with_completion(Completion::Default);
        let terms: Vec<Term> =
            self.numbers.iter().chain(&self.truths).chain(&self.memories).copied().collect();
        for symbol in self.pool.free_symbols_of(&terms) {
            let number = self.random.number();
            let value = match self.pool.symbol_data(symbol).sort {
                Sort::Bool => Value::Bool(number.is_multiple_of(2)),
                Sort::BitVec(width) => Value::bv(width, number & mask(width)),
                _ => {
                    let mut array = ArrayValue::constant(Value::bv(8, 255));
                    for index in 0..40 {
                        let place = number.wrapping_add(index * 3) & mask(self.width);
                        array.store(Value::bv(self.width, place), Value::bv(8, index));
                    }
                    Value::Array(array)
                }
            };
            assignment.set(symbol, value);
        }
        assignment
    }
}

fn cases() -> Encoder {
    Encoder::new(Encoding::QfAbvfp, Overflow::Wrap).with_reads(Reads::Cases)
}

fn value(pool: &TermPool, term: Term, assignment: &Assignment) -> Value {
    Evaluator::new().eval(pool, term, assignment).expect("all symbols have values")
}

fn count(pool: &TermPool, term: Term, wanted: Op) -> usize {
    let mut found = 0;
    pool.visit(&[term], |_| true, |term| found += usize::from(pool.op(term) == wanted));
    found
}

#[test]
fn random_reads_have_the_value_of_the_source() {
    let (mut before, mut after) = (0, 0);
    for seed in 0..4000 {
        let width = [4, 6, 8, 12, 32, 64][seed as usize % 6];
        let mut builder = Builder::new(seed, width);
        for _ in 0..30 {
            builder.grow();
        }
        let mut encoder = cases();
        let roots: Vec<Term> = builder.numbers.iter().chain(&builder.truths).copied().collect();
        let encoded: Vec<Term> =
            roots.iter().map(|&root| encoder.term(&mut builder.pool, root).expect("no floats")).collect();
        assert!(encoder.take_constraints().is_empty());
        for _ in 0..8 {
            let assignment = builder.assignment();
            for (&root, &encoded) in roots.iter().zip(&encoded) {
                assert_eq!(
                    value(&builder.pool, root, &assignment),
                    value(&builder.pool, encoded, &assignment),
                    "seed {seed}: {} became {}",
                    builder.pool.display(root),
                    builder.pool.display(encoded)
                );
            }
        }
        for (&root, &encoded) in roots.iter().zip(&encoded) {
            before += count(&builder.pool, root, Op::Store);
            after += count(&builder.pool, encoded, Op::Store);
        }
    }
    assert!(after * 20 < before, "most writes disappear: {before} before, {after} after");
}

#[test]
fn ranges_contain_all_values() {
    let mut exact = 0;
    for seed in 0..4000 {
        let width = [4, 5, 7, 8, 12, 32, 64][seed as usize % 7];
        let mut builder = Builder::new(seed, width);
        for _ in 0..30 {
            builder.grow();
        }
        let mut ranges = Ranges::default();
        for _ in 0..8 {
            let assignment = builder.assignment();
            for &term in &builder.numbers {
                let range = ranges.of(&builder.pool, term);
                let Value::BitVec(word) = value(&builder.pool, term, &assignment) else {
                    panic!("a bit vector has a word")
                };
                let word = word.to_u64().expect("at most 64 bits");
                assert!(
                    range.contains(word, width),
                    "seed {seed}: {word:#x} is not in {range:x?} of {}",
                    builder.pool.display(term)
                );
                assert!(range.span <= mask(width) && range.low <= mask(width));
                assert_eq!(range.stride == 0, range.span == 0, "{range:x?}");
                exact += u32::from(range.others() < mask(width));
            }
        }
    }
    assert!(exact > 100_000, "{exact} ranges exclude a word");
}

#[test]
fn disjoint_ranges_have_no_common_word() {
    let width = 4;
    let mut ranges = Vec::new();
    for seed in 0..300 {
        let mut builder = Builder::new(seed, width);
        for _ in 0..20 {
            builder.grow();
        }
        let mut known = Ranges::default();
        ranges.extend(builder.numbers.iter().map(|&term| known.of(&builder.pool, term)));
    }
    ranges.sort_unstable_by_key(|range| (range.low, range.span, range.stride));
    ranges.dedup();
    let mut disjoint = 0;
    for &a in &ranges {
        for &b in &ranges {
            let common = (0..=mask(width)).any(|word| a.contains(word, width) && b.contains(word, width));
            assert!(!(common && a.is_disjoint(b, width)), "{a:?} and {b:?}");
            disjoint += usize::from(a.is_disjoint(b, width));
        }
    }
    assert!(disjoint > ranges.len(), "{disjoint} of {} pairs", ranges.len() * ranges.len());
}

/// A table of words at an address, in memory with zeros.
fn table(pool: &mut TermPool, start: u64, words: impl Iterator<Item = u64>) -> Term {
    let sort = pool.array_sort(Sort::BitVec(64), Sort::BitVec(8));
    let zero = pool.bv(8, 0);
    let mut memory = pool.const_array(sort, zero);
    for (number, word) in words.enumerate() {
        let place = pool.bv(64, start + number as u64);
        let value = pool.bv(8, word);
        memory = pool.store(memory, place, value);
    }
    memory
}

fn is_without_arrays(pool: &TermPool, term: Term) -> bool {
    count(pool, term, Op::Select) + count(pool, term, Op::Store) == 0
}

#[test]
fn a_table_is_a_tree_over_the_bits_of_the_index() {
    let mut pool = TermPool::new();
    let memory = table(&mut pool, 0x4000, (0..256).map(|word: u64| word.reverse_bits() >> 56));
    let byte = pool.symbol("x", Sort::BitVec(8));
    let index = pool.zero_extend(56, byte);
    let start = pool.bv(64, 0x4000);
    let index = pool.bv_add(start, index);
    let read = pool.select(memory, index);
    let encoded = cases().term(&mut pool, read).expect("no floats");
    assert!(is_without_arrays(&pool, encoded));
    assert_eq!(count(&pool, encoded, Op::Ite), 255);
    assert_eq!(count(&pool, encoded, Op::BvAdd), 0);
}

#[test]
fn what_is_equal_is_shared() {
    let mut pool = TermPool::new();
    let memory = table(&mut pool, 0x4000, (0..256).map(|word: u64| u64::from(word >= 128)));
    let byte = pool.symbol("x", Sort::BitVec(8));
    let index = pool.zero_extend(56, byte);
    let start = pool.bv(64, 0x4000);
    let index = pool.bv_add(start, index);
    let read = pool.select(memory, index);
    let encoded = cases().term(&mut pool, read).expect("no floats");
    assert_eq!(count(&pool, encoded, Op::Ite), 1, "{}", pool.display(encoded));
}

#[test]
fn elements_of_twelve_bytes_are_numbered_by_their_index() {
    let mut pool = TermPool::new();
    let memory = table(&mut pool, 0x4000, 0..96);
    let narrow = pool.symbol("x", Sort::BitVec(3));
    let index = pool.zero_extend(61, narrow);
    let (twelve, start) = (pool.bv(64, 12), pool.bv(64, 0x4004));
    let index = pool.bv_mul(index, twelve);
    let index = pool.bv_add(start, index);
    let read = pool.select(memory, index);
    let encoded = cases().term(&mut pool, read).expect("no floats");
    assert!(is_without_arrays(&pool, encoded));
    assert_eq!((count(&pool, encoded, Op::Ite), count(&pool, encoded, Op::BvMul)), (7, 0));
}

#[test]
fn objects_far_apart_are_distinguished() {
    let mut pool = TermPool::new();
    let first = table(&mut pool, 1 << 40, 1..9);
    let memory = (0..8).fold(first, |memory, number| {
        let (place, value) = (pool.bv(64, (1 << 41) + number), pool.bv(8, 100 + number));
        pool.store(memory, place, value)
    });
    let (truth, narrow) = (pool.symbol("b", Sort::Bool), pool.symbol("x", Sort::BitVec(3)));
    let starts = [1u64 << 40, 1 << 41].map(|start| pool.bv(64, start));
    let start = pool.ite(truth, starts[0], starts[1]);
    let index = pool.zero_extend(61, narrow);
    let chosen = pool.bv_add(start, index);
    // Without a condition, by comparison with parts of memory.
    let unknown = pool.symbol("p", Sort::BitVec(64));
    for index in [chosen, unknown] {
        let read = pool.select(memory, index);
        let encoded = cases().term(&mut pool, read).expect("no floats");
        assert!(is_without_arrays(&pool, encoded), "{}", pool.display(encoded));
        assert!(count(&pool, encoded, Op::Ite) <= 16);
    }
}

#[test]
fn reads_of_unknown_contents_are_at_constant_addresses() {
    let mut pool = TermPool::new();
    let sort = pool.array_sort(Sort::BitVec(64), Sort::BitVec(8));
    let memory = pool.symbol("m", sort);
    for (width, constant) in [(3, true), (16, false)] {
        let narrow = pool.symbol("x", Sort::BitVec(width));
        let index = pool.zero_extend(64 - width, narrow);
        let read = pool.select(memory, index);
        let encoded = cases().term(&mut pool, read).expect("no floats");
        let mut is_constant = true;
        pool.visit(
            &[encoded],
            |_| true,
            |term| {
                if pool.op(term) == Op::Select {
                    is_constant &= pool.is_constant(pool.children(term)[1]);
                }
            },
        );
        assert_eq!(is_constant, constant, "{width} bits");
    }
}

#[test]
fn many_writes_at_unknown_addresses_stay_in_the_theory_of_arrays() {
    for (writes, is_free) in [(20, true), (200, false)] {
        let mut pool = TermPool::new();
        let mut memory = table(&mut pool, 0, 0..8);
        for number in 0..writes {
            let place = pool.symbol(&format!("p{number}"), Sort::BitVec(64));
            let value = pool.bv(8, number);
            memory = pool.store(memory, place, value);
        }
        let index = pool.symbol("q", Sort::BitVec(64));
        let read = pool.select(memory, index);
        let encoded = cases().term(&mut pool, read).expect("no floats");
        assert_eq!(is_without_arrays(&pool, encoded), is_free, "{writes} writes");
        if !is_free {
            assert_eq!(encoded, read);
        }
    }
}

#[test]
fn deep_merges_and_long_chains_need_no_recursion() {
    let mut pool = TermPool::new();
    let mut memory = table(&mut pool, 0, 0..8);
    let mut index = pool.symbol("q", Sort::BitVec(64));
    let truth = pool.symbol("b", Sort::Bool);
    for number in 0..100_000u64 {
        let (place, value) = (pool.bv(64, number % 5000), pool.bv(8, number));
        let written = pool.store(memory, place, value);
        memory = if number % 3 == 0 { pool.ite(truth, written, memory) } else { written };
        let other = pool.symbol(&format!("q{}", number % 50), Sort::BitVec(64));
        index = pool.bv_add(index, other);
    }
    let read = pool.select(memory, index);
    let encoded = cases().term(&mut pool, read).expect("no floats");
    assert_eq!(encoded, read, "too many merges");
}

#[test]
fn other_encodings_are_unchanged() {
    for encoding in Encoding::ALL {
        let mut texts = Vec::new();
        for reads in [Reads::Select, Reads::Cases] {
            let mut pool = TermPool::new();
            let memory = table(&mut pool, 64, 0..8);
            let index = pool.symbol("q", Sort::BitVec(64));
            let three = pool.bv(64, 3);
            let index = pool.bv_and(index, three);
            let read = pool.select(memory, index);
            let mut encoder = Encoder::new(encoding, Overflow::Wrap).with_reads(reads);
            let encoded = encoder.term(&mut pool, read).expect("it is translated");
            texts.push(pool.display(encoded).to_string());
        }
        assert_eq!(texts[0] == texts[1], !encoding.is_identity(), "{encoding}");
    }
}
