//! Random formulas over small sorts.
//!
//! A [`Vocabulary`] is a handful of random declarations: Booleans, bit vectors of 1 to 4 bits,
//! integers within [`INTEGERS`], arrays and functions over these. The number of its interpretations
//! is bounded, so an [`Exhaustive`](super::exhaustive::Exhaustive) prover can decide its formulas.
//! A *wild* vocabulary also has infinite sorts: reals, arrays and functions over integers, an
//! uninterpreted sort.

use num_bigint::BigInt;
use num_rational::BigRational;
use std::ops::RangeInclusive;
use terms::{FunctionSymbol, Sort, Term, TermPool};

/// The range of integer symbols; [`Vocabulary::bounds`] states it as formulas.
pub const INTEGERS: RangeInclusive<i64> = -3..=4;

/// Reproducible random numbers: SplitMix64 (Steele, Lea, Flood, *Fast Splittable Pseudorandom
/// Number Generators*, OOPSLA 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence that starts with `seed`.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next_u64() % bound as u64) as usize
    }

    /// True with probability `times / of`.
    pub fn chance(&mut self, times: usize, of: usize) -> bool {
        self.below(of) < times
    }

    /// One of `items`, which must not be empty.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// Symbols and functions for random formulas.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    symbols: Vec<Term>,
    functions: Vec<FunctionSymbol>,
    /// The sorts of terms that can be generated.
    sorts: Vec<Sort>,
    /// Preconditions of the formulas: integers lie within [`INTEGERS`].
    pub bounds: Vec<Term>,
    /// Whether there are infinite sorts.
    pub is_wild: bool,
}

impl Vocabulary {
    /// Random declarations with at most `2^bits` interpretations; if `is_wild`, also declarations
    /// over infinite sorts.
    pub fn random(random: &mut Random, pool: &mut TermPool, bits: u32, is_wild: bool) -> Self {
        let mut vocabulary = Vocabulary {
            symbols: Vec::new(),
            functions: Vec::new(),
            sorts: vec![Sort::Bool],
            bounds: Vec::new(),
            is_wild,
        };
        let mut left = bits;
        let wanted = 2 + random.below(6);
        for index in 0..wanted {
            vocabulary.declare(random, pool, index, &mut left);
        }
        if vocabulary.symbols.is_empty() {
            vocabulary.add_symbol(pool, "b", Sort::Bool);
        }
        if is_wild {
            vocabulary.declare_wild(random, pool);
        }
        vocabulary
    }

    /// The given number of symbols of one sort: Bool, bit vectors, or integers.
    pub fn of(pool: &mut TermPool, sort: Sort, symbols: usize) -> Self {
        let mut vocabulary = Vocabulary {
            symbols: Vec::new(),
            functions: Vec::new(),
            sorts: vec![Sort::Bool],
            bounds: Vec::new(),
            is_wild: false,
        };
        for index in 0..symbols {
            let term = vocabulary.add_symbol(pool, &format!("x{index}"), sort);
            if sort == Sort::Int {
                vocabulary.bound(pool, term);
            }
        }
        vocabulary
    }

    fn bound(&mut self, pool: &mut TermPool, term: Term) {
        let (low, high) = (pool.int(*INTEGERS.start()), pool.int(*INTEGERS.end()));
        let bounds = [pool.le(low, term), pool.le(term, high)];
        self.bounds.extend(bounds);
    }

