//! Files of constrained Horn clauses.
//!
//! [`read`] reads an SMT-LIB script whose assertions are Horn clauses into a [`horn::System`].
//! [`Script`] parses the script and elaborates its terms. `sequent` splits each assertion into
//! clauses, and `clause` takes each clause to the conventions of [`horn`] about symbols.
//!
//! # Accepted files
//! The format of CHC-COMP, and any assertion that is equivalent to a set of Horn clauses by moving
//! and splitting connectives: nested quantifiers and implications, negated existential formulas,
//! equivalences and `ite` with atoms, atoms in `let` and in definitions, several queries, arguments
//! that are terms. Declared functions and constants of sort Bool are relations; a Boolean constant
//! is a relation without arguments. Z3's `declare-rel`, `declare-var`, `rule` and `query` may be
//! mixed with assertions. The sorts are Bool, Int, Real, bit vectors, floats, data types that are
//! enumerations or records, and arrays of them. Arguments and variables of data types become their
//! components ([`encode::datatypes`]).
//!
//! A file whose definitions have the annotations of VMT-LIB is a transition system: a relation of
//! its states, with the initial states as a fact, the steps as a rule, and the violation of each
//! invariant as a query (`vmt`).
//!
//! A file that starts with a number is a model checking problem in BTOR2 (`btor2`).
//!
//! The system is satisfiable iff the assertions before the first `check-sat` are. A `query` asserts
//! that its formula is not derivable, so Z3's answer `sat` to it means that the system is
//! *unsatisfiable* ([`Dialect`]).
//!
//! # Errors
//! An assertion that is not a set of Horn clauses is an error at its position, with the reason:
//! two atoms are derived, an existential quantifier is above a derived atom, an atom is an argument
//! of another symbol. Unsupported: other data types, declared sorts, constants and functions that
//! are not Boolean, `push` and `pop`, assertions after a `check-sat`.
//!
//! # Cost
//! Linear in the size of the file, except where clauses must be copied: a body before a conjunction
//! of heads, and a disjunction with atoms in a body, which becomes an auxiliary relation if copies
//! would be many. The copies of a file are bounded ([`limits`]). No function recurses on terms.

mod btor2;
mod clause;
mod sequent;
#[cfg(test)]
mod tests;
mod vmt;

use crate::smtlib::{AttributeValue, Command, Declaration, Script, Step};
use clause::Builder;
use encode::datatypes::Datatypes;
use grammars::source::{Diagnostic, FileId, SourceMap, Span};
use horn::{Clause, Relation, Signatures, System};
use rustc_hash::FxHashMap;
use sequent::{Defect, Splitter};
use terms::entity::PrimaryMap;
use terms::{Sort, Term, TermPool};
use vmt::Vmt;

/// Bounds on the work for a file.
pub mod limits {
    /// The number of errors after which reading stops.
    pub const ERRORS: usize = 20;
    /// The number of clauses for which the disjunctions of a body are expanded; more become
    /// auxiliary relations.
    pub const CASES: usize = 16;
    /// The conjuncts in the clauses of a file, for each byte of the file.
    pub const COPIES_PER_BYTE: u64 = 64;
    /// The conjuncts in the clauses of a small file.
    pub const COPIES: u64 = 1_000_000;
}

/// A file of Horn clauses.
#[derive(Clone, Debug)]
pub struct HornFile {
    /// The clauses, in the order of the file.
    pub system: System,
    /// The data types of the relations.
    pub signatures: Signatures,
    /// The position of the assertion of each clause.
    pub spans: PrimaryMap<Clause, Span>,
    /// The logic that the file names.
    pub logic: Option<String>,
    /// The answer that the file expects by `(set-info :status …)`, in the sense of its dialect.
    pub status: Option<Status>,
    /// The commands of the file.
    pub dialect: Dialect,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// The answer to a script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// `sat`
    Sat,
    /// `unsat`
    Unsat,
}

impl Status {
    /// The answer as a solver prints it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Status::Sat => "sat",
            Status::Unsat => "unsat",
        }
    }
}

/// The commands of a file, on which the meaning of its answer depends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// `assert` and `check-sat`: `sat` means that the clauses are satisfiable.
    #[default]
    SmtLib,
    /// Z3's `rule` and `query`: `sat` means that the query is derivable.
    Rules,
}

