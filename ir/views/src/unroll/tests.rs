use super::sample::{array, counting, diamonds, recursive};
use super::*;

fn free() -> impl FnMut() -> bool {
    || false
}

fn step(unroller: &mut Unroller<'_>, pool: &mut TermPool, bound: u32) -> Step {
    let mut never = free();
    unroller.step(
        pool,
        &Bounds::exactly(bound),
        &mut Limits { instances: u64::MAX, is_cancelled: &mut never },
    )
}

#[test]
fn a_concrete_loop_folds_away() {
    let mut pool = TermPool::new();
    let program = counting(&mut pool, Some(10), 10);
    let mut unroller = Unroller::new(&mut pool, &program, Config::STANDARD).expect("set up");
    let early = step(&mut unroller, &mut pool, 10);
    assert_eq!((early.errors.len(), early.frontier.len()), (0, 1));
    assert_eq!(early.frontier[0].guard, pool.tru());
    let late = step(&mut unroller, &mut pool, 11);
    assert_eq!((late.errors.len(), late.frontier.len()), (1, 0));
    assert_eq!(late.errors[0].guard, pool.tru());
}

#[test]
fn a_step_costs_the_same_whatever_the_bound() {
    let mut pool = TermPool::new();
    let program = counting(&mut pool, None, 1000);
    let mut unroller = Unroller::new(&mut pool, &program, Config::STANDARD).expect("set up");
    let mut costs = Vec::new();
    for bound in 1..200 {
        let (instances, terms) = (unroller.statistics().instances, pool.len());
        let found = step(&mut unroller, &mut pool, bound);
        assert_eq!(found.frontier.len(), 1);
        costs.push((unroller.statistics().instances - instances, pool.len() - terms));
    }
    assert_eq!(costs[20].0, costs[190].0);
    assert!(costs[190].1 <= costs[20].1 + 2, "{costs:?}");
}

#[test]
fn an_error_is_reported_by_the_step_that_reaches_it_only() {
    let mut pool = TermPool::new();
    let program = counting(&mut pool, None, 3);
    let mut unroller = Unroller::new(&mut pool, &program, Config::STANDARD).expect("set up");
    let errors: Vec<usize> = (1..7).map(|bound| step(&mut unroller, &mut pool, bound).errors.len()).collect();
    assert_eq!(errors, [0, 0, 0, 1, 0, 0]);
}

#[test]
fn a_pruned_frontier_is_not_continued() {
    let mut pool = TermPool::new();
    let program = counting(&mut pool, None, 3);
    let mut unroller = Unroller::new(&mut pool, &program, Config::STANDARD).expect("set up");
    let first = step(&mut unroller, &mut pool, 2);
    unroller.prune(first.frontier[0].id);
    let second = step(&mut unroller, &mut pool, 8);
    assert!(second.errors.is_empty() && second.frontier.is_empty());
}

#[test]
fn joins_get_the_guard_of_the_branch_back() {
    let mut pool = TermPool::new();
    let program = diamonds(&mut pool, 10, 11);
    let mut unroller = Unroller::new(&mut pool, &program, Config::STANDARD).expect("set up");
    let found = step(&mut unroller, &mut pool, 1);
    assert_eq!(found.outcome, Outcome::Complete);
    // The guard of the error is only the comparison, without the preceding branches.
    assert!(pool.dag_size(found.errors[0].guard) < 100);
}

#[test]
fn recursion_is_unrolled_like_a_loop() {
    let mut pool = TermPool::new();
    let program = recursive(&mut pool, 2);
    let mut unroller = Unroller::new(&mut pool, &program, Config::STANDARD).expect("set up");
    let errors: Vec<usize> = (1..6).map(|bound| step(&mut unroller, &mut pool, bound).errors.len()).collect();
    assert_eq!(errors, [0, 0, 1, 0, 0]);
    let frontier = unroller.frontier_items(&mut pool);
    assert_eq!(frontier.len(), 1);
    assert!(matches!(frontier[0].cause, Some((Place::Recursion(_), 5))), "{:?}", frontier[0]);
}

#[test]
fn an_interrupted_step_is_finished_by_the_next() {
    let mut pool = TermPool::new();
    let program = diamonds(&mut pool, 10, 11);
    let mut unroller = Unroller::new(&mut pool, &program, Config::STANDARD).expect("set up");
    let mut never = free();
    let part =
        unroller.step(&mut pool, &Bounds::exactly(1), &mut Limits { instances: 7, is_cancelled: &mut never });
    assert_eq!((part.outcome, part.errors.len()), (Outcome::InstanceLimit, 0));
    assert!(!part.frontier.is_empty());
    let rest = step(&mut unroller, &mut pool, 1);
    assert_eq!((rest.outcome, rest.errors.len(), rest.frontier.len()), (Outcome::Complete, 1, 0));
    let mut other = TermPool::new();
    let program = diamonds(&mut other, 10, 11);
    let mut whole = Unroller::new(&mut other, &program, Config::STANDARD).expect("set up");
    step(&mut whole, &mut other, 1);
    assert_eq!(whole.statistics().instances, unroller.statistics().instances);
}