    fn declare(&mut self, random: &mut Random, pool: &mut TermPool, index: usize, left: &mut u32) {
        let small = |random: &mut Random| match random.below(4) {
            0 => (Sort::Bool, 1),
            width => (Sort::BitVec(width.min(2) as u32), width.min(2) as u32),
        };
        let name = |kind: &str| format!("{kind}{index}");
        match random.below(8) {
            0 | 1 if *left >= 1 => {
                *left -= 1;
                self.add_symbol(pool, &name("b"), Sort::Bool);
            }
            2 | 3 => {
                let width = 1 + random.below(4) as u32;
                if *left >= width {
                    *left -= width;
                    self.add_symbol(pool, &name("x"), Sort::BitVec(width));
                }
            }
            4 | 5 if *left >= 3 => {
                *left -= 3;
                let term = self.add_symbol(pool, &name("i"), Sort::Int);
                self.bound(pool, term);
            }
            6 => {
                let ((from, index_bits), (to, bits)) = (small(random), small(random));
                let cost = bits << index_bits;
                if *left >= cost {
                    *left -= cost;
                    let sort = pool.array_sort(from, to);
                    self.add_symbol(pool, &name("a"), sort);
                    self.add_sort(from);
                    self.add_sort(to);
                }
            }
            7 => {
                let ((first, first_bits), (second, second_bits), (to, bits)) =
                    (small(random), small(random), small(random));
                let is_unary = random.chance(1, 2);
                let cost = bits << (if is_unary { first_bits } else { first_bits + second_bits });
                if *left >= cost {
                    *left -= cost;
                    let arguments: &[Sort] = if is_unary { &[first] } else { &[first, second] };
                    let function = pool.function_symbol(&name("f"), arguments, to);
                    self.functions.push(function);
                    arguments.iter().chain([&to]).for_each(|&sort| self.add_sort(sort));
                }
            }
            _ => {}
        }
    }

    fn declare_wild(&mut self, random: &mut Random, pool: &mut TermPool) {
        for index in 0..1 + random.below(3) {
            let name = |kind: &str| format!("{kind}{index}");
            match random.below(5) {
                0 => {
                    self.add_symbol(pool, &name("r"), Sort::Real);
                    self.add_symbol(pool, &name("s"), Sort::Real);
                }
                1 => {
                    let to = random.pick(&[Sort::Int, Sort::Bool, Sort::BitVec(2)]);
                    let sort = pool.array_sort(Sort::Int, to);
                    self.add_symbol(pool, &name("m"), sort);
                    self.add_symbol(pool, &name("n"), sort);
                    let index = self.add_symbol(pool, &name("k"), Sort::Int);
                    self.bound(pool, index);
                    self.add_sort(to);
                }
                2 => {
                    self.functions.push(pool.function_symbol(&name("g"), &[Sort::Int], Sort::Int));
                    let index = self.add_symbol(pool, &name("k"), Sort::Int);
                    self.bound(pool, index);
                }
                3 => {
                    let sort = pool.uninterpreted_sort("U");
                    for constant in ["u", "v", "w"] {
                        self.add_symbol(pool, constant, sort);
                    }
                    self.functions.push(pool.function_symbol("h", &[sort], sort));
                    self.functions.push(pool.function_symbol("p", &[sort, sort], Sort::Bool));
                }
                _ => {
                    self.add_symbol(pool, &name("y"), Sort::BitVec(8));
                    self.add_symbol(pool, &name("z"), Sort::BitVec(8));
                }
            }
        }
    }

    fn add_symbol(&mut self, pool: &mut TermPool, name: &str, sort: Sort) -> Term {
        let term = pool.symbol(name, sort);
        self.symbols.push(term);
        self.add_sort(sort);
        term
    }

    fn add_sort(&mut self, sort: Sort) {
        if !self.sorts.contains(&sort) {
            self.sorts.push(sort);
        }
    }

    /// A random formula with at most `depth` nested operators.
    pub fn formula(&self, random: &mut Random, pool: &mut TermPool, depth: u32) -> Term {
        self.term(random, pool, Sort::Bool, depth)
    }

