//! `campaign`: see `campaign --help`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "the output of a command-line program")]

use campaign::drive::{Plan, describe, drive};
use campaign::pointers::{Assertion, Reader, generate};
use campaign::tool::Tool;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Random programs against the verifier.
#[derive(Parser)]
#[command(name = "campaign", max_term_width = 100)]
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print the program of a seed, as the verifier reads it.
    Show {
        /// The seed.
        seed: u64,
    },
    /// Compare pointer programs with sanitizers.
    Pointers(PointerOptions),
}

#[derive(Args)]
struct ToolOptions {
    /// The verifier.
    #[arg(long, default_value = "target/release/hornwork")]
    tool: PathBuf,
    /// Seconds for one run of the verifier.
    #[arg(long, default_value_t = 10)]
    timelimit: u64,
    /// Threads.
    #[arg(long, short, default_value_t = 2)]
    jobs: usize,
    /// Stop after this many hours.
    #[arg(long)]
    hours: Option<f64>,
    /// The folder for what is found.
    #[arg(long, default_value = "target/campaign")]
    keep: PathBuf,
    /// Seconds for the reduction of a finding.
    #[arg(long, default_value_t = 120)]
    reduction: u64,
}

#[derive(Args)]
struct PointerOptions {
    /// The first seed.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// How many seeds.
    #[arg(long, default_value_t = 240)]
    count: u64,
    /// In how many configurations the verifier answers for each program; 0 for the interpreter alone.
    #[arg(long, default_value_t = 1)]
    configurations: usize,
    #[command(flatten)]
    tool: ToolOptions,
}

impl ToolOptions {
    fn deadline(&self) -> Option<Instant> {
        self.hours.map(|hours| Instant::now() + Duration::from_secs_f64(hours * 3600.0))
    }

    fn tool(&self) -> Tool {
        Tool { path: self.tool.clone(), timelimit: self.timelimit }
    }
}

fn main() -> ExitCode {
    // A panic of the front end is caught and reported as a finding.
    std::panic::set_hook(Box::new(|_| {}));
    match Options::parse().command {
        Command::Show { seed } => {
            let program = generate(seed);
            for unit in 0..program.units.len() {
                print!("{}", program.text(unit, Reader::Tool, Assertion::None));
            }
            ExitCode::SUCCESS
        }
        Command::Pointers(options) => pointers(&options),
    }
}

fn pointers(options: &PointerOptions) -> ExitCode {
    let plan = Plan {
        first: options.first,
        count: options.count,
        deadline: options.tool.deadline(),
        tool: (options.configurations > 0).then(|| options.tool.tool()),
        configurations: options.configurations,
        only: Vec::new(),
        jobs: options.tool.jobs,
        keep: Some(options.tool.keep.clone()),
        reduction: Duration::from_secs(options.tool.reduction),
    };
    println!("seeds {}..{}", plan.first, plan.first.saturating_add(plan.count));
    let summary = drive(&plan, &|finding| eprintln!("{}", describe(finding)));
    print!("{summary}");
    match summary.findings.is_empty() && summary.failures.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
