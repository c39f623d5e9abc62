//! Arrays, uninterpreted functions and sorts.

use super::{Check, MODELS, Verdict, assert, decide, ensure, expect, prover};
use crate::{Outcome, ProverFactory, Status};
use terms::{Sort, Term, TermPool, Value};

/// The theory of uninterpreted sorts.
pub(super) const SORTS: &[&str] = &["UninterpretedSorts"];

pub(super) const CHECKS: &[Check] = &[
    Check::new("ArraysEx", "reads and writes", "reads over writes", arrays),
    Check::new("ArraysEx", "reads and writes", "arrays over integers", integer_arrays).with(&["Ints"]),
    Check::new("ArraysEx", "constant arrays", "constant arrays", constant_arrays),
    Check::new(
        "ArraysEx",
        "constant arrays",
        "later reads of constant arrays, also across scopes",
        constant_arrays_read_later,
    ),
    Check::extra("ArraysEx", "equality", "different arrays differ at an index", extensionality),
    Check::extra("ArraysEx", "equality", "arrays equal after writes", equal_after_writes),
    Check::extra("ArraysEx", "equality", "constant arrays and equality", constant_equality),
    Check::extra("ArraysEx", "nested", "arrays of arrays", nested),
    Check::new("ArraysEx", MODELS, "models of arrays", array_models),
    Check::new("UF", "functions", "congruence", functions).with(&["Ints"]),
    Check::new("UF", "functions", "a function of period 3 and 5 is the identity", periods).with(SORTS),
    Check::new("UF", "functions", "functions over bit vectors and Booleans", mixed_functions),
    Check::new("UF", "sorts", "uninterpreted sorts", sorts).with(SORTS),
    Check::new("UF", MODELS, "interpretations of functions", function_values).with(&["Ints"]),
    Check::extra("UF", MODELS, "interpretations over uninterpreted sorts", element_values).with(SORTS),
];

fn array_symbols(pool: &mut TermPool) -> (Sort, Term, [Term; 3]) {
    let sort = pool.array_sort(Sort::BitVec(32), Sort::BitVec(8));
    let array = pool.symbol("a", sort);
    (sort, array, std::array::from_fn(|i| pool.symbol(&format!("i{i}"), Sort::BitVec(32))))
}

fn arrays(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_ABV")?;
    let (_, array, [i, j, k]) = array_symbols(&mut pool);
    let (seven, nine) = (pool.bv(8, 7), pool.bv(8, 9));
    let once = pool.store(array, i, seven);
    let twice = pool.store(once, j, nine);
    let read = pool.select(twice, k);
    let original = pool.select(array, k);
    let changed = pool.neq(read, original);
    let (not_i, not_j) = (pool.neq(k, i), pool.neq(k, j));
    let formula = pool.and(&[changed, not_i, not_j]);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "an index that is not written keeps its element")?;
    let is_seven = pool.eq(read, seven);
    let not_before = pool.neq(original, seven);
    let formula = pool.and2(is_seven, not_before);
    ensure(decide(&mut *prover, &mut pool, formula)?, "the element is the written one")?;
    let aliased = pool.eq(i, j);
    let formula = pool.and(&[formula, aliased]);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "the later write wins")?;
    let c = pool.symbol("c", Sort::Bool);
    let choice = pool.ite(c, once, twice);
    let read = pool.select(choice, j);
    let ten = pool.bv(8, 10);
    let is_ten = pool.eq(read, ten);
    let formula = pool.and2(is_ten, aliased);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "a read over an ite of arrays reads the chosen array")
}

fn constant_arrays(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_ABV")?;
    let (sort, array, [i, j, k]) = array_symbols(&mut pool);
    let (zero, seven) = (pool.bv(8, 0), pool.bv(8, 7));
    let zeros = pool.const_array(sort, zero);
    let stored = pool.store(zeros, i, seven);
    let c = pool.symbol("c", Sort::Bool);
    let choice = pool.ite(c, stored, zeros);
    let read = pool.select(choice, j);
    let twelve = pool.bv(8, 12);
    let impossible = pool.eq(read, twelve);
    ensure(!decide(&mut *prover, &mut pool, impossible)?, "only 0 and 7 can be read")?;
    let possible = pool.eq(read, seven);
    ensure(decide(&mut *prover, &mut pool, possible)?, "7 can be read")?;
    // The definitional equation of a block formula.
    let definition = pool.eq(array, choice);
    let read = pool.select(array, k);
    let impossible = pool.eq(read, twelve);
    let formula = pool.and2(definition, impossible);
    ensure(
        !decide(&mut *prover, &mut pool, formula)?,
        "an array defined by an equation has the elements of the definition",
    )
}

