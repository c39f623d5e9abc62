#!/usr/bin/env python3
"""Compares `hornwork verify` with CBMC, whose bound is doubled until it decides, on verification
tasks with a reachability property.

    benches/cbmc_tasks.py FOLDER... --cbmc PATH [--timelimit 10] [--sample N] [--save FILE]
                          [-- OPTIONS]

Both get the same file and data model. CBMC runs with the bounds 1, 2, 4, … and unwinding assertions
until one run has an answer that no bound limits; its time is the sum of the runs. Hornwork runs
with `--algorithm bmc` unless OPTIONS say otherwise, and finds the bounds itself. The two run one
after the other for each task, and the wall time of the whole commands counts. Prints a line for
each task that one of them decides, those where CBMC is faster by more than a factor of two and a
tenth of a second, and a summary. The exit code is 1 after a wrong verdict of Hornwork.
"""
import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from common import GRACE, ROOT, disputed_tasks, expected_verdict, find_tasks, is_disputed, set_of

DEFINITION = re.compile(r"\bvoid\s+reach_error\s*\(\s*(?:void)?\s*\)\s*\{")
# What CBMC does not know of the functions of SV-COMP.
STUBS = """
void reach_error(void) { __CPROVER_assert(0, "reach_error"); }
"""
ASSUME = "void __VERIFIER_assume(int condition) { __CPROVER_assume(condition); }\n"
# Less than this is the start of a process.
LEAST = 0.1


def member(task, pattern):
    with open(task, encoding="utf-8") as file:
        match = re.search(pattern, file.read())
    return match.group(1) if match else ""


def run(command, limit):
    """The wall time, the exit code (None at the limit), and the standard output of a command."""
    start = time.perf_counter()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=max(limit, 0.01), errors="replace")
        code, output = done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        code, output = None, ""
    return time.perf_counter() - start, code, output


def prepared(task, folder):
    """The file of a task as CBMC reads it, with an assertion in `reach_error`, and more options."""
    path = os.path.join(os.path.dirname(task), member(task, r"input_files:\s*'?\"?([^'\"\n]+)"))
    if "label" in member(task, r"property_file:\s*(\S+)"):
        return path, ["--error-label", "ERROR"]
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    text, replaced = DEFINITION.subn("void reach_error_of_task(void) {", text)
    if replaced:
        text = f"void reach_error(void);\n{text}"
    if "__VERIFIER_assume" in text and not re.search(r"__VERIFIER_assume\s*\([^;{]*\)\s*\{", text):
        text += ASSUME
    copy = os.path.join(folder, "task" + os.path.splitext(path)[1])
    with open(copy, "w", encoding="utf-8") as file:
        file.write(text + STUBS)
    return copy, []


def cbmc(program, task, limit, folder):
    """The seconds, the answer, and the last bound of CBMC."""
    path, more = prepared(task, folder)
    bits = "--64" if member(task, r"data_model:\s*(\w+)") == "LP64" else "--32"
    total, bound = 0.0, 1
    while True:
        command = [program, bits, "--no-standard-checks", *more, "--unwind", str(bound), "--unwinding-assertions",
                   "--stop-on-fail", path]
        seconds, code, output = run(command, limit - total)
        total += seconds
        if code == 0:
            return total, "true", bound
        is_bound = "unwinding assertion" in output.split("Violated property")[-1] or code is None
        if code == 10 and not is_bound:
            return total, "false", bound
        if code not in (10, None):
            return total, f"exit {code}", bound
        if total >= limit:
            return total, "timeout", bound
        # A run that stops at an unwinding assertion may hide an error within the bound.
        seconds, code, output = run([word for word in command if word != "--unwinding-assertions"], limit - total)
        total += seconds
        if code == 10:
            return total, "false", bound
        if total >= limit:
            return total, "timeout", bound
        bound *= 2


def hornwork(program, task, limit, options):
    command = [program, "verify", task, "--quiet", "--timelimit", str(limit), *options]
    seconds, code, _ = run(command, limit + GRACE)
    return seconds, {0: "true", 10: "false"}.get(code, "unknown")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--cbmc", default=shutil.which("cbmc") or os.path.expanduser("~/.cache/cbmc/bin/cbmc"))
    parser.add_argument("--tool", default=os.path.join(ROOT, "target", "release", "hornwork"))
    parser.add_argument("--timelimit", type=float, default=10)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--save", help="append the measurements as lines of JSON")
    words = sys.argv[1:]
    split = words.index("--") if "--" in words else len(words)
    arguments, options = parser.parse_args(words[:split]), words[split + 1 :] or ["--algorithm", "bmc"]
    disputed, rows, wrong = disputed_tasks(), [], []
    with tempfile.TemporaryDirectory() as folder:
        for task in find_tasks(arguments.folders, arguments.sample):
            name = f"{set_of(task)}/{os.path.basename(task).removesuffix('.yml')}"
            expected = expected_verdict(task)
            own_seconds, own = hornwork(arguments.tool, task, arguments.timelimit, options)
            their_seconds, theirs, bound = cbmc(arguments.cbmc, task, arguments.timelimit, folder)
            if own in ("true", "false") and own != expected and not is_disputed(task, disputed):
                wrong.append(f"{name}: {own}")
            row = {"task": name, "expected": expected, "own": own, "own_seconds": own_seconds, "theirs": theirs,
                   "their_seconds": their_seconds, "bound": bound}
            rows.append(row)
            if arguments.save:
                with open(arguments.save, "a", encoding="utf-8") as file:
                    print(json.dumps(row), file=file)
            if "unknown" != own or theirs in ("true", "false"):
                print(f"{name:60}{own_seconds:8.2f}s {own:8}{their_seconds:8.2f}s {theirs:8} bound {bound}", flush=True)
    right = lambda row, who: row[who] == row["expected"]
    for who in ("own", "theirs"):
        print(f"{who}: {sum(right(row, who) for row in rows)} of {len(rows)} decided as expected")
    both = [row for row in rows if right(row, "own") and right(row, "theirs")]
    if both:
        ratios = [math.log(row["own_seconds"] / row["their_seconds"]) for row in both]
        print(f"geometric mean of the ratios where both decide: {math.exp(sum(ratios) / len(ratios)):.2f}")
    for row in rows:
        if right(row, "theirs") and (not right(row, "own") or row["own_seconds"] > 2 * row["their_seconds"] + LEAST):
            print(f"CBMC is faster: {row['task']}: {row['own_seconds']:.2f} s ({row['own']}), {row['their_seconds']:.2f} s")
    for line in wrong:
        print(f"WRONG {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
