//! `campaign`: see `campaign --help`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "the output of a command-line program")]

use campaign::drive::{Counts, Plan, Summary, describe, drive, drive_csmith};
use campaign::fuzz;
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
    /// Print the program of a seed in the form for the verifier.
    Show {
        /// The seed.
        seed: u64,
    },
    /// Compare pointer programs with sanitizers.
    Pointers(PointerOptions),
    /// Assert and negate the checksums of csmith programs.
    Csmith(PointerOptions),
    /// Run everything for some hours: pointer programs, plain and transformed, csmith programs,
    /// fuzz targets.
    Nightly(NightlyOptions),
    /// Run the fuzz targets on mutated corpora.
    Fuzz(FuzzOptions),
}

#[derive(Args)]
struct ToolOptions {
    /// The verifier.
    #[arg(long, default_value = "target/release/hornwork")]
    tool: PathBuf,
    /// Time limit of one run of the verifier, in seconds.
    #[arg(long, default_value_t = 10)]
    timelimit: u64,
    /// Threads.
    #[arg(long, short, default_value_t = 2)]
    jobs: usize,
    /// Stop after this many hours.
    #[arg(long)]
    hours: Option<f64>,
    /// The folder for findings.
    #[arg(long, default_value = "target/campaign")]
    keep: PathBuf,
    /// Time limit of the reduction of a finding, in seconds.
    #[arg(long, default_value_t = 120)]
    reduction: u64,
}

#[derive(Args)]
struct PointerOptions {
    /// The first seed.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// The number of seeds.
    #[arg(long, default_value_t = 240)]
    count: u64,
    /// The number of configurations in which the verifier answers for each program; 0 for the
    /// interpreter only.
    #[arg(long, default_value_t = 1)]
    configurations: usize,
    /// The number of transformations applied to each program first; they preserve its semantics.
    #[arg(long, default_value_t = 0)]
    transformations: usize,
    #[command(flatten)]
    tool: ToolOptions,
}

#[derive(Args)]
struct NightlyOptions {
    /// The first seed; by default from the clock.
    #[arg(long)]
    first: Option<u64>,
    #[command(flatten)]
    tool: ToolOptions,
}

#[derive(Args)]
struct FuzzOptions {
    /// The targets; all by default.
    targets: Vec<String>,
    /// Seconds for each target.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The first seed.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Folders with the corpus files.
    #[arg(long, default_values = ["tests", "examples"])]
    corpus: Vec<PathBuf>,
    /// The folder for findings.
    #[arg(long, default_value = "target/campaign")]
    keep: PathBuf,
    /// Run in this process, and end with the first finding.
    #[arg(long, hide = true)]
    child: bool,
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
    match Options::parse().command {
        Command::Show { seed } => {
            let program = generate(seed);
            for unit in 0..program.units.len() {
                print!("{}", program.text(unit, Reader::Tool, Assertion::None));
            }
            ExitCode::SUCCESS
        }
        Command::Pointers(options) => pointers(&options),
        Command::Csmith(options) => csmith(&options),
        Command::Nightly(options) => nightly(&options),
        Command::Fuzz(options) if options.child => fuzz_child(&options),
        Command::Fuzz(options) => fuzz_all(&options),
    }
}

fn plan(options: &PointerOptions) -> Plan {
    Plan {
        first: options.first,
        count: options.count,
        deadline: options.tool.deadline(),
        tool: (options.configurations > 0).then(|| options.tool.tool()),
        configurations: options.configurations,
        only: Vec::new(),
        transformations: options.transformations,
        jobs: options.tool.jobs,
        keep: Some(options.tool.keep.clone()),
        reduction: Duration::from_secs(options.tool.reduction),
        progress: |line| eprintln!("{line}"),
    }
}

