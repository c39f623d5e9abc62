#!/usr/bin/env python3
"""Compares the sources of interpolants on chains of blocks, where each block is a separate part.

    benches/chains.py [NAME...] [--sources craig,spacer] [--sorts Int,Real,BV32]
                      [--sizes 5,20,50] [--timelimit 20] [--solver yices] [--json FILE]
                      [--print NAME SORT SIZE]

For each chain, sort and number of blocks, prints the seconds of `hornwork smt --interpolation
SOURCE` on a script that checks satisfiability and requests a sequence of interpolants (certified,
as by default), and the number of characters of the longest interpolant; `-` for a timeout. After a
timeout, a source gets no longer chains of the same kind. `--print` prints the script instead. An
error other than a timeout yields exit code 1.

Chains: straight (no branch), branch (`if (*) { x += 1; y += 2; }`), reset (counters that are
reset), lock (eight states in an integer), array (writes at a moving index), difference (two
counters with a bounded difference), parity, nested (nested branches with coefficients), bound (a
bound on the sum of all steps).
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Sort:
    """Numbers of one sort in SMT-LIB."""

    def __init__(self, name):
        self.name = name
        self.width = int(name[2:]) if name.startswith("BV") else None
        self.text = f"(_ BitVec {self.width})" if self.width else name

    def number(self, value):
        if self.width:
            return f"(_ bv{value % (1 << self.width)} {self.width})"
        digits = f"{abs(value)}.0" if self.name == "Real" else str(abs(value))
        return digits if value >= 0 else f"(- {digits})"

    def apply(self, operator, *arguments):
        if self.width:
            operator = {"+": "bvadd", "-": "bvsub", "*": "bvmul", "<=": "bvsle", "<": "bvslt", ">": "bvsgt", ">=": "bvsge"}[operator]
        return f"({operator} {' '.join(arguments)})"


class Chain:
    """Parts over versions `x0`, `x1`, … of variables."""

    def __init__(self, sort):
        self.sort = sort
        self.declared = {}
        self.parts = []

    def at(self, name, version, sort=None):
        symbol = f"{name}{version}"
        self.declared[symbol] = sort or self.sort.text
        return symbol

    def choice(self, name, version):
        return self.at(name, version, "Bool")

    def plus(self, term, value):
        return self.sort.apply("+", term, self.sort.number(value))

    def times(self, value, term):
        return self.sort.apply("*", self.sort.number(value), term)

    def compare(self, operator, a, b):
        return self.sort.apply(operator, a, b)

    def step(self, version, changes, variables):
        """The next versions: those in `changes`, the others unchanged."""
        return conjunction(
            equal(self.at(x, version + 1), changes.get(x, self.at(x, version))) for x in variables
        )

    def start(self, **values):
        self.parts.append(conjunction(equal(self.at(x, 0), self.sort.number(value)) for x, value in values.items()))


def conjunction(terms):
    terms = list(terms)
    return f"(and {' '.join(terms)})" if len(terms) > 1 else terms[0]


def equal(a, b):
    return f"(= {a} {b})"


def choose(condition, then, otherwise):
    return f"(ite {condition} {then} {otherwise})"


def negation(term):
    return f"(not {term})"


def increments(chain, version, **steps):
    return {x: chain.plus(chain.at(x, version), step) for x, step in steps.items()}


def straight(chain, n):
    chain.start(x=0, y=0)
    for i in range(n):
        chain.parts.append(chain.step(i, increments(chain, i, x=1, y=2), "xy"))
    chain.parts.append(negation(equal(chain.at("y", n), chain.times(2, chain.at("x", n)))))


def branch(chain, n):
    chain.start(x=0, y=0)
    for i in range(n):
        count = chain.step(i, increments(chain, i, x=1, y=2), "xy")
        chain.parts.append(choose(chain.choice("b", i), count, chain.step(i, {}, "xy")))
    chain.parts.append(negation(equal(chain.at("y", n), chain.times(2, chain.at("x", n)))))


def reset(chain, n):
    chain.start(x=0, y=0, z=0)
    zero = chain.sort.number(0)
    for i in range(n):
        count = chain.step(i, increments(chain, i, x=1, y=3, z=1), "xyz")
        back = chain.step(i, {"x": zero, "y": zero}, "xyz")
        stay = chain.step(i, {}, "xyz")
        chain.parts.append(choose(chain.choice("b", i), count, choose(chain.choice("c", i), back, stay)))
    wrong = negation(equal(chain.at("y", n), chain.times(3, chain.at("x", n))))
    if not chain.sort.width:
        # Bit vectors overflow.
        wrong = f"(or {wrong} {chain.compare('>', chain.at('x', n), chain.at('z', n))})"
    chain.parts.append(wrong)


def lock(chain, n):
    number = chain.sort.number
    chain.start(s=0, l=0)
    for i in range(n):
        part = chain.step(i, {}, "sl")
        for state in range(8):
            to = [chain.step(i, {"s": number(next % 8), "l": number(next % 2)}, "sl") for next in (state + 1, state + 3)]
            part = choose(equal(chain.at("s", i), number(state)), choose(chain.choice("b", i), *to), part)
        chain.parts.append(part)
    unlocked = conjunction([equal(chain.at("s", n), number(3)), equal(chain.at("l", n), number(0))])
    chain.parts.append(f"(or {unlocked} {equal(chain.at('s', n), number(9))})")


def array(chain, n):
    sort = f"(Array {chain.sort.text} {chain.sort.text})"
    seven, zero = chain.sort.number(7), chain.sort.number(0)
    chain.start(i=0)
    for i in range(n):
        before, after = chain.at("a", i, sort), chain.at("a", i + 1, sort)
        written = equal(after, f"(store {before} {chain.at('i', i)} {seven})")
        write = conjunction([written, chain.step(i, increments(chain, i, i=1), "i")])
        stay = conjunction([equal(after, before), chain.step(i, {}, "i")])
        chain.parts.append(choose(chain.choice("b", i), write, stay))
    other = negation(equal(f"(select {chain.at('a', n, sort)} {zero})", seven))
    chain.parts.append(conjunction([chain.compare(">", chain.at("i", n), zero), other]))


def difference(chain, n):
    chain.start(x=0, y=0)
    for i in range(n):
        both = chain.step(i, increments(chain, i, x=1, y=1), "xy")
        one = chain.step(i, increments(chain, i, x=1), "xy")
        distance = chain.sort.apply("-", chain.at("x", i), chain.at("y", i))
        near = conjunction([chain.choice("c", i), chain.compare("<", distance, chain.sort.number(5))])
        chain.parts.append(choose(chain.choice("b", i), both, choose(near, one, chain.step(i, {}, "xy"))))
    distance = chain.sort.apply("-", chain.at("x", n), chain.at("y", n))
    chain.parts.append(chain.compare(">", distance, chain.sort.number(7)))


def parity(chain, n):
    chain.start(x=0)
    for i in range(n):
        up, down = (chain.step(i, increments(chain, i, x=step), "x") for step in (2, -4))
        chain.parts.append(choose(chain.choice("b", i), up, down))
    chain.parts.append(equal(chain.at("x", n), chain.sort.number(2 * (n // 2) + 1)))


def nested(chain, n):
    chain.start(x=0, y=0, z=0)
    for i in range(n):
        ways = [increments(chain, i, x=3, y=2, z=1), increments(chain, i, x=1), increments(chain, i, y=-1, z=2)]
        a, b, c = (chain.step(i, way, "xyz") for way in ways)
        chain.parts.append(choose(chain.choice("b", i), choose(chain.choice("c", i), a, b), c))
    x, y, z = (chain.at(name, n) for name in "xyz")
    left = chain.sort.apply("+", chain.times(2, x), chain.times(4, z))
    chain.parts.append(chain.compare("<", left, chain.times(3, y)))


def bound(chain, n):
    chain.start(x=0)
    for i in range(n):
        up = chain.step(i, increments(chain, i, x=1), "x")
        chain.parts.append(choose(chain.choice("b", i), up, chain.step(i, {}, "x")))
    chain.parts.append(chain.compare(">", chain.at("x", n), chain.sort.number(n)))


CHAINS = {f.__name__: f for f in [straight, branch, reset, lock, array, difference, parity, nested, bound]}
# Not unsatisfiable there: sums overflow, or a real lies between.
LEFT_OUT = {("nested", "BV32"), ("parity", "Real")}


def script(name, sort, size):
    chain = Chain(Sort(sort))
    CHAINS[name](chain, size)
    names = [f"part{index}" for index in range(len(chain.parts))]
    lines = ["(set-option :produce-interpolants true)", "(set-logic ALL)"]
    lines += [f"(declare-const {symbol} {of})" for symbol, of in chain.declared.items()]
    lines += [f"(assert (! {part} :named {name}))" for part, name in zip(chain.parts, names)]
    lines += ["(check-sat)", f"(get-interpolants {' '.join(names)})", ""]
    return "\n".join(lines)


def measure(binary, path, source, solver, limit):
    """Seconds and the length of the longest interpolant; None for a timeout; an error as text."""
    command = [binary, "smt", path, "--interpolation", source, "--solver", solver, "--quiet",
               "--interpolation-budget", str(limit), "--timelimit", str(limit)]
    start = time.monotonic()
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=limit + 5)
    except subprocess.TimeoutExpired:
        return None
    seconds = time.monotonic() - start
    if "((" in run.stdout or run.stdout.startswith("unsat\n("):
        answer = run.stdout.split("\n", 1)[1]
        if "(error" not in answer:
            return seconds, max(len(line) for line in answer.splitlines())
    if run.stdout.startswith("sat"):
        return "satisfiable"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--sources", default="craig,spacer,mcsat,sygus")
    parser.add_argument("--sorts", default="Int,Real,BV32")
    parser.add_argument("--sizes", default="5,10,20,50")
    parser.add_argument("--timelimit", type=float, default=20.0)
    parser.add_argument("--solver", default="yices")
    parser.add_argument("--binary", default=os.path.join(ROOT, "target", "release", "hornwork"))
    parser.add_argument("--json", dest="json_file")
    parser.add_argument("--print", nargs=3, metavar=("NAME", "SORT", "SIZE"), dest="show")
    options = parser.parse_args()
    if options.show:
        print(script(options.show[0], options.show[1], int(options.show[2])), end="")
        return 0
    unknown = set(options.names) - set(CHAINS)
    if unknown:
        parser.error(f"no chain {', '.join(sorted(unknown))}; there are: {', '.join(CHAINS)}")
    sources, sizes = options.sources.split(","), [int(size) for size in options.sizes.split(",")]
    results, errors = [], []
    print(f"{'chain':12} {'sort':6} {'blocks':>6}  " + "  ".join(f"{source:>16}" for source in sources))
    for name in options.names or CHAINS:
        for sort in options.sorts.split(","):
            if (name, sort) in LEFT_OUT:
                continue
            beaten = set()
            for size in sizes:
                cells = []
                for source in sources:
                    found = None
                    if source not in beaten:
                        with tempfile.NamedTemporaryFile("w", suffix=".smt2") as file:
                            file.write(script(name, sort, size))
                            file.flush()
                            found = measure(options.binary, file.name, source, options.solver, options.timelimit)
                    if isinstance(found, str):
                        errors.append(f"{name} {sort} {size} {source}: {found}")
                        found = None
                    if found is None:
                        beaten.add(source)
                    cells.append("-" if found is None else f"{found[0]:7.2f} s {found[1]:5}")
                    results.append({"chain": name, "sort": sort, "blocks": size, "source": source,
                                    "seconds": found and found[0], "longest": found and found[1]})
                print(f"{name:12} {sort:6} {size:6}  " + "  ".join(f"{cell:>16}" for cell in cells), flush=True)
    first = sources[0]
    for other in sources[1:]:
        pairs = {}
        for result in results:
            if result["seconds"] and result["source"] in (first, other):
                pairs.setdefault((result["chain"], result["sort"], result["blocks"]), {})[result["source"]] = result["seconds"]
        both = [pair[first] / pair[other] for pair in pairs.values() if len(pair) == 2]
        only = [sum(list(pair) == [source] for pair in pairs.values()) for source in (first, other)]
        mean = math.exp(sum(map(math.log, both)) / len(both)) if both else float("nan")
        print(f"{first} / {other}: {len(both)} by both, geometric mean of times {mean:.2f}; only {first}: {only[0]}, only {other}: {only[1]}")
    for error in errors:
        print(f"error: {error}", file=sys.stderr)
    if options.json_file:
        with open(options.json_file, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
