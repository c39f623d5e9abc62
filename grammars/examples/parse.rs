//! Parses preprocessed C files and prints the diagnostics, with `--dump` also the tree.
#![allow(clippy::print_stdout, reason = "this is a program")]

use grammars::c;
use grammars::source::SourceMap;
use std::time::Instant;

fn main() {
    let mut failed = 0;
    let (flags, files): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    for name in &files {
        let bytes = std::fs::read(name).expect("the file can be read");
        let start = Instant::now();
        let mut map = SourceMap::new();
        let file = map.add(name, bytes).expect("the file is below 4 GiB");
        let loaded = start.elapsed();
        let result = c::parse(&map, file);
        let parsed = start.elapsed();
        for diagnostic in &result.diagnostics {
            println!("{}", diagnostic.render(&map));
        }
        if result.diagnostics.iter().any(|diagnostic| diagnostic.is_error()) {
            failed += 1;
            println!("FAILED {name}");
        }
        if flags.iter().any(|flag| flag == "--dump") {
            println!("{}", c::dump::unit(&result.unit));
        }
        if flags.iter().any(|flag| flag == "--time") {
            let ast = &result.unit.ast;
            println!(
                "{name}: load {loaded:?}, all {parsed:?}; {} exprs, {} stmts",
                ast.exprs.len(),
                ast.stmts.len()
            );
            drop(result);
            println!("with drop {:?}", start.elapsed());
        }
    }
    println!("{} of {} parsed", files.len() - failed, files.len());
}
