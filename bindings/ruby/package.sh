# Sourced by bindings/package and bindings/installed.
samples=(ruby .rb)
tools=(ruby gem)

make_package() {
    copy "$work/ruby" payorder.gemspec README.md lib samples sig
    native "$work/ruby/native/%"
    (cd "$work/ruby" && gem build --silent --output "$out/payorder-$version.gem" payorder.gemspec)
}

install_package() {
    export GEM_HOME=$PWD/gems GEM_PATH=$PWD/gems
    gem install --local --no-document "$artefacts"/payorder-*.gem
    cp gems/gems/payorder-*/samples/*.rb .
    inside=$(echo gems/gems/payorder-*/native/*/*)
}
