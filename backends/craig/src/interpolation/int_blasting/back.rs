//! Translation from integers back to bit vectors.
//!
//! # Idea
//! The lowest `w` bits of a sum are the sum of the lowest `w` bits of its operands, for every `w`,
//! and the remainder of a division by `2^k` has the same lowest bits for `w ≤ k`. Every integer
//! term therefore has *bits* of any width (`Task::Bits`), and a term within the range of a width,
//! signed or unsigned, equals its bits of this width. The translation of an atom must only
//! determine the width:
//!
//! * `P = N` is the equality of `w` bits if `|P - N| < 2^w`. In `y = 2x mod 2^32` both sides are
//!   below `2^32`, so it is `y = 2x` over 32 bits; `y = 2x` over the integers needs 34.
//! * `P ≤ N` with positive coefficients on both sides is a comparison over the fewest bits that
//!   hold both sides, signed if one of the sides may be negative.
//! * A division by any other number is a division over as many bits as hold the dividend.
//!
//! The translation is exact: the result holds for bit vectors if and only if the formula holds for
//! the integers that represent them. With `Form::Narrow`, an atom that needs more bits than its
//! variables have gets only the bits of its variables, as a person would write it. That formula is
//! not equivalent and must be checked.
//!
//! # Cost
//! Linear in the number of subterms and the widths requested of each; no recursion.
//!
//! # Limits
//! Atoms that mix bit vectors with integers of the source problem have no translation; nor do reads
//! whose index may be outside of the array.

use super::dictionary::{Dictionary, Interval, OF_FUNCTIONS, Word, of_elements, width_of};
use super::operations::Operation;
use super::ranges::{positive, ranges, source_of_array};
use super::sums::{Sum, congruence, sum, with_equations};
use backends::Reason;
use backends::interpolation::elimination::{Inequality, Linear};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::{FunctionSymbol, Op, Representation, Sort, Term, TermPool};

/// Maximum width of a bit vector that the translation creates.
const MOST_BITS: u32 = 1 << 12;

/// The number of bits of an atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As many as equivalence takes.
    Exact,
    /// As many as the variables of the atom have.
    Narrow,
}

/// Translates a formula over integers to bit vectors.
///
/// # Errors
/// [`Reason::Unsupported`] for terms without a translation.
pub fn back(pool: &mut TermPool, dictionary: &Dictionary, form: Form, formula: Term) -> Result<Term, Reason> {
    let formula = with_equations(pool, formula);
    let ranges = ranges(pool, dictionary, formula);
    let concerned = concerned(pool, dictionary, formula);
    let mut words = Words { dictionary, form, ranges, concerned, done: FxHashMap::default() };
    let mut work = vec![Task::Formula(formula)];
    while let Some(&task) = work.last() {
        if words.done.contains_key(&task) {
            work.pop();
            continue;
        }
        match words.step(pool, task) {
            Ok(term) => {
                words.done.insert(task, term);
                work.pop();
            }
            Err(Stop::Missing(tasks)) => work.extend(tasks),
            Err(Stop::Refused(what)) => {
                return Err(Reason::Unsupported(format!(
                    "int-blasting: cannot translate {what} back to bit vectors"
                )));
            }
        }
    }
    Ok(words.done[&Task::Formula(formula)])
}

/// A term and the form in which it is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Task {
    Formula(Term),
    /// The lowest bits of an integer.
    Bits(Term, u32),
    Array(Term),
}

/// Why a step is unfinished.
enum Stop {
    /// These tasks must be done first.
    Missing(Vec<Task>),
    Refused(String),
}

type Made = Result<Term, Stop>;

struct Words<'a> {
    dictionary: &'a Dictionary,
    form: Form,
    ranges: FxHashMap<Term, Interval>,
    /// The terms that depend on bit vectors.
    concerned: FxHashSet<Term>,
    done: FxHashMap<Task, Term>,
}