#[test]
fn a_hundred_thousand_iterations_need_no_stack() {
    let mut pool = TermPool::new();
    let program = counting(&mut pool, Some(100_000), 100_000);
    let mut unroller = Unroller::new(&mut pool, &program, Config::STANDARD).expect("set up");
    let found = step(&mut unroller, &mut pool, u32::MAX);
    assert_eq!((found.errors.len(), found.frontier.len()), (1, 0));
    assert_eq!(found.errors[0].guard, pool.tru());
}

#[test]
fn deep_recursion_needs_no_stack() {
    let mut pool = TermPool::new();
    let program = recursive(&mut pool, 20_000);
    let mut unroller = Unroller::new(&mut pool, &program, Config::STANDARD).expect("set up");
    let found = step(&mut unroller, &mut pool, 20_000);
    assert_eq!((found.outcome, found.frontier.len()), (Outcome::Complete, 1));
    assert_eq!(unroller.statistics().activations, 20_001);
}

#[test]
fn memory_is_a_term() {
    let mut pool = TermPool::new();
    let program = array(&mut pool);
    let mut unroller = Unroller::new(&mut pool, &program, Config::STANDARD).expect("set up");
    let found = step(&mut unroller, &mut pool, 1);
    assert_eq!(found.errors.len(), 1);
    // The index is checked before; the solver has to prove that the access is in bounds.
    let [access] = &found.unsupported[..] else { panic!("{:?}", found.unsupported) };
    assert_eq!(access.cause, UnsupportedCause::OutOfBounds);
    for i in [0, 3, 4, 5, u64::from(u32::MAX)] {
        let value = pool.bv(32, i);
        let guard = pool.map_leaves(access.guard, &mut |_, _| Some(value));
        assert_eq!(pool.as_bool(guard), Some(false), "i = {i}");
    }
}

/// The visits of the only loop of the program.
fn visits(unroller: &Unroller<'_>) -> u32 {
    let visits = unroller.visits();
    assert_eq!(visits.len(), 1, "{visits:?}");
    visits.into_values().next().expect("there is a loop")
}

#[test]
fn iterations_that_constants_decide_are_free() {
    let mut pool = TermPool::new();
    let program = counting(&mut pool, Some(10), 10);
    let mut unroller = Unroller::new(&mut pool, &program, Config::STANDARD).expect("set up");
    let mut never = free();
    let mut limits = Limits { instances: u64::MAX, is_cancelled: &mut never };
    let few = Bounds { free: 6, ..Bounds::exactly(1) };
    let found = unroller.step(&mut pool, &few, &mut limits);
    assert_eq!((found.errors.len(), found.frontier.len(), visits(&unroller)), (0, 1, 6));
    assert!(matches!(found.frontier[0].cause, Some((Place::Loop(..), 6))));
    let many = Bounds { free: 100, ..Bounds::exactly(7) };
    let found = unroller.step(&mut pool, &many, &mut limits);
    assert_eq!((found.errors.len(), found.frontier.len(), visits(&unroller)), (1, 0, 11));
}

#[test]
fn iterations_that_inputs_decide_are_not_free() {
    let mut pool = TermPool::new();
    let program = counting(&mut pool, None, 3);
    let mut unroller = Unroller::new(&mut pool, &program, Config::STANDARD).expect("set up");
    let mut never = free();
    let mut limits = Limits { instances: u64::MAX, is_cancelled: &mut never };
    unroller.step(&mut pool, &Bounds { free: 100, ..Bounds::exactly(2) }, &mut limits);
    assert_eq!(visits(&unroller), 2);
}

#[test]
fn only_the_place_with_a_larger_bound_is_continued() {
    let mut pool = TermPool::new();
    let program = counting(&mut pool, None, 3);
    let mut unroller = Unroller::new(&mut pool, &program, Config::STANDARD).expect("set up");
    let first = step(&mut unroller, &mut pool, 2);
    let (place, _) = first.frontier[0].cause.expect("the loop was cut off");
    let mut never = free();
    let mut limits = Limits { instances: u64::MAX, is_cancelled: &mut never };
    let other = Place::Recursion(place.function());
    let bounds = Bounds { at: [(other, Bound::Counted(9))].into(), ..Bounds::exactly(2) };
    let found = unroller.step(&mut pool, &bounds, &mut limits);
    assert_eq!((visits(&unroller), found.frontier), (2, first.frontier));
    let bounds = Bounds { at: [(place, Bound::Exact(5))].into(), free: 100, ..Bounds::exactly(2) };
    unroller.step(&mut pool, &bounds, &mut limits);
    assert_eq!(visits(&unroller), 5);
}
