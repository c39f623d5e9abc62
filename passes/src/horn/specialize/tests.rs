//! Versions of relations for calls and phases, and their limits.

use super::super::tests::system_of;
use super::super::{Pipeline, PipelineRun};
use super::MAX_VERSIONS;
use crate::models::{Model, check_model};
use backends::{Limits, ProverFactory};
use horn::{Interpretation, OpenClause, Relation, System};
use num_rational::BigRational;
use std::rc::Rc;
use terms::{Sort, Term, TermPool};

fn run(pool: &mut TermPool, system: &System, passes: &[&str]) -> PipelineRun {
    Pipeline::named(passes.iter().copied()).expect("known passes").run(pool, system)
}

fn names(system: &System) -> Vec<&str> {
    system.relations.values().map(|relation| &*relation.name).collect()
}

/// Takes `model` of the old system back from the new one, where each version has the formula of its
/// relation, and checks it.
fn checked(pool: &mut TermPool, old: &System, run: &PipelineRun, model: &[(&str, Term)]) -> Model {
    let tru = pool.tru();
    let mut new = Interpretation::constant(&run.system, tru);
    for (relation, data) in run.system.relations.iter() {
        let formula = model.iter().find(|(name, _)| data.name.split('.').next() == Some(name));
        new.formulas[relation] = formula.expect("a formula of each relation").1;
    }
    let solvers: Vec<Rc<dyn ProverFactory>> = vec![Rc::new(backend_z3::factory())];
    assert!(matches!(check_model(pool, &run.system, &new, &solvers, &Limits::default()), Model::Valid(_)));
    let back = run.model(pool, &new);
    check_model(pool, old, &back, &solvers, &Limits::default())
}

/// A clause with the body `from` and the head `to`.
fn step(from: (Relation, Vec<Term>), constraint: Vec<Term>, to: (Relation, Vec<Term>)) -> OpenClause {
    OpenClause { body: vec![from], constraint, head: Some(to) }
}

fn fact(to: (Relation, Vec<Term>)) -> OpenClause {
    OpenClause { head: Some(to), ..OpenClause::default() }
}

fn query(body: Vec<(Relation, Vec<Term>)>, constraint: Vec<Term>) -> OpenClause {
    OpenClause { body, constraint, head: None }
}

#[test]
fn phases_of_a_loop_have_versions() {
    // x grows to 50, then x and y grow together.
    let mut pool = TermPool::new();
    let system = system_of(&mut pool, [("r", &[Sort::Int, Sort::Int])], |pool, [r]| {
        let [x, y] = ["x", "y"].map(|name| pool.bound(name, Sort::Int));
        let [zero, one, fifty, end] = [0, 1, 50, 100].map(|value| pool.int(value));
        let [next, other] = [x, y].map(|term| pool.add(&[term, one]));
        let is_first = pool.lt(x, fifty);
        vec![
            fact((r, vec![zero, fifty])),
            step((r, vec![x, y]), vec![is_first], (r, vec![next, y])),
            step((r, vec![x, y]), vec![pool.le(fifty, x), pool.lt(x, end)], (r, vec![next, other])),
            query(vec![(r, vec![x, y])], vec![pool.lt(fifty, x), pool.le(y, fifty)]),
        ]
    });
    let queries = |run: &PipelineRun| run.system.queries().count();
    let plain = run(&mut pool, &system, &["intervals"]);
    assert_eq!(queries(&plain), 1);
    let phases = run(&mut pool, &system, &["reverse", "specialize", "reverse", "intervals"]);
    assert_eq!(queries(&phases), 0, "{}", phases.system.to_text(&pool, &horn::Notes::default()));
}

/// `up(a, b)` for `a ≤ b`, by steps of 1, and the queries `up(start, b) ∧ b + 1 ≤ start`.
fn upward(pool: &mut TermPool, sort: Sort, starts: &[i64]) -> System {
    system_of(pool, [("up", &[sort, sort])], |pool, [up]| {
        let [a, b] = ["a", "b"].map(|name| pool.bound(name, sort));
        let number =
            |pool: &mut TermPool, value: i64| pool.number(sort, &BigRational::from_integer(value.into()));
        let one = number(pool, 1);
        let next = pool.add(&[b, one]);
        let mut clauses =
            vec![fact((up, vec![a, a])), step((up, vec![a, b]), Vec::new(), (up, vec![a, next]))];
        for &start in starts {
            let start = number(pool, start);
            clauses.push(query(vec![(up, vec![start, b])], vec![pool.le(next, start)]));
        }
        clauses
    })
}

#[test]
fn calls_with_different_constants_have_versions() {
    for sort in [Sort::Int, Sort::Real] {
        let mut pool = TermPool::new();
        let system = upward(&mut pool, sort, &[1, 10]);
        let plain = run(&mut pool, &system, &["intervals"]);
        assert_eq!(plain.system.queries().count(), 2);
        let versions = run(&mut pool, &system, &["specialize"]);
        assert_eq!(names(&versions.system), ["up.1", "up.2"]);
        let versions = run(&mut pool, &system, &["specialize", "intervals"]);
        assert_eq!(versions.system.queries().count(), 0);
        let symbols: Vec<Term> = system.relations[Relation(0)].symbols().collect();
        let ordered = pool.le(symbols[0], symbols[1]);
        assert!(matches!(checked(&mut pool, &system, &versions, &[("up", ordered)]), Model::Valid(_)));
    }
}

