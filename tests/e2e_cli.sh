#!/bin/sh
# The rodbench command as people and scripts use it: what it accepts, prints and returns.
# shellcheck disable=SC2317 # functions that only `check` calls
set -u
# shellcheck source=tests/e2e.sh
. "$(dirname "$0")/e2e.sh"

rodbench=$build/rodbench
python=/usr/bin/python3

# ---------------------------------------------------------------- ways to look at a run

# Exit status 0, something on stdout, nothing on stderr, and nothing that only a terminal wants.
succeeds() { # NAME ARGUMENT...
    name=$1
    shift
    see "$rodbench" "$@"
    if [ "$status" -ne 0 ]; then
        why='wanted exit status 0'
    elif [ ! -s "$tmp/out" ]; then
        why='wanted something on stdout'
    elif [ -s "$tmp/err" ]; then
        why='wanted nothing on stderr'
    elif [ "$(tr -d '\r\b\033' <"$tmp/out" | wc -c)" -ne "$(wc -c <"$tmp/out")" ]; then
        why='carriage returns, backspaces or escapes in a pipe'
    else
        ok "$name"
        return 0
    fi
    not_ok "$name" "rodbench $*: $why"
    show_seen
    return 1
}

# Exit status 2, nothing on stdout, one line on stderr that has each of the words.
refuses() { # NAME 'WORD...' ARGUMENT...
    name=$1 words=$2
    shift 2
    see "$rodbench" "$@"
    why=
    if [ "$status" -ne 2 ]; then
        why='wanted exit status 2'
    elif [ -s "$tmp/out" ]; then
        why='wanted nothing on stdout'
    elif [ "$(wc -l <"$tmp/err")" -ne 1 ] || [ -n "$(tail -n +2 "$tmp/err")" ]; then
        why='wanted exactly one line on stderr'
    else
        for word in $words; do
            grep -qF -e "$word" "$tmp/err" || why="wanted '$word' in the message"
        done
    fi
    if [ -z "$why" ]; then
        ok "$name"
    else
        not_ok "$name" "rodbench $*: $why"
        show_seen
    fi
}

# Evaluates a Python expression of the document d, which must be one whole JSON value.
in_json() { # FILE EXPRESSION
    "$python" - "$1" "$2" <<'END'
import json
import math
import sys


def is_count(x):
    return type(x) is int and x >= 0


def is_number(x):
    return type(x) in (int, float) and math.isfinite(x)


def variants(d):
    return d if isinstance(d, list) else d["variants"]


with open(sys.argv[1]) as file:
    text = file.read()
# NaN and Infinity are Python's own idea
d = json.loads(text, parse_constant=lambda name: sys.exit("not JSON: " + name))
if not eval("(" + sys.argv[2] + ")"):
    print(text[:2000])
    sys.exit("does not hold: " + sys.argv[2])
END
}

# The value of an expression, as text.
of_json() { # FILE EXPRESSION
    "$python" -c '
import json, sys
d = json.load(open(sys.argv[1]))
v = d if isinstance(d, list) else d.get("variants")
print(eval(sys.argv[2]))' "$1" "$2"
}

# The end state of a run; nothing when it fails.
hash_of() { # SCENE ARGUMENT...
    see "$rodbench" run "$@" --json
    if [ "$status" -eq 0 ]; then
        of_json "$tmp/out" 'd["state_hash"]'
    fi
}

same() { # NAME A B
    check "$1" test -n "$2$3" -a "$2" = "$3"
}

differ() { # NAME A B
    check "$1" test -n "$2" -a -n "$3" -a "$2" != "$3"
}

# ---------------------------------------------------------------- help

succeeds help_option --help
cp "$tmp/out" "$tmp/help"
succeeds help_command help
check help_is_one_text cmp "$tmp/help" "$tmp/out"
for command in info list run verify bench tune table sweep; do
    check "help_names_$command" grep -qw "$command" "$tmp/help"
    succeeds "${command}_help" "$command" --help
    check "${command}_help_says_usage" grep -q "rodbench $command" "$tmp/out"
