use super::super::testing::{BYTE, Build, INT, LONG, MEMORY, POINTER};
use super::*;
use program::ssa::{Part, Terminator};

fn run(build: &mut Build) -> SplitOutcome {
    run_in(build, MemoryModel::Regions)
}

fn run_in(build: &mut Build, model: MemoryModel) -> SplitOutcome {
    build.assert_well_formed();
    let result = regions(&build.pool, &mut build.program, model);
    build.assert_well_formed();
    for region in build.program.regions.keys() {
        assert_eq!(result.back.region(region), Some(MEMORY));
    }
    result.outcome
}

#[test]
fn objects_that_are_accessed_directly_are_scalars() {
    let mut build = Build::new();
    let (a, b) = (build.object("a", 4, None), build.object("b", 8, None));
    let one = build.number(1);
    let address = build.address_of(a);
    build.store(INT, address, one);
    let other = build.address_of(b);
    build.load(LONG, other);
    assert_eq!(run(&mut build), SplitOutcome::Split(2));
    assert_eq!(build.region("a"), RegionKind::Scalar(INT));
    assert_eq!(build.region("b"), RegionKind::Scalar(LONG));
    assert!(build.kinds(Function(0)).iter().all(|kind| match kind {
        InstructionKind::Load { address, .. } | InstructionKind::Store { address, .. } => address.is_none(),
        _ => true,
    }));
}

#[test]
fn an_indexed_array_has_cells() {
    let mut build = Build::new();
    let array = build.object("array", 40, None);
    let address = build.address_of(array);
    let index = build.input(INT);
    let element = build.indexed(address, index, 4);
    build.load(INT, element);
    let third = build.plus(address, 8);
    build.load(INT, third);
    run(&mut build);
    assert_eq!(build.region("array"), RegionKind::Cells(INT));
}

#[test]
fn a_pointer_to_either_of_two_objects_joins_them() {
    let mut build = Build::new();
    let (a, b, c) = (build.object("a", 4, None), build.object("b", 4, None), build.object("c", 4, None));
    let (first, second, third) = (build.address_of(a), build.address_of(b), build.address_of(c));
    let condition = build.input(INT);
    let zero = build.number(0);
    let condition = build.pool.eq(condition, zero);
    let either = build.pool.ite(condition, first, second);
    let pointer = build.pure(POINTER, either);
    build.store(INT, pointer, zero);
    build.store(INT, third, zero);
    run(&mut build);
    assert_eq!(build.program.objects[a].regions, build.program.objects[b].regions);
    assert_ne!(build.program.objects[a].regions, build.program.objects[c].regions);
    assert_eq!(build.region("a"), RegionKind::Cells(INT));
    assert_eq!(build.region("c"), RegionKind::Scalar(INT));
}

#[test]
fn fields_of_an_array_of_structures_are_apart() {
    let mut build = Build::new();
    let array = build.object("array", 160, None);
    let address = build.address_of(array);
    let index = build.input(INT);
    let number = build.indexed(address, index, 16);
    let pointer = build.plus(number, 8);
    build.load(INT, number);
    build.store(POINTER, pointer, address);
    assert_eq!(run(&mut build), SplitOutcome::Split(2));
    assert_eq!(build.region("array.0"), RegionKind::Cells(INT));
    assert_eq!(build.region("array.8"), RegionKind::Cells(POINTER));
    assert_eq!(build.program.objects[array].regions.len(), 2);
}

#[test]
fn accesses_of_different_sizes_are_bytes() {
    let mut build = Build::new();
    let object = build.object("union", 8, None);
    let address = build.address_of(object);
    build.load(INT, address);
    let inner = build.plus(address, 1);
    build.load(BYTE, inner);
    run(&mut build);
    assert_eq!(build.region("union"), RegionKind::Bytes);
}

#[test]
fn unaligned_cells_are_bytes() {
    let mut build = Build::new();
    let object = build.object("packed", 12, None);
    let address = build.address_of(object);
    let index = build.input(INT);
    let element = build.indexed(address, index, 6);
    build.load(INT, element);
    run(&mut build);
    assert_eq!(build.region("packed"), RegionKind::Bytes);
}

