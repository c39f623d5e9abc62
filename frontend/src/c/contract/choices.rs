//! The choices of a user about the arguments of an entry function.

use super::MOST_ELEMENTS;
use std::fmt;
use std::str::FromStr;

/// The choices of a user.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Choices {
    /// The contents of single arguments, in the order given; the last one for a parameter holds.
    pub arguments: Vec<Argument>,
    /// Whether no pointer is null unless its argument says so.
    pub nonnull: bool,
    /// The depth to which pointers inside of arguments refer to objects.
    pub depth: Option<u32>,
    /// C conditions over the parameters and the other variables of the harness.
    pub requires: Vec<String>,
}

impl Choices {
    /// Whether nothing is chosen.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The contents of one argument: `NAME=CONTENTS`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Argument {
    /// The name of the parameter, or its number from 1.
    pub parameter: String,
    /// Its contents.
    pub contents: Contents,
}

/// The target of a pointer argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contents {
    /// `null`: it is null.
    Null,
    /// `nonnull`: it is not null.
    NonNull,
    /// `valid`: it points to one element.
    Valid,
    /// `array:COUNT`: it points to the first of these elements.
    Array(Count),
    /// `string:N`: it points to a string of at most N elements with the terminating zero.
    String(u64),
}

/// A number of elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Count {
    /// `N` or `LEAST..MOST`, both included.
    Between(u64, u64),
    /// The value of an integer parameter.
    Parameter(String),
}

/// An error in the text of an [`Argument`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ArgumentError {
    /// The text has no `=`.
    #[error("expected NAME=CONTENTS")]
    NoName,
    /// The contents are not known.
    #[error("`{0}` is not one of null, nonnull, valid, array:COUNT, string:N")]
    UnknownContents(String),
    /// A number of elements is not valid.
    #[error(
        "`{0}` is not a number of elements: N, LEAST..MOST or an integer parameter, at most {MOST_ELEMENTS}"
    )]
    Count(String),
}

impl FromStr for Argument {
    type Err = ArgumentError;

    fn from_str(text: &str) -> Result<Self, ArgumentError> {
        let (parameter, contents) = text.split_once('=').ok_or(ArgumentError::NoName)?;
        if parameter.is_empty() {
            return Err(ArgumentError::NoName);
        }
        let contents = match contents.split_once(':') {
            None if contents == "null" => Contents::Null,
            None if contents == "nonnull" => Contents::NonNull,
            None if contents == "valid" => Contents::Valid,
            Some(("array", count)) => Contents::Array(count.parse()?),
            Some(("string", most)) => match most.parse() {
                Ok(Count::Between(1.., most)) if !contents.contains("..") => Contents::String(most),
                _ => return Err(ArgumentError::Count(most.to_owned())),
            },
            _ => return Err(ArgumentError::UnknownContents(contents.to_owned())),
        };
        Ok(Argument { parameter: parameter.to_owned(), contents })
    }
}

impl FromStr for Count {
    type Err = ArgumentError;

    fn from_str(text: &str) -> Result<Self, ArgumentError> {
        let error = || ArgumentError::Count(text.to_owned());
        let number =
            |text: &str| text.parse::<u64>().ok().filter(|&number| number <= MOST_ELEMENTS).ok_or_else(error);
        if let Some((least, most)) = text.split_once("..") {
            let (least, most) = (number(least)?, number(most)?);
            return if least <= most { Ok(Count::Between(least, most)) } else { Err(error()) };
        }
        if text.starts_with(|first: char| first.is_ascii_digit()) {
            let count = number(text)?;
            return Ok(Count::Between(count, count));
        }
        match text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !text.is_empty() {
            true => Ok(Count::Parameter(text.to_owned())),
            false => Err(error()),
        }
    }
}

impl fmt::Display for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contents::Null => f.write_str("null"),
            Contents::NonNull => f.write_str("nonnull"),
            Contents::Valid => f.write_str("valid"),
            Contents::Array(Count::Between(least, most)) if least == most => write!(f, "array:{least}"),
            Contents::Array(Count::Between(least, most)) => write!(f, "array:{least}..{most}"),
            Contents::Array(Count::Parameter(name)) => write!(f, "array:{name}"),
            Contents::String(most) => write!(f, "string:{most}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_and_shown_alike() {
        for text in
            ["null", "nonnull", "valid", "array:16", "array:0..16", "array:n", "string:8", "array:65536"]
        {
            let argument: Argument = format!("p={text}").parse().expect(text);
            assert_eq!((argument.parameter.as_str(), argument.contents.to_string().as_str()), ("p", text));
        }
    }

    #[test]
    fn bad_arguments_are_errors() {
        let errors = [
            ("p", ArgumentError::NoName),
            ("=null", ArgumentError::NoName),
            ("p=some", ArgumentError::UnknownContents("some".into())),
            ("p=heap:3", ArgumentError::UnknownContents("heap:3".into())),
            ("p=array:-1", ArgumentError::Count("-1".into())),
            ("p=array:5..2", ArgumentError::Count("5..2".into())),
            ("p=array:65537", ArgumentError::Count("65537".into())),
            ("p=array:", ArgumentError::Count(String::new())),
            ("p=string:0", ArgumentError::Count("0".into())),
            ("p=string:n", ArgumentError::Count("n".into())),
        ];
        for (text, error) in errors {
            assert_eq!(text.parse::<Argument>(), Err(error), "{text}");
        }
    }
}
