//! Random array problems, compared with z3, and each kind of lemma.

mod lemmas;

use super::scenario::{Counts, Scenario, check_proof, denied};
use crate::CraigProver;
use crate::interpolation::from_proof::{Labelling, Proofs};
use crate::prover::proof::Step;
use crate::prover::theory::{ArrayLemma, Lemma};
use backends::conformance::random::Random;
use backends::interpolation::{Certifier, Interpolants, Interpolator, Problem};
use backends::{Limits, Prover, ProverFactory, Reason, Status};
use std::rc::Rc;
use std::time::Duration;
use terms::{FunctionSymbol, Sort, Term, TermPool};

/// Random formulas over some sorts, closed under the index and element sorts of arrays.
struct Vocabulary {
    sorts: Vec<Sort>,
    symbols: Vec<Term>,
    functions: Vec<FunctionSymbol>,
}

#[derive(Clone, Copy)]
enum Functions {
    Without,
    With,
}

impl Vocabulary {
    fn new(pool: &mut TermPool, arrays: &[Sort], functions: Functions) -> Self {
        let mut sorts = vec![Sort::Bool];
        let mut stack = arrays.to_vec();
        while let Some(sort) = stack.pop() {
            if !sorts.contains(&sort) {
                sorts.push(sort);
            }
            if let Sort::Array(parts) = sort {
                let (index, element) = pool.array_sort_parts(parts);
                stack.extend([index, element]);
            }
        }
        let mut vocabulary = Vocabulary { sorts, symbols: Vec::new(), functions: Vec::new() };
        for (i, &sort) in vocabulary.sorts.iter().enumerate() {
            vocabulary.symbols.extend((0..2).map(|index| pool.symbol(&format!("x{i}{index}"), sort)));
            if matches!(functions, Functions::With) {
                let other = vocabulary.sorts[(i * 7 + 2) % vocabulary.sorts.len()];
                vocabulary.functions.extend([
                    pool.function_symbol(&format!("f{i}"), &[sort], other),
                    pool.function_symbol(&format!("g{i}"), &[other, sort], sort),
                ]);
            }
        }
        vocabulary
    }

    fn leaf(&self, random: &mut Random, pool: &mut TermPool, sort: Sort) -> Term {
        if random.chance(1, 4) {
            match sort {
                Sort::Bool => return pool.bool(random.chance(1, 2)),
                Sort::BitVec(width) => return pool.bv(width, random.next_u64()),
                Sort::Int => return pool.int(random.below(3) as i64),
                _ => {}
            }
        }
        let of_sort: Vec<Term> =
            self.symbols.iter().copied().filter(|&symbol| pool.sort(symbol) == sort).collect();
        random.pick(&of_sort)
    }

    fn term(&self, random: &mut Random, pool: &mut TermPool, sort: Sort, depth: u32) -> Term {
        if depth == 0 || random.chance(1, 6) {
            return self.leaf(random, pool, sort);
        }
        let depth = depth - 1;
        if let Sort::Array(parts) = sort
            && random.chance(2, 3)
        {
            let (index, element) = pool.array_sort_parts(parts);
            if random.chance(1, 6) {
                let element = self.term(random, pool, element, depth);
                return pool.const_array(sort, element);
            }
            let array = self.term(random, pool, sort, depth);
            let (index, element) =
                (self.term(random, pool, index, depth / 2), self.term(random, pool, element, depth / 2));
            return pool.store(array, index, element);
        }
        match random.below(8) {
            0 => {
                let condition = self.formula(random, pool, depth);
                let (a, b) = (self.term(random, pool, sort, depth), self.term(random, pool, sort, depth));
                pool.ite(condition, a, b)
            }
            1 if matches!(sort, Sort::BitVec(_)) => {
                let (a, b) = (self.term(random, pool, sort, depth), self.term(random, pool, sort, depth));
                pool.bv_add(a, b)
            }
            1 if sort == Sort::Int => {
                let (a, b) = (self.term(random, pool, sort, depth), self.term(random, pool, sort, depth));
                pool.add(&[a, b])
            }
            2 if !self.functions.is_empty() => {
                let of_sort: Vec<FunctionSymbol> =
                    self.functions.iter().copied().filter(|&f| pool.function_data(f).2 == sort).collect();
                if of_sort.is_empty() {
                    return self.leaf(random, pool, sort);
                }
                let function = random.pick(&of_sort);
                let arguments = pool.function_data(function).1.to_vec();
                let arguments: Vec<Term> =
                    arguments.into_iter().map(|sort| self.term(random, pool, sort, depth.min(1))).collect();
                pool.apply(function, &arguments)
            }
            _ => {
                let element = |array: &Sort| match *array {
                    Sort::Array(parts) => pool.array_sort_parts(parts).1 == sort,
                    _ => false,
                };
                let arrays: Vec<Sort> = self.sorts.iter().copied().filter(element).collect();
                if arrays.is_empty() {
                    return self.leaf(random, pool, sort);
                }
                let array = random.pick(&arrays);
                let Sort::Array(parts) = array else { unreachable!("only arrays are picked") };
                let (index, _) = pool.array_sort_parts(parts);
                let array = self.term(random, pool, array, depth);
                let index = self.term(random, pool, index, depth / 2);
                pool.select(array, index)
            }
        }
    }

