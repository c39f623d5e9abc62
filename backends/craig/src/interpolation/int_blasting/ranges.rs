//! Intervals of integer terms, for all values of the bit vectors behind them.
//!
//! # Idea
//! Interval arithmetic from the leaves up, with a refinement for `ite`: overflow is written as
//! `ite(x - y < 2^31, x - y, x - y - 2^32)`, where the comparison bounds the branches. A condition
//! on a sum therefore bounds the same sum in the branches, also through nested `ite`s.
//!
//! A term that depends on integers of the source problem has no interval.

use super::dictionary::{Dictionary, Interval, OF_FUNCTIONS, of_elements, width_of};
use super::operations::Operation;
use backends::interpolation::elimination::{Inequality, Linear};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;
use terms::{Op, Sort, Term, TermPool};

/// Maximum number of branches of one `ite` that are explored.
const MOST_BRANCHES: usize = 16;

/// The intervals of all integer subterms of `root` that have one.
pub(super) fn ranges(pool: &TermPool, dictionary: &Dictionary, root: Term) -> FxHashMap<Term, Interval> {
    let mut ranges = FxHashMap::default();
    pool.visit(
        &[root],
        |_| true,
        |term| {
            if pool.sort(term) == Sort::Int
                && let Some(range) = range(pool, dictionary, &ranges, term)
            {
                ranges.insert(term, range);
            }
        },
    );
    ranges
}

fn range(
    pool: &TermPool,
    dictionary: &Dictionary,
    ranges: &FxHashMap<Term, Interval>,
    term: Term,
) -> Option<Interval> {
    let children = pool.children(term);
    let of = |child: usize| ranges.get(&children[child]);
    match pool.op(term) {
        Op::IntConst(_) => Some(Interval::point(pool.as_int(term)?.clone())),
        Op::Symbol(symbol) => {
            dictionary.words.get(&symbol).map(|word| Interval::of(word.width, word.representation))
        }
        Op::Add => children
            .iter()
            .try_fold(Interval::point(BigInt::ZERO), |sum, child| Some(sum.plus(ranges.get(child)?))),
        Op::Sub => Some(of(0)?.plus(&of(1)?.times(&BigInt::from(-1)))),
        Op::Neg => Some(of(0)?.times(&BigInt::from(-1))),
        Op::Mul => Some(of(0)?.product(of(1)?)),
        Op::Ite => choice(pool, ranges, term),
        Op::IntDiv => {
            let divisor = positive(pool, children[1])?;
            let of = of(0)?;
            Some(Interval { low: of.low.div_floor(divisor), high: of.high.div_floor(divisor) })
        }
        Op::IntMod => {
            let modulus = positive(pool, children[1])?;
            let all = Interval { low: BigInt::ZERO, high: modulus - 1 };
            match of(0) {
                Some(of) if all.contains(of) => Some(of.clone()),
                _ => Some(all),
            }
        }
        Op::Apply(function) => match dictionary.functions.get(&function) {
            Some(&source) => {
                let (_, _, result) = pool.function_data(source);
                width_of(result).map(|width| Interval::of(width, OF_FUNCTIONS))
            }
            None => Operation::of(pool, function)?.range(of(0)?, of(1)?),
        },
        Op::Select => {
            let array = source_of_array(pool, dictionary, children[0])?;
            let Sort::Array(parts) = pool.sort(array) else { return None };
            let (_, element) = pool.array_sort_parts(parts);
            width_of(element).map(|width| Interval::of(width, of_elements(width)))
        }
        _ => None,
    }
}

/// The constant, if it is positive.
pub(super) fn positive(pool: &TermPool, term: Term) -> Option<&BigInt> {
    pool.as_int(term).filter(|value| value.is_positive())
}

/// An array symbol of the source problem with the source sort of `array`.
pub(super) fn source_of_array(pool: &TermPool, dictionary: &Dictionary, array: Term) -> Option<Term> {
    let mut array = array;
    loop {
        match pool.op(array) {
            Op::Symbol(symbol) => return dictionary.arrays.get(&symbol).copied(),
            Op::Store => array = pool.children(array)[0],
            Op::Ite => array = pool.children(array)[1],
            _ => return None,
        }
    }
}

/// A sum without its constant, normalized so that multiples have the same key.
type Key = Vec<(Term, BigInt)>;

/// A sum with a known interval.
#[derive(Clone)]
struct Known {
    key: Key,
    range: Interval,
}

