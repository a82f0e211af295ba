#!/bin/sh
# Kernels that this CPU need not have: AVX-512 translated to AVX2, and what an old CPU picks.
set -u
# shellcheck source=tests/e2e.sh
. "$(dirname "$0")/e2e.sh"

emulated=$build/tests/rodbench-avx512-emulated
if [ -x "$emulated" ] && "$emulated" list | grep -q 'avx512.*usable'; then
    see "$emulated" verify
    check avx512_verifies_when_emulated test "$status" -eq 0
    check every_avx512_variant_was_verified \
        test "$(grep -c 'avx512.*passed' "$tmp/out")" -eq \
        "$("$emulated" list | grep -c '^..quaternion-avx512')"
    "$emulated" list >"$tmp/list"
    check emulated_avx512_is_never_chosen sh -c '! grep -q "^[*].*avx512" "$1"' sh "$tmp/list"
else
    skip avx512_verifies_when_emulated 'needs a CPU with AVX2'
fi

end
