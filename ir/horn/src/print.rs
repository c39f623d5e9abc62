//! The format of CHC-COMP.
//!
//! `(set-logic HORN)`, a `declare-fun` for each predicate, a universally quantified implication for each clause. Predicates occur only
//! positively and only as atoms of bodies and heads; a head's arguments are distinct variables; there is one query, an implication
//! of `false`. Terms are shared by `let` inside the constraint of a clause.

use super::{Atom, Clause, System};
use std::fmt::{self, Write};
use terms::{Term, TermPool, print};

impl System {
    /// The system as text.
    pub fn to_text(&self, pool: &mut TermPool) -> String {
        let mut text = String::new();
        self.print(&mut text, pool).expect("a string takes any text");
        text
    }

    /// Writes the system.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn print(&self, out: &mut dyn Write, pool: &mut TermPool) -> fmt::Result {
        writeln!(out, "(set-logic HORN)")?;
        for data in self.predicates.values() {
            if !data.comment.is_empty() {
                writeln!(out, "; {}", data.comment)?;
            }
            let sorts: Vec<String> =
                data.arguments.iter().map(|argument| print::sort(pool, argument.sort)).collect();
            writeln!(out, "(declare-fun {} ({}) Bool)", print::quote(&data.name), sorts.join(" "))?;
        }
        for clause in &self.clauses {
            if !clause.comment.is_empty() {
                writeln!(out, "; {}", clause.comment)?;
            }
            self.clause(out, pool, clause)?;
        }
        writeln!(out, "(check-sat)")
    }

    fn clause(&self, out: &mut dyn Write, pool: &mut TermPool, clause: &Clause) -> fmt::Result {
        let mut terms: Vec<Term> =
            clause.body.iter().flat_map(|atom| atom.arguments.iter().copied()).collect();
        terms.extend(clause.head.iter().flat_map(|head| head.arguments.iter().copied()));
        terms.push(clause.constraint);
        out.write_str("(assert\n  (forall (")?;
        let variables = pool.free_symbols_of(&terms);
        for (index, &symbol) in variables.iter().enumerate() {
            let data = pool.symbol_data(symbol);
            let space = if index == 0 { "" } else { " " };
            write!(out, "{space}({} {})", print::quote(&data.name), print::sort(pool, data.sort))?;
        }
        if variables.is_empty() {
            // The format has no clauses without variables.
            out.write_str("(unused Bool)")?;
        }
        out.write_str(")\n    (=>\n      ")?;
        let has_constraint = pool.as_bool(clause.constraint) != Some(true);
        match (&clause.body[..], has_constraint) {
            ([], _) => write!(out, "{}", pool.display(clause.constraint))?,
            ([atom], false) => self.atom(out, pool, atom)?,
            (atoms, _) => {
                out.write_str("(and")?;
                for atom in atoms {
                    out.write_str(" ")?;
                    self.atom(out, pool, atom)?;
                }
                if has_constraint {
                    write!(out, "\n        {}", pool.display(clause.constraint))?;
                }
                out.write_str(")")?;
            }
        }
        out.write_str("\n      ")?;
        match &clause.head {
            Some(head) => self.atom(out, pool, head)?,
            None => out.write_str("false")?,
        }
        out.write_str(")))\n")
    }

    fn atom(&self, out: &mut dyn Write, pool: &TermPool, atom: &Atom) -> fmt::Result {
        let name = print::quote(&self.predicates[atom.predicate].name);
        if atom.arguments.is_empty() {
            return out.write_str(&name);
        }
        write!(out, "({name}")?;
        for &argument in &atom.arguments {
            write!(out, " {}", pool.display(argument))?;
        }
        out.write_str(")")
    }
}
