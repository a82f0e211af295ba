"""The charts of the report: each takes the data of a run and a width, and gives SVG."""

from report_svg import Drawing, Linear, Log, axes, circle, digits, place, plain, sampled

WIDE, NARROW = 720, 360
NAMES = {"quaternion": "quaternion rod", "pber": "PBER", "pbd": "PBD strand"}
SHORT_NAMES = {"quaternion": "quaternion", "pber": "PBER", "pbd": "PBD"}
ISA_NAMES = {"scalar": "plain C", "sse41": "SSE4.1", "avx2": "AVX2", "avx512": "AVX-512", "neon": "NEON"}


def times(number):
    return digits(number) + " x"


# ---------------------------------------------------------------- table 1


def waterfall(data, width):
    """From the paper's time of a frame to ours: what the CPU, the algebra, and layout with width bring."""
    rows = data["table1"]["rows"]
    narrow = width == NARROW
    left, line, top = (12, 60, 52) if narrow else (196, 30, 52)
    right = width - (14 if narrow else 92)
    height = top + line * len(rows) + 46
    x = Log([r["paper_ms"] for r in rows] + [r["batch_min_ms"] for r in rows], right, left)
    d = Drawing(width, height, "time of a frame: paper, CPU, algebra, layout and width")
    legend(d, width, [("hardware", "CPU"), ("algebra", "algebra"), ("layout", "layout + width")])
    for mark in x.ticks(4 if narrow else 7):
        d.path([(x(mark), top - 8), (x(mark), height - 40)], "rule")
        d.text(x(mark), height - 22, plain(mark), "muted small middle")
    d.text(right, height - 4, "ms a frame, logarithmic; faster is to the right", "muted small end")
    for i, row in enumerate(rows):
        y = top + i * line + (22 if narrow else 4)
        label = f"{row['scene']}, {NAMES[row['method']]}"
        d.text(left if narrow else left - 12, y - 6 if narrow else y + 15, label,
               f"text-{row['method']}" + ("" if narrow else " end"))
        waterfall_row(d, row, x, y, 20)
        end = x(row["batch_min_ms"])
        if narrow:
            d.text(width - 8, y - 6, times(row["total_times"]), "strong end")
        else:
            d.text(end + 8, y + 15, times(row["total_times"]), "strong")
    return d.finish()


def waterfall_row(d, row, x, y, height):
    at = row["paper_ms"]
    for kind, key in (("hardware", "cpu_times"), ("algebra", "algebra_times"), ("layout", "layout_times")):
        to = at / row[key]
        a, b = x(at), x(to)
        hint = f"{key.split('_')[0]}: {times(row[key])}, {digits(at)} ms to {digits(to)} ms"
        if b >= a:
            d.rect(a, y, b - a, height, kind, hint)
        else:  # it costs: drawn below, backwards
            d.rect(b, y + height, a - b, 4, kind, hint)
        if b - a > 42:
            d.text((a + b) / 2, y + 14.5, times(row[key]), "inside middle")
        at = to


def legend(d, width, entries):
    """Above the bars, in their order; the only charts without room for direct labels."""
    at = 8.0
    for kind, label in entries:
        d.rect(at, 12, 14, 14, kind)
        d.text(at + 20, 24, label)
        at += 34 + 7.4 * len(label)


# ---------------------------------------------------------------- sweeps


def sweep(data, width, scene, quantity, across):
    """Quality against iterations, or against time: a line for each method, labelled at its end."""
    narrow = width == NARROW
    rows = [r for r in data[f"sweep-{scene}"]["rows"] if isinstance(r[quantity], (int, float))]
    column = "iterations" if across == "iterations" else "us_min"
    d = Drawing(width, 316, f"{scene}: {quantity} against {across}")
    labels = 92 if across == "iterations" else 24  # behind lines that all end at one count
    x = Log([r[column] for r in rows], 52, width - labels)
    values = [r[quantity] for r in rows]
    y = (Log if quantity == "rest_distance" else Linear)(values, 262, 30)
    y_name = "E, RMS distance to the rest shape / length" if quantity == "rest_distance" else "turns at which it loops"
    axes(d, x, y, "iterations a frame" if across == "iterations" else "us a frame, one rod, minimum", y_name, narrow)
    lines, taken = {}, []
    for method in NAMES:
        of = [r for r in rows if r["method"] == method]
        if across != "iterations":
            of.sort(key=lambda r: r[column])
        points = [(x(r[column]), y(r[quantity])) for r in of]
        if points:
            lines[method] = points
            taken += sampled(points)
            sweep_line(d, data, scene, method, quantity, list(zip(points, of)), taken)
    for method, points in lines.items():
        place(d, SHORT_NAMES[method], f"text-{method}", points, taken, 262)
    return d.finish()


