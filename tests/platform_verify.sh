#!/bin/sh
# Every variant of a build against the double reference, under an emulator if there is one.
#
# Environment: TEST_UNDER, the emulator; TENS, of frames that each variant is verified, and ISAS, of
# which variants.
set -u
# shellcheck source=tests/e2e.sh
. "$(dirname "$0")/e2e.sh"

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
end
