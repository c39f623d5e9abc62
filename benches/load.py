#!/usr/bin/env python3
"""The same tasks alone and with several runs at once: the verdicts that differ although no time limit was met.

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
    parser.add_argument("folder", type=Path, help="tasks (*.yml) are looked for below it")
    parser.add_argument("--tool", default="target/release/hornwork")
    parser.add_argument("--sample", type=int, default=60, help="so many tasks, chosen by a hash of their names")
    parser.add_argument("--algorithm", default="k-induction")
    parser.add_argument("--timelimit", default="8")
    parser.add_argument("--jobs", type=int, default=4, help="runs at once in the second round")
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
        print(f"round {number + 1}: {len(tasks)} tasks, decided alone {decided[0]}, together {decided[1]}")
    print(f"{differences} verdicts differ although no time limit was met")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
