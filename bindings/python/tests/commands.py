"""The command `payorder`, run as a person or a program runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any, Dict, List, Optional

from .program import LIBRARY, PACKAGE_FOLDER
from .sandbox import CREDENTIALS, Sandbox

ORDER = [
    "--merchant-id", "M-1", "--product-info", "Tea", "--customer-name", "Asha Rao", "--customer-mobile", "9000000001",
    "--customer-email", "asha@example.com", "--redirection-url", "https://shop.example/", "--currency-code", "INR",
]  # fmt: skip

#: The names that the environment has for the credentials.
VARIABLES = {f"PAYORDER_{name.upper()}": value for name, value in CREDENTIALS.items()}


def environment(sandbox: Optional[Sandbox] = None, **further: str) -> Dict[str, str]:
    """A clean environment, with the settings of the sandbox where one is given."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("PAYORDER_")
    }
    clean = {
        name: value
        for name, value in clean.items()
        if not name.lower().endswith("_proxy")
    }
    clean.update(
        PYTHONPATH=str(PACKAGE_FOLDER),
        PAYORDER_LIBRARY=str(LIBRARY),
        PYTHONIOENCODING="utf-8",
    )
    if sandbox is not None:
        clean.update(VARIABLES, PAYORDER_BASE_URL=sandbox.url)
    return {**clean, **further}


def command(*arguments: str) -> List[str]:
    """The command line."""
    return [sys.executable, "-m", "payorder", *arguments]


def run(
    sandbox: Optional[Sandbox], *arguments: str, given: str = "", **further: str
) -> "subprocess.CompletedProcess[str]":
    """Runs the command to its end."""
    settings: Dict[str, Any] = {
        "env": environment(sandbox, **further),
        "universal_newlines": True,
        "timeout": 120,
    }
    return subprocess.run(
        command(*arguments),
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **settings,
    )


def create(
    sandbox: Sandbox,
    order_id: str,
    amount: str = "100.00",
    product: str = "Tea",
    *more: str,
) -> int:
    """Makes an order, and gives the exit status."""
    arguments = [
        "create",
        "--order-id",
        order_id,
        "--amount",
        amount,
        *ORDER,
        "--product-info",
        product,
        *more,
    ]
    return run(sandbox, *arguments).returncode
