#!/bin/sh
# What compilers made of the NEON kernels, that they are chosen, and that a cross build installs. Run by
# `make test-neon`.
#
# Environment: TEST_UNDER, the emulator; CC and OBJDUMP of the other CPU.
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

# ---------------------------------------------------------------- make install

cd "$root" || exit 1
prefix=$tmp/prefix
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
export PKG_CONFIG_PATH

# With what the build was made with, or it would be made anew; ISAS is what is verified, not built.
# shellcheck disable=SC2317 # called by check
install_cross() {
    MAKEFLAGS='' make --no-print-directory BUILD="$BUILD" CC="$CC" SHIM=0 CMOCKA=own \
        ISAS= WERROR="${WERROR:-0}" install PREFIX="$prefix"
}

# shellcheck disable=SC2046,SC2317 # split into words; called by check
compile_client() {
    awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' README.md >"$tmp/client.c"
    "$CC" -std=c17 "$tmp/client.c" $(pkg-config --cflags --libs rod) -Wl,-rpath,"$prefix/lib" \
        -lm -o "$tmp/client"
}

check cross_build_installs install_cross
check cross_install_is_the_library_alone test ! -e "$prefix/bin"
check client_of_the_cross_install_builds compile_client
# shellcheck disable=SC2086
see $TEST_UNDER "$tmp/client"
check client_of_the_cross_install_runs grep -q 'by quaternion-neon-' "$tmp/out"
end
