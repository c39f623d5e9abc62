#!/usr/bin/env python3
"""Compares the CPU time and the peak memory that `hornwork compare` measures with those of GNU
time, or of BenchExec's runexec, and prints the largest deviations. The exit code is 1 if one
exceeds 5 %.

    benches/measurements.py [--runs 20] [--tool target/release/hornwork] [--runexec runexec]

Each run is measured twice at once: the supervisor of `hornwork compare` runs GNU time, which runs
the command; runexec runs the supervisor. So the load of the machine is the same for both. The
commands are runs of the verifier, with one process and with the processes of the portfolio, and
scripts that fork. GNU time reports the memory of the largest process only. Where processes run at
once, the supervisor reports their sum, so it is compared with the memory that the script is known
to need.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ALLOWED = 0.05
SHORTEST = 0.5  # seconds of CPU time; GNU time rounds down to 0.01 s
SMALLEST = 50_000_000  # bytes of memory; GNU time itself needs 2 MB

HOLD = "import time; held = bytearray(b'x') * {size}; time.sleep(0.6)"
SPIN = "x = 0\nfor i in range({rounds}): x += i * i"
FORK = """
import os, time
children = []
for _ in range({children}):
    child = os.fork()
    if child == 0:
        {work}
        os._exit(0)
    children.append(child)
for child in children:
    os.waitpid(child, 0)
"""


def commands(tool):
    """Triples of a name, a command, and what is known of the memory of several processes."""
    python = sys.executable
    verify = [tool, "verify", "--quiet", "--timelimit", "4"]
    example = lambda name: os.path.join(ROOT, "benches", "programs", name + ".c")
    yield "verify one process", [*verify, "--algorithm", "bmc", "--isolation", "none", example("loop_crc")], None
    yield "verify workers", [*verify, "--algorithm", "k-induction", example("loop_bubble_sort")], "forks"
    yield "verify portfolio", [*verify, example("loop_matrix")], "forks"
    yield "computes", [python, "-c", SPIN.format(rounds=15_000_000)], None
    yield "allocates", [python, "-c", HOLD.format(size=200_000_000)], None
    work = "sum(i * i for i in range(6_000_000))"
    yield "forks and computes", [python, "-c", FORK.format(children=3, work=work)], "forks"
    hold = "held = bytearray(b'x') * 100_000_000; time.sleep(0.6)"
    yield "forks and allocates", [python, "-c", FORK.format(children=3, work=hold)], 300_000_000


def supervise(tool, command, folder):
    output = [os.path.join(folder, name) for name in ("out", "err")]
    supervised = [tool, "supervise", "--out", output[0], "--err", output[1], "--", *command]
    run = subprocess.run(supervised, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def with_gnu_time(tool, command, folder):
    """The measurements of the supervisor and of GNU time: seconds and bytes."""
    log = os.path.join(folder, "time")
    ours = supervise(tool, ["/usr/bin/time", "-q", "-o", log, "-f", "%U %S %M", *command], folder)
    with open(log, encoding="utf-8") as file:
        user, system, kilobytes = file.read().split()[-3:]
    return (ours["cputime"], ours["memory"]), (float(user) + float(system), int(kilobytes) * 1024)


def with_runexec(runexec, tool, command, folder):
    """The measurements of the supervisor and of runexec, which counts all processes."""
    output = os.path.join(folder, "log")
    supervised = [tool, "supervise", "--out", "/dev/null", "--err", "/dev/null", "--", *command]
    arguments = [runexec, "--no-container", "--output", output, "--", *supervised]
    run = subprocess.run(arguments, capture_output=True, text=True, check=True)
    theirs = dict(line.split("=", 1) for line in run.stdout.splitlines() if "=" in line)
    with open(output, encoding="utf-8") as file:
        ours = json.loads(next(line for line in file if line.startswith("{")))
    memory = int(theirs.get("memory", "0B").removesuffix("B"))
    return (ours["cputime"], ours["memory"]), (float(theirs["cputime"].removesuffix("s")), memory)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default=os.path.join(ROOT, "target", "release", "hornwork"))
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--runexec", metavar="FILE", help="compare with this runexec")
    options = parser.parse_args()
    tool = os.path.abspath(options.tool)
    if not options.runexec and shutil.which("/usr/bin/time") is None:
        sys.exit("GNU time is not installed")
    chosen = list(commands(tool))
    worst = {"CPU time": 0.0, "memory": 0.0}
    other = "runexec" if options.runexec else "GNU time"
    print(f"{'command':22} {'CPU time':>9} {other:>9} {'':>7} {'memory':>8} {other:>9}")
    for number in range(options.runs):
        name, command, memory = chosen[number % len(chosen)]
        with tempfile.TemporaryDirectory() as folder:
            if options.runexec:
                ours, theirs = with_runexec(options.runexec, tool, command, folder)
            else:
                ours, theirs = with_gnu_time(tool, command, folder)
        deviation = ours[0] / theirs[0] - 1 if theirs[0] >= SHORTEST else 0.0
        worst["CPU time"] = max(worst["CPU time"], abs(deviation))
        expected = theirs[1] if not isinstance(memory, int) else memory
        of_memory = ours[1] / expected - 1
        if expected < SMALLEST:
            of_memory = 0.0
        if memory is None:
            worst["memory"] = max(worst["memory"], abs(of_memory))
        elif isinstance(memory, int):
            # The interpreters themselves come in addition, at most 20 MB for each process.
            if not 0 <= of_memory <= 0.3:
                worst["memory"] = max(worst["memory"], abs(of_memory))
        elif of_memory < -ALLOWED:
            worst["memory"] = max(worst["memory"], -of_memory)
        print(f"{name:22} {ours[0]:8.3f}s {theirs[0]:8.3f}s {deviation:+7.1%} {ours[1] / 1e6:6.0f}MB {expected / 1e6:7.0f}MB {of_memory:+7.1%}")
    print(", ".join(f"largest deviation of {what}: {value:.1%}" for what, value in worst.items()))
    return 1 if max(worst.values()) > ALLOWED else 0


if __name__ == "__main__":
    sys.exit(main())
