//! Functions of linear encodings as native arithmetic.
//!
//! Linear encodings represent products, quotients and bitwise operations of variables by
//! uninterpreted functions with axioms, because few solvers decide nonlinear arithmetic. Formats
//! without functions, such as Horn clauses, need terms instead:
//!
//! * `int.mul` becomes the product.
//! * A quotient `q` and a remainder `r` become fresh variables with `a = b * q + r`, rounded as in
//!   C. Division by 0 is left to the axioms. The quotient of the least number by -1 wraps around,
//!   if overflow does. Spacer knows no `div` and `mod` by variables.
//! * Any other application becomes a fresh variable, which only the axioms restrict. This
//!   approximates: see [`Native::approximated`].
//!
//! Equal applications get the same variable. Congruence of different ones is lost.

use crate::Overflow;
use crate::number::integer;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use terms::{FunctionSymbol, Op, Representation, Sort, Sparse, Substitution, Term, TermPool};

/// A replacement of functions, which can be applied to several formulas.
pub struct Native {
    overflow: Overflow,
    substitution: Substitution<Sparse>,
    known: FxHashMap<Term, Term>,
    approximated: BTreeSet<String>,
}

/// The distinct applications of functions in a formula, arguments first.
fn applications(pool: &TermPool, formula: Term) -> Vec<Term> {
    let mut found = Vec::new();
    pool.visit(
        &[formula],
        |_| true,
        |term| {
            if matches!(pool.op(term), Op::Apply(_)) {
                found.push(term);
            }
        },
    );
    found
}

/// Whether a term in a linear encoding applies a function that represents a nonlinear operation.
fn is_operation(pool: &TermPool, term: Term) -> bool {
    let Op::Apply(function) = pool.op(term) else { return false };
    let (name, arguments, result) = pool.function_data(function);
    name.starts_with("int.") && arguments == [Sort::Int; 2] && result == Sort::Int
}

/// The distinct applications of functions for nonlinear operations in a formula in a linear
/// encoding.
#[must_use]
pub fn applied_operations(pool: &TermPool, formula: Term) -> Vec<Term> {
    let mut found = applications(pool, formula);
    found.retain(|&term| is_operation(pool, term));
    found
}

/// Whether all functions in a formula in a linear encoding represent nonlinear operations, and
/// there is one.
#[must_use]
pub fn applies_only_operations(pool: &TermPool, formula: Term) -> bool {
    let found = applications(pool, formula);
    !found.is_empty() && found.iter().all(|&term| is_operation(pool, term))
}

impl Native {
    /// A replacement in formulas whose overflow has this semantics.
    #[must_use]
    pub fn new(overflow: Overflow) -> Self {
        Native {
            overflow,
            substitution: Substitution::sparse(),
            known: FxHashMap::default(),
            approximated: BTreeSet::new(),
        }
    }

    /// The functions that are approximated by fresh variables, so far.
    pub fn approximated(&self) -> impl Iterator<Item = &str> {
        self.approximated.iter().map(String::as_str)
    }

    /// Forgets the variables of earlier formulas.
    pub fn clear(&mut self) {
        self.substitution.clear();
        self.known.clear();
    }

    /// `formula` without functions, and what defines the new variables. Formulas since the last
    /// [`clear`](Self::clear) share variables; they are defined once.
    pub fn apply(&mut self, pool: &mut TermPool, formula: Term) -> Term {
        let mut applications = applications(pool, formula);
        let mut conjuncts = Vec::new();
        // Arguments come before the applications that contain them.
        applications.retain(|application| !self.known.contains_key(application));
        for application in applications {
            let Op::Apply(function) = pool.op(application) else { continue };
            let arguments: Vec<Term> = pool.children(application).to_vec();
            let arguments: Vec<Term> =
                arguments.into_iter().map(|argument| self.substitution.apply(pool, argument)).collect();
            let sort = pool.sort(application);
            let image = self.image(pool, function, &arguments, sort, &mut conjuncts);
            self.known.insert(application, image);
            self.substitution.insert(application, image);
        }
        conjuncts.insert(0, self.substitution.apply(pool, formula));
        pool.and(&conjuncts)
    }

    fn image(
        &mut self,
        pool: &mut TermPool,
        function: FunctionSymbol,
        arguments: &[Term],
        sort: Sort,
        conjuncts: &mut Vec<Term>,
    ) -> Term {
        let name = pool.function_data(function).0.to_owned();
        let whole = name.strip_prefix("int.").unwrap_or(&name);
        let operation = whole.trim_end_matches(|c: char| c.is_ascii_digit());
        match (operation, arguments) {
            ("mul", &[a, b]) => pool.mul(a, b),
            ("udiv" | "urem" | "sdiv" | "srem", &[a, b]) => {
                let [quotient, remainder] = ["q", "r"].map(|name| {
                    pool.fresh_symbol(&format!("{operation}.{name}"), sort, Representation::Signed)
                });
                let wraps = operation.starts_with('s') && self.overflow == Overflow::Wrap;
                let width = whole[operation.len()..].parse::<u32>().ok().filter(|_| wraps);
                conjuncts.push(division(pool, (a, b), (quotient, remainder), width));
                if operation.ends_with("div") { quotient } else { remainder }
            }
            _ => {
                let open = pool.fresh_symbol(&name, sort, Representation::Signed);
                self.approximated.insert(name);
                open
            }
        }
    }
}

/// That `quotient` and `remainder` are those of `a` by `b`, rounded towards zero, unless `b` is 0.
/// The quotient wraps around in signed numbers of the `width`, if there is one.
fn division(
    pool: &mut TermPool,
    (a, b): (Term, Term),
    (quotient, remainder): (Term, Term),
    width: Option<u32>,
) -> Term {
    let [zero, minus_one] = [0, -1].map(|value| pool.int(value));
    let multiple = pool.mul(b, quotient);
    let sum = pool.add(&[multiple, remainder]);
    let is_sum = pool.eq(a, sum);
    let (is_negative, is_opposite) = (pool.lt(a, zero), pool.lt(b, zero));
    let (minus_b, minus_r) = (pool.neg(b), pool.neg(remainder));
    let divisor = pool.ite(is_opposite, minus_b, b);
    // The remainder has the sign of the dividend.
    let size = pool.ite(is_negative, minus_r, remainder);
    let bounds = [pool.le(zero, size), pool.lt(size, divisor), is_sum];
    let regular = pool.and(&bounds);
    let is_zero = pool.eq(b, zero);
    let Some(width) = width else { return pool.or(&[is_zero, regular]) };
    let least = integer(pool, -(1i128 << (width - 1)));
    let wraps = [pool.eq(a, least), pool.eq(b, minus_one)];
    let wraps = pool.and(&wraps);
    let wrapped = [pool.eq(quotient, least), pool.eq(remainder, zero)];
    let wrapped = pool.and(&wrapped);
    let value = pool.ite(wraps, wrapped, regular);
    pool.or(&[is_zero, value])
}
