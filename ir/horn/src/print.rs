//! The format of CHC-COMP.
//!
//! `(set-logic HORN)`, a `declare-fun` for each relation, a universally quantified implication for each clause. Relations occur only
//! positively and only as atoms of bodies and heads; a head's arguments are distinct variables; there is one query, an implication
//! of `false`. Terms are shared by `let` inside the constraint of a clause.

use super::{Atom, ClauseData, RelationData, System, Updates};
use encode::{EncodeError, Encoding};
use std::fmt::{self, Write};
use terms::{Op, Term, TermPool, print};

impl System {
    /// The same system with one query, as the format wants it: all others derive a relation `error`, from which it follows.
    #[must_use]
    pub fn with_one_query(&self, pool: &mut TermPool) -> System {
        let mut system = self.clone();
        let error = system.relations.push(RelationData {
            name: "error".to_owned(),
            arguments: Vec::new(),
            origin: "an error is reached".to_owned(),
        });
        let error = Atom { relation: error, arguments: Vec::new() };
        for clause in system.clauses.values_mut() {
            clause.head.get_or_insert_with(|| error.clone());
        }
        let origin = "no error is reached".to_owned();
        let query = ClauseData::new(pool, vec![error], pool.tru(), (None, Updates::default()), origin);
        system.clauses.push(query);
        system
    }

    /// Whether a solver of Horn clauses can read the system, which is in `encoding`.
    ///
    /// # Errors
    /// If a clause has a quantifier, or a function: clauses quantify variables only.
    pub fn check_printable(&self, pool: &TermPool, encoding: Encoding) -> Result<(), EncodeError> {
        let constraints: Vec<Term> = self.clauses.values().map(|clause| clause.constraint).collect();
        let mut has_quantifier = false;
        pool.visit(
            &constraints,
            |_| true,
            |term| has_quantifier |= matches!(pool.op(term), Op::Forall | Op::Exists),
        );
        if has_quantifier {
            return Err(EncodeError::Quantifier { encoding, place: "the body of a Horn clause" });
        }
        match pool.free_functions_of(&constraints).first() {
            Some(&function) => {
                let operator = format!("the function {} in a Horn clause", pool.function_data(function).0);
                Err(EncodeError::Operator { encoding, operator })
            }
            None => Ok(()),
        }
    }

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
        for data in self.relations.values() {
            if !data.origin.is_empty() {
                writeln!(out, "; {}", data.origin)?;
            }
            let sorts: Vec<String> =
                data.symbols().map(|symbol| print::sort(pool, pool.sort(symbol))).collect();
            writeln!(out, "(declare-fun {} ({}) Bool)", print::quote(&data.name), sorts.join(" "))?;
        }
        for clause in self.clauses.values() {
            if !clause.origin.is_empty() {
                writeln!(out, "; {}", clause.origin)?;
            }
            self.clause(out, pool, clause)?;
        }
        writeln!(out, "(check-sat)")
    }

    fn clause(&self, out: &mut dyn Write, pool: &mut TermPool, clause: &ClauseData) -> fmt::Result {
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
            ([atom], false) => self.write_atom(out, pool, atom)?,
            (atoms, _) => {
                out.write_str("(and")?;
                for atom in atoms {
                    out.write_str(" ")?;
                    self.write_atom(out, pool, atom)?;
                }
                if has_constraint {
                    write!(out, "\n        {}", pool.display(clause.constraint))?;
                }
                out.write_str(")")?;
            }
        }
        out.write_str("\n      ")?;
        match &clause.head {
            Some(head) => self.write_atom(out, pool, head)?,
            None => out.write_str("false")?,
        }
        out.write_str(")))\n")
    }

    fn write_atom(&self, out: &mut dyn Write, pool: &TermPool, atom: &Atom) -> fmt::Result {
        let name = print::quote(&self.relations[atom.relation].name);
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
