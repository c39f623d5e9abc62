//! Tests of the prover beyond the conformance suite.

use super::random::{Generator, Theory};
use super::{prover, status};
use crate::prover::YicesProver;
use backends::{Limits, Model, Outcome, Prover, Reason, Status};
use std::time::Duration;
use terms::{Assignment, Completion, Sort, Symbol, Term, TermPool, Value, eval};

#[track_caller]
fn model<'p>(prover: &'p mut dyn Prover, pool: &TermPool, assumptions: &[Term]) -> Box<dyn Model + 'p> {
    match prover.check(pool, assumptions) {
        Outcome::Sat(model) => model,
        other => panic!("{:?} instead of a model", Status::from(other)),
    }
}

fn symbol(pool: &TermPool, term: Term) -> Symbol {
    pool.free_symbols(term)[0]
}

#[test]
fn a_pop_without_a_push_is_misuse() {
    let mut prover = prover();
    assert!(matches!(prover.pop(), Err(Reason::Misuse(_))));
    prover.push().unwrap();
    prover.pop().unwrap();
    assert!(matches!(prover.pop(), Err(Reason::Misuse(_))));
}

#[test]
fn elements_of_uninterpreted_sorts_have_values() {
    let mut pool = TermPool::new();
    let sort = pool.uninterpreted_sort("U");
    let [a, b, c] = ["a", "b", "c"].map(|name| pool.symbol(name, sort));
    let f = pool.function_symbol("f", &[sort], sort);
    let fa = pool.apply(f, &[a]);
    let conjuncts = [pool.neq(a, b), pool.eq(b, c), pool.eq(fa, b)];
    let mut prover = prover();
    for conjunct in conjuncts {
        prover.assert(&pool, conjunct).unwrap();
    }
    let mut model = model(&mut *prover, &pool, &[]);
    let mut assignment = Assignment::with_completion(Completion::Partial);
    for term in [a, b, c] {
        let symbol = symbol(&pool, term);
        assignment.set(symbol, model.value(&pool, symbol).unwrap());
    }
    assignment.set_function(f, model.function(&pool, f).unwrap());
    for conjunct in conjuncts {
        assert_eq!(eval(&pool, conjunct, &assignment).unwrap(), Value::Bool(true));
        assert_eq!(model.eval(&pool, conjunct).unwrap(), Value::Bool(true));
    }
    assert_eq!(model.eval(&pool, fa).unwrap(), model.eval(&pool, c).unwrap());
}

/// Asserts that the formulas are satisfiable, and true both under the model's values of their
/// symbols and under the model itself.
#[track_caller]
fn has_right_model(pool: &TermPool, formulas: &[Term]) {
    let mut prover = prover();
    for &formula in formulas {
        prover.assert(pool, formula).unwrap();
    }
    let mut model = model(&mut *prover, pool, &[]);
    let mut assignment = Assignment::with_completion(Completion::Partial);
    for symbol in pool.free_symbols_of(formulas) {
        assignment.set(symbol, model.value(pool, symbol).unwrap());
    }
    for &formula in formulas {
        assert_eq!(eval(pool, formula, &assignment).unwrap(), Value::Bool(true), "{assignment:?}");
        assert_eq!(model.eval(pool, formula).unwrap(), Value::Bool(true));
    }
}

#[test]
fn arrays_that_are_compared_have_values() {
    let mut pool = TermPool::new();
    let small = pool.array_sort(Sort::Bool, Sort::BitVec(2));
    let large = pool.array_sort(Sort::Int, Sort::Bool);
    let (a, m, n) = (pool.symbol("a", small), pool.symbol("m", large), pool.symbol("n", large));
    let (yes, two, five, zero) = (pool.bool(true), pool.int(2), pool.int(5), pool.bv(2, 0));
    let written = pool.store(a, yes, zero);
    let differs = pool.neq(a, written);
    has_right_model(&pool, &[differs]);
    let written = pool.store(n, two, yes);
    let (is_written, is_other) = (pool.eq(m, written), pool.neq(m, n));
    has_right_model(&pool, &[is_written]);
    has_right_model(&pool, &[is_written, is_other]);
    let read = pool.select(n, five);
    has_right_model(&pool, &[is_written, read]);
    let not_read = pool.not(read);
    has_right_model(&pool, &[is_written, is_other, not_read]);
    let (two_wrote, five_wrote) = (pool.store(m, two, read), pool.store(n, five, yes));
    let (same, symbol) = (pool.eq(two_wrote, five_wrote), pool.eq(m, n));
    let not_same = pool.not(same);
    has_right_model(&pool, &[same, is_other]);
    has_right_model(&pool, &[not_same, symbol]);
}

