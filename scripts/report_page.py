"""The report of a folder of measured data: report.html, report.md and the charts as files."""

import json

import report_charts as charts
import report_sections as sections
from report_data import load
from report_svg import DARK_VARIABLES, STYLE, VARIABLES, digits, standalone


def write(folder, root):
    data = load(folder, root)
    drawn = draw(data)
    for name, (wide, _) in drawn.items():
        (folder / f"chart-{name}.svg").write_text(standalone(wide) + "\n", encoding="utf-8")
    pictures = {name: (folder / f"{name}.svg").read_text(encoding="utf-8")
                for name in ("curl", "looping", "random-pose", "slinky", "hair")}
    page = html_page(data, drawn, pictures, root)
    (folder / "report.html").write_text(page, encoding="utf-8")
    (folder / "report.md").write_text(sections.markdown(data, folder, drawn), encoding="utf-8")


def draw(data):
    """Every chart twice: wide and narrow."""
    makers = {"waterfall": charts.waterfall, "scaling": charts.scaling, "threads": charts.threads,
              "accuracy": charts.accuracy, "published": charts.published}
    for method in charts.NAMES:
        makers[f"variants-{method}"] = lambda d, w, m=method: charts.variants(d, w, m)
    for scene, quantity in (("scene1", "rest_distance"), ("scene2", "rest_distance"), ("scene3", "loop_turn")):
        for across in ("iterations", "time"):
            makers[f"sweep-{scene}-{across}"] = (
                lambda d, w, s=scene, q=quantity, a=across: charts.sweep(d, w, s, q, a))
    drawn = {}
    for name, make in makers.items():
        wide = make(data, charts.WIDE)
        if wide:
            drawn[name] = (wide, make(data, charts.NARROW))
    return drawn


def style_of(root):
    return (f":root {{ color-scheme: light dark; {VARIABLES} }}\n"
            f"@media (prefers-color-scheme: dark) {{ :root {{ {DARK_VARIABLES} }} }}\n"
            + (root / "reports" / "style.css").read_text(encoding="utf-8") + STYLE)


def html_page(data, drawn, pictures, root):
    body = sections.html(data, drawn, pictures)
    for scene in ("scene2", "scene3"):
        packed = json.dumps(data[f"motion-{scene}"], separators=(",", ":"))
        body += f'\n<script type="application/json" id="motion-{scene}">{packed}</script>'
    page = (root / "reports" / "template.html").read_text(encoding="utf-8")
    parts = {"title": f"Elastic rods on {data['machine']['cpu']}", "style": style_of(root), "body": body,
             "player": (root / "reports" / "player.js").read_text(encoding="utf-8")}
    for name, content in parts.items():
        page = page.replace("{{" + name + "}}", content)
    return page


def plain_table1(folder):
    """Table 1 for a terminal."""
    table = json.loads((folder / "table1.json").read_text(encoding="utf-8"))
    lines = [f"{'':24}{'paper':>9}{'one rod':>11}{'median':>11}{'in a batch':>12}{'median':>11}   in ms a frame",
             f"{'':24}{'':>9}{'':>11}{'':>11}{'':>12}{'':>11}   paper / batch = CPU x algebra x layout"]
    for r in table["rows"]:
        lines.append(f"{r['scene'] + ' ' + charts.NAMES[r['method']]:24}{r['paper_ms']:>9g}"
                     f"{digits(r['any_order_min_ms']):>11}{digits(r['any_order_median_ms']):>11}"
                     f"{digits(r['batch_min_ms']):>12}{digits(r['batch_median_ms']):>11}"
                     f"   {digits(r['total_times']):>4} = {digits(r['cpu_times'])} x {digits(r['algebra_times'])} x "
                     f"{digits(r['layout_times'])}")
    return "\n".join(lines)
