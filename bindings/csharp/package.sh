# Sourced by bindings/package and bindings/installed.
tools=(mono mcs)

make_package() {
    mcs -langversion:7.2 -target:library -nowarn:1573 -doc:"$work/Payorder.xml" \
        -out:"$work/Payorder.dll" src/*.cs
    copy "$work/payorder-csharp-$version" README.md samples
    cp "$work"/Payorder.{dll,xml} "$work/payorder-csharp-$version"
    (
        cd "$work"
        python3 -m zipfile -c "$out/payorder-csharp-$version.zip" "payorder-csharp-$version"
    )
}

install_package() {
    local name
    python3 -m zipfile -e "$artefacts"/payorder-csharp-*.zip .
    mkdir bin
    cp payorder-csharp-*/Payorder.dll bin
    for name in Sale LostAnswer Reconciliation Restart; do
        mcs -r:bin/Payorder.dll -out:bin/$name.exe payorder-csharp-*/samples/{$name,Till}.cs
    done
    rm -r payorder-csharp-*
    beside=bin
}

sample() {
    local program
    case $1 in
    sale) program=Sale ;;
    lost_answer) program=LostAnswer ;;
    reconciliation) program=Reconciliation ;;
    restart | restart_again) program=Restart ;;
    esac
    shift
    command=(mono bin/$program.exe "$@")
}
