//! Formulas over integers have the same value over the bits of their symbols.

use crate::bits::{Bits, over_bits};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use terms::{Assignment, BitVector, Op, Random, Representation, Sort, Symbol, Term, TermPool, Value, eval};

fn below(random: &mut Random, bound: u64) -> usize {
    usize::try_from(random.number() % bound).expect("a small number")
}

fn symbol(pool: &TermPool, term: Term) -> Symbol {
    match pool.op(term) {
        Op::Symbol(symbol) => symbol,
        op => panic!("{op:?} should be a symbol"),
    }
}

/// Some random terms over `numbers`, and a formula.
fn random_formula(pool: &mut TermPool, random: &mut Random, numbers: &[Term]) -> Term {
    let mut numbers = numbers.to_vec();
    let mut formulas = vec![pool.tru()];
    for _ in 0..12 {
        let [a, b] = [0, 1].map(|_| numbers[below(random, numbers.len() as u64)]);
        let c = i64::try_from(below(random, 9)).expect("a small number") - 4;
        let constant = pool.int(c);
        let condition = formulas[below(random, formulas.len() as u64)];
        match below(random, 12) {
            0 => numbers.push(pool.add(&[a, b, constant])),
            1 => numbers.push(pool.sub(a, b)),
            2 => numbers.push(pool.mul(a, b)),
            3 => numbers.push(pool.mul(constant, a)),
            4 => numbers.push(pool.neg(a)),
            5 if c != 0 => numbers.push(pool.int_div(a, constant)),
            6 if c != 0 => numbers.push(pool.int_mod(a, constant)),
            7 => numbers.push(pool.ite(condition, a, b)),
            8 => formulas.push(pool.eq(a, b)),
            9 => formulas.push(pool.le(a, b)),
            10 => formulas.push(pool.lt(a, constant)),
            _ => formulas.push(pool.not(condition)),
        }
    }
    let [a, b] = [0, 1].map(|back| formulas[formulas.len() - 1 - back.min(formulas.len() - 1)]);
    pool.xor(a, b)
}

#[test]
fn formulas_have_the_same_value_over_bits() {
    let mut random = Random::new(17);
    let mut translated = 0;
    for _ in 0..400 {
        let mut pool = TermPool::new();
        let kinds = [(3, Representation::Unsigned), (3, Representation::Signed), (1, Representation::Signed)];
        let mut images = FxHashMap::default();
        let mut symbols = Vec::new();
        for (index, (width, representation)) in kinds.into_iter().enumerate() {
            let number = pool.symbol(&format!("n{index}"), Sort::Int);
            let bits = pool.symbol(&format!("b{index}"), Sort::BitVec(width));
            images.insert(number, Bits { term: bits, representation });
            symbols.push((number, bits, width, representation));
        }
        let numbers: Vec<Term> = symbols.iter().map(|symbol| symbol.0).collect();
        let formula = random_formula(&mut pool, &mut random, &numbers);
        let Some(found) = over_bits(&mut pool, formula, &images) else { continue };
        translated += 1;
        for pattern in 0..1u64 << 7 {
            let (mut over_numbers, mut over_vectors) = (Assignment::new(), Assignment::new());
            let mut rest = pattern;
            for &(number, bits, width, representation) in &symbols {
                let natural = BitVector::from_integer(width, &BigInt::from(rest & ((1 << width) - 1)));
                rest >>= width;
                let value = match representation {
                    Representation::Signed => natural.to_signed(),
                    Representation::Unsigned => BigInt::from(natural.to_natural()),
                };
                over_numbers.set(symbol(&pool, number), Value::Int(value));
                over_vectors.set(symbol(&pool, bits), Value::BitVec(natural));
            }
            let expected = eval(&pool, formula, &over_numbers);
            assert_eq!(eval(&pool, found, &over_vectors), expected, "{}", pool.display(formula));
        }
    }
    assert!(translated > 350, "{translated}");
}

#[test]
fn only_terms_of_bounded_symbols_are_translated() {
    let mut pool = TermPool::new();
    let [x, free] = ["x", "free"].map(|name| pool.symbol(name, Sort::Int));
    let bits = pool.symbol("b", Sort::BitVec(8));
    let images = [(x, Bits { term: bits, representation: Representation::Unsigned })].into_iter().collect();
    let two = pool.int(2);
    let alone = pool.le(free, two);
    assert_eq!(over_bits(&mut pool, alone, &images), Some(alone));
    let mixed = pool.le(free, x);
    assert_eq!(over_bits(&mut pool, mixed, &images), None);
    let mut power = x;
    for _ in 0..10 {
        power = pool.mul(power, power);
    }
    let large = pool.le(power, two);
    assert_eq!(over_bits(&mut pool, large, &images), None);
}
