#!/usr/bin/env bash
# Builds and installs with CMake, with the commands of README.md and docs/get.md, and checks the
# installed files and programs that use them. CMAKE and CONAN can name other programs. python.sh tests
# `pip install`.
source "$(dirname "$0")/harness.sh"

"$cmake" --version | head -n 1
quietly cargo fetch --manifest-path "$project/Cargo.toml" --locked
start_sandbox

# consumers_of FROM BUILD PROGRAMS [OPTION...]: builds a user's CMake project with this many
# programs.
consumers_of() {
    local from=$1 build=$2 count=$3 program built=0
    shift 3
    quietly "$cmake" -S "$project/tests/packaging/consumer" -B "$build" "-DPAYORDER_FROM=$from" "$@"
    quietly "$cmake" --build "$build"
    for program in "$build"/{c,cpp}_payorder{,_static}; do
        [ -x "$program" ] || continue
        works "$program"
        built=$((built + 1))
    done
    same "programs in $build" "$count" "$built"
}

# consumers_by_pkg_config LIBDIR: the same with pkg-config and the compilers only.
consumers_by_pkg_config() {
    local libdir=$1 source=$project/tests/packaging/consumer/consumer
    export PKG_CONFIG_PATH=$libdir/pkgconfig PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1
    local shared static
    same "the version in payorder.pc" "$version" "$(pkg-config --modversion payorder)"
    shared="$(pkg-config --cflags --libs payorder) -Wl,-rpath,$(pkg-config --variable=libdir payorder)"
    # With both in one folder, the linker prefers the shared library.
    static="$(pkg-config --cflags payorder) -Wl,-Bstatic $(pkg-config --libs payorder) -Wl,-Bdynamic"
    static+=" $(pkg-config --static --libs-only-l payorder)"
    static=${static/-Wl,-Bdynamic -lpayorder/-Wl,-Bdynamic}
    # shellcheck disable=SC2086
    {
        quietly cc -std=c99 "$source.c" -o "$work/c-shared" $shared
        quietly cc -std=c99 "$source.c" -o "$work/c-static" $static
        quietly c++ -std=c++17 "$source.cpp" -o "$work/cpp-shared" $shared
        quietly c++ -std=c++17 "$source.cpp" -o "$work/cpp-static" $static
    }
    for program in c-shared c-static cpp-shared cpp-static; do works "$work/$program"; done
    ldd "$work/c-shared" | grep 'libpayorder\.so\.1 => .*libpayorder\.so\.1' >/dev/null ||
        fail "the shared library is not found by its SONAME"
    ! ldd "$work/c-static" | grep payorder >/dev/null || fail "a static program needs the shared library"
}

# blocks LANGUAGE FILE: the file's fenced blocks in that language.
blocks() { awk -v start="\`\`\`$1" '$0 == "```" { on = 0 } on { print } $0 == start { on = 1 }' "$2"; }

promise "the README's commands install it into the home folder and compile programs, without the" \
    "network if the crates are available"
# cargo and rustup keep their files in the real home folder.
export CARGO_HOME=${CARGO_HOME:-$HOME/.cargo} RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup}
export HOME=$work/home
prefix=$HOME/.local
mkdir -p "$HOME" "$work/till"
unset CMAKE_PREFIX_PATH PKG_CONFIG_PATH LD_LIBRARY_PATH
blocks c "$project/README.md" >"$work/till/till.c"
blocks cpp "$project/docs/guides/cpp.md" >"$work/till/till.cpp"
{
    blocks sh "$project/docs/get.md" | grep -vE '^(cargo run |export PAYORDER_|\./till$)'
    blocks sh "$project/docs/guides/cpp.md"
} >"$work/commands"
# The README has the same commands, in fewer lines.
for command in 'cmake -B build' 'cmake --build' 'cmake --install'; do
    full=$(grep -F -- "$command" "$work/commands")
    grep -qF -- "$full" "$project/README.md" || fail "the README has no: $full"
done
for command in 'export CMAKE_PREFIX_PATH=' 'export PKG_CONFIG_PATH=' 'cc -o till ' 'cc -static ' 'c++ '; do
    has "$work/commands" "^$command"
done
# As written, but the build folder is outside the checkout. The linker warns that getaddrinfo in a
# program linked with -static needs the system's shared libraries for name lookups.
sed -i "s#-B build#-B $work/build -S $project#; s#\(--build\|--install\) build#\1 $work/build#" \
    "$work/commands"
