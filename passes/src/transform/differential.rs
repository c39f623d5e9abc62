//! Random programs behave the same before and after each pass, on the same inputs.

use super::constprop::constant_propagation;
use super::function_pointers::function_pointers;
use super::inline::{InlineLimits, inline};
use super::promote::promote;
use super::regions::{SplitOutcome, regions};
use super::simplify::{Events, simplify};
use ir::interp::{Config, Interpreter, Outcome, Random};
use ir::ssa::check::check;
use ir::ssa::{Instruction, InstructionKind, Program, Region, RegionKind, Span, Terminator, ValueData};
use ir::term::TermPool;
use ir::testing::{Memory, Shape, random_program};

const PROGRAMS: u64 = 300;
const RUNS: u64 = 6;
const CONFIG: Config = Config { max_steps: 3_000, ..Config::SMALL };

fn outcomes(pool: &TermPool, program: &Program) -> Vec<Outcome> {
    let mut interpreter = Interpreter::new(pool, program, CONFIG).expect("random programs are small");
    (0..RUNS).map(|seed| interpreter.run(&mut Random::new(seed)).outcome).collect()
}

/// Runs `pass` on random programs; it says whether it did something.
fn compare(shape: Shape, prepare: fn(&mut Program), pass: impl Fn(&mut TermPool, &mut Program) -> bool) {
    let mut done = 0;
    for seed in 0..PROGRAMS {
        let mut pool = TermPool::new();
        let mut program = random_program(&mut pool, seed, &shape);
        if shape.memory == Memory::All {
            return_counter(&mut pool, &mut program);
        }
        prepare(&mut program);
        let before = outcomes(&pool, &program);
        if !pass(&mut pool, &mut program) {
            continue;
        }
        done += 1;
        let violations = check(&pool, &program);
        assert!(violations.is_empty(), "program {seed}: {violations:#?}");
        for (run, (old, new)) in before.into_iter().zip(outcomes(&pool, &program)).enumerate() {
            let is_same = match (&old, &new) {
                (Outcome::OutOfSteps, _) | (_, Outcome::OutOfSteps) => true,
                // A call that reaches no function is stated in the program after the function-pointer pass.
                (Outcome::BadCall(_), Outcome::Unsupported(_)) => true,
                _ => old == new,
            };
            assert!(is_same, "program {seed}, run {run}: {old:?} became {new:?}");
        }
    }
    assert!(done * 4 > PROGRAMS, "only {done} of {PROGRAMS} programs were changed");
}

/// Lets the entry function return what the scalar region holds at the end, so that the outcome depends on it.
fn return_counter(pool: &mut TermPool, program: &mut Program) {
    let region = Region(1);
    let RegionKind::Scalar(ty) = program.regions[region].kind else { panic!("region 1 is a scalar") };
    let function = &mut program.functions[program.entry];
    function.result = Some(ty);
    for block in function.blocks.values_mut() {
        if let Terminator::Return(value) = &mut block.terminator {
            let result = function.values.push(ValueData { ty, name: None, span: Span::NONE });
            let kind = InstructionKind::Load { region, address: None };
            block.instructions.push(Instruction { result: Some(result), kind, span: Span::NONE });
            *value = Some(pool.value(result.0, ty.sort()));
        }
    }
}

fn as_they_are(_: &mut Program) {}

/// One byte region for everything but scalars, as lowering makes it.
fn one_memory(program: &mut Program) {
    let is_scalar: Vec<bool> =
        program.regions.values().map(|region| matches!(region.kind, RegionKind::Scalar(_))).collect();
    let memory = Region(0);
    assert_eq!(program.regions[memory].kind, RegionKind::Bytes);
    let merge = |region: &mut Region| {
        if !is_scalar[region.0 as usize] {
            *region = memory;
        }
    };
    for object in program.objects.values_mut() {
        object.regions.iter_mut().for_each(merge);
        object.regions.dedup();
    }
    for function in program.functions.values_mut() {
        for instruction in function.blocks.values_mut().flat_map(|block| &mut block.instructions) {
            match &mut instruction.kind {
                InstructionKind::Load { region, .. }
                | InstructionKind::Store { region, .. }
                | InstructionKind::Forget { region, .. }
                | InstructionKind::Allocate { region, .. } => merge(region),
                _ => {}
            }
        }
    }
    // The other regions go, so that there is one memory.
    let mut kept = ir::entity::PrimaryMap::new();
    let mut new = Vec::new();
    for (region, data) in program.regions.iter() {
        if region == memory || is_scalar[region.0 as usize] {
            new.push(Some(kept.push(data.clone())));
        } else {
            new.push(None);
        }
    }
    let rename =
        |region: &mut Region| *region = new[region.0 as usize].expect("merged regions are not mentioned");
    for object in program.objects.values_mut() {
        object.regions.iter_mut().for_each(rename);
    }
    for function in program.functions.values_mut() {
        for instruction in function.blocks.values_mut().flat_map(|block| &mut block.instructions) {
            match &mut instruction.kind {
                InstructionKind::Load { region, .. }
                | InstructionKind::Store { region, .. }
                | InstructionKind::Forget { region, .. }
                | InstructionKind::Allocate { region, .. } => rename(region),
                _ => {}
            }
        }
    }
    program.regions = kept;
}

#[test]
fn simplifying_changes_no_outcome() {
    compare(Shape::SMALL, as_they_are, |pool, program| {
        simplify(pool, program, Events::Keep);
        true
    });
}

#[test]
fn propagating_constants_changes_no_outcome() {
    compare(Shape::SMALL, as_they_are, |pool, program| {
        constant_propagation(pool, program);
        true
    });
}

#[test]
fn splitting_memory_changes_no_outcome() {
    compare(Shape::SMALL, one_memory, |pool, program| {
        matches!(regions(pool, program).outcome, SplitOutcome::Split(_))
    });
}

#[test]
fn resolving_function_pointers_changes_no_outcome() {
    compare(Shape::SMALL, as_they_are, |pool, program| {
        function_pointers(pool, program);
        true
    });
}

#[test]
fn inlining_changes_no_outcome() {
    compare(Shape { memory: Memory::None, functions: 3, ..Shape::SMALL }, as_they_are, |pool, program| {
        function_pointers(pool, program);
        inline(pool, program, InlineLimits::default()).is_ok()
    });
}

#[test]
fn promoting_changes_no_outcome() {
    compare(Shape { functions: 1, ..Shape::SMALL }, as_they_are, |pool, program| {
        !promote(pool, program).regions.is_empty()
    });
}
