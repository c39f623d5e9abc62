#!/usr/bin/env python3
"""Counts the queries of template inference for one loop with n counters that have n different
bounds, as n grows.

    benches/counters.py [--sizes 1,2,5,10,20,50,100,200] [--domains intervals,zones,octagons]
                        [--encoding NAME] [--timelimit 120] [--tool target/release/hornwork]
                        [--solver yices] [--json FILE]

For each domain and n, prints the rows, the queries of the strategy solver in all and for each row,
the seconds, and how many of the 2 n bounds of the counters `hornwork infer` prints, without facts
that follow from others; `-` for a run that hit its time limit, after which the domain gets no
larger n. Zones and octagons have a number of rows quadratic in n, up to a limit, so their queries
grow as fast. They are slow over bit vectors, so `--encoding` chooses integers for them.

The exit code is 1 if with intervals bounds are missing, or if the queries for each counter grow by
more than half from one n to a larger one (from n = 5): the number of queries must grow at most
linearly.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOLERANCE = 1.5
SMALLEST = 5  # below, the queries that do not depend on n dominate


def bound(index):
    return 10 + 7 * index


def program(count):
    lines = ["extern int __VERIFIER_nondet_int(void);", "int main(void) {"]
    lines += [f"  int x{index} = 0;" for index in range(count)]
    lines.append("  while (__VERIFIER_nondet_int()) {")
    lines += [f"    if (x{index} < {bound(index)}) x{index}++;" for index in range(count)]
    lines += ["  }", "  return 0;", "}"]
    return "\n".join(lines) + "\n"


def run(arguments, domain, count):
    """The report of one run; `None` if it did not end within its time."""
    with tempfile.NamedTemporaryFile("w", suffix=".c") as file:
        file.write(program(count))
        file.flush()
        command = [arguments.tool, "infer", file.name, "--domains", domain, "--json"]
        command += ["--solver", arguments.solver, "--timelimit", str(arguments.timelimit)]
        if arguments.encoding:
            command += ["--encoding", arguments.encoding]
        output = subprocess.run(command, capture_output=True, text=True)
    report = json.loads(output.stdout) if output.stdout.strip() else None
    if report is None or report["statistics"]["incomplete"]:
        return None
    formulas = {fact["formula"] for loop in report["loops"] for fact in loop["facts"]}
    expected = [
        ({f"0 <= x{index}", f"-1 < x{index}"}, {f"x{index} <= {bound(index)}", f"x{index} < {bound(index) + 1}"})
        for index in range(count)
    ]
    inference = report["statistics"]["inference"]
    return {
        "domain": domain,
        "counters": count,
        "rows": sum(domain["rows"] for _, domain in inference["domains"]),
        "queries": inference["queries"],
        "seconds": report["statistics"]["search"],
        "bounds": sum(bool(names & formulas) for pair in expected for names in pair),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1,2,5,10,20,50,100,200")
    parser.add_argument("--domains", default="intervals,zones,octagons")
    parser.add_argument("--encoding")
    parser.add_argument("--timelimit", type=float, default=120)
    parser.add_argument("--tool", default=os.path.join(ROOT, "target", "release", "hornwork"))
    parser.add_argument("--solver", default="yices")
    parser.add_argument("--json", metavar="FILE")
    arguments = parser.parse_args()
    failures, results = [], []
    print(f"{'domain':10} {'n':>4} {'rows':>7} {'queries':>8} {'/counter':>9} {'/row':>6} {'s':>8} {'bounds':>8}")
    for domain in arguments.domains.split(","):
        smallest = None
        for count in map(int, arguments.sizes.split(",")):
            result = run(arguments, domain, count)
            if result is None:
                print(f"{domain:10} {count:4} {'-':>7}")
                if domain == "intervals":
                    failures.append(f"{domain}: no answer for n = {count}")
                break
            results.append(result)
            each = result["queries"] / count
            print(
                f"{domain:10} {count:4} {result['rows']:7} {result['queries']:8} {each:9.1f}"
                f" {result['queries'] / max(result['rows'], 1):6.2f} {result['seconds']:8.2f}"
                f" {result['bounds']:3}/{2 * count}",
                flush=True,
            )
            if domain == "intervals" and result["bounds"] < 2 * count:
                failures.append(f"{domain}: {2 * count - result['bounds']} bounds are missing for n = {count}")
            if domain == "intervals" and count >= SMALLEST:
                if smallest is not None and each > TOLERANCE * smallest:
                    failures.append(f"{domain}: {each:.1f} queries for each of {count} counters, before {smallest:.1f}")
                smallest = min(each, smallest or each)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
