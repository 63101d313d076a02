#!/usr/bin/env bash
# The programs in C# and Pascal in docs/windows.md, compiled and run as they are on Linux, with the
# library for Linux under the DLL's name.
#
# Needs Debian packages: mono-mcs, mono-runtime, fp-compiler.
source "$(dirname "$0")/harness.sh"

# block LANGUAGE: the fenced block in that language.
block() {
    awk -v start="\`\`\`$1" '$0 == "```" { on = 0 } on { print } $0 == start { on = 1 }' \
        "$project/docs/windows.md"
}

quietly cargo rustc --manifest-path "$project/Cargo.toml" --locked --lib --crate-type=cdylib
start_sandbox
export LD_LIBRARY_PATH=$work
cp "$CARGO_TARGET_DIR/debug/libpayorder.so" "$work"
cp "$CARGO_TARGET_DIR/debug/libpayorder.so" "$work/payorder.dll"
cd "$work"
printf '%s' "$config" >config.json
printf '{"unknown":1}' >invalid.json

# makes_orders NAME PROGRAM ARGUMENT...
makes_orders() {
    local name=$1 status
    shift
    cat >order.json <<JSON
{"orderId":"$name","merchantTxnId":"$name","amount":"100.10","payMode":"all","merchantId":"M-7",
"productInfo":"दो कॉफ़ी","customerName":"आशा","customerMobile":"9876543210",
"customerEmail":"asha@example.com","redirectionURL":"https://shop.example.com/done",
"currencyCode":"INR"}
JSON
    quietly "$@" config.json order.json
    has transcript '/checkout/'
    has transcript '"event":"call_finished"'
    # The sandbox has an order of that identifier.
    status=0
    "$@" config.json order.json >transcript 2>&1 || status=$?
    same "the status for a duplicate, $name" 1 "$status"
    status=0
    "$@" invalid.json order.json >transcript 2>&1 || status=$?
    same "the status for an invalid configuration, $name" 1 "$status"
    has transcript 'PAYORDER_INVALID_CONFIG'
}

promise "the program in C# makes orders"
block csharp >till.cs
quietly mcs -warnaserror till.cs
makes_orders csharp mono till.exe

promise "the program in Pascal makes orders"
# On Linux, the linker looks for a library by its name without lib and .so.
block pascal | sed "s/'payorder.dll'/'payorder'/" >till.pas
quietly fpc "-Fl$work" -otill till.pas
makes_orders pascal ./till

echo "the languages in docs/windows.md: all promises kept"
