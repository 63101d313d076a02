# Sourced by bindings/package and bindings/installed.
tools=(fpc)
samples='./%'

make_package() {
    copy "$folder" README.md payorder.lpk payorder.pas payorder_constants.inc samples
    libraries_to_choose_from
    pack
}

install_package() {
    python3 -m zipfile -e "$artefacts"/payorder-pascal-*.zip .
    mv payorder-pascal-*/{payorder.pas,payorder_constants.inc,samples/*.pas,native/*/libpayorder.so} .
    fpc -v0 -l- sale.pas
    fpc -v0 -l- reconciliation.pas
    rm -r ./*.pas ./*.inc ./*.o ./*.ppu payorder-pascal-*
    inside=libpayorder.so
}
