"""sbom.py TARGET... [--also NAME VERSION FILE]...

Prints the software bill of materials of a release as CycloneDX 1.6: the crates that are linked
into the library for these Rust targets, with the checksums of Cargo.lock, and what else is in it:
SQLite, Rust's standard library, and what --also names, with the file of its licence. The same
source gives the same bytes: there is no time and no serial number. The bridge and the sandbox have
no other crates than the library.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import urllib.parse

sys.dont_write_bytecode = True
import crates  # noqa: E402


def checksums():
    """The checksum of each crate's archive, by name and version."""
    lock = (crates.PROJECT / "Cargo.lock").read_text(encoding="utf-8")
    return {
        (found[1], found[2]): found[3]
        for found in re.finditer(
            r'\[\[package\]\]\nname = "(.+)"\nversion = "(.+)"\nsource = ".+"\nchecksum = "(.+)"',
            lock,
        )
    }


def component(kind, name, version, licence):
    """A part of the release. `kind` is its type in its package URL."""
    purl = f"pkg:{kind}/{name}@{urllib.parse.quote(version)}"
    return {
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": version,
        "licenses": [licence],
        "purl": purl,
    }


def of_crate(package):
    """A package of cargo's metadata."""
    # Old manifests have a slash in place of OR.
    licence = {"expression": package["license"].replace("/", " OR ")}
    return component("cargo", package["name"], package["version"], licence)


def sqlite(package):
    """The SQLite in the crate libsqlite3-sys."""
    header = pathlib.Path(package["manifest_path"]).parent / "sqlite3" / "sqlite3.h"
    text = header.read_text(encoding="utf-8")
    version = re.search(r'^#define SQLITE_VERSION +"(.+)"', text, re.MULTILINE)[1]
    return component("generic", "sqlite", version, {"license": {"id": "blessing"}})


def standard_library():
    """Rust's standard library."""
    rustc = subprocess.run(
        [os.environ.get("RUSTC", "rustc"), "-vV"], check=True, stdout=subprocess.PIPE, text=True
    )
    version = re.search(r"^release: (.+)", rustc.stdout, re.MULTILINE)[1]
    return component("generic", "rust-std", version, {"expression": "MIT OR Apache-2.0"})


def bill(targets, also):
    """The bill of materials."""
    hashes = checksums()
    root, parts, edges = None, {}, {}
    for target in targets:
        linked = crates.linked(target)
        root = of_crate(linked.root)
        named = {linked.root["id"]: root}
        for key, package in linked.packages.items():
            named[key] = part = of_crate(package)
            sha256 = hashes[package["name"], package["version"]]
            part["hashes"] = [{"alg": "SHA-256", "content": sha256}]
            parts[part["bom-ref"]] = part
        for key, needs in linked.needs.items():
            edges.setdefault(named[key]["bom-ref"], set()).update(
                named[need]["bom-ref"] for need in needs
            )
        for package in linked.packages.values():
            if package["name"] == "libsqlite3-sys":
                part = sqlite(package)
                parts[part["bom-ref"]] = part
                edges[of_crate(package)["bom-ref"]].add(part["bom-ref"])
    others = [
        component("generic", name, version, {"license": {"name": file}})
        for name, version, file in also
    ]
    for part in [standard_library(), *others]:
        parts[part["bom-ref"]] = part
        edges[root["bom-ref"]].add(part["bom-ref"])
    root["properties"] = [{"name": "rust:target", "value": target} for target in targets]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": root},
        "components": [parts[ref] for ref in sorted(parts)],
        "dependencies": [
            {"ref": ref, "dependsOn": sorted(edges.get(ref, ()))}
            for ref in [root["bom-ref"], *sorted(parts)]
        ],
    }


arguments = argparse.ArgumentParser(usage=__doc__.splitlines()[0])
arguments.add_argument("targets", nargs="+")
arguments.add_argument("--also", nargs=3, action="append", default=[])
given = arguments.parse_args()
print(json.dumps(bill(given.targets, given.also), indent=2))