#[test]
fn an_address_made_of_an_integer_may_be_that_of_an_exposed_object() {
    let mut build = Build::new();
    let (exposed, hidden) = (build.object("exposed", 4, None), build.object("hidden", 4, None));
    let (first, second) = (build.address_of(exposed), build.address_of(hidden));
    let integer = build.pure(LONG, first);
    let pointer = build.pure(POINTER, integer);
    let one = build.number(1);
    build.store(INT, pointer, one);
    build.load(INT, first);
    build.load(INT, second);
    run(&mut build);
    let regions: Vec<Region> = build.kinds(Function(0)).iter().filter_map(|kind| kind.region()).collect();
    assert_eq!(regions[0], regions[1]);
    assert_ne!(regions[0], regions[2]);
}

#[test]
fn a_pointer_copied_as_an_integer_is_exposed() {
    let mut build = Build::new();
    let (target, box_, copy) =
        (build.object("target", 4, None), build.object("box", 8, None), build.object("copy", 8, None));
    let (target_address, box_address, copy_address) =
        (build.address_of(target), build.address_of(box_), build.address_of(copy));
    build.store(POINTER, box_address, target_address);
    let bits = build.load(LONG, box_address);
    build.store(LONG, copy_address, bits);
    let pointer = build.load(POINTER, copy_address);
    let one = build.number(1);
    build.store(INT, pointer, one);
    build.load(INT, target_address);
    run(&mut build);
    let regions: Vec<Region> = build.kinds(Function(0)).iter().filter_map(|kind| kind.region()).collect();
    assert_eq!(regions[regions.len() - 1], regions[regions.len() - 2]);
}

#[test]
fn a_pointer_difference_exposes_nothing() {
    let mut build = Build::new();
    let array = build.object("array", 40, None);
    let address = build.address_of(array);
    let index = build.input(INT);
    let element = build.indexed(address, index, 4);
    let pointer = build.pure(POINTER, element);
    build.load(INT, pointer);
    let difference = build.pool.bv_sub(pointer, address);
    build.pure(LONG, difference);
    run(&mut build);
    assert_eq!(build.region("array"), RegionKind::Cells(INT));
}

#[test]
fn an_unknown_address_stops_the_pass() {
    let mut build = Build::new();
    let object = build.object("a", 4, None);
    let address = build.address_of(object);
    build.load(INT, address);
    let pointer = build.input(POINTER);
    build.load(INT, pointer);
    build.assert_well_formed();
    let before = build.program.regions.clone();
    for model in [MemoryModel::Bytes, MemoryModel::Typed, MemoryModel::Regions] {
        let outcome = regions(&build.pool, &mut build.program, model).outcome;
        assert_eq!(outcome, SplitOutcome::UnknownAddress);
        assert_eq!(build.program.regions, before);
    }
}

/// Two arrays of integers, one of pointers, an object accessed as words and bytes, a variable, and
/// a variable to which a pointer leads.
fn several_objects() -> Build {
    let mut build = Build::new();
    let zero = build.number(0);
    let index = build.input(INT);
    for (name, size) in [("first", 40), ("second", 40)] {
        let array = build.object(name, size, None);
        let address = build.address_of(array);
        let element = build.indexed(address, index, 4);
        build.store(INT, element, zero);
    }
    let (pointers, mixed, variable, target) = (
        build.object("pointers", 80, None),
        build.object("mixed", 8, None),
        build.object("variable", 4, None),
        build.object("target", 4, None),
    );
    let [pointers, mixed, variable, target] =
        [pointers, mixed, variable, target].map(|object| build.address_of(object));
    let element = build.indexed(pointers, index, 8);
    build.store(POINTER, element, target);
    build.store(LONG, mixed, target);
    build.load(BYTE, mixed);
    build.store(INT, variable, zero);
    let loaded = build.load(POINTER, element);
    build.store(INT, loaded, zero);
    build
}

#[test]
fn types_share_cells_and_sizes_that_differ_are_bytes() {
    let mut build = several_objects();
    assert_eq!(run_in(&mut build, MemoryModel::Typed), SplitOutcome::Split(4));
    let regions: Vec<_> =
        build.program.regions.values().map(|region| (region.name.as_str(), region.kind)).collect();
    assert_eq!(
        regions,
        [
            ("i32", RegionKind::Cells(INT)),
            ("ptr", RegionKind::Cells(POINTER)),
            ("memory", RegionKind::Bytes),
            ("variable", RegionKind::Scalar(INT)),
        ]
    );
}

#[test]
fn the_flat_model_has_one_region_besides_variables() {
    let mut build = several_objects();
    assert_eq!(run_in(&mut build, MemoryModel::Bytes), SplitOutcome::Split(2));
    let regions: Vec<_> =
        build.program.regions.values().map(|region| (region.name.as_str(), region.kind)).collect();
    assert_eq!(regions, [("memory", RegionKind::Bytes), ("variable", RegionKind::Scalar(INT))]);
}

