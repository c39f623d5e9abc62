#!/usr/bin/env python3
"""Checks `hornwork horn` on files of Horn clauses: a printed system is read again to the same
system, and Z3 gives the same answer before and after, also after each pass, except where a pass
approximates.

    benches/horn.py FOLDER --z3 .setup/venv/bin/z3 --passes "none inline default,merge"

Prints a line for each disagreement or failure, and at the end for each list of passes the numbers
of files on which Z3 answers before, after and both, and the sizes before and after.
"""
import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


# The answers of approximations that need not hold before the pass.
APPROXIMATIONS = {"cells": "unsat", "linearize": "sat"}
# A printed text is read and printed at most so often until it is the same up to the order of
# operands: an equation is solved for the symbol that was read first.
MOST_READINGS = 6


def open_answers(passes: str) -> set[str]:
    return {"unknown"} | {APPROXIMATIONS[name] for name in passes.split(",") if name in APPROXIMATIONS}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="folder that is searched for files (*.smt2)")
    parser.add_argument("--tool", default="target/release/hornwork")
    parser.add_argument("--z3", help="the program z3; without it, only the printed texts are compared")
    parser.add_argument("--timelimit", type=int, default=5, help="of each run of Z3, in seconds")
    parser.add_argument(
        "--passes",
        default="none slice simplify arguments inline default split merge split-clauses intervals "
        "split-clauses,simplify,accelerate reverse single-loop,merge divisions integers cells linearize "
        "specialize reverse,specialize,reverse",
        help="lists of passes, separated by spaces",
    )
    parser.add_argument("--sample", type=int, help="number of files, chosen by a hash of their names")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--results", type=Path, help="file of a line for each file; those that it has are not run again")
    options = parser.parse_args()
    by_hash = lambda path: hashlib.sha256(path.name.encode()).hexdigest()
    files = sorted(options.folder.rglob("*.smt2"), key=by_hash)[: options.sample]

    def tool(*arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run([options.tool, "horn", *arguments], capture_output=True, text=True, check=False)

    def answer(path: Path) -> str:
        command = [options.z3, f"-T:{options.timelimit}", str(path)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        lines = run.stdout.split()
        return lines[0] if lines and lines[0] in ("sat", "unsat") else "unknown"

    def size(path: Path) -> list[int]:
        run = tool(str(path), "--json")
        if run.returncode != 0:
            raise SystemExit(f"{path}: {run.stderr.strip()}")
        summary = json.loads(run.stdout)
        return [summary[member] for member in ("relations", "arguments", "clauses", "terms")]

    def tokens(path: Path) -> list[str]:
        lines = (line for line in path.read_text().splitlines() if not line.startswith(";"))
        return sorted(" ".join(lines).replace("(", " ( ").replace(")", " ) ").split())

    def check(path: Path) -> dict:
        found = {"path": str(path), "failures": [], "answers": {}, "sizes": {"": size(path)}, "seconds": {}}
        if options.z3:
            found["answers"][""] = answer(path)
        with tempfile.TemporaryDirectory() as folder:
            texts = [path, *(Path(folder) / f"{number}.smt2" for number in range(MOST_READINGS))]
            for number, (before, after) in enumerate(zip(texts, texts[1:])):
                run = tool(str(before), "--to", "chc", "-o", str(after))
                if run.returncode != 0:
                    found["failures"].append(f"cannot be read: {run.stderr.strip()[:300]}")
                    return found
                if number > 0 and tokens(before) == tokens(after):
                    break
            else:
                found["failures"].append("the printed system is read as another one")
            for passes in options.passes.split():
                after = Path(folder) / "after.smt2"
                start = time.monotonic()
                run = tool(str(path), "--passes", passes, "--to", "chc", "-o", str(after))
                found["seconds"][passes] = time.monotonic() - start
                if run.returncode != 0:
                    found["failures"].append(f"{passes}: exit code {run.returncode}: {run.stderr.strip()[:300]}")
                    continue
                found["sizes"][passes] = size(after)
                if options.z3:
                    found["answers"][passes] = answer(after)
        answers = {answer for passes, answer in found["answers"].items() if answer not in open_answers(passes)}
        if len(answers) > 1:
            found["failures"].append(f"the answers differ: {found['answers']}")
        return found

    lines = options.results.read_text().splitlines() if options.results and options.results.exists() else []
    known = {found["path"]: found for found in map(json.loads, lines)}
    with ThreadPoolExecutor(options.jobs) as pool:
        results = []
        for found in pool.map(lambda path: known.get(str(path)) or check(path), files):
            results.append(found)
            if options.results and found["path"] not in known:
                with options.results.open("a") as out:
                    print(json.dumps(found), file=out)
            for failure in found["failures"]:
                print(f"{found['path']}: {failure}", flush=True)
    failures = sum(bool(found["failures"]) for found in results)
    print(f"{len(results)} files, {failures} with failures")
    has_answer = lambda found, passes: found["answers"].get(passes, "unknown") != "unknown"
    for passes in options.passes.split():
        before = sum(has_answer(found, "") for found in results)
        after = sum(has_answer(found, passes) for found in results)
        both = sum(has_answer(found, "") and has_answer(found, passes) for found in results)
        sizes = [[found["sizes"].get(name, [0] * 4) for found in results] for name in ("", passes)]
        total = ["/".join(str(sum(one[place] for one in side)) for place in range(4)) for side in sizes]
        seconds = sum(found["seconds"].get(passes, 0) for found in results)
        print(
            f"{passes}: Z3 answers {before} before, {after} after, {both} both; {after - both} unlocked; "
            f"relations/arguments/clauses/terms "
            f"{total[0]} before, {total[1]} after; {seconds:.1f} s in the tool"
        )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
