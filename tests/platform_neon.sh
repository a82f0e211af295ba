#!/bin/sh
# What compilers made of the NEON kernels, and that they are chosen. Run by `make test-neon`.
#
# Environment: TEST_UNDER, the emulator; OBJDUMP.
set -u
# shellcheck source=tests/e2e.sh
. "$(dirname "$0")/e2e.sh"

check hot_loops_are_fused_and_call_nothing "$root/scripts/check-code.py" neon \
    --objdump "$OBJDUMP" "$build"/kernels/*.neon.o

# One rod has its lanes along itself, many have a lane each.
for method in quaternion pber pbd; do
    for rods in 1 64; do
        # shellcheck disable=SC2086
        see $TEST_UNDER "$build/rodbench" run cantilever --method $method --rods $rods --frames 2
        check "${rods}_of_${method}_get_neon" grep -q "$method-neon-" "$tmp/out"
    done
done
end
