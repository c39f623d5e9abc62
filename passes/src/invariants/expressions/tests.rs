//! Facts of programs in the text form of the IR, in several encodings.

use super::super::tests::parsed;
use super::super::{AuxiliaryInvariants, Improvement, InOrder, Search, Stage, Templates, is_inductive};
use super::*;
use encode::Encoding;
use horn::Relation;
use terms::entity::Entity;

const ENCODINGS: [Encoding; 2] = [Encoding::QfAbvfp, Encoding::QfAuflira];

/// A program whose entry calls `goto b1(start)` and whose loop head `b1` has these parameters; the
/// other blocks are given.
fn program(start: &str, parameters: &str, blocks: &str) -> String {
    format!(
        "machine 32
entry f0
property p0 reach-call \"call of reach_error\"
function f0 \"main\" () {{
  block b0:
    goto b1({start})
  block b1({parameters}):
{blocks}
}}
"
    )
}

/// `x` is set to 5 or 0, as often as the environment chooses.
fn switch(error: &str) -> String {
    program(
        "#x00",
        "v0: u8 \"x\"",
        &format!(
            "    branch {error} then b4 else b2
  block b2:
    v1: u8 \"c\" = havoc input \"__VERIFIER_nondet_uchar\"
    branch (= v1 #x00) then b1(#x05) else b3
  block b3:
    branch (= v1 #x01) then b1(#x00) else b1(v0)
  block b4:
    error p0"
        ),
    )
}

/// The facts that the source finds in all its iterations.
fn found(pool: &mut TermPool, text: &str, encoding: Encoding) -> (TransitionSystem, Vec<Fact>) {
    let (program, mut system) = parsed(pool, text, encoding);
    let factory = backend_yices::factory();
    let stages = Stage::EXPRESSIONS.to_vec();
    let source = Templates::new(program, &factory, stages, Search::default());
    let mut sources = InOrder::new(vec![Box::new(source)]);
    while sources.improve(pool, &mut system, &Limits::default()) == Improvement::Stronger {}
    let facts = sources.current().to_vec();
    assert!(is_inductive(pool, &system, &factory, &[], &facts, &Limits::default()));
    (system, facts)
}

/// Checks that the facts about the first loop head entail a formula over its variables, in each
/// encoding.
fn entails(text: &str, formula: impl Fn(&mut TermPool, &[Term]) -> Term) {
    for encoding in ENCODINGS {
        let mut pool = TermPool::new();
        let (system, facts) = found(&mut pool, text, encoding);
        let at = Relation::new(0);
        let variables: Vec<Term> = system.source.relations[at].symbols().collect();
        let goal = formula(&mut pool, &variables);
        let goal = encode(&mut pool, &system, goal).expect("it has an encoding");
        let mut query: Vec<Term> =
            facts.iter().filter(|fact| fact.at == at).map(|fact| fact.formula).collect();
        let shown: Vec<String> = query.iter().map(|&fact| pool.display(fact).to_string()).collect();
        query.extend([pool.not(goal), system.ranges[at]]);
        let factory = backend_yices::factory();
        let mut prover =
            backends::ProverFactory::new_prover(&factory, system.theories.logic(), &Limits::default())
                .expect("a prover");
        assert_eq!(prover.status(&pool, &query), backends::Status::Unsat, "{encoding}: {shown:?}");
    }
}

#[test]
fn two_values_are_a_disjunction() {
    entails(&switch("(= v0 #x03)"), |pool, variables| {
        let [zero, five] = [0, 5].map(|value| pool.bv(8, value));
        let equations = [pool.eq(variables[0], zero), pool.eq(variables[0], five)];
        pool.or(&equations)
    });
}

/// Neither variable is assigned the other.
#[test]
fn counters_in_step_have_an_equation() {
    let step = |x: &str, y: &str| {
        program(
            "#x00, #x01",
            "v0: u8 \"x\", v1: u8 \"y\"",
            &format!(
                "    v2: u8 \"c\" = havoc input \"__VERIFIER_nondet_uchar\"
    branch (= v2 #x00) then b2 else b1({x}, {y})
  block b2:
    branch (= v1 v0) then b3 else b1(v0, v1)
  block b3:
    error p0"
            ),
        )
    };
    entails(&step("(bvadd v0 #x01)", "(bvadd v1 #x01)"), |pool, variables| {
        let one = pool.bv(8, 1);
        let sum = pool.bv_add(variables[0], one);
        pool.eq(variables[1], sum)
    });
    entails(&step("(bvadd v0 #x01)", "(bvadd v1 #x02)"), |pool, variables| {
        let [one, two] = [1, 2].map(|value| pool.bv(8, value));
        let twice = pool.bv_mul(two, variables[0]);
        let sum = pool.bv_add(twice, one);
        pool.eq(variables[1], sum)
    });
}

/// `y` is assigned `x + 1` or `x + 3`, for any `x`.
#[test]
fn an_assignment_is_an_equation_with_an_offset() {
    let text = program(
        "#x00, #x01",
        "v0: u8 \"x\", v1: u8 \"y\"",
        "    v2: u8 \"x\" = havoc input \"__VERIFIER_nondet_uchar\"
    branch (= v1 v0) then b3 else b2
  block b2:
    branch (bvult v2 #x64) then b1(v2, (bvadd v2 #x01)) else b1(v2, (bvadd v2 #x03))
  block b3:
    error p0",
    );
    entails(&text, |pool, variables| {
        let sums = [1, 3].map(|value| {
            let value = pool.bv(8, value);
            let sum = pool.bv_add(variables[0], value);
            pool.eq(variables[1], sum)
        });
        pool.or(&sums)
    });
}

/// A flag tells which of two values another variable has.
#[test]
fn important_variables_distinguish_states() {
    let text = program(
        "#x00, #x14",
        "v0: u8 \"flag\", v1: u8 \"x\"",
        "    branch (and (= v0 #x01) (= v1 #x14)) then b3 else b2
  block b2:
    branch (= v0 #x00) then b1(#x01, #x0a) else b1(#x00, #x14)
  block b3:
    error p0",
    );
    entails(&text, |pool, variables| {
        let [zero, one, ten, twenty] = [0, 1, 10, 20].map(|value| pool.bv(8, value));
        let cases = [(zero, twenty), (one, ten)].map(|(flag, x)| {
            let case = [pool.eq(variables[0], flag), pool.eq(variables[1], x)];
            pool.and(&case)
        });
        pool.or(&cases)
    });
}

/// A counter that wraps around: unsigned bounds of the sum are wrong, and no fact is lost in the
/// encoding.
#[test]
fn sums_wrap_around() {
    let text = program(
        "#xfe",
        "v0: u8 \"x\"",
        "    branch (= v0 #x10) then b3 else b2
  block b2:
    branch (= v0 #x02) then b1(#xfe) else b1((bvadd v0 #x01))
  block b3:
    error p0",
    );
    entails(&text, |pool, variables| {
        let [low, high] = [0xfe, 2].map(|value| pool.bv(8, value));
        let bounds = [pool.bv_sle(low, variables[0]), pool.bv_sle(variables[0], high)];
        pool.and(&bounds)
    });
}

/// A loop head whose important variable has too many values.
#[test]
fn a_counter_is_no_longer_important() {
    let text = program(
        "#x00, #x03",
        "v0: u8 \"i\", v1: u8 \"x\"",
        "    branch (= v0 #xff) then b3 else b2
  block b2:
    branch (= v1 #x03) then b1((bvadd v0 #x01), #x07) else b1((bvadd v0 #x01), #x03)
  block b3:
    branch (= v1 #x05) then b4 else b1(#x00, #x03)
  block b4:
    error p0",
    );
    entails(&text, |pool, variables| {
        let [three, seven] = [3, 7].map(|value| pool.bv(8, value));
        let equations = [pool.eq(variables[1], three), pool.eq(variables[1], seven)];
        pool.or(&equations)
    });
}

#[test]
fn the_precision_grows() {
    let mut pool = TermPool::new();
    let (_, system) = parsed(&mut pool, &switch("(= v0 #x00)"), Encoding::QfAbvfp);
    let mut search = Expressions::new(&mut pool, &system);
    let mut seen = Vec::new();
    loop {
        let precision = &search.precision;
        seen.push((precision.important.len(), precision.depth, precision.joins == Joins::Widened));
        if search.next(&mut pool, &system, &Limits::default()).expect("no limit").is_last {
            break;
        }
    }
    assert_eq!(seen, [(0, 1, true), (1, 2, true), (1, 3, false), (1, 4, false)]);
    // Once no query is reached, the search ends.
    let (_, system) = parsed(&mut pool, &switch("(= v0 #x03)"), Encoding::QfAbvfp);
    let mut search = Expressions::new(&mut pool, &system);
    assert!(!search.next(&mut pool, &system, &Limits::default()).expect("no limit").is_last);
    assert!(search.next(&mut pool, &system, &Limits::default()).expect("no limit").is_last);
}

#[test]
fn limits_end_the_search() {
    let mut pool = TermPool::new();
    let (_, system) = parsed(&mut pool, &switch("(= v0 #x03)"), Encoding::QfAbvfp);
    let late = Limits { deadline: Some(std::time::Instant::now()), ..Limits::default() };
    assert!(Expressions::new(&mut pool, &system).next(&mut pool, &system, &late).is_err());
}
