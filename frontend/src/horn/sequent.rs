//! Formulas as sets of Horn clauses.
//!
//! # Method
//! A formula is proved backwards in the sequent calculus for classical logic. A sequent `Γ ⊢ Δ`
//! states that some formula of Δ holds where all of Γ hold; an assertion `F` is the sequent `⊢ F`.
//! The invertible rules take connectives apart: a sequent with a conjunction on the right, or a
//! disjunction on the left, becomes several sequents. Formulas without relations are not taken
//! apart; on the right they go to the left negated. In the end, the left side consists of atoms and
//! formulas without relations, and the right side of atoms: this is a Horn clause if there is at
//! most one of them. All rules are equivalences, so the clauses are equivalent to the assertion.
//!
//! Quantifiers that do not become variables of the clause remain in its constraint if no relation
//! occurs below them, and are a defect otherwise. The decomposition may miss Horn clauses that are
//! only equivalent to the formula by reasoning about atoms, such as `P ∨ Q` next to `¬P`.
//!
//! A disjunction `g` with atoms on the left multiplies the sequents. If there would be many, `g`
//! becomes an atom `case(x)` over its free variables, and the clauses of `g ⇒ case(x)` are added.
//! This preserves satisfiability if all atoms of `g` occur positively, since `case` can be
//! interpreted by `g`.
//!
//! # Cost
//! Linear in the distinct subterms, except for the copies of sequents, which are counted.

use super::limits;
use crate::smtlib::Declaration;
use rustc_hash::{FxHashMap, FxHashSet};
use terms::{Op, Sort, Term, TermMap, TermPool};

/// A clause: `body ∧ constraint ⇒ head`, over bound variables and declared variables.
#[derive(Clone, Debug, Default)]
pub(super) struct RawClause {
    /// Atoms: applications of relations to terms.
    pub(super) body: Vec<Term>,
    /// Formulas without relations.
    pub(super) constraint: Vec<Term>,
    /// The atom.
    pub(super) head: Option<Term>,
}

/// The reason why a formula is not a set of Horn clauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Defect {
    /// A clause has two heads.
    Heads(Term, Term),
    /// A quantifier over an atom that cannot be a variable of the clause.
    Quantifier(Term),
    /// An atom occurs inside of a term.
    Nested(Term),
    /// A constant or function that is neither a relation nor a variable.
    Foreign(Term),
    /// A variable of a declared sort.
    DeclaredSort(Term),
    /// Too many copies.
    Size,
}

impl Defect {
    pub(super) fn message(&self, pool: &TermPool) -> String {
        let name = |term: Term| name_of(pool, term).unwrap_or_default();
        match *self {
            Defect::Heads(a, b) => {
                format!("not a Horn clause: both `{}` and `{}` are on the derived side", name(a), name(b))
            }
            Defect::Quantifier(atom) => format!(
                "not a Horn clause: `{}` is derived below an existential quantifier, or assumed below a \
                 universal one",
                name(atom)
            ),
            Defect::Nested(atom) => format!("the relation `{}` occurs inside of a term", name(atom)),
            Defect::Foreign(term) => match pool.op(term) {
                Op::Apply(_) => {
                    format!("the function `{}` is not a relation: its sort is not Bool", name(term))
                }
                _ => format!("the constant `{}` is neither a relation nor quantified", name(term)),
            },
            Defect::DeclaredSort(_) => {
                "variables of declared sorts are not supported in Horn clauses".to_owned()
            }
            Defect::Size => "this formula has too many Horn clauses".to_owned(),
        }
    }

    /// The names that the message mentions.
    pub(super) fn names(&self, pool: &TermPool) -> Vec<String> {
        let terms = match *self {
            Defect::Heads(a, b) if name_of(pool, a) != name_of(pool, b) => vec![a, b],
            Defect::Heads(a, _)
            | Defect::Quantifier(a)
            | Defect::Nested(a)
            | Defect::Foreign(a)
            | Defect::DeclaredSort(a) => vec![a],
            Defect::Size => vec![],
        };
        terms.into_iter().filter_map(|term| name_of(pool, term)).collect()
    }

    pub(super) fn help(&self) -> Option<&'static str> {
        match self {
            Defect::Heads(..) => Some("a Horn clause derives at most one relation"),
            Defect::Quantifier(_) => None,
            Defect::Nested(_) => Some("a relation may occur below connectives and quantifiers only"),
            Defect::Foreign(_) => Some("quantify it in each clause, or use `declare-var`"),
            Defect::DeclaredSort(_) => None,
            Defect::Size => Some("split the formula into several assertions"),
        }
    }
}

