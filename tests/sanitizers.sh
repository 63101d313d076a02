#!/usr/bin/env bash
# The C and C++ programs under AddressSanitizer with its leak detection, and under valgrind: no error, no leak.
#
# For AddressSanitizer the library is built by the nightly. It and its dependencies are instrumented; the standard library is not, but its memory too
# comes from the sanitizer's malloc. What is missing on the machine is left out, and said; with PAYORDER_TESTS_WANT_ALL set that is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-$PWD/target}
work=$(mktemp -d)
sandbox=""
trap 'stop_sandbox; rm -rf "$work"' EXIT

# Of tests/programs those that only want a service that makes orders, and make none twice. The others want services or limits of their own.
programs=(lifecycle many_threads no_descriptors fork fork_during_calls)

# Of tests/programs/hpp, likewise; those of their own memory replace operator new, as valgrind does, so they run under AddressSanitizer only.
cpp_programs=(outcomes texts ownership logging whole_life no_exceptions)
cpp_programs_of_their_own_memory=(no_memory wiped)

have() { command -v "$1" >/dev/null 2>&1; }

left_out() {
    echo "SKIPPED: $1"
    [ -z "${PAYORDER_TESTS_WANT_ALL:-}" ] || exit 1
}

stop_sandbox() {
    [ -n "$sandbox" ] || return 0
    kill "$sandbox" 2>/dev/null || true
    wait "$sandbox" 2>/dev/null || true
    sandbox=""
}

# Sets url. A new one each time, to which no order is known yet.
start_sandbox() {
    stop_sandbox
    : >"$work/sandbox.txt"
    "$target/debug/examples/sandbox" >"$work/sandbox.txt" &
    sandbox=$!
    local try
    for try in $(seq 400); do
        url=$(sed -n 's/.* listens at \(http[^ ]*\) .*/\1/p' "$work/sandbox.txt")
        [ -z "$url" ] || return 0
        sleep 0.05
    done
    echo "the sandbox did not start in $try tries"
    exit 1
}

# compile FLAG...: the programs, the till and the soak, against the library that the flags name.
compile() {
    local name source
    for name in "${programs[@]}" till soak; do
        source=$(find tests examples/c -name "$name.c")
        gcc -std=gnu11 -g -pthread -Iinclude "$source" "$@" -o "$work/$name"
    done
    local without
    for name in "${cpp_programs[@]}" "${cpp_programs_of_their_own_memory[@]}"; do
        without=()
        [ "$name" != no_exceptions ] || without=(-fno-exceptions -fno-rtti)
        g++ -std=c++17 -g -pthread -Iinclude "${without[@]}" "tests/programs/hpp/$name.cpp" "$@" -o "$work/cpp_$name"
    done
}

# expect CODE NAME COMMAND...: runs a command that must say nothing against itself and end with the code.
expect() {
    local expected=$1 name=$2 code=0
    shift 2
    timeout 900 "$@" >"$work/transcript" 2>&1 </dev/null || code=$?
    if [ "$code" != "$expected" ]; then
        cat "$work/transcript"
        echo "FAILED: $name ended with $code, not $expected"
        exit 1
    fi
    echo "clean: $name"
}

# run_host NAME WORD...: one of the programs, under the command that the words make.
run_host() {
    local name=$1
    shift
    start_sandbox
    expect 0 "$name" "$@" "$work/$name" '{"baseUrl":"'"$url"'","accessToken":"sandbox-access-token","clientKey":"sandbox-client-key",
        "clientId":"sandbox-client-id","secretKey":"sandbox-secret-key","proxy":"none","timeoutMs":120000,"connectTimeoutMs":60000}'
}

