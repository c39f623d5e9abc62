//! Linear arithmetic with coefficients in machine words.
//!
//! Nearly all coefficients are small. The functions of this module yield the normal forms of
//! [`arith`](super::arith) for them, without the exact numbers of the general case; each returns
//! `None` where a number does not fit or is a fraction, before it has made a term.

use super::arith::{FLATTEN, Strictness};
use super::{Op, Sort, Term, TermPool};
use num_integer::Integer;
use num_traits::ToPrimitive;
use smallvec::SmallVec;

type Parts = SmallVec<[(Term, i64); 8]>;

/// `Σ coefficient · base + constant`, sorted by base, without zero coefficients.
struct Linear {
    parts: Parts,
    constant: i64,
}

impl Linear {
    fn new() -> Self {
        Linear { parts: Parts::new(), constant: 0 }
    }

    /// Sorts by base, and adds the coefficients of one base.
    fn normalize(&mut self) -> Option<()> {
        let parts = &mut self.parts;
        if parts.windows(2).all(|pair| pair[0].0 < pair[1].0) {
            return Some(());
        }
        parts.sort_unstable_by_key(|part| part.0);
        let mut kept = 0;
        for at in 0..parts.len() {
            let (base, coefficient) = parts[at];
            if kept > 0 && parts[kept - 1].0 == base {
                let sum = &mut parts[kept - 1].1;
                *sum = sum.checked_add(coefficient)?;
            } else {
                // The coefficients of the previous base are complete.
                if kept > 0 && parts[kept - 1].1 == 0 {
                    kept -= 1;
                }
                parts[kept] = (base, coefficient);
                kept += 1;
            }
        }
        if kept > 0 && parts[kept - 1].1 == 0 {
            kept -= 1;
        }
        parts.truncate(kept);
        Some(())
    }

    /// Divides the coefficients, which `divisor` divides.
    fn divide(&mut self, divisor: i64) -> Option<()> {
        if divisor != 1 {
            for part in &mut self.parts {
                part.1 = part.1.checked_div(divisor)?;
            }
        }
        Some(())
    }

    /// The positive divisor that normalizes an atom, if the atom remains over machine words.
    fn divisor(&self, sort: Sort) -> Option<i64> {
        if sort == Sort::Real {
            return self.parts[0].1.checked_abs().filter(|&divisor| divisor == 1);
        }
        let mut divisor = 0i64;
        for &(_, coefficient) in &self.parts {
            if coefficient == i64::MIN {
                return None;
            }
            divisor = match coefficient {
                1 | -1 => 1,
                _ => divisor.gcd(&coefficient),
            };
            if divisor == 1 {
                break;
            }
        }
        Some(divisor)
    }
}

impl TermPool {
    /// The value of an integer that fits a machine word, also of sort Real.
    #[inline]
    fn as_small(&self, term: Term) -> Option<i64> {
        match self.op(term) {
            Op::IntConst(_) => self.as_int(term)?.to_i64(),
            Op::RealConst(_) => self.as_real(term).filter(|value| value.is_integer())?.numer().to_i64(),
            _ => None,
        }
    }

    /// Adds a multiple of a base or a constant.
    #[inline]
    fn add_summand(&self, term: Term, factor: i64, sum: &mut Linear) -> Option<()> {
        match self.op(term) {
            Op::IntConst(_) | Op::RealConst(_) => {
                let value = self.as_small(term)?.checked_mul(factor)?;
                sum.constant = sum.constant.checked_add(value)?;
            }
            Op::Mul if self.is_constant(self.children(term)[0]) => {
                let &[coefficient, base] = self.children(term) else { return None };
                sum.parts.push((base, self.as_small(coefficient)?.checked_mul(factor)?));
            }
            _ => sum.parts.push((term, factor)),
        }
        Some(())
    }

    /// Computes the sum of multiples in `sum`, which is empty.
    fn small_sum(&self, sum: &mut Linear, terms: impl Iterator<Item = (Term, i64)>) -> Option<()> {
        for (term, factor) in terms {
            if self.op(term) == Op::Add && self.children(term).len() <= FLATTEN {
                for &summand in self.children(term) {
                    self.add_summand(summand, factor, sum)?;
                }
            } else {
                self.add_summand(term, factor, sum)?;
            }
        }
        sum.normalize()
    }

    fn small_number(&mut self, sort: Sort, value: i64) -> Term {
        match sort {
            Sort::Int => self.int(value),
            _ => self.real(&num_rational::BigRational::from_integer(value.into())),
        }
    }

