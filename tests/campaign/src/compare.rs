//! Comparison of an answer with the ground truth.
//!
//! Two deviations are no disagreement. If operands on one line fail in different ways, C leaves the
//! order unspecified: the answer may name another kind of error on the same line, provided that it
//! names the expected kind when checked for that kind only. Furthermore, GCC folds operations whose
//! results are unused: if Clang's sanitizers agree with the answer, the program is *disputed* and
//! counts neither way.

use crate::interpret::{caught, interpret};
use crate::pointers::{Assertion, Program};
use crate::tool::{Configuration, Question, Tool, Verdict};
use crate::truth::{Compiler, End, ErrorAt, Filling, truths};
use program::ssa::PropertyKind;
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

/// The kind of a wrong answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wrong {
    /// TRUE, but a run fails.
    True,
    /// FALSE, but no run fails there in this way.
    False,
    /// The run of the interpreter ends differently from that of the compiled program.
    Run,
    /// A panic, an internal error, an end without a verdict.
    Crash,
    /// The front end rejects a program that compilers accept.
    Refused,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Wrong::True => "wrong TRUE",
            Wrong::False => "wrong FALSE",
            Wrong::Run => "wrong run",
            Wrong::Crash => "crash",
            Wrong::Refused => "refused",
        })
    }
}

/// A wrong answer.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The kind of the error.
    pub wrong: Wrong,
    /// The source of the answer.
    pub by: Answerer,
    /// The ground truth and the answer.
    pub message: String,
}

/// A source of answers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Answerer {
    /// The front end with the interpreter.
    Interpreter,
    /// The verifier.
    Tool(Configuration, Asked),
}

/// The property that the verifier checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// Whether an error of an operation is reachable.
    Errors,
    /// Whether the result can differ from this number.
    Result(i32),
    /// Whether the result can be this number.
    Denied(i32),
}

/// The result of a comparison.
#[derive(Clone, Debug)]
pub enum Comparison {
    /// They agree.
    Agreed,
    /// The answer is UNKNOWN, with the reason.
    Undecided(String),
    /// There is no ground truth, or the compilers differ.
    Disputed(String),
    /// They disagree.
    Disagreed(Disagreement),
}

/// The errors of all runs; `None` if a run is no evidence.
#[must_use]
pub fn errors(ends: &[End]) -> Option<BTreeSet<ErrorAt>> {
    let mut errors = BTreeSet::new();
    for end in ends {
        match end {
            End::Error(error) => drop(errors.insert(*error)),
            End::Value(_) => {}
            End::Unclear(_) => return None,
        }
    }
    Some(errors)
}

/// The common result of all runs, if no run fails.
#[must_use]
pub fn result(ends: &[End]) -> Option<i32> {
    let mut values = ends.iter().map(|end| match end {
        End::Value(value) => Some(*value),
        _ => None,
    });
    let first = values.next()??;
    values.all(|value| value == Some(first)).then_some(first)
}

/// Compares the interpreter with the ground truth, run by run.
#[must_use]
pub fn check_interpreter(program: &Program, ends: &[End], folder: &Path) -> Comparison {
    let interpreted = |kinds: &[PropertyKind]| caught(|| interpret(program, kinds));
    let disagreed =
        |wrong, message| Comparison::Disagreed(Disagreement { wrong, by: Answerer::Interpreter, message });
    let found = match interpreted(program.kinds()) {
        Ok(found) => found,
        Err(message) if message.starts_with("refused") => return disagreed(Wrong::Refused, message),
        Err(message) => return disagreed(Wrong::Crash, message),
    };
    let mut undecided = None;
    for (index, (expected, found)) in ends.iter().zip(&found).enumerate() {
        match (expected, found) {
            (End::Unclear(reason), _) => return Comparison::Disputed(reason.clone()),
            (_, End::Unclear(reason)) => undecided = Some(reason.clone()),
            _ if expected == found => {}
            (End::Error(one), End::Error(other))
                if (one.unit, one.line) == (other.unit, other.line)
                    && interpreted(&[one.kind]).is_ok_and(|ends| ends[index] == *expected) => {}
            _ => {
                let message =
                    format!("inputs {:?}: expected {expected:?}, found {found:?}", program.inputs()[index]);
                return match second_opinion(program, folder) {
                    Ok(clang) if clang[index] == *found || matches!(clang[index], End::Unclear(_)) => {
                        Comparison::Disputed(message)
                    }
                    Ok(_) => disagreed(Wrong::Run, message),
                    Err(reason) => Comparison::Disputed(reason),
                };
            }
        }
    }
    undecided.map_or(Comparison::Agreed, Comparison::Undecided)
}

