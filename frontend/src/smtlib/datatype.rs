//! Data types: their declarations, testers, and `match`.
//!
//! A data type is an uninterpreted sort of the pool, and [`Datatypes`] knows the meaning of its
//! constructors, selectors and testers. `match` becomes a chain of conditionals.

use super::elaborate::{Accepts, Context, Elaborator, coerce};
use super::scope::{Meaning, SortMeaning, SortStep};
use super::sort::index;
use encode::datatypes::{Constructor, Datatype, Field, Head, Unsupported};
use grammars::smtlib::token::Word;
use grammars::smtlib::{List, Name, Node, NodeKind};
use grammars::source::{Diagnostic, Span};
use rustc_hash::FxHashSet;
use terms::{FunctionSymbol, Sort, Term, TermPool, print};

/// A data type to be declared: its name and its constructors.
struct Draft<'t> {
    name: Node,
    constructors: &'t [Node],
}

impl Elaborator {
    /// `declare-datatype`
    pub(super) fn declare_datatype(
        &mut self,
        pool: &mut TermPool,
        cx: &Context<'_>,
        name: Node,
        body: Node,
    ) -> Result<(), Diagnostic> {
        let constructors = constructors(cx, body)?;
        self.declare_drafts(pool, cx, &[Draft { name, constructors }])
    }

    /// `declare-datatypes`
    pub(super) fn declare_datatypes(
        &mut self,
        pool: &mut TermPool,
        cx: &Context<'_>,
        (names, bodies): (List, List),
        span: Span,
    ) -> Result<(), Diagnostic> {
        let (names, bodies) = (cx.tree.list(names), cx.tree.list(bodies));
        if names.len() != bodies.len() {
            let message = format!("{} data types are named, but {} are defined", names.len(), bodies.len());
            return Err(Diagnostic::error(span, message));
        }
        let mut drafts = Vec::with_capacity(names.len());
        for (&name, &body) in names.iter().zip(bodies) {
            let NodeKind::SortName { name, arity } = cx.tree.kind(name) else {
                unreachable!("the grammar admits only names of sorts here")
            };
            if index(cx, arity)? != Some(0) {
                return Err(parametric(cx.tree.span(arity)));
            }
            drafts.push(Draft { name, constructors: constructors(cx, body)? });
        }
        self.declare_drafts(pool, cx, &drafts)
    }

    /// Z3's `declare-datatypes` before SMT-LIB 2.6.
    pub(super) fn declare_named_datatypes(
        &mut self,
        pool: &mut TermPool,
        cx: &Context<'_>,
        (parameters, datatypes): (List, List),
    ) -> Result<(), Diagnostic> {
        if let Some(&parameter) = cx.tree.list(parameters).first() {
            return Err(parametric(cx.tree.span(parameter)));
        }
        let drafts = cx.tree.list(datatypes).iter().map(|&datatype| {
            let NodeKind::NamedDatatype { name, constructors } = cx.tree.kind(datatype) else {
                unreachable!("the grammar admits only data types here")
            };
            Draft { name, constructors: cx.tree.list(constructors) }
        });
        let drafts: Vec<Draft<'_>> = drafts.collect();
        self.declare_drafts(pool, cx, &drafts)
    }

