# Sourced by bindings/package and bindings/installed.
tools=(mono mcs)

make_package() {
    mcs -langversion:7.2 -target:library -nowarn:1573 -doc:"$work/Payorder.xml" \
        -out:"$work/Payorder.dll" src/*.cs
    copy "$work/nupkg" README.md Payorder.nuspec samples
    native "$work/nupkg/runtimes/%/native" 6
    python3 same_bytes.py "$work/Payorder.dll"
    install -D -m 644 -t "$work/nupkg/lib/netstandard2.0" "$work"/Payorder.{dll,xml}
    # What the format asks for.
    mkdir "$work/nupkg/_rels"
    cat >"$work/nupkg/[Content_Types].xml" <<'XML'
<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml" />
XML
    (
        cd "$work/nupkg"
        for type in nuspec dll xml so md cs; do
            echo "  <Default Extension=\"$type\" ContentType=\"application/octet\" />"
        done
        for file in LICENSE-*; do
            echo "  <Override PartName=\"/$file\" ContentType=\"application/octet\" />"
        done
        echo "</Types>"
    ) >>"$work/nupkg/[Content_Types].xml"
    cat >"$work/nupkg/_rels/.rels" <<'XML'
<?xml version="1.0" encoding="utf-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
  <Relationship Id="R1" Type="http://schemas.microsoft.com/packaging/2010/07/manifest" Target="/Payorder.nuspec" />
</Relationships>
XML
    archive "$out/Payorder.$version.nupkg" "$work/nupkg" --flat
}

install_package() {
    local name
    # As `dotnet publish` arranges the files. There is no `dotnet` here.
    python3 -m zipfile -e "$artefacts"/Payorder.*.nupkg feed
    mkdir bin
    cp -r feed/lib/netstandard2.0/Payorder.dll feed/runtimes bin
    for name in Sale LostAnswer Reconciliation Restart; do
        mcs -r:bin/Payorder.dll -out:bin/$name.exe feed/samples/{$name,Till}.cs
    done
    rm -r feed
    inside=$(echo bin/runtimes/*/native/*)
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