/// Compares the verifier's answer to a query with the ground truth.
#[must_use]
pub fn check_tool(
    tool: &Tool,
    program: &Program,
    ends: &[End],
    configuration: Configuration,
    asked: Asked,
    folder: &Path,
) -> Comparison {
    let Some(errors) = errors(ends) else {
        return Comparison::Disputed("no truth".to_owned());
    };
    let (assertion, kinds): (Assertion, &[PropertyKind]) = match asked {
        Asked::Errors => (Assertion::None, program.kinds()),
        Asked::Result(value) => (Assertion::Is(value), &[PropertyKind::ReachCall]),
        Asked::Denied(value) => (Assertion::IsNot(value), &[PropertyKind::ReachCall]),
    };
    let expected: BTreeSet<ErrorAt> = match asked {
        Asked::Errors => errors,
        Asked::Result(_) => BTreeSet::new(),
        Asked::Denied(_) => BTreeSet::from([ErrorAt { unit: 0, line: 0, kind: PropertyKind::ReachCall }]),
    };
    let ask = |kinds: &[PropertyKind]| {
        tool.verify(program, assertion, &Question { kinds, configuration, options: &[] }, folder)
    };
    let by = Answerer::Tool(configuration, asked);
    let disagreed = |wrong, message| Comparison::Disagreed(Disagreement { wrong, by, message });
    match ask(kinds) {
        Verdict::Unknown(reason) => Comparison::Undecided(reason),
        Verdict::Broken(reason) if reason.starts_with("exit code Some(2)") => {
            disagreed(Wrong::Refused, reason)
        }
        Verdict::Broken(reason) => disagreed(Wrong::Crash, reason),
        Verdict::True if expected.is_empty() => Comparison::Agreed,
        Verdict::True => {
            let message = format!("TRUE, expected {}", list(&expected));
            settle(program, folder, &message, Wrong::True, by, BTreeSet::is_empty)
        }
        Verdict::False(error) if expected.contains(&error) => Comparison::Agreed,
        Verdict::False(error) => {
            let same_line = expected.iter().find(|known| {
                (known.unit, known.line) == (error.unit, error.line) && known.kind != error.kind
            });
            if let Some(known) = same_line
                && ask(&[known.kind]) == Verdict::False(*known)
            {
                return Comparison::Agreed;
            }
            let message = format!("FALSE({error}), expected {}", list(&expected));
            settle(program, folder, &message, Wrong::False, by, |errors| errors.contains(&error))
        }
    }
}

/// A disagreement, unless another compiler shows that there is no ground truth: `is_disputed` gets
/// the errors that the other compiler finds.
fn settle(
    program: &Program,
    folder: &Path,
    message: &str,
    wrong: Wrong,
    by: Answerer,
    is_disputed: impl Fn(&BTreeSet<ErrorAt>) -> bool,
) -> Comparison {
    match second_opinion(program, folder).map(|ends| errors(&ends)) {
        Ok(Some(errors)) if !is_disputed(&errors) => {
            Comparison::Disagreed(Disagreement { wrong, by, message: message.to_owned() })
        }
        Ok(_) => Comparison::Disputed(message.to_owned()),
        Err(reason) => Comparison::Disputed(reason),
    }
}

/// The ends of the runs under Clang, or under GCC if Clang is missing; an error if the contents of
/// uninitialized memory change a run.
fn second_opinion(program: &Program, folder: &Path) -> Result<Vec<End>, String> {
    let compiler = if Compiler::Clang.is_installed() { Compiler::Clang } else { Compiler::Gcc };
    let run =
        |compiler, filling| truths(&[program], compiler, filling, folder).map(|mut ends| ends.swap_remove(0));
    let (zero, pattern) = (run(Compiler::Gcc, Filling::Zero)?, run(Compiler::Gcc, Filling::Pattern)?);
    if zero != pattern {
        return Err(format!("depends on uninitialized memory: {zero:?}, {pattern:?}"));
    }
    run(compiler, Filling::Leave)
}

fn list(errors: &BTreeSet<ErrorAt>) -> String {
    match errors.is_empty() {
        true => "no error".to_owned(),
        false => errors.iter().map(ErrorAt::to_string).collect::<Vec<_>>().join(" or "),
    }
}
