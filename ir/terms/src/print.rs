//! Printer of terms, sorts and scripts as SMT-LIB 2.6 text.
//!
//! # Idea
//! The printer preserves the sharing of the term graph: a `let` binds each non-leaf term that
//! occurs more than once. Bindings that do not depend on each other share one `let` (they are
//! grouped by level), so the nesting depth of `let`s is the depth of the *sharing*. A `let` also
//! binds terms at which parentheses would nest deeper than `MAX_NESTING`, so that recursive-descent
//! parsers can read the output. Below a quantifier, terms with bound variables are bound in the
//! body; all other terms are bound outside the quantifier.
//!
//! In a script, a term that several assertions share becomes a `define-fun`. The text of m
//! assertions over one formula of n nodes therefore has size O(m + n), not O(m · n).
//!
//! # Cost
//! Linear in the number of distinct terms, times the depth of the quantifiers that share them. All
//! functions use explicit worklists instead of recursion.
//!
//! # Names
//! Symbols are quoted where necessary. If a name is declared at two sorts, or occurs both bound and
//! free, all but one of the entities get a suffix; a name that a theory defines also gets a suffix.
//! The names of `let` bindings start with a prefix that no symbol has.

mod conjunct;
mod names;
mod reading;
mod session;
mod unique;
mod writer;

pub use names::Labels;
pub use reading::{Assertion, Clause, Definition, Reading};
pub use session::Session;
pub use unique::Unique;

use super::{FunctionSymbol, Sort, Symbol, Term, TermPool};
use names::Names;
use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::Signed;
use std::borrow::Cow;
use std::fmt::{self, Write};
use writer::Writer;

/// The maximum nesting depth of parentheses in one term.
const MAX_NESTING: u32 = 200;

/// Displays a term as SMT-LIB text, with `let`s.
pub struct Display<'p> {
    pool: &'p TermPool,
    term: Term,
}

impl fmt::Display for Display<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_term(f, self.pool, self.term)
    }
}

impl TermPool {
    /// Returns an adapter that displays the term as SMT-LIB text.
    pub fn display(&self, term: Term) -> Display<'_> {
        Display { pool: self, term }
    }
}

/// Returns the term as SMT-LIB text.
pub fn term(pool: &TermPool, term: Term) -> String {
    let mut text = String::new();
    write_term(&mut text, pool, term).expect("writing to a string cannot fail");
    text
}

/// Writes the term as SMT-LIB text.
pub fn write_term(out: &mut dyn Write, pool: &TermPool, term: Term) -> fmt::Result {
    let names = Names::new(pool, &[term]);
    Writer::new(pool, &names).term(out, term)
}

/// Returns the sort as SMT-LIB text.
pub fn sort(pool: &TermPool, sort: Sort) -> String {
    let mut text = String::new();
    write_sort(&mut text, pool, sort).expect("writing to a string cannot fail");
    text
}

/// Writes the sort as SMT-LIB text.
pub fn write_sort(out: &mut dyn Write, pool: &TermPool, sort: Sort) -> fmt::Result {
    match sort {
        Sort::Bool => out.write_str("Bool"),
        Sort::Int => out.write_str("Int"),
        Sort::Real => out.write_str("Real"),
        Sort::BitVec(width) => write!(out, "(_ BitVec {width})"),
        Sort::Float(exponent, significand) => write!(out, "(_ FloatingPoint {exponent} {significand})"),
        Sort::RoundingMode => out.write_str("RoundingMode"),
        Sort::Array(parts) => {
            let (index, element) = pool.array_sort_parts(parts);
            out.write_str("(Array ")?;
            write_sort(out, pool, index)?;
            out.write_str(" ")?;
            write_sort(out, pool, element)?;
            out.write_str(")")
        }
        Sort::Uninterpreted(id) => out.write_str(&quote(pool.uninterpreted_sort_name(id))),
    }
}

/// Whether `name` is a reserved word of SMT-LIB; command names are reserved.
fn is_reserved(name: &str) -> bool {
    matches!(
        name,
        "BINARY"
            | "DECIMAL"
            | "HEXADECIMAL"
            | "NUMERAL"
            | "STRING"
            | "_"
            | "!"
            | "as"
            | "let"
            | "exists"
            | "forall"
            | "match"
            | "par"
            | "true"
            | "false"
            | "assert"
            | "check-sat"
            | "check-sat-assuming"
            | "declare-const"
            | "declare-datatype"
            | "declare-datatypes"
            | "declare-fun"
            | "declare-sort"
            | "define-fun"
            | "define-fun-rec"
            | "define-funs-rec"
            | "define-sort"
            | "echo"
            | "exit"
            | "get-assertions"
            | "get-assignment"
            | "get-info"
            | "get-model"
            | "get-option"
            | "get-proof"
            | "get-unsat-assumptions"
            | "get-unsat-core"
            | "get-value"
            | "pop"
            | "push"
            | "reset"
            | "reset-assertions"
            | "set-info"
            | "set-logic"
            | "set-option"
    )
}

