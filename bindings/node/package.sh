# Sourced by bindings/package and bindings/installed.
samples=(node .mjs)
tools=(node npm)

make_package() {
    copy "$work/node" package.json README.md samples src
    native "$work/node/native/%"
    (cd "$work/node" && npm pack --silent --pack-destination "$out")
}

install_package() {
    npm init --yes --silent
    npm install --no-audit --no-fund --silent "$artefacts"/payorder-*.tgz
    cp node_modules/payorder/samples/*.mjs .
    inside=$(echo node_modules/payorder/native/*/*)
}
