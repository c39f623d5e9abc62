//! A control group (cgroup v2) for the processes of a run.
//!
//! The kernel counts the CPU time and the peak memory of a group, including processes that left
//! their process group, and kills all of its processes at once. A process may create groups below
//! its own or, depending on the machine, beside it; which controllers such a group has depends on
//! its parent. Therefore the first ancestor wins below which a group counts memory, and else the
//! first below which a group can be made at all: it counts CPU time only.

use crate::processes::{GROUP_PROCESSES, Tree};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A group without processes, or with those of one run. Removed when it is dropped.
pub(super) struct Cgroup {
    folder: PathBuf,
    /// The group of this process.
    own: PathBuf,
    counts_memory: bool,
}

impl Cgroup {
    /// Creates a group, if this machine lets us.
    pub(super) fn create() -> Option<Self> {
        let own = own_group(
            &fs::read_to_string("/proc/self/mounts").ok()?,
            &fs::read_to_string("/proc/self/cgroup").ok()?,
        )?;
        let mount = own.mount;
        let own = own.group;
        let mut second = None;
        for parent in own.ancestors().take_while(|folder| folder.starts_with(&mount)) {
            let folder = parent.join(format!("hornwork-{}", std::process::id()));
            if fs::create_dir(&folder).is_err() {
                continue;
            }
            let counts_memory = folder.join("memory.peak").exists() && folder.join("memory.max").exists();
            let is_usable = folder.join("cpu.stat").exists() && folder.join("cgroup.kill").exists();
            let group = Cgroup { folder, own: own.clone(), counts_memory };
            if counts_memory && is_usable {
                return Some(group);
            }
            if is_usable && second.is_none() {
                second = Some(group);
            }
        }
        second
    }

    /// Whether the group counts and limits memory.
    pub(super) fn counts_memory(&self) -> bool {
        self.counts_memory
    }

    /// Limits the memory of all processes together.
    pub(super) fn limit_memory(&self, bytes: u64) {
        if self.counts_memory {
            // Where one of them fails, the supervisor enforces the limit on what it samples.
            let _ = fs::write(self.folder.join("memory.max"), bytes.to_string());
            let _ = fs::write(self.folder.join("memory.swap.max"), "0");
            let _ = fs::write(self.folder.join("memory.oom.group"), "1");
        }
    }

    /// Runs `action` while this process is in the group, so that processes that `action` starts
    /// begin there.
    pub(super) fn inside<T>(&self, action: impl FnOnce() -> T) -> std::io::Result<T> {
        fs::write(self.folder.join(GROUP_PROCESSES), "0")?;
        let result = action();
        fs::write(self.own.join(GROUP_PROCESSES), "0")?;
        Ok(result)
    }

    /// The processes of the group.
    pub(super) fn tree(&self) -> Tree {
        Tree::of_group(&self.folder)
    }

    /// Kills all processes of the group.
    pub(super) fn kill(&self) {
        let _ = fs::write(self.folder.join("cgroup.kill"), "1");
    }

    /// Returns the CPU time of all processes of the group, including those that have ended.
    pub(super) fn cpu(&self) -> Option<Duration> {
        field(&self.folder.join("cpu.stat"), "usage_usec").map(Duration::from_micros)
    }

    /// Returns the largest memory of all processes together in bytes.
    pub(super) fn peak(&self) -> Option<u64> {
        fs::read_to_string(self.folder.join("memory.peak")).ok()?.trim().parse().ok()
    }

    /// Whether the kernel has killed a process because of the memory limit.
    pub(super) fn is_out_of_memory(&self) -> bool {
        self.counts_memory
            && field(&self.folder.join("memory.events"), "oom_kill").is_some_and(|kills| kills > 0)
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        // An empty group that remains costs nothing.
        let _ = fs::remove_dir(&self.folder);
    }
}

/// Returns the number in the line of `file` that starts with `name`.
fn field(file: &Path, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
}

/// The folders of the mounted hierarchy and of the group of a process.
#[derive(Debug, PartialEq, Eq)]
struct Own {
    mount: PathBuf,
    group: PathBuf,
}

/// Finds the group of this process in the texts of `/proc/self/mounts` and `/proc/self/cgroup`.
fn own_group(mounts: &str, groups: &str) -> Option<Own> {
    let mount = mounts.lines().find_map(|line| {
        let mut words = line.split(' ');
        let (_, folder, kind) = (words.next()?, words.next()?, words.next()?);
        (kind == "cgroup2").then(|| PathBuf::from(folder))
    })?;
    let path = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let group = mount.join(path);
    Some(Own { mount, group })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_own_group_is_found_below_the_mount() {
        let mounts = "proc /proc proc rw 0 0\ncgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n";
        let found = own_group(mounts, "0::/user.slice/session-1.scope\n").expect("a group");
        assert_eq!(found.group, Path::new("/sys/fs/cgroup/user.slice/session-1.scope"));
        assert_eq!(found.mount, Path::new("/sys/fs/cgroup"));
        let mixed =
            "cgroup /sys/fs/cgroup/cpu cgroup rw 0 0\ncgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n";
        let found = own_group(mixed, "4:memory:/x\n0::/\n").expect("a group");
        assert_eq!(found.group, Path::new("/sys/fs/cgroup/unified"));
        assert_eq!(own_group("proc /proc proc rw 0 0\n", "0::/\n"), None);
        assert_eq!(own_group(mounts, "4:memory:/x\n"), None);
    }
}
