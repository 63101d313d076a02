"""licences.py TARGET FOLDER: puts the licence texts of all that is linked into the library into a folder.

Asks cargo which crates that are for the target; a crate without a text ends it, since what we hand on must come with its licence.
"""

import json
import pathlib
import shutil
import subprocess
import sys

TEXTS = ("LICEN", "COPY", "NOTICE", "UNLICEN")


def linked(target):
    """The packages that payorder needs when it runs, not those that only build or test it."""
    command = ["cargo", "metadata", "--format-version=1", "--locked", f"--filter-platform={target}"]
    metadata = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    needs = {
        node["id"]: [dep["pkg"] for dep in node["deps"] if any(kind["kind"] is None for kind in dep["dep_kinds"])]
        for node in metadata["resolve"]["nodes"]
    }
    found, open_ = set(), [metadata["resolve"]["root"]]
    while open_:
        package = open_.pop()
        if package not in found:
            found.add(package)
            open_.extend(needs[package])
    found.remove(metadata["resolve"]["root"])
    return sorted((packages[package] for package in found), key=lambda package: (package["name"], package["version"]))


def main(target, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True)
    summary = []
    for package in linked(target):
        name = f"{package['name']}-{package['version']}"
        source = pathlib.Path(package["manifest_path"]).parent
        texts = sorted(text for text in source.iterdir() if text.name.upper().startswith(TEXTS) and text.is_file())
        if not texts:
            sys.exit(f"licences: {name} comes without the text of its licence ({package['license']}); put it there by hand, or do without the crate")
        (folder / name).mkdir()
        for text in texts:
            shutil.copyfile(text, folder / name / text.name)
        summary.append(f"{name}: {package['license']}\n")

    sysroot = subprocess.run(["rustc", "--print", "sysroot"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    release = subprocess.run(["rustc", "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()[1]
    shutil.copytree(pathlib.Path(sysroot, "share/doc/rust/licenses"), folder / f"rust-{release}")
    shutil.copyfile(pathlib.Path(sysroot, "share/doc/rust/COPYRIGHT-library.html"), folder / f"rust-{release}" / "COPYRIGHT-library.html")
    summary.append(f"Rust's standard library {release}: MIT OR Apache-2.0, and what COPYRIGHT-library.html names\n")
    (folder / "SUMMARY").write_text("".join(summary))


main(*sys.argv[1:])
