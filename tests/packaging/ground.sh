# What the tests of the packaging stand on; to be sourced. Each of them works in $work, a new folder outside the checkout, which is gone afterwards.
set -euo pipefail
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
sandbox=""
cmake=${CMAKE:-cmake}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$project/Cargo.toml" | head -n 1)
# One folder for all, or each test would compile the dependencies again.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$project/target}

leave() {
    stop_sandbox
    rm -rf "$work"
}
trap leave EXIT

promise() { printf 'promise: %s\n' "$*"; }

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# quietly COMMAND...: shows what it said only if it fails.
quietly() {
    "$@" >"$work/transcript" 2>&1 || {
        cat "$work/transcript"
        fail "$*"
    }
}

# refused WORDS COMMAND...: it must fail, and say these words.
refused() {
    local words=$1
    shift
    ! "$@" >"$work/transcript" 2>&1 || fail "it was not refused: $*"
    # CMake breaks its messages' lines.
    tr -s ' \n' '  ' <"$work/transcript" | grep -F "$words" >/dev/null || {
        cat "$work/transcript"
        fail "it does not say: $words"
    }
}

# has FILE PATTERN: some line of it matches.
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

# The functions that a shared library exports, with their versions; readelf, since nm may load another LLVM's plug-in.
exported() { readelf -W --dyn-syms "$1" | awk '$7 != "UND" && $4 != "OBJECT" && $5 != "LOCAL" && NF >= 8 { print $8 }' | grep -v '^Name$' | sort; }

# The functions that the header declares.
declared() { cc -E -P "$project/include/payorder.h" | grep -oE 'payorder_[a-z0-9_]+ ?\(' | tr -d ' (' | sort -u; }

# copy_to FOLDER: what the library is built from.
copy_to() {
    mkdir -p "$1"
    (cd "$project" && cp -r --parents .cargo CMakeLists.txt cmake Cargo.toml Cargo.lock build.rs include src benches examples tests "$1")
}

# make_defective COPY: the return URL ?txn=panic makes that library panic. $work/defect.c asks for it, and ends with the result: 11, PAYORDER_INTERNAL, where
# the panic ended at the boundary.
make_defective() {
    sed -i '/^pub fn parse_return_url/a\    assert!(!url.ends_with("panic"), "a defect");' "$1/src/gateway/return_url.rs"
    grep -q '"a defect"' "$1/src/gateway/return_url.rs" || fail "src/gateway/return_url.rs has no place for a defect"
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

# start_sandbox [PROGRAM]: the payment service, in whose $config a client finds it.
start_sandbox() {
    local program=${1:-$CARGO_TARGET_DIR/debug/examples/sandbox} try url=""
    [ $# -gt 0 ] || quietly cargo build --manifest-path "$project/Cargo.toml" --locked --example sandbox
    : >"$work/sandbox.txt"
    "$program" >"$work/sandbox.txt" &
    sandbox=$!
    for try in $(seq 400); do
        url=$(sed -n 's/.* listens at \(http[^ ]*\) .*/\1/p' "$work/sandbox.txt")
        [ -z "$url" ] || break
        sleep 0.05
    done
    [ -n "$url" ] || fail "the sandbox did not start in $try tries"
    config='{"baseUrl":"'$url'","accessToken":"sandbox-access-token","clientKey":"sandbox-client-key","clientId":"sandbox-client-id",
        "secretKey":"sandbox-secret-key","proxy":"none","timeoutMs":120000,"connectTimeoutMs":60000}'
}

orders=0
# works PROGRAM: a consumer that was built finds the library and makes an order.
works() {
    orders=$((orders + 1))
    "$1" "$version" "$config" "ORDER-$$-$orders" >"$work/transcript" 2>&1 || { cat "$work/transcript"; fail "$1 does not work"; }
    has "$work/transcript" 'http://127\.0\.0\.1:[0-9]+/checkout/'
}
