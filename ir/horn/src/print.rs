//! The format of the CHC competition (CHC-COMP).
//!
//! `(set-logic HORN)`, a `declare-fun` for each relation, then an assertion for each clause: a
//! universally quantified implication. Relations occur only positively and only as atoms of bodies
//! and heads; the arguments of a head are distinct variables; there is one query, an implication of
//! `false`. Every clause quantifies a variable: one without variables gets `unused`.
//!
//! *Names.* The text calls the symbol `x` of an argument by the [name](crate::Argument::name) of
//! the argument, `x+` by the name with `.next`, and inner symbols as [`Notes::inner`] says. Names
//! are unique in a clause and differ from those of relations. Terms that occur more than once in a
//! constraint are bound by `let`, and the bounds of an integer are written as one comparison.

use super::{Atom, ClauseData, RelationData, System, Updates};
use encode::{EncodeError, Encoding};
use rustc_hash::FxHashMap;
use std::fmt::{self, Write};
use std::rc::Rc;
use terms::print::{self, Clause, Labels};
use terms::{Op, Term, TermPool};

/// The name of the relation that [`System::with_one_query`] adds.
pub const ERROR: &str = "error";

/// Additions to the text of a system.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// Lines behind `(set-logic HORN)`: comments and `set-info`.
    pub header: String,
    /// Names of inner symbols for readers, by the names of the symbols.
    pub inner: FxHashMap<String, String>,
}

impl System {
    /// The same system with one query, as the format demands. Several queries derive the relation
    /// [`ERROR`], which the query refutes.
    #[must_use]
    pub fn with_one_query(&self, pool: &mut TermPool) -> System {
        let mut system = self.clone();
        if self.queries().count() == 1 {
            return system;
        }
        let error = system.relations.push(RelationData {
            name: ERROR.to_owned(),
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

    /// Checks that a solver of Horn clauses can read the system, whose terms are in `encoding`.
    ///
    /// # Errors
    /// If a clause has a quantifier or an uninterpreted function.
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
    pub fn to_text(&self, pool: &TermPool, notes: &Notes) -> String {
        let mut text = String::new();
        self.print(&mut text, pool, notes).expect("a string takes any text");
        text
    }

    /// Writes the system.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn print(&self, out: &mut dyn Write, pool: &TermPool, notes: &Notes) -> fmt::Result {
        writeln!(out, "(set-logic HORN)")?;
        out.write_str(&notes.header)?;
        for data in self.relations.values() {
            if !data.origin.is_empty() {
                writeln!(out, "; {}", data.origin)?;
            }
            let sorts: Vec<String> =
                data.symbols().map(|symbol| print::sort(pool, pool.sort(symbol))).collect();
            writeln!(out, "(declare-fun {} ({}) Bool)", print::quote(&data.name), sorts.join(" "))?;
        }
        let taken = self.relations.values().map(|relation| relation.name.clone()).collect();
        let mut labels = Labels { taken: Rc::new(taken), ..Labels::default() };
        // The query comes last.
        for (_, clause) in self.rules().chain(self.queries()) {
            if !clause.origin.is_empty() {
                writeln!(out, "; {}", clause.origin)?;
            }
            self.label(pool, clause, notes, &mut labels);
            self.clause(out, pool, clause, &labels)?;
        }
        writeln!(out, "(check-sat)")
    }

    /// The names of the symbols of a clause.
    fn label(&self, pool: &TermPool, clause: &ClauseData, notes: &Notes, labels: &mut Labels) {
        labels.symbols.clear();
        let mut label = |term: Term, name: String| {
            if let Op::Symbol(symbol) = pool.op(term) {
                labels.symbols.entry(symbol).or_insert(name);
            }
        };
        for atom in &clause.body {
            for (argument, &term) in self.relations[atom.relation].arguments.iter().zip(&atom.arguments) {
                label(term, argument.name.clone());
            }
        }
        if let Some(atom) = &clause.head {
            for (argument, &term) in self.relations[atom.relation].arguments.iter().zip(&atom.arguments) {
                label(term, format!("{}.next", argument.name));
            }
        }
        for &term in &clause.inner {
            let Op::Symbol(symbol) = pool.op(term) else { continue };
            if let Some(name) = notes.inner.get(&pool.symbol_data(symbol).name) {
                label(term, name.clone());
            }
        }
    }

    fn clause(
        &self,
        out: &mut dyn Write,
        pool: &TermPool,
        clause: &ClauseData,
        labels: &Labels,
    ) -> fmt::Result {
        let mut terms: Vec<Term> =
            clause.body.iter().flat_map(|atom| atom.arguments.iter().copied()).collect();
        terms.extend(clause.head.iter().flat_map(|head| head.arguments.iter().copied()));
        terms.push(clause.constraint);
        let names = Clause::new(pool, &terms, labels);
        out.write_str("(assert\n  (forall (")?;
        let variables = pool.free_symbols_of(&terms);
        for (index, &symbol) in variables.iter().enumerate() {
            out.write_str(if index == 0 { "(" } else { " (" })?;
            names.symbol(out, symbol)?;
            write!(out, " {})", print::sort(pool, pool.symbol_data(symbol).sort))?;
        }
        if variables.is_empty() {
            // The format has no clauses without variables.
            out.write_str("(unused Bool)")?;
        }
        out.write_str(")\n    (=>\n      ")?;
        let mut body: Vec<String> =
            clause.body.iter().map(|atom| self.atom_text(pool, &names, atom)).collect();
        if pool.as_bool(clause.constraint) != Some(true) {
            body.extend(names.conjuncts(clause.constraint));
        }
        match &body[..] {
            [] => out.write_str("true")?,
            [only] => out.write_str(only)?,
            several => {
                out.write_str("(and")?;
                for conjunct in several {
                    write!(out, "\n        {conjunct}")?;
                }
                out.write_str(")")?;
            }
        }
        let head = clause.head.as_ref().map(|head| self.atom_text(pool, &names, head));
        write!(out, "\n      {})))\n", head.as_deref().unwrap_or("false"))
    }

    fn atom_text(&self, pool: &TermPool, names: &Clause<'_>, atom: &Atom) -> String {
        let mut text = String::new();
        self.write_atom(&mut text, pool, names, atom).expect("a string takes any text");
        text
    }

    fn write_atom(
        &self,
        out: &mut dyn Write,
        pool: &TermPool,
        names: &Clause<'_>,
        atom: &Atom,
    ) -> fmt::Result {
        let name = print::quote(&self.relations[atom.relation].name);
        if atom.arguments.is_empty() {
            return out.write_str(&name);
        }
        write!(out, "({name}")?;
        for &argument in &atom.arguments {
            out.write_str(" ")?;
            match pool.op(argument) {
                Op::Symbol(symbol) => names.symbol(out, symbol)?,
                _ => names.term(out, argument)?,
            }
        }
        out.write_str(")")
    }
}
