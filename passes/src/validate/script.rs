//! Writes checks as one SMT-LIB script that any solver can discharge.

use super::check::Checks;
use crate::evidence::Basis;
use std::fmt::Write;
use terms::TermPool;
use terms::print::Script;

/// Returns the script: each check in its own scope, with its claim as a comment, its status and
/// `(check-sat)`. The certificate is valid if every answer is `unsat`.
pub fn script(pool: &TermPool, checks: &Checks) -> String {
    let mut text = String::new();
    write(&mut text, pool, checks).expect("a string takes any text");
    text
}

fn write(text: &mut String, pool: &TermPool, checks: &Checks) -> std::fmt::Result {
    let names: Vec<&str> = checks.basis.pipeline.passes().iter().map(|pass| pass.name).collect();
    let names = if names.is_empty() { "none".to_owned() } else { names.join(" ") };
    writeln!(
        text,
        "; A safety certificate: it is valid if each of the {} answers is unsat.",
        checks.list.len()
    )?;
    let Basis { theories, pipeline } = &checks.basis;
    writeln!(text, "; Encoding {}, memory: {}, passes: {names}.", theories.encoding, pipeline.memory())?;
    writeln!(text, "(set-logic {})", checks.logic)?;
    for (number, check) in checks.list.iter().enumerate() {
        let claim = check.claim.to_string();
        let claim: String = claim.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let header = format!("; {}. {claim}\n(push 1)\n", number + 1);
        let footer = "(set-info :status unsat)\n(check-sat)\n(pop 1)\n";
        Script { logic: None, header: &header, assertions: &check.formulas, footer }.write(text, pool)?;
    }
    text.push_str("(exit)\n");
    Ok(())
}
