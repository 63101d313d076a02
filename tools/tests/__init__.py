"""The tests of payorder-tools. They also use the services and programs of the client's tests."""

from pathlib import Path

_CLIENT = Path(__file__).resolve().parents[2] / "bindings" / "python" / "tests"
if _CLIENT.is_dir():
    __path__.append(str(_CLIENT))
