"""The sections of the report, in the order in which they are read. Every sentence with a number is computed here."""

import re

import report_charts as charts
from report_data import METHODS, fastest, row_of, widest_isa
from report_html import (NAMES, caption_of, figure, findings, folded, frame_caption, grid_table, how, images, method_name,
                         picture_figure, published, section, shown, table)
from report_svg import digits, escape

ISA_NAMES = charts.ISA_NAMES


def span(values):
    low, high = min(values), max(values)
    return digits(low) if digits(low) == digits(high) else f"{digits(low)} to {digits(high)}"


def counted(number, noun):
    return f"{number:g} {noun}{'' if number == 1 else 's'}"


def verified_frames(data):
    """Files of before that was written down have 100."""
    return data["verify"].get("frames", 100)


def with_commas(text):
    return re.sub(r"\b\d{5,}\b", lambda m: f"{int(m.group()):,}", text)


# ---------------------------------------------------------------- what was found


def headline(data):
    return f"Elastic rods, {span([r['total_times'] for r in data['table1']['rows']])} times faster than published"


def main_finding(data):
    rows = data["table1"]["rows"]
    return (f"Hair, cables and springs, simulated on one core by quaternion rods, PBER and PBD strands: in a batch, a frame of "
            f"a 50-element rod takes {span([r['total_times'] for r in rows])} times less than Kugelstadt & Schömer published in "
            f"2016. A newer CPU makes it {span([r['cpu_times'] for r in rows])} times faster, structure-of-arrays layout with "
            f"{ISA_NAMES[widest_isa(data)]} vectors another {span([r['layout_times'] for r in rows])} times.")


def table1_finding(data):
    rods = [r for r in data["table1"]["rows"] if r["method"] == "quaternion"]
    alone = [r["paper_ms"] / r["any_order_min_ms"] for r in rods]
    return (f"A quaternion rod is {span([r['total_times'] for r in rods])} times faster than published when many are "
            f"simulated together, and {span(alone)} times when it is alone.")


def method_finding(data):
    same = row_of(data["table1-ratios"], scene="scene1", method="pber / quaternion")
    return (f"Written with equal care, PBER costs {digits(same['batch'])} times a quaternion rod at the same "
            f"iterations, where the paper found {{paper}}.")


def tiles(data):
    rod = row_of(data["table1"], scene="scene1", method="quaternion")
    best = fastest(data, "quaternion")
    same = row_of(data["table1-ratios"], scene="scene1", method="pber / quaternion")
    strands = row_of(data["limits"], key="strands-47000")
    entries = [
        (f"{digits(rod['total_times'])} x", f"faster than published: a quaternion rod's frame, "
         f"{published(data, 'ks16-scene1-quaternion')} then, {digits(rod['batch_min_ms'])} ms in a batch now "
         f"({digits(rod['batch_median_ms'])} ms median)"),
        (f"{digits(best['many_min_ns'])} ns", f"per element and iteration on one core ({digits(best['many_median_ns'])} ns "
         f"median), {best['bound_percent']:.0f} % of what its multiply-add units allow"),
        (f"{digits(same['batch'])} x", f"the cost of PBER against a quaternion rod at the same iterations; "
         f"the paper found {published(data, 'ks16-ratio-same-iterations', False)} x"),
        (f"{1e6 / strands['min_us']:.0f} fps", f"47,000 strands of 20 elements, 2 iterations, one core "
         f"({digits(1e-3 * strands['min_us'])} ms min, {digits(1e-3 * strands['median_us'])} ms median of "
         f"{data['limits']['rounds']:.0f} memories)"),
    ]
    return '<ul class="tiles">' + "".join(f"<li><b>{big}</b>{small}</li>" for big, small in entries) + "</ul>"


def header(data):
    m = data["machine"]
    paper = published(data, "ks16-ratio-same-iterations", False)
    kind = "quick report" if data["steps"]["quick"] else "report"
    return (f'<header><p class="kicker">rodbench {kind} · {escape(m["cpu"])} · {data["steps"]["date"]} · commit '
            f'{escape(m["commit"])}</p><h1>{escape(headline(data))}</h1>'
            f'<p class="lead">{escape(main_finding(data))} {method_finding(data).format(paper=paper)}</p>'
            f"{tiles(data)}{contents()}</header>")


