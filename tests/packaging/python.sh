#!/usr/bin/env bash
# The Python packages install as their READMEs say: from a checkout, from an sdist, and with a prebuilt
# library and sandbox. Each is tested in a new virtual environment, outside the checkout, with each
# installed Python. release.sh and systems.sh test the wheels of releases. Needs the network for
# crates.io and PyPI.
source "$(dirname "$0")/harness.sh"
cd "$project"
trap 'kill $(jobs -p) 2>/dev/null || true; leave' EXIT
# Settings of the caller's shell must not have an effect.
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET PAYORDER_LIBRARY PAYORDER_SANDBOX
unset PAYORDER_PREBUILT PAYORDER_PREBUILT_SANDBOX PAYORDER_WHEEL_PLATFORM PYTHONPATH VIRTUAL_ENV
export PIP_DISABLE_PIP_VERSION_CHECK=1
# It is built several times. release.sh tests the wheels of a release.
unoptimised

checkout=$work/checkout
elsewhere=$work/elsewhere

step() { printf '\n== %s (after %s s)\n' "$*" "$SECONDS"; }

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

# works [SCENARIO]: checks that the package in $environment is complete, uses its own library, and passes
# the conformance suite, or this scenario of it. The whole suite runs once: the package and the code of
# its library are the same.
works() {
    (
        only=(${1:+--only "$1"})
        cd "$elsewhere"
        "$environment/bin/pip" check
        "$environment/bin/python" - "$version" >"$environment/sandbox" <<'PROGRAM'
import os, sys
import payorder
from payorder._library import library

import payorder_tools
from payorder_tools.testing.program import program

package = os.path.dirname(payorder.__file__)
assert os.path.dirname(library._name) == package, library._name
tools = os.path.dirname(os.path.realpath(payorder_tools.__file__))
assert str(program()) == os.path.join(tools, "payorder-sandbox"), program()
assert payorder.__file__.startswith(sys.prefix), payorder.__file__
assert payorder.library_version() == payorder.__version__ == sys.argv[1], payorder.library_version()
print(program())
PROGRAM
        "$environment/bin/payorder" explain connection_refused >"$environment/explained"
        grep -q '^likely reasons' "$environment/explained"
        PAYORDER_SANDBOX=$(cat "$environment/sandbox") "$project/bindings/conformance/judge" \
            "${only[@]}" "$environment/bin/python" conformance.py
    )
}

is_removed() {
    local left
    "$environment/bin/pip" uninstall -q -y payorder payorder-tools
    left=$(find "$environment" -iname '*payorder*')
    [ -z "$left" ] || fail "uninstalling leaves $left"
}

# Every file of the checkout, except what a build may leave: cargo's folder, the licences, and the
# bytecode of hatch_build.py.
files() {
    (cd "$checkout" && find . -path ./target -prune -o -name __pycache__ -prune -o \
        -name 'LICENSE-*' -prune -o -print | sort)
}

step "a checkout, and another folder with only the driver of the conformance suite"
mkdir -p "$checkout" "$elsewhere"
bindings/generate python >/dev/null
tar -c --exclude-vcs --exclude=target --exclude=__pycache__ . | tar -x -C "$checkout"
cp bindings/python/conformance.py "$elsewhere"
package=$checkout/bindings/python
tools_package=$checkout/tools
files >"$work/before"
# The builds make what bindings/generate writes.
git ls-files -oi --exclude-standard "bindings/python/*.py" "tools/*.sql" | (cd "$checkout" && xargs rm)

for python in "${pythons[@]}"; do
    step "$python: pip install ./bindings/python ./tools"
    fresh "$python" "$python"
    (cd "$checkout" && "$environment/bin/pip" install -q ./bindings/python ./tools)
    works
    if (
        cd "$elsewhere"
        PAYORDER_LIBRARY=/no/such.so "$environment/bin/python" -c 'import payorder' 2>/dev/null
    ); then
        fail "PAYORDER_LIBRARY does not override the bundled library"
    fi
    is_removed
done
files | diff "$work/before" - || fail "the builds left files in the checkout"

step "the tools"
fresh tools
tools=$environment/bin
"$tools/pip" install -q build twine mypy

