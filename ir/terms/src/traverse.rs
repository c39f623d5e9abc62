//! Traversals without recursion.
//!
//! Children are older than their parents, so ascending ids are a bottom-up order of the terms below
//! a root. A traversal of a small part of the pool keeps an explicit stack and a hash set instead
//! of a table over all ids.

use super::table::TermMap;
use super::{FunctionSymbol, Op, Sort, Symbol, Term, TermPool};
use rustc_hash::FxHashSet;

/// A set of subterms of some terms: a hash table, or a bitmap over the ids up to the youngest of
/// them if the ids are small or the set grows. Its storage may be used for many sets.
#[derive(Debug, Default)]
pub struct TermSet {
    few: TermMap,
    bitmap: Option<Vec<u64>>,
    bound: usize,
}

impl TermSet {
    /// An empty set for terms up to `root`.
    pub(super) fn new(root: Option<Term>) -> Self {
        TermSet { few: TermMap::default(), bitmap: None, bound: root.map_or(0, |root| root.0 as usize + 1) }
    }

    /// Removes all terms; the set is now for subterms of `root`.
    #[inline]
    pub fn restart(&mut self, root: Term) {
        self.few.clear();
        self.bitmap = None;
        self.bound = root.0 as usize + 1;
    }

    /// Whether the set has the term, which may be any one.
    #[inline]
    pub fn contains(&self, term: Term) -> bool {
        let id = term.0 as usize;
        match &self.bitmap {
            Some(bitmap) => bitmap.get(id / 64).is_some_and(|word| word & (1 << (id % 64)) != 0),
            None => self.few.contains(term),
        }
    }

    /// Inserts a subterm of the root; returns whether it was new.
    #[inline]
    pub fn insert(&mut self, term: Term) -> bool {
        let id = term.0 as usize;
        if let Some(bitmap) = &mut self.bitmap {
            let (word, bit) = (&mut bitmap[id / 64], 1 << (id % 64));
            let is_new = *word & bit == 0;
            *word |= bit;
            return is_new;
        }
        let is_new = self.few.insert(term, 0);
        // A hash entry takes at least 16 bytes; the bitmap takes `bound / 8`.
        if self.few.len() > 64 && self.few.len() * 64 > self.bound {
            self.spread();
        }
        is_new
    }

    /// Changes to a bitmap.
    #[cold]
    fn spread(&mut self) {
        let mut bitmap = vec![0u64; self.bound / 64 + 1];
        for seen in self.few.keys() {
            bitmap[seen.0 as usize / 64] |= 1 << (seen.0 % 64);
        }
        self.bitmap = Some(bitmap);
        self.few = TermMap::default();
    }
}

impl TermPool {
    /// Calls `visit` once for each distinct term below `roots`, roots included, children before
    /// parents and siblings from left to right. Skips the children of terms for which `enter`
    /// returns false.
    pub fn visit(&self, roots: &[Term], mut enter: impl FnMut(Term) -> bool, mut visit: impl FnMut(Term)) {
        let mut seen = TermSet::new(roots.iter().copied().max());
        let mut stack: Vec<(Term, u32)> = Vec::new();
        for &root in roots {
            if !seen.insert(root) {
                continue;
            }
            stack.push((root, if enter(root) { 0 } else { u32::MAX }));
            while let Some((term, next)) = stack.last_mut() {
                match self.children(*term).get(*next as usize) {
                    Some(&child) => {
                        *next += 1;
                        if seen.insert(child) {
                            stack.push((child, if enter(child) { 0 } else { u32::MAX }));
                        }
                    }
                    None => {
                        visit(*term);
                        stack.pop();
                    }
                }
            }
        }
    }

    /// The distinct free symbols below `term`, in order of first occurrence.
    pub fn free_symbols(&self, term: Term) -> Vec<Symbol> {
        self.free_symbols_of(&[term])
    }

    /// The distinct free symbols below any of `terms`, in order of first occurrence.
    pub fn free_symbols_of(&self, terms: &[Term]) -> Vec<Symbol> {
        let mut symbols = Vec::new();
        self.visit(
            terms,
            |_| true,
            |term| {
                if let Op::Symbol(symbol) = self.op(term) {
                    symbols.push(symbol);
                }
            },
        );
        symbols
    }

