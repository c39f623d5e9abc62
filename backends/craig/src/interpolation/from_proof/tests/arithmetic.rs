//! Small arithmetic problems, with proofs of the prover.

use super::certify;
use crate::interpolation::from_proof::{Labelling, Proofs};
use backends::Limits;
use backends::interpolation::{Interpolator, Problem, Tree};
use terms::{Sort, Term, TermPool};

/// Builds integers and formulas over them in their written form.
struct Writer {
    pool: TermPool,
    sort: Sort,
}

impl Writer {
    fn new(sort: Sort) -> Self {
        Writer { pool: TermPool::new(), sort }
    }

    fn number(&mut self, value: i64) -> Term {
        self.pool.number(self.sort, &num_rational::BigRational::from_integer(value.into()))
    }

    /// `Σ coefficient · name + constant`; the name is empty for the constant.
    fn sum(&mut self, summands: &[(i64, &str)]) -> Term {
        let mut terms = Vec::new();
        for &(coefficient, name) in summands {
            let coefficient = self.number(coefficient);
            terms.push(match name {
                "" => coefficient,
                name => {
                    let symbol = self.pool.symbol(name, self.sort);
                    self.pool.mul(coefficient, symbol)
                }
            });
        }
        self.pool.add(&terms)
    }

    fn eq(&mut self, left: &[(i64, &str)], right: &[(i64, &str)]) -> Term {
        let (left, right) = (self.sum(left), self.sum(right));
        self.pool.eq(left, right)
    }

    fn le(&mut self, left: &[(i64, &str)], right: &[(i64, &str)]) -> Term {
        let (left, right) = (self.sum(left), self.sum(right));
        self.pool.le(left, right)
    }

    fn lt(&mut self, left: &[(i64, &str)], right: &[(i64, &str)]) -> Term {
        let (left, right) = (self.sum(left), self.sum(right));
        self.pool.lt(left, right)
    }

    /// The interpolants of all labelings, certified, as text.
    fn solve(&mut self, problem: &Problem) -> Vec<Vec<String>> {
        let mut all = Vec::new();
        for labelling in Labelling::ALL {
            let limits = Limits { time: Some(std::time::Duration::from_secs(20)), ..Limits::default() };
            let found = Proofs { labelling }.interpolate(&mut self.pool, problem, &limits);
            let found =
                found.of_refuted().unwrap_or_else(|reason| panic!("{labelling:?}: {reason}\n{problem:?}"));
            certify(&mut self.pool, problem, &found, &format!("{labelling:?}"));
            all.push(found.iter().map(|&term| self.pool.display(term).to_string()).collect());
        }
        all
    }
}

#[test]
fn a_parity_is_a_divisibility() {
    let mut w = Writer::new(Sort::Int);
    let even = w.eq(&[(1, "i")], &[(2, "j")]);
    let odd = w.eq(&[(1, "i")], &[(2, "k"), (1, "")]);
    let problem = Problem::binary(vec![even], vec![odd]);
    for found in w.solve(&problem) {
        assert!(found[0].contains("mod"), "{found:?}");
    }
}

#[test]
fn sums_of_products_are_inequalities() {
    let mut w = Writer::new(Sort::Int);
    let parts = (
        vec![w.le(&[(3, "i"), (5, "j")], &[(17, "")]), w.le(&[(2, "k")], &[(1, "j")])],
        vec![w.lt(&[(17, "")], &[(3, "i"), (10, "k")])],
    );
    let problem = Problem::binary(parts.0, parts.1);
    for found in w.solve(&problem) {
        assert_eq!(found, ["(<= (+ (* 3 i) (* 10 k)) 17)"]);
    }
}

#[test]
fn a_positive_even_number_is_at_least_two() {
    let mut w = Writer::new(Sort::Int);
    let (even, positive) = (w.eq(&[(1, "i")], &[(2, "j")]), w.lt(&[(0, "")], &[(1, "i")]));
    let small = w.lt(&[(1, "i")], &[(2, "")]);
    let problem = Problem::binary(vec![even, positive], vec![small]);
    w.solve(&problem);
}

/// `3x ≤ y ≤ 3x + 1` against `y = 3z + 2`, where branching on single variables does not terminate.
#[test]
fn remainders_of_both_parts_are_cut() {
    let mut w = Writer::new(Sort::Int);
    let below = w.le(&[(3, "x")], &[(1, "y")]);
    let above = w.le(&[(1, "y")], &[(3, "x"), (1, "")]);
    let remainder = w.eq(&[(1, "y")], &[(3, "z"), (2, "")]);
    let problem = Problem::binary(vec![below, above], vec![remainder]);
    for found in w.solve(&problem) {
        assert!(found[0].contains("mod"), "{found:?}");
    }
}

