//! Whether formulas are true in a model, as `ir` sees it.
//!
//! The values of the free symbols and functions are asked from the model and nothing else is believed: the formulas are
//! evaluated by [`terms::Evaluator`]. SMT-LIB leaves some applications open (a division of numbers by zero, `fp.min` of two
//! zeros, conversions of floats out of range): each is a total function of its arguments that the *model* chooses. So where
//! one occurs, the model is asked for the value of that application, innermost ones first, and what it says holds for all
//! applications of the operator to the same arguments.
//!
//! Cost: linear in the number of distinct terms, plus for each open application the terms below it.

use crate::{Model, Reason};
use terms::{Assignment, EvalError, Evaluator, FunctionSymbol, Op, Symbol, Term, TermPool, Value};

/// What evaluation found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Evaluation {
    /// The first formula that is not true under the model's values, and what is wrong.
    pub violated: Option<(Term, String)>,
    /// The formulas that cannot be evaluated, and why: they have quantifiers, or the model has no value for something.
    pub unchecked: Vec<(Term, String)>,
}

/// Evaluates `formulas` under the values that `model` has for their symbols and functions.
///
/// # Errors
/// If the model's prover fails ([`Reason::Fault`]); what it does not support leaves formulas unchecked.
pub(crate) fn evaluate(
    model: &mut dyn Model,
    pool: &TermPool,
    formulas: &[Term],
) -> Result<Evaluation, Reason> {
    let leaves = Leaves::of(pool, formulas);
    let mut assignment = Assignment::new();
    // Without a value evaluation fails where it needs one.
    let mut missing = None;
    for &symbol in &leaves.symbols {
        match model.value(pool, symbol) {
            Ok(value) => assignment.set(symbol, value),
            Err(reason @ (Reason::Fault(_) | Reason::Misuse(_))) => return Err(reason),
            Err(reason) => missing = Some(reason),
        }
    }
    for &function in &leaves.functions {
        match model.function(pool, function) {
            Ok(value) => assignment.set_function(function, value),
            Err(reason @ (Reason::Fault(_) | Reason::Misuse(_))) => return Err(reason),
            Err(reason) => missing = Some(reason),
        }
    }
    let mut evaluator = Evaluator::new();
    for &partial in &leaves.partial {
        let error = evaluator.eval(pool, partial, &assignment);
        let Err(EvalError::DivisionByZero(open) | EvalError::Unspecified(open)) = error else { continue };
        if open != partial {
            continue;
        }
        let arguments: Result<Vec<Value>, EvalError> =
            pool.children(open).iter().map(|&child| evaluator.eval(pool, child, &assignment)).collect();
        let Ok(arguments) = arguments else { continue };
        match model.eval(pool, open) {
            Ok(value) => {
                assignment.settle(pool.op(open), arguments, value);
                evaluator.clear();
            }
            Err(reason @ (Reason::Fault(_) | Reason::Misuse(_))) => return Err(reason),
            Err(reason) => missing = Some(reason),
        }
    }
    let mut evaluation = Evaluation::default();
    for &formula in formulas {
        match evaluator.eval(pool, formula, &assignment) {
            Ok(Value::Bool(true)) => {}
            Ok(value) => {
                evaluation.violated = Some((formula, format!("it is {value} under the values of the model")));
                break;
            }
            Err(EvalError::SortMismatch(term)) => {
                let what = format!("the model gives a value to {term} that is not of its sort");
                evaluation.violated = Some((formula, what));
                break;
            }
            Err(error) => {
                let why = match &missing {
                    Some(reason) => format!("{error}: {reason}"),
                    None => error.to_string(),
                };
                evaluation.unchecked.push((formula, why));
            }
        }
    }
    Ok(evaluation)
}

/// What a model has to say about formulas.
struct Leaves {
    symbols: Vec<Symbol>,
    functions: Vec<FunctionSymbol>,
    /// Applications of operators that are open at some arguments, inner ones first.
    partial: Vec<Term>,
}

impl Leaves {
    fn of(pool: &TermPool, formulas: &[Term]) -> Self {
        let mut leaves = Leaves { symbols: Vec::new(), functions: Vec::new(), partial: Vec::new() };
        let mut known = rustc_hash::FxHashSet::default();
        pool.visit(
            formulas,
            |_| true,
            |term| match pool.op(term) {
                Op::Symbol(symbol) => leaves.symbols.push(symbol),
                Op::Apply(function) if known.insert(function) => leaves.functions.push(function),
                Op::IntDiv
                | Op::IntMod
                | Op::RealDiv
                | Op::FpMin
                | Op::FpMax
                | Op::FpToUnsigned(_)
                | Op::FpToSigned(_)
                | Op::FpToReal => leaves.partial.push(term),
                _ => {}
            },
        );
        leaves
    }
}
