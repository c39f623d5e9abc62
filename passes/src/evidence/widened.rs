//! Comparisons of sums that were widened so that they cannot wrap around, as comparisons over the
//! integers.
//!
//! Rows about several variables, such as octagons, extend each variable by a few bits. C has no
//! type of 35 bits, but a sum that does not wrap has the same value in any wider type: the first
//! summand of each side and those with a factor are cast to `long long`, or to `__int128` if
//! a variable has 64 bits. Variables with negative factors move to the other side. ACSL computes
//! with integers, so it needs no casts.
//!
//! The ranges of the operands show that no operation wraps; other terms are printed as usual.

use super::infix::{Dialect, Level, Printer, Text};
use indexmap::IndexMap;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxBuildHasher;
use terms::{Op, Representation, Sort, Term, TermPool};

/// `Σ cᵢ·xᵢ + c` over the integers, where each `xᵢ` is a term that is read as its extension says.
#[derive(Default)]
struct Sum {
    factors: IndexMap<Term, BigInt, FxBuildHasher>,
    constant: BigInt,
    /// The least and the greatest value.
    range: (BigInt, BigInt),
}

/// The least magnitude of a constant that comes from the limits of a type rather than from the
/// program, in bits.
const NEAR_LIMITS: u64 = 29;

/// Whether a fact is a comparison of widened sums with a constant near the limits of a type: a
/// consequence of these limits that tells readers little.
pub(super) fn is_near_limits(pool: &TermPool, fact: Term) -> bool {
    let comparison = if pool.op(fact) == Op::Not { pool.children(fact)[0] } else { fact };
    matches!(pool.op(comparison), Op::BvSlt | Op::BvSle)
        && pool.children(comparison).iter().any(|&side| {
            let number = pool.as_bit_vector(side).map(|bits| bits.to_signed());
            let is_wide = !matches!(pool.width(side), 8 | 16 | 32 | 64);
            is_wide && number.is_some_and(|number| number.bits() > NEAR_LIMITS)
        })
}

impl Sum {
    fn constant(number: BigInt) -> Self {
        Sum { range: (number.clone(), number.clone()), constant: number, ..Sum::default() }
    }

    /// Adds a multiple of another sum.
    fn add(&mut self, factor: &BigInt, other: Sum) {
        for (variable, own) in other.factors {
            *self.factors.entry(variable).or_default() += factor * own;
        }
        self.constant += factor * other.constant;
        let (low, high) = other.range;
        let (low, high) =
            if factor.is_negative() { (factor * high, factor * low) } else { (factor * low, factor * high) };
        self.range = (&self.range.0 + low, &self.range.1 + high);
    }

    /// Whether its values are those of a signed bit vector of this width.
    fn fits(&self, width: u32) -> bool {
        let end = BigInt::one() << (width - 1);
        -&end <= self.range.0 && self.range.1 < end
    }
}

