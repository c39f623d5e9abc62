//! Tests of the wrappers around a correct prover and around a faulty one.

use super::{
    Answer, Checked, Counting, Faults, Kind, Query, QueryKind, Recheck, Recording, Script, Statistics,
};
use crate::conformance::exhaustive::Exhaustive;
use crate::interpolation::Problem;
use crate::{Capabilities, Limits, Model, Outcome, Prover, ProverFactory, Reason, Refutation, Status};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;
use terms::{FunctionSymbol, FunctionValue, Sort, Symbol, Term, TermPool, Value};

/// A prover with a fixed answer and a model of default values.
struct Liar(&'static str);

impl ProverFactory for Liar {
    fn name(&self) -> &'static str {
        "liar"
    }

    fn version(&self) -> String {
        "0".to_owned()
    }

    fn license(&self) -> &'static str {
        "none"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }

    fn new_prover(&self, _: &str, _: &Limits) -> Result<Box<dyn Prover>, Reason> {
        Ok(Box::new(LyingProver(self.0)))
    }
}

struct LyingProver(&'static str);

impl Prover for LyingProver {
    fn push(&mut self) -> Result<(), Reason> {
        Ok(())
    }

    fn pop(&mut self) -> Result<(), Reason> {
        Ok(())
    }

    fn assert(&mut self, _: &TermPool, _: Term) -> Result<(), Reason> {
        Ok(())
    }

    fn check(&mut self, _: &TermPool, _: &[Term]) -> Outcome<'_> {
        match self.0 {
            "sat" => Outcome::Sat(Box::new(Defaults)),
            _ => Outcome::Unsat(Box::new(Nothing)),
        }
    }

    fn set_limits(&mut self, _: &Limits) {}
}

struct Defaults;

impl Model for Defaults {
    fn value(&mut self, pool: &TermPool, symbol: Symbol) -> Result<Value, Reason> {
        Ok(Value::default_of(pool, pool.symbol_data(symbol).sort).expect("tests use sorts with defaults"))
    }

    fn function(&mut self, pool: &TermPool, function: FunctionSymbol) -> Result<FunctionValue, Reason> {
        let default = Value::default_of(pool, pool.function_data(function).2);
        Ok(FunctionValue { default, ..FunctionValue::default() })
    }

    /// Every term evaluates to 7; the tests use it for divisions by zero.
    fn eval(&mut self, _: &TermPool, _: Term) -> Result<Value, Reason> {
        Ok(Value::int(7))
    }
}

struct Nothing;

impl Refutation for Nothing {
    fn unsat_core(&mut self) -> Result<Vec<usize>, Reason> {
        Ok(Vec::new())
    }
}

fn checked(factory: impl ProverFactory + 'static, recheck: Recheck) -> (Box<dyn Prover>, Faults) {
    let faults = Faults::default();
    let factory = Checked { factory: Rc::new(factory), recheck, faults: faults.clone() };
    (factory.new_prover("ALL", &Limits::default()).expect("a prover"), faults)
}

fn is_fault(status: &Status) -> bool {
    matches!(status, Status::Unknown(Reason::Fault(_)))
}

#[test]
fn a_wrong_model_is_a_fault_with_a_script() {
    let mut pool = TermPool::new();
    let (mut prover, faults) = checked(Liar("sat"), Recheck::Models);
    let a = pool.symbol("a", Sort::Bool);
    let not_a = pool.not(a);
    prover.assert(&pool, not_a).expect("assertions are accepted");
    assert_eq!(prover.status(&pool, &[]), Status::Sat);
    assert!(is_fault(&prover.status(&pool, &[a])));
    prover.push().expect("scopes open");
    prover.assert(&pool, a).expect("assertions are accepted");
    assert!(is_fault(&prover.status(&pool, &[])));
    prover.pop().expect("scopes close");
    assert_eq!(prover.status(&pool, &[]), Status::Sat);
    let counts = faults.counts();
    assert_eq!((counts.models, counts.faults), (2, 2));
    let fault = &faults.list()[0];
    assert_eq!(fault.solver, "liar");
    assert!(fault.script.contains("(assert (not a))\n(assert a)\n(check-sat)"), "{}", fault.script);
}

#[test]
fn what_smtlib_leaves_open_is_asked_of_the_model() {
    let mut pool = TermPool::new();
    let (mut prover, faults) = checked(Liar("sat"), Recheck::Models);
    let (x, y) = (pool.symbol("x", Sort::Int), pool.symbol("y", Sort::Int));
    let quotient = pool.int_div(x, y);
    let (seven, eight) = (pool.int(7), pool.int(8));
    let is_seven = pool.eq(quotient, seven);
    let is_eight = pool.eq(quotient, eight);
    assert_eq!(prover.status(&pool, &[is_seven]), Status::Sat);
    assert!(is_fault(&prover.status(&pool, &[is_eight])));
    assert_eq!(faults.counts().faults, 1);
}

