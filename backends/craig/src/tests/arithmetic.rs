//! Random problems of linear arithmetic with functions, compared with z3. `HORNWORK_ARITHMETIC`
//! sets the number of each kind.

use super::proving;
use super::scenario::{Counts, Scenario, denied};
use crate::prover::proof::{Origin, Step};
use crate::prover::theory::Lemma;
use crate::prover::{arith, sat};
use crate::{CraigProver, factory};
use backends::conformance::random::Random;
use backends::{Limits, Outcome, Prover, ProverFactory, Reason, Status};
use num_rational::BigRational;
use std::time::Duration;
use terms::{FunctionSymbol, Sort, Term, TermPool, Value};

/// Random formulas over integers, reals or both, with or without functions.
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
    fn new(pool: &mut TermPool, sorts: &[Sort], functions: Functions) -> Self {
        let mut vocabulary = Vocabulary { sorts: sorts.to_vec(), symbols: Vec::new(), functions: Vec::new() };
        for (i, &sort) in sorts.iter().enumerate() {
            vocabulary.symbols.extend((0..2).map(|index| pool.symbol(&format!("x{i}{index}"), sort)));
            if matches!(functions, Functions::With) {
                let other = sorts[sorts.len() - 1 - i];
                vocabulary.functions.extend([
                    pool.function_symbol(&format!("f{i}"), &[sort], sort),
                    pool.function_symbol(&format!("g{i}"), &[other, sort], other),
                    pool.function_symbol(&format!("p{i}"), &[sort], Sort::Bool),
                ]);
            }
        }
        vocabulary
    }

    fn constant(random: &mut Random, pool: &mut TermPool, sort: Sort) -> Term {
        let denominator = if sort == Sort::Real { 1 + random.below(3) as i64 } else { 1 };
        pool.number(sort, &BigRational::new((random.below(13) as i64 - 6).into(), denominator.into()))
    }

    fn application(&self, random: &mut Random, pool: &mut TermPool, sort: Sort, depth: u32) -> Option<Term> {
        let of_sort: Vec<FunctionSymbol> =
            self.functions.iter().copied().filter(|&f| pool.function_data(f).2 == sort).collect();
        if of_sort.is_empty() {
            return None;
        }
        let function = random.pick(&of_sort);
        let arguments = pool.function_data(function).1.to_vec();
        // Small arguments are often equal.
        let depth = depth.min(random.below(2) as u32);
        let arguments: Vec<Term> =
            arguments.into_iter().map(|sort| self.number(random, pool, sort, depth)).collect();
        Some(pool.apply(function, &arguments))
    }

    fn number(&self, random: &mut Random, pool: &mut TermPool, sort: Sort, depth: u32) -> Term {
        if depth == 0 || random.chance(1, 4) {
            if random.chance(1, 4) {
                return Self::constant(random, pool, sort);
            }
            let of_sort: Vec<Term> =
                self.symbols.iter().copied().filter(|&symbol| pool.sort(symbol) == sort).collect();
            return random.pick(&of_sort);
        }
        let depth = depth - 1;
        let a = self.number(random, pool, sort, depth);
        match random.below(10) {
            0 | 1 => {
                let factor = Self::constant(random, pool, sort);
                pool.mul(factor, a)
            }
            2 if sort == Sort::Int => {
                let divisor = pool.int(random.pick(&[-3, -2, 2, 3, 4]));
                if random.chance(1, 2) { pool.int_div(a, divisor) } else { pool.int_mod(a, divisor) }
            }
            3 if self.sorts.len() == 2 => {
                let other = if sort == Sort::Int { Sort::Real } else { Sort::Int };
                let b = self.number(random, pool, other, depth);
                if sort == Sort::Int { pool.to_int(b) } else { pool.to_real(b) }
            }
            4 => {
                let condition = self.formula(random, pool, depth);
                let b = self.number(random, pool, sort, depth);
                pool.ite(condition, a, b)
            }
            5..=7 if let Some(term) = self.application(random, pool, sort, depth) => term,
            _ => {
                let b = self.number(random, pool, sort, depth);
                if random.chance(1, 2) { pool.add(&[a, b]) } else { pool.sub(a, b) }
            }
        }
    }

    fn formula(&self, random: &mut Random, pool: &mut TermPool, depth: u32) -> Term {
        let depth = depth.saturating_sub(1);
        let kind = random.below(10);
        if kind < 3 && depth > 0 {
            let (a, b) = (self.formula(random, pool, depth), self.formula(random, pool, depth));
            return match kind {
                0 => pool.and2(a, b),
                1 => pool.or2(a, b),
                _ => pool.xor(a, b),
            };
        }
        if kind == 3
            && let Some(term) = self.application(random, pool, Sort::Bool, depth)
        {
            return if random.chance(1, 2) { term } else { pool.not(term) };
        }
        let sort = random.pick(&self.sorts);
        let (a, b) = (self.number(random, pool, sort, depth), self.number(random, pool, sort, depth));
        match kind {
            4 | 5 => pool.lt(a, b),
            6 => pool.neq(a, b),
            7 | 8 => pool.eq(a, b),
            _ => pool.le(a, b),
        }
    }
}

