use super::*;
use crate::evidence::Certificate;
use encode::{Encoding, Theories};
use program::interp::{self, Interpreter};
use program::testing::{Graph, Shape, random_program};
use program::text::parse_text;
use terms::Random;
use terms::TermPool;
use views::unroll::{Bounds, Place};

fn verdict(pool: &mut TermPool, program: &Program, config: &Config) -> Verdict {
    run(pool, program, &backend_yices::factory(), config, &mut ()).verdict
}

fn check(text: &str, schedule: &Schedule) -> Verdict {
    let mut verdicts = Vec::new();
    for encoding in [Encoding::QfAbvfp, Encoding::QfUfbvfp, Encoding::QfUflira, Encoding::QfAuflira] {
        let mut pool = TermPool::new();
        let program = parse_text(&mut pool, text).unwrap_or_else(|error| panic!("{error}"));
        let config = Config { theories: Theories::of(encoding), ..Config::new(schedule.clone()) };
        verdicts.push(verdict(&mut pool, &program, &config));
    }
    let names: Vec<String> = verdicts.iter().map(name).collect();
    assert!(names.iter().all(|name| *name == names[0]), "encodings disagree: {names:?}");
    verdicts.swap_remove(0)
}

fn name(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Safe(Certificate::Bounded(proof)) => format!("safe at {}", proof.bound()),
        Verdict::Safe(other) => format!("safe by {other:?}"),
        Verdict::Unsafe(trace) => format!("unsafe: {}", trace.description),
        Verdict::Unknown(reason) => format!("unknown: {reason}"),
    }
}

/// Counts from 0 to a nondeterministic number below `limit`, then enters the error block if the
/// count is `bad`.
fn counter(limit: u32, bad: u32) -> String {
    format!(
        "machine 32
entry f0
property p0 reach-call \"call of reach_error\"
function f0 \"main\" () {{
  block b0:
    v0: u32 \"n\" = havoc input \"__VERIFIER_nondet_uint\"
    branch (bvult v0 #x{limit:08x}) then b1(#x00000000) else b4
  block b1(v1: u32 \"i\"):
    branch (bvult v1 v0) then b2 else b3
  block b2:
    v2: u32 \"i\" = (bvadd v1 #x00000001)
    goto b1(v2)
  block b3:
    branch (= v1 #x{bad:08x}) then b5 else b4
  block b4:
    stop exit
  block b5:
    error p0
}}
"
    )
}

#[test]
fn a_bounded_loop_is_safe_through_the_forward_condition() {
    assert_eq!(name(&check(&counter(5, 9), &Schedule::deepening(Some(100)))), "safe at 5");
}

#[test]
fn a_deep_error_is_found_and_its_trace_tells_the_input() {
    let Verdict::Unsafe(trace) = check(&counter(40, 33), &Schedule::deepening(Some(100))) else {
        panic!("the error is within the bound")
    };
    let sources = grammars::source::SourceMap::new();
    let inputs = trace.located(&sources).inputs;
    let inputs: Vec<String> =
        inputs.iter().map(|input| format!("{} {}", input.source, input.value)).collect();
    assert_eq!(inputs, ["__VERIFIER_nondet_uint() 33"]);
    let text = crate::trace::render(&trace, &sources, crate::trace::Look::Plain);
    assert!(text.ends_with("= 33 (input #1)\n        ERROR: call of reach_error\n"), "{text}");
}

#[test]
fn the_bound_is_the_reason_if_it_is_too_small() {
    assert_eq!(name(&check(&counter(40, 33), &Schedule::exactly(5))), "unknown: bound 5 reached");
}

#[test]
fn a_time_limit_that_is_over_ends_the_run() {
    let mut pool = TermPool::new();
    let program = parse_text(&mut pool, &counter(40, 33)).expect("it parses");
    let config = Config { deadline: Some(Instant::now()), ..Config::new(Schedule::deepening(None)) };
    let verdict = verdict(&mut pool, &program, &config);
    assert_eq!(name(&verdict), "unknown: time limit reached");
}

fn after_havoc(source: &str, end: &str) -> String {
    format!(
        "machine 32
entry f0
property p0 reach-call \"call of reach_error\"
unsupported u0 \"inline assembly\"
function f0 \"main\" () {{
  block b0:
    v0: i32 \"x\" = havoc {source}
    branch (= v0 #x00000007) then b1 else b2
  block b1:
    {end}
  block b2:
    stop exit
}}
"
    )
}