#[test]
fn constant_arrays_that_are_compared_have_values() {
    let mut pool = TermPool::new();
    for index in [Sort::Bool, Sort::BitVec(3), Sort::BitVec(40), Sort::Int, Sort::Real] {
        let sort = pool.array_sort(index, Sort::Int);
        let names = ["a", "b", "i"].map(|name| format!("{name}_{index:?}"));
        let [a, b] = [&names[0], &names[1]].map(|name| pool.symbol(name, sort));
        let i = pool.symbol(&names[2], index);
        let (seven, eight) = (pool.int(7), pool.int(8));
        let sevens = pool.const_array(sort, seven);
        let written = pool.store(sevens, i, eight);
        let (is_sevens, is_written) = (pool.eq(a, sevens), pool.eq(b, written));
        has_right_model(&pool, &[is_sevens, is_written]);
        let (not_sevens, not_written) = (pool.not(is_sevens), pool.not(is_written));
        has_right_model(&pool, &[not_sevens, not_written]);
        let differ = pool.neq(a, b);
        has_right_model(&pool, &[not_sevens, is_written, differ]);
        let all_but_one = pool.store(a, i, seven);
        let is_almost = pool.eq(all_but_one, sevens);
        has_right_model(&pool, &[is_almost, not_sevens]);
        let eights = pool.const_array(sort, eight);
        let becomes_eights = pool.store(a, i, eight);
        let is_eights = pool.eq(becomes_eights, eights);
        // With one index only, an array can differ from all sevens and from all eights at that
        // index; with two it cannot.
        assert_eq!(status(&pool, &[is_almost, is_eights]), Status::Unsat, "{index:?}");
        let j = pool.symbol(&format!("j_{index:?}"), index);
        let becomes_eights = pool.store(a, j, eight);
        let is_eights = pool.eq(becomes_eights, eights);
        if index == Sort::Bool {
            has_right_model(&pool, &[is_almost, is_eights]);
        } else {
            assert_eq!(status(&pool, &[is_almost, is_eights]), Status::Unsat, "{index:?}");
        }
        let (same, other) = (pool.eq(a, b), pool.neq(a, b));
        let read = [pool.select(a, i), pool.select(b, i)];
        let same_here = pool.eq(read[0], read[1]);
        has_right_model(&pool, &[is_almost, same, not_sevens]);
        has_right_model(&pool, &[is_almost, other, same_here]);
        assert_eq!(status(&pool, &[is_sevens, is_written, same]), Status::Unsat);
    }
}

#[test]
fn constant_arrays_over_uninterpreted_indices_are_not_said_to_be_satisfiable() {
    let mut pool = TermPool::new();
    let index = pool.uninterpreted_sort("U");
    let sort = pool.array_sort(index, Sort::Bool);
    let (a, i) = (pool.symbol("a", sort), pool.symbol("i", index));
    let [yes, no] = [true, false].map(|value| pool.bool(value));
    let (all, none) = (pool.const_array(sort, yes), pool.const_array(sort, no));
    let written = pool.store(none, i, yes);
    // The equation is satisfiable over a sort with a single element; a model with more elements
    // would be wrong.
    let equation = pool.eq(written, all);
    assert!(matches!(status(&pool, &[equation]), Status::Unknown(Reason::Incomplete(_))));
    let (is_all, is_none) = (pool.eq(a, all), pool.eq(a, none));
    let read = pool.select(a, i);
    assert_eq!(status(&pool, &[is_all, is_none, read]), Status::Unsat);
}