# run_all WORD...: every program, under the command that the words make; those that fork and the soak under
# words of their own.
run_all() {
    local name under
    for name in "${programs[@]}"; do
        case $name in
        fork) under=("${under_fork[@]}") ;;
        fork_during_calls) under=("${under_fork_during_calls[@]}") ;;
        *) under=("$@") ;;
        esac
        [ ${#under[@]} -gt 0 ] || continue
        run_host "$name" "${under[@]}"
    done
    for name in "${cpp_programs[@]/#/cpp_}"; do
        run_host "$name" "$@"
    done
    start_sandbox
    export PAYORDER_BASE_URL=$url PAYORDER_ACCESS_TOKEN=sandbox-access-token PAYORDER_CLIENT_KEY=sandbox-client-key
    export PAYORDER_CLIENT_ID=sandbox-client-id PAYORDER_SECRET_KEY=sandbox-secret-key
    expect 4 "till, an order that nobody pays" "$@" "$work/till" 100.10 OPEN
    expect 4 "till, an order whose answer is lost" "$@" "$work/till" 100.10 LOST sandbox:drop-after-commit
    expect 3 "till, an order that nobody can tell of" "$@" "$work/till" 100.10 UNTOLD "sandbox:drop-before"
    expect 2 "till, an order that is refused" "$@" "$work/till" 100.10 REFUSED sandbox:reject
    expect 1 "till, an order that breaks a rule" "$@" "$work/till" 0.10 SMALL
    stop_sandbox

    # The soak brings TLS, broken connections and name lookups.
    printf '#!/bin/sh\nexec %s "%s" "$@"\n' "${under_soak[*]}" "$work/soak" >"$work/soak-under"
    chmod +x "$work/soak-under"
    expect 0 soak env PAYORDER_SOAK_PROGRAM="$work/soak-under" PAYORDER_SOAK_SECONDS=8 cargo test -q --test endurance
}

under_address_sanitizer() {
    local host archive
    host=$(rustc -vV | sed -n 's/^host: //p')
    archive=$target/sanitized/$host/debug/libpayorder.a
    # A target of its own, or build scripts and macros would be instrumented as well.
    RUSTFLAGS=-Zsanitizer=address CARGO_TARGET_DIR=$target/sanitized cargo +nightly rustc -q --lib --crate-type staticlib --target "$host"
    compile -fsanitize=address "$archive" -lgcc_s -lutil -lrt -lm -ldl
    under_soak=(env)
    under_fork=(env)
    # In a child that was forked amid calls the sanitizer's own allocator waits for ever for a lock that another thread held; the C library's does not.
    under_fork_during_calls=()
    # A code that no program ends with by itself.
    ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1:exitcode=9 LSAN_OPTIONS=exitcode=9 run_all env
    local name
    for name in "${cpp_programs_of_their_own_memory[@]/#/cpp_}"; do
        run_host "$name" env
    done
}

under_valgrind() {
    compile "$target/debug/libpayorder.so" "-Wl,-rpath,$target/debug"
    # Without its debugger, which opens files in the programs; and fair, or one thread may stand still for longer than the sandbox waits for it.
    local valgrind=(valgrind -q --vgdb=no --fair-sched=yes --error-exitcode=9)
    # A forked child leaves its parent's connections alone, unfreed, since another thread may have been at work on them: that is meant, and no leak.
    under_fork=("${valgrind[@]}")
    under_fork_during_calls=("${valgrind[@]}")
    # What statics lead to at the end is no leak: the map of clients, the hook for panics, and what arc-swap keeps for each thread that there was.
    valgrind+=(--leak-check=full --errors-for-leak-kinds=definite,indirect,possible "--suppressions=$PWD/tests/sanitized/valgrind.supp")
    # With TLS whether values are defined is not asked: valgrind loses the track of that in the assembly of ring's hashes, and takes every key for undefined.
    under_soak=("${valgrind[@]}" --undef-value-errors=no)
    run_all "${valgrind[@]}"
}

if ! have gcc || ! have g++; then
    left_out "the C programs under sanitizers: there is no gcc, or no g++"
    exit 0
fi
cargo build -q --lib --example sandbox
cargo test -q --test endurance --no-run

if ! cargo +nightly --version >/dev/null 2>&1; then
    left_out "AddressSanitizer: there is no nightly Rust"
elif ! echo 'int main(void) { return 0; }' | gcc -fsanitize=address -x c - -o "$work/probe" 2>/dev/null || ! "$work/probe"; then
    left_out "AddressSanitizer: gcc cannot link with it, or its programs do not run here"
else
    echo "== AddressSanitizer"
    under_address_sanitizer
fi

if ! have valgrind; then
    left_out "valgrind, which is not there"
else
    echo "== valgrind"
    under_valgrind
fi
echo "no error, no leak"
