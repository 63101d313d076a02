# Sourced by bindings/package and bindings/installed.
tools=(go gcc)

make_package() {
    local file files=() package system go systems=""
    for file in *.go; do
        case $file in
        example_test.go) files+=("$file") ;; # the documentation shows it
        *_test.go) ;;
        *) files+=("$file") ;;
        esac
    done
    copy "$folder" README.md go.mod library.c library.h "${files[@]}" samples
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
// #cgo linux LDFLAGS: -ldl -lm -lpthread -lrt
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
    pack
}

# The programs contain the library: inside stays empty.
install_package() {
    export GOPROXY=off GOFLAGS=-mod=mod
    python3 -m zipfile -e "$artefacts"/payorder-go-*.zip .
    mv payorder-go-*/samples .
    go mod init shop/till
    local folder=$(echo payorder-go-*)
    go mod edit -require "$go_module@v${folder#payorder-go-}" -replace "$go_module=./$folder"
    mkdir bin
    go build -o bin ./samples/...
    # Also from a copy in the program's own folder.
    go mod vendor
    rm -r bin/* "$folder"
    go build -mod=vendor -o bin ./samples/...
    # The programs need no sources.
    rm -r vendor samples
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
