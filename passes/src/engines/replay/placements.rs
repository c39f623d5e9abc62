//! Alternative placements for a run with overlapping objects.
//!
//! A model of the formulas may let objects overlap ([`crate::transform::placement`] constrains only
//! few of them to be disjoint). As a rule the error depends only on the order of objects, on the
//! low bits of their addresses, or on the equality of two addresses at different times. So the run
//! is repeated with placements that keep these and leave room between objects. The interpreter
//! decides whether such a run is possible and reaches the error.

use program::interp::{Answer, ObjectRequest, Oracle, PLACEMENT, Placements, ValueRequest};
use program::ssa::HavocSource;
use std::collections::VecDeque;
use terms::{BitVector, Value};

/// The number of low address bits that alternative placements keep.
const KEPT: u32 = 12;
/// The smallest distance between objects in alternative placements.
const DISTANCE: u64 = 1 << 16;

/// The treatment of equal addresses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Equal {
    Kept,
    Apart,
}

/// The placements to try, each as the sequence of inputs that select it.
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

/// Answers requests for placements from a list and all others from another oracle.
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
