"""Settings from arguments, the environment or a file. Credentials are never arguments."""

from __future__ import annotations

import argparse
import os
import stat
from pathlib import Path
from typing import Any, Dict, Iterable

from .._text import wire_name
from ..client import Client
from ..configuration import (
    CREDENTIALS,
    FILE_VARIABLE,
    Config,
    TlsConfig,
    add_variables,
)
from .exits import UsageError
from .inputs import json_object, unreadable
from .suggestions import did_you_mean

#: The keyword argument of `Client` for each configuration key.
KEYWORDS = {wire_name(name): name for name in Config.__annotations__}

_TLS_KEYS = [wire_name(name) for name in TlsConfig.__annotations__]

HELP = """\
settings in the environment
  PAYORDER_BASE_URL      the URL of the service
  PAYORDER_ACCESS_TOKEN  the credential for creating orders
  PAYORDER_CLIENT_KEY, PAYORDER_CLIENT_ID, PAYORDER_SECRET_KEY
                         the credentials for asking for a status
  PAYORDER_JOURNAL       the journal's file; optional
  PAYORDER_CA_FILE       a PEM file with further certificate authorities; optional
Settings can also come from a JSON file, named by --config or PAYORDER_CONFIG, with the keys
of the library's configuration: {"baseUrl": ..., "accessToken": ..., "clientKey": ...,
"clientId": ..., "secretKey": ..., ...}. The environment overrides the file, and arguments
override both.
"""


def add_quiet(command: argparse.ArgumentParser, words: str) -> None:
    """Adds `--quiet`. `words` say what it leaves of the command's output."""
    command.add_argument(
        "--quiet", action="store_true", help=f"{words}; errors are still on stderr"
    )


def add(command: argparse.ArgumentParser, quiet: str) -> None:
    """Adds the arguments of every command that connects to the service.

    `quiet` says what `--quiet` leaves of the command's output.
    """
    add_quiet(command, quiet)
    command.add_argument(
        "--config",
        metavar="FILE",
        help="read settings from this JSON file; with credentials in it, only you may have "
        "access to it",
    )
    command.add_argument(
        "--base-url",
        metavar="URL",
        help="the URL of the service (default: PAYORDER_BASE_URL)",
    )
    command.add_argument(
        "--journal",
        metavar="FILE",
        help="the file in which each order is recorded; created if it does not exist "
        "(default: PAYORDER_JOURNAL, otherwise no journal)",
    )
    command.add_argument(
        "--timeout-ms",
        metavar="N",
        type=int,
        help="the time limit of one call in milliseconds (default 30000)",
    )
    command.add_argument(
        "--json",
        action="store_true",
        help="print JSON for programs, one object on each line",
    )
    command.add_argument(
        "--verbose",
        action="store_true",
        help="show on stderr what each call does: when, to which host, for how long, and how it "
        "ended; no credentials and no personal data",
    )


def settings(args: argparse.Namespace) -> Dict[str, Any]:
    """The settings, under the keys of the library's configuration."""
    config: Dict[str, Any] = {}
    path = args.config or os.environ.get(FILE_VARIABLE)
    if path:
        config.update(_file(Path(path)))
    add_variables(config)
    chosen = {
        "baseUrl": args.base_url,
        "journal": args.journal,
        "timeoutMs": args.timeout_ms,
    }
    config.update({key: value for key, value in chosen.items() if value is not None})
    return config


def client(args: argparse.Namespace, asks: bool = True) -> Client:
    """A client with these settings. `asks` says whether it needs the service's address."""
    config = settings(args)
    if not asks:
        config.setdefault("baseUrl", "https://not-asked.invalid")
    if "baseUrl" not in config:
        raise UsageError(
            "the service's address is not set: set PAYORDER_BASE_URL, or name a settings file with "
            "--config (see payorder --help); to try the command without a service, run "
            "`payorder sandbox`",
            settings=True,
        )
    keywords = {
        KEYWORDS[key]: value for key, value in config.items() if key != "baseUrl"
    }
    return Client(config["baseUrl"], **keywords)


def _file(path: Path) -> Dict[str, Any]:
    name = f"the settings file {path}"
    try:
        with path.open(encoding="utf-8-sig") as file:
            mode = os.fstat(file.fileno()).st_mode
            config = json_object(file, name)
        _check_keys(config, ["baseUrl", *KEYWORDS], name)
        if isinstance(config.get("tls"), dict):
            _check_keys(config["tls"], _TLS_KEYS, f'"tls" in {name}')
        if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
            if any(key in config for key in CREDENTIALS):
                raise UsageError(
                    f"{name} contains credentials that others can read: chmod 600 {path}"
                )
    except (OSError, UsageError) as error:
        wrong = unreadable(name, error) if isinstance(error, OSError) else error
        wrong.settings = True
        raise wrong from None
    return config


def _check_keys(config: Dict[str, Any], known: Iterable[str], name: str) -> None:
    for key in config:
        if key not in known:
            raise UsageError(
                f"{name} has an unknown key {key}{did_you_mean(key, known)}",
                "unknown_key",
            )
