//! Ground truth: the reports of a C compiler's sanitizers about a program, for each of its inputs.
//!
//! Many programs become one executable, because starting a compiler takes longer than compiling one
//! of them. The first error ends a run. Only those sanitizer checks are enabled that the tool has,
//! too: not alignment, null (the access itself faults), pointer overflow and similar ones.
//!
//! *Reads of uninitialized variables.* MemorySanitizer excludes AddressSanitizer, so a program with
//! that [risk](Risk) is compiled twice.
//!
//! *Leaks.* LeakSanitizer considers a block reachable if a finished call left a pointer to it on
//! the stack. Therefore `main` overwrites the stack below its own frame before the process ends.

use crate::pointers::{Program, Reader, Risk, first_line};
use crate::process::{Finished, run};
use program::ssa::PropertyKind;
use std::fmt::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The time for one run of a program. Generated programs end within a millisecond.
const RUN_LIMIT: Duration = Duration::from_secs(10);
const COMPILE_LIMIT: Duration = Duration::from_secs(180);

/// An error with its location.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ErrorAt {
    /// The translation unit.
    pub unit: usize,
    /// The line; 0 for a leak, which has no line.
    pub line: u32,
    /// The kind.
    pub kind: PropertyKind,
}

impl fmt::Display for ErrorAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at line {} of unit {}", self.kind.verdict_name(), self.line, self.unit)
    }
}

/// The end of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// With an error.
    Error(ErrorAt),
    /// With this result.
    Value(i32),
    /// An end that is no evidence.
    Unclear(String),
}

/// A C compiler with sanitizers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compiler {
    /// GCC.
    Gcc,
    /// Clang: it folds less than GCC, so it reports errors in operations whose results are unused.
    Clang,
}

/// The contents of uninitialized memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Filling {
    /// The previous contents.
    Leave,
    /// Zeros.
    Zero,
    /// A pattern.
    Pattern,
}

/// The sanitizer that checks memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Watch {
    /// AddressSanitizer.
    Accesses,
    /// MemorySanitizer.
    Initialization,
}

impl Compiler {
    /// Whether the compiler is installed.
    #[must_use]
    pub fn is_installed(self) -> bool {
        let finished = run(Command::new(self.name()).arg("--version"), RUN_LIMIT);
        finished.is_ok_and(|finished| finished.code == Some(0))
    }

    /// The name of the executable.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Compiler::Gcc => "gcc",
            Compiler::Clang => "clang",
        }
    }

    fn options(self, watch: Watch, filling: Filling) -> Vec<&'static str> {
        let mut options = vec!["-w", "-O0", "-g1", "-std=gnu11", "-fno-builtin", "-fno-strict-aliasing"];
        match watch {
            Watch::Accesses => {
                options.extend(["-fsanitize=address,undefined", "-fsanitize-address-use-after-scope"]);
            }
            Watch::Initialization => options.push("-fsanitize=memory,undefined"),
        }
        options.extend([
            "-fno-sanitize=null,alignment,pointer-overflow,object-size,return,nonnull-attribute,returns-nonnull-attribute,bool,enum,vptr",
            "-fno-sanitize-recover=all",
        ]);
        match self {
            Compiler::Gcc => options.push("-fsanitize=bounds-strict"),
            // An array subscript is checked as in GCC; functions that are called through another
            // type are not.
            Compiler::Clang => {
                options.extend(["-fno-sanitize=function,local-bounds", "-fsanitize=array-bounds"]);
            }
        }
        match filling {
            Filling::Leave => {}
            Filling::Zero => {
                options.push("-ftrivial-auto-var-init=zero");
                if self == Compiler::Clang {
                    options.push("-enable-trivial-auto-var-init-zero-knowing-it-will-be-removed-from-clang");
                }
            }
            Filling::Pattern => options.push("-ftrivial-auto-var-init=pattern"),
        }
        options
    }
}

/// The end of each run of each program: one for each combination of inputs, in the order of
/// [`Program::inputs`].
///
/// # Errors
/// If a program does not compile, with the compiler's messages.
pub fn truths(
    programs: &[&Program],
    compiler: Compiler,
    filling: Filling,
    folder: &Path,
) -> Result<Vec<Vec<End>>, String> {
    let mut ends = watched(programs, compiler, Watch::Accesses, filling, folder)?;
    let (places, again): (Vec<usize>, Vec<&Program>) = programs
        .iter()
        .enumerate()
        .filter(|(_, program)| program.risk == Risk::Initialization)
        .map(|(place, program)| (place, *program))
        .unzip();
    if again.is_empty() {
        return Ok(ends);
    }
    let initialization = match Compiler::Clang.is_installed() {
        true => watched(&again, Compiler::Clang, Watch::Initialization, Filling::Leave, folder)?,
        false => {
            let missing = |program: &&Program| {
                vec![End::Unclear("MemorySanitizer is missing".to_owned()); program.inputs().len()]
            };
            again.iter().map(missing).collect()
        }
    };
    for (place, found) in places.into_iter().zip(initialization) {
        for (end, found) in ends[place].iter_mut().zip(found) {
            *end = match &end {
                // The order of the two errors is unknown.
                End::Error(error) => End::Unclear(format!("{error}, and possibly an uninitialized read")),
                // The behavior without MemorySanitizer after such a read is no evidence.
                _ => found,
            };
        }
    }
    Ok(ends)
}