/// The same along a path that passes `y` on.
#[test]
fn remainders_are_handed_on() {
    let mut w = Writer::new(Sort::Int);
    let parts = vec![
        vec![w.le(&[(3, "x")], &[(1, "y0")]), w.le(&[(1, "y0")], &[(3, "x"), (1, "")])],
        vec![w.eq(&[(1, "y1")], &[(1, "y0"), (3, "")])],
        vec![w.eq(&[(1, "y2")], &[(1, "y1"), (-6, "")])],
        vec![w.le(&[(3, "z"), (2, "")], &[(1, "y2")]), w.lt(&[(1, "y2")], &[(3, "z"), (3, "")])],
    ];
    let problem = Problem::sequence(parts);
    for found in w.solve(&problem) {
        assert!(found.iter().all(|text| text.contains("mod") && text.len() < 120), "{found:?}");
    }
}

#[test]
fn a_disjunction_is_split() {
    let mut w = Writer::new(Sort::Int);
    let (one, five) = (w.eq(&[(1, "x")], &[(1, "")]), w.eq(&[(1, "x")], &[(5, "")]));
    let either = w.pool.or2(one, five);
    let next = w.eq(&[(1, "y")], &[(2, "x")]);
    let even = w.eq(&[(1, "y"), (-1, "")], &[(3, "z"), (1, "")]);
    let small = w.le(&[(1, "z")], &[(2, "")]);
    let negative = w.lt(&[(0, "")], &[(1, "z")]);
    let problem = Problem::sequence(vec![vec![either], vec![next], vec![even, small, negative]]);
    w.solve(&problem);
}

#[test]
fn children_of_a_tree_are_added_up() {
    for sort in [Sort::Int, Sort::Real] {
        let mut w = Writer::new(sort);
        let left = vec![w.le(&[(1, "a")], &[(1, "s")]), w.le(&[(1, "s")], &[(3, "")])];
        let right = vec![w.le(&[(1, "b")], &[(1, "t")]), w.le(&[(1, "t")], &[(4, "")])];
        let root = vec![w.lt(&[(7, "")], &[(1, "a"), (1, "b")])];
        let tree = Tree::new(vec![Some(2), Some(2), None]).expect("a tree");
        let problem = Problem { parts: vec![left, right, root], tree };
        for found in w.solve(&problem) {
            assert!(found[0].starts_with("(<= a 3") && found[1].starts_with("(<= b 4"), "{found:?}");
        }
    }
}

/// `f(x) = p` and `f(y) = q` where arithmetic makes `x` and `y` equal, with or without a number in
/// between.
#[test]
fn a_shared_function_is_applied_to_what_is_between() {
    for sort in [Sort::Int, Sort::Real] {
        let mut w = Writer::new(sort);
        let f = w.pool.function_symbol("f", &[sort], sort);
        let [x, y, p, q] = ["x", "y", "p", "q"].map(|name| w.pool.symbol(name, sort));
        let (fx, fy) = (w.pool.apply(f, &[x]), w.pool.apply(f, &[y]));
        let first = vec![w.le(&[(1, "x")], &[(1, "s")]), w.le(&[(1, "t")], &[(1, "x")]), w.pool.eq(fx, p)];
        let second = vec![
            w.le(&[(1, "s")], &[(1, "y")]),
            w.le(&[(1, "y")], &[(1, "t")]),
            w.pool.eq(fy, q),
            w.pool.neq(p, q),
        ];
        let problem = Problem::binary(first, second);
        w.solve(&problem);
        let first = vec![w.eq(&[(1, "x")], &[(2, "s"), (1, "")]), w.pool.eq(fx, p)];
        let second = vec![w.eq(&[(1, "r")], &[(2, "s")])];
        let third = vec![w.eq(&[(1, "y")], &[(1, "r"), (1, "")]), w.pool.eq(fy, q), w.pool.neq(p, q)];
        let problem = Problem::sequence(vec![first, second, third]);
        w.solve(&problem);
    }
}

/// `x` and `y` each have one of two values, for which `f` contradicts itself.
#[test]
fn a_shared_function_of_few_values() {
    let mut w = Writer::new(Sort::Int);
    let f = w.pool.function_symbol("f", &[Sort::Int], Sort::Int);
    let [x, y] = ["x", "y"].map(|name| w.pool.symbol(name, Sort::Int));
    let (fx, fy) = (w.pool.apply(f, &[x]), w.pool.apply(f, &[y]));
    let [zero, one] = [0, 1].map(|value| w.number(value));
    let bounds = |w: &mut Writer, name: &str, value: Term, at: Term| {
        let (low, high) = (w.le(&[(0, "")], &[(1, name)]), w.le(&[(1, name)], &[(1, "")]));
        let says = w.pool.eq(at, value);
        vec![low, high, says]
    };
    let mut first = bounds(&mut w, "x", zero, fx);
    let [g0, g1] = [zero, one].map(|argument| w.pool.apply(f, &[argument]));
    first.push(w.pool.eq(g0, g1));
    let second = bounds(&mut w, "y", one, fy);
    let problem = Problem::binary(first, second);
    w.solve(&problem);
}
