//! Sequences and trees from smaller problems (002, §2.6).

/// How problems that a source does not take as they are become smaller ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Strategy {
    /// For paths.
    pub sequence: SequenceStrategy,
    /// For trees.
    pub tree: TreeStrategy,
}

/// Paths of more than two parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub enum SequenceStrategy {
    /// As one problem where the source can, otherwise [`Sequential`](Self::Sequential).
    #[default]
    Native,
    /// Cut by cut from the left: the last interpolant and the next part against the rest.
    Sequential,
}

/// Trees that are no paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub enum TreeStrategy {
    /// As one problem where the source can, otherwise [`Binary`](Self::Binary).
    #[default]
    Native,
    /// Well-scoped interpolation (002, Alg. 6).
    WellScoped,
    /// Tree interpolation from binary interpolation (002, Alg. 7).
    Binary,
    /// Nested interpolation (002, Alg. 8).
    Nested,
}
