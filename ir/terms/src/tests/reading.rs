//! Texts for readers.

use crate::print::{Assertion, Clause, Definition, Labels, Reading, Unique};
use crate::{Op, Sort, Term, TermPool};

fn label(pool: &TermPool, symbol: Term, name: &str) -> (crate::Symbol, String) {
    let Op::Symbol(symbol) = pool.op(symbol) else { panic!("a symbol") };
    (symbol, name.to_owned())
}

#[test]
fn names_are_unique_and_have_no_meaning_in_smt_lib() {
    let mut names = Unique::for_readers();
    let claimed = ["x", "x", "let", "and", "x.2", "x", "push", "true", "bvadd", "a|b", "a_b", "Ä"];
    let given = claimed.map(|name| names.claim(name));
    assert_eq!(
        given,
        ["x", "x.2", "let.2", "and.2", "x.2.2", "x.3", "push.2", "true.2", "bvadd.2", "a_b", "a_b.2", "Ä"]
    );
}

#[test]
fn symbols_have_their_labels_and_give_way_to_names_around() {
    let mut pool = TermPool::new();
    let [a, b, c] = ["x.v0", "x.v1", "error.v2"].map(|name| pool.symbol(name, Sort::Int));
    let (sum, zero) = (pool.add(&[a, b]), pool.int(0));
    let sum = pool.add(&[sum, c]);
    let formula = pool.le(sum, zero);
    let symbols = [label(&pool, a, "x"), label(&pool, b, "x"), label(&pool, c, "error")];
    let taken = ["error".to_owned()].into_iter().collect();
    let labels = Labels { symbols: symbols.into_iter().collect(), taken: std::rc::Rc::new(taken) };
    assert_eq!(Clause::new(&pool, &[formula], &labels).conjuncts(formula), ["(<= (+ x x.2 error.2) 0)"]);
}

#[test]
fn bounds_of_a_term_are_one_comparison() {
    let mut pool = TermPool::new();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::Int));
    let [low, high] = [-1, 255].map(|value| pool.int(value));
    let (is_low, is_high, is_same) = (pool.le(x, low), pool.le(x, high), pool.eq(x, y));
    let above = pool.not(is_low);
    let formula = pool.and(&[above, is_same, is_high]);
    let names = Clause::new(&pool, &[formula, above], &Labels::default());
    let mut conjuncts = names.conjuncts(formula);
    conjuncts.sort();
    assert_eq!(conjuncts, ["(<= 0 x 255)", "(= x y)"]);
    assert_eq!(names.conjuncts(above), ["(<= 0 x)"]);
    assert_eq!(crate::print::term(&pool, above), "(< (- 1) x)", "other texts keep the form of the term");
}

#[test]
fn conjuncts_have_their_own_lets_unless_they_share_most_of_their_terms() {
    let mut pool = TermPool::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, Sort::Int));
    let conjuncts = |pool: &mut TermPool, equations: [(Term, Term); 3]| {
        let equations = equations.map(|(left, right)| pool.eq(left, right));
        let formula = pool.and(&equations);
        let mut texts = Clause::new(pool, &[formula], &Labels::default()).conjuncts(formula);
        texts.sort();
        texts
    };
    let product = pool.mul(x, y);
    let square = pool.mul(product, product);
    let apart = conjuncts(&mut pool, [(square, x), (product, y), (y, z)]);
    assert_eq!(apart, ["(= y (* x y))", "(= y z)", "(let ((?1 (* x y))) (= x (* ?1 ?1)))"]);
    let mut power = square;
    for _ in 0..20 {
        power = pool.mul(power, power);
    }
    let together = conjuncts(&mut pool, [(power, x), (power, y), (power, z)]);
    assert_eq!(together.len(), 1, "{together:?}");
}

#[test]
fn a_script_for_readers_names_terms_and_assertions() {
    let mut pool = TermPool::new();
    let [x, y] = ["x@0", "y@0"].map(|name| pool.symbol(name, Sort::Int));
    let product = pool.mul(x, y);
    let square = pool.mul(product, product);
    let (first, second) = (pool.eq(square, x), pool.eq(product, y));
    let definition =
        |term, name: &str| Definition { term, name: name.to_owned(), comment: format!("f.c:{}", name.len()) };
    let reading = Reading {
        logic: "QF_NIA",
        labels: Labels {
            symbols: [label(&pool, x, "x"), label(&pool, y, "y")].into_iter().collect(),
            ..Labels::default()
        },
        // The product is below the square, and comes first.
        definitions: vec![definition(square, "square"), definition(product, "product")],
        assertions: vec![
            Assertion { name: "goal".to_owned(), disjuncts: vec![first, second] },
            Assertion { name: "goal".to_owned(), disjuncts: vec![] },
        ],
        footer: "(check-sat)\n",
        ..Reading::default()
    };
    let mut text = String::new();
    reading.write(&mut text, &pool).expect("a string takes any text");
    assert_eq!(
        text,
        "(set-logic QF_NIA)\n\
         (declare-fun x () Int)\n\
         (declare-fun y () Int)\n\
         ; f.c:7\n\
         (define-fun product () Int (* x y))\n\
         ; f.c:6\n\
         (define-fun square () Int (* product product))\n\
         (assert (! (or (= x square) (= y product)) :named goal))\n\
         (assert (! false :named goal.2))\n\
         (check-sat)\n"
    );
}
