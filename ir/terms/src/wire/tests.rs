//! Terms and values survive a round trip, and malformed input is an error.

use super::{
    Decoder, Encoder, Names, PLAIN, Reader, WireError, Writer, code_of, read_function_value, read_value,
    write_function_value, write_value,
};
use crate::Random;
use crate::{
    ArrayValue, Assignment, BitVector, Completion, FunctionValue, Op, Representation, RoundingMode, Sort,
    Term, TermPool, Value,
};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use proptest::prelude::*;

/// Leaves of all sorts.
fn leaves(pool: &mut TermPool) -> Vec<Term> {
    let memory = pool.array_sort(Sort::BitVec(2), Sort::BitVec(8));
    let nested = pool.array_sort(Sort::Int, memory);
    let thing = pool.uninterpreted_sort("thing");
    let things = pool.array_sort(thing, Sort::Bool);
    let sorts = [
        Sort::Bool,
        Sort::Int,
        Sort::Real,
        Sort::BitVec(1),
        Sort::BitVec(2),
        Sort::BitVec(8),
        Sort::BitVec(100),
        Sort::Float(3, 5),
        Sort::RoundingMode,
        memory,
        nested,
        thing,
        things,
    ];
    let mut leaves = vec![pool.tru(), pool.fls()];
    for (number, &sort) in sorts.iter().enumerate() {
        leaves.push(pool.symbol(&format!("x{number}"), sort));
        leaves.push(pool.symbol_with(&format!("ü |{number}"), sort, Representation::Unsigned));
        leaves.push(pool.bound(&format!("b{number}"), sort));
        leaves.push(pool.value(number as u32, sort));
    }
    for number in [0, 1, -1, 77, i64::MIN] {
        leaves.push(pool.int(number));
        leaves.push(pool.real(&BigRational::new(number.into(), 3.into())));
        leaves.push(pool.bv_i64(8, number));
        leaves.push(pool.bv_i64(100, number));
    }
    leaves.push(pool.int_big(&(BigInt::from(1) << 200)));
    leaves.push(pool.float_from_bits(3, 5, &BigUint::from(0x35u8)));
    leaves.extend(RoundingMode::ALL.map(|mode| pool.rounding_mode(mode)));
    leaves
}

/// Operators of all kinds, with small payloads.
fn operators(pool: &mut TermPool, random: &mut Random) -> Op {
    let small = random.number() as u32 % 9;
    let (exponent, significand) = if small < 6 { (3, 5) } else { (2, 3) };
    let memory = pool.array_sort(Sort::BitVec(2), Sort::BitVec(8));
    let Sort::Array(memory) = memory else { unreachable!("an array sort was made") };
    let thing = pool.uninterpreted_sort("thing");
    match random.number() % 80 {
        0 => Op::Extract { high: small, low: random.number() as u32 % 9 },
        1 => Op::ZeroExtend(small),
        2 => Op::SignExtend(small),
        3 => Op::ConstArray(memory),
        4 => Op::FpFromBits { exponent, significand },
        5 => Op::FpFromFloat { exponent, significand },
        6 => Op::FpFromReal { exponent, significand },
        7 => Op::FpFromSigned { exponent, significand },
        8 => Op::FpFromUnsigned { exponent, significand },
        9 => Op::FpToUnsigned(small.max(1)),
        10 => Op::FpToSigned(small.max(1)),
        11 => Op::Apply(pool.function_symbol("f", &[Sort::Int, Sort::Bool], thing)),
        12 => Op::Apply(pool.function_symbol("f", &[thing], Sort::Int)),
        number => PLAIN[number as usize % PLAIN.len()],
    }
}

/// Random terms: operators over random well-sorted children.
fn random_terms(pool: &mut TermPool, seed: u64, wanted: usize) -> Vec<Term> {
    let mut random = Random::new(seed);
    let mut terms = leaves(pool);
    let wanted = terms.len() + wanted;
    for _ in 0..wanted * 400 {
        if terms.len() >= wanted {
            break;
        }
        let op = operators(pool, &mut random);
        let mut children = Vec::new();
        for _ in 0..1 + random.number() % 4 {
            let place = if random.number().is_multiple_of(2) {
                random.number() as usize % terms.len()
            } else {
                terms.len() - 1 - random.number() as usize % terms.len().min(20)
            };
            // Children of the same sort are likelier to fit.
            let sort = children.last().map(|&child| pool.sort(child));
            let fitting = terms[place..].iter().chain(&terms[..place]).find(|&&term| {
                random.number().is_multiple_of(3) || sort.is_none_or(|sort| pool.sort(term) == sort)
            });
            children.push(*fitting.expect("the child before fits"));
        }
        if let Ok(term) = pool.build(op, &children) {
            terms.push(term);
        }
    }
    terms
}