impl Printer<'_> {
    /// Prints a signed comparison of widened sums, or its negation; `None` for other terms.
    pub(super) fn widened(&self, term: Term) -> Option<Text> {
        let pool = self.pool;
        let (comparison, is_negated) = match (pool.op(term), pool.children(term)) {
            (Op::Not, &[inner]) => (inner, true),
            _ => (term, false),
        };
        let &[a, b] = pool.children(comparison) else { return None };
        // One more bit than that of the sum suffices for each side.
        let ty = match pool.sort(a) {
            Sort::BitVec(8 | 16 | 32) => return None,
            Sort::BitVec(9..63) => "long long",
            Sort::BitVec(65..127) => "__int128",
            _ => return None,
        };
        let operator = match (pool.op(comparison), is_negated) {
            (Op::BvSlt, false) => "<",
            (Op::BvSle, false) => "<=",
            (Op::BvSlt, true) => ">=",
            (Op::BvSle, true) => ">",
            (Op::Eq, false) => "==",
            (Op::Eq, true) => "!=",
            _ => return None,
        };
        let mut sum = self.linear(a)?;
        sum.add(&-BigInt::one(), self.linear(b)?);
        let is_constant = sum.factors.values().all(Zero::is_zero);
        let is_literal = sum.constant.bits() < u64::BITS.into();
        (!is_constant && is_literal).then(|| self.sides(&sum, operator, ty))
    }

    /// The value of a term, read as a signed number, if no operation in it wraps around.
    fn linear(&self, term: Term) -> Option<Sum> {
        let pool = self.pool;
        let width = pool.width(term);
        let children = pool.children(term);
        let mut sum = Sum::default();
        match (pool.op(term), children) {
            (Op::BvConst(_), _) => return Some(Sum::constant(pool.as_bit_vector(term)?.to_signed())),
            (Op::SignExtend(_), &[inner]) => return self.variable(inner, Representation::Signed),
            (Op::ZeroExtend(_), &[inner]) => return self.variable(inner, Representation::Unsigned),
            (Op::BvAdd, operands) => {
                for &operand in operands {
                    sum.add(&BigInt::one(), self.linear(operand)?);
                    // The sum so far is an operation of its own.
                    sum.fits(width).then_some(())?;
                }
            }
            (Op::BvSub, &[a, b]) => {
                sum.add(&BigInt::one(), self.linear(a)?);
                sum.add(&-BigInt::one(), self.linear(b)?);
            }
            (Op::BvNeg, &[a]) => sum.add(&-BigInt::one(), self.linear(a)?),
            (Op::BvMul, &[a, b]) => {
                let (constant, other) = if pool.is_constant(a) { (a, b) } else { (b, a) };
                sum.add(&pool.as_bit_vector(constant)?.to_signed(), self.linear(other)?);
            }
            _ => return None,
        }
        sum.fits(width).then_some(sum)
    }

    /// An extended term, if C reads it with the signedness of the extension.
    fn variable(&self, inner: Term, extension: Representation) -> Option<Sum> {
        let width = self.pool.width(inner);
        let is_number = matches!(width, 8 | 16 | 32 | 64) && !self.is_pointer(inner);
        if !is_number || self.reading(inner) != Some(extension) {
            return None;
        }
        let range = match extension {
            Representation::Signed => (-(BigInt::one() << (width - 1)), (BigInt::one() << (width - 1)) - 1),
            Representation::Unsigned => (BigInt::zero(), (BigInt::one() << width) - 1),
        };
        let factors = [(inner, BigInt::one())].into_iter().collect();
        Some(Sum { factors, constant: BigInt::zero(), range })
    }

    /// Prints `sum operator 0` with positive factors only.
    fn sides(&self, sum: &Sum, operator: &str, ty: &str) -> Text {
        let side = |is_left: bool| {
            let own = sum.factors.iter().filter(move |(_, factor)| !factor.is_zero());
            own.filter(move |(_, factor)| factor.is_positive() == is_left)
        };
        let (left, right) = (self.side(ty, side(true)), self.side(ty, side(false)));
        let constant = -&sum.constant;
        let text = match (left.is_empty(), right.is_empty()) {
            // `-x <= c` is `x >= -c`.
            (true, false) => format!("{right} {} {}", turned(operator), -constant),
            (_, true) => format!("{left} {operator} {constant}"),
            (false, false) if constant.is_zero() => format!("{left} {operator} {right}"),
            (false, false) if constant.is_negative() => format!("{left} {operator} {right} - {}", -constant),
            (false, false) => format!("{left} {operator} {right} + {constant}"),
        };
        let level = if matches!(operator, "==" | "!=") { Level::Equality } else { Level::Comparison };
        Text { text, level }
    }

    /// Prints a sum, whose first summand and products have a type in which nothing wraps.
    fn side<'t>(&self, ty: &str, summands: impl Iterator<Item = (&'t Term, &'t BigInt)>) -> String {
        let mut text = String::new();
        for (&variable, factor) in summands {
            let mut summand = self.expression(variable, Representation::Signed).within(Level::Unary);
            let factor = factor.abs();
            // A product would wrap in the type of the variable.
            if self.dialect == Dialect::C && (text.is_empty() || !factor.is_one()) {
                summand = format!("({ty}) {summand}");
            }
            if !factor.is_one() {
                summand = format!("{summand} * {factor}");
            }
            text = if text.is_empty() { summand } else { format!("{text} + {summand}") };
        }
        text
    }
}

