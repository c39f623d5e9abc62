//! Property files: one `CHECK( init(f()), LTL(φ) )` or `CHECK( init(f()), FQL(…) )` per line.

use super::CHECKS;
use super::checks::Check;
use program::ssa::PropertyKind;
use std::fmt;
use thiserror::Error;

/// A property of a property file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Property {
    /// `G ! call(f())`: the function is never called.
    UnreachableCall(String),
    /// `G ! label(L)`: the label is never reached.
    UnreachableLabel(String),
    /// No `assert` fails. Property files cannot express this property; it is part of the default.
    Assertions,
    /// No operation has an error of this kind: `G ! overflow`, `G valid-deref`, or a check without
    /// a formula.
    Check(PropertyKind),
    /// `G ! data-race`
    NoDataRace,
    /// `F end`: the program terminates.
    Termination,
    /// Any other formula, as written.
    Other(String),
}

/// An error in a property file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PropertyError {
    /// The file has no property.
    #[error("the property file is empty")]
    Empty,
    /// A line is not a `CHECK`.
    #[error("line {line}: expected `CHECK( init(main()), LTL(…) )`, found `{text}`")]
    Malformed {
        /// The line number, from 1.
        line: usize,
        /// The text of the line.
        text: String,
    },
    /// Two lines have different entry functions.
    #[error("line {line}: conflicting entry functions: `{second}` here, `{first}` in an earlier line")]
    TwoEntries {
        /// The line number, from 1.
        line: usize,
        /// The entry function of the earlier lines.
        first: String,
        /// The entry function of this line.
        second: String,
    },
}

/// One or more properties that users select by name.
#[derive(Clone, Copy, Debug)]
pub struct NamedProperty {
    /// The name, as in the property files of SV-COMP.
    pub name: &'static str,
    /// A description of one line.
    pub help: &'static str,
    /// The properties.
    pub properties: fn() -> Vec<Property>,
}

/// All named properties.
pub const NAMED: &[NamedProperty] = &[
    NamedProperty {
        name: "unreach-call",
        help: "reach_error (or __VERIFIER_error) is never called",
        properties: || vec![Property::UnreachableCall("reach_error".to_owned())],
    },
    NamedProperty {
        name: "unreach-label",
        help: "a label ERROR is never reached",
        properties: || vec![Property::UnreachableLabel("ERROR".to_owned())],
    },
    NamedProperty { name: "assertion", help: "no assert fails", properties: || vec![Property::Assertions] },
    NamedProperty {
        name: "no-overflow",
        help: "no signed arithmetic overflows",
        properties: || vec![Property::Check(PropertyKind::SignedOverflow)],
    },
    NamedProperty {
        name: "valid-memsafety",
        help: "valid-deref, valid-free and valid-memtrack",
        properties: || {
            [PropertyKind::ValidDeref, PropertyKind::ValidFree, PropertyKind::ValidMemtrack]
                .map(Property::Check)
                .to_vec()
        },
    },
    NamedProperty {
        name: "valid-deref",
        help: "every access is within a live object",
        properties: || vec![Property::Check(PropertyKind::ValidDeref)],
    },
    NamedProperty {
        name: "valid-free",
        help: "only allocated memory is freed, and only once",
        properties: || vec![Property::Check(PropertyKind::ValidFree)],
    },
    NamedProperty {
        name: "valid-memtrack",
        help: "no memory leak: a pointer to each allocated block remains",
        properties: || vec![Property::Check(PropertyKind::ValidMemtrack)],
    },
    NamedProperty {
        name: "valid-memcleanup",
        help: "all allocated memory is freed at the end",
        properties: || vec![Property::Check(PropertyKind::ValidMemcleanup)],
    },
    NamedProperty {
        name: "no-data-race",
        help: "unsupported: programs are single-threaded",
        properties: || vec![Property::NoDataRace],
    },
    NamedProperty {
        name: "termination",
        help: "unsupported: only safety properties are decided",
        properties: || vec![Property::Termination],
    },
];

impl Property {
    /// Returns the properties called `name`; the names of [checks](super::CHECKS) are accepted as
    /// well.
    #[must_use]
    pub fn named(name: &str) -> Option<Vec<Property>> {
        let named = NAMED.iter().find(|named| named.name == name).map(|named| (named.properties)());
        named.or_else(|| Check::named(name).map(|check| vec![Property::Check(check.kind)]))
    }

