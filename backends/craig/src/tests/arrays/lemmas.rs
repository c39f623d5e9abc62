//! Each kind of lemma, and cases that need no lemma.

use super::super::proving;
use super::Seen;
use crate::CraigProver;
use crate::prover::proof::Origin;
use crate::prover::theory::{ArrayLemma, Lemma};
use backends::{Outcome, Prover, Reason, Status};
use terms::{Sort, Term, TermPool, Value};

/// Arrays of bytes, indexed by bit vectors.
struct Problem {
    pool: TermPool,
    sort: Sort,
    array: Term,
    /// Three indices.
    indices: Vec<Term>,
    elements: Vec<Term>,
}

impl Problem {
    fn new(index: Sort) -> Self {
        let mut pool = TermPool::new();
        let sort = pool.array_sort(index, Sort::BitVec(8));
        let array = pool.symbol("a", sort);
        let indices = (0..3).map(|k| pool.symbol(&format!("i{k}"), index)).collect();
        let elements = (0..3).map(|k| pool.symbol(&format!("e{k}"), Sort::BitVec(8))).collect();
        Problem { pool, sort, array, indices, elements }
    }

    /// The array after writes of elements at the first indices.
    fn written(&mut self, number: usize) -> Term {
        let pairs = self.indices.iter().zip(&self.elements).take(number);
        pairs.fold(self.array, |array, (&index, &element)| self.pool.store(array, index, element))
    }
}

fn refute(pool: &TermPool, formulas: &[Term]) -> (CraigProver, Seen) {
    let mut prover = proving();
    for &formula in formulas {
        prover.assert(pool, formula).expect("the formula is supported");
    }
    assert_eq!(prover.status(pool, &[]), Status::Unsat);
    let mut seen = Seen::default();
    seen.proof(&prover);
    (prover, seen)
}

fn lemmas(prover: &CraigProver) -> Vec<ArrayLemma> {
    (0..).map_while(|number| prover.theory().array_lemma(number).copied()).collect()
}

#[test]
fn what_is_not_written_stays() {
    let mut problem = Problem::new(Sort::BitVec(32));
    let written = problem.written(2);
    let Problem { mut pool, array, indices, .. } = problem;
    let (now, before) = (pool.select(written, indices[2]), pool.select(array, indices[2]));
    let formulas =
        [pool.neq(now, before), pool.neq(indices[2], indices[0]), pool.neq(indices[2], indices[1])];
    let (_, seen) = refute(&pool, &formulas);
    assert_eq!((seen.unwritten, seen.constant, seen.witness), (1, 0, 0));
}

#[test]
fn what_is_written_is_read() {
    let mut problem = Problem::new(Sort::Int);
    let written = problem.written(2);
    let Problem { mut pool, indices, elements, .. } = problem;
    let now = pool.select(written, indices[2]);
    let formulas =
        [pool.neq(now, elements[0]), pool.eq(indices[2], indices[0]), pool.lt(indices[0], indices[1])];
    let (_, seen) = refute(&pool, &formulas);
    assert_eq!((seen.written, seen.constant, seen.witness), (1, 0, 0));
}

#[test]
fn constant_arrays_hold_one_element() {
    let mut problem = Problem::new(Sort::BitVec(32));
    problem.array = problem.pool.const_array(problem.sort, problem.elements[2]);
    let written = problem.written(1);
    let Problem { mut pool, indices, elements, .. } = problem;
    let read = pool.select(written, indices[1]);
    let formulas = [pool.neq(read, elements[0]), pool.neq(read, elements[2])];
    let (_, seen) = refute(&pool, &formulas);
    assert!(seen.constant == 1 && seen.written == 1, "{seen:?}");
}

#[test]
fn different_arrays_have_a_witness() {
    let mut problem = Problem::new(Sort::BitVec(32));
    let one = problem.written(2);
    problem.indices.swap(0, 1);
    problem.elements.swap(0, 1);
    let other = problem.written(2);
    let Problem { mut pool, indices, .. } = problem;
    let formulas = [pool.neq(one, other), pool.neq(indices[0], indices[1])];
    let (prover, seen) = refute(&pool, &formulas);
    assert_eq!(seen.witness, 1);
    let witnesses: Vec<_> =
        lemmas(&prover).into_iter().filter(|lemma| matches!(lemma, ArrayLemma::Witness { .. })).collect();
    assert_eq!(witnesses.len(), 1);
}

