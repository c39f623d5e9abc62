//! The algorithms: each turns a program into a [verdict](crate::evidence::Verdict) with evidence.
//!
//! [`bmc`] unrolls, [`induction`] continues it, [`predicate`] explores abstract states. None knows another but that `induction` is a
//! continuation of `bmc`, and that `predicate` hands a counterexample that does not replay to `bmc`, which looks for another run.

pub mod bmc;
pub mod induction;
pub mod predicate;
mod replay;
