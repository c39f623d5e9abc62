//! Random formulas over bit vectors.

use terms::{Op, Sort, Term, TermPool};

/// A small generator of pseudo-random numbers (Marsaglia's xorshift).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(super) fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 11) % bound
    }

    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}

/// The operators in use.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Operators {
    /// Sums, differences and multiples.
    Sums,
    /// All operators that are translated exactly.
    Linear,
    /// All operators.
    Any,
}

/// A bit vector over `symbols`, all of the same width.
pub(super) fn word(
    pool: &mut TermPool,
    random: &mut Random,
    operators: Operators,
    symbols: &[Term],
    depth: u32,
) -> Term {
    let width = pool.width(symbols[0]);
    let constant = |pool: &mut TermPool, random: &mut Random| {
        let value = if random.below(3) == 0 { random.next() } else { random.below(7) };
        let value = if width < 64 { value & ((1 << width) - 1) } else { value };
        if random.below(4) == 0 {
            let value = pool.bv(width, value);
            pool.bv_neg(value)
        } else {
            pool.bv(width, value)
        }
    };
    if depth == 0 || random.below(6) == 0 {
        return if random.below(4) == 0 { constant(pool, random) } else { random.pick(symbols) };
    }
    let a = word(pool, random, operators, symbols, depth - 1);
    let b = word(pool, random, operators, symbols, depth - 1);
    let k = constant(pool, random);
    let kinds = match operators {
        Operators::Sums => 5,
        Operators::Linear => 16,
        Operators::Any => 24,
    };
    match random.below(kinds) {
        0 | 1 => pool.bv_add(a, b),
        2 => pool.bv_sub(a, b),
        3 => pool.bv_mul(k, a),
        4 => {
            let condition = comparison(pool, random, a, b);
            let c = word(pool, random, operators, symbols, depth - 1);
            pool.ite(condition, c, a)
        }
        5 => pool.bv_neg(a),
        6 => pool.bv_not(a),
        kind @ 7..=10 => {
            let op = [Op::BvUdiv, Op::BvUrem, Op::BvSdiv, Op::BvSrem][kind as usize - 7];
            pool.build(op, &[a, k]).unwrap()
        }
        11 => {
            let op = random.pick(&[Op::BvShl, Op::BvLshr, Op::BvAshr]);
            let amount = random.below(u64::from(width) + 1);
            let amount = pool.bv(width, amount & (u64::MAX >> (64 - width)));
            pool.build(op, &[a, amount]).unwrap()
        }
        12 => {
            let low = random.below(u64::from(width)) as u32;
            let part = pool.extract(width - 1, low, a);
            if random.below(2) == 0 { pool.zero_extend(low, part) } else { pool.sign_extend(low, part) }
        }
        13 => {
            let high = random.below(u64::from(width)) as u32;
            let part = pool.extract(high, 0, a);
            let bits = width - 1 - high;
            if random.below(2) == 0 { pool.zero_extend(bits, part) } else { pool.sign_extend(bits, part) }
        }
        14 => {
            let both = pool.concat(a, b);
            let low = random.below(u64::from(width) + 1) as u32;
            pool.extract(low + width - 1, low, both)
        }
        15 => {
            let ones = random.below(u64::from(width)) + 1;
            let shift = random.below(u64::from(width) - ones + 1);
            let mask = pool.bv(width, (u64::MAX >> (64 - ones)) << shift);
            pool.bv_and(a, mask)
        }
        16 => pool.bv_mul(a, b),
        17 => pool.bv_and(a, b),
        18 => pool.bv_or(a, b),
        19 => pool.bv_xor(a, b),
        20 => pool.bv_shl(a, b),
        kind => {
            let op = [Op::BvUdiv, Op::BvSrem, Op::BvAshr][kind as usize - 21];
            pool.build(op, &[a, b]).unwrap()
        }
    }
}

fn comparison(pool: &mut TermPool, random: &mut Random, a: Term, b: Term) -> Term {
    let op = random.pick(&[Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle, Op::BvSle]);
    pool.build(op, &[a, b]).unwrap()
}

/// A formula over `symbols`, all of the same width.
pub(super) fn formula(
    pool: &mut TermPool,
    random: &mut Random,
    operators: Operators,
    symbols: &[Term],
    depth: u32,
) -> Term {
    if depth > 0 && random.below(3) > 0 {
        let a = formula(pool, random, operators, symbols, depth - 1);
        let b = formula(pool, random, operators, symbols, depth - 1);
        return match random.below(4) {
            0 => pool.and2(a, b),
            1 => pool.or2(a, b),
            2 => pool.not(a),
            _ => pool.xor(a, b),
        };
    }
    let a = word(pool, random, operators, symbols, 2);
    let b = word(pool, random, operators, symbols, 1);
    comparison(pool, random, a, b)
}

/// Symbols of one width.
pub(super) fn symbols(pool: &mut TermPool, width: u32, names: &[&str]) -> Vec<Term> {
    names.iter().map(|name| pool.symbol(name, Sort::BitVec(width))).collect()
}