def contents():
    entries = [("machine", "machine"), ("table1", "table 1"), ("waterfall", "where the speed comes from"),
               ("sweeps", "quality and iterations, with a player"), ("variants", "variants"), ("scaling", "scaling"),
               ("accuracy", "accuracy"), ("published", "other published numbers"), ("processes", "whole processes"),
               ("verification", "verification"), ("reproduce", "how to reproduce")]
    return '<nav aria-label="Contents">' + "".join(f'<a href="#{name}">{text}</a>' for name, text in entries) + "</nav>"


# ---------------------------------------------------------------- sections


def machine(data):
    m = data["machine"]
    isas = ", ".join(f"{ISA_NAMES[i['name']]} ({digits(2e-9 * i['vector_fma_per_second'] * i['lanes'])} GFLOP/s measured)"
                     for i in m["isas"] if i["usable"] and i["native"])
    noise = data["noise"]
    rows = [("CPU", f"{escape(m['cpu'])}, {m['cores_online']} cores online, {m['clock_hz'] / 1e9:.2f} GHz measured"),
            ("Caches", f"L1d {m['l1d_bytes'] // 1024} KiB, L2 {m['l2_bytes'] // 1024} KiB, L3 {m['l3_bytes'] // 1024} KiB; "
                       f"memory {m['memory_bytes'] / 2 ** 30:.1f} GiB"),
            ("Instruction sets", isas.replace("AVX-512", "AVX&#8209;512")), ("Compiler", escape(m["compiler"])),
            ("Version", f"{escape(m['version'])}, commit {escape(m['commit'])}, {data['steps']['date']}, {escape(m['kernel'])}"),
            ("Noise of this run", f"a median of table 1 lies {digits(noise['median'])} % above its minimum (the middle of "
                                  f"{noise['count']} timings; at most {digits(noise['largest'])} %)")]
    quick = ('<p class="note"><b>A quick run</b>: 3 rounds where a full report takes 9 to 21, batches of fewer rods, at most '
             f"80 iterations in the sweeps, verification of {verified_frames(data)} frames. "
             "<code>make report</code> makes a full one.</p>") if data["steps"]["quick"] else ""
    return section("machine", "The machine", '<dl class="machine">' +
                   "".join(f"<dt>{a}</dt><dd>{b}</dd>" for a, b in rows) + "</dl>", quick,
                   '<p class="note">Times are CPU time of one thread, taken in turns, so that what else the machine does '
                   "falls on all alike; every time has its minimum and its median. Differences below 5 % mean nothing.</p>",
                   how("build/rodbench info"))


def min_and_median(low, median):
    return f"{digits(low)}<small>{digits(median)}</small>"


def table1(data):
    both = "ms min<br>median"
    columns = [("method", "scene, iterations", "text"), ("paper", "ms", ""), ("in a batch", both + " a rod", ""),
               ("faster", "x", "strong"), ("one rod", both, ""), ("paper style", both, ""), ("CPU", "x", ""),
               ("algebra", "x", ""), ("layout, width", "x", "")]
    rows = []
    for r in data["table1"]["rows"]:
        pair = lambda kind: min_and_median(r[kind + "_min_ms"], r[kind + "_median_ms"])
        cells = [f"{method_name(r['method'])}<small>{r['scene']}, {counted(r['iterations'], 'iteration')}</small>",
                 published(data, f"ks16-{r['scene']}-{r['method']}", False), pair("batch"), digits(r["total_times"]),
                 pair("any_order"), pair("paper_style"), digits(r["cpu_times"]), digits(r["algebra_times"]),
                 digits(r["layout_times"])]
        rows.append((cells, "group" if r["method"] == "pbd" else ""))
    paper = data["published"]["ks16-scene1-quaternion"]
    return section(
        "table1", "Table 1, then and now", f'<p class="finding">{escape(table1_finding(data))}</p>', table(columns, rows),
        f'<p class="note">Time of a frame of 50 elements, dt 10 ms. Paper: {escape(paper["source"])}, {escape(paper["section"])}, '
        f'{escape(paper["machine"])}. Its video is lost, and the scenes are our reading of its figure 5: scene 1 a level rod '
        "sags, scene 2 a helix keeps its curls, scene 3 a clamped rod is twisted until it loops. "
        "Paper style: what the authors likely had, an array of structures. One rod: the fastest variant and order, alone. "
        "In a batch: time of a batch / its rods. Faster: paper / in a batch = CPU x algebra x layout and width.</p>",
        folded("All orders and plain C", grid_table(data["table1"])),
        folded("Ratios between the methods", grid_table(data["table1-ratios"]) + findings(data["table1-ratios"])),
        folded("Which variants these are", grid_table(data["table1-variants"])), how(data["steps"]["steps"]["table1"]["command"]))