def sweep_line(d, data, scene, method, quantity, points, taken):
    d.path([at for at, _ in points], f"line {method}")
    for at, r in points:
        d.dot(*at, 3.2, f"fill-{method}",
              f"{NAMES[method]}, {r['iterations']:g} iterations: {digits(r[quantity])}, {digits(r['us_min'])} us min, "
              f"{digits(r['us_median'])} us median")
        if r["iterations"] == data["paper_iterations"].get((scene, method)):
            d.ring(*at, method)
            taken += circle(*at, 8)


# ---------------------------------------------------------------- variants


def variants(data, width, method, most=4):
    """The fastest batch variants of each native ISA, and how much of the bound they reach. Each ISA has its own scale."""
    rows = data[f"variants-{method}"]["rows"]
    groups = []
    for isa in ISA_NAMES:
        of = [r for r in rows if r["isa"] == isa and r["native"] == "yes" and r["bound_ns"]]
        if of:
            groups.append((isa, sorted(of, key=lambda r: r["many_min_ns"])[:most]))
    line, heading = 42, 34
    height = 30 + sum(heading + line * len(g) for _, g in groups) + 32
    d = Drawing(width, height, f"{method}: the fastest variants of each ISA and their bound")
    d.text(8, 18, "ns per element and iteration, minimum; pale: median", "muted small")
    y = 30
    for isa, group in groups:
        d.text(8, y + 22, ISA_NAMES[isa], "strong")
        y += heading
        longest = max(r["many_median_ns"] for r in group)
        for r in group:
            variant_row(d, r, method, (8, width - 106, longest), y)
            y += line
    d.path([(9, height - 22), (9, height - 6)], "bound")
    d.text(17, height - 9, "what this ISA's multiply-add peak allows", "text-bound small")
    return d.finish()


def variant_row(d, r, method, scale, y):
    left, right, longest = scale
    reach = (right - left) / longest
    bar = y + 16
    d.text(left, y + 11, r["name"].replace(f"{method}-", "", 1))
    d.rect(left, bar, r["many_median_ns"] * reach, 18, f"fill-{method} bar", f"median {digits(r['many_median_ns'])} ns")
    d.rect(left, bar, r["many_min_ns"] * reach, 18, f"fill-{method}",
           f"{r['name']}: {digits(r['many_min_ns'])} ns min, {digits(r['many_median_ns'])} ns median")
    x = left + r["bound_ns"] * reach
    d.path([(x, bar - 2), (x, bar + 20)], "bound")
    d.text(left + max(r["many_median_ns"], r["many_min_ns"]) * reach + 7, bar + 14,
           f"{digits(r['many_min_ns'])} ns, {r['bound_percent']:.0f} %", "halo")


# ---------------------------------------------------------------- scaling, accuracy


def scaling(data, width):
    """Cost of an element and iteration among more and more strands, and where the caches end."""
    narrow = width == NARROW
    rows = [r for r in data["scaling"]["rows"] if r["threads"] == 1]
    d = Drawing(width, 304, "cost of an element and iteration against the number of rods")
    x = Log([r["rods"] for r in rows], 46, width - 22)
    y = Log([r["ns"] for r in rows] + [r["median_ns"] for r in rows], 246, 36)
    axes(d, x, y, "rods of 20 elements, 10 iterations", "ns per element and iteration, one core", narrow)
    for name, size in (("L1", "l1d_bytes"), ("L2", "l2_bytes"), ("L3", "l3_bytes")):
        at = cache_end(rows, data["machine"][size])
        if at:
            d.path([(x(at), 36), (x(at), 246)], "axis")
            d.text(x(at) + 4, 48, name, "muted small halo")
    d.path([(x(r["rods"]), y(r["median_ns"])) for r in rows], "line quaternion bar")
    d.path([(x(r["rods"]), y(r["ns"])) for r in rows], "line quaternion")
    for r in rows:
        d.dot(x(r["rods"]), y(r["ns"]), 3.5, "fill-quaternion",
              f"{r['rods']:,g} rods: {digits(r['ns'])} ns min, {digits(r['median_ns'])} ns median")
    lines = {key: [(x(r["rods"]), y(r[key])) for r in rows] for key in ("ns", "median_ns")}
    taken = sampled(lines["ns"]) + sampled(lines["median_ns"])
    place(d, "minimum", "text-quaternion", lines["ns"], taken, 246)
    place(d, "median", "muted", lines["median_ns"], taken, 246)
    return d.finish()


