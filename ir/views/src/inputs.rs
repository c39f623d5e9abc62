//! What an execution takes from outside: recorded while blocks are executed symbolically, read from a model for a replay.
//!
//! A record stands for one request of the interpreter. A [`Collector`] turns the records on one path, in order of
//! execution, into a [`Trace`]: values from the model, with the site that asks for each.

use crate::execute::memory::Memory;
use crate::execute::plan::Precision;
use crate::execute::{Allocation, Execution};
use program::interp::{Input, InputSite};
use program::ssa::{Block, Contents, Function, Object, Region, RegionKind, Value};
use rustc_hash::FxHashSet;
use terms::{Term, TermPool, Value as TermValue};

/// The largest number of cells of unknown objects that are read from a model for one trace.
const CELL_LIMIT: u64 = 1 << 20;

/// The values of terms in a model; `None` where it has none.
pub type Values<'m> = dyn FnMut(&TermPool, Term) -> Option<TermValue> + 'm;

/// A path through the program and what it takes from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// For [`interp`](program::interp)'s replay, in order of execution.
    pub inputs: Vec<Input>,
    /// For each input, where the program of the view asks for it.
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

/// Something that the interpreter asks for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum InputRecord {
    Value {
        value: Value,
        term: Term,
        precision: Precision,
    },
    /// An automatic object gets an address; counts only for the first time in an activation on a path.
    Object {
        object: Object,
        address: u64,
    },
    /// A heap block gets an address.
    Block {
        result: Value,
        address: Quantity,
    },
    /// The bytes of `address .. address+size` of a region become what `contents` holds.
    Contents {
        of: Holder,
        region: Region,
        contents: Term,
        address: Quantity,
        size: Quantity,
    },
}

/// What has unknown contents.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Holder {
    Object(Object),
    /// The block that the `Allocate` with this result makes.
    Block(Value),
}

/// A number that is known, or depends on the model.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Quantity {
    Fixed(u64),
    Term(Term),
}

impl InputRecord {
    /// `object` has become unknown: its bytes `address .. address+size` of `contents`.
    pub(crate) fn of_object(
        object: Object,
        region: Region,
        contents: Term,
        (address, size): (u64, u64),
    ) -> Self {
        let (address, size) = (Quantity::Fixed(address), Quantity::Fixed(size));
        InputRecord::Contents { of: Holder::Object(object), region, contents, address, size }
    }

    /// The heap block at `address` has its contents, if they are unknown.
    pub(crate) fn of_block<P>(
        execution: &Execution<'_, '_, P>,
        allocation: &Allocation,
        address: Term,
    ) -> Option<Self> {
        let &Allocation { result, region, size, contents, .. } = allocation;
        (contents == Contents::Unknown).then(|| InputRecord::Contents {
            of: Holder::Block(result),
            region,
            contents: execution.regions[region.0 as usize],
            address: Quantity::of(execution.pool, address),
            size: Quantity::of(execution.pool, size),
        })
    }
}

impl Quantity {
    /// What the term says.
    pub(crate) fn of(pool: &TermPool, term: Term) -> Self {
        pool.as_bv_u64(term).map_or(Quantity::Term(term), Quantity::Fixed)
    }

    fn value(self, pool: &TermPool, eval: &mut Values<'_>) -> Result<u64, TraceError> {
        match self {
            Quantity::Fixed(value) => Ok(value),
            Quantity::Term(term) => match eval(pool, term) {
                Some(TermValue::BitVec(value)) => value.to_u64().ok_or(TraceError::NoValue),
                _ => Err(TraceError::NoValue),
            },
        }
    }
}

/// The trace of one path, which grows with each block on it.
#[derive(Debug)]
pub struct Collector {
    trace: Trace,
    /// Automatic objects that have an address, by activation.
    placed: FxHashSet<(u32, Object)>,
    cells_left: u64,
}

impl Default for Collector {
    fn default() -> Self {
        Collector { trace: Trace::default(), placed: FxHashSet::default(), cells_left: CELL_LIMIT }
    }
}

impl Collector {
    /// The trace.
    #[must_use]
    pub fn finish(self) -> Trace {
        self.trace
    }

    /// The path comes to a block.
    pub(crate) fn visit(&mut self, function: Function, block: Block) {
        self.trace.visited.push((function, block));
    }

    /// Adds the input that an activation of `function` asks for.
    pub(crate) fn add(
        &mut self,
        pool: &mut TermPool,
        memory: &Memory,
        (function, activation): (Function, u32),
        record: InputRecord,
        eval: &mut Values<'_>,
    ) -> Result<(), TraceError> {
        let (site, input) = match record {
            InputRecord::Value { value, term, precision } => {
                self.trace.is_approximate |= precision == Precision::Approximation;
                let is = eval(pool, term).ok_or(TraceError::NoValue)?;
                (InputSite::Value(function, value), Input::Value(is))
            }
            InputRecord::Object { object, address } => {
                if !self.placed.insert((activation, object)) {
                    return Ok(());
                }
                (InputSite::Address(object), Input::Address(address))
            }
            InputRecord::Block { result, address } => {
                let address = address.value(pool, eval)?;
                (InputSite::Block(function, result), Input::Address(address))
            }
            InputRecord::Contents { of, region, contents, address, size } => {
                let stretch = (address.value(pool, eval)?, size.value(pool, eval)?);
                let bytes = self.contents(pool, memory, (region, contents), stretch, eval)?;
                let site = match of {
                    Holder::Object(object) => InputSite::Contents(object),
                    Holder::Block(result) => InputSite::BlockContents(function, result),
                };
                (site, Input::Contents(bytes))
            }
        };
        self.trace.sites.push(site);
        self.trace.inputs.push(input);
        Ok(())
    }

    /// The bytes that are not zero, by offset.
    fn contents(
        &mut self,
        pool: &mut TermPool,
        memory: &Memory,
        (region, contents): (Region, Term),
        (address, size): (u64, u64),
        eval: &mut Values<'_>,
    ) -> Result<Vec<(u64, u8)>, TraceError> {
        let info = &memory.regions[region.0 as usize];
        let cells = size.div_ceil(info.cell_bytes);
        let too_large = TraceError::TooLarge { limit: CELL_LIMIT };
        self.cells_left = self.cells_left.checked_sub(cells).ok_or(too_large)?;
        let mut bytes = Vec::new();
        for start in (0..size).step_by(info.cell_bytes as usize) {
            let cell = match info.kind {
                RegionKind::Scalar(_) => contents,
                _ => {
                    let index = pool.bv(memory.pointer_width, address + start);
                    pool.select(contents, index)
                }
            };
            let value = match eval(pool, cell).ok_or(TraceError::NoValue)? {
                TermValue::BitVec(value) => value,
                TermValue::Bool(value) => terms::BitVector::new(8, u64::from(value)),
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