#[test]
fn fields_of_one_type_share_a_region() {
    let mut build = Build::new();
    let pair = build.object("pair", 8, None);
    let address = build.address_of(pair);
    let second = build.plus(address, 4);
    build.load(INT, address);
    build.load(INT, second);
    assert_eq!(run_in(&mut build, MemoryModel::Typed), SplitOutcome::Split(1));
    assert_eq!(build.program.objects[pair].regions, [Region(0)]);
}

#[test]
fn a_forgotten_structure_is_one_region_and_a_forgotten_variable_a_scalar() {
    let mut build = Build::new();
    let function = build.function;
    let pair = build.object("pair", 8, Some(function));
    let variable = build.object("variable", 4, Some(function));
    let one = build.number(1);
    for object in [pair, variable] {
        build.push(None, InstructionKind::Forget { region: MEMORY, object });
        let address = build.address_of(object);
        build.store(INT, address, one);
        if object == pair {
            let second = build.plus(address, 4);
            build.store(INT, second, one);
        }
    }
    assert_eq!(run(&mut build), SplitOutcome::Split(2));
    assert_eq!(build.region("pair"), RegionKind::Cells(INT));
    assert_eq!(build.region("variable"), RegionKind::Scalar(INT));
}

#[test]
fn a_variable_of_a_recursive_function_is_no_scalar() {
    let mut build = Build::new();
    let (function, _) = build.function("f", &[], None);
    let variable = build.object("variable", 4, Some(function));
    let address = build.address_of(variable);
    let one = build.number(1);
    build.store(INT, address, one);
    build.call(function, &[], None);
    build.end(Terminator::Return(None));
    run(&mut build);
    assert_eq!(build.region("variable"), RegionKind::Cells(INT));
}

#[test]
fn pointers_flow_through_calls() {
    let mut build = Build::new();
    let (identity, parameter) = build.function("identity", &[POINTER], Some(POINTER));
    build.end(Terminator::Return(Some(parameter[0])));
    build.at(Function(0), Block(0));
    let (a, b) = (build.object("a", 4, None), build.object("b", 4, None));
    let (first, second) = (build.address_of(a), build.address_of(b));
    let one = build.number(1);
    let returned = build.call(identity, &[first], Some(POINTER)).expect("a result");
    build.store(INT, returned, one);
    build.store(INT, second, one);
    run(&mut build);
    let regions: Vec<Region> = build.kinds(Function(0)).iter().filter_map(|kind| kind.region()).collect();
    assert_eq!(build.program.objects[a].regions, [regions[0]]);
    assert_eq!(build.program.objects[b].regions, [regions[1]]);
}

#[test]
fn objects_that_are_never_accessed_share_a_region() {
    let mut build = Build::new();
    let (a, b) = (build.object("a", 4, None), build.object("b", 4, None));
    build.address_of(a);
    assert_eq!(run(&mut build), SplitOutcome::Split(1));
    assert_eq!(build.program.objects[a].regions, build.program.objects[b].regions);
}

#[test]
fn fields_of_heap_blocks_are_regions_with_their_offsets() {
    let mut build = Build::new();
    let size = build.pool.bv(64, 16);
    let kind = InstructionKind::Allocate {
        parts: vec![Part::whole(MEMORY)],
        size,
        align: 16,
        contents: program::ssa::Contents::Zero,
    };
    let block = build.push(Some(POINTER), kind).expect("an allocation has a result");
    let (middle, next) = (build.plus(block, 4), build.plus(block, 8));
    build.store(POINTER, next, block);
    build.load(INT, block);
    build.load(INT, middle);
    run(&mut build);
    assert_eq!(build.region("heap.0"), RegionKind::Cells(INT));
    assert_eq!(build.region("heap.8"), RegionKind::Cells(POINTER));
    let kinds = build.kinds(Function(0));
    let Some(InstructionKind::Allocate { parts, .. }) = kinds.first() else { panic!("{kinds:?}") };
    let offsets: Vec<_> =
        parts.iter().map(|part| (part.offsets.stretches.clone(), part.offsets.period)).collect();
    assert_eq!(offsets, [(vec![(0, 4)], 0), (vec![(4, 4)], 0), (vec![(8, 8)], 0)]);
}
