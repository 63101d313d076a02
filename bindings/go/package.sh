# Sourced by bindings/package and bindings/installed.
tools=(go gcc)

make_package() {
    local file files=()
    for file in *.go; do
        case $file in *_test.go) ;; *) files+=("$file") ;; esac
    done
    zip_package README.md go.mod library.c library.h "${files[@]}" samples
}

install_package() {
    export GOPROXY=off GOFLAGS=-mod=mod
    python3 -m zipfile -e "$artefacts"/payorder-go-*.zip .
    mv payorder-go-*/samples .
    go mod init shop/till
    go mod edit -require payorder@v0.0.0 -replace "payorder=$(echo ./payorder-go-*)"
    mkdir bin
    go build -o bin ./samples/...
    # The programs need no sources.
    rm -r payorder-go-* samples
    beside=bin
}

sample() {
    local name=$1
    shift
    case $name in
    sale) command=(bin/sale "$1" $amount "Two coffees") ;;
    lost_answer) command=(bin/lost_answer "$1" $amount sandbox:drop-after-commit) ;;
    restart) command=(bin/restart "$1" sell "$2" $amount sandbox:stall) ;;
    restart_again) command=(bin/restart "$1" ask) ;;
    *) command=(bin/$name "$@") ;;
    esac
}
