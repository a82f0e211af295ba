#!/bin/sh
# `rodbench tune` and what a build makes of its files. Nothing here asks who was fastest.
set -u
# shellcheck source=tests/e2e.sh
. "$(dirname "$0")/e2e.sh"

rodbench=$build/rodbench
cd "$root" || exit 1

# ---------------------------------------------------------------- what is refused

is_refused() { # NAME WORDS ARGUMENT...
    name=$1 words=$2
    shift 2
    see "$rodbench" tune "$@"
    if [ "$status" -eq 2 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q -- "$words" "$tmp/err"; then
        ok "$name"
    else
        not_ok "$name" "wanted exit status 2 and one line with '$words'"
        show_seen
    fi
}

is_refused tune_refuses_an_unknown_option '--nonsense' --nonsense
is_refused tune_refuses_no_time '--time' --time 0
is_refused tune_refuses_a_folder_that_is_none '/dev/null' --out /dev/null
is_refused tune_refuses_a_folder_in_none '/dev/null/x' --out /dev/null/x
is_refused tune_check_refuses_no_file 'No such file' --check "$tmp/nowhere.json"
printf '{"schema": 1,' >"$tmp/broken.json"
is_refused tune_check_refuses_a_broken_file 'broken.json.*line 1' --check "$tmp/broken.json"
if [ "$(id -u)" -ne 0 ]; then
    mkdir -m 555 "$tmp/readonly"
    is_refused tune_refuses_a_read_only_folder 'Permission denied' --out "$tmp/readonly"
fi

# ---------------------------------------------------------------- tuning, as short as it gets

see "$rodbench" tune --quick --time 0.1 --out "$tmp/tuned"
if [ "$status" -eq 0 ]; then
    ok tune
else
    not_ok tune 'wanted exit status 0'
    show_seen
fi
check tune_is_quiet_in_a_pipe test ! -s "$tmp/err"
check tune_prints_a_ranking_with_confidence grep -q '% (.* \.\. ' "$tmp/out"
check tune_ranks_every_class test "$(grep -c ' accuracy, [0-9]* variants$' "$tmp/out")" -eq 108
check tune_chooses_in_every_class test "$(grep -c '  chosen$' "$tmp/out")" -eq 108
check tune_writes_two_files_and_no_more \
    test "$(cd "$tmp/tuned" && echo *)" = 'tuned.h tuned.json'
check tune_json_names_what_it_is_for /usr/bin/python3 -c '
import json, sys
t = json.load(open(sys.argv[1]))
assert t["schema"] == 1
assert all(t[k] for k in ("cpu", "isas", "compiler", "registry", "sources"))
assert len(t["choices"]) == 108 and all(c["reason"] and c["ranking"] for c in t["choices"])
assert all(-100 < p["longer_percent_" + end] < 1e6
           for c in t["choices"] for p in c["ranking"] for end in ("low", "high"))
' "$tmp/tuned/tuned.json"
see "$rodbench" tune --check "$tmp/tuned/tuned.json"
check tune_check_accepts_its_own_file test "$status" -eq 0

# Killed in the middle, it leaves the file as it was.
cp "$tmp/tuned/tuned.json" "$tmp/before.json"
timeout -s INT 1 "$rodbench" tune --quick --out "$tmp/tuned" >/dev/null 2>&1
check interrupted_tuning_leaves_the_old_file cmp "$tmp/before.json" "$tmp/tuned/tuned.json"
check interrupted_tuning_leaves_no_other_file \
    test "$(cd "$tmp/tuned" && echo *)" = 'tuned.h tuned.json'

# ---------------------------------------------------------------- what a build makes of it

bake() {
    see "$build/bake" "$tmp/tuned/tuned.json" "$tmp/tuned/tuned.h"
}

cp "$tmp/tuned/tuned.h" "$tmp/before.h"
bake
check the_build_makes_the_same_header cmp "$tmp/before.h" "$tmp/tuned/tuned.h"
check a_file_that_holds_is_baked_in_silently test ! -s "$tmp/err"

# A library with these choices says so, and one for another CPU falls back and says why.
# shellcheck disable=SC2317 # called by check
library_with() { # HEADER_FOLDER
    ${CC:-gcc} -std=c17 -O2 -fPIC -fopenmp -Isoa -Ikernels -I"$1" -c kernels/tuned.c \
        -o "$tmp/tuned.o" &&
        cp "$build/librod.a" "$tmp/librod.a" && ar r "$tmp/librod.a" "$tmp/tuned.o" &&
        ${CC:-gcc} -Isoa "$tmp/client.c" "$tmp/librod.a" -fopenmp -lm -o "$tmp/client"
}

awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' README.md >"$tmp/client.c"
check a_library_takes_the_header library_with "$tmp/tuned"
see env ROD_EXPLAIN=1 "$tmp/client"
check the_library_uses_the_choices grep -q 'tuned on this CPU' "$tmp/err"

spoil() { # KEY: another value in both files
    sed "s/\"$1\": \"[^\"]*\"/\"$1\": \"something else\"/" "$tmp/before.json" >"$tmp/tuned/tuned.json"
}

mkdir "$tmp/foreign"
sed 's/\(ROD_TUNED_CPU\) .*/\1 "something else"/' "$tmp/before.h" >"$tmp/foreign/tuned.h"
check a_library_takes_a_foreign_header library_with "$tmp/foreign"
see env ROD_EXPLAIN=1 "$tmp/client"
check elsewhere_the_library_falls_back test "$status" -eq 0
check elsewhere_the_library_says_why grep -q 'default.*not used.*another CPU: something else' "$tmp/err"

for key in cpu isas compiler registry sources; do
    spoil $key
    bake
    check "the_build_goes_on_without_another_$key" test "$status" -eq 0
    check "the_build_says_why_not_with_another_$key" \
        grep -q 'tuned.json is not used.*something else.*make tune' "$tmp/err"
    check "it_is_one_line_with_another_$key" test "$(wc -l <"$tmp/err")" -eq 1
    check "nothing_is_baked_in_with_another_$key" \
        test "$(grep -c ROD_TUNED_CHOICES "$tmp/tuned/tuned.h")" -eq 0
    see "$rodbench" tune --check "$tmp/tuned/tuned.json"
    check "tune_check_refuses_another_$key" test "$status" -eq 1
    check "tune_check_says_why_not_with_another_$key" grep -q 'something else.*make tune' "$tmp/err"
done
echo '{' >"$tmp/tuned/tuned.json"
bake
check a_broken_file_does_not_stop_the_build test "$status" -eq 0
check a_broken_file_is_named grep -q 'is not used.*JSON' "$tmp/err"
rm "$tmp/tuned/tuned.json"
cp "$tmp/before.h" "$tmp/tuned/tuned.h"
bake
check a_header_without_its_file_is_not_used \
    test "$(grep -c ROD_TUNED_CHOICES "$tmp/tuned/tuned.h")" -eq 0
check a_header_without_its_file_is_named grep -q 'tuned.h is not used' "$tmp/err"

end