#[test]
fn a_contradiction_found_in_a_scope_outlives_it() {
    let mut pool = TermPool::new();
    let [x, y] = [1, 4].map(|width| pool.symbol(&format!("x{width}"), Sort::BitVec(width)));
    let (shifted, three, zero) = (pool.bv_ashr(x, x), pool.bv(4, 3), pool.bv(4, 0));
    let less = pool.bv_slt(shifted, x);
    let sign = pool.bv_ashr(y, three);
    let (negative, above) = (pool.bv_slt(y, zero), pool.bv_ult(sign, y));
    let impossible = pool.and(&[negative, above]);
    for base in [less, impossible] {
        for (first, b) in
            [pool.symbol("b", Sort::Bool), pool.bool(true), pool.bool(false)].into_iter().enumerate()
        {
            let mut prover = prover();
            prover.assert(&pool, base).unwrap();
            for _ in 0..first {
                assert_eq!(prover.status(&pool, &[b]), Status::Unsat);
                assert_eq!(prover.status(&pool, &[]), Status::Unsat);
            }
            for round in 0..3 {
                prover.push().unwrap();
                prover.assert(&pool, b).unwrap();
                let status = [prover.status(&pool, &[]), prover.status(&pool, &[])];
                assert_eq!(status, [Status::Unsat, Status::Unsat], "round {round}");
                prover.pop().unwrap();
                let status = [prover.status(&pool, &[]), prover.status(&pool, &[])];
                assert_eq!(status, [Status::Unsat, Status::Unsat], "round {round}");
            }
        }
    }
}

#[test]
fn products_are_decided_under_assumptions_and_in_scopes() {
    let mut pool = TermPool::new();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::Int));
    let product = pool.mul(x, y);
    let (one, two, six, seven) = (pool.int(1), pool.int(2), pool.int(6), pool.int(7));
    let mut prover = prover();
    let (above_x, above_y) = (pool.lt(one, x), pool.lt(one, y));
    prover.assert(&pool, above_x).unwrap();
    prover.assert(&pool, above_y).unwrap();
    let is_six = pool.eq(product, six);
    let is_seven = pool.eq(product, seven);
    let is_two = pool.eq(x, two);
    assert_eq!(prover.status(&pool, &[is_seven]), Status::Unsat);
    assert_eq!(prover.status(&pool, &[is_six]), Status::Sat);
    {
        let mut model = model(&mut *prover, &pool, &[is_six, is_two]);
        assert_eq!(model.value(&pool, symbol(&pool, y)).unwrap(), Value::int(3));
        assert_eq!(model.eval(&pool, product).unwrap(), Value::int(6));
    }
    match prover.check(&pool, &[is_two, is_seven]) {
        Outcome::Unsat(mut refutation) => assert_eq!(refutation.unsat_core().unwrap(), [0, 1]),
        other => panic!("{:?}", Status::from(other)),
    }
    prover.push().unwrap();
    prover.assert(&pool, is_seven).unwrap();
    assert_eq!(prover.status(&pool, &[]), Status::Unsat);
    assert_eq!(prover.status(&pool, &[is_two]), Status::Unsat);
    prover.push().unwrap();
    assert_eq!(prover.status(&pool, &[]), Status::Unsat);
    prover.pop().unwrap();
    prover.pop().unwrap();
    assert_eq!(prover.status(&pool, &[is_two]), Status::Sat);
    assert_eq!(prover.status(&pool, &[]), Status::Sat);
}

#[test]
fn irrational_numbers_are_no_values() {
    let mut pool = TermPool::new();
    let x = pool.symbol("x", Sort::Real);
    let square = pool.mul(x, x);
    let two = pool.real(&num_rational::BigRational::from_integer(2.into()));
    let is_root = pool.eq(square, two);
    let mut prover = prover();
    prover.assert(&pool, is_root).unwrap();
    let mut model = model(&mut *prover, &pool, &[]);
    assert!(matches!(model.value(&pool, symbol(&pool, x)), Err(Reason::Unsupported(_))));
    assert!(!matches!(model.eval(&pool, is_root), Ok(value) if value != Value::Bool(true)));
}

