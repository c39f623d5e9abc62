//! The responses to commands.

use crate::Streams;

/// The reason why a script stops.
pub(super) enum Stop {
    /// `(exit)`.
    Exit,
    /// An error, which has been reported.
    Error,
}

/// Writes a response and flushes it: the reader may be a program that waits for it.
pub(super) fn respond(streams: &mut Streams<'_>, text: &str) {
    let _ = writeln!(streams.out, "{text}");
    let _ = streams.out.flush();
}

/// Returns `text` as a string literal of SMT-LIB.
pub(super) fn string(text: &str) -> String {
    format!("\"{}\"", text.trim().replace('"', "\"\""))
}