def decomposition(data, drawn):
    rows = data["table1"]["rows"]
    pber = [r for r in rows if r["method"] == "pber"]
    return section(
        "waterfall", "Where the speed comes from",
        f'<p class="finding">The CPU alone brings {span([r["cpu_times"] for r in rows])} times; storing rods side by side '
        f'and filling the vectors {span([r["layout_times"] for r in rows])} times. Algebra matters for PBER, whose Jacobian '
        f'is never built here: {span([r["algebra_times"] for r in pber])} times.</p>',
        figure(*drawn["waterfall"], "Paper: left end of each bar. CPU: paper / the paper's style of code here. Algebra: that / "
               "our body in plain C. Layout + width: plain C / a rod in a batch. A thin strip below a bar is a step that costs."),
        how(data["steps"]["steps"]["table1"]["command"]))


def equal_quality(data):
    """PBER's iterations for the quality of the quaternion rod, in words."""
    row = min(data["sweep-scene2-equal"]["rows"], key=lambda r: abs(r["element_length"] - 0.3248))
    return (f"For the quality of a quaternion rod with {row['quaternion_iterations']:g} iterations PBER needs "
            f"{shown(row['pber_iterations'])} in the curl scene (elements of length {row['element_length']:g}); the paper ran "
            f"{row['paper_iterations']:g}.")


def quality(data, method):
    """Of the curl with the paper's iterations."""
    wanted = data["paper_iterations"][("scene2", method)]
    row = row_of(data["sweep-scene2"], method=method, iterations=wanted)
    return f"<br>E {digits(row['rest_distance'])}, {digits(row['us_min'])} us a frame"


def at_paper_iterations(data, scene, method):
    return row_of(data[f"sweep-{scene}"], method=method, iterations=data["paper_iterations"][(scene, method)])


def bending_finding(data):
    equal = data["sweep-scene1-equal"]["rows"][0]
    ran = max(r["iterations"] for r in data["sweep-scene1"]["rows"])
    need = (f"PBER needs {shown(equal['pber_iterations'])} iterations to sag as little as a quaternion rod with "
            if equal["pber_iterations"] else
            f"with up to {ran:g} iterations PBER sags more than a quaternion rod with ")
    return f"A level rod sags: {need}{equal['quaternion_iterations']:g}; the paper gave both {equal['paper_iterations']:g}."


def curl_finding(data):
    q, p, d = (at_paper_iterations(data, "scene2", m) for m in METHODS)
    return (f"A helix keeps its curls: at the paper's iterations a quaternion rod ends {digits(q['rest_distance'])} of its length "
            f"from its rest shape, at {digits(q['us_min'])} us a frame; PBER {digits(p['rest_distance'])}, at "
            f"{digits(p['us_min'])} us; a PBD strand {digits(d['rest_distance'])}, at {digits(d['us_min'])} us.")


def loop_finding(data):
    q, p = (at_paper_iterations(data, "scene3", m) for m in ("quaternion", "pber"))
    return (f"A twisted rod loops: at the paper's iterations a quaternion rod after {shown(q['loop_turn'])} turns, at "
            f"{digits(q['us_min'])} us a frame, PBER after {shown(p['loop_turn'])}, at {digits(p['us_min'])} us. PBD strands "
            "know no twist and never loop.")


