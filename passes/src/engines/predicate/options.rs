//! The operators of the analysis as command-line options, in one table.
//!
//! Each row names an operator of [`Config`], its values, how to set and show it, and the condition
//! under which it has an effect. The parser, `--help`, the manual and the rejection of options
//! without effect are derived from [`OPERATORS`]; the types of the values are in
//! [`config`](super::config).

use super::config::{
    Abstraction, BlockOperator, Candidates, Config, Facts, ForcedCovering, Granularity, Induction,
    InitialPrecision, Injection, Merge, Order, Refinement, Region, Restart, Scope,
};
use super::presets::{BOUNDED, DEFAULT};
use std::borrow::Cow;
use terms::choice::Choice;

/// An operator of the analysis as an option.
#[derive(Clone, Copy, Debug)]
pub struct Operator {
    /// The name of the option, without dashes.
    pub name: &'static str,
    /// The help text of the option, in one sentence.
    pub about: &'static str,
    /// The syntax of values.
    pub syntax: Syntax,
    /// The names of the values with their help texts.
    values: fn() -> Values,
    /// Sets the operator, if all names are known.
    set: fn(&mut Config, &[&str]) -> Option<()>,
    /// Returns the value as an argument of the option, or `None` if it is the default of every
    /// preset.
    show: fn(&Config) -> Option<String>,
    /// Returns the unmet condition if the option has no effect in the configuration.
    lacks: fn(&Config) -> Option<&'static str>,
}

/// Names of values with their help texts.
pub type Values = Vec<(&'static str, &'static str)>;

/// The syntax of the values of an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Syntax {
    /// One name.
    Name,
    /// A list of names, in order.
    Names,
    /// One name, or a positive number.
    NameOrNumber,
}

impl Operator {
    /// The named values with their help texts.
    #[must_use]
    pub fn values(&self) -> Values {
        (self.values)()
    }

    /// Sets the operator. Returns `None` and changes nothing if a name is unknown.
    pub fn set(&self, config: &mut Config, names: &[&str]) -> Option<()> {
        (self.set)(config, names)
    }

    /// Whether `name` is the name of a value, or a number if the operator takes one.
    #[must_use]
    pub fn accepts(&self, name: &str) -> bool {
        self.set(&mut super::presets::PRESETS[0].config.clone(), &[name]).is_some()
    }

    /// The value in `config` as an argument of the option; `None` if the option has no effect or
    /// the value is the default.
    #[must_use]
    pub fn show(&self, config: &Config) -> Option<String> {
        match self.lacks(config) {
            Some(_) => None,
            None => (self.show)(config),
        }
    }

    /// Why the option has no effect in `config`; `None` if it has one.
    #[must_use]
    pub fn lacks(&self, config: &Config) -> Option<&'static str> {
        (self.lacks)(config)
    }
}

fn values<T: Choice>() -> Values {
    T::TABLE.iter().map(|named| (named.name, named.about)).collect()
}

fn set<T: Choice>(field: &mut T, names: &[&str]) -> Option<()> {
    let &[name] = names else { return None };
    *field = T::named(name)?;
    Some(())
}

fn always(_: &Config) -> Option<&'static str> {
    None
}

fn with_refinement(config: &Config) -> Option<&'static str> {
    (config.refinement == Refinement::None).then_some("it requires a --refinement other than none")
}

fn with_precision(config: &Config) -> Option<&'static str> {
    let has_precision = matches!(config.refinement, Refinement::Predicate | Refinement::Ufo);
    (!has_precision).then_some("it requires predicates from --refinement predicate or ufo")
}

/// The value of a list as an argument of its option.
fn list<T: Choice>(values: &[T]) -> String {
    values.iter().map(|value| value.name()).collect::<Vec<_>>().join(",")
}

/// Sets a list; `none` denotes the empty one.
fn set_list<T: Choice>(field: &mut Cow<'static, [T]>, names: &[&str]) -> Option<()> {
    *field = match names {
        ["none"] => Cow::Borrowed(&[]),
        _ => names.iter().map(|name| T::named(name)).collect::<Option<Vec<T>>>()?.into(),
    };
    Some(())
}

/// A row for an operator with an enumeration of values.
macro_rules! operator {
    ($field:ident: $type:ty, $name:literal, $about:literal, $lacks:expr) => {
        Operator {
            name: $name,
            about: $about,
            syntax: Syntax::Name,
            values: values::<$type>,
            set: |config, names| set(&mut config.$field, names),
            show: |config| Some(config.$field.to_string()),
            lacks: $lacks,
        }
    };
}

