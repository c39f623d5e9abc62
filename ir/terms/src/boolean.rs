//! Negation, equality, if-then-else, functions and quantifiers.
//!
//! # Normal forms
//! - The negation of an atom is a `Not` node, never the opposite comparison, so that complements
//!   are recognized at one node (the printer writes the opposite comparison).
//! - `xor` is `Not(Eq)`; negations of the sides of a Boolean equality move above it.
//! - An `ite` over Booleans with a constant branch is a conjunction or disjunction; the condition
//!   of an `ite` is never a negation.
//! - C represents a truth value as `ite(c, 1, 0)`, which vanishes when it is tested: an operator on
//!   an `ite` tree with constant leaves and on constants moves into the leaves (`lift`), where it
//!   folds.

use super::{FunctionSymbol, Op, Sort, Term, TermPool};
use smallvec::SmallVec;

/// The greatest number of `ite` nodes in a tree that `lift` inspects.
const MAX_TREE: u32 = 4;

impl TermPool {
    pub(super) fn assert_same_sort(&self, a: Term, b: Term) {
        let (sort_a, sort_b) = (self.sort(a), self.sort(b));
        assert!(sort_a == sort_b, "{a} and {b} should be of one sort but are of {sort_a:?} and {sort_b:?}");
    }

    /// `¬a`.
    pub fn not(&mut self, a: Term) -> Term {
        match self.op(a) {
            Op::True => self.fls(),
            Op::False => self.tru(),
            Op::Not => self.children(a)[0],
            // ¬(¬p ∧ ¬q) is p ∨ q.
            op @ (Op::And | Op::Or)
                if self.children(a).len() <= 8
                    && self.children(a).iter().all(|&child| self.op(child) == Op::Not) =>
            {
                let inner: SmallVec<[Term; 8]> =
                    self.children(a).iter().map(|&child| self.children(child)[0]).collect();
                if op == Op::And { self.or(&inner) } else { self.and(&inner) }
            }
            _ => {
                assert!(self.sort(a) == Sort::Bool, "{a} should be Boolean");
                self.intern(Op::Not, Sort::Bool, &[a])
            }
        }
    }

