//! Integer and real arithmetic.
//!
//! # Normal forms
//! A linear term is viewed as `Σ cᵢ·xᵢ + k` over *bases* `xᵢ` (terms that are neither sums,
//! multiples nor constants):
//!
//! - A sum lists its multiples by the id of their base, then the constant. Differences and
//!   negations are sums with the coefficient -1, so that `a - b + b` is `a`. A sum with more than
//!   [`FLATTEN`] children is a base in a larger sum, which keeps chains of additions linear in
//!   size.
//! - A comparison or equality is normalized to `Σ cᵢ·xᵢ ∘ k` with a positive first coefficient,
//!   divided by the greatest common divisor (integers; `k` is rounded down) or by the first
//!   coefficient (reals); then the negative part moves to the right. The opposite comparison is the
//!   negation of the same atom. Over integers a strict `<` is used only where it saves the
//!   constant: `x - y ≤ -1` is `x < y`.
//!
//! Numbers that fit machine words are the domain of `linear`, which yields the same terms faster;
//! this module has the general case.

use super::bits::euclidean;
use super::number::Number;
use super::{Op, Sort, Term, TermPool};
use num_bigint::BigInt;
use num_traits::One;
use smallvec::SmallVec;

/// A sum with more children is a base in a larger sum.
pub(super) const FLATTEN: usize = 8;

type Parts = SmallVec<[(Term, Number); 8]>;

/// `Σ coefficient · base + constant`, sorted by base, without zero coefficients.
struct Linear {
    sort: Sort,
    parts: Parts,
    constant: Number,
}

impl Linear {
    fn normalize(&mut self) {
        self.parts.sort_by_key(|part| part.0);
        let mut merged = Parts::new();
        for (base, coefficient) in self.parts.drain(..) {
            match merged.last_mut() {
                Some((last, sum)) if *last == base => *sum = sum.add(&coefficient),
                _ => merged.push((base, coefficient)),
            }
        }
        merged.retain(|part| !part.1.is_zero());
        self.parts = merged;
    }

    fn scale(&mut self, factor: &Number) {
        for part in &mut self.parts {
            part.1 = part.1.mul(factor);
        }
        self.constant = self.constant.mul(factor);
    }
}

impl TermPool {
    fn assert_arithmetic(&self, term: Term) -> Sort {
        match self.sort(term) {
            sort @ (Sort::Int | Sort::Real) => sort,
            sort => panic!("{term} should be of sort Int or Real but is of {sort:?}"),
        }
    }

    fn as_number(&self, term: Term) -> Option<Number> {
        match self.op(term) {
            Op::IntConst(_) => self.as_int(term).map(Number::from_integer),
            Op::RealConst(_) => self.as_real(term).map(|value| Number::from_rational(value.clone())),
            _ => None,
        }
    }

    fn number_term(&mut self, sort: Sort, value: &Number) -> Term {
        match (sort, value.to_i64()) {
            (Sort::Int, Some(small)) => self.int(small),
            _ => self.number(sort, &value.to_rational()),
        }
    }

    /// Whether the term is neither a sum of at most [`FLATTEN`] children, a multiple nor a
    /// constant.
    fn is_base(&self, term: Term) -> bool {
        match self.op(term) {
            Op::Add => self.children(term).len() > FLATTEN,
            Op::Mul => self.as_number(self.children(term)[0]).is_none(),
            Op::IntConst(_) | Op::RealConst(_) => false,
            _ => true,
        }
    }

    fn accumulate(&self, term: Term, factor: &Number, sum: &mut Linear) {
        if let Some(value) = self.as_number(term) {
            sum.constant = sum.constant.add(&value.mul(factor));
        } else if self.is_base(term) {
            sum.parts.push((term, factor.clone()));
        } else if self.op(term) == Op::Mul {
            let [k, base] = *self.children(term) else { unreachable!("a product has two children") };
            let k = self.as_number(k).expect("a multiple has a constant first");
            sum.parts.push((base, k.mul(factor)));
        } else {
            for &child in self.children(term) {
                // A summand is a multiple, a constant or a base, so this descends one level only.
                self.accumulate_summand(child, factor, sum);
            }
        }
    }

    fn accumulate_summand(&self, term: Term, factor: &Number, sum: &mut Linear) {
        if let Some(value) = self.as_number(term) {
            sum.constant = sum.constant.add(&value.mul(factor));
        } else if self.op(term) == Op::Mul
            && let Some(k) = self.as_number(self.children(term)[0])
        {
            sum.parts.push((self.children(term)[1], k.mul(factor)));
        } else {
            sum.parts.push((term, factor.clone()));
        }
    }

