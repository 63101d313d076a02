"""What the figures were measured on, and with."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path
from typing import Dict, List

from . import places


def _said(*command: str) -> str:
    return subprocess.run(
        command, capture_output=True, text=True, cwd=places.PROJECT
    ).stdout.strip()


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def _packages() -> List[str]:
    listed = _said(
        str(places.PYTHON), "-m", "pip", "list", "--format=freeze"
    ).splitlines()
    return [
        line
        for line in listed
        if line.split("==")[0] in ("requests", "httpx", "stripe", "pydantic")
    ]


def machine(load_before: float) -> Dict[str, str]:
    return {
        "machine": f"{_processor()}, {len(os.sched_getaffinity(0))} cores, Linux {platform.release()}",
        "load before and after": f"{load_before:.1f}, {os.getloadavg()[0]:.1f}",
        "library": _said("git", "describe", "--always", "--dirty", "--abbrev=10"),
        "peers": ", ".join(
            [
                _said("curl-config", "--version"),
                _said("openssl", "version").split(" (")[0],
                *_packages(),
            ]
        ),
        "Python": _said(str(places.PYTHON), "--version"),
        "compilers": f"{_said('rustc', '--version')}, {_said('cc', '--version').splitlines()[0]}",
    }
