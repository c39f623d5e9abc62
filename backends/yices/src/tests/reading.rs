//! Terms are equivalent after translation and reading back.

use super::random::{Generator, Theory};
use crate::ffi;
use crate::read::Reader;
use crate::translate::Translator;
use num_rational::BigRational;
use terms::{Assignment, BitVector, Sort, TermPool, Value, eval};

#[test]
fn translation_and_back_keeps_the_meaning() {
    let theories = [
        Theory::BitVectors(1),
        Theory::BitVectors(8),
        Theory::BitVectors(70),
        Theory::Integers,
        Theory::NonlinearIntegers,
        Theory::Reals,
        Theory::NonlinearReals,
        Theory::Mixed,
    ];
    for theory in theories {
        for seed in 0..150 {
            check(theory, seed);
        }
    }
}

fn check(theory: Theory, seed: u64) {
    let mut pool = TermPool::new();
    let mut generator = Generator::new(theory, seed);
    let mut variables = vec![pool.symbol("p", Sort::Bool)];
    for sort in generator.sorts() {
        for name in ["x", "y", "z"] {
            variables.push(pool.symbol(name, sort));
        }
    }
    let formula = generator.formula(&mut pool, &variables, 3);
    let read = {
        let api = ffi::api();
        let mut translator = Translator::default();
        let translated = translator.translate(&api, &pool, formula).unwrap();
        Reader::default().read(&api, &mut pool, &translator, translated.term)
    };
    let read = read.unwrap_or_else(|reason| panic!("{}: {reason}", pool.display(formula)));
    for _ in 0..30 {
        let mut assignment = Assignment::new();
        for &variable in &variables {
            let number = generator.below(16) as i64 - 8;
            let value = match pool.sort(variable) {
                Sort::Bool => Value::Bool(number > 0),
                Sort::BitVec(width) => BitVector::from_integer(width, &number.into()).into(),
                Sort::Int => Value::int(number),
                _ => Value::Real(BigRational::new(number.into(), (1 + generator.below(3)).into())),
            };
            assignment.set_leaf(&pool, variable, value);
        }
        assert_eq!(
            eval(&pool, formula, &assignment).unwrap(),
            eval(&pool, read, &assignment).unwrap(),
            "{} became {}",
            pool.display(formula),
            pool.display(read)
        );
    }
}

#[test]
fn deep_terms_are_read_without_recursion() {
    let mut pool = TermPool::new();
    let x = pool.symbol("x", Sort::BitVec(32));
    let y = pool.symbol("y", Sort::BitVec(32));
    let mut term = x;
    for _ in 0..30_000 {
        term = pool.bv_udiv(term, y);
    }
    let formula = pool.bv_ult(term, y);
    let api = ffi::api();
    let mut translator = Translator::default();
    let translated = translator.translate(&api, &pool, formula).unwrap();
    let read = Reader::default().read(&api, &mut pool, &translator, translated.term).unwrap();
    assert_eq!(pool.display(read).to_string().len(), pool.display(formula).to_string().len());
    assert_eq!(pool.dag_size(read), pool.dag_size(formula));
}
