//! Hash-consed SMT-LIB terms.
//!
//! A [`Term`] is a `Copy` handle into a [`TermPool`]; equal terms have equal handles. Every
//! function that builds or reads terms takes the pool as its first argument; there is no global
//! pool.
//!
//! | module | contents |
//! |---|---|
//! | `pool`, `arena`, `constants`, `op`, `sort` | storage: nodes, tables of constants and symbols, leaves |
//! | `junction`, `boolean`, `bv`, `bv_compare`, `bv_structure`, `bv_sum`, `arith`, `array`, `float` | constructors, which check sorts and simplify locally |
//! | `bits`, `number`, `ieee` | values of constants and the semantics of operators on them |
//! | [`operators`] | the names of operators |
//! | [`signature`] | sort checking of applications, for terms from untrusted input |
//! | `traverse`, `substitution`, `scopes` | traversal without recursion, free symbols, term sizes, substitution, bound variables |
//! | [`entity`](mod@entity) | typed indices and the tables they index |
//! | `value`, `eval` | exact evaluation under an assignment |
//! | [`wire`] | serialization of terms and values for another process |
//! | [`choice`](mod@choice) | enumerations for user options, with names and help |
//! | [`print`](mod@print) | SMT-LIB 2.6 text with sharing |
//!
//! A constructor simplifies only where the result is certainly better and the test inspects at most
//! children and grandchildren. The constructors are *not* a preprocessor: no rule depends on how
//! often a term is used or on the rest of the formula.

mod arena;
mod arith;
mod array;
mod bits;
mod boolean;
mod bv;
mod bv_compare;
mod bv_structure;
mod bv_sum;
pub mod choice;
mod constants;
pub mod entity;
mod eval;
mod float;
mod ieee;
mod junction;
mod linear;
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
mod table;
mod traverse;
mod value;
pub mod wire;

pub use bits::BitVector;
pub use bv_sum::BvSum;
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
pub use table::TermMap;
pub use traverse::TermSet;
pub use value::{ArrayValue, Value};

#[cfg(test)]
mod tests;
