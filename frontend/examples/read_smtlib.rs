//! Reads SMT-LIB scripts and says what it cost: `cargo run --release --example read_smtlib FILE…`.

#![allow(clippy::print_stdout, reason = "it is a tool for people")]

use frontend::smtlib::{Command, Script};
use grammars::source::SourceMap;
use ir::term::TermPool;
use std::time::Instant;

/// The most memory the process had, in KiB.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("unknown");
    line.trim_start_matches("VmHWM:").trim().to_owned()
}

fn main() {
    let (mut good, mut bad) = (0, 0);
    for name in std::env::args().skip(1) {
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
        let (mut commands, mut assertions, mut errors) = (0u64, 0u64, 0u64);
        while let Some(step) = script.next(&mut pool) {
            commands += 1;
            match step {
                Ok(step) => assertions += u64::from(matches!(step.command, Command::Assert { .. })),
                Err(error) => {
                    errors += 1;
                    if errors <= 3 {
                        println!("{}", error.render(&map));
                    }
                }
            }
        }
        if errors > 0 {
            bad += 1
        } else {
            good += 1
        }
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{name}: {commands} commands, {assertions} assertions, {errors} errors, {} terms, {seconds:.3} s, {:.1} MB/s, peak {}",
            pool.len(),
            size as f64 / 1e6 / seconds,
            peak(),
        );
    }
    println!("{good} files without errors, {bad} with");
}
