//! Relations over data types: how models and derivations show their arguments.
//!
//! A reader takes an argument of a data type to several arguments, its components
//! ([`encode::datatypes`]). Engines only see components; [`Signatures`] puts them together again in
//! the evidence.

use crate::{Relation, RelationData, System};
use encode::datatypes::{Access, Datatypes};
use rustc_hash::FxHashMap;
use terms::print::{self, Unique, quote};
use terms::{Sort, TermPool, Value};

/// The sorts of relations before data types were replaced by their components.
#[derive(Clone, Debug, Default)]
pub struct Signatures {
    datatypes: Datatypes,
    parameters: FxHashMap<Relation, Vec<Sort>>,
}

/// A parameter of a relation.
struct Parameter {
    name: String,
    sort: Sort,
    /// The suffixes of the names of its components.
    suffixes: Vec<String>,
}

/// The definition of a relation in a model, around its formula.
pub(crate) struct Frame {
    /// The parameters: `(x Color) (y Int)`.
    pub(crate) parameters: String,
    /// The text before the formula over components.
    pub(crate) before: String,
    /// The text after it.
    pub(crate) after: String,
}

impl Signatures {
    /// The data types, and the sorts of each relation that has some.
    #[must_use]
    pub fn new(datatypes: Datatypes, parameters: FxHashMap<Relation, Vec<Sort>>) -> Self {
        Signatures { datatypes, parameters }
    }

    /// Names that the text of a model uses besides those of relations and symbols.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.datatypes.names()
    }

    /// The names and the values of the arguments of a fact, in data types.
    pub fn arguments(
        &mut self,
        pool: &mut TermPool,
        system: &System,
        relation: Relation,
        values: &[Value],
    ) -> Vec<(String, String)> {
        let data = &system.relations[relation];
        let Some(parameters) = self.parameters(pool, relation, data) else {
            let names = data.arguments.iter().map(|argument| argument.name.clone());
            return names.zip(values.iter().map(ToString::to_string)).collect();
        };
        let mut rest = values;
        let mut arguments = Vec::with_capacity(parameters.len());
        for Parameter { name, sort, suffixes } in parameters {
            let (own, others) = rest.split_at(suffixes.len());
            let mut text = String::new();
            self.datatypes.write_value(&mut text, pool, sort, own).expect("writing to a string cannot fail");
            arguments.push((name, text));
            rest = others;
        }
        arguments
    }

    /// The parameters of a relation; none if it has no data types.
    fn parameters(
        &mut self,
        pool: &mut TermPool,
        relation: Relation,
        data: &RelationData,
    ) -> Option<Vec<Parameter>> {
        let sorts = self.parameters.get(&relation)?.clone();
        let mut arguments = data.arguments.iter();
        let mut unique = Unique::for_readers();
        let mut parameters = Vec::with_capacity(sorts.len());
        for (place, sort) in sorts.into_iter().enumerate() {
            let layout = self.datatypes.layout(pool, sort);
            let suffixes: Vec<String> = layout.iter().map(|component| component.suffix.clone()).collect();
            let first = arguments
                .by_ref()
                .take(suffixes.len())
                .fold(None, |first, argument| first.or(Some(argument)));
            let name = first.and_then(|first| first.name.strip_suffix(&*suffixes[0]));
            let name =
                name.filter(|name| !name.is_empty()).map_or_else(|| format!("x{place}"), str::to_owned);
            parameters.push(Parameter { name: unique.claim(&name), sort, suffixes });
        }
        Some(parameters)
    }

    /// The definition of a relation over data types; `names` are the names of its components.
    /// `None` if it has none.
    pub(crate) fn frame(
        &mut self,
        pool: &mut TermPool,
        (relation, data): (Relation, &RelationData),
        names: &[String],
    ) -> Option<Frame> {
        let parameters = self.parameters(pool, relation, data)?;
        let [mut list, mut lets, mut variables, mut equations] = [const { String::new() }; 4];
        let mut rest = names;
        let mut unique = Unique::for_readers();
        // A parameter hides neither a constructor nor a component.
        for name in self.names().chain(names.iter().map(|name| name.trim_matches('|'))) {
            unique.claim(name);
        }
        for Parameter { name, sort, suffixes } in parameters {
            let name = quote(&unique.claim(&name)).into_owned();
            let space = if list.is_empty() { "" } else { " " };
            list.push_str(&format!("{space}({name} {})", print::sort(pool, sort)));
            let (own, others) = rest.split_at(suffixes.len());
            rest = others;
            for (component, access) in own.iter().zip(self.datatypes.access(pool, sort, &name, own)) {
                let space = |text: &str| if text.is_empty() { "" } else { " " };
                match access {
                    Access::Term(term) => lets.push_str(&format!("{}({component} {term})", space(&lets))),
                    Access::Array(sort, equation) => {
                        let sort = print::sort(pool, sort);
                        variables.push_str(&format!("{}({component} {sort})", space(&variables)));
                        equations.push(' ');
                        equations.push_str(&equation);
                    }
                }
            }
        }
        let (mut before, mut after) = (String::new(), String::new());
        if !variables.is_empty() {
            before = format!("(exists ({variables}) (and{equations} ");
            after.push_str("))");
        }
        if !lets.is_empty() {
            before.push_str(&format!("(let ({lets}) "));
            after.push(')');
        }
        Some(Frame { parameters: list, before, after })
    }
}
