//! Differential tests: random programs behave the same before and after each pass, on the same
//! inputs.

use super::constprop::constant_propagation;
use super::dce::dead_code;
use super::function_pointers::function_pointers;
use super::induction::induction;
use super::inline::{InlineLimits, inline};
use super::narrow::narrow;
use super::promote::promote;
use super::redundancy::redundancy;
use super::regions::{MemoryModel, SplitOutcome, regions};
use super::simplify::{Events, simplify};
use super::slice::slice;
use super::sroa::scalar_replacement;
use super::{BackTranslator, Pipeline};
use num_bigint::BigInt;
use program::interp::{Answer, Config, InputSite, Interpreter, ObjectRequest, Oracle, Outcome, ValueRequest};
use program::ssa::cfg::ControlFlow;
use program::ssa::check::check;
use program::ssa::loops::LoopForest;
use program::ssa::{
    Instruction, InstructionKind, Object, Part, Program, Region, RegionKind, Span, Terminator, Type,
    ValueData,
};
use program::testing::{Graph, Memory, Shape, random_program};
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};
use terms::{Random, Sort, TermPool, Value};

const PROGRAMS: u64 = 300;
const RUNS: u64 = 6;
const CONFIG: Config = Config { max_steps: 3_000, ..Config::SMALL };

fn outcomes(pool: &TermPool, program: &Program) -> Vec<Outcome> {
    let mut interpreter = Interpreter::new(pool, program, CONFIG).expect("random programs are small");
    (0..RUNS).map(|seed| interpreter.run(&mut Random::new(seed)).outcome).collect()
}

/// Runs `pass` on random programs; `pass` returns whether it changed the program.
fn compare(
    shape: Shape,
    prepare: fn(&mut TermPool, &mut Program),
    pass: impl Fn(&mut TermPool, &mut Program) -> bool,
) {
    let mut done = 0;
    for seed in 0..PROGRAMS {
        let mut pool = TermPool::new();
        let mut program = random_program(&mut pool, seed, &shape);
        if shape.memory == Memory::All {
            return_counter(&mut pool, &mut program);
        }
        prepare(&mut pool, &mut program);
        let before = outcomes(&pool, &program);
        if !pass(&mut pool, &mut program) {
            continue;
        }
        done += 1;
        let violations = check(&pool, &program);
        assert!(violations.is_empty(), "program {seed}: {violations:#?}");
        for (run, (old, new)) in before.into_iter().zip(outcomes(&pool, &program)).enumerate() {
            let is_same = match (&old, &new) {
                (old, new) if old.is_unfinished() || new.is_unfinished() => true,
                // The function-pointer pass makes a call that reaches no function an unsupported
                // construct.
                (Outcome::BadCall(_), Outcome::Unsupported(_)) => true,
                _ => old == new,
            };
            assert!(is_same, "program {seed}, run {run}: {old:?} became {new:?}");
        }
    }
    assert!(done * 4 > PROGRAMS, "only {done} of {PROGRAMS} programs were changed");
}

/// Lets the entry function return the final value of the scalar region, so that the outcome depends
/// on it.
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

fn as_they_are(_: &mut TermPool, _: &mut Program) {}

/// One byte region for everything but scalars, as lowering makes it.
fn one_memory(_: &mut TermPool, program: &mut Program) {
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
                | InstructionKind::Forget { region, .. } => merge(region),
                InstructionKind::Allocate { parts, .. } => *parts = vec![Part::whole(memory)],
                _ => {}
            }
        }
    }
    // Removes the other regions, so that there is one memory.
    let mut kept = terms::entity::PrimaryMap::new();
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
                | InstructionKind::Forget { region, .. } => rename(region),
                InstructionKind::Allocate { parts, .. } => {
                    parts.iter_mut().for_each(|part| rename(&mut part.region));
                }
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
fn narrowing_changes_no_outcome() {
    compare(Shape::SMALL, as_they_are, |pool, program| {
        narrow(pool, program);
        true
    });
    compare(Shape { blocks: 14, graph: Graph::Reducible, ..Shape::SMALL }, as_they_are, |pool, program| {
        narrow(pool, program);
        true
    });
}

