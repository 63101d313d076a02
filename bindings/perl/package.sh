# Sourced by bindings/package and bindings/installed.
tools=(perl make)

make_package() {
    copy "$work/perl" Makefile.PL README.md lib samples
    (
        cd "$work/perl"
        perl Makefile.PL
        make manifest
        make dist
        cp Payorder-*.tar.gz "$out"
    )
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
    beside=installed/lib/perl5
}

sample() {
    local name=${1%_again}
    shift
    case $name in
    sale) command=(perl sale.pl "$1" $amount) ;;
    *) command=(perl "$name.pl" "$@") ;;
    esac
}
