//! Tests of the prover: the suite for all solvers, random problems with proofs, and cases that the
//! suite does not cover.

mod arithmetic;
mod arrays;
mod scenario;

use crate::prover::cnf::clauses::Tag;
use crate::prover::proof::Origin;
use crate::prover::sat;
use crate::prover::theory::Lemma;
use crate::{CraigProver, factory};
use backends::conformance::random::Random;
use backends::{Interrupt, Limits, Prover, Reason, Status};
use scenario::{Counts, Scenario, check_proof};
use std::rc::Rc;
use std::time::Duration;
use terms::{FunctionSymbol, Sort, Term, TermPool};

fn proving() -> CraigProver {
    CraigProver::new(sat::Config::PROVING, &Limits::default())
}

#[test]
#[ignore = "slow"]
fn conformance() {
    assert_eq!(backends::conformance::run(&factory()), Vec::<String>::new());
}

#[test]
fn random_cases_agree_with_enumeration() {
    let findings = backends::conformance::fuzz::fuzz(&[Rc::new(factory())], 1, 3000);
    assert!(findings.deviations.is_empty(), "{:#?}", findings.deviations);
    let answered = findings.checks - findings.gave_up.values().sum::<usize>();
    assert!(answered > 500, "{findings:#?}");
}

/// Random formulas over an uninterpreted sort, integers that are only compared, bit vectors and
/// Booleans, with functions between all of them.
struct Functions {
    symbols: Vec<Term>,
    functions: Vec<FunctionSymbol>,
    sorts: [Sort; 4],
}

impl Functions {
    fn new(random: &mut Random, pool: &mut TermPool) -> Self {
        let element = pool.uninterpreted_sort("S");
        let sorts = [element, Sort::Int, Sort::BitVec(2), Sort::Bool];
        let mut symbols = Vec::new();
        let mut functions = Vec::new();
        for (i, &sort) in sorts.iter().enumerate() {
            symbols.extend((0..2).map(|index| pool.symbol(&format!("x{i}{index}"), sort)));
            let (j, other) = (random.below(4), random.pick(&sorts));
            // From each sort, and to each sort.
            functions.push(pool.function_symbol(&format!("f{i}"), &[sort], sorts[j]));
            functions.push(pool.function_symbol(&format!("g{i}"), &[other], sort));
            if random.chance(1, 3) {
                functions.push(pool.function_symbol(&format!("h{i}"), &[sort, other], sort));
            }
        }
        Functions { symbols, functions, sorts }
    }

    fn term(&self, random: &mut Random, pool: &mut TermPool, sort: Sort, depth: u32) -> Term {
        if depth == 0 || random.chance(1, 5) {
            return match sort {
                Sort::Int if random.chance(1, 4) => pool.int(random.below(3) as i64),
                Sort::BitVec(width) if random.chance(1, 4) => {
                    let value = random.next_u64();
                    pool.bv(width, value)
                }
                _ => {
                    let of_sort: Vec<Term> =
                        self.symbols.iter().copied().filter(|&symbol| pool.sort(symbol) == sort).collect();
                    random.pick(&of_sort)
                }
            };
        }
        let depth = depth - 1;
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
            _ => {
                let of_sort: Vec<FunctionSymbol> =
                    self.functions.iter().copied().filter(|&f| pool.function_data(f).2 == sort).collect();
                let function = random.pick(&of_sort);
                let arguments = pool.function_data(function).1.to_vec();
                let arguments: Vec<Term> =
                    arguments.into_iter().map(|sort| self.term(random, pool, sort, depth)).collect();
                pool.apply(function, &arguments)
            }
        }
    }

    fn formula(&self, random: &mut Random, pool: &mut TermPool, depth: u32) -> Term {
        let depth = depth.saturating_sub(1);
        match random.below(9) {
            0 => {
                let (a, b) = (self.formula(random, pool, depth), self.formula(random, pool, depth));
                if random.chance(1, 2) { pool.or2(a, b) } else { pool.xor(a, b) }
            }
            1 => self.term(random, pool, Sort::Bool, depth),
            2 => {
                let term = self.term(random, pool, Sort::Bool, depth);
                pool.not(term)
            }
            kind => {
                let sort = random.pick(&self.sorts[..3]);
                let (a, b) = (self.term(random, pool, sort, depth), self.term(random, pool, sort, depth));
                if kind < 5 { pool.neq(a, b) } else { pool.eq(a, b) }
            }
        }
    }
}

