//! Names and declarations of the free symbols, functions and sorts of terms.

use super::unique::Unique;
use super::{Declared, quote, write_sort};
use crate::{Op, Sort, Symbol, Term, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::{self, Write};
use std::rc::Rc;

/// Preferred names of symbols.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    /// The preferred names; all other symbols keep their names in the pool.
    pub symbols: FxHashMap<Symbol, String>,
    /// Names in use outside the text, which are not assigned.
    pub taken: Rc<FxHashSet<String>>,
}

/// Assigns a unique name to each entity of a text.
pub(super) struct Names {
    /// The quoted names of the entities that are renamed.
    renamed: FxHashMap<Declared, String>,
    pub(super) declared: Vec<Declared>,
    pub(super) sorts: Vec<u32>,
    /// The prefix of the names of `let` bindings. No other name consists of this prefix and digits.
    pub(super) let_prefix: &'static str,
    /// All names in use.
    pub(super) unique: Unique,
    /// The format of integer bounds.
    pub(super) bounds: Bounds,
}

/// The format of integer bounds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bounds {
    /// One comparison for each bound, as in the term: `(< (- 1) x)`, `(<= x 255)`.
    Separate,
    /// One comparison for all bounds of a term in a conjunction: `(<= 0 x 255)`.
    Chained,
}

impl Names {
    pub(super) fn new(pool: &TermPool, terms: &[Term]) -> Self {
        Names::collect(pool, terms, None)
    }

    /// Names the entities of a readable text: by `labels` where it has an entry, without the names
    /// in `labels.taken`, and with chained bounds.
    pub(super) fn labeled(pool: &TermPool, terms: &[Term], labels: &Labels) -> Self {
        Names::collect(pool, terms, Some(labels))
    }

    /// The names of a text without terms, which [`extend`](Self::extend) adds.
    pub(super) fn empty() -> Self {
        Names {
            renamed: FxHashMap::default(),
            declared: Vec::new(),
            sorts: Vec::new(),
            let_prefix: "?",
            unique: Unique::of_pool(),
            bounds: Bounds::Separate,
        }
    }

    /// Names the entities of `terms` that are not in `known`, which it extends. The entities to be
    /// declared are then those of `terms` alone.
    pub(super) fn extend(&mut self, pool: &TermPool, terms: &[Term], known: &mut FxHashSet<Declared>) {
        let Entities { declared, bound, sorts } = Entities::of(pool, terms);
        let is_new = |thing: &Declared| known.insert(*thing);
        let things = declared.iter().chain(&bound).copied().filter(is_new).collect();
        self.rename(pool, things, None);
        self.declared = declared;
        self.sorts = sorts;
    }

    /// Whether the name of `thing` differs from its name in the pool.
    pub(super) fn is_renamed(&self, thing: Declared) -> bool {
        self.renamed.contains_key(&thing)
    }

    fn collect(pool: &TermPool, terms: &[Term], labels: Option<&Labels>) -> Self {
        let Entities { declared, bound, sorts } = Entities::of(pool, terms);
        let bounds = if labels.is_some() { Bounds::Chained } else { Bounds::Separate };
        let unique = match labels {
            Some(labels) => Unique::within(Rc::clone(&labels.taken)),
            None => Unique::of_pool(),
        };
        let renamed = FxHashMap::default();
        let things = declared.iter().chain(&bound).copied().collect();
        let mut names = Names { renamed, declared, sorts, let_prefix: "?", unique, bounds };
        names.rename(pool, things, labels);
        names
    }

