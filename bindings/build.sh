# Sourced by bindings/test, installed and sanitizers: writes the constants of the packages, and builds
# the library and the sandbox, unless their paths are in PAYORDER_LIBRARY and PAYORDER_SANDBOX.
"$(dirname "${BASH_SOURCE[0]}")/generate" >/dev/null
target=${CARGO_TARGET_DIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/target}
if [ -z "${PAYORDER_LIBRARY:-}" ]; then
    cargo build --quiet --lib
    export PAYORDER_LIBRARY=$target/debug/libpayorder.so
fi
if [ -z "${PAYORDER_SANDBOX:-}" ]; then
    cargo build --quiet --example sandbox
    export PAYORDER_SANDBOX=$target/debug/examples/sandbox
fi

# have TOOL...: whether all are installed.
have() {
    local tool
    for tool in "$@"; do command -v "$tool" >/dev/null || return 1; done
}

# each RUN LANGUAGE...: runs the function for each language, to its first failure. One that returns
# 77 lacks a tool, which is a failure if PAYORDER_TESTS_WANT_ALL=1.
each() {
    local run=$1 failed=() language status
    shift
    for language in "$@"; do
        printf '== %s\n' "$language"
        # Not `|| status=$?`, which would switch `set -e` off inside.
        set +e
        (
            set -e
            "$run" "$language"
        )
        status=$?
        set -e
        if [ $status = 77 ]; then
            echo "skipped: its tools are not installed"
            [ -n "${PAYORDER_TESTS_WANT_ALL:-}" ] || continue
        fi
        [ $status = 0 ] || failed+=("$language")
    done
    [ ${#failed[@]} = 0 ] || {
        echo "FAILED: ${failed[*]}" >&2
        exit 1
    }
}
