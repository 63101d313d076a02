# Functions for the packaging tests, which source this file. Each test works in $work, a new folder
# outside the checkout, which is removed at the end.
set -euo pipefail
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
sandbox=""
cmake=${CMAKE:-cmake}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$project/Cargo.toml" | head -n 1)
# One target folder for all tests, so that the dependencies are compiled once.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$project/target}

# unoptimised: from now on, what is built for a release is not optimised, which takes half the time.
# With PAYORDER_UNOPTIMISED, this holds for the whole test.
unoptimised() {
    export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_OPT_LEVEL=0
    export CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
    export RUSTC_WRAPPER=$project/tests/packaging/rustc-unoptimised
}
[ -z "${PAYORDER_UNOPTIMISED:-}" ] || unoptimised

leave() {
    stop_sandbox
    rm -rf "$work"
}
trap leave EXIT

promise() { printf 'promise: %s (after %s s)\n' "$*" "$SECONDS"; }

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# quietly COMMAND...: runs the command, and shows its output only if it fails.
quietly() {
    "$@" >"$work/transcript" 2>&1 || {
        cat "$work/transcript"
        fail "$*"
    }
}

# refused WORDS COMMAND...: the command must fail with this message, and without a traceback.
refused() {
    local words=$1
    shift
    ! "$@" >"$work/transcript" 2>&1 || fail "the command did not fail: $*"
    # CMake wraps its messages.
    tr -s ' \n' '  ' <"$work/transcript" | grep -F "$words" >/dev/null || {
        cat "$work/transcript"
        fail "the message does not have: $words"
    }
    ! grep Traceback "$work/transcript" || fail "the message has a traceback"
}

# has FILE PATTERN: a line of the file must match.
has() { grep -qE -- "$2" "$1" || { cat "$1"; fail "$1 has no line that matches $2"; }; }

# same WHAT EXPECTED ACTUAL
same() { [ "$2" = "$3" ] || fail "$1: expected
$2
but it is
$3"; }

# install_to PREFIX BUILD [OPTION...]: configures, builds and installs with CMake.
install_to() {
    local prefix=$1 build=$2
    shift 2
    quietly "$cmake" -S "$project" -B "$build" "$@"
    quietly "$cmake" --build "$build"
    quietly "$cmake" --install "$build" --prefix "$prefix"
}

# The functions that a shared library exports, with their versions. Not nm, which may load another
# LLVM's plug-in.
exported() {
    readelf -W --dyn-syms "$1" |
        awk '$7 != "UND" && $4 != "OBJECT" && $5 != "LOCAL" && NF >= 8 { print $8 }' |
        grep -v '^Name$' | sort
}

# The functions that the header declares.
declared() {
    cc -E -P "$project/include/payorder.h" |
        grep -v '^typedef' | grep -oE 'payorder_[a-z0-9_]+ ?\(' | tr -d ' (' | sort -u
}

# copy_to FOLDER: copies everything from which the library is built.
copy_to() {
    mkdir -p "$1"
    (cd "$project" && cp -r --parents .cargo CMakeLists.txt cmake Cargo.toml Cargo.lock build.rs \
        include src core docs/generate docs/generator bindings/{bridge,generate,generator,python/payorder} \
        tools/payorder_tools benches examples tests "$1")
}

# make_defective COPY: makes that library panic for the return URL ?txn=panic. $work/defect.c uses
# that URL, and exits with the result: 11 (PAYORDER_INTERNAL) if the panic stopped at the boundary.
make_defective() {
    local source=$1/core/src/gateway/return_url.rs
    sed -i '/^pub fn parse_return_url/a\    assert!(!url.ends_with("panic"), "a defect");' "$source"
    grep -q '"a defect"' "$source" || fail "parse_return_url is not in core/src/gateway/return_url.rs"
}
cat >"$work/defect.c" <<'C'
#include <payorder.h>
int main(void)
{
    char *json = 0;
    payorder_result result = payorder_parse_return_url("?txn=panic", &json);
    payorder_string_free(json);
    return (int)result;
}
C

stop_sandbox() {
    [ -n "$sandbox" ] || return 0
    kill "$sandbox" 2>/dev/null || true
    wait "$sandbox" 2>/dev/null || true
    sandbox=""
}

# await_text FILE: waits until a program has written to the file.
await_text() {
    local try
    for try in $(seq 1200); do
        [ ! -s "$1" ] || return 0
        sleep 0.05
    done
    fail "nothing came to $1"
}

# start_sandbox [PROGRAM]: starts the sandbox. $config is the configuration for a client.
start_sandbox() {
    local program=${1:-$CARGO_TARGET_DIR/debug/examples/sandbox} try url=""
    [ $# -gt 0 ] ||
        quietly cargo build --manifest-path "$project/Cargo.toml" --locked --example sandbox
    : >"$work/sandbox.txt"
    "$program" >"$work/sandbox.txt" &
    sandbox=$!
    for try in $(seq 400); do
        url=$(sed -n 's/.* listens at \(http[^ ]*\) .*/\1/p' "$work/sandbox.txt")
        [ -z "$url" ] || break
        sleep 0.05
    done
    [ -n "$url" ] || fail "the sandbox did not start in $try tries"
    config='{"baseUrl":"'$url'","accessToken":"sandbox-access-token",
        "clientKey":"sandbox-client-key","clientId":"sandbox-client-id",
        "secretKey":"sandbox-secret-key","proxy":"none","timeoutMs":120000,"connectTimeoutMs":60000}'
}

orders=0
# works PROGRAM: the consumer program finds the library and creates an order.
works() {
    orders=$((orders + 1))
    "$1" "$version" "$config" "ORDER-$$-$orders" >"$work/transcript" 2>&1 || {
        cat "$work/transcript"
        fail "$1 does not work"
    }
    has "$work/transcript" 'http://127\.0\.0\.1:[0-9]+/checkout/'
}
