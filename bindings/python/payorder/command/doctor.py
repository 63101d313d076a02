"""`payorder doctor`: what stands between this machine and the service. It makes no order, and sends no credential."""

from __future__ import annotations

import argparse
import json
import os
from typing import Any, Dict, Iterator, List, NamedTuple
from urllib.parse import urlsplit

from .. import __version__
from .._library import library, library_version
from ..client import Client
from ..errors import NotSentError, PayorderError
from . import settings
from .journey import Journey
from .output import DONE, NOT_SENT, Unusable

_PLACEHOLDER = "payorder-doctor"


class Finding(NamedTuple):
    """One thing that was looked at: "ok", "warning" or "failed"."""

    check: str
    result: str
    words: str


def add(commands: Any) -> None:
    """Describes the arguments."""
    command = commands.add_parser(
        "doctor",
        help="find out what stands between this machine and the service",
        description="Looks at the settings and the way to the service. It makes no order, and sends no credential.",
        allow_abbrev=False,
    )
    settings.add(command)
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Looks at everything, and says what it found as it goes."""
    config = settings.settings(given)
    if "baseUrl" not in config:
        raise Unusable(
            "no service to look at: set PAYORDER_BASE_URL, or give --base-url"
        )
    found: List[Finding] = []
    for finding in _findings(config):
        found.append(finding)
        if not given.json:
            print(
                f"{finding.result:<8} {finding.check:<12} {finding.words}", flush=True
            )
    if given.json:
        print(json.dumps([finding._asdict() for finding in found]))
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
    url = urlsplit(str(config["baseUrl"]))
    if url.scheme not in ("http", "https") or not url.hostname:
        yield Finding("address", "failed", f"{config['baseUrl']} is no https address")
        return
    journey = Journey(config, url)
    yield Finding(
        "address", "ok", f"{url.scheme}://{url.hostname}:{journey.port}{url.path}"
    )
    for check, result, words in journey.steps():
        yield Finding(check, result, words)
    yield _asked_by_the_library(config)


def _credentials(config: Dict[str, Any]) -> Iterator[Finding]:
    """Which are there. Nothing of them is shown."""
    for call, keys in (
        ("create order", settings.CREDENTIALS[:1]),
        ("get status", settings.CREDENTIALS[1:]),
    ):
        missing = [settings.VARIABLES[key] for key in keys if not config.get(key)]
        words = f"not set: {', '.join(missing)}" if missing else "all set"
        yield Finding(call, "warning" if missing else "ok", words)


def _journal(config: Dict[str, Any]) -> Finding:
    """Whether it can be read; where it is missing, whether it can be made."""
    path = config["journal"]
    try:
        # The address does not matter: nothing is sent.
        with Client("https://localhost", proxy="none", journal=path) as client:
            if not os.path.exists(path):
                return Finding(
                    "journal", "ok", f"{path} will be made with the first order"
                )
            found = sum(1 for _ in client.journal.list(state="unresolved"))
    except PayorderError as error:
        return Finding("journal", "failed", error.message)
    return Finding("journal", "ok", f"{path}, with {found} orders still open")


def _asked_by_the_library(config: Dict[str, Any]) -> Finding:
    """The same way with the library's own means and roots: Get Status for no order, with no credential worth the name."""
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
    except NotSentError as error:
        return Finding("service", "failed", error.message)
    except PayorderError as error:
        if error.http_status is None:
            return Finding("service", "failed", error.message)
        if error.http_status == 404 and error.response_code is None:
            return Finding(
                "service",
                "failed",
                "there is no payment service at this address: check its path (HTTP 404)",
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
            f"it answers, and refuses who has no credentials (HTTP {error.http_status})",
        )
    return Finding("service", "ok", "it answers")