done
succeeds run_help_after_scene run cantilever --help
for option in method order variant rods elements iterations frames length dt rigid-damping \
    stiffness-per-frame threads seed json dump; do
    check "run_help_names_$option" grep -qe "--$option" "$tmp/out"
done
for scene in scene1 scene2 scene3 pber30 slinky hair200 cantilever helix random hair; do
    check "run_help_names_$scene" grep -qw "$scene" "$tmp/out"
done
if succeeds version --version; then
    number=$(sed -n 's/^#define ROD_VERSION "\(.*\)"$/\1/p' "$root/soa/rod.h")
    check version_is_the_header_s grep -qF "$number" "$tmp/out"
    check version_is_one_line test "$(wc -l <"$tmp/out")" -eq 1
fi

# ---------------------------------------------------------------- wrong usage

refuses no_command 'info list run verify bench tune table sweep'
refuses empty_command 'info list run verify bench tune table sweep' ''
refuses unknown_command 'swim info list run verify bench tune table sweep' swim
refuses unknown_global_option '--swim' --swim

refuses no_scene 'cantilever helix random hair' run
refuses unknown_scene 'moon cantilever helix random hair' run moon
refuses empty_scene 'cantilever helix random hair' run ''
refuses scene_of_two_lines 'cantilever helix random hair' run "$(printf 'two\nlines')"
refuses unknown_method 'fem quaternion' run cantilever --method fem
refuses unknown_order 'spiral sequential bilateral cross redblack' run cantilever --order spiral
refuses unknown_variant 'mmx' run cantilever --variant mmx
refuses unknown_run_option '--swim' run cantilever --swim
refuses option_in_place_of_a_value '--dump' run cantilever --dump --json
refuses stray_argument_of_help 'swim' help swim
refuses stray_argument_of_version 'swim' --version swim
refuses table_larger_than_memory '--rods' table variants --rods 1000000
refuses stray_run_argument 'helix' run cantilever helix

for value in 0 -1 abc 1.5 99999999999999999999 '' ' 5' +5 5x; do
    refuses "iterations_[$value]" '--iterations' run cantilever --iterations "$value"
done
for value in 0 -1 nan inf 1e-60 1e60 abc '' 0.01s; do
    refuses "dt_[$value]" '--dt' run cantilever --dt "$value"
done
refuses rods_0 '--rods' run cantilever --rods 0
refuses rods_-1 '--rods' run cantilever --rods -1
refuses elements_0 '--elements' run cantilever --elements 0
refuses threads_0 '--threads' run cantilever --threads 0
refuses threads_1025 'threads 1024' run cantilever --threads 1025
refuses threads_huge 'threads 1024' run cantilever --threads 18446744073709551615
refuses frames_-1 '--frames' run cantilever --frames -1
refuses seed_abc '--seed' run random --seed abc
refuses seed_-1 '--seed' run random --seed -1
refuses seed_too_large '--seed' run random --seed 18446744073709551616
refuses verify_seed_abc '--seed' verify --seed abc
refuses verify_seed_missing '--seed' verify --seed

# What was wrong must be said, and how is the program's choice.
refuses rods_all_of_size_t '' run cantilever --rods 18446744073709551615
refuses elements_all_of_size_t '' run cantilever --elements 18446744073709551615
# Times the size of a sample, 8 bytes, this is 8 in size_t.
refuses frames_that_overflow '' run cantilever --frames 2305843009213693953
refuses beyond_address_space '' run cantilever --rods 1000000000000 --elements 1000000

for option in method order variant rods elements iterations frames dt threads seed dump; do
    refuses "missing_value_of_$option" "--$option" run cantilever "--$option"
done

refuses list_with_rods '--rods' list --rods 3
refuses info_with_seed '--seed' info --seed 3
refuses verify_with_dump '--dump' verify --dump "$tmp/never"
refuses run_with_benchmark_filter '--benchmark_filter' run cantilever --benchmark_filter=x
refuses bench_with_rods '--rods' bench --rods 3
refuses table_with_dump '--dump' table variants --dump "$tmp/never"
for command in list info verify bench; do
    refuses "stray_argument_of_$command" 'stray' "$command" stray
