"""Runs Python programs in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Dict, Optional

import payorder
import payorder_tools
from payorder._library import library

#: The folder that contains the package.
PACKAGE_FOLDER = Path(payorder.__file__).resolve().parents[1]
#: The folder that contains the package of the command line and the sandbox.
TOOLS_FOLDER = Path(payorder_tools.__file__).resolve().parents[1]
#: For programs that import both.
PYTHONPATH = os.pathsep.join([str(PACKAGE_FOLDER), str(TOOLS_FOLDER)])
#: The shared library that these tests run against.
LIBRARY = Path(library._name)


def run(
    program: str,
    *arguments: str,
    folder: Path = PACKAGE_FOLDER,
    library_variable: Optional[str] = str(LIBRARY),
) -> "subprocess.CompletedProcess[str]":
    """Runs `program` with the package of `folder`, and the tools. PAYORDER_LIBRARY is unset if it is None."""
    path = os.pathsep.join([str(folder), str(TOOLS_FOLDER)])
    environment: Dict[str, str] = {**os.environ, "PYTHONPATH": path}
    environment.pop("PAYORDER_LIBRARY", None)
    if library_variable is not None:
        environment["PAYORDER_LIBRARY"] = library_variable
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), *arguments],
        env=environment,
        # Python searches the working folder for modules before PYTHONPATH.
        cwd=str(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        timeout=600,
    )
