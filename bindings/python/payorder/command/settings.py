"""Where the command's settings come from: the environment, or a file; never a credential from the arguments."""

from __future__ import annotations

import argparse
import difflib
import os
import stat
from pathlib import Path
from typing import Any, Dict

from .._text import wire_name
from ..client import Client, Config
from .given import json_object
from .output import Unusable

#: The settings that the environment can give, under the names that the config has in C.
VARIABLES = {
    "baseUrl": "PAYORDER_BASE_URL",
    "accessToken": "PAYORDER_ACCESS_TOKEN",
    "clientKey": "PAYORDER_CLIENT_KEY",
    "clientId": "PAYORDER_CLIENT_ID",
    "secretKey": "PAYORDER_SECRET_KEY",
    "journal": "PAYORDER_JOURNAL",
}
CREDENTIALS = ("accessToken", "clientKey", "clientId", "secretKey")

#: The names of the config in C, and those of `Client`.
KEYWORDS = {wire_name(name): name for name in Config.__annotations__}

HELP = """\
settings, from the environment
  PAYORDER_BASE_URL                                            the service's address
  PAYORDER_ACCESS_TOKEN                                        to create orders
  PAYORDER_CLIENT_KEY, PAYORDER_CLIENT_ID, PAYORDER_SECRET_KEY to ask for their status
  PAYORDER_JOURNAL                                             the journal, a file; optional
or from a JSON file, named by --config or PAYORDER_CONFIG: {"baseUrl": ..., "accessToken": ..., "clientKey": ...,
"clientId": ..., "secretKey": ..., and every other key of the library's configuration}. The environment comes first.
"""


def add(command: argparse.ArgumentParser) -> None:
    """The arguments that every command which speaks to the service has."""
    command.add_argument(
        "--config",
        metavar="FILE",
        help="settings as a JSON file that only you can read",
    )
    command.add_argument("--base-url", metavar="URL", help="the service's address")
    command.add_argument(
        "--journal", metavar="FILE", help="the journal; made where it is missing"
    )
    command.add_argument(
        "--timeout-ms", metavar="N", type=int, help="how long one call may take; 30000"
    )
    command.add_argument(
        "--json", action="store_true", help="output for programs: the library's JSON"
    )
    command.add_argument(
        "--verbose", action="store_true", help="show each attempt on stderr"
    )


def settings(given: argparse.Namespace) -> Dict[str, Any]:
    """The config, by the C names: arguments come before the environment, that before the file."""
    config: Dict[str, Any] = {}
    path = given.config or os.environ.get("PAYORDER_CONFIG")
    if path:
        config.update(_file(Path(path)))
    config.update(
        {
            key: os.environ[name]
            for key, name in VARIABLES.items()
            if os.environ.get(name)
        }
    )
    chosen = {
        "baseUrl": given.base_url,
        "journal": given.journal,
        "timeoutMs": given.timeout_ms,
    }
    config.update({key: value for key, value in chosen.items() if value is not None})
    return config


def client(given: argparse.Namespace) -> Client:
    """The client of these settings."""
    config = settings(given)
    if "baseUrl" not in config:
        raise Unusable(
            "no service to speak to: set PAYORDER_BASE_URL, or name a file with --config (see payorder --help); "
            "to try it without one, run `payorder sandbox`"
        )
    keywords = {
        KEYWORDS[key]: value for key, value in config.items() if key != "baseUrl"
    }
    return Client(config["baseUrl"], **keywords)


def _file(path: Path) -> Dict[str, Any]:
    try:
        with path.open(encoding="utf-8-sig") as file:
            mode = os.fstat(file.fileno()).st_mode
            config = json_object(file, f"the settings file {path}")
    except OSError as error:
        raise Unusable(
            f"the settings file {path} cannot be read: {error.strerror}"
        ) from None
    for key in config:
        if key != "baseUrl" and key not in KEYWORDS:
            near = difflib.get_close_matches(key, ["baseUrl", *KEYWORDS], 1)
            raise Unusable(
                f"the settings {path} have an unknown key {key}"
                + (f"; is it {near[0]}?" if near else "")
            )
    if (
        os.name == "posix"
        and mode & (stat.S_IRWXG | stat.S_IRWXO)
        and any(key in config for key in CREDENTIALS)
    ):
        raise Unusable(
            f"the settings {path} hold credentials that others can read: chmod 600 {path}"
        )
    return config
