"""The crates that are linked into the library: not those that only build or test it, no macros."""

import json
import os
import pathlib
import subprocess
from typing import NamedTuple

PROJECT = pathlib.Path(__file__).resolve().parent.parent


class Linked(NamedTuple):
    """All by their ids: the library's own package, the others, and what each of them needs."""

    root: dict
    packages: dict
    needs: dict


def linked(platform):
    """The crates in the library for a platform, such as x86_64-unknown-linux-gnu."""
    command = [
        os.environ.get("CARGO", "cargo"),
        "metadata",
        "--format-version=1",
        "--locked",
        f"--filter-platform={platform}",
    ]
    metadata = json.loads(
        subprocess.run(command, cwd=PROJECT, check=True, stdout=subprocess.PIPE).stdout
    )
    packages = {package["id"]: package for package in metadata["packages"]}
    root = metadata["resolve"]["root"]
    needs = {}
    for node in metadata["resolve"]["nodes"]:
        needs[node["id"]] = [
            dep["pkg"]
            for dep in node["deps"]
            if any(kind["kind"] is None for kind in dep["dep_kinds"])
            and not any("proc-macro" in one["kind"] for one in packages[dep["pkg"]]["targets"])
        ]
    found, open_ = set(), [root]
    while open_:
        package = open_.pop()
        if package not in found:
            found.add(package)
            open_.extend(needs[package])
    # The workspace's own crates are one component.
    own = {package for package in found if packages[package]["source"] is None}
    needs[root] = sorted({need for package in own for need in needs[package]} - own)
    others = {package: packages[package] for package in found - own}
    return Linked(packages[root], others, {package: needs[package] for package in {root, *others}})