#[test]
fn splitting_memory_changes_no_outcome() {
    compare(Shape::SMALL, one_memory, |pool, program| {
        matches!(regions(pool, program, MemoryModel::Regions).outcome, SplitOutcome::Split(_))
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

/// An oracle whose answers depend only on the site in the program before the passes and the number
/// of earlier requests there.
struct BySite<'a> {
    seed: u64,
    back: &'a BackTranslator,
    times: FxHashMap<InputSite, u64>,
    /// The number of requests for the contents of an object from an offset on.
    parts: FxHashMap<(Object, u64), u64>,
}

impl<'a> BySite<'a> {
    fn new(seed: u64, back: &'a BackTranslator) -> Self {
        BySite { seed, back, times: FxHashMap::default(), parts: FxHashMap::default() }
    }

    fn random(&mut self, site: Option<InputSite>) -> (InputSite, u64, Random) {
        let origin = site.and_then(|site| self.back.site(site)).expect("every input has an origin");
        let time = self.times.entry(origin).or_insert(0);
        *time += 1;
        let mut hasher = rustc_hash::FxHasher::default();
        (self.seed, origin, *time).hash(&mut hasher);
        (origin, *time, Random::new(hasher.finish()))
    }
}

impl Oracle for BySite<'_> {
    fn value(&mut self, request: &ValueRequest<'_>) -> Answer<Value> {
        self.random(Some(request.site())).2.value(request)
    }

    fn contents(&mut self, request: &ObjectRequest) -> Answer<Vec<(u64, u8)>> {
        let Some(object) = request.object else {
            return self.random(request.contents_site()).2.contents(request);
        };
        let (origin, offset) = self.back.contents(object).expect("every object has an origin");
        let time = self.parts.entry((origin, offset)).or_insert(0);
        *time += 1;
        let byte = |at: u64| {
            let mut hasher = rustc_hash::FxHasher::default();
            (self.seed, origin, *time, at).hash(&mut hasher);
            Random::new(hasher.finish()).number() as u8
        };
        Answer::Is((0..request.size).map(|at| (at, byte(offset + at))).collect())
    }

    /// Activations of a function do not overlap, so an object has a fixed address.
    fn address(&mut self, request: &ObjectRequest) -> Answer<u64> {
        if let Some(object) = request.object
            && self.back.object(object).is_none()
        {
            return Answer::Is(0x8_0000 + u64::from(object.0) * 0x100);
        }
        Answer::Is(match self.random(request.address_site()) {
            (InputSite::Address(object), ..) => 0x10_0000 + u64::from(object.0) * 0x100,
            (InputSite::Block(function, value), time, _) => {
                0x100_0000 + u64::from(function.0) * 0x100_0000 + u64::from(value.0) * 0x1_0000 + time * 0x20
            }
            other => panic!("{other:?} requests no address"),
        })
    }
}

/// The same inputs reach the same errors before and after `pass`, unless one of the runs does not
/// terminate.
fn compare_errors(shape: Shape, pass: impl Fn(&mut TermPool, &mut Program) -> BackTranslator) {
    let mut errors = 0;
    for seed in 0..2 * PROGRAMS {
        let mut pool = TermPool::new();
        let before = random_program(&mut pool, seed, &shape);
        let mut after = before.clone();
        let back = pass(&mut pool, &mut after);
        let violations = check(&pool, &after);
        assert!(violations.is_empty(), "program {seed}: {violations:#?}");
        let identity = BackTranslator::identity();
        let mut old = Interpreter::new(&pool, &before, CONFIG).expect("random programs are small");
        let mut new = Interpreter::new(&pool, &after, CONFIG).expect("random programs are small");
        for run in 0..RUNS {
            let old = old.run(&mut BySite::new(run, &identity)).outcome;
            let new = new.run(&mut BySite::new(run, &back)).outcome;
            assert!(!matches!(old, Outcome::NotReplayable(_)), "program {seed}, run {run}: {old:?}");
            if old.is_unfinished() || new.is_unfinished() {
                continue;
            }
            let error = |outcome: &Outcome| match outcome {
                Outcome::Error(property) => Some(*property),
                _ => None,
            };
            errors += u64::from(error(&old).is_some());
            assert_eq!(error(&old), error(&new), "program {seed}, run {run}: {old:?} became {new:?}");
        }
    }
    assert!(errors > PROGRAMS / 4, "only {errors} errors were reached");
}

#[test]
fn slicing_keeps_errors() {
    compare_errors(Shape { functions: 3, ..Shape::SMALL }, slice);
    compare_errors(Shape { blocks: 14, graph: Graph::Reducible, ..Shape::SMALL }, slice);
}

#[test]
fn removing_redundancy_keeps_errors() {
    compare_errors(Shape { functions: 3, ..Shape::SMALL }, redundancy);
    compare_errors(Shape { blocks: 14, graph: Graph::Reducible, ..Shape::SMALL }, redundancy);
    compare_errors(Shape { graph: Graph::Reducible, ..Shape::SMALL }, |pool, program| {
        let back = regions(pool, program, MemoryModel::Regions).back;
        back.then(redundancy(pool, program))
    });
}

#[test]
fn removing_redundancy_changes_no_outcome() {
    compare(Shape::SMALL, as_they_are, |pool, program| {
        redundancy(pool, program);
        true
    });
}

/// On each edge back to a loop head, pointers become their value at the head plus a constant.
fn pointers_that_move(pool: &mut TermPool, program: &mut Program) {
    for data in program.functions.values_mut().filter(|data| data.is_defined()) {
        let forest = LoopForest::new(&ControlFlow::new(data));
        for (of, found) in forest.loops().iter() {
            let parameters = data.blocks[found.head].parameters.clone();
            for (position, parameter) in parameters.into_iter().enumerate() {
                let Type::Pointer { width } = data.values[parameter].ty else { continue };
                let value = pool.value(parameter.0, Sort::BitVec(width));
                for (number, edge) in found.back_edges.iter().enumerate() {
                    let distance = [4, 12, -8, 0][(of.0 as usize + position + number) % 4];
                    let distance = pool.bv_big(width, &BigInt::from(distance));
                    let moved = pool.bv_add(value, distance);
                    let mut edges = data.blocks[edge.from].terminator.edges_mut();
                    edges[edge.index as usize].arguments[position] = moved;
                }
            }
        }
    }
}

/// The number of pointers among the parameters of loop heads.
fn pointers_of_loops(program: &Program) -> usize {
    let mut found = 0;
    for data in program.functions.values().filter(|data| data.is_defined()) {
        for of in LoopForest::new(&ControlFlow::new(data)).loops().values() {
            let parameters = data.blocks[of.head].parameters.iter();
            found += parameters.filter(|&&own| matches!(data.values[own].ty, Type::Pointer { .. })).count();
        }
    }
    found
}

#[test]
fn counters_for_pointers_change_no_outcome() {
    for memory in [Memory::All, Memory::None] {
        let shape = Shape { graph: Graph::Reducible, blocks: 14, memory, ..Shape::SMALL };
        compare(shape, pointers_that_move, |pool, program| {
            let before = pointers_of_loops(program);
            induction(pool, program);
            pointers_of_loops(program) < before
        });
    }
}

#[test]
fn removing_dead_code_keeps_errors() {
    compare_errors(Shape { functions: 3, ..Shape::SMALL }, dead_code);
}

#[test]
fn scalar_replacement_keeps_errors() {
    compare_errors(Shape { graph: Graph::Reducible, ..Shape::SMALL }, |pool, program| {
        let back = regions(pool, program, MemoryModel::Regions).back;
        back.then(scalar_replacement(pool, program))
    });
}

#[test]
fn the_standard_pipeline_keeps_errors() {
    compare_errors(Shape { functions: 3, ..Shape::SMALL }, |pool, program| {
        Pipeline::standard().run(pool, program).back
    });
}
