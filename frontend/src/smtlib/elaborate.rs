//! Elaboration of commands.

use super::interpolants::partitions;
use super::limits;
use super::logic::Logic;
use super::scope::{Macro, Meaning, Scopes, SortMeaning};
use super::sort::{index, is_predefined};
use super::theory::{self, Operator, PLAIN};
use super::{Assumption, Attribute, AttributeValue, Command, Declaration};
use encode::datatypes::Datatypes;
use grammars::smtlib::token::Word;
use grammars::smtlib::{self, CommandKind, Interner, List, Name, Node, NodeKind, Tree};
use grammars::source::{Diagnostic, SourceMap, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use terms::{Sort, Term, TermPool, print};

/// The source of the current command.
pub(super) struct Context<'a> {
    pub(super) map: &'a SourceMap,
    pub(super) names: &'a Interner,
    pub(super) tree: &'a Tree,
}

impl Context<'_> {
    /// The text of a node in the script.
    pub(super) fn written(&self, node: Node) -> String {
        self.map.text(self.tree.span(node)).into_owned()
    }

    pub(super) fn symbol(&self, node: Node) -> Name {
        match self.tree.kind(node) {
            NodeKind::Symbol(name) => name,
            kind => unreachable!("the grammar admits only a symbol here, not {kind:?}"),
        }
    }
}

/// The state of a script.
#[derive(Debug)]
pub(super) struct Elaborator {
    pub(super) scopes: Scopes,
    pub(super) logic: Logic,
    pub(super) datatypes: Datatypes,
    pub(super) accepts: Accepts,
    /// The operators by name, filled on the first lookup of a name.
    operators: Vec<Option<Option<Operator>>>,
    table: FxHashMap<&'static str, Operator>,
    /// The sizes of the array sorts encountered.
    pub(super) sort_sizes: FxHashMap<Sort, u32>,
    /// The names of bound variables in definitions, which other bound variables must avoid.
    reserved: FxHashSet<String>,
    next_suffix: u64,
    /// The number of remaining suggestions: each one scans all names.
    suggestions: u32,
    pub(super) machine: super::term::Machine,
}

/// The declarations that the reader of a script accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Accepts {
    /// Without data types.
    #[default]
    Plain,
    Datatypes,
}

/// The naming of bound variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Naming {
    /// The user's names, unless ambiguous.
    #[default]
    Kept,
    /// Unique names, for definitions, whose body is expanded within other quantifiers.
    Unique,
}

impl Elaborator {
    pub(super) fn new() -> Self {
        Elaborator {
            scopes: Scopes::default(),
            logic: Logic::ALL,
            datatypes: Datatypes::default(),
            accepts: Accepts::default(),
            operators: Vec::new(),
            table: PLAIN.iter().copied().collect(),
            sort_sizes: FxHashMap::default(),
            reserved: FxHashSet::default(),
            next_suffix: 1,
            suggestions: 20,
            machine: super::term::Machine::default(),
        }
    }

    pub(super) fn declarations(&self) -> impl Iterator<Item = Declaration> {
        self.scopes.declarations()
    }

    pub(super) fn named_terms(&self) -> impl Iterator<Item = (Name, Term)> {
        self.scopes.names().filter_map(|(name, definition)| match definition.meaning {
            Meaning::Named(term) => Some((name, term)),
            _ => None,
        })
    }

    /// Returns the operator called `name`, unless the user declared a symbol of this name.
    pub(super) fn operator(&mut self, names: &Interner, name: Name) -> Option<Operator> {
        let at = name.0 as usize;
        if at >= self.operators.len() {
            self.operators.resize(names.len(), None);
        }
        *self.operators[at].get_or_insert_with(|| self.table.get(names.text(name)).copied())
    }

    /// Elaborates a command. After an error the state is unchanged.
    pub(super) fn command(
        &mut self,
        pool: &mut TermPool,
        map: &SourceMap,
        names: &Interner,
        command: &smtlib::Command,
    ) -> Result<Command, Diagnostic> {
        let cx = Context { map, names, tree: &command.tree };
        let checkpoint = self.scopes.checkpoint();
        let result = self.dispatch(pool, &cx, command);
        if result.is_err() {
            self.scopes.roll_back(checkpoint);
        }
        result
    }