def sweeps(data, drawn, pictures):
    charts_of = []
    for scene, what, finding in (("scene1", "bending", bending_finding), ("scene2", "curl", curl_finding),
                                 ("scene3", "looping", loop_finding)):
        charts_of.append(f"<h3>{scene}: {what}</h3><p>{escape(finding(data))}</p><div class=pair>" + "".join(
            figure(*narrow_pair(drawn[f"sweep-{scene}-{a}"])) for a in ("iterations", "time")) + "</div>")
    tables = "".join(folded(f"sweep {s}: all rows", grid_table(data[f"sweep-{s}"]) + findings(data[f"sweep-{s}{part}"]))
                     for s, part in (("scene1", "-equal"), ("scene2", "-equal"), ("scene3", "-lengths")))
    return section(
        "sweeps", "Quality, iterations and time", f'<p class="finding">{escape(equal_quality(data))}</p>',
        '<p class="note">Rings mark the iterations of the paper. E is the distance of the settled rod to its rest shape: lower '
        "is better, and a point to the left of another at the same height costs less. Loops have no right answer: the methods "
        "are different materials. All axes but that of turns are logarithmic.</p>", *charts_of, tables, player(),
        "<h3>What that looks like</h3>",
        picture_figure(images(pictures["curl"], "curl", "by-3", lambda t: caption_of(t, lambda m: quality(data, m))),
                       "Curl (KS16 figure 5, left): a level helix of five turns, clamped at its left end, hangs under gravity; all at "
                       "the paper's iterations and at one scale. E is the distance to the rest shape / length. Quaternion rod and "
                       "PBER are drawn out like springs; a PBD strand knows the angles between its edges but no twist, and unwinds. "
                       "A light and a dark stripe on opposite sides show twist; strands have none.", "hanging"),
        picture_figure(images(pictures["looping"], "looping", "by-3 stack"),
                       "Looping (KS16 figure 5, right): a clamped rod is twisted at one end; each in the frame in which it first "
                       "loops, the PBD strand, which never does, in the last one."),
        how(*[data["steps"]["steps"][f"sweep {s}"]["command"] for s in ("scene1", "scene2", "scene3")],
            "build/rodbench render scene2 -o curl.svg", "build/rodbench render scene3 -o looping.svg"))


def narrow_pair(drawn):
    """Two charts beside each other are each as narrow as on a phone."""
    return drawn[1], drawn[1]


def player():
    return """<h3>See them move</h3>
<div id="player"><canvas tabindex="0" role="img" aria-label="The three methods in motion; drag or use arrow keys to turn"></canvas>
<div class="controls"><button class="play" aria-pressed="false">Play</button>
<button data-scene="scene2" aria-pressed="true">curl</button><button data-scene="scene3" aria-pressed="false">looping</button>
<input type="range" min="0" max="1000" value="0" aria-label="time"><span class="clock">0.0 s</span></div>
<p class="note" style="margin:8px 2px 0">In real time. Drag, or use the arrow keys, to turn.</p></div>"""


def tuned(data):
    """What the tuner chose for this build, where it was tuned."""
    if "tuned" not in data:
        return ""
    rows = [[escape(str(c.get(k) or "-")) for k in ("method", "shape", "order", "accuracy", "variant", "reason")]
            for c in data["tuned"]["choices"]]
    return folded("What the tuner chose here", table([("method", "", "text"), ("shape", "", "text"), ("order", "", "text"),
                                                      ("accuracy", "", "text"), ("variant", "", "text"),
                                                      ("why", "", "text wrap")], rows))


def variants(data, drawn):
    best = fastest(data, "quaternion")
    tables = "".join(folded(f"All variants of {NAMES[m]}", grid_table(data[f"variants-{m}"])) for m in METHODS)
    figures = '<div class="triple">' + "".join(
        f"<div><h3>{NAMES[m]}</h3>{figure(*narrow_pair(drawn[f'variants-{m}']))}</div>" for m in METHODS) + "</div>"
    return section(
        "variants", "Kernel variants and the roofline",
        f'<p class="finding">The fastest of full accuracy, <code>{best["name"]}</code>, takes {digits(best["many_min_ns"])} ns per '
        f'element and iteration ({digits(best["many_median_ns"])} ns median), {digits(best["many_times"])} times as fast as the '
        f'textbook, and reaches {best["bound_percent"]:.0f} % of the multiply-add bound.</p>',
        f'<p class="note">The four fastest of each native instruction set on {data["variants-quaternion"]["rods"]:g} strands. '
        "The bound is the counted arithmetic at the peak of multiply-adds, and of additions beside them, measured in this run; memory traffic is not in it. "
        "u1, u2: vectors in flight; exact, newton, bare: how reciprocal roots are taken. Each instruction set has its own "
        "scale: compare its bars with each other, and instruction sets by their numbers.</p>",
        figures, tables, tuned(data), folded("Workloads beside the limits of the hardware", grid_table(data["limits"])),
        how(*[data["steps"]["steps"][f"variants {m}"]["command"] for m in METHODS], data["steps"]["steps"]["limits"]["command"],
            *(["build/rodbench tune --quick"] if "tuned" in data else [])))


