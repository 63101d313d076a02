"""licences.py [--check]: writes LICENSE-THIRD-PARTY, the licence texts of all that is linked into the library; with --check, fails where it is not up to date.

Asks cargo which crates that are, for Linux on x86-64. A crate without a text ends it, since what we hand on must come with its licence.
"""

import json
import pathlib
import subprocess
import sys

PROJECT = pathlib.Path(__file__).resolve().parent.parent
FILE = PROJECT / "LICENSE-THIRD-PARTY"
TEXTS = ("LICEN", "COPY", "NOTICE", "UNLICEN")
HEAD = """libpayorder has these Rust crates in it, each under the licence that is named, whose text follows below. Beside them it has Rust's standard library
(MIT OR Apache-2.0, the two texts that most crates have) and SQLite, which is in the public domain.

"""


def linked():
    """The packages that payorder needs when it runs, not those that only build or test it, nor the macros that write code."""
    command = [
        "cargo",
        "metadata",
        "--format-version=1",
        "--locked",
        "--filter-platform=x86_64-unknown-linux-gnu",
    ]
    metadata = json.loads(
        subprocess.run(command, cwd=PROJECT, check=True, stdout=subprocess.PIPE).stdout
    )
    packages = {package["id"]: package for package in metadata["packages"]}
    needs = {
        node["id"]: [
            dep["pkg"]
            for dep in node["deps"]
            if any(kind["kind"] is None for kind in dep["dep_kinds"])
        ]
        for node in metadata["resolve"]["nodes"]
    }
    found, open_ = set(), [metadata["resolve"]["root"]]
    while open_:
        package = open_.pop()
        if package not in found and not any(
            "proc-macro" in target["kind"] for target in packages[package]["targets"]
        ):
            found.add(package)
            open_.extend(needs[package])
    found.remove(metadata["resolve"]["root"])
    return sorted(
        (packages[package] for package in found),
        key=lambda package: (package["name"], package["version"]),
    )


def collected():
    """The whole file: the list, and each different text once, with those that have it."""
    listed, texts = [], {}
    for package in linked():
        name = f"{package['name']} {package['version']}"
        listed.append(f"{name}: {package['license']}\n")
        source = pathlib.Path(package["manifest_path"]).parent
        files = sorted(
            file
            for file in source.iterdir()
            if file.name.upper().startswith(TEXTS) and file.is_file()
        )
        if not files:
            sys.exit(
                f"licences: {name} comes without the text of its licence ({package['license']}); put it there by hand, or do without the crate"
            )
        for file in files:
            text = file.read_text(encoding="utf-8").replace("\r\n", "\n").strip("\n")
            texts.setdefault(text, []).append(f"{name}, {file.name}")
    parts = [
        f"{'-' * 80}\n{chr(10).join(names)}\n{'-' * 80}\n\n{text}\n"
        for text, names in texts.items()
    ]
    return HEAD + "".join(listed) + "\n" + "\n".join(parts)


text = collected()
if sys.argv[1:] == ["--check"]:
    if not FILE.is_file() or FILE.read_text(encoding="utf-8") != text:
        sys.exit(
            "licences: LICENSE-THIRD-PARTY is not what Cargo.lock asks for; make it anew by python3 packaging/licences.py"
        )
elif sys.argv[1:]:
    sys.exit("usage: licences.py [--check]")
else:
    FILE.write_text(text, encoding="utf-8")