    /// A random term of `sort`. Recurses at most `depth` levels.
    fn term(&self, random: &mut Random, pool: &mut TermPool, sort: Sort, depth: u32) -> Term {
        if depth == 0 || random.chance(1, 12) {
            return self.leaf(random, pool, sort);
        }
        let depth = depth - 1;
        if random.chance(1, 5)
            && let Some(term) = self.element(random, pool, sort, depth)
        {
            return term;
        }
        if random.chance(1, 8) {
            let condition = self.formula(random, pool, depth);
            let (then, otherwise) =
                (self.term(random, pool, sort, depth), self.term(random, pool, sort, depth));
            return pool.ite(condition, then, otherwise);
        }
        match sort {
            Sort::Bool => self.compound_formula(random, pool, depth),
            Sort::BitVec(width) => self.bit_vector(random, pool, width, depth),
            Sort::Int | Sort::Real => self.number(random, pool, sort, depth),
            Sort::Array(parts) => {
                let (index, element) = pool.array_sort_parts(parts);
                let value = self.term(random, pool, element, depth);
                if random.chance(1, 10) {
                    return pool.const_array(sort, value);
                }
                let array = self.term(random, pool, sort, depth);
                let index = self.term(random, pool, index, depth);
                pool.store(array, index, value)
            }
            _ => self.leaf(random, pool, sort),
        }
    }

    fn leaf(&self, random: &mut Random, pool: &mut TermPool, sort: Sort) -> Term {
        let symbols: Vec<Term> =
            self.symbols.iter().copied().filter(|&symbol| pool.sort(symbol) == sort).collect();
        if !symbols.is_empty() && random.chance(3, 4) {
            return random.pick(&symbols);
        }
        match sort {
            Sort::Bool => pool.bool(random.chance(1, 2)),
            Sort::BitVec(width) => {
                let value = random.next_u64();
                pool.bv(width, value)
            }
            Sort::Int => pool.int(random.below(8) as i64 - 3),
            Sort::Real => {
                let (numerator, denominator) = (random.below(9) as i64 - 4, 1 + random.below(3) as i64);
                pool.real(&BigRational::new(BigInt::from(numerator), BigInt::from(denominator)))
            }
            Sort::Array(parts) if symbols.is_empty() => {
                let element = pool.array_sort_parts(parts).1;
                let value = self.leaf(random, pool, element);
                pool.const_array(sort, value)
            }
            _ => symbols[0],
        }
    }

    /// A read of an array or an application of a function whose result has the sort `sort`.
    fn element(&self, random: &mut Random, pool: &mut TermPool, sort: Sort, depth: u32) -> Option<Term> {
        let functions: Vec<FunctionSymbol> =
            self.functions.iter().copied().filter(|&f| pool.function_data(f).2 == sort).collect();
        if !functions.is_empty() && random.chance(1, 2) {
            let function = random.pick(&functions);
            let sorts = pool.function_data(function).1.to_vec();
            let arguments: Vec<Term> =
                sorts.into_iter().map(|sort| self.term(random, pool, sort, depth)).collect();
            return Some(pool.apply(function, &arguments));
        }
        let arrays: Vec<(Sort, Sort)> = self
            .sorts
            .iter()
            .filter_map(|&array| match array {
                Sort::Array(parts) => Some((array, pool.array_sort_parts(parts))),
                _ => None,
            })
            .filter(|(_, (_, element))| *element == sort)
            .map(|(array, (index, _))| (array, index))
            .collect();
        if arrays.is_empty() {
            return None;
        }
        let (array, index) = random.pick(&arrays);
        let array = self.term(random, pool, array, depth);
        let index = self.term(random, pool, index, depth);
        Some(pool.select(array, index))
    }