fn constant_arrays_read_later(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_ABV")?;
    let (sort, _, [i, j, k]) = array_symbols(&mut pool);
    let (zero, seven) = (pool.bv(8, 0), pool.bv(8, 7));
    let zeros = pool.const_array(sort, zero);
    let stored = pool.store(zeros, i, seven);
    let first = pool.select(stored, j);
    let is_zero = pool.eq(first, zero);
    assert(&mut *prover, &pool, is_zero)?;
    expect(&mut *prover, &pool, &[], &Status::Sat)?;
    let second = pool.select(stored, k);
    let wrong = pool.bv(8, 3);
    let is_wrong = pool.eq(second, wrong);
    prover.push()?;
    assert(&mut *prover, &pool, is_wrong)?;
    expect(&mut *prover, &pool, &[], &Status::Unsat)?;
    prover.pop()?;
    expect(&mut *prover, &pool, &[], &Status::Sat)?;
    // Terms that were first translated in a scope that is closed.
    expect(&mut *prover, &pool, &[is_wrong], &Status::Unsat)?;
    prover.push()?;
    expect(&mut *prover, &pool, &[is_wrong], &Status::Unsat)?;
    prover.pop()?;
    // An index that occurs only in a query of the model.
    let one = pool.bv(32, 1);
    let next = pool.bv_add(k, one);
    let third = pool.select(stored, next);
    match prover.check(&pool, &[]) {
        Outcome::Sat(mut model) => {
            let value = model.eval(&pool, third)?;
            let (zero, seven) = (model.eval(&pool, zero)?, model.eval(&pool, seven)?);
            ensure(value == zero || value == seven, "a model knows the elements of constant arrays")
        }
        _ => Err("the context is satisfiable".into()),
    }
}

fn array_models(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_ABV")?;
    let (_, array, [i, j, _]) = array_symbols(&mut pool);
    let (at_i, at_j) = (pool.select(array, i), pool.select(array, j));
    let differ = pool.bv_ult(at_i, at_j);
    let (five, large) = (pool.bv(8, 5), pool.bv(32, 1 << 31));
    let stored = pool.store(array, j, five);
    let read = pool.select(stored, i);
    let less = pool.bv_ult(read, five);
    let far = pool.bv_ult(large, i);
    let formula = pool.and(&[differ, less, far]);
    ensure(decide(&mut *prover, &mut pool, formula)?, "the formula about arrays is satisfiable")
}

fn functions(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_UFLIA")?;
    let function = pool.function_symbol("f", &[Sort::Int, Sort::Int], Sort::Int);
    let (x, y) = (pool.symbol("x", Sort::Int), pool.symbol("y", Sort::Int));
    let (fxy, fyx) = (pool.apply(function, &[x, y]), pool.apply(function, &[y, x]));
    let differ = pool.neq(fxy, fyx);
    let equal = pool.eq(x, y);
    let formula = pool.and2(differ, equal);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "f(x, y) = f(y, x) if x = y")?;
    ensure(decide(&mut *prover, &mut pool, differ)?, "f need not be commutative")
}

fn integer_arrays(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_ALIA")?;
    let sort = pool.array_sort(Sort::Int, Sort::Int);
    let array = pool.symbol("a", sort);
    let (i, j) = (pool.symbol("i", Sort::Int), pool.symbol("j", Sort::Int));
    let one = pool.int(1);
    let next = pool.add(&[i, one]);
    let read = pool.select(array, i);
    let raised = pool.add(&[read, one]);
    let stored = pool.store(array, next, raised);
    let at_j = pool.select(stored, j);
    let is_next = pool.eq(j, next);
    let above = pool.lt(read, at_j);
    let wrong = pool.not(above);
    let formula = pool.and2(is_next, wrong);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "a[i + 1] := a[i] + 1 is larger")?;
    let formula = pool.and2(is_next, above);
    ensure(decide(&mut *prover, &mut pool, formula)?, "a[i + 1] := a[i] + 1 is satisfiable")
}

