#!/usr/bin/env bash
# Runs the installation into the home folder as README.md and docs/get.md have it: every command that
# installs the library or compiles a program, and the programs of the README and the guide to C++.
# python.sh tests `pip install`.
source "$(dirname "$0")/harness.sh"

# blocks LANGUAGE FILE: the file's fenced blocks in that language.
blocks() { awk -v start="\`\`\`$1" '$0 == "```" { on = 0 } on { print } $0 == start { on = 1 }' "$2"; }

copy_to "$work/payorder"
# cargo and rustup keep their files in the real home folder.
export CARGO_HOME=${CARGO_HOME:-$HOME/.cargo} RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup}
export HOME=$work/home
mkdir -p "$HOME"
unset CMAKE_PREFIX_PATH PKG_CONFIG_PATH LD_LIBRARY_PATH

blocks c "$project/README.md" >"$work/payorder/till.c"
# Only the first program: the other one is for -fno-exceptions.
blocks cpp "$project/docs/guides/cpp.md" | sed '/^\/\/ -fno-exceptions$/,$d' \
    >"$work/payorder/till.cpp"
# The README has the same commands as docs/get.md, in fewer lines.
blocks sh "$project/docs/get.md" | grep -vE '^(cargo run |export PAYORDER_|\./till$)' >"$work/commands"
for command in 'cmake -B build' 'cmake --build' 'cmake --install'; do
    full=$(grep -F -- "$command" "$work/commands")
    grep -qF -- "$full" "$project/README.md" || fail "the README has no: $full"
done
blocks sh "$project/docs/guides/cpp.md" >>"$work/commands"
for command in 'cmake --install' 'export CMAKE_PREFIX_PATH=' 'export PKG_CONFIG_PATH=' \
    'cc -o till ' 'cc -static ' 'c++ '; do
    has "$work/commands" "^$command"
done

promise "the README's commands install into the home folder and compile the programs"
cd "$work/payorder"
# The linker warns that getaddrinfo in a program linked with -static needs the system's shared
# libraries for name lookups.
quietly bash -euo pipefail -c "set -x; $(cat "$work/commands"); export -p >'$work/exports'"
source "$work/exports"

promise "the README's CMake project finds the package through CMAKE_PREFIX_PATH"
mkdir "$work/project"
cp till.c "$work/project"
blocks cmake "$project/docs/get.md" >"$work/project/CMakeLists.txt"
quietly "$cmake" -S "$work/project" -B "$work/project/build"
quietly "$cmake" --build "$work/project/build"

promise "the programs find the library without LD_LIBRARY_PATH, and create an order"
file_kind=$(readelf -lW till-static)
! grep -q INTERP <<<"$file_kind" || fail "till-static needs a dynamic loader"
for program in ./till ./till-static ./till-cpp "$work/project/build/till"; do
    # Each program creates an order with the same number, so each needs a new sandbox.
    start_sandbox
    url=$(sed -n 's/.* listens at \(http[^ ]*\) .*/\1/p' "$work/sandbox.txt")
    source <(blocks sh "$project/docs/get.md" | sed -n '/^export PAYORDER_/p' |
        sed "s#http://127.0.0.1:8080#$url#")
    "$program" >"$work/shown" || fail "$program does not work"
    has "$work/shown" "^send the customer to $url/checkout/"
    stop_sandbox
done

echo "README: its installation works as written"
