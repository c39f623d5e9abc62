//! Formulas of [expressions](super::expression): the meaning of names and operators.
//!
//! Names denote the variables of a state, in the encoding of the analysis. The rules are those by
//! which certificates print formulas, so a printed formula is read as itself:
//!
//! * A bit vector is a number of the type of its variable. The operands of an operator are
//!   converted to the wider of their types, by the signedness of the narrower one; a number adopts
//!   the type of the other operand. The operator is unsigned if one operand of this type is.
//! * An integer of an integer encoding is unbounded. It has no casts, shifts, divisions and bitwise
//!   operators.
//! * A number as a condition means that it is not zero.
//!
//! DIVERGENCE from C: a sum of narrow numbers is computed in their type, not in `int`.

use super::expression::{Binary, Expression, Unary};
use num_bigint::BigInt;
use num_traits::Zero;
use rustc_hash::FxHashMap;
use terms::{Representation, Sort, Term, TermPool};

/// The variables of a state, by name: the symbol and the signedness of each.
pub(crate) type Variables = FxHashMap<String, (Term, Representation)>;

/// The reason why an expression is no formula over given variables.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Mismatch {
    /// There is no variable of this name.
    #[error("there is no variable `{0}`")]
    Unknown(String),
    /// An operator does not apply to its operands.
    #[error("an operator does not apply in this encoding")]
    Operator,
    /// The text is no SMT-LIB formula over the variables.
    #[error("it is no SMT-LIB formula over the variables there")]
    Smt,
}

/// The width of `int`.
const INT: u32 = 32;

/// The formula of an expression as a condition.
pub(super) fn formula(
    pool: &mut TermPool,
    variables: &Variables,
    expression: &Expression,
) -> Result<Term, Mismatch> {
    Elaboration { pool, variables }.condition(expression)
}

struct Elaboration<'a> {
    pool: &'a mut TermPool,
    variables: &'a Variables,
}

/// A term with the signedness of its number; `None` for constants.
#[derive(Clone, Copy)]
struct Value {
    term: Term,
    reading: Option<Representation>,
}

