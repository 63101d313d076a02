"""Finds and loads the shared library, and declares the signatures of its functions."""

from __future__ import annotations

import ctypes
import os
import sys
from ctypes import (
    CFUNCTYPE,
    POINTER,
    PYFUNCTYPE,
    c_char_p,
    c_int32,
    c_size_t,
    c_ssize_t,
    c_uint32,
    c_void_p,
)

TYPE_CHECKING = False
if TYPE_CHECKING:  # Without importing `typing`, which takes long.
    from typing import Any, Dict, List, Tuple

#: The version of the C ABI that this package uses.
ABI_VERSION = 1

# A text that a callback returns is the address, because ctypes would free a `c_char_p`.
# <callbacks> bindings/generate writes it.
IDLE_FN = CFUNCTYPE(c_int32, c_void_p)
LOG_FN = CFUNCTYPE(None, c_char_p, c_void_p)
DONE_FN = CFUNCTYPE(None, c_int32, c_char_p, c_void_p)
STATUS_FN = CFUNCTYPE(c_int32, c_size_t, c_int32, c_char_p, c_void_p)
QUERY_FN = CFUNCTYPE(c_void_p, c_void_p)
# </callbacks>

# A string that the library returns is a `c_char_p`: its `value` is a copy of the text, and the object
# keeps the pointer that must be freed. A client is an opaque handle, `void *`.
_OUT_STRING = POINTER(c_char_p)
_OUT_POINTER = POINTER(c_void_p)
_OUT_INT = POINTER(c_int32)

#: The functions of payorder.h: the types of their results and arguments.
# fmt: off
SIGNATURES: Dict[str, Tuple[Any, Tuple[Any, ...]]] = {
    # <signatures> bindings/generate writes it.
    "payorder_version": (c_char_p, ()),
    "payorder_abi_version": (c_uint32, ()),
    "payorder_result_name": (c_char_p, (c_int32,)),
    "payorder_result_outcome": (c_int32, (c_int32,)),
    "payorder_live_clients": (c_size_t, ()),
    "payorder_live_strings": (c_size_t, ()),
    "payorder_live_calls": (c_size_t, ()),
    "payorder_cancellation_new": (c_int32, (_OUT_STRING,)),
    "payorder_cancellation_cancel": (c_int32, (c_char_p,)),
    "payorder_cancellation_free": (c_int32, (c_char_p,)),
    "payorder_set_idle": (c_int32, (IDLE_FN, c_void_p)),
    "payorder_client_new": (c_int32, (c_char_p, _OUT_POINTER, _OUT_STRING)),
    "payorder_client_from_env": (c_int32, (c_char_p, _OUT_POINTER, _OUT_STRING)),
    "payorder_client_free": (c_int32, (c_void_p,)),
    "payorder_client_cancel": (c_int32, (c_void_p,)),
    "payorder_client_stop": (c_int32, (c_void_p,)),
    "payorder_client_set_credentials": (c_int32, (c_void_p, c_char_p, _OUT_STRING)),
    "payorder_client_set_log": (c_int32, (c_void_p, LOG_FN, c_void_p)),
    "payorder_create_order": (c_int32, (c_void_p, c_char_p, c_char_p, _OUT_STRING)),
    "payorder_get_status": (c_int32, (c_void_p, c_char_p, c_char_p, _OUT_STRING)),
    "payorder_start": (c_int32, (c_void_p, c_char_p, c_char_p, c_char_p, DONE_FN, c_void_p,
        _OUT_STRING)),
    "payorder_take_done": (c_int32, (c_void_p, c_uint32, _OUT_INT, _OUT_INT, _OUT_STRING,
        _OUT_POINTER)),
    "payorder_done_handle": (c_ssize_t, (c_void_p,)),
    "payorder_wait_for_payment": (c_int32, (c_void_p, c_char_p, c_char_p, _OUT_STRING)),
    "payorder_get_statuses": (c_int32, (c_void_p, c_char_p, c_char_p, STATUS_FN, c_void_p,
        _OUT_STRING)),
    "payorder_stream_statuses": (c_int32, (c_void_p, QUERY_FN, STATUS_FN, c_void_p, c_char_p,
        _OUT_STRING)),
    "payorder_journal_list": (c_int32, (c_void_p, c_char_p, _OUT_STRING)),
    "payorder_journal_resolve": (c_int32, (c_void_p, c_char_p, _OUT_STRING)),
    "payorder_journal_settle": (c_int32, (c_void_p, c_char_p, _OUT_STRING)),
    "payorder_journal_prune": (c_int32, (c_void_p, c_char_p, _OUT_STRING)),
    "payorder_recover": (c_int32, (c_void_p, c_char_p, c_char_p, _OUT_STRING)),
    "payorder_check": (c_int32, (c_void_p, c_char_p, _OUT_STRING)),
    "payorder_build_create_order": (c_int32, (c_char_p, c_char_p, _OUT_STRING)),
    "payorder_build_get_status": (c_int32, (c_char_p, _OUT_STRING)),
    "payorder_parse_return_url": (c_int32, (c_char_p, _OUT_STRING)),
    "payorder_verify_payment": (c_int32, (c_char_p, c_char_p, _OUT_STRING)),
    "payorder_json_set": (c_int32, (c_char_p, c_char_p, c_char_p, _OUT_STRING)),
    "payorder_json_quote": (c_int32, (c_char_p, _OUT_STRING)),
    "payorder_json_get": (c_int32, (c_char_p, c_char_p, _OUT_STRING)),
    "payorder_string_free": (None, (c_void_p,)),
    # </signatures>
}
# fmt: on


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