    /// `a ≠ b` over Booleans.
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        assert!(self.sort(a) == Sort::Bool, "{a} should be Boolean");
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// `a → b`, as `¬a ∨ b`.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let negation = self.not(a);
        self.or2(negation, b)
    }

    /// `then` if `condition` holds, else `otherwise`.
    pub fn ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        self.assert_same_sort(then, otherwise);
        let (condition, then, otherwise) = match self.op(condition) {
            Op::True => return then,
            Op::False => return otherwise,
            Op::Not => (self.children(condition)[0], otherwise, then),
            _ => (condition, then, otherwise),
        };
        assert!(self.sort(condition) == Sort::Bool, "the condition {condition} should be Boolean");
        // Inside a branch the condition is known.
        let then = match self.as_ite(then) {
            Some((c, x, _)) if c == condition => x,
            _ => then,
        };
        let otherwise = match self.as_ite(otherwise) {
            Some((c, _, y)) if c == condition => y,
            _ => otherwise,
        };
        if then == otherwise {
            return then;
        }
        // ite(p = q, p, q) is q.
        if self.op(condition) == Op::Eq {
            let sides = self.children(condition);
            if sides == [then, otherwise] || sides == [otherwise, then] {
                return otherwise;
            }
        }
        if self.sort(then) == Sort::Bool {
            return self.ite_bool(condition, then, otherwise);
        }
        let merged = self.nested(|pool| {
            match pool.as_ite(otherwise) {
                Some((d, x, y)) if x == then => {
                    let either = pool.or2(condition, d);
                    return Some(pool.ite(either, then, y));
                }
                Some((d, x, y)) if y == then => {
                    let not_d = pool.not(d);
                    let either = pool.or2(condition, not_d);
                    return Some(pool.ite(either, then, x));
                }
                _ => {}
            }
            match pool.as_ite(then) {
                Some((d, x, y)) if y == otherwise => {
                    let both = pool.and2(condition, d);
                    Some(pool.ite(both, x, otherwise))
                }
                Some((d, x, y)) if x == otherwise => {
                    let not_d = pool.not(d);
                    let both = pool.and2(condition, not_d);
                    Some(pool.ite(both, y, otherwise))
                }
                _ => None,
            }
        });
        if let Some(merged) = merged {
            return merged;
        }
        if (self.op(then) == Op::FpToBits || self.op(otherwise) == Op::FpToBits)
            && let Some(pattern) = self.nested(|pool| pool.ite_of_patterns(condition, then, otherwise))
        {
            return pattern;
        }
        let sort = self.sort(then);
        self.intern(Op::Ite, sort, &[condition, then, otherwise])
    }

    fn ite_bool(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        match (self.as_bool(then), self.as_bool(otherwise)) {
            (Some(true), Some(false)) => return condition,
            (Some(false), Some(true)) => return self.not(condition),
            (Some(true), _) => return self.or2(condition, otherwise),
            (Some(false), _) => {
                let negation = self.not(condition);
                return self.and2(negation, otherwise);
            }
            (_, Some(true)) => {
                let negation = self.not(condition);
                return self.or2(negation, then);
            }
            (_, Some(false)) => return self.and2(condition, then),
            _ => {}
        }
        if then == condition {
            return self.or2(condition, otherwise);
        }
        if otherwise == condition {
            return self.and2(condition, then);
        }
        if self.are_complements(then, condition) {
            return self.and2(then, otherwise);
        }
        if self.are_complements(otherwise, condition) {
            return self.or2(otherwise, then);
        }
        if self.are_complements(then, otherwise) {
            return self.eq(condition, then);
        }
        self.intern(Op::Ite, Sort::Bool, &[condition, then, otherwise])
    }

    /// Condition and branches of an `ite` node.
    #[inline]
    pub(super) fn as_ite(&self, term: Term) -> Option<(Term, Term, Term)> {
        match self.op(term) {
            Op::Ite => match *self.children(term) {
                [c, x, y] => Some((c, x, y)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether `term` is a tree of at most [`MAX_TREE`] `ite` nodes with constant leaves.
    pub(super) fn is_constant_tree(&self, term: Term) -> bool {
        fn leaves(pool: &TermPool, term: Term, budget: &mut u32) -> bool {
            match pool.as_ite(term) {
                Some((_, x, y)) if *budget > 0 => {
                    *budget -= 1;
                    leaves(pool, x, budget) && leaves(pool, y, budget)
                }
                Some(_) => false,
                None => pool.is_constant(term),
            }
        }
        self.op(term) == Op::Ite && leaves(self, term, &mut MAX_TREE.clone())
    }

    /// Moves `operator` into the branches of `tree`, if `tree` is an `ite` tree with constant
    /// leaves.
    #[inline]
    pub(super) fn lift(
        &mut self,
        tree: Term,
        operator: impl Fn(&mut TermPool, Term) -> Term,
    ) -> Option<Term> {
        if self.op(tree) != Op::Ite || !self.is_constant_tree(tree) {
            return None;
        }
        self.nested(|pool| {
            let (c, x, y) = pool.as_ite(tree)?;
            let x = operator(pool, x);
            let y = operator(pool, y);
            Some(pool.ite(c, x, y))
        })
    }

    /// [`lift`](Self::lift) of a binary operator: over a constant and a tree, or two trees with one
    /// condition.
    #[inline]
    pub(super) fn lift2(
        &mut self,
        a: Term,
        b: Term,
        operator: impl Fn(&mut TermPool, Term, Term) -> Term,
    ) -> Option<Term> {
        match (self.op(a), self.op(b)) {
            (Op::Ite, Op::Ite) => {
                if self.children(a)[0] != self.children(b)[0]
                    || !self.is_constant_tree(a)
                    || !self.is_constant_tree(b)
                {
                    return None;
                }
                self.nested(|pool| {
                    let ((c, x1, y1), (_, x2, y2)) = (pool.as_ite(a)?, pool.as_ite(b)?);
                    let x = operator(pool, x1, x2);
                    let y = operator(pool, y1, y2);
                    Some(pool.ite(c, x, y))
                })
            }
            (Op::Ite, _) if self.is_constant(b) => self.lift(a, |pool, x| operator(pool, x, b)),
            (_, Op::Ite) if self.is_constant(a) => self.lift(b, |pool, y| operator(pool, a, y)),
            _ => None,
        }
    }

    /// `a = b`.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        self.assert_same_sort(a, b);
        if a == b {
            return self.tru();
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        if self.is_constant(a) && self.is_constant(b) {
            return self.fls();
        }
        match self.sort(a) {
            Sort::Bool => return self.eq_bool(a, b),
            Sort::Int | Sort::Real => {
                if let Some(folded) = self.eq_ite(a, b) {
                    return folded;
                }
                return self.eq_linear(a, b);
            }
            Sort::BitVec(_) => {
                if let Some(folded) = self.eq_ite(a, b).or_else(|| self.nested(|pool| pool.eq_bv(a, b))) {
                    return folded;
                }
            }
            Sort::Float(..) | Sort::RoundingMode => {
                if let Some(folded) = self.eq_ite(a, b) {
                    return folded;
                }
            }
            Sort::Array(_) | Sort::Uninterpreted(_) => {}
        }
        self.intern(Op::Eq, Sort::Bool, &[a, b])
    }

    /// `a = b`, without inspecting the structure of the sides.
    pub(super) fn eq_plain(&mut self, a: Term, b: Term) -> Term {
        let sides = if a < b { [a, b] } else { [b, a] };
        self.intern(Op::Eq, Sort::Bool, &sides)
    }

    fn eq_bool(&mut self, a: Term, b: Term) -> Term {
        // The constants are the oldest terms, so only `a` can be one.
        match self.as_bool(a) {
            Some(true) => return b,
            Some(false) => return self.not(b),
            None => {}
        }
        if self.are_complements(a, b) {
            return self.fls();
        }
        let strip = |pool: &TermPool, t: Term| match pool.op(t) {
            Op::Not => (pool.children(t)[0], true),
            _ => (t, false),
        };
        let ((a, negated_a), (b, negated_b)) = (strip(self, a), strip(self, b));
        let equal = self.eq_plain(a, b);
        if negated_a != negated_b { self.not(equal) } else { equal }
    }

    /// Equality of an `ite` with a term that one of its branches provably equals or differs from.
    pub(super) fn eq_ite(&mut self, a: Term, b: Term) -> Option<Term> {
        let ((c, x, y), other) = match (self.as_ite(a), self.as_ite(b)) {
            (Some(parts), None) => (parts, b),
            (None, Some(parts)) => (parts, a),
            (Some((c, x1, y1)), Some((d, x2, y2))) if c == d => {
                return self.nested(|pool| {
                    if x1 == x2 || y1 == y2 || (pool.is_constant(x1) && pool.is_constant(x2)) {
                        let x = pool.eq(x1, x2);
                        let y = pool.eq(y1, y2);
                        return Some(pool.ite(c, x, y));
                    }
                    None
                });
            }
            _ => return None,
        };
        let decided = |pool: &TermPool, branch: Term| {
            branch == other || (pool.is_constant(branch) && pool.is_constant(other))
        };
        if !decided(self, x) && !decided(self, y) {
            return None;
        }
        self.nested(|pool| {
            let x = pool.eq(x, other);
            let y = pool.eq(y, other);
            Some(pool.ite(c, x, y))
        })
    }

    /// `a ≠ b`.
    pub fn neq(&mut self, a: Term, b: Term) -> Term {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// Pairwise distinctness: a conjunction of disequalities over all pairs.
    pub fn distinct(&mut self, terms: &[Term]) -> Term {
        let mut pairs = Vec::new();
        for (i, &a) in terms.iter().enumerate() {
            for &b in &terms[i + 1..] {
                pairs.push(self.neq(a, b));
            }
        }
        self.and(&pairs)
    }

    /// The application of `function` to arguments of its signature.
    pub fn apply(&mut self, function: FunctionSymbol, arguments: &[Term]) -> Term {
        let (name, sorts, result) = self.function_data(function);
        assert!(
            sorts.len() == arguments.len()
                && sorts.iter().zip(arguments).all(|(&sort, &argument)| sort == self.sort(argument)),
            "the arguments {arguments:?} should fit the signature {sorts:?} of {name}"
        );
        self.intern(Op::Apply(function), result, arguments)
    }

    /// `∀ bound. body`; the variables are made by [`bound`](Self::bound).
    pub fn forall(&mut self, bound: &[Term], body: Term) -> Term {
        self.quantifier(Op::Forall, bound, body)
    }

    /// `∃ bound. body`; the variables are made by [`bound`](Self::bound).
    pub fn exists(&mut self, bound: &[Term], body: Term) -> Term {
        self.quantifier(Op::Exists, bound, body)
    }

    fn quantifier(&mut self, op: Op, bound: &[Term], body: Term) -> Term {
        assert!(self.sort(body) == Sort::Bool, "the body {body} of a quantifier should be Boolean");
        for &variable in bound {
            assert!(
                matches!(self.op(variable), Op::Bound(_)),
                "the quantified variable {variable} should be a bound variable"
            );
        }
        if bound.is_empty() || self.is_constant(body) {
            return body;
        }
        let mut children: SmallVec<[Term; 8]> = SmallVec::from_slice(bound);
        children.push(body);
        self.intern(op, Sort::Bool, &children)
    }
}
