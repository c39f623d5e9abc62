use super::*;
use crate::evidence::{Basis, BoundedProof, Invariants, Obligation, ObligationKind, Unrolled};
use crate::tests::Impatient;
use crate::transform::Pipeline;
use encode::{Encoding, Theories};
use formula::{Numbers, Symbols, parse};
use program::ssa::Block;
use programs::{Opened, sample, samples};
use std::rc::Rc;
use terms::{Sort, Term};
use views::unroll::Bounds;

mod cells;
mod formula;
mod mutation;
mod oracle;
mod programs;
mod summaries;

fn check(opened: &mut Opened, certificate: &Certificate) -> Result<Validated, NotValidated> {
    let Opened { pool, program, .. } = opened;
    validate(pool, program, certificate, &backend_yices::factory(), &Limits::default())
}

fn inductive(opened: &mut Opened) -> Invariants {
    let written = opened.written.clone();
    opened.invariants(&written, Numbers::BitVectors)
}

#[test]
fn invariants_written_by_hand_are_accepted_in_both_theories() {
    for sample in samples() {
        for &numbers in sample.numbers {
            let mut opened = Opened::new(&sample);
            let written = opened.written.clone();
            let invariants = opened.invariants(&written, numbers);
            let result = check(&mut opened, &Certificate::Inductive(Box::new(invariants)));
            assert!(result.is_ok(), "{} with {numbers:?}: {result:?}", sample.name);
        }
    }
}

/// The axioms of a conjunction that the invariant contains, but not the path to the error.
#[test]
fn axioms_come_from_all_paths_of_a_cut_point() {
    let mut opened = Opened::new(&sample("mask"));
    let written = opened.written.clone();
    let invariants = opened.invariants(&written, Numbers::Integers);
    let result = check(&mut opened, &Certificate::Inductive(Box::new(invariants)));
    assert!(result.is_ok(), "{result:?}");
}

#[test]
fn without_invariants_the_loops_are_not_safe() {
    for sample in samples() {
        let mut opened = Opened::new(&sample);
        let invariants = opened.invariants(&Default::default(), Numbers::BitVectors);
        let result = check(&mut opened, &Certificate::Inductive(Box::new(invariants)));
        let is_refuted =
            matches!(result, Err(NotValidated::Rejected(Rejection::Refuted(Claim::Safety { .. }))));
        assert!(is_refuted, "{}: {result:?}", sample.name);
    }
}

/// The rejection after a change of the invariants of the counting loop.
fn rejection(change: impl FnOnce(&mut Opened, &mut Invariants, Block)) -> Rejection {
    let mut opened = Opened::new(&sample("count"));
    let mut invariants = inductive(&mut opened);
    let head = *opened.written.keys().next().expect("a loop");
    change(&mut opened, &mut invariants, head);
    match check(&mut opened, &Certificate::Inductive(Box::new(invariants))) {
        Err(NotValidated::Rejected(rejection)) => rejection,
        other => panic!("it should be rejected: {other:?}"),
    }
}

#[test]
fn invariants_that_do_not_fit_the_program_are_rejected() {
    let no_block = rejection(|opened, invariants, _| {
        invariants.at.insert(Block(100), opened.pool.tru());
    });
    assert_eq!(no_block, Rejection::NoSuchBlock(Block(100)));

    let at_entry = rejection(|opened, invariants, head| {
        let formula = invariants.at[&head];
        invariants.at.insert(opened.prepared.functions[opened.prepared.entry].entry, formula);
    });
    assert_eq!(at_entry, Rejection::AtEntry);

    let foreign = rejection(|opened, invariants, head| {
        let symbol = opened.pool.symbol("unknown", Sort::Bool);
        invariants.at.insert(head, symbol);
    });
    assert!(matches!(foreign, Rejection::ForeignSymbol { symbol, .. } if symbol == "unknown"));

    let sort = rejection(|opened, invariants, head| {
        let origin = *invariants.symbols.values().next().expect("a variable");
        let symbol = opened.pool.symbol("wide", Sort::BitVec(32));
        invariants.symbols.insert(symbol, origin);
        let zero = opened.pool.bv(32, 0);
        invariants.at.insert(head, opened.pool.eq(symbol, zero));
    });
    assert!(matches!(sort, Rejection::Sort { symbol, .. } if symbol == "wide"));

    let number = rejection(|opened, invariants, head| {
        invariants.at.insert(head, opened.pool.bv(5, 0));
    });
    assert!(matches!(number, Rejection::NotBoolean(_)));

    let unbound = rejection(|opened, invariants, head| {
        let bound = opened.pool.bound("b", Sort::Bool);
        invariants.at.insert(head, bound);
    });
    assert!(matches!(unbound, Rejection::Unbound(_)));
}