/// The subterms of `formula` that depend on a name in the dictionary.
fn concerned(pool: &TermPool, dictionary: &Dictionary, formula: Term) -> FxHashSet<Term> {
    let mut found: FxHashSet<Term> = FxHashSet::default();
    pool.visit(
        &[formula],
        |_| true,
        |term| {
            let is_one = match pool.op(term) {
                Op::Symbol(symbol) => {
                    dictionary.words.contains_key(&symbol) || dictionary.arrays.contains_key(&symbol)
                }
                Op::Apply(function)
                    if dictionary.functions.contains_key(&function)
                        || Operation::of(pool, function).is_some() =>
                {
                    true
                }
                _ => pool.children(term).iter().any(|child| found.contains(child)),
            };
            if is_one {
                found.insert(term);
            }
        },
    );
    found
}

impl Words<'_> {
    fn need(&self, task: Task) -> Made {
        self.done.get(&task).copied().ok_or_else(|| Stop::Missing(vec![task]))
    }

    fn need_all(&self, tasks: impl Iterator<Item = Task>) -> Result<Vec<Term>, Stop> {
        let (mut made, mut missing) = (Vec::new(), Vec::new());
        for task in tasks {
            match self.done.get(&task) {
                Some(&term) => made.push(term),
                None => missing.push(task),
            }
        }
        if missing.is_empty() { Ok(made) } else { Err(Stop::Missing(missing)) }
    }

    fn step(&mut self, pool: &mut TermPool, task: Task) -> Made {
        match task {
            Task::Formula(term) | Task::Array(term) if !self.concerned.contains(&term) => Ok(term),
            Task::Formula(term) => self.formula(pool, term),
            Task::Bits(term, width) => self.bits(pool, term, width),
            Task::Array(term) => self.array(pool, term),
        }
    }

    fn formula(&mut self, pool: &mut TermPool, term: Term) -> Made {
        let children = pool.children(term).to_vec();
        match pool.op(term) {
            Op::Not | Op::And | Op::Or | Op::Xor | Op::Ite => {
                let made = self.need_all(children.into_iter().map(Task::Formula))?;
                Ok(pool.rebuild(term, &made))
            }
            Op::Eq => match pool.sort(children[0]) {
                Sort::Bool => {
                    let made = self.need_all(children.into_iter().map(Task::Formula))?;
                    Ok(pool.rebuild(term, &made))
                }
                Sort::Int => self.equality(pool, &Linear::difference(pool, children[0], children[1])),
                Sort::Array(_) => {
                    let made = self.arrays(pool, term, &children)?;
                    Ok(pool.eq(made[0], made[1]))
                }
                _ => Err(refused(pool, term)),
            },
            Op::Le | Op::Lt if pool.sort(children[0]) == Sort::Int => {
                let inequality = Inequality::of(pool, term).ok_or_else(|| refused(pool, term))?;
                self.inequality(pool, &inequality.linear)
            }
            Op::Apply(function) => self.application(pool, function, &children),
            _ => Err(refused(pool, term)),
        }
    }

    /// `linear = 0`.
    fn equality(&mut self, pool: &mut TermPool, linear: &Linear) -> Made {
        let (sum, gcd) = sum(linear);
        if !sum.constant.is_multiple_of(&gcd) {
            return Ok(pool.fls());
        }
        let sum = sum.divided(&gcd);
        if let Some((dividend, bits)) = congruence(pool, &sum) {
            let (left, right) = dividend.sides();
            let (left, right) = (self.side(pool, &left, bits)?, self.side(pool, &right, bits)?);
            return Ok(pool.eq(left, right));
        }
        let sum = self.with_signs(pool, sum);
        let range = self.range(pool, &sum)?;
        if range.low.is_positive() || range.high.is_negative() {
            return Ok(pool.fls());
        }
        // Both ends of the interval are less than 2^width away from 0.
        let exact = [&range.low, &range.high].map(|end| end.bits()).into_iter().max().unwrap_or(0);
        let exact = u32::try_from(exact).unwrap_or(u32::MAX).max(1);
        let width = match self.form {
            Form::Exact => exact,
            Form::Narrow => exact.min(self.natural_width(pool, &sum)?),
        };
        let (left, right) = sum.sides();
        let (left, right) = (self.side(pool, &left, width)?, self.side(pool, &right, width)?);
        Ok(pool.eq(left, right))
    }

    /// `linear ≤ 0`.
    fn inequality(&mut self, pool: &mut TermPool, linear: &Linear) -> Made {
        let (sum, gcd) = sum(linear);
        // Σ k·t + c ≤ 0 is Σ (k/g)·t + ⌈c/g⌉ ≤ 0.
        let parts = sum.parts.into_iter().map(|(term, k)| (term, k / &gcd)).collect();
        let sum = self.with_signs(pool, Sum { parts, constant: sum.constant.div_ceil(&gcd) });
        let range = self.range(pool, &sum)?;
        if !range.high.is_positive() {
            return Ok(pool.tru());
        }
        if range.low.is_positive() {
            return Ok(pool.fls());
        }
        let (mut left, mut right) = sum.sides();
        // P + 1 ≤ N is P < N.
        let is_strict = left.constant.is_one() && !left.parts.is_empty() && !right.parts.is_empty();
        if is_strict {
            left.constant = BigInt::zero();
        }
        let both = self.range(pool, &left)?.hull(&self.range(pool, &right)?);
        let (mut width, mut representation) = both.fit();
        if self.form == Form::Narrow {
            let natural = self.natural_width(pool, &sum)?;
            if natural < width {
                width = natural;
                representation = self.natural_sign(&sum);
                let is_difference = left.parts.len() == 1 && right.parts.len() == 1;
                if is_difference && !left.constant.is_zero() {
                    // x + 5 ≤ y is 5 ≤ y - x.
                    let (base, k) = left.parts.remove(0);
                    right.parts.push((base, -k));
                } else if is_difference && !right.constant.is_zero() {
                    let (base, k) = right.parts.remove(0);
                    left.parts.push((base, -k));
                }
            }
        }
        let (left, right) = (self.side(pool, &left, width)?, self.side(pool, &right, width)?);
        Ok(match (representation, is_strict) {
            (Representation::Signed, false) => pool.bv_sle(left, right),
            (Representation::Signed, true) => pool.bv_slt(left, right),
            (Representation::Unsigned, false) => pool.bv_ule(left, right),
            (Representation::Unsigned, true) => pool.bv_ult(left, right),
        })
    }

    /// The sum over the bits of its parts.
    fn side(&self, pool: &mut TermPool, sum: &Sum, width: u32) -> Made {
        let bits = self.need_all(sum.parts.iter().map(|&(term, _)| Task::Bits(term, width)))?;
        let mut total: Option<Term> = None;
        let mut subtracted = Vec::new();
        for (bits, (_, k)) in bits.into_iter().zip(&sum.parts) {
            if *k == BigInt::from(-1) {
                subtracted.push(bits);
                continue;
            }
            let factor = pool.bv_big(width, k);
            let product = if k.is_one() { bits } else { pool.bv_mul(factor, bits) };
            total = Some(match total {
                Some(total) => pool.bv_add(total, product),
                None => product,
            });
        }
        for bits in subtracted {
            total = Some(match total {
                Some(total) => pool.bv_sub(total, bits),
                None => pool.bv_neg(bits),
            });
        }
        let constant = pool.bv_big(width, &sum.constant);
        Ok(match total {
            Some(total) if sum.constant.is_zero() => total,
            Some(total) => pool.bv_add(total, constant),
            None => constant,
        })
    }

    fn bits(&self, pool: &mut TermPool, term: Term, width: u32) -> Made {
        if width > MOST_BITS {
            return Err(Stop::Refused(format!("a term of {width} bits")));
        }
        let children = pool.children(term).to_vec();
        match pool.op(term) {
            Op::IntConst(_) => {
                let value = pool.as_int(term).expect("the operator is an integer constant").clone();
                Ok(pool.bv_big(width, &value))
            }
            Op::Symbol(symbol) => match self.dictionary.words.get(&symbol) {
                Some(&Word { source, representation, .. }) => {
                    Ok(resized(pool, source, representation, width))
                }
                None => Err(refused(pool, term)),
            },
            Op::Add => {
                let (sum, _) = sum(&Linear::of(pool, term));
                self.side(pool, &sum, width)
            }
            Op::Sub | Op::Mul | Op::Neg => {
                let made = self.need_all(children.iter().map(|&child| Task::Bits(child, width)))?;
                Ok(match (pool.op(term), &made[..]) {
                    (Op::Sub, &[a, b]) => pool.bv_sub(a, b),
                    (Op::Mul, &[a, b]) => pool.bv_mul(a, b),
                    _ => pool.bv_neg(made[0]),
                })
            }
            Op::Ite => {
                let branches = children[1..].iter().map(|&child| Task::Bits(child, width));
                let made = self.need_all(branches)?;
                // The branches of an `ite` that brings a value back into its range have the same
                // bits.
                if made[0] == made[1] {
                    return Ok(made[0]);
                }
                let condition = self.need(Task::Formula(children[0]))?;
                Ok(pool.ite(condition, made[0], made[1]))
            }
            Op::IntDiv | Op::IntMod => self.division(pool, term, width),
            Op::Apply(function) if self.dictionary.functions.contains_key(&function) => {
                let made = self.application(pool, function, &children)?;
                if width_of(pool.sort(made)).is_none() {
                    return Err(refused(pool, term));
                }
                Ok(resized(pool, made, OF_FUNCTIONS, width))
            }
            Op::Apply(function) => self.operation(pool, term, function, width),
            Op::Select => {
                let array = self.need(Task::Array(children[0]))?;
                let Sort::Array(parts) = pool.sort(array) else { return Err(refused(pool, term)) };
                let (index, element) = pool.array_sort_parts(parts);
                let index = self.argument(pool, children[1], index, |_| Representation::Unsigned)?;
                let read = pool.select(array, index);
                match width_of(element) {
                    Some(of) => Ok(resized(pool, read, of_elements(of), width)),
                    None => Err(refused(pool, term)),
                }
            }
            _ => Err(refused(pool, term)),
        }
    }

    /// The bits of a quotient or remainder.
    fn division(&self, pool: &mut TermPool, term: Term, width: u32) -> Made {
        let (dividend, divisor) = (pool.children(term)[0], pool.children(term)[1]);
        let Some(divisor) = positive(pool, divisor).cloned() else { return Err(refused(pool, term)) };
        let is_quotient = pool.op(term) == Op::IntDiv;
        let power = divisor.trailing_zeros().and_then(|zeros| u32::try_from(zeros).ok());
        if let Some(power) = power.filter(|&power| BigInt::one() << power == divisor) {
            if is_quotient {
                // The bits above the lowest `power`.
                let bits = self.need(Task::Bits(dividend, power + width))?;
                return Ok(pool.extract(power + width - 1, power, bits));
            }
            let bits = self.need(Task::Bits(dividend, width.min(power)))?;
            return Ok(resized(pool, bits, Representation::Unsigned, width));
        }
        let Some(range) = self.ranges.get(&dividend) else { return Err(refused(pool, term)) };
        // Adding a multiple of the divisor makes the dividend nonnegative.
        let periods = if range.low.is_negative() { (-&range.low).div_ceil(&divisor) } else { BigInt::zero() };
        let offset = &periods * &divisor;
        let largest = Interval { low: BigInt::zero(), high: (&range.high + &offset).max(divisor.clone()) };
        let (enough, _) = largest.fit();
        let bits = self.need(Task::Bits(dividend, enough))?;
        let offset = pool.bv_big(enough, &offset);
        let moved = if periods.is_zero() { bits } else { pool.bv_add(bits, offset) };
        let divisor = pool.bv_big(enough, &divisor);
        let made = if is_quotient { pool.bv_udiv(moved, divisor) } else { pool.bv_urem(moved, divisor) };
        let made = resized(pool, made, Representation::Unsigned, width);
        if !is_quotient || periods.is_zero() {
            return Ok(made);
        }
        let periods = pool.bv_big(width, &periods);
        Ok(pool.bv_sub(made, periods))
    }

    /// The bits of an abstracted operation.
    fn operation(&self, pool: &mut TermPool, term: Term, function: FunctionSymbol, width: u32) -> Made {
        let &[a, b] = pool.children(term) else { return Err(refused(pool, term)) };
        match Operation::of(pool, function) {
            Some(Operation::Product) => {
                let made = self.need_all([a, b].into_iter().map(|child| Task::Bits(child, width)))?;
                Ok(pool.bv_mul(made[0], made[1]))
            }
            Some(Operation::Conjunction) => {
                let made = self.need_all([a, b].into_iter().map(|child| Task::Bits(child, width)))?;
                Ok(pool.bv_and(made[0], made[1]))
            }
            Some(Operation::Bits { op, width: own, left, right }) => {
                let a = self.argument(pool, a, Sort::BitVec(own), |_| left)?;
                let b = self.argument(pool, b, Sort::BitVec(own), |_| right)?;
                let made = pool.build(op, &[a, b]).map_err(|error| Stop::Refused(error.to_string()))?;
                Ok(resized(pool, made, left, width))
            }
            None => Err(refused(pool, term)),
        }
    }

    /// The application of the source function of `function`.
    fn application(&self, pool: &mut TermPool, function: FunctionSymbol, arguments: &[Term]) -> Made {
        let Some(&source) = self.dictionary.functions.get(&function) else {
            return Err(Stop::Refused(format!("the function {}", pool.function_data(function).0)));
        };
        let sorts = pool.function_data(source).1.to_vec();
        let mut made = Vec::with_capacity(sorts.len());
        for (&argument, sort) in arguments.iter().zip(sorts) {
            made.push(self.argument(pool, argument, sort, |_| OF_FUNCTIONS)?);
        }
        Ok(pool.apply(source, &made))
    }

    /// Translates a term to `sort`. A bit vector must be within the given representation.
    fn argument(
        &self,
        pool: &mut TermPool,
        term: Term,
        sort: Sort,
        representation: impl Fn(u32) -> Representation,
    ) -> Made {
        match sort {
            Sort::BitVec(width) => {
                let all = Interval::of(width, representation(width));
                match self.ranges.get(&term) {
                    Some(range) if all.contains(range) => self.need(Task::Bits(term, width)),
                    _ => Err(Stop::Refused(format!("{}, which may exceed its range,", pool.display(term)))),
                }
            }
            Sort::Bool => self.need(Task::Formula(term)),
            _ if !self.concerned.contains(&term) => Ok(term),
            // An integer that is the result of a function.
            _ => match (pool.op(term), pool.children(term).to_vec()) {
                (Op::Apply(function), children) if self.dictionary.functions.contains_key(&function) => {
                    self.application(pool, function, &children)
                }
                _ => Err(refused(pool, term)),
            },
        }
    }

    /// Two arrays, operands of `term`, as arrays of the same sort. One that does not depend on bit
    /// vectors stays an array of integers; if its elements are constants, it gets the sort of the
    /// other.
    fn arrays(&self, pool: &mut TermPool, term: Term, two: &[Term]) -> Result<[Term; 2], Stop> {
        let made = self.need_all(two.iter().map(|&array| Task::Array(array)))?;
        let [a, b] = [made[0], made[1]];
        let (of_a, of_b) = (pool.sort(a), pool.sort(b));
        if of_a == of_b {
            return Ok([a, b]);
        }
        let found = match (self.concerned.contains(&two[0]), self.concerned.contains(&two[1])) {
            (true, false) => constants(pool, b, of_a).map(|b| [a, b]),
            (false, true) => constants(pool, a, of_b).map(|a| [a, b]),
            _ => None,
        };
        found.ok_or_else(|| refused(pool, term))
    }

    fn array(&self, pool: &mut TermPool, term: Term) -> Made {
        let children = pool.children(term).to_vec();
        match pool.op(term) {
            Op::Symbol(symbol) => match self.dictionary.arrays.get(&symbol) {
                Some(&source) => Ok(source),
                None => Err(refused(pool, term)),
            },
            Op::Ite => {
                let branches = self.arrays(pool, term, &children[1..])?;
                let condition = self.need(Task::Formula(children[0]))?;
                Ok(pool.ite(condition, branches[0], branches[1]))
            }
            Op::Store => {
                let array = self.need(Task::Array(children[0]))?;
                let source = source_of_array(pool, self.dictionary, term);
                let Some(Sort::Array(parts)) = source.map(|source| pool.sort(source)) else {
                    return Err(refused(pool, term));
                };
                let (index, element) = pool.array_sort_parts(parts);
                let index = self.argument(pool, children[1], index, |_| Representation::Unsigned)?;
                let value = self.argument(pool, children[2], element, of_elements)?;
                Ok(pool.store(array, index, value))
            }
            _ => Err(refused(pool, term)),
        }
    }

    /// The interval of a sum.
    fn range(&self, pool: &TermPool, sum: &Sum) -> Result<Interval, Stop> {
        let mut total = Interval::point(sum.constant.clone());
        for (term, k) in &sum.parts {
            let range = self.ranges.get(term).ok_or_else(|| refused(pool, *term))?;
            total = total.plus(&range.times(k));
        }
        Ok(total)
    }

    /// The largest width of a part of the sum.
    fn natural_width(&self, pool: &TermPool, sum: &Sum) -> Result<u32, Stop> {
        let mut most = 1;
        for (term, _) in &sum.parts {
            let range = self.ranges.get(term).ok_or_else(|| refused(pool, *term))?;
            most = most.max(range.fit().0);
        }
        Ok(most)
    }

    /// Signed if a part of the sum may be negative.
    fn natural_sign(&self, sum: &Sum) -> Representation {
        let may_be_negative = sum
            .parts
            .iter()
            .any(|(term, _)| self.ranges.get(term).is_some_and(|range| range.low.is_negative()));
        if may_be_negative { Representation::Signed } else { Representation::Unsigned }
    }

    /// Replaces each remainder of `t + 2^(k-1)` by `2^k` with a signed number, the remainder minus
    /// `2^(k-1)`, and adjusts the constant. The encoder writes signed numbers in this form.
    fn with_signs(&mut self, pool: &mut TermPool, mut sum: Sum) -> Sum {
        for (term, k) in &mut sum.parts {
            let &[dividend, modulus] = pool.children(*term) else { continue };
            let (Op::IntMod, Some(modulus)) = (pool.op(*term), positive(pool, modulus)) else { continue };
            let half: BigInt = modulus >> 1;
            let is_power = modulus.trailing_zeros() == Some(modulus.bits() - 1);
            let offset = Linear::of(pool, dividend).constant.to_integer().mod_floor(modulus);
            let Some(range) = self.ranges.get(term) else { continue };
            if !is_power || offset != half || half.is_zero() {
                continue;
            }
            let range = range.plus(&Interval::point(-&half));
            let minus_half = pool.int_big(&-&half);
            *term = pool.add(&[*term, minus_half]);
            self.ranges.insert(*term, range);
            sum.constant += &*k * half;
        }
        sum
    }
}

