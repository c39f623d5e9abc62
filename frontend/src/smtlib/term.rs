//! Terms.
//!
//! # Method
//! A machine with two stacks elaborates terms: a stack of tasks and a stack of finished terms.
//! Entering a node either creates its term immediately or schedules its parts, followed by a task
//! that combines them. So the depth of a term uses heap memory instead of the call stack, and each
//! node is entered once.
//!
//! # Bound variables
//! A bound variable of the pool consists of its name and sort. It keeps the user's name unless an
//! enclosing binder already uses it, because the value of a `let` may refer to the outer variable.
//! In definitions all bound variables get unique names, so that expanding a definition captures no
//! variable of an argument.

use super::apply::Application;
use super::elaborate::{Context, Elaborator, Naming, coerce, named};
use super::literal;
use super::logic::Logic;
use super::scope::{Macro, Meaning};
use super::theory::{self, INDEXED, Operator, PLAIN};
use grammars::smtlib::{List, Name, Node, NodeKind};
use grammars::source::{Diagnostic, Span};
use num_bigint::BigInt;
use num_rational::BigRational;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use terms::{FunctionSymbol, Sort, Term, TermPool, print};

/// Lists up to this length are compared pairwise.
const FEW: usize = 8;

/// The head of an application.
#[derive(Clone, Debug)]
enum Head {
    Operator(Operator),
    Function(FunctionSymbol),
    Macro(Rc<Macro>),
    /// The constant array of this sort.
    ConstantArray(Sort),
}

#[derive(Debug)]
enum Task {
    Enter(Node),
    /// Enters the arguments of an [`NodeKind::Apply`] from number `next` on, then applies the head
    /// to their terms.
    Apply {
        node: Node,
        head: Head,
        arguments: List,
        next: usize,
    },
    /// Binds the variables of a [`NodeKind::Let`] to their values and enters its body.
    Bind(Node),
    /// Leaves the body of a `let` and restores the given number of local variables.
    Unbind(usize),
    /// Leaves the body of a quantifier and restores the given numbers of local and of bound
    /// variables.
    Quantify(Node, usize, usize),
    /// Enters the cases of a [`NodeKind::Match`], whose subject is on the stack.
    Cases(Node),
    /// Binds the pattern of a [`NodeKind::Case`] to the subject and enters its body.
    Case(Node, Term),
    /// Combines the terms of the cases of a [`NodeKind::Match`].
    Combine(Node, Term),
    /// Names the term of a [`NodeKind::Annotated`].
    Annotate(Node),
    /// Checks the term against the sort of a [`NodeKind::As`].
    Check(Node, Sort),
}

/// The stacks, reused between terms.
#[derive(Debug, Default)]
pub(super) struct Machine {
    work: Vec<Task>,
    terms: Vec<Term>,
    /// The bound variables of the enclosing quantifiers, innermost last, and the same as a set.
    variables: Vec<Term>,
    live: FxHashSet<Term>,
    naming: Naming,
}

impl Elaborator {
    /// Elaborates the term at `node`.
    pub(super) fn term(
        &mut self,
        pool: &mut TermPool,
        cx: &Context<'_>,
        node: Node,
        naming: Naming,
    ) -> Result<Term, Diagnostic> {
        self.machine.naming = naming;
        if let Err(error) = self.run(pool, cx, node) {
            self.machine.work.clear();
            self.machine.terms.clear();
            self.machine.variables.clear();
            self.machine.live.clear();
            return Err(error);
        }
        Ok(self.machine.terms.pop().expect("the term of the node is on the stack"))
    }

