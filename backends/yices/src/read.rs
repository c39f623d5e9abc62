//! Reads terms of Yices as terms of a pool: interpolants and projections.
//!
//! One pass with an explicit stack visits each Yices term once; the results are cached, for one
//! pool. Terms are built through [`TermPool::build`], which checks sorts.
//!
//! * Yices has one sort of numbers: integers are reals. A term is read as an integer if Yices
//!   declares it one, and converted to a real where it occurs beside a real. An atom over integers
//!   with fractions is multiplied by their common denominator.
//! * A Boolean or bit-vector constraint may refer to single bits. Neighboring bits of one term,
//!   negated or not, are read as an extraction, constant bits as constants, any other bit as
//!   `(ite bit #b1 #b0)`.
//!
//! Unsupported: roots of polynomials (MCSAT's atoms for nonlinear arithmetic that no polynomial
//! sign can express), functions as values, and auxiliary constants of the translation.

use crate::ffi::{Api, Constructor, Node, YTerm};
use crate::translate::{Origin, Translator};
use backends::Reason;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use rustc_hash::FxHashMap;
use terms::{BitVector, Op, Sort, Term, TermPool};

/// The cache, for one pool.
#[derive(Default)]
pub(crate) struct Reader {
    known: FxHashMap<YTerm, Term>,
}

/// A summand: coefficient and term; `None` for the constant.
type Part = (BigRational, Option<YTerm>);

/// The maximal exponent that is expanded as a product.
const LARGEST_EXPONENT: u32 = 64;

impl Reader {
    /// The term whose translation is `root`.
    ///
    /// # Errors
    /// [`Reason::Unsupported`] for terms without a counterpart.
    pub(crate) fn read(
        &mut self,
        api: &Api,
        pool: &mut TermPool,
        translator: &Translator,
        root: YTerm,
    ) -> Result<Term, Reason> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.known.contains_key(&term) {
                stack.pop();
                continue;
            }
            let level = Level { api, node: api.structure(term).map_err(Reason::Fault)? };
            let before = stack.len();
            level.dependencies(&mut |child| {
                if !self.known.contains_key(&child) {
                    stack.push(child);
                }
            })?;
            if stack.len() > before {
                continue;
            }
            let read = match level.node {
                Node::Uninterpreted => match translator.origin(term) {
                    Some(Origin::Symbol(symbol)) => symbol,
                    _ => return Err(Reason::Unsupported("auxiliary constants of the solver".to_owned())),
                },
                _ => level.build(pool, translator, term, &self.known)?,
            };
            self.known.insert(term, read);
            stack.pop();
        }
        Ok(self.known[&root])
    }
}

struct Level<'a> {
    api: &'a Api,
    node: Node,
}

/// One bit of a bit array.
enum Bit {
    Constant(bool),
    /// A bit of a term, possibly negated.
    Of {
        term: YTerm,
        index: u32,
        is_negated: bool,
    },
    Other(YTerm),
}

