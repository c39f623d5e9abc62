//! csmith programs with nondeterministic inputs: metamorphic verification.
//!
//! Some global variables become inputs that are assumed to equal their initial values. If the
//! checksum of the compiled program is asserted, the verdict must not be FALSE. If it is negated,
//! the verdict must not be TRUE. The checksum is a simpler function of the same values than
//! csmith's (`include/csmith.h`).
//!
//! Programs with csmith's defaults are too large for the verifier. The interpreter runs them with
//! several orders of evaluation, on which csmith programs do not depend.

use crate::compare::{Answerer, Asked, Comparison, Disagreement, Wrong};
use crate::interpret::{caught, printed};
use crate::process::run;
use crate::random::Random;
use crate::tool::{Configuration, Question, Tool, Verdict};
use program::ssa::PropertyKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const HEADER: &str = include_str!("../include/csmith.h");
const LIMIT: Duration = Duration::from_secs(60);

/// Orders of evaluation in which the interpreter runs a program: from left to right, and random
/// ones.
const ORDERS: [Option<u64>; 4] = [None, Some(1), Some(2), Some(3)];

/// The size of programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// Small enough for a solver.
    Small,
    /// csmith's defaults.
    Default,
}

/// The options of csmith that keep programs small.
const SMALL: &[&str] = &[
    "--max-funcs",
    "3",
    "--max-block-depth",
    "2",
    "--max-block-size",
    "3",
    "--max-array-dim",
    "2",
    "--max-array-len-per-dim",
    "4",
    "--max-struct-fields",
    "4",
    "--max-expr-complexity",
    "5",
];

/// A program with its checksum.
#[derive(Clone, Debug)]
pub struct Program {
    /// The seed for csmith.
    pub seed: u64,
    /// The text, before the preprocessor.
    pub text: String,
    /// The output of the compiled program.
    pub checksum: u32,
}

/// Whether csmith and its headers are installed.
#[must_use]
pub fn is_installed() -> bool {
    let finished = run(Command::new("csmith").arg("--version"), LIMIT);
    finished.is_ok_and(|finished| finished.code == Some(0)) && headers().is_some()
}

fn headers() -> Option<PathBuf> {
    let entries = std::fs::read_dir("/usr/include").ok()?;
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.join("safe_math.h").exists())
        .collect();
    found.sort();
    found.pop()
}

/// Generates the program of a seed, compiles and runs it in a folder; `None` if it does not
/// terminate soon.
///
/// # Errors
/// If csmith or the compiler fails.
pub fn make(seed: u64, size: Size, folder: &Path) -> Result<Option<Program>, String> {
    let mut command = Command::new("csmith");
    let seed_text = (seed % (1 << 31)).to_string();
    command.args(["--seed", &seed_text, "--no-argc"]).current_dir(folder);
    if size == Size::Small {
        command.args(SMALL);
    }
    let made = run(&mut command, LIMIT).map_err(|error| error.to_string())?;
    if made.code != Some(0) {
        return Err(format!("csmith: {}", made.err));
    }
    let text = with_inputs(&made.out, &mut Random::new(seed));
    let write =
        |name: &str, text: &str| std::fs::write(folder.join(name), text).map_err(|error| error.to_string());
    write("csmith.h", HEADER)?;
    write("csmith.c", &text)?;
    let mut command = Command::new("gcc");
    command.args(["-w", "-O0", "-I."]).arg("-I").arg(headers().ok_or("the headers of csmith are missing")?);
    command.args(["csmith.c", "-o", "csmith.exe"]).current_dir(folder);
    let compiled = run(&mut command, LIMIT).map_err(|error| error.to_string())?;
    if compiled.code != Some(0) {
        return Err(compiled.err);
    }
    let executed = run(&mut Command::new(folder.join("csmith.exe")), Duration::from_secs(2));
    let executed = executed.map_err(|error| error.to_string())?;
    Ok(executed.out.trim().parse().ok().map(|checksum| Program { seed, text, checksum }))
}

/// Turns some global numbers into inputs.
fn with_inputs(text: &str, random: &mut Random) -> String {
    let names: Vec<&str> = text
        .lines()
        .filter_map(|line| {
            let rest = line.strip_prefix("static ")?;
            let rest = rest.strip_prefix("volatile ").unwrap_or(rest);
            let (ty, rest) = rest.split_once(' ')?;
            let (name, _) = rest.split_once(" = ")?;
            let is_number = ty.ends_with("_t") && ty.trim_start_matches('u').starts_with("int");
            (is_number && name.starts_with("g_") && !name.contains('[')).then_some(name)
        })
        .collect();
    let inputs: String =
        names.iter().filter(|_| random.percent(50)).map(|name| format!(" INPUT({name});")).collect();
    text.replacen("platform_main_begin();", &format!("platform_main_begin();{inputs}"), 1)
}

