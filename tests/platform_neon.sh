#!/bin/sh
# The kernels of another CPU under its emulator: what compilers made of them, and whether they are
# right. Run by `make test-neon`.
#
# Environment: TEST_UNDER, the emulator; OBJDUMP; TENS, of frames that each variant is verified, and
# ISAS, of which variants.
set -u
# shellcheck source=tests/e2e.sh
. "$(dirname "$0")/e2e.sh"

check hot_loops_are_fused_and_call_nothing "$root/scripts/check-code.py" neon \
    --objdump "$OBJDUMP" "$build"/kernels/*.neon.o

for isa in $ISAS; do
    # shellcheck disable=SC2086 # split into words
    see $TEST_UNDER "$build/rodbench" verify --tens "$TENS" --isa "$isa"
    if [ "$status" -eq 0 ]; then
        ok "verify_$isa ($(tail -n 1 "$tmp/out"))"
    else
        not_ok "verify_$isa" "$(grep FAILED "$tmp/out")"
        show_seen
    fi
done

# One rod has its lanes along itself, many have a lane each.
for method in quaternion pber pbd; do
    for rods in 1 64; do
        # shellcheck disable=SC2086
        see $TEST_UNDER "$build/rodbench" run cantilever --method $method --rods $rods --frames 2
        check "${rods}_of_${method}_get_neon" grep -q "$method-neon-" "$tmp/out"
    done
done
end
