#!/bin/sh
# `rodbench compare` on made-up tables: ratios, noise, verdicts, and what is refused; and the schema of all JSON.
# shellcheck disable=SC2317 # functions that only `check` calls
set -u
# shellcheck source=tests/e2e.sh
. "$(dirname "$0")/e2e.sh"

rodbench=$build/rodbench
python=/usr/bin/python3

# A table of one time for each MIN:MEDIAN, in rows r1, r2, ...
make_table() { # FILE SCHEMA ROUNDS MIN:MEDIAN...
    "$python" - "$@" <<'END'
import json, sys
file, schema, rounds, *times = sys.argv[1:]
columns = [{"key": k, "heading": h, "unit": u} for k, h, u in
           (("scene", "scene", ""), ("variant", "variant", ""), ("here_min_ms", "here", "ms"),
            ("here_median_ms", "median", "ms"), ("frames", "frames", ""))]
rows = [{"scene": "r%d" % (i + 1), "variant": file, "here_min_ms": float(t.split(":")[0]),
         "here_median_ms": float(t.split(":")[1]), "frames": len(file)} for i, t in enumerate(times)]
table = {"schema": int(schema), "table": "t", "cpu": "c", "rounds": int(rounds), "columns": columns, "rows": rows}
if schema == "0":
    del table["schema"]
json.dump(table, open(file, "w"))
END
}

verdicts() { # FILE_A FILE_B
    "$rodbench" compare "$1" "$2" --csv | "$python" -c '
import csv, sys
print(" ".join(r["row"] + "=" + r["verdict"].split()[0] for r in csv.DictReader(sys.stdin)))'
}

says() { # NAME WANTED
    seen=$(verdicts "$tmp/a.json" "$tmp/b.json")
    if [ "$seen" = "$2" ]; then ok "$1"; else not_ok "$1" "wanted '$2', got '$seen'"; fi
}

make_table "$tmp/a.json" 1 9 1:1.01 1:1.01 1:1.01 1:1.01 1:1.01
make_table "$tmp/b.json" 1 9 0.5:0.505 2:2.02 1.04:1.05 1:1.01 0.97:0.98
says faster_slower_and_the_same 'r1=faster r2=slower r3=same r4=same r5=same'
make_table "$tmp/a.json" 1 9 1:1.4 1:1.4
make_table "$tmp/b.json" 1 9 0.8:1.1 0.5:0.7
says a_difference_within_the_noise_is_none 'r1=same r2=faster'
# One row of three happened to be quiet: the noise of its file counts.
make_table "$tmp/a.json" 1 9 1:1 1:1.3 1:1.3
make_table "$tmp/b.json" 1 9 0.85:0.85 1:1.3 1:1.3
says a_row_is_as_noisy_as_its_file 'r1=same r2=same r3=same'
make_table "$tmp/a.json" 1 2 1:1
make_table "$tmp/b.json" 1 9 0.5:0.5
says too_few_rounds_tell_nothing 'r1=not'

see "$rodbench" compare "$tmp/a.json" "$tmp/b.json" --chart "$tmp/chart.svg" --out "$tmp/out-folder"
check compare_with_chart test "$status" -eq 0
check chart_is_xml "$python" -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$tmp/chart.svg"
long=$tmp/$(printf 'x%.0s' $(seq 120)).json
cp "$tmp/b.json" "$long"
see "$rodbench" compare "$tmp/a.json" "$long" --chart "$tmp/long.svg"
check a_long_name_is_cut_to_fit grep -q 'B: \.\.\.xxx.*xxx\.json<' "$tmp/long.svg"
check comparison_is_saved test -s "$tmp/out-folder/compare.csv"

refuses() { # NAME WORD ARGUMENT...
    name=$1 word=$2
    shift 2
    refuses_to "$name" "$word" "$rodbench" compare "$@"
}

make_table "$tmp/new.json" 2 9 1:1
make_table "$tmp/old.json" 0 9 1:1
echo '{"schema": 1, "benchmarks": []}' >"$tmp/other.json"
echo '{"schema": 1, "table": ' >"$tmp/cut.json"
sed 's/"t"/"u"/' "$tmp/b.json" >"$tmp/table-u.json"
sed 's/"r1"/"r9"/' "$tmp/b.json" >"$tmp/rows.json"
refuses another_schema 'schema version 2; version 1' "$tmp/a.json" "$tmp/new.json"
refuses no_schema 'no schema version' "$tmp/old.json" "$tmp/a.json"
refuses not_a_table 'not a table' "$tmp/a.json" "$tmp/other.json"
refuses not_json 'not JSON: line 2' "$tmp/cut.json" "$tmp/a.json"
refuses not_there 'No such file' "$tmp/a.json" "$tmp/nowhere.json"
refuses a_folder 'directory' "$tmp/a.json" "$tmp"
refuses another_table 'two of the same' "$tmp/a.json" "$tmp/table-u.json"
refuses nothing_in_common 'no times in common' "$tmp/a.json" "$tmp/rows.json"
refuses one_file 'two files' "$tmp/a.json"
refuses no_file 'none was' --json
refuses three_files 'too many' "$tmp/a.json" "$tmp/b.json" "$tmp/a.json"
refuses chart_nowhere 'chart' "$tmp/a.json" "$tmp/b.json" --chart "$tmp/nowhere/chart.svg"
: >"$tmp/empty.json"
refuses an_empty_file 'not JSON' "$tmp/a.json" "$tmp/empty.json"

# ---------------------------------------------------------------- schema

has_schema() { # COMMAND...
    "$rodbench" "$@" | "$python" -c '
import json, sys
d = json.load(sys.stdin)
all = d if isinstance(d, list) else [d]
assert all and {x["schema"] for x in all} == {1}'
}

check info_has_a_schema has_schema info --json
check list_has_a_schema has_schema list --json
check run_has_a_schema has_schema run helix --frames 1 --json
check verify_has_a_schema has_schema verify --method pbd --isa scalar --tens 1 --json
check tables_have_a_schema has_schema table variants --rods 8 --rounds 1 --json
see "$rodbench" table scaling --rods 100 --rounds 5 --out "$tmp/scaling"
check a_table_of_rodbench_is_accepted "$rodbench" compare "$tmp/scaling/scaling.json" "$tmp/scaling/scaling.json"

end
