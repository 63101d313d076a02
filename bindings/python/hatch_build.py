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

# rustc strips the symbols, because cargo ignores a profile's `strip` if the release profile has
# settings for single packages.
STRIPPED = ["--", "-C", "strip=symbols"]
# In a checkout, packaging/licences.py makes it.
LICENCES = "LICENSE-THIRD-PARTY"
#: What the header of an ELF, PE or Mach-O file says, as a platform tag without versions.
MACHINES = {
    (b"\x7fELF", 3): "linux_i686",
    (b"\x7fELF", 40): "linux_armv7l",
    (b"\x7fELF", 62): "linux_x86_64",
    (b"\x7fELF", 183): "linux_aarch64",
    (b"MZ", 0x14C): "win32",
    (b"MZ", 0x8664): "win_amd64",
    (b"\xcf\xfa\xed\xfe", 7): "macosx_x86_64",
    (b"\xcf\xfa\xed\xfe", 12): "macosx_arm64",
}


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

    @property
    def is_library(self) -> bool:
        return self.target == "payorder"

    def file(self, tag: str) -> str:
        """The name of the file that cargo makes for a platform."""
        windows = tag.startswith("win")
        if not self.is_library:
            return f"{self.target}.exe" if windows else self.target
        if windows:
            return "payorder.dll"
        return "libpayorder.dylib" if tag.startswith("macosx") else "libpayorder.so"


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


class LicencesHook(MetadataHookInterface):
    """Makes the modules and the files of licences before hatchling looks for them."""

    def update(self, metadata: Dict[str, Any]) -> None:
        metadata["license-files"] = ["LICENSE-*"]
        repository = checkout(self.root)
        # An sdist has them. If LICENSE-THIRD-PARTY cannot be made, an older one is from the same
        # release.
        if repository is not None:
            generate = repository / "bindings" / "generate"
            subprocess.run(
                [sys.executable, str(generate), "python"], check=True, stdout=subprocess.DEVNULL
            )
            for licence in ("LICENSE-MIT", "LICENSE-APACHE"):
                shutil.copyfile(repository / licence, Path(self.root, licence))
            script = repository / "packaging" / "licences.py"
            made = subprocess.run(
                [sys.executable, str(script), self.root],
                stderr=subprocess.PIPE,
                text=True,
            )
            # The last line says why; the others of a traceback say where.
            print(*made.stderr.strip().splitlines()[-1:], file=sys.stderr)


