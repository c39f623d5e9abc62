//! Compatibility of calls through pointers with functions.

use program::ssa::{FunctionData, Type};
use terms::{Term, TermPool};

/// Whether a call of `callee` with `arguments`, whose result is used as `result`, matches the
/// callee's signature.
pub(super) fn is_compatible(
    pool: &TermPool,
    callee: &FunctionData,
    arguments: &[Term],
    result: Option<Type>,
) -> bool {
    let count_fits = arguments.len() == callee.parameters.len()
        || (callee.is_variadic && arguments.len() > callee.parameters.len());
    count_fits
        && arguments
            .iter()
            .zip(&callee.parameters)
            .all(|(&argument, parameter)| pool.sort(argument) == parameter.sort())
        && result.is_none_or(|wanted| callee.result.is_some_and(|given| given.sort() == wanted.sort()))
}
