//! Checks for the library that `scripts/setup.sh` fetches, to report its absence more clearly than
//! the linker does.

use std::path::Path;

fn main() {
    let lib = Path::new(&std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"))
        .join("../../.setup/solvers/lib");
    println!("cargo::rerun-if-changed={}", lib.join("libcvc5.so").display());
    if !lib.join("libcvc5.so").exists() {
        println!(
            "cargo::error=the cvc5 library is missing: run `scripts/setup.sh build` (as make does), or disable the feature `cvc5`"
        );
    }
    // The build script of cvc5-sys omits this when it uses its bundled bindings.
    println!("cargo::rustc-link-search=native={}", lib.display());
    println!("cargo::rustc-link-lib=dylib=cvc5");
}
