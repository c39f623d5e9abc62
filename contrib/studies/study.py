#!/usr/bin/env python3
"""Runs a benchmark definition on tasks of the user, and prints tables that the report lacks.

    contrib/studies/study.py contrib/studies/candidates.xml TASKS -o results [-- --timelimit 60 ...]
    contrib/studies/study.py -o results [--within 300]

TASKS are C files, task definitions, or folders of these; they replace the tasks of the definition.
Options after `--` go to `hornwork compare`, which runs in the root of the repository; the same
command continues a campaign. Without a definition, only the tables are printed, for any campaign of
`hornwork compare`.

One table has, over the tasks that all configurations solve, the turns of the search for auxiliary
invariants, the invariants that were found, and the times. Another has the mean time of each phase
over the tasks that a configuration solves. Verdicts that are correct or have no label solve a task.
`--within SECONDS` treats results that took more CPU time as unknown, for a shorter time limit, and
prints the numbers of results as well.
"""
import argparse
import csv
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

# The statistics of which a phase is the sum. The interpolation queries of all sources are a phase.
PHASES = {
    "formulas": ["unrolling", "encoding", "search.unrolling", "search.encoding"],
    "feasibility": ["feasibility", "search.feasibility", "feasibility.time"],
    "forward condition": ["forward_condition", "search.forward_condition"],
    "step-case formula": ["step_case_formula"],
    "step case": ["step_case.time"],
    "initial case": ["initial_case.time"],
    "invariants": ["invariants.time"],
    "abstraction": ["abstraction.time"],
    "coverage": ["coverage.time"],
    "forced covering": ["forced_covering.time"],
    "target": ["target.time"],
    "interpolation": [],
    "replay": ["replay", "search.replay", "replay.time", "confirmation.time"],
}

# The categories of the report that solve a task: correct, or without a label.
SOLVED = ["correct proof", "correct alarm", "proof", "alarm"]


def files_of(path):
    """The tasks of a file or folder, chosen as by `hornwork compare`."""
    if not path.is_dir():
        return [path]
    files = [file for file in sorted(path.rglob("*")) if file.is_file()]
    definitions = [file for file in files if file.suffix in (".yml", ".yaml")]
    labeled = [file for file in definitions if "expected_verdict" in file.read_text(errors="replace")]
    return labeled or [file for file in files if file.suffix in (".c", ".i")]


def run(definition, paths, output, options):
    """Runs the definition with the tasks replaced. Returns the exit code."""
    program = ROOT / "target/release/hornwork"
    program = os.environ.get("HORNWORK") or shutil.which("hornwork") or program
    tree = ElementTree.parse(definition)
    benchmark = tree.getroot()
    for element in [*benchmark.iter()]:
        for tasks in element.findall("tasks"):
            element.remove(tasks)
    tasks = ElementTree.SubElement(benchmark, "tasks")
    for path in paths:
        for file in files_of(path):
            ElementTree.SubElement(tasks, "include").text = glob.escape(str(file.absolute()))
    if not len(tasks):
        sys.exit("no tasks found")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / definition.name
        tree.write(file)
        command = [program, "compare", file, "-o", output.absolute(), *options]
        return subprocess.run(command, cwd=ROOT).returncode


def shown(number):
    """A number with three significant digits, as in the report."""
    if isinstance(number, int) or number is None:
        return "–" if number is None else str(number)
    return f"{number:.{0 if number >= 100 else 1 if number >= 10 else 2 if number >= 1 else 3}f}"


def table(title, columns, rows):
    print(f"\n{title}\n\n| configuration | " + " | ".join(columns) + " |")
    print("| --- |" + " ---: |" * len(columns))
    for name, cells in rows.items():
        print(f"| {name} | " + " | ".join(shown(cell) for cell in cells) + " |")


def mean(numbers):
    return sum(numbers) / len(numbers) if numbers else None


def phases(run):
    statistics, calls = run["statistics"], run["calls"]
    found = {name: sum(statistics.get(key, 0.0) for key in keys) for name, keys in PHASES.items()}
    sources = [call["seconds"] for name, call in calls.items() if name.startswith("interpolants: ")]
    found["interpolation"] = float(sum(sources))
    return found


def tables(output, within):
    plan = json.loads((output / "campaign.json").read_text())
    names = [configuration["name"] for configuration in plan["configurations"]]
    with open(output / "results.jsonl") as file:
        runs = {(run["configuration"], run["task"]): run for run in map(json.loads, file)}
    of = {name: {} for name in names}
    with open(output / "report.csv", newline="") as file:
        for line in csv.DictReader(file):
            run = runs[line["configuration"], line["task"]]
            late = within is not None and run["cputime"] > within
            of[line["configuration"]][line["task"]] = ("unknown" if late else line["category"], run)

    def times(name, category):
        return [run["cputime"] for kind, run in of[name].values() if kind == category]

    kinds = ["correct proof", "correct alarm", "wrong proof", "wrong alarm"]
    results = {}
    for name in names:
        counts = [len(times(name, kind)) for kind in kinds]
        results[name] = counts + [mean(times(name, kind)) for kind in kinds[:2]]
        results[name].append(float(sum(run["cputime"] for _, run in of[name].values())))
    columns = [kind + "s" for kind in kinds]
    if within is not None:
        table(f"Results within {within:g} s", columns + ["CPU s/proof", "CPU s/alarm", "CPU s all"], results)

    solved = {name: {task for task in of[name] if of[name][task][0] in SOLVED} for name in names}
    equal = set.intersection(*solved.values())
    if not any(solved.values()):
        print("\nNo configuration solves a task.")
        return

    def total(name, number):
        return sum(number(of[name][task][1]) for task in equal)

    def statistic(name, key):
        return total(name, lambda run: run["statistics"].get(key, 0.0))

    rows = {
        name: [
            int(statistic(name, "invariants.count")),
            int(statistic(name, "injected") + statistic(name, "facts")),
            float(statistic(name, "invariants.time")),
            float(total(name, lambda run: run["cputime"])),
            float(total(name, lambda run: run["walltime"])),
        ]
        for name in names
    }
    columns = ["turns", "invariants", "invariants s", "CPU s", "wall s"]
    table(f"Sums over the tasks that all configurations solve: {len(equal)}", columns, rows)

    spent = {name: [phases(of[name][task][1]) for task in solved[name]] for name in names}
    used = [phase for phase in PHASES if any(own[phase] for all in spent.values() for own in all)]
    rows = {name: [mean([own[phase] for own in spent[name]]) for phase in used] for name in names}
    table("Mean seconds of each phase over the solved tasks", used, rows)


def main():
    own, options = sys.argv[1:], []
    if "--" in own:
        place = own.index("--")
        own, options = own[:place], own[place + 1 :]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("definition", type=Path, nargs="?", help="a benchmark definition (.xml)")
    parser.add_argument("tasks", type=Path, nargs="*", help="C files, task definitions, folders")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the folder of the campaign")
    parser.add_argument("--within", type=float, metavar="SECONDS", help="a shorter CPU time limit")
    arguments = parser.parse_args(own)
    code = 0
    if arguments.definition:
        if not arguments.tasks:
            parser.error("name the tasks")
        code = run(arguments.definition, arguments.tasks, arguments.output, options)
        if code not in (0, 1):
            return code
    tables(arguments.output, arguments.within)
    return code


if __name__ == "__main__":
    sys.exit(main())
