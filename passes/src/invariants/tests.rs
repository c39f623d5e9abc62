use super::cases::cases;
use super::houdini::{Prepared, inductive};
use super::simulation::simulate;
use super::*;
use crate::transform::{Pipeline, ViewLimits, prepare_for_views};
use backends::{ProverFactory, Status};
use encode::{Encoding, Theories};
use program::ssa::Program;
use program::testing::{Graph, Memory, Shape, random_program};
use program::text::parse_text;
use std::time::{Duration, Instant};
use terms::entity::Entity;
use terms::{Assignment, Completion, Evaluator, Value};

fn system(
    pool: &mut TermPool,
    mut program: Program,
    encoding: Encoding,
) -> Option<(Program, TransitionSystem)> {
    prepare_for_views(pool, &mut program, ViewLimits::default(), &Pipeline::none()).ok()?;
    let system = TransitionSystem::new(pool, &program, Theories::of(encoding)).ok()?;
    Some((program, system))
}

fn small(pool: &mut TermPool, seed: u64) -> Program {
    let memory = if seed.is_multiple_of(2) { Memory::None } else { Memory::All };
    random_program(pool, seed, &Shape { graph: Graph::Reducible, memory, max_width: 16, ..Shape::SMALL })
}

/// `i` counts to 10 and starts again; `j` is always twice as large.
const COUNTERS: &str = "machine 32
entry f0
property p0 reach-call \"call of reach_error\"
function f0 \"main\" () {
  block b0:
    goto b1(#x00, #x00)
  block b1(v0: u8 \"i\", v1: u8 \"j\"):
    branch (bvult v0 #x0a) then b1((bvadd v0 #x01), (bvadd v1 #x02)) else b2
  block b2:
    v2: u8 \"c\" = havoc input \"__VERIFIER_nondet_uchar\"
    branch (= v2 #x00) then b1(#x00, #x00) else b3
  block b3:
    branch (= v1 #x15) then b4 else b1(v0, v1)
  block b4:
    error p0
}
";

fn counters(pool: &mut TermPool, encoding: Encoding) -> (Program, TransitionSystem) {
    let program = parse_text(pool, COUNTERS).unwrap_or_else(|error| panic!("{error}"));
    system(pool, program, encoding).expect("it has a transition system")
}

/// The symbols of `i` and `j` in block formulas.
fn variables(system: &TransitionSystem) -> [Term; 2] {
    [0, 1].map(|position| system.states[Relation::new(0)].variables[position].before)
}

/// Facts about the counters: two that are inductive, one that is so relative to them, one that is
/// not, one that is only together with it, and one that is false initially.
fn facts(pool: &mut TermPool, system: &TransitionSystem) -> Vec<Fact> {
    let [i, j] = variables(system);
    let [zero, two, five, ten, twenty] = [0, 2, 5, 10, 20].map(|value| pool.bv(8, value));
    let twice = pool.bv_mul(two, i);
    let formulas = [
        pool.bv_ule(i, ten),
        pool.eq(j, twice),
        pool.bv_ule(j, twenty),
        pool.bv_ule(i, five),
        pool.bv_ule(j, ten),
        pool.neq(i, zero),
    ];
    let at = Relation::new(0);
    formulas.map(|formula| Fact { at, formula: encode(pool, system, formula).expect("linear") }).to_vec()
}

#[test]
fn what_is_not_inductive_is_dropped_with_what_rests_on_it() {
    for encoding in [Encoding::QfAbvfp, Encoding::QfAuflira] {
        let mut pool = TermPool::new();
        let (_, system) = counters(&mut pool, encoding);
        let facts = facts(&mut pool, &system);
        let factory = backend_yices::factory();
        let limits = Limits::default();
        let mut prepared = Prepared::new(&mut pool, &system, &factory, &limits).expect("few transitions");
        let kept = inductive(&mut pool, &system, &mut prepared, &[], facts.clone(), &limits);
        assert_eq!(kept.expect("there is no limit"), facts[..3]);
        // The third is not inductive by itself, only relative to the others.
        let mut prepared = Prepared::new(&mut pool, &system, &factory, &limits).expect("few transitions");
        let alone = inductive(&mut pool, &system, &mut prepared, &[], vec![facts[2]], &limits);
        assert_eq!(alone.expect("there is no limit"), []);
        let relative = inductive(&mut pool, &system, &mut prepared, &facts[..2], vec![facts[2]], &limits);
        assert_eq!(relative.expect("there is no limit"), [facts[2]]);
        assert!(is_inductive(&mut pool, &system, &factory, &[], &facts[..3], &limits));
        assert!(!is_inductive(&mut pool, &system, &factory, &[], &facts[..4], &limits));
    }
}

#[test]
fn a_proof_needs_the_facts_that_its_goals_rest_on() {
    for encoding in [Encoding::QfAbvfp, Encoding::QfAuflira] {
        let mut pool = TermPool::new();
        let (_, system) = counters(&mut pool, encoding);
        let facts = facts(&mut pool, &system);
        let factory = backend_yices::factory();
        let limits = Limits::default();
        let mut part = |goals: &[usize]| needed(&mut pool, &system, &factory, &facts[..3], goals, &limits);
        assert_eq!(part(&[]), Some(vec![]));
        assert_eq!(part(&[0]), Some(vec![facts[0]]));
        // Below 20 the guard of the loop bounds `j`, together with the equation.
        assert_eq!(part(&[2]), Some(vec![facts[1], facts[2]]));
        assert_eq!(part(&[0, 2]), Some(facts[..3].to_vec()));
        let unproved = needed(&mut pool, &system, &factory, &facts[..4], &[3], &limits);
        assert_eq!(unproved, None, "the goal is not inductive");
        let late = Limits { deadline: Some(Instant::now()), ..Limits::default() };
        assert_eq!(needed(&mut pool, &system, &factory, &facts, &[0], &late), None);
    }
}

#[test]
fn simulated_states_are_those_of_runs() {
    let mut pool = TermPool::new();
    let (_, system) = counters(&mut pool, Encoding::QfAbvfp);
    let samples = simulate(&pool, &system, 1, 30);
    let mut pairs: Vec<(u64, u64)> = samples[Relation::new(0)]
        .iter()
        .map(|state| match &state[..] {
            [Value::BitVec(i), Value::BitVec(j)] => {
                (i.to_u64().expect("8 bits"), j.to_u64().expect("8 bits"))
            }
            other => panic!("two numbers, not {other:?}"),
        })
        .collect();
    pairs.sort_unstable();
    assert_eq!(pairs, (0..=10).map(|i| (i, 2 * i)).collect::<Vec<_>>());
}

#[test]
fn ranges_are_facts() {
    let mut pool = TermPool::new();
    let (program, mut system) = counters(&mut pool, Encoding::QfAbvfp);
    let factory = backend_yices::factory();
    let mut source = Intervals::new(program, &factory);
    let found = source.find(&mut pool, &mut system, &[], &Limits::default());
    let [i, _] = variables(&system);
    let ten = pool.bv(8, 10);
    let formula = pool.bv_ule(i, ten);
    let signed = pool.bv_sle(i, ten);
    assert!(found.facts.iter().any(|fact| fact.formula == formula || fact.formula == signed), "{found:?}");
    assert!(is_inductive(&mut pool, &system, &factory, &[], &found.facts, &Limits::default()));
}

/// Every source on random programs: facts hold in the states of runs, and a solver proves them
/// inductive.
#[test]
fn facts_hold_in_runs_and_are_inductive() {
    let mut count = 0;
    for seed in 0..60 {
        let mut pool = TermPool::new();
        let program = small(&mut pool, seed);
        let Some((program, mut system)) = system(&mut pool, program, Encoding::QfAbvfp) else { continue };
        let factory = backend_yices::factory();
        let mut invariants =
            InOrder::new(vec![Box::new(Intervals::new(program, &factory)), Box::new(Houdini::new(&factory))]);
        let limits = Limits { deadline: Some(Instant::now() + Duration::from_secs(1)), ..Limits::default() };
        while invariants.improve(&mut pool, &mut system, &limits) == Improvement::Stronger {}
        let facts = invariants.current();
        count += facts.len();
        let samples = simulate(&pool, &system, seed + 1000, 40);
        for fact in facts {
            for state in &samples[fact.at] {
                let mut assignment = Assignment::with_completion(Completion::Default);
                for ((_, symbol), value) in system.variables(fact.at).zip(state) {
                    assignment.set_leaf(&pool, symbol, value.clone());
                }
                let holds = Evaluator::new().eval(&pool, fact.formula, &assignment);
                assert_eq!(holds, Ok(Value::Bool(true)), "seed {seed}, {fact:?}");
            }
        }
        let limits = Limits { time: Some(Duration::from_secs(5)), ..Limits::default() };
        assert!(is_inductive(&mut pool, &system, &factory, &[], facts, &limits), "seed {seed}");
    }
    assert!(count > 100, "{count} facts");
}

/// The disjunction of the cases of a transition is equivalent to it.
#[test]
fn cases_are_the_transition() {
    let mut split = 0;
    for seed in 0..40 {
        for encoding in [Encoding::QfAbvfp, Encoding::QfAuflira] {
            let mut pool = TermPool::new();
            let program = small(&mut pool, seed);
            let Some((_, system)) = system(&mut pool, program, encoding) else { continue };
            for (transition, data) in system.system.rules() {
                let all = cases(&mut pool, &system.system, transition);
                split += usize::from(all.len() > 1);
                let mut formulas = Vec::new();
                for case in &all {
                    let mut conjuncts = case.conjuncts.clone();
                    for (&symbol, update) in &data.updates {
                        let value = case.at_end(&mut pool, symbol);
                        conjuncts.push(pool.eq(update.after, value));
                    }
                    formulas.push(pool.and(&conjuncts));
                }
                let together = pool.or(&formulas);
                let same = pool.eq(together, data.constraint);
                let differs = pool.not(same);
                let mut prover = backend_yices::factory()
                    .new_prover(Theories::of(encoding).logic(), &Limits::default())
                    .expect("a prover");
                prover.set_limits(&Limits { time: Some(Duration::from_secs(5)), ..Limits::default() });
                let status = prover.status(&pool, &[differs]);
                assert!(!matches!(status, Status::Sat), "seed {seed}, {encoding}, {transition}");
            }
        }
    }
    assert!(split > 10, "{split} transitions were split");
}

/// Finds the given facts, one in each call.
struct Given(Vec<Fact>);

impl InvariantSource for Given {
    fn name(&self) -> &'static str {
        "given"
    }

    fn find(&mut self, _: &mut TermPool, _: &mut TransitionSystem, known: &[Fact], _: &Limits) -> Found {
        assert!(self.0.iter().all(|fact| !known.contains(fact)), "known facts are not found again");
        let facts = self.0.pop().into_iter().collect();
        let rest = if self.0.is_empty() { Rest::Exhausted } else { Rest::More };
        Found { facts, rest }
    }
}

#[test]
fn sources_are_asked_one_after_the_other() {
    let mut pool = TermPool::new();
    let (_, mut system) = counters(&mut pool, Encoding::QfAbvfp);
    let head = Relation::new(0);
    let [i, j] = variables(&system);
    let facts: Vec<Fact> = [(i, 1), (i, 2), (j, 3)]
        .into_iter()
        .map(|(symbol, number)| {
            let number = pool.bv(8, number);
            Fact { at: head, formula: pool.bv_ule(symbol, number) }
        })
        .collect();
    let mut sources =
        InOrder::new(vec![Box::new(Given(vec![facts[1], facts[0]])), Box::new(Given(vec![facts[2]]))]);
    for count in 0..3 {
        assert_eq!(sources.current(), &facts[..count]);
        let improvement = sources.improve(&mut pool, &mut system, &Limits::default());
        assert_eq!(improvement, Improvement::Stronger);
    }
    assert_eq!(sources.improve(&mut pool, &mut system, &Limits::default()), Improvement::Exhausted);
    assert_eq!(sources.current(), &facts[..]);
}
