//! Tests of transformations on the text form of the IR: the files below `filetests/`.
//!
//! A file is a program with the passes to run in its first line, and the expected result as
//! comments at its end:
//!
//! ```text
//! ; passes: constprop, dce
//! ; A description of the test.
//! entry f0
//! …
//! ; becomes:
//! ; entry f0
//! ; …
//! ```
//!
//! The test runs each pass, [checks](program::ssa::check) its result, and requires an origin for
//! each of its blocks. Then it prints the program, parses it again, and compares it with the end of
//! the file. `HORNWORK_BLESS=1` writes the expected result instead. The passes are those of
//! [`PASSES`] and of [`FIXED`].

use libtest_mimic::{Arguments, Failed, Trial};
use passes::transform::inline::InlineLimits;
use passes::transform::pipeline::PASSES;
use passes::transform::placement::{HeapBlocks, unknown_addresses};
use passes::transform::simplify::Events;
use passes::transform::{
    BackTranslator, MemoryModel, Pipeline, Procedures, activations, endless, function_pointers, inline,
    promote, regions, simplify,
};
use program::ssa::Program;
use program::ssa::check::check;
use program::text::{parse_text, print};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use terms::TermPool;

type Transform = fn(&mut TermPool, &mut Program) -> BackTranslator;

/// The transformations that run independently of the pipeline.
const FIXED: &[(&str, Transform)] = &[
    ("activations", |pool, program| {
        activations::activations(pool, program);
        BackTranslator::identity()
    }),
    ("separate-activations", |pool, program| {
        activations::separate(pool, program).expect("the program has one region of bytes")
    }),
    ("placement", |pool, program| {
        unknown_addresses(pool, program, HeapBlocks::MayEnd);
        BackTranslator::identity()
    }),
    ("function-pointers", |pool, program| function_pointers::function_pointers(pool, program).back),
    ("regions", |pool, program| regions::regions(pool, program, MemoryModel::Regions).back),
    ("typed-regions", |pool, program| regions::regions(pool, program, MemoryModel::Typed).back),
    ("byte-regions", |pool, program| regions::regions(pool, program, MemoryModel::Bytes).back),
    ("endless", |pool, program| endless::endless(pool, program)),
    ("inline", |pool, program| {
        inline::inline(pool, program, InlineLimits::default()).expect("the program has no recursion").back
    }),
    ("inline-except-recursive", |pool, program| {
        let kept = Procedures::Recursive.of(program);
        let inlined = inline::inline_except(pool, program, &kept, InlineLimits::default());
        inlined.expect("recursive functions are kept").back
    }),
    ("promote", |pool, program| promote::promote(pool, program).back),
    ("simplify", |pool, program| simplify::simplify(pool, program, Events::Drop)),
    ("simplify-keeping-events", |pool, program| simplify::simplify(pool, program, Events::Keep)),
];

/// The key of the first line.
const HEADER: &str = "; passes: ";
/// The line before the expected result.
const SEPARATOR: &str = "; becomes:";

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("filetests");
    let files = files(&root);
    let mut trials = vec![Trial::test("every_pass_has_a_file", {
        let files = files.clone();
        move || every_pass_has_a_file(&files)
    })];
    trials.extend(files.into_iter().map(|file| {
        let name = file.strip_prefix(&root).expect("it is below the folder").with_extension("");
        Trial::test(name.to_string_lossy(), move || run(&file))
    }));
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn files(root: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![root.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder of the files is readable") {
            let path = entry.expect("its entries too").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "ir") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn every_pass_has_a_file(files: &[PathBuf]) -> Result<(), Failed> {
    let mut tested = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file)?;
        tested.extend(pass_names(&text)?.into_iter().map(str::to_owned));
    }
    let names = PASSES.iter().map(|pass| pass.name).chain(FIXED.iter().map(|(name, _)| *name));
    let missing: Vec<&str> = names.filter(|&name| !tested.iter().any(|tested| tested == name)).collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("no file tests {}", missing.join(", ")).into()) }
}

fn pass_names(text: &str) -> Result<Vec<&str>, String> {
    let line = text.lines().next().unwrap_or_default();
    let names = line.strip_prefix(HEADER).ok_or(format!("the first line should be `{HEADER}NAME, …`"))?;
    Ok(names.split(", ").collect())
}

/// The handwritten part of the file, and the expected result.
fn parts(text: &str) -> (&str, String) {
    let Some((input, expected)) = text.split_once(&format!("\n{SEPARATOR}\n")) else {
        return (text.trim_end(), String::new());
    };
    let lines =
        expected.lines().map(|line| line.strip_prefix("; ").or(line.strip_prefix(';')).unwrap_or(line));
    (input, lines.map(|line| format!("{line}\n")).collect())
}

fn run(file: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(file)?;
    let (input, expected) = parts(&text);
    let output = transformed(input)?;
    if output == expected {
        return Ok(());
    }
    if std::env::var_os("HORNWORK_BLESS").is_some_and(|value| value == "1") {
        let comments = output.lines().map(|line| format!("; {line}").trim_end().to_owned() + "\n");
        std::fs::write(file, format!("{input}\n{SEPARATOR}\n{}", comments.collect::<String>()))?;
        return Ok(());
    }
    Err(format!("expected:\n{expected}\ngot (HORNWORK_BLESS=1 accepts it):\n{output}").into())
}

/// The program after the passes that `input` names.
fn transformed(input: &str) -> Result<String, String> {
    let mut pool = TermPool::new();
    let mut program = parse_text(&mut pool, input)?;
    for name in pass_names(input)? {
        let back = match FIXED.iter().find(|(fixed, _)| *fixed == name) {
            Some((_, transform)) => transform(&mut pool, &mut program),
            None => {
                let pipeline = Pipeline::named([name]).map_err(|error| error.to_string())?;
                pipeline.run(&mut pool, &mut program).back
            }
        };
        let violations = check(&pool, &program);
        if !violations.is_empty() {
            return Err(format!("{name} breaks rules: {violations:?}\n{}", print(&pool, &program, None)));
        }
        for (function, data) in program.functions.iter() {
            if let Some(block) = data.blocks.keys().find(|&block| back.block(function, block).is_none()) {
                return Err(format!("{name}: {function}.{block} comes from nowhere"));
            }
        }
    }
    let output = print(&pool, &program, None);
    let again = parse_text(&mut pool, &output)?;
    if print(&pool, &again, None) != output {
        return Err(format!("the result prints differently after it was read:\n{output}"));
    }
    Ok(output)
}