/// An unexplored branch.
struct Branch {
    term: Term,
    known: Option<Known>,
    /// The interval of the `ite`'s value that outer conditions imply.
    clip: Option<Interval>,
}

/// The interval of an `ite`.
fn choice(pool: &TermPool, ranges: &FxHashMap<Term, Interval>, term: Term) -> Option<Interval> {
    let mut found: Option<Interval> = None;
    let mut work = vec![Branch { term, known: None, clip: None }];
    let mut steps = 0;
    while let Some(Branch { term, known, clip }) = work.pop() {
        let mut own = clip;
        if let Some(range) = ranges.get(&term) {
            let range = match &known {
                Some(known) => refine(pool, term, range.clone(), known),
                None => Some(range.clone()),
            };
            let range = range.and_then(|range| match &own {
                Some(clip) => clip.meet(&range),
                None => Some(range),
            });
            // The branch is infeasible.
            let Some(range) = range else { continue };
            own = Some(range);
        }
        steps += 1;
        match pool.children(term) {
            &[condition, then, otherwise] if pool.op(term) == Op::Ite && steps < MOST_BRANCHES => {
                for (branch, holds) in [(then, true), (otherwise, false)] {
                    let known = match assume(pool, ranges, condition, holds, known.as_ref()) {
                        Assumed::Never => continue,
                        Assumed::Known(known) => Some(known),
                        Assumed::Nothing => known.clone(),
                    };
                    work.push(Branch { term: branch, known, clip: own.clone() });
                }
            }
            _ => {
                let own = own?;
                found = Some(match found {
                    Some(found) => found.hull(&own),
                    None => own,
                });
            }
        }
    }
    found
}

enum Assumed {
    /// The condition cannot have this value.
    Never,
    Known(Known),
    /// The condition is not about a sum, so nothing is known.
    Nothing,
}

/// The interval that follows from the value `holds` of `condition`.
fn assume(
    pool: &TermPool,
    ranges: &FxHashMap<Term, Interval>,
    condition: Term,
    holds: bool,
    known: Option<&Known>,
) -> Assumed {
    let Some(inequality) = Inequality::of(pool, condition) else { return Assumed::Nothing };
    if inequality.linear.sort != Sort::Int {
        return Assumed::Nothing;
    }
    let Some((key, factor)) = key(&inequality.linear) else { return Assumed::Nothing };
    let constant = inequality.linear.constant.to_integer();
    let before = match known {
        Some(known) if known.key == key => known.range.clone(),
        _ => {
            let sum = key.iter().try_fold(Interval::point(BigInt::ZERO), |sum, (base, k)| {
                Some(sum.plus(&ranges.get(base)?.times(k)))
            });
            let Some(sum) = sum else { return Assumed::Nothing };
            sum
        }
    };
    // factor · key + constant ≤ 0, or ≥ 1.
    let Interval { mut low, mut high } = before;
    match (holds, factor.is_positive()) {
        (true, true) => high = high.min((-constant).div_floor(&factor)),
        (true, false) => low = low.max(constant.div_ceil(&-factor)),
        (false, true) => low = low.max((BigInt::one() - constant).div_ceil(&factor)),
        (false, false) => high = high.min((constant - BigInt::one()).div_floor(&-factor)),
    }
    if low > high { Assumed::Never } else { Assumed::Known(Known { key, range: Interval { low, high } }) }
}

/// The interval `own` of `term`, refined by `known`; `None` if it is empty.
fn refine(pool: &TermPool, term: Term, own: Interval, known: &Known) -> Option<Interval> {
    let linear = Linear::of(pool, term);
    match key(&linear) {
        Some((key, factor)) if key == known.key => {
            let offset = Interval::point(linear.constant.to_integer());
            own.meet(&known.range.times(&factor).plus(&offset))
        }
        _ => Some(own),
    }
}

/// `linear` as a multiple of a sum with coprime coefficients, up to its constant; `None` for a
/// constant.
fn key(linear: &Linear) -> Option<(Key, BigInt)> {
    let coefficients: Vec<BigInt> = linear.parts.iter().map(|(_, k)| k.to_integer()).collect();
    let mut factor = coefficients.iter().fold(BigInt::zero(), |gcd, k| gcd.gcd(k));
    if coefficients.first()?.is_negative() {
        factor = -factor;
    }
    debug_assert!(
        linear.parts.iter().all(|(_, k)| BigRational::is_integer(k)),
        "sums of integers have integer coefficients"
    );
    let key = linear.parts.iter().zip(coefficients).map(|((base, _), k)| (*base, k / &factor)).collect();
    Some((key, factor))
}