def scaling(data, drawn):
    many = [r for r in data["scaling"]["rows"] if r["threads"] == 1]
    first, last = many[0], many[-1]
    threads = [f for f in data["scaling"]["findings"] if "threads" in f]
    sentence = (f"One rod costs {digits(first['ns'])} ns per element and iteration, one among {int(last['rods']):,} costs "
                f"{digits(last['ns'])} ns. {with_commas(' '.join(threads))}")
    more = figure(*drawn["threads"]) if "threads" in drawn else ""
    most = "a million" if last["rods"] == 1e6 else f"{int(last['rods']):,}"
    return section("scaling", f"From one rod to {most}", f'<p class="finding">{escape(sentence)}</p>',
                   figure(*drawn["scaling"], "L1, L2, L3: from there on the rods take more than that cache holds. Both axes are "
                          "logarithmic."), more, folded("All rows", grid_table(data["scaling"])),
                   how(data["steps"]["steps"]["scaling"]["command"]))


def times_as_fast(seconds, other):
    """How fast the first is beside the other: differences below 5 % mean nothing."""
    ratio = other / seconds
    return "as fast" if 0.95 <= ratio <= 1.05 else f"{digits(ratio)} times as fast"


def accuracy(data, drawn):
    points = {(p["method"], p["norm"]): p for p in data["accuracy"]}
    exact, newton, bare = (points[("quaternion", n)] for n in ("exact", "newton", "bare"))
    sentence = (f"A Newton step on the reciprocal root is {times_as_fast(newton['ns'], exact['ns'])} as exact roots at an "
                f"error of {newton['error']:.1e} of the length (exact: {exact['error']:.1e}); without it, "
                f"a bare root is {times_as_fast(bare['ns'], newton['ns'])} as with it, at {bare['error']:.1e}: such a variant is chosen only where it is asked for.")
    return section("accuracy", "Accuracy of normalisation against speed", f'<p class="finding">{escape(sentence)}</p>',
                   figure(*drawn["accuracy"], f"Batch variants of {ISA_NAMES[exact['isa']]}, two vectors in flight. Error: largest "
                          "distance of a particle to the double-precision reference / rod length, over "
                          f"{verified_frames(data)} frames. Both axes are logarithmic."),
                   how(data["steps"]["steps"]["verify"]["command"],
                       data["steps"]["steps"]["variants quaternion"]["command"]))


