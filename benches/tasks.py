#!/usr/bin/env python3
"""Runs hornwork over task definitions (.yml with expected verdicts) and prints a table by set.

    benches/tasks.py ../shared/bench/c [--timelimit 10] [--jobs 2] [--sample N] [--json FILE]
                                       [-- more hornwork options]

A wrong verdict, a panic or a run past its limit yields exit code 1. Verdicts that contradict a
label listed in benches/disputed.txt are counted separately. `--sample N` selects one task of every
set and then others, by hashes of their names: a further task replaces at most one.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GRACE = 3.0  # seconds past the time limit after which a run counts as hanging


def expected_verdict(task):
    with open(task, encoding="utf-8") as file:
        match = re.search(r"expected_verdict:\s*(true|false)", file.read())
    return match.group(1) if match else None


def disputed_tasks():
    with open(os.path.join(ROOT, "benches", "disputed.txt"), encoding="utf-8") as file:
        return {line.split(":")[0] for line in file if line.strip() and not line.startswith("#")}


def find_tasks(folders, sample):
    """The task definitions with a verdict below `folders`; a sample unless `sample` is 0."""
    tasks = sorted(
        os.path.join(folder, name)
        for top in folders
        for folder, _, names in os.walk(top)
        for name in names
        if name.endswith(".yml") and expected_verdict(os.path.join(folder, name))
    )
    return sample_of(tasks, sample) if sample else tasks


def set_of(task):
    return os.path.basename(os.path.dirname(task))


def name_hash(task):
    """A hash of the task's name and set, independent of the location of the folders."""
    return hashlib.sha256(f"{set_of(task)}/{os.path.basename(task)}".encode()).digest()


def sample_of(tasks, count):
    """`count` of the tasks, in their order: the least hash of each set, then the least of all."""
    by_hash = sorted(tasks, key=name_hash)
    first_of_set = {}
    for task in by_hash:
        first_of_set.setdefault(set_of(task), task)
    chosen = set(sorted(by_hash, key=lambda task: first_of_set[set_of(task)] != task)[:count])
    return [task for task in tasks if task in chosen]


def is_disputed(task, disputed):
    return set_of(task) + "/" + os.path.basename(task).removesuffix(".yml") in disputed


def run(task, binary, timelimit, options):
    command = [binary, "verify", "--quiet", "--timelimit", str(timelimit), *options, task]
    start = time.monotonic()
    try:
        result = subprocess.run(command, capture_output=True, timeout=timelimit + GRACE)
    except subprocess.TimeoutExpired:
        return "hang", "", time.monotonic() - start, ""
    seconds = time.monotonic() - start
    lines = result.stdout.decode("utf-8", "replace").strip().splitlines()
    errors = result.stderr.decode("utf-8", "replace")
    answer = lines[-1] if lines else ""
    if result.returncode == 0 and answer == "TRUE":
        return "true", "", seconds, errors
    if result.returncode == 10 and answer.startswith("FALSE"):
        return "false", answer, seconds, errors
    if result.returncode == 20 and answer.startswith("UNKNOWN"):
        return "unknown", answer, seconds, errors
    if result.returncode == 2:
        return "rejected", errors.strip().splitlines()[0] if errors.strip() else "", seconds, errors
    return "crash", f"exit {result.returncode}: {errors[-300:]}", seconds, errors


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", help="folders with task definitions, searched recursively")
    parser.add_argument("--timelimit", type=float, default=10.0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--json", dest="json_file")
    parser.add_argument("--binary", default=os.path.join(ROOT, "target", "release", "hornwork"))
    parser.add_argument("--list", choices=["unknown", "rejected", "all"], help="also print these tasks")
    parser.add_argument("options", nargs="*", help="more options for hornwork verify, after --")
    arguments, options = parser.parse_known_args()
    options = [option for option in arguments.options + options if option != "--"]
    if not os.path.exists(arguments.binary):
        sys.exit(f"{arguments.binary} is missing: run make build")

    tasks = find_tasks(arguments.folders, arguments.sample)
    rows, records, bad = collections.OrderedDict(), [], []
    disputed = disputed_tasks()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        outcomes = pool.map(lambda task: run(task, arguments.binary, arguments.timelimit, options), tasks)
        for task, (status, detail, seconds, _) in zip(tasks, outcomes):
            expected = expected_verdict(task)
            row = rows.setdefault(set_of(task), collections.Counter())
            row["tasks"] += 1
            row["expected " + expected] += 1
            against = status in ("true", "false") and status != expected
            wrong = against and not is_disputed(task, disputed)
            row["wrong" if wrong else "disputed" if against else status] += 1
            row["seconds"] += seconds
            records.append(dict(task=task, expected=expected, status=status, detail=detail, seconds=round(seconds, 3)))
            if wrong or status in ("crash", "hang"):
                bad.append(f"{'WRONG ' + status if wrong else status}: {task} {detail}")
            if arguments.list in (status, "all"):
                print(f"{status:9} {seconds:6.2f}s {task} {detail}")

    columns = ["tasks", "expected true", "true", "expected false", "false", "unknown", "rejected", "disputed", "wrong", "crash", "hang"]
    width = max([len(name) for name in rows] + [5]) + 1
    print(f"{'set':{width}}" + "".join(f"{c:>{len(c) + 2}}" for c in columns) + "   seconds")
    total = collections.Counter()
    for row in rows.values():
        total.update(row)
    for name, row in [*rows.items(), ("total", total)]:
        print(f"{name:{width}}" + "".join(f"{row[c]:>{len(c) + 2}}" for c in columns) + f"{row['seconds']:10.1f}")
    reasons = collections.Counter(
        re.sub(r"[\w./+-]*:\d+(:\d+)?|`[^`]*`|\d+", "_", r["detail"]) for r in records if r["status"] == "unknown"
    )
    if reasons:
        print("\nunknown, by reason:")
        for reason, count in reasons.most_common(25):
            print(f"{count:5}  {reason}")
    for line in bad:
        print(line)
    if arguments.json_file:
        with open(arguments.json_file, "w", encoding="utf-8") as file:
            json.dump(records, file, indent=1)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
