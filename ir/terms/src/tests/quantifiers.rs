//! Bound variables: free occurrences and capture-avoiding replacement.

use super::z3;
use crate::{Op, Sort, Substitution, Term, TermPool, print};
use proptest::prelude::*;
use rustc_hash::FxHashMap;

#[test]
fn a_quantifier_that_would_capture_gets_another_variable() {
    let mut pool = TermPool::new();
    let [x, y] = ["x", "y"].map(|name| pool.bound(name, Sort::Int));
    let free = pool.symbol("a", Sort::Int);
    let less = pool.lt(free, y);
    let formula = pool.exists(&[y], less);
    let mut substitution = Substitution::new();
    substitution.insert(free, y);
    let result = substitution.apply(&mut pool, formula);
    assert_eq!(print::term(&pool, result), "(exists ((y!1 Int)) (< y y!1))");
    assert_eq!(pool.free_bound_variables(result), [y]);
    assert_eq!(pool.free_bound_variables(formula), []);
    // Variables are renamed only where necessary.
    substitution.clear();
    substitution.insert(free, x);
    let result = substitution.apply(&mut pool, formula);
    assert_eq!(print::term(&pool, result), "(exists ((y Int)) (< x y))");
    let mapped = pool.map_leaves(formula, &mut |_, leaf| (leaf == free).then_some(x));
    assert_eq!(mapped, result);
    substitution.clear();
    assert_eq!(substitution.apply(&mut pool, formula), formula);
}

#[test]
fn only_free_occurrences_of_a_bound_variable_are_replaced() {
    let mut pool = TermPool::new();
    let x = pool.bound("x", Sort::Int);
    let [zero, three] = [0, 3].map(|k| pool.int(k));
    let positive = pool.lt(zero, x);
    let all = pool.forall(&[x], positive);
    let formula = pool.and2(positive, all);
    let mut substitution = Substitution::new();
    substitution.insert(x, three);
    assert_eq!(substitution.apply(&mut pool, formula), all);
    assert_eq!(pool.free_bound_variables(formula), [x]);
}

#[test]
fn functions_are_listed_once() {
    let mut pool = TermPool::new();
    let f = pool.function_symbol("f", &[Sort::Int], Sort::Int);
    let g = pool.function_symbol("g", &[Sort::Int], Sort::Int);
    let x = pool.symbol("x", Sort::Int);
    let inner = pool.apply(g, &[x]);
    let (outer, other) = (pool.apply(f, &[inner]), pool.apply(g, &[inner]));
    assert_eq!(pool.free_functions_of(&[outer, other]), [g, f]);
    assert_eq!(pool.free_functions_of(&[x]), []);
}

/// Builds a formula given in postfix notation.
fn build(pool: &mut TermPool, code: &[u8], leaves: &[Term]) -> Term {
    let bound = [leaves[0], leaves[1]];
    let mut stack: Vec<Term> = vec![leaves[usize::from(code.len().is_multiple_of(4))], leaves[2]];
    for &byte in code {
        let argument = usize::from(byte / 16);
        let top = stack.pop().expect("never empty");
        let term = match byte % 16 {
            0..6 => {
                stack.push(top);
                leaves[argument % leaves.len()]
            }
            6 => pool.not(top),
            7 => pool.forall(&[bound[argument % 2]], top),
            8 => pool.exists(&[bound[argument % 2]], top),
            9 => pool.exists(&bound, top),
            op => match stack.pop() {
                None => top,
                Some(below) => match op {
                    10 | 11 => pool.and2(below, top),
                    12 | 13 => pool.or2(below, top),
                    _ => pool.eq(below, top),
                },
            },
        };
        stack.push(term);
    }
    stack.into_iter().reduce(|a, b| pool.eq(a, b)).expect("never empty")
}