    fn run(&mut self, pool: &mut TermPool, cx: &Context<'_>, node: Node) -> Result<(), Diagnostic> {
        self.enter(pool, cx, node)?;
        while let Some(task) = self.machine.work.last_mut() {
            let Task::Apply { node, arguments, next, .. } = task else {
                let task = self.machine.work.pop().expect("the stack has a task");
                self.step(pool, cx, &task)?;
                continue;
            };
            // Local variables and numbers, the most frequent arguments, need no task.
            let mut others = cx.tree.list(*arguments)[*next..].iter();
            let terms = &mut self.machine.terms;
            let compound = others.by_ref().find(|&&argument| match cx.tree.kind(argument) {
                NodeKind::Symbol(name) => match self.scopes.local(name) {
                    Some(term) => {
                        terms.push(term);
                        false
                    }
                    None => true,
                },
                NodeKind::Number(value) => {
                    terms.push(number(pool, self.logic, value));
                    false
                }
                _ => true,
            });
            *next = arguments.len() - others.len();
            match compound {
                Some(&argument) => self.enter(pool, cx, argument)?,
                None => {
                    let (node, first) = (*node, terms.len() - arguments.len());
                    let Some(Task::Apply { head, .. }) = self.machine.work.pop() else {
                        unreachable!("the task is the last one")
                    };
                    let mut terms = std::mem::take(&mut self.machine.terms);
                    let result = self.apply(pool, cx, node, &head, &mut terms[first..]);
                    terms.truncate(first);
                    self.machine.terms = terms;
                    self.machine.terms.push(result?);
                }
            }
        }
        Ok(())
    }

    fn step(&mut self, pool: &mut TermPool, cx: &Context<'_>, task: &Task) -> Result<(), Diagnostic> {
        match *task {
            Task::Enter(node) => return self.enter(pool, cx, node),
            Task::Apply { .. } => unreachable!("applications are not steps"),
            Task::Bind(node) => {
                let NodeKind::Let { bindings, body } = cx.tree.kind(node) else {
                    unreachable!("only lets are scheduled")
                };
                let before = self.scopes.bound();
                let first = self.machine.terms.len() - bindings.len();
                for (&binding, term) in cx.tree.list(bindings).iter().zip(self.machine.terms.drain(first..)) {
                    let NodeKind::Binding { name, .. } = cx.tree.kind(binding) else {
                        unreachable!("the grammar admits only bindings here")
                    };
                    self.scopes.bind(name, term);
                }
                self.machine.work.push(Task::Unbind(before));
                self.machine.work.push(Task::Enter(body));
            }
            Task::Unbind(left) => self.scopes.unbind(left),
            Task::Quantify(node, locals, variables) => {
                self.scopes.unbind(locals);
                let body = self.machine.terms.pop().expect("the term of the body is on the stack");
                let (span, is_universal) = match cx.tree.kind(node) {
                    NodeKind::Forall { body, .. } => (cx.tree.span(body), true),
                    NodeKind::Exists { body, .. } => (cx.tree.span(body), false),
                    _ => unreachable!("only quantifiers are scheduled"),
                };
                if pool.sort(body) != Sort::Bool {
                    let found = print::sort(pool, pool.sort(body));
                    let message =
                        format!("the body of a quantifier should be of sort Bool but is of sort {found}");
                    return Err(Diagnostic::error(span, message));
                }
                let bound = &self.machine.variables[variables..];
                let term = if is_universal { pool.forall(bound, body) } else { pool.exists(bound, body) };
                for variable in self.machine.variables.drain(variables..) {
                    self.machine.live.remove(&variable);
                }
                self.machine.terms.push(term);
            }
            Task::Cases(node) => {
                let NodeKind::Match { cases, .. } = cx.tree.kind(node) else {
                    unreachable!("only matches are scheduled")
                };
                let subject = self.machine.terms.pop().expect("the subject is on the stack");
                self.machine.work.push(Task::Combine(node, subject));
                let cases = cx.tree.list(cases).iter().rev();
                self.machine.work.extend(cases.map(|&case| Task::Case(case, subject)));
            }
            Task::Case(node, subject) => {
                let NodeKind::Case { body, .. } = cx.tree.kind(node) else {
                    unreachable!("only cases are scheduled")
                };
                let before = self.scopes.bound();
                self.bind_pattern(pool, cx, node, subject)?;
                self.machine.work.push(Task::Unbind(before));
                self.machine.work.push(Task::Enter(body));
            }
            Task::Combine(node, subject) => {
                let NodeKind::Match { cases, .. } = cx.tree.kind(node) else {
                    unreachable!("only matches are scheduled")
                };
                let first = self.machine.terms.len() - cases.len();
                let values = self.machine.terms.split_off(first);
                let term = self.combine_cases(pool, cx, (node, cases), subject, &values)?;
                self.machine.terms.push(term);
            }
            Task::Annotate(node) => self.annotate(cx, node)?,
            Task::Check(node, sort) => {
                let term = self.machine.terms.pop().expect("the term of the identifier is on the stack");
                let Some(term) = coerce(pool, term, sort) else {
                    let (expected, found) = (print::sort(pool, sort), print::sort(pool, pool.sort(term)));
                    let message = format!("this is of sort {found}, not {expected}");
                    return Err(Diagnostic::error(cx.tree.span(node), message));
                };
                self.machine.terms.push(term);
            }
        }
        Ok(())
    }

