//! Selection of the subterms to bind by `let`, and output of the text.

use super::conjunct::Conjunct;
use super::names::{Bounds, Names};
use super::{Declared, MAX_NESTING, quote, real, write_sort};
use crate::operators::{self, opposite_name};
use crate::scopes::OpenTerms;
use crate::{Op, Term, TermPool};
use num_bigint::BigInt;
use num_traits::Signed;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::{self, Write};

/// An item of the worklist.
enum Work {
    /// Writes a term: its name if it is bound, otherwise its operator and children.
    Use(Term),
    /// Writes a term by its operator and children, even if it is bound.
    Expand(Term),
    /// Writes `(?n `, the start of the binding of a term.
    Bind(Term),
    /// Writes the text.
    Text(&'static str),
    /// Writes an integer constant.
    Number(BigInt),
    /// Writes this number of closing parentheses.
    Close(u32),
    /// Removes the innermost scope.
    LeaveScope,
}

/// The position of a group of `let`s in a formula.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Outside all quantifiers. Binds the terms without free bound variables, including those below
    /// quantifiers.
    Top,
    /// The body of a quantifier. Binds the terms with free bound variables, except those below
    /// nested quantifiers.
    Body,
}

/// The scope of the `let`s for a conjunct.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lets {
    /// The enclosing formula binds the subterms of the conjunct.
    Around,
    /// The conjunct has its own `let`s.
    Own,
}

/// The terms to bind in a scope.
struct Plan {
    /// The number of each binding, ascending in order of definition.
    names: FxHashMap<Term, u32>,
    /// The bindings of each `let`, outermost first; bindings of one group are independent.
    groups: Vec<Vec<Term>>,
    /// All terms to bind, children before parents.
    order: Vec<Term>,
}

/// Writes terms as text, with `let`s and definitions for shared subterms.
pub(super) struct Writer<'p> {
    pool: &'p TermPool,
    names: &'p Names,
    /// The free bound variables of each term that has at least one.
    open: OpenTerms,
    /// The numbers of the terms with a `define-fun`, which is valid for the rest of the output.
    defined: FxHashMap<Term, u32>,
    /// The bindings of the current top scope, followed by those of the enclosing quantifiers.
    scopes: Vec<FxHashMap<Term, u32>>,
    work: Vec<Work>,
    next_name: u32,
    /// Explicit names, by number; other numbers are printed as `let_prefix` and the number.
    titles: FxHashMap<u32, String>,
}

impl<'p> Writer<'p> {
    pub(super) fn new(pool: &'p TermPool, names: &'p Names) -> Self {
        Writer {
            pool,
            names,
            open: OpenTerms::default(),
            defined: FxHashMap::default(),
            scopes: Vec::new(),
            work: Vec::new(),
            next_name: 1,
            titles: FxHashMap::default(),
        }
    }

    /// Writes one term with `let`s.
    pub(super) fn term(&mut self, out: &mut dyn Write, term: Term) -> fmt::Result {
        self.open = self.pool.open_terms(&[term]);
        self.top(out, term)
    }

    /// Computes the free bound variables of `terms`; required before writing their subterms.
    pub(super) fn open(&mut self, terms: &[Term]) {
        self.open = self.pool.open_terms(terms);
    }

    /// Writes `assert` commands, with a `define-fun` for each shared term.
    pub(super) fn assertions(&mut self, out: &mut dyn Write, assertions: &[Term]) -> fmt::Result {
        self.open = self.pool.open_terms(assertions);
        let (shared, has_shared) = self.find_shared(assertions, &FxHashSet::default());
        for (index, &assertion) in assertions.iter().enumerate() {
            if has_shared[index] {
                self.define(out, assertion, &shared)?;
            }
            out.write_str("(assert ")?;
            self.top(out, assertion)?;
            out.write_str(")\n")?;
        }
        Ok(())
    }

