//! Solvers that are programs of the user: `--solver-command`, `--solver-file`, and the process in
//! which they run.

use crate::binary::this_binary;
use crate::error::CliError;
use backend_process::{Dialect, Scopes, Specification};
use backends::child::{ChildCommand, Group};
use backends::{Capabilities, Registry, Support, THEORIES};
use clap::Args;
use serde::Deserialize;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use terms::choice::Choice;

/// Solvers that are programs of the user.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Solver")]
pub struct ExternalOptions {
    /// Another solver: a program that reads SMT-LIB from standard input; may be given several
    /// times.
    ///
    /// The other options refer to it by NAME. It is taken to support all theories, models, unsat
    /// cores, quantifiers, push and pop, but no interpolants; --solver-file describes others. The
    /// words of COMMAND are split as by a shell, which does not run.
    #[arg(long, hide_short_help = true, value_name = "NAME=COMMAND")]
    pub solver_command: Vec<String>,

    /// Other solvers from a file in TOML, with their features; may be given several times.
    ///
    /// Each table [[solver]] has a name and a command, and may have interpolants (smtinterpol or
    /// mathsat), logic, preamble, theories, models, unsat-cores, quantifiers and scopes (native or
    /// restart); see docs/tutorial-compare.md.
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    pub solver_file: Vec<PathBuf>,
}

/// A file of solvers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    solver: Vec<Entry>,
}

/// A solver in a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Entry {
    name: String,
    command: String,
    interpolants: Option<String>,
    logic: Option<String>,
    #[serde(default)]
    preamble: Vec<String>,
    theories: Option<Vec<String>>,
    #[serde(default = "yes")]
    models: bool,
    #[serde(default = "yes")]
    unsat_cores: bool,
    #[serde(default = "yes")]
    quantifiers: bool,
    #[serde(default)]
    scopes: Handling,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Handling {
    #[default]
    Native,
    Restart,
}

fn yes() -> bool {
    true
}

impl ExternalOptions {
    /// The options again, as words of a command line that is independent of the working folder.
    pub(crate) fn words(&self) -> Result<Vec<String>, CliError> {
        let mut words: Vec<String> =
            self.solver_command.iter().map(|text| format!("--solver-command={text}")).collect();
        for file in &self.solver_file {
            let absolute =
                std::path::absolute(file).map_err(|source| CliError::Io { path: file.clone(), source })?;
            words.push(format!("--solver-file={}", absolute.display()));
        }
        Ok(words)
    }

    /// Adds the solvers to `registry`, after the built-in ones. `memory` limits each process, in
    /// bytes.
    ///
    /// # Errors
    /// A malformed description, or a name that is in use.
    pub(crate) fn extend(&self, registry: &mut Registry, memory: Option<u64>) -> Result<(), CliError> {
        let mut entries = Vec::new();
        for text in &self.solver_command {
            let parts =
                text.split_once('=').filter(|(name, command)| !name.is_empty() && !command.is_empty());
            let Some((name, command)) = parts else {
                return Err(CliError::Usage(format!("--solver-command {text}: expected NAME=COMMAND")));
            };
            entries.push(Entry::of_command(name, command));
        }
        for path in &self.solver_file {
            let text = std::fs::read_to_string(path)
                .map_err(|source| CliError::Io { path: path.clone(), source })?;
            let malformed = |error: String| CliError::Usage(format!("{}: {error}", path.display()));
            let file: File = toml::from_str(&text).map_err(|error| malformed(error.to_string()))?;
            entries.extend(file.solver);
        }
        for entry in entries {
            let name = entry.name.clone();
            let wrong = |what: String| CliError::Usage(format!("solver `{name}`: {what}"));
            let taken = registry.prover(&name).is_some() || registry.interpolator(&name).is_some();
            if taken || name.is_empty() || name.contains(|c: char| c.is_whitespace() || ",+=/".contains(c)) {
                return Err(wrong("the name is in use, or has a space or one of , + = /".to_owned()));
            }
            let specification = Rc::new(entry.specification(memory).map_err(wrong)?);
            registry.interpolators.extend(backend_process::interpolator(&specification));
            registry.provers.push(Rc::new(backend_process::factory(specification)));
        }
        Ok(())
    }
}

impl Entry {
    fn of_command(name: &str, command: &str) -> Self {
        Entry {
            name: name.to_owned(),
            command: command.to_owned(),
            interpolants: None,
            logic: None,
            preamble: Vec::new(),
            theories: None,
            models: true,
            unsat_cores: true,
            quantifiers: true,
            scopes: Handling::Native,
        }
    }

