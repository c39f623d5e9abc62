//! ACSL annotations in the text of a C file.
//!
//! The text is not parsed again. The front end gives the place of each loop statement in the file
//! before preprocessing, and the annotation goes there if a keyword of a loop is at this place:
//! the places of loops in macros and headers are elsewhere.

use grammars::source::{SourceMap, Span};
use passes::evidence::PresentedLoops;
use std::collections::BTreeMap;
use std::path::Path;

/// A file with annotations.
pub(super) struct Annotated {
    pub(super) text: Vec<u8>,
    /// The number of loops and functions with facts that have no place in the file.
    pub(super) skipped: usize,
}

/// The keywords at the start of a loop.
const KEYWORDS: [&[u8]; 3] = [b"for", b"while", b"do"];

/// Inserts the invariants and contracts of `loops` into `text`, the contents of the file `path`.
pub(super) fn annotated(text: &[u8], path: &Path, loops: &PresentedLoops, sources: &SourceMap) -> Annotated {
    let mut lines: Vec<Vec<u8>> = text.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let name = path.to_string_lossy();
    let mut skipped = 0;
    let invariants = loops.acsl().into_iter().map(|(span, predicates)| {
        let clauses = predicates.into_iter().map(|predicate| format!("loop invariant {predicate}"));
        (span, Annotation::Loop(clauses.collect()))
    });
    let contracts = loops.acsl_contracts().into_iter();
    let contracts = contracts.map(|(span, clauses)| (span, Annotation::Contract(clauses)));
    let annotations: BTreeMap<Span, Annotation> = invariants.chain(contracts).collect();
    // From the end, so that the places before an insertion stay valid.
    for (span, annotation) in annotations.into_iter().rev() {
        let place = sources.presumed(span).filter(|place| *place.file == *name);
        let place = place.and_then(|place| {
            let (line, column) = (place.line.checked_sub(1)? as usize, place.column.checked_sub(1)? as usize);
            let rest = lines.get(line)?.get(column..)?;
            match &annotation {
                Annotation::Loop(_) => {
                    KEYWORDS.iter().any(|keyword| is_word(rest, keyword)).then_some((line, column))
                }
                Annotation::Contract(_) => is_definition(&lines, line, column).then_some((line, 0)),
            }
        });
        match place {
            Some((line, column)) => insert(&mut lines[line], column, annotation.clauses()),
            None => skipped += 1,
        }
    }
    Annotated { text: lines.concat(), skipped }
}

/// The clauses at a place of the source.
enum Annotation {
    Loop(Vec<String>),
    Contract(Vec<String>),
}

impl Annotation {
    fn clauses(&self) -> &[String] {
        match self {
            Annotation::Loop(clauses) | Annotation::Contract(clauses) => clauses,
        }
    }
}

/// Whether the definition of the function whose name is at a place begins at the start of its line:
/// its type precedes the name there, and the line before ends another declaration.
fn is_definition(lines: &[Vec<u8>], line: usize, column: usize) -> bool {
    let before = &lines[line][..column];
    let is_type = before.first().is_some_and(u8::is_ascii_alphabetic)
        && !before.iter().any(|byte| matches!(byte, b';' | b'{' | b'}' | b'#'));
    let previous = lines[..line].iter().rev().map(|line| line.trim_ascii()).find(|line| !line.is_empty());
    let is_end = previous.is_none_or(|previous| {
        previous.ends_with(b";")
            || previous.ends_with(b"}")
            || previous.ends_with(b"*/")
            || (previous.starts_with(b"#") && !previous.ends_with(b"\\"))
            || previous.starts_with(b"//")
    });
    is_type && is_end
}

fn is_word(text: &[u8], word: &[u8]) -> bool {
    let after = text.strip_prefix(word).map(|rest| rest.first().copied().unwrap_or(b' '));
    after.is_some_and(|byte| !byte.is_ascii_alphanumeric() && byte != b'_')
}

/// Inserts an annotation at `column` of a line: on lines of its own if only white space precedes.
fn insert(line: &mut Vec<u8>, column: usize, clauses: &[String]) {
    let (before, rest) = line.split_at(column);
    let indentation = match before.iter().all(u8::is_ascii_whitespace) {
        true => String::from_utf8_lossy(before).into_owned(),
        false => String::new(),
    };
    let separator =
        if before.len() == indentation.len() { format!("\n{indentation}") } else { " ".to_owned() };
    let clauses: Vec<String> = clauses.iter().map(|clause| format!("{clause};")).collect();
    let annotation = format!(
        "/*@ {} */",
        clauses.join(&format!("{separator}{}", if separator == " " { "" } else { "    " }))
    );
    *line = [before, annotation.as_bytes(), separator.as_bytes(), rest].concat();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_annotation_is_on_lines_of_its_own_where_the_loop_is() {
        let clauses = ["loop invariant x >= 0".to_owned(), "loop invariant y == 1".to_owned()];
        let mut line = b"    while (x < 3)\n".to_vec();
        insert(&mut line, 4, &clauses);
        let expected =
            "    /*@ loop invariant x >= 0;\n        loop invariant y == 1; */\n    while (x < 3)\n";
        assert_eq!(String::from_utf8_lossy(&line), expected);
        let mut line = b"if (x) while (x < 3)\n".to_vec();
        insert(&mut line, 7, &clauses);
        let expected = "if (x) /*@ loop invariant x >= 0; loop invariant y == 1; */ while (x < 3)\n";
        assert_eq!(String::from_utf8_lossy(&line), expected);
    }

    #[test]
    fn a_contract_precedes_a_definition_whose_type_starts_the_line() {
        let is = |text: &str, line: usize, name: &str| {
            let lines: Vec<Vec<u8>> = text.lines().map(|line| line.as_bytes().to_vec()).collect();
            let column = text.lines().nth(line).and_then(|line| line.find(name)).expect("the name");
            is_definition(&lines, line, column)
        };
        assert!(is("static int f(int n) {", 0, "f("));
        assert!(is("int g;\n\nint f(int n) {", 2, "f("));
        assert!(!is("int\nf(int n) {", 1, "f("));
        assert!(!is("static\nint f(int n) {", 1, "f("));
        assert!(!is("int g(void) { } int f(int n) {", 0, "f("));
    }

    #[test]
    fn keywords_are_whole_words() {
        assert!(is_word(b"do{", b"do") && is_word(b"while", b"while") && !is_word(b"forward()", b"for"));
    }
}
