use super::*;
use backends::Prover;
use horn::{Argument, ClauseData, Relation, RelationData, Update, Updates};
use terms::Sort;
use terms::entity::Entity;

mod backward;
mod cells;
mod iterations;

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
        check_inductive(&mut self.pool, &self.system, prover, invariants);
        check_queries(&mut self.pool, &self.system, prover, invariants);
    }
}

fn number(pool: &mut TermPool, sort: Sort, value: i64) -> Term {
    match sort {
        Sort::BitVec(width) => pool.bv_i64(width, value),
        _ => pool.int(value),
    }
}

fn add(pool: &mut TermPool, a: Term, b: Term) -> Term {
    match pool.sort(a) {
        Sort::BitVec(_) => pool.bv_add(a, b),
        _ => pool.add(&[a, b]),
    }
}

/// The signed comparison.
fn less(pool: &mut TermPool, a: Term, b: Term) -> Term {
    match pool.sort(a) {
        Sort::BitVec(_) => pool.bv_slt(a, b),
        _ => pool.lt(a, b),
    }
}

/// `x = y = 0; loop { x += 1; y += 2 }`, with the goal `y ≠ 2x`.
fn doubling(sort: Sort) -> Loop {
    looping(sort, |pool, [x, y, next_x, next_y]| {
        let [zero, one, two] = [0, 1, 2].map(|value| number(pool, sort, value));
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
    assert_eq!(reached.prove(LEVELS[3]), None);
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

/// The loop of Marušák §3.4 and §4.3: `i = 10; while (i > 0) i--;`.
fn countdown(sort: Sort) -> Loop {
    looping(sort, |pool, [x, y, next_x, next_y]| {
        let [zero, ten] = [0, 10].map(|value| number(pool, sort, value));
        let starts = [pool.eq(next_x, ten), pool.eq(next_y, zero)];
        let minus_one = number(pool, sort, -1);
        let (after, more) = (add(pool, x, minus_one), less(pool, zero, x));
        let (step, kept) = (pool.eq(next_x, after), pool.eq(next_y, y));
        let outside = match sort {
            Sort::BitVec(_) => pool.bv_ult(ten, x),
            _ => {
                let sides = [pool.lt(x, zero), pool.lt(ten, x)];
                pool.or(&sides)
            }
        };
        [pool.and(&starts), pool.and(&[more, step, kept]), outside]
    })
}

impl Loop {
    fn infer(&mut self, domains: &str, search: Search) -> (Invariants, Statistics) {
        let limits = Limits::default();
        let factory = backend_yices::factory();
        let spec = Spec { search, ..domains.parse().expect("a choice of domains") };
        let contexts = Contexts::new(&factory, "ALL");
        let (found, statistics) =
            infer(&mut self.pool, &self.system, contexts, &spec, &limits).expect("an answer");
        let mut prover = backends::ProverFactory::new_prover(&factory, "ALL", &limits).expect("a prover");
        check_inductive(&mut self.pool, &self.system, &mut *prover, &found);
        (found, statistics)
    }
}

/// The constraint of a clause and the invariants of its body.
fn body(pool: &mut TermPool, system: &System, clause: &ClauseData, found: &Invariants) -> Vec<Term> {
    let mut query = vec![clause.constraint];
    for atom in &clause.body {
        let premise = found.term(pool, atom.relation);
        query.push(instance::Instance::of(system, atom).apply(pool, premise));
    }
    query
}

/// Checks that the invariants exclude the queries.
fn check_queries(pool: &mut TermPool, system: &System, prover: &mut dyn Prover, found: &Invariants) {
    for (_, clause) in system.queries() {
        let query = body(pool, system, clause, found);
        assert_eq!(prover.status(pool, &query), backends::Status::Unsat);
    }
}

/// Checks that no clause leads out of the invariants.
fn check_inductive(pool: &mut TermPool, system: &System, prover: &mut dyn Prover, found: &Invariants) {
    for (_, clause) in system.rules() {
        let mut query = body(pool, system, clause, found);
        let head = clause.head.as_ref().expect("a rule has a head");
        let conclusion = found.term(pool, head.relation);
        let conclusion = instance::Instance::of(system, head).apply(pool, conclusion);
        query.push(pool.not(conclusion));
        assert_eq!(prover.status(pool, &query), backends::Status::Unsat);
    }
}

#[test]
fn every_search_finds_the_interval_of_the_thesis() {
    for search in [Search::Enumerate, Search::Extremes, Search::Thresholds, Search::Gallop] {
        for sort in [Sort::BitVec(32), Sort::Int] {
            let mut countdown = countdown(sort);
            let (found, _) = countdown.infer("intervals", search);
            let limits = Limits::default();
            let factory = backend_yices::factory();
            let mut prover = backends::ProverFactory::new_prover(&factory, "ALL", &limits).expect("a prover");
            let sliced =
                slice(&mut countdown.pool, &mut *prover, &countdown.system, &found, Cores::Minimal, &limits);
            // Integers have no extreme values to start from.
            let is_found = (search, sort) != (Search::Extremes, Sort::Int);
            assert_eq!(sliced.expect("an answer").is_some(), is_found, "{search}, {sort:?}: 0 <= x <= 10");
        }
    }
}

/// `x = y = 0; while (x + y < 10) x++ or y++`: each counter alone is bounded by 10, and so is their
/// sum.
#[test]
fn octagons_bound_a_sum() {
    for sort in [Sort::BitVec(8), Sort::BitVec(32), Sort::Int] {
        let make = || {
            looping(sort, |pool, [x, y, next_x, next_y]| {
                let [zero, one, ten] = [0, 1, 10].map(|value| number(pool, sort, value));
                let starts = [pool.eq(next_x, zero), pool.eq(next_y, zero)];
                let sum = add(pool, x, y);
                let guard = less(pool, sum, ten);
                let (more_x, more_y) = (add(pool, x, one), add(pool, y, one));
                let left = [pool.eq(next_x, more_x), pool.eq(next_y, y)];
                let right = [pool.eq(next_x, x), pool.eq(next_y, more_y)];
                let (left, right) = (pool.and(&left), pool.and(&right));
                let either = pool.or2(left, right);
                [pool.and(&starts), pool.and2(guard, either), less(pool, ten, sum)]
            })
        };
        assert_eq!(make().prove("intervals"), None, "{sort:?}");
        assert!(make().prove("octagons").is_some(), "{sort:?}");
    }
}

/// The ways into a loop head set `(x, y)` to (1, 5) and (3, 4): a disjunction.
/// `x` counts to 1000, and `y`, which is 500 at first, counts along as soon as `x` is 500.
#[test]
fn phases_keep_the_conditions_of_a_loop_apart() {
    let make = |sort: Sort| {
        let number = |pool: &mut TermPool, value: u32| match sort {
            Sort::Int => pool.int(value.into()),
            _ => pool.bv(16, value.into()),
        };
        let less = |pool: &mut TermPool, a, b| match sort {
            Sort::Int => pool.lt(a, b),
            _ => pool.bv_ult(a, b),
        };
        let plus_one = |pool: &mut TermPool, a| {
            let one = number(pool, 1);
            if sort == Sort::Int { pool.add(&[a, one]) } else { pool.bv_add(a, one) }
        };
        let phase = |pool: &mut TermPool, [x, y, next_x, next_y]: [Term; 4], is_first: bool| {
            let (middle, last) = (number(pool, 500), number(pool, 1000));
            let condition = less(pool, x, middle);
            let condition = if is_first { condition } else { pool.not(condition) };
            let more = plus_one(pool, y);
            let (sum, same) = (plus_one(pool, x), if is_first { y } else { more });
            let parts = [less(pool, x, last), condition, pool.eq(next_x, sum), pool.eq(next_y, same)];
            pool.and(&parts)
        };
        let mut system = looping(sort, |pool, names| {
            let [x, y, next_x, next_y] = names;
            let (first, middle, last) = (number(pool, 0), number(pool, 500), number(pool, 1000));
            let init = [pool.eq(next_x, first), pool.eq(next_y, middle)];
            let inside = less(pool, x, last);
            let goal = [pool.not(inside), pool.neq(x, y)];
            [pool.and(&init), phase(pool, names, true), pool.and(&goal)]
        });
        let names = variables(&mut system.pool, sort);
        let second = phase(&mut system.pool, names, false);
        let step = system.system.clauses[Clause::new(1)].clone();
        let second = step.with_constraint(&mut system.pool, second);
        system.system.clauses.push(second);
        system
    };
    for sort in [Sort::Int, Sort::BitVec(16)] {
        assert!(make(sort).prove("hulls*intervals").is_none(), "{sort:?}");
        assert!(make(sort).prove("phases(hulls*intervals)").is_some(), "{sort:?}");
    }
}

/// Without branches in loops, a domain of phases makes no query.
#[test]
fn loops_without_branches_have_no_phases() {
    let mut plain = looping(Sort::Int, |pool, [x, y, next_x, next_y]| {
        let (zero, one) = (pool.int(0), pool.int(1));
        let more = pool.add(&[x, one]);
        let init = [pool.eq(next_x, zero), pool.eq(next_y, y)];
        let step = [pool.eq(next_x, more), pool.eq(next_y, y)];
        [pool.and(&init), pool.and(&step), pool.lt(x, zero)]
    });
    let factory = backend_yices::factory();
    let contexts = Contexts::new(&factory, "ALL");
    let spec: Spec = "phases(intervals)".parse().expect("a choice of domains");
    let limits = Limits::default();
    let (found, statistics) =
        infer(&mut plain.pool, &plain.system, contexts, &spec, &limits).expect("an answer");
    assert!(found.at.values().all(Vec::is_empty) && statistics.queries == 0, "{statistics:?}");
}

#[test]
fn paths_keep_the_ways_into_a_relation_apart() {
    let make = || {
        looping(Sort::BitVec(32), |pool, [x, y, next_x, next_y]| {
            let pair = |pool: &mut TermPool, a: u64, b: u64| {
                let (a, b) = (pool.bv(32, a), pool.bv(32, b));
                let equations = [pool.eq(next_x, a), pool.eq(next_y, b)];
                pool.and(&equations)
            };
            let (first, second) = (pair(pool, 1, 5), pair(pool, 3, 4));
            let (one, five) = (pool.bv(32, 1), pool.bv(32, 5));
            let (is_one, is_other) = (pool.eq(x, one), pool.neq(y, five));
            [first, second, pool.and2(is_one, is_other)]
        })
    };
    assert_eq!(make().prove("intervals"), None);
    assert!(make().prove("paths(intervals)").is_some());
}

/// `f(n) = n` for `n ≤ 1`, otherwise `f(n - 1) + f(n - 2)`: a clause with two body atoms.
#[test]
fn clauses_may_have_several_body_atoms() {
    let mut pool = TermPool::new();
    let [n, r, m, a, k, b, s] = ["n", "r", "m", "a", "k", "b", "s"].map(|name| pool.symbol(name, Sort::Int));
    let mut system = System::default();
    let argument = |name: &str, symbol| Argument { name: name.to_owned(), symbol };
    let relation = system.relations.push(RelationData {
        name: "f".to_owned(),
        arguments: vec![argument("n", n), argument("r", r)],
        origin: String::new(),
    });
    let atom = |arguments: [Term; 2]| horn::Atom { relation, arguments: arguments.to_vec() };
    let [zero, one, two] = [0, 1, 2].map(|value| pool.int(value));
    let (not_negative, small) = (pool.le(zero, n), pool.le(n, one));
    let base = pool.and2(not_negative, small);
    let head = (Some(atom([n, n])), Updates::default());
    let base = ClauseData::new(&mut pool, Vec::new(), base, head, String::new());
    system.clauses.push(base);
    let (less_one, less_two) = (pool.sub(s, one), pool.sub(s, two));
    let conditions = [pool.eq(m, less_one), pool.eq(k, less_two), pool.lt(one, s)];
    let step = pool.and(&conditions);
    let sum = pool.add(&[a, b]);
    let head = (Some(atom([s, sum])), Updates::default());
    let body = vec![atom([m, a]), atom([k, b])];
    let step = ClauseData::new(&mut pool, body, step, head, String::new());
    system.clauses.push(step);
    let factory = backend_yices::factory();
    let spec = "intervals*octagons".parse().expect("a choice of domains");
    let contexts = Contexts::new(&factory, "ALL");
    let (found, _) = infer(&mut pool, &system, contexts, &spec, &Limits::default()).expect("an answer");
    let mut prover =
        backends::ProverFactory::new_prover(&factory, "ALL", &Limits::default()).expect("a prover");
    check_inductive(&mut pool, &system, &mut *prover, &found);
    let shown: Vec<String> = found.at[relation].iter().map(|&term| pool.display(term).to_string()).collect();
    for wanted in ["(< (- 1) r)", "(< (- 1) n)"] {
        assert!(shown.iter().any(|conjunct| conjunct == wanted), "{wanted}: {shown:?}");
    }
    let negative = pool.lt(r, zero);
    let end = (None, Updates::default());
    let query = ClauseData::new(&mut pool, vec![atom([n, r])], negative, end, String::new());
    system.clauses.push(query);
    let few = slice(&mut pool, &mut *prover, &system, &found, Cores::Minimal, &Limits::default())
        .expect("an answer");
    let few = few.expect("the invariants exclude the query");
    check_inductive(&mut pool, &system, &mut *prover, &few);
    check_queries(&mut pool, &system, &mut *prover, &few);
    assert!(few.at[relation].len() < found.at[relation].len(), "{few:?}");
}

/// A prover that does not answer every n-th query after a number of queries.
struct Tired {
    inner: Box<dyn Prover>,
    count: u32,
    after: u32,
    every: u32,
}

impl Prover for Tired {
    fn push(&mut self) -> Result<(), Reason> {
        self.inner.push()
    }

    fn pop(&mut self) -> Result<(), Reason> {
        self.inner.pop()
    }

    fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<(), Reason> {
        self.inner.assert(pool, formula)
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> backends::Outcome<'_> {
        self.count += 1;
        if self.count > self.after && self.count.is_multiple_of(self.every) {
            return backends::Outcome::Unknown(Reason::Timeout);
        }
        self.inner.check(pool, assumptions)
    }

    fn set_limits(&mut self, limits: &Limits) {
        self.inner.set_limits(limits);
    }
}

/// `x = y = 0; loop { if (x > 1000) y++; if (x < 1000) x++; }`: the bound of `y` rests on that of
/// `x`, which jumps, and does not jump itself.
fn resting() -> Loop {
    looping(Sort::Int, |pool, [x, y, next_x, next_y]| {
        let [zero, one, most] = [0, 1, 1000].map(|value| pool.int(value));
        let starts = [pool.eq(next_x, zero), pool.eq(next_y, zero)];
        let (grows, is_over) = (pool.lt(x, most), pool.lt(most, x));
        let (more_x, more_y) = (pool.add(&[x, one]), pool.add(&[y, one]));
        let (after_x, after_y) = (pool.ite(grows, more_x, x), pool.ite(is_over, more_y, y));
        let moves = [pool.eq(next_x, after_x), pool.eq(next_y, after_y)];
        [pool.and(&starts), pool.and(&moves), pool.lt(zero, y)]
    })
}

#[test]
fn rows_whose_query_is_not_decided_are_suspended_and_the_others_are_inductive() {
    let mut suspended = 0;
    let factory = backend_yices::factory();
    let new = || backends::ProverFactory::new_prover(&factory, "ALL", &Limits::default()).expect("a prover");
    let tiredness = (0..40).map(|number| (number, 2 + number % 3));
    for (after, every) in tiredness {
        for domains in ["intervals*hulls*values", "octagons", "paths(intervals)*bits"] {
            for mut looping in [doubling(Sort::BitVec(8)), resting(), countdown(Sort::Int)] {
                let mut tired = Tired { inner: new(), count: 0, after, every };
                let spec = domains.parse().expect("a choice of domains");
                let contexts = Contexts::shared(&mut tired);
                // A relation whose first state is not decided ends the search.
                let found = infer(&mut looping.pool, &looping.system, contexts, &spec, &Limits::default());
                let Ok((found, statistics)) = found else { continue };
                suspended += statistics.suspended();
                check_inductive(&mut looping.pool, &looping.system, &mut *new(), &found);
            }
        }
    }
    assert!(suspended > 0);
}

#[test]
fn an_interrupted_stage_goes_on() {
    let mut looping = doubling(Sort::BitVec(16));
    let factory = backend_yices::factory();
    let system = looping.system.clone();
    let mut inference =
        Inference::new(&mut looping.pool, &system, &Suggestions::default(), Contexts::new(&factory, "ALL"));
    let over = Limits { deadline: Some(std::time::Instant::now()), ..Limits::default() };
    let hulls = DomainSpec::Hulls;
    let stopped = inference.stage(&mut looping.pool, &hulls, Search::default(), &over);
    assert_eq!(stopped, Err(Reason::Timeout));
    assert!(inference.is_interrupted());
    let found = inference.resume(&mut looping.pool, &Limits::default()).expect("an answer");
    assert!(!inference.is_interrupted());
    assert_eq!(found.at[Relation::new(0)].len(), 1, "y = 2x");
    let rest = inference.resume(&mut looping.pool, &Limits::default()).expect("an answer");
    assert_eq!(rest.at[Relation::new(0)], []);
}

/// n counters with different bounds take a number of queries that grows at most linearly.
#[test]
fn counters_with_different_bounds_take_linearly_many_queries() {
    let queries = |count: usize| {
        let mut pool = TermPool::new();
        let mut system = System::default();
        let symbols: Vec<[Term; 2]> = (0..count)
            .map(|index| {
                [format!("x{index}"), format!("x{index}+")].map(|name| pool.symbol(&name, Sort::BitVec(32)))
            })
            .collect();
        let arguments = symbols.iter().map(|&[x, _]| Argument { name: "x".to_owned(), symbol: x });
        let head = system.relations.push(RelationData {
            name: "head".to_owned(),
            arguments: arguments.collect(),
            origin: String::new(),
        });
        let zero = pool.bv(32, 0);
        let one = pool.bv(32, 1);
        let mut values = Vec::new();
        let mut starts = Vec::new();
        for (index, &[x, after]) in symbols.iter().enumerate() {
            let choice = pool.symbol(&format!("c{index}"), Sort::Bool);
            let bound = pool.bv(32, 10 + 7 * index as u64);
            let is_less = pool.bv_slt(x, bound);
            let grows = pool.and2(choice, is_less);
            let more = pool.bv_add(x, one);
            values.push((x, Update { after, value: Some(pool.ite(grows, more, x)) }));
            starts.push((x, Update { after, value: Some(zero) }));
        }
        for (body, updates) in [(Vec::new(), starts), (vec![system.atom(head)], values)] {
            let updates: Updates = updates.into_iter().collect();
            let to = Some(system.updated(head, &updates));
            let guard = pool.tru();
            let clause = ClauseData::new(&mut pool, body, guard, (to, updates), String::new());
            system.clauses.push(clause);
        }
        let factory = backend_yices::factory();
        let contexts = Contexts::new(&factory, "ALL");
        let spec = "intervals".parse().expect("a choice of domains");
        let (found, statistics) =
            infer(&mut pool, &system, contexts, &spec, &Limits::default()).expect("an answer");
        for (index, &[x, _]) in symbols.iter().enumerate() {
            let bound = pool.bv(32, 10 + 7 * index as u64);
            let wanted = pool.bv_sle(x, bound);
            assert!(found.at[head].contains(&wanted), "{}", pool.display(wanted));
        }
        statistics.queries
    };
    let (few, many) = (queries(10), queries(60));
    assert!(many <= 6 * few, "{few} queries for 10 counters, {many} for 60");
}

#[test]
fn choices_of_domains_are_read_and_shown() {
    for text in ["intervals", "intervals,equalities*zones,paths(octagons)", "paths(hulls*bits)*values"] {
        let spec: Spec = text.parse().expect("a choice of domains");
        let shown: Vec<String> = spec.stages.iter().map(DomainSpec::to_string).collect();
        assert_eq!(shown.join(","), text);
    }
    let nested = "paths(".repeat(100);
    for text in ["", "intervals,", "ivals", "paths", "paths(intervals", "zones zones", "(", &nested] {
        assert!(text.parse::<Spec>().is_err(), "{text}");
    }
    let sum: Sum = "2*x-y + z".parse().expect("a sum");
    let part = |factor, name: &str| (factor, name.to_owned());
    assert_eq!(sum, Sum(vec![part(2, "x"), part(-1, "y"), part(1, "z")]));
    for text in ["", "2", "x y*", "*x", "0*x", "x+", "99999999999*x"] {
        assert!(text.parse::<Sum>().is_err(), "{text}");
    }
}
