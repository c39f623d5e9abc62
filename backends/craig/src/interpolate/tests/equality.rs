//! Functions, with proofs of the prover.

use super::{certify, random_tree};
use crate::interpolate::{Labelling, Proofs};
use backends::conformance::random::Random;
use backends::interpolation::{Interpolator, Problem};
use backends::{Limits, Reason};
use ir::term::{FunctionSymbol, Sort, Term, TermPool};

fn solve(pool: &mut TermPool, problem: &Problem, labelling: Labelling) -> Result<Vec<Term>, Reason> {
    Proofs { labelling }.interpolate(pool, problem, &Limits::default())
}

/// What a part knows.
struct Known {
    constants: Vec<Term>,
    unary: Vec<FunctionSymbol>,
    binary: Vec<FunctionSymbol>,
}

impl Known {
    fn term(&self, random: &mut Random, pool: &mut TermPool, depth: usize) -> Term {
        let is_leaf = depth == 0 || random.chance(2, 5);
        match random.below(3) {
            _ if is_leaf => random.pick(&self.constants),
            0 => {
                let arguments = [self.term(random, pool, depth - 1), self.term(random, pool, depth - 1)];
                pool.apply(random.pick(&self.binary), &arguments)
            }
            _ => {
                let argument = self.term(random, pool, depth - 1);
                pool.apply(random.pick(&self.unary), &[argument])
            }
        }
    }

    fn equation(&self, random: &mut Random, pool: &mut TermPool) -> Term {
        let (a, b) = (self.term(random, pool, 2), self.term(random, pool, 2));
        if random.chance(1, 4) { pool.neq(a, b) } else { pool.eq(a, b) }
    }
}

#[derive(Debug, Default)]
struct Seen {
    refuted: usize,
    mixed: usize,
    split: usize,
}

fn story(seed: u64, sort: Sort, seen: &mut Seen) {
    let mut random = Random::new(seed);
    let mut pool = TermPool::new();
    let sort = if sort == Sort::Int { pool.uninterpreted_sort("S") } else { sort };
    let constants: Vec<Term> = (0..7).map(|index| pool.symbol(&format!("c{index}"), sort)).collect();
    let unary: Vec<FunctionSymbol> =
        ["f", "h"].iter().map(|name| pool.function_symbol(name, &[sort], sort)).collect();
    let binary = [pool.function_symbol("g", &[sort, sort], sort)];
    let count = 2 + random.below(4);
    let tree = random_tree(&mut random, count);
    let mut problem = Problem { parts: vec![Vec::new(); count], tree };
    for part in &mut problem.parts {
        let known = Known {
            constants: (0..3).map(|_| random.pick(&constants)).collect(),
            unary: vec![random.pick(&unary)],
            binary: binary.to_vec(),
        };
        for _ in 0..3 + random.below(3) {
            let mut formula = known.equation(&mut random, &mut pool);
            if random.chance(1, 4) {
                let other = known.equation(&mut random, &mut pool);
                formula = pool.or2(formula, other);
            }
            part.push(formula);
        }
    }
    for labelling in Labelling::ALL {
        match solve(&mut pool, &problem, labelling) {
            Ok(interpolants) => {
                seen.refuted += 1;
                let is_trivial = |&term: &Term| pool.as_bool(term).is_some();
                seen.split += usize::from(!interpolants.iter().all(is_trivial));
                certify(&mut pool, &problem, &interpolants, &format!("seed {seed}, {labelling:?}"));
            }
            Err(Reason::Misuse(_)) => return,
            Err(Reason::Unsupported(_)) => seen.mixed += 1,
            Err(reason) => panic!("seed {seed}: {reason}"),
        }
    }
}

#[test]
fn interpolants_of_functions_are_right() {
    let mut seen = Seen::default();
    (0..400).for_each(|seed| story(seed, Sort::Int, &mut seen));
    println!("{seen:?}");
    assert!(seen.mixed == 0 && seen.split > 100, "{seen:?}");
}

#[test]
fn interpolants_of_words_and_functions_are_right() {
    let mut seen = Seen::default();
    (0..300).for_each(|seed| story(seed, Sort::BitVec(2), &mut seen));
    println!("{seen:?}");
    assert!(seen.split > 100, "{seen:?}");
}