#[test]
fn many_calls_share_the_general_version() {
    let mut pool = TermPool::new();
    let starts: Vec<i64> = (0..40).collect();
    let system = upward(&mut pool, Sort::Int, &starts);
    let versions = run(&mut pool, &system, &["specialize"]);
    let count = versions.system.relations.len();
    assert!((2..=MAX_VERSIONS + 1).contains(&count), "{count}");
    assert_eq!(versions.system.queries().count(), 40);
    let symbols: Vec<Term> = system.relations[Relation(0)].symbols().collect();
    let ordered = pool.le(symbols[0], symbols[1]);
    assert!(matches!(checked(&mut pool, &system, &versions, &[("up", ordered)]), Model::Valid(_)));
}

#[test]
fn body_atoms_are_folded_on_their_own() {
    // A query about two calls, and a nonlinear clause.
    let mut pool = TermPool::new();
    let system = system_of(&mut pool, [("f", &[Sort::Int, Sort::Int])], |pool, [f]| {
        let [n, r, s] = ["n", "r", "s"].map(|name| pool.bound(name, Sort::Int));
        let [zero, one, two, five] = [0, 1, 2, 5].map(|value| pool.int(value));
        let (before, sum) = (pool.sub(n, one), pool.add(&[r, s]));
        let constraint = vec![pool.lt(zero, n)];
        vec![
            fact((f, vec![zero, one])),
            OpenClause {
                body: vec![(f, vec![before, r]), (f, vec![before, s])],
                constraint,
                head: Some((f, vec![n, sum])),
            },
            query(vec![(f, vec![two, r]), (f, vec![five, s])], vec![pool.le(sum, zero)]),
        ]
    });
    let versions = run(&mut pool, &system, &["specialize"]);
    let (_, query) = versions.system.queries().next().expect("the query is not decided");
    assert_ne!(query.body[0].relation, query.body[1].relation);
    let result = system.relations[Relation(0)].arguments[1].symbol;
    let zero = pool.int(0);
    let is_positive = pool.lt(zero, result);
    assert!(matches!(checked(&mut pool, &system, &versions, &[("f", is_positive)]), Model::Valid(_)));
}

#[test]
fn clauses_that_contradict_the_condition_are_removed() {
    // A mode is a Boolean and a word. The query needs one mode, in which x does not become smaller.
    let sorts = [Sort::Bool, Sort::BitVec(4), Sort::Int];
    let mut pool = TermPool::new();
    let system = system_of(&mut pool, [("r", &sorts)], |pool, [r]| {
        let (is_on, mode) = (pool.bound("on", Sort::Bool), pool.bound("mode", Sort::BitVec(4)));
        let x = pool.bound("x", Sort::Int);
        let [zero, one] = [0, 1].map(|value| pool.int(value));
        let [first, second] = [1, 2].map(|value| pool.bv(4, value));
        let (tru, fls) = (pool.tru(), pool.fls());
        let [next, before] = [pool.add(&[x, one]), pool.sub(x, one)];
        let is_first = pool.eq(mode, first);
        vec![
            fact((r, vec![tru, first, zero])),
            fact((r, vec![fls, first, zero])),
            fact((r, vec![tru, second, zero])),
            step((r, vec![is_on, mode, x]), vec![is_first, is_on], (r, vec![is_on, mode, next])),
            step((r, vec![is_on, mode, x]), vec![pool.not(is_first)], (r, vec![is_on, mode, before])),
            query(vec![(r, vec![is_on, mode, x])], vec![is_on, is_first, pool.lt(x, zero)]),
        ]
    });
    let versions = run(&mut pool, &system, &["specialize"]);
    let rules: Vec<_> = versions.system.rules().collect();
    assert!(matches!(rules[..], [(_, rule)] if rule.body.len() == 1), "{rules:?}");
}

#[test]
fn the_first_iterations_of_a_loop_are_no_versions() {
    // r(x) ⇒ r(x + 1), backward from a bound.
    for bound in [-10, 10] {
        let mut pool = TermPool::new();
        let system = system_of(&mut pool, [("r", &[Sort::Int])], |pool, [r]| {
            let x = pool.bound("x", Sort::Int);
            let [one, end] = [1, bound].map(|value| pool.int(value));
            let (next, far) = (pool.add(&[x, one]), pool.le(end, x));
            let far = if bound < 0 { pool.not(far) } else { far };
            vec![
                fact((r, vec![x])),
                step((r, vec![x]), Vec::new(), (r, vec![next])),
                query(vec![(r, vec![x])], vec![far]),
            ]
        });
        let versions = run(&mut pool, &system, &["specialize"]);
        assert_eq!(names(&versions.system), ["r"]);
    }
}

#[test]
fn relations_that_no_query_needs_are_true() {
    let mut pool = TermPool::new();
    let system = system_of(&mut pool, [("p", &[Sort::Int]), ("q", &[Sort::Int])], |pool, [p, q]| {
        let x = pool.bound("x", Sort::Int);
        let zero = pool.int(0);
        let is_negative = pool.lt(x, zero);
        vec![
            fact((p, vec![zero])),
            step((p, vec![x]), Vec::new(), (q, vec![x])),
            query(vec![(p, vec![x])], vec![is_negative]),
        ]
    });
    let versions = run(&mut pool, &system, &["specialize"]);
    assert_eq!(names(&versions.system), ["p"]);
    let zero = pool.int(0);
    let symbol = system.relations[Relation(0)].arguments[0].symbol;
    let is_zero = pool.eq(symbol, zero);
    assert!(matches!(checked(&mut pool, &system, &versions, &[("p", is_zero)]), Model::Valid(_)));
    // Without queries, nothing is left.
    let mut open = system.clone();
    open.clauses = system.rules().map(|(_, clause)| clause.clone()).collect();
    let versions = run(&mut pool, &open, &["specialize"]);
    assert_eq!((versions.system.relations.len(), versions.system.clauses.len()), (0, 0));
    assert!(matches!(checked(&mut pool, &open, &versions, &[]), Model::Valid(_)));
}