#[test]
fn a_wrong_lemma_is_refused() {
    let mut problem = Problem::new(Sort::BitVec(32));
    let one = problem.written(2);
    problem.indices.swap(0, 1);
    problem.elements.swap(0, 1);
    let other = problem.written(2);
    let Problem { mut pool, indices, .. } = problem;
    let formulas = [pool.neq(one, other), pool.neq(indices[0], indices[1])];
    let (prover, _) = refute(&pool, &formulas);
    let proof = prover.proof().expect("a proof");
    let mut tried = 0;
    for step in &proof.steps {
        let Origin::Lemma(number) = step.origin else { continue };
        let Lemma::Array(number) = Lemma::from_number(number) else { continue };
        let theory = prover.theory();
        assert_eq!(theory.check_array_lemma(&step.literals, number), Ok(()));
        for position in 0..step.literals.len() {
            let mut literals = step.literals.clone();
            literals.remove(position);
            assert!(theory.check_array_lemma(&literals, number).is_err());
            let mut literals = step.literals.clone();
            literals[position] = !literals[position];
            assert!(theory.check_array_lemma(&literals, number).is_err());
            tried += 1;
        }
        assert!(theory.check_array_lemma(&step.literals, number + 1000).is_err());
    }
    assert!(tried > 4);
}

/// Two different constant arrays are equal after one or two writes only if there are no further
/// indices.
#[test]
fn constant_arrays_are_equal_only_if_all_is_written() {
    let sorts = [Sort::Bool, Sort::BitVec(1), Sort::BitVec(2), Sort::BitVec(64), Sort::Int, Sort::Real];
    for (sort, expected) in sorts.into_iter().zip([2, 2, 4, u32::MAX, u32::MAX, u32::MAX]) {
        let mut pool = TermPool::new();
        let arrays = pool.array_sort(sort, Sort::BitVec(8));
        let (zero, one) = (pool.bv(8, 0), pool.bv(8, 1));
        let (zeros, ones) = (pool.const_array(arrays, zero), pool.const_array(arrays, one));
        let mut prover = proving();
        let mut array = zeros;
        for number in 1..=4 {
            let index = pool.symbol(&format!("i{number}"), sort);
            array = pool.store(array, index, one);
            let formula = pool.eq(array, ones);
            let status = prover.status(&pool, &[formula]);
            let equal = if number >= expected { Status::Sat } else { Status::Unsat };
            assert_eq!(status, equal, "{number} writes, indices {sort:?}");
            if equal == Status::Unsat {
                Seen::default().proof(&prover);
            }
        }
    }
}

#[test]
fn sorts_that_are_not_enumerated_are_no_reason_to_be_wrong() {
    let mut pool = TermPool::new();
    let index = pool.uninterpreted_sort("S");
    let sort = pool.array_sort(index, Sort::Bool);
    let (yes, no) = (pool.tru(), pool.fls());
    let (all, none) = (pool.const_array(sort, yes), pool.const_array(sort, no));
    let i = pool.symbol("i", index);
    let written = pool.store(none, i, yes);
    // There is a model with one element.
    let formula = pool.eq(written, all);
    let status = proving().status(&pool, &[formula]);
    assert!(matches!(status, Status::Unknown(Reason::Incomplete(_))), "{status:?}");
}