/// The array of bit vectors of the sort `sort` with the elements of `array`, which are constants
/// like the indices of its stores. `None` if it is no such array, or a number is out of range.
fn constants(pool: &mut TermPool, array: Term, sort: Sort) -> Option<Term> {
    let Sort::Array(parts) = sort else { return None };
    let (index, element) = pool.array_sort_parts(parts);
    let (index, element) = (width_of(index)?, width_of(element)?);
    let word = |pool: &mut TermPool, term: Term, width: u32, representation: Representation| {
        let value = pool.as_int(term)?.clone();
        Interval::of(width, representation)
            .contains(&Interval::point(value.clone()))
            .then(|| pool.bv_big(width, &value))
    };
    let mut stores = Vec::new();
    let mut base = array;
    while pool.op(base) == Op::Store {
        stores.push((pool.children(base)[1], pool.children(base)[2]));
        base = pool.children(base)[0];
    }
    let Op::ConstArray(_) = pool.op(base) else { return None };
    let value = word(pool, pool.children(base)[0], element, of_elements(element))?;
    let mut made = pool.const_array(sort, value);
    for (place, value) in stores.into_iter().rev() {
        let place = word(pool, place, index, Representation::Unsigned)?;
        let value = word(pool, value, element, of_elements(element))?;
        made = pool.store(made, place, value);
    }
    Some(made)
}

/// Extends or truncates a bit vector to `width` bits.
fn resized(pool: &mut TermPool, term: Term, representation: Representation, width: u32) -> Term {
    let own = pool.width(term);
    match representation {
        _ if width < own => pool.extract(width - 1, 0, term),
        _ if width == own => term,
        Representation::Signed => pool.sign_extend(width - own, term),
        Representation::Unsigned => pool.zero_extend(width - own, term),
    }
}

fn refused(pool: &TermPool, term: Term) -> Stop {
    Stop::Refused(pool.display(term).to_string())
}
