//! The verification algorithms. Each maps a program to a [verdict](crate::evidence::Verdict) with
//! evidence.
//!
//! [`bmc`] unrolls the program, [`induction`] extends it to k-induction, and [`predicate`] explores
//! abstract states. The engines are independent but for two uses of `bmc`: `induction` is a
//! continuation of it, and `predicate` hands it each counterexample that does not replay, so that
//! it searches for another execution. [`clauses`] is beside them: it decides Horn systems, which
//! need not come from a program.

pub mod bmc;
pub mod clauses;
pub mod induction;
pub mod predicate;
mod replay;
mod unknown;
