"""The library's description of itself, in a checkout and in an installed package."""

from __future__ import annotations

import json
import unittest
from pathlib import Path
from typing import Any, Dict

import payorder

_NAME = Path("include", "payorder-abi.json")


def description() -> Dict[str, Any]:
    """include/payorder-abi.json. Skips the test if it is not in reach."""
    package = Path(payorder.__file__).resolve().parent
    for folder in (Path(__file__).resolve().parents[3], package):
        if (folder / _NAME).is_file():
            read: Dict[str, Any] = json.loads(
                (folder / _NAME).read_text(encoding="utf-8")
            )
            return read
    raise unittest.SkipTest(f"no {_NAME} in reach")
