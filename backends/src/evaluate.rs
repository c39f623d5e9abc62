//! Evaluation of formulas under a model, by the evaluator of `terms`.
//!
//! Only the values of free symbols and functions are taken from the model; [`terms::Evaluator`]
//! evaluates the formulas. SMT-LIB leaves some applications unspecified (division of numbers by
//! zero, `fp.min` of two zeros, conversions of floats out of range): each is a total function of
//! its arguments that the *model* chooses. For these, the model is queried for the value of the
//! application, innermost applications first, and the value applies to every application of the
//! same operator to the same arguments.
//!
//! Cost: linear in the number of distinct terms, plus, for each unspecified application, the size
//! of its subterms.

use crate::{Model, Reason};
use terms::{Assignment, EvalError, Evaluator, FunctionSymbol, Op, Symbol, Term, TermPool, Value};

/// The result of an evaluation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evaluation {
    /// The first formula that is not true under the model, and the reason.
    pub violated: Option<(Term, String)>,
    /// The formulas that cannot be evaluated, and why: they have quantifiers, or the model lacks a
    /// value.
    pub unchecked: Vec<(Term, String)>,
}

/// Evaluates `formulas` under the values of their symbols and functions in `model`.
///
/// # Errors
/// [`Reason::Fault`] or [`Reason::Misuse`] of the model's prover; other failures leave formulas
/// unchecked.
pub fn evaluate(model: &mut dyn Model, pool: &TermPool, formulas: &[Term]) -> Result<Evaluation, Reason> {
    let leaves = Leaves::of(pool, formulas);
    let mut assignment = Assignment::new();
    // If a value is missing, evaluation fails where it needs the value.
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
                evaluation.violated = Some((formula, format!("it evaluates to {value} in the model")));
                break;
            }
            Err(EvalError::SortMismatch(term)) => {
                let what = format!("the model assigns {term} a value of the wrong sort");
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

/// The parts of formulas whose values come from the model.
struct Leaves {
    symbols: Vec<Symbol>,
    functions: Vec<FunctionSymbol>,
    /// Applications of operators that are unspecified for some arguments, inner ones first.
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