fn extensionality(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_AX")?;
    let sort = pool.array_sort(Sort::BitVec(1), Sort::BitVec(1));
    let (a, b) = (pool.symbol("a", sort), pool.symbol("b", sort));
    let differ = pool.neq(a, b);
    ensure(decide(&mut *prover, &mut pool, differ)?, "arrays may differ")?;
    let mut formulas = vec![differ];
    for index in 0..2 {
        let index = pool.bv(1, index);
        let (first, second) = (pool.select(a, index), pool.select(b, index));
        formulas.push(pool.eq(first, second));
    }
    let formula = pool.and(&formulas);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "arrays with the same elements are equal")
}

fn equal_after_writes(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_AX")?;
    let (sort, a, [i, j, k]) = array_symbols(&mut pool);
    let b = pool.symbol("b", sort);
    let (seven, nine) = (pool.bv(8, 7), pool.bv(8, 9));
    // Writes at different indices commute.
    let first = pool.store(a, i, seven);
    let first = pool.store(first, j, nine);
    let second = pool.store(a, j, nine);
    let second = pool.store(second, i, seven);
    let (apart, differ) = (pool.neq(i, j), pool.neq(first, second));
    let formula = pool.and2(apart, differ);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "writes commute")?;
    ensure(decide(&mut *prover, &mut pool, differ)?, "unless the indices are equal")?;
    let written = pool.store(b, i, seven);
    let same = pool.eq(a, written);
    let (at_k, b_at_k) = (pool.select(a, k), pool.select(b, k));
    let elsewhere = pool.neq(at_k, b_at_k);
    let apart = pool.neq(k, i);
    let formula = pool.and(&[same, elsewhere, apart]);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "equal arrays have equal elements")?;
    let formula = pool.and2(same, elsewhere);
    ensure(decide(&mut *prover, &mut pool, formula)?, "one write may change an element")
}

fn constant_equality(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_AX")?;
    let (sort, a, [i, _, _]) = array_symbols(&mut pool);
    let (x, y) = (pool.symbol("x", Sort::BitVec(8)), pool.symbol("y", Sort::BitVec(8)));
    let (all_x, all_y) = (pool.const_array(sort, x), pool.const_array(sort, y));
    let (same, differ) = (pool.eq(all_x, all_y), pool.neq(x, y));
    let formula = pool.and2(same, differ);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "constant arrays are injective")?;
    let written = pool.store(a, i, x);
    let same = pool.eq(written, all_x);
    ensure(decide(&mut *prover, &mut pool, same)?, "an array with a write can be constant")
}

fn nested(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_AX")?;
    let inner = pool.array_sort(Sort::BitVec(4), Sort::BitVec(8));
    let outer = pool.array_sort(Sort::BitVec(4), inner);
    let a = pool.symbol("a", outer);
    let [i, j] = ["i", "j"].map(|name| pool.symbol(name, Sort::BitVec(4)));
    let seven = pool.bv(8, 7);
    let row = pool.select(a, i);
    let row = pool.store(row, j, seven);
    let changed = pool.store(a, i, row);
    let row = pool.select(changed, i);
    let read = pool.select(row, j);
    let wrong = pool.neq(read, seven);
    ensure(!decide(&mut *prover, &mut pool, wrong)?, "a[i][j] := 7 is read back")?;
    let other = pool.select(a, j);
    let (first, second) = (pool.select(other, i), pool.select(other, j));
    let formula = pool.bv_ult(first, second);
    ensure(decide(&mut *prover, &mut pool, formula)?, "elements of a row may differ")
}

fn periods(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_UF")?;
    let sort = pool.uninterpreted_sort("S");
    let f = pool.function_symbol("f", &[sort], sort);
    let x = pool.symbol("x", sort);
    let mut powers = vec![x];
    for i in 0..5 {
        powers.push(pool.apply(f, &[powers[i]]));
    }
    let (three, five, moved) = (pool.eq(powers[3], x), pool.eq(powers[5], x), pool.neq(powers[1], x));
    let formula = pool.and(&[three, five, moved]);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "f^3(x) = x = f^5(x) implies f(x) = x")?;
    let formula = pool.and(&[three, moved]);
    ensure(decide(&mut *prover, &mut pool, formula)?, "f may have period 3")
}

