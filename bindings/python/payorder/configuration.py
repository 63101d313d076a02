"""The configuration of a client, and the environment variables of the library."""

from __future__ import annotations

import os
from typing import Any, Dict, Mapping

from ._arguments import Config as Config
from ._arguments import TlsConfig as TlsConfig
from ._options import wire_values

#: The environment variable of each configuration key that has one.
VARIABLES = {
    "baseUrl": "PAYORDER_BASE_URL",
    "accessToken": "PAYORDER_ACCESS_TOKEN",
    "clientKey": "PAYORDER_CLIENT_KEY",
    "clientId": "PAYORDER_CLIENT_ID",
    "secretKey": "PAYORDER_SECRET_KEY",
    "journal": "PAYORDER_JOURNAL",
}
#: The variable that names a file with further certificate authorities: `tls.caFile`.
CA_VARIABLE = "PAYORDER_CA_FILE"
#: The variable that names a JSON file with settings.
FILE_VARIABLE = "PAYORDER_CONFIG"
#: The credentials of Create Order, and those of Get Status.
CREATE_CREDENTIALS = ("accessToken",)
STATUS_CREDENTIALS = ("clientKey", "clientId", "secretKey")
CREDENTIALS = (*CREATE_CREDENTIALS, *STATUS_CREDENTIALS)


def wire_settings(given: Mapping[str, object]) -> Dict[str, object]:
    """Keyword arguments of `Client`, under the keys of the library's configuration."""
    settings = wire_values(given)
    tls = settings.get("tls")
    if isinstance(tls, TlsConfig):
        settings["tls"] = wire_values(tls._asdict())
    return settings


def add_variables(settings: Dict[str, Any]) -> None:
    """Adds the settings in environment variables. An empty variable counts as not set."""
    for key, name in VARIABLES.items():
        if os.environ.get(name):
            settings[key] = os.environ[name]
    authorities = os.environ.get(CA_VARIABLE)
    if authorities:
        # The library reports what is wrong with a `tls` that is not an object.
        tls = settings.get("tls", {})
        if isinstance(tls, dict):
            settings["tls"] = {**tls, "caFile": authorities}
