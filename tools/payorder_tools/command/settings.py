"""Settings from arguments, the environment or a file. Credentials are never arguments."""

from __future__ import annotations

import argparse
import json
import os
import re
from pathlib import Path
from typing import Any, Dict, List
from urllib.parse import unquote

from payorder.client import Client
from payorder.configuration import FILE_VARIABLE, add_variables

from .arguments import Parser
from .exits import UsageError
from .inputs import finite_seconds

HELP = """\
settings in the environment
  PAYORDER_BASE_URL      the URL of the service
  PAYORDER_ACCESS_TOKEN  the credential for creating orders
  PAYORDER_CLIENT_KEY, PAYORDER_CLIENT_ID, PAYORDER_SECRET_KEY
                         the credentials for asking for a status
  PAYORDER_JOURNAL       the journal's file, or the URI of its PostgreSQL database; optional
  PAYORDER_CA_FILE       a PEM file with further certificate authorities; optional
Settings can also come from a JSON file, named by --config or PAYORDER_CONFIG, with the keys
of the library's configuration: {"baseUrl": ..., "accessToken": ..., "clientKey": ...,
"clientId": ..., "secretKey": ..., ...}. The environment overrides the file, and arguments
override both.
"""


def add_quiet(command: Parser, words: str) -> None:
    """Adds `--quiet`. `words` say what it leaves of the command's output."""
    command.option("-q --quiet", f"{words}; errors are still on stderr")


def add_json(command: Parser) -> None:
    """Adds `--json`, which means the same in every command."""
    command.option("-j --json", "print JSON for programs, one object on each line")


def add(command: Parser, quiet: str) -> None:
    """Adds the arguments of every command that connects to the service.

    `quiet` says what `--quiet` leaves of the command's output.
    """
    add_quiet(command, quiet)
    command.option(
        "-c --config FILE",
        "read settings from this JSON file, to which only you may have access "
        "(default: PAYORDER_CONFIG)",
    )
    command.option("--base-url URL", "the URL of the service (default: PAYORDER_BASE_URL)")
    command.option(
        "--journal FILE",
        "the file in which each order is recorded, created with the first one, or the URI of a "
        "PostgreSQL database, without its password (default: PAYORDER_JOURNAL, otherwise no "
        "journal)",
    )
    command.option(
        "--timeout SECONDS",
        "the time limit of one call in seconds (default 30)",
        type=finite_seconds,
    )
    add_json(command)
    command.option(
        "-v --verbose",
        "show on stderr what each call does: when, to which host, for how long, and how it "
        "ended; no credentials and no personal data",
    )


#: Instead of the service's address, if nothing is sent.
_NOT_ASKED = "https://not-asked.invalid"


def client(args: argparse.Namespace, asks: bool = True) -> Client:
    """A client with these settings. `asks` says whether it needs the service's address."""
    _name_file(args)
    if os.sep == "/" and re.match(r"[A-Za-z]:\\|\\\\", args.journal or ""):
        raise UsageError(
            f"--journal {args.journal} is a path of Windows, and would be a file of this name here: "
            f"is this the right machine? If it is, write ./{args.journal}"
        )
    return Client.from_env(
        args.base_url if asks else _NOT_ASKED,
        journal=args.journal,
        timeout=args.timeout,
    )


def settings(args: argparse.Namespace) -> Dict[str, Any]:
    """The settings as they are, under the keys of the library's configuration.

    For what the library does not tell. It reads them first, so it says what is wrong with a file.
    """
    _name_file(args)
    Client.from_env(_NOT_ASKED, proxy="none").close()
    config: Dict[str, Any] = {}
    path = os.environ.get(FILE_VARIABLE)
    if path:
        config.update(json.loads(Path(path).read_text(encoding="utf-8-sig")))
    add_variables(config)
    chosen = {"baseUrl": args.base_url, "journal": args.journal}
    config.update({key: value for key, value in chosen.items() if value is not None})
    return config


def given(args: argparse.Namespace) -> List[str]:
    """The arguments that chose the service and the journal, without a password."""
    journal = getattr(args, "journal", None)
    if journal is not None and in_database(journal):
        if re.search(r":.*:.*@|passw", unquote(journal), re.I | re.S):
            journal = "postgresql://..."
    chosen = {
        "config": getattr(args, "config", None),
        "base-url": getattr(args, "base_url", None),
        "journal": journal,
    }
    return [f"--{name}={value}" for name, value in chosen.items() if value is not None]


def in_database(journal: str) -> bool:
    """Whether a journal is in a database, and not in a file: also by a misspelt URI, which may have
    a password, and which the library refuses."""
    known = r"postgres(ql)?:|://|passw(or)?d=|^(post|pg).*@|^(?![/\\.]|.:[/\\]).*:.*@"
    return re.search(known, "".join(journal.split()), re.I) is not None


def shown(journal: str) -> str:
    """The name of a journal in messages: of a URI without user, password and options."""
    if not in_database(journal):
        return journal
    # As libpq reads it: what is before the last @ is no part of the host.
    place = re.match(r"postgres\w*://(?:[^/]*@)?([^/@?]*)(/[^/@?]*)?(?:\?|$)", journal)
    return f"postgresql://{place[1]}{place[2] or ''}" if place else "postgresql://..."


def _name_file(args: argparse.Namespace) -> None:
    if args.config is not None:
        os.environ[FILE_VARIABLE] = args.config