#[test]
fn a_variable_that_is_not_live_is_rejected() {
    let mut opened = Opened::new(&sample("sequence"));
    let mut invariants = inductive(&mut opened);
    let heads: Vec<Block> = opened.written.keys().copied().collect();
    // `d` begins with the second loop.
    let (first, second) = (heads[0], heads[1]);
    let formula = opened.formula(&mut invariants.symbols, second, &parse("(== d 0)"), Numbers::BitVectors);
    invariants.at.insert(first, formula);
    let result = check(&mut opened, &Certificate::Inductive(Box::new(invariants)));
    assert!(matches!(result, Err(NotValidated::Rejected(Rejection::NotLive { .. }))), "{result:?}");
}

#[test]
fn an_invariant_of_a_block_that_is_no_loop_head_cuts_there() {
    let mut opened = Opened::new(&sample("nested"));
    let mut invariants = inductive(&mut opened);
    let function = &opened.prepared.functions[opened.prepared.entry];
    let others: Vec<Block> = function
        .blocks
        .keys()
        .filter(|block| *block != function.entry && !invariants.at.contains_key(block))
        .collect();
    let count = |opened: &mut Opened, invariants: &Invariants| {
        let certificate = Certificate::Inductive(Box::new(invariants.clone()));
        let Opened { pool, program, .. } = opened;
        checks(pool, program, &certificate, &Limits::default()).map(|checks| checks.list.len())
    };
    let before = count(&mut opened, &invariants).expect("it fits");
    for block in others {
        invariants.at.insert(block, opened.pool.tru());
    }
    let after = count(&mut opened, &invariants).expect("it fits");
    assert!(after > before, "{after} checks are more than {before}");
    // The new cut points have no invariants, so the proof fails.
    let result = check(&mut opened, &Certificate::Inductive(Box::new(invariants)));
    assert!(matches!(result, Err(NotValidated::Rejected(Rejection::Refuted(_)))), "{result:?}");
}

