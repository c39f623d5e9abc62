use super::*;
use backends::Prover;
use horn::{Argument, ClauseData, Relation, RelationData, Update, Updates};
use terms::Sort;
use terms::entity::Entity;

/// A loop with the clauses `init`, `step` and `goal` over integers `x`, `y` and `x+`, `y+`.
struct Loop {
    pool: TermPool,
    system: System,
}

fn variables(pool: &mut TermPool, sort: Sort) -> [Term; 4] {
    ["x", "y", "x+", "y+"].map(|name| pool.symbol(name, sort))
}

fn looping(sort: Sort, make: impl Fn(&mut TermPool, [Term; 4]) -> [Term; 3]) -> Loop {
    let mut pool = TermPool::new();
    let names = variables(&mut pool, sort);
    let [init, step, goal] = make(&mut pool, names);
    let [x, y, next_x, next_y] = names;
    let update = |after| Update { after, value: None };
    let both: Updates = [(x, update(next_x)), (y, update(next_y))].into_iter().collect();
    let mut system = System::default();
    let argument = |name: &str, symbol| Argument { name: name.to_owned(), symbol };
    let head = system.relations.push(RelationData {
        name: "head".to_owned(),
        arguments: vec![argument("x", x), argument("y", y)],
        origin: String::new(),
    });
    let mut clause = |body: Vec<_>, formula, updates: Option<Updates>| {
        let to = updates.as_ref().map(|updates| system.updated(head, updates));
        let updates = updates.unwrap_or_default();
        let clause = ClauseData::new(&mut pool, body, formula, (to, updates), String::new());
        system.clauses.push(clause);
    };
    let at_head = horn::Atom { relation: head, arguments: vec![x, y] };
    clause(vec![], init, Some(both.clone()));
    clause(vec![at_head.clone()], step, Some(both));
    clause(vec![at_head], goal, None);
    Loop { pool, system }
}

impl Loop {
    fn prove(&mut self, domains: &str) -> Option<Vec<String>> {
        let limits = Limits::default();
        let factory = backend_yices::factory();
        let mut prover = backends::ProverFactory::new_prover(&factory, "ALL", &limits).expect("a prover");
        let spec: Spec = domains.parse().expect("a choice of domains");
        let found = prove(&mut self.pool, &mut *prover, &self.system, &spec, &limits).expect("an answer");
        let found = found?;
        self.check(&mut *prover, &found);
        let head = Relation::new(0);
        Some(found.at[head].iter().map(|&term| self.pool.display(term).to_string()).collect())
    }

    /// Checks that the invariants are inductive and exclude the queries.
    fn check(&mut self, prover: &mut dyn Prover, invariants: &Invariants) {
        let pool = &mut self.pool;
        for clause in self.system.clauses.values() {
            let premise = pool.and(invariants.of(clause.from()));
            let conclusion = clause.to().map_or(pool.fls(), |relation| invariants.term(pool, relation));
            let conclusion = clause.at_head(pool, conclusion);
            let violation = pool.not(conclusion);
            let query = pool.and(&[premise, clause.constraint, violation]);
            assert_eq!(prover.status(pool, &[query]), backends::Status::Unsat);
        }
    }
}

/// `x = y = 0; loop { x += 1; y += 2 }`, with the goal `y ≠ 2x`.
fn doubling(sort: Sort) -> Loop {
    looping(sort, |pool, [x, y, next_x, next_y]| {
        let number = |pool: &mut TermPool, value: i64| match sort {
            Sort::BitVec(width) => pool.bv_i64(width, value),
            _ => pool.int(value),
        };
        let add = |pool: &mut TermPool, a: Term, b: Term| match sort {
            Sort::BitVec(_) => pool.bv_add(a, b),
            _ => pool.add(&[a, b]),
        };
        let [zero, one, two] = [0, 1, 2].map(|value| number(pool, value));
        let (start_x, start_y) = (pool.eq(next_x, zero), pool.eq(next_y, zero));
        let (more_x, more_y) = (add(pool, x, one), add(pool, y, two));
        let (step_x, step_y) = (pool.eq(next_x, more_x), pool.eq(next_y, more_y));
        let double = add(pool, x, x);
        [pool.and2(start_x, start_y), pool.and2(step_x, step_y), pool.neq(double, y)]
    })
}

#[test]
fn a_linear_equality_is_found_in_all_sorts() {
    for sort in [Sort::Int, Sort::BitVec(32), Sort::BitVec(8), Sort::BitVec(64)] {
        let found = doubling(sort).prove("hulls").expect("2x = y");
        assert_eq!(found.len(), 1, "{sort:?}: {found:?}");
    }
}

