#!/bin/sh
# `make install` into a scratch prefix: what is there, programs that link it through pkg-config and
# CMake, and that nothing is left after `make uninstall`.
set -u
# shellcheck source=tests/e2e.sh
. "$(dirname "$0")/e2e.sh"

prefix=$tmp/prefix
CC=${CC:-gcc}
cd "$root" || exit 1

# shellcheck disable=SC2317 # called by check
install_into() { # VARIABLE=VALUE...
    # The jobs and flags of the make that runs the tests are not ours.
    MAKEFLAGS='' make --no-print-directory BUILD="$build" CC="$CC" CXX="${CXX:-g++}" \
        WERROR="${WERROR:-0}" "$@"
}

check install install_into install PREFIX="$prefix"
for file in include/rod.h lib/librod.a lib/librod.so lib/pkgconfig/rod.pc \
    lib/cmake/rod/rodConfig.cmake lib/cmake/rod/rodConfigVersion.cmake bin/rodbench \
    share/man/man1/rodbench.1; do
    check "installed_$file" test -s "$prefix/$file"
done
# shellcheck disable=SC2016 # for the inner shell
check no_template_is_left_open sh -c '! grep -rl "@[A-Z_]*@" "$1"/lib/pkgconfig "$1"/lib/cmake \
    "$1"/share' sh "$prefix"
if command -v man >/dev/null 2>&1 && man --version >/dev/null 2>&1; then
    LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l "$prefix/share/man/man1/rodbench.1" \
        >"$tmp/page" 2>"$tmp/warned"
    check man_page_without_warnings test ! -s "$tmp/warned"
else
    skip man_page_without_warnings 'no man here'
