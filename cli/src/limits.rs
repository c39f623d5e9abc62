//! The limits of a run.

use crate::choice::seconds;
use clap::Args;

/// The limits of time and memory.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Limits")]
pub struct LimitOptions {
    /// Wall time of the run; 0 for no limit.
    #[arg(long, value_name = "SECONDS", default_value_t = 900.0, value_parser = seconds)]
    pub timelimit: f64,

    /// CPU time of one query; 0 for no limit.
    #[arg(long, hide_short_help = true, value_name = "SECONDS", default_value_t = 0.0, value_parser = seconds)]
    pub query_timelimit: f64,

    /// Memory of each process; 0 for 80% of the memory of the machine.
    #[arg(long, value_name = "MB", default_value_t = 0)]
    pub memlimit: u64,
}