    fn enter(&mut self, pool: &mut TermPool, cx: &Context<'_>, node: Node) -> Result<(), Diagnostic> {
        let span = cx.tree.span(node);
        match cx.tree.kind(node) {
            NodeKind::Symbol(name) => {
                let term = match self.scopes.local(name) {
                    Some(term) => term,
                    None => self.constant(pool, cx, name, span)?,
                };
                self.machine.terms.push(term);
            }
            NodeKind::Number(value) => {
                let term = number(pool, self.logic, value);
                self.machine.terms.push(term);
            }
            NodeKind::Numeral(name) => {
                let value = BigInt::from(literal::natural(cx.names.text(name), span)?);
                let term = match self.logic.has_real_numerals() {
                    true => pool.real(&BigRational::from_integer(value)),
                    false => pool.int_big(&value),
                };
                self.machine.terms.push(term);
            }
            NodeKind::Decimal(name) => {
                let value = literal::decimal(cx.names.text(name), span)?;
                let term = pool.real(&value);
                self.machine.terms.push(term);
            }
            NodeKind::Hexadecimal(name) | NodeKind::Binary(name) => {
                let value = literal::bit_vector(cx.names.text(name), span)?;
                let term = pool.bit_vector(&value);
                self.machine.terms.push(term);
            }
            NodeKind::String(_) => return Err(Diagnostic::error(span, "strings are not supported")),
            NodeKind::Indexed { .. } => {
                let Some(Head::Operator(operator)) = self.indexed(cx, node)? else {
                    return Err(self.unknown_indexed(cx, node));
                };
                let term = Application::new(cx, node, &[]).build(pool, operator, &mut [])?;
                self.machine.terms.push(term);
            }
            NodeKind::As { identifier, sort } => {
                let sort = self.sort(pool, cx, sort)?;
                self.machine.work.push(Task::Check(node, sort));
                self.machine.work.push(Task::Enter(identifier));
            }
            NodeKind::Apply { head, arguments } => {
                let head = self.head(pool, cx, node, head)?;
                self.machine.work.push(Task::Apply { node, head, arguments, next: 0 });
            }
            NodeKind::Let { bindings, .. } => {
                let bindings = cx.tree.list(bindings);
                self.check_distinct(cx, bindings)?;
                self.machine.work.push(Task::Bind(node));
                for &binding in bindings.iter().rev() {
                    let NodeKind::Binding { value, .. } = cx.tree.kind(binding) else {
                        unreachable!("the grammar admits only bindings here")
                    };
                    self.machine.work.push(Task::Enter(value));
                }
            }
            NodeKind::Forall { variables, body } | NodeKind::Exists { variables, body } => {
                let variables = cx.tree.list(variables);
                self.check_distinct(cx, variables)?;
                let (locals, outer) = (self.scopes.bound(), self.machine.variables.len());
                for &variable in variables {
                    let NodeKind::Variable { name, sort } = cx.tree.kind(variable) else {
                        unreachable!("the grammar admits only variables here")
                    };
                    let sort = self.sort(pool, cx, sort)?;
                    let term = self.variable(pool, cx.names.text(name), sort);
                    self.machine.variables.push(term);
                    self.machine.live.insert(term);
                    self.scopes.bind(name, term);
                }
                self.machine.work.push(Task::Quantify(node, locals, outer));
                self.machine.work.push(Task::Enter(body));
            }
            NodeKind::Match { subject, .. } => {
                self.machine.work.push(Task::Cases(node));
                self.machine.work.push(Task::Enter(subject));
            }
            NodeKind::Annotated { term, .. } => {
                self.machine.work.push(Task::Annotate(node));
                self.machine.work.push(Task::Enter(term));
            }
            kind => unreachable!("the grammar admits no {kind:?} in a term"),
        }
        Ok(())
    }

