//! Narrowing by bounds: simplifies terms by an interval analysis (`intervals`).
//!
//! If the ranges allow it, terms with a single value become constants; products of two unknown
//! factors are computed in as many bits as the result needs, and extended; so are quotients and
//! remainders of operands that are extended themselves, as C promotes them to `int` (in linear
//! encodings, other operands would first have to be reduced); signed division and remainder of
//! nonnegative numbers become unsigned, and so does their sign extension. Then
//! [simplification](super::simplify) removes decided branches.
//!
//! Cost: that of the analysis; each term is rewritten once for each block that uses it.

use super::back::BackTranslator;
use super::simplify::{Events, simplify};
use crate::intervals::{Abstract, Analysis, Facts, Range, Widening};
use program::ssa::{Block, Function, Program};
use rustc_hash::FxHashMap;
use terms::{BitVector, Op, Term, TermPool};

/// Folds and narrows terms by the ranges of values.
pub fn narrow(pool: &mut TermPool, program: &mut Program) -> BackTranslator {
    let before = simplify(pool, program, Events::Keep);
    let old = program.clone();
    if let Some(analysis) = Analysis::run(pool, &old, Widening::QUICK) {
        rewrite(pool, program, &analysis);
    }
    before.then(simplify(pool, program, Events::Keep))
}

fn rewrite(pool: &mut TermPool, program: &mut Program, analysis: &Analysis<'_>) {
    for (function, data) in program.functions.iter_mut() {
        let blocks: Vec<Block> = data.blocks.keys().collect();
        for block in blocks {
            let Some(facts) = analysis.at(function, block) else { continue };
            let mut narrowing = Narrowing {
                analysis,
                function,
                facts,
                known: FxHashMap::default(),
                done: FxHashMap::default(),
            };
            let block = &mut data.blocks[block];
            for instruction in &mut block.instructions {
                instruction.kind.map_terms(|term| narrowing.term(pool, term));
            }
            block.terminator.map_terms(|term| narrowing.term(pool, term));
        }
    }
}

/// Rewrites terms under the same facts.
struct Narrowing<'a> {
    analysis: &'a Analysis<'a>,
    function: Function,
    facts: Facts,
    known: FxHashMap<Term, Abstract>,
    done: FxHashMap<Term, Term>,
}

impl Narrowing<'_> {
    fn term(&mut self, pool: &mut TermPool, term: Term) -> Term {
        if let Some(&done) = self.done.get(&term) {
            return done;
        }
        self.analysis.evaluate(pool, self.function, self.facts, term, &mut self.known);
        let mut order = Vec::new();
        pool.visit(&[term], |below| !self.done.contains_key(&below), |below| order.push(below));
        for below in order {
            if self.done.contains_key(&below) {
                continue;
            }
            let new = match constant(pool, self.known.get(&below).copied()) {
                Some(constant) => constant,
                None => self.rebuilt(pool, below),
            };
            self.done.insert(below, new);
        }
        self.done[&term]
    }

    fn range(&self, term: Term) -> Option<Range> {
        match self.known.get(&term) {
            Some(Abstract::Range(range)) => Some(*range),
            _ => None,
        }
    }

    fn rebuilt(&self, pool: &mut TermPool, term: Term) -> Term {
        let old = pool.children(term).to_vec();
        let new: Vec<Term> = old.iter().map(|child| self.done[child]).collect();
        let ranges: Option<Vec<Range>> = old.iter().map(|&child| self.range(child)).collect();
        let natural =
            ranges.as_ref().is_some_and(|ranges| ranges.iter().all(|range| range.is_non_negative()));
        match (pool.op(term), &new[..]) {
            (Op::BvMul, &[a, b]) if !pool.is_constant(a) && !pool.is_constant(b) => {
                let narrowed = ranges.and_then(|ranges| narrow_product(pool, [a, b], [ranges[0], ranges[1]]));
                narrowed.unwrap_or_else(|| pool.bv_mul(a, b))
            }
            (op @ (Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem), &[a, b]) => {
                let op = match op {
                    Op::BvSdiv if natural => Op::BvUdiv,
                    Op::BvSrem if natural => Op::BvUrem,
                    op => op,
                };
                let narrowed =
                    ranges.and_then(|ranges| narrow_division(pool, op, [a, b], [ranges[0], ranges[1]]));
                narrowed.unwrap_or_else(|| divide(pool, op, [a, b]))
            }
            (Op::SignExtend(bits), &[a]) if natural => pool.zero_extend(bits, a),
            _ if new == old => term,
            _ => pool.rebuild(term, &new),
        }
    }
}

/// The constant of an abstract value with a single element.
fn constant(pool: &mut TermPool, known: Option<Abstract>) -> Option<Term> {
    match known? {
        Abstract::Range(range) => {
            let value = u64::try_from(range.single()?).ok()?;
            Some(pool.bit_vector(&BitVector::new(range.width, value)))
        }
        truth => truth.as_truth().map(|value| pool.bool(value)),
    }
}

fn divide(pool: &mut TermPool, op: Op, [a, b]: [Term; 2]) -> Term {
    match op {
        Op::BvUdiv => pool.bv_udiv(a, b),
        Op::BvUrem => pool.bv_urem(a, b),
        Op::BvSdiv => pool.bv_sdiv(a, b),
        _ => pool.bv_srem(a, b),
    }
}

