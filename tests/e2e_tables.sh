#!/bin/sh
# The published tables and the sweep: complete, in every form, and written whole.
# shellcheck disable=SC2317 # functions that only `check` calls
set -u
# shellcheck source=tests/e2e.sh
. "$(dirname "$0")/e2e.sh"

rodbench=$build/rodbench
python=/usr/bin/python3

# Evaluates a Python expression of d, a file's JSON.
holds() { # FILE EXPRESSION
    "$python" -c '
import json, sys
d = json.load(open(sys.argv[1]))
sys.exit(0 if eval("(" + sys.argv[2] + ")") else sys.argv[2])' "$1" "$2"
}

same_rows() { # FOLDER NAME: as many rows in the CSV and the Markdown as in the JSON
    "$python" -c '
import csv, json, sys
base = sys.argv[1] + "/" + sys.argv[2]
rows = json.load(open(base + ".json"))["rows"]
table = list(csv.DictReader(open(base + ".csv")))
marks = [l for l in open(base + ".md") if l.startswith("|")]
assert len(table) == len(rows) > 0 and len(marks) >= len(rows) + 2
assert set(table[0]) == set(rows[0])' "$1" "$2"
}

has_no_empty_cell() { # FILE
    holds "$1" '
    len(d["rows"]) > 0 and
    all(r[c["key"]] not in (None, "") for r in d["rows"] for c in d["columns"])'
}

# ---------------------------------------------------------------- table 1

see "$rodbench" table table1 --rounds 1 --out "$tmp/tables"
check table1 test "$status" -eq 0
check table1_is_printed grep -q 'scene3 *pber' "$tmp/out"
table=$tmp/tables/table1.json
check table1_has_every_scene_by_every_method holds "$table" '
    sorted((r["scene"], r["method"]) for r in d["rows"]) ==
    sorted((s, m) for s in ("scene1", "scene2", "scene3") for m in ("quaternion", "pber", "pbd"))'
check table1_has_the_paper_s_numbers holds "$table" '
    {(r["scene"], r["method"]): (r["paper_ms"], r["iterations"]) for r in d["rows"]}
    [("scene3", "pber")] == (9.18, 80)'
check table1_splits_what_cpu_algebra_and_layout_bring holds "$table" '
    all(abs(r["cpu_times"] * r["algebra_times"] * r["layout_times"] / r["total_times"] - 1) < 1e-6
        for r in d["rows"])'
check any_order_is_never_slower_than_the_paper_s holds "$table" '
    all(r["any_order_min_ms"] <= r["paper_order_min_ms"] <= r["paper_style_min_ms"]
        for r in d["rows"])'
check pber_is_only_chosen_in_its_own_order holds "$tmp/tables/table1-variants.json" '
    all(r[k].endswith(", cross") for r in d["rows"] if r["method"] == "pber"
        for k in ("paper_style", "plain_c", "paper_order", "any_order", "batch"))'
check table1_is_stamped holds "$table" 'd["cpu"] and d["compiler"] and d["commit"] and d["date"]'
check table1_has_findings holds "$tmp/tables/table1-ratios.json" 'len(d["findings"]) >= 3'
check table1_ratios_stand_beside_the_paper_s holds "$tmp/tables/table1-ratios.json" '
    [r["paper_says"] for r in d["rows"] if r["method"].startswith("pber")] ==
    ["12", "60 to 70", "60 to 70"]'
for scene in pber30 slinky hair200; do
    see "$rodbench" table $scene --rounds 1 --out "$tmp/tables"
    check "table_$scene" test "$status" -eq 0
    check "table_${scene}_has_three_methods" holds "$tmp/tables/$scene.json" 'len(d["rows"]) == 3'
done

for name in table1 pber30 slinky hair200; do
    for part in '' -ratios -variants; do
        check "${name}${part}_in_all_forms" same_rows "$tmp/tables" $name$part
        check "${name}${part}_has_no_empty_cell" has_no_empty_cell "$tmp/tables/$name$part.json"
    done
done

check layout_gains_are_those_of_a_rod holds "$tmp/tables/hair200.json" '
    all(abs(r["plain_c_min_ms"] / 200 / r["batch_min_ms"] / r["layout_times"] - 1) < 1e-6
        for r in d["rows"])'
check units_say_of_how_many_rods holds "$tmp/tables/hair200.json" '
    {c["key"]: c["unit"] for c in d["columns"]}["plain_c_min_ms"] == "ms, 200 rods" and
    {c["key"]: c["unit"] for c in d["columns"]}["batch_min_ms"] == "ms a rod"'
check the_slinky_stands_beside_the_paper_s holds "$tmp/tables/slinky.json" '
    [r["paper_ms"] for r in d["rows"]] == [7, "not said", "not said"] and len(d["findings"]) >= 1'

# ---------------------------------------------------------------- sweep

see "$rodbench" sweep scene2 --rounds 1 --out "$tmp/sweeps"
check sweep test "$status" -eq 0
sweep=$tmp/sweeps/sweep-scene2.json equal=$tmp/sweeps/sweep-scene2-equal.json
check sweep_has_every_count_of_every_method holds "$sweep" '
    len(d["rows"]) == 36 and sorted({r["iterations"] for r in d["rows"]}) ==
    [1, 2, 3, 5, 8, 10, 18, 30, 50, 80, 120, 200]'
check sweep_has_no_empty_cell holds "$sweep" '
    all(r[c["key"]] is not None for r in d["rows"] for c in d["columns"])'
check more_iterations_hold_the_curl_better holds "$sweep" '
    all(a["rest_distance"] > b["rest_distance"] for a, b in zip(d["rows"], d["rows"][1:])
        if a["method"] == b["method"] and a["method"] != "pbd")'
check strands_do_not_hold_a_curl holds "$sweep" '
    all(r["rest_distance"] > 0.3 for r in d["rows"] if r["method"] == "pbd")'
check equal_quality_for_four_lengths holds "$equal" '
    [r["element_length"] for r in d["rows"]] == [0.1, 0.2, 0.3248, 1]'
check longer_elements_need_fewer_iterations_of_pber holds "$equal" '
    all(a["pber_iterations"] >= b["pber_iterations"] for a, b in zip(d["rows"], d["rows"][1:]))'
check equal_quality_stands_beside_the_paper_s holds "$equal" '
    all(r["paper_iterations"] == 18 for r in d["rows"]) and len(d["findings"]) >= 1'
for name in sweep-scene2 sweep-scene2-equal; do
    check "${name}_in_all_forms" same_rows "$tmp/sweeps" $name
done

end