#[test]
fn a_parity_of_bit_vectors_survives_overflow() {
    // x = 0; loop { x += 2 }; x odd.
    let mut parity = looping(Sort::BitVec(8), |pool, [x, y, next_x, next_y]| {
        let [zero, two] = [0, 2].map(|value| pool.bv(8, value));
        let start = pool.eq(next_x, zero);
        let sum = pool.bv_add(x, two);
        let (step, kept) = (pool.eq(next_x, sum), pool.eq(next_y, y));
        let low = pool.extract(0, 0, x);
        let one = pool.bv(1, 1);
        [start, pool.and2(step, kept), pool.eq(low, one)]
    });
    assert!(parity.prove(LEVELS[1]).is_some());
}

#[test]
fn a_congruence_of_integers_is_found() {
    // x = 1; loop { x += 3 }; x = 9.
    let mut congruence = looping(Sort::Int, |pool, [x, y, next_x, next_y]| {
        let [one, three, nine] = [1, 3, 9].map(|value| pool.int(value));
        let start = pool.eq(next_x, one);
        let sum = pool.add(&[x, three]);
        let (step, kept) = (pool.eq(next_x, sum), pool.eq(next_y, y));
        [start, pool.and2(step, kept), pool.eq(x, nine)]
    });
    let found = congruence.prove(LEVELS[1]).expect("x mod 3 = 1");
    assert!(found.iter().any(|conjunct| conjunct.contains("mod")), "{found:?}");
}

#[test]
fn a_bound_is_found_with_a_constant_of_the_guard() {
    // x = 0; while (x < 10) x += 1; x > 10.
    let mut bound = looping(Sort::Int, |pool, [x, y, next_x, next_y]| {
        let [zero, one, ten] = [0, 1, 10].map(|value| pool.int(value));
        let start = pool.eq(next_x, zero);
        let sum = pool.add(&[x, one]);
        let (guard, step, kept) = (pool.lt(x, ten), pool.eq(next_x, sum), pool.eq(next_y, y));
        [start, pool.and(&[guard, step, kept]), pool.lt(ten, x)]
    });
    let found = bound.prove(LEVELS[1]).expect("x ≤ 10");
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn a_disjunction_is_found_as_a_formula_that_excludes_the_query() {
    // x = 0; loop { x := 0 or x := y where y > 0 }; x ≠ 0 and y ≤ 0, with y constant.
    let make = || {
        looping(Sort::Int, |pool, [x, y, next_x, next_y]| {
            let zero = pool.int(0);
            let start = pool.eq(next_x, zero);
            let (stays, is_y, kept) = (pool.eq(next_x, zero), pool.eq(next_x, y), pool.eq(next_y, y));
            let positive = pool.lt(zero, y);
            let jumps = pool.and2(is_y, positive);
            let either = pool.or2(stays, jumps);
            let (moved, bad) = (pool.neq(x, zero), pool.not(positive));
            [start, pool.and2(either, kept), pool.and2(moved, bad)]
        })
    };
    assert_eq!(make().prove("hulls*octagons"), None);
    assert_eq!(make().prove("literals"), Some(vec!["(or (< 0 y) (= x 0))".to_owned()]));
}

#[test]
fn a_goal_that_is_reached_is_not_excluded() {
    // x = 0; loop { x += 1 }; x = 3.
    let mut reached = looping(Sort::Int, |pool, [x, y, next_x, next_y]| {
        let [zero, one, three] = [0, 1, 3].map(|value| pool.int(value));
        let start = pool.eq(next_x, zero);
        let sum = pool.add(&[x, one]);
        let (step, kept) = (pool.eq(next_x, sum), pool.eq(next_y, y));
        [start, pool.and2(step, kept), pool.eq(x, three)]
    });
    assert_eq!(reached.prove(LEVELS[2]), None);
}

#[test]
fn a_limit_that_is_over_is_a_reason() {
    let mut doubling = doubling(Sort::Int);
    let limits = Limits { deadline: Some(std::time::Instant::now()), ..Limits::default() };
    let factory = backend_yices::factory();
    let mut prover =
        backends::ProverFactory::new_prover(&factory, "ALL", &Limits::default()).expect("a prover");
    let spec = Spec::of(vec![DomainSpec::Hulls]);
    let answer = prove(&mut doubling.pool, &mut *prover, &doubling.system, &spec, &limits);
    assert_eq!(answer, Err(Reason::Timeout));
}
