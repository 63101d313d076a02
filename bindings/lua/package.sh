# Sourced by bindings/package and bindings/installed.
samples=(luajit .lua)
tools=(luajit)
install_tools=(luarocks)

make_package() {
    local file
    copy "$folder" README.md payorder.lua payorder samples
    native "$folder/payorder/native/%"
    # Luarocks installs what the rockspec lists.
    (cd "$folder" && for file in payorder/native/*/*; do
        echo "      [\"$(tr / . <<<"${file%.*}")\"] = \"$file\","
    done) >"$work/libraries.txt"
    sed "/^    lua = {/r $work/libraries.txt" payorder.rockspec \
        >"$folder/payorder-$version-1.rockspec"
    pack
}

install_package() {
    python3 -m zipfile -e "$artefacts"/payorder-lua-*.zip .
    (cd payorder-lua-* && luarocks --lua-version 5.1 --tree "$work/lua/tree" make)
    mv payorder-lua-*/samples/*.lua .
    rm -r payorder-lua-*
    export LUA_PATH="$PWD/?.lua;$PWD/tree/share/lua/5.1/?.lua"
    inside=$(echo tree/share/lua/5.1/payorder/native/*/*)
}
