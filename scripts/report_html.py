"""Pieces of HTML that the report is put together from."""

import re

from report_svg import digits, escape

NAMES = {"quaternion": "quaternion rod", "pber": "PBER", "pbd": "PBD strand"}


def shown(value, count=3):
    if value is None:
        return "-"
    if isinstance(value, str):
        return escape(value)
    if value == int(value) and abs(value) < 1e6:
        return f"{int(value):,}" if abs(value) >= 10000 else str(int(value))
    return digits(value, count)


def published(data, key, with_unit=True):
    """A number of reports/published.csv, marked as such: a test compares each with the file."""
    row = data["published"][key]
    unit = f" {row['unit']}" if with_unit and row["unit"] else ""
    source = f"{row['source']}, {row['section']}; {row['machine']}. {row['reading']}"
    return f'<span class="published" data-key="{key}" title="{escape(source)}">{escape(row["value"])}</span>{unit}'


def method_name(method):
    return f'<span class="name-{method}">{NAMES[method]}</span>'


def table(columns, rows, kind=""):
    """columns: heading, unit, class of its cells. rows: cells of HTML, or (cells, class)."""
    named = lambda c: f' class="{c}"' if c else ""
    head = "".join(f'<th{named(c)}>{h}{f"<small>{u}</small>" if u else ""}</th>' for h, u, c in columns)
    body = []
    for row in rows:
        cells, row_class = row if isinstance(row, tuple) else (row, "")
        body.append(f"<tr{named(row_class)}>" +
                    "".join(f"<td{named(c[2])}>{cell}</td>" for c, cell in zip(columns, cells)) + "</tr>")
    return (f'<div class="scroll" tabindex="0"><table{named(kind)}><thead><tr>{head}</tr></thead><tbody>'
            + "\n".join(body) + "</tbody></table></div>")


def grid_table(grid, keys=None):
    """A table of rodbench as it is, all columns or those named."""
    columns = [c for c in grid["columns"] if keys is None or c["key"] in keys]
    is_text = {c["key"]: any(isinstance(r[c["key"]], str) for r in grid["rows"]) for c in columns}
    heads = [(escape(c["heading"]), escape(c["unit"]), "text" if is_text[c["key"]] else "") for c in columns]
    return table(heads, [[shown(r[c["key"]]) for c in columns] for r in grid["rows"]])


def folded(summary, content):
    return f"<details><summary>{escape(summary)}</summary>{content}</details>"


def findings(grid):
    return "".join(f'<p class="note">{escape(f)}</p>' for f in grid["findings"])


def how(*commands):
    return '<p class="how">Reproduce: ' + "<br>".join(f"<code>{escape(c)}</code>" for c in commands) + "</p>"


def figure(wide, narrow, caption=""):
    """The same chart for desks and for phones; once, if it is narrow on both."""
    text = f"<figcaption>{caption}</figcaption>" if caption else ""
    if wide is narrow:
        return f"<figure>{wide}{text}</figure>"
    return (f'<figure>{wide.replace("chart", "chart wide", 1)}{narrow.replace("chart", "chart narrow", 1)}'
            f"{text}</figure>")


def section(name, title, *content):
    return f'<section id="{name}"><h2>{title}</h2>\n' + "\n".join(c for c in content if c) + "\n</section>"


# ---------------------------------------------------------------- pictures


IMAGE = re.compile(r'<rect class="rod-image" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" '
                   r'fill="none"><title>([^<]*)</title></rect>')


def images(svg, name, layout, captions=None):
    """A picture of `rodbench render` taken apart: its images become parts of the page, with captions that can be read
    at any width. Shapes are there once; each image shows its part of them, and all have one scale."""
    gap = 6.0  # on both sides: half of what is between two images
    frames = [(float(x) - gap, y, float(width) + 2 * gap, height, title) for x, y, width, height, title in IMAGE.findall(svg)]
    total = sum(f[2] for f in frames)
    shapes = svg[svg.index("<g transform"):svg.rindex("</svg>")]
    shapes = shapes.replace("rod-ball", f"{name}-ball")
    defs = re.search(r"<defs>.*?</defs>", svg, re.DOTALL)
    gradient = defs.group(0).replace("rod-ball", f"{name}-ball") if defs else ""
    parts = []
    for i, (x, y, width, height, title) in enumerate(frames):
        inside = f'<g id="{name}">{shapes}</g>' if i == 0 else f'<use href="#{name}"/>'
        is_rest = title == "rest shape"
        caption = "<b>rest shape</b>what they are to keep" if is_rest else captions(title) if captions else caption_of(title)
        kind = ' class="rest"' if is_rest else ""
        parts.append(f'<div{kind} style="--share:{width / total:.4f}"><svg viewBox="{x:.1f} {y} {width:.1f} {height}" role="img" aria-label="{title}">'
                     f"{gradient if i == 0 else ''}{inside}</svg>{caption}</div>")
    return f'<div class="images {layout}">' + "\n".join(parts) + "</div>"


def caption_of(title, more=lambda method: ""):
    method, iterations, frame = title.split(", ")
    key = next(k for k, v in NAMES.items() if v == method)
    return f'<b class="name-{key}">{method}</b>{iterations}, {frame}{more(key)}'


def frame_caption(title):
    frame = title.split(", ")[2]
    return f"<b>{frame}</b>{int(frame.split()[1]) * 0.01:.2f} s"


def picture_figure(content, caption, kind=""):
    return f'<figure class="{kind}">{content}<figcaption>{caption}</figcaption></figure>'
