#!/usr/bin/env bash
# systems.sh [SYSTEM...]
#
# The releases for other processors and for musl: C and C++ programs are built against them and run,
# with the release's own sandbox, on this machine or under qemu. Without arguments: all of them.
#
# Needs Debian packages: qemu-user, libc6-arm64-cross, libc6-armhf-cross, libc6-i386, musl.
source "$(dirname "$0")/harness.sh"
[ $# -gt 0 ] || set -- aarch64-linux-gnu armv7-linux-gnueabihf i686-linux-gnu x86_64-linux-musl \
    aarch64-linux-musl

# musl's loader for aarch64 is in a package of that architecture, which is unpacked, not installed.
musl_for_aarch64() {
    local root=$work/musl-aarch64 side=$work/apt-arm64
    local apt=(-o "Dir::State::lists=$side/lists" -o "Dir::Cache=$side/cache"
        -o APT::Architectures::=amd64 -o APT::Architectures::=arm64 -o APT::Sandbox::User=root)
    mkdir -p "$side"/{lists/partial,cache/archives/partial}
    apt-get "${apt[@]}" -q update >/dev/null 2>&1 || true
    (cd "$side" && quietly apt-get "${apt[@]}" -q download musl:arm64)
    dpkg -x "$side"/*.deb "$root"
    echo "$root"
}

# A service that makes an order of every request, for programs that misuse the library. Sets $url.
start_service() {
    : >"$work/service.txt"
    python3 -c '
import http.server

class Service(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        body = b"""{"responseCode":"200","responseMessage":"Success","data":{"url":"http://127.0.0.1/pay"}}"""
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *about):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
print("http://127.0.0.1:%d" % server.server_port, flush=True)
server.serve_forever()
' >"$work/service.txt" &
    sandbox=$!
    until [ -s "$work/service.txt" ]; do sleep 0.05; done
    config=${config/"$url"/"$(cat "$work/service.txt")"}
}

# The command that runs a program of this system, if it does not run by itself.
runner() {
    case "$1" in
    aarch64-linux-gnu) echo "qemu-aarch64 -L /usr/aarch64-linux-gnu" ;;
    armv7-*) echo "qemu-arm -L /usr/arm-linux-gnueabihf" ;;
    aarch64-linux-musl) echo "qemu-aarch64 -L $(musl_for_aarch64)" ;;
    i686-linux-gnu | x86_64-linux-musl) ;;
    *) fail "nothing here runs programs for $1" ;;
    esac
}

# The platform tag of the wheel for a system.
wheel_tag() {
    case "$1" in
    armv7-*) echo manylinux_2_17_armv7l ;;
    *-linux-gnu) echo "manylinux_2_17_${1%%-*}" ;;
    *-linux-musl) echo "musllinux_1_2_${1%%-*}" ;;
    esac
}

for system in "$@"; do
    promise "$system: the release is built, is portable, and exports the header's functions"
    quietly "$project/packaging/release" --out "$work/out" "$system"
    name=payorder-$version-$system
    tar -xzf "$work/out/$name.tar.gz" -C "$work"
    release=$work/$name
    (cd "$release" && quietly sha256sum --check --strict SHA256SUMS)
    library=$release/lib/libpayorder.so.1
    "$project/packaging/portable" "$library" "$release/bin/payorder-sandbox"
    same "exports" "$(declared)" "$(exported "$library" | sed 's/@.*//' | grep -v '^PAYORDER_1$')"

    promise "$system: C and C++ programs make orders, share a client, fork, and misuse is a result"
    run=$(runner "$system")
    printf '#!/bin/sh\nexec %s "$@"\n' "$run" >"$work/run"
    printf '#!/bin/sh\nexec %s "%s"\n' "$run" "$release/bin/payorder-sandbox" >"$work/run-sandbox"
    chmod +x "$work/run" "$work/run-sandbox"
    compiler=$CARGO_TARGET_DIR/release-tools/bin/zig-cc-$system
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
    hosts=(many_threads fork fork_during_calls fork_with_tokens)
    for host in "${hosts[@]}" misuse; do
        build "$host" "tests/programs/$host.c" -std=gnu11 "${shared[@]}"
    done
    quietly "${compiler/zig-cc/zig-c++}" -std=c++17 -fPIE -pie -I"$release/include" \
        "$project/tests/packaging/consumer/consumer.cpp" -o "$programs/consumer_cpp" "${shared[@]}"

    start_sandbox "$work/run-sandbox"
    for consumer in consumer consumer_static consumer_cpp; do
        quietly "$work/run" "$programs/$consumer" "$version" "$config" "${consumer/#consumer/O-1}"
    done
    for host in "${hosts[@]}"; do
        quietly timeout 900 "$work/run" "$programs/$host" "$config"
    done
    url=$(echo "$config" | sed -n 's/.*"baseUrl":"\([^"]*\)".*/\1/p')
    stop_sandbox
    start_service
    quietly timeout 900 "$work/run" "$programs/misuse" "$config"
    stop_sandbox

    promise "$system: its wheel has the library, and auditwheel accepts the platform tag"
    tag=$(wheel_tag "$system")
    quietly "$project/bindings/python/wheel.sh" "$work/wheels" "$tag" "$library"
    unzip -p "$work"/wheels/payorder-*"$tag".whl payorder/libpayorder.so >"$work/packed.so"
    same "the library in the wheel" "$(exported "$library")" "$(exported "$work/packed.so")"
    echo "$system: $(stat -c %s "$library") bytes"
done

echo "systems: all promises kept"