#[test]
fn an_error_only_through_an_approximation_is_no_error() {
    let verdict = check(&after_havoc("approximation \"sin\"", "error p0"), &Schedule::deepening(Some(4)));
    assert_eq!(name(&verdict), "unknown: error only through an approximation: sin");
    let verdict = check(&after_havoc("approximation \"sin\"", "stop exit"), &Schedule::deepening(Some(4)));
    assert_eq!(name(&verdict), "safe at 1");
}

#[test]
fn an_unsupported_construct_that_is_reached_hinders_true() {
    let verdict = check(&after_havoc("uninitialized", "unsupported u0"), &Schedule::deepening(Some(4)));
    assert_eq!(name(&verdict), "unknown: unsupported: inline assembly");
}

/// No program with a violating execution gets TRUE, encodings do not contradict each other, and
/// counterexamples always replay.
#[test]
fn random_programs_get_the_same_answer_from_the_interpreter_and_each_encoding() {
    for seed in 0..120 {
        let graph = if seed % 2 == 0 { Graph::Acyclic } else { Graph::Any };
        let mut answers = Vec::new();
        for encoding in [Encoding::QfAbvfp, Encoding::QfUfbvfp, Encoding::QfAuflira] {
            let mut pool = TermPool::new();
            let program = random_program(&mut pool, seed, &Shape { graph, ..Shape::SMALL });
            let deadline = Some(Instant::now() + Duration::from_secs(2));
            let config = Config {
                theories: Theories::of(encoding),
                deadline,
                ..Config::new(Schedule::deepening(Some(4)))
            };
            let verdict = verdict(&mut pool, &program, &config);
            if let Verdict::Unknown(UnknownReason::Unconfirmed { explanation }) = &verdict {
                assert!(encoding.is_linear(), "seed {seed}: {explanation}");
            }
            if matches!(verdict, Verdict::Safe(_)) {
                let config = interp::Config { max_steps: 20_000, ..interp::Config::SMALL };
                let mut interpreter =
                    Interpreter::new(&pool, &program, config).expect("the program has a layout");
                for attempt in 0..20 {
                    let run = interpreter.run(&mut Random::new(seed * 1000 + attempt));
                    assert!(run.violated().is_none(), "seed {seed}, {encoding}: not safe");
                }
            }
            answers.push(verdict);
        }
        let is_contradiction = answers.iter().any(|verdict| matches!(verdict, Verdict::Safe(_)))
            && answers.iter().any(|verdict| matches!(verdict, Verdict::Unsafe(_)));
        assert!(!is_contradiction, "seed {seed}: {:?}", answers.iter().map(name).collect::<Vec<_>>());
    }
}

