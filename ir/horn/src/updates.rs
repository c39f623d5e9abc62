//! Values of symbols that a constraint determines.

use crate::Updates;
use smallvec::{SmallVec, smallvec};
use terms::{Op, Sort, Substitution, Term, TermMap, TermPool, TermSet};

/// The symbols of a constraint, and its terms that contain a symbol `x+`. The storage may be used
/// for many constraints.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    /// In order of first occurrence.
    pub(crate) symbols: Vec<Term>,
    /// The symbols `x+`, with the numbers of their updates.
    after: TermMap,
    /// The terms of the constraint, and those of them in which a symbol `x+` occurs.
    terms: TermSet,
    open: TermSet,
    stack: Vec<(Term, u32, bool)>,
}

impl Contents {
    /// Visits each term of the constraint once.
    pub(crate) fn new(pool: &TermPool, constraint: Term, updates: &Updates) -> Self {
        let mut contents = Contents::default();
        contents.fill(pool, constraint, updates);
        contents
    }

    /// The contents of another constraint.
    pub(crate) fn fill(&mut self, pool: &TermPool, constraint: Term, updates: &Updates) {
        let Contents { symbols, after, terms, open, stack } = self;
        symbols.clear();
        terms.restart(constraint);
        open.restart(constraint);
        after.clear();
        for (number, update) in updates.values().enumerate() {
            after.insert(update.after, number as u32);
        }
        let mut leaf = |leaf: Term| {
            if matches!(pool.op(leaf), Op::Symbol(_)) {
                symbols.push(leaf);
            }
            after.contains(leaf)
        };
        terms.insert(constraint);
        if pool.children(constraint).is_empty() && leaf(constraint) {
            open.insert(constraint);
        }
        // Terms with the next child, and whether a symbol `x+` occurs in the previous ones.
        stack.push((constraint, 0, false));
        while let Some((term, next, is_open)) = stack.last_mut() {
            let Some(&child) = pool.children(*term).get(*next as usize) else {
                let (term, _, is_open) = stack.pop().expect("the stack has a last term");
                if is_open {
                    open.insert(term);
                    if let Some((_, _, is_parent_open)) = stack.last_mut() {
                        *is_parent_open = true;
                    }
                }
                continue;
            };
            *next += 1;
            if !terms.insert(child) {
                *is_open |= open.contains(child);
            } else if !pool.children(child).is_empty() {
                stack.push((child, 0, false));
            } else if leaf(child) {
                open.insert(child);
                *is_open = true;
            }
        }
    }

    /// Whether a symbol `x+` occurs in this term of the constraint.
    fn is_open(&self, term: Term) -> bool {
        self.open.contains(term)
    }
}

/// Sets the values of `updates` that conjuncts of `constraint` determine: `x+ = t` with `t` over no
/// `y+`, an equation of sums with `x+` as the only `y+`, or `x+`, or its negation.
pub(crate) fn determine(pool: &mut TermPool, constraint: Term, contents: &Contents, updates: &mut Updates) {
    for update in updates.values_mut() {
        update.value = None;
    }
    if updates.is_empty() {
        return;
    }
    for conjunct in conjuncts(pool, constraint) {
        if contents.terms.contains(conjunct) && !contents.is_open(conjunct) {
            continue;
        }
        let definition = match (pool.op(conjunct), pool.children(conjunct)) {
            (Op::Symbol(_), _) => Some((conjunct, pool.tru())),
            (Op::Not, &[symbol]) => Some((symbol, pool.fls())),
            (Op::Eq, &[a, b]) => definition(contents, a, b).or_else(|| solve(pool, contents, a, b)),
            _ => None,
        };
        if let Some((symbol, value)) = definition
            && let Some(number) = contents.after.get(symbol)
        {
            let (_, update) = updates.get_index_mut(number as usize).expect("an update has its number");
            update.value.get_or_insert(value);
        }
    }
}

/// As [`TermPool::conjuncts`], faster if the conjuncts are the children of the constraint.
fn conjuncts(pool: &mut TermPool, constraint: Term) -> SmallVec<[Term; 16]> {
    let is_conjunct = |&term: &Term| match pool.op(term) {
        Op::And => false,
        Op::Not => pool.op(pool.children(term)[0]) != Op::Or,
        _ => true,
    };
    if pool.op(constraint) == Op::And && pool.children(constraint).iter().all(is_conjunct) {
        return SmallVec::from_slice(pool.children(constraint));
    }
    SmallVec::from_vec(pool.conjuncts(&[constraint]))
}

/// The side of an equation that is a symbol `x+`, and the other one if it has no such symbol.
fn definition(contents: &Contents, a: Term, b: Term) -> Option<(Term, Term)> {
    let mut sides = [(a, b), (b, a)].into_iter();
    sides.find(|&(symbol, value)| contents.after.contains(symbol) && !contents.is_open(value))
}

/// Solves the equation `a = b` of sums for the only summand that is a symbol `x+`. All other
/// summands must not be open: contain no such symbol.
fn solve(pool: &mut TermPool, contents: &Contents, a: Term, b: Term) -> Option<(Term, Term)> {
    if !matches!(pool.sort(a), Sort::Int | Sort::Real) {
        return None;
    }
    let summands = |side: Term| -> SmallVec<[Term; 8]> {
        match pool.op(side) {
            Op::Add => SmallVec::from_slice(pool.children(side)),
            _ => smallvec![side],
        }
    };
    let sides = [summands(a), summands(b)];
    let mut is_open = sides.iter().flatten().filter(|&&summand| contents.is_open(summand));
    let (&symbol, None) = (is_open.next()?, is_open.next()) else { return None };
    if !contents.after.contains(symbol) {
        return None;
    }
    // With `symbol + s = b` or `a = symbol + s`, the symbol cancels in the value.
    let (own, other) = if sides[0].contains(&symbol) { (a, b) } else { (b, a) };
    let rest = pool.sub(own, symbol);
    Some((symbol, pool.sub(other, rest)))
}

/// The rest of `constraint` after the values of `updates` are substituted: their definitions become
/// true.
pub(crate) fn guard(pool: &mut TermPool, constraint: Term, contents: &Contents, updates: &Updates) -> Term {
    if updates.values().all(|update| update.value.is_none()) {
        return constraint;
    }
    let value = |symbol: Term| updates[contents.after.get(symbol)? as usize].value;
    let mut images = None;
    let mut image = |pool: &mut TermPool, term: Term| {
        let images = images.get_or_insert_with(Substitution::sparse);
        images.apply_with(pool, term, &mut |_, leaf| value(leaf))
    };
    if pool.op(constraint) != Op::And {
        return image(pool, constraint);
    }
    // A conjunct without a symbol `x+` stays as it is.
    let mut conjuncts = SmallVec::<[Term; 16]>::from_slice(pool.children(constraint));
    let mut is_changed = false;
    conjuncts.retain(|conjunct| {
        if !contents.is_open(*conjunct) {
            return true;
        }
        let is_definition = match (pool.op(*conjunct), pool.children(*conjunct)) {
            (Op::Eq, &[a, b]) => {
                definition(contents, a, b).is_some_and(|(symbol, of)| value(symbol) == Some(of))
            }
            _ => false,
        };
        let old = *conjunct;
        if !is_definition {
            *conjunct = image(pool, old);
        }
        is_changed |= is_definition || *conjunct != old;
        !is_definition
    });
    if is_changed { pool.and(&conjuncts) } else { constraint }
}
