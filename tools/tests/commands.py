"""Runs the command `payorder` as a user or a program does."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Dict, List, Optional

from .support import CREDENTIALS, LIBRARY, PYTHONPATH, WANTS_ALL, Sandbox

ORDER = [
    "--merchant-id", "M-1", "--product-info", "Tea", "--customer-name", "Asha Rao",
    "--customer-mobile", "9000000001", "--customer-email", "asha@example.com",
    "--redirection-url", "https://shop.example/", "--currency-code", "INR",
]  # fmt: skip

#: The environment variables with the sandbox's credentials.
VARIABLES = {f"PAYORDER_{name.upper()}": value for name, value in CREDENTIALS.items()}


def environment(sandbox: Optional[Sandbox] = None, **further: str) -> Dict[str, str]:
    """A clean environment, with the sandbox's settings if one is given."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("PAYORDER_") and not name.lower().endswith("_proxy")
    }
    clean.update(
        PYTHONPATH=PYTHONPATH,
        PAYORDER_LIBRARY=str(LIBRARY),
        PYTHONIOENCODING="utf-8",
    )
    if sandbox is not None:
        clean.update(VARIABLES, PAYORDER_BASE_URL=sandbox.url)
    return {**clean, **further}


def command(*arguments: str) -> List[str]:
    """The command line."""
    return [sys.executable, "-m", "payorder", *arguments]


def missing(what: str) -> Exception:
    """What a test without a program or a module raises. Only CI must have all of them."""
    kind = AssertionError if WANTS_ALL else unittest.SkipTest
    return kind(f"{what} is not installed")


def python_with(module: str) -> str:
    """A Python that has this module: that of the pytest in PYTEST, or this one."""
    of_pytest = Path(os.environ.get("PYTEST", sys.executable)).with_name("python")
    for one in (str(of_pytest), sys.executable):
        tried = [one, "-c", f"import {module}"]
        if shutil.which(one) and subprocess.run(tried, stderr=subprocess.DEVNULL).returncode == 0:
            return one
    raise missing(module)


#: Runs a program on a terminal, and passes on what it shows.
ON_A_TERMINAL = [sys.executable, "-c", "import pty, sys; pty.spawn(sys.argv[1:])"]

#: Runs a script in bash. `payorder` is the command, and `sell ORDER AMOUNT` creates an order, and
#: `sold ORDER AMOUNT` does that without a word.
BASH = [
    "bash",
    "--norc",
    "-c",
    f"""PYTHON={shlex.quote(sys.executable)}
    payorder() {{ "$PYTHON" -m payorder "$@"; }}
    sell() {{
        payorder create --order-id "$1" --amount "$2" {shlex.join(ORDER)} "${{@:3}}"
    }}
    sold() {{
        local said status
        said=$(sell "$@" --quiet) || {{ status=$?; echo "$said"; return $status; }}
    }}
    eval "$1" """,
    "bash",
]


def run(
    sandbox: Optional[Sandbox],
    line: str = "",
    *more: str,
    given: str = "",
    **further: str,
) -> subprocess.CompletedProcess[str]:
    """Runs the command to its end. `line` is split as a shell does, and `more` is added."""
    return subprocess.run(
        command(*shlex.split(line), *more),
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(sandbox, **further),
        universal_newlines=True,
        timeout=120,
    )