(cd "$work/till" && CARGO_NET_OFFLINE=true quietly bash -euo pipefail -c "set -x; $(cat "$work/commands")")
mkdir "$work/project"
cp "$work/till/till.c" "$work/project"
blocks cmake "$project/docs/get.md" >"$work/project/CMakeLists.txt"
quietly env CMAKE_PREFIX_PATH="$prefix" "$cmake" -S "$work/project" -B "$work/project/build"
quietly "$cmake" --build "$work/project/build"

promise "the programs find the library without LD_LIBRARY_PATH, and create an order"
file_kind=$(readelf -lW "$work/till/till-static")
! grep -q INTERP <<<"$file_kind" || fail "till-static needs a dynamic loader"
for program in "$work"/till/till{,-static,-cpp} "$work/project/build/till"; do
    # Each program creates an order with the same number, so each needs a new sandbox and, for its
    # journal, a new folder.
    stop_sandbox
    start_sandbox
    url=$(sed -n 's/.* listens at \(http[^ ]*\) .*/\1/p' "$work/sandbox.txt")
    source <(blocks sh "$project/docs/get.md" | sed -n '/^export PAYORDER_/p' |
        sed "s#http://127.0.0.1:8080#$url#")
    (cd "$(mktemp -d -p "$work")" && "$program") >"$work/shown" || fail "$program does not work"
    has "$work/shown" "^send the customer to $url/checkout/"
done

promise "everything is installed, and nothing else"
installed=$(cd "$prefix" &&
    find . \( -type f -printf '%P\n' \) -o \( -type l -printf '%P -> %l\n' \) | LC_ALL=C sort)
pages=$({
    echo share/man/man1/payorder.1
    declared | sed 's#.*#share/man/man3/&.3#'
    echo share/man/man7/payorder.7
} | LC_ALL=C sort)
same "what is installed" "include/payorder-abi.json
include/payorder.cdef
include/payorder.h
include/payorder.hpp
lib/cmake/payorder/payorder-config-version.cmake
lib/cmake/payorder/payorder-config.cmake
lib/cmake/payorder/payorder-targets-noconfig.cmake
lib/cmake/payorder/payorder-targets.cmake
lib/libpayorder.a
lib/libpayorder.so -> libpayorder.so.1
lib/libpayorder.so.1
lib/pkgconfig/payorder.pc
$pages" "$installed"

promise "man shows the page of every function, of the concepts and of the command line"
for name in $(declared) payorder "7 payorder"; do
    # shellcheck disable=SC2086
    quietly man -M "$prefix/share/man" $name
done

promise "the shared library has its SONAME, exports only the header's functions at PAYORDER_1, and" \
    "cannot be unloaded"
library=$prefix/lib/libpayorder.so.1
same "exports" "$(declared | sed 's/$/@@PAYORDER_1/')" "$(exported "$library")"
readelf -dW "$library" >"$work/dynamic"
has "$work/dynamic" 'SONAME.*\[libpayorder\.so\.1\]'
has "$work/dynamic" 'FLAGS_1.*NOW.*NODELETE'
! grep -qE 'RPATH|RUNPATH|TEXTREL' "$work/dynamic" ||
    fail "the library has a run path or text relocations"
! readelf -SW "$library" | grep -E ' \.(symtab|debug_)' >/dev/null || fail "the library is not stripped"

promise "programs in C and C++ find it with CMake and with pkg-config, shared and static"
consumers_of package "$work/consumer" 4 "-DCMAKE_PREFIX_PATH=$prefix"
consumers_by_pkg_config "$prefix/lib"

promise "a program that needs a newer version does not get an older one"
sed 's/find_package(payorder 0.1/find_package(payorder 99.0/' \
    "$project/tests/packaging/consumer/CMakeLists.txt" >"$work/CMakeLists.txt"
refused "version: $version" "$cmake" -S "$work" -B "$work/newer" -DPAYORDER_FROM=package \
    "-DCMAKE_PREFIX_PATH=$prefix"

promise "a prefix still works after it was moved"
mv "$prefix" "$work/moved"
consumers_of package "$work/consumer-moved" 4 "-DCMAKE_PREFIX_PATH=$work/moved"
consumers_by_pkg_config "$work/moved/lib"

