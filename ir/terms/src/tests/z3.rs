//! Running the `z3` executable.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Finds a `z3` on the path or in the checkout. Tests that find none are skipped, and the message
/// bypasses the capture of the test harness.
pub(super) fn find() -> Option<PathBuf> {
    let of_checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.setup/venv/bin/z3");
    let found = [PathBuf::from("z3"), of_checkout].into_iter().find(|path| {
        Command::new(path).arg("--version").output().is_ok_and(|output| output.status.success())
    });
    if found.is_none() {
        let message = "\nNOT TESTED: there is neither a `z3` on the path nor .setup/venv/bin/z3 (scripts/setup.sh test)\n";
        // Unlike `eprintln`, this is not captured.
        let _ = std::io::stderr().write_all(message.as_bytes());
    }
    found
}

/// Runs Z3 on the script and returns its output.
pub(super) fn answer(z3: &Path, name: &str, script: &str) -> String {
    let path = std::env::temp_dir().join(format!("hornwork-{name}-{}.smt2", std::process::id()));
    std::fs::write(&path, script).expect("a writable temporary directory");
    let output = Command::new(z3).arg("-T:60").arg(&path).output().expect("z3 runs");
    std::fs::remove_file(&path).expect("the file just written");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}
