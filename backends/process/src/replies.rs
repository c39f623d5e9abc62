//! The replies of a solver as S-expressions.

/// Splits the output of a solver into S-expressions, as it arrives.
#[derive(Debug, Default)]
pub(crate) struct Splitter {
    text: Vec<u8>,
    /// The number of bytes that were scanned.
    scanned: usize,
    /// The start of the current expression.
    start: Option<usize>,
    depth: u32,
    state: State,
}

/// The lexical context of the next byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Plain,
    String,
    Bars,
    Comment,
}

impl Splitter {
    /// The bytes that were received, to be appended to.
    pub(crate) fn incoming(&mut self) -> &mut Vec<u8> {
        &mut self.text
    }

    /// The number of bytes of incomplete expressions.
    pub(crate) fn rest(&self) -> usize {
        self.text.len()
    }

    /// Removes and returns the next complete expression. A word is complete when a byte follows it.
    pub(crate) fn next(&mut self) -> Option<String> {
        while let Some(&byte) = self.text.get(self.scanned) {
            let at = self.scanned;
            match (self.state, byte) {
                (State::String, b'"') | (State::Bars, b'|') => {
                    self.state = State::Plain;
                    self.scanned += 1;
                    // Two quotation marks in a string are one; the parts are then one word.
                }
                (State::Comment, b'\n') => self.state = State::Plain,
                (State::String | State::Bars | State::Comment, _) => self.scanned += 1,
                (State::Plain, b'"' | b'|') => {
                    self.state = if byte == b'"' { State::String } else { State::Bars };
                    self.start.get_or_insert(at);
                    self.scanned += 1;
                }
                (State::Plain, b'(') => {
                    if self.depth == 0 && self.start.is_some() {
                        return self.take(at);
                    }
                    self.start.get_or_insert(at);
                    self.depth += 1;
                    self.scanned += 1;
                }
                (State::Plain, b')') => {
                    if self.depth == 0 && self.start.is_some() {
                        return self.take(at);
                    }
                    self.start.get_or_insert(at);
                    self.depth = self.depth.saturating_sub(1);
                    self.scanned += 1;
                    if self.depth == 0 {
                        return self.take(self.scanned);
                    }
                }
                (State::Plain, b';' | b' ' | b'\t' | b'\r' | b'\n') => {
                    if self.depth == 0 && self.start.is_some() {
                        return self.take(at);
                    }
                    self.state = if byte == b';' { State::Comment } else { State::Plain };
                    self.scanned += 1;
                }
                (State::Plain, _) => {
                    self.start.get_or_insert(at);
                    self.scanned += 1;
                }
            }
        }
        None
    }

    fn take(&mut self, end: usize) -> Option<String> {
        let start = self.start.take()?;
        let text = String::from_utf8_lossy(&self.text[start..end]).into_owned();
        self.text.drain(..end);
        self.scanned = 0;
        Some(text)
    }
}

/// The elements of a list; `None` if `text` is no list.
pub(crate) fn elements(text: &str) -> Option<Vec<String>> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let mut splitter = Splitter::default();
    splitter.incoming().extend_from_slice(inner.as_bytes());
    splitter.incoming().push(b'\n');
    Some(std::iter::from_fn(|| splitter.next()).collect())
}

/// The message of an `(error "…")`.
pub(crate) fn error(text: &str) -> Option<String> {
    let message = text.strip_prefix("(error")?.strip_suffix(')')?.trim();
    let message = message.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(message);
    Some(message.replace("\"\"", "\"").split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The version in the answer to `(get-info :version)`.
pub(crate) fn version(text: &str) -> Option<&str> {
    let value = text.strip_prefix("(:version")?.strip_suffix(')')?.trim();
    Some(value.trim_matches('"')).filter(|value| !value.is_empty())
}

/// A symbol without its bars.
pub(crate) fn unquoted(symbol: &str) -> &str {
    symbol.strip_prefix('|').and_then(|rest| rest.strip_suffix('|')).unwrap_or(symbol)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<String> {
        let mut splitter = Splitter::default();
        let mut found = Vec::new();
        // Byte by byte, as from a slow pipe.
        for &byte in text.as_bytes() {
            splitter.incoming().push(byte);
            found.extend(std::iter::from_fn(|| splitter.next()));
        }
        found
    }

    #[test]
    fn replies_are_split_at_the_outermost_level() {
        assert_eq!(split("sat\n"), ["sat"]);
        assert_eq!(split("sat"), [""; 0], "more letters may follow");
        assert_eq!(split("((a |)| \")\")) ; (x\nunsat\n"), ["((a |)| \")\"))", "unsat"]);
        assert_eq!(split("sat(model)\"a\"\"b\" "), ["sat", "(model)", "\"a\"\"b\""]);
        assert_eq!(split(") x "), [")", "x"], "a stray parenthesis is a reply that nothing expects");
    }

    #[test]
    fn lists_errors_and_versions_are_read() {
        assert_eq!(elements("((x 5) (y (- 3)))").expect("a list"), ["(x 5)", "(y (- 3))"]);
        assert_eq!(elements("()").expect("a list"), [""; 0]);
        assert_eq!(elements("x"), None);
        assert_eq!(
            error("(error \"line 1: no \"\"x\"\"\n here\")").as_deref(),
            Some("line 1: no \"x\" here")
        );
        assert_eq!(error("sat"), None);
        assert_eq!(version("(:version \"4.8.12\")"), Some("4.8.12"));
        assert_eq!(unquoted("|a b|"), "a b");
    }
}
