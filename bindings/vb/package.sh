# Sourced by bindings/package and bindings/installed, which cannot run VB.
tools=()

make_package() {
    copy "$folder" README.md payorder.bas PayorderClient.cls PayorderOrder.cls
    libraries_to_choose_from
    pack
}