#[test]
fn quantified_formulas_are_counted_as_unchecked() {
    let mut pool = TermPool::new();
    let (mut prover, faults) = checked(Liar("sat"), Recheck::Models);
    let x = pool.bound("x", Sort::Int);
    let y = pool.symbol("y", Sort::Int);
    let less = pool.lt(x, y);
    let all = pool.exists(&[x], less);
    let a = pool.symbol("a", Sort::Bool);
    assert_eq!(prover.status(&pool, &[all]), Status::Sat);
    assert!(is_fault(&prover.status(&pool, &[all, a])));
    assert_eq!(faults.counts().partly_checked_models, 1);
}

#[test]
fn a_wrong_unsat_is_refuted_by_another_solver() {
    let mut pool = TermPool::new();
    let (mut prover, faults) = checked(Liar("unsat"), Recheck::All(Rc::new(Exhaustive::default())));
    let a = pool.symbol("a", Sort::Bool);
    let not_a = pool.not(a);
    prover.assert(&pool, a).expect("assertions are accepted");
    assert!(is_fault(&prover.status(&pool, &[])));
    prover.push().expect("scopes open");
    prover.assert(&pool, not_a).expect("assertions are accepted");
    assert_eq!(prover.status(&pool, &[]), Status::Unsat);
    prover.pop().expect("scopes close");
    assert_eq!(prover.status(&pool, &[not_a]), Status::Unsat);
    // The other solver does not support reals.
    let x = pool.symbol("x", Sort::Real);
    let (less, more) = (pool.lt(x, x), pool.eq(x, x));
    let nonsense = pool.or2(less, more);
    assert!(pool.as_bool(nonsense).is_some(), "the pool decides this");
    let y = pool.symbol("y", Sort::Real);
    let unknown = pool.lt(x, y);
    assert_eq!(prover.status(&pool, &[unknown]), Status::Unsat);
    let counts = faults.counts();
    assert_eq!((counts.confirmed, counts.unconfirmed, counts.faults), (2, 1, 1));
}

#[test]
fn a_wrong_model_of_the_other_solver_is_its_own_fault() {
    let mut pool = TermPool::new();
    let (mut prover, faults) = checked(Exhaustive::default(), Recheck::All(Rc::new(Liar("sat"))));
    let a = pool.symbol("a", Sort::Bool);
    let not_a = pool.not(a);
    assert_eq!(prover.status(&pool, &[a, not_a]), Status::Unsat);
    assert_eq!(faults.list().len(), 1);
    assert_eq!(faults.list()[0].solver, "liar");
    assert_eq!(faults.counts().unconfirmed, 1);
}

fn recorded(limit: usize) -> (Recording, Rc<RefCell<Vec<Query>>>) {
    let queries: Rc<RefCell<Vec<Query>>> = Rc::default();
    let sink = {
        let queries = queries.clone();
        Rc::new(move |query: &Query| queries.borrow_mut().push(query.clone()))
    };
    (Recording::new(Rc::new(Exhaustive::default()), sink, limit), queries)
}

#[test]
fn queries_are_recorded_as_scripts() {
    let mut pool = TermPool::new();
    let (recording, queries) = recorded(10_000);
    let mut prover = recording.new_prover("QF_UF", &Limits::default()).expect("a prover");
    let (a, b) = (pool.symbol("a", Sort::Bool), pool.symbol("b", Sort::Bool));
    let clause = pool.or2(a, b);
    prover.assert(&pool, clause).expect("assertions are accepted");
    prover.push().expect("scopes open");
    let not_a = pool.not(a);
    prover.assert(&pool, not_a).expect("assertions are accepted");
    assert_eq!(prover.status(&pool, &[]), Status::Sat);
    let not_b = pool.not(b);
    assert_eq!(prover.status(&pool, &[not_b]), Status::Unsat);
    prover.pop().expect("scopes close");
    assert_eq!(prover.status(&pool, &[]), Status::Sat);
    let queries = queries.borrow();
    let names: Vec<String> = queries.iter().map(Query::file_name).collect();
    assert_eq!(names, ["000001-check-sat.smt2", "000002-check-unsat.smt2", "000003-check-sat.smt2"]);
    assert!(queries.iter().all(|query| query.kind == QueryKind::Check && query.solver == "exhaustive"));
    assert_eq!(queries[1].answer, Answer::Unsat);
    let Script::Text(text) = &queries[1].script else { panic!("the script is short") };
    let ends = "(set-info :status unsat)\n(declare-fun a () Bool)\n(declare-fun b () Bool)\n(assert (or a b))\n\
                (assert (not a))\n(assert (not b))\n(check-sat)\n";
    let ends_otherwise = ends.replace("declare-fun", "declare-const").replace(" ()", "");
    assert!(text.starts_with("(set-logic QF_UF)\n"), "{text}");
    assert!(text.contains("; assumptions are the last 1 assertions\n"), "{text}");
    assert!(text.ends_with(ends) || text.ends_with(&ends_otherwise), "{text}");
}

