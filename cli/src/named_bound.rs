//! A value of `--unwindset`.

use std::str::FromStr;

/// A bound of `--unwindset`: `function.line:K` for a loop, `function:K` for a recursion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedBound {
    /// The name of the loop or function.
    pub name: String,
    /// The bound, at least 1.
    pub bound: u32,
}

/// A text that is not a [`NamedBound`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected LOOP:K with K at least 1, such as main.12:16")]
pub struct InvalidBound;

impl FromStr for NamedBound {
    type Err = InvalidBound;

    fn from_str(text: &str) -> Result<Self, InvalidBound> {
        let (name, bound) = text.rsplit_once(':').ok_or(InvalidBound)?;
        let bound: u32 = bound.trim().parse().map_err(|_| InvalidBound)?;
        let name = name.trim().to_owned();
        (bound > 0 && !name.is_empty()).then_some(NamedBound { name, bound }).ok_or(InvalidBound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_needs_a_name_and_a_number() {
        let bound = |name: &str, bound| Ok(NamedBound { name: name.to_owned(), bound });
        assert_eq!("main.12:16".parse(), bound("main.12", 16));
        assert_eq!("fibo:30".parse(), bound("fibo", 30));
        for text in ["", "main.12", "main.12:", ":3", "main.12:0", "main.12:-1", "main.12:x"] {
            assert_eq!(text.parse::<NamedBound>(), Err(InvalidBound), "{text}");
        }
    }
}
