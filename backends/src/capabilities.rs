//! What a solver can do, as data.

/// What a backend can do. `hornwork solvers` prints it, and the conformance suite exercises each claim.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Capabilities {
    /// The theories, by their SMT-LIB names: see [`THEORIES`].
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

/// The names that [`Capabilities::theories`] may contain. `NonlinearInts` and `NonlinearReals` are products and quotients
/// of variables.
pub const THEORIES: &[&str] = &[
    "Core",
    "Ints",
    "Reals",
    "NonlinearInts",
    "NonlinearReals",
    "FixedSizeBitVectors",
    "FloatingPoint",
    "ArraysEx",
    "UF",
];

/// Whether something can be done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub enum Support {
    /// Not at all.
    #[default]
    None,
    /// Yes.
    Full,
}