/// Reads a file of Horn clauses.
///
/// # Errors
/// The errors of the file, at most [`limits::ERRORS`].
///
/// ```
/// use grammars::source::SourceMap;
/// let text = b"(set-logic HORN) (declare-fun inv (Int) Bool)
///     (assert (inv 0))
///     (assert (forall ((x Int)) (=> (and (inv x) (< x 9)) (inv (+ x 1)))))
///     (assert (not (exists ((x Int)) (and (inv x) (> x 9)))))";
/// let mut map = SourceMap::new();
/// let file = map.add("a.smt2", *text).unwrap();
/// let read = frontend::horn::read(&mut terms::TermPool::new(), &map, file).unwrap();
/// assert_eq!(read.system.relations.len(), 1);
/// assert_eq!(read.system.clauses.len(), 3);
/// assert!(read.system.is_linear());
/// ```
pub fn read(pool: &mut TermPool, map: &SourceMap, file: FileId) -> Result<HornFile, Vec<Diagnostic>> {
    if btor2::is_btor2(map.bytes(file)) {
        return btor2::read(pool, map, file);
    }
    let mut reader = Reader::new(map, file);
    let mut script = Script::with_datatypes(map, file);
    let mut errors = Vec::new();
    while let Some(step) = script.next(pool) {
        match step.and_then(|step| reader.step(pool, script.datatypes(), step)) {
            Ok(Progress::Continue) => {}
            Ok(Progress::Exit) => break,
            Err(error) => errors.push(error),
        }
        if errors.len() >= limits::ERRORS {
            break;
        }
    }
    if errors.is_empty() {
        let datatypes = std::mem::take(script.datatypes());
        reader.finish(pool, datatypes).map_err(|error| vec![error])
    } else {
        Err(errors)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Progress {
    Continue,
    Exit,
}

struct Reader<'m> {
    map: &'m SourceMap,
    file: FileId,
    splitter: Splitter,
    builder: Builder,
    /// The sorts of the relations with data types.
    parameters: FxHashMap<Relation, Vec<Sort>>,
    /// The annotations of a file in VMT-LIB.
    vmt: Vmt,
    spans: PrimaryMap<Clause, Span>,
    logic: Option<String>,
    status: Option<Status>,
    dialect: Dialect,
    /// The first `check-sat`.
    checked: Option<Span>,
    /// The conjuncts that the clauses may still have.
    copies: u64,
}

impl<'m> Reader<'m> {
    fn new(map: &'m SourceMap, file: FileId) -> Self {
        let size = u64::from(map.file_span(file).len());
        Reader {
            map,
            file,
            splitter: Splitter::default(),
            builder: Builder::default(),
            parameters: FxHashMap::default(),
            vmt: Vmt::default(),
            spans: PrimaryMap::new(),
            logic: None,
            status: None,
            dialect: Dialect::default(),
            checked: None,
            copies: limits::COPIES.saturating_add(size.saturating_mul(limits::COPIES_PER_BYTE)),
        }
    }

    fn step(
        &mut self,
        pool: &mut TermPool,
        datatypes: &mut Datatypes,
        step: Step,
    ) -> Result<Progress, Diagnostic> {
        let unsupported = |what: &str| {
            Err(Diagnostic::error(step.span, format!("{what} is not supported in a file of Horn clauses")))
        };
        match step.command {
            Command::SetLogic(name) => self.logic = Some(name),
            Command::SetInfo { keyword, value } => {
                if let (":status", AttributeValue::Symbol(status)) = (keyword.as_str(), value) {
                    self.status = match status.as_str() {
                        "sat" => Some(Status::Sat),
                        "unsat" => Some(Status::Unsat),
                        _ => None,
                    };
                }
            }
            Command::Declared(declaration) => {
                if let Some(declaration) = declaration {
                    if let Declaration::Constant(symbol) = declaration {
                        self.vmt.declare(pool, symbol);
                    }
                    self.declare_flat(pool, datatypes, declaration);
                }
            }
            Command::DeclareDatatypes => {}
            Command::Defined { term, attributes } => {
                for attribute in &attributes {
                    self.vmt.annotate(pool, term, attribute)?;
                }
            }
            Command::DeclareVariable(symbol) => self.splitter.declare_variable(symbol),
            Command::Assert { formula, name, span } => {
                let formula = self.flatten(pool, datatypes, formula, span)?;
                self.assert(pool, formula, name.as_deref(), span)?;
            }
            Command::Rule { formula, name, span } => {
                self.dialect = Dialect::Rules;
                let formula = self.flatten(pool, datatypes, formula, span)?;
                self.assert(pool, formula, name.as_deref(), span)?;
            }
            Command::Query { formula, span } => {
                self.dialect = Dialect::Rules;
                let negation = pool.not(formula);
                let negation = self.flatten(pool, datatypes, negation, span)?;
                self.assert(pool, negation, None, span)?;
            }
            Command::CheckSat => {
                self.checked.get_or_insert(step.span);
            }
            Command::Exit => return Ok(Progress::Exit),
            Command::Push(_) => return unsupported("`push`"),
            Command::Pop(_) => return unsupported("`pop`"),
            Command::Reset => return unsupported("`reset`"),
            Command::ResetAssertions => return unsupported("`reset-assertions`"),
            Command::CheckSatAssuming(_) => return unsupported("`check-sat-assuming`"),
            Command::GetInterpolants(_) => return unsupported("`get-interpolants`"),
            // Commands about the answer, and unsupported ones, do not change the clauses.
            Command::SetOption { .. }
            | Command::GetModel
            | Command::GetValue(_)
            | Command::GetAssertions
            | Command::GetAssignment
            | Command::GetUnsatCore
            | Command::GetUnsatAssumptions
            | Command::GetInfo(_)
            | Command::GetOption(_)
            | Command::Echo(_)
            | Command::Unsupported { .. } => {}
        }
        Ok(Progress::Continue)
    }

    /// The formula over components of data types.
    fn flatten(
        &self,
        pool: &mut TermPool,
        datatypes: &mut Datatypes,
        formula: Term,
        span: Span,
    ) -> Result<Term, Diagnostic> {
        if datatypes.is_empty() {
            return Ok(formula);
        }
        let is_variable = |symbol| self.splitter.is_variable(symbol);
        datatypes
            .flatten(pool, formula, &is_variable)
            .map_err(|term| self.describe(pool, &Defect::Foreign(term), span))
    }

    /// Declares a relation, over components of data types.
    fn declare_flat(&mut self, pool: &mut TermPool, datatypes: &mut Datatypes, declaration: Declaration) {
        let Declaration::Function(function) = declaration else {
            self.declare(pool, declaration);
            return;
        };
        let (name, sorts, result) = pool.function_data(function);
        if result != Sort::Bool || !sorts.iter().any(|&sort| datatypes.concerns(pool, sort)) {
            self.declare(pool, declaration);
            return;
        }
        let (name, sorts) = (name.to_owned(), sorts.to_vec());
        let flat = datatypes.flat_sorts(pool, &sorts);
        let declaration = match flat.is_empty() {
            true => Declaration::Constant(pool.symbol(&name, Sort::Bool)),
            false => Declaration::Function(pool.function_symbol(&name, &flat, Sort::Bool)),
        };
        let relation = self.declare(pool, declaration);
        self.parameters.extend(relation.map(|relation| (relation, sorts)));
    }

    fn declare(&mut self, pool: &mut TermPool, declaration: Declaration) -> Option<Relation> {
        let name = self.splitter.declare(pool, declaration)?;
        Some(self.builder.relation(pool, declaration, &name))
    }

    fn assert(
        &mut self,
        pool: &mut TermPool,
        formula: Term,
        name: Option<&str>,
        span: Span,
    ) -> Result<(), Diagnostic> {
        if let Some(check) = self.checked {
            let message = "an assertion after `check-sat` is not supported in a file of Horn clauses";
            return Err(Diagnostic::error(span, message).with_secondary(check, "the clauses end here"));
        }
        let clauses = self
            .splitter
            .split(pool, formula, &mut self.copies)
            .map_err(|defect| self.describe(pool, &defect, span))?;
        let line = self.map.location(span).map_or(0, |location| location.line);
        let origin = match name {
            Some(name) => format!("{} (line {line})", name.replace(['\n', '\r'], " ")),
            None => format!("line {line}"),
        };
        for auxiliary in self.splitter.take_auxiliary() {
            self.declare(pool, auxiliary);
        }
        for clause in clauses {
            self.builder.clause(pool, clause, origin.clone());
            self.spans.push(span);
        }
        Ok(())
    }

    /// The diagnostic for an assertion that is not a set of Horn clauses.
    fn describe(&self, pool: &TermPool, defect: &Defect, span: Span) -> Diagnostic {
        let mut error = Diagnostic::error(span, defect.message(pool)).with_label("in this formula");
        for name in defect.names(pool) {
            if let Some(at) = occurrence(self.map, span, &name) {
                error = error.with_secondary(at, format!("`{name}` occurs here"));
            }
        }
        match defect.help() {
            Some(help) => error.with_help(help),
            None => error,
        }
    }

    fn finish(self, pool: &mut TermPool, datatypes: Datatypes) -> Result<HornFile, Diagnostic> {
        let Reader { vmt, builder, parameters, .. } = self;
        let end = self.map.file_span(self.file).end();
        let mut spans = self.spans;
        let (system, signatures) = match vmt.is_empty() {
            true => (builder.finish(), Signatures::new(datatypes, parameters)),
            false => {
                if let Some(&span) = spans.values().next() {
                    let message = "an assertion next to the annotations of VMT-LIB is not supported";
                    return Err(Diagnostic::error(span, message));
                }
                let (system, of) = vmt.finish(pool, end)?;
                spans = of;
                (system, Signatures::default())
            }
        };
        let mut warnings = Vec::new();
        if system.queries().next().is_none() {
            let message = "the file has no query, so its clauses are satisfiable";
            warnings.push(
                Diagnostic::warning(end, message)
                    .with_help("a query is a clause with the head `false`, such as `(=> (p x) false)`"),
            );
        }
        let Reader { logic, status, dialect, .. } = self;
        Ok(HornFile { system, signatures, spans, logic, status, dialect, warnings })
    }
}

/// The first occurrence of a symbol in the text of `span`. Comments are not skipped.
fn occurrence(map: &SourceMap, span: Span, name: &str) -> Option<Span> {
    let text = map.slice(span);
    let is_symbol = |byte: u8| byte.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&byte);
    let is_edge = |at: Option<usize>| at.and_then(|at| text.get(at)).is_none_or(|&byte| !is_symbol(byte));
    let name = name.as_bytes();
    let mut windows = text.windows(name.len().max(1)).enumerate();
    windows
        .find(|&(at, window)| window == name && is_edge(at.checked_sub(1)) && is_edge(Some(at + name.len())))
        .map(|(at, _)| Span::new(span.lo + at as u32, span.lo + (at + name.len()) as u32))
}
