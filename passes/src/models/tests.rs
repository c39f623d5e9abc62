//! Interpretations that are no models are refuted.

use super::{Model, check_model};
use backends::{Limits, ProverFactory};
use horn::{Argument, Clause, ClauseData, Interpretation, RelationData, System, Update, Updates};
use std::rc::Rc;
use terms::{Sort, Term, TermPool};

/// `x` from 0 over `x < 9, x + 1`, never `x = 20`.
fn counter(pool: &mut TermPool) -> (System, Term) {
    let [x, next] = ["x", "x+"].map(|name| pool.symbol(name, Sort::Int));
    let [zero, one, nine, twenty] = [0, 1, 9, 20].map(|value| pool.int(value));
    let mut system = System::default();
    let relation = system.relations.push(RelationData {
        name: "R".to_owned(),
        arguments: vec![Argument { name: "x".to_owned(), symbol: x }],
        origin: String::new(),
    });
    let (sum, is_below, is_twenty) = (pool.add(&[x, one]), pool.lt(x, nine), pool.eq(x, twenty));
    let mut clause = |pool: &mut TermPool, has_body, guard, value| {
        let updates: Updates =
            Option::into_iter(value).map(|value| (x, Update { after: next, value: Some(value) })).collect();
        let head = value.map(|_| system.updated(relation, &updates));
        let body = if has_body { vec![system.atom(relation)] } else { Vec::new() };
        let data = ClauseData::new(pool, body, guard, (head, updates), String::new());
        system.clauses.push(data);
    };
    let tru = pool.tru();
    clause(pool, false, tru, Some(zero));
    clause(pool, true, is_below, Some(sum));
    clause(pool, true, is_twenty, None);
    (system, x)
}

#[test]
fn a_model_satisfies_each_clause() {
    let mut pool = TermPool::new();
    let (system, x) = counter(&mut pool);
    let clauses: Vec<Clause> = system.clauses.keys().collect();
    let solvers: Vec<Rc<dyn ProverFactory>> = vec![Rc::new(backend_yices::factory())];
    let check = |pool: &mut TermPool, least: i64, greatest: i64| {
        let [least, greatest] = [least, greatest].map(|value| pool.int(value));
        let formula = [pool.le(least, x), pool.le(x, greatest)];
        let formula = pool.and(&formula);
        let interpretation = Interpretation::constant(&system, formula);
        check_model(pool, &system, &interpretation, &solvers, &Limits::default())
    };
    for greatest in 9..=19 {
        assert_eq!(check(&mut pool, 0, greatest), Model::Valid(vec!["yices"]));
    }
    assert_eq!(check(&mut pool, 1, 9), Model::Refuted(clauses[0]));
    assert_eq!(check(&mut pool, 0, 8), Model::Refuted(clauses[1]));
    assert_eq!(check(&mut pool, 0, 20), Model::Refuted(clauses[2]));
}

#[test]
fn without_a_solver_nothing_is_valid() {
    let mut pool = TermPool::new();
    let (system, _) = counter(&mut pool);
    let tru = pool.tru();
    let interpretation = Interpretation::constant(&system, tru);
    let checked = check_model(&mut pool, &system, &interpretation, &[], &Limits::default());
    assert!(matches!(checked, Model::Undecided(..)), "{checked:?}");
}
