//! Terms: hash-consed formulas of SMT-LIB.
//!
//! A [`Term`] is a `Copy` handle into a [`TermPool`]; equal terms have equal handles. The pool is the first argument
//! of everything that makes or looks at terms, never a global. See `DESIGN` §2.

mod op;
mod pool;
mod sort;

pub use op::{FunctionSymbol, Op, Symbol};
pub use pool::{Representation, SymbolData, Term, TermPool};
pub use sort::{ArraySort, Sort};