    fn linear(&self, sort: Sort, terms: &[(Term, i64)]) -> Linear {
        let mut sum = Linear { sort, parts: Parts::new(), constant: Number::new(0) };
        for &(term, factor) in terms {
            self.accumulate(term, &Number::new(factor), &mut sum);
        }
        sum.normalize();
        sum
    }

    fn multiple(&mut self, sort: Sort, coefficient: &Number, base: Term) -> Term {
        if coefficient.is_one() {
            return base;
        }
        let k = self.number_term(sort, coefficient);
        self.intern(Op::Mul, sort, &[k, base])
    }

    fn linear_term(&mut self, sum: &Linear) -> Term {
        let mut children: SmallVec<[Term; 16]> =
            sum.parts.iter().map(|(base, k)| self.multiple(sum.sort, k, *base)).collect();
        if !sum.constant.is_zero() || children.is_empty() {
            children.push(self.number_term(sum.sort, &sum.constant));
        }
        match children[..] {
            [single] => single,
            _ => self.intern(Op::Add, sum.sort, &children),
        }
    }

    /// The sum of at least one term; all terms are of sort `Int` or all of sort `Real`.
    pub fn add(&mut self, terms: &[Term]) -> Term {
        let (&first, rest) = terms.split_first().expect("a sum should have a summand");
        let sort = self.assert_arithmetic(first);
        for &term in rest {
            self.assert_same_sort(first, term);
        }
        match *terms {
            [single] => return single,
            [a, b] => {
                if let Some(lifted) = self.lift2(a, b, |pool, x, y| pool.add(&[x, y])) {
                    return lifted;
                }
            }
            _ => {}
        }
        if let Some(sum) = self.small_linear(sort, terms.iter().map(|&term| (term, 1))) {
            return sum;
        }
        let summands: SmallVec<[(Term, i64); 8]> = terms.iter().map(|&term| (term, 1)).collect();
        let sum = self.linear(sort, &summands);
        self.linear_term(&sum)
    }