done
refuses stray_argument_of_table 'stray' table variants stray
refuses no_table 'variants' table
refuses unknown_table 'periodic variants table1' table periodic
refuses table_with_two_forms '--json --csv' table table1 --json --csv
refuses table_into_a_file '--out' table table1 --out "$0"
# before anything is measured, which would take longer than these may
refuses table_into_no_folder '--out No such' table table1 --rounds 1000 --out "$tmp/none/deeper"
refuses sweep_into_no_folder '--out No such' sweep scene1 --out "$tmp/none/deeper"
refuses table_into_no_name '--out' table table1 --rounds 1000 --out ''
refuses limits_in_too_many_memories '65 64' table limits --rounds 65
refuses scaling_in_too_many_memories '65 64' table scaling --rounds 65
refuses table1_with_rods '--rods table1' table table1 --rods 3
refuses pber30_with_a_method '--method pber30' table pber30 --method pbd
refuses rigid_damping_2 '--rigid-damping 0 1' run scene1 --method pbd --rigid-damping 2
refuses rigid_damping_nan '--rigid-damping 0 1' run scene1 --method pbd --rigid-damping nan
refuses rigid_damping_of_rods '--rigid-damping pbd' run scene1 --rigid-damping 0.1
refuses table_of_no_method 'xpbd quaternion pber pbd' table variants --method xpbd
refuses no_sweep 'scene1 scene2 scene3' sweep
refuses sweep_length_0 '--length' sweep scene1 --length 0
refuses unknown_sweep 'hair scene1 scene2 scene3' sweep hair
refuses sweep_of_fewer_iterations_than_the_paper '--most 10 80' sweep scene1 --most 10
refuses verify_of_no_method 'xpbd quaternion pber pbd' verify --method xpbd
refuses verify_of_no_isa 'mmx avx2' verify --isa mmx
refuses run_of_no_method 'xpbd quaternion pber pbd' run scene1 --method xpbd
refuses variant_of_another_method 'pbd-scalar-u1-exact' \
    run scene1 --method pber --variant pbd-scalar-u1-exact
refuses run_length_0 '--length' run scene1 --length 0

refuses bench_nothing_matches 'nothing_matches' bench --benchmark_filter=nothing_matches
refuses bench_nonsense '--nonsense' bench --nonsense
refuses bench_unknown_flag '--benchmark_nonsense' bench --benchmark_nonsense=1

# ---------------------------------------------------------------- list

if succeeds list list; then
    cp "$tmp/out" "$tmp/list"
fi
if succeeds list_json list --json; then
    cp "$tmp/out" "$tmp/list.json"
    check list_members in_json "$tmp/list.json" '
        all(type(v[key]) is str and v[key] for v in variants(d) for key in ("name", "isa"))'
    check list_booleans in_json "$tmp/list.json" '
        all(type(v[key]) is bool for v in variants(d)
            for key in ("native", "usable", "verified", "chosen"))'
    check list_names_are_unique in_json "$tmp/list.json" '
        len({v["name"] for v in variants(d)}) == len(variants(d)) > 0'
    check list_each_method_has_a_chosen_one in_json "$tmp/list.json" '
        {v["method"] for v in variants(d) if v["chosen"]} == {"pbd", "pber", "quaternion"}'
    check list_every_class_is_chosen_for_once in_json "$tmp/list.json" '
        sorted((v["method"], c["shape"], c["order"], c["accuracy"])
               for v in variants(d) for c in v["chosen_for"]) == sorted(
            (m, s, o, a) for m in ("pbd", "pber", "quaternion")
            for s in ("one rod", "small batch", "large batch")
            for o in ("sequential", "bilateral", "cross", "redblack")
            for a in ("full", "bare", "exact"))'
    check list_choices_have_reasons in_json "$tmp/list.json" '
        all(c["reason"] for v in variants(d) for c in v["chosen_for"])'
    check list_chosen_are_native_and_verified in_json "$tmp/list.json" '
        all(v["usable"] and v["verified"] and v["native"] for v in variants(d) if v["chosen"])'
    check list_verified_are_usable in_json "$tmp/list.json" '
        all(v["usable"] for v in variants(d) if v["verified"])'
    of_json "$tmp/list.json" '"\n".join(w["name"] for w in v)' >"$tmp/names"
    of_json "$tmp/list.json" '"\n".join(w["name"] for w in v if w["usable"])' >"$tmp/usable"
    of_json "$tmp/list.json" '"\n".join(w["name"] for w in v if not w["usable"])' >"$tmp/unusable"
    of_json "$tmp/list.json" '"\n".join(w["name"] for w in v
        if w["method"] == "quaternion" and any(c["shape"] == "small batch" and
            c["order"] == "bilateral" and c["accuracy"] == "full" for c in w["chosen_for"]))' \
        >"$tmp/chosen"
