use super::{Procedures, procedure_formulas};
use crate::blocks::{BlockFormulas, CutPoint, CutPointKind, FRAME, Origin};
use crate::clauses::procedures::{ProcedureNaming, of_procedures};
use crate::unroll::random_program::{Inputs, random_program};
use crate::unroll::sample::{Body, INT, call, edge, object, program};
use crate::{BlockOperator, Config, ViewError};
use program::interp::{self, Answer, Interpreter, ObjectRequest, Oracle, ValueRequest};
use program::ssa::{
    Function, Instruction, InstructionKind, Program, Property, Region, RegionData, RegionKind, Span,
    StopReason, Terminator, Type, ValueData,
};
use terms::{Assignment, Completion, Evaluator, Op, Sort, TermPool, Value};

/// Answers every request for a value with one number.
struct Constant(u64);

impl Oracle for Constant {
    fn value(&mut self, request: &ValueRequest<'_>) -> Answer<Value> {
        Answer::Is(Value::bv(request.ty.width(), self.0))
    }

    fn contents(&mut self, _: &ObjectRequest) -> Answer<Vec<(u64, u8)>> {
        Answer::Any
    }

    fn address(&mut self, _: &ObjectRequest) -> Answer<u64> {
        Answer::Any
    }
}

/// An activation of a procedure.
struct Frame {
    procedure: usize,
    at: CutPoint,
    assignment: Assignment,
    /// The values that were passed.
    passed: Vec<Value>,
}

/// The end of a walk.
#[derive(Debug, PartialEq)]
enum End {
    Error(Property),
    Stops,
    TooLong,
}

/// Maps all inputs of a function to one number, and all other symbols to zero.
fn assignment(pool: &TermPool, blocks: &BlockFormulas, input: u64) -> Assignment {
    let mut assignment = Assignment::new();
    assignment.completion = Completion::Default;
    for &term in blocks.formulas.iter().flat_map(|formula| &formula.path.inputs) {
        if let (Op::Symbol(symbol), Sort::BitVec(width)) = (pool.op(term), pool.sort(term)) {
            assignment.set(symbol, Value::bv(width, input));
        }
    }
    assignment
}

/// Executes the formulas with a stack of activations.
fn walk(pool: &TermPool, procedures: &Procedures, input: u64) -> End {
    let start = |procedure: usize, passed: Vec<Value>| {
        let blocks: &BlockFormulas = &procedures.blocks[procedure];
        let mut assignment = assignment(pool, blocks, input);
        for (variable, value) in blocks.state(blocks.entry).zip(&passed) {
            assignment.set_leaf(pool, variable.before, value.clone());
        }
        Frame { procedure, at: blocks.entry, assignment, passed }
    };
    let mut stack = vec![start(0, vec![])];
    for _ in 0..2_000 {
        let frame = stack.last_mut().expect("the entry function does not return");
        let blocks = &procedures.blocks[frame.procedure];
        let mut evaluator = Evaluator::new();
        let mut taken = None;
        for formula in blocks.formulas.iter().filter(|formula| formula.from == frame.at) {
            if evaluator.eval(pool, formula.path.guard, &frame.assignment) == Ok(Value::Bool(true)) {
                assert!(taken.is_none(), "at most one block formula should hold in a state");
                taken = Some(formula);
            }
        }
        let Some(formula) = taken else { return End::Stops };
        let updates = formula.path.updates.iter();
        let values: Vec<Value> = updates
            .map(|&update| evaluator.eval(pool, update, &frame.assignment).expect("a value"))
            .collect();
        for (variable, value) in blocks.state(formula.to).zip(&values) {
            frame.assignment.set_leaf(pool, variable.before, value.clone());
        }
        frame.at = formula.to;
        match blocks.cut_points[formula.to].kind {
            CutPointKind::Error(property) => return End::Error(property),
            CutPointKind::Call(_) => {
                let call = &blocks.calls[&formula.to];
                let mut evaluator = Evaluator::new();
                let passed = call.passed.iter();
                let passed =
                    passed.map(|&term| evaluator.eval(pool, term, &frame.assignment).expect("a value"));
                let passed = passed.collect();
                let callee = procedures.blocks.iter().position(|blocks| blocks.function == call.callee);
                stack.push(start(callee.expect("callees have formulas"), passed));
            }
            CutPointKind::Return => {
                let count = frame.passed.len();
                assert_eq!(values[..count], frame.passed, "the summary has the values at the entry");
                stack.pop();
                let caller = stack.last_mut().expect("the entry function does not return");
                let call = &procedures.blocks[caller.procedure].calls[&caller.at];
                for (&symbol, value) in call.returned.iter().zip(&values[count..]) {
                    caller.assignment.set_leaf(pool, symbol, value.clone());
                }
            }
            _ => {}
        }
    }
    End::TooLong
}