fn watched(
    programs: &[&Program],
    compiler: Compiler,
    watch: Watch,
    filling: Filling,
    folder: &Path,
) -> Result<Vec<Vec<End>>, String> {
    let executable = compile(programs, compiler, watch, filling, folder)?;
    let ends = programs.iter().enumerate().map(|(index, program)| {
        let inputs = program.inputs();
        inputs.iter().map(|inputs| execute(&executable, index, inputs, filling)).collect()
    });
    Ok(ends.collect())
}

/// The program's part of the name of a unit: `u3_0.c` is the first unit of the fourth program.
fn unit_name(program: usize, unit: usize) -> String {
    format!("u{program}_{unit}.c")
}

fn compile(
    programs: &[&Program],
    compiler: Compiler,
    watch: Watch,
    filling: Filling,
    folder: &Path,
) -> Result<PathBuf, String> {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok::<PathBuf, String>(path)
    };
    let mut files = Vec::new();
    let mut main = first_line(Reader::Compiler);
    for (index, program) in programs.iter().enumerate() {
        let prefix = format!("p{index}_");
        let _ = writeln!(main, "#line 2 \"{}\"\n{}", unit_name(index, 0), program.body(0, &prefix));
        for unit in 1..program.units.len() {
            let name = unit_name(index, unit);
            let text = format!("{}{}", first_line(Reader::Compiler), program.body(unit, &prefix));
            files.push(write(&name, &text)?);
        }
    }
    main.push_str(&dispatcher(programs));
    files.push(write("main.c", &main)?);
    let executable = folder.join("programs.exe");
    let mut command = Command::new(compiler.name());
    command
        .args(compiler.options(watch, filling))
        .args(&files)
        .arg("-o")
        .arg(&executable)
        .current_dir(folder);
    let finished = run(&mut command, COMPILE_LIMIT).map_err(|error| error.to_string())?;
    match finished.code {
        Some(0) => Ok(executable),
        _ => Err(finished.err),
    }
}

