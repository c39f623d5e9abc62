//! Parsers of options, made of the tables of the library.

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Command, Error};
use passes::emit::{EMITTERS, Emitter};
use passes::engines::predicate::Config;
use passes::engines::predicate::options::{OPERATORS, Operator, Syntax};
use std::ffi::OsStr;
use terms::choice::Choice;
use views::BlockOperator;

/// The parser of an enumeration, with the help of its values.
pub(crate) fn choice<T: Choice + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let values = T::TABLE.iter().map(|named| PossibleValue::new(named.name).help(named.about));
    PossibleValuesParser::new(values).map(|text| {
        let named = T::TABLE.iter().find(|named| named.name.eq_ignore_ascii_case(&text));
        named.expect("the parser accepts the names of the table").value
    })
}

/// The parser of a block operator, for `verify` and `emit`.
pub(crate) fn block_operator() -> impl TypedValueParser<Value = BlockOperator> {
    let operator = OPERATORS.iter().find(|operator| operator.name == "blk").expect("it is an operator");
    OperatorParser(operator).map(|name| BlockOperator::named(&name).expect("the parser accepts operators"))
}

/// The target of `emit`.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// No file: only the errors and warnings of the front end.
    Check,
    /// A format of the registry.
    Format(&'static dyn Emitter),
}

/// The name of [`Target::Check`].
pub(crate) const CHECK: &str = "check";

/// The parser of a target.
pub(crate) fn target() -> impl TypedValueParser<Value = Target> {
    let formats = EMITTERS.iter().map(|emitter| PossibleValue::new(emitter.name()).help(emitter.about()));
    let check = PossibleValue::new(CHECK).help("no file, only the errors and warnings of the front end");
    PossibleValuesParser::new(formats.chain([check])).map(|text| {
        let format = EMITTERS.iter().find(|emitter| emitter.name() == text);
        format.map_or(Target::Check, |&emitter| Target::Format(emitter))
    })
}

/// The operators of the analysis on the command line, with their values.
#[derive(Clone, Debug, Default)]
pub struct Operators(Vec<(&'static Operator, Vec<String>)>);

impl Operators {
    /// The names of the options.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|(operator, _)| operator.name)
    }

    /// Sets the operators in `config`.
    pub(crate) fn apply(&self, config: &mut Config) {
        for (operator, values) in &self.0 {
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            operator.set(config, &values).expect("the parser accepts what the operator accepts");
        }
    }
}

/// The parser of one value of an operator.
#[derive(Clone)]
struct OperatorParser(&'static Operator);

impl OperatorParser {
    fn named_values(&self) -> impl Iterator<Item = PossibleValue> {
        self.0.values().into_iter().map(|(name, about)| PossibleValue::new(name).help(about))
    }
}

impl TypedValueParser for OperatorParser {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        let text = StringValueParser::new().parse_ref(command, arg, value)?;
        if self.0.accepts(&text) {
            return Ok(text);
        }
        let named = self.named_values().filter(|value| self.0.accepts(value.get_name()));
        PossibleValuesParser::new(named).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.named_values()))
    }
}

impl clap::Args for Operators {
    fn augment_args(command: Command) -> Command {
        command.args(OPERATORS.iter().map(|operator| {
            let arg = Arg::new(operator.name)
                .long(operator.name)
                .help(operator.about)
                .help_heading("Choices of the algorithm")
                .hide_short_help(true)
                .value_parser(OperatorParser(operator));
            match operator.syntax {
                Syntax::Name => arg.value_name("NAME"),
                Syntax::NameOrNumber => arg.value_name("NAME|N"),
                Syntax::Names => arg.value_name("NAME,…").value_delimiter(',').action(ArgAction::Append),
            }
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for Operators {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given = OPERATORS.iter().filter_map(|operator| {
            let values = matches.get_many::<String>(operator.name)?;
            Some((operator, values.cloned().collect()))
        });
        Ok(Operators(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The identifiers of a subcommand's arguments that are on the command line.
#[derive(Clone, Debug, Default)]
pub struct Given(Vec<String>);

impl Given {
    /// The arguments of the subcommand in `matches`.
    pub(crate) fn of(matches: &ArgMatches) -> Self {
        let Some((_, matches)) = matches.subcommand() else { return Self::default() };
        let is_given = |name: &str| {
            matches.try_contains_id(name).is_ok()
                && matches.value_source(name) == Some(clap::parser::ValueSource::CommandLine)
        };
        Given(matches.ids().map(clap::Id::as_str).filter(|name| is_given(name)).map(str::to_owned).collect())
    }

    /// Whether the option of this name, without leading dashes, is on the command line.
    pub(crate) fn has(&self, option: &str) -> bool {
        let id = option.replace('-', "_");
        self.0.iter().any(|given| *given == id || given == option)
    }
}
