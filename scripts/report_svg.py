"""Charts as SVG, drawn by hand: full control over labels, one look, and nothing to install.

A chart is drawn twice, wide and narrow, because text that fits a desk does not fit a phone. Colours are CSS variables:
the page defines them, and `standalone` puts colours in their place in a file of its own.
"""

import math

VARIABLES = """
  --ink: #1f2328; --muted: #59636e; --rule: #d8dee4; --ground: #ffffff; --panel: #f6f8fa;
  --quaternion: #0072b2; --pber: #d39200; --pbd: #7d8590;
  --quaternion-text: #00609a; --pber-text: #8a6100; --pbd-text: #57606a;
  --hardware: #3d444d; --algebra: #aa4499; --layout: #009e73; --bound: #d55e00;
"""
DARK_VARIABLES = """
  --ink: #e6edf3; --muted: #9198a1; --rule: #30363d; --ground: #0d1117; --panel: #161b22;
  --quaternion: #4aa8e8; --pber: #e8b53a; --pbd: #9aa4ae;
  --quaternion-text: #58b4ee; --pber-text: #e8b53a; --pbd-text: #aab3bc;
  --hardware: #c9d1d9; --algebra: #d183c0; --layout: #2fbf95; --bound: #f0883e;
"""
STYLE = """
.chart text { font: 13px system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; fill: var(--ink); }
.chart .muted { fill: var(--muted); } .chart .small { font-size: 12px; }
.chart .strong { font-weight: 600; } .chart .end { text-anchor: end; } .chart .middle { text-anchor: middle; }
.chart .inside { fill: var(--ground); font-weight: 600; font-size: 12px; }
.chart .rule { stroke: var(--rule); fill: none; } .chart .axis { stroke: var(--muted); fill: none; }
.chart .line { fill: none; stroke-width: 2.2; stroke-linejoin: round; }
.chart .bar { opacity: .35; }
.chart .quaternion { stroke: var(--quaternion); } .chart .pber { stroke: var(--pber); } .chart .pbd { stroke: var(--pbd); }
.chart .fill-quaternion { fill: var(--quaternion); } .chart .fill-pber { fill: var(--pber); }
.chart .fill-pbd { fill: var(--pbd); }
.chart .text-quaternion { fill: var(--quaternion-text); font-weight: 600; }
.chart .text-pber { fill: var(--pber-text); font-weight: 600; } .chart .text-pbd { fill: var(--pbd-text); font-weight: 600; }
.chart .hardware { fill: var(--hardware); } .chart .algebra { fill: var(--algebra); } .chart .layout { fill: var(--layout); }
.chart .bound { stroke: var(--bound); stroke-width: 2.5; } .chart .text-bound { fill: var(--bound); }
.chart .halo { paint-order: stroke; stroke: var(--ground); stroke-width: 4px; stroke-linejoin: round; }
"""


def colours(variables):
    """The rules with the colours themselves: few programs but browsers know variables."""
    known = dict(pair.split(":") for pair in variables.replace("\n", "").rstrip(" ;").split(";"))
    style = STYLE + ".chart .ground { fill: var(--ground); }\n"
    for name, colour in known.items():
        style = style.replace(f"var({name.strip()})", colour.strip())
    return style


def standalone(svg):
    """The same chart as a file: with its style, and a ground to be seen on."""
    dark = f"@media (prefers-color-scheme: dark) {{{colours(DARK_VARIABLES)}}}"
    head, rest = svg.split(">", 1)
    return (f'{head} xmlns="http://www.w3.org/2000/svg"><style>{colours(VARIABLES)}{dark}\n</style>'
            f'<rect width="100%" height="100%" class="ground"/>{rest}')


def escape(text):
    return str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def digits(number, count=3):
    """Significant digits without an exponent, and never 0 for what is not."""
    if number is None:
        return "-"
    if number == 0:
        return "0"
    decimals = max(0, count - 1 - math.floor(math.log10(abs(number))))
    text = f"{number:,.{decimals}f}"
    return text


def plain(number):
    """An axis' 0.001 or 1,000,000."""
    if 0 < abs(number) < 0.0009:
        mantissa, exponent = f"{number:.0e}".split("e")
        return f"{mantissa}e{int(exponent)}"
    return f"{number:,.10f}".rstrip("0").rstrip(".")


class Drawing:
    def __init__(self, width, height, label):
        self.parts = [f'<svg class="chart" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(label)}">']
        self.width, self.height = width, height

    def text(self, x, y, content, kind=""):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{escape(content)}</text>')

    def rect(self, x, y, width, height, kind, title=""):
        hint = f"<title>{escape(title)}</title>" if title else ""
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0.5):.1f}" height="{height:.1f}" '
                          f'class="{kind}" rx="1.5">{hint}</rect>')

    def path(self, points, kind):
        way = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        self.parts.append(f'<path class="{kind}" d="{way}"/>')

    def dot(self, x, y, radius, kind, title=""):
        hint = f"<title>{escape(title)}</title>" if title else ""
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" class="{kind}">{hint}</circle>')

    def ring(self, x, y, kind):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="7" fill="none" stroke-width="2" class="{kind}"/>')

    def finish(self):
        return "\n".join(self.parts + ["</svg>"])