impl Level<'_> {
    /// The terms that must be read first.
    fn dependencies(&self, visit: &mut impl FnMut(YTerm)) -> Result<(), Reason> {
        match &self.node {
            Node::Bool(_) | Node::Rational(_) | Node::BitVec(..) | Node::Uninterpreted => {}
            Node::Bit { of, .. } => visit(*of),
            Node::Sum(parts) => parts.iter().filter_map(|part| part.1).for_each(visit),
            Node::BvSum(_, parts) => parts.iter().filter_map(|part| part.1).for_each(visit),
            Node::Product(factors) => factors.iter().for_each(|factor| visit(factor.0)),
            Node::Composite(Constructor::YICES_BV_ARRAY, bits) => {
                for &bit in bits {
                    match self.bit(bit)? {
                        Bit::Constant(_) => {}
                        Bit::Of { term, .. } | Bit::Other(term) => visit(term),
                    }
                }
            }
            // The function is not a term of the pool.
            Node::Composite(Constructor::YICES_APP_TERM, children) => {
                children.iter().skip(1).copied().for_each(visit);
            }
            Node::Composite(_, children) => children.iter().copied().for_each(visit),
        }
        Ok(())
    }

    fn bit(&self, bit: YTerm) -> Result<Bit, Reason> {
        let structure = |term| self.api.structure(term).map_err(Reason::Fault);
        Ok(match structure(bit)? {
            Node::Bool(value) => Bit::Constant(value),
            Node::Bit { index, of } => Bit::Of { term: of, index, is_negated: false },
            Node::Composite(Constructor::YICES_NOT_TERM, negated) => match structure(negated[0])? {
                Node::Bit { index, of } => Bit::Of { term: of, index, is_negated: true },
                _ => Bit::Other(bit),
            },
            _ => Bit::Other(bit),
        })
    }

    fn build(
        &self,
        pool: &mut TermPool,
        translator: &Translator,
        term: YTerm,
        known: &FxHashMap<YTerm, Term>,
    ) -> Result<Term, Reason> {
        match &self.node {
            Node::Bool(value) => Ok(pool.bool(*value)),
            Node::Rational(value) if value.is_integer() => Ok(pool.int_big(value.numer())),
            Node::Rational(value) => Ok(pool.real(value)),
            Node::BitVec(width, value) => {
                Ok(pool.bit_vector(&BitVector::from_natural(*width, value.clone())))
            }
            Node::Uninterpreted => unreachable!("the caller handles symbols"),
            Node::Bit { index, of } => {
                let bit = build(pool, Op::Extract { high: *index, low: *index }, &[known[of]])?;
                let one = pool.bv(1, 1);
                build(pool, Op::Eq, &[bit, one])
            }
            Node::Sum(parts) => {
                let sort = if self.api.is_integer(term) { Sort::Int } else { Sort::Real };
                sum(pool, sort, parts, known)
            }
            Node::BvSum(width, parts) => {
                let mut sum = pool.bv(*width, 0);
                for (coefficient, part) in parts {
                    let coefficient = pool.bit_vector(&BitVector::from_natural(*width, coefficient.clone()));
                    let summand = match part {
                        Some(part) => build(pool, Op::BvMul, &[coefficient, known[part]])?,
                        None => coefficient,
                    };
                    sum = build(pool, Op::BvAdd, &[sum, summand])?;
                }
                Ok(sum)
            }
            Node::Product(factors) => product(pool, factors, known),
            Node::Composite(constructor, children) => {
                self.composite(pool, translator, *constructor, children, known)
            }
        }
    }

    fn composite(
        &self,
        pool: &mut TermPool,
        translator: &Translator,
        constructor: Constructor,
        children: &[YTerm],
        known: &FxHashMap<YTerm, Term>,
    ) -> Result<Term, Reason> {
        let arguments = || -> Vec<Term> { children.iter().map(|child| known[child]).collect() };
        let operator = match constructor {
            Constructor::YICES_ITE_TERM => {
                let [condition, then, otherwise] = arguments()[..] else {
                    return Err(malformed(constructor));
                };
                let (then, otherwise) = alike(pool, then, otherwise)?;
                return build(pool, Op::Ite, &[condition, then, otherwise]);
            }
            Constructor::YICES_APP_TERM => {
                let Some((head, arguments)) = children.split_first() else {
                    return Err(malformed(constructor));
                };
                let Some(Origin::Function(function)) = translator.origin(*head) else {
                    return Err(Reason::Unsupported("auxiliary functions of the solver".to_owned()));
                };
                let sorts = pool.function_data(function).1.to_vec();
                let arguments =
                    arguments
                        .iter()
                        .zip(sorts)
                        .map(|(argument, sort)| {
                            if sort == Sort::Real { real(pool, known[argument]) } else { Ok(known[argument]) }
                        })
                        .collect::<Result<Vec<_>, _>>()?;
                return build(pool, Op::Apply(function), &arguments);
            }
            Constructor::YICES_EQ_TERM => return self.atom(pool, Op::Eq, children, known),
            // Inequality atoms of Yices are `left ≥ right`.
            Constructor::YICES_ARITH_GE_ATOM => {
                let swapped: Vec<YTerm> = children.iter().rev().copied().collect();
                return self.atom(pool, Op::Le, &swapped, known);
            }
            Constructor::YICES_DISTINCT_TERM => {
                let arguments = arguments();
                let mut conjuncts = Vec::new();
                for (i, &left) in arguments.iter().enumerate() {
                    for &right in &arguments[i + 1..] {
                        let (left, right) = alike(pool, left, right)?;
                        let equal = build(pool, Op::Eq, &[left, right])?;
                        conjuncts.push(pool.not(equal));
                    }
                }
                return Ok(pool.and(&conjuncts));
            }
            Constructor::YICES_XOR_TERM => {
                let mut parity = pool.fls();
                for argument in arguments() {
                    parity = build(pool, Op::Xor, &[parity, argument])?;
                }
                return Ok(parity);
            }
            Constructor::YICES_BV_ARRAY => return self.bits(pool, children, known),
            Constructor::YICES_BV_GE_ATOM | Constructor::YICES_BV_SGE_ATOM => {
                let [left, right] = arguments()[..] else { return Err(malformed(constructor)) };
                let signed = constructor == Constructor::YICES_BV_SGE_ATOM;
                return build(pool, if signed { Op::BvSle } else { Op::BvUle }, &[right, left]);
            }
            Constructor::YICES_ABS => {
                let [a] = arguments()[..] else { return Err(malformed(constructor)) };
                let negated = build(pool, Op::Neg, &[a])?;
                let is_negative = build(pool, Op::Le, &[a, negated])?;
                return build(pool, Op::Ite, &[is_negative, negated, a]);
            }
            // ⌈x⌉ = -⌊-x⌋
            Constructor::YICES_CEIL => {
                let [a] = arguments()[..] else { return Err(malformed(constructor)) };
                let a = real(pool, a)?;
                let negated = build(pool, Op::Neg, &[a])?;
                let floor = build(pool, Op::ToInt, &[negated])?;
                return build(pool, Op::Neg, &[floor]);
            }
            Constructor::YICES_FLOOR => {
                let [a] = arguments()[..] else { return Err(malformed(constructor)) };
                let a = real(pool, a)?;
                return build(pool, Op::ToInt, &[a]);
            }
            Constructor::YICES_IS_INT_ATOM => {
                let [a] = arguments()[..] else { return Err(malformed(constructor)) };
                let a = real(pool, a)?;
                let floor = build(pool, Op::ToInt, &[a])?;
                let floor = build(pool, Op::ToReal, &[floor])?;
                return build(pool, Op::Eq, &[floor, a]);
            }
            Constructor::YICES_DIVIDES_ATOM => {
                let [divisor, a] = arguments()[..] else { return Err(malformed(constructor)) };
                let remainder = build(pool, Op::IntMod, &[a, divisor])?;
                let zero = pool.int(0);
                return build(pool, Op::Eq, &[remainder, zero]);
            }
            Constructor::YICES_RDIV => {
                let [a, b] = arguments()[..] else { return Err(malformed(constructor)) };
                let (a, b) = (real(pool, a)?, real(pool, b)?);
                return build(pool, Op::RealDiv, &[a, b]);
            }
            Constructor::YICES_NOT_TERM => Op::Not,
            Constructor::YICES_OR_TERM => Op::Or,
            Constructor::YICES_IDIV => Op::IntDiv,
            Constructor::YICES_IMOD => Op::IntMod,
            Constructor::YICES_BV_DIV => Op::BvUdiv,
            Constructor::YICES_BV_REM => Op::BvUrem,
            Constructor::YICES_BV_SDIV => Op::BvSdiv,
            Constructor::YICES_BV_SREM => Op::BvSrem,
            Constructor::YICES_BV_SHL => Op::BvShl,
            Constructor::YICES_BV_LSHR => Op::BvLshr,
            Constructor::YICES_BV_ASHR => Op::BvAshr,
            other => return Err(Reason::Unsupported(format!("answers with {other:?}"))),
        };
        build(pool, operator, &arguments())
    }

    /// The summands of `term`, if it is a sum of multiples of integers that is not an integer
    /// itself.
    fn fractional_sum(&self, term: YTerm) -> Result<Option<Vec<Part>>, Reason> {
        match self.api.structure(term).map_err(Reason::Fault)? {
            Node::Sum(parts)
                if !self.api.is_integer(term)
                    && parts.iter().all(|part| part.1.is_none_or(|part| self.api.is_integer(part))) =>
            {
                Ok(Some(parts))
            }
            _ => Ok(None),
        }
    }

    /// `operator` applied to two terms of any sort.
    fn atom(
        &self,
        pool: &mut TermPool,
        operator: Op,
        children: &[YTerm],
        known: &FxHashMap<YTerm, Term>,
    ) -> Result<Term, Reason> {
        let &[left, right] = children else { return Err(malformed(Constructor::YICES_EQ_TERM)) };
        for (sum_side, other) in [(left, right), (right, left)] {
            let Some(parts) = self.fractional_sum(sum_side)? else { continue };
            let is_zero = matches!(
                self.api.structure(other).map_err(Reason::Fault)?,
                Node::Rational(value) if value == BigRational::from_integer(BigInt::ZERO)
            );
            if !is_zero {
                continue;
            }
            let denominator = parts.iter().fold(BigInt::from(1), |common, (coefficient, _)| {
                num_integer::Integer::lcm(&common, coefficient.denom())
            });
            let scaled: Vec<_> = parts
                .into_iter()
                .map(|(coefficient, part)| {
                    (coefficient * BigRational::from_integer(denominator.clone()), part)
                })
                .collect();
            let scaled = sum(pool, Sort::Int, &scaled, known)?;
            let zero = pool.int(0);
            let sides = if sum_side == left { [scaled, zero] } else { [zero, scaled] };
            return build(pool, operator, &sides);
        }
        let (left, right) = alike(pool, known[&left], known[&right])?;
        build(pool, operator, &[left, right])
    }

    /// The bit vector of these bits, lowest first.
    fn bits(
        &self,
        pool: &mut TermPool,
        bits: &[YTerm],
        known: &FxHashMap<YTerm, Term>,
    ) -> Result<Term, Reason> {
        let bits = bits.iter().map(|&bit| self.bit(bit)).collect::<Result<Vec<_>, _>>()?;
        let mut result: Option<Term> = None;
        let mut rest = &bits[..];
        while let Some(first) = rest.first() {
            let follows = |(i, bit): (usize, &Bit)| match (first, bit) {
                (Bit::Constant(_), Bit::Constant(_)) => true,
                (
                    Bit::Of { term, index, is_negated },
                    Bit::Of { term: other, index: at, is_negated: other_negated },
                ) => term == other && is_negated == other_negated && *at as usize == *index as usize + i,
                _ => i == 0,
            };
            let length = rest.iter().enumerate().take_while(|&bit| follows(bit)).count().max(1);
            let (run, after) = rest.split_at(length);
            rest = after;
            let width = u32::try_from(length).expect("a bit vector has fewer than 2^32 bits");
            let piece = match *first {
                Bit::Constant(_) => {
                    let mut value = BigUint::default();
                    for (i, bit) in run.iter().enumerate() {
                        value.set_bit(i as u64, matches!(bit, Bit::Constant(true)));
                    }
                    pool.bit_vector(&BitVector::from_natural(width, value))
                }
                Bit::Of { term, index, is_negated } => {
                    let high = index + width - 1;
                    let piece = build(pool, Op::Extract { high, low: index }, &[known[&term]])?;
                    if is_negated { build(pool, Op::BvNot, &[piece])? } else { piece }
                }
                Bit::Other(bit) => {
                    let (one, zero) = (pool.bv(1, 1), pool.bv(1, 0));
                    build(pool, Op::Ite, &[known[&bit], one, zero])?
                }
            };
            result = Some(match result {
                Some(low) => build(pool, Op::Concat, &[piece, low])?,
                None => piece,
            });
        }
        result.ok_or_else(|| malformed(Constructor::YICES_BV_ARRAY))
    }
}

