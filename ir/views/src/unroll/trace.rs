//! From a model of an instance's guard to the path and its inputs.

use super::{InstanceId, Unroller};
use crate::execute::NOWHERE;
use crate::inputs::{Collector, Trace, TraceError, Values};
use terms::entity::Entity;
use terms::{Term, TermPool, Value};

impl Unroller<'_> {
    /// Reconstructs the path on which `instance` is reached in a model of its guard. `eval` returns
    /// the values of terms in that model; it is called for the guards where paths meet, for all
    /// inputs on the path, and for cells of unknown memory. Linear in the length of the path.
    ///
    /// # Errors
    /// See [`TraceError`].
    pub fn trace(
        &self,
        pool: &mut TermPool,
        instance: InstanceId,
        eval: &mut Values<'_>,
    ) -> Result<Trace, TraceError> {
        let mut collector = Collector::default();
        for &id in &self.path(pool, instance, eval)? {
            let data = &self.exploration.instances[id.index()];
            let function = self.exploration.activations[data.activation.index()].function;
            if data.segment == 0 {
                collector.visit(function, data.block);
            }
            for record in self.exploration.inputs_of(id) {
                collector.add(pool, &self.executor.memory, (function, data.activation.0), record, eval)?;
            }
        }
        Ok(collector.finish())
    }

    /// The guards of the edges on a path to `instance` where paths meet, from its end to its start.
    /// `holds` tells which guards are true in a model of the instance; where it does not
    /// tell, the guards end.
    pub fn guards(
        &self,
        pool: &mut TermPool,
        instance: InstanceId,
        holds: &mut dyn FnMut(&mut TermPool, Term) -> bool,
    ) -> Vec<Term> {
        let mut guards = Vec::new();
        let mut current = instance;
        while current != NOWHERE {
            current = match self.exploration.edges_of(current) {
                [(only, _)] => *only,
                edges => match edges.iter().find(|&&(_, guard)| holds(pool, guard)) {
                    Some(&(from, guard)) => {
                        guards.push(guard);
                        from
                    }
                    None => break,
                },
            };
        }
        guards
    }

    /// The instances on the path, in execution order.
    fn path(
        &self,
        pool: &TermPool,
        instance: InstanceId,
        eval: &mut Values<'_>,
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
}
