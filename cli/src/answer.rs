//! The answers of commands: a verdict with its evidence or reason, as text or JSON.

use crate::error::CliError;
use crate::options::{Color, Command, Options, VerifyOptions};
use crate::{Streams, exit};
use passes::evidence::UnknownKind;
use passes::trace::Look;
use serde_json::{Value, json};
use std::io::Write;
use terms::choice::Choice;

/// The output format of answers.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    /// Lines of text. The last line is the verdict.
    Text,
    /// One JSON object.
    Json {
        /// The options in effect.
        options: Value,
    },
    /// One JSON object with the text, for the portfolio that the run is a stage of.
    Stage,
}

/// A verdict with its exit code, and the evidence or reason as text and as JSON.
pub(crate) struct Answer {
    pub(crate) verdict: String,
    pub(crate) code: u8,
    pub(crate) text: String,
    pub(crate) json: Value,
}

impl Form {
    /// Returns the format that the options select.
    pub(crate) fn of(verify: &VerifyOptions, global: &Options) -> Self {
        if verify.portfolio.stage.is_some() {
            return Form::Stage;
        }
        if !verify.json {
            return Form::Text;
        }
        let mut options = global.given.json();
        options["algorithm"] = verify.analysis.name(&global.given).into();
        Form::Json { options }
    }

    /// Returns the format that the options of the command select.
    pub(crate) fn of_command(global: &Options) -> Self {
        match &global.command {
            Command::Verify(verify) => Form::of(verify, global),
            Command::Infer(infer) if infer.json => Form::Json { options: global.given.json() },
            _ => Form::Text,
        }
    }

    /// Returns `members` with the version and the options.
    pub(crate) fn header(&self, members: Value) -> Value {
        let mut object = members;
        object["version"] = env!("CARGO_PKG_VERSION").into();
        if let Form::Json { options } = self {
            object["options"] = options.clone();
        }
        object
    }

    /// Returns `members` with the members that every object with a verdict has: version, options
    /// and inputs.
    fn object(&self, members: Value) -> Value {
        let mut object = self.header(members);
        if object.get("inputs").is_none() {
            object["inputs"] = json!([]);
        }
        object
    }

    /// Writes an error as a JSON object. Writes nothing in the text format.
    pub(crate) fn write_error(&self, error: &CliError, out: &mut dyn Write) {
        if !matches!(self, Form::Text) {
            let _ = writeln!(out, "{}", self.object(error.json()));
        }
    }
}

impl Answer {
    /// Returns UNKNOWN with a reason and the advice for its kind.
    pub(crate) fn unknown(kind: UnknownKind, reason: &str) -> Self {
        // The verdict is one line, even if the reason has several.
        let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
        Answer {
            verdict: format!("UNKNOWN({reason})"),
            code: exit::UNKNOWN,
            text: format!("hint: {}\n", kind.advice()),
            json: json!({
                "verdict": "UNKNOWN", "reason": reason, "kind": kind.name(), "hint": kind.advice(),
            }),
        }
    }

    /// Returns the answer of a stage, from the object that it printed.
    pub(crate) fn of_stage(mut object: Value, code: u8) -> Option<Self> {
        let members = object.as_object_mut()?;
        let mut text = |name: &str| match members.remove(name) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        let (text, verdict) = (text("text")?, text("line")?);
        Some(Answer { verdict, code, text, json: object })
    }

    /// Writes the answer. A JSON object includes the statistics, if given.
    pub(crate) fn write(
        self,
        form: &Form,
        out: &mut dyn Write,
        statistics: Option<Value>,
    ) -> std::io::Result<()> {
        match form {
            Form::Json { .. } | Form::Stage => {
                let mut object = form.object(self.json);
                if let Form::Stage = form {
                    object["text"] = self.text.into();
                    object["line"] = self.verdict.into();
                }
                if let Some(statistics) = statistics {
                    object["statistics"] = statistics;
                }
                writeln!(out, "{object}")
            }
            Form::Text => {
                write!(out, "{}", self.text)?;
                writeln!(out, "{}", self.verdict)
            }
        }
    }
}

/// Returns the style of traces on standard output.
pub(crate) fn look(color: Color, streams: &Streams<'_>) -> Look {
    let is_terminal = streams.out_width.is_some();
    let is_plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
        || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    match color {
        Color::Always => Look::Colored,
        Color::Auto if is_terminal && !is_plain => Look::Colored,
        Color::Auto | Color::Never if is_terminal => Look::Framed,
        Color::Auto | Color::Never => Look::Plain,
    }
}