    /// Returns the terms that several assertions share, and for each assertion whether it is the
    /// first one that contains some shared term. Terms in `titled` are excluded.
    pub(super) fn find_shared(
        &self,
        assertions: &[Term],
        titled: &FxHashSet<Term>,
    ) -> (FxHashSet<Term>, Vec<bool>) {
        let pool = self.pool;
        // The first assertion that reaches a term owns it. `shared` contains the topmost terms that
        // a later assertion reaches.
        let mut owner: FxHashMap<Term, usize> = FxHashMap::default();
        let mut shared: FxHashSet<Term> = FxHashSet::default();
        let mut has_shared = vec![false; assertions.len()];
        if assertions.len() < 2 {
            return (shared, has_shared);
        }
        let mut stack: Vec<Term> = Vec::new();
        for (index, &assertion) in assertions.iter().enumerate() {
            stack.push(assertion);
            while let Some(term) = stack.pop() {
                if pool.children(term).is_empty() {
                    continue;
                }
                match owner.get(&term) {
                    None => {
                        owner.insert(term, index);
                        stack.extend_from_slice(pool.children(term));
                    }
                    Some(&first) if first != index => {
                        if titled.contains(&term) {
                            continue;
                        }
                        if self.open.contains_key(&term) {
                            stack.extend_from_slice(pool.children(term));
                        } else {
                            shared.insert(term);
                            has_shared[first] = true;
                        }
                    }
                    Some(_) => {}
                }
            }
        }
        (shared, has_shared)
    }

    /// Writes a definition for each subterm of `root` that occurs more than once in `root` or is in
    /// `shared`.
    pub(super) fn define(
        &mut self,
        out: &mut dyn Write,
        root: Term,
        shared: &FxHashSet<Term>,
    ) -> fmt::Result {
        let plan = self.plan(root, Scope::Top, Some(shared));
        // The outermost scope is empty: the definitions are valid for the rest of the output.
        self.scopes.push(FxHashMap::default());
        for &term in &plan.order {
            write!(out, "(define-fun {}{} () ", self.names.let_prefix, plan.names[&term])?;
            write_sort(out, self.pool, self.pool.sort(term))?;
            out.write_str(" ")?;
            self.work.push(Work::Expand(term));
            self.run(out)?;
            out.write_str(")\n")?;
            self.defined.insert(term, plan.names[&term]);
        }
        self.scopes.pop();
        Ok(())
    }

    /// Writes the definition of `root` as `title`, which must be unique.
    pub(super) fn define_as(&mut self, out: &mut dyn Write, root: Term, title: String) -> fmt::Result {
        write!(out, "(define-fun {title} () ")?;
        write_sort(out, self.pool, self.pool.sort(root))?;
        out.write_str(" ")?;
        self.top(out, root)?;
        out.write_str(")\n")?;
        if !self.pool.children(root).is_empty() && !self.defined.contains_key(&root) {
            self.defined.insert(root, self.next_name);
            self.titles.insert(self.next_name, title);
            self.next_name += 1;
        }
        Ok(())
    }

    /// Returns the texts of the conjuncts of `root`, or one text with `let`s if they share many
    /// subterms.
    pub(super) fn conjuncts(&mut self, root: Term) -> Result<Vec<String>, fmt::Error> {
        self.open(&[root]);
        if self.pool.op(root) != Op::And || !self.is_small_apart(root) {
            let mut text = String::new();
            let plan = self.plan(root, Scope::Top, None);
            self.enter(plan, root);
            self.run(&mut text)?;
            return Ok(vec![text]);
        }
        let mut texts = Vec::new();
        for conjunct in self.bounds(self.pool.children(root)) {
            let mut text = String::new();
            self.conjunct(conjunct, Lets::Own);
            self.run(&mut text)?;
            texts.push(text);
        }
        Ok(texts)
    }

