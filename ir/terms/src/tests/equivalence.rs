//! Constructors preserve semantics. Random formulas are built through the constructors and,
//! independently, computed step by step by a reference implementation that does not use terms; the
//! simplified term must evaluate to the same value under the same assignments.

mod floats;

use super::z3;
use crate::{
    ArrayValue, Assignment, BitVector, Completion, Evaluator, Op, RoundingMode, Sort, Substitution, Term,
    TermPool, Value,
};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use proptest::prelude::*;

/// One operator application: an operator and the indices of earlier results to apply it to.
type Step = (u8, u16, u16, u16);

struct Entry {
    term: Term,
    /// The reference value under each assignment.
    values: Vec<Value>,
}

struct Builder {
    pool: TermPool,
    entries: Vec<Entry>,
    assignments: Vec<Assignment>,
    array: Sort,
    max_width: u32,
}

/// A small deterministic generator of values of variables.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
}

const INDEX: u32 = 2;

impl Builder {
    fn new(widths: &[u32], seed: u64) -> Self {
        let mut pool = TermPool::new();
        let array = pool.array_sort(Sort::BitVec(INDEX), Sort::BitVec(widths[0]));
        let mut builder = Builder {
            pool,
            entries: Vec::new(),
            assignments: (0..12).map(|_| Assignment::with_completion(Completion::Default)).collect(),
            array,
            max_width: widths.iter().sum::<u32>() * 2,
        };
        let mut noise = Noise(seed);
        let mut sorts =
            vec![Sort::Bool, Sort::Bool, Sort::Bool, Sort::Int, Sort::Int, Sort::Int, Sort::Real, Sort::Real];
        sorts.extend([array, array, Sort::BitVec(INDEX)]);
        sorts.extend([Sort::RoundingMode, Sort::Float(3, 4), Sort::Float(3, 4), Sort::Float(3, 4)]);
        sorts.extend([Sort::Float(4, 5), Sort::Float(4, 5)]);
        for &width in widths {
            sorts.extend([Sort::BitVec(width); 3]);
        }
        for (i, &sort) in sorts.iter().enumerate() {
            let term = builder.pool.symbol(&format!("x{i}"), sort);
            let Op::Symbol(symbol) = builder.pool.op(term) else { unreachable!() };
            let mut values = Vec::new();
            for assignment in &mut builder.assignments {
                let value = random_value(&mut noise, sort, widths[0]);
                assignment.set(symbol, value.clone());
                values.push(value);
            }
            builder.entries.push(Entry { term, values });
        }
        builder
    }

    fn pick(&self, choice: u16, wanted: impl Fn(Sort) -> bool) -> Option<usize> {
        let fitting: Vec<usize> =
            (0..self.entries.len()).filter(|&i| wanted(self.pool.sort(self.entries[i].term))).collect();
        // Prefers later entries, so that formulas grow deep.
        let choice = choice as usize;
        match fitting.len() {
            0 => None,
            n if choice.is_multiple_of(2) => Some(fitting[n - 1 - (choice / 2) % n.min(4)]),
            n => Some(fitting[choice / 2 % n]),
        }
    }

    fn push(&mut self, term: Term, arguments: &[usize], reference: impl Fn(&[&Value]) -> Value) {
        let values = (0..self.assignments.len())
            .map(|i| {
                let arguments: Vec<&Value> = arguments.iter().map(|&a| &self.entries[a].values[i]).collect();
                reference(&arguments)
            })
            .collect();
        self.entries.push(Entry { term, values });
    }

    fn step(&mut self, (op, a, b, c): Step) -> Option<()> {
        let group = op % 10;
        match group {
            0 | 1 => self.boolean(op / 10, a, b, c),
            2..=5 => self.bit_vector(op / 10 + 26 * (group - 2), a, b, c),
            6 => self.number(op / 10, a, b, c),
            7 => self.array(op / 10, a, b, c),
            _ => self.float(op / 10 + 26 * (group - 8), a, b, c),
        }
    }

