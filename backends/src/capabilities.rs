//! Capabilities of a solver, as data.

/// The capabilities of a solver. `hornwork solvers` prints them, and the conformance suite
/// exercises each one.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Capabilities {
    /// The supported theories, by their SMT-LIB names; see [`THEORIES`].
    pub theories: Vec<&'static str>,
    /// Unsat cores over assumptions.
    pub unsat_cores: Support,
    /// Models.
    pub models: Support,
    /// Quantifiers in assertions.
    pub quantifiers: Support,
    /// [`Prover::eliminate`](crate::Prover::eliminate).
    pub quantifier_elimination: Support,
    /// [`Model::project`](crate::Model::project).
    pub projection: Support,
}

/// The names that [`Capabilities::theories`] may contain. `NonlinearInts` and `NonlinearReals`
/// stand for products and quotients of variables, `OtherFloats` for floats of formats other than
/// binary16, binary32, binary64 and binary128, and `UninterpretedSorts` for these sorts.
pub const THEORIES: &[&str] = &[
    "Core",
    "Ints",
    "Reals",
    "NonlinearInts",
    "NonlinearReals",
    "FixedSizeBitVectors",
    "FloatingPoint",
    "OtherFloats",
    "ArraysEx",
    "UF",
    "UninterpretedSorts",
];

/// Whether a feature is supported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub enum Support {
    /// Not supported.
    #[default]
    None,
    /// Supported.
    Full,
}