fn malformed(constructor: Constructor) -> Reason {
    Reason::Fault(format!("malformed term in an answer of the solver ({constructor:?})"))
}

fn build(pool: &mut TermPool, operator: Op, children: &[Term]) -> Result<Term, Reason> {
    pool.build(operator, children).map_err(|error| Reason::Fault(format!("ill-sorted answer: {error}")))
}

/// An arithmetic term as a real.
fn real(pool: &mut TermPool, term: Term) -> Result<Term, Reason> {
    match pool.sort(term) {
        Sort::Int => build(pool, Op::ToReal, &[term]),
        _ => Ok(term),
    }
}

/// Converts two terms to a common sort; Yices may declare one an integer and the other a real.
fn alike(pool: &mut TermPool, left: Term, right: Term) -> Result<(Term, Term), Reason> {
    match (pool.sort(left), pool.sort(right)) {
        (Sort::Int, Sort::Real) => Ok((real(pool, left)?, right)),
        (Sort::Real, Sort::Int) => Ok((left, real(pool, right)?)),
        _ => Ok((left, right)),
    }
}

fn sum(
    pool: &mut TermPool,
    sort: Sort,
    parts: &[Part],
    known: &FxHashMap<YTerm, Term>,
) -> Result<Term, Reason> {
    let mut summands = Vec::with_capacity(parts.len());
    for (coefficient, part) in parts {
        let coefficient = pool.number(sort, coefficient);
        summands.push(match part {
            Some(part) => {
                let part = known[part];
                let part = if sort == Sort::Real { real(pool, part)? } else { part };
                build(pool, Op::Mul, &[coefficient, part])?
            }
            None => coefficient,
        });
    }
    if summands.is_empty() {
        return Ok(pool.number(sort, &BigRational::from_integer(BigInt::ZERO)));
    }
    build(pool, Op::Add, &summands)
}

/// The product of powers of bit vectors or numbers.
fn product(
    pool: &mut TermPool,
    factors: &[(YTerm, u32)],
    known: &FxHashMap<YTerm, Term>,
) -> Result<Term, Reason> {
    let mut product = None;
    for &(factor, exponent) in factors {
        if exponent > LARGEST_EXPONENT {
            return Err(Reason::Unsupported(format!("answers with powers of {exponent}")));
        }
        for _ in 0..exponent {
            product = Some(match product {
                None => known[&factor],
                Some(product) => {
                    let (left, right) = alike(pool, product, known[&factor])?;
                    let operator =
                        if matches!(pool.sort(left), Sort::BitVec(_)) { Op::BvMul } else { Op::Mul };
                    build(pool, operator, &[left, right])?
                }
            });
        }
    }
    product.ok_or_else(|| malformed(Constructor::YICES_POWER_PRODUCT))
}