    fn boolean(&mut self, op: u8, a: u16, b: u16, c: u16) -> Option<()> {
        let is_bool = |sort| sort == Sort::Bool;
        let (x, y, z) = (self.pick(a, is_bool)?, self.pick(b, is_bool)?, self.pick(c, is_bool)?);
        let (tx, ty, tz) = (self.entries[x].term, self.entries[y].term, self.entries[z].term);
        let pool = &mut self.pool;
        let b = |value: &Value| value.as_bool().expect("Boolean");
        match op % 11 {
            0 => {
                let term = pool.not(tx);
                self.push(term, &[x], |v| Value::Bool(!b(v[0])));
            }
            1 | 2 => {
                let term = pool.and(&[tx, ty, tz]);
                self.push(term, &[x, y, z], |v| Value::Bool(b(v[0]) && b(v[1]) && b(v[2])));
            }
            3 | 4 => {
                let term = pool.or(&[tx, ty, tz]);
                self.push(term, &[x, y, z], |v| Value::Bool(b(v[0]) || b(v[1]) || b(v[2])));
            }
            5 => {
                let term = pool.and2(tx, ty);
                self.push(term, &[x, y], |v| Value::Bool(b(v[0]) && b(v[1])));
            }
            6 => {
                let term = pool.or2(tx, ty);
                self.push(term, &[x, y], |v| Value::Bool(b(v[0]) || b(v[1])));
            }
            7 => {
                let term = pool.xor(tx, ty);
                self.push(term, &[x, y], |v| Value::Bool(b(v[0]) != b(v[1])));
            }
            8 => {
                let term = pool.ite(tx, ty, tz);
                self.push(term, &[x, y, z], |v| Value::Bool(if b(v[0]) { b(v[1]) } else { b(v[2]) }));
            }
            9 => {
                let term = pool.eq(tx, ty);
                self.push(term, &[x, y], |v| Value::Bool(b(v[0]) == b(v[1])));
            }
            _ => {
                let term = pool.implies(tx, ty);
                self.push(term, &[x, y], |v| Value::Bool(!b(v[0]) || b(v[1])));
            }
        }
        Some(())
    }

