//! Helpers shared by the passes.

use program::ssa::{FunctionData, Instruction, Type, Value};
use terms::entity::Entity;
use terms::{Op, Sort, Term, TermPool, Value as TermValue};

/// The value of a term that is a bare leaf.
pub(crate) fn as_value(pool: &TermPool, term: Term) -> Option<Value> {
    match pool.op(term) {
        Op::Value(index) => Some(Value(index)),
        _ => None,
    }
}

/// The leaf term of a value.
pub(crate) fn leaf(pool: &mut TermPool, function: &FunctionData, value: Value) -> Term {
    pool.value(value.0, function.values[value].ty.sort())
}

/// The instruction that defines each value; `None` for block parameters.
pub(crate) fn definitions(function: &FunctionData) -> Vec<Option<&Instruction>> {
    let mut definitions = vec![None; function.values.len()];
    for block in function.blocks.values() {
        for instruction in &block.instructions {
            if let Some(result) = instruction.result {
                definitions[result.index()] = Some(instruction);
            }
        }
    }
    definitions
}

/// The zero (or false) of a type.
pub(crate) fn zero(pool: &mut TermPool, ty: Type) -> Term {
    zero_of_sort(pool, ty.sort())
}

/// The zero (or false) of the sort of a type.
pub(crate) fn zero_of_sort(pool: &mut TermPool, sort: Sort) -> Term {
    let zero = TermValue::default_of(pool, sort).and_then(|zero| zero.to_term(pool, sort));
    zero.expect("every type of the IR has a zero")
}
