#!/usr/bin/env python3
"""Measures how fast `hornwork horn` reads large files of Horn clauses: MB for each second of CPU
time, and peak memory, which should be linear.

    benches/reader.py --sizes 1,10,100

The files are deterministic: many small clauses (`clauses`), one clause with a large constraint
(`constraint`), nested `let` (`let`), and a long chain of definitions (`definitions`).
"""
import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path


def clauses(size: int):
    yield "(set-logic HORN)\n"
    yield "".join(f"(declare-fun p{index} (Int Int Int) Bool)\n" for index in range(50))
    written = number = 0
    while written < size:
        a, b, c = number % 50, (number * 7 + 3) % 50, number * 31 % 1009
        text = (
            f"(assert (forall ((x Int) (y Int) (z Int) (w Int)) (=> (and (p{a} x y z) (<= (+ x (* 3 y)) {c}) "
            f"(= w (+ z {number})) (or (< x y) (not (= y z)))) (p{b} y w (- x 1)))))\n"
        )
        written += len(text)
        number += 1
        yield text
    yield "(assert (forall ((x Int)) (=> (p0 x x 7) false)))\n(check-sat)\n"


def constraint(size: int):
    yield "(set-logic HORN)\n(declare-fun p (Int Int) Bool)\n(assert (forall ((x Int) (y Int)) (=> (and (p x y)\n"
    written = number = 0
    while written < size:
        text = f"  (or (< (+ x {number}) y) (= (* 2 y) (+ x {number * 13 % 1013})))\n"
        written += len(text)
        number += 1
        yield text
    yield ") (p y x))))\n(check-sat)\n"


def let(size: int):
    yield "(set-logic HORN)\n(declare-fun p (Int) Bool)\n(assert (forall ((x Int)) (=> (and (p x) (< "
    depth = size // 36
    yield "".join(f"(let ((v{level} (+ {'x' if level == 0 else f'v{level - 1}'} x))) " for level in range(depth))
    yield f"v{depth - 1}" + ")" * depth + " 5)) (p x))))\n(check-sat)\n"


def definitions(size: int):
    yield "(set-logic HORN)\n(declare-fun p (Int) Bool)\n(define-fun d0 () Int 1)\n"
    count = size // 45
    for number in range(1, count):
        yield f"(define-fun d{number} () Int (+ d{number - 1} {number % 17}))\n"
    yield f"(assert (p d{count - 1}))\n(check-sat)\n"


KINDS = {"clauses": clauses, "constraint": constraint, "let": let, "definitions": definitions}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default="target/release/hornwork")
    parser.add_argument("--sizes", default="1,10", help="in MB, separated by commas")
    parser.add_argument("--kinds", default=",".join(KINDS))
    options = parser.parse_args()
    for kind in options.kinds.split(","):
        for size in options.sizes.split(","):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "large.smt2"
                with path.open("w") as out:
                    out.writelines(KINDS[kind](int(float(size) * 1e6)))
                megabytes = path.stat().st_size / 1e6
                process = subprocess.Popen(
                    [options.tool, "horn", str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
                )
                error = process.stderr.read()
                _, status, usage = os.wait4(process.pid, 0)
                seconds = usage.ru_utime + usage.ru_stime
                memory = usage.ru_maxrss / 1e3
                print(
                    f"{kind:12} {megabytes:7.1f} MB {seconds:7.2f} s {megabytes / seconds:7.1f} MB/s "
                    f"{memory:8.0f} MB memory, {memory / megabytes:5.1f} bytes per byte, exit {status >> 8} "
                    f"{error.strip()[:100]}",
                    flush=True,
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