/// Asserts that an input of a proof belongs to the problem.
fn check_input(prover: &CraigProver, tag: u32) {
    let tag = prover.theory().tags.get(tag);
    assert!(tag.is_some_and(|tag| tag != Tag::Closing), "{tag:?} should be a part of the problem");
}

#[test]
#[ignore = "slow"]
fn models_and_proofs_of_functions_are_right() {
    let (mut counts, mut congruence, mut equalities) = (Counts::default(), 0, 0);
    for seed in 0..1500 {
        let (mut random, mut pool) = (Random::new(seed), TermPool::new());
        let functions = Functions::new(&mut random, &mut pool);
        let formula =
            |random: &mut Random, pool: &mut TermPool, depth| functions.formula(random, pool, depth);
        let time = Duration::from_secs(20);
        let scenario = Scenario { seed, length: 25, depth: 2..=4, time, formula: &formula };
        scenario.run(&mut random, &mut pool, &mut counts, &mut |prover, _, _, lemma| match lemma {
            Lemma::Congruence => congruence += 1,
            Lemma::Arithmetic(_) | Lemma::Array(_) => {}
            Lemma::Definition(tag) => match prover.theory().tags.get(tag) {
                Some(Tag::Equality(..)) => equalities += 1,
                Some(Tag::Definition(_) | Tag::Truth) => {}
                tag => panic!("{tag:?} should be no definition"),
            },
        });
    }
    let Counts { satisfiable, unsatisfiable, gave_up } = counts;
    let enough = satisfiable.min(unsatisfiable).min(congruence).min(equalities) > 100;
    assert!(enough && gave_up == 0, "{counts:?} {congruence} {equalities}");
}

#[test]
fn a_wrong_proof_is_refused() {
    let mut pool = TermPool::new();
    let sort = pool.uninterpreted_sort("S");
    let f = pool.function_symbol("f", &[sort], sort);
    let (x, y) = (pool.symbol("x", sort), pool.symbol("y", sort));
    let (fx, fy) = (pool.apply(f, &[x]), pool.apply(f, &[y]));
    let (same, differ) = (pool.eq(x, y), pool.neq(fx, fy));
    let mut prover = proving();
    prover.assert(&pool, same).expect("supported");
    prover.assert(&pool, differ).expect("supported");
    assert_eq!(prover.status(&pool, &[]), Status::Unsat);
    let good = prover.proof().expect("a proof");
    assert_eq!(prover.check_proof(&good), Ok(()));
    let mut wrong = good;
    let lemma = wrong.steps.iter_mut().find(|step| matches!(step.origin, Origin::Lemma(_)));
    lemma.expect("a lemma").literals.pop();
    assert!(prover.check_proof(&wrong).is_err());
}

#[test]
fn what_is_refused_leaves_nothing_behind() {
    let mut pool = TermPool::new();
    let (i, j) = (pool.symbol("i", Sort::Int), pool.symbol("j", Sort::Int));
    let b = pool.symbol("b", Sort::Bool);
    let product = pool.mul(i, j);
    let below = pool.eq(product, i);
    let both = pool.and2(b, below);
    let mut prover = proving();
    let refused = prover.assert(&pool, both);
    assert!(matches!(refused, Err(Reason::Unsupported(_))), "{refused:?}");
    let not_b = pool.not(b);
    assert_eq!(prover.status(&pool, &[not_b]), Status::Sat);
    assert!(matches!(prover.status(&pool, &[below]), Status::Unknown(Reason::Unsupported(_))));
    assert_eq!(prover.status(&pool, &[b]), Status::Sat);
}

