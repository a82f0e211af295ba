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

# The sweeps take as long as all the rest, which goes on beside them. Elements of scene1 have one
# length only, at which PBER needs few iterations: all four take minutes.
sweep() { # SCENE ARGUMENT...
    timeout 180 "$rodbench" sweep "$@" --rounds 1 --out "$tmp/sweeps" >/dev/null 2>"$tmp/$1.err"
    echo $? >"$tmp/$1.status"
}

mkdir "$tmp/sweeps"
(
    sweep scene1 --length 1
    sweep scene2
    sweep scene3
) &
sweeps=$!

sweep_succeeded() { # SCENE
    cat "$tmp/$1.err"
    [ "$(cat "$tmp/$1.status")" -eq 0 ]
}

# ---------------------------------------------------------------- table 1

see "$rodbench" table table1 --rounds 1 --out "$tmp/tables"
check table1 test "$status" -eq 0
check table1_is_printed grep -q 'scene3 *pber' "$tmp/out"
first=$tmp/tables/table1.json
check table1_has_every_scene_by_every_method holds "$first" '
    sorted((r["scene"], r["method"]) for r in d["rows"]) ==
    sorted((s, m) for s in ("scene1", "scene2", "scene3") for m in ("quaternion", "pber", "pbd"))'
check table1_has_the_paper_s_numbers holds "$first" '
    {(r["scene"], r["method"]): (r["paper_ms"], r["iterations"]) for r in d["rows"]}
    [("scene3", "pber")] == (9.18, 80)'
check table1_splits_what_cpu_algebra_and_layout_bring holds "$first" '
    all(abs(r["cpu_times"] * r["algebra_times"] * r["layout_times"] / r["total_times"] - 1) < 1e-6
        for r in d["rows"])'
check any_order_is_never_slower_than_the_paper_s holds "$first" '
    all(r["any_order_min_ms"] <= r["paper_order_min_ms"] <= r["paper_style_min_ms"]
        for r in d["rows"])'
check pber_is_only_chosen_in_its_own_order holds "$tmp/tables/table1-variants.json" '
    all(r[k].endswith(", cross") for r in d["rows"] if r["method"] == "pber"
        for k in ("paper_style", "plain_c", "paper_order", "any_order", "batch"))'
check table1_is_stamped holds "$first" 'd["cpu"] and d["compiler"] and d["commit"] and d["date"]'
check table1_has_findings holds "$tmp/tables/table1-ratios.json" 'len(d["findings"]) >= 3'
check table1_ratios_stand_beside_the_paper_s holds "$tmp/tables/table1-ratios.json" '
    [r["paper_says"] for r in d["rows"] if r["method"].startswith("pber")] ==
    ["12", "60 to 70", "60 to 70"]'
for scene in pber30 slinky hair200; do
    see "$rodbench" table $scene --rounds 1 --out "$tmp/tables"
    check "table_$scene" test "$status" -eq 0
    check "table_${scene}_has_three_methods" holds "$tmp/tables/$scene.json" 'len(d["rows"]) == 3'
done

for table in table1 pber30 slinky hair200; do
    for part in '' -ratios -variants; do
        check "$table${part}_in_all_forms" same_rows "$tmp/tables" "$table$part"
        check "$table${part}_has_no_empty_cell" has_no_empty_cell "$tmp/tables/$table$part.json"
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

wait "$sweeps"
check sweep sweep_succeeded scene2
sweep=$tmp/sweeps/sweep-scene2.json equal=$tmp/sweeps/sweep-scene2-equal.json
check sweep_has_every_count_of_every_method holds "$sweep" '
    len(d["rows"]) == 36 and sorted({r["iterations"] for r in d["rows"]}) ==
    [1, 2, 3, 5, 8, 10, 18, 30, 50, 80, 120, 200]'
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
check sweep_scene1 sweep_succeeded scene1
bend=$tmp/sweeps/sweep-scene1.json equal=$tmp/sweeps/sweep-scene1-equal.json
check sweep_scene1_has_every_count_of_every_method holds "$bend" 'len(d["rows"]) == 36'
check more_iterations_sag_less holds "$bend" '
    all(a["rest_distance"] > b["rest_distance"] and a["edge_error"] > b["edge_error"]
        for a, b in zip(d["rows"], d["rows"][1:]) if a["method"] == b["method"])'
check frames_to_settle_are_counted_or_marked holds "$bend" '
    all(r["frames"] == ">3000" or r["frames"] <= 3000 for r in d["rows"])'
check one_length_was_asked_for holds "$equal" '
    [(r["element_length"], r["paper_iterations"]) for r in d["rows"]] == [(1, 10)]'
check a_finding_says_that_it_differs holds "$equal" '
    d["rows"][0]["pber_iterations"] == 10 or "differs from the paper" in d["findings"][0]'

check sweep_scene3 sweep_succeeded scene3
loops=$tmp/sweeps/sweep-scene3.json lengths=$tmp/sweeps/sweep-scene3-lengths.json
check sweep_scene3_has_every_count_of_every_method holds "$loops" 'len(d["rows"]) == 36'
check rods_loop_with_any_iterations_and_strands_never holds "$loops" '
    all((r["loop_turn"] == "none") == (r["method"] == "pbd") for r in d["rows"])'
check rods_of_any_length_loop holds "$lengths" '
    len(d["rows"]) == 8 and
    all(1 < r["many_least"] <= r["many_most"] < 4.5 and abs(r["lag"]) < 1 for r in d["rows"])'
check loops_have_findings holds "$lengths" '
    "differs from the paper" in d["findings"][0] and len(d["findings"]) >= 3'

for swept in sweep-scene1 sweep-scene1-equal sweep-scene2 sweep-scene2-equal sweep-scene3 \
    sweep-scene3-lengths; do
    check "${swept}_in_all_forms" same_rows "$tmp/sweeps" "$swept"
    check "${swept}_has_no_empty_cell" has_no_empty_cell "$tmp/sweeps/$swept.json"
done

end
