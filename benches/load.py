#!/usr/bin/env python3
"""Runs the same tasks sequentially and in parallel, and prints verdicts that differ although no
time limit was reached.

    benches/load.py ../shared/bench/c --sample 60 --algorithm k-induction --timelimit 8 --jobs 4
"""
import argparse
import hashlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="folder that is searched for tasks (*.yml)")
    parser.add_argument("--tool", default="target/release/hornwork")
    parser.add_argument("--sample", type=int, default=60, help="number of tasks, chosen by a hash of their names")
    parser.add_argument("--algorithm", default="k-induction")
    parser.add_argument("--timelimit", default="8")
    parser.add_argument("--jobs", type=int, default=4, help="parallel runs in the second round")
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    by_hash = lambda path: hashlib.sha256(path.name.encode()).hexdigest()
    tasks = sorted(options.folder.rglob("*.yml"), key=by_hash)[: options.sample]

    def verdict(task: Path) -> str:
        arguments = ["verify", "--timelimit", options.timelimit, "--algorithm", options.algorithm, "--quiet", str(task)]
        run = subprocess.run([options.tool, *arguments], capture_output=True, text=True, check=False)
        lines = run.stdout.strip().splitlines()
        return lines[-1] if lines else f"exit code {run.returncode}"

    def round_of(jobs: int) -> list[str]:
        with ThreadPoolExecutor(jobs) as pool:
            return list(pool.map(verdict, tasks))

    differences = 0
    for number in range(options.rounds):
        alone, together = round_of(1), round_of(options.jobs)
        for task, one, other in zip(tasks, alone, together):
            if one != other:
                is_over = "time limit" in one or "time limit" in other
                differences += not is_over
                print("time limit" if is_over else "DIFFERENT", task.name, one, "|", other, sep="\t")
        decided = [sum(v.startswith(("TRUE", "FALSE")) for v in verdicts) for verdicts in (alone, together)]
        print(f"round {number + 1}: {len(tasks)} tasks, decided sequentially {decided[0]}, in parallel {decided[1]}")
    print(f"{differences} verdicts differ without a timeout")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