/// A loop in which only two iterations show that `x` is at most one: `y` follows `x`.
const LAG: &str = "machine 32
entry f0
property p0 reach-call \"x is large\"
function f0 \"main\" () {
  block b0:
    goto b1(#x0, #x0)
  block b1(v0: u4 \"x\", v1: u4 \"y\"):
    branch (bvule v0 #x1) then b2 else b3
  block b2:
    goto b1(v1, #x1)
  block b3:
    error p0
}
";

fn without_invariants() -> Invariants {
    Invariants {
        theories: Theories::of(Encoding::QfAbvfp),
        pipeline: Pipeline::none(),
        limits: crate::transform::ViewLimits::default(),
        symbols: Default::default(),
        at: Default::default(),
        index: None,
    }
}

fn k_inductive(text: &str, k: u32) -> Result<Validated, NotValidated> {
    let mut pool = TermPool::new();
    let program = program::text::parse_text(&mut pool, text).expect("it parses");
    let certificate = Certificate::KInductive { k, invariants: Box::new(without_invariants()) };
    validate(&mut pool, &program, &certificate, &backend_yices::factory(), &Limits::default())
}

#[test]
fn a_property_of_two_steps_needs_k_of_two() {
    let refuted = |claim| Err(NotValidated::Rejected(Rejection::Refuted(claim)));
    assert_eq!(k_inductive(LAG, 0).map(|_| ()), refuted(Claim::StepCase { k: 0 }));
    assert_eq!(k_inductive(LAG, 1).map(|_| ()), refuted(Claim::StepCase { k: 1 }));
    assert_eq!(k_inductive(LAG, 2).map(|validated| validated.checks), Ok(4));
    assert_eq!(k_inductive(LAG, 5).map(|validated| validated.checks), Ok(7));
    // The same loop, started with a large y, reaches the error after two steps.
    let unsafe_text = LAG.replace("goto b1(#x0, #x0)", "goto b1(#x0, #x7)");
    assert_eq!(k_inductive(&unsafe_text, 2).map(|_| ()), refuted(Claim::BaseCase { steps: 2 }));
}

/// Counts to an input below 6; a count above 5 is an error.
const COUNT_TO_INPUT: &str = "machine 32
entry f0
property p0 reach-call \"too many\"
function f0 \"main\" () {
  block b0:
    v0: u32 \"n\" = havoc input \"nondet\"
    branch (bvult v0 #x00000006) then b1(#x00000000) else b4
  block b1(v1: u32 \"i\"):
    branch (bvult v1 v0) then b2 else b3
  block b2:
    v2: u32 \"i\" = (bvadd v1 #x00000001)
    goto b1(v2)
  block b3:
    branch (bvult #x00000005 v1) then b5 else b4
  block b4:
    stop exit
  block b5:
    error p0
}
";

/// Counts to 20,000; a smaller count is an error.
const COUNT_FAR: &str = "machine 32
entry f0
property p0 reach-call \"too few\"
function f0 \"main\" () {
  block b0:
    goto b1(#x00000000)
  block b1(v0: u32 \"i\"):
    branch (bvult v0 #x00004e20) then b2 else b4
  block b2:
    v1: u32 \"i\" = (bvadd v0 #x00000001)
    goto b3
  block b3:
    goto b1(v1)
  block b4:
    branch (bvult v0 #x00004e20) then b5 else b6
  block b5:
    error p0
  block b6:
    stop exit
}
";

/// Validates a bounded proof of a program.
fn bounded(
    text: &str,
    bound: u32,
    encoding: Encoding,
    pipeline: Pipeline,
) -> Result<Validated, NotValidated> {
    let mut pool = TermPool::new();
    let program = program::text::parse_text(&mut pool, text).expect("it parses");
    let obligation = |kind| Obligation { kind, bound, instances: 1, formula: pool.fls() };
    let obligations =
        vec![obligation(ObligationKind::ErrorReached), obligation(ObligationKind::BoundExceeded)];
    let basis = Basis { theories: Theories::of(encoding), pipeline };
    let loops = vec![Unrolled { name: "main.1".to_owned(), bound, visits: bound }];
    let proof = BoundedProof::new((Bounds::exactly(bound), loops), obligations, basis);
    let proof = proof.expect("it has a forward condition");
    let certificate = Certificate::Bounded(proof);
    validate(&mut pool, &program, &certificate, &backend_yices::factory(), &Limits::default())
}

#[test]
fn a_bounded_proof_needs_its_bound() {
    for encoding in [Encoding::QfAbvfp, Encoding::QfUfbvfp, Encoding::QfUflira, Encoding::QfAuflira] {
        for pipeline in [Pipeline::none(), Pipeline::standard()] {
            for bound in [1, 3, 5] {
                let result = bounded(COUNT_TO_INPUT, bound, encoding, pipeline.clone()).map(|_| ());
                let refuted = Rejection::Refuted(Claim::Bounded { bound });
                assert_eq!(result, Err(refuted.into()), "{encoding}, bound {bound}");
            }
            for bound in [6, 7, 20] {
                let result = bounded(COUNT_TO_INPUT, bound, encoding, pipeline.clone());
                assert!(result.is_ok(), "{encoding}, bound {bound}: {result:?}");
            }
        }
    }
}

#[test]
fn an_unrolling_of_many_portions_is_finished() {
    let result = bounded(COUNT_FAR, 20_001, Encoding::QfAbvfp, Pipeline::none());
    assert!(result.is_ok(), "{result:?}");
}

#[test]
fn what_the_bounded_engine_proves_is_validated() {
    use crate::engines::bmc;
    let mut proved = 0;
    for seed in 0..60 {
        let mut pool = TermPool::new();
        let program = program::testing::random_program(&mut pool, seed, &program::testing::Shape::SMALL);
        let deadline = Some(Instant::now() + Duration::from_secs(2));
        let pipeline = if seed % 2 == 0 { Pipeline::none() } else { Pipeline::standard() };
        let config =
            bmc::Config { deadline, pipeline, ..bmc::Config::new(bmc::Schedule::deepening(Some(4))) };
        let factory = backend_yices::factory();
        let report = bmc::run(&mut pool, &program, &factory, &config, &mut ());
        if let crate::evidence::Verdict::Safe(certificate) = report.verdict {
            proved += 1;
            let result = validate(&mut pool, &program, &certificate, &factory, &Limits::default());
            assert!(result.is_ok(), "seed {seed}: {result:?}");
        }
    }
    assert!(proved > 5, "only {proved} programs are safe");
}

#[test]
fn invariants_of_another_pipeline_are_not_taken_for_the_right_ones() {
    // With other passes, values have other numbers or do not exist.
    let mut opened = Opened::new(&sample("sequence"));
    let mut invariants = inductive(&mut opened);
    invariants.pipeline = Pipeline::standard();
    let result = check(&mut opened, &Certificate::Inductive(Box::new(invariants)));
    let mut again = opened.program.clone();
    let prepared = crate::transform::prepare_for_views(
        &mut opened.pool,
        &mut again,
        crate::transform::ViewLimits::default(),
        &Pipeline::standard(),
    );
    assert!(prepared.is_ok());
    let text = |opened: &Opened, program| program::text::print(&opened.pool, program, None);
    let is_same = text(&opened, &again) == text(&opened, &opened.prepared);
    assert_eq!(result.is_ok(), is_same, "{result:?}");
}

#[test]
fn a_deadline_that_is_over_leaves_the_question_open() {
    let mut opened = Opened::new(&sample("count"));
    let invariants = inductive(&mut opened);
    let limits = Limits { deadline: Some(Instant::now()), ..Limits::default() };
    let Opened { pool, program, .. } = &mut opened;
    let certificate = Certificate::Inductive(Box::new(invariants));
    let result = validate(pool, program, &certificate, &backend_yices::factory(), &limits);
    // The limit is reached before the formulas are built.
    assert!(matches!(result, Err(NotValidated::Undecided(Undecided::Formulas(_)))), "{result:?}");
    let made = checks(pool, program, &certificate, &Limits::default()).expect("it fits");
    let result = discharge(pool, &made, &backend_yices::factory(), &limits);
    assert!(matches!(result, Err(NotValidated::Undecided(Undecided::Check { .. }))), "{result:?}");
}

#[test]
fn a_later_solver_decides_what_is_left() {
    let mut opened = Opened::new(&sample("count"));
    let invariants = inductive(&mut opened);
    let Opened { pool, program, .. } = &mut opened;
    let certificate = Certificate::Inductive(Box::new(invariants));
    let limits = Limits::default();
    let made = checks(pool, program, &certificate, &limits).expect("it fits");
    let impatient = Impatient { every: 2, checks: Rc::default() };
    let first = Turn { factory: &impatient, effort: Some(SHORT) };
    let result = discharge_in_turns(pool, &made, &[first], &limits);
    assert!(matches!(result, Err(NotValidated::Undecided(Undecided::Check { .. }))), "{result:?}");
    let second = Turn { factory: &backend_z3::factory(), effort: None };
    let result = discharge_in_turns(pool, &made, &[first, second], &limits).expect("it is decided");
    assert_eq!((result.checks, result.solver.as_str()), (made.list.len(), "yices and z3"));
    // Checks that are decided do not come again.
    let asked = impatient.checks.get();
    let result = discharge_in_turns(pool, &made, &[first; 8], &limits).expect("it is decided");
    assert_eq!(result.solver, "yices");
    assert!(impatient.checks.get() - asked <= 2 * made.list.len(), "{} checks", impatient.checks.get());
}

#[test]
fn the_symbols_of_a_formula_are_those_it_names() {
    let mut opened = Opened::new(&sample("pour"));
    let head = *opened.written.keys().next().expect("a loop");
    let mut symbols = Symbols::new();
    opened.formula(&mut symbols, head, &parse("(== (+ x y) n)"), Numbers::BitVectors);
    assert_eq!(symbols.len(), 3);
}

/// Two consecutive inputs that are nonzero and differ are an error; only the update mentions the
/// input.
const CHOICES: &str = "machine 32
entry f0
property p0 reach-call \"they differ\"
function f0 \"main\" () {
  block b0:
    goto b1(#x0, #x0)
  block b1(v0: u4 \"x\", v1: u4 \"y\"):
    branch (or (= v0 #x0) (= v1 #x0) (= v0 v1)) then b2 else b3
  block b2:
    v2: u4 \"c\" = havoc input \"nondet\"
    goto b1(v2, v0)
  block b3:
    error p0
}
";

#[test]
fn each_step_has_inputs_of_its_own() {
    // One step to the loop, and one for each input.
    let refuted = Rejection::Refuted(Claim::BaseCase { steps: 3 });
    assert_eq!(k_inductive(CHOICES, 3).map(|_| ()), Err(refuted.into()));
}

/// The lagging loop with `x` in two memory cells, selected by an unknown index.
const LAG_IN_MEMORY: &str = "machine 32
entry f0
region r0 \"memory\" bytes
object o0 \"a\" size 2 align 1 in f0 regions r0
property p0 reach-call \"x is large\"
function f0 \"main\" () {
  block b0:
    v0: ptr = address-of o0
    store r0 [v0] i8 #x00
    store r0 [(bvadd v0 #x00000001)] i8 #x00
    goto b1(#x00)
  block b1(v1: i8 \"y\"):
    v5: ptr = address-of o0
    v2: u1 \"l\" = havoc input \"nondet\"
    v3: i8 \"x\" = load r0 [(bvadd v5 ((_ zero_extend 31) v2))]
    branch (bvule v3 #x01) then b2 else b3
  block b2:
    v4: u1 \"j\" = havoc input \"nondet\"
    store r0 [(bvadd v5 ((_ zero_extend 31) v4))] i8 v1
    store r0 [(bvadd v5 ((_ zero_extend 31) (bvnot v4)))] i8 v1
    goto b1(#x01)
  block b3:
    error p0
}
";

#[test]
fn memory_goes_from_step_to_step_in_each_encoding() {
    for encoding in [Encoding::QfAbvfp, Encoding::QfUfbvfp, Encoding::QfUflira, Encoding::QfAuflira] {
        for (k, is_proof) in [(0, false), (1, false), (2, true), (3, true)] {
            let mut pool = TermPool::new();
            let program = program::text::parse_text(&mut pool, LAG_IN_MEMORY).expect("it parses");
            let invariants = Box::new(Invariants {
                theories: Theories::of(encoding),
                limits: crate::transform::ViewLimits::default(),
                pipeline: Pipeline::none(),
                symbols: Default::default(),
                at: Default::default(),
                index: None,
            });
            let certificate = Certificate::KInductive { k, invariants };
            let result =
                validate(&mut pool, &program, &certificate, &backend_yices::factory(), &Limits::default());
            match result {
                Ok(_) => assert!(is_proof, "{encoding}, k = {k}"),
                Err(NotValidated::Rejected(Rejection::Refuted(Claim::StepCase { .. }))) => {
                    assert!(!is_proof, "{encoding}, k = {k}");
                }
                other => panic!("{encoding}, k = {k}: {other:?}"),
            }
        }
    }
}

#[test]
fn a_script_has_each_check_with_its_status() {
    let mut opened = Opened::new(&sample("nested"));
    let invariants = inductive(&mut opened);
    let Opened { pool, program, .. } = &mut opened;
    let certificate = Certificate::Inductive(Box::new(invariants));
    let checks = checks(pool, program, &certificate, &Limits::default()).expect("it fits");
    let text = script(pool, &checks);
    assert!(checks.list.len() >= 5, "{text}");
    for line in ["(push 1)", "(set-info :status unsat)", "(check-sat)", "(pop 1)"] {
        assert_eq!(text.lines().filter(|other| *other == line).count(), checks.list.len(), "{line}\n{text}");
    }
}

/// Two loop heads, an error with a description and one without, and an unsupported construct.
const ENDS: &str = "machine 32
entry f0
property p0 reach-call \"x is large\"
property p1 reach-call \"\"
unsupported u0 \"a trap\"
function f0 \"main\" () {
  block b0:
    goto b1(#x0)
  block b1(v0: u4 \"x\"):
    v1: u4 \"c\" = havoc input \"nondet\"
    branch (= v1 #x0) then b1((bvadd v0 #x1)) else b2
  block b2:
    branch (= v0 #x0) then b6 else b3
  block b3:
    branch (= v0 #x1) then b4 else b5
  block b4:
    error p0
  block b5:
    branch (= v0 #x2) then b7 else b8
  block b6:
    stop exit
  block b7:
    error p1
  block b8:
    unsupported u0
}
";

/// The claims of the checks of a certificate of [`ENDS`], with the same invariant at each loop
/// head.
fn claims(kind: impl FnOnce(Box<Invariants>) -> Certificate) -> Vec<String> {
    let mut pool = TermPool::new();
    let program = program::text::parse_text(&mut pool, ENDS).expect("it parses");
    let mut invariants = without_invariants();
    invariants.at.insert(Block(1), pool.tru());
    let checks =
        checks(&mut pool, &program, &kind(Box::new(invariants)), &Limits::default()).expect("it fits");
    let text = script(&pool, &checks);
    let claims = text.lines().filter_map(|line| line.strip_prefix("; ")?.split_once(". "));
    claims.filter(|(number, _)| number.parse::<u32>().is_ok()).map(|(_, claim)| claim.to_owned()).collect()
}

#[test]
fn claims_name_the_ends_of_the_paths_that_they_are_about() {
    let consecution = [
        "paths from the program entry establish the invariant of b1",
        "paths from b1 establish the invariant of b1",
    ];
    let safety = [
        "no path from b1 leads to an error: x is large",
        "no path from b1 leads to an error: unreach-call",
        "no path from b1 leads to an error: unsupported construct, a trap",
    ];
    assert_eq!(claims(Certificate::Inductive), [&consecution[..], &safety].concat());
    let k_induction = [
        "base case: no error after 0 steps from the program entry",
        "base case: no error after 1 steps from the program entry",
        "step case: no error after 1 steps through states that satisfy the invariants",
    ];
    let k_inductive = |invariants| Certificate::KInductive { k: 1, invariants };
    assert_eq!(claims(k_inductive), [&consecution[..], &k_induction].concat());
}

#[test]
fn invariants_are_shown_with_the_names_of_the_source() {
    use crate::evidence::{Presented, present};
    let expected = [
        ("count", vec!["i <= n"]),
        ("pour", vec!["x + y == n"]),
        ("double", vec!["i <= n && y == 2 * i"]),
        ("five", vec!["0 <= i && i < 6"]),
        ("swap", vec!["(x == a && y == b) || (x == b && a == y)"]),
        ("sequence", vec!["i <= n", "n == k + d"]),
        ("nested", vec!["i <= n", "i < n && j <= i"]),
    ];
    for (name, formulas) in expected {
        let mut opened = Opened::new(&sample(name));
        let invariants = inductive(&mut opened);
        let Opened { pool, program, .. } = &mut opened;
        let certificate = Certificate::Inductive(Box::new(invariants));
        let sources = grammars::source::SourceMap::new();
        let Presented::Inductive(shown) = present(pool, program, &certificate, &sources) else {
            panic!("it is inductive")
        };
        let shown: Vec<&str> = shown.cut_points.iter().map(|cut| cut.formula.as_str()).collect();
        assert_eq!(shown, formulas, "{name}");
    }
}

#[test]
fn values_of_one_name_are_told_apart() {
    use crate::evidence::{Presented, present};
    let mut sample = sample("pour");
    sample.text = sample.text.replace("\"y\"", "\"x\"");
    let mut opened = Opened::new(&programs::sample("pour"));
    let invariants = inductive(&mut opened);
    let certificate = Certificate::Inductive(Box::new(invariants));
    let program = program::text::parse_text(&mut opened.pool, &sample.text).expect("it parses");
    let sources = grammars::source::SourceMap::new();
    let Presented::Inductive(shown) = present(&mut opened.pool, &program, &certificate, &sources) else {
        panic!("it is inductive")
    };
    assert_eq!(shown.cut_points[0].formula, "x#1 + x#2 == n");
    assert_eq!(shown.cut_points[0].smt, "(= (bvadd |x#1| |x#2|) n)");
}
