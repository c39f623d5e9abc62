//! Checks of single operations, which are switched on one by one: `--check=div-by-zero,shift,…`.

use program::ssa::PropertyKind;

/// A check that can be asked for by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Check {
    /// What the user writes. The name that the verdict carries is accepted too.
    pub name: &'static str,
    /// The errors that it finds.
    pub kind: PropertyKind,
    /// What it means, in one line.
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
        help: "an order or a difference of pointers to different objects",
    },
    Check {
        name: "div-by-zero",
        kind: PropertyKind::DivisionByZero,
        help: "an integer division or remainder by zero",
    },
    Check {
        name: "shift",
        kind: PropertyKind::Shift,
        help: "a shift by a negative amount, or by the width or more",
    },
    Check { name: "bounds", kind: PropertyKind::Bounds, help: "an index outside of a declared array" },
    Check { name: "null", kind: PropertyKind::Null, help: "an access through a null pointer" },
    Check {
        name: "uninit",
        kind: PropertyKind::Uninitialized,
        help: "a local scalar variable, or a member of a local structure whose address is not taken, that is read by its name before it has a value",
    },
    Check { name: "deref", kind: PropertyKind::ValidDeref, help: "an access outside of every live object" },
    Check {
        name: "free",
        kind: PropertyKind::ValidFree,
        help: "free of something that is not allocated, or twice",
    },
    Check {
        name: "memory-leak",
        kind: PropertyKind::ValidMemtrack,
        help: "the last pointer to allocated memory is lost",
    },
    Check {
        name: "memory-cleanup",
        kind: PropertyKind::ValidMemcleanup,
        help: "allocated memory is not freed at the end",
    },
];

impl Check {
    /// The check that the user calls `name`.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Check> {
        CHECKS.iter().find(|check| check.name == name || check.kind.verdict_name() == name)
    }
}

/// Which kinds of errors are looked for: a set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Checks(u32);

impl Checks {
    /// None.
    pub const NONE: Checks = Checks(0);

    /// Whether errors of this kind are looked for.
    #[must_use]
    pub fn contains(self, kind: PropertyKind) -> bool {
        self.0 & Self::bit(kind) != 0
    }

    /// Whether errors of one of these kinds are looked for.
    #[must_use]
    pub fn contains_any(self, kinds: &[PropertyKind]) -> bool {
        kinds.iter().any(|&kind| self.contains(kind))
    }

    /// Whether there is nothing to look for.
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
