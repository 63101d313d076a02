# Sourced by bindings/test, installed and sanitizers: writes the constants of the packages, and builds
# the library and the sandbox, unless their paths are in PAYORDER_LIBRARY and PAYORDER_SANDBOX.
"$(dirname "${BASH_SOURCE[0]}")/generate" >/dev/null
target=${CARGO_TARGET_DIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/target}
if [ -z "${PAYORDER_LIBRARY:-}" ] || [ -z "${PAYORDER_SANDBOX:-}" ]; then
    # The library alone would have its crates with other features than in `cargo test`, and cargo would
    # write the file again each time, also while another job uses it.
    cargo build --quiet --lib --example sandbox
    export PAYORDER_LIBRARY=${PAYORDER_LIBRARY:-$target/debug/libpayorder.so}
    export PAYORDER_SANDBOX=${PAYORDER_SANDBOX:-$target/debug/examples/sandbox}
fi

# have TOOL...: whether all are installed.
have() {
    local tool
    for tool in "$@"; do command -v "$tool" >/dev/null || return 1; done
}

# each RUN LANGUAGE...: runs the function for each language, for $at_once of them at a time, because
# most tests wait. One that returns 77 lacks a tool, which is a failure if PAYORDER_TESTS_WANT_ALL=1.
at_once=2
each() {
    local run=$1 running=0 passed failed=() language
    shift
    passed=$(mktemp)
    # With process groups of their own, so that the programs do not ignore SIGINT.
    [ $# = 1 ] || set -m
    trap 'kill -- $(jobs -p | sed "s/^/-/"); exit 130' INT TERM
    for language in "$@"; do
        [ $((running += 1)) -le $at_once ] || wait -n || true
        if [ $# = 1 ]; then one "$run" "$language"; else one "$run" "$language" 2>&1 | together & fi
    done
    wait
    # Whatever did not say that it passed has failed.
    for language in "$@"; do grep -qx "$language" "$passed" || failed+=("$language"); done
    rm "$passed"
    [ ${#failed[@]} = 0 ] || {
        echo "FAILED: ${failed[*]}" >&2
        exit 1
    }
}

# one RUN LANGUAGE: runs the function for the language, and writes its name to the file `passed` if it
# does not fail.
one() {
    local status
    printf '== %s\n' "$2"
    # Not `|| status=$?`, which would switch `set -e` off inside.
    set +e
    (
        set -e
        "$1" "$2"
    )
    status=$?
    set -e
    if [ $status = 77 ]; then
        echo "skipped: its tools are not installed"
        [ -n "${PAYORDER_TESTS_WANT_ALL:-}" ] || status=0
    fi
    [ $status != 0 ] || echo "$2" >>"$passed"
}

# together: prints its input when it ends.
together() {
    local text
    text=$(cat)
    printf '%s\n' "$text"
}