/// The name of a symbol, a variable or the function of an application.
fn name_of(pool: &TermPool, term: Term) -> Option<String> {
    match pool.op(term) {
        Op::Apply(function) => Some(pool.function_data(function).0.to_owned()),
        Op::Symbol(symbol) => Some(pool.symbol_data(symbol).name.clone()),
        Op::Bound(id) => Some(pool.bound_name(id).to_owned()),
        _ => None,
    }
}

/// The contents of a term.
mod flag {
    /// The flags are computed.
    pub(super) const KNOWN: u8 = 1;
    /// A relation occurs.
    pub(super) const RELATION: u8 = 2;
    /// A quantifier occurs.
    pub(super) const QUANTIFIER: u8 = 4;
    /// A relation occurs inside of a term.
    pub(super) const NESTED: u8 = 8;
    /// Another function or constant occurs.
    pub(super) const FOREIGN: u8 = 16;
    /// A variable of a declared sort occurs.
    pub(super) const SORT: u8 = 32;
}

/// The sides of a sequent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Side {
    Left,
    Right,
}

impl Side {
    fn other(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }
}

#[derive(Clone, Debug, Default)]
struct Sequent {
    done: RawClause,
    /// The formulas to take apart, the next one last.
    pending: Vec<(Side, Term)>,
    /// The formulas that multiply the sequent, in order.
    splits: Vec<(Side, Term)>,
    /// The formulas with relations or quantifiers that were taken apart, with the sides as bits.
    seen: TermMap,
    /// The number of formulas in `seen`, counted on each side.
    taken: usize,
    /// The bound variables that became variables of the clause.
    opened: TermMap,
    /// The number of names tried for renamed variables.
    renamed: u64,
    /// Whether the sequent holds trivially.
    is_valid: bool,
}

impl Sequent {
    /// Adds a formula to those that were taken apart; returns whether it was new.
    fn take(&mut self, side: Side, term: Term) -> bool {
        let (sides, bit) = (self.seen.get(term).unwrap_or(0), 1 << side as u32);
        let is_new = sides & bit == 0;
        if is_new {
            self.seen.insert(term, sides | bit);
            self.taken += 1;
        }
        is_new
    }

    fn size(&self) -> u64 {
        let formulas = self.done.body.len() + self.done.constraint.len();
        let sets = self.taken + self.opened.len();
        (formulas + self.pending.len() + self.splits.len() + sets) as u64 + 1
    }
}

/// Splits formulas into Horn clauses.
#[derive(Debug, Default)]
pub(super) struct Splitter {
    /// The [flags](flag) of each term.
    flags: Vec<u8>,
    /// Terms whose flags are being computed, with the next child.
    stack: Vec<(Term, u32)>,
    /// The symbols that are variables.
    variables: FxHashSet<Term>,
    auxiliary: Vec<Declaration>,
    /// The auxiliary atoms of the disjunctions of the current assertion.
    cases: FxHashMap<Term, Term>,
}

impl Splitter {
    /// Registers a `declare-var`.
    pub(super) fn declare_variable(&mut self, symbol: Term) {
        self.variables.insert(symbol);
    }

    /// Whether the symbol was declared by `declare-var`.
    pub(super) fn is_variable(&self, symbol: Term) -> bool {
        self.variables.contains(&symbol)
    }

    /// The name of the relation that is declared, if it is one.
    pub(super) fn declare(&mut self, pool: &TermPool, declaration: Declaration) -> Option<String> {
        match declaration {
            Declaration::Constant(symbol) if pool.sort(symbol) == Sort::Bool => name_of(pool, symbol),
            Declaration::Function(function) => {
                let (name, _, result) = pool.function_data(function);
                (result == Sort::Bool).then(|| name.to_owned())
            }
            Declaration::Constant(_) => None,
        }
    }

    /// The auxiliary relations made since the last call.
    pub(super) fn take_auxiliary(&mut self) -> Vec<Declaration> {
        std::mem::take(&mut self.auxiliary)
    }

