# Sourced by bindings/package and bindings/installed.
tools=(luajit)

make_package() { zip_package README.md payorder.lua payorder samples; }

install_package() {
    python3 -m zipfile -e "$artefacts"/payorder-lua-*.zip .
    mv payorder-lua-*/payorder.lua payorder-lua-*/payorder payorder-lua-*/samples/*.lua .
    rm -r payorder-lua-*
    beside=.
}

sample() {
    local name=${1%_again}
    shift
    case $name in
    sale) command=(luajit sale.lua "$1" $amount) ;;
    *) command=(luajit "$name.lua" "$@") ;;
    esac
}