fi

# Every name of a file is a whole word of a text.
has_words() { # NAMES TEXT
    tr -s ' \t:*' '\n' <"$2" >"$tmp/words"
    missing=$(grep -vxF -f "$tmp/words" "$1")
    echo "not found: $missing"
    [ -s "$1" ] && [ -z "$missing" ]
}

check list_has_a_line_per_variant has_words "$tmp/names" "$tmp/list"

# ---------------------------------------------------------------- forced variants

small_run='run hair --rods 3 --elements 4 --frames 1'
# shellcheck disable=SC2086 # split into words
see env ROD_KERNEL=nonsense "$rodbench" $small_run
check nonsense_in_rod_kernel_is_wrong_input test "$status" -eq 2
check nonsense_in_rod_kernel_is_one_line test "$(wc -l <"$tmp/err")" -eq 1
check nonsense_in_rod_kernel_names_what_is_accepted \
    grep -q "nonsense.*accepted.* quaternion-scalar-u1-exact" "$tmp/err"
for command in verify list 'table variants' bench 'sweep scene1'; do
    # shellcheck disable=SC2086
    see env ROD_KERNEL=nonsense "$rodbench" $command
    check "nonsense_in_rod_kernel_stops_[$command]" test "$status" -eq 2
done
# shellcheck disable=SC2086
see env ROD_KERNEL=pbd=pbd-scalar-u1-exact,quaternion=quaternion-scalar-u1-exact ROD_EXPLAIN=1 \
    "$rodbench" $small_run --json
check rod_kernel_forces_a_variant in_json "$tmp/out" 'd["variant"] == "quaternion-scalar-u1-exact"'
check rod_explain_says_why_on_stderr grep -q 'quaternion-scalar-u1-exact.*ROD_KERNEL' "$tmp/err"
# shellcheck disable=SC2086
see env ROD_KERNEL=nonsense "$rodbench" $small_run --variant quaternion-scalar-u2-exact
check a_named_variant_wins_over_rod_kernel test "$status" -eq 0
# shellcheck disable=SC2086
see env ROD_EXPLAIN=0 "$rodbench" $small_run
check rod_explain_0_says_nothing test ! -s "$tmp/err"

unusable=$(head -n 1 "$tmp/unusable")
if [ -n "$unusable" ]; then
    refuses variant_this_cpu_lacks "$unusable" run cantilever --variant "$unusable"
else
    skip variant_this_cpu_lacks 'this CPU runs every variant'
fi

# ---------------------------------------------------------------- info

succeeds info info
if succeeds info_json info --json; then
    check info_has_a_peak_of_each_usable_isa in_json "$tmp/out" '
        all(i["vector_fma_per_second"] > 0 for i in d["isas"] if i["usable"])'
    check info_has_the_roofline_of_each_method in_json "$tmp/out" '
        {b["method"] for b in d["bodies"]} == {"quaternion", "pber", "pbd"}
        and all(b["operations"] > 0 and b["bytes"] > 0 and 0 < b["bound_percent"] < 150
                and abs(b["bound_percent"] - 100 * b["bound_ns"] / b["ns"]) < 1
                for b in d["bodies"])'
fi

# ---------------------------------------------------------------- run

small='--rods 3 --elements 7 --iterations 4 --frames 5'

for scene in scene1 scene2 scene3 pber30 slinky hair200 cantilever helix random hair; do
    # shellcheck disable=SC2086 # split into words, here and below
    succeeds "run_$scene" run $scene $small
