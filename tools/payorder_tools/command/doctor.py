"""`payorder doctor`: checks the settings and the connection to the service.

It creates no order and sends no credential.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import tempfile
from typing import Any, Dict, Iterator, List, Set, Tuple, Union
from urllib.parse import SplitResult, urlsplit

from .. import __version__
from payorder._library import library, library_version
from payorder._text import wire_name
from payorder.client import Client
from payorder.configuration import (
    CREATE_CREDENTIALS,
    CREDENTIALS,
    STATUS_CREDENTIALS,
    VARIABLES,
    Config,
)
from payorder.errors import (
    InvalidArgumentError,
    NotSentError,
    PayorderError,
    UnauthorizedError,
)
from . import settings
from .arguments import Parser
from .connection_checks import ConnectionChecks, Step
from .exits import DONE, NOT_SENT, UsageError
from .expectation import is_open, service_name
from .failures import cause_in_words
from .output import print_line

_PLACEHOLDER = "payorder-doctor"
#: The number of no entry.
_NO_ENTRY = 2**53 - 1
# The keyword argument of `Client` for each configuration key.
_KEYWORDS = {wire_name(name): name for name in Config.__annotations__}


def add(command: Parser) -> None:
    command.description = (
        "Checks the settings and the connection to the service, step by step. It "
        "creates no order and sends no credential."
    )
    command.epilog = "exit status: 0 if nothing failed, 3 if a check failed"
    settings.add(command, quiet="print only what is not ok")


def run(args: argparse.Namespace) -> int:
    """Runs every check, and prints each result at once."""
    config = settings.settings(args)
    if "baseUrl" not in config:
        raise UsageError(
            "the service's address is not set: set PAYORDER_BASE_URL, or give --base-url",
            settings=True,
        )
    status = DONE
    for check, result, words in _steps(config):
        if result == "failed":
            status = NOT_SENT
        if args.json:
            step = {"check": check, "result": result, "words": words}
            print_line(json.dumps(step))
        elif not args.quiet or result != "ok":
            print_line(f"{result:<8} {check:<12} {words}")
    return status


def _steps(config: Dict[str, Any]) -> Iterator[Step]:
    versions = f"payorder {library_version()} ({library._name})"
    yield "library", "ok", f"{versions}, Python package {__version__}"
    yield from _credentials(config)
    url = _address(str(config["baseUrl"]))
    if "journal" in config and not isinstance(url, str):
        yield from _journal(config)
    if isinstance(url, str):
        yield "address", "failed", url
        return
    checks = ConnectionChecks(config, url)
    yield "address", "ok", f"{url.scheme}://{checks.host_and_port}{url.path}"
    yield from checks.steps()
    yield "service", *_library_call(config)


def _address(text: str) -> Union[SplitResult, str]:
    """The parsed base URL, or why it cannot be used. A password in it is not shown or sent."""
    try:
        url = urlsplit(text)
        usable = url.scheme in ("http", "https") and url.hostname and url.port != 0
    except ValueError:
        return "the base URL is not a URL"
    if "@" in url.netloc:
        return "the base URL has a user name or a password, which is not allowed: remove it"
    if not usable:
        return f"{text} is not an https URL"
    return url


def _credentials(config: Dict[str, Any]) -> Iterator[Step]:
    """Which credentials are set. Their values are not shown."""
    for call, keys in (
        ("create order", CREATE_CREDENTIALS),
        ("get status", STATUS_CREDENTIALS),
    ):
        missing = [VARIABLES[key] for key in keys if not config.get(key)]
        words = f"not set: {', '.join(missing)}" if missing else "all set"
        yield call, "warning" if missing else "ok", words


def _journal(config: Dict[str, Any]) -> Iterator[Step]:
    """Whether the journal can be read and written, or created if it does not exist."""
    path = str(config["journal"])
    is_file = not settings.in_database(path)
    if is_file:
        problem = _unwritable(path)
        if problem:
            yield "journal", "failed", f"{problem}; no order could be created"
            return
    try:
        # The URL does not matter, because nothing is sent.
        with Client("https://localhost", proxy="none", journal=path) as client:
            if is_file and not os.path.exists(path):
                yield "journal", "ok", f"{path} will be created with the first order"
                return
            service = service_name(str(config["baseUrl"]))
            unresolved, still_open, others = _entries(client, service)
            # A database may let this role read only.
            with contextlib.suppress(InvalidArgumentError):
                client.journal.settle(_NO_ENTRY)
    except PayorderError as error:
        yield "journal", "failed", error.message + cause_in_words(error)
        return
    yield (
        "journal",
        "ok",
        f"{settings.shown(path)}, with {unresolved} unresolved orders",
    )
    if others:
        words = (
            f"it has entries of another service ({', '.join(others)}), {still_open} of them open: "
            "they are not asked about. Give each service a journal of its own"
        )
        yield "journal", "warning", words


def _unwritable(path: str) -> str:
    """Why the journal's file cannot be written; "" if it can."""
    try:
        # The journal's own files (-wal, -shm) are created next to it.
        with tempfile.TemporaryFile(dir=os.path.dirname(os.path.abspath(path))):
            pass
        if os.path.exists(path):
            with open(path, "r+b"):
                pass
    except OSError as error:
        return f"{path} cannot be written: {error.strerror}"
    return ""


def _entries(client: Client, service: str) -> Tuple[int, int, List[str]]:
    """The unresolved entries of this service, the open ones of others, and those services."""
    unresolved, still_open = 0, 0
    others: Set[str] = set()
    for entry in client.journal.list():
        if entry.service == service:
            unresolved += entry.state in ("sending", "unknown")
        else:
            still_open += is_open(entry)
            others.add(entry.service or "not known")
    return unresolved, still_open, sorted(others)


def _library_call(config: Dict[str, Any]) -> Tuple[str, str]:
    """A real call of the library: Get Status for no real order, with placeholder credentials."""
    placeholders: Dict[str, Any] = dict.fromkeys(
        ("client_key", "client_id", "secret_key"), _PLACEHOLDER
    )
    kept = {
        name: config[key]
        for key, name in _KEYWORDS.items()
        if key in config and key not in (*CREDENTIALS, "journal", "statusRetries")
    }
    try:
        with Client(
            config["baseUrl"],
            timeout=15,
            status_retries=0,
            **kept,
            **placeholders,
        ) as client:
            client.get_status(order_id=_PLACEHOLDER)
    except PayorderError as error:
        return _after(error)
    return (
        "warning",
        "it responds, and accepts placeholder credentials: whether yours are right is not known",
    )


def _after(error: PayorderError) -> Tuple[str, str]:
    """What the error of that call says about the service."""
    status = error.http_status
    responds = f"it responds with HTTP {status}"
    if isinstance(error, NotSentError) or status is None:
        return "failed", error.message + cause_in_words(error)
    if status == 404 and error.response_code is None:
        words = "there is no payment service at this address (HTTP 404): check its path"
        return "failed", words
    if status >= 500:
        return "warning", f"{responds}: {error.message}"
    if isinstance(error, UnauthorizedError):
        return (
            "ok",
            f"it responds, and refuses the placeholder credentials (HTTP {status}): a status with "
            "your own shows whether they are right",
        )
    return (
        "warning",
        f"{responds} and {error.name}, and says nothing about the placeholder credentials: it "
        "would say the same to yours if they were wrong. Ask for an order that exists: only "
        "its status proves them",
    )
