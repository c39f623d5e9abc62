//! Rows that are kept or dropped: given formulas, as many of them as are inductive together.
//!
//! Houdini (Flanagan, Leino, *Houdini, an Annotation Assistant for ESC/Java*, FME 2001).
//! DIVERGENCE: Houdini starts with all candidates of all relations and drops those that fail from
//! an arbitrary state. The solver starts from below, so each state in a query is reachable under
//! the rows so far, candidates can depend on the first state, and other domains strengthen them.
//!
//! | kind | candidates |
//! |---|---|
//! | [`Kind::Literals`] | the [literals](crate::vocabulary) of the system and their weaker forms; formulas that exclude queries; remainders by divisors of the system |
//! | [`Kind::Equalities`] | `x = y` and `x ≠ y` |
//! | [`Kind::Orders`] | `x ≤ y` and `x < y` |
//! | [`Kind::Disjunctions`] | disjunctions of two literals, and of a goal with an order |
//! | [`given`] | formulas of the caller |

use crate::bounds::related;
use crate::table::{Base, First, Table, Template};
use crate::vocabulary::Terms;
use backends::symbolic::{integer, less_equal, numeral, representation};
use horn::Relation;
use std::rc::Rc;
use terms::entity::SecondaryMap;
use terms::{Op, Representation, Sort, Term, TermPool, Value};

/// The largest number of candidates of one relation.
pub(crate) const MAX_CANDIDATES: usize = 900;
/// The largest number of atoms in disjunctions.
const MAX_ATOMS: usize = 14;

/// The kind of the candidates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Literals of the system.
    Literals,
    /// Equalities and disequalities of two numbers.
    Equalities,
    /// Orders of two numbers.
    Orders,
    /// Disjunctions of literals and orders.
    Disjunctions,
}

/// The domain of candidates of a kind.
pub(crate) fn candidates(base: &Base<'_>, kind: Kind) -> Table<Candidate> {
    let name = match kind {
        Kind::Literals => "literals",
        Kind::Equalities => "equalities",
        Kind::Orders => "orders",
        Kind::Disjunctions => "disjunctions",
    };
    Table::new(name, base, move |pool, first| {
        let found = match kind {
            Kind::Literals => {
                let mut found = literals(pool, first);
                remainders(pool, first, &mut found);
                found
            }
            Kind::Equalities => equalities(pool, first),
            Kind::Orders => orders(pool, first),
            Kind::Disjunctions => disjunctions(pool, first),
        };
        let nontrivial = found.into_iter().filter(|&formula| pool.as_bool(formula).is_none());
        nontrivial.take(MAX_CANDIDATES).map(|formula| Candidate { formula, is_kept: true }).collect()
    })
}

/// Formulas about the states of each relation.
pub type Formulas = SecondaryMap<Relation, Vec<Term>>;

/// The domain of given formulas, with its name in statistics.
pub(crate) fn given(base: &Base<'_>, name: &'static str, formulas: Rc<Formulas>) -> Table<Candidate> {
    Table::new(name, base, move |_, first| {
        let formulas = formulas[first.relation].iter();
        formulas.map(|&formula| Candidate { formula, is_kept: true }).collect()
    })
}

/// A row.
pub(crate) struct Candidate {
    formula: Term,
    is_kept: bool,
}

impl Template for Candidate {
    fn required(&self) -> Vec<Term> {
        Vec::new()
    }

    fn formula(&self, _: &mut TermPool) -> Option<Term> {
        self.is_kept.then_some(self.formula)
    }

    fn edit(&mut self, _: &[Value]) -> bool {
        std::mem::replace(&mut self.is_kept, false)
    }
}