/// Compares the formulas with the interpreter; returns whether the run ended.
fn check(seed: u64, operator: BlockOperator) -> bool {
    let mut pool = TermPool::new();
    let program = random_program(&mut pool, seed, Inputs::Havoc);
    let procedures = match procedure_formulas(&mut pool, &program, operator, Config::STANDARD) {
        Ok(procedures) => procedures,
        Err(error) => {
            assert_eq!((error, operator), (ViewError::HasLoops, BlockOperator::Never));
            return false;
        }
    };
    let mut has_ended = false;
    for input in [0, 1, 2, 3, 5] {
        let config = interp::Config { max_steps: 2_000, ..interp::Config::SMALL };
        let run = Interpreter::new(&pool, &program, config).expect("a layout").run(&mut Constant(input));
        let expected = match run.violated() {
            Some(property) => End::Error(property),
            None if run.outcome.is_unfinished() => continue,
            None => End::Stops,
        };
        has_ended = true;
        assert_eq!(walk(&pool, &procedures, input), expected, "seed {seed}, {operator:?}, input {input}");
    }
    has_ended
}

#[test]
fn runs_satisfy_the_formulas_of_procedures() {
    let operators = [BlockOperator::L, BlockOperator::Sbe, BlockOperator::Size(3), BlockOperator::Never];
    let mut ended = 0;
    for seed in 0..300 {
        for operator in operators {
            ended += usize::from(check(seed, operator));
        }
    }
    assert!(ended > 500, "only {ended} runs ended");
}

/// `f(n) = n < 1 ? 0 : f(n - 1) + g`, with a global `g` that `main` sets.
fn sum(pool: &mut TermPool) -> Program {
    let mut body = Body::new(pool, "f", Some(INT));
    let start = body.block();
    let n = body.parameter(start, INT, "n");
    let (one, zero, less) = (body.int(1), body.int(0), body.int(-1));
    let is_small = body.pool.bv_slt(n, one);
    let (base, step) = (body.block(), body.block());
    body.branch(start, is_small, edge(base, &[]), edge(step, &[]));
    body.end(base, Terminator::Return(Some(zero)));
    let before = body.pool.bv_add(n, less);
    let result = body.push(step, INT, "", call(Function(0), &[before]));
    let global = Region(1);
    let g = body.push(step, INT, "g", InstructionKind::Load { region: global, address: None });
    let result = body.pool.bv_add(result, g);
    body.end(step, Terminator::Return(Some(result)));
    let f = body.finish();
    let mut body = Body::new(pool, "main", None);
    let start = body.block();
    let value = body.input(start, "g");
    body.effect(start, InstructionKind::Store { region: global, address: None, value, ty: INT, place: None });
    let ten = body.int(10);
    body.push(start, INT, "", call(Function(0), &[ten]));
    body.end(start, Terminator::Stop(StopReason::Exit));
    let main = body.finish();
    let mut program = program(vec![f, main]);
    let kind = RegionKind::Scalar(INT);
    program.regions.push(RegionData { name: "g".to_owned(), kind });
    program
}

#[test]
fn a_summary_has_what_goes_in_and_what_comes_out() {
    let mut pool = TermPool::new();
    let program = sum(&mut pool);
    let procedures =
        procedure_formulas(&mut pool, &program, BlockOperator::L, Config::STANDARD).expect("formulas");
    let clauses = of_procedures(&mut pool, &program, &procedures, ProcedureNaming::Ir);
    let relations: Vec<(String, Vec<&str>)> = clauses
        .system
        .relations
        .values()
        .map(|relation| {
            let arguments = relation.arguments.iter();
            let arguments =
                arguments.map(|argument| argument.name.rsplit('.').nth(1).unwrap_or(&argument.name));
            (relation.name.clone(), arguments.collect())
        })
        .collect();
    let shown: Vec<&str> = relations.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(shown, ["main.b0.call0", "f.entry", "f.b2.call0", "f.exit"]);
    let sizes: Vec<usize> = relations.iter().map(|(_, arguments)| arguments.len()).collect();
    // The global is not written, so it has one argument; the result of the call in `main` is not
    // used, but that of the recursive call is.
    assert_eq!(sizes, [1, 2, 2, 3], "{relations:?}");
    let bodies: Vec<usize> = clauses.system.clauses.values().map(|clause| clause.body.len()).collect();
    assert_eq!(bodies.iter().filter(|&&count| count == 2).count(), 1, "the return of f after its call");
    assert!(!clauses.system.is_linear());
}

