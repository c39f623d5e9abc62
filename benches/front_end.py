#!/usr/bin/env python3
"""Compares the time of the front end with `gcc -fsyntax-only` on the same preprocessed files.

    benches/front_end.py FILES… [--runs 5]    median ratio over the files
    benches/front_end.py --lines 100000       also a generated file of this length, and half of it,
                                              and the time to emit their Horn clauses

The files are preprocessed first. The timed command is `hornwork emit --to check`, which parses and
type-checks as gcc does with this option. Clauses of generated files, with loops or with procedures
as cut points, should take at most ten times as long.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))

FUNCTION = """
struct record_{n} {{ int key; unsigned char name[16]; struct record_{n} *next; }};
static struct record_{n} pool_{n}[8];
int function_{n}(int a, unsigned b, const struct record_{n} *list)
{{
    int result = 0;
    for (int i = 0; i < 10; i++) {{
        if ((a >> i) & 1)
            result += pool_{n}[i % 8].key * (int)b;
        else
            result ^= i << 2;
    }}
    while (list != 0 && list->key != a) {{
        result -= list->name[3];
        list = list->next;
    }}
    switch (result & 3) {{
    case 0: return result + 1;
    case 1: result *= 3; break;
    default: result = -result;
    }}
    return result > 100 ? 100 : result;
}}
"""


def best(command, runs):
    fastest = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        code = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
        fastest = min(fastest, time.perf_counter() - start)
        if code not in (0, 20):
            return None
    return fastest


def emission(hornwork, path, front_end):
    """Prints the times to emit Horn clauses; whether one is more than ten times `front_end`."""
    is_slow = False
    for options in ([], ["--blk", "lf"]):
        seconds = best([hornwork, "emit", "--quiet", "--to", "chc", *options, path], 1)
        shown = " ".join(["    emit --to chc", *options])
        print(f"{shown:44}{seconds:10.4f}s{front_end:10.4f}s{seconds / front_end:8.2f}", flush=True)
        is_slow |= seconds > 10 * front_end
    return is_slow


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--lines", type=int, default=0)
    parser.add_argument("--hornwork", default=os.path.join(HERE, "..", "target", "release", "hornwork"))
    parser.add_argument("--limit", type=float, default=3.0, help="exit code 1 if the median ratio is greater")
    arguments = parser.parse_args()
    ratios, folder, is_slow = [], tempfile.mkdtemp(), False
    jobs = []
    for number, path in enumerate(arguments.files):
        preprocessed = os.path.join(folder, f"{number}.i")
        with open(preprocessed, "wb") as out:
            subprocess.run(["gcc", "-E", "-m64", "-w", path], stdout=out, stderr=subprocess.DEVNULL, check=False)
        jobs.append((os.path.basename(path), preprocessed))
    if arguments.lines:
        for lines in (arguments.lines // 2, arguments.lines):
            path = os.path.join(folder, f"repeated_{lines}.i")
            with open(path, "w", encoding="utf-8") as out:
                per_function = FUNCTION.count("\n")
                for n in range(lines // per_function):
                    out.write(FUNCTION.format(n=n))
                out.write("int input(void);\nint main(void) {\n    int sum = 0;\n")
                for n in range(lines // per_function):
                    out.write(f"    sum ^= function_{n}(input(), input(), 0);\n")
                out.write("    return sum;\n}\n")
            jobs.append((f"{lines} repeated lines", path))
    print(f"{'file':44}{'hornwork':>11}{'gcc':>11}{'ratio':>8}")
    for name, path in jobs:
        gcc = best(["gcc", "-fsyntax-only", "-w", path], arguments.runs)
        ours = best([arguments.hornwork, "emit", "--quiet", "--to", "check", path], arguments.runs)
        if gcc is None or ours is None:
            print(f"{name:44} rejected by {'gcc' if gcc is None else 'hornwork'}")
            continue
        if "repeated" not in name:
            ratios.append(ours / gcc)
        print(f"{name:44}{ours:10.4f}s{gcc:10.4f}s{ours / gcc:8.2f}")
        if "repeated" in name:
            is_slow |= emission(arguments.hornwork, path, ours)
    if ratios:
        print(f"median over {len(ratios)} files: {statistics.median(ratios):.2f}")
        is_slow |= statistics.median(ratios) > arguments.limit
    sys.exit(1 if is_slow else 0)


if __name__ == "__main__":
    main()
