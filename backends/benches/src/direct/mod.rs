//! The checks of [`workload`](crate::workload), written for one solver's own interface.

#![allow(unsafe_code, reason = "direct calls of the libraries, the reference of the comparison")]

pub mod cvc5;
pub mod yices;
pub mod z3;
