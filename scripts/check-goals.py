#!/usr/bin/python3
"""scripts/check-goals.py FOLDER [--strict]

Prints the goals of speed beside what `rodbench table limits`, `scaling` and `chosen` measured into
FOLDER (limits.json, scaling.json, chosen.json). With --strict a missed goal is exit code 1. It is a
benchmark, never a test: a loaded machine misses goals.
"""

import json
import os
import sys

# key of the row, column, at least or at most, goal, unit
GOALS = [
    ("batch-avx512", "bound_percent", ">=", 90, "% of bound"),
    ("batch-avx512", "times", ">=", 26, "x textbook"),
    ("batch-avx2", "bound_percent", ">=", 70, "% of bound"),
    ("rods-10000", "bound_percent", ">=", 85, "% of bound"),
    ("strands-47000", "fps", ">=", 200, "frames/s"),
    ("strands-200", "min_us", "<=", 20, "us"),
    ("one-redblack-2", "times", ">=", 15, "x textbook"),
    ("one-redblack-10", "times", ">=", 15, "x textbook"),
    ("one-redblack-80", "times", ">=", 15, "x textbook"),
    ("one-bilateral-10", "times", ">=", 7, "x textbook"),
    ("long-redblack", "times", ">=", 25, "x textbook"),
    ("long-exact", "times", ">=", 17, "x textbook"),
    ("pber-avx512", "bound_percent", ">=", 80, "% of bound"),
    ("general-avx512", "times", ">=", 0.8, "x uniform"),
    ("threads-2", "times", ">=", 1.7, "x one thread"),
]
SCALING = ("1,000 to 1,000,000 rods, dearest / cheapest", 1.25, "x")

# Tuned choices behind the fastest variant, in each class; a call of rod_step beside its frames.
BEHIND = ("tuned choices behind the fastest, %s", 3, "%")
DISPATCH = ("a call of rod_step beside its frames", 50, "ns")


def give_up(why):
    print(f"check-goals: {why}", file=sys.stderr)
    sys.exit(2)


def read(folder, name):
    path = os.path.join(folder, name)
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        give_up(f"cannot read {path}: {error}; `make bench` writes it")


def rows_by_key(table):
    rows = {}
    for row in table["rows"]:
        if isinstance(row.get("min_us"), (int, float)):
            row["fps"] = 1e6 / row["min_us"]
        rows[row["key"]] = row
    return rows


def verdict(measured, relation, goal):
    if measured is None:
        return "not here"
    met = measured >= goal if relation == ">=" else measured <= goal
    return "met" if met else "missed"


def chosen_lines(table):
    """The worst of each shape as measured, and what is beyond doubt of it; only where tuned."""
    for shape in ("one rod", "small batch", "large batch"):
        rows = [row for row in table["rows"] if row["shape"] == shape and row["source"] == "tuned"]
        worst = max(rows, key=lambda row: row["behind"], default={})
        measured = worst.get("behind")
        least = f"{worst['variant']}, at least {worst['behind_low']:.3g} %" if worst else ""
        yield (BEHIND[0] % shape, f"<= {BEHIND[1]:g} {BEHIND[2]}", measured, least,
               verdict(measured, "<=", BEHIND[1]))
    measured = table["dispatch_ns"]
    yield (DISPATCH[0], f"<= {DISPATCH[1]:g} {DISPATCH[2]}", measured, "",
           verdict(measured, "<=", DISPATCH[1]))


def lines_of(folder):
    rows = rows_by_key(read(folder, "limits.json"))
    for key, column, relation, goal, unit in GOALS:
        row = rows.get(key)
        if row is None:
            give_up(f"limits.json has no row '{key}'; measure again with `make bench`")
        measured = row.get(column)
        yield (row["workload"], f"{relation} {goal:g} {unit}", measured,
               row.get("variant", ""), verdict(measured, relation, goal))
    yield from chosen_lines(read(folder, "chosen.json"))
    costs = [row["ns"] for row in read(folder, "scaling.json")["rows"]
             if row["rods"] >= 1000 and row["threads"] == 1]
    spread = max(costs) / min(costs)
    yield (SCALING[0], f"<= {SCALING[1]:g} {SCALING[2]}", spread, "",
           verdict(spread, "<=", SCALING[1]))


def show(lines):
    print(f"{'workload':56}{'goal':>20}{'measured':>11}  verdict   variant")
    for what, goal, measured, variant, result in lines:
        number = "-" if measured is None else f"{measured:.3g}"
        print(f"{what:56}{goal:>20}{number:>11}  {result:9} {variant}")


def main():
    arguments = [a for a in sys.argv[1:] if a != "--strict"]
    if len(arguments) != 1:
        give_up("usage: scripts/check-goals.py FOLDER [--strict]")
    lines = list(lines_of(arguments[0]))
    stamp = read(arguments[0], "limits.json")
    show(lines)
    missed = sum(line[4] == "missed" for line in lines)
    met = sum(line[4] == "met" for line in lines)
    print(f"{met} goals met, {missed} missed; {stamp['cpu']}, {stamp['compiler']}, "
          f"commit {stamp['commit']}")
    return 1 if missed and "--strict" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
