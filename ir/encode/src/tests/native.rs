//! Functions of linear encodings as native arithmetic.

use crate::{Native, Overflow};
use terms::{Assignment, Sort, Symbol, TermPool, Value, eval};

/// The quotient of signed numbers of 8 bits, which wraps around.
fn quotient(a: i64, b: i64) -> i64 {
    if (a, b) == (-128, -1) { a } else { a / b }
}

#[test]
fn functions_become_native_arithmetic() {
    let mut pool = TermPool::new();
    let [a, b, result] = ["a", "b", "result"].map(|name| pool.symbol(name, Sort::Int));
    type Operation = fn(i64, i64) -> i64;
    let operations: [(&str, Operation); 3] =
        [("int.mul", |a, b| a * b), ("int.sdiv8", |a, b| quotient(a, b)), ("int.srem8", |a, b| a % b)];
    for (name, expected) in operations {
        let function = pool.function_symbol(name, &[Sort::Int, Sort::Int], Sort::Int);
        let application = pool.apply(function, &[a, b]);
        let equation = pool.eq(result, application);
        let mut native = Native::new(Overflow::Wrap);
        let formula = native.apply(&mut pool, equation);
        assert!(pool.free_functions_of(&[formula]).is_empty());
        assert_eq!(native.approximated().count(), 0);
        let open: Vec<Symbol> = pool.free_symbols(formula);
        for (x, y) in [-128].into_iter().chain(-9..=9).flat_map(|x| (-4..=4).map(move |y| (x, y))) {
            if y == 0 {
                continue;
            }
            // The new variables are a quotient and a remainder; exactly one choice is right.
            let mut found = Vec::new();
            for (q, r) in (-130..=130).flat_map(|q| (-4..=4).map(move |r| (q, r))) {
                let is_new = |symbol: &Symbol| pool.symbol_data(*symbol).name.contains('.');
                let mut assignment = Assignment::new();
                for &symbol in &open {
                    let new_name = &pool.symbol_data(symbol).name;
                    let value = match &**new_name {
                        "a" => x,
                        "b" => y,
                        "result" => expected(x, y),
                        name if is_new(&symbol) && name.contains(".q") => q,
                        _ => r,
                    };
                    assignment.set(symbol, Value::Int(value.into()));
                }
                if eval(&pool, formula, &assignment) == Ok(Value::Bool(true)) {
                    found.push((q, r));
                }
            }
            if name == "int.mul" {
                assert!(!found.is_empty(), "{x} {name} {y}");
            } else {
                assert_eq!(found, [(quotient(x, y), x % y)], "{x} {name} {y}");
            }
        }
    }
    let function = pool.function_symbol("int.and", &[Sort::Int, Sort::Int], Sort::Int);
    let application = pool.apply(function, &[a, b]);
    let twice = pool.add(&[application, application]);
    let equation = pool.eq(result, twice);
    let mut native = Native::new(Overflow::Wrap);
    let formula = native.apply(&mut pool, equation);
    assert_eq!(native.approximated().collect::<Vec<_>>(), ["int.and"]);
    assert_eq!(pool.free_symbols(formula).len(), 2, "one variable for both");
}