    fn small_sum_term(
        &mut self,
        sort: Sort,
        parts: impl Iterator<Item = (Term, i64)>,
        constant: i64,
    ) -> Term {
        let mut children: SmallVec<[Term; 16]> = SmallVec::new();
        for (base, coefficient) in parts {
            children.push(match coefficient {
                1 => base,
                _ => {
                    let coefficient = self.small_number(sort, coefficient);
                    self.intern(Op::Mul, sort, &[coefficient, base])
                }
            });
        }
        if constant != 0 || children.is_empty() {
            children.push(self.small_number(sort, constant));
        }
        match children[..] {
            [single] => single,
            _ => self.intern(Op::Add, sort, &children),
        }
    }

    /// `Σ factor · term`.
    pub(super) fn small_linear(
        &mut self,
        sort: Sort,
        terms: impl Iterator<Item = (Term, i64)>,
    ) -> Option<Term> {
        let mut sum = Linear::new();
        self.small_sum(&mut sum, terms)?;
        Some(self.small_sum_term(sort, sum.parts.iter().copied(), sum.constant))
    }

    /// `k · a` for a constant `k` other than 0.
    pub(super) fn small_multiple(&mut self, sort: Sort, k: Term, a: Term) -> Option<Term> {
        let factor = self.as_small(k)?;
        self.small_linear(sort, std::iter::once((a, factor)))
    }

    /// The sides of an atom: the positive part, and the negated negative part with a constant.
    fn small_sides(&mut self, sort: Sort, sum: &Linear, constant: i64) -> (Term, Term) {
        let positive = sum.parts.iter().copied().filter(|part| part.1 > 0);
        let left = self.small_sum_term(sort, positive, 0);
        let negative = sum.parts.iter().filter(|part| part.1 < 0).map(|&(base, k)| (base, -k));
        (left, self.small_sum_term(sort, negative, constant))
    }

    /// `a ≤ b` or `a < b`, see [`TermPool::le`].
    pub(super) fn small_compare(
        &mut self,
        sort: Sort,
        a: Term,
        b: Term,
        mut strictness: Strictness,
    ) -> Option<Term> {
        let mut sum = Linear::new();
        self.small_sum(&mut sum, [(a, 1), (b, -1)].into_iter())?;
        let mut bound = sum.constant.checked_neg()?;
        if sum.parts.is_empty() {
            let holds = if strictness == Strictness::Weak { bound >= 0 } else { bound > 0 };
            return Some(self.bool(holds));
        }
        if sort == Sort::Int && strictness == Strictness::Strict {
            bound = bound.checked_sub(1)?;
            strictness = Strictness::Weak;
        }
        let divisor = sum.divisor(sort)?;
        let is_negated = sum.parts[0].1 < 0;
        // The negation of the smallest word is not a word.
        sum.parts.iter().all(|part| part.1 != i64::MIN).then_some(())?;
        sum.divide(if is_negated { -divisor } else { divisor })?;
        bound = if divisor == 1 { bound } else { Integer::div_floor(&bound, &divisor) };
        if is_negated {
            // -Σ ≤ bound is ¬(Σ < -bound).
            bound = bound.checked_neg()?;
            strictness = match (sort, strictness) {
                (Sort::Int, _) => {
                    bound = bound.checked_sub(1)?;
                    Strictness::Weak
                }
                (_, Strictness::Weak) => Strictness::Strict,
                (_, Strictness::Strict) => Strictness::Weak,
            };
        }
        let is_offset = sort == Sort::Int && bound == -1 && sum.parts.iter().any(|part| part.1 < 0);
        if is_offset {
            (bound, strictness) = (0, Strictness::Strict);
        }
        let (left, right) = self.small_sides(sort, &sum, bound);
        let atom = self.linear_sides(left, right, strictness);
        Some(if is_negated { self.not(atom) } else { atom })
    }

    /// `a = b` of two different terms, see [`TermPool::eq`].
    pub(super) fn small_equal(&mut self, sort: Sort, a: Term, b: Term) -> Option<Term> {
        let mut sum = Linear::new();
        self.small_sum(&mut sum, [(a, 1), (b, -1)].into_iter())?;
        if sum.parts.is_empty() {
            return Some(self.bool(sum.constant == 0));
        }
        let mut divisor = sum.divisor(sort)?;
        if sum.parts[0].1 < 0 {
            divisor = -divisor;
        }
        sum.parts.iter().all(|part| part.1 != i64::MIN).then_some(())?;
        let constant = sum.constant.checked_neg()?;
        if sort == Sort::Int && constant % divisor != 0 {
            return Some(self.fls());
        }
        let value = constant.checked_div(divisor)?;
        sum.divide(divisor)?;
        let (left, right) = self.small_sides(sort, &sum, value);
        // The sides may have become those of a simpler atom.
        Some(self.eq_ite(left, right).unwrap_or_else(|| self.eq_plain(left, right)))
    }
}
