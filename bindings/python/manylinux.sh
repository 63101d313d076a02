#!/usr/bin/env bash
# Builds the wheels of payorder and payorder-tools for every Linux on x86-64 since 2014
# (manylinux_2_17_x86_64) and lets auditwheel check them. Needs Linux on x86-64, Rust, and Python 3.9 or later; the linker for the old glibc comes
# from PyPI.
#
#   bindings/python/manylinux.sh FOLDER
#
# If PAYORDER_PREBUILT and PAYORDER_PREBUILT_SANDBOX are set, they are the libpayorder.so and the
# payorder-sandbox to pack, which must be built for glibc 2.17.
set -euo pipefail
[ $# = 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
library=${PAYORDER_PREBUILT:+$(realpath "$PAYORDER_PREBUILT")}
sandbox=${PAYORDER_PREBUILT_SANDBOX:+$(realpath "$PAYORDER_PREBUILT_SANDBOX")}
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."

if [ -z "$library$sandbox" ]; then
    target=${CARGO_TARGET_DIR:-$PWD/target}
    tools=$(mktemp -d)
    trap 'rm -rf "$tools"' EXIT
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet cargo-zigbuild ziglang
    # As in hatch_build.py, but for the old glibc.
    build() {
        PATH="$tools/bin:$PATH" cargo-zigbuild rustc --locked "$@" \
            --target=x86_64-unknown-linux-gnu.2.17 --target-dir="$target" --profile=wheel \
            --config="profile.wheel.inherits='release'" -- -C strip=symbols
    }
    build --package payorder --lib --crate-type=cdylib
    build --package=payorder-sandbox --example=sandbox
    built=$target/x86_64-unknown-linux-gnu/wheel
    library=$built/libpayorder.so
    sandbox=$built/examples/sandbox
fi
bindings/python/wheel.sh "$folder" manylinux_2_17_x86_64 "$library" "$sandbox"