#[test]
fn products_with_arrays_are_refused_only_while_they_are_asserted() {
    let mut pool = TermPool::new();
    let arrays = pool.array_sort(Sort::Int, Sort::Int);
    let [a, b] = ["a", "b"].map(|name| pool.symbol(name, arrays));
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::Int));
    let product = pool.mul(x, y);
    let (zero, two) = (pool.int(0), pool.int(2));
    let read = pool.select(a, x);
    let is_product = pool.eq(read, product);
    let written = pool.store(a, x, zero);
    let equation = pool.eq(b, written);
    let mut prover = prover();
    prover.push().unwrap();
    prover.assert(&pool, is_product).unwrap();
    let factors = pool.eq(x, two);
    let others = [pool.eq(y, two), pool.neq(read, y), pool.lt(read, y)];
    assert_eq!(prover.status(&pool, &[factors, others[0], others[1]]), Status::Sat);
    assert_eq!(prover.status(&pool, &[factors, others[0], others[2]]), Status::Unsat);
    prover.push().unwrap();
    prover.assert(&pool, equation).unwrap();
    assert!(matches!(prover.status(&pool, &[]), Status::Unknown(Reason::Unsupported(_))));
    prover.pop().unwrap();
    prover.pop().unwrap();
    prover.assert(&pool, equation).unwrap();
    let at_x = pool.select(b, x);
    let differs = pool.neq(at_x, zero);
    assert_eq!(prover.status(&pool, &[]), Status::Sat);
    assert_eq!(prover.status(&pool, &[differs]), Status::Unsat);
}

#[test]
fn quotients_by_variables_are_refused_with_the_reason() {
    let mut pool = TermPool::new();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::Int));
    let quotient = pool.int_div(x, y);
    let formula = pool.lt(quotient, x);
    let mut prover = prover();
    let Err(Reason::Unsupported(reason)) = prover.assert(&pool, formula) else {
        panic!("expected a rejected assertion")
    };
    assert!(reason.contains("division"), "{reason}");
    assert_eq!(prover.status(&pool, &[]), Status::Sat);
}

/// All assignments of small values to `variables`.
fn assignments(pool: &TermPool, variables: &[Term]) -> Vec<Assignment> {
    let mut all = vec![Vec::new()];
    for &variable in variables {
        let values: Vec<Value> = match pool.sort(variable) {
            Sort::Bool => vec![false.into(), true.into()],
            Sort::BitVec(width) => (0..1 << width).map(|value| Value::bv(width, value)).collect(),
            _ => (-2..=2).map(Value::int).collect(),
        };
        all = all
            .into_iter()
            .flat_map(|prefix: Vec<Value>| {
                values.iter().map(move |value| [&prefix[..], std::slice::from_ref(value)].concat())
            })
            .collect();
    }
    all.into_iter()
        .map(|values| {
            let mut assignment = Assignment::new();
            for (&variable, value) in variables.iter().zip(values) {
                assignment.set_leaf(pool, variable, value);
            }
            assignment
        })
        .collect()
}

fn holds(pool: &TermPool, formula: Term, assignment: &Assignment) -> bool {
    eval(pool, formula, assignment).unwrap() == Value::Bool(true)
}

/// The other SAT solver, in a copy of the process, with models and assumptions.
#[test]
fn delegated_checks_agree_with_the_context_and_their_models_hold() {
    let mut answers = [0; 2];
    for seed in 0..300 {
        let mut pool = TermPool::new();
        let width = [1, 2, 3, 5][seed as usize % 4];
        let mut generator = Generator::new(Theory::BitVectors(width), seed);
        let mut variables: Vec<Term> =
            ["x", "y", "z"].map(|name| pool.symbol(name, Sort::BitVec(width))).into();
        variables.push(pool.symbol("p", Sort::Bool));
        let mut delegating = YicesProver::new(&Limits::default().per_check(Duration::from_secs(30)));
        delegating.before_delegation = Some(Duration::ZERO);
        let mut usual = prover();
        let formulas: Vec<Term> = (0..6).map(|_| generator.formula(&mut pool, &variables, 2)).collect();
        let (asserted, assumptions) = formulas.split_at(4);
        for &formula in asserted {
            delegating.assert(&pool, formula).unwrap();
            usual.assert(&pool, formula).unwrap();
            for assumptions in [&[][..], assumptions] {
                let expected = usual.status(&pool, assumptions);
                assert_eq!(delegating.status(&pool, assumptions), expected, "seed {seed}");
                if expected == Status::Unsat {
                    answers[0] += 1;
                    break;
                }
                answers[1] += 1;
                let mut model = model(&mut delegating, &pool, assumptions);
                for &term in asserted
                    .iter()
                    .take_while(|&&other| other != formula)
                    .chain([&formula])
                    .chain(assumptions)
                {
                    assert_eq!(model.eval(&pool, term), Ok(Value::Bool(true)), "seed {seed}");
                }
            }
        }
    }
    assert!(answers.iter().all(|&count| count > 200), "{answers:?}");
}

