"""What PyInstaller needs to know about this package."""

from pathlib import Path
from typing import List


def hook_folders() -> List[str]:
    """Where PyInstaller finds the hook: see the entry point in pyproject.toml."""
    return [str(Path(__file__).parent)]
