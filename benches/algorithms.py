#!/usr/bin/env python3
"""Compares the algorithms on task definitions (.yml with expected verdicts).

    benches/algorithms.py FOLDER... [--sample N] [--timelimit 10] [--solvers yices,z3]
                                    [--algorithms bmc,impact] [--jobs 1] [--json FILE]
                                    [-- more hornwork options]
    benches/algorithms.py FOLDER... --restart [--algorithms predicate,ufo]

Prints for each solver

* a table by set and algorithm of verdicts and of the outcomes of certificates (validated by another
  solver, rejected, not decided in time);
* the share of the safe tasks that each algorithm proves;
* for pairs of algorithms the numbers of tasks that only one of them decides, and the geometric mean
  of the ratios of wall times over the tasks that both decide.

With `--restart` instead: the number of states that are explored again if a refinement removes the
states below the pivot state (lazy) or all states (full), over the tasks that both decide.

A wrong verdict, a rejected certificate, a crash or a run past its limit yields exit code 1.
Verdicts that contradict a label listed in benches/disputed.txt are counted separately. `--sample`
works as in benches/tasks.py.
"""
import argparse
import collections
import concurrent.futures
import json
import math
import os
import re
import subprocess
import sys
import time

from tasks import GRACE, ROOT, disputed_tasks, expected_verdict, find_tasks, is_disputed, set_of

PAIRS = [("impact", "predicate"), ("k-induction", "bmc")]
COLUMNS = ["tasks", "exp true", "TRUE", "exp false", "FALSE", "unknown", "disputed", "wrong", "crash", "hang",
           "validated", "rejected", "not decided"]
LEAST_SECONDS = 0.1  # shorter times are noise


def algorithms_of(binary):
    """The names of the tool's algorithms."""
    text = subprocess.run([binary, "verify", "--help"], capture_output=True, text=True, check=True).stdout
    section = text[text.index("--algorithm <NAME>") :].split("\n      --")[0]
    return re.findall(r"^ +- ([\w-]+): ", section, re.M)


def run(job):
    task, binary, timelimit, options = job
    command = [binary, "verify", "--quiet", "--json", "--stats", "--timelimit", str(timelimit), *options, task]
    start = time.monotonic()
    try:
        result = subprocess.run(command, capture_output=True, timeout=timelimit + GRACE)
    except subprocess.TimeoutExpired:
        return dict(status="hang", seconds=time.monotonic() - start)
    seconds = time.monotonic() - start
    try:
        answer = json.loads(result.stdout.decode("utf-8", "replace").strip().splitlines()[-1])
        if result.returncode != dict(TRUE=0, FALSE=10, UNKNOWN=20)[answer["verdict"]]:
            raise ValueError("verdict and exit code differ")
    except (IndexError, KeyError, ValueError):
        detail = result.stderr.decode("utf-8", "replace").strip()[-300:]
        # Incompatible options are the caller's mistake and fail for every task.
        if result.returncode == 2 and "incompatible options" in detail:
            sys.exit(detail)
        return dict(status="crash", seconds=seconds, detail=f"exit {result.returncode}: {detail}")
    validation, statistics = answer.get("validation", {}), answer.get("statistics", {})
    return dict(
        status=answer["verdict"].lower(),
        seconds=round(seconds, 3),
        detail=answer.get("reason", validation.get("reason", "")),
        validation=validation.get("result"),
        states=statistics.get("states", 0),
        again=statistics.get("removed_states", 0),
        refinements=statistics.get("refinements", 0),
    )


def judge(task, result, disputed):
    """The column of the verdict."""
    status, expected = result["status"], expected_verdict(task)
    if status in ("true", "false") and status != expected:
        return "disputed" if is_disputed(task, disputed) else "wrong"
    return status.upper() if status in ("true", "false") else status


def decides(row):
    return row["column"] in ("TRUE", "FALSE", "disputed")


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")


def table(rows, key):
    counts = collections.OrderedDict()
    for row in rows:
        count = counts.setdefault(key(row), collections.Counter())
        count["tasks"] += 1
        count["exp " + row["expected"]] += 1
        count[row["column"]] += 1
        count["seconds"] += row["seconds"]
        if row.get("validation"):
            count[dict(undecided="not decided").get(row["validation"], row["validation"])] += 1
    width = max(len(name) for name in [*counts, "set"]) + 1
    print(f"{'':{width}}" + "".join(f"{column:>{len(column) + 2}}" for column in COLUMNS) + "   seconds")
    for name, count in counts.items():
        print(f"{name:{width}}" + "".join(f"{count[c]:>{len(c) + 2}}" for c in COLUMNS) + f"{count['seconds']:10.1f}")


