//! Values and evaluation.

use crate::{ArrayValue, Assignment, EvalError, Evaluator, FunctionValue, Op, Sort, TermPool, Value, eval};

#[test]
fn arrays_are_equal_if_they_hold_equal_elements() {
    let bit = |b: u64| Value::bv(1, b);
    let mut a = ArrayValue::constant(Value::int(1));
    a.store(bit(0), Value::int(2));
    let mut b = ArrayValue::constant(Value::int(2));
    b.store(bit(1), Value::int(1));
    assert_eq!(a, b);
    b.store(bit(1), Value::int(3));
    assert_ne!(a, b);
    b.store(bit(1), Value::int(2));
    assert_eq!(b, ArrayValue::constant(Value::int(2)));
}

#[test]
fn a_missing_value_matters_only_if_the_result_depends_on_it() {
    let mut pool = TermPool::new();
    let [p, q, r] = ["p", "q", "r"].map(|name| pool.symbol(name, Sort::Bool));
    let both = pool.and(&[p, q, r]);
    let either = pool.or2(both, q);
    let mut assignment = Assignment::new();
    assert_eq!(eval(&pool, both, &assignment), Err(EvalError::Unassigned(p)));
    assignment.set_leaf(&pool, r, Value::Bool(false));
    assert_eq!(eval(&pool, both, &assignment), Ok(Value::Bool(false)));
    assert_eq!(eval(&pool, either, &assignment), Err(EvalError::Unassigned(q)));
    assignment.set_leaf(&pool, q, Value::Bool(true));
    assert_eq!(eval(&pool, either, &assignment), Ok(Value::Bool(true)));
    let [x, zero] = [pool.symbol("x", Sort::Int), pool.int(0)];
    let quotient = pool.int_div(zero, x);
    let condition = pool.eq(x, zero);
    let guarded = pool.ite(condition, x, quotient);
    assignment.set_leaf(&pool, x, Value::int(0));
    assert_eq!(eval(&pool, guarded, &assignment), Ok(Value::int(0)));
    assert_eq!(eval(&pool, quotient, &assignment), Err(EvalError::DivisionByZero(quotient)));
}

#[test]
fn an_error_is_found_again_under_each_parent() {
    let mut pool = TermPool::new();
    let [p, q, r] = ["p", "q", "r"].map(|name| pool.symbol(name, Sort::Bool));
    let missing = pool.xor(p, q);
    let first = pool.and2(missing, r);
    let second = pool.or2(missing, r);
    let formula = pool.eq(first, second);
    let mut assignment = Assignment::new();
    assignment.set_leaf(&pool, r, Value::Bool(true));
    let mut evaluator = Evaluator::new();
    assert_eq!(evaluator.eval(&pool, second, &assignment), Ok(Value::Bool(true)));
    assert_eq!(evaluator.eval(&pool, formula, &assignment), Err(EvalError::Unassigned(p)));
    assert_eq!(evaluator.eval(&pool, first, &assignment), Err(EvalError::Unassigned(p)));
}

#[test]
fn functions_are_tables_with_a_default() {
    let mut pool = TermPool::new();
    let f = pool.function_symbol("f", &[Sort::Int], Sort::Int);
    let [one, two] = [1, 2].map(|k| pool.int(k));
    let (f1, f2) = (pool.apply(f, &[one]), pool.apply(f, &[two]));
    let mut value = FunctionValue::default();
    value.table.insert(vec![Value::int(1)], Value::int(10));
    let mut assignment = Assignment::new();
    assignment.set_function(f, value.clone());
    assert_eq!(eval(&pool, f1, &assignment), Ok(Value::int(10)));
    assert_eq!(eval(&pool, f2, &assignment), Err(EvalError::Uninterpreted(f2)));
    value.default = Some(Value::int(20));
    assignment.set_function(f, value);
    assert_eq!(eval(&pool, f2, &assignment), Ok(Value::int(20)));
}

#[test]
fn a_closure_gives_values_to_leaves() {
    let mut pool = TermPool::new();
    let (v, w) = (pool.value(7, Sort::BitVec(8)), pool.value(8, Sort::BitVec(8)));
    let sum = pool.bv_add(v, w);
    let mut evaluator = Evaluator::new();
    for i in 0..10 {
        evaluator.clear();
        let result = evaluator.eval(&pool, sum, &|leaf| match pool.op(leaf) {
            Op::Value(index) => Some(Value::bv(8, u64::from(index) * i)),
            _ => None,
        });
        assert_eq!(result, Ok(Value::bv(8, 15 * i)));
    }
}

#[test]
fn a_value_of_the_wrong_sort_is_refused() {
    let mut pool = TermPool::new();
    let x = pool.symbol("x", Sort::Int);
    assert_eq!(eval(&pool, x, &|_| Some(Value::Bool(true))), Err(EvalError::SortMismatch(x)));
}
