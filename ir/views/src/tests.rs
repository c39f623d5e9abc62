use super::blocks::{BlockFormulas, CutPointData, CutPointKind, block_formulas};
use super::*;
use crate::unroll::random_program::{ARRAY, Inputs, Recorder, TAPE, random_program};
use crate::unroll::sample::{counting, diamonds};
use program::interp::{self, Interpreter};
use program::layout::Layout;
use program::ssa::{Block, CallBoundary, Program, Property};
use terms::{ArrayValue, Assignment, Completion, Evaluator, Sort, TermPool, Value};

/// An assignment that maps every array symbol named `tape…` to the cells of the recorder's tape,
/// and all other symbols to zero.
fn tape_assignment(
    pool: &mut TermPool,
    program: &Program,
    blocks: &BlockFormulas,
    tape: &[u64],
) -> Assignment {
    let layout = Layout::new(program).expect("a layout");
    let array = &program.objects[ARRAY];
    let (_, next) = layout.place(layout.dynamic_start(), array.size, array.align).expect("room");
    let data = &program.objects[TAPE];
    let (address, _) = layout.place(next, data.size, data.align).expect("room");
    let mut contents = ArrayValue::constant(Value::bv(32, 0));
    for (cell, &value) in tape.iter().enumerate() {
        contents.store(Value::bv(32, address + 4 * cell as u64), Value::bv(32, value));
    }
    let mut assignment = Assignment::new();
    assignment.completion = Completion::Default;
    for input in blocks.formulas.iter().flat_map(|formula| &formula.path.inputs) {
        let terms::Op::Symbol(symbol) = pool.op(*input) else { continue };
        if pool.symbol_data(symbol).name.starts_with("tape") && matches!(pool.sort(*input), Sort::Array(_)) {
            assignment.set(symbol, Value::Array(contents.clone()));
        }
    }
    assignment
}

/// Executes block formulas from the entry to the end; returns the error that is reached.
fn walk(pool: &TermPool, blocks: &BlockFormulas, mut assignment: Assignment) -> Option<Property> {
    let mut at = blocks.entry;
    for _ in 0..20_000 {
        let mut evaluator = Evaluator::new();
        let mut taken = None;
        for formula in blocks.formulas.iter().filter(|formula| formula.from == at) {
            if evaluator.eval(pool, formula.path.guard, &assignment) == Ok(Value::Bool(true)) {
                assert!(taken.is_none(), "at most one block formula should hold in a state");
                taken = Some(formula);
            }
        }
        let formula = taken?;
        let values: Vec<Value> = formula
            .path
            .updates
            .iter()
            .map(|&update| evaluator.eval(pool, update, &assignment).expect("a value"))
            .collect();
        let state = &blocks.cut_points[formula.to].state;
        for (position, (&variable, value)) in state.iter().zip(&values).enumerate() {
            let after = if formula.path.kept.contains(&position) {
                None
            } else {
                Some(blocks.variables[variable].after)
            };
            if let Some(after) = after {
                assignment.set_leaf(pool, after, value.clone());
            }
        }
        assert_eq!(Evaluator::new().eval(pool, formula.path.formula, &assignment), Ok(Value::Bool(true)));
        for (&variable, value) in state.iter().zip(values) {
            assignment.set_leaf(pool, blocks.variables[variable].before, value);
        }
        match blocks.cut_points[formula.to].kind {
            CutPointKind::Error(property) => return Some(property),
            _ => at = formula.to,
        }
    }
    panic!("the walk should terminate");
}

fn check(seed: u64, operator: BlockOperator) -> Option<bool> {
    let mut pool = TermPool::new();
    let program = random_program(&mut pool, seed, Inputs::Tape);
    let blocks = match block_formulas(&mut pool, &program, operator, Config::STANDARD) {
        Ok(blocks) => blocks,
        Err(error) => {
            assert_eq!((error, operator), (ViewError::HasLoops, BlockOperator::Never));
            return None;
        }
    };
    let mut recorder = Recorder::new(seed ^ 0x5eed);
    let config = interp::Config { max_steps: 20_000, ..interp::Config::SMALL };
    let run = Interpreter::new(&pool, &program, config).expect("a layout").run(&mut recorder);
    if run.outcome.is_unfinished() {
        return None;
    }
    let assignment = tape_assignment(&mut pool, &program, &blocks, &recorder.tape);
    assert_eq!(walk(&pool, &blocks, assignment), run.violated(), "seed {seed}, {operator:?}");
    Some(run.violated().is_some())
}