    fn bit_vector(&mut self, op: u8, a: u16, b: u16, c: u16) -> Option<()> {
        const BINARY: [Op; 13] = [
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
            Op::BvAdd,
            Op::BvSub,
            Op::BvMul,
            Op::BvUdiv,
            Op::BvUrem,
            Op::BvSdiv,
            Op::BvSrem,
            Op::BvShl,
            Op::BvLshr,
            Op::BvAshr,
        ];
        const COMPARE: [Op; 4] = [Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle];
        let x = self.pick(a, |sort| matches!(sort, Sort::BitVec(_)))?;
        let tx = self.entries[x].term;
        let width = self.pool.width(tx);
        let y = self.pick(b, |sort| sort == Sort::BitVec(width))?;
        let ty = self.entries[y].term;
        match op % 40 {
            i @ 0..13 => {
                let op = BINARY[i as usize];
                let term = self.pool.bv_binary(op, tx, ty);
                self.push(term, &[x, y], |v| reference_binary(op, width, v[0], v[1]));
            }
            i @ 13..17 => {
                let op = COMPARE[i as usize - 13];
                let term = match op {
                    Op::BvUlt => self.pool.bv_ult(tx, ty),
                    Op::BvUle => self.pool.bv_ule(tx, ty),
                    Op::BvSlt => self.pool.bv_slt(tx, ty),
                    _ => self.pool.bv_sle(tx, ty),
                };
                self.push(term, &[x, y], |v| {
                    let (a, b) = (unsigned(v[0]), unsigned(v[1]));
                    let (sa, sb) = (signed(width, v[0]), signed(width, v[1]));
                    Value::Bool(match op {
                        Op::BvUlt => a < b,
                        Op::BvUle => a <= b,
                        Op::BvSlt => sa < sb,
                        _ => sa <= sb,
                    })
                });
            }
            17 => {
                let term = self.pool.bv_not(tx);
                self.push(term, &[x], |v| natural(width, -BigInt::one() - unsigned(v[0])));
            }
            18 => {
                let term = self.pool.bv_neg(tx);
                self.push(term, &[x], |v| natural(width, -unsigned(v[0])));
            }
            19..=22 => {
                let term = self.pool.eq(tx, ty);
                self.push(term, &[x, y], |v| Value::Bool(unsigned(v[0]) == unsigned(v[1])));
            }
            23..=25 => {
                let condition = self.pick(c, |sort| sort == Sort::Bool)?;
                let term = self.pool.ite(self.entries[condition].term, tx, ty);
                self.push(term, &[condition, x, y], |v| {
                    if *v[0] == Value::Bool(true) { v[1].clone() } else { v[2].clone() }
                });
            }
            26..=28 => {
                // The form of a truth value in C.
                let condition = self.pick(c, |sort| sort == Sort::Bool)?;
                let k1 = self.pool.bv(width, u64::from(b % 4));
                let k2 = self.pool.bv(width, u64::from(b / 4 % 3));
                let term = self.pool.ite(self.entries[condition].term, k1, k2);
                self.push(term, &[condition], |v| {
                    Value::bv(width, u64::from(if *v[0] == Value::Bool(true) { b % 4 } else { b / 4 % 3 }))
                });
            }
            29..=30 => {
                let z = self.pick(c, |sort| matches!(sort, Sort::BitVec(_)))?;
                let tz = self.entries[z].term;
                let low = self.pool.width(tz);
                if width + low > self.max_width {
                    return None;
                }
                let term = self.pool.concat(tx, tz);
                self.push(term, &[x, z], |v| natural(width + low, (unsigned(v[0]) << low) + unsigned(v[1])));
            }
            31..=33 => {
                let low = u32::from(b) % width;
                let high = low + u32::from(c) % (width - low);
                let term = self.pool.extract(high, low, tx);
                self.push(term, &[x], |v| natural(high - low + 1, unsigned(v[0]) >> low));
            }
            34 | 35 => {
                let bits = u32::from(b) % 4;
                if width + bits > self.max_width {
                    return None;
                }
                let is_signed = op.is_multiple_of(2);
                let term =
                    if is_signed { self.pool.sign_extend(bits, tx) } else { self.pool.zero_extend(bits, tx) };
                self.push(term, &[x], |v| {
                    natural(width + bits, if is_signed { signed(width, v[0]) } else { unsigned(v[0]) })
                });
            }
            _ => {
                let value = if b.is_multiple_of(3) {
                    BigInt::from(c % 4) - 2
                } else {
                    BigInt::from(c) * BigInt::from(b)
                };
                let term = self.pool.bv_big(width, &value);
                self.push(term, &[], |_| natural(width, value.clone()));
            }
        }
        Some(())
    }