    /// Whether printing the conjuncts of `root` separately, each with its own `let`s, prints at
    /// most twice as many terms as printing `root`.
    fn is_small_apart(&self, root: Term) -> bool {
        let count = |term| {
            let mut count = 0;
            self.pool.visit(&[term], |_| true, |_| count += 1);
            count
        };
        let limit = 2 * count(root);
        let mut apart = 0;
        self.pool.children(root).iter().all(|&child| {
            apart += count(child);
            apart <= limit
        })
    }

    /// Writes `root` with `let`s, or its name if it is defined.
    pub(super) fn top(&mut self, out: &mut dyn Write, root: Term) -> fmt::Result {
        if self.defined.contains_key(&root) {
            self.work.push(Work::Use(root));
        } else {
            let plan = self.plan(root, Scope::Top, None);
            self.enter(plan, root);
        }
        self.run(out)
    }

    /// Selects the subterms of `root` to bind in its scope: those that occur more than once, those
    /// in `shared`, and those at which parentheses would nest deeper than [`MAX_NESTING`].
    fn plan(&mut self, root: Term, scope: Scope, shared: Option<&FxHashSet<Term>>) -> Plan {
        #[derive(Clone, Copy, Default)]
        struct Info {
            uses: u32,
            height: u32,
            level: u32,
            is_named: bool,
        }
        let pool = self.pool;
        let is_quantifier = |term| matches!(pool.op(term), Op::Forall | Op::Exists);
        let enters = |term: Term| match scope {
            _ if self.defined.contains_key(&term) => false,
            Scope::Top => true,
            Scope::Body => self.open.contains_key(&term) && (term == root || !is_quantifier(term)),
        };
        let may_be_named = |term: Term| {
            !pool.children(term).is_empty()
                && !self.defined.contains_key(&term)
                && self.open.contains_key(&term) == (scope == Scope::Body)
        };
        let mut order = Vec::new();
        pool.visit(&[root], enters, |term| order.push(term));
        let mut infos: FxHashMap<Term, Info> =
            FxHashMap::with_capacity_and_hasher(order.len(), Default::default());
        for &term in &order {
            infos.entry(term).or_default();
            if enters(term) {
                for &child in pool.children(term) {
                    infos.entry(child).or_default().uses += 1;
                }
            }
        }
        let mut plan = Plan { names: FxHashMap::default(), groups: Vec::new(), order: Vec::new() };
        for &term in &order {
            let mut info = infos[&term];
            if enters(term) {
                for child in pool.children(term) {
                    let child = infos[child];
                    info.height = info.height.max(if child.is_named { 1 } else { child.height + 1 });
                    info.level = info.level.max(if child.is_named { child.level + 1 } else { child.level });
                }
            }
            let is_shared = match shared {
                Some(shared) => info.uses > 1 || shared.contains(&term),
                None => info.uses > 1 && term != root,
            };
            if may_be_named(term) && (is_shared || (info.height >= MAX_NESTING && term != root)) {
                info.is_named = true;
                plan.names.insert(term, self.next_name);
                self.next_name += 1;
                plan.order.push(term);
                if plan.groups.len() <= info.level as usize {
                    plan.groups.resize_with(info.level as usize + 1, Vec::new);
                }
                plan.groups[info.level as usize].push(term);
            }
            infos.insert(term, info);
        }
        plan
    }

    /// Opens a scope and schedules the `let`s of the plan around `body`.
    fn enter(&mut self, plan: Plan, body: Term) {
        self.work.push(Work::LeaveScope);
        self.work.push(Work::Close(plan.groups.len() as u32));
        self.work.push(Work::Expand(body));
        for group in plan.groups.iter().rev() {
            self.work.push(Work::Text(") "));
            for (i, &term) in group.iter().enumerate().rev() {
                self.work.push(Work::Text(if i + 1 < group.len() { ") " } else { ")" }));
                self.work.push(Work::Expand(term));
                self.work.push(Work::Bind(term));
            }
            self.work.push(Work::Text("(let ("));
        }
        self.scopes.push(plan.names);
    }

