#!/usr/bin/python3
"""Puts table 1 of a committed report into README.md, between its marks.

usage: scripts/update-readme.py [--check] [FOLDER]

With a FOLDER, for instance reports/<cpu>/<date>-<commit>, the README shows that report from now on: its table, pictures
and link. --check changes nothing and fails if the README does not show what the report holds.
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
    check = "--check" in arguments
    folders = [a.rstrip("/") for a in arguments if a != "--check"]
    if len(folders) > 1 or any(f.startswith("-") for f in folders):
        sys.exit("update-readme: '" + " ".join(arguments) + "' is not understood; accepted: --check, a report's folder")
    readme = ROOT / "README.md"
    text = old = readme.read_text(encoding="utf-8")
    mark = re.search(r"<!-- table 1 of (\S+)/table1.json -->\n", text)
    if not mark:
        sys.exit("update-readme: README.md has no '<!-- table 1 of FOLDER/table1.json -->' ... '<!-- end -->'")
    if folders:
        text = text.replace(mark.group(1), folders[0])
    shown = folders[0] if folders else mark.group(1)
    try:
        report = json.loads((ROOT / shown / "table1.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        sys.exit(f"update-readme: {shown}/table1.json: {error}")
    wanted = re.sub(r"(<!-- table 1 of \S+ -->\n).*?(<!-- end -->)",
                    lambda m: m.group(1) + table_of(report) + "\n" + m.group(2), text, flags=re.DOTALL)
    missing = [p for p in re.findall(re.escape(shown) + r"/[\w.-]+", wanted) if not (ROOT / p).is_file()]
    if missing:
        sys.exit(f"update-readme: README.md shows {missing[0]}, which is not there")
    if check and wanted != old:
        sys.exit(f"update-readme: README.md does not show what {shown} holds; run scripts/update-readme.py")
    if not check:
        readme.write_text(wanted, encoding="utf-8")


main(sys.argv[1:])
