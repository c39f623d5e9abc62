//! Which bit vectors are numbers with a sign.
//!
//! # Idea
//! `x ≤ 5` is one inequality over the integer that stands for `x` if that integer is kept in the range in which `x` is compared, and a
//! disjunction otherwise. Operations vote: comparisons, extensions, divisions and shifts with a sign for the signed range, those without for
//! the unsigned one, as do reads, concatenations and extractions of upper bits. What is assigned, added or chosen has one sign,
//! so votes are counted for classes of terms, which are made by union. On a tie the declarations of the symbols decide, and then the signed range.
//!
//! Any answer is sound; a good one makes formulas short.
//!
//! Cost: almost linear in the number of subterms.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use terms::{Op, Representation, Sort, Symbol, Term, TermPool};

/// Votes of one class: how many more are for a sign.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Balance {
    operations: i64,
    declarations: i64,
}

/// The classes of terms that have one sign.
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
            below = self.parent.insert(below, root).expect("what is not the root has a parent");
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

/// For each bit-vector symbol in `formulas` the range in which it is best kept, in order of first occurrence.
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
