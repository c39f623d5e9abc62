//! The signedness of bit vectors.
//!
//! # Idea
//! `x ≤ 5` is one inequality over the integer of `x` if that integer has the range in which `x` is
//! compared, and a disjunction otherwise. Operations vote: signed comparisons, extensions,
//! divisions and shifts vote for the signed range; unsigned ones, reads, concatenations and
//! extractions of upper bits vote for the unsigned range. The two sides of assignments, sums and
//! `ite`s have the same signedness, so votes are counted per class of terms, and a union-find
//! structure maintains the classes. On a tie the declarations of the symbols decide, and then the
//! signed range wins.
//!
//! Any result is sound; a good one yields short formulas.
//!
//! # Cost
//! Almost linear in the number of subterms.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use terms::{Op, Representation, Sort, Symbol, Term, TermPool};

/// The votes of one class: signed minus unsigned.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Balance {
    operations: i64,
    declarations: i64,
}

/// The classes of terms with the same signedness.
#[derive(Default)]
struct Classes {
    parent: FxHashMap<Term, Term>,
}

impl Classes {
    fn find(&mut self, term: Term) -> Term {
        let mut root = term;
        while let Some(&above) = self.parent.get(&root) {
            root = above;
        }
        let mut below = term;
        while below != root {
            below = self.parent.insert(below, root).expect("only the root has no parent");
        }
        root
    }

    fn unite(&mut self, a: Term, b: Term) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.parent.insert(a, b);
        }
    }
}

/// The best range of each bit-vector symbol in `formulas`, in order of first occurrence.
pub(super) fn representations(
    pool: &TermPool,
    formulas: &[Term],
) -> IndexMap<Symbol, Representation, FxBuildHasher> {
    let mut classes = Classes::default();
    let mut votes: Vec<(Term, i64)> = Vec::new();
    let mut symbols: Vec<(Symbol, Term)> = Vec::new();
    let is_word = |term: Term| matches!(pool.sort(term), Sort::BitVec(_)) && !pool.is_constant(term);
    pool.visit(
        formulas,
        |_| true,
        |term| {
            let children = pool.children(term);
            let words = || children.iter().copied().filter(|&child| is_word(child));
            match pool.op(term) {
                Op::Symbol(symbol) if is_word(term) => symbols.push((symbol, term)),
                Op::BvAdd | Op::BvSub | Op::BvNeg | Op::BvNot | Op::BvMul | Op::BvShl => {
                    words().for_each(|child| classes.unite(child, term));
                }
                Op::Ite if is_word(term) => words().for_each(|child| classes.unite(child, term)),
                Op::Eq => {
                    if let &[a, b] = children
                        && is_word(a)
                        && is_word(b)
                    {
                        classes.unite(a, b);
                    }
                }
                Op::BvSlt | Op::BvSle | Op::BvSdiv | Op::BvSrem | Op::SignExtend(_) | Op::BvAshr => {
                    votes.extend(words().map(|child| (child, 1)));
                }
                Op::BvUlt | Op::BvUle | Op::BvUdiv | Op::BvUrem | Op::ZeroExtend(_) | Op::BvLshr => {
                    votes.extend(words().map(|child| (child, -1)));
                }
                Op::Concat | Op::Select | Op::Store => votes.extend(words().map(|child| (child, -1))),
                Op::Extract { low, .. } if low > 0 => votes.extend(words().map(|child| (child, -1))),
                _ => {}
            }
        },
    );
    let mut balances: FxHashMap<Term, Balance> = FxHashMap::default();
    for (term, vote) in votes {
        balances.entry(classes.find(term)).or_default().operations += vote;
    }
    for &(symbol, term) in &symbols {
        let vote = match pool.symbol_data(symbol).representation {
            Representation::Signed => 1,
            Representation::Unsigned => -1,
        };
        balances.entry(classes.find(term)).or_default().declarations += vote;
    }
    symbols
        .into_iter()
        .map(|(symbol, term)| {
            let balance = balances[&classes.find(term)];
            let is_unsigned = balance < Balance::default();
            (symbol, if is_unsigned { Representation::Unsigned } else { Representation::Signed })
        })
        .collect()
}
