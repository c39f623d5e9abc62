//! `hornwork smt`: an SMT-LIB script on any solver.

use crate::Streams;
use crate::error::CliError;
use crate::options::SmtOptions;

pub(crate) fn run(_options: &SmtOptions, _streams: &mut Streams<'_>) -> Result<u8, CliError> {
    Err(CliError::Usage("not there yet".to_string()))
}
