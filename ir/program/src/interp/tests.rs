use super::*;
use crate::ssa::HavocSource;
use crate::testing::{Graph, Memory, Shape, random_program};
use crate::text::parse_text;
use proptest::prelude::*;
use terms::Random;
use terms::{BitVector, Op, Term};

const HEADER: &str = "machine 32\nentry f0\nregion r0 \"memory\" bytes\nregion r1 \"x\" scalar i32\nproperty p0 assertion \"a\"\nunsupported u0 \"asm\"\n";

fn run_with(text: &str, oracle: &mut dyn Oracle, config: Config) -> Run {
    let mut pool = TermPool::new();
    let program = parse_text(&mut pool, &format!("{HEADER}{text}")).unwrap_or_else(|error| panic!("{error}"));
    Interpreter::new(&pool, &program, config).expect("fits").run(oracle)
}

fn run(text: &str) -> Outcome {
    run_with(text, &mut Zeros, Config::SMALL).outcome
}

fn bits(width: u32, value: u64) -> TermValue {
    TermValue::BitVec(BitVector::new(width, value))
}

#[test]
fn a_loop_sums_up() {
    let outcome = run("function f0 \"main\" () -> i32 {
        block b0: goto b1(#x00000000, #x00000000)
        block b1(v0: i32, v1: i32):
            branch (bvslt v0 #x0000000b) then b1((bvadd v0 #x00000001), (bvadd v1 v0)) else b2
        block b2: return v1
    }");
    assert_eq!(outcome, Outcome::Returned(Some(bits(32, 55))));
}

#[test]
fn parameters_are_assigned_at_once() {
    let outcome = run("function f0 \"main\" () -> i32 {
        block b0: goto b1(#x00000000, #x00000001, #x00000002)
        block b1(v0: i32, v1: i32, v2: i32):
            branch (bvslt v0 #x00000003) then b1((bvadd v0 #x00000001), v2, v1) else b2
        block b2: return (bvsub v1 v2)
    }");
    assert_eq!(outcome, Outcome::Returned(Some(bits(32, 1))));
}

#[test]
fn deep_recursion_ends_in_an_outcome() {
    let text = "function f0 \"main\" () { block b0: call f1(#x00000000) return }
        function f1 \"f\" (i32) -> i32 {
            block b0(v0: i32):
                v1: i32 = call f1((bvadd v0 #x00000001))
                return v1 }";
    assert_eq!(run(text), Outcome::OutOfSteps);
    let config = Config { max_memory: 1 << 20, ..Config::SMALL };
    assert_eq!(run_with(text, &mut Zeros, config).outcome, Outcome::OutOfMemory);
}

#[test]
fn results_survive_recursion() {
    let outcome = run("function f0 \"main\" () -> i32 { block b0: v0: i32 = call f1(#x0000000a) return v0 }
        function f1 \"fib\" (i32) -> i32 {
            block b0(v0: i32): branch (bvslt v0 #x00000002) then b1 else b2
            block b1: return v0
            block b2:
                v1: i32 = call f1((bvsub v0 #x00000001))
                v2: i32 = call f1((bvsub v0 #x00000002))
                return (bvadd v1 v2) }");
    assert_eq!(outcome, Outcome::Returned(Some(bits(32, 55))));
}

#[test]
fn memory_is_little_endian_and_activations_have_objects_of_their_own() {
    let outcome = run("object o0 \"x\" size 4 align 4 in f1 regions r0
        function f0 \"main\" () -> i32 { block b0: v0: i32 = call f1(#x00000003) return v0 }
        function f1 \"f\" (i32) -> i32 {
            block b0(v0: i32):
                v1: ptr = address-of o0
                store r0 [v1] i32 (bvadd v0 #x00000200)
                branch (= v0 #x00000000) then b1 else b2
            block b1: return #x00000000
            block b2:
                v2: i32 = call f1((bvsub v0 #x00000001))
                v3: i8 = load r0 [(bvadd v1 #x00000001)]
                v4: i16 = load r0 [v1]
                return (bvadd v2 (concat v3 #x00 v4)) }");
    // 3 × 0x02000200 + 3 + 2 + 1
    assert_eq!(outcome, Outcome::Returned(Some(bits(32, 0x0600_0606))));
}

#[test]
fn floats_are_evaluated() {
    for (condition, holds) in [
        ("(fp.lt ((_ to_fp 8 24) v0) (fp #b0 #b01111111 #b00000000000000000000000))", true),
        ("(fp.isNaN (fp.add RTP ((_ to_fp 8 24) v0) ((_ to_fp_unsigned 8 24) RNA v0)))", false),
        ("(= ((_ fp.to_sbv 32) RTZ ((_ to_fp 8 24) v0)) #x00000000)", true),
        ("(= ((_ fp.to_sbv 32) RTZ ((_ to_fp 8 24) RNE v0)) #x0000000a)", true),
        // 10 / 3 in single precision is inexact: the result depends on the rounding mode.
        (
            "(= (fp.to_ieee_bv (fp.div RNE ((_ to_fp 8 24) RNE v0) ((_ to_fp 8 24) #x40400000))) #x40555555)",
            true,
        ),
        (
            "(= (fp.to_ieee_bv (fp.div RTP ((_ to_fp 8 24) RNE v0) ((_ to_fp 8 24) #x40400000))) #x40555556)",
            true,
        ),
        (
            "(= (fp.to_ieee_bv (fp.div RNE ((_ to_fp 8 24) RNE v0) ((_ to_fp 8 24) #xff800000))) #x80000000)",
            true,
        ),
        // The extended format of the x87 needs a wide register.
        (
            "(fp.lt ((_ to_fp 15 64) RNE v0) (fp.add RNE ((_ to_fp 15 64) RNE v0) ((_ to_fp 15 64) RNE v0)))",
            true,
        ),
        ("(fp.isSubnormal ((_ to_fp 8 24) v0))", true),
        ("(= (fp.to_ieee_bv (fp.sqrt RNE (fp.neg ((_ to_fp 8 24) RNE v0)))) #x7fc00000)", true),
    ] {
        let outcome = run(&format!(
            "function f0 \"main\" () -> i32 {{ block b0: v0: i32 = call f1(#x0000000a) return v0 }}
            function f1 \"f\" (i32) -> i32 {{
                block b0(v0: i32): branch {condition} then b1 else b2
                block b1: return v0
                block b2: return (bvneg v0) }}"
        ));
        let expected = bits(32, if holds { 10 } else { 10u32.wrapping_neg().into() });
        assert_eq!(outcome, Outcome::Returned(Some(expected)), "{condition}");
    }
}

#[test]
fn indirect_calls_find_functions_of_fitting_type() {
    let text = |address: &str| {
        format!(
            "function f0 \"main\" () -> i32 {{
                block b0: v0: ptr = function-address f1
                    v1: i32 = call indirect {address}: (i32) -> i32 (#x00000005)
                    return v1 }}
            function f1 \"f\" (i32) -> i32 {{ block b0(v0: i32): return (bvmul v0 v0) }}
            function f2 \"g\" () -> i32 {{ block b0: return #x00000000 }}"
        )
    };
    assert_eq!(run(&text("v0")), Outcome::Returned(Some(bits(32, 25))));
    assert_eq!(run(&text("#x00000000")), Outcome::BadCall(0));
    assert_eq!(run(&text("(bvadd v0 #x00000010)")), Outcome::BadCall(48));
}

const READS: &str = "object o0 \"x\" size 4 align 4 in f0 regions r0
    declare f1 \"getc\" () -> i32
    function f0 \"main\" () {
        block b0:
            v0: i32 \"a\" = havoc input \"__VERIFIER_nondet_int\"
            v1: i32 = call f1()
            v2: ptr = address-of o0
            forget r0 o0
            v3: i32 = load r0 [v2]
            v4: ptr = allocate r0 #x00000008 unknown
            v5: i32 = load r0 [v4]
            branch (= (bvadd v0 v1 v3 v5) #x0000000a) then b1 else b2
        block b1: error p0
        block b2: return }";

/// The text of [`READS`] with its functions in the order of their indices.
fn reads() -> String {
    let (object, rest) = READS.split_once("    declare").expect("`READS` should contain a declaration");
    let (declaration, main) = rest.split_once('\n').expect("`READS` should have several lines");
    format!("{object}{main}\n    declare{declaration}\n")
}

#[test]
fn a_replay_consumes_the_choices_in_order() {
    let inputs = vec![
        Input::Value(bits(32, 1)),
        Input::Value(bits(32, 2)),
        Input::Address(0x8000),
        Input::Contents(vec![(0, 3)]),
        Input::Address(0x9000),
        Input::Contents(vec![(0, 4)]),
    ];
    let mut replay = Replay::new(inputs.clone());
    let run = run_with(&reads(), &mut replay, Config { trace: TraceMode::Source, ..Config::SMALL });
    assert_eq!(run.outcome, Outcome::Error(Property(0)));
    assert_eq!(run.violated(), Some(Property(0)));
    assert_eq!(replay.used(), inputs.len());
    let names: Vec<_> =
        run.trace.events.iter().filter(|event| matches!(event, Event::Input { .. })).collect();
    assert_eq!(names.len(), 2);
    let contents = run.trace.events.iter().filter_map(|event| match event {
        Event::Contents { address, is, .. } => Some((*address, is.clone())),
        _ => None,
    });
    assert!(contents.eq([(0x8000, bits(32, 3)), (0x9000, bits(32, 4))]), "{:?}", run.trace);
    let objects = run.trace.events.iter().filter_map(|event| match event {
        Event::Object { address, size, .. } => Some((*address, *size)),
        _ => None,
    });
    assert!(objects.eq([(0x8000, 4), (0x9000, 8)]), "{:?}", run.trace);

    let with = |index: usize, input: Input| {
        let mut inputs = inputs.clone();
        inputs[index] = input;
        run_with(&reads(), &mut Replay::new(inputs), Config::SMALL).outcome
    };
    assert_eq!(with(0, Input::Value(bits(8, 1))), Outcome::NotReplayable(NotReplayable::Mismatch));
    assert_eq!(with(0, Input::Address(1)), Outcome::NotReplayable(NotReplayable::Mismatch));
    assert_eq!(with(4, Input::Address(0x8001)), Outcome::NotReplayable(NotReplayable::BadAddress(0x8001)));
    assert_eq!(with(2, Input::Address(0)), Outcome::NotReplayable(NotReplayable::BadAddress(0)));
    assert_eq!(with(3, Input::Contents(vec![(4, 1)])), Outcome::NotReplayable(NotReplayable::BadOffset(4)));
    let short = run_with(&reads(), &mut Replay::new(inputs[..3].to_vec()), Config::SMALL);
    assert_eq!(short.outcome, Outcome::InputExhausted);
}

#[test]
fn an_object_is_placed_at_the_start_of_a_slot() {
    let text = format!(
        "{}function f0 \"main\" () {{ block b0: v0: ptr = allocate r0 #x00000008 unknown return }}",
        HEADER.replace("machine 32", "machine 32 slots 16")
    );
    let mut pool = TermPool::new();
    let program = parse_text(&mut pool, &text).unwrap_or_else(|error| panic!("{error}"));
    let placed_at = |address: u64| {
        let inputs = vec![Input::Address(address), Input::Contents(Vec::new())];
        let mut interpreter = Interpreter::new(&pool, &program, Config::SMALL).expect("fits");
        interpreter.run(&mut Replay::new(inputs)).outcome
    };
    let start = 0x5_0000 + crate::layout::slot_offset(16);
    assert_eq!(placed_at(start), Outcome::Returned(None));
    let behind = start + 16;
    assert_eq!(placed_at(behind), Outcome::NotReplayable(NotReplayable::BadAddress(behind)));
}

#[test]
fn an_approximation_confirms_nothing() {
    let run = run_with(
        "function f0 \"main\" () { block b0: v0: i32 = havoc approximation \"float\" error p0 }",
        &mut Zeros,
        Config::SMALL,
    );
    assert_eq!(run.outcome, Outcome::Error(Property(0)));
    assert_eq!((run.violated(), run.approximation.as_deref()), (None, Some("float")));
}

#[test]
fn external_calls_are_observed_with_their_arguments() {
    struct Observer(Vec<(String, Vec<TermValue>)>);
    impl Oracle for Observer {
        fn value(&mut self, request: &ValueRequest<'_>) -> Answer<TermValue> {
            assert_eq!(request.source, &HavocSource::External("putc".into()));
            Answer::Is(bits(32, 7))
        }
        fn contents(&mut self, _: &ObjectRequest) -> Answer<Vec<(u64, u8)>> {
            Answer::Any
        }
        fn address(&mut self, _: &ObjectRequest) -> Answer<u64> {
            Answer::Any
        }
        fn external_call(&mut self, call: &ExternalCall<'_>) {
            self.0.push((call.name.to_owned(), call.arguments.to_vec()));
        }
    }
    let mut observer = Observer(Vec::new());
    let run = run_with(
        "function f0 \"main\" () -> i32 { block b0: v0: i32 = call f1(#x00000003, true) return v0 }
        declare f1 \"putc\" (i32, ...) -> i32",
        &mut observer,
        Config::SMALL,
    );
    assert_eq!(run.outcome, Outcome::Returned(Some(bits(32, 7))));
    assert_eq!(observer.0, [("putc".to_owned(), vec![bits(32, 3), TermValue::Bool(true)])]);
}

#[test]
fn a_trace_says_what_happened() {
    let mut pool = TermPool::new();
    let text = format!(
        "{HEADER}function f0 \"main\" () {{
            block b0: v0: i32 \"i\" @1..2 = #x00000005
                store r1 i32 v0 place \"x\" @3..4
                branch (= v0 #x00000005) then b1 else b2
            block b1: unsupported u0
            block b2: return }}"
    );
    let program = parse_text(&mut pool, &text).unwrap_or_else(|error| panic!("{error}"));
    let config = Config { trace: TraceMode::Source, ..Config::SMALL };
    let run = Interpreter::new(&pool, &program, config).expect("fits").run(&mut Zeros);
    assert_eq!(run.outcome, Outcome::Unsupported(Unsupported(0)));
    assert_eq!(run.steps, 4);
    let steps: Vec<_> = run.trace.steps(&program).map(|step| (step.place, step.span.lo)).collect();
    assert_eq!(steps, [(None, 0), (Some("i"), 1), (Some("x"), 3), (None, 0)]);
}

#[test]
fn functions_are_called_by_name() {
    let mut pool = TermPool::new();
    let text = format!(
        "{HEADER}function f0 \"main\" () {{ block b0: return }}
         function f1 \"add\" (i32, bool) -> i32 {{ block b0(v0: i32, v1: bool): return (ite v1 (bvadd v0 #x00000001) v0) }}"
    );
    let program = parse_text(&mut pool, &text).unwrap_or_else(|error| panic!("{error}"));
    let mut interpreter = Interpreter::new(&pool, &program, Config::SMALL).expect("fits");
    let run =
        interpreter.call_named("add", &[bits(32, 4), TermValue::Bool(true)], &mut Zeros).expect("there");
    assert_eq!(run.outcome, Outcome::Returned(Some(bits(32, 5))));
    let run = interpreter.call_named("add", &[bits(32, 4)], &mut Zeros).expect("there");
    assert_eq!(run.outcome, Outcome::NotReplayable(NotReplayable::Mismatch));
    assert!(interpreter.call_named("sub", &[], &mut Zeros).is_none());
}

/// Evaluates a term naively: recursively, with bit vectors of any width.
fn reference(pool: &TermPool, term: Term, values: &dyn Fn(u32) -> TermValue) -> BitVector {
    let children: Vec<BitVector> =
        pool.children(term).iter().map(|&child| reference(pool, child, values)).collect();
    match pool.op(term) {
        Op::Value(value) => match values(value) {
            TermValue::Bool(value) => BitVector::new(1, u64::from(value)),
            TermValue::BitVec(bits) => bits,
            other => panic!("{other:?}"),
        },
        Op::True => BitVector::new(1, 1),
        Op::False => BitVector::new(1, 0),
        Op::BvConst(_) => pool.as_bit_vector(term).expect("a constant"),
        Op::And => BitVector::new(1, u64::from(children.iter().all(|child| !child.is_zero()))),
        Op::Or => BitVector::new(1, u64::from(children.iter().any(|child| !child.is_zero()))),
        Op::Xor => BitVector::binary(Op::BvXor, &children[0], &children[1]),
        op => evaluate::wide(op, &children).expect("an operator on bit vectors"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn register_code_computes_what_the_terms_mean(seed: u64, input: u64, blocks in 1usize..8) {
        let mut pool = TermPool::new();
        let shape = Shape { graph: Graph::Any, functions: 1, blocks, instructions: 8, memory: Memory::None, max_width: 128 };
        let program = random_program(&mut pool, seed, &shape);
        let config = Config { max_steps: 500, max_memory: 1 << 26, trace: TraceMode::Full };
        let mut interpreter = Interpreter::new(&pool, &program, config).expect("fits");
        let run = interpreter.run(&mut Random::new(input));
        let data = &program.functions[program.entry];
        let mut current: Vec<Option<TermValue>> = vec![None; data.values.len()];
        let definition = |value: crate::ssa::Value| {
            data.blocks.values().flat_map(|block| &block.instructions).find(|instruction| instruction.result == Some(value))
        };
        for event in &run.trace.events {
            match event {
                Event::Input { value, is } => current[value.0 as usize] = Some(is.clone()),
                Event::Assign { value, is } => {
                    if let Some(crate::ssa::InstructionKind::Pure(term)) = definition(*value).map(|i| &i.kind) {
                        let lookup = |value: u32| current[value as usize].clone().expect("defined before");
                        let expected = reference(&pool, *term, &lookup);
                        let found = match is {
                            TermValue::Bool(value) => BitVector::new(1, u64::from(*value)),
                            TermValue::BitVec(bits) => bits.clone(),
                            other => panic!("{other:?}"),
                        };
                        prop_assert_eq!(found, expected);
                    }
                    current[value.0 as usize] = Some(is.clone());
                }
                _ => {}
            }
        }
    }

    #[test]
    fn words_and_bit_vectors_agree(op in 0usize..17, width in 1u32..=64, a: u64, b: u64, small in 0u64..70) {
        use compile::Word;
        let operators = [
            (Word::And, Op::BvAnd), (Word::Or, Op::BvOr), (Word::Xor, Op::BvXor), (Word::Add, Op::BvAdd),
            (Word::Sub, Op::BvSub), (Word::Mul, Op::BvMul), (Word::Udiv, Op::BvUdiv), (Word::Urem, Op::BvUrem),
            (Word::Sdiv, Op::BvSdiv), (Word::Srem, Op::BvSrem), (Word::Shl, Op::BvShl), (Word::Lshr, Op::BvLshr),
            (Word::Ashr, Op::BvAshr), (Word::Ult, Op::BvUlt), (Word::Ule, Op::BvUle), (Word::Slt, Op::BvSlt),
            (Word::Sle, Op::BvSle),
        ];
        let (word, op) = operators[op];
        for (a, b) in [(a, b), (a, small), (small, b), (a, 0), (1 << (width - 1), u64::MAX)] {
            let (a, b) = (BitVector::new(width, a), BitVector::new(width, b));
            let (x, y) = (a.to_u64().expect("small"), b.to_u64().expect("small"));
            let expected = evaluate::wide(op, &[a, b]).expect("known").to_u64();
            prop_assert_eq!(Some(evaluate::word(word, width as u8, x, y)), expected);
        }
    }
}

#[test]
fn a_run_that_repeats_a_state_is_endless() {
    let swaps = "function f0 \"main\" () -> i32 {
        block b0:
            v0: i32 = call f1(#x00000002)
            return v0
    }
    function f1 \"f\" (i32) -> i32 {
        block b0(v0: i32): goto b1(v0, #x00000001)
        block b1(v1: i32, v2: i32):
            store r1 i32 #x00000005
            branch (not (= v1 #x00000000)) then b1(v2, v1) else b2
        block b2: return v1
    }";
    assert_eq!(run(swaps), Outcome::Endless);
    let calls = "function f0 \"main\" () {
        block b0: goto b1
        block b1:
            v0: i32 = call f1(#x00000002)
            branch (= v0 #x00000003) then b1 else b2
        block b2: return
    }
    function f1 \"f\" (i32) -> i32 { block b0(v0: i32): return (bvadd v0 #x00000001) }";
    assert_eq!(run(calls), Outcome::Endless);
}

#[test]
fn a_run_that_changes_its_state_goes_on() {
    let counts = |from: &str, bound: &str| {
        format!(
            "function f0 \"main\" () -> i32 {{
            block b0: goto b1
            block b1:
                v0: i32 = load r1
                {from}
                store r1 i32 v1
                branch (= v1 {bound}) then b2 else b1
            block b2: return v1
        }}"
        )
    };
    let counter = counts("v1: i32 = (bvadd v0 #x00000001)", "#x00100000");
    assert_eq!(run(&counter), Outcome::Returned(Some(bits(32, 0x10_0000))));
    let flips = counts("v1: i32 = (bvsub #x00000001 v0)", "#x00000007");
    assert_eq!(run(&flips), Outcome::OutOfSteps, "a cycle that changes memory is not found");
    let inputs = "function f0 \"main\" () {
        block b0: goto b1
        block b1:
            v0: i32 = havoc input \"x\"
            branch (= v0 #x00000000) then b1 else b2
        block b2: return
    }";
    assert_eq!(run(inputs), Outcome::OutOfSteps, "another input may follow");
}