/// `main`: runs the program that the first argument names, with the other arguments as inputs, and
/// prints its result.
fn dispatcher(programs: &[&Program]) -> String {
    let mut text = String::from(
        "#line 1 \"main.c\"
int chosen_inputs[4];
int printf(const char *, ...); int atoi(const char *); int fflush(void *);
__attribute__((no_sanitize_address, noinline)) static void scrub(void) {
  volatile char area[1 << 17];
  for (int i = 0; i < (1 << 17); i++) area[i] = 0;
}
int main(int argc, char **argv) {
  int r = 0;
  for (int i = 2; i < argc && i < 6; i++) chosen_inputs[i - 2] = atoi(argv[i]);
  switch (atoi(argv[1])) {
",
    );
    for index in 0..programs.len() {
        let _ =
            writeln!(text, "  case {index}: {{ int p{index}_entry(void); r = p{index}_entry(); break; }}");
    }
    text.push_str("  }\n  scrub();\n  printf(\"%d\\n\", r);\n  fflush(0);\n  return 0;\n}\n");
    text
}

fn execute(executable: &Path, index: usize, inputs: &[i32], filling: Filling) -> End {
    let byte = match filling {
        Filling::Leave => "",
        Filling::Zero => ":max_malloc_fill_size=65536:malloc_fill_byte=0",
        Filling::Pattern => ":max_malloc_fill_size=65536:malloc_fill_byte=171",
    };
    let options = format!(
        "detect_stack_use_after_return=1:redzone=128:max_redzone=2048:detect_leaks=1:handle_segv=1{byte}"
    );
    let mut command = Command::new(executable);
    command
        .arg(index.to_string())
        .args(inputs.iter().map(i32::to_string))
        .env("ASAN_OPTIONS", options)
        .env("UBSAN_OPTIONS", "print_stacktrace=0")
        .env("LSAN_OPTIONS", "max_leaks=1");
    match run(&mut command, RUN_LIMIT) {
        Ok(finished) => classify(&finished, index),
        Err(error) => End::Unclear(error.to_string()),
    }
}

/// The output of the sanitizers, as an end of the run.
fn classify(finished: &Finished, program: usize) -> End {
    let unclear = |reason: &str| End::Unclear(format!("{reason}: {}", finished.err.trim()));
    if finished.timed_out {
        return End::Unclear("the compiled program does not end".to_owned());
    }
    let err = &finished.err;
    if let Some((place, message)) = err.split_once(": runtime error: ") {
        let Some(kind) = undefined_behavior(message) else { return unclear("another error") };
        let place = place.lines().last().unwrap_or_default();
        return position(place, program)
            .map_or_else(|| unclear("no line"), |(unit, line)| End::Error(ErrorAt { unit, line, kind }));
    }
    if err.contains("ERROR: LeakSanitizer: detected memory leaks") {
        return End::Error(ErrorAt { unit: 0, line: 0, kind: PropertyKind::ValidMemtrack });
    }
    let address =
        err.split_once("ERROR: AddressSanitizer: ").map(|(_, report)| (report, address_error(report)));
    let memory = err
        .split_once("WARNING: MemorySanitizer: ")
        .map(|(_, report)| (report, initialization_error(report)));
    if let Some((report, kind)) = address.or(memory) {
        let Some(kind) = kind else { return unclear("another error") };
        let place = report
            .lines()
            .filter(|line| line.trim_start().starts_with('#'))
            .find_map(|line| position(line.rsplit(' ').next()?, program));
        return place
            .map_or_else(|| unclear("no line"), |(unit, line)| End::Error(ErrorAt { unit, line, kind }));
    }
    match (finished.code, finished.out.trim().parse()) {
        (Some(0), Ok(value)) => End::Value(value),
        _ => unclear(&format!("exit code {:?}", finished.code)),
    }
}

/// Unit and line of `…/u3_0.c:12:5`.
fn position(place: &str, program: usize) -> Option<(usize, u32)> {
    let name = format!("u{program}_");
    let at = place.rfind(&name)?;
    let (unit, rest) = place[at + name.len()..].split_once(".c:")?;
    let line: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some((unit.parse().ok()?, line.parse().ok()?))
}

fn undefined_behavior(message: &str) -> Option<PropertyKind> {
    Some(match message {
        _ if message.starts_with("division by zero") => PropertyKind::DivisionByZero,
        _ if message.contains("cannot be represented") => PropertyKind::SignedOverflow,
        // A shift error, and an overflow only if the type cannot represent the product; the message
        // does not distinguish them.
        _ if message.starts_with("left shift of negative value") => return None,
        _ if message.contains("shift") => PropertyKind::Shift,
        _ if message.contains("out of bounds for type") => PropertyKind::Bounds,
        _ => return None,
    })
}

fn initialization_error(report: &str) -> Option<PropertyKind> {
    report.starts_with("use-of-uninitialized-value").then_some(PropertyKind::Uninitialized)
}

fn address_error(report: &str) -> Option<PropertyKind> {
    let first = report.lines().next().unwrap_or_default();
    let is = |text: &str| first.contains(text);
    // AddressSanitizer itself faults when it searches for the block of a small number.
    let in_free = is("SEGV") && report.contains("in __asan::Allocator::Deallocate(");
    Some(match () {
        () if is("double-free") || is("attempting free on address") || is("bad-free") || in_free => {
            PropertyKind::ValidFree
        }
        () if is("overflow")
            || is("underflow")
            || is("use-after")
            || is("SEGV")
            || is("unknown-crash")
            || is("negative-size-param") =>
        {
            PropertyKind::ValidDeref
        }
        () => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(err: &str) -> Finished {
        Finished { code: Some(1), timed_out: false, out: String::new(), err: err.to_owned() }
    }

    #[test]
    fn reports_are_read() {
        let error = |unit, line, kind| End::Error(ErrorAt { unit, line, kind });
        let report = "u3_0.c:12:5: runtime error: index 4 out of bounds for type 'int [4]'\n";
        assert_eq!(classify(&finished(report), 3), error(0, 12, PropertyKind::Bounds));
        let report = "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x1 at pc 0x2\n\
            READ of size 4 at 0x1 thread T0\n    #0 0x1 in memcpy (/lib/libasan.so)\n    #1 0x2 in p3_entry /tmp/a/u3_1.c:7\n";
        assert_eq!(classify(&finished(report), 3), error(1, 7, PropertyKind::ValidDeref));
        let report = "==1==ERROR: LeakSanitizer: detected memory leaks\n";
        assert_eq!(classify(&finished(report), 0), error(0, 0, PropertyKind::ValidMemtrack));
        assert!(matches!(classify(&finished("Killed"), 0), End::Unclear(_)));
    }
}