    /// Returns the number of the binding or definition of `term` that is in scope.
    fn name(&self, term: Term) -> Option<u32> {
        let innermost = self.scopes.last().and_then(|names| names.get(&term));
        let outermost = || self.scopes.first().and_then(|names| names.get(&term));
        innermost.or_else(outermost).or_else(|| self.defined.get(&term)).copied()
    }

    fn write_name(&self, out: &mut dyn Write, name: u32) -> fmt::Result {
        match self.titles.get(&name) {
            Some(title) => out.write_str(title),
            None => write!(out, "{}{name}", self.names.let_prefix),
        }
    }

    /// Returns the conjuncts of a conjunction with these children, with bounds in the chosen form.
    fn bounds(&self, children: &[Term]) -> Vec<Conjunct> {
        match self.names.bounds {
            Bounds::Separate => children.iter().map(|&child| Conjunct::Term(child)).collect(),
            Bounds::Chained => Conjunct::of(self.pool, children, |child| self.name(child).is_some()),
        }
    }

    /// Schedules a conjunct.
    fn conjunct(&mut self, conjunct: Conjunct, lets: Lets) {
        let (low, term, high) = match conjunct {
            Conjunct::Term(term) => return self.operand(term, lets),
            Conjunct::Bounds { low, term, high } => (low, term, high),
        };
        self.work.push(Work::Close(1));
        if let Some(high) = high {
            self.work.push(Work::Number(high));
            self.work.push(Work::Text(" "));
        }
        self.operand(term, lets);
        if let Some(low) = low {
            self.work.push(Work::Text(" "));
            self.work.push(Work::Number(low));
        }
        self.work.push(Work::Text("(<= "));
    }

    /// Schedules a term of a conjunct, with its `let`s if it has its own.
    fn operand(&mut self, term: Term, lets: Lets) {
        match lets {
            Lets::Own if self.name(term).is_none() => {
                let plan = self.plan(term, Scope::Top, None);
                self.enter(plan, term);
            }
            Lets::Own | Lets::Around => self.work.push(Work::Use(term)),
        }
    }

    /// Executes the worklist until it is empty.
    pub(super) fn run(&mut self, out: &mut dyn Write) -> fmt::Result {
        while let Some(work) = self.work.pop() {
            match work {
                Work::Text(text) => out.write_str(text)?,
                Work::Close(count) => {
                    for _ in 0..count {
                        out.write_str(")")?;
                    }
                }
                Work::Number(value) => number(out, &value)?,
                Work::LeaveScope => {
                    self.scopes.pop();
                }
                Work::Bind(term) => {
                    let name = self.name(term).expect("a bound term has a name");
                    out.write_str("(")?;
                    self.write_name(out, name)?;
                    out.write_str(" ")?;
                }
                Work::Use(term) => match self.name(term) {
                    Some(name) => self.write_name(out, name)?,
                    None => self.expand(out, term)?,
                },
                Work::Expand(term) => self.expand(out, term)?,
            }
        }
        Ok(())
    }

