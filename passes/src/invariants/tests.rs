use super::expressions::Expressions;
use super::*;
use crate::procedures::ProcedureSystem;
use crate::transform::{Pipeline, Procedures, ViewLimits, prepare_for_views};
use backends::{ProverFactory, Status};
use encode::{Encoding, Theories};
use program::ssa::Program;
use program::testing::{Graph, Memory, Shape, random_program};
use program::text::parse_text;
use std::time::{Duration, Instant};
use terms::entity::Entity;
use views::BlockOperator;

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

/// The second loop is not reached, because `i` is at least 8 in the first.
const UNREACHED: &str = "machine 32
entry f0
property p0 reach-call \"call of reach_error\"
function f0 \"main\" () {
  block b0:
    v0: u8 \"c\" = havoc input \"__VERIFIER_nondet_uchar\"
    goto b1((bvor v0 #x08))
  block b1(v1: u8 \"i\"):
    branch (bvult v1 #x05) then b2(v1) else b1((bvor v1 #x10))
  block b2(v2: u8 \"i\"):
    branch (= v2 #xff) then b3 else b2((bvadd v2 #x01))
  block b3:
    error p0
}
";

#[test]
fn facts_do_not_rest_on_relations_without_a_state() {
    let mut pool = TermPool::new();
    let (_, system) = parsed(&mut pool, UNREACHED, Encoding::QfAbvfp);
    let heads: Vec<Relation> = system.system.relations.keys().collect();
    let &[first, second] = &heads[..] else { panic!("two loops: {heads:?}") };
    let factory = backend_yices::factory();
    let bottom = pool.fls();
    let unreached = Fact { at: second, formula: bottom };
    let at = |relation: Relation| system.states[relation].variables[0].before;
    let (before, five) = (at(first), pool.bv(8, 5));
    let large = Fact { at: first, formula: pool.bv_ule(five, before) };
    let mut check =
        |facts: &[Fact]| is_inductive(&mut pool, &system, &factory, &[], facts, &Limits::default());
    assert!(check(&[large, unreached]));
    assert!(!check(&[unreached]), "the fact about the first loop is missing");
    assert!(!check(&[large]), "a fact about the second loop is missing");
}

fn counters(pool: &mut TermPool, encoding: Encoding) -> (Program, TransitionSystem) {
    parsed(pool, COUNTERS, encoding)
}

pub(super) fn parsed(pool: &mut TermPool, text: &str, encoding: Encoding) -> (Program, TransitionSystem) {
    let program = parse_text(pool, text).unwrap_or_else(|error| panic!("{error}"));
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
fn facts_are_inductive_together_or_not_at_all() {
    for encoding in [Encoding::QfAbvfp, Encoding::QfAuflira] {
        let mut pool = TermPool::new();
        let (_, system) = counters(&mut pool, encoding);
        let facts = facts(&mut pool, &system);
        let factory = backend_yices::factory();
        let limits = Limits::default();
        let mut check = |known: &[Fact], facts: &[Fact]| {
            is_inductive(&mut pool, &system, &factory, known, facts, &limits)
        };
        assert!(check(&[], &facts[..3]));
        assert!(!check(&[], &facts[..4]), "the fourth is not inductive");
        // The third is not inductive by itself, only relative to the others.
        assert!(!check(&[], &facts[2..3]));
        assert!(check(&facts[..2], &facts[2..3]));
        assert!(!check(&[], &facts[5..]), "it is false initially");
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

fn source<'f>(program: Program, factory: &'f dyn ProverFactory, stages: Vec<Stage>) -> Templates<'f> {
    Templates::new(program, factory, stages, Search::default())
}

#[test]
fn ranges_are_facts() {
    let mut pool = TermPool::new();
    let (program, mut system) = counters(&mut pool, Encoding::QfAbvfp);
    let factory = backend_yices::factory();
    let mut source = source(program, &factory, Stage::RANGES.to_vec());
    let found = source.find(&mut pool, &mut system, &[], &Limits::default());
    let [i, _] = variables(&system);
    let ten = pool.bv(8, 10);
    let formula = pool.bv_ule(i, ten);
    let signed = pool.bv_sle(i, ten);
    assert!(found.facts.iter().any(|fact| fact.formula == formula || fact.formula == signed), "{found:?}");
    assert!(is_inductive(&mut pool, &system, &factory, &[], &found.facts, &Limits::default()));
}

/// Each fact, each transition, in one query of its own: not as a source does it.
fn refute(pool: &mut TermPool, system: &TransitionSystem, facts: &[Fact], name: &str) {
    let factory = backend_yices::factory();
    for (_, clause) in system.system.rules() {
        let at = |relation: Option<Relation>| {
            facts.iter().filter(move |fact| Some(fact.at) == relation).map(|fact| fact.formula)
        };
        let mut query: Vec<Term> = at(clause.from()).collect();
        query.push(clause.constraint);
        let goals: Vec<Term> = at(clause.to()).collect();
        let goal = pool.and(&goals);
        let goal = clause.at_head(pool, goal);
        query.push(pool.not(goal));
        let limits = Limits { time: Some(Duration::from_secs(10)), ..Limits::default() };
        let mut prover = factory.new_prover(system.theories.logic(), &limits).expect("a prover");
        assert!(!matches!(prover.status(pool, &query), Status::Sat), "{name}");
    }
}

/// All stages on random programs: a solver proves the facts inductive.
#[test]
fn facts_are_inductive() {
    let mut count = 0;
    for seed in 0..60 {
        let mut pool = TermPool::new();
        let program = small(&mut pool, seed);
        let encoding = if seed % 3 == 0 { Encoding::QfAuflira } else { Encoding::QfAbvfp };
        let Some((program, mut system)) = system(&mut pool, program, encoding) else { continue };
        let factory = backend_yices::factory();
        let spec: Spec = STANDARD.parse().expect("a choice of domains");
        let stages = Stage::RANGES.into_iter().chain(Stage::EXPRESSIONS).chain(Stage::of(&spec)).collect();
        let mut invariants = InOrder::new(vec![Box::new(source(program, &factory, stages))]);
        let limits = Limits { deadline: Some(Instant::now() + Duration::from_secs(1)), ..Limits::default() };
        while invariants.improve(&mut pool, &mut system, &limits) == Improvement::Stronger {}
        let facts = invariants.current();
        count += facts.len();
        refute(&mut pool, &system, facts, &format!("seed {seed}, {encoding}"));
    }
    assert!(count > 100, "{count} facts");
}

/// The Invariants CPA on random programs: its facts are inductive before a solver selects them.
#[test]
fn expressions_are_inductive_in_the_exact_encoding() {
    let mut count = 0;
    for seed in 0..150 {
        let mut pool = TermPool::new();
        let program = small(&mut pool, seed);
        let Some((_, system)) = system(&mut pool, program, Encoding::QfAbvfp) else { continue };
        let mut search = Expressions::new(&mut pool, &system);
        for iteration in 0..Stage::EXPRESSIONS.len() {
            let found = search.next(&mut pool, &system, &Limits::default()).expect("no limit");
            count += found.facts.len();
            refute(&mut pool, &system, &found.facts, &format!("seed {seed}, iteration {iteration}"));
        }
    }
    assert!(count > 100, "{count} facts");
}

/// Finds the given facts, one in each call.
struct Given(Vec<Fact>);

impl InvariantSource for Given {
    fn name(&self) -> &'static str {
        "given"
    }

    fn cost(&self) -> Statistics {
        Statistics::default()
    }

    fn find(&mut self, _: &mut TermPool, _: &mut TransitionSystem, known: &[Fact], _: &Limits) -> Found {
        assert!(self.0.iter().all(|fact| !known.contains(fact)), "known facts are not found again");
        let facts = self.0.pop().into_iter().collect();
        let rest = if self.0.is_empty() { Rest::Exhausted } else { Rest::More };
        Found { facts, proof: None, rest }
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

/// A recursive function that returns its argument, and a caller that relies on it.
const RECURSIVE: &str = "machine 32
entry f0
property p0 reach-call \"call of reach_error\"
function f0 \"main\" () {
  block b0:
    v0: u8 \"x\" = havoc input \"__VERIFIER_nondet_uchar\"
    v1: u8 \"y\" = call f1(v0)
    branch (= v1 v0) then b2 else b1
  block b1:
    error p0
  block b2:
    stop exit
}
function f1 \"same\" (u8) -> u8 {
  block b0(v0: u8 \"n\"):
    branch (= v0 #x00) then b1 else b2
  block b1:
    return v0
  block b2:
    v1: u8 \"less\" = call f1((bvsub v0 #x01))
    return (bvadd v1 #x01)
}
";

/// Summaries: the strategy solver on a system with several body atoms.
#[test]
fn summaries_of_recursive_functions_are_inferred() {
    for encoding in [Encoding::QfAbvfp, Encoding::QfAuflira] {
        let mut pool = TermPool::new();
        let mut program = parse_text(&mut pool, RECURSIVE).unwrap_or_else(|error| panic!("{error}"));
        let limits = ViewLimits { procedures: Procedures::Recursive, ..ViewLimits::default() };
        prepare_for_views(&mut pool, &mut program, limits, &Pipeline::none()).expect("it is prepared");
        let theories = Theories::of(encoding);
        let procedures =
            ProcedureSystem::new(&mut pool, &program, BlockOperator::L, theories).expect("it has a system");
        let system = &procedures.system;
        assert!(!system.is_linear());
        let factory = backend_yices::factory();
        let spec: Spec = "hulls*intervals".parse().expect("a choice of domains");
        let contexts = Contexts::new(&factory, theories.logic());
        let (found, _) = inference::infer(&mut pool, system, contexts, &spec, &Limits::default())
            .expect("there is no limit");
        for clause in system.clauses.values() {
            let mut query = vec![clause.constraint];
            for (index, atom) in clause.body.iter().enumerate() {
                let invariant = found.term(&mut pool, atom.relation);
                query.push(clause.at_body(&mut pool, system, index, invariant));
            }
            let mut goal = pool.fls();
            if let Some(head) = &clause.head {
                let invariant = found.term(&mut pool, head.relation);
                goal = clause.at_head(&mut pool, invariant);
            }
            query.push(pool.not(goal));
            let mut prover = factory.new_prover(theories.logic(), &Limits::default()).expect("a prover");
            assert_eq!(prover.status(&pool, &query), Status::Unsat, "{encoding}: {}", clause.origin);
        }
    }
}
