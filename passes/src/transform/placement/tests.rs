//! Tests of [`unknown_addresses`] on programs built by hand.

use super::*;
use crate::transform::testing::{Build, INT, LONG, POINTER};
use program::ssa::Terminator;

/// A program that branches on `condition` of the addresses of two globals of 8 bytes, aligned to 8.
fn run(condition: impl FnOnce(&mut Build, Term, Term) -> Term, slots: Option<u32>) -> (Build, Report) {
    let mut build = Build::new();
    if let Some(bits) = slots {
        let kind = RegionKind::Cells(LONG);
        let sizes = build.program.regions.push(RegionData { name: "<sizes>".to_owned(), kind });
        build.program.machine.slot_bits = Some(bits);
        build.program.shadow.sizes = Some(sizes);
    }
    let (a, b) = (build.object("a", 8, None), build.object("b", 8, None));
    let (good, bad) = (build.block(&[]), build.block(&[]));
    let (a, b) = (build.address_of(a), build.address_of(b));
    let condition = condition(&mut build, a, b);
    build.branch(condition, bad, good);
    build.at(Function(0), bad);
    build.end(Terminator::Error(program::ssa::Property(0)));
    build.assert_well_formed();
    let report = unknown_addresses(&mut build.pool, &mut build.program, HeapBlocks::Stay);
    build.assert_well_formed();
    (build, report)
}

fn has_approximation(build: &Build) -> bool {
    let is_approximation =
        |kind: &&InstructionKind| matches!(kind, InstructionKind::Havoc(HavocSource::Approximation(_)));
    build.kinds(Function(0)).iter().any(is_approximation)
}

#[test]
fn what_holds_for_every_placement_is_no_observation() {
    type Condition = fn(&mut Build, Term, Term) -> Term;
    let conditions: [Condition; 6] = [
        |build, a, b| build.pool.eq(a, b),
        |build, a, _| {
            let null = build.pool.bv(64, 0);
            build.pool.eq(a, null)
        },
        |build, a, _| {
            let next = build.plus(a, 4);
            let end = build.pure(POINTER, next);
            build.pool.bv_ult(a, end)
        },
        |build, a, _| {
            let mask = build.pool.bv(64, 7);
            let low = build.pool.bv_and(a, mask);
            let zero = build.pool.bv(64, 0);
            build.pool.eq(low, zero)
        },
        |build, a, _| {
            let one = build.pool.bv(64, 1);
            let tagged = build.pool.bv_or(a, one);
            let tagged = build.pure(LONG, tagged);
            let mask = build.pool.bv(64, !7);
            let address = build.pool.bv_and(tagged, mask);
            let loaded = build.load(INT, address);
            let one = build.number(1);
            build.pool.eq(loaded, one)
        },
        |build, a, _| {
            let next = build.plus(a, 4);
            let end = build.pure(POINTER, next);
            let distance = build.pool.bv_sub(end, a);
            let distance = build.pure(LONG, distance);
            let four = build.pool.bv(64, 4);
            build.pool.eq(distance, four)
        },
    ];
    for (index, condition) in conditions.into_iter().enumerate() {
        for slots in [None, Some(40)] {
            let (build, report) = run(condition, slots);
            assert_eq!(report, Report::default(), "{index}");
            assert_eq!(build.program.shadow.placements, None, "{index}");
        }
    }
}

#[test]
fn what_depends_on_the_placement_is_an_observation() {
    type Condition = fn(&mut Build, Term, Term) -> Term;
    let conditions: [Condition; 5] = [
        |build, a, b| build.pool.bv_ult(a, b),
        |build, a, b| {
            let distance = build.pool.bv_sub(a, b);
            let distance = build.pure(LONG, distance);
            let hundred = build.pool.bv(64, 100);
            build.pool.bv_slt(hundred, distance)
        },
        |build, a, b| {
            let end = build.plus(a, 8);
            build.pool.eq(end, b)
        },
        |build, a, _| {
            let mask = build.pool.bv(64, 15);
            let low = build.pool.bv_and(a, mask);
            let zero = build.pool.bv(64, 0);
            build.pool.eq(low, zero)
        },
        |build, a, _| {
            let number = build.pool.bv(64, 0x10_0000);
            build.pool.bv_ult(a, number)
        },
    ];
    for (index, condition) in conditions.into_iter().enumerate() {
        let (build, report) = run(condition, None);
        assert!(!report.observations.is_empty() && has_approximation(&build), "{index}");
        let (build, report) = run(condition, Some(40));
        assert!(!report.observations.is_empty(), "{index}");
        assert_eq!(report.approximated, 0, "{index}");
        assert!(build.program.shadow.placements.is_some() && !has_approximation(&build), "{index}");
    }
}

#[test]
fn what_is_used_as_an_address_again_keeps_its_value() {
    let condition = |build: &mut Build, a: Term, _: Term| {
        let mask = build.pool.bv(64, !0xff);
        let page = build.pool.bv_and(a, mask);
        let page = build.pure(LONG, page);
        build.load(INT, page);
        let number = build.pool.bv(64, 0x1000);
        build.pool.eq(page, number)
    };
    let (build, report) = run(condition, Some(40));
    assert!(report.approximated > 0 && has_approximation(&build));
    assert!(
        build
            .kinds(Function(0))
            .iter()
            .any(|kind| { matches!(kind, InstructionKind::Load { region, .. } if *region == Region(0)) })
    );
}
