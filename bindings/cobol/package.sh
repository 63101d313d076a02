# Sourced by bindings/package and bindings/installed.
tools=(cobc gcc cmake)

make_package() {
    copy "$folder" README.md payorder*.cpy payorder_cobol* samples
    cp ../../include/payorder.h "$folder"
    libraries_to_choose_from static
    pack
}

# The programs contain the library: inside stays empty.
install_package() {
    local name
    python3 -m zipfile -e "$artefacts"/payorder-cobol-*.zip .
    mv payorder-cobol-*/{payorder*,samples/*,native/*/libpayorder.a} .
    for name in sale reconciliation restart; do
        cobc -x $name.cob payorder_cobol.c libpayorder.a
    done
    rm -r ./*.c* ./*.[aho] payorder-cobol-*
    amount=100.00
}

# The samples put O- before the number of an order. They read orders.txt in the current folder.
sample() {
    local name=${1%_again}
    shift
    case $name in
    sale) command=(stdbuf -oL ./sale "${1#O-}") ;;
    restart) command=(./restart "${2#O-}" "$1") ;;
    reconciliation)
        awk -F, 'NF { printf "%-20s%09.0f\n", $1, $2 * 100 }' "$1" >orders.txt
        command=(./reconciliation)
        ;;
    esac
}
