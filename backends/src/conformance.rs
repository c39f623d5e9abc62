//! The suite that every backend passes.
//!
//! A backend's test calls [`run`] with its factory. Each check states one obligation of the [`Prover`] contract over one
//! theory; checks of theories that the backend does not list in its [`Capabilities`](crate::Capabilities) are skipped.
//! A model is never believed: the formula is evaluated by `ir` under the values of its symbols.

mod core;
mod theories;

use crate::{Limits, Model, Outcome, Prover, ProverFactory, Status};
use ir::term::{Op, Term, TermPool, Value};

/// One check; `Err` says what is wrong.
type Check = fn(&dyn ProverFactory) -> Result<(), String>;

/// The checks with the theory that each needs (`Core` if none) and their names.
const CHECKS: &[(&str, &str, Check)] = &[
    ("Core", "propositional logic", core::propositional),
    ("Core", "scopes hide what was asserted in them", core::scopes),
    ("Core", "scopes and assumptions mix", core::scopes_and_assumptions),
    ("Core", "assumptions are arbitrary terms and are forgotten", core::assumptions),
    ("Core", "cores suffice", core::cores),
    ("Core", "a context is usable after it became unsatisfiable and was popped", core::recovery),
    ("Core", "an interrupt ends a check, and the prover lives on", core::interrupts),
    ("Core", "deep terms", core::deep_terms),
    ("Core", "large shared terms", core::large_terms),
    ("FixedSizeBitVectors", "bit-vector operators at widths 1 to 128", theories::bit_vectors),
    ("FixedSizeBitVectors", "division of bit vectors by zero", theories::bit_vector_division_by_zero),
    ("FixedSizeBitVectors", "models of wide bit vectors", theories::wide_models),
    ("FixedSizeBitVectors", "a time limit ends a hard check, and the prover lives on", theories::time_limits),
    ("FixedSizeBitVectors", "deep bit-vector terms", theories::deep_bit_vectors),
    ("Ints", "linear integers", theories::integers),
    ("Ints", "division of integers rounds as SMT-LIB says", theories::integer_division),
    ("Ints", "integers beyond machine words", theories::big_integers),
    ("Reals", "linear reals", theories::reals),
    ("ArraysEx", "reads over writes", theories::arrays),
    ("ArraysEx", "constant arrays", theories::constant_arrays),
    (
        "ArraysEx",
        "constant arrays that are read later, also across scopes",
        theories::constant_arrays_read_later,
    ),
    ("ArraysEx", "models of arrays", theories::array_models),
    ("UF", "congruence", theories::functions),
];

/// Runs the suite; the failures, each with the name of its check.
pub fn run(factory: &dyn ProverFactory) -> Vec<String> {
    let capabilities = factory.capabilities();
    CHECKS
        .iter()
        .filter(|(theory, _, _)| *theory == "Core" || capabilities.theories.contains(theory))
        .filter_map(|(_, name, check)| check(factory).err().map(|error| format!("{name}: {error}")))
        .collect()
}

fn prover(factory: &dyn ProverFactory, logic: &str) -> Result<Box<dyn Prover>, String> {
    factory.new_prover(logic, &Limits::default()).map_err(text)
}

fn expect(
    prover: &mut dyn Prover,
    pool: &TermPool,
    assumptions: &[Term],
    expected: &Status,
) -> Result<(), String> {
    let status = prover.status(pool, assumptions);
    if status == *expected { Ok(()) } else { Err(format!("{status:?} instead of {expected:?}")) }
}

fn assert(prover: &mut dyn Prover, pool: &TermPool, formula: Term) -> Result<(), String> {
    prover.assert(pool, formula).map(|_| ()).map_err(text)
}

/// Whether `formula` is satisfiable; a model is checked.
fn decide(prover: &mut dyn Prover, pool: &mut TermPool, formula: Term) -> Result<bool, String> {
    prover.push().map_err(text)?;
    assert(prover, pool, formula)?;
    let answer = match prover.check(pool, &[]) {
        Outcome::Sat(mut model) => check_model(&mut *model, pool, formula).map(|()| true),
        Outcome::Unsat(_) => Ok(false),
        Outcome::Unknown(reason) => Err(reason.to_string()),
    };
    prover.pop().map_err(text)?;
    answer
}

/// `formula` holds under the model's values of its symbols, and the model says so itself.
fn check_model(model: &mut dyn Model, pool: &TermPool, formula: Term) -> Result<(), String> {
    let has_functions = has_functions(pool, formula);
    let own = model.eval(pool, formula).map_err(text)?;
    if own != Value::Bool(true) {
        return Err("the model falsifies the formula".to_owned());
    }
    if has_functions {
        return Ok(());
    }
    let mut assignment = Vec::new();
    for symbol in pool.free_symbols(formula) {
        assignment.push((symbol, model.value(pool, symbol).map_err(text)?));
    }
    let value = ir::term::eval(pool, formula, &|leaf: Term| match pool.op(leaf) {
        Op::Symbol(symbol) => {
            assignment.iter().find(|(other, _)| *other == symbol).map(|(_, value)| value.clone())
        }
        _ => None,
    });
    match value {
        Ok(Value::Bool(true)) => Ok(()),
        other => Err(format!("under the model's values the formula is {other:?}")),
    }
}

fn has_functions(pool: &TermPool, root: Term) -> bool {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack = vec![root];
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            if matches!(pool.op(term), Op::Apply(_)) {
                return true;
            }
            stack.extend(pool.children(term));
        }
    }
    false
}

fn ensure(holds: bool, what: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what.to_owned()) }
}

#[allow(clippy::needless_pass_by_value, reason = "the argument of `map_err`")]
fn text(reason: crate::Reason) -> String {
    reason.to_string()
}
