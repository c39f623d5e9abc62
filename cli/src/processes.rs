//! The processes below a process, as `/proc` lists them, and the end of a process with its parent.

/// Returns the processes below `process`: its children, their children, and so on, without itself.
pub(crate) fn descendants(process: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let mut next = vec![process];
    while let Some(process) = next.pop() {
        // A child belongs to the thread that started it.
        for thread in std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten() {
            let children = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            let children = children.split_whitespace().filter_map(|word| word.parse::<u32>().ok());
            let before = found.len();
            found.extend(children);
            next.extend_from_slice(&found[before..]);
        }
    }
    found
}

/// Makes this process, a stage or a solver, end when its parent does.
pub(crate) fn end_with_parent() {
    // If this fails, a stage ends at its time limit, a solver at the end of its input.
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    #[test]
    fn children_of_children_are_found() {
        let script = "sh -c 'sleep 60 & echo $!; wait' & wait";
        let mut shell =
            Command::new("sh").args(["-c", script]).stdout(Stdio::piped()).spawn().expect("a shell");
        let mut line = String::new();
        let output = shell.stdout.take().expect("a pipe");
        BufReader::new(output).read_line(&mut line).expect("the number of a process");
        let deep: u32 = line.trim().parse().expect("the number of a process");
        let found = descendants(shell.id());
        assert!(found.len() == 2 && found.contains(&deep), "{found:?} {deep}");
        for process in found {
            let process = rustix::process::Pid::from_raw(process.cast_signed()).expect("a process");
            rustix::process::kill_process(process, rustix::process::Signal::KILL).expect("it runs");
        }
        shell.wait().expect("it has ended");
    }
}
