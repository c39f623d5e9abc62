//! Other placements for a run whose objects overlap.
//!
//! A model of the formulas may place objects over each other ([`crate::transform::placement`]
//! states of few that they are disjoint). As a rule the error needs only the order of objects, the
//! low bits of their addresses, or that two addresses are equal at different times. So the run is
//! repeated with placements that keep these and have room between objects. Whether such a run
//! reaches the error over a possible placement is for the interpreter to say.

use program::interp::{Answer, ObjectRequest, Oracle, PLACEMENT, Placements, ValueRequest};
use program::ssa::HavocSource;
use std::collections::VecDeque;
use terms::{BitVector, Value};

/// The bits of an address that other placements keep.
const KEPT: u32 = 12;
/// The least distance of objects in other placements.
const DISTANCE: u64 = 1 << 16;

/// What becomes of equal addresses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Equal {
    Kept,
    Apart,
}

/// Placements to be tried: the inputs that choose them, in order.
pub(super) fn alternatives(placements: &Placements) -> Vec<VecDeque<u64>> {
    let all = placements.all();
    let largest = all.iter().map(|placement| placement.size).max().unwrap_or(0);
    let distance = largest.saturating_mul(2).checked_next_power_of_two().unwrap_or(1 << 62).max(DISTANCE);
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|&index| (all[index].address, index));
    let spread = |equal: Equal| {
        let mut addresses = vec![0; all.len()];
        let mut place = 0_u64;
        let mut before = None;
        for &index in &order {
            let address = all[index].address;
            if !(equal == Equal::Kept && before == Some(address)) {
                place = place.saturating_add(1);
            }
            before = Some(address);
            let low = address & ((1 << KEPT) - 1);
            addresses[index] = place.checked_mul(distance).map_or(0, |start| start | low);
        }
        VecDeque::from(addresses)
    };
    // The last one is the fixed layout.
    vec![spread(Equal::Kept), spread(Equal::Apart), VecDeque::new()]
}

/// The inputs of another oracle, but for the places of objects.
pub(super) struct WithPlacements<O> {
    inputs: O,
    placements: VecDeque<u64>,
}

impl<O> WithPlacements<O> {
    pub(super) fn new(inputs: O, placements: VecDeque<u64>) -> Self {
        WithPlacements { inputs, placements }
    }
}

impl<O: Oracle> Oracle for WithPlacements<O> {
    fn value(&mut self, request: &ValueRequest<'_>) -> Answer<Value> {
        let answer = self.inputs.value(request);
        if *request.source != HavocSource::Input(PLACEMENT.to_owned()) {
            return answer;
        }
        let address = self.placements.pop_front().unwrap_or(0);
        Answer::Is(Value::BitVec(BitVector::new(request.ty.width(), address)))
    }

    fn contents(&mut self, request: &ObjectRequest) -> Answer<Vec<(u64, u8)>> {
        self.inputs.contents(request)
    }

    fn address(&mut self, request: &ObjectRequest) -> Answer<u64> {
        self.inputs.address(request)
    }
}
