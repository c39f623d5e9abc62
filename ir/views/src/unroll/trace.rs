//! From a model of an instance's guard back to the path and its inputs.

use super::{ContentsSize, Holder, InputRecord, InstanceId, Unroller};
use crate::execute::NOWHERE;
use crate::execute::plan::Precision;
use program::interp::{Input, InputSite};
use program::ssa::{Block, Function, Region, RegionKind};
use rustc_hash::FxHashSet;
use terms::entity::Entity;
use terms::{Term, TermPool, Value};

/// The largest number of cells of unknown objects that are read from a model for one trace.
const CELL_LIMIT: u64 = 1 << 20;

/// A path through the program and what it takes from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// For [`interp`](program::interp)'s replay, in order of execution.
    pub inputs: Vec<Input>,
    /// For each input, where the unrolled program asks for it.
    pub sites: Vec<InputSite>,
    /// The blocks on the path, in order; a block that calls is listed once.
    pub visited: Vec<(Function, Block)>,
    /// Whether the path runs through an over-approximation, so that it proves nothing.
    pub is_approximate: bool,
}

/// Why there is no trace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TraceError {
    /// The model gives a needed term no value.
    #[error("the model has no value for a term of the path")]
    NoValue,
    /// The guard of the instance is false in the model.
    #[error("the instance is not reached in the model")]
    NotReached,
    /// The path holds too many bytes of unknown contents.
    #[error("the path has more than {limit} cells of unknown contents")]
    TooLarge {
        /// The limit.
        limit: u64,
    },
}

impl Unroller<'_> {
    /// The path on which `instance` is reached in a model of its guard. `eval` gives the values of terms in that model; it is asked for
    /// the guards where paths meet, for all inputs on the path, and for cells of unknown memory. Linear in the path.
    ///
    /// # Errors
    /// See [`TraceError`].
    pub fn trace(
        &self,
        pool: &mut TermPool,
        instance: InstanceId,
        eval: &mut dyn FnMut(&TermPool, Term) -> Option<Value>,
    ) -> Result<Trace, TraceError> {
        let path = self.path(pool, instance, eval)?;
        let mut trace =
            Trace { inputs: Vec::new(), sites: Vec::new(), visited: Vec::new(), is_approximate: false };
        let mut placed = FxHashSet::default();
        let mut cells_left = CELL_LIMIT;
        for &id in &path {
            let data = &self.exploration.instances[id.index()];
            let function = self.exploration.activations[data.activation.index()].function;
            if data.segment == 0 {
                trace.visited.push((function, data.block));
            }
            for record in self.exploration.inputs_of(id) {
                let (site, input) = match *record {
                    InputRecord::Value { value, term, precision } => {
                        trace.is_approximate |= precision == Precision::Approximation;
                        let is = eval(pool, term).ok_or(TraceError::NoValue)?;
                        (InputSite::Value(function, value), Input::Value(is))
                    }
                    InputRecord::Object { object, address } => {
                        if !placed.insert((data.activation, object)) {
                            continue;
                        }
                        (InputSite::Address(object), Input::Address(address))
                    }
                    InputRecord::Block { result, address } => {
                        (InputSite::Block(function, result), Input::Address(address))
                    }
                    InputRecord::Contents { of, region, contents, address, size } => {
                        let size = match size {
                            ContentsSize::Fixed(size) => size,
                            ContentsSize::Term(term) => bits(eval(pool, term)).ok_or(TraceError::NoValue)?,
                        };
                        let cell_bytes = self.executor.memory.regions[region.index()].cell_bytes;
                        let cells = size.div_ceil(cell_bytes);
                        cells_left = cells_left
                            .checked_sub(cells)
                            .ok_or(TraceError::TooLarge { limit: CELL_LIMIT })?;
                        let bytes = self.contents(pool, region, contents, address, size, eval)?;
                        let site = match of {
                            Holder::Object(object) => InputSite::Contents(object),
                            Holder::Block(result) => InputSite::BlockContents(function, result),
                        };
                        (site, Input::Contents(bytes))
                    }
                };
                trace.sites.push(site);
                trace.inputs.push(input);
            }
        }
        Ok(trace)
    }

    /// The instances on the path, in order of execution.
    fn path(
        &self,
        pool: &TermPool,
        instance: InstanceId,
        eval: &mut dyn FnMut(&TermPool, Term) -> Option<Value>,
    ) -> Result<Vec<InstanceId>, TraceError> {
        let mut path = Vec::new();
        let mut current = instance;
        while current != NOWHERE {
            path.push(current);
            current = match self.exploration.edges_of(current) {
                [(only, _)] => *only,
                edges => {
                    let mut taken = None;
                    for &(from, guard) in edges {
                        if eval(pool, guard).ok_or(TraceError::NoValue)? == Value::Bool(true) {
                            taken = Some(from);
                            break;
                        }
                    }
                    taken.ok_or(TraceError::NotReached)?
                }
            };
        }
        path.reverse();
        Ok(path)
    }

    /// The bytes that are not zero, by offset.
    fn contents(
        &self,
        pool: &mut TermPool,
        region: Region,
        contents: Term,
        address: u64,
        size: u64,
        eval: &mut dyn FnMut(&TermPool, Term) -> Option<Value>,
    ) -> Result<Vec<(u64, u8)>, TraceError> {
        let info = &self.executor.memory.regions[region.index()];
        let mut bytes = Vec::new();
        for start in (0..size).step_by(info.cell_bytes as usize) {
            let cell = match info.kind {
                RegionKind::Scalar(_) => contents,
                _ => {
                    let index = pool.bv(self.executor.memory.pointer_width, address + start);
                    pool.select(contents, index)
                }
            };
            let value = match eval(pool, cell).ok_or(TraceError::NoValue)? {
                Value::BitVec(value) => value,
                Value::Bool(value) => terms::BitVector::new(8, u64::from(value)),
                _ => return Err(TraceError::NoValue),
            };
            for (offset, low) in (start..size).zip((0..value.width()).step_by(8)) {
                let high = (low + 7).min(value.width() - 1);
                let byte = value.extract(high, low).to_u64().expect("a byte fits") as u8;
                if byte != 0 {
                    bytes.push((offset, byte));
                }
            }
        }
        Ok(bytes)
    }
}

fn bits(value: Option<Value>) -> Option<u64> {
    match value? {
        Value::BitVec(value) => value.to_u64(),
        _ => None,
    }
}
