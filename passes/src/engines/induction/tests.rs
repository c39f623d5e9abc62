use super::*;
use crate::engines::bmc::{Growth, Schedule};
use crate::engines::clauses::pdr::Pdr;
use crate::engines::clauses::templates::Templates as TemplateSearch;
use crate::evidence::Place;
use crate::invariants::{InvariantGeneration, InvariantOptions};
use backends::{HornAnswer, HornSolver};
use encode::{Encoding, Overflow, Theories};
use horn::{Interpretation, System};
use program::interp::{self, Interpreter};
use program::testing::{Graph, Memory, Shape, random_program};
use program::text::parse_text;
use std::rc::Rc;
use terms::Random;

fn config(encoding: Encoding, bound: u32, invariants: InvariantGeneration) -> Config {
    let schedule = Schedule { first: 1, growth: Growth::Linear, largest: Some(bound), free: 0 };
    let search = bmc::Config { theories: Theories::of(encoding), ..bmc::Config::new(schedule) };
    let invariants = InvariantOptions { generation: invariants, ..InvariantOptions::default() };
    Config { invariants, ..Config::new(search) }
}

fn check_with(text: &str, config: &Config) -> (String, Statistics) {
    let mut pool = TermPool::new();
    let program = parse_text(&mut pool, text).unwrap_or_else(|error| panic!("{error}"));
    let report = run(&mut pool, &program, &backend_yices::factory(), config, &mut ());
    if let Verdict::Safe(certificate) = &report.verdict {
        confirm(&mut pool, &program, certificate);
    }
    (name(&report.verdict), report.statistics)
}

/// Runs in each encoding; the results must agree.
fn check(text: &str, bound: u32, invariants: InvariantGeneration) -> String {
    let encodings = [Encoding::QfAbvfp, Encoding::QfUfbvfp, Encoding::QfUflira, Encoding::QfAuflira];
    let names = encodings.map(|encoding| check_with(text, &config(encoding, bound, invariants)).0);
    assert!(names.iter().all(|name| *name == names[0]), "encodings disagree: {names:?}");
    let [name, ..] = names;
    name
}

fn name(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Safe(Certificate::Bounded(proof)) => format!("safe at {}", proof.bound()),
        Verdict::Safe(Certificate::Inductive(_)) => "inductive".to_owned(),
        Verdict::Safe(Certificate::KInductive { k, .. }) => format!("{k}-inductive"),
        Verdict::Safe(Certificate::Summaries(_)) => "summaries".to_owned(),
        Verdict::Unsafe(trace) => format!("unsafe: {}", trace.description),
        Verdict::Unknown(reason) => format!("unknown: {reason}"),
    }
}

