//! Maps inputs of a transformed program to inputs of the program before.
//!
//! A pass may drop an input (the value is dead, the branch is not in the slice) or copy it, so the
//! inputs of the new program differ from those of the old one in number and order. But each input
//! has a *site*, and a [`BackTranslator`] knows the origin of every site. Passes maintain this
//! invariant: if a site of the new program has an origin, its `k`-th execution corresponds to the
//! `k`-th execution of the origin. So [`RestoredInputs`] keeps one queue of answers for each site
//! of the old program, in execution order. A dropped input cannot influence the error, so it gets
//! the default answer of the interpreter, zero. New addresses are chosen above all those of the new
//! program.
//!
//! Soundness does not depend on the invariant: the restored inputs are only a proposal, and the
//! verdict comes from a run of the old program on them.

use super::back::BackTranslator;
use program::interp::{Answer, Input, InputSite, ObjectRequest, Oracle, ValueRequest};
use program::layout::slot_offset;
use program::ssa::Object;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};
use terms::Value as TermValue;

/// Nonzero bytes, by offset in the object.
type Bytes = Vec<(u64, u8)>;

/// An oracle for the program before the passes.
#[derive(Clone, Debug)]
pub struct RestoredInputs {
    answers: FxHashMap<InputSite, VecDeque<Input>>,
    /// By object and offset: the contents of the parts of an object that was split.
    contents: FxHashMap<Object, BTreeMap<u64, VecDeque<Bytes>>>,
    /// The address for objects that the new program does not place; `None` if it places no objects
    /// at all.
    next_address: Option<u64>,
    /// Of the old program: see [`Machine::slot_bits`](program::ssa::Machine::slot_bits).
    slot_bits: Option<u32>,
}

/// A gap larger than most objects.
const GAP: u64 = 1 << 20;

impl RestoredInputs {
    /// `inputs` are those of a run of the program after the passes of `back`, in execution order.
    /// `slot_bits` are those of the program before.
    pub fn new(back: &BackTranslator, inputs: &[(InputSite, Input)], slot_bits: Option<u32>) -> Self {
        let mut answers: FxHashMap<InputSite, VecDeque<Input>> = FxHashMap::default();
        let mut contents: FxHashMap<Object, BTreeMap<u64, VecDeque<_>>> = FxHashMap::default();
        let mut last_address: Option<u64> = None;
        for (site, input) in inputs {
            if let Input::Address(address) = input {
                last_address = last_address.max(Some(*address));
            }
            if let (InputSite::Contents(object), Input::Contents(bytes)) = (*site, input) {
                if let Some((origin, offset)) = back.contents(object) {
                    let bytes = bytes.iter().map(|&(at, byte)| (at + offset, byte)).collect();
                    contents.entry(origin).or_default().entry(offset).or_default().push_back(bytes);
                }
            } else if let Some(origin) = back.site(*site) {
                answers.entry(origin).or_default().push_back(input.clone());
            }
        }
        RestoredInputs {
            answers,
            contents,
            next_address: last_address.and_then(|last| last.checked_add(GAP)),
            slot_bits,
        }
    }

    fn take(&mut self, site: Option<InputSite>) -> Option<Input> {
        self.answers.get_mut(&site?)?.pop_front()
    }
}

impl Oracle for RestoredInputs {
    fn value(&mut self, request: &ValueRequest<'_>) -> Answer<TermValue> {
        match self.take(Some(request.site())) {
            Some(Input::Value(value)) => Answer::Is(value),
            Some(_) => Answer::Mismatch,
            None => Answer::Any,
        }
    }

    fn contents(&mut self, request: &ObjectRequest) -> Answer<Vec<(u64, u8)>> {
        if let Some(object) = request.object {
            let Some(parts) = self.contents.get_mut(&object) else { return Answer::Any };
            let mut bytes = BTreeMap::new();
            for part in parts.values_mut() {
                bytes.extend(part.pop_front().into_iter().flatten());
            }
            return Answer::Is(bytes.into_iter().collect());
        }
        match self.take(request.contents_site()) {
            Some(Input::Contents(bytes)) => Answer::Is(bytes),
            Some(_) => Answer::Mismatch,
            None => Answer::Any,
        }
    }

    fn address(&mut self, request: &ObjectRequest) -> Answer<u64> {
        match self.take(request.address_site()) {
            Some(Input::Address(address)) => return Answer::Is(address),
            Some(_) => return Answer::Mismatch,
            None => {}
        }
        let free = self.next_address.and_then(|next| match self.slot_bits {
            Some(bits) => next.checked_next_multiple_of(1 << bits)?.checked_add(slot_offset(bits)),
            None => next.checked_next_multiple_of(request.align.max(1)),
        });
        let Some(address) = free else { return Answer::Any };
        self.next_address = address.checked_add(request.size.max(1));
        Answer::Is(address)
    }
}