    fn dispatch(
        &mut self,
        pool: &mut TermPool,
        cx: &Context<'_>,
        command: &smtlib::Command,
    ) -> Result<Command, Diagnostic> {
        let text = |name: Name| cx.names.text(name).to_owned();
        Ok(match command.kind {
            CommandKind::SetLogic(node) => {
                let name = text(cx.symbol(node));
                self.logic = Logic::new(&name);
                Command::SetLogic(name)
            }
            CommandKind::SetOption(node) => {
                let (keyword, value) = attribute(cx, node);
                if keyword == ":global-declarations" {
                    let Some(is_on) = value.as_bool() else {
                        let message = "`:global-declarations` must be `true` or `false`";
                        return Err(Diagnostic::error(cx.tree.span(node), message));
                    };
                    self.scopes.has_global_declarations = is_on;
                }
                Command::SetOption { keyword, value }
            }
            CommandKind::SetInfo(node) => {
                let (keyword, value) = attribute(cx, node);
                Command::SetInfo { keyword, value }
            }
            CommandKind::DeclareSort { name, arity } => {
                self.check_new_sort(cx, name)?;
                let arity = match arity.map(|arity| (index(cx, arity), arity)) {
                    None => 0,
                    Some((arity, node)) => match arity? {
                        Some(arity) if arity <= limits::SORT_SIZE => arity,
                        _ => {
                            let message = "unsupported number of sort parameters";
                            return Err(Diagnostic::error(cx.tree.span(node), message));
                        }
                    },
                };
                let meaning = SortMeaning::Uninterpreted { arity };
                self.scopes.define_sort(cx.symbol(name), meaning, cx.tree.span(name));
                Command::Declared(None)
            }
            CommandKind::DefineSort { name, parameters, sort } => {
                self.check_new_sort(cx, name)?;
                let parameters: Vec<Name> =
                    cx.tree.list(parameters).iter().map(|&parameter| cx.symbol(parameter)).collect();
                let body = self.sort_steps(pool, cx, sort, &parameters)?;
                let meaning = SortMeaning::Defined { arity: parameters.len(), body: body.into() };
                self.scopes.define_sort(cx.symbol(name), meaning, cx.tree.span(name));
                Command::Declared(None)
            }
            CommandKind::DeclareDatatype { name, body } => {
                self.declare_datatype(pool, cx, name, body)?;
                Command::DeclareDatatypes
            }
            CommandKind::DeclareDatatypes { names, bodies } => {
                self.declare_datatypes(pool, cx, (names, bodies), command.span)?;
                Command::DeclareDatatypes
            }
            CommandKind::DeclareNamedDatatypes { parameters, datatypes } => {
                self.declare_named_datatypes(pool, cx, (parameters, datatypes))?;
                Command::DeclareDatatypes
            }
            CommandKind::DeclareFun { name, arguments, result } => {
                self.check_new_function(cx, name)?;
                let sorts = self.sorts(pool, cx, arguments)?;
                let result = self.sort(pool, cx, result)?;
                self.declare(pool, cx, name, &sorts, result)
            }
            CommandKind::DeclareRelation { name, arguments } => {
                self.check_new_function(cx, name)?;
                let sorts = self.sorts(pool, cx, arguments)?;
                self.declare(pool, cx, name, &sorts, Sort::Bool)
            }
            CommandKind::DeclareVariable { name, sort } => {
                self.check_new_function(cx, name)?;
                let sort = self.sort(pool, cx, sort)?;
                match self.declare(pool, cx, name, &[], sort) {
                    Command::Declared(Some(Declaration::Constant(symbol))) => {
                        Command::DeclareVariable(symbol)
                    }
                    other => unreachable!("a variable is declared as a constant, not {other:?}"),
                }
            }
            CommandKind::DefineFun { name, parameters, result, body } => {
                self.check_new_function(cx, name)?;
                let meaning = self.definition(pool, cx, cx.tree.list(parameters), result, body)?;
                let term = match meaning {
                    Meaning::Term(term) => Some(term),
                    _ => None,
                };
                self.scopes.define(cx.symbol(name), meaning, cx.tree.span(name));
                let mut annotations = Vec::new();
                let mut inner = body;
                // Annotations of annotations annotate the same term.
                while let NodeKind::Annotated { term, attributes } = cx.tree.kind(inner) {
                    annotations.extend(cx.tree.list(attributes).iter().map(|&node| {
                        let (keyword, value) = attribute(cx, node);
                        Attribute { keyword, value, span: cx.tree.span(node) }
                    }));
                    inner = term;
                }
                match term {
                    Some(term) if !annotations.is_empty() => {
                        Command::Defined { term, attributes: annotations }
                    }
                    _ => Command::Declared(None),
                }
            }
            CommandKind::Assert(node) => {
                let formula = self.boolean(pool, cx, node)?;
                let name = self.assertion_name(cx, node);
                if let Some(name) = name {
                    self.scopes.assert(name);
                }
                Command::Assert { formula, name: name.map(text), span: cx.tree.span(node) }
            }
            CommandKind::Rule { formula, name } => {
                let term = self.boolean(pool, cx, formula)?;
                let name = name.map(|name| cx.symbol(name)).or_else(|| self.assertion_name(cx, formula));
                Command::Rule { formula: term, name: name.map(text), span: cx.tree.span(formula) }
            }
            CommandKind::Query { formula, .. } => {
                Command::Query { formula: self.boolean(pool, cx, formula)?, span: cx.tree.span(formula) }
            }
            CommandKind::CheckSat => Command::CheckSat,
            CommandKind::CheckSatAssuming(literals) => {
                let mut assumptions = Vec::with_capacity(literals.len());
                for &node in cx.tree.list(literals) {
                    assumptions
                        .push(Assumption { literal: self.boolean(pool, cx, node)?, text: cx.written(node) });
                }
                Command::CheckSatAssuming(assumptions)
            }
            CommandKind::Push(count) => {
                let number = levels(cx, count)?;
                let free = limits::SCOPES.saturating_sub(self.scopes.depth());
                match number.filter(|&number| number as usize <= free) {
                    Some(number) => {
                        self.scopes.push(number as usize);
                        Command::Push(number)
                    }
                    None => {
                        let message = format!("more than {} open scopes are not supported", limits::SCOPES);
                        return Err(Diagnostic::error(command.span, message));
                    }
                }
            }
            CommandKind::Pop(count) => {
                let number = levels(cx, count)?;
                let depth = self.scopes.depth();
                match number.filter(|&number| number as usize <= depth) {
                    Some(number) => {
                        self.scopes.pop(number as usize);
                        Command::Pop(number)
                    }
                    None => {
                        let message = match depth {
                            0 => "there is no open scope to pop".to_owned(),
                            1 => "there is only one open scope to pop".to_owned(),
                            _ => format!("there are only {depth} open scopes to pop"),
                        };
                        return Err(Diagnostic::error(command.span, message));
                    }
                }
            }
            CommandKind::GetModel => Command::GetModel,
            CommandKind::GetValue(terms) => {
                let mut values = Vec::with_capacity(terms.len());
                for &node in cx.tree.list(terms) {
                    values.push((self.term(pool, cx, node, Naming::Kept)?, cx.written(node)));
                }
                Command::GetValue(values)
            }
            CommandKind::GetAssertions => Command::GetAssertions,
            CommandKind::GetAssignment => Command::GetAssignment,
            CommandKind::GetUnsatCore => Command::GetUnsatCore,
            CommandKind::GetUnsatAssumptions => Command::GetUnsatAssumptions,
            CommandKind::GetInterpolants(nodes) => {
                Command::GetInterpolants(partitions(cx, &self.scopes, cx.tree.list(nodes), command.span)?)
            }
            CommandKind::GetProof => Command::Unsupported { what: "get-proof".to_owned() },
            CommandKind::GetInfo(keyword) => Command::GetInfo(text(keyword)),
            CommandKind::GetOption(keyword) => Command::GetOption(text(keyword)),
            CommandKind::Echo(string) => Command::Echo(text(string)),
            CommandKind::Reset => {
                self.scopes = Scopes::default();
                self.logic = Logic::ALL;
                Command::Reset
            }
            CommandKind::ResetAssertions => {
                self.scopes.reset_assertions();
                Command::ResetAssertions
            }
            CommandKind::Exit => Command::Exit,
            CommandKind::Skipped(word) => return Err(skipped(command.span, word)),
            CommandKind::Unknown(node) => {
                let name = cx.names.text(cx.symbol(node));
                let error = Diagnostic::error(cx.tree.span(node), format!("unknown command `{name}`"));
                let commands = Word::ALL.iter().filter(|word| word.is_command()).map(|word| word.text());
                return Err(self.suggest(error, name, commands));
            }
        })
    }

