"""What the report is made from: the JSON of a run, what the papers published, and what follows from both."""

import csv
import json
import statistics

METHODS = ("quaternion", "pber", "pbd")
ISAS = ("avx512", "avx2", "neon", "sse41", "scalar")  # the widest first


def read_published(root):
    with open(root / "reports" / "published.csv", encoding="utf-8", newline="") as file:
        return {row["key"]: row for row in csv.DictReader(file)}


def load(folder, root):
    data = {}
    for path in sorted(folder.glob("*.json")):
        data[path.stem] = json.loads(path.read_text(encoding="utf-8"))
    data["published"] = read_published(root)
    data["paper_iterations"] = paper_iterations(data["published"])
    data["noise"] = noise(data)
    data["accuracy"] = accuracy(data)
    data["comparisons"] = comparisons(data)
    return data


def row_of(table, **wanted):
    return next(r for r in table["rows"] if all(r[k] == v for k, v in wanted.items()))


def paper_iterations(published):
    return {(row["scene"], row["method"]): float(row["iterations"]) for key, row in published.items()
            if key.startswith("ks16-scene")}


def noise(data):
    """How much a median lies above its minimum, in per cent: middle and largest over table 1."""
    over = []
    for row in data["table1"]["rows"]:
        for key, value in row.items():
            if key.endswith("_min_ms"):
                over.append(100.0 * (row[key.replace("_min_", "_median_")] / value - 1.0))
    return {"median": statistics.median(over), "largest": max(over), "count": len(over)}


def fastest(data, method):
    """The fastest variant of full accuracy on many rods."""
    rows = [r for r in data[f"variants-{method}"]["rows"] if r["norm"] != "bare" and r["native"] == "yes"]
    return min(rows, key=lambda r: r["many_min_ns"])


def accuracy(data):
    """Roots of three kinds in the widest ISA: what they cost, and how far they are off."""
    errors = {v["name"]: v["error"] for v in data["verify"]["variants"]}
    points = []
    for method in METHODS:
        rows = {r["name"]: r for r in data[f"variants-{method}"]["rows"] if r["native"] == "yes"}
        isa = next(i for i in ISAS if f"{method}-{i}-u2-newton" in rows)
        for norm in ("exact", "newton", "bare"):
            row = rows.get(f"{method}-{isa}-u2-{norm}")
            if row and errors.get(row["name"]):
                points.append({"method": method, "norm": norm, "name": row["name"], "isa": isa, "ns": row["many_min_ns"],
                               "median": row["many_median_ns"], "error": errors[row["name"]]})
    return points


def comparisons(data):
    """Published times beside ours, in ms of a frame; table 1 has its own chart."""
    published = data["published"]
    pber30 = row_of(data["pber30"], method="pber")
    slinky = row_of(data["slinky"], method="quaternion")
    strands = row_of(data["limits"], key="strands-47000")
    return [
        {"label": "PBER, 30 elements (KS16)", "key": "ks16-pber30", "method": "pber",
         "published": float(published["ks16-pber30"]["value"]), "here": pber30["any_order_min_ms"],
         "median": pber30["any_order_median_ms"], "what": "one rod, 30 elements, 10 iterations"},
        {"label": "PBER, 30 elements (USS14)", "key": "uss14-pber30", "method": "pber",
         "published": float(published["uss14-pber30"]["value"]), "here": pber30["any_order_min_ms"],
         "median": pber30["any_order_median_ms"], "what": "one rod, 30 elements, 10 iterations"},
        {"label": "slinky, 1000 elements", "key": "ks16-slinky", "method": "quaternion",
         "published": float(published["ks16-slinky"]["value"]), "here": slinky["any_order_min_ms"],
         "median": slinky["any_order_median_ms"], "what": "one rod, 1000 elements, 50 iterations"},
        {"label": "47,000 strands", "key": "bender17-47k", "method": "quaternion",
         "published": 1000.0 / float(published["bender17-47k"]["value"]), "here": 1e-3 * strands["min_us"],
         "median": 1e-3 * strands["median_us"],
         "what": "47,000 strands of 20 elements, 2 iterations, one core, no rendering and no repulsion"},
    ]


def widest_isa(data):
    return next(i["name"] for i in sorted(data["machine"]["isas"], key=lambda i: -i["lanes"])
                if i["usable"] and i["native"])
