//! A solver on standard input whose behavior a test chooses: it answers with a built-in solver, and
//! deviates as its argument says.
//!
//! It runs the commands so far again for each batch, and prints the new part of the output.

use std::ffi::OsString;
use std::io::{BufRead, Write};
use std::process::ExitCode;

/// The first argument of a process that is such a solver; the second is its behavior.
pub const FAKE_SOLVER: &str = "fake-solver";

/// A behavior of the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behavior {
    /// Answers as the built-in solver does.
    Right,
    /// Calls every formula with a product of bit vectors unsatisfiable.
    WrongUnsat,
    /// Replaces all digits in values of models.
    WrongModel,
    /// Replies to a check with a word that is no answer.
    Garbage,
    /// Replies to a check with an error.
    Error,
    /// Never replies to a check.
    Hang,
    /// Ends at a check.
    Close,
    /// Aborts at a check.
    Crash,
    /// Computes interpolants in the dialect of MathSAT.
    Mathsat,
    /// Returns `true` for every interpolant.
    WrongInterpolants,
}

impl Behavior {
    /// All of them.
    pub const ALL: [Behavior; 10] = [
        Behavior::Right,
        Behavior::WrongUnsat,
        Behavior::WrongModel,
        Behavior::Garbage,
        Behavior::Error,
        Behavior::Hang,
        Behavior::Close,
        Behavior::Crash,
        Behavior::Mathsat,
        Behavior::WrongInterpolants,
    ];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

/// Runs this process as a solver, if its arguments say so.
pub fn main(arguments: &[OsString]) -> Option<ExitCode> {
    if arguments.get(1)?.to_str()? != FAKE_SOLVER {
        return None;
    }
    let name = arguments.get(2)?.to_str()?;
    let behavior = Behavior::ALL.into_iter().find(|behavior| behavior.name() == name)?;
    let work = move || serve(behavior);
    // The built-in solver recurses.
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(work).ok()?;
    std::process::exit(i32::from(thread.join().is_err()))
}

fn serve(behavior: Behavior) {
    let mut script = String::new();
    let mut printed = 0;
    let mut batch = String::new();
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let Some(marker) = line.strip_prefix("(echo ").and_then(|rest| rest.strip_suffix(')')) else {
            batch.push_str(&line);
            batch.push('\n');
            continue;
        };
        if batch.contains("(check-sat)") {
            match behavior {
                Behavior::Hang => loop {
                    std::thread::park();
                },
                Behavior::Close => return,
                Behavior::Crash => std::process::abort(),
                _ => {}
            }
        }
        script.push_str(&translated(&batch, behavior, &script));
        let output = run(&script);
        let new = output.get(printed..).unwrap_or_default();
        printed = output.len();
        let mut out = std::io::stdout();
        let _ = writeln!(out, "{}{marker}", deviating(new, behavior, &script, &batch));
        let _ = out.flush();
        batch.clear();
    }
}

/// The output of the built-in solver.
fn run(script: &str) -> String {
    let Ok(file) = tempfile::NamedTempFile::new() else { return String::new() };
    if std::fs::write(file.path(), script).is_err() {
        return String::new();
    }
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut streams = hornwork::Streams { out: &mut out, err: &mut err, is_terminal: false, out_width: None };
    let options = ["hornwork", "smt", "--quiet", "--solver=z3", "--isolation=none", "--interpolation=craig"];
    let arguments = options.iter().map(OsString::from).chain([file.path().into()]);
    hornwork::run(arguments, &mut streams);
    String::from_utf8_lossy(&out).into_owned()
}

/// The batch in the notation of the built-in solver.
fn translated(batch: &str, behavior: Behavior, script: &str) -> String {
    if behavior != Behavior::Mathsat {
        return batch.to_owned();
    }
    let batch = batch.replace(":interpolation-group", ":named");
    let all = format!("{script}{batch}");
    let names: Vec<&str> = all
        .lines()
        .filter_map(|line| line.rsplit_once(":named "))
        .map(|(_, name)| name.trim_end_matches(')'))
        .collect();
    let group = |names: &[&str]| match names {
        [one] => (*one).to_owned(),
        several => format!("(and {})", several.join(" ")),
    };
    let translate = |line: &str| match line.strip_prefix("(get-interpolant (") {
        None => line.to_owned(),
        Some(rest) => {
            let first: Vec<&str> = rest.trim_end_matches(')').split_whitespace().collect();
            let others: Vec<&str> = names.iter().copied().filter(|name| !first.contains(name)).collect();
            format!("(get-interpolants {} {})", group(&first), group(&others))
        }
    };
    batch.lines().map(|line| translate(line) + "\n").collect()
}

/// The output with the deviation of `behavior`.
fn deviating(output: &str, behavior: Behavior, script: &str, batch: &str) -> String {
    let is_check = batch.contains("(check-sat)");
    match behavior {
        Behavior::WrongUnsat if is_check && script.contains("bvmul") => "unsat\n".to_owned(),
        Behavior::WrongModel if batch.contains("(get-value") => {
            let digits = output.chars().map(|c| if c == '0' { '1' } else { c });
            digits.collect()
        }
        Behavior::Garbage if is_check => "maybe\n".to_owned(),
        Behavior::Error if is_check => "(error \"no memory for \"\"this\"\"\")\n".to_owned(),
        // One interpolant in parentheses is a list of one.
        Behavior::Mathsat if batch.contains("get-interpolant ") => output
            .lines()
            .map(|line| {
                let inner = line.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
                inner.unwrap_or(line).to_owned() + "\n"
            })
            .collect(),
        Behavior::WrongInterpolants if batch.contains("get-interpolants") => {
            format!("({})\n", vec!["true"; output.lines().count()].join(" "))
        }
        _ => output.to_owned(),
    }
}