#[test]
fn models_of_delegated_checks_have_wide_values() {
    let mut pool = TermPool::new();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::BitVec(70)));
    let not_x = pool.bv_not(x);
    let zero = pool.bv(70, 0);
    let (is_last, is_zero) = (pool.eq(not_x, zero), pool.eq(y, zero));
    let mut prover = YicesProver::new(&Limits::default());
    prover.before_delegation = Some(Duration::ZERO);
    prover.assert(&pool, is_last).unwrap();
    prover.assert(&pool, is_zero).unwrap();
    let mut model = model(&mut prover, &pool, &[]);
    for formula in [is_last, is_zero] {
        assert_eq!(model.eval(&pool, formula), Ok(Value::Bool(true)));
    }
}

#[test]
fn random_nonlinear_formulas_agree_with_enumeration() {
    for seed in 0..300 {
        let mut pool = TermPool::new();
        let mut generator = Generator::new(Theory::NonlinearIntegers, seed);
        let mut variables: Vec<Term> = ["x", "y", "z"].map(|name| pool.symbol(name, Sort::Int)).into();
        variables.push(pool.symbol("p", Sort::Bool));
        let mut prover = prover();
        let (low, high) = (pool.int(-2), pool.int(2));
        for &variable in &variables[..3] {
            let bounds = [pool.le(low, variable), pool.le(variable, high)];
            for bound in bounds {
                prover.assert(&pool, bound).unwrap();
            }
        }
        let all = assignments(&pool, &variables);
        // The second formula is asserted in a scope, the third is an assumption.
        let formulas: Vec<Term> = (0..3).map(|_| generator.formula(&mut pool, &variables, 2)).collect();
        prover.assert(&pool, formulas[0]).unwrap();
        prover.push().unwrap();
        prover.assert(&pool, formulas[1]).unwrap();
        let checks: [(&[Term], &[Term]); 3] =
            [(&formulas[..2], &[]), (&formulas, &formulas[2..]), (&formulas[..2], &[])];
        for (conjuncts, assumptions) in checks {
            let is_satisfiable = all
                .iter()
                .any(|assignment| conjuncts.iter().all(|&conjunct| holds(&pool, conjunct, assignment)));
            match prover.check(&pool, assumptions) {
                Outcome::Sat(mut model) => {
                    let mut assignment = Assignment::new();
                    for &variable in &variables {
                        let symbol = symbol(&pool, variable);
                        assignment.set(symbol, model.value(&pool, symbol).unwrap());
                    }
                    for &conjunct in conjuncts {
                        assert!(holds(&pool, conjunct, &assignment), "seed {seed}: a wrong model");
                    }
                }
                other => {
                    let status = Status::from(other);
                    assert_eq!(status, Status::Unsat, "seed {seed}");
                    assert!(!is_satisfiable, "seed {seed}: {}", pool.display(conjuncts[0]));
                }
            }
        }
        prover.pop().unwrap();
        let is_satisfiable = all.iter().any(|assignment| holds(&pool, formulas[0], assignment));
        let expected = if is_satisfiable { Status::Sat } else { Status::Unsat };
        assert_eq!(prover.status(&pool, &[]), expected, "seed {seed}, after the pop");
    }
}

