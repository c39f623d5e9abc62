//! draft
pub mod abstraction;
pub(crate) mod algorithm;
pub(crate) mod arg;
pub mod config;
pub mod driver;
pub(crate) mod formulas;
pub mod precision;
pub(crate) mod refinement;
pub mod solving;
