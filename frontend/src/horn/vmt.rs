//! Transition systems in VMT-LIB: SMT-LIB whose definitions are annotated
//! (<https://vmt-lib.fbk.eu>).
//!
//! | annotation | meaning |
//! |---|---|
//! | `(! x :next y)` | `x` is a variable of the state, `y` its next value |
//! | `(! f :init true)` | `f` holds in initial states |
//! | `(! f :trans true)` | `f` holds in every step |
//! | `(! f :invar-property n)` | a property: `f` holds in every reachable state |
//!
//! Several annotations of `:init`, or of `:trans`, are a conjunction. Other constants are inputs,
//! of the initial states or of steps and properties. An input of both is an error, since tools do
//! not agree whether it has the same value in an initial state and in the step from it. An
//! annotation `false` has no effect. Liveness properties, functions, declared sorts and data types
//! are not supported.

use super::sequent::declared_sort;
use crate::smtlib::{Attribute, AttributeValue};
use grammars::source::{Diagnostic, Span};
use horn::{Argument, Clause, Normalizer, OpenClause, RelationData, System, variable_name};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::entity::PrimaryMap;
use terms::{Op, Sort, Term, TermPool};

/// The name of the relation of states.
const STATES: &str = "state";

/// The message about terms of declared sorts and of data types.
const NO_SORTS: &str = "data types and declared sorts are not supported in a transition system";

/// The annotations of a file.
#[derive(Debug, Default)]
pub(super) struct Vmt {
    constants: FxHashMap<String, Term>,
    /// The variables with their next values.
    states: Vec<(Term, Term)>,
    known: FxHashSet<Term>,
    init: Vec<(Term, Span)>,
    trans: Vec<(Term, Span)>,
    properties: Vec<(Term, Span)>,
}

impl Vmt {
    pub(super) fn is_empty(&self) -> bool {
        self.states.is_empty() && self.init.is_empty() && self.trans.is_empty() && self.properties.is_empty()
    }

    pub(super) fn declare(&mut self, pool: &TermPool, symbol: Term) {
        self.constants.insert(variable_name(pool, symbol), symbol);
    }

    /// Adds an annotation of a term. Annotations that are not of VMT-LIB have no effect.
    pub(super) fn annotate(
        &mut self,
        pool: &TermPool,
        term: Term,
        attribute: &Attribute,
    ) -> Result<(), Diagnostic> {
        let Attribute { keyword, value, span } = attribute;
        let error = |message: String| Err(Diagnostic::error(*span, message));
        match keyword.as_str() {
            ":next" => {
                let next = match value {
                    AttributeValue::Symbol(name) => self.constants.get(name).copied(),
                    _ => None,
                };
                let Some(next) = next else {
                    return error("`:next` requires a declared constant".to_owned());
                };
                if !matches!(pool.op(term), Op::Symbol(_)) {
                    return error("`:next` annotates a declared constant, not a term".to_owned());
                }
                if pool.sort(term) != pool.sort(next) {
                    return error("a variable and its next value have the same sort".to_owned());
                }
                if declared_sort(pool, pool.sort(term)) != 0 {
                    return error(NO_SORTS.to_owned());
                }
                for symbol in [term, next] {
                    if !self.known.insert(symbol) {
                        let name = variable_name(pool, symbol);
                        return error(format!("`{name}` already is a variable or a next value"));
                    }
                }
                self.states.push((term, next));
            }
            ":init" | ":trans" | ":invar-property" => {
                if value.as_bool() == Some(false) {
                    return Ok(());
                }
                if pool.sort(term) != Sort::Bool {
                    return error(format!("`{keyword}` annotates a term of sort Bool"));
                }
                if let Some(&function) = pool.free_functions_of(&[term]).first() {
                    let name = pool.function_data(function).0;
                    return error(format!("the function `{name}` is not supported in a transition system"));
                }
                let mut has_declared_sort = false;
                pool.visit(
                    &[term],
                    |_| true,
                    |term| has_declared_sort |= declared_sort(pool, pool.sort(term)) != 0,
                );
                if has_declared_sort {
                    return error(NO_SORTS.to_owned());
                }
                match keyword.as_str() {
                    ":init" => self.init.push((term, *span)),
                    ":trans" => self.trans.push((term, *span)),
                    _ => self.properties.push((term, *span)),
                }
            }
            ":live-property" | ":ltl-property" => {
                return error(format!("`{keyword}` is not supported: Horn clauses express safety"));
            }
            _ => {}
        }
        Ok(())
    }

