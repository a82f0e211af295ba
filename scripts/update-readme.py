#!/usr/bin/python3
"""Puts table 1 of a committed report into README.md, between its marks.

usage: scripts/update-readme.py [--check]

--check changes nothing and fails if the README does not show what the report holds.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAMES = {"quaternion": "quaternion rod", "pber": "PBER", "pbd": "PBD strand"}


def digits(number):
    """Three significant digits without an exponent."""
    text = f"{number:#.3g}"
    if "e" in text:
        text = f"{number:.0f}"
    return text.rstrip(".")


def paper(row):
    return f"{row['paper_ms']:g} ({row['iterations']:g})"


def line_of(row):
    cells = [
        row["scene"],
        NAMES[row["method"]],
        paper(row),
        digits(row["paper_style_min_ms"]),
        digits(row["paper_order_min_ms"]),
        digits(row["batch_min_ms"]),
        digits(row["cpu_times"]) + " x",
        digits(row["algebra_times"]) + " x",
        digits(row["layout_times"]) + " x",
    ]
    return "| " + " | ".join(cells) + " |"


def table_of(report):
    lines = [
        "| scene | method | paper, ms (iterations) | paper-style, ms | one rod, ms | rod in a batch, ms | CPU | algebra | layout, width |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    lines += [line_of(row) for row in report["rows"]]
    lines += [
        "",
        f"{report['cpu']}, one core, {report['compiler']}, commit {report['commit']}, {report['date']}; minima of "
        f"{report['rounds']:g} rounds.",
    ]
    return "\n".join(lines)


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit("update-readme: '" + " ".join(arguments) + "' is not understood; accepted: --check")
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    mark = re.search(r"<!-- table 1 of (\S+) -->\n(.*?)<!-- end -->", text, re.DOTALL)
    if not mark:
        sys.exit("update-readme: README.md has no '<!-- table 1 of FILE -->' ... '<!-- end -->'")
    report = json.loads((ROOT / mark.group(1)).read_text(encoding="utf-8"))
    wanted = text[: mark.start(2)] + table_of(report) + "\n" + text[mark.end(2) :]
    if arguments and wanted != text:
        sys.exit("update-readme: README.md does not show what " + mark.group(1) + " holds; run scripts/update-readme.py")
    if not arguments:
        readme.write_text(wanted, encoding="utf-8")


main(sys.argv[1:])
