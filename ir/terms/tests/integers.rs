//! Integer constants are unique, whatever the order in which they are made.

use std::collections::BTreeMap;
use terms::{Random, Term, TermPool};

fn check(values: impl Iterator<Item = i64>) {
    let mut pool = TermPool::new();
    let mut known: BTreeMap<i64, Term> = BTreeMap::new();
    for value in values {
        let term = pool.int(value);
        assert_eq!(*known.entry(value).or_insert(term), term, "{value}");
    }
    for (&value, &term) in &known {
        assert_eq!(pool.int(value), term, "{value}");
        assert_eq!(pool.int_big(&value.into()), term, "{value}");
    }
    let distinct: std::collections::BTreeSet<Term> = known.values().copied().collect();
    assert_eq!(distinct.len(), known.len());
}

#[test]
fn integers_in_order_and_against_it() {
    check(0..5000);
    check((0..5000).rev());
    check((0..5000).map(|value| value * 3));
    check((-2500..2500).chain(0..100));
    check((1..2500).flat_map(|value| [value, -value]));
}

#[test]
fn integers_far_from_each_other() {
    let powers = (0..63).map(|power| 1i64 << power);
    check(powers.clone().chain(powers.map(|power| power - 1)).chain([i64::MIN, -1, 0, i64::MAX]));
}

#[test]
fn integers_that_are_sparse_at_first_and_dense_later() {
    check([100, 7, 39, 40].into_iter().chain(0..200).chain([7, 39, 100]));
    for seed in 0..50 {
        let mut random = Random::new(seed);
        let limit = 1u64 << (random.number() % 14);
        check((0..2000).map(move |_| (random.number() % limit) as i64 - limit as i64 / 3 - 20));
    }
}
