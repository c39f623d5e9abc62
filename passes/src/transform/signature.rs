//! Compatibility of calls through pointers with functions.

use program::ssa::{Callee, Function, FunctionData, Program, Type};
use terms::{Term, TermPool};

/// The functions among `address_taken` that a call through a pointer may reach: those that are
/// compatible and have pointers where the called type has them or, without such a function, all
/// that are compatible.
///
/// A program that calls a function through a pointer of another type, with an integer for a
/// pointer, has undefined behavior and commonly works. Where a function of the right kind exists, a
/// call of another one is unsupported when it is reached; without that, a hook for `free` could be
/// one for `malloc`, and each block the size of another one. All analyses before the resolution of
/// calls use this function, and no pass between them removes an address of a function.
pub(super) fn possible_targets(
    pool: &TermPool,
    program: &Program,
    address_taken: &[Function],
    (callee, arguments): (&Callee, &[Term]),
    used: Option<Type>,
) -> Vec<Function> {
    let Callee::Indirect { parameters, result, .. } = callee else { return Vec::new() };
    let fits = |target: &Function| is_compatible(pool, &program.functions[*target], arguments, used);
    let compatible: Vec<Function> = address_taken.iter().copied().filter(fits).collect();
    let agrees = |target: &Function| {
        let target = &program.functions[*target];
        let has_pointers_alike = parameters
            .iter()
            .zip(&target.parameters)
            .all(|(wanted, given)| is_pointer(*wanted) == is_pointer(*given));
        // Functions with a result are commonly called as if they had none.
        let has_result_alike =
            result.zip(target.result).is_none_or(|(wanted, given)| is_pointer(wanted) == is_pointer(given));
        has_pointers_alike && has_result_alike
    };
    let agreeing: Vec<Function> = compatible.iter().copied().filter(agrees).collect();
    if agreeing.is_empty() { compatible } else { agreeing }
}

fn is_pointer(ty: Type) -> bool {
    matches!(ty, Type::Pointer { .. })
}

/// Whether a call of `callee` with `arguments`, whose result is used as `result`, matches the
/// callee's signature.
fn is_compatible(pool: &TermPool, callee: &FunctionData, arguments: &[Term], result: Option<Type>) -> bool {
    let count_fits = arguments.len() == callee.parameters.len()
        || (callee.is_variadic && arguments.len() > callee.parameters.len());
    count_fits
        && arguments
            .iter()
            .zip(&callee.parameters)
            .all(|(&argument, parameter)| pool.sort(argument) == parameter.sort())
        && result.is_none_or(|wanted| callee.result.is_some_and(|given| given.sort() == wanted.sort()))
}
