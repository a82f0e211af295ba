#!/bin/sh
# scripts/check-goals.py on made-up measurements: what is met, missed, not here, and what is refused.
set -u
# shellcheck source=tests/e2e.sh
. "$(dirname "$0")/e2e.sh"

goals=$root/scripts/check-goals.py

# KEY OF_BOUND TIMES US for each row; a workload that this CPU cannot run has nulls.
make_limits() { # BOUND_OF_THE_FIRST
    printf '{"cpu": "c", "compiler": "g", "commit": "1", "rows": ['
    comma=
    for key in batch-avx512 batch-avx2 rods-10000 strands-47000 strands-200 one-redblack-2 \
        one-redblack-10 one-redblack-80 one-bilateral-10 long-redblack long-exact pber-avx512 \
        general-avx512 threads-2; do
        bound=99
        [ "$key" = batch-avx512 ] && bound=$1
        [ "$key" = pber-avx512 ] && bound=null
        printf '%s{"key": "%s", "workload": "w", "variant": "v", "min_us": 10, "times": 99, ' \
            "$comma" "$key"
        printf '"bound_percent": %s}' "$bound"
        comma=', '
    done
    printf ']}\n'
}

mkdir "$tmp/measured"
printf '{"rows": [{"rods": 1, "threads": 1, "ns": 9}, {"rods": 1000, "threads": 1, "ns": 1.0},
    {"rods": 3000, "threads": 1, "ns": 1.2}, {"rods": 3000, "threads": 2, "ns": 0.6}]}\n' >"$tmp/measured/scaling.json"
make_chosen() { # SOURCE BEHIND AT_LEAST
    printf '{"dispatch_ns": 9, "rows": [{"shape": "one rod", "source": "%s", "variant": "v", ' "$1"
    printf '"behind": %s, "behind_low": %s}]}\n' "$2" "$3"
}

make_chosen tuned 2 1 >"$tmp/measured/chosen.json"
make_limits 91 >"$tmp/measured/limits.json"
see "$goals" "$tmp/measured" --strict
check goals_that_are_met_pass test "$status" -eq 0
check a_workload_that_is_not_here_is_not_missed \
    grep -q '^17 goals met, 0 missed' "$tmp/out"
check what_is_not_here_is_said grep -q 'not here' "$tmp/out"

make_limits 89 >"$tmp/measured/limits.json"
see "$goals" "$tmp/measured"
check a_missed_goal_is_shown grep -q '>= 90 % of bound.*89.*missed' "$tmp/out"
check a_missed_goal_is_no_failure_by_default test "$status" -eq 0
see "$goals" "$tmp/measured" --strict
check a_missed_goal_fails_when_strict test "$status" -eq 1

make_limits 91 >"$tmp/measured/limits.json"
make_chosen tuned 4 2 >"$tmp/measured/chosen.json"
see "$goals" "$tmp/measured" --strict
check a_tuned_choice_that_is_behind_is_missed grep -q '1 missed' "$tmp/out"
check what_is_beyond_doubt_is_said grep -q 'missed .*at least 2 %' "$tmp/out"
make_chosen default 4 2 >"$tmp/measured/chosen.json"
see "$goals" "$tmp/measured" --strict
check a_default_has_no_such_goal test "$status" -eq 0

see "$goals" "$tmp/nowhere"
check nothing_measured_is_wrong_input test "$status" -eq 2
check nothing_measured_is_one_line test "$(wc -l <"$tmp/err")" -eq 1
see "$goals"
check no_folder_is_wrong_usage test "$status" -eq 2

end
