"""The machine and the versions with which the figures were measured."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path
from typing import Dict, List

from . import places


def _output(*command: str) -> str:
    return subprocess.run(
        command, capture_output=True, text=True, cwd=places.PROJECT
    ).stdout.strip()


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def _packages() -> List[str]:
    listed = _output(
        str(places.PYTHON), "-m", "pip", "list", "--format=freeze"
    ).splitlines()
    return [line for line in listed if line.split("==")[0] in ("requests", "stripe")]


def machine(load_before: float) -> Dict[str, str]:
    return {
        "machine": f"{_processor()}, {len(os.sched_getaffinity(0))} cores, "
        f"Linux {platform.release()}",
        "load before and after": f"{load_before:.1f}, {os.getloadavg()[0]:.1f}",
        "library": _output("git", "describe", "--always", "--dirty", "--abbrev=10"),
        "peers": ", ".join(
            [
                _output("curl-config", "--version"),
                _output("openssl", "version").split(" (")[0],
                *_packages(),
            ]
        ),
        "Python": _output(str(places.PYTHON), "--version"),
        "compilers": f"{_output('rustc', '--version')}, "
        f"{_output('cc', '--version').splitlines()[0]}",
    }