/// Statistics.
#[derive(Debug, Default)]
struct Seen {
    counts: Counts,
    farkas: usize,
    diophantine: usize,
    cuts: usize,
    congruence: usize,
    read: usize,
}

impl Seen {
    fn lemma(
        &mut self,
        prover: &CraigProver,
        pool: &mut TermPool,
        step: &Step,
        lemma: Lemma,
        blank: &mut dyn Prover,
    ) {
        match lemma {
            Lemma::Congruence => self.congruence += 1,
            Lemma::Definition(_) | Lemma::Array(_) => {}
            Lemma::Arithmetic(number) => {
                match prover.theory().arithmetic_certificate(number) {
                    Some(arith::Certificate::Farkas(_)) => self.farkas += 1,
                    Some(arith::Certificate::Diophantine(_)) => self.diophantine += 1,
                    Some(arith::Certificate::Cut(_)) => self.cuts += 1,
                    other => panic!("{other:?} should prove no lemma"),
                }
                // The lemma as terms is valid for a solver without assertions.
                let denied = denied(prover, pool, step);
                assert_ne!(blank.status(pool, &denied), Status::Sat, "{denied:?}");
                self.read += 1;
            }
        }
    }
}

fn scenario(seed: u64, sorts: &[Sort], functions: Functions, seen: &mut Seen) {
    let (mut random, mut pool) = (Random::new(seed), TermPool::new());
    let vocabulary = Vocabulary::new(&mut pool, sorts, functions);
    let formula = |random: &mut Random, pool: &mut TermPool, depth| vocabulary.formula(random, pool, depth);
    let time = Duration::from_secs(2);
    let limits = Limits { time: Some(time), ..Limits::default() };
    let mut blank = backend_z3::factory().new_prover("ALL", &limits).expect("z3 is available");
    let mut counts = seen.counts;
    let scenario = Scenario { seed, length: 8, depth: 1..=4, time, formula: &formula };
    scenario.run(&mut random, &mut pool, &mut counts, &mut |prover, pool, step, lemma| {
        seen.lemma(prover, pool, step, lemma, &mut *blank);
    });
    seen.counts = counts;
}

#[allow(clippy::print_stdout, reason = "the report of a test")]
fn scenarios(sorts: &[Sort], functions: Functions) -> Seen {
    let mut seen = Seen::default();
    let chosen = std::env::var("HORNWORK_ARITHMETIC").ok().and_then(|text| text.parse().ok());
    let number: u64 = chosen.unwrap_or(if sorts.len() == 1 { 150 } else { 100 });
    (0..number).for_each(|seed| scenario(seed, sorts, functions, &mut seen));
    println!("{sorts:?}: {seen:?}");
    let Seen { counts: Counts { satisfiable, unsatisfiable, gave_up }, farkas, read, .. } = seen;
    let enough = satisfiable.min(unsatisfiable).min(2 * farkas).min(2 * read) > 50;
    assert!(enough && gave_up < 10.max(satisfiable / 100), "{seen:?}");
    seen
}

#[test]
fn integers_agree_with_z3() {
    let seen = scenarios(&[Sort::Int], Functions::Without);
    assert!(seen.diophantine.min(seen.cuts) > 0, "{seen:?}");
}

#[test]
fn reals_agree_with_z3() {
    scenarios(&[Sort::Real], Functions::Without);
}