    /// Whether the property is supported.
    #[must_use]
    pub fn is_supported(&self) -> bool {
        match self {
            Self::UnreachableCall(_) | Self::UnreachableLabel(_) | Self::Assertions => true,
            Self::Check(kind) => CHECKS.iter().any(|check| check.kind == *kind),
            Self::NoDataRace | Self::Termination | Self::Other(_) => false,
        }
    }

    /// The short name of SV-COMP, as in verdicts: `unreach-call`, `no-overflow`, …
    #[must_use]
    pub fn short_name(&self) -> &str {
        match self {
            Self::UnreachableCall(_) => PropertyKind::ReachCall.verdict_name(),
            Self::UnreachableLabel(_) => PropertyKind::ReachLabel.verdict_name(),
            Self::Assertions => PropertyKind::Assertion.verdict_name(),
            Self::Check(kind) => kind.verdict_name(),
            Self::NoDataRace => "no-data-race",
            Self::Termination => "termination",
            Self::Other(text) => text,
        }
    }

    /// The reason why the property is unsupported, if it is.
    #[must_use]
    pub fn refusal(&self) -> Option<String> {
        let name = self.short_name();
        match self {
            _ if self.is_supported() => None,
            Self::Termination => {
                Some(format!("unsupported property {name}: only safety properties are decided"))
            }
            Self::NoDataRace => Some(format!("unsupported property {name}: programs are single-threaded")),
            _ => Some(format!("unsupported property {name}")),
        }
    }

    /// The property of an LTL formula; whitespace is ignored.
    fn from_formula(formula: &str) -> Self {
        let compact: String = formula.chars().filter(|c| !c.is_whitespace()).collect();
        let inner = |prefix: &str, suffix: &str| {
            let name = compact.strip_prefix(prefix)?.strip_suffix(suffix)?;
            let is_name =
                !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
            is_name.then(|| name.to_owned())
        };
        if let Some(name) = inner("G!call(", "())") {
            return Self::UnreachableCall(name);
        }
        if let Some(name) = inner("G!label(", ")") {
            return Self::UnreachableLabel(name);
        }
        match compact.as_str() {
            "G!overflow" => Self::Check(PropertyKind::SignedOverflow),
            "Gvalid-free" => Self::Check(PropertyKind::ValidFree),
            "Gvalid-deref" => Self::Check(PropertyKind::ValidDeref),
            "Gvalid-memtrack" => Self::Check(PropertyKind::ValidMemtrack),
            "Gvalid-memcleanup" => Self::Check(PropertyKind::ValidMemcleanup),
            "G!data-race" => Self::NoDataRace,
            "Fend" => Self::Termination,
            _ => Self::Other(formula.trim().to_owned()),
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnreachableCall(name) => write!(f, "G ! call({name}())"),
            Self::UnreachableLabel(name) => write!(f, "G ! label({name})"),
            Self::Assertions => f.write_str("no assertion fails"),
            Self::Check(PropertyKind::SignedOverflow) => f.write_str("G ! overflow"),
            Self::Check(
                kind @ (PropertyKind::ValidFree
                | PropertyKind::ValidDeref
                | PropertyKind::ValidMemtrack
                | PropertyKind::ValidMemcleanup),
            ) => write!(f, "G {kind}"),
            Self::Check(kind) => write!(f, "no {kind}"),
            Self::NoDataRace => f.write_str("G ! data-race"),
            Self::Termination => f.write_str("F end"),
            Self::Other(text) => f.write_str(text),
        }
    }
}

/// The entry function and the properties of a property file.
///
/// # Errors
/// See [`PropertyError`].
pub fn parse_properties(text: &str) -> Result<(String, Vec<Property>), PropertyError> {
    let mut entry: Option<String> = None;
    let mut properties = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') || trimmed.starts_with("//") {
            continue;
        }
        let malformed =
            || PropertyError::Malformed { line: index + 1, text: trimmed.chars().take(80).collect() };
        let (function, property) = parse_check(trimmed).ok_or_else(malformed)?;
        match &entry {
            Some(first) if *first != function => {
                return Err(PropertyError::TwoEntries {
                    line: index + 1,
                    first: first.clone(),
                    second: function,
                });
            }
            _ => entry = Some(function),
        }
        properties.push(property);
    }
    Ok((entry.ok_or(PropertyError::Empty)?, properties))
}