    /// Makes a bound variable that differs from those of enclosing binders.
    fn variable(&mut self, pool: &mut TermPool, name: &str, sort: Sort) -> Term {
        if self.machine.naming == Naming::Kept && !self.is_reserved(name) {
            let term = pool.bound(name, sort);
            if !self.machine.live.contains(&term) {
                return term;
            }
        }
        self.unique_variable(pool, name, sort)
    }

    /// Rejects duplicate variables in one list.
    fn check_distinct(&self, cx: &Context<'_>, nodes: &[Node]) -> Result<(), Diagnostic> {
        let name = |node: Node| match cx.tree.kind(node) {
            NodeKind::Binding { name, .. } | NodeKind::Variable { name, .. } => name,
            kind => unreachable!("the grammar admits only bindings or variables here, not {kind:?}"),
        };
        let is_new = |(at, &node): (usize, &Node)| nodes[..at].iter().all(|&other| name(other) != name(node));
        if nodes.len() <= FEW && nodes.iter().enumerate().all(is_new) {
            return Ok(());
        }
        let mut seen: FxHashMap<Name, Node> = FxHashMap::default();
        for &node in nodes {
            let name = name(node);
            if let Some(before) = seen.insert(name, node) {
                let message = format!("`{}` is bound twice in one list", cx.names.text(name));
                return Err(Diagnostic::error(cx.tree.span(node), message)
                    .with_secondary(cx.tree.span(before), "first bound here"));
            }
        }
        Ok(())
    }

    fn annotate(&mut self, cx: &Context<'_>, node: Node) -> Result<(), Diagnostic> {
        let NodeKind::Annotated { attributes, .. } = cx.tree.kind(node) else {
            unreachable!("only annotations are scheduled")
        };
        for &attribute in cx.tree.list(attributes) {
            let Some(name) = named(cx, attribute)? else { continue };
            let span = cx.tree.span(attribute);
            if self.scopes.bound() > 0
                && (!self.machine.variables.is_empty() || self.machine.naming == Naming::Unique)
            {
                return Err(Diagnostic::error(
                    span,
                    "a term in the scope of a quantifier or parameter cannot be named",
                )
                .with_help("a named term must be closed: name it outside of the binder"));
            }
            let NodeKind::Attribute { value: Some(value), .. } = cx.tree.kind(attribute) else {
                unreachable!("a name is the value of its attribute")
            };
            self.check_new_function(cx, value)?;
            let &term = self.machine.terms.last().expect("the annotated term is on the stack");
            self.scopes.define(name, Meaning::Named(term), cx.tree.span(value));
        }
        Ok(())
    }

    /// Elaborates a symbol without arguments that is not a local variable.
    fn constant(
        &mut self,
        pool: &mut TermPool,
        cx: &Context<'_>,
        name: Name,
        span: Span,
    ) -> Result<Term, Diagnostic> {
        let text = cx.names.text(name);
        match self.scopes.function(name).map(|definition| (&definition.meaning, definition.span)) {
            Some((Meaning::Constant(term) | Meaning::Term(term) | Meaning::Named(term), _)) => Ok(*term),
            Some((meaning, declared)) => {
                let arity = match meaning {
                    Meaning::Function(function) | Meaning::Operation(function) => {
                        pool.function_data(*function).1.len()
                    }
                    Meaning::Macro(definition) => definition.parameters.len(),
                    _ => unreachable!("all others are constants"),
                };
                let message = format!("`{text}` takes {}, not none", plural(arity));
                Err(Diagnostic::error(span, message).with_secondary(declared, "declared here"))
            }
            None => match self.operator(cx.names, name) {
                Some(Operator::Truth(value)) => Ok(pool.bool(value)),
                Some(Operator::Mode(mode)) => Ok(pool.rounding_mode(mode)),
                Some(_) => Err(Diagnostic::error(span, format!("`{text}` needs arguments"))),
                None => Err(self.unknown(cx, name, span)),
            },
        }
    }

