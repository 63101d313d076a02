"""`payorder doctor`: checks the settings, the connection to the service, and the journal.

It creates no order. The steps are those of the library's own check.
"""

from __future__ import annotations

import argparse
import json
import os
from datetime import datetime, timezone
from typing import Any, Dict, Iterator, Tuple
from urllib.parse import urlsplit

from .. import __version__
from payorder._library import library, library_version
from payorder.checks import CheckStep
from payorder.configuration import CREATE_CREDENTIALS, STATUS_CREDENTIALS, VARIABLES
from payorder.errors import PayorderError
from . import settings
from .arguments import Parser
from .exits import DONE, NOT_SENT, UsageError
from .failures import ACTIONS, cause_in_words
from .output import print_line

_EXPIRY_DAYS = 21

#: The name of a check; "ok", "warning" or "failed"; a description.
Step = Tuple[str, str, str]


def add(command: Parser) -> None:
    command.description = (
        "Checks the settings, the connection to the service and the journal, step by step. It "
        "asks the service for one status, and creates no order."
    )
    command.epilog = "exit status: 0 if nothing failed, 3 if a check failed"
    settings.add(command, quiet="print only what is not ok")


def run(args: argparse.Namespace) -> int:
    """Runs every check, and prints each result."""
    config = settings.settings(args)
    if "baseUrl" not in config:
        raise UsageError(
            "the service's address is not set: set PAYORDER_BASE_URL, or give --base-url",
            settings=True,
        )
    status = DONE
    for check, result, words in _steps(args, config):
        if result == "failed":
            status = NOT_SENT
        if args.json:
            step = {"check": check, "result": result, "words": words}
            print_line(json.dumps(step))
        elif not args.quiet or result != "ok":
            print_line(f"{result:<8} {check:<12} {words}")
    return status


def _steps(args: argparse.Namespace, config: Dict[str, Any]) -> Iterator[Step]:
    versions = f"payorder {library_version()} ({library._name})"
    yield "library", "ok", f"{versions}, Python package {__version__}"
    for call, keys in (
        ("create order", CREATE_CREDENTIALS),
        ("get status", STATUS_CREDENTIALS),
    ):
        # Their values are not shown.
        missing = [VARIABLES[key] for key in keys if not config.get(key)]
        words = f"not set: {', '.join(missing)}" if missing else "all set"
        yield call, "warning" if missing else "ok", words
    journal = str(config.get("journal", ""))
    is_new = not settings.in_database(journal) and not os.path.lexists(journal)
    try:
        with settings.client(args) as client:
            steps = client.check().steps
    except PayorderError as error:
        yield "settings", "failed", error.message + cause_in_words(error)
        return
    if steps and steps[0].step != "proxy":
        yield "proxy", "ok", "none"
    is_open = urlsplit(str(config["baseUrl"])).scheme.lower() == "http"
    for step in steps:
        if step.ok and step.step == "journal":
            yield from _journal(step, settings.shown(journal), is_new)
        else:
            yield (step.step, *_told(step))
        if is_open and step.ok and step.step in ("proxy", "connect"):
            words = "not used: others can read and change what is sent over http"
            yield "tls", "warning", words


def _journal(step: CheckStep, name: str, is_new: bool) -> Iterator[Step]:
    unresolved = step.details["unresolved"]
    yield "journal", "ok", f"{name}, with {unresolved} unresolved orders"
    if is_new:
        yield "journal", "warning", f"{name} did not exist and was created: check its name"
    others = step.details["otherServices"]
    if others:
        words = (
            f"it has {others} unresolved orders of other services: they are not asked about. "
            "Give each service a journal of its own"
        )
        yield "journal", "warning", words


def _told(step: CheckStep) -> Tuple[str, str]:
    """The result of a step, and its words. Some facts are no failure, but somebody must look."""
    details = step.details
    if details.get("credentials") == "missing":
        return "warning", step.message
    if not step.ok:
        action = ACTIONS.get(step.action or "", step.action)
        return "failed", f"{step.message} ({step.cause}; {action})"
    if details.get("credentials") == "unclear":
        return "warning", step.message
    if "validUntil" in details:
        until = datetime.strptime(details["validUntil"], "%Y-%m-%dT%H:%M:%SZ")
        days = (until.replace(tzinfo=timezone.utc) - datetime.now(timezone.utc)).days
        words = f"{step.message} ({days} days)"
        return "warning" if days < _EXPIRY_DAYS else "ok", words
    return "ok", step.message
