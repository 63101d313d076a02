#!/usr/bin/env bash
# Runs the C and C++ programs, and the C++ driver of the conformance suite, under
# AddressSanitizer with leak detection, and under valgrind: no errors, no leaks.
#
# For AddressSanitizer the library is built with the nightly toolchain. It and its dependencies are
# instrumented. The standard library is not, but it also uses the sanitizer's malloc. If something
# is missing on the machine, the test says so and is skipped; with PAYORDER_TESTS_WANT_ALL set that
# is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-$PWD/target}
work=$(mktemp -d)
sandbox=""
trap 'stop_sandbox; rm -rf "$work"' EXIT

# The programs of tests/programs and tests/sanitized that need only the sandbox, and send no order
# twice. The others need special services or limits.
programs=(lifecycle misuse many_threads no_descriptors fork fork_during_calls)

# The same for tests/programs/hpp. Programs with their own memory replace operator new, as valgrind
# does, so they run only under AddressSanitizer.
cpp_programs=(texts ownership logging cancellation no_exceptions)
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

# Starts a new sandbox, which has no orders yet, and sets url.
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

# compile FLAG...: compiles the programs, the till and the soak with the library in the flags.
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
        g++ -std=c++17 -g -pthread -Iinclude "${without[@]}" "tests/programs/hpp/$name.cpp" "$@" \
            -o "$work/cpp_$name"
    done
    g++ -std=c++17 -g -pthread -Iinclude bindings/conformance/drivers/driver.cpp "$@" \
        -o "$work/driver_cpp"
}

# expect CODE NAME COMMAND...: runs a command that must exit with this code.
expect() {
    local expected=$1 name=$2 code=0
    shift 2
    timeout 900 "$@" >"$work/transcript" 2>&1 </dev/null || code=$?
    if [ "$code" != "$expected" ]; then
        cat "$work/transcript"
        echo "FAILED: $name exited with $code, expected $expected"
        exit 1
    fi
    echo "clean: $name"
}

# run_host NAME WORD...: runs a program under the command in the words.
run_host() {
    local name=$1
    shift
    start_sandbox
    expect 0 "$name" "$@" "$work/$name" '{"baseUrl":"'"$url"'",
        "accessToken":"sandbox-access-token","clientKey":"sandbox-client-key",
        "clientId":"sandbox-client-id","secretKey":"sandbox-secret-key",
        "proxy":"none","timeoutMs":120000,"connectTimeoutMs":60000}'
}

# run_all WORD...: runs every program under the command in the words. Programs that fork and the
# soak have their own commands.
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
    export PAYORDER_BASE_URL=$url PAYORDER_ACCESS_TOKEN=sandbox-access-token
    export PAYORDER_CLIENT_KEY=sandbox-client-key
    export PAYORDER_CLIENT_ID=sandbox-client-id PAYORDER_SECRET_KEY=sandbox-secret-key
    # The till asks about an order that nobody pays for most of this time.
    export SALE_SECONDS=20
    expect 3 "till, an order that nobody pays" "$@" "$work/till" 100.10 OPEN
    expect 3 "till, an order whose response is lost" "$@" "$work/till" 100.10 LOST sandbox:drop-after-commit
    expect 3 "till, an order that the service does not have" "$@" "$work/till" 100.10 UNKNOWN \
        "sandbox:drop-before"
    expect 2 "till, an order that is refused" "$@" "$work/till" 100.10 REFUSED sandbox:reject
    expect 1 "till, an order that breaks a rule" "$@" "$work/till" 0.10 SMALL
    # It is not linked in a way in which another library could take the place of ours.
    start_sandbox
    expect 0 driver_cpp bindings/conformance/judge --sandbox "$url" \
        --except library-of-another-abi "$@" "$work/driver_cpp"
    expect 0 "driver_cpp, started calls" bindings/conformance/judge --sandbox "$url" \
        --only '*queued*' --only 'time-*' --only 'last-*' \
        "$@" "$work/driver_cpp" --started
    stop_sandbox

    # The soak covers TLS, connection faults and name lookups.
    printf '#!/bin/sh\nexec %s "%s" "$@"\n' "${under_soak[*]}" "$work/soak" >"$work/soak-under"
    chmod +x "$work/soak-under"
    expect 0 soak env PAYORDER_SOAK_PROGRAM="$work/soak-under" PAYORDER_SOAK_SECONDS=8 \
        cargo test -q --test endurance
}

under_address_sanitizer() {
    local host archive
    host=$(rustc -vV | sed -n 's/^host: //p')
    archive=$target/sanitized/$host/debug/libpayorder.a
    # With --target, build scripts and macros are not instrumented.
    RUSTFLAGS=-Zsanitizer=address CARGO_TARGET_DIR=$target/sanitized \
        cargo +nightly rustc -q --package payorder --lib --crate-type staticlib --target "$host"
    compile -fsanitize=address "$archive" -lgcc_s -lutil -lrt -lm -ldl
    under_soak=(env)
    under_fork=(env)
    # In a child forked during calls, the sanitizer's allocator can wait forever for a lock that
    # another thread held. The C library's allocator does not.
    under_fork_during_calls=()
    # An exit code that no program uses.
    ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1:exitcode=9 \
        LSAN_OPTIONS=exitcode=9 run_all env
    local name
    for name in "${cpp_programs_of_their_own_memory[@]/#/cpp_}"; do
        run_host "$name" env
    done
}

under_valgrind() {
    compile "$target/debug/libpayorder.so" "-Wl,-rpath,$target/debug"
    # Without the gdb server, which opens files in the programs. With fair scheduling, so that no
    # thread is paused for longer than the sandbox's timeout.
    local valgrind=(valgrind -q --vgdb=no --fair-sched=yes --error-exitcode=9)
    # A forked child does not free its parent's connections, because another thread may have been
    # using them. That is intended, so leaks are not checked.
    under_fork=("${valgrind[@]}")
    under_fork_during_calls=("${valgrind[@]}")
    # Memory reachable from statics is not a leak: the map of clients, the panic hook, and the data
    # that arc-swap keeps for each thread.
    valgrind+=(--leak-check=full --errors-for-leak-kinds=definite,indirect,possible)
    # With TLS, undefined values are not checked: valgrind cannot follow the assembly of ring's
    # hashes, and reports every key as undefined.
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
elif ! echo 'int main(void) { return 0; }' |
    gcc -fsanitize=address -x c - -o "$work/probe" 2>/dev/null || ! "$work/probe"; then
    left_out "AddressSanitizer: gcc cannot link with it, or its programs do not run here"
else
    echo "== AddressSanitizer"
    under_address_sanitizer
fi

if ! have valgrind; then
    left_out "valgrind is not installed"
else
    echo "== valgrind"
    under_valgrind
fi
echo "no error, no leak"
