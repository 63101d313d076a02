# Sourced by bindings/test, installed and sanitizers: writes the constants of the packages, and builds
# the library and the sandbox, unless their paths are in PAYORDER_LIBRARY and PAYORDER_SANDBOX.
"$(dirname "${BASH_SOURCE[0]}")/constants.py" >/dev/null
target=${CARGO_TARGET_DIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/target}
if [ -z "${PAYORDER_LIBRARY:-}" ]; then
    cargo build --quiet --lib
    export PAYORDER_LIBRARY=$target/debug/libpayorder.so
fi
if [ -z "${PAYORDER_SANDBOX:-}" ]; then
    cargo build --quiet --example sandbox
    export PAYORDER_SANDBOX=$target/debug/examples/sandbox
fi
