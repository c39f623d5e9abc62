//! Narrowing by bounds: simplifies terms by an interval analysis (`intervals`).
//!
//! If the ranges allow it, terms with a single value become constants; products of two unknown
//! factors are computed in as many bits as the result needs, and extended; signed division and
//! remainder of nonnegative numbers become unsigned, and so does their sign extension. Then
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
            (Op::BvSdiv, &[a, b]) if natural => pool.bv_udiv(a, b),
            (Op::BvSrem, &[a, b]) if natural => pool.bv_urem(a, b),
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
