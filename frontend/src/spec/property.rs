//! Property files: one `CHECK( init(f()), LTL(φ) )` or `CHECK( init(f()), FQL(…) )` a line.

use std::fmt;
use thiserror::Error;

/// A property of a property file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Property {
    /// `G ! call(f())`: the function is never called.
    UnreachableCall(String),
    /// `G ! label(L)`: the label is never reached.
    UnreachableLabel(String),
    /// No `assert` fails. No property file can say it; it is part of the default.
    Assertions,
    /// `G ! overflow`: no signed arithmetic overflows.
    NoOverflow,
    /// `G valid-free`
    ValidFree,
    /// `G valid-deref`
    ValidDeref,
    /// `G valid-memtrack`
    ValidMemtrack,
    /// `G valid-memcleanup`
    ValidMemcleanup,
    /// `G ! data-race`
    NoDataRace,
    /// `F end`: the program terminates.
    Termination,
    /// Anything else, as written.
    Other(String),
}

/// What is wrong with a property file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PropertyError {
    /// No property at all.
    #[error("the property file is empty")]
    Empty,
    /// Not a `CHECK`.
    #[error("line {line}: expected `CHECK( init(main()), LTL(…) )`, found `{text}`")]
    Malformed {
        /// From 1.
        line: usize,
        /// What stands there.
        text: String,
    },
    /// Two lines that start at different functions.
    #[error("line {line}: starts at `{second}`, but an earlier line at `{first}`")]
    TwoEntries {
        /// From 1.
        line: usize,
        /// The function of the lines before.
        first: String,
        /// The function of this one.
        second: String,
    },
}

impl Property {
    /// Whether it can be checked.
    #[must_use]
    pub fn is_supported(&self) -> bool {
        matches!(self, Self::UnreachableCall(_) | Self::UnreachableLabel(_) | Self::Assertions)
    }

    /// SV-COMP's short name, which verdicts carry: `unreach-call`, `no-overflow`, ….
    #[must_use]
    pub fn short_name(&self) -> &str {
        match self {
            Self::UnreachableCall(_) => "unreach-call",
            Self::UnreachableLabel(_) => "unreach-label",
            Self::Assertions => "assertion",
            Self::NoOverflow => "no-overflow",
            Self::ValidFree => "valid-free",
            Self::ValidDeref => "valid-deref",
            Self::ValidMemtrack => "valid-memtrack",
            Self::ValidMemcleanup => "valid-memcleanup",
            Self::NoDataRace => "no-data-race",
            Self::Termination => "termination",
            Self::Other(text) => text,
        }
    }

    /// The property of an LTL formula; blanks do not count.
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
            "G!overflow" => Self::NoOverflow,
            "Gvalid-free" => Self::ValidFree,
            "Gvalid-deref" => Self::ValidDeref,
            "Gvalid-memtrack" => Self::ValidMemtrack,
            "Gvalid-memcleanup" => Self::ValidMemcleanup,
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
            Self::NoOverflow => f.write_str("G ! overflow"),
            Self::ValidFree | Self::ValidDeref | Self::ValidMemtrack | Self::ValidMemcleanup => {
                write!(f, "G {}", self.short_name())
            }
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
        assert_eq!(one("G ! overflow"), Property::NoOverflow);
        assert_eq!(one("G valid-deref"), Property::ValidDeref);
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
        assert_eq!(properties, [Property::ValidFree, Property::ValidMemtrack]);
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
}
