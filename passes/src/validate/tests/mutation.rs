//! Valid certificates with one mutation: the validator accepts exactly the mutants that are still
//! valid.

use super::formula::{Expr, LITERALS, Written};
use super::oracle::Oracle;
use super::programs::{Opened, samples};
use super::*;

/// A generator of pseudorandom numbers, the same on each machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    fn choose<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

#[derive(Clone, Copy, Debug)]
enum Mutation {
    DropOperand,
    MoveBound,
    NegateLiteral,
    SwapVariable,
    ReplaceByTrue,
    ChangeComparison,
    Weaken,
    Strengthen,
}

const MUTATIONS: [Mutation; 8] = [
    Mutation::DropOperand,
    Mutation::MoveBound,
    Mutation::NegateLiteral,
    Mutation::SwapVariable,
    Mutation::ReplaceByTrue,
    Mutation::ChangeComparison,
    Mutation::Weaken,
    Mutation::Strengthen,
];

fn not(expression: Expr) -> Expr {
    Expr::App("not", vec![expression])
}

/// A literal over the names.
fn literal(random: &mut Random, names: &[String]) -> Expr {
    let operator = *random.choose(LITERALS);
    let left = Expr::Name(random.choose(names).clone());
    let right = match random.below(2) {
        0 => Expr::Name(random.choose(names).clone()),
        _ => Expr::Number(random.below(8) as i64),
    };
    Expr::App(operator, vec![left, right])
}

/// Mutates one place; `None` if the place does not allow it.
fn mutate(random: &mut Random, expression: &Expr, names: &[String], mutation: Mutation) -> Option<Expr> {
    let mut mutant = expression.clone();
    let index = random.below(mutant.size());
    let place = mutant.at_mut(index);
    let is_literal = place.is_literal();
    match (mutation, &mut *place) {
        (Mutation::DropOperand, Expr::App("and" | "or", operands)) if operands.len() > 1 => {
            let dropped = random.below(operands.len());
            operands.remove(dropped);
        }
        (Mutation::MoveBound, Expr::Number(number)) => *number += *random.choose(&[-1, 1]),
        (Mutation::MoveBound, Expr::Name(_)) => {
            let operator = *random.choose(&["+", "-"]);
            *place = Expr::App(operator, vec![place.clone(), Expr::Number(1)]);
        }
        (Mutation::NegateLiteral, _) if is_literal => *place = not(place.clone()),
        (Mutation::SwapVariable, Expr::Name(name)) => *name = random.choose(names).clone(),
        (Mutation::ReplaceByTrue, _) if is_literal => *place = Expr::App("true", Vec::new()),
        (Mutation::ChangeComparison, Expr::App(name, _)) if LITERALS.contains(name) => {
            *name = *random.choose::<&str>(LITERALS);
        }
        (Mutation::Weaken, _) => mutant = Expr::App("or", vec![mutant, literal(random, names)]),
        (Mutation::Strengthen, _) => mutant = Expr::App("and", vec![mutant, literal(random, names)]),
        _ => return None,
    }
    Some(mutant)
}

/// The number of answers of each kind.
#[derive(Debug, Default)]
struct Counts {
    accepted: usize,
    rejected: usize,
}

/// Asserts that the validator's answer is `expected`.
fn judge(opened: &mut Opened, certificate: &Certificate, expected: bool, counts: &mut Counts, what: &str) {
    match check(opened, certificate) {
        Ok(_) => {
            assert!(expected, "accepted, but wrong: {what}");
            counts.accepted += 1;
        }
        Err(NotValidated::Rejected(rejection)) => {
            assert!(!expected, "{rejection}, but right: {what}");
            counts.rejected += 1;
        }
        Err(NotValidated::Undecided(reason)) => panic!("undecided ({reason}): {what}"),
    }
}

#[test]
fn the_validator_accepts_exactly_the_mutants_that_are_still_proofs() {
    const MUTANTS_OF_EACH: usize = 48;
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut inductive, mut k_inductive) = (Counts::default(), Counts::default());
    for sample in samples() {
        let mut opened = Opened::new(&sample);
        let oracle = Oracle::new(&opened);
        let original = opened.written.clone();
        let heads: Vec<Block> = original.keys().copied().collect();
        let mut made = 0;
        while made < MUTANTS_OF_EACH {
            let block = *random.choose(&heads);
            let names: Vec<String> = opened.live[&block].iter().map(|live| live.name.clone()).collect();
            let mutation = *random.choose(&MUTATIONS);
            let Some(mutant) = mutate(&mut random, &original[&block], &names, mutation) else { continue };
            if mutant == original[&block] {
                continue;
            }
            made += 1;
            let mut written: Written = original.clone();
            written.insert(block, mutant);
            let numbers = *random.choose(sample.numbers);
            let invariants = Box::new(opened.invariants(&written, numbers));
            let satisfying = oracle.satisfying(&opened, &invariants.symbols, &invariants.at);
            let is_inductive = oracle.is_inductive(&satisfying);
            let what = format!("{} {numbers:?} {mutation:?}: {written:?}", sample.name);

            let expected = is_inductive && oracle.is_safe(&satisfying);
            let certificate = Certificate::Inductive(invariants.clone());
            judge(&mut opened, &certificate, expected, &mut inductive, &what);

            let k = random.below(4) as u32;
            let expected = is_inductive && oracle.has_base_case(k) && oracle.has_step_case(&satisfying, k);
            let certificate = Certificate::KInductive { k, invariants };
            judge(&mut opened, &certificate, expected, &mut k_inductive, &format!("k = {k}, {what}"));
        }
    }
    for counts in [&inductive, &k_inductive] {
        assert!(counts.accepted >= 60 && counts.rejected >= 200, "{inductive:?} {k_inductive:?}");
    }
    assert!(inductive.accepted + inductive.rejected >= 500);
}