    fn formula(&self, random: &mut Random, pool: &mut TermPool, depth: u32) -> Term {
        let depth = depth.saturating_sub(1);
        match random.below(9) {
            0 | 1 if depth > 0 => {
                let (a, b) = (self.formula(random, pool, depth), self.formula(random, pool, depth));
                if random.chance(1, 2) { pool.or2(a, b) } else { pool.xor(a, b) }
            }
            2 => self.term(random, pool, Sort::Bool, depth),
            3 if self.sorts.contains(&Sort::Int) => {
                let (a, b) =
                    (self.term(random, pool, Sort::Int, depth), self.term(random, pool, Sort::Int, depth));
                pool.lt(a, b)
            }
            kind => {
                let sort = random.pick(&self.sorts);
                let (a, b) = (self.term(random, pool, sort, depth), self.term(random, pool, sort, depth));
                if kind < 6 { pool.neq(a, b) } else { pool.eq(a, b) }
            }
        }
    }
}

/// Statistics.
#[derive(Debug, Default)]
struct Seen {
    counts: Counts,
    unwritten: usize,
    written: usize,
    constant: usize,
    witness: usize,
}

impl Seen {
    /// Checks the proof of the last answer and counts its lemmas.
    fn proof(&mut self, prover: &CraigProver) {
        check_proof(prover, &mut |_, lemma| {
            if let Lemma::Array(number) = lemma {
                self.lemma(prover.theory().array_lemma(number).expect("the lemma is stored"));
            }
        });
    }

    fn lemma(&mut self, lemma: &ArrayLemma) {
        let count = match lemma {
            ArrayLemma::Unwritten { .. } => &mut self.unwritten,
            ArrayLemma::Written { .. } => &mut self.written,
            ArrayLemma::Constant { .. } => &mut self.constant,
            ArrayLemma::Witness { .. } => &mut self.witness,
        };
        *count += 1;
    }
}

/// The lemma as terms is valid for a solver without assertions, which treats witnesses as symbols.
fn read_lemma(prover: &CraigProver, pool: &mut TermPool, step: &Step, number: u32, blank: &mut dyn Prover) {
    let mut literals = denied(prover, pool, step);
    if let Some(&ArrayLemma::Witness { left, right, index }) = prover.theory().array_lemma(number) {
        // The witness is fresh, so the lemma is not valid as terms. Checks instead that equal
        // arrays do not differ at any index.
        let [left, right, index] = [left, right, index].map(|node| prover.theory().node_term(pool, node));
        let (a, b) = (pool.select(left, index), pool.select(right, index));
        let (same, agree) = (pool.eq(left, right), pool.eq(a, b));
        literals = vec![same, pool.not(agree)];
    }
    assert_ne!(blank.status(pool, &literals), Status::Sat, "{literals:?}");
}

fn scenario(seed: u64, arrays: &[fn(&mut TermPool) -> Sort], functions: Functions, seen: &mut Seen) {
    let (mut random, mut pool) = (Random::new(seed), TermPool::new());
    let arrays: Vec<Sort> = arrays.iter().map(|sort| sort(&mut pool)).collect();
    let vocabulary = Vocabulary::new(&mut pool, &arrays, functions);
    let formula = |random: &mut Random, pool: &mut TermPool, depth| vocabulary.formula(random, pool, depth);
    let time = Duration::from_secs(5);
    let limits = Limits { time: Some(time), ..Limits::default() };
    let mut blank = backend_z3::factory().new_prover("ALL", &limits).expect("z3 is available");
    let mut counts = seen.counts;
    let scenario = Scenario { seed, length: 10, depth: 2..=4, time, formula: &formula };
    scenario.run(&mut random, &mut pool, &mut counts, &mut |prover, pool, step, lemma| {
        if let Lemma::Array(number) = lemma {
            seen.lemma(prover.theory().array_lemma(number).expect("the lemma is stored"));
            read_lemma(prover, pool, step, number, &mut *blank);
        }
    });
    seen.counts = counts;
}

