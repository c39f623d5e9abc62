//! The algorithms: each turns a program into a [verdict](crate::evidence::Verdict) with evidence.
//!
//! [`bmc`] unrolls, [`induction`] continues it, [`predicate`] explores abstract states. None knows another but that `induction` is a
//! continuation of `bmc`, and that all hand what they take for an error to `bmc`, which finds the run.

pub mod bmc;
pub mod induction;
pub mod predicate;