impl Elaboration<'_> {
    fn variable(&self, name: &str) -> Result<Value, Mismatch> {
        let found = self.variables.get(name).ok_or_else(|| Mismatch::Unknown(name.to_owned()));
        found.map(|&(term, reading)| Value { term, reading: Some(reading) })
    }

    /// The sort of an expression; `None` if it has only numbers.
    fn sort(&self, expression: &Expression) -> Result<Option<Sort>, Mismatch> {
        Ok(match expression {
            Expression::Number(_) => None,
            Expression::Truth(_) | Expression::Unary(Unary::Not, _) => Some(Sort::Bool),
            Expression::Name(name) => Some(self.pool.sort(self.variable(name)?.term)),
            Expression::Unary(Unary::Minus | Unary::Complement, inner) => self.sort(inner)?,
            Expression::Cast(ty, _) => Some(Sort::BitVec(ty.width)),
            Expression::Conditional(parts) => self.common(&parts[1], &parts[2])?,
            Expression::Binary(operator, operands) => match operator {
                Binary::Or
                | Binary::And
                | Binary::Equal
                | Binary::Unequal
                | Binary::Less
                | Binary::AtMost
                | Binary::Greater
                | Binary::AtLeast => Some(Sort::Bool),
                Binary::Left | Binary::Right => self.sort(&operands[0])?,
                Binary::BitOr
                | Binary::BitXor
                | Binary::BitAnd
                | Binary::Plus
                | Binary::Minus
                | Binary::Times
                | Binary::Quotient
                | Binary::Remainder => self.common(&operands[0], &operands[1])?,
            },
        })
    }

    /// The sort to which two operands are converted.
    fn common(&self, a: &Expression, b: &Expression) -> Result<Option<Sort>, Mismatch> {
        match (self.sort(a)?, self.sort(b)?) {
            (None, sort) | (sort, None) => Ok(sort),
            (Some(Sort::BitVec(a)), Some(Sort::BitVec(b))) => Ok(Some(Sort::BitVec(a.max(b)))),
            (Some(a), Some(b)) if a == b => Ok(Some(a)),
            _ => Err(Mismatch::Operator),
        }
    }

    fn condition(&mut self, expression: &Expression) -> Result<Term, Mismatch> {
        match expression {
            Expression::Truth(truth) => Ok(self.pool.bool(*truth)),
            Expression::Number(number) => Ok(self.pool.bool(!number.is_zero())),
            Expression::Unary(Unary::Not, inner) => {
                let inner = self.condition(inner)?;
                Ok(self.pool.not(inner))
            }
            Expression::Binary(operator @ (Binary::And | Binary::Or), operands) => {
                let [a, b] = [self.condition(&operands[0])?, self.condition(&operands[1])?];
                Ok(if *operator == Binary::And { self.pool.and2(a, b) } else { self.pool.or2(a, b) })
            }
            Expression::Binary(operator, operands) if self.sort(expression)? == Some(Sort::Bool) => {
                self.comparison(*operator, &operands[0], &operands[1])
            }
            Expression::Conditional(parts) if self.sort(expression)? == Some(Sort::Bool) => {
                let [condition, then, otherwise] =
                    [self.condition(&parts[0])?, self.condition(&parts[1])?, self.condition(&parts[2])?];
                Ok(self.pool.ite(condition, then, otherwise))
            }
            _ => {
                let sort = self.sort(expression)?.unwrap_or(Sort::BitVec(INT));
                let Value { term, .. } = self.value(expression, sort)?;
                if sort == Sort::Bool {
                    return Ok(term);
                }
                let zero = self.number(&BigInt::zero(), sort)?;
                Ok(self.pool.neq(term, zero))
            }
        }
    }

    fn comparison(&mut self, operator: Binary, a: &Expression, b: &Expression) -> Result<Term, Mismatch> {
        // A truth value is compared with another one, or with 0 and 1.
        let is_truth = self.sort(a)? == Some(Sort::Bool) || self.sort(b)? == Some(Sort::Bool);
        if is_truth {
            let [a, b] = [self.condition(a)?, self.condition(b)?];
            let equal = self.pool.eq(a, b);
            return match operator {
                Binary::Equal => Ok(equal),
                Binary::Unequal => Ok(self.pool.not(equal)),
                _ => Err(Mismatch::Operator),
            };
        }
        let mut sort = self.common(a, b)?.unwrap_or(Sort::BitVec(INT));
        let [mut one, mut other] = [self.value(a, sort)?, self.value(b, sort)?];
        // C promotes narrow numbers of different types to int.
        let differ = matches!((one.reading, other.reading), (Some(a), Some(b)) if a != b);
        if let Sort::BitVec(width) = sort
            && width < INT
            && differ
        {
            sort = Sort::BitVec(INT);
            [one, other] = [self.value(a, sort)?, self.value(b, sort)?];
        }
        let is_unsigned = [one.reading, other.reading].contains(&Some(Representation::Unsigned));
        let [a, b] = match operator {
            Binary::Greater | Binary::AtLeast => [other.term, one.term],
            _ => [one.term, other.term],
        };
        let pool = &mut *self.pool;
        Ok(match (operator, sort, is_unsigned) {
            (Binary::Equal, ..) => pool.eq(a, b),
            (Binary::Unequal, ..) => pool.neq(a, b),
            (Binary::Less | Binary::Greater, Sort::Int, _) => pool.lt(a, b),
            (Binary::AtMost | Binary::AtLeast, Sort::Int, _) => pool.le(a, b),
            (Binary::Less | Binary::Greater, Sort::BitVec(_), true) => pool.bv_ult(a, b),
            (Binary::Less | Binary::Greater, Sort::BitVec(_), false) => pool.bv_slt(a, b),
            (Binary::AtMost | Binary::AtLeast, Sort::BitVec(_), true) => pool.bv_ule(a, b),
            (Binary::AtMost | Binary::AtLeast, Sort::BitVec(_), false) => pool.bv_sle(a, b),
            _ => return Err(Mismatch::Operator),
        })
    }

    fn number(&mut self, number: &BigInt, sort: Sort) -> Result<Term, Mismatch> {
        match sort {
            Sort::Int => Ok(self.pool.int_big(number)),
            Sort::BitVec(width) => Ok(self.pool.bv_big(width, number)),
            _ => Err(Mismatch::Operator),
        }
    }

    /// The value of an expression, converted to `wanted`.
    fn value(&mut self, expression: &Expression, wanted: Sort) -> Result<Value, Mismatch> {
        if !matches!(wanted, Sort::Bool | Sort::Int | Sort::BitVec(_)) {
            return Err(Mismatch::Operator);
        }
        match self.sort(expression)? {
            Some(own) if own != wanted => {
                let (Sort::BitVec(narrow), Sort::BitVec(wide)) = (own, wanted) else {
                    return Err(Mismatch::Operator);
                };
                let value = self.own_value(expression, own)?;
                if wide < narrow { Err(Mismatch::Operator) } else { Ok(self.converted(value, narrow, wide)) }
            }
            _ => self.own_value(expression, wanted),
        }
    }

    /// The value of an expression of the sort `sort`, or of numbers.
    fn own_value(&mut self, expression: &Expression, sort: Sort) -> Result<Value, Mismatch> {
        if sort == Sort::Bool && !matches!(expression, Expression::Name(_)) {
            return Ok(Value { term: self.condition(expression)?, reading: None });
        }
        match expression {
            Expression::Number(number) => Ok(Value { term: self.number(number, sort)?, reading: None }),
            Expression::Name(name) => self.variable(name),
            Expression::Unary(operator, inner) => {
                let Value { term, reading } = self.value(inner, sort)?;
                let term = match (operator, sort) {
                    (Unary::Minus, Sort::Int) => self.pool.neg(term),
                    (Unary::Minus, Sort::BitVec(_)) => self.pool.bv_neg(term),
                    (Unary::Complement, Sort::BitVec(_)) => self.pool.bv_not(term),
                    _ => return Err(Mismatch::Operator),
                };
                Ok(Value { term, reading })
            }
            Expression::Cast(ty, inner) => {
                let own = self.sort(inner)?.unwrap_or(sort);
                let Sort::BitVec(width) = own else { return Err(Mismatch::Operator) };
                let value = self.value(inner, own)?;
                let Value { term, .. } = self.converted(value, width, ty.width);
                Ok(Value { term, reading: Some(ty.signedness) })
            }
            Expression::Conditional(parts) => {
                let condition = self.condition(&parts[0])?;
                let [then, otherwise] = [self.value(&parts[1], sort)?, self.value(&parts[2], sort)?];
                let term = self.pool.ite(condition, then.term, otherwise.term);
                Ok(Value { term, reading: both(then.reading, otherwise.reading) })
            }
            Expression::Binary(operator, operands) => {
                let [a, b] = [self.value(&operands[0], sort)?, self.value(&operands[1], sort)?];
                let is_shift = matches!(operator, Binary::Left | Binary::Right);
                let reading = if is_shift { a.reading } else { both(a.reading, b.reading) };
                let term = self.arithmetic(*operator, [a.term, b.term], sort, reading)?;
                Ok(Value { term, reading })
            }
            Expression::Truth(_) => Err(Mismatch::Operator),
        }
    }

    fn arithmetic(
        &mut self,
        operator: Binary,
        [a, b]: [Term; 2],
        sort: Sort,
        reading: Option<Representation>,
    ) -> Result<Term, Mismatch> {
        let pool = &mut *self.pool;
        let is_unsigned = reading == Some(Representation::Unsigned);
        Ok(match (operator, sort) {
            (Binary::Plus, Sort::Int) => pool.add(&[a, b]),
            (Binary::Minus, Sort::Int) => pool.sub(a, b),
            (Binary::Times, Sort::Int) => pool.mul(a, b),
            (Binary::Plus, Sort::BitVec(_)) => pool.bv_add(a, b),
            (Binary::Minus, Sort::BitVec(_)) => pool.bv_sub(a, b),
            (Binary::Times, Sort::BitVec(_)) => pool.bv_mul(a, b),
            (Binary::Quotient, Sort::BitVec(_)) if is_unsigned => pool.bv_udiv(a, b),
            (Binary::Quotient, Sort::BitVec(_)) => pool.bv_sdiv(a, b),
            (Binary::Remainder, Sort::BitVec(_)) if is_unsigned => pool.bv_urem(a, b),
            (Binary::Remainder, Sort::BitVec(_)) => pool.bv_srem(a, b),
            (Binary::BitAnd, Sort::BitVec(_)) => pool.bv_and(a, b),
            (Binary::BitOr, Sort::BitVec(_)) => pool.bv_or(a, b),
            (Binary::BitXor, Sort::BitVec(_)) => pool.bv_xor(a, b),
            (Binary::Left, Sort::BitVec(_)) => pool.bv_shl(a, b),
            (Binary::Right, Sort::BitVec(_)) if is_unsigned => pool.bv_lshr(a, b),
            (Binary::Right, Sort::BitVec(_)) => pool.bv_ashr(a, b),
            _ => return Err(Mismatch::Operator),
        })
    }

    /// Converts a number from one width to another. A wider type has all values of a narrower one,
    /// so the result is signed.
    fn converted(&mut self, value: Value, from: u32, to: u32) -> Value {
        let Value { term, reading } = value;
        if to < from {
            return Value { term: self.pool.extract(to - 1, 0, term), reading };
        }
        if to == from {
            return value;
        }
        let term = match reading {
            Some(Representation::Unsigned) => self.pool.zero_extend(to - from, term),
            Some(Representation::Signed) | None => self.pool.sign_extend(to - from, term),
        };
        Value { term, reading: reading.map(|_| Representation::Signed) }
    }
}

