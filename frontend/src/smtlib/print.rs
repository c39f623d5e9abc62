//! Models and values in the format of solvers.

use super::Declaration;
use std::fmt::{self, Write};
use terms::print::{quote, sort, write_sort};
use terms::{FunctionSymbol, FunctionValue, Op, Sort, Term, TermPool, Value, print};

/// A value as an SMT-LIB term: numbers as literals, an array as stores to a constant array, an
/// element of a declared sort as the abstract value `(as @name!number sort)`.
pub fn value(pool: &TermPool, value: &Value, of: Sort) -> String {
    let mut text = String::new();
    write_value(&mut text, pool, value, of).expect("a string takes any text");
    text
}

/// Writes the result of [`value`] to `out`.
pub fn write_value(out: &mut impl Write, pool: &TermPool, value: &Value, of: Sort) -> fmt::Result {
    match value {
        Value::Array(array) => {
            let Sort::Array(parts) = of else {
                unreachable!("the array {value:?} should be of an array sort, not {of:?}")
            };
            let (index_sort, element_sort) = pool.array_sort_parts(parts);
            for _ in array.entries() {
                out.write_str("(store ")?;
            }
            out.write_str("((as const ")?;
            write_sort(out, pool, of)?;
            out.write_str(") ")?;
            write_value(out, pool, array.default(), element_sort)?;
            out.write_str(")")?;
            for (index, element) in array.entries() {
                out.write_str(" ")?;
                write_value(out, pool, index, index_sort)?;
                out.write_str(" ")?;
                write_value(out, pool, element, element_sort)?;
                out.write_str(")")?;
            }
            Ok(())
        }
        Value::Element { sort: id, number } => {
            let name = pool.uninterpreted_sort_name(*id);
            let element = quote(&format!("@{name}!{number}")).into_owned();
            write!(out, "(as {element} {})", quote(name))
        }
        // The text of other values does not depend on the sort.
        _ => write!(out, "{value}"),
    }
}

/// The definition of a constant in a model: `(define-fun x () Int 5)`.
pub fn constant(pool: &TermPool, symbol: Term, of: &Value) -> String {
    let Op::Symbol(id) = pool.op(symbol) else { unreachable!("{symbol} should be a symbol") };
    let data = pool.symbol_data(id);
    format!("(define-fun {} () {} {})", quote(&data.name), sort(pool, data.sort), value(pool, of, data.sort))
}

/// The definition of a function in a model, by cases:
/// `(define-fun f ((x!1 Int)) Int (ite (= x!1 3) 7 0))`. If the function has no default value, that
/// of the sort is used, which must exist.
pub fn function(pool: &TermPool, function: FunctionSymbol, of: &FunctionValue) -> String {
    let (name, sorts, result) = pool.function_data(function);
    let mut text = format!("(define-fun {} (", quote(name));
    for (place, &of) in sorts.iter().enumerate() {
        let space = if place > 0 { " " } else { "" };
        let _ = write!(text, "{space}(x!{} {})", place + 1, sort(pool, of));
    }
    let _ = write!(text, ") {} ", sort(pool, result));
    for (arguments, value) in &of.table {
        text.push_str(if arguments.len() > 1 { "(ite (and" } else { "(ite" });
        for (place, (argument, &of)) in arguments.iter().zip(sorts).enumerate() {
            let _ = write!(text, " (= x!{} ", place + 1);
            write_value(&mut text, pool, argument, of).expect("a string takes any text");
            text.push(')');
        }
        text.push_str(if arguments.len() > 1 { ") " } else { " " });
        write_value(&mut text, pool, value, result).expect("a string takes any text");
        text.push(' ');
    }
    let default = of.default.clone().or_else(|| Value::default_of(pool, result));
    let default = default.expect("every sort has a default value");
    write_value(&mut text, pool, &default, result).expect("a string takes any text");
    text.extend(std::iter::repeat_n(')', of.table.len() + 1));
    text
}

impl Declaration {
    /// The name, quoted if SMT-LIB requires it.
    #[must_use]
    pub fn name(self, pool: &TermPool) -> String {
        match self {
            Declaration::Constant(term) => print::term(pool, term),
            Declaration::Function(function) => quote(pool.function_data(function).0).into_owned(),
        }
    }
}
