#!/usr/bin/env python3
"""Compares the wall time of `hornwork verify --unwind K` with CBMC's, on benches/programs.

    benches/against_cbmc.py --cbmc PATH [--runs 5] [--hornwork PATH]

Both tools get the same file and bound, ILP32, no checks beyond the assertions, and unwinding
assertions (the forward condition). Runs of the two tools alternate, the fastest of the runs counts,
and both answers must be the expected one. Prints the ratio for each program and the median ratio.
"""
import argparse
import glob
import os
import re
import shutil
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def timed(command, limit):
    start = time.perf_counter()
    try:
        result = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=limit)
        code = result.returncode
    except subprocess.TimeoutExpired:
        code = "timeout"
    return time.perf_counter() - start, code


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cbmc", default=shutil.which("cbmc") or os.path.expanduser("~/.cache/cbmc/bin/cbmc"))
    parser.add_argument("--hornwork", default=os.path.join(HERE, "..", "target", "release", "hornwork"))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--limit", type=float, default=120)
    parser.add_argument("options", nargs="*", help="more options for hornwork, after --")
    arguments = parser.parse_args()
    ratios, failures = {}, []
    print(f"{'program':28}{'K':>5}{'hornwork':>11}{'cbmc':>11}{'ratio':>8}")
    for path in sorted(glob.glob(os.path.join(HERE, "programs", "*.c"))):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        bound = int(re.search(r"unwind: (\d+)", text).group(1))
        expected = re.search(r"expected: (\w+)", text).group(1)
        ours = [arguments.hornwork, "verify", "--quiet", "--data-model", "ILP32", "--unwind", str(bound), *arguments.options, path]
        theirs = [arguments.cbmc, "--32", "--no-standard-checks", "--unwind", str(bound + 1),
                  "--unwinding-assertions", "--stop-on-fail", path]
        best = {"ours": float("inf"), "theirs": float("inf")}
        for _ in range(arguments.runs):
            for name, command in (("ours", ours), ("theirs", theirs)):
                seconds, code = timed(command, arguments.limit)
                best[name] = min(best[name], seconds)
                if code != (0 if expected == "true" else 10):
                    failures.append(f"{os.path.basename(path)}: {name} answered {code}, expected {expected}")
        ratio = best["ours"] / best["theirs"]
        ratios[os.path.basename(path)[:-2]] = ratio
        print(f"{os.path.basename(path)[:-2]:28}{bound:5}{best['ours']:10.3f}s{best['theirs']:10.3f}s{ratio:8.2f}")
    for kind in ("loop", "branch"):
        print(f"median {kind}: {statistics.median(r for n, r in ratios.items() if n.startswith(kind)):.2f}")
    print(f"median: {statistics.median(ratios.values()):.2f}")
    for failure in sorted(set(failures)):
        print(failure)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