def comparisons(data, drawn, pictures):
    columns = [("what runs here", "", "text narrow-wrap"), ("published", "", ""), ("here", "min<br>median", ""),
               ("ratio", "x, published / here", "strong")]
    rows, readings = [], []
    read = lambda label, row: readings.append(
        f"<li>{escape(label)}: {escape(row['source'])}, {escape(row['section'])}; {escape(row['machine'])}. "
        f"{escape(row['reading'])}</li>")
    named = lambda label, what: f"{escape(label)}<small>{escape(what)}</small>"
    both = lambda low, median: f"{digits(low)} ms<small>{digits(median)} ms</small>"
    for c in data["comparisons"]:
        row = data["published"][c["key"]]
        rows.append([named(c["label"], c["what"]), published(data, c["key"]), both(c["here"], c["median"]),
                     digits(c["published"] / c["here"])])
        read(c["label"], row)
    hair = row_of(data["hair200"], method="pber")
    rows.append([named("200 strands", "20 elements by PBER, 10 iterations, one core"), "interactive",
                 both(hair["any_order_min_ms"], hair["any_order_median_ms"]), "-"])
    read("200 strands", data["published"]["uss14-hair200"])
    random = data["random"]["metrics"]
    frames = float(data["published"]["ks16-fig6-recovery"]["value"])
    rows.append([named("random pose", f"{random['recovered']} of {data['random']['rods']} spirals are back within 1 % of their "
                                      "length; frames, median"), published(data, "ks16-fig6-recovery"),
                 f"{random['median_frames']:.0f} frames", digits(frames / random["median_frames"])])
    read("random pose", data["published"]["ks16-fig6-recovery"])
    slinky = data["comparisons"][2]
    sentence = (f"The slinky of 1000 elements takes {digits(slinky['here'])} ms a frame where {{paper}} were published; "
                f"{random['recovered']} of {data['random']['rods']} random poses recover, in {random['median_frames']:.0f} frames.")
    extra = "".join(folded(f"{name}: all orders", grid_table(data[name]) + findings(data[name]))
                    for name in ("pber30", "slinky", "hair200"))
    return section(
        "published", "Against other published numbers",
        f'<p class="finding">{escape(sentence).replace("{paper}", published(data, "ks16-slinky"))}</p>',
        figure(*drawn["published"], "Published: on the machine of its time. Here: one rod alone or all strands on one core, "
               "minimum. The 47,000 strands were another method on a GPU, with rendering: a scale, not a comparison."),
        table(columns, rows), folded("Where the published numbers stand, and how we read them",
                                     '<ul class="readings">' + "".join(readings) + "</ul>"),
        picture_figure(images(pictures["random-pose"], "random-pose", "by-5", frame_caption),
                       "A random pose recovers its curl (KS16 figure 6), 30 iterations."),
        picture_figure(images(pictures["slinky"], "slinky", "by-4", frame_caption),
                       "The slinky hung from its end, 1000 elements, 50 iterations."),
        picture_figure(images(pictures["hair"], "hair", "by-1"), "210 strands of 24 elements on a head; no collisions yet."),
        extra, how(*[data["steps"]["steps"][n]["command"] for n in ("pber30", "slinky", "hair200", "limits", "random poses")],
                   "build/rodbench render slinky -o slinky.svg"))


def process_name(command):
    scene, _, method = command.partition(" ")
    return f"{escape(scene)} {method_name(method)}" if method in NAMES else escape(command)


def processes(data):
    if "processes" not in data:
        return section("processes", "Whole processes",
                       "<p>Left out: hyperfine is not installed. <code>make report</code> installs it.</p>")
    rows = []
    for result in data["processes"]["results"]:
        ordered = sorted(result["times"])
        rows.append([process_name(result["command"]), digits(1e3 * result["min"]), digits(1e3 * result["median"]),
                     digits(1e3 * result["mean"]), digits(1e3 * (result["stddev"] or 0.0)), str(len(ordered))])
    start = data["processes"]["results"][0]
    return section("processes", "Whole processes",
                   f'<p class="finding">Starting the program takes {digits(1e3 * start["min"])} ms; the rest of each time is '
                   "building the scene, all its frames, and measuring its end state. Times are by hyperfine, of the clock on the "
                   "wall.</p>",
                   table([("rodbench run", "", "text"), ("min", "ms", ""), ("median", "ms", ""), ("mean", "ms", ""),
                          ("deviation", "ms", ""), ("runs", "", "")], rows),
                   how(data["steps"]["steps"]["hyperfine"]["command"]))