fi
for command in $("$build/rodbench" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    check "man_page_has_$command" grep -q "^\.BI* $command" "$root/bench/rodbench.1"
done

# ---------------------------------------------------------------- what the shared library shows

# Names that rod.h declares: what stands before a parenthesis.
sed -e 's|/\*.*\*/||' -e '/^ \*/d' "$root/soa/rod.h" | grep -o 'rod_[a-z_]*(' | tr -d '(' |
    sort -u >"$tmp/declared"
if command -v nm >/dev/null 2>&1; then
    nm -D --defined-only "$prefix/lib/librod.so" | awk '$2 ~ /[TDBRVW]/ { print $3 }' |
        sort -u >"$tmp/exported"
    check exports_what_the_header_declares_and_no_more cmp "$tmp/declared" "$tmp/exported"
else
    skip exports_what_the_header_declares_and_no_more 'no nm here'
fi
# shellcheck disable=SC2016
check soname_is_versioned sh -c 'readelf -d "$1" | grep -q "SONAME.*librod\.so\.[0-9]"' sh \
    "$prefix/lib/librod.so"

# ---------------------------------------------------------------- pkg-config

PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
LD_LIBRARY_PATH="$prefix/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export PKG_CONFIG_PATH LD_LIBRARY_PATH
strict='-std=c17 -O2 -Wall -Wextra -Wpedantic -Werror'

# shellcheck disable=SC2046,SC2086,SC2317 # split into words; called by check
compile() { # OUTPUT SOURCE
    $CC $strict "$2" $(pkg-config --cflags --libs rod) -lm -o "$1"
}

awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' README.md >"$tmp/client.c"
check pkg_config_client_builds compile "$tmp/client" "$tmp/client.c"
check pkg_config_client_runs "$tmp/client"
# shellcheck disable=SC2046,SC2086
check static_client_builds $CC $strict "$tmp/client.c" $(pkg-config --cflags rod) \
    "$prefix/lib/librod.a" $(pkg-config --libs-only-other --static rod) -lm -o "$tmp/client-static"
check static_client_runs env LD_LIBRARY_PATH= "$tmp/client-static"

# ---------------------------------------------------------------- the examples

for example in hair rope; do
    check "example_${example}_builds" compile "$tmp/$example" "examples/$example.c"
done
see "$tmp/hair" 40 10 "$tmp/hair.obj" 2
check example_hair_runs test "$status" -eq 0
check example_hair_writes_all_points test "$(grep -c '^v ' "$tmp/hair.obj")" -eq 840
check example_hair_writes_all_strands test "$(grep -c '^l ' "$tmp/hair.obj")" -eq 40
see "$tmp/rope" 2 "$tmp/rope.obj"
check example_rope_runs test "$status" -eq 0
check example_rope_writes_its_points test "$(grep -c '^v ' "$tmp/rope.obj")" -eq 61
# Pinned ends are where they were driven to: 0.75 of 20.
check example_rope_end_was_driven grep -qx 'v 15.00000 0.00000 0.00000' "$tmp/rope.obj"
# It has left its line by more than gravity takes it down.
# shellcheck disable=SC2016 # awk's
check example_rope_coils awk '$1 == "v" && ($4 > 1 || $4 < -1) { far = 1 } END { exit !far }' \
    "$tmp/rope.obj"
for wrong in 'hair 0' 'hair x' 'hair 5 5 f.obj 0' 'rope x' 'rope 99' 'rope 1 2 3'; do
    # shellcheck disable=SC2086 # split into words
    see "$tmp/"$wrong
    check "example_refuses_[$wrong]" test "$status" -eq 2
done
see "$tmp/rope" 1 "$tmp/nowhere/rope.obj"
check example_says_when_it_cannot_write test "$status" -eq 1

# ---------------------------------------------------------------- CMake

if command -v cmake >/dev/null 2>&1; then
    mkdir "$tmp/cmake"
    cp "$tmp/client.c" "$tmp/cmake/client.c"
    cat >"$tmp/cmake/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.13)
project(client C)
find_package(rod 0.1 REQUIRED)
add_executable(client client.c)
target_link_libraries(client rod::rod)
add_executable(client_static client.c)
target_link_libraries(client_static rod::rod_static)
END
    # An installed tree may be moved: CMake finds it where it is now.
    cp -a "$prefix" "$tmp/moved"
    check cmake_client_configures cmake -S "$tmp/cmake" -B "$tmp/cmake/build" \
        -DCMAKE_C_COMPILER="$CC" -DCMAKE_PREFIX_PATH="$tmp/moved"
    check cmake_client_builds cmake --build "$tmp/cmake/build"
    check cmake_client_runs env LD_LIBRARY_PATH= "$tmp/cmake/build/client"
    check cmake_static_client_runs env LD_LIBRARY_PATH= "$tmp/cmake/build/client_static"
    sed -i 's/rod 0.1 REQUIRED/rod 1.0 REQUIRED/' "$tmp/cmake/CMakeLists.txt"
    # shellcheck disable=SC2016
    check cmake_refuses_another_version sh -c '! cmake -S "$1" -B "$1/other" \
        -DCMAKE_PREFIX_PATH="$2"' sh "$tmp/cmake" "$tmp/moved"
else
    skip cmake_client_builds 'no cmake here'
fi

# ---------------------------------------------------------------- DESTDIR and uninstall

check install_into_destdir install_into install PREFIX=/opt/rod DESTDIR="$tmp/stage"
check destdir_holds_it test -s "$tmp/stage/opt/rod/lib/librod.a"
# shellcheck disable=SC2016
check destdir_is_in_no_file sh -c '! grep -rlF "$1" "$1"/opt/rod/lib/pkgconfig \
    "$1"/opt/rod/lib/cmake' sh "$tmp/stage"
echo mine >"$prefix/lib/other"
check uninstall install_into uninstall PREFIX="$prefix"
check uninstall_leaves_what_is_not_ours test "$(cd "$prefix" && find . -type f)" = ./lib/other
check uninstall_from_destdir install_into uninstall PREFIX=/opt/rod DESTDIR="$tmp/stage"
check uninstall_leaves_nothing test -z "$(find "$tmp/stage" -not -type d)"
check uninstall_leaves_no_folder test ! -e "$tmp/stage/opt/rod"

end
