#!/bin/sh
# A user's program: the README's example runs, and C++ accepts the header.
set -u
# shellcheck source=tests/e2e.sh
. "$(dirname "$0")/e2e.sh"

see "$build/tests/client"
if [ "$status" -eq 0 ] && [ -s "$tmp/out" ] && [ ! -s "$tmp/err" ]; then
    ok readme_example_runs
else
    not_ok readme_example_runs 'wanted exit status 0, something on stdout, nothing on stderr'
    show_seen
fi

# Twice, for the include guard; called, for the linkage.
cat >"$tmp/client.cc" <<'END'
#include "rod.h"
#include "rod.h"

int main() {
    rod_batch *batch = nullptr;
    const rod_status status = rod_create(&batch, 1, 2, nullptr);
    rod_destroy(batch);
    return status == ROD_OK ? 0 : 1;
}
END
strict='-Wall -Wextra -Wpedantic -Werror'
# shellcheck disable=SC2086 # split into words, as make does with these variables
check header_in_cxx ${CXX:-g++} -std=c++17 $strict -fsyntax-only -I "$root/soa" "$tmp/client.cc"
# shellcheck disable=SC2086
check links_from_cxx ${CXX:-g++} ${CXXFLAGS:-} -std=c++17 -I "$root/soa" "$tmp/client.cc" \
    "$build/librod.a" -fopenmp -lm -o "$tmp/client"
check runs_from_cxx "$tmp/client"

# The header must stand alone: nothing may have been included before it.
# shellcheck disable=SC2086
check header_alone_in_c ${CC:-gcc} -std=c17 $strict -fsyntax-only -x c "$root/soa/rod.h"

end