/// Returns the symbol `name` as SMT-LIB text, quoted with bars unless it is a simple symbol. Bars
/// and backslashes, which no symbol may contain, become underscores.
pub fn quote(name: &str) -> Cow<'_, str> {
    let is_simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let starts_simple = !name.starts_with(|c: char| c.is_ascii_digit());
    if !name.is_empty() && starts_simple && name.chars().all(is_simple) && !is_reserved(name) {
        return Cow::Borrowed(name);
    }
    Cow::Owned(format!("|{}|", name.replace(['|', '\\'], "_")))
}

/// Writes a real as SMT-LIB text: `5.0`, `(/ 1.0 3.0)`, `(- 2.0)`.
pub fn real(out: &mut impl Write, value: &BigRational) -> fmt::Result {
    let magnitude = value.abs();
    if value.is_negative() {
        out.write_str("(- ")?;
    }
    if magnitude.is_integer() {
        write!(out, "{}.0", magnitude.numer())?;
    } else {
        write!(out, "(/ {}.0 {}.0)", magnitude.numer(), magnitude.denom())?;
    }
    if value.is_negative() { out.write_str(")") } else { Ok(()) }
}

/// Writes a floating-point number as SMT-LIB text: sign, exponent and significand as bit vectors.
pub fn float(out: &mut impl Write, exponent: u16, significand: u16, bits: &BigUint) -> fmt::Result {
    let width = usize::from(exponent) + usize::from(significand);
    let digits = format!("{:0>width$}", bits.to_str_radix(2));
    let (sign, rest) = digits.split_at(1);
    let (exponent, significand) = rest.split_at(usize::from(exponent));
    write!(out, "(fp #b{sign} #b{exponent} #b{significand})")
}

/// A complete SMT-LIB script.
#[derive(Clone, Debug, Default)]
pub struct Script<'a> {
    /// The logic; `None` omits `set-logic`.
    pub logic: Option<&'a str>,
    /// Lines before the declarations, such as `set-option` and comments.
    pub header: &'a str,
    /// The assertions.
    pub assertions: &'a [Term],
    /// Lines after the assertions, such as `(check-sat)`.
    pub footer: &'a str,
}

impl Script<'_> {
    /// Writes the script: logic, header, declarations of all free symbols, functions and sorts,
    /// definitions of terms shared by several assertions, the assertions, footer.
    pub fn write(&self, out: &mut dyn Write, pool: &TermPool) -> fmt::Result {
        self.write_header(out)?;
        let names = Names::new(pool, self.assertions);
        names.write_declarations(out, pool)?;
        Writer::new(pool, &names).assertions(out, self.assertions)?;
        self.write_footer(out)
    }

    fn write_header(&self, out: &mut dyn Write) -> fmt::Result {
        if let Some(logic) = self.logic {
            writeln!(out, "(set-logic {logic})")?;
        }
        out.write_str(self.header)?;
        if !self.header.is_empty() && !self.header.ends_with('\n') {
            out.write_str("\n")?;
        }
        Ok(())
    }

    fn write_footer(&self, out: &mut dyn Write) -> fmt::Result {
        out.write_str(self.footer)?;
        if !self.footer.is_empty() && !self.footer.ends_with('\n') {
            out.write_str("\n")?;
        }
        Ok(())
    }
}

/// Returns the script that asserts `assertions` and checks their satisfiability.
pub fn script(pool: &TermPool, logic: Option<&str>, assertions: &[Term]) -> String {
    let mut text = String::new();
    let script = Script { logic, assertions, footer: "(check-sat)\n", ..Script::default() };
    script.write(&mut text, pool).expect("writing to a string cannot fail");
    text
}

/// Returns the declarations of the sorts, functions and symbols in `terms`, one per line, in order
/// of first occurrence.
pub fn declarations(pool: &TermPool, terms: &[Term]) -> String {
    let mut text = String::new();
    Names::new(pool, terms).write_declarations(&mut text, pool).expect("writing to a string cannot fail");
    text
}

/// A declared or bound entity: a key of the table of names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Declared {
    Symbol(Symbol),
    Function(FunctionSymbol),
    Value(Term),
    Bound(Term),
}
