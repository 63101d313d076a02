# Sourced by bindings/package and bindings/installed.
tools=(cobc gcc pkg-config)

make_package() { zip_package README.md payorder.cpy payorder_cobol.c samples; }

# The programs are linked with the library, so the system finds it: beside stays empty.
install_package() {
    local name
    python3 -m zipfile -e "$artefacts"/payorder-cobol-*.zip .
    mv payorder-cobol-*/payorder* payorder-cobol-*/samples/* .
    export PKG_CONFIG_PATH=$release/lib/pkgconfig
    cc -c payorder_cobol.c $(pkg-config --cflags payorder)
    for name in sale lost_answer reconciliation restart; do
        cobc -x -free $name.cob payorder_cobol.o $(pkg-config --libs payorder)
    done
    rm -r ./*.c* ./*.o payorder-cobol-*
    amount=100.00
}

# The samples put O- before the number of an order. They read orders.txt in the current folder.
sample() {
    local name=${1%_again} marker
    shift
    case $name in
    sale) command=(stdbuf -oL ./sale "${1#O-}") ;;
    lost_answer)
        marker=sandbox:drop-after-commit
        command=(env PAYORDER_SAMPLE_PRODUCT=$marker ./lost_answer "${1#O-}")
        ;;
    restart) command=(env PAYORDER_SAMPLE_PRODUCT=sandbox:stall ./restart "${2#O-}" "$1") ;;
    reconciliation)
        awk -F, '{ printf "%-20s%s\n", $1, $2 }' "$1" >orders.txt
        command=(./reconciliation)
        ;;
    esac
}
