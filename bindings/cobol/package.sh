# Sourced by bindings/package and bindings/installed.
tools=(cobc gcc)
samples='stdbuf -oL ./%'

make_package() {
    copy "$folder" README.md payorder.cpy payorder_cobol.c samples
    cp ../../include/payorder.h "$folder"
    libraries_to_choose_from static
    pack
}

# The programs contain the library: inside stays empty.
install_package() {
    local name
    python3 -m zipfile -e "$artefacts"/payorder-cobol-*.zip .
    mv payorder-cobol-*/{payorder*,samples/*,native/*/libpayorder.a} .
    cc -I. -c payorder_cobol.c
    for name in sale reconciliation; do
        cobc -x -free $name.cob payorder_cobol.o libpayorder.a
    done
    rm -r ./*.c* ./*.[aho] payorder-cobol-*
}
