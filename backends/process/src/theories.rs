//! The theories of a formula, as far as they decide whether a solver supports it.

use backends::{Capabilities, Reason, Support};
use rustc_hash::FxHashSet;
use terms::{Op, Sort, Term, TermPool};

/// Refuses formulas outside the theories of a solver. Remembers the terms that it has seen.
#[derive(Clone, Debug, Default)]
pub struct Theories {
    accepted: FxHashSet<Term>,
}

impl Theories {
    /// Checks that a solver with `capabilities` supports `formula`.
    ///
    /// # Errors
    /// [`Reason::Unsupported`] with the name of the theory or feature.
    pub fn check(
        &mut self,
        pool: &TermPool,
        formula: Term,
        capabilities: &Capabilities,
    ) -> Result<(), Reason> {
        let mut seen = Vec::new();
        let mut missing = None;
        pool.visit(
            &[formula],
            |term| !self.accepted.contains(&term),
            |term| {
                let is_missing = |theory: &&str| !capabilities.theories.contains(theory);
                if missing.is_none() {
                    missing = theories(pool, term).into_iter().flatten().find(is_missing);
                }
                match pool.op(term) {
                    Op::Forall | Op::Exists if capabilities.quantifiers == Support::None => {
                        missing = missing.or(Some("quantifiers"));
                    }
                    // The text of these operators is not that of the standard.
                    Op::FpToBits => missing = missing.or(Some("the bit pattern of a float")),
                    Op::Value(_) => missing = missing.or(Some("a value of the intermediate representation")),
                    _ => {}
                }
                seen.push(term);
            },
        );
        match missing {
            Some(missing) => Err(Reason::Unsupported(missing.to_owned())),
            None => {
                self.accepted.extend(seen);
                Ok(())
            }
        }
    }
}

/// The theories of a term without those of its children, names of [`backends::THEORIES`].
fn theories(pool: &TermPool, term: Term) -> [Option<&'static str>; 2] {
    let is_constant = |&child: &Term| pool.op(child).is_constant();
    let children = pool.children(term);
    let sort = pool.sort(term);
    let nonlinear = match sort {
        Sort::Real => "NonlinearReals",
        _ => "NonlinearInts",
    };
    let operator = match pool.op(term) {
        Op::Mul => (!children.iter().any(is_constant)).then_some(nonlinear),
        Op::IntDiv | Op::IntMod | Op::RealDiv => (!is_constant(&children[1])).then_some(nonlinear),
        Op::Apply(_) => Some("UF"),
        _ => None,
    };
    let own = match sort {
        Sort::Bool => None,
        Sort::Int => Some("Ints"),
        Sort::Real => Some("Reals"),
        Sort::BitVec(_) => Some("FixedSizeBitVectors"),
        Sort::Float(..) | Sort::RoundingMode => Some("FloatingPoint"),
        Sort::Array(_) => Some("ArraysEx"),
        Sort::Uninterpreted(_) => Some("UF"),
    };
    [operator, own]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_outside_the_theories_are_refused_by_name() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.symbol("x", Sort::Int), pool.symbol("y", Sort::Int));
        let (product, sum) = (pool.mul(x, y), pool.add(&[x, y]));
        let (nonlinear, linear) = (pool.eq(product, x), pool.eq(sum, x));
        let (b, c) = (pool.symbol("b", Sort::BitVec(8)), pool.symbol("c", Sort::BitVec(8)));
        let bits = pool.eq(b, c);
        let capabilities = Capabilities { theories: vec!["Core", "Ints"], ..Capabilities::default() };
        let mut theories = Theories::default();
        assert_eq!(theories.check(&pool, linear, &capabilities), Ok(()));
        let refused = theories.check(&pool, nonlinear, &capabilities);
        assert_eq!(refused, Err(Reason::Unsupported("NonlinearInts".to_owned())));
        assert_eq!(theories.check(&pool, nonlinear, &capabilities), refused, "a refusal is not remembered");
        let refused = theories.check(&pool, bits, &capabilities);
        assert_eq!(refused, Err(Reason::Unsupported("FixedSizeBitVectors".to_owned())));
    }
}
