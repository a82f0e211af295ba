#!/bin/sh
# scripts/report: whole, broken off and resumed, without what it needs. A stand-in for rodbench hands out the data of a
# committed report, so that nothing is measured here.
# shellcheck disable=SC2317 # functions that only `check` calls
set -u
# shellcheck source=tests/e2e.sh
. "$(dirname "$0")/e2e.sh"

report=$root/scripts/report
python=/usr/bin/python3

data=
for folder in "$root"/reports/*/*/; do
    if [ -f "$folder/report.html" ] && [ -f "$folder/variants-pbd.json" ]; then
        data=${folder%/}
    fi
done
if [ -z "$data" ]; then
    skip report_is_made 'no full report is committed'
    end
fi

# FAKE_STOP names a step that never ends, FAKE_FAIL one that fails.
mkdir "$tmp/bin"
cat >"$tmp/bin/rodbench" <<END
#!/bin/sh
out= file=
all="\$*"
case \$all in
"\${FAKE_STOP:-none}"*) exec sleep 5 ;;
"\${FAKE_FAIL:-none}"*) echo 'rodbench table: no space left' >&2; exit 2 ;;
esac
command=\$1 name=\${2:-}
while [ \$# -gt 0 ]; do
    case \$1 in
    --out) out=\$2 ;;
    -o) file=\$2 ;;
    --method) name=\$name-\$2 ;;
    esac
    shift
done
case \$command in
info) cat '$data/machine.json' ;;
verify) cat '$data/verify.json' ;;
run) cat '$data/random.json' ;;
render) cp "$data/\${file##*/}" "\$file" ;;
sweep) cp '$data'/sweep-"\$name"*.* "\$out" ;;
table) for part in '' -ratios -variants; do
           for form in json md csv; do
               if [ -f "$data/\$name\$part.\$form" ]; then cp "$data/\$name\$part.\$form" "\$out"; fi
           done
       done ;;
--help) echo ;;
esac
END
chmod +x "$tmp/bin/rodbench"

# hyperfine is left out but where it is asked for: it takes its time.
quietly=$tmp/path
mkdir "$quietly"
for tool in sh cat cp sleep; do
    ln -s "$(command -v $tool)" "$quietly/$tool"
done

make_report() { # FOLDER OPTION...
    folder=$1
    shift
    see env PATH="$quietly" "$python" "$report" --rodbench "$tmp/bin/rodbench" --reports "$folder" "$@"
}

page_of() { # FOLDER
    find "$1" -name report.html -not -path '*/.*'
}

# Every file of a report but the page itself, which has the times of its steps.
digest() { # FOLDER
    (cd "$1" && find . -type f -not -path '*/.*' | sort | xargs cksum)
}

# ---------------------------------------------------------------- whole

make_report "$tmp/reports"
check report_is_made test "$status" -eq 0
page=$(page_of "$tmp/reports")
check page_is_there test -s "$page"
made=$(dirname "$page")
check table_1_is_printed grep -q '^scene3 PBD strand' "$tmp/out"
check where_the_page_is_is_said grep -q 'report.html' "$tmp/out"
check progress_is_shown grep -q '^\[ 3/' "$tmp/out"
check nothing_is_left_beside_it test "$(find "$tmp/reports" -maxdepth 2 -name '.*' | wc -l)" -eq 0
check missing_hyperfine_is_said grep -q 'left out: hyperfine' "$tmp/out"
check missing_hyperfine_is_on_the_page grep -q 'Left out: hyperfine' "$page"
check charts_are_files test "$(find "$made" -name 'chart-*.svg' | wc -l)" -ge 12
check charts_have_colours_that_not_only_browsers_know test -z "$(grep -l 'var(' "$made"/chart-*.svg)"
check markdown_has_the_charts grep -q 'chart-waterfall.svg' "$made/report.md"

holds() { # NAME PYTHON, of `page`, `published` and `data`
    check "$1" "$python" -c '
import csv, json, pathlib, re, sys
made, root = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
page = (made / "report.html").read_text()
published = {r["key"]: r for r in csv.DictReader(open(root / "reports" / "published.csv"))}
shown = re.findall(r"class=\"published\" data-key=\"([^\"]*)\"[^>]*>([^<]*)<", page)
'"$2" "$made" "$root"
}

