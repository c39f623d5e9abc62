//! Groups of predicates whose values are independent of each other.
//!
//! The models of a conjunction of formulas without common symbols are all combinations of their
//! models. So the cubes of predicates over different parts of a state are all combinations of the
//! cubes of each part: n counters with m cubes each take n·m queries in place of mⁿ.
//!
//! Terms are related by a common symbol or function. Operators that SMT-LIB leaves unspecified for
//! some arguments, such as a division by zero, relate terms as well, which is ignored: then the
//! combinations have more states than the predicates allow, which is a coarser abstraction.

use petgraph::unionfind::UnionFind;
use rustc_hash::FxHashMap;
use terms::{Term, TermPool};

/// The groups of `formulas`, by their indices, that `constraints`, a conjunction, does not relate.
/// Groups and indices are ascending.
pub(super) fn independent(pool: &mut TermPool, constraints: &[Term], formulas: &[Term]) -> Vec<Vec<usize>> {
    if formulas.len() < 2 {
        return (0..formulas.len()).map(|index| vec![index]).collect();
    }
    let conjuncts = pool.conjuncts(constraints);
    let mut classes: UnionFind<usize> = UnionFind::new(formulas.len() + conjuncts.len());
    let (mut with_symbol, mut with_function) = (FxHashMap::default(), FxHashMap::default());
    for (number, &term) in formulas.iter().chain(&conjuncts).enumerate() {
        for symbol in pool.free_symbols(term) {
            classes.union(number, *with_symbol.entry(symbol).or_insert(number));
        }
        for function in pool.free_functions_of(&[term]) {
            classes.union(number, *with_function.entry(function).or_insert(number));
        }
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut group_of: FxHashMap<usize, usize> = FxHashMap::default();
    for index in 0..formulas.len() {
        let group = *group_of.entry(classes.find(index)).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(index);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use terms::Sort;

    #[test]
    fn formulas_are_related_by_chains_of_constraints() {
        let mut pool = TermPool::new();
        let [a, b, c, d, e] = ["a", "b", "c", "d", "e"].map(|name| pool.symbol(name, Sort::Int));
        let zero = pool.int(0);
        let formulas = [a, d, b, e].map(|symbol| pool.lt(zero, symbol));
        assert_eq!(independent(&mut pool, &[], &formulas), [[0], [1], [2], [3]]);
        let (one, two) = (pool.lt(a, c), pool.lt(c, b));
        let both = pool.and2(one, two);
        assert_eq!(independent(&mut pool, &[both], &formulas), vec![vec![0, 2], vec![1], vec![3]]);
        let (left, right) = (pool.eq(d, zero), pool.eq(e, zero));
        let either = pool.or2(left, right);
        assert_eq!(independent(&mut pool, &[either, both], &formulas), [[0, 2], [1, 3]]);
    }

    #[test]
    fn formulas_are_related_by_a_function() {
        let mut pool = TermPool::new();
        let (a, b) = (pool.symbol("a", Sort::Int), pool.symbol("b", Sort::Int));
        let function = pool.function_symbol("f", &[Sort::Int], Sort::Bool);
        let formulas = [a, b].map(|symbol| pool.apply(function, &[symbol]));
        assert_eq!(independent(&mut pool, &[], &formulas), [[0, 1]]);
    }
}