    /// The distinct uninterpreted functions applied below any of `terms`, in order of first
    /// occurrence.
    pub fn free_functions_of(&self, terms: &[Term]) -> Vec<FunctionSymbol> {
        let mut functions = Vec::new();
        let mut seen: FxHashSet<FunctionSymbol> = FxHashSet::default();
        self.visit(
            terms,
            |_| true,
            |term| {
                if let Op::Apply(function) = self.op(term)
                    && seen.insert(function)
                {
                    functions.push(function);
                }
            },
        );
        functions
    }

    /// The distinct `Value` leaves below `term`, in order of first occurrence.
    pub fn free_values(&self, term: Term) -> Vec<u32> {
        let mut values = Vec::new();
        self.visit(
            &[term],
            |_| true,
            |term| {
                if let Op::Value(value) = self.op(term) {
                    values.push(value);
                }
            },
        );
        values
    }

    /// The number of distinct subterms of `term`, including itself.
    pub fn dag_size(&self, term: Term) -> usize {
        let mut size = 0;
        self.visit(&[term], |_| true, |_| size += 1);
        size
    }

    /// The number of nodes of `term` as a tree, at most `u128::MAX`.
    pub fn tree_size(&self, term: Term) -> u128 {
        self.measure(term, |of| of.iter().fold(1, |sum: u128, &size| sum.saturating_add(size)))
    }

    /// The number of terms on the longest path from `term` to a leaf; 1 for a leaf.
    pub fn depth(&self, term: Term) -> usize {
        self.measure(term, |of| 1 + of.iter().copied().max().unwrap_or(0))
    }

    fn measure<T: Copy>(&self, root: Term, combine: impl Fn(&[T]) -> T) -> T {
        let mut results = rustc_hash::FxHashMap::default();
        let mut arguments = Vec::new();
        self.visit(
            &[root],
            |_| true,
            |term| {
                arguments.clear();
                arguments.extend(self.children(term).iter().map(|child| results[child]));
                results.insert(term, combine(&arguments));
            },
        );
        results[&root]
    }

    /// Applies the operator of `term` to `children` through the simplifying constructor. Leaves
    /// stay.
    pub fn rebuild(&mut self, term: Term, children: &[Term]) -> Term {
        if children.is_empty() { term } else { self.construct(self.op(term), children) }
    }

