#!/usr/bin/env bash
# systems.sh [--from FOLDER] [SYSTEM...]
#
# The releases for other processors and for musl: C and C++ programs are built against them and run,
# with the release's own sandbox, on this machine or under qemu. So is the Python package, as far as
# Debian has a Python for the system. Without arguments: all systems. FOLDER has archives that
# packaging/release has made; without it they are made here.
#
# Needs the tools of packaging/release, those of tests/systems/runner, Python 3 and unzip.
source "$(dirname "$0")/harness.sh"
source "$project/tests/systems/debian"
archives=""
if [ "${1:-}" = --from ]; then
    archives=$(cd "$2" && pwd)
    shift 2
fi
[ $# -gt 0 ] || set -- aarch64-linux-gnu armv7-linux-gnueabihf i686-linux-gnu x86_64-linux-musl \
    aarch64-linux-musl

# The platform tag of the wheel for a system.
wheel_tag() { awk -v wanted="$1" '$1 == wanted { print $7 }' "$project/packaging/targets"; }

for system in "$@"; do
    promise "$system: the release is built, is portable, and exports the header's functions"
    [ -n "$archives" ] || quietly "$project/packaging/release" --out "$work/out" "$system"
    name=payorder-$version-$system
    tar -xzf "${archives:-$work/out}/$name.tar.gz" -C "$work"
    release=$work/$name
    (cd "$release" && quietly sha256sum --check --strict SHA256SUMS)
    library=$release/lib/libpayorder.so.1
    "$project/packaging/portable" "$library" "$release/bin/payorder-sandbox"
    same "exports" "$(declared)" "$(exported "$library" | sed 's/@.*//' | grep -v '^PAYORDER_1$')"

    promise "$system: C and C++ programs make orders, share a client, fork, and misuse is a result"
    run=("$project/tests/systems/runner" "$system")
    if [ "$system" = x86_64-linux-musl ]; then
        # An older musl than this machine's. A static program, such as the sandbox, has its own.
        unpacked "$CARGO_TARGET_DIR/debian/musl-amd64" bullseye amd64 musl
        run=("$work/run-musl")
        cat >"${run[0]}" <<END
#!/bin/sh
readelf --program-headers "\$1" | grep -q INTERP || exec "\$@"
exec "$CARGO_TARGET_DIR/debian/musl-amd64/lib/ld-musl-x86_64.so.1" "\$@"
END
        chmod +x "${run[0]}"
    fi
    printf '#!/bin/sh\nexec %s "%s"\n' "${run[*]}" "$release/bin/payorder-sandbox" \
        >"$work/run-sandbox"
    chmod +x "$work/run-sandbox"
    compiler=$(cd "$project" && source packaging/linux-tools "$system" &&
        source packaging/zig "$system" && echo "$compiler")
    programs=$work/programs-$system
    mkdir "$programs"
    build() { # NAME SOURCE ARGUMENT...: an executable that finds the library by its rpath
        local output=$1 source=$2
        shift 2
        quietly "$compiler" -pthread -fPIE -pie -I"$release/include" "$project/$source" \
            -o "$programs/$output" "$@"
    }
    shared=(-L"$release/lib" -lpayorder "-Wl,-rpath,$release/lib" -ldl)
    static=("$release/lib/libpayorder.a" -lutil -lrt -lpthread -lm -ldl -lunwind)
    build consumer tests/packaging/consumer/consumer.c -std=c99 "${shared[@]}"
    build consumer_static tests/packaging/consumer/consumer.c -std=c99 "${static[@]}"
    hosts=(many_threads fork fork_during_calls misuse)
    for host in "${hosts[@]}"; do
        build "$host" "tests/programs/$host.c" -std=gnu11 "${shared[@]}"
    done
    quietly "${compiler/zig-cc/zig-c++}" -std=c++17 -fPIE -pie -I"$release/include" \
        "$project/tests/packaging/consumer/consumer.cpp" -o "$programs/consumer_cpp" "${shared[@]}"

    start_sandbox "$work/run-sandbox"
    for consumer in consumer consumer_static consumer_cpp; do
        quietly "${run[@]}" "$programs/$consumer" "$version" "$config" "${consumer/#consumer/O-1}"
    done
    for host in "${hosts[@]}"; do
        quietly timeout 900 "${run[@]}" "$programs/$host" "$config"
    done
    stop_sandbox

    if [ "$system" = x86_64-linux-musl ]; then
        promise "$system: the sandbox runs in an image without anything else, and its health is known"
        if command -v buildah >/dev/null; then
            image() { buildah --root "$work/image" --runroot "$work/image-run" --storage-driver vfs "$@"; }
            image build --quiet --format docker --isolation chroot -t payorder-sandbox \
                -f "$project/examples/sandbox/Containerfile" "$release" >/dev/null
            image inspect --type image --format '{{.Docker.Config.Healthcheck.Test}}' \
                payorder-sandbox >"$work/health"
            has "$work/health" '/payorder-sandbox --health 8080'
            container=$(image from payorder-sandbox)
            inside() { image run --isolation chroot "$container" -- /payorder-sandbox "$@"; }
            printf '#!/bin/bash\nexec buildah %s run --isolation chroot %s -- /payorder-sandbox\n' \
                "--root $work/image --runroot $work/image-run --storage-driver vfs" "$container" \
                >"$work/in-image"
            chmod +x "$work/in-image"
            start_sandbox "$work/in-image"
            port=$(sed -n 's#.*http://127.0.0.1:\([0-9]*\).*#\1#p' "$work/sandbox.txt" | head -n 1)
            quietly inside --health "$port"
            quietly "${run[@]}" "$programs/consumer" "$version" "$config" O-image
            pkill -f "^/payorder-sandbox$" || fail "the sandbox is not in the image"
            stop_sandbox
            refused "no sandbox answers" inside --health "$port"
            image rm --all >/dev/null
            image rmi --all >/dev/null
        elif [ -n "${PAYORDER_TESTS_WANT_ALL:-}" ]; then
            fail "buildah is missing"
        else
            echo "SKIPPED: buildah is missing"
        fi
    fi

    promise "$system: its wheels have library and sandbox, and auditwheel accepts the platform tag"
    tag=$(wheel_tag "$system")
    quietly "$project/bindings/python/wheel.sh" "$work/wheels" "$tag" "$library" \
        "$release/bin/payorder-sandbox"
    mkdir -p "$work/packed"
    unzip -p "$work"/wheels/payorder-*"$tag".whl payorder/libpayorder.so \
        >"$work/packed/libpayorder.so.1"
    same "the library in the wheel" "$(exported "$library")" \
        "$(exported "$work/packed/libpayorder.so.1")"
    unzip -p "$work"/wheels/payorder_tools-*"$tag".whl payorder_tools/payorder-sandbox |
        cmp - "$release/bin/payorder-sandbox" || fail "the wheel has another sandbox"
    start_sandbox "$work/run-sandbox"
    quietly env LD_LIBRARY_PATH="$work/packed" "${run[@]}" "$programs/consumer" "$version" \
        "$config" O-wheel
    stop_sandbox
    status=0
    "$project/tests/systems/python" "$system" -c pass || status=$?
    if [ $status = 69 ]; then
        echo "$system: no Python runs the wheel here"
    else
        promise "$system: the Python package of the wheel passes the conformance suite"
        rm -rf "$work/site"
        for wheel in "$work"/wheels/payorder*"$tag".whl; do unzip -q "$wheel" -d "$work/site"; done
        cp "$project/bindings/python/conformance.py" "$work/site"
        quietly cargo build --manifest-path "$project/Cargo.toml" --locked --example sandbox
        # Not the wheel's sandbox, which this machine cannot start without qemu.
        (cd "$work/site" && PAYORDER_SANDBOX=$CARGO_TARGET_DIR/debug/examples/sandbox \
            quietly timeout 900 "$project/bindings/conformance/judge" \
            --except 'library-*' "$project/tests/systems/python" "$system" conformance.py)
    fi
    echo "$system: $(stat -c %s "$library") bytes"
done

echo "systems: all promises kept"