    fn sorts(&mut self, pool: &mut TermPool, cx: &Context<'_>, nodes: List) -> Result<Vec<Sort>, Diagnostic> {
        cx.tree.list(nodes).iter().map(|&node| self.sort(pool, cx, node)).collect()
    }

    /// Declares a constant, or a function if there are arguments. The name is free.
    fn declare(
        &mut self,
        pool: &mut TermPool,
        cx: &Context<'_>,
        name: Node,
        arguments: &[Sort],
        result: Sort,
    ) -> Command {
        let text = cx.names.text(cx.symbol(name));
        let (declaration, meaning) = if arguments.is_empty() {
            let symbol = pool.symbol(text, result);
            (Declaration::Constant(symbol), Meaning::Constant(symbol))
        } else {
            let function = pool.function_symbol(text, arguments, result);
            (Declaration::Function(function), Meaning::Function(function))
        };
        self.scopes.define(cx.symbol(name), meaning, cx.tree.span(name));
        Command::Declared(Some(declaration))
    }

    /// Elaborates a term that must be Boolean.
    fn boolean(&mut self, pool: &mut TermPool, cx: &Context<'_>, node: Node) -> Result<Term, Diagnostic> {
        let term = self.term(pool, cx, node, Naming::Kept)?;
        match pool.sort(term) {
            Sort::Bool => Ok(term),
            sort => {
                let found = print::sort(pool, sort);
                Err(Diagnostic::error(
                    cx.tree.span(node),
                    format!("expected a term of sort Bool, found sort {found}"),
                ))
            }
        }
    }

