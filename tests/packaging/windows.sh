#!/usr/bin/env bash
# The archive for Windows: what is in it, what the DLLs need and export, and programs that are built
# with it and run with Wine. Also the test suites of tests/systems/suites, for 64 and 32 bit, and a
# DLL that panics.
#
#   tests/packaging/windows.sh [--no-suites] [ARCHIVE]
#   tests/packaging/windows.sh --reproducible [ARCHIVE]
#
# ARCHIVE is one that packaging/windows has made; without it, it is made first. --no-suites leaves
# out the suites. --reproducible only makes the archive again, in another folder, and compares both.
#
# Needs the tools of packaging/windows, MinGW's C++, clang, lld, CMake, unzip, OpenSSL, Wine, pip,
# PostgreSQL, debootstrap and root (for tests/systems/wine).
source "$(dirname "$0")/harness.sh"

task=""
case "${1:-}" in
--no-suites | --reproducible) task=$1 && shift ;;
esac

if [ "$task" = --reproducible ]; then
    promise "two builds from different folders have the same bytes"
    export SOURCE_DATE_EPOCH
    SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$project" log -1 --format=%ct)}
    archive=${1:-$work/one/payorder-$version-windows.zip}
    [ $# -gt 0 ] || quietly "$project/packaging/windows" --out "$work/one"
    copy=$work/somewhere/else
    copy_to "$copy"
    (cd "$project" &&
        cp -r --parents packaging bindings docs README.md CHANGELOG.md LICENSE-* "$copy")
    CARGO_TARGET_DIR=$work/target quietly "$copy/packaging/windows" --out "$work/two"
    quietly cmp "$archive" "$work/two/payorder-$version-windows.zip"
    echo "Windows: the archive is reproducible"
    exit
fi

wine=$project/tests/systems/wine
# Small disks, mounted before Wine starts: it keeps the mounts that it finds.
services=()
mkdir "$work"/disk-{x64,x86}
tidy() {
    local try
    kill "${services[@]}" 2>/dev/null || true
    umount -l "$work"/disk-*
    # Wine's server writes into these folders for some seconds after the last program.
    for try in $(seq 20); do
        rm -rf "$work"/wine-* 2>/dev/null && break
        sleep 1
    done
    leave
}
trap tidy EXIT
for disk in "$work"/disk-*; do
    mount -t tmpfs -o size=256k none "$disk"
done
export PAYORDER_WINEPREFIX=$work/wine
quietly "$wine" --install
start_sandbox
config=$(tr -d '\n' <<<"$config")
printf '%s' "$config" >"$work/config.json"

promise "one command makes the archive, with correct checksums"
archive=${1:-$work/payorder-$version-windows.zip}
mkdir "$work/build"
[ $# -gt 0 ] ||
    PAYORDER_BUILD_FOLDER=$work/build quietly "$project/packaging/windows" --out "$work"
quietly unzip -q "$archive" -d "$work"
release=$work/payorder-$version-windows
(cd "$release" && quietly sha256sum --check --strict SHA256SUMS)
files=$(cd "$release" && find . -type f ! -name SHA256SUMS -printf '%P\n' | sort)
same "files with checksums" "$files" "$(sed 's/^[0-9a-f]*  //' "$release/SHA256SUMS" | sort)"
for file in {x64,x86}/{payorder.dll,libpayorder.a,libpayorder.dll.a,payorder.lib,payorder.def} \
    include/payorder.{h,hpp,cdef} lib/cmake/payorder/payorder-config.cmake LICENSE-THIRD-PARTY \
    docs/windows.md payorder.cdx.json licences/{rust,mingw-w64,gcc}.txt x86/payorder-{sandbox,bridge,check}.exe \
    {x64,x86}/payorder-com.{dll,manifest,msi} bindings/com/README.md bindings/com/samples/sale.cpp \
    bindings/csharp/src/Native.cs bindings/pascal/payorder{.pas,_constants.inc}; do
    [ -s "$release/$file" ] || fail "$file is missing"
done

# Windows 7 has these, and the programs need no others.
system="advapi32 bcrypt crypt32 kernel32 msvcrt ntdll secur32 user32 userenv ws2_32"

# check_dll CPU SHORT NAME: what Windows sees of a DLL.
check_dll() {
    local cpu=$1 short=$2 dll=$release/$2/$3.dll about=$work/about-$2.txt needed
    "$cpu-w64-mingw32-objdump" -p "$dll" >"$about"
    same "exports of $short/$3" "$(declared)" \
        "$(sed -n 's/^\t\[ *[0-9]*\] .*\b\([a-z][a-z0-9_]*\)$/\1/p' "$about" | sort)"
    for needed in $(sed -n 's/^\tDLL Name: \(.*\)\.dll$/\1/pi' "$about" | tr A-Z a-z); do
        [[ " $system " = *" $needed "* ]] || fail "$short needs $needed.dll"
    done
    has "$about" DYNAMIC_BASE
    has "$about" NX_COMPAT
    has "$about" '^Time/Date stamp\s+0$|^Time/Date\s+Thu Jan  1 00:00:00 1970$'
    [ "$short" = x86 ] || has "$about" HIGH_ENTROPY_VA
    "$cpu-w64-mingw32-objdump" -h "$dll" >"$about"
    has "$about" '\.rsrc'
    ! grep -E '\.debug_' "$about" || fail "$short has debug information"
    ! grep -aE "$project|$HOME" "$dll" >"$work/paths" || fail "$short has paths of this machine"
}

# in_wine FOLDER SHORT PROGRAM ARGUMENT...: what it prints is in $work/transcript.
in_wine() {
    local folder=$1
    shift
    (cd "$folder" && "$wine" "$@" >"$work/transcript" 2>&1 </dev/null)
}

# works_in_wine SHORT PROGRAM: a consumer makes an order.
works_in_wine() {
    local short=$1 program=$2
    orders=$((orders + 1))
    in_wine "$(dirname "$program")" "$short" "$program" "$version" "$config" "ORDER-$$-$orders" ||
        { cat "$work/transcript" && fail "$program does not work"; }
    has "$work/transcript" 'http://127\.0\.0\.1:[0-9]+/checkout/'
}

# with_mingw CPU SHORT: programs in C and C++ that CMake builds with the package.
with_mingw() {
    local cpu=$1 short=$2 build=$work/consumer-$2 program
    cat >"$work/$short.cmake" <<CMAKE
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_C_COMPILER $cpu-w64-mingw32-gcc)
set(CMAKE_CXX_COMPILER $cpu-w64-mingw32-g++)
set(CMAKE_EXE_LINKER_FLAGS -static)
CMAKE
    quietly "$cmake" -S "$project/tests/packaging/consumer" -B "$build" -DPAYORDER_FROM=package \
        "-DCMAKE_TOOLCHAIN_FILE=$work/$short.cmake" "-Dpayorder_DIR=$release/lib/cmake/payorder"
    quietly "$cmake" --build "$build"
    cp "$release/$short/payorder.dll" "$build"
    works_in_wine "$short" "$build/c_payorder.exe"
    works_in_wine "$short" "$build/cpp_payorder.exe"
    refused "version: $version" "$cmake" -S "$work/newer" -B "$work/newer-$short" \
        -DPAYORDER_FROM=package "-DCMAKE_TOOLCHAIN_FILE=$work/$short.cmake" \
        "-Dpayorder_DIR=$release/lib/cmake/payorder"
}
mkdir "$work/newer"
sed 's/find_package(payorder 0.1/find_package(payorder 99.0/' \
    "$project/tests/packaging/consumer/CMakeLists.txt" >"$work/newer/CMakeLists.txt"

# with_msvc CPU SHORT: clang and lld link as MSVC does, without Microsoft's C library.
with_msvc() {
    local cpu=$1 short=$2 folder=$work/msvc-$2 lld status=0
    lld=$(compgen -c lld-link | grep -xE 'lld-link(-[0-9]+)?' | sort -V | tail -n 1)
    mkdir "$folder"
    cat >"$folder/program.c" <<'C'
#include <payorder.h>
int start(void)
{
    char *json = 0;
    payorder_result result = payorder_parse_return_url("?txn=T-1", &json);
    payorder_string_free(json);
    return result == PAYORDER_OK && payorder_abi_version() == PAYORDER_HEADER_ABI_VERSION ? 42 : 1;
}
C
    quietly clang "--target=$cpu-pc-windows-msvc" -ffreestanding "-I$release/include" \
        -c "$folder/program.c" -o "$folder/program.obj"
    quietly "$lld" /nologo /subsystem:console /entry:start /nodefaultlib "/machine:$short" \
        "/out:$folder/program.exe" "$folder/program.obj" "$release/$short/payorder.lib"
    cp "$release/$short/payorder.dll" "$folder"
    (cd "$folder" && "$wine" "$short" program.exe) || status=$?
    same "the program linked with payorder.lib, $short" 42 "$status"
}

# in_one_file CPU SHORT: a program with the archive and another SQLite.
in_one_file() {
    local cpu=$1 short=$2 folder=$work/one-file-$2 archive=$release/$2/libpayorder.a status=0
    mkdir "$folder"
    "$cpu-w64-mingw32-nm" -g --defined-only "$archive" >"$folder/names" 2>"$folder/bitcode"
    same "names of $short/libpayorder.a that are not payorder's" "" \
        "$(awk 'NF == 3 && $3 !~ /payorder/' "$folder/names" | head)"
    cat >"$folder/program.c" <<'C'
#include <payorder.h>
int sqlite3_open_v2(void) { return 41; }
int main(void) { return sqlite3_open_v2() + (payorder_client_new("", 0, 0) != PAYORDER_OK); }
C
    quietly "$cpu-w64-mingw32-gcc" "-I$release/include" "$folder/program.c" "$archive" \
        -lbcrypt -ladvapi32 -lntdll -luserenv -lws2_32 -ldbghelp -o "$folder/program.exe"
    (cd "$folder" && "$wine" "$short" program.exe) || status=$?
    same "a program with libpayorder.a and another SQLite, $short" 42 "$status"
}

# as_host CPU SHORT: a program cancels, and searches its memory for secrets.
as_host() {
    local cpu=$1 short=$2 folder=$work/host-$2
    mkdir "$folder"
    quietly "$cpu-w64-mingw32-gcc" -std=c99 -Wall -Wextra -Werror "-I$release/include" \
        "$project/tests/windows/host.c" -o "$folder/host.exe" "-L$release/$short" -lpayorder
    cp "$release/$short/payorder.dll" "$work/config.json" "$folder"
    in_wine "$folder" "$short" host.exe config.json "HOST-$$-$short" ||
        { cat "$work/transcript" && fail "the host does not work, $short"; }
    same "what the library prints" "" "$(cat "$work/transcript")"
}

# as_plug_in CPU SHORT: a program frees the DLL.
as_plug_in() {
    local cpu=$1 short=$2 folder=$work/host-$2
    quietly "$cpu-w64-mingw32-gcc" -std=c99 -Wall -Wextra -Werror "-I$release/include" \
        "$project/tests/windows/unload.c" -o "$folder/unload.exe"
    in_wine "$folder" "$short" unload.exe "$config" || fail "the DLL does not stay loaded, $short"
}

# as_till CPU SHORT: the till of the examples, with a journal and faults of the service.
as_till() {
    local cpu=$1 short=$2 folder=$work/till-$2 fault expected status=0 sold
    mkdir "$folder"
    quietly "$cpu-w64-mingw32-gcc" -std=c99 "-I$release/include" "$release/examples/till.c" \
        -o "$folder/till.exe" "-L$release/$short" -lpayorder
    cp "$release/$short/payorder.dll" "$folder"
    # The same program, with the library inside, needs no DLL.
    quietly "$cpu-w64-mingw32-gcc" -std=c99 "-I$release/include" "$release/examples/till.c" \
        "$release/$short/libpayorder.a" -o "$folder/static.exe" -static \
        -lbcrypt -ladvapi32 -lntdll -luserenv -lws2_32 -ldbghelp
    mkdir "$folder/alone"
    cp "$folder/static.exe" "$folder/alone/till.exe"
    # This program takes other arguments, and loads the DLL itself.
    mkdir "$folder/loads"
    cp "$release/$short/payorder.dll" "$folder/loads"
    quietly "$cpu-w64-mingw32-gcc" -std=c99 -Wall -Wextra -Werror "-I$release/include" \
        "$release/examples/dlopen.c" -o "$folder/loads/till.exe"
    till "$folder/loads" "$short" payorder.dll "LOADED-$short" || fail "it is not loaded, $short"
    till "$folder/alone" "$short" 10.50 "TILL-$short-static" Tea || status=$?
    same "what a till with the library inside says, $short" 3 "$status"
    for fault in none:3 drop-before:3 drop-after-commit:3 html-502:3 reject:2; do
        expected=${fault##*:} status=0 sold=Tea
        fault=${fault%%:*}
        [ "$fault" = none ] || sold="Tea sandbox:$fault"
        till "$folder" "$short" 10.50 "TILL-$short-$fault" "$sold" || status=$?
        same "what a till says after $fault, $short" "$expected" "$status"
    done
    [ -s "$folder/journal.db" ] || fail "the till has no journal"

    # A journal on a full disk: nothing is sent, and only the service can say what earlier runs did.
    local disk=$work/disk-$short
    head -c 1M /dev/zero >"$disk/filler" 2>/dev/null || true
    status=0
    journal=$disk/journal.db till "$folder" "$short" 10.50 "FULL-$short" Tea || status=$?
    same "what a till says with a full disk, $short" 3 "$status"
    has "$work/transcript" full
    rm "$disk/filler"
    status=0
    journal=$disk/journal.db till "$folder" "$short" 10.50 "FULL-$short" Tea || status=$?
    same "what a till says when there is room again, $short" 3 "$status"
}

# as_event_loop CPU SHORT: the till whose messages go on while an order and a payment are open.
as_event_loop() {
    local cpu=$1 short=$2 folder=$work/loop-$2 page=
    mkdir "$folder"
    quietly "$cpu-w64-mingw32-gcc" -std=c99 -Wall -Wextra -Werror "-I$release/include" \
        "$release/examples/event_loop.c" -o "$folder/till.exe" "-L$release/$short" -lpayorder
    cp "$release/$short/payorder.dll" "$folder"
    : >"$work/transcript"
    till "$folder" "$short" 11.00 "LOOP-$short" &
    until page=$(grep -o 'http://[^[:space:]]*' "$work/transcript"); do
        kill -0 $! || fail "the till ended before its order was made, $short"
        sleep 0.1
    done
    sleep 1
    quietly curl --silent --fail --noproxy '*' --request POST "$page/pay"
    wait $! || fail "the till with an event loop failed, $short"
    has "$work/transcript" "LOOP-$short: PAID 11.00"
    [ "$(grep -c 'clock: 1 open' "$work/transcript")" -ge 3 ] || fail "its clock stood still, $short"
}

# till FOLDER SHORT ARGUMENT...
till() {
    local folder=$1 short=$2
    shift 2
    (cd "$folder" &&
        PAYORDER_BASE_URL=$(sed 's/.*"baseUrl":"\([^"]*\)".*/\1/' <<<"$config") \
            PAYORDER_ACCESS_TOKEN=sandbox-access-token PAYORDER_CLIENT_KEY=sandbox-client-key \
            PAYORDER_CLIENT_ID=sandbox-client-id PAYORDER_SECRET_KEY=sandbox-secret-key \
            PAYORDER_JOURNAL=${journal:-journal.db} NO_PROXY=127.0.0.1 SALE_SECONDS=10 \
            in_wine . "$short" till.exe "$@")
}

for machine in x86_64:x64 i686:x86; do
    cpu=${machine%%:*} short=${machine##*:}
    promise "$short: the DLL exports the header's functions, and needs only Windows 7"
    check_dll "$cpu" "$short" payorder
    same "names in payorder.def of $short" "$(declared)" \
        "$(sed -n 's/^    //p' "$release/$short/payorder.def" | sort)"
    ! "$cpu-w64-mingw32-nm" "$release/$short/libpayorder.a" 2>"$work/transcript" | grep _deps_rustc ||
        fail "the static library for $short has names of temporary files"
    promise "$short: programs in C and C++ find the library with CMake and MinGW"
    with_mingw "$cpu" "$short"
    promise "$short: a program links with payorder.lib"
    with_msvc "$cpu" "$short"
    promise "$short: the archive works next to another SQLite"
    in_one_file "$cpu" "$short"
    promise "$short: a call is cancelled in 100 ms, nothing is printed, no secret stays in memory"
    as_host "$cpu" "$short"
    promise "$short: the DLL stays loaded once a client was created"
    as_plug_in "$cpu" "$short"
    promise "$short: a till with a journal says what happened to each order, also on a full disk"
    as_till "$cpu" "$short"
    promise "$short: a message loop goes on while an order and a payment are open"
    as_event_loop "$cpu" "$short"
done

promise "x64: a till has its journal in PostgreSQL, through a libpq.dll that others made"
pip=$project/target/ci-python/bin/pip
[ -x "$pip" ] || pip=pip3
quietly "$pip" download --no-deps --only-binary :all: --platform win_amd64 \
    --python-version 3.11 --dest "$work/psycopg" psycopg-binary
quietly unzip -q "$work"/psycopg/*.whl 'psycopg_binary.libs/*' -d "$work/psycopg"
mkfifo "$work/database"
(cd "$project/bindings/python" && PYTHONPATH=$project/tools exec python3 -c '
import signal
from tests.database import Database
with Database() as database:
    print(database.uri("postgres"), flush=True)
    signal.sigwait({signal.SIGTERM})' >"$work/database") &
services+=($!)
read -r database <"$work/database"
libpq=$(echo "$work"/psycopg/psycopg_binary.libs/libpq-*.dll | sed "s|^|Z:|; s|/|\\\\|g")
status=0
PAYORDER_LIBPQ=$libpq journal=$database till "$work/till-x64" x64 10.50 SHARED Tea || status=$?
same "what a till says with a journal in a database" 3 "$status"
has "$work/transcript" 'http://127\.0\.0\.1:[0-9]+/checkout/'
same "its entry" "SHARED|created" \
    "$(psql -X -q -A -t "$database" -c 'SELECT order_id, state FROM payorder_orders')"

for short in x64 x86; do
    promise "$short: the component for COM does what its README says"
    PAYORDER_COM=$release/$short quietly "$project/bindings/com/test" $short
done

promise "payorder-check says what works"
PAYORDER_CONFIG=config.json in_wine "$work" x86 "$release/x86/payorder-check.exe" ||
    { cat "$work/transcript" && fail "a step failed"; }
has "$work/transcript" '^ok +service '

promise "the wheels for Windows have the DLLs and the sandbox"
for wheel in x64:win_amd64 x86:win32; do
    short=${wheel%%:*} tag=${wheel##*:}
    library=$release/$short/payorder.dll sandbox_program=$release/x86/payorder-sandbox.exe
    quietly "$project/bindings/python/wheel.sh" "$work" "$tag" "$library" "$sandbox_program"
    packed=$version-py3-none-$tag.whl
    unzip -p "$work/payorder-$packed" payorder/payorder.dll | cmp - "$library" ||
        fail "$tag has another DLL"
    unzip -p "$work/payorder_tools-$packed" payorder_tools/payorder-sandbox.exe |
        cmp - "$sandbox_program" ||
        fail "$tag has another sandbox"
done
refused "is for win_amd64, and PAYORDER_WHEEL_PLATFORM is win32" \
    "$project/bindings/python/wheel.sh" "$work" win32 "$release/x64/payorder.dll" \
    "$sandbox_program"
refused "is for linux_x86_64, and PAYORDER_WHEEL_PLATFORM is win32" \
    "$project/bindings/python/wheel.sh" "$work" win32 "$release/x86/payorder.dll" \
    "$CARGO_TARGET_DIR/debug/examples/sandbox"

# tls_service AUTHORITY: makes an order of every request, over TLS, with a certificate of that
# authority. AUTHORITY.url has its URL.
tls_service() {
    local authority=$1 ec=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)
    quietly openssl req -new "${ec[@]}" -subj /CN=localhost -keyout "$authority-service.key" \
        -out "$authority-service.csr"
    quietly openssl x509 -req -in "$authority-service.csr" -CA "$authority.pem" \
        -CAkey "$authority.key" -CAcreateserial -days 2 -out "$authority-service.pem" \
        -extfile <(echo subjectAltName=DNS:localhost)
    python3 "$project/tests/packaging/service.py" "$authority-service" >"$authority.url" &
    services+=($!)
    await_text "$authority.url"
}

# result_with SHORT ROOTS URL EXPECTED
result_with() {
    local with='{"baseUrl":"'$3'","tls":{"roots":"'$2'"},"accessToken":"t","proxy":"none",
        "timeoutMs":120000,"connectTimeoutMs":60000}'
    # On other systems, these variables replace the system's roots.
    with=$(tr -d '\n' <<<"$with")
    SSL_CERT_FILE=$folder/none SSL_CERT_DIR=$folder \
        in_wine "$folder" "$1" roots.exe create "$with" || fail "no call was made"
    same "the result with the roots $2, $1" "$4" \
        "$(tr -d '\r' <"$work/transcript" | grep '^PAYORDER_')"
}

# adds SHORT STORE AUTHORITY
adds() {
    in_wine "$folder" "$1" roots.exe add "$2" "$3.der" || fail "$3 cannot be added to $2, $1"
}

promise "the roots \"system\" are the certificate store of Windows"
folder=$work/roots
mkdir "$folder"
unknown="PAYORDER_TLS_FAILED certificate_unknown_issuer"
for authority in good expired; do
    days=2
    [ "$authority" = good ] || days=-1
    (
        cd "$folder"
        quietly openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
            -subj "/CN=$authority" -keyout $authority.key -out $authority.csr
        quietly openssl x509 -req -in $authority.csr -signkey $authority.key -days $days \
            -extfile <(echo basicConstraints=critical,CA:true) -out $authority.pem
        quietly openssl x509 -in $authority.pem -outform der -out $authority.der
    )
    tls_service "$folder/$authority"
done
good=$(cat "$folder/good.url") expired=$(cat "$folder/expired.url")
for machine in x86_64:x64 i686:x86; do
    cpu=${machine%%:*} short=${machine##*:}
    quietly "$cpu-w64-mingw32-gcc" -std=c99 -Wall -Wextra -Werror "-I$release/include" \
        "$project/tests/windows/roots.c" -o "$folder/roots.exe" "-L$release/$short" -lpayorder \
        -lcrypt32
    cp "$release/$short/payorder.dll" "$folder"
    result_with "$short" system "$good" "$unknown"
    adds "$short" ROOT good
    adds "$short" ROOT expired
    result_with "$short" system "$good" "PAYORDER_OK "
    result_with "$short" bundled "$good" "$unknown"
    result_with "$short" system "$expired" "$unknown"
    # An administrator has marked it as untrusted.
    adds "$short" Disallowed good
    result_with "$short" system "$good" "$unknown"
done

if [ "$task" != --no-suites ]; then
    "$project/tests/systems/run" x86_64-windows i686-windows
fi

promise "a panic stops at the boundary, and nothing is printed"
copy=$work/defective
copy_to "$copy"
make_defective "$copy"
source "$project/packaging/windows-tools"
for machine in x86_64:x64 i686:x86; do
    cpu=${machine%%:*} short=${machine##*:} status=0
    # With what the archive was built from, only the library is compiled again.
    windows_release "$cpu" "$work/build"
    (cd "$copy" && quietly windows_cargo "$cpu" rustc --release --locked --lib --crate-type=cdylib)
    mkdir "$work/defect-$short"
    cp "$CARGO_TARGET_DIR/$cpu-win7-windows-gnu/release/payorder.dll" "$work/defect-$short"
    quietly "$cpu-w64-mingw32-gcc" "-I$release/include" "$work/defect.c" \
        -o "$work/defect-$short/defect.exe" "-L$release/$short" -lpayorder
    in_wine "$work/defect-$short" "$short" defect.exe || status=$?
    same "the result of a panic, $short" 11 "$status"
    same "what a panic prints, $short" "" "$(cat "$work/transcript")"
done
echo "Windows: all promises kept"