#[test]
fn projections_hold_in_the_model_and_imply_the_quantified_formula() {
    for (theory, seeds) in [(Theory::BitVectors(2), 200), (Theory::Integers, 200)] {
        let mut informative = 0;
        for seed in 0..seeds {
            informative += usize::from(projection(theory, seed));
        }
        assert!(informative > 40, "{theory:?}: only {informative} projections are nontrivial");
    }
}

/// Checks the projection of a random formula by enumeration. Returns whether it was nontrivial.
fn projection(theory: Theory, seed: u64) -> bool {
    let mut pool = TermPool::new();
    let mut generator = Generator::new(theory, seed);
    let sort = generator.sorts()[0];
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, sort));
    let [p, q] = ["p", "q"].map(|name| pool.symbol(name, Sort::Bool));
    let formula = generator.formula(&mut pool, &[x, y, z, p, q], 3);
    let mut prover = prover();
    prover.assert(&pool, formula).unwrap();
    let (kept, gone) = ([x, p], [y, z, q]);
    let gone_symbols: Vec<Symbol> = gone.iter().map(|&term| symbol(&pool, term)).collect();
    let projected = {
        let Outcome::Sat(mut model) = prover.check(&pool, &[]) else { return false };
        let projected = match model.project(&mut pool, formula, &gone_symbols) {
            Err(Reason::Incomplete(_)) => return false,
            projected => projected.unwrap(),
        };
        assert_eq!(model.eval(&pool, projected).unwrap(), Value::Bool(true), "seed {seed}");
        projected
    };
    let free = pool.free_symbols(projected);
    assert!(!free.iter().any(|symbol| gone_symbols.contains(symbol)), "seed {seed}");
    for assignment in assignments(&pool, &kept) {
        if !holds(&pool, projected, &assignment) {
            continue;
        }
        let mut conjuncts = vec![formula];
        for &variable in &kept {
            let value = assignment.get(symbol(&pool, variable)).unwrap().clone();
            let value = value.to_term(&mut pool, Sort::Bool).unwrap();
            let fixed = pool.eq(variable, value);
            conjuncts.push(fixed);
        }
        assert_eq!(
            status(&pool, &conjuncts),
            Status::Sat,
            "seed {seed}: {} is not a projection of {}",
            pool.display(projected),
            pool.display(formula)
        );
    }
    !pool.is_constant(projected)
}

#[test]
fn projections_of_reals_and_functions() {
    let mut pool = TermPool::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, Sort::Real));
    let (below, above) = (pool.lt(x, y), pool.lt(y, z));
    let between = pool.and(&[below, above]);
    let f = pool.function_symbol("f", &[Sort::Real], Sort::Real);
    let fx = pool.apply(f, &[x]);
    let image = pool.eq(fx, z);
    let mut prover = prover();
    prover.assert(&pool, between).unwrap();
    prover.assert(&pool, image).unwrap();
    let false_formula = pool.not(between);
    let gone = symbol(&pool, y);
    let argument = symbol(&pool, x);
    let mut model = model(&mut *prover, &pool, &[]);
    assert_eq!(model.project(&mut pool, between, &[gone]), Ok(pool.lt(x, z)));
    let projected = model.project(&mut pool, image, &[argument]).unwrap();
    assert!(!pool.free_symbols(projected).contains(&argument));
    assert_eq!(model.eval(&pool, projected).unwrap(), Value::Bool(true));
    assert!(matches!(model.project(&mut pool, false_formula, &[gone]), Err(Reason::Misuse(_))));
}

#[test]
fn projections_of_arrays_are_unsupported() {
    let mut pool = TermPool::new();
    let arrays = pool.array_sort(Sort::Int, Sort::Int);
    let (array, x) = (pool.symbol("array", arrays), pool.symbol("x", Sort::Int));
    let read = pool.select(array, x);
    let formula = pool.lt(read, x);
    let mut prover = prover();
    prover.assert(&pool, formula).unwrap();
    let gone = symbol(&pool, x);
    let mut model = model(&mut *prover, &pool, &[]);
    assert!(matches!(model.project(&mut pool, formula, &[gone]), Err(Reason::Unsupported(_))));
}