holds published_numbers_come_from_the_file '
assert len(shown) >= 15
for key, value in shown:
    assert value == published[key]["value"], (key, value)'
holds every_number_of_table_1_is_published '
keys = {key for key, _ in shown}
assert all(f"ks16-scene{s}-{m}" in keys for s in (1, 2, 3) for m in ("quaternion", "pber", "pbd"))'
holds measured_tables_have_the_published_numbers_of_the_file '
for r in json.load(open(made / "table1.json"))["rows"]:
    assert r["paper_ms"] == float(published["ks16-%s-%s" % (r["scene"], r["method"])]["value"]), r'
holds sections_come_in_order '
ids = re.findall(r"<section id=\"([a-z0-9]+)\"", page)
assert ids == ["machine", "table1", "waterfall", "sweeps", "variants", "scaling", "accuracy", "published", "processes",
               "verification", "reproduce"], ids'
holds page_needs_nothing_else '
assert not re.search(r"(src|href)=\"(?!#|data:)", page), re.search(r"(src|href)=\"(?!#|data:).*", page).group(0)[:80]'
holds page_is_small 'assert len(page.encode()) < 1 << 20, len(page.encode())'
holds page_has_no_holes '
for hole in ("{{", "}}", "NaN", ">None<", "nan ", "{paper}"):
    assert hole not in page.split("<script>")[0], hole'

# ---------------------------------------------------------------- broken off

digest "$made" >"$tmp/before"
FAKE_STOP='table limits' PATH="$quietly" "$python" "$report" --rodbench "$tmp/bin/rodbench" --reports "$tmp/reports" \
    >"$tmp/broken" 2>&1 &
running=$!
tries=0
while ! grep -q limits "$tmp/broken" && [ $tries -lt 100 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
kill -9 $running
wait $running 2>/dev/null
digest "$made" >"$tmp/after"
check killed_it_leaves_the_report_before cmp "$tmp/before" "$tmp/after"
make_report "$tmp/reports"
check resumed_it_ends_well test "$status" -eq 0
check what_was_measured_is_kept grep -q 'table1 ... kept' "$tmp/out"
check what_was_not_is_measured grep -q 'limits ... [0-9.]* s' "$tmp/out"
check one_report_is_there test "$(page_of "$tmp/reports" | wc -l)" -eq 1

FAKE_FAIL='table slinky' make_report "$tmp/reports"
check a_step_that_fails_is_wrong_input test "$status" -eq 2
check a_step_that_fails_is_one_line test "$(grep -c . "$tmp/err")" -eq 1
digest "$made" >"$tmp/before"
make_report "$tmp/reports" --quick
check a_quick_report_has_its_own_folder test "$(page_of "$tmp/reports" | wc -l)" -eq 2
digest "$made" >"$tmp/after"
check a_quick_report_leaves_the_full_one cmp "$tmp/before" "$tmp/after"

# A kill between the two renames at the end: the old report waits beside its place.
mv "$made" "$(dirname "$made")/.old-$(basename "$made")"
make_report "$tmp/reports" --quick
check a_report_that_was_put_aside_comes_back test -s "$made/report.html"

# ---------------------------------------------------------------- no room

echo file >"$tmp/file"
make_report "$tmp/file"
check a_file_in_the_way_is_refused test "$status" -eq 2
check a_file_in_the_way_is_one_line test "$(grep -c . "$tmp/err")" -eq 1
status=0
(
    ulimit -f 40
    PATH="$quietly" exec "$python" "$report" --rodbench "$tmp/bin/rodbench" --reports "$tmp/full"
) >"$tmp/out" 2>"$tmp/err" || status=$?
check a_full_disk_is_refused test "$status" -eq 2
check a_full_disk_is_one_line test "$(grep -c . "$tmp/err")" -eq 1
see "$python" "$report" --rodbench "$tmp/nothing" --reports "$tmp/none"
check no_rodbench_is_refused test "$status" -eq 2
check no_rodbench_is_one_line test "$(grep -c . "$tmp/err")" -eq 1

end
