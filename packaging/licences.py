"""licences.py FOLDER: writes LICENSE-THIRD-PARTY, the licences of all crates in the library.

Whatever makes a package calls it with the folder that is packed. cargo lists the crates, for Linux,
Windows and macOS. A crate without a licence text is an error, since the library must be
distributed with all licences.
"""

import pathlib
import sys

sys.dont_write_bytecode = True
import crates  # noqa: E402

PLATFORMS = ("x86_64-unknown-linux-gnu", "x86_64-pc-windows-gnu", "aarch64-apple-darwin")
TEXTS = ("LICEN", "COPY", "NOTICE", "UNLICEN")
HEAD = """\
libpayorder contains these Rust crates, each under the named licence. The licence texts follow
below. It also contains Rust's standard library (MIT OR Apache-2.0, the two texts that most crates
have) and SQLite, which is in the public domain.

"""


def linked():
    """The packages that are linked in on one of the platforms."""
    packages = {}
    for platform in PLATFORMS:
        packages.update(crates.linked(platform).packages)
    return sorted(packages.values(), key=lambda package: (package["name"], package["version"]))


def collected():
    """The content of the file: the list of crates, and each licence text once with its crates."""
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
                f"licences: {name} comes without its licence text ({package['license']}); "
                "add the text by hand, or remove the crate"
            )
        for file in files:
            text = file.read_text(encoding="utf-8").replace("\r\n", "\n").strip("\n")
            texts.setdefault(text, []).append(f"{name}, {file.name}")
    parts = [
        f"{'-' * 80}\n{chr(10).join(names)}\n{'-' * 80}\n\n{text}\n"
        for text, names in texts.items()
    ]
    return HEAD + "".join(listed) + "\n" + "\n".join(parts)


if len(sys.argv) != 2:
    sys.exit("usage: licences.py FOLDER")
file = pathlib.Path(sys.argv[1]) / "LICENSE-THIRD-PARTY"
file.write_text(collected(), encoding="utf-8")
