#!/bin/sh
# One binary on several levels of x86: which kernels dispatch chooses, that every variant of a level
# runs there, with exact roots to the same bits as here, that others are refused and not tried, and
# that code for every CPU has no instruction that old ones lack.
set -u
# shellcheck source=tests/e2e.sh
. "$(dirname "$0")/e2e.sh"

rodbench=$build/rodbench

if [ "$(uname -m)" != x86_64 ]; then
    skip x86_levels "this is no x86-64"
    end
fi

# ---------------------------------------------------------------- object files

# shellcheck disable=SC2046 # split into words
check baseline_objects_have_no_vex "$root/scripts/check-code.py" baseline \
    $(find "$build/soa" "$build/kernels" "$build/bench" -name '*.o' ! -name '*_emulated.o')

# ---------------------------------------------------------------- levels

variant_of() { # METHOD RODS UNDER...
    method=$1 rods=$2
    shift 2
    see "$@" "$rodbench" run cantilever --method "$method" --rods "$rods" --frames 2 --json
    sed -n 's/.*"variant": "\(.*\)",/\1/p' "$tmp/out"
}

# For one rod and for many: with chunks or in batches, but of the widest instruction set.
chooses() { # LEVEL ISA UNDER...
    level=$1 isa=$2
    shift 2
    for method in quaternion pber pbd; do
        for rods in 1 64; do
            chosen=$(variant_of $method $rods "$@")
            case $chosen in
            $method-$isa-*) ok "${level}_chooses_${isa}_for_${rods}_of_$method" ;;
            *)
                not_ok "${level}_chooses_${isa}_for_${rods}_of_$method" "chose '$chosen'"
                show_seen
                ;;
            esac
        done
    done
}

# Leaves exit status and hash of a few frames.
short_run() { # VARIANT UNDER...
    variant=$1
    shift
    see "$@" "$rodbench" run helix --method "${variant%%-*}" --variant "$variant" --rods 9 \
        --elements 20 --frames 2 --json
    hash=$(sed -n 's/.*"state_hash": "\(.*\)".*/\1/p' "$tmp/out")
}

# An illegal instruction would be a signal. Estimates of roots differ between CPUs and emulators.
runs_here() { # VARIANT UNDER...
    short_run "$@"
    [ "$status" -eq 0 ] && [ -n "$hash" ] || return 1
    case $1 in
    *-exact | *-exact-general)
        emulated=$hash
        short_run "$1"
        # one that this CPU cannot run has nothing to be compared with
        [ "$status" -ne 0 ] || [ "$emulated" = "$hash" ]
        ;;
    esac
}

runs_all() { # LEVEL ISAS UNDER...
    level=$1 isas=$2
    shift 2
    count=0 wrong=
    for isa in $isas; do
        grep -- "-$isa-" "$tmp/variants" >"$tmp/of_isa"
        while read -r variant; do
            count=$((count + 1))
            runs_here "$variant" "$@" || wrong="$wrong $variant (exit status $status)"
        done <"$tmp/of_isa"
    done
    if [ -z "$wrong" ] && [ "$count" -gt 0 ]; then
        ok "${level}_runs_its_${count}_variants"
    else
        not_ok "${level}_runs_its_${count}_variants" "wrong:$wrong"
    fi
}

refuses_others() { # LEVEL ISAS UNDER...
    level=$1 isas=$2
    shift 2
    for isa in $isas; do
        short_run "quaternion-$isa-u1-exact" "$@"
        if [ "$status" -eq 2 ] && grep -q "cannot run that kernel variant" "$tmp/err"; then
            ok "${level}_refuses_$isa"
        else
            not_ok "${level}_refuses_$isa" 'wanted exit status 2 and the reason'
            show_seen
        fi
    done
}

level() { # LEVEL CPU WIDEST ISAS OTHERS
    chooses "$1" "$3" qemu-x86_64-static -cpu "$2"
    runs_all "$1" "$4" qemu-x86_64-static -cpu "$2"
    refuses_others "$1" "$5" qemu-x86_64-static -cpu "$2"
}

has() { # FLAG...
    for flag in "$@"; do
        grep -q "^flags.* $flag\( \|\$\)" /proc/cpuinfo || return 1
    done
}

native_isa() {
    if has avx512f avx512dq avx512bw avx512vl; then
        echo avx512
    elif has avx2 fma; then
        echo avx2
    elif has sse4_1; then
        echo sse41
    else
        echo scalar
    fi
}

# A star marks what is chosen; what is chosen for what follows after an empty line.
"$rodbench" list | awk '!NF { exit } NR > 1 { sub(/^[*]/, ""); print $1 }' >"$tmp/variants"
level baseline 'qemu64,-sse4.1,-sse4.2,-ssse3' scalar scalar 'sse41 avx2 avx512'
level nehalem Nehalem sse41 'scalar sse41' 'avx2 avx512'
level haswell Haswell avx2 'scalar sse41 avx2' avx512
native=$(native_isa)
chooses native "$native"
if [ "$native" = avx512 ]; then
    runs_all native avx512
else
    skip native_runs_avx512 'this CPU has none; make test runs it translated to AVX2'
fi
end
