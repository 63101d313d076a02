"""Puts the shared library into the wheel, and its sources into the sdist."""

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

# The library is built by a profile of its own, in target/wheel: what a developer has in target/release stays as it is.
# Only the cdylib is asked for, since cargo leaves link-time optimisation out if it also makes a Rust library.
WHEEL_LIBRARY = [
    "rustc",
    "--locked",
    "--lib",
    "--crate-type=cdylib",
    "--profile=wheel",
    "--config=profile.wheel.inherits='release'",
    "--message-format=json-render-diagnostics",
]

# Run on whatever goes into a wheel: the package itself judges whether it can use the library. Of what it says when it
# cannot, the indented line has the reason; the rest is advice for when a program runs.
TRIAL = """
import sys
sys.path.insert(0, sys.argv[1])
try:
    import payorder
except ImportError as error:
    sys.exit("".join(line for line in str(error).splitlines() if line.startswith(" ")))
print(payorder.library_version(), payorder.__version__)
"""


class LibraryHook(BuildHookInterface):  # type: ignore[type-arg]
    """hatchling makes one for each wheel and each sdist, and calls `initialize` before it gathers the files."""

    def initialize(self, version: str, build_data: Dict[str, Any]) -> None:
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
        if self.temporary is not None:
            self.temporary.cleanup()

    def add_library(self, build_data: Dict[str, Any]) -> None:
        prebuilt = os.environ.get("PAYORDER_PREBUILT")
        library = Path(prebuilt).absolute() if prebuilt else self.built()
        if not library.is_file():
            stop(
                f"PAYORDER_PREBUILT names {library}, which is not a file: "
                "give it the path of the shared library."
            )
        self.try_out(library)
        build_data["force_include"][str(library)] = f"payorder/{file_name()}"
        for name in ("payorder.h", "payorder.cdef", "payorder-abi.json"):
            place = self.crate / "include" / name
            build_data["force_include"][str(place)] = f"payorder/include/{name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform()}"

    def build_in_checkout(self) -> None:
        """An editable package finds its library where the checkout has it, so that is where it is built."""
        if self.crate == self.packed_crate:
            stop(
                "An editable install needs a checkout of payorder's repository; from an sdist, install without --editable."
            )
        if os.environ.get("PAYORDER_PREBUILT"):
            stop(
                "An editable install contains no library. Unset PAYORDER_PREBUILT; "
                "when the program runs, PAYORDER_LIBRARY can name one."
            )
        self.cargo(
            "build",
            "--locked",
            "--release",
            "--lib",
            f"--target-dir={self.crate / 'target'}",
        )

    def add_sources(self, build_data: Dict[str, Any]) -> None:
        """The crate as cargo itself would publish it, so that Cargo.toml alone says what belongs to it."""
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
            # Written by cargo a moment ago, so there is nothing in it to be wary of.
            archive.extractall(folder)
        sources = folder / packed.stem
        for needless in ("Cargo.toml.orig", ".cargo_vcs_info.json"):
            (sources / needless).unlink(missing_ok=True)
        build_data["force_include"][str(sources)] = self.packed_crate.name
        # The licences are links to the repository's. hatchling would pack them as links, to nowhere.
        build_data["force_include"] = {
            os.path.realpath(path): name
            for path, name in build_data["force_include"].items()
        }

    @property
    def packed_crate(self) -> Path:
        return Path(self.root, "crate")

    @property
    def crate(self) -> Path:
        """Beside this file in an unpacked sdist, two folders up in a checkout."""
        for folder in (self.packed_crate, Path(self.root).parents[1]):
            if (folder / "Cargo.toml").is_file():
                return folder
        return stop(
            "The sources of the library are not here: build from a checkout of payorder's repository, or from its sdist."
        )

    def built(self) -> Path:
        # Files of an sdist are all of one date, by which cargo would take another build in a shared folder for this one.
        own_folder = (
            [f"--target-dir={self.crate / 'target'}"]
            if self.crate == self.packed_crate
            else []
        )
        # Stripping is asked of rustc: cargo passes a profile's `strip` by where release has settings for single packages.
        said = self.cargo(*WHEEL_LIBRARY, *own_folder, "--", "-C", "strip=symbols")
        messages = [
            json.loads(line) for line in said.splitlines() if line.startswith("{")
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
            f"cargo built no {file_name()}: its target (CARGO_BUILD_TARGET, or build.target of a config.toml) has none."
        )

    def cargo(self, *arguments: str) -> str:
        """Runs cargo in the crate. What it says while it builds is shown by `pip install -v`, and where it fails."""
        wanted = re.search(
            r'^rust-version = "(.+)"',
            (self.crate / "Cargo.toml").read_text(encoding="utf-8"),
            re.MULTILINE,
        )
        assert wanted is not None, "Cargo.toml names the Rust that it needs"
        remedy = (
            f"payorder is built with Rust {wanted[1]} or later. Install it from https://rustup.rs (where it is installed:\n"
            f"`rustup update stable`) and try again; or set PAYORDER_PREBUILT to the path of a {file_name()} that is built."
        )
        if shutil.which("cargo") is None:
            stop(f"cargo, which comes with Rust, is not on the PATH.\n{remedy}")
        asked = subprocess.run(
            ["cargo", "--version"], cwd=self.crate, stdout=subprocess.PIPE, text=True
        )
        found = re.match(r"cargo (\d[\d.]*)", asked.stdout)
        if asked.returncode != 0 or found is None:
            stop(f"cargo is on the PATH, but does not work.\n{remedy}")
        if numbers(found[1]) < numbers(wanted[1]):
            stop(
                f"The cargo on the PATH is of Rust {found[1]}, which is too old.\n{remedy}"
            )
        ended = subprocess.run(
            ["cargo", *arguments], cwd=self.crate, stdout=subprocess.PIPE, text=True
        )
        if ended.returncode != 0:
            stop(
                f"cargo could not build payorder's library (`cargo {arguments[0]}` in {self.crate}). What it said stands above."
            )
        return ended.stdout

    def try_out(self, library: Path) -> None:
        """Lets no wheel be made with a library that the package would refuse, or that is of another version than it."""
        ended = subprocess.run(
            [sys.executable, "-IBc", TRIAL, self.root],
            env={**os.environ, "PAYORDER_LIBRARY": str(library)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        if ended.returncode != 0:
            stop(
                f"{library} cannot be used by this package on this machine:\n{ended.stderr.rstrip()}"
            )
        version = self.metadata.version
        found = ended.stdout.split()
        if found != [version, version]:
            stop(
                f"The versions differ: the library's is {found[0]} (Cargo.toml), the package's {found[1]} (__version__) and {version}"
                " (pyproject.toml). Make them one."
            )


def file_name() -> str:
    if sys.platform == "win32":
        return "payorder.dll"
    return "libpayorder.dylib" if sys.platform == "darwin" else "libpayorder.so"


def platform() -> str:
    """This machine's tag. manylinux is not claimed here: auditwheel gives that name to whom it is due."""
    return next(
        tag for tag in platform_tags() if not tag.startswith(("manylinux", "musllinux"))
    )


def numbers(version: str) -> List[int]:
    return [int(number) for number in version.rstrip(".").split(".")]


def stop(message: str) -> NoReturn:
    """Ends the build with these words for a person, and no traceback."""
    sys.exit(f"\n{message}\n")