fn decode_all(
    encoder: &mut Encoder,
    decoder: &mut Decoder,
    from: &TermPool,
    to: &mut TermPool,
    terms: &[Term],
) -> Vec<Term> {
    let ids: Vec<u32> = terms.iter().map(|&term| encoder.term(from, term)).collect();
    decoder.read(to, &encoder.take()).expect("what the encoder wrote can be read");
    ids.into_iter().map(|id| decoder.term(id).expect("the term was sent")).collect()
}

#[test]
fn operators_have_their_own_numbers() {
    for (number, &op) in PLAIN.iter().enumerate() {
        assert_eq!(usize::from(code_of(op)), number, "{op:?}");
    }
}

proptest! {
    #[test]
    fn terms_come_back_as_they_were(seed: u64) {
        let mut pool = TermPool::new();
        let terms = random_terms(&mut pool, seed, 300);
        let (mut there, mut back) = (Encoder::new(), Encoder::new());
        let mut far = TermPool::new();
        // The other pool assigns different ids.
        far.symbol("x3", Sort::Real);
        far.uninterpreted_sort("nothing");
        far.array_sort(Sort::Int, Sort::Int);
        let mut far_decoder = Decoder::new(Names::Foreign);
        let mut near_decoder = Decoder::new(Names::Shared);
        // In several messages, so that later ones refer to earlier ones.
        for chunk in terms.chunks(40) {
            let sent = decode_all(&mut there, &mut far_decoder, &pool, &mut far, chunk);
            let returned = decode_all(&mut back, &mut near_decoder, &far, &mut pool, &sent);
            for (&term, &returned) in chunk.iter().zip(&returned) {
                prop_assert!(
                    term == returned || has_equal_value(&pool, term, returned),
                    "{:?} came back as {:?}", pool.op(term), pool.op(returned)
                );
            }
        }
    }

    #[test]
    fn terms_read_into_their_own_pool_are_themselves(seed: u64) {
        let mut pool = TermPool::new();
        let terms = random_terms(&mut pool, seed, 300);
        let mut encoder = Encoder::new();
        let mut decoder = Decoder::new(Names::Shared);
        let ids: Vec<u32> = terms.iter().map(|&term| encoder.term(&pool, term)).collect();
        let bytes = encoder.take();
        decoder.read(&mut pool, &bytes).expect("what the encoder wrote can be read");
        for (&term, id) in terms.iter().zip(ids) {
            let read = decoder.term(id).expect("the term was sent");
            prop_assert!(
                read == term || has_equal_value(&pool, term, read),
                "{:?} {} was read as {:?}", pool.op(term), term, pool.op(read)
            );
        }
    }

    #[test]
    fn broken_bytes_are_errors(seed: u64, changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8), cut: Option<prop::sample::Index>) {
        let mut pool = TermPool::new();
        let terms = random_terms(&mut pool, seed, 120);
        let mut encoder = Encoder::new();
        for &term in &terms {
            encoder.term(&pool, term);
        }
        let mut bytes = encoder.take();
        for (place, change) in changes {
            let place = place.index(bytes.len());
            bytes[place] ^= change;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        let mut far = TermPool::new();
        // Any answer will do; the decoder must return.
        drop(Decoder::new(Names::Foreign).read(&mut far, &bytes));
    }

    #[test]
    fn noise_is_an_error_or_harmless(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let mut far = TermPool::new();
        drop(Decoder::new(Names::Shared).read(&mut far, &bytes));
        let mut input = Reader::new(&bytes);
        drop(read_value(&far, &mut input));
        drop(read_function_value(&far, &mut Reader::new(&bytes)));
    }

    #[test]
    fn numbers_come_back(number: u64, bits in 0u32..64, natural in prop::collection::vec(any::<u8>(), 0..40), is_negative: bool) {
        let mut out = Writer::default();
        let number = number >> bits;
        let natural = BigUint::from_bytes_le(&natural);
        let integer = if is_negative { -BigInt::from(natural.clone()) } else { BigInt::from(natural.clone()) };
        out.number(number);
        out.natural(&natural);
        out.integer(&integer);
        let mut input = Reader::new(&out.bytes);
        prop_assert_eq!(input.number(), Ok(number));
        prop_assert_eq!(input.natural(), Ok(natural));
        prop_assert_eq!(input.integer(), Ok(integer));
        prop_assert!(input.is_empty());
    }
}

/// Whether both terms have the same value under some assignments; terms without values count as
/// equal.
fn has_equal_value(pool: &TermPool, a: Term, b: Term) -> bool {
    (0..8).all(|round| {
        let mut random = Random::new(round);
        let mut assignment = Assignment::with_completion(Completion::Default);
        for index in 0..pool.symbol_count() {
            let symbol = crate::Symbol(index as u32);
            let number = random.number();
            let value = match pool.symbol_data(symbol).sort {
                Sort::Bool => Value::Bool(number.is_multiple_of(2)),
                Sort::Int => Value::int(number as i64 % 20),
                Sort::Real => Value::Real(BigRational::new((number as i64 % 20).into(), 3.into())),
                Sort::BitVec(width) => Value::bv(width.min(64), number),
                _ => continue,
            };
            if value.is_of_sort(pool, pool.symbol_data(symbol).sort) {
                assignment.set(symbol, value);
            }
        }
        let (left, right) = (crate::eval(pool, a, &assignment), crate::eval(pool, b, &assignment));
        match (left, right) {
            (Ok(left), Ok(right)) => left == right,
            _ => true,
        }
    })
}

