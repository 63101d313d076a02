"""Finds and loads the shared library, and declares its functions."""

from __future__ import annotations

import ctypes
import os
import sys
from ctypes import PYFUNCTYPE, c_uint32, c_void_p

from ._signatures import DONE_FN as DONE_FN
from ._signatures import IDLE_FN as IDLE_FN
from ._signatures import LOG_FN as LOG_FN
from ._signatures import QUERY_FN as QUERY_FN
from ._signatures import SIGNATURES
from ._signatures import STATUS_FN as STATUS_FN

TYPE_CHECKING = False
if TYPE_CHECKING:  # Without importing `typing`, which takes long.
    from typing import List

#: The version of the C ABI that this package uses.
ABI_VERSION = 1


def _file_name() -> str:
    if sys.platform == "win32":
        return "payorder.dll"
    if sys.platform == "darwin":
        return "libpayorder.dylib"
    return "libpayorder.so"


def _candidates() -> List[str]:
    """Where the library may be, the preferred place first.

    If `PAYORDER_LIBRARY` is set, nothing else is tried. A library next to this file belongs to the
    installed package. In a checkout the newest build is used, debug or release, because that is the
    one that the developer has just built.
    """
    chosen = os.environ.get("PAYORDER_LIBRARY")
    if chosen:
        return [os.path.join(os.getcwd(), chosen)]
    package = os.path.dirname(os.path.realpath(__file__))
    candidates = [os.path.join(package, _file_name())]
    path = os.path.join("bindings", "python", "payorder")
    checkout = package[: -len(path)]
    if package == checkout + path and os.path.isfile(checkout + "Cargo.toml"):
        builds = [
            os.path.join(checkout, "target", *build.split(), _file_name())
            for build in ("release", "debug", "release deps", "debug deps")
        ]
        # `cargo test` writes its library only to `deps`.
        candidates += sorted(builds, key=_build_time, reverse=True)
    return candidates


def _build_time(path: str) -> float:
    try:
        return os.path.getmtime(path)
    except OSError:
        return 0.0


def _load() -> ctypes.CDLL:
    tried = []
    if not os.environ.get("PAYORDER_LIBRARY"):
        tried.append("the environment variable PAYORDER_LIBRARY: not set")
    for path in _candidates():
        if not os.path.isfile(path):
            tried.append(f"{path}: no such file")
            continue
        try:
            return _declare(ctypes.CDLL(path))
        except (OSError, _WrongLibrary) as error:
            tried.append(f"{path}: {error}{_obstacle(path)}")
    raise ImportError(
        f"payorder found no shared library that it can use ({_file_name()}). It tried\n  "
        + "\n  ".join(tried)
        + f"\n{_advice()}.",
        name="payorder",
    )


def _obstacle(path: str) -> str:
    """What the system does not say of a library that it cannot load."""
    try:
        with open(path, "rb") as library, open(sys.executable, "rb") as python:
            # The headers of ELF: the size of an address, and the processor.
            given, own = (file.read(20) for file in (library, python))
        if given[:4] == own[:4] == b"\x7fELF" and (given[4:6], given[18:]) != (own[4:6], own[18:]):
            return "; it is for another processor: take the package of this one"
        if os.statvfs(path).f_flag & os.ST_NOEXEC:
            return (
                "; this file system is mounted with noexec: choose another folder, also as TMPDIR"
            )
    except (OSError, AttributeError, TypeError):
        pass  # Windows names the reason itself.
    return ""


def _advice() -> str:
    """What to do if no library can be used."""
    set_it = "set PAYORDER_LIBRARY to the path of the library"
    if os.environ.get("PAYORDER_LIBRARY"):
        return "Correct PAYORDER_LIBRARY, or unset it to use the package's own library"
    if len(_candidates()) > 1:
        return f"Build it with `cargo build --release --lib` in the checkout, or {set_it}"
    if getattr(sys, "frozen", False) or "__compiled__" in globals():
        return (
            f"Put {_file_name()} into the folder payorder of this bundle"
            f' ("Bundles" in the package\'s README), or {set_it}'
        )
    if not os.path.isdir(os.path.dirname(__file__)):
        return f"Python loads no library from inside an archive: unpack payorder, or {set_it}"
    return f"Install a wheel of payorder for this system again, or {set_it}"


class _WrongLibrary(Exception):
    """A library that loads, but is not the one that this package needs."""


def _declare(library: ctypes.CDLL) -> ctypes.CDLL:
    try:
        library.payorder_abi_version.restype = c_uint32
        version = library.payorder_abi_version()
    except AttributeError:
        raise _WrongLibrary("not a payorder library") from None
    if version != ABI_VERSION:
        raise _WrongLibrary(
            f"has version {version} of the ABI, and this package needs version {ABI_VERSION}"
        )
    for name, (result, arguments) in SIGNATURES.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise _WrongLibrary(f"has no {name}: it is older than this package") from None
        function.restype = result
        function.argtypes = arguments
    return library


# Loaded on import, so that a till without the library fails when it starts, not at its first sale.
library = _load()

#: `payorder_string_free` without giving up Python's lock: another thread would take it, and the call
#: would then wait for it again.
string_free = PYFUNCTYPE(None, c_void_p)(("payorder_string_free", library))


def library_version() -> str:
    """The version of the shared library in use."""
    version: bytes = library.payorder_version()
    return version.decode()