    fn declare_drafts(
        &mut self,
        pool: &mut TermPool,
        cx: &Context<'_>,
        drafts: &[Draft<'_>],
    ) -> Result<(), Diagnostic> {
        if self.accepts == Accepts::Plain {
            let span = cx.tree.span(drafts[0].name);
            return Err(Diagnostic::error(span, "data types are supported in files of Horn clauses only"));
        }
        // All sorts first, for fields that refer to later ones.
        let mut sorts = Vec::with_capacity(drafts.len());
        for draft in drafts {
            self.check_new_sort(cx, draft.name)?;
            if cx.names.text(cx.symbol(draft.name)).starts_with('(') {
                // Such names stand for applications of declared sorts.
                let message = "the name of a data type does not start with a parenthesis";
                return Err(Diagnostic::error(cx.tree.span(draft.name), message));
            }
            let sort = self.new_sort(pool, cx.names.text(cx.symbol(draft.name)));
            let body = [SortStep::Sort(sort)].into();
            let meaning = SortMeaning::Defined { arity: 0, body };
            self.scopes.define_sort(cx.symbol(draft.name), meaning, cx.tree.span(draft.name));
            sorts.push(sort);
        }
        let mut datatypes = Vec::with_capacity(drafts.len());
        for (draft, &sort) in drafts.iter().zip(&sorts) {
            let mut constructors = Vec::with_capacity(draft.constructors.len());
            for &node in draft.constructors {
                constructors.push(self.constructor(pool, cx, node, sort)?);
            }
            datatypes.push((sort, Datatype { constructors: constructors.into() }));
        }
        self.datatypes.declare(pool, datatypes).map_err(|(sort, reason)| {
            let at = sorts.iter().position(|&other| other == sort).expect("the sort is declared here");
            unsupported(cx.tree.span(drafts[at].name), &reason)
        })
    }

    /// A sort that no data type had before, even if its scope has ended.
    fn new_sort(&self, pool: &mut TermPool, name: &str) -> Sort {
        let mut name = name.to_owned();
        while pool.find_uninterpreted_sort(&name).is_some() {
            name.push('\'');
        }
        pool.uninterpreted_sort(&name)
    }

    fn constructor(
        &mut self,
        pool: &mut TermPool,
        cx: &Context<'_>,
        node: Node,
        sort: Sort,
    ) -> Result<Constructor, Diagnostic> {
        let NodeKind::Constructor { name, fields } = cx.tree.kind(node) else {
            unreachable!("the grammar admits only constructors here")
        };
        self.check_new_function(cx, name)?;
        let text = cx.names.text(cx.symbol(name)).to_owned();
        let mut declared = Vec::with_capacity(fields.len());
        for &field in cx.tree.list(fields) {
            let NodeKind::Variable { name: selector, sort: of } = cx.tree.kind(field) else {
                unreachable!("the grammar admits only selectors here")
            };
            let span = cx.tree.span(field);
            self.check_new_name(cx, selector, span)?;
            let of = self.sort(pool, cx, of)?;
            let name = cx.names.text(selector).to_owned();
            let function = pool.function_symbol(&name, &[sort], of);
            self.scopes.define(selector, Meaning::Operation(function), span);
            declared.push(Field { name, sort: of, selector: function });
        }
        let (head, meaning) = if declared.is_empty() {
            let symbol = pool.symbol(&text, sort);
            (Head::Constant(symbol), Meaning::Term(symbol))
        } else {
            let sorts: Vec<Sort> = declared.iter().map(|field| field.sort).collect();
            let function = pool.function_symbol(&text, &sorts, sort);
            (Head::Function(function), Meaning::Operation(function))
        };
        self.check_new_function(cx, name)?;
        self.scopes.define(cx.symbol(name), meaning, cx.tree.span(name));
        // No symbol of a script has a bar, so no declared function is the tester.
        let tester = pool.function_symbol(&format!("is |{text}|"), &[sort], Sort::Bool);
        Ok(Constructor { name: text, head, tester, fields: declared })
    }

    /// The tester `((_ is constructor) …)`.
    pub(super) fn tester(&self, cx: &Context<'_>, node: Node) -> Result<FunctionSymbol, Diagnostic> {
        let NodeKind::Indexed { indices, .. } = cx.tree.kind(node) else {
            unreachable!("only indexed identifiers come here")
        };
        let found = match *cx.tree.list(indices) {
            [constructor] => match cx.tree.kind(constructor) {
                NodeKind::Symbol(name) => self.constructor_named(name),
                _ => None,
            },
            _ => None,
        };
        found.map(|constructor| constructor.tester).ok_or_else(|| {
            Diagnostic::error(cx.tree.span(node), "the index of `is` is not a constructor of a data type")
        })
    }

    /// The tester `is-constructor` of Z3.
    pub(super) fn named_tester(&self, cx: &Context<'_>, text: &str) -> Option<FunctionSymbol> {
        let text = text.strip_prefix("is-")?;
        let name = cx.names.get(text)?;
        Some(self.constructor_named(name)?.tester)
    }

    /// The constructor of a data type in scope.
    fn constructor_named(&self, name: Name) -> Option<&Constructor> {
        let head = match self.scopes.function(name)?.meaning {
            Meaning::Term(symbol) => Head::Constant(symbol),
            Meaning::Operation(function) => Head::Function(function),
            _ => return None,
        };
        self.datatypes.constructor(head)
    }

    /// Checks that a sort of an array has components, unless its data types are being declared.
    pub(super) fn check_array(
        &mut self,
        pool: &mut TermPool,
        sort: Sort,
        span: Span,
    ) -> Result<(), Diagnostic> {
        if self.datatypes.is_empty() || !self.datatypes.concerns(pool, sort) {
            return Ok(());
        }
        self.datatypes.check(pool, sort).map_err(|reason| unsupported(span, &reason))
    }

    /// Binds the variables of the pattern of a case of `match` to the fields of the subject.
    pub(super) fn bind_pattern(
        &mut self,
        pool: &mut TermPool,
        cx: &Context<'_>,
        case: Node,
        subject: Term,
    ) -> Result<(), Diagnostic> {
        let NodeKind::Case { pattern, .. } = cx.tree.kind(case) else {
            unreachable!("the grammar admits only cases here")
        };
        match self.pattern(pool, cx, pattern, subject)? {
            Pattern::Any(name) => {
                if name != Word::Underscore.name() {
                    self.scopes.bind(name, subject);
                }
            }
            Pattern::Constructor(constructor, variables) => {
                let mut seen = Vec::new();
                let pairs = variables.iter().zip(constructor.fields);
                for (&variable, field) in pairs {
                    let name = cx.symbol(variable);
                    if name == Word::Underscore.name() {
                        continue;
                    }
                    if seen.contains(&name) {
                        let message = format!("`{}` is bound twice in one pattern", cx.names.text(name));
                        return Err(Diagnostic::error(cx.tree.span(variable), message));
                    }
                    seen.push(name);
                    let value = pool.apply(field.selector, &[subject]);
                    self.scopes.bind(name, value);
                }
            }
        }
        Ok(())
    }

    fn pattern<'t>(
        &self,
        pool: &TermPool,
        cx: &Context<'t>,
        pattern: Node,
        subject: Term,
    ) -> Result<Pattern<'t>, Diagnostic> {
        let sort = pool.sort(subject);
        let span = cx.tree.span(pattern);
        let datatype = self.datatypes.get(sort).ok_or_else(|| {
            let found = print::sort(pool, sort);
            Diagnostic::error(
                span,
                format!("the subject of `match` is of sort {found}, which is no data type"),
            )
        })?;
        let named = |name: Name| {
            let text = cx.names.text(name);
            datatype.constructors.iter().find(|constructor| constructor.name == text).cloned()
        };
        match cx.tree.kind(pattern) {
            NodeKind::Symbol(name) => match named(name) {
                None => Ok(Pattern::Any(name)),
                Some(constructor) if constructor.fields.is_empty() => {
                    Ok(Pattern::Constructor(constructor, &[]))
                }
                Some(constructor) => {
                    let message = format!("the constructor `{}` has fields", constructor.name);
                    Err(Diagnostic::error(span, message))
                }
            },
            NodeKind::Apply { head, arguments } => {
                let variables = cx.tree.list(arguments);
                match named(cx.symbol(head)) {
                    Some(constructor) if constructor.fields.len() == variables.len() => {
                        Ok(Pattern::Constructor(constructor, variables))
                    }
                    Some(constructor) => {
                        let (name, count) = (&constructor.name, constructor.fields.len());
                        let message =
                            format!("the constructor `{name}` has {count} fields, not {}", variables.len());
                        Err(Diagnostic::error(span, message))
                    }
                    None => {
                        let message = format!("this is no constructor of {}", print::sort(pool, sort));
                        Err(Diagnostic::error(cx.tree.span(head), message))
                    }
                }
            }
            kind => unreachable!("the grammar admits no {kind:?} as a pattern"),
        }
    }

    /// The conditional of a `match` whose cases have these values.
    pub(super) fn combine_cases(
        &self,
        pool: &mut TermPool,
        cx: &Context<'_>,
        (node, cases): (Node, List),
        subject: Term,
        values: &[Term],
    ) -> Result<Term, Diagnostic> {
        let mut sort = pool.sort(values[0]);
        if sort == Sort::Int && values.iter().any(|&value| pool.sort(value) == Sort::Real) {
            sort = Sort::Real;
        }
        let mut guarded: Vec<(Term, Term)> = Vec::with_capacity(values.len());
        let mut covered = FxHashSet::default();
        let mut covers_all = false;
        for (&case, &value) in cx.tree.list(cases).iter().zip(values) {
            let NodeKind::Case { pattern, body } = cx.tree.kind(case) else {
                unreachable!("the grammar admits only cases here")
            };
            let Some(value) = coerce(pool, value, sort) else {
                let (expected, found) = (print::sort(pool, sort), print::sort(pool, pool.sort(value)));
                let message = format!("this case should be of sort {expected} but is of sort {found}");
                return Err(Diagnostic::error(cx.tree.span(body), message));
            };
            let guard = match self.pattern(pool, cx, pattern, subject)? {
                Pattern::Any(_) => {
                    covers_all = true;
                    pool.tru()
                }
                Pattern::Constructor(constructor, _) => {
                    let test = pool.apply(constructor.tester, &[subject]);
                    covered.insert(constructor.name);
                    test
                }
            };
            guarded.push((guard, value));
        }
        let constructors = self.datatypes.get(pool.sort(subject)).map(|datatype| &datatype.constructors);
        let mut all = constructors.into_iter().flat_map(|constructors| constructors.iter());
        if !covers_all && let Some(missing) = all.find(|constructor| !covered.contains(&constructor.name)) {
            let message = format!("this `match` has no case for the constructor `{}`", missing.name);
            return Err(Diagnostic::error(cx.tree.span(node), message));
        }
        let (_, last) = guarded.pop().expect("a match has a case");
        Ok(guarded.into_iter().rev().fold(last, |rest, (guard, value)| pool.ite(guard, value, rest)))
    }
}

/// A pattern of `match`.
enum Pattern<'t> {
    /// A variable, or `_`.
    Any(Name),
    /// A constructor with the variables for its fields.
    Constructor(Constructor, &'t [Node]),
}

fn constructors<'t>(cx: &Context<'t>, body: Node) -> Result<&'t [Node], Diagnostic> {
    let NodeKind::Datatype { parameters, constructors } = cx.tree.kind(body) else {
        unreachable!("the grammar admits only data types here")
    };
    match cx.tree.list(parameters).first() {
        Some(&parameter) => Err(parametric(cx.tree.span(parameter))),
        None => Ok(cx.tree.list(constructors)),
    }
}

fn parametric(span: Span) -> Diagnostic {
    Diagnostic::error(span, "data types with sort parameters are not supported")
}

fn unsupported(span: Span, reason: &Unsupported) -> Diagnostic {
    Diagnostic::error(span, format!("not supported: {reason}"))
        .with_help("enumerations, and records that do not contain themselves, are supported")
}
