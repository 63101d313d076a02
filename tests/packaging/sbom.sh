#!/usr/bin/env bash
# The bill of materials of a release: complete, exact, reproducible, and valid CycloneDX.
source "$(dirname "$0")/harness.sh"

sbom() { python3 "$project/packaging/sbom.py" "$@"; }

# crates_of PACKAGE TARGET: the crates that cargo links, as package URLs.
crates_of() {
    cargo tree --manifest-path "$project/Cargo.toml" --package "$1" --locked \
        -e normal,no-proc-macro --target "$2" --prefix none --format '{p}' |
        awk '$1 !~ /^payorder/ { print "pkg:cargo/" $1 "@" substr($2, 2) }' | sort -u
}

# jq_lines FILE EXPRESSION: what the expression gives for each component, sorted.
jq_lines() { jq -r "$2" "$1" | sort; }

targets=$(awk '!/^#/ { print $2 }' "$project/packaging/targets")

promise "it lists exactly the crates in the library, for each target"
for target in $targets; do
    sbom "$target" >"$work/$target.json"
    listed=$(jq_lines "$work/$target.json" '.components[].purl | select(startswith("pkg:cargo/"))')
    same "the crates for $target" "$(crates_of payorder "$target")" "$listed"
done
grep -q windows-sys <<<"$listed" || fail "no crate of Windows is listed"

promise "the bridge and the sandbox have no other crates"
for program in payorder-bridge payorder-sandbox; do
    more=$(comm -23 <(crates_of "$program" i686-win7-windows-gnu) <(echo "$listed"))
    same "crates of $program only" "" "$more"
done

promise "each crate has the checksum of Cargo.lock and the licence of LICENSE-THIRD-PARTY"
target=$(head -n 1 <<<"$targets")
python3 "$project/packaging/licences.py" "$work"
while read -r name crate_version checksum licence; do
    grep -A 4 -Fx "name = \"$name\"" "$project/Cargo.lock" | grep -A 2 -Fx "version = \"$crate_version\"" |
        grep -qFx "checksum = \"$checksum\"" || fail "$name $crate_version: the checksum is $checksum"
    grep -qFx "$name $crate_version: $licence" <(sed 's,/, OR ,g' "$work/LICENSE-THIRD-PARTY") ||
        fail "$name $crate_version: the licence is $licence"
done < <(jq -r '.components[] | select(.purl | startswith("pkg:cargo/")) |
    "\(.name) \(.version) \(.hashes[0].content) \(.licenses[0].expression)"' "$work/$target.json")

promise "it names SQLite, Rust and what the release adds, and who needs whom"
sbom "$target" --also unwinder "1.2 (a)" licences/unwinder.txt >"$work/more.json"
for other in sqlite rust-std unwinder; do
    has "$work/more.json" "\"ref\": \"pkg:generic/$other@[0-9]"
done
has "$work/more.json" 'pkg:generic/unwinder@1.2%20%28a%29"'
same "what needs SQLite" libsqlite3-sys "$(jq -r '.dependencies[] |
    select(.dependsOn | any(startswith("pkg:generic/sqlite"))) | .ref' "$work/more.json" |
    sed 's,pkg:cargo/\(.*\)@.*,\1,')"

promise "another folder gives the same bytes"
copy_to "$work/copy"
cp -r "$project/packaging" "$work/copy"
(cd / && python3 "$work/copy/packaging/sbom.py" "$target") | cmp - "$work/$target.json" ||
    fail "the bill depends on the folder"

promise "it is valid CycloneDX, and a mistake is found"
python3 -m venv "$work/tools"
"$work/tools/bin/pip" install -q 'cyclonedx-python-lib[json-validation]==11.12.0'
cat >"$work/validate.py" <<'PYTHON'
import pathlib, sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

sys.exit(
    JsonStrictValidator(SchemaVersion.V1_6).validate_str(pathlib.Path(sys.argv[1]).read_text())
)
PYTHON
for bill in "$work"/*.json; do
    quietly "$work/tools/bin/python" "$work/validate.py" "$bill"
done
sed 's/"purl"/"purls"/' "$work/more.json" >"$work/wrong"
refused "'purls' was unexpected" "$work/tools/bin/python" "$work/validate.py" "$work/wrong"

echo "sbom: all promises kept"