    fn head(
        &mut self,
        pool: &mut TermPool,
        cx: &Context<'_>,
        node: Node,
        head: Node,
    ) -> Result<Head, Diagnostic> {
        let span = cx.tree.span(head);
        match cx.tree.kind(head) {
            NodeKind::Symbol(name) => self.function(cx, name, span),
            NodeKind::Indexed { .. } => match self.indexed(cx, head)? {
                Some(head) => Ok(head),
                None => Err(self.unknown_indexed(cx, head)),
            },
            NodeKind::As { identifier, sort } => {
                let sort = self.sort(pool, cx, sort)?;
                let NodeKind::Symbol(name) = cx.tree.kind(identifier) else {
                    let message = "an indexed identifier needs no sort";
                    return Err(Diagnostic::error(span, message));
                };
                if cx.names.text(name) == "const" && self.scopes.function(name).is_none() {
                    return match sort {
                        Sort::Array(_) => Ok(Head::ConstantArray(sort)),
                        _ => {
                            let found = print::sort(pool, sort);
                            let message =
                                format!("the sort of `const` should be an array sort but is {found}");
                            Err(Diagnostic::error(span, message))
                        }
                    };
                }
                let head = self.function(cx, name, cx.tree.span(identifier))?;
                self.machine.work.push(Task::Check(node, sort));
                Ok(head)
            }
            kind => unreachable!("the grammar admits no {kind:?} at the head of an application"),
        }
    }

    fn function(&mut self, cx: &Context<'_>, name: Name, span: Span) -> Result<Head, Diagnostic> {
        if self.scopes.local(name).is_some() {
            let text = cx.names.text(name);
            return Err(Diagnostic::error(
                span,
                format!("the variable `{text}` cannot be applied to arguments"),
            ));
        }
        match self.scopes.function(name) {
            Some(definition) => match &definition.meaning {
                Meaning::Function(function) | Meaning::Operation(function) => Ok(Head::Function(*function)),
                Meaning::Macro(definition) => Ok(Head::Macro(Rc::clone(definition))),
                _ => Err(Diagnostic::error(
                    span,
                    format!("the constant `{}` cannot be applied to arguments", cx.names.text(name)),
                )
                .with_secondary(definition.span, "declared here")),
            },
            None => match self.operator(cx.names, name) {
                Some(operator) => Ok(Head::Operator(operator)),
                None => match self.named_tester(cx, cx.names.text(name)) {
                    Some(tester) => Ok(Head::Function(tester)),
                    None => Err(self.unknown(cx, name, span)),
                },
            },
        }
    }

    fn indexed(&self, cx: &Context<'_>, node: Node) -> Result<Option<Head>, Diagnostic> {
        let NodeKind::Indexed { name, indices } = cx.tree.kind(node) else {
            unreachable!("only indexed identifiers come here")
        };
        if cx.names.text(name) == "is" {
            return Ok(Some(Head::Function(self.tester(cx, node)?)));
        }
        Ok(theory::indexed(cx, node, name, indices)?.map(Head::Operator))
    }

