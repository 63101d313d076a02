"""Adds what cargo builds to the wheel, and its sources to the sdist.

That is the shared library in the package payorder, and the sandbox in payorder-tools.
"""

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
from typing import Any, Dict, List, NamedTuple, NoReturn, Optional

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface
from packaging.tags import platform_tags

# What is built for a wheel has its own profile, in target/wheel, so target/release is not changed.
WHEEL_PROFILE = [
    "--locked",
    "--profile=wheel",
    "--config=profile.wheel.inherits='release'",
    "--message-format=json-render-diagnostics",
]


class Contents(NamedTuple):
    """What cargo builds for one of the packages."""

    #: What it is, for messages.
    name: str
    #: The package's folder in the wheel.
    folder: str
    #: cargo's options and name for it.
    options: List[str]
    target: str
    #: The environment variable that names a file that is already built.
    prebuilt: str
    #: The crates in an sdist, and their folders. The first one is what is built.
    crates: Dict[str, str]
    #: A program that prints the version of the file, and that of the package.
    check: str

    def built_name(self, tag: Optional[str] = None) -> str:
        """The name of the file that cargo makes."""
        if self.target == "payorder":
            return file_name(tag)
        return program_name(self.target, tag)

    def packed_name(self, tag: str) -> str:
        """The name of the file in the wheel."""
        if self.target == "payorder":
            return file_name(tag)
        return program_name(f"payorder-{self.target}", tag)


CONTENTS = {
    "payorder": Contents(
        name="library",
        folder="payorder",
        # Only the cdylib, because cargo skips link-time optimisation if it also builds a Rust
        # library.
        options=["--package=payorder", "--lib", "--crate-type=cdylib"],
        target="payorder",
        prebuilt="PAYORDER_PREBUILT",
        crates={"payorder": "crate", "payorder-core": "crate/core"},
        # If the package cannot use the library, the indented line of its message is the reason; the
        # other lines are advice for programs.
        check="""
import os, sys
sys.path.insert(0, sys.argv[1])
os.environ["PAYORDER_LIBRARY"] = sys.argv[2]
try:
    import payorder
except ImportError as error:
    sys.exit("".join(line for line in str(error).splitlines() if line.startswith(" ")))
print(payorder.library_version(), payorder.__version__)
""",
    ),
    "payorder-tools": Contents(
        name="sandbox",
        folder="payorder_tools",
        options=["--package=payorder-sandbox", "--example=sandbox"],
        target="sandbox",
        prebuilt="PAYORDER_PREBUILT_SANDBOX",
        crates={"payorder-sandbox": "sandbox"},
        check="""
import os, sys
sys.path.insert(0, sys.argv[1])
os.environ["PAYORDER_SANDBOX"] = sys.argv[2]
import payorder_tools
from payorder_tools.testing import Sandbox, SandboxError
try:
    with Sandbox() as sandbox:
        print(sandbox.version, payorder_tools.__version__)
except SandboxError as error:
    sys.exit(f"  {error}")
""",
    ),
}
# In a checkout, packaging/licences.py makes it.
LICENCES = "LICENSE-THIRD-PARTY"


class LicencesHook(MetadataHookInterface):
    """Makes LICENSE-THIRD-PARTY before hatchling looks for the files of licences."""

    def update(self, metadata: Dict[str, Any]) -> None:
        # LibraryHook says why this failed, if it matters.
        make_licences(self.root)
        metadata["license-files"] = ["LICENSE-*"]


