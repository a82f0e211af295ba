#!/bin/sh
# The threaded step under ThreadSanitizer, which learns from archer, a tool of clang's OpenMP, what
# the threads wait for. Run by `make sanitize-thread`.
set -u
# shellcheck source=tests/e2e.sh
. "$(dirname "$0")/e2e.sh"

# Beside the OpenMP library that clang links.
library=$(ldd "$build/tests/test_threads" | awk '/libomp/ { print $3; exit }')
archer=$(dirname "$(readlink -f "$library")")/libarcher.so
if [ ! -e "$archer" ]; then
    not_ok archer_is_there "no $archer"
    end
fi
OMP_TOOL_LIBRARIES=$archer
TSAN_OPTIONS='ignore_noninstrumented_modules=1 exitcode=66'
export OMP_TOOL_LIBRARIES TSAN_OPTIONS

# A sanitizer that finds nothing anywhere would prove nothing.
cat >"$tmp/race.c" <<'END'
static int sum[1];
int main(void) {
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 1000; i++)
        sum[0] += i;
    return sum[0] == 0;
}
END
clang -O0 -g -fsanitize=thread -fopenmp "$tmp/race.c" -o "$tmp/race" &&
    see "$tmp/race"
if [ "$status" -eq 66 ]; then
    ok a_race_would_be_found
else
    not_ok a_race_would_be_found "exit status $status"
fi

see "$build/tests/test_threads"
if [ "$status" -eq 0 ]; then
    ok the_threaded_step_has_no_race
else
    not_ok the_threaded_step_has_no_race 'ThreadSanitizer complains'
    show_seen
fi
end
