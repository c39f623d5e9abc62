//! Writes interpolation problems and faults of sources as scripts.

use super::Problem;
use super::certify::Fault;
use std::fmt::{self, Write};
use terms::{Term, TermPool, print};

/// Writes the implication that does not hold: the conjunction of `obligation`, which should be
/// unsatisfiable.
pub(super) fn implication(pool: &TermPool, source: &str, part: usize, obligation: &[Term]) -> String {
    let header = format!(
        "; part {part}, the interpolants of its children and the negation of its own, from the source {source}\n\
         ; tree interpolants make this unsat; `sat` refutes the answer\n\
         (set-info :status unsat)\n"
    );
    let mut text = String::new();
    let script = print::Script {
        logic: Some("ALL"),
        header: &header,
        assertions: obligation,
        footer: "(check-sat)\n",
    };
    script.write(&mut text, pool).expect("a string takes any text");
    text
}

/// Writes the problem with named parts and the wrong answer as a comment.
pub(super) fn problem(
    pool: &mut TermPool,
    source: &str,
    fault: &Fault,
    problem: &Problem,
    interpolants: &[Term],
) -> String {
    let header = format!(
        "; the source {source} returned wrong interpolants: {}\n(set-info :status unsat)\n",
        fault.to_string().replace('\n', " ")
    );
    let mut out = String::new();
    write_problem(&mut out, pool, ("ALL", &header), problem, interpolants).expect("a string takes any text");
    out
}

/// Writes logic and `header`, the parts as named assertions, `get-interpolants`, and the
/// interpolants as comments.
///
/// # Errors
/// Those of `out`.
pub(crate) fn write_problem(
    out: &mut dyn Write,
    pool: &mut TermPool,
    (logic, header): (&str, &str),
    problem: &Problem,
    interpolants: &[Term],
) -> fmt::Result {
    let parts: Vec<Term> = problem.parts.iter().map(|part| pool.and(part)).collect();
    let mut text = String::new();
    print::Script { logic: Some(logic), header: "", assertions: &parts, footer: "" }
        .write(&mut text, pool)?;
    let mut prefix = "part".to_owned();
    while text.contains(&prefix) {
        prefix.push('_');
    }
    writeln!(out, "{header}(set-option :produce-interpolants true)")?;
    let mut part = 0;
    for line in text.lines() {
        // The printer writes one assertion per line.
        match line.strip_prefix("(assert ").and_then(|rest| rest.strip_suffix(')')) {
            Some(formula) => {
                writeln!(out, "(assert (! {formula} :named {prefix}{part}))")?;
                part += 1;
            }
            None => writeln!(out, "{line}")?,
        }
    }
    writeln!(out, "(check-sat)\n(get-interpolants {})", arguments(problem, &prefix))?;
    for (part, &interpolant) in interpolants.iter().enumerate() {
        let text = print::term(pool, interpolant).replace('\n', " ");
        writeln!(out, "; {prefix}{part}: {text}")?;
    }
    Ok(())
}

/// The arguments of `get-interpolants` in the notation of SMTInterpol, where the part `i` is named
/// `prefix` and `i`: the tree in post-order, the subtrees of all children except the first in
/// parentheses.
pub fn arguments(problem: &Problem, prefix: &str) -> String {
    enum Step {
        Visit(usize),
        Write(String),
    }
    let children = problem.tree.children();
    let mut words: Vec<String> = Vec::new();
    let mut stack = vec![Step::Visit(problem.tree.root())];
    while let Some(step) = stack.pop() {
        match step {
            Step::Write(word) => words.push(word),
            Step::Visit(node) => {
                stack.push(Step::Write(format!("{prefix}{node}")));
                for (index, &child) in children[node].iter().enumerate().rev() {
                    if index > 0 {
                        stack.push(Step::Write(")".to_owned()));
                    }
                    stack.push(Step::Visit(child));
                    if index > 0 {
                        stack.push(Step::Write("(".to_owned()));
                    }
                }
            }
        }
    }
    words.join(" ").replace("( ", "(").replace(" )", ")")
}