    /// The simplifying constructor of `op` over at least one child.
    ///
    /// # Panics
    /// If the number or the sorts of the children are wrong, see [`build`](Self::build).
    pub(super) fn construct(&mut self, op: Op, children: &[Term]) -> Term {
        match (op, children) {
            (Op::Not, &[a]) => self.not(a),
            (Op::And, _) => self.and(children),
            (Op::Or, _) => self.or(children),
            (Op::Xor, &[a, b]) => self.xor(a, b),
            (Op::Ite, &[c, a, b]) => self.ite(c, a, b),
            (Op::Eq, &[a, b]) => self.eq(a, b),
            (Op::Apply(function), _) => self.apply(function, children),
            (Op::BvNot, &[a]) => self.bv_not(a),
            (Op::BvNeg, &[a]) => self.bv_neg(a),
            (
                Op::BvAnd
                | Op::BvOr
                | Op::BvXor
                | Op::BvAdd
                | Op::BvSub
                | Op::BvMul
                | Op::BvUdiv
                | Op::BvUrem
                | Op::BvSdiv
                | Op::BvSrem
                | Op::BvShl
                | Op::BvLshr
                | Op::BvAshr,
                &[a, b],
            ) => self.bv_binary(op, a, b),
            (Op::BvUlt, &[a, b]) => self.bv_ult(a, b),
            (Op::BvUle, &[a, b]) => self.bv_ule(a, b),
            (Op::BvSlt, &[a, b]) => self.bv_slt(a, b),
            (Op::BvSle, &[a, b]) => self.bv_sle(a, b),
            (Op::Concat, &[a, b]) => self.concat(a, b),
            (Op::Extract { high, low }, &[a]) => self.extract(high, low, a),
            (Op::ZeroExtend(bits), &[a]) => self.zero_extend(bits, a),
            (Op::SignExtend(bits), &[a]) => self.sign_extend(bits, a),
            (Op::Add, _) => self.add(children),
            (Op::Sub, &[a, b]) => self.sub(a, b),
            (Op::Neg, &[a]) => self.neg(a),
            (Op::Mul, &[a, b]) => self.mul(a, b),
            (Op::IntDiv, &[a, b]) => self.int_div(a, b),
            (Op::IntMod, &[a, b]) => self.int_mod(a, b),
            (Op::RealDiv, &[a, b]) => self.real_div(a, b),
            (Op::Le, &[a, b]) => self.le(a, b),
            (Op::Lt, &[a, b]) => self.lt(a, b),
            (Op::ToReal, &[a]) => self.to_real(a),
            (Op::ToInt, &[a]) => self.to_int(a),
            (Op::Select, &[a, i]) => self.select(a, i),
            (Op::Store, &[a, i, v]) => self.store(a, i, v),
            (Op::ConstArray(sort), &[v]) => self.const_array(Sort::Array(sort), v),
            (Op::FpAbs, &[a]) => self.fp_abs(a),
            (Op::FpNeg, &[a]) => self.fp_neg(a),
            (Op::FpAdd, &[mode, a, b]) => self.fp_add(mode, a, b),
            (Op::FpSub, &[mode, a, b]) => self.fp_sub(mode, a, b),
            (Op::FpMul, &[mode, a, b]) => self.fp_mul(mode, a, b),
            (Op::FpDiv, &[mode, a, b]) => self.fp_div(mode, a, b),
            (Op::FpFma, &[mode, a, b, c]) => self.fp_fma(mode, a, b, c),
            (Op::FpSqrt, &[mode, a]) => self.fp_sqrt(mode, a),
            (Op::FpRem, &[a, b]) => self.fp_rem(a, b),
            (Op::FpRoundToIntegral, &[mode, a]) => self.fp_round_to_integral(mode, a),
            (Op::FpMin, &[a, b]) => self.fp_min(a, b),
            (Op::FpMax, &[a, b]) => self.fp_max(a, b),
            (Op::FpLe, &[a, b]) => self.fp_le(a, b),
            (Op::FpLt, &[a, b]) => self.fp_lt(a, b),
            (Op::FpEq, &[a, b]) => self.fp_eq(a, b),
            (Op::FpIsNormal, &[a]) => self.fp_is_normal(a),
            (Op::FpIsSubnormal, &[a]) => self.fp_is_subnormal(a),
            (Op::FpIsZero, &[a]) => self.fp_is_zero(a),
            (Op::FpIsInfinite, &[a]) => self.fp_is_infinite(a),
            (Op::FpIsNan, &[a]) => self.fp_is_nan(a),
            (Op::FpIsNegative, &[a]) => self.fp_is_negative(a),
            (Op::FpIsPositive, &[a]) => self.fp_is_positive(a),
            (Op::FpFromBits { exponent, significand }, &[bits]) => {
                self.fp_from_bits(exponent, significand, bits)
            }
            (Op::FpFromFloat { exponent, significand }, &[mode, a]) => {
                self.fp_from_float(exponent, significand, mode, a)
            }
            (Op::FpFromReal { exponent, significand }, &[mode, a]) => {
                self.fp_from_real(exponent, significand, mode, a)
            }
            (Op::FpFromSigned { exponent, significand }, &[mode, a]) => {
                self.fp_from_signed(exponent, significand, mode, a)
            }
            (Op::FpFromUnsigned { exponent, significand }, &[mode, a]) => {
                self.fp_from_unsigned(exponent, significand, mode, a)
            }
            (Op::FpToUnsigned(width), &[mode, a]) => self.fp_to_unsigned(width, mode, a),
            (Op::FpToSigned(width), &[mode, a]) => self.fp_to_signed(width, mode, a),
            (Op::FpToReal, &[a]) => self.fp_to_real(a),
            (Op::FpToBits, &[a]) => self.fp_to_bits(a),
            (Op::Forall, [bound @ .., body]) => self.forall(bound, *body),
            (Op::Exists, [bound @ .., body]) => self.exists(bound, *body),
            _ => panic!("{op:?} should not have {} children", children.len()),
        }
    }
}