/// Checks a certificate independently: each obligation with a new prover and only the block
/// formulas.
fn confirm(pool: &mut TermPool, program: &Program, certificate: &Certificate) {
    let (k, invariants) = match certificate {
        Certificate::Bounded(_) => return,
        Certificate::Summaries(_) => {
            let limits = Limits::default();
            let factory = backend_yices::factory();
            let result = crate::validate::validate(pool, program, certificate, &factory, &limits);
            assert!(result.is_ok(), "{result:?}");
            return;
        }
        Certificate::Inductive(invariants) => (0, invariants),
        Certificate::KInductive { k, invariants } => (*k, invariants),
    };
    let theories = invariants.theories;
    if invariants.index.is_some() {
        let factory = backend_yices::factory();
        let validated = crate::validate::validate(pool, program, certificate, &factory, &Limits::default());
        validated.expect("the certificate is valid");
        return;
    }
    let mut prepared = program.clone();
    prepare_for_views(pool, &mut prepared, ViewLimits::default(), &invariants.pipeline)
        .expect("it was prepared before");
    let system = TransitionSystem::new(pool, &prepared, theories).expect("it was made before");
    // The certificate is over the symbols of another instance of the same system.
    let own: Vec<_> = invariants
        .symbols
        .iter()
        .map(|(&symbol, origin)| {
            let mut variables = system.states.keys().flat_map(|relation| system.variables(relation));
            let (_, own) = variables.find(|(data, _)| data.origin == *origin).expect("the same variables");
            (symbol, own)
        })
        .collect();
    let invariant = |pool: &mut TermPool, block| {
        let formula = invariants.at.get(&block).copied().unwrap_or(pool.tru());
        pool.map_leaves(formula, &mut |_, leaf| {
            own.iter().find(|(symbol, _)| *symbol == leaf).map(|(_, own)| *own)
        })
    };
    let unsat = |pool: &TermPool, formulas: &[terms::Term]| {
        let mut prover =
            backend_yices::factory().new_prover(theories.logic(), &Limits::default()).expect("a prover");
        for &formula in formulas {
            prover.assert(pool, formula).expect("it is supported");
        }
        prover.status(pool, &[]) == Status::Unsat
    };
    for (_, clause) in system.system.rules() {
        let before = match clause.from() {
            Some(relation) => invariant(pool, system.states[relation].block),
            None => pool.tru(),
        };
        let after = invariant(pool, system.states[clause.to().expect("a rule has a head")].block);
        let after = clause.at_head(pool, after);
        let violated = pool.not(after);
        assert!(unsat(pool, &[clause.constraint, before, violated]), "the invariants are not inductive");
    }
    use horn::frames::{Frames, Source};
    let (clauses, mut frames) = (&system.system, Frames::new(&system.system));
    let holds = |pool: &mut TermPool, frames: &mut Frames, frame| {
        let mut formulas = Vec::new();
        for (relation, state) in system.states.iter() {
            let formula = invariant(pool, state.block);
            let formula = frames.in_frame(pool, formula, frame);
            let is_here = frames.at(pool, clauses, relation, frame);
            formulas.push(pool.implies(is_here, formula));
        }
        formulas
    };
    let mut step = frames.end(pool, clauses, Source::Relations, 0);
    step.extend(holds(pool, &mut frames, 0));
    for frame in 1..=k {
        step.extend(frames.transition(pool, clauses, Source::Relations, (frame, frame - 1)));
        step.extend(holds(pool, &mut frames, frame));
    }
    assert!(unsat(pool, &step), "the step case does not hold");
    let entry = frames.end(pool, clauses, Source::Entry, 0);
    assert!(unsat(pool, &entry), "an end follows the start");
    let mut initial = Vec::new();
    for frame in 1..=k {
        let source = if frame == 1 { Source::Entry } else { Source::Relations };
        initial.extend(frames.transition(pool, clauses, source, (frame - 1, frame)));
        let end = frames.end(pool, clauses, Source::Relations, frame);
        assert!(unsat(pool, &[&initial[..], &end[..]].concat()), "an end follows {frame} transitions");
    }
}

