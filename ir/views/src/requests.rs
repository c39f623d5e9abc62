//! The inputs of runs along block formulas.
//!
//! Between two cut points a run executes each block at most once. So the blocks whose path
//! conditions hold in a model of a block formula are those of the run, and the order in which they
//! were executed symbolically, which is topological, is that of the run. The inputs that these
//! blocks record, one block formula after the other, are the inputs of the whole run.
//!
//! Cost: one evaluation for each block with inputs behind a cut point.

use crate::execute::memory::Memory;
use crate::inputs::{Collector, InputRecord, TraceError, Values};
use program::ssa::Function;
use terms::{Term, TermPool, Value};

/// The blocks with inputs behind a cut point, in execution order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Requests {
    executed: Vec<Executed>,
}

#[derive(Clone, Debug)]
struct Executed {
    /// The path condition from the cut point to the block.
    guard: Term,
    inputs: Vec<InputRecord>,
}

impl Requests {
    /// The block that is executed next records `inputs`.
    pub(crate) fn add(&mut self, guard: Term, inputs: Vec<InputRecord>) {
        self.executed.push(Executed { guard, inputs });
    }

    /// Adds the inputs of the blocks on the path of a model to a trace, in an activation of a
    /// function.
    pub(crate) fn trace(
        &self,
        pool: &mut TermPool,
        memory: &Memory,
        activation: (Function, u32),
        eval: &mut Values<'_>,
        collector: &mut Collector,
    ) -> Result<(), TraceError> {
        for Executed { guard, inputs } in &self.executed {
            if eval(pool, *guard).ok_or(TraceError::NoValue)? != Value::Bool(true) {
                continue;
            }
            for record in inputs {
                collector.add(pool, memory, activation, record, eval)?;
            }
        }
        Ok(())
    }
}
