//! The operators of the analysis as options of the command line: one table.
//!
//! Each row names an operator of [`Config`], its values, how to set and show it, and where it has no
//! effect. The parser, `--help`, the manual and the refusal of options without effect follow from
//! [`OPERATORS`]; the types of the values are in [`config`](super::config).

use super::config::{
    Abstraction, BlockOperator, Config, Facts, ForcedCovering, Granularity, Induction, Merge, Order,
    Refinement, Region, Restart, Scope,
};
use super::presets::{BOUNDED, DEFAULT};
use std::borrow::Cow;
use terms::choice::Choice;

/// An operator of the analysis as an option.
#[derive(Clone, Copy, Debug)]
pub struct Operator {
    /// The name of the option, without dashes.
    pub name: &'static str,
    /// The question that a value answers, in one sentence.
    pub about: &'static str,
    /// How values are written.
    pub syntax: Syntax,
    /// Names and meaning of the values.
    values: fn() -> Values,
    /// Sets the operator, if all names are known.
    set: fn(&mut Config, &[&str]) -> Option<()>,
    /// The value as an argument of the option; `None` where the default of every preset is set.
    show: fn(&Config) -> Option<String>,
    /// What the option needs to have an effect, where the configuration does not have it.
    lacks: fn(&Config) -> Option<&'static str>,
}

/// Names of values, with their meaning.
pub type Values = Vec<(&'static str, &'static str)>;

/// How the values of an operator are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Syntax {
    /// One name.
    Name,
    /// Several names, in this order.
    Names,
    /// One name, or a positive number.
    NameOrNumber,
}

impl Operator {
    /// Names and meaning of the values that have names.
    #[must_use]
    pub fn values(&self) -> Values {
        (self.values)()
    }

    /// Sets the operator. `None`, and no change, if a name is unknown.
    pub fn set(&self, config: &mut Config, names: &[&str]) -> Option<()> {
        (self.set)(config, names)
    }

    /// Whether this is the name of a value, or a number where the operator takes one.
    #[must_use]
    pub fn accepts(&self, name: &str) -> bool {
        self.set(&mut super::presets::PRESETS[0].config.clone(), &[name]).is_some()
    }

    /// The value in `config` as an argument of the option; `None` where it has no effect, or is what
    /// is there without it.
    #[must_use]
    pub fn show(&self, config: &Config) -> Option<String> {
        match self.lacks(config) {
            Some(_) => None,
            None => (self.show)(config),
        }
    }

    /// Why the option has no effect in `config`; `None` where it has one.
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

fn with_precision(config: &Config) -> Option<&'static str> {
    let has_precision = matches!(config.refinement, Refinement::Predicate | Refinement::Ufo);
    (!has_precision).then_some("it is about predicates, which --refinement predicate and ufo make")
}

/// A row of an operator whose values are an enumeration.
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

/// All operators, in the order of *A Unifying View*, Table 1.
pub const OPERATORS: &[Operator] = &[
    Operator {
        name: "blk",
        about: "Where blocks end",
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
    operator!(region: Region, "region", "How abstraction formulas are kept", always),
    operator!(abstraction: Abstraction, "abstraction", "What is computed at the end of a block", always),
    operator!(merge: Merge, "merge", "Whether states of one block at one location are merged", always),
    operator!(order: Order, "order", "In which order states are expanded", always),
    operator!(
        fcover: ForcedCovering,
        "fcover",
        "Whether coverage of a state is forced before the state is expanded",
        always
    ),
    operator!(refinement: Refinement, "refinement", "What a refinement does with facts", always),
    Operator {
        name: "facts",
        about: "Where facts about infeasible counterexamples come from, in this order",
        syntax: Syntax::Names,
        values: values::<Facts>,
        set: |config, names| {
            let facts: Option<Vec<Facts>> = names.iter().map(|name| Facts::named(name)).collect();
            config.facts = Cow::Owned(facts?);
            Some(())
        },
        show: |config| {
            let names: Vec<&str> = config.facts.iter().map(|facts| facts.name()).collect();
            Some(names.join(","))
        },
        lacks: |config| (config.refinement == Refinement::None).then_some("facts are for a --refinement"),
    },
    operator!(scope: Scope, "scope", "Where a predicate is tracked", with_precision),
    operator!(granularity: Granularity, "granularity", "Which predicates are made of a fact", with_precision),
    operator!(restart: Restart, "restart", "What is explored again after a refinement of the precision", with_precision),
    Operator {
        name: INDUCTION,
        about: "Whether bounded model checking is extended to all executions by induction",
        syntax: Syntax::Name,
        values: values::<Induction>,
        set: |config, names| set(&mut config.induction, names),
        show: |config| (config.induction != Induction::None).then(|| config.induction.to_string()),
        lacks: always,
    },
];

const INDUCTION: &str = "induction";

/// The name of the preset that the operators of these names change where the user names none.
///
/// k-induction fixes all operators but its own, so a user who sets another one starts from bounded
/// model checking.
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
