//! Specifications: property files and task definitions of SV-COMP.
//!
//! All functions here operate on text; the caller reads the files.
//!
//! | module | contents |
//! |---|---|
//! | [`property`] | `CHECK( init(main()), LTL(G ! call(reach_error())) )` |
//! | [`checks`] | checks of single operations: `div-by-zero`, `shift`, … |
//! | [`task`] | `.yml` task definitions, formats 1.0 and 2.0 |

pub mod checks;
pub mod property;
pub mod task;

pub use checks::{CHECKS, Check, Checks};
pub use property::{NAMED, NamedProperty, Property, PropertyError, parse_properties};
pub use task::{ExpectedVerdict, Language, Task, TaskError, TaskProperty, parse_task};

use thiserror::Error;

/// The properties to check. If the user gives none, [`Specification::default_for_tool`] applies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Specification {
    properties: Vec<Property>,
    entry: Option<String>,
}

/// The error of combining specifications with different entry functions.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("conflicting entry functions: `{first}` and `{second}`")]
pub struct DifferentEntries {
    /// The entry function of the first specification.
    pub first: String,
    /// The entry function of the second specification.
    pub second: String,
}

impl Specification {
    /// Checks exactly these properties. A failing `assert` terminates the program and is only an
    /// error if the properties include assertions.
    #[must_use]
    pub fn new(properties: Vec<Property>) -> Self {
        Self { properties, entry: None }
    }

    /// Parses the text of a property file.
    ///
    /// # Errors
    /// If a line is not a `CHECK( init(f()), … )`.
    pub fn parse(text: &str) -> Result<Self, PropertyError> {
        let (entry, properties) = parse_properties(text)?;
        Ok(Self { properties, entry: Some(entry) })
    }

    /// The specification without a property file: calls of `reach_error` and `__VERIFIER_error`,
    /// labels `ERROR` and failing assertions are errors.
    #[must_use]
    pub fn default_for_tool() -> Self {
        Self::new(vec![
            Property::UnreachableCall("reach_error".to_owned()),
            Property::UnreachableLabel("ERROR".to_owned()),
            Property::Assertions,
        ])
    }

    /// Adds the properties that are missing.
    #[must_use]
    pub fn with(mut self, properties: impl IntoIterator<Item = Property>) -> Self {
        for property in properties {
            if !self.properties.contains(&property) {
                self.properties.push(property);
            }
        }
        self
    }

    /// Combines the properties of two specifications.
    ///
    /// # Errors
    /// If their entry functions differ.
    pub fn and(self, other: Self) -> Result<Self, DifferentEntries> {
        let entry = match (&self.entry, other.entry) {
            (Some(first), Some(second)) if *first != second => {
                return Err(DifferentEntries { first: first.clone(), second });
            }
            (first, second) => first.clone().or(second),
        };
        Ok(Self { entry, ..self.with(other.properties) })
    }

    /// The properties in the order given.
    #[must_use]
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// The entry function given by the property file, if there was one.
    #[must_use]
    pub fn entry(&self) -> Option<&str> {
        self.entry.as_deref()
    }

    /// Whether a call of the function `name` is an error. `reach_error` and its older name
    /// `__VERIFIER_error` are equivalent.
    #[must_use]
    pub fn is_error_call(&self, name: &str) -> bool {
        let is_conventional = |name: &str| matches!(name, "reach_error" | "__VERIFIER_error");
        self.properties.iter().any(|property| match property {
            Property::UnreachableCall(function) => {
                function == name || is_conventional(function) && is_conventional(name)
            }
            _ => false,
        })
    }

    /// Whether reaching a label `name` is an error.
    #[must_use]
    pub fn is_error_label(&self, name: &str) -> bool {
        self.properties
            .iter()
            .any(|property| matches!(property, Property::UnreachableLabel(label) if label == name))
    }

    /// Whether a failing `assert` is an error.
    #[must_use]
    pub fn are_assertions_errors(&self) -> bool {
        self.properties.contains(&Property::Assertions)
    }

    /// The kinds of errors to check at operations.
    #[must_use]
    pub fn checks(&self) -> Checks {
        let kinds = self.properties.iter().filter_map(|property| match property {
            Property::Check(kind) => Some(*kind),
            _ => None,
        });
        kinds.collect()
    }

    /// The reason why the specification is unsupported, if one of its properties is; the only
    /// correct verdict is then UNKNOWN.
    #[must_use]
    pub fn refusal(&self) -> Option<String> {
        self.properties.iter().find_map(Property::refusal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::ssa::PropertyKind;

    #[test]
    fn the_default_takes_calls_labels_and_assertions_as_errors() {
        let specification = Specification::default_for_tool();
        assert!(specification.is_error_call("reach_error"));
        assert!(specification.is_error_call("__VERIFIER_error"));
        assert!(!specification.is_error_call("abort"));
        assert!(specification.is_error_label("ERROR"));
        assert!(!specification.is_error_label("error"));
        assert!(specification.are_assertions_errors());
        assert_eq!(specification.refusal(), None);
    }

    #[test]
    fn a_property_file_names_exactly_what_is_an_error() {
        let specification = Specification::parse("CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )")
            .expect("a property");
        assert!(specification.is_error_call("reach_error"));
        assert!(!specification.is_error_label("ERROR"));
        assert!(!specification.are_assertions_errors());
        assert_eq!(specification.entry(), Some("main"));
    }

    #[test]
    fn a_property_of_another_function_does_not_concern_reach_error() {
        let specification =
            Specification::parse("CHECK( init(main()), LTL(G ! call(f())) )").expect("a property");
        assert!(specification.is_error_call("f"));
        assert!(!specification.is_error_call("reach_error"));
    }

    #[test]
    fn specifications_are_put_together() {
        let calls = Specification::parse("CHECK( init(main()), LTL(G ! call(reach_error())) )").expect("one");
        let overflow = Specification::parse("CHECK( init(main()), LTL(G ! overflow) )").expect("one");
        let both = calls.clone().and(overflow).expect("the same entry");
        assert!(both.is_error_call("reach_error"));
        assert!(both.checks().contains(PropertyKind::SignedOverflow));
        assert_eq!(both.entry(), Some("main"));
        assert_eq!(both.clone().with(both.properties().to_vec()), both);
        let elsewhere = Specification::parse("CHECK( init(f()), LTL(G ! overflow) )").expect("one");
        let error = calls.and(elsewhere).expect_err("different entries");
        assert_eq!(error.to_string(), "conflicting entry functions: `main` and `f`");
    }
}