#[test]
fn what_was_sent_is_not_sent_again() {
    let mut pool = TermPool::new();
    let terms = random_terms(&mut pool, 7, 100);
    let mut encoder = Encoder::new();
    let root = *terms.last().expect("there are terms");
    let id = encoder.term(&pool, root);
    assert!(!encoder.take().is_empty());
    assert_eq!(encoder.term(&pool, root), id);
    assert!(encoder.take().is_empty());
}

#[test]
fn foreign_symbols_are_kept_apart() {
    let mut near = TermPool::new();
    let x = near.symbol("x", Sort::Int);
    let mut encoder = Encoder::new();
    encoder.term(&near, x);
    let bytes = encoder.take();
    let mut far = TermPool::new();
    far.symbol("x", Sort::Int);
    assert_eq!(Decoder::new(Names::Foreign).read(&mut far, &bytes), Err(WireError::Clash("x".to_owned())));
    assert_eq!(Decoder::new(Names::Shared).read(&mut far, &bytes), Ok(()));
}

#[test]
#[ignore = "slow"]
fn squares_of_constants_do_not_explode() {
    let mut out = Writer::default();
    out.byte(super::code::INT_CONST);
    out.integer(&BigInt::from(3));
    for _ in 0..60 {
        out.byte(code_of(Op::Mul));
        out.size(2);
        out.number(1);
        out.number(1);
    }
    let mut pool = TermPool::new();
    assert!(matches!(Decoder::new(Names::Shared).read(&mut pool, &out.bytes), Err(WireError::Malformed(_))));
}

#[test]
fn values_come_back() {
    let mut pool = TermPool::new();
    pool.uninterpreted_sort("other");
    let Sort::Uninterpreted(thing) = pool.uninterpreted_sort("thing") else { unreachable!("just made") };
    let mut inner = ArrayValue::constant(Value::bv(100, 3));
    inner.store(Value::int(-4), Value::BitVec(BitVector::from_integer(100, &BigInt::from(-1))));
    let mut outer = ArrayValue::constant(Value::Array(ArrayValue::constant(Value::bv(100, 0))));
    outer.store(Value::Bool(true), Value::Array(inner));
    let values = [
        Value::Bool(true),
        Value::bv(7, 5),
        Value::int(i64::MIN),
        Value::Real(BigRational::new((-7).into(), 3.into())),
        Value::Float { exponent: 3, significand: 5, bits: BigUint::from(0x35u8) },
        Value::RoundingMode(RoundingMode::TowardNegative),
        Value::Array(outer),
        Value::Element { sort: thing, number: u64::MAX },
    ];
    let function = FunctionValue {
        table: [(vec![values[1].clone(), values[7].clone()], values[3].clone())].into(),
        default: Some(values[2].clone()),
    };
    let mut out = Writer::default();
    for value in &values {
        write_value(&pool, value, &mut out);
    }
    write_function_value(&pool, &function, &mut out);

    let mut far = TermPool::new();
    let mut input = Reader::new(&out.bytes);
    for value in &values[..7] {
        assert_eq!(read_value(&far, &mut input).as_ref(), Ok(value));
    }
    let Sort::Uninterpreted(far_thing) = far.uninterpreted_sort("thing") else { unreachable!("just made") };
    let element = Value::Element { sort: far_thing, number: u64::MAX };
    assert_ne!(far_thing, thing);
    assert_eq!(read_value(&far, &mut input), Ok(element.clone()));
    let read = read_function_value(&far, &mut input).expect("what the encoder wrote can be read");
    assert_eq!(read.default, function.default);
    assert_eq!(read.table, [(vec![values[1].clone(), element], values[3].clone())].into());
    assert!(input.is_empty());
}

#[test]
fn deep_and_large_terms_pass_without_recursion() {
    let mut pool = TermPool::new();
    let function = pool.function_symbol("f", &[Sort::Int], Sort::Int);
    let x = pool.symbol("x", Sort::Int);
    let mut term = x;
    for _ in 0..300_000 {
        term = pool.apply(function, &[term]);
    }
    let mut encoder = Encoder::new();
    let id = encoder.term(&pool, term);
    let bytes = encoder.take();
    let mut decoder = Decoder::new(Names::Shared);
    decoder.read(&mut pool, &bytes).expect("what the encoder wrote can be read");
    assert_eq!(decoder.term(id), Ok(term));
    let deep = (0..200).fold(Sort::Int, |sort, _| pool.array_sort(Sort::Int, sort));
    let deep = pool.symbol("deep", deep);
    encoder.term(&pool, deep);
    let bytes = encoder.take();
    decoder.read(&mut pool, &bytes).expect("what the encoder wrote can be read");
}
