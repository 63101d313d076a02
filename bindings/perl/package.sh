# Sourced by bindings/package and bindings/installed.
samples=(perl .pl)
tools=(perl make)

make_package() {
    local name=Payorder-$version
    copy "$work/perl" Makefile.PL README.md lib samples t
    native "$work/perl/lib/Payorder/native/%"
    (
        cd "$work/perl"
        perl Makefile.PL
        make manifest
        make distdir
    )
    archive "$out/$name.tar.gz" "$work/perl/$name"
}

install_package() {
    tar xzf "$artefacts"/Payorder-*.tar.gz
    cd Payorder-*
    perl Makefile.PL INSTALL_BASE="$work/perl/installed"
    make
    make install
    cp samples/* ..
    cd ..
    rm -r Payorder-*
    export PERL5LIB=$PWD/installed/lib/perl5
    inside=$(echo installed/lib/perl5/Payorder/native/*/*)
}