fn literals(pool: &mut TermPool, first: &First<'_>) -> Terms {
    let mut found = Terms::default();
    found.extend(first.material.goals.iter().copied());
    for &atom in &first.material.atoms {
        found.extend([atom, pool.not(atom)]);
    }
    for &atom in &first.material.atoms {
        let &[a, b] = pool.children(atom) else { continue };
        let weaker = match pool.op(atom) {
            Op::BvUlt | Op::BvUle => [pool.bv_ule(a, b), pool.bv_ule(b, a)],
            Op::BvSlt | Op::BvSle => [pool.bv_sle(a, b), pool.bv_sle(b, a)],
            Op::Lt | Op::Le => [pool.le(a, b), pool.le(b, a)],
            Op::Eq if matches!(pool.sort(a), Sort::BitVec(_) | Sort::Int | Sort::Real) => [
                less_equal(pool, Representation::Signed, a, b),
                less_equal(pool, Representation::Signed, b, a),
            ],
            _ => continue,
        };
        found.extend(weaker);
    }
    found
}

/// `x mod m = r` for the divisors of the system, with `r` from the first state.
fn remainders(pool: &mut TermPool, first: &First<'_>, found: &mut Terms) {
    for &number in &first.material.numbers {
        let sort = pool.sort(number);
        let Some(value) = first.value(number).and_then(|value| value.to_term(pool, sort)) else { continue };
        for divisor in &first.vocabulary.divisors {
            let divisor = numeral(pool, sort, divisor);
            if integer(pool, divisor).is_none_or(|divisor| divisor == 0.into()) {
                continue;
            }
            let remainder = |pool: &mut TermPool, of: Term| match sort {
                Sort::Int => Some(pool.int_mod(of, divisor)),
                Sort::BitVec(_) => Some(match representation(pool, number) {
                    Representation::Signed => pool.bv_srem(of, divisor),
                    Representation::Unsigned => pool.bv_urem(of, divisor),
                }),
                _ => None,
            };
            if let (Some(own), Some(expected)) = (remainder(pool, number), remainder(pool, value)) {
                found.insert(pool.eq(own, expected));
            }
        }
    }
}

fn equalities(pool: &mut TermPool, first: &First<'_>) -> Terms {
    let mut found = Terms::default();
    for (x, y) in related(pool, first.material) {
        let equal = pool.eq(x, y);
        found.extend([equal, pool.not(equal)]);
    }
    for (index, &x) in first.material.truths.iter().enumerate() {
        for &y in &first.material.truths[index + 1..] {
            let equal = pool.eq(x, y);
            found.extend([equal, pool.not(equal)]);
        }
    }
    found
}

fn orders(pool: &mut TermPool, first: &First<'_>) -> Terms {
    let mut found = Terms::default();
    for (x, y) in related(pool, first.material) {
        let mut signednesses = vec![representation(pool, x), representation(pool, y)];
        signednesses.dedup();
        for signedness in signednesses {
            for (a, b) in [(x, y), (y, x)] {
                let at_most = less_equal(pool, signedness, a, b);
                let at_least = less_equal(pool, signedness, b, a);
                found.extend([at_most, pool.not(at_least)]);
            }
        }
    }
    found
}

fn disjunctions(pool: &mut TermPool, first: &First<'_>) -> Terms {
    let mut found = Terms::default();
    // A disjunction with a known disjunct says nothing new.
    let known = first.known;
    let mut orders = orders(pool, first);
    orders.retain(|order| !known.contains(order));
    let literals: Vec<Term> = first.material.atoms.iter().flat_map(|&atom| [atom, pool.not(atom)]).collect();
    let is_open = |literal: &&Term| !known.contains(*literal);
    let literals: Vec<Term> = literals.iter().filter(is_open).take(2 * MAX_ATOMS).copied().collect();
    for &goal in first.material.goals.iter().filter(is_open).take(MAX_ATOMS) {
        for &other in &orders {
            found.insert(pool.or2(goal, other));
        }
    }
    for (index, &one) in literals.iter().enumerate() {
        for &other in &literals[..index] {
            found.insert(pool.or2(one, other));
        }
    }
    found
}