/// The quotient or remainder `op` of extended operands in fewer bits, if this saves at least a
/// quarter. Remainders fit into the bits of the operands, also by 0, and so does a quotient but for
/// that of the least number by -1, which needs one bit more.
fn narrow_division(pool: &mut TermPool, op: Op, operands: [Term; 2], ranges: [Range; 2]) -> Option<Term> {
    let width = ranges[0].width;
    let signed = ranges[0].signed_bits().max(ranges[1].signed_bits());
    let bits = match op {
        Op::BvSdiv => signed + 1,
        Op::BvSrem => signed,
        _ => ranges[0].bits().max(ranges[1].bits()).max(1),
    };
    let is_extended = |&operand: &Term| match pool.op(operand) {
        Op::SignExtend(more) | Op::ZeroExtend(more) => width - more <= bits,
        _ => pool.is_constant(operand),
    };
    if bits * 4 > width * 3 || !operands.iter().all(is_extended) {
        return None;
    }
    let narrow = operands.map(|operand| pool.extract(bits - 1, 0, operand));
    let result = divide(pool, op, narrow);
    let more = width - bits;
    if matches!(op, Op::BvSdiv | Op::BvSrem) {
        return Some(pool.sign_extend(more, result));
    }
    let result = pool.zero_extend(more, result);
    // The unsigned quotient by 0 has all bits.
    if op == Op::BvUrem || ranges[1].unsigned.0 > 0 {
        return Some(result);
    }
    let [zero, ones] = [0, -1].map(|value| pool.bv_i64(width, value));
    let is_zero = pool.eq(operands[1], zero);
    Some(pool.ite(is_zero, ones, result))
}

/// The product in fewer bits, unsigned or in two's complement, if this saves at least a quarter.
fn narrow_product(pool: &mut TermPool, factors: [Term; 2], ranges: [Range; 2]) -> Option<Term> {
    let width = ranges[0].width;
    let natural = ranges[0]
        .unsigned
        .1
        .checked_mul(ranges[1].unsigned.1)
        .map(|most| (128 - most.leading_zeros()).max(1));
    // |x| < 2^(m-1) and |y| < 2^(n-1), with equality at the negative end.
    let signed = ranges[0].signed_bits() + ranges[1].signed_bits();
    let is_natural = natural.is_some_and(|natural| natural <= signed);
    let bits = natural.unwrap_or(signed).min(signed);
    if bits * 4 > width * 3 {
        return None;
    }
    let [a, b] = factors.map(|factor| pool.extract(bits - 1, 0, factor));
    let product = pool.bv_mul(a, b);
    let more = width - bits;
    Some(if is_natural { pool.zero_extend(more, product) } else { pool.sign_extend(more, product) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use terms::{Random, Representation, Sort};

    const WIDTH: u32 = 8;
    const OPERATORS: [Op; 5] = [Op::BvMul, Op::BvUdiv, Op::BvUrem, Op::BvSdiv, Op::BvSrem];

    /// A symbol of three to five bits, its extension, and the values of that.
    fn operand(pool: &mut TermPool, random: &mut Random) -> (Term, Term, Range) {
        let bits = 3 + (random.number() % 3) as u32;
        let symbol = pool.fresh_symbol("x", Sort::BitVec(bits), Representation::Signed);
        let half = 1i128 << (bits - 1);
        let (extended, range) = match random.number().is_multiple_of(2) {
            true => (pool.sign_extend(WIDTH - bits, symbol), Range::of_signed(WIDTH, (-half, half - 1))),
            false => (pool.zero_extend(WIDTH - bits, symbol), Range::of_unsigned(WIDTH, (0, 2 * half - 1))),
        };
        (symbol, extended, range.expect("a range"))
    }

    #[test]
    fn narrow_operations_have_the_same_results() {
        let mut random = Random::new(1);
        let mut narrowed = 0;
        for round in 0..400 {
            let mut pool = TermPool::new();
            let [(x, a, of_a), (y, b, of_b)] = [(); 2].map(|()| operand(&mut pool, &mut random));
            let op = OPERATORS[round % OPERATORS.len()];
            let (old, new) = match op {
                Op::BvMul => (pool.bv_mul(a, b), narrow_product(&mut pool, [a, b], [of_a, of_b])),
                op => {
                    let old = divide(&mut pool, op, [a, b]);
                    (old, narrow_division(&mut pool, op, [a, b], [of_a, of_b]))
                }
            };
            let Some(new) = new else { continue };
            narrowed += 1;
            let values = |pool: &TermPool, symbol| 0..1u64 << pool.width(symbol);
            for v in values(&pool, x) {
                for w in values(&pool, y) {
                    let [v, w] = [(x, v), (y, w)].map(|(symbol, value)| pool.bv(pool.width(symbol), value));
                    let mut at = |term| {
                        pool.map_leaves(term, &mut |_, leaf| match leaf {
                            leaf if leaf == x => Some(v),
                            leaf if leaf == y => Some(w),
                            _ => None,
                        })
                    };
                    assert_eq!(at(old), at(new), "{op:?} at {v:?} and {w:?}");
                }
            }
        }
        assert!(narrowed > 150, "only {narrowed} operations are narrowed");
    }
}