def compare(results, one, other):
    """`results` by algorithm, in the order of the tasks."""
    both = [(a, b) for a, b in zip(results[one], results[other]) if decides(a) and decides(b)]
    only = lambda x, y: sum(decides(a) and not decides(b) for a, b in zip(results[x], results[y]))
    ratios = [max(a["seconds"], LEAST_SECONDS) / max(b["seconds"], LEAST_SECONDS) for a, b in both]
    print(
        f"{one} / {other}: {len(both)} decided by both, {only(one, other)} only by {one}, {only(other, one)} only by {other};"
        f" time where both decide: {geometric_mean(ratios):.2f}"
    )


def compare_restarts(lazy, full, algorithm):
    both = [(a, b) for a, b in zip(lazy, full) if decides(a) and decides(b)]
    refined = [(a, b) for a, b in both if b["refinements"] > 0]
    again = [sum(pair[side]["again"] for pair in refined) for side in (0, 1)]
    ratios = [(a["again"] + 1) / (b["again"] + 1) for a, b in refined]
    ratio = again[0] / again[1] if again[1] else float("nan")
    print(
        f"{algorithm}: {len(both)} tasks decided by both, {len(refined)} with refinements; states explored again:"
        f" {again[0]} lazy, {again[1]} full, ratio {ratio:.2f}, geometric mean of the ratios {geometric_mean(ratios):.2f}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", help="folders with task definitions, searched recursively")
    parser.add_argument("--timelimit", type=float, default=10.0)
    parser.add_argument("--jobs", type=int, default=1, help="parallel runs; times are less reliable with more than one")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--solvers", default="yices")
    parser.add_argument("--algorithms", default="", help="names, separated by commas; all by default")
    parser.add_argument("--restart", action="store_true", help="compare the states explored again, lazy and full")
    parser.add_argument("--json", dest="json_file")
    parser.add_argument("--binary", default=os.path.join(ROOT, "target", "release", "hornwork"))
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    arguments, more = parser.parse_args(sys.argv[1:end]), sys.argv[end + 1 :]
    if not os.path.exists(arguments.binary):
        sys.exit(f"{arguments.binary} is missing: run make build")
    known = algorithms_of(arguments.binary)
    default = ["predicate"] if arguments.restart else known
    algorithms = [name for name in arguments.algorithms.split(",") if name] or default
    for name in algorithms:
        if name not in known:
            sys.exit(f"unknown algorithm {name}; choose from {', '.join(known)}")
    tasks, disputed = find_tasks(arguments.folders, arguments.sample), disputed_tasks()
    if not tasks:
        sys.exit("no task definitions with a verdict found")
    variants = ["lazy", "full"] if arguments.restart else [None]

    print(f"{len(tasks)} tasks, {arguments.timelimit:g} s each")
    everything, bad = [], []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for solver in arguments.solvers.split(","):
            results = {}
            for algorithm in algorithms:
                for variant in variants:
                    options = ["--solver", solver, "--algorithm", algorithm, *more]
                    options += ["--restart", variant] if variant else []
                    jobs = [(task, arguments.binary, arguments.timelimit, options) for task in tasks]
                    rows = []
                    for task, result in zip(tasks, pool.map(run, jobs)):
                        result.update(task=task, solver=solver, algorithm=algorithm, restart=variant)
                        result.update(expected=expected_verdict(task), column=judge(task, result, disputed))
                        rows.append(result)
                    results[algorithm, variant] = rows
                    everything += rows
            print(f"\nsolver {solver}")
            for (algorithm, variant), rows in results.items():
                for row in rows:
                    is_rejected = row.get("validation") == "rejected"
                    if row["column"] in ("wrong", "crash", "hang") or is_rejected:
                        kind = "REJECTED" if is_rejected else row["column"].upper()
                        bad.append(f"{kind} {row['status']}: {algorithm}, {solver}: {row['task']} {row.get('detail', '')}")
            label = lambda row: row["algorithm"] + (f" {row['restart']}" if row["restart"] else "")
            all_rows = [row for rows in results.values() for row in rows]
            by_set = sorted(all_rows, key=lambda row: set_of(row["task"]))
            table(by_set, lambda row: f"{set_of(row['task'])}  {label(row)}")
            print()
            table(all_rows, lambda row: f"all  {label(row)}")
            if arguments.restart:
                print()
                for algorithm in algorithms:
                    compare_restarts(results[algorithm, "lazy"], results[algorithm, "full"], algorithm)
                continue
            print("\nproofs, of the safe tasks:")
            for algorithm in algorithms:
                safe = [row for row in results[algorithm, None] if row["expected"] == "true"]
                proved = sum(row["column"] == "TRUE" for row in safe)
                share = f"{100 * proved / len(safe):.0f} %" if safe else "-"
                print(f"  {algorithm:20}{proved:5} of {len(safe)}{share:>8}")
            print()
            by_algorithm = {algorithm: results[algorithm, None] for algorithm in algorithms}
            for one, other in PAIRS:
                if one in by_algorithm and other in by_algorithm:
                    compare(by_algorithm, one, other)
    for line in bad:
        print(line)
    if arguments.json_file:
        with open(arguments.json_file, "w", encoding="utf-8") as file:
            json.dump(everything, file, indent=1)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