done

# shellcheck disable=SC2086
if succeeds run_json run helix $small --threads 1 --order cross --method quaternion --json; then
    cp "$tmp/out" "$tmp/run.json"
    check run_json_echoes in_json "$tmp/run.json" '
        [d[key] for key in ("scene", "method", "order", "rods", "elements", "iterations",
                            "frames", "threads")]
        == ["helix", "quaternion", "cross", 3, 7, 4, 5, 1]'
    check run_json_counts in_json "$tmp/run.json" '
        all(is_count(d[key]) for key in ("rods", "elements", "iterations", "frames", "threads"))'
    check run_json_times in_json "$tmp/run.json" '
        is_number(d["ns_per_element_iteration"]) and d["ns_per_element_iteration"] > 0
        and 0 < d["ns_per_frame_min"] <= d["ns_per_frame_median"]'
    check run_json_metrics in_json "$tmp/run.json" '
        type(d["metrics"]) is dict and len(d["metrics"]) > 0'
    check run_json_hash in_json "$tmp/run.json" 'type(d["state_hash"]) is str and d["state_hash"]'
fi

# shellcheck disable=SC2086
for order in sequential bilateral cross redblack; do
    if succeeds "run_order_$order" run cantilever $small --order $order --json; then
        check "run_order_${order}_is_used" in_json "$tmp/out" "d['order'] == '$order'"
    fi
done

# All of them, because each is its own code; scenes of one rod leave lanes idle.
# shellcheck disable=SC2086
for method in quaternion pber pbd; do
    if succeeds "run_scene1_$method" run scene1 --method $method --frames 20 --json; then
        check "run_says_$method" in_json "$tmp/out" "d['method'] == '$method'"
    fi
done
if succeeds run_pber_order run scene2 --method pber --frames 2 --json; then
    check pber_runs_in_cross_order in_json "$tmp/out" 'd["order"] == "cross"'
    check pber_runs_the_paper_s_iterations in_json "$tmp/out" 'd["iterations"] == 18'
fi
if succeeds run_scene3 run scene3 --iterations 30 --json; then
    check a_twisted_rod_loops in_json "$tmp/out" '
        d["metrics"]["looped"] == 1 and abs(d["metrics"]["writhe"]) > 0.5
        and d["frames"] < 1050 and d["metrics"]["out_of_plane"] > 0.05'
fi
if succeeds run_scene3_pbd run scene3 --method pbd --iterations 10 --json; then
    check a_strand_does_not_loop in_json "$tmp/out" '
        d["metrics"]["looped"] == 0 and d["metrics"]["loop_turn"] is None
        and d["metrics"]["out_of_plane"] < 1e-4'
fi
see "$rodbench" run scene1 --method pbd --frames 2 --dump "$tmp/strand.csv"
check a_strand_is_dumped test "$(grep -c ',p,' "$tmp/strand.csv")" -eq 51
check a_strand_has_no_orientations test "$(grep -c ',q,' "$tmp/strand.csv")" -eq 0

while IFS= read -r variant; do
    see "$rodbench" run hair --rods 19 --elements 5 --iterations 2 --frames 3 \
        --variant "$variant" --json
    check "run_variant_$variant" in_json "$tmp/out" "d['variant'] == '$variant'"
done <"$tmp/usable"

hair='hair --rods 70 --elements 9 --iterations 3 --frames 10'
# shellcheck disable=SC2086
{
    first=$(hash_of $hair)
    # More rods than any variant has lanes; for fewer, a narrower one may be better.
    check run_uses_the_chosen_variant in_json "$tmp/out" "d['variant'] == '$(cat "$tmp/chosen")'"
    same repeats_to_the_bit "$first" "$(hash_of $hair)"
    same threads_do_not_matter "$(hash_of $hair --threads 1)" "$(hash_of $hair --threads 2)"
    same threads_beyond_the_work "$first" "$(hash_of $hair --threads 64)"
    differ frames_matter "$first" "$(hash_of $hair --frames 11)"
    differ dt_matters "$first" "$(hash_of $hair --dt 0.005)"
    differ rigid_damping_matters "$(hash_of $hair --method pbd)" \
        "$(hash_of $hair --method pbd --rigid-damping 0.1)"
    differ stiffness_per_frame_matters "$(hash_of slinky --frames 5)" \
        "$(hash_of slinky --frames 5 --stiffness-per-frame)"
    differ seed_matters "$(hash_of random $small --seed 1)" "$(hash_of random $small --seed 2)"
    same seed_repeats "$(hash_of random $small --seed 1)" "$(hash_of random $small --seed 1)"
    same largest_seed "$(hash_of random $small --seed 18446744073709551615)" \
        "$(hash_of random $small --seed 18446744073709551615)"
}