/// The operator for exchanged operands.
fn turned(operator: &str) -> &str {
    match operator {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::super::infix::{Fidelity, Printed, Readings, printed};
    use super::*;

    /// Prints the comparison that `make` builds over a signed `x` and an unsigned `n` of 32 bits,
    /// and a signed `l` of 64 bits.
    fn text(dialect: Dialect, make: fn(&mut TermPool, [Term; 3]) -> Term) -> String {
        let mut pool = TermPool::new();
        let mut readings = Readings::default();
        let variables = [
            ("x", 32, Representation::Signed),
            ("n", 32, Representation::Unsigned),
            ("l", 64, Representation::Signed),
        ];
        let symbols = variables.map(|(name, width, representation)| {
            let symbol = pool.symbol_with(name, Sort::BitVec(width), representation);
            readings.signs.insert(symbol, representation);
            readings.faithful.insert(symbol);
            symbol
        });
        let formula = make(&mut pool, symbols);
        let Printed { text, fidelity } = printed(&pool, &readings, dialect, formula);
        if fidelity == Fidelity::Exact { text } else { format!("{text}?") }
    }

    #[test]
    fn sums_that_do_not_wrap_are_sums_of_integers() {
        let difference = |pool: &mut TermPool, [x, n, _]: [Term; 3]| {
            let (x, n) = (pool.sign_extend(3, x), pool.zero_extend(3, n));
            let (difference, bound) = (pool.bv_sub(x, n), pool.bv_i64(35, -2));
            pool.bv_sle(difference, bound)
        };
        assert_eq!(text(Dialect::C, difference), "(long long) x < (long long) n - 1");
        assert_eq!(text(Dialect::Acsl, difference), "x < n - 1");
        let negative = |pool: &mut TermPool, [x, n, _]: [Term; 3]| {
            let (x, n) = (pool.sign_extend(3, x), pool.zero_extend(3, n));
            let x = pool.bv_neg(x);
            let (sum, bound) = (pool.bv_sub(x, n), pool.bv(35, 10));
            let less = pool.bv_slt(sum, bound);
            pool.not(less)
        };
        assert_eq!(text(Dialect::C, negative), "(long long) x + n <= -10");
        let wide = |pool: &mut TermPool, [x, _, l]: [Term; 3]| {
            let (x, l) = (pool.sign_extend(35, x), pool.sign_extend(3, l));
            let (sum, bound) = (pool.bv_add(x, l), pool.bv(67, 10));
            pool.bv_sle(sum, bound)
        };
        assert_eq!(text(Dialect::C, wide), "(__int128) x + l < 11");
    }

    #[test]
    fn products_are_computed_in_the_wide_type() {
        let weighted = |pool: &mut TermPool, [x, n, _]: [Term; 3]| {
            let (x, n, three) = (pool.sign_extend(4, x), pool.zero_extend(4, n), pool.bv(36, 3));
            let product = pool.bv_mul(three, n);
            let (sum, bound) = (pool.bv_add(x, product), pool.bv(36, 10));
            pool.bv_slt(sum, bound)
        };
        let printed = text(Dialect::C, weighted);
        let expected = ["(long long) x + (long long) n * 3 < 10", "(long long) n * 3 + x < 10"];
        assert!(expected.contains(&printed.as_str()), "{printed}");
        assert!(!text(Dialect::Acsl, weighted).contains("long"));
    }

    #[test]
    fn constants_beyond_all_types_have_no_text() {
        let far = |pool: &mut TermPool, [x, _, l]: [Term; 3]| {
            let (x, l) = (pool.sign_extend(35, x), pool.sign_extend(3, l));
            let (one, places) = (pool.bv(67, 1), pool.bv(67, 63));
            let (sum, bound) = (pool.bv_add(x, l), pool.bv_shl(one, places));
            pool.bv_slt(sum, bound)
        };
        assert!(text(Dialect::C, far).ends_with('?'));
    }

    #[test]
    fn sums_that_may_wrap_are_not() {
        let narrow = |pool: &mut TermPool, [x, _, _]: [Term; 3]| {
            let x = pool.sign_extend(1, x);
            let (double, bound) = (pool.bv_add(x, x), pool.bv(33, 10));
            let four = pool.bv_add(double, double);
            pool.bv_sle(four, bound)
        };
        assert!(text(Dialect::C, narrow).ends_with('?'));
        let other = |pool: &mut TermPool, [x, n, _]: [Term; 3]| {
            let (x, n) = (pool.zero_extend(3, x), pool.zero_extend(3, n));
            let (sum, bound) = (pool.bv_add(x, n), pool.bv(35, 10));
            pool.bv_sle(sum, bound)
        };
        assert!(text(Dialect::C, other).ends_with('?'), "x is read as signed");
    }
}