#[test]
fn scripts_beyond_the_limit_are_not_kept() {
    let mut pool = TermPool::new();
    let (recording, queries) = recorded(200);
    let mut prover = recording.new_prover("QF_UF", &Limits::default()).expect("a prover");
    for index in 0..12 {
        let symbol = pool.symbol(&format!("quite a long name {index}"), Sort::Bool);
        prover.assert(&pool, symbol).expect("assertions are accepted");
    }
    assert_eq!(prover.status(&pool, &[]), Status::Sat);
    assert_eq!(queries.borrow()[0].script, Script::TooLong);
}

#[test]
fn interpolation_is_recorded_with_named_parts() {
    let mut pool = TermPool::new();
    let (recording, queries) = recorded(10_000);
    let mut prover = recording.new_prover("QF_UF", &Limits::default()).expect("a prover");
    let (a, b) = (pool.symbol("a", Sort::Bool), pool.symbol("b", Sort::Bool));
    let (not_a, same) = (pool.not(a), pool.eq(a, b));
    for term in [b, same] {
        prover.assert(&pool, term).expect("assertions are accepted");
    }
    match prover.check(&pool, &[not_a]) {
        Outcome::Unsat(mut refutation) => {
            let answer = refutation.interpolants(&mut pool, &Problem::binary(vec![b, same], vec![not_a]));
            assert!(matches!(answer, Err(Reason::Unsupported(_))), "{answer:?}");
        }
        _ => panic!("it is unsatisfiable"),
    }
    let queries = queries.borrow();
    assert_eq!(queries[1].kind, QueryKind::Interpolation);
    let Script::Text(text) = &queries[1].script else { panic!("the script is short") };
    assert!(text.contains("(set-logic QF_UF)") && text.contains(":named part1))"), "{text}");
    assert!(text.contains("(get-interpolants part0 part1)"), "{text}");
}

#[test]
fn calls_are_counted() {
    let mut pool = TermPool::new();
    let statistics = Statistics::default();
    let factory = Counting { factory: Rc::new(Exhaustive::default()), statistics: statistics.clone() };
    let mut prover = factory.new_prover("ALL", &Limits::default()).expect("a prover");
    let a = pool.symbol("a", Sort::Bool);
    let not_a = pool.not(a);
    prover.assert(&pool, a).expect("assertions are accepted");
    match prover.check(&pool, &[]) {
        Outcome::Sat(mut model) => assert_eq!(model.eval(&pool, a), Ok(Value::Bool(true))),
        _ => panic!("expected sat"),
    }
    match prover.check(&pool, &[not_a]) {
        Outcome::Unsat(mut refutation) => assert_eq!(refutation.unsat_core(), Ok(vec![0])),
        _ => panic!("it is unsatisfiable"),
    }
    assert!(prover.eliminate(&mut pool, a, &[]).is_err());
    statistics.add(Kind::Unknown, Duration::from_millis(1500), false);
    for (kind, count) in Kind::ALL.into_iter().zip([1, 1, 1, 1, 1, 1, 1, 0, 0]) {
        assert_eq!(statistics.of(kind).count, count, "{kind:?}");
    }
    assert_eq!(statistics.of(Kind::Eliminate).failures, 1);
    let table = statistics.to_string();
    assert!(
        table.lines().any(|line| line.starts_with("check: unknown") && line.contains("1.500 s")),
        "{table}"
    );
    let widths: Vec<usize> = table.lines().map(str::len).collect();
    assert!(widths.windows(2).all(|pair| pair[0] == pair[1]), "the columns are aligned:\n{table}");
}

#[test]
fn layers_around_a_prover_share_one_log() {
    let checked =
        Checked { factory: Rc::new(Liar("unsat")), recheck: Recheck::Models, faults: Faults::default() };
    let recording = Recording::new(Rc::new(checked), Rc::new(|_| ()), 1 << 20);
    let counting = Counting { factory: Rc::new(recording), statistics: Statistics::default() };
    let mut prover = counting.new_prover("ALL", &Limits::default()).expect("a prover");
    let log = prover.log().expect("the innermost layer with a log shares it");
    let mut pool = TermPool::new();
    let [a, b] = ["a", "b"].map(|name| pool.symbol(name, Sort::Bool));
    prover.assert(&pool, a).expect("asserted");
    prover.push().expect("a scope");
    prover.assert(&pool, b).expect("asserted");
    assert_eq!(log.with(&[]), [a, b]);
    prover.pop().expect("the scope");
    assert_eq!(log.with(&[b]), [a, b]);
}
