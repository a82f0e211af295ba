#!/bin/sh
# The rodbench command in a build with sanitizers: every command once. Run by `make sanitize-address`.
set -u
# shellcheck source=tests/e2e.sh
. "$(dirname "$0")/e2e.sh"

# A sanitizer that finds nothing anywhere would prove nothing.
cat >"$tmp/leak.c" <<'END'
#include <stdlib.h>
int main(void) {
    char *volatile lost = malloc(7);
    lost = NULL;
    return lost != NULL;
}
END
clang -O0 -g -fsanitize=address "$tmp/leak.c" -o "$tmp/leak" && see "$tmp/leak"
if [ "$status" -ne 0 ]; then
    ok a_leak_would_be_found
else
    not_ok a_leak_would_be_found 'exit status 0'
fi

clean() { # NAME ARGUMENTS...
    name=$1
    shift
    see "$build/rodbench" "$@"
    if [ "$status" -eq 0 ]; then
        ok "$name"
    else
        not_ok "$name" "rodbench $*"
        show_seen
    fi
}

clean info info
for method in quaternion pber pbd; do
    clean "run_$method" run helix --method $method --rods 33 --frames 20 --threads 2 --json
    clean "run_random_$method" run random --method $method --frames 20
    clean "dump_$method" run cantilever --method $method --frames 2 --dump "$tmp/dump.csv"
done
for order in sequential bilateral cross redblack; do
    clean "run_one_$order" run scene1 --order $order --frames 5
done
clean verify verify --tens 1 --isa avx2
clean bench bench --benchmark_filter=avx2-u1-exact --benchmark_min_time=0.001
clean table_table1 table table1 --rounds 1 --json
end
