"""The library's description of itself, include/payorder-abi.json."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Dict

import payorder
from .exits import UsageError

_NAME = Path("include", "payorder-abi.json")


@lru_cache()
def description() -> Dict[str, Any]:
    """What is in the installed package, or in the checkout."""
    package = Path(payorder.__file__).resolve().parent
    for folder in (package, package.parents[2]):
        if (folder / _NAME).is_file():
            text = (folder / _NAME).read_text(encoding="utf-8")
            read: Dict[str, Any] = json.loads(text)
            return read
    raise UsageError(f"{_NAME} is missing: install the package payorder again")
