//! The literals of cubes, and generalization by dropping them.

use backends::interpolation::elimination::Inequality;
use indexmap::IndexMap;
use num_rational::BigRational;
use rustc_hash::FxBuildHasher;
use terms::{Op, Sort, Term, TermPool};

/// The number of failures in a row before generalization ends.
pub(super) const MAX_FAILURES: usize = 6;

/// A part of a cube that has a property which is inherited by larger cubes, such as a
/// contradiction. `core` returns the literals of a cube that suffice for it, if it has the
/// property. Each literal is dropped if the others suffice.
pub(super) fn fewer<E>(
    mut cube: Vec<Term>,
    mut core: impl FnMut(&[Term]) -> Result<Option<Vec<Term>>, E>,
) -> Result<Vec<Term>, E> {
    let (mut index, mut failures) = (0, 0);
    while index < cube.len() && failures < MAX_FAILURES {
        let mut rest = cube.clone();
        rest.remove(index);
        match core(&rest)? {
            Some(found) => {
                // Literals before this one are needed, but a core may do without them.
                index = found.iter().position(|other| !cube[..index].contains(other)).unwrap_or(found.len());
                cube = found;
                failures = 0;
            }
            None => {
                index += 1;
                failures += 1;
            }
        }
    }
    Ok(cube)
}

/// The literals of a cube.
pub(super) fn literals(pool: &mut TermPool, cube: Term) -> Vec<Term> {
    let mut literals = Vec::new();
    for conjunct in pool.conjuncts(&[cube]) {
        split(pool, conjunct, &mut literals);
    }
    literals
}

/// Adds the literals of a conjunct. An equation of numbers becomes two inequalities, of which a
/// lemma may need only one.
fn split(pool: &mut TermPool, conjunct: Term, literals: &mut Vec<Term>) {
    if let (Op::Eq, &[a, b]) = (pool.op(conjunct), pool.children(conjunct)) {
        match pool.sort(a) {
            Sort::Int | Sort::Real => {
                literals.extend([pool.le(a, b), pool.le(b, a)]);
                return;
            }
            Sort::BitVec(width) if width > 1 => {
                literals.extend([pool.bv_ule(a, b), pool.bv_ule(b, a)]);
                return;
            }
            _ => {}
        }
    }
    literals.push(conjunct);
}

/// The cube without inequalities that others imply because they have the same sum and a weaker
/// constant.
pub(super) fn without_weaker(pool: &mut TermPool, cube: Term) -> Term {
    type Sum = Vec<(Term, BigRational)>;
    let mut strongest: IndexMap<Sum, (Inequality, Term), FxBuildHasher> = IndexMap::default();
    let mut literals = Vec::new();
    for literal in pool.conjuncts(&[cube]) {
        let Some(inequality) = Inequality::of(pool, literal) else {
            literals.push(literal);
            continue;
        };
        let rank = |inequality: &Inequality| (inequality.linear.constant.clone(), inequality.is_strict);
        let sum = inequality.linear.parts.clone();
        match strongest.get_mut(&sum) {
            Some((known, _)) if rank(known) >= rank(&inequality) => {}
            Some(known) => *known = (inequality, literal),
            None => drop(strongest.insert(sum, (inequality, literal))),
        }
    }
    literals.extend(strongest.into_values().map(|(_, literal)| literal));
    pool.and(&literals)
}
