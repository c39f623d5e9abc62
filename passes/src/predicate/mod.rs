//! draft
pub(crate) mod abstraction;
pub(crate) mod arg;
pub(crate) mod formulas;
pub(crate) mod precision;
pub(crate) mod solving;
