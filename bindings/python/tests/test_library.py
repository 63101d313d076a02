"""Finding the shared library, and the message if there is none."""

from __future__ import annotations

import os
import shutil
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

import payorder
import payorder_tools
from payorder import _library

from .support import LIBRARY, PACKAGE_FOLDER, TOOLS_FOLDER, run

SHOW = "import payorder._library as found; print(found.library._name)"
NAME = _library._file_name()


class Finding(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()

    def copy_package(self, into: Path) -> Path:
        return Path(shutil.copytree(str(PACKAGE_FOLDER / "payorder"), str(into / "payorder")))

    def copy_library(self, to: Path, age: float) -> None:
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(str(LIBRARY), str(to))
        when = LIBRARY.stat().st_mtime - age
        os.utime(str(to), (when, when))

    def shown(self, folder: Path, variable: Any = None) -> str:
        ended = run(SHOW, folder=folder, library_variable=variable)
        self.assertEqual(ended.stderr, "")
        return ended.stdout.strip()

    def refused(self, folder: Path, variable: Any = None) -> str:
        """The last message of a program that finds no library."""
        return self.failed(folder, "payorder found no shared library", variable)

    def failed(self, folder: Path, message: str, variable: Any = None) -> str:
        """What follows this message of a program whose import fails."""
        ended = run("import payorder", folder=folder, library_variable=variable)
        self.assertEqual(ended.returncode, 1)
        found = ended.stderr.partition(f"ImportError: {message}")
        self.assertTrue(found[1], ended.stderr)
        return found[2]

    def test_the_variable_wins_over_the_library_in_the_package(self) -> None:
        package = self.copy_package(self.folder)
        # An installed package does not look outside itself.
        message = self.refused(self.folder)
        self.assertNotIn("target", message)
        self.assertIn("Install a wheel of payorder for this system again", message)
        self.copy_library(package / NAME, 0)
        self.assertEqual(self.shown(self.folder), str(package / NAME))
        self.assertEqual(self.shown(self.folder, str(LIBRARY)), str(LIBRARY.absolute()))
        nothing = str(Path("/no/such/library.so").absolute())
        message = self.refused(self.folder, nothing)
        self.assertIn(f"{nothing}: no such file", message)
        self.assertNotIn(str(package / NAME), message)
        self.assertIn("Correct PAYORDER_LIBRARY", message)

    def test_the_source_alone_says_what_is_missing(self) -> None:
        (self.copy_package(self.folder) / "_signatures.py").unlink()
        message = self.failed(self.folder, "this is the package's source")
        self.assertIn("run bindings/generate python, or install the package", message)

    def test_in_a_checkout_the_newest_build_is_used(self) -> None:
        package = self.folder / "bindings" / "python"
        self.copy_package(package)
        (self.folder / "Cargo.toml").touch()
        message = self.refused(package)
        for words in (
            "PAYORDER_LIBRARY: not set",
            f"{package / 'payorder' / NAME}: no such file",
            f"{self.folder / 'target' / 'release' / NAME}: no such file",
            f"{self.folder / 'target' / 'debug' / NAME}: no such file",
            "cargo build --release --lib",
            "set PAYORDER_LIBRARY",
        ):
            self.assertIn(words, message)
        builds = [
            self.folder / "target" / build / NAME for build in ("release", "debug", "debug/deps")
        ]
        for newest in builds:
            for build in builds:
                self.copy_library(build, 0 if build == newest else 100)
            self.assertEqual(self.shown(package), str(newest))

    def test_a_library_in_an_archive_or_left_out_of_a_bundle(self) -> None:
        self.copy_library(self.copy_package(self.folder) / NAME, 0)
        till = str(self.folder / "bundle" / "till")
        archive = shutil.make_archive(till, "zip", str(self.folder), "payorder")
        message = self.refused(Path(archive))
        self.assertIn("Python loads no library from inside an archive", message)
        (self.folder / "payorder" / NAME).unlink()
        (self.folder / "sitecustomize.py").write_text("import sys; sys.frozen = True")
        message = self.refused(self.folder)
        self.assertIn(f"Put {NAME} into the folder payorder of this bundle", message)

    def test_a_library_of_another_processor_or_on_a_file_system_without_programs(self) -> None:
        library = self.copy_package(self.folder) / NAME
        header = bytearray(LIBRARY.read_bytes()[:4096])
        header[18] ^= 1
        library.write_bytes(header)
        message = self.refused(self.folder)
        self.assertIn("it is for another processor", message)
        self.assertNotIn("cargo", message)
        self.copy_library(library, 0)
        with mock.patch.object(os, "ST_NOEXEC", 0xFFFF):
            self.assertIn("is mounted with noexec", _library._obstacle(str(library)))
        self.assertEqual(_library._obstacle(str(library)), "")


class Versions(unittest.TestCase):
    def test_the_versions_agree(self) -> None:
        self.assertRegex(payorder.library_version(), r"^\d+\.\d+\.\d+")
        version = payorder.__version__
        self.assertEqual(payorder_tools.__version__, version)
        for folder in (PACKAGE_FOLDER, TOOLS_FOLDER):
            project = (folder / "pyproject.toml").read_text(encoding="utf-8")
            self.assertIn(f'\nversion = "{version}"\n', project)
        self.assertIn(f'"payorder=={version}"', project)
