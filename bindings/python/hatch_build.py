"""Adds the shared library to the wheel, and the library's sources to the sdist."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any, Dict, List, NoReturn, Optional

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import platform_tags

# The library has its own build profile, in target/wheel, so target/release is not changed. Only the
# cdylib is built, because cargo skips link-time optimisation if it also builds a Rust library.
WHEEL_LIBRARY = [
    "rustc",
    "--locked",
    "--lib",
    "--crate-type=cdylib",
    "--profile=wheel",
    "--config=profile.wheel.inherits='release'",
    "--message-format=json-render-diagnostics",
]

# Imports the package with the library that goes into the wheel, to check that it can use it. If it
# cannot, the indented line of its message is the reason; the other lines are advice for programs.
IMPORT_CHECK = """
import sys
sys.path.insert(0, sys.argv[1])
try:
    import payorder
except ImportError as error:
    sys.exit("".join(line for line in str(error).splitlines() if line.startswith(" ")))
print(payorder.library_version(), payorder.__version__)
"""


class LibraryHook(BuildHookInterface):  # type: ignore[type-arg]
    """hatchling creates one for each wheel and each sdist."""

    def initialize(self, version: str, build_data: Dict[str, Any]) -> None:
        """Called by hatchling before it collects the files."""
        self.temporary: Optional[tempfile.TemporaryDirectory[str]] = None
        if self.target_name == "sdist":
            self.add_sources(build_data)
        elif version == "editable":
            self.build_in_checkout()
        else:
            self.add_library(build_data)

    def finalize(
        self, version: str, build_data: Dict[str, Any], artifact_path: str
    ) -> None:
        """Called by hatchling when the wheel or sdist is complete."""
        if self.temporary is not None:
            self.temporary.cleanup()

    def add_library(self, build_data: Dict[str, Any]) -> None:
        prebuilt = os.environ.get("PAYORDER_PREBUILT")
        library = Path(prebuilt).absolute() if prebuilt else self.build_library()
        if not library.is_file():
            stop(
                f"PAYORDER_PREBUILT is {library}, which is not a file: "
                "set it to the path of the shared library."
            )
        tag = os.environ.get("PAYORDER_WHEEL_PLATFORM") or platform()
        if tag == platform():
            self.check_import(library)
        elif prebuilt is None:
            stop("PAYORDER_WHEEL_PLATFORM needs a library: set PAYORDER_PREBUILT too.")
        elif platform_of(library) != re.sub(r"^musllinux_\d+_\d+_", "linux_", tag):
            # It cannot be loaded on this machine, but its header says where it can be.
            stop(
                f"{library} is for {platform_of(library)}, "
                f"and PAYORDER_WHEEL_PLATFORM is {tag}."
            )
        build_data["force_include"][str(library)] = f"payorder/{file_name(tag)}"
        for name in ("payorder.h", "payorder.cdef", "payorder-abi.json"):
            path = self.crate / "include" / name
            build_data["force_include"][str(path)] = f"payorder/include/{name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{tag}"

    def build_in_checkout(self) -> None:
        """Builds the library for an editable install, where the package looks for it."""
        if self.crate == self.packed_crate:
            stop(
                "An editable install needs a checkout of payorder's repository; "
                "from an sdist, install without --editable."
            )
        if os.environ.get("PAYORDER_PREBUILT"):
            stop(
                "An editable install contains no library. Unset PAYORDER_PREBUILT; "
                "to choose a library at run time, set PAYORDER_LIBRARY."
            )
        self.cargo(
            "build",
            "--locked",
            "--release",
            "--lib",
            f"--target-dir={self.crate / 'target'}",
        )

    def add_sources(self, build_data: Dict[str, Any]) -> None:
        """Adds the crate as cargo would publish it, so that Cargo.toml decides what it contains."""
        if self.crate == self.packed_crate:
            return
        self.temporary = tempfile.TemporaryDirectory()
        folder = Path(self.temporary.name)
        self.cargo(
            "package",
            "--package=payorder",
            "--locked",
            "--allow-dirty",
            "--no-verify",
            "--quiet",
            f"--target-dir={folder}",
        )
        (packed,) = (folder / "package").glob("payorder-*.crate")
        with tarfile.open(packed) as archive:
            # Safe, because cargo has just written this archive.
            archive.extractall(folder)
        sources = folder / packed.stem
        for unneeded in ("Cargo.toml.orig", ".cargo_vcs_info.json"):
            (sources / unneeded).unlink(missing_ok=True)
        build_data["force_include"][str(sources)] = self.packed_crate.name
        # The licences are symbolic links into the repository. hatchling would pack broken links.
        build_data["force_include"] = {
            os.path.realpath(path): name
            for path, name in build_data["force_include"].items()
        }

    @property
    def packed_crate(self) -> Path:
        return Path(self.root, "crate")

    @property
    def crate(self) -> Path:
        """The library's sources: next to this file in an sdist, two folders up in a checkout."""
        for folder in (self.packed_crate, Path(self.root).parents[1]):
            if (folder / "Cargo.toml").is_file():
                return folder
        return stop(
            "The sources of the library were not found: "
            "build from a checkout of payorder's repository, or from its sdist."
        )

    def build_library(self) -> Path:
        # All files of an sdist have the same date. In a shared target folder, cargo could mistake
        # the build of another version for this one.
        own_folder = (
            [f"--target-dir={self.crate / 'target'}"]
            if self.crate == self.packed_crate
            else []
        )
        # rustc strips the symbols, because cargo ignores a profile's `strip` if the release profile
        # has settings for single packages.
        output = self.cargo(*WHEEL_LIBRARY, *own_folder, "--", "-C", "strip=symbols")
        messages = [
            json.loads(line) for line in output.splitlines() if line.startswith("{")
        ]
        files: List[str] = [
            name
            for message in messages
            if message["reason"] == "compiler-artifact"
            and message["target"]["name"] == "payorder"
            for name in message["filenames"]
        ]
        for path in map(Path, files):
            if path.name == file_name():
                return path
        return stop(
            f"cargo built no {file_name()}. Check its target: "
            "CARGO_BUILD_TARGET, or build.target in a config.toml."
        )

    def cargo(self, *arguments: str) -> str:
        """Runs cargo in the crate, and returns its output.

        pip shows cargo's messages with `-v`, and if the build fails.
        """
        required = re.search(
            r'^rust-version = "(.+)"',
            (self.crate / "Cargo.toml").read_text(encoding="utf-8"),
            re.MULTILINE,
        )
        assert required is not None, "Cargo.toml has a rust-version"
        remedy = (
            f"payorder is built with Rust {required[1]} or later.\n"
            "Install it from https://rustup.rs, or update it with `rustup update stable`,\n"
            "and try again. Or set PAYORDER_PREBUILT to the path of a\n"
            f"{file_name()} that is already built."
        )
        if shutil.which("cargo") is None:
            stop(f"cargo, which comes with Rust, is not on the PATH.\n{remedy}")
        version = subprocess.run(
            ["cargo", "--version"], cwd=self.crate, stdout=subprocess.PIPE, text=True
        )
        found = re.match(r"cargo (\d[\d.]*)", version.stdout)
        if version.returncode != 0 or found is None:
            stop(f"cargo is on the PATH, but does not work.\n{remedy}")
        if numbers(found[1]) < numbers(required[1]):
            stop(
                f"The cargo on the PATH is Rust {found[1]}, which is too old.\n{remedy}"
            )
        build = subprocess.run(
            ["cargo", *arguments], cwd=self.crate, stdout=subprocess.PIPE, text=True
        )
        if build.returncode != 0:
            stop(
                f"`cargo {arguments[0]}` in {self.crate} failed, so payorder's library was not "
                "built. See cargo's messages above."
            )
        return build.stdout

    def check_import(self, library: Path) -> None:
        """Ends the build if the package cannot use the library, or if their versions differ."""
        check = subprocess.run(
            [sys.executable, "-IBc", IMPORT_CHECK, self.root],
            env={**os.environ, "PAYORDER_LIBRARY": str(library)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        if check.returncode != 0:
            stop(
                f"This package cannot use {library} on this machine:\n{check.stderr.rstrip()}"
            )
        version = self.metadata.version
        found = check.stdout.split()
        if found != [version, version]:
            stop(
                f"The versions differ: {found[0]} of the library (Cargo.toml), {found[1]} "
                f"(__version__) and {version} (pyproject.toml) of the package. Make them equal."
            )


def file_name(tag: Optional[str] = None) -> str:
    """The library's name on a platform: that of the tag, or this machine's."""
    tag = tag or platform()
    if tag.startswith("win"):
        return "payorder.dll"
    return "libpayorder.dylib" if tag.startswith("macosx") else "libpayorder.so"


def platform_of(library: Path) -> str:
    """The platform tag that the header of an ELF or PE file stands for."""
    head = library.read_bytes()[:4096]
    if head[:4] == b"\x7fELF":
        machine = int.from_bytes(head[18:20], "little")
        return {
            3: "linux_i686",
            40: "linux_armv7l",
            62: "linux_x86_64",
            183: "linux_aarch64",
        }.get(machine, f"ELF machine {machine}")
    if head[:2] == b"MZ":
        header = int.from_bytes(head[60:64], "little")
        machine = int.from_bytes(head[header + 4 : header + 6], "little")
        return {0x14C: "win32", 0x8664: "win_amd64"}.get(
            machine, f"PE machine {machine}"
        )
    return "no platform: it is not an ELF or PE file"


def platform() -> str:
    """This machine's platform tag. Only auditwheel may turn it into a manylinux tag."""
    return next(
        tag for tag in platform_tags() if not tag.startswith(("manylinux", "musllinux"))
    )


def numbers(version: str) -> List[int]:
    return [int(number) for number in version.rstrip(".").split(".")]


def stop(message: str) -> NoReturn:
    """Ends the build with a message and without a traceback."""
    sys.exit(f"\n{message}\n")
