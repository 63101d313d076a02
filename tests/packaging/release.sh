#!/usr/bin/env bash
# The release: built with one command, reproducible from any folder, complete, and works on old
# machines.
source "$(dirname "$0")/harness.sh"

promise "two builds from different folders have the same bytes"
export SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$project" log -1 --format=%ct)}
copy=$work/somewhere/else
copy_to "$copy"
(cd "$project" && cp -r --parents packaging docs README.md CHANGELOG.md LICENSE-* "$copy")
quietly "$project/packaging/release" --out "$work/one"
quietly "$copy/packaging/release" --out "$work/two"
name=payorder-$version-x86_64-linux-gnu
same "the release's checksum" "$(cat "$work/one/SHA256SUMS")" "$(cat "$work/two/SHA256SUMS")"

promise "the checksums are right, and name every file"
(cd "$work/one" && quietly sha256sum --check --strict SHA256SUMS)
tar -xzf "$work/one/$name.tar.gz" -C "$work"
release=$work/$name
(cd "$release" && quietly sha256sum --check --strict SHA256SUMS)
same "files" "$(cd "$release" && find . -type f ! -name SHA256SUMS -printf '%P\n' | sort)" \
    "$(sed 's/^[0-9a-f]*  //' "$release/SHA256SUMS" | sort)"

promise "it has library, headers, pkg-config and CMake files, documents and the sandbox, without owners"
for file in lib/libpayorder.so lib/libpayorder.so.1 lib/libpayorder.a \
    include/payorder.h include/payorder.hpp include/payorder.cdef include/payorder-abi.json \
    lib/pkgconfig/payorder.pc lib/cmake/payorder/payorder-config.cmake \
    bin/payorder-{sandbox,bridge,check} \
    share/man/man1/payorder.1 share/man/man3/payorder_create_order.3 share/man/man7/payorder.7 \
    share/doc/payorder/README.md share/doc/payorder/docs/abi.md \
    share/doc/payorder/LICENSE-MIT share/doc/payorder/LICENSE-THIRD-PARTY \
    share/doc/payorder/licences/COPYRIGHT-library.html share/doc/payorder/payorder.cdx.json; do
    [ -s "$release/$file" ] || fail "$file is not in the release"
done
! tar -tzvf "$work/one/$name.tar.gz" | awk '{ print $2 }' | grep -vx '0/0' || fail "a file has an owner"
paths=$(printf '%s|' "$project" "${CARGO_HOME:-$HOME/.cargo}" "$work")/tmp/tmp\.
! grep -rlaE "$paths" "$release" || fail "a file contains a path of this machine"

promise "no link in its documents is dead"
links=0
while IFS=: read -r page link; do
    [ -e "$(dirname "$page")/$link" ] || fail "$page has a link to $link"
    links=$((links + 1))
done < <(cd "$release/share/doc/payorder" && grep -roE --include='*.md' '\]\([^):]+\)' "$PWD" |
    sed -E 's/\]\(([^)#]*)(#[^)]*)?\)/\1/' | grep -v ':$')
[ "$links" -gt 100 ] || fail "there are only $links links"

promise "it has the licence text of every linked crate, and a missing one is detected"
crates=$(cargo tree --manifest-path "$project/Cargo.toml" --package payorder --locked \
    -e normal,no-proc-macro --target x86_64-unknown-linux-gnu --prefix none --format '{p}' |
    awk '{ print $1 " " substr($2, 2) }' | grep -vE '^payorder(-core)? ' | sort -u)
while read -r crate; do
    has "$release/share/doc/payorder/LICENSE-THIRD-PARTY" "^$crate, [A-Z]*(LICEN|COPY)"
done <<<"$crates"
mkdir "$work/bare"
cat >"$work/cargo" <<PROGRAM
#!/bin/sh
cargo "\$@" | sed -E 's#"manifest_path":"[^"]*/serde_json-[^/]*/#"manifest_path":"$work/bare/#'
PROGRAM
chmod +x "$work/cargo"
refused "comes without its licence text" \
    env CARGO="$work/cargo" python3 "$copy/packaging/licences.py" "$work/bare"

promise "its bill of materials names those crates, and what else is linked"
bill=$release/share/doc/payorder/payorder.cdx.json
while read -r crate; do
    has "$bill" "\"purl\": \"pkg:cargo/${crate/ /@}\""
done <<<"$crates"
for other in sqlite rust-std zig-libunwind; do
    has "$bill" "\"purl\": \"pkg:generic/$other@"
done

promise "everything is made in two folders with the same bytes, but not with placeholders"
refused "placeholders: home_page" "$project/packaging/release" --all --out "$work/all"
libraries=$work/libraries/x86_64-linux-gnu
mkdir -p "$libraries"/{shared,static}
cp "$release/lib/libpayorder.so.1" "$libraries/shared/libpayorder.so"
cp "$release/lib/libpayorder.a" "$libraries/static"
for made in "$work"/packages-{one,two}; do
    quietly "$project/bindings/package" --out "$made" --libraries "$work/libraries"
done
for file in "$work"/packages-one/*; do
    quietly cmp "$file" "$work/packages-two/${file##*/}"
done

promise "a package whose tools are missing is named, and the others are made"
# Relative paths are those of the caller's folder.
(cd "$work" &&
    refused "csharp: skipped, needs /no/dotnet (DOTNET can name it)" env DOTNET=/no/dotnet \
        "$project/bindings/package" --out some --libraries libraries csharp com)
[ -s "$work"/some/payorder-com-*.zip ] || fail "the package for COM is missing"

promise "programs build against the release, shared and static, and run with its sandbox"
start_sandbox "$release/bin/payorder-sandbox"
(umask 077 && echo "$config" >"$work/config.json")
PAYORDER_CONFIG=$work/config.json quietly "$release/bin/payorder-check"
quietly "$cmake" -S "$project/tests/packaging/consumer" -B "$work/consumer" \
    -DPAYORDER_FROM=package "-DCMAKE_PREFIX_PATH=$release"
quietly "$cmake" --build "$work/consumer"
for program in c_payorder c_payorder_static cpp_payorder cpp_payorder_static; do
    works "$work/consumer/$program"
done
stop_sandbox

promise "its wheels for Python install without a compiler, pass the conformance suite, and registries accept them"
quietly "$project/bindings/python/wheel.sh" "$work/wheels" manylinux_2_17_x86_64 \
    "$release/lib/libpayorder.so.1" "$release/bin/payorder-sandbox"
python3 -m venv "$work/python"
quietly "$work/python/bin/pip" install twine
quietly "$work/python/bin/twine" check --strict "$work"/wheels/*
quietly "$work/python/bin/pip" install --no-index "$work"/wheels/*
mkdir "$work/elsewhere"
cp "$project/bindings/python/conformance.py" "$work/elsewhere"
sandbox=$("$work/python/bin/python" -c \
    'from payorder_tools.testing.program import program; print(program())')
quietly env -u PAYORDER_LIBRARY PAYORDER_SANDBOX="$sandbox" "$project/bindings/conformance/judge" \
    "$work/python/bin/python" "$work/elsewhere/conformance.py"

"$(dirname "$0")/old_machines.sh" "$work/one/$name.tar.gz"

echo "release: all promises kept"