fn scenarios(arrays: &[fn(&mut TermPool) -> Sort], functions: Functions) -> usize {
    let mut seen = Seen::default();
    (0..120).for_each(|seed| scenario(seed, arrays, functions, &mut seen));
    let Counts { satisfiable, unsatisfiable, gave_up } = seen.counts;
    assert!(satisfiable.min(unsatisfiable) > 50 && gave_up < 40, "{seen:?}");
    let Seen { unwritten, written, constant, witness, .. } = seen;
    assert!(unwritten.min(written).min(constant) > 0, "{seen:?}");
    witness
}

/// Interpolants of problems with array lemmas are correct, or the problem is refused.
#[test]
fn interpolants_with_arrays_are_right_or_refused() {
    let certifier = Certifier { factories: vec![Rc::new(backend_z3::factory())] };
    let mut found = 0;
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let mut pool = TermPool::new();
        let arrays = [words(&mut pool), bits(&mut pool)];
        let vocabulary = Vocabulary::new(&mut pool, &arrays, Functions::With);
        let parts = (0..3).map(|_| (0..3).map(|_| vocabulary.formula(&mut random, &mut pool, 3)).collect());
        let problem = Problem::sequence(parts.collect());
        for labelling in Labelling::ALL {
            let limits = Limits { time: Some(Duration::from_secs(5)), ..Limits::default() };
            match (Proofs { labelling }).interpolate(&mut pool, &problem, &limits) {
                Interpolants::Found(interpolants) => {
                    let result = certifier.certify(&mut pool, &problem, &interpolants, &limits);
                    assert_eq!(result, Ok(()), "seed {seed}");
                    found += 1;
                }
                Interpolants::Unknown(Reason::Fault(fault)) => panic!("seed {seed}: {fault}"),
                Interpolants::Satisfiable(_) | Interpolants::Unknown(_) => {}
            }
        }
    }
    assert!(found > 50, "{found}");
}

fn words(pool: &mut TermPool) -> Sort {
    pool.array_sort(Sort::BitVec(3), Sort::BitVec(2))
}

fn truths(pool: &mut TermPool) -> Sort {
    pool.array_sort(Sort::Bool, Sort::BitVec(1))
}

fn bits(pool: &mut TermPool) -> Sort {
    pool.array_sort(Sort::BitVec(1), Sort::Bool)
}

fn integers(pool: &mut TermPool) -> Sort {
    pool.array_sort(Sort::Int, Sort::Int)
}

fn reals(pool: &mut TermPool) -> Sort {
    pool.array_sort(Sort::Real, Sort::Int)
}

fn elements(pool: &mut TermPool) -> Sort {
    let sort = pool.uninterpreted_sort("S");
    pool.array_sort(sort, sort)
}

fn nested(pool: &mut TermPool) -> Sort {
    let inner = pool.array_sort(Sort::BitVec(2), Sort::BitVec(2));
    pool.array_sort(Sort::BitVec(2), inner)
}

fn nested_integers(pool: &mut TermPool) -> Sort {
    let inner = integers(pool);
    pool.array_sort(Sort::Int, inner)
}

fn indexed_by_arrays(pool: &mut TermPool) -> Sort {
    let inner = bits(pool);
    pool.array_sort(inner, Sort::BitVec(2))
}

#[test]
fn arrays_of_words_agree_with_z3() {
    assert!(scenarios(&[words], Functions::Without) > 0);
}

#[test]
fn arrays_of_words_with_functions_agree_with_z3() {
    scenarios(&[words], Functions::With);
}

#[test]
fn arrays_with_few_indices_agree_with_z3() {
    scenarios(&[truths, bits], Functions::Without);
    scenarios(&[truths, bits], Functions::With);
}

#[test]
#[ignore = "slow"]
fn arrays_of_integers_agree_with_z3() {
    scenarios(&[integers], Functions::Without);
    scenarios(&[integers], Functions::With);
}

#[test]
fn arrays_of_several_sorts_agree_with_z3() {
    scenarios(&[reals, words], Functions::With);
}

#[test]
fn arrays_of_elements_agree_with_z3() {
    scenarios(&[elements], Functions::Without);
    scenarios(&[elements], Functions::With);
}

#[test]
fn nested_arrays_agree_with_z3() {
    scenarios(&[nested], Functions::Without);
    scenarios(&[nested_integers], Functions::With);
}

#[test]
fn arrays_with_arrays_as_indices_agree_with_z3() {
    scenarios(&[indexed_by_arrays], Functions::Without);
    scenarios(&[indexed_by_arrays], Functions::With);
}