/// Counts to `limit`, reads `input` and enters the error block.
fn long_execution(limit: u32, input: &str) -> String {
    format!(
        "machine 32
entry f0
property p0 reach-call \"call of reach_error\"
function f0 \"main\" () {{
  block b0:
    goto b1(#x00000000)
  block b1(v0: u32 \"i\"):
    branch (bvult v0 #x{limit:08x}) then b2 else b3
  block b2:
    v1: u32 \"i\" = (bvadd v0 #x00000001)
    goto b1(v1)
  block b3:
    v2: u32 \"x\" = {input}
    branch (= v2 #x00000007) then b4 else b5
  block b4:
    error p0
  block b5:
    stop exit
}}
"
    )
}

#[test]
fn an_error_beyond_the_largest_bound_is_found_by_execution() {
    let schedule = Schedule::deepening(Some(8192));
    for (limit, is_recorded) in [(20_000, true), (400_000, false)] {
        let Verdict::Unsafe(trace) = check(&long_execution(limit, "#x00000007"), &schedule) else {
            panic!("the only execution ends in the error")
        };
        let gaps =
            trace.steps.iter().filter(|step| matches!(step.event, crate::trace::Event::NotRecorded { .. }));
        assert_eq!(gaps.count() == 0, is_recorded);
        assert!(matches!(
            trace.steps.last().map(|step| &step.event),
            Some(crate::trace::Event::Violation { .. })
        ));
    }
}

#[test]
fn execution_ends_at_inputs_and_confirms_nothing_behind_approximations() {
    let schedule = Schedule::deepening(Some(8192));
    let unknown = "unknown: bound 8192 reached";
    assert_eq!(name(&check(&long_execution(20_000, "#x00000008"), &schedule)), unknown);
    for input in ["havoc input \"__VERIFIER_nondet_uint\"", "havoc approximation \"sin\""] {
        assert_eq!(name(&check(&long_execution(20_000, input), &schedule)), unknown);
    }
}

#[test]
fn an_exact_bound_is_not_exceeded_by_execution() {
    let verdict = check(&long_execution(20_000, "#x00000007"), &Schedule::exactly(5000));
    assert_eq!(name(&verdict), "unknown: bound 5000 reached");
}

/// Records its turns and has a proof at the given bound.
struct Recorder {
    turns: Vec<Turn>,
    proves_at: Option<u32>,
}

impl Continuation for Recorder {
    fn decide(&mut self, pool: &mut TermPool, turn: Turn) -> Option<Verdict> {
        self.turns.push(turn);
        let obligation = |kind| Obligation { kind, bound: 77, instances: 0, formula: pool.fls() };
        let obligations =
            vec![obligation(ObligationKind::ErrorReached), obligation(ObligationKind::BoundExceeded)];
        let theories = Theories::of(Encoding::QfAbvfp);
        let basis = crate::evidence::Basis { theories, pipeline: Pipeline::none() };
        let loops = vec![Unrolled { name: "main.1".to_owned(), bound: 77, visits: 77 }];
        let proof = crate::evidence::BoundedProof::new((Bounds::exactly(77), loops), obligations, basis);
        let proof = proof.expect("it is complete");
        (self.proves_at == Some(turn.bound())).then_some(Verdict::Safe(Certificate::Bounded(proof)))
    }
}

fn turns(text: &str, largest: u32, proves_at: Option<u32>) -> (String, Vec<Turn>) {
    let mut pool = TermPool::new();
    let program = parse_text(&mut pool, text).unwrap_or_else(|error| panic!("{error}"));
    let config = Config::new(Schedule { first: 1, growth: Growth::Linear, largest: Some(largest), free: 0 });
    let mut recorder = Recorder { turns: Vec::new(), proves_at };
    let factory = backend_yices::factory();
    let report = run_with(&mut pool, &program, &factory, &config, &mut (), &mut recorder);
    (name(&report.verdict), recorder.turns)
}

#[test]
fn a_continuation_is_asked_after_each_bound_without_an_error() {
    let text = counter(40, 33);
    let all = vec![Turn::Finished(1), Turn::Finished(2), Turn::Last(3)];
    assert_eq!(turns(&text, 3, None), ("unknown: bound 3 reached".to_owned(), all.clone()));
    assert_eq!(turns(&text, 3, Some(2)), ("safe at 77".to_owned(), all[..2].to_vec()));
    // There is no turn at the bound of an error, or at the bound where the forward condition holds.
    assert_eq!(
        turns(&counter(40, 2), 9, Some(3)),
        ("unsafe: call of reach_error".to_owned(), all[..2].to_vec())
    );
    assert_eq!(turns(&counter(3, 9), 9, None), ("safe at 3".to_owned(), all[..2].to_vec()));
}

#[test]
fn a_continuation_is_not_asked_where_true_is_out_of_reach() {
    let text = after_havoc("approximation \"sin\"", "error p0");
    let (verdict, turns) = turns(&text, 3, Some(1));
    assert_eq!(verdict, "unknown: error only through an approximation: sin");
    assert_eq!(turns, []);
}

/// Two loops to inputs: the first ends after at most `first` iterations, the second at will. The
/// error is behind `bad` iterations of the second.
fn two_loops(first: u32, bad: u32) -> String {
    format!(
        "machine 32
entry f0
property p0 reach-call \"call of reach_error\"
function f0 \"main\" () {{
  block b0:
    v0: u32 \"n\" = havoc input \"__VERIFIER_nondet_uint\"
    v1: u32 \"m\" = havoc input \"__VERIFIER_nondet_uint\"
    branch (bvult v0 #x{first:08x}) then b1(#x00000000) else b6
  block b1(v2: u32 \"i\"):
    branch (bvult v2 v0) then b2 else b3(v2)
  block b2:
    v3: u32 \"i\" = (bvadd v2 #x00000001)
    goto b1(v3)
  block b3(v4: u32 \"j\"):
    branch (bvult v4 v1) then b4 else b5
  block b4:
    v5: u32 \"j\" = (bvadd v4 #x00000001)
    goto b3(v5)
  block b5:
    branch (= v4 #x{bad:08x}) then b7 else b6
  block b6:
    stop exit
  block b7:
    error p0
}}
"
    )
}

fn loops_of(text: &str, config: &Config) -> (String, Vec<(u32, u32)>) {
    let mut pool = TermPool::new();
    let program = parse_text(&mut pool, text).unwrap_or_else(|error| panic!("{error}"));
    let factory = backend_yices::factory();
    let report = run(&mut pool, &program, &factory, config, &mut ());
    let loops = report.statistics.loops.iter().map(|place| (place.bound, place.visits)).collect();
    (name(&report.verdict), loops)
}

#[test]
fn only_the_bounds_that_an_execution_exceeds_grow() {
    let config = Config::new(Schedule::deepening(Some(64)));
    let (verdict, loops) = loops_of(&two_loops(3, 20), &config);
    assert_eq!(verdict, "unsafe: call of reach_error");
    // The first loop needs three visits at most, and the second one 21.
    assert_eq!(loops, [(4, 3), (32, 32)]);
}

#[test]
fn a_fixed_bound_does_not_grow() {
    let mut config = Config::new(Schedule::deepening(Some(64)));
    let second = Place::Loop(Function(0), program::ssa::Block(3));
    config.fixed.insert(second, 7);
    let (verdict, loops) = loops_of(&two_loops(3, 20), &config);
    assert_eq!((verdict.as_str(), loops[1]), ("unknown: bound 7 reached", (7, 7)));
    config.fixed.insert(second, 21);
    assert_eq!(loops_of(&two_loops(3, 20), &config).0, "unsafe: call of reach_error");
}

/// Two inputs whose product is `product`, the first one between 2 and `most`, the second one below
/// 4096; a branch on the second one has the error on both sides.
fn factors(product: u32, most: u32) -> String {
    format!(
        "machine 32
entry f0
property p0 reach-call \"call of reach_error\"
function f0 \"main\" () {{
  block b0:
    v0: u32 \"x\" = havoc input \"__VERIFIER_nondet_uint\"
    v1: u32 \"y\" = havoc input \"__VERIFIER_nondet_uint\"
    branch (and (bvult #x00000001 v0) (bvule v0 #x{most:08x}) (bvult v1 #x00001000)) then b1 else b3
  block b1:
    branch (bvult v1 #x00000010) then b2(#x00000001) else b2(#x00000002)
  block b2(v2: u32 \"side\"):
    branch (= (bvmul v0 v1) #x{product:08x}) then b4 else b3
  block b3:
    stop exit
  block b4:
    error p0
}}
"
    )
}

fn check_factors(product: u32, most: u32, check: CounterexampleCheck) -> Report {
    let theories = Theories::of(Encoding::QfUflira);
    check_products(&factors(product, most), theories, check)
}

fn check_products(text: &str, theories: Theories, check: CounterexampleCheck) -> Report {
    let mut pool = TermPool::new();
    let program = parse_text(&mut pool, text).unwrap_or_else(|error| panic!("{error}"));
    let config = Config { theories, check, ..Config::new(Schedule::deepening(Some(4))) };
    run(&mut pool, &program, &backend_yices::factory(), &config, &mut ())
}

/// In the linear encoding a product of inputs is any number, so the model of the formulas is no
/// execution. The exact encoding finds the factors.
#[test]
fn an_exact_query_finds_the_inputs_of_a_counterexample() {
    let Report { verdict, statistics } = check_factors(143, 12, CounterexampleCheck::Exact);
    assert_eq!(name(&verdict), "unsafe: call of reach_error");
    assert!(statistics.checks.confirmed == 1 && statistics.unconfirmed > 0, "{statistics:?}");
    let Report { verdict, .. } = check_factors(143, 12, CounterexampleCheck::None);
    assert!(matches!(verdict, Verdict::Unknown(UnknownReason::Unconfirmed { .. })), "{}", name(&verdict));
}

/// If no path of the counterexamples is feasible, they do not prevent a proof.
#[test]
fn infeasible_paths_are_excluded() {
    let Report { verdict, statistics } = check_factors(139, 12, CounterexampleCheck::Exact);
    assert!(name(&verdict).starts_with("safe at"), "{}", name(&verdict));
    assert!(statistics.checks.infeasible > 0 && statistics.unconfirmed > 0, "{statistics:?}");
}

/// A proof that ignores overflow is no proof in the exact encoding, so no path is excluded.
#[test]
fn without_overflow_no_path_is_excluded() {
    let theories = Theories { overflow: Overflow::Ignore, ..Theories::of(Encoding::QfUflira) };
    let Report { verdict, statistics } =
        check_products(&factors(139, 12), theories, CounterexampleCheck::Exact);
    assert!(matches!(verdict, Verdict::Unknown(UnknownReason::Unconfirmed { .. })), "{}", name(&verdict));
    assert_eq!(statistics.checks.infeasible, 0);
}

/// More infeasible counterexamples than a step tries, each of inputs of its own, and then an error
/// that is reachable: that nothing but infeasible paths was found proves nothing.
#[test]
fn candidates_that_are_not_tried_prevent_a_proof() {
    let primes = (13u32..).filter(|&n| (2..n).take_while(|d| d * d <= n).all(|d| n % d != 0));
    let products: Vec<u32> = primes.take(80).chain([143]).collect();
    let mut text = String::from(
        "machine 32
entry f0
property p0 reach-call \"call of reach_error\"
function f0 \"main\" () {
",
    );
    for (index, product) in products.iter().enumerate() {
        let (block, error, next) = (2 * index, 2 * index + 1, 2 * index + 2);
        let (x, y) = (2 * index, 2 * index + 1);
        text += &format!(
            "  block b{block}:
    v{x}: u32 = havoc input \"__VERIFIER_nondet_uint\"
    v{y}: u32 = havoc input \"__VERIFIER_nondet_uint\"
    branch (and (bvult #x00000001 v{x}) (bvule v{x} #x0000000c) (bvult v{y} #x00001000) \
             (= (bvmul v{x} v{y}) #x{product:08x})) then b{error} else b{next}
  block b{error}:
    error p0
"
        );
    }
    text += &format!("  block b{}:\n    stop exit\n}}\n", 2 * products.len());
    let theories = Theories::of(Encoding::QfUflira);
    let Report { verdict, statistics } = check_products(&text, theories, CounterexampleCheck::Exact);
    assert!(!matches!(verdict, Verdict::Safe(_)), "{}", name(&verdict));
    assert!(statistics.unconfirmed > 0, "{statistics:?}");
}
