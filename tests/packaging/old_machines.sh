#!/usr/bin/env bash
# old_machines.sh TARBALL: the release needs no glibc newer than 2.17, and runs in a root file
# system of Debian 11, the oldest version on Debian's mirrors.
#
# If something is missing on the machine, the test says so and is skipped; with
# PAYORDER_TESTS_WANT_ALL set that is a failure.
tarball=$(realpath "${1:?"usage: old_machines.sh TARBALL"}")
source "$(dirname "$0")/harness.sh"
source "$project/tests/systems/debian"

left_out() {
    echo "SKIPPED: $1"
    [ -z "${PAYORDER_TESTS_WANT_ALL:-}" ] || exit 1
    exit 0
}

tar -xzf "$tarball" -C "$work"
release=$(echo "$work"/payorder-*/)
portable=$project/packaging/portable

promise "it needs no glibc symbol newer than 2.17, and no library except glibc's"
"$portable" "$release/lib/libpayorder.so.1" "$release/bin/payorder-sandbox"
# The check must fail for a program built for this machine.
echo 'int main(void) { return 0; }' | cc -x c - -o "$work/of_today" -Wl,--no-as-needed -lstdc++
refused "needs what old systems do not have: " "$portable" "$work/of_today"
has "$work/transcript" 'libstdc\+\+'

promise "it runs on an old distribution: calls, threads, forks, loading and closing"
root=$work/root
command -v apt-get >/dev/null || left_out "Debian 11: there is no apt-get"
unpacked "$root" bullseye amd64 libc6 || left_out "Debian 11: its mirror cannot be reached"
mkdir -p "$root"/{tmp,proc}
[ -e "$root/lib64" ] || ln -s lib/x86_64-linux-gnu "$root/lib64"

# The programs look for open descriptors in /proc. It is mounted in a mount namespace of its own, so
# that it is unmounted at the end.
as_root=()
[ "$(id -u)" = 0 ] || as_root=(--map-root-user)
cat >"$work/inside" <<SH
#!/bin/sh
exec unshare --mount ${as_root[*]} sh -c \\
    'mount --rbind /proc "\$0/proc" && exec chroot "\$0" "\$@"' "$root" "\$@"
SH
chmod +x "$work/inside"
inside=$work/inside
glibc=$(strings -a "$root/lib/x86_64-linux-gnu/libc.so.6" |
    sed -n 's/^GNU C Library .* version \(2\.[0-9]*\).*/\1/p')
same "glibc of Debian 11" 2.31 "$glibc"

cp "$release/lib/libpayorder.so.1" "$root/lib/x86_64-linux-gnu"
cp "$release/bin/payorder-sandbox" "$root"
# The programs are built for the old glibc too.
compiler=${CARGO_TARGET_DIR}/release-tools/bin/zig-cc-x86_64-linux-gnu
[ -x "$compiler" ] || fail "the release's compiler is not in $compiler: run packaging/release first"
programs=(many_threads fork fork_during_calls)
for name in "${programs[@]}" dlopen; do
    quietly "$compiler" -std=gnu11 -pthread -I"$release/include" \
        "$project/tests/programs/$name.c" -o "$root/$name" "$release/lib/libpayorder.so.1" -ldl
done
quietly "$compiler" -std=c99 -I"$release/include" "$project/tests/packaging/consumer/consumer.c" \
    -o "$root/consumer" "$release/lib/libpayorder.so.1"
printf '#!/bin/sh\nexec %s /payorder-sandbox\n' "$inside" >"$work/sandbox-inside"
chmod +x "$work/sandbox-inside"
start_sandbox "$work/sandbox-inside"
quietly "$inside" /consumer "$version" "$config" O-1
quietly "$inside" /dlopen /lib/x86_64-linux-gnu/libpayorder.so.1 "$config"
for name in "${programs[@]}"; do
    quietly timeout 600 "$inside" "/$name" "$config"
done
stop_sandbox

promise "a panic also stops at the boundary there, with the release's own unwinder"
copy_to "$work/copy"
make_defective "$work/copy"
# Linked as in packaging/release. Its C code must be compiled for the old glibc too. The panic does
# not need the journal, whose SQLite takes long.
export CARGO_TARGET_DIR=$work/target PATH=$(dirname "$compiler"):$PATH
unoptimised
quietly "$cmake" -S "$work/copy" -B "$work/build" "-DCMAKE_C_COMPILER=$compiler" \
    -DPAYORDER_CARGO="$(dirname "$compiler")/cargo-zigbuild" \
    -DPAYORDER_RUST_TARGET=x86_64-unknown-linux-gnu.2.17 -DPAYORDER_STATIC=OFF \
    "-DPAYORDER_CARGO_ARGUMENTS=--locked;--no-default-features"
quietly "$cmake" --build "$work/build"
"$portable" "$work/build/libpayorder.so.1"
cp "$work/build/libpayorder.so.1" "$root/lib/x86_64-linux-gnu"
quietly "$compiler" -I"$release/include" "$work/defect.c" -o "$root/defect" "$work/build/libpayorder.so.1"
code=0
"$inside" /defect >"$work/transcript" 2>&1 || code=$?
same "the result of a call that panics" 11 "$code"

echo "old machines: all promises kept (Debian 11, glibc $glibc)"