step "the wheels have only the package, stripped library or sandbox, C interface, and licences"
"$tools/pip" wheel -q --no-deps -w "$work/wheels" "$package" "$tools_package"
system=$version-py3-none-linux_$(uname -m)
wheel=$work/wheels/payorder-$system.whl
tools_wheel=$work/wheels/payorder_tools-$system.whl
"$tools/twine" check --strict "$wheel" "$tools_wheel"
for one in "$wheel" "$tools_wheel"; do "$tools/python" -m zipfile -e "$one" "$work/unpacked"; done
{
    (cd "$package" && find payorder -type f ! -name '*.pyc')
    (cd "$tools_package" && find payorder_tools -type f ! -name '*.pyc')
    printf '%s\n' payorder/libpayorder.so payorder/include/payorder{.h,.cdef,-abi.json} \
        payorder_tools/payorder-sandbox
    for name in payorder payorder_tools; do
        printf "$name-$version.dist-info/%s\n" METADATA RECORD WHEEL \
            licenses/LICENSE-{APACHE,MIT,THIRD-PARTY}
    done
    printf "%s-$version.dist-info/entry_points.txt\n" payorder payorder_tools
} | sort | diff - <(cd "$work/unpacked" && find . -type f -printf '%P\n' | sort) ||
    fail "the wheels have other files"
library=$work/unpacked/payorder/libpayorder.so
sandbox=$work/unpacked/payorder_tools/payorder-sandbox
for file in "$library" "$sandbox"; do
    nm "$file" 2>&1 | grep 'no symbols' >/dev/null || fail "$file is not stripped"
done
for licence in "$checkout"/LICENSE-{MIT,APACHE} "$package/LICENSE-THIRD-PARTY"; do
    cmp "$licence" "$work/unpacked/payorder-$version.dist-info/licenses/${licence##*/}"
done
ls -l "$wheel" "$tools_wheel" "$library" "$sandbox"
# zipfile does not restore modes, as pip does.
chmod +x "$sandbox"

step "the sandbox of the package runs on a machine without Rust, also in pytest"
mkdir "$work/no-cargo"
fresh sandbox
"$environment/bin/pip" install -q --no-index "$wheel"
refused "the package payorder-tools" "$environment/bin/python" -m payorder --version
"$environment/bin/pip" install -q --no-index "$tools_wheel"
"$environment/bin/python" -m payorder --version
payorder=("$environment/bin/payorder")
PATH=$work/no-cargo "${payorder[@]}" sandbox --quiet --fault create:2:reject >"$work/url" &
serving=$!
until [ -s "$work/url" ]; do
    kill -0 $serving || fail "the sandbox ended"
    sleep 0.1
done
export PAYORDER_BASE_URL PAYORDER_ACCESS_TOKEN=sandbox-access-token
PAYORDER_BASE_URL=$(cat "$work/url")
create() {
    "${payorder[@]}" create --order-id "$1" --amount 249.50 --merchant-id M-1 --product-info Tea \
        --customer-name "Asha Rao" --customer-mobile 9000000001 --customer-email a@shop.example \
        --redirection-url https://shop.example/ --currency-code INR --quiet
}
[ "$(create O-1)" = "$PAYORDER_BASE_URL/checkout/1" ] || fail "no order was created"
status=0
create O-2 2>/dev/null || status=$?
[ $status = 4 ] || fail "the rule of --fault had no effect: create ended with $status"
kill $serving
wait $serving || fail "the sandbox ended with $?"
unset PAYORDER_BASE_URL PAYORDER_ACCESS_TOKEN
"$environment/bin/pip" install -q pytest
echo 'def test(payorder_sandbox): assert payorder_sandbox.orders() == []' \
    >"$elsewhere/test_shop.py"
(cd "$elsewhere" && "$environment/bin/python" -m pytest -q test_shop.py)

step "bundles have the library: PyInstaller, cx_Freeze, a layer of AWS Lambda"
fresh bundles
"$environment/bin/pip" install -q "$wheel" pyinstaller cx_Freeze
echo 'import payorder; payorder.Client("https://a.example"); payorder.verify_payment
print(payorder.library_version(), payorder.__file__)' >"$elsewhere/till.py"
(
    cd "$elsewhere"
    "$environment/bin/pyinstaller" --log-level WARN till.py
    "$environment/bin/cxfreeze" build --script till.py --target-dir frozen >/dev/null
    "$environment/bin/pip" install -q --no-index --no-deps --target layer/python "$wheel"
    for bundled in dist/till/till frozen/till "env PYTHONPATH=layer/python python3 till.py"; do
        $bundled | tee "$work/transcript"
        grep -q "^$version .*$elsewhere" "$work/transcript" || fail "$bundled uses another package"
    done
)

