//! Printer of clauses in the format of the CHC competition (CHC-COMP).
//!
//! The text consists of `(set-logic HORN)`, a `declare-fun` for each relation, and an assertion for
//! each clause, a universally quantified implication. Relations occur only as atoms of bodies and
//! heads, never negated. The arguments of a head are distinct variables. There is exactly one
//! query, an implication with the head `false`. The format requires every clause to quantify a
//! variable, so a clause without variables quantifies `unused`.
//!
//! *Names.* The symbol `x` of an argument is printed as the [name](crate::Argument::name) of the
//! argument, the symbol `x+` as that name with the suffix `.next`, and an inner symbol as given by
//! [`Notes::inner`]. Names are unique in a clause and differ from the names of relations. A `let`
//! binds each term that occurs more than once in a constraint. The bounds of an integer are printed
//! as one comparison.

use super::{Argument, Atom, ClauseData, Interpretation, RelationData, Signatures, System, Updates};
use crate::signature::Frame;
use encode::{EncodeError, Encoding};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::{self, Write};
use std::rc::Rc;
use terms::print::{self, Clause, Labels};
use terms::{Op, Term, TermPool};

/// The name of the relation that [`System::with_one_query`] adds.
pub const ERROR: &str = "error";

/// Additional text and names for a printed system.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// Lines after `(set-logic HORN)`: comments and `set-info`.
    pub header: String,
    /// Labels of inner symbols, indexed by the names of the symbols.
    pub inner: FxHashMap<String, String>,
}

impl System {
    /// Returns an equisatisfiable system with exactly one query, as the format requires. Unless the
    /// system has one query, its queries become rules that derive the relation [`ERROR`] (with
    /// another name if a relation has this one), and the clause `error ⇒ false` is added.
    #[must_use]
    pub fn with_one_query(&self, pool: &mut TermPool) -> System {
        let mut system = self.clone();
        if self.queries().count() == 1 {
            return system;
        }
        let taken: FxHashSet<&str> = self.relations.values().map(|relation| &*relation.name).collect();
        let names = (1u32..).map(|number| match number {
            1 => ERROR.to_owned(),
            _ => format!("{ERROR}.{number}"),
        });
        let name = names.into_iter().find(|name| !taken.contains(&**name)).expect("some name is free");
        let error = system.relations.push(RelationData {
            name,
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

    /// Checks that Horn-clause solvers support the constraints of the system, which are in
    /// `encoding`.
    ///
    /// # Errors
    /// If a constraint contains a quantifier or an uninterpreted function.
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

    /// Returns the text of the system.
    pub fn to_text(&self, pool: &TermPool, notes: &Notes) -> String {
        let mut text = String::new();
        self.print(&mut text, pool, notes).expect("writing to a string cannot fail");
        text
    }

    /// Writes the text of the system: the rules, then the queries.
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
        let mut labels = self.labels();
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

    /// Sets `labels` to the labels of the symbols of a clause.
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

    /// Writes an interpretation as the answer of a solver to `(get-model)`: a definition of each
    /// relation, over the data types of `signatures`.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn print_model(
        &self,
        out: &mut dyn Write,
        pool: &mut TermPool,
        signatures: &mut Signatures,
        interpretation: &Interpretation,
    ) -> fmt::Result {
        let mut labels = self.labels();
        Rc::make_mut(&mut labels.taken).extend(signatures.names().map(str::to_owned));
        writeln!(out, "(")?;
        for (relation, data) in self.relations.iter() {
            labels.symbols.clear();
            for Argument { name, symbol } in &data.arguments {
                if let Op::Symbol(symbol) = pool.op(*symbol) {
                    labels.symbols.insert(symbol, name.clone());
                }
            }
            let formula = interpretation.formulas[relation];
            let mut terms: Vec<Term> = data.symbols().collect();
            terms.push(formula);
            write!(out, "  (define-fun {} (", print::quote(&data.name))?;
            let mut components = Vec::with_capacity(data.arguments.len());
            let mut body = String::new();
            {
                let names = Clause::new(pool, &terms, &labels);
                for argument in data.symbols() {
                    let Op::Symbol(symbol) = pool.op(argument) else {
                        unreachable!("an argument is a symbol")
                    };
                    let mut name = String::new();
                    names.symbol(&mut name, symbol)?;
                    components.push(name);
                }
                names.term(&mut body, formula)?;
            }
            match signatures.frame(pool, (relation, data), &components) {
                Some(Frame { parameters, before, after }) => {
                    write!(out, "{parameters}) Bool\n    {before}{body}{after}")?;
                }
                None => {
                    for (index, (name, argument)) in components.iter().zip(data.symbols()).enumerate() {
                        let space = if index == 0 { "" } else { " " };
                        write!(out, "{space}({name} {})", print::sort(pool, pool.sort(argument)))?;
                    }
                    write!(out, ") Bool\n    {body}")?;
                }
            }
            writeln!(out, ")")?;
        }
        writeln!(out, ")")
    }

    /// Labels that avoid the names of relations.
    fn labels(&self) -> Labels {
        let taken = self.relations.values().map(|relation| relation.name.clone()).collect();
        Labels { taken: Rc::new(taken), ..Labels::default() }
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
            // The format does not allow clauses without variables.
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
        self.write_atom(&mut text, pool, names, atom).expect("writing to a string cannot fail");
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
