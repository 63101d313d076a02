"""Adds the shared library and the sandbox to the wheel, and their sources to the sdist."""

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
from hatchling.metadata.plugin.interface import MetadataHookInterface
from packaging.tags import platform_tags

# What is built for a wheel has its own profile, in target/wheel, so target/release is not changed.
WHEEL_PROFILE = [
    "--locked",
    "--profile=wheel",
    "--config=profile.wheel.inherits='release'",
    "--message-format=json-render-diagnostics",
]
# Only the cdylib, because cargo skips link-time optimisation if it also builds a Rust library.
LIBRARY = ["--package=payorder", "--lib", "--crate-type=cdylib"]
SANDBOX = ["--package=payorder-sandbox", "--example=sandbox"]
# The crates in an sdist, and their folders. The first one is the library.
CRATES = {
    "payorder": "crate",
    "payorder-core": "crate/core",
    "payorder-sandbox": "sandbox",
}
# In a checkout, packaging/licences.py makes it.
LICENCES = "LICENSE-THIRD-PARTY"

# Imports the package with the library that goes into the wheel, to check that it can use it. If it
# cannot, the indented line of its message is the reason; the other lines are advice for programs.
# Then it starts the sandbox that goes into the wheel.
PACKAGE_CHECK = """
import os, sys
sys.path.insert(0, sys.argv[1])
try:
    import payorder
except ImportError as error:
    print(os.environ["PAYORDER_LIBRARY"])
    sys.exit("".join(line for line in str(error).splitlines() if line.startswith(" ")))
from payorder.testing import Sandbox, SandboxError
try:
    with Sandbox() as sandbox:
        print(payorder.library_version(), sandbox.version, payorder.__version__)
except SandboxError as error:
    print(os.environ["PAYORDER_SANDBOX"])
    sys.exit(f"  {error}")
"""


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
        if self.target_name == "sdist":
            self.add_sources(build_data)
        elif version == "editable":
            self.build_in_checkout()
        else:
            self.add_programs(build_data)

    def finalize(
        self, version: str, build_data: Dict[str, Any], artifact_path: str
    ) -> None:
        """Called by hatchling when the wheel or sdist is complete."""
        if self.temporary is not None:
            self.temporary.cleanup()

    def add_programs(self, build_data: Dict[str, Any]) -> None:
        prebuilt = os.environ.get("PAYORDER_PREBUILT")
        prebuilt_sandbox = os.environ.get("PAYORDER_PREBUILT_SANDBOX")
        if bool(prebuilt) != bool(prebuilt_sandbox):
            stop(
                "A wheel has the library and the sandbox: "
                "set PAYORDER_PREBUILT and PAYORDER_PREBUILT_SANDBOX, or neither."
            )
        if prebuilt and prebuilt_sandbox:
            library = prebuilt_file("PAYORDER_PREBUILT", prebuilt)
            sandbox = prebuilt_file("PAYORDER_PREBUILT_SANDBOX", prebuilt_sandbox)
        else:
            library = self.build(self.crate, LIBRARY, "payorder", file_name())
            sandbox = self.build(
                self.sandbox_crate, SANDBOX, "sandbox", program_name("sandbox")
            )
        self.check_licences(bool(prebuilt))
        tag = os.environ.get("PAYORDER_WHEEL_PLATFORM") or platform()
        if not tag.startswith("win") and not os.access(sandbox, os.X_OK):
            stop(f"{sandbox} is not executable: run `chmod +x` on it.")
        if tag == platform():
            self.check_package(library, sandbox)
        elif not prebuilt:
            stop(
                "PAYORDER_WHEEL_PLATFORM needs a library and a sandbox: "
                "set PAYORDER_PREBUILT and PAYORDER_PREBUILT_SANDBOX too."
            )
        else:
            check_platform(library, tag)
            check_platform(sandbox, tag)
        for path, name in (
            (library, file_name(tag)),
            (sandbox, program_name("payorder-sandbox", tag)),
        ):
            build_data["force_include"][str(path)] = f"payorder/{name}"
        for name in ("payorder.h", "payorder.cdef", "payorder-abi.json"):
            path = self.crate / "include" / name
            build_data["force_include"][str(path)] = f"payorder/include/{name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{tag}"

    def check_licences(self, prebuilt: bool) -> None:
        """Ends the build if the wheel would not have the licences of what the library contains."""
        problem = make_licences(self.root)
        if problem and not (prebuilt and Path(self.root, LICENCES).is_file()):
            stop(
                f"{LICENCES}, the licences of what the library contains, could not be made:\n"
                f"{problem}\n"
                f"Without cargo, copy {LICENCES} of a release to {self.root}."
            )

    def build_in_checkout(self) -> None:
        """Builds both for an editable install, where the package looks for them."""
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
        for what in (["--lib"], SANDBOX):
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
            *(f"--package={crate}" for crate in CRATES),
            "--locked",
            "--allow-dirty",
            "--no-verify",
            "--quiet",
            f"--target-dir={folder}",
        )
        for crate, name in CRATES.items():
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
        return Path(self.root, CRATES["payorder"])

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

    @property
    def sandbox_crate(self) -> Path:
        """Where cargo finds the sandbox: in a checkout, it is in the library's workspace."""
        packed = Path(self.root, CRATES["payorder-sandbox"])
        return packed if self.crate == self.packed_crate else self.crate

    def build(self, folder: Path, what: List[str], target: str, name: str) -> Path:
        """Builds a target of the crate in this folder, and returns its file of this name."""
        # All files of an sdist have the same date. In a shared target folder, cargo could mistake
        # the build of another version for this one.
        own_folder = (
            [f"--target-dir={folder / 'target'}"]
            if self.crate == self.packed_crate
            else []
        )
        # rustc strips the symbols, because cargo ignores a profile's `strip` if the release profile
        # has settings for single packages.
        options = [*what, *WHEEL_PROFILE, *own_folder, "--", "-C", "strip=symbols"]
        output = self.cargo(folder, "rustc", *options)
        messages = [
            json.loads(line) for line in output.splitlines() if line.startswith("{")
        ]
        files: List[str] = [
            file
            for message in messages
            if message["reason"] == "compiler-artifact"
            and message["target"]["name"] == target
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
            f"payorder is built with Rust {required[1]} or later.\n"
            "Install it from https://rustup.rs, or update it with `rustup update stable`,\n"
            f"and try again. Or set PAYORDER_PREBUILT to the path of a {file_name()}\n"
            "that is already built, and PAYORDER_PREBUILT_SANDBOX to that of its sandbox."
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
                f"`cargo {arguments[0]}` in {folder} failed, so payorder was not built. "
                "See cargo's messages above."
            )
        return build.stdout

    def check_package(self, library: Path, sandbox: Path) -> None:
        """Ends the build if the package cannot use the two, or if the versions differ."""
        check = subprocess.run(
            [sys.executable, "-IBc", PACKAGE_CHECK, self.root],
            env={
                **os.environ,
                "PAYORDER_LIBRARY": str(library),
                "PAYORDER_SANDBOX": str(sandbox),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        if check.returncode != 0:
            stop(
                f"This package cannot use {check.stdout.rstrip()} on this machine:\n"
                f"{check.stderr.rstrip()}"
            )
        version = self.metadata.version
        found = check.stdout.split()
        if found != [version] * 3:
            stop(
                f"The versions differ: {found[0]} of the library and {found[1]} of the sandbox "
                f"(their Cargo.toml), {found[2]} (__version__) and {version} (pyproject.toml) of "
                "the package. Make them equal."
            )


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
    if Path(root, CRATES["payorder"]).is_dir():
        return ""
    script = Path(root).parents[1] / "packaging" / "licences.py"
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
