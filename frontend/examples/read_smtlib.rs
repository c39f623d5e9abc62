//! Reads SMT-LIB scripts and prints the cost: `cargo run --release --example read_smtlib FILE…`.
//! With `--print` as the first argument, it prints all assertions of the scripts as a script
//! instead.

#![allow(clippy::print_stdout, reason = "a command-line tool")]

use frontend::smtlib::{Command, Script};
use grammars::source::SourceMap;
use std::time::Instant;
use terms::{TermPool, print};

/// The peak memory of the process, as reported by Linux.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("unknown");
    line.trim_start_matches("VmHWM:").trim().to_owned()
}

fn main() {
    let (mut good, mut bad) = (0, 0);
    let prints = std::env::args().nth(1).is_some_and(|argument| argument == "--print");
    for name in std::env::args().skip(1 + usize::from(prints)) {
        let bytes = match std::fs::read(&name) {
            Ok(bytes) => bytes,
            Err(error) => {
                println!("{name}: {error}");
                continue;
            }
        };
        let size = bytes.len();
        let start = Instant::now();
        let mut map = SourceMap::new();
        let Ok(file) = map.add(&name, bytes) else {
            println!("{name}: too large");
            continue;
        };
        let mut pool = TermPool::new();
        let mut script = Script::new(&map, file);
        let (mut commands, mut assertions, mut errors) = (0u64, Vec::new(), 0u64);
        while let Some(step) = script.next(&mut pool) {
            commands += 1;
            match step {
                Ok(step) => {
                    if let Command::Assert { formula, .. } = step.command {
                        assertions.push(formula);
                    }
                }
                Err(error) => {
                    errors += 1;
                    if errors <= 3 {
                        println!("{}", error.render(&map));
                    }
                }
            }
        }
        if errors > 0 {
            bad += 1;
        } else {
            good += 1;
        }
        if prints {
            print!("{}", print::script(&pool, None, &assertions));
            continue;
        }
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{name}: {commands} commands, {} assertions, {errors} errors, {} terms, {seconds:.3} s, {:.1} MB/s, peak {}",
            assertions.len(),
            pool.len(),
            size as f64 / 1e6 / seconds,
            peak(),
        );
    }
    if !prints {
        println!("{good} files without errors, {bad} with");
    }
}