    /// `a - b`.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let sort = self.assert_arithmetic(a);
        self.assert_same_sort(a, b);
        if let Some(lifted) = self.lift2(a, b, TermPool::sub) {
            return lifted;
        }
        let terms = [(a, 1), (b, -1)];
        if let Some(difference) = self.small_linear(sort, terms.into_iter()) {
            return difference;
        }
        let sum = self.linear(sort, &terms);
        self.linear_term(&sum)
    }

    /// `-a`.
    pub fn neg(&mut self, a: Term) -> Term {
        let sort = self.assert_arithmetic(a);
        if let Some(lifted) = self.lift(a, TermPool::neg) {
            return lifted;
        }
        if let Some(negation) = self.small_linear(sort, std::iter::once((a, -1))) {
            return negation;
        }
        let sum = self.linear(sort, &[(a, -1)]);
        self.linear_term(&sum)
    }

    /// `a · b`.
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        let sort = self.assert_arithmetic(a);
        self.assert_same_sort(a, b);
        if let Some(lifted) = self.lift2(a, b, TermPool::mul) {
            return lifted;
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some(k) = self.as_number(x) {
                if k.is_zero() {
                    return x;
                }
                if let Some(product) = self.small_multiple(sort, x, y) {
                    return product;
                }
                let mut product = self.linear(sort, &[(y, 1)]);
                product.scale(&k);
                return self.linear_term(&product);
            }
        }
        // Constant factors move to the root.
        let strip = |pool: &TermPool, term: Term| match *pool.children(term) {
            [k, base] if pool.op(term) == Op::Mul => pool.as_number(k).map(|k| (base, k)),
            _ => None,
        };
        let (x, kx) = strip(self, a).unwrap_or((a, Number::new(1)));
        let (y, ky) = strip(self, b).unwrap_or((b, Number::new(1)));
        let product = self.intern(Op::Mul, sort, &if x < y { [x, y] } else { [y, x] });
        self.multiple(sort, &kx.mul(&ky), product)
    }

    fn assert_integers(&self, a: Term, b: Term) {
        for term in [a, b] {
            let sort = self.sort(term);
            assert!(sort == Sort::Int, "{term} should be of sort Int but is of {sort:?}");
        }
    }

    /// SMT-LIB's `div`: the quotient of Euclidean division; unspecified for the divisor 0.
    pub fn int_div(&mut self, a: Term, b: Term) -> Term {
        self.assert_integers(a, b);
        if let (Some(x), Some(y)) = (self.as_int(a), self.as_int(b))
            && let Some((quotient, _)) = euclidean(x, y)
        {
            return self.int_big(&quotient);
        }
        if let Some(k) = self.as_int(b) {
            if k.is_one() {
                return a;
            }
            if *k == BigInt::from(-1) {
                return self.neg(a);
            }
        }
        if let Some(lifted) = self.lift_divided(a, b, TermPool::int_div) {
            return lifted;
        }
        self.intern(Op::IntDiv, Sort::Int, &[a, b])
    }

    /// SMT-LIB's `mod`: the non-negative remainder of Euclidean division; unspecified for the
    /// divisor 0.
    pub fn int_mod(&mut self, a: Term, b: Term) -> Term {
        self.assert_integers(a, b);
        if let (Some(x), Some(y)) = (self.as_int(a), self.as_int(b))
            && let Some((_, remainder)) = euclidean(x, y)
        {
            return self.int_big(&remainder);
        }
        if let Some(k) = self.as_int(b)
            && k.magnitude().is_one()
        {
            return self.int(0);
        }
        if let Some(lifted) = self.lift_divided(a, b, TermPool::int_mod) {
            return lifted;
        }
        self.intern(Op::IntMod, Sort::Int, &[a, b])
    }

    /// Moves a division by a constant into an `ite` tree with constant leaves.
    fn lift_divided(
        &mut self,
        a: Term,
        b: Term,
        divide: fn(&mut TermPool, Term, Term) -> Term,
    ) -> Option<Term> {
        if self.is_constant(b) { self.lift(a, |pool, x| divide(pool, x, b)) } else { None }
    }

    /// `a / b` over reals; unspecified for the divisor 0.
    pub fn real_div(&mut self, a: Term, b: Term) -> Term {
        assert!(self.sort(a) == Sort::Real, "{a} should be of sort Real but is of {:?}", self.sort(a));
        self.assert_same_sort(a, b);
        if let Some(k) = self.as_number(b)
            && let Some(inverse) = k.inverse()
        {
            let inverse = self.number_term(Sort::Real, &inverse);
            return self.mul(inverse, a);
        }
        self.intern(Op::RealDiv, Sort::Real, &[a, b])
    }

    /// `a ≤ b` over integers or reals.
    pub fn le(&mut self, a: Term, b: Term) -> Term {
        self.compare_linear(a, b, Strictness::Weak)
    }

    /// `a < b` over integers or reals.
    pub fn lt(&mut self, a: Term, b: Term) -> Term {
        self.compare_linear(a, b, Strictness::Strict)
    }

    fn compare_linear(&mut self, a: Term, b: Term, strictness: Strictness) -> Term {
        let sort = self.assert_arithmetic(a);
        self.assert_same_sort(a, b);
        if a == b {
            return self.bool(strictness == Strictness::Weak);
        }
        if let Some(lifted) = self.lift2(a, b, |pool, x, y| pool.compare_linear(x, y, strictness)) {
            return lifted;
        }
        if let Some(atom) = self.small_compare(sort, a, b, strictness) {
            return atom;
        }
        // Σ ∘ bound
        let mut sum = self.linear(sort, &[(a, 1), (b, -1)]);
        let mut bound = sum.constant.neg();
        sum.constant = Number::new(0);
        let mut strictness = strictness;
        if sum.parts.is_empty() {
            let holds =
                if strictness == Strictness::Weak { !bound.is_negative() } else { bound.is_positive() };
            return self.bool(holds);
        }
        if sort == Sort::Int && strictness == Strictness::Strict {
            bound = bound.add(&Number::new(-1));
            strictness = Strictness::Weak;
        }
        let divisor = self.divisor(&sum).inverse().expect("no coefficient is 0");
        sum.scale(&divisor);
        bound = bound.mul(&divisor);
        if sort == Sort::Int {
            bound = bound.floor();
        }
        if !sum.parts[0].1.is_negative() {
            return self.linear_atom(sum, bound, strictness);
        }
        // -Σ ≤ bound is ¬(Σ < -bound).
        sum.scale(&Number::new(-1));
        bound = bound.neg();
        let opposite = match (sort, strictness) {
            (Sort::Int, _) => {
                bound = bound.add(&Number::new(-1));
                Strictness::Weak
            }
            (_, Strictness::Weak) => Strictness::Strict,
            (_, Strictness::Strict) => Strictness::Weak,
        };
        let atom = self.linear_atom(sum, bound, opposite);
        self.not(atom)
    }

    /// The positive divisor that normalizes an atom over `sum`.
    fn divisor(&self, sum: &Linear) -> Number {
        if sum.sort == Sort::Real {
            return sum.parts[0].1.abs();
        }
        let mut divisor = Number::new(0);
        for (_, coefficient) in &sum.parts {
            divisor = divisor.gcd(coefficient);
        }
        divisor
    }

    /// `Σ ≤ bound` or `Σ < bound`, with the negative part of the sum on the right.
    fn linear_atom(&mut self, sum: Linear, bound: Number, strictness: Strictness) -> Term {
        let (left, mut right) = Self::sides(sum);
        let mut strictness = strictness;
        if right.sort == Sort::Int && bound == Number::new(-1) && !right.parts.is_empty() {
            strictness = Strictness::Strict;
        } else {
            right.constant = bound;
        }
        let left = self.linear_term(&left);
        let right = self.linear_term(&right);
        self.linear_sides(left, right, strictness)
    }

    /// `left ≤ right` or `left < right` over sides in normal form.
    pub(super) fn linear_sides(&mut self, left: Term, right: Term, strictness: Strictness) -> Term {
        // The sides may have become those of a simpler atom.
        let lifted = self.lift2(left, right, |pool, x, y| pool.compare_linear(x, y, strictness));
        let op = if strictness == Strictness::Weak { Op::Le } else { Op::Lt };
        lifted.unwrap_or_else(|| self.intern(op, Sort::Bool, &[left, right]))
    }

    /// The positive part and the negated negative part of the sum, both without the constant.
    fn sides(sum: Linear) -> (Linear, Linear) {
        let side = || Linear { sort: sum.sort, parts: Parts::new(), constant: Number::new(0) };
        let (mut left, mut right) = (side(), side());
        for (base, coefficient) in sum.parts {
            if coefficient.is_negative() {
                right.parts.push((base, coefficient.neg()));
            } else {
                left.parts.push((base, coefficient));
            }
        }
        (left, right)
    }

    /// Equality of two different arithmetic terms.
    pub(super) fn eq_linear(&mut self, a: Term, b: Term) -> Term {
        if (self.is_base(a) || self.is_constant(a)) && (self.is_base(b) || self.is_constant(b)) {
            return self.eq_plain(a, b);
        }
        let sort = self.sort(a);
        if let Some(equation) = self.small_equal(sort, a, b) {
            return equation;
        }
        let mut sum = self.linear(sort, &[(a, 1), (b, -1)]);
        if sum.parts.is_empty() {
            return self.bool(sum.constant.is_zero());
        }
        let mut divisor = self.divisor(&sum);
        if sum.parts[0].1.is_negative() {
            divisor = divisor.neg();
        }
        sum.scale(&divisor.inverse().expect("no coefficient is 0"));
        let value = sum.constant.neg();
        if sort == Sort::Int && !value.is_integer() {
            return self.fls();
        }
        sum.constant = Number::new(0);
        let (left, mut right) = Self::sides(sum);
        right.constant = value;
        let left = self.linear_term(&left);
        let right = self.linear_term(&right);
        // The sides may have become those of a simpler atom.
        self.eq_ite(left, right).unwrap_or_else(|| self.eq_plain(left, right))
    }

    /// Whether two different arithmetic terms differ by a nonzero constant.
    pub(super) fn is_linear_offset(&self, a: Term, b: Term) -> bool {
        let sum = self.linear(self.sort(a), &[(a, 1), (b, -1)]);
        sum.parts.is_empty() && !sum.constant.is_zero()
    }

    /// The integer `a` converted to a real.
    pub fn to_real(&mut self, a: Term) -> Term {
        assert!(self.sort(a) == Sort::Int, "{a} should be of sort Int but is of {:?}", self.sort(a));
        if let Some(value) = self.as_number(a) {
            return self.number_term(Sort::Real, &value);
        }
        if let Some(lifted) = self.lift(a, TermPool::to_real) {
            return lifted;
        }
        self.intern(Op::ToReal, Sort::Real, &[a])
    }

    /// The greatest integer less than or equal to `a`.
    pub fn to_int(&mut self, a: Term) -> Term {
        assert!(self.sort(a) == Sort::Real, "{a} should be of sort Real but is of {:?}", self.sort(a));
        if let Some(value) = self.as_number(a) {
            return self.number_term(Sort::Int, &value.floor());
        }
        if self.op(a) == Op::ToReal {
            return self.children(a)[0];
        }
        if let Some(lifted) = self.lift(a, TermPool::to_int) {
            return lifted;
        }
        self.intern(Op::ToInt, Sort::Int, &[a])
    }
}

/// The kind of a comparison.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Strictness {
    /// `≤`
    Weak,
    /// `<`
    Strict,
}
