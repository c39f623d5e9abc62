#!/usr/bin/env python3
"""Emits Horn clauses of verification tasks, and compares the answers of Z3 with the labels.

    benches/emitted.py FOLDER... [--z3 .setup/venv/bin/z3] [--timelimit 20] [--sample N] [--jobs 2]
                       [--tool target/release/hornwork] [--options "--blk lf"]

For each task, `hornwork emit --to chc` writes the clauses, and Z3 must read them without an error.
Where it answers within the time limit, `sat` must belong to a safe task and `unsat` to an unsafe
one. Listed apart are tasks whose clauses count an unsupported construct as an error; tasks whose
clauses assume that no access is outside of all objects, if `hornwork verify` finds that one may be;
and errors of Z3, where `hornwork horn --solve` has the other answer, with checked evidence.

Prints a line for each failure and a summary; the exit code is 1 if a task is refused, if Z3 reports
an error, or if an answer is wrong.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from common import ROOT, disputed_tasks, expected_verdict, find_tasks, is_disputed, set_of

UNSUPPORTED = "unsupported construct, counted as an error"
APPROXIMATE = "(over-approximation)"


def check(task, arguments, disputed):
    """The outcome of one task, a message, and the seconds of the emission."""
    name = f"{set_of(task)}/{os.path.basename(task)}"
    start = time.monotonic()
    command = [arguments.tool, "emit", task, "--to", "chc", *arguments.options.split()]
    emitted = subprocess.run(command, capture_output=True, text=True)
    seconds = time.monotonic() - start
    if emitted.returncode != 0:
        lines = (emitted.stdout + emitted.stderr).strip().splitlines()
        return "refused", f"{name}: {lines[-1] if lines else emitted.returncode}", seconds
    with tempfile.NamedTemporaryFile("w", suffix=".smt2") as file:
        file.write(emitted.stdout)
        file.flush()
        command = [arguments.z3, f"-T:{arguments.timelimit}", f"-memory:{arguments.memory}", file.name]
        solved = subprocess.run(command, capture_output=True, text=True)
    answer = (solved.stdout.split() or ["none"])[0]
    if "(error" in solved.stdout and "out of memory" not in solved.stdout:
        return "error", f"{name}: {solved.stdout.strip().splitlines()[0]}", seconds
    if answer not in ("sat", "unsat"):
        return "no answer", None, seconds
    is_right = (answer == "sat") == (expected_verdict(task) == "true")
    if is_right:
        return "right", None, seconds
    if is_disputed(task, disputed):
        return "disputed", None, seconds
    if answer == "unsat" and UNSUPPORTED in emitted.stdout:
        return "unsupported construct", f"{name}: unsat, with an unsupported construct", seconds
    if answer == "unsat" and APPROXIMATE in emitted.stdout:
        return "approximation", f"{name}: unsat, with an over-approximation", seconds
    command = [arguments.tool, "verify", task, "--quiet", "--timelimit", "10"]
    verified = subprocess.run(command, capture_output=True, text=True)
    if answer == "sat" and "outside of every object" in verified.stdout:
        return "access outside", f"{name}: sat, with an access outside of all objects", seconds
    with tempfile.NamedTemporaryFile("w", suffix=".smt2") as file:
        file.write(emitted.stdout)
        file.flush()
        command = [arguments.tool, "horn", file.name, "--solve", "--timelimit", "60"]
        own = subprocess.run(command, capture_output=True, text=True).stdout.split()
    if {answer, *own[:1]} == {"sat", "unsat"}:
        return "error of Z3", f"{name}: {answer}, where a checked answer is {own[0]}", seconds
    return "wrong", f"{name}: {answer}", seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--z3", default=os.path.join(ROOT, ".setup", "venv", "bin", "z3"))
    parser.add_argument("--timelimit", type=int, default=20)
    parser.add_argument("--memory", type=int, default=4000, help="of Z3, in MB")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--tool", default=os.path.join(ROOT, "target", "release", "hornwork"))
    parser.add_argument("--options", default="", help="more options of emit")
    arguments = parser.parse_args()
    disputed = disputed_tasks()
    tasks = find_tasks(arguments.folders, arguments.sample)
    counts, emission = Counter(), []
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for outcome, said, seconds in pool.map(lambda task: check(task, arguments, disputed), tasks):
            counts[outcome] += 1
            emission.append(seconds)
            if said:
                print(f"{outcome}: {said}", flush=True)
    print(f"{len(tasks)} tasks: " + ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common()))
    print(f"emission: {sum(emission):.1f} s in all, at most {max(emission, default=0):.1f} s")
    return 1 if counts["refused"] + counts["error"] + counts["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