/// `main` calls a function before and after it writes one of the two globals that the function
/// reads.
#[test]
fn memory_that_nothing_has_written_is_a_constant() {
    let mut pool = TermPool::new();
    let text = "machine 32\nentry f0\nregion r0 \"never\" scalar i32\nregion r1 \"late\" scalar i32
        function f0 \"main\" () {
            block b0:
                v0: i32 = call f1()
                store r1 i32 #x00000001
                v1: i32 = call f1()
                branch (= v0 v1) then b1 else b2
            block b1: stop exit
            block b2: stop exit
        }
        function f1 \"sum\" () -> i32 {
            block b0: v0: i32 = load r0 v1: i32 = load r1 return (bvadd v0 v1)
        }";
    let program = ::program::text::parse_text(&mut pool, text).unwrap_or_else(|error| panic!("{error}"));
    let procedures =
        procedure_formulas(&mut pool, &program, BlockOperator::L, Config::STANDARD).expect("formulas");
    let [main, sum] = &procedures.blocks[..] else { panic!("two functions") };
    let late = Origin::Region(Region(1));
    assert_eq!(sum.state(sum.entry).map(|data| data.origin).collect::<Vec<_>>(), [late]);
    let mut calls: Vec<CutPoint> = main.calls.keys().copied().collect();
    calls.sort_unstable();
    let [before, after] = calls[..] else { panic!("two calls") };
    assert_eq!(main.state(before).count(), 0);
    assert_eq!(main.calls[&before].passed, [pool.bv(32, 0)]);
    let written = main.state(after).find(|data| data.origin == late).expect("it was written");
    assert_eq!(main.calls[&after].passed, [written.before]);
}

/// Gives `f` of [`sum`] an automatic object in a region of this kind, and lets it take its address.
fn with_object(pool: &mut TermPool, kind: RegionKind) -> Program {
    let mut program = sum(pool);
    let region = program.regions.push(RegionData { name: "x".to_owned(), kind });
    let mut data = object("x", 4, Some(Function(0)));
    data.regions = vec![region];
    let x = program.objects.push(data);
    let ty = Type::Pointer { width: program.machine.pointer_width };
    let f = &mut program.functions[Function(0)];
    let value = f.values.push(ValueData { ty, name: None, span: Span::NONE });
    let instruction =
        Instruction { result: Some(value), kind: InstructionKind::AddressOf(x), span: Span::NONE };
    f.blocks[f.entry].instructions.insert(0, instruction);
    program
}

#[test]
fn objects_of_recursive_functions_have_frames() {
    let mut pool = TermPool::new();
    let program = with_object(&mut pool, RegionKind::Cells(INT));
    let procedures =
        procedure_formulas(&mut pool, &program, BlockOperator::L, Config::STANDARD).expect("formulas");
    let of_f = &procedures.blocks[1];
    let frame = of_f.state(of_f.entry).find(|data| data.origin == Origin::Value(FRAME)).expect("a frame");
    let call = of_f.calls.values().next().expect("a recursive call");
    let size = pool.bv(32, 32);
    let next = pool.bv_add(frame.before, size);
    assert!(call.passed.contains(&next), "a callee has the next frame");
    let main = procedures.blocks[0].calls.values().next().expect("a call");
    let first = pool.bv(32, 1 << 31);
    assert!(main.passed.contains(&first), "the first frame is at a fixed address");
}

#[test]
fn a_scalar_region_of_a_recursive_function_is_rejected() {
    let mut pool = TermPool::new();
    let program = with_object(&mut pool, RegionKind::Scalar(INT));
    let error = procedure_formulas(&mut pool, &program, BlockOperator::L, Config::STANDARD)
        .expect_err("two activations would share `x`");
    assert!(matches!(error, ViewError::SharedObject { .. }), "{error}");
}

#[test]
fn the_entry_function_cannot_be_called() {
    let mut pool = TermPool::new();
    let mut program = sum(&mut pool);
    program.entry = Function(0);
    program.functions[Function(0)].parameters.clear();
    let error = procedure_formulas(&mut pool, &program, BlockOperator::L, Config::STANDARD)
        .expect_err("f calls itself");
    assert_eq!(error, ViewError::EntryIsCalled { function: "f".to_owned() });
}