    /// The name of the whole term at `node`.
    fn assertion_name(&self, cx: &Context<'_>, node: Node) -> Option<Name> {
        let NodeKind::Annotated { attributes, .. } = cx.tree.kind(node) else { return None };
        cx.tree.list(attributes).iter().find_map(|&attribute| named(cx, attribute).ok().flatten())
    }

    fn definition(
        &mut self,
        pool: &mut TermPool,
        cx: &Context<'_>,
        variables: &[Node],
        result: Node,
        body: Node,
    ) -> Result<Meaning, Diagnostic> {
        let mut parameters = Vec::with_capacity(variables.len());
        let mut seen = FxHashMap::default();
        for &variable in variables {
            let NodeKind::Variable { name, sort } = cx.tree.kind(variable) else {
                unreachable!("the grammar admits only variables here")
            };
            if let Some(before) = seen.insert(name, cx.tree.span(variable)) {
                let message = format!("duplicate parameter `{}`", cx.names.text(name));
                return Err(Diagnostic::error(cx.tree.span(variable), message)
                    .with_secondary(before, "first declared here"));
            }
            let sort = self.sort(pool, cx, sort)?;
            let parameter = self.unique_variable(pool, cx.names.text(name), sort);
            parameters.push((name, parameter));
        }
        let result_sort = self.sort(pool, cx, result)?;
        for &(name, parameter) in &parameters {
            self.scopes.bind(name, parameter);
        }
        let naming = if parameters.is_empty() { Naming::Kept } else { Naming::Unique };
        let term = self.term(pool, cx, body, naming);
        self.scopes.unbind(0);
        let term = term?;
        let Some(term) = coerce(pool, term, result_sort) else {
            let (expected, found) = (print::sort(pool, result_sort), print::sort(pool, pool.sort(term)));
            let message = format!("the body should be of sort {expected} but is of sort {found}");
            return Err(Diagnostic::error(cx.tree.span(body), message)
                .with_secondary(cx.tree.span(result), "the sort of the result"));
        };
        if parameters.is_empty() {
            return Ok(Meaning::Term(term));
        }
        let parameters = parameters.into_iter().map(|(_, parameter)| parameter).collect();
        Ok(Meaning::Macro(Rc::new(Macro { parameters, body: term })))
    }

    /// Makes a bound variable with a unique name.
    pub(super) fn unique_variable(&mut self, pool: &mut TermPool, name: &str, sort: Sort) -> Term {
        loop {
            let unique = format!("{name}!{}", self.next_suffix);
            self.next_suffix += 1;
            if self.reserved.insert(unique.clone()) {
                return pool.bound(&unique, sort);
            }
        }
    }

    /// Whether the name is reserved for [`unique_variable`](Self::unique_variable).
    pub(super) fn is_reserved(&self, name: &str) -> bool {
        !self.reserved.is_empty() && self.reserved.contains(name)
    }

    /// Checks that a function name is free. `node` is the name in a declaration.
    pub(super) fn check_new_function(&mut self, cx: &Context<'_>, node: Node) -> Result<(), Diagnostic> {
        self.check_new_name(cx, cx.symbol(node), cx.tree.span(node))
    }

