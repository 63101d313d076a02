"""`payorder doctor`: checks the settings and the way to the service.

It creates no order and sends no credential.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from typing import Any, Dict, Iterator, List, NamedTuple, Union
from urllib.parse import SplitResult, urlsplit

from .. import __version__
from .._library import library, library_version
from ..client import Client
from ..errors import NotSentError, PayorderError
from . import settings
from .exits import DONE, NOT_SENT, UsageError
from .failures import cause_in_words
from .output import say

_PLACEHOLDER = "payorder-doctor"


class Finding(NamedTuple):
    """The result of one check: "ok", "warning" or "failed"."""

    check: str
    result: str
    words: str


def add(commands: Any) -> None:
    """Describes the arguments."""
    command = commands.add_parser(
        "doctor",
        help="find out why the service cannot be reached",
        description="Checks the settings and the way to the service. It creates no order and "
        "sends no credential.",
        epilog="Ends with 0 if nothing failed, and with 3 if something did.",
        allow_abbrev=False,
    )
    settings.add(command)
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Makes every check, and says each result at once."""
    config = settings.settings(given)
    if "baseUrl" not in config:
        raise UsageError(
            "the service's address is not set: set PAYORDER_BASE_URL, or give --base-url",
            settings=True,
        )
    found: List[Finding] = []
    for finding in _findings(config):
        found.append(finding)
        if given.json:
            say(json.dumps(finding._asdict()))
        else:
            say(f"{finding.result:<8} {finding.check:<12} {finding.words}")
    return NOT_SENT if any(finding.result == "failed" for finding in found) else DONE


def _findings(config: Dict[str, Any]) -> Iterator[Finding]:
    yield Finding(
        "library",
        "ok",
        f"payorder {library_version()} ({library._name}), Python package {__version__}",
    )
    yield from _credentials(config)
    if "journal" in config:
        yield _journal(config)
    url = _address(str(config["baseUrl"]))
    if isinstance(url, str):
        yield Finding("address", "failed", url)
        return
    # Imported here: its HTTP client takes a fifth of the time in which any command starts.
    from .journey import Journey

    journey = Journey(config, url)
    yield Finding("address", "ok", f"{url.scheme}://{journey.host_and_port}{url.path}")
    for check, result, words in journey.steps():
        yield Finding(check, result, words)
    yield _asked_by_the_library(config)


def _address(text: str) -> Union[SplitResult, str]:
    """The base URL, or why it cannot be used. A password in it is neither shown nor sent."""
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


def _credentials(config: Dict[str, Any]) -> Iterator[Finding]:
    """Which of them are set. None is shown."""
    for call, keys in (
        ("create order", settings.CREDENTIALS[:1]),
        ("get status", settings.CREDENTIALS[1:]),
    ):
        missing = [settings.VARIABLES[key] for key in keys if not config.get(key)]
        words = f"not set: {', '.join(missing)}" if missing else "all set"
        yield Finding(call, "warning" if missing else "ok", words)


def _journal(config: Dict[str, Any]) -> Finding:
    """Whether it can be read and written, or created if it does not exist."""
    path = str(config["journal"])
    try:
        # The journal's own files (-wal, -shm) are created next to it.
        with tempfile.TemporaryFile(dir=os.path.dirname(os.path.abspath(path))):
            pass
        if os.path.exists(path):
            with open(path, "r+b"):
                pass
    except OSError as error:
        return Finding(
            "journal",
            "failed",
            f"{path} cannot be written: {error.strerror}; no order could be created",
        )
    try:
        # The address does not matter: nothing is sent.
        with Client("https://localhost", proxy="none", journal=path) as client:
            if not os.path.exists(path):
                return Finding(
                    "journal", "ok", f"{path} will be created with the first order"
                )
            found = sum(1 for _ in client.journal.list(state="unresolved"))
    except PayorderError as error:
        return Finding("journal", "failed", error.message + cause_in_words(error))
    return Finding("journal", "ok", f"{path}, with {found} unresolved orders")


def _asked_by_the_library(config: Dict[str, Any]) -> Finding:
    """The library's own way: Get Status for no order, with placeholders as credentials."""
    placeholders: Dict[str, Any] = dict.fromkeys(
        ("client_key", "client_id", "secret_key"), _PLACEHOLDER
    )
    kept = {
        name: config[key]
        for key, name in settings.KEYWORDS.items()
        if key in config
        and key not in (*settings.CREDENTIALS, "journal", "timeoutMs", "statusRetries")
    }
    try:
        with Client(
            config["baseUrl"],
            timeout_ms=15000,
            status_retries=0,
            **kept,
            **placeholders,
        ) as client:
            client.get_status(order_id=_PLACEHOLDER)
    except PayorderError as error:
        return _judged(error)
    return Finding("service", "ok", "it answers")


def _judged(error: PayorderError) -> Finding:
    """What an error of the question for no order says about the service."""
    if isinstance(error, NotSentError) or error.http_status is None:
        return Finding("service", "failed", error.message + cause_in_words(error))
    if error.http_status == 404 and error.response_code is None:
        return Finding(
            "service",
            "failed",
            "there is no payment service at this address (HTTP 404): check its path",
        )
    if error.http_status >= 500:
        return Finding(
            "service",
            "warning",
            f"it answers HTTP {error.http_status}: {error.message}",
        )
    return Finding(
        "service",
        "ok",
        f"it answers, and refuses the placeholder credentials (HTTP {error.http_status})",
    )
