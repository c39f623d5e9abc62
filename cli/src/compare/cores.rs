//! The assignment of processor cores to simultaneous runs.
//!
//! Two hardware threads of one physical core slow each other down. Where there are enough physical
//! cores, each run gets one thread of each of its cores; otherwise the threads of a core belong to
//! the same run as far as possible.

use crate::error::CliError;
use rustix::thread::{CpuSet, sched_getaffinity};
use std::collections::BTreeMap;

/// Returns the cores of each of `jobs` simultaneous runs with `count` cores each.
///
/// # Errors
/// If this process may use fewer cores.
pub(super) fn assign(jobs: usize, count: usize) -> Result<Vec<Vec<usize>>, CliError> {
    let cores: Vec<(usize, String)> = available()?.into_iter().map(|cpu| (cpu, siblings(cpu))).collect();
    divide(&cores, jobs, count).ok_or_else(|| {
        CliError::Usage(format!(
            "--jobs {jobs} with --cores {count} needs {} processor cores, and {} are available",
            jobs.saturating_mul(count),
            cores.len()
        ))
    })
}

/// The processor cores that this process may use.
pub(super) fn available() -> Result<Vec<usize>, CliError> {
    let own = sched_getaffinity(None)
        .map_err(|error| CliError::Usage(format!("cannot read the processor cores: {error}")))?;
    Ok((0..CpuSet::MAX_CPU).filter(|&cpu| own.is_set(cpu)).collect())
}

/// The hardware threads of the physical core of `cpu`, in the words of the system.
fn siblings(cpu: usize) -> String {
    let file = format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
    std::fs::read_to_string(file).map_or_else(|_| cpu.to_string(), |text| text.trim().to_owned())
}

/// Divides hardware threads, each with the name of its physical core.
fn divide(threads: &[(usize, String)], jobs: usize, count: usize) -> Option<Vec<Vec<usize>>> {
    let needed = jobs.checked_mul(count)?;
    let mut physical: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (thread, core) in threads {
        physical.entry(core).or_default().push(*thread);
    }
    let mut cores: Vec<Vec<usize>> = physical.into_values().collect();
    cores.sort();
    let threads: Vec<usize> = match cores.len() >= needed {
        true => cores.iter().map(|core| core[0]).collect(),
        false => cores.concat(),
    };
    (threads.len() >= needed && count > 0)
        .then(|| threads.chunks(count).take(jobs).map(<[_]>::to_vec).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_share_a_physical_core_only_if_they_must() {
        let threads: Vec<(usize, String)> =
            (0..8).map(|thread| (thread, format!("{}", thread % 4))).collect();
        assert_eq!(divide(&threads, 2, 2), Some(vec![vec![0, 1], vec![2, 3]]));
        assert_eq!(divide(&threads, 4, 2), Some(vec![vec![0, 4], vec![1, 5], vec![2, 6], vec![3, 7]]));
        assert_eq!(divide(&threads, 3, 1), Some(vec![vec![0], vec![1], vec![2]]));
        assert_eq!(divide(&threads, 3, 3), None);
    }
}
