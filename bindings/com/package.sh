# Sourced by bindings/package. Its libraries are those of packaging/windows, for Windows alone.
tools=()

make_package() {
    local name
    copy "$folder" README.md samples
    for name in x86_64:x64 i686:x86; do
        [ ! -d "$libraries/${name%:*}-windows/com" ] ||
            cp -r "$libraries/${name%:*}-windows/com" "$folder/${name#*:}"
    done
    pack
}
