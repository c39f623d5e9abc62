//! Task definitions (`.yml`) of BenchExec and SV-COMP, formats 1.0 and 2.0.
//!
//! Format 1.0 differs from 2.0 only in that the contents of `options` are unspecified. Both are
//! parsed in the same way; unknown keys are ignored, as the format requires.

use crate::c::types::DataModel;
use serde::Deserialize;
use terms::choice::Choice;
use thiserror::Error;

/// A verification task. All paths are as written: relative to the task definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// The program files; most tasks have one.
    pub input_files: Vec<String>,
    /// The properties to check, with the expected verdicts.
    pub properties: Vec<TaskProperty>,
    /// The language of the program, if given.
    pub language: Option<Language>,
    /// The data model, if given.
    pub data_model: Option<DataModel>,
}

/// A property of a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskProperty {
    /// The property file.
    pub property_file: String,
    /// The expected verdict, if given.
    pub expected: Option<ExpectedVerdict>,
    /// The violated part of the property for the verdict `false`, as in `valid-deref`.
    pub subproperty: Option<String>,
}

/// An expected verdict.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExpectedVerdict {
    /// The property holds.
    True,
    /// The property is violated.
    False,
}

/// The language of a task.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Language {
    /// C.
    C,
    /// Another language, with its name.
    Other(String),
}

/// An error in a task definition.
#[derive(Debug, Error)]
pub enum TaskError {
    /// Invalid YAML, or an unexpected structure.
    #[error("not a task definition: {0}")]
    Shape(#[from] serde_yaml_ng::Error),
    /// An unsupported format version.
    #[error("unsupported task definition format {0}: expected 1.0 or 2.0")]
    Version(String),
    /// An unknown data model.
    #[error("unknown data model `{0}`: expected ILP32 or LP64")]
    DataModel(String),
    /// There are no input files.
    #[error("the task definition has no input file")]
    NoInput,
}

#[derive(Deserialize)]
struct RawTask {
    format_version: RawVersion,
    input_files: OneOrMany,
    #[serde(default)]
    properties: Vec<RawProperty>,
    #[serde(default)]
    options: Option<RawOptions>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RawVersion {
    Text(String),
    Number(f64),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
struct RawProperty {
    property_file: String,
    #[serde(default)]
    expected_verdict: Option<bool>,
    #[serde(default)]
    subproperty: Option<String>,
}

#[derive(Deserialize, Default)]
struct RawOptions {
    #[serde(default)]
    language: Option<String>,
    #[serde(default)]
    data_model: Option<String>,
}

/// Parses the text of a task definition.
///
/// # Errors
/// See [`TaskError`].
pub fn parse_task(text: &str) -> Result<Task, TaskError> {
    let raw: RawTask = serde_yaml_ng::from_str(text)?;
    let version = match raw.format_version {
        RawVersion::Text(text) => text,
        RawVersion::Number(number) => format!("{number:.1}"),
    };
    if !matches!(version.as_str(), "1.0" | "2.0") {
        return Err(TaskError::Version(version));
    }
    let input_files = match raw.input_files {
        OneOrMany::One(file) => vec![file],
        OneOrMany::Many(files) => files,
    };
    if input_files.is_empty() {
        return Err(TaskError::NoInput);
    }
    let properties = raw
        .properties
        .into_iter()
        .map(|property| TaskProperty {
            property_file: property.property_file,
            expected: property.expected_verdict.map(|holds| match holds {
                true => ExpectedVerdict::True,
                false => ExpectedVerdict::False,
            }),
            subproperty: property.subproperty,
        })
        .collect();
    let options = raw.options.unwrap_or_default();
    let data_model = match options.data_model.as_deref() {
        None => None,
        Some(name) => Some(DataModel::named(name).ok_or_else(|| TaskError::DataModel(name.to_owned()))?),
    };
    let language = options.language.map(|name| match name.as_str() {
        "C" => Language::C,
        _ => Language::Other(name),
    });
    Ok(Task { input_files, properties, language, data_model })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_two_with_one_file() {
        let task = parse_task(
            "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n  - property_file: ../p.prp\n    \
             expected_verdict: false\n    subproperty: valid-deref\noptions:\n  language: C\n  data_model: ILP32\n",
        )
        .expect("well-formed");
        assert_eq!(task.input_files, ["a.c"]);
        assert_eq!(task.properties[0].expected, Some(ExpectedVerdict::False));
        assert_eq!(task.properties[0].subproperty.as_deref(), Some("valid-deref"));
        assert_eq!((task.language, task.data_model), (Some(Language::C), Some(DataModel::Ilp32)));
    }

    #[test]
    fn format_one_with_a_list_and_without_options() {
        let task = parse_task(
            "format_version: 1.0\ninput_files:\n  - a.i\n  - b.i\nproperties:\n  - property_file: p.prp\n",
        )
        .expect("well-formed");
        assert_eq!(task.input_files, ["a.i", "b.i"]);
        assert_eq!(task.properties[0].expected, None);
        assert_eq!(task.data_model, None);
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let error = parse_task("format_version: '3.0'\ninput_files: a.c\n").expect_err("a later format");
        assert!(error.to_string().contains("format 3.0"));
        let error = parse_task("format_version: '2.0'\ninput_files: a.c\noptions: {data_model: LLP64}\n");
        assert!(error.expect_err("unknown model").to_string().contains("LLP64"));
        assert!(matches!(parse_task("input_files: a.c"), Err(TaskError::Shape(_))));
        assert!(matches!(parse_task("format_version: '2.0'\ninput_files: []\n"), Err(TaskError::NoInput)));
    }
}
