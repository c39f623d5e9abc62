//! Options of `hornwork compare`, and of the processes that it starts.

use crate::choice::{choice, seconds};
use crate::external::ExternalOptions;
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;

/// `hornwork compare`.
#[derive(Args, Debug, Clone)]
pub struct CompareOptions {
    /// The tasks: C files (.c, .i), task definitions (.yml), Horn clauses or other SMT-LIB scripts
    /// (.smt2), or folders of these, searched recursively.
    ///
    /// A folder stands for its task definitions that have an expected verdict; without any, for its
    /// C files; without any, for its scripts. Programs, clauses and scripts cannot be mixed.
    /// Without FILE, the campaign in --output continues.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// The folder of the campaign: results, logs and the report.
    ///
    /// If it holds an interrupted campaign with the same tasks, configurations and limits, its
    /// finished runs are kept. Other options are refused.
    #[arg(short, long, value_name = "FOLDER", help_heading = "Output")]
    pub output: PathBuf,

    /// Compare answers to queries instead of runs: record the queries of each program once, and
    /// replay them on all solvers.
    ///
    /// SMT-LIB scripts with one check are queries themselves. --solvers and --interpolation choose
    /// who answers, by default all; the options after -- are those of the recorded runs. Models are
    /// evaluated, unsat cores checked by another solver, interpolants certified. The report
    /// queries.md lists refuted answers and contradictions first, each reduced to a small script.
    #[arg(
        long,
        requires = "files",
        conflicts_with_all = ["algorithms", "encodings", "vary", "baseline", "disputed", "executor", "slurm_options"],
        help_heading = "Queries"
    )]
    pub queries: bool,

    /// With --queries: the limit of each check and of each interpolation problem.
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 10.0,
        value_parser = seconds,
        requires = "queries",
        help_heading = "Queries"
    )]
    pub query_timelimit: f64,

    /// An older campaign: its folder or its results.jsonl. The report names the changes of verdicts
    /// and of CPU times.
    ///
    /// Tasks and configurations are matched by name. A change of CPU times is significant if the
    /// 95% interval of the median ratio excludes 1 and the median changes by 5% or more.
    #[arg(long, value_name = "FOLDER|FILE", help_heading = "Output")]
    pub baseline: Option<PathBuf>,

    /// The configurations.
    #[command(flatten)]
    pub matrix: MatrixOptions,

    /// Solvers that are programs of the user.
    #[command(flatten)]
    pub external: ExternalOptions,

    /// The resources of each run.
    #[command(flatten)]
    pub resources: ResourceOptions,

    /// Where the runs take place.
    ///
    /// With slurm, the tasks, --output and this binary must be in folders that all nodes share.
    /// --memlimit is required; --jobs limits the runs at a time, and by default Slurm decides. The
    /// runs go on if this command ends, and the same command collects their results.
    #[arg(
        long,
        value_parser = choice::<Executor>(),
        default_value_t = Executor::Local,
        hide_short_help = true,
        value_name = "NAME",
        help_heading = "Limits"
    )]
    pub executor: Executor,

    /// Further options of sbatch, such as '--partition=long --account=me'.
    ///
    /// The words are split as by a shell. They take precedence over those of this command.
    #[arg(
        long,
        value_name = "OPTIONS",
        allow_hyphen_values = true,
        hide_short_help = true,
        help_heading = "Limits"
    )]
    pub slurm_options: Option<String>,

    /// A file of tasks with disputed labels: SET/NAME: REASON. A verdict against such a label is
    /// counted separately.
    #[arg(long, value_name = "FILE", help_heading = "Tasks")]
    pub disputed: Option<PathBuf>,

    /// Run N of the tasks: one of each set, then others, by hashes of their names.
    ///
    /// A set is a folder. A further task replaces at most one of the sample.
    #[arg(long, value_name = "N", help_heading = "Tasks")]
    pub sample: Option<usize>,

    /// The property of all tasks: a file or a name, as for `hornwork verify`.
    #[arg(long, value_name = "FILE|NAME", help_heading = "Tasks")]
    pub property: Option<String>,

    /// Further options of each run, of `hornwork verify` or, for scripts, `hornwork smt`.
    #[arg(last = true, value_name = "OPTION", help_heading = "Configurations")]
    pub more: Vec<String>,
}

/// The dimensions of the matrix of configurations.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Configurations")]
pub struct MatrixOptions {
    /// The algorithms, or the engines for Horn clauses [default: auto].
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub algorithms: Vec<String>,

    /// The solvers [default: that of the command].
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub solvers: Vec<String>,

    /// The encodings [default: that of the command].
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub encodings: Vec<String>,

    /// The sources of interpolants, each a name or several joined by + in order of preference.
    ///
    /// Algorithms without interpolation run once, without this option.
    #[arg(long, value_name = "NAME+…,…", value_delimiter = ',')]
    pub interpolation: Vec<String>,

    /// Another option of the command with the values to compare; may be given several times. In a
    /// value, + stands for a comma.
    #[arg(long, value_name = "OPTION=VALUE,…")]
    pub vary: Vec<String>,
}

/// The resources of each run.
#[derive(Args, Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[command(next_help_heading = "Limits")]
pub struct ResourceOptions {
    /// Wall time of each run. A run that has not ended 3 seconds later is killed.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    pub timelimit: f64,

    /// CPU time of all processes of a run; 0 for no limit.
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, value_parser = seconds)]
    pub cputimelimit: f64,

    /// Memory of all processes of a run; 0 for 80% of the memory of the machine, divided by --jobs.
    #[arg(long, value_name = "MB", default_value_t = 0)]
    pub memlimit: u64,

    /// The processor cores of each run.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub cores: u16,

    /// The number of runs at the same time; each has cores of its own.
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub jobs: u16,
}

terms::choice! {
    /// Where the runs of a campaign take place.
    Executor {
        Local = "local", "on this machine";
        Slurm = "slurm", "on the nodes of a Slurm cluster, as job arrays";
    }
}

/// `hornwork array-element`.
#[derive(Args, Debug, Clone)]
pub struct ElementOptions {
    /// The folder of the campaign.
    #[arg(long, value_name = "FOLDER")]
    pub campaign: PathBuf,

    /// The number of the submission.
    #[arg(long, value_name = "N")]
    pub submission: usize,

    /// The number of the element.
    #[arg(long, value_name = "N")]
    pub element: usize,
}

/// `hornwork supervise`.
#[derive(Args, Debug, Clone)]
pub struct SuperviseOptions {
    /// The processor cores of the command.
    #[arg(long, value_delimiter = ',')]
    pub cores: Vec<usize>,

    /// The limit of the wall time; 0 for no limit.
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, value_parser = seconds)]
    pub timelimit: f64,

    /// The limit of the CPU time; 0 for no limit.
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, value_parser = seconds)]
    pub cputimelimit: f64,

    /// The limit of the memory; 0 for no limit.
    #[arg(long, value_name = "MB", default_value_t = 0)]
    pub memlimit: u64,

    /// The file of the standard output of the command.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,

    /// The file of the standard error of the command.
    #[arg(long, value_name = "FILE")]
    pub err: PathBuf,

    /// The program and its arguments.
    #[arg(last = true, required = true)]
    pub command: Vec<OsString>,
}