step "a type checker sees the types of the installed package"
fresh typed
"$environment/bin/pip" install -q --no-index "$wheel"
echo 'import payorder; reveal_type(payorder.parse_return_url("?txn=T").transaction_id)' >"$elsewhere/typed.py"
echo 'import payorder; payorder.parse_return_url(1)' >"$elsewhere/mistyped.py"
check_types=("$tools/mypy" --strict --python-executable "$environment/bin/python")
(cd "$elsewhere" && "${check_types[@]}" typed.py) | grep -F 'Revealed type is "' | grep -F str
(cd "$elsewhere" && refused 'Argument 1 to "parse_return_url"' "${check_types[@]}" mistyped.py)

step "the sdists build without a checkout"
for one in bindings/python tools; do
    (cd "$checkout" && "$tools/python" -m build --sdist -o "$work/sdist" "$one" >/dev/null)
done
sdist=$work/sdist/payorder-$version.tar.gz
tools_sdist=$work/sdist/payorder_tools-$version.tar.gz
"$tools/twine" check --strict "$sdist" "$tools_sdist"
for one in "$sdist" "$tools_sdist"; do tar -tvf "$one"; done >"$work/listed"
if grep -v '^-' "$work/listed"; then fail "an sdist has links"; fi
for file in {payorder,payorder_tools}-"$version"/{hatch_build.py,LICENSE-{MIT,APACHE,THIRD-PARTY}} \
    payorder-"$version"/crate/{Cargo.toml,Cargo.lock,build.rs,src/lib.rs,include/payorder{.h,.cdef,-abi.json}} \
    payorder_tools-"$version"/sandbox/{Cargo.toml,Cargo.lock,main.rs}; do
    grep -q " $file\$" "$work/listed" || fail "an sdist lacks $file"
done
if grep -E 'target/|\.so$|\.pyc$|\.orig$|vcs_info' "$work/listed"; then
    fail "an sdist has build files"
fi
mkdir "$work/empty"
mv "$checkout" "$work/hidden"
fresh sdist "${pythons[0]}"
(cd "$work/empty" && "$environment/bin/pip" install -q "$sdist" "$tools_sdist")
works order-is-sent-once
tar -xf "$sdist" -C "$work/empty"
refused "An editable install needs a checkout" \
    "$environment/bin/pip" install -e "$work/empty/payorder-$version"
# An sdist can be built from an sdist.
"$tools/python" -m build --sdist -o "$work/again" "$work/empty/payorder-$version" >/dev/null
diff <(tar -tf "$sdist" | sort) <(tar -tf "$work/again/payorder-$version.tar.gz" | sort) ||
    fail "an sdist of the sdist differs"
mv "$work/hidden" "$checkout"

step "with a prebuilt library and sandbox cargo is not needed"
fresh prebuilt
rm "$package/LICENSE-THIRD-PARTY" "$tools_package/LICENSE-THIRD-PARTY"
refused "Without cargo, copy LICENSE-THIRD-PARTY" env PATH="$work/no-cargo" \
    PAYORDER_PREBUILT="$library" PAYORDER_PREBUILT_SANDBOX="$sandbox" \
    "$environment/bin/pip" install "$package"
for one in "$package" "$tools_package"; do
    cp "$work/unpacked/payorder-$version.dist-info/licenses/LICENSE-THIRD-PARTY" "$one"
done
PATH=$work/no-cargo PAYORDER_PREBUILT=$library PAYORDER_PREBUILT_SANDBOX=$sandbox \
    "$environment/bin/pip" install -q "$package" "$tools_package"
works order-is-sent-once
found=$("$environment/bin/python" -c 'import payorder._library as found; print(found.library._name)')
cmp "$library" "$found"
cmp "$sandbox" "$(dirname "$found")/../payorder_tools/payorder-sandbox"

