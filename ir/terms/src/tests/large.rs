//! Large and deep formulas on a small stack: no function recurses, and all take linear time.

use crate::{
    Assignment, Completion, Environment, Evaluator, Op, Sort, Substitution, Term, TermPool, Value, eval,
    print,
};

const STACK: usize = 256 * 1024;

fn on_small_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(STACK).spawn(test).expect("a thread").join().expect("the test");
}

/// `depth` nested operators of every kind over `leaf`.
fn tower(pool: &mut TermPool, leaf: Term, depth: usize) -> Term {
    let (x, y) = (pool.symbol("x", Sort::BitVec(32)), pool.symbol("y", Sort::BitVec(32)));
    let three = pool.bv(32, 3);
    let mut term = leaf;
    for i in 0..depth {
        term = match i % 9 {
            0 => pool.bv_add(term, x),
            1 => pool.bv_xor(term, y),
            2 => pool.bv_mul(term, three),
            3 => pool.bv_not(term),
            4 => pool.bv_sub(y, term),
            5 => {
                let condition = pool.bv_ult(term, x);
                pool.ite(condition, term, y)
            }
            6 => pool.bv_or(term, y),
            7 => pool.bv_and(term, x),
            _ => pool.bv_lshr(term, three),
        };
    }
    term
}

#[test]
fn a_deep_formula_is_handled_without_recursion() {
    on_small_stack(|| {
        let mut pool = TermPool::new();
        let leaf = pool.value(0, Sort::BitVec(32));
        let depth = 100_000;
        let term = tower(&mut pool, leaf, depth);
        let k = pool.bv(32, 77);
        let formula = pool.eq(term, k);
        assert!(pool.depth(formula) > depth);
        assert!(pool.dag_size(formula) > depth);
        assert_eq!(pool.tree_size(formula), u128::MAX);
        assert_eq!(pool.free_values(formula), [0]);
        assert_eq!(pool.free_symbols(formula).len(), 2);
        let text = print::term(&pool, formula);
        assert!(text.len() < 100 * depth);
        let value =
            eval(&pool, term, &|leaf: Term| (leaf.0 > 0).then(|| Value::bv(32, u64::from(leaf.0) * 12345)));
        let mut substitution = Substitution::new();
        let folded = substitution
            .apply_with(&mut pool, term, &mut |pool, leaf| Some(pool.bv(32, u64::from(leaf.0) * 12345)));
        assert_eq!(pool.as_bit_vector(folded).map(Value::BitVec), value.ok());
        let mapped = pool.map_leaves(term, &mut |pool, leaf| match pool.op(leaf) {
            Op::Value(_) => Some(pool.symbol("z", Sort::BitVec(32))),
            _ => None,
        });
        assert!(pool.free_values(mapped).is_empty());
        drop(pool);
    });
}

#[test]
#[ignore = "slow"]
fn deep_boolean_and_linear_formulas_are_handled_without_recursion() {
    on_small_stack(|| {
        let mut pool = TermPool::new();
        let depth = 100_000;
        let mut guard = pool.tru();
        let mut number = pool.symbol("n", Sort::Int);
        let sort = pool.array_sort(Sort::Int, Sort::Int);
        let mut array = pool.symbol("a", sort);
        for i in 0..depth {
            let p = pool.symbol(&format!("p{}", i % 100), Sort::Bool);
            guard = match i % 4 {
                0 => pool.and2(guard, p),
                1 => pool.or2(guard, p),
                2 => pool.not(guard),
                _ => pool.xor(guard, p),
            };
            let k = pool.int(i);
            let more = pool.add(&[number, k]);
            let element = pool.select(array, k);
            let other = pool.mul(element, number);
            number = pool.ite(guard, more, other);
            array = pool.store(array, number, k);
        }
        let zero = pool.int(0);
        let formula = pool.le(number, zero);
        let mut assignment = Assignment::with_completion(Completion::Default);
        let p = pool.symbol("p1", Sort::Bool);
        assignment.set_leaf(&pool, p, Value::Bool(true));
        let value = eval(&pool, formula, &assignment);
        assert!(matches!(value, Ok(Value::Bool(_))));
        assert!(print::term(&pool, formula).len() > 100_000);
        let mapped = pool.map_leaves(formula, &mut |_, _| None);
        assert_eq!(mapped, formula);
        let mut substitution = Substitution::new();
        let folded = substitution.apply_with(&mut pool, formula, &mut |pool, leaf| {
            let value = assignment.leaf(pool, leaf)?;
            let sort = pool.sort(leaf);
            value.to_term(pool, sort)
        });
        // A `select` skips a bounded number of stores, so some may remain.
        assert_eq!(eval(&pool, folded, &assignment), value);
    });
}

#[test]
#[ignore = "slow"]
fn a_formula_of_a_million_nodes_is_handled_in_linear_time() {
    on_small_stack(|| {
        let mut pool = TermPool::new();
        let values: Vec<Term> = (0..1000).map(|i| pool.value(i, Sort::BitVec(32))).collect();
        let mut layer = values.clone();
        while pool.len() < 1_000_000 {
            let shifted: Vec<Term> = (0..layer.len()).map(|i| layer[(i * 7 + 3) % layer.len()]).collect();
            layer = layer
                .iter()
                .zip(shifted)
                .enumerate()
                .map(|(i, (&a, b))| if i % 2 == 0 { pool.bv_mul(a, b) } else { pool.bv_udiv(a, b) })
                .collect();
        }
        let comparisons: Vec<Term> = layer.windows(2).map(|pair| pool.bv_ult(pair[0], pair[1])).collect();
        let formula = pool.and(&comparisons);
        assert!(pool.dag_size(formula) > 900_000);
        let text = print::script(&pool, Some("QF_BV"), &[formula]);
        assert!(text.len() < 100_000_000);
        let text = print::script(&pool, Some("QF_BV"), &comparisons);
        assert!(text.len() < 100_000_000);
        let mut evaluator = Evaluator::new();
        let value = |leaf: Term| Some(Value::bv(32, u64::from(leaf.0)));
        assert!(evaluator.eval(&pool, formula, &value).is_ok());
        let mut substitution = Substitution::new();
        let symbols: Vec<Term> = (0..1000).map(|i| pool.symbol(&format!("s{i}"), Sort::BitVec(32))).collect();
        for (&value, &symbol) in values.iter().zip(&symbols) {
            substitution.insert(value, symbol);
        }
        let instance = substitution.apply(&mut pool, formula);
        assert!(pool.free_values(instance).is_empty());
        assert_eq!(pool.dag_size(instance), pool.dag_size(formula));
    });
}
