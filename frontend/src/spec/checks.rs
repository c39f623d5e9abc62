//! Checks of single operations, enabled individually: `--check=div-by-zero,shift,…`.

use program::ssa::PropertyKind;

/// A check that users select by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Check {
    /// The name of the check. The name in verdicts is accepted as well.
    pub name: &'static str,
    /// The kind of errors that it reports.
    pub kind: PropertyKind,
    /// A description of one line.
    pub help: &'static str,
}

/// All checks.
pub const CHECKS: &[Check] = &[
    Check {
        name: "overflow",
        kind: PropertyKind::SignedOverflow,
        help: "signed arithmetic, negation or left shift whose type cannot represent the result",
    },
    Check {
        name: "unsigned-overflow",
        kind: PropertyKind::UnsignedOverflow,
        help: "unsigned arithmetic that wraps around",
    },
    Check {
        name: "conversion",
        kind: PropertyKind::Conversion,
        help: "an implicit conversion that changes the value; not between floating types",
    },
    Check {
        name: "pointer-overflow",
        kind: PropertyKind::PointerOverflow,
        help: "pointer arithmetic that wraps around the address space",
    },
    Check {
        name: "pointer-compare",
        kind: PropertyKind::PointerCompare,
        help: "a relational comparison or a difference of pointers to different objects",
    },
    Check {
        name: "div-by-zero",
        kind: PropertyKind::DivisionByZero,
        help: "an integer division or remainder by zero",
    },
    Check {
        name: "shift",
        kind: PropertyKind::Shift,
        help: "a shift by a negative amount, or by at least the width",
    },
    Check { name: "bounds", kind: PropertyKind::Bounds, help: "an index out of bounds of a declared array" },
    Check { name: "null", kind: PropertyKind::Null, help: "an access through a null pointer" },
    Check {
        name: "uninit",
        kind: PropertyKind::Uninitialized,
        help: "a read by name of an uninitialized local scalar variable, or of a scalar member of a local structure whose address is not taken; a structure that is assigned as a whole counts as initialized",
    },
    Check {
        name: "deref",
        kind: PropertyKind::ValidDeref,
        help: "an access that is not within a live object",
    },
    Check {
        name: "free",
        kind: PropertyKind::ValidFree,
        help: "free of memory that is not allocated, or a double free",
    },
    Check {
        name: "memory-leak",
        kind: PropertyKind::ValidMemtrack,
        help: "a memory leak: no pointer to allocated memory remains",
    },
    Check {
        name: "memory-cleanup",
        kind: PropertyKind::ValidMemcleanup,
        help: "allocated memory that is not freed at the end of the program",
    },
];

impl Check {
    /// Returns the check called `name`.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Check> {
        CHECKS.iter().find(|check| check.name == name || check.kind.verdict_name() == name)
    }
}

/// A set of kinds of errors to check.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Checks(u32);

impl Checks {
    /// The empty set.
    pub const NONE: Checks = Checks(0);

    /// Whether errors of this kind are checked.
    #[must_use]
    pub fn contains(self, kind: PropertyKind) -> bool {
        self.0 & Self::bit(kind) != 0
    }

    /// Whether errors of at least one of these kinds are checked.
    #[must_use]
    pub fn contains_any(self, kinds: &[PropertyKind]) -> bool {
        kinds.iter().any(|&kind| self.contains(kind))
    }

    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Self::NONE
    }

    fn bit(kind: PropertyKind) -> u32 {
        1 << (kind as u32)
    }
}

impl FromIterator<PropertyKind> for Checks {
    fn from_iter<I: IntoIterator<Item = PropertyKind>>(kinds: I) -> Self {
        Checks(kinds.into_iter().fold(0, |set, kind| set | Self::bit(kind)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_found_by_both_names() {
        for check in CHECKS {
            assert_eq!(Check::named(check.name), Some(check));
            assert_eq!(Check::named(check.kind.verdict_name()), Some(check));
        }
        assert_eq!(Check::named("everything"), None);
    }

    #[test]
    fn a_set_holds_what_was_put_in() {
        let checks: Checks = [PropertyKind::Shift, PropertyKind::ValidMemcleanup].into_iter().collect();
        let held: Vec<PropertyKind> = PropertyKind::all().filter(|&kind| checks.contains(kind)).collect();
        assert_eq!(held, [PropertyKind::Shift, PropertyKind::ValidMemcleanup]);
        assert!(checks.contains_any(&[PropertyKind::Null, PropertyKind::Shift]));
        assert!(!checks.contains_any(&[PropertyKind::Null]));
        assert!(Checks::NONE.is_empty() && !checks.is_empty());
    }
}
