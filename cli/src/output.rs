//! Standard output whose errors are not lost.
//!
//! Most parts of the tool ignore the result of a write. A closed pipe is not an error, because the
//! reader may need only the start. Any other error, such as a full disk, is kept until the end of
//! the run and is then the error of the run.

use crate::exit;
use std::io::{self, BufWriter, ErrorKind, Write};

/// A buffered writer that keeps the first error other than a closed pipe.
#[derive(Debug)]
pub(crate) struct Output<W: Write> {
    inner: BufWriter<W>,
    error: Option<io::Error>,
}

impl<W: Write> Output<W> {
    /// Wraps `inner`.
    pub(crate) fn new(inner: W) -> Self {
        Output { inner: BufWriter::new(inner), error: None }
    }

    /// Writes the buffer.
    ///
    /// # Errors
    /// The first error since the start, unless it is a closed pipe.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        let flushed = self.inner.flush();
        self.keep(flushed).or(Ok(())).and(self.error.map_or(Ok(()), Err))
    }

    /// Keeps an error, and returns one of the same kind.
    fn keep<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            let kind = error.kind();
            if kind != ErrorKind::BrokenPipe && kind != ErrorKind::Interrupted && self.error.is_none() {
                self.error = Some(error);
            }
            kind.into()
        })
    }
}

/// Finishes the output of a run with this exit code; returns the exit code of the run.
pub(crate) fn finish<W: Write>(output: Output<W>, code: u8) -> u8 {
    match output.finish() {
        Ok(()) => code,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: cannot write standard output: {error}");
            exit::USAGE
        }
    }
}

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes);
        self.keep(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.inner.flush();
        self.keep(flushed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails always with the same kind of error.
    struct Failing(ErrorKind);

    impl Write for Failing {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_is_an_error_and_a_closed_pipe_is_none() {
        for (kind, is_error) in [(ErrorKind::StorageFull, true), (ErrorKind::BrokenPipe, false)] {
            let mut output = Output::new(Failing(kind));
            let _ = output.write_all(b"TRUE\n");
            assert_eq!(output.finish().is_err(), is_error, "{kind}");
        }
    }
}