    fn number(&mut self, op: u8, a: u16, b: u16, c: u16) -> Option<()> {
        let x = self.pick(a, |sort| matches!(sort, Sort::Int | Sort::Real))?;
        let tx = self.entries[x].term;
        let sort = self.pool.sort(tx);
        let y = self.pick(b, |other| other == sort)?;
        let z = self.pick(c, |other| other == sort)?;
        let (ty, tz) = (self.entries[y].term, self.entries[z].term);
        let of = move |value: BigRational| match sort {
            Sort::Int => Value::Int(value.to_integer()),
            _ => Value::Real(value),
        };
        let pool = &mut self.pool;
        match op % 16 {
            0 => {
                let term = pool.add(&[tx, ty, tz]);
                self.push(term, &[x, y, z], |v| of(rational(v[0]) + rational(v[1]) + rational(v[2])));
            }
            1 | 2 => {
                let term = pool.sub(tx, ty);
                self.push(term, &[x, y], |v| of(rational(v[0]) - rational(v[1])));
            }
            3 => {
                let term = pool.neg(tx);
                self.push(term, &[x], |v| of(-rational(v[0])));
            }
            4 => {
                let term = pool.mul(tx, ty);
                self.push(term, &[x, y], |v| of(rational(v[0]) * rational(v[1])));
            }
            5 | 6 => {
                let value = BigRational::from_integer(BigInt::from(c % 7) - 3);
                let term = pool.number(sort, &value);
                self.push(term, &[], |_| of(value.clone()));
            }
            7 | 8 => {
                let term = pool.le(tx, ty);
                self.push(term, &[x, y], |v| Value::Bool(rational(v[0]) <= rational(v[1])));
            }
            9 | 10 => {
                let term = pool.lt(tx, ty);
                self.push(term, &[x, y], |v| Value::Bool(rational(v[0]) < rational(v[1])));
            }
            11 => {
                let term = pool.eq(tx, ty);
                self.push(term, &[x, y], |v| Value::Bool(v[0] == v[1]));
            }
            12 => {
                let condition = self.pick(c, |sort| sort == Sort::Bool)?;
                let term = self.pool.ite(self.entries[condition].term, tx, ty);
                self.push(term, &[condition, x, y], |v| {
                    if *v[0] == Value::Bool(true) { v[1].clone() } else { v[2].clone() }
                });
            }
            13 if sort == Sort::Int => {
                let term = pool.to_real(tx);
                self.push(term, &[x], |v| Value::Real(rational(v[0])));
            }
            13 => {
                let term = pool.to_int(tx);
                self.push(term, &[x], |v| Value::Int(rational(v[0]).floor().to_integer()));
            }
            _ if sort == Sort::Int => {
                let is_div = op.is_multiple_of(2);
                let term = if is_div { pool.int_div(tx, ty) } else { pool.int_mod(tx, ty) };
                self.push(term, &[x, y], |v| {
                    let (a, b) = (v[0].as_int().expect("Int").clone(), v[1].as_int().expect("Int").clone());
                    if b.is_zero() {
                        return Value::Int(if is_div { BigInt::zero() } else { a });
                    }
                    let mut remainder = &a % &b;
                    if remainder.is_negative() {
                        remainder += b.abs();
                    }
                    Value::Int(if is_div { (a - remainder) / b } else { remainder })
                });
            }
            _ => {
                let term = pool.real_div(tx, ty);
                self.push(term, &[x, y], |v| {
                    let b = rational(v[1]);
                    Value::Real(if b.is_zero() { b } else { rational(v[0]) / b })
                });
            }
        }
        Some(())
    }

    fn array(&mut self, op: u8, a: u16, b: u16, c: u16) -> Option<()> {
        let array = self.array;
        let Sort::Array(parts) = array else { unreachable!() };
        let element = self.pool.array_sort_parts(parts).1;
        let x = self.pick(a, |sort| sort == array)?;
        let y = self.pick(b, |sort| sort == array)?;
        let index = self.pick(b, |sort| sort == Sort::BitVec(INDEX))?;
        let value = self.pick(c, |sort| sort == element)?;
        let (tx, ty) = (self.entries[x].term, self.entries[y].term);
        let (ti, tv) = (self.entries[index].term, self.entries[value].term);
        let pool = &mut self.pool;
        let read = |array: &Value, index: &Value| match array {
            Value::Array(array) => array.select(index).clone(),
            _ => unreachable!("an array"),
        };
        match op % 8 {
            0..=2 => {
                let term = pool.store(tx, ti, tv);
                self.push(term, &[x, index, value], |v| {
                    let Value::Array(mut array) = v[0].clone() else { unreachable!("an array") };
                    array.store(v[1].clone(), v[2].clone());
                    Value::Array(array)
                });
            }
            3 | 4 => {
                let term = pool.select(tx, ti);
                self.push(term, &[x, index], |v| read(v[0], v[1]));
            }
            5 => {
                let term = pool.const_array(array, tv);
                self.push(term, &[value], |v| Value::Array(ArrayValue::constant(v[0].clone())));
            }
            6 => {
                let condition = self.pick(c, |sort| sort == Sort::Bool)?;
                let term = self.pool.ite(self.entries[condition].term, tx, ty);
                self.push(term, &[condition, x, y], |v| {
                    if *v[0] == Value::Bool(true) { v[1].clone() } else { v[2].clone() }
                });
            }
            _ => {
                let term = pool.eq(tx, ty);
                self.push(term, &[x, y], |v| {
                    Value::Bool((0..1u64 << INDEX).all(|i| {
                        let index = Value::bv(INDEX, i);
                        read(v[0], &index) == read(v[1], &index)
                    }))
                });
            }
        }
        Some(())
    }