    /// The clauses of `formula`. Subtracts their conjuncts from `copies`.
    pub(super) fn split(
        &mut self,
        pool: &mut TermPool,
        formula: Term,
        copies: &mut u64,
    ) -> Result<Vec<RawClause>, Defect> {
        self.check(pool, formula)?;
        self.cases.clear();
        let mut clauses = Vec::new();
        let start = Sequent { pending: vec![(Side::Right, formula)], ..Sequent::default() };
        let mut work = vec![start];
        while let Some(mut sequent) = work.pop() {
            while let Some((side, term)) = sequent.pending.pop() {
                self.take_apart(pool, &mut sequent, side, term)?;
                if sequent.is_valid {
                    break;
                }
            }
            if sequent.is_valid {
                continue;
            }
            let others = clauses.len() + work.len();
            self.name_cases(pool, &mut sequent, others, &mut work);
            if sequent.splits.is_empty() {
                *copies = copies.checked_sub(sequent.size()).ok_or(Defect::Size)?;
                clauses.push(sequent.done);
                continue;
            }
            let (side, term) = sequent.splits.remove(0);
            let cases = cases(pool, side, term);
            let cost = sequent.size().saturating_mul(cases.len() as u64);
            *copies = copies.checked_sub(cost).ok_or(Defect::Size)?;
            for case in cases.into_iter().rev() {
                let mut next = sequent.clone();
                next.pending.extend(case);
                work.push(next);
            }
        }
        Ok(clauses)
    }

    /// Checks that all relations occur as atoms, and that there are no other functions.
    fn check(&mut self, pool: &TermPool, formula: Term) -> Result<(), Defect> {
        let flags = self.flags(pool, formula);
        if flags & (flag::NESTED | flag::FOREIGN | flag::SORT) == 0 {
            return Ok(());
        }
        let mut defect = None;
        let of = |term: Term| self.flags[term.0 as usize];
        // The first term whose flags do not stem from its children.
        pool.visit(
            &[formula],
            |_| true,
            |term| {
                let below = pool.children(term).iter().fold(0, |flags, &child| flags | of(child));
                let own = of(term) & !below;
                if defect.is_some() {
                } else if own & flag::FOREIGN != 0 {
                    defect = Some(Defect::Foreign(term));
                } else if own & flag::SORT != 0 {
                    defect = Some(Defect::DeclaredSort(term));
                } else if own & flag::NESTED != 0 {
                    defect = self.atom_below(pool, term).map(Defect::Nested);
                }
            },
        );
        defect.map_or(Ok(()), Err)
    }

    /// An atom of a proper subterm, else of the term.
    fn atom_below(&self, pool: &TermPool, root: Term) -> Option<Term> {
        let mut atom = None;
        pool.visit(
            &[root],
            |_| true,
            |term| {
                if self.is_atom(pool, term) {
                    atom = atom.or(Some(term));
                }
            },
        );
        atom
    }

    fn is_atom(&self, pool: &TermPool, term: Term) -> bool {
        match pool.op(term) {
            Op::Apply(_) => pool.sort(term) == Sort::Bool,
            Op::Symbol(_) => pool.sort(term) == Sort::Bool && !self.variables.contains(&term),
            _ => false,
        }
    }

    fn flags(&mut self, pool: &TermPool, root: Term) -> u8 {
        if self.flags.len() < pool.len() {
            self.flags.resize(pool.len(), 0);
        }
        if self.flags[root.0 as usize] == 0 {
            self.stack.push((root, 0));
        }
        while let Some((term, next)) = self.stack.last_mut() {
            let children = &pool.children(*term)[*next as usize..];
            let unknown = children.iter().position(|child| self.flags[child.0 as usize] == 0);
            match unknown {
                Some(offset) => {
                    *next += offset as u32 + 1;
                    self.stack.push((children[offset], 0));
                }
                None => {
                    let term = *term;
                    self.stack.pop();
                    self.flags[term.0 as usize] = self.computed_flags(pool, term);
                }
            }
        }
        self.flags[root.0 as usize]
    }

    /// The flags of a term whose children have theirs.
    fn computed_flags(&self, pool: &TermPool, term: Term) -> u8 {
        let children = pool.children(term).iter();
        let below = children.fold(flag::KNOWN, |flags, child| flags | self.flags[child.0 as usize]);
        let has_relation = below & flag::RELATION != 0;
        let own = match pool.op(term) {
            Op::Apply(_) if pool.sort(term) != Sort::Bool => flag::FOREIGN,
            Op::Apply(_) if has_relation => flag::NESTED,
            Op::Apply(_) => flag::RELATION,
            Op::Symbol(_) if self.variables.contains(&term) => declared_sort(pool, pool.sort(term)),
            Op::Symbol(_) if pool.sort(term) == Sort::Bool => flag::RELATION,
            Op::Symbol(_) => flag::FOREIGN,
            Op::Bound(_) => declared_sort(pool, pool.sort(term)),
            Op::Forall | Op::Exists => flag::QUANTIFIER,
            Op::Not | Op::And | Op::Or => 0,
            // Of equations and conditionals, those between formulas are connectives.
            Op::Eq if pool.sort(pool.children(term)[0]) == Sort::Bool => 0,
            Op::Ite if pool.sort(term) == Sort::Bool => 0,
            _ if has_relation => flag::NESTED,
            _ => 0,
        };
        below | own
    }

