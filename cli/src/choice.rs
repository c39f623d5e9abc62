//! Parsers of options, generated from the tables of the library.

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, Error};
use passes::emit::{EMITTERS, Emitter};
use passes::engines::predicate::Config;
use passes::engines::predicate::options::{OPERATORS, Operator, Syntax};
use serde_json::Value;
use std::ffi::{OsStr, OsString};
use terms::choice::Choice;
use views::BlockOperator;

/// Returns the parser of an enumeration, with a help text for each value.
pub(crate) fn choice<T: Choice + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let values = T::TABLE.iter().map(|named| PossibleValue::new(named.name).help(named.about));
    PossibleValuesParser::new(values).map(|text| {
        let named = T::TABLE.iter().find(|named| named.name.eq_ignore_ascii_case(&text));
        named.expect("the parser accepts the names of the table").value
    })
}

/// Returns the parser of the block operator of `emit`.
pub(crate) fn block_operator() -> impl TypedValueParser<Value = BlockOperator> {
    let operator = OPERATORS.iter().find(|operator| operator.name == "blk").expect("blk is an operator");
    OperatorParser(operator).map(|name| BlockOperator::named(&name).expect("the parser accepts operators"))
}

/// Parses a number of seconds.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && (0.0..=1e9).contains(&value) => Ok(value),
        _ => Err("expected a number of seconds from 0 to 1e9".to_string()),
    }
}

/// The target of `emit`.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// No output: only the errors and warnings of the front end.
    Check,
    /// A format of the registry.
    Format(&'static dyn Emitter),
}

/// The name of [`Target::Check`].
pub(crate) const CHECK: &str = "check";

/// Returns the parser of a target.
pub(crate) fn target() -> impl TypedValueParser<Value = Target> {
    let formats = EMITTERS.iter().map(|emitter| PossibleValue::new(emitter.name()).help(emitter.about()));
    let check = PossibleValue::new(CHECK).help("no output; print the errors and warnings of the front end");
    PossibleValuesParser::new(formats.chain([check])).map(|text| {
        let format = EMITTERS.iter().find(|emitter| emitter.name() == text);
        format.map_or(Target::Check, |&emitter| Target::Format(emitter))
    })
}

/// The operators of the analysis that are on the command line, with their values.
#[derive(Clone, Debug, Default)]
pub struct Operators(Vec<(&'static Operator, Vec<String>)>);

impl Operators {
    /// Returns the names of the operators.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|(operator, _)| operator.name)
    }

    /// Sets the values of the operators in `config`.
    pub(crate) fn apply(&self, config: &mut Config) {
        for (operator, values) in &self.0 {
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            operator.set(config, &values).expect("the parser accepts only values of the operator");
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

/// The arguments of a subcommand: those on the command line, and all values in effect.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// The identifiers of the arguments on the command line.
    written: Vec<String>,
    /// The words of each of them, for another command line.
    words: Vec<Words>,
    /// The names of all arguments with a value, including defaults, with their values.
    in_effect: Vec<(String, Vec<Value>)>,
}

/// An argument on the command line.
#[derive(Clone, Debug)]
enum Words {
    Option { id: String, words: Vec<OsString> },
    Operands(Vec<OsString>),
}

impl Words {
    fn of(arg: &Arg, matches: &ArgMatches) -> Self {
        let id = arg.get_id().as_str();
        let mut occurrences: Vec<Vec<OsString>> = Vec::new();
        for occurrence in matches.get_raw_occurrences(id).into_iter().flatten() {
            occurrences.push(occurrence.map(OsStr::to_owned).collect());
        }
        let Some(long) = arg.get_long() else { return Words::Operands(occurrences.concat()) };
        let mut words = Vec::new();
        match arg.get_action() {
            // The value of a flag is a Boolean or a count.
            ArgAction::Count => {
                let count = matches.get_count(id);
                words.extend((0..count).map(|_| OsString::from(format!("--{long}"))));
            }
            action if !action.takes_values() => words.push(format!("--{long}").into()),
            _ => {
                for occurrence in occurrences {
                    let mut word = OsString::from(format!("--{long}="));
                    word.push(occurrence.join(OsStr::new(",")));
                    words.push(word);
                }
            }
        }
        Words::Option { id: id.to_owned(), words }
    }
}

impl Given {
    /// Collects the arguments of the subcommand in `matches`, the result of parsing with `command`.
    pub(crate) fn of(command: &Command, matches: &ArgMatches) -> Self {
        let Some((name, matches)) = matches.subcommand() else { return Self::default() };
        let Some(command) = command.find_subcommand(name) else { return Self::default() };
        let mut given = Self::default();
        for arg in command.get_arguments() {
            let id = arg.get_id().as_str();
            let Ok(Some(values)) = matches.try_get_raw(id) else { continue };
            let values = values.map(|value| value.to_string_lossy());
            let values: Vec<Value> = match arg.get_action().takes_values() {
                true => values.map(|value| value.into_owned().into()).collect(),
                // The value of a flag is a Boolean or a count.
                false => values.map(|value| value.parse().unwrap_or(Value::Null)).collect(),
            };
            if matches.value_source(id) == Some(ValueSource::CommandLine) {
                given.written.push(id.to_owned());
                given.words.push(Words::of(arg, matches));
            }
            given.in_effect.push((id.replace('_', "-"), values));
        }
        given
    }

    /// The command line again, without the subcommand and without the options of these names, then
    /// `more` and the operands.
    pub(crate) fn words(&self, without: &[&str], more: &[OsString]) -> Vec<OsString> {
        let is_kept = |id: &str| !without.iter().any(|name| name.replace('-', "_") == id.replace('-', "_"));
        let mut all = Vec::new();
        let mut operands = Vec::new();
        for words in &self.words {
            match words {
                Words::Option { id, words } if is_kept(id) => all.extend_from_slice(words),
                Words::Option { .. } => {}
                Words::Operands(words) => operands.extend_from_slice(words),
            }
        }
        all.extend_from_slice(more);
        all.push("--".into());
        all.extend(operands);
        all
    }

    /// Whether the option of this name, without leading dashes, is on the command line.
    pub(crate) fn has(&self, option: &str) -> bool {
        let id = option.replace('-', "_");
        self.written.iter().any(|given| *given == id || given == option)
    }

    /// Returns the options in effect as a JSON object. Several values of an option form an array.
    pub(crate) fn json(&self) -> Value {
        let value = |values: &[Value]| match values {
            [one] => one.clone(),
            values => values.into(),
        };
        self.in_effect.iter().map(|(name, values)| (name.clone(), value(values))).collect()
    }
}