    fn check(mut self) -> Result<(), TestCaseError> {
        for (i, assignment) in self.assignments.iter().enumerate() {
            let mut evaluator = Evaluator::new();
            for entry in &self.entries {
                let value = evaluator.eval(&self.pool, entry.term, assignment);
                prop_assert_eq!(value.as_ref(), Ok(&entry.values[i]), "{}", self.pool.display(entry.term));
            }
        }
        for entry in &self.entries {
            let Some(sum) = self.pool.bv_sum(entry.term) else { continue };
            let term = self.pool.bv_sum_term(&sum);
            for (assignment, expected) in self.assignments.iter().zip(&entry.values) {
                let value = crate::eval(&self.pool, term, assignment);
                prop_assert_eq!(value.as_ref(), Ok(expected), "{}", self.pool.display(entry.term));
            }
        }
        // If all leaves are constants, constructors fold to the constant that evaluation computes.
        let mut substitution = Substitution::new();
        for (i, assignment) in self.assignments.iter().enumerate() {
            substitution.clear();
            for entry in &self.entries {
                let sort = self.pool.sort(entry.term);
                let assigned = |pool: &mut TermPool, leaf: Term| match pool.op(leaf) {
                    Op::Symbol(symbol) => {
                        let sort = pool.sort(leaf);
                        assignment.get(symbol).expect("assigned").clone().to_term(pool, sort)
                    }
                    _ => None,
                };
                let folded = substitution.apply_with(&mut self.pool, entry.term, &mut { assigned });
                // The result does not depend on the table of images.
                let mapped = self.pool.map_leaves(entry.term, &mut { assigned });
                prop_assert_eq!(mapped, folded);
                let has_open_result = |pool: &TermPool| {
                    let mut found = false;
                    pool.visit(
                        &[folded],
                        |_| true,
                        |t| {
                            let op = pool.op(t);
                            found |=
                                matches!(op, Op::IntDiv | Op::IntMod | Op::RealDiv) || floats::is_open(op);
                        },
                    );
                    found
                };
                if matches!(sort, Sort::Array(_)) {
                    // Equal arrays may have different terms.
                    let value = crate::eval(&self.pool, folded, assignment);
                    prop_assert_eq!(value.as_ref(), Ok(&entry.values[i]));
                } else if !self.pool.is_constant(folded) && !has_open_result(&self.pool) {
                    // Only equalities of arrays may remain.
                    let mut found = false;
                    self.pool.visit(
                        &[folded],
                        |_| true,
                        |t| found |= matches!(self.pool.sort(t), Sort::Array(_)),
                    );
                    prop_assert!(
                        found,
                        "{} did not fold: {}",
                        self.pool.display(entry.term),
                        self.pool.display(folded)
                    );
                } else if self.pool.is_constant(folded) {
                    let expected = entry.values[i].to_term(&mut self.pool, sort);
                    prop_assert_eq!(Some(folded), expected);
                }
            }
        }
        Ok(())
    }
}