    fn take_apart(
        &mut self,
        pool: &mut TermPool,
        sequent: &mut Sequent,
        side: Side,
        term: Term,
    ) -> Result<(), Defect> {
        let flags = self.flags(pool, term);
        let has_relation = flags & flag::RELATION != 0;
        if let Some(value) = pool.as_bool(term) {
            sequent.is_valid |= value == (side == Side::Right);
            return Ok(());
        }
        if flags & (flag::RELATION | flag::QUANTIFIER) == 0 {
            let conjunct = if side == Side::Left { term } else { pool.not(term) };
            sequent.done.constraint.push(conjunct);
            return Ok(());
        }
        if !sequent.take(side, term) {
            return Ok(());
        }
        match (side, pool.op(term)) {
            (_, Op::Not) => sequent.pending.push((side.other(), pool.children(term)[0])),
            (Side::Left, Op::And) | (Side::Right, Op::Or) => {
                sequent.pending.extend(pool.children(term).iter().rev().map(|&child| (side, child)));
            }
            (Side::Left, Op::Exists) | (Side::Right, Op::Forall) => {
                let body = open(pool, sequent, term);
                sequent.pending.push((side, body));
            }
            _ if !has_relation => {
                let conjunct = if side == Side::Left { term } else { pool.not(term) };
                sequent.done.constraint.push(conjunct);
            }
            (_, Op::Forall | Op::Exists) => {
                let atom = self.atom_below(pool, term).expect("a relation occurs below the quantifier");
                return Err(Defect::Quantifier(atom));
            }
            (Side::Left, _) if self.is_atom(pool, term) => sequent.done.body.push(term),
            (Side::Right, _) if self.is_atom(pool, term) => {
                if let Some(other) = sequent.done.head.replace(term) {
                    return Err(Defect::Heads(other, term));
                }
            }
            _ => sequent.splits.push((side, term)),
        }
        Ok(())
    }

    /// If the splits of the sequent make many cases, besides the `others` of the assertion,
    /// replaces its disjunctions by auxiliary atoms and adds the sequents that derive them.
    fn name_cases(
        &mut self,
        pool: &mut TermPool,
        sequent: &mut Sequent,
        others: usize,
        work: &mut Vec<Sequent>,
    ) {
        let count = sequent.splits.iter().fold(1usize, |count, &(_, term)| {
            count.saturating_mul(if pool.op(term) == Op::Ite { 2 } else { pool.children(term).len() })
        });
        if sequent.splits.is_empty() || count.saturating_add(others) <= limits::CASES {
            return;
        }
        let mut splits = std::mem::take(&mut sequent.splits);
        splits.retain(|&(side, term)| {
            let is_case = side == Side::Left && pool.op(term) == Op::Or && self.is_monotone(pool, term);
            if is_case {
                let atom = match self.cases.get(&term) {
                    Some(&atom) => atom,
                    None => self.make_case(pool, term, work),
                };
                sequent.done.body.push(atom);
            }
            !is_case
        });
        sequent.splits = splits;
    }

    fn make_case(&mut self, pool: &mut TermPool, term: Term, work: &mut Vec<Sequent>) -> Term {
        let mut arguments = pool.free_bound_variables(term);
        let mut opened = TermMap::default();
        for &argument in &arguments {
            opened.insert(argument, 0);
        }
        for symbol in pool.free_symbols(term) {
            let symbol = pool.symbol_term(symbol);
            if self.variables.contains(&symbol) {
                arguments.push(symbol);
            }
        }
        let sorts: Vec<Sort> = arguments.iter().map(|&argument| pool.sort(argument)).collect();
        let (atom, declaration) = if sorts.is_empty() {
            let symbol = pool.fresh_symbol("case", Sort::Bool, terms::Representation::Signed);
            (symbol, Declaration::Constant(symbol))
        } else {
            let function = pool.fresh_function("case", &sorts, Sort::Bool);
            (pool.apply(function, &arguments), Declaration::Function(function))
        };
        self.auxiliary.push(declaration);
        self.cases.insert(term, atom);
        let done = RawClause { head: Some(atom), ..RawClause::default() };
        // A single split makes one sequent for each case, all with the same head.
        work.extend(pool.children(term).iter().rev().map(|&case| Sequent {
            done: done.clone(),
            pending: vec![(Side::Left, case)],
            opened: opened.clone(),
            ..Sequent::default()
        }));
        atom
    }

