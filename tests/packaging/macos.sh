#!/usr/bin/env bash
# macos.sh [--from FOLDER] [SYSTEM...]
#
# The archives for macOS, of which nothing can be run here: what is in them, what the files need, show
# and are signed with. Only the code of the x86-64 library is run, by a small loader: it makes an order
# and sees it paid. FOLDER has archives that packaging/release has made; without it they are made here.
#
# Needs the tools of packaging/release and curl.
source "$(dirname "$0")/harness.sh"
archives=""
if [ "${1:-}" = --from ]; then
    archives=$(cd "$2" && pwd)
    shift 2
fi
[ $# -gt 0 ] || set -- x86_64-macos aarch64-macos
cd "$project"
# With this machine's Rust; macos-tools chooses another one.
quietly cargo build --locked --example sandbox

# shown FILE: the symbols that a program or another library can see.
shown() {
    "llvm-nm$llvm" -m --defined-only "$1" 2>/dev/null |
        awk '/ external / && !/private external/ { print $NF }' | sed 's/^_//' | sort -u
}
# broken TEXT OTHER: a copy of the library in which a text is another one of the same length.
broken() { LC_ALL=C sed "s,$1,$2," "$library" >"$work/broken"; }

for system in "$@"; do
    source packaging/macos-tools "$system"
    promise "$system: the archive is made, and has every file with its checksum"
    [ -n "$archives" ] || quietly packaging/release --out "$work/out" "$system"
    name=payorder-$version-$system
    tar -xzf "${archives:-$work/out}/$name.tar.gz" -C "$work"
    release=$work/$name
    (cd "$release" && quietly sha256sum --check --strict SHA256SUMS)
    library=$release/lib/libpayorder.1.dylib
    for file in lib/{libpayorder.dylib,libpayorder.a,pkgconfig/payorder.pc} \
        lib/cmake/payorder/payorder-config{,-version}.cmake include/payorder.{h,hpp} \
        share/man/man3/payorder_create_order.3 share/doc/payorder/{payorder.cdx.json,LICENSE-THIRD-PARTY}; do
        [ -s "$release/$file" ] || fail "$file is not in the archive"
    done
    has "$release/share/doc/payorder/payorder.cdx.json" '"name": "security-framework"'
    has "$release/share/doc/payorder/LICENSE-THIRD-PARTY" '^security-framework [0-9]'
    paths=$(printf '%s|' "$project" "${CARGO_HOME:-$HOME/.cargo}" "$rust_source" "$tools")/tmp/tmp\.
    ! grep -rlaE "$paths" "$release" || fail "a file contains a path of this machine"

    promise "$system: the libraries show the header's functions and nothing else"
    same "exports" "$(declared)" "$(shown "$library")"
    same "the archive's symbols" "$(declared)" "$(shown "$release/lib/libpayorder.a")"
    ! "llvm-nm$llvm" -m --defined-only "$release/lib/libpayorder.a" 2>/dev/null |
        grep -E '[^-]external _(sqlite3_|ring_|rust_)' || fail "the archive has names of its parts"
    # A library of a program, which has the archive in it and uses all of it.
    declared | sed 's/^/-u _/' >"$work/wanted"
    architecture=${system%-macos}
    quietly "$mac_linker" -dylib -dead_strip -arch "${architecture/aarch64/arm64}" -syslibroot "$SDKROOT" \
        -platform_version macos "$MACOSX_DEPLOYMENT_TARGET" "$MACOSX_DEPLOYMENT_TARGET" -lSystem \
        -framework Security -framework CoreFoundation $(cat "$work/wanted") \
        "$release/lib/libpayorder.a" -o "$work/other.dylib"
    same "what a library with the archive shows" "$(declared)" "$(shown "$work/other.dylib")"

    promise "$system: the files need only the system, are for its oldest version, and are signed"
    quietly "${portable[@]}" "$library" "$release"/bin/payorder-*
    broken Security.framework/V Sekurity.framework/V
    refused "it needs /System/Library/Frameworks/Sekurity" "${portable[@]}" "$work/broken"
    broken @rpath/libpayorder.1 @rpath/libpayorder.2
    refused "its install name is" "${portable[@]}" "$work/broken"
    broken "unknown configuration key" "unknown configuration kez"
    refused "the signature of its page" "${portable[@]}" "$work/broken"
    [ "$system" = aarch64-macos ] && other=x86_64-macos || other=aarch64-macos
    refused "it is not for this processor" python3 packaging/portable_macos.py "$other" "$library"

    if [ "$system" = x86_64-macos ]; then
        promise "$system: the code of both libraries makes an order, and sees it paid"
        quietly cc -std=gnu11 -Wall -Wextra -Werror -Iinclude tests/packaging/macos.c -o "$work/macos" -ldl
        start_sandbox "$CARGO_TARGET_DIR/debug/examples/sandbox"
        for file in "$library" "$work/other.dylib"; do
            "$work/macos" "$file" "$config" "MAC-$(basename "$file")" >"$work/sale.txt" || fail "no sale"
            same "the status" Completed "$(cat "$work/sale.txt")"
        done
        stop_sandbox
    fi

    promise "$system: its wheels have library and sandbox"
    tag=$(awk -v wanted="$system" '$1 == wanted { print $7 }' packaging/targets)
    quietly bindings/python/wheel.sh "$work/wheels" "$tag" "$library" "$release/bin/payorder-sandbox"
    unzip -p "$work"/wheels/payorder-*"$tag".whl payorder/libpayorder.dylib | cmp - "$library" ||
        fail "the wheel has another library"
    unzip -p "$work"/wheels/payorder_tools-*"$tag".whl payorder_tools/payorder-sandbox |
        cmp - "$release/bin/payorder-sandbox" || fail "the wheel has another sandbox"
    refused "PAYORDER_WHEEL_PLATFORM is win_amd64" \
        bindings/python/wheel.sh "$work/wheels" win_amd64 "$library" "$release/bin/payorder-sandbox"
    echo "$system: $(stat -c %s "$library") bytes"
done

echo "macos: all promises kept"
