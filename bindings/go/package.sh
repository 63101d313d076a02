# Sourced by bindings/package and bindings/installed.
tools=(go gcc cmake)

make_package() {
    local file files=() package system go systems=""
    for file in *.go; do
        case $file in
        example_test.go) files+=("$file") ;; # the documentation shows it
        *_test.go) ;;
        *) files+=("$file") ;;
        esac
    done
    # A proxy of modules, with the samples next to it.
    local hand=$folder proxy=$folder/proxy/$go_module/@v
    copy "$hand" README.md samples
    folder=$work/$go_module@v$version
    copy "$folder" README.md go.mod library.c library.h "${files[@]}" samples \
        payordertest/sandbox.go
    native "$folder/native/%" 1 static
    cp ../../include/payorder.h "$folder/native"
    # cgo links the library of the system.
    {
        while read -r system go; do
            [ -d "$folder/native/$system" ] || continue
            systems+=" || (${go//,/" && "})"
            echo "// #cgo $go LDFLAGS: \${SRCDIR}/native/$system/libpayorder.a"
        done < <(awk '!/^#/ { print $1, $8 }' ../../packaging/targets)
        cat <<'GO'
// #cgo linux LDFLAGS: -static-libgcc -ldl -lm -lpthread -lrt
// #cgo darwin LDFLAGS: -framework Security -framework CoreFoundation
// #cgo windows LDFLAGS: -lbcrypt -ladvapi32 -lntdll -luserenv -lws2_32 -ldbghelp
// #cgo CFLAGS: -DPAYORDER_GO_LINK -I${SRCDIR}/native
import "C"
GO
        # go mod vendor copies only folders with a package that is imported.
        for package in native $(cd "$folder" && echo native/*/); do
            package=${package%/}
            printf '// Package native has files for the linker.\npackage native\n' \
                >"$folder/$package/doc.go"
            echo "import _ \"$go_module/$package\""
        done
        cat <<'GO'

func candidates() []string { return []string{"the library that is in the program"} }
GO
    } >"$work/linked.txt"
    systems="!payorder_search && (${systems# || })"
    printf '//go:build !payorder_link && %s\n\npackage payorder\n\n' "$systems" |
        cat - "$work/linked.txt" >"$folder/library_static.go"
    {
        echo "//go:build !payorder_link && !($systems)"
        tail -n +2 library_search.go
    } >"$folder/library_search.go"
    gofmt -w "$folder"/library_*.go
    mkdir -p "$proxy"
    echo "v$version" >"$proxy/list"
    printf '{"Version":"v%s","Time":"%s"}\n' "$version" \
        "$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)" >"$proxy/v$version.info"
    cp go.mod "$proxy/v$version.mod"
    # The names in it begin with the module's path.
    mkdir -p "$work/module/${go_module%/*}"
    mv "$folder" "$work/module/$go_module@v$version"
    archive "$proxy/v$version.zip" "$work/module" --flat
    folder=$hand
    pack
}

# The programs contain the library: inside stays empty.
install_package() {
    python3 -m zipfile -e "$artefacts"/payorder-go-*.zip .
    local folder=$(echo payorder-go-*)
    # The README's command also works where the environment names another proxy.
    export GOPROXY=off GOMODCACHE=$PWD/cache GOFLAGS="-mod=mod -modcacherw"
    mv "$folder/samples" .
    go mod init shop/till
    eval "$(snippets sh "$folder/README.md" | sed "s|/path/to|$PWD|")"
    mkdir bin
    go build -o bin ./samples/...
    # Also from a copy in the program's own folder.
    go mod vendor
    rm -r bin/* "$folder" cache
    go build -mod=vendor -o bin ./samples/...
    ! readelf -d bin/sale | grep -E 'NEEDED.*(gcc|payorder)' || return 1
    # With another SQLite and another Rust archive in a shared library. Go exports all that is global:
    # nothing of SQLite or Rust may be.
    mkdir other
    echo '#[no_mangle] pub extern "C" fn other() -> i32 { format!("{:?}", 1.5).len() as i32 }' \
        >other/other.rs
    rustc --crate-type staticlib -o other/libother.a other/other.rs
    echo 'int sqlite3_open_v2(void) { return 4; }' >other/sqlite3.c
    cat >other/main.go <<GO
package main

// #cgo LDFLAGS: \${SRCDIR}/libother.a -lm
// int other(void);
// int sqlite3_open_v2(void);
import "C"
import "$go_module"

//export Seven
func Seven() C.int {
	_ = payorder.Load()
	return C.other() + C.sqlite3_open_v2()
}

func main() {}
GO
    go build -mod=vendor -buildmode=c-shared -o other.so ./other
    ! nm -D --defined-only other.so | grep -E ' sqlite3_(step|exec)$|payorder_core|rusqlite' || return 1
    [ "$(python3 -c 'import ctypes; print(ctypes.CDLL("./other.so").Seven())')" = 7 ]
    # The programs need no sources.
    rm -r vendor samples other other.so
}

sample() {
    local name=$1
    shift
    case $name in
    sale) command=(bin/sale "$1" $amount) ;;
    restart*) command=(bin/restart "$1" "$2" $amount) ;;
    *) command=(bin/$name "$@") ;;
    esac
}
