//! The checks of [`workload`](crate::workload) as a program would write them that knows only one solver.

#![allow(unsafe_code, reason = "the very point: the calls that our traits are compared with")]

pub mod cvc5;
pub mod yices;
pub mod z3;
