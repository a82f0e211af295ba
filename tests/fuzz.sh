#!/bin/sh
# Runs every fuzz target for FUZZ_SECONDS (default 60), two at a time, from the committed seeds. What
# was found on the way stays in $BUILD/fuzz for the next time. Run by `make fuzz`.
set -u
# shellcheck source=tests/e2e.sh
. "$(dirname "$0")/e2e.sh"

seconds=${FUZZ_SECONDS:-60}

# What the targets print themselves is about wrong input, many thousand times.
fuzz() { # TARGET
    corpus=$build/fuzz/corpus/$1 found=$build/fuzz/found/$1
    mkdir -p "$corpus" "$found"
    "$build/fuzz/$1" -max_total_time="$seconds" -max_len=4096 -timeout=20 -rss_limit_mb=3000 \
        -close_fd_mask=3 -print_final_stats=1 -artifact_prefix="$found/" \
        "$corpus" "$root/tests/fuzz/seeds/$1" >"$tmp/$1.log" 2>&1
    echo $? >"$tmp/$1.status"
}

report() { # TARGET
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$tmp/$1.log")
    if [ "$(cat "$tmp/$1.status")" -eq 0 ] && [ "${runs:-0}" -gt 0 ]; then
        ok "$1 ($runs inputs in $seconds s)"
        return
    fi
    not_ok "$1" "exit status $(cat "$tmp/$1.status"); inputs in $build/fuzz/found/$1"
    tail -n 5 "$tmp/$1.log" | sed 's/^/    | /'
    for input in "$build/fuzz/found/$1"/*; do
        if [ -e "$input" ]; then
            echo "    $input:"
            "$build/fuzz/$1" "$input" 2>&1 | grep -E '^(==|    #[0-9] |SUMMARY|.*runtime error)' |
                head -n 12 | sed 's/^/    | /'
        fi
    done
}

targets=$(find "$build/fuzz" -maxdepth 1 -type f -name 'fuzz_*' | sed 's,.*/,,' | sort)
started=0
for target in $targets; do
    fuzz "$target" &
    started=$((started + 1))
    if [ $((started % 2)) -eq 0 ]; then
        wait
    fi
done
wait
for target in $targets; do
    report "$target"
done
end