    fn compound_formula(&self, random: &mut Random, pool: &mut TermPool, depth: u32) -> Term {
        let sort = random.pick(&self.sorts);
        let operator = random.below(10);
        if operator >= 4 && sort != Sort::Bool {
            let (a, b) = (self.term(random, pool, sort, depth), self.term(random, pool, sort, depth));
            return match (sort, operator) {
                (Sort::BitVec(_), 4) => pool.bv_ult(a, b),
                (Sort::BitVec(_), 5) => pool.bv_ule(a, b),
                (Sort::BitVec(_), 6) => pool.bv_slt(a, b),
                (Sort::BitVec(_), 7) => pool.bv_sle(a, b),
                (Sort::Int | Sort::Real, 4 | 5) => pool.lt(a, b),
                (Sort::Int | Sort::Real, 6 | 7) => pool.le(a, b),
                (_, 8) => pool.neq(a, b),
                _ => pool.eq(a, b),
            };
        }
        let a = self.formula(random, pool, depth);
        match operator {
            0 => pool.not(a),
            1 | 4 => {
                let b = self.formula(random, pool, depth);
                pool.xor(a, b)
            }
            2 | 5 | 6 => {
                let more: Vec<Term> =
                    (0..=random.below(2)).map(|_| self.formula(random, pool, depth)).chain([a]).collect();
                pool.and(&more)
            }
            3 | 7 | 8 => {
                let more: Vec<Term> =
                    (0..=random.below(2)).map(|_| self.formula(random, pool, depth)).chain([a]).collect();
                pool.or(&more)
            }
            _ => {
                let b = self.formula(random, pool, depth);
                pool.implies(a, b)
            }
        }
    }

    fn bit_vector(&self, random: &mut Random, pool: &mut TermPool, width: u32, depth: u32) -> Term {
        let sort = Sort::BitVec(width);
        let operator = random.below(19);
        match operator {
            0 if width > 1 => {
                let low = 1 + random.below(width as usize - 1) as u32;
                let a = self.term(random, pool, Sort::BitVec(width - low), depth);
                let b = self.term(random, pool, Sort::BitVec(low), depth);
                return pool.concat(a, b);
            }
            1 => {
                let (above, below) = (random.below(2) as u32, random.below(2) as u32);
                let a = self.term(random, pool, Sort::BitVec(width + above + below), depth);
                return pool.extract(width + below - 1, below, a);
            }
            2 | 3 if width > 1 => {
                let more = 1 + random.below(width as usize - 1) as u32;
                let a = self.term(random, pool, Sort::BitVec(width - more), depth);
                return if operator == 2 { pool.zero_extend(more, a) } else { pool.sign_extend(more, a) };
            }
            _ => {}
        }
        let a = self.term(random, pool, sort, depth);
        match operator {
            4 => return pool.bv_not(a),
            5 => return pool.bv_neg(a),
            _ => {}
        }
        let b = self.term(random, pool, sort, depth);
        match operator {
            6 => pool.bv_and(a, b),
            7 => pool.bv_or(a, b),
            8 => pool.bv_xor(a, b),
            9 | 0 => pool.bv_add(a, b),
            10 | 2 => pool.bv_sub(a, b),
            11 | 3 => pool.bv_mul(a, b),
            12 => pool.bv_udiv(a, b),
            13 => pool.bv_urem(a, b),
            14 => pool.bv_sdiv(a, b),
            15 => pool.bv_srem(a, b),
            16 => pool.bv_shl(a, b),
            17 => pool.bv_lshr(a, b),
            _ => pool.bv_ashr(a, b),
        }
    }

    /// Linear arithmetic; `div` and `mod` by nonzero constants.
    fn number(&self, random: &mut Random, pool: &mut TermPool, sort: Sort, depth: u32) -> Term {
        let a = self.term(random, pool, sort, depth);
        match random.below(7) {
            0 => pool.neg(a),
            1 => {
                let factor = BigRational::from_integer(BigInt::from(random.below(7) as i64 - 3));
                let factor = pool.number(sort, &factor);
                pool.mul(factor, a)
            }
            2 if sort == Sort::Int => {
                let divisor = pool.int(random.pick(&[-3, -2, 2, 3, 4]));
                if random.chance(1, 2) { pool.int_div(a, divisor) } else { pool.int_mod(a, divisor) }
            }
            3 if self.sorts.contains(&Sort::Real) => {
                let other = if sort == Sort::Int { Sort::Real } else { Sort::Int };
                let b = self.term(random, pool, other, depth);
                if sort == Sort::Int { pool.to_int(b) } else { pool.to_real(b) }
            }
            4 => {
                let b = self.term(random, pool, sort, depth);
                pool.sub(a, b)
            }
            _ => {
                let b = self.term(random, pool, sort, depth);
                pool.add(&[a, b])
            }
        }
    }
}
