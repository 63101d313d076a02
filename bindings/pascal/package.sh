# Sourced by bindings/package and bindings/installed.
tools=(fpc)

make_package() {
    copy "$folder" README.md payorder_package.lpk payorder.pas payorder_calls.pas payorder_*.inc \
        samples
    libraries_to_choose_from
    pack
}

install_package() {
    local name
    python3 -m zipfile -e "$artefacts"/payorder-pascal-*.zip .
    mv payorder-pascal-*/{payorder.pas,payorder_*.inc,samples/*.pas,native/*/libpayorder.so} .
    for name in sale reconciliation restart; do fpc -v0 -l- $name.pas; done
    rm -r ./*.pas ./*.inc ./*.o ./*.ppu payorder-pascal-*
    inside=libpayorder.so
    amount=100.00
}

# The samples put O- before the number of an order.
sample() {
    local name=${1%_again}
    shift
    case $name in
    sale) command=(./sale "${1#O-}") ;;
    restart) command=(./restart "${2#O-}" "$1") ;;
    *) command=(./$name "$@") ;;
    esac
}