    /// Assigns a unique name to each entity. Bound variables come last, so a bound variable with
    /// the name of a declared entity is renamed, not the declaration.
    fn rename(&mut self, pool: &TermPool, mut things: Vec<Declared>, labels: Option<&Labels>) {
        if labels.is_some() {
            // Functions come first: they keep their names, and conflicting labels of symbols get a
            // number.
            things.sort_by_key(|thing| !matches!(thing, Declared::Function(_)));
        }
        for thing in things {
            let label = match (thing, labels) {
                (Declared::Symbol(symbol), Some(labels)) => labels.symbols.get(&symbol),
                _ => None,
            };
            let own = plain_name(pool, thing);
            let name = self.unique.claim(label.unwrap_or(&own));
            if own != name {
                self.renamed.insert(thing, quote(&name).into_owned());
            }
        }
        const PREFIXES: [&str; 5] = ["?", "?l", "?let", "?let.", "?hornwork.let."];
        let is_free = |prefix: &&str| {
            !self.unique.given().any(|name| {
                name.strip_prefix(*prefix).is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()))
            })
        };
        self.let_prefix = PREFIXES.into_iter().find(is_free).unwrap_or("?hornwork.let..");
    }

    /// Writes the name of `thing`.
    pub(super) fn write(&self, out: &mut dyn Write, pool: &TermPool, thing: Declared) -> fmt::Result {
        match self.renamed.get(&thing) {
            Some(name) => out.write_str(name),
            None => match thing {
                Declared::Symbol(symbol) => out.write_str(&quote(&pool.symbol_data(symbol).name)),
                _ => out.write_str(&quote(&plain_name(pool, thing))),
            },
        }
    }

    pub(super) fn write_declarations(&self, out: &mut dyn Write, pool: &TermPool) -> fmt::Result {
        for &sort in &self.sorts {
            writeln!(out, "(declare-sort {} 0)", quote(pool.uninterpreted_sort_name(sort)))?;
        }
        for &thing in &self.declared {
            out.write_str("(declare-fun ")?;
            self.write(out, pool, thing)?;
            out.write_str(" (")?;
            let result = match thing {
                Declared::Symbol(symbol) => pool.symbol_data(symbol).sort,
                Declared::Value(term) | Declared::Bound(term) => pool.sort(term),
                Declared::Function(function) => {
                    let (_, arguments, result) = pool.function_data(function);
                    for (i, &argument) in arguments.iter().enumerate() {
                        if i > 0 {
                            out.write_str(" ")?;
                        }
                        write_sort(out, pool, argument)?;
                    }
                    result
                }
            };
            out.write_str(") ")?;
            write_sort(out, pool, result)?;
            out.write_str(")\n")?;
        }
        Ok(())
    }
}

/// The entities of a text.
struct Entities {
    declared: Vec<Declared>,
    bound: Vec<Declared>,
    sorts: Vec<u32>,
}

impl Entities {
    fn of(pool: &TermPool, terms: &[Term]) -> Self {
        let mut declared = Vec::new();
        let mut functions = FxHashSet::default();
        let mut sorts = Vec::new();
        let mut seen_sorts = FxHashSet::default();
        let mut bound = Vec::new();
        pool.visit(
            terms,
            |_| true,
            |term| match pool.op(term) {
                Op::Symbol(symbol) => {
                    declared.push(Declared::Symbol(symbol));
                    collect_sort(pool, pool.sort(term), &mut seen_sorts, &mut sorts);
                }
                Op::Value(_) => {
                    declared.push(Declared::Value(term));
                    collect_sort(pool, pool.sort(term), &mut seen_sorts, &mut sorts);
                }
                Op::Bound(_) => {
                    bound.push(Declared::Bound(term));
                    collect_sort(pool, pool.sort(term), &mut seen_sorts, &mut sorts);
                }
                Op::Apply(function) if functions.insert(function) => {
                    declared.push(Declared::Function(function));
                    let (_, arguments, result) = pool.function_data(function);
                    for &sort in arguments.iter().chain([&result]) {
                        collect_sort(pool, sort, &mut seen_sorts, &mut sorts);
                    }
                }
                Op::ConstArray(_) => collect_sort(pool, pool.sort(term), &mut seen_sorts, &mut sorts),
                _ => {}
            },
        );
        Entities { declared, bound, sorts }
    }
}

fn plain_name(pool: &TermPool, thing: Declared) -> String {
    match thing {
        Declared::Symbol(symbol) => pool.symbol_data(symbol).name.clone(),
        Declared::Function(function) => pool.function_data(function).0.to_owned(),
        Declared::Value(term) => match pool.op(term) {
            Op::Value(index) => format!("v{index}"),
            op => unreachable!("{op:?} is not a value"),
        },
        Declared::Bound(term) => match pool.op(term) {
            Op::Bound(id) => pool.bound_name(id).to_owned(),
            op => unreachable!("{op:?} is not a bound variable"),
        },
    }
}

/// Adds the uninterpreted sorts that occur in `sort` to `sorts`.
fn collect_sort(pool: &TermPool, sort: Sort, seen: &mut FxHashSet<Sort>, sorts: &mut Vec<u32>) {
    if !seen.insert(sort) {
        return;
    }
    match sort {
        Sort::Uninterpreted(id) => sorts.push(id),
        Sort::Array(parts) => {
            let (index, element) = pool.array_sort_parts(parts);
            collect_sort(pool, index, seen, sorts);
            collect_sort(pool, element, seen, sorts);
        }
        _ => {}
    }
}