class LibraryHook(BuildHookInterface):  # type: ignore[type-arg]
    """hatchling creates one for each wheel and each sdist."""

    def initialize(self, version: str, build_data: Dict[str, Any]) -> None:
        """Called by hatchling before it collects the files."""
        self.temporary = tempfile.TemporaryDirectory()
        self.contents = CONTENTS[self.metadata.name]
        self.packed_crate = Path(self.root, next(iter(self.contents.crates.values())))
        if version == "editable":
            self.build_in_checkout()
            return
        if not Path(self.root, LICENCES).is_file():
            stop(
                f"{LICENCES}, the licences of what the wheel contains, could not be made; see the "
                f"message above.\nWithout cargo, copy {LICENCES} of a release to {self.root}."
            )
        if self.target_name == "sdist":
            self.add_sources(build_data)
        else:
            self.add_file(build_data)

    def finalize(self, version: str, build_data: Dict[str, Any], artifact_path: str) -> None:
        """Called by hatchling when the wheel or sdist is complete."""
        self.temporary.cleanup()

    def add_file(self, build_data: Dict[str, Any]) -> None:
        contents = self.contents
        own_tag = platform()
        tag = os.environ.get("PAYORDER_WHEEL_PLATFORM") or own_tag
        prebuilt = os.environ.get(contents.prebuilt)
        if prebuilt:
            file = Path(prebuilt).absolute()
            if not file.is_file():
                stop(f"{contents.prebuilt} is {file}, which is not a file.")
        elif tag != own_tag:
            stop(f"PAYORDER_WHEEL_PLATFORM needs a {contents.name}: set {contents.prebuilt} too.")
        else:
            file = self.build()
        name = contents.file(tag)
        if not contents.is_library:
            name = f"payorder-{name}"
            if not tag.startswith("win") and not os.access(file, os.X_OK):
                stop(f"{file} is not executable: run `chmod +x` on it.")
        if tag == own_tag:
            self.check_package(file)
        else:
            check_platform(file, tag)
        build_data["force_include"][str(file)] = f"{contents.folder}/{name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{tag}"
        if contents.is_library:
            include = (checkout(self.root) or self.packed_crate) / "include"
            for name in ("payorder.h", "payorder.cdef", "payorder-abi.json"):
                packed = f"payorder/include/{name}"
                build_data["force_include"][str(include / name)] = packed

    def build_in_checkout(self) -> None:
        """Builds for an editable install, where the package looks for the file."""
        folder = self.crate
        if folder == self.packed_crate:
            stop(
                "An editable install needs a checkout of payorder's repository; "
                "from an sdist, install without --editable."
            )
        what = ["--lib"] if self.contents.is_library else self.contents.options
        target = f"--target-dir={folder / 'target'}"
        self.cargo(folder, "build", "--locked", "--release", *what, target)

    def add_sources(self, build_data: Dict[str, Any]) -> None:
        """Adds the crates as cargo would publish them: Cargo.toml decides what they contain."""
        if self.crate == self.packed_crate:
            return
        folder = Path(self.temporary.name)
        packages = [f"--package={crate}" for crate in self.contents.crates]
        options = ["--locked", "--allow-dirty", "--no-verify", "--quiet"]
        target = f"--target-dir={folder}"
        self.cargo(self.crate, "package", *packages, *options, target)
        for crate, name in self.contents.crates.items():
            sources = folder / f"{crate}-{self.metadata.version}"
            with tarfile.open(folder / "package" / f"{sources.name}.crate") as archive:
                # Safe, because cargo has just written this archive.
                archive.extractall(folder)
            for unneeded in ("Cargo.toml.orig", ".cargo_vcs_info.json"):
                (sources / unneeded).unlink(missing_ok=True)
            if crate == "payorder":
                take_core_from_folder(sources)
            build_data["force_include"][str(sources)] = name
        # The hatch_build.py of tools only imports this one.
        build_data["force_include"].pop(str(Path(self.root, "hatch_build.py")), None)
        build_data["force_include"][__file__] = "hatch_build.py"

    @property
    def crate(self) -> Path:
        """The sources: next to this file in an sdist, otherwise the checkout."""
        for folder in (self.packed_crate, checkout(self.root)):
            if folder is not None and (folder / "Cargo.toml").is_file():
                return folder
        return stop(
            f"The sources of the {self.contents.name} were not found: "
            "build from a checkout of payorder's repository, or from its sdist."
        )

    def build(self) -> Path:
        """Builds the library or the sandbox, and returns its file."""
        folder, contents = self.crate, self.contents
        # In a folder of its own, so that target/release is not changed. Not in one that others share:
        # all files of an sdist have the same date, so cargo could mistake the build of another
        # version for this one.
        target = f"--target-dir={folder / 'target' / 'wheel'}"
        options = ["--locked", "--release", "--message-format=json-render-diagnostics", target]
        output = self.cargo(folder, "rustc", *contents.options, *options, *STRIPPED)
        for line in output.splitlines():
            message = json.loads(line) if line.startswith("{") else {}
            if message.get("target", {}).get("name") == contents.target:
                for file in map(Path, message.get("filenames", [])):
                    if file.name == contents.file(platform()):
                        return file
        return self.no_build(f"cargo built no {contents.file(platform())}")

    def cargo(self, folder: Path, *arguments: str) -> str:
        """Runs cargo in a folder, and returns its output.

        pip shows cargo's messages with `-v`, and if the build fails.
        """
        try:
            build = subprocess.run(
                ["cargo", *arguments], cwd=folder, stdout=subprocess.PIPE, text=True
            )
        except OSError as error:
            return self.no_build(f"cargo, which comes with Rust, does not start: {error}")
        if build.returncode != 0:
            self.no_build(f"`cargo {arguments[0]}` in {folder} failed; see its messages above")
        return build.stdout

    def no_build(self, problem: str) -> NoReturn:
        manifest = (self.crate / "Cargo.toml").read_text(encoding="utf-8")
        required = re.search(r'^rust-version = "(.+)"', manifest, re.MULTILINE)
        assert required is not None, "Cargo.toml has a rust-version"
        stop(
            f"{problem}, so {self.metadata.name} was not built.\n"
            f"It needs Rust {required[1]} or later. Install it from https://rustup.rs, or update\n"
            f"it with `rustup update stable`. Check that nothing sets another target, such as\n"
            f"CARGO_BUILD_TARGET. Or set {self.contents.prebuilt} to the path of a\n"
            f"{self.contents.name} that is already built."
        )

    def check_package(self, file: Path) -> None:
        """Ends the build if the package cannot use the file, or if the versions differ."""
        check = subprocess.run(
            [sys.executable, "-IBc", self.contents.check, self.root, str(file)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        if check.returncode != 0:
            reason = check.stderr.rstrip()
            stop(f"This package cannot use {file} on this machine:\n{reason}")
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


def check_platform(file: Path, tag: str) -> None:
    """Ends the build if a file that does not run here is not for the platform of the tag."""
    head = file.read_bytes()[:4096]
    kind = next((one for one, _ in MACHINES if head.startswith(one)), b"")
    at = {b"\x7fELF": 18, b"MZ": int.from_bytes(head[60:64], "little") + 4}.get(kind, 4)
    machine = int.from_bytes(head[at : at + 2], "little")
    found = MACHINES.get((kind, machine), "no platform that is known")
    expected = re.sub(r"^(?:musl)?(linux|macosx)_\d+_\d+_", r"\1_", tag)
    # A 32-bit program runs on both kinds of Windows.
    runs_on_both = file.suffix == ".exe" and found == "win32" and tag == "win_amd64"
    if found != expected and not runs_on_both:
        stop(f"{file} is for {found}, and PAYORDER_WHEEL_PLATFORM is {tag}.")


def platform() -> str:
    """This machine's platform tag. Only auditwheel may turn it into a manylinux tag."""
    others = ("manylinux", "musllinux")
    return next(tag for tag in platform_tags() if not tag.startswith(others))


def stop(message: str) -> NoReturn:
    """Ends the build with a message and without a traceback."""
    sys.exit(f"\n{message}\n")
