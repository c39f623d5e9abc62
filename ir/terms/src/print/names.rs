//! Names and declarations of the free symbols, functions and sorts of terms.

use super::{Declared, quote, write_sort};
use crate::{Op, Sort, Term, TermPool, operators};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::{self, Write};

/// A unique text for each name.
pub(super) struct Names {
    /// Only the entities whose text differs from their name.
    renamed: FxHashMap<Declared, String>,
    declared: Vec<Declared>,
    sorts: Vec<u32>,
    /// The prefix of the names of `let` bindings; no other name is this prefix followed by digits.
    pub(super) let_prefix: &'static str,
}

impl Names {
    pub(super) fn new(pool: &TermPool, terms: &[Term]) -> Self {
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
        let mut names = Names { renamed: FxHashMap::default(), declared, sorts, let_prefix: "?" };
        names.rename(pool, &bound);
        names
    }

    /// Gives each entity a unique name. Bound variables come last, so that they are renamed in
    /// favor of declarations.
    fn rename(&mut self, pool: &TermPool, bound: &[Declared]) {
        let mut taken: FxHashSet<String> = FxHashSet::default();
        for &thing in self.declared.iter().chain(bound) {
            let name = quote(&plain_name(pool, thing)).into_owned();
            let name = if taken.contains(&name) || operators::is_theory_symbol(&plain_name(pool, thing)) {
                let unique = (1u32..)
                    .map(|n| quote(&format!("{}!{n}", plain_name(pool, thing))).into_owned())
                    .find(|name| !taken.contains(name))
                    .expect("only finitely many names are in use");
                self.renamed.insert(thing, unique.clone());
                unique
            } else {
                name
            };
            taken.insert(name);
        }
        const PREFIXES: [&str; 5] = ["?", "?l", "?let", "?let.", "?hornwork.let."];
        let is_free = |prefix: &&str| {
            !taken.iter().any(|name| {
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

/// Adds the uninterpreted sorts in `sort`.
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