/// Whether the verdict on the program in a configuration is the required one.
#[must_use]
pub fn check(
    tool: &Tool,
    program: &Program,
    configuration: Configuration,
    asked: Asked,
    folder: &Path,
) -> Comparison {
    let by = Answerer::Tool(configuration, asked);
    let disagreed = |wrong, message: String| Comparison::Disagreed(Disagreement { wrong, by, message });
    let preprocessed = match preprocess(program, Some(asked), folder) {
        Ok(path) => path,
        Err(message) => return Comparison::Disputed(message),
    };
    let question = Question { kinds: &[PropertyKind::ReachCall], configuration, options: &[] };
    let is_denied = matches!(asked, Asked::Denied(_));
    match tool.verify_files(&[preprocessed], &question) {
        Verdict::Unknown(reason) => Comparison::Undecided(reason),
        Verdict::Broken(reason) if reason.starts_with("exit code Some(2)") => {
            disagreed(Wrong::Refused, reason)
        }
        Verdict::Broken(reason) => disagreed(Wrong::Crash, reason),
        Verdict::True if is_denied => disagreed(Wrong::True, format!("the checksum is {}", program.checksum)),
        Verdict::False(_) if !is_denied => {
            disagreed(Wrong::False, format!("the checksum is {}", program.checksum))
        }
        Verdict::True | Verdict::False(_) => Comparison::Agreed,
    }
}

/// Whether the interpreter prints the checksum of the compiled program, in each of some orders of
/// evaluation.
#[must_use]
pub fn check_interpreter(program: &Program, folder: &Path) -> Comparison {
    let text = preprocess(program, None, folder)
        .and_then(|path| std::fs::read_to_string(path).map_err(|error| error.to_string()));
    let text = match text {
        Ok(text) => text,
        Err(message) => return Comparison::Disputed(message),
    };
    let disagreed = |wrong, message: String| {
        Comparison::Disagreed(Disagreement { wrong, by: Answerer::Interpreter, message })
    };
    let expected = program.checksum as i32;
    let runs = match caught(|| printed(text, &ORDERS)) {
        Ok(runs) => runs,
        Err(message) if message.starts_with("refused") => return disagreed(Wrong::Refused, message),
        Err(message) => return disagreed(Wrong::Crash, message),
    };
    if let Some(found) = runs.iter().flatten().find(|found| **found != expected) {
        return disagreed(Wrong::Run, format!("expected {expected}, found {found}"));
    }
    // Lowering may not support every order; only an error of the first one leaves the program
    // undecided.
    match runs.into_iter().next() {
        Some(Err(message)) => Comparison::Undecided(message),
        _ => Comparison::Agreed,
    }
}

/// The preprocessed file for the verifier, or for the interpreter if nothing is `asked`.
///
/// # Errors
/// If the preprocessor fails.
pub fn preprocess(program: &Program, asked: Option<Asked>, folder: &Path) -> Result<PathBuf, String> {
    let path = folder.join("0.i");
    std::fs::write(folder.join("csmith.c"), &program.text).map_err(|error| error.to_string())?;
    std::fs::write(folder.join("csmith.h"), HEADER).map_err(|error| error.to_string())?;
    let mut command = Command::new("gcc");
    command.args(["-w", "-E", "-I."]).arg("-I").arg(headers().ok_or("the headers of csmith are missing")?);
    if asked.is_some() {
        command.arg(format!("-DEXPECTED={}u", program.checksum));
    }
    if matches!(asked, Some(Asked::Denied(_))) {
        command.arg("-DDENIED");
    }
    command.args(["csmith.c", "-o", "0.i"]).current_dir(folder);
    let finished = run(&mut command, LIMIT).map_err(|error| error.to_string())?;
    match finished.code {
        Some(0) => Ok(path),
        _ => Err(finished.err),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_inputs() {
        let text = "static int32_t g_2 = 1L;\nstatic int32_t *g_3 = &g_2;\nstatic const int16_t g_4 = 2;\nstatic volatile uint8_t g_5 = 3;\nplatform_main_begin();\n";
        let made: Vec<String> = (0..40).map(|seed| with_inputs(text, &mut Random::new(seed))).collect();
        assert!(made.iter().any(|text| text.contains("INPUT(g_2); INPUT(g_5);")));
        assert!(made.iter().all(|text| !text.contains("INPUT(g_3)") && !text.contains("INPUT(g_4)")));
    }
}
