#!/usr/bin/python3
"""Draws `rodbench table variants --json` (standard input) as a bar chart in SVG (standard output).

One bar for each way to run many rods on one core: the textbook, the paper's likely layout, and, for
each instruction set that is native to the machine, the batch kernel that librod picks where it is the widest. A
fixed choice: the best of many noisy times would flatter.
"""

import json
import sys

WIDTH, LEFT, BAR, GAP, TOP, RIGHT = 860, 250, 26, 14, 92, 200

STYLE = """
  text { font-family: system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; fill: #1f2328; }
  .ground { fill: #ffffff; }
  .title { font-size: 19px; font-weight: 600; }
  .small { font-size: 13px; fill: #59636e; }
  .label { font-size: 15px; }
  .value { font-size: 15px; font-weight: 600; }
  .paper { fill: #8c959f; }
  .batch { fill: #0072b2; }
  .bound { stroke: #d55e00; stroke-width: 2.5; }
  .boundtext { font-size: 13px; fill: #b04a00; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117; } text { fill: #e6edf3; } .small { fill: #9198a1; } .batch { fill: #56b4e9; }
    .boundtext { fill: #f0883e; }
  }
"""

ISA_NAMES = {"scalar": "plain C", "sse41": "SSE4.1", "avx2": "AVX2", "avx512": "AVX-512", "neon": "NEON"}


def default_of(variants, isa):
    return next((v for v in variants if v["name"] == f"quaternion-{isa}-u2-newton"), None)


def rows_of(data):
    native = [v for v in data["variants"] if v["native"]]
    rows = []
    for v in native:
        if "textbook" in v["name"]:
            rows.append(("textbook, plain C", "paper", v))
        elif "-aos-" in v["name"]:
            rows.append(("a quaternion in an SSE register", "paper", v))
    for isa in ISA_NAMES:
        default = default_of(native, isa)
        if default:
            rows.append((f"batch, {ISA_NAMES[isa]}", "batch", default))
    return rows


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def text(x, y, kind, content, anchor="start"):
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{escape(content)}</text>'


def draw(data):
    rows = rows_of(data)
    base = rows[0][2]["hair"]["min"]
    scale = (WIDTH - LEFT - RIGHT) / max(v["hair"]["min"] for _, _, v in rows)
    load = data["workloads"][0]
    height = TOP + len(rows) * (BAR + GAP) + 42
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="nanoseconds per element and iteration">',
        f"<style>{STYLE}</style>",
        f'<rect width="{WIDTH}" height="{height}" class="ground"/>',
        text(20, 34, "title", "Nanoseconds per element and iteration, quaternion rods, one core"),
        text(20, 58, "small",
             f'{load["rods"]} strands x {load["elements"]} elements x {load["iterations"]} iterations, '
             f'{load["order"]} order; minimum of {data["rounds"]} interleaved rounds; shorter is better'),
    ]
    for i, (label, kind, v) in enumerate(rows):
        y = TOP + i * (BAR + GAP)
        ns = v["hair"]["min"]
        end = LEFT + ns * scale
        out.append(text(LEFT - 12, y + 19, "label", label, "end"))
        out.append(f'<rect x="{LEFT}" y="{y}" width="{ns * scale:.1f}" height="{BAR}" class="{kind}" rx="2"/>')
        out.append(text(end + 10, y + 19, "value", f"{ns:.1f} ns"))
        out.append(text(end + 82, y + 19, "label", "the baseline" if i == 0 else f"{base / ns:.1f} times as fast"))
        if "bound" in v:
            x = LEFT + v["bound"] * scale
            out.append(f'<line x1="{x:.1f}" y1="{y - 4}" x2="{x:.1f}" y2="{y + BAR + 4}" class="bound"/>')
    foot = height - 18
    out.append(f'<line x1="24" y1="{foot - 14}" x2="24" y2="{foot + 4}" class="bound"/>')
    out.append(text(34, foot, "boundtext", "the machine's measured multiply-add peak"))
    out.append(text(WIDTH - 20, foot, "small", f'{data["cpu"]}, {data["compiler"]}, {data["commit"]}', "end"))
    out.append("</svg>")
    return "\n".join(out)


def main():
    try:
        data = json.load(sys.stdin)
        picture = draw(data)
    except (ValueError, KeyError, IndexError, TypeError):
        print("chart-variants.py: not the output of `rodbench table variants --json`", file=sys.stderr)
        return 2
    print(picture)
    return 0


if __name__ == "__main__":
    sys.exit(main())