class Log:
    """A logarithmic axis."""

    def __init__(self, values, start, end, pad=0.04):
        values = [v for v in values if v and v > 0]
        low, high = math.log10(min(values)), math.log10(max(values))
        room = max(high - low, 0.2) * pad
        self.low, self.high, self.start, self.end = low - room, high + room, start, end

    def __call__(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self, most=7):
        """Powers of ten, with as many between as there is room for."""
        for steps in ((1, 2, 3, 4, 5, 7), (1, 2, 5), (1, 3), (1,)):
            marks = [m * 10.0 ** e for e in range(math.floor(self.low), math.ceil(self.high) + 1) for m in steps]
            marks = [m for m in marks if self.low <= math.log10(m) <= self.high]
            if len(marks) <= most:
                return marks
        every = -(-len(marks) // most)
        return marks[::every]


class Linear:
    def __init__(self, values, start, end):
        low, high = min(values), max(values)
        room = max(high - low, 1e-9) * 0.06
        self.low, self.high, self.start, self.end = low - room, high + room, start, end

    def __call__(self, value):
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, most=6):
        span = self.high - self.low
        step = 10.0 ** math.floor(math.log10(span))
        for finer in (0.1, 0.2, 0.5, 1, 2, 5):
            if span / (step * finer) <= most:
                step *= finer
                break
        first = math.ceil(self.low / step)
        return [i * step for i in range(first, int(self.high / step) + 1)]


def axes(d, x, y, x_label, y_label, narrow):
    """Rules and labels: x below, y to the left; the name of y stands above it, level, to be read."""
    left, right = min(x.start, x.end), max(x.start, x.end)
    top, bottom = min(y.start, y.end), max(y.start, y.end)
    for mark in x.ticks(5 if narrow else 8):
        d.path([(x(mark), top), (x(mark), bottom)], "rule")
        d.text(x(mark), bottom + 18, plain(mark), "muted small middle")
    for mark in y.ticks():
        d.path([(left, y(mark)), (right, y(mark))], "rule")
        d.text(left - 7, y(mark) + 4, plain(mark), "muted small end")
    d.path([(left, bottom), (right, bottom)], "axis")
    d.text(right, bottom + 36, x_label, "muted small end")
    d.text(4, top - 12, y_label, "muted small")


def sampled(points, step=4.0):
    """Points along a line, close enough that no label fits between two."""
    along = points[:1]
    for (ax, ay), (bx, by) in zip(points, points[1:]):
        count = max(1, int(math.hypot(bx - ax, by - ay) / step))
        along = along + [(ax + (bx - ax) * i / count, ay + (by - ay) * i / count) for i in range(1, count + 1)]
    return along


def circle(x, y, radius):
    return [(x + radius * math.cos(0.5 * i), y + radius * math.sin(0.5 * i)) for i in range(13)]


def text_width(content, size=13):
    """Of bold text, roughly and not too small: fonts differ."""
    return size * sum(1.0 if c in "mw" else 0.78 if c.isupper() else 0.38 if c in " ,il" else 0.67 for c in content)


def nearest(box, points):
    """How far the nearest of the points is from a box."""
    left, top, right, bottom = box
    return min((math.hypot(max(left - x, x - right, 0.0), max(top - y, y - bottom, 0.0)) for x, y in points), default=1e9)


def place(d, content, kind, points, taken, bottom):
    """Writes a label beside one of the points, the last if it can be, above `bottom`, where it covers the least of what
    is taken and no other line is nearer than its own. It is taken then, too."""
    width, height = text_width(content), 10
    beside = [(9, 4), (-9 - width, 4), (8, -7), (8, height + 7), (-8 - width, -7), (-8 - width, height + 7),
              (-width / 2, -11), (-width / 2, height + 11)]
    own = set(sampled(points))
    others = [p for p in taken if p not in own]
    best = None
    for rank, (px, py) in enumerate(reversed(points)):
        for dx, dy in beside:
            x, y = px + dx, py + dy
            if x < 2 or x + width > d.width - 2 or y - height < 24 or y > bottom - 2:
                continue
            covered = sum(x - 3 <= tx <= x + width + 3 and y - height - 3 <= ty <= y + 4 for tx, ty in taken)
            box = (x, y - height, x + width, y)
            strange = nearest(box, others) < 1.5 * nearest(box, own)
            if best is None or (covered, strange, rank) < best[:3]:
                best = (covered, strange, rank, x, y)
    _, _, _, x, y = best
    d.text(x, y, content, kind + " halo")
    taken.extend((x + width * i / 8, y - height * j / 3) for i in range(9) for j in range(4))