fn mixed_functions(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_UFBV")?;
    let p = pool.function_symbol("p", &[Sort::BitVec(4), Sort::Bool], Sort::Bool);
    let g = pool.function_symbol("g", &[Sort::Bool], Sort::BitVec(4));
    let (x, b) = (pool.symbol("x", Sort::BitVec(4)), pool.symbol("b", Sort::Bool));
    let gb = pool.apply(g, &[b]);
    let holds = pool.apply(p, &[gb, b]);
    let (same, other) = (pool.eq(x, gb), pool.apply(p, &[x, b]));
    let fails = pool.not(other);
    let formula = pool.and(&[holds, same, fails]);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "p(g(b), b) is p(x, b) where x = g(b)")?;
    let formula = pool.and(&[holds, fails]);
    ensure(decide(&mut *prover, &mut pool, formula)?, "p may differ elsewhere")?;
    // A function on Booleans with three values.
    let (tru, fls) = (pool.tru(), pool.fls());
    let (at_true, at_false) = (pool.apply(g, &[tru]), pool.apply(g, &[fls]));
    let distinct = pool.distinct(&[gb, at_true, at_false]);
    ensure(!decide(&mut *prover, &mut pool, distinct)?, "there are two Booleans")
}

fn sorts(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_UF")?;
    let (s, t) = (pool.uninterpreted_sort("S"), pool.uninterpreted_sort("T"));
    let elements: Vec<Term> = (0..5).map(|i| pool.symbol(&format!("e{i}"), s)).collect();
    let f = pool.function_symbol("f", &[s], t);
    let distinct = pool.distinct(&elements);
    ensure(decide(&mut *prover, &mut pool, distinct)?, "a sort may have five elements")?;
    let images: Vec<Term> = elements.iter().map(|&element| pool.apply(f, &[element])).collect();
    let images_differ = pool.neq(images[0], images[1]);
    let same = pool.eq(elements[0], elements[1]);
    let formula = pool.and2(images_differ, same);
    ensure(!decide(&mut *prover, &mut pool, formula)?, "equal elements have equal images")?;
    let all_images = pool.distinct(&images);
    let formula = pool.and2(all_images, distinct);
    ensure(decide(&mut *prover, &mut pool, formula)?, "images may differ")
}

fn function_values(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_UFLIA")?;
    let f = pool.function_symbol("f", &[Sort::Int, Sort::Int], Sort::Int);
    let mut formulas = Vec::new();
    let points = [(0, 1, 7), (1, 0, -2), (5, 5, 100)];
    for (x, y, value) in points {
        let (x, y, value) = (pool.int(x), pool.int(y), pool.int(value));
        let image = pool.apply(f, &[x, y]);
        formulas.push(pool.eq(image, value));
    }
    let formula = pool.and(&formulas);
    assert(&mut *prover, &pool, formula)?;
    match prover.check(&pool, &[]) {
        Outcome::Sat(mut model) => {
            let function = model.function(&pool, f)?;
            for (x, y, value) in points {
                let arguments = vec![Value::int(x), Value::int(y)];
                let found = function.table.get(&arguments).or(function.default.as_ref());
                ensure(found == Some(&Value::int(value)), "the function has the asserted values")?;
            }
            let unseen = pool.function_symbol("never seen", &[Sort::Bool], Sort::BitVec(3));
            let unseen = model.function(&pool, unseen)?;
            ensure(
                unseen.default.is_some_and(|value| value == Value::bv(3, 0)),
                "a function unknown to the solver is constant",
            )
        }
        Outcome::Unsat(_) => Err("a function may have any values".into()),
        Outcome::Unknown(reason) => Err(reason.into()),
    }
}

fn element_values(factory: &dyn ProverFactory) -> Verdict {
    let mut pool = TermPool::new();
    let mut prover = prover(factory, "QF_UF")?;
    let sort = pool.uninterpreted_sort("S");
    let (x, y) = (pool.symbol("x", sort), pool.symbol("y", sort));
    let p = pool.function_symbol("p", &[sort, sort], Sort::Bool);
    let (xy, yx) = (pool.apply(p, &[x, y]), pool.apply(p, &[y, x]));
    let differ = pool.xor(xy, yx);
    ensure(decide(&mut *prover, &mut pool, differ)?, "a relation need not be symmetric")
}
