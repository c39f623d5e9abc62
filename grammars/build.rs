//! Turns the LALRPOP grammars into Rust.

fn main() {
    println!("cargo::rerun-if-changed=src");
    if let Err(error) =
        lalrpop::Configuration::new().use_cargo_dir_conventions().emit_rerun_directives(true).process()
    {
        panic!("cannot compile the grammars: {error}");
    }
}