def verification(data):
    all_of = data["verify"]["variants"]
    failed = [v["name"] for v in all_of if not v["passed"]]
    rows = []
    for method in METHODS:
        for norm in ("exact", "newton", "bare"):
            of = [v for v in all_of if v["name"].startswith(method + "-") and f"-{norm}" in v["name"]]
            if of:
                worst = max(of, key=lambda v: v["error"])
                rows.append([f"{method_name(method)}<small>{norm} roots, {counted(len(of), 'variant')}</small>",
                             f"{worst['error']:.2e}", f"{worst['limit']:.0e}",
                             escape(f"{worst['name']}: {worst['worst_case']}, {worst['worst_order']}")])
    frames = verified_frames(data)
    verdict = f"All {len(all_of)} usable variants agree with the double-precision reference over {frames} frames." \
        if not failed else f"{len(failed)} of {len(all_of)} variants FAILED: {', '.join(failed)}."
    return section("verification", "Verification", f'<p class="finding">{escape(verdict)}</p>',
                   f'<p class="note">Each runs {frames} frames of straight, curled, weighted, driven and free rods of mixed '
                   "lengths in all four orders, and of scenes 1 and 2, beside the papers' equations in double precision. Error: "
                   "the largest distance of a particle to the reference / rod length.</p>",
                   table([("method", "", "text"), ("largest error", "/ length", ""), ("limit", "/ length", ""),
                          ("where", "", "text wrap")], rows),
                   folded("All variants", table([("variant", "", "text"), ("error", "/ length", ""), ("limit", "/ length", ""),
                                                 ("worst case", "", "text"), ("passed", "", "text")],
                                                [[v["name"], f"{v['error']:.2e}", f"{v['limit']:.0e}",
                                                  escape(f"{v['worst_case']}, {v['worst_order']}"),
                                                  "yes" if v["passed"] else "NO"] for v in all_of])),
                   how(data["steps"]["steps"]["verify"]["command"]))


def reproduce(data):
    rows = [[escape(name), f"<code>{escape(step['command'])}</code>", digits(step["seconds"])]
            for name, step in data["steps"]["steps"].items()]
    make = "make report QUICK=1" if data["steps"]["quick"] else "make report"
    return section("reproduce", "How to reproduce each number",
                   f"<p>A fresh clone of commit {escape(data['machine']['commit'])} and <code>{make}</code> make this page. Each "
                   "step alone, after <code>make</code>:</p>",
                   table([("step", "", "text"), ("command", "", "text wrap"), ("took", "s", "")], rows, "stacked"))


def html(data, drawn, pictures):
    parts = [machine(data), table1(data), decomposition(data, drawn), sweeps(data, drawn, pictures), variants(data, drawn),
             scaling(data, drawn), accuracy(data, drawn), comparisons(data, drawn, pictures), processes(data),
             verification(data), reproduce(data)]
    return (header(data) + "<main>" + "\n".join(parts) + "</main><footer>Made by rodbench from this run's data; published "
            "numbers are those of reports/published.csv, with where they stand and how we read them. No network is used by "
            "this page.</footer>")


# ---------------------------------------------------------------- Markdown


def markdown(data, folder, drawn):
    m = data["machine"]
    paper = data["published"]["ks16-ratio-same-iterations"]["value"]
    lines = [f"# Elastic rods on {m['cpu']}", "",
             f"{data['steps']['date']}, commit {m['commit']}, {m['compiler']}. Noise of this run: medians lie "
             f"{digits(data['noise']['median'])} % above their minima.", "",
             main_finding(data) + " " + method_finding(data).format(paper=paper) + " " + equal_quality(data), ""]
    order = [("table1", "waterfall"), ("table1-ratios", None), ("sweep-scene1", "sweep-scene1-time"),
             ("sweep-scene2", "sweep-scene2-time"), ("sweep-scene3", "sweep-scene3-time"),
             ("variants-quaternion", "variants-quaternion"), ("variants-pber", "variants-pber"),
             ("variants-pbd", "variants-pbd"), ("limits", None), ("scaling", "scaling"), ("pber30", "published"),
             ("slinky", None), ("hair200", None)]
    for name, chart in order:
        text = (folder / f"{name}.md").read_text(encoding="utf-8")
        lines.append(text.replace("# ", "## ", 1).strip() + "\n")
        if chart in drawn:
            lines.append(f"![{chart}](chart-{chart}.svg)\n")
    lines += ["## Verification", "", f"{sum(v['passed'] for v in data['verify']['variants'])} of "
              f"{len(data['verify']['variants'])} usable variants agree with the double-precision reference.", "",
              "## Pictures", "", "![curl](curl.svg)", "", "![looping](looping.svg)", "", "![random pose](random-pose.svg)",
              "", "![slinky](slinky.svg)", "", "![hair](hair.svg)", "", "## Commands", ""]
    lines += [f"- {name}: `{step['command']}`" for name, step in data["steps"]["steps"].items()]
    return "\n".join(lines) + "\n"
