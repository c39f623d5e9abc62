//! Facts from above.

use super::*;
use terms::Op;

/// `x = 1; while (x < y) x = 2 * x or 3 * x;`, and afterwards `x ≤ 0` is an error: the invariant is
/// a disjunction.
fn growing() -> Loop {
    looping(Sort::BitVec(16), |pool, [x, y, next_x, next_y]| {
        let one = pool.bv(16, 1);
        let init = [pool.eq(next_x, one), pool.eq(next_y, y)];
        let multiple = |pool: &mut TermPool, factor| {
            let factor = pool.bv(16, factor);
            let product = pool.bv_mul(factor, x);
            pool.eq(next_x, product)
        };
        let (double, triple) = (multiple(pool, 2), multiple(pool, 3));
        let step = [pool.bv_slt(x, y), pool.or2(double, triple), pool.eq(next_y, y)];
        let zero = pool.bv(16, 0);
        let goal = [pool.bv_sle(y, x), pool.bv_sle(x, zero)];
        [pool.and(&init), pool.and(&step), pool.and(&goal)]
    })
}

#[test]
fn a_complement_of_rows_is_a_fact() {
    assert_eq!(growing().prove("octagons*orders"), None);
    let facts = growing().prove("backward(octagons)").expect("a proof");
    assert!(facts.iter().any(|fact| fact.contains("(not (and")), "{facts:?}");
    assert!(growing().prove("intervals,backward(octagons*orders)").is_some());
}

/// Each disjunct of a query has an element of its own: their hull would contain everything.
#[test]
fn disjuncts_of_a_query_are_kept_apart() {
    let make = || {
        looping(Sort::BitVec(16), |pool, [x, _, next_x, next_y]| {
            let five = pool.bv(16, 5);
            let init = [pool.eq(next_x, five), pool.eq(next_y, five)];
            let step = [pool.eq(next_x, x), pool.eq(next_y, x)];
            let (low, high) = (pool.bv(16, 2), pool.bv(16, 9));
            let goal = [pool.bv_ult(x, low), pool.bv_ult(high, x)];
            [pool.and(&init), pool.and(&step), pool.or(&goal)]
        })
    };
    let facts = make().prove("backward(intervals)").expect("a proof");
    assert!(facts.len() >= 2, "{facts:?}");
}

#[test]
fn an_entry_that_may_fail_gives_no_fact() {
    let mut failing = looping(Sort::BitVec(16), |pool, [x, y, next_x, next_y]| {
        let four = pool.bv(16, 4);
        let init = [pool.bv_ule(next_x, four), pool.eq(next_y, y)];
        let step = [pool.eq(next_x, x), pool.eq(next_y, y)];
        [pool.and(&init), pool.and(&step), pool.eq(x, four)]
    });
    assert_eq!(failing.prove("backward(intervals*values)"), None);
    let factory = backend_yices::factory();
    let contexts = Contexts::new(&factory, "ALL");
    let system = failing.system.clone();
    let mut inference = Inference::new(&mut failing.pool, &system, &Suggestions::default(), contexts);
    let stages = "intervals".parse::<Spec>().expect("a choice of domains").stages;
    let (query, _) = system.queries().next().expect("a query");
    let search = (&stages[..], Search::default());
    let limits = Limits::default();
    let found = inference.reaching(&mut failing.pool, query, search, &limits).expect("an answer");
    let head = Relation::new(0);
    let (x, four) = (failing.pool.symbol("x", Sort::BitVec(16)), failing.pool.bv(16, 4));
    // A precondition has to exclude these states.
    let states = found[0].term(&mut failing.pool, head);
    let mut prover = backends::ProverFactory::new_prover(&factory, "ALL", &limits).expect("a prover");
    let is_four = failing.pool.eq(x, four);
    let differs = failing.pool.neq(states, is_four);
    prover.assert(&failing.pool, differs).expect("a formula");
    assert_eq!(
        prover.status(&failing.pool, &[]),
        backends::Status::Unsat,
        "{}",
        failing.pool.display(states)
    );
}

#[test]
fn an_interrupted_search_goes_on() {
    let mut growing = growing();
    let factory = backend_yices::factory();
    let system = growing.system.clone();
    let mut inference =
        Inference::new(&mut growing.pool, &system, &Suggestions::default(), Contexts::new(&factory, "ALL"));
    let over = Limits { deadline: Some(std::time::Instant::now()), ..Limits::default() };
    let stage = &"backward(octagons)".parse::<Spec>().expect("a choice of domains").stages[0];
    let stopped = inference.stage(&mut growing.pool, stage, Search::default(), &over);
    assert_eq!(stopped, Err(Reason::Timeout));
    assert!(inference.is_interrupted());
    let found = inference.resume(&mut growing.pool, &Limits::default()).expect("an answer");
    assert!(!inference.is_interrupted());
    let facts = &found.at[Relation::new(0)];
    assert!(facts.iter().any(|&fact| growing.pool.op(fact) != Op::True), "{facts:?}");
}

#[test]
fn a_direction_belongs_to_a_stage() {
    let text = "intervals,backward(octagons*values),backward(paths(zones))";
    let spec: Spec = text.parse().expect("a choice of domains");
    let shown: Vec<String> = spec.stages.iter().map(DomainSpec::to_string).collect();
    assert_eq!(shown.join(","), text);
    for text in [
        "backward",
        "backward(",
        "backward(segments(values))",
        "paths(backward(zones))",
        "backward(zones)*values",
    ] {
        assert!(text.parse::<Spec>().is_err(), "{text}");
    }
    let beside = spec.stages[1].beside(DomainSpec::Hulls);
    assert_eq!(beside.to_string(), "backward(hulls*octagons*values)");
}