if succeeds run_random_json run random --rods 4 --elements 20 --frames 40 --json; then
    check run_random_recovers in_json "$tmp/out" '
        is_count(d["metrics"]["recovered"]) and d["metrics"]["recovered"] <= 4
        and "median_frames" in d["metrics"]'
fi
# The paper's claim (fig. 6): a rod finds back to its rest shape from any pose.
if succeeds run_random_long run random --rods 8 --frames 1000 --json; then
    check run_random_all_recover in_json "$tmp/out" '
        d["metrics"]["recovered"] == 8 and 0 < d["metrics"]["median_frames"] <= 1000'
fi

# ---------------------------------------------------------------- dump

check_dump() { # FILE RODS ELEMENTS
    "$python" - "$@" <<'END'
import math
import sys

rods, elements = int(sys.argv[2]), int(sys.argv[3])
with open(sys.argv[1], newline="") as file:
    text = file.read()
assert text.endswith("\n") and "\r" not in text, "lines end in a newline"
header, *lines = text[:-1].split("\n")
assert header == "rod,index,kind,x,y,z,w", header
seen = set()
for line in lines:
    rod, index, kind, *numbers = line.split(",")
    assert kind in ("p", "q") and len(numbers) == 4, line
    if kind == "p":
        assert numbers.pop() == "", line
    values = [float(number) for number in numbers]
    assert all(math.isfinite(value) for value in values), line
    assert kind == "p" or abs(math.hypot(*values) - 1) < 1e-3, line
    seen.add((kind, int(rod), int(index)))
assert len(seen) == len(lines), "a row is there twice"
wanted = {("p", r, i) for r in range(rods) for i in range(elements + 1)}
wanted |= {("q", r, i) for r in range(rods) for i in range(elements)}
assert seen == wanted, sorted(seen ^ wanted)[:10]
END
}

# shellcheck disable=SC2086
if succeeds dump run hair $small --threads 1 --dump "$tmp/dump.csv"; then
    check dump_rows check_dump "$tmp/dump.csv" 3 7
    cp "$tmp/dump.csv" "$tmp/good.csv"
    succeeds dump_again run hair $small --threads 2 --dump "$tmp/dump.csv"
    check dump_does_not_depend_on_threads cmp "$tmp/dump.csv" "$tmp/good.csv"
    succeeds dump_with_json run hair $small --dump "$tmp/dump.csv" --json
    check dump_leaves_json_alone in_json "$tmp/out" 'd["scene"] == "hair"'
    refuses dump_failing_run 'spiral' run hair $small --dump "$tmp/dump.csv" --order spiral
    check dump_keeps_file_when_usage_is_wrong cmp "$tmp/dump.csv" "$tmp/good.csv"
    refuses dump_too_large '' run hair --rods 18446744073709551615 --dump "$tmp/dump.csv"
    check dump_keeps_file_when_batch_is_too_large cmp "$tmp/dump.csv" "$tmp/good.csv"