/// The semantics of a formula over truth values.
fn holds(pool: &TermPool, term: Term, values: &FxHashMap<Term, bool>) -> bool {
    let children = pool.children(term);
    let child = |index: usize| holds(pool, children[index], values);
    match pool.op(term) {
        Op::True => true,
        Op::False => false,
        Op::Symbol(_) | Op::Bound(_) => values[&term],
        Op::Not => !child(0),
        Op::And => (0..children.len()).all(child),
        Op::Or => (0..children.len()).any(child),
        Op::Eq => child(0) == child(1),
        Op::Ite => {
            if child(0) {
                child(1)
            } else {
                child(2)
            }
        }
        op @ (Op::Forall | Op::Exists) => {
            let (&body, bound) = children.split_last().expect("a body");
            let mut found = op == Op::Forall;
            for choice in 0..1u32 << bound.len() {
                let mut values = values.clone();
                for (index, &variable) in bound.iter().enumerate() {
                    values.insert(variable, (choice >> index) & 1 == 1);
                }
                let holds = holds(pool, body, &values);
                found = if op == Op::Forall { found && holds } else { found || holds };
            }
            found
        }
        op => unreachable!("{op:?} was not built"),
    }
}

fn leaves(pool: &mut TermPool) -> [Term; 4] {
    [
        pool.bound("x", Sort::Bool),
        pool.bound("y", Sort::Bool),
        pool.symbol("a", Sort::Bool),
        pool.symbol("b", Sort::Bool),
    ]
}

fn codes() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(any::<u8>(), 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// The value of φ[t/x] is that of φ with x assigned to the value of t.
    #[test]
    #[ignore = "slow"]
    fn replacement_is_assignment(formula in codes(), images in [codes(), codes(), codes(), codes()], keep: u8) {
        let mut pool = TermPool::new();
        let leaves = leaves(&mut pool);
        let formula = build(&mut pool, &formula, &leaves);
        let images: Vec<Term> = images
            .iter()
            .enumerate()
            .map(|(i, code)| if keep >> i & 1 == 1 { leaves[i] } else { build(&mut pool, code, &leaves) })
            .collect();
        let mut substitution = Substitution::new();
        for (&leaf, &image) in leaves.iter().zip(&images) {
            substitution.insert(leaf, image);
        }
        let result = substitution.apply(&mut pool, formula);
        let mapped = pool.map_leaves(formula, &mut |_, leaf| {
            leaves.iter().position(|&other| other == leaf).map(|index| images[index])
        });
        for choice in 0..16u32 {
            let values: FxHashMap<Term, bool> =
                leaves.iter().enumerate().map(|(i, &leaf)| (leaf, choice >> i & 1 == 1)).collect();
            let assigned: FxHashMap<Term, bool> =
                leaves.iter().zip(&images).map(|(&leaf, &image)| (leaf, holds(&pool, image, &values))).collect();
            let expected = holds(&pool, formula, &assigned);
            prop_assert_eq!(holds(&pool, result, &values), expected, "{}", pool.display(result));
            prop_assert_eq!(holds(&pool, mapped, &values), expected, "{}", pool.display(mapped));
        }
        // The value of a term depends only on its free variables.
        let free = pool.free_bound_variables(result);
        for &variable in &leaves[..2] {
            if !free.contains(&variable) {
                let mut values: FxHashMap<Term, bool> = leaves.iter().map(|&leaf| (leaf, false)).collect();
                let before = holds(&pool, result, &values);
                values.insert(variable, true);
                prop_assert_eq!(holds(&pool, result, &values), before);
            }
        }
    }
}

/// Z3 reads nested quantifiers with variables of one name as intended.
#[test]
fn z3_reads_quantifiers_that_hide_variables() {
    let Some(z3) = z3::find() else { return };
    let mut pool = TermPool::new();
    let leaves = leaves(&mut pool);
    let mut state = 1u64;
    let mut assertions = Vec::new();
    for _ in 0..300 {
        let code: Vec<u8> = (0..30)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 40) as u8
            })
            .collect();
        let formula = build(&mut pool, &code, &leaves);
        // Closed except for a and b, whose values are asserted.
        let closed = pool.exists(&leaves[..2], formula);
        let values: FxHashMap<Term, bool> = leaves.iter().map(|&leaf| (leaf, leaf == leaves[2])).collect();
        let value = holds(&pool, closed, &values);
        assertions.push(if value { closed } else { pool.not(closed) });
    }
    assertions.push(leaves[2]);
    assertions.push(pool.not(leaves[3]));
    let text = print::script(&pool, None, &assertions);
    assert_eq!(z3::answer(&z3, "quantifiers", &text), "sat");
}