/// `i` counts from 0 without end by `step`, with an error if it is `bad` after the step.
fn endless(step: u32, bad: u32) -> String {
    format!(
        "machine 32
entry f0
property p0 reach-call \"call of reach_error\"
function f0 \"main\" () {{
  block b0:
    goto b1(#x00000000)
  block b1(v0: u32 \"i\"):
    v1: u32 \"i\" = (bvadd v0 #x{step:08x})
    branch (= v1 #x{bad:08x}) then b2 else b1(v1)
  block b2:
    error p0
}}
"
    )
}

#[test]
fn what_an_error_depends_on_modulo_a_power_of_two_is_found() {
    assert_eq!(check(&endless(2, 7), 3, InvariantGeneration::All), "inductive");
}

#[test]
fn without_invariants_the_bound_is_reached() {
    assert_eq!(check(&endless(2, 7), 3, InvariantGeneration::None), "unknown: bound 3 reached");
    assert_eq!(check(&endless(2, 7), 3, InvariantGeneration::Intervals), "unknown: bound 3 reached");
}

#[test]
fn an_error_is_found_by_the_base_case() {
    assert_eq!(check(&endless(2, 8), 10, InvariantGeneration::All), "unsafe: call of reach_error");
    // The error is beyond the bound, so the answer must be UNKNOWN.
    assert_eq!(check(&endless(2, 8), 3, InvariantGeneration::All), "unknown: bound 3 reached");
}

/// Values rotate through a ring of `length` variables, where the first is 1 and the others 0; an
/// error if the first two are both 1.
fn ring(length: usize) -> String {
    let list = |f: &dyn Fn(usize) -> String| (0..length).map(f).collect::<Vec<_>>().join(", ");
    let start = list(&|i| format!("#x0{}", u8::from(i == 0)));
    let parameters = list(&|i| format!("v{i}: u8"));
    let rotated = list(&|i| format!("v{}", (i + 1) % length));
    format!(
        "machine 32
entry f0
property p0 reach-call \"call of reach_error\"
function f0 \"main\" () {{
  block b0:
    goto b1({start})
  block b1({parameters}):
    branch (and (= v0 #x01) (= v1 #x01)) then b2 else b1({rotated})
  block b2:
    error p0
}}
"
    )
}

#[test]
fn k_grows_until_the_property_is_inductive() {
    // Neighbors that are both 1 come to the front after at most 3 steps.
    for (bound, expected) in [(3, "unknown: bound 3 reached"), (4, "4-inductive"), (6, "4-inductive")] {
        assert_eq!(check(&ring(4), bound, InvariantGeneration::None), expected);
    }
}

/// A cell of a memory keeps its value, while the loop writes to another one.
const CELLS: &str = "machine 32
entry f0
region r0 \"memory\" bytes
object o0 \"a\" size 8 align 4 regions r0
property p0 reach-call \"call of reach_error\"
function f0 \"main\" () {
  block b0:
    v0: ptr \"&a\" = address-of o0
    goto b1
  block b1:
    store r0 [v0] u32 #x00000001
    goto b2
  block b2:
    v1: u32 \"c\" = havoc input \"__VERIFIER_nondet_uint\"
    branch (= v1 #x00000000) then b4 else b3
  block b3:
    v2: u32 = load r0 [v0]
    branch (= v2 #x00000001) then b5 else b6
  block b4:
    stop exit
  block b5:
    store r0 [(bvadd v0 #x00000004)] u32 v1
    goto b2
  block b6:
    error p0
}
";

#[test]
fn memory_as_functions_has_a_step_case_over_arrays() {
    assert_eq!(check(CELLS, 3, InvariantGeneration::None), "inductive");
}

/// Two nested loops: `i` and `j` count together, and the inner loop adds to both.
const NESTED: &str = "machine 32
entry f0
property p0 reach-call \"call of reach_error\"
function f0 \"main\" () {
  block b0:
    goto b1(#x00000000, #x00000000)
  block b1(v0: u32 \"i\", v1: u32 \"j\"):
    v2: u8 \"c\" = havoc input \"__VERIFIER_nondet_uchar\"
    branch (= v2 #x00) then b4 else b2(v0, v1)
  block b2(v3: u32 \"i\", v4: u32 \"j\"):
    v5: u8 \"d\" = havoc input \"__VERIFIER_nondet_uchar\"
    branch (= v5 #x00) then b1((bvadd v3 #x00000001), (bvadd v4 #x00000001)) else b3
  block b3:
    goto b2((bvadd v3 v4), (bvadd v4 v3))
  block b4:
    branch (= v0 v1) then b5 else b6
  block b5:
    stop exit
  block b6:
    error p0
}
";

#[test]
fn nested_loops_are_one_transition_system() {
    assert_eq!(check(NESTED, 2, InvariantGeneration::All), "inductive");
    assert_eq!(check(NESTED, 2, InvariantGeneration::None), "unknown: bound 2 reached");
    // The inner loop adds different numbers.
    let broken = NESTED.replace("(bvadd v4 #x00000001)) else b3", "(bvadd v4 #x00000002)) else b3");
    assert_eq!(check(&broken, 4, InvariantGeneration::All), "unsafe: call of reach_error");
}

/// A bounded counter in a range that the interval analysis finds; the error is outside.
#[test]
fn intervals_are_enough_for_bounds() {
    let text = "machine 32
entry f0
property p0 reach-call \"call of reach_error\"
function f0 \"main\" () {
  block b0:
    goto b1(#x00000000)
  block b1(v0: i32 \"i\"):
    v1: u8 \"c\" = havoc input \"__VERIFIER_nondet_uchar\"
    branch (= v1 #x00) then b2 else b3
  block b2:
    branch (bvslt v0 #x00000064) then b1((bvadd v0 #x00000001)) else b1(#x00000000)
  block b3:
    branch (bvslt #x00000064 v0) then b4 else b1(v0)
  block b4:
    error p0
}
";
    assert_eq!(check(text, 2, InvariantGeneration::Intervals), "inductive");
    assert_eq!(check(text, 2, InvariantGeneration::None), "1-inductive");
}

/// `x` alternates between 3 and 7 while the environment chooses; the error is between them.
#[test]
fn expressions_prove_a_hole_between_two_values() {
    let text = "machine 32
entry f0
property p0 reach-call \"call of reach_error\"
function f0 \"main\" () {
  block b0:
    goto b1(#x00000003)
  block b1(v0: i32 \"x\"):
    v1: u8 \"c\" = havoc input \"__VERIFIER_nondet_uchar\"
    branch (= v1 #x00) then b2 else b3
  block b2:
    branch (= v0 #x00000003) then b1(#x00000007) else b1((bvsub v0 #x00000004))
  block b3:
    branch (= v0 #x00000005) then b4 else b1(v0)
  block b4:
    error p0
}
";
    assert_eq!(check(text, 2, InvariantGeneration::Expressions), "inductive");
    assert_eq!(check(text, 2, InvariantGeneration::Intervals), "unknown: bound 2 reached");
    assert_eq!(check(text, 2, InvariantGeneration::None), "unknown: bound 2 reached");
}

#[test]
fn an_unsupported_construct_is_an_end() {
    let text = endless(2, 7)
        .replace("    error p0", "    unsupported u0")
        .replace("function f0", "unsupported u0 \"inline assembly\"\nfunction f0");
    assert_eq!(check(&text, 3, InvariantGeneration::All), "inductive");
    let text = text.replace("#x00000007", "#x00000008");
    let verdict = check(&text, 6, InvariantGeneration::All);
    assert_eq!(verdict, "unknown: unsupported: inline assembly");
}

#[test]
fn an_over_approximated_value_makes_no_proof_and_no_error() {
    let text =
        endless(2, 7).replace("branch (= v1", "v2: u32 = havoc approximation \"sin\"\n    branch (= v2");
    assert_eq!(
        check(&text, 3, InvariantGeneration::All),
        "unknown: error only through an approximation: sin"
    );
}

/// `main` calls `f(0)` and reaches an error if the result is `wrong`.
fn with_recursion(wrong: u32, body: &str) -> String {
    format!(
        "machine 32
entry f0
property p0 reach-call \"call of reach_error\"
function f0 \"main\" () {{
  block b0:
    v0: u32 = call f1(#x00000000)
    branch (= v0 #x{wrong:08x}) then b1 else b2
  block b1:
    error p0
  block b2:
    stop exit
}}
function f1 \"f\" (u32) -> u32 {{
{body}}}
"
    )
}

#[test]
fn a_function_that_never_returns_reaches_no_error_behind_its_call() {
    let body = "  block b0(v0: u32):
    v1: u32 = call f1((bvadd v0 #x00000002))
    return v1
";
    let text = with_recursion(1, body);
    let (verdict, statistics) = check_with(&text, &config(Encoding::QfAbvfp, 3, InvariantGeneration::All));
    assert_eq!(verdict, "summaries");
    assert_eq!((statistics.procedures, statistics.no_step_case), (1, None));
    let (verdict, statistics) = check_with(&text, &config(Encoding::QfAbvfp, 3, InvariantGeneration::None));
    assert_eq!(verdict, "unknown: bound 3 reached");
    assert!(statistics.no_step_case.expect("there are no templates").contains("templates"));
}

/// `f(n)` is `n < 2000 ? f(n + 2) : n` with an input in between, so that it may also return early.
const EARLY: &str = "  block b0(v0: u32):
    v1: u32 = havoc input \"nondet\"
    branch (or (= v1 #x00000007) (not (bvult v0 #x000007d0))) then b1 else b2
  block b1:
    return v0
  block b2:
    v2: u32 = call f1((bvadd v0 #x00000002))
    return v2
";

#[test]
fn summaries_exclude_what_no_call_returns() {
    for (wrong, expected) in [(7, "summaries"), (2002, "summaries"), (8, "unsafe: call of reach_error")] {
        assert_eq!(check(&with_recursion(wrong, EARLY), 8, InvariantGeneration::All), expected, "{wrong}");
    }
}

#[test]
fn where_overflow_is_ignored_congruences_prove_what_intervals_do_not() {
    for (generation, expected) in [
        (InvariantGeneration::None, "unknown: bound 3 reached"),
        (InvariantGeneration::Intervals, "unknown: bound 3 reached"),
        (InvariantGeneration::Templates, "inductive"),
        (InvariantGeneration::All, "inductive"),
    ] {
        let mut config = config(Encoding::QfUflira, 3, generation);
        config.search.theories.overflow = Overflow::Ignore;
        let (verdict, _) = check_with(&endless(2, 7), &config);
        assert_eq!(verdict, expected, "{generation}");
    }
}

#[test]
fn the_step_case_goes_no_further_than_it_is_told() {
    let mut config = config(Encoding::QfAbvfp, 6, InvariantGeneration::None);
    config.largest_k = Some(2);
    let (verdict, statistics) = check_with(&ring(4), &config);
    assert_eq!((verdict.as_str(), statistics.k), ("unknown: bound 6 reached", 2));
}

/// Two loops, `while (*) a = bump(a)` and `while (b < a) b = bump(b)`, where `bump` counts up to
/// `most`; an error if `b` is more than `allowed` at the end.
fn bumps(most: u32, allowed: u32) -> String {
    format!(
        "machine 32
entry f0
property p0 reach-call \"call of reach_error\"
function f0 \"main\" () {{
  block b0:
    goto b1(#x00000000)
  block b1(v0: u32 \"a\"):
    v1: u8 \"c\" = havoc input \"nondet\"
    branch (= v1 #x00) then b3(#x00000000) else b2
  block b2:
    v2: u32 = call f1(v0)
    goto b1(v2)
  block b3(v3: u32 \"b\"):
    branch (bvult v3 v0) then b4 else b5
  block b4:
    v4: u32 = call f1(v3)
    goto b3(v4)
  block b5:
    branch (bvult #x{allowed:08x} v3) then b6 else b7
  block b6:
    error p0
  block b7:
    stop exit
}}
function f1 \"bump\" (u32) -> u32 {{
  block b0(v0: u32 \"x\"):
    branch (bvult v0 #x{most:08x}) then b1 else b2
  block b1:
    return (bvadd v0 #x00000001)
  block b2:
    return v0
}}
"
    )
}

/// The engines of the library.
fn engines() -> Vec<Rc<dyn HornSolver>> {
    let yices = || -> Rc<dyn ProverFactory> { Rc::new(backend_yices::factory()) };
    let interpolators = Some(backend_craig::proof_interpolator());
    vec![Rc::new(Pdr { factory: yices(), interpolators }), Rc::new(TemplateSearch { factory: yices() })]
}

/// Engines for Horn clauses in place of the step case.
fn with_engines(encoding: Encoding, solvers: Vec<Rc<dyn HornSolver>>) -> Config {
    let engines = Engines { solvers, checkers: vec![Rc::new(backend_craig::factory())] };
    Config { method: Method::Clauses(engines), ..config(encoding, 6, InvariantGeneration::None) }
}

/// Runs engines for Horn clauses in two encodings; the results must agree.
fn check_with_engines(text: &str) -> String {
    let [bits, numbers] = [Encoding::QfAbvfp, Encoding::QfAuflira]
        .map(|encoding| check_with(text, &with_engines(encoding, engines())).0);
    assert_eq!(bits, numbers);
    bits
}

#[test]
fn engines_for_horn_clauses_find_summaries_of_recursion() {
    for (wrong, expected) in [(2002, "summaries"), (8, "unsafe: call of reach_error")] {
        assert_eq!(check_with_engines(&with_recursion(wrong, EARLY)), expected, "{wrong}");
    }
}

#[test]
fn a_function_that_is_called_in_loops_gets_a_contract() {
    let mut pool = TermPool::new();
    let program = parse_text(&mut pool, &bumps(100, 100)).expect("a program");
    let config = with_engines(Encoding::QfAbvfp, engines());
    let report = run(&mut pool, &program, &backend_yices::factory(), &config, &mut ());
    let Verdict::Safe(certificate) = &report.verdict else { panic!("{:?}", report.verdict) };
    confirm(&mut pool, &program, certificate);
    let Certificate::Summaries(summaries) = certificate else { panic!("{certificate:?}") };
    let postconditions = summaries.at.keys().filter(|(_, place)| *place == Place::Exit);
    assert_eq!(postconditions.count(), 1);
    let clauses = report.statistics.clauses.expect("the engines ran");
    assert!(clauses.proved_by.is_some(), "{clauses:?}");
    assert_eq!(check_with_engines(&bumps(100, 100)), "summaries");
    assert_eq!(check_with_engines(&bumps(2, 1)), "unsafe: call of reach_error");
}

/// With one iteration, the base case finds no error.
#[test]
fn derivations_are_replayed_as_runs() {
    for encoding in [Encoding::QfAbvfp, Encoding::QfAuflira] {
        for text in [with_recursion(8, EARLY), bumps(4, 3)] {
            let shallow = |config: Config| {
                let schedule = Schedule { first: 1, growth: Growth::Linear, largest: Some(1), free: 0 };
                Config { search: bmc::Config { schedule, ..config.search.clone() }, ..config }
            };
            let (verdict, statistics) = check_with(&text, &shallow(with_engines(encoding, engines())));
            assert_eq!(verdict, "unsafe: call of reach_error", "{encoding}: {statistics:?}");
            let clauses = statistics.clauses.expect("the engines ran");
            assert!(clauses.refuted_by.is_some() && clauses.proved_by.is_none(), "{clauses:?}");
            let pdr = config(encoding, 1, InvariantGeneration::None);
            let (verdict, statistics) = check_with(&text, &Config { method: Method::Reachability, ..pdr });
            assert_eq!(verdict, "unsafe: call of reach_error", "{encoding}: {statistics:?}");
        }
    }
}

/// An engine with a fixed answer.
struct Answering(fn(&System, &mut TermPool) -> HornAnswer);

impl HornSolver for Answering {
    fn name(&self) -> &'static str {
        "answering"
    }

    fn solver(&self) -> &'static str {
        "none"
    }

    fn solve(&self, pool: &mut TermPool, system: &System, _: &Limits) -> HornAnswer {
        (self.0)(system, pool)
    }
}

#[test]
fn wrong_answers_of_engines_are_no_verdicts() {
    let all_true = |system: &System, pool: &mut TermPool| {
        HornAnswer::Satisfiable(Interpretation::constant(system, pool.tru()))
    };
    let all_false = |system: &System, pool: &mut TermPool| {
        HornAnswer::Satisfiable(Interpretation::constant(system, pool.fls()))
    };
    let no_facts = |_: &System, _: &mut TermPool| HornAnswer::Unsatisfiable(Vec::new());
    let wrong: Vec<Rc<dyn HornSolver>> =
        vec![Rc::new(Answering(all_true)), Rc::new(Answering(all_false)), Rc::new(Answering(no_facts))];
    let safe = bumps(100, 100);
    let (verdict, statistics) = check_with(&safe, &with_engines(Encoding::QfAbvfp, wrong.clone()));
    assert_eq!(verdict, "unknown: bound 6 reached");
    let reason = statistics.no_step_case.expect("no engine has a proof");
    assert!(reason.contains("the model does not satisfy the clause"), "{reason}");
    let others = wrong.into_iter().chain(engines()).collect();
    assert_eq!(check_with(&safe, &with_engines(Encoding::QfAbvfp, others)).0, "summaries");
}

/// No program with a violating execution or counterexample gets TRUE, certificates are valid, and
/// encodings do not contradict each other.
#[test]
#[ignore = "slow"]
fn random_programs_are_never_proved_and_refuted() {
    let mut proofs = 0;
    for seed in 0..150 {
        let graph = if seed % 3 == 0 { Graph::Any } else { Graph::Reducible };
        let memory = if seed % 2 == 0 { Memory::None } else { Memory::All };
        let shape = Shape { graph, memory, max_width: 16, ..Shape::SMALL };
        let mut answers = Vec::new();
        for encoding in [Encoding::QfAbvfp, Encoding::QfAuflira] {
            let mut pool = TermPool::new();
            let program = random_program(&mut pool, seed, &shape);
            let mut config = config(encoding, 3, InvariantGeneration::All);
            config.search.deadline = Some(Instant::now() + Duration::from_secs(2));
            let report = run(&mut pool, &program, &backend_yices::factory(), &config, &mut ());
            if let Verdict::Safe(certificate) = &report.verdict {
                if !matches!(certificate, Certificate::Bounded(_)) {
                    proofs += 1;
                    if encoding == Encoding::QfAbvfp {
                        confirm(&mut pool, &program, certificate);
                    }
                }
                let config = interp::Config { max_steps: 20_000, ..interp::Config::SMALL };
                let mut interpreter =
                    Interpreter::new(&pool, &program, config).expect("the program has a layout");
                for attempt in 0..20 {
                    let run = interpreter.run(&mut Random::new(seed * 1000 + attempt));
                    assert!(run.violated().is_none(), "seed {seed}, {encoding}: not safe");
                }
            }
            answers.push(report.verdict);
        }
        let is_contradiction = answers.iter().any(|verdict| matches!(verdict, Verdict::Safe(_)))
            && answers.iter().any(|verdict| matches!(verdict, Verdict::Unsafe(_)));
        assert!(!is_contradiction, "seed {seed}: {:?}", answers.iter().map(name).collect::<Vec<_>>());
    }
    assert!(proofs >= 10, "{proofs} proofs");
}
