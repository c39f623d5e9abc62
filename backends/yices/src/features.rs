//! The theories of formulas, and the combination of solvers for them.

use backends::Reason;

/// A set of theories.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Features(u8);

impl Features {
    pub(crate) const NONE: Features = Features(0);
    pub(crate) const BIT_VECTORS: Features = Features(1);
    pub(crate) const INTEGERS: Features = Features(2);
    pub(crate) const REALS: Features = Features(4);
    /// Functions and uninterpreted sorts.
    pub(crate) const FUNCTIONS: Features = Features(8);
    /// Arrays that the array solver must handle: not those that are only read.
    pub(crate) const ARRAYS: Features = Features(16);
    /// Products of variables.
    pub(crate) const NONLINEAR: Features = Features(32);
    /// Any term of an array sort.
    pub(crate) const ARRAY_TERMS: Features = Features(64);

    pub(crate) fn union(self, other: Features) -> Features {
        Features(self.0 | other.0)
    }

    pub(crate) fn contains(self, other: Features) -> bool {
        self.0 & other.0 == other.0
    }

    pub(crate) fn intersects(self, other: Features) -> bool {
        self.0 & other.0 != 0
    }
}

/// A combination of solvers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Architecture {
    /// The combination of Yices for a logic.
    Logic(&'static str),
    /// All solvers of DPLL(T).
    All,
    /// The model-constructing solver, the only one for nonlinear arithmetic. Slower on everything
    /// else.
    Mcsat,
}

impl Architecture {
    /// The smallest combination for `features`.
    ///
    /// # Errors
    /// [`Reason::Unsupported`] for products of variables together with arrays that are not only
    /// read.
    pub(crate) fn new(features: Features) -> Result<Self, Reason> {
        if features.contains(Features::NONLINEAR) {
            if features.contains(Features::ARRAYS) {
                return Err(Reason::Unsupported(
                    "products of variables together with equations between arrays".to_owned(),
                ));
            }
            return Ok(Architecture::Mcsat);
        }
        let bit_vectors = features.contains(Features::BIT_VECTORS);
        let integers = features.contains(Features::INTEGERS);
        let reals = features.contains(Features::REALS);
        let [plain, functions, arrays] = match (bit_vectors, integers, reals) {
            (true, true, _) | (true, _, true) => return Ok(Architecture::All),
            (_, false, false) => ["QF_BV", "QF_UFBV", "QF_AUFBV"],
            (false, true, false) => ["QF_LIA", "QF_UFLIA", "QF_AUFLIA"],
            (false, false, true) => ["QF_LRA", "QF_UFLRA", "QF_AUFLRA"],
            (false, true, true) => ["QF_LIRA", "QF_UFLIRA", "QF_AUFLIRA"],
        };
        Ok(Architecture::Logic(if features.contains(Features::ARRAYS) {
            arrays
        } else if features.contains(Features::FUNCTIONS) {
            functions
        } else {
            plain
        }))
    }
}