    /// Checks that a function name, which is declared at `span`, is free.
    pub(super) fn check_new_name(
        &mut self,
        cx: &Context<'_>,
        name: Name,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let text = cx.names.text(name);
        if let Some(before) = self.scopes.function(name) {
            return Err(Diagnostic::error(span, format!("`{text}` is declared twice"))
                .with_secondary(before.span, "the first declaration"));
        }
        if let Some(operator) = self.operator(cx.names, name)
            && let Some(theory) = theory::theory(operator, self.logic)
        {
            let message = format!("`{text}` is a symbol of the theory {theory} and cannot be declared");
            return Err(Diagnostic::error(span, message));
        }
        Ok(())
    }

    pub(super) fn check_new_sort(&self, cx: &Context<'_>, node: Node) -> Result<(), Diagnostic> {
        let (name, span) = (cx.symbol(node), cx.tree.span(node));
        let text = cx.names.text(name);
        if let Some(before) = self.scopes.sort(name) {
            return Err(Diagnostic::error(span, format!("the sort `{text}` is declared twice"))
                .with_secondary(before.span, "the first declaration"));
        }
        if is_predefined(text) {
            return Err(Diagnostic::error(span, format!("the sort `{text}` is predefined by a theory")));
        }
        Ok(())
    }

    /// Adds a candidate similar to `text` to the error.
    pub(super) fn suggest<'t>(
        &mut self,
        error: Diagnostic,
        text: &str,
        candidates: impl Iterator<Item = &'t str>,
    ) -> Diagnostic {
        if self.suggestions == 0 || text.len() > 40 {
            return error;
        }
        self.suggestions -= 1;
        let limit = if text.len() <= 2 { 1 } else { 2 };
        let best = candidates
            .filter(|candidate| candidate.len().abs_diff(text.len()) <= limit && *candidate != text)
            .map(|candidate| (distance(text, candidate), candidate))
            .filter(|&(distance, candidate)| distance <= limit && distance < candidate.len())
            .min();
        match best {
            Some((_, name)) => error.with_help(format!("did you mean `{name}`?")),
            None => error,
        }
    }
}

/// Converts `term` to a sort: an integer is coerced to Real. Returns `None` if the sorts differ
/// otherwise.
pub(super) fn coerce(pool: &mut TermPool, term: Term, sort: Sort) -> Option<Term> {
    match (pool.sort(term), sort) {
        (found, expected) if found == expected => Some(term),
        (Sort::Int, Sort::Real) => Some(pool.to_real(term)),
        _ => None,
    }
}

/// The name given by an attribute if it is `:named`.
pub(super) fn named(cx: &Context<'_>, attribute: Node) -> Result<Option<Name>, Diagnostic> {
    let NodeKind::Attribute { keyword, value } = cx.tree.kind(attribute) else { return Ok(None) };
    if cx.names.text(keyword) != ":named" {
        return Ok(None);
    }
    match value.map(|value| cx.tree.kind(value)) {
        Some(NodeKind::Symbol(name)) => Ok(Some(name)),
        _ => Err(Diagnostic::error(cx.tree.span(attribute), "`:named` requires a symbol")),
    }
}

fn attribute(cx: &Context<'_>, node: Node) -> (String, AttributeValue) {
    let NodeKind::Attribute { keyword, value } = cx.tree.kind(node) else {
        unreachable!("the grammar admits only attributes here")
    };
    let text = |name| cx.names.text(name).to_owned();
    let value = match value.map(|value| (cx.tree.kind(value), value)) {
        None => AttributeValue::None,
        Some((NodeKind::Numeral(name), _)) => AttributeValue::Numeral(text(name)),
        Some((NodeKind::Decimal(name) | NodeKind::Hexadecimal(name) | NodeKind::Binary(name), _)) => {
            AttributeValue::Number(text(name))
        }
        Some((NodeKind::String(name), _)) => AttributeValue::String(text(name)),
        Some((NodeKind::Symbol(name), _)) => AttributeValue::Symbol(text(name)),
        Some((_, node)) => AttributeValue::Expression(cx.written(node)),
    };
    (text(keyword), value)
}

/// The argument of `push` and `pop`; the default is 1.
fn levels(cx: &Context<'_>, count: Option<Node>) -> Result<Option<u32>, Diagnostic> {
    count.map_or(Ok(Some(1)), |count| index(cx, count))
}

fn skipped(span: Span, word: Word) -> Diagnostic {
    let what = match word {
        Word::DefineFunRec | Word::DefineFunsRec => "recursive definitions are",
        _ => "sort parameters are",
    };
    Diagnostic::error(span, format!("{what} not supported"))
}

/// The edit distance of two words.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