fn random_value(noise: &mut Noise, sort: Sort, element: u32) -> Value {
    match sort {
        Sort::Bool => Value::Bool(noise.next().is_multiple_of(2)),
        Sort::Int => Value::int(noise.next() as i64 % 13 - 6),
        Sort::Real => Value::Real(BigRational::new(
            BigInt::from(noise.next() as i64 % 13 - 6),
            BigInt::from(noise.next() % 3 + 1),
        )),
        Sort::BitVec(width) => {
            let value = BigInt::from(noise.next()) * BigInt::from(noise.next()) * BigInt::from(noise.next());
            let value = if noise.next().is_multiple_of(4) { value % 3 - 1 } else { value };
            Value::BitVec(BitVector::from_integer(width, &value))
        }
        Sort::Array(_) => {
            let mut array = ArrayValue::constant(Value::bv(element, noise.next()));
            for _ in 0..noise.next() % 4 {
                array.store(Value::bv(INDEX, noise.next()), Value::bv(element, noise.next()));
            }
            Value::Array(array)
        }
        Sort::RoundingMode => Value::RoundingMode(RoundingMode::ALL[noise.next() as usize % 5]),
        Sort::Float(exponent, significand) => floats::random_value(noise, exponent, significand),
        Sort::Uninterpreted(_) => unreachable!("no variable of another sort"),
    }
}

fn rational(value: &Value) -> BigRational {
    match value {
        Value::Int(value) => BigRational::from_integer(value.clone()),
        Value::Real(value) => value.clone(),
        _ => unreachable!("a number"),
    }
}

fn unsigned(value: &Value) -> BigInt {
    BigInt::from(value.as_bv().expect("a bit vector").to_natural())
}

fn signed(width: u32, value: &Value) -> BigInt {
    let value = unsigned(value);
    if value >= BigInt::one() << (width - 1) { value - (BigInt::one() << width) } else { value }
}

/// `value` modulo `2^width` by integer arithmetic instead of masks.
fn natural(width: u32, value: BigInt) -> Value {
    let modulus = BigInt::one() << width;
    let mut rest = value % &modulus;
    if rest.is_negative() {
        rest += modulus;
    }
    Value::BitVec(BitVector::from_natural(width, rest.to_biguint().expect("not negative")))
}

/// SMT-LIB's definitions: bit by bit for the bitwise operators, on integers for the others.
fn reference_binary(op: Op, width: u32, a: &Value, b: &Value) -> Value {
    let (x, y) = (unsigned(a), unsigned(b));
    let (sx, sy) = (signed(width, a), signed(width, b));
    let ones: BigInt = (BigInt::one() << width) - 1;
    let bitwise = |f: fn(bool, bool) -> bool| {
        let (p, q) = (a.as_bv().expect("bits"), b.as_bv().expect("bits"));
        (0..width).filter(|&i| f(p.bit(i), q.bit(i))).map(|i| BigInt::one() << i).sum::<BigInt>()
    };
    let shift = |value: &BigInt, f: fn(BigInt, u32) -> BigInt| {
        let distance = y.iter_u64_digits().next().unwrap_or(0);
        let distance = if y > BigInt::from(width) { width } else { distance as u32 };
        f(value.clone(), distance)
    };
    natural(
        width,
        match op {
            Op::BvAnd => bitwise(|p, q| p && q),
            Op::BvOr => bitwise(|p, q| p || q),
            Op::BvXor => bitwise(|p, q| p != q),
            Op::BvAdd => x + y,
            Op::BvSub => x - y,
            Op::BvMul => x * y,
            Op::BvUdiv => {
                if y.is_zero() {
                    ones
                } else {
                    x / y
                }
            }
            Op::BvUrem => {
                if y.is_zero() {
                    x
                } else {
                    x % y
                }
            }
            Op::BvSdiv if y.is_zero() => {
                if sx.is_negative() {
                    BigInt::one()
                } else {
                    ones
                }
            }
            Op::BvSdiv => {
                let quotient = sx.abs() / sy.abs();
                if sx.is_negative() == sy.is_negative() { quotient } else { -quotient }
            }
            Op::BvSrem if y.is_zero() => x,
            Op::BvSrem => {
                let remainder = sx.abs() % sy.abs();
                if sx.is_negative() { -remainder } else { remainder }
            }
            Op::BvShl => shift(&x, |value, distance| value << distance),
            Op::BvLshr => shift(&x, |value, distance| value >> distance),
            _ => shift(&sx, |value, distance| {
                let divisor = BigInt::one() << distance;
                (&value - ((&value % &divisor) + &divisor) % &divisor) / divisor
            }),
        },
    )
}

