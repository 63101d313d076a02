#!/usr/bin/env bash
# The static archive: what it shows, what it needs of the system, and that it lives beside another Rust archive in one program. And that both libraries, which
# are cut out of cargo's archive, keep the promises for which unwinding, threads and loading must be whole.
source "$(dirname "$0")/ground.sh"

prefix=$work/prefix
install_to "$prefix" "$work/build" -DCMAKE_INSTALL_LIBDIR=lib
archive=$prefix/lib/libpayorder.a

promise "the archive shows the functions of the header and nothing else, and has no debug information and no bitcode"
shown=$(readelf -Ws "$archive" | awk '$5 != "LOCAL" && $7 != "UND" && $7 ~ /^[0-9A-Z]+$/ && $1 ~ /^[0-9]+:$/ { print $8 }' | sort)
same "shown symbols" "$(declared)" "$shown"
readelf -SW "$archive" >"$work/sections"
! grep -qE ' \.(debug_|llvm|group)' "$work/sections" || fail "the archive has sections that no C program wants"

promise "the system libraries in payorder.pc are those that rustc names, without gcc_s and c, which compilers add themselves"
named=$(cargo rustc --manifest-path "$project/Cargo.toml" --locked --lib --crate-type staticlib -- --print native-static-libs 2>&1 \
    | sed -n 's/^note: native-static-libs: //p' | tr ' ' '\n' | grep -vx -e -lgcc_s -e -lc | sort -u)
[ -n "$named" ] || fail "rustc does not name the libraries"
same "system libraries" "$named" \
    "$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --static --libs-only-l payorder | tr ' ' '\n' | grep -v '^-lpayorder$' | grep . | sort -u)"

promise "it lives beside another Rust archive in one program, both panicking and unwinding"
mkdir -p "$work/other/src"
cat >"$work/other/Cargo.toml" <<'TOML'
[package]
name = "other"
edition = "2021"
[lib]
crate-type = ["staticlib"]
TOML
cat >"$work/other/src/lib.rs" <<'RUST'
#[no_mangle]
pub extern "C" fn other_catches() -> i32 {
    std::panic::set_hook(Box::new(|_| ()));
    std::panic::catch_unwind(|| panic!("thrown")).is_err() as i32
}
RUST
cat >"$work/both.c" <<'C'
#include <payorder.h>
int other_catches(void);
int main(void)
{
    char *json;
    int kept = other_catches() == 1 && payorder_parse_return_url("?txn=T", &json) == PAYORDER_OK;
    payorder_string_free(json);
    return kept && other_catches() == 1 ? 0 : 1;
}
C
CARGO_TARGET_DIR=$work/other/target quietly cargo build --manifest-path "$work/other/Cargo.toml" --release
other=$work/other/target/release/libother.a
read -ra libraries <<<"$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --static --libs-only-l payorder | sed 's/-lpayorder//')"
for order in "$archive $other" "$other $archive"; do
    # Each archive whole, so that nothing is left out that might clash.
    # shellcheck disable=SC2086
    quietly cc -I"$prefix/include" "$work/both.c" -o "$work/both" -Wl,--whole-archive $order -Wl,--no-whole-archive "${libraries[@]}"
    quietly "$work/both"
done

promise "threads, forks, loading and closing are what they are with cargo's own library, shared and static"
programs=(many_threads no_descriptors fork fork_during_calls)
for name in "${programs[@]}"; do
    for kind in shared static; do
        linked=("$archive" "${libraries[@]}")
        [ "$kind" = static ] || linked=("$prefix/lib/libpayorder.so" "-Wl,-rpath,$prefix/lib" -ldl)
        quietly cc -std=gnu11 -pthread -I"$prefix/include" "$project/tests/programs/$name.c" -o "$work/$name" "${linked[@]}"
        start_sandbox
        quietly timeout 600 "$work/$name" "$config"
        stop_sandbox
    done
done
quietly cc -std=gnu11 -pthread -I"$prefix/include" "$project/tests/programs/dlopen.c" -o "$work/dlopen" -ldl
start_sandbox
# It asks for the status of this order.
quietly cc -I"$prefix/include" "$project/tests/packaging/consumer/consumer.c" -o "$work/consumer" "$archive" "${libraries[@]}"
quietly "$work/consumer" "$version" "$config" O-1
quietly timeout 600 "$work/dlopen" "$prefix/lib/libpayorder.so.1" "$config"
stop_sandbox

promise "a change of the source is built, and a panic ends at the boundary, in the shared library and in the static one"
copy=$work/copy
copy_to "$copy"
# Its library would take the place of the project's; what the crates are built to is the same.
mkdir -p "$work/target"
cp -a --reflink=auto "$CARGO_TARGET_DIR/release" "$work/target"
export CARGO_TARGET_DIR=$work/target
quietly "$cmake" -S "$copy" -B "$work/build-copy"
quietly "$cmake" --build "$work/build-copy"
defect() {
    quietly cc -I"$project/include" "$work/defect.c" -o "$work/defect" "$@"
    code=0
    "$work/defect" || code=$?
}
both() {
    defect "$work/build-copy/libpayorder.so" "-Wl,-rpath,$work/build-copy"
    same "the result, shared" "$1" "$code"
    defect "$work/build-copy/libpayorder.a" "${libraries[@]}"
    same "the result, static" "$1" "$code"
}
both 0
make_defective "$copy"
quietly "$cmake" --build "$work/build-copy"
both 11
stamp=$(stat -c %Y.%y "$work/build-copy/libpayorder.so.1")
quietly "$cmake" --build "$work/build-copy"
same "a build with nothing to do" "$stamp" "$(stat -c %Y.%y "$work/build-copy/libpayorder.so.1")"

echo "static archive: all promises kept"
