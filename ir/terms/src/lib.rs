//! Terms: hash-consed formulas of SMT-LIB.
//!
//! A [`Term`] is a `Copy` handle into a [`TermPool`]; equal terms have equal handles. The pool is the first argument
//! of everything that makes or looks at terms, never a global.
//!
//! | module | what |
//! |---|---|
//! | `pool`, `arena`, `constants`, `op`, `sort` | storage: nodes, tables of constants and symbols, leaves |
//! | `junction`, `boolean`, `bv`, `bv_compare`, `bv_structure`, `arith`, `array`, `float` | constructors that check sorts and simplify locally |
//! | `bits`, `number`, `ieee` | values of constants and what operators do to them |
//! | [`operators`] | the names of operators |
//! | [`signature`] | which sort an application has, and why not; for terms from outside |
//! | `traverse`, `substitution`, `scopes` | traversal without recursion, free symbols, measures, replacement of leaves, bound variables |
//! | [`entity`](mod@entity) | typed indices and the tables they index |
//! | `value`, `eval` | exact evaluation under an assignment |
//! | [`wire`] | terms and values as bytes, for another process |
//! | [`choice`](mod@choice) | enumerations that users choose from, with names and help |
//! | [`print`](mod@print) | SMT-LIB 2.6 text with sharing |
//!
//! Constructors do what is certain to pay off at once and costs no more than a look at the children and
//! grandchildren. They are *not* a preprocessor: nothing here depends on how often a term is used, or on the rest of
//! the formula.

mod arena;
mod arith;
mod array;
mod bits;
mod boolean;
mod bv;
mod bv_compare;
mod bv_structure;
pub mod choice;
mod constants;
pub mod entity;
mod eval;
mod float;
mod ieee;
mod junction;
mod number;
mod op;
pub mod operators;
mod pool;
pub mod print;
mod random;
mod scopes;
pub mod signature;
mod sort;
mod substitution;
mod traverse;
mod value;
pub mod wire;

pub use bits::BitVector;
pub use eval::evaluate_float_operator;
pub use eval::{Assignment, Completion, Environment, EvalError, Evaluator, FunctionValue, eval};
pub use float::float_nan_pattern;
pub use ieee::FloatSign;
pub use op::{FunctionSymbol, Op, RoundingMode, Symbol};
pub use pool::{Representation, SymbolData, Term, TermPool};
pub use random::Random;
pub use signature::SortError;
pub use sort::{ArraySort, Signedness, Sort};
pub use substitution::{Dense, Images, Sparse, Substitution};
pub use value::{ArrayValue, Value};

#[cfg(test)]
mod tests;
