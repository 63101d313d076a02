#!/usr/bin/env bash
# The static archive: its symbols, the system libraries it needs, and that it can be linked with
# another Rust archive. Also that both libraries, which are made from cargo's archive, support
# unwinding, threads and loading.
source "$(dirname "$0")/harness.sh"

prefix=$work/prefix
install_to "$prefix" "$work/build" -DCMAKE_INSTALL_LIBDIR=lib
archive=$prefix/lib/libpayorder.a

promise "the archive exports only the functions of the header, without debug information and bitcode"
symbols=$(readelf -Ws "$archive" |
    awk '$5 != "LOCAL" && $7 != "UND" && $7 ~ /^[0-9A-Z]+$/ && $1 ~ /^[0-9]+:$/ { print $8 }' | sort)
same "exported symbols" "$(declared)" "$symbols"
readelf -SW "$archive" >"$work/sections"
! grep -qE ' \.(debug_|llvm|group)' "$work/sections" ||
    fail "the archive has sections that C programs do not need"

promise "payorder.pc has the system libraries that rustc names, except gcc_s and c, which compilers add"
named=$(cargo rustc --manifest-path "$project/Cargo.toml" --locked --lib --crate-type staticlib \
    -- --print native-static-libs 2>&1 \
    | sed -n 's/^note: native-static-libs: //p' | tr ' ' '\n' | grep -vx -e -lgcc_s -e -lc | sort -u)
[ -n "$named" ] || fail "rustc does not name the libraries"
listed=$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --static --libs-only-l payorder)
same "system libraries" "$named" \
    "$(tr ' ' '\n' <<<"$listed" | grep -v '^-lpayorder$' | grep . | sort -u)"

promise "it works with another Rust archive in one program, with panics and unwinding in both"
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
read -ra libraries <<<"${listed/-lpayorder/}"
for order in "$archive $other" "$other $archive"; do
    # Link both archives completely, so that every clash is found.
    # shellcheck disable=SC2086
    quietly cc -I"$prefix/include" "$work/both.c" -o "$work/both" \
        -Wl,--whole-archive $order -Wl,--no-whole-archive "${libraries[@]}"
    quietly "$work/both"
done

promise "threads, forks, loading and closing work as with cargo's own library, shared and static"
programs=(many_threads no_descriptors fork fork_during_calls)
for name in "${programs[@]}"; do
    for kind in shared static; do
        linked=("$archive" "${libraries[@]}")
        [ "$kind" = static ] || linked=("$prefix/lib/libpayorder.so" "-Wl,-rpath,$prefix/lib" -ldl)
        quietly cc -std=gnu11 -pthread -I"$prefix/include" "$project/tests/programs/$name.c" \
            -o "$work/$name" "${linked[@]}"
        start_sandbox
        quietly timeout 600 "$work/$name" "$config"
        stop_sandbox
    done
done
quietly cc -std=gnu11 -pthread -I"$prefix/include" "$project/tests/programs/dlopen.c" \
    -o "$work/dlopen" -ldl
start_sandbox
# dlopen asks for the status of this order.
quietly cc -I"$prefix/include" "$project/tests/packaging/consumer/consumer.c" \
    -o "$work/consumer" "$archive" "${libraries[@]}"
quietly "$work/consumer" "$version" "$config" O-1
quietly timeout 600 "$work/dlopen" "$prefix/lib/libpayorder.so.1" "$config"
stop_sandbox

promise "nothing secret stays in memory with the optimised library"
PAYORDER_INSTALLED_LIBRARY=$prefix/lib/libpayorder.so \
    quietly cargo test --manifest-path "$project/Cargo.toml" --test secrets_in_memory nothing_secret

promise "a panic stops at the boundary, shared and static, and a changed archive is built again"
# both FOLDER RESULT: what $work/defect.c ends with, with the libraries of a folder.
both() {
    local kind code linked
    for kind in shared static; do
        linked=("$1/libpayorder.a" "${libraries[@]}")
        [ "$kind" = static ] || linked=("$1/libpayorder.so" "-Wl,-rpath,$1")
        quietly cc -I"$project/include" "$work/defect.c" -o "$work/defect" "${linked[@]}"
        code=0
        "$work/defect" || code=$?
        same "the result, $kind" "$2" "$code"
    done
}
both "$prefix/lib" 0
copy_to "$work/copy"
make_defective "$work/copy"
# A target folder of its own, so that the project's library is not overwritten. The compiled crates
# are reused.
mkdir -p "$work/target"
cp -a --reflink=auto "$CARGO_TARGET_DIR/release" "$work/target"
export CARGO_TARGET_DIR=$work/target
build=$work/build-copy
quietly "$cmake" -S "$work/copy" -B "$build"
quietly "$cmake" --build "$build"
both "$build" 11
stamp() { stat -c %Y.%y "$build/libpayorder.so.1"; }
first=$(stamp)
quietly "$cmake" --build "$build"
same "a build with nothing to do" "$first" "$(stamp)"
# cargo decides when a source is compiled again. What comes of it is an archive that is newer.
find "$work/target" "$build" -name libpayorder.a ! -path "$build/libpayorder.a" -exec touch {} +
quietly "$cmake" --build "$build"
[ "$(stamp)" != "$first" ] || fail "a changed archive is not linked again"

echo "static archive: all promises kept"
