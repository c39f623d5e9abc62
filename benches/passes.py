#!/usr/bin/env python3
"""Measures each pass: the default passes without it, no passes, the default passes with one more.

    benches/passes.py ../shared/bench/c [--sample 80] [--timelimit 5] [--passes LIST ...]
                                        [-- more options]

Prints for each choice: correct verdicts, wrong ones (except those that benches/disputed.txt
explains), runs that were repeated without passes, CPU seconds over all tasks and their ratio to the
first choice; and over the tasks that both decide, the geometric means of the ratios of CPU seconds
(at least a tenth of a second) and of terms. A wrong verdict yields exit code 1. `--passes` compares
these lists instead.
"""
import argparse
import json
import math
import os
import re
import resource
import subprocess
import sys

from common import GRACE, ROOT, disputed_tasks, expected_verdict, sample_of


def passes_of(binary):
    """The names of the registry, and whether each is in the default."""
    text = subprocess.run([binary, "verify", "--help"], capture_output=True, text=True, check=True).stdout
    section = text[text.index("--passes") :].split("\n      --")[0]
    return [(name, mark != "") for mark, name in re.findall(r"^ +(\* )?(\w+): [A-Z]", section, re.M)]


def run(task, binary, passes, timelimit, options):
    # In one process, so that its CPU time is measurable.
    command = [binary, "verify", "--quiet", "--json", "--stats", "--isolation", "none", "--algorithm", "bmc"]
    command += ["--passes", passes, "--timelimit", str(timelimit)]

    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    start = used()
    try:
        result = subprocess.run([*command, *options, task], capture_output=True, timeout=timelimit + GRACE)
        lines = result.stdout.decode("utf-8", "replace").strip().splitlines()
        answer = json.loads(lines[-1])
    except subprocess.TimeoutExpired:
        answer = {"verdict": "hang"}
    except (IndexError, ValueError):
        answer = {"verdict": f"exit {result.returncode}"}
    statistics = answer.get("statistics", {})
    return {
        "verdict": answer["verdict"].lower(),
        "seconds": used() - start,
        "terms": statistics.get("terms", 0),
        "again": statistics.get("without_passes") is not None,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--sample", type=int, default=80)
    parser.add_argument("--timelimit", type=float, default=5.0)
    parser.add_argument("--only", default="", help="only tasks whose path matches this expression")
    parser.add_argument("--passes", nargs="+", default=[])
    parser.add_argument("--binary", default=os.path.join(ROOT, "target", "release", "hornwork"))
    parser.add_argument("options", nargs="*")
    arguments, options = parser.parse_known_args()
    options = [option for option in arguments.options + options if option != "--"]
    tasks = sorted(
        path
        for top in arguments.folders
        for folder, _, names in os.walk(top)
        for path in (os.path.join(folder, name) for name in names)
        if path.endswith(".yml") and re.search(arguments.only, path) and expected_verdict(path)
    )
    tasks = sample_of(tasks, arguments.sample)
    disputed = disputed_tasks()
    choices = arguments.passes
    if not choices:
        choices = ["default", "none"]
        for name, is_default in passes_of(arguments.binary):
            choices.append(f"default,-{name}" if is_default else f"default,{name}")

    first, is_wrong = None, False
    print(f"{len(tasks)} tasks, {arguments.timelimit} s each")
    print(f"{'passes':24}{'true':>6}{'false':>7}{'other':>7}{'wrong':>7}{'again':>7}{'seconds':>10}{'ratio':>7}  both decide:{'time':>7}{'terms':>7}")
    for choice in choices:
        results = [run(task, arguments.binary, choice, arguments.timelimit, options) for task in tasks]
        counts = {"true": 0, "false": 0, "other": 0, "wrong": 0}
        for task, result in zip(tasks, results):
            verdict, expected = result["verdict"], expected_verdict(task)
            name = os.path.basename(os.path.dirname(task)) + "/" + os.path.basename(task).removesuffix(".yml")
            if verdict not in ("true", "false"):
                counts["other"] += 1
            elif verdict != expected and name not in disputed:
                counts["wrong"] += 1
                is_wrong = True
                print(f"WRONG {verdict}: {task} with --passes {choice}")
            else:
                counts[verdict] += 1
        seconds = sum(result["seconds"] for result in results)
        again = sum(result["again"] for result in results)
        if first is None:
            first = results
        decided = [
            (old, new)
            for old, new in zip(first, results)
            if old["verdict"] in ("true", "false") and new["verdict"] in ("true", "false")
        ]

        def ratio(key, least):
            logarithms = [math.log(max(new[key], least) / max(old[key], least)) for old, new in decided]
            return math.exp(sum(logarithms) / len(logarithms)) if logarithms else float("nan")

        base = sum(result["seconds"] for result in first)
        print(
            f"{choice:24}{counts['true']:6}{counts['false']:7}{counts['other']:7}{counts['wrong']:7}{again:7}{seconds:10.1f}"
            f"{seconds / base:7.2f}{'':14}{ratio('seconds', 0.1):7.2f}{ratio('terms', 1):7.2f}",
            flush=True,
        )
    sys.exit(1 if is_wrong else 0)


if __name__ == "__main__":
    main()