fn code(summaries: &[Summary]) -> ExitCode {
    let is_clean = |summary: &Summary| summary.findings.is_empty() && summary.failures.is_empty();
    match summaries.iter().all(is_clean) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

fn pointers(options: &PointerOptions) -> ExitCode {
    let plan = plan(options);
    println!("seeds {}..{}", plan.first, plan.first.saturating_add(plan.count));
    let summary = drive_pointers(&plan);
    print!("{summary}");
    code(&[summary])
}

fn drive_pointers(plan: &Plan) -> Summary {
    // A panic of the front end is caught and reported as a finding.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let summary = drive(plan, &|finding| eprintln!("{}", describe(finding)));
    std::panic::set_hook(hook);
    summary
}

fn csmith(options: &PointerOptions) -> ExitCode {
    let plan = plan(options);
    println!("csmith seeds {}..{}", plan.first, plan.first.saturating_add(plan.count));
    let summary = drive_csmith(&plan, &|message| eprintln!("{message}"));
    print!("{summary}");
    code(&[summary])
}

/// The parts of a night in order: name, share of the time in percent, configurations,
/// transformations.
const NIGHT: &[(&str, u32, usize, usize)] = &[
    ("pointer programs, interpreter alone", 15, 0, 0),
    ("pointer programs", 35, 2, 0),
    ("transformed pointer programs", 20, 2, 3),
    ("csmith's programs", 20, 1, 0),
    ("fuzz targets", 10, 0, 0),
];

fn nightly(options: &NightlyOptions) -> ExitCode {
    let clock = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let first = options.first.unwrap_or_else(|| clock.map_or(0, |time| time.as_secs() % 1_000_000 * 1000));
    let seconds = options.tool.hours.unwrap_or(8.0) * 3600.0;
    println!("first seed {first}: `--first {first}` repeats this run");
    let mut summaries = Vec::new();
    let mut fuzzed = ExitCode::SUCCESS;
    for &(name, share, configurations, transformations) in NIGHT {
        let time = Duration::from_secs_f64(seconds * f64::from(share) / 100.0);
        println!("\n== {name}, {} s", time.as_secs());
        let plan = Plan {
            first,
            count: u64::MAX - first,
            deadline: Some(Instant::now() + time),
            tool: Some(options.tool.tool()).filter(|_| configurations > 0),
            configurations,
            only: Vec::new(),
            transformations,
            jobs: options.tool.jobs,
            keep: Some(options.tool.keep.clone()),
            reduction: Duration::from_secs(options.tool.reduction),
            progress: |line| eprintln!("{line}"),
        };
        let summary = match name {
            "fuzz targets" => {
                fuzzed = fuzz_all(&FuzzOptions {
                    targets: Vec::new(),
                    seconds: time.as_secs() / fuzz::TARGETS.len() as u64,
                    first,
                    corpus: ["tests", "examples"].map(PathBuf::from).to_vec(),
                    keep: options.tool.keep.clone(),
                    child: false,
                });
                continue;
            }
            "csmith's programs" => drive_csmith(&plan, &|message| eprintln!("{message}")),
            _ => drive_pointers(&plan),
        };
        print!("{summary}");
        summaries.push((name, summary));
    }
    println!("\n== the night, first seed {first}");
    println!(
        "{:36} {:>8} {:>8} {:>8} {:>8} {:>6}",
        "part", "programs", "agreed", "unknown", "disputed", "wrong"
    );
    for (name, summary) in &summaries {
        let sum = |of: fn(&Counts) -> usize| summary.counts.values().map(of).sum::<usize>();
        let counts = [sum(|c| c.agreed), sum(|c| c.undecided), sum(|c| c.disputed), sum(|c| c.disagreed)];
        let [agreed, unknown, disputed, wrong] = counts;
        println!("{name:36} {:8} {agreed:8} {unknown:8} {disputed:8} {wrong:6}", summary.programs);
    }
    println!("fuzz targets: {}", if fuzzed == ExitCode::SUCCESS { "no finding" } else { "findings" });
    let summaries: Vec<Summary> = summaries.into_iter().map(|(_, summary)| summary).collect();
    match fuzzed == ExitCode::SUCCESS {
        true => code(&summaries),
        false => ExitCode::FAILURE,
    }
}

/// Runs each target in child processes, starting another one after each finding.
fn fuzz_all(options: &FuzzOptions) -> ExitCode {
    let mut findings = 0;
    let wanted = |target: &&fuzz::Target| {
        options.targets.is_empty() || options.targets.iter().any(|name| name == target.name)
    };
    for target in fuzz::TARGETS.iter().filter(wanted) {
        let deadline = Instant::now() + Duration::from_secs(options.seconds);
        let (mut first, mut inputs) = (options.first, 0);
        while Instant::now() < deadline {
            let left = deadline.saturating_duration_since(Instant::now());
            let report = match fuzz_once(options, target.name, first, left) {
                Ok(report) => report,
                Err(error) => {
                    eprintln!("error: {error}");
                    return ExitCode::FAILURE;
                }
            };
            inputs += report.inputs;
            first += report.inputs.max(1);
            let Some(message) = report.finding else { continue };
            findings += 1;
            let kept = options.keep.join(format!("fuzz-{}-{}", target.name, first - 1));
            let copied = std::fs::copy(current(options, target.name), &kept);
            let place = copied.map_or_else(|error| error.to_string(), |_| kept.display().to_string());
            println!("{}: {message}: {place}", target.name);
        }
        println!("{}: {inputs} inputs, next seed {first}", target.name);
    }
    match findings {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// The result of a child.
struct FuzzReport {
    inputs: u64,
    finding: Option<String>,
}

fn current(options: &FuzzOptions, target: &str) -> PathBuf {
    options.keep.join(format!("current-{target}"))
}

fn fuzz_once(options: &FuzzOptions, target: &str, first: u64, time: Duration) -> std::io::Result<FuzzReport> {
    std::fs::create_dir_all(&options.keep)?;
    let mut command = std::process::Command::new(std::env::current_exe()?);
    command.args(["fuzz", target, "--child", "--first", &first.to_string()]);
    command.args(["--seconds", &time.as_secs().max(1).to_string()]).arg("--keep").arg(&options.keep);
    for folder in &options.corpus {
        command.arg("--corpus").arg(folder);
    }
    let finished = campaign::process::run(&mut command, time + fuzz::SLOW * 3)?;
    let inputs = finished.out.lines().last().and_then(|line| line.parse().ok()).unwrap_or(0);
    let messages = finished.err.lines().skip_while(|line| !line.contains("panicked")).take(2);
    let message: String = messages.flat_map(|line| line.chars().take(200).chain([' '])).collect();
    let finding = match (finished.code, finished.timed_out) {
        (Some(0), false) => None,
        (_, true) => Some("does not end".to_owned()),
        (Some(3), _) => Some("slow".to_owned()),
        (Some(_), _) => Some(message),
        (None, _) => Some(format!("aborted: {}", finished.err.lines().next().unwrap_or_default())),
    };
    Ok(FuzzReport { inputs, finding })
}

/// The number of inputs is the last line of the output. The exit code is distinct if an input was
/// slow.
fn fuzz_child(options: &FuzzOptions) -> ExitCode {
    let Some(target) =
        fuzz::TARGETS.iter().find(|target| options.targets.iter().any(|name| name == target.name))
    else {
        eprintln!("error: unknown target");
        return ExitCode::FAILURE;
    };
    let corpus = fuzz::corpus(target, &options.corpus);
    let deadline = Instant::now() + Duration::from_secs(options.seconds);
    let current = current(options, target.name);
    let first = options.first;
    let mut seed = first;
    let run = move || {
        let mut code = ExitCode::SUCCESS;
        while Instant::now() < deadline {
            let start = Instant::now();
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                fuzz::run_seed(target, &corpus, seed, &current);
            }));
            seed += 1;
            match done {
                Ok(()) if start.elapsed() > fuzz::SLOW => {
                    code = ExitCode::from(3);
                    break;
                }
                Ok(()) => {}
                // The message is on standard error already.
                Err(_) => {
                    code = ExitCode::FAILURE;
                    break;
                }
            }
        }
        println!("{}", seed - first);
        code
    };
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(run);
    thread.map(|thread| thread.join().unwrap_or(ExitCode::FAILURE)).unwrap_or(ExitCode::FAILURE)
}
