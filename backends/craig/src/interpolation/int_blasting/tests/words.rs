//! Round trips of single formulas.

use crate::interpolation::int_blasting::{Form, back, translate};
use backends::Limits;
use backends::interpolation::Problem;
use terms::{Sort, Term, TermPool};

/// The first formula of the translation, translated back to bit vectors.
fn there_and_back(pool: &mut TermPool, form: Form, formula: Term) -> String {
    let problem = Problem::binary(vec![formula], vec![formula]);
    let translation = translate(pool, &problem, &Limits::default()).unwrap();
    let found = back(pool, &translation.dictionary, form, translation.problem.parts[0][0]).unwrap();
    pool.display(found).to_string()
}

/// Whether a formula over the integers of the signed bit vectors `x`, `y` and `z` is translated
/// back to the expected formula over these.
#[track_caller]
fn comes_back(
    form: Form,
    integers: impl Fn(&mut TermPool, [Term; 3]) -> Term,
    expected: impl Fn(&mut TermPool, [Term; 3]) -> Term,
) {
    let mut pool = TermPool::new();
    let words = words(&mut pool, ["x", "y", "z"]);
    let [x, y, z] = words;
    let all = vec![pool.bv_sle(x, y), pool.bv_sle(y, z)];
    let translation = translate(&mut pool, &Problem::binary(all.clone(), all), &Limits::default()).unwrap();
    let numbers = ["x", "y", "z"].map(|name| pool.symbol(&format!("{name}:s32"), Sort::Int));
    let formula = integers(&mut pool, numbers);
    let found = back(&mut pool, &translation.dictionary, form, formula).unwrap();
    let expected = expected(&mut pool, words);
    assert_eq!(pool.display(found).to_string(), pool.display(expected).to_string());
}

fn words<const N: usize>(pool: &mut TermPool, names: [&str; N]) -> [Term; N] {
    names.map(|name| pool.symbol(name, Sort::BitVec(32)))
}

#[test]
fn equations_of_words_stay_narrow() {
    let mut pool = TermPool::new();
    let [x, y, z] = words(&mut pool, ["x", "y", "z"]);
    let (two, five) = (pool.bv(32, 2), pool.bv(32, 5));
    let (twice, sum) = (pool.bv_mul(two, x), pool.bv_add(x, z));
    for right in [twice, sum] {
        let equal = pool.eq(y, right);
        assert_eq!(there_and_back(&mut pool, Form::Exact, equal), pool.display(equal).to_string());
    }
    let bounded = pool.bv_sle(sum, five);
    assert_eq!(there_and_back(&mut pool, Form::Exact, bounded), pool.display(bounded).to_string());
}

#[test]
fn comparisons_have_the_sign_of_what_they_compare() {
    let mut pool = TermPool::new();
    let [x, y, z] = words(&mut pool, ["x", "y", "z"]);
    let seven = pool.bv(32, 7);
    let (signed, unsigned) = (pool.bv_slt(x, seven), pool.bv_ult(y, z));
    for formula in [signed, unsigned] {
        assert_eq!(there_and_back(&mut pool, Form::Exact, formula), pool.display(formula).to_string());
    }
}

#[test]
fn differences_get_another_bit_or_stay_differences() {
    let bounded = |pool: &mut TermPool, [x, y, _]: [Term; 3]| {
        let (distance, five) = (pool.sub(x, y), pool.int(5));
        pool.le(distance, five)
    };
    comes_back(Form::Exact, bounded, |pool, [x, y, _]| {
        let (x, y, six) = (pool.sign_extend(1, x), pool.sign_extend(1, y), pool.bv(33, 6));
        let above = pool.bv_add(y, six);
        pool.bv_slt(x, above)
    });
    comes_back(Form::Narrow, bounded, |pool, [x, y, _]| {
        let (distance, five) = (pool.bv_sub(x, y), pool.bv(32, 5));
        pool.bv_sle(distance, five)
    });
}

