//! Declared relations, and clauses over them.
//!
//! The arguments of a relation are named for readers by the variables of the first atom of a body
//! in which it occurs first.

use super::sequent::RawClause;
use crate::smtlib::Declaration;
use horn::{Argument, Normalizer, OpenAtom, OpenClause, Relation, RelationData, System, variable_name};
use rustc_hash::{FxHashMap, FxHashSet};
use terms::{FunctionSymbol, Op, Term, TermPool};

/// Builds a system.
#[derive(Debug, Default)]
pub(super) struct Builder {
    system: System,
    normalizer: Normalizer,
    functions: FxHashMap<FunctionSymbol, Relation>,
    constants: FxHashMap<Term, Relation>,
    names: FxHashMap<String, Relation>,
    /// The relations whose arguments are named.
    named: FxHashSet<Relation>,
}

impl Builder {
    /// Adds a relation.
    pub(super) fn relation(&mut self, pool: &mut TermPool, declaration: Declaration, name: &str) -> Relation {
        let relation = self.system.relations.next_key();
        let sorts = match declaration {
            Declaration::Constant(symbol) => {
                self.constants.insert(symbol, relation);
                Vec::new()
            }
            Declaration::Function(function) => {
                self.functions.insert(function, relation);
                pool.function_data(function).1.to_vec()
            }
        };
        // A declared name is unique, so a relation that has it already is auxiliary.
        if let Some(auxiliary) = self.names.insert(name.to_owned(), relation) {
            let other = std::iter::successors(Some(format!("{name}!")), |name| Some(format!("{name}!")))
                .find(|name| !self.names.contains_key(name))
                .expect("the candidates are infinitely many");
            self.system.relations[auxiliary].name.clone_from(&other);
            self.names.insert(other, auxiliary);
        }
        let arguments = sorts.into_iter().enumerate().map(|(place, sort)| Argument {
            name: format!("x{place}"),
            symbol: self.normalizer.argument(pool, &format!("{name}.{place}"), sort),
        });
        let arguments = arguments.collect();
        self.system.relations.push(RelationData { name: name.to_owned(), arguments, origin: String::new() })
    }

    /// The relation and the arguments of an atom.
    fn atom(&self, pool: &TermPool, atom: Term) -> OpenAtom {
        let relation = match pool.op(atom) {
            Op::Apply(function) => self.functions.get(&function),
            _ => self.constants.get(&atom),
        };
        (*relation.expect("the relation of an atom is declared"), pool.children(atom).to_vec())
    }

    /// Names the arguments of a relation by the variables of an atom.
    fn name_arguments(&mut self, pool: &TermPool, (relation, terms): &OpenAtom) {
        if !self.named.insert(*relation) {
            return;
        }
        let name = |term: Term| match pool.op(term) {
            Op::Bound(_) | Op::Symbol(_) => Some(variable_name(pool, term)),
            _ => None,
        };
        let used: FxHashSet<String> = terms.iter().filter_map(|&term| name(term)).collect();
        let mut taken = FxHashSet::default();
        for (argument, &term) in self.system.relations[*relation].arguments.iter_mut().zip(terms) {
            match name(term).filter(|name| !taken.contains(name)) {
                Some(name) => argument.name = name,
                None => {
                    while used.contains(&argument.name) || taken.contains(&argument.name) {
                        argument.name.push('\'');
                    }
                }
            }
            taken.insert(argument.name.clone());
        }
    }

    /// Adds a clause.
    pub(super) fn clause(&mut self, pool: &mut TermPool, raw: RawClause, origin: String) {
        let open = OpenClause {
            body: raw.body.iter().map(|&atom| self.atom(pool, atom)).collect(),
            constraint: raw.constraint,
            head: raw.head.map(|atom| self.atom(pool, atom)),
        };
        if let Some(first) = open.body.first() {
            self.name_arguments(pool, first);
        }
        let data = self.normalizer.clause(pool, &self.system, &open, origin);
        self.system.clauses.push(data);
    }

    pub(super) fn finish(self) -> System {
        self.system
    }
}
