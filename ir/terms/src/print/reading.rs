//! Printer of readable scripts: symbols, subterms and assertions with names of the source.
//!
//! A readable script shows which part of a program each formula encodes. It can relabel the symbols
//! of the pool ([`Labels`]) and name subterms ([`Definition`]) and assertions ([`Assertion`]). It
//! writes the lower and upper bound of an integer as one comparison. Every name is unique in the
//! text and a legal SMT-LIB symbol: a name that is in use, reserved or defined by a theory gets a
//! number as a suffix.

use super::names::{Labels, Names};
use super::writer::Writer;
use super::{Declared, Script, quote};
use crate::{Symbol, Term, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::{self, Write};

/// A named subterm.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The subterm. It has no free occurrences of bound variables.
    pub term: Term,
    /// The preferred name.
    pub name: String,
    /// The comment above the definition, omitted if the previous definition has the same comment.
    pub comment: String,
}

/// A named assertion.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// The preferred name.
    pub name: String,
    /// The disjuncts, printed in this order without simplification. An empty disjunction is
    /// `false`.
    pub disjuncts: Vec<Term>,
}

/// A readable script.
#[derive(Clone, Debug, Default)]
pub struct Reading<'a> {
    /// The logic.
    pub logic: &'a str,
    /// Lines after `set-logic`.
    pub header: String,
    /// The labels of symbols.
    pub labels: Labels,
    /// Named subterms, in any order. If a term has several definitions, the text uses the first
    /// name and defines the others as aliases.
    pub definitions: Vec<Definition>,
    /// The assertions.
    pub assertions: Vec<Assertion>,
    /// Lines after the assertions, such as `(check-sat)`.
    pub footer: &'a str,
}

impl Reading<'_> {
    /// Writes the script: logic, header, declarations, a `define-fun` for each definition and for
    /// each other term that several commands share, `assert` commands with `:named`, footer.
    ///
    /// Linear in the number of distinct terms.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn write(&self, out: &mut dyn Write, pool: &TermPool) -> fmt::Result {
        let definitions = self.ordered(pool);
        let mut terms: Vec<Term> = definitions.iter().map(|definition| definition.term).collect();
        terms.extend(self.assertions.iter().flat_map(|assertion| &assertion.disjuncts));
        let mut names = Names::labeled(pool, &terms, &self.labels);
        let mut claim = |name: &String| quote(&names.unique.claim(name)).into_owned();
        let titles: Vec<String> = definitions.iter().map(|definition| claim(&definition.name)).collect();
        let asserted: Vec<String> = self.assertions.iter().map(|assertion| claim(&assertion.name)).collect();
        let around =
            Script { logic: Some(self.logic), header: &self.header, assertions: &[], footer: self.footer };
        around.write_header(out)?;
        names.write_declarations(out, pool)?;
        let mut writer = Writer::new(pool, &names);
        writer.open(&terms);
        let titled: FxHashSet<Term> = definitions.iter().map(|definition| definition.term).collect();
        let (shared, has_shared) = writer.find_shared(&terms, &titled);
        let mut comment = "";
        for ((definition, title), has_shared) in definitions.iter().zip(titles).zip(&has_shared) {
            if definition.comment != comment {
                comment = &definition.comment;
                writeln!(out, "; {comment}")?;
            }
            if *has_shared {
                writer.define(out, definition.term, &shared)?;
            }
            writer.define_as(out, definition.term, title)?;
        }
        let mut index = definitions.len();
        for (assertion, name) in self.assertions.iter().zip(asserted) {
            for &disjunct in &assertion.disjuncts {
                if has_shared[index] {
                    writer.define(out, disjunct, &shared)?;
                }
                index += 1;
            }
            out.write_str("(assert (! ")?;
            match &assertion.disjuncts[..] {
                [] => out.write_str("false")?,
                [only] => writer.top(out, *only)?,
                several => {
                    out.write_str("(or")?;
                    for &disjunct in several {
                        out.write_str(" ")?;
                        writer.top(out, disjunct)?;
                    }
                    out.write_str(")")?;
                }
            }
            writeln!(out, " :named {name}))")?;
        }
        around.write_footer(out)
    }

    /// Returns the definitions, subterms before their superterms.
    fn ordered(&self, pool: &TermPool) -> Vec<&Definition> {
        let mut of_term: FxHashMap<Term, Vec<&Definition>> = FxHashMap::default();
        for definition in &self.definitions {
            of_term.entry(definition.term).or_default().push(definition);
        }
        let terms: Vec<Term> = self.definitions.iter().map(|definition| definition.term).collect();
        let mut ordered = Vec::with_capacity(terms.len());
        pool.visit(&terms, |_| true, |term| ordered.extend(of_term.get(&term).into_iter().flatten()));
        ordered
    }
}

/// Terms of a readable text that share a name space.
pub struct Clause<'p> {
    pool: &'p TermPool,
    names: Names,
}

impl<'p> Clause<'p> {
    /// Names all symbols in `terms`, in order of occurrence.
    #[must_use]
    pub fn new(pool: &'p TermPool, terms: &[Term], labels: &Labels) -> Self {
        Clause { pool, names: Names::labeled(pool, terms, labels) }
    }

    /// Writes the name of `symbol`, which occurs in the terms.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn symbol(&self, out: &mut dyn Write, symbol: Symbol) -> fmt::Result {
        self.names.write(out, self.pool, Declared::Symbol(symbol))
    }

    /// Writes one of the terms, or a subterm.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn term(&self, out: &mut dyn Write, term: Term) -> fmt::Result {
        Writer::new(self.pool, &self.names).term(out, term)
    }

    /// Returns the texts of the conjuncts of one of the terms. Conjuncts that share many subterms
    /// are returned as one text.
    #[must_use]
    pub fn conjuncts(&self, term: Term) -> Vec<String> {
        Writer::new(self.pool, &self.names).conjuncts(term).expect("writing to a string cannot fail")
    }
}