#[test]
fn a_chain_of_writes_costs_one_lemma_a_read() {
    let mut pool = TermPool::new();
    let sort = pool.array_sort(Sort::BitVec(32), Sort::BitVec(8));
    let base = pool.symbol("a", sort);
    let element = pool.symbol("e", Sort::BitVec(8));
    let mut array = base;
    for number in 0..1000 {
        let index = pool.bv(32, 2 * number);
        array = pool.store(array, index, element);
    }
    let mut formulas = Vec::new();
    for number in 0..10 {
        // Odd, but not syntactically.
        let x = pool.symbol(&format!("x{number}"), Sort::BitVec(32));
        let one = pool.bv(32, 1);
        let odd = pool.bv_or(x, one);
        let y = pool.symbol(&format!("y{number}"), Sort::BitVec(32));
        formulas.push(pool.eq(y, odd));
        let (now, before) = (pool.select(array, y), pool.select(base, y));
        formulas.push(pool.neq(now, before));
    }
    let either = pool.or(&[formulas[1], formulas[3], formulas[5]]);
    let formulas: Vec<Term> = formulas.iter().copied().step_by(2).chain([either]).collect();
    let (prover, _) = refute(&pool, &formulas);
    let number = lemmas(&prover).len();
    assert!(number <= 50, "{number} lemmas");
}

#[test]
fn equalities_that_only_have_to_hold_need_no_witness() {
    let mut problem = Problem::new(Sort::BitVec(32));
    let written = problem.written(3);
    let Problem { mut pool, sort, array, indices, elements } = problem;
    let condition = pool.symbol("c", Sort::Bool);
    let choice = pool.ite(condition, array, written);
    let other = pool.symbol("b", sort);
    let definition = pool.eq(other, choice);
    let guard = pool.symbol("g", Sort::Bool);
    let again = pool.symbol("d", sort);
    let again = pool.eq(again, other);
    let guarded = pool.implies(guard, again);
    let read = pool.select(other, indices[0]);
    let changed = pool.neq(read, elements[0]);
    let mut prover = proving();
    for formula in [definition, guarded, changed] {
        prover.assert(&pool, formula).expect("the formula is supported");
    }
    assert_eq!(prover.status(&pool, &[]), Status::Sat);
    let told = lemmas(&prover);
    assert!(told.iter().all(|lemma| !matches!(lemma, ArrayLemma::Witness { .. })), "{told:?}");
}

#[test]
fn functions_of_equal_arrays_are_equal() {
    let mut problem = Problem::new(Sort::BitVec(4));
    let written = problem.written(1);
    let Problem { mut pool, sort, array, indices, elements } = problem;
    let f = pool.function_symbol("f", &[sort, Sort::Int], Sort::Int);
    let n = pool.symbol("n", Sort::Int);
    let (fa, fb) = (pool.apply(f, &[array, n]), pool.apply(f, &[written, n]));
    let read = pool.select(array, indices[0]);
    let same = pool.eq(read, elements[0]);
    let formulas = [pool.lt(fa, fb), same];
    refute(&pool, &formulas);
    let mut prover = proving();
    prover.assert(&pool, formulas[0]).expect("the formula is supported");
    match prover.check(&pool, &[]) {
        Outcome::Sat(mut model) => assert_eq!(model.eval(&pool, formulas[0]), Ok(Value::Bool(true))),
        _ => panic!("the arrays may differ"),
    };
}

/// Writes nested much deeper than the stack allows.
#[test]
fn deep_chains_are_no_problem() {
    let mut pool = TermPool::new();
    let sort = pool.array_sort(Sort::BitVec(32), Sort::BitVec(8));
    let mut array = pool.symbol("a", sort);
    for number in 0..20_000 {
        let (index, element) = (pool.bv(32, number), pool.bv(8, number % 7));
        array = pool.store(array, index, element);
    }
    let index = pool.symbol("i", Sort::BitVec(32));
    let read = pool.select(array, index);
    let limit = pool.bv(32, 7);
    let below = pool.bv_ult(index, limit);
    let truncated = pool.extract(7, 0, index);
    let same = pool.eq(read, truncated);
    let mut prover = proving();
    prover.assert(&pool, below).expect("the formula is supported");
    match prover.check(&pool, &[same]) {
        Outcome::Sat(mut model) => assert_eq!(model.eval(&pool, same), Ok(Value::Bool(true))),
        _ => panic!("there is a model"),
    }
    let differ = pool.not(same);
    assert_eq!(prover.status(&pool, &[differ]), Status::Unsat);
}
