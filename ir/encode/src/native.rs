//! Functions of linear encodings as native arithmetic.
//!
//! Linear encodings represent products, quotients and bitwise operations of variables by
//! uninterpreted functions with axioms, because few solvers decide nonlinear arithmetic. Formats
//! without functions, such as Horn clauses, need terms instead:
//!
//! * `int.mul` becomes the product.
//! * Quotients and remainders become `div` and `mod`, rounded as in C, unless the divisor is 0 or
//!   -1: then they are a fresh variable, which the axioms determine.
//! * Any other application becomes a fresh variable, which only the axioms restrict. This
//!   approximates: see [`Native::approximated`].
//!
//! Equal applications get the same variable. Congruence of different ones is lost.

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use terms::{FunctionSymbol, Op, Representation, Sort, Sparse, Substitution, Term, TermPool};

/// A replacement of functions, which can be applied to several formulas.
#[derive(Default)]
pub struct Native {
    substitution: Substitution<Sparse>,
    known: FxHashMap<Term, Term>,
    approximated: BTreeSet<String>,
}

impl Native {
    /// The functions that are approximated by fresh variables, so far.
    pub fn approximated(&self) -> impl Iterator<Item = &str> {
        self.approximated.iter().map(String::as_str)
    }

    /// Forgets the variables of earlier formulas.
    pub fn clear(&mut self) {
        self.substitution.clear();
        self.known.clear();
    }

    /// `formula` without functions. Formulas since the last [`clear`](Self::clear) share variables.
    pub fn apply(&mut self, pool: &mut TermPool, formula: Term) -> Term {
        let mut applications = Vec::new();
        pool.visit(
            &[formula],
            |_| true,
            |term| {
                if matches!(pool.op(term), Op::Apply(_)) {
                    applications.push(term);
                }
            },
        );
        // Arguments come before the applications that contain them.
        applications.retain(|application| !self.known.contains_key(application));
        for application in applications {
            let Op::Apply(function) = pool.op(application) else { continue };
            let arguments: Vec<Term> = pool.children(application).to_vec();
            let arguments: Vec<Term> =
                arguments.into_iter().map(|argument| self.substitution.apply(pool, argument)).collect();
            let image = self.image(pool, function, &arguments, pool.sort(application));
            self.known.insert(application, image);
            self.substitution.insert(application, image);
        }
        self.substitution.apply(pool, formula)
    }

    fn image(
        &mut self,
        pool: &mut TermPool,
        function: FunctionSymbol,
        arguments: &[Term],
        sort: Sort,
    ) -> Term {
        let name = pool.function_data(function).0.to_owned();
        let operation = name.strip_prefix("int.").unwrap_or(&name);
        let operation = operation.trim_end_matches(|c: char| c.is_ascii_digit());
        match (operation, arguments) {
            ("mul", &[a, b]) => pool.mul(a, b),
            ("udiv" | "urem" | "sdiv" | "srem", &[a, b]) => {
                let [zero, minus_one] = [0, -1].map(|value| pool.int(value));
                let special = [pool.eq(b, zero), pool.eq(b, minus_one)];
                let is_special = pool.or(&special);
                let open = pool.fresh_symbol(&name, sort, Representation::Signed);
                let value = rounded(pool, operation, a, b);
                pool.ite(is_special, open, value)
            }
            _ => {
                let open = pool.fresh_symbol(&name, sort, Representation::Signed);
                self.approximated.insert(name);
                open
            }
        }
    }
}

/// The quotient or remainder of `a` by `b`, which is not 0, rounded towards zero.
fn rounded(pool: &mut TermPool, operation: &str, a: Term, b: Term) -> Term {
    // `div` of SMT-LIB rounds such that the remainder is not negative, whatever the divisor. For a
    // negative dividend, the magnitudes are those of its negation.
    let zero = pool.int(0);
    let is_negative = pool.lt(a, zero);
    let opposite = pool.neg(a);
    let of = |pool: &mut TermPool, a: Term| match operation {
        "udiv" | "sdiv" => pool.int_div(a, b),
        _ => pool.int_mod(a, b),
    };
    let at_positive = of(pool, a);
    let at_negative = of(pool, opposite);
    let at_negative = pool.neg(at_negative);
    pool.ite(is_negative, at_negative, at_positive)
}
