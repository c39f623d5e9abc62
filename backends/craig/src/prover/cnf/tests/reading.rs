//! Back translation preserves the meaning.

use super::{Kept, leaves, random_value};
use crate::prover::cnf::clauses::Polarity;
use crate::prover::cnf::reading::Reader;
use crate::prover::cnf::translate::Translator;
use crate::prover::sat::Literal;
use crate::prover::theory::Combination;
use backends::conformance::random::{Random, Vocabulary};
use backends::{Limits, Prover, Status};
use proptest::prelude::*;
use terms::entity::Entity;
use terms::{Assignment, Sort, TermPool, eval};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_formula_is_read_as_an_equivalent_one(width in 1u32..=6, depth in 1u32..=5, seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let mut pool = TermPool::new();
        let vocabulary = Vocabulary::of(&mut pool, Sort::BitVec(width), 3);
        let formula = vocabulary.formula(&mut random, &mut pool, depth);
        let (mut translator, mut theory) = (Translator::default(), Combination::default());
        let mut kept = Kept::default();
        let signal = translator
            .formula(&pool, formula, &mut theory, &mut kept, &Limits::default())
            .expect("no limit is reached");
        let Combination { gates, encoder, .. } = &mut theory;
        let literal = encoder.literal(gates, signal, Polarity::Both, &mut kept);
        let mut reader = Reader::default();
        let read = reader.literal(&mut pool, &theory, literal).expect("the variable is not a selector");
        let negated = reader.literal(&mut pool, &theory, !literal).expect("the variable is not a selector");
        let symbols = leaves(&pool, &[formula]);
        prop_assert!(leaves(&pool, &[read]).iter().all(|symbol| symbols.contains(symbol)));
        for _ in 0..16 {
            let mut assignment = Assignment::new();
            for &symbol in &symbols {
                assignment.set_leaf(&pool, symbol, random_value(&mut random, pool.sort(symbol)));
            }
            prop_assert_eq!(eval(&pool, read, &assignment), eval(&pool, formula, &assignment));
            prop_assert_ne!(eval(&pool, negated, &assignment), eval(&pool, formula, &assignment));
        }
    }
}

/// Includes atoms of functions, and equalities created in the search.
#[test]
fn every_variable_of_a_refutation_is_read() {
    let mut pool = TermPool::new();
    let sort = Sort::BitVec(2);
    let f = pool.function_symbol("f", &[sort], Sort::Int);
    let names: Vec<_> = (0..5).map(|index| pool.symbol(&format!("x{index}"), sort)).collect();
    let images: Vec<_> = names.iter().map(|&name| pool.apply(f, &[name])).collect();
    // Five different images of four values.
    let formula = pool.distinct(&images);
    let mut prover = crate::CraigProver::new(crate::prover::sat::Config::PROVING, &Limits::default());
    prover.assert(&pool, formula).expect("supported");
    assert_eq!(prover.status(&pool, &[]), Status::Unsat);
    let proof = prover.proof().expect("a proof");
    let mut reader = Reader::default();
    let mut read: Vec<Literal> = proof.steps.iter().flat_map(|step| step.literals.clone()).collect();
    read.sort_unstable_by_key(|literal| literal.variable().index());
    read.dedup_by_key(|literal| literal.variable());
    assert!(read.len() > 20);
    for literal in read {
        let term = reader.literal(&mut pool, prover.theory(), literal).expect("there are no scopes");
        let symbols = leaves(&pool, &[term]);
        assert!(symbols.iter().all(|symbol| names.contains(symbol)), "{}", pool.display(term));
    }
}
