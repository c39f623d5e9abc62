//! Scripts that show what a source did wrong.

use super::Problem;
use super::certify::Fault;
use std::fmt::Write;
use terms::{Term, TermPool, print};

/// The implication that does not hold: the conjunction of `obligation`, which should be unsatisfiable.
pub(super) fn implication(pool: &TermPool, source: &str, part: usize, obligation: &[Term]) -> String {
    let header = format!(
        "; Part {part}, the interpolants of its children and the negation of its own, as the source {source} answered.\n\
         ; The status is that of interpolants: `sat` shows that they are none.\n\
         (set-info :status unsat)\n"
    );
    script(pool, &header, obligation, "(check-sat)\n")
}

/// The problem with named parts and, as a comment, the wrong answer.
pub(super) fn problem(
    pool: &mut TermPool,
    source: &str,
    fault: &Fault,
    problem: &Problem,
    interpolants: &[Term],
) -> String {
    let parts: Vec<Term> = problem.parts.iter().map(|part| pool.and(part)).collect();
    let text = script(pool, "", &parts, "");
    let mut prefix = "part".to_owned();
    while text.contains(&prefix) {
        prefix.push('_');
    }
    let mut out = format!(
        "; The source {source} answered with interpolants that are wrong: {}.\n\
         (set-option :produce-interpolants true)\n\
         (set-info :status unsat)\n",
        fault.to_string().replace('\n', " ")
    );
    let mut part = 0;
    for line in text.lines() {
        // The printer writes one assertion a line.
        match line.strip_prefix("(assert ").and_then(|rest| rest.strip_suffix(')')) {
            Some(formula) => {
                writeln!(out, "(assert (! {formula} :named {prefix}{part}))")
                    .expect("a string takes any text");
                part += 1;
            }
            None => writeln!(out, "{line}").expect("a string takes any text"),
        }
    }
    writeln!(out, "(check-sat)\n(get-interpolants {})", arguments(problem, &prefix))
        .expect("a string takes any text");
    for (part, &interpolant) in interpolants.iter().enumerate() {
        let text = print::term(pool, interpolant).replace('\n', " ");
        writeln!(out, "; {prefix}{part}: {text}").expect("a string takes any text");
    }
    out
}

/// The tree in the notation of SMTInterpol: in post-order, the subtrees of all children but the first in parentheses.
fn arguments(problem: &Problem, prefix: &str) -> String {
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

fn script(pool: &TermPool, header: &str, assertions: &[Term], footer: &str) -> String {
    let mut text = String::new();
    let script = print::Script { logic: Some("ALL"), header, assertions, footer };
    script.write(&mut text, pool).expect("a string takes any text");
    text
}