step "a failed build has a readable message"
fresh refusals
install=("$environment/bin/pip" install --no-build-isolation)
# Not in isolation, because pip would install what builds the packages again for each of these.
"$environment/bin/pip" install -q "hatchling>=1.27" jinja2
mkdir "$work/old-cargo" "$work/broken-cargo"
printf '#!/bin/sh\necho "cargo 1.70.0 (ec8a8a0ca 2023-04-25)"\n' >"$work/old-cargo/cargo"
printf '#!/bin/sh\nexit 1\n' >"$work/broken-cargo/cargo"
chmod +x "$work"/{old,broken}-cargo/cargo
for cargo in no-cargo old-cargo broken-cargo; do
    refused "Install it from https://rustup.rs" env PATH="$work/$cargo:$work/no-cargo" \
        "${install[@]}" "$package"
done
prebuilt=(env PAYORDER_PREBUILT="$library" PAYORDER_PREBUILT_SANDBOX="$sandbox")
elsewhere_tag=(PAYORDER_WHEEL_PLATFORM=win_amd64)
cp "$sandbox" "$work/not-executable"
chmod -x "$work/not-executable"
printf '#!/bin/sh\necho Good morning\n' >"$work/other-program"
chmod +x "$work/other-program"
refused "PAYORDER_PREBUILT is /no/such/file, which is not a file" \
    env PAYORDER_PREBUILT=/no/such/file "${install[@]}" "$package"
refused "PAYORDER_PREBUILT_SANDBOX is /no/such/file, which is not a file" \
    env PAYORDER_PREBUILT_SANDBOX=/no/such/file "${install[@]}" "$tools_package"
refused "is for no platform" "${prebuilt[@]}" "${elsewhere_tag[@]}" \
    PAYORDER_PREBUILT="$checkout/Cargo.toml" "${install[@]}" "$package"
refused "This package cannot use" "${prebuilt[@]}" PAYORDER_PREBUILT="$checkout/Cargo.toml" \
    "${install[@]}" "$package"
refused "the sandbox did not start: Good morning" \
    "${prebuilt[@]}" PAYORDER_PREBUILT_SANDBOX="$work/other-program" "${install[@]}" "$tools_package"
refused "is not executable" \
    "${prebuilt[@]}" PAYORDER_PREBUILT_SANDBOX="$work/not-executable" "${install[@]}" "$tools_package"
refused "is for linux_$(uname -m), and PAYORDER_WHEEL_PLATFORM is win_amd64" \
    "${prebuilt[@]}" "${elsewhere_tag[@]}" "${install[@]}" "$package"
refused "PAYORDER_WHEEL_PLATFORM needs a library" \
    env "${elsewhere_tag[@]}" "${install[@]}" "$package"

step "what is built and its package must have the same version"
for file in "$package"/{pyproject.toml,payorder/__init__.py} \
    "$tools_package"/{pyproject.toml,payorder_tools/__init__.py}; do
    cp "$file" "$work/kept"
    sed -i "s/\"$version\"/\"9.9.9\"/" "$file"
    one=$package
    [[ $file != "$tools_package"/* ]] || one=$tools_package
    refused "The versions differ" "${prebuilt[@]}" "${install[@]}" --no-deps "$one"
    cp "$work/kept" "$file"
done

step "a compiler error is shown"
echo 'not Rust' >>"$checkout/src/lib.rs"
refused "so payorder was not built" "${install[@]}" "$package"
grep -q '^ *error: ' "$work/transcript" || fail "the compiler's message is not shown"
sed -i '$d' "$checkout/src/lib.rs"

step "an editable install builds in the checkout, and uses the checkout"
fresh editable
# It needs the same crates as the wheel.
cp -a "$checkout/target/wheel/release" "$checkout/target/release"
"$environment/bin/pip" install -q -e "$package" -e "$tools_package"
found=$(cd "$elsewhere" && "$environment/bin/python" -c \
    'import payorder._library as found; print(found.library._name)')
[ "$found" = "$checkout/target/release/libpayorder.so" ] || fail "the editable package uses $found"
found=$(cd "$elsewhere" && "$environment/bin/python" -c \
    'from payorder_tools.testing import program; print(program.program())')
[ "$found" = "$checkout/target/release/examples/sandbox" ] ||
    fail "the editable package uses $found"
is_removed

echo
echo "the Python packages install: ${pythons[*]}"