def cache_end(rows, size):
    """How many rods a cache holds, by what a rod takes in the next larger batch."""
    for r in rows:
        bytes_a_rod = 1e6 * r["megabytes"] / r["rods"]
        if size and r["rods"] * bytes_a_rod >= size and r["rods"] > 1:
            return size / bytes_a_rod
    return None


def threads(data, width):
    rows = [r for r in data["scaling"]["rows"] if r["threads"] > 1]
    if not rows:
        return None
    left, right = 100, width - 90
    height = 40 + 30 * len(rows) + 6
    most = max(r["threads"] for r in rows)
    rods = int(rows[0]["rods"])
    d = Drawing(width, height, "speed on several threads")
    d.text(8, 20, f"{rods:,} rods: speed against one thread (line: ideal)", "muted small")
    for i, r in enumerate(rows):
        gain = r["times"]
        y = 34 + 30 * i
        d.text(left - 10, y + 15, f"{r['threads']:g} thread{'s' if r['threads'] > 1 else ''}", "end small")
        d.rect(left, y, gain / most * (right - left), 20, "fill-quaternion",
               f"{digits(r['min_ms'])} ms min, {digits(r['median_ms'])} ms median")
        x = left + r["threads"] / most * (right - left)
        d.path([(x, y - 3), (x, y + 23)], "bound")
        d.text(left + max(gain, 0.2) / most * (right - left) - 8, y + 15, times(gain), "inside end")
    return d.finish()


def accuracy(data, width):
    """What an exact root costs: error against the reference and time, widest native ISA."""
    narrow = width == NARROW
    points = data["accuracy"]
    d = Drawing(width, 326, "error against the double reference, and time")
    x = Log([p["ns"] for p in points], 62, width - (44 if narrow else 110), 0.3 if narrow else 0.16)
    y = Log([p["error"] for p in points], 268, 34, 0.14)
    axes(d, x, y, "ns per element and iteration, minimum", "largest error / rod length", narrow)
    taken = []
    for p in points:
        p["at"] = (x(p["ns"]), y(p["error"]))
        taken += circle(*p["at"], 6)
    for method in NAMES:
        of = [p for p in points if p["method"] == method]
        d.path([p["at"] for p in of], f"line {method} bar")
        taken += sampled([p["at"] for p in of])
        for p in of:
            d.dot(*p["at"], 5.5, f"fill-{method}",
                  f"{p['name']}: error {p['error']:.2e}, {digits(p['ns'])} ns min, {digits(p['median'])} ns median")
    for p in points:
        place(d, f"{NAMES[p['method']]}, {p['norm']}" if p["norm"] == "bare" else p["norm"], f"text-{p['method']}",
              [p["at"]], taken, 268)
    return d.finish()


# ---------------------------------------------------------------- published


def published(data, width):
    """What was published and what it takes here, on one logarithmic axis."""
    narrow = width == NARROW
    rows = data["comparisons"]
    line, top = (52, 44) if narrow else (34, 44)
    left, right = (14, width - 20) if narrow else (250, width - 80)
    height = top + line * len(rows) + 44
    x = Log([r["published"] for r in rows] + [r["here"] for r in rows], left, right)
    d = Drawing(width, height, "published times and ours")
    for mark in x.ticks(4 if narrow else 7):
        d.path([(x(mark), top - 6), (x(mark), height - 38)], "rule")
        d.text(x(mark), height - 20, plain(mark), "muted small middle")
    d.text(right, height - 3, "ms a frame, logarithmic", "muted small end")
    first = rows[0]
    d.text(x(first["here"]), 16, "here", f"text-{first['method']} middle")
    d.text(x(first["published"]), 16, "published", "strong middle")
    for i, r in enumerate(rows):
        y = top + i * line + (34 if narrow else 16)
        d.text(left if narrow else left - 14, y - 18 if narrow else y + 4, r["label"],
               f"text-{r['method']} small" + ("" if narrow else " end"))
        d.path([(x(r["published"]), y), (x(r["here"]), y)], f"line {r['method']} bar")
        d.dot(x(r["published"]), y, 5, "hardware", f"published: {plain(r['published'])} ms")
        d.dot(x(r["here"]), y, 5, f"fill-{r['method']}", f"here: {digits(r['here'])} ms minimum")
        if narrow:
            d.text(width - 8, y - 18, times(r["published"] / r["here"]), "strong end")
        else:
            d.text(x(r["published"]) + 10, y + 4, times(r["published"] / r["here"]), "strong halo")
    return d.finish()
