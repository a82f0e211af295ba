#!/bin/sh
# Kernels that this CPU need not have: AVX-512 translated to AVX2.
set -u
# shellcheck source=tests/e2e.sh
. "$(dirname "$0")/e2e.sh"

emulated=$build/tests/rodbench-avx512-emulated
if [ ! -x "$emulated" ]; then # see the Makefile
    skip avx512_verifies_when_emulated 'this CPU has AVX-512, and e2e_cli verifies it'
    end
fi
"$emulated" list >"$tmp/list"
if grep -q 'avx512.* usable' "$tmp/list"; then
    status=0
    # translated, 100 frames would take minutes, and longer than `see` allows
    "$emulated" verify --isa avx512 --tens 2 >"$tmp/out" 2>&1 || status=$?
    check avx512_verifies_when_emulated test "$status" -eq 0
    check every_avx512_variant_was_verified \
        test "$(grep -c 'avx512.*passed' "$tmp/out")" -eq \
        "$(grep -c '^..[a-z]*-avx512' "$tmp/list")"
    check emulated_avx512_is_never_chosen \
        test "$(grep -c '^[*].*avx512' "$tmp/list")" -eq 0
else
    skip avx512_verifies_when_emulated 'needs a CPU with AVX2'
fi

end
