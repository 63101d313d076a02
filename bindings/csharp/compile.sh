# Sourced by test and package.sh: compiles with the .NET SDK that DOTNET names, or else with that in
# PATH. sdk.sh installs one.
dotnet=${DOTNET:-dotnet}
sdk=$("$dotnet" --list-sdks 2>/dev/null | sed -n 's|^\([^ ]*\) \[\(.*\)\]$|\2/\1|p' | tail -n 1)

# csc netstandard2.0|netcoreapp3.1|standard ARGUMENT...: compiles for a framework. What refers to
# mscorlib runs with .NET Framework, Mono and .NET Core. With `standard`, the compiler knows only what
# all of them have, but Debian's Mono does not run it.
csc() {
    local references=("$sdk/ref/netstandard.dll")
    case $1 in
    netstandard2.0) references=(/usr/lib/mono/4.5/{mscorlib,System,System.Core}.dll) ;;
    netcoreapp3.1)
        references=(-d:NETCOREAPP "${sdk%/sdk/*}"/packs/Microsoft.NETCore.App.Ref/*/ref/*/*.dll)
        ;;
    esac
    shift
    "$dotnet" "$sdk/Roslyn/bincore/csc.dll" -nologo -noconfig -nostdlib -deterministic \
        -langversion:8 -warn:4 -warnaserror -nowarn:1573 "${references[@]/#\//-r:/}" "$@"
}

# csc_package FRAMEWORK FOLDER: the assembly, and its documentation. With -doc, a public member
# without documentation is an error.
csc_package() {
    csc "$1" -d:TRACE -debug:embedded -nullable:enable -optimize -target:library \
        -pathmap:"$PWD=." -doc:"$2/Payorder.xml" -out:"$2/Payorder.dll" src/*.cs
}

# csc_testing FOLDER [FRAMEWORK]: the assembly of the package Payorder.Testing, next to that of
# Payorder.
csc_testing() {
    csc "${2:-netstandard2.0}" -d:TRACE -debug:embedded -nullable:enable -optimize -target:library \
        -pathmap:"$PWD=." -r:"$1/Payorder.dll" -doc:"$1/Payorder.Testing.xml" \
        -out:"$1/Payorder.Testing.dll" src/Assembly.cs testing/*.cs
}
