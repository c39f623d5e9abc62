#!/usr/bin/env python3
"""Compares `hornwork verify` with CBMC on functions of real libraries, whose sources fetch.sh
fetches.

    benches/real/fetch.sh
    benches/real/run.py --cbmc PATH [--limit 45] [--only REGEX] [--save FILE] [-- OPTIONS]

A harness (harnesses/*.c) includes sources of a library and calls one of its functions on
inputs. Its first lines name the folder of the crate (`root`), folders of headers, macros, the
bound of its loops, and the expected verdict; the harnesses `*_bug.c` plant an error into a copy
of one source by a `sed` script. Both tools check the same: assertions, every access to memory,
signed overflow, divisions and shifts. CBMC gets the bound with unwinding assertions; Hornwork
finds the bounds itself, or gets the same bound with --bound. Runs alternate on one machine; the
time is the wall time of the whole command. Each FALSE of Hornwork is confirmed: the harness is
compiled with the sanitizers of the C compiler and executed on the inputs that Hornwork printed.
Exits with 1 after a wrong verdict or one that is not confirmed.
"""
import argparse
import glob
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.join(HERE, "..", "..")
CHECKS = "deref,free,bounds,null,overflow,div-by-zero,shift"


class Harness:
    """A harness, with its planted error in a copy of the source in `overlay`."""

    def __init__(self, path, vendor, overlay):
        self.path, self.name = path, os.path.basename(path)[:-2]
        with open(path, encoding="utf-8") as file:
            text = file.read()
        field = lambda name: next(iter(re.findall(rf"^// {name}: (.*)$", text, re.M)), "")
        self.expected, self.bound = field("expected"), int(field("unwind"))
        root = os.path.join(vendor, field("root"))
        folders = []
        if bug := field("bug"):
            file, script = bug.split(" ", 1)
            copy = os.path.join(overlay, self.name, file)
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            with open(os.path.join(root, file), "rb") as source:
                before = source.read()
            after = subprocess.run(["sed", script], input=before, stdout=subprocess.PIPE, check=True).stdout
            if after == before:
                sys.exit(f"{self.name}: the planted error changes nothing")
            with open(copy, "wb") as target:
                target.write(after)
            folders = [os.path.join(overlay, self.name), os.path.dirname(os.path.join(root, file))]
        folders += [os.path.join(HERE, "harnesses"), os.path.join(HERE, "config"), root]
        folders += [os.path.join(root, folder) for folder in field("include").split()]
        if bug:
            # Sources below an included folder have their planted copies before them.
            folders[1:1] = [os.path.join(overlay, self.name, folder) for folder in field("include").split()]
        self.options = [f"-I{folder}" for folder in folders if os.path.isdir(folder)]
        self.options += [f"-D{macro}" for macro in field("define").split()]


def timed(command, limit):
    """Runs a command; returns its wall time, exit code (None at the limit), output and memory."""
    start = time.perf_counter()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL, start_new_session=True)
        code, peak = None, 0
        while code is None and time.perf_counter() - start < limit:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                code, peak = os.waitstatus_to_exitcode(status), usage.ru_maxrss
            else:
                time.sleep(0.005)
        seconds = time.perf_counter() - start
        if code is None:
            os.killpg(process.pid, signal.SIGKILL)
            peak = os.wait4(process.pid, 0)[2].ru_maxrss
        output.seek(0)
        return seconds, code, output.read().decode(errors="replace"), peak // 1024


def confirm(harness, trace_json, folder):
    """Whether the sanitizers report an error of the harness on the inputs of a counterexample."""
    values = [entry for entry in inputs_of(trace_json)]
    table = ", ".join(f"{value}ull" for value in values) or "0"
    replay = os.path.join(folder, "replay.c")
    with open(replay, "w", encoding="utf-8") as file:
        file.write(f"#include <stdlib.h>\nstatic const unsigned long long table[] = {{{table}}};\n"
                   f"static unsigned long next(void) {{ static unsigned i; return i < {len(values)} ? table[i++] : 0; }}\n"
                   "void __VERIFIER_assume(int condition) { if (!condition) exit(77); }\n")
        for name, of in (("uchar", "unsigned char"), ("ushort", "unsigned short"), ("uint", "unsigned"),
                         ("int", "int"), ("ulong", "unsigned long")):
            file.write(f"{of} __VERIFIER_nondet_{name}(void) {{ return ({of})next(); }}\n")
    binary = os.path.join(folder, "replay")
    # Unreached functions have no definition, which internal symbols must have.
    compile = ["gcc", "-w", "-Dvisibility(kind)=", "-O0", "-g", "-fsanitize=address,undefined",
               "-fno-sanitize-recover=all", *harness.options, harness.path, replay, "-lm", "-no-pie", "-ffunction-sections",
               "-Wl,--gc-sections,--unresolved-symbols=ignore-all,-z,lazy", "-o", binary]
    result = subprocess.run(compile, capture_output=True, text=True)
    if result.returncode:
        return f"does not compile: {result.stderr.splitlines()[-1] if result.stderr else ''}"
    try:
        result = subprocess.run([binary], capture_output=True, text=True, timeout=30)
    except subprocess.TimeoutExpired:
        return "replay runs on"
    found = re.search(r"runtime error: [^\n]*|AddressSanitizer: [\w-]+|Assertion `[^\n]*", result.stderr)
    return ("confirmed" if found and result.returncode not in (0, 77) else
            f"NOT CONFIRMED (exit code {result.returncode})")


