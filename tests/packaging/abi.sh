#!/usr/bin/env bash
# The ABI gate: everything that was released still exists, and every kind of break is detected.
source "$(dirname "$0")/harness.sh"

prefix=$work/prefix
install_to "$prefix" "$work/build" -DPAYORDER_STATIC=OFF -DCMAKE_INSTALL_LIBDIR=lib
library=$prefix/lib/libpayorder.so.1
header=$prefix/include/payorder.h

promise "everything that was released still exists"
"$project/packaging/abi-gate" "$library"

# A copy of the gate, for which this library was released.
cp "$project/packaging/abi-gate" "$work"
gate=$work/abi-gate
quietly "$gate" --keep "$library" "$header"
quietly "$gate" "$library" "$header"

# changed SED: writes a copy of the header, changed by sed.
changed() {
    sed "$1" "$header" >"$work/payorder.h"
    ! cmp -s "$header" "$work/payorder.h" || fail "sed changed nothing: $1"
}

promise "a break is detected: a constant's number, a missing constant, an argument, and the type of" \
    "an argument, of a result and of a callback"
would="would break"
changed 's/\(#define PAYORDER_TIMEOUT  *\)200/\1206/'
refused "$would" "$gate" "$library" "$work/payorder.h"
changed '/#define PAYORDER_RATE_LIMITED/d'
refused "$would" "$gate" "$library" "$work/payorder.h"
changed 's/payorder_string_free(char \*string)/payorder_string_free(char *string, int wipe)/'
refused "$would" "$gate" "$library" "$work/payorder.h"
changed 's/payorder_result_name(int32_t result)/payorder_result_name(int64_t result)/'
refused "$would" "$gate" "$library" "$work/payorder.h"
changed 's/typedef int32_t payorder_result;/typedef int64_t payorder_result;/'
refused "$would" "$gate" "$library" "$work/payorder.h"
log='(\*payorder_log_fn)'
changed "s/$log(const char \*event_json, void \*user_data)/$log(void *user_data, const char *event_json)/"
refused "$would" "$gate" "$library" "$work/payorder.h"

# relinked SED [OPTION...]: links the library again, with its symbol versions changed by sed.
relinked() {
    sed "$1" "$project/cmake/payorder.map" >"$work/payorder.map"
    shift
    quietly cc -shared -o "$work/libpayorder.so.1" -Wl,-soname,libpayorder.so.1 "$@" \
        "-Wl,--version-script=$work/payorder.map" "$work/build/payorder.o" -lgcc_s -lm
}

promise "a break is detected in the library: a missing function, another symbol version, another SONAME"
relinked ''
quietly "$gate" "$work/libpayorder.so.1" "$header"
relinked 's/local: \*;/local: payorder_json_get; *;/'
refused "payorder_json_get@@PAYORDER_1" "$gate" "$work/libpayorder.so.1" "$header"
relinked 's/PAYORDER_1/PAYORDER_2/'
refused "$would" "$gate" "$work/libpayorder.so.1" "$header"
relinked '' -Wl,-soname,libpayorder.so.2
refused "SONAME" "$gate" "$work/libpayorder.so.1" "$header"

promise "another name of an argument is no break"
changed 's/payorder_string_free(char \*string)/payorder_string_free(char *text)/'
quietly "$gate" "$library" "$work/payorder.h"

promise "additions are allowed, and the gate says what to do"
changed 's/^void payorder_string_free/int32_t payorder_more(int32_t);\n&/
    s/^#define PAYORDER_REJECTED .*/&\n#define PAYORDER_NEW 103/'
quietly "$gate" "$library" "$work/payorder.h"
has "$work/transcript" '^PAYORDER_NEW 103$'
has "$work/transcript" 'packaging/abi-gate --keep LIBRARY'

echo "ABI gate: all promises kept"
