//! Texts for readers: symbols and subterms under names of the source.
//!
//! A reader of a script wants to see which part of a program a formula comes from. So a text may
//! give symbols other names than the pool has ([`Labels`]), name subterms ([`Definition`]) and
//! assertions, and write the bounds of an integer as one comparison. Every name is unique in the
//! text and legal in SMT-LIB: a name that is taken, reserved or defined by a theory gets a number.

use super::names::{Labels, Names};
use super::writer::Writer;
use super::{Declared, Script, quote};
use crate::{Symbol, Term, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::{self, Write};

/// A subterm with a name.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The subterm, without free bound variables.
    pub term: Term,
    /// The preferred name.
    pub name: String,
    /// The comment above the definition. It is left out where the definition before has the same.
    pub comment: String,
}

/// An assertion with a name.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// The preferred name.
    pub name: String,
    /// The asserted disjunction; `false` if empty. It is written as it stands here.
    pub disjuncts: Vec<Term>,
}

/// A script for readers.
#[derive(Clone, Debug, Default)]
pub struct Reading<'a> {
    /// The logic.
    pub logic: &'a str,
    /// Lines behind the logic.
    pub header: String,
    /// Names of symbols.
    pub labels: Labels,
    /// Named subterms, in any order. The first name of a term is used; another one is an alias.
    pub definitions: Vec<Definition>,
    /// The assertions.
    pub assertions: Vec<Assertion>,
    /// Lines behind the assertions.
    pub footer: &'a str,
}

impl Reading<'_> {
    /// Writes the script: logic, header, declarations, a `define-fun` for each definition and each
    /// other term that several commands share, `assert` commands with `:named`, footer. Linear in
    /// the number of distinct terms.
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

    /// The definitions, subterms before their superterms.
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

/// Some terms of a text for readers, with common names.
pub struct Clause<'p> {
    pool: &'p TermPool,
    names: Names,
}

impl<'p> Clause<'p> {
    /// Names for all symbols in `terms`, in order of occurrence.
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

    /// Writes one of the terms, or a part of one.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn term(&self, out: &mut dyn Write, term: Term) -> fmt::Result {
        Writer::new(self.pool, &self.names).term(out, term)
    }

    /// The texts of the conjuncts of one of the terms. Conjuncts with many common subterms are one
    /// text.
    #[must_use]
    pub fn conjuncts(&self, term: Term) -> Vec<String> {
        Writer::new(self.pool, &self.names).conjuncts(term).expect("a string takes any text")
    }
}
