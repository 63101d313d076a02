# Sourced by bindings/package and bindings/installed.
tools=(mono "${DOTNET:-dotnet}")

make_package() {
    local framework
    source ./compile.sh
    for framework in netstandard2.0 netcoreapp3.1; do
        mkdir -p "$work/Payorder/lib/$framework"
        csc_package $framework "$work/Payorder/lib/$framework"
    done
    # The samples later, so that the README's links to them are addresses: nuget.org has no others.
    copy "$work/Payorder" README.md Payorder.nuspec
    cp -r samples "$work/Payorder"
    native "$work/Payorder/runtimes/%/native" 6
    nupkg Payorder Payorder.targets

    cp -r "$work/Payorder/lib/netstandard2.0" "$work/testing"
    csc_testing "$work/testing"
    copy "$work/Payorder.Testing" README.md Payorder.Testing.nuspec
    install -D -m 644 -t "$work/Payorder.Testing/lib/netstandard2.0" "$work"/testing/*.Testing.*
    sandbox_of_this_machine
    native "$work/Payorder.Testing/runtimes/%/native" 6 sandbox
    # Payorder has the warning.
    sed '/<Target/,/<.Target>/d' Payorder.targets >"$work/files.targets"
    nupkg Payorder.Testing "$work/files.targets"
}

# nupkg NAME TARGETS: packs a folder with what the format asks for, and what MSBuild takes.
nupkg() {
    local folder=$work/$1 use
    for use in build buildTransitive; do install -D -m 644 "$2" "$folder/$use/$1.targets"; done
    mkdir "$folder/_rels"
    {
        echo '<?xml version="1.0" encoding="utf-8"?>'
        echo '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        echo '  <Default Extension="rels"' \
            'ContentType="application/vnd.openxmlformats-package.relationships+xml" />'
        (cd "$folder" && find . -name '*.*' -type f -not -path './_rels/*' | sed 's/.*\.//') |
            sort -u | sed 's|.*|  <Default Extension="&" ContentType="application/octet" />|'
        (cd "$folder" && find . -type f -not -name '*.*' | sort) |
            sed 's|^.\(.*\)|  <Override PartName="\1" ContentType="application/octet" />|'
        echo '</Types>'
    } >"$work/types.xml"
    mv "$work/types.xml" "$folder/[Content_Types].xml"
    cat >"$folder/_rels/.rels" <<XML
<?xml version="1.0" encoding="utf-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
  <Relationship Id="R1" Type="http://schemas.microsoft.com/packaging/2010/07/manifest" Target="/$1.nuspec" />
</Relationships>
XML
    archive "$out/$1.$version.nupkg" "$folder" --flat
}

install_package() {
    local name built
    export DOTNET_CLI_HOME=$PWD NUGET_PACKAGES=$PWD/packages
    # No server of the compiler stays behind.
    export MSBUILDDISABLENODEREUSE=1 UseSharedCompilation=false
    python3 -m zipfile -e "$artefacts"/Payorder.[0-9]*.nupkg nupkg
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
    # What MSBuild says and copies for other systems.
    cat >targets.proj <<'XML'
<Project DefaultTargets="Build">
  <Import Project="nupkg/build/Payorder.targets" />
  <Target Name="Build"><Warning Text="copied @(None->'%(Link)')" /></Target>
</Project>
XML
    built=$("${DOTNET:-dotnet}" msbuild -nologo targets.proj -p:OS=Windows_NT \
        -p:TargetFrameworkIdentifier=.NETFramework -p:TargetFrameworkVersion=v4.7.2)
    grep 'copied runtimes/linux.*/libpayorder.so' <<<"$built"
    grep 'no library for win-x64' <<<"$built"
    ! "${DOTNET:-dotnet}" msbuild -nologo targets.proj -p:TargetFrameworkIdentifier=.NETFramework \
        -p:TargetFrameworkVersion=v4.7.1 || return 1

    # A test with the sandbox of its package.
    "${DOTNET:-dotnet}" new console --output Test --no-restore
    "${DOTNET:-dotnet}" add Test package Payorder.Testing
    cat >Test/Program.cs <<'CS'
class Program
{
    static void Main()
    {
        using var sandbox = new Payorder.Testing.Sandbox();
        using var client = sandbox.Client();
        System.Console.WriteLine("sandbox works: " + client.Check().Ok);
    }
}
CS
    env -u PAYORDER_SANDBOX "${DOTNET:-dotnet}" run --project Test | grep 'sandbox works: True'
    rm -r nupkg packages Test targets.proj
    inside=$(echo bin/runtimes/*/native/*)
}

# hide: also takes away the lists of files, without which .NET does not start.
hide() { mkdir hidden && mv "$inside" bin/*.deps.json hidden; }
restore() { mv hidden/libpayorder.so "$inside" && mv hidden/* bin; }

sample() { command=("${DOTNET:-dotnet}" "bin/$(title "$1").dll" "${@:2}"); }
