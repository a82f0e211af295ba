# shellcheck shell=sh
# What the end-to-end tests share; they source it. One line per test: `ok NAME` or `not ok NAME`,
# then what was seen, indented. `end` gives the exit status.

root=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck disable=SC2034 # for those who source this
build=$(cd "$root" && cd "${BUILD:-build}" && pwd) || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' HUP INT PIPE TERM

# Decimal points, and messages that can be compared, whatever the caller's language is.
LC_ALL=C
export LC_ALL
# What a caller has set for Google Benchmark and for us must not change what we see.
unset BENCHMARK_FILTER BENCHMARK_FORMAT BENCHMARK_OUT BENCHMARK_LIST_TESTS ROD_KERNEL ROD_EXPLAIN 2>/dev/null

failures=0

ok() { # NAME
    echo "ok $1"
}

skip() { # NAME WHY
    echo "ok $1 # SKIP $2"
}

not_ok() { # NAME WHY
    failures=$((failures + 1))
    echo "not ok $1"
    printf '    %s\n' "$2"
}

# The command runs in this shell, so that it can be a function; what it prints is only shown when
# the test fails.
check() { # NAME COMMAND...
    name=$1
    shift
    if "$@" >"$tmp/check" 2>&1; then
        ok "$name"
    else
        not_ok "$name" "failed: $*"
        sed 's/^/    | /' "$tmp/check"
    fi
}

# Runs a program; leaves $status, $tmp/out and $tmp/err. The limit is for a program that takes an
# absurd size at its word.
see() { # COMMAND...
    status=0
    timeout "${SEE_TIMEOUT:-180}" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || status=$?
}

show_seen() {
    echo "    exit status $status"
    head -n 20 "$tmp/out" | sed 's/^/    stdout| /'
    head -n 20 "$tmp/err" | sed 's/^/    stderr| /'
}

# Wrong input: exit status 2, and one line on stderr that has the word.
refuses_to() { # NAME WORD COMMAND...
    name=$1 word=$2
    shift 2
    see "$@"
    if [ "$status" -eq 2 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q -- "$word" "$tmp/err"; then
        ok "$name"
    else
        not_ok "$name" "wanted exit status 2 and one line with '$word'"
        show_seen
    fi
}

end() {
    [ "$failures" -eq 0 ]
    exit
}