    /// Whether every relation of the formula occurs positively.
    fn is_monotone(&mut self, pool: &TermPool, root: Term) -> bool {
        let mut seen = FxHashSet::default();
        let mut stack = vec![(Side::Left, root)];
        while let Some((side, term)) = stack.pop() {
            if self.flags(pool, term) & flag::RELATION == 0 || !seen.insert((side, term)) {
                continue;
            }
            match pool.op(term) {
                Op::Not => stack.push((side.other(), pool.children(term)[0])),
                Op::And | Op::Or => stack.extend(pool.children(term).iter().map(|&child| (side, child))),
                Op::Exists if side == Side::Left => {
                    stack.extend(pool.children(term).last().map(|&body| (side, body)));
                }
                Op::Forall if side == Side::Right => {
                    stack.extend(pool.children(term).last().map(|&body| (side, body)));
                }
                Op::Ite if self.flags(pool, pool.children(term)[0]) & flag::RELATION == 0 => {
                    stack.extend(pool.children(term)[1..].iter().map(|&branch| (side, branch)));
                }
                Op::Apply(_) | Op::Symbol(_) if side == Side::Left => {}
                _ => return false,
            }
        }
        true
    }
}

/// Whether the sort contains a declared sort, as a flag.
pub(super) fn declared_sort(pool: &TermPool, sort: Sort) -> u8 {
    if !matches!(sort, Sort::Uninterpreted(_) | Sort::Array(_)) {
        return 0;
    }
    let mut stack = vec![sort];
    while let Some(sort) = stack.pop() {
        match sort {
            Sort::Uninterpreted(_) => return flag::SORT,
            Sort::Array(parts) => {
                let (index, element) = pool.array_sort_parts(parts);
                stack.extend([index, element]);
            }
            _ => {}
        }
    }
    0
}

/// The sequents that a formula splits its sequent into: the formulas that replace it in each.
fn cases(pool: &mut TermPool, side: Side, term: Term) -> Vec<Vec<(Side, Term)>> {
    let (left, right) = (Side::Left, Side::Right);
    match (pool.op(term), pool.children(term)) {
        (Op::And | Op::Or, children) => children.iter().map(|&child| vec![(side, child)]).collect(),
        (Op::Ite, &[condition, then, otherwise]) => {
            vec![vec![(side, then), (left, condition)], vec![(side, otherwise), (right, condition)]]
        }
        (Op::Eq, &[a, b]) if side == left => vec![vec![(left, b), (left, a)], vec![(right, b), (right, a)]],
        (Op::Eq, &[a, b]) => vec![vec![(right, b), (left, a)], vec![(right, a), (left, b)]],
        (op, _) => unreachable!("{op:?} is no connective"),
    }
}

/// The body of a quantifier whose variables become variables of the clause: those that already are
/// get new names.
fn open(pool: &mut TermPool, sequent: &mut Sequent, quantifier: Term) -> Term {
    let (&body, variables) = pool.children(quantifier).split_last().expect("a quantifier has a body");
    let Some(known) = variables.iter().position(|&variable| !sequent.opened.insert(variable, 0)) else {
        return body;
    };
    let variables = variables.to_vec();
    let mut renamed = FxHashMap::default();
    for (place, variable) in variables.into_iter().enumerate().skip(known) {
        if place > known && sequent.opened.insert(variable, 0) {
            continue;
        }
        let name = name_of(pool, variable).expect("a quantified variable has a name");
        let fresh = loop {
            sequent.renamed += 1;
            let fresh = pool.bound(&format!("{name}!{}", sequent.renamed), pool.sort(variable));
            if sequent.opened.insert(fresh, 0) {
                break fresh;
            }
        };
        renamed.insert(variable, fresh);
    }
    pool.map_leaves(body, &mut |_, leaf| renamed.get(&leaf).copied())
}