/// The signedness of an operator with operands of these.
fn both(a: Option<Representation>, b: Option<Representation>) -> Option<Representation> {
    match (a, b) {
        (Some(Representation::Unsigned), _) | (_, Some(Representation::Unsigned)) => {
            Some(Representation::Unsigned)
        }
        (Some(signed), _) | (None, Some(signed)) => Some(signed),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::expression::parse;
    use super::*;

    /// The variables `x` and `y` (signed), `n` (unsigned), `c` (a byte), `l` (64 bits), and the
    /// integers `i` and `j`.
    fn variables(pool: &mut TermPool) -> Variables {
        let (signed, unsigned) = (Representation::Signed, Representation::Unsigned);
        let variables = [
            ("x", Sort::BitVec(32), signed),
            ("y", Sort::BitVec(32), signed),
            ("n", Sort::BitVec(32), unsigned),
            ("c", Sort::BitVec(8), unsigned),
            ("l", Sort::BitVec(64), signed),
            ("i", Sort::Int, signed),
            ("j", Sort::Int, signed),
        ];
        let named = |(name, sort, sign): (&str, Sort, Representation)| {
            (name.to_owned(), (pool.symbol_with(name, sort, sign), sign))
        };
        variables.map(named).into_iter().collect()
    }

    fn read(text: &str) -> String {
        let mut pool = TermPool::new();
        let variables = variables(&mut pool);
        let expression = parse(text).expect("an expression");
        match formula(&mut pool, &variables, &expression) {
            Ok(term) => terms::print::term(&pool, term),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn operators_have_the_signedness_of_their_operands() {
        assert_eq!(read("x < y"), "(bvslt x y)");
        assert_eq!(read("x < n"), "(bvult x n)");
        assert_eq!(read("(unsigned) x < 10"), "(bvult x #x0000000a)");
        assert_eq!(read("x <= (signed) n"), "(bvsle x n)");
        assert_eq!(read("2 * i <= j"), "(<= (* 2 i) j)");
    }

    #[test]
    fn narrow_operands_are_extended() {
        assert_eq!(read("c < x"), "(bvslt ((_ zero_extend 24) c) x)");
        assert_eq!(read("l == n"), "(= l ((_ zero_extend 32) n))");
        assert_eq!(read("(unsigned char) x == c"), "(= c ((_ extract 7 0) x))");
    }

    #[test]
    fn a_number_is_a_condition() {
        assert_eq!(read("x"), "(not (= x #x00000000))");
        assert_eq!(read("!i"), "(= i 0)");
        assert_eq!(read("3"), "true");
    }

    #[test]
    fn what_has_no_meaning_is_a_mismatch() {
        assert_eq!(read("z == 1"), "there is no variable `z`");
        for text in ["i < x", "i % 2 == 0", "(x < y) + 1 == 2", "(unsigned) i < 3"] {
            assert_eq!(read(text), "an operator does not apply in this encoding", "{text}");
        }
    }
}
