//! What counts as an error: specifications, property files and task definitions of SV-COMP.
//!
//! Everything here works on text; reading files is the caller's business.
//!
//! | module | what |
//! |---|---|
//! | [`property`] | `CHECK( init(main()), LTL(G ! call(reach_error())) )` |
//! | [`task`] | `.yml` task definitions, formats 1.0 and 2.0 |

pub mod property;
pub mod task;

pub use property::{Property, PropertyError, parse_properties};
pub use task::{ExpectedVerdict, Language, Task, TaskError, TaskProperty, parse_task};

/// The properties to check. With none given by the user, [`Specification::default_for_tool`] is in force.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Specification {
    properties: Vec<Property>,
    entry: Option<String>,
}

impl Specification {
    /// Exactly these properties are checked; a failing `assert` only stops the program unless it is among them.
    #[must_use]
    pub fn new(properties: Vec<Property>) -> Self {
        Self { properties, entry: None }
    }

    /// Parses the text of a property file.
    ///
    /// # Errors
    /// Where a line is not a `CHECK( init(f()), … )`.
    pub fn parse(text: &str) -> Result<Self, PropertyError> {
        let (entry, properties) = parse_properties(text)?;
        Ok(Self { properties, entry: Some(entry) })
    }

    /// Without a property file: calls of `reach_error` and `__VERIFIER_error`, labels `ERROR` and failing assertions.
    #[must_use]
    pub fn default_for_tool() -> Self {
        Self::new(vec![
            Property::UnreachableCall("reach_error".to_owned()),
            Property::UnreachableLabel("ERROR".to_owned()),
            Property::Assertions,
        ])
    }

    /// The properties in the order given.
    #[must_use]
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// The function at which the property file starts execution, if there was a file.
    #[must_use]
    pub fn entry(&self) -> Option<&str> {
        self.entry.as_deref()
    }

    /// Whether a call of the function `name` is an error. `reach_error` and its older name `__VERIFIER_error` mean the same.
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

    /// The properties that cannot be checked yet; with any of them no verdict but UNKNOWN is right.
    pub fn unsupported(&self) -> impl Iterator<Item = &Property> {
        self.properties.iter().filter(|property| !property.is_supported())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_takes_calls_labels_and_assertions_as_errors() {
        let specification = Specification::default_for_tool();
        assert!(specification.is_error_call("reach_error"));
        assert!(specification.is_error_call("__VERIFIER_error"));
        assert!(!specification.is_error_call("abort"));
        assert!(specification.is_error_label("ERROR"));
        assert!(!specification.is_error_label("error"));
        assert!(specification.are_assertions_errors());
        assert_eq!(specification.unsupported().count(), 0);
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
}
