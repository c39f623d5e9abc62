//! Error sites and property kinds.

use super::Span;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// An error site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyData {
    /// The kind of property.
    pub kind: PropertyKind,
    /// A description for diagnostics: `call of reach_error`, `assertion x > 0`,
    /// `signed overflow in x + y`, …
    pub description: String,
    /// The source location.
    pub span: Span,
}

/// Kinds of properties, named after the specification that an error violates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "&str", try_from = "String")]
pub enum PropertyKind {
    /// `G ! call(reach_error())` (also `__VERIFIER_error`).
    ReachCall,
    /// `G ! label(ERROR)`.
    ReachLabel,
    /// A failing `assert`.
    Assertion,
    /// `G ! overflow`: a signed operation whose result its type cannot represent.
    SignedOverflow,
    /// An unsigned operation that wraps around.
    UnsignedOverflow,
    /// An implicit conversion that changes the value.
    Conversion,
    /// A pointer that is moved outside of its object, or around the end of the address space.
    PointerOverflow,
    /// An ordered comparison or subtraction of pointers to different objects.
    PointerCompare,
    /// A division or remainder with divisor zero.
    DivisionByZero,
    /// A shift by a negative amount or by at least the width.
    Shift,
    /// An index outside of a declared array.
    Bounds,
    /// A null-pointer dereference.
    Null,
    /// A read of an uninitialized variable.
    Uninitialized,
    /// `G valid-deref`: an access outside of every live object.
    ValidDeref,
    /// `G valid-free`: an invalid deallocation.
    ValidFree,
    /// `G valid-memtrack`: the last pointer to an allocated object is lost.
    ValidMemtrack,
    /// `G valid-memcleanup`: an allocated object that is not freed at the end.
    ValidMemcleanup,
}

/// The error for an unknown property kind.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown kind of property `{0}`")]
pub struct UnknownPropertyKind(pub String);

/// Every kind with its name in the text form and its name in verdicts.
const TABLE: &[(PropertyKind, &str, &str)] = &[
    (PropertyKind::ReachCall, "reach-call", "unreach-call"),
    (PropertyKind::ReachLabel, "reach-label", "unreach-label"),
    (PropertyKind::Assertion, "assertion", "assertion"),
    (PropertyKind::SignedOverflow, "signed-overflow", "no-overflow"),
    (PropertyKind::UnsignedOverflow, "unsigned-overflow", "unsigned-overflow"),
    (PropertyKind::Conversion, "conversion", "conversion"),
    (PropertyKind::PointerOverflow, "pointer-overflow", "pointer-overflow"),
    (PropertyKind::PointerCompare, "pointer-compare", "pointer-compare"),
    (PropertyKind::DivisionByZero, "division-by-zero", "division-by-zero"),
    (PropertyKind::Shift, "shift", "shift"),
    (PropertyKind::Bounds, "bounds", "bounds"),
    (PropertyKind::Null, "null", "null"),
    (PropertyKind::Uninitialized, "uninit", "uninit"),
    (PropertyKind::ValidDeref, "valid-deref", "valid-deref"),
    (PropertyKind::ValidFree, "valid-free", "valid-free"),
    (PropertyKind::ValidMemtrack, "valid-memtrack", "valid-memtrack"),
    (PropertyKind::ValidMemcleanup, "valid-memcleanup", "valid-memcleanup"),
];

impl PropertyKind {
    /// All kinds.
    pub fn all() -> impl Iterator<Item = PropertyKind> {
        TABLE.iter().map(|&(kind, ..)| kind)
    }

    /// The name in the text form and in JSON.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// The name in the verdict `FALSE(…)`: SV-COMP's name if it has one.
    pub fn verdict_name(self) -> &'static str {
        self.row().2
    }

    /// Whether the kind checks an operation, as opposed to an explicit property of the source.
    pub fn is_of_operation(self) -> bool {
        !matches!(self, PropertyKind::ReachCall | PropertyKind::ReachLabel | PropertyKind::Assertion)
    }

    fn row(self) -> &'static (PropertyKind, &'static str, &'static str) {
        TABLE.iter().find(|row| row.0 == self).expect("every kind is in the table")
    }
}

impl fmt::Display for PropertyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for PropertyKind {
    type Err = UnknownPropertyKind;

    fn from_str(text: &str) -> Result<Self, UnknownPropertyKind> {
        let row = TABLE.iter().find(|row| row.1 == text);
        row.map(|row| row.0).ok_or_else(|| UnknownPropertyKind(text.to_owned()))
    }
}

impl From<PropertyKind> for &'static str {
    fn from(kind: PropertyKind) -> Self {
        kind.name()
    }
}

impl TryFrom<String> for PropertyKind {
    type Error = UnknownPropertyKind;

    fn try_from(text: String) -> Result<Self, UnknownPropertyKind> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_row_and_names_of_its_own() {
        // The discriminants are consecutive, so a kind without a row would leave a gap.
        let kinds: Vec<usize> = PropertyKind::all().map(|kind| kind as usize).collect();
        assert_eq!(kinds, (0..=PropertyKind::ValidMemcleanup as usize).collect::<Vec<_>>());
        for kind in PropertyKind::all() {
            assert_eq!(kind.name().parse(), Ok(kind));
            assert_eq!(
                PropertyKind::all().filter(|other| other.verdict_name() == kind.verdict_name()).count(),
                1
            );
        }
        assert!("overflowing".parse::<PropertyKind>().is_err());
    }
}