    fn unknown(&mut self, cx: &Context<'_>, name: Name, span: Span) -> Diagnostic {
        let text = cx.names.text(name);
        if let Some(what) = unsupported(text) {
            return Diagnostic::error(span, format!("`{text}`: {what} are not supported"));
        }
        if INDEXED.contains(&text) {
            return Diagnostic::error(span, format!("`{text}` needs indices, as in `(_ {text} …)`"));
        }
        if text == "const" {
            return Diagnostic::error(span, "`const` needs a sort, as in `((as const (Array Int Int)) 0)`");
        }
        let error = Diagnostic::error(span, format!("`{text}` is not declared"));
        let declared: Vec<Name> =
            self.scopes.local_names().chain(self.scopes.names().map(|(name, _)| name)).collect();
        let candidates =
            declared.iter().map(|&name| cx.names.text(name)).chain(PLAIN.iter().map(|&(name, _)| name));
        self.suggest(error, text, candidates)
    }

    fn unknown_indexed(&mut self, cx: &Context<'_>, node: Node) -> Diagnostic {
        let NodeKind::Indexed { name, .. } = cx.tree.kind(node) else {
            unreachable!("only indexed identifiers come here")
        };
        let (text, span) = (cx.names.text(name), cx.tree.span(node));
        if text == "char" {
            return Diagnostic::error(span, "strings are not supported");
        }
        if self.operator(cx.names, name).is_some() {
            return Diagnostic::error(span, format!("`{text}` takes no indices"));
        }
        let error = Diagnostic::error(span, format!("unknown indexed symbol `{text}`"));
        self.suggest(error, text, INDEXED.iter().copied())
    }

    fn apply(
        &mut self,
        pool: &mut TermPool,
        cx: &Context<'_>,
        node: Node,
        head: &Head,
        terms: &mut [Term],
    ) -> Result<Term, Diagnostic> {
        let NodeKind::Apply { arguments, .. } = cx.tree.kind(node) else {
            unreachable!("only applications are applied")
        };
        let application = Application::new(cx, node, cx.tree.list(arguments));
        match head {
            Head::Operator(operator) => application.build(pool, *operator, terms),
            Head::Function(function) => {
                let (_, sorts, _) = pool.function_data(*function);
                application.arity(sorts.len())?;
                for (place, term) in terms.iter_mut().enumerate() {
                    let expected = pool.function_data(*function).1[place];
                    *term = application.coerced(pool, *term, place, expected)?;
                }
                Ok(pool.apply(*function, terms))
            }
            Head::Macro(definition) => {
                application.arity(definition.parameters.len())?;
                for (place, (term, &parameter)) in terms.iter_mut().zip(&definition.parameters).enumerate() {
                    let expected = pool.sort(parameter);
                    *term = application.coerced(pool, *term, place, expected)?;
                }
                Ok(expand(pool, definition, terms))
            }
            Head::ConstantArray(sort) => {
                application.arity(1)?;
                let Sort::Array(parts) = *sort else { unreachable!("a constant array has an array sort") };
                let element = pool.array_sort_parts(parts).1;
                let value = application.coerced(pool, terms[0], 0, element)?;
                Ok(pool.const_array(*sort, value))
            }
        }
    }
}

/// The term of a numeral.
fn number(pool: &mut TermPool, logic: Logic, value: u32) -> Term {
    match logic.has_real_numerals() {
        true => pool.real(&BigRational::from_integer(BigInt::from(value))),
        false => pool.int(i64::from(value)),
    }
}

/// Expands a definition. No bound variable of its body is free in an argument.
fn expand(pool: &mut TermPool, definition: &Macro, arguments: &[Term]) -> Term {
    let images: FxHashMap<Term, Term> =
        definition.parameters.iter().copied().zip(arguments.iter().copied()).collect();
    pool.map_leaves(definition.body, &mut |_, leaf| images.get(&leaf).copied())
}

/// The unsupported theory of a symbol.
fn unsupported(text: &str) -> Option<&'static str> {
    let prefixes = [
        ("str.", "strings"),
        ("re.", "regular expressions"),
        ("seq.", "sequences"),
        ("set.", "sets"),
        ("bag.", "bags"),
        ("ff.", "finite fields"),
    ];
    prefixes.iter().find(|(prefix, _)| text.starts_with(prefix)).map(|&(_, what)| what)
}

pub(super) fn plural(count: usize) -> String {
    if count == 1 { "1 argument".to_owned() } else { format!("{count} arguments") }
}
