//! Looks for the library that `scripts/setup.sh` fetches, so that its absence is said in words and not by the linker.

use std::path::Path;

fn main() {
    let lib = Path::new(&std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"))
        .join("../../.setup/solvers/lib");
    println!("cargo::rerun-if-changed={}", lib.join("libcvc5.so").display());
    if !lib.join("libcvc5.so").exists() {
        println!(
            "cargo::error=the library of cvc5 is missing: please run scripts/setup.sh build (make does), or leave the feature `cvc5` out"
        );
    }
    // What the build script of cvc5-sys leaves out where it uses the bindings it comes with.
    println!("cargo::rustc-link-search=native={}", lib.display());
    println!("cargo::rustc-link-lib=dylib=cvc5");
}
