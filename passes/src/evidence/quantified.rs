//! The universally quantified symbol of invariants in presentations: in C notation and ACSL
//! `\\forall int k; …`, in SMT-LIB `(forall ((k …)) …)`.

use super::Index;
use num_bigint::BigInt;
use num_traits::One;
use std::collections::BTreeMap;
use terms::{Op, Representation, Sort, Substitution, Term, TermPool};

/// The quantified symbol under its name for readers.
#[derive(Clone, Copy)]
pub(super) struct Quantified {
    /// The symbol of formulas for readers.
    pub(super) symbol: Term,
    index: Index,
}

impl Quantified {
    /// A symbol with a name that is not in `names`.
    pub(super) fn new<K>(pool: &mut TermPool, index: Index, names: &BTreeMap<K, String>) -> Self {
        let is_free = |name: &String| names.values().all(|other| other != name);
        let numbered = (1..).map(|number| format!("k{number}"));
        let name = ["k".to_owned()].into_iter().chain(numbered).find(is_free).expect("a name is free");
        let sort = pool.sort(index.symbol);
        Quantified { symbol: pool.symbol_with(&name, sort, index.representation), index }
    }

    fn name<'p>(&self, pool: &'p TermPool) -> &'p str {
        match pool.op(self.symbol) {
            Op::Symbol(id) => &pool.symbol_data(id).name,
            _ => unreachable!("an index is a symbol"),
        }
    }

    /// Whether a formula is about the index.
    pub(super) fn is_in(&self, pool: &mut TermPool, formula: Term) -> bool {
        pool.free_symbols(formula).into_iter().any(|symbol| pool.symbol_term(symbol) == self.symbol)
    }

    /// The text of a formula about the index with its quantifier.
    pub(super) fn text(&self, pool: &TermPool, text: &str) -> String {
        format!("\\forall {} {}; {text}", self.c_type(), self.name(pool))
    }

    /// The type of the index in C or, without one, in ACSL.
    fn c_type(&self) -> &'static str {
        match (self.index.sort, self.index.representation) {
            (Sort::BitVec(8), Representation::Signed) => "signed char",
            (Sort::BitVec(8), Representation::Unsigned) => "unsigned char",
            (Sort::BitVec(16), Representation::Signed) => "short",
            (Sort::BitVec(16), Representation::Unsigned) => "unsigned short",
            (Sort::BitVec(32), Representation::Signed) => "int",
            (Sort::BitVec(32), Representation::Unsigned) => "unsigned int",
            (Sort::BitVec(64), Representation::Signed) => "long long",
            (Sort::BitVec(64), Representation::Unsigned) => "unsigned long long",
            _ => "integer",
        }
    }

    /// The formula with its quantifier. An integer that represents a bit vector is in its range.
    pub(super) fn closed(&self, pool: &mut TermPool, formula: Term) -> Term {
        let sort = pool.sort(self.symbol);
        let name = self.name(pool).to_owned();
        let bound = pool.bound(&name, sort);
        let mut substitution = Substitution::new();
        substitution.insert(self.symbol, bound);
        let mut body = substitution.apply(pool, formula);
        if let (Sort::Int, Sort::BitVec(width)) = (sort, self.index.sort) {
            let low = match self.index.representation {
                Representation::Signed => -(BigInt::one() << (width - 1)),
                Representation::Unsigned => BigInt::from(0),
            };
            let high: BigInt = &low + (BigInt::one() << width) - 1;
            let (low, high) = (pool.int_big(&low), pool.int_big(&high));
            let (from, to) = (pool.le(low, bound), pool.le(bound, high));
            let range = pool.and2(from, to);
            body = pool.implies(range, body);
        }
        pool.forall(&[bound], body)
    }
}
