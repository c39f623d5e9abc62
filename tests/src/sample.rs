//! The fraction of the trials of a test target that run, and the [samples](hornwork::sample) of
//! cases that it has.

pub use hornwork::sample::{hash, is_one_in, least};

/// The fraction of the trials of a test target that run: `HORNWORK_TRIALS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// `once`: each case in one configuration, for mutation testing.
    Once,
    /// Not set: a sample that fits into `make test`.
    Sampled,
    /// `all`: each case in each configuration, for `make nightly`.
    All,
}

impl Extent {
    /// Reads the variable.
    ///
    /// # Panics
    /// If it has another value.
    pub fn of_environment() -> Self {
        match std::env::var("HORNWORK_TRIALS").as_deref() {
            Err(_) => Extent::Sampled,
            Ok("once") => Extent::Once,
            Ok("all") => Extent::All,
            Ok(other) => panic!("HORNWORK_TRIALS must be `once` or `all`, not `{other}`"),
        }
    }
}