/// All operators, in the order of Table 1 of *A Unifying View on SMT-Based Software Verification*.
pub const OPERATORS: &[Operator] = &[
    Operator {
        name: "blk",
        about: "Block operator: the locations where blocks end",
        syntax: Syntax::NameOrNumber,
        values: || BlockOperator::VALUES.iter().map(|&(name, about, _)| (name, about)).collect(),
        set: |config, names| {
            let &[name] = names else { return None };
            config.blk = BlockOperator::named(name)?;
            Some(())
        },
        show: |config| Some(config.blk.to_string()),
        lacks: always,
    },
    operator!(region: Region, "region", "Representation of abstraction formulas", always),
    operator!(abstraction: Abstraction, "abstraction", "Abstraction at the end of a block", always),
    operator!(merge: Merge, "merge", "Merging of states of one block at one location", always),
    operator!(order: Order, "order", "Exploration order", always),
    operator!(
        fcover: ForcedCovering,
        "fcover",
        "Forced covering of a state before its expansion",
        always
    ),
    operator!(refinement: Refinement, "refinement", "Use of facts in a refinement", always),
    Operator {
        name: "facts",
        about: "Sources of facts about infeasible counterexamples, in order of use",
        syntax: Syntax::Names,
        values: values::<Facts>,
        set: |config, names| {
            let facts: Option<Vec<Facts>> = names.iter().map(|name| Facts::named(name)).collect();
            config.facts = Cow::Owned(facts?);
            Some(())
        },
        show: |config| Some(list(&config.facts)),
        lacks: with_refinement,
    },
    operator!(scope: Scope, "scope", "Scope of a predicate", with_precision),
    operator!(granularity: Granularity, "granularity", "Predicates made from a fact", with_precision),
    operator!(restart: Restart, "restart", "Part of the graph explored again after a refinement of the precision", with_precision),
    Operator {
        name: "inject",
        about: "Places where auxiliary invariants are added",
        syntax: Syntax::Names,
        values: values::<Injection>,
        set: |config, names| set_list(&mut config.injection, names),
        show: |config| (!config.injection.is_empty()).then(|| list(&config.injection)),
        lacks: with_refinement,
    },
    Operator {
        name: "candidates",
        about: "Formulas of refuted counterexamples that are checked for being invariants",
        syntax: Syntax::Names,
        values: values::<Candidates>,
        set: |config, names| set_list(&mut config.candidates, names),
        show: |config| (!config.candidates.is_empty()).then(|| list(&config.candidates)),
        lacks: with_refinement,
    },
    Operator {
        name: "initial-precision",
        about: "Predicates before the first refinement",
        syntax: Syntax::Name,
        values: values::<InitialPrecision>,
        set: |config, names| set(&mut config.initial, names),
        show: |config| (config.initial != InitialPrecision::None).then(|| config.initial.to_string()),
        lacks: with_precision,
    },
    Operator {
        name: INDUCTION,
        about: "Extension of bounded model checking to all executions by induction",
        syntax: Syntax::Name,
        values: values::<Induction>,
        set: |config, names| set(&mut config.induction, names),
        show: |config| (config.induction != Induction::None).then(|| config.induction.to_string()),
        lacks: always,
    },
];

const INDUCTION: &str = "induction";

/// The name of the preset that serves as the base if the user sets operators of these names and no
/// preset.
///
/// k-induction fixes all operators but its own, so setting any other operator selects bounded model
/// checking as the base.
#[must_use]
pub fn base<'n>(mut operators: impl Iterator<Item = &'n str>) -> &'static str {
    match operators.any(|name| name != INDUCTION) {
        true => BOUNDED,
        false => DEFAULT,
    }
}

#[cfg(test)]
mod tests {
    use super::super::presets::{PRESETS, preset};
    use super::*;

    #[test]
    fn what_a_preset_shows_makes_it_of_another_one() {
        for preset in PRESETS {
            let mut config = self::preset(BOUNDED).expect("there is a row").config.clone();
            for operator in OPERATORS {
                if let Some(shown) = operator.show(&preset.config) {
                    let names: Vec<&str> = shown.split(',').collect();
                    assert_eq!(operator.set(&mut config, &names), Some(()), "{shown}");
                }
            }
            assert_eq!(config, preset.config, "{}", preset.name);
        }
    }

    #[test]
    fn every_value_is_accepted_and_shown() {
        for operator in OPERATORS {
            let mut config = preset("predicate").expect("there is a row").config.clone();
            for (name, _) in operator.values().into_iter().filter(|&(name, _)| name != "N") {
                assert!(operator.accepts(name), "{name}");
                operator.set(&mut config, &[name]).expect("accepted");
                assert_eq!((operator.show)(&config).unwrap_or("none".into()), name);
            }
            assert!(!operator.accepts("0") && !operator.accepts(""), "{}", operator.name);
        }
    }
}
