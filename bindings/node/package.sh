# Sourced by bindings/package and bindings/installed.
tools=(node npm)

make_package() { npm pack --silent --pack-destination "$out"; }

install_package() {
    npm init --yes --silent
    npm install --no-audit --no-fund --silent "$artefacts"/payorder-*.tgz
    beside=node_modules/payorder
    cp "$beside"/samples/*.mjs .
}

sample() {
    local name=${1%_again}
    shift
    case $name in
    sale) command=(node sale.mjs "$1" $amount) ;;
    *) command=(node "$name.mjs" "$@") ;;
    esac
}
