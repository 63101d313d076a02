#!/usr/bin/env bash
# The Python package installs as its README says: from a checkout, from an sdist, with a prebuilt
# library, as a manylinux wheel. Each is tested in a new virtual environment, outside the checkout,
# with each installed Python. Needs the network for crates.io and PyPI.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Settings of the caller's shell must not have an effect.
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET PAYORDER_LIBRARY PAYORDER_PREBUILT
unset PAYORDER_WHEEL_PLATFORM PYTHONPATH VIRTUAL_ENV
export PIP_DISABLE_PIP_VERSION_CHECK=1
# The release may be built at the same time, and cargo-zigbuild's wrappers cannot be shared.
export CARGO_ZIGBUILD_CACHE_DIR=$work/zigbuild

checkout=$work/checkout
elsewhere=$work/elsewhere
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)

step() { printf '\n== %s\n' "$*"; }
fail() { echo "FAILED: $*" >&2; exit 1; }

pythons=()
for name in python3.8 python3.9 python3.10 python3.11 python3.12 python3.13; do
    # A version manager can have a shim for a version that is not installed.
    if command -v "$name" >/dev/null && "$name" -c 'import ctypes, venv' 2>/dev/null; then
        pythons+=("$name")
    fi
done
[ ${#pythons[@]} -gt 0 ] || fail "no Python from 3.8 to 3.13 is on the PATH"

# fresh NAME [PYTHON]: creates a new virtual environment in $environment.
fresh() {
    environment=$work/environments/$1
    rm -rf "$environment"
    "${2:-python3}" -m venv "$environment"
}

# refused WORDS COMMAND...: the command must fail with this message and without a traceback.
refused() {
    local words=$1
    shift
    if "$@" >"$work/transcript" 2>&1; then fail "'$*' should have been refused"; fi
    grep -qF -- "$words" "$work/transcript" || {
        cat "$work/transcript"
        fail "the message does not have: $words"
    }
    if grep -q Traceback "$work/transcript"; then
        cat "$work/transcript"
        fail "the message has a traceback"
    fi
    echo "refused: $words"
}

# Checks that the package in $environment is complete, uses its own library, and passes its tests
# against a service on 127.0.0.1.
works() {
    (
        cd "$elsewhere"
        "$environment/bin/pip" check
        "$environment/bin/python" - "$version" <<'PROGRAM'
import os, sys
import payorder
from payorder._library import library

assert os.path.dirname(library._name) == os.path.dirname(payorder.__file__), library._name
assert payorder.__file__.startswith(sys.prefix), payorder.__file__
assert payorder.library_version() == payorder.__version__ == sys.argv[1], payorder.library_version()
PROGRAM
        "$environment/bin/payorder" explain connection_refused >"$work/explained"
        grep -q '^likely reasons' "$work/explained"
        "$environment/bin/python" -m unittest -q tests.test_client tests.test_description \
            tests.test_outcomes tests.test_payments
    )
}

# Every file of the checkout, except what a build may leave: cargo's folder, and the bytecode of
# hatch_build.py.
files() {
    (cd "$checkout" && find . -path ./target -prune -o -name __pycache__ -prune -o -print | sort)
}

step "a checkout, and another folder with only the tests that use a service"
mkdir -p "$checkout" "$elsewhere"
tar -c --exclude-vcs --exclude=target --exclude=__pycache__ . | tar -x -C "$checkout"
cp -r bindings/python/tests "$elsewhere/tests"
package=$checkout/bindings/python
files >"$work/before"

for python in "${pythons[@]}"; do
    step "$python: pip install ./bindings/python"
    fresh "$python" "$python"
    (cd "$checkout" && "$environment/bin/pip" install -q ./bindings/python)
    works
    if (
        cd "$elsewhere"
        PAYORDER_LIBRARY=/no/such.so "$environment/bin/python" -c 'import payorder' 2>/dev/null
    ); then
        fail "PAYORDER_LIBRARY does not override the bundled library"
    fi
    "$environment/bin/pip" uninstall -q -y payorder
    left=$(find "$environment" -iname '*payorder*')
    [ -z "$left" ] || fail "uninstalling leaves $left"
done
files | diff "$work/before" - || fail "the builds left files in the checkout"

step "the tools"
fresh tools
tools=$environment/bin
"$tools/pip" install -q build twine mypy

step "the wheel has only the package, its types, the stripped library, the C interface, the licences"
"$tools/pip" wheel -q --no-deps -w "$work/wheels" "$package"
wheel=$(echo "$work"/wheels/payorder-*.whl)
[[ $wheel == *"/payorder-$version-py3-none-linux_$(uname -m).whl" ]] || fail "the wheel's name is $wheel"
"$tools/twine" check --strict "$wheel"
"$tools/python" -m zipfile -e "$wheel" "$work/unpacked"
{
    (cd "$package" && ls payorder/{,aio/}*.py payorder/command/*.{py,json})
    printf '%s\n' payorder/py.typed payorder/libpayorder.so payorder/include/payorder{.h,.cdef,-abi.json}
    printf "payorder-$version.dist-info/%s\n" METADATA RECORD WHEEL entry_points.txt \
        licenses/LICENSE-{APACHE,MIT,THIRD-PARTY}
} | sort | diff - <(cd "$work/unpacked" && find . -type f -printf '%P\n' | sort) ||
    fail "the wheel has other files"
library=$work/unpacked/payorder/libpayorder.so
nm "$library" 2>&1 | grep 'no symbols' >/dev/null || fail "the library is not stripped"
for licence in LICENSE-{MIT,APACHE,THIRD-PARTY}; do
    cmp "$checkout/$licence" "$work/unpacked/payorder-$version.dist-info/licenses/$licence"
done
ls -l "$wheel" "$library"

step "a type checker sees the types of the installed package"
fresh typed
"$environment/bin/pip" install -q --no-index "$wheel"
echo 'import payorder; reveal_type(payorder.parse_return_url("?txn=T").transaction_id)' >"$elsewhere/typed.py"
echo 'import payorder; payorder.parse_return_url(1)' >"$elsewhere/mistyped.py"
check_types=("$tools/mypy" --strict --python-executable "$environment/bin/python")
(cd "$elsewhere" && "${check_types[@]}" typed.py) | grep -F 'Revealed type is "' | grep -F str
(cd "$elsewhere" && refused 'Argument 1 to "parse_return_url"' "${check_types[@]}" mistyped.py)

step "the sdist builds without a checkout"
(cd "$checkout" && "$tools/python" -m build --sdist -o "$work/sdist" bindings/python >/dev/null)
sdist=$work/sdist/payorder-$version.tar.gz
"$tools/twine" check --strict "$sdist"
tar -tvf "$sdist" >"$work/listed"
if grep -v '^-' "$work/listed"; then fail "the sdist has links"; fi
for file in LICENSE-{MIT,APACHE,THIRD-PARTY} \
    crate/{Cargo.toml,Cargo.lock,build.rs,src/lib.rs,include/payorder{.h,.cdef,-abi.json}}; do
    grep -q " payorder-$version/$file\$" "$work/listed" || fail "the sdist lacks $file"
done
if grep -E 'target/|\.so$|\.pyc$|\.orig$|vcs_info' "$work/listed"; then
    fail "the sdist has build files"
fi
mkdir "$work/empty"
mv "$checkout" "$work/hidden"
fresh sdist "${pythons[0]}"
(cd "$work/empty" && "$environment/bin/pip" install -q "$sdist")
works
tar -xf "$sdist" -C "$work/empty"
refused "An editable install needs a checkout" \
    "$environment/bin/pip" install -e "$work/empty/payorder-$version"
# An sdist can be built from an sdist.
"$tools/python" -m build --sdist -o "$work/again" "$work/empty/payorder-$version" >/dev/null
diff <(tar -tf "$sdist" | sort) <(tar -tf "$work/again/payorder-$version.tar.gz" | sort) ||
    fail "an sdist of the sdist differs"
mv "$work/hidden" "$checkout"

step "with a prebuilt library cargo is not needed"
mkdir "$work/no-cargo"
fresh prebuilt
PATH=$work/no-cargo PAYORDER_PREBUILT=$library "$environment/bin/pip" install -q "$package"
works
found=$("$environment/bin/python" -c 'import payorder._library as found; print(found.library._name)')
cmp "$library" "$found"

step "a failed build has a readable message"
fresh refusals
pip=$environment/bin/pip
remedy="Install it from https://rustup.rs"
mkdir "$work/old-cargo" "$work/broken-cargo"
printf '#!/bin/sh\necho "cargo 1.70.0 (ec8a8a0ca 2023-04-25)"\n' >"$work/old-cargo/cargo"
printf '#!/bin/sh\nexit 1\n' >"$work/broken-cargo/cargo"
chmod +x "$work"/{old,broken}-cargo/cargo
for case in "no-cargo:is not on the PATH" "old-cargo:is Rust 1.70.0, which is too old" \
    "broken-cargo:does not work"; do
    refused "${case#*:}" env PATH="$work/${case%%:*}:$work/no-cargo" "$pip" install "$package"
    grep -qF "$remedy" "$work/transcript" || fail "the message does not say what to do"
done
refused "which is not a file" env PAYORDER_PREBUILT=/no/such/libpayorder.so "$pip" install "$package"
refused "This package cannot use" env PAYORDER_PREBUILT="$checkout/Cargo.toml" \
    "$pip" install "$package"
refused "is for linux_$(uname -m), and PAYORDER_WHEEL_PLATFORM is win_amd64" \
    env PAYORDER_WHEEL_PLATFORM=win_amd64 PAYORDER_PREBUILT="$library" "$pip" install "$package"
refused "is for no platform" env PAYORDER_WHEEL_PLATFORM=win_amd64 \
    PAYORDER_PREBUILT="$checkout/Cargo.toml" "$pip" install "$package"
refused "PAYORDER_WHEEL_PLATFORM needs a library" \
    env PAYORDER_WHEEL_PLATFORM=win_amd64 "$pip" install "$package"
refused "An editable install contains no library" env PAYORDER_PREBUILT="$library" \
    "$pip" install -e "$package"

step "the library and the package must have the same version"
for file in pyproject.toml payorder/__init__.py; do
    cp "$package/$file" "$work/kept"
    sed -i "s/\"$version\"/\"9.9.9\"/" "$package/$file"
    refused "The versions differ" env PAYORDER_PREBUILT="$library" "$pip" install "$package"
    cp "$work/kept" "$package/$file"
done

step "a compiler error is shown"
echo 'not Rust' >>"$checkout/src/lib.rs"
refused "so payorder's library was not built" "$pip" install "$package"
grep -q '^ *error: ' "$work/transcript" || fail "the compiler's message is not shown"
sed -i '$d' "$checkout/src/lib.rs"

step "an editable install builds in the checkout, and uses the checkout"
fresh editable
"$environment/bin/pip" install -q -e "$package"
found=$(cd "$elsewhere" && "$environment/bin/python" -c \
    'import payorder._library as found; print(found.library._name)')
[ "$found" = "$checkout/target/release/libpayorder.so" ] || fail "the editable package uses $found"
"$environment/bin/pip" uninstall -q -y payorder
left=$(find "$environment" -iname '*payorder*')
[ -z "$left" ] || fail "uninstalling leaves $left"

if [ "$(uname -m)" = x86_64 ]; then
    step "the wheel for manylinux_2_17_x86_64"
    "$package/manylinux.sh" "$work/manylinux"
    wheel=$(echo "$work"/manylinux/*.whl)
    [[ $wheel == *manylinux_2_17_x86_64.whl ]] || fail "the wheel's name is $wheel"
    "$tools/twine" check --strict "$wheel"
    for python in "${pythons[@]}"; do
        fresh "manylinux-$python" "$python"
        "$environment/bin/pip" install -q --no-index "$wheel"
        works
    done
    ls -l "$wheel"
fi

echo
echo "the Python package installs: ${pythons[*]}"
