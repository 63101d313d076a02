"""The build hooks of the package payorder. An sdist of payorder-tools has their own file here."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bindings" / "python"))
from hatch_build import LibraryHook, LicencesHook  # noqa: E402, F401