    /// The Horn clauses with the positions of their annotations. `end` is that of the file.
    pub(super) fn finish(
        self,
        pool: &mut TermPool,
        end: Span,
    ) -> Result<(System, PrimaryMap<Clause, Span>), Diagnostic> {
        for (what, list) in [(":init", &self.init), (":trans", &self.trans)] {
            if list.is_empty() {
                return Err(Diagnostic::error(end, format!("the transition system has no `{what}`")));
            }
        }
        let nexts: FxHashSet<Term> = self.states.iter().map(|&(_, next)| next).collect();
        for (what, list) in [(":init", &self.init), (":invar-property", &self.properties)] {
            for &(term, span) in list {
                let mut symbols = pool.free_symbols(term).into_iter();
                if symbols.any(|symbol| nexts.contains(&pool.symbol_term(symbol))) {
                    return Err(Diagnostic::error(span, format!("`{what}` does not describe next values")));
                }
            }
        }
        self.check_inputs(pool)?;
        let mut system = System::default();
        let mut normalizer = Normalizer::default();
        let arguments = self.states.iter().map(|&(symbol, _)| {
            let (name, sort) = (variable_name(pool, symbol), pool.sort(symbol));
            Argument { symbol: normalizer.argument(pool, &format!("{STATES}.{name}"), sort), name }
        });
        let arguments = arguments.collect();
        let states =
            system.relations.push(RelationData { name: STATES.to_owned(), arguments, origin: String::new() });
        let (now, next): (Vec<Term>, Vec<Term>) = self.states.iter().copied().unzip();
        let mut spans = PrimaryMap::new();
        let mut add = |pool: &mut TermPool, open: &OpenClause, origin: &str, span: Span| {
            let clause = normalizer.clause(pool, &system, open, origin.to_owned());
            system.clauses.push(clause);
            spans.push(span);
        };
        let all = |list: &[(Term, Span)]| list.iter().map(|&(term, _)| term).collect::<Vec<_>>();
        let fact =
            OpenClause { body: Vec::new(), constraint: all(&self.init), head: Some((states, now.clone())) };
        add(pool, &fact, "init", self.init[0].1);
        let rule = OpenClause {
            body: vec![(states, now.clone())],
            constraint: all(&self.trans),
            head: Some((states, next)),
        };
        add(pool, &rule, "trans", self.trans[0].1);
        for (index, &(property, span)) in self.properties.iter().enumerate() {
            let violation = pool.not(property);
            let query =
                OpenClause { body: vec![(states, now.clone())], constraint: vec![violation], head: None };
            add(pool, &query, &format!("property {index}"), span);
        }
        Ok((system, spans))
    }

    /// Checks that no input of the initial states occurs in steps or properties.
    fn check_inputs(&self, pool: &mut TermPool) -> Result<(), Diagnostic> {
        let rest = self.trans.iter().chain(&self.properties).map(|&(term, _)| term);
        let elsewhere = pool.free_symbols_of(&rest.collect::<Vec<_>>());
        let elsewhere: FxHashSet<Term> =
            elsewhere.into_iter().map(|symbol| pool.symbol_term(symbol)).collect();
        for &(term, span) in &self.init {
            for symbol in pool.free_symbols(term) {
                let symbol = pool.symbol_term(symbol);
                if elsewhere.contains(&symbol) && !self.known.contains(&symbol) {
                    let name = variable_name(pool, symbol);
                    let message = format!("the input `{name}` occurs in `:init` and in steps or properties");
                    return Err(Diagnostic::error(span, message)
                        .with_help(format!("make `{name}` a variable of the state by `:next`")));
                }
            }
        }
        Ok(())
    }
}