    fn expand(&mut self, out: &mut dyn Write, term: Term) -> fmt::Result {
        let pool = self.pool;
        let children = pool.children(term);
        if children.is_empty() {
            return self.leaf(out, term);
        }
        match pool.op(term) {
            op @ (Op::Forall | Op::Exists) => {
                let (&body, bound) = children.split_last().expect("a quantifier has a body");
                out.write_str(if op == Op::Forall { "(forall (" } else { "(exists (" })?;
                for (i, &variable) in bound.iter().enumerate() {
                    out.write_str(if i > 0 { " (" } else { "(" })?;
                    self.names.write(out, pool, Declared::Bound(variable))?;
                    out.write_str(" ")?;
                    write_sort(out, pool, pool.sort(variable))?;
                    out.write_str(")")?;
                }
                out.write_str(") ")?;
                self.work.push(Work::Close(1));
                if self.open.contains_key(&body) {
                    let plan = self.plan(body, Scope::Body, None);
                    self.enter(plan, body);
                } else {
                    self.work.push(Work::Use(body));
                }
                return Ok(());
            }
            Op::And if self.names.bounds == Bounds::Chained => {
                let mut conjuncts = self.bounds(children);
                match conjuncts.len() {
                    1 => conjuncts.into_iter().for_each(|only| self.conjunct(only, Lets::Around)),
                    _ => {
                        out.write_str("(and")?;
                        self.work.push(Work::Close(1));
                        while let Some(conjunct) = conjuncts.pop() {
                            self.conjunct(conjunct, Lets::Around);
                            self.work.push(Work::Text(" "));
                        }
                    }
                }
                return Ok(());
            }
            Op::Not if self.name(children[0]).is_none() => {
                let inner = children[0];
                if self.names.bounds == Bounds::Chained
                    && let Some(bound) = Conjunct::bound(pool, term)
                {
                    self.conjunct(bound, Lets::Around);
                    return Ok(());
                }
                if let (Some(name), &[a, b]) = (opposite_name(pool.op(inner)), pool.children(inner)) {
                    write!(out, "({name}")?;
                    self.arguments(&[b, a]);
                    return Ok(());
                }
                out.write_str("(not")?;
            }
            Op::Mul if pool.as_int(children[0]).is_some_and(is_minus_one) => {
                out.write_str("(-")?;
                self.arguments(&children[1..]);
                return Ok(());
            }
            Op::Apply(function) => {
                out.write_str("(")?;
                self.names.write(out, pool, Declared::Function(function))?;
            }
            op => {
                out.write_str("(")?;
                operators::write(out, pool, op)?;
            }
        }
        self.arguments(children);
        Ok(())
    }

    /// Schedules the arguments and the closing parenthesis of an application.
    fn arguments(&mut self, arguments: &[Term]) {
        self.work.push(Work::Close(1));
        for &argument in arguments.iter().rev() {
            self.work.push(Work::Use(argument));
            self.work.push(Work::Text(" "));
        }
    }

    fn leaf(&self, out: &mut dyn Write, term: Term) -> fmt::Result {
        let pool = self.pool;
        match pool.op(term) {
            Op::True => out.write_str("true"),
            Op::False => out.write_str("false"),
            Op::BvConst(_) => write!(out, "{}", pool.as_bit_vector(term).expect("a constant")),
            Op::IntConst(_) => number(out, pool.as_int(term).expect("a constant")),
            Op::RealConst(_) => {
                let mut text = String::new();
                real(&mut text, pool.as_real(term).expect("a constant"))?;
                out.write_str(&text)
            }
            Op::FloatConst(_) => {
                let crate::Sort::Float(exponent, significand) = pool.sort(term) else {
                    unreachable!("a floating-point constant has a floating-point sort")
                };
                let mut text = String::new();
                super::float(
                    &mut text,
                    exponent,
                    significand,
                    pool.as_float_bits(term).expect("a constant"),
                )?;
                out.write_str(&text)
            }
            Op::RoundingMode(mode) => out.write_str(mode.name()),
            Op::Symbol(symbol) => self.names.write(out, pool, Declared::Symbol(symbol)),
            Op::Value(_) => self.names.write(out, pool, Declared::Value(term)),
            Op::Bound(_) => self.names.write(out, pool, Declared::Bound(term)),
            op => out.write_str(&quote(&format!("{op:?}"))),
        }
    }
}

fn is_minus_one(value: &BigInt) -> bool {
    value.is_negative() && value.magnitude().bits() == 1
}

fn number(out: &mut dyn Write, value: &BigInt) -> fmt::Result {
    if value.is_negative() { write!(out, "(- {})", value.magnitude()) } else { write!(out, "{value}") }
}