#[test]
fn runs_satisfy_the_block_formulas_of_every_operator() {
    let mut counts = [0, 0];
    for seed in 0..80 {
        for operator in [
            BlockOperator::Sbe,
            BlockOperator::L,
            BlockOperator::Lf,
            BlockOperator::Size(3),
            BlockOperator::Never,
        ] {
            if let Some(is_error) = check(seed, operator) {
                counts[usize::from(is_error)] += 1;
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
}

#[test]
fn a_chain_of_diamonds_has_a_formula_of_linear_size() {
    let size = |count: usize| {
        let mut pool = TermPool::new();
        let program = diamonds(&mut pool, count, count as i64 + 3);
        let blocks =
            block_formulas(&mut pool, &program, BlockOperator::Never, Config::STANDARD).expect("acyclic");
        assert_eq!(blocks.formulas.len(), 1);
        pool.dag_size(blocks.formulas[0].path.formula)
    };
    let (small, large) = (size(1000), size(10_000));
    assert!(large <= 10 * small + 100, "{small} and {large} nodes");
}

#[test]
fn what_a_loop_does_not_change_is_kept() {
    let mut pool = TermPool::new();
    let program = counting(&mut pool, None, 3);
    let blocks = block_formulas(&mut pool, &program, BlockOperator::L, Config::STANDARD).expect("blocks");
    let body = blocks.formulas.iter().find(|formula| formula.from == formula.to).expect("the loop");
    let state = &blocks.cut_points[body.to].state;
    let names: Vec<&str> = state.iter().map(|&variable| blocks.variables[variable].name.as_str()).collect();
    assert_eq!(names, ["n.v0", "i.v1"]);
    assert_eq!(body.path.kept, [0]);
}

#[test]
fn slots_that_may_be_used_up_are_a_way_to_what_is_not_supported() {
    let blocks = |machine: &str| {
        let text = format!(
            "machine {machine}\nentry f0\nregion r0 \"memory\" bytes\nfunction f0 \"main\" () -> i32 {{\n  block b0:\n    goto b1\n  \
             block b1:\n    v0: ptr = allocate r0 #x{bytes} zero\n    goto b1\n}}\n",
            bytes = if machine.starts_with("64") { "0000000000000004" } else { "00000004" },
        );
        let mut pool = TermPool::new();
        let program = program::text::parse_text(&mut pool, &text).unwrap_or_else(|error| panic!("{error}"));
        block_formulas(&mut pool, &program, BlockOperator::L, Config::STANDARD).expect("blocks")
    };
    let ways = |machine: &str| {
        let kinds = blocks(machine).cut_points;
        kinds.values().filter(|point| matches!(point.kind, CutPointKind::Unsupported(_))).count()
    };
    assert_eq!(ways("32 slots 25"), 1);
    assert_eq!(ways("64 slots 40"), 0);
}

/// The cut points at the blocks of a sequence of four blocks, where `b2` is a call boundary.
fn cuts(operator: BlockOperator) -> Vec<u32> {
    let text = "machine 64\nentry f0\nfunction f0 \"main\" () -> i32 {\n  block b0:\n    goto b1\n  block b1:\n    \
                goto b2\n  block b2:\n    goto b3\n  block b3:\n    return #x00000000\n}\n";
    let mut pool = TermPool::new();
    let mut program = program::text::parse_text(&mut pool, text).unwrap_or_else(|error| panic!("{error}"));
    let entry = program.entry;
    program.functions[entry].blocks[Block(2)].call_boundary = Some(CallBoundary::Call);
    let blocks = block_formulas(&mut pool, &program, operator, Config::STANDARD).expect("blocks");
    let block = |data: &CutPointData| match data.kind {
        CutPointKind::Block(block) => Some(block.0),
        _ => None,
    };
    blocks.cut_points.values().filter_map(block).collect()
}

#[test]
fn each_operator_cuts_at_its_locations() {
    assert_eq!(cuts(BlockOperator::Sbe), [1, 2, 3]);
    assert_eq!(cuts(BlockOperator::L), [0_u32; 0]);
    assert_eq!(cuts(BlockOperator::Lf), [2]);
    assert_eq!(cuts(BlockOperator::Size(1)), [1, 2, 3]);
    assert_eq!(cuts(BlockOperator::Size(2)), [2]);
    assert_eq!(cuts(BlockOperator::Never), [0_u32; 0]);
}

#[test]
fn contents_of_a_large_block_among_zeros_are_not_supported() {
    let text = "machine 64\nentry f0\nregion r0 \"memory\" bytes\nfunction f0 \"main\" () -> i32 {\n  block b0:\n    \
                v0: ptr = allocate r0 #x0000000000000004 zero\n    v1: ptr = allocate r0 #x0000000000010000 unknown\n    \
                return #x00000000\n}\n";
    let mut pool = TermPool::new();
    let program = program::text::parse_text(&mut pool, text).unwrap_or_else(|error| panic!("{error}"));
    let blocks = block_formulas(&mut pool, &program, BlockOperator::L, Config::STANDARD).expect("blocks");
    let ends: Vec<_> = blocks.cut_points.values().map(|data| data.kind.clone()).skip(1).collect();
    assert_eq!(ends, [CutPointKind::Unsupported("initialization of an object of 65536 cells".to_owned())]);
}