#[test]
fn an_interrupted_translation_is_continued() {
    let mut pool = TermPool::new();
    let (x, y) = (pool.symbol("x", Sort::BitVec(32)), pool.symbol("y", Sort::BitVec(32)));
    let mut term = x;
    for _ in 0..40 {
        let product = pool.bv_mul(term, y);
        term = pool.bv_xor(product, x);
    }
    let one = pool.bv(32, 1);
    let formulas = [pool.eq(term, one), pool.eq(x, one), pool.eq(y, one)];
    let formula = pool.and(&formulas);
    let mut prover = proving();
    prover.assert(&pool, formula).expect("supported");
    let interrupt = Interrupt::default();
    interrupt.trigger();
    prover.set_limits(&Limits { interrupt: Some(interrupt), ..Limits::default() });
    assert_eq!(prover.status(&pool, &[]), Status::Unknown(Reason::Interrupted));
    let soon = Some(Duration::from_millis(1));
    prover.set_limits(&Limits { time: soon, ..Limits::default() });
    assert_eq!(prover.status(&pool, &[]), Status::Unknown(Reason::Timeout));
    prover.set_limits(&Limits::default());
    // With x = y = 1 the term alternates between 1 and 0.
    assert_eq!(prover.status(&pool, &[]), Status::Sat);
}

#[test]
fn too_large_circuits_are_refused() {
    let mut pool = TermPool::new();
    let (x, y) = (pool.symbol("x", Sort::BitVec(1 << 16)), pool.symbol("y", Sort::BitVec(1 << 16)));
    let product = pool.bv_mul(x, y);
    let formula = pool.eq(product, x);
    let mut prover = proving();
    prover.assert(&pool, formula).expect("supported");
    assert_eq!(prover.status(&pool, &[]), Status::Unknown(Reason::Memory));
}

/// New formulas in closed scopes, above one that stays open.
#[test]
fn a_prover_that_begins_anew_keeps_what_is_asserted() {
    let mut pool = TermPool::new();
    let sort = Sort::BitVec(32);
    let f = pool.function_symbol("f", &[sort], sort);
    let (x, y) = (pool.symbol("x", sort), pool.symbol("y", sort));
    let (fx, fy) = (pool.apply(f, &[x]), pool.apply(f, &[y]));
    let mut prover = proving();
    let differ = pool.neq(fx, fy);
    prover.assert(&pool, differ).expect("supported");
    prover.push().expect("a scope");
    let odd = pool.extract(0, 0, y);
    let one = pool.bv(1, 1);
    let is_odd = pool.eq(odd, one);
    prover.assert(&pool, is_odd).expect("supported");
    let (mut largest, mut shrank) = (0, 0);
    for round in 0..80u64 {
        let (factor, number) = (pool.bv(32, round * 7918 + 3), pool.bv(32, round * round + 1));
        let product = pool.bv_mul(x, factor);
        let sum = pool.bv_add(product, y);
        let shifted = pool.bv_add(sum, number);
        let formula = pool.eq(shifted, number);
        let zero = pool.bv(32, 0);
        let same = pool.eq(x, zero);
        prover.push().expect("a scope");
        prover.assert(&pool, formula).expect("supported");
        // x = 0 implies y = 0, which is not odd; the factor is odd, so there are solutions without
        // it.
        assert_eq!(prover.status(&pool, &[same]), Status::Unsat, "round {round}");
        check_proof(&prover, &mut |_, _| {});
        assert_eq!(prover.status(&pool, &[]), Status::Sat, "round {round}");
        prover.pop().expect("a scope is open");
        let gates = prover.theory().gates.len();
        shrank += usize::from(gates < largest);
        largest = gates;
        let both = pool.eq(x, y);
        assert_eq!(prover.status(&pool, &[both]), Status::Unsat, "round {round}");
    }
    assert!(shrank > 0 && largest < 100_000, "{shrank} {largest}");
}