class LibraryHook(BuildHookInterface):  # type: ignore[type-arg]
    """hatchling creates one for each wheel and each sdist."""

    def initialize(self, version: str, build_data: Dict[str, Any]) -> None:
        """Called by hatchling before it collects the files."""
        self.temporary: Optional[tempfile.TemporaryDirectory[str]] = None
        self.contents = CONTENTS[self.metadata.name]
        if self.target_name == "sdist":
            self.add_sources(build_data)
        elif version == "editable":
            self.build_in_checkout()
        else:
            self.add_file(build_data)

    def finalize(
        self, version: str, build_data: Dict[str, Any], artifact_path: str
    ) -> None:
        """Called by hatchling when the wheel or sdist is complete."""
        if self.temporary is not None:
            self.temporary.cleanup()

    def add_file(self, build_data: Dict[str, Any]) -> None:
        contents = self.contents
        prebuilt = os.environ.get(contents.prebuilt)
        file = prebuilt_file(contents.prebuilt, prebuilt) if prebuilt else self.build()
        self.check_licences(bool(prebuilt))
        tag = os.environ.get("PAYORDER_WHEEL_PLATFORM") or platform()
        is_program = contents.target != "payorder" and not tag.startswith("win")
        if is_program and not os.access(file, os.X_OK):
            stop(f"{file} is not executable: run `chmod +x` on it.")
        if tag == platform():
            self.check_package(file)
        elif not prebuilt:
            stop(
                f"PAYORDER_WHEEL_PLATFORM needs a {contents.name}: set {contents.prebuilt} too."
            )
        else:
            check_platform(file, tag)
        build_data["force_include"][str(file)] = (
            f"{contents.folder}/{contents.packed_name(tag)}"
        )
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{tag}"
        if contents.target != "payorder":
            return
        include = (self.checkout or self.packed_crate) / "include"
        for name in ("payorder.h", "payorder.cdef", "payorder-abi.json"):
            build_data["force_include"][str(include / name)] = (
                f"payorder/include/{name}"
            )

    def check_licences(self, prebuilt: bool) -> None:
        """Ends the build if the wheel would not have the licences of what it contains."""
        problem = make_licences(self.root)
        if problem and not (prebuilt and Path(self.root, LICENCES).is_file()):
            stop(
                f"{LICENCES}, the licences of what the wheel contains, could not be made:\n"
                f"{problem}\n"
                f"Without cargo, copy {LICENCES} of a release to {self.root}."
            )

    def build_in_checkout(self) -> None:
        """Builds for an editable install, where the package looks for the file."""
        if self.crate == self.packed_crate:
            stop(
                "An editable install needs a checkout of payorder's repository; "
                "from an sdist, install without --editable."
            )
        contents = self.contents
        if os.environ.get(contents.prebuilt):
            stop(
                f"An editable install contains no {contents.name}. Unset {contents.prebuilt}; "
                f"to choose a {contents.name} at run time, set PAYORDER_{contents.name.upper()}."
            )
        what = ["--lib"] if contents.target == "payorder" else contents.options
        self.cargo(
            self.crate,
            "build",
            "--locked",
            "--release",
            *what,
            f"--target-dir={self.crate / 'target'}",
        )

    def add_sources(self, build_data: Dict[str, Any]) -> None:
        """Adds the crates as cargo would publish them: Cargo.toml decides what they contain."""
        if self.crate == self.packed_crate:
            return
        self.check_licences(prebuilt=False)
        self.temporary = tempfile.TemporaryDirectory()
        folder = Path(self.temporary.name)
        self.cargo(
            self.crate,
            "package",
            *(f"--package={crate}" for crate in self.contents.crates),
            "--locked",
            "--allow-dirty",
            "--no-verify",
            "--quiet",
            f"--target-dir={folder}",
        )
        for crate, name in self.contents.crates.items():
            packed = folder / "package" / f"{crate}-{self.metadata.version}.crate"
            if not packed.is_file():
                stop(
                    f"cargo made no {packed.name}: {crate} and pyproject.toml have different "
                    "versions. Make them equal."
                )
            with tarfile.open(packed) as archive:
                # Safe, because cargo has just written this archive.
                archive.extractall(folder)
            sources = folder / packed.stem
            for unneeded in ("Cargo.toml.orig", ".cargo_vcs_info.json"):
                (sources / unneeded).unlink(missing_ok=True)
            if crate == "payorder":
                take_core_from_folder(sources)
            build_data["force_include"][str(sources)] = name
        # The licences are symbolic links into the repository. hatchling would pack broken links.
        build_data["force_include"] = {
            os.path.realpath(path): name
            for path, name in build_data["force_include"].items()
        }

    @property
    def packed_crate(self) -> Path:
        return Path(self.root, next(iter(self.contents.crates.values())))

    @property
    def checkout(self) -> Optional[Path]:
        return checkout(self.root)

    @property
    def crate(self) -> Path:
        """The sources: next to this file in an sdist, otherwise the checkout."""
        for folder in (self.packed_crate, self.checkout):
            if folder is not None and (folder / "Cargo.toml").is_file():
                return folder
        return stop(
            f"The sources of the {self.contents.name} were not found: "
            "build from a checkout of payorder's repository, or from its sdist."
        )

    def build(self) -> Path:
        """Builds the library or the sandbox, and returns its file."""
        folder, name = self.crate, self.contents.built_name()
        # All files of an sdist have the same date. In a shared target folder, cargo could mistake
        # the build of another version for this one.
        own_folder = (
            [f"--target-dir={folder / 'target'}"]
            if self.crate == self.packed_crate
            else []
        )
        # rustc strips the symbols, because cargo ignores a profile's `strip` if the release profile
        # has settings for single packages.
        options = [
            *self.contents.options,
            *WHEEL_PROFILE,
            *own_folder,
            "--",
            "-C",
            "strip=symbols",
        ]
        output = self.cargo(folder, "rustc", *options)
        messages = [
            json.loads(line) for line in output.splitlines() if line.startswith("{")
        ]
        files: List[str] = [
            file
            for message in messages
            if message["reason"] == "compiler-artifact"
            and message["target"]["name"] == self.contents.target
            for file in message["filenames"]
        ]
        for path in map(Path, files):
            if path.name == name:
                return path
        return stop(
            f"cargo built no {name}. Check its target: "
            "CARGO_BUILD_TARGET, or build.target in a config.toml."
        )

    def cargo(self, folder: Path, *arguments: str) -> str:
        """Runs cargo in a folder, and returns its output.

        pip shows cargo's messages with `-v`, and if the build fails.
        """
        required = re.search(
            r'^rust-version = "(.+)"',
            (self.crate / "Cargo.toml").read_text(encoding="utf-8"),
            re.MULTILINE,
        )
        assert required is not None, "Cargo.toml has a rust-version"
        remedy = (
            f"{self.metadata.name} is built with Rust {required[1]} or later.\n"
            "Install it from https://rustup.rs, or update it with `rustup update stable`,\n"
            f"and try again. Or set {self.contents.prebuilt} to the path of a {self.contents.name}\n"
            "that is already built."
        )
        if shutil.which("cargo") is None:
            stop(f"cargo, which comes with Rust, is not on the PATH.\n{remedy}")
        version = subprocess.run(
            ["cargo", "--version"], cwd=folder, stdout=subprocess.PIPE, text=True
        )
        found = re.match(r"cargo (\d[\d.]*)", version.stdout)
        if version.returncode != 0 or found is None:
            stop(f"cargo is on the PATH, but does not work.\n{remedy}")
        if numbers(found[1]) < numbers(required[1]):
            stop(
                f"The cargo on the PATH is Rust {found[1]}, which is too old.\n{remedy}"
            )
        build = subprocess.run(
            ["cargo", *arguments], cwd=folder, stdout=subprocess.PIPE, text=True
        )
        if build.returncode != 0:
            stop(
                f"`cargo {arguments[0]}` in {folder} failed, so {self.metadata.name} was not built. "
                "See cargo's messages above."
            )
        return build.stdout

    def check_package(self, file: Path) -> None:
        """Ends the build if the package cannot use the file, or if the versions differ."""
        check = subprocess.run(
            [sys.executable, "-IBc", self.contents.check, self.root, str(file)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        if check.returncode != 0:
            stop(
                f"This package cannot use {file} on this machine:\n{check.stderr.rstrip()}"
            )
        version = self.metadata.version
        found = check.stdout.split()
        if found != [version] * 2:
            stop(
                f"The versions differ: {found[0]} of the {self.contents.name} (its Cargo.toml), "
                f"{found[1]} (__version__) and {version} (pyproject.toml) of the package. "
                "Make them equal."
            )


def checkout(root: str) -> Optional[Path]:
    """The folder of the repository, if the package is in one."""
    for folder in list(Path(root).parents)[:2]:
        if (folder / "packaging" / "licences.py").is_file():
            return folder
    return None


def take_core_from_folder(sources: Path) -> None:
    """Makes a packed crate depend on the core in its folder, not in a registry."""
    for file, pattern, replacement in (
        ("Cargo.toml", r"(\[dependencies\.payorder-core\]\n)", r'\1path = "core"\n'),
        (
            "Cargo.lock",
            r'(name = "payorder-core"\nversion = ".*"\n)source = ".*"\nchecksum = ".*"\n',
            r"\1",
        ),
    ):
        path = sources / file
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(pattern, replacement, text), encoding="utf-8")


def make_licences(root: str) -> str:
    """Makes LICENSE-THIRD-PARTY in a checkout, and returns why it could not be made, or "".

    An sdist contains the file.
    """
    repository = checkout(root)
    if repository is None:
        return ""
    script = repository / "packaging" / "licences.py"
    made = subprocess.run(
        [sys.executable, str(script), root], stderr=subprocess.PIPE, text=True
    )
    if made.returncode == 0:
        return ""
    # The last line says why; the others of a traceback say where.
    return (made.stderr.strip().splitlines() or ["no message"])[-1]


def prebuilt_file(variable: str, path: str) -> Path:
    """The file that an environment variable names."""
    file = Path(path).absolute()
    if not file.is_file():
        stop(f"{variable} is {file}, which is not a file: set it to the path of one.")
    return file


def check_platform(file: Path, tag: str) -> None:
    """Ends the build if the file's header says that it is not for the platform of the tag.

    For a file that does not run on this machine.
    """
    expected = re.sub(r"^musllinux_\d+_\d+_", "linux_", tag)
    found = platform_of(file)
    # A 32-bit program runs on both kinds of Windows.
    runs_on_both = file.suffix == ".exe" and found == "win32"
    if found != expected and not (runs_on_both and tag == "win_amd64"):
        stop(f"{file} is for {found}, and PAYORDER_WHEEL_PLATFORM is {tag}.")


def file_name(tag: Optional[str] = None) -> str:
    """The library's name on a platform: that of the tag, or this machine's."""
    tag = tag or platform()
    if tag.startswith("win"):
        return "payorder.dll"
    return "libpayorder.dylib" if tag.startswith("macosx") else "libpayorder.so"


def program_name(name: str, tag: Optional[str] = None) -> str:
    """A program's file name on a platform."""
    return f"{name}.exe" if (tag or platform()).startswith("win") else name


def platform_of(file: Path) -> str:
    """The platform tag that the header of an ELF or PE file stands for."""
    head = file.read_bytes()[:4096]
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