fn parse_check(line: &str) -> Option<(String, Property)> {
    let body = line.strip_prefix("CHECK")?.trim().strip_prefix('(')?.strip_suffix(')')?.trim();
    let rest = body.strip_prefix("init")?.trim_start().strip_prefix('(')?;
    let (function, rest) = rest.split_once('(')?;
    let rest = rest.trim_start().strip_prefix(')')?.trim_start().strip_prefix(')')?;
    let formula = rest.trim_start().strip_prefix(',')?.trim();
    let property = match formula.strip_prefix("LTL") {
        Some(ltl) => Property::from_formula(ltl.trim().strip_prefix('(')?.strip_suffix(')')?),
        None => Property::Other(formula.to_owned()),
    };
    Some((function.trim().to_owned(), property))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(formula: &str) -> Property {
        let text = format!("CHECK( init(main()), LTL({formula}) )\n");
        let (entry, mut properties) = parse_properties(&text).expect("well-formed");
        assert_eq!(entry, "main");
        assert_eq!(properties.len(), 1);
        properties.remove(0)
    }

    #[test]
    fn known_formulas_are_typed() {
        assert_eq!(one("G ! call(reach_error())"), Property::UnreachableCall("reach_error".to_owned()));
        assert_eq!(one("G ! label(ERROR)"), Property::UnreachableLabel("ERROR".to_owned()));
        assert_eq!(one("G ! overflow"), Property::Check(PropertyKind::SignedOverflow));
        assert_eq!(one("G valid-deref"), Property::Check(PropertyKind::ValidDeref));
        assert_eq!(one("F end"), Property::Termination);
    }

    #[test]
    fn an_unknown_formula_is_kept_and_not_supported() {
        let property = one("G (a -> F b)");
        assert_eq!(property, Property::Other("G (a -> F b)".to_owned()));
        assert!(!property.is_supported());
    }

    #[test]
    fn a_coverage_query_is_no_property() {
        let error = parse_properties("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )\n");
        assert!(matches!(error, Err(PropertyError::Malformed { line: 1, .. })), "{error:?}");
    }

    #[test]
    fn several_lines_are_several_properties() {
        let text =
            "CHECK( init(main()), LTL(G valid-free) )\n\nCHECK( init(main()), LTL(G valid-memtrack) )\n";
        let (_, properties) = parse_properties(text).expect("well-formed");
        assert_eq!(properties, [PropertyKind::ValidFree, PropertyKind::ValidMemtrack].map(Property::Check));
    }

    #[test]
    fn errors_name_the_line() {
        assert_eq!(parse_properties("\n"), Err(PropertyError::Empty));
        let error = parse_properties("\nG ! overflow\n").expect_err("no CHECK");
        assert_eq!(
            error.to_string(),
            "line 2: expected `CHECK( init(main()), LTL(…) )`, found `G ! overflow`"
        );
    }

    #[test]
    fn formulas_are_written_as_they_are_read() {
        for property in NAMED.iter().flat_map(|named| (named.properties)()) {
            if property != Property::Assertions {
                assert_eq!(one(&property.to_string()), property);
            }
        }
    }

    #[test]
    fn names_are_the_short_names_of_what_they_mean() {
        for named in NAMED {
            let properties = Property::named(named.name).expect("a name");
            if let [property] = properties.as_slice() {
                assert_eq!(property.short_name(), named.name);
            }
        }
        assert_eq!(Property::named("valid-memsafety").map(|properties| properties.len()), Some(3));
        assert_eq!(Property::named("shift"), Some(vec![Property::Check(PropertyKind::Shift)]));
        assert_eq!(Property::named("safety"), None);
    }

    #[test]
    fn what_cannot_be_checked_says_why() {
        for property in NAMED.iter().flat_map(|named| (named.properties)()) {
            assert_eq!(property.refusal().is_none(), property.is_supported());
        }
        let refusal = Property::Termination.refusal().expect("not supported");
        assert!(refusal.contains("only safety"), "{refusal}");
    }
}
