# Sourced by bindings/package and bindings/installed.
tools=(mono "${DOTNET:-dotnet}")

make_package() {
    local framework
    source ./compile.sh
    for framework in netstandard2.0 netcoreapp3.1; do
        mkdir -p "$work/nupkg/lib/$framework"
        csc_package $framework "$work/nupkg/lib/$framework"
    done
    # The samples later, so that the README's links to them are addresses: nuget.org has no others.
    copy "$work/nupkg" README.md Payorder.nuspec
    cp -r samples "$work/nupkg"
    native "$work/nupkg/runtimes/%/native" 6
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
    export DOTNET_CLI_HOME=$PWD NUGET_PACKAGES=$PWD/packages
    # No server of the compiler stays behind.
    export MSBUILDDISABLENODEREUSE=1 UseSharedCompilation=false
    python3 -m zipfile -e "$artefacts"/Payorder.*.nupkg nupkg
    # As the README says: the folder is the only source of packages.
    sed -n '/^```xml$/,/^```$/p' nupkg/README.md | grep -v '^```' |
        sed "s|/path/to/folder|$artefacts|" >nuget.config
    for name in Sale Reconciliation Restart; do
        "${DOTNET:-dotnet}" new console --output $name --no-restore
        "${DOTNET:-dotnet}" add $name package Payorder
        cp nupkg/samples/{$name,Till}.cs $name
        rm $name/Program.cs
        "${DOTNET:-dotnet}" build --output bin $name
    done
    rm -r nupkg packages
    inside=$(echo bin/runtimes/*/native/*)
}

# hide: also takes away the lists of files, without which .NET does not start.
hide() { mkdir hidden && mv "$inside" bin/*.deps.json hidden; }
restore() { mv hidden/libpayorder.so "$inside" && mv hidden/* bin; }

sample() { command=("${DOTNET:-dotnet}" "bin/$(title "$1").dll" "${@:2}"); }
