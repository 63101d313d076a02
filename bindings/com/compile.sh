#!/usr/bin/env bash
# bindings/com/compile.sh CPU ARCHIVE FOLDER [FLAG...]: makes FOLDER/payorder-com.dll, and what it is
# made from, with the library's ARCHIVE in it.
#
# CPU is x86_64 or i686. It needs MinGW-w64 with its tools, and Wine's headers, for the types of COM
# that every type library has: on Debian gcc-mingw-w64, mingw-w64-tools, libwine-dev and wine64.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cpu=$1 archive=$2 folder=$3
shift 3
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
# It writes the path of the file as it is given.
widl() {
    (cd "$here/src" && "$cpu-w64-mingw32-widl" -I/usr/include/wine/wine/windows \
        -L/usr/lib/x86_64-linux-gnu/wine/x86_64-windows "$@" payorder.idl)
}
widl -t -o "$folder/payorder.tlb"
# widl writes the time, as a text and as a number.
perl -0777 -pi -e 's/(by WIDL version [\d.]+ at ).{24}(\nW*\x13\0).{4}/$1 . " " x 24 . $2 . "\0" x 4/es == 1 or die' \
    "$folder/payorder.tlb"
widl -h -o "$folder/payorder_com.h"
echo "1 TYPELIB \"$folder/payorder.tlb\"" |
    "$cpu-w64-mingw32-windres" --input-format=rc --output-format=coff - "$folder/library.o"
libraries=(oleaut32 ole32 uuid bcrypt advapi32 ntdll userenv ws2_32 dbghelp)
"$cpu-w64-mingw32-gcc" -std=gnu11 -O2 -Wall -Wextra -Werror -Wno-cast-function-type \
    "-I$here/../../include" "-I$folder" -shared -static-libgcc -s -Wl,--kill-at,--enable-stdcall-fixup "$@" \
    "$here"/src/{object,text,value,order,shared,arguments,client,server}.c "$folder/library.o" \
    "$here/src/payorder-com.def" "$archive" "${libraries[@]/#/-l}" -o "$folder/payorder-com.dll"