fn steps(count: usize) -> impl Strategy<Value = Vec<Step>> {
    proptest::collection::vec(any::<Step>(), 1..count)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn constructors_preserve_meaning_at_small_widths(steps in steps(60), seed: u64, w in 1u32..5, v in 1u32..5) {
        let mut builder = Builder::new(&[w, v], seed);
        for step in steps {
            let _ = builder.step(step);
        }
        builder.check()?;
    }

    #[test]
    fn constructors_preserve_meaning_at_large_widths(steps in steps(40), seed: u64, w in 30u32..70) {
        let mut builder = Builder::new(&[w, 64], seed);
        for step in steps {
            let _ = builder.step(step);
        }
        builder.check()?;
    }

    #[test]
    fn boolean_constructors_preserve_meaning(steps in steps(80), seed: u64) {
        let mut builder = Builder::new(&[1], seed);
        for (op, a, b, c) in steps {
            let _ = builder.boolean(op, a, b, c);
        }
        builder.check()?;
    }
}

/// Asserts the values of all symbols and of each result and checks satisfiability with Z3: Z3 reads
/// the text as intended and agrees with our evaluation. Skipped, with a message, if there is no
/// `z3`.
#[test]
fn z3_reads_the_text_and_finds_the_same_values() {
    let Some(z3) = z3::find() else { return };
    let mut noise = Noise(7);
    for seed in 0..12 {
        let widths = if seed % 3 == 0 { [33, 64] } else { [3, 8] };
        let mut builder = Builder::new(&widths, seed);
        for _ in 0..150 {
            let word = noise.next() as u32;
            let mut next = || noise.next() as u16;
            let _ = builder.step((word as u8, next(), next(), next()));
        }
        let mut assertions = Vec::new();
        for i in 0..builder.entries.len() {
            let term = builder.entries[i].term;
            let sort = builder.pool.sort(term);
            let value = builder.entries[i].values[0].clone();
            let value = value.to_term(&mut builder.pool, sort).expect("no uninterpreted sorts");
            assertions.push(builder.pool.eq(term, value));
        }
        let text = crate::print::script(&builder.pool, None, &assertions);
        let answer = z3::answer(&z3, &format!("terms-{seed}"), &text);
        // Multiplication of variables may be too hard; an error or `unsat` is a bug in this crate.
        assert!(matches!(&*answer, "sat" | "unknown" | "timeout"), "{answer}\n{text}");
    }
}

/// A solver with an ordinary stack can read a deep formula.
#[test]
fn z3_reads_a_deep_formula() {
    let Some(z3) = z3::find() else { return };
    let mut pool = TermPool::new();
    let (x, k) = (pool.symbol("x", Sort::BitVec(32)), pool.bv(32, 3));
    let mut term = x;
    for _ in 0..10_000 {
        term = pool.bv_mul(term, x);
        term = pool.bv_xor(term, k);
    }
    let zero = pool.bv(32, 0);
    let (is_zero, x_is_zero) = (pool.eq(term, zero), pool.eq(x, zero));
    let text = crate::print::script(&pool, Some("QF_BV"), &[x_is_zero, is_zero]);
    assert_eq!(z3::answer(&z3, "deep", &text), "unsat");
}