def inputs_of(text):
    """The values of the calls of __VERIFIER_nondet_*, in order, as unsigned numbers."""
    report = json.loads(text[text.index("{"):])
    for entry in report["inputs"]:
        if entry["source"].startswith("__VERIFIER_nondet"):
            yield int(entry["value"].split()[0]) % 2**64


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cbmc", default=shutil.which("cbmc") or os.path.expanduser("~/.cache/cbmc/bin/cbmc"))
    parser.add_argument("--hornwork", default=os.path.join(TOP, "target", "release", "hornwork"))
    parser.add_argument("--vendor", default=os.path.join(TOP, "target", "real", "vendor"))
    parser.add_argument("--limit", type=float, default=45)
    parser.add_argument("--only", default="", help="only harnesses whose names match")
    parser.add_argument("--bound", action="store_true", help="give Hornwork the same bound, too")
    parser.add_argument("--without-cbmc", action="store_true", help="run Hornwork alone")
    parser.add_argument("--save", help="write the measurements as JSON")
    parser.add_argument("options", nargs="*", help="more options for hornwork, after --")
    arguments = parser.parse_args()
    rows, failures = [], []
    with tempfile.TemporaryDirectory() as folder:
        print(f"{'harness':30}{'hornwork':>10}{'':>9}{'MB':>6}{'cbmc':>10}{'':>9}{'MB':>6}{'ratio':>8}  replay", flush=True)
        for path in sorted(glob.glob(os.path.join(HERE, "harnesses", "*.c"))):
            if not re.search(arguments.only, os.path.basename(path)):
                continue
            harness = Harness(path, os.path.abspath(arguments.vendor), folder)
            ours = [arguments.hornwork, "verify", "--quiet", "--json", "--data-model", "LP64", "--timelimit",
                    str(int(arguments.limit)), "--check", CHECKS,
                    *(["--unwind", str(harness.bound)] if arguments.bound else []),
                    *arguments.options, *harness.options, path]
            theirs = [arguments.cbmc, "--64", "--no-standard-checks", "--bounds-check", "--pointer-check",
                      "--signed-overflow-check", "--div-by-zero-check", "--undefined-shift-check",
                      "--no-malloc-may-fail", "--unwind", str(harness.bound + 1), "--unwinding-assertions",
                      "--stop-on-fail", *harness.options, path]
            row = {"name": harness.name, "expected": harness.expected, "replay": ""}
            for name, command in (("ours", ours), ("theirs", theirs)):
                if name == "theirs" and arguments.without_cbmc:
                    row[name] = {"seconds": 0, "answer": "-", "memory": 0}
                    continue
                seconds, code, output, memory = timed(command, arguments.limit + 2)
                answer = {0: "true", 10: "false"}.get(code, "timeout" if code is None else "unknown")
                if name == "theirs" and answer == "false" and "unwinding assertion" in output.split("Violated property")[-1]:
                    answer = "bound"
                row[name] = {"seconds": seconds, "answer": answer, "memory": memory}
                if name == "ours":
                    row["output"] = output
                if answer in ("true", "false") and answer != harness.expected:
                    row[name]["answer"] = "WRONG " + answer
                    failures.append(f"{harness.name}: {name} answered {answer}")
            if "false" in row["ours"]["answer"]:
                try:
                    row["replay"] = confirm(harness, row["output"], folder)
                except (ValueError, KeyError) as error:
                    row["replay"] = f"NOT CONFIRMED ({error!r})"
                if row["replay"] != "confirmed":
                    failures.append(f"{harness.name}: {row['replay']}")
            both = all(row[name]["answer"] == harness.expected for name in ("ours", "theirs"))
            ratio = row["ours"]["seconds"] / row["theirs"]["seconds"] if both else None
            row["ratio"] = ratio
            cells = "".join(f"{row[name]['seconds']:9.2f}s{row[name]['answer']:>9}{row[name]['memory']:6}" for name in ("ours", "theirs"))
            print(f"{harness.name:30}{cells}{f'{ratio:8.2f}' if ratio else '       -'}  {row['replay']}", flush=True)
            rows.append(row)
    for name in ("ours", "theirs"):
        print(f"{name}: {sum(row[name]['answer'] == row['expected'] for row in rows)} of {len(rows)} decided")
    ratios = [row["ratio"] for row in rows if row["ratio"]]
    if ratios:
        print(f"geometric mean of the ratios where both decide: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}")
    for failure in failures:
        print(failure)
    if arguments.save:
        with open(arguments.save, "w", encoding="utf-8") as file:
            json.dump(rows, file)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