#[test]
fn integers_and_functions_agree_with_z3() {
    let seen = scenarios(&[Sort::Int], Functions::With);
    assert!(seen.congruence > 0, "{seen:?}");
}

#[test]
fn reals_and_functions_agree_with_z3() {
    let seen = scenarios(&[Sort::Real], Functions::With);
    assert!(seen.congruence > 0, "{seen:?}");
}

#[test]
fn integers_and_reals_with_functions_agree_with_z3() {
    let seen = scenarios(&[Sort::Int, Sort::Real], Functions::With);
    assert!(seen.congruence > 0, "{seen:?}");
}

#[test]
fn a_wrong_certificate_is_refused() {
    let mut pool = TermPool::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, Sort::Real));
    let cycle = [pool.lt(x, y), pool.lt(y, z), pool.lt(z, x)];
    let mut prover = proving();
    for formula in cycle {
        prover.assert(&pool, formula).expect("it is linear");
    }
    assert_eq!(prover.status(&pool, &[]), Status::Unsat);
    let good = prover.proof().expect("a proof");
    assert_eq!(prover.check_proof(&good), Ok(()));
    let mut wrong = good;
    let lemma = wrong.steps.iter_mut().find(|step| matches!(step.origin, Origin::Lemma(_)));
    lemma.expect("a lemma").literals.pop();
    assert!(prover.check_proof(&wrong).is_err());
}

#[test]
fn what_is_not_linear_is_named() {
    let mut pool = TermPool::new();
    let (x, y) = (pool.symbol("x", Sort::Int), pool.symbol("y", Sort::Int));
    let zero = pool.int(0);
    let terms = [
        (pool.mul(x, y), "product"),
        (pool.int_div(x, y), "division by a non-constant term"),
        (pool.int_mod(x, zero), "division by zero"),
    ];
    let mut prover = factory().new_prover("ALL", &Limits::default()).expect("no requirements");
    for (term, name) in terms {
        let formula = pool.eq(term, y);
        match prover.assert(&pool, formula) {
            Err(Reason::Unsupported(what)) => assert!(what.contains(name), "{what}"),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(prover.status(&pool, &[]), Status::Sat);
}

/// Sums nested much deeper than the stack allows.
#[test]
fn deep_sums_and_choices_are_no_problem() {
    let mut pool = TermPool::new();
    let x = pool.symbol("x", Sort::Int);
    let mut term = x;
    for index in 0..3_000 {
        let symbol = pool.symbol(&format!("y{index}"), Sort::Int);
        let sum = pool.add(&[term, symbol]);
        let zero = pool.int(0);
        let positive = pool.lt(zero, symbol);
        term = if index % 100 == 0 { pool.ite(positive, sum, x) } else { sum };
    }
    let five = pool.int(5);
    let formula = pool.lt(term, five);
    let mut prover = CraigProver::new(sat::Config::ANSWERING, &Limits::default());
    prover.assert(&pool, formula).expect("it is linear");
    match prover.check(&pool, &[]) {
        Outcome::Sat(mut model) => assert_eq!(model.eval(&pool, formula), Ok(Value::Bool(true))),
        _ => panic!("there is a model"),
    };
}

/// Opens a scope, asserts, checks and closes, many times over. Returns the number of satisfiable
/// checks.
fn small_queries(factory: &dyn ProverFactory, number: u32) -> u32 {
    let mut pool = TermPool::new();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::Int));
    let (zero, half) = (pool.int(0), pool.int((number / 2).into()));
    let mut prover = factory.new_prover("QF_LIA", &Limits::default()).expect("no requirements");
    for variable in [x, y] {
        for bound in [pool.le(zero, variable), pool.le(variable, half)] {
            prover.assert(&pool, bound).expect("it is linear");
        }
    }
    let sum = pool.add(&[x, y]);
    let mut satisfiable = 0;
    for index in 0..number {
        let bound = pool.int(if index % 2 == 0 { index.into() } else { i64::from(number + index) });
        let formula = pool.le(bound, sum);
        prover.push().expect("a scope");
        prover.assert(&pool, formula).expect("it is linear");
        satisfiable += u32::from(prover.status(&pool, &[]) == Status::Sat);
        prover.pop().expect("a scope is open");
    }
    satisfiable
}

#[test]
fn many_small_queries_are_answered() {
    assert_eq!(small_queries(&factory(), 10_000), 5_000);
}
