#!/usr/bin/env python3
"""Compares the sources of interpolants on the refinement problems of real programs.

    benches/queries.py --into DIR record FOLDER... [--algorithms predicate,impact]
                                  [--sources craig,spacer] [--sample N] [--timelimit 5]
                                  [--per-run 5] [--kind interpolate] [-- more hornwork options]
    benches/queries.py --into DIR run [--sources craig,spacer,mcsat,sygus,newton]
                                  [--timelimit 2] [--solver yices] [--json FILE]

`record` runs each algorithm on the tasks with interpolants as the only facts, once with each
source, and stores problems in DIR: `--per-run` of each run, chosen by hash, without duplicates.
`--kind check` stores the largest satisfiability queries instead, for `cargo bench -p
hornwork-backend-benches --bench sat -- FILE...`.

`run` passes each problem to `hornwork smt --interpolation SOURCE` and prints for each source the
number of certified answers within the time limit (for check, interpolants and certificate), the
geometric mean of its times relative to the first source over the problems that both answer, and the
number of problems that only this source answers. A wrong interpolant or a crash yields exit code 1.
"""
import argparse
import collections
import hashlib
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from common import GRACE, ROOT, find_tasks, set_of

LEAST_SECONDS = 0.02  # shorter times are dominated by process startup


def problem_of(script):
    """The script without the additions of a run: comments (times and answers) and the status."""
    lines = [line for line in script.splitlines() if not line.startswith((";", "(set-info"))]
    return "\n".join(lines) + "\n"


def record(arguments, options):
    os.makedirs(arguments.into, exist_ok=True)
    kept = collections.Counter()
    for task in find_tasks(arguments.folders, arguments.sample):
        for algorithm in arguments.algorithms.split(","):
            sources = (arguments.sources or "craig,spacer").split(",") if arguments.kind == "interpolate" else [None]
            for source in sources:
                with tempfile.TemporaryDirectory() as folder:
                    command = [arguments.binary, "verify", "--quiet", "--no-validate", "--timelimit", str(arguments.timelimit),
                               "--algorithm", algorithm, "--record", folder, *options, task]
                    if source is not None:
                        command[2:2] = ["--facts", "interpolants", "--interpolation", source]
                    try:
                        subprocess.run(command, capture_output=True, timeout=arguments.timelimit + GRACE)
                    except subprocess.TimeoutExpired:
                        pass
                    kept[set_of(task)] += keep(arguments, folder, f"{set_of(task)}-{os.path.basename(task)[:-4]}-{algorithm}")
    for name, count in kept.items():
        print(f"{name:40} {count:5}")
    print(f"{'all':40} {sum(kept.values()):5}")


def keep(arguments, folder, prefix):
    """Copies some of the problems in `folder`, and returns the number of new ones."""
    names = [name for name in os.listdir(folder) if f"-{arguments.kind}-" in name]
    problems = set()
    for name in names:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            problems.add(problem_of(file.read()))
    hashes = {problem: hashlib.sha256(problem.encode()).hexdigest() for problem in problems}
    if arguments.kind == "check":
        chosen = sorted(problems, key=lambda problem: (-len(problem), hashes[problem]))
    else:
        chosen = sorted(problems, key=hashes.get)
    count = 0
    for problem in chosen[: arguments.per_run]:
        path = os.path.join(arguments.into, f"{prefix}-{hashes[problem][:12]}.smt2")
        # The same problem from another run has a different prefix.
        if not any(other.endswith(path[-17:]) for other in os.listdir(arguments.into)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(problem)
            count += 1
    return count


def ask(arguments, path, source):
    """The outcome, and the seconds."""
    command = [arguments.binary, "smt", "--interpolation", source, "--solver", arguments.solver,
               "--timelimit", str(arguments.limit), path]
    start = time.monotonic()
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=arguments.limit + GRACE)
    except subprocess.TimeoutExpired:
        return "hang", time.monotonic() - start
    seconds = time.monotonic() - start
    if "wrong" in result.stderr:
        return "wrong", seconds
    if result.returncode not in (0, 2, 20):
        return "crash", seconds
    answered = re.match(r"unsat\s*\((?!error)", result.stdout) and seconds <= arguments.limit
    return "answered" if answered else "no answer", seconds


def run(arguments, _options):
    arguments.limit = 2.0 if arguments.timelimit is None else arguments.timelimit
    sources = (arguments.sources or "craig,spacer,mcsat,sygus,newton").split(",")
    paths = sorted(os.path.join(arguments.into, name) for name in os.listdir(arguments.into) if name.endswith(".smt2"))
    outcomes = {path: {source: ask(arguments, path, source) for source in sources} for path in paths}
    is_answered = {path: {source: outcomes[path][source][0] == "answered" for source in sources} for path in paths}
    print(f"{len(paths)} problems, {arguments.limit:g} s each")
    print(f"{'source':10} {'answered':>8} {'alone':>6} {'missed':>7} {'ratio':>6} {'wrong':>6} {'crash':>6}")
    first, is_bad = sources[0], False
    for source in sources:
        counts = collections.Counter(outcomes[path][source][0] for path in paths)
        both = [path for path in paths if is_answered[path][first] and is_answered[path][source]]
        logs = [math.log(max(outcomes[path][source][1], LEAST_SECONDS) / max(outcomes[path][first][1], LEAST_SECONDS)) for path in both]
        ratio = f"{math.exp(sum(logs) / len(logs)):.2f}" if logs else "-"
        others = {path: [other for other in sources if other != source and is_answered[path][other]] for path in paths}
        alone = sum(is_answered[path][source] and not others[path] for path in paths)
        missed = sum(not is_answered[path][source] and bool(others[path]) for path in paths)
        print(f"{source:10} {counts['answered']:8} {alone:6} {missed:7} {ratio:>6} {counts['wrong']:6} {counts['crash'] + counts['hang']:6}")
        is_bad |= counts["wrong"] > 0
        for path in paths:
            if outcomes[path][source][0] in ("wrong", "crash", "hang"):
                print(f"  {outcomes[path][source][0]}: {source}: {path}")
    for path in paths:
        if arguments.list and not is_answered[path][first] and any(is_answered[path].values()):
            print(f"  missed by {first}: {path}")
    if arguments.json_file:
        with open(arguments.json_file, "w", encoding="utf-8") as file:
            json.dump(outcomes, file, indent=1)
    return 1 if is_bad else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--into", required=True, help="folder of the problems")
    parser.add_argument("action", choices=["record", "run"])
    parser.add_argument("folders", nargs="*", help="record: folders with task definitions")
    parser.add_argument("--algorithms", default="predicate,impact")
    parser.add_argument("--sources")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--timelimit", type=float)
    parser.add_argument("--per-run", type=int, default=5)
    parser.add_argument("--kind", choices=["interpolate", "check"], default="interpolate")
    parser.add_argument("--solver", default="yices")
    parser.add_argument("--list", action="store_true", help="run: also print the problems that the first source misses and another answers")
    parser.add_argument("--json", dest="json_file")
    parser.add_argument("--binary", default=os.path.join(ROOT, "target", "release", "hornwork"))
    own, options = sys.argv[1:], []
    if "--" in own:
        own, options = own[: own.index("--")], own[own.index("--") + 1 :]
    arguments = parser.parse_args(own)
    if shutil.which(arguments.binary) is None:
        sys.exit(f"{arguments.binary} is missing: run make build")
    if arguments.action == "record" and arguments.timelimit is None:
        arguments.timelimit = 5.0
    return {"record": record, "run": run}[arguments.action](arguments, options) or 0


if __name__ == "__main__":
    sys.exit(main())
