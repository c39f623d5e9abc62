//! Inputs of an execution: recorded while blocks are executed symbolically, and read from a model
//! for a replay.
//!
//! A record corresponds to one request of the interpreter. A [`Collector`] turns the records on one
//! path, in execution order, into a [`Trace`]: values from the model, with the site of each
//! request.

use crate::execute::memory::Memory;
use crate::execute::plan::Precision;
use crate::execute::{Allocation, Execution};
use program::interp::{Input, InputSite};
use program::ssa::{Block, Contents, Function, Object, Part, Region, RegionKind, Value};
use rustc_hash::FxHashSet;
use terms::{Term, TermPool, Value as TermValue};

/// The greatest number of cells of nondeterministic objects that are read from a model for one
/// trace.
const CELL_LIMIT: u64 = 1 << 20;

/// The values of terms in a model; `None` if the model has no value.
pub type Values<'m> = dyn FnMut(&TermPool, Term) -> Option<TermValue> + 'm;

/// A path through the program with its inputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// The inputs for the replay by [`interp`](program::interp), in execution order.
    pub inputs: Vec<Input>,
    /// The site of each input, in the program of the view.
    pub sites: Vec<InputSite>,
    /// The blocks on the path, in order; a block with calls is listed once.
    pub visited: Vec<(Function, Block)>,
    /// Whether the path passes through an over-approximation, so that it may be spurious.
    pub is_approximate: bool,
}

/// The reason why there is no trace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TraceError {
    /// The model has no value for a term of the path.
    #[error("the model has no value for a term of the path")]
    NoValue,
    /// The guard of the instance is false in the model.
    #[error("the instance is not reached in the model")]
    NotReached,
    /// The path has too many bytes of unknown contents.
    #[error("the path has more than {limit} cells of unknown contents")]
    TooLarge {
        /// The limit.
        limit: u64,
    },
}

/// A request of the interpreter.
#[derive(Clone, Debug)]
pub(crate) enum InputRecord {
    Value {
        value: Value,
        term: Term,
        precision: Precision,
    },
    /// An automatic object gets an address; effective only the first time in an activation on a
    /// path.
    Object {
        object: Object,
        address: Quantity,
    },
    /// A heap block gets an address.
    Block {
        result: Value,
        address: Quantity,
    },
    /// The bytes `address .. address+size` get the contents of `parts`.
    Contents {
        of: Holder,
        parts: Box<[(Part, Term)]>,
        address: Quantity,
        size: Quantity,
    },
}

/// The owner of unknown contents.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Holder {
    Object(Object),
    /// The block allocated by the `Allocate` with this result.
    Block(Value),
}

/// A constant, or a term to be evaluated in the model.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Quantity {
    Fixed(u64),
    Term(Term),
}

impl InputRecord {
    /// `object` becomes nondeterministic: its bytes `address .. address+size` of `contents`.
    pub(crate) fn of_object(
        object: Object,
        region: Region,
        contents: Term,
        (address, size): (Quantity, u64),
    ) -> Self {
        let (size, parts) = (Quantity::Fixed(size), Box::new([(Part::whole(region), contents)]));
        InputRecord::Contents { of: Holder::Object(object), parts, address, size }
    }

    /// The heap block at `address` is initialized; `None` if its contents are zero.
    pub(crate) fn of_block<P>(
        execution: &Execution<'_, '_, P>,
        allocation: &Allocation,
        address: Term,
    ) -> Option<Self> {
        let &Allocation { result, ref parts, size, contents, .. } = allocation;
        let contents_of = |part: &Part| (part.clone(), execution.regions[part.region.0 as usize]);
        (contents == Contents::Unknown).then(|| InputRecord::Contents {
            of: Holder::Block(result),
            parts: parts.iter().map(contents_of).collect(),
            address: Quantity::of(execution.pool, address),
            size: Quantity::of(execution.pool, size),
        })
    }
}

impl Quantity {
    /// Creates a quantity from a term.
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

/// Builds the trace of one path, block by block.
#[derive(Debug)]
pub struct Collector {
    trace: Trace,
    /// Automatic objects with an address, by activation.
    placed: FxHashSet<(u32, Object)>,
    cells_left: u64,
}

impl Default for Collector {
    fn default() -> Self {
        Collector { trace: Trace::default(), placed: FxHashSet::default(), cells_left: CELL_LIMIT }
    }
}

impl Collector {
    /// Returns the trace.
    #[must_use]
    pub fn finish(self) -> Trace {
        self.trace
    }

    /// Adds a visited block.
    pub(crate) fn visit(&mut self, function: Function, block: Block) {
        self.trace.visited.push((function, block));
    }

    /// Adds an input requested in an activation of `function`.
    pub(crate) fn add(
        &mut self,
        pool: &mut TermPool,
        memory: &Memory,
        (function, activation): (Function, u32),
        record: &InputRecord,
        eval: &mut Values<'_>,
    ) -> Result<(), TraceError> {
        let (site, input) = match *record {
            InputRecord::Value { value, term, precision } => {
                self.trace.is_approximate |= precision == Precision::Approximation;
                let is = eval(pool, term).ok_or(TraceError::NoValue)?;
                (InputSite::Value(function, value), Input::Value(is))
            }
            InputRecord::Object { object, address } => {
                if !self.placed.insert((activation, object)) {
                    return Ok(());
                }
                let address = address.value(pool, eval)?;
                (InputSite::Address(object), Input::Address(address))
            }
            InputRecord::Block { result, address } => {
                let address = address.value(pool, eval)?;
                (InputSite::Block(function, result), Input::Address(address))
            }
            InputRecord::Contents { of, ref parts, address, size } => {
                let stretch = (address.value(pool, eval)?, size.value(pool, eval)?);
                let mut bytes = Vec::new();
                for (part, contents) in &parts[..] {
                    bytes.extend(self.contents(pool, memory, (part, *contents), stretch, eval)?);
                }
                bytes.sort_unstable();
                bytes.dedup_by_key(|byte| byte.0);
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

    /// The nonzero bytes of a part, by offset.
    fn contents(
        &mut self,
        pool: &mut TermPool,
        memory: &Memory,
        (part, contents): (&Part, Term),
        (address, size): (u64, u64),
        eval: &mut Values<'_>,
    ) -> Result<Vec<(u64, u8)>, TraceError> {
        let info = &memory.regions[part.region.0 as usize];
        let cells = size.div_ceil(info.cell_bytes);
        let too_large = TraceError::TooLarge { limit: CELL_LIMIT };
        self.cells_left = self.cells_left.checked_sub(cells).ok_or(too_large)?;
        let mut bytes = Vec::new();
        let starts = (0..size).step_by(info.cell_bytes as usize);
        for start in starts.filter(|&start| part.offsets.contains(start)) {
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