#[test]
fn multiples_get_as_many_bits_as_they_may_have() {
    let double = |pool: &mut TermPool, [x, y, _]: [Term; 3]| {
        let two = pool.int(2);
        let twice = pool.mul(two, x);
        pool.eq(y, twice)
    };
    for (form, extension) in [(Form::Exact, 1), (Form::Narrow, 0)] {
        comes_back(form, double, |pool, [x, y, _]| {
            let (x, y) = (pool.sign_extend(extension, x), pool.sign_extend(extension, y));
            let two = pool.bv(32 + extension, 2);
            let twice = pool.bv_mul(two, x);
            pool.eq(y, twice)
        });
    }
}

#[test]
fn remainders_by_powers_of_two_are_low_bits() {
    comes_back(
        Form::Exact,
        |pool, [x, y, _]| {
            let (four, one, sum) = (pool.int(4), pool.int(1), pool.add(&[x, y]));
            let rest = pool.int_mod(sum, four);
            pool.eq(rest, one)
        },
        |pool, [x, y, _]| {
            let (x, y) = (pool.extract(1, 0, x), pool.extract(1, 0, y));
            let (sum, one) = (pool.bv_add(x, y), pool.bv(2, 1));
            pool.eq(sum, one)
        },
    );
}

#[test]
fn remainders_of_a_shifted_word_are_words_with_a_sign() {
    comes_back(
        Form::Exact,
        |pool, [x, y, _]| {
            let (three, half) = (pool.int(3), pool.int(1 << 31));
            let product = pool.mul(three, x);
            let shifted = pool.add(&[product, half]);
            let modulus = pool.int(1 << 32);
            let rest = pool.int_mod(shifted, modulus);
            let wrapped = pool.sub(rest, half);
            pool.le(wrapped, y)
        },
        |pool, [x, y, _]| {
            let three = pool.bv(32, 3);
            let product = pool.bv_mul(three, x);
            pool.bv_sle(product, y)
        },
    );
}

#[test]
fn what_is_below_and_above_is_equal() {
    comes_back(
        Form::Exact,
        |pool, [x, y, _]| {
            let both = [pool.le(x, y), pool.le(y, x)];
            pool.and(&both)
        },
        |pool, [x, y, _]| pool.eq(x, y),
    );
}

#[test]
fn a_deep_formula_comes_back_without_recursion() {
    let mut pool = TermPool::new();
    let [x, y] = words(&mut pool, ["x", "y"]);
    let mut formula = pool.bv_slt(x, y);
    let mut sum = x;
    for block in 0..20_000u64 {
        let choice = pool.symbol(&format!("b{block}"), Sort::Bool);
        sum = pool.bv_add(sum, y);
        sum = pool.ite(choice, sum, y);
        formula = pool.xor(formula, choice);
        formula = pool.or2(formula, choice);
    }
    let positive = pool.bv_slt(y, sum);
    let formula = pool.and2(formula, positive);
    let translation =
        translate(&mut pool, &Problem::binary(vec![formula], vec![formula]), &Limits::default()).unwrap();
    let integers = translation.problem.parts[0][0];
    assert!(back(&mut pool, &translation.dictionary, Form::Exact, integers).is_ok());
}

#[test]
fn constant_arrays_come_back_next_to_arrays_of_words() {
    let mut pool = TermPool::new();
    let [i, x] = words(&mut pool, ["i", "x"]);
    let sort = pool.array_sort(Sort::BitVec(32), Sort::BitVec(32));
    let a = pool.symbol("a", sort);
    let written = pool.store(a, i, x);
    let (zero, minus_one, three) = (pool.bv(32, 0), pool.bv(32, u64::from(u32::MAX)), pool.bv(32, 3));
    let constant = pool.const_array(sort, zero);
    let constant = pool.store(constant, three, minus_one);
    let equal = pool.eq(written, constant);
    assert_eq!(there_and_back(&mut pool, Form::Exact, equal), pool.display(equal).to_string());
    // Another array of integers has no counterpart.
    let problem = Problem::binary(vec![equal], vec![equal]);
    let translation = translate(&mut pool, &problem, &Limits::default()).unwrap();
    let translated = translation.problem.parts[0][0];
    let integers = pool.sort(pool.children(translated)[0]);
    let other = pool.symbol("other", integers);
    let substituted = pool.eq(pool.children(translated)[0], other);
    let refused = back(&mut pool, &translation.dictionary, Form::Exact, substituted);
    assert!(matches!(refused, Err(backends::Reason::Unsupported(_))), "{refused:?}");
}
