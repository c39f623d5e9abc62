//! The names of logics.

/// The theories of a logic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Logic {
    pub(super) integers: bool,
    pub(super) reals: bool,
    pub(super) bit_vectors: bool,
    pub(super) floats: bool,
    pub(super) arrays: bool,
}

impl Logic {
    /// All theories, for scripts without a logic.
    pub(super) const ALL: Logic =
        Logic { integers: true, reals: true, bit_vectors: true, floats: true, arrays: true };

    /// The logic with this name. A name that does not follow the scheme of SMT-LIB includes all
    /// theories.
    pub(super) fn new(name: &str) -> Self {
        let mut logic =
            Logic { integers: false, reals: false, bit_vectors: false, floats: false, arrays: false };
        let mut rest = name.strip_prefix("QF_").unwrap_or(name);
        // Longer parts first.
        type Part = (&'static str, fn(&mut Logic));
        const PARTS: [Part; 18] = [
            ("LIRA", |logic| (logic.integers, logic.reals) = (true, true)),
            ("NIRA", |logic| (logic.integers, logic.reals) = (true, true)),
            ("LIA", |logic| logic.integers = true),
            ("NIA", |logic| logic.integers = true),
            ("IDL", |logic| logic.integers = true),
            ("LRA", |logic| logic.reals = true),
            ("NRA", |logic| logic.reals = true),
            ("RDL", |logic| logic.reals = true),
            ("AX", |logic| logic.arrays = true),
            ("UF", |_| {}),
            ("BV", |logic| logic.bit_vectors = true),
            ("FP", |logic| logic.floats = true),
            ("DT", |_| {}),
            ("FF", |_| {}),
            ("SEQ", |_| {}),
            ("S", |_| {}),
            ("T", |_| {}),
            ("A", |logic| logic.arrays = true),
        ];
        if rest.is_empty() {
            return Logic::ALL;
        }
        while !rest.is_empty() {
            let Some((part, add)) = PARTS.iter().find(|(part, _)| rest.starts_with(part)) else {
                return Logic::ALL;
            };
            add(&mut logic);
            rest = &rest[part.len()..];
        }
        logic
    }

    /// Whether numerals are reals.
    pub(super) fn has_real_numerals(self) -> bool {
        self.reals && !self.integers
    }
}