promise "Conan packs what is installed, and programs find it in the package"
conan=${CONAN:-conan}
export CONAN_HOME=$work/conan-home
same "the version of the port for vcpkg" "$version" \
    "$(sed -n 's/.*"version": "\(.*\)".*/\1/p' "$project/packaging/vcpkg/payorder/vcpkg.json")"
quietly "$conan" profile detect
quietly "$conan" export-pkg "$project/packaging/conan" -of "$work/moved"
(cd "$work" && quietly "$conan" install --requires "payorder/$version" \
    -g CMakeToolchain -of "$work/conan")
consumers_of package "$work/consumer-conan" 4 -DCMAKE_BUILD_TYPE=Release \
    "-DCMAKE_TOOLCHAIN_FILE=$work/conan/conan_toolchain.cmake"
ldd "$work/consumer-conan/c_payorder" >"$work/found"
has "$work/found" "libpayorder\.so\.1 => $CONAN_HOME"

promise "DESTDIR and CMAKE_INSTALL_LIBDIR are honoured, relative and absolute"
for libdir in lib/x86_64-linux-gnu /opt/till/lib; do
    stage=$work/stage-${libdir//\//-}
    quietly "$cmake" -S "$project" -B "$work/build" "-DCMAKE_INSTALL_PREFIX=/usr" \
        "-DCMAKE_INSTALL_LIBDIR=$libdir"
    quietly "$cmake" --build "$work/build"
    quietly env "DESTDIR=$stage" "$cmake" --install "$work/build"
    absolute=/usr/$libdir
    [ "${libdir#/}" = "$libdir" ] || absolute=$libdir
    [ -f "$stage$absolute/libpayorder.so.1" ] || fail "no library in $stage$absolute"
    named=$(PKG_CONFIG_PATH=$stage$absolute/pkgconfig pkg-config --variable=libdir payorder)
    same "libdir in payorder.pc" "$absolute" "$(realpath -m "${named#"$stage"}")"
done
consumers_of package "$work/consumer-stage" 4 \
    "-DCMAKE_PREFIX_PATH=$work/stage-lib-x86_64-linux-gnu/usr" \
    -DCMAKE_LIBRARY_ARCHITECTURE=x86_64-linux-gnu

promise "the shared and the static library can each be omitted"
install_to "$work/only-shared" "$work/build-shared" -DPAYORDER_STATIC=OFF -DCMAKE_INSTALL_LIBDIR=lib
[ ! -e "$work/only-shared/lib/libpayorder.a" ] || fail "the archive was not omitted"
consumers_of package "$work/consumer-shared" 2 "-DCMAKE_PREFIX_PATH=$work/only-shared"
install_to "$work/only-static" "$work/build-static" -DPAYORDER_SHARED=OFF -DCMAKE_INSTALL_LIBDIR=lib
[ ! -e "$work/only-static/lib/libpayorder.so.1" ] || fail "the shared library was not omitted"
consumers_of package "$work/consumer-static" 2 "-DCMAKE_PREFIX_PATH=$work/only-static"
refused "nothing to build" "$cmake" -S "$project" -B "$work/neither" \
    -DPAYORDER_SHARED=OFF -DPAYORDER_STATIC=OFF

promise "it can be part of another project: add_subdirectory, FetchContent, both generators"
consumers_of subdirectory "$work/subdirectory" 4 "-DPAYORDER_SOURCE=$project"
consumers_of fetched "$work/fetched" 4 "-DPAYORDER_SOURCE=$project" -G Ninja

promise "errors say what is not possible"
refused "cargo was not found" "$cmake" -S "$project" -B "$work/no-cargo" -DPAYORDER_CARGO=OFF
refused "on Linux only, not on Windows" "$cmake" -S "$project" -B "$work/windows" \
    -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_C_COMPILER_WORKS=1
mkdir "$work/component"
printf '%s\n' 'cmake_minimum_required(VERSION 3.16)' 'project(component C)' \
    'find_package(payorder REQUIRED COMPONENTS nosuch)' >"$work/component/CMakeLists.txt"
refused "payorder has no components, so also not nosuch" "$cmake" -S "$work/component" \
    -B "$work/component/build" "-DCMAKE_PREFIX_PATH=$work/moved"

echo "CMake: all promises kept"