fi
# shellcheck disable=SC2086
{
    refuses dump_into_no_directory "$tmp/none/dump.csv" run hair $small \
        --dump "$tmp/none/dump.csv"
    mkdir "$tmp/directory"
    refuses dump_onto_directory "$tmp/directory" run hair $small --dump "$tmp/directory"
    refuses dump_empty_name '--dump' run hair $small --dump ''
}
# A path need not be a plain file: it may be a link, a pipe, or /dev/null, and must stay what it is.
# shellcheck disable=SC2086
{
    : >"$tmp/target.csv"
    ln -s target.csv "$tmp/link.csv"
    succeeds dump_through_link run hair $small --dump "$tmp/link.csv"
    check dump_keeps_link test -L "$tmp/link.csv"
    check dump_reaches_target check_dump "$tmp/target.csv" 3 7
    mkfifo "$tmp/pipe"
    timeout 10 cat "$tmp/pipe" >"$tmp/piped.csv" &
    succeeds dump_into_pipe run hair $small --dump "$tmp/pipe"
    wait $!
    check dump_keeps_pipe test -p "$tmp/pipe"
    check dump_reaches_reader check_dump "$tmp/piped.csv" 3 7
}

# A full disk. Through a link, because a program that replaces the file would replace the device.
if [ -e /dev/full ]; then
    ln -s /dev/full "$tmp/full"
    # shellcheck disable=SC2086
    see "$rodbench" run hair $small --dump "$tmp/full"
    if [ -L "$tmp/full" ]; then
        check dump_onto_full_disk_is_an_error test "$status" -eq 2
    fi
    for command in --help info 'list --json' 'run hair --rods 1 --frames 1 --json'; do
        # shellcheck disable=SC2086
        check "output_onto_full_disk_is_an_error_[$command]" \
            sh -c '! "$@" >/dev/full' sh "$rodbench" $command
    done
fi
mkdir "$tmp/clean"
(cd "$tmp/clean" && "$rodbench" run hair --rods 1 --frames 1 --dump ./d.csv >/dev/null 2>&1)
check dump_leaves_no_other_file test "$(ls -A "$tmp/clean")" = d.csv

# ---------------------------------------------------------------- verify

if succeeds verify verify; then
    check verify_has_a_line_per_usable_variant has_words "$tmp/usable" "$tmp/out"
    check verify_says_the_seed grep -qiE 'seed[ :=]+[0-9]+' "$tmp/out"
fi
if succeeds verify_seed verify --seed 7 --method pbd --isa scalar; then
    check verify_says_seed_7 grep -qiE 'seed[ :=]+7([^0-9]|$)' "$tmp/out"
fi

# ---------------------------------------------------------------- a rod that leaves the numbers

see "$rodbench" run cantilever --dt 1e30 --frames 5
check broken_rods_are_exit_code_1 test "$status" -eq 1
check broken_rods_are_named grep -q 'no longer finite' "$tmp/out"

# ---------------------------------------------------------------- bench and table

filter=scalar-u1
if grep -q 'avx2-u2-newton' "$tmp/usable"; then
    filter=avx2-u2-newton
fi
# Its context goes to stderr, as Google Benchmark's users know it.
see "$rodbench" bench --benchmark_filter=$filter --benchmark_min_time=0.01 --benchmark_format=json
if [ "$status" -eq 0 ]; then
    ok bench_json
    check bench_ran_what_matches in_json "$tmp/out" "
        d['benchmarks'] and all('$filter' in b['name'] for b in d['benchmarks'])"
    check bench_counters in_json "$tmp/out" '
        all(is_number(b[key]) and b[key] > 0 for b in d["benchmarks"]
            for key in ("elem_iter/s", "fma_bound_%", "ops/elem_iter", "bytes/elem_iter"))'
    check bench_names_the_peaks in_json "$tmp/out" '
        any(key.endswith("_vector_fma_per_second") for key in d["context"])'
    check bench_has_no_errors in_json "$tmp/out" '
        not any(b.get("error_occurred") for b in d["benchmarks"])'
    check bench_does_not_mislead sh -c '! grep -q "built as DEBUG" "$@"' sh "$tmp/out" "$tmp/err"
else
    not_ok bench_json 'wanted exit status 0'
    show_seen
fi

for method in quaternion pber pbd; do
    grep "^$method-" "$tmp/usable" >"$tmp/of_method"
    if succeeds "table_variants_$method" table variants --method $method --rods 32 --rounds 1; then
        check "table_has_a_line_per_usable_variant_of_$method" \
            has_words "$tmp/of_method" "$tmp/out"
    fi
done

end