    fn specification(self, memory: Option<u64>) -> Result<Specification, String> {
        let words = shlex::split(&self.command).filter(|words| !words.is_empty());
        let words = words.ok_or_else(|| format!("not a command: {}", self.command))?;
        let theories = match &self.theories {
            None => THEORIES.to_vec(),
            Some(names) => names.iter().map(|name| theory(name)).collect::<Result<_, _>>()?,
        };
        let interpolants = match &self.interpolants {
            None => None,
            Some(name) => Some(Dialect::named(name).ok_or_else(|| {
                let known: Vec<&str> = Dialect::all().map(Choice::name).collect();
                format!("unknown dialect of interpolants `{name}`; expected {}", known.join(" or "))
            })?),
        };
        let support = |is_supported| if is_supported { Support::Full } else { Support::None };
        Ok(Specification {
            // The registry, which lives as long as the process, holds the name.
            name: self.name.leak(),
            command: command(words, memory),
            logic: self.logic,
            preamble: self.preamble,
            capabilities: Capabilities {
                theories,
                unsat_cores: support(self.unsat_cores),
                models: support(self.models),
                quantifiers: support(self.quantifiers),
                ..Capabilities::default()
            },
            scopes: match self.scopes {
                Handling::Native => Scopes::Native,
                Handling::Restart => Scopes::Restart,
            },
            interpolants,
        })
    }
}

fn theory(name: &str) -> Result<&'static str, String> {
    let known = THEORIES.iter().find(|known| **known == name);
    known.copied().ok_or_else(|| format!("unknown theory `{name}`; expected {}", THEORIES.join(", ")))
}

/// The command of the process, which ends with this one.
fn command(words: Vec<String>, memory: Option<u64>) -> ChildCommand {
    let mut words = words.into_iter().map(OsString::from);
    let (role, stop, group) = ("solver", &[], Group::Own);
    match this_binary() {
        Some(program) => {
            let arguments = ["contain".into(), "--".into()].into_iter().chain(words).collect();
            ChildCommand { program: program.to_path_buf(), arguments, role, stop, memory, group }
        }
        None => {
            let program = words.next().map(PathBuf::from).unwrap_or_default();
            ChildCommand { program, arguments: words.collect(), role, stop, memory, group }
        }
    }
}

/// `hornwork contain`.
#[derive(Args, Debug, Clone)]
pub struct ContainOptions {
    /// The program and its arguments.
    #[arg(last = true, required = true)]
    pub command: Vec<OsString>,
}

/// Becomes the program of `options`, which the system kills when the process that started this one
/// ends.
///
/// # Errors
/// If the program cannot be started.
pub(crate) fn contain(options: &ContainOptions) -> Result<u8, CliError> {
    crate::processes::end_with_parent();
    let Some((program, arguments)) = options.command.split_first() else {
        return Err(CliError::Usage("contain: no program".to_owned()));
    };
    let source = std::process::Command::new(program).args(arguments).exec();
    Err(CliError::Io { path: Path::new(program).to_path_buf(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extended(text: &str) -> Result<Registry, String> {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), text).expect("a file");
        let options = ExternalOptions { solver_file: vec![file.path().to_path_buf()], ..Default::default() };
        let mut registry = Registry::default();
        options.extend(&mut registry, None).map(|()| registry).map_err(|error| error.to_string())
    }

    #[test]
    fn a_file_describes_solvers_with_their_features() {
        let text = "[[solver]]\nname = 'a'\ncommand = 'a -i \"b c\"'\ntheories = ['Core', 'Ints']\n\
            quantifiers = false\ninterpolants = 'mathsat'\nscopes = 'restart'\n[[solver]]\nname = 'b'\ncommand = 'b'\n";
        let registry = extended(text).expect("two solvers");
        let names: Vec<&str> = registry.provers.iter().map(|solver| solver.name()).collect();
        assert_eq!(names, ["a", "b"]);
        let first = registry.provers[0].capabilities();
        assert_eq!((first.theories, first.quantifiers), (vec!["Core", "Ints"], Support::None));
        assert_eq!(registry.provers[1].capabilities().theories, THEORIES);
        assert_eq!(registry.interpolators.len(), 1);
    }

    #[test]
    fn malformed_descriptions_are_refused_by_what_is_wrong() {
        let refused = |text: &str| extended(text).err().expect("an error");
        assert!(refused("[[solver]]\nname = 'a'\n").contains("command"));
        assert!(refused("[[solver]]\nname = 'a'\ncommand = 'a'\nspeed = 1\n").contains("speed"));
        let double = "[[solver]]\nname = 'a'\ncommand = 'a'\n".repeat(2);
        assert!(refused(&double).contains("the name is in use"));
        let unknown = "[[solver]]\nname = 'a'\ncommand = 'a'\ntheories = ['Strings']\n";
        assert!(refused(unknown).contains("unknown theory `Strings`"));
        let unknown = "[[solver]]\nname = 'a'\ncommand = 'a'\ninterpolants = 'z3'\n";
        assert!(refused(unknown).contains("expected smtinterpol or mathsat"));
        let mut registry = Registry::default();
        let options = ExternalOptions { solver_command: vec!["a".to_owned()], ..Default::default() };
        assert!(options.extend(&mut registry, None).is_err());
    }
}
